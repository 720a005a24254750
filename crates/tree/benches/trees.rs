//! Benchmarks on the tree of Tic-Tac-Toe: `cargo bench -p grundy-tree`.

use divan::Bencher;
use grundy_core::{Limits, Play, registry};
use grundy_tree::{Counts, Tree, alpha_beta, values};

/// The adaptor of positions, which is part of the analysis crate.
#[path = "../../analysis/src/tree/source.rs"]
mod source;

fn main() {
    divan::main();
}

fn tree() -> Tree {
    let game = registry::construct("tic_tac_toe", &[]).expect("it takes no arguments");
    source::tree(&game.into(), Play::Normal, &Limits::default()).expect("it is small")
}

#[divan::bench]
fn build() -> Tree {
    tree()
}

#[divan::bench]
fn backward_induction(bencher: Bencher<'_, '_>) {
    let tree = tree();
    bencher.bench_local(|| values(&tree));
}

#[divan::bench]
fn counts(bencher: Bencher<'_, '_>) {
    let tree = tree();
    bencher.bench_local(|| Counts::new(&tree, &Limits::default()));
}

#[divan::bench]
fn alpha_beta_replay(bencher: Bencher<'_, '_>) {
    let tree = tree();
    bencher.bench_local(|| alpha_beta::replay(&tree, 100, &Limits::default()));
}
