"""Families of positions: sequences, tables, periods, and their certificates; many positions at once."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from ._answers import Period, Quotient, Solution, Table, Verified
from ._ask import PICTURE, ask, bounds, seconds, svg_of
from ._position import Position, made, of
from ._progress import telling
from ._rules import Rule, RuleFile

__all__ = ["Rows", "period", "quotient", "rows", "sequence", "solve_many", "table", "verify"]

# Codes are written like numbers: digits with a point.
_DIGITS = frozenset("0123456789abcdefABCDEF.")


def _family(code: str) -> str:
    if not isinstance(code, str):
        raise TypeError(f"family: a code or a family is expected, not {type(code).__name__}")
    if code and _DIGITS.issuperset(code):
        return f'take_and_break("{code}", n)'
    return code


def sequence(code: str, count: int) -> npt.NDArray[Any]:
    """The Grundy values g(0), ..., g(count - 1) of a code, or of a family of heaps.

    Args:
        code: An octal or hexadecimal code such as ``"0.137"``, or a family such as ``"grundys_game(n)"``.
        count: How many values.

    Returns:
        An array of shape ``(count,)`` of unsigned integers, of one byte each as long as that suffices. It is the row in which they were
        worked out: nothing is copied.

    >>> import grundy
    >>> grundy.sequence("0.77", 12)
    array([0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6], dtype=uint8)
    """
    if isinstance(count, bool) or not isinstance(count, int):
        raise TypeError(f"count: a whole number is expected, not {type(count).__name__}")
    if not 0 <= count < 1 << 40:
        raise ValueError(f"count: a number from 0 to 2^40 is expected, not {count}")
    with telling("sequence") as progress:
        values: npt.NDArray[Any] = _native.sequence(_family(code), count, memory=bounds()["memory"], progress=progress)
    return values


def _range(name: str, values: Any) -> str:
    if isinstance(values, range):
        if values.step != 1 or not len(values):
            raise ValueError(f"{name}: a range of steps of 1 is expected, not {values}")
        return f"{name}={values.start}..{values[-1]}"
    if isinstance(values, int) and not isinstance(values, bool):
        return f"{name}={values}..{values}"
    if isinstance(values, str):
        return f"{name}={values}"
    if isinstance(values, tuple) and len(values) == 2:
        first, last = values
        return f"{name}={int(first)}..{int(last)}"
    raise TypeError(f"{name}: a range is expected, such as range(101), not {values!r}")


def table(
    family: str | Rule,
    *,
    play: str = "normal",
    of: str | None = None,
    full: bool = False,
    pattern: bool = False,
    rules: RuleFile | dict[str, Rule] | None = None,
    timeout: float | None = None,
    lang: str | None = None,
    **ranges: Any,
) -> Table:
    """Values of a family with one or two free variables.

    Args:
        family: Such as ``"kayles(n)"`` or ``"wythoff(a, b)"``; or rules of one's own, whose start is then ``n``.
        play: ``"normal"`` or ``"misere"``.
        of: ``"grundy"``, ``"outcome"`` or ``"genus"``, the genera in misère play; else what there is.
        full: Whether genera have all their digits.
        pattern: Whether it is said what the values seem to be.
        rules: What ``game(rules, n)`` in the family speaks of.
        timeout: The seconds that it may take.
        lang: The language of words.
        ranges: The values of each variable, in the order in which rows and columns are wanted: ``n=range(101)``, or ``n=(0, 100)``.

    >>> import grundy
    >>> grundy.table("kayles(n)", n=range(8)).grundy
    array([0, 1, 2, 3, 1, 4, 3, 2])
    >>> @grundy.game
    ... def halve(n):
    ...     return [n // 2, n - 1] if n else []
    >>> grundy.table(halve, n=range(8)).outcome
    array(['P', 'N', 'P', 'N', 'N', 'N', 'P', 'N'], dtype='<U1')
    """
    named: dict[str, Rule] = {}
    file = rules if isinstance(rules, RuleFile) else None
    if isinstance(rules, dict):
        named = dict(rules)
    if isinstance(family, Rule):
        named[family.name] = family
        family = f"game({family.name}, {next(iter(ranges), 'n')})"
    if not isinstance(family, str):
        raise TypeError(f"family: a family or rules are expected, not {type(family).__name__}")
    question = {
        "game": family,
        "ranges": [_range(name, values) for name, values in ranges.items()],
        "play": play,
        "of": of,
        "full": full,
        "pattern": pattern,
    }
    settings: dict[str, Any] = {"rules": named, "file": file, "timeout": timeout, "lang": lang}

    def drawn() -> str | None:
        try:
            return svg_of(ask("table", {**question, "pattern": False, "svg": PICTURE}, **settings))
        except ValueError:
            # Tables are drawn of impartial games.
            return None

    return Table(ask("table", question, **settings), drawn)


def period(
    family: str,
    *,
    max: int = 100_000,
    play: str = "normal",
    stream: bool = False,
    frequencies: bool = False,
    timeout: float | None = None,
    lang: str | None = None,
) -> Period:
    """Finds and proves the period of a family of heaps.

    Args:
        family: A code such as ``"0.137"``, or a family such as ``"kayles(n)"``.
        max: The most values that are computed.
        play: ``"normal"``, or ``"misere"`` for the sequence of misère outcomes.
        stream: Whether only the smallest heaps and the last are kept.
        frequencies: Whether it is counted how often each value occurs.
        timeout: The seconds that it may take.
        lang: The language of words in the picture.

    >>> import grundy
    >>> grundy.period("0.137").period
    34
    """
    question = {
        "game": _family(family),
        "max": max,
        "play": play,
        "stream": stream,
        "frequencies": frequencies,
    }
    written = {} if play == "misere" else {"certificate": "certificate.json"}
    answer = ask("period", {**question, **written}, timeout=timeout, lang=lang)
    files = answer.pop("files", {})

    def drawn() -> str | None:
        if stream or play == "misere":
            return None
        return svg_of(ask("period", {**question, "svg": PICTURE}, timeout=timeout, lang=lang))

    return Period(answer, files.get("certificate.json"), drawn)


def quotient(
    family: str | Sequence[Any],
    *,
    max: int = 10_000,
    timeout: float | None = None,
    lang: str | None = None,
) -> Quotient:
    """The misère quotient of a family of heaps, or of some positions: what every sum of them does in misère play.

    Args:
        family: A code such as ``"0.123"``, a family such as ``"kayles(n)"``, or a list of positions.
        max: The most heaps that are looked at.
        timeout: The seconds that it may take.
        lang: The language of words in the picture.

    >>> import grundy
    >>> found = grundy.quotient("kayles(n)")
    >>> found.order, found.p_order, found.period
    (40, 9, 12)
    >>> grundy.quotient([grundy.chomp(3, 2), grundy.kayles(7)]).name
    """
    written = _family(family) if isinstance(family, str) else f"[{', '.join(map(str, family))}]"
    question = {"game": written, "max": max}
    asked = {**question, "certificate": "certificate.json"}
    answer = ask("quotient", asked, timeout=timeout, lang=lang)
    files = answer.pop("files", {})

    def drawn() -> str | None:
        return svg_of(ask("quotient", {**question, "svg": PICTURE}, timeout=timeout, lang=lang))

    return Quotient(answer, files.get("certificate.json"), drawn)


def verify(certificate: Any, *, timeout: float | None = None) -> Verified:
    """Checks a certificate, of any kind, independently of the code that made it.

    Args:
        certificate: The text of one, the object that it is in JSON, or a path.
        timeout: The seconds that it may take.

    Raises:
        GrundyError: One that does not hold, with the reason.

    >>> import grundy
    >>> checked = grundy.verify(grundy.matrix([[1, -1], [0, 2]]).certificate)
    >>> checked.kind, checked.valid
    ('matrix', True)
    """
    if isinstance(certificate, os.PathLike):
        certificate = Path(certificate).read_text(encoding="utf-8")
    if isinstance(certificate, dict):
        certificate = json.dumps(certificate)
    if not isinstance(certificate, str):
        kind = type(certificate).__name__
        raise TypeError(f"certificate: its text, its object or a path is expected, not {kind}")
    name = "certificate.json"
    return Verified(ask("verify", {"file": name, "files": {name: certificate}}, timeout=timeout))


class Rows(Sequence[Position]):
    """Positions of one game, made of the rows of an array when they are looked at: see :func:`rows`."""

    def __init__(self, name: str, numbers: npt.NDArray[np.int64]) -> None:
        self.name = name
        self._rows = _native.Rows(name, numbers)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = index + len(self) if index < 0 else index
        if not 0 <= number < len(self):
            raise IndexError("there is no such row")
        return made(self._rows.at(number))

    def __iter__(self) -> Iterator[Position]:
        return (self[number] for number in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self):,} positions {self.name}(...)>"


def rows(constructor: Any, numbers: npt.ArrayLike) -> Rows:
    """The positions ``constructor(*row)`` for each row of a two-dimensional array of integers, without making them one by one: for
    :func:`solve_many`.

    >>> import grundy
    >>> heaps = grundy.rows(grundy.nim, [[3, 4, 5], [1, 2, 3]])
    >>> heaps[1], grundy.solve_many(heaps, of="grundy")
    (nim(1, 2, 3), array([2, 0], dtype=uint64))
    """
    name = constructor if isinstance(constructor, str) else getattr(constructor, "__name__", "")
    array = np.asarray(numbers)
    if array.ndim != 2 or not (np.issubdtype(array.dtype, np.integer) or array.size == 0):
        raise TypeError("numbers: an array of integers of two dimensions is expected")
    return Rows(name, np.ascontiguousarray(array, dtype=np.int64))


def solve_many(
    positions: Iterable[Position | str] | Rows,
    *,
    of: str | None = None,
    play: str = "normal",
    remoteness: bool = False,
    threads: int | None = None,
    timeout: float | None = None,
) -> Any:
    """Answers for many positions, on all cores.

    Args:
        positions: Positions, their texts, or :func:`rows`.
        of: ``"grundy"`` or ``"outcome"`` for an array of these alone, which is quicker.
        play: ``"normal"`` or ``"misere"``.
        remoteness: Whether the moves left with best play are counted, too.
        threads: How many threads work; as many as there are cores where it is left out.
        timeout: The seconds that one position may take. What is known then is its answer, with the status ``"partial"``.

    Returns:
        A list of :class:`grundy.Solution`; or with ``of`` an array of shape ``(n,)``, of ``uint64`` or of strings.

    >>> import grundy
    >>> [answer.outcome for answer in grundy.solve_many(["nim(1, 2, 3)", grundy.kayles(7)])]
    ['P', 'N']
    """
    held: Any
    known: list[Position] = []
    if isinstance(positions, Rows):
        held = positions._rows
    else:
        known = [_position(one) for one in positions]
        held = [one._inner for one in known]
    if of is not None:
        array: npt.NDArray[Any] = _native.values(
            held, of, play, threads, most=bounds()["positions"], memory=bounds()["memory"]
        )
        if of == "outcome":
            letters: npt.NDArray[np.str_] = array.view("<U4")
            longest = max((len(word) for word in np.unique(letters)), default=1)
            return letters.astype(f"<U{longest}")
        return array
    with telling("solve_many") as progress:
        texts = _native.solve_many(
            held,
            play,
            remoteness,
            threads,
            seconds=seconds(timeout),
            most=bounds()["positions"],
            memory=bounds()["memory"],
            progress=progress,
        )
    answers = []
    for index, text in enumerate(texts):
        data = json.loads(text)
        if "error" in data:
            error = data["error"]
            from ._errors import of_object

            raise of_object({**error, "message": f"positions[{index}]: {error['message']}"})
        answers.append(Solution(data, known[index] if known else None))
    return answers


def _position(one: Position | str) -> Position:
    return of(one)
