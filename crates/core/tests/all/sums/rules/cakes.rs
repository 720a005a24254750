//! Cutcake and Maundy cake.

use super::super::random::Random;
use super::{LEFT, Options, Part, Rules, Term, call};

/// Cutcake. A position lists the numbers of rows and columns of each piece.
pub(crate) struct Cutcake;

/// Returns the numbers of all pieces after a cut. The `length` numbers of the piece at `index` are
/// replaced by `left`.
fn cut(pieces: &[i64], index: usize, length: usize, left: &[i64]) -> Part {
    let mut pieces = pieces.to_vec();
    pieces.splice(index * length..(index + 1) * length, left.iter().copied());
    pieces
}

fn sum(name: &str, pieces: &[i64], length: usize) -> String {
    let pieces = pieces.chunks(length).map(|piece| match piece {
        [rows, columns, 1] => call(name, [rows, columns]),
        all => call(name, all),
    });
    pieces.collect::<Vec<_>>().join(" + ")
}

impl Rules for Cutcake {
    fn options(&self, pieces: &[i64], player: usize) -> Options {
        let mut options = Vec::new();
        for (index, piece) in pieces.chunks(2).enumerate() {
            let [rows, columns] = piece.try_into().unwrap();
            let cuts = if player == LEFT { columns } else { rows };
            // Two cuts give the same two pieces; the move names the smaller piece first.
            for first in 1..=cuts / 2 {
                let at = if player == LEFT {
                    vec![rows, first, rows, columns - first]
                } else {
                    vec![first, columns, rows - first, columns]
                };
                let after = cut(pieces, index, 2, &at);
                options.push((at, after));
            }
        }
        options
    }

    fn write(&self, pieces: &[i64], _: Option<usize>) -> String {
        sum("cutcake", pieces, 2)
    }

    fn is_partizan(&self) -> bool {
        true
    }
}

/// Maundy cake. A position lists, for each kind of equal pieces, the number of rows, the number of
/// columns and the number of copies.
pub(crate) struct Maundy;

impl Rules for Maundy {
    fn options(&self, pieces: &[i64], player: usize) -> Options {
        let mut options = Vec::new();
        for (index, equal) in pieces.chunks(3).enumerate() {
            let [rows, columns, copies] = equal.try_into().unwrap();
            let side = if player == LEFT { columns } else { rows };
            for count in (2..=side).filter(|count| side % count == 0) {
                let at = if player == LEFT {
                    vec![rows, columns / count, count]
                } else {
                    vec![rows / count, columns, count]
                };
                let mut left = at.clone();
                if copies > 1 {
                    left.splice(0..0, [rows, columns, copies - 1]);
                }
                options.push((at, cut(pieces, index, 3, &left)));
            }
        }
        options
    }

    fn write(&self, pieces: &[i64], _: Option<usize>) -> String {
        sum("maundy_cake", pieces, 3)
    }

    fn is_partizan(&self) -> bool {
        true
    }
}

pub(crate) fn cutcake(random: &mut Random, size: i64) -> Term {
    let sides = [0, 1].map(|_| random.between(1, 1 + size));
    Term::new(Cutcake, sides.to_vec())
}

pub(crate) fn maundy_cake(random: &mut Random, size: i64) -> Term {
    let [rows, columns] = [0, 1].map(|_| *random.pick(&[1, 2, 3, 4, 6, 8][..2 + size as usize]));
    let copies = random.between(1, 1 + size / 3);
    Term::new(Maundy, vec![rows, columns, copies])
}
