"""Games of one's own: rules that are functions, and rule files."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, overload

from . import _native
from ._position import Position, made, position

__all__ = ["Rule", "RuleFile", "game", "picture_file", "rule_file"]

Moves = Callable[[Any], Any]

_MISSING: Any = object()


class Rule:
    """Rules that are functions of Python. Called with a start, they give the position there.

    A position may be any hashable object: numbers, strings, tuples, frozen dataclasses. A move is the position that it leaves, a pair of a
    label and a position, or a sum of positions, ``sum_of([p, q])``. ``left`` and ``right`` may also leave finished values: games
    written out, ``literal("3/4")``, or what :func:`grundy.value` gives, alone or in a sum. The same question must get the same answer
    each time.
    """

    def __init__(
        self,
        moves: Moves | None = None,
        *,
        left: Moves | None = None,
        right: Moves | None = None,
        value: Moves | None = None,
        name: str | None = None,
    ) -> None:
        for argument, function in (("moves", moves), ("left", left), ("right", right), ("value", value)):
            if function is not None and not callable(function):
                raise TypeError(f"{argument}: a function is expected, not {type(function).__name__}")
        # A function of two players' rules has no name of its own.
        usual = "rules" if moves is None else str(getattr(moves, "__name__", "moves"))
        chosen = usual if name is None else name
        if not chosen.isidentifier():
            chosen = "moves"
        self._rule = _native.Rule(chosen, moves, left, right, value)
        self.name: str = chosen
        if moves is not None:
            functools.update_wrapper(self, moves)

    def __call__(self, start: Any) -> Position:
        """The position at ``start``."""
        return made(self._rule.at(start), (self,))

    def __repr__(self) -> str:
        return f"<the rules {self.name}>"

    def __reduce__(self) -> str | tuple[Any, ...]:
        wrapped = getattr(self, "__wrapped__", None)
        if wrapped is None:
            raise TypeError("rules can be pickled where they are a function of a module")
        # As functions are: by the name under which the module has them.
        return str(wrapped.__qualname__)


@overload
def game(rules: Moves, /, *, value: Moves | None = None, name: str | None = None) -> Rule: ...
@overload
def game(rules: Moves | Rule | str, start: Any, /) -> Position: ...
@overload
def game(*, left: Moves, right: Moves, name: str | None = None) -> Rule: ...
@overload
def game(*, value: Moves, name: str | None = None) -> Callable[[Moves], Rule]: ...
@overload
def game(*, name: str) -> Callable[[Moves], Rule]: ...


def game(
    rules: Any = None,
    start: Any = _MISSING,
    /,
    *,
    left: Moves | None = None,
    right: Moves | None = None,
    value: Moves | None = None,
    name: str | None = None,
) -> Any:
    """Rules of one's own. As a decorator over ``moves(n)`` it makes them of the function; ``game(left=..., right=...)`` are those of two
    players with own moves; ``value`` says what the end is worth in a game with ties. ``game(rules, start)`` is the position, as in the
    notation.

    >>> import grundy
    >>> @grundy.game
    ... def squares(n):
    ...     return [n - k * k for k in range(1, n + 1) if k * k <= n]
    >>> g = squares(100) + grundy.nim(3)
    >>> g, g.grundy
    (game(squares, 100) + nim(3), 7)
    """
    own = left is not None or right is not None
    if rules is None and not own:
        if value is None and name is None:
            raise TypeError("game: moves(p) is missing, or left(p) and right(p)")
        return lambda moves: Rule(moves, value=value, name=name)
    if start is _MISSING:
        if isinstance(rules, Rule):
            return rules
        return Rule(rules, left=left, right=right, value=value, name=name)
    if isinstance(rules, str):
        raise TypeError("game: rules by name belong to a file: use grundy.rule_file(path).game(name, start)")
    rule = rules if isinstance(rules, Rule) else Rule(rules, left=left, right=right, value=value, name=name)
    return rule(start)


class RuleFile:
    """A rule file in Starlark, as the command line reads it.

    >>> import grundy
    >>> file = grundy.RuleFile('''
    ... def moves(n):
    ...     return [n - k * k for k in range(1, n + 1) if k * k <= n]
    ... ''')
    >>> file.game("moves", 100).grundy
    4
    """

    def __init__(self, source: str, name: str = "rules") -> None:
        self.name = name
        self._file = _native.RuleText(name, source)

    @property
    def source(self) -> str:
        """The text of the file."""
        return self._file.source

    def game(self, rules: str, start: Any) -> Position:
        """The position ``game(rules, start)``."""
        if not rules.isidentifier():
            raise ValueError(f"rules: the name of a function is expected, not {rules!r}")
        return position(f"game({rules}, {start!r})", self)

    def __repr__(self) -> str:
        return f"<the rule file {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return RuleFile, (self.source, self.name)


def picture_file(path: str | Path) -> Position:
    """The Hackenbush picture in a file: edges line by line, or SVG, as ``--picture`` of the command line reads it."""
    return made(_native.picture(Path(path).read_text(encoding="utf-8")))


def rule_file(path: str | Path) -> RuleFile:
    """The rules in a file."""
    file = Path(path)
    return RuleFile(file.read_text(encoding="utf-8"), file.name)
