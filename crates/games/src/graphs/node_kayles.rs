//! Node Kayles: `node_kayles(edges)`.
//!
//! Rules. A move removes a vertex of a graph and all its neighbours. A player who cannot move loses
//! (T. J. Schaefer, On the complexity of some two-person perfect-information games, J. Comput.
//! System Sci. 16 (1978), 185-225).
//!
//! Notation. Edges are written `0-1 1-2`; a bare number is a vertex without edges. Repeated edges
//! count once, and loops are rejected.
//!
//! Components. Connected components form a sum, so values are computed for each component. No
//! closed form is known for general graphs.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;

use crate::argument::{Arguments, GraphLimits, VisitEdge, edges};
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{Capabilities, EveryOption, Pictures, Ruleset, SmallValues, Visit};

/// The rules of Node Kayles. A position is a sum of graphs.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct NodeKayles;

/// A graph as adjacency lists: each vertex with its neighbours, both in increasing order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KaylesGraph(Vec<(u32, Vec<u32>)>);

/// The maximal size of a graph.
const LIMITS: GraphLimits = GraphLimits {
    vertices: 10_000,
    edges: 100_000,
    directed: false,
};

/// Number of rounds of colour refinement.
///
/// After these rounds some isomorphic graphs may still have different representations. This costs
/// memory but changes no result.
const ROUNDS: usize = 6;

/// Reads `node_kayles(edges)`.
///
/// # Errors
/// A word that is neither an edge `a-b` of two different vertices nor a vertex.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::node_kayles};
/// // A path of n vertices is a heap of n in Dawson's Chess.
/// let items = [(None, Argument::Text("0-1 1-2 2-3 3-4".to_owned()))];
/// let position = Position::from(node_kayles::construct(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(3));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let mut graph: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    read_edges(arguments, &mut |a, b| {
        if b == Some(a) {
            return Err(message!("loops are not allowed: vertex {a}", a));
        }
        graph.entry(a).or_default().extend(b);
        if let Some(b) = b {
            graph.entry(b).or_default().push(a);
        }
        Ok(())
    })?;
    Ok(Term::new(NodeKayles, vec![KaylesGraph::from_rows(graph)]).into())
}

/// Reads the argument `edges`. For each edge, passes its two ends to `visit`. For an isolated
/// vertex, passes the vertex and `None`.
///
/// # Errors
/// The errors of [`edges`].
pub(crate) fn read_edges(
    arguments: &Arguments<'_>,
    visit: VisitEdge<'_>,
) -> Result<(), Diagnostic> {
    let [Some((place, value))] = arguments.bind(["edges"], 1)? else {
        unreachable!("bind has seen to it that the edges are there");
    };
    edges(value, &[place], LIMITS, visit)
}

impl KaylesGraph {
    /// Creates a graph from adjacency lists, in which a neighbour may be listed repeatedly.
    fn from_rows(mut rows: BTreeMap<u32, Vec<u32>>) -> Self {
        for neighbours in rows.values_mut() {
            neighbours.sort_unstable();
            neighbours.dedup();
        }
        Self(rows.into_iter().collect())
    }

    /// Creates a graph from edges. Equal edges count once; loops are allowed.
    pub(crate) fn from_edges(edges: impl Iterator<Item = [u32; 2]>) -> Self {
        let mut rows: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for [a, b] in edges {
            rows.entry(a).or_default().push(b);
            rows.entry(b).or_default().push(a);
        }
        Self::from_rows(rows)
    }

    /// Returns all edges, each with the smaller vertex first.
    pub(crate) fn edges(&self) -> Vec<[u32; 2]> {
        let rows = self.0.iter();
        let edges = rows.flat_map(|(a, neighbours)| {
            neighbours
                .iter()
                .filter(move |b| a <= b)
                .map(move |b| [*a, *b])
        });
        edges.collect()
    }

    /// Visits the connected components, each with its vertices renumbered.
    pub(crate) fn visit_components(&self, visit: &mut dyn FnMut(Self)) {
        let mut seen = vec![false; self.0.len()];
        for start in 0..seen.len() {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let mut members = vec![start];
            let mut next = 0;
            while next < members.len() {
                for index in self.closed_neighbourhood(members[next]) {
                    if !std::mem::replace(&mut seen[index], true) {
                        members.push(index);
                    }
                }
                next += 1;
            }
            visit(self.renumbered(&members));
        }
    }

    /// Returns the graph without the vertices at the indices `removed`.
    fn without(&self, removed: &[usize]) -> Self {
        let is_removed = |vertex: u32| removed.iter().any(|&index| self.0[index].0 == vertex);
        let kept = (0..self.0.len()).filter(|index| !removed.contains(index));
        let row = |index: usize| {
            let (vertex, neighbours) = &self.0[index];
            let neighbours = neighbours
                .iter()
                .copied()
                .filter(|&other| !is_removed(other));
            (*vertex, neighbours.collect())
        };
        Self(kept.map(row).collect())
    }

    /// Visits the moves for which `accept` returns `true`. For each move, `accept` receives the
    /// sorted indices of the vertices that the move removes.
    fn moves(&self, accept: &mut dyn FnMut(&[usize]) -> bool, visit: Visit<'_, Self>) -> Flow {
        (0..self.0.len()).try_for_each(|index| {
            let mut removed = self.closed_neighbourhood(index);
            removed.sort_unstable();
            if !accept(&removed) {
                return ControlFlow::Continue(());
            }
            let vertex = u64::from(self.0[index].0);
            visit(&[self.without(&removed)], &|| {
                let step = Step::new("take_vertex").with("vertex", vertex);
                Move::new([vertex], step)
            })
        })
    }

    /// Returns the index of a vertex in the list of adjacency lists.
    fn index_of(&self, vertex: u32) -> Option<usize> {
        self.0.binary_search_by_key(&vertex, |row| row.0).ok()
    }

    /// Returns the indices of the neighbours of the vertex with the index `index`, and `index`
    /// itself.
    fn closed_neighbourhood(&self, index: usize) -> Vec<usize> {
        let neighbours = self.0[index].1.iter();
        let neighbours = neighbours.filter_map(|&vertex| self.index_of(vertex));
        neighbours.chain([index]).collect()
    }

    /// Returns the members in the order of a path or cycle through them, or `None` if they form
    /// neither.
    fn path_or_cycle_order(&self, members: &[usize]) -> Option<Vec<usize>> {
        let (vertex, neighbours) = (
            |index: usize| self.0[index].0,
            |index: usize| &self.0[index].1,
        );
        if members
            .iter()
            .any(|&index| neighbours(index).len() > 2 || neighbours(index).contains(&vertex(index)))
        {
            return None;
        }
        // The order begins at an end of a path, or at any vertex of a cycle. Hence all paths of one
        // length become equal after renumbering, and so do all cycles.
        let end = members
            .iter()
            .copied()
            .find(|&index| neighbours(index).len() < 2);
        let mut order = vec![end.or_else(|| members.first().copied())?];
        let mut before = None;
        while order.len() < members.len() {
            let last = *order.last()?;
            let next = neighbours(last)
                .iter()
                .find(|&&other| Some(other) != before)?;
            before = Some(vertex(last));
            order.push(self.index_of(*next)?);
        }
        Some(order)
    }

    /// Returns the members, sorted by hashes of their neighbourhoods. Isomorphic graphs often
    /// become equal if their vertices are renumbered in this order.
    fn refined_order(&self, members: &[usize]) -> Vec<usize> {
        let mut colour: BTreeMap<u32, u64> = BTreeMap::new();
        for &index in members {
            colour.insert(self.0[index].0, self.0[index].1.len() as u64);
        }
        // Colour refinement (one-dimensional Weisfeiler-Leman): each round hashes a vertex with the
        // sorted colours of its neighbours. Vertices of one colour are ordered by number, which is
        // why isomorphic graphs may differ.
        for _ in 0..ROUNDS.min(members.len()) {
            let hashed = |&index: &usize| {
                let (vertex, neighbours) = &self.0[index];
                let mut others: Vec<u64> = neighbours.iter().map(|other| colour[other]).collect();
                others.sort_unstable();
                let seen = others.into_iter().fold(colour[vertex], |sum, other| {
                    // A fixed hash of two numbers.
                    (sum ^ other)
                        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                        .rotate_left(29)
                });
                (*vertex, seen)
            };
            colour = members.iter().map(hashed).collect();
        }
        let mut order: Vec<usize> = members.to_vec();
        order.sort_by_key(|&index| (colour[&self.0[index].0], self.0[index].0));
        order
    }

    /// Returns the graph of the members, with new vertex numbers. Isomorphic graphs often become
    /// equal.
    fn renumbered(&self, members: &[usize]) -> Self {
        let path_order = self.path_or_cycle_order(members);
        let order = path_order.unwrap_or_else(|| self.refined_order(members));
        let names: BTreeMap<u32, u32> = order
            .iter()
            .map(|&index| self.0[index].0)
            .zip(0..)
            .collect();
        let row = |(number, &index): (u32, &usize)| {
            let mut neighbours: Vec<u32> =
                self.0[index].1.iter().map(|other| names[other]).collect();
            neighbours.sort_unstable();
            (number, neighbours)
        };
        Self((0..).zip(&order).map(row).collect())
    }
}

impl Ruleset for NodeKayles {
    type Part = KaylesGraph;

    fn name(&self) -> &'static str {
        "node_kayles"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, KaylesGraph> {
        Capabilities {
            small_values: Some(self),
            every_option: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(
        &self,
        _: Player,
        _: usize,
        graph: &KaylesGraph,
        visit: Visit<'_, KaylesGraph>,
    ) -> Flow {
        // Vertices with equal closed neighbourhoods leave the same graph, so they are one move.
        let mut before: HashSet<Vec<usize>> = HashSet::new();
        graph.moves(&mut |removed| before.insert(removed.to_vec()), visit)
    }

    fn components(&self, graph: &KaylesGraph, visit: &mut dyn FnMut(KaylesGraph)) {
        graph.visit_components(visit);
    }

    fn write(&self, parts: &[KaylesGraph]) -> String {
        let write = |KaylesGraph(rows): &KaylesGraph| {
            let words = rows.iter().flat_map(|(vertex, neighbours)| {
                let alone = neighbours.is_empty().then(|| vertex.to_string());
                let later = neighbours.iter().filter(move |&other| other > vertex);
                let edges = later.map(move |other| format!("{vertex}-{other}"));
                alone.into_iter().chain(edges)
            });
            let words: Vec<String> = words.collect();
            format!("node_kayles(\"{}\")", words.join(" "))
        };
        parts.iter().map(write).collect()
    }
}

impl SmallValues<KaylesGraph> for NodeKayles {
    fn size(&self, graph: &KaylesGraph) -> u64 {
        graph.0.len() as u64
    }
}

impl EveryOption<KaylesGraph> for NodeKayles {
    fn every_option(
        &self,
        _: Player,
        _: usize,
        graph: &KaylesGraph,
        visit: Visit<'_, KaylesGraph>,
    ) -> Flow {
        graph.moves(&mut |_| true, visit)
    }
}

impl Pictures<KaylesGraph> for NodeKayles {
    fn picture(&self, parts: &[KaylesGraph]) -> Picture {
        let rows = || parts.iter().flat_map(|graph| &graph.0);
        let edges = rows().flat_map(|(vertex, neighbours)| {
            let later = neighbours.iter().filter(move |&other| other > vertex);
            later.map(move |&other| [*vertex, other])
        });
        Picture::Graph {
            vertices: rows().map(|(vertex, _)| (*vertex, '.')).collect(),
            edges: edges.collect(),
            numbers: Vec::new(),
        }
    }
}
