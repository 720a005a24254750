//! Solves all positions of Nim with five heaps of at most 15 in a dense table, and times each pass.

#[path = "implicit/nim.rs"]
mod nim;

use std::time::Instant;

use grundy_core::implicit::dense::{Outcomes, Ranked as _, grundy, outcomes, remoteness, sieve};
use grundy_core::{Limits, Play, Stop};
use nim::Nim;

fn main() -> Result<(), Stop> {
    let (game, limits) = (Nim(5), Limits::default());
    let passes: [(&str, fn(&Nim, Play, &Limits<'_>) -> Result<Outcomes, Stop>); 3] = [
        ("sieve", sieve),
        ("outcomes", outcomes),
        ("remoteness", remoteness),
    ];
    for (name, pass) in passes {
        let start = Instant::now();
        let table = pass(&game, Play::Normal, &limits)?;
        let time = start.elapsed();
        let lost = (0..game.len()).filter(|&n| !table.wins(n)).count();
        let speed = game.len() as f64 / time.as_secs_f64() / 1e6;
        println!(
            "{name}: {} positions, {lost} lost, {speed:.1} million a second",
            game.len()
        );
    }
    let start = Instant::now();
    let values = grundy(&game, &limits)?;
    let speed = values.len() as f64 / start.elapsed().as_secs_f64() / 1e6;
    println!(
        "Grundy values: {} positions, {speed:.1} million a second",
        values.len()
    );
    Ok(())
}
