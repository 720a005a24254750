"""Tests of positions as objects: construction, answers, copies and pickling."""

from __future__ import annotations

import copy
import pickle
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import grundy
from grundy._native import games


@pytest.mark.parametrize(
    ("name", "signature", "example"), games(), ids=lambda value: value if str(value).isidentifier() else ""
)
def test_every_constructor_is_a_function(name: str, signature: str, example: str) -> None:
    function = getattr(grundy, name)
    assert function.__name__ == name
    assert name in grundy.__all__
    assert signature in function.__doc__
    namespace = dict(vars(grundy))
    position = eval(example, {"__builtins__": {}}, namespace)
    assert position == grundy.position(example)
    assert grundy.position(str(position)) == position
    assert hash(grundy.position(str(position))) == hash(position)
    assert pickle.loads(pickle.dumps(position)) == position
    answer = position.solve()
    assert answer.game == str(position)
    assert answer.outcome == position.outcome == grundy.solve(example).outcome
    for move in answer.winning_moves if isinstance(answer.winning_moves, list) else []:
        assert position.after(move) == grundy.position(move.to)
    root = ElementTree.fromstring(position._repr_svg_())
    assert root.tag.endswith("svg")
    assert str(position.explain()).strip()
    assert position.misere.position == position


@pytest.mark.parametrize(
    ("name", "signature", "example"), games(), ids=lambda value: value if str(value).isidentifier() else ""
)
def test_docstring_examples_run(name: str, signature: str, example: str) -> None:
    """Check that the example in the docstring of each constructor runs."""
    import doctest

    function = getattr(grundy, name)
    test = doctest.DocTestParser().get_doctest(function.__doc__, {}, name, None, None)
    assert len(test.examples) == 2
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_sums() -> None:
    g, h = grundy.nim(3, 4), grundy.kayles(7)
    assert str(g + h) == "nim(3, 4) + kayles(7)"
    assert (g + h).terms == (g, h)
    assert (g + h).components == (grundy.nim(3), grundy.nim(4), h)
    assert sum([g, h, g]) == g + h + g
    assert 2 * h == h * 2 == h + h
    assert grundy.sum_of([g, h]) == g + h
    assert str(grundy.sum_of([])) == str(0 * g)
    assert (0 * g).outcome == "P"
    assert (g + h).grundy == g.grundy ^ h.grundy
    with pytest.raises(TypeError):
        g + 1  # type: ignore[operator]
    with pytest.raises(ValueError, match="copies"):
        -1 * g


def test_positions_are_immutable() -> None:
    g = grundy.nim(3)
    with pytest.raises(AttributeError):
        g.anything = 1  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        grundy.Position()
    assert copy.copy(g) == copy.deepcopy(g) == g
    assert g != grundy.nim(4)
    assert g != "nim(3)"
    assert {g: 1}[grundy.nim(3)] == 1


def test_values() -> None:
    assert grundy.nim(3, 5).grundy == 6
    assert grundy.domineering(["..", ".."]).grundy is None
    assert grundy.nim(3, 5).misere.outcome == "N"
    loop = grundy.graph({"a": ["b"], "b": ["a"]}, "a")
    assert loop.grundy == grundy.Infinity()
    assert loop.outcome == "D"
    assert loop.remoteness is None
    assert (loop + grundy.nim(2)).grundy == grundy.Infinity()
    assert pickle.loads(pickle.dumps(grundy.Infinity([0, 2]))) == grundy.Infinity({2, 0})
    assert repr(grundy.Infinity([2, 0])) == "inf{0, 2}"


def test_options_follow_the_rules() -> None:
    assert [str(g) for g in grundy.nim(2).options()] == ["nim(0)", "nim(1)"]
    board = grundy.domineering(["..", "#."])
    assert [str(g) for g in board.options("left")] == ['domineering([".#", "##"])']
    assert [str(g) for g in board.options("right")] == ['domineering(["##", "#."])']
    with pytest.raises(ValueError, match="player"):
        board.options("middle")
    with pytest.raises(ValueError, match="the players have different moves"):
        board.options()
    twice = grundy.nim(2) + grundy.kayles(2)
    assert str(twice.moves()[0]) == "in nim(2): take 2 from heap 1"
    with pytest.raises(ValueError, match="ambiguous"):
        twice.after("take 2 from heap 1")
    assert twice.after("in kayles(2): take 2 from heap 1").terms[0] == grundy.nim(2)
    with pytest.raises(ValueError, match="most"):
        grundy.nim(1000).moves(most=10)
    assert grundy.nim(3, 5).after([1, 3]) == grundy.nim(3, 3)
    assert grundy.nim(3, 5).after("nim(3, 3)") == grundy.nim(3, 3)
    with pytest.raises(ValueError, match="not a legal move"):
        grundy.nim(3).after("nim(9)")


def test_languages() -> None:
    english = str(grundy.nim(3, 5).explain())
    chinese = str(grundy.nim(3, 5).explain(lang="zh"))
    assert english.isascii() is False or "Write 3, 5 in binary" in english
    assert "二进制" in chinese
    grundy.lang("zh")
    try:
        assert str(grundy.nim(3, 5).explain()) == chinese
        with pytest.raises(grundy.GrundyError) as told:
            grundy.ask("solve", {"game": "nim(3"})
        assert not told.value.message.isascii()
    finally:
        grundy.lang("en")
    with pytest.raises(ValueError, match="lang"):
        grundy.lang("xx")


def test_limit_errors_carry_partial_answers() -> None:
    board = grundy.domineering(["......"] * 6)
    with pytest.raises(grundy.LimitError) as stopped:
        board.solve(timeout=0.05)
    assert stopped.value.kind == "limit"
    assert stopped.value.partial.status == "partial"
    with grundy.limits(positions=100), pytest.raises(grundy.LimitError):
        board.solve()
    assert grundy.chomp(3, 3, 3).outcome == "N"
    with pytest.raises(ValueError, match="timeout"):
        board.solve(timeout=float("nan"))


def test_pictures() -> None:
    g = grundy.hackenbush("0-1 1-2:r 1-3:b")
    assert g.draw().startswith("<svg")
    assert g._repr_svg_().startswith("<svg")
    assert "tikzpicture" in g.draw("tikz")
    assert grundy.nim(3).draw("terminal").strip()
    assert "digraph" in grundy.nim(2).draw("dot", graph=True)
    why = grundy.nim(3, 5).explain()
    assert "<svg" in why._repr_html_()
    assert why._repr_markdown_().startswith("- ")
    assert "<script" not in why._repr_html_()
    table = grundy.table("wythoff(a, b)", a=range(5), b=range(5))
    assert table._repr_svg_().startswith("<svg")
    assert grundy.period("kayles(n)")._repr_svg_().startswith("<svg")
    assert grundy.solve_tree(grundy.tic_toe())._repr_svg_().startswith("<svg")
    assert grundy.matrix([[1, -1], [0, 2]])._repr_latex_() == (
        r"$v = \tfrac{1}{2},\ p = \left(\tfrac{1}{2}, \tfrac{1}{2}\right),\ q = \left(\tfrac{3}{4}, \tfrac{1}{4}\right)$"
    )


def test_markup_in_names_is_escaped() -> None:
    g = grundy.graph({"<script>": ["b"], "b": []}, "<script>")
    for shown in (g._repr_svg_(), g.solve()._repr_html_(), g.explain()._repr_html_(), g.match()._repr_html_()):
        assert "<script>" not in shown
        assert "&lt;script&gt;" in shown


def test_matches() -> None:
    match = grundy.nim(3, 4, 5).match()
    assert not match.over
    assert match.play("take 2 from heap 1").position == grundy.nim(1, 3, 5) or match.position.outcome == "N"
    while not match.over:
        match.play(match.hint(2).move["move"])
    assert match.board().standing is not None or match.over
    assert match.review().mistakes == []
    before = match.saved
    match.undo().undo()
    match.redo().redo()
    assert match.saved == before
    with pytest.raises(grundy.GrundyError) as told:
        grundy.nim(3).match().play("fly away")
    assert told.value.kind
    with pytest.raises(ValueError, match="level"):
        grundy.nim(3).match(level=11)
    second = grundy.nim(3, 4, 5).match(second=True)
    assert len(second.board().made) == 1


def test_the_widget_agrees_with_the_board() -> None:
    from grundy.widget import Board

    board = Board(grundy.nim(1, 2).match())
    assert board.state["svg"].startswith("<svg")
    write = next(move["write"] for move in board.state["moves"] if move["move"] == "take 1 from heap 2")
    board._handle_board_message(board, {"ask": "play", "move": write}, [])
    assert len(board.state["made"]) == 2
    board._handle_board_message(board, {"ask": "hint", "stage": 1}, [])
    board._handle_board_message(board, {"ask": "undo"}, [])
    assert board.state["made"] == []
    board._handle_board_message(board, {"ask": "play", "move": "nonsense"}, [])
    assert board.state["text"]
    board._handle_board_message(board, "nonsense", [])


WRONG = [
    (lambda: grundy.nim("a"), "type", "argument 1"),
    (lambda: grundy.nim(3, -1), "range", "argument 2"),
    (lambda: grundy.nim(1.5), "type", "argument 1"),
    (lambda: grundy.nim(float("nan")), "type", "argument 1"),
    (lambda: grundy.nim(None), "type", "argument 1"),
    (lambda: grundy.nim(True), "type", "argument 1"),
    (lambda: grundy.nim(2**70), "overflow", "argument 1"),
    (lambda: grundy.nim(-(2**200)), "range", "argument 1"),
    (lambda: grundy.nim(10**10_000), "overflow", "argument 1"),
    (lambda: grundy.nim(object()), "type", "argument 1"),
    (lambda: grundy.nim(b"3"), "type", "argument 1"),
    (lambda: grundy.nim({1}), "type", "argument 1"),
    (lambda: grundy.nim(x=3), "unknown_name", "x"),
    (lambda: grundy.subtraction([1, "x"], 3), "type", "take[1]"),
    (lambda: grundy.subtraction([0], 3), "range", "take[0]"),
    (lambda: grundy.take_and_break("0.?", 3), "syntax", "code"),
    (lambda: grundy.hackenbush("0-"), "syntax", "edges"),
    (lambda: grundy.hackenbush("0-1", ground="x"), "type", "ground"),
    (lambda: grundy.cram(["..", "."]), "illegal_position", "board[1]"),
    (lambda: grundy.cram([".."] * 3 + [7]), "type", "board"),
    (lambda: grundy.northcott(5, [[9, 1]]), "range", "argument 2[0][0]"),
    (lambda: grundy.k_in_a_row(["..."], 3, diagonals=3), "type", "diagonals"),
    (lambda: grundy.kayles_row("1\udcff"), "range", "row"),
    (lambda: grundy.graph({"a": ["b"]}, "c"), "illegal_position", "start"),
    (lambda: grundy.graph("no such file.csv", "c"), "io", ""),
    (lambda: grundy.tic_toe(3), "type", "argument 1"),
    (lambda: grundy.position("nim(3) +"), "syntax", ""),
    (lambda: grundy.position("nim(" * 10_000), "syntax", ""),
    (lambda: grundy.position("nim(3)" + " + nim(3)" * 100_000), None, ""),
    (lambda: grundy.sequence("0.7(", 3), "syntax", ""),
    (lambda: grundy.table("kayles(n)"), "syntax", ""),
    (lambda: grundy.table("kayles(n)", n=range(10), m=range(10)), None, ""),
    (lambda: grundy.period("nim(2)"), None, ""),
    (lambda: grundy.verify("{"), None, ""),
    (lambda: grundy.matrix([[1], [1, 2]]), "illegal_position", ""),
    (lambda: grundy.help("no such game"), "unknown_name", ""),
    (lambda: grundy.ask("fly", {}), "unknown_name", ""),
]


@pytest.mark.parametrize(("call", "kind", "named"), WRONG)
def test_errors_name_their_cause(call: object, kind: str | None, named: str) -> None:
    try:
        call()  # type: ignore[operator]
    except grundy.GrundyError as error:
        assert kind in (None, error.kind), error
        assert named in error.message
        assert pickle.loads(pickle.dumps(error)).message == error.message
    else:
        assert kind is None


TYPES = [
    lambda: grundy.position(3),
    lambda: grundy.solve(3),
    lambda: grundy.label("nim(", play="x"),
    lambda: grundy.label(3),
    lambda: grundy.label([[1, 2, 3]]),
    lambda: grundy.label(np.array([[0.5, 1]])),
    lambda: grundy.label(np.array([["a", "b"]])),
    lambda: grundy.sequence("0.7", 1.5),
    lambda: grundy.sequence("0.7", -1),
    lambda: grundy.sequence(7, 3),
    lambda: grundy.table("kayles(n)", n=range(0, 10, 2)),
    lambda: grundy.table("kayles(n)", n="x"),
    lambda: grundy.table(3, n=range(3)),
    lambda: grundy.matrix([[1, None]]),
    lambda: grundy.matrix([[float("inf")]]),
    lambda: grundy.verify(3),
    lambda: grundy.rows(grundy.nim, [1, 2]),
    lambda: grundy.rows(grundy.nim, [[0.5]]),
    lambda: grundy.rows("no such game", [[1]])[0],
    lambda: grundy.solve_many([3]),
    lambda: grundy.solve_many(["nim(1)"], of="x"),
    lambda: grundy.nim(3).solve(play="x"),
    lambda: grundy.nim(3).draw("png"),
    lambda: grundy.nim(3).match(level="x"),
    lambda: grundy.sum_of([grundy.nim(1), 3]),
    lambda: grundy.tablebase("no such folder"),
    lambda: grundy.game(),
    lambda: grundy.game(3),
    lambda: grundy.game("moves", 3),
    lambda: grundy.game(left=lambda n: []),
    lambda: grundy.RuleFile("def moves(n"),
]


@pytest.mark.parametrize("call", TYPES)
def test_wrong_types_are_exceptions(call: object) -> None:
    with pytest.raises((TypeError, ValueError, FileNotFoundError)) as told:
        call()  # type: ignore[operator]
    assert str(told.value)
