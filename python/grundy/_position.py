"""Positions: the notation as objects."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native
from ._answers import Answer, Explanation, Move, Picture, Solution, Tree, listed
from ._ask import PICTURE, ask, svg_of, whole
from ._errors import LimitError
from ._forms import MisereValue
from ._forms import value as value_of
from ._values import Infinity

if TYPE_CHECKING:
    from ._match import Match
    from ._rules import Rule, RuleFile

__all__ = ["Misere", "Position", "position", "sum_of"]

# Most moves that are listed unless more are asked for.
_MOST_MOVES = 100_000

_PLAYS = ("normal", "misere")


class Position:
    """A position: a sum of terms, each a call of a constructor. It is made by constructors such as :func:`grundy.nim`, added with ``+``,
    and read from the notation by :func:`grundy.position`; ``-g`` exchanges Left and Right, and ``g - h`` is ``g + -h``. It never changes;
    equal positions are those with equal terms in the same order.

    >>> import grundy
    >>> g = grundy.nim(3, 4) + grundy.kayles(7)
    >>> g
    nim(3, 4) + kayles(7)
    >>> g.outcome, g.grundy
    ('N', 5)
    >>> [move.to for move in g.winning_moves()]
    ['nim(3, 1) + kayles(7)']
    """

    __slots__ = ("_inner", "_rules", "_solved")

    def __init__(self) -> None:
        raise TypeError(
            "positions are made by constructors such as grundy.nim(3, 4), or by grundy.position('nim(3, 4)')"
        )

    # Reading and writing.

    def __str__(self) -> str:
        return str(self._inner)

    def __repr__(self) -> str:
        return str(self._inner)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._inner == other._inner

    def __hash__(self) -> int:
        return hash(self._inner)

    def __reduce__(self) -> tuple[Any, ...]:
        parts: list[Any] = []
        for name, held in self._inner.terms():
            places = held.places() if name == "game" else None
            rule = self._rule_of(held) if places else None
            if rule is None:
                parts.append(str(held))
            else:
                parts.extend((rule, place) for place in places or [])
        return _restored, (parts, self._file)

    # Sums.

    def __add__(self, other: object) -> Position:
        if not isinstance(other, Position):
            return NotImplemented
        return _sum([self, other])

    def __radd__(self, other: object) -> Position:
        # sum([g, h]) begins with 0.
        if isinstance(other, int) and other == 0:
            return self
        return NotImplemented

    def __neg__(self) -> Position:
        return made(self._inner.negated(), self._rules)

    def __sub__(self, other: object) -> Position:
        if not isinstance(other, Position):
            return NotImplemented
        return _sum([self, -other])

    def __mul__(self, copies: object) -> Position:
        if not isinstance(copies, int) or isinstance(copies, bool):
            return NotImplemented
        if not 0 <= copies <= 1_000_000:
            raise ValueError(f"copies: a number from 0 to 1,000,000 is expected, not {copies}")
        return _sum([self] * copies)

    __rmul__ = __mul__

    @property
    def terms(self) -> tuple[Position, ...]:
        """The terms, as they were added.

        >>> import grundy
        >>> (grundy.nim(3, 4) + grundy.kayles(7)).terms
        (nim(3, 4), kayles(7))
        """
        return tuple(made(held, self._rules) for _, held in self._inner.terms())

    @property
    def components(self) -> tuple[Position, ...]:
        """The parts of the terms: heaps, boards, rows, each alone.

        >>> import grundy
        >>> (grundy.nim(3, 4) + grundy.kayles(7)).components
        (nim(3), nim(4), kayles(7))
        """
        return tuple(made(held, self._rules) for held in self._inner.parts())

    @property
    def name(self) -> str:
        """The name of the constructor of its only term; ``""`` for a sum of several."""
        terms = self._inner.terms()
        return terms[0][0] if len(terms) == 1 else ""

    @property
    def start(self) -> Any:
        """The position of a game of one's own, as its rules see it."""
        places = self._inner.places()
        if not places or len(places) != 1:
            raise AttributeError("only a position of one game of one's own has a start")
        return places[0]

    @property
    def is_impartial(self) -> bool:
        """Whether both players have the same moves."""
        return self._inner.nature()[0]

    # Answers.

    def solve(self, *, play: str = "normal", remoteness: bool = False, timeout: float | None = None) -> Solution:
        """Who wins, with what value, by which moves.

        Args:
            play: ``"normal"``, where whoever makes the last move wins, or ``"misere"``, where they lose.
            remoteness: Whether the moves left with best play are counted, too.
            timeout: The seconds that it may take. Where they are up, :class:`grundy.LimitError` holds what is known.

        >>> import grundy
        >>> grundy.chomp(4, 3, 1).solve().winning_moves
        [<bite at row 0, column 2: chomp(2, 2, 1)>, <bite at row 2, column 0: chomp(4, 3)>]
        """
        known = self._solved.get(play)
        if known is not None and not remoteness:
            return known
        question = {"play": known_play(play), "remoteness": remoteness}
        answer = Solution(self._ask("solve", question, timeout=timeout), self)
        whole(answer.to_dict(), answer)
        if not remoteness:
            self._solved[play] = answer
        return answer

    @property
    def outcome(self) -> str:
        """Who wins in normal play: see :class:`grundy.Solution`."""
        return self.solve().outcome

    @property
    def grundy(self) -> int | Infinity | None:
        """The Sprague-Grundy value: an ``int``, an :class:`grundy.Infinity`, or ``None`` where there is none.

        >>> import grundy
        >>> grundy.kayles(7).grundy
        2
        """
        return self.solve().grundy

    @property
    def value(self) -> str | None:
        """The value of a game with own moves, in the notation of values, where one was found on the way; else ``None``.
        :func:`grundy.value` finds it for every game that has one, and tells more.

        >>> import grundy
        >>> grundy.hackenbush("0-1:b 1-2:r").value
        '1/2'
        """
        return self.solve().to_dict().get("value")

    @property
    def remoteness(self) -> Any:
        """Moves left when the winner hurries and the loser delays; ``None`` for a draw; with own moves by who begins.

        >>> import grundy
        >>> grundy.nim(3, 4, 5).remoteness
        11
        """
        return self.solve(remoteness=True).remoteness

    def winning_moves(self, *, play: str = "normal", timeout: float | None = None) -> Any:
        """The moves that keep the win: a list of :class:`grundy.Move`; with own moves a dict of ``"left"`` and ``"right"``."""
        return self.solve(play=play, timeout=timeout).winning_moves

    @property
    def misere(self) -> Misere:
        """The same position in misère play.

        >>> import grundy
        >>> g = grundy.nim(1, 1, 1)
        >>> g.outcome, g.misere.outcome
        ('N', 'P')
        """
        return Misere(self)

    def explain(
        self,
        *,
        play: str = "normal",
        lang: str | None = None,
        proof: bool = False,
        timeout: float | None = None,
    ) -> Explanation:
        """The answer and why, as a lecturer would write it on the board.

        Args:
            play: ``"normal"`` or ``"misere"``.
            lang: ``"en"`` or ``"zh"``; else the language that :func:`grundy.lang` has set.
            proof: Whether the value is proved from the moves alone.
            timeout: The seconds that it may take.

        >>> import grundy
        >>> print(grundy.nim(3, 5).explain().steps[-1])
        So this is an N-position: the next player wins. Winning moves: 1.
        """
        question = {"play": known_play(play), "proof": proof}

        def again(more: dict[str, Any]) -> dict[str, Any]:
            return self._ask("explain", {**question, **more}, timeout=timeout, lang=lang)

        return Explanation(again({}), self, again)

    def draw(
        self,
        form: str = "svg",
        *,
        graph: bool = False,
        moves: bool = False,
        title: bool = False,
        dark: bool = False,
        labels: bool = False,
        play: str = "normal",
        lang: str | None = None,
        timeout: float | None = None,
    ) -> Picture:
        """A picture of the position, or of its game graph.

        Args:
            form: ``"svg"``, ``"tikz"`` for LaTeX, ``"terminal"`` for characters, ``"dot"`` for Graphviz (graphs only).
            graph: Whether the game graph is drawn.
            moves: Whether winning moves are marked.
            title: Whether the expression stands above it.
            dark: Whether it is on dark ground.
            labels: Whether the numbers of moves are written at the edges of a graph.
            play: ``"normal"`` or ``"misere"``, which colours game graphs.
            lang: The language of words in it.
            timeout: The seconds that it may take.

        >>> import grundy
        >>> picture = grundy.hackenbush("0-1 1-2 1-3").draw()
        >>> picture.save("picture.svg")  # doctest: +SKIP
        """
        question = {
            "form": form,
            "graph": graph,
            "moves": moves,
            "title": title,
            "dark": dark,
            "labels": labels,
            "play": known_play(play),
        }
        answer = self._ask("draw", question, timeout=timeout, lang=lang)
        key = "text" if form == "terminal" else form
        return Picture(answer[key])

    # Moves.

    def options(self, player: str | None = None) -> list[Position]:
        """The positions one move away, equal ones once.

        Args:
            player: ``"left"`` or ``"right"``, where they have moves of their own and either may begin.

        >>> import grundy
        >>> grundy.kayles(3).options()
        [kayles(2), kayles(1, 1), kayles(1)]
        """
        return [move._after for move in self.moves(player) if move._after is not None]

    def moves(self, player: str | None = None, *, most: int = _MOST_MOVES) -> list[Move]:
        """Every move of a player, in a fixed order; of those that lead to one position the first.

        >>> import grundy
        >>> grundy.nim(2).moves()
        [<take 2 from heap 0: nim(0)>, <take 1 from heap 0: nim(1)>]
        """
        same, either = self._inner.nature()
        if player is None and not same and either:
            raise ValueError("player: 'left' or 'right' is expected, as each has moves of their own here")
        terms = [str(term) for term in self.terms]
        found = []
        for text, at, component, held in self._inner.moves(player, most):
            after = made(held, self._rules)
            term = terms[component] if len(terms) > 1 else ""
            found.append(Move(text, tuple(at), component, str(held), after, term))
        return found

    def after(self, move: Move | str | Sequence[int], player: str | None = None) -> Position:
        """The position after a move: a :class:`grundy.Move`, its words, its ``at``, or the position that it leaves.

        >>> import grundy
        >>> grundy.nim(3, 5).after("take 2 from heap 1")
        nim(3, 3)
        """
        same, either = self._inner.nature()
        players = [player] if player or same or not either else ["left", "right"]
        every = (one for who in players for one in self.moves(who))
        found = {one._after: one for one in every if one._after is not None and _is(one, move)}
        if len(found) > 1:
            several = " or ".join(repr(str(one)) for one in found.values())
            raise ValueError(f"move: {move!r} is meant in more than one way: {several}")
        for after in found:
            return after
        raise ValueError(f"move: there is no {move!r} from {self}")

    def match(self, level: int = 10, *, play: str = "normal", second: bool = False, seed: int = 0) -> Match:
        """A game against the program, which a notebook shows as a board.

        Args:
            level: The strength of the program, from 0 to 10: at 10 it never errs.
            play: ``"normal"`` or ``"misere"``.
            second: Whether the program begins.
            seed: What its mistakes are drawn from.
        """
        from ._match import Match

        return Match(self, level=level, play=play, second=second, seed=seed)

    # What a notebook shows.

    def _repr_svg_(self) -> str | None:
        try:
            return str(self.draw())
        except Exception:
            return None

    # What these stand on.

    _inner: _native.Position
    _rules: tuple[Rule | RuleFile, ...]
    _solved: dict[str, Solution]

    @property
    def _file(self) -> RuleFile | None:
        from ._rules import RuleFile

        return next((rules for rules in self._rules if isinstance(rules, RuleFile)), None)

    def _rule_of(self, held: _native.Position) -> Rule | None:
        from ._rules import Rule

        places = held.places() or []
        for rule in self._rules:
            if isinstance(rule, Rule) and all(rule._rule.at(place) == held for place in places[:1]):
                return rule
        return None

    def _ask(self, command: str, question: dict[str, Any], **settings: Any) -> dict[str, Any]:
        return ask(command, {"game": "(it)", **question}, it=self._inner, file=self._file, **settings)


def _is(mine: Move, asked: Move | str | Sequence[int]) -> bool:
    if isinstance(asked, Move):
        return mine == asked
    if isinstance(asked, str):
        return asked in (mine.move, mine.to, str(mine))
    return mine.at == tuple(asked)


class Misere:
    """A position in misère play, where whoever makes the last move loses: the same questions, asked of it.

    >>> import grundy
    >>> g = grundy.kayles(5).misere
    >>> g, g.outcome
    (kayles(5).misere, 'N')
    """

    __slots__ = ("position",)

    position: Position
    """The position."""

    def __init__(self, position: Position) -> None:
        self.position = position

    def __repr__(self) -> str:
        text = str(self.position)
        return f"({text}).misere" if " + " in text else f"{text}.misere"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Misere) and self.position == other.position

    def __hash__(self) -> int:
        return hash(("misere", self.position))

    @property
    def outcome(self) -> str:
        """Who wins."""
        return self.solve().outcome

    @property
    def remoteness(self) -> Any:
        """Moves left when the winner hurries and the loser delays."""
        return self.solve(remoteness=True).remoteness

    @property
    def genus(self) -> str:
        """What an impartial game does beside heaps of Nim, as the field prints it.

        >>> import grundy
        >>> grundy.kayles(19).misere.genus
        '2^20'
        """
        told = self.position._ask("solve", {"play": "misere", "genus": True, "outcome": True})
        whole(told, told)
        genus: str | None = told["genus"]
        if genus is None:
            raise LimitError("the genus is out of reach within the limits", "limit")
        return genus

    def value(self, *, full: bool = False, timeout: float | None = None) -> MisereValue:
        """Genus, class, canonical form and mate: see :func:`grundy.value`."""
        return value_of(self.position, play="misere", full=full, timeout=timeout)

    def solve(self, **settings: Any) -> Solution:
        """As :meth:`Position.solve`."""
        return self.position.solve(play="misere", **settings)

    def winning_moves(self, **settings: Any) -> Any:
        """As :meth:`Position.winning_moves`."""
        return self.position.winning_moves(play="misere", **settings)

    def explain(self, **settings: Any) -> Explanation:
        """As :meth:`Position.explain`."""
        return self.position.explain(play="misere", **settings)

    def draw(self, form: str = "svg", **settings: Any) -> Picture:
        """As :meth:`Position.draw`."""
        return self.position.draw(form, play="misere", **settings)

    def match(self, level: int = 10, **settings: Any) -> Match:
        """As :meth:`Position.match`."""
        return self.position.match(level, play="misere", **settings)

    def _repr_svg_(self) -> str | None:
        return self.position._repr_svg_()


def made(held: _native.Position, rules: tuple[Rule | RuleFile, ...] = ()) -> Position:
    """The position that the library holds, with the rules of one's own that it was made by."""
    position = Position.__new__(Position)
    position._inner = held
    position._rules = rules
    position._solved = {}
    return position


def known_play(name: str) -> str:
    """The play that is meant."""
    if name not in _PLAYS:
        raise ValueError(f"play: 'normal' or 'misere' is expected, not {name!r}")
    return name


def _sum(positions: Sequence[Position]) -> Position:
    if not positions:
        return position("sum_of([])")
    rules = {id(rule): rule for one in positions for rule in one._rules}
    first, *others = positions
    held = first._inner.plus([other._inner for other in others])
    return made(held, tuple(rules.values()))


def position(text: str, rules: RuleFile | dict[str, Rule] | None = None, *, files: bool = False) -> Position:
    """The position that a text in the notation means.

    Args:
        text: Such as ``"nim(3, 4) + kayles(7)"``.
        rules: What ``game(rules, start)`` in it speaks of: a rule file, or rules by name.
        files: Whether ``graph("edges.csv", start)`` in it may open files.

    >>> import grundy
    >>> grundy.position("nim(3, 4) + kayles(7)").grundy
    5
    >>> grundy.position("nim(3, 4")
    Traceback (most recent call last):
    ...
    grundy._errors.GrundyError: `)` is expected here, not the end (column 9)
      the form is nim(n, ...), as in nim(3, 4, 5)
    """
    from ._rules import RuleFile

    if not isinstance(text, str):
        raise TypeError(f"text: a string is expected, not {type(text).__name__}")
    if rules is None:
        return made(_native.read(text, [], None, files))
    if isinstance(rules, RuleFile):
        return made(_native.read(text, [], rules._file, files), (rules,))
    pairs = [(name, rule._rule) for name, rule in rules.items()]
    return made(_native.read(text, pairs, None, files), tuple(rules.values()))


def sum_of(parts: Iterable[Any]) -> Any:
    """The sum of a list of positions; in a rule of one's own, the sum that a move leaves.

    >>> import grundy
    >>> grundy.sum_of([grundy.nim(3), grundy.kayles(2)])
    nim(3) + kayles(2)
    """
    items = list(parts)
    if all(isinstance(item, Position) for item in items):
        return _sum(items)
    others = [item for item in items if isinstance(item, Position)]
    if any(name != "literal" for item in others for name, _ in item._inner.terms()):
        raise TypeError("sum_of: a sum is of positions, or in a rule of what its own positions are, not of both")
    return _native.Sum(items)


def _restored(parts: list[Any], file: RuleFile | None) -> Position:
    """What was pickled."""
    terms = []
    for part in parts:
        if isinstance(part, str):
            terms.append(position(part, file, files=True))
        else:
            rule, start = part
            terms.append(rule(start))
    return _sum(terms)


def solve(game: Position | str, **settings: Any) -> Solution:
    """Who wins, with what value, by which moves: as :meth:`Position.solve`, of a position or of a text in the notation.

    >>> import grundy
    >>> grundy.solve("nim(3, 4, 5)").winning_moves
    [<take 2 from heap 0: nim(1, 4, 5)>]
    """
    return of(game).solve(**settings)


def explain(game: Position | str, **settings: Any) -> Explanation:
    """The answer and why: as :meth:`Position.explain`."""
    return of(game).explain(**settings)


def draw(game: Position | str, form: str = "svg", **settings: Any) -> Picture:
    """A picture: as :meth:`Position.draw`."""
    return of(game).draw(form, **settings)


def solve_tree(
    game: Position | str | os.PathLike[str],
    *,
    play: str = "normal",
    timeout: float | None = None,
    **settings: Any,
) -> Tree:
    """The tree of a small game: how many plays, positions and strategies it has, and who wins. (``tree`` is the constructor.)

    Args:
        game: The position, or the path of a file in Gambit's format.
        play: ``"normal"`` or ``"misere"``.
        timeout: The seconds that it may take.
        settings: ``merge``, ``alpha_beta``, ``table``, ``list``, ``optimal``, ``versus``, as the command ``tree`` has them.
    """
    question = {"play": known_play(play), **settings}
    if isinstance(game, os.PathLike):
        file = Path(game)
        brought = {"game": str(file), "files": {str(file): file.read_text(encoding="utf-8")}}

        def asked(more: dict[str, Any]) -> dict[str, Any]:
            return ask("tree", {**brought, **question, **more}, timeout=timeout)
    else:
        one = of(game)

        def asked(more: dict[str, Any]) -> dict[str, Any]:
            return one._ask("tree", {**question, **more}, timeout=timeout)

    def drawn() -> str | None:
        try:
            return svg_of(asked({"svg": PICTURE}))
        except ValueError:
            # Too large to be drawn: the counts stand.
            return None

    return Tree(asked({}), drawn)


def of(game: Position | str) -> Position:
    """The position that is meant."""
    if isinstance(game, Position):
        return game
    if isinstance(game, str):
        return position(game)
    raise TypeError(f"game: a position or its text is expected, not {type(game).__name__}")


__all__ += ["Answer", "draw", "explain", "listed", "solve", "solve_tree"]
