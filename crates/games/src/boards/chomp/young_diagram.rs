//! The borders of Young diagrams as binary words, and the ranks of these words.
//!
//! The border of a diagram is a lattice path. Read from the lower left, it is a word with a 1 for
//! each row and a 0 for each column. The first letter of the word is the lowest bit of a number. A
//! bite takes a range of letters that begins with a 0 and ends with a 1, and moves its 1s before
//! its 0s. So the word becomes smaller as a number. Hence, in the list of all words with a fixed
//! number of 1s in increasing order, every option precedes its diagram.
//!
//! The rank of a word in this order is the sum of C(p, i) over its 1s, where p is the index of the
//! bit of the i-th 1. This is the combinatorial number system (E. Pascal, Sopra una formula
//! numerica, Giornale di Matematiche 25 (1887)). The rank does not depend on the number of columns.
//! It is the sum of two table entries, one for the lower and one for the upper half of the bits of
//! the word.

/// Maximal length of the border word of a Young diagram, which is the number of rows plus the
/// number of columns.
pub(super) const MAX_LENGTH: u32 = 40;

/// Tables for the ranks of border words with a fixed number of 1s. There is one table for the lower
/// half of the bits of a word, and one for the upper half.
#[derive(Debug)]
pub(super) struct WordRanks {
    half: u32,
    ones: u32,
    /// For each lower half of a word, the sum of the terms C(p, i), where p is the bit index of the
    /// i-th 1. The sums are less than 2^20, since words have at most [`MAX_LENGTH`] bits.
    lower: Vec<u32>,
    upper: Vec<u64>,
    /// Binomial coefficients: `binomials[p][i]` is C(p, i).
    binomials: Vec<Vec<u64>>,
    /// Binomial coefficients: `hops[z][k]` is C(z + k, k).
    hops: Vec<Vec<u64>>,
}

/// Returns the binomial coefficient C(n, k).
pub(super) fn binomial(n: u64, k: u64) -> u64 {
    // Every intermediate product is C(n, i + 1), so the division is exact.
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

/// Returns the border word of the diagram whose rows have these lengths, from the longest to the
/// shortest.
///
/// Rows may be empty.
pub(super) fn word_of(lengths: impl DoubleEndedIterator<Item = u64>) -> u64 {
    let ones = lengths.rev().enumerate();
    ones.fold(0, |word, (before, length)| {
        word | 1 << (length + before as u64)
    })
}

/// Returns the lengths of the nonempty rows of the diagram with this border word, from the longest
/// to the shortest.
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

/// Returns the next larger word with the same number of 1s.
pub(super) fn successor(word: u64) -> u64 {
    // Gosper's hack: the highest 1 of the lowest run of 1s moves up by one bit. The other 1s of the
    // run become the lowest bits.
    let lowest = word & word.wrapping_neg();
    let carried = word + lowest;
    carried | (word ^ carried) >> (2 + word.trailing_zeros())
}

/// Returns the word of the diagram with this number of rows, but no squares.
pub(super) fn empty_word(rows: u32) -> u64 {
    (1 << rows) - 1
}

impl WordRanks {
    /// Creates the tables for words with `ones` 1s and at most `length` bits.
    pub(super) fn new(ones: u32, length: u32) -> Self {
        let half = length.div_ceil(2);
        let binomials: Vec<Vec<u64>> = (0..u64::from(length))
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
                sum += binomials[place as usize][i];
            }
            sum
        };
        let hop = |zeros: u32| (0..=ones).map(move |k| binomial((zeros + k).into(), k.into()));
        let hops = (0..length.saturating_sub(ones)).map(|zeros| hop(zeros).collect());
        let hops = hops.collect();
        let lower = (0..1 << half).map(|word| sum(word, 0, 0) as u32).collect();
        let upper = (0..1u64 << (length - half)).map(|word| {
            // The number of 1s is fixed, so the upper half determines the number of 1s in the lower
            // half. If the upper half has too many 1s, no word has this upper half.
            let before = ones.checked_sub(word.count_ones());
            before.map_or(0, |before| sum(word, before, half))
        });
        Self {
            half,
            ones,
            lower,
            upper: upper.collect(),
            binomials,
            hops,
        }
    }

    /// Returns the rank of a border word, which is its index in the increasing list of all words
    /// with the same number of 1s.
    #[inline]
    pub(super) fn rank(&self, word: u64) -> u64 {
        let lower = word & ((1 << self.half) - 1);
        u64::from(self.lower[lower as usize]) + self.upper[(word >> self.half) as usize]
    }

    /// Visits, for each bite, the rank of the word that the bite leaves. A bite that leaves no
    /// square is not visited.
    ///
    /// Consider the bite that takes a 0 preceded by z 0s, and the i-th to the k-th 1. It moves
    /// these 1s to directly before the 0. The rank is a sum of one term for each 1, and the terms
    /// of the other 1s do not change. The terms of the i-th to the k-th 1 become C(z + i - 1, i) +
    /// ... + C(z + k - 1, k). Their sum is C(z + k, k) - C(z + i - 1, i - 1).
    #[inline]
    pub(super) fn bites(&self, word: u64, visit: &mut impl FnMut(u64)) {
        // If all 1s precede all 0s, the diagram is empty. Hence a bite of the first 0 must not
        // include the last 1.
        self.bites_from(word, 0, self.ones, visit);
    }

    /// Visits the ranks of the words that some bites leave. In the border word, a bite takes a
    /// range that begins with a 0 and ends with a 1. Only bites whose first 0 has at least the bit
    /// index `start` are made.
    ///
    /// A bite that takes the first 0 of the word may include only the 1s before the `last`-th 1.
    #[inline]
    pub(super) fn bites_from(&self, word: u64, start: u32, last: u32, visit: &mut impl FnMut(u64)) {
        let above = self.terms_above(word);
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
                // The terms below, minus C(z + i - 1, i - 1) in the formula of [`Self::bites`]. The
                // difference is negative and wraps around. Adding the hop corrects it.
                let below = (sum - above[ones]).wrapping_sub(hops[ones]);
                let end = if zeros == 0 {
                    last as usize
                } else {
                    above.len()
                };
                // The bite includes all 1s from the 0 to the k-th 1, for each k-th 1 after the 0.
                let later = ones + 1..end.max(ones + 1);
                for (hop, above) in hops[later.clone()].iter().zip(&above[later]) {
                    visit(below.wrapping_add(hop + above));
                }
                zeros += 1;
            }
            rest >>= rest.trailing_zeros();
        }
    }

    /// Returns, for each k, the sum of the terms C(p, i) of all 1s after the k-th 1. Here p is the
    /// bit index of the i-th 1.
    #[inline]
    fn terms_above(&self, word: u64) -> [u64; MAX_LENGTH as usize + 1] {
        let mut above = [0; MAX_LENGTH as usize + 1];
        let (mut rest, mut k, mut sum) = (word, self.ones as usize, 0);
        while rest != 0 {
            let place = rest.ilog2();
            rest ^= 1 << place;
            above[k] = sum;
            sum += self.binomials[place as usize][k];
            k -= 1;
        }
        above[0] = sum;
        above
    }

    /// Returns the ranks of the words that some bites leave: the bites that begin in the `lower`
    /// lowest bits and end above them. Each rank is returned without the summand that depends only
    /// on the bits before the 0 of the bite.
    ///
    /// Such a bite takes a 0 among the `lower` lowest bits, and its last 1 is above them. List z
    /// belongs to the 0 that is preceded by z 0s. It has one entry for each k such that the k-th 1
    /// can be the last 1 of the bite. The entry is C(z + k, k), as in the formula of
    /// [`Self::bites`], plus the terms of the 1s after the k-th.
    pub(super) fn across(&self, word: u64, lower: u32) -> Vec<Vec<u64>> {
        let above = self.terms_above(word);
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

    /// Returns the word with this rank.
    pub(super) fn word(&self, mut rank: u64) -> u64 {
        let (mut word, mut end) = (0, self.binomials.len());
        // Greedy, from the highest 1 to the lowest: each 1 becomes the highest bit p whose term
        // C(p, i) does not exceed the remaining rank. The terms increase with p, so a binary search
        // finds p.
        for i in (1..=self.ones as usize).rev() {
            let above = self.binomials[..end].partition_point(|binomials| binomials[i] <= rank);
            end = above - 1;
            rank -= self.binomials[end][i];
            word |= 1 << end;
        }
        word
    }

    /// Returns the maximal length of a word.
    pub(super) fn length(&self) -> u32 {
        self.binomials.len() as u32
    }
}

/// Visits the words of all diagrams from which a bite leads to the diagram with the border word
/// `word`. Only diagrams with at most `rows` rows and `columns` columns are visited.
///
/// A bite changes a range of bits into 1s followed by 0s. Before the bite, this range began with a
/// 0, ended with a 1, and had any bits between them.
#[inline]
pub(super) fn predecessors(word: u64, rows: u32, columns: u32, visit: &mut impl FnMut(u64)) {
    let length = rows + columns;
    // The last 1 of each run of 1s that a run of 0s follows.
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
                // The word before the bite begins with a 0 and ends with a 1.
                let last = 1 << (first + span - 1);
                let (inner, most) = (span - 2, bitten_rows - 1);
                let mut between = empty_word(most);
                // All arrangements of the other 1s among the other 0s.
                while between >> inner == 0 {
                    visit(outside | last | between << (first + 1));
                    if most == 0 {
                        break;
                    }
                    between = successor(between);
                }
            }
        }
    }
}
