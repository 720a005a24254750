#!/usr/bin/env python3
"""Checks that the statements quoted in docs/proofs.md occur in the proofs, up to white space.

`...` in a quotation stands for any text without a period.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEGINNING = re.compile(r"^(?=(?:Theorem|Corollary|Lemma|Definition) )", re.MULTILINE)


def plain(text):
    return " ".join(text.split())


proofs = plain("\n".join(file.read_text() for file in sorted((ROOT / "proofs").glob("*.v"))))
blocks = re.findall(r"^```text\n(.*?)^```", (ROOT / "docs" / "proofs.md").read_text(), re.MULTILINE | re.DOTALL)
quoted = [plain(statement) for block in blocks for statement in BEGINNING.split(block) if statement.strip()]
missing = []
for statement in quoted:
    pieces = (re.escape(piece) for piece in statement.split("..."))
    if not re.search("[^.]*?".join(pieces), proofs):
        missing.append(statement)
print(f"{len(quoted)} statements quoted, {len(missing)} of them otherwise than they stand in the proofs", *missing, sep="\n    ")
sys.exit(bool(missing) or len(quoted) < 20)
