//! The part of a graph that one of w workers owns: the vertices of every w-th position, with their
//! predecessors.
//!
//! Edges are stored at their targets, since retrograde analysis sends the label of a vertex to its
//! predecessors. Degrees are stored at the sources, where the number of undecided moves is counted
//! down.

use grundy_base::{Diagnostic, Kind, message};
use grundy_core::PayoffResult;

/// The distribution of vertices over w workers. Position n belongs to worker n mod w. Each position
/// has one vertex for each player that may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) workers: u64,
    pub(crate) turns: u64,
    pub(crate) worker: u64,
}

impl Layout {
    /// Returns the owner of a vertex, and the local index of the vertex there.
    #[inline]
    pub(crate) fn place(&self, vertex: u64) -> (usize, u32) {
        // All vertices of a position have the same owner, so `vertex` is divided by `turns` first.
        // Local indices have no gaps: an owner numbers its positions 0, 1, 2, ... in increasing
        // order.
        let (position, turn) = (vertex / self.turns, vertex % self.turns);
        let local = position / self.workers * self.turns + turn;
        ((position % self.workers) as usize, local as u32)
    }

    /// Returns the vertex that has a given local index at a given owner.
    #[inline]
    pub(crate) fn vertex(&self, owner: usize, local: u32) -> u64 {
        let (position, turn) = (u64::from(local) / self.turns, u64::from(local) % self.turns);
        (position * self.workers + owner as u64) * self.turns + turn
    }

    /// Returns the number of positions n < `all` that belong to this worker.
    pub(crate) fn positions(&self, all: u64) -> u64 {
        // The number of n < all with n ≡ me (mod workers). It is also the local index of this
        // worker's first position n >= all.
        (all + self.workers - 1 - self.worker) / self.workers
    }

    /// Returns the position that has a given local index at this worker.
    pub(crate) fn position(&self, local: u64) -> u64 {
        local * self.workers + self.worker
    }

    /// Returns the position that has a given local index at a given owner.
    pub(crate) fn position_of(&self, owner: usize, local: u32) -> u64 {
        u64::from(local) * self.workers + owner as u64
    }
}

/// A list of vertices, each with its owner and its local index. Owners and indices are stored in
/// separate arrays, which take 6 bytes for each vertex. An array of pairs would take 8 bytes.
#[derive(Debug, Default)]
pub(crate) struct Places {
    workers: Vec<u16>,
    locals: Vec<u32>,
}

impl Places {
    pub(crate) fn push(&mut self, worker: usize, local: u32) {
        self.workers.push(worker as u16);
        self.locals.push(local);
    }

    pub(crate) fn len(&self) -> usize {
        self.locals.len()
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> (usize, u32) {
        (self.workers[index] as usize, self.locals[index])
    }

    fn with_length(length: usize) -> Self {
        Self {
            workers: vec![0; length],
            locals: vec![0; length],
        }
    }

    fn set(&mut self, index: usize, (worker, local): (usize, u32)) {
        self.workers[index] = worker as u16;
        self.locals[index] = local;
    }
}

/// The moves whose targets belong to this worker, in the order of their arrival.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    targets: Vec<u32>,
    sources: Places,
    degrees: Vec<u32>,
    ends: Vec<(u32, PayoffResult)>,
}

impl Moves {
    /// Adds a move whose target is a local vertex. `source` is the owner of the source and the
    /// local index there.
    pub(crate) fn push(&mut self, target: u32, source: (usize, u32)) {
        self.targets.push(target);
        self.sources.push(source.0, source.1);
    }

    /// Increases the number of moves of a local vertex.
    pub(crate) fn add_degree(&mut self, vertex: u32, moves: u32) {
        let vertex = vertex as usize;
        if self.degrees.len() <= vertex {
            self.degrees.resize(vertex + 1, 0);
        }
        self.degrees[vertex] += moves;
    }

    /// Sets the payoff of a local terminal vertex.
    pub(crate) fn end(&mut self, vertex: u32, worth: PayoffResult) {
        self.ends.push((vertex, worth));
    }

    /// Returns the number of moves whose targets are local vertices.
    pub(crate) fn len(&self) -> usize {
        self.targets.len()
    }

    /// Returns the number of moves of each local vertex that has been explored.
    pub(crate) fn degrees(&self) -> &[u32] {
        &self.degrees
    }

    /// Returns the payoffs of local terminal vertices, in the order of their arrival.
    pub(crate) fn ends(&self) -> &[(u32, PayoffResult)] {
        &self.ends
    }

    /// Extends the list of degrees to a given number of explored vertices. Without this call, the
    /// list ends at the last vertex that has moves.
    pub(crate) fn make_room(&mut self, vertices: usize) {
        self.degrees.resize(vertices.max(self.degrees.len()), 0);
    }

    /// Returns all moves except the first `first` ones, in the order of arrival, each as a pair of
    /// target and source.
    pub(crate) fn since(
        &self,
        first: usize,
        layout: Layout,
    ) -> impl Iterator<Item = (u64, u64)> + '_ {
        let me = layout.worker as usize;
        (first..self.len()).map(move |index| {
            let (worker, local) = self.sources.get(index);
            (
                layout.vertex(me, self.targets[index]),
                layout.vertex(worker, local),
            )
        })
    }

    /// Returns the error for a share with too many vertices or moves.
    pub(crate) fn too_many() -> Diagnostic {
        let message = message!("a worker can hold at most 2^32 - 1 positions and 2^32 - 1 moves");
        Diagnostic::new(Kind::Limit, message).help(message!(
            "use more workers, so that each has a smaller share"
        ))
    }

    /// Returns the number of bytes held in memory, including those that [`Moves::finish`] will
    /// need.
    pub(crate) fn bytes(&self) -> u64 {
        // A move takes 10 bytes, and 6 more for its copy in sorted order. A vertex is counted with
        // 22 bytes. Its degree, row start, score, and counter take 13 of them, and the rest is a
        // reserve for values.
        (16 * self.targets.len() + 22 * self.degrees.len()) as u64
    }

    /// Sorts the moves by target. Returns the share of this worker, which has the given number of
    /// vertices.
    pub(crate) fn finish(mut self, vertices: usize) -> Result<Share, Diagnostic> {
        if self.targets.len() >= u32::MAX as usize || vertices >= u32::MAX as usize {
            return Err(Self::too_many());
        }
        self.degrees.resize(vertices, 0);
        let mut starts = vec![0u32; vertices + 1];
        // A counting sort by target. After the inclusive prefix sum, `starts` holds the end of each
        // row.
        for &target in &self.targets {
            starts[target as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        // Each start is decremented once for each move of its row, so that it becomes the beginning
        // of the row. The moves are visited from the last to the first, which keeps the order of
        // arrival within a row.
        let mut sources = Places::with_length(self.targets.len());
        for (index, &target) in self.targets.iter().enumerate().rev() {
            let slot = &mut starts[target as usize];
            *slot -= 1;
            sources.set(*slot as usize, self.sources.get(index));
        }
        self.ends.sort_unstable_by_key(|&(vertex, _)| vertex);
        Ok(Share {
            starts,
            sources,
            degrees: self.degrees,
            ends: self.ends,
        })
    }
}

/// The vertices of a worker with their predecessors, as a compressed sparse row matrix.
#[derive(Debug)]
pub(crate) struct Share {
    starts: Vec<u32>,
    sources: Places,
    /// Number of moves of each vertex.
    pub(crate) degrees: Vec<u32>,
    /// Payoffs of terminal vertices. Empty unless the ruleset has payoffs.
    pub(crate) ends: Vec<(u32, PayoffResult)>,
}

impl Share {
    pub(crate) fn vertices(&self) -> usize {
        self.degrees.len()
    }

    /// Returns all moves, each as a pair of target and source.
    pub(crate) fn moves(&self, layout: Layout) -> impl Iterator<Item = (u64, u64)> + '_ {
        (0..self.vertices() as u32).flat_map(move |vertex| {
            let to = layout.vertex(layout.worker as usize, vertex);
            let sources = self.sources(vertex);
            sources.map(move |(worker, local)| (to, layout.vertex(worker, local)))
        })
    }

    /// Returns the predecessors of a vertex, each with its owner and its local index there.
    #[inline]
    pub(crate) fn sources(&self, vertex: u32) -> impl Iterator<Item = (usize, u32)> + '_ {
        let vertex = vertex as usize;
        let row = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
        let workers = self.sources.workers[row.clone()].iter();
        workers
            .zip(&self.sources.locals[row])
            .map(|(&worker, &local)| (worker as usize, local))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vertex_has_one_place() {
        // Three workers and two turns are coprime. So the test fails if the two divisors are
        // swapped.
        let mut seen = std::collections::HashSet::new();
        for vertex in 0..1000u64 {
            let layout = Layout {
                workers: 3,
                turns: 2,
                worker: 0,
            };
            let (owner, local) = layout.place(vertex);
            assert!(seen.insert((owner, local)));
            let own = Layout {
                worker: owner as u64,
                ..layout
            };
            assert_eq!(
                own.position(u64::from(local) / 2) * 2 + u64::from(local) % 2,
                vertex
            );
        }
        let counts = (0..3).map(|worker| {
            Layout {
                workers: 3,
                turns: 1,
                worker,
            }
            .positions(10)
        });
        assert_eq!(counts.collect::<Vec<_>>(), [4, 3, 3]);
    }

    #[test]
    fn moves_are_grouped_by_vertex() -> Result<(), Diagnostic> {
        let mut moves = Moves::default();
        moves.push(1, (0, 7));
        moves.push(0, (1, 8));
        moves.push(1, (1, 9));
        moves.add_degree(0, 2);
        // Vertex 2 has neither a move nor a degree, and must still get an empty row.
        let share = moves.finish(3)?;
        assert_eq!(share.sources(1).collect::<Vec<_>>(), [(0, 7), (1, 9)]);
        assert_eq!(share.sources(0).collect::<Vec<_>>(), [(1, 8)]);
        assert_eq!(
            (share.sources(2).count(), share.degrees),
            (0, vec![2, 0, 0])
        );
        Ok(())
    }
}
