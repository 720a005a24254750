//! Topological orders: every vertex after all its options.

use super::transpose::Transposed;
use super::{Digraph, frontier};
use grundy_base::limits::{Limits, Stop};

/// A numbering that is a topological order by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbering {
    /// Every move leads to a smaller number.
    Down,
    /// Every move leads to a larger number.
    Up,
}

impl Numbering {
    /// What the numbering of `graph` is, if it is one.
    pub(super) fn of(graph: &Digraph) -> Option<Self> {
        let (mut down, mut up) = (true, true);
        for v in 0..graph.vertices() as u32 {
            for &w in graph.options(v) {
                down &= w < v;
                up &= w > v;
            }
            if !(down || up) {
                return None;
            }
        }
        if down {
            Some(Self::Down)
        } else {
            // A target beyond the last vertex would look like a move up.
            let last = graph.vertices() as u32;
            assert!(
                graph.targets.iter().all(|&w| w < last),
                "an edge leads to a vertex"
            );
            Some(Self::Up)
        }
    }

    /// Returns the `step`-th vertex of the order, of `vertices`.
    pub(super) fn vertex(self, step: usize, vertices: usize) -> usize {
        match self {
            Self::Down => step,
            Self::Up => vertices - 1 - step,
        }
    }

    /// Returns the order as a list.
    pub(super) fn collect(self, graph: &Digraph) -> Vec<u32> {
        let n = graph.vertices();
        (0..n).map(|step| self.vertex(step, n) as u32).collect()
    }
}

/// Returns a topological order; nothing when there is a cycle. A. B. Kahn, Topological sorting of
/// large networks, Comm. ACM 5 (1962), 558-562, from the ends of the game backwards.
pub(super) fn topological(
    graph: &Digraph,
    transposed: &Transposed,
    limits: &Limits<'_>,
) -> Result<Option<Vec<u32>>, Stop> {
    let mut left = frontier::Counters::new(graph);
    let mut order = left.ends();
    let mut begin = 0;
    while begin < order.len() {
        limits.poll()?;
        let mut next = Vec::new();
        frontier::predecessors(transposed, &order[begin..], |sources| {
            left.count_down(sources, &mut next);
        });
        begin = order.len();
        order.append(&mut next);
    }
    Ok((order.len() == graph.vertices()).then_some(order))
}
