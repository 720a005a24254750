//! Dominated strategies, removed one after another, with what dominates each.
//!
//! Removing a strictly dominated strategy loses no optimal strategy. Removing a weakly dominated
//! one keeps the value, and may lose optimal strategies.

use std::cmp::Ordering;

use grundy_base::{Limits, Stop};
use num_rational::BigRational;
use num_traits::{One as _, Signed as _};

use crate::matrix::Matrix;
use crate::solve::solve;

/// What counts as dominated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dominance {
    /// Another strategy is better against everything.
    Strict,
    /// Another strategy is never worse and sometimes better.
    Weak,
    /// A mixture of others is better against everything.
    Mixed,
}

/// Whose strategy it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixPlayer {
    /// Wants large entries.
    Row,
    /// Wants small entries.
    Column,
}

/// One strategy removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// Whose.
    pub player: MatrixPlayer,
    /// Its index in the whole game, from 0.
    pub strategy: usize,
    /// What dominates it: strategies with their probabilities.
    pub by: Vec<(usize, BigRational)>,
    /// `true` if it is better against everything that is left, not only never worse.
    pub strict: bool,
}

/// What is left when no more strategy can be removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// What was removed, in order.
    pub removals: Vec<Removal>,
    /// The rows left.
    pub rows: Vec<usize>,
    /// The columns left.
    pub columns: Vec<usize>,
}

impl Reduction {
    /// Returns whether all removals were strict, so that no optimal strategy was lost.
    #[must_use]
    pub fn keeps_all_optimal(&self) -> bool {
        self.removals.iter().all(|removal| removal.strict)
    }
}

/// Removes dominated strategies as long as there are any: rows first, the first one found, then
/// columns, and again.
///
/// # Errors
/// A limit that was reached.
///
/// # Complexity
/// O((m + n) m n (m + n)) comparisons at worst; by mixtures, one game is solved for each strategy
/// and round.
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
    let exchanged = game.exchanged();
    let mut rows: Vec<usize> = (0..game.rows()).collect();
    let mut columns: Vec<usize> = (0..game.columns()).collect();
    let mut removals = Vec::new();
    loop {
        let before = removals.len();
        sweep(
            game,
            MatrixPlayer::Row,
            dominance,
            &mut rows,
            &columns,
            &mut removals,
            limits,
        )?;
        sweep(
            &exchanged,
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

/// Removes dominated rows until there is none against the columns that are left.
fn sweep(
    game: &Matrix,
    player: MatrixPlayer,
    dominance: Dominance,
    own: &mut Vec<usize>,
    other: &[usize],
    removals: &mut Vec<Removal>,
    limits: &Limits<'_>,
) -> Result<(), Stop> {
    let mut index = 0;
    while index < own.len() {
        limits.poll()?;
        match dominator(game, dominance, own, index, other, limits)? {
            Some((by, strict)) => {
                let strategy = own.remove(index);
                removals.push(Removal {
                    player,
                    strategy,
                    by,
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
    // A mixture is better against everything exactly when it wins something in the game of
    // differences.
    let others: Vec<usize> = own.iter().copied().filter(|&by| by != own[index]).collect();
    let differences = game.differences(own[index], &others, other);
    let solution = solve(&differences, limits)?;
    if !solution.value.is_positive() {
        return Ok(None);
    }
    let p = &solution.row_strategy;
    let by = p
        .support()
        .into_iter()
        .map(|k| (others[k], p.probability(k)))
        .collect();
    Ok(Some((by, true)))
}

/// Returns whether row `a` dominates row `b`: strictly, weakly or not at all. Equal rows do not.
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
