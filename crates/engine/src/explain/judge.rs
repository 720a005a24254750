//! What positions on the way of an argument are worth.

use std::sync::Arc;

use crate::position::Position;
use crate::solve::reached::Reached;
use crate::solve::search::Search;
use crate::solve::{Choice, KnowsLabels};
use crate::values::Engine;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::{Play, Worth};
use grundy_base::player::Player;

/// Tells what positions are worth that can be reached from one position: by search, and by labels
/// as soon as the search comes back to where it was.
pub(super) struct Judge<'a> {
    start: &'a Position,
    play: Play,
    limits: &'a Limits<'a>,
    search: Search<'a>,
    labels: Option<Arc<Reached>>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(start: &'a Position, play: Play, limits: &'a Limits<'a>) -> Self {
        Self {
            start,
            play,
            limits,
            search: Search::new(start, play, Engine::default(), limits),
            labels: None,
        }
    }

    /// Returns a judge who knows the labels already.
    pub(super) fn with_labels(self, labels: &Arc<Reached>) -> Self {
        Self {
            labels: Some(Arc::clone(labels)),
            ..self
        }
    }

    /// What a position is worth to `player`, who is to move.
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
                // All at once, so that all distances are known.
                let labels = Reached::new(self.start, self.play, self.limits)?;
                self.labels = Some(Arc::new(labels));
                self.worth(position, player)
            }
            other => other,
        }
    }

    /// Labels everything that can be reached from a position that was met in another form before.
    fn label_anew(&mut self, position: &Position, player: Player) -> Result<Worth, Stop> {
        let labels = Reached::new(position, self.play, self.limits)?;
        let label = labels.label(position, player).ok_or(Stop::Cyclic)?;
        self.labels = Some(Arc::new(labels));
        Ok(label.outcome.into())
    }

    /// Returns the move to make; nothing when the game is over.
    ///
    /// A win comes nearer by it. Where the search has settled the position the first move that
    /// keeps its worth is the one whose proof was found, and every proof ends; elsewhere the
    /// distance to the end decides.
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
