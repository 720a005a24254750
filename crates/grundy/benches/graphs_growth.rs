//! What labelling costs as graphs grow, in nanoseconds of the processor an edge, beside petgraph:
//! `cargo bench -p grundy --bench graphs_growth -- [MOST [PETGRAPH]]`, for up to MOST vertices
//! (10^7), petgraph up to PETGRAPH (10^7). Each figure is the least of three runs, of one for
//! petgraph beyond 10^6.
//!
//! The time on the processor is read from `/proc/thread-self/schedstat`, where there is one: a
//! machine busy with other work spoils it less than the clock on the wall.

#[path = "graphs/families.rs"]
mod families;

use std::hint::black_box;
use std::time::Instant;

use families::{Edges, downward, label_petgraph, random, shuffled, values_petgraph};
use grundy::Play;
use grundy::graph::Digraph;
use petgraph::graph::DiGraph;

/// Nanoseconds that this thread has been on the processor, or on the wall.
fn clock(begin: Instant) -> u64 {
    let ran = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ran = ran.and_then(|text| text.split(' ').next()?.parse().ok());
    ran.unwrap_or_else(|| begin.elapsed().as_nanos() as u64)
}

/// Nanoseconds an edge, the least of some runs.
fn cost<T>(edges: usize, runs: usize, work: impl Fn() -> T) -> f64 {
    /// The clock of the scheduler goes in steps of some milliseconds.
    const LEAST: u64 = 200_000_000;
    let begin = Instant::now();
    let once = |_| {
        let since = clock(begin);
        let mut times = 0;
        loop {
            black_box(work());
            times += 1;
            let ran = clock(begin).saturating_sub(since);
            if ran >= LEAST {
                return ran as f64 / (times * edges) as f64;
            }
        }
    };
    (0..runs).map(once).fold(f64::INFINITY, f64::min)
}

fn main() {
    let numbers = std::env::args().filter_map(|text| text.parse().ok());
    let numbers: Vec<usize> = numbers.collect();
    let most = numbers.first().copied().unwrap_or(10_000_000);
    let petgraph = numbers.get(1).copied().unwrap_or(10_000_000);
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
            if n > most {
                break;
            }
            let edges = family(n);
            let m = edges.len();
            let rows = cost(m, 3, || Digraph::from_edges(n, &edges));
            let graph = Digraph::from_edges(n, &edges);
            let label = cost(m, 3, || graph.label(Play::Normal));
            let values = acyclic.then(|| cost(m, 3, || graph.grundy_values()));
            let loopy = (!acyclic).then(|| cost(m, 3, || graph.loopy_values()));
            drop(graph);
            let runs = if n > 1_000_000 { 1 } else { 3 };
            let side = (n <= petgraph).then(|| {
                let build = cost(m, runs, || DiGraph::<(), (), u32>::from_edges(&edges));
                let graph = DiGraph::<(), (), u32>::from_edges(&edges);
                let label = cost(m, runs, || label_petgraph(&graph));
                let values = acyclic.then(|| cost(m, runs, || values_petgraph(&graph)));
                (Some(build), Some(label), values)
            });
            let (build, pet_label, pet_values) = side.unwrap_or_default();
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
