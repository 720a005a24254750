//! Maximum matchings of general graphs (J. Edmonds, Paths, trees, and flowers, Canad. J. Math. 17
//! (1965), 449-467).
//!
//! The search works in phases. A phase grows alternating trees from all exposed vertices at the
//! same time, in breadth-first order, and contracts blossoms. If an edge joins two trees, the
//! matching is enlarged along their paths, and both trees end for this phase. The last phase finds
//! no such edge. In bipartite graphs the phases are similar to those of Hopcroft and Karp. Few
//! phases are needed, and each takes a time nearly linear in the number of edges.

use super::topology::Topology;
use grundy_base::limits::{Limits, Stop};

/// The mark of a vertex without a partner.
const NONE: u32 = u32::MAX;

/// Number of scanned edges between two tests of the limits.
const POLL_INTERVAL: u32 = 1 << 16;

/// The state of a vertex in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    /// No tree has reached the vertex.
    Free,
    /// A path of even length leads from an exposed vertex to this vertex.
    Even,
    /// Only paths of odd length have been found.
    Odd,
}

/// A maximum matching, and the vertices that some maximum matching does not cover.
#[derive(Clone, Debug)]
pub(super) struct Matching {
    /// The partner of each vertex, or [`NONE`].
    partners: Vec<u32>,
    /// For each vertex, `true` if some maximum matching does not cover it.
    avoidable: Vec<bool>,
}

impl Matching {
    /// Computes a maximum matching of an undirected graph.
    ///
    /// # Errors
    /// Fails if the limits are reached.
    pub(super) fn maximum(graph: &Topology, limits: &Limits<'_>) -> Result<Self, Stop> {
        let mut search = Search::new(graph, limits);
        search.begin();
        while search.phase()? {}
        // In the last phase no path enlarges the matching. By the theorem of Gallai and Edmonds,
        // the even vertices are those that some maximum matching does not cover.
        let avoidable = search.labels.iter().map(|&label| label == Label::Even);
        Ok(Self {
            avoidable: avoidable.collect(),
            partners: search.partners,
        })
    }

    /// Returns whether every maximum matching covers the vertex with this index.
    pub(super) fn always_covers(&self, vertex: usize) -> bool {
        !self.avoidable[vertex]
    }

    /// Returns the partner of a vertex in the matching.
    pub(super) fn partner(&self, vertex: usize) -> Option<usize> {
        let partner = self.partners[vertex];
        (partner != NONE).then_some(partner as usize)
    }

    /// Returns the edges of the matching, as indices of vertices.
    pub(super) fn edges(&self) -> impl Iterator<Item = [usize; 2]> {
        let vertices = 0..self.partners.len();
        vertices.filter_map(|a| Some([a, self.partner(a).filter(|&b| a < b)?]))
    }
}

struct Search<'a> {
    graph: &'a Topology,
    limits: &'a Limits<'a>,
    partners: Vec<u32>,
    labels: Vec<Label>,
    /// For each odd vertex, the even vertex that precedes it on its path. Also set for even
    /// vertices in blossoms that were odd before.
    before: Vec<u32>,
    /// The parents in a union-find structure, whose roots are the bases of blossoms.
    bases: Vec<u32>,
    /// The exposed vertex at the root of the tree of each vertex.
    roots: Vec<u32>,
    /// For each exposed vertex, whether its tree has ended in this phase.
    ended: Vec<bool>,
    /// The last search for a common ancestor that visited each vertex.
    visits: Vec<u32>,
    visit: u32,
    queue: Vec<u32>,
    until_poll: u32,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Topology, limits: &'a Limits<'a>) -> Self {
        let count = graph.vertex_count();
        Self {
            graph,
            limits,
            partners: vec![NONE; count],
            labels: vec![Label::Free; count],
            before: vec![NONE; count],
            bases: vec![0; count],
            roots: vec![NONE; count],
            ended: vec![false; count],
            visits: vec![0; count],
            visit: 0,
            queue: Vec::new(),
            until_poll: POLL_INTERVAL,
        }
    }

    /// Matches each vertex with its first free neighbour.
    fn begin(&mut self) {
        for a in 0..self.partners.len() {
            if self.partners[a] != NONE {
                continue;
            }
            let mut neighbours = self.graph.targets(a).iter();
            let free = neighbours.find(|&&b| self.partners[b as usize] == NONE && b as usize != a);
            if let Some(&b) = free {
                self.partners[a] = b;
                self.partners[b as usize] = a as u32;
            }
        }
    }

    /// Runs a phase. Returns whether it has enlarged the matching.
    fn phase(&mut self) -> Result<bool, Stop> {
        self.limits.poll()?;
        self.labels.fill(Label::Free);
        self.before.fill(NONE);
        self.ended.fill(false);
        self.queue.clear();
        for vertex in 0..self.partners.len() {
            self.bases[vertex] = vertex as u32;
            if self.partners[vertex] == NONE {
                self.labels[vertex] = Label::Even;
                self.roots[vertex] = vertex as u32;
                self.queue.push(vertex as u32);
            }
        }
        let mut enlarged = false;
        let mut next = 0;
        while next < self.queue.len() {
            let vertex = self.queue[next];
            next += 1;
            enlarged |= self.scan(vertex)?;
        }
        Ok(enlarged)
    }

    /// Scans the edges of an even vertex. Returns whether the matching was enlarged.
    fn scan(&mut self, a: u32) -> Result<bool, Stop> {
        let root = self.roots[a as usize];
        let graph = self.graph;
        for &b in graph.targets(a as usize) {
            self.count_step()?;
            if self.ended[root as usize] {
                return Ok(false);
            }
            match self.labels[b as usize] {
                Label::Free => {
                    // All vertices without a partner are even, so `b` has one.
                    let partner = self.partners[b as usize];
                    self.labels[b as usize] = Label::Odd;
                    self.before[b as usize] = a;
                    self.labels[partner as usize] = Label::Even;
                    self.roots[b as usize] = root;
                    self.roots[partner as usize] = root;
                    self.queue.push(partner);
                }
                Label::Odd => {}
                Label::Even => {
                    let other = self.roots[b as usize];
                    if other == root {
                        let base = self.common_base(a, b)?;
                        if let Some(base) = base {
                            self.contract(a, b, base)?;
                            self.contract(b, a, base)?;
                        }
                    } else if !self.ended[other as usize] {
                        self.rematch(a, b);
                        self.rematch(b, a);
                        self.ended[root as usize] = true;
                        self.ended[other as usize] = true;
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    fn count_step(&mut self) -> Result<(), Stop> {
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.until_poll = POLL_INTERVAL;
            self.limits.poll()?;
        }
        Ok(())
    }

    /// Returns the base of the blossom of a vertex.
    fn base(&mut self, mut vertex: u32) -> u32 {
        loop {
            let parent = self.bases[vertex as usize];
            if parent == vertex {
                return vertex;
            }
            // Path halving keeps the paths short.
            let above = self.bases[parent as usize];
            self.bases[vertex as usize] = above;
            vertex = above;
        }
    }

    /// Returns the base of the blossom that an edge between two even vertices of one tree closes.
    /// Returns `None` if both are in the same blossom already.
    fn common_base(&mut self, a: u32, b: u32) -> Result<Option<u32>, Stop> {
        let (mut a, mut b) = (self.base(a), self.base(b));
        if a == b {
            return Ok(None);
        }
        self.visit += 1;
        // The two walks alternate, so their length is about that of the cycle.
        loop {
            self.count_step()?;
            if a != NONE {
                if self.visits[a as usize] == self.visit {
                    return Ok(Some(a));
                }
                self.visits[a as usize] = self.visit;
                let partner = self.partners[a as usize];
                a = if partner == NONE {
                    NONE
                } else {
                    self.base(self.before[partner as usize])
                };
            }
            std::mem::swap(&mut a, &mut b);
        }
    }

    /// Adds the path from `vertex` up to `base` to the blossom of `base`. The odd vertices on the
    /// path become even. They are reached through the edge from `other` to `vertex`.
    fn contract(&mut self, mut vertex: u32, mut other: u32, base: u32) -> Result<(), Stop> {
        while self.base(vertex) != base {
            self.count_step()?;
            self.before[vertex as usize] = other;
            let odd = self.partners[vertex as usize];
            if self.labels[odd as usize] == Label::Odd {
                self.labels[odd as usize] = Label::Even;
                self.queue.push(odd);
            }
            for member in [vertex, odd] {
                if self.bases[member as usize] == member {
                    self.bases[member as usize] = base;
                }
            }
            other = odd;
            vertex = self.before[odd as usize];
        }
        Ok(())
    }

    /// Matches `vertex` with `partner`, and changes the matching along the path from `vertex` to
    /// its root.
    fn rematch(&mut self, mut vertex: u32, mut partner: u32) {
        loop {
            let lost = std::mem::replace(&mut self.partners[vertex as usize], partner);
            if lost == NONE {
                return;
            }
            let above = self.before[lost as usize];
            self.partners[lost as usize] = above;
            (partner, vertex) = (lost, above);
        }
    }
}
