//! Periods of heap sequences, and the theorems that prove them. The proofs are in `docs/theory.md`.

use std::fmt;

use super::rules::{HeapRules, Memory};

/// A period that holds for ever: g(n + period) = g(n) + saltus for every n from `preperiod` on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period {
    /// The least heap from which the period holds, heap 0 having index 0.
    pub preperiod: u64,
    /// The least period.
    pub period: u64,
    /// What is added in each period.
    pub saltus: u64,
    /// Why it holds.
    pub theorem: PeriodTheorem,
    /// The number of values that were known when the proof was complete.
    pub checked_to: u64,
}

/// The theorems about periods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeriodTheorem {
    /// Two heaps at most: if g(n + p) = g(n) for n0 <= n < 2 n0 + p + k, then for all n >= n0.
    GuySmith,
    /// The same for moves that leave at most s heaps: n0 <= n < s n0 + (s - 1) p + k.
    Splitting(u64),
    /// A value that is a function of the last u values: two equal windows of length u.
    Window(u64),
    /// All-but games: equal states of the last u values, taken relative to the values used so far.
    AllBut(u64),
}

impl PeriodTheorem {
    /// The usual name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::GuySmith => "Guy-Smith periodicity theorem",
            Self::Splitting(_) => "periodicity theorem for splitting into several heaps",
            Self::Window(_) => "finite subtraction sets are periodic",
            Self::AllBut(_) => "all-but games are arithmetic periodic",
        }
    }

    /// The word used in certificates.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::GuySmith => "guy_smith",
            Self::Splitting(_) => "splitting",
            Self::Window(_) => "window",
            Self::AllBut(_) => "all_but",
        }
    }
}

impl fmt::Display for PeriodTheorem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The least period that a theorem proves from these values; `None` when no theorem applies yet.
///
/// # Complexity
/// O(n) time and memory for n values, by the Z-function of the reversed sequence.
#[must_use]
pub fn prove<V: Copy + Eq>(rules: &HeapRules, values: &[V]) -> Option<Period> {
    let known = values.len() as u64;
    let shared = suffixes(values);
    let (theorem, demand): (_, Box<dyn Fn(u64, u64) -> u64>) = match rules.memory() {
        Memory::Splits { s, k } => {
            let theorem = if s == 2 {
                PeriodTheorem::GuySmith
            } else {
                PeriodTheorem::Splitting(s)
            };
            // The number of values needed: one more than the last n + p compared.
            (
                theorem,
                Box::new(move |n0: u64, p: u64| s * n0.max(1) + (s - 1) * p + k + p),
            )
        }
        Memory::Window(u) => (
            PeriodTheorem::Window(u),
            Box::new(move |n0, p| n0.saturating_add(u).saturating_add(p)),
        ),
        Memory::AllBut(_) | Memory::Everything => return None,
    };
    (1..known).find_map(|period| {
        let preperiod = known - shared[period as usize] - period;
        let proved = shared[period as usize] > 0 && demand(preperiod, period) <= known;
        proved.then_some(Period {
            preperiod,
            period,
            saltus: 0,
            theorem,
            checked_to: known,
        })
    })
}

/// The same for an all-but game in normal play, where the values grow.
#[must_use]
pub fn prove_all_but(excluded: &[u64], values: &[u64]) -> Option<Period> {
    let window = excluded.last().copied().unwrap_or(0);
    let known = values.len() as u64;
    if known <= 2 * window {
        return None;
    }
    // How many values had been used before each heap, and where each value came first.
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
    let shared = suffixes(&relative);
    let dead = |end: u64, back: u64| first[values[(end - back) as usize] as usize] < end - window;
    let used_before = |end: u64| first.partition_point(|&n| n < end) as u64;
    (1..=known - 2 * window).find_map(|period| {
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
    })
}

/// For each shift p, how long a suffix the sequence shares with itself shifted by p: the Z-function of the
/// reversed sequence (D. Gusfield, Algorithms on Strings, Trees, and Sequences, 1997, section 1.3).
fn suffixes<V: Copy + Eq>(values: &[V]) -> Vec<u64> {
    let n = values.len();
    let at = |i: usize| values[n - 1 - i];
    let mut z = vec![0u64; n];
    let (mut left, mut right) = (0, 0);
    for i in 1..n {
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
    z
}
