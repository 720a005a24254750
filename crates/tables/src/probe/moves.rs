//! The moves from a position, each with the record (outcome, remoteness and value) of the resulting
//! position. The best moves come first.

use std::cmp::{Ordering, Reverse};
use std::ops::ControlFlow;

use grundy_core::limits::{Halt, stopped_early};
use grundy_core::{Diagnostic, Kind, Outcome, Player, Position, Solver, Verdict, message};
use grundy_tablebase::{GameKind, Record};
use grundy_wording::answer::{DisplayText, MoveView};
use serde::Serialize;

use super::table::{OpenTable, verdict};
use grundy_job::Job;

/// The outcome for one player. In the case of a position, this is the player to move, and in the
/// case of a move, the player who makes it. Variants are ordered from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Category {
    Win,
    Draw,
    Loss,
}

impl Category {
    /// Returns the category of an outcome for the player to move.
    pub(super) fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::N => Self::Win,
            Outcome::D => Self::Draw,
            Outcome::P => Self::Loss,
        }
    }

    /// Returns the category of the move that leads to a position, given the category of that
    /// position.
    fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }
}

/// A move, with the outcome and the remoteness that the tablebase stores for the resulting
/// position.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ProbeMove {
    #[serde(flatten)]
    view: MoveView,
    category: Category,
    outcome: DisplayText<Verdict>,
    /// The number of further moves with best play after this move.
    remoteness: Option<u32>,
}

impl ProbeMove {
    /// Returns the position after the move.
    pub(super) fn to(&self) -> Option<&str> {
        self.view.to.as_deref()
    }

    /// Compares two moves, so that the better move comes first in ascending order. Among wins the
    /// quickest is best, and among losses the slowest.
    fn compare(&self, other: &Self) -> Ordering {
        // `None < Some`, so only the field that matters in this category is compared.
        let length = |listed: &Self| match listed.category {
            Category::Win => (listed.remoteness, Reverse(None)),
            Category::Draw => (None, Reverse(None)),
            Category::Loss => (None, Reverse(listed.remoteness)),
        };
        (self.category.cmp(&other.category)).then_with(|| length(self).cmp(&length(other)))
    }
}

/// Returns the moves of the player to move, best first. Among equally good moves, the move to the
/// position `best` comes first. Returns `None` if there are more than `Solver::MOVES_LISTED`
/// moves.
pub(super) fn of(
    table: &mut OpenTable,
    position: &Position,
    turn: u64,
    best: Option<&str>,
    job: &Job,
) -> Result<Option<Vec<ProbeMove>>, Diagnostic> {
    let kind = table.manifest().about.kind;
    let player = match (kind, turn) {
        (GameKind::Partizan, 0) => Player::Left,
        (GameKind::Partizan, _) => Player::Right,
        (GameKind::Impartial | GameKind::Ties, _) => position.first_player(),
    };
    let limits = job.limits();
    // The visitor can return only a `Halt`, so an error is stored in `failed` and returned
    // afterwards.
    let (mut found, mut failed) = (Vec::new(), None);
    let flow = position.moves(player, &mut |component, name, to| {
        if let Err(stop) = limits.poll() {
            return ControlFlow::Break(stop.into());
        }
        if found.len() == Solver::MOVES_LISTED {
            return ControlFlow::Break(Halt::Enough);
        }
        let to = to();
        match record_after(table, &to, player) {
            Ok((record, verdict)) => {
                let view = MoveView::new(position, component, &name(), Some(to.to_string()));
                found.push(ProbeMove {
                    view,
                    category: Category::of(record.outcome).reversed(),
                    outcome: DisplayText(verdict),
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
    // This is checked before `ended`, which would interpret the `Halt::Enough` of an error as a
    // list that is too long.
    if let Some(error) = failed {
        return Err(error);
    }
    if stopped_early(flow)? {
        return Ok(None);
    }
    found.sort_by(|a, b| {
        a.compare(b)
            .then_with(|| (a.to() != best).cmp(&(b.to() != best)))
    });
    Ok(Some(found))
}

/// Looks up the position that a move of `mover` leads to. Returns its record for the opponent to
/// move, and its verdict, which covers every player who may move first.
fn record_after(
    table: &mut OpenTable,
    position: &Position,
    mover: Player,
) -> Result<(Record, Verdict), Diagnostic> {
    let Some(number) = table.number_of(position)? else {
        return Err(missing_option(&position.to_string()));
    };
    let kind = table.manifest().about.kind;
    let turns = table.table().turns();
    let records = (0..turns)
        .map(|turn| table.table().record(turns * number + turn))
        .collect::<Result<Vec<Record>, _>>()?;
    let verdict = verdict(kind, records.iter().map(|record| record.outcome));
    // After a move of Left, Right is to move. This is the second entry of the position.
    let turn = usize::from(turns == 2 && mover == Player::Left);
    let record = records.into_iter().nth(turn);
    record.map(|record| (record, verdict)).ok_or_else(|| {
        Diagnostic::new(
            Kind::Internal,
            message!("a position has no entry in the tablebase"),
        )
    })
}

/// Returns the error for a tablebase that does not contain the target of a move.
pub(crate) fn missing_option(to: &str) -> Diagnostic {
    let message = message!(
        "a move leads to {to}, which is not in the tablebase: the tablebase was written for other rules",
        to
    );
    Diagnostic::new(Kind::Io, message)
}
