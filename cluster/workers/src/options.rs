//! The moves of each vertex of a graph that was given, where they are to be written down.

/// The moves of the vertices whose names are here, in the order in which they were read: kept where
/// they are to be written down.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// The name here, which edge of all it is, and the number of the vertex that it leads to.
    edges: Vec<(u32, u64, u64)>,
}

impl Options {
    /// Puts the moves of each name together, in their order.
    pub(crate) fn sort(&mut self) {
        self.edges.sort_unstable();
    }

    /// A move of a name here, the next in its order.
    pub(crate) fn push(&mut self, name: u32, place: u64, target: u64) {
        self.edges.push((name, place, target));
    }

    pub(crate) fn bytes(&self) -> u64 {
        24 * self.edges.len() as u64
    }

    /// Where the moves of a name here lead.
    pub(crate) fn of(&self, name: u32) -> impl Iterator<Item = u64> + '_ {
        let begin = self.edges.partition_point(|&(from, ..)| from < name);
        let edges = self.edges[begin..].iter();
        edges
            .take_while(move |&&(from, ..)| from == name)
            .map(|&(_, _, to)| to)
    }

    /// Returns all numbers that moves lead to, and the same when each has been put in its place.
    pub(crate) fn targets(&self) -> impl Iterator<Item = u64> + '_ {
        self.edges.iter().map(|&(_, _, to)| to)
    }

    pub(crate) fn replace(&mut self, targets: Vec<u64>) {
        for (edge, target) in self.edges.iter_mut().zip(targets) {
            edge.2 = target;
        }
    }
}
