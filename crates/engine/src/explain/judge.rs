//! The computation of results and best moves for the positions that an explanation mentions.

use std::sync::Arc;

use crate::position::Position;
use crate::solve::reachable_sums::ReachableSums;
use crate::solve::search::Search;
use crate::solve::{Choice, LabelSource};
use crate::values::Engine;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::{PayoffResult, Play};
use grundy_base::player::Player;

/// A source of results for the positions reachable from a start position. It uses a search. If a
/// position repeats in a search, it uses labels (outcomes and remotenesses) of all reachable
/// positions from then on.
pub(super) struct Judge<'a> {
    start: &'a Position,
    play: Play,
    limits: &'a Limits<'a>,
    search: Search<'a>,
    labels: Option<Arc<ReachableSums>>,
}

impl<'a> Judge<'a> {
    /// Creates a judge that uses a search.
    pub(super) fn new(start: &'a Position, play: Play, limits: &'a Limits<'a>) -> Self {
        Self {
            start,
            play,
            limits,
            search: Search::new(start, play, Engine::default(), limits),
            labels: None,
        }
    }

    /// Returns the judge with labels that are already known. It uses these labels instead of a
    /// search.
    pub(super) fn with_labels(self, labels: &Arc<ReachableSums>) -> Self {
        Self {
            labels: Some(Arc::clone(labels)),
            ..self
        }
    }

    /// Returns the result of a position for `player`, who is to move.
    pub(super) fn result(
        &mut self,
        position: &Position,
        player: Player,
    ) -> Result<PayoffResult, Stop> {
        if let Some(labels) = &self.labels {
            if let Some(label) = labels.label(position, player) {
                return Ok(label.outcome.into());
            }
            return self.relabel_from(position, player);
        }
        let sum = self.search.sum(position)?;
        match self.search.result(sum, player) {
            Err(Stop::Cyclic) => {
                // The game is loopy. So best moves depend on the remoteness of positions, which the
                // labels contain.
                let labels = ReachableSums::new(self.start, self.play, self.limits)?;
                self.labels = Some(Arc::new(labels));
                self.result(position, player)
            }
            other => other,
        }
    }

    /// Labels all positions reachable from `position`. Returns the result of `position` for
    /// `player`, who is to move. New labels are needed if the store represents `position` by a sum
    /// that is not among the labelled sums.
    fn relabel_from(&mut self, position: &Position, player: Player) -> Result<PayoffResult, Stop> {
        let labels = ReachableSums::new(position, self.play, self.limits)?;
        let label = labels.label(position, player).ok_or(Stop::Cyclic)?;
        self.labels = Some(Arc::new(labels));
        Ok(label.outcome.into())
    }

    /// Returns the best move of `player`, or `None` if there is no move.
    ///
    /// A player who always makes the best move in a won position wins after finitely many moves.
    /// Without labels, the best move is the first one that keeps the result. The search has found a
    /// proof for this move, and every proof is finite. With labels, the best move is the one with
    /// the best remoteness.
    pub(super) fn best(
        &mut self,
        position: &Position,
        player: Player,
    ) -> Result<Option<Choice>, Stop> {
        let result = self.result(position, player)?;
        let found = position.first_move(player, |to| {
            Ok(self.result(to, player.other())?.reversed() == result)
        })?;
        let Some(labels) = &self.labels else {
            return Ok(found);
        };
        if !labels.covers(position, player)? {
            self.relabel_from(position, player)?;
        }
        match &self.labels {
            Some(labels) => labels.best(position, player),
            None => Ok(found),
        }
    }
}
