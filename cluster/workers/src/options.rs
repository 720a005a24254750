//! The moves of each vertex of an input graph in input order, stored if the table lists the moves.

/// The moves of those vertices whose names belong to this worker, in input order.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// For each move: the local index of the source's name, a place that increases in input order,
    /// and the target as a position number. [`Options::replace`] replaces the position numbers.
    edges: Vec<(u32, u64, u64)>,
}

impl Options {
    /// Groups the moves by the name of the source, each group in input order.
    pub(crate) fn sort(&mut self) {
        self.edges.sort_unstable();
    }

    /// Adds a move from the vertex whose name has the local index `name`.
    pub(crate) fn push(&mut self, name: u32, place: u64, target: u64) {
        self.edges.push((name, place, target));
    }

    pub(crate) fn bytes(&self) -> u64 {
        24 * self.edges.len() as u64
    }

    /// Returns the targets of the moves from the vertex whose name has the local index `name`. The
    /// moves must be sorted.
    pub(crate) fn of(&self, name: u32) -> impl Iterator<Item = u64> + '_ {
        let begin = self.edges.partition_point(|&(from, ..)| from < name);
        let edges = self.edges[begin..].iter();
        edges
            .take_while(move |&&(from, ..)| from == name)
            .map(|&(_, _, to)| to)
    }

    /// Returns the targets of all moves, in the order that [`Options::replace`] expects.
    pub(crate) fn targets(&self) -> impl Iterator<Item = u64> + '_ {
        self.edges.iter().map(|&(_, _, to)| to)
    }

    pub(crate) fn replace(&mut self, targets: Vec<u64>) {
        for (edge, target) in self.edges.iter_mut().zip(targets) {
            edge.2 = target;
        }
    }
}
