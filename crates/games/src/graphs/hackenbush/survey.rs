//! The survey of a green picture: a depth-first search from the ground that finds bridges and what
//! may be fused, and the value of everything above each vertex.
//!
//! Colon principle: the branches at a vertex may be replaced by one stalk whose length is their
//! nim-sum. Fusion principle: the vertices of a cycle may be fused, so that its edges become loops,
//! each worth 1. A *block* is a largest part without a bridge; fused, it is one vertex with as many
//! loops as it has edges, and from its vertices hang the blocks above it by bridges. So
//!
//! value(block) = (edges of the block mod 2) xor, over the blocks above it, (value(above) + 1).
//!
//! Everything here is indexed by preorder number: the order in which the search met the vertices,
//! the ground first. A parent has a smaller number than its children, so passes over the arrays
//! replace recursion.

use super::grounded::GroundedGraph;

/// The search tree, its bridges, and values.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The vertex of the graph with each preorder number.
    pub vertex: Vec<u32>,
    /// The parent of each vertex; the ground is its own.
    pub parent: Vec<u32>,
    /// The edge to the parent.
    pub parent_edge: Vec<u32>,
    /// The edges that close a cycle: lower end (the descendant), upper end (the ancestor), edge.
    pub closing: Vec<[u32; 3]>,
    /// The smallest preorder number that a closing edge from the subtree leads to; the own number
    /// where there is none.
    pub low: Vec<u32>,
    /// The nim-sum of all that stands in the subtree of a vertex: closing edges that start there,
    /// loops, branches, but not the edge to the parent. For the top of a block this is the value of
    /// the block.
    pub value: Vec<u64>,
}

impl Survey {
    /// Searches the graph. O(vertices + edges).
    #[must_use]
    pub fn new(graph: &GroundedGraph) -> Self {
        let count = graph.vertices();
        let mut survey = Self {
            vertex: Vec::with_capacity(count),
            parent: Vec::with_capacity(count),
            parent_edge: Vec::with_capacity(count),
            closing: Vec::new(),
            low: Vec::new(),
            value: Vec::new(),
        };
        survey.search(graph);
        survey.measure(graph);
        survey
    }

    fn search(&mut self, graph: &GroundedGraph) {
        const UNSEEN: u32 = u32::MAX;
        let mut number = vec![UNSEEN; graph.vertices()];
        // Vertices on the way from the ground to here, each with the edges at it that are still to
        // be looked at.
        let mut way: Vec<(u32, std::slice::Iter<'_, [u32; 2]>)> = Vec::new();
        self.enter(0, 0, u32::MAX);
        number[0] = 0;
        way.push((0, graph.at(0).iter()));
        while let Some((here, edges)) = way.last_mut() {
            let here = *here;
            let Some(&[other, edge]) = edges.next() else {
                way.pop();
                continue;
            };
            let there = number[other as usize];
            if there == UNSEEN {
                let new = self.vertex.len() as u32;
                number[other as usize] = new;
                self.enter(other, here, edge);
                way.push((new, graph.at(other).iter()));
            } else if there < here && edge != self.parent_edge[here as usize] {
                self.closing.push([here, there, edge]);
            }
        }
    }

    fn enter(&mut self, vertex: u32, parent: u32, edge: u32) {
        self.vertex.push(vertex);
        self.parent.push(parent);
        self.parent_edge.push(edge);
    }

    fn measure(&mut self, graph: &GroundedGraph) {
        let count = self.vertex.len();
        self.low = (0..count as u32).collect();
        self.value = vec![0; count];
        if graph.ends.iter().any(|[a, b]| a == b) {
            let mut loops = vec![0; graph.vertices()];
            for &[a, _] in graph.ends.iter().filter(|[a, b]| a == b) {
                loops[a as usize] ^= 1;
            }
            for (value, &vertex) in self.value.iter_mut().zip(&self.vertex) {
                *value = loops[vertex as usize];
            }
        }
        for &[lower, upper, _] in &self.closing {
            self.value[lower as usize] ^= 1;
            let low = &mut self.low[lower as usize];
            *low = upper.min(*low);
        }
        for here in (1..count).rev() {
            let parent = self.parent[here] as usize;
            if self.is_top(here as u32) {
                self.value[parent] ^= self.value[here] + 1;
            } else {
                self.value[parent] ^= self.value[here] ^ 1;
                self.low[parent] = self.low[parent].min(self.low[here]);
            }
        }
    }

    /// Returns whether the vertex is the top of a block: the ground, or the upper end (seen from
    /// the ground) of a bridge.
    #[must_use]
    pub fn is_top(&self, vertex: u32) -> bool {
        self.low[vertex as usize] >= vertex
    }

    /// Returns the value of the picture.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.value[0]
    }

    /// Returns the top of the block of each vertex.
    #[must_use]
    pub fn tops(&self) -> Vec<u32> {
        let mut tops = vec![0; self.vertex.len()];
        for here in 1..tops.len() as u32 {
            tops[here as usize] = if self.is_top(here) {
                here
            } else {
                tops[self.parent[here as usize] as usize]
            };
        }
        tops
    }
}
