//! The check that a game is zero-sum or constant-sum: the two payoffs have the same sum everywhere.

use num_rational::BigRational;

/// Largest number of characters of a sum in an error message.
const MAX_SHOWN: usize = 40;

/// The common sum of the payoffs of two players, and the place where it was found first.
///
/// # Examples
/// ```
/// use grundy_matrix::{BigRational, read::total::CommonTotal};
/// let number = |n: i32| BigRational::from_integer(n.into());
/// let mut total = CommonTotal::default();
/// assert!(total.add(number(2), || "row 0").is_ok());
/// assert!(total.add(number(2), || "row 1").is_ok());
/// let difference = total.add(number(3), || "row 2").unwrap_err();
/// assert_eq!((difference.common_text(), *difference.place), ("2".to_owned(), "row 0"));
/// assert_eq!(total.into_total(), number(2));
/// ```
#[derive(Clone, Debug)]
pub struct CommonTotal<P>(Option<(BigRational, P)>);

/// A sum of payoffs that differs from the first one.
#[derive(Clone, Debug)]
pub struct Difference<'a, P> {
    /// The sum that was found first.
    pub common: &'a BigRational,
    /// The place where the sum `common` was found.
    pub place: &'a P,
    /// The sum that differs from `common`.
    pub total: BigRational,
}

impl<P> Default for CommonTotal<P> {
    fn default() -> Self {
        Self(None)
    }
}

impl<P> CommonTotal<P> {
    /// Compares the sum of two payoffs with the first sum. `place` returns the place of the
    /// payoffs; it is called for the first sum only.
    ///
    /// # Errors
    /// Both sums, if they differ.
    pub fn add(
        &mut self,
        total: BigRational,
        place: impl FnOnce() -> P,
    ) -> Result<(), Difference<'_, P>> {
        let (common, place) = self.0.get_or_insert_with(|| (total.clone(), place()));
        if *common == total {
            return Ok(());
        }
        Err(Difference {
            common,
            place,
            total,
        })
    }

    /// Returns the common sum, or 0 if there were no payoffs.
    #[must_use]
    pub fn into_total(self) -> BigRational {
        self.0.map(|(total, _)| total).unwrap_or_default()
    }
}

impl<P> Difference<'_, P> {
    /// Returns the sum that differs, shortened for an error message.
    #[must_use]
    pub fn total_text(&self) -> String {
        brief(&self.total.to_string(), MAX_SHOWN)
    }

    /// Returns the first sum, shortened for an error message.
    #[must_use]
    pub fn common_text(&self) -> String {
        brief(&self.common.to_string(), MAX_SHOWN)
    }
}

/// Returns the first `most` characters of a text, with dots in place of the rest.
///
/// # Examples
/// ```
/// use grundy_matrix::read::total::brief;
/// assert_eq!((brief("up", 3), brief("down", 3)), ("up".to_owned(), "dow...".to_owned()));
/// ```
#[must_use]
pub fn brief(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
