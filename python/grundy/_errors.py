"""What can go wrong, as exceptions."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["GrundyError", "LimitError"]


_MORE = "allow more: with grundy.limits(seconds=..., positions=..., memory=..., output=...)"


class GrundyError(ValueError):
    """Something that is no position, no question, or not to be had.

    Attributes:
        kind: What kind of error it is: ``"syntax"``, ``"type"``, ``"range"``, ``"overflow"``, ``"unknown_name"``,
            ``"illegal_position"``, ``"illegal_move"``, ``"encoding"``, ``"io"``, ``"limit"``, ``"not_impartial"``, ``"cyclic"`` or
            ``"internal"``.
        message: One sentence that says what is wrong.
        at: Where it stands in a text: a dict with ``offset`` (in bytes), ``line`` and ``column``; else ``None``.
        help: What to do instead, where there is something to say.

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
    ) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind
        self.at = at
        self.help = help

    def __str__(self) -> str:
        place = ""
        if self.at is not None:
            line, column = self.at["line"], self.at["column"]
            place = f" (line {line}, column {column})" if line > 1 else f" (column {column})"
        advice = f"\n  {self.help}" if self.help else ""
        return f"{self.message}{place}{advice}"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.kind, self.at, self.help)


class LimitError(GrundyError):
    """A limit on time, positions or memory has ended the work.

    Attributes:
        partial: What is known all the same, as the answer that was asked for; ``None`` where that is nothing.
    """

    partial: Any = None


def of_object(error: dict[str, Any]) -> GrundyError:
    """The exception for the value of ``"error"`` in an error object of the contract."""
    if error["kind"] == "limit":
        return LimitError(error["message"], "limit", error.get("at"), error.get("help") or _MORE)
    return GrundyError(error["message"], error["kind"], error.get("at"), error.get("help"))


def of_json(text: str) -> GrundyError:
    """The exception for an error object in JSON."""
    return of_object(json.loads(text)["error"])
