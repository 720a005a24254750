//! A sieve by several workers. The table is divided into stretches, each of which belongs to one
//! worker.
//!
//! A move stays within a stretch or leads to a stretch of smaller height. So all stretches of the
//! same height can be sieved at the same time, once the lower ones are finished. First, the owners
//! find the lost positions from the marks. Next, the owners of their options report the largest
//! remoteness among these, from which the remoteness of the lost position follows. Finally, the
//! lost positions mark their predecessors in all stretches.

use grundy_base::Cells;

use super::Reversible;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;

/// Largest length of a stretch, in cells.
const LONGEST: u64 = 1 << 20;
/// Largest number of cells of a table. Up to it, division by multiplication is exact.
const MOST: u64 = 1 << 40;

/// Exact division of numbers below [`MOST`] by a divisor of at most [`LONGEST`], by multiplication.
#[derive(Clone, Copy, Debug)]
struct Divisor {
    by: u64,
    /// 2^64 / `by`, rounded up. The error of a product with a number is below 2^40 / 2^64 < 1 /
    /// `by`. So the integer part of the product is the exact quotient.
    inverse: u128,
}

impl Divisor {
    fn new(by: u64) -> Self {
        Self {
            by,
            inverse: (1u128 << 64).div_ceil(by.into()),
        }
    }

    /// Returns the quotient and the remainder.
    #[inline]
    fn split(self, number: u64) -> (u64, u64) {
        let quotient = ((u128::from(number) * self.inverse) >> 64) as u64;
        (quotient, number - quotient * self.by)
    }
}

/// The part of a table that one of w workers owns. Stretch i belongs to worker i mod w.
///
/// ```
/// use grundy::implicit::dense::Stretches;
/// use grundy::Limits;
/// let second = Stretches::new(10, 4, (2, 1), &Limits::default())?;                // cells 4 to 7
/// assert_eq!((second.count(), second.place(5), second.place(9)), (3, Some(1), None));
/// # Ok::<(), grundy::Stop>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stretches {
    all: u64,
    length: Divisor,
    workers: Divisor,
    me: u64,
    cells: Cells,
}

impl Stretches {
    /// Creates the empty stretches of worker `me` of `workers`. The table has `all` cells, and a
    /// stretch has `length`.
    ///
    /// # Errors
    /// The memory limit, or a table of 2^40 or more cells.
    ///
    /// # Panics
    /// If the length is 0 or exceeds 2^20.
    pub fn new(
        all: u64,
        length: u64,
        (workers, me): (u64, u64),
        limits: &Limits<'_>,
    ) -> Result<Self, Stop> {
        assert!((1..=LONGEST).contains(&length), "a stretch is not so long");
        let count = all.div_ceil(length);
        let own = count.saturating_sub(me).div_ceil(workers) * length;
        // The last stretch may be short.
        let short = count * length - all;
        let own = if count > 0 && (count - 1) % workers == me {
            own - short
        } else {
            own
        };
        limits.check(own, 1)?;
        if all >= MOST {
            return Err(Stop::Positions(MOST));
        }
        let mut cells = Vec::new();
        let failed = cells.try_reserve_exact(own as usize).is_err();
        if failed {
            return Err(Stop::Memory(limits.memory));
        }
        cells.resize(own as usize, u8::MAX);
        Ok(Self {
            all,
            length: Divisor::new(length),
            workers: Divisor::new(workers),
            me,
            cells: cells.into(),
        })
    }

    /// Returns the number of stretches in the whole table.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.all.div_ceil(self.length.by)
    }

    /// Returns the range of the cells in a stretch.
    #[must_use]
    pub fn range(&self, stretch: u64) -> std::ops::Range<u64> {
        let start = stretch * self.length.by;
        start..self.all.min(start + self.length.by)
    }

    /// Returns the range of the cells in the stretch that contains a given cell.
    #[must_use]
    pub fn range_of(&self, cell: u64) -> std::ops::Range<u64> {
        self.range(self.length.split(cell).0)
    }

    /// Returns the local index of a cell, or `None` if the cell belongs to another worker.
    #[must_use]
    #[inline]
    pub fn place(&self, cell: u64) -> Option<u64> {
        let (stretch, offset) = self.length.split(cell);
        let (before, owner) = self.workers.split(stretch);
        (owner == self.me).then(|| before * self.length.by + offset)
    }

    /// Returns a function that maps each cell to the worker that owns it.
    pub fn owners(&self) -> impl Fn(u64) -> u64 + use<> {
        let (length, workers) = (self.length, self.workers);
        move |cell| workers.split(length.split(cell).0).1
    }

    /// Returns the cell that has a given local index.
    #[must_use]
    pub fn cell(&self, place: u64) -> u64 {
        let (before, offset) = self.length.split(place);
        (before * self.workers.by + self.me) * self.length.by + offset
    }

    /// Returns the local cells in the order of their local indices.
    #[must_use]
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Returns the number in the cell with a local index, or `None` if it is not known yet.
    #[must_use]
    #[inline]
    pub fn get(&self, place: u64) -> Option<u32> {
        let number = self.cells.get(place);
        (number <= self.cells.largest()).then_some(number)
    }

    /// Widens the cells until `number` fits in them.
    ///
    /// # Errors
    /// The memory limit, or a number that does not fit in four bytes.
    pub fn fit(&mut self, number: u32, limits: &Limits<'_>) -> Result<(), Stop> {
        while number > self.cells.largest() {
            if self.cells.width() == 4 {
                return Err(Stop::Overflow);
            }
            // During the conversion, both tables are in memory.
            limits.check(self.cells.len() as u64, 3 * self.cells.width())?;
            self.cells.widen();
        }
        Ok(())
    }

    /// Sets the cell with a local index to the minimum of its number and `number`, which must fit.
    #[inline]
    pub fn lower(&mut self, place: u64, number: u32) {
        let place = place as usize;
        match &mut self.cells {
            Cells::One(cells) => cells[place] = cells[place].min(number as u8),
            Cells::Two(cells) => cells[place] = cells[place].min(number as u16),
            Cells::Four(cells) => cells[place] = cells[place].min(number),
        }
    }
}

/// A game that several workers can sieve: its positions are numbered, and predecessors are known.
/// If either player may move first, a position has a cell for each of the two cases.
pub trait Sieved: Sync {
    /// Returns the number of cells.
    fn cells(&self) -> u64;

    /// Returns the length of a stretch in cells. It is at most 2^20.
    fn length(&self) -> u64;

    /// Returns the height of a stretch. Moves stay in the stretch or lead to stretches of smaller
    /// height.
    fn height_of(&self, stretch: u64) -> u64;

    /// Appends to `lost` the lost cells of a stretch in increasing order. The lost cells of all
    /// lower stretches must already have marked their predecessors.
    fn lost(&self, table: &mut Stretches, stretch: u64, play: Play, lost: &mut Vec<u64>);

    /// Returns the largest number among those options of a lost cell that are in lower stretches
    /// and belong to this worker. Returns 0 if there are none.
    fn longest(&self, table: &Stretches, cell: u64) -> u32;

    /// Computes the number of the next lost cell of a local stretch, and marks its predecessors in
    /// the same stretch. `longest` is the largest number among its options in lower stretches.
    ///
    /// # Errors
    /// The limit that was reached.
    fn settle(
        &self,
        table: &mut Stretches,
        cell: u64,
        longest: u32,
        limits: &Limits<'_>,
    ) -> Result<u32, Stop>;

    /// Marks the local predecessors of a cell that is lost in `moves` moves.
    ///
    /// # Errors
    /// The limit that was reached.
    fn mark(
        &self,
        table: &mut Stretches,
        cell: u64,
        moves: u32,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>;
}

impl<G: Reversible + Sync> Sieved for G {
    fn cells(&self) -> u64 {
        self.len()
    }

    fn length(&self) -> u64 {
        self.stretch().clamp(1, LONGEST)
    }

    fn height_of(&self, stretch: u64) -> u64 {
        self.height(stretch)
    }

    fn lost(&self, table: &mut Stretches, stretch: u64, play: Play, lost: &mut Vec<u64>) {
        let range = table.range(stretch);
        let Some(begin) = table.place(range.start) else {
            return;
        };
        // Here, the lost cells mark their predecessors in the same stretch only in `marked`. Their
        // numbers are not known yet, since options in lower stretches may belong to other workers.
        let mut marked = vec![false; (range.end - range.start) as usize];
        for cell in range.clone() {
            let here = cell - range.start;
            if marked[here as usize] || table.get(begin + here).is_some() {
                continue;
            }
            if play == Play::Misere {
                let mut ends = true;
                self.options(cell, |_| {
                    ends = false;
                    false
                });
                if ends {
                    // In misère play a position without moves is won. Its cell has the odd number
                    // 1.
                    table.lower(begin + here, 1);
                    continue;
                }
            }
            lost.push(cell);
            self.sources_below(cell, range.end, |source| {
                marked[(source - range.start) as usize] = true;
            });
        }
    }

    fn longest(&self, table: &Stretches, cell: u64) -> u32 {
        let (stretch, _) = table.length.split(cell);
        let start = table.range(stretch).start;
        let mut longest = 0;
        self.options(cell, |option| {
            if option < start
                && let Some(place) = table.place(option)
            {
                longest = longest.max(table.cells.get(place));
            }
            true
        });
        longest
    }

    fn settle(
        &self,
        table: &mut Stretches,
        cell: u64,
        longest: u32,
        limits: &Limits<'_>,
    ) -> Result<u32, Stop> {
        let (stretch, offset) = table.length.split(cell);
        let range = table.range(stretch);
        let Some(place) = table.place(cell) else {
            return Ok(0);
        };
        let begin = place - offset;
        let mut longest = longest;
        self.options_from(cell, range.start, |option| {
            longest = longest.max(table.cells.get(begin + option - range.start));
        });
        // The options of a lost cell are won in at least one move. So 0 means that the cell has no
        // options.
        let moves = match longest {
            0 => 0,
            longest => longest.checked_add(1).ok_or(Stop::Overflow)?,
        };
        let before = moves.checked_add(1).ok_or(Stop::Overflow)?;
        table.fit(before, limits)?;
        table.lower(place, moves);
        self.sources_below(cell, range.end, |source| {
            table.lower(begin + source - range.start, before);
        });
        Ok(moves)
    }

    fn mark(
        &self,
        table: &mut Stretches,
        cell: u64,
        moves: u32,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let before = moves.checked_add(1).ok_or(Stop::Overflow)?;
        table.fit(before, limits)?;
        self.sources(cell, |source| {
            if let Some(place) = table.place(source) {
                table.lower(place, before);
            }
        });
        Ok(())
    }
}
