//! Pictures as graphs with consecutive vertex numbers, in which the ground is the single vertex 0.

use rustc_hash::FxHashMap;

/// A graph on the vertices 0, 1, ..., where vertex 0 is the ground.
#[derive(Clone, Debug)]
pub struct GroundedGraph {
    /// The two ends of each edge.
    pub ends: Vec<[u32; 2]>,
    /// For each vertex, its number in the picture. For vertex 0 it is one of the ground vertices.
    pub names: Vec<u32>,
    /// For each vertex, the index of its first entry in `at`. At the end of `starts`, the length of
    /// `at` follows.
    starts: Vec<u32>,
    /// The entries of all vertices. A vertex has an entry for every edge at it: the other end and
    /// the index of the edge. Loops are left out, since they lead to no other vertex.
    at: Vec<[u32; 2]>,
}

impl GroundedGraph {
    /// Creates the graph of some edges. Vertices are numbered in the order of their first edge. All
    /// ground vertices become vertex 0.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::GroundedGraph;
    /// let arch = GroundedGraph::new([[7, 8], [8, 9], [9, 3]].into_iter(), &[7, 3]);
    /// assert_eq!(arch.names, [7, 8, 9]);
    /// assert_eq!(arch.ends, [[0, 1], [1, 2], [2, 0]]);
    /// ```
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
            numbering.get_or_insert(vertex, 0);
        }
        let mut number = |vertex: u32| {
            let assigned = numbering.get_or_insert(vertex, names.len() as u32);
            if assigned as usize == names.len() {
                names.push(vertex);
            }
            assigned
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
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::GroundedGraph;
    /// // The ground vertices 7 and 3 are one vertex.
    /// let arch = GroundedGraph::new([[7, 8], [8, 9], [9, 3]].into_iter(), &[7, 3]);
    /// assert_eq!(arch.vertices(), 3);
    /// ```
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.names.len()
    }

    /// Returns, for every edge at `vertex`, its other end and its index. Loops are left out.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::GroundedGraph;
    /// let stalk = GroundedGraph::new([[0, 1], [1, 2], [1, 1]].into_iter(), &[0]);
    /// assert_eq!(stalk.at(1), [[0, 0], [2, 1]]);
    /// ```
    #[must_use]
    pub fn at(&self, vertex: u32) -> &[[u32; 2]] {
        let vertex = vertex as usize;
        &self.at[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// Returns, for each edge, whether it is connected to the ground. Also returns the number of
    /// vertices that are connected to the ground.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::GroundedGraph;
    /// let picture = GroundedGraph::new([[0, 1], [5, 6], [1, 2]].into_iter(), &[0]);
    /// assert_eq!(picture.connected_to_ground(), (vec![true, false, true], 3));
    /// ```
    #[must_use]
    pub fn connected_to_ground(&self) -> (Vec<bool>, usize) {
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
        let connected = self.ends.iter().map(|&[a, _]| reached[a as usize]);
        (connected.collect(), vertices)
    }
}

/// A map from the vertex numbers in the picture to the vertex numbers in the graph.
enum VertexNumbers {
    Table(Vec<u32>),
    Map(FxHashMap<u32, u32>),
}

impl VertexNumbers {
    /// Returns the number that a vertex has in the graph. `vertex` is its number in the picture. A
    /// vertex that has no number in the graph yet gets `number`.
    fn get_or_insert(&mut self, vertex: u32, number: u32) -> u32 {
        match self {
            Self::Table(table) => match table.get_mut(vertex as usize) {
                Some(assigned) => {
                    if *assigned == u32::MAX {
                        *assigned = number;
                    }
                    *assigned
                }
                // A ground vertex without an edge may lie beyond the table.
                None => number,
            },
            Self::Map(map) => *map.entry(vertex).or_insert(number),
        }
    }
}
