//! All extreme optimal strategies of a small game by brute force over all square kernels.
//!
//! Theorem (L. S. Shapley, R. N. Snow, Basic solutions of discrete games, Contributions to the
//! Theory of Games I (1950), 27-35): suppose that the value is not 0. Optimal strategies x and y
//! are both extreme if and only if a nonsingular square submatrix M yields them. On the rows and
//! columns of M, they are y = M⁻¹ 1 / s and x = M⁻ᵀ 1 / s. Here s is the sum of all entries of M⁻¹.
//! All other weights are 0.

use std::collections::BTreeSet;

use grundy_matrix::{BigRational, Matrix};
use num_traits::{One as _, Signed as _, Zero as _};

pub(crate) struct Answer {
    pub(crate) value: BigRational,
    pub(crate) rows: BTreeSet<Vec<BigRational>>,
    pub(crate) columns: BTreeSet<Vec<BigRational>>,
}

pub(crate) fn by_kernels(game: &Matrix) -> Answer {
    let (m, n) = (game.rows(), game.columns());
    // All entries become at least 1, so the value is positive and the theorem applies.
    let least = (0..m)
        .flat_map(|i| (0..n).map(move |j| game.entry(i, j)))
        .min()
        .unwrap();
    let raise = BigRational::one() - least;
    let a: Vec<Vec<BigRational>> = (0..m)
        .map(|i| (0..n).map(|j| game.entry(i, j) + &raise).collect())
        .collect();
    let mut answer: Option<Answer> = None;
    for rows in subsets(m) {
        for columns in subsets(n).filter(|columns| columns.len() == rows.len()) {
            let kernel = |transposed: bool| -> Vec<Vec<BigRational>> {
                let k = rows.len();
                let at = |i: usize, j: usize| {
                    if transposed {
                        &a[rows[j]][columns[i]]
                    } else {
                        &a[rows[i]][columns[j]]
                    }
                };
                (0..k)
                    .map(|i| {
                        (0..k)
                            .map(|j| at(i, j).clone())
                            .chain([BigRational::one()])
                            .collect()
                    })
                    .collect()
            };
            let (Some(y), Some(x)) = (solution(kernel(false)), solution(kernel(true))) else {
                continue;
            };
            let sum: BigRational = y.iter().sum();
            if !sum.is_positive() {
                continue;
            }
            let spread = |count: usize, choices: &[usize], weights: &[BigRational]| {
                let mut all = vec![BigRational::zero(); count];
                for (&choice, weight) in choices.iter().zip(weights) {
                    all[choice] = weight / &sum;
                }
                all
            };
            let (p, q) = (spread(m, &rows, &x), spread(n, &columns, &y));
            let value = sum.recip();
            let fair = p.iter().chain(&q).all(|w| !w.is_negative())
                && (0..n).all(|j| (0..m).map(|i| &a[i][j] * &p[i]).sum::<BigRational>() >= value)
                && (0..m).all(|i| (0..n).map(|j| &a[i][j] * &q[j]).sum::<BigRational>() <= value);
            if fair {
                let value = value - &raise;
                let answer = answer.get_or_insert_with(|| Answer {
                    value: value.clone(),
                    rows: BTreeSet::new(),
                    columns: BTreeSet::new(),
                });
                assert_eq!(answer.value, value, "a game has one value");
                answer.rows.insert(p);
                answer.columns.insert(q);
            }
        }
    }
    answer.expect("every game has a kernel")
}

fn subsets(count: usize) -> impl Iterator<Item = Vec<usize>> {
    (1_u32..1 << count).map(move |bits| (0..count).filter(|k| bits >> k & 1 == 1).collect())
}

/// Solves a square system by Gauss-Jordan elimination over the rationals. The right-hand side is
/// the last column.
fn solution(mut rows: Vec<Vec<BigRational>>) -> Option<Vec<BigRational>> {
    let k = rows.len();
    for c in 0..k {
        let found = (c..k).find(|&r| !rows[r][c].is_zero())?;
        rows.swap(c, found);
        let pivot = rows[c][c].recip();
        rows[c].iter_mut().for_each(|x| *x *= &pivot);
        for r in (0..k).filter(|&r| r != c) {
            let factor = rows[r][c].clone();
            if !factor.is_zero() {
                let by = rows[c].clone();
                rows[r]
                    .iter_mut()
                    .zip(&by)
                    .for_each(|(x, b)| *x -= &factor * b);
            }
        }
    }
    Some(rows.into_iter().map(|mut row| row.pop().unwrap()).collect())
}
