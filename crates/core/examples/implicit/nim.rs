//! Nim with heaps of at most 15. A position is a number with four bits for each heap, and a move
//! makes this number smaller.

use grundy_core::implicit::dense::{Predecessors, Ranked, Row};

/// Nim with the given number of heaps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nim(pub(crate) u32);

impl Ranked for Nim {
    fn len(&self) -> u64 {
        1 << (4 * self.0)
    }

    #[inline]
    fn options(&self, position: u64, mut visit: impl FnMut(u64) -> bool) {
        for shift in (0..4 * self.0).step_by(4) {
            let heap = position >> shift & 15;
            for taken in 1..=heap {
                if !visit(position - (taken << shift)) {
                    return;
                }
            }
        }
    }

    /// Returns 16, the number of sizes of the last heap. Positions that differ only in this heap
    /// share the moves in all other heaps.
    #[inline]
    fn block(&self) -> u64 {
        16
    }

    #[inline]
    fn shared_options(&self, start: u64, mut visit: impl FnMut(Row)) {
        for shift in (4..4 * self.0).step_by(4) {
            visit(Row {
                first: start & !(15 << shift),
                step: 1 << shift,
                count: start >> shift & 15,
            });
        }
    }

    #[inline]
    fn unshared_options(&self, position: u64, mut visit: impl FnMut(Row)) {
        visit(Row {
            first: position & !15,
            step: 1,
            count: position & 15,
        });
    }
}

impl Predecessors for Nim {
    #[inline]
    fn predecessors(&self, position: u64, mut visit: impl FnMut(u64)) {
        for shift in (0..4 * self.0).step_by(4) {
            let heap = position >> shift & 15;
            for added in 1..=15 - heap {
                visit(position + (added << shift));
            }
        }
    }
}
