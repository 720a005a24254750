//! Families of graphs, and what a straightforward implementation over petgraph does with them.

use grundy::Outcome;
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};

/// Numbers that look random (xorshift64*).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, n: usize) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        ((high * n as u64) >> 32) as u32
    }
}

pub(crate) type Edges = Vec<(u32, u32)>;

/// Returns both ends anywhere: cycles everywhere, and with a mean degree of 2.5 nearly every vertex
/// is decided.
pub(crate) fn random(n: usize) -> Edges {
    let mut dice = Dice(7);
    (0..n * 5 / 2)
        .map(|_| (dice.below(n), dice.below(n)))
        .collect()
}

/// Five moves from each vertex to smaller numbers.
pub(crate) fn downward(n: usize) -> Edges {
    let mut dice = Dice(11);
    (1..n)
        .flat_map(|v| [v; 5])
        .map(|v| (v as u32, dice.below(v)))
        .collect()
}

/// Returns the same graph with its vertices shuffled.
pub(crate) fn shuffled(n: usize) -> Edges {
    let mut dice = Dice(13);
    let mut names: Vec<u32> = (0..n as u32).collect();
    for v in (1..n).rev() {
        names.swap(v, dice.below(v + 1) as usize);
    }
    let edges = downward(n).into_iter();
    edges
        .map(|(a, b)| (names[a as usize], names[b as usize]))
        .collect()
}

/// Labels over petgraph: a queue, counters, and the lists of incoming edges that the graph keeps.
pub(crate) fn label_petgraph(graph: &DiGraph<(), (), u32>) -> Vec<(Outcome, u32)> {
    let n = graph.node_count();
    let mut left: Vec<u32> = graph
        .node_indices()
        .map(|v| graph.edges(v).count() as u32)
        .collect();
    let mut labels = vec![(Outcome::D, 0); n];
    let mut queue: Vec<NodeIndex> = graph
        .node_indices()
        .filter(|v| left[v.index()] == 0)
        .collect();
    for v in &queue {
        labels[v.index()] = (Outcome::P, 0);
    }
    let mut head = 0;
    while head < queue.len() {
        let vertex = queue[head];
        head += 1;
        let (outcome, remoteness) = labels[vertex.index()];
        for source in graph.neighbors_directed(vertex, Direction::Incoming) {
            let v = source.index();
            if labels[v].0 != Outcome::D {
                continue;
            }
            left[v] -= 1;
            let decided = match outcome {
                Outcome::P => Outcome::N,
                _ if left[v] == 0 => Outcome::P,
                _ => continue,
            };
            labels[v] = (decided, remoteness + 1);
            queue.push(source);
        }
    }
    labels
}

/// Grundy values over petgraph: its own topological sort, and the mex of the neighbours backwards.
pub(crate) fn values_petgraph(graph: &DiGraph<(), (), u32>) -> Vec<u32> {
    let order = petgraph::algo::toposort(graph, None).expect("no cycle");
    let mut values = vec![0; graph.node_count()];
    let mut seen = Vec::new();
    for v in order.into_iter().rev() {
        seen.clear();
        seen.extend(graph.neighbors(v).map(|w| values[w.index()]));
        values[v.index()] = (0..).find(|m| !seen.contains(m)).expect("a list ends");
    }
    values
}
