//! A worker's share of a graph: the vertices of every so many-th position, and who moves to them.

use grundy::Worth;
use grundy_base::{Diagnostic, Kind, message};

/// Who owns what: position n belongs to worker n mod w, and has one vertex for each turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) workers: u64,
    pub(crate) turns: u64,
    pub(crate) me: u64,
}

impl Layout {
    /// Returns the owner of a vertex, and its number there.
    #[inline]
    pub(crate) fn place(&self, vertex: u64) -> (usize, u32) {
        let (position, turn) = (vertex / self.turns, vertex % self.turns);
        let local = position / self.workers * self.turns + turn;
        ((position % self.workers) as usize, local as u32)
    }

    /// Returns the vertex with a number at its owner.
    #[inline]
    pub(crate) fn vertex(&self, owner: usize, local: u32) -> u64 {
        let (position, turn) = (u64::from(local) / self.turns, u64::from(local) % self.turns);
        (position * self.workers + owner as u64) * self.turns + turn
    }

    /// How many of some positions belong here.
    pub(crate) fn positions(&self, all: u64) -> u64 {
        (all + self.workers - 1 - self.me) / self.workers
    }

    /// Returns the position with a number here, counted over all.
    pub(crate) fn position(&self, local: u64) -> u64 {
        local * self.workers + self.me
    }

    /// Returns the same of one that belongs to some worker.
    pub(crate) fn position_of(&self, owner: usize, local: u32) -> u64 {
        u64::from(local) * self.workers + owner as u64
    }
}

/// Vertices of all workers: the owner of each, and its number there. 6 bytes each.
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

/// Moves as they come in, in any order.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    targets: Vec<u32>,
    sources: Places,
    degrees: Vec<u32>,
    ends: Vec<(u32, Worth)>,
}

impl Moves {
    /// A move to a vertex here.
    pub(crate) fn push(&mut self, target: u32, source: (usize, u32)) {
        self.targets.push(target);
        self.sources.push(source.0, source.1);
    }

    /// Some more moves of a vertex here.
    pub(crate) fn add_degree(&mut self, vertex: u32, moves: u32) {
        let vertex = vertex as usize;
        if self.degrees.len() <= vertex {
            self.degrees.resize(vertex + 1, 0);
        }
        self.degrees[vertex] += moves;
    }

    /// What the end is worth at a vertex here.
    pub(crate) fn end(&mut self, vertex: u32, worth: Worth) {
        self.ends.push((vertex, worth));
    }

    /// How many moves come here.
    pub(crate) fn len(&self) -> usize {
        self.targets.len()
    }

    /// How many moves each vertex here has, as far as they were looked at.
    pub(crate) fn degrees(&self) -> &[u32] {
        &self.degrees
    }

    /// What ends here are worth, in the order in which they came in.
    pub(crate) fn ends(&self) -> &[(u32, Worth)] {
        &self.ends
    }

    /// So many vertices here have been looked at, those among them that have no moves too.
    pub(crate) fn make_room(&mut self, vertices: usize) {
        self.degrees.resize(vertices.max(self.degrees.len()), 0);
    }

    /// Returns the moves that came in after so many others, by the vertices that they lead to and
    /// come from.
    pub(crate) fn since(
        &self,
        first: usize,
        layout: Layout,
    ) -> impl Iterator<Item = (u64, u64)> + '_ {
        let me = layout.me as usize;
        (first..self.len()).map(move |index| {
            let (worker, local) = self.sources.get(index);
            (
                layout.vertex(me, self.targets[index]),
                layout.vertex(worker, local),
            )
        })
    }

    /// Returns a share that is too large.
    pub(crate) fn too_many() -> Diagnostic {
        let message = message!("a worker has room for less than 2^32 positions and moves");
        Diagnostic::new(Kind::Limit, message).help(message!("more workers have smaller shares"))
    }

    /// Bytes that are held, and needed to put them in order.
    pub(crate) fn bytes(&self) -> u64 {
        (16 * self.targets.len() + 22 * self.degrees.len()) as u64
    }

    /// Returns the share with so many vertices: the moves by their targets.
    pub(crate) fn finish(mut self, vertices: usize) -> Result<Share, Diagnostic> {
        if self.targets.len() >= u32::MAX as usize || vertices >= u32::MAX as usize {
            return Err(Self::too_many());
        }
        self.degrees.resize(vertices, 0);
        let mut starts = vec![0u32; vertices + 1];
        for &target in &self.targets {
            starts[target as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        // Filled from the back, each start ends as the beginning of its row.
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

/// The vertices of a worker.
#[derive(Debug)]
pub(crate) struct Share {
    starts: Vec<u32>,
    sources: Places,
    /// How many moves each vertex has.
    pub(crate) degrees: Vec<u32>,
    /// What ends are worth, in the order of the vertices, where the end decides.
    pub(crate) ends: Vec<(u32, Worth)>,
}

impl Share {
    pub(crate) fn vertices(&self) -> usize {
        self.degrees.len()
    }

    /// Returns all moves, by the vertices that they lead to and come from.
    pub(crate) fn moves(&self, layout: Layout) -> impl Iterator<Item = (u64, u64)> + '_ {
        (0..self.vertices() as u32).flat_map(move |vertex| {
            let to = layout.vertex(layout.me as usize, vertex);
            let sources = self.sources(vertex);
            sources.map(move |(worker, local)| (to, layout.vertex(worker, local)))
        })
    }

    /// Where the moves to a vertex come from.
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
        let mut seen = std::collections::HashSet::new();
        for vertex in 0..1000u64 {
            let layout = Layout {
                workers: 3,
                turns: 2,
                me: 0,
            };
            let (owner, local) = layout.place(vertex);
            assert!(seen.insert((owner, local)));
            let own = Layout {
                me: owner as u64,
                ..layout
            };
            assert_eq!(
                own.position(u64::from(local) / 2) * 2 + u64::from(local) % 2,
                vertex
            );
        }
        let counts = (0..3).map(|me| {
            Layout {
                workers: 3,
                turns: 1,
                me,
            }
            .positions(10)
        });
        assert_eq!(counts.collect::<Vec<_>>(), [4, 3, 3]);
    }

    #[test]
    fn moves_come_in_rows() -> Result<(), Diagnostic> {
        let mut moves = Moves::default();
        moves.push(1, (0, 7));
        moves.push(0, (1, 8));
        moves.push(1, (1, 9));
        moves.add_degree(0, 2);
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
