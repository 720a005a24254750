//! A sieve by several workers. The table is divided into stretches, each of which belongs to one
//! worker.
//!
//! A move stays within a stretch or leads to a stretch of smaller height. So all stretches of the
//! same height can be sieved at the same time, once the stretches of smaller height are finished.
//! First, each worker uses the marks to find the lost positions of its stretches. Next, for each
//! lost position, every worker reports the greatest remoteness of the options in its own stretches.
//! This determines the remoteness of the lost position. Finally, the lost positions mark their
//! predecessors in all stretches.

use grundy_base::Cells;

use super::Predecessors;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;

/// Largest length of a stretch, in cells.
const MAX_LENGTH: u64 = 1 << 20;
/// Exclusive upper bound on the number of cells of a table. For numbers below this bound, the
/// division by multiplication in [`Divisor`] is exact.
const MAX_CELLS: u64 = 1 << 40;

/// Exact division of numbers below [`MAX_CELLS`] by a divisor of at most [`MAX_LENGTH`], by
/// multiplication.
#[derive(Clone, Copy, Debug)]
struct Divisor {
    by: u64,
    /// 2^64 / `by`, rounded up. A product of a number and this inverse is divided by 2^64. The
    /// error is then below 2^40 / 2^64, which is less than 1 / `by`. So the integer part is the
    /// exact quotient.
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

/// The part of a table that one of w workers owns. The table is divided into stretches of
/// consecutive cells, and stretch i belongs to worker i mod w.
///
/// ```
/// use grundy_core::implicit::dense::OwnedStretches;
/// use grundy_core::Limits;
/// // The second of two workers owns the cells 4 to 7.
/// let second = OwnedStretches::new(10, 4, (2, 1), &Limits::default())?;
/// assert_eq!((second.count(), second.local_index(5), second.local_index(9)), (3, Some(1), None));
/// # Ok::<(), grundy_core::Stop>(())
/// ```
#[derive(Clone, Debug)]
pub struct OwnedStretches {
    cell_count: u64,
    length: Divisor,
    workers: Divisor,
    worker: u64,
    cells: Cells,
}

impl OwnedStretches {
    /// Creates the stretches of the worker with index `worker`, with empty cells. There are
    /// `workers` workers. The table has `cell_count` cells, and a stretch has `length` cells.
    ///
    /// # Errors
    /// The memory limit, or a table of 2^40 or more cells.
    ///
    /// # Panics
    /// If the length is 0 or exceeds 2^20.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_core::implicit::dense::OwnedStretches;
    /// // Ten cells in stretches of four. The first of two workers owns cells 0 to 3, 8 and 9.
    /// let first = OwnedStretches::new(10, 4, (2, 0), &Limits::default())?;
    /// assert_eq!(first.cells().len(), 6);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn new(
        cell_count: u64,
        length: u64,
        (workers, worker): (u64, u64),
        limits: &Limits<'_>,
    ) -> Result<Self, Stop> {
        assert!(
            (1..=MAX_LENGTH).contains(&length),
            "a stretch is not so long"
        );
        let count = cell_count.div_ceil(length);
        let local_cells = count.saturating_sub(worker).div_ceil(workers) * length;
        // The last stretch may be short.
        let short = count * length - cell_count;
        let local_cells = if count > 0 && (count - 1) % workers == worker {
            local_cells - short
        } else {
            local_cells
        };
        limits.check(local_cells, 1)?;
        if cell_count >= MAX_CELLS {
            return Err(Stop::Positions(MAX_CELLS));
        }
        let mut cells = Vec::new();
        let failed = cells.try_reserve_exact(local_cells as usize).is_err();
        if failed {
            return Err(Stop::Memory(limits.memory));
        }
        cells.resize(local_cells as usize, u8::MAX);
        Ok(Self {
            cell_count,
            length: Divisor::new(length),
            workers: Divisor::new(workers),
            worker,
            cells: cells.into(),
        })
    }

    /// Returns the number of stretches in the whole table.
    ///
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_core::implicit::dense::OwnedStretches;
    /// let first = OwnedStretches::new(10, 4, (2, 0), &Limits::default())?;
    /// assert_eq!(first.count(), 3);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn count(&self) -> u64 {
        self.cell_count.div_ceil(self.length.by)
    }

    /// Returns the range of the cells in a stretch.
    ///
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_core::implicit::dense::OwnedStretches;
    /// let first = OwnedStretches::new(10, 4, (2, 0), &Limits::default())?;
    /// assert_eq!((first.range(1), first.range(2)), (4..8, 8..10));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn range(&self, stretch: u64) -> std::ops::Range<u64> {
        let start = stretch * self.length.by;
        start..self.cell_count.min(start + self.length.by)
    }

    /// Returns the range of the cells in the stretch that contains a given cell.
    ///
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_core::implicit::dense::OwnedStretches;
    /// let first = OwnedStretches::new(10, 4, (2, 0), &Limits::default())?;
    /// assert_eq!((first.range_of(5), first.range_of(9)), (4..8, 8..10));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn range_of(&self, cell: u64) -> std::ops::Range<u64> {
        self.range(self.length.split(cell).0)
    }

    /// Returns the local index of a cell, which is its index among the cells of this worker.
    /// Returns `None` if the cell belongs to another worker.
    ///
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_core::implicit::dense::OwnedStretches;
    /// // The first of two workers owns cells 0 to 3, 8 and 9.
    /// let first = OwnedStretches::new(10, 4, (2, 0), &Limits::default())?;
    /// assert_eq!([3, 5, 9].map(|cell| first.local_index(cell)), [Some(3), None, Some(5)]);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn local_index(&self, cell: u64) -> Option<u64> {
        let (stretch, offset) = self.length.split(cell);
        let (before, owner) = self.workers.split(stretch);
        (owner == self.worker).then(|| before * self.length.by + offset)
    }

    /// Returns a function that maps each cell to the worker that owns it.
    ///
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_core::implicit::dense::OwnedStretches;
    /// let owner = OwnedStretches::new(10, 4, (2, 0), &Limits::default())?.owners();
    /// assert_eq!([3, 5, 9].map(owner), [0, 1, 0]);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn owners(&self) -> impl Fn(u64) -> u64 + use<> {
        let (length, workers) = (self.length, self.workers);
        move |cell| workers.split(length.split(cell).0).1
    }

    /// Returns the cell that has a given local index.
    ///
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_core::implicit::dense::OwnedStretches;
    /// // The first of two workers owns cells 0 to 3, 8 and 9.
    /// let first = OwnedStretches::new(10, 4, (2, 0), &Limits::default())?;
    /// assert_eq!([3, 4, 5].map(|index| first.cell(index)), [3, 8, 9]);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn cell(&self, local_index: u64) -> u64 {
        let (before, offset) = self.length.split(local_index);
        (before * self.workers.by + self.worker) * self.length.by + offset
    }

    /// Returns the local cells in the order of their local indices.
    ///
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_core::implicit::dense::OwnedStretches;
    /// let mut first = OwnedStretches::new(10, 4, (2, 0), &Limits::default())?;
    /// first.set_min(5, 2);
    /// // The largest number of a byte marks a cell that is not known yet.
    /// assert_eq!(first.cells(), &vec![255, 255, 255, 255, 255, 2].into());
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Returns the number in the cell with a local index, or `None` if it is not known yet.
    ///
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_core::implicit::dense::OwnedStretches;
    /// let mut first = OwnedStretches::new(10, 4, (2, 0), &Limits::default())?;
    /// assert_eq!(first.get(5), None);
    /// first.set_min(5, 2);
    /// assert_eq!(first.get(5), Some(2));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn get(&self, local_index: u64) -> Option<u32> {
        let number = self.cells.get(local_index);
        (number <= self.cells.largest()).then_some(number)
    }

    /// Widens the cells until `number` fits in them.
    ///
    /// # Errors
    /// The memory limit, or a number that does not fit in four bytes.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_core::implicit::dense::OwnedStretches;
    /// let mut first = OwnedStretches::new(10, 4, (2, 0), &Limits::default())?;
    /// first.fit(300, &Limits::default())?;
    /// first.set_min(5, 300);
    /// assert_eq!((first.cells().width(), first.get(4), first.get(5)), (2, None, Some(300)));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
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

    /// Replaces the content of the cell with a local index by `number` if `number` is smaller. The
    /// cell must be wide enough for `number`.
    ///
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_core::implicit::dense::OwnedStretches;
    /// let mut first = OwnedStretches::new(10, 4, (2, 0), &Limits::default())?;
    /// for moves in [3, 1, 5] {
    ///     first.set_min(0, moves);
    /// }
    /// assert_eq!(first.get(0), Some(1));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[inline]
    pub fn set_min(&mut self, local_index: u64, number: u32) {
        let local_index = local_index as usize;
        match &mut self.cells {
            Cells::One(cells) => cells[local_index] = cells[local_index].min(number as u8),
            Cells::Two(cells) => cells[local_index] = cells[local_index].min(number as u16),
            Cells::Four(cells) => cells[local_index] = cells[local_index].min(number),
        }
    }
}

/// A game that several workers can sieve: its positions are numbered, and the predecessors of a
/// position can be listed. In a partizan game, a position has two cells, one for each player to
/// move. A position has a single cell if the game is impartial, or if the position itself records
/// the player to move.
pub trait DistributedSieve: Sync {
    /// Returns the number of cells.
    fn cells(&self) -> u64;

    /// Returns the length of a stretch, which is a range of consecutive cells that belongs to one
    /// worker. It is at most 2^20 cells.
    fn length(&self) -> u64;

    /// Returns the height of a stretch of the table. Moves stay in the stretch or lead to stretches
    /// of smaller height.
    fn height_of(&self, stretch: u64) -> u64;

    /// Appends to `lost` the cells of the lost positions of a stretch, in increasing order. The
    /// lost positions of all stretches of smaller height must already have marked their
    /// predecessors.
    fn lost(&self, table: &mut OwnedStretches, stretch: u64, play: Play, lost: &mut Vec<u64>);

    /// Returns the greatest remoteness among some options of a lost position, given by its cell.
    /// These are the options in stretches of smaller height that belong to this worker. Returns 0
    /// if there are no such options.
    fn longest(&self, table: &OwnedStretches, cell: u64) -> u32;

    /// Computes and returns the remoteness of the position of `cell`, and marks its predecessors in
    /// the same stretch. `cell` must be the next lost cell of a stretch of this worker. `longest`
    /// is the greatest remoteness of the options in stretches of smaller height.
    ///
    /// # Errors
    /// The limit that was reached.
    fn assign(
        &self,
        table: &mut OwnedStretches,
        cell: u64,
        longest: u32,
        limits: &Limits<'_>,
    ) -> Result<u32, Stop>;

    /// Marks those predecessors of a lost cell that belong to this worker. The cell is lost in
    /// `moves` moves.
    ///
    /// # Errors
    /// The limit that was reached.
    fn mark(
        &self,
        table: &mut OwnedStretches,
        cell: u64,
        moves: u32,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>;
}

impl<G: Predecessors + Sync> DistributedSieve for G {
    fn cells(&self) -> u64 {
        self.len()
    }

    fn length(&self) -> u64 {
        self.stretch().clamp(1, MAX_LENGTH)
    }

    fn height_of(&self, stretch: u64) -> u64 {
        self.height(stretch)
    }

    fn lost(&self, table: &mut OwnedStretches, stretch: u64, play: Play, lost: &mut Vec<u64>) {
        let range = table.range(stretch);
        let Some(begin) = table.local_index(range.start) else {
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
                    table.set_min(begin + here, 1);
                    continue;
                }
            }
            lost.push(cell);
            self.predecessors_below(cell, range.end, |source| {
                marked[(source - range.start) as usize] = true;
            });
        }
    }

    fn longest(&self, table: &OwnedStretches, cell: u64) -> u32 {
        let (stretch, _) = table.length.split(cell);
        let start = table.range(stretch).start;
        let mut longest = 0;
        self.options(cell, |option| {
            if option < start
                && let Some(local_index) = table.local_index(option)
            {
                longest = longest.max(table.cells.get(local_index));
            }
            true
        });
        longest
    }

    fn assign(
        &self,
        table: &mut OwnedStretches,
        cell: u64,
        longest: u32,
        limits: &Limits<'_>,
    ) -> Result<u32, Stop> {
        let (stretch, offset) = table.length.split(cell);
        let range = table.range(stretch);
        let Some(local_index) = table.local_index(cell) else {
            return Ok(0);
        };
        let begin = local_index - offset;
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
        let predecessor_moves = moves.checked_add(1).ok_or(Stop::Overflow)?;
        table.fit(predecessor_moves, limits)?;
        table.set_min(local_index, moves);
        self.predecessors_below(cell, range.end, |source| {
            table.set_min(begin + source - range.start, predecessor_moves);
        });
        Ok(moves)
    }

    fn mark(
        &self,
        table: &mut OwnedStretches,
        cell: u64,
        moves: u32,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let predecessor_moves = moves.checked_add(1).ok_or(Stop::Overflow)?;
        table.fit(predecessor_moves, limits)?;
        self.predecessors(cell, |source| {
            if let Some(local_index) = table.local_index(source) {
                table.set_min(local_index, predecessor_moves);
            }
        });
        Ok(())
    }
}
