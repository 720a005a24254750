//! Values of all diagrams with some number of rows, in the order of their words.
//!
//! Words with the same upper part make a block. A bite lies in the upper part, in the lower one, or
//! across both. Those of the first kind are the same ones for the whole block, and lead to blocks
//! that came before; those of the second are the same ones for each upper part with as many ones. A
//! bite across both leaves of the lower part only what is below it: so the values that these bites
//! lead to are found once for all lower parts that begin alike. Where values of an r by c rectangle
//! took a look at every bite of every diagram, most are looked at for many diagrams at once.

use super::{Border, DIAGRAMS, PATIENCE, least_image};
use crate::boards::chomp::young_diagram::{Places, binomial, empty};
use grundy_base::limits::{Limits, Stop};

/// The length of the lower part of a word.
const LOWER: u32 = 10;

/// Values below 256.
type Set = [u64; 4];

/// The sets of one value each.
static SINGLE: [Set; 256] = single();

const fn single() -> [Set; 256] {
    let (mut sets, mut value) = ([[0; 4]; 256], 0);
    while value < 256 {
        sets[value][value / 64] = 1 << (value % 64);
        value += 1;
    }
    sets
}

/// Puts a value into a set.
#[inline]
fn insert(set: &mut Set, value: u8) {
    let single = &SINGLE[usize::from(value)];
    set.iter_mut()
        .zip(single)
        .for_each(|(set, bit)| *set |= bit);
}

/// Returns the least value that is not in a set, which is not full.
fn mex(set: &Set) -> u8 {
    let word = set.iter().position(|&word| word != u64::MAX).unwrap_or(0);
    (64 * word) as u8 + set[word].trailing_ones() as u8
}

/// The values of the first diagrams with some number of rows.
#[derive(Debug)]
pub(super) struct Ranked {
    places: Places,
    rows: u32,
    values: Vec<u8>,
    /// The upper part of the first words without a value.
    upper: u64,
    /// By their number of ones.
    lower: Vec<Lower>,
    /// The values that bites across both parts lead to, by what is below them.
    across: Vec<Set>,
}

/// The lower parts with some number of ones.
#[derive(Debug, Default)]
struct Lower {
    words: Vec<u16>,
    /// Beginnings of them, shorter ones first.
    beginnings: Vec<Beginning>,
    /// The places in `words` of what the bites within each lead to, one after the other.
    within: Vec<u16>,
    /// Where those of each end.
    ends: Vec<u32>,
}

/// The lowest bits of a lower part.
#[derive(Clone, Copy, Debug)]
struct Beginning {
    bits: u16,
    length: u8,
    zeros: u8,
    /// Its place, without what is added twice: less than nothing before the first zero.
    below: u64,
    /// Whether a zero comes after it in some lower part, which a bite may take; whether a one does.
    before: [bool; 2],
}

impl Lower {
    fn new(ones: u32) -> Self {
        let places = Places::new(ones, LOWER);
        let mut lower = Self::default();
        for length in 0..LOWER {
            for bits in 0..1u16 << length {
                let ones_below = bits.count_ones();
                let zeros_below = length - ones_below;
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
            places.bites_from(word.into(), 0, ones + 1, &mut |bitten| {
                lower.within.push(bitten as u16);
            });
            lower.ends.push(lower.within.len() as u32);
        }
        lower
    }
}

/// Returns the first number from this one on that is the upper part of a word with so many ones.
fn with_ones(mut upper: u64, ones: u32) -> u64 {
    while upper.count_ones() > ones {
        // Up to there all numbers have more.
        upper += upper & upper.wrapping_neg();
    }
    while upper.count_ones() + LOWER < ones {
        upper |= upper + 1;
    }
    upper
}

/// Where the ones of a word stand, from the lowest on.
fn ones_of(word: u16) -> impl Iterator<Item = u32> {
    (0..u16::BITS).filter(move |&at| word >> at & 1 == 1)
}

/// C(n, k), also where n is less than k.
fn choices(n: u32, k: u32) -> u64 {
    if k > n {
        0
    } else {
        binomial(n.into(), k.into())
    }
}

impl Ranked {
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

    /// How many diagrams have a value.
    pub(super) fn len(&self) -> u64 {
        self.values.len() as u64
    }

    /// Returns the value of a diagram that has been passed.
    pub(super) fn known(&self, border: Border) -> Option<u8> {
        let Border { rows, columns, .. } = border;
        if self.rows < rows || self.places.length() < self.rows + columns {
            return None;
        }
        let place = self.places.of(border.with_rows(self.rows).word);
        self.values.get(place as usize).copied()
    }

    /// Returns the value of a diagram.
    pub(super) fn value(&mut self, border: Border, limits: &Limits<'_>) -> Result<u64, Stop> {
        let Border { rows, columns, .. } = border;
        if self.places.length() < rows + columns {
            self.places = Places::new(rows, (rows + columns).max(LOWER));
        }
        let place = self.places.of(border.word);
        // A diagram is a byte, and counts as much less than a position that is stored.
        limits.check(place.div_ceil(DIAGRAMS), DIAGRAMS)?;
        if self.len() <= place {
            // The last block may be longer.
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

    /// Values the next block.
    fn pass_block(&mut self) {
        let upper = with_ones(self.upper, self.rows);
        self.upper = upper + 1;
        let ones = self.rows - upper.count_ones();
        // The first of the block.
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
                // The one of no square is left out.
                if bitten != 0 {
                    insert(&mut set, values[bitten]);
                }
            }
            // No diagram has 256 options and more: it would have more than 255 squares, and is not
            // asked about.
            values.push(mex(&set));
        }
    }

    /// Finds the values that bites across both parts lead to, for all lower parts with so many
    /// ones.
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
    fn upper_parts_are_those_with_enough_ones_and_no_more() {
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

    /// All diagrams of a rectangle against the definition, some of them with more rows than the
    /// lower part has bits.
    #[test]
    fn blocks_have_the_values_of_the_definition() {
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
