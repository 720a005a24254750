#!/usr/bin/env python3
"""Labels games with one process and with 2 and 4 processes on 127.0.0.1, and compares the results.

    scripts/cluster_games.py [--program GRUNDY] [--only NAME...] [--small] [--no-relay]

Each game runs over plain connections, through relays that delay all data, and through relays that
cut all connections several times while checkpoints are written. The output must be byte-identical
to that of one process.

GRUNDY is the program built with the feature `cluster` (default: target/release/grundy). NAME is one
of graph, nim, nim9, rules, domineering, tictactoe; --small selects small games of these kinds.
Prints a row of a Markdown table for each run. Its columns are the game, the processes, wall time,
CPU time, peak memory of a process, bytes sent, rounds, and cuts.
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
    """Return the games by name: the arguments of each, and whether it writes a CSV file too."""
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

    def __init__(self, target_port, delay):
        self.target_port, self.delay, self.open = target_port, delay, []
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
                called = socket.create_connection(("127.0.0.1", self.target_port))
            except OSError:
                # The process does not listen yet. The caller sees a closed connection and retries.
                caller.close()
                continue
            for end in (caller, called):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.open += [caller, called]
            for source, target in [(caller, called), (called, caller)]:
                threading.Thread(target=self.carry, args=(source, target), daemon=True).start()

    def carry(self, source, target):
        try:
            while True:
                data = source.recv(1 << 18)
                if not data:
                    break
                if self.delay:
                    time.sleep(self.delay)
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
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
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    # The ports stay bound until the relays have theirs, so that none is assigned twice.
    relays = [Relay(port, delay) for port in ports] if delay is not None else []
    for one in sockets:
        one.close()
    return ports, relays


def wait_for(pid):
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


def compare_outputs(name, csv):
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


def cut_after(relays, wait, over):
    """Cut all connections some time after the processes have connected."""
    while not over.is_set():
        try:
            with open("metrics") as metrics:
                if 'stage="meeting"} 0' in metrics.read():
                    break
        except OSError:
            pass
        time.sleep(0.005)
    if not over.wait(wait):
        for relay in relays:
            relay.cut()


def run_processes(arguments, csv, count, delay=None, cuts=0, duration=1.0):
    """Label with `count` processes, whose connections are cut `cuts` times.

    `delay` is the delay of the relays in seconds, or `None` without relays. `duration` is the time
    of a run without cuts, in seconds.
    """
    started, processor, memory, done = time.time(), 0.0, 0, 0
    open("said", "w").close()
    while True:
        if os.path.exists("metrics"):
            os.remove("metrics")
        ports, relays = addresses(count, delay)
        for index in range(count):
            known = [ports[i] if i == index or not relays else relays[i].port for i in range(count)]
            with open(f"hosts.{index}", "w") as out:
                out.writelines(f"127.0.0.1:{port}\n" for port in known)
        checkpoint = ["--checkpoint", "state", "--every", str(max(0.2, duration / 8)), "--resume"] if cuts else []
        pids = []
        for index in range(count):
            more = ["--hosts", f"hosts.{index}", "--process", str(index), "--secret-file", "secret"]
            pids.append(label(arguments, more + checkpoint + outputs("many", csv) + ["--metrics", "metrics"]))
        over = threading.Event()
        if done < cuts:
            # Cut at a random moment of the expected duration.
            wait = duration * random.uniform(0.1, 0.8)
            threading.Thread(target=cut_after, args=(relays, wait, over), daemon=True).start()
        ends = [wait_for(pid) for pid in pids]
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
    compare_outputs("many", csv)
    with open("metrics") as metrics:
        numbers = dict(line.split() for line in metrics if not line.startswith("#"))
    sent, rounds = (numbers[f"grundy_label_{what}_total"] for what in ("sent_bytes", "rounds"))
    return time.time() - started, processor, memory, int(sent), rounds, done


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


parser = argparse.ArgumentParser()
parser.add_argument("--program", default="target/release/grundy")
parser.add_argument("--only", nargs="*")
parser.add_argument("--small", action="store_true")
parser.add_argument("--no-relay", action="store_true")
options = parser.parse_args()
program = os.path.realpath(options.program)
folder = tempfile.mkdtemp()
os.chdir(folder)
try:
    with open("heaps.star", "w") as out:
        out.write(RULES)
    with open("secret", "w") as out:
        out.write(secrets.token_hex(32))
    row("game", "by", "s", "s of the processor", "MiB of a process", "MiB sent", "rounds", "cuts")
    row(*["---"] * 8)
    for name, (arguments, csv) in games(options.small).items():
        if options.only and name not in options.only:
            continue
        if name == "graph":
            graph(100_000 if options.small else 10_000_000)
        started = time.time()
        pid = label(arguments, outputs("one", csv))
        processor, memory, code = wait_for(pid)
        if code:
            sys.exit(f"exit code {code}")
        row(name, "one process", f"{time.time() - started:.1f}", f"{processor:.1f}", memory, "", "", "")
        started = time.time()
        pid = label(arguments, ["--workers", "1", *outputs("many", csv)])
        processor, memory, code = wait_for(pid)
        compare_outputs("many", csv)
        row(name, "one worker", f"{time.time() - started:.1f}", f"{processor:.1f}", memory, "", "", "")
        for count in (2, 4):
            undisturbed = None
            connections = [("", {})]
            if not options.no_relay:
                connections += [(", 1 ms later", {"delay": 0.001}), (", cut", {"delay": 0.0, "cuts": 3})]
            for connection, settings in connections:
                if "cuts" in settings:
                    settings["duration"] = undisturbed
                wall, processor, memory, sent, rounds, done = run_processes(arguments, csv, count, **settings)
                undisturbed = undisturbed or wall
                row(name, f"{count} processes{connection}", f"{wall:.1f}", f"{processor:.1f}", memory, f"{sent / 2**20:.1f}", rounds, done or "")
        shutil.rmtree("one")
        if csv:
            os.remove("one.csv")
    print("the same bytes")
finally:
    os.chdir("/")
    shutil.rmtree(folder)
