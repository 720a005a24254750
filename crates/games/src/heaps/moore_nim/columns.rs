//! Enumeration of the new sizes of chosen heaps in Moore's Nim, in increasing order. These sizes
//! must balance every binary column, that is, make its number of ones a multiple of k + 1. There is
//! one exception in misère play. If the move leaves no heap of more than one chip, the remainder in
//! the lowest column must be 1.
//!
//! At most k heaps are chosen. Hence the number of ones that they must have in each column is
//! determined. It is the least number that balances the column together with the ones of the other
//! heaps. Digits are chosen from the highest column downwards. A heap is *bound* as long as the
//! digits chosen for it equal those of its old size. When a digit becomes 0 instead of 1, the heap
//! is smaller than before. It is then *free*: its lower digits are arbitrary.
//!
//! A greedy pass from the highest to the lowest column decides whether the digits that are still
//! open can be filled. Ones go to free heaps first. The remaining ones go to bound heaps whose old
//! size has a 1 in the column. Of these, heaps with the largest lower digits come first. The other
//! bound heaps with a 1 get a 0 and become free. After the last column every heap must be free.
//!
//! The greedy pass succeeds if any filling exists, by an exchange argument. If a filling gives a 1
//! to a bound heap B and a 0 to a free heap A, exchange the digits of A and B from this column
//! downwards. This is possible because a free heap may have any digits. If a filling keeps B bound
//! and frees C, although C has larger lower digits, exchange their digits in the same way. C is
//! bound after the exchange, so it may have the digits that B had.

use grundy_base::outcome::Play;

/// The new sizes of the heaps that a move reduces, and the number of ones that each binary column
/// of the sizes still needs.
#[derive(Debug)]
pub(super) struct Columns {
    /// The old sizes. Every new size must be smaller than the old one.
    bounds: Vec<u64>,
    /// The new sizes, in which binary digits that have not been chosen yet are 0.
    sizes: Vec<u64>,
    /// The number of ones that each binary column of the new sizes still needs, starting with the
    /// lowest column.
    needed: Vec<usize>,
}

/// A heap for which the binary digits of the new size from bit `bit` upwards are fixed.
#[derive(Clone, Copy)]
struct FixedDigits {
    heap: usize,
    bit: usize,
    /// `true` if these digits equal those of the old size.
    bound: bool,
}

/// Adds to each column the number of heaps that have a one in it.
fn ones<'a>(heaps: impl Iterator<Item = &'a u64>, columns: &mut [u128; 64]) {
    for &heap in heaps {
        let mut rest = heap;
        while rest > 0 {
            columns[rest.trailing_zeros() as usize] += 1;
            rest &= rest - 1;
        }
    }
}

/// Returns a lower bound on the number of heaps that a move must reduce to balance the binary
/// columns of the sizes. A column is balanced if its number of ones is a multiple of `modulus`.
///
/// A move in s heaps changes the number of ones in each column by at most s.
pub(super) fn least_heaps(heaps: &[u64], modulus: u128, play: Play) -> usize {
    let mut columns = [0; 64];
    ones(heaps.iter(), &mut columns);
    // In misère play the lowest column may need an additional one, so it gives no bound.
    let checked = match play {
        Play::Normal => &columns[..],
        Play::Misere => &columns[1..],
    };
    let distances = checked.iter().map(|count| {
        let over = count % modulus;
        over.min(modulus - over)
    });
    distances.max().unwrap_or(0) as usize
}

impl Columns {
    /// Creates the enumeration of the new sizes of the heaps with the indices `chosen`. It starts
    /// with the least new sizes for which the position after the move is a P-position.
    ///
    /// Returns `None` if no new sizes of these heaps lead to a P-position.
    pub(super) fn balancing(
        heaps: &[u64],
        chosen: &[usize],
        modulus: u128,
        play: Play,
    ) -> Option<Self> {
        let mut columns = [0; 64];
        let mut others = heaps.to_vec();
        chosen.iter().for_each(|&index| others[index] = 0);
        ones(others.iter(), &mut columns);
        // If the other heaps have at most one chip each, the higher columns need no ones. After the
        // move all heaps then have at most one chip, which is the case in which misère play
        // differs.
        let last_alone = play == Play::Misere && others.iter().all(|&heap| heap <= 1);
        let bounds: Vec<u64> = chosen.iter().map(|&index| heaps[index]).collect();
        // A column may need up to k ones, but each chosen heap gives at most one.
        let mut needed = Vec::with_capacity(64);
        for (bit, count) in columns.into_iter().enumerate() {
            let wanted = u128::from(last_alone && bit == 0);
            let more = (wanted + modulus - count % modulus) % modulus;
            needed.push(usize::try_from(more).ok().filter(|&n| n <= chosen.len())?);
        }
        // Above the highest digit of the old sizes no heap can have a one.
        let used = 64
            - bounds
                .iter()
                .fold(0, |all, bound| all | bound)
                .leading_zeros() as usize;
        if needed[used..].iter().any(|&n| n > 0) {
            return None;
        }
        needed.truncate(used);
        let mut columns = Self {
            sizes: vec![0; bounds.len()],
            bounds,
            needed,
        };
        columns.can_be_filled(0, None).then(|| {
            columns.fill(0, None);
            columns
        })
    }

    /// Returns the new sizes of the chosen heaps.
    pub(super) fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// Advances to the next larger sizes, in lexicographic order with the first heap most
    /// significant.
    ///
    /// Returns `false` if there are no larger sizes.
    pub(super) fn advance(&mut self) -> bool {
        // The digits are scanned from the least significant one. A one is removed, so its column
        // needs one more. A zero becomes a one if its column needs a one, the heap stays within its
        // bound, and the other digits can still be filled.
        for heap in (0..self.bounds.len()).rev() {
            for bit in 0..self.needed.len() {
                let one = 1 << bit;
                if self.sizes[heap] & one != 0 {
                    self.sizes[heap] ^= one;
                    self.needed[bit] += 1;
                    continue;
                }
                let bound = self.is_bound(heap, bit + 1);
                if self.needed[bit] == 0 || (bound && self.bounds[heap] & one == 0) {
                    continue;
                }
                self.needed[bit] -= 1;
                let fixed = FixedDigits { heap, bit, bound };
                if self.can_be_filled(heap + 1, Some(fixed)) {
                    self.sizes[heap] |= one;
                    self.fill(heap + 1, Some(fixed));
                    return true;
                }
                self.needed[bit] += 1;
            }
        }
        false
    }

    /// Returns whether the digits of a heap from `bit` upwards equal those of its old size.
    fn is_bound(&self, heap: usize, bit: usize) -> bool {
        // `bit` may be 64. Then no digit remains that could differ.
        (self.sizes[heap] ^ self.bounds[heap])
            .checked_shr(bit as u32)
            .unwrap_or(0)
            == 0
    }

    /// Returns whether the open digits can be filled: the digits of `fixed` below its bit, and all
    /// digits of the heaps from `next` onwards.
    fn can_be_filled(&self, next: usize, fixed: Option<FixedDigits>) -> bool {
        let mut bound = self.bounds[next..].to_vec();
        let mut free = 0;
        for bit in (0..self.needed.len()).rev() {
            // The heap enters the pass in its first open column.
            if let Some(fixed) = fixed.filter(|fixed| fixed.bit == bit + 1) {
                if fixed.bound {
                    bound.push(self.bounds[fixed.heap]);
                } else {
                    free += 1;
                }
            }
            let mut needed = self.needed[bit];
            let from_free = needed.min(free);
            needed -= from_free;
            // Heaps with a 1 in this column come last, ordered by their lower digits.
            let rest = |heap: u64| heap & ((1 << bit) - 1);
            bound.sort_unstable_by_key(|&heap| (heap >> bit & 1, rest(heap)));
            let first = bound.partition_point(|&heap| heap >> bit & 1 == 0);
            let ones = bound.len() - first;
            if needed > ones {
                return false;
            }
            bound.drain(first..bound.len() - needed);
            free += ones - needed;
        }
        // A bound heap must still become smaller. This is impossible without open digits.
        bound.is_empty() && fixed.is_none_or(|fixed| fixed.bit > 0 || !fixed.bound)
    }

    /// Fills the open digits with the least sizes possible: the digits of `fixed` below its bit,
    /// and all digits of the heaps from `next` onwards.
    fn fill(&mut self, next: usize, fixed: Option<FixedDigits>) {
        if let Some(fixed) = fixed {
            self.fill_heap(fixed);
        }
        for heap in next..self.bounds.len() {
            self.fill_heap(FixedDigits {
                heap,
                bit: self.needed.len(),
                bound: true,
            });
        }
    }

    fn fill_heap(
        &mut self,
        FixedDigits {
            heap,
            bit,
            mut bound,
        }: FixedDigits,
    ) {
        for bit in (0..bit).rev() {
            let one = 1 << bit;
            let old = self.bounds[heap] & one != 0;
            // A 0 is chosen whenever possible: always if the column needs no more ones, and
            // otherwise if the remaining digits can still be filled.
            let fixed = FixedDigits {
                heap,
                bit,
                bound: bound && !old,
            };
            if self.needed[bit] == 0 || self.can_be_filled(heap + 1, Some(fixed)) {
                bound = fixed.bound;
            } else {
                self.sizes[heap] |= one;
                self.needed[bit] -= 1;
            }
        }
    }
}
