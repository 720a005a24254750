"""Families of positions: sequences, tables, periods, quotients, certificates, and bulk solving."""

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
from ._ask import PICTURE, ask, current_limits, svg_of, time_limit
from ._position import Position, as_position, wrap
from ._progress import progress_callback
from ._rules import Rule, RuleFile

__all__ = ["Rows", "period", "quotient", "rows", "sequence", "solve_many", "table", "verify"]

# The characters of an octal or hexadecimal code. A text of these alone is a code, since every
# family has parentheses.
_DIGITS = frozenset("0123456789abcdefABCDEF.")


def _family(code: str) -> str:
    if not isinstance(code, str):
        raise TypeError(f"family: expected a code or a family, not {type(code).__name__}")
    if code and _DIGITS.issuperset(code):
        return f'take_and_break("{code}", n)'
    return code


def _rules(family: Any, rules: RuleFile | dict[str, Rule] | None) -> tuple[dict[str, Rule], RuleFile | None]:
    """Return the rules by name, with that of the family, and the rule file."""
    named = dict(rules) if isinstance(rules, dict) else {}
    if isinstance(family, Rule):
        named[family.name] = family
    return named, rules if isinstance(rules, RuleFile) else None


def sequence(code: str, count: int) -> npt.NDArray[Any]:
    """Return the Grundy values g(0), ..., g(count - 1) of a code or of a family of heaps.

    Args:
        code: An octal or hexadecimal code such as ``"0.137"``, or a family such as
            ``"grundys_game(n)"``.
        count: The number of values.

    Returns:
        An array of shape ``(count,)`` of the narrowest unsigned integers that fit. It is the buffer
        of the computation itself, without a copy.

    >>> import grundy
    >>> grundy.sequence("0.77", 12)
    array([0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6], dtype=uint8)
    """
    if isinstance(count, bool) or not isinstance(count, int):
        raise TypeError(f"count: expected an integer, not {type(count).__name__}")
    if not 0 <= count < 1 << 40:
        raise ValueError(f"count: expected an integer from 0 to 2^40, not {count}")
    with progress_callback("sequence") as progress:
        values: npt.NDArray[Any] = _native.sequence(
            _family(code), count, memory=current_limits()["memory"], progress=progress
        )
    return values


def _range(name: str, values: Any) -> str:
    if isinstance(values, range):
        if values.step != 1 or not len(values):
            raise ValueError(f"{name}: expected a range with step 1, not {values}")
        return f"{name}={values.start}..{values[-1]}"
    if isinstance(values, int) and not isinstance(values, bool):
        return f"{name}={values}..{values}"
    if isinstance(values, str):
        return f"{name}={values}"
    if isinstance(values, tuple) and len(values) == 2:
        first, last = values
        return f"{name}={int(first)}..{int(last)}"
    raise TypeError(f"{name}: expected a range such as range(101), not {values!r}")


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
    """Return the table of values of a family with one or two free variables.

    Args:
        family: A family such as ``"kayles(n)"`` or ``"wythoff(a, b)"``, or a :class:`grundy.Rule`,
            whose start is then the variable.
        play: ``"normal"`` or ``"misere"``.
        of: ``"grundy"``, ``"outcome"``, ``"remoteness"``, ``"value"``, ``"temperature"``,
            ``"mean"``, ``"atomic_weight"``, or ``"genus"`` in misère play; by default the Grundy
            values if they exist, with the outcomes.
        full: If true, genera have all their digits.
        pattern: If true, search the values for patterns; see :attr:`grundy.Table.findings`.
        rules: The rules that ``game(rules, n)`` in the family refers to.
        timeout: The time limit in seconds.
        lang: The language of texts in the answer.
        ranges: The range of each variable, rows first: ``n=range(101)`` or ``n=(0, 100)``.

    >>> import grundy
    >>> grundy.table("kayles(n)", n=range(8)).grundy
    array([0, 1, 2, 3, 1, 4, 3, 2])
    >>> @grundy.game
    ... def halve(n):
    ...     return [n // 2, n - 1] if n else []
    >>> grundy.table(halve, n=range(8)).outcome
    array(['P', 'N', 'P', 'N', 'N', 'N', 'P', 'N'], dtype='<U1')
    """
    named, file = _rules(family, rules)
    if isinstance(family, Rule):
        family = f"game({family.name}, {next(iter(ranges), 'n')})"
    if not isinstance(family, str):
        raise TypeError(f"family: expected a family or a rule, not {type(family).__name__}")
    question = {
        "game": family,
        "ranges": [_range(name, values) for name, values in ranges.items()],
        "play": play,
        "of": of,
        "full": full,
        "pattern": pattern,
    }
    settings: dict[str, Any] = {"rules": named, "file": file, "timeout": timeout, "lang": lang}

    def render() -> str | None:
        try:
            return svg_of(ask("table", {**question, "pattern": False, "svg": PICTURE}, **settings))
        except ValueError:
            # Only tables of impartial games have pictures.
            return None

    return Table(ask("table", question, **settings), render)


def period(
    family: str | Rule,
    *,
    max: int = 100_000,
    play: str = "normal",
    stream: bool = False,
    frequencies: bool = False,
    rules: RuleFile | dict[str, Rule] | None = None,
    timeout: float | None = None,
    lang: str | None = None,
) -> Period:
    """Find and prove the period of a family of heaps, or observe that of a rule.

    The period of a rule file is proved if its game is recognised as a built-in game.

    Args:
        family: A code such as ``"0.137"``, a family such as ``"kayles(n)"``, or a
            :class:`grundy.Rule`. The period of a Python rule can only be observed.
        max: The maximum number of values computed; for a rule, 10,000 by default.
        play: ``"normal"``, or ``"misere"`` for the sequence of misère outcomes.
        stream: If true, keep only the values of the smallest and of the last heaps in memory.
        frequencies: If true, count the occurrences of each value.
        rules: The rules that ``game(rules, n)`` in the family refers to.
        timeout: The time limit in seconds.
        lang: The language of texts in the picture.

    >>> import grundy
    >>> grundy.period("0.137").period
    34
    >>> @grundy.game
    ... def take(n):
    ...     return [n - k for k in (1, 3, 4) if k <= n]
    >>> found = grundy.period(take)
    >>> found.period, found.status, found.checked_to
    (7, 'observed', 512)
    """
    named, file = _rules(family, rules)
    observed = bool(named) or file is not None
    if isinstance(family, Rule):
        family = f"game({family.name}, n)"
    question = {
        "game": _family(family),
        "max": max,
        "play": play,
        "stream": stream,
        "frequencies": frequencies,
    }
    written = {} if play == "misere" or observed else {"certificate": "certificate.json"}
    answer = ask("period", {**question, **written}, rules=named, file=file, timeout=timeout, lang=lang)
    files = answer.pop("files", {})
    recognised = answer.get("recognised_as")
    if recognised is not None and play == "normal" and answer["status"] == "proved":
        # The certificate is about the built-in family. Without a proof there would be no file, and
        # for a family that is not recognised the request would be an error.
        request = {**question, "game": recognised, "certificate": "certificate.json"}
        files = ask("period", request, timeout=timeout, lang=lang).pop("files", {})

    def render() -> str | None:
        if stream or play == "misere" or (observed and recognised is None):
            return None
        request = {**question, "game": recognised or question["game"], "svg": PICTURE}
        return svg_of(ask("period", request, timeout=timeout, lang=lang))

    return Period(answer, files.get("certificate.json"), render)


def quotient(
    family: str | Sequence[Any],
    *,
    max: int = 10_000,
    timeout: float | None = None,
    lang: str | None = None,
) -> Quotient:
    """Compute the misère quotient of a family of heaps or of a list of positions.

    The quotient determines the outcome of every sum of these heaps or positions in misère play.

    Args:
        family: A code such as ``"0.123"``, a family such as ``"kayles(n)"``, or a list of
            positions.
        max: The maximum heap size examined.
        timeout: The time limit in seconds.
        lang: The language of texts in the picture.

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

    def render() -> str | None:
        return svg_of(ask("quotient", {**question, "svg": PICTURE}, timeout=timeout, lang=lang))

    return Quotient(answer, files.get("certificate.json"), render)


def verify(certificate: Any, *, timeout: float | None = None) -> Verified:
    """Verify a certificate of any kind, independently of the code that wrote it.

    Args:
        certificate: The certificate as a JSON text, as a dictionary, or as a path.
        timeout: The time limit in seconds.

    Raises:
        GrundyError: The certificate is invalid; the message gives the reason.

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
        raise TypeError(f"certificate: expected the text, the parsed object or a path, not {kind}")
    name = "certificate.json"
    return Verified(ask("verify", {"file": name, "files": {name: certificate}}, timeout=timeout))


class Rows(Sequence[Position]):
    """Positions of one game, built from the rows of an array on access; see :func:`rows`."""

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
            raise IndexError("row index out of range")
        return wrap(self._rows.at(number))

    def __iter__(self) -> Iterator[Position]:
        return (self[number] for number in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self):,} positions {self.name}(...)>"


def rows(constructor: Any, numbers: npt.ArrayLike) -> Rows:
    """Return the positions ``constructor(*row)`` for the rows of a two-dimensional integer array.

    No Python object is created for a position until it is accessed, so that :func:`solve_many` can
    read large arrays directly.

    >>> import grundy
    >>> heaps = grundy.rows(grundy.nim, [[3, 4, 5], [1, 2, 3]])
    >>> heaps[1], grundy.solve_many(heaps, of="grundy")
    (nim(1, 2, 3), array([2, 0], dtype=uint64))
    """
    name = constructor if isinstance(constructor, str) else getattr(constructor, "__name__", "")
    array = np.asarray(numbers)
    if array.ndim != 2 or not (np.issubdtype(array.dtype, np.integer) or array.size == 0):
        raise TypeError("numbers: expected a two-dimensional array of integers")
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
    """Solve many positions in parallel.

    Args:
        positions: Positions, expressions of the notation, or :func:`rows`.
        of: ``"grundy"`` or ``"outcome"`` for an array of these alone, which is faster.
        play: ``"normal"`` or ``"misere"``.
        remoteness: If true, compute the remoteness too.
        threads: The number of threads; by default the number of cores.
        timeout: The time limit for each position, in seconds. A position that exceeds it has a
            partial answer with the status ``"partial"``.

    Returns:
        A list of :class:`grundy.Solution`, or with ``of`` an array of shape ``(n,)``, of ``uint64``
        or of strings.

    >>> import grundy
    >>> [answer.outcome for answer in grundy.solve_many(["nim(1, 2, 3)", grundy.kayles(7)])]
    ['P', 'N']
    """
    native: Any
    known: list[Position] = []
    if isinstance(positions, Rows):
        native = positions._rows
    else:
        known = [as_position(one) for one in positions]
        native = [one._inner for one in known]
    if of is not None:
        array: npt.NDArray[Any] = _native.values(
            native, of, play, threads, most=current_limits()["positions"], memory=current_limits()["memory"]
        )
        if of == "outcome":
            letters: npt.NDArray[np.str_] = array.view("<U4")
            longest = max((len(word) for word in np.unique(letters)), default=1)
            return letters.astype(f"<U{longest}")
        return array
    with progress_callback("solve_many") as progress:
        texts = _native.solve_many(
            native,
            play,
            remoteness,
            threads,
            seconds=time_limit(timeout),
            most=current_limits()["positions"],
            memory=current_limits()["memory"],
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
