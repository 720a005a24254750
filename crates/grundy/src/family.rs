//! Families of positions, their values and periods.

use std::fmt;
use std::ops::{Bound, RangeBounds};
use std::sync::Arc;
use std::time::Instant;

use grundy_core::algebra::NormalPlay;
use grundy_core::heap::{self, Sequence};
use grundy_core::position::AnyTerm;
use grundy_misere::quotient::Search;

#[cfg(feature = "parse")]
use crate::Place;
use crate::run::Settings;
use crate::{Error, ErrorKind, MisereQuotient, Position, Solver};

/// A sequence of positions for n = 0, 1, 2, ..., such as the heaps `kayles(n)`.
///
/// A family is parsed from text, obtained from a position with one heap by [`Family::of_heap`], or
/// given by a function. Its limits are those of a new [`Solver`](crate::Solver).
///
/// Every family of impartial positions has values. A period and a misère quotient exist for a
/// family of heaps, where n is the size of the only heap. They do not exist for games such as Nim,
/// whose values are given by a theorem.
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
    positions: Positions,
    text: String,
    settings: Settings,
}

/// Returns the position for each n.
type PositionOf = dyn Fn(u64) -> Result<Position, Error> + Send + Sync;

#[derive(Clone)]
enum Positions {
    /// The heaps 0, 1, 2, ... under these rules.
    Heaps(heap::HeapRules),
    /// Any other positions.
    Of(Arc<PositionOf>),
}

impl fmt::Debug for Positions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Heaps(rules) => rules.fmt(f),
            Self::Of(_) => f.write_str("Positions"),
        }
    }
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

    /// Returns the family of the positions that a function returns. The name is the text of the
    /// family.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// use grundy::games::Board;
    /// let strips = Family::from_fn("cram on a strip of n", |n| games::cram(Board::empty(1, n)));
    /// assert_eq!(strips.values(1..=8)?, [0, 1, 1, 2, 0, 3, 1, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn from_fn(
        name: impl Into<String>,
        position: impl Fn(u64) -> Result<Position, Error> + Send + Sync + 'static,
    ) -> Self {
        Self::new(Positions::Of(Arc::new(position)), name.into())
    }

    fn new(positions: Positions, text: String) -> Self {
        Self {
            positions,
            text,
            settings: Settings::default(),
        }
    }

    fn of_term(term: &Arc<dyn AnyTerm>, text: String) -> Option<Self> {
        let rules = term.heap_rules()?.0.clone();
        Some(Self::new(Positions::Heaps(rules), text))
    }

    /// Returns the rules of a family of heaps.
    fn rules(&self) -> Result<&heap::HeapRules, Error> {
        match &self.positions {
            Positions::Heaps(rules) => Ok(rules),
            Positions::Of(_) => Err(not_a_heap(&self.text)),
        }
    }

    /// Sets the limits of all computations to those of a solver, with its progress callback and its
    /// cancel handle.
    ///
    /// # Examples
    /// ```
    /// use std::time::Duration;
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

    /// Returns the Grundy values of the positions in a range of n.
    ///
    /// # Errors
    /// A range without an upper end, a number that has no position, a position without a Grundy
    /// value, or a limit that was reached.
    ///
    /// # Complexity
    /// For the first n heaps of a game whose moves leave at most k heaps: O(n²) if k is 1 or 2, and
    /// O(n³) if k is 3. It is O(1) for each value beyond a proved period. For other families, the
    /// time to solve each position.
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
        match &self.positions {
            Positions::Heaps(rules) => {
                let values = self.settings.run(|limits| {
                    let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
                    limits.check(end.saturating_sub(first), 8)?;
                    (first..end)
                        .map(|n| sequence.value(n, limits))
                        .collect::<Result<Vec<u64>, _>>()
                });
                Ok(values?)
            }
            Positions::Of(position) => {
                let begun = Instant::now();
                let mut solver = Solver::with_settings(self.settings.clone());
                let value = |n| {
                    // The time limit is that of all values together.
                    let elapsed = begun.elapsed();
                    let rest = self.settings.timeout;
                    solver.settings.timeout = rest.map(|timeout| timeout.saturating_sub(elapsed));
                    Ok(solver.grundy(&position(n)?)?.0)
                };
                (first..end).map(value).collect()
            }
        }
    }

    /// Returns the Grundy value of the position for n.
    ///
    /// # Errors
    /// As [`Family::values`].
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
        match &self.positions {
            Positions::Heaps(rules) => {
                let sequence = || Sequence::<NormalPlay>::new(rules.clone());
                Ok(self.settings.run(|limits| sequence().value(n, limits))?)
            }
            Positions::Of(position) => {
                let mut solver = Solver::with_settings(self.settings.clone());
                Ok(solver.grundy(&position(n)?)?.0)
            }
        }
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
    /// A family that does not consist of heaps, which is an error of kind
    /// [`ErrorKind::NotSupported`]. The values prove no period, which is an error of kind
    /// [`ErrorKind::Limit`], or a limit was reached.
    ///
    /// # Complexity
    /// The time of [`Family::values`], and a comparison for each possible period whenever the
    /// number of values has grown by a quarter.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// // No period of Grundy's Game is known.
    /// let error = "grundys_game(n)".parse::<Family>()?.period_within(2_000).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Limit);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn period_within(&self, max: u64) -> Result<Period, Error> {
        let rules = self.rules()?;
        let period = self.settings.run(|limits| {
            let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
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
    /// A family that does not consist of heaps, or a limit that was reached.
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
        let rules = self.rules()?;
        let search = self.settings.run(|limits| {
            let heaps = grundy_core::values::quotients::Heaps::new(vec![rules.clone()], largest);
            let mut search = Search::new(heaps);
            while search.repetition().is_none() && search.advance(limits)? {}
            Ok(search)
        });
        Ok(MisereQuotient::new(&search?))
    }
}

fn not_a_heap(text: &str) -> Error {
    let message =
        "the positions are not the heaps of a game whose values are computed heap by heap";
    Error::new(ErrorKind::NotSupported, message)
        .with_hint("use a family such as kayles(n) or take_and_break(\"0.137\", n)")
        .with_input(text)
}

/// Parses a family: an expression with one free variable.
#[cfg(feature = "parse")]
impl std::str::FromStr for Family {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let in_text = |error: Error| error.with_input(text);
        let wrong = |diagnostic| in_text(Error::from(diagnostic));
        if let Ok(term) = grundy_notation::family(text)
            && let Some(heaps) = Self::of_term(&term, text.to_owned())
        {
            return Ok(heaps);
        }
        let expression = grundy_notation::Expression::parse(text).map_err(wrong)?;
        let [variable] = &expression.variables()[..] else {
            let message = "a family must have one free variable";
            let error = Error::new(ErrorKind::Syntax, message).at(Place::Span(0..text.len()));
            return Err(in_text(error.with_hint("write a family such as kayles(n)")));
        };
        let (variable, input) = (variable.clone(), text.to_owned());
        let position = move |n| -> Result<Position, Error> {
            let position = expression.position_with(&[(&variable, n)], &grundy_notation::NoGames);
            let position = position.map_err(|wrong| Error::from(wrong).with_input(&input))?;
            Ok(Position::from(position))
        };
        // The text is evaluated once, to report mistakes that do not depend on n.
        if let Err(error) = position(1)
            && matches!(
                error.kind(),
                ErrorKind::Syntax | ErrorKind::Type | ErrorKind::UnknownName
            )
        {
            return Err(error);
        }
        Ok(Self::from_fn(text, position))
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
