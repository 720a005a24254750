//! Benchmarks of common questions to the solver. Run `cargo bench -p grundy-core --bench solve`.

use divan::{Bencher, black_box};
use grundy_core::algebra::NormalPlay;
use grundy_core::argument::Argument;
use grundy_core::heap::{HeapRules, NamedSet, Sequence, TakeSet};
use grundy_core::nimber::Nimber;
use grundy_core::registry::construct;
use grundy_core::{Limits, Play, Position, Solver};

fn main() {
    divan::main();
}

fn numbers(name: &str, numbers: &[u64]) -> Position {
    let items: Vec<_> = numbers
        .iter()
        .map(|&n| (None, Argument::Int(i128::from(n))))
        .collect();
    construct(name, &items).expect("a position").into()
}

#[divan::bench(args = [(4, 4), (6, 8), (8, 12)])]
fn chomp(bencher: Bencher<'_, '_>, (rows, columns): (usize, u64)) {
    let position = numbers("chomp", &vec![columns; rows]);
    bencher.bench(|| Solver::default().solve(&position, Play::Normal, &Limits::default()));
}

/// Measures the value by search. Adding an empty game prevents the use of the symmetry theorem.
#[divan::bench(args = [3, 4, 5], sample_count = 3)]
fn cram_by_search(bencher: Bencher<'_, '_>, side: usize) {
    let board = vec![Argument::Text(".".repeat(side)); side];
    let board = construct("cram", &[(None, Argument::List(board))]).expect("a board");
    let nothing = construct("nim", &[]).expect("no heap");
    let position = Position::sum(vec![board, nothing]).expect("impartial games add up");
    bencher.bench(|| Solver::default().solve(&position, Play::Normal, &Limits::default()));
}

#[divan::bench(args = [100, 300, 1000], sample_count = 5)]
fn wythoff_board(bencher: Bencher<'_, '_>, side: u64) {
    let corner = numbers("wythoff", &[side, side]);
    bencher.bench(|| Solver::default().grundy(&corner, &Limits::default()));
}

#[divan::bench(args = [10_000, 100_000, 1_000_000], sample_count = 3)]
fn squares(bencher: Bencher<'_, '_>, count: u64) {
    let rules = HeapRules::Subtraction(TakeSet::Named(NamedSet::Squares));
    bencher.bench(|| Sequence::<NormalPlay>::new(rules.clone()).compute(count, &Limits::default()));
}

#[divan::bench]
fn nim_product() -> Nimber {
    black_box(Nimber(0x0123_4567_89AB_CDEF)) * black_box(Nimber(0xFEDC_BA98_7654_3210))
}
