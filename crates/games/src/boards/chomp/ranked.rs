//! Ranks of bars as ranks of their border words. The bars are those in the rectangle of a first bar
//! whose words are at most the word of that bar.

use std::sync::Arc;

use super::Chomp;
use super::young_diagram::{Places, STEPS, before_bites, lengths_of, word_of};
use crate::kit::ranked::Reversed;
use grundy_engine::term::{AnyTerm, Term, parts_of};
use grundy_graphs::implicit::dense::{Ranked, Reversible};

/// Bars by rank. The bar without squares is left out, so `chomp(1)` has rank 0.
#[derive(Debug)]
pub(super) struct Bars {
    rows: u32,
    columns: u32,
    places: Places,
    count: u64,
}

impl Bars {
    /// Creates the ranks of the bars up to `first`, or returns `None` if `first` is too large.
    pub(super) fn new(first: &[u64]) -> Option<Self> {
        let (rows, columns) = (first.len() as u64, *first.first()?);
        if rows.checked_add(columns)? > STEPS.into() {
            return None;
        }
        let (rows, columns) = (rows as u32, columns as u32);
        let places = Places::new(rows, rows + columns);
        Some(Self {
            // The rank of the first bar among all words is the number of smaller words. The empty
            // bar is left out, so this is also the number of bars up to and including the first
            // bar.
            count: places.of(word_of(first.iter().copied())),
            rows,
            columns,
            places,
        })
    }

    /// Returns the rank of a bar, or `None` if the bar is not among the ranked ones.
    fn place(&self, bar: &[u64]) -> Option<u64> {
        let missing = (self.rows as usize).checked_sub(bar.len())?;
        if bar.first()? > &self.columns.into() {
            return None;
        }
        // Shorter bars are padded with empty rows, since all words have one 1 for each row.
        let empty = std::iter::repeat_n(0, missing);
        let place = self.places.of(word_of(bar.iter().copied().chain(empty)));
        (place <= self.count).then(|| place - 1)
    }

    /// Returns the bar with the rank `rank`.
    fn bar(&self, rank: u64) -> Vec<u64> {
        lengths_of(self.places.word(rank + 1))
    }
}

impl Ranked for Bars {
    fn len(&self) -> u64 {
        self.count
    }

    /// Returns the number of positions between two checks of the limits. It is less than the
    /// default, since a bar has many bites.
    fn beat(&self) -> u64 {
        1 << 12
    }

    #[inline]
    fn options(&self, rank: u64, mut visit: impl FnMut(u64) -> bool) {
        let mut open = true;
        self.places
            .bites(self.places.word(rank + 1), &mut |bitten| {
                // `bites` cannot be interrupted. After `visit` has returned `false` the other bites
                // are ignored.
                open = open && visit(bitten - 1);
            });
    }
}

impl Reversible for Bars {
    #[inline]
    fn sources(&self, rank: u64, mut visit: impl FnMut(u64)) {
        let word = self.places.word(rank + 1);
        before_bites(word, self.rows, self.columns, &mut |before| {
            let place = self.places.of(before);
            // In this order, a bar of the rectangle may come after the first bar. It then has no
            // rank.
            if place <= self.count {
                visit(place - 1);
            }
        });
    }
}

impl Reversed for Bars {
    fn positions(&self) -> u64 {
        self.count
    }

    fn rank_of(&self, terms: &[Arc<dyn AnyTerm>]) -> Option<u64> {
        match parts_of::<Chomp>(terms)? {
            [bar] => self.place(bar),
            _ => None,
        }
    }

    fn term(&self, rank: u64) -> Arc<dyn AnyTerm> {
        Term::new(Chomp, vec![self.bar(rank)]).into()
    }
}
