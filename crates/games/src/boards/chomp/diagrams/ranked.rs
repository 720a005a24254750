//! Grundy values of all diagrams with a fixed number of rows, in the order of their border words.
//!
//! A word consists of an upper and a lower part. Words with the same upper part form a block. A
//! bite changes the upper part, the lower part, or both.
//!
//! - Bites in the upper part lead to earlier blocks and are the same for the whole block.
//! - Bites in the lower part are the same for all upper parts with the same number of 1s.
//! - Of a bite across both parts, only the lower part below the bite matters. For all lower parts
//!   with the same beginning, the values after these bites are computed once.
//!
//! Hence most bites are visited once for many diagrams, instead of once for each diagram.

use super::{Border, DIAGRAMS, PATIENCE, least_image};
use crate::boards::chomp::young_diagram::{Places, binomial, empty};
use grundy_base::limits::{Limits, Stop};

/// Number of bits of the lower part of a word.
const LOWER: u32 = 10;

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
pub(super) struct Ranked {
    places: Places,
    rows: u32,
    values: Vec<u8>,
    /// A lower bound of the upper part of the next block.
    upper: u64,
    /// The lower parts, grouped by their number of 1s.
    lower: Vec<Lower>,
    /// For each value of the lower bits below a bite, the set of the values after bites across both
    /// parts.
    across: Vec<Set>,
}

/// The lower parts with a fixed number of 1s.
#[derive(Debug, Default)]
struct Lower {
    words: Vec<u16>,
    /// The beginnings of the lower parts, shorter ones first.
    beginnings: Vec<Beginning>,
    /// For each lower part, the indices in `words` of the lower parts after a bite, concatenated.
    within: Vec<u16>,
    /// For each lower part, the end of its entries in `within`.
    ends: Vec<u32>,
}

/// The lowest bits of one or more lower parts.
#[derive(Clone, Copy, Debug)]
struct Beginning {
    bits: u16,
    length: u8,
    zeros: u8,
    /// The partial rank minus C(length, ones), as in [`Places::bites_from`]. It wraps around below
    /// 0 if no bit is 0.
    below: u64,
    /// Index 0: `true` if some lower part continues with a 0, which a bite may take. Index 1:
    /// `true` if some lower part continues with a 1.
    before: [bool; 2],
}

impl Lower {
    /// Creates the lower parts with `ones` 1s.
    fn new(ones: u32) -> Self {
        let places = Places::new(ones, LOWER);
        let mut lower = Self::default();
        for length in 0..LOWER {
            for bits in 0..1u16 << length {
                let ones_below = bits.count_ones();
                let zeros_below = length - ones_below;
                // No lower part with the right numbers of 0s and 1s begins with these bits.
                if ones_below > ones || zeros_below > LOWER - ones {
                    continue;
                }
                let terms = (1..=ones_below).zip(ones_of(bits));
                let place: u64 = terms.map(|(i, at)| choices(at, i)).sum();
                lower.beginnings.push(Beginning {
                    bits,
                    length: length as u8,
                    zeros: zeros_below as u8,
                    below: place.wrapping_sub(choices(length, ones_below)),
                    before: [zeros_below < LOWER - ones, ones_below < ones],
                });
            }
        }
        let words = (0..1u16 << LOWER).filter(|word| word.count_ones() == ones);
        lower.words = words.collect();
        for &word in &lower.words {
            // A bite may move all 1s of the lower part before all 0s. The diagram is then empty
            // only if the upper part is 0, which `pass_block` tests.
            places.bites_from(word.into(), 0, ones + 1, &mut |bitten| {
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
    while upper.count_ones() + LOWER < ones {
        upper |= upper + 1;
    }
    upper
}

/// Returns the places of the 1s of a word, in increasing order.
fn ones_of(word: u16) -> impl Iterator<Item = u32> {
    (0..u16::BITS).filter(move |&at| word >> at & 1 == 1)
}

/// Returns C(n, k), which is 0 if n is less than k.
fn choices(n: u32, k: u32) -> u64 {
    if k > n {
        0
    } else {
        binomial(n.into(), k.into())
    }
}

impl Ranked {
    /// Creates an empty table for diagrams of `rows` rows.
    pub(super) fn new(rows: u32) -> Self {
        Self {
            lower: (0..=LOWER.min(rows)).map(Lower::new).collect(),
            places: Places::new(rows, rows.max(LOWER)),
            rows,
            values: Vec::new(),
            upper: 0,
            across: vec![[0; 4]; 1 << LOWER],
        }
    }

    /// Returns the number of diagrams with a value.
    pub(super) fn len(&self) -> u64 {
        self.values.len() as u64
    }

    /// Returns the value of a diagram, if the table contains it.
    pub(super) fn known(&self, border: Border) -> Option<u8> {
        let Border { rows, columns, .. } = border;
        if self.rows < rows || self.places.length() < self.rows + columns {
            return None;
        }
        let place = self.places.of(border.with_rows(self.rows).word);
        self.values.get(place as usize).copied()
    }

    /// Returns the value of a diagram. Extends the table if it does not contain the diagram.
    ///
    /// # Errors
    /// A limit that was exceeded.
    pub(super) fn value(&mut self, border: Border, limits: &Limits<'_>) -> Result<u64, Stop> {
        let Border { rows, columns, .. } = border;
        if self.places.length() < rows + columns {
            self.places = Places::new(rows, (rows + columns).max(LOWER));
        }
        let place = self.places.of(border.word);
        // A diagram takes a byte, so it counts as a fraction of a stored position.
        limits.check(place.div_ceil(DIAGRAMS), DIAGRAMS)?;
        if self.len() <= place {
            // Whole blocks are computed, so the last one may extend beyond the diagram.
            let room = place as usize + (1 << LOWER) - self.values.len();
            self.values.reserve_exact(room);
        }
        let mut looked = 0;
        while self.len() <= place {
            let before = self.len();
            self.pass_block();
            looked += (self.len() - before) * u64::from(rows * columns);
            if looked > PATIENCE {
                limits.poll()?;
                looked = 0;
            }
        }
        Ok(self.values[place as usize].into())
    }

    /// Computes the values of the next block.
    fn pass_block(&mut self) {
        let upper = with_ones(self.upper, self.rows);
        self.upper = upper + 1;
        let ones = self.rows - upper.count_ones();
        // The first word of the block. Bites in the upper part shift every word of the block to the
        // same offset in an earlier block.
        let word = upper << LOWER | empty(ones);
        let mut before = Vec::new();
        let last = self.rows;
        self.places.bites_from(word, LOWER, last, &mut |bitten| {
            before.push(bitten as usize);
        });
        self.look_across(word, ones);
        let Self {
            places,
            values,
            rows,
            across,
            lower,
            ..
        } = self;
        let lower = &lower[ones as usize];
        let base = values.len();
        let mut start = 0;
        for (place, (&word, &end)) in lower.words.iter().zip(&lower.ends).enumerate() {
            let within = &lower.within[start as usize..end as usize];
            start = end;
            let word = upper << LOWER | u64::from(word);
            // The transpose has the same number of rows and comes first, so it has a value.
            let least = least_image(word, *rows);
            if least < word {
                let value = values[places.of(least) as usize];
                values.push(value);
                continue;
            }
            let mut set = across[word as usize % (1 << LOWER)];
            for &before in &before {
                insert(&mut set, values[before + place]);
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

    /// Computes the values after bites across both parts, for all lower parts with `ones` 1s.
    fn look_across(&mut self, word: u64, ones: u32) {
        let across = self.places.across(word, LOWER);
        self.across[0] = [0; 4];
        for &Beginning {
            bits,
            length,
            zeros,
            below,
            before: [zero, one],
        } in &self.lower[ones as usize].beginnings
        {
            // Beginnings come in order of length. A continuation by a 1 has the same set, because
            // the bite takes no 0 there. A continuation by a 0 adds the bites that take this 0. Its
            // bits are those of the shorter beginning, so it overwrites the entry of the latter,
            // which is not needed again.
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
    use crate::boards::chomp::young_diagram::{following, lengths_of, word_of};
    use grundy_base::limits::Limits;

    #[test]
    fn upper_parts_have_an_admissible_number_of_ones() {
        // The numbers of 1s are less and greater than the number of bits of the lower part.
        for ones in [1, 3, 9, 13] {
            let fit = |n: &u64| (ones..=ones + LOWER).contains(&(n.count_ones() + LOWER));
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
            let mut ranked = Ranked::new(rows);
            let mut values = rustc_hash::FxHashMap::default();
            let mut word = empty(rows);
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
                        if left != empty(rows) {
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
                let found = ranked.value(border, &Limits::default());
                assert_eq!(found, Ok(value), "{lengths:?} of {rows} rows");
                word = following(word);
            }
        }
    }
}
