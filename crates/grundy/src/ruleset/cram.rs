//! Cram: `cram(board)`.
//!
//! Rules. The board is a list of strings, `.` for a free square and `#` for a blocked one. A move places a domino on two
//! free neighbouring squares, upright or flat. Whoever cannot move loses.
//!
//! Theorem (M. Gardner, Scientific American, February 1974; E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, ch. 15).
//! On a free rectangle the second player wins by point symmetry when both sides are even; the first player wins when one
//! side is even and the other odd, by the domino in the middle and then by symmetry. The same holds for every board that
//! a half-turn leaves as it is: if no domino meets its own image, the answer to each move is its image, so the value is
//! 0; if just the domino in the middle does, it wins.
//!
//! For a free rectangle with two odd sides, and for boards without symmetry, nothing is known in general: the values come
//! from search.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{Known, Ruleset, Structure, Theorem, Visit};
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
    statement: "a board that a half-turn leaves as it is is P when no domino meets its own image, \
                and N when only the domino in the middle does",
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
    /// Any board.
    Full(Grid),
}

/// A board of any size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Grid {
    width: usize,
    height: usize,
    /// Free squares, row after row; each row begins a word.
    words: Vec<u64>,
}

impl Grid {
    fn blocked(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            words: vec![0; width.div_ceil(64) * height],
        }
    }

    fn word(&self, row: usize, column: usize) -> usize {
        row * self.width.div_ceil(64) + column / 64
    }

    fn is_free(&self, row: usize, column: usize) -> bool {
        self.words[self.word(row, column)] >> (column % 64) & 1 == 1
    }

    fn set(&mut self, row: usize, columns: std::ops::Range<usize>, free: bool) {
        let mut column = columns.start;
        while column < columns.end {
            let end = columns.end.min((column / 64 + 1) * 64);
            let mask = u64::MAX >> (64 - (end - column)) << (column % 64);
            let word = self.word(row, column);
            if free {
                self.words[word] |= mask;
            } else {
                self.words[word] &= !mask;
            }
            column = end;
        }
    }

    /// The first square from `column` on that is free, or is not, as asked; the width if there is none.
    fn find(&self, row: usize, mut column: usize, free: bool) -> usize {
        while column < self.width {
            let word = self.words[self.word(row, column)];
            let word = if free { word } else { !word } >> (column % 64);
            if word != 0 {
                return self.width.min(column + word.trailing_zeros() as usize);
            }
            column = (column / 64 + 1) * 64;
        }
        self.width
    }

    /// The first square of the run of free squares that `column` is in.
    fn run_start(&self, row: usize, mut column: usize) -> usize {
        loop {
            let word = self.words[self.word(row, column)];
            let ones = (word << (63 - column % 64)).leading_ones() as usize;
            if ones <= column % 64 || column < ones {
                return column + 1 - ones;
            }
            column -= ones;
            if !self.is_free(row, column) {
                return column + 1;
            }
        }
    }

    /// Takes out the connected region of a free square: its runs, as row, first column and the column after the last.
    fn take_region(&mut self, row: usize, column: usize) -> Vec<(usize, usize, usize)> {
        let mut runs = Vec::new();
        let mut waiting = vec![(row, column)];
        while let Some((row, column)) = waiting.pop() {
            if !self.is_free(row, column) {
                continue;
            }
            let (start, end) = (self.run_start(row, column), self.find(row, column, false));
            self.set(row, start..end, false);
            runs.push((row, start, end));
            let above = row.checked_sub(1);
            let below = Some(row + 1).filter(|&row| row < self.height);
            for near in [above, below].into_iter().flatten() {
                let mut column = self.find(near, start, true);
                while column < end {
                    waiting.push((near, column));
                    column = self.find(near, self.find(near, column, false), true);
                }
            }
        }
        runs
    }

    /// Visits the connected regions of at least two squares.
    fn regions(&self, visit: &mut dyn FnMut(&[(usize, usize, usize)])) {
        let mut rest = self.clone();
        for row in 0..self.height {
            let mut column = rest.find(row, 0, true);
            while column < self.width {
                let region = rest.take_region(row, column);
                if region.len() > 1 || region.iter().any(|(_, start, end)| end - start > 1) {
                    visit(&region);
                }
                column = rest.find(row, column, true);
            }
        }
    }

    /// The outcome by symmetry.
    fn outcome(&self) -> Option<Outcome> {
        let rows = || (0..self.height).filter(|&row| self.find(row, 0, true) < self.width);
        let (Some(top), Some(bottom)) = (rows().next(), rows().next_back()) else {
            return Some(Outcome::P);
        };
        let left = rows().map(|row| self.find(row, 0, true)).min()?;
        let last = |row| {
            let words = &self.words[self.word(row, 0)..=self.word(row, self.width - 1)];
            let word = words.iter().rposition(|&word| word != 0)?;
            Some(64 * word + words[word].ilog2() as usize)
        };
        let right = rows().filter_map(last).max()?;
        let symmetric = (top..=top + (bottom - top) / 2).all(|row| {
            (left..=right).all(|column| {
                self.is_free(row, column) == self.is_free(top + bottom - row, left + right - column)
            })
        });
        let middle = self.is_free(usize::midpoint(top, bottom), usize::midpoint(left, right));
        symmetric
            .then(|| by_symmetry(bottom - top + 1, right - left + 1, middle))
            .flatten()
    }
}

/// The outcome of a board that a half-turn leaves as it is; `middle` tells whether a square in the middle is free.
fn by_symmetry(height: usize, width: usize, middle: bool) -> Option<Outcome> {
    match (height % 2 + width % 2, middle) {
        (0, _) | (_, false) => Some(Outcome::P),
        // The two squares in the middle are images of each other: both are free.
        (1, true) => Some(Outcome::N),
        // Four dominoes cover the square in the middle.
        _ => None,
    }
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
    let mut grid = Grid::default();
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
        if (grid.height + 1).saturating_mul(first.max(1)) > SQUARES {
            return Err(Refusal::illegal(format!(
                "a board of more than {SQUARES} squares is too large"
            ))
            .at([at])
            .help("the value of a sum of smaller boards is the nim-sum of theirs"));
        }
        grid.width = first;
        grid.words.resize(grid.words.len() + first.div_ceil(64), 0);
        for (column, _) in row.bytes().enumerate().filter(|(_, c)| *c == b'.') {
            grid.set(grid.height, column..column + 1, true);
        }
        grid.height += 1;
    }
    Ok(Term::new(Cram, vec![Board::Full(grid)]).into())
}

impl Board {
    fn size(&self) -> (usize, usize) {
        match self {
            Self::Region(_) => (8, 8),
            Self::Full(grid) => (grid.width, grid.height),
        }
    }

    fn is_free(&self, row: usize, column: usize) -> bool {
        match self {
            Self::Region(squares) => squares >> (8 * row + column) & 1 == 1,
            Self::Full(grid) => grid.is_free(row, column),
        }
    }

    fn without(&self, squares: [(usize, usize); 2]) -> Self {
        let mut board = self.clone();
        for (row, column) in squares {
            match &mut board {
                Self::Region(squares) => *squares &= !(1 << (8 * row + column)),
                Self::Full(grid) => grid.set(row, column..column + 1, false),
            }
        }
        board
    }

    /// The outcome by symmetry.
    fn outcome_by_symmetry(&self) -> Option<Outcome> {
        match self {
            Self::Region(squares) => {
                let squares = to_corner(*squares);
                if squares == 0 {
                    return Some(Outcome::P);
                }
                let (height, width) = (
                    squares.ilog2() as usize / 8 + 1,
                    columns(squares).ilog2() as usize + 1,
                );
                let middle = self.is_free((height - 1) / 2, (width - 1) / 2);
                (to_corner(squares.reverse_bits()) == squares)
                    .then(|| by_symmetry(height, width, middle))
                    .flatten()
            }
            Self::Full(grid) => grid.outcome(),
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

/// The columns in which a set has squares, one bit each.
fn columns(squares: u64) -> u64 {
    let mut columns = squares | squares >> 32;
    columns |= columns >> 16;
    columns |= columns >> 8;
    columns & 0xff
}

/// Moves a set of squares against the upper and the left edge.
fn to_corner(squares: u64) -> u64 {
    if squares == 0 {
        return 0;
    }
    let squares = squares >> (squares.trailing_zeros() / 8 * 8);
    squares >> columns(squares).trailing_zeros()
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
        let Board::Full(grid) = board else { return };
        grid.regions(&mut |runs| {
            let top = runs.iter().map(|run| run.0).min().unwrap_or(0);
            let bottom = runs.iter().map(|run| run.0 + 1).max().unwrap_or(0);
            let left = runs.iter().map(|run| run.1).min().unwrap_or(0);
            let right = runs.iter().map(|run| run.2).max().unwrap_or(0);
            if bottom - top <= 8 && right - left <= 8 {
                let bits = runs.iter().fold(0, |bits, (row, start, end)| {
                    let run = (1u64 << (end - start)) - 1;
                    bits | run << (8 * (row - top) + start - left)
                });
                return visit(Board::Region(least_image(bits)));
            }
            let mut region = Grid::blocked(right - left, bottom - top);
            for &(row, start, end) in runs {
                region.set(row - top, start - left..end - left, true);
            }
            visit(Board::Full(region));
        });
    }

    fn structure<'a>(&'a self, _: &Board) -> Structure<'a> {
        Structure::Splitting
    }

    fn size(&self, board: &Board) -> u64 {
        match board {
            Board::Region(squares) => u64::from(squares.count_ones()),
            Board::Full(grid) => grid
                .words
                .iter()
                .map(|word| u64::from(word.count_ones()))
                .sum(),
        }
    }

    fn grundy(&self, board: &Board) -> Option<Known<u64>> {
        let lost = board.outcome_by_symmetry()? == Outcome::P;
        lost.then_some(Known {
            value: 0,
            theorem: &SYMMETRY,
        })
    }

    fn outcome(&self, board: &Board, play: Play) -> Option<Known<Outcome>> {
        if play == Play::Misere {
            return None;
        }
        Some(Known {
            value: board.outcome_by_symmetry()?,
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

    /// The board of `height` rows and `width` columns whose free squares are the bits of `set`.
    fn grid(height: usize, width: usize, set: u64) -> Grid {
        let mut grid = Grid::blocked(width, height);
        for square in (0..height * width).filter(|square| set >> square & 1 == 1) {
            grid.set(square / width, square % width..square % width + 1, true);
        }
        grid
    }

    #[test]
    fn symmetry_follows_the_definition() {
        for (height, width) in [(3, 4), (4, 3), (2, 6), (1, 11), (3, 3)] {
            // Boards as sets of bits; every move leads to a smaller number.
            let mut values: Vec<u64> = Vec::new();
            let mut components = Vec::new();
            for set in 0..1u64 << (height * width) {
                let board = Board::Full(grid(height, width, set));
                let mut options = Vec::new();
                let _ = Cram.options(0, &board, &mut |left, name| {
                    let at: Vec<usize> = name().at.iter().map(|&n| n as usize).collect();
                    let rest =
                        set & !(1 << (at[0] * width + at[1])) & !(1 << (at[2] * width + at[3]));
                    assert_eq!(left, [Board::Full(grid(height, width, rest))]);
                    options.push(values[rest as usize]);
                    ControlFlow::Continue(())
                });
                let value = crate::mex(options);
                if let Some(known) = Cram.outcome(&board, Play::Normal) {
                    assert_eq!(known.value, Outcome::from_win(value != 0), "{board:?}");
                }
                // Regions together have the value of the board, whatever image stands for them.
                let mut images = Vec::new();
                Cram.components(&board, &mut |part| {
                    let mut free = 0u64;
                    let (columns, rows) = part.size();
                    let upright = (0..columns)
                        .any(|c| c >= width && (0..rows).any(|r| part.is_free(r, c)))
                        || (0..rows)
                            .any(|r| r >= height && (0..columns).any(|c| part.is_free(r, c)));
                    for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
                        let (row, column) = if upright { (c, r) } else { (r, c) };
                        if part.is_free(r, c) {
                            free |= 1 << (row * width + column);
                        }
                    }
                    images.push(free);
                    // Symmetry is seen in the small form as in the large one.
                    if let Board::Region(_) = part {
                        let small = part.outcome_by_symmetry();
                        assert_eq!(small, grid(height, width, free).outcome(), "{part:?}");
                    }
                });
                values.push(value);
                components.push(images);
            }
            for (value, images) in values.iter().zip(components) {
                let sum = images
                    .iter()
                    .fold(0, |sum, &set| sum ^ values[set as usize]);
                assert_eq!(*value, sum, "regions {images:?}");
            }
        }
    }

    #[test]
    fn wide_boards_fall_into_their_regions() {
        let mut wide = Grid::blocked(200, 3);
        wide.set(0, 10..150, true);
        wide.set(1, 149..150, true);
        wide.set(2, 60..199, true);
        let mut parts = Vec::new();
        Cram.components(&Board::Full(wide.clone()), &mut |part| parts.push(part));
        assert_eq!(parts.len(), 1);
        wide.set(1, 149..150, false);
        parts.clear();
        Cram.components(&Board::Full(wide), &mut |part| parts.push(part));
        let strip = |length| {
            let mut strip = Grid::blocked(length, 1);
            strip.set(0, 0..length, true);
            Board::Full(strip)
        };
        assert_eq!(parts, [strip(140), strip(139)]);
    }
}
