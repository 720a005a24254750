//! Who wins at every position of a game graph, and how soon.

use super::{GameGraph, Shape};
use crate::graph::{Label, Labels, LoopyValues, Values};
use crate::limits::{Limits, Stop};
use crate::outcome::{Outcome, Play};
use crate::partizan::LoopyClass;
use crate::solve::loopy::Loopy;
use crate::ties;

/// Labels of all vertices of a game graph, and values where there are any.
///
/// ```
/// use grundy::ruleset::nim::Nim;
/// use grundy::{Labelled, Limits, Outcome, Play, Position, Term, Verdict, game_graph};
/// let game = game_graph(&Position::from(Term::new(Nim, vec![2])), &Limits::default())?;
/// let labelled = Labelled::new(&game, Play::Misere, &Limits::default())?;
/// let Verdict::Impartial(label) = labelled.verdict(&game, 0) else { unreachable!() };
/// assert_eq!((label.outcome, label.remoteness), (Outcome::N, Some(2)));
/// # Ok::<(), grundy::Stop>(())
/// ```
#[derive(Debug)]
pub struct Labelled {
    labels: Labels,
    values: Option<AnyValues>,
}

#[derive(Debug)]
enum AnyValues {
    Finite(Values),
    Loopy(LoopyValues),
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Of an impartial game.
    Impartial(Label),
    /// Of a partizan game: who wins, and the labels of Left and of Right to move.
    Partizan(LoopyClass, [Label; 2]),
    /// Of a game with ties: what it is worth to the player to move, and how soon it is won or lost.
    Ties(ties::Value, Option<u32>),
}

impl Labelled {
    /// Labels every vertex; impartial games get values in normal play.
    ///
    /// # Complexity
    /// That of [`crate::graph::Digraph::label`] and of [`crate::graph::Digraph::loopy_values`].
    ///
    /// # Errors
    /// What interrupted it.
    pub fn new(game: &GameGraph, play: Play, limits: &Limits<'_>) -> Result<Self, Stop> {
        let graph = &game.graph;
        let without_values = |labels| Self {
            labels,
            values: None,
        };
        match (&game.shape, play) {
            (Shape::Ties(ends), _) => {
                let worth = |value: ties::Value| match play {
                    Play::Normal => value.into(),
                    Play::Misere => value.reversed().into(),
                };
                let ends = ends.iter().map(|&(vertex, value)| (vertex, worth(value)));
                let ends: Vec<(u32, Outcome)> = ends.collect();
                let transposed = graph.transpose(limits)?;
                let labels = graph.label_from(&transposed, &ends, limits)?;
                Ok(without_values(labels))
            }
            // Values are of normal play.
            (Shape::Partizan, _) | (Shape::Impartial, Play::Misere) => {
                Ok(without_values(graph.label_within(play, limits)?))
            }
            (Shape::Impartial, Play::Normal) => {
                if let Some(values) = graph.grundy_values_within(limits)? {
                    return Ok(Self {
                        labels: graph.label_within(play, limits)?,
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
        }
    }

    /// Whether there are values: those of impartial games in normal play.
    #[must_use]
    pub fn has_values(&self) -> bool {
        self.values.is_some()
    }

    /// The label of a vertex.
    ///
    /// # Panics
    /// When there is no such vertex.
    #[must_use]
    pub fn label(&self, vertex: u32) -> Label {
        self.labels.get(vertex)
    }

    /// What is known of a position.
    ///
    /// # Panics
    /// When there is no such position.
    #[must_use]
    pub fn verdict(&self, game: &GameGraph, position: u32) -> Verdict {
        match game.shape {
            Shape::Impartial => Verdict::Impartial(self.label(position)),
            Shape::Partizan => {
                let labels = [2 * position, 2 * position + 1].map(|vertex| self.label(vertex));
                let class = LoopyClass::from_outcomes(labels.map(|label| label.outcome));
                Verdict::Partizan(class, labels)
            }
            Shape::Ties(_) => {
                let label = self.label(position);
                Verdict::Ties(label.outcome.into(), label.remoteness)
            }
        }
    }

    /// The value of a position; nothing where there are no values.
    ///
    /// # Panics
    /// When there is no such position.
    #[must_use]
    pub fn value(&self, game: &GameGraph, position: u32) -> Option<Loopy> {
        let finite = |value: u32| Loopy::Finite(value.into());
        match self.values.as_ref()? {
            AnyValues::Finite(values) => values.get(position).map(finite),
            AnyValues::Loopy(values) => values.get(position).map(finite).or_else(|| {
                let set = values.infinity(&game.graph, position)?;
                Some(Loopy::Infinite(set.into_iter().map(u64::from).collect()))
            }),
        }
    }

    /// The vertex that an optimal move of `vertex` leads to: the quickest win, else a move that does not lose, else the longest
    /// loss. Nothing at a vertex without moves.
    ///
    /// # Panics
    /// When there is no such vertex.
    #[must_use]
    pub fn best(&self, game: &GameGraph, vertex: u32) -> Option<u32> {
        let index = self.labels.best_move(&game.graph, vertex)?;
        Some(game.graph.options(vertex)[index])
    }
}
