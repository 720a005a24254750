//! Labelling large graphs, side by side with a straightforward implementation over petgraph:
//! `cargo bench -p grundy --bench graphs`, or with a filter such as `random::label`.
//!
//! The item counted is an edge, so that `Mitem/s` are millions of edges a second. Memory is that of
//! the work: what is there before is not counted, and the edge list is there before. Times are
//! those of the clock on the wall: on a machine that is busy with other work
//! `cargo bench -p grundy --bench graphs_growth` counts the time on the processor.

#[path = "graphs/families.rs"]
mod families;

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use families::{Dice, Edges, downward, label_petgraph, random, shuffled, values_petgraph};
use grundy::graph::Digraph;
use grundy::{Limits, Play};
use petgraph::graph::DiGraph;

#[global_allocator]
static ALLOC: divan::AllocProfiler = divan::AllocProfiler::system();

const SIZES: [usize; 2] = [1_000_000, 10_000_000];

fn main() {
    divan::main();
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

/// How long it takes to find that a graph has no topological numbering, and to turn its edges
/// round.
#[divan::bench(args = SIZES, sample_count = 3, sample_size = 1)]
fn transpose(bencher: Bencher<'_, '_>, n: usize) {
    let edges = random(n);
    let graph = Digraph::from_edges(n, &edges);
    let bencher = bencher.counter(ItemsCount::new(edges.len()));
    bencher.bench(|| black_box(graph.transpose(&Limits::none())));
}
