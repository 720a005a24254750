//! Ranks of bars. The rank of a bar is the rank of its border word, minus 1. `Bars` is created for
//! one bar, called the first bar. A bar has a rank if it fits into the rectangle of the first bar.
//! In addition, its border word must not be greater than that of the first bar.

use std::sync::Arc;

use super::Chomp;
use super::young_diagram::{MAX_LENGTH, WordRanks, lengths_of, predecessors, word_of};
use crate::kit::ranked::RetrogradeGame;
use grundy_engine::term::{AnyTerm, Term, parts_of};
use grundy_graphs::implicit::dense::{Predecessors, Ranked};

/// The bars that can arise from one bar of chocolate, numbered by their ranks. The bar without
/// squares is left out, so `chomp(1)` has rank 0.
#[derive(Debug)]
pub(super) struct Bars {
    rows: u32,
    columns: u32,
    ranks: WordRanks,
    count: u64,
}

impl Bars {
    /// Creates the numbering of the bars up to `first`, in the order of their border words. Returns
    /// `None` if `first` is too large.
    pub(super) fn new(first: &[u64]) -> Option<Self> {
        let (rows, columns) = (first.len() as u64, *first.first()?);
        if rows.checked_add(columns)? > MAX_LENGTH.into() {
            return None;
        }
        let (rows, columns) = (rows as u32, columns as u32);
        let ranks = WordRanks::new(rows, rows + columns);
        Some(Self {
            // The rank of the first bar among all words is the number of smaller words. The empty
            // bar is left out, so this is also the number of bars up to and including the first
            // bar.
            count: ranks.rank(word_of(first.iter().copied())),
            rows,
            columns,
            ranks,
        })
    }

    /// Returns the rank of a bar, or `None` if the bar has no rank in this numbering.
    fn rank(&self, bar: &[u64]) -> Option<u64> {
        let missing = (self.rows as usize).checked_sub(bar.len())?;
        if bar.first()? > &self.columns.into() {
            return None;
        }
        // Shorter bars are padded with empty rows, since all words have one 1 for each row.
        let empty = std::iter::repeat_n(0, missing);
        let rank = self.ranks.rank(word_of(bar.iter().copied().chain(empty)));
        (rank <= self.count).then(|| rank - 1)
    }

    /// Returns the bar with the rank `rank`.
    fn bar(&self, rank: u64) -> Vec<u64> {
        lengths_of(self.ranks.word(rank + 1))
    }
}

impl Ranked for Bars {
    fn len(&self) -> u64 {
        self.count
    }

    /// Returns the number of positions between two checks of the limits. It is less than the
    /// default, since a bar has many bites.
    fn poll_interval(&self) -> u64 {
        1 << 12
    }

    #[inline]
    fn options(&self, rank: u64, mut visit: impl FnMut(u64) -> bool) {
        let mut open = true;
        self.ranks.bites(self.ranks.word(rank + 1), &mut |bitten| {
            // `bites` cannot be interrupted. After `visit` has returned `false` the other bites
            // are ignored.
            open = open && visit(bitten - 1);
        });
    }
}

impl Predecessors for Bars {
    #[inline]
    fn predecessors(&self, rank: u64, mut visit: impl FnMut(u64)) {
        let word = self.ranks.word(rank + 1);
        predecessors(word, self.rows, self.columns, &mut |before| {
            let rank = self.ranks.rank(before);
            // The word of a bar in the rectangle may be greater than that of the first bar. Such a
            // bar has no rank.
            if rank <= self.count {
                visit(rank - 1);
            }
        });
    }
}

impl RetrogradeGame for Bars {
    fn positions(&self) -> u64 {
        self.count
    }

    fn rank_of(&self, terms: &[Arc<dyn AnyTerm>]) -> Option<u64> {
        match parts_of::<Chomp>(terms)? {
            [bar] => self.rank(bar),
            _ => None,
        }
    }

    fn term(&self, rank: u64) -> Arc<dyn AnyTerm> {
        Term::new(Chomp, vec![self.bar(rank)]).into()
    }
}
