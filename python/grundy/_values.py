"""Values that are no numbers of Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

__all__ = ["Infinity"]


class Infinity:
    """The value of a loopy position that is no number: infinite, over a set K of the finite values among its options.

    Two are equal when their sets are. A position of this value is a draw unless 0 is in K, when it is an N-position.

    >>> import grundy
    >>> value = (grundy.graph({"a": ["a", "b"], "b": []}, "a")).grundy
    >>> value
    inf{0}
    >>> 0 in value, sorted(value)
    (True, [0])
    """

    __slots__ = ("over",)

    over: frozenset[int]
    """The set K."""

    def __init__(self, over: Iterable[int] = ()) -> None:
        object.__setattr__(self, "over", frozenset(over))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a value does not change")

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
    """A Grundy value of the contract: a number, ``{"infinity": [...]}``, or nothing."""
    if isinstance(value, dict):
        return Infinity(value["infinity"])
    return value  # type: ignore[no-any-return]


def of_text(text: str) -> int | Infinity | None:
    """The same as it stands in a table of labels: ``7``, ``inf{0,2}``, or nothing."""
    if not text:
        return None
    if text.startswith("inf{"):
        inside = text[4:-1]
        return Infinity(int(number) for number in inside.split(",") if number)
    return int(text)
