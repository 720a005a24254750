//! The state of a worker while it reads edge lists: names, edges as pairs of places, and the
//! progress of each list.

use crate::interner::Interner;
use crate::share::Places;

/// Number of bits for the index of an edge or a name in its list. The list number is stored above
/// them.
const LIST: u32 = 40;

/// A run of consecutive edges of a list.
#[derive(Debug)]
pub(crate) struct Run {
    /// The list, and the index of the run's first edge in it.
    pub(crate) first: (u64, u64),
    pub(crate) edges: usize,
}

/// The progress of reading a list.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ListMark {
    pub(crate) rows: u64,
    /// Number of names, once all rows have been read.
    pub(crate) names: u64,
    pub(crate) done: bool,
}

/// Encodes the place of a name or an edge as one number. Its order is that of a single process,
/// which reads one list after the other.
pub(crate) fn place_of(list: u64, within: u64) -> u64 {
    list << LIST | within
}

/// Returns the list and the index within it.
pub(crate) fn of_place(place: u64) -> (u64, u64) {
    (place >> LIST, place & ((1 << LIST) - 1))
}

/// The edges and names that a worker holds while lists are read.
#[derive(Debug, Default)]
pub(crate) struct PartialLists {
    pub(crate) known: Interner,
    /// Least place of each local name: the list, and the index among its names.
    pub(crate) firsts: Vec<(u32, u64)>,
    /// Names whose least place has decreased since the last checkpoint.
    pub(crate) lowered: Vec<u32>,
    /// Number of names in the last checkpoint.
    pub(crate) kept: usize,
    /// Edges stored here, possibly read by another worker.
    pub(crate) runs: Vec<Run>,
    pub(crate) sources: Places,
    pub(crate) targets: Places,
    pub(crate) lists: Vec<ListMark>,
}

impl PartialLists {
    /// Returns the bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        (self.known.texts.bytes() + 12 * self.sources.len() + 20 * self.firsts.len()) as u64
    }

    /// Records an occurrence of a local name, and keeps the least place.
    ///
    /// Names arrive from several readers, so an earlier place may arrive later.
    pub(crate) fn met(&mut self, local: u32, first: (u32, u64)) {
        match self.firsts.get_mut(local as usize) {
            Some(known) if first < *known => {
                *known = first;
                // Names since the last checkpoint are written as a whole; only older ones need a
                // correction.
                if (local as usize) < self.kept {
                    self.lowered.push(local);
                }
            }
            Some(_) => {}
            None => self.firsts.push(first),
        }
    }

    /// Appends an edge to the last run.
    pub(crate) fn push(&mut self, source: (usize, u32), target: (usize, u32)) {
        self.sources.push(source.0, source.1);
        self.targets.push(target.0, target.1);
    }
}
