"""Golden tests of the command line, run through the Python package: the JSON must be the same.

The tests compare every run with ``--json`` and every line of a batch. Runs that concern the
terminal, output files or options of the command line are skipped for the reasons in ``UNASKED``.
The number of comparisons is checked, so that no run is skipped by accident.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import grundy

from .conftest import ROOT

GOLDEN = ROOT / "testdata" / "golden"

# Options that only the command line has: output files, output formats, limits.
UNASKED = {
    "--all": "a table of all codes is printed",
    "--best-move": "a column of the table that is written",
    "--bfile": "a form of printing",
    "--certificate": "writes a file",
    "--csv": "a form of printing",
    "--dot": "a form of printing",
    "--efg": "writes a file",
    "--format": "reads a file by another ending",
    "--jsonl": "asked as a batch below",
    "--lang": "the JSON is the same in every language",
    "--max-positions": "limits are those of the call",
    "--output": "writes a file",
    "--svg": "writes a file",
    "--resume": "resumes from a file",
    "--checkpoint": "writes a file",
    "--values": "writes a file",
    "--tablebase": "writes a folder",
}

# Parts of messages in which the command line rejects its own arguments.
BY_ITSELF = (
    "--",
    "'",
    "required arguments",
    "has no option",
    "is missing",
    "missing key `",
    "no position given",
    "invalid number `",
    "unexpected range",
    "requires a file",
    "looks like an option",
)

COMMANDS = {
    "solve",
    "explain",
    "table",
    "period",
    "verify",
    "label",
    "matrix",
    "tree",
    "nimber",
    "help",
    "exercises",
    "draw",
    "value",
    "compare",
}


def entries(path: Path) -> list[tuple[str, Any, Any]]:
    """Return the runs and batch lines of a golden file.

    They are ``("run", arguments, (code, lines))`` and ``("line", (arguments, line), answer)``.
    """
    found: list[tuple[str, Any, Any]] = []
    arguments: list[str] = []
    lines = path.read_text(encoding="utf-8").splitlines()
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        if line.startswith("$ "):
            arguments, end = json.JSONDecoder().raw_decode(line[2:])
            given = line[2:][end:].strip()
            code = int(lines[index][2:]) if lines[index][2:].isdigit() else -1
            index += 1
            said = []
            while index < len(lines) and lines[index].startswith("  "):
                said.append(lines[index][2:])
                index += 1
            found.append(("run", (arguments, given), (code, said)))
        elif line.startswith("! "):
            arguments = json.loads(line[2:])
        elif line.startswith("? "):
            found.append(("line", (arguments, line[2:]), lines[index][2:]))
            index += 1
    return found


def options(arguments: list[str], flags: set[str], valued: set[str]) -> tuple[list[str], dict[str, Any]] | None:
    """Split positional arguments from options; return ``None`` for an option not listed here."""
    plain: list[str] = []
    named: dict[str, Any] = {}
    rest = iter(arguments)
    for argument in rest:
        name, _, value = argument.partition("=")
        if name in flags:
            named[name] = True
        elif name in valued:
            named[name] = value or next(rest)
        elif argument.startswith("--"):
            return None
        else:
            plain.append(argument)
    return plain, named


def position(expression: str | None, named: dict[str, Any]) -> grundy.Position:
    file = grundy.rule_file(ROOT / named["--rules"]) if "--rules" in named else None
    terms = [] if expression is None else [grundy.position(expression, file, files=True)]
    if "--picture" in named:
        terms.append(grundy.picture_file(ROOT / named["--picture"]))
    return sum(terms[1:], terms[0])


def python_answer(command: str, arguments: list[str], given: str) -> dict[str, Any] | None:
    """Return the answer of the Python package, or ``None`` for a request that Python lacks."""
    flags = {
        "--json",
        "--misere",
        "--remoteness",
        "--proof",
        "--graph",
        "--labels",
        "--pattern",
        "--stream",
        "--frequencies",
        "--freeze",
        "--form",
        "--latex",
        "--genus",
        "--full",
    }
    flags |= {"--alpha-beta", "--merge", "--table", "--optimal", "--explain", "--trace"}
    valued = {
        "--rules",
        "--picture",
        "--of",
        "--max",
        "--list",
        "--versus",
        "--dominance",
        "--extreme",
        "--count",
        "--seed",
        "--cool",
        "--heat",
        "--overheat",
        "--norton",
    }
    valued |= {"--row-strategy", "--col-strategy"}
    read = options(arguments, flags, valued)
    if read is None:
        return None
    plain, named = read
    play = "misere" if "--misere" in named else "normal"
    first = plain[0] if plain else None
    if first is None and "--picture" not in named:
        return None
    if len(plain) > 1 and command not in ("table", "exercises", "compare"):
        return None
    if command == "solve" and "--genus" in named:
        return grundy.ask("solve", {"game": first, "play": play, "genus": True})
    if command == "solve":
        return position(first, named).solve(play=play, remoteness="--remoteness" in named).to_dict()
    if command == "explain":
        return position(first, named).explain(play=play, proof="--proof" in named).to_dict()
    if command == "value":
        settings = {key: named.get("--" + key) for key in ("cool", "heat", "overheat", "norton")}
        settings |= {"freeze": "--freeze" in named, "form": "--form" in named, "full": "--full" in named, "play": play}
        if play == "misere" and "--latex" in named:
            return grundy.ask("value", {"game": first, "play": play, "latex": True})
        found = grundy.value(position(first, named), **settings)
        return found.to_dict() | ({"latex": found.latex} if "--latex" in named else {})
    if command == "compare" and "--explain" in named:
        return grundy.ask("compare", {"game": plain[0], "with": plain[1], "explain": True, "play": play})
    if command == "compare":
        two = [position(one, named) for one in plain]
        relation = grundy.compare(*two, play=play)
        told = {"games": list(map(str, two)), "relation": str(relation)}
        return told if relation.witness is None else {**told, "witness": relation.witness}
    if command == "table":
        file = grundy.rule_file(ROOT / named["--rules"]) if "--rules" in named else None
        question = {
            "game": first,
            "ranges": plain[1:],
            "play": play,
            "of": "genus" if "--genus" in named else named.get("--of"),
            "full": "--full" in named,
            "pattern": "--pattern" in named,
        }
        ranges = dict(one.split("=", 1) for one in plain[1:] if "=" in one)
        if len(ranges) != len(plain) - 1 or any(".." not in value for value in ranges.values()):
            return grundy.ask("table", question, file=file)
        settings = {key: question[key] for key in ("play", "of", "full", "pattern")}
        return grundy.table(first, rules=file, **settings, **ranges).to_dict()
    if command == "period":
        settings = {"max": int(named["--max"])} if "--max" in named else {}
        settings |= {"stream": "--stream" in named, "frequencies": "--frequencies" in named}
        rules = grundy.rule_file(ROOT / named["--rules"]) if "--rules" in named else None
        return grundy.period(first, play=play, rules=rules, **settings).to_dict()
    if command == "verify":
        return grundy.verify(ROOT / first).to_dict()
    if command == "label":
        return labelled(Path(first) if Path(first).is_file() else position(first, named), play)
    if command == "matrix" and first == "-":
        settings = {"trace": "--trace" in named, "dominance": named.get("--dominance")}
        settings["extreme"] = int(named["--extreme"]) if "--extreme" in named else None
        settings |= {"row_strategy": named.get("--row-strategy"), "col_strategy": named.get("--col-strategy")}
        return grundy.ask("matrix", {"file": "matrix", "files": {"matrix": json.loads(given)}, **settings})
    if command == "matrix":
        settings = {"trace": "--trace" in named, "dominance": named.get("--dominance")}
        if "--extreme" in named:
            settings["extreme"] = int(named["--extreme"])
        if "--row-strategy" in named or "--col-strategy" in named:
            brought = {"file": first, "files": {first: Path(first).read_text(encoding="utf-8")}}
            for key in ("row_strategy", "col_strategy"):
                brought[key] = named.get("--" + key.replace("_", "-"))
            return grundy.ask("matrix", brought)
        return grundy.matrix(Path(first), **settings).to_dict()
    if command == "tree":
        settings = {"alpha_beta": "--alpha-beta" in named, "table": "--table" in named, "merge": "--merge" in named}
        settings |= {"optimal": "--optimal" in named, "versus": named.get("--versus")}
        if "--list" in named:
            settings["list"] = int(named["--list"])
        file = Path(first)
        game = file if "(" not in first and file.is_file() else position(first, named)
        return grundy.solve_tree(game, play=play, **settings).to_dict()
    if command == "nimber":
        return grundy.ask("nimber", {"game": first, "explain": "--explain" in named})
    if command == "help":
        try:
            return grundy.help(first).to_dict()
        except grundy.GrundyError:
            # Help on a command or a topic exists on the command line only, or not at all.
            return None
    if command == "exercises":
        settings = {key[2:]: int(named[key]) for key in ("--count", "--seed") if key in named}
        ranges = dict(one.split("=", 1) for one in plain[1:])
        return grundy.exercises(first, **settings, **ranges).to_dict()
    picture = position(first, named).draw(graph="--graph" in named, labels="--labels" in named, play=play)
    return {"svg": str(picture)}


def labelled(game: grundy.Position | Path, play: str) -> dict[str, Any]:
    """Return labels in the JSON form of the command line."""
    labels = grundy.label(game, play=play)
    rows = []
    for vertex, known in labels.items():
        row: dict[str, Any] = {"position": vertex, "outcome": known.outcome, "remoteness": known.remoteness}
        if isinstance(known.grundy, grundy.Infinity):
            row["grundy"] = {"infinity": sorted(known.grundy)}
        elif known.grundy is not None:
            row["grundy"] = known.grundy
        rows.append(row)
    return {"positions": rows}


def both(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row in which the remotenesses by first player are one value."""
    if "remoteness_left" not in row:
        return row
    return {**row, "remoteness": {side: row[f"remoteness_{side}"] for side in ("left", "right")}}


def compare(command: str, mine: dict[str, Any], theirs: dict[str, Any]) -> None:
    # A position object does not know from which text it was read.
    theirs = {key: value for key, value in theirs.items() if key != "understood"}
    if command == "label":
        keys = ("position", "outcome", "remoteness", "grundy")
        rows = [[row.get(key) for key in keys] for row in mine["positions"]]
        assert rows == [[both(row).get(key) for key in keys] for row in theirs["positions"]]
    elif command == "draw":
        assert mine["svg"] == theirs["svg"]
    elif command == "period":
        # Python's answer has an additional key, the name of the theorem in the requested language.
        assert {key: value for key, value in mine.items() if key != "theorem_text"} == theirs
    else:
        assert mine == theirs


def without_advice(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the answer without the advice on limits, which each interface words differently."""
    stopped = answer.get("stopped")
    if not isinstance(stopped, dict):
        return answer
    return answer | {"stopped": {key: value for key, value in stopped.items() if key != "help"}}


def wrong(error: Exception, theirs: dict[str, Any]) -> None:
    """Check that an error is the same, unless Python rejects the type first."""
    told = theirs.get("error") or theirs["stopped"]
    if told["kind"] == "io" or any(sign in told["message"] for sign in BY_ITSELF):
        # The command line rejected its own arguments, which Python does not have.
        return
    if isinstance(error, grundy.GrundyError):
        assert error.kind == told["kind"], error
        if error.kind not in ("limit", "io"):
            assert error.message == told["message"]
            assert error.at == told["at"]
    else:
        assert isinstance(error, (TypeError, ValueError, FileNotFoundError)), error


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare the runs with ``--json``."""
    monkeypatch.chdir(ROOT)
    counted: Counter[str] = Counter()
    for kind, question, answer in entries(path):
        if kind != "run":
            continue
        (arguments, given), (code, said) = question, answer
        command = arguments[0] if arguments else ""
        if (
            "--json" not in arguments
            or command not in COMMANDS
            or (given and command != "matrix")
            or any("{tmp}" in one for one in arguments)
        ):
            continue
        if any(one.split("=")[0] in UNASKED for one in arguments) or len(said) == 0:
            counted["of the command line alone"] += 1
            continue
        try:
            theirs = json.loads("\n".join(said))
        except json.JSONDecodeError:
            counted["of the command line alone"] += 1
            continue
        try:
            mine = python_answer(command, [one for one in arguments[1:] if one != "--json"], given)
        except Exception as error:
            assert code != 0, (arguments, error)
            wrong(error, theirs)
            counted["errors"] += 1
            continue
        if mine is None:
            counted["of the command line alone"] += 1
            continue
        if "error" in theirs:
            # Python accepts an argument that the command line rejects.
            counted["of the command line alone"] += 1
            continue
        compare(command, mine, theirs)
        counted["compared"] += 1
    asked_here = counted["compared"] + counted["errors"]
    least = LEAST.get(path.stem, 0)
    assert asked_here >= least, f"{path.stem}: {dict(counted)}, and {least} were meant to be compared"


# The least number of runs compared in each file. It guards against skipping too many.
LEAST = {
    "draw": 50,
    "explain": 125,
    "help": 7,
    "label": 50,
    "matrix": 15,
    "nimber": 30,
    "period": 20,
    "rules": 25,
    "solve": 14,
    "table": 70,
    "tree": 100,
}


def test_lines() -> None:
    """Compare the lines of batches, requested one by one."""
    count = 0
    for path in sorted(GOLDEN.glob("*.txt")):
        for kind, question, answer in entries(path):
            if kind != "line":
                continue
            (arguments, line), theirs = question, json.loads(answer)
            file = None
            if "--rules" in arguments:
                file = grundy.rule_file(ROOT / arguments[arguments.index("--rules") + 1])
            asked_line: dict[str, Any] = {"game": line}
            if line.startswith("{"):
                try:
                    asked_line = json.loads(line)
                except json.JSONDecodeError:
                    continue
                if not isinstance(asked_line.get("game"), str) or "timeout" in asked_line:
                    continue
            if arguments[0] == "value":
                # Only a batch checks expected values and ignores the keys of other commands.
                if "expect" in asked_line or "with" in asked_line:
                    continue
                if "--misere" in arguments:
                    asked_line.setdefault("play", "misere")
                try:
                    told = grundy.ask("value", asked_line, timeout=60)
                except grundy.GrundyError as error:
                    assert "error" in theirs or "stopped" in theirs, (line, error)
                    wrong(error, theirs)
                else:
                    assert without_advice(told) == without_advice(theirs), line
                count += 1
                continue
            asked_line.setdefault("play", "misere" if "--misere" in arguments else "normal")
            asked_line["outcome"] = asked_line.get("outcome") or "--outcome" in arguments
            asked_line["remoteness"] = asked_line.get("remoteness") or "--remoteness" in arguments
            asked_line["genus"] = asked_line.get("genus") or "--genus" in arguments
            if "id" in asked_line and asked_line["id"] is None:
                # `ask` leaves out keys that are None, so the answer lacks the id too.
                del asked_line["id"], theirs["id"]
            try:
                mine = grundy.ask("solve", asked_line, file=file, timeout=60)
            except grundy.GrundyError as error:
                assert "error" in theirs or "stopped" in theirs, (line, error)
                wrong(error, theirs)
            else:
                assert without_advice(mine) == without_advice(theirs), line
            count += 1
    assert count > 500


def test_position_objects_give_the_same_answers() -> None:
    """Check that positions parsed, printed and solved as objects give the same answers."""
    count = 0
    lines = [entry for path in sorted(GOLDEN.glob("*.txt")) for entry in entries(path) if entry[0] == "line"]
    for _, question, answer in lines:
        theirs = json.loads(answer)
        if (
            question[0][0] != "solve"
            or "error" in theirs
            or "--rules" in question[0]
            or "answers" in theirs
            or theirs["play"] == "misere"
            or theirs["status"] == "partial"
            or "winning_moves" not in theirs
            # The answer has another order of moves.
            or "remoteness" in question[1]
        ):
            continue
        game = grundy.position(json.loads(question[1])["game"] if question[1].startswith("{") else question[1])
        assert str(game) == theirs["game"]
        assert grundy.position(str(game)) == game
        assert game.outcome == theirs["outcome"]
        moves = game.winning_moves()
        listed = theirs["winning_moves"]
        sides = [(moves, listed)] if isinstance(listed, list) else [(moves[side], listed[side]) for side in listed]
        for mine, other in sides:
            assert [(list(move.at), move.component, move.to) for move in mine] == [
                (move["at"], move.get("component", 0), move["to"]) for move in other
            ]
        count += 1
    assert count > 100


def test_a_tablebase_is_probed(tmp_path: Path) -> None:
    """Probe from Python a tablebase written by the command line."""
    program = os.environ.get("GRUNDY")
    if program is None:
        pytest.skip("GRUNDY does not name the program")
    import subprocess

    folder = tmp_path / "table"
    subprocess.run([program, "label", "nim(2, 3)", "--tablebase", str(folder)], check=True, stdout=subprocess.DEVNULL)
    table = grundy.tablebase(folder)
    for game in (grundy.nim(2, 3), grundy.nim(2, 2), grundy.nim(0, 1)):
        known = table[game]
        assert (known.outcome, known.grundy, known.remoteness) == (game.outcome, game.grundy, game.remoteness)
