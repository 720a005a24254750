//! Many rare heaps among which new ones keep coming up, with values of any size: 64 heaps at a
//! time.
//!
//! A listed heap of 64 or more leaves a partner that is known for each of 64 heaps in a row. So two
//! looks are taken for all of them at once, a lane for each: at the splits with a rare heap, which
//! leave the common values that may be the value, and at the splits with a small common heap, which
//! leave the rare values that may be missing. In both the first part of a list fills sets, and the
//! rest is only compared with the least values missing there. Then the heaps are walked through one
//! by one. Takes, and splits with a heap of less than 64 and a few more, are looked at; the first
//! candidate left is the least common value that is not reached. The rare values below it that are
//! still missing are looked for among all splits, and one that is not found makes the heap a rare
//! one: later heaps of the block can only leave partners with it that are so small that their
//! splits are looked at in any case.

#![expect(
    clippy::inline_always,
    reason = "only what is inlined into the dispatched stretch gets its instructions"
)]

mod kernel;
mod missing;

use kernel::{BITS, HIDDEN, PASS, Partners, Row};
use missing::Missing;

use super::front::Front;
use super::listed::Lists;
use super::missing::LANES;
use super::packing::Packing;
use super::reached::ReachedValues;
use super::{BLOCK, HeapMoves, Sparse};
use crate::classes::Classes;
use crate::narrow::Entry;

/// Fewer rare heaps are looked at faster one heap at a time.
const MANY: usize = 256;

/// Common heaps up to this are in the list that rare values are looked for with.
pub(super) const SMALL: usize = 1 << 16;

/// How many of them fill sets, for each row of a set, and how many more are compared with what is
/// then missing.
const FILLING: usize = 150;
const COMPARED: usize = 500;

/// What to do after a block.
pub(super) enum AfterBlock {
    /// Go on.
    Block,
    /// Look at the next heap alone.
    Alone,
    /// Choose the classes again.
    Choose,
}

/// What is kept for computing values in blocks.
pub(super) struct WideBlocks {
    packing: Packing,
    instructions: pulp::Arch,
    lists: Lists<u16>,
    window: Window,
    sets: Vec<Row>,
    /// For each value the last lane, counted from 1, that was seen to reach it.
    stamps: Vec<u8>,
}

impl WideBlocks {
    /// For sums below `size`, if they can be packed.
    pub(super) fn new<E: Entry>(
        classes: Classes,
        size: u64,
        instructions: pulp::Arch,
        values: &[E],
    ) -> Option<Self> {
        let packing = Packing::new(classes, size)?;
        let largest = values.iter().max().map_or(0, |value| value.get());
        // A little room for values to grow; sums past the sets are not looked at.
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

    /// Returns whether heaps from `n` on are best computed in blocks, where there are so many rare
    /// heaps.
    pub(super) fn ready(n: usize, moves: &HeapMoves, rares: usize) -> bool {
        rares >= MANY && n > 4 * LANES && moves.last <= LANES
    }

    /// Appends the values of up to 64 heaps below `count`, with sums below `size`. Where there is a
    /// gap in the values, no heap that may be rare is computed.
    #[inline(always)]
    pub(super) fn block<E: Entry, S: ReachedValues<E>>(
        &mut self,
        count: usize,
        gap: bool,
        front: &mut Front<'_, E, S>,
        values: &mut Vec<E>,
        sparse: &mut Sparse,
    ) -> AfterBlock {
        let start = values.len();
        let [commons, rares] = self.look(front.moves, values, sparse);
        let end = self.lists.end(start, count, SMALL);
        self.stamps.fill(0);
        let mut alone = 0;
        let mut next = AfterBlock::Block;
        for n in start..end {
            let lane = n - start;
            self.mark_near(n, lane as u8 + 1, front.moves, values);
            let blocks = front.keep_blocks(n, values);
            let mut least = self.first_free(n, lane, &commons);
            if least.is_none() {
                alone += 1;
                front.mark_near_and_rare(n, values, true);
                least = front.reached.least_common(n);
            }
            let looked_at = |least: &u64| {
                let left = self.packing.pack(*least);
                left < self.most() && self.packing.common(n, left).1 <= self.most().into()
            };
            let Some(least) = least.filter(looked_at) else {
                next = AfterBlock::Alone;
                break;
            };
            let mut needed = self.lists.small.div_ceil(BLOCK);
            front.missing.clear();
            for left in rares.all(lane) {
                let value = self.packing.unpack(n, left.into(), false);
                if value >= least {
                    break;
                }
                if self.is_free(lane, value) {
                    match front.find(E::new(value), 1..blocks, n, values) {
                        Some(block) => needed = needed.max(block + 1),
                        None => front.missing.push(E::new(value)),
                    }
                }
            }
            if !front.missing.is_empty() {
                if gap {
                    next = AfterBlock::Alone;
                    break;
                }
                front.verify_rest(n, blocks, values);
                needed = n / BLOCK + 1;
            }
            let missing = front.missing.first().map(|value| value.get());
            sparse.record(needed, n);
            let value = missing.unwrap_or(least);
            values.push(E::new(value));
            if missing.is_some() {
                self.window.note(HIDDEN);
                if front.add_rare(n, value, sparse) {
                    next = AfterBlock::Choose;
                    break;
                }
            } else {
                self.window.note(self.packing.pack(least));
            }
        }
        self.lists.adapt(alone, 24);
        next
    }

    /// What heaps from the next one on may miss, as far as splits with listed heaps tell: common
    /// values, and rare ones.
    #[inline(always)]
    fn look<E: Entry>(&mut self, moves: &HeapMoves, values: &[E], sparse: &Sparse) -> [Missing; 2] {
        let start = values.len();
        // Larger ones have no partner in some lanes; these are so small that they are looked at in
        // any case.
        let limit = start - moves.last;
        let usable = sparse.rares.partition_point(|rare| *rare < limit);
        let commons = [LANES, SMALL, (FILLING + COMPARED) * self.sets.len()];
        let rares = &sparse.rares[..usable];
        self.lists.list_rares(rares, &self.packing, values);
        self.lists
            .list_commons(start, commons, &self.packing, values);
        let last_rare = usable.checked_sub(1).map_or(0, |last| sparse.rares[last]);
        let reach = last_rare.max(self.lists.small) + moves.last + 1;
        self.window.follow(&self.packing, reach, values);

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
            Missing::look(self.instructions, partners, lists, &mut self.sets)
        })
    }

    /// What is left of values has to be below this to be looked at.
    fn most(&self) -> u16 {
        (BITS * self.sets.len()).min(self.stamps.len() / 2) as u16
    }

    /// Returns whether no split or take that was looked at for the heap of the lane alone has the
    /// value.
    #[inline(always)]
    fn is_free(&self, lane: usize, value: u64) -> bool {
        self.stamps[value as usize] != lane as u8 + 1
    }

    /// Returns the first common value of a lane that is free.
    #[inline(always)]
    fn first_free(&self, n: usize, lane: usize, commons: &Missing) -> Option<u64> {
        // A loop, and not a method of iterators: what is called here has to be inlined.
        for left in commons.candidates(lane) {
            if left >= self.most() {
                return None;
            }
            let (value, _) = self.packing.common(n, left);
            if self.is_free(lane, value) {
                return Some(value);
            }
        }
        None
    }

    /// Marks what is reached by takes, and by splits with a heap that may be too small for a list.
    #[inline(always)]
    fn mark_near<E: Entry>(&mut self, n: usize, stamp: u8, moves: &HeapMoves, values: &[E]) {
        let last = self.stamps.len() - 1;
        for &take in &moves.takes {
            self.stamps[values[n - take].get() as usize & last] = stamp;
        }
        for &take in &moves.breaks {
            let near = LANES + moves.last - take;
            let rest = n - take;
            let large = &values[rest - near..rest];
            for (&a, &b) in values[1..=near].iter().zip(large.iter().rev()) {
                self.stamps[(a ^ b).get() as usize & last] = stamp;
            }
        }
    }
}

/// The last values, packed.
#[derive(Debug, Default)]
struct Window {
    /// The heap at the first place.
    first: usize,
    values: Vec<u16>,
}

impl Window {
    /// Takes over the values, of which the last `reach` have to be at hand.
    fn follow<E: Entry>(&mut self, packing: &Packing, reach: usize, values: &[E]) {
        let from = values.len().saturating_sub(reach);
        if self.first > from {
            // A new rare heap needs older values than were kept.
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
            self.note(if packing.is_common(n, value) {
                packing.pack(value)
            } else {
                HIDDEN
            });
        }
    }

    /// The next value.
    #[inline]
    fn note(&mut self, value: u16) {
        self.values.push(value);
    }

    /// Returns the partners of listed heaps in splits of `rest` and the following heaps.
    fn partners(&self, rest: usize) -> Partners<'_> {
        Partners {
            values: &self.values,
            end: rest - self.first,
        }
    }
}
