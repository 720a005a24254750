//! Computation in blocks of 64 heaps, for sequences with many rare heaps but few new ones.
//!
//! Consider the splits of 64 consecutive heaps with one rare heap of at least 64 chips. The other
//! heap of each of these splits has a known value. So the splits are computed for all 64 heaps
//! together, in one lane for each heap. The rare heaps are kept in a list. The values of splits
//! with the first part of the list are inserted into one set for each lane. The least values
//! missing in the set become candidates, and the rest of the list is only compared with the
//! candidates.
//!
//! Then `compute_least_commons` visits the heaps in order. Moves that leave one heap, and splits
//! with a rare heap of fewer than 64 chips, eliminate further candidates. The first candidate that
//! remains is the least common value that no option has. When all 64 values are known, `verify`
//! checks that each smaller rare value is the value of some option. It uses the same two steps with
//! the small common heaps, and then searches for the few remaining values one by one.
//!
//! Invariant: every heap of a block is common. If any step fails for a heap, the block ends before
//! this heap, which is then computed alone. So a rare heap is never part of a block.
#![expect(
    clippy::inline_always,
    reason = "only what is inlined into the dispatched stretch gets its instructions"
)]

mod kernel;
mod lanes;
mod missing;
mod window;

use kernel::PASS;
use lanes::{ROWS, Row};
use missing::MissingBytes;
use window::ByteWindow;

use super::frontier::Frontier;
use super::listed::Lists;
use super::missing::LANES;
use super::packing::Packing;
use super::reached::ReachedValues;
use super::{BLOCK, HeapMoves, Sparse};
use crate::classes::Classes;
use crate::compact_values::Entry;

/// Least numbers of rare heaps for which computing 64 heaps together is faster than computing them
/// one by one. The first number is for values below 64, the second for larger values. The numbers
/// differ because a single heap keeps a set of values below 64 in a register.
const MIN_RARES: [usize; 2] = [256, 96];

/// Exclusive upper bound of the values that can be packed into a byte (see [`Packing`]).
const PACKABLE: u64 = 512;

/// Largest heap that the list of common heaps may contain. The splits with these heaps are searched
/// for rare values.
pub(super) const SMALL: usize = 1 << 14;

/// Number of common heaps, for each byte of a set, whose splits have their values inserted into the
/// sets of reached values.
const FILLING: usize = 32;
/// Number of further common heaps, for each byte of a set. The values of splits with these heaps
/// are only compared with the least values missing in the sets.
const COMPARED: usize = 38;

/// A threshold: if the last `RECENT_HEAPS` heaps contain this number of rare heaps or more, then
/// new rare heaps would end too many blocks early.
const RECENT_RARES: usize = 32;
/// The number of most recent heaps in which rare heaps are counted: see `RECENT_RARES`.
const RECENT_HEAPS: usize = 1024;

/// The state of the computation in blocks of 64 heaps.
pub(super) struct ByteBlocks {
    packing: Packing,
    instructions: pulp::Arch,
    lists: Lists<u8>,
    window: ByteWindow,
    /// The number of bytes that are used in each of the `sets` of reached values.
    rows: usize,
    sets: Box<[Row; ROWS]>,
}

impl ByteBlocks {
    /// Creates the state for a sequence in which the values of all splits are below `size`. Returns
    /// `None` if such values cannot be packed into a byte (see [`Packing`]).
    pub(super) fn new<E: Entry>(
        classes: Classes,
        size: u64,
        instructions: pulp::Arch,
        values: &[E],
    ) -> Option<Self> {
        let packing = Packing::new(classes, size).filter(|_| size <= PACKABLE)?;
        let largest = values.iter().max().map_or(0, |value| value.get());
        // There is room for somewhat larger values, since values may grow before the next part of
        // the run. Sums beyond the sets are not inserted. At most 30 rows are used, so values from
        // 240 upward are never candidates. Hence 255 can be the mark for no value.
        let room = usize::from(packing.pack(largest)) + 8;
        let passes = room.div_ceil(8 * PASS).min(255 / (8 * PASS));
        Some(Self {
            packing,
            instructions,
            lists: Lists::new(|value| value as u8, 512),
            window: ByteWindow::default(),
            rows: passes * PASS,
            sets: Box::new([[0; LANES]; ROWS]),
        })
    }

    /// Returns whether computing 64 heaps together is the fastest method for the heaps from `n`
    /// upward. `rares` lists the rare heaps, and the values of all splits are below `size`.
    pub(super) fn ready(n: usize, size: u64, moves: &HeapMoves, rares: &[usize]) -> bool {
        let rest = rares.len().saturating_sub(RECENT_RARES);
        // Each block makes two passes over the lists, which is faster only if the lists are long.
        // Frequent rare heaps would end most blocks early.
        rares.len() >= MIN_RARES[usize::from(size > 64)]
            && rares.len() < n / 6
            && rares[rest] + RECENT_HEAPS < n
            // After a split with the last rare heap, the other heap must not be empty.
            && rares[rares.len() - 1] + moves.last + 1 < n
    }

    /// Appends the values of at most 64 heaps, all below `count`. The values of all splits must be
    /// below `size`. Returns `false` if the next heap must be computed alone.
    #[inline(always)]
    pub(super) fn block<E: Entry, S: ReachedValues<E>>(
        &mut self,
        count: usize,
        size: u64,
        frontier: &mut Frontier<'_, E, S>,
        values: &mut Vec<E>,
        sparse: &mut Sparse,
    ) -> bool {
        let start = values.len();
        let commons = [1, SMALL, (FILLING + COMPARED) * self.rows];
        self.lists.list_rares(&sparse.rares, &self.packing, values);
        self.lists
            .list_commons(start, commons, &self.packing, values);
        let last_rare = sparse.rares.last().copied().unwrap_or(0);
        let reach = last_rare.max(SMALL) + frontier.moves.last + 1;
        self.window.update(&self.packing, reach, values);
        // The values in a block are provisional: `compute_least_commons` appends values for all
        // heaps, and then `verify` decides how many remain.
        let end = self.lists.end(start, count, SMALL);
        self.compute_least_commons(end, size, frontier, values);
        let needed = self.verify(start, frontier, values);
        // The later heaps were computed as if this heap were common. So if it is rare, their values
        // are discarded.
        values.truncate(start + needed.len());
        self.window.advance(needed.len());
        for (n, blocks) in (start..).zip(needed) {
            sparse.record(blocks, n);
        }
        values.len() < end
    }

    /// Appends a value for each heap below `end`: the least common value that no option of the heap
    /// has. Stops early if such a value is not found or is too large for the tables.
    #[inline(always)]
    fn compute_least_commons<E: Entry, S: ReachedValues<E>>(
        &mut self,
        end: usize,
        size: u64,
        frontier: &mut Frontier<'_, E, S>,
        values: &mut Vec<E>,
    ) {
        let start = values.len();
        let filling = self.lists.filling.min(self.lists.rares.len());
        let missing = MissingBytes::compute(
            self.instructions,
            (&self.window, start, &frontier.moves.breaks),
            self.lists.rares.split_at(filling),
            (&mut self.sets, self.rows),
            &[usize::MAX; LANES],
        );
        // A packed value is reached in a lane if its stamp is lane + 1. So the stamps are never
        // cleared within a block.
        let mut stamps = [0u8; 256];
        let mut single_heaps = 0;
        for n in start..end {
            let lane = n - start;
            let stamp = lane as u8 + 1;
            let index = self.window.index_of(n);
            for &take in &frontier.moves.takes {
                let value = values[n - take].get();
                if self.packing.is_common(n, value) {
                    stamps[usize::from(self.packing.pack(value))] = stamp;
                }
            }
            for &take in &frontier.moves.breaks {
                for listed in &self.lists.small_rares {
                    let partner = index - take - listed.heap as usize;
                    stamps[usize::from(self.window.sum(partner, listed.value))] = stamp;
                }
            }
            let free = |&value: &u8| stamps[usize::from(value)] != stamp;
            // All candidates may be reached although larger values are missing. Then the value of
            // this heap is computed from all splits.
            let value = missing.candidates(lane).find(free).or_else(|| {
                single_heaps += 1;
                frontier.store_blocks(n, values);
                frontier.mark_near_and_rare(n, values, true);
                let packed = self.packing.pack(frontier.reached.least_common(n)?);
                (usize::from(packed) < 8 * self.rows).then_some(packed as u8)
            });
            let Some(packed) = value else { break };
            let (value, below) = self.packing.common(n, packed.into());
            // The search in `verify` handles only rare values that fit into the sets.
            if value >= size || below > 8 * self.rows {
                break;
            }
            values.push(E::new(value));
            self.window.set(index, packed);
        }
        // If candidates did not suffice for some heaps, more rare heaps should fill the sets.
        self.lists.adapt(single_heaps, 1);
    }

    /// Verifies that options of each heap from `start` upward have all rare values below the value
    /// of the heap. Returns, for each verified heap, a bound on the smaller heap of the splits that
    /// are needed, in blocks of `BLOCK` heaps. Stops before the first heap for which some rare
    /// value is not found.
    #[inline(always)]
    fn verify<E: Entry, S: ReachedValues<E>>(
        &mut self,
        start: usize,
        frontier: &mut Frontier<'_, E, S>,
        values: &[E],
    ) -> Vec<usize> {
        let mut bounds = [0; LANES];
        for (n, bound) in (start..values.len()).zip(&mut bounds) {
            let packed = self.packing.pack(values[n].get());
            // The rare values in ascending order are packed to 0, 1, 2, ... So the number of
            // smaller rare values is also a bound for their packed values.
            (_, *bound) = self.packing.common(n, packed);
        }
        let missing = MissingBytes::compute(
            self.instructions,
            (&self.window, start, &frontier.moves.breaks),
            self.lists
                .commons
                .split_at(self.lists.commons.len().min(FILLING * self.rows)),
            (&mut self.sets, self.rows),
            &bounds,
        );
        let mut needed = Vec::with_capacity(LANES);
        for n in start..values.len() {
            let lane = n - start;
            // The recorded evidence is coarse: it is the bound of the whole list, not the heap that
            // reached the value.
            let mut blocks_needed = self.lists.small.div_ceil(BLOCK);
            for packed in missing.all(lane) {
                let value = E::new(self.packing.unpack(n, packed.into(), false));
                if frontier
                    .moves
                    .takes
                    .iter()
                    .any(|take| values[n - take] == value)
                {
                    continue;
                }
                // A failure does not prove that the heap is rare, since splits beyond the stored
                // blocks are not searched. The computation of the single heap decides.
                let blocks = frontier.store_blocks(n, values);
                match frontier.find(value, 0..blocks, n, values) {
                    Some(block) => blocks_needed = blocks_needed.max(block + 1),
                    None => return needed,
                }
            }
            needed.push(blocks_needed);
        }
        needed
    }
}
