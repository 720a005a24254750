//! The values of heaps 0, 1, 2, ..., one after the other, and for ever once a period is proved.

use std::ops::ControlFlow;

use super::code::Code;
use super::period::{Period, prove, prove_all_but};
use super::rules::HeapRules;
use crate::limits::{Limits, Stop};
use crate::theory::{NormalPlay, Scratch, TamePlay, Theory};

/// A theory in which heap sequences are computed.
pub trait HeapTheory: Theory {
    /// Appends values until there are `count`.
    ///
    /// # Errors
    /// The limit that was reached; the values computed until then are kept.
    fn extend(
        rules: &HeapRules,
        values: &mut Vec<Self::Value>,
        count: u64,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        by_definition::<Self>(rules, values, count, limits)
    }

    /// The period proved by the values so far.
    fn prove(rules: &HeapRules, values: &[Self::Value]) -> Option<Period>;

    /// The value `times` periods later.
    fn shift(value: Self::Value, saltus: u64, times: u64) -> Option<Self::Value>;
}

impl HeapTheory for NormalPlay {
    fn extend(
        rules: &HeapRules,
        values: &mut Vec<u64>,
        count: u64,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        match rules {
            HeapRules::TakeAndBreak(code) if code.most_heaps() < 3 && code.last().is_some() => {
                Marks::new(values).octal(code, values, count, limits)
            }
            HeapRules::UnequalSplit => Marks::new(values).unequal_split(values, count, limits),
            HeapRules::AllBut(excluded) => all_but(excluded, values, count, limits),
            HeapRules::Subtraction(set) => match set.up_to(count) {
                Some(takes) => Marks::new(values).subtraction(&takes, values, count, limits),
                None => by_definition::<Self>(rules, values, count, limits),
            },
            HeapRules::TakeAndBreak(_) => by_definition::<Self>(rules, values, count, limits),
        }
    }

    fn prove(rules: &HeapRules, values: &[u64]) -> Option<Period> {
        match rules {
            HeapRules::AllBut(excluded) => prove_all_but(excluded, values),
            _ => prove(rules, values),
        }
    }

    fn shift(value: u64, saltus: u64, times: u64) -> Option<u64> {
        value.checked_add(saltus.checked_mul(times)?)
    }
}

impl HeapTheory for TamePlay {
    fn prove(rules: &HeapRules, values: &[Self::Value]) -> Option<Period> {
        // A tame value is a function of the set of the values of the options, as a Grundy value is: the theorems
        // that only compare these sets hold for it too. The one for all-but games uses more.
        prove(rules, values)
    }

    fn shift(value: Self::Value, saltus: u64, _: u64) -> Option<Self::Value> {
        (saltus == 0).then_some(value)
    }
}

/// The sequence of values of one game.
///
/// ```
/// use grundy::heap::{Code, HeapRules, Sequence};
/// use grundy::theory::NormalPlay;
/// use grundy::Limits;
/// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
/// let mut kayles = Sequence::<NormalPlay>::new(rules);
/// assert_eq!(kayles.value(1_000_000_000_000, &Limits::default()), Ok(1));
/// let period = kayles.period().unwrap();
/// assert_eq!((period.preperiod, period.period), (71, 12));
/// ```
#[derive(Debug)]
pub struct Sequence<T: Theory> {
    rules: HeapRules,
    values: Vec<T::Value>,
    period: Option<Period>,
    /// How many values there were when a proof was last tried.
    tried: u64,
}

/// The first length at which a proof is tried; further lengths grow by a quarter.
const FIRST_TRY: u64 = 128;
/// At least so many values are computed in search of a period, however small the heap asked for.
const LEAST: u64 = 512;

fn next_try(tried: u64) -> u64 {
    if tried == 0 {
        FIRST_TRY
    } else {
        tried + tried / 4
    }
}

impl<T: HeapTheory> Sequence<T> {
    /// No value computed yet.
    #[must_use]
    pub fn new(rules: HeapRules) -> Self {
        Self {
            rules,
            values: Vec::new(),
            period: None,
            tried: 0,
        }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &HeapRules {
        &self.rules
    }

    /// The values computed so far, from heap 0 on.
    #[must_use]
    pub fn values(&self) -> &[T::Value] {
        &self.values
    }

    /// The period, once it is proved.
    #[must_use]
    pub fn period(&self) -> Option<&Period> {
        self.period.as_ref()
    }

    /// The period that answers for a heap of `n`: the same whatever was asked before.
    #[must_use]
    pub fn period_for(&self, n: u64) -> Option<&Period> {
        let mut length = 0;
        while length <= n.max(LEAST) {
            length = next_try(length);
        }
        self.period
            .as_ref()
            .filter(|period| period.checked_to <= length)
    }

    /// The value of a heap of `n`.
    ///
    /// # Complexity
    /// That of computing values up to the first length, in the schedule 128, 160, 200, ..., at which a theorem
    /// proves the period, or past n where none does.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn value(&mut self, n: u64, limits: &Limits<'_>) -> Result<T::Value, Stop> {
        while self.period.is_none() && self.values.len() as u64 <= n.max(LEAST) {
            self.try_to_prove(limits)?;
        }
        self.get(n).ok_or(Stop::Positions(limits.positions))
    }

    /// Computes values to the next length of the schedule and tries to prove a period there.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn try_to_prove(&mut self, limits: &Limits<'_>) -> Result<(), Stop> {
        let length = next_try(self.tried);
        T::extend(&self.rules, &mut self.values, length, limits)?;
        self.tried = length;
        self.period = T::prove(&self.rules, &self.values);
        Ok(())
    }

    /// Computes values of all heaps below `count`, whether or not a period is known.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn compute(&mut self, count: u64, limits: &Limits<'_>) -> Result<(), Stop> {
        T::extend(&self.rules, &mut self.values, count, limits)
    }

    /// The value of a heap of `n`, if it is known.
    #[must_use]
    pub fn get(&self, n: u64) -> Option<T::Value> {
        if let Some(value) = self.values.get(usize::try_from(n).unwrap_or(usize::MAX)) {
            return Some(*value);
        }
        let Period {
            preperiod,
            period,
            saltus,
            ..
        } = *self.period.as_ref()?;
        let times = n.checked_sub(preperiod)? / period;
        let value = self.values[(n - times * period) as usize];
        T::shift(value, saltus, times)
    }
}

/// Steps allowed for each position that the limits allow: a heap's value costs many steps, not memory.
const STEPS: u64 = 200;

/// Counts the steps of a computation against the limits.
struct Budget<'a, 'b> {
    limits: &'a Limits<'b>,
    steps: u64,
    polled: u64,
}

impl<'a, 'b> Budget<'a, 'b> {
    fn new(limits: &'a Limits<'b>, bytes: u64, count: u64) -> Result<Self, Stop> {
        limits.check(count, bytes)?;
        Ok(Self {
            limits,
            steps: 0,
            polled: 0,
        })
    }

    fn spend(&mut self, steps: u64) -> Result<(), Stop> {
        self.steps += steps + 1;
        if self.steps - self.polled > 1 << 22 {
            self.polled = self.steps;
            self.limits.poll()?;
        }
        if self.steps > self.limits.positions.saturating_mul(STEPS) {
            return Err(Stop::Positions(self.limits.positions));
        }
        Ok(())
    }
}

fn by_definition<T: Theory>(
    rules: &HeapRules,
    values: &mut Vec<T::Value>,
    count: u64,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    let mut budget = Budget::new(limits, size_of::<T::Value>() as u64, count)?;
    let mut scratch = Scratch::default();
    let mut options = Vec::new();
    for n in values.len() as u64..count {
        options.clear();
        let mut stop = Ok(());
        let _ = rules.options(n, &mut |heaps| {
            options.push(
                heaps
                    .iter()
                    .fold(T::TERMINAL, |sum, &heap| T::add(sum, values[heap as usize])),
            );
            stop = budget.spend(1);
            if stop.is_ok() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        stop?;
        values.push(T::of_options(options.iter().copied(), &mut scratch));
    }
    Ok(())
}

/// A set of values kept as stamps: a value is in it when its stamp is the present one, so that emptying it costs
/// nothing and marking is a store without a load.
struct Marks {
    stamps: Vec<u32>,
    stamp: u32,
    largest: u64,
}

impl Marks {
    fn new(values: &[u64]) -> Self {
        let mut marks = Self {
            stamps: Vec::new(),
            stamp: 0,
            largest: 0,
        };
        marks.make_room(values.iter().copied().max().unwrap_or(0));
        marks
    }

    /// Room for every nim-sum of values up to `largest`.
    fn make_room(&mut self, largest: u64) {
        self.largest = self.largest.max(largest);
        let room = (self.largest + 1).next_power_of_two() as usize * 2;
        if self.stamps.len() < room {
            self.stamps.resize(room, 0);
        }
    }

    fn clear(&mut self) {
        if self.stamp == u32::MAX {
            self.stamps.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    fn mark(&mut self, value: u64) {
        self.stamps[value as usize] = self.stamp;
    }

    /// The mex of what is marked; makes room for it.
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

    fn subtraction(
        mut self,
        takes: &[u64],
        values: &mut Vec<u64>,
        count: u64,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let mut budget = Budget::new(limits, 8, count)?;
        let mut usable = 0;
        for n in values.len() as u64..count {
            while takes.get(usable).is_some_and(|&take| take <= n) {
                usable += 1;
            }
            budget.spend(usable as u64)?;
            self.clear();
            for &take in &takes[..usable] {
                self.mark(values[(n - take) as usize]);
            }
            values.push(self.mex());
        }
        Ok(())
    }

    fn octal(
        mut self,
        code: &Code,
        values: &mut Vec<u64>,
        count: u64,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let mut budget = Budget::new(limits, 8, count)?;
        let last = code.last().unwrap_or(0);
        for n in values.len() as u64..count {
            self.clear();
            for take in 0..=last.min(n) {
                let digit = code.digit(take);
                let rest = (n - take) as usize;
                if digit & 1 != 0 && rest == 0 {
                    self.mark(0);
                }
                if digit & 2 != 0 && rest > 0 {
                    self.mark(values[rest]);
                }
                if digit & 4 != 0 {
                    budget.spend(rest as u64 / 2)?;
                    self.mark_splits(values, rest, rest / 2);
                }
            }
            budget.spend(last.min(n))?;
            values.push(self.mex());
        }
        Ok(())
    }

    fn unequal_split(
        mut self,
        values: &mut Vec<u64>,
        count: u64,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let mut budget = Budget::new(limits, 8, count)?;
        for n in values.len()..count as usize {
            budget.spend(n as u64 / 2)?;
            self.clear();
            self.mark_splits(values, n, n.div_ceil(2).saturating_sub(1));
            values.push(self.mex());
        }
        Ok(())
    }

    /// Marks g(a) + g(rest - a) for 1 <= a <= most.
    fn mark_splits(&mut self, values: &[u64], rest: usize, most: usize) {
        if most == 0 {
            return;
        }
        let (small, large) = (&values[1..=most], &values[rest - most..rest]);
        for (a, b) in small.iter().zip(large.iter().rev()) {
            self.stamps[(a ^ b) as usize] = self.stamp;
        }
    }
}

/// A value v can be reached from a heap of n when some earlier heap m has it and n - m is not excluded. Older heaps
/// than the largest excluded number are never excluded, so only values that first came up after them can be out of
/// reach: O(u) steps a value for the largest excluded number u.
fn all_but(
    excluded: &[u64],
    values: &mut Vec<u64>,
    count: u64,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    let mut budget = Budget::new(limits, 32, count)?;
    let window = excluded.last().copied().unwrap_or(0);
    let mut first: Vec<u64> = Vec::new();
    for (n, &value) in values.iter().enumerate() {
        if value == first.len() as u64 {
            first.push(n as u64);
        }
    }
    let mut reached: Vec<u64> = vec![u64::MAX; first.len()];
    for n in values.len() as u64..count {
        let start = n.saturating_sub(window);
        budget.spend(n - start)?;
        for m in start..n {
            if excluded.binary_search(&(n - m)).is_err() {
                reached[values[m as usize] as usize] = n;
            }
        }
        let unreached = (start..n)
            .map(|m| values[m as usize])
            .filter(|&value| first[value as usize] >= start && reached[value as usize] != n)
            .min();
        let value = unreached.unwrap_or(first.len() as u64);
        if value == first.len() as u64 {
            first.push(n);
            reached.push(u64::MAX);
        }
        values.push(value);
    }
    Ok(())
}
