//! Dominance: every eliminated strategy is dominated, the value is preserved, and strict
//! elimination loses no optimal strategy.

use crate::families::{FAMILIES, Random, game};
use grundy_base::Limits;
use grundy_matrix::dominance::{Dominance, MatrixPlayer, Reduction, reduce};
use grundy_matrix::{BigRational, Matrix, face, solve};

/// Replays the removals and checks each by the definition against the strategies that remain at
/// that time.
fn replay(game: &Matrix, reduction: &Reduction) {
    let mut rows: Vec<usize> = (0..game.rows()).collect();
    let mut columns: Vec<usize> = (0..game.columns()).collect();
    for removal in &reduction.removals {
        let wins = |k: usize, other: usize| match removal.player {
            MatrixPlayer::Row => game.entry(k, other),
            MatrixPlayer::Column => -game.entry(other, k),
        };
        let (own, others) = match removal.player {
            MatrixPlayer::Row => (&mut rows, &columns),
            MatrixPlayer::Column => (&mut columns, &rows),
        };
        let total: BigRational = removal.mixture.iter().map(|(_, p)| p).sum();
        assert_eq!(total.to_string(), "1");
        assert!(removal.mixture.iter().all(|(k, p)| {
            own.contains(k) && *k != removal.strategy && *p > BigRational::default()
        }));
        let gains: Vec<BigRational> = others
            .iter()
            .map(|&other| {
                let mixture: BigRational = removal
                    .mixture
                    .iter()
                    .map(|(k, p)| wins(*k, other) * p)
                    .sum();
                mixture - wins(removal.strategy, other)
            })
            .collect();
        let zero = BigRational::default();
        assert!(gains.iter().all(|gain| *gain >= zero) && gains.iter().any(|gain| *gain > zero));
        assert_eq!(removal.strict, gains.iter().all(|gain| *gain > zero));
        own.retain(|&k| k != removal.strategy);
    }
    assert_eq!((&rows, &columns), (&reduction.rows, &reduction.columns));
}

#[test]
fn every_removal_is_a_dominated_strategy() {
    let limits = Limits::default();
    let mut random = Random(362_436_069);
    let mut removed = [0; 3];
    for family in FAMILIES {
        for _ in 0..60 {
            let game = game(family, 6, &mut random);
            let solution = solve(&game, &limits).unwrap();
            let rows = face::of_rows(&game, &solution, 1000, &limits).unwrap();
            let columns = face::of_columns(&game, &solution, 1000, &limits).unwrap();
            for (kind, dominance) in [Dominance::Strict, Dominance::Weak, Dominance::Mixed]
                .into_iter()
                .enumerate()
            {
                let reduction = reduce(&game, dominance, &limits).unwrap();
                replay(&game, &reduction);
                removed[kind] += reduction.removals.len();
                let left = game.restricted(&reduction.rows, &reduction.columns);
                assert_eq!(solve(&left, &limits).unwrap().value, solution.value);
                // A strictly dominated strategy has probability 0 in every optimal strategy.
                if dominance != Dominance::Weak {
                    assert!(reduction.keeps_all_optimal());
                    for strategy in &rows.strategies {
                        assert!(
                            strategy
                                .support()
                                .iter()
                                .all(|k| reduction.rows.contains(k))
                        );
                    }
                    for strategy in &columns.strategies {
                        assert!(
                            strategy
                                .support()
                                .iter()
                                .all(|k| reduction.columns.contains(k))
                        );
                    }
                }
            }
        }
    }
    let [strict, weak, mixed] = removed;
    assert!(0 < strict && strict < weak && strict < mixed, "{removed:?}");
}

#[test]
fn weak_dominance_can_lose_an_optimal_strategy() {
    // Both rows guarantee 1, and the second is weakly dominated.
    let game = Matrix::from_integers(2, &[1, 2, 1, 1]);
    let reduction = reduce(&game, Dominance::Weak, &Limits::default()).unwrap();
    assert!(!reduction.keeps_all_optimal());
    assert_eq!(reduction.rows, [0]);
    let solution = solve(&game, &Limits::default()).unwrap();
    let rows = face::of_rows(&game, &solution, 10, &Limits::default()).unwrap();
    assert_eq!(rows.strategies.len(), 2);
}
