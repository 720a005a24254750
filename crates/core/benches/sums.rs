//! Partizan games: values of boards, outcomes of sums of many components, and thermographs without
//! canonical forms. Run `cargo bench -p grundy-core --bench sums`.
//!
//! Each outcome is computed for both beginners, by a new solver. Each sample is a different random
//! sum, and the seed is fixed.

use divan::{Bencher, black_box};
use grundy_core::argument::Argument;
use grundy_core::registry::construct;
use grundy_core::solve::Detail;
use grundy_core::thermographs::thermograph;
use grundy_core::{Limits, OutcomeClass, Play, Position, Solver};

fn main() {
    divan::main();
}

fn position(name: &str, argument: Argument) -> Position {
    construct(name, &[(None, argument)])
        .expect("a position")
        .into()
}

/// Returns a board with the given rows.
fn board(name: &str, rows: usize, row: impl FnMut(usize) -> String) -> Position {
    let rows = (0..rows).map(row).map(Argument::Text);
    position(name, Argument::List(rows.collect()))
}

fn free(rows: usize, columns: usize) -> Position {
    board("domineering", rows, |_| ".".repeat(columns))
}

/// Returns a full board of Clobber in which neighbours have different colours.
fn stones(rows: usize, columns: usize) -> Position {
    board("clobber", rows, |row| {
        let stone = |column: usize| ['x', 'o'][(row + column) % 2];
        (0..columns).map(stone).collect()
    })
}

fn random_board(
    name: &str,
    letters: &[u8],
    [rows, columns]: [usize; 2],
    random: &mut fastrand::Rng,
) -> Position {
    board(name, rows, |_| {
        let letter = |_| char::from(letters[random.usize(..letters.len())]);
        (0..columns).map(letter).collect()
    })
}

fn sum(mut part: impl FnMut() -> Position, count: usize) -> Position {
    let parts: Vec<Position> = (0..count).map(|_| part()).collect();
    let terms = parts.iter().flat_map(|part| part.terms().iter().cloned());
    Position::sum(terms.collect()).expect("partizan games have sums")
}

fn class(position: &Position) -> OutcomeClass {
    // Use a new solver for each sum, since cached components would make later samples faster.
    let solution =
        Solver::default().answer(position, Play::Normal, Detail::Outcome, &Limits::none());
    solution.expect("no limit").class()
}

/// Measures canonical forms of empty boards.
#[divan::bench(args = [(4, 4), (4, 6), (5, 5), (2, 20)], sample_count = 5, sample_size = 1)]
fn domineering_value(bencher: Bencher<'_, '_>, (rows, columns): (usize, usize)) {
    let position = free(rows, columns);
    bencher.bench(|| Solver::default().canonical_form(&position, &Limits::none()));
}

/// Measures the outcome of empty boards of Domineering.
#[divan::bench(args = [(4, 4), (5, 5), (6, 6), (6, 7), (7, 7)], sample_count = 5, sample_size = 1)]
fn domineering(bencher: Bencher<'_, '_>, (rows, columns): (usize, usize)) {
    let position = free(rows, columns);
    bencher.bench(|| class(&position));
}

/// Measures the outcome of sums of twelve boards with a third of the squares blocked.
#[divan::bench(args = [[3, 4], [4, 4]], sample_count = 20, sample_size = 1)]
fn twelve_of_domineering(bencher: Bencher<'_, '_>, shape: [usize; 2]) {
    let mut random = fastrand::Rng::with_seed(12);
    bencher
        .with_inputs(|| {
            sum(
                || random_board("domineering", b"..#", shape, &mut random),
                12,
            )
        })
        .bench_local_values(|position| class(&position));
}

/// Returns four random integers from -9 to 9 in non-increasing order.
fn sorted_integers(random: &mut fastrand::Rng) -> [i32; 4] {
    let mut numbers = [0; 4].map(|_| random.i32(-9..=9));
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    numbers
}

/// Measures the outcome of sums of twenty hot or nearly hot components: switches, threats of either
/// player, and double threats.
#[divan::bench(sample_count = 100, sample_size = 1)]
fn twenty_hot_components(bencher: Bencher<'_, '_>) {
    // A fixed seed gives every run the same hundred sums.
    let mut random = fastrand::Rng::with_seed(20);
    let mut hot = move || {
        let [a, b, c, d] = sorted_integers(&mut random);
        let text = match random.u32(..4) {
            0 => format!("{{{a}|{d}}}"),
            1 => format!("{{{a}||{b}|{c}}}"),
            2 => format!("{{{a}|{b}||{d}}}"),
            _ => format!("{{{a}|{b}||{c}|{d}}}"),
        };
        position("literal", Argument::Text(text))
    };
    bencher
        .with_inputs(|| sum(&mut hot, 20))
        .bench_local_values(|position| class(&position));
}

#[divan::bench(args = [(4, 4), (3, 6), (4, 5)], sample_count = 5, sample_size = 1)]
fn clobber(bencher: Bencher<'_, '_>, (rows, columns): (usize, usize)) {
    let position = stones(rows, columns);
    bencher.bench(|| class(&position));
}

/// Measures the outcome of (xo)^n.
#[divan::bench(args = [16, 20], sample_count = 5, sample_size = 1)]
fn clobber_strip(bencher: Bencher<'_, '_>, n: usize) {
    let position = stones(1, 2 * n);
    bencher.bench(|| class(&position));
}

/// Measures the outcome of sums of eight full boards with stones of random colours.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn eight_of_clobber(bencher: Bencher<'_, '_>) {
    let mut random = fastrand::Rng::with_seed(8);
    bencher
        .with_inputs(|| sum(|| random_board("clobber", b"xo", [3, 3], &mut random), 8))
        .bench_local_values(|position| class(&position));
}

/// Measures a thermograph that is computed without canonical forms, by a pass over all positions of
/// Domineering on 5 by 5 squares.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn thermograph_without_forms(bencher: Bencher<'_, '_>) {
    let position = free(5, 5);
    bencher
        .bench(|| black_box(thermograph(&position, &Limits::none())).map(|heat| heat.thermograph));
}
