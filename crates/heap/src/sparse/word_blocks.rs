//! Computation in blocks of 64 heaps, for sequences in which new rare heaps keep appearing. Values
//! must be below 2^13, since larger values cannot be packed.
//!
//! Suppose that a rare or small common heap in a list has at least 64 chips. Then for each of 64
//! consecutive heaps, the other heap of the split has a known value. So each block begins with two
//! computations for all 64 heaps, in one lane for each heap. The splits with a rare heap determine
//! which common values are candidates. The splits with a small common heap determine which rare
//! values may be missing. Each computation has its own list of heaps. The values of splits with the
//! first listed heaps are inserted into one set for each lane. For the other listed heaps, these
//! values are only compared with the least values missing in the sets.
//!
//! Then the heaps are visited in order. Moves that leave one heap, and splits with a heap of less
//! than about 64, are evaluated for each heap alone. The first candidate that remains is the least
//! common value that no option has. The smaller rare values that are still missing are searched for
//! among all splits. If one of these values is not found, the heap is rare.
//!
//! A new rare heap does not invalidate the block. In a split of a later heap of the block, the
//! partner of the new rare heap is small. Such splits are evaluated for each heap alone.

#![expect(
    clippy::inline_always,
    reason = "only what is inlined into the dispatched stretch gets its instructions"
)]

mod kernel;
mod missing;

use kernel::{BITS, HIDDEN, PASS, Partners, Row};
use missing::Missing;

use super::frontier::Frontier;
use super::listed::Lists;
use super::missing::LANES;
use super::packing::Packing;
use super::reached::ReachedValues;
use super::{BLOCK, HeapMoves, Sparse};
use crate::classes::Classes;
use crate::compact_values::Entry;

/// Least number of rare heaps for which blocks are faster than computing the heaps one by one.
const MIN_RARES: usize = 256;

/// Largest heap that the list of common heaps may contain. The splits with these heaps are searched
/// for rare values.
pub(super) const SMALL: usize = 1 << 16;

/// Number of common heaps, for each row of 16 values in a set, whose splits have their values
/// inserted into the sets of reached values.
const FILLING: usize = 150;
/// Number of further common heaps, for each row of 16 values in a set. The values of splits with
/// these heaps are only compared with candidates, the least values missing in the sets.
const COMPARED: usize = 500;

/// The step that the run takes after a block.
pub(super) enum NextStep {
    /// Compute the next block.
    Block,
    /// Compute the next heap alone.
    SingleHeap,
    /// Choose the rule for common and rare heaps again.
    ChooseClasses,
}

/// The state of the computation in blocks of 64 heaps.
pub(super) struct WordBlocks {
    packing: Packing,
    instructions: pulp::Arch,
    lists: Lists<u16>,
    window: Window,
    sets: Vec<Row>,
    /// For each value, the number of the last lane, counted from 1, in which `mark_near` found an
    /// option of this value. It is 0 if there is no such lane.
    stamps: Vec<u8>,
}

impl WordBlocks {
    /// Creates the state for a sequence in which the values of all splits are below `size`. Returns
    /// `None` if such values cannot be packed (see [`Packing`]).
    pub(super) fn new<E: Entry>(
        classes: Classes,
        size: u64,
        instructions: pulp::Arch,
        values: &[E],
    ) -> Option<Self> {
        let packing = Packing::new(classes, size)?;
        let largest = values.iter().max().map_or(0, |value| value.get());
        // There is room for somewhat larger values, since values may grow before the next part of
        // the run. Sums beyond the sets are not inserted.
        let room = usize::from(packing.pack(largest)) + 8;
        let rows = room.div_ceil(BITS * PASS) * PASS;
        Some(Self {
            packing,
            instructions,
            lists: Lists::new(|value| value, 8 * rows),
            window: Window::default(),
            sets: vec![[0; LANES]; rows],
            stamps: vec![0; size as usize],
        })
    }

    /// Returns whether computing 64 heaps together is the fastest method for the heaps from `n`
    /// upward. `rares` is the number of rare heaps.
    pub(super) fn ready(n: usize, moves: &HeapMoves, rares: usize) -> bool {
        rares >= MIN_RARES && n > 4 * LANES && moves.last <= LANES
    }

    /// Appends the values of at most 64 heaps, all below `count`. If `values_omitted` is `true`,
    /// only the smallest and the last heaps have stored values. The block then ends before a heap
    /// that may be rare.
    #[inline(always)]
    pub(super) fn block<E: Entry, S: ReachedValues<E>>(
        &mut self,
        count: usize,
        values_omitted: bool,
        frontier: &mut Frontier<'_, E, S>,
        values: &mut Vec<E>,
        sparse: &mut Sparse,
    ) -> NextStep {
        let start = values.len();
        let [commons, rares] = self.missing_values(frontier.moves, values, sparse);
        let end = self.lists.end(start, count, SMALL);
        // A stamp is the number of a lane, from 1 to 64. So a byte is enough for one block.
        self.stamps.fill(0);
        let mut single_heaps = 0;
        let mut next = NextStep::Block;
        for n in start..end {
            let lane = n - start;
            self.mark_near(n, lane as u8 + 1, frontier.moves, values);
            let blocks = frontier.store_blocks(n, values);
            // All eight candidates may be reached. Then the value of this heap is computed from all
            // splits.
            let mut least = self.first_free(n, lane, &commons);
            if least.is_none() {
                single_heaps += 1;
                frontier.mark_near_and_rare(n, values, true);
                least = frontier.reached.least_common(n);
            }
            let in_tables = |least: &u64| {
                let packed = self.packing.pack(*least);
                packed < self.packed_bound()
                    && self.packing.common(n, packed).1 <= self.packed_bound().into()
            };
            let Some(least) = least.filter(in_tables) else {
                next = NextStep::SingleHeap;
                break;
            };
            let mut needed = self.lists.small.div_ceil(BLOCK);
            frontier.missing.clear();
            for packed in rares.all(lane) {
                let value = self.packing.unpack(n, packed.into(), false);
                // The rare values are in ascending order. Only those below the least common value
                // can be the mex.
                if value >= least {
                    break;
                }
                // Only the eight candidates were compared with the second part of the list. For
                // other values, `find` searches all stored blocks except block 0, which `mark_near`
                // covers.
                if self.is_free(lane, value) {
                    match frontier.find(E::new(value), 1..blocks, n, values) {
                        Some(block) => needed = needed.max(block + 1),
                        None => frontier.missing.push(E::new(value)),
                    }
                }
            }
            if !frontier.missing.is_empty() {
                if values_omitted {
                    next = NextStep::SingleHeap;
                    break;
                }
                frontier.verify_rest(n, blocks, values);
                needed = n / BLOCK + 1;
            }
            let missing = frontier.missing.first().map(|value| value.get());
            sparse.record(needed, n);
            let value = missing.unwrap_or(least);
            values.push(E::new(value));
            if missing.is_some() {
                // The window must have an entry for every value, also for a new rare heap.
                self.window.push(HIDDEN);
                if frontier.add_rare(n, value, sparse) {
                    next = NextStep::ChooseClasses;
                    break;
                }
            } else {
                self.window.push(self.packing.pack(least));
            }
        }
        self.lists.adapt(single_heaps, 24);
        next
    }

    /// Returns the missing common values and the missing rare values for the next 64 heaps. A value
    /// is missing if no split with a heap of `lists` reaches it.
    #[inline(always)]
    fn missing_values<E: Entry>(
        &mut self,
        moves: &HeapMoves,
        values: &[E],
        sparse: &Sparse,
    ) -> [Missing; 2] {
        let start = values.len();
        // A rare heap of at least `limit` has no partner in some lanes. In the other lanes, its
        // partners have fewer than LANES + `last` chips, so `mark_near` covers these splits.
        let limit = start - moves.last;
        let usable = sparse.rares.partition_point(|rare| *rare < limit);
        let commons = [LANES, SMALL, (FILLING + COMPARED) * self.sets.len()];
        let rares = &sparse.rares[..usable];
        self.lists.list_rares(rares, &self.packing, values);
        self.lists
            .list_commons(start, commons, &self.packing, values);
        let last_rare = usable.checked_sub(1).map_or(0, |last| sparse.rares[last]);
        let reach = last_rare.max(self.lists.small) + moves.last + 1;
        self.window.update(&self.packing, reach, values);

        let rows = self.sets.len();
        let lists = [
            (&self.lists.rares, self.lists.filling),
            (&self.lists.commons, FILLING * rows),
        ];
        lists.map(|(list, filling)| {
            let window = &self.window;
            let partners = moves
                .breaks
                .iter()
                .map(|take| window.partners(start - take));
            let lists = list.split_at(filling.min(list.len()));
            Missing::compute(self.instructions, partners, lists, &mut self.sets)
        })
    }

    /// Returns the least packed value that is too large for the sets or for `stamps`.
    fn packed_bound(&self) -> u16 {
        (BITS * self.sets.len()).min(self.stamps.len() / 2) as u16
    }

    /// Returns whether `mark_near` found no option with this value for the heap of lane `lane`.
    #[inline(always)]
    fn is_free(&self, lane: usize, value: u64) -> bool {
        self.stamps[value as usize] != lane as u8 + 1
    }

    /// Returns the first candidate in `commons`, for lane `lane`, that `mark_near` has not marked
    /// as the value of an option. The candidates are the least common values missing in the lane.
    #[inline(always)]
    fn first_free(&self, n: usize, lane: usize, commons: &Missing) -> Option<u64> {
        // This is a loop and not an iterator method, since closures are not always inlined. They
        // would then be compiled without the vector instructions.
        for packed in commons.candidates(lane) {
            if packed >= self.packed_bound() {
                return None;
            }
            let (value, _) = self.packing.common(n, packed);
            if self.is_free(lane, value) {
                return Some(value);
            }
        }
        None
    }

    /// Records in `stamps` the values of moves that leave one heap. Also records those of splits
    /// with a heap that may be too small or too recent for the lists.
    #[inline(always)]
    fn mark_near<E: Entry>(&mut self, n: usize, stamp: u8, moves: &HeapMoves, values: &[E]) {
        let last = self.stamps.len() - 1;
        for &take in &moves.takes {
            self.stamps[values[n - take].get() as usize & last] = stamp;
        }
        for &take in &moves.breaks {
            // Heaps up to this bound cover two cases: listed heaps below LANES, and the partners of
            // rare heaps that are too recent for the list.
            let near = LANES + moves.last - take;
            let rest = n - take;
            let large = &values[rest - near..rest];
            for (&a, &b) in values[1..=near].iter().zip(large.iter().rev()) {
                self.stamps[(a ^ b).get() as usize & last] = stamp;
            }
        }
    }
}

/// The packed values of the most recent heaps (see [`Packing`]).
#[derive(Debug, Default)]
struct Window {
    /// The heap whose value is at index 0.
    first: usize,
    values: Vec<u16>,
}

impl Window {
    /// Copies those of `values` that are not yet in the window, so that at least the last `reach`
    /// values are in the window.
    fn update<E: Entry>(&mut self, packing: &Packing, reach: usize, values: &[E]) {
        let from = values.len().saturating_sub(reach);
        if self.first > from {
            // A new rare heap needs the values of smaller partners, which are no longer in the
            // window.
            self.first = from;
            self.values.clear();
        } else if self.values.len() > 2 * reach {
            self.values.drain(..from - self.first);
            self.first = from;
        }
        for (n, value) in values
            .iter()
            .enumerate()
            .skip(self.first + self.values.len())
        {
            let value = value.get();
            self.push(if packing.is_common(n, value) {
                packing.pack(value)
            } else {
                HIDDEN
            });
        }
    }

    /// Appends the packed value of the next heap.
    #[inline]
    fn push(&mut self, value: u16) {
        self.values.push(value);
    }

    /// Returns the partners of listed heaps, that is, the other heaps of the splits, for 64 lanes.
    /// The splits in lane i are those of `rest` + i chips.
    fn partners(&self, rest: usize) -> Partners<'_> {
        Partners {
            values: &self.values,
            end: rest - self.first,
        }
    }
}
