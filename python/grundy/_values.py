"""Infinite Sprague-Grundy values, of loopy positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

__all__ = ["Infinity"]


class Infinity:
    """The infinite value of a loopy position, with the set K of finite values among its options.

    Two infinite values are equal if their sets are. The position is an N-position if 0 is in K, and
    a draw otherwise.

    >>> import grundy
    >>> value = (grundy.graph({"a": ["a", "b"], "b": []}, "a")).grundy
    >>> value
    inf{0}
    >>> 0 in value, sorted(value)
    (True, [0])
    """

    __slots__ = ("over",)

    over: frozenset[int]
    """The set K of finite values among the options."""

    def __init__(self, over: Iterable[int] = ()) -> None:
        object.__setattr__(self, "over", frozenset(over))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("values are immutable")

    def __contains__(self, value: object) -> bool:
        return value in self.over

    def __iter__(self) -> Iterator[int]:
        return iter(sorted(self.over))

    def __len__(self) -> int:
        return len(self.over)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Infinity) and self.over == other.over

    def __hash__(self) -> int:
        return hash(("grundy.Infinity", self.over))

    def __repr__(self) -> str:
        return "inf{" + ", ".join(map(str, self)) + "}"

    def _repr_latex_(self) -> str:
        inside = ", ".join(map(str, self))
        return rf"$\infty_{{\{{{inside}\}}}}$" if self.over else r"$\infty$"

    def __reduce__(self) -> tuple[Any, ...]:
        return Infinity, (sorted(self.over),)


def of_json(value: Any) -> int | Infinity | None:
    """Parse a Grundy value in JSON: a number, ``{"infinity": [...]}``, or ``None``."""
    if isinstance(value, dict):
        return Infinity(value["infinity"])
    return value  # type: ignore[no-any-return]


def of_text(text: str) -> int | Infinity | None:
    """Parse a Grundy value in a table of labels: ``7``, ``inf{0,2}``, or an empty text."""
    if not text:
        return None
    if text.startswith("inf{"):
        inside = text[4:-1]
        return Infinity(int(number) for number in inside.split(",") if number)
    return int(text)
