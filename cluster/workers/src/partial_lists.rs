//! The state of a worker while edge lists are read: names, edges whose ends are not numbered yet,
//! and the progress of each list.

use crate::interner::Interner;
use crate::share::Places;

/// Number of bits that a place uses for the index of an edge or a name within its list. The higher
/// bits hold the list number.
const INDEX_BITS: u32 = 40;

/// A run of consecutive edges of one list.
#[derive(Debug)]
pub(crate) struct Run {
    /// The place of the first edge: the list number, and the index of the edge within the list.
    pub(crate) first: (u64, u64),
    pub(crate) edges: usize,
}

/// The progress of the reading of one list.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ListMark {
    pub(crate) rows: u64,
    /// Number of names in the list, counted with repetitions. It is valid once all rows have been
    /// read.
    pub(crate) names: u64,
    pub(crate) done: bool,
}

/// Encodes the place of a name or an edge as one number. A place consists of a list number and an
/// index within this list. The codes increase in the order in which a single process would read the
/// lists.
pub(crate) fn encode_place(list: u64, within: u64) -> u64 {
    list << INDEX_BITS | within
}

/// Returns the list number of a place, and the index within the list.
pub(crate) fn decode_place(place: u64) -> (u64, u64) {
    (place >> INDEX_BITS, place & ((1 << INDEX_BITS) - 1))
}

/// The names and edges that a worker holds while edge lists are read.
#[derive(Debug, Default)]
pub(crate) struct PartialLists {
    pub(crate) interner: Interner,
    /// For each local name, the first place where it occurs: the number of the list, and the index
    /// of the name in that list.
    pub(crate) firsts: Vec<(u32, u64)>,
    /// Local names whose least place has decreased since the last checkpoint.
    pub(crate) lowered: Vec<u32>,
    /// Number of local names that the last checkpoint contains.
    pub(crate) saved_names: usize,
    /// Runs of the edges that this worker stores. They may have been read by other workers.
    pub(crate) runs: Vec<Run>,
    pub(crate) sources: Places,
    pub(crate) targets: Places,
    pub(crate) lists: Vec<ListMark>,
}

impl PartialLists {
    /// Returns the number of bytes held in memory.
    pub(crate) fn bytes(&self) -> u64 {
        (self.interner.texts.bytes() + 12 * self.sources.len() + 20 * self.firsts.len()) as u64
    }

    /// Records a place where a local name occurs: the list number, and the index among the names of
    /// the list. Only the least place of each name is kept.
    ///
    /// The names arrive from several readers, so a smaller place may arrive after a larger one.
    pub(crate) fn record_place(&mut self, local: u32, first: (u32, u64)) {
        match self.firsts.get_mut(local as usize) {
            Some(known) if first < *known => {
                *known = first;
                // Names that are newer than the last checkpoint will be written with their places.
                // Only older ones need a correction.
                if (local as usize) < self.saved_names {
                    self.lowered.push(local);
                }
            }
            Some(_) => {}
            None => self.firsts.push(first),
        }
    }

    /// Appends an edge. Each end is given by the owner of its name and the local index of the name
    /// there. The caller adds the edge to a run in `runs`.
    pub(crate) fn push(&mut self, source: (usize, u32), target: (usize, u32)) {
        self.sources.push(source.0, source.1);
        self.targets.push(target.0, target.1);
    }
}
