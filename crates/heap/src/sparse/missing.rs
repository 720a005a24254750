//! The search for the least missing values in 64 lanes, one for each heap of a block. The missing
//! values of a lane are given as one bit each.

#![expect(
    clippy::inline_always,
    reason = "only what is inlined into the dispatched stretch gets its instructions"
)]

use super::BLOCK;

/// The number of lanes, one for each heap of a block.
pub(super) const LANES: usize = BLOCK;

/// The number of candidates of a lane, that is, of the least missing values. All candidates are
/// compared at once.
pub(super) const CANDIDATES: usize = 8;

/// Removes the `CANDIDATES` least values of each lane from `words`, which have one bit for each
/// value. Returns the removed values in ascending order. If a lane has fewer values, the rest of
/// its list is filled with `none`.
#[inline(always)]
pub(super) fn least<V: Copy>(
    words: &mut [[u64; LANES]],
    none: V,
    narrow: impl Fn(u64) -> V,
) -> [[V; LANES]; CANDIDATES] {
    let mut candidates = [[none; LANES]; CANDIDATES];
    for row in &mut candidates {
        // Each round removes at most one bit of each lane. There is no branch on a lane, so the
        // inner loop is compiled into vector code.
        let mut taken = [false; LANES];
        for (i, word) in words.iter_mut().enumerate() {
            for lane in 0..LANES {
                let bits = word[lane];
                let take = bits != 0 && !taken[lane];
                let value = 64 * i as u64 + u64::from(bits.trailing_zeros());
                row[lane] = if take { narrow(value) } else { row[lane] };
                word[lane] = if take {
                    bits & bits.wrapping_sub(1)
                } else {
                    bits
                };
                taken[lane] |= take;
            }
        }
    }
    candidates
}

/// Returns the positions of the bits of a word that are 1, in ascending order.
#[inline(always)]
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let place = word.trailing_zeros();
        word &= word.checked_sub(1)?;
        Some(place as u8)
    })
}
