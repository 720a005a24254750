//! Iterated elimination of dominated strategies. Each step records the dominating strategy.
//!
//! If strictly dominated strategies are eliminated, no optimal strategy is lost. If weakly
//! dominated ones are eliminated, the value is preserved, but optimal strategies may be lost.

use std::cmp::Ordering;

use grundy_base::{Limits, Stop};
use num_rational::BigRational;
use num_traits::{One as _, Signed as _};

use crate::matrix::Matrix;
use crate::solve::solve;

/// The kind of dominance for which strategies are eliminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dominance {
    /// Another pure strategy is better against every strategy of the opponent.
    Strict,
    /// Another pure strategy is never worse and sometimes better.
    Weak,
    /// A mixture of other strategies is better against every strategy of the opponent.
    Mixed,
}

/// The player to whom a strategy belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixPlayer {
    /// The row player, who prefers large entries.
    Row,
    /// The column player, who prefers small entries.
    Column,
}

/// One eliminated strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// The player to whom the strategy belongs.
    pub player: MatrixPlayer,
    /// The index of the strategy in the original game, counted from 0.
    pub strategy: usize,
    /// The dominating mixture, as strategies with their probabilities.
    pub mixture: Vec<(usize, BigRational)>,
    /// `true` if the mixture is strictly better against every remaining strategy of the opponent.
    /// `false` if it is better against some and equal against the others.
    pub strict: bool,
}

/// The result of an elimination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The eliminated strategies, in the order of elimination.
    pub removals: Vec<Removal>,
    /// The rows that are left.
    pub rows: Vec<usize>,
    /// The columns that are left.
    pub columns: Vec<usize>,
}

impl Reduction {
    /// Returns whether all removals were strict, so that no optimal strategy was lost.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::{Matrix, dominance::{Dominance, reduce}};
    /// let limits = grundy_base::Limits::default();
    /// // Row 1 is as good as row 0 against column 0, and worse against column 1.
    /// let game = Matrix::from_integers(2, &[1, 2, 1, 0]);
    /// let weak = reduce(&game, Dominance::Weak, &limits).unwrap();
    /// assert_eq!((weak.rows.as_slice(), weak.keeps_all_optimal()), (&[0][..], false));
    /// let strict = reduce(&game, Dominance::Strict, &limits).unwrap();
    /// assert_eq!((strict.rows.as_slice(), strict.keeps_all_optimal()), (&[0, 1][..], true));
    /// ```
    #[must_use]
    pub fn keeps_all_optimal(&self) -> bool {
        self.removals.iter().all(|removal| removal.strict)
    }
}

/// Eliminates dominated strategies until no strategy is dominated. Passes over all rows and passes
/// over all columns alternate.
///
/// # Errors
/// A limit that was reached.
///
/// # Complexity
/// O((m + n) m n (m + n)) comparisons in the worst case. With dominance by mixtures, one game is
/// solved for each strategy in each pass.
///
/// # Examples
/// ```
/// use grundy_matrix::{Matrix, dominance::{Dominance, reduce}};
/// // Ferguson, Game Theory, part II, 2.3.
/// let game = Matrix::from_integers(3, &[2, 0, 4, 1, 2, 3, 4, 1, 2]);
/// let left = reduce(&game, Dominance::Mixed, &grundy_base::Limits::default()).unwrap();
/// assert_eq!((left.rows, left.columns), (vec![1, 2], vec![0, 1]));
/// ```
pub fn reduce(game: &Matrix, dominance: Dominance, limits: &Limits<'_>) -> Result<Reduction, Stop> {
    let opponents_game = game.negated_transpose();
    let mut rows: Vec<usize> = (0..game.rows()).collect();
    let mut columns: Vec<usize> = (0..game.columns()).collect();
    let mut removals = Vec::new();
    loop {
        let before = removals.len();
        eliminate_once(
            game,
            MatrixPlayer::Row,
            dominance,
            &mut rows,
            &columns,
            &mut removals,
            limits,
        )?;
        eliminate_once(
            &opponents_game,
            MatrixPlayer::Column,
            dominance,
            &mut columns,
            &rows,
            &mut removals,
            limits,
        )?;
        if removals.len() == before {
            return Ok(Reduction {
                removals,
                rows,
                columns,
            });
        }
    }
}

/// Makes one pass over `own`, the remaining strategies of `player`, and eliminates the dominated
/// ones. They are compared only on `other`, the remaining strategies of the opponent. Strategies of
/// `player` are the rows of `game`.
fn eliminate_once(
    game: &Matrix,
    player: MatrixPlayer,
    dominance: Dominance,
    own: &mut Vec<usize>,
    other: &[usize],
    removals: &mut Vec<Removal>,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    let mut index = 0;
    // One pass suffices. Whether a row dominates another one depends only on the columns, so the
    // removal of a row does not make an earlier row dominated.
    while index < own.len() {
        limits.poll()?;
        match dominator(game, dominance, own, index, other, limits)? {
            Some((mixture, strict)) => {
                let strategy = own.remove(index);
                removals.push(Removal {
                    player,
                    strategy,
                    mixture,
                    strict,
                });
            }
            None => index += 1,
        }
    }
    Ok(())
}

type Dominator = (Vec<(usize, BigRational)>, bool);

fn dominator(
    game: &Matrix,
    dominance: Dominance,
    own: &[usize],
    index: usize,
    other: &[usize],
    limits: &Limits<'_>,
) -> Result<Option<Dominator>, Stop> {
    // A strictly dominating row is preferred to a weakly dominating one, since it shows that no
    // optimal strategy is lost.
    let mut weak = None;
    for &by in own.iter().filter(|&&by| by != own[index]) {
        match compare(game, by, own[index], other) {
            Some(true) => return Ok(Some((vec![(by, BigRational::one())], true))),
            Some(false) => weak = weak.or(Some(by)),
            None => {}
        }
    }
    if dominance == Dominance::Weak {
        return Ok(weak.map(|by| (vec![(by, BigRational::one())], false)));
    }
    if dominance == Dominance::Strict || own.len() < 3 {
        return Ok(None);
    }
    // There is a mixture that is strictly better against every column if and only if the game of
    // the differences has a positive value.
    let others: Vec<usize> = own.iter().copied().filter(|&by| by != own[index]).collect();
    let differences = game.differences(own[index], &others, other);
    let solution = solve(&differences, limits)?;
    if !solution.value.is_positive() {
        return Ok(None);
    }
    let p = &solution.row_strategy;
    let mixture = p
        .support()
        .into_iter()
        .map(|k| (others[k], p.probability(k)))
        .collect();
    Ok(Some((mixture, true)))
}

/// Returns `Some(true)` if row `a` strictly dominates row `b` on the given columns, and
/// `Some(false)` if it only dominates row `b` weakly. Otherwise returns `None`. Equal rows do not
/// dominate each other.
fn compare(game: &Matrix, a: usize, b: usize, columns: &[usize]) -> Option<bool> {
    let (mut strict, mut better) = (true, false);
    for &j in columns {
        match game.compare((a, j), (b, j)) {
            Ordering::Less => return None,
            Ordering::Equal => strict = false,
            Ordering::Greater => better = true,
        }
    }
    better.then_some(strict)
}
