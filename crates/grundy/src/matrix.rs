//! Matrix games in exact arithmetic.

use grundy_base::Limits;
use grundy_matrix::{BigInt, BigRational, MatrixSolution, Mixed, Number};

use crate::{Error, ErrorKind, Place, Solver};

/// A two-person zero-sum game in strategic form. The row player chooses a row, and at the same time
/// the column player chooses a column. The entry is the amount that the column player pays to the
/// row player. Entries are rational numbers of any size.
///
/// # Examples
/// ```
/// use grundy::prelude::*;
/// let game = Matrix::from_rows([[1, 0], [0, 2]])?;
/// assert_eq!(game.solve()?.value().to_string(), "2/3");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix(grundy_matrix::Matrix);

/// An entry of a matrix: an integer, a fraction as a pair `(1, 2)` or as a text `"1/2"`, or a
/// [`BigRational`].
///
/// # Examples
/// ```
/// use grundy::prelude::*;
/// let pairs = Matrix::from_rows([[(1, 2), (0, 1)], [(0, 1), (1, 3)]])?;
/// let texts = Matrix::from_rows([["1/2", "0"], ["0", "1/3"]])?;
/// assert_eq!(pairs, texts);
/// assert_eq!(pairs.solve()?.value().to_string(), "1/5");
/// # Ok::<(), Error>(())
/// ```
pub trait Entry {
    /// Returns the number.
    ///
    /// # Errors
    /// A fraction with denominator 0, or a text that is not a number.
    fn number(self) -> Result<Number, Error>;
}

/// Implements [`Entry`] for the types that [`Number`] can be made from.
macro_rules! entries {
    ($($number:ty),*) => { $(
        impl Entry for $number {
            fn number(self) -> Result<Number, Error> {
                Ok(self.into())
            }
        }

        impl Entry for &$number {
            fn number(self) -> Result<Number, Error> {
                Ok(self.clone().into())
            }
        }
    )* };
}

entries!(i32, i64, BigRational);

impl Entry for (i64, i64) {
    fn number(self) -> Result<Number, Error> {
        fraction(self.0.into(), self.1.into())
    }
}

impl Entry for &str {
    fn number(self) -> Result<Number, Error> {
        let (numerator, denominator) = self.split_once('/').unwrap_or((self, "1"));
        let integer = |text: &str| text.trim().parse::<BigInt>();
        if let (Ok(numerator), Ok(denominator)) = (integer(numerator), integer(denominator)) {
            return fraction(numerator, denominator);
        }
        let error = Error::new(ErrorKind::Syntax, "this is not an integer or a fraction");
        Err(error.with_hint("write 3, -3 or 1/2").with_input(self))
    }
}

impl Entry for String {
    fn number(self) -> Result<Number, Error> {
        self.as_str().number()
    }
}

impl Entry for &String {
    fn number(self) -> Result<Number, Error> {
        self.as_str().number()
    }
}

fn fraction(numerator: BigInt, denominator: BigInt) -> Result<Number, Error> {
    if denominator == BigInt::ZERO {
        return Err(Error::new(ErrorKind::Range, "a denominator is 0"));
    }
    Ok(BigRational::new(numerator, denominator).into())
}

impl Matrix {
    /// Creates a game from its rows. An [`Entry`] is an integer, a pair `(1, 2)`, a text `"1/2"` or
    /// a `BigRational`.
    ///
    /// # Errors
    /// An entry that is not a number, no entries, or rows of different lengths. More than 20,000
    /// rows or columns, more than 4 million entries, or fractions whose common denominator is too
    /// long.
    ///
    /// # Complexity
    /// O(m n) for m rows and n columns, plus the arithmetic for the common denominator.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let error = Matrix::from_rows([vec![1, 0], vec![2]]).unwrap_err();
    /// assert_eq!(error.message(), "the length of row 1 is 1, and that of row 0 is 2");
    /// ```
    pub fn from_rows<R>(rows: impl IntoIterator<Item = R>) -> Result<Self, Error>
    where
        R: IntoIterator,
        R::Item: Entry,
    {
        let (mut entries, mut columns, mut count) = (Vec::new(), 0, 0);
        for (index, row) in rows.into_iter().enumerate() {
            let before = entries.len();
            for entry in row {
                let column = entries.len() - before;
                let place = || Place::Argument(vec![index, column]);
                entries.push(entry.number().map_err(|error| error.at(place()))?);
            }
            let length = entries.len() - before;
            if index == 0 {
                columns = length;
            } else if length != columns {
                let message = format!(
                    "the length of row {index} is {length}, and that of row 0 is {columns}"
                );
                return Err(Error::new(ErrorKind::Type, message).at(Place::Argument(vec![index])));
            }
            count += 1;
            let too_large = count > grundy_matrix::MAX_STRATEGIES
                || columns > grundy_matrix::MAX_STRATEGIES
                || entries.len() > grundy_matrix::MAX_ENTRIES;
            if too_large {
                return Err(Error::new(ErrorKind::Range, "the matrix is too large"));
            }
        }
        if entries.is_empty() {
            return Err(Error::new(
                ErrorKind::Type,
                "a matrix needs at least one entry",
            ));
        }
        Ok(Self(grundy_matrix::Matrix::new(columns, &entries)?))
    }

    /// Returns the numbers of rows and columns.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(Matrix::from_rows([[1, 0, 3]])?.size(), (1, 3));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.0.rows(), self.0.columns())
    }

    /// Solves the game: its value, and an optimal strategy of each player.
    ///
    /// # Errors
    /// More than 4 GiB of memory would be needed.
    ///
    /// # Complexity
    /// O((m + n) m n) machine operations on average for m rows and n columns, plus O(k³) operations
    /// on long numbers for strategies with k choices.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let solution = Matrix::from_rows([[-2, 3], [3, -4]])?.solve()?;
    /// assert_eq!(solution.value().to_string(), "1/12");
    /// assert_eq!(solution.row_strategy().probability(0).to_string(), "7/12");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn solve(&self) -> Result<Solution, Error> {
        Ok(Solution(grundy_matrix::solve(&self.0, &Limits::default())?))
    }

    /// Solves the game within the limits of a solver.
    ///
    /// # Errors
    /// A limit that was reached.
    ///
    /// # Complexity
    /// As [`Matrix::solve`].
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let solver = Solver::new().timeout(std::time::Duration::from_secs(10));
    /// let solution = Matrix::from_rows([[1, 0], [0, 2]])?.solve_with(&solver)?;
    /// assert_eq!(solution.value().to_string(), "2/3");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn solve_with(&self, solver: &Solver) -> Result<Solution, Error> {
        let solution = solver
            .settings
            .run(|limits| grundy_matrix::solve(&self.0, limits))?;
        Ok(Solution(solution))
    }
}

/// The solution of a [`Matrix`].
///
/// # Examples
/// See [`Matrix::solve`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution(MatrixSolution);

impl Solution {
    /// Returns the value of the game, which is the amount that the row player can guarantee on
    /// average. The column player can limit the row player to this amount (J. von Neumann, Zur
    /// Theorie der Gesellschaftsspiele, 1928).
    ///
    /// # Examples
    /// See [`Matrix::solve`].
    #[must_use]
    pub fn value(&self) -> &BigRational {
        &self.0.value
    }

    /// Returns an optimal strategy of the row player.
    ///
    /// # Examples
    /// See [`Matrix::solve`].
    #[must_use]
    pub fn row_strategy(&self) -> &Mixed {
        &self.0.row_strategy
    }

    /// Returns an optimal strategy of the column player.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let solution = Matrix::from_rows([[1, 0], [0, 2]])?.solve()?;
    /// assert_eq!(solution.column_strategy().probability(1).to_string(), "1/3");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn column_strategy(&self) -> &Mixed {
        &self.0.column_strategy
    }

    /// Returns whether the game has a saddle point, so that pure strategies are optimal.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert!(Matrix::from_rows([[1, 2], [0, 3]])?.solve()?.has_saddle_point());
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn has_saddle_point(&self) -> bool {
        self.0.pure.has_saddle()
    }
}
