//! Learning a quotient from play alone: a second way to it, which shares no thought with the
//! search.
//!
//! The syntactic monoid of the losing sums is learned as an automaton is from questions and
//! counterexamples (D. Angluin, Learning regular sets from queries and counterexamples, 1987; the
//! way to use a counterexample is that of R. L. Rivest, R. E. Schapire, Inference of finite
//! automata using homing sequences, 1993): each row is a sum, each column a sum that is added to
//! it, and an entry says whether both together are losing.

use std::collections::hash_map::Entry;

use fixedbitset::FixedBitSet;
use grundy_base::limits::{Limits, Stop};
use rustc_hash::FxHashMap;

use super::Word;
use super::action::{Action, Letter};
use super::failure::first_failure;
use super::family::Family;
use super::monoid::{Draft, Monoid};
use super::oracle::Oracle;
use super::representatives::{options_of, representatives};

/// Returns the quotient of the first pieces of a family, and the element of each.
///
/// # Errors
/// The limits.
///
/// # Complexity
/// It is meant for small quotients: sums of two rows and a piece are played out.
pub fn learned<F: Family>(
    family: &mut F,
    pieces: u32,
    limits: &Limits<'_>,
) -> Result<(Monoid, Vec<u32>), Stop> {
    let mut lengths = Vec::new();
    for piece in 0..pieces {
        let (_, length) = options_of(family, piece, &lengths)?;
        lengths.push(length);
    }
    let mut draft = Draft {
        monoid: Monoid::trivial(),
        elements: vec![0; pieces as usize],
    };
    let mut words = vec![Word::new()];
    let mut table = Table::new(pieces);
    let mut played = FxHashMap::default();
    loop {
        let representatives = representatives(family, &draft, &lengths)?.0;
        let Some(failure) = first_failure(&draft.monoid, &representatives, limits)? else {
            return Ok((draft.monoid, draft.elements));
        };
        let mut oracle = Oracle {
            family: &mut *family,
            lengths: &lengths,
            guess: (&draft, failure.length),
            played: &mut played,
        };
        let place = split(&failure.word, &draft, &words, &mut oracle, limits)?;
        table.learn(&failure.word, place);
        let action = table.fill(&mut oracle, limits)?;
        let (monoid, element) = action.reduced(limits)?;
        words = vec![Word::new(); monoid.order()];
        for (row, &element) in table.rows.iter().zip(&element) {
            words[element as usize].clone_from(row);
        }
        let columns = action.columns.iter();
        let elements = columns.map(|column| element[column[0] as usize]).collect();
        draft = Draft { monoid, elements };
    }
}

/// Rows and columns.
#[derive(Debug)]
struct Table {
    /// The pieces that rows are made of.
    letters: Vec<u32>,
    rows: Vec<Word>,
    tests: Vec<Word>,
    entries: Vec<FixedBitSet>,
}

/// Goes through a sum piece by piece, each beginning exchanged for the `word` of its element, until
/// who wins changes: there two sums were taken for one. Answers at which of its pieces.
fn split<F: Family>(
    failure: &Word,
    draft: &Draft,
    words: &[Word],
    oracle: &mut Oracle<'_, F>,
    limits: &Limits<'_>,
) -> Result<usize, Stop> {
    let truth = oracle.is_p(failure, limits)?;
    let mut element = 0;
    for (place, &piece) in failure.iter().enumerate() {
        element = (draft.monoid).times(element, draft.elements[piece as usize]);
        let exchanged = sum(&words[element as usize], &failure[place + 1..]);
        if oracle.is_p(&exchanged, limits)? != truth {
            return Ok(place);
        }
    }
    unreachable!("the last word has the element of the sum, which is wrong about it");
}

impl Table {
    /// Returns the table of the empty sum.
    fn new(pieces: u32) -> Self {
        Self {
            letters: (0..pieces).collect(),
            rows: vec![Word::new()],
            tests: vec![Word::new()],
            entries: Vec::new(),
        }
    }

    /// Learns from a counterexample: its end tells sums apart, and so do the ends of that, which
    /// what rows do after a piece rests on.
    fn learn(&mut self, failure: &Word, place: usize) {
        let rest = &failure[place + 1..];
        for from in 0..=rest.len() {
            self.test(rest[from..].to_vec());
        }
    }

    fn test(&mut self, test: Word) {
        if !self.tests.contains(&test) {
            self.tests.push(test);
        }
    }

    fn entry<F: Family>(
        &self,
        word: &Word,
        oracle: &mut Oracle<'_, F>,
        limits: &Limits<'_>,
    ) -> Result<FixedBitSet, Stop> {
        let mut entry = FixedBitSet::with_capacity(self.tests.len());
        for (number, test) in self.tests.iter().enumerate() {
            entry.set(number, oracle.is_p(&sum(word, test), limits)?);
        }
        Ok(entry)
    }

    /// Fills the table until every row followed by a piece is like a row, and the order of pieces
    /// makes no difference.
    fn fill<F: Family>(
        &mut self,
        oracle: &mut Oracle<'_, F>,
        limits: &Limits<'_>,
    ) -> Result<Action, Stop> {
        loop {
            let after = self.close(oracle, limits)?;
            let Some(test) = self.crossing(&after, oracle, limits)? else {
                let letters = (0u32..).zip(&self.letters);
                let letters = letters.map(|(column, &piece)| Letter {
                    column,
                    options: Vec::new(),
                    length: oracle.lengths[piece as usize],
                });
                let losing = (0..self.rows.len()).filter(|&row| self.entries[row].contains(0));
                return Ok(Action {
                    size: self.rows.len(),
                    letters: letters.collect(),
                    p: losing.collect(),
                    columns: after,
                });
            };
            self.test(test);
        }
    }

    /// Adds rows until every row followed by a piece is like one; the row it is like, by piece and
    /// row.
    fn close<F: Family>(
        &mut self,
        oracle: &mut Oracle<'_, F>,
        limits: &Limits<'_>,
    ) -> Result<Vec<Vec<u32>>, Stop> {
        let mut numbers: FxHashMap<FixedBitSet, u32> = FxHashMap::default();
        let mut waiting = std::mem::take(&mut self.rows).into_iter();
        self.entries.clear();
        let mut after = vec![Vec::new(); self.letters.len()];
        let mut next = 0;
        // First the rows that were there, then what comes of each.
        for word in waiting.by_ref() {
            self.number(word, &mut numbers, oracle, limits)?;
        }
        while next < self.rows.len() {
            for (letter, after) in after.iter_mut().enumerate() {
                let word = sum(&self.rows[next], &[self.letters[letter]]);
                after.push(self.number(word, &mut numbers, oracle, limits)?);
            }
            next += 1;
        }
        Ok(after)
    }

    /// Returns the number of the row that a sum is like; the sum becomes one where there is none.
    fn number<F: Family>(
        &mut self,
        word: Word,
        numbers: &mut FxHashMap<FixedBitSet, u32>,
        oracle: &mut Oracle<'_, F>,
        limits: &Limits<'_>,
    ) -> Result<u32, Stop> {
        let entry = self.entry(&word, oracle, limits)?;
        match numbers.entry(entry) {
            Entry::Occupied(known) => Ok(*known.get()),
            Entry::Vacant(free) => {
                let number = self.rows.len() as u32;
                self.rows.push(word);
                self.entries.push(free.key().clone());
                Ok(*free.insert(number))
            }
        }
    }

    /// Returns a sum that tells two rows apart which are like the same sum, reached by two pieces
    /// in either order.
    fn crossing<F: Family>(
        &self,
        after: &[Vec<u32>],
        oracle: &mut Oracle<'_, F>,
        limits: &Limits<'_>,
    ) -> Result<Option<Word>, Stop> {
        let to = |letter: usize, row: u32| after[letter][row as usize];
        for row in 0..self.rows.len() as u32 {
            for a in 0..self.letters.len() {
                for b in a + 1..self.letters.len() {
                    let (x, y) = (to(b, to(a, row)), to(a, to(b, row)));
                    if x == y {
                        continue;
                    }
                    let x = &self.entries[x as usize];
                    let differs = x.symmetric_difference(&self.entries[y as usize]).next();
                    let test = differs.expect("no two rows are alike");
                    let pieces = [self.letters[a], self.letters[b]];
                    let both = sum(&self.rows[row as usize], &pieces);
                    let truth = oracle.is_p(&sum(&both, &self.tests[test]), limits)?;
                    // The row that is wrong was reached by this piece after the other.
                    let second = usize::from(truth != x.contains(test));
                    return Ok(Some(sum(&self.tests[test], &[pieces[second]])));
                }
            }
        }
        Ok(None)
    }
}

fn sum(a: &[u32], b: &[u32]) -> Word {
    let mut word = [a, b].concat();
    word.sort_unstable();
    word
}
