//! Sequences of values that are too long for memory.
//!
//! In a sparse space with few rare heaps, only the values of the smallest and of the most recent
//! heaps determine the next value. A stream stores only these values. At certain heaps, at
//! increasing distances, it records the window of the last values. If a recorded window occurs
//! again, the sparse-window theorem proves a period. Any part of the sequence can be recomputed
//! from a recorded window. In this way the least preperiod is found.

mod marks;
mod preperiod;
mod tail;

use std::ops::Range;

pub use marks::{Mark, RepeatedWindow};
pub use tail::Tail;

use marks::WindowSearch;
use tail::{CHUNK, Engine};

use super::classes::Classes;
use super::compact_values::{CompactValues, Entry, ValuesVisitor};
use super::rules::HeapRules;
use super::sequence::Sequence;
use super::sparse::{HeapMoves, Sparse, SparseSnapshot};
use crate::algebra::NormalPlay;
use grundy_base::limits::{Limits, Stop};

/// Least number of small heaps whose values are stored.
const MIN_SMALL: usize = 4096;

/// A sequence of values of which only the smallest heaps and the most recent heaps are stored.
///
/// ```
/// use grundy_heap::{Code, HeapRules, Sequence, Stream};
/// use grundy_base::Limits;
/// use grundy_heap::algebra::NormalPlay;
/// let rules = HeapRules::TakeAndBreak(Code::parse("0.56").unwrap());
/// let mut sequence = Sequence::<NormalPlay>::new(rules);
/// sequence.compute(200_000, &Limits::default())?;
/// let mut stream = Stream::new(sequence).ok().unwrap();
/// while !stream.repeats() {
///     stream.advance(u64::MAX, &Limits::default())?;
/// }
/// let period = stream.period(&Limits::default())?.unwrap();
/// assert_eq!((period.preperiod, period.period), (326_640, 144));
/// # Ok::<(), grundy_base::Stop>(())
/// ```
#[derive(Debug)]
pub struct Stream {
    rules: HeapRules,
    moves: HeapMoves,
    sparse: Sparse,
    tail: Tail,
    start: CompactValues,
    marks: Vec<Mark>,
    found: Option<RepeatedWindow>,
    largest: u64,
}

/// The complete data of a stream. If a stream is resumed from this data, it computes the same
/// values as without the interruption.
#[derive(Clone, Debug)]
pub struct StreamState {
    /// The values of the smallest heaps and of the most recent heaps.
    pub tail: Tail,
    /// The values that were known when the stream was created, from heap 0 upward.
    pub start: CompactValues,
    /// The recorded windows of values, sorted by the first heap after each window.
    pub marks: Vec<Mark>,
    /// The recorded window that occurred again, if any.
    pub found: Option<RepeatedWindow>,
    /// The largest value computed so far.
    pub largest: u64,
    /// The data of the engine that separates common from rare heaps (see [`Classes`]).
    pub sparse: SparseSnapshot,
}

impl Stream {
    /// Creates a stream that continues a sequence. Fails if the sequence is too short or has too
    /// many rare heaps, so that its middle values cannot be dropped.
    ///
    /// # Errors
    /// The given sequence, unchanged, if no stream can continue it.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{Code, HeapRules, Sequence, Stream};
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
    /// // At least 32,768 values are needed.
    /// let mut short = Sequence::<NormalPlay>::new(rules.clone());
    /// short.compute(10_000, &Limits::default())?;
    /// assert!(Stream::new(short).is_err());
    /// let mut long = Sequence::<NormalPlay>::new(rules);
    /// long.compute(1 << 15, &Limits::default())?;
    /// assert_eq!(Stream::new(long).ok().unwrap().count(), 1 << 15);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[expect(clippy::result_large_err, reason = "the error is the argument")]
    pub fn new(sequence: Sequence<NormalPlay>) -> Result<Self, Sequence<NormalPlay>> {
        let Some((moves, small)) = Self::storage_plan(&sequence) else {
            return Err(sequence);
        };
        let start = sequence.values().clone();
        let sparse = sequence.state().sparse().clone();
        let mut tail = Tail {
            small: small as u64,
            dropped: 0,
            values: start.clone(),
        };
        tail.drop_middle();
        let mut stream = Self {
            rules: sequence.rules().clone(),
            moves,
            sparse,
            largest: start.iter().max().unwrap_or(0),
            start,
            tail,
            marks: Vec::new(),
            found: None,
        };
        stream.mark();
        Ok(stream)
    }

    /// Returns the moves, and the number of small heaps whose values must be stored. Returns `None`
    /// if the sequence is too short or not sparse.
    fn storage_plan(sequence: &Sequence<NormalPlay>) -> Option<(HeapMoves, usize)> {
        let moves = HeapMoves::of(sequence.rules())?;
        let count = sequence.values().len();
        let sparse = sequence.state().sparse();
        let (_, rares) = sparse.space()?;
        let witness = sparse.witness(count / 2)?;
        let last_rare = rares.last().copied().unwrap_or(0);
        // The multiples are generous, since later verification may need somewhat larger heaps. The
        // window of 2 `small` values is also longer than the theorem requires, max(last rare heap,
        // reach) + last.
        let small = MIN_SMALL
            .max(8 * witness.reach)
            .max(4 * last_rare)
            .max(16 * moves.last)
            .next_power_of_two();
        // The count must be even, because windows are recorded only at even heaps.
        (count.is_multiple_of(2) && count >= 8 * small).then_some((moves, small))
    }

    /// Returns the rules of the game.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{Code, HeapRules, Sequence, Stream};
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
    /// let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
    /// sequence.compute(1 << 15, &Limits::default())?;
    /// let stream = Stream::new(sequence).ok().unwrap();
    /// assert_eq!(stream.rules(), &rules);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn rules(&self) -> &HeapRules {
        &self.rules
    }

    /// Returns the number of values computed so far.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{Code, HeapRules, Sequence, Stream};
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
    /// let mut sequence = Sequence::<NormalPlay>::new(rules);
    /// sequence.compute(1 << 15, &Limits::default())?;
    /// let mut stream = Stream::new(sequence).ok().unwrap();
    /// stream.advance(33_000, &Limits::default())?;
    /// assert_eq!(stream.count(), 33_000);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn count(&self) -> u64 {
        self.tail.count()
    }

    /// Returns the largest value computed so far.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{Code, HeapRules, Sequence, Stream};
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
    /// let mut sequence = Sequence::<NormalPlay>::new(rules);
    /// sequence.compute(1 << 15, &Limits::default())?;
    /// let stream = Stream::new(sequence).ok().unwrap();
    /// assert_eq!(stream.largest(), 8);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn largest(&self) -> u64 {
        self.largest
    }

    /// Returns the values of the first heaps, from heap 0 upward.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{Code, HeapRules, Sequence, Stream};
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
    /// let mut sequence = Sequence::<NormalPlay>::new(rules);
    /// sequence.compute(1 << 15, &Limits::default())?;
    /// let stream = Stream::new(sequence).ok().unwrap();
    /// assert_eq!(stream.start().len(), 1 << 15);
    /// assert!(stream.start().iter().take(6).eq([0, 1, 2, 3, 1, 4]));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> &CompactValues {
        &self.start
    }

    /// Returns the rule that separates common from rare heaps, and the list of rare heaps.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{Code, HeapRules, Sequence, Stream};
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
    /// let mut sequence = Sequence::<NormalPlay>::new(rules);
    /// sequence.compute(1 << 15, &Limits::default())?;
    /// let stream = Stream::new(sequence).ok().unwrap();
    /// let (classes, rares) = stream.sparse_space().unwrap();
    /// assert_eq!((classes.mask, rares.len()), (15, 9));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn sparse_space(&self) -> Option<(Classes, &[usize])> {
        self.sparse.space()
    }

    /// Returns whether a recorded window has occurred again. If so, there is a period.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{Code, HeapRules, Sequence, Stream};
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
    /// let mut sequence = Sequence::<NormalPlay>::new(rules);
    /// sequence.compute(1 << 15, &Limits::default())?;
    /// let mut stream = Stream::new(sequence).ok().unwrap();
    /// assert!(!stream.repeats());
    /// // The period of Kayles is 12.
    /// stream.advance(u64::MAX, &Limits::default())?;
    /// assert!(stream.repeats());
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn repeats(&self) -> bool {
        self.found.is_some()
    }

    /// Computes more values, usually about a sixteenth of their current number. Computes none for
    /// heaps of `max` or more. Stops early if a recorded window occurs again.
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::NotStored`] if the next values depend on values that
    /// were dropped. The values computed before the error are kept.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{Code, HeapRules, Sequence, Stream};
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
    /// let mut sequence = Sequence::<NormalPlay>::new(rules);
    /// sequence.compute(1 << 15, &Limits::default())?;
    /// let mut stream = Stream::new(sequence).ok().unwrap();
    /// while !stream.repeats() {
    ///     stream.advance(u64::MAX, &Limits::default())?;
    /// }
    /// assert_eq!(stream.period(&Limits::default())?.unwrap().period, 12);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    pub fn advance(&mut self, max: u64, limits: &Limits<'_>) -> Result<(), Stop> {
        self.extend(max, limits, None)
    }

    /// Computes more values like [`Stream::advance`], and passes them to `show` before any of them
    /// are dropped. They are the values of the heaps from [`Stream::count`] upward, in order.
    ///
    /// # Errors
    /// The errors of [`Stream::advance`]. The values computed before the error have been passed to
    /// `show`.
    ///
    /// ```
    /// use grundy_heap::{Code, HeapRules, Sequence, Stream};
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
    /// let mut sequence = Sequence::<NormalPlay>::new(rules);
    /// sequence.compute(1 << 16, &Limits::default())?;
    /// let mut stream = Stream::new(sequence).ok().unwrap();
    /// let mut nines = stream.start().iter().filter(|value| *value == 9).count();
    /// stream.advance_showing(70_000, &Limits::default(), &mut |values| {
    ///     nines += values.iter().filter(|value| *value == 9).count();
    /// })?;
    /// assert_eq!(nines, 0);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    pub fn advance_showing(
        &mut self,
        max: u64,
        limits: &Limits<'_>,
        show: &mut dyn FnMut(CompactValues),
    ) -> Result<(), Stop> {
        self.extend(max, limits, Some(show))
    }

    fn extend(
        &mut self,
        max: u64,
        limits: &Limits<'_>,
        show: Option<&mut dyn FnMut(CompactValues)>,
    ) -> Result<(), Stop> {
        if self.found.is_some() || self.count() >= max {
            return Ok(());
        }
        let known = self.tail.values.len();
        // A part that was interrupted is completed first. So windows are recorded at the same heaps
        // as without interruption.
        let full = self.tail.small as usize + self.tail.keep() + self.chunk();
        let room = usize::try_from(max - self.count()).unwrap_or(usize::MAX);
        let length = full.max(known + 2).min(known.saturating_add(room));
        self.sparse.clear_uses();
        let mut engine = Engine {
            moves: &self.moves,
            sparse: &mut self.sparse,
        };
        let result = engine.extend(&mut self.tail, length, limits);
        let reach = self.sparse.reach() as u64;
        for mark in &mut self.marks {
            // A period that starts at a mark needs the reach of all heaps after the mark.
            mark.reach = mark.reach.max(reach);
        }
        let new = known..self.tail.values.len();
        self.largest = self
            .largest
            .max(self.tail.values.read(Largest(new.clone())));
        if let Some(show) = show {
            show(self.tail.values.part(new.clone()));
        }
        self.search(&new);
        if !result? {
            return Err(Stop::NotStored(self.count()));
        }
        if self.found.is_none() && self.count().is_multiple_of(2) {
            self.tail.drop_middle();
            let last = self.marks.last().map_or(0, |mark| mark.at);
            // The distances between marks grow geometrically, so the number of marks is
            // logarithmic. The first mark after the preperiod is at most about a twelfth too late.
            if self.count() - last >= last / 12 {
                self.mark();
            }
        }
        Ok(())
    }

    /// Returns the number of values that are computed before middle values are dropped.
    fn chunk(&self) -> usize {
        let part = (self.count() / 16).min(CHUNK as u64) as usize;
        part.max(self.tail.keep()) & !1
    }

    fn mark(&mut self) {
        self.marks.push(Mark {
            at: self.count(),
            reach: 0,
            window: self.tail.window(),
        });
    }

    /// Searches the new values for another occurrence of a recently recorded window. The result is
    /// stored in `found`.
    fn search(&mut self, new: &Range<usize>) {
        let even = self
            .sparse
            .space()
            .is_some_and(|(classes, _)| classes.position);
        let recent = self.marks.iter().enumerate().rev();
        // Older windows probably lie before the preperiod, and each would cost time in every
        // search.
        let recent = recent.take_while(|(_, mark)| mark.at >= self.tail.count() / 4);
        let found = |mark: usize, end: usize| {
            let period = end as u64 + self.tail.dropped - self.marks[mark].at;
            (!even || period.is_multiple_of(2)).then_some(RepeatedWindow { mark, period })
        };
        self.found = self.tail.values.read(WindowSearch {
            windows: recent.map(|(index, mark)| (index, &mark.window)).collect(),
            ends: new.clone(),
            found: &found,
        });
    }

    /// Returns the complete data of the stream, from which it can be resumed.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{Code, HeapRules, Sequence, Stream};
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
    /// let mut sequence = Sequence::<NormalPlay>::new(rules);
    /// sequence.compute(1 << 15, &Limits::default())?;
    /// let state = Stream::new(sequence).ok().unwrap().state();
    /// // The values of 4,096 small heaps and of 8,192 recent heaps are stored.
    /// assert_eq!((state.tail.small, state.tail.values.len()), (4_096, 12_288));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn state(&self) -> StreamState {
        StreamState {
            tail: self.tail.clone(),
            start: self.start.clone(),
            marks: self.marks.clone(),
            found: self.found,
            largest: self.largest,
            sparse: self.sparse.snapshot(),
        }
    }

    /// Resumes a stream from its data. Returns `None` if the data cannot belong to a game with
    /// these rules.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{Code, HeapRules, Sequence, Stream};
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
    /// let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
    /// sequence.compute(1 << 15, &Limits::default())?;
    /// let state = Stream::new(sequence).ok().unwrap().state();
    /// let mut stream = Stream::resume(rules, state).unwrap();
    /// stream.advance(33_000, &Limits::default())?;
    /// assert_eq!(stream.count(), 33_000);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn resume(rules: HeapRules, state: StreamState) -> Option<Self> {
        let StreamState {
            tail,
            start,
            marks,
            found,
            largest,
            sparse,
        } = state;
        let moves = HeapMoves::of(&rules)?;
        let small = usize::try_from(tail.small).ok()?;
        let keep = small.checked_mul(2)?;
        // The data is untrusted input. Indices computed from these numbers must be valid.
        let fits = small >= MIN_SMALL
            && small.is_power_of_two()
            && start.len() >= 8 * small
            && tail.values.len() >= small + keep
            && tail.dropped.is_multiple_of(2)
            && tail
                .values
                .part(0..small)
                .iter()
                .eq(start.iter().take(small))
            && marks.iter().all(|mark| {
                mark.window.len() == keep
                    && mark.at >= start.len() as u64
                    && mark.at.is_multiple_of(2)
            })
            && marks.is_sorted_by_key(|mark| mark.at)
            && !marks.is_empty()
            && found.is_none_or(|found| found.mark < marks.len());
        let sparse = Sparse::resume(&tail.values, sparse);
        fits.then_some(Self {
            rules,
            moves,
            sparse,
            tail,
            start,
            marks,
            found,
            largest,
        })
    }
}

/// A visitor that returns the largest value with an index in the range.
struct Largest(Range<usize>);

impl ValuesVisitor for Largest {
    type Output = u64;

    fn read<E: Entry>(self, values: &[E]) -> u64 {
        values[self.0].iter().max().map_or(0, |value| value.get())
    }
}

#[cfg(test)]
mod tests;
