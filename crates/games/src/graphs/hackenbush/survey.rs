//! The survey of a green picture: a depth-first search that finds bridges, blocks and values.
//!
//! The colon principle replaces the branches at a vertex by one stalk whose length is their
//! nim-sum. The fusion principle fuses the vertices of a cycle, so that the edges of the cycle
//! become loops of value 1. A *block* is a maximal connected subgraph without a bridge. After
//! fusion a block is one vertex with a loop for each of its edges, and it carries other blocks on
//! bridges. Hence
//!
//! value(block) = (number of edges of the block mod 2) xor the nim-sum of (value(carried) + 1) over
//! the blocks that it carries.
//!
//! All arrays are indexed by preorder number. This is the order in which the search visits the
//! vertices, beginning with the ground. A parent has a smaller number than its children, so passes
//! over the arrays replace recursion.

use super::grounded::GroundedGraph;

/// The search tree of a picture, its bridges, and its values.
#[derive(Clone, Debug)]
pub struct Survey {
    /// For each preorder number, the vertex of the graph that has this number.
    pub vertex: Vec<u32>,
    /// The parent of each vertex. The ground is its own parent.
    pub parent: Vec<u32>,
    /// The edge from each vertex to its parent.
    pub parent_edge: Vec<u32>,
    /// The edges that close a cycle, each as its lower end (the descendant), its upper end (the
    /// ancestor) and its index.
    pub closing: Vec<[u32; 3]>,
    /// For each vertex, the smallest preorder number among the vertex itself and the upper ends of
    /// the closing edges from its subtree.
    pub low: Vec<u32>,
    /// For each vertex, the nim-sum of the contributions of its subtree, without the edge to its
    /// parent.
    ///
    /// The subtree contributes its loops, its tree edges, its branches on bridges, and the closing
    /// edges whose lower end is in it. For the top of a block the nim-sum is the value of the
    /// block.
    pub value: Vec<u64>,
}

impl Survey {
    /// Creates the survey of a graph. O(vertices + edges).
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::{HackenbushPicture, Survey, edges};
    /// let triangle = HackenbushPicture::new(&edges("0-1 1-2 2-0")?, &[0]);
    /// let survey = Survey::new(&triangle.graph());
    /// assert_eq!((survey.parent_edge.len(), survey.closing.len()), (3, 1));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
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
        survey.compute_values(graph);
        survey
    }

    /// Builds the search tree and finds the closing edges.
    fn search(&mut self, graph: &GroundedGraph) {
        const UNSEEN: u32 = u32::MAX;
        let mut number = vec![UNSEEN; graph.vertices()];
        // The path from the ground to the current vertex, with the remaining edges of each vertex.
        // An explicit stack is needed, since a picture may be a path of a million edges.
        let mut path: Vec<(u32, std::slice::Iter<'_, [u32; 2]>)> = Vec::new();
        self.enter(0, 0, u32::MAX);
        number[0] = 0;
        path.push((0, graph.at(0).iter()));
        while let Some((here, edges)) = path.last_mut() {
            let here = *here;
            let Some(&[other, edge]) = edges.next() else {
                path.pop();
                continue;
            };
            let there = number[other as usize];
            if there == UNSEEN {
                let new = self.vertex.len() as u32;
                number[other as usize] = new;
                self.enter(other, here, edge);
                path.push((new, graph.at(other).iter()));
            // Comparing edges, not vertices, makes an edge parallel to the tree edge a closing
            // edge. Each closing edge is recorded once, at its lower end.
            } else if there < here && edge != self.parent_edge[here as usize] {
                self.closing.push([here, there, edge]);
            }
        }
    }

    /// Appends a vertex to the search tree.
    fn enter(&mut self, vertex: u32, parent: u32, edge: u32) {
        self.vertex.push(vertex);
        self.parent.push(parent);
        self.parent_edge.push(edge);
    }

    /// Computes `low` and `value` from the closing edges and the loops.
    fn compute_values(&mut self, graph: &GroundedGraph) {
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
        // In reverse preorder, the entries of a vertex are complete when they are added to its
        // parent. A bridge contributes value + 1 by the colon principle. A tree edge on a cycle is
        // fused and contributes xor 1.
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

    /// Returns whether the vertex is the top of a block. The tops are the ground and, for each
    /// bridge, the end farther from the ground.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::{HackenbushPicture, Survey, edges};
    /// // A triangle on a trunk. The trunk is the only bridge.
    /// let picture = HackenbushPicture::new(&edges("0-1 1-2 2-3 3-1")?, &[0]);
    /// let survey = Survey::new(&picture.graph());
    /// assert_eq!([0, 1, 2, 3].map(|vertex| survey.is_top(vertex)), [true, true, false, false]);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn is_top(&self, vertex: u32) -> bool {
        self.low[vertex as usize] >= vertex
    }

    /// Returns the value of the picture.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::{HackenbushPicture, Survey, edges};
    /// // The triangle has the value 1, and the trunk adds 1.
    /// let picture = HackenbushPicture::new(&edges("0-1 1-2 2-3 3-1")?, &[0]);
    /// assert_eq!(Survey::new(&picture.graph()).total(), 2);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn total(&self) -> u64 {
        self.value[0]
    }

    /// Returns, for each vertex, the top of its block. The block is a maximal connected subgraph
    /// without a bridge, and its top is its vertex nearest to the ground.
    ///
    /// ```
    /// use grundy_core::ruleset::hackenbush::{HackenbushPicture, Survey, edges};
    /// // A triangle on a trunk. The top of the triangle is the end of the trunk.
    /// let picture = HackenbushPicture::new(&edges("0-1 1-2 2-3 3-1")?, &[0]);
    /// assert_eq!(Survey::new(&picture.graph()).tops(), [0, 1, 1, 1]);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
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
