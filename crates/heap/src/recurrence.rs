//! The plain recurrence, which computes the value of each heap from all of its options.

use super::code::Code;
use super::compact_values::{CompactValues, Entry, Recurrence, Store};
use super::rules::HeapRules;
use super::take_set::{NamedSet, TakeSet};
use crate::algebra::{Algebra, NormalPlay, Scratch};
use grundy_base::limits::{Limits, Stop, break_on_error, stopped_early};

/// Number of steps that a computation may take for each position that the limits allow. It is large
/// because a heap takes many steps but little memory.
const STEPS_PER_POSITION: u64 = 200;

/// Returns an error if the computation of `count` values of `bytes` bytes each would certainly
/// exceed the limits.
pub(crate) fn check_affordable(
    rules: &HeapRules,
    limits: &Limits<'_>,
    bytes: u64,
    count: u64,
) -> Result<(), Stop> {
    limits.check(1, count.saturating_mul(bytes))?;
    // With these rules, a heap of n has at least n / log2(n) options. For primes this holds because
    // more than n / ln(n) primes are at most n, for n >= 17 (J. B. Rosser and L. Schoenfeld,
    // Approximate formulas for some functions of prime numbers, Illinois J. Math. 6 (1962), 64-94).
    // Half of the heaps have at least half of the size.
    let many = match rules {
        HeapRules::Subtraction(TakeSet::Named(set)) => matches!(
            set,
            NamedSet::Primes | NamedSet::PrimesAnd1 | NamedSet::Odd | NamedSet::Even
        ),
        HeapRules::Subtraction(TakeSet::Except(_)) => true,
        HeapRules::TakeAndBreak(code) => code.last().is_none(),
        _ => false,
    };
    let half = u128::from(count / 2);
    let steps = if many && count > 100 {
        half * half / u128::from(count.ilog2())
    } else {
        u128::from(count)
    };
    if steps > u128::from(limits.positions.saturating_mul(STEPS_PER_POSITION)) {
        return Err(Stop::Positions(limits.positions));
    }
    Ok(())
}

/// Returns whether the limits allow fewer than `n` steps. Then a computation could not spend even
/// one step on each heap below `n`.
pub(crate) fn out_of_reach(n: u64, limits: &Limits<'_>) -> bool {
    n > limits.positions.saturating_mul(STEPS_PER_POSITION)
}

/// The number of steps of a computation so far, which is checked against the limits.
pub(crate) struct Budget<'a, 'b> {
    limits: &'a Limits<'b>,
    steps: u64,
    polled: u64,
}

impl<'a, 'b> Budget<'a, 'b> {
    /// Creates the budget for a computation of `count` values of `bytes` bytes each. Fails if they
    /// exceed the limit on memory.
    pub(crate) fn new(limits: &'a Limits<'b>, bytes: u64, count: u64) -> Result<Self, Stop> {
        limits.check(1, count.saturating_mul(bytes))?;
        limits.poll()?;
        Ok(Self {
            limits,
            steps: 0,
            polled: 0,
        })
    }

    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Stop> {
        self.steps += steps + 1;
        // A poll reads the clock, so it is made only after millions of steps.
        if self.steps - self.polled > 1 << 22 {
            self.polled = self.steps;
            self.limits.poll()?;
        }
        if self.steps > self.limits.positions.saturating_mul(STEPS_PER_POSITION) {
            return Err(Stop::Positions(self.limits.positions));
        }
        Ok(())
    }
}

/// Appends values until there are `count`. They are computed by the definition, option by option,
/// for any rules and any algebra.
pub(crate) fn by_definition<T: Algebra>(
    rules: &HeapRules,
    values: &mut impl Store<T::Value>,
    count: u64,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    let mut budget = Budget::new(limits, size_of::<T::Value>() as u64, count)?;
    let mut scratch = Scratch::default();
    let mut options = Vec::new();
    // A set that is the same for all heaps is listed once. Otherwise, for example, the primes would
    // be computed again for each heap.
    let takes = match rules {
        HeapRules::Subtraction(set) => set.up_to(count, limits)?,
        _ => None,
    };
    // Digits without moves take time as well, so all digits count as steps.
    let digits = match rules {
        HeapRules::TakeAndBreak(code) => code.last().unwrap_or(0),
        _ => 0,
    };
    for n in values.count() as u64..count {
        budget.spend(digits.min(n))?;
        options.clear();
        let mut visit = |heaps: &[u64]| {
            options.push(heaps.iter().fold(T::TERMINAL, |sum, &heap| {
                T::add(sum, values.at(heap as usize))
            }));
            break_on_error(budget.spend(1))
        };
        let flow = match &takes {
            Some(takes) => {
                let takes = takes.iter().take_while(|take| **take <= n);
                takes
                    .map(|take| n - take)
                    .try_for_each(|left| visit(&[left]))
            }
            None => rules.options(n, &mut visit),
        };
        stopped_early(flow)?;
        values.append(T::of_options(options.iter().copied(), &mut scratch));
    }
    Ok(())
}

/// Returns the values of the heaps below `count` by the plain recurrence. This method is
/// independent of the engine of [`super::Sequence`], so it can check the engine.
///
/// # Complexity
/// O(n^(s - 1)) steps for the value of a heap of n, for a finite code whose moves leave at most s
/// heaps.
///
/// # Errors
/// The limit that was reached.
///
/// ```
/// use grundy_heap::{HeapRules, Code, plain};
/// let kayles = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
/// let values: Vec<u64> = plain(&kayles, 8, &grundy_base::Limits::default())?.iter().collect();
/// assert_eq!(values, [0, 1, 2, 3, 1, 4, 3, 2]);
/// # Ok::<(), grundy_base::Stop>(())
/// ```
pub fn plain(rules: &HeapRules, count: u64, limits: &Limits<'_>) -> Result<CompactValues, Stop> {
    let mut values = CompactValues::default();
    extend_plainly(rules, &mut values, count, limits)?;
    Ok(values)
}

pub(crate) fn extend_plainly(
    rules: &HeapRules,
    values: &mut CompactValues,
    count: u64,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    let takes;
    let rules = match rules {
        HeapRules::TakeAndBreak(code) if code.most_heaps() < 3 && code.last().is_some() => {
            ShortRules::Octal(code, code.last().unwrap_or(0))
        }
        HeapRules::UnequalSplit => ShortRules::UnequalSplit,
        HeapRules::AllBut(excluded) => ShortRules::AllBut(excluded),
        HeapRules::Subtraction(set) => match set.up_to(count, limits)? {
            Some(list) => {
                takes = list;
                ShortRules::Subtraction(&takes)
            }
            None => return by_definition::<NormalPlay>(rules, values, count, limits),
        },
        HeapRules::TakeAndBreak(_) => {
            return by_definition::<NormalPlay>(rules, values, count, limits);
        }
    };
    values.extend(&mut Plain {
        rules,
        count,
        budget: Budget::new(limits, 1, count)?,
    })
}

/// The rules for which the plain recurrence has a direct implementation.
enum ShortRules<'a> {
    /// A code whose moves leave at most two heaps, and the largest number of chips that a move
    /// takes.
    Octal(&'a Code, u64),
    /// The numbers that may be taken, in ascending order.
    Subtraction(&'a [u64]),
    /// A split into two unequal heaps.
    UnequalSplit,
    /// The numbers that may not be taken, in ascending order.
    AllBut(&'a [u64]),
}

/// A run of the plain recurrence, in entries of any width.
struct Plain<'r, 'a, 'b> {
    rules: ShortRules<'r>,
    count: u64,
    budget: Budget<'a, 'b>,
}

impl Recurrence for Plain<'_, '_, '_> {
    fn run<E: Entry>(&mut self, values: &mut Vec<E>) -> Result<bool, Stop> {
        let Self {
            rules,
            count,
            budget,
        } = self;
        let mut reached = StampedSet::new(values);
        match rules {
            ShortRules::Octal(code, last) => reached.octal(code, *last, values, *count, budget),
            ShortRules::Subtraction(takes) => reached.subtraction(takes, values, *count, budget),
            ShortRules::UnequalSplit => reached.unequal_split(values, *count, budget),
            ShortRules::AllBut(excluded) => all_but(excluded, values, *count, budget),
        }
    }
}

/// Appends `value` if it fits into an entry. Returns whether it fits.
fn push<E: Entry>(values: &mut Vec<E>, value: u64) -> bool {
    let fits = value < E::SIZE;
    if fits {
        values.push(E::new(value));
    }
    fits
}

/// A set of values. Each value has a stamp, and the set contains the values with the current stamp.
/// So clearing the set only changes the current stamp, and an insertion is a store without a load.
struct StampedSet {
    stamps: Vec<u32>,
    stamp: u32,
    largest: u64,
}

impl StampedSet {
    fn new<E: Entry>(values: &[E]) -> Self {
        let mut reached = Self {
            stamps: Vec::new(),
            stamp: 0,
            largest: 0,
        };
        reached.make_room(values.iter().map(|value| value.get()).max().unwrap_or(0));
        reached
    }

    /// Makes room for all nim-sums of two values up to `largest`.
    fn make_room(&mut self, largest: u64) {
        self.largest = self.largest.max(largest);
        // All nim-sums are below the next power of two. The mex of a full set is this power itself,
        // so the room is twice as large.
        let room = (self.largest + 1).next_power_of_two() as usize * 2;
        if self.stamps.len() < room {
            self.stamps.resize(room, 0);
        }
    }

    fn clear(&mut self) {
        // When the counter wraps around, old stamps would become current again, so all stamps are
        // cleared.
        if self.stamp == u32::MAX {
            self.stamps.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    fn mark(&mut self, value: u64) {
        self.stamps[value as usize] = self.stamp;
    }

    /// Returns the mex of the set, and makes room for a value of this size.
    fn mex(&mut self) -> u64 {
        let stamp = self.stamp;
        let mex = self
            .stamps
            .iter()
            .position(|&s| s != stamp)
            .unwrap_or(self.stamps.len()) as u64;
        self.make_room(mex);
        mex
    }

    fn subtraction<E: Entry>(
        &mut self,
        takes: &[u64],
        values: &mut Vec<E>,
        count: u64,
        budget: &mut Budget<'_, '_>,
    ) -> Result<bool, Stop> {
        let mut usable = 0;
        for n in values.len() as u64..count {
            while takes.get(usable).is_some_and(|&take| take <= n) {
                usable += 1;
            }
            budget.spend(usable as u64)?;
            self.clear();
            for &take in &takes[..usable] {
                self.mark(values[(n - take) as usize].get());
            }
            if !push(values, self.mex()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn octal<E: Entry>(
        &mut self,
        code: &Code,
        last: u64,
        values: &mut Vec<E>,
        count: u64,
        budget: &mut Budget<'_, '_>,
    ) -> Result<bool, Stop> {
        for n in values.len() as u64..count {
            self.clear();
            for take in 0..=last.min(n) {
                // Bits 0, 1 and 2 of a digit allow moves that leave no heap, one heap and two
                // heaps.
                let digit = code.digit(take);
                let rest = (n - take) as usize;
                if digit & 1 != 0 && rest == 0 {
                    self.mark(0);
                }
                if digit & 2 != 0 && rest > 0 {
                    self.mark(values[rest].get());
                }
                if digit & 4 != 0 {
                    budget.spend(rest as u64 / 2)?;
                    self.mark_splits(values, rest, rest / 2);
                }
            }
            budget.spend(last.min(n))?;
            if !push(values, self.mex()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn unequal_split<E: Entry>(
        &mut self,
        values: &mut Vec<E>,
        count: u64,
        budget: &mut Budget<'_, '_>,
    ) -> Result<bool, Stop> {
        for n in values.len()..count as usize {
            budget.spend(n as u64 / 2)?;
            self.clear();
            self.mark_splits(values, n, n.div_ceil(2).saturating_sub(1));
            if !push(values, self.mex()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Inserts the nim-sum of g(a) and g(rest - a) for 1 <= a <= most.
    fn mark_splits<E: Entry>(&mut self, values: &[E], rest: usize, most: usize) {
        if most == 0 {
            return;
        }
        let (small, large) = (&values[1..=most], &values[rest - most..rest]);
        for (a, b) in small.iter().zip(large.iter().rev()) {
            self.stamps[(*a ^ *b).get() as usize] = self.stamp;
        }
    }
}

/// Appends the values of an all-but game. A heap of n reaches the value v if some smaller heap m
/// has value v and n - m is not excluded. All numbers above the largest excluded number u are
/// allowed. So heap n reaches every value that occurs before the last u heaps. Only values that
/// first occur among the last u heaps must be tested, in O(u) steps for each heap.
fn all_but<E: Entry>(
    excluded: &[u64],
    values: &mut Vec<E>,
    count: u64,
    budget: &mut Budget<'_, '_>,
) -> Result<bool, Stop> {
    let window = excluded.last().copied().unwrap_or(0);
    let mut first: Vec<u64> = Vec::new();
    for (n, &value) in values.iter().enumerate() {
        // The mex exceeds all earlier values by at most one. So values first appear in ascending
        // order.
        if value.get() == first.len() as u64 {
            first.push(n as u64);
        }
    }
    let mut reached: Vec<u64> = vec![u64::MAX; first.len()];
    for n in values.len() as u64..count {
        let start = n.saturating_sub(window);
        budget.spend(n - start)?;
        for m in start..n {
            if excluded.binary_search(&(n - m)).is_err() {
                reached[values[m as usize].get() as usize] = n;
            }
        }
        // A value that first occurred before the window is reached from n, since the difference of
        // the heaps is not excluded.
        let unreached = (start..n)
            .map(|m| values[m as usize].get())
            .filter(|&value| first[value as usize] >= start && reached[value as usize] != n)
            .min();
        let value = unreached.unwrap_or(first.len() as u64);
        if value == first.len() as u64 {
            first.push(n);
            reached.push(u64::MAX);
        }
        if !push(values, value) {
            return Ok(false);
        }
    }
    Ok(true)
}
