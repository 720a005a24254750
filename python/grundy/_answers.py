"""Answer classes, whose attributes are the keys of the JSON answers."""

from __future__ import annotations

import functools
import html
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._values import Infinity, of_json

if TYPE_CHECKING:
    import pandas

    from ._position import Position

__all__ = [
    "Answer",
    "Explanation",
    "MatrixSolution",
    "Move",
    "Period",
    "Picture",
    "Solution",
    "Step",
    "Steps",
    "Table",
    "Tree",
    "Verified",
]


class Answer:
    """An answer whose attributes are the keys of its JSON form; :meth:`to_dict` returns that form.

    >>> import grundy
    >>> answer = grundy.nim(3, 5).solve()
    >>> answer.outcome, answer.method
    ('N', 'bouton')
    >>> answer.to_dict()["game"]
    'nim(3, 5)'
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON answer as a dictionary."""
        return self._data

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._data[name]
        except KeyError:
            known = ", ".join(self._data)
            raise AttributeError(f"this answer has no {name!r}; available: {known}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._data]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Answer) and type(self) is type(other) and self._data == other._data

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = (f"{key}={_short(value)}" for key, value in self._data.items())
        return f"{type(self).__name__}({', '.join(shown)})"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


class Move:
    """A move in a term of a position, and the position after it.

    Attributes:
        move: The description of the move.
        at: The numbers that identify the move within its term.
        component: The index of the term, counted from 0.
        to: The position after the move, in the notation.
    """

    __slots__ = ("_after", "_term", "at", "component", "move", "to")

    def __init__(
        self,
        move: str,
        at: tuple[int, ...],
        component: int,
        to: str,
        after: Position | None = None,
        term: str = "",
    ) -> None:
        self.move = move
        self.at = at
        self.component = component
        self.to = to
        self._after = after
        # The term in which the move is made. `str` shows it, so that moves of equal text in
        # different terms of a sum differ. It is empty for a position of one term, and not compared
        # by `==`.
        self._term = term

    @classmethod
    def _of(cls, data: dict[str, Any], position: Position | None = None) -> Move:
        component = data.get("component", 0)
        terms = position.terms if position is not None else ()
        term = str(terms[component]) if len(terms) > 1 else ""
        return cls(data["move"], tuple(data["at"]), component, data["to"], term=term)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return (self.at, self.component, self.to) == (other.at, other.component, other.to)

    def __hash__(self) -> int:
        return hash((self.at, self.component, self.to))

    def __str__(self) -> str:
        return f"in {self._term}: {self.move}" if self._term else self.move

    def __repr__(self) -> str:
        return f"<{self}: {self.to}>"


class Solution(Answer):
    """The outcome, the value and the winning moves of a position.

    Attributes:
        game: The position, in the notation.
        play: ``"normal"`` or ``"misere"``.
        outcome: ``"N"``, ``"P"`` or ``"D"`` (draw) for an impartial game; the outcome class of a
            partizan game, such as ``"L"``; ``"win"``, ``"tie"`` or ``"lose"`` for the player to
            move in a game with ties.
        status: ``"exact"``, ``"proved"``, ``"observed"`` or ``"partial"``.
        method: The theorem or algorithm used.
    """

    game: str
    play: str
    outcome: str
    status: str
    method: str

    def __init__(self, data: dict[str, Any], position: Position | None = None) -> None:
        super().__init__(data)
        self._position = position

    @property
    def grundy(self) -> int | Infinity | None:
        """The Sprague-Grundy value; ``None`` in misère play, partizan games and games with ties."""
        return of_json(self._data.get("grundy"))

    @property
    def remoteness(self) -> Any:
        """The number of moves to the end if the winner hurries and the loser delays.

        It is ``None`` for a draw and if it was not requested. In a partizan game it is a dictionary
        with a number for each player who may begin.
        """
        return self._data.get("remoteness")

    @property
    def winning_moves(self) -> Any:
        """The winning moves, as a list of :class:`Move`.

        In a partizan game it is a dictionary with a list for ``"left"`` and one for ``"right"``.
        """
        moves = self._data.get("winning_moves", [])
        if isinstance(moves, dict):
            return {player: [Move._of(move, self._position) for move in listed] for player, listed in moves.items()}
        return [Move._of(move, self._position) for move in moves]

    def _repr_html_(self) -> str:
        rows = [("position", self.game), ("play", self.play), ("outcome", self._data.get("outcome", ""))]
        if "grundy" in self._data:
            rows.append(("Grundy value", str(self.grundy)))
        if "value" in self._data:
            rows.append(("value", str(self._data["value"])))
        if "remoteness" in self._data:
            rows.append(("remoteness", str(self.remoteness)))
        rows.append(("method", self._data.get("method", "")))
        moves = self.winning_moves
        sides = moves.items() if isinstance(moves, dict) else [("", moves)]
        for side, listed in sides:
            name = f"winning moves, {side}" if side else "winning moves"
            text = "; ".join(map(str, listed)) or "none"
            rows.append((name, text))
        cells = (
            f"<tr><th style='text-align:left'>{html.escape(key)}</th><td style='text-align:left'>{html.escape(value)}</td></tr>"
            for key, value in rows
        )
        return f"<table>{''.join(cells)}</table>"


class Step(Answer):
    """A step of an explanation: its ``code``, ``args`` and ``text``, and its picture if any."""

    code: str
    args: dict[str, Any]
    text: str

    @property
    def svg(self) -> Picture | None:
        """The picture of the step, or ``None``."""
        return _picture(self._data.get("svg"))

    def __str__(self) -> str:
        return "\n".join([self.text, *self._extra_lines])

    @property
    def _extra_lines(self) -> list[str]:
        """Return the lines that follow the sentence, such as binary columns and tables."""
        below = self._data.get("below") or []
        return [below] if isinstance(below, str) else list(below)

    def _repr_html_(self) -> str:
        number = f"{self._data['number']}. " if self._data.get("number") else ""
        paragraph = f"<p>{html.escape(number + self._data.get('sentence', self.text).strip())}</p>"
        indent = "" if number or not self.text.startswith(" ") else " style='margin-left:2em'"
        lines = (
            "" if self.svg or not self._extra_lines else f"<pre>{html.escape(chr(10).join(self._extra_lines))}</pre>"
        )
        return f"<div{indent}>{paragraph}{lines}{self.svg or ''}</div>"


class Steps(list[Step]):
    """The steps of an explanation, in order."""

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return "".join(step._repr_html_() for step in self)

    def _repr_markdown_(self) -> str:
        return "\n".join(_markdown(step.text) for step in self)


def _markdown(text: str) -> str:
    # Two spaces of indentation are one level of the list: an indented step is a part of the step
    # before it.
    level = (len(text) - len(text.lstrip())) // 2
    escaped = text.strip()
    for sign in "\\`*_{}[]<>#|":
        escaped = escaped.replace(sign, "\\" + sign)
    return "  " * level + "- " + escaped


class Explanation(Solution):
    """A solution together with the argument that proves it.

    >>> import grundy
    >>> why = grundy.nim(3, 5).explain()
    >>> print(why.steps[2])
    Write 3, 5 in binary: 011, 101. Adding each column modulo 2 gives 110, that is, 6.
    """

    def __init__(
        self, data: dict[str, Any], position: Position | None, request_more: Callable[[dict[str, Any]], dict[str, Any]]
    ) -> None:
        super().__init__(data, position)
        # Sends the same request with additional keys, for parts of the answer that are computed
        # only if they are read.
        self._request_more = request_more

    @property
    def steps(self) -> Steps:
        """The steps of the argument, in order, without pictures."""
        return Steps(Step(step) for step in self._data["steps"])

    @property
    def pictured(self) -> Steps:
        """The steps with their pictures, which are drawn when this property is read.

        The introductory step that describes the game is left out.
        """
        return Steps(Step(step) for step in self._request_more({"pictures": True})["steps"])

    def __str__(self) -> str:
        text: str = self._request_more({"plain": True})["plain"]
        # An empty line separates the summary from the reasons. Other attributes have the summary.
        return text.rstrip("\n").partition("\n\n")[2] or text.rstrip("\n")

    def _repr_html_(self) -> str:
        return super()._repr_html_() + self.pictured._repr_html_()

    def _repr_markdown_(self) -> str:
        return self.pictured._repr_markdown_()


class _PicturedAnswer(Answer):
    """An answer with a picture."""

    def __init__(self, data: dict[str, Any], render: Callable[[], str | None]) -> None:
        super().__init__(data)
        self._render = render

    @functools.cached_property
    def svg(self) -> Picture | None:
        """The picture, which is drawn when this property is read.

        It is ``None`` for tables of partizan games, for matrices with more than two rows and more
        than two columns, and for trees that are too large.
        """
        return _picture(self._render())


class _DisplayedAnswer(_PicturedAnswer):
    """An answer that a notebook displays as its picture."""

    def _repr_svg_(self) -> str | None:
        return _displayable(self.svg)


class Table(_DisplayedAnswer):
    """The values of a family, as arrays of one or two dimensions indexed by its variables.

    Attributes:
        family: The family, in the notation.
        variables: The free variables of the family; the first one indexes the rows.

    >>> import grundy
    >>> table = grundy.table("wythoff(a, b)", a=range(3), b=range(4))
    >>> table.grundy
    array([[0, 1, 2, 3],
           [1, 2, 0, 4],
           [2, 0, 1, 5]])
    >>> table.outcome[1, 2], table.ranges
    (np.str_('P'), [range(0, 3), range(0, 4)])
    """

    family: str
    variables: list[str]

    @property
    def ranges(self) -> list[range]:
        """The range of each variable."""
        data = self._data
        return [range(first, last + 1) for first, last in zip(data["from"], data["to"])]

    @property
    def outcome(self) -> npt.NDArray[np.str_]:
        """The outcomes, as an array of strings indexed by the variables."""
        return np.array(self._data["outcome"])

    @property
    def grundy(self) -> npt.NDArray[Any]:
        """The Sprague-Grundy values, indexed by the variables.

        The array holds integers, or Python objects if some values are infinite.
        """
        if "grundy" not in self._data:
            raise AttributeError("these positions have no Grundy values; use `outcome` for their outcomes")
        values = self._data["grundy"]
        rows = values if len(self.variables) == 2 else [values]
        if all(isinstance(value, int) for row in rows for value in row):
            return np.array(values)
        array = np.empty((len(rows), len(rows[0]) if rows else 0), dtype=object)
        for index, row in enumerate(rows):
            array[index] = [of_json(value) for value in row]
        return array if len(self.variables) == 2 else array[0]

    @property
    def remoteness(self) -> list[Any]:
        """The remotenesses, as a list or a list of rows, if the table was requested with them.

        A draw is ``None``. In a partizan game, each is a dictionary with the keys ``left`` and
        ``right``.
        """
        if "remoteness" not in self._data:
            raise AttributeError('this table has no remotenesses; request them with of="remoteness"')
        found: list[Any] = self._data["remoteness"]
        return found

    @property
    def findings(self) -> list[dict[str, str]]:
        """The patterns observed or proved, as dictionaries with the keys ``status`` and ``text``.

        The list is empty unless the table was requested with ``pattern=True``.
        """
        found: list[dict[str, str]] = self._data.get("findings") or []
        return found

    def to_pandas(self) -> pandas.DataFrame:
        """Return a data frame with a column for each variable, and for ``grundy`` and ``outcome``.

        The column ``grundy`` is missing if the positions have no Grundy values.
        """
        import pandas

        axes = np.meshgrid(*(np.arange(r.start, r.stop) for r in self.ranges), indexing="ij")
        columns: dict[str, Any] = {name: axis.ravel() for name, axis in zip(self.variables, axes)}
        if "grundy" in self._data:
            columns["grundy"] = self.grundy.ravel()
        columns["outcome"] = self.outcome.ravel()
        return pandas.DataFrame(columns)


class Period(_DisplayedAnswer):
    """The period of a family of heaps and the certificate that proves it.

    Attributes:
        family: The family.
        preperiod: The least n0 with g(n + period) = g(n) + saltus for all n >= n0.
        period: The least such period.
        saltus: What is added in each period.
        status: ``"proved"``; ``"observed"`` if all values up to ``checked_to`` repeat; or
            ``"partial"`` if no period was found up to ``checked_to``. The attributes that describe
            the period are then ``None``.
        theorem: The theorem that proves the period.
        recognised_as: The built-in family that a family of a rule file equals, or ``None``.
        certificate: The certificate for :func:`grundy.verify` and ``grundy.verifier``; ``None``
            without a proof.

    >>> import grundy
    >>> found = grundy.period("kayles(n)")
    >>> found.preperiod, found.period, found.status
    (71, 12, 'proved')
    >>> grundy.verify(found.certificate).valid
    True
    """

    family: str
    preperiod: int | None
    period: int | None
    saltus: int | None
    status: str
    theorem: str | None
    recognised_as: str | None
    certificate: str | None
    """The certificate, as the text of its file."""

    def __init__(self, data: dict[str, Any], certificate: str | None, render: Callable[[], str | None]) -> None:
        super().__init__(data, render)
        self.certificate = certificate

    def __getattr__(self, name: str) -> Any:
        # An answer without a proved period lacks the keys in `_OPTIONAL_KEYS`. They are then
        # `None`, so that a loop over many families needs no test for each key.
        return None if name in _OPTIONAL_KEYS and name not in self._data else super().__getattr__(name)


class Quotient(_PicturedAnswer):
    """A misère quotient: a finite commutative monoid that determines the outcome of every sum.

    >>> import grundy
    >>> found = grundy.quotient("0.75")
    >>> found.name, found.presentation
    ('R_8', '<a,b,c | a^2 = 1, bc = ab, c^2 = b^2, b^3 = b>')
    >>> found.p, found.elements[:6]
    (['a', 'b^2'], ['a', 'b', 'a', 'b', 'c', 'b'])
    """

    family: str
    order: int
    """The number of elements."""
    p_order: int
    """The number of P-positions among the elements, where the player to move loses."""
    status: str
    """``"proved"``, ``"observed"`` or ``"partial"``."""
    preperiod: int | None
    """The least heap size, counted from 1, from which the elements are periodic."""
    period: int | None
    checked_to: int | None
    generators: list[Any]
    """The sizes of the generating heaps, or the generating positions."""
    presentation: str
    p: list[str]
    """The elements where the player to move loses."""
    name: str | None
    tame: bool
    elements: list[str]
    """The elements of the heaps or positions 1, 2, 3, ..."""
    idempotents: list[str]
    kernel: list[str]
    transitions: int
    certificate: str | None
    """The certificate, as the text of its file."""

    def __init__(self, data: dict[str, Any], certificate: str | None, render: Callable[[], str | None]) -> None:
        super().__init__(data, render)
        self.certificate = certificate

    def __getattr__(self, name: str) -> Any:
        return None if name in _OPTIONAL_KEYS and name not in self._data else super().__getattr__(name)


class Verified(Answer):
    """A valid certificate and the claim that it proves.

    Attributes:
        valid: Always ``True``: an invalid certificate raises :class:`grundy.GrundyError`.
        kind: The kind of certificate, such as ``"period"`` or ``"matrix"``.
    """

    valid: bool
    kind: str


class MatrixSolution(_PicturedAnswer):
    """The solution of a matrix game, in exact :class:`fractions.Fraction` numbers.

    >>> import grundy
    >>> solved = grundy.matrix([[1, -1], [0, 2]])
    >>> solved.value, solved.row_strategy
    (Fraction(1, 2), [Fraction(1, 2), Fraction(1, 2)])
    """

    saddle_points: list[list[int]]
    """The cells that are the minimum of their row and the maximum of their column."""
    row_unique: bool
    col_unique: bool
    certificate: dict[str, Any]

    @property
    def value(self) -> Fraction:
        """The value of the game: the expected payoff to the row player under optimal play."""
        return Fraction(self._data["value"])

    @property
    def values(self) -> list[Fraction] | None:
        """The payoffs of the row player and the column player, if both are given."""
        values = self._data.get("values")
        return None if values is None else [Fraction(value) for value in values]

    @property
    def constant(self) -> Fraction | None:
        """The sum of the payoffs of both players, if the payoffs of both are given."""
        constant = self._data.get("constant")
        return None if constant is None else Fraction(constant)

    @property
    def row_names(self) -> list[str] | None:
        """The names of the rows, if they have names."""
        return self._data.get("row_names")

    @property
    def col_names(self) -> list[str] | None:
        """The names of the columns, if they have names."""
        return self._data.get("col_names")

    @property
    def row_strategy(self) -> list[Fraction]:
        """An optimal strategy of the row player: the probability of each row."""
        return [Fraction(share) for share in self._data["row_strategy"]]

    @property
    def col_strategy(self) -> list[Fraction]:
        """An optimal strategy of the column player: the probability of each column."""
        return [Fraction(share) for share in self._data["col_strategy"]]

    @property
    def maximin(self) -> Fraction:
        """The largest payoff that the row player can guarantee with a pure strategy."""
        return Fraction(self._data["maximin"])

    @property
    def minimax(self) -> Fraction:
        """The least payoff to which a pure strategy of the column player limits the row player."""
        return Fraction(self._data["minimax"])

    def _repr_latex_(self) -> str:
        def shares(strategy: list[Fraction]) -> str:
            return r"\left(" + ", ".join(_latex(share) for share in strategy) + r"\right)"

        return rf"$v = {_latex(self.value)},\ p = {shares(self.row_strategy)},\ q = {shares(self.col_strategy)}$"


def _latex(number: Fraction) -> str:
    if number.denominator == 1:
        return str(number.numerator)
    sign = "-" if number < 0 else ""
    return rf"{sign}\tfrac{{{abs(number.numerator)}}}{{{number.denominator}}}"


class Tree(_DisplayedAnswer):
    """The game tree of a small game: its value, counts and strategies.

    Numbers above 2^53 are strings in JSON and ``int`` here.

    >>> import grundy
    >>> tree = grundy.solve_tree(grundy.tic_toe())
    >>> tree.value, tree.instances, tree.positions_up_to_symmetry
    ('X', 24, 7)
    """

    value: str
    instances: int
    nodes: int
    positions: int
    positions_up_to_symmetry: int
    wins: dict[str, int]


_OPTIONAL_KEYS = frozenset({"preperiod", "period", "saltus", "theorem", "recognised_as", "checked_to"})

# A notebook stores every picture that it displays in its file. A picture with more characters than
# this is therefore not displayed by itself; `svg` still returns it.
_MAX_DISPLAYED = 1_000_000


def _picture(svg: str | None) -> Picture | None:
    return None if svg is None else Picture(svg)


def _displayable(picture: Picture | None) -> str | None:
    return None if picture is None or len(picture) > _MAX_DISPLAYED else str(picture)


class Picture(str):
    """The text of a picture, which a notebook displays if it is SVG.

    >>> import grundy
    >>> grundy.nim(3).draw()[:4]
    '<svg'
    """

    def __repr__(self) -> str:
        return f"<a picture, {len(self)} characters>"

    def _repr_svg_(self) -> str | None:
        return str(self) if self.startswith("<svg") else None

    def save(self, path: str) -> None:
        """Write the picture to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self)


def all_moves(moves: Any) -> Iterator[Move]:
    """Yield the moves of a list, or those of both lists of a dictionary by player."""
    for side in moves.values() if isinstance(moves, dict) else [moves]:
        yield from side
