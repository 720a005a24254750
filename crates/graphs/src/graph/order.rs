//! Topological orders, in which every vertex follows its options.

use super::transpose::Transposed;
use super::{Digraph, frontier};
use grundy_base::limits::{Limits, Stop};

/// The direction in which the numbering of the vertices is a topological order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbering {
    /// Every move leads to a vertex with a smaller index.
    Down,
    /// Every move leads to a vertex with a larger index.
    Up,
}

impl Numbering {
    /// Determines whether the numbering of `graph` is a topological order, and in which direction.
    pub(super) fn of(graph: &Digraph) -> Option<Self> {
        let (mut down, mut up) = (true, true);
        for v in 0..graph.vertices() as u32 {
            for &w in graph.options(v) {
                down &= w < v;
                up &= w > v;
            }
            // In a graph with cycles this usually fails within the first few edges. So the check
            // takes little time where it is useless.
            if !(down || up) {
                return None;
            }
        }
        if down {
            Some(Self::Down)
        } else {
            // A target that is no vertex would count as a move to a larger number.
            let last = graph.vertices() as u32;
            assert!(
                graph.targets.iter().all(|&w| w < last),
                "an edge leads to a vertex"
            );
            Some(Self::Up)
        }
    }

    /// Returns the vertex at index `step` in the topological order of a graph with `vertices`
    /// vertices.
    pub(super) fn vertex(self, step: usize, vertices: usize) -> usize {
        match self {
            Self::Down => step,
            Self::Up => vertices - 1 - step,
        }
    }

    /// Returns the topological order as a list of vertices.
    pub(super) fn collect(self, graph: &Digraph) -> Vec<u32> {
        let n = graph.vertices();
        (0..n).map(|step| self.vertex(step, n) as u32).collect()
    }
}

/// Returns a topological order, or `None` if there is a cycle. It begins with the vertices without
/// moves (Kahn's algorithm: A. B. Kahn, Topological sorting of large networks, Comm. ACM 5 (1962),
/// 558-562).
pub(super) fn topological(
    graph: &Digraph,
    transposed: &Transposed,
    limits: &Limits<'_>,
) -> Result<Option<Vec<u32>>, Stop> {
    let mut undecided = frontier::Counters::new(graph);
    let mut order = undecided.ends();
    let mut begin = 0;
    // The list is both the order and the queue. All its new vertices are processed together, so
    // that their cache misses overlap. A vertex from which a cycle can be reached never gets a
    // count of 0.
    while begin < order.len() {
        limits.poll()?;
        let mut next = Vec::new();
        frontier::predecessors(transposed, &order[begin..], |sources| {
            undecided.count_down(sources, &mut next);
        });
        begin = order.len();
        order.append(&mut next);
    }
    Ok((order.len() == graph.vertices()).then_some(order))
}
