"""Tests of rules written as Python functions."""

from __future__ import annotations

import pickle
import signal
import threading
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

import grundy


@grundy.game
def squares(n: int) -> list[int]:
    return [n - k * k for k in range(1, n + 1) if k * k <= n]


@grundy.game
def kayles(n: int) -> list[Any]:
    ones = [grundy.sum_of([a, n - 1 - a]) for a in range(n)]
    return ones + [grundy.sum_of([a, n - 2 - a]) for a in range(n - 1)]


def test_the_same_rules_as_a_file_and_as_a_function(root: Any) -> None:
    file = grundy.rule_file(root / "examples" / "rules" / "squares.star")
    for n in range(60):
        assert squares(n).grundy == file.game("moves", n).grundy
    namespace: dict[str, Any] = {"sum_of": grundy.sum_of, "literal": grundy.literal}
    for path in sorted((root / "examples" / "rules").glob("*.star")):
        source = path.read_text(encoding="utf-8")
        scope = dict(namespace)
        exec(source, scope)
        file = grundy.rule_file(path)
        if "left" in scope and "right" in scope:
            rule = grundy.game(left=scope["left"], right=scope["right"])
            name = "rules"
        else:
            rule = grundy.game(scope["moves"], value=scope.get("value"))
            name = "moves"
        for start in STARTS.get(path.stem, []):
            theirs, mine = file.game(name, start), rule(start)
            assert mine.outcome == theirs.outcome, (path.stem, start)
            assert mine.misere.outcome == theirs.misere.outcome, (path.stem, start)
            assert mine.grundy == theirs.grundy, (path.stem, start)


# The rule files whose source is valid Python too. Others use Starlark features such as
# `string.elems`.
STARTS: dict[str, list[Any]] = {
    "chomp": [(3, 2), (4, 4, 1)],
    "corridor": list(range(1, 9)),
    "dawsons_chess": list(range(12)),
    "kayles": list(range(12)),
    "nim_with_a_pass": [((1, 2, 3), 1), ((2, 2), 0), ((1, 4), 1)],
    "silver_dollar": [(1, 3, 7, 8), (2, 5)],
    "squares": list(range(30)),
    "tic_tac_toe": ["XXOOOXX..", "X.O.X.O.."],
    "wythoff": [(1, 2), (3, 5), (4, 4)],
}


def test_values_agree_with_the_library() -> None:
    for n in range(30):
        assert kayles(n).grundy == grundy.kayles(n).grundy
    table = grundy.table(kayles, n=range(30))
    assert table.grundy.tolist() == grundy.sequence("0.77", 30).tolist()


def test_moves_lead_to_finished_values() -> None:
    def points(n: int) -> Any:
        return grundy.value(grundy.literal(str(n)))

    corridor = grundy.game(
        left=lambda n: [("close", points(n - 1))] if n > 1 else [],
        right=lambda n: [("push", n - 1)] if n > 1 else [],
    )
    for n in range(1, 8):
        assert grundy.value(corridor(n), cool=1).value == str(n - 2 + Fraction(1, 2 ** (n - 1)))
    assert str(grundy.value(corridor(3))) == "{2||1|0}"
    assert [str(move.to) for move in corridor(3).moves("left")] == ['literal("2")']
    # Sums of a position of the game with several values, some of them hot.
    mixed = grundy.game(
        left=lambda n: [grundy.sum_of([n - 1, grundy.literal("{1|-1}"), grundy.value("nim(1)")])] if n else [],
        right=lambda n: [grundy.literal("^") + grundy.literal("-1")] if n else [],
    )
    assert str(grundy.value(mixed(1))) == str(grundy.value('literal("{{1|-1} + *|^ - 1}")'))
    assert str(grundy.value(-mixed(1))) == str(grundy.value('literal("{1 - ^|{1|-1} + *}")'))
    impartial = grundy.game(lambda n: [grundy.literal("1")])
    with pytest.raises(grundy.GrundyError, match="partizan"):
        impartial(1).solve()
    with pytest.raises(TypeError, match="terms must all be positions"):
        grundy.sum_of([1, grundy.nim(2)])


def test_sums_with_built_in_games() -> None:
    g = squares(20) + grundy.nim(3) + kayles(5)
    assert str(g) == "game(squares, 20) + nim(3) + game(kayles, 5)"
    assert g.grundy == squares(20).grundy ^ 3 ^ kayles(5).grundy
    assert pickle.loads(pickle.dumps(g)) == g
    assert pickle.loads(pickle.dumps(squares)) is squares
    assert g.terms[0].start == 20
    assert {squares(20): 1}[squares(20)] == 1
    assert squares(20) != kayles(20)


@dataclass(frozen=True)
class Heaps:
    small: int
    large: int


@grundy.game
def wythoff(p: Heaps) -> list[tuple[str, Heaps]]:
    found = []
    for k in range(1, p.large + 1):
        found.append((f"{k} from the large", order(p.small, p.large - k)))
    for k in range(1, p.small + 1):
        found.append((f"{k} from the small", order(p.small - k, p.large)))
        found.append((f"{k} from both", order(p.small - k, p.large - k)))
    return found


def order(a: int, b: int) -> Heaps:
    return Heaps(min(a, b), max(a, b))


def test_any_hashable_object_is_a_position() -> None:
    for a in range(6):
        for b in range(a, 8):
            g = wythoff(Heaps(a, b))
            assert g.grundy == grundy.wythoff(a, b).grundy
    g = wythoff(Heaps(1, 2))
    assert g.start == Heaps(1, 2)
    assert g.outcome == "P"
    assert str(g) == "game(wythoff, Heaps(small=1, large=2))"
    assert pickle.loads(pickle.dumps(g)) == g
    assert wythoff(Heaps(3, 5)).moves()[0].move == "1 from the large"
    sets = grundy.game(lambda s: [s - {x} for x in sorted(s)])
    assert sets(frozenset({1, 2, 3})).grundy == 1
    large = grundy.game(lambda n: [n // 3] if n else [])
    assert large(3**100).outcome == "N"
    nothing = grundy.game(lambda p: [None] if p is not None else [])
    assert nothing("x").outcome == "N"


def test_partizan_games_and_ties() -> None:
    @grundy.game(value=lambda p: "tie" if len(p) == 2 else "lose")
    def words(p: str) -> list[str]:
        return [p + "a", p + "b"] if len(p) < 2 else []

    assert words("").outcome == "tie"
    own = grundy.game(left=lambda n: [n - 1] if n > 0 else [], right=lambda n: [n + 1] if n < 0 else [])
    assert [own(n).outcome for n in (-1, 0, 1)] == ["R", "P", "L"]
    assert own(2).winning_moves()["left"][0].to == "game(rules, 1)"
    both = own(2) + grundy.nim(1)
    assert both.outcome == "L"
    with pytest.raises(TypeError):
        grundy.game(left=lambda n: [], right=lambda n: [], value=lambda n: 1)


class Broken(Exception):
    pass


def test_exceptions_are_reraised_unchanged() -> None:
    @grundy.game
    def broken(n: int) -> list[int]:
        if n == 3:
            raise Broken("three")
        return [n - 1] if n else []

    assert broken(2).outcome == "P"
    with pytest.raises(Broken, match="three") as told:
        broken(5).solve()
    frames = []
    trace = told.value.__traceback__
    while trace is not None:
        frames.append(trace.tb_frame.f_code.co_name)
        trace = trace.tb_next
    assert frames[-1] == "broken"
    for ask in (broken(5).explain, lambda: grundy.label(broken(5)), lambda: grundy.solve_many([broken(5)])):
        with pytest.raises(Broken):
            ask()
    with pytest.raises(Broken):
        grundy.table(broken, n=range(5))

    @grundy.game
    def generator(n: int) -> Any:
        yield n - 1
        raise Broken("later")

    with pytest.raises(Broken, match="later"):
        generator(3).outcome


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        (3, "expected a list of positions"),
        ("ab", "expected a list of positions"),
        (None, "expected a list of positions"),
        ({"a": 1}, "expected a list of positions"),
        ({1, 2}, "in a fixed order"),
        ([{}], "hashable"),
        ([[object()]], "use a tuple"),
        ([("label", {})], "hashable"),
    ],
)
def test_results_of_rules_are_validated(returned: Any, said: str) -> None:
    rule = grundy.game(lambda n: returned)
    with pytest.raises(grundy.GrundyError, match=said) as told:
        rule(1).solve()
    assert told.value.kind in ("type", "range")


def test_deep_and_endless_rules() -> None:
    deep: Any = 0
    for _ in range(100_000):
        deep = (deep,)
    with pytest.raises(grundy.GrundyError, match="nested"):
        grundy.game(lambda p: [])(deep)
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(grundy.GrundyError, match="nested"):
        grundy.game(lambda p: [])(loop)
    endless = grundy.game(lambda n: [n + 1])
    with pytest.raises(grundy.LimitError):
        endless(0).solve(timeout=0.2)
    with grundy.limits(positions=1000), pytest.raises(grundy.LimitError):
        endless(0).solve()


def test_a_rule_may_query_the_engine() -> None:
    @grundy.game
    def clever(n: int) -> list[int]:
        return [m for m in range(n) if grundy.nim(m).grundy == m]

    assert clever(6).grundy == 6


def test_eight_threads_share_one_rule() -> None:
    answers: list[list[int]] = []

    def work() -> None:
        answers.append([squares(n).grundy for n in range(120)])  # type: ignore[misc]

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = [grundy.subtraction("squares", n).grundy for n in range(120)]
    assert answers == [expected] * 8


def test_long_computations_release_the_interpreter_lock() -> None:
    counted = 0
    done = threading.Event()

    def work() -> None:
        with pytest.raises(grundy.LimitError):
            grundy.domineering(["......"] * 7).solve(timeout=0.5)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 20


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers")
@pytest.mark.parametrize(
    "ask",
    [
        lambda: grundy.domineering(["........"] * 8).outcome,
        lambda: grundy.game(lambda n: [n + 1])(0).outcome,
        lambda: grundy.solve_many([grundy.domineering(["........"] * 8)] * 3),
        lambda: grundy.sequence("0.07", 1 << 38),
        lambda: grundy.label(grundy.nim(200, 200, 200, 200)),
    ],
)
def test_an_interrupt_stops_a_search(ask: Any) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupted)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            ask()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert grundy.nim(3).outcome == "N"


def test_a_player_wins_endless_play() -> None:
    @grundy.game(endless="left")
    def ring(n: int) -> list[int]:
        return {0: [1], 1: [0, 2], 2: [3], 3: []}[n]

    # Left keeps to the ring, and Right cannot force the end of play.
    assert ring(0).outcome == "L"
    assert (-ring(0)).outcome == "R"
    with pytest.raises(ValueError, match="expected"):
        grundy.game(lambda n: [], endless="both")
    with pytest.raises(ValueError, match="value"):
        grundy.game(lambda n: [], value=lambda n: "tie", endless="left")


def test_the_period_of_a_rule_is_observed() -> None:
    @grundy.game
    def take(n: int) -> list[int]:
        return [n - k for k in (1, 3, 4) if k <= n]

    found = grundy.period(take)
    assert (found.preperiod, found.period, found.status) == (0, 7, "observed")
    assert found.certificate is None
    file = grundy.RuleFile("def moves(n): return [n - k for k in range(1, n + 1) if k % 2 == 1]")
    found = grundy.period("game(moves, n)", rules=file)
    assert (found.period, found.status, found.recognised_as) == (2, "observed", None)


def test_the_period_of_a_recognised_rule_is_proved() -> None:
    file = grundy.RuleFile("def moves(n): return [n - k for k in (2, 3) if k <= n]")
    found = grundy.period("game(moves, n)", rules=file)
    assert (found.period, found.status, found.recognised_as) == (5, "proved", "subtraction([2, 3], n)")
    assert found.certificate is not None
    assert grundy.verify(found.certificate).valid
    assert found.svg is not None
    assert grundy.period("game(moves, n)", rules=file, play="misere").recognised_as == found.recognised_as

    lists = grundy.RuleFile("few = [4, 1, 3]")
    found = grundy.period("subtraction(few, n)", rules=lists)
    assert (found.period, found.status, found.recognised_as) == (7, "proved", "subtraction([1, 3, 4], n)")

    # Rules in Python have precedence over those of a file, and nothing is known about them.
    @grundy.game
    def moves(n: int) -> list[int]:
        return [n - k for k in (1, 2) if k <= n]

    named = grundy.period("game(moves, n)", rules={"moves": moves})
    assert (named.period, named.status) == (3, "observed")
    table = grundy.table("game(moves, n)", rules=file, n=range(41), pattern=True)
    assert any("proved" in str(finding) or "theorem" in str(finding) for finding in table.findings)


def test_tables_of_remotenesses() -> None:
    @grundy.game
    def take(n: int) -> list[int]:
        return [n - k for k in (1, 2) if k <= n]

    table = grundy.table(take, n=range(7), of="remoteness")
    assert table.remoteness == [0, 1, 1, 2, 3, 3, 4]
    assert list(table.outcome) == ["P", "N", "N", "P", "N", "N", "P"]
    with pytest.raises(AttributeError, match="remoteness"):
        grundy.table(take, n=range(3)).remoteness


def test_a_set_is_a_callable_or_any_iterable() -> None:
    def allowed(k: int) -> bool:
        return k % 3 == 1

    values: list[int] = []
    for n in range(21):
        options = {values[n - k] for k in range(1, n + 1) if allowed(k)}
        values.append(min(set(range(len(options) + 1)) - options))
    for n in range(21):
        listed = [k for k in range(1, 22) if allowed(k)]
        for take in (allowed, lambda k: k % 3 == 1, listed, set(listed), (k for k in listed), range(1, 22, 3)):
            assert grundy.subtraction(take, n).solve().grundy == values[n]
        assert grundy.subtraction("3*k - 2", n).solve().grundy == values[n]
    assert str(grundy.subtraction(allowed, 5)) == "subtraction(allowed, 5)"
    others = grundy.all_but(lambda k: k % 3 != 1, 20)
    assert others.solve().grundy == values[20]


def test_an_exception_of_a_set_is_raised_again() -> None:
    with pytest.raises(ZeroDivisionError):
        grundy.subtraction(lambda k: 6 // (k - 4) > 0, 9).solve()
    with pytest.raises(ValueError, match="10000000"):
        grundy.subtraction(lambda k: True, 20_000_000)
    with pytest.raises((TypeError, ValueError)):
        grundy.subtraction(iter(int, 1), 5)
