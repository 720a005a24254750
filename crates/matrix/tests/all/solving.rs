//! Values and strategies, compared with published games, an independent verifier and brute force
//! over all kernels.

use std::collections::BTreeSet;

use crate::families::{FAMILIES, Random, game};
use grundy_base::Limits;
use grundy_matrix::certificate::{MatrixCertificate, verify};
use grundy_matrix::face::{self, ExtremeStrategies};
use grundy_matrix::{
    BigRational, Matrix, MatrixSolution, Mixed, Number, SolvedBy, read::number::number, solve,
};

fn ratio(text: &str) -> BigRational {
    match number(text).unwrap() {
        Number::Small(small) => BigRational::from_integer(small.into()),
        Number::Ratio(ratio) => *ratio,
    }
}

fn probabilities(strategy: &Mixed) -> Vec<BigRational> {
    (0..strategy.choices())
        .map(|k| strategy.probability(k))
        .collect()
}

fn certificate(game: &Matrix, solution: &MatrixSolution) -> MatrixCertificate {
    MatrixCertificate {
        matrix: (0..game.rows())
            .map(|i| (0..game.columns()).map(|j| game.entry(i, j)).collect())
            .collect(),
        value: solution.value.clone(),
        row_strategy: probabilities(&solution.row_strategy),
        col_strategy: probabilities(&solution.column_strategy),
    }
}

fn solved(game: &Matrix) -> MatrixSolution {
    let solution = solve(game, &Limits::default()).unwrap();
    verify(&certificate(game, &solution)).unwrap_or_else(|forged| panic!("{game:?}: {forged}"));
    solution
}

fn set(extreme: &ExtremeStrategies) -> BTreeSet<Vec<BigRational>> {
    assert!(extreme.complete);
    let set: BTreeSet<_> = extreme.strategies.iter().map(probabilities).collect();
    assert_eq!(
        set.len(),
        extreme.strategies.len(),
        "no strategy is listed twice"
    );
    set
}

#[test]
fn published_games() {
    let limits = Limits::default();
    for line in include_str!("../../../../testdata/matrix-games.tsv")
        .lines()
        .skip(1)
    {
        let fields: Vec<&str> = line.split('\t').collect();
        let name = fields[0];
        let rows: Vec<&str> = fields[2].split(';').collect();
        let entries: Vec<Number> = rows
            .iter()
            .flat_map(|row| row.split(','))
            .map(|entry| number(entry).unwrap())
            .collect();
        let game = Matrix::new(entries.len() / rows.len(), &entries).unwrap();
        let solution = solved(&game);
        assert_eq!(solution.value, ratio(fields[3]), "{name}");
        assert_ne!(solution.method, SolvedBy::IntegerPivoting, "{name}");
        let rows = face::of_rows(&game, &solution, 100, &limits).unwrap();
        let columns = face::of_columns(&game, &solution, 100, &limits).unwrap();
        assert_eq!(set(&rows).len().to_string(), fields[6], "{name}");
        assert_eq!(set(&columns).len().to_string(), fields[7], "{name}");
        let listed = |text: &str| text.split(',').map(ratio).collect::<Vec<_>>();
        // A published strategy must be optimal. If the optimal strategy is unique, it must be the
        // one found.
        let published = MatrixCertificate {
            row_strategy: listed(fields[4]),
            col_strategy: listed(fields[5]),
            ..certificate(&game, &solution)
        };
        assert!(verify(&published).is_ok(), "{name}");
        if rows.strategies.len() == 1 {
            assert_eq!(
                published.row_strategy,
                probabilities(&solution.row_strategy),
                "{name}"
            );
        }
    }
}

#[test]
fn small_games_have_the_extreme_strategies_of_all_kernels() {
    let limits = Limits::default();
    let mut random = Random(2_463_534_242);
    for family in FAMILIES {
        for round in 0..250 {
            // Brute force over all kernels is exponential, hence games of at most 5 by 5.
            let game = game(family, if round % 10 == 0 { 5 } else { 4 }, &mut random);
            let solution = solved(&game);
            let brute = crate::kernels::by_kernels(&game);
            assert_eq!(solution.value, brute.value, "{family} {round}: {game:?}");
            let rows = face::of_rows(&game, &solution, 1000, &limits).unwrap();
            assert_eq!(set(&rows), brute.rows, "{family} {round}: {game:?}");
            let columns = face::of_columns(&game, &solution, 1000, &limits).unwrap();
            assert_eq!(set(&columns), brute.columns, "{family} {round}: {game:?}");
            assert!(brute.rows.contains(&probabilities(&solution.row_strategy)));
            assert!(
                brute
                    .columns
                    .contains(&probabilities(&solution.column_strategy))
            );
        }
    }
}

#[test]
fn larger_games_are_accepted_by_the_separate_verifier() {
    let mut random = Random(88_172_645_463_325_252);
    for family in FAMILIES {
        let mut pivoting = 0;
        for _ in 0..60 {
            let game = game(family, 30, &mut random);
            let solution = solved(&game);
            pivoting += usize::from(solution.method == SolvedBy::IntegerPivoting);
            let other = solved(&game.negated_transpose());
            assert_eq!(
                other.value, -&solution.value,
                "{family}: the chairs exchanged"
            );
            if family == "skew" {
                assert_eq!(solution.value, ratio("0"));
            }
        }
        assert_eq!(pivoting, 0, "{family}: floating point has to do");
    }
}

#[test]
fn entries_of_every_size_do_not_need_integer_pivoting() {
    // Entries between 10^-30 and 10^33 exceed the precision of `f64`, so floating point of 1024
    // bits has to suffice.
    let mut random = Random(1_181_783_497_276_652_981);
    for size in [20, 40, 60] {
        let entries: Vec<Number> = (0..size * size)
            .map(|_| {
                let factor = random.between(-999, 999);
                number(&format!("{factor}e{}", random.between(-30, 30))).unwrap()
            })
            .collect();
        let game = Matrix::new(size, &entries).unwrap();
        let solution = solved(&game);
        assert_ne!(solution.method, SolvedBy::IntegerPivoting, "{size}");
        assert_eq!(
            solved(&game.negated_transpose()).value,
            -&solution.value,
            "{size}"
        );
    }
}

#[test]
fn many_equal_choices_are_all_extreme() {
    // All entries are equal: the cone has as many rays as the game has choices. It must neither be
    // cut nor be stored completely.
    let limits = Limits::default();
    for (rows, columns) in [(20_000, 1), (1, 20_000), (300, 300)] {
        let game = Matrix::from_integers(columns, &vec![1; rows * columns]);
        let solution = solved(&game);
        for (extreme, count) in [
            (face::of_rows(&game, &solution, 3, &limits).unwrap(), rows),
            (
                face::of_columns(&game, &solution, 3, &limits).unwrap(),
                columns,
            ),
        ] {
            assert_eq!(extreme.strategies.len(), count.min(3));
            assert_eq!(extreme.complete, count <= 3);
            for (k, strategy) in extreme.strategies.iter().enumerate() {
                assert_eq!(strategy.support(), [k]);
            }
        }
    }
}

#[test]
fn one_row_or_column() {
    // A player with one choice makes the game a minimum or a maximum.
    for n in [1, 2, 7, 500] {
        let entries: Vec<i64> = (0..n).map(|j| (j * 37 % 11) - 5).collect();
        let game = Matrix::from_integers(n as usize, &entries);
        assert_eq!(
            solved(&game).value,
            ratio(&entries.iter().min().unwrap().to_string())
        );
        let most = solved(&Matrix::from_integers(1, &entries)).value;
        assert_eq!(most, ratio(&entries.iter().max().unwrap().to_string()));
    }
}
