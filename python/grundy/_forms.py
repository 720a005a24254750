"""What games are worth: canonical forms and all that follows from them, thermographs, comparisons."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, overload

from . import _native
from ._answers import Answer, Picture, _picture, _shown
from ._ask import PICTURE, ask, svg_of, whole
from ._errors import GrundyError, of_object

if TYPE_CHECKING:
    from ._position import Position

__all__ = ["MisereValue", "Relation", "Thermograph", "Value", "compare", "value"]


class Thermograph:
    """The walls of a game as it is cooled, as points ``(t, value)`` from t = -1 up where the slope changes; above the temperature both are
    the mean.

    Attributes:
        left: The left wall.
        right: The right wall.

    >>> import grundy
    >>> grundy.value(grundy.literal("{2|-1}")).thermograph
    Thermograph(left=[(-1, 3), (3/2, 1/2)], right=[(-1, -2), (3/2, 1/2)])
    """

    def __init__(self, walls: Mapping[str, list[list[str]]], drawn: Callable[[], str | None]) -> None:
        self.left = _wall(walls["left"])
        self.right = _wall(walls["right"])
        self._drawn = drawn

    @property
    def mean(self) -> Fraction:
        """Where the walls meet: what a move more or less does not change in the long run."""
        return self.left[-1][1]

    @property
    def temperature(self) -> Fraction:
        """When they meet: how much it is worth to move first."""
        return self.left[-1][0]

    @functools.cached_property
    def svg(self) -> Picture | None:
        """The picture, which is drawn when it is asked for."""
        return _picture(self._drawn())

    def _repr_svg_(self) -> str | None:
        return _shown(self.svg)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Thermograph):
            return NotImplemented
        return (self.left, self.right) == (other.left, other.right)

    def __hash__(self) -> int:
        return hash((tuple(self.left), tuple(self.right)))

    def __repr__(self) -> str:
        left, right = (", ".join(f"({t}, {x})" for t, x in wall) for wall in (self.left, self.right))
        return f"Thermograph(left=[{left}], right=[{right}])"


_SHORT = re.compile(r"(-?[0-9]+)/\(2\^([0-9]+)\)")


def _number(text: str) -> Fraction:
    """A number as answers have it: ``-3``, ``3/4`` or ``3/(2^100)``.

    >>> _number("3/(2^100)") == Fraction(3, 2**100)
    True
    """
    short = _SHORT.fullmatch(text)
    if short is None:
        return Fraction(text)
    return Fraction(int(Decimal(short[1])), 1 << int(short[2]))  # int() reads some 4300 digits only


def _wall(points: list[list[str]]) -> list[tuple[Fraction, Fraction]]:
    return [(_number(t), _number(x)) for t, x in points]


class Value(Answer):
    """What a game is worth. ``str`` is its canonical form; numbers are fractions, games are texts that :func:`grundy.literal` reads.

    Attributes:
        game: The position.
        outcome: The outcome class: ``"L"``, ``"R"``, ``"N"`` or ``"P"``.
        status: ``"exact"``, or ``"partial"`` where a limit was reached.
        method: The theorem or algorithm that gave it.

    >>> import grundy
    >>> v = grundy.value(grundy.domineering(["...", "..."]))
    >>> v.value, v.outcome, v.mean, v.temperature
    ('{2|-1/2}', 'N', Fraction(3, 4), Fraction(5, 4))
    >>> v.left_stop, v.right_stop, v.number_part
    (Fraction(2, 1), Fraction(-1, 2), None)
    >>> v.latex
    '\\\\left\\\\{2\\\\mid -\\\\tfrac{1}{2}\\\\right\\\\}'
    """

    game: str
    outcome: str
    status: str
    method: str

    def __init__(self, data: dict[str, Any], again: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        if "mean" not in data:
            # Without stops there is nothing that is asked of a value: the limit is the answer.
            raise of_object(data["stopped"])
        super().__init__(data)
        # Asks the same question with more keys.
        self._again = again

    @property
    def value(self) -> str | None:
        """The canonical form; ``None`` where a limit has kept it back."""
        return self._data.get("value")

    @property
    def left_stop(self) -> Fraction:
        """The number that is reached where Left begins and both play well until it is a number."""
        return _number(self._data["left_stop"])

    @property
    def right_stop(self) -> Fraction:
        """The same where Right begins."""
        return _number(self._data["right_stop"])

    @property
    def mean(self) -> Fraction:
        """What each of many copies is worth."""
        return _number(self._data["mean"])

    @property
    def temperature(self) -> Fraction:
        """How much it is worth to move first."""
        return _number(self._data["temperature"])

    def _told(self, name: str) -> Any | None:
        """Returns a quantity, and computes it now if it was left out."""
        if name not in self._data and name in self.left_out:
            self._data[name] = self._again({"of": [name]}).get(name)
        return self._data.get(name)

    @property
    def left_out(self) -> list[str]:
        """Names of the quantities that may take long. Each is computed when it is read.

        >>> import grundy
        >>> v = grundy.value(grundy.literal("{1|*100}"))
        >>> v.left_out
        ['reduced', 'incentives']
        >>> v.reduced
        '{1|0}'
        """
        return list(self._data.get("left_out", ()))

    @property
    def thermograph(self) -> Thermograph:
        """Its walls, and their picture."""
        self._told("thermograph")
        return Thermograph(self._data["thermograph"], lambda: svg_of(self._again({"svg": PICTURE})))

    @property
    def number_part(self) -> Fraction | None:
        """The number that it is infinitesimally close to; ``None`` where there is none."""
        part = self._data["number_part"]
        return None if part is None else _number(part)

    @property
    def atomic_weight(self) -> str | None:
        """How many ups it is worth; ``None`` where it is not all-small."""
        return self._told("atomic_weight")

    @property
    def reduced(self) -> str | None:
        """The simplest game that differs from it by an infinitesimal only."""
        return self._told("reduced")

    @property
    def birthday(self) -> int | None:
        """The day on which it is born."""
        day = self._data.get("birthday")
        return None if day is None else int(day)

    @property
    def incentives(self) -> dict[str, list[str]] | None:
        """What a move gains at best, ``"left"`` and ``"right"``: the maximal ones."""
        return self._told("incentives")

    @property
    def uptimal(self) -> str | None:
        """The expansion in powers of up, where it is one of more than one power."""
        return self._told("uptimal")

    @functools.cached_property
    def latex(self) -> str | None:
        """The canonical form for LaTeX, in mathematical mode."""
        return self._data.get("latex") or self._again({"latex": True}).get("latex")

    @property
    def _inner(self) -> _native.Position | None:
        """The value written out, as a rule may return it."""
        return None if self.value is None else _native.construct("literal", (self.value,), {})

    def __str__(self) -> str:
        return self.value or ""

    def _repr_latex_(self) -> str | None:
        return None if self.latex is None else f"${self.latex}$"

    def _repr_markdown_(self) -> str:
        numbers = (("mean", self.mean), ("temperature", self.temperature))
        facts = "".join(f", {name} {number}" for name, number in numbers)
        return f"{self._repr_latex_() or '?'}: outcome {self.outcome}{facts}"


class MisereValue(Answer):
    """What an impartial game is worth in misère play. ``str`` is its genus; forms are texts that :func:`grundy.literal` reads.

    Attributes:
        game: The position.
        outcome: ``"N"`` or ``"P"``.
        status: ``"exact"``, or ``"partial"`` where a limit was reached.
        method: The algorithm that gave it.

    >>> import grundy
    >>> v = grundy.kayles(5).misere.value()
    >>> v.genus, v.misere_class, v.birthday
    ('4^146', 'restless', 5)
    >>> v.form
    '*[*[*3,*2],*3,*2,*]'
    """

    game: str
    outcome: str
    status: str
    method: str

    def __init__(self, data: dict[str, Any]) -> None:
        if "genus" not in data:
            raise of_object(data["stopped"])
        super().__init__(data)

    @property
    def genus(self) -> str:
        """What it does beside heaps of Nim, as the field prints it."""
        genus: str = self._data["genus"]
        return genus

    @property
    def misere_class(self) -> str | None:
        """How far it behaves as heaps of Nim do: ``"nim heap"``, ``"tame"``, ``"reversibly tame"``, ``"restive"``, ``"restless"`` or
        ``"wild"``."""
        return self._data.get("class")

    @property
    def form(self) -> str | None:
        """The canonical form; ``None`` where it is too long, or a limit has kept it back."""
        return self._data.get("form")

    @property
    def birthday(self) -> int | None:
        """The day on which it is born."""
        return self._data.get("birthday")

    @property
    def mate(self) -> str | None:
        """The game that it makes a P-position with, in which 0 and * have changed places."""
        return self._data.get("mate")

    @property
    def prime(self) -> bool | None:
        """Whether it is a sum of two games only if one of them is 0 or \\*, and neither of these itself; ``None`` where that is not
        known."""
        return self._data.get("prime")

    @property
    def partitions(self) -> list[tuple[str, str]] | None:
        """The ways to write it as a sum of two games of which neither is 0 or \\*; ``None`` where they are not known."""
        found = self._data.get("partitions")
        return None if found is None else [(one, other) for one, other in found]

    def __str__(self) -> str:
        return self.genus


@overload
def value(
    game: Position | str,
    *,
    play: Literal["normal"] = "normal",
    cool: object = None,
    heat: object = None,
    overheat: tuple[object, object] | str | None = None,
    norton: object = None,
    freeze: bool = False,
    form: bool = False,
    timeout: float | None = None,
) -> Value: ...


@overload
def value(
    game: Position | str,
    *,
    play: Literal["misere"],
    full: bool = False,
    timeout: float | None = None,
) -> MisereValue: ...


def value(
    game: Position | str,
    *,
    play: str = "normal",
    full: bool = False,
    cool: object = None,
    heat: object = None,
    overheat: tuple[object, object] | str | None = None,
    norton: object = None,
    freeze: bool = False,
    form: bool = False,
    timeout: float | None = None,
) -> Value | MisereValue:
    """What a short game is worth: its canonical form, stops, mean, temperature, thermograph, atomic weight and more.

    Games beside it are numbers, or texts as :func:`grundy.literal` reads them.

    Args:
        game: The position, or its text in the notation.
        play: ``"normal"``, or ``"misere"`` for the genus and the canonical form of an impartial game in misère play.
        full: Whether the genus has all its digits, in misère play.
        cool: The temperature by which it is cooled first.
        heat: The game by which it is heated.
        overheat: Two games: an integer n becomes n times the first, and each move gives its player the second.
        norton: The game by which it is multiplied: the Norton product.
        freeze: Whether it is cooled by its own temperature.
        form: Whether the form is written in braces alone, without names such as ``^``.
        timeout: The seconds that it may take. Where they are up, :class:`grundy.LimitError` holds what is known.

    >>> import grundy
    >>> print(grundy.value("clobber(['xoxo'])"))
    +-{*,^}
    >>> grundy.value(grundy.literal("{2|-1}"), cool=0.5).value
    '{3/2|-1/2}'
    >>> grundy.value("nim(3)", cool=-1)
    Traceback (most recent call last):
    ...
    grundy._errors.GrundyError: cool: a temperature is a number of at least 0, such as 1/2 (column 1)
    """
    from ._position import known_play, of

    position = of(game)
    changes = {
        "cool": _text("cool", cool),
        "heat": _text("heat", heat),
        "overheat": _pair("overheat", overheat),
        "norton": _text("norton", norton),
    }
    question = {**changes, "freeze": freeze, "form": form, "play": known_play(play), "full": full}

    def again(more: dict[str, Any]) -> dict[str, Any]:
        try:
            return position._ask("value", {**question, **more}, timeout=timeout)
        except GrundyError:
            _read(changes)
            raise

    answer = MisereValue(again({})) if play == "misere" else Value(again({}), again)
    whole(answer.to_dict(), answer)
    return answer


def _text(name: str, given: object) -> str | None:
    """A number or a game as text."""
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, float) and not math.isfinite(given):
        raise ValueError(f"{name}: a number is expected, not {given!r}")
    if isinstance(given, (int, float, Fraction)) and not isinstance(given, bool):
        return str(Fraction(given))
    if isinstance(given, Value):
        return str(given)
    raise TypeError(f"{name}: a number or the text of a game is expected, not {type(given).__name__}")


def _pair(name: str, given: object) -> str | None:
    if given is None or isinstance(given, str):
        return given
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise TypeError(f"{name}: two games are expected")
    return ",".join(_text(f"{name}[{index}]", one) or "" for index, one in enumerate(given))


def _read(changes: Mapping[str, str | None]) -> None:
    """Says which of the changes cannot be read, where it is one of them."""
    for name, text in changes.items():
        try:
            ask("value", {"game": "nim(0)", name: text})
        except GrundyError as error:
            told = {"kind": error.kind, "message": f"{name}: {error.message}", "at": error.at, "help": error.help}
            raise of_object(told) from None


class Relation(str):
    """How two games stand to each other, as a text.

    Attributes:
        witness: In misère play, a game that tells them apart, in the notation: one of the two with it beside is a P-position.
    """

    __slots__ = ("witness",)

    witness: str | None

    def __new__(cls, text: str, witness: str | None = None) -> Relation:
        relation = super().__new__(cls, text)
        relation.witness = witness
        return relation


def compare(
    game: Position | str,
    other: Position | str,
    *,
    play: str = "normal",
    timeout: float | None = None,
) -> Relation:
    """How two games stand to each other: ``"="``, ``"<"``, ``">"``, or ``"||"`` where neither is greater. No canonical form is needed.
    In misère play impartial games are ``"="`` or ``"!="``, and ``witness`` is a game that tells them apart.

    Args:
        game: The first, or its text in the notation.
        other: The second.
        play: ``"normal"`` or ``"misere"``.
        timeout: The seconds that it may take.

    >>> import grundy
    >>> grundy.compare(grundy.domineering(["...", "..."]), grundy.literal("{2|-1/2}"))
    '='
    >>> grundy.compare("literal('^')", "nim(1)")
    '||'
    >>> relation = grundy.compare("nim(2, 2)", "nim(0)", play="misere")
    >>> relation, relation.witness
    ('!=', 'nim(0)')
    """
    from ._position import known_play, of

    one, second = of(game), of(other)
    question = {"with": "(other)", "play": known_play(play)}
    told = one._ask("compare", question, other=second._inner, timeout=timeout)
    return Relation(told["relation"], told.get("witness"))
