//! The outcome and the remoteness of every position of a game graph.

use super::GameGraph;
use crate::rules::Ends;
use crate::values::loopy::Loopy;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::{Outcome, Play};
use grundy_base::verdict::Verdict;
use grundy_graphs::graph::{Digraph, DrawLevels, Label, Labels, LoopyValues, Values};

/// The labels (outcome and remoteness) of all vertices of a game graph. If the game is impartial
/// and in normal play, the values of the vertices are included.
///
/// ```
/// use grundy_core::ruleset::nim::Nim;
/// use grundy_core::{Labelled, Limits, Outcome, Play, Position, Term, Verdict, game_graph};
/// let game = game_graph(&Position::from(Term::new(Nim, vec![2])), &Limits::default())?;
/// let labelled = Labelled::new(&game, Play::Misere, &Limits::default())?;
/// assert_eq!(labelled.verdict(&game, 0), Verdict::Outcome(Outcome::N));
/// assert_eq!(labelled.labels(&game, 0).next().unwrap().remoteness, Some(2));
/// # Ok::<(), grundy_core::Stop>(())
/// ```
#[derive(Debug)]
pub struct Labelled {
    labels: Labels,
    values: Option<AnyValues>,
}

/// The Sprague–Grundy values or the Smith–Fraenkel values of an impartial game.
#[derive(Debug)]
enum AnyValues {
    Finite(Values),
    Loopy(LoopyValues),
}

impl Labelled {
    /// Computes the label (outcome and remoteness) of every vertex. If the game is impartial and in
    /// normal play, also computes the values.
    ///
    /// # Complexity
    /// The computation has the complexity of [`grundy_graphs::graph::Digraph::label`] plus that of
    /// [`grundy_graphs::graph::Digraph::loopy_values`].
    ///
    /// # Errors
    /// Fails if the work is interrupted.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Labelled, Limits, Outcome, Play, Position, Term, game_graph};
    /// let limits = Limits::default();
    /// let game = game_graph(&Position::from(Term::new(Nim, vec![1, 1])), &limits)?;
    /// for (play, outcome) in [(Play::Normal, Outcome::P), (Play::Misere, Outcome::N)] {
    ///     assert_eq!(Labelled::new(&game, play, &limits)?.label(0).outcome, outcome);
    /// }
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn new(game: &GameGraph, play: Play, limits: &Limits<'_>) -> Result<Self, Stop> {
        let graph = &game.graph;
        let without_values = |labels| Self {
            labels,
            values: None,
        };
        // If a payoff decides, the labels start from the payoffs instead of from the vertices
        // without moves.
        if game.nature.ends == Ends::Payoff {
            let ends = game.ends.iter();
            let ends: Vec<(u32, Outcome)> = ends
                .map(|&(vertex, result)| (vertex, result.in_play(play).into()))
                .collect();
            let transposed = graph.transpose(limits)?;
            return Ok(without_values(graph.label_with_ends(
                &transposed,
                &ends,
                limits,
            )?));
        }
        if !game.nature.is_impartial() {
            let mut labels = graph.label_with_limits(play, limits)?;
            if let Some(winner) = game.nature.endless {
                labels.decide_draws(|vertex| vertex % 2 == winner as u32);
            }
            return Ok(without_values(labels));
        }
        Self::of_graph(graph, play, limits)
    }

    /// Computes the labels (outcome and remoteness) of a graph whose vertices are the positions of
    /// an impartial game. In normal play, also computes the values of the vertices.
    ///
    /// # Errors
    /// Fails if the work is interrupted.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// use grundy_core::{Labelled, Limits, Outcome, Play};
    /// // The players can go round the cycle of the vertices 0 and 1 until one moves to vertex 2.
    /// let graph = Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2)]);
    /// let labels = Labelled::of_graph(&graph, Play::Normal, &Limits::default())?;
    /// let outcomes = [0, 1, 2].map(|vertex| labels.label(vertex).outcome);
    /// assert_eq!(outcomes, [Outcome::P, Outcome::N, Outcome::P]);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn of_graph(graph: &Digraph, play: Play, limits: &Limits<'_>) -> Result<Self, Stop> {
        // Values are defined for normal play only.
        if play == Play::Misere {
            return Ok(Self {
                labels: graph.label_with_limits(play, limits)?,
                values: None,
            });
        }
        // An acyclic graph has Sprague–Grundy values. Their computation needs no transposed graph,
        // so try it first.
        if let Some(values) = graph.grundy_values_with_limits(limits)? {
            return Ok(Self {
                labels: graph.label_with_limits(play, limits)?,
                values: Some(AnyValues::Finite(values)),
            });
        }
        let transposed = graph.transpose(limits)?;
        let labels = graph.label_with(&transposed, play, limits)?;
        let values = graph.loopy_values_with(&transposed, &labels, limits)?;
        Ok(Self {
            labels,
            values: Some(AnyValues::Loopy(values)),
        })
    }

    /// Returns the draw levels of the vertices of the labelled graph.
    ///
    /// # Errors
    /// Fails if the work is interrupted.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// use grundy_core::{Labelled, Limits, Play};
    /// // A move to vertex 2, from which the opponent wins, is a mistake.
    /// let graph = Digraph::from_edges(4, &[(0, 1), (1, 0), (1, 2), (2, 3)]);
    /// let limits = Limits::default();
    /// let labels = Labelled::of_graph(&graph, Play::Normal, &limits)?;
    /// let levels = labels.draw_levels(&graph, &limits)?;
    /// assert_eq!((levels.get(0), levels.get(1)), (Some((0, 1)), Some((0, 0))));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn draw_levels(&self, graph: &Digraph, limits: &Limits<'_>) -> Result<DrawLevels, Stop> {
        graph.draw_levels(&self.labels, limits)
    }

    /// Returns whether values were computed, that is, whether the game is impartial and in normal
    /// play.
    ///
    /// ```
    /// use grundy_core::graph::Digraph;
    /// use grundy_core::{Labelled, Limits, Play};
    /// let graph = Digraph::from_edges(2, &[(0, 1)]);
    /// for (play, has_values) in [(Play::Normal, true), (Play::Misere, false)] {
    ///     let labels = Labelled::of_graph(&graph, play, &Limits::default())?;
    ///     assert_eq!(labels.has_values(), has_values);
    /// }
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn has_values(&self) -> bool {
        self.values.is_some()
    }

    /// Returns the label of a vertex.
    ///
    /// # Panics
    /// Panics if there is no such vertex.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// use grundy_core::{Labelled, Limits, Outcome, Play};
    /// let graph = Digraph::from_edges(3, &[(0, 1), (1, 2)]);
    /// let labels = Labelled::of_graph(&graph, Play::Normal, &Limits::default())?;
    /// let label = labels.label(0);
    /// assert_eq!((label.outcome, label.remoteness), (Outcome::P, Some(2)));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn label(&self, vertex: u32) -> Label {
        self.labels.get(vertex)
    }

    /// Returns the labels of a position. There is one for each player who may move first, or a
    /// single one if it makes no difference who moves first.
    ///
    /// # Panics
    /// Panics if there is no such position.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::toads_and_frogs::ToadsAndFrogs;
    /// use grundy_core::{Labelled, Limits, Play, Position, Term, game_graph};
    /// let strip = Position::from(Term::new(ToadsAndFrogs, vec![b"T.F".to_vec()]));
    /// let game = game_graph(&strip, &Limits::default())?;
    /// let labels = Labelled::new(&game, Play::Normal, &Limits::default())?;
    /// // Either player wins by moving first: one move each, and then a last move.
    /// assert!(labels.labels(&game, 0).map(|label| label.remoteness).eq([Some(3), Some(3)]));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn labels(&self, game: &GameGraph, position: u32) -> impl Iterator<Item = Label> + '_ {
        let turns = game.turns();
        (turns * position..turns * (position + 1)).map(|vertex| self.label(vertex))
    }

    /// Returns the verdict on a position: its outcome, its outcome class, or its result if a payoff
    /// decides.
    ///
    /// # Panics
    /// Panics if there is no such position.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::toads_and_frogs::ToadsAndFrogs;
    /// use grundy_core::{Labelled, Limits, OutcomeClass, Play, Position, Term, game_graph};
    /// let strip = Position::from(Term::new(ToadsAndFrogs, vec![b"T.F".to_vec()]));
    /// let game = game_graph(&strip, &Limits::default())?;
    /// let labels = Labelled::new(&game, Play::Normal, &Limits::default())?;
    /// assert_eq!(labels.verdict(&game, 0), grundy_core::Verdict::Class(OutcomeClass::N));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn verdict(&self, game: &GameGraph, position: u32) -> Verdict {
        let labels = self.labels(game, position);
        let outcomes: Vec<Outcome> = labels.map(|label| label.outcome).collect();
        Verdict::of(game.nature.ends == Ends::Payoff, &outcomes)
    }

    /// Returns the value of a position, or `None` if no values were computed.
    ///
    /// # Panics
    /// Panics if there is no such position.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::values::loopy::Loopy;
    /// use grundy_core::{Labelled, Limits, Play, Position, Term, game_graph};
    /// let game = game_graph(&Position::from(Term::new(Nim, vec![1, 2])), &Limits::default())?;
    /// let labels = Labelled::new(&game, Play::Normal, &Limits::default())?;
    /// assert_eq!(labels.value(&game, 0), Some(Loopy::Finite(3)));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn value(&self, game: &GameGraph, position: u32) -> Option<Loopy> {
        self.value_in(&game.graph, position)
    }

    /// Returns the value of a vertex of the labelled graph, or `None` if no values were computed.
    ///
    /// # Panics
    /// Panics if there is no such vertex.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// use grundy_core::values::loopy::Loopy;
    /// use grundy_core::{Labelled, Limits, Play};
    /// // Vertex 0 has a loop, and a move to the end of the game.
    /// let graph = Digraph::from_edges(2, &[(0, 0), (0, 1)]);
    /// let labels = Labelled::of_graph(&graph, Play::Normal, &Limits::default())?;
    /// assert_eq!(labels.value_in(&graph, 0), Some(Loopy::Infinite(vec![0])));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn value_in(&self, graph: &Digraph, vertex: u32) -> Option<Loopy> {
        let finite = |value: u32| Loopy::Finite(value.into());
        match self.values.as_ref()? {
            AnyValues::Finite(values) => values.get(vertex).map(finite),
            AnyValues::Loopy(values) => values.get(vertex).map(finite).or_else(|| {
                // A vertex without a finite value has an infinite value, which is given by the set
                // of finite values of its options.
                let set = values.infinity(graph, vertex)?;
                Some(Loopy::Infinite(set.into_iter().map(u64::from).collect()))
            }),
        }
    }

    /// Returns a rank for each vertex. A verifier needs these ranks to check the values. Returns
    /// `None` if no values were computed.
    ///
    /// The ranks have this property. Let a move lead from a vertex of value m to a vertex whose
    /// value is infinite or greater than m. Then the opponent can answer this move. The answer
    /// leads to a vertex of value m whose rank is smaller than that of the first vertex.
    ///
    /// # Errors
    /// Fails if the work is interrupted.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// use grundy_core::{Labelled, Limits, Play};
    /// let graph = Digraph::from_edges(3, &[(0, 1), (0, 2), (1, 2)]);
    /// let labels = Labelled::of_graph(&graph, Play::Normal, &Limits::default())?;
    /// assert_eq!(labels.verification_ranks(&graph, &Limits::default())?, Some(vec![2, 1, 0]));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn verification_ranks(
        &self,
        graph: &Digraph,
        limits: &Limits<'_>,
    ) -> Result<Option<Vec<u32>>, Stop> {
        match &self.values {
            None => Ok(None),
            // In an acyclic graph, use the length of the longest play from each vertex as its rank.
            // Every move reduces this length.
            Some(AnyValues::Finite(_)) => graph.longest_plays(limits),
            Some(AnyValues::Loopy(values)) => {
                let vertices = 0..values.len() as u32;
                Ok(Some(vertices.map(|vertex| values.round(vertex)).collect()))
            }
        }
    }

    /// Returns the vertex after a best move from `vertex`: the quickest win, else a move to a draw,
    /// else the longest loss. Returns `None` if there is no move.
    ///
    /// # Panics
    /// Panics if there is no such vertex.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Labelled, Limits, Play, Position, Term, game_graph};
    /// let game = game_graph(&Position::from(Term::new(Nim, vec![3])), &Limits::default())?;
    /// let labels = Labelled::new(&game, Play::Misere, &Limits::default())?;
    /// let best = labels.best(&game, 0).expect("a move");
    /// assert_eq!(game.name(best), "nim(1)");
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn best(&self, game: &GameGraph, vertex: u32) -> Option<u32> {
        let index = self.labels.best_move(&game.graph, vertex)?;
        Some(game.graph.options(vertex)[index])
    }
}
