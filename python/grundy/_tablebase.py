"""Tablebases, on a disk or a server."""

from __future__ import annotations

import json
import os
from types import TracebackType
from typing import Any

from . import _native
from ._answers import Answer
from ._ask import bounds, seconds
from ._position import Position

__all__ = ["Tablebase", "tablebase"]


class Tablebase:
    """A tablebase that ``grundy label --tablebase DIR`` wrote: what it knows of positions.

    A question reads a few kilobytes of it, from the disk or over one connection that is kept until :meth:`close` or the end of
    a ``with`` block. Threads may share one.
    """

    def __init__(self, place: str | os.PathLike[str], *, timeout: float | None = None) -> None:
        self.place = os.fspath(place)
        self._table = _native.Table(self.place, seconds(timeout), **bounds())
        self._manifest: dict[str, Any] = json.loads(self._table.manifest())

    @property
    def manifest(self) -> dict[str, Any]:
        """What it is of: ``game``, ``rules``, ``play``, ``positions``, ``outcomes``, the ``command`` that makes it again."""
        return self._manifest

    def probe(
        self,
        position: Position | str,
        *,
        play: str | None = None,
        moves: bool = True,
        timeout: float | None = None,
    ) -> Answer:
        """What is known of a position: ``outcome``, ``remoteness``, ``grundy``, ``move``, and ``moves``, the best first.

        Args:
            position: A position, its notation, or the name of a vertex.
            play: ``"misere"`` where a tablebase of normal play is to be refused.
            moves: Whether the positions one move away are looked up, too.
            timeout: The seconds that it may take.

        Raises:
            GrundyError: It is not in the tablebase, or a file cannot be read or is not what was written.
        """
        answer = self._table.probe(str(position), play or "normal", moves, seconds(timeout))
        return Answer(json.loads(answer))

    def __getitem__(self, position: Position | str) -> Answer:
        return self.probe(position)

    def __contains__(self, position: object) -> bool:
        return isinstance(position, (Position, str)) and self._table.contains(str(position), seconds(None))

    def __len__(self) -> int:
        """How many positions it holds."""
        return int(self._manifest["positions"])

    def close(self) -> None:
        """Closes it: whoever asks after that is refused."""
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
    """Opens a tablebase: a folder, or its address on any server of files that answers range requests.

    Args:
        place: The folder, or an address such as ``"http://localhost:8000/chomp"``.
        timeout: The seconds that opening it may take.
    """
    return Tablebase(place, timeout=timeout)
