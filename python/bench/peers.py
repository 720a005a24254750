"""Benchmarks of this package against other packages: ``python bench/peers.py``.

Each line shows the best of three runs. Packages that are not installed (networkx, nashpy, pygambit,
cgt-py, pycgt) are skipped. Arguments select benchmarks by name: ``python bench/peers.py values``.
"""

from __future__ import annotations

import importlib.util
import json
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
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


# For each package, its import and the expression for the canonical form of an empty Domineering
# board, as text. {rows} and {columns} are the sides of the board.
VALUES = {
    "grundy": ("import grundy", "grundy.value(grundy.domineering(grundy.board({rows}, {columns}))).value"),
    "cgt_py": ("import cgt_py", "repr(cgt_py.Domineering('|'.join(['.' * {columns}] * {rows})).canonical_form)"),
    "pycgt": (
        "from pycgt.notation import render; from pycgt.rulesets.domineering import rectangle",
        "render(rectangle({rows}, {columns}))",
    ),
}

# The time limit for one value, in seconds.
PATIENCE = 120


def valued(before: str, asked: str) -> tuple[float, str] | None:
    """Return the time and the value, or ``None`` if the time limit is exceeded.

    A new process computes the value, so that no cache is warm.
    """
    code = f"import time; {before}; begun = time.perf_counter(); value = {asked}; print(time.perf_counter() - begun); print(value)"
    try:
        said = subprocess.run(
            [sys.executable, "-c", code],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            timeout=PATIENCE,
            # In the folder `python`, Python would import the sources, which lack the extension.
            cwd=Path(__file__).parent,
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
            before, asked = (text.format(rows=rows, columns=columns) for text in VALUES[peer])
            while len(runs) < REPEATS and (run := valued(before, asked)):
                runs.append(run)
            if len(runs) < REPEATS:
                line(what, PATIENCE, "more than that")
                continue
            seconds = min(seconds for seconds, _ in runs)
            mine = mine or seconds
            # The packages print values differently, so the games are compared, not the texts.
            board, value = grundy.domineering(grundy.board(rows, columns)), grundy.literal(runs[0][1])
            assert grundy.compare(board, value) == "=", runs[0][1]
            line(what, seconds, f"{seconds / mine:.1f} of ours")


# A position in the notation, and the same position as an expression of cgt-py.
Input = tuple[str, str]


def literals(*forms: str) -> Input:
    """Return a sum of games, given by their canonical forms."""
    theirs = " + ".join(f"CanonicalForm('{form}')" for form in forms)
    return " + ".join(f'literal("{form}")' for form in forms), theirs


def on_board(game: str, *rows: str) -> Input:
    """Return a position on a board."""
    return f"{game}({json.dumps(rows)})", f"{game.capitalize()}('{'|'.join(rows)}')"


def in_turn(rows: int, columns: int, *free: tuple[int, int]) -> Input:
    """Return a Konane board with alternating stones and the given empty squares."""
    squares = [["xo"[(row + column) % 2] for column in range(columns)] for row in range(rows)]
    for row, column in free:
        squares[row][column] = "."
    return on_board("konane", *("".join(line) for line in squares))


def on_graph(game: str, edges: list[tuple[int, int]]) -> Input:
    """Return a position on an uncoloured graph."""
    vertices = max(map(max, edges)) + 1
    text = " ".join(f"{a}-{b}" for a, b in edges)
    return f'{game}("{text}", "{"." * vertices}")', f"{game.capitalize()}({vertices}, {edges})"


def path(length: int) -> list[tuple[int, int]]:
    return [(vertex, vertex + 1) for vertex in range(length - 1)]


def lattice(rows: int, columns: int) -> list[tuple[int, int]]:
    right = [(row * columns + at, row * columns + at + 1) for row in range(rows) for at in range(columns - 1)]
    return right + [(vertex, vertex + columns) for vertex in range((rows - 1) * columns)]


HOT = ("{5|{2|-3}}", "{{7|1}|-4}", "{{9|2}|{0|-8}}", "{6|{1|-1}}", "{{10|3}|-2}", "{4|{0|-9}}", "{{12|5}|{-1|-6}}")

# The imports and one trivial request, which keep one-time initialization out of the times.
WARM = (
    "import grundy; grundy.ask('value', {'game': 'literal(\"1\")', 'of': ['form']})",
    "from cgt_py import *; repr(CanonicalForm('1'))",
)

FORMS: dict[str, Input] = {
    "4 switches": literals("{8|-8}", "{4|-4}", "{2|-2}", "{1|-1}"),
    "5 switches": literals("{16|-16}", "{8|-8}", "{4|-4}", "{2|-2}", "{1|-1}"),
    "6 switches": literals("{9|-3}", "{7|-2}", "{5|-6}", "{4|-1}", "{3|-5}", "{2|-8}"),
    "7 switches": literals("{9|-3}", "{7|-2}", "{5|-6}", "{4|-1}", "{3|-5}", "{2|-8}", "{1|-9}"),
    **{f"{count} hot games": literals(*HOT[:count]) for count in (4, 5, 6, 7)},
    **{f"Snort, path of {length}": on_graph("snort", path(length)) for length in (6, 8, 10, 12)},
    **{
        f"Snort, grid {rows} by {columns}": on_graph("snort", lattice(rows, columns))
        for rows, columns in ((2, 4), (3, 3), (2, 5))
    },
    **{f"Col, path of {length}": on_graph("col", path(length)) for length in (8, 10, 12, 14)},
    **{
        f"Col, grid {rows} by {columns}": on_graph("col", lattice(rows, columns))
        for rows, columns in ((3, 3), (2, 6), (3, 4))
    },
    **{
        f"Domineering, {rows} by {columns}": on_board("domineering", *["." * columns] * rows)
        for rows, columns in ((2, 7), (3, 5), (4, 4), (4, 5), (2, 12))
    },
    "Domineering with holes": on_board("domineering", ".....", ".#...", "...#.", "....."),
    "Amazons, 2 by 4": on_board("amazons", "x...", "...o"),
    "Amazons, 3 by 3": on_board("amazons", "x..", "...", "..o"),
    "Amazons, 3 by 4": on_board("amazons", "x...", "....", "...o"),
    "Amazons, 2 by 6": on_board("amazons", "x.....", ".....o"),
    "Amazons, two of each": on_board("amazons", "x..o", "o..x"),
    "Konane, 3 by 6": in_turn(3, 6, (1, 2), (1, 3)),
    "Konane, 4 by 4": in_turn(4, 4, (1, 1), (1, 2)),
    "Konane, 4 by 5": in_turn(4, 5, (1, 2), (2, 2)),
    "Konane, 2 by 12": in_turn(2, 12, (0, 5), (0, 6)),
    "Konane, 5 by 5": in_turn(5, 5, (2, 2), (2, 3)),
    "Fission, 3 by 3": on_board("fission", "...", ".x.", "..."),
    "Fission, 3 by 4": on_board("fission", "....", ".x..", "...."),
    "Fission, 3 by 5": on_board("fission", ".....", "..x..", "....."),
    "Fission, 4 by 4": on_board("fission", "....", ".x..", "..x.", "...."),
}


def fastest(before: str, asked: str) -> tuple[float, str] | None:
    """Return the least time of several runs and the value, or ``None`` beyond the time limit.

    Short computations are repeated more often, since their times vary more.
    """
    runs: list[tuple[float, str]] = []
    begun = time.perf_counter()
    while len(runs) < REPEATS or (len(runs) < 5 * REPEATS and time.perf_counter() - begun < 2):
        run = valued(before, asked)
        if run is None:
            return None
        runs.append(run)
    return min(runs)


def forms() -> None:
    """Print a Markdown table of the times for canonical forms in milliseconds, and their ratios."""
    if not has("cgt_py"):
        return
    print("| input | grundy | cgt-py | ratio |\n|---|---|---|---|", flush=True)
    for name, (text, position) in FORMS.items():
        question = {"game": text, "of": ["form"]}
        asked = f"grundy.ask('value', {question!r})['value']"
        other = f"repr({position if name[0].isdigit() else f'{position}.canonical_form'})"
        mine, theirs = fastest(WARM[0], asked), fastest(WARM[1], other)
        assert mine, f"more than {PATIENCE} s: {name}"
        ours = mine[0] * 1000
        if not theirs:
            print(f"| {name} | {ours:.2f} | over {PATIENCE} s | over {PATIENCE * 1000 / ours:.0f} |", flush=True)
            continue
        assert grundy.compare(grundy.literal(mine[1]), grundy.literal(theirs[1])) == "=", name
        print(f"| {name} | {ours:.2f} | {theirs[0] * 1000:.2f} | {theirs[0] / mine[0]:.1f} |", flush=True)


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
    works = (nims, rules, sequences, graphs, matrices, values, forms)
    for work in works:
        if len(sys.argv) == 1 or work.__name__ in sys.argv:
            work()
