#!/usr/bin/env python3
"""Compares Cram and Chomp with igsolve (P. Beling), as whole commands on one machine in one run.

    python3 crates/core/benches/boards.py [--grow] [BOARD ...]

Installs igsolve 0.1.2 with cargo into target/peers, builds grundy, and runs each command three
times in turn. Prints the medians of the processor time and their ratio. The time is that of all
threads, user and system, in seconds. There are two runs of grundy: one for the value alone
(`--no-moves`), and one for the value with all winning moves. The run of igsolve is for the value
alone. A BOARD is written like cram:5x6; --grow measures growing boards instead. The values of both
programs are compared.
"""

import argparse
import json
import math
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
PEERS = ROOT / "target" / "peers"
VERSION = "0.1.2"
RUNS = 3
BOARDS = ["cram:3x9", "cram:3x11", "cram:4x7", "cram:3x13", "cram:4x9", "cram:5x6", "cram:5x7", "cram:5x8", "cram:5x9"]
BOARDS += ["chomp:10x10", "chomp:11x11", "chomp:12x12"]
GROWING = [f"cram:3x{n}" for n in range(6, 15)] + [f"cram:4x{n}" for n in range(5, 10)] + [f"cram:5x{n}" for n in range(5, 9)]
GROWING += [f"chomp:{n}x{n}" for n in range(7, 13)]


def run(command: list[str]) -> tuple[float, str]:
    """Seconds on the processor, and what was printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def programs() -> tuple[str, str]:
    """Builds both programs if necessary, and returns their paths."""
    peer = PEERS / "bin" / "igsolve"
    if not peer.exists():
        subprocess.run(["cargo", "install", "igsolve", "--version", VERSION, "--root", str(PEERS)], check=True)
    subprocess.run(["cargo", "build", "--release", "--locked", "-p", "grundy-cli"], cwd=ROOT, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return str(target / "release" / "grundy"), str(peer)


def measured(board: str, grundy: str, peer: str) -> list[float]:
    """Medians: the peer's value, our value, our value with all winning moves."""
    game, size = board.split(":")
    rows, columns = size.split("x")
    position = f"{game}(board({rows}, {columns}))"
    commands = [
        [peer, game, "--rows", rows, "--cols", columns],
        [grundy, "solve", position, "--no-moves", "--json"],
        [grundy, "solve", position, "--json"],
    ]
    seconds: list[list[float]] = [[], [], []]
    for _ in range(RUNS):
        printed = []
        for times, command in zip(seconds, commands, strict=True):
            taken, text = run(command)
            times.append(taken)
            printed.append(text)
        theirs = re.search(r"[Nn]imber\D*(\d+)", printed[0])
        ours = json.loads(printed[1]).get("grundy")
        if theirs and ours is not None and int(theirs[1]) != ours:
            sys.exit(f"{board}: the programs differ, {theirs[1]} and {ours}")
    return [statistics.median(times) for times in seconds]


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boards", nargs="*")
    parser.add_argument("--grow", action="store_true")
    arguments = parser.parse_args()
    grundy, peer = programs()
    print(f"| board | igsolve {VERSION} | grundy, value | ratio | with winning moves | ratio |")
    print("|---|---|---|---|---|---|")
    ratios = []
    for board in arguments.boards or (GROWING if arguments.grow else BOARDS):
        theirs, value, moves = measured(board, grundy, peer)
        ratios.append(theirs / value)
        name = board.replace(":", " ").replace("x", " by ")
        print(f"| {name} | {theirs:.3f} | {value:.3f} | {theirs / value:.2f} | {moves:.3f} | {moves / theirs:.2f} |", flush=True)
    mean = math.exp(statistics.fmean(map(math.log, ratios)))
    print(f"\nSeconds on the processor, medians of {RUNS} runs. Geometric mean of the ratios of values: {mean:.2f}")


if __name__ == "__main__":
    main()
