//! All positions with heaps of at most given sizes, in mixed radix: the first heap runs quickest.

use std::sync::Arc;

use super::Nim;
use crate::kit::ranked::Reversed;
use grundy_engine::term::{AnyTerm, Term, parts_of};
use grundy_graphs::implicit::dense::{Ranked, Reversible, Row};

/// Longest stretch of a table that is shared out.
const LONGEST: u64 = 1 << 18;

/// A heap: how much a chip of it counts in the rank, and how many sizes it has.
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

/// Positions by their ranks: taking chips makes the rank smaller.
#[derive(Debug)]
pub(super) struct Heaps {
    all: Vec<Heap>,
    positions: u64,
    /// Of so many neighbours the sizes of all heaps but the first are the same.
    block: u64,
}

impl Heaps {
    /// Returns all positions up to some heaps; nothing where there are 2^64 or more.
    pub(super) fn new(most: &[u64]) -> Option<Self> {
        let (mut heaps, mut unit) = (Vec::with_capacity(most.len()), 1u64);
        for &most in most {
            let sizes = most.checked_add(1)?;
            heaps.push(Heap { unit, sizes });
            unit = unit.checked_mul(sizes)?;
        }
        let first = heaps.first().map_or(1, |heap| heap.sizes);
        let block = (1..=first.min(64)).rev().find(|block| first % block == 0);
        Some(Self {
            all: heaps,
            positions: unit,
            block: block.unwrap_or(1),
        })
    }

    /// How many heaps vary within a stretch of the table; nothing where the first one alone is too
    /// large, or there is no other.
    fn within(&self) -> Option<usize> {
        let half = (1..=self.all.len() / 2).rev();
        let mut fits = half.filter(|&within| self.all[within].unit <= LONGEST);
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

    fn beat(&self) -> u64 {
        // With large heaps a position has many options.
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
    fn shared(&self, start: u64, mut visit: impl FnMut(Row)) {
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
    fn own(&self, rank: u64, mut visit: impl FnMut(Row)) {
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

impl Reversible for Heaps {
    #[inline]
    fn sources(&self, rank: u64, mut visit: impl FnMut(u64)) {
        for heap in &self.all {
            for added in 1..heap.sizes - heap.size(rank) {
                visit(rank + added * heap.unit);
            }
        }
    }

    /// Returns all sizes of some heaps: about half of them, so that many stretches have the same
    /// height.
    fn stretch(&self) -> u64 {
        let Some(within) = self.within() else {
            return 1 << 16;
        };
        self.all[within].unit
    }

    /// Returns the chips of the other heaps.
    fn height(&self, stretch: u64) -> u64 {
        let Some(within) = self.within() else {
            return stretch;
        };
        let (mut chips, mut rest) = (0, stretch);
        for heap in &self.all[within..] {
            chips += rest % heap.sizes;
            rest /= heap.sizes;
        }
        chips
    }

    #[inline]
    fn sources_below(&self, rank: u64, end: u64, mut visit: impl FnMut(u64)) {
        for heap in &self.all {
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
            if start + heap.unit > rank {
                return;
            }
            for left in 1..=((rank - start) / heap.unit).min(heap.size(rank)) {
                visit(rank - left * heap.unit);
            }
        }
    }
}

impl Reversed for Heaps {
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
