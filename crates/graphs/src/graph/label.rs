//! Labels: outcome and remoteness of every vertex, four bytes each.

use std::cmp::Ordering;

use super::Digraph;
use grundy_base::outcome::Outcome;

/// Outcome and remoteness of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// Who wins.
    pub outcome: Outcome,
    /// Moves left when the winner hurries and the loser delays; nothing for a draw.
    pub remoteness: Option<u32>,
}

/// How bad a vertex is for the player to move, as one number, so that the best option of a vertex
/// is the one of the least score: a loss in r moves is r, a win in r moves is !r, and a draw stands
/// between them. What is worst to be in is best to move to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(pub u32);

impl Score {
    /// A draw.
    pub const DRAW: Self = Self(1 << 31);

    /// Returns a loss in so many moves.
    #[must_use]
    pub fn lost(remoteness: u32) -> Self {
        Self(remoteness)
    }

    /// Returns a win in so many moves.
    #[must_use]
    pub fn won(remoteness: u32) -> Self {
        Self(!remoteness)
    }

    /// Returns the label.
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
    /// When there is no such vertex.
    #[must_use]
    pub fn get(&self, vertex: u32) -> Label {
        Score(self.scores[vertex as usize]).label()
    }

    /// Returns all labels, by the number of the vertex.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Label> + '_ {
        self.scores.iter().map(|&score| Score(score).label())
    }

    /// Returns the number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Returns whether there is no vertex.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// Returns an optimal move of `vertex`, as its index among the options: the quickest win, a
    /// draw where there is no win, the longest loss where there is neither. Nothing at a vertex
    /// without moves.
    #[must_use]
    pub fn best_move(&self, graph: &Digraph, vertex: u32) -> Option<usize> {
        let options = graph.options(vertex);
        (0..options.len()).min_by_key(|&i| self.scores[options[i] as usize])
    }
}
