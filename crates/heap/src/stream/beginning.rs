//! From where on a stream repeats: parts of it are computed again, from note to note.

use super::Stream;
use super::note::{FoundAgain, Mark};
use super::tail::{CHUNK, Engine, Tail};
use crate::narrow::{Narrow, Store as _};
use crate::period::{Period, PeriodTheorem};
use grundy_base::limits::{Limits, Stop};

impl Stream {
    /// Returns the period, when there is one. Parts of the sequence are computed again, to see from
    /// where it holds.
    ///
    /// # Complexity
    /// A part of the time that the values took, a fifth or so.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn period(&mut self, limits: &Limits<'_>) -> Result<Option<Period>, Stop> {
        let Some(FoundAgain { mark, period }) = self.found else {
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

    /// Returns the first heap from which all values come again after `period`, as those from note
    /// `mark` on do.
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

    /// Returns the values that are kept at a note.
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

    /// Returns the values kept at the last note that is not after heap `n`.
    fn before(&self, n: u64) -> Tail {
        let after = self.marks.partition_point(|mark| mark.at <= n);
        self.tail_at(after.saturating_sub(1))
    }
}

/// How many entries before the end the last difference of the last `length` values lies; the entry
/// itself counts, so 0 would be behind the end. Then the values after it agree.
fn last_difference(a: &Narrow, b: &Narrow, length: usize) -> Option<usize> {
    let (a, b) = (a.iter().rev(), b.iter().rev());
    a.zip(b).take(length).position(|(a, b)| a != b)
}
