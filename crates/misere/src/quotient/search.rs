//! The search: one piece after the other, each step proved before the next.

use fixedbitset::FixedBitSet;
use grundy_base::limits::{Limits, Stop};
use rustc_hash::FxHashMap;

use super::Word;
use super::action::{self, Action};
use super::closure::{Closure, Letter};
use super::extension::extend;
use super::family::Family;
use super::levels::{Guess, Views};
use super::monoid::{Draft, Monoid};
use super::representatives::{Representative, images, options_of, representatives};

/// The quotient of the first pieces of a family.
///
/// A new piece whose options have the elements that those of an earlier one have has its element.
/// Else the monoid that follows if sums need not be told apart further is guessed, and where that
/// is wrong, sums are told apart by what they do beside one copy of the new piece, two, and so on;
/// whatever comes of it, the transition algebra proves it.
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
}

/// Elements that repeat: those of piece n and of piece n + period are the same from n = preperiod
/// on, both counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The first piece from which on they do.
    pub preperiod: u32,
    /// After how many pieces.
    pub period: u32,
}

impl<F: Family> Search<F> {
    /// Returns the quotient of no pieces.
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
        }
    }

    /// Goes on from a quotient that was found before: the elements of the first pieces. Answers
    /// whether it is right.
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
            let (_, length) = options_of(&mut self.family, piece, &self.lengths)?;
            self.lengths.push(length);
        }
        let resumed = self.accept(&Draft { monoid, elements }, limits)?;
        self.stable = stable;
        Ok(resumed)
    }

    /// Returns the family.
    #[must_use]
    pub fn family(&self) -> &F {
        &self.family
    }

    /// Returns the family, which may grow as long as its first pieces stay what they are.
    pub fn family_mut(&mut self) -> &mut F {
        &mut self.family
    }

    /// How many pieces have been taken in.
    #[must_use]
    pub fn pieces(&self) -> u32 {
        self.letters.len() as u32
    }

    /// Returns whether all pieces have been taken in.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.family.pieces() == Some(self.pieces())
    }

    /// Returns the quotient of the pieces so far.
    #[must_use]
    pub fn monoid(&self) -> &Monoid {
        &self.monoid
    }

    /// What proves it.
    #[must_use]
    pub fn closure(&self) -> &Closure {
        &self.closure
    }

    /// Returns the number of pieces from which on the quotient has been what it is.
    #[must_use]
    pub fn stable(&self) -> u32 {
        self.stable
    }

    /// Returns the element of a piece.
    ///
    /// # Panics
    /// Where the piece has not been taken in.
    #[must_use]
    pub fn element(&self, piece: u32) -> u32 {
        let letter = self.letters[piece as usize];
        self.closure.letters()[letter as usize].element
    }

    /// Returns the elements of all pieces so far.
    #[must_use]
    pub fn elements(&self) -> Vec<u32> {
        (0..self.pieces())
            .map(|piece| self.element(piece))
            .collect()
    }

    /// Returns the shortest sum of each element, as pieces in order.
    #[must_use]
    pub fn words(&self) -> Vec<Word> {
        Action::of_monoid(&self.monoid, &self.elements(), &self.lengths).words()
    }

    /// Returns the period of the elements, where so many pieces show it that a theorem says that it
    /// holds for ever: the quotient is then that of all pieces.
    ///
    /// # Complexity
    /// A comparison for each pair of pieces at most; about one for each period tried where the
    /// elements do not repeat.
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
        let next = self.pieces();
        let (options, length) = options_of(&mut self.family, next, &self.lengths)?;
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
        if monoid.order() == proved.monoid.order() {
            // The same monoid: the states keep their numbers, and what was proved stays so.
            let new = &extended.columns[extended.columns.len() - 1];
            let of_new = element[new[0] as usize];
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
        let draft = drafted(monoid, &element, &extended, &proved.elements);
        if self.accept(&draft, limits)? {
            return Ok(());
        }
        let (base, columns, states) = self.told_apart(base, &proved, &states, options, limits)?;
        let extended = extend(&base, &states, length, limits)?;
        let (monoid, element) = extended.reduced(limits)?;
        let draft = drafted(monoid, &element, &extended, &columns);
        let accepted = self.accept(&draft, limits)?;
        assert!(accepted, "each number of copies was right");
        Ok(())
    }

    /// Returns a picture of the sums so far in which whatever any number of copies of the new piece
    /// tells apart is apart: a column for each piece, and the states of the options of the new one.
    fn told_apart(
        &mut self,
        mut base: Action,
        proved: &Draft,
        states: &[u32],
        options: &[Word],
        limits: &Limits<'_>,
    ) -> Result<(Action, Vec<u32>, Vec<u32>), Stop> {
        let (mut columns, mut states) = (proved.elements.clone(), states.to_vec());
        let mut copies = 1;
        loop {
            let mut guess = Guess::new(&base, &columns, &states, copies, limits)?;
            let (mut views, mut of_pieces, representatives) =
                self.views(&guess, options, limits)?;
            if let Some(right) = views.wrong
                && let Some(smaller) = guess.smallest(&representatives, right, limits)?
            {
                let (others, of_others, _) = self.views(&smaller, options, limits)?;
                if others.wrong.is_none_or(|length| length >= right) {
                    (guess, views, of_pieces) = (smaller, others, of_others);
                }
            }
            base = views.action;
            columns = of_pieces;
            states = self.complete(&mut base, &columns, options)?;
            if views.wrong.is_none() {
                if guess.comes_round() {
                    return Ok((base, columns, states));
                }
                copies += 1;
            }
        }
    }

    /// Returns the views of the sums so far, the column of each piece, and the representatives that
    /// the columns are of.
    fn views(
        &mut self,
        guess: &Guess,
        options: &[Word],
        limits: &Limits<'_>,
    ) -> Result<(Views, Vec<u32>, Vec<Representative>), Stop> {
        let (representatives, of_pieces) =
            representatives(&mut self.family, &guess.draft, &self.lengths)?;
        let options = images(options, &guess.draft.monoid, &guess.draft.elements);
        let views = guess.views(&representatives, &options, limits)?;
        Ok((views, of_pieces, representatives))
    }

    /// Returns the monoid so far as what its elements do, with the transitions of the pieces.
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
            let (options, length) = options_of(&mut self.family, piece, &self.lengths)?;
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

    /// Takes a draft for the quotient if its transition algebra proves it.
    fn accept(&mut self, draft: &Draft, limits: &Limits<'_>) -> Result<bool, Stop> {
        let (representatives, letters) = representatives(&mut self.family, draft, &self.lengths)?;
        let mut closure = Closure::new(&draft.monoid);
        for representative in representatives {
            if !closure.grow(&draft.monoid, representative.letter, limits)? {
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

/// What an extended and reduced action says of the pieces: those so far have these columns, the new
/// one the last.
fn drafted(monoid: Monoid, element: &[u32], extended: &Action, columns: &[u32]) -> Draft {
    let new = extended.columns.len() as u32 - 1;
    let columns = columns.iter().chain([&new]);
    let elements = columns.map(|&column| element[extended.columns[column as usize][0] as usize]);
    Draft {
        elements: elements.collect(),
        monoid,
    }
}
