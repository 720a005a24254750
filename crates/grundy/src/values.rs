//! Theories of values: what a component is worth, and how worths add up to that of a sum.
//!
//! A [`Theory`] is one file here. It may have a memory, its values need not be copied by bits, and it may want the options of
//! both players or everything that can be reached at once. A [`Valuation`] is a theory with all that it has worked out.

pub(crate) mod answers;
pub(crate) mod blackboard;
mod by_outcomes;
pub mod canonical;
mod diagrams;
mod explored;
pub mod grundy;
mod heaps;
pub mod loopy;
pub mod misere_forms;
mod nimbers;
pub mod quotients;
pub mod slider;
pub mod sums;
pub mod tame;

use std::any::Any;
use std::fmt::Debug;
use std::ops::AddAssign;
use std::sync::Arc;

use self::explored::Explored;
pub use self::explored::Family;
use crate::heap::{Period, Progression};
use crate::limits::{Limits, Stop};
use crate::rules::{Known, Nature, Ruleset, Theorem};

/// A theory of values.
///
/// To add one takes a file beside [`grundy`] and [`canonical`], a line in the supertraits of [`crate::position::AnyTerm`], and a
/// method of the solver that asks it.
pub trait Theory: Debug + Default + Send + Sync + 'static {
    /// What a component is worth.
    type Value: Clone + Debug + PartialEq + Send + Sync + 'static;

    /// What is kept of the components of each ruleset beside their values.
    type Notes: Debug + Default + Send + Sync + 'static;

    /// What has to be known of a component before it is valued.
    const REACH: Reach;

    /// Why it says nothing about games of this kind; nothing where it does.
    fn refuses(nature: Nature) -> Option<Stop>;

    /// The value of the empty sum.
    fn zero(&self) -> Self::Value;

    /// The value of a sum of two.
    ///
    /// # Errors
    /// A value beyond what the theory can hold, or the limit that was reached.
    fn add(
        &mut self,
        a: &Self::Value,
        b: &Self::Value,
        limits: &Limits<'_>,
    ) -> Result<Self::Value, Stop>;

    /// The value of a part, where a theorem of its ruleset gives it.
    fn theorem<R: Ruleset>(rules: &R, part: &R::Part) -> Option<Known<Self::Value>>;

    /// The value of a part by what its ruleset says of its structure, without looking at all options.
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Cyclic`] where it is known not to have a value.
    fn by_structure<R: Ruleset>(
        _valuation: &mut Valuation<Self>,
        _rules: &Arc<R>,
        _part: &R::Part,
        _limits: &Limits<'_>,
    ) -> Result<Option<PartValue<Self::Value>>, Stop> {
        Ok(None)
    }

    /// The value of a component before its options are looked at, where something gives it.
    ///
    /// # Errors
    /// The limit that was reached, or that there is no value.
    fn settle<R: Ruleset>(
        &mut self,
        rules: &Arc<R>,
        part: &R::Part,
        _limits: &Limits<'_>,
    ) -> Result<Option<Self::Value>, Stop> {
        Ok(Self::theorem(&**rules, part).map(|known| known.value))
    }

    /// The value of a component from those of its options, Left's and Right's; where both have the same moves the two lists are
    /// one. Nothing where the theory has no value for it.
    ///
    /// # Errors
    /// A value beyond what the theory can hold, or the limit that was reached.
    fn of_options(
        &mut self,
        _left: &[Self::Value],
        _right: &[Self::Value],
        _limits: &Limits<'_>,
    ) -> Result<Option<Self::Value>, Stop> {
        Ok(None)
    }

    /// The values of all components of a family, by their numbers. Nothing where the theory declines.
    ///
    /// # Errors
    /// The limit that was reached.
    fn of_family(
        &mut self,
        _family: &Family,
        _limits: &Limits<'_>,
    ) -> Result<Option<Vec<Self::Value>>, Stop> {
        Ok(None)
    }

    /// Whether the sum of `parts` has one of the values `wanted`: some theories know this before they know the value.
    ///
    /// # Errors
    /// The limit that was reached, or that there is no value.
    fn is_one_of<R: Ruleset>(
        valuation: &mut Valuation<Self>,
        rules: &Arc<R>,
        parts: &[R::Part],
        wanted: &[Self::Value],
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        Ok(wanted.contains(&valuation.sum_of_parts(rules, parts, limits)?))
    }

    /// Whether the sum of `parts` has the value of the empty sum.
    ///
    /// # Errors
    /// As [`Theory::is_one_of`].
    fn is_zero<R: Ruleset>(
        valuation: &mut Valuation<Self>,
        rules: &Arc<R>,
        parts: &[R::Part],
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        let zero = valuation.theory.zero();
        Self::is_one_of(valuation, rules, parts, &[zero], limits)
    }

    /// The Sprague–Grundy value inside a value, where there is one: what rulesets are asked for in
    /// [`options_to`](crate::rules::Knowledge::options_to).
    fn goal(_value: &Self::Value) -> Option<u64> {
        None
    }

    /// All options of a very large heap that have one of the values `wanted`, by the period of its game; nothing where there
    /// is no short way.
    ///
    /// # Errors
    /// The limit that was reached.
    fn progressions<R: Ruleset>(
        _valuation: &mut Valuation<Self>,
        _rules: &R,
        _part: &R::Part,
        _wanted: &[Self::Value],
        _limits: &Limits<'_>,
    ) -> Result<Option<Vec<Progression>>, Stop> {
        Ok(None)
    }

    /// What the theory's own memory has been asked.
    fn work(&self) -> Work {
        Work::default()
    }
}

/// What a theory has to see of a component before it can value it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The values of its options: [`Theory::of_options`].
    Options,
    /// Everything that can be reached from it: [`Theory::of_family`].
    Family {
        /// Whether there may be options among it that fall apart.
        splits: bool,
    },
}

/// How a value was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A theorem of the ruleset.
    Theorem(&'static Theorem),
    /// The sequence of heap values, whose period is proved.
    Period {
        /// The period.
        period: Period,
        /// Whether the heap lies beyond the values computed, so that the answer rests on the proof.
        beyond: bool,
    },
    /// The sequence of heap values, computed one after the other.
    Recurrence,
    /// The options, down to the end of the game.
    Search,
}

/// A part's value with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartValue<V> {
    /// The value.
    pub value: V,
    /// How it was found.
    pub evidence: Evidence,
}

/// How much work was done, and how much was saved by what was known already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Positions whose moves were looked at, and heap values computed.
    pub positions: u64,
    /// Questions that were answered from memory.
    pub hits: u64,
}

impl Work {
    /// Counts a question for which so many positions were looked at: without any it was answered from memory.
    pub(crate) fn count(&mut self, positions: u64) {
        self.positions += positions;
        self.hits += u64::from(positions == 0);
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.positions += other.positions;
        self.hits += other.hits;
    }
}

/// A theory with everything worked out in it so far; values are kept from one question to the next.
///
/// ```
/// use std::sync::Arc;
/// use grundy::Limits;
/// use grundy::ruleset::chomp::Chomp;
/// use grundy::values::{Valuation, grundy::Grundy};
/// let mut values = Valuation::<Grundy>::default();
/// let corner = values.part(&Arc::new(Chomp), &vec![2, 1], &Limits::default())?;
/// assert_eq!(corner.value, 0);
/// # Ok::<(), grundy::Stop>(())
/// ```
#[derive(Debug, Default)]
pub struct Valuation<T: Theory> {
    /// The theory, with its memory.
    pub theory: T,
    explored: Vec<Box<dyn AnyExplored<T>>>,
}

/// The components of one ruleset in one theory.
trait AnyExplored<T: Theory>: Debug + Any + Send + Sync {
    /// Visits the components that are valued, each as its text, where that says all of it and no theorem is faster than to read it.
    fn each_valued(&self, visit: &mut dyn FnMut(String, &T::Value));
    /// The name of the ruleset, and what else is known of its components.
    fn notes(&self) -> (&str, &T::Notes);
    fn work(&self) -> Work;
    fn bytes(&self) -> u64;
    fn as_any(&mut self) -> &mut dyn Any;
}

impl<T: Theory> Valuation<T> {
    /// The value of one part.
    ///
    /// # Complexity
    /// That of the theorem, sequence or board that gives it; else one visit to every option of every canonical component that
    /// can be reached, those valued before left out.
    ///
    /// # Errors
    /// The limit that was reached, or that the theory has no value for it.
    pub fn part<R: Ruleset>(
        &mut self,
        rules: &Arc<R>,
        part: &R::Part,
        limits: &Limits<'_>,
    ) -> Result<PartValue<T::Value>, Stop> {
        if let Some(known) = T::theorem(&**rules, part) {
            return Ok(PartValue {
                value: known.value,
                evidence: Evidence::Theorem(known.theorem),
            });
        }
        if let Some(refused) = T::refuses(rules.nature(part)) {
            return Err(refused);
        }
        if let Some(found) = T::by_structure(self, rules, part, limits)? {
            return Ok(found);
        }
        let (theory, explored) = self.explored(rules);
        Ok(PartValue {
            value: explored.value(theory, part, limits)?,
            evidence: Evidence::Search,
        })
    }

    /// The value of a component, where it was found before.
    pub(crate) fn found<R: Ruleset>(
        &mut self,
        rules: &Arc<R>,
        component: &R::Part,
    ) -> Option<T::Value> {
        let (_, explored) = self.explored(rules);
        explored.found(component)
    }

    /// The sum of values.
    ///
    /// # Errors
    /// A value beyond what the theory can hold, or the limit that was reached.
    pub fn sum<'a>(
        &mut self,
        values: impl IntoIterator<Item = &'a T::Value>,
        limits: &Limits<'_>,
    ) -> Result<T::Value, Stop> {
        let zero = self.theory.zero();
        values
            .into_iter()
            .try_fold(zero, |sum, value| self.theory.add(&sum, value, limits))
    }

    /// The value of the sum of `parts`.
    ///
    /// # Errors
    /// As [`Valuation::part`].
    pub fn sum_of_parts<R: Ruleset>(
        &mut self,
        rules: &Arc<R>,
        parts: &[R::Part],
        limits: &Limits<'_>,
    ) -> Result<T::Value, Stop> {
        let zero = self.theory.zero();
        parts.iter().try_fold(zero, |sum, part| {
            let value = self.part(rules, part, limits)?.value;
            self.theory.add(&sum, &value, limits)
        })
    }

    /// How much work was done since the beginning.
    #[must_use]
    pub fn work(&self) -> Work {
        let mut work = self.theory.work();
        self.explored
            .iter()
            .for_each(|explored| work += explored.work());
        work
    }

    /// About how many bytes are held, those of the theory's own memory left out.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.explored.iter().map(|explored| explored.bytes()).sum()
    }

    /// Visits the components that were valued so far, each as it is written. What a theorem tells of at once is left out, and so
    /// is what its text does not say all of.
    pub fn each_valued(&self, visit: &mut dyn FnMut(String, &T::Value)) {
        for explored in &self.explored {
            explored.each_valued(visit);
        }
    }

    /// The theory, and the components of a ruleset that were explored in it.
    fn explored<R: Ruleset>(&mut self, rules: &Arc<R>) -> (&mut T, &mut Explored<R, T>) {
        let found = self.explored.iter_mut().position(|known| {
            let known = known.as_any().downcast_ref::<Explored<R, T>>();
            known.is_some_and(|known| known.rules() == &**rules)
        });
        let index = found.unwrap_or_else(|| {
            let new = Explored::<R, T>::new(Arc::clone(rules));
            self.explored.push(Box::new(new));
            self.explored.len() - 1
        });
        let explored = self.explored[index].as_any().downcast_mut();
        let explored = explored.expect("found by its type, or just made with it");
        (&mut self.theory, explored)
    }
}
