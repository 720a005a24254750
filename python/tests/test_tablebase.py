"""Tests of tablebases on a disk and on a file server."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import grundy


@contextmanager
def serving(folder: Path, *, ranges: bool = True) -> Iterator[tuple[str, list[str]]]:
    """Serve the files of a folder; provide the URL and the list of requests received."""
    asked: list[str] = []

    class Files(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            asked.append(self.path)
            file = folder / self.path.lstrip("/")
            if not file.is_file():
                self.send_error(404)
                return
            body = file.read_bytes()
            found = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
            if found and ranges:
                first, last = int(found[1]), int(found[2])
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {first}-{last}/{len(body)}")
                body = body[first : last + 1]
            else:
                self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Files)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def chomp(root: Path) -> Path:
    return root / "examples" / "tablebases" / "chomp"


def check(table: grundy.Tablebase) -> None:
    """Compare the tablebase of Chomp with the solver."""
    assert len(table) == 34
    assert table.manifest["game"] == "chomp(4, 4, 4)"
    assert table.manifest["command"] == 'grundy label "chomp(4, 4, 4)" --best-move --tablebase DIR'
    for bars in ((4, 4, 4), (3, 2), (2, 1), (1,), (4, 3, 1)):
        game = grundy.chomp(*bars)
        known = table[game]
        assert game in table
        assert str(game) in table
        assert (known.outcome, known.grundy, known.remoteness) == (game.outcome, game.grundy, game.remoteness)
        if game.outcome == "N":
            best = known.moves[0]
            assert best["to"] == known.move
            assert (best["category"], best["outcome"], best["remoteness"]) == ("win", "P", game.remoteness - 1)
        ranks = [("win", "draw", "loss").index(move["category"]) for move in known.moves]
        assert ranks == sorted(ranks)
    assert "chomp(5)" not in table
    assert 3 not in table
    assert not hasattr(table.probe("chomp(3, 2)", moves=False), "moves")
    with pytest.raises(grundy.GrundyError, match="not in the tablebase"):
        table["chomp(5)"]
    with pytest.raises(grundy.GrundyError, match="normal play"):
        table.probe("chomp(3)", play="misere")


def test_on_the_disk(chomp: Path) -> None:
    with grundy.tablebase(chomp) as table:
        check(table)
        assert repr(table) == f"tablebase({str(chomp)!r})"
    with pytest.raises(ValueError, match="closed"):
        table["chomp(1)"]


def test_on_a_server(chomp: Path) -> None:
    with serving(chomp.parent) as (address, asked):
        with grundy.tablebase(f"{address}/chomp") as table:
            assert asked == ["/chomp/manifest.json"]
            check(table)
        with pytest.raises(grundy.GrundyError, match="no such file"):
            grundy.tablebase(f"{address}/nothing")
    refused = pytest.raises(grundy.GrundyError, match="does not support range requests")
    with serving(chomp.parent, ranges=False) as (address, _), refused:
        grundy.tablebase(f"{address}/chomp")["chomp(1)"]
    with pytest.raises(grundy.GrundyError, match=re.escape(address)):
        grundy.tablebase(f"{address}/chomp")


def test_damage_is_an_error(chomp: Path, tmp_path: Path) -> None:
    folder = tmp_path / "chomp"
    shutil.copytree(chomp, folder)
    data = folder / "outcome.data"
    good = data.read_bytes()
    data.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
    with serving(tmp_path) as (address, _):
        for place in (folder, f"{address}/chomp"):
            with pytest.raises(grundy.GrundyError, match=r"outcome\.data: block 0 is damaged"):
                grundy.tablebase(place)["chomp(1)"]


def test_threads_share_a_tablebase(chomp: Path) -> None:
    with grundy.tablebase(chomp) as table:
        found: list[str] = []
        threads = [threading.Thread(target=lambda: found.append(table["chomp(3, 2)"].outcome)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == ["P"] * 8
