"""Tests that the notebooks in docs/notebooks run and reproduce their stored outputs."""

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

# The time limit for one notebook, in seconds.
PATIENCE = 60

# Sites that render notebooks do not display larger files.
MOST_BYTES = 200_000


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def texts_of(cell: Any) -> list[str]:
    """Return the outputs of a cell as text; a picture is represented by its type alone."""
    found: list[str] = []
    writing = False
    for output in cell.outputs:
        if output.output_type == "stream":
            # Standard error has progress reports only. A kernel may split standard output at any
            # point, so adjacent parts are joined.
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
    """Return the name of a kernel that runs this interpreter with the package under test."""
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
def test_notebook_outputs_are_up_to_date(path: Path, kernel: str, tmp_path: Path) -> None:
    stored = nbformat.read(path, as_version=4)
    run = copy.deepcopy(stored)
    begun = time.monotonic()
    # The working directory is temporary, so that notebooks write no files into the documentation.
    client = nbclient.NotebookClient(
        run, timeout=PATIENCE, kernel_name=kernel, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    taken = time.monotonic() - begun
    for number, (before, now) in enumerate(zip(code_cells(stored), code_cells(run), strict=True), 1):
        assert texts_of(now) == texts_of(before), f"{path.name}, code cell {number}:\n{now.source}"
    assert taken < PATIENCE


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_render_on_a_repository_page(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    assert path.stat().st_size < MOST_BYTES
    assert notebook.cells[0].source.startswith("# ")
    assert "## To try" in notebook.cells[-1].source
    for cell in code_cells(notebook):
        assert any(texts_of(cell)), f"nothing is shown by:\n{cell.source}"
        for output in cell.outputs:
            kinds = set(output.get("data", {}))
            assert all(kind.startswith("text/") or kind == "image/svg+xml" for kind in kinds), kinds
