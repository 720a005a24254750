//! All positions of a game whose rules number them: each worker looks at its own.

use std::sync::Arc;

use grundy::ruleset::Ends;
use grundy::{Play, RankedGame};
use grundy_base::{Diagnostic, Stop};
use rustc_hash::FxHashSet;

use crate::rounds::Rounds;
use crate::share::{Layout, Moves};
use crate::terms::{Report, Stage};
use crate::wire::put;

/// Positions of each worker between two places where a checkpoint may be written.
const SLICE: u64 = 1 << 12;

/// Has a checkpoint written, if it is time: of the moves of the positions up to one.
pub(crate) type Keep<'k> =
    &'k mut dyn FnMut(&mut Rounds<'_>, &Moves, u64) -> Result<(), Diagnostic>;

/// Returns the moves of all positions, each once, after those of the first ones that a checkpoint
/// holds.
pub(crate) fn moves(
    rounds: &mut Rounds<'_>,
    game: &Arc<dyn RankedGame>,
    (mut moves, first): (Moves, u64),
    keep: Keep<'_>,
) -> Result<Moves, Diagnostic> {
    let positions = game.positions();
    if positions * game.turns() >= u64::from(u32::MAX) * rounds.workers() as u64 {
        return Err(Stop::Positions(positions).into());
    }
    let layout = Layout {
        workers: rounds.workers() as u64,
        turns: game.turns(),
        me: rounds.me() as u64,
    };
    let mut next = layout.position(layout.positions(first));
    let mut looking = Looking::default();
    let mut end = first;
    while end < positions {
        end = positions.min(end + SLICE * layout.workers);
        loop {
            while next < end && rounds.has_room() {
                looking.send(rounds, &**game, layout, next, &mut moves)?;
                next += layout.workers;
                rounds.look()?;
            }
            let done = layout.positions(next.min(positions));
            let arrived = rounds.swap(next < end, [done, 0, 0, 0])?;
            for (_, mut reader) in arrived.readers() {
                while !reader.is_empty() {
                    let target = reader.number()? as u32;
                    moves.push(target, layout.place(reader.number()?));
                }
            }
            rounds.hold(moves.bytes())?;
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
        keep(rounds, &moves, end)?;
    }
    Ok(moves)
}

/// Options of one position after the other.
#[derive(Default)]
struct Looking {
    ranks: Vec<u64>,
    seen: FxHashSet<u64>,
}

impl Looking {
    /// Sends the moves of a position to the owners of what they lead to.
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
            seen.clear();
            ranks.retain(|&rank| seen.insert(rank));
            moves.add_degree(here, ranks.len() as u32);
            if ranks.is_empty() && nature.ends == Ends::Payoff {
                let worth = game
                    .position(position)?
                    .worth_at_the_end(mover, Play::Normal)?;
                moves.end(here, worth);
            }
            for &rank in &*ranks {
                let target = rank * layout.turns + (turn + 1) % layout.turns;
                let (owner, local) = layout.place(target);
                put(rounds.to(owner), local.into());
                put(rounds.to(owner), vertex);
            }
        }
        Ok(())
    }
}
