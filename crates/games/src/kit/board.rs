//! Boards for dominoes: squares that are free or blocked, and the connected regions they fall into.

pub(crate) mod ranked;

use std::ops::ControlFlow;

use grundy_base::message;

use super::grid::{Images, Lie, STRAIGHT};
use super::planes::Planes;
use super::slots::Rows;
use crate::argument::{Arguments, squares};
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::step::{Move, Step};
use grundy_engine::move_counts::Reserve;

/// A board, or a connected region of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Board {
    /// Free squares on an 8 by 8 board, bit 8 r + c, moved to the corner and turned so that the number is least.
    Region(u64),
    /// Free squares on a board of at most 128 squares; a region that does not fit 8 by 8, turned so that it is least.
    Wide(Planes<1>),
    /// Any board.
    Full(Grid),
}

/// A board of any size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Grid {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Free squares, row after row; each row begins a word.
    pub(crate) words: Vec<u64>,
}

impl Grid {
    pub(crate) fn blocked(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            words: vec![0; width.div_ceil(64) * height],
        }
    }

    pub(crate) fn word(&self, row: usize, column: usize) -> usize {
        row * self.width.div_ceil(64) + column / 64
    }

    pub(crate) fn is_free(&self, row: usize, column: usize) -> bool {
        self.words[self.word(row, column)] >> (column % 64) & 1 == 1
    }

    pub(crate) fn set(&mut self, row: usize, columns: std::ops::Range<usize>, free: bool) {
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
    pub(crate) fn find(&self, row: usize, mut column: usize, free: bool) -> usize {
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
    pub(crate) fn run_start(&self, row: usize, mut column: usize) -> usize {
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
    pub(crate) fn take_region(&mut self, row: usize, column: usize) -> Vec<(usize, usize, usize)> {
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
    pub(crate) fn regions(&self, visit: &mut dyn FnMut(&[(usize, usize, usize)])) {
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
}

/// Most squares of a board.
const SQUARES: usize = 1_000_000;

/// Reads the argument `board`: strings of equal length.
///
/// # Errors
/// Anything but strings of `.` and `#` of one length.
pub(crate) fn read(arguments: &Arguments<'_>) -> Result<Board, Diagnostic> {
    let [Some((at, board))] = arguments.bind(["board"], 1)? else {
        return Err(Diagnostic::illegal(message!("the board is missing")));
    };
    let help = message!("write . for a free square and # for a blocked one");
    let board = squares(board, &[at], ".#", &help, SQUARES)?;
    let mut grid = Grid::blocked(board.width, board.height);
    for (square, _) in (0..).zip(&board.letters).filter(|(_, c)| **c == b'.') {
        let (row, column) = (square / board.width, square % board.width);
        grid.set(row, column..column + 1, true);
    }
    Ok(Board::Full(grid))
}

impl Board {
    pub(crate) fn size(&self) -> (usize, usize) {
        match self {
            Self::Region(_) => (8, 8),
            Self::Wide(planes) => (planes.width as usize, planes.height as usize),
            Self::Full(grid) => (grid.width, grid.height),
        }
    }

    pub(crate) fn is_free(&self, row: usize, column: usize) -> bool {
        match self {
            Self::Region(squares) => squares >> (8 * row + column) & 1 == 1,
            Self::Wide(planes) => planes.sets[0] >> planes.square(row, column) & 1 == 1,
            Self::Full(grid) => grid.is_free(row, column),
        }
    }

    pub(crate) fn without(&self, squares: [(usize, usize); 2]) -> Self {
        let mut board = self.clone();
        for (row, column) in squares {
            match &mut board {
                Self::Region(squares) => *squares &= !(1 << (8 * row + column)),
                Self::Wide(planes) => planes.sets[0] &= !(1 << planes.square(row, column)),
                Self::Full(grid) => grid.set(row, column..column + 1, false),
            }
        }
        board
    }

    /// Visits the places for a domino: the board after it and the move. Square by square; a flat domino comes first.
    pub(crate) fn dominoes(
        &self,
        lies: &[Lie],
        visit: &mut dyn FnMut(Self, &dyn Fn() -> Move) -> Flow,
    ) -> Flow {
        let mut place =
            |first: (usize, usize), second: (usize, usize)| self.place([first, second], visit);
        if let Self::Region(squares) = self {
            for lie in lies {
                let (starts, down, right) = match lie {
                    Lie::Flat => (squares & (squares & !FIRST_COLUMN) >> 1, 0, 1),
                    Lie::Upright => (squares & squares >> 8, 1, 0),
                };
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
        if let Self::Wide(planes) = self {
            let (squares, width) = (planes.sets[0], planes.width as usize);
            for lie in lies {
                let (down, right) = match lie {
                    Lie::Flat => (0, 1),
                    Lie::Upright => (1, 0),
                };
                let mut rest = squares & planes.stepped_back(squares, [down, right]);
                while rest != 0 {
                    let square = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    let (row, column) = (square / width, square % width);
                    place((row, column), (row + down, column + right))?;
                }
            }
            return ControlFlow::Continue(());
        }
        let (width, height) = self.size();
        for row in 0..height {
            for column in (0..width).filter(|&column| self.is_free(row, column)) {
                for lie in lies {
                    let (row2, column2) = match lie {
                        Lie::Flat => (row, column + 1),
                        Lie::Upright => (row + 1, column),
                    };
                    if row2 < height && column2 < width && self.is_free(row2, column2) {
                        place((row, column), (row2, column2))?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// As [`Board::dominoes`], in the order of their promise where they part the players: first those that lie an odd number of squares
    /// from the nearer edge beside them, for that leaves room there that only dominoes that lie so can fill; of these and of the others
    /// those nearest to the edges before them.
    pub(crate) fn dominoes_inwards(
        &self,
        lie: Lie,
        visit: &mut dyn FnMut(Self, &dyn Fn() -> Move) -> Flow,
    ) -> Flow {
        let (width, height) = match *self {
            Self::Region(squares) => extent(squares),
            _ => self.size(),
        };
        let (lines, across) = match lie {
            Lie::Flat => (width, height),
            Lie::Upright => (height, width),
        };
        let at = |line: usize, place: usize| match lie {
            Lie::Flat => (place, line),
            Lie::Upright => (line, place),
        };
        // What lies so far from either end.
        let ends = |distance: usize, length: usize| {
            let other = length - 1 - distance;
            [Some(distance), (other > distance).then_some(other)]
                .into_iter()
                .flatten()
        };
        let starts = lines.saturating_sub(1);
        for rest in [1, 0] {
            for before in 0..starts.div_ceil(2) {
                for beside in (rest..across.div_ceil(2)).step_by(2) {
                    for line in ends(before, starts) {
                        for place in ends(beside, across) {
                            let squares = [at(line, place), at(line + 1, place)];
                            if squares
                                .iter()
                                .all(|&(row, column)| self.is_free(row, column))
                            {
                                self.place(squares, visit)?;
                            }
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits what a domino leaves.
    fn place(
        &self,
        squares: [(usize, usize); 2],
        visit: &mut dyn FnMut(Self, &dyn Fn() -> Move) -> Flow,
    ) -> Flow {
        visit(self.without(squares), &|| {
            let [(row, column), (row2, column2)] = squares;
            let step = Step::new("domino")
                .with("row", row)
                .with("column", column)
                .with("row2", row2)
                .with("column2", column2);
            Move::new([row, column, row2, column2].map(|n| n as u64), step)
        })
    }

    /// A region that is cut out, as the least of its images.
    fn of_planes(region: &Planes<1>, images: Images) -> Self {
        if region.height > 8 || region.width > 8 {
            return Self::Wide(region.least(images));
        }
        let line = (1 << region.width) - 1;
        let rows = (0..region.height).rev();
        let squares = rows.fold(0, |squares, row| {
            squares << 8 | (region.sets[0] >> (row * region.width)) as u64 & line
        });
        Self::Region(least_image(squares, images))
    }

    /// Visits the connected regions of at least two squares, each as the least of its images.
    pub(crate) fn regions(&self, images: Images, visit: &mut dyn FnMut(Self)) {
        if let Board::Region(squares) = self {
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
                    visit(Board::Region(least_image(region, images)));
                }
            }
            return;
        }
        let grid = match self {
            Board::Full(grid) => grid,
            Board::Wide(planes) => {
                return planes.groups(planes.sets[0], STRAIGHT, [false], &mut |group| {
                    visit(Self::of_planes(&group, images));
                });
            }
            Board::Region(_) => return,
        };
        grid.regions(&mut |runs| {
            let top = runs.iter().map(|run| run.0).min().unwrap_or(0);
            let bottom = runs.iter().map(|run| run.0 + 1).max().unwrap_or(0);
            let left = runs.iter().map(|run| run.1).min().unwrap_or(0);
            let right = runs.iter().map(|run| run.2).max().unwrap_or(0);
            let (height, width) = (bottom - top, right - left);
            if height * width <= 128 {
                let squares = runs.iter().fold(0u128, |squares, (row, start, end)| {
                    let run = u128::MAX >> (128 - (end - start));
                    squares | run << (width * (row - top) + start - left)
                });
                let planes = Planes {
                    height: height as u32,
                    width: width as u32,
                    sets: [squares],
                };
                return visit(Self::of_planes(&planes, images));
            }
            let mut region = Grid::blocked(width, height);
            for &(row, start, end) in runs {
                region.set(row - top, start - left..end - left, true);
            }
            visit(Board::Full(region));
        });
    }

    /// What each player has in reserve: Left, who places dominoes upright, and Right.
    pub(crate) fn reserves(&self) -> [Reserve; 2] {
        let lies = [Lie::Upright, Lie::Flat];
        match self {
            Self::Region(squares) => {
                let rows = Rows {
                    width: 8,
                    edges: [FIRST_COLUMN, FIRST_COLUMN << 7],
                };
                lies.map(|lie| rows.reserve(*squares, lie))
            }
            Self::Wide(planes) => {
                let rows = Rows {
                    width: planes.width,
                    edges: planes.edges(),
                };
                lies.map(|lie| rows.reserve(planes.sets[0], lie))
            }
            Self::Full(_) => {
                let [upright, flat] = lies.map(|lie| self.room(lie));
                [[upright, flat], [flat, upright]].map(|[own, other]| Reserve {
                    safe: own[1],
                    against: other[0],
                    spare: other[2],
                    ..Reserve::default()
                })
            }
        }
    }

    /// The most dominoes that can lie so, how many of them lie where no other domino can touch them, and how many runs of squares are
    /// odd.
    fn room(&self, lie: Lie) -> [i32; 3] {
        let (width, height) = self.size();
        let (lines, length) = match lie {
            Lie::Flat => (height, width),
            Lie::Upright => (width, height),
        };
        let at = |line: usize, place: usize| match lie {
            Lie::Flat => (line, place),
            Lie::Upright => (place, line),
        };
        let free = |line: usize, place: usize| {
            line < lines && place < length && {
                let (row, column) = at(line, place);
                self.is_free(row, column)
            }
        };
        let mut count = [0, 0, 0];
        for line in 0..lines {
            let mut runs = [0, 0];
            for place in 0..=length {
                let here = free(line, place);
                let safe = here && !free(line + 1, place) && !free(line.wrapping_sub(1), place);
                count[2] += i32::from(!here && runs[0] == 1);
                for (index, here) in [here, safe].into_iter().enumerate() {
                    runs[index] = if here { runs[index] + 1 } else { 0 };
                    if runs[index] == 2 {
                        runs[index] = 0;
                        count[index] += 1;
                    }
                }
            }
        }
        count
    }

    /// The mirror image in the diagonal; of at most 128 squares the least of its four images.
    pub(crate) fn transposed(&self) -> Self {
        let grid = match self {
            Self::Region(squares) => {
                return Self::Region(least_image(transpose(*squares), Images::Four));
            }
            Self::Wide(planes) => return Self::Wide(planes.transposed().least(Images::Four)),
            Self::Full(grid) => grid,
        };
        let mut mirrored = Grid::blocked(grid.height, grid.width);
        for row in 0..grid.height {
            let mut column = grid.find(row, 0, true);
            while column < grid.width {
                mirrored.set(column, row..row + 1, true);
                column = grid.find(row, column + 1, true);
            }
        }
        Self::Full(mirrored)
    }

    /// The rows as strings.
    pub(crate) fn strings(&self) -> Vec<String> {
        let (width, height) = match *self {
            Self::Region(squares) if squares != 0 => extent(squares),
            _ => self.size(),
        };
        let square = |row, column| {
            if self.is_free(row, column) { '.' } else { '#' }
        };
        (0..height)
            .map(|row| (0..width).map(|column| square(row, column)).collect())
            .collect()
    }

    /// `name(["...", "..."])`.
    pub(crate) fn write(&self, name: &str) -> String {
        let rows: Vec<String> = self
            .strings()
            .iter()
            .map(|row| format!("\"{row}\""))
            .collect();
        format!("{name}([{}])", rows.join(", "))
    }
}

pub(crate) const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;

/// The squares next to some square of the set.
pub(crate) fn spread(squares: u64) -> u64 {
    squares
        | squares << 8
        | squares >> 8
        | (squares & !(FIRST_COLUMN << 7)) << 1
        | (squares & !FIRST_COLUMN) >> 1
}

/// How many columns and rows of the 8 by 8 board hold a set of squares.
fn extent(squares: u64) -> (usize, usize) {
    let length = |bits: u64| (u64::BITS - bits.leading_zeros()) as usize;
    (length(columns(squares)), length(squares).div_ceil(8))
}

/// The columns in which a set has squares, one bit each.
pub(crate) fn columns(squares: u64) -> u64 {
    let mut columns = squares | squares >> 32;
    columns |= columns >> 16;
    columns |= columns >> 8;
    columns & 0xff
}

/// Moves a set of squares against the upper and the left edge.
pub(crate) fn to_corner(squares: u64) -> u64 {
    if squares == 0 {
        return 0;
    }
    let squares = squares >> (squares.trailing_zeros() / 8 * 8);
    squares >> columns(squares).trailing_zeros()
}

/// The mirror image in the diagonal.
pub(crate) fn transpose(mut x: u64) -> u64 {
    let mut t = (x ^ (x >> 7)) & 0x00AA_00AA_00AA_00AA;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000_CCCC_0000_CCCC;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x0000_0000_F0F0_F0F0;
    x ^ t ^ (t << 28)
}

/// The least of the images of a set of squares, each moved to the corner.
pub(crate) fn least_image(squares: u64, images: Images) -> u64 {
    let mut least = u64::MAX;
    let turned = (images == Images::Eight).then(|| transpose(squares));
    for image in [Some(squares), turned].into_iter().flatten() {
        let flipped = image.swap_bytes();
        for image in [image, flipped, image.reverse_bits(), flipped.reverse_bits()] {
            least = least.min(to_corner(image));
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_a_region_are_one() {
        let region = 0b0000_0011 | 0b0000_0001 << 8 | 0b0000_0001 << 16;
        let turned = transpose(region);
        for image in [region.swap_bytes(), region.reverse_bits(), region << 18] {
            for images in [Images::Four, Images::Eight] {
                assert_eq!(least_image(image, images), least_image(region, images));
            }
        }
        assert_eq!(
            least_image(turned, Images::Eight),
            least_image(region, Images::Eight)
        );
        assert_ne!(
            least_image(turned, Images::Four),
            least_image(region, Images::Four)
        );
        assert_eq!(transpose(0b10), 1 << 8);
    }
}
