//! The game graph of a position: everything that can be reached from it, as an explicit graph.

mod exploration;
mod labelled;

use crate::graph::{Digraph, Names, Network};
use crate::limits::{Limits, Stop};
use crate::outcome::Worth;
use crate::position::Position;
use crate::rules::Nature;

pub use exploration::Exploration;
pub use labelled::Labelled;

/// A game as a graph: its positions by name, and its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameGraph {
    /// The moves, from vertex to vertex.
    pub graph: Digraph,
    /// The names of the positions.
    pub names: Names,
    /// What kind of game it is. Where either player may begin and that makes a difference there are two vertices for each
    /// position: for position i, vertex 2i is Left to move, and 2i + 1 is Right to move.
    pub nature: Nature,
    /// What the ends of the game are worth in normal play to the player to move: pairs
    /// of vertex and worth, in increasing order; of all ends, where the end decides.
    pub ends: Vec<(u32, Worth)>,
}

impl From<Network> for GameGraph {
    fn from(network: Network) -> Self {
        Self {
            graph: network.graph,
            names: network.names,
            nature: Nature::IMPARTIAL,
            ends: Vec::new(),
        }
    }
}

impl GameGraph {
    /// A game of which nothing is known yet.
    #[must_use]
    pub fn new(nature: Nature) -> Self {
        Self {
            graph: Digraph::default(),
            names: Names::default(),
            nature,
            ends: Vec::new(),
        }
    }

    /// How many vertices there are for each position.
    #[must_use]
    pub fn turns(&self) -> u32 {
        self.nature.beginners().len() as u32
    }

    /// How many positions have been looked at: all of them, once it is finished.
    #[must_use]
    pub fn positions(&self) -> u32 {
        self.graph.vertices() as u32 / self.turns()
    }

    /// The position of a vertex.
    #[must_use]
    pub fn position(&self, vertex: u32) -> u32 {
        vertex / self.turns()
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
pub fn game_graph(position: &Position, limits: &Limits<'_>) -> Result<GameGraph, Stop> {
    let mut exploration = Exploration::new(position);
    exploration.run(limits)?;
    Ok(exploration.finish())
}
