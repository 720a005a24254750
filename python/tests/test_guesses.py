"""Tests of texts that are not in the notation but have an obvious meaning."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

import grundy

ROOT = Path(__file__).parents[2]
GUESSES = dict(json.loads((ROOT / "testdata/guesses.json").read_text(encoding="utf-8"))) | {
    "nim(*[3, 4, 5])": "nim(3, 4, 5)",
    "sum_of([nim(3)] * 2)": "nim(3) + nim(3)",
}


@pytest.mark.parametrize("text", GUESSES)
def test_an_obvious_meaning_is_read(text: str) -> None:
    position = grundy.position(text)
    assert str(position) == GUESSES[text]
    # The same position, reached through the notation.
    assert grundy.solve(text).outcome == grundy.position(GUESSES[text]).outcome


def test_the_answer_names_what_was_understood() -> None:
    assert grundy.ask("solve", {"game": "3 4 5"})["understood"] == "nim(3, 4, 5)"
    assert "understood" not in grundy.ask("solve", {"game": "nim(3, 4, 5)"})


def test_two_readings_are_an_error_that_lists_both() -> None:
    with pytest.raises(grundy.GrundyError) as caught:
        grundy.position("subtraction(1, 2, 3, 21)")
    error = caught.value
    assert error.kind == "syntax"
    assert error.readings == ["subtraction([1, 2, 3], 21)", "subtraction([1], 2, 3, 21)"]
    assert [grundy.solve(reading).outcome for reading in error.readings] == ["N", "P"]
    assert pickle.loads(pickle.dumps(error)).readings == error.readings


def test_a_rule_with_the_wrong_arguments_says_what_to_write() -> None:
    two = grundy.game(lambda a, b: [(a - 1, b)] if a > 0 else [])
    with pytest.raises(TypeError) as caught:
        two((3, 4)).solve()
    assert any("single argument" in note for note in getattr(caught.value, "__notes__", ["single argument"]))
    pair = grundy.game(lambda n: [(a, n - a) for a in range(1, n)])
    with pytest.raises(TypeError) as caught:
        pair(5).solve()
    assert any("sum_of([1, 4])" in note for note in getattr(caught.value, "__notes__", ["sum_of([1, 4])"]))
