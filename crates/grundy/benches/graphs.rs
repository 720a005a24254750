//! Labelling large graphs, side by side with a straightforward implementation over petgraph:
//! `cargo bench -p grundy --bench graphs`, or with a filter such as `random::label`.
//!
//! The item counted is an edge, so that `Mitem/s` are millions of edges a second. Memory is that of the work: what is
//! there before is not counted, and the edge list is there before.

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use grundy::graph::Digraph;
use grundy::{Limits, Outcome, Play};
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};

#[global_allocator]
static ALLOC: divan::AllocProfiler = divan::AllocProfiler::system();

const SIZES: [usize; 2] = [1_000_000, 10_000_000];

fn main() {
    divan::main();
}

/// Numbers that look random (xorshift64*).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        ((high * n as u64) >> 32) as u32
    }
}

type Edges = Vec<(u32, u32)>;

/// Both ends anywhere: cycles everywhere, and with a mean degree of 2.5 nearly every vertex is decided.
fn random(n: usize) -> Edges {
    let mut dice = Dice(7);
    (0..n * 5 / 2)
        .map(|_| (dice.below(n), dice.below(n)))
        .collect()
}

/// Five moves from each vertex to smaller numbers.
fn downward(n: usize) -> Edges {
    let mut dice = Dice(11);
    (1..n)
        .flat_map(|v| [v; 5])
        .map(|v| (v as u32, dice.below(v)))
        .collect()
}

/// The same graph with its vertices shuffled.
fn shuffled(n: usize) -> Edges {
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
fn label_petgraph(graph: &DiGraph<(), (), u32>) -> Vec<(Outcome, u32)> {
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
fn values_petgraph(graph: &DiGraph<(), (), u32>) -> Vec<u32> {
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

/// The four ways to label one family.
macro_rules! labels {
    ($family:ident) => {
        mod $family {
            use super::*;

            #[divan::bench(args = SIZES, sample_count = 3, sample_size = 1)]
            fn label(bencher: Bencher<'_, '_>, n: usize) {
                let edges = super::$family(n);
                let graph = Digraph::from_edges(n, &edges);
                let count = ItemsCount::new(edges.len());
                drop(edges);
                bencher.counter(count).bench(|| graph.label(Play::Normal));
            }

            #[divan::bench(args = SIZES, sample_count = 3, sample_size = 1)]
            fn label_from_edges(bencher: Bencher<'_, '_>, n: usize) {
                let edges = super::$family(n);
                let bencher = bencher.counter(ItemsCount::new(edges.len()));
                bencher.bench(|| Digraph::from_edges(n, &edges).label(Play::Normal));
            }

            #[divan::bench(args = SIZES, sample_count = 3, sample_size = 1)]
            fn label_petgraph(bencher: Bencher<'_, '_>, n: usize) {
                let edges = super::$family(n);
                let graph = DiGraph::<(), (), u32>::from_edges(&edges);
                let count = ItemsCount::new(edges.len());
                drop(edges);
                bencher
                    .counter(count)
                    .bench(|| super::label_petgraph(&graph));
            }

            #[divan::bench(args = SIZES, sample_count = 3, sample_size = 1)]
            fn label_petgraph_from_edges(bencher: Bencher<'_, '_>, n: usize) {
                let edges = super::$family(n);
                let bencher = bencher.counter(ItemsCount::new(edges.len()));
                bencher.bench(|| super::label_petgraph(&DiGraph::from_edges(&edges)));
            }
        }
    };
}

labels!(random);
labels!(downward);
labels!(shuffled);

macro_rules! values {
    ($module:ident, $family:ident) => {
        mod $module {
            use super::*;

            #[divan::bench(args = SIZES, sample_count = 3, sample_size = 1)]
            fn grundy(bencher: Bencher<'_, '_>, n: usize) {
                let edges = $family(n);
                let graph = Digraph::from_edges(n, &edges);
                let count = ItemsCount::new(edges.len());
                drop(edges);
                bencher.counter(count).bench(|| graph.grundy_values());
            }

            #[divan::bench(args = SIZES, sample_count = 3, sample_size = 1)]
            fn grundy_petgraph(bencher: Bencher<'_, '_>, n: usize) {
                let edges = $family(n);
                let graph = DiGraph::<(), (), u32>::from_edges(&edges);
                let count = ItemsCount::new(edges.len());
                drop(edges);
                bencher.counter(count).bench(|| values_petgraph(&graph));
            }
        }
    };
}

values!(downward_values, downward);
values!(shuffled_values, shuffled);

/// Smith–Fraenkel values, with the labels and the turned edges that they start from.
#[divan::bench(args = [10_000, 100_000, 1_000_000, 10_000_000], sample_count = 3, sample_size = 1)]
fn loopy_values(bencher: Bencher<'_, '_>, n: usize) {
    let edges = random(n);
    let graph = Digraph::from_edges(n, &edges);
    let count = ItemsCount::new(edges.len());
    drop(edges);
    bencher.counter(count).bench(|| graph.loopy_values());
}

/// Smith–Fraenkel values where most vertices have several.
#[divan::bench(args = [10_000, 100_000, 1_000_000], sample_count = 3, sample_size = 1)]
fn loopy_values_of_degree_eight(bencher: Bencher<'_, '_>, n: usize) {
    // All moves but one in 1600 lead down, so that the values are many; that one leads anywhere.
    let mut dice = Dice(17);
    let edges: Edges = (1..n)
        .flat_map(|v| [v; 8])
        .map(|v| {
            let anywhere = dice.below(1600) == 0;
            (v as u32, dice.below(if anywhere { n } else { v }))
        })
        .collect();
    let graph = Digraph::from_edges(n, &edges);
    let bencher = bencher.counter(ItemsCount::new(edges.len()));
    bencher.bench(|| graph.loopy_values());
}

/// How long it takes to find that a graph has no topological numbering, and to turn its edges round.
#[divan::bench(args = SIZES, sample_count = 3, sample_size = 1)]
fn transpose(bencher: Bencher<'_, '_>, n: usize) {
    let edges = random(n);
    let graph = Digraph::from_edges(n, &edges);
    let bencher = bencher.counter(ItemsCount::new(edges.len()));
    bencher.bench(|| black_box(graph.transpose(&Limits::none())));
}
