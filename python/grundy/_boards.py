"""Boards for games that are played on one."""

from __future__ import annotations

from typing import Any

from . import _native

__all__ = ["board"]


class Board(list[str]):
    """The rows of a board that began empty."""

    def _plain(self) -> Any:
        """Its size while it is empty; else its rows."""
        columns = len(self[0]) if self else 0
        empty = columns > 0 and self == ["." * columns] * len(self)
        return _native.EmptyBoard(len(self), columns) if empty else list(self)


def board(rows: int, columns: int) -> list[str]:
    """An empty board: a list of rows, which may be changed.

    >>> import grundy
    >>> grundy.board(2, 3)
    ['...', '...']
    >>> grundy.domineering(grundy.board(2, 3)).outcome, grundy.chomp(grundy.board(2, 3))
    ('N', chomp(3, 3))
    """
    for name, count in (("rows", rows), ("columns", columns)):
        if isinstance(count, bool) or not isinstance(count, int):
            raise TypeError(f"{name}: a whole number is expected, not {type(count).__name__}")
        if count < 0:
            raise ValueError(f"{name}: a number of at least 0 is expected, not {count}")
    return Board(["." * columns] * rows)
