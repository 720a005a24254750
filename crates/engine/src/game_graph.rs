//! The game graph of a position: all positions reachable from it and the moves between them.

mod exploration;
mod labelled;
mod numbered;
mod visited;

use std::borrow::Cow;

use crate::position::Position;
use crate::rules::Nature;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::PayoffResult;
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
    /// The positions. A position is identified by its index.
    pub index: PositionIndex,
    /// The kind of game. If it matters which player moves first, position i has two vertices:
    /// vertex 2i with Left to move, and vertex 2i + 1 with Right to move.
    pub nature: Nature,
    /// The results of terminal positions for the player to move, in normal play. Each entry has a
    /// vertex and its result, and the list is sorted by vertex. The list is empty unless a payoff
    /// decides the game.
    pub ends: Vec<(u32, PayoffResult)>,
}

/// The positions of a game graph, numbered from 0.
#[derive(Debug)]
pub enum PositionIndex {
    /// The vertices of an explicit graph, with the names that the user gave them.
    Named(Names),
    /// The positions reached from a start position.
    Numbered(Numbered),
}

impl PositionIndex {
    /// Returns the number of positions found so far, including those whose moves have not been
    /// explored.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Limits, Position, Term, game_graph};
    /// let game = game_graph(&Position::from(Term::new(Nim, vec![2, 3])), &Limits::default())?;
    /// assert_eq!(game.index.len(), 12);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Named(names) => names.len(),
            Self::Numbered(numbered) => numbered.lists().len(),
        }
    }

    /// Returns whether there is no position.
    ///
    /// ```
    /// use grundy_core::graph::Names;
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{GameGraph, Position, PositionIndex, Term};
    /// let game = GameGraph::new(&Position::from(Term::new(Nim, vec![2])));
    /// assert!(!game.index.is_empty());
    /// assert!(PositionIndex::Named(Names::default()).is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the approximate number of bytes that the positions occupy.
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
            index: PositionIndex::Named(network.names),
            nature: Nature::IMPARTIAL,
            ends: Vec::new(),
        }
    }
}

impl GameGraph {
    /// Creates a graph that contains only `position`, without its moves.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{GameGraph, Position, Term};
    /// let game = GameGraph::new(&Position::from(Term::new(Nim, vec![3])));
    /// assert_eq!((game.index.len(), game.graph.vertices()), (1, 0));
    /// assert_eq!(game.name(0), "nim(3)");
    /// ```
    #[must_use]
    pub fn new(position: &Position) -> Self {
        Self {
            graph: Digraph::default(),
            index: PositionIndex::Numbered(Numbered::new(position)),
            nature: position.nature(),
            ends: Vec::new(),
        }
    }

    /// Returns the name of a position, which is unique. In an explicit graph it is the name that
    /// the user gave to the vertex. Otherwise it is the canonical notation, which is generated on
    /// each call.
    ///
    /// # Panics
    /// Panics if there is no such position.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::GameGraph;
    /// use grundy_core::graph::{Names, Network};
    /// let mut names = Names::default();
    /// let edge = (names.intern("start"), names.intern("end"));
    /// let game = GameGraph::from(Network::new(names, &[edge]));
    /// assert_eq!(game.name(1), "end");
    /// ```
    #[must_use]
    pub fn name(&self, position: u32) -> Cow<'_, str> {
        match &self.index {
            PositionIndex::Named(names) => names.get(position).into(),
            PositionIndex::Numbered(numbered) => numbered.position(position).to_string().into(),
        }
    }

    /// Returns the names of all positions, in the order of their numbers.
    ///
    /// # Complexity
    /// O(length of all names) time and memory, unless the user gave the names.
    ///
    /// # Errors
    /// Fails with the limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Limits, Position, Term, game_graph};
    /// let limits = Limits::default();
    /// let game = game_graph(&Position::from(Term::new(Nim, vec![2])), &limits)?;
    /// let names = game.names(&limits)?;
    /// assert_eq!([0, 1, 2].map(|position| names.get(position)), ["nim(2)", "nim(0)", "nim(1)"]);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn names(&self, limits: &Limits<'_>) -> Result<Cow<'_, Names>, Stop> {
        let numbered = match &self.index {
            PositionIndex::Named(names) => return Ok(Cow::Borrowed(names)),
            PositionIndex::Numbered(numbered) => numbered,
        };
        let mut names = Names::default();
        for position in 0..self.index.len() as u32 {
            names.intern(&self.name(position));
            if position.is_multiple_of(1024) {
                limits.poll()?;
                // The graph and its labels also occupy memory: 22 bytes for each vertex and 10
                // bytes for each edge, see `Exploration::check`.
                let graph = 22 * self.graph.vertices() + 10 * self.graph.edges();
                limits.check(1, numbered.bytes() + (graph + names.bytes()) as u64)?;
            }
        }
        Ok(Cow::Owned(names))
    }

    /// Returns the number of vertices of each position: 2 if it matters who moves first, and
    /// otherwise 1.
    ///
    /// ```
    /// use grundy_core::ruleset::{nim::Nim, toads_and_frogs::ToadsAndFrogs};
    /// use grundy_core::{GameGraph, Position, Term};
    /// let heap = Position::from(Term::new(Nim, vec![3]));
    /// assert_eq!(GameGraph::new(&heap).turns(), 1);
    /// let strip = Position::from(Term::new(ToadsAndFrogs, vec![b"T.F".to_vec()]));
    /// assert_eq!(GameGraph::new(&strip).turns(), 2);
    /// ```
    #[must_use]
    pub fn turns(&self) -> u32 {
        self.nature.beginners().len() as u32
    }

    /// Returns the number of positions whose moves have been explored. When the exploration has
    /// finished, these are all positions.
    ///
    /// ```
    /// use grundy_core::ruleset::toads_and_frogs::ToadsAndFrogs;
    /// use grundy_core::{Limits, Position, Term, game_graph};
    /// let strip = Position::from(Term::new(ToadsAndFrogs, vec![b"T.F".to_vec()]));
    /// let game = game_graph(&strip, &Limits::default())?;
    /// assert_eq!((game.positions(), game.graph.vertices()), (6, 12));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn positions(&self) -> u32 {
        self.graph.vertices() as u32 / self.turns()
    }

    /// Returns the position to which a vertex belongs.
    ///
    /// ```
    /// use grundy_core::ruleset::toads_and_frogs::ToadsAndFrogs;
    /// use grundy_core::{GameGraph, Position, Term};
    /// let game = GameGraph::new(&Position::from(Term::new(ToadsAndFrogs, vec![b"T.F".to_vec()])));
    /// // Vertices 4 and 5 are position 2 with Left to move and with Right to move.
    /// assert_eq!([4, 5].map(|vertex| game.position(vertex)), [2, 2]);
    /// ```
    #[must_use]
    pub fn position(&self, vertex: u32) -> u32 {
        vertex / self.turns()
    }
}

/// Returns the game graph of `position`, which becomes position 0.
///
/// If the position is a single term that is an explicit graph, the result is a subgraph. It
/// contains all vertices reachable from the vertex of the position. Otherwise the name of a
/// position is its canonical notation, and several moves of a player to the same position form one
/// edge.
///
/// # Complexity
/// One visit to every reachable position.
///
/// # Errors
/// Fails with the limit that was reached.
///
/// # Examples
/// ```
/// use grundy_core::ruleset::nim::Nim;
/// use grundy_core::{Limits, Position, Term, game_graph};
/// let game = game_graph(&Position::from(Term::new(Nim, vec![2])), &Limits::default())?;
/// assert_eq!(game.name(0), "nim(2)");
/// assert_eq!((game.graph.vertices(), game.graph.edges()), (3, 3));
/// # Ok::<(), grundy_core::Stop>(())
/// ```
pub fn game_graph(position: &Position, limits: &Limits<'_>) -> Result<GameGraph, Stop> {
    let mut exploration = Exploration::new(position);
    exploration.run(limits)?;
    Ok(exploration.finish())
}
