//! Rule files that rank their positions, compared with the same files without ranks. Also the
//! errors of inconsistent ranks.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use grundy_core::implicit::dense::{Cells, Outcomes, Pass, PassQuantity};
use grundy_core::ruleset::Ends;
use grundy_core::{Exploration, Labelled, Limits, Play, Position, RankedGame, Stop, game_graph};
use grundy_notation::Expression;
use grundy_rules::{Allowance, RuleFile};

/// A rule file for Nim with three heaps and labelled moves. The rank of a position is a number in
/// mixed radix.
const HEAPS: &str = "
SIZES = [5, 3, 4]
order_is_topological = True

def size():
    return 5 * 3 * 4

def rank(p):
    number = 0
    for at in range(3):
        number = number * SIZES[at] + p[at]
    return number

def unrank(i):
    a = i // 12
    b = i // 4 % 3
    return (a, b, i % 4)

def moves(p):
    a, b, c = p
    found = [(k, b, c) for k in range(a)]
    found += [(a, k, c) for k in range(b)]
    return found + [(\"take %d\" % (c - k), (a, b, k)) for k in range(c)]
";

/// Wythoff's queen. Positions are lists, not tuples.
const QUEEN: &str = "
order_is_topological = True

def size():
    return 64

def rank(p):
    return p[0] * 8 + p[1]

def unrank(i):
    return [i // 8, i % 8]

def moves(p):
    a, b = p
    both = min(a, b)
    found = [[k, b] for k in range(a)] + [[a, k] for k in range(b)]
    return found + [[a - k, b - k] for k in range(1, both + 1)]
";

/// A partizan game: Left takes one or two, Right one or three.
const PARTIZAN: &str = "
order_is_topological = True

def size():
    return 40

def rank(p):
    return p

def unrank(i):
    return i

def left(p):
    return [p - k for k in [1, 2] if k <= p]

def right(p):
    return [p - k for k in [1, 3] if k <= p]
";

/// A token on a ring with an exit at 0, so that some positions are draws. The order is not
/// topological.
const RING: &str = "
def size():
    return 12

def rank(p):
    return p

def unrank(i):
    return i

def moves(p):
    if p == 0:
        return []
    return [(p + 1) % 12, (p + 5) % 12] if p % 3 else [(p + 3) % 12]
";

/// A game with ties: reaching 0 wins, reaching 1 is a tie.
const TIES: &str = "
order_is_topological = True

def size():
    return 30

def rank(p):
    return p

def unrank(i):
    return i

def moves(p):
    return [p - k for k in [2, 3, 5] if k <= p]

def value(p):
    return \"lose\" if p == 0 else \"tie\"
";

/// Parses a position with a rule file.
fn position(source: &str, start: &str) -> Position {
    let file = RuleFile::read("rules.star", source, Allowance::default()).unwrap();
    Expression::parse(start)
        .unwrap()
        .position_with(&[], &file)
        .unwrap()
}

/// Computes the quantity `question` for every position by a pass over the positions in the order of
/// their ranks. Returns the results. The pass is interrupted and resumed many times.
fn cells(game: &dyn RankedGame, question: PassQuantity, play: Play) -> Cells {
    let mut pass = Pass::default();
    loop {
        // Each attempt is interrupted at its second poll, so the pass is resumed many times.
        let looks = AtomicU64::new(0);
        let limits = Limits {
            interrupted: &|| (looks.fetch_add(1, Ordering::Relaxed) == 1).then_some(Stop::Time),
            ..Limits::none()
        };
        match game.resume(question, play, &mut pass, &limits) {
            Ok(()) => return pass.cells,
            Err(stop) => assert_eq!(stop, Stop::Time),
        }
    }
}

/// Checks that the labels and values computed by ranks equal those of the game graph that a search
/// finds, for all reachable positions.
fn agrees(source: &str, start: &str) {
    let start = position(source, start);
    let game = start
        .ranked()
        .unwrap()
        .expect("the file numbers its positions");
    let nature = game.nature();
    let graph = game_graph(&start, &Limits::default()).unwrap();
    let names: HashMap<String, u32> = (0..graph.positions())
        .map(|number| (graph.name(number).into_owned(), number))
        .collect();
    let mut exploration = Exploration::ranked(&game, &Limits::default()).unwrap();
    exploration.run(&Limits::default()).unwrap();
    let by_rank = exploration.finish();
    assert_eq!(u64::from(by_rank.positions()), game.positions());
    let mut met = 0;
    for play in [Play::Normal, Play::Misere] {
        let labelled = Labelled::new(&graph, play, &Limits::default()).unwrap();
        let all = Labelled::new(&by_rank, play, &Limits::default()).unwrap();
        let dense = game.is_topological() && nature.ends == Ends::LastMove;
        let labels =
            dense.then(|| Outcomes::new(cells(&*game, PassQuantity::Remoteness, play), play));
        let values = (dense && nature.is_impartial())
            .then(|| cells(&*game, PassQuantity::Grundy, Play::Normal));
        for rank in 0..game.positions() {
            let position = game.position(rank).unwrap();
            assert_eq!(game.rank(&position), Ok(Some(rank)));
            assert_eq!(by_rank.name(rank as u32), position.to_string());
            let Some(&number) = names.get(&position.to_string()) else {
                continue;
            };
            met += 1;
            assert!(
                all.labels(&by_rank, rank as u32)
                    .eq(labelled.labels(&graph, number))
            );
            let value = labelled.value(&graph, number);
            assert_eq!(all.value(&by_rank, rank as u32), value);
            for (turn, label) in labelled.labels(&graph, number).enumerate() {
                let cell = game.turns() * rank + turn as u64;
                if let Some(labels) = &labels {
                    assert_eq!(labels.outcome(cell), label.outcome, "{position}");
                    assert_eq!(labels.remoteness(cell), label.remoteness, "{position}");
                }
            }
            if let (Some(values), Some(value)) = (&values, value) {
                assert_eq!(values.get(rank).to_string(), value.to_string());
            }
        }
    }
    // All reachable positions have been compared, for both conventions of play.
    assert_eq!(met, 2 * names.len());
}

#[test]
fn labels_by_rank_equal_those_without() {
    agrees(HEAPS, "game(moves, (4, 2, 3))");
    agrees(QUEEN, "game(moves, [7, 7])");
    agrees(PARTIZAN, "game(rules, 39)");
    agrees(RING, "game(moves, 7)");
    agrees(TIES, "game(moves, 29)");
}

#[test]
fn unreachable_positions_have_no_rank() {
    let game = position(PARTIZAN, "game(rules, 39)")
        .ranked()
        .unwrap()
        .unwrap();
    assert_eq!(game.rank(&position(PARTIZAN, "game(rules, 40)")), Ok(None));
    assert_eq!(game.rank(&position(PARTIZAN, "game(rules, -1)")), Ok(None));
    assert!(
        position("def moves(p): return []", "game(moves, 3)")
            .ranked()
            .unwrap()
            .is_none()
    );
    let two = position(PARTIZAN, "game(rules, 3) + game(rules, 4)");
    assert!(two.ranked().unwrap().is_none());
}

/// Returns the message of the error for a file with inconsistent ranks.
fn refused(source: &str, start: &str) -> String {
    match position(source, start).ranked() {
        Err(Stop::Rules(diagnostic)) => diagnostic.message.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn inconsistent_rank_functions_are_rejected() {
    let with = |old: &str, new: &str| {
        assert!(PARTIZAN.contains(old));
        PARTIZAN.replacen(old, new, 1)
    };
    let cases = [
        (
            with("return 40", "return 0"),
            "rules.star: size() is less than 1",
        ),
        (
            with(
                "def unrank(i):\n    return i",
                "def unrank(i):\n    return i if i != 17 else 18",
            ),
            "rules.star: unrank(17) is 18, but rank(18) is 18",
        ),
        (
            with("return 40", "return 30"),
            "rules.star: rank(39) is 39, but ranks range from 0 to size() - 1 = 29",
        ),
        (
            with("p - k for k in [1, 2] if k <= p", "(p + 1) % 40"),
            "rules.star: order_is_topological is wrong: 0 has rank 0, but its option 1 has rank 1, which is not lower",
        ),
        (
            with(
                "p - k for k in [1, 2] if k <= p",
                "sum_of([p - 1, 0]) for k in [1] if p > 0",
            ),
            "rules.star: a move from 1 leads to a sum, which has no rank",
        ),
        (
            with("p - k for k in [1, 2] if k <= p", "\"x\" if p == 0 else 0"),
            "rules.star: rank(p) must return a number, not a value of type string",
        ),
    ];
    for (source, said) in cases {
        let found = refused(&source, "game(rules, 39)");
        assert!(
            found.contains(said.strip_prefix("rules.star: ").unwrap()),
            "{found}\n{said}"
        );
    }
    let unread = |source: &str| {
        let read = RuleFile::read("rules.star", source, Allowance::default());
        read.unwrap_err().message.to_string()
    };
    assert_eq!(
        unread("order_is_topological = True\ndef moves(p): return []"),
        "rules.star: `order_is_topological` is set, but the file does not define the function `rank`"
    );
    assert_eq!(
        unread(&with(
            "order_is_topological = True",
            "order_is_topological = 1"
        )),
        "rules.star: `order_is_topological` must be True or False"
    );
}

/// Tests that a pass checks every move. One position has an invalid move, which is not found by
/// checking a sample of positions. The pass must stop there, and must not label this position or
/// any later one.
#[test]
fn a_pass_checks_every_move() {
    let source = |lie: &str| {
        format!(
            "
order_is_topological = True

def size():
    return 1000000

def rank(p):
    return p

def unrank(i):
    return i

def moves(p):
    if p == 123457:
        return {lie}
    return [p - k for k in [1, 2] if k <= p]
"
        )
    };
    for (lie, said) in [
        (
            "[123458]",
            "123457 has rank 123457, but its option 123458 has rank 123458, which is not lower",
        ),
        ("[-5]", "the rank of an option of 123457 is -5"),
        ("[1000000]", "the rank of an option of 123457 is 1000000"),
        (
            "[sum_of([1, 2])]",
            "a move leads to a sum, which has no rank",
        ),
        ("[1 // 0]", "division by 0"),
    ] {
        let game = position(&source(lie), "game(moves, 10)")
            .ranked()
            .unwrap()
            .unwrap();
        let mut pass = Pass::default();
        let ended = game.resume(
            PassQuantity::Remoteness,
            Play::Normal,
            &mut pass,
            &Limits::none(),
        );
        let Err(Stop::Rules(diagnostic)) = ended else {
            panic!("{ended:?}");
        };
        assert!(diagnostic.message.contains(said), "{diagnostic}");
        assert_eq!((pass.done, pass.cells.len()), (123_457, 123_457));
    }
}
