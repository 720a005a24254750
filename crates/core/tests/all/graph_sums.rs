//! Sums of loopy games compared with their product graph, which is labelled by the definition. In
//! addition, sums that the first player wins are played to the end.
//!
//! `GRUNDY_SUMS=100000` sets the number of sums with an infinite value; the default is 3000.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_core::argument::Argument;
use grundy_core::graph::{Digraph, Names, Network};
use grundy_core::registry::construct;
use grundy_core::{Limits, Outcome, Play, Player, Position, Solver};

/// A deterministic random number generator (xorshift64*).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }
}

/// A summand: the options of each vertex, and the start vertex.
struct Part {
    options: Vec<Vec<u32>>,
    start: u32,
}

impl Part {
    fn random(dice: &mut Dice, most: usize) -> Self {
        let n = 1 + dice.below(most);
        let degree = 1 + dice.below(4);
        let options = (0..n)
            .map(|_| {
                (0..dice.below(degree + 1))
                    .map(|_| dice.below(n) as u32)
                    .collect()
            })
            .collect();
        let start = dice.below(n) as u32;
        Self { options, start }
    }

    /// Returns a Nim heap as a graph.
    fn heap(size: u32) -> Self {
        Self {
            options: (0..=size).map(|n| (0..n).collect()).collect(),
            start: size,
        }
    }

    fn term(&self) -> Position {
        let mut names = Names::default();
        let mut graph = Digraph::default();
        for (v, row) in self.options.iter().enumerate() {
            names.intern(&v.to_string());
            row.iter().for_each(|&w| graph.push_edge(w));
            graph.end_vertex();
        }
        let network = Network {
            graph,
            names,
            file: None,
        };
        let edges = (None, Argument::Network(Arc::new(network)));
        let start = (None, Argument::Int(self.start.into()));
        construct("graph", &[edges, start])
            .expect("a position")
            .into()
    }
}

/// Returns the sum of two positions.
fn plus(a: &Position, b: &Position) -> Position {
    Position::sum([a.terms(), b.terms()].concat()).expect("impartial games add up")
}

/// Returns the outcome of every vertex of the product graph, computed by the definition in rounds.
/// Vertices whose outcome no round determines are draws.
fn product(parts: &[Part], play: Play) -> Vec<Outcome> {
    let sizes: Vec<usize> = parts.iter().map(|part| part.options.len()).collect();
    let total: usize = sizes.iter().product();
    let options: Vec<Vec<usize>> = (0..total)
        .map(|state| {
            let mut unit = 1;
            let mut all = Vec::new();
            // A state is a number in mixed radix, with one digit for each summand.
            for (part, size) in parts.iter().zip(&sizes) {
                let vertex = state / unit % size;
                all.extend(
                    part.options[vertex]
                        .iter()
                        .map(|&w| state - vertex * unit + w as usize * unit),
                );
                unit *= size;
            }
            all
        })
        .collect();
    let mut outcomes = vec![Outcome::D; total];
    loop {
        let mut changed = false;
        for state in 0..total {
            if outcomes[state] != Outcome::D {
                continue;
            }
            let found = if options[state].is_empty() {
                Outcome::from_win(play == Play::Misere)
            } else if options[state]
                .iter()
                .any(|&next| outcomes[next] == Outcome::P)
            {
                Outcome::N
            } else if options[state]
                .iter()
                .all(|&next| outcomes[next] == Outcome::N)
            {
                Outcome::P
            } else {
                continue;
            };
            outcomes[state] = found;
            changed = true;
        }
        if !changed {
            return outcomes;
        }
    }
}

fn start(parts: &[Part]) -> usize {
    let mut unit = 1;
    let mut state = 0;
    for part in parts {
        state += unit * part.start as usize;
        unit *= part.options.len();
    }
    state
}

/// Returns the moves of the sum that lead to a P-position of the product, as (term, index). Only
/// the first of several edges to one vertex counts.
fn winning(parts: &[Part], outcomes: &[Outcome]) -> Vec<(usize, u64)> {
    let mut unit = 1;
    let mut all = Vec::new();
    for (component, part) in parts.iter().enumerate() {
        let from = part.start as usize;
        for (index, &w) in part.options[from].iter().enumerate() {
            let next = start(parts) - from * unit + w as usize * unit;
            let again = part.options[from][..index].contains(&w);
            if outcomes[next] == Outcome::P && !again {
                all.push((component, index as u64));
            }
        }
        unit *= part.options.len();
    }
    all
}

/// Checks random sums until `wanted` of them have had an infinite value. Returns the total number
/// of sums.
fn check(wanted: usize, seed: u64) -> usize {
    let mut dice = Dice(seed);
    let (mut infinite, mut number) = (0, 0);
    while infinite < wanted {
        number += 1;
        let mut parts = vec![Part::random(&mut dice, 7), Part::random(&mut dice, 7)];
        if number % 3 == 0 {
            parts.push(Part::heap(dice.below(4) as u32));
        }
        let sum = parts
            .iter()
            .map(Part::term)
            .reduce(|a, b| plus(&a, &b))
            .expect("two parts at least");
        let mut solver = Solver::default();
        let solution = solver
            .solve(&sum, Play::Normal, &Limits::default())
            .expect("small");
        let outcomes = product(&parts, Play::Normal);
        assert_eq!(solution.outcome(), outcomes[start(&parts)], "{sum}");
        let mut moves: Vec<(usize, u64)> = solution
            .winning_moves()
            .iter()
            .map(|w| (w.component, w.mv.at[0]))
            .collect();
        moves.sort_unstable();
        let expected = match solution.outcome() {
            Outcome::N => winning(&parts, &outcomes),
            _ => Vec::new(),
        };
        assert_eq!(moves, expected, "{sum}");
        infinite += usize::from(solution.infinity().is_some());
        if let Some(value) = solution.grundy() {
            // The value is the size of the only Nim heap that makes the sum a P-position.
            for size in 0..=value as u32 + 1 {
                let with_heap: Vec<Part> = parts
                    .iter()
                    .map(|part| Part {
                        options: part.options.clone(),
                        start: part.start,
                    })
                    .chain([Part::heap(size)])
                    .collect();
                let p = product(&with_heap, Play::Normal)[start(&with_heap)] == Outcome::P;
                assert_eq!(p, u64::from(size) == value, "{sum}");
            }
        }
        if number % 4 == 0 {
            let solution = solver
                .solve(&sum, Play::Misere, &Limits::default())
                .expect("small");
            let outcomes = product(&parts, Play::Misere);
            assert_eq!(solution.outcome(), outcomes[start(&parts)], "misère {sum}");
            if solution.outcome() == Outcome::N {
                let mut moves: Vec<(usize, u64)> = solution
                    .winning_moves()
                    .iter()
                    .map(|w| (w.component, w.mv.at[0]))
                    .collect();
                moves.sort_unstable();
                assert_eq!(moves, winning(&parts, &outcomes), "misère {sum}");
            }
        }
    }
    number
}

#[test]
fn sums_agree_with_the_product_graph() {
    let wanted = std::env::var("GRUNDY_SUMS").map_or(3_000, |sums| sums.parse().expect("a number"));
    let all = check(wanted, 12);
    assert!(
        all > wanted + wanted / 10,
        "there are finite sums among them: {all}"
    );
}

// Complete games from won sums. The winner plays the first listed winning move; the loser plays at
// random, or in every other game as long as possible. No sum may repeat, so the game ends, and the
// winner makes the last move.
#[test]
fn won_sums_are_won_in_play() {
    let mut dice = Dice(21);
    let mut played = 0;
    let mut longest = 0;
    while played < 400 {
        let mut parts: Vec<Part> = (0..2 + played % 2)
            .map(|_| Part::random(&mut dice, 12))
            .collect();
        if played % 3 == 0 {
            parts.push(Part::heap(dice.below(5) as u32));
        }
        let mut sum = parts
            .iter()
            .map(Part::term)
            .reduce(|a, b| plus(&a, &b))
            .expect("two parts at least");
        if played % 5 == 0 {
            let heap = [(None, Argument::Int(5))];
            sum = plus(&sum, &construct("kayles", &heap).expect("a heap").into());
        }
        let mut solver = Solver::default();
        if sum.terms().iter().all(|term| term.finite())
            || solver.outcome(&sum, Play::Normal, &Limits::default()) != Ok(Outcome::N)
        {
            continue;
        }
        played += 1;
        let mut moves = 0;
        let mut seen = HashSet::new();
        loop {
            // Every other game starts each move with an empty cache, so progress must not depend on
            // it.
            if played % 2 == 0 {
                solver = Solver::default();
            }
            let solution = solver
                .solve(&sum, Play::Normal, &Limits::default())
                .expect("small");
            assert_eq!(solution.outcome(), Outcome::N);
            sum = solution.winning_moves()[0].to.clone();
            let mut answers = Vec::new();
            let _ = sum.moves(Player::Left, &mut |_, _, to| {
                answers.push(to());
                ControlFlow::Continue(())
            });
            moves += 1;
            longest = longest.max(moves);
            if answers.is_empty() {
                break;
            }
            assert!(seen.insert(sum.to_string()), "a sum comes twice: {sum}");
            let chosen = if played % 4 < 2 {
                dice.below(answers.len())
            } else {
                (0..answers.len())
                    .max_by_key(|&index| {
                        Solver::remoteness(&answers[index], Play::Normal, &Limits::default())
                            .expect("small")
                    })
                    .expect("there are answers")
            };
            sum = answers.swap_remove(chosen);
            assert!(seen.insert(sum.to_string()), "a sum comes twice: {sum}");
        }
    }
    assert!(longest > 5);
}

#[test]
fn two_copies_of_a_loopy_game_need_not_be_a_p_position() {
    // A vertex with a loop and a move to the end: alone an N-position, doubled a draw. Mirroring
    // the opponent does not make the last move in a loopy game.
    let part = || Part {
        options: vec![vec![0, 1], vec![]],
        start: 0,
    };
    let mut solver = Solver::default();
    let alone = solver
        .solve(&part().term(), Play::Normal, &Limits::default())
        .unwrap();
    assert_eq!(
        (alone.outcome(), alone.infinity()),
        (Outcome::N, Some(&[0][..]))
    );
    let double = plus(&part().term(), &part().term());
    let solution = solver
        .solve(&double, Play::Normal, &Limits::default())
        .unwrap();
    assert_eq!(
        (solution.outcome(), solution.infinity()),
        (Outcome::D, Some(&[][..]))
    );
    let steps = grundy_core::explain::steps(
        &double,
        Play::Normal,
        &solution,
        &mut solver,
        &Limits::default(),
    )
    .unwrap();
    // Hence the explanation must not use the copycat argument.
    assert!(steps.iter().all(|step| step.code != "copycat"));
}
