"""Tests of the type stubs."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import grundy

HERE = Path(__file__).resolve().parents[1]


# The folder of the imported package, which contains the compiled extension.
INSTALLED = Path(grundy.__file__).parent.parent


def run(*command: str, cwd: Path = HERE, **environment: str) -> None:
    settings = {**os.environ, **environment}
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=cwd, env=settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_constructor_stubs_are_up_to_date() -> None:
    stubs = runpy.run_path(str(HERE / "scripts" / "stubs.py"))
    assert stubs["STUB"].read_text(encoding="utf-8") == stubs["stub"](), "python scripts/stubs.py writes them"


@pytest.mark.parametrize(
    "command",
    [
        ("mypy",),
        ("pyright", "--pythonpath", sys.executable),
        ("ruff", "check", "grundy", "scripts", "tests"),
        ("ruff", "format", "--check", "grundy", "scripts", "tests"),
    ],
    ids=lambda command: command[0],
)
def test_type_checkers_and_linters_find_nothing(command: tuple[str, ...]) -> None:
    run(*command)


def test_stubs_match_the_module(tmp_path: Path) -> None:
    # mypy finds an installed package by itself; a source folder must be on its path.
    named = {} if INSTALLED.name == "site-packages" else {"MYPYPATH": str(INSTALLED)}
    run("mypy.stubtest", "grundy._native", "grundy._constructors", cwd=tmp_path, **named)
