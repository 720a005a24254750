//! Who is told that they win, wins: random sums of small games are played out. The winner makes
//! moves that the solver lists, the other one makes every move there is, and whoever is told to win
//! has the last move in every line of play.
//!
//! `GRUNDY_GAMES=10000 cargo test -p grundy --release --test all winners::` plays as many sums.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy::argument::Argument;
use grundy::position::AnyTerm;
use grundy::registry::squares::{Layout, SQUARES};
use grundy::{Limits, Outcome, Play, Player, Position, Solver, registry};

/// Numbers that look random and are the same everywhere.
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

/// Returns a game on squares: a strip, or a board of one or two rows.
fn on_squares(random: &mut Random, size: usize) -> (&'static str, Vec<Argument>) {
    let squares = random.pick(SQUARES);
    // An arrow after every move: Amazons has far more positions than the others.
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

/// Edges between so many vertices, with these endings.
fn edges(random: &mut Random, vertices: usize, count: usize, endings: &[&str]) -> String {
    let mut edge = || {
        let [a, b] = [0, 1].map(|_| random.below(vertices));
        format!("{a}-{b}{}", random.pick(endings))
    };
    let edges: Vec<String> = (0..count).map(|_| edge()).collect();
    edges.join(" ")
}

/// Vertices without colours or with one, and edges that begin at the lesser vertex.
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

/// Returns a game of the registry of about this size.
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
        // Blocks without a free point, neighbours in colours that the rules forbid, sets with one
        // number twice: drawn again.
        if let Ok(term) = registry::construct(name, &items) {
            return term;
        }
    }
}

/// How many positions can be reached from `start`, whoever moves; no more than `most` are counted.
fn reach(start: &Position, most: usize) -> usize {
    let mut seen = HashSet::from([start.to_string()]);
    let mut waiting = vec![start.clone()];
    while let Some(position) = waiting.pop()
        && seen.len() < most
    {
        for player in Player::BOTH {
            for (_, to) in Played::moves(&position, player) {
                if seen.insert(to.to_string()) {
                    waiting.push(to);
                }
            }
        }
    }
    seen.len()
}

/// Returns a sum of two to six games that can come to at most so many positions.
fn sum(random: &mut Random, most: usize) -> Position {
    let pieces = random.between(2, 6);
    // The more pieces the smaller they are: what a sum can come to is the product.
    let size = [6, 5, 4, 3, 3][pieces - 2];
    let (mut terms, mut left) = (Vec::new(), most);
    while terms.len() < pieces {
        let term = term(random, size);
        let positions = reach(&Position::from(Arc::clone(&term)), left + 1);
        // At least two positions for each of the others.
        if positions << (pieces - 1 - terms.len()) <= left {
            left /= positions;
            terms.push(term);
        }
    }
    Position::sum(terms).unwrap()
}

/// A sum being played out.
#[derive(Default)]
struct Played {
    solver: Solver,
    /// The positions that were won, with who moves there and wins.
    won: HashSet<(Vec<String>, Player)>,
    moves: usize,
}

impl Played {
    /// What a player may do, as a move of the solver is listed, and the positions after it.
    fn moves(position: &Position, player: Player) -> Vec<((usize, Vec<u64>), Position)> {
        let mut moves = Vec::new();
        let _ = position.every_move(player, &mut |component, name, to| {
            moves.push(((component, name().at), to()));
            ControlFlow::Continue(())
        });
        moves
    }

    /// Whoever wins when `beginner` begins does.
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

    /// `winner` is to move, has a move that is listed, and wins after whatever is answered: after
    /// every move that is listed, or after one.
    fn win(&mut self, position: &Position, winner: Player, every: bool) {
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
        assert!(!listed.is_empty(), "{winner:?} is told to win {position}");
        let legal = Self::moves(position, winner);
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

/// Positions that a sum can come to.
const MOST: usize = 20_000;

#[test]
fn who_is_told_to_win_wins_against_every_play() {
    let wish = std::env::var("GRUNDY_GAMES").ok();
    let sums = wish.map_or(300, |sums| sums.parse().expect("GRUNDY_GAMES is a number"));
    let mut random = Random(0x3117);
    let (mut names, mut positions, mut moves) = (BTreeSet::new(), 0, 0);
    for _ in 0..sums {
        let position = sum(&mut random, MOST);
        names.extend(position.terms().iter().map(|term| term.name()));
        let mut played = Played::default();
        for beginner in Player::BOTH {
            played.begin(&position, beginner);
        }
        positions += played.won.len();
        moves += played.moves;
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

/// The games of the registry in which Left and Right have moves of their own, no position comes
/// back, and the last move decides.
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
