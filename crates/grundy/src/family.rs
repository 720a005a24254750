//! Families of heaps, their values and periods.

use std::fmt;
use std::ops::{Bound, RangeBounds};
use std::sync::Arc;

use grundy_core::algebra::NormalPlay;
use grundy_core::heap::{self, Sequence};
use grundy_core::position::AnyTerm;
use grundy_misere::quotient::Search;

use crate::run::Settings;
use crate::{Error, ErrorKind, MisereQuotient, Position, Solver};

/// The heaps 0, 1, 2, ... of a heap game, such as `kayles(n)`.
///
/// A family is parsed from text, or obtained from a position with one heap by
/// [`Family::of_heap`]. Its limits are those of a new [`Solver`](crate::Solver).
///
/// # Examples
/// ```
/// use grundy::prelude::*;
/// let kayles: Family = "kayles(n)".parse()?;
/// assert_eq!(kayles.values(0..=10)?, [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2]);
/// assert_eq!(kayles.period()?.period(), 12);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Family {
    rules: heap::HeapRules,
    text: String,
    settings: Settings,
}

/// A proved period: g(n + p) = g(n) + s for all n >= n0.
///
/// # Examples
/// See [`Family::period`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period(heap::Period);

/// Largest number of values from which a period is proved, unless
/// [`Family::period_within`] sets another one.
const MAX_VALUES: u64 = 1_000_000;

impl Family {
    /// Returns the family of the only heap of a position.
    ///
    /// # Errors
    /// A position that does not consist of one heap of a game whose values are computed heap by
    /// heap.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let family = Family::of_heap(&games::take_and_break("0.137", [1])?)?;
    /// assert_eq!(family.period()?.period(), 34);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn of_heap(position: &Position) -> Result<Self, Error> {
        let term = position.valid()?.only_term();
        term.and_then(|term| Self::of_term(term, position.to_string()))
            .ok_or_else(|| not_a_heap(&position.to_string()))
    }

    fn of_term(term: &Arc<dyn AnyTerm>, text: String) -> Option<Self> {
        let rules = term.heap_rules()?.0.clone();
        Some(Self {
            rules,
            text,
            settings: Settings::default(),
        })
    }

    /// Sets the limits of all computations to those of a solver, with its progress callback and its
    /// cancel handle.
    ///
    /// # Examples
    /// ```
    /// use std::time::Duration;
    /// use grundy::Limit;
    /// use grundy::prelude::*;
    /// let solver = Solver::new().timeout(Duration::from_millis(20));
    /// let family = "grundys_game(n)".parse::<Family>()?.with_solver(&solver);
    /// assert_eq!(family.period().unwrap_err().limit(), Some(Limit::Time));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn with_solver(mut self, solver: &Solver) -> Self {
        self.settings = solver.settings.clone();
        self
    }

    /// Returns the Grundy values of the heaps in a range.
    ///
    /// # Errors
    /// A range without an upper end, or a limit that was reached.
    ///
    /// # Complexity
    /// O(n²) at most for n heaps, and O(1) for each value beyond a proved period.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let family: Family = "subtraction([1, 3, 4], n)".parse()?;
    /// assert_eq!(family.values(..8)?, [0, 1, 0, 1, 2, 3, 2, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn values(&self, heaps: impl RangeBounds<u64>) -> Result<Vec<u64>, Error> {
        let first = match heaps.start_bound() {
            Bound::Included(&first) => first,
            Bound::Excluded(&before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match heaps.end_bound() {
            Bound::Included(&last) => last.saturating_add(1),
            Bound::Excluded(&end) => end,
            Bound::Unbounded => {
                let error = Error::new(ErrorKind::Range, "the range of heaps has no end");
                return Err(error.with_hint("write a range such as 0..=100"));
            }
        };
        let values = self.settings.run(|limits| {
            let mut sequence = Sequence::<NormalPlay>::new(self.rules.clone());
            limits.check(end.saturating_sub(first), 8)?;
            (first..end)
                .map(|n| sequence.value(n, limits))
                .collect::<Result<Vec<u64>, _>>()
        });
        Ok(values?)
    }

    /// Returns the Grundy value of the heap of n.
    ///
    /// # Errors
    /// A limit that was reached.
    ///
    /// # Complexity
    /// As [`Family::values`].
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!("kayles(n)".parse::<Family>()?.value(1_000_000_000)?, 1);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn value(&self, n: u64) -> Result<u64, Error> {
        let value = self
            .settings
            .run(|limits| Sequence::<NormalPlay>::new(self.rules.clone()).value(n, limits));
        Ok(value?)
    }

    /// Returns the proved period of the Grundy values, from at most a million values.
    ///
    /// # Errors
    /// As [`Family::period_within`].
    ///
    /// # Complexity
    /// As [`Family::period_within`].
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let period = "kayles(n)".parse::<Family>()?.period()?;
    /// assert_eq!((period.preperiod(), period.period(), period.saltus()), (71, 12, 0));
    /// assert_eq!(period.theorem(), "Guy-Smith periodicity theorem");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn period(&self) -> Result<Period, Error> {
        self.period_within(MAX_VALUES)
    }

    /// Returns the proved period of the Grundy values, from at most `max` values.
    ///
    /// # Errors
    /// The values prove no period, which is an error of kind [`ErrorKind::Limit`], or a limit that
    /// was reached.
    ///
    /// # Complexity
    /// The time to compute the values, which are O(n²) at most for n values, and a comparison for
    /// each possible period whenever their number has doubled.
    ///
    /// # Examples
    /// ```
    /// use grundy::ErrorKind;
    /// use grundy::prelude::*;
    /// // No period of Grundy's Game is known.
    /// let error = "grundys_game(n)".parse::<Family>()?.period_within(2_000).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Limit);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn period_within(&self, max: u64) -> Result<Period, Error> {
        let period = self.settings.run(|limits| {
            let mut sequence = Sequence::<NormalPlay>::new(self.rules.clone());
            // The sequence tries to prove a period whenever the number of its values has grown by a
            // quarter.
            sequence.value(max, limits)?;
            Ok(sequence.period().cloned())
        })?;
        period.map(Period).ok_or_else(|| {
            let message = format!("the first {max} values do not prove a period");
            Error::new(ErrorKind::Limit, message)
                .with_hint("`Family::period_within` computes more values")
        })
    }

    /// Returns the misère quotient of the heaps up to `largest`, or of all heaps if it is `None`.
    ///
    /// The quotient of all heaps is found only if it is finite and a theorem proves that the
    /// elements of the heaps repeat. Otherwise the search ends at a limit, with an error.
    ///
    /// # Errors
    /// A limit that was reached.
    ///
    /// # Complexity
    /// Each new element costs a proof by the transition algebra of the quotient. The proof visits
    /// each pair of an element and a set of elements of options.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let kayles: Family = "kayles(n)".parse()?;
    /// assert_eq!(kayles.misere_quotient(None)?.order(), Some(40));
    /// assert_eq!(kayles.misere_quotient(Some(4))?.order(), Some(6));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn misere_quotient(&self, largest: Option<u32>) -> Result<MisereQuotient, Error> {
        let search = self.settings.run(|limits| {
            let heaps =
                grundy_core::values::quotients::Heaps::new(vec![self.rules.clone()], largest);
            let mut search = Search::new(heaps);
            while search.repetition().is_none() && search.advance(limits)? {}
            Ok(search)
        });
        Ok(MisereQuotient::new(&search?))
    }
}

fn not_a_heap(text: &str) -> Error {
    Error::new(ErrorKind::Type, "not a one-heap family")
        .with_hint("write a family such as kayles(n) or take_and_break(\"0.137\", n)")
        .with_input(text)
}

/// Parses a family: a call with one free variable in place of a heap.
#[cfg(feature = "parse")]
impl std::str::FromStr for Family {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let term = grundy_notation::family(text)
            .map_err(|diagnostic| Error::from(diagnostic).with_input(text))?;
        Self::of_term(&term, text.to_owned()).ok_or_else(|| not_a_heap(text))
    }
}

/// Writes the text from which the family was parsed, or the position that it was obtained from.
impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Period {
    /// Returns n0, the least heap from which the values are periodic.
    ///
    /// # Examples
    /// See [`Family::period`].
    #[must_use]
    pub fn preperiod(&self) -> u64 {
        self.0.preperiod
    }

    /// Returns the least period p.
    ///
    /// # Examples
    /// See [`Family::period`].
    #[must_use]
    pub fn period(&self) -> u64 {
        self.0.period
    }

    /// Returns the saltus s: the amount that each period adds to the values.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!("all_but([2], n)".parse::<Family>()?.period()?.saltus(), 2);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn saltus(&self) -> u64 {
        self.0.saltus
    }

    /// Returns the name of the theorem that proves the period.
    ///
    /// # Examples
    /// See [`Family::period`].
    #[must_use]
    pub fn theorem(&self) -> &'static str {
        self.0.theorem.name()
    }
}
