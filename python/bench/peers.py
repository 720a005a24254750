"""The same work in this package and in its peers, side by side: ``python bench/peers.py``.

Each line is the best of three; peers that are not installed (networkx, nashpy, pygambit, cgt-py, pycgt) are left out. What is named is done
alone: ``python bench/peers.py values``.
"""

from __future__ import annotations

import importlib.util
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import grundy

REPEATS = 3


def best(work: Callable[[], Any]) -> float:
    times = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return min(times)


def line(what: str, seconds: float, note: str = "") -> None:
    print(f"{what:<58} {seconds * 1000:>10.1f} ms  {note}", flush=True)


def has(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def nims() -> None:
    heaps = np.random.default_rng(1).integers(0, 1000, (1_000_000, 3))
    mine = best(lambda: grundy.solve_many(grundy.rows(grundy.nim, heaps), of="grundy"))
    line("10^6 Nim sums of three heaps, from an array", mine)
    few = heaps[:20_000].tolist()
    one = best(lambda: [grundy.nim(*row).grundy for row in few])
    line("2 * 10^4 Nim sums, one by one, solved whole", one, f"{one / len(few) * 1e6:.1f} us each")


def rules() -> None:
    count = 0

    @grundy.game
    def take(n: int) -> list[int]:
        nonlocal count
        count += min(n, 3)
        return [n - k for k in (1, 2, 3) if k <= n]

    def work() -> None:
        nonlocal count
        count = 0
        assert take(100_000).grundy == 100_000 % 4

    seconds = best(work)
    line("a rule in Python, heap of 10^5", seconds, f"{count / seconds:,.0f} options a second")


def graphs() -> None:
    generator = np.random.default_rng(2)
    edges = generator.integers(0, 2_000_000, (10_000_000, 2))
    mine = best(lambda: grundy.label(edges))
    line("label: 10^7 edges of a NumPy array", mine)
    if has("networkx"):
        import networkx

        small = generator.integers(0, 20_000, (60_000, 2))
        small = small[small[:, 0] < small[:, 1]]
        graph = networkx.DiGraph(small.tolist())

        def naive() -> dict[int, int]:
            values: dict[int, int] = {}
            for vertex in reversed(list(networkx.topological_sort(graph))):
                taken = {values[option] for option in graph.successors(vertex)}
                value = 0
                while value in taken:
                    value += 1
                values[vertex] = value
            return values

        labels = grundy.label(small)
        assert all(labels[vertex].grundy == value for vertex, value in naive().items())
        theirs = best(naive)
        mine = best(lambda: grundy.label(small))
        note = f"{len(small):,} edges"
        line("Grundy values of an acyclic graph: networkx and a loop", theirs, note)
        line("Grundy values of an acyclic graph: grundy.label", mine, f"{theirs / mine:.0f} times as fast")


def matrices() -> None:
    generator = np.random.default_rng(3)
    for size in (5, 10, 40):
        payoffs = generator.integers(-50, 50, (size, size))
        mine = best(lambda payoffs=payoffs: grundy.matrix(payoffs))
        line(f"matrix game {size} by {size}: exact", mine)
        if has("nashpy"):
            import nashpy

            game = nashpy.Game(payoffs)
            theirs = best(lambda game=game: game.linear_program())
            line(f"matrix game {size} by {size}: nashpy, floating point", theirs, f"{theirs / mine:.2f} of ours")
        if has("pygambit") and size <= 10:
            import pygambit

            table = pygambit.Game.from_arrays(payoffs, -payoffs)
            theirs = best(lambda table=table: pygambit.nash.lp_solve(table, rational=True))
            line(f"matrix game {size} by {size}: pygambit, exact", theirs, f"{theirs / mine:.2f} of ours")


# How the canonical form of an empty board of Domineering is asked for, where {rows} and {columns} stand for its sides, and its text.
VALUES = {
    "grundy": ("import grundy", "grundy.value(grundy.domineering(grundy.board({rows}, {columns}))).value"),
    "cgt_py": ("import cgt_py", "repr(cgt_py.Domineering('|'.join(['.' * {columns}] * {rows})).canonical_form)"),
    "pycgt": (
        "from pycgt.notation import render; from pycgt.rulesets.domineering import rectangle",
        "render(rectangle({rows}, {columns}))",
    ),
}

# Seconds for one value.
PATIENCE = 120


def valued(peer: str, rows: int, columns: int) -> tuple[float, str] | None:
    """The seconds and the value, in a process that has worked out nothing before; nothing where patience is at an end."""
    before, asked = (text.format(rows=rows, columns=columns) for text in VALUES[peer])
    code = f"import time; {before}; begun = time.perf_counter(); value = {asked}; print(time.perf_counter() - begun); print(value)"
    try:
        said = subprocess.run(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return None
    seconds, value = said.stdout.splitlines()
    return float(seconds), value.removeprefix("CanonicalForm('").removesuffix("')")


def values() -> None:
    for rows, columns in ((4, 4), (4, 5), (4, 6), (5, 5)):
        mine = 0.0
        for peer in VALUES:
            if not has(peer):
                continue
            what = f"canonical form, Domineering {rows} by {columns}: {peer}"
            runs = []
            while len(runs) < REPEATS and (run := valued(peer, rows, columns)):
                runs.append(run)
            if len(runs) < REPEATS:
                line(what, PATIENCE, "more than that")
                continue
            seconds = min(seconds for seconds, _ in runs)
            mine = mine or seconds
            # Everybody writes values in another way.
            board, value = grundy.domineering(grundy.board(rows, columns)), grundy.literal(runs[0][1])
            assert grundy.compare(board, value) == "=", runs[0][1]
            line(what, seconds, f"{seconds / mine:.1f} of ours")


def sequences() -> None:
    line("0.07: 10^6 values", best(lambda: grundy.sequence("0.07", 1_000_000)))

    def naive(count: int) -> list[int]:
        values = [0] * count
        for n in range(2, count):
            taken = {values[a] ^ values[n - 2 - a] for a in range((n - 2) // 2 + 1)}
            value = 0
            while value in taken:
                value += 1
            values[n] = value
        return values

    assert naive(2000) == grundy.sequence("0.07", 2000).tolist()
    theirs, mine = best(lambda: naive(2000)), best(lambda: grundy.sequence("0.07", 2000))
    line("0.07: 2000 values, five lines of Python", theirs)
    line("0.07: 2000 values, grundy.sequence", mine, f"{theirs / mine:,.0f} times as fast")


if __name__ == "__main__":
    grundy.progress(False)
    print(
        f"grundy {grundy.__version__}, Python {platform.python_version()}, {platform.machine()}, {platform.processor() or 'unknown'}"
    )
    works = (nims, rules, sequences, graphs, matrices, values)
    for work in works:
        if len(sys.argv) == 1 or work.__name__ in sys.argv:
            work()
