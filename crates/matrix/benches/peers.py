"""Random square matrix games: grundy compared with floating-point solvers, in one run on one core.

    python3 -m venv VENV && VENV/bin/pip install scipy nashpy
    cargo build --release
    VENV/bin/python crates/matrix/benches/peers.py target/release/grundy [SIZE ...]

Every run is a separate process, pinned to one core if the system supports it. For grundy, `seconds`
is the time of the whole process, including reading the file and the exact check. For the others it
is the time of the call alone. Starting Python, importing libraries and reading the file do not
count, which is in their favour. `MiB` is the peak memory of the process. `gap` is the difference
between the values that the two strategies guarantee: 0 means that both are optimal.
"""

import json
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

SEED = 20
ENTRIES = (-1000, 1000)
PEERS = ["scipy highs-ds", "scipy highs-ipm", "nashpy"]


def highs(matrix, method):
    import numpy
    from scipy.optimize import linprog

    rows, columns = matrix.shape
    # Maximize v subject to p A >= v, p >= 0, sum p = 1. The dual solution is the column player's
    # strategy.
    answer = linprog(
        numpy.append(numpy.zeros(rows), -1.0),
        A_ub=numpy.hstack([-matrix.T, numpy.ones((columns, 1))]),
        b_ub=numpy.zeros(columns),
        A_eq=numpy.append(numpy.ones(rows), 0.0).reshape(1, -1),
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method=method,
    )
    return answer.x[:rows], -answer.ineqlin.marginals


def peer(name, file):
    """Runs one floating-point solver in this process and prints its time, peak memory and gap."""
    import numpy

    matrix = numpy.loadtxt(file, delimiter=",", ndmin=2)
    if name == "nashpy":
        import nashpy

        game = nashpy.Game(matrix)
        nashpy.Game(numpy.eye(2)).linear_program()
        start = time.perf_counter()
        p, q = game.linear_program()
    else:
        highs(numpy.eye(2), name.split()[1])
        start = time.perf_counter()
        p, q = highs(matrix, name.split()[1])
    seconds = time.perf_counter() - start
    gap = float((matrix @ q).max() - (p @ matrix).min())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "MiB": memory, "gap": gap}))


def pinned(command):
    def pin():
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    threads = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, env=os.environ | threads, preexec_fn=pin
    )
    start = time.perf_counter()
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}")
    return out, time.perf_counter() - start, usage.ru_maxrss / 1024


def guaranteed(file, answer):
    """Returns the gap between the guarantees of grundy's strategies, in exact arithmetic."""
    with open(file) as lines:
        matrix = [[int(x) for x in line.split(",")] for line in lines]
    weights = []
    for name in ("row_strategy", "col_strategy"):
        fractions = [Fraction(x) for x in answer[name]]
        denominator = math.lcm(*(f.denominator for f in fractions))
        weights.append([int(f * denominator) for f in fractions] + [denominator])
    p, q = weights
    if sum(p[:-1]) != p[-1] or sum(q[:-1]) != q[-1] or min(p) < 0 or min(q) < 0:
        return "no strategies"
    played = [(i, w) for i, w in enumerate(p[:-1]) if w]
    floor = min(sum(w * matrix[i][j] for i, w in played) for j in range(len(q) - 1))
    played = [(j, w) for j, w in enumerate(q[:-1]) if w]
    ceiling = max(sum(w * row[j] for j, w in played) for row in matrix)
    return Fraction(ceiling, q[-1]) - Fraction(floor, p[-1])


def main():
    if sys.argv[1:2] == ["--peer"]:
        return peer(*sys.argv[2:])
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program = sys.argv[1]
    sizes = [int(size) for size in sys.argv[2:]] or [100, 300, 1000]
    print("| size | solver | seconds | MiB | gap | times grundy |\n|---|---|---|---|---|---|")
    for size in sizes:
        numbers = random.Random(SEED + size)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "game.csv")
            with open(file, "w") as out:
                for _ in range(size):
                    out.write(",".join(str(numbers.randint(*ENTRIES)) for _ in range(size)) + "\n")
            best = None
            for _ in range(3):
                _, seconds, memory = pinned([program, "matrix", file])
                best = min(best or (seconds, memory), (seconds, memory))
            answer, _, _ = pinned([program, "matrix", "--json", file])
            gap = guaranteed(file, json.loads(answer))
            print(f"| {size} | grundy | {best[0]:.4f} | {best[1]:.0f} | {gap} | 1 |", flush=True)
            for name in PEERS:
                try:
                    out, _, _ = pinned([sys.executable, __file__, "--peer", name, file])
                except RuntimeError as error:
                    print(f"| {size} | {name} | {error} | | | |", flush=True)
                    continue
                found = json.loads(out)
                print(
                    f"| {size} | {name} | {found['seconds']:.4f} | {found['MiB']:.0f} "
                    f"| {found['gap']:.0e} | {found['seconds'] / best[0]:.1f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
