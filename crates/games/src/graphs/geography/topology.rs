//! Adjacency lists of a graph in compressed form.

use std::hash::{DefaultHasher, Hash, Hasher};

/// The arcs of a graph, sorted by their vertices. A vertex has a number in the notation and an
/// index here. Both have the same order.
#[derive(Clone, Debug, Default)]
pub(super) struct Topology {
    /// The number of each vertex, in increasing order.
    numbers: Vec<u32>,
    /// For each vertex, the start of its list in `targets`, and at the end the length of `targets`.
    starts: Vec<u32>,
    /// The indices of the vertices to which arcs lead, in increasing order for each vertex.
    targets: Vec<u32>,
}

impl Topology {
    /// Creates a graph from the numbers of its vertices and from arcs between them. Repeated
    /// numbers count once; repeated arcs are kept.
    pub(super) fn new(mut numbers: Vec<u32>, arcs: &mut [[u32; 2]]) -> Self {
        numbers.extend(arcs.iter().flatten());
        numbers.sort_unstable();
        numbers.dedup();
        arcs.sort_unstable();
        let mut graph = Self {
            starts: Vec::with_capacity(numbers.len() + 1),
            targets: Vec::with_capacity(arcs.len()),
            numbers,
        };
        let dense = graph
            .numbers
            .last()
            .is_some_and(|&last| last as usize + 1 == graph.numbers.len());
        let mut next = 0;
        for &number in &graph.numbers {
            graph.starts.push(next as u32);
            while let Some(&[_, to]) = arcs.get(next).filter(|arc| arc[0] == number) {
                // Without gaps in the numbers, an index is a number.
                let index = if dense {
                    to as usize
                } else {
                    graph.numbers.partition_point(|&other| other < to)
                };
                graph.targets.push(index as u32);
                next += 1;
            }
        }
        graph.starts.push(next as u32);
        graph
    }

    /// Returns the number of vertices.
    pub(super) fn vertex_count(&self) -> usize {
        self.numbers.len()
    }

    /// Returns the number of arcs. An edge that may be used in both directions has two.
    pub(super) fn arc_count(&self) -> usize {
        self.targets.len()
    }

    /// Returns the number of the vertex with this index.
    pub(super) fn number(&self, vertex: usize) -> u32 {
        self.numbers[vertex]
    }

    /// Returns the index of the vertex with this number, if there is one.
    pub(super) fn index(&self, number: u32) -> Option<usize> {
        self.numbers.binary_search(&number).ok()
    }

    /// Returns the indices of the vertices to which arcs lead from a vertex, in increasing order.
    pub(super) fn targets(&self, vertex: usize) -> &[u32] {
        let [start, end] = [vertex, vertex + 1].map(|index| self.starts[index] as usize);
        &self.targets[start..end]
    }

    /// Returns all arcs by the numbers of their vertices, in increasing order.
    pub(super) fn arcs(&self) -> impl Iterator<Item = [u32; 2]> {
        (0..self.vertex_count()).flat_map(move |a| {
            let targets = self.targets(a).iter();
            targets.map(move |&b| [self.numbers[a], self.numbers[b as usize]])
        })
    }

    /// Returns the graph without a vertex.
    pub(super) fn without_vertex(&self, removed: usize) -> Self {
        let mut rest = Self::default();
        for vertex in (0..self.vertex_count()).filter(|&vertex| vertex != removed) {
            rest.numbers.push(self.numbers[vertex]);
            rest.starts.push(rest.targets.len() as u32);
            let kept = self.targets(vertex).iter();
            let kept = kept.filter(|&&target| target as usize != removed);
            rest.targets
                .extend(kept.map(|&target| target - u32::from(target as usize > removed)));
        }
        rest.starts.push(rest.targets.len() as u32);
        rest
    }

    /// Returns the graph without one arc between two vertices.
    pub(super) fn without_arc(&self, from: usize, to: usize) -> Self {
        let mut rest = self.clone();
        let place = self.starts[from] as usize
            + self
                .targets(from)
                .partition_point(|&target| (target as usize) < to);
        rest.targets.remove(place);
        for start in &mut rest.starts[from + 1..] {
            *start -= 1;
        }
        rest
    }

    /// Returns the part of the graph that can be reached from a vertex. Its vertices are numbered
    /// from 0 in breadth-first order.
    pub(super) fn reachable(&self, start: usize) -> Self {
        let mut names = vec![u32::MAX; self.vertex_count()];
        let mut order = vec![start];
        names[start] = 0;
        let mut next = 0;
        while let Some(&vertex) = order.get(next) {
            next += 1;
            for &target in self.targets(vertex) {
                if names[target as usize] == u32::MAX {
                    names[target as usize] = order.len() as u32;
                    order.push(target as usize);
                }
            }
        }
        let mut arcs: Vec<[u32; 2]> = order
            .iter()
            .flat_map(|&a| self.targets(a).iter().map(move |&b| [a, b as usize]))
            .map(|arc| arc.map(|vertex| names[vertex]))
            .collect();
        Self::new(vec![0], &mut arcs)
    }

    /// Returns a hash of the arcs.
    pub(super) fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.arcs().for_each(|arc| arc.hash(&mut hasher));
        hasher.finish()
    }
}
