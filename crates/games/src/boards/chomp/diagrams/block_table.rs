//! Grundy values of all diagrams with a fixed number of rows, in the order of their border words.
//!
//! A word consists of an upper and a lower part. Words with the same upper part form a block. A
//! bite changes the upper part, the lower part, or both.
//!
//! - Bites in the upper part lead to earlier blocks and are the same for the whole block.
//! - Bites in the lower part are the same for all upper parts with the same number of 1s.
//! - After a bite across both parts, the rank depends on the lower part only through its bits below
//!   the bite. So the values after a bite are computed once for all lower parts with the same bits
//!   below it.
//!
//! Hence most bites are visited once for many diagrams, instead of once for each diagram.

use super::{Border, CHECK_INTERVAL, DIAGRAMS_PER_POSITION, least_image};
use crate::boards::chomp::young_diagram::{WordRanks, binomial, empty_word};
use grundy_base::limits::{Limits, Stop};

/// Number of bits of the lower part of a word.
const LOWER_BITS: u32 = 10;

/// A set of values below 256.
type Set = [u64; 4];

/// The sets of a single value. Entry v is the set {v}.
static SINGLE: [Set; 256] = single();

/// Returns the table whose entry v is the set {v}.
const fn single() -> [Set; 256] {
    let (mut sets, mut value) = ([[0; 4]; 256], 0);
    while value < 256 {
        sets[value][value / 64] = 1 << (value % 64);
        value += 1;
    }
    sets
}

/// Inserts a value into a set.
#[inline]
fn insert(set: &mut Set, value: u8) {
    // A union with a precomputed set is four word operations without a branch or a variable shift.
    let single = &SINGLE[usize::from(value)];
    set.iter_mut()
        .zip(single)
        .for_each(|(set, bit)| *set |= bit);
}

/// Returns the least value that is not in a set. Some value must be missing.
fn mex(set: &Set) -> u8 {
    let word = set.iter().position(|&word| word != u64::MAX).unwrap_or(0);
    (64 * word) as u8 + set[word].trailing_ones() as u8
}

/// The values of the first diagrams with a fixed number of rows, in the order of their border
/// words.
#[derive(Debug)]
pub(super) struct BlockTable {
    ranks: WordRanks,
    rows: u32,
    values: Vec<u8>,
    /// The least number that may be the upper part (the highest bits) of the words in the next
    /// block.
    upper: u64,
    /// The possible lower parts (the lowest `LOWER_BITS` bits) of border words, grouped by their
    /// number of 1s.
    lower: Vec<LowerParts>,
    /// For each lower part of a word in the current block, the set of the values after bites that
    /// change both parts of the word. The index is the lower part itself. While the sets are
    /// computed, the index is the bits of a [`Beginning`]. The entry then contains the values after
    /// bites that take a 0 among these bits.
    across: Vec<Set>,
}

/// The lower parts of border words (their lowest `LOWER_BITS` bits) with a fixed number of 1s.
#[derive(Debug, Default)]
struct LowerParts {
    words: Vec<u16>,
    /// The beginnings of the lower parts, ordered by length.
    beginnings: Vec<Beginning>,
    /// For each lower part, the lower parts that one bite inside it leaves, as indices in `words`.
    /// The lists for all lower parts are concatenated.
    within: Vec<u16>,
    /// For each lower part, the end of its list in `within`.
    ends: Vec<u32>,
}

/// The lowest bits of one or more lower parts.
#[derive(Clone, Copy, Debug)]
struct Beginning {
    bits: u16,
    length: u8,
    zeros: u8,
    /// The summand of a rank that [`WordRanks::across`] leaves out, for a bite that takes the 0
    /// directly after these bits. If n of the bits are 1s, this summand is the sum of the terms of
    /// these 1s, minus C(`length`, n). The difference is negative, so it wraps around.
    below: u64,
    /// Entry b is `true` if b is the next bit of some lower part that begins with these bits.
    continuations: [bool; 2],
}

impl LowerParts {
    /// Creates the table of all lower parts of border words that have `ones` 1s.
    fn new(ones: u32) -> Self {
        let ranks = WordRanks::new(ones, LOWER_BITS);
        let mut lower = Self::default();
        for length in 0..LOWER_BITS {
            for bits in 0..1u16 << length {
                let ones_below = bits.count_ones();
                let zeros_below = length - ones_below;
                // No lower part with the right numbers of 0s and 1s begins with these bits.
                if ones_below > ones || zeros_below > LOWER_BITS - ones {
                    continue;
                }
                let terms = (1..=ones_below).zip(ones_of(bits));
                let rank: u64 = terms.map(|(i, at)| binomial_or_zero(at, i)).sum();
                lower.beginnings.push(Beginning {
                    bits,
                    length: length as u8,
                    zeros: zeros_below as u8,
                    below: rank.wrapping_sub(binomial_or_zero(length, ones_below)),
                    continuations: [zeros_below < LOWER_BITS - ones, ones_below < ones],
                });
            }
        }
        let words = (0..1u16 << LOWER_BITS).filter(|word| word.count_ones() == ones);
        lower.words = words.collect();
        for &word in &lower.words {
            // A bite may move all 1s of the lower part before all 0s. The diagram is then empty
            // only if the upper part is 0, which `compute_block` tests.
            ranks.bites_from(word.into(), 0, ones + 1, &mut |bitten| {
                lower.within.push(bitten as u16);
            });
            lower.ends.push(lower.within.len() as u32);
        }
        lower
    }
}

/// Returns the least number >= `upper` that is the upper part of a word with `ones` 1s.
fn with_ones(mut upper: u64, ones: u32) -> u64 {
    while upper.count_ones() > ones {
        // The numbers skipped have at least as many 1s as `upper`, hence too many.
        upper += upper & upper.wrapping_neg();
    }
    while upper.count_ones() + LOWER_BITS < ones {
        upper |= upper + 1;
    }
    upper
}

/// Returns the bit indices of the 1s of a word, in increasing order.
fn ones_of(word: u16) -> impl Iterator<Item = u32> {
    (0..u16::BITS).filter(move |&at| word >> at & 1 == 1)
}

/// Returns C(n, k), which is 0 if n is less than k.
fn binomial_or_zero(n: u32, k: u32) -> u64 {
    if k > n {
        0
    } else {
        binomial(n.into(), k.into())
    }
}

impl BlockTable {
    /// Creates an empty table for diagrams of `rows` rows.
    pub(super) fn new(rows: u32) -> Self {
        Self {
            lower: (0..=LOWER_BITS.min(rows)).map(LowerParts::new).collect(),
            ranks: WordRanks::new(rows, rows.max(LOWER_BITS)),
            rows,
            values: Vec::new(),
            upper: 0,
            across: vec![[0; 4]; 1 << LOWER_BITS],
        }
    }

    /// Returns the number of diagrams with a value.
    pub(super) fn len(&self) -> u64 {
        self.values.len() as u64
    }

    /// Returns the value of a diagram, if the table contains it.
    pub(super) fn get(&self, border: Border) -> Option<u8> {
        let Border { rows, columns, .. } = border;
        if self.rows < rows || self.ranks.length() < self.rows + columns {
            return None;
        }
        let rank = self.ranks.rank(border.with_rows(self.rows).word);
        self.values.get(rank as usize).copied()
    }

    /// Returns the value of a diagram. Extends the table if it does not contain the diagram.
    ///
    /// # Errors
    /// A limit that was exceeded.
    pub(super) fn value(&mut self, border: Border, limits: &Limits<'_>) -> Result<u64, Stop> {
        let Border { rows, columns, .. } = border;
        if self.ranks.length() < rows + columns {
            self.ranks = WordRanks::new(rows, (rows + columns).max(LOWER_BITS));
        }
        let rank = self.ranks.rank(border.word);
        // A diagram takes a byte, so it counts as a fraction of a stored position.
        limits.check(rank.div_ceil(DIAGRAMS_PER_POSITION), DIAGRAMS_PER_POSITION)?;
        if self.len() <= rank {
            // Whole blocks are computed, so the last one may extend beyond the diagram.
            let room = rank as usize + (1 << LOWER_BITS) - self.values.len();
            self.values.reserve_exact(room);
        }
        let mut options_since_check = 0;
        while self.len() <= rank {
            let before = self.len();
            self.compute_block();
            options_since_check += (self.len() - before) * u64::from(rows * columns);
            if options_since_check > CHECK_INTERVAL {
                limits.poll()?;
                options_since_check = 0;
            }
        }
        Ok(self.values[rank as usize].into())
    }

    /// Computes the values of the diagrams in the next block, which consists of all words with the
    /// same upper part.
    fn compute_block(&mut self) {
        let upper = with_ones(self.upper, self.rows);
        self.upper = upper + 1;
        let ones = self.rows - upper.count_ones();
        // The first word of the block. Bites in the upper part shift every word of the block to the
        // same offset in an earlier block.
        let word = upper << LOWER_BITS | empty_word(ones);
        let mut before = Vec::new();
        let last = self.rows;
        self.ranks
            .bites_from(word, LOWER_BITS, last, &mut |bitten| {
                before.push(bitten as usize);
            });
        self.compute_across(word, ones);
        let Self {
            ranks,
            values,
            rows,
            across,
            lower,
            ..
        } = self;
        let lower = &lower[ones as usize];
        let base = values.len();
        let mut start = 0;
        for (offset, (&word, &end)) in lower.words.iter().zip(&lower.ends).enumerate() {
            let within = &lower.within[start as usize..end as usize];
            start = end;
            let word = upper << LOWER_BITS | u64::from(word);
            // The transpose has the same number of rows and comes first, so it has a value.
            let least = least_image(word, *rows);
            if least < word {
                let value = values[ranks.rank(least) as usize];
                values.push(value);
                continue;
            }
            let mut set = across[word as usize % (1 << LOWER_BITS)];
            for &before in &before {
                insert(&mut set, values[before + offset]);
            }
            for &bitten in within {
                let bitten = base + usize::from(bitten);
                // Rank 0 is the diagram without squares, which is not a position.
                if bitten != 0 {
                    insert(&mut set, values[bitten]);
                }
            }
            // The set is not full: `is_dense` admits fewer than 256 squares, so a diagram has fewer
            // than 256 options.
            values.push(mex(&set));
        }
    }

    /// Computes the values after bites that change both the upper and the lower part of a word.
    /// Does this for all lower parts with `ones` 1s. `word` is a word with the upper part of the
    /// current block.
    fn compute_across(&mut self, word: u64, ones: u32) {
        let across = self.ranks.across(word, LOWER_BITS);
        self.across[0] = [0; 4];
        for &Beginning {
            bits,
            length,
            zeros,
            below,
            continuations: [zero, one],
        } in &self.lower[ones as usize].beginnings
        {
            // Beginnings come in order of length. A beginning extended by a 1 has the same set,
            // because a bite takes a 0. An extension by a 0 adds the bites that take this 0. As a
            // number, the extended beginning equals the shorter beginning, so it overwrites the
            // entry of the latter, which is not needed again.
            let mut set = self.across[usize::from(bits)];
            if one {
                self.across[usize::from(bits | 1 << length)] = set;
            }
            if zero {
                for &hop in &across[usize::from(zeros)] {
                    insert(&mut set, self.values[below.wrapping_add(hop) as usize]);
                }
                self.across[usize::from(bits)] = set;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::chomp::young_diagram::{lengths_of, successor, word_of};
    use grundy_base::limits::Limits;

    #[test]
    fn upper_parts_have_an_admissible_number_of_ones() {
        // The numbers of 1s are less and greater than the number of bits of the lower part.
        for ones in [1, 3, 9, 13] {
            let fit = |n: &u64| (ones..=ones + LOWER_BITS).contains(&(n.count_ones() + LOWER_BITS));
            let mut found = Vec::new();
            let mut next = with_ones(0, ones);
            while next < 1 << 12 {
                found.push(next);
                next = with_ones(next + 1, ones);
            }
            assert_eq!(found, (0..1 << 12).filter(fit).collect::<Vec<u64>>());
        }
    }

    /// Checks all diagrams of a rectangle against the definition. Some diagrams have more rows than
    /// the lower part has bits.
    #[test]
    fn block_values_match_the_definition() {
        let sizes: [(u32, u32); 8] = [
            (1, 14),
            (2, 11),
            (3, 9),
            (5, 5),
            (6, 7),
            (9, 4),
            (11, 3),
            (13, 4),
        ];
        for (rows, columns) in sizes {
            let mut table = BlockTable::new(rows);
            let mut values = rustc_hash::FxHashMap::default();
            let mut word = empty_word(rows);
            while word >> (rows + columns) == 0 {
                let lengths = lengths_of(word);
                let mut options = Vec::new();
                for row in 0..lengths.len() {
                    for column in 0..lengths[row] {
                        let cut = |(n, &length): (usize, &u64)| {
                            if n < row { length } else { length.min(column) }
                        };
                        let left: Vec<u64> = lengths.iter().enumerate().map(cut).collect();
                        let none = vec![0; rows as usize - left.len()];
                        let left = word_of([left, none].concat().into_iter());
                        if left != empty_word(rows) {
                            options.push(values[&left]);
                        }
                    }
                }
                let value = grundy_base::mex(options);
                values.insert(word, value);
                let border = Border {
                    word,
                    rows,
                    columns,
                };
                let found = table.value(border, &Limits::default());
                assert_eq!(found, Ok(value), "{lengths:?} of {rows} rows");
                word = successor(word);
            }
        }
    }
}
