"""Tablebases on a disk or a server."""

from __future__ import annotations

import json
import os
from types import TracebackType
from typing import Any

from . import _native
from ._answers import Answer
from ._ask import current_limits, time_limit
from ._position import Position

__all__ = ["Tablebase", "tablebase"]


class Tablebase:
    """A tablebase, written by ``grundy label --tablebase DIR``.

    A lookup reads a few kilobytes, from the disk or over one connection, which stays open until
    :meth:`close` or the end of a ``with`` block. Threads may share a tablebase.
    """

    def __init__(self, place: str | os.PathLike[str], *, timeout: float | None = None) -> None:
        self.place = os.fspath(place)
        self._table = _native.Table(self.place, time_limit(timeout), **current_limits())
        self._manifest: dict[str, Any] = json.loads(self._table.manifest())

    @property
    def manifest(self) -> dict[str, Any]:
        """The description of the tablebase.

        Its keys include ``game``, ``rules``, ``play``, ``positions``, ``outcomes``, and the
        ``command`` that rebuilds it.
        """
        return self._manifest

    def probe(
        self,
        position: Position | str,
        *,
        play: str | None = None,
        moves: bool = True,
        timeout: float | None = None,
    ) -> Answer:
        """Look up a position.

        The answer has ``outcome``, ``remoteness``, ``grundy``, ``move``, and ``moves``, sorted with
        the best move first.

        Args:
            position: A position, its notation, or the name of a vertex.
            play: ``"misere"`` to reject a tablebase of normal play.
            moves: If true, look up the options too.
            timeout: The time limit in seconds.

        Raises:
            GrundyError: The position is not in the tablebase, or a file is unreadable or corrupt.
        """
        answer = self._table.probe(str(position), play or "normal", moves, time_limit(timeout))
        return Answer(json.loads(answer))

    def __getitem__(self, position: Position | str) -> Answer:
        return self.probe(position)

    def __contains__(self, position: object) -> bool:
        return isinstance(position, (Position, str)) and self._table.contains(str(position), time_limit(None))

    def __len__(self) -> int:
        """Return the number of positions in the tablebase."""
        return int(self._manifest["positions"])

    def close(self) -> None:
        """Close the tablebase; later lookups raise an error."""
        self._table.close()

    def __enter__(self) -> Tablebase:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"tablebase({self.place!r})"


def tablebase(place: str | os.PathLike[str], *, timeout: float | None = None) -> Tablebase:
    """Open a tablebase in a folder, or on any file server that supports range requests.

    Args:
        place: The folder, or a URL such as ``"http://localhost:8000/chomp"``.
        timeout: The time limit for opening, in seconds.
    """
    return Tablebase(place, timeout=timeout)
