#!/usr/bin/env python3
"""Computes the tables of docs/boards.md: values and outcomes of empty boards of growing size.

    scripts/boards.py [--seconds N] [--program PATH]

Solves one board after another, the smallest of each game first, each for at most N seconds
(default: 60). Each answer is appended to docs/boards.jsonl at once, so a stopped run resumes when
the script is started again. A board that exceeded its time limit is retried only with a larger one.
At the end the script writes docs/boards.md.
"""

import argparse
import json
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
ANSWERS = ROOT / "docs" / "boards.jsonl"
PAGE = ROOT / "docs" / "boards.md"
MAX_COLUMNS = 14


def alternating(rows: int, columns: int) -> str:
    """Return a full Clobber board with alternating stones."""
    lines = ["".join("xo"[(row + column) % 2] for column in range(columns)) for row in range(rows)]
    return f"clobber({json.dumps(lines)})"


def empty(game: str):
    """Return a function that builds the empty board of a game."""
    return lambda rows, columns: f"{game}(board({rows}, {columns}))"


# For each game: a function for the position, the options of the command, the numbers of rows, and
# the title of the table. The computation of a row ends at the first board that exceeds the limit.
GAMES = {
    "cram": (empty("cram"), "--no-moves", range(2, 7), "Cram: Sprague–Grundy values"),
    "chomp": (empty("chomp"), "", range(2, 13), "Chomp: Sprague–Grundy values and, after the colon, the numbers of winning bites"),
    "domineering": (empty("domineering"), "--outcome", range(2, 10), "Domineering: outcome classes (Left places vertical dominoes)"),
    "clobber": (alternating, "--outcome", range(1, 6), "Clobber: outcome classes of full boards with alternating x and o"),
}


# Remarks on published results.
PUBLISHED = {
    "cram": " These values are not new:\n"
    "J. Lemoine and S. Viennot (Nimbers are inevitable, 2012) computed values of Cram in the same way.",
    "chomp": " The values for two rows are known by\n"
    "a theorem. On a square board, the only winning bite is diagonally adjacent to the poisoned corner.\n"
    "D. Zeilberger (Three-rowed Chomp, 2001) and S. Byrnes (2003) have published tables for three rows.\n"
    "We know of no published table of the other values.",
    "domineering": " These outcomes are\n"
    "not new. These boards and larger ones have been solved by D. M. Breuker, J. W. H. M. Uiterwijk and\n"
    "H. J. van den Herik (Solving 8 x 8 Domineering, 2000), by N. Bullock (2002), and by J. W. H. M.\n"
    "Uiterwijk (11 x 11 Domineering is solved, 2016).",
    "clobber": "\nOutcomes have been published for two rows of up to 17 columns, for three rows of up to 10 columns,\n"
    "and for 4 by 7 and 5 by 6. We know of no published outcome of 4 by 8, or of a single row with an odd\n"
    "number of stones.",
}


def solve_board(program: str, position: str, option: str, seconds: float) -> dict:
    """Return the answer for a board, or an empty dictionary if the time limit is exceeded.

    If the answer has winning moves but no value, a second request computes the value.
    """
    answer = run_program(program, position, option, seconds)
    if answer.get("winning_moves") and answer.get("grundy") is None:
        answer["grundy"] = run_program(program, position, "--no-moves", seconds).get("grundy")
    return answer


def run_program(program: str, position: str, option: str, seconds: float) -> dict:
    """Return the JSON answer of the program, or an empty dictionary for an error."""
    command = [program, "solve", position, "--json", "--timeout", str(seconds)]
    done = subprocess.run(command + option.split(), capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout) if done.stdout else {}
    return {} if "error" in answer else answer


def cell(game: str, answer: dict) -> str | None:
    """Return the cell of the table, or ``None`` if the answer is incomplete."""
    if game in ("domineering", "clobber"):
        return answer.get("outcome")
    value = answer.get("grundy")
    if game == "cram" or value is None:
        return None if value is None else str(value)
    complete = answer.get("status") != "partial"
    return f"{value}: {len(answer['winning_moves'])}" if complete else None


def stored_answers() -> dict:
    """Return the stored answers by game, rows and columns."""
    lines = ANSWERS.read_text().splitlines() if ANSWERS.exists() else []
    answers = (json.loads(line) for line in lines)
    return {(a["game"], a["rows"], a["columns"]): a for a in answers}


def gather(program: str, seconds: float) -> None:
    """Solve the boards without a stored answer."""
    answers = stored_answers()
    for game, (position, option, sizes, _) in GAMES.items():
        for rows in sizes:
            for columns in range(rows, MAX_COLUMNS + 1):
                before = answers.get((game, rows, columns))
                if before and (before["cell"] or before["limit"] >= seconds):
                    if before["cell"]:
                        continue
                    break
                started = time.monotonic()
                found = cell(game, solve_board(program, position(rows, columns), option, seconds))
                elapsed = round(time.monotonic() - started, 2)
                line = {"game": game, "rows": rows, "columns": columns, "cell": found, "seconds": elapsed, "limit": seconds}
                with ANSWERS.open("a") as out:
                    out.write(json.dumps(line) + "\n")
                print(game, f"{rows} by {columns}:", found or f"not within {seconds} s", f"({elapsed} s)", flush=True)
                if not found:
                    break


def page() -> None:
    """Write the page with the tables."""
    answers = stored_answers()
    text = [
        "# Boards",
        "",
        "These tables list Grundy values and outcomes of empty boards. In each table, the number of rows of",
        "the board is at the left, and the number of columns at the top. Each section shows the command for a",
        "board of 4 by 5. The script `scripts/boards.py` makes the tables and resumes if it was stopped. An",
        "entry is missing if its computation took longer than the time limit of the script. The file",
        "`boards.jsonl` in this folder has the time of each computation, measured on a machine that also ran",
        "other work. See [theory.md](theory.md) for the methods and [performance.md](performance.md) for",
        "comparisons with other programs.",
    ]
    for game, (position, option, _, title) in GAMES.items():
        found = {(r, c): a["cell"] for (g, r, c), a in answers.items() if g == game and a["cell"]}
        if not found:
            continue
        columns = range(min(c for _, c in found), max(c for _, c in found) + 1)
        command = f"grundy solve '{position(4, 5)}' {option}".rstrip()
        text += ["", f"## {title}", "", f"The command for 4 by 5 is `{command}`.{PUBLISHED[game]}", ""]
        text += ["| | " + " | ".join(map(str, columns)) + " |", "|---" * (len(columns) + 1) + "|"]
        for rows in sorted({r for r, _ in found}):
            cells = [found.get((min(rows, c), max(rows, c)), "") for c in columns]
            if game in ("domineering",):
                # A rotation of the board by 90 degrees exchanges the players.
                turned = str.maketrans("LR", "RL")
                cells = [found.get((rows, c), "") or found.get((c, rows), "").translate(turned) for c in columns]
            text.append(f"| {rows} | " + " | ".join(cells) + " |")
    PAGE.write_text("\n".join(text) + "\n")


def main() -> None:
    """Run the script."""
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
