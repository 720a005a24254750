//! Learning of a quotient from outcomes alone. This second algorithm is independent of the search,
//! so each can check the other.
//!
//! The syntactic monoid of the losing sums is learned like an automaton, from queries and
//! counterexamples (D. Angluin, Learning regular sets from queries and counterexamples, 1987).
//! Counterexamples are processed as in R. L. Rivest, R. E. Schapire, Inference of finite automata
//! using homing sequences, 1993. The results of the queries are stored in an observation table.
//! Each row and each column of the table stands for a sum of pieces. The bit in a row and a column
//! is set if these two sums together are losing.

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

/// Returns the quotient of the first `pieces` pieces of a family, and the element of each piece.
///
/// # Examples
/// ```
/// use grundy_base::{Flow, Limits};
/// use grundy_misere::quotient::{Family, VisitPieces, learned};
/// // Piece n is a Nim heap of n counters.
/// struct Nim;
/// impl Family for Nim {
///     fn pieces(&self) -> Option<u32> { Some(4) }
///     fn options(&mut self, heap: u32, visit: VisitPieces<'_>) -> Flow {
///         (0..heap).try_for_each(|smaller| visit(&[smaller]))
///     }
/// }
/// let (monoid, elements) = learned(&mut Nim, 4, &Limits::default())?;
/// assert_eq!(monoid.name().as_deref(), Some("T_2"));
/// assert_eq!(elements[3], monoid.times(elements[1], elements[2]));
/// # Ok::<(), grundy_base::Stop>(())
/// ```
///
/// # Errors
/// The limit that was reached.
///
/// # Complexity
/// The algorithm is only suited for small quotients. It needs the outcome of r + h + t for all
/// representatives r of elements, all pieces h, and all sums t that distinguish elements. For short
/// sums, the outcome comes from the current guess of the quotient. For all other sums, it is found
/// by trying all moves.
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
        // The draft is right about all sums shorter than the counterexample. So the oracle uses the
        // draft for these, and plays only longer sums.
        let Some(failure) = first_failure(&draft.monoid, &representatives, limits)? else {
            return Ok((draft.monoid, draft.elements));
        };
        let mut oracle = Oracle {
            family: &mut *family,
            lengths: &lengths,
            guess: (&draft, failure.length),
            played: &mut played,
        };
        let index = split(&failure.word, &draft, &words, &mut oracle, limits)?;
        table.learn(&failure.word, index);
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

/// An observation table as in Angluin's algorithm.
#[derive(Debug)]
struct Table {
    /// The indices of the pieces. Each piece is added to every row.
    letters: Vec<u32>,
    /// The sums that represent the states. No two rows have equal entries.
    rows: Vec<Word>,
    /// The sums that distinguish rows. The first is the empty sum, so bit 0 of each set in
    /// `entries` states whether the row itself is losing.
    tests: Vec<Word>,
    /// For each row, the set of tests such that the row plus the test is losing.
    entries: Vec<FixedBitSet>,
}

/// Returns the index of a piece in the counterexample `failure`, with the following property. The
/// outcome changes if the prefix that ends with this piece is replaced by the sum in `words` that
/// represents its element. So the draft, a guessed quotient, identifies two sums that must be
/// distinguished. One is this representative. The other is the piece plus the representative of the
/// next shorter prefix.
///
/// Prefixes of increasing length are tried. The first prefix whose replacement changes the outcome
/// is chosen.
fn split<F: Family>(
    failure: &Word,
    draft: &Draft,
    words: &[Word],
    oracle: &mut Oracle<'_, F>,
    limits: &Limits<'_>,
) -> Result<usize, Stop> {
    let truth = oracle.is_p(failure, limits)?;
    // Replacing the empty prefix changes nothing. Replacing the whole sum gives the wrong outcome
    // of the draft. So the outcome changes at some prefix in between.
    let mut element = 0;
    for (index, &piece) in failure.iter().enumerate() {
        element = (draft.monoid).times(element, draft.elements[piece as usize]);
        let replaced = sum(&words[element as usize], &failure[index + 1..]);
        if oracle.is_p(&replaced, limits)? != truth {
            return Ok(index);
        }
    }
    unreachable!("the last word has the element of the sum, which is wrong about it");
}

impl Table {
    /// Returns a table whose only row and only test are the empty sum.
    fn new(pieces: u32) -> Self {
        Self {
            letters: (0..pieces).collect(),
            rows: vec![Word::new()],
            tests: vec![Word::new()],
            entries: Vec::new(),
        }
    }

    /// Learns from a counterexample: adds the sum of the pieces after `index`, and all suffixes of
    /// this sum, to the tests.
    fn learn(&mut self, failure: &Word, index: usize) {
        // As in Angluin's algorithm, the tests are closed under suffixes. Then the hypothesis
        // agrees with every entry of the table.
        let rest = &failure[index + 1..];
        for from in 0..=rest.len() {
            self.add_test(rest[from..].to_vec());
        }
    }

    /// Adds a test if it is new.
    fn add_test(&mut self, test: Word) {
        if !self.tests.contains(&test) {
            self.tests.push(test);
        }
    }

    /// Returns the set of tests such that `word` plus the test is losing.
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

    /// Fills the table until each row plus a piece is equivalent to a row, and all pieces commute.
    /// Returns the action that the table defines.
    fn fill<F: Family>(
        &mut self,
        oracle: &mut Oracle<'_, F>,
        limits: &Limits<'_>,
    ) -> Result<Action, Stop> {
        loop {
            let after = self.close(oracle, limits)?;
            let Some(test) = self.noncommuting_test(&after, oracle, limits)? else {
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
            self.add_test(test);
        }
    }

    /// Adds rows until each row plus a piece is equivalent to some row. Returns the index of that
    /// row, for each piece and each row.
    fn close<F: Family>(
        &mut self,
        oracle: &mut Oracle<'_, F>,
        limits: &Limits<'_>,
    ) -> Result<Vec<Vec<u32>>, Stop> {
        let mut numbers: FxHashMap<FixedBitSet, u32> = FxHashMap::default();
        let mut pending = std::mem::take(&mut self.rows).into_iter();
        self.entries.clear();
        let mut after = vec![Vec::new(); self.letters.len()];
        let mut next = 0;
        // Existing rows come first and keep their order, since row 0 must be the empty sum. New
        // tests can only distinguish more rows, so no existing row is lost.
        for word in pending.by_ref() {
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

    /// Returns the index of the row that is equivalent to a sum. If there is no such row, the sum
    /// becomes a new row.
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

    /// Returns a new test if two pieces do not commute on some row. The test distinguishes the row
    /// plus one of the pieces from the row that represents this sum. Returns `None` if all pieces
    /// commute.
    fn noncommuting_test<F: Family>(
        &self,
        after: &[Vec<u32>],
        oracle: &mut Oracle<'_, F>,
        limits: &Limits<'_>,
    ) -> Result<Option<Word>, Stop> {
        let to = |letter: usize, row: u32| after[letter][row as usize];
        for row in 0..self.rows.len() as u32 {
            for a in 0..self.letters.len() {
                for b in a + 1..self.letters.len() {
                    // The pieces must commute. In x, piece a is added before piece b, and in y, b
                    // before a.
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
                    // The wrong one of the two rows was reached by adding this piece second. So
                    // this piece plus the test distinguishes the row after the first piece from the
                    // sum that the row represents.
                    let second = usize::from(truth != x.contains(test));
                    return Ok(Some(sum(&self.tests[test], &[pieces[second]])));
                }
            }
        }
        Ok(None)
    }
}

/// Returns the sum of two sums, as a sorted list.
fn sum(a: &[u32], b: &[u32]) -> Word {
    let mut word = [a, b].concat();
    word.sort_unstable();
    word
}
