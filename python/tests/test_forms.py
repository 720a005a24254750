"""Tests of values: the table of known values, comparisons, negatives, display and errors."""

from __future__ import annotations

import csv
import json
import pickle
import re
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

import pytest

import grundy

from .conftest import ROOT

with (ROOT / "testdata" / "partizan-values.tsv").open(encoding="utf-8", newline="") as file:
    KNOWN = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))

# The rows of short positions. Other rows test operators on values, or counts.
TRIED = [
    row for row in KNOWN if row["game"].split("(")[0] in grundy.__all__ and len(row["game"]) < 48 and row["mean"] != "-"
]


def walls(graph: grundy.Thermograph) -> str:
    """Return the walls in the format of the table."""
    return " / ".join(" ".join(f"{t}:{x}" for t, x in wall) for wall in (graph.left, graph.right))


def test_values_match_the_table() -> None:
    assert len(TRIED) > 150, "the table has shrunk"
    for row in TRIED:
        told = row["game"]
        # The table writes the games of an ordinal sum as values; as arguments they are literals.
        literals = told.startswith("ordinal_sum(")
        found = grundy.value(re.sub(r'("[^"]*")', r"literal(\1)", told) if literals else told)
        # The canonical forms may be written differently, so the games are compared.
        assert grundy.compare(grundy.literal(found.value), grundy.literal(row["value"])) == "=", told
        assert found.outcome == row["outcome"], told
        assert (found.left_stop, found.right_stop) == (Fraction(row["left_stop"]), Fraction(row["right_stop"])), told
        assert (found.mean, found.temperature) == (Fraction(row["mean"]), Fraction(row["temperature"])), told
        assert walls(found.thermograph) == row["thermograph"], told
        assert (found.thermograph.mean, found.thermograph.temperature) == (found.mean, found.temperature), told
        assert found.birthday == int(row["birthday"]), told
        assert (found.atomic_weight is None) == (row["atomic_weight"] == "-"), told
        if found.atomic_weight is not None:
            assert grundy.compare(grundy.literal(found.atomic_weight), grundy.literal(row["atomic_weight"])) == "=", (
                told
            )
        assert grundy.compare(grundy.literal(found.reduced), grundy.literal(row["reduced"])) == "=", told
        number = found.left_stop if found.left_stop == found.right_stop else None
        assert found.number_part == number, told


def test_operations_match_the_table() -> None:
    done = {"cool": "cool", "heat": "heat", "norton_product": "norton", "overheat": "overheat"}
    count = 0
    for row in KNOWN:
        name, _, rest = row["game"].rstrip(")").partition("(")
        if name not in done:
            continue
        first, *others = (one.strip().strip('"') for one in rest.split(", "))
        found = grundy.value(grundy.literal(first), **{done[name]: ",".join(others)})
        assert grundy.compare(grundy.literal(found.value), grundy.literal(row["value"])) == "=", row["game"]
        count += 1
    assert count > 8, "the table has shrunk"


def test_boards() -> None:
    assert grundy.board(2, 3) == ["...", "..."]
    assert grundy.board(0, 3) == []
    assert str(grundy.domineering(grundy.board(2, 3))) == str(grundy.position("domineering(board(2, 3))"))
    assert grundy.chomp(grundy.board(3, 4)) == grundy.position("chomp(board(3, 4))")
    changed = grundy.board(2, 3)
    changed[0] = "#.."
    assert str(grundy.domineering(changed)) == 'domineering(["#..", "..."])'
    with pytest.raises(grundy.GrundyError):
        grundy.chomp(changed)
    with pytest.raises(TypeError, match="rows"):
        grundy.board("2", 3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="columns"):
        grundy.board(2, -1)


@pytest.mark.parametrize(
    ("one", "other", "relation"),
    [
        ("literal('^')", "literal('*')", "||"),
        ("literal('^^')", "literal('*')", ">"),
        ("literal('0')", "literal('Tiny(1)')", "<"),
        ("nim(1, 2)", "nim(3)", "="),
        ("domineering(board(2, 3))", "-domineering(board(3, 2))", "="),
        ("literal('1/2') + literal('1/2')", "literal('1')", "="),
    ],
)
def test_comparisons(one: str, other: str, relation: str) -> None:
    turned = {"<": ">", ">": "<"}.get(relation, relation)
    assert grundy.compare(one, other) == relation
    assert grundy.compare(grundy.position(other), grundy.position(one)) == turned


def test_user_rules_are_compared() -> None:
    counter = grundy.game(left=lambda n: [n - 1] if n > 0 else [], right=lambda n: [n + 1] if n < 0 else [])
    assert grundy.value(counter(3)).value == "3"
    assert grundy.compare(counter(3), counter(2)) == ">"
    assert grundy.compare(counter(3), grundy.literal("3")) == "="
    assert grundy.compare(grundy.literal("-2"), counter(-2)) == "="
    assert grundy.value(-counter(3)).value == "-3"
    assert grundy.value(counter(3) - counter(3)).value == "0"


def test_negatives_and_differences() -> None:
    g, h = grundy.domineering(["...", "..."]), grundy.literal("{2|*}")
    assert grundy.value(-g).value == "{1/2|-2}"
    assert -(-g) == g  # noqa: B002
    assert grundy.value(g - g).value == "0"
    assert str(g - h) == str(grundy.position("domineering(board(2, 3)) - literal('{2|*}')"))
    assert 3 * g == g + g + g
    assert -grundy.nim(3) == grundy.nim(3)
    # `==` compares positions, not values.
    assert g != grundy.literal("{2|-1/2}")
    assert grundy.compare(g, grundy.literal("{2|-1/2}")) == "="
    with pytest.raises(TypeError):
        g - 1  # type: ignore[operator]
    with pytest.raises(grundy.GrundyError, match="`k_in_a_row` has no negative"):
        -grundy.tic_tac_toe()


def test_changes() -> None:
    hot = grundy.literal("{2|-1}")
    half = grundy.value(hot, cool=Fraction(1, 2)).value
    assert half == grundy.value(hot, cool=0.5).value == grundy.value(hot, cool="1/2").value == "{3/2|-1/2}"
    assert grundy.value(hot, freeze=True).value == "1/2*"
    assert grundy.value("literal('+-1')", overheat=(1, 1)).value == "+-2"
    assert grundy.value("literal('+-1')", overheat="1,1").value == "+-2"
    assert grundy.value("literal('3')", norton="^").value == "^3"
    assert grundy.value("literal('*')", heat=grundy.value("literal('2')")).value == "+-2"
    assert grundy.value("literal('^')", form=True).value == "{0||0|0}"


@pytest.mark.parametrize(
    ("changes", "error", "named"),
    [
        ({"cool": -1}, grundy.GrundyError, "cool: expected a non-negative number"),
        ({"cool": "1/2", "heat": "{1|2|3}"}, grundy.GrundyError, "heat: "),
        ({"norton": "^", "overheat": ("1", "{")}, grundy.GrundyError, "overheat: "),
        ({"overheat": (1,)}, TypeError, "overheat: expected two games"),
        ({"overheat": (1, None, 2)}, TypeError, "overheat: expected two games"),
        ({"norton": [1]}, TypeError, "norton: "),
        ({"cool": float("nan")}, ValueError, "cool: "),
        ({"cool": True}, TypeError, "cool: "),
    ],
)
def test_bad_changes_name_the_argument(changes: dict[str, object], error: type[Exception], named: str) -> None:
    with pytest.raises(error) as raised:
        grundy.value("nim(3)", **changes)  # type: ignore[arg-type]
    assert str(raised.value).startswith(named)


def test_games_without_a_value() -> None:
    with pytest.raises(grundy.GrundyError, match="the last move decides"):
        grundy.value(grundy.tic_tac_toe())
    with pytest.raises(grundy.GrundyError) as raised:
        grundy.value(grundy.graph({"a": ["b"], "b": ["a"]}, "a"))
    assert raised.value.kind == "cyclic"
    with pytest.raises(TypeError, match="game"):
        grundy.value(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="game"):
        grundy.compare("nim(3)", 3)  # type: ignore[arg-type]


def test_answers_have_text_and_notebook_forms() -> None:
    found = grundy.value(grundy.domineering(grundy.board(2, 3)))
    assert str(found) == "{2|-1/2}"
    assert found._repr_latex_() == r"$\left\{2\mid -\tfrac{1}{2}\right\}$"
    assert found._repr_markdown_().startswith(found._repr_latex_())
    assert "temperature 5/4" in found._repr_markdown_()
    root = ElementTree.fromstring(found.thermograph._repr_svg_())
    assert root.tag.endswith("svg")
    assert found.thermograph == grundy.value("literal('{2|-1/2}')").thermograph
    assert found.thermograph != grundy.value("literal('1')").thermograph
    assert set(found.to_dict()) >= {"value", "outcome", "thermograph", "incentives"}
    assert json.loads(json.dumps(found.to_dict())) == found.to_dict()
    assert found == grundy.value("domineering(board(2, 3))")
    assert found.incentives == {"left": ["{5/2|0}"], "right": ["{5/2|0}"]}
    assert grundy.value("literal('^[3]')").uptimal == "^ + ^<2> + ^<3>"
    assert pickle.loads(pickle.dumps(-grundy.literal("{2|*}"))) == grundy.literal("{*|-2}")


def test_a_limit_keeps_partial_results() -> None:
    with grundy.limits(positions=10), pytest.raises(grundy.LimitError):
        grundy.value(grundy.domineering(grundy.board(5, 5)))


def test_games_are_built_from_games() -> None:
    frogs = grundy.toads_and_frogs("TT.F.F")
    assert (
        grundy.impartial(frogs) == grundy.impartial(G=frogs) == grundy.position('impartial(toads_and_frogs("TT.F.F"))')
    )
    assert str(grundy.impartial(grundy.domineering(grundy.board(2, 2)))) == 'cram(["..", ".."])'
    flower = grundy.ordinal_sum(grundy.nim(1), H=grundy.literal("3"))
    assert str(flower) == 'ordinal_sum(nim(1), literal("3"))'
    assert grundy.value(flower).value == "^[3]*"
    with pytest.raises(grundy.GrundyError, match="G"):
        grundy.impartial(3)  # type: ignore[arg-type]
