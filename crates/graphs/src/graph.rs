//! Game graphs: outcome, remoteness and value of every vertex of a finite digraph.
//!
//! A vertex is a position, an edge a move; a vertex without edges ends the game. There may be
//! cycles, loops, several edges between two vertices, and vertices that nothing leads to.
//!
//! | question | function | time |
//! |---|---|---|
//! | who wins, and how soon | [`Digraph::label`] | O(n + m) |
//! | Grundy values without cycles | [`Digraph::grundy_values`] | O(n + m) |
//! | values with cycles | [`Digraph::loopy_values`] | near O(n + m) |
//!
//! When the numbering is a topological order (every move leads to a smaller number, or every move
//! to a larger one) a single pass along it answers everything; [`Digraph::label`] looks for that
//! first.

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

pub use frontier::Counters;
pub use label::{Label, Labels, Score};
pub use loopy::LoopyValues;
pub use network::Network;
pub use sequences::{Lists, Names, SequenceBuffer, Sequences};
pub use transpose::Transposed;
pub use values::Values;

use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::{Outcome, Play};
use order::Numbering;

/// A digraph in compressed rows: the moves of one vertex after those of the vertex before.
///
/// It takes 4 bytes an edge and 4 bytes a vertex.
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
    /// Most vertices a graph can have.
    pub const MOST_VERTICES: usize = (1 << 31) - 1;
    /// Most edges a graph can have.
    pub const MOST_EDGES: usize = u32::MAX as usize;

    /// Adds a move from the vertex being written.
    ///
    /// # Panics
    /// When there are [`Digraph::MOST_EDGES`] already.
    pub fn push_edge(&mut self, target: u32) {
        assert!(
            self.targets.len() < Self::MOST_EDGES,
            "a graph has less than 2^32 edges"
        );
        self.targets.push(target);
    }

    /// Ends the vertex being written and begins the next.
    ///
    /// # Panics
    /// When there are [`Digraph::MOST_VERTICES`] already.
    pub fn end_vertex(&mut self) {
        assert!(
            self.offsets.len() <= Self::MOST_VERTICES,
            "a graph has less than 2^31 vertices"
        );
        self.offsets.push(self.targets.len() as u32);
    }

    /// Returns the graph with `vertices` vertices and these edges; the moves of a vertex keep the
    /// order of `edges`.
    ///
    /// # Panics
    /// When an end of an edge is not a vertex, or there are more than [`Digraph::MOST_VERTICES`]
    /// vertices or [`Digraph::MOST_EDGES`] edges.
    ///
    /// # Complexity
    /// O(n + m) time, 4 bytes a vertex beside the result.
    ///
    /// # Examples
    /// ```
    /// use grundy::graph::Digraph;
    /// let graph = Digraph::from_edges(3, &[(1, 0), (0, 1), (1, 2)]);
    /// assert_eq!(graph.options(1), [0, 2]);
    /// ```
    #[must_use]
    pub fn from_edges(vertices: usize, edges: &[(u32, u32)]) -> Self {
        Self::from_ends(vertices, edges.iter().copied())
    }

    /// [`Digraph::from_edges`] of edges that are kept in some other way: they are gone through
    /// twice, the second time from the end.
    ///
    /// # Panics
    /// As [`Digraph::from_edges`].
    ///
    /// # Complexity
    /// As [`Digraph::from_edges`].
    ///
    /// # Examples
    /// ```
    /// use grundy::graph::Digraph;
    /// let (sources, targets) = ([1, 0, 1], [0, 1, 2]);
    /// let graph = Digraph::from_ends(3, sources.into_iter().zip(targets));
    /// assert_eq!(graph.options(1), [0, 2]);
    /// ```
    #[must_use]
    pub fn from_ends<E>(vertices: usize, edges: E) -> Self
    where
        E: DoubleEndedIterator<Item = (u32, u32)> + ExactSizeIterator + Clone,
    {
        assert!(vertices <= Self::MOST_VERTICES && edges.len() <= Self::MOST_EDGES);
        let mut offsets = vec![0u32; vertices + 1];
        for (source, _) in edges.clone() {
            offsets[source as usize] += 1;
        }
        let mut sum = 0;
        for offset in &mut offsets {
            sum += *offset;
            *offset = sum;
        }
        // Filled from the back, each offset ends as the beginning of its row.
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
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the number of moves.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    /// Where the moves of `vertex` lead, in the order written.
    ///
    /// # Panics
    /// When there is no such vertex.
    #[must_use]
    pub fn options(&self, vertex: u32) -> &[u32] {
        let row = vertex as usize;
        &self.targets[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    /// Labels every vertex N, P or D, with its remoteness.
    ///
    /// Along a topological numbering this is one pass. Else it is retrograde analysis: stage by
    /// stage, the losing vertices of a stage make their predecessors winning, and a vertex whose
    /// last move leads to a winning one is losing; what no stage reaches is a draw. In misère play
    /// a vertex without moves is won by the player to move, at remoteness 0.
    ///
    /// # Panics
    /// When a target is not a vertex.
    ///
    /// # Complexity
    /// O(n + m) time. Beside the graph: 4 bytes a vertex along a topological numbering; else 10
    /// bytes a vertex and 4 bytes an edge, and 2 more an edge while the edges are turned round.
    ///
    /// # Examples
    /// ```
    /// use grundy::graph::Digraph;
    /// use grundy::{Outcome, Play};
    /// let graph = Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2)]);      // 0 <-> 1 -> 2
    /// let labels = graph.label(Play::Normal);
    /// assert_eq!(labels.iter().map(|l| l.outcome).collect::<Vec<_>>(), [Outcome::P, Outcome::N, Outcome::P]);
    /// assert_eq!(labels.get(0).remoteness, Some(2));
    /// assert_eq!(labels.best_move(&graph, 1), Some(1));
    /// ```
    ///
    /// # References
    /// C. A. B. Smith, Graphs and composite games, J. Combin. Theory 1 (1966), 51-81. T.
    /// Ströhlein's method of counting the moves left is described by K. Thompson, Retrograde
    /// analysis of certain endgames, ICCA Journal 9 (1986), 131-139.
    #[must_use]
    pub fn label(&self, play: Play) -> Labels {
        self.label_within(play, &Limits::none())
            .expect("nothing limits it")
    }

    /// [`Digraph::label`] within limits.
    ///
    /// # Errors
    /// What interrupted it.
    pub fn label_within(&self, play: Play, limits: &Limits<'_>) -> Result<Labels, Stop> {
        match Numbering::of(self) {
            Some(numbering) => forward::labels(self, numbering, play, limits),
            None => self.label_with(&self.transpose(limits)?, play, limits),
        }
    }

    /// [`Digraph::label`] by retrograde analysis over edges already turned round.
    ///
    /// # Errors
    /// What interrupted it.
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

    /// [`Digraph::label_with`] where `ends` says what vertices without moves are worth to the
    /// player to move: pairs in increasing order of the vertex. One that is not there is worth a
    /// draw.
    ///
    /// # Errors
    /// What interrupted it.
    ///
    /// # Examples
    /// ```
    /// use grundy::graph::Digraph;
    /// use grundy::{Limits, Outcome};
    /// // From 0 one can only go to 1, and the game ends there: 1 is worth a win to the player who comes to it.
    /// let graph = Digraph::from_edges(2, &[(0, 1)]);
    /// let limits = Limits::none();
    /// let labels = graph.label_from(&graph.transpose(&limits)?, &[(1, Outcome::N)], &limits)?;
    /// assert_eq!((labels.get(0).outcome, labels.get(0).remoteness), (Outcome::P, Some(1)));
    /// # Ok::<(), grundy::Stop>(())
    /// ```
    pub fn label_from(
        &self,
        transposed: &Transposed,
        ends: &[(u32, Outcome)],
        limits: &Limits<'_>,
    ) -> Result<Labels, Stop> {
        let worth = |vertex| match ends.binary_search_by_key(&vertex, |&(end, _)| end) {
            Ok(place) => ends[place].1,
            Err(_) => Outcome::D,
        };
        retrograde::labels(self, transposed, worth, limits)
    }

    /// Returns the edges turned round: who moves to a vertex.
    ///
    /// # Errors
    /// What interrupted it.
    pub fn transpose(&self, limits: &Limits<'_>) -> Result<Transposed, Stop> {
        Transposed::of(self, limits)
    }

    /// Returns the Sprague–Grundy value of every vertex of a graph without cycles; `None` when
    /// there is a cycle.
    ///
    /// # Panics
    /// When a target is not a vertex.
    ///
    /// # Complexity
    /// O(n + m) time. Beside the graph: 1 byte a vertex along a topological numbering, else 10
    /// bytes a vertex and 4 bytes an edge.
    ///
    /// # Examples
    /// ```
    /// use grundy::graph::Digraph;
    /// let graph = Digraph::from_edges(3, &[(0, 1), (0, 2), (1, 2)]);
    /// let values = graph.grundy_values().expect("no cycle");
    /// assert_eq!([0, 1, 2].map(|v| values.get(v)), [Some(2), Some(1), Some(0)]);
    /// ```
    #[must_use]
    pub fn grundy_values(&self) -> Option<Values> {
        self.grundy_values_within(&Limits::none())
            .expect("nothing limits it")
    }

    /// [`Digraph::grundy_values`] within limits.
    ///
    /// # Errors
    /// What interrupted it.
    pub fn grundy_values_within(&self, limits: &Limits<'_>) -> Result<Option<Values>, Stop> {
        if let Some(numbering) = Numbering::of(self) {
            return forward::values(self, numbering, limits).map(Some);
        }
        match order::topological(self, &self.transpose(limits)?, limits)? {
            Some(order) => forward::values_along(self, &order, limits).map(Some),
            None => Ok(None),
        }
    }

    /// Returns the Smith–Fraenkel value of every vertex: a number as in a game that ends, or
    /// infinity.
    ///
    /// # Complexity
    /// O(n + m) for outcomes and then, for each value k, the edges at the vertices that have
    /// options of all smaller values: O(m √m) at worst, close to linear in practice.
    ///
    /// # Examples
    /// ```
    /// use grundy::graph::Digraph;
    /// // 0 may stay where it is or end the game: a win alone, though its value is infinite.
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

    /// [`Digraph::loopy_values`] from the edges turned round and the labels of normal play.
    ///
    /// # Errors
    /// What interrupted it.
    pub fn loopy_values_with(
        &self,
        transposed: &Transposed,
        labels: &Labels,
        limits: &Limits<'_>,
    ) -> Result<LoopyValues, Stop> {
        loopy::smith_fraenkel(self, transposed, labels, limits)
    }

    /// What can be reached from `start`, which becomes vertex 0, with the old numbers of its
    /// vertices.
    ///
    /// # Panics
    /// When there is no such vertex.
    #[must_use]
    pub fn part_from(&self, start: u32) -> (Self, Vec<u32>) {
        const NEW: u32 = u32::MAX;
        let mut numbers = vec![NEW; self.vertices()];
        let mut reached = vec![start];
        numbers[start as usize] = 0;
        let mut part = Self::default();
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

    /// Returns a cycle that can be reached from `start`: its vertices in order, each one move from
    /// the one before, and the first one move from the last. Nothing when every play from `start`
    /// ends.
    ///
    /// # Panics
    /// When there is no such vertex.
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
                    let from = path.iter().position(|&(v, _)| v == w)?;
                    return Some(path[from..].iter().map(|&(v, _)| v).collect());
                }
                VertexState::Done => {}
            }
        }
        None
    }

    /// Returns the number of moves of the longest play from each vertex, by their number; `None`
    /// when there is a cycle.
    ///
    /// # Errors
    /// What interrupted it.
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
