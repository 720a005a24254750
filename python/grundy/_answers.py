"""Answers: small objects whose attributes are the keys of the contract's JSON."""

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
    """An answer: its attributes are the keys of its JSON, which :meth:`to_dict` gives whole.

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
        """The contract's JSON, as Python reads it."""
        return self._data

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._data[name]
        except KeyError:
            known = ", ".join(self._data)
            raise AttributeError(f"this answer has no {name!r}; it has {known}") from None

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
    """A move: what is done, where, and what it leaves.

    Attributes:
        move: What is done, in words.
        at: The numbers that identify it within its term.
        component: The term that it is made in, from 0.
        to: The position that it leaves, in the notation.
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
        # In a sum, what the move is made in.
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
    """Who wins, with what value, by which moves.

    Attributes:
        game: The position.
        play: ``"normal"`` or ``"misere"``.
        outcome: ``"N"``, ``"P"`` or ``"D"`` for the player to move; the outcome class of a partizan game, such as ``"L"``; ``"win"``,
            ``"tie"`` or ``"lose"`` in a game with ties.
        status: ``"exact"``, ``"proved"``, ``"observed"`` or ``"partial"``.
        method: The theorem or algorithm that gave it.
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
        """The Sprague-Grundy value; ``None`` where there is none (misère play, own moves, ties)."""
        return of_json(self._data.get("grundy"))

    @property
    def remoteness(self) -> Any:
        """Moves left when the winner hurries and the loser delays: a number, ``None`` for a draw or where it was not asked for; with
        own moves a dict by who begins."""
        return self._data.get("remoteness")

    @property
    def winning_moves(self) -> Any:
        """The moves that keep the win: a list of :class:`Move`; with own moves a dict of ``"left"`` and ``"right"``."""
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
    """A step of an argument: ``code``, ``args`` and ``text``; :attr:`svg` is its picture, where it has one."""

    code: str
    args: dict[str, Any]
    text: str

    @property
    def svg(self) -> Picture | None:
        """The picture of the step."""
        return _picture(self._data.get("svg"))

    def __str__(self) -> str:
        return "\n".join([self.text, *self._below])

    @property
    def _below(self) -> list[str]:
        """Lines that stand below it: columns, tables."""
        below = self._data.get("below") or []
        return [below] if isinstance(below, str) else list(below)

    def _repr_html_(self) -> str:
        number = f"{self._data['number']}. " if self._data.get("number") else ""
        said = f"<p>{html.escape(number + self._data.get('sentence', self.text).strip())}</p>"
        indent = "" if number or not self.text.startswith(" ") else " style='margin-left:2em'"
        lines = "" if self.svg or not self._below else f"<pre>{html.escape(chr(10).join(self._below))}</pre>"
        return f"<div{indent}>{said}{lines}{self.svg or ''}</div>"


class Steps(list[Step]):
    """Steps of an argument, one after the other."""

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return "".join(step._repr_html_() for step in self)

    def _repr_markdown_(self) -> str:
        return "\n".join(_markdown(step.text) for step in self)


def _markdown(text: str) -> str:
    # What begins with blanks belongs to the step before it.
    level = (len(text) - len(text.lstrip())) // 2
    escaped = text.strip()
    for sign in "\\`*_{}[]<>#|":
        escaped = escaped.replace(sign, "\\" + sign)
    return "  " * level + "- " + escaped


class Explanation(Solution):
    """An answer and the argument for it.

    >>> import grundy
    >>> why = grundy.nim(3, 5).explain()
    >>> print(why.steps[2])
    Write 3, 5 in binary: 011, 101. Adding each column modulo 2 gives 110, that is 6.
    """

    def __init__(
        self, data: dict[str, Any], position: Position | None, again: Callable[[dict[str, Any]], dict[str, Any]]
    ) -> None:
        super().__init__(data, position)
        # Asks the same question with more keys.
        self._again = again

    @property
    def steps(self) -> Steps:
        """The steps, in order."""
        return Steps(Step(step) for step in self._data["steps"])

    @property
    def pictured(self) -> Steps:
        """The steps with their pictures, which are drawn when they are asked for; what kind of game it is is not said again."""
        return Steps(Step(step) for step in self._again({"pictures": True})["steps"])

    def __str__(self) -> str:
        text: str = self._again({"plain": True})["plain"]
        # The answer and the reasons for it, with an empty line between them.
        return text.rstrip("\n").partition("\n\n")[2] or text.rstrip("\n")

    def _repr_html_(self) -> str:
        return super()._repr_html_() + self.pictured._repr_html_()

    def _repr_markdown_(self) -> str:
        return self.pictured._repr_markdown_()


class _Drawn(Answer):
    """An answer that has a picture."""

    def __init__(self, data: dict[str, Any], drawn: Callable[[], str | None]) -> None:
        super().__init__(data)
        self._drawn = drawn

    @functools.cached_property
    def svg(self) -> Picture | None:
        """The picture, which is drawn when it is asked for; ``None`` where there is none: tables of other than impartial games, matrices
        of more than two rows and columns, trees that are too large."""
        return _picture(self._drawn())


class _Shown(_Drawn):
    """An answer that a notebook shows by its picture."""

    def _repr_svg_(self) -> str | None:
        return _shown(self.svg)


class Table(_Shown):
    """Values of a family, as arrays of one or two dimensions: the first variable counts rows.

    Attributes:
        family: The family.
        variables: Its free variables.

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
        """The values of each variable."""
        data = self._data
        return [range(first, last + 1) for first, last in zip(data["from"], data["to"])]

    @property
    def outcome(self) -> npt.NDArray[np.str_]:
        """Who wins, by the variables: an array of strings."""
        return np.array(self._data["outcome"])

    @property
    def grundy(self) -> npt.NDArray[Any]:
        """Sprague-Grundy values by the variables: integers, or objects where some are infinite."""
        if "grundy" not in self._data:
            raise AttributeError("these positions have no Grundy values; their outcomes are in `outcome`")
        values = self._data["grundy"]
        rows = values if len(self.variables) == 2 else [values]
        if all(isinstance(value, int) for row in rows for value in row):
            return np.array(values)
        made = np.empty((len(rows), len(rows[0]) if rows else 0), dtype=object)
        for index, row in enumerate(rows):
            made[index] = [of_json(value) for value in row]
        return made if len(self.variables) == 2 else made[0]

    @property
    def findings(self) -> list[dict[str, str]]:
        """What the values are seen or proved to be, where it was asked for: dicts with ``status`` and ``text``."""
        found: list[dict[str, str]] = self._data.get("findings") or []
        return found

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame with a column for each variable, for ``grundy`` where there is one, and for ``outcome``."""
        import pandas

        axes = np.meshgrid(*(np.arange(r.start, r.stop) for r in self.ranges), indexing="ij")
        columns: dict[str, Any] = {name: axis.ravel() for name, axis in zip(self.variables, axes)}
        if "grundy" in self._data:
            columns["grundy"] = self.grundy.ravel()
        columns["outcome"] = self.outcome.ravel()
        return pandas.DataFrame(columns)


class Period(_Shown):
    """The period of a family of heaps, with its proof.

    Attributes:
        family: The family.
        preperiod: The least n0 with g(n + period) = g(n) + saltus for all n >= n0.
        period: The least such period.
        saltus: What is added in each period.
        status: ``"proved"``; ``"partial"`` where no period was found up to ``checked_to``, and these are ``None``.
        theorem: What proves it.
        certificate: What :func:`grundy.verify` and ``grundy.verifier`` check; ``None`` where nothing is proved.

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
    certificate: str | None
    """The certificate, as the text of its file."""

    def __init__(self, data: dict[str, Any], certificate: str | None, drawn: Callable[[], str | None]) -> None:
        super().__init__(data, drawn)
        self.certificate = certificate

    def __getattr__(self, name: str) -> Any:
        # Where nothing is proved there is none of these, and who goes through many families need not look first.
        return None if name in _NOT_ALWAYS and name not in self._data else super().__getattr__(name)


class Quotient(_Drawn):
    """A misère quotient: a finite commutative monoid that says who wins every sum.

    >>> import grundy
    >>> found = grundy.quotient("0.75")
    >>> found.name, found.presentation
    ('R_8', '<a,b,c | a^2 = 1, bc = ab, c^2 = b^2, b^3 = b>')
    >>> found.p, found.elements[:6]
    (['a', 'b^2'], ['a', 'b', 'a', 'b', 'c', 'b'])
    """

    family: str
    order: int
    """How many elements there are."""
    p_order: int
    """How many of them are losing for the player to move."""
    status: str
    """``"proved"``, ``"observed"`` or ``"partial"``."""
    preperiod: int | None
    """The least heap, counted from 1, from which on the elements repeat."""
    period: int | None
    checked_to: int | None
    generators: list[Any]
    """Heaps, by size, or else positions."""
    presentation: str
    p: list[str]
    """The losing elements."""
    name: str | None
    tame: bool
    elements: list[str]
    """Those of the heaps or positions 1, 2, 3, ..."""
    idempotents: list[str]
    kernel: list[str]
    transitions: int
    certificate: str | None
    """The certificate, as the text of its file."""

    def __init__(self, data: dict[str, Any], certificate: str | None, drawn: Callable[[], str | None]) -> None:
        super().__init__(data, drawn)
        self.certificate = certificate

    def __getattr__(self, name: str) -> Any:
        return None if name in _NOT_ALWAYS and name not in self._data else super().__getattr__(name)


class Verified(Answer):
    """A certificate that holds, and the claim that was checked.

    Attributes:
        valid: ``True``: one that does not hold is raised as :class:`grundy.GrundyError`.
        kind: ``"period"``, ``"matrix"``, ...
    """

    valid: bool
    kind: str


class MatrixSolution(_Drawn):
    """The solution of a matrix game: numbers are :class:`fractions.Fraction`.

    >>> import grundy
    >>> solved = grundy.matrix([[1, -1], [0, 2]])
    >>> solved.value, solved.row_strategy
    (Fraction(1, 2), [Fraction(1, 2), Fraction(1, 2)])
    """

    saddle_points: list[list[int]]
    """Cells that are least in their row and largest in their column."""
    row_unique: bool
    col_unique: bool
    certificate: dict[str, Any]

    @property
    def value(self) -> Fraction:
        """What the row player wins on the average with best play."""
        return Fraction(self._data["value"])

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
        """What the row player can be sure of with one row."""
        return Fraction(self._data["maximin"])

    @property
    def minimax(self) -> Fraction:
        """What the column player can hold the row player to with one column."""
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


class Tree(_Shown):
    """The tree of a small game: counts, its value, and strategies. Numbers beyond 2^53 come as strings in JSON and as ``int`` here.

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


_NOT_ALWAYS = frozenset({"preperiod", "period", "saltus", "theorem", "checked_to"})

# A notebook keeps what it shows: a picture of more characters is shown when it is asked for.
_MOST_SHOWN = 1_000_000


def _picture(svg: str | None) -> Picture | None:
    return None if svg is None else Picture(svg)


def _shown(picture: Picture | None) -> str | None:
    return None if picture is None or len(picture) > _MOST_SHOWN else str(picture)


class Picture(str):
    """A picture: its text, which a notebook shows where it is SVG.

    >>> import grundy
    >>> grundy.nim(3).draw()[:4]
    '<svg'
    """

    def __repr__(self) -> str:
        return f"<a picture, {len(self)} characters>"

    def _repr_svg_(self) -> str | None:
        return str(self) if self.startswith("<svg") else None

    def save(self, path: str) -> None:
        """Writes it to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self)


def listed(moves: Any) -> Iterator[Move]:
    """All moves of a list, or of both lists by player."""
    for side in moves.values() if isinstance(moves, dict) else [moves]:
        yield from side
