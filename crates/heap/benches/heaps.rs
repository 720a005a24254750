//! Benchmarks of octal games: the engine of sparse spaces and the plain recurrence. Run them with
//! `cargo bench -p grundy-heap --bench heaps`.

use divan::Bencher;
use grundy_base::Limits;
use grundy_heap::algebra::NormalPlay;
use grundy_heap::{Code, HeapRules, Sequence, plain};

const GAMES: [&str; 7] = ["0.77", "0.137", "0.156", "0.6", "0.007", "0.16", "0.106"];

fn main() {
    divan::main();
}

fn rules(code: &str) -> HeapRules {
    HeapRules::TakeAndBreak(Code::parse(code).expect("a code"))
}

fn patient() -> Limits<'static> {
    Limits {
        positions: u64::MAX,
        ..Limits::default()
    }
}

/// Computes the first values, without use of a period.
#[divan::bench(args = GAMES, consts = [10_000, 100_000, 1_000_000], sample_count = 1)]
fn engine<const COUNT: u64>(bencher: Bencher<'_, '_>, game: &str) {
    let rules = rules(game);
    bencher
        .counter(divan::counter::ItemsCount::new(COUNT))
        .bench(|| Sequence::<NormalPlay>::new(rules.clone()).compute(COUNT, &patient()));
}

#[divan::bench(args = ["0.77", "0.156", "0.6", "0.16", "0.106"], sample_count = 1)]
fn engine_ten_million(bencher: Bencher<'_, '_>, game: &str) {
    let rules = rules(game);
    bencher
        .counter(divan::counter::ItemsCount::new(10_000_000u64))
        .bench(|| Sequence::<NormalPlay>::new(rules.clone()).compute(10_000_000, &patient()));
}

#[divan::bench(args = GAMES, consts = [10_000, 100_000], sample_count = 1)]
fn plain_recurrence<const COUNT: u64>(bencher: Bencher<'_, '_>, game: &str) {
    let rules = rules(game);
    bencher
        .counter(divan::counter::ItemsCount::new(COUNT))
        .bench(|| plain(&rules, COUNT, &patient()));
}

/// Computes Grundy's game, which has 1,273 rare heaps.
#[divan::bench(consts = [10_000, 100_000, 1_000_000], sample_count = 1)]
fn unequal_heaps<const COUNT: u64>(bencher: Bencher<'_, '_>) {
    bencher
        .counter(divan::counter::ItemsCount::new(COUNT))
        .bench(|| Sequence::<NormalPlay>::new(HeapRules::UnequalSplit).compute(COUNT, &patient()));
}

/// Computes values until the period is proved.
#[divan::bench(args = ["0.77", "0.137", "0.16", "0.156", "0.56", "0.376"], sample_count = 1)]
fn proof(bencher: Bencher<'_, '_>, game: &str) {
    let rules = rules(game);
    bencher.bench(|| {
        let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
        while sequence.period().is_none() {
            sequence.try_to_prove(&patient())?;
        }
        Ok::<_, grundy_base::Stop>(sequence.period().cloned())
    });
}
