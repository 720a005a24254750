//! Benchmarks on square games with random entries: `cargo bench -p grundy-matrix`.

use divan::Bencher;
use grundy_base::Limits;
use grundy_matrix::{Matrix, face, solve, tableau};

fn main() {
    divan::main();
}

/// Returns a game with `side` rows and columns and entries between `-most` and `most`. Every run
/// uses the same games.
fn game(side: usize, most: u64) -> Matrix {
    let mut state = 88_172_645_463_325_252_u64;
    let entries: Vec<i64> = (0..side * side)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            ((state >> 11) % (2 * most + 1)) as i64 - most as i64
        })
        .collect();
    Matrix::from_integers(side, &entries)
}

#[divan::bench(args = [10, 50, 100, 300, 1000], max_time = 10)]
fn entries_to_1000(bencher: Bencher<'_, '_>, side: usize) {
    let game = game(side, 1000);
    bencher.bench(|| solve(&game, &Limits::default()));
}

#[divan::bench(args = [10, 50, 100, 300, 1000], max_time = 10)]
fn entries_to_a_billion(bencher: Bencher<'_, '_>, side: usize) {
    let game = game(side, 1_000_000_000);
    bencher.bench(|| solve(&game, &Limits::default()));
}

/// Measures games with many ties.
#[divan::bench(args = [10, 50, 100, 300, 1000], max_time = 10)]
fn entries_minus_one_to_one(bencher: Bencher<'_, '_>, side: usize) {
    let game = game(side, 1);
    bencher.bench(|| solve(&game, &Limits::default()));
}

/// Measures the test of uniqueness of the row player's strategy, given the solution.
#[divan::bench(args = [10, 100, 1000], max_time = 5)]
fn uniqueness(bencher: Bencher<'_, '_>, side: usize) {
    let game = game(side, 1000);
    let solution = solve(&game, &Limits::default()).expect("no limit is near");
    bencher.bench(|| face::of_rows(&game, &solution, 2, &Limits::default()));
}

/// Measures the simplex method in integers with all its tableaux.
#[divan::bench(args = [5, 10, 20], max_time = 5)]
fn integer_tableaux(bencher: Bencher<'_, '_>, side: usize) {
    let game = game(side, 1000);
    bencher.bench(|| tableau::trace(&game, &Limits::default()));
}
