//! Implicit games: positions per second of the dense passes, and time of the searches.

#[path = "../examples/implicit/connect_four.rs"]
mod connect_four;
#[path = "../examples/implicit/dots_and_boxes.rs"]
mod dots_and_boxes;
#[path = "../examples/implicit/nim.rs"]
mod nim;

use connect_four::{Board, ConnectFour};
use divan::Bencher;
use divan::counter::ItemsCount;
use dots_and_boxes::DotsAndBoxes;
use grundy_core::implicit::dense::{Outcomes, Ranked, grundy, outcomes, remoteness, sieve};
use grundy_core::implicit::{hashed, pruned};
use grundy_core::{Limits, Play, Stop};
use nim::Nim;

fn main() {
    divan::main();
}

type Pass = fn(&Nim, Play, &Limits<'_>) -> Result<Outcomes, Stop>;

#[divan::bench(args = ["sieve", "outcomes", "remoteness"])]
fn nim_five_heaps(bencher: Bencher<'_, '_>, pass: &str) {
    let (game, limits) = (Nim(5), Limits::default());
    let pass: Pass = match pass {
        "sieve" => sieve,
        "outcomes" => outcomes,
        _ => remoteness,
    };
    bencher
        .counter(ItemsCount::new(game.len()))
        .bench(|| pass(&game, Play::Normal, &limits));
}

#[divan::bench]
fn nim_five_heaps_grundy(bencher: Bencher<'_, '_>) {
    let (game, limits) = (Nim(5), Limits::default());
    bencher
        .counter(ItemsCount::new(game.len()))
        .bench(|| grundy(&game, &limits));
}

#[divan::bench(args = [(5, 3), (4, 4), (5, 4)], sample_count = 3)]
fn connect_four_pruned(bencher: Bencher<'_, '_>, (columns, rows): (u32, u32)) {
    let game = ConnectFour { columns, rows };
    bencher.bench(|| pruned::PrunedSearch::new(&game).score(&Board::default(), &Limits::default()));
}

#[divan::bench(args = [(5, 3), (4, 4)], sample_count = 3)]
fn connect_four_every_position(bencher: Bencher<'_, '_>, (columns, rows): (u32, u32)) {
    let game = ConnectFour { columns, rows };
    bencher.bench(|| {
        let mut table = hashed::HashedTable::new(&game, Play::Normal);
        table.outcome(&Board::default(), &Limits::default())
    });
}

#[divan::bench(args = [(2, 3), (3, 3)], sample_count = 3)]
fn dots_and_boxes_pruned(bencher: Bencher<'_, '_>, (rows, columns): (u32, u32)) {
    let game = DotsAndBoxes::new(rows, columns);
    bencher.bench(|| pruned::PrunedSearch::new(&game).score(&0, &Limits::default()));
}
