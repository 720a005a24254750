//! All bars within a first one's rectangle up to itself, by the places of their borders.

use std::sync::Arc;

use super::Chomp;
use super::young_diagram::{Places, STEPS, before_bites, lengths_of, word_of};
use crate::kit::ranked::Reversed;
use grundy_engine::term::{AnyTerm, Term, parts_of};
use grundy_graphs::implicit::dense::{Ranked, Reversible};

/// Bars by their ranks, `chomp(1)` first: the bar of no square is left out.
#[derive(Debug)]
pub(super) struct Bars {
    rows: u32,
    columns: u32,
    places: Places,
    count: u64,
}

impl Bars {
    /// Returns the bars up to a first one; nothing where it is too large.
    pub(super) fn new(first: &[u64]) -> Option<Self> {
        let (rows, columns) = (first.len() as u64, *first.first()?);
        if rows.checked_add(columns)? > STEPS.into() {
            return None;
        }
        let (rows, columns) = (rows as u32, columns as u32);
        let places = Places::new(rows, rows + columns);
        Some(Self {
            count: places.of(word_of(first.iter().copied())),
            rows,
            columns,
            places,
        })
    }

    /// Returns the rank of a bar, if it is one of these.
    fn place(&self, bar: &[u64]) -> Option<u64> {
        let missing = (self.rows as usize).checked_sub(bar.len())?;
        if bar.first()? > &self.columns.into() {
            return None;
        }
        let empty = std::iter::repeat_n(0, missing);
        let place = self.places.of(word_of(bar.iter().copied().chain(empty)));
        (place <= self.count).then(|| place - 1)
    }

    /// Returns the bar of a rank.
    fn bar(&self, rank: u64) -> Vec<u64> {
        lengths_of(self.places.word(rank + 1))
    }
}

impl Ranked for Bars {
    fn len(&self) -> u64 {
        self.count
    }

    fn beat(&self) -> u64 {
        1 << 12
    }

    #[inline]
    fn options(&self, rank: u64, mut visit: impl FnMut(u64) -> bool) {
        let mut open = true;
        self.places
            .bites(self.places.word(rank + 1), &mut |bitten| {
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
