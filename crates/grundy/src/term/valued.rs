//! The values of a term's parts, and the moves that give them others.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{AnyTerm, Term, VisitTerm};
use crate::heap::Progression;
use crate::limits::{Flow, Halt, Limits, Stop, ended};
use crate::rules::{Goal, Ruleset, Visit};
use crate::step::Move;
use crate::term::informed::Informed;
use crate::values::{PartValue, Theory, Valuation};

/// Receives an option of a part: the value of what it leaves, and ways to ask for the move and for the term after it.
pub type VisitValued<'a, V> =
    &'a mut dyn FnMut(&V, &dyn Fn() -> Move, &dyn Fn() -> Arc<dyn AnyTerm>) -> Flow;

/// The values of a term's parts in one theory.
pub trait Valued<T: Theory> {
    /// The value of every part.
    ///
    /// # Errors
    /// The limit that was reached.
    fn values(
        &self,
        valuation: &mut Valuation<T>,
        limits: &Limits<'_>,
    ) -> Result<Vec<PartValue<T::Value>>, Stop>;

    /// Whether the sum of the parts has the value of the empty sum.
    ///
    /// # Errors
    /// The limit that was reached.
    fn is_zero(&self, valuation: &mut Valuation<T>, limits: &Limits<'_>) -> Result<bool, Stop>;

    /// All moves in part `index` that leave one of the values `wanted`, as progressions, where the part is so large a heap
    /// that they are better not listed; each with its first move and the term after that.
    ///
    /// # Errors
    /// The limit that was reached.
    fn progressions_with(
        &self,
        index: usize,
        wanted: &[T::Value],
        valuation: &mut Valuation<T>,
        limits: &Limits<'_>,
    ) -> Result<Option<Vec<(Move, Arc<dyn AnyTerm>, Progression)>>, Stop>;

    /// Visits the moves in part `index`, each with the value of what it leaves there; says whether the visitor had seen enough.
    ///
    /// # Errors
    /// The limit that was reached.
    fn valued_moves(
        &self,
        index: usize,
        valuation: &mut Valuation<T>,
        limits: &Limits<'_>,
        visit: VisitValued<'_, T::Value>,
    ) -> Result<bool, Stop>;

    /// Visits the moves in part `index` that leave, in its place, parts whose sum has one of the values `wanted`.
    ///
    /// # Errors
    /// The limit that was reached.
    fn moves_with(
        &self,
        index: usize,
        wanted: &[T::Value],
        valuation: &mut Valuation<T>,
        limits: &Limits<'_>,
        visit: VisitTerm<'_>,
    ) -> Result<(), Stop>;
}

impl<R: Ruleset, T: Theory> Valued<T> for Term<R> {
    fn values(
        &self,
        valuation: &mut Valuation<T>,
        limits: &Limits<'_>,
    ) -> Result<Vec<PartValue<T::Value>>, Stop> {
        self.parts
            .iter()
            .map(|part| valuation.part(&self.rules, part, limits))
            .collect()
    }

    fn is_zero(&self, valuation: &mut Valuation<T>, limits: &Limits<'_>) -> Result<bool, Stop> {
        T::is_zero(valuation, &self.rules, &self.parts, limits)
    }

    fn progressions_with(
        &self,
        index: usize,
        wanted: &[T::Value],
        valuation: &mut Valuation<T>,
        limits: &Limits<'_>,
    ) -> Result<Option<Vec<(Move, Arc<dyn AnyTerm>, Progression)>>, Stop> {
        let part = &self.parts[index];
        let found = T::progressions(valuation, &*self.rules, part, wanted, limits)?;
        let named = |progression: Progression| {
            let (name, term) = self.leave(index, &progression.left)?;
            Some((name, term, progression))
        };
        Ok(found.and_then(|found| found.into_iter().map(named).collect()))
    }

    fn valued_moves(
        &self,
        index: usize,
        valuation: &mut Valuation<T>,
        limits: &Limits<'_>,
        visit: VisitValued<'_, T::Value>,
    ) -> Result<bool, Stop> {
        let part = &self.parts[index];
        let player = self.rules.nature(part).beginners()[0];
        let mut seen = 0;
        ended(self.rules.options(player, index, part, &mut |left, name| {
            if self.repeated(index, left) {
                return ControlFlow::Continue(());
            }
            let value = look(&mut seen, limits)
                .and_then(|()| valuation.sum_of_parts(&self.rules, left, limits));
            match value {
                Ok(value) => visit(&value, name, &|| self.replace(index, left)),
                Err(stop) => ControlFlow::Break(stop.into()),
            }
        }))
    }

    fn moves_with(
        &self,
        index: usize,
        wanted: &[T::Value],
        valuation: &mut Valuation<T>,
        limits: &Limits<'_>,
        visit: VisitTerm<'_>,
    ) -> Result<(), Stop> {
        let part = &self.parts[index];
        let mut seen = 0;
        let mut keep = |left: &[R::Part], name: &dyn Fn() -> Move| {
            if self.repeated(index, left) {
                return ControlFlow::Continue(());
            }
            let looked = look(&mut seen, limits);
            match looked.and_then(|()| T::is_one_of(valuation, &self.rules, left, wanted, limits)) {
                Ok(true) => visit(name, &|| self.replace(index, left)),
                Ok(false) => ControlFlow::Continue(()),
                Err(stop) => ControlFlow::Break(stop.into()),
            }
        };
        let mut goals: Vec<u64> = wanted.iter().filter_map(T::goal).collect();
        goals.sort_unstable();
        goals.dedup();
        // Asked for all goals before any option is visited, so that none is visited twice.
        let ask = |goal, visit: Visit<'_, R::Part>| {
            self.rules
                .knowledge()
                .options_to(index, part, Goal::Grundy(goal), visit)
        };
        let nothing: Visit<'_, R::Part> = &mut |_, _| ControlFlow::Break(Halt::Enough);
        let direct = !goals.is_empty() && goals.iter().all(|&goal| ask(goal, nothing).is_some());
        let flow = if direct {
            goals
                .into_iter()
                .try_for_each(|goal| ask(goal, &mut keep).unwrap_or(ControlFlow::Continue(())))
        } else if wanted.is_empty() {
            ControlFlow::Continue(())
        } else {
            let player = self.rules.nature(part).beginners()[0];
            self.rules.options(player, index, part, &mut keep)
        };
        ended(flow).map(|_| ())
    }
}

/// Counts an option that is looked at, and fails when the work has to end.
pub(crate) fn look(seen: &mut u64, limits: &Limits<'_>) -> Result<(), Stop> {
    *seen += 1;
    limits.check(*seen, 0)?;
    if seen.is_multiple_of(4096) {
        limits.poll()?;
    }
    Ok(())
}
