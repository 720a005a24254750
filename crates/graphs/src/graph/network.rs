//! Graphs whose vertices have names.

use super::{Digraph, Names};

/// A digraph with a name for each vertex.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Network {
    /// The moves.
    pub graph: Digraph,
    /// The names, by the number of the vertex.
    pub names: Names,
    /// The file that it was read from, if it was.
    pub file: Option<String>,
}

impl Network {
    /// Returns the graph with these names and edges.
    ///
    /// # Panics
    /// When an end of an edge has no name.
    #[must_use]
    pub fn new(names: Names, edges: &[(u32, u32)]) -> Self {
        Self {
            graph: Digraph::from_edges(names.len(), edges),
            names,
            file: None,
        }
    }

    /// What can be reached from `start`, which becomes vertex 0.
    ///
    /// # Panics
    /// When there is no such vertex.
    #[must_use]
    pub fn part_from(&self, start: u32) -> Self {
        let (graph, reached) = self.graph.part_from(start);
        let mut names = Names::default();
        for v in reached {
            names.number(self.names.get(v));
        }
        Self {
            graph,
            names,
            file: None,
        }
    }
}
