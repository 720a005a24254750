//! Grundy values of codes with long runs of equal digits, and of codes whose moves leave many
//! heaps.
//!
//! Let X(k, m) be the set of the values of all sums of k heaps with m chips in total. All these
//! sets are stored, with one bit for each value. X(k, m) is the union of g(a) + X(k - 1, m - a)
//! over a >= 1, where + is the nim-sum. A digit such as `{2+}` needs the sets Y(k, m) for at least
//! k heaps. The same rule holds for them if k >= 2, and Y(1, m) is Y(2, m) together with g(m).
//!
//! Consider a run of equal digits, for the takes from `first` to `last`. From a heap of n, it leads
//! to the remainders n - last, ..., n - first. The program counts for each value how many of these
//! remainders have it in their sets. The next heap adds one remainder and drops another. So a run
//! takes one step for each value, however long it is.

use std::ops::Range;

use super::code::Code;
use super::compact_values::{Entry, Recurrence};
use super::recurrence::Budget;
use super::rules::HeapRules;
use super::three_heaps::insert_sums;
use grundy_base::limits::{Limits, Stop};

/// Minimal number of takes after which a move may split the heap. From this number on, the method
/// is used even if no move leaves more than three heaps.
const MIN_SPLITTING_TAKES: usize = 64;

/// A run that appends values of a game given by a code.
pub(crate) struct SplitWindowRun<'r, 'a, 'b> {
    code: &'r Code,
    count: usize,
    sets: &'r mut HeapSumSets,
    limits: &'a Limits<'b>,
    budget: Budget<'a, 'b>,
}

impl<'r, 'a, 'b> SplitWindowRun<'r, 'a, 'b> {
    /// Creates a run that computes the values of the heaps below `count`. It reuses the sets of
    /// earlier runs. Returns `None` for rules that another method handles better.
    pub(crate) fn new(
        rules: &'r HeapRules,
        count: u64,
        sets: &'r mut HeapSumSets,
        limits: &'a Limits<'b>,
    ) -> Result<Option<Self>, Stop> {
        let HeapRules::TakeAndBreak(code) = rules else {
            return Ok(None);
        };
        if code.most_heaps() <= 3 && code.last().is_some() && !has_long_runs(code) {
            return Ok(None);
        }
        let budget = Budget::new(limits, 8, count)?;
        Ok(Some(Self {
            code,
            count: count as usize,
            sets,
            limits,
            budget,
        }))
    }
}

/// Returns whether many takes allow splits, and most of them are in runs of equal digits.
fn has_long_runs(code: &Code) -> bool {
    let splitting = code.digits().iter().filter(|digit| **digit >= 4).count();
    splitting >= MIN_SPLITTING_TAKES && 8 * code.runs(usize::MAX).len() <= splitting
}

/// The kinds of sets that a digit needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Kinds {
    /// The largest k for which the sets X(k, m) of exactly k heaps are needed, and at least 1. The
    /// sets X(1, m) are not stored, since they consist of the value of m.
    exactly: usize,
    /// The largest k for which the sets Y(k, m) of at least k heaps are needed, or 0.
    at_least: usize,
}

impl Kinds {
    /// Splits a digit into the numbers of heaps that it allows, and the least k such that it allows
    /// all numbers from k upward.
    fn of(digit: u64) -> (impl Iterator<Item = usize>, Option<usize>) {
        let open = (digit >> 63 == 1).then(|| 64 - digit.leading_ones() as usize);
        let exact = (1..open.unwrap_or(63)).filter(move |&k| digit >> k & 1 == 1);
        (exact, open.map(|least| least.max(1)))
    }
}

/// The sets of one kind for all totals, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Rows(Vec<u64>);

impl Rows {
    fn row(&self, m: usize, words: usize) -> &[u64] {
        &self.0[m * words..(m + 1) * words]
    }
}

/// The sets of values of sums of heaps. They are kept between calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeapSumSets {
    kinds: Kinds,
    /// The number of words in a set. A set contains values below 64 times this number, which is a
    /// power of two.
    words: usize,
    /// The number of totals whose sets are complete.
    complete: usize,
    /// The sets X(k, m), from k = 2 on.
    exactly: Vec<Rows>,
    /// The sets Y(k, m), from k = 1 on.
    at_least: Vec<Rows>,
}

impl HeapSumSets {
    /// Clears all sets if they are too small for a value, or lack kinds of sets.
    fn make_room(&mut self, kinds: &Kinds, largest: u64) {
        let words = ((largest + 1).next_power_of_two() / 64).max(1) as usize;
        if self.words < words || self.kinds != *kinds {
            *self = Self {
                kinds: kinds.clone(),
                words,
                complete: 0,
                exactly: vec![Rows::default(); kinds.exactly - 1],
                at_least: vec![Rows::default(); kinds.at_least],
            };
        }
    }

    /// Returns the number of bytes of the sets for one total.
    fn bytes(&self) -> u64 {
        8 * (self.words * (self.exactly.len() + self.at_least.len())) as u64
    }

    /// Appends the sets of the sums of at least two heaps with `m` chips in total. Returns the
    /// number of steps.
    fn add_sums<E: Entry>(&mut self, m: usize, values: &[E]) -> usize {
        let words = self.words;
        let mut steps = 0;
        let mut union = vec![0; words];
        for k in 2..=self.kinds.exactly {
            union.fill(0);
            let (smaller, rest) = self.exactly.split_at_mut(k - 2);
            match smaller.last() {
                None => {
                    for a in 1..=m / 2 {
                        let sum = (values[a] ^ values[m - a]).get();
                        union[(sum >> 6) as usize] |= 1 << (sum & 63);
                    }
                    steps += m / 2;
                }
                // A sum of k heaps leaves at least k - 1 chips for the others.
                Some(rows) => {
                    let firsts = values.iter().enumerate().take((m + 2).saturating_sub(k));
                    for (a, value) in firsts.skip(1) {
                        insert_sums(&mut union, rows.row(m - a, words), value.get());
                    }
                    steps += m * words;
                }
            }
            rest[0].0.extend_from_slice(&union);
        }
        for k in 2..=self.kinds.at_least {
            union.fill(0);
            let (smaller, rest) = self.at_least.split_at_mut(k - 1);
            let firsts = values.iter().enumerate().take((m + 2).saturating_sub(k));
            for (a, value) in firsts.skip(1) {
                insert_sums(&mut union, smaller[k - 2].row(m - a, words), value.get());
            }
            steps += m * words;
            rest[0].0.extend_from_slice(&union);
        }
        steps
    }

    /// Completes the sets of the sums with `m` chips, once the value of a heap of `m` is known.
    fn add_heap(&mut self, m: usize, value: u64) {
        if let Some(two) = self.at_least.get(1) {
            let mut set = two.row(m, self.words).to_vec();
            // A heap of 0 is no heap.
            if m > 0 {
                set[(value >> 6) as usize] |= 1 << (value & 63);
            }
            self.at_least[0].0.extend_from_slice(&set);
        }
        self.complete = m + 1;
    }

    /// Drops the sets of totals that are not complete.
    fn drop_incomplete(&mut self) {
        for rows in self.exactly.iter_mut().chain(&mut self.at_least) {
            rows.0.truncate(self.complete * self.words);
        }
    }

    /// Inserts into `set` the values of the heaps that a digit allows to leave from `m` chips.
    /// `value` is the value of a single heap of `m` chips.
    fn insert(&self, set: &mut [u64], digit: u64, m: usize, value: u64) {
        let (exact, open) = Kinds::of(digit);
        let open = open.map(|k| &self.at_least[k - 1]);
        let exact = exact.filter_map(|k| {
            if k == 1 {
                set[(value >> 6) as usize] |= 1 << (value & 63);
            }
            self.exactly.get(k.checked_sub(2)?)
        });
        let rows: Vec<&Rows> = exact.chain(open).collect();
        for rows in rows {
            for (word, more) in set.iter_mut().zip(rows.row(m, self.words)) {
                *word |= more;
            }
        }
    }
}

/// The number of remainders whose sets contain each value.
struct Counts {
    counts: Vec<u32>,
    /// The values whose count is not 0, as a set of bits.
    present: Vec<u64>,
}

impl Counts {
    /// Adds or drops the values of a set.
    fn change(&mut self, set: &[u64], add: bool) {
        for (i, (&word, present)) in set.iter().zip(&mut self.present).enumerate() {
            let mut bits = word;
            while bits != 0 {
                let bit = bits.trailing_zeros();
                let count = &mut self.counts[64 * i + bit as usize];
                if add {
                    *count += 1;
                    *present |= 1 << bit;
                } else {
                    *count -= 1;
                    if *count == 0 {
                        *present &= !(1 << bit);
                    }
                }
                bits &= bits - 1;
            }
        }
    }
}

impl Recurrence for SplitWindowRun<'_, '_, '_> {
    fn run<E: Entry>(&mut self, values: &mut Vec<E>) -> Result<bool, Stop> {
        while values.len() < self.count {
            if !self.run_segment(values)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl SplitWindowRun<'_, '_, '_> {
    /// Computes values until all are known. Stops early if a value does not fit into an entry, or
    /// if the sets of values must grow.
    fn run_segment<E: Entry>(&mut self, values: &mut Vec<E>) -> Result<bool, Stop> {
        let runs = self.code.runs(self.count);
        let mut kinds = Kinds {
            exactly: 1,
            at_least: 0,
        };
        for digit in runs.iter().map(|run| run.digit) {
            let (exact, open) = Kinds::of(digit);
            kinds.exactly = kinds.exactly.max(exact.max().unwrap_or(1));
            // Y(1, m) depends on Y(2, m).
            kinds.at_least = kinds.at_least.max(open.map_or(0, |least| least.max(2)));
        }
        let largest = values.iter().map(|value| value.get()).max().unwrap_or(0);
        self.sets.make_room(&kinds, largest);
        // The previous call may have reached a limit, or a value that did not fit into an entry.
        self.sets.drop_incomplete();
        let words = self.sets.words;
        let size = 64 * words as u64;
        for m in self.sets.complete..values.len() {
            let steps = self.sets.add_sums(m, values);
            self.sets.add_heap(m, values[m].get());
            self.budget.spend(steps as u64 / 4)?;
        }
        let mut counts = Counts {
            counts: vec![0; size as usize],
            present: vec![0; words],
        };
        let mut set = vec![0; words];
        let first_heap = values.len();
        for n in first_heap..self.count {
            self.limits.check(n as u64 + 1, self.sets.bytes())?;
            let steps = self.sets.add_sums(n, values);
            self.budget
                .spend((steps + (runs.len() + 1) * words) as u64 / 4)?;
            for run in runs.iter().filter(|run| run.last > 0) {
                let mut change = |rests: Range<usize>, add: bool| {
                    for rest in rests {
                        set.fill(0);
                        let value = values[rest].get();
                        self.sets.insert(&mut set, run.digit, rest, value);
                        counts.change(&set, add);
                    }
                };
                let new = run.remainders(n);
                if n == first_heap {
                    change(new, true);
                } else {
                    let old = run.remainders(n - 1);
                    change(old.start..new.start.min(old.end), false);
                    change(old.end.max(new.start)..new.end, true);
                }
            }
            // Moves that take nothing, and the move that takes the whole heap.
            set.copy_from_slice(&counts.present);
            self.sets.insert(&mut set, self.code.digit(0) & !3, n, 0);
            if n > 0 && self.code.digit(n as u64) & 1 == 1 {
                set[0] |= 1;
            }
            let free = set.iter().position(|&word| word != u64::MAX);
            let value = free.map_or(size, |i| i as u64 * 64 + u64::from(set[i].trailing_ones()));
            if value >= E::SIZE {
                return Ok(false);
            }
            values.push(E::new(value));
            // The value is stored, but it does not fit into the sets. The next part of the run
            // enlarges them.
            if value >= size {
                return Ok(true);
            }
            self.sets.add_heap(n, value);
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::{NormalPlay, TamePlay};
    use crate::compact_values::CompactValues;
    use crate::recurrence::by_definition;
    use crate::{HeapRules, Sequence};

    fn values(code: &str, count: u64) -> Vec<u64> {
        let rules = HeapRules::TakeAndBreak(Code::parse(code).unwrap());
        let limits = Limits::default();
        let mut sets = HeapSumSets::default();
        let mut values = CompactValues::default();
        // Two calls, so that the second one resumes.
        for count in [count / 2, count] {
            let run = SplitWindowRun::new(&rules, count, &mut sets, &limits);
            let mut run = run.unwrap().expect("a code for this method");
            values.extend(&mut run).unwrap();
        }
        values.iter().collect()
    }

    fn check(code: &str, count: u64) {
        let rules = HeapRules::TakeAndBreak(Code::parse(code).unwrap());
        let mut expected: Vec<u64> = Vec::new();
        by_definition::<NormalPlay>(&rules, &mut expected, count, &Limits::default()).unwrap();
        assert_eq!(values(code, count), expected, "{code}");
    }

    #[test]
    fn values_agree_with_the_definition() {
        for code in [
            "0.[3]",
            "4.[3]",
            "0.[7]",
            "0.0[37]",
            "4.0[123]",
            "{2+}.0",
            "{2,4}.0",
            "0.g",
            "0.3g",
            "4.{1+}",
            "0.{3,5+}3",
            "0.{0,4}{2+}1",
            "{4}.[2]",
            "g.h",
            "0.{0+}",
            "0.[{1+}]",
        ] {
            check(code, 26);
        }
        check(&format!("0.00(7)*{}", 100), 300);
        check(&format!("4.1(37)*{}(6)*200", 3), 300);
        check(&format!("0.0(4)*{}35", 70), 300);
    }

    #[test]
    fn splits_into_any_number_of_heaps_have_large_values() {
        // If a heap may be split into two, three or more heaps, the value of n is n - 1.
        for code in ["{2,3,4}.0", "{2,3,4,5}.0", "{2+}.0"] {
            let expected: Vec<u64> = (0..200).map(|n: u64| n.saturating_sub(1)).collect();
            assert_eq!(values(code, 200), expected, "{code}");
        }
    }

    // By the definition, the values of a hundred heaps would take far too long.
    #[test]
    fn tame_values_of_small_heaps_need_no_larger_heaps() {
        for code in ["{2+}.0", "0.g", "0.1[6]", "{3,5}.02"] {
            let rules = HeapRules::TakeAndBreak(Code::parse(code).unwrap());
            let mut expected = Vec::new();
            by_definition::<TamePlay>(&rules, &mut expected, 13, &Limits::default()).unwrap();
            let mut sequence = Sequence::<TamePlay>::new(rules);
            for n in [9, 4, 12] {
                let value = sequence.value(n, &Limits::default());
                assert_eq!(value, Ok(expected[n as usize]), "{code}");
            }
        }
    }

    #[test]
    fn long_runs_are_fast() {
        let code = Code::parse("0.00(7)*2000").unwrap();
        let mut sequence = Sequence::<NormalPlay>::new(HeapRules::TakeAndBreak(code));
        sequence.compute(4001, &Limits::default()).unwrap();
        assert_eq!(
            sequence.values().iter().take(9).collect::<Vec<_>>(),
            [0, 0, 0, 1, 1, 1, 2, 2, 2]
        );
    }
}
