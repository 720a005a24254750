"""Values of games: canonical forms, invariants derived from them, thermographs, comparisons."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, overload

from . import _native
from ._answers import Answer, Picture, _displayable, _picture
from ._ask import PICTURE, ask, raise_if_partial, svg_of
from ._errors import GrundyError, of_object

if TYPE_CHECKING:
    from ._position import Position

__all__ = ["MisereValue", "Relation", "Thermograph", "Value", "compare", "value"]


class Thermograph:
    """The thermograph of a game, that is, its left and right stops as functions of the cooling t.

    Each wall is a list of points ``(t, value)`` at which its slope changes, with t ascending from
    -1. Above the last point both walls equal the mean.

    Attributes:
        left: The left wall.
        right: The right wall.

    >>> import grundy
    >>> grundy.value(grundy.literal("{2|-1}")).thermograph
    Thermograph(left=[(-1, 3), (3/2, 1/2)], right=[(-1, -2), (3/2, 1/2)])
    """

    def __init__(self, walls: Mapping[str, list[list[str]]], render: Callable[[], str | None]) -> None:
        self.left = _wall(walls["left"])
        self.right = _wall(walls["right"])
        self._render = render

    @property
    def mean(self) -> Fraction:
        """The mean value, at which the walls join."""
        return self.left[-1][1]

    @property
    def temperature(self) -> Fraction:
        """The temperature, that is, the least t at which the walls have joined."""
        return self.left[-1][0]

    @functools.cached_property
    def svg(self) -> Picture | None:
        """The picture, which is drawn when this property is read."""
        return _picture(self._render())

    def _repr_svg_(self) -> str | None:
        return _displayable(self.svg)

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
    """Parse a number of an answer, such as ``-3``, ``3/4`` or ``3/(2^100)``.

    >>> _number("3/(2^100)") == Fraction(3, 2**100)
    True
    """
    short = _SHORT.fullmatch(text)
    if short is None:
        return Fraction(text)
    # `int` rejects texts of more than 4300 digits, `Decimal` does not.
    return Fraction(int(Decimal(short[1])), 1 << int(short[2]))


def _wall(points: list[list[str]]) -> list[tuple[Fraction, Fraction]]:
    return [(_number(t), _number(x)) for t, x in points]


class Value(Answer):
    """The value of a short game. ``str`` returns its canonical form.

    Numbers are fractions. Games are expressions that :func:`grundy.literal` parses.

    Attributes:
        game: The position, in the notation.
        outcome: The outcome class: ``"L"``, ``"R"``, ``"N"`` or ``"P"``.
        status: ``"exact"``, or ``"partial"`` if a limit was reached.
        method: The theorem or algorithm used.

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

    def __init__(self, data: dict[str, Any], request_more: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        if "mean" not in data:
            # A partial value without stops and mean has no content, so the limit is raised as an
            # error.
            raise of_object(data["stopped"])
        super().__init__(data)
        # Sends the same request with additional keys.
        self._request_more = request_more

    @property
    def value(self) -> str | None:
        """The canonical form; ``None`` if a limit was reached before it was known."""
        return self._data.get("value")

    @property
    def left_stop(self) -> Fraction:
        """The left stop: the first number reached under optimal play if Left begins."""
        return _number(self._data["left_stop"])

    @property
    def right_stop(self) -> Fraction:
        """The right stop: the first number reached under optimal play if Right begins."""
        return _number(self._data["right_stop"])

    @property
    def mean(self) -> Fraction:
        """The mean value: the limit of the stops of n copies of the game, divided by n."""
        return _number(self._data["mean"])

    @property
    def temperature(self) -> Fraction:
        """The temperature, a measure of the urgency of moving first."""
        return _number(self._data["temperature"])

    def _computed(self, name: str) -> Any | None:
        """Return an invariant; compute it now if the answer lacks it."""
        if name not in self._data and name in self.left_out:
            self._data[name] = self._request_more({"of": [name]}).get(name)
        return self._data.get(name)

    @property
    def left_out(self) -> list[str]:
        """The names of the expensive invariants that are computed when they are first read.

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
        """The thermograph."""
        self._computed("thermograph")
        return Thermograph(self._data["thermograph"], lambda: svg_of(self._request_more({"svg": PICTURE})))

    @property
    def number_part(self) -> Fraction | None:
        """The number from which the game differs by an infinitesimal, or ``None``."""
        part = self._data["number_part"]
        return None if part is None else _number(part)

    @property
    def atomic_weight(self) -> str | None:
        """The atomic weight; ``None`` if the game is not all-small."""
        return self._computed("atomic_weight")

    @property
    def reduced(self) -> str | None:
        """The reduced canonical form: the simplest game that differs by an infinitesimal."""
        return self._computed("reduced")

    @property
    def birthday(self) -> int | None:
        """The birthday: the height of the canonical form."""
        day = self._data.get("birthday")
        return None if day is None else int(day)

    @property
    def incentives(self) -> dict[str, list[str]] | None:
        """The maximal incentives of each player, under ``"left"`` and ``"right"``."""
        return self._computed("incentives")

    @property
    def uptimal(self) -> str | None:
        """The uptimal expansion; ``None`` unless the value has one with several powers of up."""
        return self._computed("uptimal")

    @functools.cached_property
    def latex(self) -> str | None:
        """The canonical form in LaTeX, for math mode."""
        return self._data.get("latex") or self._request_more({"latex": True}).get("latex")

    @property
    def _inner(self) -> _native.Position | None:
        """Return the value as a compiled literal, which user-defined rules may return."""
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
    """The value of an impartial game in misère play. ``str`` returns its genus.

    Games are expressions that :func:`grundy.literal` parses.

    Attributes:
        game: The position, in the notation.
        outcome: ``"N"`` or ``"P"``.
        status: ``"exact"``, or ``"partial"`` if a limit was reached.
        method: The algorithm used.

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
        """The genus, in the notation of the literature.

        It has the Grundy value in normal play, and the misère Grundy values of the sums with 0, 1,
        2, ... Nim heaps of size 2.
        """
        genus: str = self._data["genus"]
        return genus

    @property
    def misere_class(self) -> str | None:
        """The class of the game in misère play.

        It is ``"nim heap"``, ``"tame"``, ``"reversibly tame"``, ``"restive"``, ``"restless"`` or
        ``"wild"``.
        """
        return self._data.get("class")

    @property
    def form(self) -> str | None:
        """The canonical form; ``None`` if it is too long or a limit was reached."""
        return self._data.get("form")

    @property
    def birthday(self) -> int | None:
        """The birthday: the height of the canonical form."""
        return self._data.get("birthday")

    @property
    def mate(self) -> str | None:
        """The mate: the game with 0 and * exchanged. Its sum with this game is a P-position."""
        return self._data.get("mate")

    @property
    def prime(self) -> bool | None:
        """``True`` if the game is prime; ``None`` if that is not known.

        A game other than 0 and \\* is prime if, in each way to write it as a sum of two games, one
        of them is 0 or \\*.
        """
        return self._data.get("prime")

    @property
    def partitions(self) -> list[tuple[str, str]] | None:
        """The pairs of games other than 0 and \\* with this sum; ``None`` if they are not known."""
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
    """Compute the value of a short game, with its stops, temperature, atomic weight and more.

    The operators ``heat``, ``overheat`` and ``norton`` take numbers, or games as expressions that
    :func:`grundy.literal` parses.

    Args:
        game: The position, or its expression in the notation.
        play: ``"normal"``, or ``"misere"`` for the genus and the canonical form of an impartial
            game in misère play.
        full: If true, the genus has all its digits (misère play).
        cool: The temperature by which the game is cooled first.
        heat: The game by which it is heated.
        overheat: Two games: an integer n becomes n times the first, and each move gives its player
            the second.
        norton: The second factor of the Norton product.
        freeze: If true, cool the game by its own temperature.
        form: If true, write the canonical form in braces alone, without names such as ``^``.
        timeout: The time limit in seconds. If it is reached, :class:`grundy.LimitError` has the
            partial value.

    >>> import grundy
    >>> print(grundy.value("clobber(['xoxo'])"))
    +-{*,^}
    >>> grundy.value(grundy.literal("{2|-1}"), cool=0.5).value
    '{3/2|-1/2}'
    >>> grundy.value("nim(3)", cool=-1)
    Traceback (most recent call last):
    ...
    grundy._errors.GrundyError: cool: expected a non-negative number, such as 1/2 (column 1)
    """
    from ._position import as_position, checked_play

    position = as_position(game)
    operands = {
        "cool": _operand_text("cool", cool),
        "heat": _operand_text("heat", heat),
        "overheat": _operand_pair("overheat", overheat),
        "norton": _operand_text("norton", norton),
    }
    question = {**operands, "freeze": freeze, "form": form, "play": checked_play(play), "full": full}

    def request(more: dict[str, Any]) -> dict[str, Any]:
        try:
            return position._ask("value", {**question, **more}, timeout=timeout)
        except GrundyError:
            _raise_for_bad_operand(operands)
            raise

    answer = MisereValue(request({})) if play == "misere" else Value(request({}), request)
    raise_if_partial(answer.to_dict(), answer)
    return answer


def _operand_text(name: str, operand: object) -> str | None:
    """Return the operand of an operator, a number or a game, as text of the notation."""
    if operand is None or isinstance(operand, str):
        return operand
    if isinstance(operand, float) and not math.isfinite(operand):
        raise ValueError(f"{name}: expected a number, not {operand!r}")
    if isinstance(operand, (int, float, Fraction)) and not isinstance(operand, bool):
        return str(Fraction(operand))
    if isinstance(operand, Value):
        return str(operand)
    raise TypeError(f"{name}: expected a number or the text of a game, not {type(operand).__name__}")


def _operand_pair(name: str, operand: object) -> str | None:
    if operand is None or isinstance(operand, str):
        return operand
    if not isinstance(operand, (tuple, list)) or len(operand) != 2:
        raise TypeError(f"{name}: expected two games")
    return ",".join(_operand_text(f"{name}[{index}]", one) or "" for index, one in enumerate(operand))


def _raise_for_bad_operand(operands: Mapping[str, str | None]) -> None:
    """Raise an error that names the first operand that does not parse, if there is one.

    The error of the whole request does not name the operand, so each operand is tried alone.
    """
    for name, text in operands.items():
        try:
            ask("value", {"game": "nim(0)", name: text})
        except GrundyError as error:
            named = {"kind": error.kind, "message": f"{name}: {error.message}", "at": error.at, "help": error.help}
            raise of_object(named) from None


class Relation(str):
    """The relation of two games, as a text.

    Attributes:
        witness: In misère play, a game that distinguishes the two, in the notation: exactly one of
            the two sums with it is a P-position.
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
    """Compare two games.

    The result is ``"="``, ``"<"``, ``">"``, or ``"||"`` if the games are incomparable. The
    comparison computes no canonical forms. In misère play the result is ``"="`` or ``"!="`` for
    impartial games, and ``witness`` is a game that distinguishes them.

    Args:
        game: The first game, or its expression in the notation.
        other: The second game.
        play: ``"normal"`` or ``"misere"``.
        timeout: The time limit in seconds.

    >>> import grundy
    >>> grundy.compare(grundy.domineering(["...", "..."]), grundy.literal("{2|-1/2}"))
    '='
    >>> grundy.compare("literal('^')", "nim(1)")
    '||'
    >>> relation = grundy.compare("nim(2, 2)", "nim(0)", play="misere")
    >>> relation, relation.witness
    ('!=', 'nim(0)')
    """
    from ._position import as_position, checked_play

    first, second = as_position(game), as_position(other)
    question = {"with": "(other)", "play": checked_play(play)}
    answer = first._ask("compare", question, other=second._inner, timeout=timeout)
    return Relation(answer["relation"], answer.get("witness"))
