"""The compiled extension module. It is private: use the functions of the package instead."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "EmptyBoard",
    "Labels",
    "Position",
    "Rows",
    "Rule",
    "RuleText",
    "Sum",
    "Table",
    "__version__",
    "ask",
    "construct",
    "edges",
    "games",
    "label_edges",
    "label_pairs",
    "label_rows",
    "picture",
    "read",
    "sequence",
    "solve_many",
    "values",
]
__version__: str

_ProgressCallback: TypeAlias = Callable[[str, tuple[int, int] | None], None]
_Column: TypeAlias = npt.NDArray[Any]

@final
class Position:
    def plus(self, others: Sequence[Position]) -> Position: ...
    def negated(self) -> Position: ...
    def terms(self) -> list[tuple[str, Position]]: ...
    def parts(self) -> list[Position]: ...
    def places(self) -> list[Any] | None: ...
    def nature(self) -> tuple[bool, bool]: ...
    def component_count(self) -> int: ...
    def moves(self, by: str | None, most: int) -> list[tuple[str, list[int], int, Position]]: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Rule:
    def __new__(
        cls,
        name: str,
        moves: Callable[[Any], Any] | None = None,
        left: Callable[[Any], Any] | None = None,
        right: Callable[[Any], Any] | None = None,
        value: Callable[[Any], Any] | None = None,
        endless: str = "draw",
    ) -> Rule: ...
    def at(self, start: Any) -> Position: ...

@final
class EmptyBoard:
    def __new__(cls, rows: int, columns: int) -> EmptyBoard: ...

@final
class Sum:
    def __new__(cls, parts: Sequence[Any]) -> Sum: ...

@final
class RuleText:
    def __new__(cls, name: str, source: str) -> RuleText: ...
    @property
    def source(self) -> str: ...

@final
class Labels:
    def __len__(self) -> int: ...
    def outcomes(self) -> npt.NDArray[np.uint32]: ...
    def remoteness(self) -> npt.NDArray[np.int32]: ...
    def grundy(self) -> npt.NDArray[np.int32] | None: ...
    def infinity(self, vertex: int) -> list[int] | None: ...

@final
class Rows:
    def __new__(cls, name: str, numbers: npt.NDArray[np.int64]) -> Rows: ...
    def __len__(self) -> int: ...
    def at(self, index: int) -> Position: ...

@final
class Table:
    def __new__(
        cls, place: str, seconds: float | None = None, positions: int | None = None, memory: int | None = None
    ) -> Table: ...
    def probe(self, position: str, play_name: str, moves: bool, seconds: float | None) -> str: ...
    def contains(self, position: str, seconds: float | None) -> bool: ...
    def manifest(self) -> str: ...
    def close(self) -> None: ...

def construct(name: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Position: ...
def read(text: str, rules: Sequence[tuple[str, Rule]], file: RuleText | None, files: bool) -> Position: ...
def picture(text: str) -> Position: ...
def games() -> list[tuple[str, str, str]]: ...
def ask(
    command: str,
    question: str,
    it: Position | None,
    rules: Sequence[tuple[str, Rule]],
    file: RuleText | None = None,
    tables: str | None = None,
    seconds: float | None = None,
    positions: int | None = None,
    memory: int | None = None,
    progress: _ProgressCallback | None = None,
    other: Position | None = None,
) -> tuple[str, bool]: ...
def solve_many(
    positions: Rows | Sequence[Position],
    play_name: str,
    remoteness: bool,
    threads: int | None = None,
    seconds: float | None = None,
    most: int | None = None,
    memory: int | None = None,
    progress: _ProgressCallback | None = None,
) -> list[str]: ...
def values(
    positions: Rows | Sequence[Position],
    of: str,
    play_name: str,
    threads: int | None = None,
    most: int | None = None,
    memory: int | None = None,
) -> npt.NDArray[Any]: ...
def sequence(
    family: str, count: int, memory: int | None = None, progress: _ProgressCallback | None = None
) -> npt.NDArray[Any]: ...
def edges(position: Position) -> tuple[list[str], list[tuple[int, int]]]: ...
def label_edges(sources: _Column, targets: _Column, vertices: int | None = None, misere: bool = False) -> Labels: ...
def label_pairs(pairs: npt.NDArray[Any], vertices: int | None = None, misere: bool = False) -> Labels: ...
def label_rows(offsets: _Column, targets: _Column, misere: bool = False) -> Labels: ...
