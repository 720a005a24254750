#!/usr/bin/env python3
"""Compares the three verifiers: the program, the Python script, and the one extracted from proofs.

    scripts/compare_checkers.py GRUNDY                     check that all verdicts agree
    scripts/compare_checkers.py GRUNDY --measure FILE...   print time and memory as Markdown

The first form runs them on true and forged certificates. GRUNDY is the compiled program. Build the
extracted verifier first (make -C proofs).
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROOFS = ROOT / "proofs"


def verifiers(grundy, seconds):
    """Return the three commands.

    The Python verifier has a time limit, since a forged certificate may claim a huge period.
    """
    python = [sys.executable, str(ROOT / "python" / "grundy" / "verifier.py"), "--seconds", seconds]
    return {"grundy verify": [grundy, "verify"], "Python": python, "proofs": [str(PROOFS / "grundy-check")]}


def run(command, file):
    """Return the exit status, the CPU time in seconds and the peak memory in MiB."""
    child = subprocess.Popen([*command, str(file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compare(grundy):
    true = sorted((PROOFS / "certificates").glob("*.json"))
    # The certificates of the Python tests. The excluded one would take more than an hour.
    written = [file for file in sorted((ROOT / "python" / "tests" / "certificates").glob("*.json")) if file.stem != "stream_0.104"]
    differ, counted = 0, Counter()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, PROOFS / "forge.py", folder, *true], check=True)
        forged = sorted(Path(folder).glob("*.json"))
        true = [*true, *written]
        files = [*true, *forged]

        def verdicts(file):
            return {name: run(command, file)[0] == 0 for name, command in verifiers(grundy, "60").items()}

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            verdict = list(pool.map(verdicts, files))
        for file, accepted in zip(files, verdict):
            sort = ("true" if file in true else file.stem.split("-")[0] + " forged", all(accepted.values()))
            counted[sort] += 1
            if len(set(accepted.values())) > 1 or accepted["proofs"] != (file in true):
                differ += 1
                verdict_texts = ", ".join(f"{name}: {'accepted' if yes else 'not accepted'}" for name, yes in accepted.items())
                print(f"{file.name}: {verdict_texts}\n    {file.read_text()[:300]}")
    for (sort, yes), count in sorted(counted.items()):
        print(f"{sort}: {count} {'accepted' if yes else 'not accepted'} by all")
    print(f"{differ} files on which the checkers differ or are wrong")
    return differ > 0


def measure(grundy, files):
    names = list(verifiers(grundy, ""))
    print("| certificate | " + " | ".join(names) + " |")
    print("|---|" + "---|" * len(names))
    for file in files:
        cells = []
        for command in verifiers(grundy, "100000").values():
            runs = []
            started = time.monotonic()
            while not runs or len(runs) < 3 and time.monotonic() - started < 20:
                runs.append(run(command, file))
            status, seconds, memory = min(runs, key=lambda run: run[1])
            prefix = "" if status == 0 else "not accepted, "
            cells.append(f"{prefix}{seconds:.2f} s, {memory:.0f} MiB")
        print(f"| {Path(file).stem} | " + " | ".join(cells) + " |", flush=True)
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("grundy", metavar="GRUNDY", help="the program, built")
    parser.add_argument("--measure", metavar="FILE", nargs="+", help="measure these files")
    arguments = parser.parse_args()
    sys.exit(measure(arguments.grundy, arguments.measure) if arguments.measure else compare(arguments.grundy))


main()
