"""Game graphs: labels of all vertices, from arrays, matrices, tables and graphs of others, and back."""

from __future__ import annotations

import functools
import os
from collections.abc import Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from . import _native
from ._ask import ask
from ._position import Position, of
from ._values import Infinity, of_text

if TYPE_CHECKING:
    import networkx
    import pandas

__all__ = ["Label", "Labels", "label"]


class Label:
    """What is known of a vertex: ``outcome``; ``remoteness`` (``None`` for a draw; with own moves a dict by who begins); ``grundy``
    (``None`` where there is none)."""

    __slots__ = ("grundy", "outcome", "remoteness")

    def __init__(self, outcome: str, remoteness: Any, grundy: int | Infinity | None) -> None:
        self.outcome = outcome
        self.remoteness = remoteness
        self.grundy = grundy

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Label):
            return NotImplemented
        mine = (self.outcome, self.remoteness, self.grundy)
        return mine == (other.outcome, other.remoteness, other.grundy)

    def __hash__(self) -> int:
        return hash((self.outcome, repr(self.remoteness), self.grundy))

    def __repr__(self) -> str:
        return f"Label({self.outcome!r}, remoteness={self.remoteness}, grundy={self.grundy})"


class Labels(Mapping[Any, Label]):
    """The labels of all vertices: a mapping from a vertex to its :class:`Label`, and columns as arrays.

    Attributes:
        vertices: The vertices in order: a ``range``, or the list of their names.
        outcome: An array of ``"N"``, ``"P"``, ``"D"``; with own moves of outcome classes, with ties of ``"win"``, ``"tie"``, ``"lose"``.
        remoteness: An array of ``int32``, -1 for a draw; with own moves of the shape (n, 2), when Left begins and when Right does.
        grundy: An array of ``int32``, -1 where the value is infinite; ``None`` where there are no values.
    """

    vertices: Any

    def __init__(self, vertices: Any, columns: _Columns, edges: Any = None) -> None:
        self.vertices = vertices
        self._columns = columns
        self._edges = edges
        names = None if isinstance(vertices, range) else vertices
        self._numbers = None if names is None else {name: number for number, name in enumerate(names)}

    # Each is made when it is asked for: of a large graph not all are wanted.

    @functools.cached_property
    def outcome(self) -> npt.NDArray[np.str_]:
        """Who wins, by the number of the vertex."""
        return self._columns.outcome()

    @functools.cached_property
    def remoteness(self) -> npt.NDArray[np.int32]:
        """Moves left, by the number of the vertex; -1 for a draw."""
        return self._columns.remoteness()

    @functools.cached_property
    def grundy(self) -> npt.NDArray[np.int32] | None:
        """Grundy values, by the number of the vertex; -1 where one is infinite."""
        return self._columns.grundy()

    def __len__(self) -> int:
        return len(self.vertices)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.vertices)

    def __getitem__(self, vertex: Any) -> Label:
        if isinstance(vertex, Position):
            vertex = str(vertex)
        if self._numbers is not None:
            number = self._numbers[vertex]
        else:
            number = int(vertex)
            if not 0 <= number < len(self):
                raise KeyError(vertex)
        moves = [None if count < 0 else int(count) for count in np.atleast_1d(self.remoteness[number])]
        value: int | Infinity | None = None
        if self.grundy is not None:
            value = int(self.grundy[number])
            if value < 0:
                value = Infinity(self._columns.infinity(number) or ())
        remoteness = moves[0] if len(moves) == 1 else dict(zip(("left", "right"), moves))
        return Label(str(self.outcome[number]), remoteness, value)

    def __repr__(self) -> str:
        letters, counts = np.unique(self.outcome, return_counts=True)
        told = ", ".join(f"{count:,} {letter}" for letter, count in zip(letters, counts))
        return f"<labels of {len(self):,} vertices: {told}>"

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame with the columns of the contract: ``position``, ``outcome``, ``remoteness``, ``grundy``."""
        import pandas

        columns: dict[str, Any] = {"position": list(self.vertices), "outcome": self.outcome}
        sides = self.remoteness.T if self.remoteness.ndim == 2 else [self.remoteness]
        names = ["remoteness"] if len(sides) == 1 else ["remoteness_left", "remoteness_right"]
        for name, counts in zip(names, sides):
            columns[name] = pandas.array(counts, dtype="Int64")
            columns[name][counts < 0] = pandas.NA
        if self.grundy is not None:
            columns["grundy"] = [self[vertex].grundy for vertex in self.vertices]
        return pandas.DataFrame(columns)

    def to_networkx(self) -> networkx.DiGraph[Any]:
        """The graph, its vertices with the attributes ``outcome``, ``remoteness`` and ``grundy``. Labels of arrays know the numbers of
        their vertices only, and those of a file its names: there the edges are yours to add."""
        import networkx

        graph: networkx.DiGraph[Any] = networkx.DiGraph()
        for vertex, known in self.items():
            graph.add_node(vertex, outcome=known.outcome, remoteness=known.remoteness, grundy=known.grundy)
        if self._edges is not None:
            graph.add_edges_from(self._edges())
        return graph


def label(
    edges: Any,
    *,
    vertices: int | None = None,
    play: str = "normal",
    ranked: bool = False,
    values: bool = False,
    timeout: float | None = None,
) -> Labels:
    """Labels every vertex of a graph: who wins, how soon, with what value. A vertex is a position, an edge a move.

    Args:
        edges: One of these:

            - an array of shape ``(m, 2)``, or a pair of arrays, sources and targets, of integers from 0: they are read where they stand;
            - a map from each vertex to those that it leads to, or a list of pairs of names;
            - a SciPy sparse matrix, whose entry (v, w) is an edge;
            - a pandas or Arrow table with the columns ``from`` and ``to``, or the path of a file;
            - a NetworkX graph;
            - a position, of which everything that can be reached is labelled.
        vertices: How many vertices there are, where some have no edge.
        play: ``"normal"`` or ``"misere"``.
        ranked: Whether all positions up to a first one are labelled by the ranks that the rules give them, a byte each while that is done.
        values: Whether that finds Grundy values, too.
        timeout: The seconds that it may take, where a position is explored.

    >>> import grundy, numpy
    >>> labels = grundy.label(numpy.array([[0, 1], [1, 0], [1, 2]]))
    >>> labels.outcome, labels[1]
    (array(['P', 'N', 'P'], dtype='<U1'), Label('N', remoteness=1, grundy=1))
    """
    if play not in ("normal", "misere"):
        raise ValueError(f"play: 'normal' or 'misere' is expected, not {play!r}")
    if values and not ranked:
        raise ValueError("values: these are found by ranks: say ranked=True, too")
    if ranked and not isinstance(edges, (Position, str)):
        raise TypeError(
            f"edges: a position is expected, whose rules number their positions, not {type(edges).__name__}"
        )
    misere = play == "misere"
    if isinstance(edges, (Position, str)):
        start = of(edges)

        def arrows() -> Iterator[tuple[Any, Any]]:
            names, numbers = _native.edges(start._inner)
            return ((names[source], names[target]) for source, target in numbers)

        how = {"ranked": True, "values": values} if ranked else {}
        return _of_answer(start._ask("label", {"play": play, **how}, timeout=timeout), None if ranked else arrows)
    if isinstance(edges, Mapping):
        arrows_of = [(source, target) for source, targets in edges.items() for target in targets or [None]]
        return _of_pairs(arrows_of, misere)
    if isinstance(edges, (list, tuple)) and len(edges) and all(_is_named(edge) for edge in edges):
        return _of_pairs(edges, misere)
    if isinstance(edges, os.PathLike):
        file = Path(edges)
        brought = {"game": str(file), "files": {str(file): file.read_text(encoding="utf-8")}}
        return _of_answer(ask("label", {**brought, "play": play}, timeout=timeout))
    kind = type(edges)
    module = kind.__module__.split(".")[0]
    if module == "networkx":
        return _of_networkx(edges, misere)
    if module == "scipy" or hasattr(edges, "tocsr"):
        sparse: Any = edges
        rows = sparse.tocsr()
        if rows.shape[0] != rows.shape[1]:
            raise ValueError(f"edges: a square matrix is expected, not one of the shape {rows.shape}")
        rows = rows.copy() if rows.nnz and not rows.data.all() else rows
        rows.eliminate_zeros()
        held = _native.label_rows(_index(rows.indptr, "indptr"), _index(rows.indices, "indices"), misere)
        return _of_native(held)
    table = columns(edges)
    if table is not None:
        return _of_columns(*table, vertices, misere)
    if isinstance(edges, tuple) and len(edges) == 2 and not np.isscalar(edges[0]):
        sources, targets = (np.asarray(side) for side in edges)
    else:
        array = np.asarray(edges)
        if array.size == 0:
            array = array.reshape(0, 2).astype(np.int64)
        if array.ndim != 2 or array.shape[1] != 2:
            raise TypeError(f"edges: an array of the shape (m, 2) is expected, not {_described(edges)}")
        array = _index(array, "edges")
        if array.flags.c_contiguous:
            return _of_native(_native.label_pairs(array, vertices, misere))
        sources, targets = array[:, 0], array[:, 1]
    held = _native.label_edges(_index(sources, "edges"), _index(targets, "edges"), vertices, misere)
    return _of_native(held)


def _described(edges: Any) -> str:
    shape = getattr(edges, "shape", None)
    return f"one of the shape {shape}" if shape is not None else type(edges).__name__


def _index(array: Any, name: str) -> npt.NDArray[Any]:
    """An array of a type that numbers of vertices have; it is copied only where its type is another."""
    numbers = np.asarray(array)
    if numbers.dtype in (np.int64, np.int32, np.uint32, np.uint64):
        return numbers
    if numbers.size == 0:
        return numbers.astype(np.int64)
    if not np.issubdtype(numbers.dtype, np.integer):
        raise TypeError(f"{name}: vertices are integers, not values of the type {numbers.dtype}")
    return numbers.astype(np.int64)


class _Columns(Protocol):
    """Where the columns of labels come from."""

    def outcome(self) -> npt.NDArray[np.str_]: ...

    def remoteness(self) -> npt.NDArray[np.int32]: ...

    def grundy(self) -> npt.NDArray[np.int32] | None: ...

    def infinity(self, vertex: int) -> Iterable[int] | None: ...


class _LabelRows:
    """Labels that the library holds."""

    def __init__(self, held: _native.Labels) -> None:
        self.held = held
        self.remoteness = held.remoteness
        self.grundy = held.grundy
        self.infinity = held.infinity

    def outcome(self) -> npt.NDArray[np.str_]:
        return self.held.outcomes().view("<U1")


class _Told:
    """Labels that were told as rows of a table."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows
        self.values = [_value(row.get("grundy")) for row in rows]

    def outcome(self) -> npt.NDArray[np.str_]:
        return np.array([row["outcome"] for row in self.rows])

    def remoteness(self) -> npt.NDArray[np.int32]:
        moves: list[Any] = []
        for row in self.rows:
            # With own moves there is a column for each who may begin.
            names = ["remoteness_left", "remoteness_right"] if "remoteness_left" in row else ["remoteness"]
            sides = [-1 if row.get(name) is None else row[name] for name in names]
            moves.append(sides if len(sides) == 2 else sides[0])
        return np.array(moves, dtype=np.int32)

    def grundy(self) -> npt.NDArray[np.int32] | None:
        if any(value is None for value in self.values):
            return None
        return np.array([value if isinstance(value, int) else -1 for value in self.values], dtype=np.int32)

    def infinity(self, vertex: int) -> Iterable[int] | None:
        value = self.values[vertex]
        return value if isinstance(value, Infinity) else None


def _of_native(held: _native.Labels, names: Any = None, edges: Any = None) -> Labels:
    return Labels(range(len(held)) if names is None else names, _LabelRows(held), edges)


def _is_named(edge: Any) -> bool:
    """Whether an edge is a pair of names, which are no numbers."""
    return isinstance(edge, (list, tuple)) and len(edge) == 2 and isinstance(edge[0], (str, tuple))


def _of_pairs(edges: Any, misere: bool) -> Labels:
    numbers: dict[Hashable, int] = {}
    starts, ends = [], []
    for source, target in edges:
        start = numbers.setdefault(source, len(numbers))
        if target is not None:
            starts.append(start)
            ends.append(numbers.setdefault(target, len(numbers)))
    return _named(list(numbers), starts, ends, misere)


def _of_columns(sources: Any, targets: Any, vertices: int | None, misere: bool) -> Labels:
    """Edges of a table: vertices are numbers, or whatever else has an equality."""
    first, second = np.asarray(sources), np.asarray(targets)
    if np.issubdtype(first.dtype, np.integer) and np.issubdtype(second.dtype, np.integer):
        held = _native.label_edges(_index(first, "from"), _index(second, "to"), vertices, misere)
        return _of_native(held)
    return _of_pairs(pairs(first, second), misere)


def pairs(sources: Any, targets: Any) -> Iterator[tuple[Any, Any]]:
    """The edges of two columns; a row without a target is a vertex without moves, whose target is ``None``."""
    for source, target in zip(np.asarray(sources).tolist(), np.asarray(targets).tolist()):
        # What is missing in a column of numbers is not equal to itself.
        missing = target is None or target == "" or target != target
        yield source, None if missing else target


def _named(names: list[Any], starts: list[int], ends: list[int], misere: bool) -> Labels:
    held = _native.label_edges(np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64), len(names), misere)

    def edges() -> Iterator[tuple[Any, Any]]:
        return ((names[start], names[end]) for start, end in zip(starts, ends))

    return _of_native(held, names, edges)


def _of_networkx(graph: Any, misere: bool) -> Labels:
    names = list(graph.nodes)
    numbers = {name: number for number, name in enumerate(names)}
    pairs = [(numbers[source], numbers[target]) for source, target in graph.edges()]
    if not graph.is_directed():
        pairs += [(target, source) for source, target in pairs if source != target]
    return _named(names, [start for start, _ in pairs], [end for _, end in pairs], misere)


def columns(edges: Any) -> tuple[Any, Any] | None:
    """The columns ``from`` and ``to`` of a table of pandas or Arrow."""
    names = getattr(edges, "column_names", None) or getattr(edges, "columns", None)
    if names is None:
        return None
    known = list(names)
    if "from" not in known or "to" not in known:
        raise ValueError(f"edges: a table has the columns 'from' and 'to', and this one {known}")
    return edges["from"], edges["to"]


def _of_answer(answer: dict[str, Any], edges: Any = None) -> Labels:
    """Labels as the contract writes them."""
    rows = answer["positions"]
    return Labels([row["position"] for row in rows], _Told(rows), edges)


def _value(value: Any) -> int | Infinity | None:
    if isinstance(value, str):
        return of_text(value)
    if isinstance(value, dict):
        return Infinity(value["infinity"])
    return value  # type: ignore[no-any-return]
