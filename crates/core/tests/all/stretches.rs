//! A table that several workers compute by a sieve equals the table of a single pass. Each worker
//! owns some stretches (ranges of cells) of the table.

use grundy_core::argument::Argument;
use grundy_core::implicit::dense::{DistributedSieve, OwnedStretches, Pass, PassQuantity};
use grundy_core::{Limits, Play, Position, Stop, registry};

/// Simulates, in one thread, several workers that share the computation of a table. Returns the
/// part of the table that each worker computes.
fn split_pass(
    game: &dyn DistributedSieve,
    workers: u64,
    play: Play,
) -> Result<Vec<OwnedStretches>, Stop> {
    let limits = Limits::default();
    let mut tables = (0..workers)
        .map(|me| OwnedStretches::new(game.cells(), game.length(), (workers, me), &limits))
        .collect::<Result<Vec<_>, _>>()?;
    let stretches = 0..tables[0].count();
    let mut order: Vec<(u64, u64)> = stretches
        .map(|stretch| (game.height_of(stretch), stretch))
        .collect();
    order.sort_unstable();
    // Stretches of equal height do not depend on each other. Each height is settled and marked
    // before the next one, as a barrier between the workers would enforce.
    for level in order.chunk_by(|a, b| a.0 == b.0) {
        let mut lost = Vec::new();
        for &(_, stretch) in level {
            let owner = (stretch % workers) as usize;
            game.lost(&mut tables[owner], stretch, play, &mut lost);
        }
        let mut moves = Vec::new();
        for &cell in &lost {
            let longest = tables.iter().map(|table| game.longest(table, cell));
            let longest = longest.max().unwrap_or_default();
            let owner = tables
                .iter_mut()
                .find(|table| table.local_index(cell).is_some());
            let owner = owner.expect("one worker has the cell");
            moves.push(game.assign(owner, cell, longest, &limits)?);
        }
        for (&cell, &moves) in lost.iter().zip(&moves) {
            for table in &mut tables {
                game.mark(table, cell, moves, &limits)?;
            }
        }
    }
    Ok(tables)
}

fn position(name: &str, argument: Argument) -> Position {
    let made = registry::construct(name, &[(None, argument)]);
    made.expect("it is a position").into()
}

fn numbers(name: &str, numbers: &[u64]) -> Position {
    let arguments = numbers.iter().map(|&n| (None, Argument::Int(n.into())));
    let made = registry::construct(name, &arguments.collect::<Vec<_>>());
    made.expect("it is a position").into()
}

/// Compares the table that several workers share with the table of a single pass, for several
/// numbers of workers.
fn compare_with_one_pass(start: &Position) -> Result<(), Stop> {
    let game = &*start.ranked()?.expect("its positions are numbered");
    let sieved = game.sieved().expect("moves can be taken back");
    for play in [Play::Normal, Play::Misere] {
        let mut pass = Pass::default();
        game.resume(
            PassQuantity::Remoteness,
            play,
            &mut pass,
            &Limits::default(),
        )?;
        for workers in [1, 2, 3, 7] {
            let tables = split_pass(sieved, workers, play)?;
            let mut found = 0;
            for table in &tables {
                for place in 0..table.cells().len() as u64 {
                    let cell = table.cell(place);
                    assert_eq!(table.local_index(cell), Some(place));
                    let number = pass.cells.get(cell);
                    assert_eq!(table.get(place), Some(number), "{game:?} {play} {cell}");
                    found += 1;
                }
            }
            assert_eq!(found, sieved.cells());
        }
    }
    Ok(())
}

#[test]
fn a_sieve_split_across_workers_equals_the_whole_sieve() -> Result<(), Stop> {
    let heaps = [
        &[5, 4, 3][..],
        &[1; 7],
        // A remoteness beyond 255 or 65 535 needs wider cells.
        &[300, 2],
        &[70_000],
        &[9, 0, 3, 0],
        &[20, 20, 20],
    ];
    for heaps in heaps {
        compare_with_one_pass(&numbers("nim", heaps))?;
    }
    for rows in [&[3, 3, 3][..], &[5, 2], &[9; 9]] {
        compare_with_one_pass(&numbers("chomp", rows))?;
    }
    Ok(())
}

#[test]
fn domino_boards_are_split_across_workers() -> Result<(), Stop> {
    for name in ["domineering", "cram"] {
        for rows in [&["...", "...", "..."][..], &[".....", "..#..", "....."]] {
            let rows = rows.iter().map(|&row| Argument::Text(row.into()));
            compare_with_one_pass(&position(name, Argument::List(rows.collect())))?;
        }
    }
    Ok(())
}
