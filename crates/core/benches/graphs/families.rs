//! Families of graphs, and a straightforward implementation of labels and values on petgraph.

use grundy_core::Outcome;
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};

/// Pseudo-random numbers (xorshift64*), the same on every machine.
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

/// Returns a graph whose edges have random ends. It has many cycles. The mean degree is 2.5, and
/// almost every vertex is decided, that is, not a draw.
pub(crate) fn random(n: usize) -> Edges {
    let mut dice = Dice(7);
    (0..n * 5 / 2)
        .map(|_| (dice.below(n), dice.below(n)))
        .collect()
}

/// Returns a graph with five edges from each vertex to vertices with smaller numbers.
pub(crate) fn downward(n: usize) -> Edges {
    let mut dice = Dice(11);
    (1..n)
        .flat_map(|v| [v; 5])
        .map(|v| (v as u32, dice.below(v)))
        .collect()
}

/// Returns the graph of [`downward`] with shuffled vertices, so that its numbers are not
/// topological.
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

/// Labels a graph by retrograde analysis, with the lists of incoming edges of petgraph.
pub(crate) fn label_petgraph(graph: &DiGraph<(), (), u32>) -> Vec<(Outcome, u32)> {
    let n = graph.node_count();
    // `undecided` counts the options of a vertex that are not yet known to be won by the opponent.
    let mut undecided: Vec<u32> = graph
        .node_indices()
        .map(|v| graph.edges(v).count() as u32)
        .collect();
    let mut labels = vec![(Outcome::D, 0); n];
    let mut queue: Vec<NodeIndex> = graph
        .node_indices()
        .filter(|v| undecided[v.index()] == 0)
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
            undecided[v] -= 1;
            let decided = match outcome {
                Outcome::P => Outcome::N,
                _ if undecided[v] == 0 => Outcome::P,
                _ => continue,
            };
            labels[v] = (decided, remoteness + 1);
            queue.push(source);
        }
    }
    labels
}

/// Computes Grundy values with the topological sort of petgraph. The values are computed in reverse
/// order, each as the mex of the values of the neighbours.
pub(crate) fn values_petgraph(graph: &DiGraph<(), (), u32>) -> Vec<u32> {
    let order = petgraph::algo::toposort(graph, None).expect("no cycle");
    let mut values = vec![0; graph.node_count()];
    // With five options per vertex a linear search is faster than a set.
    let mut seen = Vec::new();
    for v in order.into_iter().rev() {
        seen.clear();
        seen.extend(graph.neighbors(v).map(|w| values[w.index()]));
        values[v.index()] = (0..).find(|m| !seen.contains(m)).expect("a list ends");
    }
    values
}
