//! Lists of edges while a worker reads them: names, edges by places, and how far each list is read.

use crate::interner::Interner;
use crate::share::Places;

/// The place of an edge or a name in its list has so many bits.
const LIST: u32 = 40;

/// A run of edges in the order of a list.
#[derive(Debug)]
pub(crate) struct Run {
    /// The list, and the first edge of the run in it.
    pub(crate) first: (u64, u64),
    pub(crate) edges: usize,
}

/// How far a list has been read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ListMark {
    pub(crate) rows: u64,
    /// Names, when all rows have been read.
    pub(crate) names: u64,
    pub(crate) done: bool,
}

/// Where a name or an edge stands in a list, as one number.
pub(crate) fn place_of(list: u64, within: u64) -> u64 {
    list << LIST | within
}

/// Returns the list, and where in it.
pub(crate) fn of_place(place: u64) -> (u64, u64) {
    (place >> LIST, place & ((1 << LIST) - 1))
}

/// The part of the lists of edges that a worker has read.
#[derive(Debug, Default)]
pub(crate) struct PartialLists {
    pub(crate) known: Interner,
    /// Where each name here was met first: the list, and which name of it.
    pub(crate) firsts: Vec<(u32, u64)>,
    /// Names that were met earlier in the lists than was known at the last checkpoint.
    pub(crate) lowered: Vec<u32>,
    /// So many names were known then.
    pub(crate) kept: usize,
    /// Edges of others that are kept here: their ends.
    pub(crate) runs: Vec<Run>,
    pub(crate) sources: Places,
    pub(crate) targets: Places,
    pub(crate) lists: Vec<ListMark>,
}

impl PartialLists {
    /// Bytes that are held.
    pub(crate) fn bytes(&self) -> u64 {
        (self.known.texts.bytes() + 12 * self.sources.len() + 20 * self.firsts.len()) as u64
    }

    /// A name here was met at a place.
    pub(crate) fn met(&mut self, local: u32, first: (u32, u64)) {
        match self.firsts.get_mut(local as usize) {
            Some(known) if first < *known => {
                *known = first;
                if (local as usize) < self.kept {
                    self.lowered.push(local);
                }
            }
            Some(_) => {}
            None => self.firsts.push(first),
        }
    }

    /// The next edge of a run.
    pub(crate) fn push(&mut self, source: (usize, u32), target: (usize, u32)) {
        self.sources.push(source.0, source.1);
        self.targets.push(target.0, target.1);
    }
}
