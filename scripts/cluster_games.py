#!/usr/bin/env python3
"""Labels games with one process and with 2 and 4 processes on 127.0.0.1, and compares the results.

    scripts/cluster_games.py [--program GRUNDY] [--only NAME...] [--small] [--no-relay]

Each game runs over plain connections, through relays that delay all data, and through relays that
cut all connections several times while checkpoints are written. The output must be byte-identical
to that of one process.

GRUNDY is the program built with the feature `cluster` (default: target/release/grundy). NAME is one
of graph, nim, nim9, rules, domineering, tictactoe; --small selects small games of these kinds.
Prints a row of a Markdown table for each run. Its columns are wall time, CPU time and peak memory
of a process, bytes sent, rounds, and cuts.
"""

import argparse
import filecmp
import os
import random
import resource
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

RULES = """def moves(p):
    a, b = p
    return [(k, b) for k in range(a)] + [(a, k) for k in range(b)]
"""


def games(small):
    """Return for each game its arguments, and whether a CSV file is written too."""
    empty = '["....", "....", "....", "...."]'
    two = '["X...", ".O..", "....", "...."]'
    return {
        "graph": (["moves"], True),
        "nim": ([f"nim({', '.join(['63' if small else '511'] * 3)})", "--ranked"], False),
        "nim9": ([f"nim({', '.join(['7'] * (6 if small else 9))})", "--ranked"], False),
        "rules": (["--rules", "heaps.star", f"game(moves, {(60, 60) if small else (250, 250)})"], True),
        "domineering": ([f"domineering(board({'4, 4' if small else '5, 5'}))"], True),
        "tictactoe": ([f"k_in_a_row({two if small else empty}, 4)"], True),
    }


def graph(edges):
    """Write a random graph with cycles in four files."""
    os.mkdir("moves")
    for part in range(4):
        draw = random.Random(part)
        with open(f"moves/{part}.csv", "w") as out:
            out.write("from,to\n")
            for _ in range(edges // 4):
                out.write(f"{draw.randrange(edges * 2 // 5)},{draw.randrange(edges * 2 // 5)}\n")


class Relay:
    """A relay to a port that delays all data and can cut its connections."""

    def __init__(self, to, delay):
        self.to, self.delay, self.open = to, delay, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            try:
                caller, _ = self.listener.accept()
            except OSError:
                return
            try:
                called = socket.create_connection(("127.0.0.1", self.to))
            except OSError:
                # The process does not listen yet. The caller sees a closed connection and retries.
                caller.close()
                continue
            for end in (caller, called):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.open += [caller, called]
            for one, other in [(caller, called), (called, caller)]:
                threading.Thread(target=self.carry, args=(one, other), daemon=True).start()

    def carry(self, one, other):
        try:
            while True:
                got = one.recv(1 << 18)
                if not got:
                    break
                if self.delay:
                    time.sleep(self.delay)
                other.sendall(got)
        except OSError:
            pass
        for end in (one, other):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        for end in self.open:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.cut()
        self.listener.close()


def addresses(count, delay):
    """Return free ports for the processes, and relays to them unless the delay is `None`."""
    taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in taken]
    # The ports stay bound until the relays have theirs, so that none is assigned twice.
    relays = [Relay(port, delay) for port in ports] if delay is not None else []
    for one in taken:
        one.close()
    return ports, relays


def spent(pid):
    """Wait for a process, and return its CPU time, its peak memory in MiB and its exit code."""
    _, status, use = os.wait4(pid, 0)
    return use.ru_utime + use.ru_stime, use.ru_maxrss >> 10, os.waitstatus_to_exitcode(status)


def label(arguments, more):
    command = [program, "label", "--max-positions", "4000000000", "--max-memory", "8192", *arguments, *more]
    # All processes append their messages to one file.
    with open("said", "a") as said:
        return subprocess.Popen(command, stderr=said).pid


def outputs(name, csv):
    return ["--tablebase", name] + (["--output", f"{name}.csv"] if csv else [])


def same(name, csv):
    files = sorted(os.listdir("one"))
    _, wrong, missing = filecmp.cmpfiles("one", name, files, shallow=False)
    wrong += missing + ([] if files == sorted(os.listdir(name)) else ["the folder"])
    if csv and not filecmp.cmp("one.csv", f"{name}.csv", shallow=False):
        wrong.append("the CSV")
    if wrong:
        sys.exit(f"not the same: {wrong}")
    shutil.rmtree(name)
    if csv:
        os.remove(f"{name}.csv")


def cut_later(relays, wait, over):
    """Cut all connections some time after the processes have connected."""
    while not over.is_set():
        try:
            with open("metrics") as told:
                if 'stage="meeting"} 0' in told.read():
                    break
        except OSError:
            pass
        time.sleep(0.005)
    if not over.wait(wait):
        for relay in relays:
            relay.cut()


def several(arguments, csv, count, delay=None, cuts=0, whole=1.0):
    """Label with `count` processes, whose connections are cut `cuts` times."""
    begun, processor, memory, done = time.time(), 0.0, 0, 0
    open("said", "w").close()
    while True:
        if os.path.exists("metrics"):
            os.remove("metrics")
        ports, relays = addresses(count, delay)
        for own in range(count):
            known = [ports[i] if i == own or not relays else relays[i].port for i in range(count)]
            with open(f"hosts.{own}", "w") as out:
                out.writelines(f"127.0.0.1:{port}\n" for port in known)
        kept = ["--checkpoint", "state", "--every", str(max(0.2, whole / 8)), "--resume"] if cuts else []
        pids = []
        for own in range(count):
            more = ["--hosts", f"hosts.{own}", "--process", str(own), "--secret-file", "secret"]
            pids.append(label(arguments, more + kept + outputs("many", csv) + ["--metrics", "metrics"]))
        over = threading.Event()
        if done < cuts:
            # Cut at a random moment of the undisturbed time.
            wait = whole * random.uniform(0.1, 0.8)
            threading.Thread(target=cut_later, args=(relays, wait, over), daemon=True).start()
        ends = [spent(pid) for pid in pids]
        over.set()
        for relay in relays:
            relay.close()
        processor += sum(end[0] for end in ends)
        memory = max(memory, *(end[1] for end in ends))
        codes = [end[2] for end in ends]
        if all(code == 0 for code in codes):
            break
        if done < cuts and os.path.exists("many"):
            # The cut came after the table was complete.
            done += 1
            shutil.rmtree("state", ignore_errors=True)
            break
        if done >= cuts or any(code not in (0, 4) for code in codes):
            with open("said") as said:
                sys.exit(f"exit codes {codes}: {said.read()}")
        done += 1
    same("many", csv)
    with open("metrics") as told:
        numbers = dict(line.split() for line in told if not line.startswith("#"))
    sent, rounds = (numbers[f"grundy_label_{what}_total"] for what in ("sent_bytes", "rounds"))
    return time.time() - begun, processor, memory, int(sent), rounds, done


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


asked = argparse.ArgumentParser()
asked.add_argument("--program", default="target/release/grundy")
asked.add_argument("--only", nargs="*")
asked.add_argument("--small", action="store_true")
asked.add_argument("--no-relay", action="store_true")
asked = asked.parse_args()
program = os.path.realpath(asked.program)
room = tempfile.mkdtemp()
os.chdir(room)
try:
    with open("heaps.star", "w") as out:
        out.write(RULES)
    with open("secret", "w") as out:
        out.write(secrets.token_hex(32))
    row("game", "by", "s", "s of the processor", "MiB of a process", "MiB sent", "rounds", "cuts")
    row(*["---"] * 8)
    for name, (arguments, csv) in games(asked.small).items():
        if asked.only and name not in asked.only:
            continue
        if name == "graph":
            graph(100_000 if asked.small else 10_000_000)
        begun = time.time()
        pid = label(arguments, outputs("one", csv))
        processor, memory, code = spent(pid)
        if code:
            sys.exit(f"exit code {code}")
        row(name, "one process", f"{time.time() - begun:.1f}", f"{processor:.1f}", memory, "", "", "")
        begun = time.time()
        pid = label(arguments, ["--workers", "1", *outputs("many", csv)])
        processor, memory, code = spent(pid)
        same("many", csv)
        row(name, "one worker", f"{time.time() - begun:.1f}", f"{processor:.1f}", memory, "", "", "")
        for count in (2, 4):
            took = None
            ways = [("", {})]
            if not asked.no_relay:
                ways += [(", 1 ms later", {"delay": 0.001}), (", cut", {"delay": 0.0, "cuts": 3})]
            for way, how in ways:
                if "cuts" in how:
                    how["whole"] = took
                wall, processor, memory, sent, rounds, done = several(arguments, csv, count, **how)
                took = took or wall
                row(name, f"{count} processes{way}", f"{wall:.1f}", f"{processor:.1f}", memory, f"{sent / 2**20:.1f}", rounds, done or "")
        shutil.rmtree("one")
        if csv:
            os.remove("one.csv")
    print("the same bytes")
finally:
    os.chdir("/")
    shutil.rmtree(room)
