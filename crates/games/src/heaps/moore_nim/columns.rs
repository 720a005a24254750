//! Sizes for chosen heaps of Moore's Nim that make every binary column a multiple of k + 1, in
//! increasing order.
//!
//! At most k heaps are chosen, so each column needs one particular number of ones from them: what
//! the other heaps leave to the next multiple. A heap is *bound* as long as the places given to it
//! are those of its old size; where it has a 0 instead of a 1 it gets smaller, and is *free* from
//! there on.
//!
//! Whether the places still open can be filled is found from the highest column down: ones come
//! from free heaps first, then from bound ones that have a 1 there, those with the largest rest
//! first; the other bound heaps with a 1 take a 0 and become free. At the end all must be free.
//! This finds a way if there is one. For let a filling use a bound heap B where a free heap A takes
//! a 0, or keep B bound and free C although C has the larger rest: exchange what the two take from
//! this column on. A free heap may take everything, and C, being bound with the larger rest, may
//! take what B took.

use grundy_base::outcome::Play;

/// Sizes below those of the chosen heaps, with the numbers of ones that the columns need.
#[derive(Debug)]
pub(super) struct Columns {
    /// The old sizes.
    bounds: Vec<u64>,
    /// The new ones, as far as they are given.
    sizes: Vec<u64>,
    /// How many more ones each column needs, from the lowest on.
    needed: Vec<usize>,
}

/// A heap of which the places from `bit` on are given.
#[derive(Clone, Copy)]
struct Given {
    heap: usize,
    bit: usize,
    bound: bool,
}

/// The number of ones of each column.
fn ones<'a>(heaps: impl Iterator<Item = &'a u64>, columns: &mut [u128; 64]) {
    for &heap in heaps {
        let mut rest = heap;
        while rest > 0 {
            columns[rest.trailing_zeros() as usize] += 1;
            rest &= rest - 1;
        }
    }
}

/// Returns no choice of fewer heaps can balance the columns: s heaps change the number of ones of a
/// column by s at most.
pub(super) fn fewest(heaps: &[u64], modulus: u128, play: Play) -> usize {
    let mut columns = [0; 64];
    ones(heaps.iter(), &mut columns);
    // In misere play the lowest column may need one more.
    let checked = match play {
        Play::Normal => &columns[..],
        Play::Misere => &columns[1..],
    };
    let off = checked.iter().map(|count| {
        let over = count % modulus;
        over.min(modulus - over)
    });
    off.max().unwrap_or(0) as usize
}

impl Columns {
    /// Returns the least sizes for the heaps at `places` that leave a P-position; `None` where
    /// there are none.
    pub(super) fn balancing(
        heaps: &[u64],
        places: &[usize],
        modulus: u128,
        play: Play,
    ) -> Option<Self> {
        let mut columns = [0; 64];
        let mut others = heaps.to_vec();
        places.iter().for_each(|&place| others[place] = 0);
        ones(others.iter(), &mut columns);
        // Where the others have at most one chip each, the columns from the second on get no one at
        // all, so that all heaps have at most one chip: the case in which misere play differs.
        let last_alone = play == Play::Misere && others.iter().all(|&heap| heap <= 1);
        let bounds: Vec<u64> = places.iter().map(|&place| heaps[place]).collect();
        let mut needed = Vec::with_capacity(64);
        for (bit, count) in columns.into_iter().enumerate() {
            let wanted = u128::from(last_alone && bit == 0);
            let more = (wanted + modulus - count % modulus) % modulus;
            needed.push(usize::try_from(more).ok().filter(|&n| n <= places.len())?);
        }
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

    /// Returns the sizes.
    pub(super) fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// Goes on to the next larger sizes, the first heap counting most; `false` where there are
    /// none.
    pub(super) fn advance(&mut self) -> bool {
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
                let given = Given { heap, bit, bound };
                if self.can_be_filled(heap + 1, Some(given)) {
                    self.sizes[heap] |= one;
                    self.fill(heap + 1, Some(given));
                    return true;
                }
                self.needed[bit] += 1;
            }
        }
        false
    }

    /// Returns whether the places of a heap from `bit` on are those of its old size.
    fn is_bound(&self, heap: usize, bit: usize) -> bool {
        (self.sizes[heap] ^ self.bounds[heap])
            .checked_shr(bit as u32)
            .unwrap_or(0)
            == 0
    }

    /// Returns whether the lower places of `given` and all places of the heaps from `next` on can
    /// be filled.
    fn can_be_filled(&self, next: usize, given: Option<Given>) -> bool {
        let mut bound = self.bounds[next..].to_vec();
        let mut free = 0;
        for bit in (0..self.needed.len()).rev() {
            if let Some(given) = given.filter(|given| given.bit == bit + 1) {
                if given.bound {
                    bound.push(self.bounds[given.heap]);
                } else {
                    free += 1;
                }
            }
            let mut needed = self.needed[bit];
            let from_free = needed.min(free);
            needed -= from_free;
            // Those with a 1 here come to the end, the largest rest last.
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
        // What is given whole has no lower place left to become free in.
        bound.is_empty() && given.is_none_or(|given| given.bit > 0 || !given.bound)
    }

    /// Fills the lower places of `given` and all places of the heaps from `next` on with the least
    /// that can be.
    fn fill(&mut self, next: usize, given: Option<Given>) {
        if let Some(given) = given {
            self.fill_heap(given);
        }
        for heap in next..self.bounds.len() {
            self.fill_heap(Given {
                heap,
                bit: self.needed.len(),
                bound: true,
            });
        }
    }

    fn fill_heap(
        &mut self,
        Given {
            heap,
            bit,
            mut bound,
        }: Given,
    ) {
        for bit in (0..bit).rev() {
            let one = 1 << bit;
            let old = self.bounds[heap] & one != 0;
            // A column that needs no more ones gets a 0; any other a 0 if the rest can then be
            // filled.
            let given = Given {
                heap,
                bit,
                bound: bound && !old,
            };
            if self.needed[bit] == 0 || self.can_be_filled(heap + 1, Some(given)) {
                bound = given.bound;
            } else {
                self.sizes[heap] |= one;
                self.needed[bit] -= 1;
            }
        }
    }
}
