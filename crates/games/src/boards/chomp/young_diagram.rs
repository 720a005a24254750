//! The borders of Young diagrams as words, and the numbers of these.
//!
//! The border of a diagram is a path of steps: read from the lower left, a word with a one for each
//! row and a zero for each column. A bite takes a zero and a later one, and puts the ones between
//! them before the zeros: the word becomes smaller as a number. So the words with a given number of
//! ones, from the least on, meet every option before the diagram. Its place in this order is the
//! sum of C(p, i) over the ones, the i-th at place p (the combinatorial number system: E. Pascal,
//! Sopra una formula numerica, Giornale di Matematiche 25 (1887)), which does not depend on how
//! many columns there are; two tables, for the lower and the upper half of the word, give it by one
//! addition.

/// Rows and columns together of the largest diagrams.
pub(super) const STEPS: u32 = 40;

/// The places of words with some number of ones, in two halves.
#[derive(Debug)]
pub(super) struct Places {
    half: u32,
    ones: u32,
    /// Less than 2^20 each, as [`STEPS`] bounds the words.
    lower: Vec<u32>,
    upper: Vec<u64>,
    /// `choices[p][i]` is C(p, i).
    choices: Vec<Vec<u64>>,
    /// `hops[z][k]` is C(z + k, k).
    hops: Vec<Vec<u64>>,
}

/// C(n, k).
pub(super) fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

/// Returns the word of the border of a diagram, by the lengths of its rows from the longest on.
/// Rows may be empty.
pub(super) fn word_of(lengths: impl DoubleEndedIterator<Item = u64>) -> u64 {
    let ones = lengths.rev().enumerate();
    ones.fold(0, |word, (before, length)| {
        word | 1 << (length + before as u64)
    })
}

/// Returns the lengths of the rows, from the longest on; empty ones are left out.
pub(super) fn lengths_of(word: u64) -> Vec<u64> {
    let (mut rest, mut lengths) = (word, Vec::new());
    for before in 0..word.count_ones() {
        lengths.push(u64::from(rest.trailing_zeros() - before));
        rest &= rest - 1;
    }
    lengths.retain(|&length| length > 0);
    lengths.reverse();
    lengths
}

/// Returns the next word with as many ones.
pub(super) fn following(word: u64) -> u64 {
    let lowest = word & word.wrapping_neg();
    let carried = word + lowest;
    carried | (word ^ carried) >> (2 + word.trailing_zeros())
}

/// Returns the word of no square.
pub(super) fn empty(rows: u32) -> u64 {
    (1 << rows) - 1
}

impl Places {
    /// For words with so many ones, and at most so many places.
    pub(super) fn new(ones: u32, length: u32) -> Self {
        let half = length.div_ceil(2);
        let choices: Vec<Vec<u64>> = (0..u64::from(length))
            .map(|place| {
                (0..=u64::from(ones.max(half)))
                    .map(|i| if i <= place { binomial(place, i) } else { 0 })
                    .collect()
            })
            .collect();
        let sum = |word: u64, before: u32, first: u32| {
            let (mut rest, mut sum, mut i) = (word, 0, before as usize);
            while rest != 0 {
                let place = rest.trailing_zeros() + first;
                rest &= rest - 1;
                i += 1;
                sum += choices[place as usize][i];
            }
            sum
        };
        let hop = |zeros: u32| (0..=ones).map(move |k| binomial((zeros + k).into(), k.into()));
        let hops = (0..length.saturating_sub(ones)).map(|zeros| hop(zeros).collect());
        let hops = hops.collect();
        let lower = (0..1 << half).map(|word| sum(word, 0, 0) as u32).collect();
        let upper = (0..1u64 << (length - half)).map(|word| {
            // As many ones as there are not in the upper half are in the lower.
            let before = ones.checked_sub(word.count_ones());
            before.map_or(0, |before| sum(word, before, half))
        });
        Self {
            half,
            ones,
            lower,
            upper: upper.collect(),
            choices,
            hops,
        }
    }

    /// Returns the place of a word.
    #[inline]
    pub(super) fn of(&self, word: u64) -> u64 {
        let lower = word & ((1 << self.half) - 1);
        u64::from(self.lower[lower as usize]) + self.upper[(word >> self.half) as usize]
    }

    /// Visits the places of the words after all bites, the one of no square left out.
    ///
    /// A bite takes the zero with z zeros before it, and the ones from the i-th to the k-th, which
    /// come to stand just before where the zero was: of the sum that is the place of the word the
    /// terms below and above stay, and those between become C(z + i, i) + ... + C(z + k - 1, k),
    /// which is C(z + k, k) - C(z + i - 1, i - 1).
    #[inline]
    pub(super) fn bites(&self, word: u64, visit: &mut impl FnMut(u64)) {
        // All ones before all zeros are no square: what takes the first zero may not take the last
        // one.
        self.bites_from(word, 0, self.ones, visit);
    }

    /// The same for the bites that take a zero from `start` on, those of the first zero with the
    /// ones before the `last`.
    #[inline]
    pub(super) fn bites_from(&self, word: u64, start: u32, last: u32, visit: &mut impl FnMut(u64)) {
        let above = self.above(word);
        let (sum, above) = (above[0], &above[..=self.ones as usize]);
        let mut ones = (word & ((1 << start) - 1)).count_ones() as usize;
        let (mut rest, mut zeros) = (word >> start, start as usize - ones);
        loop {
            let run = rest.trailing_ones();
            (rest, ones) = (rest >> run, ones + run as usize);
            if rest == 0 {
                return;
            }
            for _ in 0..rest.trailing_zeros() {
                let hops = &self.hops[zeros];
                // The terms below, without what was added twice; less than nothing before the first
                // zero.
                let below = (sum - above[ones]).wrapping_sub(hops[ones]);
                let end = if zeros == 0 {
                    last as usize
                } else {
                    above.len()
                };
                let later = ones + 1..end.max(ones + 1);
                for (hop, above) in hops[later.clone()].iter().zip(&above[later]) {
                    visit(below.wrapping_add(hop + above));
                }
                zeros += 1;
            }
            rest >>= rest.trailing_zeros();
        }
    }

    /// Returns the sums of the terms above the k-th one, by k.
    #[inline]
    fn above(&self, word: u64) -> [u64; STEPS as usize + 1] {
        let mut above = [0; STEPS as usize + 1];
        let (mut rest, mut k, mut sum) = (word, self.ones as usize, 0);
        while rest != 0 {
            let place = rest.ilog2();
            rest ^= 1 << place;
            above[k] = sum;
            sum += self.choices[place as usize][k];
            k -= 1;
        }
        above[0] = sum;
        above
    }

    /// What the bites add that take a zero among the lower bits of a word and a one above them, by
    /// the number of zeros before that zero, to the sum of what is below without C(z + i, i).
    pub(super) fn across(&self, word: u64, lower: u32) -> Vec<Vec<u64>> {
        let above = self.above(word);
        let ones = (word & ((1 << lower) - 1)).count_ones();
        let later = |zeros| ones as usize + 1..=self.ones as usize - usize::from(zeros == 0);
        let zeros = 0..(lower - ones) as usize;
        zeros
            .map(|zeros| {
                let later = later(zeros);
                later.map(|k| self.hops[zeros][k] + above[k]).collect()
            })
            .collect()
    }

    /// Returns the word at a place: from the last one on, each stands as far up as leaves a sum
    /// that is not too large.
    pub(super) fn word(&self, mut place: u64) -> u64 {
        let (mut word, mut end) = (0, self.choices.len());
        for i in (1..=self.ones as usize).rev() {
            // C(p, i) grows with p.
            let above = self.choices[..end].partition_point(|choices| choices[i] <= place);
            end = above - 1;
            place -= self.choices[end][i];
            word |= 1 << end;
        }
        word
    }

    /// How long the words may be.
    pub(super) fn length(&self) -> u32 {
        self.choices.len() as u32
    }
}

/// Visits the words of all diagrams with at most so many rows and columns of which a bite leaves
/// this one: ones that stand just before zeros may have stood after some of them.
#[inline]
pub(super) fn before_bites(word: u64, rows: u32, columns: u32, visit: &mut impl FnMut(u64)) {
    let length = rows + columns;
    // Each place where a run of ones ends and zeros begin.
    let mut corners = word & !(word >> 1);
    while corners != 0 {
        let corner = corners.trailing_zeros() + 1;
        corners &= corners - 1;
        let ones = (word << (u64::BITS - corner)).leading_ones();
        let zeros = (word >> corner).trailing_zeros().min(length - corner);
        for bitten_rows in 1..=ones {
            for bitten_columns in 1..=zeros {
                let first = corner - bitten_rows;
                let span = bitten_rows + bitten_columns;
                let outside = word & !(((1 << span) - 1) << first);
                // Whatever begins with a zero and ends with a one.
                let last = 1 << (first + span - 1);
                let (inner, most) = (span - 2, bitten_rows - 1);
                let mut between = empty(most);
                while between >> inner == 0 {
                    visit(outside | last | between << (first + 1));
                    if most == 0 {
                        break;
                    }
                    between = following(between);
                }
            }
        }
    }
}
