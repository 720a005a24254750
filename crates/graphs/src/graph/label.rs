//! Labels: outcome and remoteness of every vertex in four bytes.

use std::cmp::Ordering;

use super::Digraph;
use grundy_base::outcome::Outcome;

/// The outcome and the remoteness of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The outcome for the player to move.
    pub outcome: Outcome,
    /// Number of moves that are left if the winner plays for the shortest game and the loser for
    /// the longest. `None` for a draw.
    pub remoteness: Option<u32>,
}

/// A number that ranks the options of a vertex. The option with the least score is the best one for
/// the player who moves from the vertex.
///
/// The score of a loss in r moves is r, that of a win in r moves is !r, and that of a draw is
/// between them. The opponent is to move at the option, so an option is good if it is lost for the
/// player to move there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(pub u32);

impl Score {
    /// The score of a draw.
    pub const DRAW: Self = Self(1 << 31);

    /// Returns the score of a loss in `remoteness` moves.
    #[must_use]
    pub fn lost(remoteness: u32) -> Self {
        Self(remoteness)
    }

    /// Returns the score of a win in `remoteness` moves.
    #[must_use]
    pub fn won(remoteness: u32) -> Self {
        Self(!remoteness)
    }

    /// Converts the score to a label.
    #[must_use]
    pub fn label(self) -> Label {
        let (outcome, remoteness) = match self.cmp(&Self::DRAW) {
            Ordering::Less => (Outcome::P, Some(self.0)),
            Ordering::Equal => (Outcome::D, None),
            Ordering::Greater => (Outcome::N, Some(!self.0)),
        };
        Label {
            outcome,
            remoteness,
        }
    }
}

/// The labels of all vertices of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    pub(super) scores: Vec<u32>,
}

impl Labels {
    /// Returns the label of a vertex.
    ///
    /// # Panics
    /// If there is no such vertex.
    #[must_use]
    pub fn get(&self, vertex: u32) -> Label {
        Score(self.scores[vertex as usize]).label()
    }

    /// Returns the labels of all vertices in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Label> + '_ {
        self.scores.iter().map(|&score| Score(score).label())
    }

    /// Returns the number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Returns whether the graph has no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// Returns an optimal move of `vertex`, as an index into its options. It is the quickest win if
    /// there is one, otherwise a draw, and otherwise the slowest loss. Returns `None` for a vertex
    /// without moves.
    #[must_use]
    pub fn best_move(&self, graph: &Digraph, vertex: u32) -> Option<usize> {
        let options = graph.options(vertex);
        (0..options.len()).min_by_key(|&i| self.scores[options[i] as usize])
    }
}
