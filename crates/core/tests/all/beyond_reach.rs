//! Positions that are too large for the usual table or search. Some are rejected before any work;
//! others are solved by a theorem or by reduction to a smaller game.

use std::collections::HashSet;
use std::ops::ControlFlow;

use grundy_core::argument::Argument;
use grundy_core::registry::{CONSTRUCTORS, construct};
use grundy_core::{Halt, Kind, Limits, Outcome, Play, Player, Position, Solver, Stop, explain};

fn int(n: u64) -> Argument {
    Argument::Int(i128::from(n))
}

fn game(name: &str, arguments: Vec<Argument>) -> Position {
    let items: Vec<_> = arguments.into_iter().map(|value| (None, value)).collect();
    construct(name, &items).unwrap().into()
}

fn subtraction(takes: &[u64], heap: u64) -> Position {
    let takes = takes.iter().map(|&n| int(n)).collect();
    game("subtraction", vec![Argument::List(takes), int(heap)])
}

fn named(set: &str, heap: u64) -> Position {
    game(
        "subtraction",
        vec![Argument::Text(set.to_owned()), int(heap)],
    )
}

/// Returns limits whose time is up at the first check.
fn no_time() -> Limits<'static> {
    Limits {
        interrupted: &|| Some(Stop::Time),
        ..Limits::default()
    }
}

// If d divides every number of the set, the heaps n and ⌊n/d⌋ behave alike. The remainders 0, 1 and
// d - 1 test the rounding, and d = 2^63 the overflow.
#[test]
fn a_common_divisor_reduces_to_a_smaller_set() {
    let mut solver = Solver::default();
    let limits = Limits::default();
    for (takes, scale) in [
        (&[1u64, 3, 4][..], 30_000u64),
        (&[2, 5], 20_011),
        (&[1], 1 << 63),
    ] {
        let large: Vec<u64> = takes.iter().filter_map(|k| scale.checked_mul(*k)).collect();
        for heap in 0..40u64 {
            for rest in [0, 1, scale - 1] {
                let Some(scaled) = heap.checked_mul(scale).and_then(|n| n.checked_add(rest)) else {
                    continue;
                };
                for play in [Play::Normal, Play::Misere] {
                    let expected = solver
                        .solve(&subtraction(takes, heap), play, &limits)
                        .unwrap();
                    let position = subtraction(&large, scaled);
                    let found = solver.solve(&position, play, &limits).unwrap();
                    assert_eq!(
                        found.outcome(),
                        expected.outcome(),
                        "{position} in {play} play"
                    );
                    assert_eq!(found.grundy(), expected.grundy(), "{position}");
                    let sizes = |moves: &[grundy_core::solve::WinningMove], scale| -> Vec<u64> {
                        moves
                            .iter()
                            .map(|winning| winning.mv.at[1] / scale)
                            .collect()
                    };
                    assert_eq!(
                        sizes(found.winning_moves(), scale),
                        sizes(expected.winning_moves(), 1),
                        "{position} in {play} play"
                    );
                }
            }
        }
    }
    // The period refers to the original heaps, not to the reduced ones.
    let solution = solver.solve(
        &subtraction(&[30_000, 60_000], 10_000_000),
        Play::Normal,
        &limits,
    );
    let values = format!("{:?}", solution.unwrap().grounds);
    assert!(values.contains("period: 90000"), "{values}");
}

// With no time at all, only a check before the computation can return the memory limit.
#[test]
fn oversized_tables_are_rejected_before_any_work() {
    let limits = no_time();
    for position in [
        subtraction(&[1, 1 << 63], (1 << 63) + 1),
        named("primes", 1_000_000_000_000_000_000),
        named("squares", u64::MAX),
        game(
            "all_but",
            vec![Argument::List(vec![int(1 << 63)]), int(u64::MAX)],
        ),
    ] {
        for play in [Play::Normal, Play::Misere] {
            let stop = Solver::default()
                .solve(&position, play, &limits)
                .unwrap_err();
            assert!(
                matches!(stop, Stop::Memory(_)),
                "{position} in {play} play: {stop}"
            );
        }
    }
    // The values would fit into memory, but the total number of options exceeds the limit on
    // positions.
    for position in [
        named("primes", 3_000_000_000),
        game("laskers_nim", vec![int(100_000_000)]),
    ] {
        let stop = Solver::default().solve(&position, Play::Misere, &limits);
        assert!(matches!(stop, Err(Stop::Positions(_))), "{position}");
    }
    // A number larger than the heap is never taken, so it must not cost memory.
    let solution = Solver::default().solve(
        &subtraction(&[1, 1 << 63], 5),
        Play::Normal,
        &Limits::default(),
    );
    assert_eq!(solution.unwrap().grundy(), Some(1));
}

#[test]
fn loops_over_sets_check_their_limits() {
    for position in [named("primes_and_1", 200_000), named("coprime", 100_000)] {
        let stop = Solver::default().solve(&position, Play::Misere, &no_time());
        assert_eq!(stop.unwrap_err(), Stop::Time, "{position}");
    }
}

#[test]
fn values_beyond_64_bits_are_refused() {
    // The value of Lasker's Nim and of Mock Turtles may exceed the argument, so the largest
    // arguments have no value in 64 bits.
    for (name, least) in [("laskers_nim", u64::MAX), ("mock_turtles", (1 << 63) + 1)] {
        let refusal = construct(name, &[(None, int(3)), (None, int(least))]).unwrap_err();
        assert_eq!(refusal.kind, Kind::Overflow, "{name}");
        let position = game(name, vec![int(least - 1)]);
        let value = Solver::default().grundy(&position, &Limits::default());
        assert!(value.is_ok_and(|value| value >= u64::MAX - 2), "{name}");
    }
}

// The square of Chomp: take the square at (1, 1) and then mirror each move across the diagonal.
#[test]
fn square_chomp_is_won_by_biting_next_to_the_poison() {
    let rows = vec![int(20); 20];
    let limits = Limits::default();
    let solution = Solver::default().solve(&game("chomp", rows), Play::Normal, &limits);
    let solution = solution.unwrap();
    assert_eq!(solution.outcome(), Outcome::N);
    let moves = solution
        .winning_moves()
        .iter()
        .map(|winning| &winning.mv.at[..]);
    assert_eq!(moves.collect::<Vec<_>>(), [[1, 1]]);
    assert!(solution.moves_complete);
    // Without time for the moves the outcome is still given, and the number of winning moves is
    // left open.
    let square = game("chomp", vec![int(30); 30]);
    let hurried = Solver::default().solve(&square, Play::Normal, &no_time());
    let hurried = hurried.unwrap();
    assert_eq!(hurried.outcome(), Outcome::N);
    assert!(!hurried.moves_complete);
    let mut solver = Solver::default();
    let steps = explain::steps(&square, Play::Normal, &hurried, &mut solver, &limits).unwrap();
    assert_eq!(steps.last().unwrap().code, "conclusion_n_unlisted");
}

/// Each pair is a number of heaps and the largest heap size. The test covers all positions of
/// Moore's Nim within these bounds.
const MOORE: [(u32, u64); 4] = [(1, 12), (2, 8), (3, 5), (4, 3)];

#[test]
fn moores_nim_moves_match_the_definition_in_option_order() {
    let (mut solver, limits) = (Solver::default(), Limits::default());
    for (heaps, most) in MOORE {
        for code in 0..(most + 1).pow(heaps) {
            let sizes = (0..heaps).map(|place| code / (most + 1).pow(place) % (most + 1));
            let sizes: Vec<u64> = sizes.collect();
            for k in 1..=4 {
                let arguments = [k].into_iter().chain(sizes.iter().copied()).map(int);
                let position = game("moore_nim", arguments.collect());
                for play in [Play::Normal, Play::Misere] {
                    // A naive list: every option that is a P-position, in the order of the options.
                    let mut expected = Vec::new();
                    let _ = position.moves(Player::Left, &mut |_, name, to| {
                        if solver.outcome(&to(), play, &limits) == Ok(Outcome::P) {
                            expected.push(name().at);
                        }
                        ControlFlow::Continue(())
                    });
                    let found = solver.solve(&position, play, &limits).unwrap();
                    let moves = found
                        .winning_moves()
                        .iter()
                        .map(|winning| winning.mv.at.clone());
                    assert_eq!(
                        moves.collect::<Vec<_>>(),
                        expected,
                        "{position} in {play} play"
                    );
                }
            }
        }
    }
}

// Moore's Nim with k: the binary columns of a P-position have sums divisible by k + 1. Random
// 40-bit heaps make a search hopeless.
#[test]
fn large_heaps_of_moores_nim_are_solved_by_columns() {
    let heaps = [
        470_978_741_860,
        239_836_986_156,
        256_102_080_742,
        266_812_344_799,
        762_392_874_391,
    ];
    let mut solver = Solver::default();
    // k = 1 is Nim, which has one winning move here. k = 5 allows changing all heaps at once.
    for (k, count) in [(1, 1), (2, Solver::MOVES_LISTED), (4, 1), (5, 1)] {
        let arguments = [k].into_iter().chain(heaps).map(int).collect();
        let limits = Limits {
            positions: 20_000,
            ..Limits::default()
        };
        let solution = solver
            .solve(&game("moore_nim", arguments), Play::Normal, &limits)
            .unwrap();
        assert_eq!(solution.outcome(), Outcome::N);
        assert_eq!(solution.winning_moves().len(), count, "k = {k}");
        assert_eq!(solution.moves_complete, count < Solver::MOVES_LISTED);
        for winning in solution.winning_moves() {
            assert_eq!(
                solver.outcome(&winning.to, Play::Normal, &limits),
                Ok(Outcome::P)
            );
        }
    }
}

/// Checks that no two moves of a player in the same component lead to the same position. At most
/// 2000 moves of each player are checked.
fn options_differ(position: &Position) {
    for &player in position.nature().beginners() {
        let mut seen = HashSet::new();
        let _ = position.moves(player, &mut |component, _, to| {
            let to = to().to_string();
            assert!(
                seen.insert((component, to.clone())),
                "{position} lists {to} twice"
            );
            if seen.len() < 2000 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(Halt::Enough)
            }
        });
    }
}

// Duplicate options would list a winning move twice.
#[test]
fn equal_options_are_one_move() {
    for constructor in CONSTRUCTORS {
        for first in [None, Some(2), Some(3)] {
            for code in 0..6u64.pow(3) {
                let numbers = [code % 6, code / 6 % 6, code / 36];
                let first = first.map(int);
                let items: Vec<_> = first.into_iter().chain(numbers.map(int)).collect();
                for length in 1..=items.len() {
                    let items: Vec<_> = items[..length]
                        .iter()
                        .map(|value| (None, value.clone()))
                        .collect();
                    if let Ok(term) = construct(constructor.name, &items) {
                        options_differ(&term.into());
                    }
                }
            }
        }
    }
    let text = |text: &str| Argument::Text(text.to_owned());
    for row in ["1101", "11111", "01110", "111", "11", "1"] {
        options_differ(&game("kayles_row", vec![text(row)]));
    }
    for row in ["...", ".....", "..X..", "......"] {
        options_differ(&game("treblecross_row", vec![text(row)]));
    }
    options_differ(&game(
        "cram",
        vec![Argument::List(vec![text("..."), text(".#."), text("...")])],
    ));
    let to = |names: &[&str]| Argument::List(names.iter().map(|name| text(name)).collect());
    // 60 edges to 25 targets, so that a duplicate is far from its first occurrence.
    let many: Vec<String> = (0..60).map(|n| (n % 25).to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for targets in [&["b", "c", "b"][..], &many] {
        let map = Argument::Map(vec![(text("a"), to(targets))]);
        let position = game("graph", vec![map, text("a")]);
        options_differ(&position);
        let solution = Solver::default()
            .solve(&position, Play::Normal, &Limits::default())
            .unwrap();
        let different: HashSet<_> = targets.iter().collect();
        assert_eq!(solution.winning_moves().len(), different.len());
        let places = solution
            .winning_moves()
            .iter()
            .map(|winning| winning.mv.at[0]);
        // Edges to one target count as one move, numbered in the order of the first occurrences.
        let firsts = (0..different.len() as u64).collect::<Vec<_>>();
        assert_eq!(places.collect::<Vec<_>>(), firsts);
    }
}
