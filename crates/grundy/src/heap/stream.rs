//! Sequences too long to be kept.
//!
//! In a sparse space with few rare heaps the next value depends on the values of the smallest heaps and on the last ones
//! only. A stream keeps these. On its way it notes the last values at some places, ever farther apart; when they come again,
//! the sparse-window theorem proves a period, and from the notes any stretch of the sequence can be computed again, so that
//! the place is found from which it repeats.

use std::ops::Range;

use super::classes::Classes;
use super::narrow::{Entry, Narrow, Reading};
use super::period::{Period, PeriodTheorem};
use super::recurrence::Budget;
use super::rules::HeapRules;
use super::sequence::Sequence;
use super::sparse::{BLOCK, Gap, Moves, Run, Sparse, SparseSnapshot};
use crate::limits::{Limits, Stop};
use crate::theory::NormalPlay;

/// The least number of small heaps kept.
const LEAST: usize = 4096;
/// The most values computed before the middle is forgotten.
const CHUNK: usize = 1 << 24;
/// So many values tell where a note may come again.
const CLUE: usize = 8;

/// A sequence of which only the smallest heaps and the last ones are kept.
///
/// ```
/// use grundy::heap::{Code, HeapRules, Sequence, Stream};
/// use grundy::{Limits, theory::NormalPlay};
/// let rules = HeapRules::TakeAndBreak(Code::parse("0.56").unwrap());
/// let mut sequence = Sequence::<NormalPlay>::new(rules);
/// sequence.compute(200_000, &Limits::default())?;
/// let mut stream = Stream::new(sequence).ok().unwrap();
/// while !stream.repeats() {
///     stream.advance(u64::MAX, &Limits::default())?;
/// }
/// let period = stream.period(&Limits::default())?.unwrap();
/// assert_eq!((period.preperiod, period.period), (326_640, 144));
/// # Ok::<(), grundy::Stop>(())
/// ```
#[derive(Debug)]
pub struct Stream {
    rules: HeapRules,
    moves: Moves,
    sparse: Sparse,
    tail: Tail,
    start: Narrow,
    marks: Vec<Mark>,
    found: Option<Found>,
    largest: u64,
}

/// All that has to be kept to go on later with the same values.
#[derive(Clone, Debug)]
pub struct StreamState {
    /// The smallest heaps, and after them the last ones.
    pub tail: Tail,
    /// The first values, from heap 0 on.
    pub start: Narrow,
    /// The notes, ascending.
    pub marks: Vec<Mark>,
    /// Which note came again.
    pub found: Option<Found>,
    /// The largest value so far.
    pub largest: u64,
    /// The rule that tells common from rare heaps.
    pub sparse: SparseSnapshot,
}

/// The values of the smallest heaps and of the last ones.
#[derive(Clone, Debug)]
pub struct Tail {
    /// How many small heaps are kept.
    pub small: u64,
    /// How many heaps between these and the others are forgotten: an even number.
    pub dropped: u64,
    /// The values that are there.
    pub values: Narrow,
}

/// The last values before some heap.
#[derive(Clone, Debug)]
pub struct Mark {
    /// The heap.
    pub at: u64,
    /// From there on every rare value was reached by a take, or by a split with a heap of at most this.
    pub reach: u64,
    /// Twice as many values as small heaps are kept.
    pub window: Narrow,
}

/// A note that came again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The number of the note.
    pub mark: usize,
    /// How many heaps later its window ended again.
    pub period: u64,
}

/// What makes the next values.
struct Engine<'a> {
    moves: &'a Moves,
    sparse: &'a mut Sparse,
}

impl Engine<'_> {
    /// Appends values until `tail` holds `length`. Returns whether it does: else the next value needs forgotten ones.
    fn extend(
        &mut self,
        tail: &mut Tail,
        length: usize,
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        let mut run = Run {
            moves: self.moves,
            sparse: self.sparse,
            count: length,
            budget: Budget::new(limits, tail.values.width(), length as u64)?,
            gap: Some(Gap {
                blocks: tail.small as usize / BLOCK - 1,
                stuck: false,
            }),
            instructions: pulp::Arch::new(),
        };
        tail.values.extend(&mut run)?;
        Ok(!run.gap.is_some_and(|gap| gap.stuck))
    }

    /// Goes on to heap `to`, forgetting what lies behind.
    fn walk(&mut self, tail: &mut Tail, to: u64, limits: &Limits<'_>) -> Result<(), Stop> {
        while tail.count() < to {
            tail.forget();
            let step = (to - tail.count()).min(CHUNK as u64) as usize;
            if !self.extend(tail, tail.values.len() + step, limits)? {
                return Err(Stop::Forgotten(tail.count()));
            }
        }
        Ok(())
    }
}

impl Tail {
    /// How many of the last values are kept.
    fn keep(&self) -> usize {
        2 * self.small as usize
    }

    /// The first heap whose value is not known.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.values.len() as u64 + self.dropped
    }

    /// Forgets all but the smallest heaps and the last.
    fn forget(&mut self) {
        let from = self.small as usize;
        let many = (self.values.len() - from - self.keep()) & !1;
        self.values.remove(from..from + many);
        self.dropped += many as u64;
    }

    /// The last values.
    fn window(&self) -> Narrow {
        let end = self.values.len();
        self.values.part(end - self.keep()..end)
    }
}

impl Stream {
    /// Goes on from a sequence; hands it back while it is too short, or has too many rare heaps, for its middle to be
    /// forgotten.
    ///
    /// # Errors
    /// The sequence as it was.
    #[expect(clippy::result_large_err, reason = "the error is the argument")]
    pub fn new(sequence: Sequence<NormalPlay>) -> Result<Self, Sequence<NormalPlay>> {
        let Some((moves, small)) = Self::settled(&sequence) else {
            return Err(sequence);
        };
        let start = sequence.values().clone();
        let sparse = sequence.state().sparse().clone();
        let mut tail = Tail {
            small: small as u64,
            dropped: 0,
            values: start.clone(),
        };
        tail.forget();
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

    /// How many small heaps have to be kept, where the sequence is long enough.
    fn settled(sequence: &Sequence<NormalPlay>) -> Option<(Moves, usize)> {
        let moves = Moves::of(sequence.rules())?;
        let count = sequence.values().len();
        let sparse = sequence.state().sparse();
        let (_, rares) = sparse.space()?;
        let witness = sparse.witness(count / 2)?;
        let last_rare = rares.last().copied().unwrap_or(0);
        let small = LEAST
            .max(8 * witness.reach)
            .max(4 * last_rare)
            .max(16 * moves.last)
            .next_power_of_two();
        (count.is_multiple_of(2) && count >= 8 * small).then_some((moves, small))
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &HeapRules {
        &self.rules
    }

    /// How many values were computed.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.tail.count()
    }

    /// The largest value so far.
    #[must_use]
    pub fn largest(&self) -> u64 {
        self.largest
    }

    /// The first values, from heap 0 on.
    #[must_use]
    pub fn start(&self) -> &Narrow {
        &self.start
    }

    /// The rule that tells common from rare heaps, and the rare heaps.
    #[must_use]
    pub fn sparse_space(&self) -> Option<(Classes, &[usize])> {
        self.sparse.space()
    }

    /// Whether the last values stood earlier, too, so that there is a period.
    #[must_use]
    pub fn repeats(&self) -> bool {
        self.found.is_some()
    }

    /// Computes more values, some percent of those there are, but none from heap `max` on; fewer when a period comes up.
    ///
    /// # Errors
    /// The limit that was reached, and [`Stop::Forgotten`] when the sequence leaves its sparse space: all values are needed
    /// then. What was computed until then is kept.
    pub fn advance(&mut self, max: u64, limits: &Limits<'_>) -> Result<(), Stop> {
        self.further(max, limits, None)
    }

    /// Does the same, and shows the new values before any of them are forgotten: those of the heaps from
    /// [`Stream::count`] on, in order.
    ///
    /// # Errors
    /// Those of [`Stream::advance`]; the values computed until then have been shown.
    ///
    /// ```
    /// use grundy::heap::{Code, HeapRules, Sequence, Stream};
    /// use grundy::{Limits, theory::NormalPlay};
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
    /// let mut sequence = Sequence::<NormalPlay>::new(rules);
    /// sequence.compute(1 << 16, &Limits::default())?;
    /// let mut stream = Stream::new(sequence).ok().unwrap();
    /// let mut nines = stream.start().iter().filter(|value| *value == 9).count();
    /// stream.advance_showing(70_000, &Limits::default(), &mut |values| {
    ///     nines += values.iter().filter(|value| *value == 9).count();
    /// })?;
    /// assert_eq!(nines, 0);
    /// # Ok::<(), grundy::Stop>(())
    /// ```
    pub fn advance_showing(
        &mut self,
        max: u64,
        limits: &Limits<'_>,
        show: &mut dyn FnMut(Narrow),
    ) -> Result<(), Stop> {
        self.further(max, limits, Some(show))
    }

    fn further(
        &mut self,
        max: u64,
        limits: &Limits<'_>,
        show: Option<&mut dyn FnMut(Narrow)>,
    ) -> Result<(), Stop> {
        if self.found.is_some() || self.count() >= max {
            return Ok(());
        }
        let known = self.tail.values.len();
        // An interrupted stretch is ended first.
        let full = self.tail.small as usize + self.tail.keep() + self.chunk();
        let room = usize::try_from(max - self.count()).unwrap_or(usize::MAX);
        let length = full.max(known + 2).min(known.saturating_add(room));
        self.sparse.forget_uses();
        let mut engine = Engine {
            moves: &self.moves,
            sparse: &mut self.sparse,
        };
        let result = engine.extend(&mut self.tail, length, limits);
        let reach = self.sparse.reach() as u64;
        for mark in &mut self.marks {
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
            return Err(Stop::Forgotten(self.count()));
        }
        if self.found.is_none() && self.count().is_multiple_of(2) {
            self.tail.forget();
            let last = self.marks.last().map_or(0, |mark| mark.at);
            if self.count() - last >= last / 12 {
                self.mark();
            }
        }
        Ok(())
    }

    /// How many values are computed before the middle is forgotten.
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

    /// Looks for the windows of the younger notes among the new values.
    fn search(&mut self, new: &Range<usize>) {
        let even = self
            .sparse
            .space()
            .is_some_and(|(classes, _)| classes.position);
        let young = self.marks.iter().enumerate().rev();
        let young = young.take_while(|(_, mark)| mark.at >= self.tail.count() / 4);
        let found = |mark: usize, end: usize| {
            let period = end as u64 + self.tail.dropped - self.marks[mark].at;
            (!even || period.is_multiple_of(2)).then_some(Found { mark, period })
        };
        self.found = self.tail.values.read(Again {
            windows: young.map(|(index, mark)| (index, &mark.window)).collect(),
            ends: new.clone(),
            found: &found,
        });
    }

    /// The period, when there is one. Parts of the sequence are computed again, to see from where it holds.
    ///
    /// # Complexity
    /// A part of the time that the values took, a fifth or so.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn period(&mut self, limits: &Limits<'_>) -> Result<Option<Period>, Stop> {
        let Some(Found { mark, period }) = self.found else {
            return Ok(None);
        };
        let Some((classes, rares)) = self.sparse.space() else {
            return Ok(None);
        };
        let rares = rares.to_vec();
        let repeating = &self.marks[mark];
        let theorem = PeriodTheorem::SparseWindow {
            classes,
            rares,
            reach: repeating.reach,
            start: repeating.at,
        };
        Ok(Some(Period {
            preperiod: self.first_of(mark, period, limits)?,
            period,
            saltus: 0,
            theorem,
            checked_to: self.count(),
        }))
    }

    /// The first heap from which all values come again after `period`, as those from note `mark` on do.
    fn first_of(&self, mark: usize, period: u64, limits: &Limits<'_>) -> Result<u64, Stop> {
        let mut sparse = self.sparse.clone();
        let mut engine = Engine {
            moves: &self.moves,
            sparse: &mut sparse,
        };
        for index in (0..mark).rev() {
            let (from, to) = (self.marks[index].at, self.marks[index + 1].at);
            let mut early = self.tail_at(index);
            let mut late = self.before(from + period);
            engine.walk(&mut late, from + period, limits)?;
            let mut last = None;
            while early.count() < to {
                let (n, step) = (early.count(), (to - early.count()).min(CHUNK as u64 / 4));
                engine.walk(&mut early, n + step, limits)?;
                engine.walk(&mut late, n + step + period, limits)?;
                last = last_difference(&early.values, &late.values, step as usize)
                    .map(|back| n + step - back as u64)
                    .or(last);
            }
            if let Some(last) = last {
                return Ok(last);
            }
        }
        // The first values are all there.
        let known = self.start.len() as u64;
        let mut late = self.before(known.max(period));
        let (mut n, mut last) = (0, None);
        while n < known {
            let step = (known - n).min(CHUNK as u64 / 4);
            let early = self.start.part(n as usize..(n + step) as usize);
            let values;
            if n + step + period <= known {
                values = self
                    .start
                    .part((n + period) as usize..(n + step + period) as usize);
            } else if n + period < known {
                // The rest of what is there, and go on in the next round behind it.
                values = self.start.part((n + period) as usize..known as usize);
            } else {
                engine.walk(&mut late, n + period, limits)?;
                engine.walk(&mut late, n + step + period, limits)?;
                let end = late.values.len();
                values = late.values.part(end - step as usize..end);
            }
            let step = values.len() as u64;
            let early = early.part(0..step as usize);
            last = last_difference(&early, &values, step as usize)
                .map(|back| n + step - back as u64)
                .or(last);
            n += step;
        }
        Ok(last.unwrap_or(0))
    }

    /// The values that are kept at a note.
    fn tail_at(&self, mark: usize) -> Tail {
        let small = self.tail.small;
        let Mark { at, window, .. } = &self.marks[mark];
        let mut values = self.start.part(0..small as usize);
        for value in window.iter() {
            super::Store::append(&mut values, value);
        }
        Tail {
            small,
            dropped: at - values.len() as u64,
            values,
        }
    }

    /// The values kept at the last note that is not after heap `n`.
    fn before(&self, n: u64) -> Tail {
        let after = self.marks.partition_point(|mark| mark.at <= n);
        self.tail_at(after.saturating_sub(1))
    }

    /// All that has to be kept to go on later.
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

    /// Goes on from a state; `None` when it is none of a game with these rules.
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
        let moves = Moves::of(&rules)?;
        let small = usize::try_from(tail.small).ok()?;
        let keep = small.checked_mul(2)?;
        let fits = small >= LEAST
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

/// How many entries before the end the last difference of the last `length` values lies; the entry itself counts, so 0 would
/// be behind the end. Then the values after it agree.
fn last_difference(a: &Narrow, b: &Narrow, length: usize) -> Option<usize> {
    let (a, b) = (a.iter().rev(), b.iter().rev());
    a.zip(b).take(length).position(|(a, b)| a != b)
}

/// The largest of some values.
struct Largest(Range<usize>);

impl Reading for Largest {
    type Output = u64;

    fn read<E: Entry>(self, values: &[E]) -> u64 {
        values[self.0].iter().max().map_or(0, |value| value.get())
    }
}

/// The first window that comes again, with its end after `ends.start` and not after `ends.end`, of those that `found` takes.
struct Again<'a> {
    /// Windows with their numbers.
    windows: Vec<(usize, &'a Narrow)>,
    ends: Range<usize>,
    found: &'a dyn Fn(usize, usize) -> Option<Found>,
}

/// The low bytes of the last values, the last one lowest: what tells where a window may end.
fn clue(last: u64, value: u64) -> u64 {
    last << 8 | value & 0xff
}

impl Reading for Again<'_> {
    type Output = Option<Found>;

    fn read<E: Entry>(self, values: &[E]) -> Option<Found> {
        let Self {
            windows,
            ends,
            found,
        } = self;
        let clues: Vec<u64> = windows
            .iter()
            .map(|(_, window)| window.iter().skip(window.len() - CLUE).fold(0, clue))
            .collect();
        // A filter before the list: one bit in 4,096 for each clue.
        let place = |clue: u64| (clue.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize;
        let mut filter = [0u64; 64];
        for &clue in &clues {
            filter[place(clue) / 64] |= 1 << (place(clue) % 64);
        }
        let before = values[ends.start + 1 - CLUE..ends.start].iter();
        let mut last = before.fold(0, |last, value| clue(last, value.get()));
        for end in ends.start + 1..=ends.end {
            last = clue(last, values[end - 1].get());
            if filter[place(last) / 64] >> (place(last) % 64) & 1 == 0 {
                continue;
            }
            for ((mark, window), _) in windows.iter().zip(&clues).filter(|(_, c)| **c == last) {
                let whole = values[end - window.len()..end].iter();
                if whole.rev().map(|value| value.get()).eq(window.iter().rev())
                    && let Some(found) = found(*mark, end)
                {
                    return Some(found);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::Code;

    fn sequence(code: &str, count: u64) -> Sequence<NormalPlay> {
        let rules = HeapRules::TakeAndBreak(Code::parse(code).unwrap());
        let mut sequence = Sequence::new(rules);
        sequence.compute(count, &Limits::none()).unwrap();
        sequence
    }

    /// Streams to the end, broken off and taken up again at every stretch.
    fn period(code: &str, count: u64) -> Period {
        let limits = Limits::none();
        let mut stream = Stream::new(sequence(code, count)).ok().unwrap();
        while !stream.repeats() {
            stream.advance(u64::MAX, &limits).unwrap();
            stream = Stream::resume(stream.rules().clone(), stream.state()).unwrap();
        }
        stream.period(&limits).unwrap().unwrap()
    }

    fn agrees(code: &str, count: u64) {
        let mut whole = sequence(code, 0);
        while whole.period().is_none() {
            whole.try_to_prove(&Limits::none()).unwrap();
        }
        let expected = whole.period().unwrap();
        let found = period(code, count);
        assert_eq!(
            (found.preperiod, found.period),
            (expected.preperiod, expected.period),
            "{code}"
        );
    }

    #[test]
    fn what_is_forgotten_changes_no_period() {
        // The period begins before, and after, the values that are all there.
        agrees("0.156", 100_000);
        agrees("0.56", 200_000);
        agrees("0.56", 600_000);
    }

    #[test]
    fn the_values_are_those_of_the_whole_sequence() {
        let mut stream = Stream::new(sequence("0.106", 400_000)).ok().unwrap();
        let limits = Limits::none();
        for max in [400_001, 400_003, 450_000, 700_001, 1_500_000] {
            while stream.count() < max {
                stream.advance(max, &limits).unwrap();
            }
            assert_eq!(stream.count(), max);
        }
        let whole = sequence("0.106", 1_500_000);
        let window = stream.tail.window();
        assert!(
            whole
                .values()
                .iter()
                .rev()
                .zip(window.iter().rev())
                .all(|(a, b)| a == b)
        );
        for mark in &stream.marks {
            let at = mark.at as usize;
            assert!(
                whole
                    .values()
                    .part(at - window.len()..at)
                    .iter()
                    .eq(mark.window.iter())
            );
        }
    }

    #[test]
    fn a_sequence_that_has_not_settled_is_handed_back() {
        assert!(Stream::new(sequence("0.106", 10_000)).is_err());
        assert!(Stream::new(sequence("0.137", 100_000)).is_err());
        assert!(Stream::new(sequence("0.33", 100_000)).is_err());
    }

    #[test]
    #[ignore = "half a minute in release builds"]
    fn long_periods_are_those_of_the_whole_sequence() {
        for (code, expected) in [
            ("0.104", (197_769_598, 11_770_282)),
            ("0.054", (193_235_616, 10_015_179)),
            ("0.454", (160_949_019, 60_620_715)),
        ] {
            let found = period(code, 1 << 21);
            assert_eq!((found.preperiod, found.period), expected, "{code}");
        }
    }
}
