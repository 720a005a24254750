//! Games on strips, written as strings. A position lists the character codes of the letters.

use super::super::random::Random;
use super::{LEFT, Options, Part, Rules, Term, with};

const EMPTY: i64 = b'.' as i64;
const CROSS: i64 = b'X' as i64;
const PIN: i64 = b'1' as i64;
const GAP: i64 = b'0' as i64;
const TOAD: i64 = b'T' as i64;
const FROG: i64 = b'F' as i64;

/// A game on a strip.
pub(crate) struct Strip {
    name: &'static str,
    options: fn(&[i64], usize) -> Options,
    is_partizan: bool,
}

impl Rules for Strip {
    fn options(&self, squares: &[i64], player: usize) -> Options {
        (self.options)(squares, player)
    }

    fn write(&self, squares: &[i64], _: Option<usize>) -> String {
        let letter = |&square: &i64| char::from(square as u8);
        let letters: String = squares.iter().map(letter).collect();
        format!("{}(\"{letters}\")", self.name)
    }

    fn is_partizan(&self) -> bool {
        self.is_partizan
    }
}

fn row(random: &mut Random, length: i64, letters: &[i64]) -> Part {
    (0..random.between(length / 3, length))
        .map(|_| *random.pick(letters))
        .collect()
}

/// Returns the moves of Kayles: one pin, or two adjacent pins.
fn knock_down(pins: &[i64], _: usize) -> Options {
    let mut options = Vec::new();
    for index in (0..pins.len()).filter(|&index| pins[index] == PIN) {
        let one = with(pins, index, GAP);
        options.push((vec![index as i64], one.clone()));
        if pins.get(index + 1) == Some(&PIN) {
            let both = with(&one, index + 1, GAP);
            options.push((vec![index as i64, index as i64 + 1], both));
        }
    }
    options
}

pub(crate) fn kayles_row(random: &mut Random, size: i64) -> Term {
    let squares = row(random, 4 + size, &[PIN, PIN, PIN, GAP]);
    let strip = Strip {
        name: "kayles_row",
        options: knock_down,
        is_partizan: false,
    };
    Term::new(strip, squares)
}

/// Returns the moves of Treblecross: one cross, until three of them are adjacent.
fn cross(squares: &[i64], _: usize) -> Options {
    if squares.windows(3).any(|three| three == [CROSS; 3]) {
        return Vec::new();
    }
    (0..squares.len())
        .filter(|&index| squares[index] == EMPTY)
        .map(|index| (vec![index as i64], with(squares, index, CROSS)))
        .collect()
}

pub(crate) fn treblecross_row(random: &mut Random, size: i64) -> Term {
    // Few crosses, since three in a row end the game.
    let squares = row(random, 3 + size, &[EMPTY, EMPTY, EMPTY, EMPTY, CROSS]);
    let strip = Strip {
        name: "treblecross_row",
        options: cross,
        is_partizan: false,
    };
    Term::new(strip, squares)
}

/// Returns the moves of Toads and Frogs: one step forward, or a jump over one opponent.
fn hop(squares: &[i64], player: usize) -> Options {
    let (own, other, step) = if player == LEFT {
        (TOAD, FROG, 1)
    } else {
        (FROG, TOAD, -1)
    };
    let at = |index: i64| usize::try_from(index).ok().and_then(|i| squares.get(i));
    let mut options = Vec::new();
    for from in (0..squares.len() as i64).filter(|&from| at(from) == Some(&own)) {
        let (near, far) = (from + step, from + 2 * step);
        let to = match (at(near), at(far)) {
            (Some(&EMPTY), _) => near,
            (Some(&over), Some(&EMPTY)) if over == other => far,
            _ => continue,
        };
        let moved = with(&with(squares, from as usize, EMPTY), to as usize, own);
        options.push((vec![from, to], moved));
    }
    options
}

pub(crate) const TOADS_AND_FROGS: Strip = Strip {
    name: "toads_and_frogs",
    options: hop,
    is_partizan: true,
};

pub(crate) fn toads_and_frogs(random: &mut Random, size: i64) -> Term {
    let squares = row(random, 4 + size, &[EMPTY, TOAD, FROG]);
    Term::new(TOADS_AND_FROGS, squares)
}

/// Returns the moves of Toppling Dominoes: a domino of the player or a neutral one topples, with
/// all dominoes on one side of it.
fn topple(row: &[i64], player: usize) -> Options {
    let own = if player == LEFT {
        i64::from(b'L')
    } else {
        i64::from(b'R')
    };
    let mut options = Options::new();
    for at in (0..row.len()).filter(|&at| row[at] == own || row[at] == i64::from(b'E')) {
        for (side, left) in [(0, row[at + 1..].to_vec()), (1, row[..at].to_vec())] {
            // Moves that leave the same row are one move, named by the first of them.
            if options.iter().all(|(_, known)| *known != left) {
                options.push((vec![at as i64, side], left));
            }
        }
    }
    options
}

pub(crate) const TOPPLING_DOMINOES: Strip = Strip {
    name: "toppling_dominoes",
    options: topple,
    is_partizan: true,
};

pub(crate) fn toppling_dominoes(random: &mut Random, size: i64) -> Term {
    let letters = [b'L', b'R', b'E'].map(i64::from);
    let dominoes = row(random, 3 + size, &letters);
    Term::new(TOPPLING_DOMINOES, dominoes)
}

/// Returns the moves of Elephants and Rhinos: one step, elephants to the right and rhinos to the
/// left.
fn walk(squares: &[i64], player: usize) -> Options {
    let (own, step) = if player == LEFT {
        (i64::from(b'E'), 1)
    } else {
        (i64::from(b'R'), -1)
    };
    let mut options = Vec::new();
    for from in (0..squares.len() as i64).filter(|&from| squares[from as usize] == own) {
        let to = from + step;
        let there = usize::try_from(to).ok().and_then(|to| squares.get(to));
        if there == Some(&EMPTY) {
            let moved = with(&with(squares, from as usize, EMPTY), to as usize, own);
            options.push((vec![from, to], moved));
        }
    }
    options
}

pub(crate) const ELEPHANTS: Strip = Strip {
    name: "elephants",
    options: walk,
    is_partizan: true,
};

pub(crate) fn elephants(random: &mut Random, size: i64) -> Term {
    let letters = [b'E', b'R', b'.', b'.'].map(i64::from);
    Term::new(ELEPHANTS, row(random, 4 + size, &letters))
}

/// Returns the moves of Push: one piece moves a step to the left and pushes the pieces before it,
/// up to the first gap.
fn shove(squares: &[i64], player: usize) -> Options {
    let own = i64::from(if player == LEFT { b'L' } else { b'R' });
    let mut options = Vec::new();
    for square in (0..squares.len()).filter(|&square| squares[square] == own) {
        let mut after = with(squares, square, EMPTY);
        let (mut moving, mut to) = (own, square);
        while moving != EMPTY && to > 0 {
            to -= 1;
            std::mem::swap(&mut moving, &mut after[to]);
        }
        options.push((vec![square as i64], after));
    }
    options
}

pub(crate) const PUSH: Strip = Strip {
    name: "push",
    options: shove,
    is_partizan: true,
};

pub(crate) fn push(random: &mut Random, size: i64) -> Term {
    let squares = row(random, 2 + size, &[EMPTY, b'L'.into(), b'R'.into()]);
    Term::new(PUSH, squares)
}
