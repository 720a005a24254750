"""Empty boards, for games that are played on a board."""

from __future__ import annotations

from typing import Any

from . import _native

__all__ = ["board"]


class Board(list[str]):
    """The rows of a board, which is created empty and may be modified."""

    def _native_argument(self) -> Any:
        """Return the size of the board if it is still empty, else its rows.

        Some constructors, such as ``chomp``, accept the size of a board, but no list of rows.
        """
        columns = len(self[0]) if self else 0
        empty = columns > 0 and self == ["." * columns] * len(self)
        return _native.EmptyBoard(len(self), columns) if empty else list(self)


def board(rows: int, columns: int) -> list[str]:
    """Return an empty board as a list of rows, which may be modified.

    >>> import grundy
    >>> grundy.board(2, 3)
    ['...', '...']
    >>> grundy.domineering(grundy.board(2, 3)).outcome, grundy.chomp(grundy.board(2, 3))
    ('N', chomp(3, 3))
    """
    for name, count in (("rows", rows), ("columns", columns)):
        if isinstance(count, bool) or not isinstance(count, int):
            raise TypeError(f"{name}: expected an integer, not {type(count).__name__}")
        if count < 0:
            raise ValueError(f"{name}: expected a non-negative integer, not {count}")
    return Board(["." * columns] * rows)
