//! The game graph of a position: everything that can be reached from it, as an explicit graph.

mod exploration;
mod labelled;
mod numbered;
mod visited;

use std::borrow::Cow;

use crate::position::Position;
use crate::rules::Nature;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Worth;
use grundy_graphs::graph::{Digraph, Names, Network};

pub use exploration::Exploration;
pub use labelled::Labelled;
pub use numbered::Numbered;
pub use visited::Visited;

/// A game as a graph: its positions by number, and its moves.
#[derive(Debug)]
pub struct GameGraph {
    /// The moves, from vertex to vertex.
    pub graph: Digraph,
    /// The positions.
    pub met: Met,
    /// What kind of game it is. Where either player may begin and that makes a difference there are
    /// two vertices for each position: for position i, vertex 2i is Left to move, and 2i + 1 is
    /// Right to move.
    pub nature: Nature,
    /// What the ends of the game are worth in normal play to the player to move: pairs
    /// of vertex and worth, in increasing order; of all ends, where the end decides.
    pub ends: Vec<(u32, Worth)>,
}

/// The positions of a game graph.
#[derive(Debug)]
pub enum Met {
    /// Those of a graph that was given, by the names that it gives them.
    Named(Names),
    /// Those that were found from a first one on.
    Numbered(Numbered),
}

impl Met {
    /// How many have been met: those that have been looked at, and those that these lead to.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Named(names) => names.len(),
            Self::Numbered(numbered) => numbered.lists().len(),
        }
    }

    /// Returns whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// About how many bytes they take.
    fn bytes(&self) -> u64 {
        match self {
            Self::Named(names) => names.bytes() as u64,
            Self::Numbered(numbered) => numbered.bytes(),
        }
    }
}

impl From<Network> for GameGraph {
    fn from(network: Network) -> Self {
        Self {
            graph: network.graph,
            met: Met::Named(network.names),
            nature: Nature::IMPARTIAL,
            ends: Vec::new(),
        }
    }
}

impl GameGraph {
    /// What can be reached from a position, of which nothing is known yet but the position itself.
    #[must_use]
    pub fn new(position: &Position) -> Self {
        Self {
            graph: Digraph::default(),
            met: Met::Numbered(Numbered::new(position)),
            nature: position.nature(),
            ends: Vec::new(),
        }
    }

    /// Returns the name of a position: that of a vertex as it was given, else the position in the
    /// notation, which is written now. No two have the same.
    ///
    /// # Panics
    /// When there is no such position.
    #[must_use]
    pub fn name(&self, position: u32) -> Cow<'_, str> {
        match &self.met {
            Met::Named(names) => names.get(position).into(),
            Met::Numbered(numbered) => numbered.position(position).to_string().into(),
        }
    }

    /// Returns all names, written now where they are not given.
    ///
    /// # Complexity
    /// O(length of all names) time and memory where they are written.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn names(&self, limits: &Limits<'_>) -> Result<Cow<'_, Names>, Stop> {
        let numbered = match &self.met {
            Met::Named(names) => return Ok(Cow::Borrowed(names)),
            Met::Numbered(numbered) => numbered,
        };
        let mut names = Names::default();
        for position in 0..self.met.len() as u32 {
            names.number(&self.name(position));
            if position.is_multiple_of(1024) {
                limits.poll()?;
                let graph = 22 * self.graph.vertices() + 10 * self.graph.edges();
                limits.check(1, numbered.bytes() + (graph + names.bytes()) as u64)?;
            }
        }
        Ok(Cow::Owned(names))
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

    /// Returns the position of a vertex.
    #[must_use]
    pub fn position(&self, vertex: u32) -> u32 {
        vertex / self.turns()
    }
}

/// Returns the game graph of `position`, which becomes position 0. A term that is a graph already
/// gives the part of it that can be reached; elsewhere positions have the names that they have in
/// the notation, and moves of a player to the same position are one.
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
/// assert_eq!(game.name(0), "nim(2)");
/// assert_eq!((game.graph.vertices(), game.graph.edges()), (3, 3));
/// # Ok::<(), grundy::Stop>(())
/// ```
pub fn game_graph(position: &Position, limits: &Limits<'_>) -> Result<GameGraph, Stop> {
    let mut exploration = Exploration::new(position);
    exploration.run(limits)?;
    Ok(exploration.finish())
}
