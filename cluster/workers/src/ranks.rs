//! The moves of a ranked game. Each worker expands the positions that belong to it.

use std::sync::Arc;

use grundy_base::{Diagnostic, Stop};
use grundy_core::ruleset::Ends;
use grundy_core::{Play, RankedGame};
use rustc_hash::FxHashSet;

use crate::context::{Report, Stage};
use crate::rounds::Rounds;
use crate::share::{Layout, Moves};
use crate::wire::put;

/// Number of positions that each worker expands before a checkpoint may be written.
const SLICE: u64 = 1 << 12;

/// A callback that writes a checkpoint if one is due. Its arguments are the moves so far, and the
/// number of positions that have been expanded.
pub(crate) type SaveCheckpoint<'k> =
    &'k mut dyn FnMut(&mut Rounds<'_>, &Moves, u64) -> Result<(), Diagnostic>;

/// Expands all positions of this worker and returns the moves of the game whose targets belong to
/// this worker. Several moves from one vertex to the same position count once. `moves` and `first`
/// come from a checkpoint in which the positions below `first` were expanded.
pub(crate) fn moves(
    rounds: &mut Rounds<'_>,
    game: &Arc<dyn RankedGame>,
    (mut moves, first): (Moves, u64),
    save: SaveCheckpoint<'_>,
) -> Result<Moves, Diagnostic> {
    let positions = game.positions();
    // Local vertex numbers are 32 bits wide, see `Layout::place`.
    if positions * game.turns() >= u64::from(u32::MAX) * rounds.workers() as u64 {
        return Err(Stop::Positions(positions).into());
    }
    let layout = Layout {
        workers: rounds.workers() as u64,
        turns: game.turns(),
        worker: rounds.index() as u64,
    };
    // The first position of this worker that is at least `first`. A checkpoint may be from another
    // number of workers, so it does not store this position.
    let mut next = layout.position(layout.positions(first));
    let mut expander = Expander::default();
    let mut end = first;
    while end < positions {
        // `end` is the same on all workers. So each checkpoint holds exactly the positions below
        // `end`.
        end = positions.min(end + SLICE * layout.workers);
        loop {
            while next < end && rounds.has_room() {
                expander.send(rounds, &**game, layout, next, &mut moves)?;
                next += layout.workers;
                rounds.poll()?;
            }
            let done = layout.positions(next.min(positions));
            let arrived = rounds.swap(next < end, [done, 0, 0, 0])?;
            for (_, mut reader) in arrived.readers() {
                while !reader.is_empty() {
                    let target = reader.number()? as u32;
                    moves.push(target, layout.place(reader.number()?));
                }
            }
            rounds.check_memory(moves.bytes())?;
            rounds.report(&Report {
                stage: Stage::Finding,
                round: rounds.traffic().rounds,
                done: arrived.tallies[0],
                of: positions,
                sent: rounds.sent(),
                ..Report::default()
            });
            if !arrived.more {
                break;
            }
        }
        save(rounds, &moves, end)?;
    }
    Ok(moves)
}

/// Buffers that are reused when one position after another is expanded.
#[derive(Default)]
struct Expander {
    ranks: Vec<u64>,
    seen: FxHashSet<u64>,
}

impl Expander {
    /// Sends the moves of a position to the owners of their targets.
    fn send(
        &mut self,
        rounds: &mut Rounds<'_>,
        game: &dyn RankedGame,
        layout: Layout,
        position: u64,
        moves: &mut Moves,
    ) -> Result<(), Diagnostic> {
        let Self { ranks, seen } = self;
        let nature = game.nature();
        for (turn, &mover) in (0..).zip(nature.beginners()) {
            let vertex = position * layout.turns + turn;
            let (_, here) = layout.place(vertex);
            ranks.clear();
            game.options(mover, position, ranks)?;
            // Several moves to the same position count once, as in a single process. So the degree
            // equals the number of edges sent.
            seen.clear();
            ranks.retain(|&rank| seen.insert(rank));
            moves.add_degree(here, ranks.len() as u32);
            if ranks.is_empty() && nature.ends == Ends::Payoff {
                let worth = game
                    .position(position)?
                    .terminal_result(mover, Play::Normal)?;
                moves.end(here, worth);
            }
            for &rank in &*ranks {
                let target = rank * layout.turns + (turn + 1) % layout.turns;
                let (owner, local) = layout.place(target);
                put(rounds.outbox(owner), local.into());
                put(rounds.outbox(owner), vertex);
            }
        }
        Ok(())
    }
}
