#!/usr/bin/env python3
"""Computes the misère quotients of all octal codes of at most three digits, for docs/misere.md.

    scripts/quotients.py [--seconds N] [--workers N] [--program PATH]

Runs the program on one code after another, each for at most N seconds (default: 10). Each answer is
appended to docs/quotients.jsonl at once, so a stopped run resumes when the script is started again.
A code without a proof is retried only with a larger time limit. At the end the script writes the
tables of docs/misere.md, and a certificate in docs/certificates for each proved wild quotient.
Codes with the same quotient share the certificate of the first one.
"""

import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import threading

ROOT = pathlib.Path(__file__).resolve().parents[1]
ANSWERS = ROOT / "docs" / "quotients.jsonl"
PAGE = ROOT / "docs" / "misere.md"
CERTIFICATES = ROOT / "docs" / "certificates"
BEGIN, END = "<!-- begin of the tables -->\n", "<!-- end of the tables -->\n"
STORED_KEYS = ("order", "p_order", "status", "preperiod", "period", "checked_to", "name", "generators")


def codes() -> list[str]:
    """Return the codes 0.1 to 0.777 and 4.0 to 4.777, without those that have a trailing 0."""
    digits = [f"{number:0{length}o}" for length in (1, 2, 3) for number in range(8**length)]
    proper = [one for one in digits if one[-1] != "0"]
    return [f"0.{one}" for one in proper] + ["4.0"] + [f"4.{one}" for one in proper]


def run_program(program: str, code: str, seconds: float) -> dict:
    """Return the stored keys of the program's answer, or an empty dictionary for an error."""
    family = f"take_and_break('{code}', n)"
    command = [program, "quotient", family, "--json", "--max", "100000", "--timeout", str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout) if done.stdout else {}
    return {key: answer[key] for key in STORED_KEYS if key in answer}


def stored_answers() -> dict[str, dict]:
    """Return the latest stored answer for each code."""
    if not ANSWERS.exists():
        return {}
    answers = map(json.loads, ANSWERS.read_text(encoding="utf-8").splitlines())
    return {answer["code"]: answer for answer in answers}


def gather(program: str, seconds: float, workers: int, selected: list[str]) -> None:
    """Compute and store the quotients that are not proved and not tried with this time limit."""
    before = stored_answers()

    def is_open(code: str) -> bool:
        answer = before.get(code, {})
        return answer.get("status") != "proved" and answer.get("seconds", 0) < seconds

    lock = threading.Lock()

    def ask(code: str) -> None:
        answer = run_program(program, code, seconds)
        line = json.dumps({"code": code, "seconds": seconds, **answer})
        with lock, ANSWERS.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        list(pool.map(ask, filter(is_open, selected)))
    # Answers were appended in the order of completion. Rewrite the file with one line for each
    # code.
    last = stored_answers()
    rows = [json.dumps(last[code]) for code in codes() if code in last]
    ANSWERS.write_text("".join(row + "\n" for row in rows), encoding="utf-8")


def wild(answers: dict[str, dict]) -> dict[str, str]:
    """Map each code with a proved wild quotient to the first code with the same quotient."""
    firsts: dict[str, str] = {}
    found = {}
    for code, answer in answers.items():
        if answer.get("status") == "proved" and not (answer.get("name") or "").startswith("T_"):
            fingerprint = json.dumps([answer.get(key) for key in STORED_KEYS])
            found[code] = firsts.setdefault(fingerprint, code)
    return found


def certify(program: str) -> None:
    """Write the missing certificates."""
    CERTIFICATES.mkdir(exist_ok=True)
    for code in sorted(set(wild(stored_answers()).values())):
        file = CERTIFICATES / f"{code}.json"
        if not file.exists():
            command = [program, "quotient", f"take_and_break('{code}', n)", "--certificate", str(file)]
            subprocess.run(command, capture_output=True, check=True)


def cell(answer: dict | None) -> str:
    """Return the order in bold if it is proved, else the order and the last heap examined."""
    if not answer or "order" not in answer:
        return ""
    if answer["status"] == "proved":
        return f"**{answer['order']}**"
    return f"{answer['order']} … {answer['checked_to']}"


def tables() -> str:
    """Return the tables as text, with rows by the leading digits and columns by the last."""
    answers = stored_answers()
    parts = []
    for leading in ("0", "4"):
        for length in (1, 2, 3):
            heads = [f"{number:0{length - 1}o}" if length > 1 else "" for number in range(8 ** (length - 1))]
            rows = []
            for head in heads:
                row = [answers.get(f"{leading}.{head}{digit}") for digit in range(1, 8)]
                if any(row):
                    rows.append(f"| {leading}.{head}· | " + " | ".join(map(cell, row)) + " |")
            if rows:
                top = "|  | " + " | ".join(f"·{digit}" for digit in range(1, 8)) + " |"
                parts.append("\n".join([top, "|---" * 8 + "|", *rows]) + "\n")
    rows = [
        f"| {code} | {answers[code]['order']} | {answers[code]['p_order']} | {answers[code]['period']} from {answers[code]['preperiod']} |"
        f" {', '.join(map(str, answers[code]['generators']))} | {answers[code].get('name') or ''} | [{first}](certificates/{first}.json) |"
        for code, first in wild(answers).items()
    ]
    proved = sum(answer.get("status") == "proved" for answer in answers.values())
    seconds = max((answer["seconds"] for answer in answers.values()), default=0)
    head = f"Of {len(answers)} codes {proved} are proved, each in at most {seconds:g} seconds; {len(rows)} of these are wild:\n"
    top = "| code | order | losing | period | new at heaps | name | certificate |\n|---|---|---|---|---|---|---|\n"
    return "\n".join([head, top + "\n".join(rows) + "\n", *parts])


def page() -> None:
    """Replace the tables of the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    PAGE.write_text(f"{before}{BEGIN}\n{tables()}\n{END}{after}", encoding="utf-8")


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--program", default=str(ROOT / "target" / "release" / "grundy"))
    parser.add_argument("--only", default="", help="codes that begin so")
    arguments = parser.parse_args()
    selected = [code for code in codes() if code.startswith(arguments.only)]
    gather(arguments.program, arguments.seconds, arguments.workers, selected)
    certify(arguments.program)
    page()


if __name__ == "__main__":
    main()
