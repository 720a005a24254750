//! How many options a second a rule file gives, on one core.

use grundy::own::{Mover, Place};
use grundy_rules::{Allowance, RuleFile};

fn main() {
    divan::main();
}

/// Rules, start, and what is counted: options of all positions from 0 to start.
const FILES: [(&str, &str); 3] = [
    (
        "squares",
        "def moves(n):\n    return [n - k * k for k in range(1, n + 1) if k * k <= n]\n",
    ),
    (
        "take_up_to_20",
        "def moves(n):\n    return [n - k for k in range(1, min(n, 20) + 1)]\n",
    ),
    (
        "two_heaps",
        "def moves(p):\n    a, b = p\n    return [(k, b) for k in range(a)] + [(a, k) for k in range(b)]\n",
    ),
];

#[divan::bench(args = [0, 1, 2])]
fn options(bencher: divan::Bencher<'_, '_>, number: usize) {
    let (name, source) = FILES[number];
    let file = RuleFile::read(name, source, Allowance::default()).expect("a rule file");
    let place = |n: i64| match number {
        2 => Place::tuple(vec![Place::Int(n), Place::Int(n / 2)]),
        _ => Place::Int(n),
    };
    let rules = file.rules("moves").expect("it defines moves");
    let all = || {
        let (mut total, mut choices) = (0, Vec::new());
        for n in 0..1000 {
            choices.clear();
            rules
                .options(Mover::Either, &place(n), &mut choices)
                .expect("no failure");
            total += choices.len();
        }
        total
    };
    let count = all();
    bencher
        .counter(divan::counter::ItemsCount::new(count))
        .bench_local(all);
}
