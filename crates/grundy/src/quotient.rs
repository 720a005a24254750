//! Misère quotients of families of heaps.

use grundy_base::OutcomeClass as Outcome;
use grundy_core::values::quotients::Heaps;
use grundy_misere::quotient::{Monoid, Presentation, Repetition, Search};

/// The misère quotient of a family of heaps. It is a finite commutative monoid in which each heap
/// has an element. A sum of heaps is a P-position if and only if the product of their elements is a
/// P-element. Source: T. E. Plambeck, A. N. Siegel, Misère quotients for impartial games, 2008.
///
/// The quotient is proved by its transition algebra.
///
/// # Examples
/// ```
/// use grundy::prelude::*;
/// let quotient = "take_and_break(\"0.123\", n)".parse::<Family>()?.misere_quotient(None)?;
/// assert_eq!(quotient.order(), Some(20));
/// assert_eq!(quotient.outcome([3, 3]), Some(Outcome::P));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MisereQuotient {
    monoid: Monoid,
    /// The elements of the heaps 1, 2, 3, ...
    elements: Vec<u32>,
    repetition: Option<Repetition>,
}

impl MisereQuotient {
    pub(crate) fn new(search: &Search<Heaps>) -> Self {
        Self {
            monoid: search.monoid().clone(),
            elements: search.elements(),
            repetition: search.repetition(),
        }
    }

    /// Returns the number of elements of the quotient. It is always `Some`: a family whose quotient
    /// is not found has no `MisereQuotient`.
    ///
    /// # Examples
    /// See [`MisereQuotient`].
    #[must_use]
    pub fn order(&self) -> Option<usize> {
        Some(self.monoid.order())
    }

    /// Returns the number of P-elements.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let quotient = "kayles(n)".parse::<Family>()?.misere_quotient(Some(4))?;
    /// assert_eq!(quotient.p_order(), 2);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn p_order(&self) -> usize {
        self.monoid.p_portion().count_ones(..)
    }

    /// Returns the name of the monoid in the literature, such as `T_2` for a tame quotient or
    /// `R_8`.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let quotient = "kayles(n)".parse::<Family>()?.misere_quotient(Some(4))?;
    /// assert_eq!(quotient.name().as_deref(), Some("T_2"));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> Option<String> {
        self.monoid.name()
    }

    /// Returns the preperiod and the period of the elements of the heaps, if the quotient is that
    /// of all heaps.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let quotient = "kayles(n)".parse::<Family>()?.misere_quotient(None)?;
    /// assert_eq!(quotient.period(), Some((71, 12)));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn period(&self) -> Option<(u64, u64)> {
        let repetition = self.repetition?;
        Some((
            u64::from(repetition.preperiod) + 1,
            u64::from(repetition.period),
        ))
    }

    /// Returns the index of the element of the heap of n, from 0 for the identity. `None` if the
    /// quotient does not include this heap.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let quotient = "kayles(n)".parse::<Family>()?.misere_quotient(None)?;
    /// assert_eq!(quotient.element(0), Some(0));
    /// assert_eq!(quotient.element(1_000_000), quotient.element(1_000_012));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn element(&self, heap: u64) -> Option<u32> {
        let Some(mut index) = heap.checked_sub(1) else {
            return Some(0);
        };
        if let Some(Repetition { preperiod, period }) = self.repetition {
            let (preperiod, period) = (u64::from(preperiod), u64::from(period));
            if index >= preperiod + period {
                index = preperiod + (index - preperiod) % period;
            }
        }
        self.elements.get(usize::try_from(index).ok()?).copied()
    }

    /// Returns the outcome of a sum of heaps in misère play. `None` if the quotient does not
    /// include one of the heaps.
    ///
    /// # Complexity
    /// O(n) for n heaps.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let quotient = "kayles(n)".parse::<Family>()?.misere_quotient(None)?;
    /// assert_eq!(quotient.outcome([1]), Some(Outcome::P));
    /// assert_eq!(quotient.outcome([5, 5, 100]), Some(Outcome::N));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn outcome(&self, heaps: impl IntoIterator<Item = u64>) -> Option<Outcome> {
        let elements: Option<Vec<u32>> = heaps.into_iter().map(|heap| self.element(heap)).collect();
        let product = self.monoid.product(elements?);
        Some(if self.monoid.is_p(product) {
            Outcome::P
        } else {
            Outcome::N
        })
    }

    /// Returns a presentation of the monoid: generators and relations.
    ///
    /// # Complexity
    /// Polynomial in the order of the monoid.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let quotient = "kayles(n)".parse::<Family>()?.misere_quotient(Some(4))?;
    /// assert_eq!(quotient.presentation(), "<a,b | a^2 = 1, b^3 = b>");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn presentation(&self) -> String {
        Presentation::of(&self.monoid, self.elements.iter().copied()).to_string()
    }
}
