//! Boards of any size. Free squares are processed as runs of a row, and images of a board are
//! permutations of its squares.

use std::ops::Range;

use super::grid::{Frame, Layout, Symmetries};

/// A board of any size, with free and blocked squares.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Grid {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// The free squares as bits, row by row. Each row begins with a new word.
    pub(crate) words: Vec<u64>,
}

impl Grid {
    /// Creates a board without free squares.
    pub(crate) fn blocked(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            words: vec![0; width.div_ceil(64) * height],
        }
    }

    /// Returns the index of the word that contains a square.
    pub(crate) fn word(&self, row: usize, column: usize) -> usize {
        row * self.width.div_ceil(64) + column / 64
    }

    /// Returns whether a square is free.
    pub(crate) fn is_free(&self, row: usize, column: usize) -> bool {
        self.words[self.word(row, column)] >> (column % 64) & 1 == 1
    }

    /// Makes a range of squares in a row free or blocked.
    pub(crate) fn set(&mut self, row: usize, columns: Range<usize>, free: bool) {
        let mut column = columns.start;
        while column < columns.end {
            // One word at a time. `end - column` is from 1 to 64, so the shift is less than 64.
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

    /// Returns the first free column at or after `column` if `free` is `true`, or else the first
    /// blocked one. Returns the width if there is no such column.
    pub(crate) fn find(&self, row: usize, mut column: usize, free: bool) -> usize {
        while column < self.width {
            let word = self.words[self.word(row, column)];
            let word = if free { word } else { !word } >> (column % 64);
            if word != 0 {
                // A search for blocked squares may find the padding after the last column.
                return self.width.min(column + word.trailing_zeros() as usize);
            }
            column = (column / 64 + 1) * 64;
        }
        self.width
    }

    /// Removes from the board the connected region that contains the free square `first`. Returns
    /// the upper left corner of its bounding box, and the region as a board.
    fn take_region(&mut self, first: [usize; 2], diagonally: bool) -> ([usize; 2], Self) {
        // If diagonal steps are allowed, a run also touches the squares just beyond its ends in the
        // rows above and below.
        let reach = usize::from(diagonally);
        let (mut low, mut high) = (first, first);
        let mut runs = Vec::new();
        let mut stack = vec![first];
        while let Some([row, mut start]) = stack.pop() {
            // The run was already visited from another run.
            if !self.is_free(row, start) {
                continue;
            }
            while start > 0 && self.is_free(row, start - 1) {
                start -= 1;
            }
            let end = self.find(row, start, false);
            // Blocking a run marks it as visited, so each run is expanded once.
            self.set(row, start..end, false);
            runs.push((row, start..end));
            (low, high) = (
                [low[0].min(row), low[1].min(start)],
                [high[0].max(row), high[1].max(end - 1)],
            );
            let above = row.checked_sub(1);
            let below = Some(row + 1).filter(|&row| row < self.height);
            for near in [above, below].into_iter().flatten() {
                let mut column = self.find(near, start.saturating_sub(reach), true);
                while column < self.width.min(end + reach) {
                    stack.push([near, column]);
                    column = self.find(near, self.find(near, column, false), true);
                }
            }
        }
        let mut region = Self::blocked(high[1] + 1 - low[1], high[0] + 1 - low[0]);
        for (row, columns) in runs {
            let columns = columns.start - low[1]..columns.end - low[1];
            region.set(row - low[0], columns, true);
        }
        (low, region)
    }

    /// Visits the connected regions of at least two squares. Each is passed with the upper left
    /// corner of its bounding box.
    ///
    /// The flood fill works on runs of free squares in a row. A flood fill of bit sets would
    /// process the whole board in each step.
    pub(crate) fn regions(&self, diagonally: bool, visit: &mut dyn FnMut([usize; 2], Self)) {
        let mut rest = self.clone();
        for row in 0..self.height {
            let mut column = rest.find(row, 0, true);
            while column < self.width {
                let (corner, region) = rest.take_region([row, column], diagonally);
                if region.height > 1 || region.width > 1 {
                    visit(corner, region);
                }
                column = rest.find(row, column, true);
            }
        }
    }

    /// Returns the free squares as one bit set, and its frame (the size of the board and the
    /// arrangement of its rows). Returns `None` unless the board has 1 to 128 squares.
    pub(crate) fn squares(&self) -> Option<(Frame, u128)> {
        if !(1..=128).contains(&(self.width * self.height)) {
            return None;
        }
        let frame = Frame::new(self.height as u32, self.width as u32, Layout::Tight);
        let words = self.width.div_ceil(64);
        let first_bit = |n: usize| n / words * self.width + n % words * 64;
        let moved = |(n, &word)| u128::from(word) << first_bit(n);
        let squares = self.words.iter().enumerate().map(moved);
        Some((frame, squares.fold(0, |all, squares| all | squares)))
    }

    /// Returns the transpose of the board.
    pub(crate) fn transposed(&self) -> Self {
        let mut mirrored = Self::blocked(self.height, self.width);
        for row in 0..self.height {
            let mut column = self.find(row, 0, true);
            while column < self.width {
                mirrored.set(column, row..row + 1, true);
                column = self.find(row, column + 1, true);
            }
        }
        mirrored
    }
}

/// An image of a board of any size under a symmetry. It refers to the squares of the board without
/// copying them.
///
/// The squares of the board are numbered row by row. An image is given by the number of its first
/// square and by the changes of this number for steps down and right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    pub(crate) height: usize,
    pub(crate) width: usize,
    first: isize,
    down: isize,
    right: isize,
}

impl View {
    /// Creates the image of a board under the identity.
    pub(crate) fn new(height: usize, width: usize) -> Self {
        Self {
            height,
            width,
            first: 0,
            down: width as isize,
            right: 1,
        }
    }

    /// Returns the images of the board under the group `symmetries`. If all eight symmetries are
    /// allowed, only images that are no taller than wide are returned.
    pub(crate) fn images(self, symmetries: Symmetries) -> impl Iterator<Item = Self> {
        let turns = match symmetries {
            Symmetries::Eight if self.height > self.width => [None, Some(self.transposed())],
            Symmetries::Eight if self.height == self.width => [Some(self), Some(self.transposed())],
            _ => [Some(self), None],
        };
        let flips = |view: Self| [view, view.flipped_rows()];
        let turns = turns.into_iter().flatten().flat_map(flips);
        // Reflecting the transpose and transposing back yields the left-right reflection.
        turns.flat_map(move |view| flips(view.transposed()).map(Self::transposed))
    }

    /// Returns the image with its rows in reverse order.
    fn flipped_rows(self) -> Self {
        Self {
            first: self.first + (self.height as isize - 1) * self.down,
            down: -self.down,
            ..self
        }
    }

    /// Returns the transpose of the image.
    pub(crate) fn transposed(self) -> Self {
        Self {
            height: self.width,
            width: self.height,
            down: self.right,
            right: self.down,
            ..self
        }
    }

    /// Returns the squares of the image, row by row. Each is given as its index in the board.
    pub(crate) fn squares(self) -> impl Iterator<Item = usize> {
        (0..self.height as isize).flat_map(move |row| {
            let start = self.first + row * self.down;
            (0..self.width as isize).map(move |column| (start + column * self.right) as usize)
        })
    }
}
