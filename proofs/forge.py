"""Forges certificates: modifies true ones so that they become false.

    forge.py FOLDER TRUE...

Only changes that make the claim false are kept:

- The values, the least preperiod, the least period and the saltus of a period are unique, so every
  change of them is false.
- For a matrix game the bounds are recomputed, and a change that preserves them is dropped.
- A misère quotient is unique up to the names of its elements, so every change is false unless it
  only renames them.
- The labels and values of a graph are unique. If the moves change, the labels are recomputed.
"""

import itertools
import json
import random
import sys
from fractions import Fraction
from pathlib import Path

CHANCE = random.Random(1939)
MOST = 400  # forgeries of each kind


def values(claim, count):
    """Return the values of the heaps below `count`, by the claimed period, which is true."""
    known = list(claim["values"])
    while len(known) < count:
        known.append(known[len(known) - claim["period"]] + claim["saltus"])
    return known[:count]


def other_numbers(claim):
    """Yield the claim with other numbers, and with values of the matching length."""
    n0, p, s = claim["preperiod"], claim["period"], claim["saltus"]
    some = [(m, p, s) for m in {0, n0 - 1, n0 + 1, n0 + 2, n0 + p, 2 * n0 + 1} if m >= 0]
    some += [(n0, q, s * q // p) for q in {1, 2, p - 1, p + 1, 2 * p, 3 * p, p // 2, p // 3, 7 * p} if q > 0]
    some += [(n0, p, t) for t in {0, s - 1, s + 1, s + p, 2 * s} if t >= 0]
    some += [(n0, 0, s), (0, 1, 0), (p, n0, s)]
    for m, q, t in set(some) - {(n0, p, s)}:
        yield claim | {"preperiod": m, "period": q, "saltus": t}
        yield claim | {"preperiod": m, "period": q, "saltus": t, "values": values(claim, m + q)}


def other_values(claim):
    """Yield the claim with other values."""
    true = claim["values"]
    for at, value in enumerate(true):
        for wrong in {value - 1, value + 1, value + 2, value ^ 1, value ^ 8, 0, 1 << 40} - {value}:
            if wrong >= 0:
                yield claim | {"values": true[:at] + [wrong] + true[at + 1 :]}
    for at in range(len(true)):
        yield claim | {"values": true[:at] + true[at + 1 :]}
    yield claim | {"values": [*true, values(claim, len(true) + 1)[-1]]}
    yield claim | {"values": []}


def forged_periods(claims):
    for claim in claims:
        yield from other_numbers(claim)
        yield from other_values(claim)
    for claim, other in itertools.permutations(claims, 2):
        few = min(len(claim["values"]), len(other["values"]))
        if claim["values"][:few] != other["values"][:few]:  # so the games differ
            yield claim | {"family": other["family"]}
            yield claim | {"family": other["family"], "theorem": other["theorem"]}


def is_solution(claim):
    """Return whether both strategies of a matrix game guarantee the value, by definition."""
    rows = [[Fraction(entry) for entry in row] for row in claim["matrix"]]
    value, p, q = Fraction(claim["value"]), *([Fraction(x) for x in claim[key]] for key in ("row_strategy", "col_strategy"))
    return (
        len(rows) == len(p)
        and all(len(row) == len(q) for row in rows)
        and all(sum(x) == 1 and min(x) >= 0 for x in (p, q))
        and all(sum(a * b for a, b in zip(row, q)) <= value for row in rows)
        and all(sum(a * row[j] for a, row in zip(p, rows)) >= value for j in range(len(q)))
    )


def near(text):
    one = Fraction(text)
    for other in {one + 1, one - 1, -one, one * 2, one / 3, one + Fraction(1, 1_000_003), one - Fraction(1, 10**30), Fraction(0)} - {one}:
        yield str(other)


def changed_matrices(claim):
    for value in near(claim["value"]):
        yield claim | {"value": value}
    for key in ("row_strategy", "col_strategy"):
        true = claim[key]
        for at, entry in enumerate(true):
            for other in near(entry):
                yield claim | {key: true[:at] + [other] + true[at + 1 :]}
            yield claim | {key: true[:at] + true[at + 1 :]}
        for i, j in itertools.permutations(range(len(true)), 2):
            for moved in (Fraction(true[i]), Fraction(1, 97), Fraction(1, 10**20)):
                new = list(true)
                new[i], new[j] = str(Fraction(true[i]) - moved), str(Fraction(true[j]) + moved)
                yield claim | {key: new}
        yield claim | {key: [*true, "0"]}
    for i, row in enumerate(claim["matrix"]):
        for j, entry in enumerate(row):
            for other in near(entry):
                new = [*row[:j], other, *row[j + 1 :]]
                yield claim | {"matrix": [*claim["matrix"][:i], new, *claim["matrix"][i + 1 :]]}
        yield claim | {"matrix": claim["matrix"][:i] + claim["matrix"][i + 1 :]}
        yield claim | {"matrix": [*claim["matrix"][:i], row[:-1], *claim["matrix"][i + 1 :]]}
    yield claim | {"row_strategy": claim["col_strategy"], "col_strategy": claim["row_strategy"]}


def forged_matrices(claims):
    for claim in claims:
        for changed in changed_matrices(claim):
            if not all(changed["matrix"]) or not changed["matrix"] or not changed["row_strategy"] or not changed["col_strategy"]:
                yield changed
            elif not is_solution(changed):
                yield changed


def in_turn(claim):
    """Return the quotient with its elements numbered in the order of a search from the heaps.

    Return None if the search does not reach all elements.
    """
    table, heaps = claim["products"], claim["elements"]
    names, waiting = {0: 0}, [0]
    for x in waiting:
        for heap in heaps:
            if table[x][heap] not in names:
                names[table[x][heap]] = len(names)
                waiting.append(table[x][heap])
    if len(names) < len(table):
        return None
    return (
        [[names[table[x][y]] for y in waiting] for x in waiting],
        {names[x] for x in claim["p"]},
        [names[x] for x in heaps],
        sorted((names[x], sorted(names[y] for y in options)) for x, options in claim["transitions"]),
        (claim["preperiod"], claim["period"]),
    )


def replaced(items, at, *new):
    return [*items[:at], *new, *items[at + 1 :]]


def changed_quotients(claim):
    table, p, heaps, transitions = (claim[key] for key in ("products", "p", "elements", "transitions"))
    order = len(table)
    elements = range(order)
    for x, y in itertools.combinations_with_replacement(CHANCE.sample(elements, min(order, 12)), 2):
        z = CHANCE.choice(elements)
        one = replaced(table, x, replaced(table[x], y, z))
        yield claim | {"products": one}
        yield claim | {"products": replaced(one, y, replaced(one[y], x, z))}
    for x in elements:
        yield claim | {"p": sorted({*p} ^ {x})}
        yield claim | {"p": sorted({*p} - {CHANCE.choice(p)} | {x})}
        # One more element, with the row and the column of x.
        copied = [[*row, row[x]] for row in table]
        yield claim | {"products": [*copied, copied[x]], "p": p + [order] * (x in p)}
        left = [y for y in elements if y != x]
        rename = {y: i for i, y in enumerate(left)} | {x: CHANCE.choice(range(order - 1))}
        yield claim | {
            "products": [[rename[table[y][z]] for z in left] for y in left],
            "p": sorted({rename[y] for y in p}),
            "elements": [rename[y] for y in heaps],
            "transitions": [[rename[y], sorted({rename[z] for z in options})] for y, options in transitions],
        }
    for at, heap in enumerate(heaps):
        for other in {0, (heap + 1) % order, CHANCE.choice(elements)} - {heap}:
            yield claim | {"elements": replaced(heaps, at, other)}
    for at, (x, options) in CHANCE.sample(list(enumerate(transitions)), min(len(transitions), 60)):
        yield claim | {"transitions": replaced(transitions, at)}
        yield claim | {"transitions": [*transitions, [x, options]]}
        yield claim | {"transitions": replaced(transitions, at, [(x + 1) % order, options])}
        flipped = sorted({*options} ^ {CHANCE.choice(elements)})
        yield claim | {"transitions": replaced(transitions, at, [x, flipped])}
        yield claim | {"transitions": [*transitions, [x, flipped]]}
    yield claim | {"p": []}
    yield claim | {"p": [*elements]}
    yield claim | {"transitions": []}
    yield claim | {"transitions": transitions[:1]}
    if claim["period"]:
        n0, q = claim["preperiod"], claim["period"]
        for other in {(n0 - 1, q), (n0 + 1, q), (n0 + q, q), (n0, 2 * q), (n0, q + 1), (n0, q - 1), (n0, 0), (0, q), (q, n0), (n0, 1)} - {(n0, q)}:
            yield claim | dict(zip(("preperiod", "period"), other))


def forged_quotients(claims):
    for claim in claims:
        true = in_turn(claim)
        yield from (changed for changed in changed_quotients(claim) if in_turn(changed) != true)
    for claim, other in itertools.permutations(claims, 2):
        if len(claim["products"]) != len(other["products"]):
            yield claim | {"family": other["family"]}


def forged_windows(claims):
    """Yield claims with other periods, other preperiods and other lists of rare heaps."""
    for claim in claims:
        n0, q, rares = claim["preperiod"], claim["period"], claim["rares"]
        for more in [*range(-30, 31), q, 2 * q, 1000]:
            if more:
                yield claim | {"preperiod": max(n0 + more, 0)}
                yield claim | {"period": max(q + more, 0)}
        yield claim | {"period": 2 * q}
        yield claim | {"period": 10**17}
        for at in range(len(rares)):
            yield claim | {"rares": replaced(rares, at)}
        for heap in range(1, 120):
            if heap not in rares:
                yield claim | {"rares": sorted([*rares, heap])}
        yield claim | {"rares": []}
        yield claim | {"rares": [0, *rares]}
        yield claim | {"rares": rares[::-1]}
        yield claim | {"saltus": 1}
    for claim, other in itertools.permutations(claims, 2):
        yield claim | {"family": other["family"]}


def true_labels(options, play):
    """Return the labels by retrograde analysis, one round for each number of moves."""
    labels = [None] * len(options)
    for moves in itertools.count():
        decided = {}
        for v, row in enumerate(options):
            if labels[v] is None and moves == 0 and not row:
                decided[v] = "P0" if play == "normal" else "N0"
            elif labels[v] is None and row and any(labels[o] and labels[o][0] == "P" for o in row):
                decided[v] = f"N{moves}"
            elif labels[v] is None and row and all(labels[o] and labels[o][0] == "N" for o in row):
                decided[v] = f"P{moves}"
        if not decided:
            return [label or "D" for label in labels]
        for v, label in decided.items():
            labels[v] = label


def changed_graphs(claim):
    rows, labels = claim["options"], claim["labels"]
    for at, label in enumerate(labels):
        near = {"D", "N0", "P0", "N1", "P1"}
        if label != "D":
            moves = int(label[1:])
            near |= {f"{letter}{moves + more}" for letter in "NP" for more in (-1, 0, 1, 2, 10**12) if moves + more >= 0}
        for other in near - {label}:
            yield claim | {"labels": replaced(labels, at, other)}
        yield claim | {"labels": replaced(labels, at)}
    yield claim | {"play": "misere" if claim["play"] == "normal" else "normal"}
    for at, row in enumerate(rows):
        for option in range(len(rows)):
            yield claim | {"options": replaced(rows, at, [*row, option])}
        for i in range(len(row)):
            yield claim | {"options": replaced(rows, at, replaced(row, i))}
        yield claim | {"options": replaced(rows, at, [*row, len(rows)])}
    for at, value in enumerate(claim.get("values", [])):
        if isinstance(value, int):
            others = [value - 1, value + 1, value ^ 1, {"infinity": [*range(value)]}, {"infinity": []}]
        else:
            numbers = value["infinity"]
            others = [0, 1, 2, {"infinity": numbers[1:] or [0]}, {"infinity": [*numbers, max(numbers, default=0) + 1]}]
        for other in others:
            if other not in (-1, value):
                yield claim | {"values": replaced(claim["values"], at, other)}
        yield claim | {"places": replaced(claim["places"], at)}


def forged_graphs(claims):
    for claim in claims:
        for changed in changed_graphs(claim):
            rows = changed["options"]
            named = all(option < len(rows) for row in rows for option in row)
            if not named or len(changed["labels"]) != len(rows) or changed["labels"] != true_labels(rows, changed["play"]):
                yield changed
            elif rows == claim["options"] and changed["play"] == claim["play"]:
                yield changed  # another value, or one place less


def strange(claims, graph):
    """Yield texts that are no certificates, or ambiguous ones."""
    text = json.dumps(claims[0])
    # Invalid UTF-8: a stray byte, a truncated character, a surrogate, and an overlong encoding.
    for name in (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xc1\x81"):
        names = [name.decode(errors="surrogateescape"), *map(str, range(1, len(graph["labels"])))]
        yield json.dumps(graph | {"positions": names}, ensure_ascii=False)
    yield text[:-1]
    yield text + "x"
    yield text[:-1] + ', "period": 1}'
    yield text[:-1] + ', "kind": "period"}'
    yield text[:-1] + ', "note": 1}'
    yield text.replace('"period"', '"epoch"')
    yield "[" * 100_000
    yield '{"kind":' * 100_000
    yield ""
    yield "{}"
    yield "[]"
    yield "12"
    yield json.dumps(claims[0] | {"kind": "proof"})
    yield json.dumps(claims[0] | {"kind": ["period"]})
    yield json.dumps(claims[0] | {"theorem": "sparse_window"})
    yield json.dumps(claims[0] | {"theorem": None})
    yield json.dumps(claims[0] | {"family": "wythoff(n, n)"})
    yield json.dumps(claims[0] | {"family": "kayles(5)"})
    yield json.dumps(claims[0] | {"family": "kayles(n) "[:-2]})
    yield json.dumps(claims[0] | {"family": 7})
    yield json.dumps(claims[0] | {"preperiod": str(claims[0]["preperiod"])})
    for wrong in (-1, 1.5, 1e300, True, None, [], 1 << 64, 1 << 200):
        for key in ("preperiod", "period", "saltus"):
            yield json.dumps(claims[0] | {key: wrong})
        yield json.dumps(claims[0] | {"values": [wrong, *claims[0]["values"][1:]]})


def main():
    folder, names = Path(sys.argv[1]), sys.argv[2:]
    true = [json.loads(Path(name).read_text()) for name in names]
    sorts = {"code": [], "subtraction": [], "all_but": [], "matrix": [], "quotient": [], "labels": [], "sparse": []}
    forgers = {"matrix": forged_matrices, "quotient": forged_quotients, "labels": forged_graphs, "sparse": forged_windows}
    for claim in true:
        sort = claim["kind"] if claim["kind"] in forgers else claim["family"].split("(")[0]
        sort = "sparse" if claim.get("theorem") == "sparse_window" else sort
        sorts[sort if sort in sorts else "code"].append(claim)
    assert all(is_solution(claim) for claim in sorts["matrix"])
    for sort, claims in sorts.items():
        forged = list(forgers.get(sort, forged_periods)(claims))
        texts = sorted({json.dumps(claim, separators=(",", ":")) for claim in forged})
        if len(texts) > MOST:
            texts = CHANCE.sample(texts, MOST)
        for at, text in enumerate(texts):
            (folder / f"{sort}-{at:03}.json").write_text(text)
    for at, text in enumerate(strange(sorts["code"], sorts["labels"][0])):
        (folder / f"strange-{at:03}.json").write_bytes(text.encode(errors="surrogateescape"))


if __name__ == "__main__":
    main()
