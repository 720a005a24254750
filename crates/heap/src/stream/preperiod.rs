//! The least preperiod of a stream. It is found by recomputing parts of the sequence between two
//! recorded windows.

use super::Stream;
use super::marks::{Mark, RepeatedWindow};
use super::tail::{CHUNK, Engine, Tail};
use crate::compact_values::{CompactValues, Store as _};
use crate::period::{Period, PeriodTheorem};
use grundy_base::limits::{Limits, Stop};

impl Stream {
    /// Returns the period, if a recorded window has occurred again. Parts of the sequence are
    /// recomputed to find the least preperiod.
    ///
    /// # Complexity
    /// The recomputation takes about a fifth of the time that the stream took to compute its
    /// values.
    ///
    /// # Errors
    /// The limit that was reached.
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
    /// assert_eq!(stream.period(&Limits::default())?, None);
    /// stream.advance(u64::MAX, &Limits::default())?;
    /// let period = stream.period(&Limits::default())?.unwrap();
    /// assert_eq!((period.preperiod, period.period), (71, 12));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    pub fn period(&mut self, limits: &Limits<'_>) -> Result<Option<Period>, Stop> {
        let Some(RepeatedWindow { mark, period }) = self.found else {
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
            preperiod: self.least_preperiod(mark, period, limits)?,
            period,
            saltus: 0,
            theorem,
            checked_to: self.count(),
        }))
    }

    /// Returns the least heap from which each value is equal to the value `period` heaps later. The
    /// caller knows that this equation holds for all heaps after the recorded window with index
    /// `mark`.
    fn least_preperiod(&self, mark: usize, period: u64, limits: &Limits<'_>) -> Result<u64, Stop> {
        let mut sparse = self.sparse.clone();
        let mut engine = Engine {
            moves: &self.moves,
            sparse: &mut sparse,
        };
        // The intervals between marks are examined backwards. The first interval with a difference
        // contains the preperiod, so earlier intervals need not be recomputed.
        for index in (0..mark).rev() {
            let (from, to) = (self.marks[index].at, self.marks[index + 1].at);
            let mut early = self.tail_at(index);
            let mut late = self.tail_before(from + period);
            engine.extend_to(&mut late, from + period, limits)?;
            // Two computations run in parallel, one period apart. So only short parts of the
            // sequence are in memory.
            let mut last = None;
            while early.count() < to {
                let (n, step) = (early.count(), (to - early.count()).min(CHUNK as u64 / 4));
                engine.extend_to(&mut early, n + step, limits)?;
                engine.extend_to(&mut late, n + step + period, limits)?;
                last = last_difference(&early.values, &late.values, step as usize)
                    .map(|back| n + step - back as u64)
                    .or(last);
            }
            if let Some(last) = last {
                return Ok(last);
            }
        }
        // The values of the first heaps are all stored.
        let known = self.start.len() as u64;
        let mut late = self.tail_before(known.max(period));
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
                // The rest of the stored values is compared first. The next round continues after
                // them.
                values = self.start.part((n + period) as usize..known as usize);
            } else {
                engine.extend_to(&mut late, n + period, limits)?;
                engine.extend_to(&mut late, n + step + period, limits)?;
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

    /// Returns the stored values at the time when the window with index `mark` was recorded. The
    /// computation can continue from these values.
    fn tail_at(&self, mark: usize) -> Tail {
        let small = self.tail.small;
        let Mark { at, window, .. } = &self.marks[mark];
        let mut values = self.start.part(0..small as usize);
        for value in window.iter() {
            values.append(value);
        }
        Tail {
            small,
            dropped: at - values.len() as u64,
            values,
        }
    }

    /// Returns the stored values at the time when a window was recorded. It is the last window that
    /// was recorded at heap `n` or earlier. If there is no such window, the first recorded window
    /// is used.
    fn tail_before(&self, n: u64) -> Tail {
        let after = self.marks.partition_point(|mark| mark.at <= n);
        self.tail_at(after.saturating_sub(1))
    }
}

/// Compares the last `length` values of `a` and `b`. Returns the distance of the last difference
/// from the end, which is 0 for the last value. Returns `None` if all values agree.
fn last_difference(a: &CompactValues, b: &CompactValues, length: usize) -> Option<usize> {
    let (a, b) = (a.iter().rev(), b.iter().rev());
    a.zip(b).take(length).position(|(a, b)| a != b)
}
