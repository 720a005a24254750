//! A picture as a graph with consecutive vertex numbers, in which the ground is the single vertex
//! 0.

use rustc_hash::FxHashMap;

/// A graph on the vertices 0, 1, ..., where vertex 0 is the ground.
#[derive(Clone, Debug)]
pub struct GroundedGraph {
    /// Ends of each edge.
    pub ends: Vec<[u32; 2]>,
    /// Number of each vertex in the picture. The entry of the ground is one of its vertices.
    pub names: Vec<u32>,
    /// Start of each vertex in `at`, followed by the length of `at`.
    starts: Vec<u32>,
    /// Other end and index of every edge at every vertex. Loops are left out, since they lead
    /// nowhere.
    at: Vec<[u32; 2]>,
}

impl GroundedGraph {
    /// Creates the graph of some edges. Vertices are numbered in the order of their first edge, and
    /// the ground vertices become one.
    #[must_use]
    pub fn new(edges: impl Iterator<Item = [u32; 2]> + Clone, ground: &[u32]) -> Self {
        let (count, most) = edges.clone().fold((0usize, 0u32), |(count, most), [a, b]| {
            (count + 1, most.max(a).max(b))
        });
        // A table is faster, but a single large vertex name must not allocate gigabytes.
        let mut numbering = if (most as usize) < 4 * count + 1024 {
            VertexNumbers::Table(vec![u32::MAX; most as usize + 1])
        } else {
            VertexNumbers::Map(FxHashMap::default())
        };
        let mut names = vec![ground.first().copied().unwrap_or(0)];
        for &vertex in ground {
            numbering.enter(vertex, 0);
        }
        let mut number = |vertex: u32| {
            let known = numbering.enter(vertex, names.len() as u32);
            if known as usize == names.len() {
                names.push(vertex);
            }
            known
        };
        let ends: Vec<[u32; 2]> = edges.map(|[a, b]| [number(a), number(b)]).collect();
        // Compressed sparse rows, by counting sort.
        let mut starts = vec![0u32; names.len() + 1];
        for &[a, b] in ends.iter().filter(|[a, b]| a != b) {
            starts[a as usize + 1] += 1;
            starts[b as usize + 1] += 1;
        }
        for vertex in 0..names.len() {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut at = vec![[0; 2]; starts[names.len()] as usize];
        for (edge, &[a, b]) in ends.iter().enumerate().filter(|(_, [a, b])| a != b) {
            for (from, to) in [(a, b), (b, a)] {
                at[next[from as usize] as usize] = [to, edge as u32];
                next[from as usize] += 1;
            }
        }
        Self {
            ends,
            names,
            starts,
            at,
        }
    }

    /// Returns the number of vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.names.len()
    }

    /// Returns the other end and the index of every edge at `vertex`, except for loops.
    #[must_use]
    pub fn at(&self, vertex: u32) -> &[[u32; 2]] {
        let vertex = vertex as usize;
        &self.at[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// Returns, for each edge, whether it is connected to the ground, and the number of vertices
    /// that are.
    #[must_use]
    pub fn held(&self) -> (Vec<bool>, usize) {
        let mut reached = vec![false; self.vertices()];
        reached[0] = true;
        let mut pending = vec![0];
        let mut vertices = 1;
        while let Some(vertex) = pending.pop() {
            for &[other, _] in self.at(vertex) {
                if !std::mem::replace(&mut reached[other as usize], true) {
                    pending.push(other);
                    vertices += 1;
                }
            }
        }
        // Both ends of an edge are reached, or neither is.
        let held = self.ends.iter().map(|&[a, _]| reached[a as usize]);
        (held.collect(), vertices)
    }
}

/// The numbers of vertices by name.
enum VertexNumbers {
    Table(Vec<u32>),
    Map(FxHashMap<u32, u32>),
}

impl VertexNumbers {
    /// Returns the number of `vertex`, after assigning `number` if it has none yet.
    fn enter(&mut self, vertex: u32, number: u32) -> u32 {
        match self {
            Self::Table(table) => match table.get_mut(vertex as usize) {
                Some(known) => {
                    if *known == u32::MAX {
                        *known = number;
                    }
                    *known
                }
                // A ground vertex without an edge may lie beyond the table.
                None => number,
            },
            Self::Map(map) => *map.entry(vertex).or_insert(number),
        }
    }
}
