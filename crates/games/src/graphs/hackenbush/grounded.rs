//! A picture as a graph: vertices numbered from 0 on, the ground being one vertex, number 0.

use rustc_hash::FxHashMap;

/// Edges between vertices 0, 1, ...; vertex 0 is the ground.
#[derive(Clone, Debug)]
pub struct GroundedGraph {
    /// The ends of each edge.
    pub ends: Vec<[u32; 2]>,
    /// The vertex's number in the picture, for each vertex but the ground (whose entry is one of
    /// its own).
    pub names: Vec<u32>,
    /// Where the edges at a vertex begin in `at`; one entry more than there are vertices.
    starts: Vec<u32>,
    /// The other end and the edge, for every edge at every vertex. Loops are left out: they lead
    /// nowhere.
    at: Vec<[u32; 2]>,
}

impl GroundedGraph {
    /// Numbers the vertices in the order of their first edge and fuses the ground.
    #[must_use]
    pub fn new(edges: impl Iterator<Item = [u32; 2]> + Clone, ground: &[u32]) -> Self {
        let (count, most) = edges.clone().fold((0usize, 0u32), |(count, most), [a, b]| {
            (count + 1, most.max(a).max(b))
        });
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

    /// How many vertices there are.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.names.len()
    }

    /// Returns the other end and the number of every edge at `vertex`, loops left out.
    #[must_use]
    pub fn at(&self, vertex: u32) -> &[[u32; 2]] {
        let vertex = vertex as usize;
        &self.at[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// Which edges hang together with the ground, and how many vertices do.
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
        let held = self.ends.iter().map(|&[a, _]| reached[a as usize]);
        (held.collect(), vertices)
    }
}

/// Numbers of vertices by name.
enum VertexNumbers {
    Table(Vec<u32>),
    Map(FxHashMap<u32, u32>),
}

impl VertexNumbers {
    /// Returns the number of `vertex`, which is `number` when it has none yet.
    fn enter(&mut self, vertex: u32, number: u32) -> u32 {
        match self {
            Self::Table(table) => match table.get_mut(vertex as usize) {
                Some(known) => {
                    if *known == u32::MAX {
                        *known = number;
                    }
                    *known
                }
                // A ground vertex without an edge.
                None => number,
            },
            Self::Map(map) => *map.entry(vertex).or_insert(number),
        }
    }
}
