"""Checks the certificates that grundy writes: a second verifier, from the rules of the games alone.

    python -m grundy.verifier [--seconds S] FILE...   where the package is installed
    python verifier.py [--seconds S] FILE...          anywhere: all it needs is this file and Python 3.10 or later

    from grundy.verifier import verify, Refused
    print(verify(open("kayles.json", "rb").read()))   # a Verdict; what is false or no certificate raises Refused

`-` is standard input. Exit 0: every certificate is accepted. 1: one is refused, the line says why. 3: none is refused,
but one needs more than S seconds (10 unless told otherwise) or more memory: the line says up to where it was checked
and how long the rest would take, and it is not accepted. 2: wrong usage, or a file that cannot be read.

What is claimed, and why finitely many steps are enough
-------------------------------------------------------
MATRIX. An entry of `matrix` is what the column player pays the row player; v is the value of the game, `row_strategy` p
and `col_strategy` q are optimal. Checked: p and q are probabilities, each column of p A is at least v, each row of A q
at most v. Then p wins at least v whatever the other does, and q pays at most v: so neither can do better.

PERIOD. In a family of heaps g(n + p) = g(n) + s for all n >= n0, and neither n0 nor p can be less; g(n) is the mex of
the values of the options, the least number that is none of them, and several heaps have the XOR of their values (by
Sprague and Grundy). `values` is g below n0 + p. n0 is least if it is 0 or the equation fails at n0 - 1. Suppose q < p
with t in place of s is a period, too. Both tell how fast g grows: t/q = s/p. Then d = gcd(p, q) is one with this rate
for all large n, and so from n0 on, since g(n + d) - g(n) is the same one p further. So p is least if no proper divisor
of p is a period with its share of s. It is left to see that the equation holds for n0 <= n < `end`, with all values
computed from the rules; what `end` has to be is said by one of these theorems:

`splitting` (s = 0), of a code with last digit d_k, moves leaving at most h heaps: end = h max(n0, 1) + (h - 1) p + k.
  With h = 2 it is called `guy_smith`. Proof for n >= end, by induction: an option of n + p has a heap of at least
  (n + p - k)/h >= n0 + p chips; with p less it has the same value, and this makes an option of n. An option of n has a
  heap of at least (n - k)/h >= n0; with p more it makes an option of n + p. So the options have the same values.

`window` (s = 0), of a finite set of numbers that may be taken, the largest u: end = n0 + u. From u on a value is a
  function of the last u values, and these are the same before n0 + u and before n0 + u + p.

`all_but`, of a finite list of numbers that may not be taken, the largest u (or 0): end = n0 + p + 2u. Let M(n) be the
  number of values of the heaps below n; they are 0, ..., M(n) - 1, as a mex is at most the next one. From n one reaches
  every heap below n - u, so g(n) is M(n) or *young*: a value that comes for the first time among the last u heaps. The
  last u values less M(n), and which of them are young, decide g(n) - M(n) and the same data for n + 1. So it is enough
  that these data agree at `end` and at end + p, and that M(end + p) = M(end) + s. (To compute values, those need not be
  looked at again whose first heap lies more than u back: every later heap reaches them.)

`sparse_window` (s = 0), of a code whose moves leave at most two heaps. Call a value v *rare at n* if its bits under
  `mask` have even parity; with `position`, if they have the parity of n - t, where t chips go with a break (all such t
  must have one parity). Else v is *common at n*. A heap n >= 1 is rare or common as g(n) is at n. Parities add: the
  value of a break of n is common at n if one of its heaps is rare, and rare at n if both or none are. So takes and
  breaks with a rare heap are all that reaches values common at n: g(n) is the least value c common at n that they miss,
  or else the least value below c rare at n that no option has. This is how it is computed. Claimed are the list of all
  rare heaps, r the last, and A = `reach`, n1 = `start`. With W = max(r, A) + k, n1 > W + r and n1 >= n0, it is checked
  that (a) the rare heaps below n1 + p are those of the list; (b) if n1 <= n < n1 + p, each value below g(n) rare at n
  is that of a take, of a break with a rare heap or of one with a heap of at most A; (c) g(n + p) = g(n) if n0 <= n < n1
  and for the W heaps before n1; and p is even with `position`. Proof that g(n + p) = g(n) and (b) at n + p, for n >= n1
  by induction: the moves named in (b) leave one heap of at most max(r, A), or none, and one that is at most W smaller
  than the heap moved in. So those of n and of n + p correspond and have the same values. The same values are common at
  both, so c is the same, and g(n) = c since heaps above r are common. The values below c rare at n are reached at n + p
  by the moves that reach them at n. So g(n + p) = c.

QUOTIENT. In misère play, where the last move loses, the sums of the heaps of a family have elements of a finite commutative
monoid: heap n that of `elements`[n - 1], a sum the product. A sum is losing for the player to move if and only if its
element is in `p`. `products` has a row for each element, element 0 is that of the empty sum. A sum X has a *transition*: its
element, and the set of those of its options. That of X + n follows from those of X and of heap n. Checked: `products` is a
commutative monoid (by F. W. Light: (x g) y = x (g y) for the elements g of heaps), which these generate; `transitions` has
that of the empty sum and with each also those with one more heap, and no others; in each the element is in `p` if and only
if there are options and none is in `p`. Then by induction on the longest play the claim is true of every sum. No two
elements have the same products in `p`, so nothing less would do. With `period` p from `preperiod` n0 on: for moves that
take at most k and leave at most h heaps it is seen up to heap h (n0 + p) + k. For n >= h n0 + (h - 1) p + k an option of
n + p has a heap of at least n0 + p, which p chips less give the same element, and so on as above: heaps n and n + p have
options of the same elements, so that nothing new comes, for ever (T. E. Plambeck and A. N. Siegel, 2008).

LABELS. `options` lists for each position 0, 1, ... those that a move leads to; play may go on for ever. `labels`: N3 is won by
the player to move in 3 moves, P2 lost in 2, when the winner hurries and the loser delays; D is a draw. Without options a
position is P0 in normal play, N0 in misère play. Checked: elsewhere it is N, one move more than the quickest lost option;
or all options are won and it is P, one more than the slowest; or D, with none lost and one drawn. Then by induction on r the
positions won or lost in r moves are those labelled so, and from a D either player can keep to positions labelled D or better.
`values`, in normal play, with `places`: m, as a heap of m in every sum, or an infinity with a set of numbers. Checked: (1) m is
the least number that no option has; (2) each option that has no smaller number has an option m, at an earlier place; (3) an
infinity has the numbers of its options, and with m the least that is not among them one option is an infinity without m (C. A. B.
Smith, 1966; A. S. Fraenkel and Y. Perl, 1975). That these are the moves of some game is not claimed.

docs/theory.md of the program has these proofs at greater length. A family is written `kayles(n)` (with any name for n),
`take_and_break("0.137", n)`, `subtraction([1, 3, 4], n)` or `all_but([2], n)`.
"""

import argparse
import json
import math
import re
import sys
import time
from collections.abc import Callable, Container
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import accumulate, count, filterfalse, takewhile
from keyword import iskeyword
from operator import lt, mul, xor
from typing import Any

__all__ = ["Refused", "Verdict", "verify"]

NAMED = dict(kayles="0.77", dawsons_chess="0.137", dawsons_kayles="0.07", treblecross="0.007", officers="0.6")
OTHERS = ("laskers_nim", "grundys_game")  # of which a quotient is checked but for the moves
MOST_BYTES, MOST_NESTED, MOST_DIGITS = 256 << 20, 127, 50_000  # of a file; brackets in brackets; of a fraction
MOST_BITS, MOST_BITS_IN_ROW = 1 << 20, 1 << 31  # of a common denominator; of all fractions of a row written over it
MOST_CLASSED = 1 << 16  # values below this are told to be rare or common
MOST_FAMILY, MOST_CODE = 1 << 20, 10_000  # characters of a family; digits of a code
# The grammar of numbers, which docs/proofs.md describes: digits are those of ASCII, and nothing stands around them.
POSITIVE = "[1-9][0-9]*"
NATURAL = f"0|{POSITIVE}"
LIST = f"\\[ *(?:{POSITIVE} *(?:, *{POSITIVE} *)*(?:, *)?)?\\]"
FRACTION = f"(-?(?:{NATURAL}))(?:/({POSITIVE}))?"
PERIOD = "kind family preperiod period saltus theorem "
KEYS = {"values": PERIOD + "values", "window": PERIOD + "mask position rares reach start"}
KEYS["matrix"] = "kind value row_strategy col_strategy matrix"
KEYS["labels"] = "kind play positions options labels values places"
KEYS["quotient"] = "kind family preperiod period pieces products p elements transitions"

Claim = dict[str, Any]


class Refused(Exception):
    """The certificate is false, or is none; the text says why, in one line."""


class OutOfTime(Exception):
    """The text says how far the check came, and how long the rest would take."""


@dataclass(frozen=True)
class Verdict:
    """On a certificate in which nothing false was found: it is accepted, or was checked in part only."""

    claim: str
    accepted: bool
    checked: str

    def __bool__(self) -> bool:
        return self.accepted

    def __str__(self) -> str:
        return f"accepted: {self.claim} ({self.checked})" if self.accepted else f"{self.checked} (claim: {self.claim})"


class Clock:
    def __init__(self, seconds: float) -> None:
        self.begun, self.seconds = time.monotonic(), seconds

    def look(self, what: str, done: int, of: int, power: int = 1) -> None:
        """Before step `done` of `of`; so many steps take time as this power of their number."""
        passed = time.monotonic() - self.begun
        if passed > self.seconds:
            rest = passed * ((of / max(done, 1)) ** power - 1)
            units = dict(seconds=1, minutes=60, hours=3600, days=86_400)
            unit = next((name for name, length in units.items() if rest < 120 * length), "years")
            about = f"{rest / units.get(unit, 31_557_600):.3g} {unit}"
            raise OutOfTime(f"checked up to {what} = {done} of {of}; the rest would take about {about}")


def demand(condition: object, otherwise: str) -> None:
    if not condition:
        raise Refused(otherwise)


def shown(value: object) -> str:
    """On one line of ASCII, cut where it is long."""
    line = ascii(value)[1:-1] if isinstance(value, str) else f"a {type(value).__name__}"
    return line if len(line) <= 80 else f"{line[:60]}...{line[-10:]}"


def verify(certificate: Claim | str | bytes, seconds: float = 10.0) -> Verdict:
    """Checks a certificate: its JSON as text or bytes, or the dictionary read from it."""
    claim = certificate if isinstance(certificate, dict) else read(certificate)
    kind = str(claim.get("kind")) if isinstance(claim, dict) else ""
    checks = dict(period=check_period, matrix=check_matrix, quotient=check_quotient, labels=check_labels)
    demand(kind in checks, "this is no certificate of a known kind")
    window = kind == "period" and claim.get("theorem") == "sparse_window"
    sort = kind if kind in KEYS else "window" if window else "values"
    for key in claim:  # one that is not looked at would be a claim that is not checked
        demand(key in KEYS[sort].split(), f"`{shown(key)}` is no key of a certificate of this kind")
    try:
        checked, accepted = checks[kind](claim, Clock(seconds)), True
    except OutOfTime as stop:
        checked, accepted = str(stop), False
    return Verdict(sentence(claim), accepted, checked)


def sentence(claim: Claim) -> str:
    if claim["kind"] == "matrix":
        return f"the matrix game has the value {shown(claim['value'])} and both strategies are optimal"
    if claim["kind"] == "quotient":
        family, order, losing = shown(claim["family"]), len(claim["products"]), len(claim["p"])
        few = f"{len(claim['elements'])} pieces" if claim.get("pieces") else f"heaps up to {len(claim['elements'])}"
        of = "heaps of every size" if claim.get("period") else few
        return f"the misere quotient of {family}, {of}, has {order} elements, of which {losing} are losing"
    if claim["kind"] == "labels":
        values = "" if claim.get("values") is None else " and values"
        return f"the labels{values} of {len(claim['labels'])} positions in {claim['play']} play"
    family, n0, p, s = shown(claim["family"]), claim["preperiod"], claim["period"], claim["saltus"]
    saltus, plus = (f" with saltus {s}", f" + {s}") if s else ("", "")
    return f"{family} has period {p}{saltus} after {n0}: g(n + {p}) = g(n){plus} for n >= {n0}, neither can be less"


# Reading. No object may have a key twice: nobody shall read another claim in a file than the one that is checked.
def read(data: str | bytes) -> Any:
    demand(len(data) <= MOST_BYTES, "the file is longer than 256 MiB")
    try:
        text = data if isinstance(data, str) else bytes(data).decode()
        bare = re.sub('"[^"]*"?', "", text.replace("\\\\", "").replace('\\"', ""))  # without strings
        depths = accumulate(1 if bracket[0] in "[{" else -1 for bracket in re.finditer(r"[][{}]", bare))
        demand(all(depth <= MOST_NESTED for depth in depths), "brackets are nested too deep")
        return json.loads(text, object_pairs_hook=once, parse_int=numeral, parse_float=numeral, parse_constant=numeral)
    except ValueError as error:
        raise Refused(f"the file is not JSON in UTF-8: {error}") from None


def once(pairs: list[tuple[str, Any]]) -> Claim:
    keys: set[str] = set()
    for key, _ in pairs:
        demand(key not in keys, f"the key `{shown(key)}` is given twice")
        keys.add(key)
    return dict(pairs)


# Numbers. `int()` and `Fraction()` are for texts that NATURAL has let through: they read more spellings.
def numeral(text: str) -> int | float:
    if len(text) <= 20 and re.fullmatch(NATURAL, text):
        return int(text)
    demand(math.isfinite(float(text)), f"the number {shown(text)} is not finite")
    return float(text)


def number(claim: Claim, key: str) -> int:
    return numbers({key: [claim.get(key)]}, key)[0]


def numbers(claim: Claim, key: str) -> list[int]:
    found: Any = claim.get(key)
    demand(isinstance(found, list), f"`{key}` is not a list")
    fits = all(type(value) is int and 0 <= value < 1 << 64 for value in found)
    demand(fits, f"`{key}` is or holds something else than a whole number from 0 to 2^64 - 1")
    return list(found)


def texts(found: Any, length: int) -> bool:
    """Returns whether this is a list of so many different texts without half a surrogate pair."""
    whole = isinstance(found, list) and all(
        isinstance(text, str) and not re.search("[\ud800-\udfff]", text) for text in found
    )
    return whole and len(found) == len({*found}) == length


# Matrix games.
def check_matrix(claim: Claim, clock: Clock) -> str:
    value, rows = fraction(claim.get("value"), "value"), claim.get("matrix", [])
    sizes = {len(row) if isinstance(row, list) else 0 for row in rows} if isinstance(rows, list) else {0}
    demand(len(sizes) == 1 and 0 not in sizes, "`matrix` is not a rectangle with entries")
    p, all_p = strategy(claim.get("row_strategy"), "row_strategy", len(rows), clock)
    q, all_q = strategy(claim.get("col_strategy"), "col_strategy", max(sizes), clock)
    paid, over = [0] * len(q), 1  # by each column, times all_p and times `over`
    for i, row in enumerate(rows):
        entries, scale = scaled(row, "matrix", clock, i, len(rows))
        won = sum(map(mul, entries, q))
        demand(won <= value * scale * all_q, f"row {i} wins more than `value` against `col_strategy`")
        if p[i]:
            before, over = over, common_multiple(over, scale, len(q))
            paid = [sum_ * (over // before) + entry * p[i] * (over // scale) for sum_, entry in zip(paid, entries)]
    for j, sum_ in enumerate(paid):
        demand(sum_ >= value * over * all_p, f"column {j} pays less than `value` against `row_strategy`")
    return f"{len(p)} rows and {len(q)} columns compared with the value"


def strategy(texts: Any, key: str, length: int, clock: Clock) -> tuple[list[int], int]:
    demand(isinstance(texts, list) and len(texts) == length, f"`{key}` is not a list of {length} probabilities")
    parts, total = scaled(texts, key, clock)
    demand(min(parts) >= 0, f"`{key}` has a probability that is negative")
    demand(sum(parts) == total, f"the probabilities of `{key}` do not add up to 1")
    return parts, total


def scaled(texts: list[Any], key: str, clock: Clock, row: int = 0, rows: int = 1) -> tuple[list[int], int]:
    """Fractions as whole numbers over one denominator, and this."""
    fractions, common = [], 1
    for index, text in enumerate(texts):
        clock.look(f"`{key}` entry", row * len(texts) + index, rows * len(texts))
        fractions.append(fraction(text, key))
        common = common_multiple(common, fractions[-1].denominator, len(texts))
    return [one.numerator * (common // one.denominator) for one in fractions], common


def fraction(text: Any, key: str) -> Fraction:
    parts = re.fullmatch(FRACTION, text) if isinstance(text, str) and len(text) <= MOST_DIGITS else None
    if not parts:
        raise Refused(f"`{key}` has {shown(text)} where a fraction in quotes is expected")
    return Fraction(*(int(Decimal(part)) for part in (parts[1], parts[2] or "1")))  # int() reads some 4300 digits only


def common_multiple(one: int, other: int, length: int) -> int:
    common = math.lcm(one, other) if one % other else one
    demand(common.bit_length() <= min(MOST_BITS, MOST_BITS_IN_ROW // length), "the common denominator is too long")
    return common


# The rules of a family, by the digits of a code, the numbers that may be taken, or those that may not.
def game(family: object) -> tuple[str, list[int]]:
    written = family if isinstance(family, str) and len(family) <= MOST_FAMILY else ""
    call = re.fullmatch(r" *([a-z_]+) *\(([^()]*)\) *", written)
    name, inside = call.groups() if call else ("", "")
    first, comma, variable = (part.strip(" ") for part in inside.rstrip(" ").removesuffix(",").rpartition(","))
    named = re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", variable) and not iskeyword(variable) and variable != "load"
    demand(named, f"`family` is not a game of one heap of a variable size: {shown(family)}")
    if name in NAMED and not comma:
        return "code", code(NAMED[name])
    if name == "take_and_break" and re.fullmatch("\"[^\"]*\"|'[^']*'", first):
        return "code", code(first[1:-1])
    if name == "subtraction" and re.fullmatch("\"[a-z0-9_]+\"|'[a-z0-9_]+'", first):
        return "other", []
    if name in OTHERS and not comma:
        return "other", []
    listed = re.fullmatch(LIST, first)
    parts = re.findall(POSITIVE, first)
    known = (name == "subtraction" and parts) or name == "all_but"
    demand(known and listed, f"`family` is no game of heaps that is known here: {shown(family)}")
    fits = all(len(part) <= 20 and int(part) < 1 << 64 for part in parts)
    demand(fits, "`family` has a number above 2^64 - 1")
    return name, sorted(set(map(int, parts)))


def code(text: str) -> list[int]:
    parts = re.fullmatch(r"(?=.?[^.])([048cC]?)(?:\.([0-9a-fA-F]*))?", text)
    if not parts or len(text) > MOST_CODE:
        raise Refused(f"`family` has no octal or hexadecimal code: {shown(text)}")
    return [int(digit, 16) for digit in (parts[1] or "0") + (parts[2] or "").rstrip("0")]


# Values, one after the other.
class Values(list[int]):
    """g(0), g(1), ... as far as they are known; the same as bytes, as long as all are below 128."""

    def __init__(self) -> None:
        super().__init__()
        self.row = bytearray()

    def add(self, value: int) -> None:
        if value < 128 and len(self.row) == len(self):
            self.row.append(value)
        self.append(value)

    def breaks(self, chips: int, first: int, last: int) -> bytes | set[int]:
        """The values of two heaps a and chips - a for first <= a <= last, as a set or, all below 128, as bytes."""
        last = max(last, first - 1)
        near, far = slice(first, last + 1), slice(chips - last, chips - first + 1)
        if len(self.row) < len(self):
            return set(map(xor, self[near], reversed(self[far])))
        # As two large numbers they are added all at once; reading one from its last byte runs it backwards.
        both = int.from_bytes(self.row[near], "little") ^ int.from_bytes(self.row[far], "big")
        return both.to_bytes(last - first + 1, "little")


def mex(*reached: Container[int]) -> int:
    return next(value for value in count() if not any(value in values for values in reached))


def by_code(digits: list[int], g: Values) -> Callable[[int], int]:
    @cache
    def pairs(chips: int) -> set[int]:
        return set(g.breaks(chips, 1, chips // 2))

    def value(n: int) -> int:
        reached, broken = set(), []
        for take, digit in enumerate(digits[: n + 1]):
            rest = n - take
            if digit & 1 and rest == 0:
                reached.add(0)
            if digit & 2 and rest > 0:
                reached.add(g[rest])
            if digit & 4:
                broken.append(g.breaks(rest, 1, rest // 2))
            if digit & 8:
                reached.update(g[a] ^ two for a in range(1, rest - 1) for two in pairs(rest - a))
        return mex(reached, *broken)

    return value


def by_exclusion(excluded: list[int], g: Values) -> Callable[[int], int]:
    last, out = max(excluded, default=0), set(excluded)
    heaps: list[list[int]] = []  # heaps[v] are those of value v
    settled = 0  # every later heap reaches the values below this

    def value(n: int) -> int:
        nonlocal settled
        if n > 0:
            heaps.extend([] for _ in range(len(heaps), g[-1] + 1))
            heaps[g[-1]].append(n - 1)
        while settled < len(heaps) and heaps[settled][0] < n - last:
            settled += 1
        open_values = range(settled, len(heaps))
        return next((v for v in open_values if all(n - heap in out for heap in heaps[v])), len(heaps))

    return value


def by_classes(claim: Claim, digits: list[int], g: Values) -> tuple[int, int, Callable[[int], int]]:
    """For `sparse_window`: n1, n1 - W, and how values are found, where what contradicts (a) and (b) is refused."""
    mask, reach, start, n0, p = (number(claim, key) for key in ("mask", "reach", "start", "preperiod", "period"))
    rares, position = numbers(claim, "rares"), claim.get("position")
    takes, breaks = ([take for take, digit in enumerate(digits) if digit & bit] for bit in (2, 4))
    last = rares[-1] if rares else 0
    window = max(last, reach) + len(digits) - 1
    demand(type(position) is bool, "`position` is neither true nor false")
    demand(all(map(lt, [0] + rares, rares)), "`rares` is not an ascending list of heaps from 1 on")
    demand(start > window + last and start >= n0, "`start` is too small beside `rares`, `reach` and `preperiod`")
    one_parity = p % 2 == 0 and len({take % 2 for take in breaks}) == 1
    demand(one_parity or not position, "`position` is for even periods and breaks with chips of one parity")
    even, odd = ([v for v in range(MOST_CLASSED) if (v & mask).bit_count() % 2 == parity] for parity in (0, 1))
    listed, rare_values, beside = set(rares), [], []  # of breaks with a rare heap; the other one, counted from the end

    def value(n: int) -> int:
        rare, common = (odd, even) if position and (n - breaks[0]) % 2 else (even, odd)
        reached = {g[n - take] for take in takewhile(n.__gt__, takes)}
        if n < len(digits) and digits[n] & 1:
            reached.add(0)
        for new in (n - take - 1 for take in breaks if n - take - 1 in listed):  # from now on a heap is left beside it
            rare_values.append(g[new])
            beside.append(1 - n)
        reached.update(map(xor, rare_values, map(g.__getitem__, beside)))
        c = next(filterfalse(reached.__contains__, common), MOST_CLASSED)
        missed = list(filterfalse(reached.__contains__, takewhile(c.__gt__, rare)))
        first, size, most = 1, 32, min(n if n < start else reach, (n - breaks[0]) // 2)
        while missed and first <= most:
            to = min(first + size - 1, most)
            found = set().union(*(g.breaks(n - take, first, min(to, (n - take) // 2)) for take in breaks))
            missed = [v for v in missed if v not in found]
            first, size = to + 1, 2 * size
        if missed and n >= start:
            raise Refused(f"the rare value {missed[0]} is not reached from heap {n} as claimed")
        if n > 0 and bool(missed) != (n in listed):
            raise Refused(f"the list `rares` is wrong at heap {n}")
        demand(missed or c < MOST_CLASSED, "a value is not below 2^16")
        return missed[0] if missed else c

    return start, start - window, value


# Quotients. Sets of elements are numbers, bit x standing for element x.
def check_quotient(claim: Claim, clock: Clock) -> str:
    rows, found = claim.get("products"), claim.get("transitions")
    demand(isinstance(rows, list) and rows, "`products` is not a table")
    table = [numbers({"products": row}, "products") for row in rows or []]
    order = len(table)
    p, elements = numbers(claim, "p"), numbers(claim, "elements")
    well = all(len(row) == order for row in table) and p == sorted(set(p))
    demand(well, "`products` is not square, or `p` not in order")
    exist = all(x < order for row in [p, elements, *table] for x in row)
    demand(exist, "an element is named that does not exist")
    demand(table[0] == list(range(order)), "element 0 is not the identity")
    generators = sorted(set(elements))
    for x, row in enumerate(table):
        clock.look("row of `products`", x, order)
        demand(all(table[y][x] == z for y, z in enumerate(row)), f"a product with {x} depends on the order")
        for g in generators:
            demand(table[row[g]] == [row[z] for z in table[g]], f"a product with {x} and {g} depends on brackets")
    reached, waiting = {0}, [0]
    while waiting:
        row = table[waiting.pop()]
        waiting += (new := {row[g] for g in generators} - reached)
        reached |= new
    demand(len(reached) == order, "an element is no product of those of heaps")
    losing = set(p)
    told_apart = len({tuple(z in losing for z in row) for row in table}) == order
    demand(told_apart, "nothing tells two elements apart")
    listed = transitions_in(found, table, losing)
    pieces, repeats = claim.get("pieces"), (claim.get("preperiod"), claim.get("period")) != (None, None)
    if pieces is not None:
        demand(texts(pieces, len(elements)), "`pieces` is not a list of different texts, one for each of `elements`")
        demand(texts([claim.get("family")], 1), "`family` is not a text")
        demand(not repeats, "the elements do not repeat by any theorem")
    if pieces is not None or game(claim.get("family"))[0] == "other":
        raise OutOfTime("the monoid was checked; the rules of these positions are not known here")
    letters, family = heaps_in(claim.get("family"), table, elements, clock)
    check_transitions(listed, table, letters, clock)
    if repeats:
        check_repetition(number(claim, "preperiod"), number(claim, "period"), elements, family)
    return f"{len(found or [])} transitions of {len(elements)} heaps checked against the rules"


def heaps_in(
    family: object, table: list[list[int]], elements: list[int], clock: Clock
) -> tuple[set[tuple[int, int]], tuple[int, int] | None]:
    """The transitions of the heaps; and how many heaps a move leaves at most, and how many chips it takes, if that is bounded."""
    kind, rules = game(family)
    one = [0, *elements]  # by heap; the empty one is the empty sum
    letters = set()

    @cache
    def two(chips: int) -> set[int]:
        return {table[one[a]][one[chips - a]] for a in range(1, chips // 2 + 1)}

    for n in range(1, len(one)):
        clock.look("heap", n, len(one), 2)
        options = set()
        if kind == "code":
            for take, digit in enumerate(rules[: n + 1]):
                left = n - take
                options |= {0} if digit & 1 and not left else set()
                options |= {one[left]} if digit & 2 and left else set()
                options |= two(left) if digit & 4 else set()
                options |= {table[one[a]][x] for a in range(1, left - 1) for x in two(left - a)} if digit & 8 else set()
        elif kind == "subtraction":
            options = {one[n - take] for take in takewhile(n.__ge__, rules)}
        else:
            options = {one[n - take] for take in range(1, n + 1) if take not in rules}
        letters.add((one[n], sum(1 << x for x in options)))
    if kind == "code" and any(rules):
        return letters, (max([1] + [digit.bit_length() - 1 for digit in rules]), len(rules) - 1)
    return letters, (1, max(rules)) if kind == "subtraction" else None


def transitions_in(found: Any, table: list[list[int]], losing: set[int]) -> set[tuple[int, int]]:
    """Those that are listed, each of which holds."""
    pairs = isinstance(found, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in found)
    demand(pairs, "`transitions` is not a list of pairs")
    listed: set[tuple[int, int]] = set()
    lost = sum(1 << x for x in losing)
    for element, options in found:
        of = numbers({"transitions": [element]}, "transitions")[0], numbers({"transitions": options}, "transitions")
        demand(max([of[0], *of[1]]) < len(table) and of[1] == sorted(set(of[1])), "a transition is not in order")
        transition = of[0], sum(1 << x for x in of[1])
        wins = not transition[1] or bool(transition[1] & lost)
        demand(wins == (of[0] not in losing), f"a transition of element {of[0]} does not hold")
        demand(transition not in listed, "a transition is listed twice")
        listed.add(transition)
    return listed


def check_transitions(
    listed: set[tuple[int, int]], table: list[list[int]], letters: set[tuple[int, int]], clock: Clock
) -> None:
    moved: dict[tuple[int, int], int] = {}

    def times(elements: int, by: int) -> int:
        if (elements, by) not in moved:
            row, rest, product = table[by], elements, 0
            while rest:
                lowest = rest & -rest
                product |= 1 << row[lowest.bit_length() - 1]
                rest ^= lowest
            moved[elements, by] = product
        return moved[elements, by]

    seen, waiting = {(0, 0)}, [(0, 0)]
    while waiting:
        clock.look("transition", len(seen) - len(waiting), len(listed))
        element, options = waiting.pop()
        for other, of_other in letters:
            new = table[element][other], times(options, other) | times(of_other, element)
            demand(new in listed, f"a transition of element {new[0]} occurs that is not listed")
            if new not in seen:
                seen.add(new)
                waiting.append(new)
    demand((0, 0) in listed and len(seen) == len(listed), "a transition is listed that does not occur")


def check_repetition(n0: int, p: int, elements: list[int], family: tuple[int, int] | None) -> None:
    if not family or n0 == 0 or p == 0:
        raise Refused("the elements do not repeat by any theorem")
    heaps, taken = family
    demand(len(elements) >= heaps * (n0 + p) + taken, "too few heaps are listed for the theorem on periods")
    demand(elements[n0 - 1 : -p] == elements[n0 - 1 + p :], "the elements do not repeat as claimed")
    demand(n0 == 1 or elements[n0 - 2] != elements[n0 - 2 + p], "the period holds from an earlier heap on")
    smaller = (q for q in range(1, p) if p % q == 0 and elements[n0 - 1 : -q] == elements[n0 - 1 + q :])
    demand(next(smaller, None) is None, "a smaller period holds")


# Labels.
def check_labels(claim: Claim, clock: Clock) -> str:
    play, rows, names, written = (claim.get(key) for key in ("play", "options", "positions", "labels"))
    demand(play in ("normal", "misere"), "`play` is neither normal nor misere")
    demand(isinstance(rows, list), "`options` is not a list")
    options = [numbers({"options": row}, "options") for row in rows or []]
    demand(all(o < len(options) for row in options for o in row), "an option is named that does not exist")
    if names is not None:
        demand(texts(names, len(options)), "`positions` is not a list of different names")
    demand(
        isinstance(written, list) and len(written) == len(options), "`labels` is not a list with one for each position"
    )
    labels = [read_label(text) for text in written or []]
    for v, row in enumerate(options):
        clock.look("position", v, len(options))
        lost, won = ([labels[o][1] for o in row if labels[o][0] == letter] for letter in "PN")
        if not row:
            follows = ("P" if play == "normal" else "N", 0)
        elif lost:
            follows = ("N", min(lost) + 1)
        else:
            follows = ("P", max(won) + 1) if len(won) == len(row) else ("D", 0)
        demand(labels[v] == follows, f"the label of position {v} is not what follows from its options")
    if claim.get("values") is not None or claim.get("places") is not None:
        demand(play == "normal", "`values` are for normal play")
        check_values(claim.get("values"), numbers(claim, "places"), options, clock)
    return f"{sum(map(len, options))} moves looked at"


def read_label(text: object) -> tuple[str, int]:
    parts = re.fullmatch("([NP])(0|[1-9][0-9]{0,19})|D", text) if isinstance(text, str) else None
    if not parts:
        raise Refused(f"`labels` has {shown(text)}")
    return (parts[1], int(parts[2])) if parts[1] else ("D", 0)


def check_values(written: Any, places: list[int], options: list[list[int]], clock: Clock) -> None:
    fits = isinstance(written, list) and len(written) == len(places) == len(options)
    demand(fits, "`values` or `places` is not a list with one for each position")
    finite: list[int | None] = []
    infinite: list[set[int]] = []
    for value in written:
        of = value.get("infinity") if isinstance(value, dict) and len(value) == 1 else [value]
        members = numbers({"values": of}, "values")
        demand(all(map(lt, members, members[1:])), "`values` has a set that is not in order")
        finite.append(None if isinstance(value, dict) else members[0])
        infinite.append({*members})
    for v, row in enumerate(options):
        clock.look("the value of position", v, len(options))
        found = {finite[o] for o in row} - {None}
        least = next(m for m in count() if m not in found)
        if finite[v] is None:
            right = infinite[v] == found and any(finite[o] is None and least not in infinite[o] for o in row)
        else:
            m, place = finite[v], places[v]
            others = (o for o in row if (value := finite[o]) is None or value > least)
            right = m == least and all(any(finite[w] == m and places[w] < place for w in options[o]) for o in others)
        demand(right, f"the value of position {v} is not what follows from its options")


# Periods.
def check_period(claim: Claim, clock: Clock) -> str:
    kind, rules = game(claim.get("family"))
    n0, p, s = (number(claim, key) for key in ("preperiod", "period", "saltus"))
    demand(p > 0, "`period` is 0")
    k, heaps = len(rules) - 1, max([1] + [digit.bit_length() - 1 for digit in rules])  # of a code
    u = max(rules, default=0)  # of a list
    of_code = ["guy_smith", "sparse_window"] if heaps == 2 else ["splitting"]
    demand(kind != "other", f"`family` is no game that a theorem on periods is about: {shown(claim['family'])}")
    theorem, fits = claim.get("theorem"), {"code": of_code, "subtraction": ["window"], "all_but": ["all_but"]}
    suits = theorem in fits[kind] and (s == 0 or kind == "all_but")
    demand(suits, f"`theorem` {shown(theorem)} is not about these rules and this saltus")
    values = [] if theorem == "sparse_window" else numbers(claim, "values")
    fits_values = theorem == "sparse_window" or len(values) == n0 + p
    demand(fits_values, f"`values` has {len(values)} entries, not `preperiod` + `period`")
    g, start, power = Values(), n0, 1
    if theorem == "sparse_window":
        end, start, value = by_classes(claim, rules, g)
    elif kind == "code":
        end, value, power = heaps * max(n0, 1) + (heaps - 1) * p + k, by_code(rules, g), min(heaps, 2)
    elif kind == "subtraction":
        end, value = n0 + u, lambda n: mex({g[n - take] for take in takewhile(n.__ge__, rules)})
    else:
        end, value = n0 + p + 2 * u, by_exclusion(rules, g)
    for n in range(end + p):
        clock.look("n", n, end + p, power)
        g.add(value(n))
        if n < len(values) and g[n] != values[n]:
            raise Refused(f"the value of heap {n} is {g[n]}, not {values[n]}")
    for n in range(min(n0, start), end):
        if g[n + p] != g[n] + s:
            raise Refused(f"the values do not repeat at heap {n}")
    if theorem == "all_but":
        (data, used), (later, then_used) = state(g, end, u), state(g, end + p, u)
        demand(data == later and then_used == used + s, "the state of the game does not come back")
    demand(n0 == 0 or g[n0 - 1 + p] != g[n0 - 1] + s, "the period holds from an earlier heap on")
    for q in range(1, p // 2 + 1):
        # Where q divides p, the last steps of a period follow from the others.
        if p % q == 0 and s * q % p == 0 and all(g[n + q] == g[n] + s * q // p for n in range(n0, n0 + p - q)):
            raise Refused(f"a smaller period holds: {q}")
    return f"by the theorem `{theorem}` from {len(g)} values"


def state(g: list[int], end: int, u: int) -> tuple[list[tuple[int, bool]], int]:
    """The data of `all_but` at `end`, and M(end)."""
    first: dict[int, int] = {}
    for n, value in enumerate(g[:end]):
        first.setdefault(value, n)
    return [(value - len(first), first[value] >= end - u) for value in g[end - u : end]], len(first)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Checks certificates of grundy from the rules of the games alone.")
    parser.add_argument("--seconds", type=float, default=10.0, help="longest time for one file [10]")
    parser.add_argument("files", metavar="FILE", nargs="+", help="a certificate; - is standard input")
    asked, seen = parser.parse_args(arguments), set()
    for name in asked.files:
        try:
            with open(0 if name == "-" else name, "rb", closefd=name != "-") as file:
                verdict = verify(file.read(MOST_BYTES + 1), asked.seconds)
            status, line = 0 if verdict.accepted else 3, str(verdict)
        except Refused as error:
            status, line = 1, f"refused: {error}"
        except MemoryError:
            status, line = 3, "not checked: this needs more memory"
        except OSError as error:
            status, line = 2, f"this cannot be read: {error.strerror}"
        line = f"{shown(name)}: {line}" if len(asked.files) > 1 else line
        print(line, file=sys.stderr if status == 2 else sys.stdout)
        seen.add(status)
    return next(status for status in (2, 1, 3, 0) if status in seen)


if __name__ == "__main__":
    sys.exit(main())
