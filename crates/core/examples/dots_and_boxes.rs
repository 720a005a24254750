//! Solves Dots and Boxes on a small board. Arguments: rows and columns of boxes.
//!
//! With three by three boxes the second player wins by 3 (D. Wilson, Dots-and-boxes analysis index,
//! 2002; confirmed by J. K. Barker and R. E. Korf, Solving Dots-And-Boxes, AAAI 2012).

#[path = "implicit/dots_and_boxes.rs"]
mod dots_and_boxes;

use std::time::Instant;

use dots_and_boxes::DotsAndBoxes;
use grundy_core::implicit::pruned::PrunedSearch;
use grundy_core::{Limits, Stop};

fn main() -> Result<(), Stop> {
    let mut sizes = std::env::args()
        .skip(1)
        .filter_map(|size| size.parse::<u32>().ok());
    let (rows, columns) = (sizes.next().unwrap_or(3), sizes.next().unwrap_or(3));
    if rows == 0
        || columns == 0
        || rows > 7
        || columns > 7
        || 2 * rows * columns + rows + columns > 31
    {
        println!("the board must have at most 31 edges");
        return Ok(());
    }
    let game = DotsAndBoxes::new(rows, columns);
    let mut search = PrunedSearch::new(&game);
    let start = Instant::now();
    let score = search.score(&0, &Limits::default())?;
    println!("{rows} by {columns} boxes: {score:+} for the player who moves first");
    println!(
        "{} positions in the table, {:.1?}",
        search.len(),
        start.elapsed()
    );
    Ok(())
}
