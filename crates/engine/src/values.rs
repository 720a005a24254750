//! Theories of values. A theory defines the value of a component, and the addition of values.
//!
//! Each [`Theory`] is in a separate file of this module. A theory refers to components by their ids
//! in a [`Store`]. So its code does not depend on the type of a ruleset, and is compiled only once.
//! A [`Valuation`] is a theory together with the values that it has computed. The [`Engine`] has
//! the store, and one valuation for each theory.

pub mod canonical;
pub(crate) mod column;
pub(crate) mod exclusions;
mod exploration;
pub mod grundy;
mod heaps;
mod kept_lists;
pub mod loopy;
pub mod misere_forms;
mod nimbers;
pub mod quotients;
pub mod tame;

use std::fmt::Debug;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use self::canonical::Canonical;
use self::column::Column;
pub use self::exploration::Closure;
use self::grundy::Grundy;
use self::kept_lists::KeptLists;
use self::loopy::SmithFraenkel;
use self::misere_forms::MisereForms;
use self::quotients::Quotients;
use self::tame::Tame;
use crate::answers::Answers;
use crate::nature::Nature;
use crate::store::Store;
use crate::store::erased::{AnyTerm, PartFacts};
use crate::theorem::{ByTheorem, Theorem};
pub use crate::work::Work;
use grundy_base::limits::{Limits, Stop};
use grundy_heap::{Period, Progression};

/// A theory of values. It defines the type of the values, the value of a component, and the
/// addition of values.
///
/// To add a theory, write a file next to [`grundy`] and [`canonical`]. Then add a field to
/// [`Engine`], and a method of the solver that uses the theory.
pub trait Theory: Debug + Default + Send + Sync + 'static {
    /// The type of the values of components.
    type Value: Clone + Debug + PartialEq + Send + Sync + 'static;

    /// The value of the empty sum.
    const EMPTY_SUM: Self::Value;

    /// The components that must be visited before a component can be evaluated.
    const REACH: Reach;

    /// Returns the valuation of this theory in an engine.
    fn of(engine: &mut Engine) -> &mut Valuation<Self>;

    /// Returns `None` if the theory applies to games of the kind `nature`, and otherwise the reason
    /// why it does not apply.
    fn unsupported(nature: Nature) -> Option<Stop>;

    /// Returns the sum of two values.
    ///
    /// # Errors
    /// The sum is out of the range of the theory, or a limit was reached.
    fn add(
        &mut self,
        a: &Self::Value,
        b: &Self::Value,
        limits: &Limits<'_>,
    ) -> Result<Self::Value, Stop>;

    /// Returns the value of the part with the index `_index` among `_parts`, if a theorem of its
    /// ruleset gives this value.
    fn theorem(_parts: &dyn PartFacts, _index: usize) -> Option<ByTheorem<Self::Value>> {
        None
    }

    /// Returns the value of a part if it can be computed from the structure of the part, without
    /// visiting all options.
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Cyclic`] if the part is known to have no value.
    fn by_structure(
        _engine: &mut Engine,
        _part: PartRef<'_>,
        _limits: &Limits<'_>,
    ) -> Result<Option<PartValue<Self::Value>>, Stop> {
        Ok(None)
    }

    /// Returns the value of a component, if it can be found without visiting the options. Theorems
    /// are left to [`Theory::theorem`].
    ///
    /// # Errors
    /// The limit that was reached, or the reason why the component has no value.
    fn value_without_options(
        _engine: &mut Engine,
        _id: u32,
        _limits: &Limits<'_>,
    ) -> Result<Option<Self::Value>, Stop> {
        Ok(None)
    }

    /// Returns the value of a component, given the values of Left's options and of Right's options.
    /// If both players have the same moves, both lists are the same. Returns `None` if the
    /// component has no value in this theory.
    ///
    /// # Errors
    /// The value is out of the range of the theory, or a limit was reached.
    fn of_options(
        &mut self,
        _left: &[Self::Value],
        _right: &[Self::Value],
        _limits: &Limits<'_>,
    ) -> Result<Option<Self::Value>, Stop> {
        Ok(None)
    }

    /// Returns the values of all components of a [`Closure`], in the order in which the closure
    /// numbers them. Returns `None` if the theory does not use closures.
    ///
    /// # Errors
    /// The limit that was reached.
    fn of_closure(
        &mut self,
        _closure: &Closure,
        _limits: &Limits<'_>,
    ) -> Result<Option<Vec<Self::Value>>, Stop> {
        Ok(None)
    }

    /// Returns whether the sum of some parts has one of the values `wanted`. A theory may decide
    /// this without computing the value of the sum.
    ///
    /// # Errors
    /// The limit that was reached, or the reason why the sum has no value.
    fn is_one_of(
        engine: &mut Engine,
        parts: &dyn PartFacts,
        wanted: &[Self::Value],
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        Ok(wanted.contains(&engine.sum_of_parts::<Self>(parts, limits)?))
    }

    /// Returns the Sprague-Grundy value that all games with this value have. Returns `None` if such
    /// games may have different Sprague-Grundy values. Some rulesets can generate the options with
    /// a given Sprague-Grundy value directly, without visiting all options.
    fn goal(_value: &Self::Value) -> Option<u64> {
        None
    }

    /// Returns all options of a very large heap that have one of the values `wanted`, found by the
    /// period of the heap game. Returns `None` if they must be found by visiting the options one by
    /// one.
    ///
    /// # Errors
    /// The limit that was reached.
    fn progressions(
        _engine: &mut Engine,
        _parts: &dyn PartFacts,
        _index: usize,
        _wanted: &[Self::Value],
        _limits: &Limits<'_>,
    ) -> Result<Option<Vec<Progression>>, Stop> {
        Ok(None)
    }

    /// Returns the work that the theory counts itself, for example the computation of sequences of
    /// heap values. The work of visiting options is counted in the [`Valuation`].
    fn work(&self) -> Work {
        Work::default()
    }
}

/// The components that must be visited before a component can be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The components that occur in the options of the component. The theory implements
    /// [`Theory::of_options`].
    Options,
    /// All components reachable from the component. The theory implements [`Theory::of_closure`].
    Closure,
}

/// A reference to a part of a sum, which is to be evaluated: a part as written, or a component in
/// the store.
#[derive(Clone, Copy, Debug)]
pub enum PartRef<'a> {
    /// A part as written in the notation, given by all parts of its term and the index of this
    /// part. The part may split into several components.
    Written(&'a dyn PartFacts, usize),
    /// A component, by its id in the [`Store`].
    Component(u32),
}

impl<'a> PartRef<'a> {
    /// Returns the list of parts to which this part belongs, and the index of this part in the
    /// list.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Term, store::Store, values::PartRef};
    /// let (heaps, store) = (Term::new(Nim, vec![3, 4]), Store::default());
    /// let (parts, index) = PartRef::Written(&heaps, 1).facts(&store);
    /// assert_eq!(parts.text_of(index), "nim(4)");
    /// ```
    #[must_use]
    pub fn facts<'s>(self, store: &'s Store) -> (&'s dyn PartFacts, usize)
    where
        'a: 's,
    {
        match self {
            Self::Written(parts, index) => (parts, index),
            Self::Component(id) => store.part(id),
        }
    }
}

/// The way in which a value was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A theorem of the ruleset.
    Theorem(&'static Theorem),
    /// The sequence of heap values, which has a proved period.
    Period {
        /// The period.
        period: Period,
        /// `true` if the heap is larger than the computed heaps, so that its value follows only
        /// from the period.
        beyond: bool,
    },
    /// One of two tables: the sequence of heap values, computed up to this heap, or a value table
    /// that covers every part.
    Recurrence,
    /// A search of the options down to the end of the game.
    Search,
}

/// The value of a part, and the way in which it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartValue<V> {
    /// The value.
    pub value: V,
    /// The way in which the value was found.
    pub evidence: Evidence,
}

/// A theory, and the values that it has computed.
#[derive(Debug)]
pub struct Valuation<T: Theory> {
    /// The theory, with its caches.
    pub theory: T,
    column: Column<T::Value>,
    work: Work,
}

impl<T: Theory> Default for Valuation<T> {
    fn default() -> Self {
        Self {
            theory: T::default(),
            column: Column::default(),
            work: Work::default(),
        }
    }
}

impl<T: Theory> Valuation<T> {
    /// Returns the sum of some values.
    ///
    /// # Errors
    /// A sum is out of the range of the theory, or a limit was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, values::Engine};
    /// let mut engine = Engine::default();
    /// assert_eq!(engine.grundy.sum(&[3, 4, 5], &Limits::default()), Ok(2));
    /// ```
    pub fn sum<'a>(
        &mut self,
        values: impl IntoIterator<Item = &'a T::Value>,
        limits: &Limits<'_>,
    ) -> Result<T::Value, Stop> {
        values.into_iter().try_fold(T::EMPTY_SUM, |sum, value| {
            self.theory.add(&sum, value, limits)
        })
    }

    /// Returns the amount of work done since the engine was created.
    ///
    /// ```
    /// use grundy_core::values::{Engine, Work, grundy::Grundy};
    /// use grundy_core::{Limits, argument::Argument, registry};
    /// let (mut engine, limits) = (Engine::default(), Limits::default());
    /// let heap = registry::construct("kayles", &[(None, Argument::Int(7))])?;
    /// engine.sum_of_parts::<Grundy>(&*heap, &limits)?;
    /// let first = engine.grundy.work();
    /// assert!(first.positions >= 8 && first.hits == 0);
    /// // The second time, no value has to be computed.
    /// engine.sum_of_parts::<Grundy>(&*heap, &limits)?;
    /// assert_eq!(engine.grundy.work(), Work { hits: 1, ..first });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn work(&self) -> Work {
        let mut work = self.theory.work();
        work += self.work;
        work
    }

    /// Returns the approximate number of bytes that the values of components occupy.
    ///
    /// ```
    /// use grundy_core::ruleset::toads_and_frogs::ToadsAndFrogs;
    /// use grundy_core::values::{Engine, canonical::Canonical};
    /// use grundy_core::{Limits, Term};
    /// let mut engine = Engine::default();
    /// assert_eq!(engine.short.bytes(), 0);
    /// let strip = Term::new(ToadsAndFrogs, vec![b"T.F".to_vec()]);
    /// engine.sum_of_parts::<Canonical>(&strip, &Limits::default())?;
    /// assert!(engine.short.bytes() > 0);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.column.bytes()
    }
}

/// The store of components, and the values of components in all theories. It keeps all values for
/// later questions.
///
/// ```
/// use grundy_core::ruleset::chomp::Chomp;
/// use grundy_core::values::{Engine, PartRef, grundy::Grundy};
/// use grundy_core::{Limits, Term};
/// let mut engine = Engine::default();
/// let corner = Term::new(Chomp, vec![vec![2, 1]]);
/// let value = engine.part::<Grundy>(PartRef::Written(&corner, 0), &Limits::default())?;
/// assert_eq!(value.value, 0);
/// # Ok::<(), grundy_core::Stop>(())
/// ```
#[derive(Debug, Default)]
pub struct Engine {
    pub(crate) store: Store,
    /// The lists of options from questions that a limit stopped.
    kept_lists: KeptLists,
    /// Sprague-Grundy values, in normal play.
    pub grundy: Valuation<Grundy>,
    /// Smith–Fraenkel values of loopy games, in normal play.
    pub loopy: Valuation<SmithFraenkel>,
    /// Tame values, in misère play.
    pub tame: Valuation<Tame>,
    /// Elements of misère quotients, for heap games.
    pub quotients: Valuation<Quotients>,
    /// Canonical forms in misère play.
    pub misere: Valuation<MisereForms>,
    /// Canonical forms in normal play.
    pub short: Valuation<Canonical>,
    /// The answers that searches have found, such as nimbers and outcomes of sums.
    pub(crate) answers: Answers,
}

impl Engine {
    /// Returns the value of one part.
    ///
    /// # Complexity
    /// If a theorem, a sequence or a value table gives the value, the only cost is that of
    /// computing this value. Otherwise every option of every reachable component that has no value
    /// yet is visited once.
    ///
    /// # Errors
    /// The limit that was reached, or the reason why the part has no value.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::values::{Engine, Evidence, PartRef, grundy::Grundy};
    /// use grundy_core::{Limits, Term, rules::BOUTON};
    /// let (mut engine, heaps) = (Engine::default(), Term::new(Nim, vec![3, 4]));
    /// let found = engine.part::<Grundy>(PartRef::Written(&heaps, 1), &Limits::default())?;
    /// assert_eq!((found.value, found.evidence), (4, Evidence::Theorem(&BOUTON)));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn part<T: Theory>(
        &mut self,
        part: PartRef<'_>,
        limits: &Limits<'_>,
    ) -> Result<PartValue<T::Value>, Stop> {
        let (parts, index) = part.facts(&self.store);
        // Theorems are tried before `unsupported`, since a theorem may give the value of a game
        // that the theory cannot search.
        if let Some(known) = T::theorem(parts, index) {
            return Ok(PartValue {
                value: known.value,
                evidence: Evidence::Theorem(known.theorem),
            });
        }
        if let Some(reason) = T::unsupported(parts.nature_of(index)) {
            return Err(reason);
        }
        if let Some(found) = T::by_structure(self, part, limits)? {
            return Ok(found);
        }
        let value = match part {
            PartRef::Component(id) => self.component::<T>(id, limits)?,
            PartRef::Written(parts, index) => {
                let mut components = Vec::new();
                // Values are stored for components, so equal components of different parts are
                // evaluated once.
                parts.enter_part(index, &mut self.store, &mut components);
                components.into_iter().try_fold(T::EMPTY_SUM, |sum, id| {
                    let value = self.component::<T>(id, limits)?;
                    T::of(self).theory.add(&sum, &value, limits)
                })?
            }
        };
        Ok(PartValue {
            value,
            evidence: Evidence::Search,
        })
    }

    /// Returns the values of some parts.
    ///
    /// # Errors
    /// The errors of [`Engine::part`].
    ///
    /// # Examples
    /// ```
    /// use grundy_core::values::{Engine, grundy::Grundy};
    /// use grundy_core::{Limits, argument::Argument, registry};
    /// let heaps = [5, 6, 7].map(|size| (None, Argument::Int(size)));
    /// let kayles = registry::construct("kayles", &heaps)?;
    /// let found = Engine::default().parts::<Grundy>(&*kayles, &Limits::default())?;
    /// assert!(found.iter().map(|part| part.value).eq([4, 3, 2]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parts<T: Theory>(
        &mut self,
        parts: &dyn PartFacts,
        limits: &Limits<'_>,
    ) -> Result<Vec<PartValue<T::Value>>, Stop> {
        let all = 0..parts.part_count();
        all.map(|index| self.part::<T>(PartRef::Written(parts, index), limits))
            .collect()
    }

    /// Returns the values of the parts of each term.
    ///
    /// # Errors
    /// The errors of [`Engine::part`].
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::values::{Engine, grundy::Grundy};
    /// use grundy_core::{Limits, Position, Term};
    /// let nim = |heaps| Term::new(Nim, heaps).into();
    /// let sum = Position::of_terms(vec![nim(vec![3, 4]), nim(vec![5])]);
    /// let found = Engine::default().terms::<Grundy>(sum.terms(), &Limits::default())?;
    /// assert_eq!((found[0].len(), found[1].len()), (2, 1));
    /// assert_eq!(found[1][0].value, 5);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn terms<T: Theory>(
        &mut self,
        terms: &[Arc<dyn AnyTerm>],
        limits: &Limits<'_>,
    ) -> Result<Vec<Vec<PartValue<T::Value>>>, Stop> {
        terms
            .iter()
            .map(|term| self.parts::<T>(&**term, limits))
            .collect()
    }

    /// Returns the sum of the values of some parts.
    ///
    /// # Errors
    /// The errors of [`Engine::part`].
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::values::{Engine, grundy::Grundy};
    /// use grundy_core::{Limits, Term};
    /// let heaps = Term::new(Nim, vec![3, 4, 5]);
    /// let sum = Engine::default().sum_of_parts::<Grundy>(&heaps, &Limits::default())?;
    /// assert_eq!(sum, 2);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn sum_of_parts<T: Theory>(
        &mut self,
        parts: &dyn PartFacts,
        limits: &Limits<'_>,
    ) -> Result<T::Value, Stop> {
        (0..parts.part_count()).try_fold(T::EMPTY_SUM, |sum, index| {
            let value = self
                .part::<T>(PartRef::Written(parts, index), limits)?
                .value;
            T::of(self).theory.add(&sum, &value, limits)
        })
    }

    /// Starts a question, that is, a request for a result within given limits. Only components that
    /// are added to the store from now on count towards these limits.
    pub(crate) fn begin_question(&mut self) {
        self.store.begin_question();
    }

    /// Returns the ids of all components that occur in an answer of a search or in a kept list of
    /// options.
    fn referenced(&self) -> FxHashSet<u32> {
        let mut referenced = self.answers.components();
        self.kept_lists.add_components(&mut referenced);
        referenced
    }

    /// Frees components that are not needed. A component is kept if `needed` returns `true` for its
    /// id, or if it is pinned, that is, marked as never to be freed. It is also kept if it has a
    /// value, or if an answer or a kept list contains it.
    pub(crate) fn retain(&mut self, needed: &dyn Fn(u32) -> bool) {
        let referenced = self.referenced();
        let Self {
            store,
            grundy,
            loopy,
            tame,
            // All fields are named, so that a new theory cannot be forgotten here. Elements of
            // quotients belong to heaps, not to components.
            quotients: _,
            misere,
            short,
            answers: _,
            kept_lists: _,
        } = self;
        store.retain(&|id| {
            needed(id)
                || referenced.contains(&id)
                || grundy.column.is_used(id)
                || loopy.column.is_used(id)
                || tame.column.is_used(id)
                || misere.column.is_used(id)
                || short.column.is_used(id)
        });
        debug_assert!(
            (self.valued().chain(referenced)).all(|id| self.store.is_used(id)),
            "a component with a value, in an answer or in a kept list was freed"
        );
    }

    /// Returns the ids of the components that have a value in some theory. The id of a component
    /// with values in several theories occurs several times.
    fn valued(&self) -> impl Iterator<Item = u32> {
        fn ids<V: Clone>(column: &Column<V>) -> impl Iterator<Item = u32> {
            column.known().map(|(id, _)| id)
        }
        let impartial = ids(&self.grundy.column).chain(ids(&self.tame.column));
        let misere = impartial.chain(ids(&self.misere.column));
        let loopy = misere.chain(ids(&self.loopy.column));
        loopy.chain(ids(&self.short.column))
    }

    /// Frees the components that are no longer needed after a search. Does nothing unless the
    /// number of components in the store has about doubled since components were last freed.
    pub(crate) fn free_searched(&mut self) {
        // A component without a value is cheap to enter again, but a pass over the store is
        // expensive.
        if self.store.has_doubled() {
            self.retain(&|_| false);
        }
    }

    /// Returns the amount of work done since the engine was created.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::values::{Engine, grundy::Grundy};
    /// use grundy_core::{Limits, Term};
    /// let (mut engine, heaps) = (Engine::default(), Term::new(Nim, vec![3, 4]));
    /// engine.sum_of_parts::<Grundy>(&heaps, &Limits::default())?;
    /// assert_eq!(engine.work().positions, 0, "a theorem gives the values");
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn work(&self) -> Work {
        let mut work = self.grundy.work();
        work += self.loopy.work();
        work += self.tame.work();
        work += self.quotients.work();
        work += self.misere.work();
        work += self.short.work();
        work
    }

    /// Returns the approximate number of bytes that components, values, caches of the theories, and
    /// answers occupy.
    ///
    /// ```
    /// use grundy_core::ruleset::toads_and_frogs::ToadsAndFrogs;
    /// use grundy_core::values::{Engine, canonical::Canonical};
    /// use grundy_core::{Limits, Term};
    /// let mut engine = Engine::default();
    /// let before = engine.bytes();
    /// let strip = Term::new(ToadsAndFrogs, vec![b"T.F".to_vec()]);
    /// engine.sum_of_parts::<Canonical>(&strip, &Limits::default())?;
    /// assert!(engine.bytes() > before);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let columns = self.grundy.bytes()
            + self.loopy.bytes()
            + self.tame.bytes()
            + self.misere.bytes()
            + self.short.bytes();
        let theories = self.grundy.theory.bytes()
            + self.misere.theory.forms.bytes()
            + self.short.theory.bytes();
        self.store.bytes() + self.kept_lists.bytes() + columns + theories + self.answers.bytes()
    }
}

/// Counts a visit to an option. Fails if a limit is reached.
pub(crate) fn count_visit(seen: &mut u64, limits: &Limits<'_>) -> Result<(), Stop> {
    *seen += 1;
    limits.check(*seen, 0)?;
    // Polling the limits takes longer than visiting an option.
    if seen.is_multiple_of(64) {
        limits.poll()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::argument::Argument;
    use crate::position::Position;
    use crate::registry::construct;
    use grundy_base::outcome::Outcome;
    use grundy_base::player::Player;

    fn text(text: &str) -> Argument {
        Argument::Text(text.into())
    }

    fn position(name: &str, argument: Argument) -> Position {
        construct(name, &[(None, argument)]).unwrap().into()
    }

    #[test]
    fn packed_components_are_not_stored() {
        let board = position("cram", Argument::Board(5, 5));
        let mut engine = Engine::default();
        assert_eq!(engine.nimber(&board, &Limits::default()), Ok(0));
        // The search identifies components by their packed words, so the store stays empty.
        assert_eq!(engine.store.len(), 0);
    }

    #[test]
    fn equal_rules_share_a_table() {
        let mut engine = Engine::default();
        let board = || position("domineering", Argument::Board(3, 4));
        let form = engine
            .form_of_position(&board(), &Limits::default())
            .unwrap();
        let (components, work) = (engine.store.len(), engine.short.work());
        assert_eq!(
            engine.form_of_position(&board(), &Limits::default()),
            Ok(form)
        );
        assert_eq!(engine.store.len(), components);
        assert_eq!(engine.short.work().positions, work.positions);
    }

    // The graph has two cycles of two vertices, and an edge to a vertex without moves. The number
    // of positions shows that a closure contains only reachable vertices.
    #[test]
    fn a_closure_has_only_reachable_vertices() {
        let edge = |from, to| Argument::List(vec![text(from), text(to)]);
        let edges = [("a", "b"), ("b", "a"), ("c", "d"), ("d", "c"), ("e", "f")];
        let edges = Argument::List(edges.map(|(from, to)| edge(from, to)).into());
        let mut engine = Engine::default();
        for (start, positions, outcome) in [
            ("a", 2, Outcome::D),
            ("b", 2, Outcome::D),
            ("c", 4, Outcome::D),
            // Every play from this vertex ends, so its value is found without a closure.
            ("e", 4, Outcome::N),
        ] {
            let graph = construct("graph", &[(None, edges.clone()), (None, text(start))]);
            let values = engine.parts::<SmithFraenkel>(&*graph.unwrap(), &Limits::default());
            assert_eq!(values.unwrap()[0].value.value.outcome(), outcome, "{start}");
            assert_eq!(engine.loopy.work().positions, positions, "{start}");
        }
    }

    // If a valuation is stopped, it must leave no component marked as open. Otherwise the next
    // attempt would report a cycle.
    #[test]
    fn a_limit_leaves_no_component_open() {
        let board = position("domineering", Argument::Board(4, 4));
        let (mut engine, limits) = (Engine::default(), Limits::default());
        for positions in [1, 10, 50] {
            let few = Limits {
                positions,
                ..limits
            };
            assert_eq!(
                engine.form_of_position(&board, &few),
                Err(Stop::Positions(positions))
            );
        }
        let mut fresh = Engine::default();
        let form = fresh.form_of_position(&board, &limits).unwrap();
        let again = engine.form_of_position(&board, &limits).unwrap();
        let write = |engine: &mut Engine, form| {
            let forms = &mut engine.short.theory.forms;
            forms.write_within(form, &limits).unwrap()
        };
        assert_eq!(write(&mut engine, again), write(&mut fresh, form));
    }

    /// Evaluates a position repeatedly in one engine, until an attempt succeeds. An attempt is
    /// interrupted if it polls the limits more than `polls` times. If `polls` is `None`, this
    /// number is one less than the number of polls that a new engine needs. Returns the number of
    /// attempts that were interrupted.
    fn stopped_tries<T: Theory>(position: &Position, polls: Option<u64>) -> usize {
        let seen = AtomicU64::new(0);
        let limits = &Limits {
            interrupted: &|| {
                seen.fetch_add(1, Ordering::Relaxed);
                None
            },
            ..Limits::default()
        };
        let values = |engine: &mut Engine, limits: &Limits<'_>| {
            let values = engine.terms::<T>(position.terms(), limits)?;
            Ok::<_, Stop>(
                values
                    .into_iter()
                    .flatten()
                    .map(|part| part.value)
                    .collect(),
            )
        };
        let expected: Vec<T::Value> = values(&mut Engine::default(), limits).unwrap();
        let polls = polls.unwrap_or(seen.load(Ordering::Relaxed) - 1);
        let mut engine = Engine::default();
        for tries in 0..10_000 {
            let seen = AtomicU64::new(0);
            let stop = || {
                let reached = seen.fetch_add(1, Ordering::Relaxed) >= polls;
                reached.then_some(Stop::Interrupted)
            };
            let stopping = Limits {
                interrupted: &stop,
                ..*limits
            };
            engine.begin_question();
            match values(&mut engine, &stopping) {
                Ok(values) => {
                    assert_eq!(values, expected, "{position}");
                    return tries;
                }
                Err(stop) => assert_eq!(stop, Stop::Interrupted, "{position}"),
            }
            // This must not free the components in kept lists.
            engine.retain(&|_| false);
        }
        panic!("{position} is not valued after 10,000 tries");
    }

    fn stones(name: &str, row: &str) -> Position {
        position(name, Argument::List(vec![text(row)]))
    }

    fn impartial(game: Position) -> Position {
        position("impartial", Argument::Game(game))
    }

    #[test]
    fn stopped_work_is_resumed() {
        let limits = Limits::default();
        let rows = [
            impartial(stones("cannibal_clobber", &"x".repeat(200))),
            impartial(stones("clobber", &"xo".repeat(20))),
        ];
        for row in rows {
            for polls in [1, 2, 5] {
                let tries = stopped_tries::<Grundy>(&row, Some(polls));
                assert!(tries > 5, "{row}: {tries} after {polls}");
            }
        }
        // In a partizan game a list has the options of Left and those of Right. In some components
        // of this board only one player can move.
        let board = position("domineering", Argument::Board(4, 5));
        assert!(stopped_tries::<Canonical>(&board, Some(2)) > 5);
        // This list has more than a thousand options, so it is resumed in the middle.
        let long = impartial(stones("cannibal_clobber", &"xo".repeat(1_500)));
        let mut ids = Vec::new();
        let (mut engine, mut listed) = (Engine::default(), Vec::new());
        long.enter(&mut engine.store, &mut ids);
        let mut store = Store::default();
        let mut all = Vec::new();
        long.enter(&mut store, &mut Vec::new());
        let all_ids = ids.clone();
        store
            .list_options(all_ids[0], Player::Left, &mut all, &limits)
            .unwrap();
        let mut stopped = 0;
        while listed.is_empty() {
            let seen = AtomicU64::new(0);
            let stop = || {
                let reached = seen.fetch_add(1, Ordering::Relaxed) > 0;
                reached.then_some(Stop::Time)
            };
            let stopping = Limits {
                interrupted: &stop,
                ..limits
            };
            let (mut listing, mut out) = (kept_lists::Listing::default(), Vec::new());
            let Engine {
                store, kept_lists, ..
            } = &mut engine;
            match kept_lists.list(store, ids[0], &mut listing, &mut out, &stopping) {
                Ok(()) => listed = out,
                Err(Stop::Time) => {
                    kept_lists.keep([(ids[0], &out[..], listing)].into_iter(), &limits);
                    stopped += 1;
                }
                Err(stop) => panic!("{stop}"),
            }
        }
        assert_eq!(listed, all);
        assert!(stopped > 0);
    }

    // The graph is a circle of 600 vertices with steps of 1 and 7, so the closure contains all of
    // them.
    #[test]
    fn the_closure_of_a_loopy_game_is_resumed() {
        let edge = |from: u32, to: u32| {
            let ends = [from, to].map(|vertex| text(&vertex.to_string()));
            Argument::List(ends.into())
        };
        let edges = (0..600).flat_map(|from| [1, 7].map(|step| edge(from, (from + step) % 600)));
        let edges = Argument::List(edges.chain([edge(0, 600)]).collect());
        let graph = construct("graph", &[(None, edges), (None, text("0"))]).unwrap();
        let tries = stopped_tries::<SmithFraenkel>(&graph.into(), None);
        assert!(tries > 0);
    }

    // Checks that kept lists stay within their share of the memory, and that evicting them changes
    // no result.
    #[test]
    fn cached_lists_fit_their_share_of_the_memory() {
        let row = impartial(stones("cannibal_clobber", &"x".repeat(200)));
        let mut engine = Engine::default();
        let time = || Some(Stop::Time);
        let seen = AtomicU64::new(0);
        let later = || {
            (seen.fetch_add(1, Ordering::Relaxed) > 100)
                .then(time)
                .flatten()
        };
        let limits = Limits {
            memory: 1 << 20,
            interrupted: &later,
            ..Limits::default()
        };
        assert_eq!(
            engine.terms::<Grundy>(row.terms(), &limits),
            Err(Stop::Time)
        );
        let bytes = engine.kept_lists.bytes();
        assert!((1..=1 << 17).contains(&bytes), "{bytes}");
        let value = engine.nimber(&row, &Limits::default());
        assert_eq!(value, Engine::default().nimber(&row, &Limits::default()));
        assert_eq!(engine.kept_lists.bytes(), 0);
    }
}
