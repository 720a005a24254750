//! Periods of heap sequences, and the theorems that prove them. The proofs are in `docs/theory.md`.

use std::fmt;

use super::classes::Classes;
use super::compact_values::Entry;
use super::rules::{HeapRules, Memory};
use super::sparse::Sparse;
use grundy_base::limits::{Limits, Stop};

/// A proved period: g(n + period) = g(n) + saltus for all n >= `preperiod`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period {
    /// The least heap from which the values are periodic. Heap 0 has index 0.
    pub preperiod: u64,
    /// The least period.
    pub period: u64,
    /// The saltus: the amount that each period adds to the values.
    pub saltus: u64,
    /// The theorem that proves the period.
    pub theorem: PeriodTheorem,
    /// The number of values on which the proof of the period is based.
    pub checked_to: u64,
}

impl Period {
    /// Returns the period of g(n) = h(floor(n / times)), where `self` is the period of h. The
    /// values of g change only at multiples of `times`. So the preperiod and the period of g are
    /// the least possible, unless h is constant from its preperiod on. Returns `None` if one of the
    /// numbers would be 2^64 or more.
    ///
    /// ```
    /// use grundy_heap::{Period, PeriodTheorem};
    /// let theorem = PeriodTheorem::Window(2);
    /// let h = Period { preperiod: 0, period: 3, saltus: 0, theorem, checked_to: 5 };
    /// let g = h.stretched(10).unwrap();
    /// assert_eq!((g.period, g.theorem), (30, PeriodTheorem::Window(20)));
    /// ```
    #[must_use]
    pub fn stretched(&self, times: u64) -> Option<Self> {
        Some(Self {
            preperiod: self.preperiod.checked_mul(times)?,
            period: self.period.checked_mul(times)?,
            saltus: self.saltus,
            theorem: match self.theorem {
                PeriodTheorem::Window(window) => PeriodTheorem::Window(window.checked_mul(times)?),
                ref theorem => theorem.clone(),
            },
            checked_to: self.checked_to.saturating_mul(times),
        })
    }
}

/// The theorems that prove periods. Here n0 is the preperiod, p the period, and k the largest
/// number of chips that a move can take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeriodTheorem {
    /// The theorem for moves that leave at most two heaps. If g(n + p) = g(n) for n0 <= n < 2 n0 +
    /// p + k, then g(n + p) = g(n) for all n >= n0.
    GuySmith,
    /// The generalization to moves that leave at most s heaps. The condition is g(n + p) = g(n) for
    /// n0 <= n < s n0 + (s - 1) p + k.
    Splitting(u64),
    /// The theorem for games in which a value depends only on the last u values. The condition is
    /// that two windows of u successive values are equal.
    Window(u64),
    /// The theorem for all-but games, where u is the largest excluded number. From each value, the
    /// number of different earlier values is subtracted. The condition is that two windows of u
    /// such differences are equal. Corresponding values must also agree in whether they first
    /// occurred before their window.
    AllBut(u64),
    /// The theorem for moves that leave at most two heaps, if only finitely many heaps are rare in
    /// the sense of [`Classes`]. See `docs/theory.md`, "The sparse window".
    SparseWindow {
        /// The rule that separates common from rare heaps.
        classes: Classes,
        /// All rare heaps by the rule `classes`, except heap 0.
        rares: Vec<usize>,
        /// A bound on the smaller heap in the splits that the proof needs. For each heap from
        /// `start` upward, three kinds of moves reach all rare values below the value of the heap.
        /// They are moves that leave at most one heap, splits with a rare heap, and splits with a
        /// heap of at most `reach` chips.
        reach: u64,
        /// The first heap after the window of values that the proof compares. The same window of
        /// values occurs again one period later.
        start: u64,
    },
}

impl PeriodTheorem {
    /// Returns the usual name of the theorem.
    ///
    /// ```
    /// use grundy_heap::PeriodTheorem;
    /// assert_eq!(PeriodTheorem::GuySmith.name(), "Guy-Smith periodicity theorem");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::GuySmith => "Guy-Smith periodicity theorem",
            Self::Splitting(_) => "periodicity theorem for splitting into several heaps",
            Self::Window(_) => "periodicity theorem for finite subtraction sets",
            Self::AllBut(_) => "arithmetic periodicity theorem for all-but games",
            Self::SparseWindow { .. } => "sparse-window theorem",
        }
    }

    /// Returns the code of the theorem in certificates.
    ///
    /// ```
    /// use grundy_heap::PeriodTheorem;
    /// assert_eq!(PeriodTheorem::Window(4).code(), "window");
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::GuySmith => "guy_smith",
            Self::Splitting(_) => "splitting",
            Self::Window(_) => "window",
            Self::AllBut(_) => "all_but",
            Self::SparseWindow { .. } => "sparse_window",
        }
    }
}

impl fmt::Display for PeriodTheorem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the least period that a theorem proves from these values. Returns `None` if no theorem
/// proves a period yet.
///
/// # Complexity
/// O(n) time for n values. The memory is O(n) for finite subtraction sets and otherwise O(1).
///
/// # Errors
/// The limit that was reached.
///
/// # Examples
/// ```
/// use grundy_base::Limits;
/// use grundy_heap::{HeapRules, PeriodTheorem, TakeSet, period};
/// let rules = HeapRules::Subtraction(TakeSet::Finite(vec![1, 3, 4]));
/// let values = [0, 1, 0, 1, 2, 3, 2, 0, 1, 0, 1, 2, 3, 2];
/// let proved = period::prove(&rules, &values, &Limits::default())?.unwrap();
/// assert_eq!((proved.preperiod, proved.period), (0, 7));
/// assert_eq!(proved.theorem, PeriodTheorem::Window(4));
/// # Ok::<(), grundy_base::Stop>(())
/// ```
pub fn prove<V: Copy + Eq>(
    rules: &HeapRules,
    values: &[V],
    limits: &Limits<'_>,
) -> Result<Option<Period>, Stop> {
    let known = values.len() as u64;
    let found = match rules.memory() {
        Memory::Splits { s, k } => {
            let theorem = if s == 2 {
                PeriodTheorem::GuySmith
            } else {
                PeriodTheorem::Splitting(s)
            };
            // The hypothesis implies that at least the last quarter of the values repeats the
            // values one period earlier.
            let agreeing = if s == 1 { k.max(1) } else { known / 4 };
            let Some(period) = nearest_repeat(values, agreeing, known / s.min(2), limits)? else {
                return Ok(None);
            };
            let preperiod = least_preperiod(values, period, limits)?;
            // The number of values needed is the largest n + p of the hypothesis plus one.
            let needed = s * preperiod.max(1) + (s - 1) * period + k + period;
            (needed <= known).then_some(Period {
                preperiod,
                period,
                saltus: 0,
                theorem,
                checked_to: known,
            })
        }
        Memory::Window(u) => {
            // Two windows of length u at different places need at least u + 1 values.
            if known <= u {
                return Ok(None);
            }
            let shared = suffixes(values, limits)?;
            (1..known).find_map(|period| {
                let preperiod = known - shared[period as usize] - period;
                let window = shared[period as usize] >= u.max(1);
                window.then_some(Period {
                    preperiod,
                    period,
                    saltus: 0,
                    theorem: PeriodTheorem::Window(u),
                    checked_to: known,
                })
            })
        }
        Memory::AllBut(_) | Memory::Everything => None,
    };
    Ok(found)
}

/// Returns the period that the sparse-window theorem proves, if any. The game must be an octal game
/// whose moves take at most `k` chips.
pub(crate) fn prove_by_window<E: Entry>(
    sparse: &Sparse,
    k: usize,
    values: &[E],
    limits: &Limits<'_>,
) -> Result<Option<Period>, Stop> {
    let known = values.len();
    let Some(&last_rare) = sparse.space().and_then(|(_, rares)| rares.last()) else {
        return Ok(None);
    };
    let window = |from| {
        Some((
            sparse.witness(from)?,
            last_rare.max(sparse.witness(from)?.reach) + k,
        ))
    };
    let Some((_, width)) = window(sparse.since().max(known / 2)) else {
        return Ok(None);
    };
    let Some(period) = nearest_repeat(values, width as u64, known as u64, limits)? else {
        return Ok(None);
    };
    let period = period as usize;
    let start = known - period;
    // The evidence must cover a whole period, which may be longer than the first guess.
    let Some((witness, width)) = window(start) else {
        return Ok(None);
    };
    let repeats =
        start > width + last_rare && values[start - width..start] == values[known - width..];
    // If the parity of the heap counts, then a shift by an odd period exchanges common and rare
    // values.
    let parity = !witness.classes.position || period.is_multiple_of(2);
    if !(repeats && parity) {
        return Ok(None);
    }
    Ok(Some(Period {
        preperiod: least_preperiod(values, period as u64, limits)?,
        period: period as u64,
        saltus: 0,
        theorem: PeriodTheorem::SparseWindow {
            classes: witness.classes,
            rares: witness.rares,
            reach: witness.reach as u64,
            start: start as u64,
        },
        checked_to: known as u64,
    }))
}

/// Number of comparisons between two polls of the limits.
const POLL: usize = 1 << 22;

/// Returns the least p <= `most` such that the last `length` values are equal to the values p
/// places earlier.
fn nearest_repeat<V: Eq>(
    values: &[V],
    length: u64,
    most: u64,
    limits: &Limits<'_>,
) -> Result<Option<u64>, Stop> {
    let known = values.len() as u64;
    if length == 0 || length > known {
        return Ok(None);
    }
    let most = most.min(known - length) as usize;
    let Some((end, rest)) = values[(known - length) as usize..].split_last() else {
        return Ok(None);
    };
    let mut compared = 0;
    for p in 1..=most {
        let last = values.len() - 1 - p;
        compared += 1;
        if values[last] == *end {
            if values[last - rest.len()..last] == *rest {
                return Ok(Some(p as u64));
            }
            // This is an estimate: two windows usually differ within a small part of their length.
            compared += rest.len() / 64;
        }
        if compared >= POLL {
            compared = 0;
            limits.poll()?;
        }
    }
    Ok(None)
}

/// Returns the least heap from which each value is equal to the value `period` heaps later.
fn least_preperiod<V: Eq>(values: &[V], period: u64, limits: &Limits<'_>) -> Result<u64, Stop> {
    let period = period as usize;
    let mut end = values.len() - period;
    while end > 0 {
        limits.poll()?;
        // The values are compared backwards, because the last difference determines the preperiod.
        let start = end.saturating_sub(POLL);
        let differs = (start..end).rfind(|&n| values[n] != values[n + period]);
        if let Some(n) = differs {
            return Ok(n as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// Returns the least period that is proved for an all-but game in normal play. The values of such a
/// game grow without bound, so the saltus is positive.
///
/// # Errors
/// The limit that was reached.
///
/// # Examples
/// ```
/// use grundy_base::Limits;
/// use grundy_heap::period::prove_all_but;
/// // A move takes any number of chips except one.
/// let period = prove_all_but(&[1], &[0, 0, 1, 1, 2, 2, 3, 3], &Limits::default())?.unwrap();
/// assert_eq!((period.preperiod, period.period, period.saltus), (0, 2, 1));
/// # Ok::<(), grundy_base::Stop>(())
/// ```
pub fn prove_all_but(
    excluded: &[u64],
    values: &[u64],
    limits: &Limits<'_>,
) -> Result<Option<Period>, Stop> {
    let window = excluded.last().copied().unwrap_or(0);
    let known = values.len() as u64;
    if known <= window.saturating_mul(2) {
        return Ok(None);
    }
    limits.poll()?;
    // The list `first` has the first heap of each value. A new value is always the mex of all used
    // values, so the list is ascending.
    let mut first = Vec::new();
    let relative: Vec<u64> = values
        .iter()
        .enumerate()
        .map(|(n, &value)| {
            let used = first.len() as u64;
            if value == used {
                first.push(n as u64);
            }
            used - value
        })
        .collect();
    let shared = suffixes(&relative, limits)?;
    // A value is dead if its first heap is older than the window, because every later heap reaches
    // it. The state consists of the relative values and of one bit for each: whether it is dead.
    let dead = |end: u64, back: u64| first[values[(end - back) as usize] as usize] < end - window;
    let used_before = |end: u64| first.partition_point(|&n| n < end) as u64;
    let found = (1..=known - 2 * window).find_map(|period| {
        let same = period < known
            && shared[period as usize] >= window
            && (1..=window).all(|back| dead(known, back) == dead(known - period, back));
        if !same {
            return None;
        }
        let saltus = used_before(known) - used_before(known - period);
        let repeats = |n: u64| values[(n + period) as usize] == values[n as usize] + saltus;
        let preperiod = (0..known - period)
            .rev()
            .find(|&n| !repeats(n))
            .map_or(0, |n| n + 1);
        let theorem = PeriodTheorem::AllBut(window);
        Some(Period {
            preperiod,
            period,
            saltus,
            theorem,
            checked_to: known,
        })
    });
    Ok(found)
}

/// Returns, for each p, the largest m such that each of the last m values is equal to the value p
/// places earlier. This is the Z-function of the reversed sequence (D. Gusfield, Algorithms on
/// Strings, Trees, and Sequences, 1997, section 1.3).
fn suffixes<V: Copy + Eq>(values: &[V], limits: &Limits<'_>) -> Result<Vec<u64>, Stop> {
    let n = values.len();
    limits.check(1, 8 * n as u64)?;
    let at = |i: usize| values[n - 1 - i];
    let mut z = vec![0u64; n];
    let (mut left, mut right) = (0, 0);
    for i in 1..n {
        if i.is_multiple_of(POLL) {
            limits.poll()?;
        }
        let mut length = if i < right {
            (z[i - left] as usize).min(right - i)
        } else {
            0
        };
        while i + length < n && at(length) == at(i + length) {
            length += 1;
        }
        if i + length > right {
            (left, right) = (i, i + length);
        }
        z[i] = length as u64;
    }
    Ok(z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::NormalPlay;
    use crate::compact_values::{Store as _, ValuesVisitor};
    use crate::sparse::HeapMoves;
    use crate::{Code, Sequence};
    use grundy_base::Limits;

    struct ByWindow<'a>(&'a Sparse, usize);

    impl ValuesVisitor for ByWindow<'_> {
        type Output = Option<Period>;

        fn read<E: Entry>(self, values: &[E]) -> Option<Period> {
            prove_by_window(self.0, self.1, values, &Limits::none()).unwrap()
        }
    }

    /// Returns the number of games for which both theorems prove a period. Guy and Smith's theorem
    /// is tried on 4,000 values, the sparse window on at least 6,000. Checks that both periods are
    /// equal.
    fn both_theorems(codes: impl Iterator<Item = String>) -> usize {
        let mut both = 0;
        for text in codes {
            let rules = HeapRules::TakeAndBreak(Code::parse(&text).unwrap());
            let Some(moves) = HeapMoves::of(&rules) else {
                continue;
            };
            let mut sequence = Sequence::<NormalPlay>::new(rules);
            while sequence.period().is_none() && sequence.values().count() < 4000 {
                sequence.try_to_prove(&Limits::default()).unwrap();
            }
            let Some(known) = sequence.period().cloned() else {
                continue;
            };
            if known.theorem != PeriodTheorem::GuySmith {
                continue;
            }
            sequence.compute(6000, &Limits::default()).unwrap();
            let reading = ByWindow(sequence.state().sparse(), moves.last);
            if let Some(found) = sequence.values().read(reading) {
                let numbers = |period: &Period| (period.preperiod, period.period, period.saltus);
                assert_eq!(numbers(&found), numbers(&known), "{text}");
                both += 1;
            }
        }
        both
    }

    #[test]
    fn sparse_windows_agree_with_guy_and_smith() {
        let codes =
            (0..64).flat_map(|digits| [format!("0.{digits:02o}"), format!("4.{digits:02o}")]);
        let both = both_theorems(codes);
        assert!(both > 15, "{both}");
    }

    #[test]
    #[ignore = "half a minute: every code of three digits"]
    fn sparse_windows_agree_with_guy_and_smith_on_all_short_codes() {
        let codes =
            (0..512).flat_map(|digits| [format!("0.{digits:03o}"), format!("4.{digits:03o}")]);
        let both = both_theorems(codes);
        assert!(both > 100, "{both}");
    }
}
