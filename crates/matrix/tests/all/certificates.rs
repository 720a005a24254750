//! Forged certificates are rejected: every change invalidates one of the claims.

use crate::families::{FAMILIES, Random, game};
use grundy_base::Limits;
use grundy_matrix::certificate::{CertificateError, MatrixCertificate, Side, verify};
use grundy_matrix::{BigInt, BigRational, Matrix, solve};

fn certificate(game: &Matrix) -> MatrixCertificate {
    let solution = solve(game, &Limits::default()).unwrap();
    let (p, q) = (&solution.row_strategy, &solution.column_strategy);
    MatrixCertificate {
        matrix: (0..game.rows())
            .map(|i| (0..game.columns()).map(|j| game.entry(i, j)).collect())
            .collect(),
        value: solution.value.clone(),
        row_strategy: (0..p.choices()).map(|k| p.probability(k)).collect(),
        col_strategy: (0..q.choices()).map(|k| q.probability(k)).collect(),
    }
}

#[test]
fn tampered_certificates_are_refused() {
    let mut random = Random(521_288_629);
    // Far below the precision of floating point, so that only an exact verifier notices the change.
    let tiny = BigRational::new(1.into(), BigInt::from(10).pow(80));
    for family in FAMILIES {
        for _ in 0..20 {
            let good = certificate(&game(family, 8, &mut random));
            verify(&good).unwrap();
            let forge = |change: &dyn Fn(&mut MatrixCertificate)| {
                let mut forged = good.clone();
                change(&mut forged);
                verify(&forged).expect_err("forged")
            };
            assert!(matches!(
                forge(&|c| c.value += &tiny),
                CertificateError::PaysLess(_)
            ));
            assert!(matches!(
                forge(&|c| c.value -= &tiny),
                CertificateError::WinsMore(_)
            ));
            assert_eq!(
                forge(&|c| c.row_strategy[0] += &tiny),
                CertificateError::NotOne(Side::Row)
            );
            assert_eq!(
                forge(&|c| c.row_strategy.push(BigRational::default())),
                CertificateError::Length(Side::Row)
            );
            assert_eq!(
                forge(&|c| drop(c.col_strategy.pop())),
                CertificateError::Length(Side::Column)
            );
            assert_eq!(
                forge(&|c| c.matrix[0].push(tiny.clone())),
                if good.matrix.len() == 1 {
                    // With only one row the matrix is still a rectangle, but the new column has no
                    // probability.
                    CertificateError::Length(Side::Column)
                } else {
                    CertificateError::Shape
                }
            );
            assert_eq!(forge(&|c| c.matrix.clear()), CertificateError::Shape);
            // The whole matrix is raised a little, so that every row wins more than the claimed
            // value.
            let moved = forge(&|c| c.matrix.iter_mut().flatten().for_each(|x| *x += &tiny));
            assert!(matches!(moved, CertificateError::WinsMore(_)));
            if good.col_strategy.len() > 1 {
                let shifted = forge(&|c| {
                    c.col_strategy[0] += BigRational::from_integer(1.into());
                    c.col_strategy[1] -= BigRational::from_integer(1.into()) + &tiny;
                    c.col_strategy[0] += &tiny;
                });
                let negative = matches!(shifted, CertificateError::Negative(Side::Column, 1));
                assert!(negative, "{shifted}");
            }
        }
    }
}

/// Checks that moving a little weight between two rows of a unique optimal strategy is detected.
#[test]
fn almost_optimal_strategies_are_rejected() {
    let good = certificate(&Matrix::from_integers(2, &[-2, 3, 3, -4]));
    let tiny = BigRational::new(1.into(), BigInt::from(10).pow(100));
    let mut forged = good.clone();
    forged.row_strategy[0] += &tiny;
    forged.row_strategy[1] -= &tiny;
    assert!(matches!(
        verify(&forged),
        Err(CertificateError::PaysLess(_))
    ));
    let mut forged = good;
    forged.col_strategy[0] -= &tiny;
    forged.col_strategy[1] += &tiny;
    assert!(matches!(
        verify(&forged),
        Err(CertificateError::WinsMore(_))
    ));
}
