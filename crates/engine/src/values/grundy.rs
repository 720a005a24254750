//! Sprague-Grundy values. An impartial game that ends is equal to a Nim heap, whose size is the mex
//! of the values of its options (R. P. Sprague, Über mathematische Kampfspiele, Tôhoku Math. J. 41
//! (1935), 438-444; P. M. Grundy, Mathematics and games, Eureka 2 (1939), 6-8).

mod by_outcomes;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use self::by_outcomes::NimberSearch;
use super::exclusions::ExclusionTables;
use super::heaps::{Heaps, LARGE};
use super::{Engine, Evidence, PartRef, PartValue, Reach, Theory, Valuation, Work, count_visit};
use crate::nature::Nature;
use crate::position::Position;
use crate::store::erased::{AnyValueTable, PartFacts};
use crate::theorem::{ByTheorem, Structure, Theorem};
use grundy_base::limits::{Limits, Stop, stopped_early};
use grundy_base::mex::MexSet;
use grundy_heap::algebra::NormalPlay;
use grundy_heap::progressions::progressions;
use grundy_heap::{HeapRules, Progression, Sequence};

/// The theorem on the value of an ordinal sum of impartial games.
pub const ORDINAL_SUM_OF_NIMBERS: Theorem = Theorem {
    method: "ordinal sum of nimbers",
    name: "the value of an ordinal sum of impartial games",
    statement: "if H has value *h, then G:H has value *n, where n is the (h + 1)-th least \
                number that is not the value of an option of G",
    source: "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982, chapter 7",
};

/// The theory of Sprague-Grundy values, in normal play.
#[derive(Debug, Default)]
pub struct Grundy {
    heaps: Heaps<NormalPlay>,
    /// The value table of each ruleset, in which Grundy values are computed. The key is the index
    /// of the ruleset's table of components in the store.
    tables: FxHashMap<u32, AnyValueTable>,
    seen: MexSet,
    /// The searches for nimbers, each with the index in the store of the component table that it
    /// searches.
    searches: Vec<(u32, NimberSearch)>,
    /// The tables of excluded values that are shared with other solvers, and the seed that
    /// determines the order in which this solver searches.
    shared: Option<(Arc<ExclusionTables>, u64)>,
}

impl Grundy {
    /// Makes this solver share results with other solvers through the tables in `shared`. Only
    /// results for packed components (components that fit in one word) are shared. If `shared` is
    /// `None`, this solver shares no results from now on. The second field of `shared` is the seed
    /// that determines the order in which this solver searches. The seed 0 gives the default order.
    pub(crate) fn join(&mut self, shared: Option<(Arc<ExclusionTables>, u64)>) {
        self.shared = shared;
    }

    /// Returns the sequence of values of a heap game. Creates the sequence if it does not exist.
    ///
    /// ```
    /// use grundy_core::heap::{Code, HeapRules};
    /// use grundy_core::{Limits, values::grundy::Grundy};
    /// let kayles = HeapRules::TakeAndBreak(Code::parse("0.77")?);
    /// let (mut values, limits) = (Grundy::default(), Limits::default());
    /// assert_eq!(values.heap(&kayles, 1_000, &limits)?, 1);
    /// let period = values.sequence(&kayles).period().expect("a proof");
    /// assert_eq!((period.preperiod, period.period), (71, 12));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sequence(&mut self, rules: &HeapRules) -> &mut Sequence<NormalPlay> {
        self.heaps.sequence(rules)
    }

    /// Returns the value of a heap of this size.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::heap::{Code, HeapRules};
    /// use grundy_core::{Limits, values::grundy::Grundy};
    /// let kayles = HeapRules::TakeAndBreak(Code::parse("0.77")?);
    /// let (mut values, limits) = (Grundy::default(), Limits::default());
    /// assert_eq!(values.heap(&kayles, 11, &limits)?, 6);
    /// assert_eq!(values.heap(&kayles, 1_000_000_000_000, &limits)?, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn heap(&mut self, rules: &HeapRules, size: u64, limits: &Limits<'_>) -> Result<u64, Stop> {
        Ok(self.heaps.value(rules, size, limits)?.value)
    }
}

impl Grundy {
    /// Prepares the search for nimbers of the components in one table of the store, and returns the
    /// index of the search. `table` is the index of this table, and `name` is the name of its
    /// ruleset.
    fn search_index(&mut self, table: u32, name: &'static str) -> usize {
        let mut existing = self.searches.iter();
        let existing = existing.position(|&(other, _)| other == table);
        let index = existing.unwrap_or_else(|| {
            self.searches.push((table, NimberSearch::default()));
            self.searches.len() - 1
        });
        let (_, search) = &mut self.searches[index];
        let shared = self.shared.as_ref();
        let (tables, seed) = shared.map_or((None, 0), |(tables, seed)| (Some(tables), *seed));
        let exclusions = tables.map(|tables| tables.table(name));
        // A solver with the default order may be the only one, so it does not allocate the shared
        // table. A solver with another order does. So a single solver needs no memory for it.
        if seed != 0
            && let Some(exclusions) = &exclusions
        {
            exclusions.open();
        }
        search.join(exclusions, seed);
        index
    }

    /// Returns the search for nimbers with this index.
    fn search_mut(&mut self, index: usize) -> &mut NimberSearch {
        let (_, search) = &mut self.searches[index];
        search
    }

    /// Drops the lists of options in all searches for nimbers.
    pub(super) fn drop_lists(&mut self) {
        for (_, search) in &mut self.searches {
            search.drop_lists();
        }
    }

    /// Returns the approximate number of bytes that the searches for nimbers occupy.
    pub(super) fn bytes(&self) -> u64 {
        let searches = self.searches.iter();
        searches.map(|(_, search)| search.bytes()).sum()
    }
}

impl Engine {
    /// Returns the nimber of a component, if it is known or a theorem gives it.
    fn known_nimber(&self, id: u32) -> Option<u64> {
        let known = self.grundy.column.get(id).copied();
        known.or_else(|| {
            let (parts, index) = self.store.part(id);
            Some(parts.grundy_of(index)?.value)
        })
    }

    /// Stores the nimber of a component unless it has one.
    fn learn_nimber(&mut self, id: u32, value: u64) {
        let column = &mut self.grundy.column;
        if column.get(id).is_none() {
            column.learn(id, value);
        }
    }

    /// Adds one query to the counts of work. The query was answered by a search for nimbers, which
    /// listed the options of `listed` components.
    fn count_listed(&mut self, listed: u64) {
        self.grundy.work.count(listed);
    }

    /// Returns the nimber of a part, if the rules have a value table that covers the part.
    fn tabulated(&mut self, part: PartRef<'_>, limits: &Limits<'_>) -> Result<Option<u64>, Stop> {
        let number = match part {
            PartRef::Written(parts, _) => parts.table_in(&mut self.store),
            PartRef::Component(id) => self.store.table_of(id),
        };
        let (parts, index) = part.facts(&self.store);
        let table = self.grundy.theory.tables.entry(number).or_default();
        parts.tabulated_value(index, table, limits)
    }

    /// Returns the nimber of a position.
    pub(crate) fn nimber(&mut self, position: &Position, limits: &Limits<'_>) -> Result<u64, Stop> {
        position.terms().iter().try_fold(0, |sum, term| {
            Ok(sum ^ self.sum_of_parts::<Grundy>(&**term, limits)?)
        })
    }

    /// Returns whether the value of a term is 0. This may be decided long before the value is
    /// known, since one good move proves an N-position.
    ///
    /// # Errors
    /// The limit that was reached, or the reason why the term has no value.
    pub(crate) fn is_zero(
        &mut self,
        parts: &dyn PartFacts,
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        let count = parts.part_count();
        if count == 1 && parts.structure_of(0) == (Structure::Table { complete: false }) {
            let number = parts.table_in(&mut self.store);
            let table = self.grundy.theory.tables.entry(number).or_default();
            // The table may find P-positions by a sieve, which is faster than computing values.
            if let Some(is_p) = parts.tabulated_is_p(0, table, limits)? {
                return Ok(is_p);
            }
        }
        let needs_search = |index| {
            let structure = parts.structure_of(index);
            let search = matches!(
                structure,
                Structure::Search | Structure::Table { complete: false }
            );
            search && parts.nature_of(index).is_impartial()
        };
        // The search by outcomes may run forever if some play never ends. In this case use the
        // evaluation by the mex, which reports a cycle.
        if parts.known_to_end() && (0..count).all(needs_search) {
            return self.has_value(parts, 0, limits);
        }
        Grundy::is_one_of(self, parts, &[0], limits)
    }
}

/// Returns the value of the ordinal sum of `base` and `top`, by the theorem
/// [`ORDINAL_SUM_OF_NIMBERS`]. If `top` has the value *h, this is the (h + 1)-th least number that
/// is not the value of an option of `base`.
fn ordinal(
    base: &Position,
    top: &Position,
    engine: &mut Engine,
    limits: &Limits<'_>,
) -> Result<PartValue<u64>, Stop> {
    if top.terms().is_empty() {
        return Ok(PartValue {
            value: engine.nimber(base, limits)?,
            evidence: Evidence::Search,
        });
    }
    let mut excluded = BTreeSet::new();
    let mut seen = 0;
    stopped_early(base.moves(base.first_player(), &mut |_, _, to| {
        match count_visit(&mut seen, limits).and_then(|()| engine.nimber(&to(), limits)) {
            Ok(value) => {
                excluded.insert(value);
                ControlFlow::Continue(())
            }
            Err(stop) => ControlFlow::Break(stop.into()),
        }
    }))?;
    let mut value = engine.nimber(top, limits)?;
    // Count the values of options that are at most the result. The set is sorted, so each value
    // that is at most `value` raises it by one.
    for excluded in excluded {
        if excluded > value {
            break;
        }
        value = value.checked_add(1).ok_or(Stop::Overflow)?;
    }
    Ok(PartValue {
        value,
        evidence: Evidence::Theorem(&ORDINAL_SUM_OF_NIMBERS),
    })
}

impl Theory for Grundy {
    type Value = u64;
    const EMPTY_SUM: u64 = 0;
    const REACH: Reach = Reach::Options;

    fn of(engine: &mut Engine) -> &mut Valuation<Self> {
        &mut engine.grundy
    }

    fn unsupported(nature: Nature) -> Option<Stop> {
        (!nature.is_impartial()).then_some(Stop::NotImpartial)
    }

    fn add(&mut self, a: &u64, b: &u64, _: &Limits<'_>) -> Result<u64, Stop> {
        Ok(a ^ b)
    }

    fn theorem(parts: &dyn PartFacts, index: usize) -> Option<ByTheorem<u64>> {
        parts.grundy_of(index)
    }

    fn by_structure(
        engine: &mut Engine,
        part: PartRef<'_>,
        limits: &Limits<'_>,
    ) -> Result<Option<PartValue<u64>>, Stop> {
        let (parts, index) = part.facts(&engine.store);
        if let Some(operands) = parts.operands_of(index) {
            let [base, top] = operands.map(|terms| Position::of_terms(terms.to_vec()));
            return ordinal(&base, &top, engine, limits).map(Some);
        }
        let theory = &mut engine.grundy.theory;
        let (value, evidence) = match parts.structure_of(index) {
            Structure::Heap(heap, size) => {
                return theory.heaps.value(heap, size, limits).map(Some);
            }
            Structure::Table { complete } => {
                let value = engine.tabulated(part, limits)?;
                let evidence = if complete {
                    Evidence::Recurrence
                } else {
                    Evidence::Search
                };
                return Ok(value.map(|value| PartValue { value, evidence }));
            }
            Structure::Splitting => {
                let value = match part {
                    PartRef::Written(parts, index) => {
                        engine.value_by_outcomes(parts, index, limits)?
                    }
                    PartRef::Component(_) => {
                        // The part borrows the store, but the search needs the whole engine, so it
                        // works on a copy of the part.
                        let part = parts.part_term(index);
                        engine.value_by_outcomes(&*part, 0, limits)?
                    }
                };
                (value, Evidence::Search)
            }
            // A loopy game may still have a Smith–Fraenkel value, which the caller tries next.
            Structure::Loopy => return Err(Stop::Cyclic),
            Structure::Search => return Ok(None),
        };
        Ok(Some(PartValue { value, evidence }))
    }

    fn of_options(&mut self, left: &[u64], _: &[u64], _: &Limits<'_>) -> Result<Option<u64>, Stop> {
        // Both players have the same options, so the values of Left's options are sufficient.
        self.seen.clear();
        left.iter().for_each(|&value| self.seen.insert(value));
        Ok(Some(self.seen.mex()))
    }

    fn is_one_of(
        engine: &mut Engine,
        parts: &dyn PartFacts,
        wanted: &[u64],
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        let splitting = |index| parts.structure_of(index) == Structure::Splitting;
        if !(0..parts.part_count()).any(splitting) {
            return Ok(wanted.contains(&engine.sum_of_parts::<Self>(parts, limits)?));
        }
        // Test for each wanted value whether the sum has it. There are few wanted values, and these
        // tests are often much cheaper than computing the value of the sum.
        for &value in wanted {
            if engine.has_value(parts, value, limits)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn goal(value: &u64) -> Option<u64> {
        Some(*value)
    }

    fn progressions(
        engine: &mut Engine,
        parts: &dyn PartFacts,
        index: usize,
        wanted: &[u64],
        limits: &Limits<'_>,
    ) -> Result<Option<Vec<Progression>>, Stop> {
        let Structure::Heap(heap, size) = parts.structure_of(index) else {
            return Ok(None);
        };
        // In a subtraction game a heap has at most as many moves as the set has numbers, so listing
        // them is fast.
        if let HeapRules::Subtraction(_) = heap {
            return Ok(None);
        }
        // The options of a small heap are visited one by one. If a theorem gives the values, the
        // sequence has perhaps not been computed up to this heap.
        if size < LARGE || parts.grundy_of(index).is_some() {
            return Ok(None);
        }
        let sequence = engine.grundy.theory.heaps.sequence(heap);
        sequence.value(size, limits)?;
        let Some(period) = sequence.period_for(size) else {
            return Ok(None);
        };
        limits.check(period.period.saturating_add(period.preperiod), 1)?;
        let value = |n| sequence.get(n).unwrap_or_default();
        Ok(progressions(heap, period, size, &value, wanted))
    }

    fn work(&self) -> Work {
        let mut work = self.heaps.work();
        self.tables.values().for_each(|table| work += table.work);
        work
    }
}
