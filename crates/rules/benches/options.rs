//! Benchmark of rule files: options per second for the files of the gallery, on one core.
//!
//! The positions are those reachable from a start of some size. Each file computes the options of
//! each position once, as for a solver. A partizan file computes those of Left and those of Right.

use std::collections::HashSet;
use std::path::PathBuf;

use grundy_core::Player;
use grundy_core::dynamic::{DynamicMove, DynamicPosition, DynamicRules};
use grundy_rules::{Allowance, RuleFile};

fn main() {
    // A new file of the gallery must be added to the benchmark.
    let mut names: Vec<String> = std::fs::read_dir(gallery())
        .expect("the gallery is a directory")
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| name != FINISHED)
        .collect();
    names.sort();
    let known: Vec<String> = FILES.iter().map(|name| format!("{name}.star")).collect();
    assert_eq!(names, known, "every file of the gallery is measured here");
    divan::main();
}

/// A file whose options are finished values, which a function for the moves of both players may not
/// return.
const FINISHED: &str = "corridor.star";

/// The files of the gallery, in alphabetical order.
const FILES: [&str; 12] = [
    "chomp",
    "dawsons_chess",
    "euclid_equal",
    "fair_shares",
    "kayles",
    "nim_with_a_pass",
    "silver_dollar",
    "sos",
    "squares",
    "tic_tac_toe",
    "toads_and_frogs",
    "wythoff",
];

/// Returns the start positions of a file.
fn starts(name: &str) -> Vec<DynamicPosition> {
    let heaps = |heaps: &[i64]| {
        DynamicPosition::tuple(
            heaps
                .iter()
                .map(|&n| DynamicPosition::Int(n))
                .collect::<Vec<_>>(),
        )
    };
    match name {
        "chomp" => vec![heaps(&[6; 6])],
        "dawsons_chess" | "kayles" => vec![DynamicPosition::Int(400)],
        "euclid_equal" => (1..100).map(|n| heaps(&[n, 100])).collect(),
        "fair_shares" => vec![heaps(&[18])],
        "nim_with_a_pass" => vec![DynamicPosition::tuple(vec![
            heaps(&[8, 8, 8]),
            DynamicPosition::Int(1),
        ])],
        "silver_dollar" => vec![heaps(&[9, 10, 11, 12])],
        "sos" => vec![DynamicPosition::text(".......")],
        "squares" => vec![DynamicPosition::Int(1000)],
        "tic_tac_toe" => vec![DynamicPosition::text(".........")],
        "toads_and_frogs" => vec![DynamicPosition::text("TTTT..FFFF")],
        "wythoff" => vec![heaps(&[40, 40])],
        other => panic!("no start for {other}"),
    }
}

/// Returns the path of the gallery.
fn gallery() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "examples", "rules"]
        .iter()
        .collect()
}

/// Computes the options of a position.
fn ask(rules: &dyn DynamicRules, place: &DynamicPosition, moves: &mut Vec<DynamicMove>) {
    moves.clear();
    rules
        .options(Player::Left, place, moves)
        .expect("the gallery's rules have an answer");
}

#[divan::bench(args = FILES)]
fn options(bencher: divan::Bencher<'_, '_>, name: &str) {
    let source = std::fs::read_to_string(gallery().join(name).with_extension("star"));
    let source = source.expect("the gallery can be read");
    let file = RuleFile::read(name, &source, Allowance::default()).expect("a rule file");
    let sides: Vec<_> = ["moves", "left", "right"]
        .iter()
        .filter_map(|name| file.rules(name))
        .collect();
    let mut positions: HashSet<DynamicPosition> = HashSet::new();
    let (mut open, mut moves, mut count) = (starts(name), Vec::new(), 0_usize);
    // The positions are collected before the measurement, so that hashing them is not measured.
    while let Some(place) = open.pop() {
        if positions.insert(place.clone()) {
            for rules in &sides {
                ask(&**rules, &place, &mut moves);
                count += moves.len();
                open.extend(
                    moves
                        .iter()
                        .flat_map(|mv| mv.result.positions().iter().cloned()),
                );
            }
        }
    }
    bencher
        .counter(divan::counter::ItemsCount::new(count))
        .bench_local(|| {
            for place in &positions {
                for rules in &sides {
                    ask(&**rules, place, &mut moves);
                }
            }
        });
}
