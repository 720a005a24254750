"""What tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

import grundy

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def quiet() -> None:
    """Nothing is told of progress while tests run, and words are English."""
    grundy.progress(False)
    grundy.lang("en")


@pytest.fixture
def root() -> Path:
    """The root of the project."""
    return ROOT
