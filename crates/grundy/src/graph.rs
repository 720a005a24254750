//! Game graphs: outcome, remoteness and value of every vertex of a finite directed graph.

use grundy_base::{Outcome as VertexOutcome, OutcomeClass as Outcome, Play};
use grundy_core::graph;

use crate::{Error, ErrorKind, Place, Solver};

/// Largest number of vertices of a graph.
const MAX_VERTICES: usize = (1 << 31) - 1;

/// A finite directed graph. A vertex is a position, and an edge is a move of either player. The
/// graph may have cycles, loops and multiple edges. It takes 4 bytes for each vertex and for each
/// edge.
///
/// # Examples
/// ```
/// use grundy::prelude::*;
/// let graph = Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2)]);
/// assert_eq!(graph.label(Play::Normal).outcome(0), Outcome::P);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Digraph(graph::Digraph);

impl Digraph {
    /// Creates the graph with the given number of vertices, and an edge for each pair (source,
    /// target).
    ///
    /// # Panics
    /// If an end of an edge is not a vertex, or if there are more than 2^31 - 1 vertices or
    /// 2^32 - 1 edges. [`Digraph::try_from_edges`] returns an error instead.
    ///
    /// # Complexity
    /// O(n + m) for n vertices and m edges.
    ///
    /// # Examples
    /// See [`Digraph`].
    #[must_use]
    pub fn from_edges(vertices: usize, edges: &[(u32, u32)]) -> Self {
        Self::try_from_edges(vertices, edges).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates the graph like [`Digraph::from_edges`].
    ///
    /// # Errors
    /// An end of an edge that is not a vertex, whose place is the index of the edge. More than
    /// 2^31 - 1 vertices or 2^32 - 1 edges.
    ///
    /// # Complexity
    /// O(n + m) for n vertices and m edges.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let error = Digraph::try_from_edges(2, &[(0, 1), (1, 2)]).unwrap_err();
    /// assert_eq!(error.message(), "edge (1, 2) names vertex 2, but the vertices are 0 to 1");
    /// assert_eq!(error.place(), Some(&Place::Argument(vec![1, 1])));
    /// ```
    pub fn try_from_edges(vertices: usize, edges: &[(u32, u32)]) -> Result<Self, Error> {
        if vertices > MAX_VERTICES || u32::try_from(edges.len()).is_err() {
            return Err(Error::new(
                ErrorKind::Range,
                "a graph can have at most 2147483647 vertices and 4294967295 edges",
            ));
        }
        let wrong = |&(from, to): &(u32, u32)| from.max(to) as usize >= vertices;
        if let Some(index) = edges.iter().position(wrong) {
            let (from, to) = edges[index];
            let vertex = from.max(to);
            let message = match vertices.checked_sub(1) {
                Some(last) => format!(
                    "edge ({from}, {to}) names vertex {vertex}, but the vertices are 0 to {last}"
                ),
                None => format!("edge ({from}, {to}) names a vertex, but the graph has none"),
            };
            return Err(Error::new(ErrorKind::Range, message).at(Place::Argument(vec![1, index])));
        }
        Ok(Self(graph::Digraph::from_edges(vertices, edges)))
    }

    /// Returns the number of vertices.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(Digraph::from_edges(3, &[(0, 1)]).vertices(), 3);
    /// ```
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.0.vertices()
    }

    /// Returns the targets of the moves from a vertex.
    ///
    /// # Panics
    /// If there is no such vertex.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// assert_eq!(Digraph::from_edges(3, &[(1, 0), (1, 2)]).options(1), [0, 2]);
    /// ```
    #[must_use]
    pub fn options(&self, vertex: u32) -> &[u32] {
        self.0.options(vertex)
    }

    /// Labels every vertex with its outcome and its remoteness, by retrograde analysis.
    ///
    /// # Complexity
    /// O(n + m) time, and at most 13 bytes for each vertex and 4 for each edge.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let labels = Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2)]).label(Play::Normal);
    /// assert_eq!((labels.outcome(1), labels.remoteness(1)), (Outcome::N, Some(1)));
    /// ```
    #[must_use]
    pub fn label(&self, play: Play) -> Labels {
        Labels(self.0.label(play))
    }

    /// Labels every vertex, within the limits of a solver.
    ///
    /// # Errors
    /// A limit that was reached.
    ///
    /// # Complexity
    /// As [`Digraph::label`].
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let solver = Solver::new().timeout(std::time::Duration::from_secs(10));
    /// let labels = Digraph::from_edges(2, &[(0, 1)]).label_with(Play::Normal, &solver)?;
    /// assert_eq!(labels.outcome(0), Outcome::N);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn label_with(&self, play: Play, solver: &Solver) -> Result<Labels, Error> {
        let labels = solver
            .settings
            .run(|limits| self.0.label_with_limits(play, limits))?;
        Ok(Labels(labels))
    }

    /// Returns the Grundy values of all vertices, or `None` if the graph has a cycle.
    ///
    /// # Complexity
    /// O(n + m).
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let graph = Digraph::from_edges(3, &[(1, 0), (2, 0), (2, 1)]);
    /// assert_eq!(graph.grundy_values(), Some(vec![0, 1, 2]));
    /// assert_eq!(Digraph::from_edges(1, &[(0, 0)]).grundy_values(), None);
    /// ```
    #[must_use]
    pub fn grundy_values(&self) -> Option<Vec<u32>> {
        let values = self.0.grundy_values()?;
        values.iter().collect()
    }

    /// Returns the Smith–Fraenkel value of every vertex of a graph that may have cycles: a finite
    /// value, or the set K of an infinite one.
    ///
    /// # Complexity
    /// Close to O(n + m): the m edges are read once for each value that occurs near a cycle.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let graph = Digraph::from_edges(2, &[(0, 0), (0, 1)]);
    /// assert_eq!(graph.loopy_values(), [Err(vec![0]), Ok(0)]);
    /// ```
    #[must_use]
    pub fn loopy_values(&self) -> Vec<Result<u32, Vec<u32>>> {
        let values = self.0.loopy_values();
        let vertices = 0..self.vertices() as u32;
        vertices
            .map(|vertex| {
                let infinity = || values.infinity(&self.0, vertex).unwrap_or_default();
                values.get(vertex).ok_or_else(infinity)
            })
            .collect()
    }
}

/// The labels of all vertices of a [`Digraph`].
///
/// # Examples
/// See [`Digraph::label`].
#[derive(Clone, Debug)]
pub struct Labels(graph::Labels);

impl Labels {
    /// Returns the outcome of a vertex: N, P, or D for a draw.
    ///
    /// # Panics
    /// If there is no such vertex.
    ///
    /// # Examples
    /// See [`Digraph::label`].
    #[must_use]
    pub fn outcome(&self, vertex: u32) -> Outcome {
        match self.0.get(vertex).outcome {
            VertexOutcome::N => Outcome::N,
            VertexOutcome::P => Outcome::P,
            VertexOutcome::D => Outcome::D,
        }
    }

    /// Returns the number of moves if the winner plays for a quick end and the loser for a late
    /// one. `None` for a draw.
    ///
    /// # Panics
    /// If there is no such vertex.
    ///
    /// # Examples
    /// See [`Digraph::label`].
    #[must_use]
    pub fn remoteness(&self, vertex: u32) -> Option<u32> {
        self.0.get(vertex).remoteness
    }

    /// Returns the target of a best move: the quickest win, a draw, or the slowest loss. `None` if
    /// the vertex has no moves. `graph` must be the graph that was labelled.
    ///
    /// # Panics
    /// If there is no such vertex.
    ///
    /// # Complexity
    /// O(k) for k moves.
    ///
    /// # Examples
    /// ```
    /// use grundy::prelude::*;
    /// let graph = Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2)]);
    /// assert_eq!(graph.label(Play::Normal).best_move(&graph, 1), Some(2));
    /// ```
    #[must_use]
    pub fn best_move(&self, graph: &Digraph, vertex: u32) -> Option<u32> {
        let index = self.0.best_move(&graph.0, vertex)?;
        Some(graph.options(vertex)[index])
    }
}
