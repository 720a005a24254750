//! A sieve that is shared out: every worker has some stretches of the table, and none has all.
//!
//! Stretches of one height share no move, and moves lead to lower ones or stay in their stretch. So
//! those of one height are sifted at the same time, once all that lies lower is done: lost
//! positions are found by what has been marked; their moves are counted when the owners of their
//! options have said how long these last; and then they mark what can move to them, everywhere.

use grundy_base::Cells;

use super::Reversible;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;

/// Longest stretch.
const LONGEST: u64 = 1 << 20;
/// Most cells of a table: below this numbers are divided by multiplying.
const MOST: u64 = 1 << 40;

/// Divides numbers below [`MOST`] by one of at most [`LONGEST`].
#[derive(Clone, Copy, Debug)]
struct Divisor {
    by: u64,
    /// 2^64 over it, rounded up: a product is too large by less than a whole.
    inverse: u128,
}

impl Divisor {
    fn new(by: u64) -> Self {
        Self {
            by,
            inverse: (1u128 << 64).div_ceil(by.into()),
        }
    }

    /// Quotient and rest.
    #[inline]
    fn split(self, number: u64) -> (u64, u64) {
        let quotient = ((u128::from(number) * self.inverse) >> 64) as u64;
        (quotient, number - quotient * self.by)
    }
}

/// The stretches of one worker: stretch i belongs to worker i mod w.
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
    /// Returns the stretches of worker `me` of `workers`, with nothing found yet.
    ///
    /// # Errors
    /// More memory than is allowed; 2^40 cells.
    ///
    /// # Panics
    /// When a length is 0 or more than 2^20.
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

    /// How many stretches all workers have.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.all.div_ceil(self.length.by)
    }

    /// Returns the cells of a stretch.
    #[must_use]
    pub fn range(&self, stretch: u64) -> std::ops::Range<u64> {
        let start = stretch * self.length.by;
        start..self.all.min(start + self.length.by)
    }

    /// Returns the cells of the stretch that one lies in.
    #[must_use]
    pub fn range_of(&self, cell: u64) -> std::ops::Range<u64> {
        self.range(self.length.split(cell).0)
    }

    /// Where a cell is here; nothing where it is another worker's.
    #[must_use]
    #[inline]
    pub fn place(&self, cell: u64) -> Option<u64> {
        let (stretch, offset) = self.length.split(cell);
        let (before, owner) = self.workers.split(stretch);
        (owner == self.me).then(|| before * self.length.by + offset)
    }

    /// Says which worker a cell belongs to.
    pub fn owners(&self) -> impl Fn(u64) -> u64 + use<> {
        let (length, workers) = (self.length, self.workers);
        move |cell| workers.split(length.split(cell).0).1
    }

    /// Returns the number of the cell at a place here.
    #[must_use]
    pub fn cell(&self, place: u64) -> u64 {
        let (before, offset) = self.length.split(place);
        (before * self.workers.by + self.me) * self.length.by + offset
    }

    /// What has been found, by the places here.
    #[must_use]
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Returns the number at a place, if there is one yet.
    #[must_use]
    #[inline]
    pub fn get(&self, place: u64) -> Option<u32> {
        let number = self.cells.get(place);
        (number <= self.cells.largest()).then_some(number)
    }

    /// Makes room for numbers up to one.
    ///
    /// # Errors
    /// More memory than is allowed; a number that does not fit four bytes.
    pub fn fit(&mut self, number: u32, limits: &Limits<'_>) -> Result<(), Stop> {
        while number > self.cells.largest() {
            if self.cells.width() == 4 {
                return Err(Stop::Overflow);
            }
            // For a moment both are there.
            limits.check(self.cells.len() as u64, 3 * self.cells.width())?;
            self.cells.widen();
        }
        Ok(())
    }

    /// Puts a number that fits at a place, if none or a larger one is there.
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

/// A ranked game whose moves can be taken back, as workers sift it that have some stretches each.
/// Where either player may begin its cells are those of both.
pub trait Sieved: Sync {
    /// How many cells there are.
    fn cells(&self) -> u64;

    /// How long stretches are: at most 2^20 cells.
    fn length(&self) -> u64;

    /// How high a stretch is.
    fn height_of(&self, stretch: u64) -> u64;

    /// Appends the lost cells of a stretch, in order. All that lies lower has been marked.
    fn lost(&self, table: &mut Stretches, stretch: u64, play: Play, lost: &mut Vec<u64>);

    /// Returns the most moves that an option of a lost cell lasts, of those that are here and lower
    /// than its stretch; 0 where there is none.
    fn longest(&self, table: &Stretches, cell: u64) -> u32;

    /// Counts the moves of the next lost cell of a stretch here, where the lower options last so
    /// long at most, and marks what can move to it within the stretch.
    ///
    /// # Errors
    /// A limit.
    fn settle(
        &self,
        table: &mut Stretches,
        cell: u64,
        longest: u32,
        limits: &Limits<'_>,
    ) -> Result<u32, Stop>;

    /// Marks all that is here and can move to a cell that is lost in so many moves.
    ///
    /// # Errors
    /// A limit.
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
        // Options of what is lost are won, in one move at least.
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
