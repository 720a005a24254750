//! Ranks of all positions with bounded heaps. A rank is the number in mixed radix whose digits are
//! the sizes of the heaps, with the first heap as the lowest digit.

use std::sync::Arc;

use super::Nim;
use crate::kit::ranked::RetrogradeGame;
use grundy_engine::term::{AnyTerm, Term, parts_of};
use grundy_graphs::implicit::dense::{Predecessors, Ranked, Row};

/// Maximal length of a stretch, the part of a table that one worker fills.
const MAX_STRETCH: u64 = 1 << 18;

/// A heap as a digit of the rank: the contribution of one chip, and the number of possible sizes.
#[derive(Clone, Copy, Debug)]
struct Heap {
    unit: u64,
    sizes: u64,
}

impl Heap {
    #[inline]
    fn size(self, rank: u64) -> u64 {
        rank / self.unit % self.sizes
    }
}

/// The ranks of all positions with heaps up to given sizes. A rank is the number in mixed radix
/// whose digits are the sizes of the heaps. A move makes the rank smaller.
#[derive(Debug)]
pub(super) struct Heaps {
    all: Vec<Heap>,
    positions: u64,
    /// Number of consecutive positions that differ only in the first heap.
    block: u64,
}

impl Heaps {
    /// Numbers the positions with heaps up to the sizes `most`. Returns `None` if there are 2^64
    /// positions or more.
    pub(super) fn new(most: &[u64]) -> Option<Self> {
        let (mut heaps, mut unit) = (Vec::with_capacity(most.len()), 1u64);
        for &most in most {
            let sizes = most.checked_add(1)?;
            heaps.push(Heap { unit, sizes });
            unit = unit.checked_mul(sizes)?;
        }
        // The positions of a block must differ only in the first heap. Hence its length is a
        // divisor of the number of sizes, and at most 64, which is the limit of the dense pass.
        let first = heaps.first().map_or(1, |heap| heap.sizes);
        let block = (1..=first.min(64)).rev().find(|block| first % block == 0);
        Some(Self {
            all: heaps,
            positions: unit,
            block: block.unwrap_or(1),
        })
    }

    /// Returns the number of heaps that vary within a stretch, which is the part of the table that
    /// one worker fills. The other heaps are constant within a stretch.
    ///
    /// Returns `None` if there are fewer than two heaps, or if the first heap has more than
    /// [`MAX_STRETCH`] sizes.
    fn varying_heaps(&self) -> Option<usize> {
        // At most half of the heaps vary within a stretch. Stretches of equal height are computed
        // in parallel, and there would be few of them if few heaps were constant.
        let half = (1..=self.all.len() / 2).rev();
        let mut fits = half.filter(|&varying| self.all[varying].unit <= MAX_STRETCH);
        fits.next()
    }
}

impl Ranked for Heaps {
    fn len(&self) -> u64 {
        self.positions
    }

    #[inline]
    fn options(&self, rank: u64, mut visit: impl FnMut(u64) -> bool) {
        for heap in &self.all {
            for left in 1..=heap.size(rank) {
                if !visit(rank - left * heap.unit) {
                    return;
                }
            }
        }
    }

    fn poll_interval(&self) -> u64 {
        // The more options a position has, the fewer positions are visited between two checks.
        let options = self
            .all
            .iter()
            .fold(1u64, |sum, heap| sum.saturating_add(heap.sizes));
        ((1 << 22) / options).clamp(1, 1 << 16)
    }

    #[inline]
    fn block(&self) -> u64 {
        self.block
    }

    #[inline]
    fn shared_options(&self, start: u64, mut visit: impl FnMut(Row)) {
        // The positions of a block agree in all heaps but the first. Hence moves in the other
        // heaps have the same offsets throughout the block.
        for heap in self.all.iter().skip(1) {
            let count = heap.size(start);
            visit(Row {
                first: start - count * heap.unit,
                step: heap.unit,
                count,
            });
        }
    }

    #[inline]
    fn unshared_options(&self, rank: u64, mut visit: impl FnMut(Row)) {
        let Some(first) = self.all.first() else {
            return;
        };
        let count = first.size(rank);
        visit(Row {
            first: rank - count,
            step: 1,
            count,
        });
    }
}

impl Predecessors for Heaps {
    #[inline]
    fn predecessors(&self, rank: u64, mut visit: impl FnMut(u64)) {
        for heap in &self.all {
            for added in 1..heap.sizes - heap.size(rank) {
                visit(rank + added * heap.unit);
            }
        }
    }

    /// Returns the number of cells in a stretch, which is the part of the table that one worker
    /// fills. Within a stretch the varying heaps take all their sizes. If `varying_heaps` returns
    /// `None`, a stretch has 2^16 cells.
    fn stretch(&self) -> u64 {
        let Some(varying) = self.varying_heaps() else {
            return 1 << 16;
        };
        self.all[varying].unit
    }

    /// Returns the total number of chips in the heaps that are constant within a stretch, the part
    /// of the table that one worker fills. If `varying_heaps` returns `None`, returns the index of
    /// the stretch instead.
    fn height(&self, stretch: u64) -> u64 {
        let Some(varying) = self.varying_heaps() else {
            return stretch;
        };
        // A move leaves this total unchanged or makes it smaller. Hence there are no moves between
        // two stretches of equal height.
        let (mut chips, mut rest) = (0, stretch);
        for heap in &self.all[varying..] {
            chips += rest % heap.sizes;
            rest /= heap.sizes;
        }
        chips
    }

    #[inline]
    fn predecessors_below(&self, rank: u64, end: u64, mut visit: impl FnMut(u64)) {
        for heap in &self.all {
            // Units increase from heap to heap, so no later heap has a source below `end` either.
            if rank + heap.unit >= end {
                return;
            }
            let added = (end - 1 - rank) / heap.unit;
            for added in 1..=added.min(heap.sizes - 1 - heap.size(rank)) {
                visit(rank + added * heap.unit);
            }
        }
    }

    #[inline]
    fn options_from(&self, rank: u64, start: u64, mut visit: impl FnMut(u64)) {
        for heap in &self.all {
            // No later heap has an option at or above `start` either, since units increase.
            if start + heap.unit > rank {
                return;
            }
            for left in 1..=((rank - start) / heap.unit).min(heap.size(rank)) {
                visit(rank - left * heap.unit);
            }
        }
    }
}

impl RetrogradeGame for Heaps {
    fn positions(&self) -> u64 {
        self.positions
    }

    fn rank_of(&self, terms: &[Arc<dyn AnyTerm>]) -> Option<u64> {
        let sizes = parts_of::<Nim>(terms).filter(|sizes| sizes.len() == self.all.len())?;
        let mut pairs = self.all.iter().zip(sizes);
        pairs.try_fold(0, |rank, (heap, &size)| {
            (size < heap.sizes).then(|| rank + size * heap.unit)
        })
    }

    fn term(&self, rank: u64) -> Arc<dyn AnyTerm> {
        let sizes = self.all.iter().map(|heap| heap.size(rank));
        Term::new(Nim, sizes.collect()).into()
    }
}
