//! Green Hackenbush with 10^3 to 10^6 edges: `cargo bench -p grundy-core --bench hackenbush`.
//!
//! The benchmarks measure the computation of the value, or of all winning cuts, from a list of
//! edges. The list is created before the measurement.

use divan::Bencher;
use grundy_core::ruleset::hackenbush::{Edge, GroundedGraph, Survey, cuts_to, edges};

fn main() {
    divan::main();
}

/// The shapes of the pictures.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Path,
    Star,
    Tree,
    Cycle,
    Cactus,
    Multigraph,
}

/// Pseudo-random numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(bound)) >> 32) as u32
    }
}

/// Returns the edges of a picture with `count` edges. Vertex 0 is the ground.
fn shape(shape: Shape, count: u32) -> Vec<[u32; 2]> {
    let mut random = Random(7);
    match shape {
        Shape::Path => (0..count).map(|i| [i, i + 1]).collect(),
        Shape::Star => (0..count).map(|i| [0, i + 1]).collect(),
        Shape::Tree => (0..count).map(|i| [random.below(i + 1), i + 1]).collect(),
        Shape::Cycle => (0..count).map(|i| [i, (i + 1) % count]).collect(),
        Shape::Cactus => {
            // Cycles of random length are attached to random vertices, so that the fusion principle
            // is applied at every level.
            let (mut edges, mut next) = (Vec::new(), 1);
            while edges.len() < count as usize {
                let from = random.below(next);
                let mut here = from;
                for _ in 0..random.below(40) {
                    edges.push([here, next]);
                    here = next;
                    next += 1;
                }
                // One path in four is not closed and becomes a branch.
                if random.below(4) > 0 {
                    edges.push([here, from]);
                }
            }
            edges.truncate(count as usize);
            edges
        }
        Shape::Multigraph => {
            let vertices = count / 2 + 1;
            let mut edges: Vec<_> = (1..vertices).map(|i| [random.below(i), i]).collect();
            while edges.len() < count as usize {
                edges.push([random.below(vertices), random.below(vertices)]);
            }
            edges
        }
    }
}

const SHAPES: [Shape; 6] = [
    Shape::Path,
    Shape::Star,
    Shape::Tree,
    Shape::Cycle,
    Shape::Cactus,
    Shape::Multigraph,
];

fn cases() -> impl Iterator<Item = (Shape, u32)> {
    SHAPES.into_iter().flat_map(|shape| {
        [1_000, 10_000, 100_000, 1_000_000]
            .into_iter()
            .map(move |count| (shape, count))
    })
}

#[divan::bench(args = cases(), sample_count = 10)]
fn value(bencher: Bencher<'_, '_>, (kind, count): (Shape, u32)) {
    let edges = shape(kind, count);
    bencher.bench_local(|| Survey::new(&GroundedGraph::new(edges.iter().copied(), &[0])).total());
}

/// Measures the cuts that leave the value 0, or 1 if the value is already 0.
#[divan::bench(args = cases(), sample_count = 10)]
fn all_winning_cuts(bencher: Bencher<'_, '_>, (kind, count): (Shape, u32)) {
    let edges = shape(kind, count);
    let total = Survey::new(&GroundedGraph::new(edges.iter().copied(), &[0])).total();
    let wanted = u64::from(total == 0);
    bencher.bench_local(|| cuts_to(&GroundedGraph::new(edges.iter().copied(), &[0]), wanted));
}

#[divan::bench(args = [1_000, 1_000_000], sample_count = 10)]
fn reading_a_list_of_edges(bencher: Bencher<'_, '_>, count: u32) {
    let text: Vec<String> = shape(Shape::Tree, count)
        .iter()
        .map(|[a, b]| format!("{a}-{b}"))
        .collect();
    let text = text.join(" ");
    bencher.bench_local(|| edges(&text).map(|edges: Vec<Edge>| edges.len()));
}
