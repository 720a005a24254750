//! Many rare heaps: 64 heaps at a time.
//!
//! A rare heap of 64 or more leaves a partner that is known for each of 64 heaps in a row. So the
//! sums with such heaps are looked at for all of them at once, a lane for each. The first part of
//! the list fills sets; of what is missing in them the least values are candidates, and the rest of
//! the list is only compared with these. Then the heaps are walked through one by one: takes and
//! splits with smaller rare heaps knock out further candidates, and the first one left is the least
//! common value that is not reached. With the values of all 64 heaps at hand, the rare values below
//! them are looked for in the same two steps among splits with small common heaps, and the few that
//! are not found, one by one. Where anything fails, the heap is left to the way that handles one
//! heap at a time: so a heap that turns out rare is never in a block.
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

use super::front::Front;
use super::listed::Lists;
use super::missing::LANES;
use super::packing::Packing;
use super::reached::ReachedValues;
use super::{BLOCK, HeapMoves, Sparse};
use crate::classes::Classes;
use crate::narrow::Entry;

/// Fewer rare heaps are looked at faster one heap at a time: with values below 64 that fit a
/// register, and with larger ones.
const MANY: [usize; 2] = [256, 96];

/// What is left of values below this fits a byte.
const BYTE: u64 = 512;

/// Common heaps up to this are in the list that rare values are looked for with.
pub(super) const SMALL: usize = 1 << 14;

/// How many of them fill sets, for each byte of a set, and how many more are compared with what is
/// then missing.
const FILLING: usize = 32;
const COMPARED: usize = 38;

/// So many rare heaps among so many last ones say that more are to come too soon.
const FEW: usize = 32;
const LATELY: usize = 1024;

/// What is kept for computing values in blocks.
pub(super) struct FarBlocks {
    packing: Packing,
    instructions: pulp::Arch,
    lists: Lists<u8>,
    window: ByteWindow,
    /// Bytes of the sets that are used.
    rows: usize,
    sets: Box<[Row; ROWS]>,
}

impl FarBlocks {
    /// For sums below `size`, if a byte is enough for them.
    pub(super) fn new<E: Entry>(
        classes: Classes,
        size: u64,
        instructions: pulp::Arch,
        values: &[E],
    ) -> Option<Self> {
        let packing = Packing::new(classes, size).filter(|_| size <= BYTE)?;
        let largest = values.iter().max().map_or(0, |value| value.get());
        // A little room for values to grow; sums past the sets are not looked at.
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

    /// Returns whether heaps from `n` on are best computed in blocks, where `rares` are the rare
    /// heaps and sums are below `size`.
    pub(super) fn ready(n: usize, size: u64, moves: &HeapMoves, rares: &[usize]) -> bool {
        let rest = rares.len().saturating_sub(FEW);
        rares.len() >= MANY[usize::from(size > 64)]
            && rares.len() < n / 6
            && rares[rest] + LATELY < n
            && rares[rares.len() - 1] + moves.last + 1 < n
    }

    /// Appends the values of up to 64 heaps below `count`, with sums below `size`. Says whether the
    /// next heap has to be looked at alone.
    #[inline(always)]
    pub(super) fn block<E: Entry, S: ReachedValues<E>>(
        &mut self,
        count: usize,
        size: u64,
        front: &mut Front<'_, E, S>,
        values: &mut Vec<E>,
        sparse: &mut Sparse,
    ) -> bool {
        let start = values.len();
        let commons = [1, SMALL, (FILLING + COMPARED) * self.rows];
        self.lists.list_rares(&sparse.rares, &self.packing, values);
        self.lists
            .list_commons(start, commons, &self.packing, values);
        let last_rare = sparse.rares.last().copied().unwrap_or(0);
        let reach = last_rare.max(SMALL) + front.moves.last + 1;
        self.window.follow(&self.packing, reach, values);
        let end = self.lists.end(start, count, SMALL);
        self.walk(end, size, front, values);
        let needed = self.verify(start, front, values);
        values.truncate(start + needed.len());
        self.window.advance(needed.len());
        for (n, blocks) in (start..).zip(needed) {
            sparse.record(blocks, n);
        }
        values.len() < end
    }

    /// Appends the least common values that are not reached.
    #[inline(always)]
    fn walk<E: Entry, S: ReachedValues<E>>(
        &mut self,
        end: usize,
        size: u64,
        front: &mut Front<'_, E, S>,
        values: &mut Vec<E>,
    ) {
        let start = values.len();
        let filling = self.lists.filling.min(self.lists.rares.len());
        let missing = MissingBytes::look(
            self.instructions,
            (&self.window, start, &front.moves.breaks),
            self.lists.rares.split_at(filling),
            (&mut self.sets, self.rows),
            &[usize::MAX; LANES],
        );
        let mut stamps = [0u8; 256];
        let mut alone = 0;
        for n in start..end {
            let lane = n - start;
            let stamp = lane as u8 + 1;
            let place = self.window.place(n);
            for &take in &front.moves.takes {
                let value = values[n - take].get();
                if self.packing.is_common(n, value) {
                    stamps[usize::from(self.packing.pack(value))] = stamp;
                }
            }
            for &take in &front.moves.breaks {
                for listed in &self.lists.near {
                    let partner = place - take - listed.heap as usize;
                    stamps[usize::from(self.window.sum(partner, listed.value))] = stamp;
                }
            }
            let free = |&value: &u8| stamps[usize::from(value)] != stamp;
            let value = missing.candidates(lane).find(free).or_else(|| {
                alone += 1;
                front.keep_blocks(n, values);
                front.mark_near_and_rare(n, values, true);
                let left = self.packing.pack(front.reached.least_common(n)?);
                (usize::from(left) < 8 * self.rows).then_some(left as u8)
            });
            let Some(left) = value else { break };
            let (value, below) = self.packing.common(n, left.into());
            if value >= size || below > 8 * self.rows {
                break;
            }
            values.push(E::new(value));
            self.window.note(place, left);
        }
        self.lists.adapt(alone, 1);
    }

    /// For the heaps from `start` on, how many blocks of small heaps were needed to reach the rare
    /// values below theirs; ends before a heap that does not reach one among all blocks.
    #[inline(always)]
    fn verify<E: Entry, S: ReachedValues<E>>(
        &mut self,
        start: usize,
        front: &mut Front<'_, E, S>,
        values: &[E],
    ) -> Vec<usize> {
        let mut bounds = [0; LANES];
        for (n, bound) in (start..values.len()).zip(&mut bounds) {
            let left = self.packing.pack(values[n].get());
            (_, *bound) = self.packing.common(n, left);
        }
        let missing = MissingBytes::look(
            self.instructions,
            (&self.window, start, &front.moves.breaks),
            self.lists
                .commons
                .split_at(self.lists.commons.len().min(FILLING * self.rows)),
            (&mut self.sets, self.rows),
            &bounds,
        );
        let mut needed = Vec::with_capacity(LANES);
        for n in start..values.len() {
            let lane = n - start;
            let mut most = self.lists.small.div_ceil(BLOCK);
            for left in missing.all(lane) {
                let value = E::new(self.packing.unpack(n, left.into(), false));
                if front
                    .moves
                    .takes
                    .iter()
                    .any(|take| values[n - take] == value)
                {
                    continue;
                }
                let blocks = front.keep_blocks(n, values);
                match front.find(value, 0..blocks, n, values) {
                    Some(block) => most = most.max(block + 1),
                    None => return needed,
                }
            }
            needed.push(most);
        }
        needed
    }
}
