//! Complete games from random sums of small positions. The predicted winner plays moves that the
//! solver lists, and the opponent plays every legal move. The predicted winner must make the last
//! move in every line.
//!
//! `GRUNDY_GAMES=10000 cargo test -p grundy-core --release --test all winners::` sets the number of
//! sums.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_core::argument::Argument;
use grundy_core::position::AnyTerm;
use grundy_core::registry::squares::{Layout, SQUARES};
use grundy_core::{Limits, Outcome, Play, Player, Position, Solver, registry};

/// A deterministic random number generator (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * bound as u64) >> 32) as usize
    }

    fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most - least + 1)
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    fn text(&mut self, letters: &[u8], length: usize) -> String {
        (0..length)
            .map(|_| char::from(*self.pick(letters)))
            .collect()
    }
}

fn int(n: usize) -> Argument {
    Argument::Int(n as i128)
}

fn text(text: impl Into<String>) -> Argument {
    Argument::Text(text.into())
}

/// Returns a game on squares: a strip, or a board with one or two rows.
fn on_squares(random: &mut Random, size: usize) -> (&'static str, Vec<Argument>) {
    let squares = random.pick(SQUARES);
    // Each move in Amazons also shoots an arrow, so it has far more positions than the others.
    let size = size - usize::from(squares.game == "amazons");
    let letters = squares.letters.as_bytes();
    let argument = match squares.layout {
        Layout::Strip => text(random.text(letters, size)),
        Layout::Board => {
            let rows = random.between(1, 2);
            let columns = size.div_ceil(rows);
            let mut row = || text(random.text(letters, columns));
            Argument::List((0..rows).map(|_| row()).collect())
        }
    };
    (squares.game, vec![argument])
}

/// Returns `count` edges between random vertices as text. Each edge is followed by a random suffix
/// from `endings`, which gives its colour.
fn edges(random: &mut Random, vertices: usize, count: usize, endings: &[&str]) -> String {
    let mut edge = || {
        let [a, b] = [0, 1].map(|_| random.below(vertices));
        format!("{a}-{b}{}", random.pick(endings))
    };
    let edges: Vec<String> = (0..count).map(|_| edge()).collect();
    edges.join(" ")
}

/// Returns a random graph with edges from the smaller to the larger vertex, and a colouring.
fn colouring(random: &mut Random, size: usize) -> Vec<Argument> {
    let pairs = (0..size).flat_map(|b| (0..b).map(move |a| format!("{a}-{b}")));
    let edges: Vec<String> = pairs.filter(|_| random.below(2) == 0).collect();
    vec![text(edges.join(" ")), text(random.text(b"....LR", size))]
}

const LITERALS: &[&str] = &[
    "0",
    "1/2",
    "-3/4",
    "2",
    "^",
    "v*",
    "*2",
    "^^*",
    "^[2]",
    "v<2>",
    "+-1",
    "+-{3|1}",
    "{2|-1/2}",
    "{1|*}",
    "Tiny(1)",
    "Miny(2)",
    "{0|2}",
    "{4|1||0}",
    "{3||1|-2}",
    "{^|-1}",
    "{1|1||0|-1}",
    "{0,*|v}",
];

const HEAPS: &[&str] = &[
    "nim",
    "kayles",
    "grundys_game",
    "dawsons_kayles",
    "treblecross",
    "laskers_nim",
];

fn set(random: &mut Random) -> Argument {
    let count = random.between(1, 2);
    Argument::List((0..count).map(|_| int(random.between(1, 4))).collect())
}

/// Returns a random game from the registry. The game is about as large as `size` says.
fn term(random: &mut Random, size: usize) -> Arc<dyn AnyTerm> {
    loop {
        let (name, arguments) = match random.below(24) {
            0 => (*random.pick(HEAPS), vec![int(random.below(size + 2))]),
            1 | 2 => ("literal", vec![text(*random.pick(LITERALS))]),
            3 => (
                "cutcake",
                vec![int(random.between(1, size)), int(random.between(1, size))],
            ),
            4 => (
                "maundy_cake",
                vec![int(random.between(1, size)), int(random.between(1, size))],
            ),
            5 => {
                let sets = [set(random), set(random)];
                let heap = int(random.between(1, 2 * size));
                ("partizan_subtraction", [&sets[..], &[heap]].concat())
            }
            6 | 7 => ("col", colouring(random, size)),
            8 | 9 => ("snort", colouring(random, size)),
            10 | 11 => {
                let picture = edges(random, size, size, &["", ":b", ":r"]);
                ("hackenbush", vec![text(picture)])
            }
            _ => on_squares(random, size),
        };
        let items: Vec<_> = arguments
            .into_iter()
            .map(|argument| (None, argument))
            .collect();
        // Illegal positions are generated again: groups without liberties, forbidden colourings,
        // and sets with a duplicate.
        if let Ok(term) = registry::construct(name, &items) {
            return term;
        }
    }
}

/// Counts the positions reachable from `start` by moves of either player. Stops counting when at
/// least `most` positions are found.
fn reach(start: &Position, most: usize) -> usize {
    let mut seen = HashSet::from([start.to_string()]);
    let mut waiting = vec![start.clone()];
    while let Some(position) = waiting.pop()
        && seen.len() < most
    {
        for player in Player::BOTH {
            for (_, to) in PlayOut::moves(&position, player) {
                if seen.insert(to.to_string()) {
                    waiting.push(to);
                }
            }
        }
    }
    seen.len()
}

/// Returns a sum of two to six games with at most `most` reachable positions.
fn sum(random: &mut Random, most: usize) -> Position {
    let pieces = random.between(2, 6);
    // With more components each is smaller, since their numbers of positions multiply.
    let size = [6, 5, 4, 3, 3][pieces - 2];
    let (mut terms, mut left) = (Vec::new(), most);
    while terms.len() < pieces {
        let term = term(random, size);
        let positions = reach(&Position::from(Arc::clone(&term)), left + 1);
        // Reserve at least two positions for each remaining component.
        if positions << (pieces - 1 - terms.len()) <= left {
            left /= positions;
            terms.push(term);
        }
    }
    Position::sum(terms).unwrap()
}

/// The state while all lines of play of one sum are checked: the solver, and the positions already
/// visited.
#[derive(Default)]
struct PlayOut {
    solver: Solver,
    /// Positions that were checked or are being checked, each with the predicted winner. In each of
    /// them, this player is to move.
    won: HashSet<(Vec<String>, Player)>,
    moves: usize,
}

impl PlayOut {
    /// Returns the moves of a player, named as the solver lists them, with the positions after
    /// them.
    fn moves(position: &Position, player: Player) -> Vec<((usize, Vec<u64>), Position)> {
        let mut moves = Vec::new();
        let _ = position.every_move(player, &mut |component, name, to| {
            moves.push(((component, name().at), to()));
            ControlFlow::Continue(())
        });
        moves
    }

    /// Checks the predicted outcome if `beginner` moves first. The predicted winner follows the
    /// solver, and the opponent tries every move.
    fn begin(&mut self, position: &Position, beginner: Player) {
        let solution = self
            .solver
            .solve(position, Play::Normal, &Limits::default());
        let outcome = solution.unwrap().beginning(beginner).outcome;
        if outcome == Outcome::N {
            self.win(position, beginner, true);
        } else {
            assert_eq!(outcome, Outcome::P, "{position}");
            for (_, after) in Self::moves(position, beginner) {
                self.win(&after, beginner.other(), false);
            }
        }
    }

    /// Checks that moves that the solver lists for `winner`, who is to move, win against every
    /// reply. Plays all listed moves if `every` is `true`, and otherwise one of them.
    fn win(&mut self, position: &Position, winner: Player, every: bool) {
        // Sort the terms, so that a sum in another order counts as the same position.
        let mut terms: Vec<String> = position.terms().iter().map(|term| term.text()).collect();
        terms.sort_unstable();
        if !self.won.insert((terms, winner)) {
            return;
        }
        let solution = self
            .solver
            .solve(position, Play::Normal, &Limits::default());
        let beginning = solution.unwrap().beginning(winner).clone();
        let listed = &beginning.moves;
        assert!(
            !listed.is_empty(),
            "{winner:?} wins {position}, but no move is listed"
        );
        let legal = Self::moves(position, winner);
        // A choice that varies with the position covers many listed moves over a whole test.
        let one = self.won.len() % listed.len();
        let tried = if every {
            &listed[..]
        } else {
            &listed[one..=one]
        };
        for listed in tried {
            let at = (listed.component, listed.mv.at.clone());
            let there = legal.iter().find(|(mv, to)| *mv == at && *to == listed.to);
            let (_, after) = there.unwrap_or_else(|| panic!("{at:?} is no move of {position}"));
            self.moves += 1;
            for (_, answered) in Self::moves(after, winner.other()) {
                self.win(&answered, winner, false);
            }
        }
    }
}

/// Maximum number of positions reachable from a sum.
const MOST: usize = 20_000;

#[test]
fn claimed_winners_win_against_every_play() {
    let wish = std::env::var("GRUNDY_GAMES").ok();
    let sums = wish.map_or(300, |sums| sums.parse().expect("GRUNDY_GAMES is a number"));
    let mut random = Random(0x3117);
    let (mut names, mut positions, mut moves) = (BTreeSet::new(), 0, 0);
    for _ in 0..sums {
        let position = sum(&mut random, MOST);
        names.extend(position.terms().iter().map(|term| term.name()));
        let mut play_out = PlayOut::default();
        for beginner in Player::BOTH {
            play_out.begin(&position, beginner);
        }
        positions += play_out.won.len();
        moves += play_out.moves;
    }
    println!(
        "{sums} sums of {} games: {positions} positions, {moves} winning moves",
        names.len()
    );
    for constructor in PARTIZAN {
        assert!(
            names.contains(constructor),
            "{constructor} was not drawn: {names:?}"
        );
    }
    assert!(moves > 10 * sums, "{moves} moves in {sums} sums");
}

/// The partizan games of the registry that are loop-free and decided by the last move.
const PARTIZAN: &[&str] = &[
    "amazons",
    "cannibal_clobber",
    "clobber",
    "col",
    "cutcake",
    "domineering",
    "elephants",
    "fission",
    "hackenbush",
    "konane",
    "literal",
    "maundy_cake",
    "nogo",
    "partizan_subtraction",
    "snort",
    "toads_and_frogs",
    "toppling_dominoes",
];
