//! The moves of a position with what a tablebase knows of where they lead, best first.

use std::cmp::{Ordering, Reverse};
use std::ops::ControlFlow;

use grundy::limits::{Halt, ended};
use grundy::{Diagnostic, Kind, Outcome, Player, Position, Solver, Verdict, message};
use grundy_tablebase::{GameKind, Record};
use grundy_wording::answer::{MoveView, Printed};
use serde::Serialize;

use super::table::{OpenTable, verdict};
use grundy_job::Job;

/// What a position is worth to the player to move, or a move to the player who makes it; the best
/// is the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Category {
    Win,
    Draw,
    Loss,
}

impl Category {
    /// What a position is worth to the player to move.
    pub(super) fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::N => Self::Win,
            Outcome::D => Self::Draw,
            Outcome::P => Self::Loss,
        }
    }

    /// Returns the same to the other player, who has made the move that led there.
    fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }
}

/// A move, and what is known of the position it leads to.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ProbedMove {
    #[serde(flatten)]
    view: MoveView,
    category: Category,
    outcome: Printed<Verdict>,
    /// Moves left after this one.
    remoteness: Option<u32>,
}

impl ProbedMove {
    /// Where it leads.
    pub(super) fn to(&self) -> Option<&str> {
        self.view.to.as_deref()
    }

    /// Wins come first, the quickest before, then draws, then losses, the longest before.
    fn compare(&self, other: &Self) -> Ordering {
        let length = |probed: &Self| match probed.category {
            Category::Win => (probed.remoteness, Reverse(None)),
            Category::Draw => (None, Reverse(None)),
            Category::Loss => (None, Reverse(probed.remoteness)),
        };
        (self.category.cmp(&other.category)).then_with(|| length(self).cmp(&length(other)))
    }
}

/// Returns the moves of the player whose turn it is, best first: of those that are equally good
/// `best` comes first. Nothing where they are more than are listed.
pub(super) fn of(
    table: &mut OpenTable,
    position: &Position,
    turn: u64,
    best: Option<&str>,
    job: &Job,
) -> Result<Option<Vec<ProbedMove>>, Diagnostic> {
    let kind = table.manifest().about.kind;
    let player = match (kind, turn) {
        (GameKind::Partizan, 0) => Player::Left,
        (GameKind::Partizan, _) => Player::Right,
        (GameKind::Impartial | GameKind::Ties, _) => position.first_player(),
    };
    let limits = job.limits();
    let (mut found, mut failed) = (Vec::new(), None);
    let flow = position.moves(player, &mut |component, name, to| {
        if let Err(stop) = limits.poll() {
            return ControlFlow::Break(stop.into());
        }
        if found.len() == Solver::MOVES_LISTED {
            return ControlFlow::Break(Halt::Enough);
        }
        let to = to();
        match after(table, &to, player) {
            Ok((record, verdict)) => {
                let view = MoveView::new(position, component, &name(), Some(to.to_string()));
                found.push(ProbedMove {
                    view,
                    category: Category::of(record.outcome).reversed(),
                    outcome: Printed(verdict),
                    remoteness: record.remoteness,
                });
                ControlFlow::Continue(())
            }
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(Halt::Enough)
            }
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    if ended(flow)? {
        return Ok(None);
    }
    found.sort_by(|a, b| {
        a.compare(b)
            .then_with(|| (a.to() != best).cmp(&(b.to() != best)))
    });
    Ok(Some(found))
}

/// What is known of a position one move away, with the other player to move.
fn after(
    table: &mut OpenTable,
    position: &Position,
    mover: Player,
) -> Result<(Record, Verdict), Diagnostic> {
    let Some(number) = table.number_of(position)? else {
        return Err(lacking(&position.to_string()));
    };
    let kind = table.manifest().about.kind;
    let turns = table.table().turns();
    let records = (0..turns)
        .map(|turn| table.table().record(turns * number + turn))
        .collect::<Result<Vec<Record>, _>>()?;
    let verdict = verdict(kind, records.iter().map(|record| record.outcome));
    let turn = usize::from(turns == 2 && mover == Player::Left);
    let record = records.into_iter().nth(turn);
    record
        .map(|record| (record, verdict))
        .ok_or_else(|| Diagnostic::new(Kind::Internal, message!("a position has no entry")))
}

/// Returns the refusal of a table that has not what a move leads to.
pub(crate) fn lacking(to: &str) -> Diagnostic {
    let message = message!(
        "the tablebase lacks {to}, which is one move away: it is of other rules",
        to
    );
    Diagnostic::new(Kind::Io, message)
}
