//! The game graph of a position: everything that can be reached from it, as an explicit graph.

mod exploration;
mod explored;
mod labelled;

use crate::graph::{Digraph, Names, Network};
use crate::limits::{Limits, Stop};
use crate::ties;

pub use exploration::Exploration;
pub use explored::{Explored, VisitPosition};
pub use labelled::{Labelled, Verdict};

/// What the vertices of a game graph are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Both players have the same moves: a vertex for each position.
    Impartial,
    /// Left and Right have their own: for position i, vertex 2i is Left to move, and 2i + 1 is Right to move.
    Partizan,
    /// A vertex for each position, and what the ends of the game are worth in normal play to the player to move: pairs
    /// of vertex and value, in increasing order.
    Ties(Vec<(u32, ties::Value)>),
}

impl Shape {
    /// How many vertices there are for each position.
    #[must_use]
    pub fn turns(&self) -> u32 {
        match self {
            Self::Partizan => 2,
            Self::Impartial | Self::Ties(_) => 1,
        }
    }
}

/// A game as a graph: its positions by name, and its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameGraph {
    /// The moves, from vertex to vertex.
    pub graph: Digraph,
    /// The names of the positions.
    pub names: Names,
    /// What the vertices are.
    pub shape: Shape,
}

impl From<Network> for GameGraph {
    fn from(network: Network) -> Self {
        Self {
            graph: network.graph,
            names: network.names,
            shape: Shape::Impartial,
        }
    }
}

impl GameGraph {
    /// How many positions have been looked at: all of them, once it is finished.
    #[must_use]
    pub fn positions(&self) -> u32 {
        self.graph.vertices() as u32 / self.shape.turns()
    }

    /// The position of a vertex.
    #[must_use]
    pub fn position(&self, vertex: u32) -> u32 {
        vertex / self.shape.turns()
    }
}

/// The game graph of `position`, which becomes position 0. A term that is a graph already gives the part of it that can be
/// reached; elsewhere positions have the names that they have in the notation, and moves of a player to the same position are
/// one.
///
/// # Complexity
/// One visit to every position that can be reached.
///
/// # Errors
/// The limit that was reached.
///
/// # Examples
/// ```
/// use grundy::ruleset::nim::Nim;
/// use grundy::{Limits, Position, Term, game_graph};
/// let game = game_graph(&Position::from(Term::new(Nim, vec![2])), &Limits::default())?;
/// assert_eq!(game.names.get(0), "nim(2)");
/// assert_eq!((game.graph.vertices(), game.graph.edges()), (3, 3));
/// # Ok::<(), grundy::Stop>(())
/// ```
pub fn game_graph(position: &impl Explored, limits: &Limits<'_>) -> Result<GameGraph, Stop> {
    let mut exploration = Exploration::new(position);
    exploration.run(limits)?;
    Ok(exploration.finish())
}
