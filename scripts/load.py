#!/usr/bin/env python3
"""Load test of the server with many clients, some of which send expensive and malformed requests.

    cargo build --release --bin grundy
    scripts/load.py [--clients 200] [--hostile 20] [--seconds 60] [--program target/release/grundy]

Starts a server on 127.0.0.1, sends requests to it, and stops it. Prints the latency of ordinary
requests, the statuses of all responses, the peak memory of the server, and the delay until
cancelled jobs stop. Exits with 1 if the server dies, answers an ordinary request wrongly, or leaks
data between clients.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import subprocess
import sys
import threading
import time
import urllib.request

ORDINARY = [
    ("solve", {"game": "nim(3, 4, 5)"}, lambda a: a["grundy"] == 2),
    ("solve", {"game": "nim(7, 9) + kayles(12) + chomp(4, 3, 1)"}, lambda a: a["outcome"] == "N"),
    ("solve", {"game": "wythoff(21, 34)"}, lambda a: a["outcome"] == "P"),
    ("board", {"game": "nim(3, 4, 5)", "moves": "0 1"}, lambda a: a["position"] == "nim(1, 4, 5)"),
    ("board", {"game": "hackenbush('0-1 1-2 1-3')"}, lambda a: len(a["moves"]) == 3),
    ("analyse", {"game": "nim(3, 4, 5)"}, lambda a: a["standing"] == "win"),
    ("analyse", {"game": "kayles(12)"}, lambda a: a["complete"]),
    ("explain", {"game": "nim(13, 12, 8)", "pictures": True}, lambda a: a["grundy"] == 9),
    ("reply", {"game": "nim(3, 4)"}, lambda a: a["saved"] == "1 3"),
    ("table", {"game": "kayles(n)", "ranges": ["n=0..60"]}, lambda a: a["grundy"][:4] == [0, 1, 2, 3]),
    ("help", {"game": "nim"}, lambda a: a["name"] == "nim"),
    ("nimber", {"game": "2 * 4"}, lambda a: a["value"] == 8),
]

ENDLESS = "def moves(n):\n    return [n + 1, n + 2] if n > 0 else []\n"
GREEDY = "def moves(n):\n    x = [0] * 100000\n    y = [x + [i] for i in range(1000)]\n    return [n - 1] if n else []\n"
SPIN = "def f(n):\n    t = 0\n    for i in range(100000000):\n        t += i\n    return t\ndef moves(n):\n    return [f(n)]\n"


EXPONENTIAL = "literal(\"" + "+-(" * 30 + "1" + ")" * 30 + "\")"


def path_edges(count):
    return " ".join(f"{i}-{i + 1}" for i in range(count))


HOSTILE = [
    ("solve", {"game": "chomp(board(14, 14))"}),
    ("solve", {"game": "nim(" + ", ".join(["18446744073709551615"] * 5000) + ")"}),
    ("solve", {"game": "subtraction([1, 2, 65536], 1000000000000)"}),
    ("solve", {"game": "domineering(" + json.dumps(["." * 8] * 8) + ")"}),
    ("solve", {"game": "cram(board(9, 9))"}),
    ("solve", {"game": "hackenbush('" + path_edges(60000) + "')"}),
    ("solve", {"game": "game(moves, 1)", "rules": ENDLESS}),
    ("solve", {"game": "game(moves, 9)", "rules": GREEDY}),
    ("solve", {"game": "game(moves, 9)", "rules": SPIN}),
    ("solve", {"game": "(" * 3000 + "nim(1)" + ")" * 3000}),
    ("solve", {"game": "nim(1) + " * 20000 + "nim(1)"}),
    ("analyse", {"game": "wythoff(100000, 100000)"}),
    ("analyse", {"game": "moore_nim(5, 470978741860, 239836986156, 256102080742, 266812344799, 762392874391)"}),
    ("explain", {"game": "kayles(10000)", "pictures": True}),
    ("explain", {"game": "chomp(board(8, 8))", "proof": True}),
    ("table", {"game": "wythoff(a, b)", "ranges": ["a=0..2000", "b=0..2000"]}),
    ("table", {"game": "kayles(n)", "ranges": ["n=0..18446744073709551615"]}),
    ("period", {"game": "take_and_break('0.007', n)", "max": 18446744073709551615}),
    ("draw", {"game": "hackenbush('" + path_edges(60000) + "')"}),
    ("draw", {"game": "chomp(board(5, 5))", "graph": True}),
    ("tree", {"game": "tic_tac_toe()"}),
    ("label", {"game": "nim(60, 60, 60, 60)"}),
    ("matrix", {"file": "a.csv", "files": {"a.csv": "\n".join(",".join(str((i * j * 7919) % 1009) for j in range(120)) for i in range(120))}}),
    ("nimber", {"game": "9223372036854775809 ** 18446744073709551615 * " * 200 + "2"}),
    ("practice", {"game": "domineering", "level": 10, "ask": "value", "seed": 99}),
    ("exercises", {"game": "cram", "count": 1000, "level": 10}),
    # Short requests whose computation or answer is exponentially larger than the request.
    *[(name, {"game": EXPONENTIAL}) for name in ("solve", "value", "explain", "draw", "label", "tree")],
    ("compare", {"game": EXPONENTIAL, "with": "literal(\"1\")"}),
    ("solve", {"game": "impartial(" + EXPONENTIAL + ")"}),
    ("solve", {"game": "literal(\"" + "{" * 99_999 + "0" + "|}" * 99_999 + "\")"}),
    ("solve", {"game": "literal(\"" + "+-" * 20_000 + "1\")"}),
    ("solve", {"game": "game(moves, 5)", "rules": "def left(n):\n    return [literal('{'*90000+'|}'*90000)]\ndef right(n):\n    return []\n"}),
    ("table", {"game": "nim(n, m)", "ranges": ["n=0..5000", "m=0..5000"]}),
    ("tree", {"game": "game(moves, 0)", "rules": "def moves(n):\n    return [sum_of([n + 1, n + 2])]\n"}),
    ("tree", {"game": "game(moves, 'ab')", "rules": "def moves(s):\n    return [s + s]\n"}),
    ("value", {"game": "hackenbush('" + " ".join(["0-1:b"] * 10_000) + "')"}),
    ("value", {"game": "hackenbush('" + " ".join(f"{i}-{i + 1}:{'br'[i % 2]}" for i in range(10_000)) + "')"}),
    ("solve", {"game": "domineering(board(1, 10000))"}),
    ("solve", {"game": "impartial(literal(\"1000000000\"))"}),
    ("solve", {"game": "impartial(cutcake(10000000, 10000000))"}),
    ("value", {"game": "toads_and_frogs(\"TTTTTT..FFFFFF\")"}),
    ("value", {"game": "literal(\"{1|*512}\")", "of": ["incentives", "reduced"]}),
]

RAW = [
    b"POST /api/v1/solve HTTP/1.1\r\nHost: %HOST%\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{",
    b"POST /api/v1/solve HTTP/1.1\r\nHost: %HOST%\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n\xff\xfe\xfd\xfc\xfb",
    b"POST /api/v1/solve HTTP/1.1\r\nHost: %HOST%\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n" + b"[" * 200000,
    b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"\x16\x03\x01" + bytes(range(200)),
    b"POST /api/v1/solve HTTP/1.1\r\nHost: %HOST%\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"ga",
]


async def exchange(port, name, question, connection=None):
    reader, writer = connection or await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    body = question if isinstance(question, bytes) else json.dumps(question).encode()
    head = f"POST /api/v1/{name} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    await writer.drain()
    status = int((await reader.readline()).split()[1])
    length, close = 0, False
    while True:
        line = (await reader.readline()).strip().lower()
        if not line:
            break
        if line.startswith(b"content-length:"):
            length = int(line.split(b":")[1])
        close = close or line == b"connection: close"
    text = await reader.readexactly(length)
    if close:
        writer.close()
        return status, text, None
    return status, text, (reader, writer)


class Run:
    def __init__(self, port, seconds):
        self.port = port
        self.end = time.monotonic() + seconds
        self.latencies = []
        self.by_name = {}
        self.statuses = {}
        self.wrong_answers = []
        self.leaks = []

    async def ordinary(self, client):
        connection = None
        generator = random.Random(client)
        # Real clients do not start in the same millisecond.
        await asyncio.sleep(generator.uniform(0, 1.2))
        while time.monotonic() < self.end:
            name, question, right = generator.choice(ORDINARY)
            started = time.monotonic()
            try:
                status, text, connection = await exchange(self.port, name, question, connection)
            except (OSError, asyncio.IncompleteReadError, IndexError, ValueError) as error:
                self.wrong_answers.append(f"{name}: {error!r}")
                connection = None
                continue
            self.latencies.append(time.monotonic() - started)
            self.by_name.setdefault(name, []).append(self.latencies[-1])
            self.statuses[status] = self.statuses.get(status, 0) + 1
            if status != 200 or not right(json.loads(text)):
                self.wrong_answers.append(f"{name} {question}: {status} {text[:200]}")
            if b"secret" in text:
                self.leaks.append(text[:200])
            await asyncio.sleep(generator.uniform(0.3, 1.2))

    async def hostile(self, client):
        generator = random.Random(client)
        bodies = [(name, body_of(question, client)) for name, question in HOSTILE]
        while time.monotonic() < self.end:
            if generator.random() < 0.2:
                await self.raw(generator)
                continue
            name, question = generator.choice(bodies)
            try:
                status, _, connection = await exchange(self.port, name, question)
                key = f"hostile {status}"
                self.statuses[key] = self.statuses.get(key, 0) + 1
                if connection:
                    connection[1].close()
            except (OSError, asyncio.IncompleteReadError, IndexError, ValueError):
                self.statuses["hostile, cut"] = self.statuses.get("hostile, cut", 0) + 1

    async def raw(self, generator):
        text = generator.choice(RAW).replace(b"%HOST%", f"127.0.0.1:{self.port}".encode())
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(text)
            await writer.drain()
            await asyncio.wait_for(reader.read(1000), 3)
            writer.close()
        except (OSError, asyncio.TimeoutError):
            pass


def body_of(question, client):
    """Return the body of a hostile request.

    Rules contain a secret of the client, which must not appear in responses to other clients.
    """
    question = dict(question)
    if "rules" in question:
        question["rules"] += f"# secret {client}\n"
    return json.dumps(question).encode()


def processes_of(server):
    """Return the process ids of the server and of its child processes."""
    found = [server]
    for name in os.listdir("/proc"):
        try:
            if name.isdigit():
                with open(f"/proc/{name}/stat", encoding="utf-8") as stat:
                    if int(stat.read().rsplit(") ", 1)[1].split()[1]) == server:
                        found.append(int(name))
        except OSError:
            pass
    return found


def memory_of(process):
    """Return the resident memory of a process in MiB; 0 if it has ended."""
    try:
        with open(f"/proc/{process}/status", encoding="ascii") as status:
            fields = dict(line.split(":", 1) for line in status)
        return int(fields["VmRSS"].split()[0]) / 1024
    except (OSError, KeyError):
        return 0.0


def watch_memory(server, end, peaks):
    """Record in `peaks` the peak memory of the server, without and with its child processes."""
    while time.monotonic() < end:
        memory = [memory_of(process) for process in processes_of(server)]
        peaks[0], peaks[1] = max(peaks[0], memory[0]), max(peaks[1], sum(memory))
        time.sleep(0.1)


def metric(port, name):
    """Return the value of a metric at /metrics."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as metrics:
        lines = metrics.read().decode().splitlines()
    return next(line.split()[1] for line in lines if line.startswith(name + " "))


async def measure_cancellation(port):
    """Cancel several slow jobs, and return the longest time until one stops."""
    slow = [
        ("period", {"game": "take_and_break('0.007', n)", "max": 10**9}),
        ("solve", {"game": "cram(board(9, 9))", "timeout": 60}),
        ("label", {"game": "nim(60, 60, 60, 60)"}),
        ("solve", {"game": "game(moves, 9)", "rules": SPIN, "timeout": 60}),
        ("table", {"game": "cram(board(m, n))", "ranges": ["m=5..7", "n=5..7"]}),
    ]
    worst = 0.0
    for name, question in slow:
        status, text, connection = await exchange(port, "jobs", {"command": name, **question})
        assert status == 202, text
        connection[1].close()
        job = json.loads(text)["job"]
        await asyncio.sleep(0.5)
        started = time.monotonic()
        for method in ("DELETE", "GET"):
            path = f"/api/v1/jobs/{job}" + ("/events" if method == "GET" else "")
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
            await reader.read()
            writer.close()
        delay = time.monotonic() - started
        print(f"  {name:8} stopped after {delay * 1000:.0f} ms")
        worst = max(worst, delay)
    return worst


def run_clients(kind, port, numbers, seconds, results=None):
    """Run the clients of one kind.

    Each kind has its own process, so that slow Python code of one kind does not add to the
    latencies measured by the other.
    """
    if kind == "hostile":
        # Real hostile clients run on other machines. A low priority keeps them from taking CPU time
        # from the server.
        os.nice(19)
    run = Run(port, seconds)

    async def run_all():
        await asyncio.gather(*[getattr(run, kind)(client) for client in numbers])

    asyncio.run(run_all())
    if results:
        results.put(run.statuses)
    return run


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--hostile", type=int, help="how many of them are hostile (one in ten)")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--program", default="target/release/grundy")
    options = parser.parse_args()
    server = subprocess.Popen([options.program, "serve", "--port", "0", "--no-open"], stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline().strip().rstrip("/").rsplit(":", 1)[1])
        hostile = options.clients // 10 if options.hostile is None else options.hostile
        results = multiprocessing.Queue()
        others = multiprocessing.Process(target=run_clients, args=("hostile", port, range(hostile), options.seconds, results))
        others.start()
        peaks = [0.0, 0.0]
        watcher = threading.Thread(target=watch_memory, args=(server.pid, time.monotonic() + options.seconds, peaks))
        watcher.start()
        run = run_clients("ordinary", port, range(hostile, options.clients), options.seconds)
        run.statuses.update(results.get(timeout=60))
        others.join()
        watcher.join()
        latencies = sorted(run.latencies)
        at = lambda share: latencies[min(len(latencies) - 1, int(share * len(latencies)))] * 1000
        print(f"{len(latencies)} ordinary requests: median {at(0.5):.1f} ms, 90 % {at(0.9):.1f} ms, 99 % {at(0.99):.1f} ms, most {latencies[-1] * 1000:.0f} ms")
        for name, times in sorted(run.by_name.items()):
            times.sort()
            print(f"  {name:8} median {times[len(times) // 2] * 1000:.1f} ms, 99 % {times[int(0.99 * len(times))] * 1000:.1f} ms")
        print("answers by status:", dict(sorted(run.statuses.items(), key=str)))
        print(f"memory of the server at most: {peaks[0]:.0f} MiB, with its processes {peaks[1]:.0f} MiB")
        print("processes that ended before their answer:", metric(port, "grundy_ended_total"))
        print("cancelled jobs:")
        asyncio.run(measure_cancellation(port))
        alive = server.poll() is None
        for line in (run.wrong_answers + run.leaks)[:10]:
            print("WRONG", line)
        print("the server is", "alive" if alive else "dead")
        return 0 if alive and not run.wrong_answers and not run.leaks else 1
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    sys.exit(main())
