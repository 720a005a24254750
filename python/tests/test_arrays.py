"""Tests of functions on arrays: sequences, tables, labels, bulk solving."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import grundy


def by_definition(edges: np.ndarray, count: int) -> list[str]:
    """Return the outcomes of a graph by retrograde analysis, repeated until nothing changes."""
    options = [set(edges[edges[:, 0] == vertex, 1].tolist()) for vertex in range(count)]
    known: dict[int, str] = {}
    changed = True
    while changed:
        changed = False
        for vertex in range(count):
            if vertex in known:
                continue
            outcomes = [known.get(option) for option in options[vertex]]
            if "P" in outcomes:
                known[vertex] = "N"
            elif all(outcome == "N" for outcome in outcomes):
                known[vertex] = "P"
            else:
                continue
            changed = True
    return [known.get(vertex, "D") for vertex in range(count)]


def test_sequences() -> None:
    values = grundy.sequence("0.77", 200)
    assert values.dtype == np.uint8
    assert values.tolist() == [grundy.kayles(n).grundy for n in range(200)]
    assert values.flags.owndata or values.base is not None
    assert len(grundy.sequence("0.77", 0)) == 0
    assert grundy.sequence("grundys_game(n)", 30).tolist() == [grundy.grundys_game(n).grundy for n in range(30)]
    assert grundy.sequence("laskers_nim(n)", 300).dtype == np.uint16


def test_tables() -> None:
    one = grundy.table("kayles(n)", n=range(20), pattern=True)
    assert one.grundy.tolist() == grundy.sequence("0.77", 20).tolist()
    assert one.outcome.tolist() == ["P" if value == 0 else "N" for value in one.grundy]
    assert one.findings
    two = grundy.table("nim(a, b)", a=(0, 4), b="0..6")
    assert two.grundy.shape == (5, 7)
    assert two.grundy[3, 5] == 3 ^ 5
    frame = two.to_pandas()
    assert list(frame.columns) == ["a", "b", "grundy", "outcome"]
    assert frame[(frame.a == 3) & (frame.b == 5)].grundy.item() == 6
    misere = grundy.table("nim(n, n)", n=range(5), play="misere")
    with pytest.raises(AttributeError):
        misere.grundy
    loops = grundy.table('graph({"a": ["a"]}, "a") + nim(n)', n=range(3))
    assert loops.grundy.tolist() == [grundy.Infinity()] * 3


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint32, np.uint64, np.int16, np.uint8])
def test_labels_of_random_graphs(dtype: type) -> None:
    generator = np.random.default_rng(7)
    for _ in range(20):
        count = int(generator.integers(1, 40))
        edges = generator.integers(0, count, (int(generator.integers(0, 80)), 2)).astype(dtype)
        labels = grundy.label(edges, vertices=count)
        expected = by_definition(edges.astype(int), count)
        assert labels.outcome.tolist() == expected
        assert len(labels) == count
        for vertex, known in labels.items():
            assert known.outcome == expected[vertex]
            assert (known.remoteness is None) == (known.outcome == "D")
            if known.outcome == "P":
                assert known.grundy == 0


def test_every_way_to_give_a_graph(tmp_path: Path, root: Path) -> None:
    import networkx
    import pandas
    import pyarrow
    import scipy.sparse

    edges = np.array([[0, 1], [1, 0], [1, 2], [3, 0]])
    expected = grundy.label(edges)
    outcomes = expected.outcome.tolist()
    pair = (np.ascontiguousarray(edges[:, 0]), np.ascontiguousarray(edges[:, 1]))
    strided = np.repeat(edges, 2, axis=0)[::2]
    frame = pandas.DataFrame(edges, columns=["from", "to"])
    matrix = scipy.sparse.coo_matrix((np.ones(4), (edges[:, 0], edges[:, 1])), shape=(4, 4))
    zero = scipy.sparse.coo_matrix(
        (np.array([1, 1, 1, 1, 0]), (np.append(edges[:, 0], 2), np.append(edges[:, 1], 3))), shape=(4, 4)
    )
    table = pyarrow.table({"from": edges[:, 0], "to": edges[:, 1]})
    for given in (pair, strided, edges.tolist(), frame, matrix, zero, table):
        assert grundy.label(given).outcome.tolist() == outcomes
    graph = networkx.DiGraph(edges.tolist())
    labels = grundy.label(graph)
    assert [labels[vertex].outcome for vertex in range(4)] == outcomes
    names = networkx.relabel_nodes(graph, {0: "zero", 1: "one", 2: "two", 3: "three"})
    labelled = grundy.label(names).to_networkx()
    assert labelled.nodes["zero"]["outcome"] == outcomes[0]
    assert set(labelled.edges) == set(names.edges)
    arrows = {"zero": ["one"], "one": ["zero", "two"], "three": ["zero"], "two": []}
    pairs = [("zero", "one"), ("one", "zero"), ("one", "two"), ("three", "zero")]
    for named in (arrows, pairs, pandas.DataFrame(pairs, columns=["from", "to"])):
        assert grundy.label(named)["three"] == expected[3]
    file = tmp_path / "edges.csv"
    file.write_text("from,to\n0,1\n1,0\n1,2\n3,0\n")
    assert grundy.label(file)["3"] == expected[3]
    position = grundy.graph(names, "three")
    assert position.outcome == outcomes[3]
    assert grundy.graph(str(file), "3").outcome == outcomes[3]
    assert grundy.graph(frame, "3").outcome == outcomes[3]
    with pytest.raises(grundy.GrundyError, match="vertices"):
        grundy.label(edges, vertices=3)
    with pytest.raises(ValueError, match="square"):
        grundy.label(scipy.sparse.coo_matrix((3, 4)))
    with pytest.raises(ValueError, match="'from' and 'to'"):
        grundy.label(frame.rename(columns={"to": "where"}))
    assert len(grundy.label([])) == 0
    assert grundy.label(edges, play="misere").grundy is None


def test_labels_of_positions() -> None:
    labels = grundy.label(grundy.chomp(3, 2))
    for vertex, known in labels.items():
        position = grundy.position(vertex)
        assert (known.outcome, known.grundy, known.remoteness) == (
            position.outcome,
            position.grundy,
            position.remoteness,
        )
    graph = labels.to_networkx()
    assert set(graph.successors("chomp(3, 2)")) == {str(option) for option in grundy.chomp(3, 2).options()}
    own = grundy.label(grundy.domineering(["..", ".."]))
    assert own.remoteness.shape == (len(own), 2)
    assert own[grundy.domineering(["..", ".."])].outcome == "N"
    assert len(own.to_pandas()) == len(own)


def test_many_positions_at_once() -> None:
    positions = [grundy.nim(a, b) + grundy.kayles(c) for a in range(5) for b in range(5) for c in range(20)]
    values = grundy.solve_many(positions, of="grundy")
    assert values.tolist() == [a ^ b ^ int(c) for a in range(5) for b in range(5) for c in grundy.sequence("0.77", 20)]
    outcomes = grundy.solve_many(positions, of="outcome", threads=3)
    assert outcomes.tolist() == ["P" if value == 0 else "N" for value in values]
    answers = grundy.solve_many(positions, threads=2)
    for position, answer in zip(positions[::37], answers[::37], strict=True):
        assert answer.to_dict() == position.solve().to_dict()
    rows = grundy.rows(grundy.nim, np.arange(30).reshape(10, 3))
    assert [str(position) for position in rows[:2]] == ["nim(0, 1, 2)", "nim(3, 4, 5)"]
    assert grundy.solve_many(rows, of="grundy").tolist() == [position.grundy for position in rows]
    assert grundy.solve_many([]) == []
    assert grundy.solve_many([], of="outcome").tolist() == []
    assert grundy.solve_many(["domineering(['..', '..'])"], of="outcome").tolist() == ["N"]
    with pytest.raises(grundy.GrundyError, match=r"positions\[1\]"):
        grundy.solve_many(grundy.rows(grundy.nim, [[1], [-1]]), of="grundy")
    late = grundy.solve_many([grundy.domineering(["......"] * 7), grundy.nim(1)], timeout=0.1)
    assert [answer.status for answer in late] == ["partial", "exact"]


def test_matrices() -> None:
    solved = grundy.matrix(np.array([[2, -1], [-1, 1]]))
    assert solved.value == Fraction(1, 5)
    assert sum(solved.row_strategy) == 1
    assert (
        grundy.matrix([[0.1, Fraction(1, 3)], ["1/2", 0]]).value
        == Fraction(1, 10)
        + (Fraction(1, 3) - Fraction(1, 10)) * grundy.matrix([[0.1, Fraction(1, 3)], ["1/2", 0]]).col_strategy[1]
    )
    assert grundy.matrix([[1, 2], [3, 4]]).saddle_points == [[1, 0]]
    assert grundy.matrix([[2, -1], [-1, 1]]).svg.startswith("<svg")
    assert grundy.matrix(np.eye(3, dtype=int)).svg is None
    given = grundy.matrix([[2, -1], [-1, 1]], row_strategy=[Fraction(1, 2), 0.5], col_strategy=["1", "0"])
    assert Fraction(given.expected_payoff) == Fraction(1, 2)


def test_matrices_with_names_and_two_payoffs() -> None:
    import pandas

    frame = pandas.DataFrame([[1.5, -2], [0, 0.25]], index=["up", "down"], columns=["left", "right"])
    solved = grundy.matrix(frame)
    assert solved.value == Fraction(1, 10)
    assert (solved.row_names, solved.col_names) == (["up", "down"], ["left", "right"])
    assert (solved.values, solved.constant) == (None, None)
    assert grundy.matrix(pandas.DataFrame([[1, 2], [3, 4]])).row_names is None
    shared = grundy.matrix(np.array([[[2, 0], [0, 2]], [[0, 2], [1, 1]]]))
    assert (shared.values, shared.constant) == ([Fraction(2, 3), Fraction(4, 3)], 2)
    assert grundy.matrix([[(2, 0), (0, 2)], [(0, 2), (1, 1)]]).value == Fraction(2, 3)
    for text in (str(np.array([[0.0, -1.0], [1.0, 0.0]])), repr(np.array([[0, -1], [1, 0]])), "[0 -1; 1 0]"):
        assert grundy.matrix(text).value == 0
    assert grundy.matrix(frame.to_csv()).row_names == ["up", "down"]
    assert grundy.matrix(frame.to_json(orient="split")).col_names == ["left", "right"]
    assert grundy.matrix(str(frame)).row_names == ["up", "down"]
    with pytest.raises(grundy.GrundyError, match="add up to"):
        grundy.matrix([[(3, 3), (0, 5)], [(5, 0), (1, 1)]])


def test_certificates() -> None:
    found = grundy.period("0.137")
    assert grundy.verify(found.certificate).valid
    assert grundy.verify(json.loads(found.certificate)).valid
    forged = {**json.loads(found.certificate), "period": 33}
    with pytest.raises(grundy.GrundyError):
        grundy.verify(forged)
    from grundy import verifier

    assert verifier.verify(found.certificate)
    with pytest.raises(verifier.Refused):
        verifier.verify(forged)
    unknown = grundy.period("grundys_game(n)", max=500)
    assert unknown.status == "partial"
    assert unknown.period is None
    assert unknown.certificate is None


def test_repeated_calls_do_not_leak() -> None:
    """Check that repeated calls do not leak memory."""
    import resource

    def call_everything() -> None:
        for n in range(2000):
            grundy.nim(n, 3).solve()
            grundy.matrix([[n, 1], [0, 2]])
            with pytest.raises(grundy.GrundyError):
                grundy.nim(-n - 1)
        rule = grundy.game(lambda p: [(p[0] - 1, object)] if p[0] else [])
        for n in range(500):
            assert rule((n % 40, object)).outcome in "NP"
        grundy.label(np.random.default_rng(1).integers(0, 1000, (100_000, 2)))
        pickle.loads(pickle.dumps(grundy.nim(3) + grundy.kayles(4)))

    call_everything()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(4):
        call_everything()
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after - before < 20_000, "KiB"


def test_labels_by_rank_equal_those_of_reachable_positions() -> None:
    start = grundy.chomp(3, 3, 2)
    found, ranked = grundy.label(start), grundy.label(grundy.chomp(3, 3, 3), ranked=True, values=True)
    for vertex, label in found.items():
        assert ranked[vertex] == label, vertex
    assert len(ranked) == 19
    misere = grundy.label(grundy.nim(3, 2), ranked=True, play="misere")
    assert misere.grundy is None
    assert misere["nim(0, 0)"].outcome == "N"
    with pytest.raises(ValueError, match="ranked=True"):
        grundy.label(start, values=True)
    with pytest.raises(TypeError, match="expected a position"):
        grundy.label([("a", "b")], ranked=True)
    with pytest.raises(grundy.GrundyError, match="do not number the positions"):
        grundy.label(grundy.kayles(3), ranked=True)
