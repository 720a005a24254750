"""User-defined games: rules written as functions, and rule files."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, overload

from . import _native
from ._position import Position, position, wrap

__all__ = ["Rule", "RuleFile", "game", "picture_file", "rule_file"]

RuleFunction = Callable[[Any], Any]

_MISSING: Any = object()


class Rule:
    """The rules of a game, written as Python functions.

    Calling the rules with a starting position returns a :class:`grundy.Position`.

    A position may be any hashable object, such as a number, a string, a tuple or a frozen
    dataclass. A move is its resulting position, a pair of a label and a position, or a sum of
    positions, ``sum_of([p, q])``. Moves of ``left`` and ``right`` may also result in values, alone
    or in a sum: literals such as ``literal("3/4")``, or results of :func:`grundy.value`. The
    functions must be deterministic, since their results are cached.
    """

    def __init__(
        self,
        moves: RuleFunction | None = None,
        *,
        left: RuleFunction | None = None,
        right: RuleFunction | None = None,
        value: RuleFunction | None = None,
        endless: str = "draw",
        name: str | None = None,
    ) -> None:
        for argument, function in (("moves", moves), ("left", left), ("right", right), ("value", value)):
            if function is not None and not callable(function):
                raise TypeError(f"{argument}: expected a function, not {type(function).__name__}")
        # Partizan rules consist of two functions, so that neither gives its name to the rules.
        default = "rules" if moves is None else str(getattr(moves, "__name__", "moves"))
        chosen = default if name is None else name
        if not chosen.isidentifier():
            chosen = "moves"
        self._rule = _native.Rule(chosen, moves, left, right, value, endless)
        self.name: str = chosen
        if moves is not None:
            functools.update_wrapper(self, moves)

    def __call__(self, start: Any) -> Position:
        """Return the position of this game at ``start``."""
        return wrap(self._rule.at(start), (self,))

    def __repr__(self) -> str:
        return f"<the rules {self.name}>"

    def __reduce__(self) -> str | tuple[Any, ...]:
        wrapped = getattr(self, "__wrapped__", None)
        if wrapped is None:
            raise TypeError("rules can only be pickled if they decorate a function of a module")
        # Like a function, the rules are pickled by their qualified name in the module.
        return str(wrapped.__qualname__)


@overload
def game(
    rules: RuleFunction, /, *, value: RuleFunction | None = None, endless: str = "draw", name: str | None = None
) -> Rule: ...
@overload
def game(rules: RuleFunction | Rule | str, start: Any, /) -> Position: ...
@overload
def game(*, left: RuleFunction, right: RuleFunction, endless: str = "draw", name: str | None = None) -> Rule: ...
@overload
def game(*, value: RuleFunction, name: str | None = None) -> Callable[[RuleFunction], Rule]: ...
@overload
def game(*, endless: str = "draw", name: str | None = None) -> Callable[[RuleFunction], Rule]: ...


def game(
    rules: Any = None,
    start: Any = _MISSING,
    /,
    *,
    left: RuleFunction | None = None,
    right: RuleFunction | None = None,
    value: RuleFunction | None = None,
    endless: str = "draw",
    name: str | None = None,
) -> Any:
    """Define the rules of a game, or return a position of it.

    As a decorator on ``moves(n)``, it defines an impartial game by this function.
    ``game(left=..., right=...)`` defines a partizan game. In a game with ties, ``value(n)`` returns
    the result of a final position. ``endless`` is ``"left"`` or ``"right"`` if this player wins a
    play that never ends. ``game(rules, start)`` returns the position, as in the notation.

    >>> import grundy
    >>> @grundy.game
    ... def squares(n):
    ...     return [n - k * k for k in range(1, n + 1) if k * k <= n]
    >>> g = squares(100) + grundy.nim(3)
    >>> g, g.grundy
    (game(squares, 100) + nim(3), 7)
    """
    partizan = left is not None or right is not None
    if rules is None and not partizan:
        if value is None and name is None and endless == "draw":
            raise TypeError("game: missing moves(p), or left(p) and right(p)")
        return lambda moves: Rule(moves, value=value, endless=endless, name=name)
    if start is _MISSING:
        if isinstance(rules, Rule):
            return rules
        return Rule(rules, left=left, right=right, value=value, endless=endless, name=name)
    if isinstance(rules, str):
        raise TypeError("game: only rule files name rules by a string: grundy.rule_file(path).game(name, start)")
    rule = (
        rules
        if isinstance(rules, Rule)
        else Rule(rules, left=left, right=right, value=value, endless=endless, name=name)
    )
    return rule(start)


class RuleFile:
    """A rule file in Starlark, in the format of the command line.

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
        """The source text."""
        return self._file.source

    def game(self, rules: str, start: Any) -> Position:
        """Return the position ``game(rules, start)``."""
        if not rules.isidentifier():
            raise ValueError(f"rules: expected the name of a function, not {rules!r}")
        return position(f"game({rules}, {start!r})", self)

    def __repr__(self) -> str:
        return f"<the rule file {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return RuleFile, (self.source, self.name)


def picture_file(path: str | Path) -> Position:
    """Read a Hackenbush picture from a file, either a list of edges or SVG.

    The formats are those of ``--picture`` on the command line.
    """
    return wrap(_native.picture(Path(path).read_text(encoding="utf-8")))


def rule_file(path: str | Path) -> RuleFile:
    """Read a rule file in Starlark."""
    file = Path(path)
    return RuleFile(file.read_text(encoding="utf-8"), file.name)
