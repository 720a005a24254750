//! All positions with heaps of at most given sizes, in mixed radix: the first heap runs quickest.

use super::Nim;
use crate::implicit::dense::{Pass, PassQuestion, Ranked, Reversible, Row};
use crate::limits::{Limits, Stop};
use crate::outcome::Play;
use crate::player::Player;
use crate::position::{Position, Term};
use crate::ranked::{self, RankedGame};
use crate::rules::Nature;

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
    /// All positions up to some heaps; nothing where there are 2^64 or more.
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
}

impl RankedGame for Heaps {
    fn positions(&self) -> u64 {
        self.positions
    }

    fn nature(&self) -> Nature {
        Nature::IMPARTIAL
    }

    fn rank(&self, position: &Position) -> Result<Option<u64>, Stop> {
        let sizes = position.parts_of::<Nim>();
        let Some(sizes) = sizes.filter(|sizes| sizes.len() == self.all.len()) else {
            return Ok(None);
        };
        let mut pairs = self.all.iter().zip(sizes);
        Ok(pairs.try_fold(0, |rank, (heap, &size)| {
            (size < heap.sizes).then(|| rank + size * heap.unit)
        }))
    }

    fn position(&self, rank: u64) -> Result<Position, Stop> {
        let sizes = self.all.iter().map(|heap| heap.size(rank));
        Ok(Term::new(Nim, sizes.collect()).into())
    }

    fn options(&self, _: Player, rank: u64, ranks: &mut Vec<u64>) -> Result<(), Stop> {
        Ranked::options(self, rank, |option| {
            ranks.push(option);
            true
        });
        Ok(())
    }

    fn go_on(
        &self,
        question: PassQuestion,
        play: Play,
        pass: &mut Pass,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        ranked::go_on(self, question, play, pass, limits)
    }

    fn beginning(
        &self,
        cells: u64,
        question: PassQuestion,
        play: Play,
        pass: &mut Pass,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        ranked::beginning(self, cells, question, play, pass, limits)
    }

    fn looks_at_every_option(&self, question: PassQuestion) -> bool {
        question != PassQuestion::Remoteness
    }
}
