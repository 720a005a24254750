"""A verifier for the certificates of grundy, which uses the rules of the games alone.

    python -m grundy.verifier [--seconds S] FILE...   if the package is installed
    python verifier.py [--seconds S] FILE...          with this file alone and Python 3.10 or later

    from grundy.verifier import verify, Refused
    print(verify(open("kayles.json", "rb").read()))   # returns a Verdict or raises Refused

`-` is standard input. The exit status is

- 0 if every certificate is accepted;
- 1 if a certificate is rejected; the line of output gives the reason;
- 3 if none is rejected, but the check of one exceeds S seconds (default: 10) or the memory. Such a
  certificate is not accepted. The line of output gives the progress and the estimated rest;
- 2 if the arguments are wrong or a file cannot be read.

The claims, and why finitely many steps prove them
--------------------------------------------------
MATRIX. An entry of `matrix` is the payoff from the column player to the row player. The claim is
that the game has the value v, and that `row_strategy` p and `col_strategy` q are optimal. Checked:
p and q are probability vectors, every entry of p A is at least v, and every entry of A q is at most
v. Then p guarantees at least v against every strategy, and q loses at most v. Hence both are
optimal and v is the value.

PERIOD. In a family of heaps, g(n) is the mex of the values of the options of heap n: the least
number that is not among them. By Sprague and Grundy, the value of several heaps is the XOR of their
values. The claim is that g(n + p) = g(n) + s for all n >= n0, and that n0 and p are minimal.
`values` lists g(0), ..., g(n0 + p - 1).

n0 is minimal if it is 0 or the equation fails at n0 - 1. Suppose that q < p, with t in place of s,
is a period too. Both determine the growth rate of g, so t/q = s/p. Then d = gcd(p, q) is a period
with this rate for all large n. For every n >= n0, the difference g(n + d) - g(n) is the same at
n and at n + p. Hence d is a period from n0 onwards. So p is minimal if no proper divisor d of p is
a period with s d / p in place of s.

It remains to check the equation for n0 <= n < `end`, where all values are computed from the rules.
One of the following theorems gives `end`.

`splitting` (s = 0) is for a code with last digit d_k whose moves leave at most h heaps:
  end = h max(n0, 1) + (h - 1) p + k. With h = 2 it is called `guy_smith`. The proof is by induction
  on n >= end. Each option of n + p has a heap of at least (n + p - k)/h >= n0 + p chips. Removing p
  chips from it preserves the value and gives an option of n. Conversely, each option of n has a
  heap of at least (n - k)/h >= n0 chips. Adding p chips to it gives an option of n + p. Hence the
  options of n and of n + p have the same values.

`window` (s = 0) is for a finite set of numbers that may be taken, the largest of which is u:
  end = n0 + u. For n >= u, the value g(n) is a function of the u values before it. The u values
  before g(n0 + u) equal those before g(n0 + u + p).

`all_but` is for a finite list of numbers that may not be taken. Let u be the largest of them, or 0:
  end = n0 + p + 2u. Let M(n) be the number of values of the heaps below n. These values are
  0, ..., M(n) - 1, since a mex exceeds the values so far by at most one. A move from n reaches
  every heap below n - u. Hence g(n) is M(n) or *young*, that is, a value whose first heap is among
  the last u. The last u values minus M(n), and which of them are young, determine g(n) - M(n) and
  the same data for n + 1. So it suffices that these data agree at `end` and at end + p, and that
  M(end + p) = M(end) + s. (The computation skips values whose first heap is more than u below n,
  since every later heap reaches them.)

`sparse_window` (s = 0) is for a code whose moves leave at most two heaps. A *take* is a move that
  leaves at most one heap, a *break* one that leaves two. A value v is *rare at n* if the number of
  its bits under `mask` is even. If `position` is true, the rule is another: v is rare at n if this
  number has the parity of n - t. Here t is the number of chips that a break removes; all such t
  must have the same parity. A value that is not rare at n is *common at n*. A heap n >= 1 is rare
  if g(n) is rare at n, and common otherwise.

  Parities add. Hence the value of a break of n is common at n if exactly one of its two heaps is
  rare, and rare at n otherwise. So only takes, and breaks with a rare heap, reach values common at
  n. Let c be the least value common at n that they miss. Then g(n) is the least value below c, rare
  at n, that no option has; if there is none, g(n) = c. The computation uses this.

  The claim lists all rare heaps, the last of which is r, and states A = `reach` and n1 = `start`.
  Let W = max(r, A) + k, n1 > W + r and n1 >= n0. Checked:
  (a) the rare heaps below n1 + p are those listed;
  (b) for n1 <= n < n1 + p, each value below g(n) that is rare at n is the value of a take, of a
      break with a rare heap, or of a break with a heap of at most A;
  (c) g(n + p) = g(n) for n0 <= n < n1 and for the W heaps before n1; with `position`, p is even.

  The proof that g(n + p) = g(n), and that (b) holds at n + p, is by induction on n >= n1. A move
  named in (b) leaves at most one heap of size at most max(r, A), and one heap at most W smaller
  than the heap moved in. Hence these moves of n and of n + p correspond and have the same values.
  The same values are common at both, so c is the same, and g(n) = c since heaps above r are common.
  At n + p the rare values below c are reached by the moves that reach them at n. Hence
  g(n + p) = c.

QUOTIENT. In misère play the player who makes the last move loses. The sums of heaps of a family are
given elements of a finite commutative monoid. Heap n has the element `elements`[n - 1], and the
element of a sum is the product of those of its heaps. The claim is that a sum is a P-position if
and only if its element is in `p`. `products` is the multiplication table, with a row for each
element; element 0 is that of the empty sum. The *transition* of a sum X is its
element, together with the set of elements of its options. The transitions of X and of heap n
determine that of X + n. Checked:

- `products` is a commutative monoid (by F. W. Light: (x g) y = x (g y) for the elements g of
  heaps), generated by the elements of heaps;
- `transitions` contains the transition of the empty sum, with each transition also those after
  adding one heap, and no others;
- in each transition, the element is in `p` if and only if there are options and none is in `p`.

By induction on the longest play the claim holds for every sum. It is also checked that any two
elements x and y differ: for some z, exactly one of x z and y z is in `p`. So no smaller monoid
suffices.

With `period` p from `preperiod` n0 on, for moves that take at most k chips and leave at most h
heaps, periodicity is checked up to heap h (n0 + p) + k. For n >= h n0 + (h - 1) p + k, each option
of n + p has a heap of at least n0 + p chips, whose element is that of p chips less; the converse is
as above. So heaps n and n + p have options with the same elements, and no new transition ever
occurs (T. E. Plambeck and A. N. Siegel, 2008).

LABELS. `options` lists the options of each position 0, 1, ...; play may be infinite. In `labels`,
N3 is a win in 3 moves for the player to move, and P2 a loss in 2, if the winner hurries and the
loser delays. D is a draw. A position without options is P0 in normal play and N0 in misère play.
Checked for every other position:
(N) one option is lost, and the number is one more than that of the quickest such option; or
(P) all options are won, and the number is one more than that of the slowest; or
(D) no option is lost, and one is drawn.
By induction on r, the labels of wins and losses in r moves are right. In a position labelled D, the
player to move has an option labelled D. So each player can avoid a loss.

`values` is optional and for normal play. A value is a number m or an infinity with a set of
numbers. In every sum, a position of value m can be replaced by a Nim heap of size m. `places` has
the rank of each position in an order for (2). Checked:
(1) a number m is the least number that is not the value of an option;
(2) each option that is infinite, or whose number exceeds m, has itself an option of value m. The
    place of that option is before the place of the position;
(3) the set of an infinity has the numbers that are values of its options. If m is the least number
    not in it, one option is an infinity whose set does not contain m.

(C. A. B. Smith, 1966; A. S. Fraenkel and Y. Perl, 1975). The certificate does not claim that the
options are the moves of some game.

docs/theory.md has these proofs in more detail. A family is written `kayles(n)` (with any name for
n), `take_and_break("0.137", n)`, `subtraction([1, 3, 4], n)` or `all_but([2], n)`.
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

NAMED_CODES = dict(kayles="0.77", dawsons_chess="0.137", dawsons_kayles="0.07", treblecross="0.007", officers="0.6")
# Families whose rules are not implemented here. For their quotients, the monoid is checked, and
# that each listed transition agrees with `p`, but not that the transitions follow from the rules.
UNSUPPORTED = ("laskers_nim", "grundys_game")
# Limits, so that a hostile certificate cannot exhaust the memory: bytes of a file, nesting of
# brackets, digits of a fraction;
MOST_BYTES, MOST_NESTED, MOST_DIGITS = 256 << 20, 127, 50_000
# bits of a common denominator, and of all fractions of a row written over it;
MOST_BITS, MOST_BITS_IN_ROW = 1 << 20, 1 << 31
MOST_CLASSED = 1 << 16  # values that are classified as rare or common;
MOST_FAMILY, MOST_CODE = 1 << 20, 10_000  # characters of a family, digits of a code.
# The grammar of numbers, described in docs/proofs.md: ASCII digits, without surrounding spaces.
POSITIVE = "[1-9][0-9]*"
NATURAL = f"0|{POSITIVE}"
LIST = f"\\[ *(?:{POSITIVE} *(?:, *{POSITIVE} *)*(?:, *)?)?\\]"
FRACTION = f"(-?(?:{NATURAL}))(?:/({POSITIVE}))?"
PERIOD_KEYS = "kind family preperiod period saltus theorem "
KEYS = {"values": PERIOD_KEYS + "values", "window": PERIOD_KEYS + "mask position rares reach start"}
KEYS["matrix"] = "kind value row_strategy col_strategy matrix"
KEYS["labels"] = "kind play positions options labels values places"
KEYS["quotient"] = "kind family preperiod period pieces products p elements transitions"

Claim = dict[str, Any]


class Refused(Exception):
    """The certificate is false or malformed; the text is a reason of one line."""


class OutOfTime(Exception):
    """The time limit was reached; the text has the progress and an estimate of the time left."""


@dataclass(frozen=True)
class Verdict:
    """The result of a verification that found no error: accepted, or checked only in part."""

    claim: str
    accepted: bool
    checked: str

    def __bool__(self) -> bool:
        return self.accepted

    def __str__(self) -> str:
        return f"accepted: {self.claim} ({self.checked})" if self.accepted else f"{self.checked} (claim: {self.claim})"


class Clock:
    def __init__(self, seconds: float) -> None:
        self.started, self.seconds = time.monotonic(), seconds

    def check(self, what: str, done: int, total: int, power: int = 1) -> None:
        """Raise `OutOfTime` if the time limit has passed before step `done` of `total`.

        The estimate of the remaining time assumes that n steps take time proportional to n^power.
        """
        elapsed = time.monotonic() - self.started
        if elapsed > self.seconds:
            remaining = elapsed * ((total / max(done, 1)) ** power - 1)
            units = dict(seconds=1, minutes=60, hours=3600, days=86_400)
            unit = next((name for name, length in units.items() if remaining < 120 * length), "years")
            about = f"{remaining / units.get(unit, 31_557_600):.3g} {unit}"
            raise OutOfTime(f"checked up to {what} = {done} of {total}; the rest would take about {about}")


def require(condition: object, otherwise: str) -> None:
    if not condition:
        raise Refused(otherwise)


def abbreviated(value: object) -> str:
    """Return a value as one line of ASCII, shortened if it is long."""
    line = ascii(value)[1:-1] if isinstance(value, str) else f"a {type(value).__name__}"
    return line if len(line) <= 80 else f"{line[:60]}...{line[-10:]}"


def verify(certificate: Claim | str | bytes, seconds: float = 10.0) -> Verdict:
    """Verify a certificate, given as JSON in text or bytes, or as a dictionary.

    Raises:
        Refused: The certificate is false or malformed.
    """
    claim = certificate if isinstance(certificate, dict) else read(certificate)
    kind = str(claim.get("kind")) if isinstance(claim, dict) else ""
    checks = dict(period=check_period, matrix=check_matrix, quotient=check_quotient, labels=check_labels)
    require(kind in checks, "unknown kind of certificate")
    window = kind == "period" and claim.get("theorem") == "sparse_window"
    key_list = kind if kind in KEYS else "window" if window else "values"
    # An unknown key could be a claim that is not checked, so it is rejected.
    for key in claim:
        require(key in KEYS[key_list].split(), f"unknown key `{abbreviated(key)}` for this kind of certificate")
    try:
        checked, accepted = checks[kind](claim, Clock(seconds)), True
    except OutOfTime as stop:
        checked, accepted = str(stop), False
    return Verdict(claim_text(claim), accepted, checked)


def claim_text(claim: Claim) -> str:
    if claim["kind"] == "matrix":
        return f"the matrix game has value {abbreviated(claim['value'])} and both strategies are optimal"
    if claim["kind"] == "quotient":
        family, order, losing = abbreviated(claim["family"]), len(claim["products"]), len(claim["p"])
        few = f"{len(claim['elements'])} pieces" if claim.get("pieces") else f"heaps up to {len(claim['elements'])}"
        of = "heaps of every size" if claim.get("period") else few
        return f"the misere quotient of {family}, {of}, has {order} elements, {losing} of them P-elements"
    if claim["kind"] == "labels":
        values = "" if claim.get("values") is None else " and values"
        return f"the labels{values} of {len(claim['labels'])} positions in {claim['play']} play"
    family, n0, p, s = abbreviated(claim["family"]), claim["preperiod"], claim["period"], claim["saltus"]
    saltus, plus = (f" with saltus {s}", f" + {s}") if s else ("", "")
    found = f"preperiod {n0} and period {p}{saltus}"
    return f"{family} has {found}: g(n + {p}) = g(n){plus} for n >= {n0}; both are minimal"


# Parsing. Duplicate keys are rejected, since JSON parsers differ in the value that they keep. So
# another parser could read a claim that differs from the one verified.
def read(data: str | bytes) -> Any:
    require(len(data) <= MOST_BYTES, "the file is longer than 256 MiB")
    try:
        text = data if isinstance(data, str) else bytes(data).decode()
        # The depth of nesting is limited before `json` parses the text, since `json` is recursive.
        # Brackets in strings do not count, so the strings are removed.
        bare = re.sub('"[^"]*"?', "", text.replace("\\\\", "").replace('\\"', ""))
        depths = accumulate(1 if bracket[0] in "[{" else -1 for bracket in re.finditer(r"[][{}]", bare))
        require(all(depth <= MOST_NESTED for depth in depths), "brackets are nested too deep")
        return json.loads(
            text, object_pairs_hook=unique_keys, parse_int=numeral, parse_float=numeral, parse_constant=numeral
        )
    except ValueError as error:
        raise Refused(f"the file is not JSON in UTF-8: {error}") from None


def unique_keys(pairs: list[tuple[str, Any]]) -> Claim:
    keys: set[str] = set()
    for key, _ in pairs:
        require(key not in keys, f"duplicate key `{abbreviated(key)}`")
        keys.add(key)
    return dict(pairs)


# Numbers. `int()` and `Fraction()` accept more spellings than the grammar, such as `1_000` and
# other digits of Unicode. So only texts that match the grammar may reach them.
def numeral(text: str) -> int | float:
    if len(text) <= 20 and re.fullmatch(NATURAL, text):
        return int(text)
    require(math.isfinite(float(text)), f"the number {abbreviated(text)} is not finite")
    return float(text)


def number(claim: Claim, key: str) -> int:
    return numbers({key: [claim.get(key)]}, key)[0]


def numbers(claim: Claim, key: str) -> list[int]:
    found: Any = claim.get(key)
    require(isinstance(found, list), f"`{key}` is not a list")
    fits = all(type(value) is int and 0 <= value < 1 << 64 for value in found)
    require(fits, f"`{key}`: expected only integers from 0 to 2^64 - 1")
    return list(found)


def are_distinct_texts(found: Any, length: int) -> bool:
    """Return whether `found` is a list of `length` distinct texts without unpaired surrogates."""
    are_texts = isinstance(found, list) and all(
        isinstance(text, str) and not re.search("[\ud800-\udfff]", text) for text in found
    )
    return are_texts and len(found) == len({*found}) == length


# Matrix games.
def check_matrix(claim: Claim, clock: Clock) -> str:
    value, rows = fraction(claim.get("value"), "value"), claim.get("matrix", [])
    sizes = {len(row) if isinstance(row, list) else 0 for row in rows} if isinstance(rows, list) else {0}
    require(len(sizes) == 1 and 0 not in sizes, "`matrix` is empty or not a rectangle")
    p, total_p = strategy(claim.get("row_strategy"), "row_strategy", len(rows), clock)
    q, total_q = strategy(claim.get("col_strategy"), "col_strategy", max(sizes), clock)
    # All comparisons are between integers: `p` and `q` are numerators over `total_p` and `total_q`.
    # `paid` has the expected payment of each column times `total_p` and `common`.
    paid, common = [0] * len(q), 1
    for i, row in enumerate(rows):
        entries, scale = over_common_denominator(row, "matrix", clock, i, len(rows))
        won = sum(map(mul, entries, q))
        require(won <= value * scale * total_q, f"row {i} wins more than `value` against `col_strategy`")
        if p[i]:
            before, common = common, common_multiple(common, scale, len(q))
            paid = [sum_ * (common // before) + entry * p[i] * (common // scale) for sum_, entry in zip(paid, entries)]
    for j, sum_ in enumerate(paid):
        require(sum_ >= value * common * total_p, f"column {j} pays less than `value` against `row_strategy`")
    return f"{len(p)} rows and {len(q)} columns compared with the value"


def strategy(texts: Any, key: str, length: int, clock: Clock) -> tuple[list[int], int]:
    require(isinstance(texts, list) and len(texts) == length, f"`{key}` is not a list of {length} probabilities")
    parts, total = over_common_denominator(texts, key, clock)
    require(min(parts) >= 0, f"`{key}` has a negative probability")
    require(sum(parts) == total, f"the probabilities of `{key}` do not add up to 1")
    return parts, total


def over_common_denominator(
    texts: list[Any], key: str, clock: Clock, row: int = 0, rows: int = 1
) -> tuple[list[int], int]:
    """Return the numerators of fractions over a common denominator, and this denominator."""
    fractions, common = [], 1
    for index, text in enumerate(texts):
        clock.check(f"`{key}` entry", row * len(texts) + index, rows * len(texts))
        fractions.append(fraction(text, key))
        common = common_multiple(common, fractions[-1].denominator, len(texts))
    return [one.numerator * (common // one.denominator) for one in fractions], common


def fraction(text: Any, key: str) -> Fraction:
    parts = re.fullmatch(FRACTION, text) if isinstance(text, str) and len(text) <= MOST_DIGITS else None
    if not parts:
        raise Refused(f"`{key}`: expected a fraction in quotes, found {abbreviated(text)}")
    # `int` rejects texts of more than 4300 digits, `Decimal` does not.
    return Fraction(*(int(Decimal(part)) for part in (parts[1], parts[2] or "1")))


def common_multiple(one: int, other: int, length: int) -> int:
    common = math.lcm(one, other) if one % other else one
    require(common.bit_length() <= min(MOST_BITS, MOST_BITS_IN_ROW // length), "the common denominator is too long")
    return common


# The rules of a family: "code" with its digits, "subtraction" with the numbers that may be taken,
# "all_but" with the numbers that may not, or "other" with an empty list.
def rules_of(family: object) -> tuple[str, list[int]]:
    written = family if isinstance(family, str) and len(family) <= MOST_FAMILY else ""
    call = re.fullmatch(r" *([a-z_]+) *\(([^()]*)\) *", written)
    name, inside = call.groups() if call else ("", "")
    first, comma, variable = (part.strip(" ") for part in inside.rstrip(" ").removesuffix(",").rpartition(","))
    named = re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", variable) and not iskeyword(variable) and variable != "load"
    require(named, f"`family` is not a game with one heap of variable size: {abbreviated(family)}")
    if name in NAMED_CODES and not comma:
        return "code", code(NAMED_CODES[name])
    if name == "take_and_break" and re.fullmatch("\"[^\"]*\"|'[^']*'", first):
        return "code", code(first[1:-1])
    if name == "subtraction" and re.fullmatch("\"[a-z0-9_]+\"|'[a-z0-9_]+'", first):
        return "other", []
    if name in UNSUPPORTED and not comma:
        return "other", []
    listed = re.fullmatch(LIST, first)
    parts = re.findall(POSITIVE, first)
    known = (name == "subtraction" and parts) or name == "all_but"
    require(known and listed, f"`family` is not a supported game of heaps: {abbreviated(family)}")
    fits = all(len(part) <= 20 and int(part) < 1 << 64 for part in parts)
    require(fits, "`family` has a number above 2^64 - 1")
    return name, sorted(set(map(int, parts)))


def code(text: str) -> list[int]:
    parts = re.fullmatch(r"(?=.?[^.])([048cC]?)(?:\.([0-9a-fA-F]*))?", text)
    if not parts or len(text) > MOST_CODE:
        raise Refused(f"`family` has no valid octal or hexadecimal code: {abbreviated(text)}")
    return [int(digit, 16) for digit in (parts[1] or "0") + (parts[2] or "").rstrip("0")]


# Values of heaps of increasing size.
class Values(list[int]):
    """The values g(0), g(1), ... so far, and the same values as bytes while all are below 128."""

    def __init__(self) -> None:
        super().__init__()
        self.row = bytearray()

    def add(self, value: int) -> None:
        if value < 128 and len(self.row) == len(self):
            self.row.append(value)
        self.append(value)

    def breaks(self, chips: int, first: int, last: int) -> bytes | set[int]:
        """Return the values g(a) XOR g(chips - a) for first <= a <= last.

        The result is a set, or bytes if all values are below 128. It is used only for membership.
        """
        last = max(last, first - 1)
        near, far = slice(first, last + 1), slice(chips - last, chips - first + 1)
        if len(self.row) < len(self):
            return set(map(xor, self[near], reversed(self[far])))
        # One XOR of two large integers combines all pairs at once, which is much faster than a
        # loop. Reading the second row in big-endian order reverses it.
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
    heaps: list[list[int]] = []  # heaps[v] lists the heaps of value v.
    settled = 0  # The values below this one are values of options of every later heap.

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


def by_parity_class(claim: Claim, digits: list[int], g: Values) -> tuple[int, int, Callable[[int], int]]:
    """Return n1, n1 - W, and a function that computes g(n), for the theorem `sparse_window`.

    The function raises `Refused` at a heap n that contradicts (a) or (b).
    """
    mask, reach, start, n0, p = (number(claim, key) for key in ("mask", "reach", "start", "preperiod", "period"))
    rares, position = numbers(claim, "rares"), claim.get("position")
    takes, breaks = ([take for take, digit in enumerate(digits) if digit & bit] for bit in (2, 4))
    last = rares[-1] if rares else 0
    window = max(last, reach) + len(digits) - 1
    require(type(position) is bool, "`position` is neither true nor false")
    require(all(map(lt, [0] + rares, rares)), "`rares` is not an ascending list of heaps of size at least 1")
    require(start > window + last and start >= n0, "`start` is too small for `rares`, `reach` and `preperiod`")
    one_parity = p % 2 == 0 and len({take % 2 for take in breaks}) == 1
    require(one_parity or not position, "`position` is for even periods and breaks with chips of one parity")
    even, odd = ([v for v in range(MOST_CLASSED) if (v & mask).bit_count() % 2 == parity] for parity in (0, 1))
    # For each break with a rare heap: the value of the rare heap, and the index of the other heap
    # counted from the end of `g`. This index does not change from n to n + 1.
    listed, rare_values, other_indices = set(rares), [], []

    def value(n: int) -> int:
        rare, common = (odd, even) if position and (n - breaks[0]) % 2 else (even, odd)
        reached = {g[n - take] for take in takewhile(n.__gt__, takes)}
        if n < len(digits) and digits[n] & 1:
            reached.add(0)
        # From this n on, a break leaves the rare heap `new` and a second heap that is not empty.
        for new in (n - take - 1 for take in breaks if n - take - 1 in listed):
            rare_values.append(g[new])
            other_indices.append(1 - n)
        reached.update(map(xor, rare_values, map(g.__getitem__, other_indices)))
        c = next(filterfalse(reached.__contains__, common), MOST_CLASSED)
        missed = list(filterfalse(reached.__contains__, takewhile(c.__gt__, rare)))
        # Takes and breaks with a rare heap miss few rare values. The other breaks are tried in
        # chunks of doubling size, from the smallest heaps on, until no rare value is missed. Below
        # `start` all breaks are tried; from `start` on, by (b), those with a heap of at most
        # `reach`.
        first, size, most = 1, 32, min(n if n < start else reach, (n - breaks[0]) // 2)
        while missed and first <= most:
            to = min(first + size - 1, most)
            found = set().union(*(g.breaks(n - take, first, min(to, (n - take) // 2)) for take in breaks))
            missed = [v for v in missed if v not in found]
            first, size = to + 1, 2 * size
        if missed and n >= start:
            raise Refused(f"heap {n} does not reach the rare value {missed[0]} as claimed")
        if n > 0 and bool(missed) != (n in listed):
            raise Refused(f"the list `rares` is wrong at heap {n}")
        require(missed or c < MOST_CLASSED, "a value is not below 2^16")
        return missed[0] if missed else c

    return start, start - window, value


# Quotients. A set of elements is an integer in which bit x stands for element x.
def check_quotient(claim: Claim, clock: Clock) -> str:
    rows, found = claim.get("products"), claim.get("transitions")
    require(isinstance(rows, list) and rows, "`products` is not a table")
    table = [numbers({"products": row}, "products") for row in rows or []]
    order = len(table)
    p, elements = numbers(claim, "p"), numbers(claim, "elements")
    well_formed = all(len(row) == order for row in table) and p == sorted(set(p))
    require(well_formed, "`products` is not square, or `p` is not in order")
    exist = all(x < order for row in [p, elements, *table] for x in row)
    require(exist, "reference to an element that does not exist")
    require(table[0] == list(range(order)), "element 0 is not the identity")
    generators = sorted(set(elements))
    for x, row in enumerate(table):
        clock.check("row of `products`", x, order)
        require(all(table[y][x] == z for y, z in enumerate(row)), f"multiplication by {x} is not commutative")
        for g in generators:
            require(table[row[g]] == [row[z] for z in table[g]], f"multiplication by {x} and {g} is not associative")
    reached, waiting = {0}, [0]
    while waiting:
        row = table[waiting.pop()]
        waiting += (new := {row[g] for g in generators} - reached)
        reached |= new
    require(len(reached) == order, "an element is not a product of elements of heaps")
    losing = set(p)
    distinguished = len({tuple(z in losing for z in row) for row in table}) == order
    require(distinguished, "two elements cannot be distinguished")
    listed = read_transitions(found, table, losing)
    pieces, repeats = claim.get("pieces"), (claim.get("preperiod"), claim.get("period")) != (None, None)
    if pieces is not None:
        require(
            are_distinct_texts(pieces, len(elements)),
            "`pieces` is not a list of distinct strings, one for each element",
        )
        require(are_distinct_texts([claim.get("family")], 1), "`family` is not a string")
        require(not repeats, "no theorem applies to the period of the elements")
    if pieces is not None or rules_of(claim.get("family"))[0] == "other":
        raise OutOfTime("the monoid was checked; the rules of these positions are not supported")
    heap_transitions, family = transitions_of_heaps(claim.get("family"), table, elements, clock)
    check_transitions(listed, table, heap_transitions, clock)
    if repeats:
        check_repetition(number(claim, "preperiod"), number(claim, "period"), elements, family)
    return f"{len(found or [])} transitions of {len(elements)} heaps checked against the rules"


def transitions_of_heaps(
    family: object, table: list[list[int]], elements: list[int], clock: Clock
) -> tuple[set[tuple[int, int]], tuple[int, int] | None]:
    """Return the transitions of the heaps, and two bounds on the moves if these are bounded.

    The bounds are the largest number of heaps that a move leaves, and of chips that it takes.
    """
    kind, rules = rules_of(family)
    one = [0, *elements]  # The element of each heap; heap 0 is the empty sum.
    heap_transitions = set()

    @cache
    def two(chips: int) -> set[int]:
        return {table[one[a]][one[chips - a]] for a in range(1, chips // 2 + 1)}

    for n in range(1, len(one)):
        clock.check("heap", n, len(one), 2)
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
        heap_transitions.add((one[n], sum(1 << x for x in options)))
    if kind == "code" and any(rules):
        return heap_transitions, (max([1] + [digit.bit_length() - 1 for digit in rules]), len(rules) - 1)
    return heap_transitions, (1, max(rules)) if kind == "subtraction" else None


def read_transitions(found: Any, table: list[list[int]], losing: set[int]) -> set[tuple[int, int]]:
    """Return the listed transitions, after checking that each agrees with the set `p`."""
    pairs = isinstance(found, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in found)
    require(pairs, "`transitions` is not a list of pairs")
    listed: set[tuple[int, int]] = set()
    lost = sum(1 << x for x in losing)
    for element, options in found:
        x = numbers({"transitions": [element]}, "transitions")[0]
        reached = numbers({"transitions": options}, "transitions")
        require(max([x, *reached]) < len(table) and reached == sorted(set(reached)), "a transition is not in order")
        transition = x, sum(1 << y for y in reached)
        wins = not transition[1] or bool(transition[1] & lost)
        require(wins == (x not in losing), f"a transition of element {x} does not hold")
        require(transition not in listed, "a transition is listed twice")
        listed.add(transition)
    return listed


def check_transitions(
    listed: set[tuple[int, int]], table: list[list[int]], heap_transitions: set[tuple[int, int]], clock: Clock
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
        clock.check("transition", len(seen) - len(waiting), len(listed))
        element, options = waiting.pop()
        for other, of_other in heap_transitions:
            new = table[element][other], times(options, other) | times(of_other, element)
            require(new in listed, f"a transition of element {new[0]} occurs but is not listed")
            if new not in seen:
                seen.add(new)
                waiting.append(new)
    require((0, 0) in listed and len(seen) == len(listed), "a transition is listed that does not occur")


def check_repetition(n0: int, p: int, elements: list[int], family: tuple[int, int] | None) -> None:
    if not family or n0 == 0 or p == 0:
        raise Refused("no theorem applies to the period of the elements")
    heaps, taken = family
    require(len(elements) >= heaps * (n0 + p) + taken, "too few heaps for the periodicity theorem")
    require(elements[n0 - 1 : -p] == elements[n0 - 1 + p :], "the elements do not repeat as claimed")
    require(n0 == 1 or elements[n0 - 2] != elements[n0 - 2 + p], "the period already holds from an earlier heap")
    smaller = (q for q in range(1, p) if p % q == 0 and elements[n0 - 1 : -q] == elements[n0 - 1 + q :])
    require(next(smaller, None) is None, "a smaller period holds")


# Labels.
def check_labels(claim: Claim, clock: Clock) -> str:
    play, rows, names, written = (claim.get(key) for key in ("play", "options", "positions", "labels"))
    require(play in ("normal", "misere"), "`play` is neither normal nor misere")
    require(isinstance(rows, list), "`options` is not a list")
    options = [numbers({"options": row}, "options") for row in rows or []]
    require(all(o < len(options) for row in options for o in row), "reference to an option that does not exist")
    if names is not None:
        require(are_distinct_texts(names, len(options)), "`positions` is not a list of distinct names")
    fits = isinstance(written, list) and len(written) == len(options)
    require(fits, "`labels` is not a list with one entry for each position")
    labels = [read_label(text) for text in written or []]
    for v, row in enumerate(options):
        clock.check("position", v, len(options))
        lost, won = ([labels[o][1] for o in row if labels[o][0] == letter] for letter in "PN")
        if not row:
            expected = ("P" if play == "normal" else "N", 0)
        elif lost:
            expected = ("N", min(lost) + 1)
        else:
            expected = ("P", max(won) + 1) if len(won) == len(row) else ("D", 0)
        require(labels[v] == expected, f"the label of position {v} does not follow from its options")
    if claim.get("values") is not None or claim.get("places") is not None:
        require(play == "normal", "`values` require normal play")
        check_values(claim.get("values"), numbers(claim, "places"), options, clock)
    return f"{sum(map(len, options))} moves checked"


def read_label(text: object) -> tuple[str, int]:
    parts = re.fullmatch("([NP])(0|[1-9][0-9]{0,19})|D", text) if isinstance(text, str) else None
    if not parts:
        raise Refused(f"`labels` has the invalid entry {abbreviated(text)}")
    return (parts[1], int(parts[2])) if parts[1] else ("D", 0)


def check_values(written: Any, places: list[int], options: list[list[int]], clock: Clock) -> None:
    fits = isinstance(written, list) and len(written) == len(places) == len(options)
    require(fits, "`values` or `places` is not a list with one entry for each position")
    finite: list[int | None] = []
    infinite: list[set[int]] = []
    for value in written:
        listed = value.get("infinity") if isinstance(value, dict) and len(value) == 1 else [value]
        members = numbers({"values": listed}, "values")
        require(all(map(lt, members, members[1:])), "`values` has a set that is not in order")
        finite.append(None if isinstance(value, dict) else members[0])
        infinite.append({*members})
    for v, row in enumerate(options):
        clock.check("the value of position", v, len(options))
        found = {finite[o] for o in row} - {None}
        least = next(m for m in count() if m not in found)
        if finite[v] is None:
            correct = infinite[v] == found and any(finite[o] is None and least not in infinite[o] for o in row)
        else:
            m, place = finite[v], places[v]
            others = (o for o in row if (value := finite[o]) is None or value > least)
            correct = m == least and all(any(finite[w] == m and places[w] < place for w in options[o]) for o in others)
        require(correct, f"the value of position {v} does not follow from its options")


# Periods.
def check_period(claim: Claim, clock: Clock) -> str:
    kind, rules = rules_of(claim.get("family"))
    n0, p, s = (number(claim, key) for key in ("preperiod", "period", "saltus"))
    require(p > 0, "`period` is 0")
    k, heaps = len(rules) - 1, max([1] + [digit.bit_length() - 1 for digit in rules])  # of a code
    u = max(rules, default=0)  # of a list
    of_code = ["guy_smith", "sparse_window"] if heaps == 2 else ["splitting"]
    require(kind != "other", f"no periodicity theorem applies to `family`: {abbreviated(claim['family'])}")
    theorem, theorems = claim.get("theorem"), {"code": of_code, "subtraction": ["window"], "all_but": ["all_but"]}
    applies = theorem in theorems[kind] and (s == 0 or kind == "all_but")
    require(applies, f"`theorem` {abbreviated(theorem)} does not apply to these rules and this saltus")
    values = [] if theorem == "sparse_window" else numbers(claim, "values")
    fits_values = theorem == "sparse_window" or len(values) == n0 + p
    require(fits_values, f"`values` has {len(values)} entries, not `preperiod` + `period`")
    g, start, power = Values(), n0, 1
    if theorem == "sparse_window":
        end, start, value = by_parity_class(claim, rules, g)
    elif kind == "code":
        end, value, power = heaps * max(n0, 1) + (heaps - 1) * p + k, by_code(rules, g), min(heaps, 2)
    elif kind == "subtraction":
        end, value = n0 + u, lambda n: mex({g[n - take] for take in takewhile(n.__ge__, rules)})
    else:
        end, value = n0 + p + 2 * u, by_exclusion(rules, g)
    for n in range(end + p):
        clock.check("n", n, end + p, power)
        g.add(value(n))
        if n < len(values) and g[n] != values[n]:
            raise Refused(f"the value of heap {n} is {g[n]}, not {values[n]}")
    for n in range(min(n0, start), end):
        if g[n + p] != g[n] + s:
            raise Refused(f"the values do not repeat at heap {n}")
    if theorem == "all_but":
        (data, used), (later, then_used) = state(g, end, u), state(g, end + p, u)
        require(
            data == later and then_used == used + s,
            "the data on which all later values depend are not the same one period later",
        )
    require(n0 == 0 or g[n0 - 1 + p] != g[n0 - 1] + s, "the period already holds from an earlier heap")
    for q in range(1, p // 2 + 1):
        # If q divides p, the last q of these equations follow from the others and from the period
        # p.
        if p % q == 0 and s * q % p == 0 and all(g[n + q] == g[n] + s * q // p for n in range(n0, n0 + p - q)):
            raise Refused(f"a smaller period holds: {q}")
    return f"by the theorem `{theorem}` from {len(g)} values"


def state(g: list[int], end: int, u: int) -> tuple[list[tuple[int, bool]], int]:
    """Return the data of `all_but` at `end`, and M(end)."""
    first: dict[int, int] = {}
    for n, value in enumerate(g[:end]):
        first.setdefault(value, n)
    return [(value - len(first), first[value] >= end - u) for value in g[end - u : end]], len(first)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Checks certificates of grundy from the rules of the games alone.")
    parser.add_argument("--seconds", type=float, default=10.0, help="time limit for each file, in seconds [10]")
    parser.add_argument("files", metavar="FILE", nargs="+", help="a certificate; - is standard input")
    options, statuses = parser.parse_args(arguments), set()
    for name in options.files:
        try:
            with open(0 if name == "-" else name, "rb", closefd=name != "-") as file:
                verdict = verify(file.read(MOST_BYTES + 1), options.seconds)
            status, line = 0 if verdict.accepted else 3, str(verdict)
        except Refused as error:
            status, line = 1, f"refused: {error}"
        except MemoryError:
            status, line = 3, "not checked: out of memory"
        except OSError as error:
            status, line = 2, f"cannot read the file: {error.strerror}"
        line = f"{abbreviated(name)}: {line}" if len(options.files) > 1 else line
        print(line, file=sys.stderr if status == 2 else sys.stdout)
        statuses.add(status)
    return next(status for status in (2, 1, 3, 0) if status in statuses)


if __name__ == "__main__":
    sys.exit(main())
