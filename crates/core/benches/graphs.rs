//! Labelling of large graphs, compared with a straightforward implementation on petgraph.
//!
//! Run `cargo bench -p grundy-core --bench graphs`, possibly with a filter such as `random::label`.
//! In the output an item is an edge, so `Mitem/s` means millions of edges per second. The memory is
//! what the measured code allocates, without the list of edges. Times are wall-clock times. On a
//! busy machine use `cargo bench -p grundy-core --bench graphs_growth`, which measures CPU time.

#[path = "graphs/families.rs"]
mod families;

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use families::{Dice, Edges, downward, label_petgraph, random, shuffled, values_petgraph};
use grundy_core::graph::Digraph;
use grundy_core::{Limits, Play};
use petgraph::graph::DiGraph;

#[global_allocator]
static ALLOC: divan::AllocProfiler = divan::AllocProfiler::system();

const SIZES: [usize; 2] = [1_000_000, 10_000_000];

fn main() {
    divan::main();
}

/// Defines the four benchmarks of labelling for one family of graphs.
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

/// Measures Smith-Fraenkel values, including the labels and the transposed graph that they need.
#[divan::bench(args = [10_000, 100_000, 1_000_000, 10_000_000], sample_count = 3, sample_size = 1)]
fn loopy_values(bencher: Bencher<'_, '_>, n: usize) {
    let edges = random(n);
    let graph = Digraph::from_edges(n, &edges);
    let count = ItemsCount::new(edges.len());
    drop(edges);
    bencher.counter(count).bench(|| graph.loopy_values());
}

/// Measures Smith-Fraenkel values in a graph in which most vertices have several options.
#[divan::bench(args = [10_000, 100_000, 1_000_000], sample_count = 3, sample_size = 1)]
fn loopy_values_of_degree_eight(bencher: Bencher<'_, '_>, n: usize) {
    // One edge in 1600 leads to any vertex, and the others lead to vertices with smaller numbers.
    // So there are few cycles and many different values.
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

/// Measures the transposition. It includes the check for a topological numbering, which fails here.
#[divan::bench(args = SIZES, sample_count = 3, sample_size = 1)]
fn transpose(bencher: Bencher<'_, '_>, n: usize) {
    let edges = random(n);
    let graph = Digraph::from_edges(n, &edges);
    let bencher = bencher.counter(ItemsCount::new(edges.len()));
    bencher.bench(|| black_box(graph.transpose(&Limits::none())));
}
