//! The search: one piece after the other, each step proved before the next.

use std::ops::ControlFlow;

use fixedbitset::FixedBitSet;
use grundy_base::limits::{Limits, Stop, ended};
use rustc_hash::FxHashMap;

use super::Word;
use super::action::{self, Action};
use super::closure::{Closure, Letter};
use super::counted::Counters;
use super::extension::extend;
use super::failure::{Failure, Stand, first_failure};
use super::family::Family;
use super::monoid::Monoid;
use super::oracle::{Draft, Oracle};
use super::table::{Split, Table, split};

/// The quotient of the first pieces of a family.
///
/// A new piece whose options have the elements that those of an earlier one have has its element. Else the monoid that follows if sums
/// need not be told apart further is guessed, then that which follows if some pieces are counted further, and at last it is learned;
/// whatever it is, the transition algebra proves it.
#[derive(Debug)]
pub struct Search<F> {
    family: F,
    monoid: Monoid,
    closure: Closure,
    /// The transition of each piece among the letters of the closure.
    letters: Vec<u32>,
    /// The longest play of each piece.
    lengths: Vec<u64>,
    /// The number of pieces when the monoid became what it is.
    stable: u32,
    /// Who wins sums, as far as that was found by play.
    played: FxHashMap<Word, bool>,
}

/// Elements that repeat: those of piece n and of piece n + period are the same from n = preperiod on, both counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The first piece from which on they do.
    pub preperiod: u32,
    /// After how many pieces.
    pub period: u32,
}

impl<F: Family> Search<F> {
    /// The quotient of no pieces.
    #[must_use]
    pub fn new(family: F) -> Self {
        let monoid = Monoid::trivial();
        Self {
            family,
            closure: Closure::new(&monoid),
            monoid,
            letters: Vec::new(),
            lengths: Vec::new(),
            stable: 0,
            played: FxHashMap::default(),
        }
    }

    /// Goes on from a quotient that was found before: the elements of the first pieces. Answers whether it is right.
    ///
    /// # Errors
    /// The limits.
    pub fn resume(
        &mut self,
        monoid: Monoid,
        elements: Vec<u32>,
        stable: u32,
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        self.letters.clear();
        self.lengths.clear();
        for piece in 0..elements.len() as u32 {
            let (_, length) = self.options(piece)?;
            self.lengths.push(length);
        }
        let resumed = self.accept(&Draft { monoid, elements }, limits)?;
        self.stable = stable;
        Ok(resumed)
    }

    /// The family.
    #[must_use]
    pub fn family(&self) -> &F {
        &self.family
    }

    /// The family, which may grow as long as its first pieces stay what they are.
    pub fn family_mut(&mut self) -> &mut F {
        &mut self.family
    }

    /// How many pieces have been taken in.
    #[must_use]
    pub fn pieces(&self) -> u32 {
        self.letters.len() as u32
    }

    /// Whether all pieces have been taken in.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.family.pieces() == Some(self.pieces())
    }

    /// The quotient of the pieces so far.
    #[must_use]
    pub fn monoid(&self) -> &Monoid {
        &self.monoid
    }

    /// What proves it.
    #[must_use]
    pub fn closure(&self) -> &Closure {
        &self.closure
    }

    /// The number of pieces from which on the quotient has been what it is.
    #[must_use]
    pub fn stable(&self) -> u32 {
        self.stable
    }

    /// The element of a piece.
    ///
    /// # Panics
    /// Where the piece has not been taken in.
    #[must_use]
    pub fn element(&self, piece: u32) -> u32 {
        let letter = self.letters[piece as usize];
        self.closure.letters()[letter as usize].element
    }

    /// The elements of all pieces so far.
    #[must_use]
    pub fn elements(&self) -> Vec<u32> {
        (0..self.pieces())
            .map(|piece| self.element(piece))
            .collect()
    }

    /// The shortest sum of each element, as pieces in order.
    #[must_use]
    pub fn words(&self) -> Vec<Word> {
        Action::of_monoid(&self.monoid, &self.elements(), &self.lengths).words()
    }

    /// The period of the elements, where so many pieces show it that a theorem says that it holds for ever: the quotient is then that of
    /// all pieces.
    ///
    /// # Complexity
    /// A comparison for each pair of pieces at most; about one for each period tried where the elements do not repeat.
    #[must_use]
    pub fn repetition(&self) -> Option<Repetition> {
        let (elements, round) = (self.elements(), self.family.round());
        let count = self.pieces();
        (round..=count / 2)
            .step_by(round as usize)
            .find_map(|period| {
                let repeats = |n: u32| elements[n as usize] == elements[(n + period) as usize];
                let preperiod = (0..count - period).rev().find(|&n| !repeats(n));
                let preperiod = preperiod.map_or(0, |n| n + 1);
                let enough = self.family.enough(preperiod, period)?;
                (u64::from(count) >= enough).then_some(Repetition { preperiod, period })
            })
    }

    /// Takes in the next piece, if there is one.
    ///
    /// # Errors
    /// The limits; everything is as it was then.
    pub fn advance(&mut self, limits: &Limits<'_>) -> Result<bool, Stop> {
        if self.is_complete() {
            return Ok(false);
        }
        let (options, length) = self.options(self.pieces())?;
        let states = images(&options, &self.monoid, &self.elements());
        let letters = self.closure.letters();
        if let Some(known) = letters.iter().position(|letter| letter.options == states) {
            self.letters.push(known as u32);
            self.lengths.push(length);
            return Ok(true);
        }
        self.lengths.push(length);
        let taken = self.take(&options, &states, limits);
        if taken.is_err() {
            self.lengths.pop();
        }
        taken.map(|()| true)
    }

    /// Finds the element of a new piece, and the monoid that it needs.
    fn take(
        &mut self,
        options: &[Word],
        states: &FixedBitSet,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let proved = Draft {
            monoid: self.monoid.clone(),
            elements: self.elements(),
        };
        let length = self.lengths[proved.elements.len()];
        let base = self.base();
        let states: Vec<u32> = states.ones().map(|state| state as u32).collect();
        let extended = extend(&base, &states, length, limits)?;
        let (monoid, element) = extended.reduced(limits)?;
        let new = extended.columns.len() - 1;
        if monoid.order() == proved.monoid.order() {
            // The same monoid: the states keep their numbers, and what was proved stays so.
            let of_new = element[extended.columns[new][0] as usize];
            let same = element.iter().position(|&element| element == of_new);
            let letter = Letter {
                element: same.expect("it is the element of some state") as u32,
                options: images(options, &self.monoid, &proved.elements),
            };
            if self.closure.grow(&self.monoid, letter, limits)? {
                self.letters.push(self.closure.letters().len() as u32 - 1);
                return Ok(());
            }
        }
        let columns = |of_pieces: &[u32]| {
            let columns = of_pieces.iter().copied().chain([new as u32]);
            columns.collect::<Vec<u32>>()
        };
        let mut draft = drafted(monoid, &element, &extended, &columns(&proved.elements));
        let mut counters = Counters::default();
        loop {
            let stands = self.stands(&draft)?;
            let Some(failure) = first_failure(&draft.monoid, &stands, limits)? else {
                break;
            };
            let split = self.split(&failure, &draft, &proved, limits)?;
            let piece = failure.word[split.place];
            let times = failure.word[..=split.place].iter();
            let times = times.filter(|&&other| other == piece).count() as u32;
            let old = (piece as usize) < proved.elements.len();
            let words = self.words();
            let counted = if old && counters.count(piece, times) {
                counters.action(&proved, &words, limits)?
            } else {
                None
            };
            let Some((mut counted, of_pieces)) = counted else {
                draft = self.learn(draft, failure, &split, &proved, limits)?;
                break;
            };
            let states = self.complete(&mut counted, &of_pieces, options)?;
            let extended = extend(&counted, &states, length, limits)?;
            let (monoid, element) = extended.reduced(limits)?;
            let new = extended.columns.len() as u32 - 1;
            let columns: Vec<u32> = of_pieces.iter().copied().chain([new]).collect();
            draft = drafted(monoid, &element, &extended, &columns);
        }
        let accepted = self.accept(&draft, limits)?;
        assert!(accepted, "no sum was found about which the monoid is wrong");
        Ok(())
    }

    /// Learns the monoid from the failure of a draft.
    fn learn(
        &mut self,
        mut draft: Draft,
        mut failure: Failure,
        split: &Split,
        proved: &Draft,
        limits: &Limits<'_>,
    ) -> Result<Draft, Stop> {
        // Pieces of one transition stand for each other until they are told apart.
        let mut stands = vec![u32::MAX; self.closure.letters().len()];
        for (piece, &letter) in (0u32..).zip(&self.letters) {
            let stand = &mut stands[letter as usize];
            if *stand == u32::MAX || self.lengths[piece as usize] < self.lengths[*stand as usize] {
                *stand = piece;
            }
        }
        let new = proved.elements.len() as u32;
        let mut table = Table::new(stands.iter().copied().chain([new]).collect());
        table.learn(&failure.word, split);
        loop {
            let mut oracle = Oracle {
                family: &mut self.family,
                lengths: &self.lengths,
                proved,
                guess: (&draft, failure.length),
                played: &mut self.played,
            };
            let action = table.fill(&mut oracle, limits)?;
            let (monoid, element) = action.reduced(limits)?;
            let of_piece = |piece: u32| {
                let stand = self.letters.get(piece as usize);
                let stand = stand.map_or(piece, |&letter| stands[letter as usize]);
                let column = table.column(piece).or_else(|| table.column(stand));
                let column = &action.columns[column.expect("every transition has a column")];
                element[column[0] as usize]
            };
            let elements = (0..=new).map(of_piece).collect();
            let mut words = vec![Word::new(); monoid.order()];
            for (row, &element) in table.rows().iter().zip(&element) {
                words[element as usize].clone_from(row);
            }
            draft = Draft { monoid, elements };
            let stands = self.stands(&draft)?;
            let Some(next) = first_failure(&draft.monoid, &stands, limits)? else {
                return Ok(draft);
            };
            failure = next;
            let mut oracle = Oracle {
                family: &mut self.family,
                lengths: &self.lengths,
                proved,
                guess: (&draft, failure.length),
                played: &mut self.played,
            };
            let split = self::split(&failure.word, &draft, &words, &mut oracle, limits)?;
            table.learn(&failure.word, &split);
        }
    }

    /// Where a draft takes two sums for one.
    fn split(
        &mut self,
        failure: &Failure,
        draft: &Draft,
        proved: &Draft,
        limits: &Limits<'_>,
    ) -> Result<Split, Stop> {
        let words = Action::of_monoid(&draft.monoid, &draft.elements, &self.lengths).words();
        let mut oracle = Oracle {
            family: &mut self.family,
            lengths: &self.lengths,
            proved,
            guess: (draft, failure.length),
            played: &mut self.played,
        };
        split(&failure.word, draft, &words, &mut oracle, limits)
    }

    /// The options of a piece, each a sum in order, and its longest play.
    fn options(&mut self, piece: u32) -> Result<(Vec<Word>, u64), Stop> {
        let mut options = Vec::new();
        let mut length = 0;
        ended(self.family.options(piece, &mut |left| {
            let lengths = left.iter().map(|&piece| self.lengths[piece as usize]);
            length = length.max(1 + lengths.sum::<u64>());
            options.push(left.to_vec());
            ControlFlow::Continue(())
        }))?;
        Ok((options, length))
    }

    /// The monoid so far as what its elements do, with the transitions of the pieces.
    fn base(&self) -> Action {
        let letters = self.closure.letters();
        let mut lengths = vec![u64::MAX; letters.len()];
        for (&letter, &length) in self.letters.iter().zip(&self.lengths) {
            lengths[letter as usize] = lengths[letter as usize].min(length);
        }
        let elements: Vec<u32> = letters.iter().map(|letter| letter.element).collect();
        let mut base = Action::of_monoid(&self.monoid, &elements, &lengths);
        for (letter, known) in base.letters.iter_mut().zip(letters) {
            letter.options = known.options.ones().map(|x| x as u32).collect();
        }
        base
    }

    /// Gives an action the pieces so far; the states of the options of a new one.
    fn complete(
        &mut self,
        action: &mut Action,
        columns: &[u32],
        new: &[Word],
    ) -> Result<Vec<u32>, Stop> {
        let states = |action: &Action, words: &[Word]| {
            let state = |word: &Word| {
                let columns = word.iter().map(|&piece| columns[piece as usize]);
                columns.fold(0, |state, column| {
                    action.columns[column as usize][state as usize]
                })
            };
            let mut states: Vec<u32> = words.iter().map(state).collect();
            states.sort_unstable();
            states.dedup();
            states
        };
        let mut seen: FxHashMap<(u32, Vec<u32>), usize> = FxHashMap::default();
        for (piece, &column) in (0u32..).zip(columns) {
            let (options, length) = self.options(piece)?;
            let options = states(action, &options);
            let count = action.letters.len();
            let number = *seen.entry((column, options.clone())).or_insert(count);
            if number == count {
                action.letters.push(action::Letter {
                    column,
                    options,
                    length,
                });
            }
            let letter = &mut action.letters[number];
            letter.length = letter.length.min(length);
        }
        Ok(states(action, new))
    }

    /// The transitions of all pieces of a draft, each with the shortest piece that has it.
    fn stands(&mut self, draft: &Draft) -> Result<Vec<Stand>, Stop> {
        Ok(self.transitions(draft)?.0)
    }

    /// The same, and the number of that of each piece.
    fn transitions(&mut self, draft: &Draft) -> Result<(Vec<Stand>, Vec<u32>), Stop> {
        let mut numbers: FxHashMap<Letter, u32> = FxHashMap::default();
        let mut stands: Vec<Stand> = Vec::new();
        let mut of_pieces = Vec::new();
        for (piece, &element) in (0u32..).zip(&draft.elements) {
            let (options, length) = self.options(piece)?;
            let options = images(&options, &draft.monoid, &draft.elements);
            let letter = Letter { element, options };
            let count = stands.len() as u32;
            let number = *numbers.entry(letter.clone()).or_insert(count);
            of_pieces.push(number);
            let stand = Stand {
                letter,
                piece,
                length,
            };
            if number == count {
                stands.push(stand);
            } else if length < stands[number as usize].length {
                stands[number as usize] = stand;
            }
        }
        Ok((stands, of_pieces))
    }

    /// Takes a draft for the quotient if its transition algebra proves it.
    fn accept(&mut self, draft: &Draft, limits: &Limits<'_>) -> Result<bool, Stop> {
        let (stands, letters) = self.transitions(draft)?;
        let mut closure = Closure::new(&draft.monoid);
        for stand in stands {
            if !closure.grow(&draft.monoid, stand.letter, limits)? {
                return Ok(false);
            }
        }
        self.closure = closure;
        self.letters = letters;
        self.monoid = draft.monoid.clone();
        self.stable = self.pieces();
        Ok(true)
    }
}

/// What an extended and reduced action says of the pieces.
fn drafted(monoid: Monoid, element: &[u32], extended: &Action, columns: &[u32]) -> Draft {
    let columns = columns.iter();
    let elements = columns.map(|&column| element[extended.columns[column as usize][0] as usize]);
    Draft {
        elements: elements.collect(),
        monoid,
    }
}

/// The elements of sums.
fn images(words: &[Word], monoid: &Monoid, elements: &[u32]) -> FixedBitSet {
    let mut images = FixedBitSet::with_capacity(monoid.order());
    for word in words {
        let elements = word.iter().map(|&piece| elements[piece as usize]);
        images.insert(monoid.product(elements) as usize);
    }
    images
}
