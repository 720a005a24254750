"""Fixtures shared by the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

import grundy

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def quiet() -> None:
    """Switch progress off and set the language to English."""
    grundy.progress(False)
    grundy.lang("en")


@pytest.fixture
def root() -> Path:
    """Return the root folder of the project."""
    return ROOT
