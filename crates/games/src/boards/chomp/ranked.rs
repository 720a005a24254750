//! All bars within a first one's rectangle up to itself, by the places of their borders.

use std::sync::Arc;

use super::Chomp;
use super::young_diagram::{Places, STEPS, before_bites, lengths_of, word_of};
use crate::kit::ranked;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Play;
use grundy_base::player::Player;
use grundy_engine::RankedGame;
use grundy_engine::rules::Nature;
use grundy_engine::term::{AnyTerm, Term, parts_of};
use grundy_graphs::implicit::dense::{Pass, PassQuestion, Ranked, Reversible, Sieved};

/// Bars by their ranks, `chomp(1)` first: the bar of no square is left out.
#[derive(Debug)]
pub(super) struct Bars {
    rows: u32,
    columns: u32,
    places: Places,
    count: u64,
}

impl Bars {
    /// The bars up to a first one; nothing where it is too large.
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

    /// The rank of a bar, if it is one of these.
    fn place(&self, bar: &[u64]) -> Option<u64> {
        let missing = (self.rows as usize).checked_sub(bar.len())?;
        if bar.first()? > &self.columns.into() {
            return None;
        }
        let empty = std::iter::repeat_n(0, missing);
        let place = self.places.of(word_of(bar.iter().copied().chain(empty)));
        (place <= self.count).then(|| place - 1)
    }

    /// The bar of a rank.
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

impl RankedGame for Bars {
    fn positions(&self) -> u64 {
        self.count
    }

    fn nature(&self) -> Nature {
        Nature::IMPARTIAL
    }

    fn rank_of(&self, terms: &[Arc<dyn AnyTerm>]) -> Result<Option<u64>, Stop> {
        Ok(parts_of::<Chomp>(terms).and_then(|bars| match bars {
            [bar] => self.place(bar),
            _ => None,
        }))
    }

    fn term(&self, rank: u64) -> Result<Arc<dyn AnyTerm>, Stop> {
        Ok(Term::new(Chomp, vec![self.bar(rank)]).into())
    }

    fn options(&self, _: Player, rank: u64, ranks: &mut Vec<u64>) -> Result<(), Stop> {
        Ranked::options(self, rank, |option| {
            ranks.push(option);
            true
        });
        Ok(())
    }

    fn go_on(
        &self,
        question: PassQuestion,
        play: Play,
        pass: &mut Pass,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        ranked::go_on(self, question, play, pass, limits)
    }

    fn beginning(
        &self,
        cells: u64,
        question: PassQuestion,
        play: Play,
        pass: &mut Pass,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        ranked::beginning(self, cells, question, play, pass, limits)
    }

    fn looks_at_every_option(&self, question: PassQuestion) -> bool {
        question != PassQuestion::Remoteness
    }

    fn sieved(&self) -> Option<&dyn Sieved> {
        Some(self)
    }
}
