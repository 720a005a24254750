//! Implementations of [`Game`] and [`PartizanGame`], compared with the rulesets of the library and
//! with the definition.

use std::sync::Arc;

use grundy_core::argument::Argument;
use grundy_core::registry::construct;
use grundy_core::{
    Game, Limits, Outcome, OutcomeClass, PartizanGame, PayoffResult, Play, Player, Position,
    Solver, Stop, explain, game_graph,
};

/// A heap from which 1, 3 or 4 chips are taken.
struct Take;

impl Game for Take {
    type Position = u32;

    fn options(&self, &n: &u32) -> impl IntoIterator<Item = u32> {
        [1, 3, 4].into_iter().filter_map(move |k| n.checked_sub(k))
    }
}

/// Kayles on separate rows of pins: one pin or two adjacent pins are knocked down.
struct Pins;

impl Game for Pins {
    type Position = Vec<u32>;

    fn options(&self, rows: &Vec<u32>) -> impl IntoIterator<Item = Vec<u32>> {
        let mut options = Vec::new();
        for (index, &row) in rows.iter().enumerate() {
            for gone in (1..=2).filter(|&gone| gone <= row) {
                for before in 0..=row - gone {
                    let mut left = rows.clone();
                    left[index] = before;
                    left.push(row - gone - before);
                    options.push(left);
                }
            }
        }
        options
    }

    // Rows are independent, so the game is their sum; empty rows contribute nothing.
    fn components(&self, rows: &Vec<u32>) -> Vec<Vec<u32>> {
        let rows = rows.iter().filter(|&&row| row > 0);
        rows.map(|&row| vec![row]).collect()
    }

    fn name_move(&self, from: &Vec<u32>, to: &Vec<u32>) -> Option<String> {
        let pins = |rows: &[u32]| rows.iter().sum::<u32>();
        Some(format!("knock down {}", pins(from) - pins(to)))
    }
}

/// Returns the smallest number that is not in `values`.
fn mex(values: &[u64]) -> u64 {
    (0..).find(|n| !values.contains(n)).unwrap()
}

fn called(name: &str, arguments: &[Argument]) -> Position {
    let arguments: Vec<_> = arguments.iter().map(|a| (None, a.clone())).collect();
    construct(name, &arguments).unwrap().into()
}

fn heap(name: &str, beans: u32) -> Position {
    called(name, &[Argument::Int(beans.into())])
}

fn sum(positions: &[&Position]) -> Position {
    Position::sum(positions.iter().flat_map(|p| p.terms().to_vec()).collect()).unwrap()
}

#[test]
fn values_match_the_definition() {
    let mut values: Vec<u64> = Vec::new();
    let mut solver = Solver::default();
    for n in 0..60 {
        let options: Vec<u64> = Take
            .options(&n)
            .into_iter()
            .map(|m| values[m as usize])
            .collect();
        values.push(mex(&options));
        let found = solver.grundy(&Position::of(Take, n), &Limits::default());
        assert_eq!(found, Ok(values[n as usize]), "{n}");
    }
}

#[test]
fn components_are_a_sum() {
    let mut solver = Solver::default();
    let limits = Limits::default();
    for n in 0..30 {
        let pins = solver.grundy(&Position::of(Pins, vec![n]), &limits);
        assert_eq!(pins, solver.grundy(&heap("kayles", n), &limits), "{n}");
    }
    let rows = solver
        .grundy(&Position::of(Pins, vec![3, 0, 5, 7]), &limits)
        .unwrap();
    let each = [3, 5, 7].map(|n| solver.grundy(&heap("kayles", n), &limits).unwrap());
    assert_eq!(rows, each[0] ^ each[1] ^ each[2]);
}

#[test]
fn sums_explanations_labels_and_play() {
    let limits = Limits::default();
    let mixed = sum(&[
        &Position::of(Take, 6),
        &heap("nim", 3),
        &Position::of(Pins, vec![2]),
    ]);
    assert_eq!(mixed.to_string(), "Take(6) + nim(3) + Pins([2])");
    let mut solver = Solver::default();
    // Take(6) and the row of two pins both have value 2, and 2 ⊕ 3 ⊕ 2 = 3.
    assert_eq!(solver.grundy(&mixed, &limits), Ok(3));
    let solution = solver.solve(&mixed, Play::Normal, &limits).unwrap();
    assert_eq!(solution.outcome(), Outcome::N);
    for winning in solution.winning_moves() {
        assert_eq!(solver.grundy(&winning.to, &limits), Ok(0), "{}", winning.to);
    }
    // The list of winning moves must contain every option of value 0.
    let mut winning = 0;
    let flow = mixed.moves(Player::Left, &mut |_, _, to| {
        let zero = Solver::default().grundy(&to(), &Limits::default()) == Ok(0);
        winning += usize::from(zero);
        std::ops::ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    assert_eq!(solution.winning_moves().len(), winning);
    let steps = explain::steps(&mixed, Play::Normal, &solution, &mut solver, &limits).unwrap();
    assert!(!steps.is_empty());

    let graph = game_graph(&Position::of(Take, 6), &limits).unwrap();
    assert_eq!(graph.positions(), 7);
    assert_eq!(graph.name(0), "Take(6)");

    let misere = solver
        .solve(&Position::of(Take, 1), Play::Misere, &limits)
        .unwrap();
    assert_eq!(misere.outcome(), Outcome::P);
}

#[test]
fn moves_have_their_names() {
    let solution = Solver::default()
        .solve(
            &Position::of(Pins, vec![2]),
            Play::Normal,
            &Limits::default(),
        )
        .unwrap();
    let [winning] = solution.winning_moves() else {
        panic!("one move wins: both pins");
    };
    let label = winning
        .mv
        .action
        .args
        .iter()
        .find(|(name, _)| *name == "label");
    assert_eq!(
        label.map(|(_, datum)| format!("{datum:?}")),
        Some("Text(\"knock down 2\")".into())
    );
    assert_eq!(winning.to.to_string(), "Pins([0, 0])");
}

/// Toads and Frogs, as a user would implement it.
struct Toads;

fn jumps(strip: &[u8], own: u8, other: u8, step: isize) -> Vec<Vec<u8>> {
    let at = |place: Option<usize>| place.and_then(|place| strip.get(place)).copied();
    let mut left = Vec::new();
    for from in (0..strip.len()).filter(|&place| strip[place] == own) {
        let next = from.checked_add_signed(step);
        let over = next.and_then(|next| next.checked_add_signed(step));
        let to = match (at(next), at(over)) {
            (Some(b'.'), _) => next,
            (Some(stone), Some(b'.')) if stone == other => over,
            _ => None,
        };
        if let Some(to) = to {
            let mut strip = strip.to_vec();
            strip.swap(from, to);
            left.push(strip);
        }
    }
    left
}

impl PartizanGame for Toads {
    type Position = Vec<u8>;

    fn left(&self, strip: &Vec<u8>) -> impl IntoIterator<Item = Vec<u8>> {
        jumps(strip, b'T', b'F', 1)
    }

    fn right(&self, strip: &Vec<u8>) -> impl IntoIterator<Item = Vec<u8>> {
        jumps(strip, b'F', b'T', -1)
    }

    fn describe(&self, strip: &Vec<u8>) -> String {
        String::from_utf8_lossy(strip).into_owned()
    }
}

#[test]
fn partizan_values_agree_with_the_ruleset() {
    let limits = Limits::default();
    let mut solver = Solver::default();
    for strip in ["TF.TF.", "TT..FF", "T.F", "TF.", "TTFF.", "T..F.TF", ""] {
        let ours = Position::of_partizan(Toads, strip.into());
        let theirs = called("toads_and_frogs", &[Argument::Text(strip.into())]);
        let [one, other] = [&ours, &theirs].map(|position| {
            let (form, _) = solver.canonical_form(position, &limits).unwrap();
            solver
                .short_values()
                .theory
                .forms
                .write_within(form, &limits)
                .unwrap()
        });
        assert_eq!(one, other, "{strip}");
        // Two games are equal if and only if their difference is a P-position.
        let none = sum(&[&ours, &theirs.negated().unwrap()]);
        let solution = solver.solve(&none, Play::Normal, &limits).unwrap();
        assert_eq!(solution.class(), OutcomeClass::P, "{strip}");
        let none = ours.minus(&ours).unwrap();
        assert_eq!(
            none.to_string(),
            format!("Toads({strip}) + -Toads({strip})")
        );
        let solution = solver.solve(&none, Play::Normal, &limits).unwrap();
        assert_eq!(solution.class(), OutcomeClass::P, "{strip}");
        assert_eq!(ours.negated().unwrap().negated().unwrap(), ours);
    }
}

/// A heap from which 1 to n chips are taken.
struct UpTo(u32);

impl Game for UpTo {
    type Position = u32;

    fn options(&self, &n: &u32) -> impl IntoIterator<Item = u32> {
        (1..=self.0.min(n)).map(move |k| n - k)
    }
}

#[test]
fn games_are_equal_by_type_or_by_address() {
    assert_eq!(Position::of(Take, 5), Position::of(Take, 5));
    assert_ne!(Position::of(Take, 5), Position::of(Take, 4));
    // `Take` has no fields, so the type alone identifies the game. A game with fields is equal only
    // to itself, that is, at the same address.
    assert_ne!(Position::of(UpTo(2), 5), Position::of(UpTo(2), 5));
    let shared = Arc::new(UpTo(2));
    let [one, other] = [5, 5].map(|n| Position::of_shared(&shared, n));
    assert_eq!(one, other);
    let mut solver = Solver::default();
    for most in 1..6 {
        for n in 0..20 {
            let value = solver.grundy(&Position::of(UpTo(most), n), &Limits::default());
            // The value of a heap in this game is n mod (k + 1).
            assert_eq!(value, Ok(u64::from(n % (most + 1))));
        }
    }
}

/// A game on a cycle of three positions. From the first position, a player can also move to a
/// fourth position, which is terminal.
struct Round;

impl Game for Round {
    type Position = u8;

    fn options(&self, &n: &u8) -> impl IntoIterator<Item = u8> {
        match n {
            0 => vec![1, 3],
            3 => Vec::new(),
            n => vec![(n + 1) % 3],
        }
    }
}

#[test]
fn user_games_may_be_loopy() {
    let limits = Limits::default();
    let mut solver = Solver::default();
    let outcomes = [0, 1, 2, 3].map(|n| {
        let solution = solver.solve(&Position::of(Round, n), Play::Normal, &limits);
        solution.unwrap().outcome()
    });
    // From 2 the only move leads to 0, from which the opponent takes the exit: 2 is lost.
    assert_eq!(outcomes, [Outcome::N, Outcome::N, Outcome::P, Outcome::P]);
    assert_eq!(
        solver.grundy(&Position::of(Round, 1), &limits),
        Err(Stop::Cyclic)
    );
}

/// Noughts and crosses on three squares in a row: two adjacent marks of a player win.
struct Row;

impl PartizanGame for Row {
    type Position = [u8; 3];

    const HAS_TERMINAL_VALUES: bool = true;

    fn left(&self, row: &[u8; 3]) -> impl IntoIterator<Item = [u8; 3]> {
        placed(*row, b'X')
    }

    fn right(&self, row: &[u8; 3]) -> impl IntoIterator<Item = [u8; 3]> {
        placed(*row, b'O')
    }

    fn symmetry(&self, row: [u8; 3]) -> [u8; 3] {
        let [a, b, c] = row;
        row.min([c, b, a])
    }

    fn terminal_value(&self, row: &[u8; 3]) -> Option<PayoffResult> {
        // The player who made the last move has the two marks.
        Some(if has_two(*row) {
            PayoffResult::Lose
        } else {
            PayoffResult::Tie
        })
    }
}

fn has_two(row: [u8; 3]) -> bool {
    row.windows(2).any(|two| two[0] == two[1] && two[0] != b'.')
}

fn placed(row: [u8; 3], sign: u8) -> Vec<[u8; 3]> {
    if has_two(row) {
        return Vec::new();
    }
    let free = (0..3).filter(|&place| row[place] == b'.');
    let rows = free.map(|place| {
        let mut row = row;
        row[place] = sign;
        row
    });
    rows.collect()
}

#[test]
fn terminal_values_decide_the_game() {
    let limits = Limits::default();
    let class = |row: &[u8; 3]| {
        let position = Position::of_partizan(Row, *row);
        let solution = Solver::default()
            .solve(&position, Play::Normal, &limits)
            .unwrap();
        solution.class()
    };
    // By hand: the first player takes the middle and wins with the next move.
    assert_eq!(class(b"...").to_string(), "N");
    assert_eq!(class(b"X..").to_string(), "LD");
    assert_eq!(class(b"XO.").to_string(), "DR");
    let one = Position::of_partizan(Row, *b"...");
    assert!(one.negated().is_err());
    let two = Position::sum([one.terms(), one.terms()].concat());
    assert!(two.is_err());
}

/// The least number from which Epstein's game is not played on: it grows by 1 for ever.
const GROWS: u64 = 100_000;

/// Epstein's game: put or take the largest square that is at most the number.
struct Epstein;

impl Game for Epstein {
    type Position = u64;

    fn options(&self, &n: &u64) -> impl IntoIterator<Item = u64> {
        let square = n.isqrt().pow(2);
        let options = match n {
            0 => vec![],
            GROWS.. => vec![n + 1],
            _ => vec![n - square, n + square],
        };
        options.into_iter()
    }
}

/// Computes bounds of the outcome of each number below `GROWS` in Epstein's game. Larger numbers
/// are taken as best for one player, and then as worst. The entry of a number is the outcome if
/// both give the same.
fn epstein_by_bounds() -> Vec<Option<Outcome>> {
    let rank = |outcome: Outcome| match outcome {
        Outcome::P => 0,
        Outcome::D => 1,
        Outcome::N => 2,
    };
    let all = [Outcome::P, Outcome::D, Outcome::N];
    // `[n][0]` is the upper bound for the player to move at n, and `[n][1]` the lower bound.
    // Whatever stays undecided is a draw.
    let mut known = vec![[Outcome::D; 2]; GROWS as usize];
    known[0] = [Outcome::P; 2];
    loop {
        let before = known.clone();
        let read = |n: u64, side: usize| {
            let known = before.get(n as usize).map(|cell| cell[side]);
            known.unwrap_or([Outcome::N, Outcome::P][side])
        };
        for n in 1..GROWS {
            let square = n.isqrt().pow(2);
            known[n as usize] = [0, 1].map(|side| {
                let options = [n - square, n + square].map(|to| rank(read(to, 1 - side)));
                all[2 - options.into_iter().min().unwrap()]
            });
        }
        if known == before {
            break;
        }
    }
    let bounds = known
        .iter()
        .map(|[upper, lower]| (upper == lower).then_some(*upper));
    bounds.collect()
}

/// Compares the search of the nearest positions with bounds, in a game with infinitely many
/// positions. The P-positions below 120 are those of OEIS A005240.
#[test]
fn few_moves_decide_a_game_with_infinitely_many_positions() {
    let bounds = epstein_by_bounds();
    let limits = Limits {
        positions: 1 << 17,
        ..Limits::default()
    };
    let mut counts = [0; 3];
    let mut lost = Vec::new();
    for n in 0..120 {
        let outcome = Solver::default().outcome(&Position::of(Epstein, n), Play::Normal, &limits);
        match (bounds[n as usize], outcome) {
            (Some(expected), Ok(outcome)) => assert_eq!(outcome, expected, "{n}"),
            (None, Err(Stop::Positions(_))) => {}
            (expected, outcome) => panic!("{n}: {expected:?}, {outcome:?}"),
        }
        match bounds[n as usize] {
            Some(Outcome::P) => lost.push(n),
            Some(Outcome::N) => counts[0] += 1,
            Some(Outcome::D) => counts[1] += 1,
            None => counts[2] += 1,
        }
    }
    assert_eq!(lost, [0, 5, 20, 29, 45, 80, 101, 116]);
    assert!(counts[0] > 20 && counts[1] > 50, "{counts:?}");
}

/// Checks the remoteness that the nearest positions prove, and the list of moves, which is not
/// complete.
#[test]
fn a_win_in_one_move_is_found_beside_an_endless_search() {
    struct Grow;
    impl Game for Grow {
        type Position = u64;
        fn options(&self, &n: &u64) -> impl IntoIterator<Item = u64> {
            let both = [n.checked_sub(1), n.checked_add(1)];
            both.into_iter().flatten().filter(move |_| n > 0)
        }
    }
    let position = Position::of(Grow, 1);
    let limits = Limits {
        positions: 1 << 17,
        ..Limits::default()
    };
    for play in [Play::Normal, Play::Misere] {
        let solution = Solver::default().solve(&position, play, &limits);
        match play {
            Play::Normal => {
                let solution = solution.unwrap();
                assert_eq!(solution.outcome(), Outcome::N);
                assert_eq!(solution.beginnings[0].remoteness, Some(Some(1)));
                assert_eq!(solution.winning_moves().len(), 1);
                assert!(!solution.moves_complete);
            }
            // In misère play the move to 0 loses. After the move to 2 either player can go back to
            // a larger number for ever, whatever the unexplored positions are.
            Play::Misere => assert_eq!(solution.unwrap().outcome(), Outcome::D),
        }
    }
}
