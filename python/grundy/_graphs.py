"""Labels of game graphs, given as arrays, sparse matrices, tables or NetworkX graphs."""

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
from ._position import Position, as_position
from ._values import Infinity, of_text

if TYPE_CHECKING:
    import networkx
    import pandas

__all__ = ["Label", "Labels", "label"]


class Label:
    """The label of a vertex.

    Attributes:
        outcome: The outcome.
        remoteness: The remoteness; ``None`` for a draw, and a dictionary with a number for each
            player who may begin in a partizan game.
        grundy: The Sprague-Grundy value, or ``None``.
    """

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
    """The labels of all vertices: a mapping from a vertex to its :class:`Label`, and column arrays.

    Attributes:
        vertices: The vertices in order: a ``range``, or the list of their names.
        outcome: An array of ``"N"``, ``"P"``, ``"D"``; of outcome classes in a partizan game; of
            ``"win"``, ``"tie"``, ``"lose"`` in a game with ties.
        remoteness: An array of ``int32``, with -1 for a draw. In a partizan game it has the shape
            (n, 2), with a column for Left and one for Right moving first.
        grundy: An array of ``int32``, with -1 for an infinite value; ``None`` without values.
    """

    vertices: Any

    def __init__(self, vertices: Any, columns: _Columns, edges: Any = None) -> None:
        self.vertices = vertices
        self._columns = columns
        self._edges = edges
        names = None if isinstance(vertices, range) else vertices
        self._numbers = None if names is None else {name: number for number, name in enumerate(names)}

    # Columns are converted on first access, since callers with large graphs rarely need all.

    @functools.cached_property
    def outcome(self) -> npt.NDArray[np.str_]:
        """The outcomes, indexed by the number of the vertex."""
        return self._columns.outcome()

    @functools.cached_property
    def remoteness(self) -> npt.NDArray[np.int32]:
        """The remotenesses, indexed by the number of the vertex; -1 for a draw."""
        return self._columns.remoteness()

    @functools.cached_property
    def grundy(self) -> npt.NDArray[np.int32] | None:
        """The Grundy values, indexed by the number of the vertex; -1 for an infinite value."""
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
        summary = ", ".join(f"{count:,} {letter}" for letter, count in zip(letters, counts))
        return f"<labels of {len(self):,} vertices: {summary}>"

    def to_pandas(self) -> pandas.DataFrame:
        """Return a data frame with a row for each vertex.

        Its columns are ``position``, ``outcome``, ``remoteness`` (``remoteness_left`` and
        ``remoteness_right`` in a partizan game) and, if known, ``grundy``.
        """
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
        """Return the graph, with ``outcome``, ``remoteness`` and ``grundy`` as vertex attributes.

        Labels made from arrays, from a file or by ranks do not keep the edges, so the graph has
        none.
        """
        import networkx

        graph: networkx.DiGraph[Any] = networkx.DiGraph()
        for vertex, label in self.items():
            graph.add_node(vertex, outcome=label.outcome, remoteness=label.remoteness, grundy=label.grundy)
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
    """Label every vertex of a graph with its outcome, remoteness and Grundy value.

    A vertex is a position and an edge is a move.

    Args:
        edges: One of these:

            - an array of shape ``(m, 2)``, or a pair of arrays (sources, targets), of non-negative
              integers, which are read without a copy;
            - a mapping from each vertex to its options, or a list of pairs of names;
            - a SciPy sparse matrix, in which entry (v, w) is an edge from v to w;
            - a pandas or Arrow table with the columns ``from`` and ``to``, or the path of a file;
            - a NetworkX graph;
            - a position, for the graph of all positions reachable from it.
        vertices: The number of vertices, needed if some have no edge.
        play: ``"normal"`` or ``"misere"``.
        ranked: If true, label all positions of rank up to that of the given one, in a table with
            one byte for each rank. The rules define the ranks.
        values: If true, compute Grundy values too; requires ``ranked``.
        timeout: The time limit in seconds for the exploration of a position.

    >>> import grundy, numpy
    >>> labels = grundy.label(numpy.array([[0, 1], [1, 0], [1, 2]]))
    >>> labels.outcome, labels[1]
    (array(['P', 'N', 'P'], dtype='<U1'), Label('N', remoteness=1, grundy=1))
    """
    if play not in ("normal", "misere"):
        raise ValueError(f"play: expected 'normal' or 'misere', not {play!r}")
    if values and not ranked:
        raise ValueError("values: labelling by rank is required; set ranked=True")
    if ranked and not isinstance(edges, (Position, str)):
        raise TypeError(f"edges: expected a position whose rules rank their positions, not {type(edges).__name__}")
    misere = play == "misere"
    if isinstance(edges, (Position, str)):
        start = as_position(edges)

        def named_edges() -> Iterator[tuple[Any, Any]]:
            names, numbers = _native.edges(start._inner)
            return ((names[source], names[target]) for source, target in numbers)

        options = {"ranked": True, "values": values} if ranked else {}
        return _from_answer(
            start._ask("label", {"play": play, **options}, timeout=timeout), None if ranked else named_edges
        )
    if isinstance(edges, Mapping):
        edge_pairs = [(source, target) for source, targets in edges.items() for target in targets or [None]]
        return _from_pairs(edge_pairs, misere)
    if isinstance(edges, (list, tuple)) and len(edges) and all(_is_named_edge(edge) for edge in edges):
        return _from_pairs(edges, misere)
    if isinstance(edges, os.PathLike):
        file = Path(edges)
        file_keys = {"game": str(file), "files": {str(file): file.read_text(encoding="utf-8")}}
        return _from_answer(ask("label", {**file_keys, "play": play}, timeout=timeout))
    kind = type(edges)
    module = kind.__module__.split(".")[0]
    if module == "networkx":
        return _from_networkx(edges, misere)
    if module == "scipy" or hasattr(edges, "tocsr"):
        sparse: Any = edges
        rows = sparse.tocsr()
        if rows.shape[0] != rows.shape[1]:
            raise ValueError(f"edges: expected a square matrix, not shape {rows.shape}")
        rows = rows.copy() if rows.nnz and not rows.data.all() else rows
        rows.eliminate_zeros()
        native = _native.label_rows(
            _vertex_numbers(rows.indptr, "indptr"), _vertex_numbers(rows.indices, "indices"), misere
        )
        return _from_native(native)
    table = columns(edges)
    if table is not None:
        return _from_columns(*table, vertices, misere)
    if isinstance(edges, tuple) and len(edges) == 2 and not np.isscalar(edges[0]):
        sources, targets = (np.asarray(side) for side in edges)
    else:
        array = np.asarray(edges)
        if array.size == 0:
            array = array.reshape(0, 2).astype(np.int64)
        if array.ndim != 2 or array.shape[1] != 2:
            raise TypeError(f"edges: expected an array of shape (m, 2), not {_describe_argument(edges)}")
        array = _vertex_numbers(array, "edges")
        if array.flags.c_contiguous:
            return _from_native(_native.label_pairs(array, vertices, misere))
        sources, targets = array[:, 0], array[:, 1]
    native = _native.label_edges(_vertex_numbers(sources, "edges"), _vertex_numbers(targets, "edges"), vertices, misere)
    return _from_native(native)


def _describe_argument(edges: Any) -> str:
    shape = getattr(edges, "shape", None)
    return f"shape {shape}" if shape is not None else type(edges).__name__


def _vertex_numbers(array: Any, name: str) -> npt.NDArray[Any]:
    """Return an array of vertex numbers with an integer type that the library accepts.

    The array is copied only if its type differs.
    """
    numbers = np.asarray(array)
    if numbers.dtype in (np.int64, np.int32, np.uint32, np.uint64):
        return numbers
    if numbers.size == 0:
        return numbers.astype(np.int64)
    if not np.issubdtype(numbers.dtype, np.integer):
        raise TypeError(f"{name}: vertices must be integers, not {numbers.dtype}")
    return numbers.astype(np.int64)


class _Columns(Protocol):
    """The columns of the labels of a graph, by the numbers of the vertices."""

    def outcome(self) -> npt.NDArray[np.str_]: ...

    def remoteness(self) -> npt.NDArray[np.int32]: ...

    def grundy(self) -> npt.NDArray[np.int32] | None: ...

    def infinity(self, vertex: int) -> Iterable[int] | None: ...


class _NativeColumns:
    """The columns of labels that are stored in the compiled library."""

    def __init__(self, native: _native.Labels) -> None:
        self.native = native
        self.remoteness = native.remoteness
        self.grundy = native.grundy
        self.infinity = native.infinity

    def outcome(self) -> npt.NDArray[np.str_]:
        return self.native.outcomes().view("<U1")


class _JsonColumns:
    """The columns of labels that are the rows of a JSON answer."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows
        self.values = [_grundy_value(row.get("grundy")) for row in rows]

    def outcome(self) -> npt.NDArray[np.str_]:
        return np.array([row["outcome"] for row in self.rows])

    def remoteness(self) -> npt.NDArray[np.int32]:
        moves: list[Any] = []
        for row in self.rows:
            # Partizan games have one column for each player who may begin.
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


def _from_native(native: _native.Labels, names: Any = None, edges: Any = None) -> Labels:
    return Labels(range(len(native)) if names is None else names, _NativeColumns(native), edges)


def _is_named_edge(edge: Any) -> bool:
    """Return whether an edge is a pair of names, as opposed to a pair of numbers."""
    return isinstance(edge, (list, tuple)) and len(edge) == 2 and isinstance(edge[0], (str, tuple))


def _from_pairs(edges: Any, misere: bool) -> Labels:
    numbers: dict[Hashable, int] = {}
    starts, ends = [], []
    for source, target in edges:
        start = numbers.setdefault(source, len(numbers))
        if target is not None:
            starts.append(start)
            ends.append(numbers.setdefault(target, len(numbers)))
    return _label_named(list(numbers), starts, ends, misere)


def _from_columns(sources: Any, targets: Any, vertices: int | None, misere: bool) -> Labels:
    """Label the edges of a table, whose vertices are numbers or other hashable values."""
    first, second = np.asarray(sources), np.asarray(targets)
    if np.issubdtype(first.dtype, np.integer) and np.issubdtype(second.dtype, np.integer):
        native = _native.label_edges(_vertex_numbers(first, "from"), _vertex_numbers(second, "to"), vertices, misere)
        return _from_native(native)
    return _from_pairs(pairs(first, second), misere)


def pairs(sources: Any, targets: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the edges of two columns.

    A row without a target declares a vertex; its target is ``None``.
    """
    for source, target in zip(np.asarray(sources).tolist(), np.asarray(targets).tolist()):
        # A missing entry of a numeric column is NaN, which differs from itself.
        missing = target is None or target == "" or target != target
        yield source, None if missing else target


def _label_named(names: list[Any], starts: list[int], ends: list[int], misere: bool) -> Labels:
    native = _native.label_edges(np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64), len(names), misere)

    def edges() -> Iterator[tuple[Any, Any]]:
        return ((names[start], names[end]) for start, end in zip(starts, ends))

    return _from_native(native, names, edges)


def _from_networkx(graph: Any, misere: bool) -> Labels:
    names = list(graph.nodes)
    numbers = {name: number for number, name in enumerate(names)}
    pairs = [(numbers[source], numbers[target]) for source, target in graph.edges()]
    if not graph.is_directed():
        pairs += [(target, source) for source, target in pairs if source != target]
    return _label_named(names, [start for start, _ in pairs], [end for _, end in pairs], misere)


def columns(edges: Any) -> tuple[Any, Any] | None:
    """Return the columns ``from`` and ``to`` of a pandas or Arrow table, or ``None``."""
    names = getattr(edges, "column_names", None) or getattr(edges, "columns", None)
    if names is None:
        return None
    available = list(names)
    if "from" not in available or "to" not in available:
        raise ValueError(f"edges: expected a table with the columns 'from' and 'to', not {available}")
    return edges["from"], edges["to"]


def _from_answer(answer: dict[str, Any], edges: Any = None) -> Labels:
    """Return the labels of a JSON answer."""
    rows = answer["positions"]
    return Labels([row["position"] for row in rows], _JsonColumns(rows), edges)


def _grundy_value(value: Any) -> int | Infinity | None:
    if isinstance(value, str):
        return of_text(value)
    if isinstance(value, dict):
        return Infinity(value["infinity"])
    return value  # type: ignore[no-any-return]
