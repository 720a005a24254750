//! Sequences of the values of heaps 0, 1, 2, ... If a period is proved, it gives the values of all
//! heaps.

use std::fmt::Debug;

use super::classes::Classes;
use super::compact_values::{CompactValues, Entry, Store, ValuesVisitor};
use super::period::{Period, prove, prove_all_but, prove_by_window};
use super::recurrence::{Budget, by_definition, check_affordable, extend_plainly, out_of_reach};
use super::rules::{HeapRules, Memory};
use super::sparse::{HeapMoves, Run, Sparse, SparseSnapshot};
use super::split_windows::{HeapSumSets, SplitWindowRun};
use super::three_heaps::{SplitSets, ThreeHeapRun};
use crate::algebra::{Algebra, NormalPlay, SingleHeapMisere, TamePlay};
use grundy_base::limits::{Limits, Stop};

/// An algebra for which the values of heaps can be computed and periods proved.
pub trait HeapAlgebra: Algebra {
    /// The container in which the values are stored.
    type Values: Store<Self::Value> + Clone + Send + Sync;

    /// The data of the computation other than the values.
    type State: Default + Clone + Debug + Send + Sync;

    /// Appends values until there are `count` of them.
    ///
    /// # Errors
    /// The limit that was reached. The values computed until then are kept.
    fn extend(
        rules: &HeapRules,
        values: &mut Self::Values,
        state: &mut Self::State,
        count: u64,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>;

    /// Returns the period that the computed values prove, if any.
    ///
    /// # Errors
    /// The limit that was reached.
    fn prove(
        rules: &HeapRules,
        values: &Self::Values,
        state: &Self::State,
        limits: &Limits<'_>,
    ) -> Result<Option<Period>, Stop>;

    /// Returns the value of a heap `times` periods later than a heap with this value. Returns
    /// `None` on overflow.
    fn shift(value: Self::Value, saltus: u64, times: u64) -> Option<Self::Value>;
}

/// The data of the fast engine for a sequence of Grundy values, apart from the values.
#[derive(Clone, Debug, Default)]
pub struct EngineState {
    sparse: Sparse,
    pub(super) three: SplitSets,
    pub(super) sums: HeapSumSets,
}

impl EngineState {
    pub(crate) fn sparse(&self) -> &Sparse {
        &self.sparse
    }

    /// Returns the rule that separates common from rare heaps, and the list of rare heaps. Returns
    /// `None` if the values were not computed by sparse spaces.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{Code, HeapRules, Sequence};
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
    /// let mut kayles = Sequence::<NormalPlay>::new(rules);
    /// kayles.compute(10_000, &Limits::default())?;
    /// let (_, rares) = kayles.state().sparse_space().unwrap();
    /// assert_eq!(rares, [3, 6, 11, 18, 22, 28, 34, 39, 70]);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn sparse_space(&self) -> Option<(Classes, &[usize])> {
        self.sparse.space()
    }
}

impl HeapAlgebra for NormalPlay {
    type Values = CompactValues;
    type State = EngineState;

    fn extend(
        rules: &HeapRules,
        values: &mut CompactValues,
        state: &mut EngineState,
        count: u64,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        // The engine of sparse spaces handles moves that leave at most two heaps. `ThreeHeapRun`
        // handles moves that leave three. `SplitWindowRun` handles codes with long runs of digits,
        // and moves that leave more heaps. The plain recurrence handles all other rules.
        if let Some(mut windows) = SplitWindowRun::new(rules, count, &mut state.sums, limits)? {
            return values.extend(&mut windows);
        }
        if let Some(mut three) = ThreeHeapRun::new(rules, count, &mut state.three, limits)? {
            return values.extend(&mut three);
        }
        let moves = HeapMoves::of(rules);
        let start = moves.as_ref().map_or(count, HeapMoves::start).min(count);
        extend_plainly(rules, values, start, limits)?;
        if let Some(moves) = moves
            && start < count
        {
            values.extend(&mut Run {
                moves: &moves,
                sparse: &mut state.sparse,
                count: count as usize,
                budget: Budget::new(limits, 1, count)?,
                omission: None,
                instructions: pulp::Arch::new(),
            })?;
        }
        Ok(())
    }

    fn prove(
        rules: &HeapRules,
        values: &CompactValues,
        state: &EngineState,
        limits: &Limits<'_>,
    ) -> Result<Option<Period>, Stop> {
        match rules {
            HeapRules::AllBut(excluded) => {
                if values.len() as u64 <= twice_the_largest(excluded) {
                    return Ok(None);
                }
                let values: Vec<u64> = values.iter().collect();
                prove_all_but(excluded, &values, limits)
            }
            _ => values.read(Proof {
                rules,
                sparse: &state.sparse,
                limits,
            }),
        }
    }

    fn shift(value: u64, saltus: u64, times: u64) -> Option<u64> {
        value.checked_add(saltus.checked_mul(times)?)
    }
}

/// An algebra in which the value of a position depends only on the set of values of its options.
/// Its values are computed by the definition. Its periods are proved by theorems that hold for
/// every such algebra.
pub trait ByDefinition: Algebra<Value: Send + Sync> {}

/// A tame value depends only on the set of the values of the options, as a Grundy value does.
impl ByDefinition for TamePlay {}

/// The winner depends only on the set of the winners of the options.
impl ByDefinition for SingleHeapMisere {}

impl<A: ByDefinition> HeapAlgebra for A {
    type Values = Vec<A::Value>;
    type State = ();

    fn extend(
        rules: &HeapRules,
        values: &mut Vec<A::Value>,
        (): &mut (),
        count: u64,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        by_definition::<A>(rules, values, count, limits)
    }

    fn prove(
        rules: &HeapRules,
        values: &Vec<A::Value>,
        (): &(),
        limits: &Limits<'_>,
    ) -> Result<Option<Period>, Stop> {
        // The theorem for all-but games is left out, since it needs an order of the values. An
        // arbitrary algebra has none.
        prove(rules, values, limits)
    }

    fn shift(value: A::Value, saltus: u64, _: u64) -> Option<A::Value> {
        (saltus == 0).then_some(value)
    }
}

/// The proof of a period of Grundy values, for entries of any width.
struct Proof<'a, 'b> {
    rules: &'a HeapRules,
    sparse: &'a Sparse,
    limits: &'a Limits<'b>,
}

impl ValuesVisitor for Proof<'_, '_> {
    type Output = Result<Option<Period>, Stop>;

    fn read<E: Entry>(self, values: &[E]) -> Self::Output {
        // The classical theorems are tried first, since their certificates are easier to check. The
        // sparse window proves long periods from far fewer values.
        if let Some(period) = prove(self.rules, values, self.limits)? {
            return Ok(Some(period));
        }
        match HeapMoves::of(self.rules) {
            Some(moves) => prove_by_window(self.sparse, moves.last, values, self.limits),
            None => Ok(None),
        }
    }
}

fn twice_the_largest(excluded: &[u64]) -> u64 {
    excluded.last().copied().unwrap_or(0).saturating_mul(2)
}

/// Number of values of Grundy's game that are known and show no period (A. Flammenkamp,
/// Sprague-Grundy values of Grundy's Game, Bielefeld). So a proof of a period needs more values.
const KNOWN_WITHOUT_PERIOD: u64 = 1 << 35;

/// Number by which the limit on positions is divided if a heap is too large to be computed
/// directly. So only a part of the limit is spent on the search for a period.
const SEARCH_SHARE: u64 = 4;

/// Returns a lower bound for the number of values that must be computed to know the value of a heap
/// of `n`. Also returns the memory in bytes for each value. The bound is n + 1, or fewer if a proof
/// of a period may need fewer values.
fn least_count(rules: &HeapRules, n: u64) -> (u64, u64) {
    let before_proof = match (rules, rules.memory()) {
        (HeapRules::AllBut(excluded), _) => twice_the_largest(excluded),
        // A value depends on the last `window` values, so a proof needs more than `window` values.
        (_, Memory::Window(window)) => window,
        (HeapRules::UnequalSplit, _) => KNOWN_WITHOUT_PERIOD,
        (_, Memory::Everything) => u64::MAX,
        _ => 0,
    };
    // For a finite set, the proof stores eight more bytes for each value, the length of a common
    // suffix.
    let bytes = match rules.memory() {
        Memory::Window(window) if n > window => 9,
        _ => 1,
    };
    (n.min(before_proof).saturating_add(1), bytes)
}

/// The values of the heaps 0, 1, 2, ... of one game.
///
/// ```
/// use grundy_heap::{Code, HeapRules, Sequence};
/// use grundy_heap::algebra::NormalPlay;
/// use grundy_base::Limits;
/// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
/// let mut kayles = Sequence::<NormalPlay>::new(rules);
/// assert_eq!(kayles.value(1_000_000_000_000, &Limits::default()), Ok(1));
/// let period = kayles.period().unwrap();
/// assert_eq!((period.preperiod, period.period), (71, 12));
/// ```
#[derive(Debug)]
pub struct Sequence<T: HeapAlgebra> {
    rules: HeapRules,
    values: T::Values,
    state: T::State,
    period: Option<Period>,
    /// The number of values when a proof was last tried.
    tried: u64,
}

impl Sequence<NormalPlay> {
    /// Returns the data that is needed, in addition to the values, to resume the computation later.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{Code, HeapRules, Sequence};
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
    /// let mut kayles = Sequence::<NormalPlay>::new(rules);
    /// assert_eq!(kayles.snapshot().tried, 0);
    /// kayles.try_to_prove(&Limits::default())?;
    /// assert_eq!(kayles.snapshot().tried, 128);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            tried: self.tried,
            sparse: self.state.sparse.snapshot(),
        }
    }

    /// Resumes a computation from its `values` and from the snapshot that was taken with them.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{Code, HeapRules, Sequence};
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
    /// let mut first = Sequence::<NormalPlay>::new(rules.clone());
    /// first.compute(50, &Limits::default())?;
    /// let snapshot = first.snapshot();
    /// let mut second = Sequence::resume(rules, first.into_values(), snapshot);
    /// assert_eq!(second.get(49), Some(1));
    /// assert_eq!(second.value(1_000, &Limits::default())?, 1);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn resume(rules: HeapRules, values: CompactValues, snapshot: Snapshot) -> Self {
        let sparse = Sparse::resume(&values, snapshot.sparse);
        Self {
            rules,
            values,
            state: EngineState {
                sparse,
                // These sets are only caches. They are computed again from the values.
                three: SplitSets::default(),
                sums: HeapSumSets::default(),
            },
            period: None,
            tried: snapshot.tried,
        }
    }
}

/// The data with which a computation is resumed, apart from the values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// The number of values when a proof was last tried.
    pub tried: u64,
    /// The data of the engine that separates common from rare heaps (see [`Classes`]).
    pub sparse: SparseSnapshot,
}

/// The first number of values at which a proof is tried. Each further number is greater by a
/// quarter.
const FIRST_TRY: u64 = 128;
/// Least number of values that is computed in the search for a period, even for a small heap.
const MIN_SEARCHED: u64 = 512;

fn next_try(tried: u64) -> u64 {
    if tried == 0 {
        FIRST_TRY
    } else {
        tried.saturating_add(tried / 4)
    }
}

impl<T: HeapAlgebra> Sequence<T> {
    /// Creates a sequence without values for a game with these rules.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::{SingleHeapMisere, Winner};
    /// use grundy_heap::{HeapRules, Sequence, TakeSet};
    /// // In misère play, the player who takes the last chip loses.
    /// let rules = HeapRules::Subtraction(TakeSet::Finite(vec![1, 2]));
    /// let mut sequence = Sequence::<SingleHeapMisere>::new(rules);
    /// assert_eq!(sequence.value(1, &Limits::default())?, Winner::Previous);
    /// assert_eq!(sequence.value(3, &Limits::default())?, Winner::Next);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn new(rules: HeapRules) -> Self {
        Self {
            rules,
            values: T::Values::default(),
            state: T::State::default(),
            period: None,
            tried: 0,
        }
    }

    /// Returns the rules of the game.
    ///
    /// ```
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{HeapRules, Sequence};
    /// let sequence = Sequence::<NormalPlay>::new(HeapRules::UnequalSplit);
    /// assert_eq!(sequence.rules(), &HeapRules::UnequalSplit);
    /// ```
    #[must_use]
    pub fn rules(&self) -> &HeapRules {
        &self.rules
    }

    /// Returns the values computed so far, starting with heap 0.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{HeapRules, Sequence};
    /// // Grundy's game.
    /// let mut sequence = Sequence::<NormalPlay>::new(HeapRules::UnequalSplit);
    /// sequence.compute(10, &Limits::default())?;
    /// assert_eq!(sequence.values().iter().collect::<Vec<_>>(), [0, 0, 0, 1, 0, 2, 1, 0, 2, 1]);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn values(&self) -> &T::Values {
        &self.values
    }

    /// Converts the sequence into the values computed so far.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{HeapRules, NamedSet, Sequence, TakeSet};
    /// let rules = HeapRules::Subtraction(TakeSet::Named(NamedSet::Squares));
    /// let mut sequence = Sequence::<NormalPlay>::new(rules);
    /// sequence.compute(8, &Limits::default())?;
    /// assert_eq!(sequence.into_values().iter().collect::<Vec<_>>(), [0, 1, 0, 1, 2, 0, 1, 0]);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn into_values(self) -> T::Values {
        self.values
    }

    /// Returns the data of the engine, apart from the values.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{Code, HeapRules, Sequence};
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
    /// let mut kayles = Sequence::<NormalPlay>::new(rules);
    /// kayles.compute(10_000, &Limits::default())?;
    /// let (classes, _) = kayles.state().sparse_space().unwrap();
    /// assert_eq!((classes.mask, classes.position), (15, false));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn state(&self) -> &T::State {
        &self.state
    }

    /// Returns the period, or `None` if none has been proved yet.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{Code, HeapRules, Sequence};
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.137").unwrap());
    /// let mut dawsons_chess = Sequence::<NormalPlay>::new(rules);
    /// assert_eq!(dawsons_chess.period(), None);
    /// dawsons_chess.value(1_000, &Limits::default())?;
    /// let period = dawsons_chess.period().unwrap();
    /// assert_eq!((period.preperiod, period.period), (52, 34));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn period(&self) -> Option<&Period> {
        self.period.as_ref()
    }

    /// Returns the period that `value(n)` would use in a new sequence. A period does not count if
    /// its proof needs more values than `value(n)` would compute. So the result does not depend on
    /// the values that this sequence has already computed.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{Code, HeapRules, Sequence};
    /// // The period 349 begins at heap 3479. So the value of a small heap is computed directly.
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.156").unwrap());
    /// let mut sequence = Sequence::<NormalPlay>::new(rules);
    /// sequence.value(1_000_000, &Limits::default())?;
    /// assert_eq!(sequence.period_for(1_000), None);
    /// assert_eq!(sequence.period_for(1_000_000).unwrap().period, 349);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn period_for(&self, n: u64) -> Option<&Period> {
        let mut length = 0;
        while length <= n.max(MIN_SEARCHED) && length < u64::MAX {
            length = next_try(length);
        }
        self.period
            .as_ref()
            .filter(|period| period.checked_to <= length)
    }

    /// Returns the value of a heap of `n`.
    ///
    /// # Complexity
    /// Values are computed up to the first number in the schedule 128, 160, 200, ... at which a
    /// theorem proves the period. If no theorem does, all values up to heap n are computed.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{HeapRules, Sequence, TakeSet};
    /// let rules = HeapRules::Subtraction(TakeSet::Finite(vec![1, 3, 4]));
    /// let mut sequence = Sequence::<NormalPlay>::new(rules);
    /// // The period is 7, and 10^18 mod 7 = 1.
    /// assert_eq!(sequence.value(1_000_000_000_000_000_000, &Limits::default())?, 1);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    pub fn value(&mut self, n: u64, limits: &Limits<'_>) -> Result<T::Value, Stop> {
        if self.period.is_none() {
            // If the computation would certainly exceed the limits, it fails at once.
            let (count, bytes) = least_count(&self.rules, n);
            check_affordable(&self.rules, limits, bytes, count)?;
        }
        // The definition visits all splits of a heap, of which there are very many if a move leaves
        // many heaps. So no more values than necessary are computed, and no proof is tried. No
        // theorem proves a period of an infinite code.
        let splits_widely = match self.rules.memory() {
            Memory::Splits { s, .. } => s > 3,
            Memory::Everything => matches!(self.rules, HeapRules::TakeAndBreak(_)),
            _ => false,
        };
        if splits_widely && self.period.is_none() {
            self.compute(n.saturating_add(1), limits)?;
            return self.get(n).ok_or(Stop::Overflow);
        }
        let reduced = Limits {
            positions: limits.positions / SEARCH_SHARE,
            ..*limits
        };
        let search_limits = if out_of_reach(n, limits) {
            &reduced
        } else {
            limits
        };
        // A proof is tried at fixed numbers of values, not at n. So the answer for n does not
        // depend on the heaps that were asked for before.
        while self.period.is_none() && self.values.count() as u64 <= n.max(MIN_SEARCHED) {
            match self.try_to_prove(search_limits) {
                // The error must name the limit of the caller, not the reduced limit.
                Err(Stop::Positions(_)) => return Err(Stop::Positions(limits.positions)),
                other => other?,
            }
        }
        // After the loop, the value is computed or follows from a period. So it can be missing only
        // because of overflow.
        self.get(n).ok_or(Stop::Overflow)
    }

    /// Returns the next number of values at which a proof is tried.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{HeapRules, Sequence};
    /// let mut sequence = Sequence::<NormalPlay>::new(HeapRules::UnequalSplit);
    /// assert_eq!(sequence.next_try(), 128);
    /// sequence.try_to_prove(&Limits::default())?;
    /// assert_eq!(sequence.next_try(), 160);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn next_try(&self) -> u64 {
        next_try(self.tried)
    }

    /// Computes values up to [`Sequence::next_try`], the next number of values at which a proof is
    /// tried, and tries to prove a period there.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{HeapRules, Sequence, TakeSet};
    /// let rules = HeapRules::Subtraction(TakeSet::Finite(vec![1, 2]));
    /// let mut sequence = Sequence::<NormalPlay>::new(rules);
    /// sequence.try_to_prove(&Limits::default())?;
    /// assert_eq!(sequence.values().len(), 128);
    /// assert_eq!(sequence.period().unwrap().period, 3);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    pub fn try_to_prove(&mut self, limits: &Limits<'_>) -> Result<(), Stop> {
        let length = next_try(self.tried);
        T::extend(
            &self.rules,
            &mut self.values,
            &mut self.state,
            length,
            limits,
        )?;
        self.tried = length;
        self.period = T::prove(&self.rules, &self.values, &self.state, limits)?;
        Ok(())
    }

    /// Tries to prove a period from the values computed so far. Returns the period if it succeeds.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{HeapRules, Sequence, TakeSet};
    /// let rules = HeapRules::Subtraction(TakeSet::Finite(vec![1, 2]));
    /// let mut sequence = Sequence::<NormalPlay>::new(rules);
    /// sequence.compute(2, &Limits::default())?;
    /// assert_eq!(sequence.prove(&Limits::default())?, None);
    /// sequence.compute(5, &Limits::default())?;
    /// assert_eq!(sequence.prove(&Limits::default())?.unwrap().period, 3);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    pub fn prove(&mut self, limits: &Limits<'_>) -> Result<Option<&Period>, Stop> {
        self.period = T::prove(&self.rules, &self.values, &self.state, limits)?;
        Ok(self.period.as_ref())
    }

    /// Computes the values of all heaps below `count`, even if a period is known.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{Code, HeapRules, Sequence};
    /// let rules = HeapRules::TakeAndBreak(Code::parse("0.77").unwrap());
    /// let mut kayles = Sequence::<NormalPlay>::new(rules);
    /// kayles.compute(12, &Limits::default())?;
    /// let values = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6];
    /// assert!(kayles.values().iter().eq(values));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    pub fn compute(&mut self, count: u64, limits: &Limits<'_>) -> Result<(), Stop> {
        T::extend(
            &self.rules,
            &mut self.values,
            &mut self.state,
            count,
            limits,
        )
    }

    /// Returns the value of a heap of `n` if it is computed or follows from the period. Otherwise
    /// returns `None`.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_heap::algebra::NormalPlay;
    /// use grundy_heap::{HeapRules, Sequence, TakeSet};
    /// let rules = HeapRules::Subtraction(TakeSet::Finite(vec![1, 2]));
    /// let mut sequence = Sequence::<NormalPlay>::new(rules);
    /// sequence.compute(5, &Limits::default())?;
    /// assert_eq!((sequence.get(4), sequence.get(1_000)), (Some(1), None));
    /// sequence.prove(&Limits::default())?;
    /// assert_eq!(sequence.get(1_000), Some(1));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn get(&self, n: u64) -> Option<T::Value> {
        if n < self.values.count() as u64 {
            return Some(self.values.at(n as usize));
        }
        let Period {
            preperiod,
            period,
            saltus,
            ..
        } = *self.period.as_ref()?;
        let times = n.checked_sub(preperiod)? / period;
        let value = self.values.at((n - times * period) as usize);
        T::shift(value, saltus, times)
    }
}
