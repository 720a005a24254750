//! The game graph of a position: everything reachable from it, as an explicit graph.

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

/// A game as a graph of its positions and moves.
#[derive(Debug)]
pub struct GameGraph {
    /// The moves, as edges between vertices.
    pub graph: Digraph,
    /// The positions.
    pub met: Met,
    /// The kind of game. If either player may move first and this makes a difference, position i
    /// has two vertices: in 2i Left is to move, and in 2i + 1 Right.
    pub nature: Nature,
    /// The results of terminal positions for the player to move, in normal play: pairs of a vertex
    /// and its result, sorted by vertex. Empty unless a payoff decides.
    pub ends: Vec<(u32, Worth)>,
}

/// The positions of a game graph.
#[derive(Debug)]
pub enum Met {
    /// The positions of a given graph, by their names there.
    Named(Names),
    /// The positions found from a start position.
    Numbered(Numbered),
}

impl Met {
    /// Returns the number of positions found, including those whose moves are still unknown.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Named(names) => names.len(),
            Self::Numbered(numbered) => numbered.lists().len(),
        }
    }

    /// Returns whether there is no position.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the approximate number of bytes held.
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
    /// Creates the graph of a position, with no moves explored.
    #[must_use]
    pub fn new(position: &Position) -> Self {
        Self {
            graph: Digraph::default(),
            met: Met::Numbered(Numbered::new(position)),
            nature: position.nature(),
            ends: Vec::new(),
        }
    }

    /// Returns the name of a position: the given name of a vertex, or else the canonical notation,
    /// which is written on each call. Names are unique.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn name(&self, position: u32) -> Cow<'_, str> {
        match &self.met {
            Met::Named(names) => names.get(position).into(),
            Met::Numbered(numbered) => numbered.position(position).to_string().into(),
        }
    }

    /// Returns all names, and writes those that are not given.
    ///
    /// # Complexity
    /// O(length of all names) time and memory if they are written.
    ///
    /// # Errors
    /// Fails with the limit that was reached.
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
                // The graph and its labels stay in memory, with 22 bytes a vertex and 10 an edge,
                // see `Exploration::check`.
                let graph = 22 * self.graph.vertices() + 10 * self.graph.edges();
                limits.check(1, numbered.bytes() + (graph + names.bytes()) as u64)?;
            }
        }
        Ok(Cow::Owned(names))
    }

    /// Returns the number of vertices for each position.
    #[must_use]
    pub fn turns(&self) -> u32 {
        self.nature.beginners().len() as u32
    }

    /// Returns the number of positions whose moves are known. It is the number of all positions
    /// once the exploration has finished.
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

/// Returns the game graph of `position`, which becomes position 0.
///
/// A term that is a graph itself gives its reachable part. Otherwise positions are named in
/// canonical notation, and moves of a player to the same position are merged.
///
/// # Complexity
/// One visit to every reachable position.
///
/// # Errors
/// Fails with the limit that was reached.
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
