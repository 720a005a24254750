//! Nim with heaps of at most 15, four bits a heap: taking chips makes the number smaller.

use grundy::implicit::dense::{Ranked, Reversible};

/// So many heaps.
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
}

impl Reversible for Nim {
    #[inline]
    fn sources(&self, position: u64, mut visit: impl FnMut(u64)) {
        for shift in (0..4 * self.0).step_by(4) {
            let heap = position >> shift & 15;
            for added in 1..=15 - heap {
                visit(position + (added << shift));
            }
        }
    }
}
