//! Cost of labelling as graphs grow, in nanoseconds of CPU time per edge, compared with petgraph.
//!
//! Run `cargo bench -p grundy-core --bench graphs_growth -- [MOST [PETGRAPH]]`. It measures graphs
//! of up to MOST vertices, and with petgraph up to PETGRAPH vertices. Both numbers are 10^7 by
//! default. Each figure is the minimum of three runs. For petgraph with more than 10^6 vertices it
//! is a single run.
//!
//! CPU time is read from `/proc/thread-self/schedstat`, and without this file the wall-clock time
//! is used. On a busy machine CPU time varies less.

#[path = "graphs/families.rs"]
mod families;

use std::hint::black_box;
use std::time::Instant;

use families::{Edges, downward, label_petgraph, random, shuffled, values_petgraph};
use grundy_core::Play;
use grundy_core::graph::Digraph;
use petgraph::graph::DiGraph;

/// Returns the CPU time of this thread in nanoseconds, or the wall-clock time if it is unavailable.
fn clock(begin: Instant) -> u64 {
    let ran = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ran = ran.and_then(|text| text.split(' ').next()?.parse().ok());
    ran.unwrap_or_else(|| begin.elapsed().as_nanos() as u64)
}

/// Returns the minimum time per edge over some runs, in nanoseconds.
fn cost<T>(edges: usize, runs: usize, work: impl Fn() -> T) -> f64 {
    /// Least duration of a measurement in nanoseconds. The scheduler's clock advances in steps of
    /// some milliseconds.
    const MIN_DURATION: u64 = 200_000_000;
    let begin = Instant::now();
    let once = |_| {
        let since = clock(begin);
        let mut times = 0;
        loop {
            black_box(work());
            times += 1;
            let ran = clock(begin).saturating_sub(since);
            if ran >= MIN_DURATION {
                return ran as f64 / (times * edges) as f64;
            }
        }
    };
    (0..runs).map(once).fold(f64::INFINITY, f64::min)
}

fn main() {
    let numbers = std::env::args().filter_map(|text| text.parse().ok());
    let numbers: Vec<usize> = numbers.collect();
    let max_vertices = numbers.first().copied().unwrap_or(10_000_000);
    let max_petgraph = numbers.get(1).copied().unwrap_or(10_000_000);
    let families: [(&str, fn(usize) -> Edges, bool); 3] = [
        ("random, mean degree 2.5", random, false),
        ("DAG, shuffled numbers", shuffled, true),
        ("DAG, topological numbers", downward, true),
    ];
    println!(
        "| family | vertices | rows | label | with rows | petgraph build | label | values | petgraph | loopy values |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (name, family, acyclic) in families {
        for n in [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000] {
            if n > max_vertices {
                break;
            }
            let edges = family(n);
            let m = edges.len();
            let rows = cost(m, 3, || Digraph::from_edges(n, &edges));
            let graph = Digraph::from_edges(n, &edges);
            let label = cost(m, 3, || graph.label(Play::Normal));
            let values = acyclic.then(|| cost(m, 3, || graph.grundy_values()));
            let loopy = (!acyclic).then(|| cost(m, 3, || graph.loopy_values()));
            // Drop the graph before petgraph builds its own, since both together need twice the
            // memory.
            drop(graph);
            let runs = if n > 1_000_000 { 1 } else { 3 };
            let comparison = (n <= max_petgraph).then(|| {
                let build = cost(m, runs, || DiGraph::<(), (), u32>::from_edges(&edges));
                let graph = DiGraph::<(), (), u32>::from_edges(&edges);
                let label = cost(m, runs, || label_petgraph(&graph));
                let values = acyclic.then(|| cost(m, runs, || values_petgraph(&graph)));
                (Some(build), Some(label), values)
            });
            let (build, pet_label, pet_values) = comparison.unwrap_or_default();
            let columns = [
                Some(rows),
                Some(label),
                Some(rows + label),
                build,
                pet_label,
                values,
                pet_values,
                loopy,
            ];
            let texts = columns.map(|cost| cost.map_or(String::new(), |ns| format!("{ns:.1}")));
            println!("| {name} | {n} | {} |", texts.join(" | "));
        }
    }
}
