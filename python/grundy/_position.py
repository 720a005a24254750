"""Positions, as objects, and the functions that solve, explain and draw them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native
from ._answers import Answer, Explanation, Move, Picture, Solution, Tree, all_moves
from ._ask import PICTURE, ask, raise_if_partial, svg_of
from ._errors import LimitError
from ._forms import MisereValue
from ._forms import value as value_of
from ._values import Infinity

if TYPE_CHECKING:
    from ._match import Match
    from ._rules import Rule, RuleFile

__all__ = ["Misere", "Position", "position", "sum_of"]

# The default maximum number of moves listed.
_MAX_MOVES = 100_000

_PLAYS = ("normal", "misere")


class Position:
    """An immutable position: a sum of terms, each of which is a call of a constructor.

    Constructors such as :func:`grundy.nim` create positions, and :func:`grundy.position` parses
    them. ``g + h`` is the sum, ``-g`` exchanges Left and Right, and ``g - h`` is ``g + -h``.
    Positions are equal if they have equal terms in the same order.

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
            "create positions with constructors such as grundy.nim(3, 4), or with grundy.position('nim(3, 4)')"
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
        for name, native in self._inner.terms():
            places = native.places() if name == "game" else None
            rule = self._rule_of(native) if places else None
            if rule is None:
                parts.append(str(native))
            else:
                parts.extend((rule, place) for place in places or [])
        return _restored, (parts, self._file)

    # Sums.

    def __add__(self, other: object) -> Position:
        if not isinstance(other, Position):
            return NotImplemented
        return _sum_of_terms([self, other])

    def __radd__(self, other: object) -> Position:
        # `sum([g, h])` starts with the integer 0.
        if isinstance(other, int) and other == 0:
            return self
        return NotImplemented

    def __neg__(self) -> Position:
        return wrap(self._inner.negated(), self._rules)

    def __sub__(self, other: object) -> Position:
        if not isinstance(other, Position):
            return NotImplemented
        return _sum_of_terms([self, -other])

    def __mul__(self, copies: object) -> Position:
        if not isinstance(copies, int) or isinstance(copies, bool):
            return NotImplemented
        if not 0 <= copies <= 1_000_000:
            raise ValueError(f"copies: expected an integer from 0 to 1,000,000, not {copies}")
        return _sum_of_terms([self] * copies)

    __rmul__ = __mul__

    @property
    def terms(self) -> tuple[Position, ...]:
        """The terms of the sum, in order.

        >>> import grundy
        >>> (grundy.nim(3, 4) + grundy.kayles(7)).terms
        (nim(3, 4), kayles(7))
        """
        return tuple(wrap(native, self._rules) for _, native in self._inner.terms())

    @property
    def components(self) -> tuple[Position, ...]:
        """The components of the terms, such as single heaps, boards or rows.

        >>> import grundy
        >>> (grundy.nim(3, 4) + grundy.kayles(7)).components
        (nim(3), nim(4), kayles(7))
        """
        return tuple(wrap(native, self._rules) for native in self._inner.parts())

    @property
    def name(self) -> str:
        """The name of the constructor; ``""`` for a sum of several terms."""
        terms = self._inner.terms()
        return terms[0][0] if len(terms) == 1 else ""

    @property
    def start(self) -> Any:
        """The position of a user-defined game, as the object that its rules use."""
        places = self._inner.places()
        if not places or len(places) != 1:
            raise AttributeError("only a position of a single user-defined game has a start")
        return places[0]

    @property
    def is_impartial(self) -> bool:
        """``True`` if both players have the same moves."""
        return self._inner.nature()[0]

    # Answers.

    def solve(self, *, play: str = "normal", remoteness: bool = False, timeout: float | None = None) -> Solution:
        """Solve the position.

        Args:
            play: ``"normal"``, in which the player who makes the last move wins, or ``"misere"``,
                in which this player loses.
            remoteness: If true, compute the remoteness too.
            timeout: The time limit in seconds. If it is reached, :class:`grundy.LimitError` has the
                partial solution.

        >>> import grundy
        >>> grundy.chomp(4, 3, 1).solve().winning_moves
        [<bite at row 0, column 2: chomp(2, 2, 1)>, <bite at row 2, column 0: chomp(4, 3)>]
        """
        known = self._solved.get(play)
        if known is not None and not remoteness:
            return known
        question = {"play": checked_play(play), "remoteness": remoteness}
        answer = Solution(self._ask("solve", question, timeout=timeout), self)
        raise_if_partial(answer.to_dict(), answer)
        if not remoteness:
            self._solved[play] = answer
        return answer

    @property
    def outcome(self) -> str:
        """The outcome in normal play; see :class:`grundy.Solution`."""
        return self.solve().outcome

    @property
    def grundy(self) -> int | Infinity | None:
        """The Sprague-Grundy value: an ``int``, an :class:`grundy.Infinity`, or ``None``.

        >>> import grundy
        >>> grundy.kayles(7).grundy
        2
        """
        return self.solve().grundy

    @property
    def value(self) -> str | None:
        """The value of a partizan game, as text, if solving the game yields it; otherwise ``None``.

        :func:`grundy.value` computes the value of every short game.

        >>> import grundy
        >>> grundy.hackenbush("0-1:b 1-2:r").value
        '1/2'
        """
        return self.solve().to_dict().get("value")

    @property
    def remoteness(self) -> Any:
        """The number of moves to the end if the winner hurries and the loser delays.

        It is ``None`` for a draw, and a dictionary by the player who begins in a partizan game.

        >>> import grundy
        >>> grundy.nim(3, 4, 5).remoteness
        11
        """
        return self.solve(remoteness=True).remoteness

    def winning_moves(self, *, play: str = "normal", timeout: float | None = None) -> Any:
        """Return the winning moves as a list of :class:`grundy.Move`.

        In a partizan game, return a dictionary with a list for ``"left"`` and one for ``"right"``.
        """
        return self.solve(play=play, timeout=timeout).winning_moves

    @property
    def misere(self) -> Misere:
        """The position under misère play.

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
        """Solve the position and explain the solution step by step.

        Args:
            play: ``"normal"`` or ``"misere"``.
            lang: ``"en"`` or ``"zh"``; by default the language set with :func:`grundy.lang`.
            proof: If true, prove the value from the moves alone, without theorems.
            timeout: The time limit in seconds.

        >>> import grundy
        >>> print(grundy.nim(3, 5).explain().steps[-1])
        Hence this is an N-position: the first player wins. Number of winning moves: 1.
        """
        question = {"play": checked_play(play), "proof": proof}

        def request(more: dict[str, Any]) -> dict[str, Any]:
            return self._ask("explain", {**question, **more}, timeout=timeout, lang=lang)

        return Explanation(request({}), self, request)

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
        """Draw the position or its game graph.

        Args:
            form: ``"svg"``, ``"tikz"`` for LaTeX, ``"terminal"`` for plain text, or ``"dot"`` for
                Graphviz (graphs only).
            graph: If true, draw the game graph.
            moves: If true, mark the winning moves.
            title: If true, write the expression above the picture.
            dark: If true, use a dark background.
            labels: If true, label the edges of the graph with the numbers of their moves.
            play: ``"normal"`` or ``"misere"``, which determines the colours of game graphs.
            lang: The language of texts in the picture.
            timeout: The time limit in seconds.

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
            "play": checked_play(play),
        }
        answer = self._ask("draw", question, timeout=timeout, lang=lang)
        key = "text" if form == "terminal" else form
        return Picture(answer[key])

    # Moves.

    def options(self, player: str | None = None) -> list[Position]:
        """Return the distinct options of the position.

        Args:
            player: ``"left"`` or ``"right"``; required in a partizan game in which either player
                may begin.

        >>> import grundy
        >>> grundy.kayles(3).options()
        [kayles(2), kayles(1, 1), kayles(1)]
        """
        return [move._after for move in self.moves(player) if move._after is not None]

    def moves(self, player: str | None = None, *, most: int = _MAX_MOVES) -> list[Move]:
        """Return the moves of a player in a fixed order, one move for each option.

        >>> import grundy
        >>> grundy.nim(2).moves()
        [<take 2 from heap 1: nim(0)>, <take 1 from heap 1: nim(1)>]
        """
        same, either = self._inner.nature()
        if player is None and not same and either:
            raise ValueError("player: expected 'left' or 'right', since the players have different moves")
        terms = [str(term) for term in self.terms]
        found = []
        for text, at, component, native in self._inner.moves(player, most):
            after = wrap(native, self._rules)
            term = terms[component] if len(terms) > 1 else ""
            found.append(Move(text, tuple(at), component, str(native), after, term))
        return found

    def after(self, move: Move | str | Sequence[int], player: str | None = None) -> Position:
        """Return the position after a move.

        Args:
            move: A :class:`grundy.Move`, its description, its ``at``, or the position after it, as
                text.
            player: ``"left"`` or ``"right"``; by default the moves of both players are searched.

        >>> import grundy
        >>> grundy.nim(3, 5).after("take 2 from heap 2")
        nim(3, 3)
        """
        same, either = self._inner.nature()
        players = [player] if player or same or not either else ["left", "right"]
        every = (one for who in players for one in self.moves(who))
        found = {one._after: one for one in every if one._after is not None and _matches(one, move)}
        if len(found) > 1:
            several = " or ".join(repr(str(one)) for one in found.values())
            raise ValueError(f"move: {move!r} is ambiguous: {several}")
        for after in found:
            return after
        raise ValueError(f"move: {move!r} is not a legal move from {self}")

    def match(self, level: int = 10, *, play: str = "normal", second: bool = False, seed: int = 0) -> Match:
        """Start a match against the program, which a notebook displays as a board.

        Args:
            level: The strength of the program, from 0 to 10; at 10 it plays optimally.
            play: ``"normal"`` or ``"misere"``.
            second: If true, the program moves first.
            seed: The seed of the random generator that chooses its mistakes.
        """
        from ._match import Match

        return Match(self, level=level, play=play, second=second, seed=seed)

    # Display in notebooks.

    def _repr_svg_(self) -> str | None:
        try:
            return str(self.draw())
        except Exception:
            return None

    # Internals. `_solved` caches the solutions in normal and in misère play. A position is
    # immutable, so they stay valid.

    _inner: _native.Position
    _rules: tuple[Rule | RuleFile, ...]
    _solved: dict[str, Solution]

    @property
    def _file(self) -> RuleFile | None:
        from ._rules import RuleFile

        return next((rules for rules in self._rules if isinstance(rules, RuleFile)), None)

    def _rule_of(self, native: _native.Position) -> Rule | None:
        from ._rules import Rule

        places = native.places() or []
        for rule in self._rules:
            if isinstance(rule, Rule) and all(rule._rule.at(place) == native for place in places[:1]):
                return rule
        return None

    def _ask(self, command: str, question: dict[str, Any], **settings: Any) -> dict[str, Any]:
        return ask(command, {"game": "(it)", **question}, it=self._inner, file=self._file, **settings)


def _matches(move: Move, wanted: Move | str | Sequence[int]) -> bool:
    if isinstance(wanted, Move):
        return move == wanted
    if isinstance(wanted, str):
        return wanted in (move.move, move.to, str(move))
    return move.at == tuple(wanted)


class Misere:
    """A position under misère play, in which the player who makes the last move loses.

    >>> import grundy
    >>> g = grundy.kayles(5).misere
    >>> g, g.outcome
    (kayles(5).misere, 'N')
    """

    __slots__ = ("position",)

    position: Position
    """The underlying position."""

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
        """The outcome in misère play."""
        return self.solve().outcome

    @property
    def remoteness(self) -> Any:
        """The number of moves to the end if the winner hurries and the loser delays."""
        return self.solve(remoteness=True).remoteness

    @property
    def genus(self) -> str:
        """The genus of an impartial game, in the notation of the literature.

        >>> import grundy
        >>> grundy.kayles(19).misere.genus
        '2^20'
        """
        answer = self.position._ask("solve", {"play": "misere", "genus": True, "outcome": True})
        raise_if_partial(answer, answer)
        genus: str | None = answer["genus"]
        if genus is None:
            raise LimitError("the genus was not computed within the limits", "limit")
        return genus

    def value(self, *, full: bool = False, timeout: float | None = None) -> MisereValue:
        """Compute the genus, class, canonical form and mate; see :func:`grundy.value`."""
        return value_of(self.position, play="misere", full=full, timeout=timeout)

    def solve(self, **settings: Any) -> Solution:
        """Solve the position; see :meth:`Position.solve`."""
        return self.position.solve(play="misere", **settings)

    def winning_moves(self, **settings: Any) -> Any:
        """Return the winning moves; see :meth:`Position.winning_moves`."""
        return self.position.winning_moves(play="misere", **settings)

    def explain(self, **settings: Any) -> Explanation:
        """Explain the solution; see :meth:`Position.explain`."""
        return self.position.explain(play="misere", **settings)

    def draw(self, form: str = "svg", **settings: Any) -> Picture:
        """Draw the position; see :meth:`Position.draw`."""
        return self.position.draw(form, play="misere", **settings)

    def match(self, level: int = 10, **settings: Any) -> Match:
        """Start a match against the program; see :meth:`Position.match`."""
        return self.position.match(level, play="misere", **settings)

    def _repr_svg_(self) -> str | None:
        return self.position._repr_svg_()


def wrap(native: _native.Position, rules: tuple[Rule | RuleFile, ...] = ()) -> Position:
    """Wrap a compiled position, together with the user-defined rules that it refers to."""
    position = Position.__new__(Position)
    position._inner = native
    position._rules = rules
    position._solved = {}
    return position


def checked_play(name: str) -> str:
    """Return ``name`` if it is a valid kind of play; raise ``ValueError`` otherwise."""
    if name not in _PLAYS:
        raise ValueError(f"play: expected 'normal' or 'misere', not {name!r}")
    return name


def _sum_of_terms(positions: Sequence[Position]) -> Position:
    if not positions:
        return position("sum_of([])")
    rules = {id(rule): rule for one in positions for rule in one._rules}
    first, *others = positions
    native = first._inner.plus([other._inner for other in others])
    return wrap(native, tuple(rules.values()))


def position(text: str, rules: RuleFile | dict[str, Rule] | None = None, *, files: bool = False) -> Position:
    """Parse an expression of the notation.

    Args:
        text: An expression such as ``"nim(3, 4) + kayles(7)"``.
        rules: The rules that ``game(rules, start)`` in it refers to: a rule file, or rules by name.
        files: If true, ``graph("edges.csv", start)`` in it may open files.

    >>> import grundy
    >>> grundy.position("nim(3, 4) + kayles(7)").grundy
    5
    >>> grundy.position("nim(3, 4")
    Traceback (most recent call last):
    ...
    grundy._errors.GrundyError: expected `)`, found end of line (column 9)
      usage: nim(n, ...), for example nim(3, 4, 5)
    """
    from ._rules import RuleFile

    if not isinstance(text, str):
        raise TypeError(f"text: expected a string, not {type(text).__name__}")
    if rules is None:
        return wrap(_native.read(text, [], None, files))
    if isinstance(rules, RuleFile):
        return wrap(_native.read(text, [], rules._file, files), (rules,))
    pairs = [(name, rule._rule) for name, rule in rules.items()]
    return wrap(_native.read(text, pairs, None, files), tuple(rules.values()))


def sum_of(parts: Iterable[Any]) -> Any:
    """Return the sum of a list of positions.

    In user-defined rules, the items are positions of the game and literals, and the sum is the
    result of a move.

    >>> import grundy
    >>> grundy.sum_of([grundy.nim(3), grundy.kayles(2)])
    nim(3) + kayles(2)
    """
    items = list(parts)
    if all(isinstance(item, Position) for item in items):
        return _sum_of_terms(items)
    others = [item for item in items if isinstance(item, Position)]
    if any(name != "literal" for item in others for name, _ in item._inner.terms()):
        raise TypeError("sum_of: the terms must all be positions or, inside a rule, all be positions of the rule")
    return _native.Sum(items)


def _restored(parts: list[Any], file: RuleFile | None) -> Position:
    """Rebuild a pickled position."""
    terms = []
    for part in parts:
        if isinstance(part, str):
            terms.append(position(part, file, files=True))
        else:
            rule, start = part
            terms.append(rule(start))
    return _sum_of_terms(terms)


def solve(game: Position | str, **settings: Any) -> Solution:
    """Solve a position or an expression of the notation; see :meth:`Position.solve`.

    >>> import grundy
    >>> grundy.solve("nim(3, 4, 5)").winning_moves
    [<take 2 from heap 1: nim(1, 4, 5)>]
    """
    return as_position(game).solve(**settings)


def explain(game: Position | str, **settings: Any) -> Explanation:
    """Explain the solution of a position; see :meth:`Position.explain`."""
    return as_position(game).explain(**settings)


def draw(game: Position | str, form: str = "svg", **settings: Any) -> Picture:
    """Draw a position; see :meth:`Position.draw`."""
    return as_position(game).draw(form, **settings)


def solve_tree(
    game: Position | str | os.PathLike[str],
    *,
    play: str = "normal",
    timeout: float | None = None,
    **settings: Any,
) -> Tree:
    """Solve the whole tree of a small game, and count its plays, positions and strategies.

    (``grundy.tree`` is a constructor of positions.)

    Args:
        game: The position, or the path of a file in the Gambit format.
        play: ``"normal"`` or ``"misere"``.
        timeout: The time limit in seconds.
        settings: ``merge``, ``alpha_beta``, ``table``, ``list``, ``optimal`` and ``versus``, the
            options of the command ``tree``.
    """
    question = {"play": checked_play(play), **settings}
    if isinstance(game, os.PathLike):
        file = Path(game)
        file_keys = {"game": str(file), "files": {str(file): file.read_text(encoding="utf-8")}}

        def request(more: dict[str, Any]) -> dict[str, Any]:
            return ask("tree", {**file_keys, **question, **more}, timeout=timeout)
    else:
        start = as_position(game)

        def request(more: dict[str, Any]) -> dict[str, Any]:
            return start._ask("tree", {**question, **more}, timeout=timeout)

    def render() -> str | None:
        try:
            return svg_of(request({"svg": PICTURE}))
        except ValueError:
            # A tree that is too large to draw still has its counts.
            return None

    return Tree(request({}), render)


def as_position(game: Position | str) -> Position:
    """Return a position; parse it if it is an expression of the notation."""
    if isinstance(game, Position):
        return game
    if isinstance(game, str):
        return position(game)
    raise TypeError(f"game: expected a position or its text, not {type(game).__name__}")


__all__ += ["Answer", "all_moves", "draw", "explain", "solve", "solve_tree"]
