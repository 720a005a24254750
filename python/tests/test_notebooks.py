"""The notebooks of docs/notebooks run as they stand, and say today what is stored in them."""

from __future__ import annotations

import copy
import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import grundy

for needed in ("ipykernel", "matplotlib", "networkx", "pandas"):
    pytest.importorskip(needed)
nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

# Seconds for one notebook.
PATIENCE = 60

# A notebook is read on sites that do not show large ones.
MOST_BYTES = 200_000


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def said(cell: Any) -> list[str]:
    """What a cell writes and shows, as text. A picture counts as being there, whatever it looks like."""
    found: list[str] = []
    writing = False
    for output in cell.outputs:
        if output.output_type == "stream":
            # What is written to standard error is how far long work has come. A kernel may cut the rest anywhere.
            if output.name == "stdout":
                if writing:
                    found[-1] += output.text
                else:
                    found.append(output.text)
                writing = True
            continue
        writing = False
        text = output.get("data", {}).get("text/plain", "")
        found.append(re.sub(r"<a picture, \d+ characters>", "<a picture>", text))
    return found


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A kernel of this interpreter, whatever others are installed, that imports the package which is tested here."""
    name = "grundy-tests"
    folder = tmp_path / "kernels" / name
    folder.mkdir(parents=True)
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": command, "display_name": name, "language": "python"}
    (folder / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    package = str(Path(grundy.__file__).parents[1])
    inherited = os.environ.get("PYTHONPATH")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([package, inherited] if inherited else [package]))
    return name


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 6


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_says_what_is_stored(path: Path, kernel: str, tmp_path: Path) -> None:
    stored = nbformat.read(path, as_version=4)
    run = copy.deepcopy(stored)
    begun = time.monotonic()
    # What a notebook writes it writes beside, not into the documentation.
    client = nbclient.NotebookClient(
        run, timeout=PATIENCE, kernel_name=kernel, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    taken = time.monotonic() - begun
    for number, (before, now) in enumerate(zip(code_cells(stored), code_cells(run), strict=True), 1):
        assert said(now) == said(before), f"{path.name}, code cell {number}:\n{now.source}"
    assert taken < PATIENCE


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_fit_to_be_read_where_it_lies(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    assert path.stat().st_size < MOST_BYTES
    assert notebook.cells[0].source.startswith("# ")
    assert "## To try" in notebook.cells[-1].source
    for cell in code_cells(notebook):
        assert any(said(cell)), f"nothing is shown by:\n{cell.source}"
        for output in cell.outputs:
            kinds = set(output.get("data", {}))
            assert all(kind.startswith("text/") or kind == "image/svg+xml" for kind in kinds), kinds
