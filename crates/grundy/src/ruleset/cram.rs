//! Cram: `cram(board)`.
//!
//! Rules. The board is a list of strings, `.` for a free square and `#` for a blocked one. A move places a domino on two
//! free neighbouring squares, upright or flat. Whoever cannot move loses.
//!
//! Theorem (M. Gardner, Scientific American, February 1974; E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, ch. 15).
//! On a free rectangle the second player wins by point symmetry when both sides are even; the first player wins when one
//! side is even and the other odd, by the domino in the middle and then by symmetry. Other values come from search.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{Known, Ruleset, Theorem, Visit};
use crate::Refusal;
use crate::argument::{Arguments, list, text};
use crate::outcome::{Outcome, Play};
use crate::picture::Picture;
use crate::position::{AnyTerm, Term};
use crate::step::{Move, Step};

/// Point symmetry.
pub const SYMMETRY: Theorem = Theorem {
    method: "symmetry",
    name: "point symmetry",
    statement: "a free rectangle with two even sides is P, with one even and one odd side N",
    source: "M. Gardner, Mathematical Games, Scientific American, February 1974",
};

/// The rules of Cram.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Cram;

/// A board, or a connected region of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Board {
    /// Free squares on an 8 by 8 board, bit 8 r + c, moved to the corner and turned so that the number is least.
    Region(u64),
    /// Any board: its width, and for each row its free squares as words of 64 columns.
    Full {
        /// Squares in a row.
        width: usize,
        /// Free squares.
        rows: Vec<Vec<u64>>,
    },
}

/// Most squares of a board.
const SQUARES: usize = 1_000_000;

/// Reads `cram(board)`.
///
/// # Errors
/// Anything but strings of `.` and `#` of one length.
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Refusal> {
    let [Some((at, board))] = arguments.bind(["board"], 1)? else {
        return Err(Refusal::illegal("the board is missing"));
    };
    let mut rows = Vec::new();
    let mut width = None;
    for (path, row) in list(board, &[at])? {
        let row = text(row, &path)?;
        let first = *width.get_or_insert(row.len());
        if let Some(c) = row.chars().find(|c| !matches!(c, '.' | '#')) {
            return Err(
                Refusal::illegal(format!("`{}` is no square", c.escape_default()))
                    .at(path)
                    .help("write . for a free square and # for a blocked one"),
            );
        }
        if row.len() != first {
            return Err(Refusal::illegal(format!(
                "the row has {} squares, the first one {first}",
                row.len()
            ))
            .at(path)
            .help("all rows have the same length"));
        }
        let mut words = vec![0u64; first.div_ceil(64)];
        for (column, _) in row
            .bytes()
            .enumerate()
            .filter(|(_, square)| *square == b'.')
        {
            words[column / 64] |= 1 << (column % 64);
        }
        rows.push(words);
        if rows.len().saturating_mul(first.max(1)) > SQUARES {
            return Err(Refusal::illegal(format!(
                "a board of more than {SQUARES} squares is too large"
            ))
            .at([at]));
        }
    }
    Ok(Term::new(
        Cram,
        vec![Board::Full {
            width: width.unwrap_or(0),
            rows,
        }],
    )
    .into())
}

impl Board {
    fn size(&self) -> (usize, usize) {
        match self {
            Self::Region(_) => (8, 8),
            Self::Full { width, rows } => (*width, rows.len()),
        }
    }

    fn is_free(&self, row: usize, column: usize) -> bool {
        match self {
            Self::Region(squares) => squares >> (8 * row + column) & 1 == 1,
            Self::Full { rows, .. } => rows[row][column / 64] >> (column % 64) & 1 == 1,
        }
    }

    fn without(&self, squares: [(usize, usize); 2]) -> Self {
        let mut board = self.clone();
        for (row, column) in squares {
            match &mut board {
                Self::Region(squares) => *squares &= !(1 << (8 * row + column)),
                Self::Full { rows, .. } => rows[row][column / 64] &= !(1 << (column % 64)),
            }
        }
        board
    }

    /// The connected regions of at least two squares, each as a list of squares.
    fn regions(&self, visit: &mut dyn FnMut(&[(usize, usize)])) {
        let (width, height) = self.size();
        let mut seen = vec![false; width * height];
        let mut region = Vec::new();
        for start in 0..width * height {
            if seen[start] || !self.is_free(start / width, start % width) {
                continue;
            }
            region.clear();
            seen[start] = true;
            region.push((start / width, start % width));
            let mut next = 0;
            while next < region.len() {
                let (row, column) = region[next];
                next += 1;
                let near = [
                    (row > 0).then(|| (row - 1, column)),
                    (row + 1 < height).then_some((row + 1, column)),
                    (column > 0).then(|| (row, column - 1)),
                    (column + 1 < width).then_some((row, column + 1)),
                ];
                for (row, column) in near.into_iter().flatten() {
                    let index = row * width + column;
                    if !seen[index] && self.is_free(row, column) {
                        seen[index] = true;
                        region.push((row, column));
                    }
                }
            }
            if region.len() > 1 {
                visit(&region);
            }
        }
    }
}

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;

/// The squares next to some square of the set.
fn spread(squares: u64) -> u64 {
    squares
        | squares << 8
        | squares >> 8
        | (squares & !(FIRST_COLUMN << 7)) << 1
        | (squares & !FIRST_COLUMN) >> 1
}

/// Moves a set of squares against the upper and the left edge.
fn to_corner(mut squares: u64) -> u64 {
    squares >>= squares.trailing_zeros() / 8 * 8;
    let mut columns = squares | squares >> 32;
    columns |= columns >> 16;
    columns |= columns >> 8;
    squares >> (columns & 0xff).trailing_zeros()
}

/// The mirror image in the diagonal.
fn transpose(mut x: u64) -> u64 {
    let mut t = (x ^ (x >> 7)) & 0x00AA_00AA_00AA_00AA;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000_CCCC_0000_CCCC;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x0000_0000_F0F0_F0F0;
    x ^ t ^ (t << 28)
}

/// The least of the eight images of a set of squares, each moved to the corner.
fn least_image(squares: u64) -> u64 {
    let mut least = u64::MAX;
    for image in [squares, transpose(squares)] {
        let flipped = image.swap_bytes();
        for image in [image, flipped, image.reverse_bits(), flipped.reverse_bits()] {
            least = least.min(to_corner(image));
        }
    }
    least
}

impl Ruleset for Cram {
    type Part = Board;

    fn name(&self) -> &'static str {
        "cram"
    }

    fn write(&self, parts: &[Board]) -> String {
        let rows: Vec<String> = parts
            .iter()
            .flat_map(strings)
            .map(|row| format!("\"{row}\""))
            .collect();
        format!("cram([{}])", rows.join(", "))
    }

    fn options(&self, _: usize, board: &Board, visit: Visit<'_, Board>) -> ControlFlow<()> {
        let (width, height) = board.size();
        let mut place = |(row, column): (usize, usize), (row2, column2): (usize, usize)| {
            visit(&[board.without([(row, column), (row2, column2)])], &|| {
                let step = Step::new("domino")
                    .with("row", row)
                    .with("column", column)
                    .with("row2", row2)
                    .with("column2", column2);
                Move::new([row, column, row2, column2].map(|n| n as u64), step)
            })
        };
        if let Board::Region(squares) = board {
            let flat = squares & (squares & !FIRST_COLUMN) >> 1;
            let upright = squares & squares >> 8;
            for (starts, down, right) in [(flat, 0, 1), (upright, 1, 0)] {
                let mut rest = starts;
                while rest != 0 {
                    let square = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    place(
                        (square / 8, square % 8),
                        (square / 8 + down, square % 8 + right),
                    )?;
                }
            }
            return ControlFlow::Continue(());
        }
        (0..height).try_for_each(|row| {
            (0..width)
                .filter(|&column| board.is_free(row, column))
                .try_for_each(|column| {
                    if column + 1 < width && board.is_free(row, column + 1) {
                        place((row, column), (row, column + 1))?;
                    }
                    if row + 1 < height && board.is_free(row + 1, column) {
                        place((row, column), (row + 1, column))?;
                    }
                    ControlFlow::Continue(())
                })
        })
    }

    fn components(&self, board: &Board, visit: &mut dyn FnMut(Board)) {
        if let Board::Region(squares) = board {
            let mut rest = *squares;
            while rest != 0 {
                let mut region = rest & rest.wrapping_neg();
                loop {
                    let larger = spread(region) & rest;
                    if larger == region {
                        break;
                    }
                    region = larger;
                }
                rest &= !region;
                if !region.is_power_of_two() {
                    visit(Board::Region(least_image(region)));
                }
            }
            return;
        }
        board.regions(&mut |region| {
            let side = |of: &dyn Fn(&(usize, usize)) -> usize| {
                let least = region.iter().map(of).min().unwrap_or(0);
                let most = region.iter().map(of).max().unwrap_or(0);
                (least, most - least + 1)
            };
            let ((top, height), (left, width)) =
                (side(&|square| square.0), side(&|square| square.1));
            if height <= 8 && width <= 8 {
                let bits = region.iter().fold(0, |bits, (row, column)| {
                    bits | 1 << (8 * (row - top) + column - left)
                });
                return visit(Board::Region(least_image(bits)));
            }
            let mut rows = vec![vec![0u64; width.div_ceil(64)]; height];
            for (row, column) in region {
                let column = column - left;
                rows[row - top][column / 64] |= 1 << (column % 64);
            }
            visit(Board::Full { width, rows });
        });
    }

    fn outcome(&self, board: &Board, play: Play) -> Option<Known<Outcome>> {
        let Board::Full { width, rows } = board else {
            return None;
        };
        let free: usize = rows
            .iter()
            .flatten()
            .map(|word| word.count_ones() as usize)
            .sum();
        let (even, other_even) = (width.is_multiple_of(2), rows.len().is_multiple_of(2));
        if play == Play::Misere || free != width * rows.len() || !(even || other_even) || free == 0
        {
            return None;
        }
        Some(Known {
            value: Outcome::from_win(!(even && other_even)),
            theorem: &SYMMETRY,
        })
    }

    fn picture(&self, parts: &[Board]) -> Picture {
        Picture::Board(parts.iter().flat_map(strings).take(60).collect())
    }
}

/// The rows of a board as strings.
fn strings(board: &Board) -> Vec<String> {
    let (width, height) = board.size();
    let square = |row, column| if board.is_free(row, column) { '.' } else { '#' };
    (0..height)
        .map(|row| (0..width).map(|column| square(row, column)).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_a_region_are_one() {
        let region = 0b0000_0011 | 0b0000_0001 << 8 | 0b0000_0001 << 16;
        let turned = [
            transpose(region),
            region.swap_bytes(),
            region.reverse_bits(),
            transpose(region.swap_bytes()),
            region << 18,
        ];
        for image in turned {
            assert_eq!(least_image(image), least_image(region));
        }
        assert_eq!(transpose(0b10), 1 << 8);
    }
}
