//! Pure strategies: the payoffs that each player can guarantee without mixing, and saddle points.

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::matrix::{Matrix, Numerators};

/// The guarantees of pure strategies, and the strategies that attain them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PureGuarantees {
    /// The largest row minimum. The row player can guarantee this amount with a single row.
    pub maximin: BigRational,
    /// The rows that guarantee the maximin, in increasing order.
    pub maximin_rows: Vec<usize>,
    /// The smallest column maximum. With a single column, the column player can limit the row
    /// player to this amount.
    pub minimax: BigRational,
    /// The columns that guarantee the minimax, in increasing order.
    pub minimax_columns: Vec<usize>,
}

impl PureGuarantees {
    /// Returns whether the game has a saddle point: an entry that is least in its row and greatest
    /// in its column.
    ///
    /// A saddle point exists if and only if maximin = minimax. In this case, the saddle points are
    /// the intersections of maximin rows and minimax columns.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::{Matrix, saddle};
    /// // In matching pennies, neither player can guarantee the value 0 without mixing.
    /// let pure = saddle::pure(&Matrix::from_integers(2, &[1, -1, -1, 1]));
    /// assert_eq!((pure.maximin.to_string(), pure.minimax.to_string()), ("-1".into(), "1".into()));
    /// assert!(!pure.has_saddle());
    /// ```
    ///
    /// # References
    /// J. von Neumann, O. Morgenstern, Theory of Games and Economic Behavior (1944), section 13.5.
    #[must_use]
    pub fn has_saddle(&self) -> bool {
        self.maximin == self.minimax
    }

    /// Returns all saddle points `[row, column]` in row-major order.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::{Matrix, saddle};
    /// let pure = saddle::pure(&Matrix::from_integers(3, &[1, 1, 2, 0, 1, 3]));
    /// assert_eq!(pure.saddle_points(), [[0, 0], [0, 1]]);
    /// ```
    #[must_use]
    pub fn saddle_points(&self) -> Vec<[usize; 2]> {
        if !self.has_saddle() {
            return Vec::new();
        }
        self.maximin_rows
            .iter()
            .flat_map(|&i| self.minimax_columns.iter().map(move |&j| [i, j]))
            .collect()
    }
}

/// Computes the guarantees of pure strategies in a game.
///
/// # Complexity
/// O(m n) comparisons of integers for m rows and n columns.
///
/// # Examples
/// ```
/// use grundy_matrix::{Matrix, saddle};
/// // Ferguson, Game Theory, part II, 2.1: row minima -3, 2, 0; column maxima 4, 2, 6.
/// let pure = saddle::pure(&Matrix::from_integers(3, &[4, 1, -3, 3, 2, 5, 0, 1, 6]));
/// assert_eq!(pure.saddle_points(), [[1, 1]]);
/// ```
#[must_use]
pub fn pure(game: &Matrix) -> PureGuarantees {
    match game.numerators() {
        Numerators::Words(words) => levels(game, words),
        Numerators::Long(long) => levels(game, long),
    }
}

fn levels<T: Ord + Clone + Into<BigInt>>(game: &Matrix, entries: &[T]) -> PureGuarantees {
    let n = game.columns();
    let minima: Vec<&T> = entries
        .chunks(n)
        .map(|row| row.iter().min().expect("a row has entries"))
        .collect();
    // The column maxima are updated row by row, so that entries are read in the order of memory.
    let mut maxima: Vec<&T> = entries[..n].iter().collect();
    for row in entries.chunks(n).skip(1) {
        for (most, entry) in maxima.iter_mut().zip(row) {
            if entry > *most {
                *most = entry;
            }
        }
    }
    let maximin = *minima.iter().max().expect("a matrix has rows");
    let minimax = *maxima.iter().min().expect("a matrix has columns");
    let indices =
        |levels: &[&T], level: &T| (0..levels.len()).filter(|&k| levels[k] == level).collect();
    let ratio = |level: &T| BigRational::new(level.clone().into(), game.denominator().clone());
    PureGuarantees {
        maximin: ratio(maximin),
        maximin_rows: indices(&minima, maximin),
        minimax: ratio(minimax),
        minimax_columns: indices(&maxima, minimax),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the saddle points according to their definition: entries that are least in their row
    /// and greatest in their column.
    fn by_definition(game: &Matrix) -> Vec<[usize; 2]> {
        let mut found = Vec::new();
        for i in 0..game.rows() {
            for j in 0..game.columns() {
                let entry = game.entry(i, j);
                if (0..game.columns()).all(|k| game.entry(i, k) >= entry)
                    && (0..game.rows()).all(|k| game.entry(k, j) <= entry)
                {
                    found.push([i, j]);
                }
            }
        }
        found
    }

    #[test]
    fn saddle_points_match_the_definition() {
        // All 2 by 3 games with entries 0, 1, 2.
        for code in 0..729_i64 {
            let entries: Vec<i64> = (0..6).map(|k| code / 3_i64.pow(k) % 3).collect();
            let game = Matrix::from_integers(3, &entries);
            assert_eq!(
                pure(&game).saddle_points(),
                by_definition(&game),
                "{entries:?}"
            );
        }
    }
}
