//! Graphs with named vertices.

use super::{Digraph, Names};

/// A directed graph with a name for each vertex.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Network {
    /// The graph itself.
    pub graph: Digraph,
    /// The names, in the order of the vertices.
    pub names: Names,
    /// The file from which the graph was read, if any.
    pub file: Option<String>,
}

impl Network {
    /// Creates a graph from the names of the vertices and the edges.
    ///
    /// # Panics
    /// If an end of an edge has no name.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::{Names, Network};
    /// let mut names = Names::default();
    /// let (start, end) = (names.intern("start"), names.intern("end"));
    /// let network = Network::new(names, &[(start, end)]);
    /// assert_eq!(network.graph.options(start), [end]);
    /// assert_eq!(network.names.get(end), "end");
    /// ```
    #[must_use]
    pub fn new(names: Names, edges: &[(u32, u32)]) -> Self {
        Self {
            graph: Digraph::from_edges(names.len(), edges),
            names,
            file: None,
        }
    }

    /// Returns the subgraph of all vertices that can be reached from `start`. In it, `start` is
    /// vertex 0.
    ///
    /// # Panics
    /// If there is no such vertex.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::{Names, Network};
    /// let mut names = Names::default();
    /// let [a, b, c] = ["a", "b", "c"].map(|name| names.intern(name));
    /// let part = Network::new(names, &[(a, c), (c, b)]).reachable_subgraph(c);
    /// assert_eq!((part.names.get(0), part.names.get(1), part.names.len()), ("c", "b", 2));
    /// assert_eq!(part.graph.options(0), [1]);
    /// ```
    #[must_use]
    pub fn reachable_subgraph(&self, start: u32) -> Self {
        let (graph, reached) = self.graph.reachable_subgraph(start);
        let mut names = Names::default();
        for v in reached {
            names.intern(self.names.get(v));
        }
        Self {
            graph,
            names,
            file: None,
        }
    }
}
