//! Matrix games in exact arithmetic.

use grundy_base::Limits;
use grundy_matrix::{BigRational, MatrixSolution, Mixed, Number};

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

impl Matrix {
    /// Creates a game from its rows. Entries are `i32`, `i64` or `BigRational`.
    ///
    /// # Errors
    /// No entries, rows of different lengths, more than 20,000 rows or columns, more than 4 million
    /// entries, or fractions whose common denominator is too long.
    ///
    /// # Complexity
    /// O(m n) for m rows and n columns, plus the arithmetic for the common denominator.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let error = Matrix::from_rows([vec![1, 0], vec![2]]).unwrap_err();
    /// assert_eq!(error.message(), "row 1, counted from 0, has 1 entries, but row 0 has 2");
    /// ```
    pub fn from_rows<R>(rows: impl IntoIterator<Item = R>) -> Result<Self, Error>
    where
        R: IntoIterator,
        R::Item: Into<Number>,
    {
        let (mut entries, mut columns, mut count) = (Vec::new(), 0, 0);
        for (index, row) in rows.into_iter().enumerate() {
            let before = entries.len();
            entries.extend(row.into_iter().map(Into::into));
            let length = entries.len() - before;
            if index == 0 {
                columns = length;
            } else if length != columns {
                let message = format!(
                    "row {index}, counted from 0, has {length} entries, but row 0 has {columns}"
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
