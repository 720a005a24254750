//! The values of heaps 0, 1, 2, ..., one after the other, and for ever once a period is proved.

use std::fmt::Debug;

use super::classes::Classes;
use super::narrow::{Entry, Narrow, Reading, Store};
use super::period::{Period, prove, prove_all_but, prove_by_window};
use super::recurrence::{Budget, afford, by_definition, extend_plainly, out_of_reach};
use super::rules::{HeapRules, Memory};
use super::sparse::{HeapMoves, Run, Sparse, SparseSnapshot};
use super::three::{Sets, Three};
use crate::algebra::{Algebra, NormalPlay, SingleHeapMisere, TamePlay};
use grundy_base::limits::{Limits, Stop};

/// A theory in which heap sequences are computed.
pub trait HeapAlgebra: Algebra {
    /// How values are kept.
    type Values: Store<Self::Value> + Clone + Send + Sync;

    /// What is known beside the values.
    type State: Default + Clone + Debug + Send + Sync;

    /// Appends values until there are `count`.
    ///
    /// # Errors
    /// The limit that was reached; the values computed until then are kept.
    fn extend(
        rules: &HeapRules,
        values: &mut Self::Values,
        state: &mut Self::State,
        count: u64,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>;

    /// Returns the period proved by the values so far.
    ///
    /// # Errors
    /// The limit that was reached.
    fn prove(
        rules: &HeapRules,
        values: &Self::Values,
        state: &Self::State,
        limits: &Limits<'_>,
    ) -> Result<Option<Period>, Stop>;

    /// Returns the value `times` periods later.
    fn shift(value: Self::Value, saltus: u64, times: u64) -> Option<Self::Value>;
}

/// What the fast engine knows of a sequence of Grundy values.
#[derive(Clone, Debug, Default)]
pub struct EngineState {
    sparse: Sparse,
    pub(super) three: Sets,
}

impl EngineState {
    pub(crate) fn sparse(&self) -> &Sparse {
        &self.sparse
    }

    /// Returns the rule that tells common from rare heaps, and the rare heaps, where the sequence
    /// is computed in this way.
    #[must_use]
    pub fn sparse_space(&self) -> Option<(Classes, &[usize])> {
        self.sparse.space()
    }
}

impl HeapAlgebra for NormalPlay {
    type Values = Narrow;
    type State = EngineState;

    fn extend(
        rules: &HeapRules,
        values: &mut Narrow,
        state: &mut EngineState,
        count: u64,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        if let Some(mut three) = Three::new(rules, count, &mut state.three, limits)? {
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
                gap: None,
                instructions: pulp::Arch::new(),
            })?;
        }
        Ok(())
    }

    fn prove(
        rules: &HeapRules,
        values: &Narrow,
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

/// A theory whose values are functions of the set of the values of the options, and no more than
/// that: no engine but the definition, and the theorems that only compare these sets.
pub trait ByDefinition: Algebra<Value: Send + Sync> {}

/// A tame value is such a function, as a Grundy value is.
impl ByDefinition for TamePlay {}

/// Who wins follows from who wins the options.
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
        // The theorem for all-but games uses more than sets.
        prove(rules, values, limits)
    }

    fn shift(value: A::Value, saltus: u64, _: u64) -> Option<A::Value> {
        (saltus == 0).then_some(value)
    }
}

/// What proves a period of Grundy values.
struct Proof<'a, 'b> {
    rules: &'a HeapRules,
    sparse: &'a Sparse,
    limits: &'a Limits<'b>,
}

impl Reading for Proof<'_, '_> {
    type Output = Result<Option<Period>, Stop>;

    fn read<E: Entry>(self, values: &[E]) -> Self::Output {
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

/// Values of Grundy's game that were computed without a period coming (A. Flammenkamp,
/// Sprague-Grundy values of Grundy's Game, Bielefeld): a theorem cannot end the work sooner.
const GRUNDYS_GAME: u64 = 1 << 35;

/// The part of what the limits allow that is spent on the hope for a period, where the heap itself
/// is out of reach.
const HOPE: u64 = 4;

/// How many values have to be computed for a heap of `n` whatever they are: those before it, or as
/// many as any proof of a period looks at; and how many bytes that takes for each of them.
fn least_count(rules: &HeapRules, n: u64) -> (u64, u64) {
    let before_proof = match (rules, rules.memory()) {
        (HeapRules::AllBut(excluded), _) => twice_the_largest(excluded),
        (_, Memory::Window(window)) => window,
        (HeapRules::UnequalSplit, _) => GRUNDYS_GAME,
        (_, Memory::Everything) => u64::MAX,
        _ => 0,
    };
    // The proof for finite sets counts for each value how far the sequence agrees with itself from
    // there.
    let bytes = match rules.memory() {
        Memory::Window(window) if n > window => 9,
        _ => 1,
    };
    (n.min(before_proof).saturating_add(1), bytes)
}

/// The sequence of values of one game.
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
    /// How many values there were when a proof was last tried.
    tried: u64,
}

impl Sequence<NormalPlay> {
    /// What has to be kept beside the values to go on later as if nothing had happened.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            tried: self.tried,
            sparse: self.state.sparse.snapshot(),
        }
    }

    /// Goes on from values computed earlier.
    #[must_use]
    pub fn resume(rules: HeapRules, values: Narrow, snapshot: Snapshot) -> Self {
        let sparse = Sparse::resume(&values, snapshot.sparse);
        Self {
            rules,
            values,
            state: EngineState {
                sparse,
                three: Sets::default(),
            },
            period: None,
            tried: snapshot.tried,
        }
    }
}

/// The state of a sequence beside its values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// The length at which a proof was last tried.
    pub tried: u64,
    /// The state of the engine of sparse spaces.
    pub sparse: SparseSnapshot,
}

/// The first length at which a proof is tried; further lengths grow by a quarter.
const FIRST_TRY: u64 = 128;
/// At least so many values are computed in search of a period, however small the heap asked for.
const LEAST: u64 = 512;

fn next_try(tried: u64) -> u64 {
    if tried == 0 {
        FIRST_TRY
    } else {
        tried.saturating_add(tried / 4)
    }
}

impl<T: HeapAlgebra> Sequence<T> {
    /// Returns no value computed yet.
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

    /// Returns the rules.
    #[must_use]
    pub fn rules(&self) -> &HeapRules {
        &self.rules
    }

    /// Returns the values computed so far, from heap 0 on.
    #[must_use]
    pub fn values(&self) -> &T::Values {
        &self.values
    }

    /// Returns the values computed so far, for who takes them over.
    #[must_use]
    pub fn into_values(self) -> T::Values {
        self.values
    }

    /// What the engine knows beside the values.
    #[must_use]
    pub fn state(&self) -> &T::State {
        &self.state
    }

    /// Returns the period, once it is proved.
    #[must_use]
    pub fn period(&self) -> Option<&Period> {
        self.period.as_ref()
    }

    /// Returns the period that answers for a heap of `n`: the same whatever was asked before.
    #[must_use]
    pub fn period_for(&self, n: u64) -> Option<&Period> {
        let mut length = 0;
        while length <= n.max(LEAST) && length < u64::MAX {
            length = next_try(length);
        }
        self.period
            .as_ref()
            .filter(|period| period.checked_to <= length)
    }

    /// Returns the value of a heap of `n`.
    ///
    /// # Complexity
    /// That of computing values up to the first length, in the schedule 128, 160, 200, ..., at
    /// which a theorem proves the period, or past n where none does.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn value(&mut self, n: u64, limits: &Limits<'_>) -> Result<T::Value, Stop> {
        if self.period.is_none() {
            // What cannot end within the limits is not begun.
            let (count, bytes) = least_count(&self.rules, n);
            afford(&self.rules, limits, bytes, count)?;
        }
        let hope = Limits {
            positions: limits.positions / HOPE,
            ..*limits
        };
        let within = if out_of_reach(n, limits) {
            &hope
        } else {
            limits
        };
        while self.period.is_none() && self.values.count() as u64 <= n.max(LEAST) {
            match self.try_to_prove(within) {
                Err(Stop::Positions(_)) => return Err(Stop::Positions(limits.positions)),
                other => other?,
            }
        }
        // Computed or not, it is known now: what is missing is room for it.
        self.get(n).ok_or(Stop::Overflow)
    }

    /// Returns the length of the schedule at which a proof is tried next.
    #[must_use]
    pub fn next_try(&self) -> u64 {
        next_try(self.tried)
    }

    /// Computes values to the next length of the schedule and tries to prove a period there.
    ///
    /// # Errors
    /// The limit that was reached.
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

    /// Tries to prove a period from the values there are.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn prove(&mut self, limits: &Limits<'_>) -> Result<Option<&Period>, Stop> {
        self.period = T::prove(&self.rules, &self.values, &self.state, limits)?;
        Ok(self.period.as_ref())
    }

    /// Computes values of all heaps below `count`, whether or not a period is known.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn compute(&mut self, count: u64, limits: &Limits<'_>) -> Result<(), Stop> {
        T::extend(
            &self.rules,
            &mut self.values,
            &mut self.state,
            count,
            limits,
        )
    }

    /// Returns the value of a heap of `n`, if it is known.
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
