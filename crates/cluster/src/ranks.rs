//! All positions of a game whose rules number them: each worker looks at its own.

use std::sync::Arc;

use grundy::ruleset::Ends;
use grundy::{Play, RankedGame};
use grundy_base::{Diagnostic, Stop};
use rustc_hash::FxHashSet;

use crate::rounds::Rounds;
use crate::share::{Layout, Moves};
use crate::terms::{Stage, Told};
use crate::wire::put;

/// The moves of all positions, each once.
pub(crate) fn moves(
    rounds: &mut Rounds<'_>,
    game: &Arc<dyn RankedGame>,
) -> Result<Moves, Diagnostic> {
    let positions = game.positions();
    if positions * game.turns() >= u64::from(u32::MAX) * rounds.workers() as u64 {
        return Err(Stop::Positions(positions).into());
    }
    let nature = game.nature();
    let layout = Layout {
        workers: rounds.workers() as u64,
        turns: game.turns(),
        me: rounds.me() as u64,
    };
    let (mut moves, mut next) = (Moves::default(), layout.me);
    let (mut ranks, mut seen) = (Vec::new(), FxHashSet::default());
    loop {
        while next < positions && rounds.has_room() {
            for (turn, &mover) in (0..).zip(nature.beginners()) {
                let vertex = next * layout.turns + turn;
                let (_, here) = layout.place(vertex);
                ranks.clear();
                game.options(mover, next, &mut ranks)?;
                seen.clear();
                ranks.retain(|&rank| seen.insert(rank));
                moves.add_degree(here, ranks.len() as u32);
                if ranks.is_empty() && nature.ends == Ends::Payoff {
                    let worth = game.position(next)?.worth_at_the_end(mover, Play::Normal)?;
                    moves.end(here, worth);
                }
                for &rank in &ranks {
                    let target = rank * layout.turns + (turn + 1) % layout.turns;
                    let (owner, local) = layout.place(target);
                    put(rounds.to(owner), local.into());
                    put(rounds.to(owner), vertex);
                }
            }
            next += layout.workers;
            rounds.poll()?;
        }
        let arrived = rounds.swap(
            next < positions,
            [next.min(positions) / layout.workers, 0, 0, 0],
        )?;
        for (_, mut reader) in arrived.readers() {
            while !reader.is_empty() {
                let target = reader.number()? as u32;
                moves.push(target, layout.place(reader.number()?));
            }
        }
        rounds.hold(moves.bytes())?;
        rounds.tell(&Told {
            stage: Stage::Finding,
            round: rounds.traffic().rounds,
            done: arrived.tallies[0],
            of: positions,
            sent: rounds.sent(),
            ..Told::default()
        });
        if !arrived.more {
            return Ok(moves);
        }
    }
}
