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
    /// the longest. `None` for a draw, and for a game that is won because it never ends.
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
    /// The score of a game that the player to move wins because it never ends.
    pub const ENDLESS_WIN: Self = Self(Self::DRAW.0 + 1);
    /// The score of a game that the player to move loses because it never ends.
    pub const ENDLESS_LOSS: Self = Self(Self::DRAW.0 - 1);

    /// Returns the score of a loss in `remoteness` moves.
    ///
    /// ```
    /// use grundy_core::graph::Score;
    /// // A move after which the opponent loses sooner is better.
    /// assert!(Score::lost(2) < Score::lost(4) && Score::lost(4) < Score::DRAW);
    /// ```
    #[must_use]
    pub fn lost(remoteness: u32) -> Self {
        Self(remoteness)
    }

    /// Returns the score of a win in `remoteness` moves.
    ///
    /// ```
    /// use grundy_core::graph::Score;
    /// // If the opponent wins after every move, a move that leads to a longer game is better.
    /// assert!(Score::DRAW < Score::won(5) && Score::won(5) < Score::won(3));
    /// ```
    #[must_use]
    pub fn won(remoteness: u32) -> Self {
        Self(!remoteness)
    }

    /// Converts the score to a label.
    ///
    /// ```
    /// use grundy_core::Outcome;
    /// use grundy_core::graph::{Label, Score};
    /// assert_eq!(Score::lost(2).label(), Label { outcome: Outcome::P, remoteness: Some(2) });
    /// assert_eq!(Score::won(3).label(), Label { outcome: Outcome::N, remoteness: Some(3) });
    /// assert_eq!(Score::DRAW.label(), Label { outcome: Outcome::D, remoteness: None });
    /// ```
    #[must_use]
    pub fn label(self) -> Label {
        let endless = matches!(self, Self::ENDLESS_WIN | Self::ENDLESS_LOSS);
        let (outcome, remoteness) = match self.cmp(&Self::DRAW) {
            Ordering::Less => (Outcome::P, Some(self.0)),
            Ordering::Equal => (Outcome::D, None),
            Ordering::Greater => (Outcome::N, Some(!self.0)),
        };
        Label {
            outcome,
            remoteness: remoteness.filter(|_| !endless),
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
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::{Digraph, Label};
    /// use grundy_core::{Outcome, Play};
    /// let labels = Digraph::from_edges(3, &[(0, 1), (1, 2)]).label(Play::Normal);
    /// assert_eq!(labels.get(0), Label { outcome: Outcome::P, remoteness: Some(2) });
    /// ```
    #[must_use]
    pub fn get(&self, vertex: u32) -> Label {
        Score(self.scores[vertex as usize]).label()
    }

    /// Replaces each draw by a win or a loss, for rules under which one player wins a play that
    /// never ends. `wins` returns whether this player is to move at a vertex.
    ///
    /// A vertex without a draw keeps its label: one of the players can force the end of play, and
    /// wins there.
    ///
    /// ```
    /// use grundy_core::graph::Digraph;
    /// use grundy_core::{Outcome, Play};
    /// // Two players go round a cycle. The first of them is to move at vertex 0.
    /// let mut labels = Digraph::from_edges(2, &[(0, 1), (1, 0)]).label(Play::Normal);
    /// labels.decide_draws(|vertex| vertex == 0);
    /// assert_eq!((labels.get(0).outcome, labels.get(0).remoteness), (Outcome::N, None));
    /// assert_eq!((labels.get(1).outcome, labels.get(1).remoteness), (Outcome::P, None));
    /// ```
    pub fn decide_draws(&mut self, wins: impl Fn(u32) -> bool) {
        for (vertex, score) in self.scores.iter_mut().enumerate() {
            if *score == Score::DRAW.0 {
                *score = if wins(vertex as u32) {
                    Score::ENDLESS_WIN.0
                } else {
                    Score::ENDLESS_LOSS.0
                };
            }
        }
    }

    /// Returns the labels of all vertices in order.
    ///
    /// ```
    /// use grundy_core::Play;
    /// use grundy_core::graph::Digraph;
    /// // Play from 0 can go on forever, and so can play from 1.
    /// let labels = Digraph::from_edges(4, &[(0, 1), (1, 0), (3, 2)]).label(Play::Normal);
    /// let remoteness: Vec<Option<u32>> = labels.iter().map(|label| label.remoteness).collect();
    /// assert_eq!(remoteness, [None, None, Some(0), Some(1)]);
    /// ```
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Label> + '_ {
        self.scores.iter().map(|&score| Score(score).label())
    }

    /// Returns the number of vertices.
    ///
    /// ```
    /// use grundy_core::Play;
    /// use grundy_core::graph::Digraph;
    /// assert_eq!(Digraph::from_edges(3, &[(0, 1)]).label(Play::Normal).len(), 3);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Returns whether the graph has no vertices.
    ///
    /// ```
    /// use grundy_core::Play;
    /// use grundy_core::graph::Digraph;
    /// assert!(Digraph::default().label(Play::Normal).is_empty());
    /// assert!(!Digraph::from_edges(1, &[]).label(Play::Normal).is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// Returns an optimal move of `vertex`, as an index into its options. It is the quickest win if
    /// there is one, otherwise a draw, and otherwise the slowest loss. Returns `None` for a vertex
    /// without moves.
    ///
    /// ```
    /// use grundy_core::Play;
    /// use grundy_core::graph::Digraph;
    /// // A heap of up to 4 chips, from which a move takes one or two chips.
    /// let edges = [(1, 0), (2, 1), (2, 0), (3, 2), (3, 1), (4, 3), (4, 2)];
    /// let graph = Digraph::from_edges(5, &edges);
    /// let labels = graph.label(Play::Normal);
    /// assert_eq!((labels.best_move(&graph, 2), labels.best_move(&graph, 4)), (Some(1), Some(0)));
    /// assert_eq!(labels.best_move(&graph, 0), None);
    /// ```
    #[must_use]
    pub fn best_move(&self, graph: &Digraph, vertex: u32) -> Option<usize> {
        let options = graph.options(vertex);
        (0..options.len()).min_by_key(|&i| self.scores[options[i] as usize])
    }
}
