//! Game graphs: outcome, remoteness and value of every vertex of a finite directed graph.
//!
//! A vertex is a position, and an edge is a move. A vertex without outgoing edges ends the game.
//! The graph may have cycles, loops and multiple edges, and vertices without predecessors.
//!
//! | question | function | time |
//! |---|---|---|
//! | outcome and remoteness | [`Digraph::label`] | O(n + m) |
//! | Grundy values without cycles | [`Digraph::grundy_values`] | O(n + m) |
//! | values with cycles | [`Digraph::loopy_values`] | near O(n + m) |
//!
//! Suppose that every move leads to a vertex with a smaller index, or every move to a vertex with a
//! larger index. Then a single pass suffices, by increasing index in the first case and by
//! decreasing index in the second. In this order every vertex follows its options.
//! [`Digraph::label`] therefore checks for these two cases first.

mod draws;
mod forward;
mod frontier;
mod label;
mod loopy;
mod network;
mod order;
mod retrograde;
mod sequences;
mod transpose;
mod values;

pub use draws::DrawLevels;
pub use frontier::Counters;
pub use label::{Label, Labels, Score};
pub use loopy::LoopyValues;
pub use network::Network;
pub use sequences::{Lists, Names, SequenceBuffer, SequenceInterner};
pub use transpose::Transposed;
pub use values::Values;

use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::{Outcome, Play};
use order::Numbering;

/// A directed graph in compressed sparse rows: the moves of all vertices in one list, vertex by
/// vertex.
///
/// It takes 4 bytes for each edge and 4 bytes for each vertex.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Digraph {
    offsets: Vec<u32>,
    targets: Vec<u32>,
}

impl Default for Digraph {
    fn default() -> Self {
        Self {
            offsets: vec![0],
            targets: Vec::new(),
        }
    }
}

impl Digraph {
    /// Largest number of vertices in a graph.
    pub const MAX_VERTICES: usize = (1 << 31) - 1;
    /// Largest number of edges in a graph.
    pub const MAX_EDGES: usize = u32::MAX as usize;

    /// Adds an edge from the current vertex to `target`. The current vertex is the one that the
    /// next call of [`Digraph::end_vertex`] completes.
    ///
    /// # Panics
    /// If the graph already has [`Digraph::MAX_EDGES`] edges.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// // A Nim heap of 0, 1 or 2 chips.
    /// let mut graph = Digraph::default();
    /// graph.end_vertex();
    /// graph.push_edge(0);
    /// graph.end_vertex();
    /// graph.push_edge(0);
    /// graph.push_edge(1);
    /// graph.end_vertex();
    /// assert_eq!(graph, Digraph::from_edges(3, &[(1, 0), (2, 0), (2, 1)]));
    /// ```
    pub fn push_edge(&mut self, target: u32) {
        assert!(
            self.targets.len() < Self::MAX_EDGES,
            "a graph must have fewer than 2^32 edges"
        );
        self.targets.push(target);
    }

    /// Completes the current vertex and begins the next one.
    ///
    /// # Panics
    /// If the graph already has [`Digraph::MAX_VERTICES`] vertices.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// let mut graph = Digraph::default();
    /// graph.end_vertex();
    /// graph.push_edge(0);
    /// assert_eq!((graph.vertices(), graph.edges()), (1, 1));
    /// graph.end_vertex();
    /// assert_eq!((graph.vertices(), graph.edges()), (2, 1));
    /// ```
    pub fn end_vertex(&mut self) {
        assert!(
            self.offsets.len() <= Self::MAX_VERTICES,
            "a graph must have fewer than 2^31 vertices"
        );
        self.offsets.push(self.targets.len() as u32);
    }

    /// Builds the graph with `vertices` vertices and the edges in `edges`, each as a pair (source,
    /// target). The moves of a vertex are in the order of `edges`.
    ///
    /// # Panics
    /// If an end of an edge is not a vertex, or if there are more than [`Digraph::MAX_VERTICES`]
    /// vertices or more than [`Digraph::MAX_EDGES`] edges.
    ///
    /// # Complexity
    /// O(n + m) time for n vertices and m edges, and no memory in addition to the graph.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// let graph = Digraph::from_edges(3, &[(1, 0), (0, 1), (1, 2)]);
    /// assert_eq!(graph.options(1), [0, 2]);
    /// ```
    #[must_use]
    pub fn from_edges(vertices: usize, edges: &[(u32, u32)]) -> Self {
        Self::from_edge_iter(vertices, edges.iter().copied())
    }

    /// Builds a graph from an iterator over its edges, as [`Digraph::from_edges`] does. The
    /// iterator is cloned and traversed twice, the second time backwards.
    ///
    /// # Panics
    /// As [`Digraph::from_edges`].
    ///
    /// # Complexity
    /// As [`Digraph::from_edges`].
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// let (sources, targets) = ([1, 0, 1], [0, 1, 2]);
    /// let graph = Digraph::from_edge_iter(3, sources.into_iter().zip(targets));
    /// assert_eq!(graph.options(1), [0, 2]);
    /// ```
    #[must_use]
    pub fn from_edge_iter<E>(vertices: usize, edges: E) -> Self
    where
        E: DoubleEndedIterator<Item = (u32, u32)> + ExactSizeIterator + Clone,
    {
        assert!(vertices <= Self::MAX_VERTICES && edges.len() <= Self::MAX_EDGES);
        let mut offsets = vec![0u32; vertices + 1];
        for (source, _) in edges.clone() {
            offsets[source as usize] += 1;
        }
        let mut sum = 0;
        for offset in &mut offsets {
            sum += *offset;
            *offset = sum;
        }
        // A counting sort. The edges are visited from the last to the first. This preserves the
        // order of the moves, and each offset becomes the start of its row.
        let mut targets = vec![0; edges.len()];
        for (source, target) in edges.rev() {
            assert!((target as usize) < vertices, "an edge leads to a vertex");
            let slot = &mut offsets[source as usize];
            *slot -= 1;
            targets[*slot as usize] = target;
        }
        Self { offsets, targets }
    }

    /// Returns the number of vertices.
    ///
    /// ```
    /// use grundy_core::graph::Digraph;
    /// assert_eq!(Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2)]).vertices(), 3);
    /// assert_eq!(Digraph::default().vertices(), 0);
    /// ```
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the number of edges.
    ///
    /// ```
    /// use grundy_core::graph::Digraph;
    /// // Multiple edges count separately.
    /// assert_eq!(Digraph::from_edges(3, &[(0, 1), (0, 1), (1, 2)]).edges(), 3);
    /// ```
    #[must_use]
    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    /// Returns the targets of the moves of `vertex`, in the order in which they were added.
    ///
    /// # Panics
    /// If there is no such vertex.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// let graph = Digraph::from_edges(3, &[(2, 1), (1, 0), (2, 0)]);
    /// assert_eq!(graph.options(2), [1, 0]);
    /// assert!(graph.options(0).is_empty());
    /// ```
    #[must_use]
    pub fn options(&self, vertex: u32) -> &[u32] {
        let row = vertex as usize;
        &self.targets[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    /// Labels every vertex with its outcome (N, P or D) and its remoteness.
    ///
    /// If the numbering is a topological order, this takes one pass. Otherwise it is a retrograde
    /// analysis in stages. The predecessors of the vertices lost in a stage are won. A vertex is
    /// lost once all its options are won. Vertices that no stage labels are draws. In misère play a
    /// vertex without moves is won for the player to move, with remoteness 0.
    ///
    /// # Panics
    /// If a target is not a vertex.
    ///
    /// # Complexity
    /// O(n + m) time. If the numbering is a topological order, the labels take 4 bytes for each
    /// vertex in addition to the graph. Computing them takes 1 more byte for each vertex, or up to
    /// 6 more if a remoteness exceeds 127. Otherwise the analysis takes 10 bytes for each vertex
    /// and 4 bytes for each edge, and 2 more bytes for each edge during the transposition.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// use grundy_core::{Outcome, Play};
    /// let graph = Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2)]);      // 0 <-> 1 -> 2
    /// let labels = graph.label(Play::Normal);
    /// let outcomes: Vec<Outcome> = labels.iter().map(|l| l.outcome).collect();
    /// assert_eq!(outcomes, [Outcome::P, Outcome::N, Outcome::P]);
    /// assert_eq!(labels.get(0).remoteness, Some(2));
    /// assert_eq!(labels.best_move(&graph, 1), Some(1));
    /// ```
    ///
    /// # References
    /// C. A. B. Smith, Graphs and composite games, J. Combin. Theory 1 (1966), 51-81. The counters
    /// of undecided moves are a method of T. Ströhlein (described in: K. Thompson, Retrograde
    /// analysis of certain endgames, ICCA Journal 9 (1986), 131-139).
    #[must_use]
    pub fn label(&self, play: Play) -> Labels {
        self.label_with_limits(play, &Limits::none())
            .expect("nothing limits it")
    }

    /// Labels the vertices as [`Digraph::label`] does, within limits.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// use grundy_core::{Limits, Outcome, Play};
    /// // A heap of 2 chips, from which a move takes one chip.
    /// let graph = Digraph::from_edges(3, &[(1, 0), (2, 1)]);
    /// let labels = graph.label_with_limits(Play::Misere, &Limits::default())?;
    /// let outcomes: Vec<Outcome> = labels.iter().map(|label| label.outcome).collect();
    /// assert_eq!(outcomes, [Outcome::N, Outcome::P, Outcome::N]);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn label_with_limits(&self, play: Play, limits: &Limits<'_>) -> Result<Labels, Stop> {
        match Numbering::of(self) {
            Some(numbering) => forward::labels(self, numbering, play, limits),
            None => self.label_with(&self.transpose(limits)?, play, limits),
        }
    }

    /// Labels the vertices as [`Digraph::label`] does. It always uses retrograde analysis, with the
    /// given transposed edges.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// use grundy_core::{Limits, Outcome, Play};
    /// // The only move leads from 0 to 1.
    /// let graph = Digraph::from_edges(2, &[(0, 1)]);
    /// let limits = Limits::none();
    /// let transposed = graph.transpose(&limits)?;
    /// let normal = graph.label_with(&transposed, Play::Normal, &limits)?;
    /// let misere = graph.label_with(&transposed, Play::Misere, &limits)?;
    /// assert_eq!((normal.get(0).outcome, misere.get(0).outcome), (Outcome::N, Outcome::P));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn label_with(
        &self,
        transposed: &Transposed,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Labels, Stop> {
        let end = match play {
            Play::Normal => Outcome::P,
            Play::Misere => Outcome::N,
        };
        retrograde::labels(self, transposed, |_| end, limits)
    }

    /// Labels the vertices as [`Digraph::label_with`] does, but the outcomes of vertices without
    /// moves are given.
    ///
    /// Each pair in `ends` is a vertex without moves and its outcome for the player to move. The
    /// vertices must be in increasing order. Other vertices without moves are draws.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// use grundy_core::{Limits, Outcome};
    /// // The only move leads from 0 to 1, where the game ends with a win of the player to move.
    /// let graph = Digraph::from_edges(2, &[(0, 1)]);
    /// let limits = Limits::none();
    /// let transposed = graph.transpose(&limits)?;
    /// let labels = graph.label_with_ends(&transposed, &[(1, Outcome::N)], &limits)?;
    /// assert_eq!((labels.get(0).outcome, labels.get(0).remoteness), (Outcome::P, Some(1)));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn label_with_ends(
        &self,
        transposed: &Transposed,
        ends: &[(u32, Outcome)],
        limits: &Limits<'_>,
    ) -> Result<Labels, Stop> {
        let terminal_outcome = |vertex| match ends.binary_search_by_key(&vertex, |&(end, _)| end) {
            Ok(place) => ends[place].1,
            Err(_) => Outcome::D,
        };
        retrograde::labels(self, transposed, terminal_outcome, limits)
    }

    /// Returns the draw levels of the vertices. `labels` must be the labels of this graph.
    ///
    /// # Complexity
    /// O(n + m) time for n vertices and m edges.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// use grundy_core::{Limits, Play};
    /// // Vertices 0 and 1 form a cycle without a way out, so they have no level.
    /// let graph = Digraph::from_edges(2, &[(0, 1), (1, 0)]);
    /// let labels = graph.label(Play::Normal);
    /// assert_eq!(graph.draw_levels(&labels, &Limits::none())?.get(0), None);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn draw_levels(&self, labels: &Labels, limits: &Limits<'_>) -> Result<DrawLevels, Stop> {
        draws::levels(self, &self.transpose(limits)?, labels, limits)
    }

    /// Returns the predecessors of every vertex.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_core::graph::Digraph;
    /// let graph = Digraph::from_edges(3, &[(0, 1), (0, 2), (1, 2)]);
    /// let transposed = graph.transpose(&Limits::none())?;
    /// assert_eq!(transposed.sources(2), [0, 1]);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn transpose(&self, limits: &Limits<'_>) -> Result<Transposed, Stop> {
        Transposed::of(self, limits)
    }

    /// Returns the Sprague–Grundy value of every vertex. Returns `None` if the graph has a cycle.
    ///
    /// # Panics
    /// If a target is not a vertex.
    ///
    /// # Complexity
    /// O(n + m) time. If the numbering is a topological order, it takes 1 byte for each vertex in
    /// addition to the graph. Otherwise it takes 10 bytes for each vertex and 4 bytes for each
    /// edge.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// let graph = Digraph::from_edges(3, &[(0, 1), (0, 2), (1, 2)]);
    /// let values = graph.grundy_values().expect("no cycle");
    /// assert_eq!([0, 1, 2].map(|v| values.get(v)), [Some(2), Some(1), Some(0)]);
    /// ```
    #[must_use]
    pub fn grundy_values(&self) -> Option<Values> {
        self.grundy_values_with_limits(&Limits::none())
            .expect("nothing limits it")
    }

    /// Computes values as [`Digraph::grundy_values`] does, within limits.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_core::graph::Digraph;
    /// let limits = Limits::default();
    /// let path = Digraph::from_edges(3, &[(0, 1), (1, 2)]);
    /// assert_eq!(path.grundy_values_with_limits(&limits)?.unwrap().get(1), Some(1));
    /// let cycle = Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2)]);
    /// assert_eq!(cycle.grundy_values_with_limits(&limits)?, None);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn grundy_values_with_limits(&self, limits: &Limits<'_>) -> Result<Option<Values>, Stop> {
        if let Some(numbering) = Numbering::of(self) {
            return forward::values(self, numbering, limits).map(Some);
        }
        match order::topological(self, &self.transpose(limits)?, limits)? {
            Some(order) => forward::values_along(self, &order, limits).map(Some),
            None => Ok(None),
        }
    }

    /// Returns the Smith–Fraenkel value of every vertex. It is a nimber, as in a game without
    /// cycles, or infinity.
    ///
    /// # Complexity
    /// O(n + m) time for the outcomes. In addition, for each value k, it visits the edges at the
    /// vertices whose options include every value below k. This is O(m √m) in the worst case, and
    /// close to linear in practice.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// // From 0 a player may stay at 0 or end the game: an N-position, yet its value is infinite.
    /// let graph = Digraph::from_edges(2, &[(0, 0), (0, 1)]);
    /// let values = graph.loopy_values();
    /// assert_eq!((values.get(0), values.get(1)), (None, Some(0)));
    /// assert_eq!(values.infinity(&graph, 0), Some(vec![0]));
    /// ```
    ///
    /// # References
    /// See `docs/graphs.md` for the theorem and its proof.
    #[must_use]
    pub fn loopy_values(&self) -> LoopyValues {
        let limits = Limits::none();
        let transposed = self.transpose(&limits).expect("nothing limits it");
        let labels = self
            .label_with(&transposed, Play::Normal, &limits)
            .expect("nothing limits it");
        self.loopy_values_with(&transposed, &labels, &limits)
            .expect("nothing limits it")
    }

    /// Computes values as [`Digraph::loopy_values`] does, with the given transposed edges and
    /// labels of normal play.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// use grundy_core::{Limits, Play};
    /// let graph = Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2)]);      // 0 <-> 1 -> 2
    /// let limits = Limits::none();
    /// let transposed = graph.transpose(&limits)?;
    /// let labels = graph.label_with(&transposed, Play::Normal, &limits)?;
    /// let values = graph.loopy_values_with(&transposed, &labels, &limits)?;
    /// assert_eq!([0, 1, 2].map(|v| values.get(v)), [Some(0), Some(1), Some(0)]);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn loopy_values_with(
        &self,
        transposed: &Transposed,
        labels: &Labels,
        limits: &Limits<'_>,
    ) -> Result<LoopyValues, Stop> {
        loopy::smith_fraenkel(self, transposed, labels, limits)
    }

    /// Returns the subgraph of all vertices that can be reached from `start`. For each vertex of
    /// the subgraph, also returns its index in this graph. In the subgraph, `start` is vertex 0.
    ///
    /// # Panics
    /// If there is no such vertex.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// let graph = Digraph::from_edges(4, &[(3, 1), (1, 0), (2, 0)]);
    /// let (part, indices) = graph.reachable_subgraph(3);
    /// assert_eq!(indices, [3, 1, 0]);
    /// assert_eq!(part, Digraph::from_edges(3, &[(0, 1), (1, 2)]));
    /// ```
    #[must_use]
    pub fn reachable_subgraph(&self, start: u32) -> (Self, Vec<u32>) {
        const NEW: u32 = u32::MAX;
        let mut numbers = vec![NEW; self.vertices()];
        let mut reached = vec![start];
        numbers[start as usize] = 0;
        let mut part = Self::default();
        // Breadth-first search. The list of reached vertices is also the queue, and its order is
        // the new numbering.
        let mut next = 0;
        while next < reached.len() {
            for &w in self.options(reached[next]) {
                let number = &mut numbers[w as usize];
                if *number == NEW {
                    *number = reached.len() as u32;
                    reached.push(w);
                }
                part.push_edge(*number);
            }
            part.end_vertex();
            next += 1;
        }
        (part, reached)
    }

    /// Returns the vertices of a cycle that can be reached from `start`, in the order of the moves.
    /// Returns `None` if every play from `start` ends.
    ///
    /// # Panics
    /// If there is no such vertex.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// let graph = Digraph::from_edges(4, &[(0, 1), (1, 2), (2, 1), (2, 3)]);
    /// assert_eq!(graph.cycle_from(0), Some(vec![1, 2]));
    /// assert_eq!(graph.cycle_from(3), None);
    /// ```
    #[must_use]
    pub fn cycle_from(&self, start: u32) -> Option<Vec<u32>> {
        #[derive(Clone, Copy, PartialEq)]
        enum VertexState {
            New,
            Open,
            Done,
        }
        let mut states = vec![VertexState::New; self.vertices()];
        states[start as usize] = VertexState::Open;
        // The stack is explicit, since a path can be as long as the number of vertices.
        let mut path = vec![(start, 0)];
        while let Some((v, next)) = path.last_mut() {
            let Some(&w) = self.options(*v).get(*next) else {
                states[*v as usize] = VertexState::Done;
                path.pop();
                continue;
            };
            *next += 1;
            match states[w as usize] {
                VertexState::New => {
                    states[w as usize] = VertexState::Open;
                    path.push((w, 0));
                }
                VertexState::Open => {
                    // An edge to a vertex on the current path closes a cycle.
                    let from = path.iter().position(|&(v, _)| v == w)?;
                    return Some(path[from..].iter().map(|&(v, _)| v).collect());
                }
                VertexState::Done => {}
            }
        }
        None
    }

    /// Returns, for each vertex, the number of moves in the longest play from there. Returns `None`
    /// if the graph has a cycle.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_core::graph::Digraph;
    /// // A heap of up to 5 chips, from which a move takes two or three chips.
    /// let edges = [(2, 0), (3, 1), (3, 0), (4, 2), (4, 1), (5, 3), (5, 2)];
    /// let longest = Digraph::from_edges(6, &edges).longest_plays(&Limits::none())?;
    /// assert_eq!(longest, Some(vec![0, 0, 1, 1, 2, 2]));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn longest_plays(&self, limits: &Limits<'_>) -> Result<Option<Vec<u32>>, Stop> {
        let order = match Numbering::of(self) {
            Some(numbering) => numbering.collect(self),
            None => match order::topological(self, &self.transpose(limits)?, limits)? {
                Some(order) => order,
                None => return Ok(None),
            },
        };
        let mut longest = vec![0; self.vertices()];
        for v in order {
            let options = self.options(v).iter();
            let most = options.map(|&w| longest[w as usize] + 1).max();
            longest[v as usize] = most.unwrap_or(0);
        }
        Ok(Some(longest))
    }
}
