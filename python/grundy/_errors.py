"""The exceptions of the package."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

__all__ = ["GrundyError", "LimitError"]


_MORE = "to raise the limits: with grundy.limits(seconds=..., positions=..., memory=..., output=...)"


class GrundyError(ValueError):
    """An invalid position, an invalid request, or a request that has no answer.

    Attributes:
        kind: The kind of error: ``"syntax"``, ``"type"``, ``"range"``, ``"overflow"``,
            ``"unknown_name"``, ``"illegal_position"``, ``"illegal_move"``, ``"encoding"``,
            ``"io"``, ``"limit"``, ``"not_impartial"``, ``"cyclic"`` or ``"internal"``.
        message: One sentence that describes the error.
        at: The location in the text, as a dictionary with ``offset`` (in bytes), ``line`` and
            ``column``; ``None`` if the error has no location.
        help: A suggestion, or ``None``.
        readings: The readings of an ambiguous text, as expressions; empty for other errors.

    >>> import grundy
    >>> try:
    ...     grundy.nim(3, -4)
    ... except grundy.GrundyError as error:
    ...     print(error.kind)
    range
    """

    def __init__(
        self,
        message: str,
        kind: str = "internal",
        at: dict[str, int] | None = None,
        help: str | None = None,
        readings: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind
        self.at = at
        self.help = help
        self.readings = list(readings)

    def __str__(self) -> str:
        place = ""
        if self.at is not None:
            line, column = self.at["line"], self.at["column"]
            place = f" (line {line}, column {column})" if line > 1 else f" (column {column})"
        advice = f"\n  {self.help}" if self.help else ""
        return f"{self.message}{place}{advice}"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.kind, self.at, self.help, self.readings)


class LimitError(GrundyError):
    """A limit on time, positions, memory or output was reached.

    Attributes:
        partial: The partial answer, of the type that the call would have returned, or ``None``.
    """

    partial: Any = None


def of_object(error: dict[str, Any]) -> GrundyError:
    """Return the exception for an error object, the value of the key ``"error"`` of an answer."""
    if error["kind"] == "limit":
        return LimitError(error["message"], "limit", error.get("at"), error.get("help") or _MORE)
    place, readings = error.get("at"), error.get("readings", ())
    return GrundyError(error["message"], error["kind"], place, error.get("help"), readings)


def of_json(text: str) -> GrundyError:
    """Return the exception for an answer, as JSON text, that has the key ``"error"``."""
    return of_object(json.loads(text)["error"])
