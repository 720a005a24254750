#!/usr/bin/env python3
"""Tables of boards: values and outcomes of empty boards of growing size, for docs/boards.md.

    scripts/boards.py [--seconds N] [--program PATH]

Asks the program about one board after the other, the smallest of each game first, none for longer than N seconds (60 unless told).
Each answer is a line of docs/boards.jsonl as soon as it is there: who stops the script goes on there when it is started
again, and a board is asked again only with more time than it had. At the end docs/boards.md is written anew.
"""

import argparse
import json
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
LINES = ROOT / "docs" / "boards.jsonl"
PAGE = ROOT / "docs" / "boards.md"
MOST = 14


def alternating(rows: int, columns: int) -> str:
    """A board of Clobber, full of stones in turn."""
    lines = ["".join("xo"[(row + column) % 2] for column in range(columns)) for row in range(rows)]
    return f"clobber({json.dumps(lines)})"


def empty(game: str):
    """An empty board of a game."""
    return lambda rows, columns: f"{game}(board({rows}, {columns}))"


# The position, what is asked, the sizes, and the title of the table. A row of sizes ends at the first board that takes too long.
GAMES = {
    "cram": (empty("cram"), "--no-moves", range(2, 7), "Cram, Sprague–Grundy values"),
    "chomp": (empty("chomp"), "", range(2, 13), "Chomp, Sprague–Grundy values and, after the colon, how many bites win"),
    "domineering": (empty("domineering"), "--outcome", range(2, 10), "Domineering, outcome classes (Left stands upright)"),
    "clobber": (alternating, "--outcome", range(1, 6), "Clobber, outcome classes of full boards, x and o in turn"),
}


# What others have published, as far as is known here.
PUBLISHED = {
    "cram": "Nothing here is claimed to be new: J. Lemoine and S. Viennot (Nimbers are inevitable, 2012) valued Cram in this way.",
    "chomp": "Two rows are a theorem, and squares have the one winning bite next to the poisoned corner; three rows were tabled by\n"
    "D. Zeilberger (Three-rowed Chomp, 2001) and S. Byrnes (2003). No published table of the other values is known here.",
    "domineering": "Nothing here is new: D. M. Breuker, J. W. H. M. Uiterwijk and H. J. van den Herik (Solving 8 x 8 Domineering, 2000),\n"
    "N. Bullock (2002) and J. W. H. M. Uiterwijk (11 x 11 Domineering is solved, 2016) went further.",
    "clobber": "Boards of two rows up to 17 columns, of three up to 10, 4 by 7 and 5 by 6 have been published; no published outcome of 4 by 8 and of\n"
    "single rows of an odd number of stones is known here.",
}


def asked(program: str, position: str, option: str, seconds: float) -> dict:
    """The answer, or an empty one if there was none in time. A value that is left out beside moves is asked for apart."""
    answer = answered(program, position, option, seconds)
    if answer.get("winning_moves") and answer.get("grundy") is None:
        answer["grundy"] = answered(program, position, "--no-moves", seconds).get("grundy")
    return answer


def answered(program: str, position: str, option: str, seconds: float) -> dict:
    """What the program says; nothing where it is an error."""
    command = [program, "solve", position, "--json", "--timeout", str(seconds)]
    done = subprocess.run(command + option.split(), capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout) if done.stdout else {}
    return {} if "error" in answer else answer


def cell(game: str, answer: dict) -> str | None:
    """What stands in the table; nothing where the answer does not say."""
    if game in ("domineering", "clobber"):
        return answer.get("outcome")
    value = answer.get("grundy")
    if game == "cram" or value is None:
        return None if value is None else str(value)
    whole = answer.get("status") != "partial"
    return f"{value}: {len(answer['winning_moves'])}" if whole else None


def known() -> dict:
    """The answers that are there, by game, rows and columns."""
    lines = LINES.read_text().splitlines() if LINES.exists() else []
    answers = (json.loads(line) for line in lines)
    return {(a["game"], a["rows"], a["columns"]): a for a in answers}


def gather(program: str, seconds: float) -> None:
    """Asks what is not known."""
    answers = known()
    for game, (position, option, sizes, _) in GAMES.items():
        for rows in sizes:
            for columns in range(rows, MOST + 1):
                before = answers.get((game, rows, columns))
                if before and (before["cell"] or before["limit"] >= seconds):
                    if before["cell"]:
                        continue
                    break
                began = time.monotonic()
                found = cell(game, asked(program, position(rows, columns), option, seconds))
                took = round(time.monotonic() - began, 2)
                line = {"game": game, "rows": rows, "columns": columns, "cell": found, "seconds": took, "limit": seconds}
                with LINES.open("a") as out:
                    out.write(json.dumps(line) + "\n")
                print(game, f"{rows} by {columns}:", found or f"not within {seconds} s", f"({took} s)", flush=True)
                if not found:
                    break


def page() -> None:
    """Writes the tables."""
    answers = known()
    text = [
        "# Boards",
        "",
        "Empty boards, rows by columns: what the program finds, each by the one command that is named. Made by `scripts/boards.py`,",
        "which goes on where it was stopped; the times are in `boards.jsonl` beside this page, from a machine with other work to do.",
        "A board that is missing took longer than the script was given. How they are found:",
        "[theory.md](theory.md); how fast, beside others: [performance.md](performance.md).",
    ]
    for game, (position, option, _, title) in GAMES.items():
        found = {(r, c): a["cell"] for (g, r, c), a in answers.items() if g == game and a["cell"]}
        if not found:
            continue
        columns = range(min(c for _, c in found), max(c for _, c in found) + 1)
        command = f"grundy solve '{position(4, 5)}' {option}".rstrip()
        text += ["", f"## {title}", "", f"4 by 5: `{command}`. {PUBLISHED[game]}", ""]
        text += ["| | " + " | ".join(map(str, columns)) + " |", "|---" * (len(columns) + 1) + "|"]
        for rows in sorted({r for r, _ in found}):
            cells = [found.get((min(rows, c), max(rows, c)), "") for c in columns]
            if game in ("domineering",):
                # The board turned is the same game with the players exchanged.
                turned = str.maketrans("LR", "RL")
                cells = [found.get((rows, c), "") or found.get((c, rows), "").translate(turned) for c in columns]
            text.append(f"| {rows} | " + " | ".join(cells) + " |")
    PAGE.write_text("\n".join(text) + "\n")


def main() -> None:
    """Gathers and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--program", default=str(ROOT / "target" / "release" / "grundy"))
    arguments = parser.parse_args()
    try:
        gather(arguments.program, arguments.seconds)
    finally:
        page()


if __name__ == "__main__":
    main()
