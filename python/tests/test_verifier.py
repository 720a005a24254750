"""Tests that the verifier accepts every certificate written by the program and no forged one.

The program wrote the certificates in `certificates/`. Each comes from one command in that folder:

- stream_*.json: grundy period FAMILY --stream --max 1000000000 --certificate FILE
- quotient_*.json: grundy quotient FAMILY --certificate FILE, with --max N if named `to_N`
- matrix_*.json: grundy matrix ../../../testdata/FILE.csv --certificate matrix_FILE.json
- all others: grundy period FAMILY --certificate FILE, with the family in the file

The matrix of matrix_fractions.json is in the certificate itself. The certificates of labels are in
the folder `proofs`, next to the script that forges certificates. If the environment variable GRUNDY
names the program, every verdict is compared with that of `grundy verify`. Without the package, run

    python -m pytest --noconftest python/tests/test_verifier.py
"""

from __future__ import annotations

import ast
import copy
import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
SOURCE = HERE.parent / "grundy" / "verifier.py"


def module(source: Path) -> Any:
    """Import a module by its path, since importing the package needs the compiled extension."""
    spec = importlib.util.spec_from_file_location(source.stem, source)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[source.stem] = loaded
    spec.loader.exec_module(loaded)
    return loaded


PROOFS = HERE.parents[1] / "proofs"
verifier, forge = module(SOURCE), module(PROOFS / "forge.py")
verify, Refused = verifier.verify, verifier.Refused

Claim = dict[str, Any]
WRITTEN: dict[str, Claim] = {
    path.stem: json.loads(path.read_text()) for path in sorted((HERE / "certificates").glob("*.json"))
}
WRITTEN |= {path.stem: json.loads(path.read_text()) for path in sorted((PROOFS / "certificates").glob("labels_*.json"))}
WRITTEN["pick-a-hand"] = json.loads((HERE.parents[1] / "testdata/certificates/pick-a-hand.json").read_text())
# Its verification takes an hour, so it is tested in part only.
LONG = "stream_0.104"
PERIODS = [name for name, claim in WRITTEN.items() if claim["kind"] == "period" and "values" in claim]
SPARSE = [name for name, claim in WRITTEN.items() if "rares" in claim and name != LONG]
MATRICES = [name for name, claim in WRITTEN.items() if claim["kind"] == "matrix"]
LABELS = [name for name, claim in WRITTEN.items() if claim["kind"] == "labels"]
QUOTIENTS = [name for name, claim in WRITTEN.items() if claim["kind"] == "quotient"]
THEOREMS = {"guy_smith", "splitting", "window", "all_but", "sparse_window"}

# The period of 0.051 by a theorem that the program does not choose, with rare heaps that depend on
# the parity of the heap.
BY_HAND: Claim = {
    "kind": "period", "family": "take_and_break('0.051', n)", "preperiod": 48, "period": 48, "saltus": 0,
    "theorem": "sparse_window", "mask": 7, "position": True, "rares": [3, 7, 13, 17, 27, 37], "reach": 40, "start": 95,
}  # fmt: skip


def changed(claim: Claim, **changes: Any) -> Claim:
    return {**copy.deepcopy(claim), **changes}


def text(claim: Claim) -> bytes:
    return json.dumps(claim).encode()


def continued(claim: Claim, preperiod: int, period: int, saltus: int) -> Claim:
    """Return a claim of another period for the same sequence, extended to the required length."""
    values, n0, p, s = list(claim["values"]), claim["preperiod"], claim["period"], claim["saltus"]
    while len(values) < preperiod + period:
        values.append(values[len(values) - p] + s)
    assert n0 + p == len(claim["values"])
    return changed(claim, preperiod=preperiod, period=period, saltus=saltus, values=values[: preperiod + period])


# True certificates in addition to those written by the program.


def true_certificates() -> Iterator[tuple[str, bytes]]:
    for name, claim in WRITTEN.items():
        if name != LONG:
            yield name, text(claim)
    yield "by hand", text(BY_HAND)
    kayles = WRITTEN["kayles"]
    codes = ['take_and_break("0.77", n)', "take_and_break('.77', n)", 'take_and_break("0.770", heap)']
    for family in [*codes, "kayles(n,)", " kayles ( n ) "]:
        yield f"kayles as {family}", text(changed(kayles, family=family))
    for family in ["subtraction([4, 3, 1], n)", "subtraction([1,3,3,4,], x)"]:
        yield family, text(changed(WRITTEN["subtraction_1_3_4"], family=family))
    yield "white space", json.dumps(kayles, indent=4).encode() + b"\n"
    yield "an escape in a key", text(kayles).replace(b'"kind"', b'"\\u006bind"')
    sparse = WRITTEN["sparse_4.344"]
    yield "a later start", text(changed(sparse, start=sparse["start"] + 1))
    yield "more reach", text(changed(sparse, reach=sparse["reach"] + 1))
    yield "other bits above all values", text(changed(sparse, mask=sparse["mask"] + (1 << 40)))
    yield "not in lowest terms", text(changed(WRITTEN["pick-a-hand"], value="4/6", row_strategy=["20/30", "2/6"]))
    long = "1" + "0" * 20_000 + "/7"
    alone = {"row_strategy": ["1"], "col_strategy": ["1"]}
    yield "long numbers", text(changed(WRITTEN["pick-a-hand"], matrix=[[long]], value=long, **alone))


# Forged certificates: name, text, and a pattern for the reason of the rejection.

Forged = tuple[str, bytes, str]


def forged_repetitions(claim: Claim) -> Iterator[tuple[str, Claim, str]]:
    n0, p, s = claim["preperiod"], claim["period"], claim["saltus"]
    yield "period one more", continued(claim, n0, p + 1, s), "do not repeat|saltus|state"
    if p > 1:
        yield "period one less", continued(claim, n0, p - 1, s), "do not repeat"
    yield "period twice", continued(claim, n0, 2 * p, 2 * s), "smaller period"
    yield "period three times", continued(claim, n0, 3 * p, 3 * s), "smaller period"
    yield "preperiod one more", continued(claim, n0 + 1, p, s), "earlier heap"
    if n0 > 0:
        yield "preperiod one less", continued(claim, n0 - 1, p, s), f"do not repeat at heap {n0 - 1}"
        yield "no preperiod", continued(claim, 0, p, s), "do not repeat"
    yield "saltus one more", changed(claim, saltus=s + 1), "saltus|do not repeat"
    if s > 0:
        yield "no saltus", changed(claim, saltus=0), "do not repeat|state"
        yield "saltus one less", changed(claim, saltus=s - 1), "do not repeat|state"


def forged_values(claim: Claim) -> Iterator[tuple[str, Claim, str]]:
    values = claim["values"]
    for index in sorted({0, len(values) // 2, len(values) - 1}):
        other = values[:index] + [values[index] + 1] + values[index + 1 :]
        yield f"another value {index}", changed(claim, values=other), f"value of heap {index} is {values[index]}, not"
    yield "a value less", changed(claim, values=values[:-1]), "entries"
    yield "a value more", changed(claim, values=[*values, values[-1]]), "entries"
    yield "no values", changed(claim, values=[]), "entries"
    yield "all values one more", changed(claim, values=[value + 1 for value in values]), "value of heap 0 is 0, not 1"
    for wrong in ("0", 0.0, True, None, -1, 1 << 64, [0]):
        yield f"{wrong!r} for a value", changed(claim, values=[wrong, *values[1:]]), "`values`"


# Patterns for the reasons if a key is wrong that determines the other keys.
OF_KEY = {"kind": "kind", "theorem": "`theorem`|unknown key"}


def forged_types(claim: Claim) -> Iterator[tuple[str, Claim, str]]:
    for key in claim:
        less = {other: value for other, value in claim.items() if other != key}
        yield f"without {key}", less, OF_KEY.get(key, f"`{key}`")
        for wrong in (None, {}, [[]], True if key != "position" else 1, -1, 0.5, 10**30, "12"):
            name = f"{wrong!r} for {key}"
            yield name, changed(claim, **{key: wrong}), OF_KEY.get(key, f"`{key}`|entries")
    if "preperiod" in claim:
        yield "a whole number with a point", changed(claim, preperiod=float(claim["preperiod"])), "`preperiod`"
        less = {"values": claim["values"][: claim["preperiod"]]} if "values" in claim else {}
        yield "period 0", changed(claim, period=0, **less), "`period` is 0"


# Games whose values differ from those of every certificate here, and texts that are no family.
OTHER_FAMILIES = [
    'take_and_break("0.76", n)', 'take_and_break("0.0137", n)', "take_and_break('4.4', n)",
    "treblecross(n)", "officers(n)", "subtraction([1, 2, 9], n)", "all_but([7], n)",
]  # fmt: skip
NO_FAMILIES = [
    "", "kayles", "kayles(", "kayles()", "kayles(3)", "kayles(n, n)", "kayles(0, n)", "kayles(n)(n)", "kayles(n.n)",
    "kayles(for)", "kayles(True)", 'kayles("n")', "Kayles(n)", "kayles(n) + kayles(n)", "nim(n)", "grundys_game(n)",
    "laskers_nim(n)", "game(moves, n)", 'subtraction("squares", n)', "subtraction([], n)", "subtraction([0, 1], n)",
    "subtraction([1, -3], n)", "subtraction([1, 3.5], n)", "subtraction([1 3], n)", "subtraction([,], n)",
    "subtraction([18446744073709551616], n)", "subtraction(n)", "all_but(2, n)", "all_but([[2]], n)",
    'take_and_break("", n)', 'take_and_break(".", n)', 'take_and_break("1.7", n)', 'take_and_break("77", n)',
    'take_and_break("0.7g", n)', 'take_and_break("00.7", n)', 'take_and_break("0.7.7", n)', "take_and_break(0.77, n)",
    "kayles(n)\0", "kayles(\u00f6)", "kayles(n\u0661)", "\ud800",
]  # fmt: skip


def forged_periods() -> Iterator[Forged]:
    for name in PERIODS:
        claim = WRITTEN[name]
        kinds = [forged_repetitions(claim), forged_values(claim)]
        for what, forgery, reason in (one for kind in kinds for one in kind):
            yield f"{name}: {what}", text(forgery), reason
        for theorem in sorted(THEOREMS - {claim["theorem"]}) + ["folklore", ""]:
            yield f"{name}: theorem {theorem}", text(changed(claim, theorem=theorem)), "theorem|`mask`|unknown key"
        for family in OTHER_FAMILIES:
            yield f"{name}: family {family}", text(changed(claim, family=family)), "value of heap|theorem|do not repeat"
        yield f"{name}: an unused key", text(changed(claim, play="misere")), "unknown key `play`"
    for name in ("kayles", "subtraction_1_3_4", "all_but_2_4"):
        for what, forgery, reason in forged_types(WRITTEN[name]):
            yield f"{name}: {what}", text(forgery), reason
    for family in NO_FAMILIES:
        yield f"family {family!r}", text(changed(WRITTEN["kayles"], family=family)), "`family`"
    # Many codes share a sequence up to a shift by one heap, so these claims are true of another
    # family.
    kayles, dawson = WRITTEN["kayles"], WRITTEN["dawsons_chess"]
    yield "dawson: named after kayles", text(changed(dawson, family="kayles(n)")), "value of heap"
    yield "dawson: shifted", text(changed(dawson, family="dawsons_kayles(n)")), "value of heap 1 is 0, not 1"
    yield "kayles: swapped numbers", text(changed(kayles, preperiod=12, period=71)), "do not repeat"


def forged_sparse() -> Iterator[Forged]:
    for name, claim in [("by hand", BY_HAND), *((name, WRITTEN[name]) for name in SPARSE)]:
        n0, p, start, rares = claim["preperiod"], claim["period"], claim["start"], claim["rares"]

        def forge(what: str, reason: str, name: str = name, claim: Claim = claim, **changes: Any) -> Forged:
            return f"{name}: {what}", text(changed(claim, **changes)), reason

        quick = start < 10_000
        yield forge("no rare heaps", "rares", rares=[])
        yield forge("a rare heap less", "rares", rares=rares[1:])
        yield forge("a rare heap more", "rares", rares=sorted({*rares, rares[0] + 1}))
        yield forge("rare heaps out of order", "ascending", rares=rares[::-1])
        yield forge("a rare heap twice", "ascending", rares=[rares[0], *rares])
        yield forge("a rare heap 0", "ascending", rares=[0, *rares])
        yield forge("a rare heap beyond all", "start", rares=[*rares, (1 << 64) - 1])
        yield forge("no mask", "rares", mask=0)
        yield forge("another mask", "rares", mask=claim["mask"] ^ 1)
        yield forge("another position", "rares|position", position=not claim["position"])
        yield forge("saltus", "saltus", saltus=1)
        yield forge("start at the preperiod", "start|do not repeat|does not reach", start=n0)
        yield forge("start before the preperiod", "start", start=n0 - 1)
        yield forge("reach beyond the start", "start", reach=start)
        yield forge("another game", "rares", family='take_and_break("0.17", n)')
        yield forge("a game without breaks", "theorem", family='take_and_break("0.33", n)')
        yield forge("a game with three heaps", "theorem", family='take_and_break("0.158", n)')
        yield forge("a subtraction game", "theorem", family="subtraction([1, 3], n)")
        yield forge("no such theorem", "values|theorem|unknown key", theorem="sparse")
        if quick:
            yield forge("the last rare heap less", "rares", rares=rares[:-1])
            yield forge("reach 0", "does not reach", reach=0)
            yield forge("period one less", "do not repeat|position", period=p - 1)
            yield forge("period one more", "do not repeat|position", period=p + 1)
            yield forge("period two more", "do not repeat", period=p + 2)
            yield forge("period twice", "smaller period", period=2 * p)
            yield forge("preperiod one less", f"do not repeat at heap {n0 - 1}", preperiod=n0 - 1)
            yield forge("preperiod one more", "earlier heap", preperiod=n0 + 1)
            yield forge("no preperiod", "do not repeat", preperiod=0)
    for what, forgery, reason in forged_types(WRITTEN["sparse_4.344"]):
        yield f"sparse_4.344: {what}", text(forgery), reason


def forged_matrices() -> Iterator[Forged]:
    for name in MATRICES:
        claim = WRITTEN[name]
        matrix, p, q = claim["matrix"], claim["row_strategy"], claim["col_strategy"]

        def forge(what: str, reason: str, name: str = name, claim: Claim = claim, **changes: Any) -> Forged:
            return f"{name}: {what}", text(changed(claim, **changes)), reason

        def replaced(row: int, column: int, entry: Any, matrix: list[Any] = matrix) -> list[Any]:
            other = copy.deepcopy(matrix)
            other[row][column] = entry
            return other

        value, little = Fraction(claim["value"]), Fraction(1, 10**9)
        yield forge("the value and one", "pays less", value=str(value + 1))
        yield forge("a little more value", "pays less", value=str(value + little))
        yield forge("a little less value", "wins more", value=str(value - little))
        yield forge("the value with another sign", "wins more|pays less", value="-" + claim["value"])
        yield forge("no probabilities", "probabilities", row_strategy=[])
        yield forge("a row strategy too long", "`row_strategy`", row_strategy=[*p, "0"])
        yield forge("a column strategy too short", "`col_strategy`", col_strategy=q[:-1])
        yield forge("a sum of 2", "add up", row_strategy=["2"] + ["0"] * (len(p) - 1))
        yield forge("a sum of 0", "add up", col_strategy=["0"] * len(q))
        yield forge("a sum a little above 1", "add up", col_strategy=[str(Fraction(q[0]) + little), *q[1:]])
        yield forge("negative", "negative", row_strategy=["-1", "2"] + ["0"] * (len(p) - 2))
        yield forge("a row too short", "rectangle", matrix=[matrix[0][:-1], *matrix[1:]])
        yield forge("a row less", "`row_strategy`", matrix=matrix[1:])
        yield forge("no matrix", "rectangle", matrix=[])
        yield forge("an empty row", "rectangle", matrix=[[] for _ in matrix])
        row, column = (strategy.index(max(strategy, key=Fraction)) for strategy in (p, q))
        yield forge("more to win", "wins more", matrix=replaced(row, column, "100"))
        yield forge("less to win", "pays less|wins more", matrix=replaced(row, column, "-100"))
        texts = ["", "one", "0.5", "1/0", "1/00", "/2", "1/", "1//2", " 1", "1 ", "1e3", "\u0661", "--1"]
        for wrong in [1, 0.5, None, True, ["1"], *texts]:
            yield forge(f"{wrong!r} for an entry", "`matrix`", matrix=replaced(0, 0, wrong))
        yield forge("a float for the value", "`value`", value=0.5)
        yield forge("a number too long", "`value`", value="1" * 50_001)
    skew = WRITTEN["matrix_fractions"]
    yield "fractions: pure", text(changed(skew, row_strategy=["0", "1", "0", "0"])), "pays less"
    yield "fractions: pure column", text(changed(skew, col_strategy=["0", "0", "1"])), "wins more"
    yield "fractions: row strategy turned", text(changed(skew, row_strategy=skew["row_strategy"][::-1])), "pays less"
    yield "fractions: column strategy turned", text(changed(skew, col_strategy=skew["col_strategy"][::-1])), "wins more"
    columns = [list(column) for column in zip(*skew["matrix"])]
    yield "fractions: transposed", text(changed(skew, matrix=columns)), "`row_strategy`"
    uneven = [f"1/{10**4000 + k}" for k in range(100)]
    wide = changed(skew, matrix=[uneven], row_strategy=["1"], col_strategy=["1"] + ["0"] * 99)
    yield "a common denominator without end", text(wide), "common denominator"
    for what, forgery, reason in forged_types(WRITTEN["pick-a-hand"]):
        yield f"pick-a-hand: {what}", text(forgery), f"{reason}|pays less|wins more"


def forged_quotients() -> Iterator[Forged]:
    for name in QUOTIENTS:
        claim = WRITTEN[name]
        products, p, elements, transitions = (claim[key] for key in ("products", "p", "elements", "transitions"))
        order = len(products)

        def forge(what: str, reason: str, name: str = name, claim: Claim = claim, **changes: Any) -> Forged:
            return f"{name}: {what}", text(changed(claim, **changes)), reason

        def product(x: int, y: int, z: int, products: list[list[int]] = products) -> list[list[int]]:
            other = copy.deepcopy(products)
            other[x][y] = other[y][x] = z
            return other

        last = order - 1
        other = (products[last][last] + 1) % order
        yield forge(
            "another square", "associative|commutative|transition|distinguished", products=product(last, last, other)
        )
        yield forge("no identity", "identity|commutative", products=product(0, last, 0))
        yield forge("a product too large", "does not exist", products=product(last, last, order))
        yield forge("a row less", "square", products=products[:-1])
        yield forge("no products", "table", products=[])
        turned = [list(row) for row in products]
        turned[last][1] = (turned[last][1] + 1) % order
        yield forge("an order that matters", "commutative", products=turned)
        for element in p[:3]:
            yield forge(f"{element} not losing", "does not hold|distinguished", p=[x for x in p if x != element])
        for element in [x for x in range(order) if x not in p][:3]:
            yield forge(f"{element} losing", "does not hold|distinguished", p=sorted([*p, element]))
        yield forge("p out of order", "not in order", p=[*p, p[0]])
        yield forge(
            "another first heap",
            "transition|not a product|distinguished",
            elements=[(elements[0] + 1) % order, *elements[1:]],
        )
        yield forge("an element too large", "does not exist", elements=[*elements, order])
        yield forge("no heaps", "not a product", elements=[], transitions=[[0, []]])
        for at in (0, len(transitions) // 2, len(transitions) - 1):
            yield forge(
                f"transition {at} less",
                "not listed|does not occur",
                transitions=transitions[:at] + transitions[at + 1 :],
            )
        yield forge("a transition twice", "twice", transitions=[*transitions, transitions[-1]])
        winning = [x for x in range(order) if x not in p][-1]
        seen = [options for element, options in transitions if element == winning]
        more = [winning, list(range(order))]
        if more[1] not in seen:
            yield forge("a transition more", "does not occur", transitions=[*transitions, more])
        yield forge("a transition that is false", "does not hold", transitions=[*transitions, [p[0], [p[0]]]])
        yield forge("a transition out of order", "in order", transitions=[*transitions, [winning, [2, 1]]])
        yield forge("no transitions", "not listed", transitions=[])
        yield forge("another game", "transition", family='take_and_break("0.165", n)')
        yield forge("a game with three heaps", "transition", family='take_and_break("0.158", n)')
        yield forge("no game", "family", family="nim(n)")
        if claim["period"]:
            n0, period = claim["preperiod"], claim["period"]
            yield forge("twice the period", "smaller period|too few", period=2 * period)
            yield forge("one less", "repeat|too few|no theorem", period=period - 1)
            yield forge("one more", "repeat|too few|no theorem", period=period + 1)
            yield forge("a heap later", "earlier heap|too few", preperiod=n0 + 1)
            yield forge("from heap 0", "theorem", preperiod=0)
            yield forge("no period", "expected only integers", period=None)
            yield forge("too few heaps", "too few|does not occur", elements=elements[: n0 + period])
        else:
            yield forge("a period", "too few|theorem|repeat", preperiod=1, period=1)


def forged_labels() -> Iterator[Forged]:
    """Yield certificates with a changed label, move or value, or with an ill-formed one."""
    reason = "not follow|does not exist|not a list|values"
    for name in LABELS:
        for index, forgery in enumerate(forge.forged_graphs([WRITTEN[name]])):
            yield f"{name}: {index}", text(forgery), reason
    small = WRITTEN["labels_islands"]
    for what, forgery, said in forged_types(small):
        if what not in ("without positions", "None for positions"):  # which may be left out
            yield f"labels: {what}", text(forgery), f"{said}|{reason}"
    for wrong in ["", "d", "P", "P-1", "P01", "P+1", " P1", "N1 ", "n1", "P1.0", "D0", "\u0661", 1, None, True, ["P1"]]:
        yield f"{wrong!r} for a label", text(changed(small, labels=[wrong, *small["labels"][1:]])), "`labels` has"


def forged_texts() -> Iterator[Forged]:
    whole = text(WRITTEN["kayles"])
    for key in WRITTEN["kayles"]:
        again = json.dumps({key: WRITTEN["kayles"][key]}).encode()[1:-1]
        yield f"{key} twice", whole[:-1] + b", " + again + b"}", f"duplicate key `{key}`"
    yield "a key twice, once escaped", whole[:-1] + b', "\\u0070eriod": 12}', "duplicate key `period`"
    yield "a key twice, deep inside", whole[:-1] + b', "note": [{"a": 1, "a": 1}]}', "duplicate key `a`"
    yield "minus zero", text(WRITTEN["subtraction_1_3_4"]).replace(b'"preperiod": 0', b'"preperiod": -0'), "`preperiod`"
    yield "an exponent", whole.replace(b'"period": 12', b'"period": 12e0'), "`period`"
    yield "no number", whole.replace(b'"period": 12', b'"period": NaN'), "finite"
    yield "infinite", whole.replace(b'"period": 12', b'"period": Infinity'), "finite"
    yield "infinite unseen", whole[:-1] + b', "note": 1e999}', "finite"
    yield "a leading zero", whole.replace(b'"period": 12', b'"period": 012'), "JSON"
    for what, broken in {
        "empty": b"", "cut": whole[:-1], "more behind": whole + b" {}", "a comma more": whole[:-1] + b",}",
        "a byte order mark": b"\xef\xbb\xbf" + whole, "a line break in a string": whole.replace(b"kayles", b"kay\nles"),
        "not UTF-8": whole.replace(b"kayles", b"kayl\xe9s"), "UTF-16": whole.decode().encode("utf-16"),
        "half a pair": whole.replace(b"kayles", b"\xed\xa0\x80"), "zeros": b"\0" * 100,
        "an open string": b'"' + b'\\"' * 1000, "single quotes": whole.replace(b'"', b"'"),
    }.items():  # fmt: skip
        yield what, broken, "JSON in UTF-8"
    for what, other in {"a list": b"[" + whole + b"]", "a number": b"1", "null": b"null", "no keys": b"{}"}.items():
        yield what, other, "unknown kind of certificate"
    for depth in (128, 100_000):
        yield f"{depth} deep", whole[:-1] + b', "note": ' + b"[" * depth + b"]" * depth + b"}", "too deep"
        yield f"{depth} deep, open", b'{"a":' * depth, "too deep"


TRUE = list(true_certificates())
EVERY = [
    *forged_periods(),
    *forged_sparse(),
    *forged_matrices(),
    *forged_quotients(),
    *forged_labels(),
    *forged_texts(),
]
# Different forgeries may yield the same text, which is tested once.
FORGED = list({data: (name, data, reason) for name, data, reason in reversed(EVERY)}.values())


def named(cases: list[Any]) -> list[Any]:
    return [pytest.param(*case, id=ascii(case[0])) for case in cases]


def test_the_corpus_of_forgeries_is_large() -> None:
    assert len(FORGED) > 1000
    assert {claim["theorem"] for claim in WRITTEN.values() if claim["kind"] == "period"} == THEOREMS


@pytest.mark.parametrize(("name", "data"), named(TRUE))
def test_true_certificates_are_accepted(name: str, data: bytes) -> None:
    verdict = verify(data, seconds=300)
    assert verdict
    assert verdict.accepted
    assert str(verdict).startswith("accepted: ")
    assert str(verdict).isascii()


def test_a_certificate_is_given_as_bytes_text_or_dictionary() -> None:
    for name in ("kayles", "all_but_2_4", "pick-a-hand"):
        data = text(WRITTEN[name])
        assert verify(data) == verify(data.decode()) == verify(WRITTEN[name])


@pytest.mark.parametrize(("name", "data", "reason"), named(FORGED))
def test_forged_certificates_are_refused(name: str, data: bytes, reason: str) -> None:
    with pytest.raises(Refused) as refusal:
        verify(data, seconds=300)
    said = str(refusal.value)
    assert re.search(reason, said), said
    assert said.isascii()
    assert "\n" not in said
    assert len(said) < 300


@pytest.mark.skipif("GRUNDY" not in os.environ, reason="GRUNDY does not name the program")
def test_the_program_agrees(tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    disagreement = []
    for expected, cases in ((0, TRUE), (2, FORGED)):
        for name, data, *_ in cases:
            file.write_bytes(data)
            said = subprocess.run([os.environ["GRUNDY"], "verify", file], capture_output=True, timeout=300)
            if said.returncode != expected:
                disagreement.append((name, said.returncode, said.stderr[:200]))
    assert not disagreement


# Values, compared with the mex over an explicit list of all options.


def splits(chips: int, heaps: int, least: int = 1) -> Iterator[tuple[int, ...]]:
    if heaps == 0 and chips == 0:
        yield ()
    for one in range(least, chips // heaps + 1) if heaps else ():
        for others in splits(chips - one, heaps - 1, one):
            yield (one, *others)


def by_definition(options: Callable[[int], Iterator[tuple[int, ...]]], heaps: int) -> list[int]:
    values: list[int] = []
    for n in range(heaps):
        reached = set()
        for option in options(n):
            nim_sum = 0
            for heap in option:
                nim_sum ^= values[heap]
            reached.add(nim_sum)
        values.append(min(set(range(len(reached) + 1)) - reached))
    return values


CODES = ["0.77", "0.137", "4.07", "4.", "0.6", "0.3f", "8.9", "c.08", "0.165", "4.0004", "0.04040", "4.1417", "0.f"]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("large", [False, True])
def test_values_of_codes_match_the_definition(code: str, large: bool) -> None:
    digits = verifier.code(code)

    def options(n: int) -> Iterator[tuple[int, ...]]:
        for take, digit in enumerate(digits[: n + 1]):
            for heaps in range(4):
                if digit >> heaps & 1:
                    yield from splits(n - take, heaps)

    count = 40 if max(digits) >= 8 else 130
    expected = by_definition(options, count)
    values = verifier.Values()
    value = verifier.by_code(digits, values)
    for n in range(count):
        # `list.append` skips the byte row, as if a value were at least 128.
        (list.append if large else verifier.Values.add)(values, value(n))
    assert values == expected
    breaks = [take for take, digit in enumerate(digits) if digit & 4]
    if max(digits) >= 8 or not breaks:
        return
    for mask in (1, 2, 3, 7, 13):
        for position in [False, True][: 1 + (len({take % 2 for take in breaks}) == 1)]:
            parities = [(n - breaks[0]) % 2 if position else 0 for n in range(count)]
            rares = [n for n in range(1, count) if (expected[n] & mask).bit_count() % 2 == parities[n]]
            claim = {"mask": mask, "position": position, "rares": rares, "preperiod": 0, "period": 2}
            claim |= {"reach": 0, "start": 999}
            values = verifier.Values()
            _, _, value = verifier.by_parity_class(claim, digits, values)
            for n in range(count):
                values.add(value(n))
            assert values == expected, (mask, position)


@pytest.mark.parametrize("excluded", [[], [1], [2, 4], [1, 2, 3], [3, 9], [5, 6, 11]])
def test_values_of_all_but_games_match_the_definition(excluded: list[int]) -> None:
    expected = by_definition(lambda n: ((left,) for left in range(n) if n - left not in excluded), 150)
    values = verifier.Values()
    value = verifier.by_exclusion(excluded, values)
    for n in range(150):
        values.add(value(n))
    assert values == expected


# The program accepts more expressions than this verifier. In some of them the variable is not the
# size of the heap, so that the claim is false.
OTHER_SPELLINGS = [
    "(kayles(n))", "sum_of([kayles(n)])", "kayles(n) # Kayles", "kayles(+n)", "kayles(n + 0)",
    'take_and_break(r"0.77", n)', "kayles(n + n * (n - 2) * (n - 3) * (1000 - n))",
]  # fmt: skip


@pytest.mark.parametrize("family", OTHER_SPELLINGS)
def test_other_spellings_are_refused(family: str) -> None:
    with pytest.raises(Refused, match="`family`"):
        verify(changed(WRITTEN["kayles"], family=family))


def test_quotients_of_positions_are_checked_except_moves() -> None:
    claim = changed(WRITTEN["quotient_0.75"], family="[nim(1)]", preperiod=None, period=None)
    claim["pieces"] = [f"piece {number}" for number in range(len(claim["elements"]))]
    assert not verify(claim)
    for changes, reason in [
        ({"pieces": claim["pieces"][1:]}, "`pieces`"),
        ({"pieces": [claim["pieces"][1], *claim["pieces"][1:]]}, "`pieces`"),
        ({"pieces": ["\ud800", *claim["pieces"][1:]]}, "`pieces`"),
        ({"family": None}, "`family`"),
        ({"preperiod": 1, "period": 1}, "no theorem applies"),
        ({"transitions": [*claim["transitions"], [0, [0]]]}, "does not hold"),
        ({"note": 1}, "unknown key `note`"),
    ]:
        with pytest.raises(Refused, match=reason):
            verify(changed(claim, **changes))
    with pytest.raises(Refused, match="`positions`"):
        verify(changed(WRITTEN["labels_nim"], positions=["\ud800"] * len(WRITTEN["labels_nim"]["options"])))


def test_rules_that_depend_on_the_heap_are_refused() -> None:
    claim = changed(WRITTEN["subtraction_1_3_4"], family="subtraction([n + 1], n)", period=4, values=[0, 0, 1, 1])
    with pytest.raises(Refused, match="`family`"):
        verify(claim)


# Limits.


def test_long_certificates_are_checked_in_part() -> None:
    verdict = verify(WRITTEN[LONG], seconds=0.2)
    assert not verdict
    assert not verdict.accepted
    part = r"checked up to n = \d+ of 231068082; the rest would take about [0-9.]+ (minutes|hours|days) \(claim: "
    assert re.match(part, str(verdict))
    huge = changed(WRITTEN["sparse_4.344"], start=(1 << 64) - 1)
    assert re.search("about [0-9.e+]+ years", str(verify(huge, seconds=0.01)))
    large = [[str(i * j % 7) for j in range(300)] for i in range(300)]
    even = ["1/300"] * 300
    claim = {"kind": "matrix", "value": "3", "row_strategy": even, "col_strategy": even, "matrix": large}
    assert re.match("checked up to `row_strategy` entry = 0 of 300", str(verify(claim, seconds=0)))
    # A false claim in the part that is checked is rejected at once.
    with pytest.raises(Refused, match="rares"):
        verify(changed(WRITTEN[LONG], rares=WRITTEN[LONG]["rares"][1:]), seconds=60)


def test_large_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verifier.MOST_BYTES == 256 << 20
    monkeypatch.setattr(verifier, "MOST_BYTES", 100)
    with pytest.raises(Refused, match="longer"):
        verify(text(WRITTEN["kayles"]))


@pytest.mark.parametrize("certificate", [{}, {"kind": "period"}, {"kind": ["period"]}, {1: 2}, "", b"", "\ud800"])
def test_malformed_input_is_rejected(certificate: Any) -> None:
    with pytest.raises(Refused):
        verify(certificate)


# The command line, with the verifier as a single file.


def run(*arguments: str | Path, given: bytes = b"") -> tuple[int, str, str]:
    command = [sys.executable, "-I", SOURCE, *arguments]
    done = subprocess.run(command, input=given, capture_output=True, timeout=120)
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_the_command_line(tmp_path: Path) -> None:
    good, long = HERE / "certificates" / "kayles.json", HERE / "certificates" / f"{LONG}.json"
    bad = tmp_path / "bad.json"
    bad.write_bytes(text(changed(WRITTEN["kayles"], period=11)))
    status, said, _ = run(good)
    assert (status, said.count("\n")) == (0, 1)
    assert said.startswith("accepted: kayles(n) has preperiod 71 and period 12")
    status, said, _ = run(bad)
    assert (status, said) == (1, "refused: `values` has 83 entries, not `preperiod` + `period`\n")
    status, said, _ = run("--seconds", "0.1", long)
    assert status == 3
    assert said.startswith("checked up to n = ")
    assert "the rest would take about" in said
    status, said, _ = run("-", given=good.read_bytes())
    assert status == 0
    assert said.startswith("accepted: ")
    status, said, _ = run("-", given=b"\xff")
    assert status == 1
    assert said.startswith("refused: ")
    status, said, _ = run("--seconds", "0.1", good, long, bad)
    assert status == 1
    assert [line.split(": ")[1][:7] for line in said.splitlines()] == ["accepte", "checked", "refused"]
    assert run("--seconds", "0.1", good, long)[0] == 3
    status, said, error = run(good, tmp_path / "none.json")
    assert status == 2
    assert "accepted" in said
    assert "cannot read the file" in error
    for wrong in ([], ["--seconds", "soon", good], ["--what", good], [tmp_path]):
        assert run(*wrong)[0] == 2


def test_only_the_standard_library_is_imported() -> None:
    tree = ast.parse(SOURCE.read_text())
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "." for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imported} <= set(sys.stdlib_module_names)
