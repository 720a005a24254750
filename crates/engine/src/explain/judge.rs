//! The judge, which computes results and best moves for the positions of an argument.

use std::sync::Arc;

use crate::position::Position;
use crate::solve::reached::Reached;
use crate::solve::search::Search;
use crate::solve::{Choice, KnowsLabels};
use crate::values::Engine;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::{Play, Worth};
use grundy_base::player::Player;

/// Computes results for the positions reachable from a start position. It searches until a position
/// repeats, and from then on it uses labels of all reachable positions.
pub(super) struct Judge<'a> {
    start: &'a Position,
    play: Play,
    limits: &'a Limits<'a>,
    search: Search<'a>,
    labels: Option<Arc<Reached>>,
}

impl<'a> Judge<'a> {
    /// Creates a judge that begins with a search.
    pub(super) fn new(start: &'a Position, play: Play, limits: &'a Limits<'a>) -> Self {
        Self {
            start,
            play,
            limits,
            search: Search::new(start, play, Engine::default(), limits),
            labels: None,
        }
    }

    /// Returns the judge with known labels, so that it does not search.
    pub(super) fn with_labels(self, labels: &Arc<Reached>) -> Self {
        Self {
            labels: Some(Arc::clone(labels)),
            ..self
        }
    }

    /// Returns the result of a position for `player`, who is to move.
    pub(super) fn worth(&mut self, position: &Position, player: Player) -> Result<Worth, Stop> {
        if let Some(labels) = &self.labels {
            if let Some(label) = labels.label(position, player) {
                return Ok(label.outcome.into());
            }
            return self.label_anew(position, player);
        }
        let sum = self.search.sum(position)?;
        match self.search.worth(sum, player) {
            Err(Stop::Cyclic) => {
                // Label all reachable positions, since the best moves depend on all distances to
                // the end.
                let labels = Reached::new(self.start, self.play, self.limits)?;
                self.labels = Some(Arc::new(labels));
                self.worth(position, player)
            }
            other => other,
        }
    }

    /// Labels all positions reachable from `position`. This is needed if the earlier labels contain
    /// the position only in another form.
    fn label_anew(&mut self, position: &Position, player: Player) -> Result<Worth, Stop> {
        let labels = Reached::new(position, self.play, self.limits)?;
        let label = labels.label(position, player).ok_or(Stop::Cyclic)?;
        self.labels = Some(Arc::new(labels));
        Ok(label.outcome.into())
    }

    /// Returns the best move of `player`, or `None` if there is no move.
    ///
    /// The move makes progress towards a win. Without labels it is the first move that keeps the
    /// result. The search has found a proof for this move, and every proof is finite. With labels
    /// it is the move with the best distance to the end.
    pub(super) fn best(
        &mut self,
        position: &Position,
        player: Player,
    ) -> Result<Option<Choice>, Stop> {
        let worth = self.worth(position, player)?;
        let found = position.first_move(player, |to| {
            Ok(self.worth(to, player.other())?.reversed() == worth)
        })?;
        let Some(labels) = &self.labels else {
            return Ok(found);
        };
        if !labels.knows(position, player)? {
            self.label_anew(position, player)?;
        }
        match &self.labels {
            Some(labels) => labels.best(position, player),
            None => Ok(found),
        }
    }
}
