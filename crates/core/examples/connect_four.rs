//! Solves Connect Four on a small board. Arguments: columns and rows.
//!
//! The game is a draw on five columns and four rows, and on four columns and five rows. The source
//! is J. Tromp, The Fhourstones benchmark and table of small boards,
//! https://tromp.github.io/c4/c4.html.

#[path = "implicit/connect_four.rs"]
mod connect_four;

use std::time::Instant;

use connect_four::{Board, ConnectFour};
use grundy_core::implicit::pruned::PrunedSearch;
use grundy_core::{Limits, Stop};

fn main() -> Result<(), Stop> {
    let mut sizes = std::env::args()
        .skip(1)
        .filter_map(|size| size.parse().ok());
    let (columns, rows) = (sizes.next().unwrap_or(5), sizes.next().unwrap_or(4));
    if columns == 0 || rows == 0 || columns * (rows + 1) > 64 {
        println!("the board must fit in 64 bits: columns * (rows + 1) <= 64");
        return Ok(());
    }
    let game = ConnectFour { columns, rows };
    let mut search = PrunedSearch::new(&game);
    let start = Instant::now();
    let score = search.score(&Board::default(), &Limits::default())?;
    let result =
        ["the second player wins", "a draw", "the first player wins"][(score + 1) as usize];
    println!("{columns} columns, {rows} rows: {result}");
    println!(
        "{} positions in the table, {:.1?}",
        search.len(),
        start.elapsed()
    );
    Ok(())
}
