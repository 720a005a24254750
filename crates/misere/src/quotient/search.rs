//! The search for a quotient. Pieces are added one by one, and the quotient is proved after each
//! piece.

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

/// The state of a search for a misère quotient: the quotient of the pieces that have been added so
/// far, with its proof.
///
/// The options of a new piece may have the same set of elements as those of an earlier piece. Then
/// both pieces have the same element. Otherwise the search guesses the monoid under the assumption
/// that no equivalent sums become inequivalent. If this guess fails, sums are distinguished by
/// their behaviour with one copy of the new piece, then with two, and so on. The transition algebra
/// (see [`Closure`]) proves every quotient that is accepted.
#[derive(Debug)]
pub struct Search<F> {
    // Invariant between calls: `closure` proves `monoid` for the pieces in `letters`, and `monoid`
    // is reduced. This means that any two of its elements are distinguished by a third.
    family: F,
    monoid: Monoid,
    closure: Closure,
    /// For each piece, the index of the letter of `closure` that is the transition of the piece.
    letters: Vec<u32>,
    /// For each piece, the length of its longest play.
    lengths: Vec<u64>,
    /// The number of pieces when the monoid last changed, including the piece that changed it.
    stable: u32,
}

/// A repetition of the elements of pieces: pieces n and n + period have the same element for all
/// n >= preperiod. Pieces are numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The index of the piece from which the elements repeat.
    pub preperiod: u32,
    /// The period, as a number of pieces.
    pub period: u32,
}

impl<F: Family> Search<F> {
    /// Creates a search without pieces.
    ///
    /// ```
    /// use grundy_base::{Flow, Limits};
    /// use grundy_misere::quotient::{Family, Search, VisitPieces};
    /// // Piece n is a Nim heap of n counters.
    /// struct Nim;
    /// impl Family for Nim {
    ///     fn pieces(&self) -> Option<u32> { Some(4) }
    ///     fn options(&mut self, heap: u32, visit: VisitPieces<'_>) -> Flow {
    ///         (0..heap).try_for_each(|smaller| visit(&[smaller]))
    ///     }
    /// }
    /// let mut search = Search::new(Nim);
    /// while search.advance(&Limits::default())? {}
    /// assert_eq!(search.monoid().name().as_deref(), Some("T_2"));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
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

    /// Resumes the search from a quotient of the first pieces that was found earlier. `elements`
    /// has the element of each of these pieces. The quotient is proved again. Returns whether the
    /// proof succeeds.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::quotient::{Monoid, Search};
    /// # use grundy_base::Flow;
    /// # use grundy_misere::quotient::{Family, VisitPieces};
    /// # struct Nim;
    /// # impl Family for Nim {
    /// #     fn pieces(&self) -> Option<u32> { Some(4) }
    /// #     fn options(&mut self, heap: u32, visit: VisitPieces<'_>) -> Flow {
    /// #         (0..heap).try_for_each(|smaller| visit(&[smaller]))
    /// #     }
    /// # }
    /// // Pieces 0 to 3 are the Nim heaps 0 to 3.
    /// let mut search = Search::new(Nim);
    /// let monoid = Monoid::new(2, vec![0, 1, 1, 0], [1].into_iter().collect());
    /// // The heap 2 does not have the element of the heap 0.
    /// assert!(!search.resume(monoid.clone(), vec![0, 1, 0], 2, &Limits::default())?);
    /// assert!(search.resume(monoid, vec![0, 1], 2, &Limits::default())?);
    /// assert_eq!(search.pieces(), 2);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached.
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

    /// Returns the family of the pieces.
    #[must_use]
    pub fn family(&self) -> &F {
        &self.family
    }

    /// Returns the family, so that the caller can change it. Pieces may be appended to the family,
    /// but the pieces that the search has already added must stay the same.
    pub fn family_mut(&mut self) -> &mut F {
        &mut self.family
    }

    /// Returns the number of pieces added so far.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::quotient::Search;
    /// # use grundy_base::Flow;
    /// # use grundy_misere::quotient::{Family, VisitPieces};
    /// # struct Nim;
    /// # impl Family for Nim {
    /// #     fn pieces(&self) -> Option<u32> { Some(4) }
    /// #     fn options(&mut self, heap: u32, visit: VisitPieces<'_>) -> Flow {
    /// #         (0..heap).try_for_each(|smaller| visit(&[smaller]))
    /// #     }
    /// # }
    /// // Pieces 0 to 3 are the Nim heaps 0 to 3.
    /// let mut search = Search::new(Nim);
    /// assert_eq!(search.pieces(), 0);
    /// search.advance(&Limits::default())?;
    /// assert_eq!(search.pieces(), 1);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn pieces(&self) -> u32 {
        self.letters.len() as u32
    }

    /// Returns whether all pieces of the family have been added.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::quotient::Search;
    /// # use grundy_base::Flow;
    /// # use grundy_misere::quotient::{Family, VisitPieces};
    /// # struct Nim;
    /// # impl Family for Nim {
    /// #     fn pieces(&self) -> Option<u32> { Some(4) }
    /// #     fn options(&mut self, heap: u32, visit: VisitPieces<'_>) -> Flow {
    /// #         (0..heap).try_for_each(|smaller| visit(&[smaller]))
    /// #     }
    /// # }
    /// // Pieces 0 to 3 are the Nim heaps 0 to 3.
    /// let mut search = Search::new(Nim);
    /// while search.advance(&Limits::default())? {}
    /// assert!(search.is_complete());
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.family.pieces() == Some(self.pieces())
    }

    /// Returns the quotient of the pieces that have been added.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::quotient::Search;
    /// # use grundy_base::Flow;
    /// # use grundy_misere::quotient::{Family, VisitPieces};
    /// # struct Nim;
    /// # impl Family for Nim {
    /// #     fn pieces(&self) -> Option<u32> { Some(4) }
    /// #     fn options(&mut self, heap: u32, visit: VisitPieces<'_>) -> Flow {
    /// #         (0..heap).try_for_each(|smaller| visit(&[smaller]))
    /// #     }
    /// # }
    /// // Pieces 0 to 3 are the Nim heaps 0 to 3.
    /// let mut search = Search::new(Nim);
    /// while search.advance(&Limits::default())? {}
    /// assert_eq!(search.monoid().order(), 6);
    /// assert_eq!(search.monoid().p_portion().count_ones(..), 2);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn monoid(&self) -> &Monoid {
        &self.monoid
    }

    /// Returns the transition algebra that proves the quotient.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::quotient::Search;
    /// # use grundy_base::Flow;
    /// # use grundy_misere::quotient::{Family, VisitPieces};
    /// # struct Nim;
    /// # impl Family for Nim {
    /// #     fn pieces(&self) -> Option<u32> { Some(4) }
    /// #     fn options(&mut self, heap: u32, visit: VisitPieces<'_>) -> Flow {
    /// #         (0..heap).try_for_each(|smaller| visit(&[smaller]))
    /// #     }
    /// # }
    /// // Pieces 0 to 3 are the Nim heaps 0 to 3.
    /// let mut search = Search::new(Nim);
    /// while search.advance(&Limits::default())? {}
    /// // Sums with the same element may have different transitions.
    /// assert!(search.closure().len() > search.monoid().order());
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn closure(&self) -> &Closure {
        &self.closure
    }

    /// Returns the number of pieces when the quotient last changed, including the piece that
    /// changed it.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::quotient::Search;
    /// # use grundy_base::Flow;
    /// # use grundy_misere::quotient::{Family, VisitPieces};
    /// # struct Nim;
    /// # impl Family for Nim {
    /// #     fn pieces(&self) -> Option<u32> { Some(4) }
    /// #     fn options(&mut self, heap: u32, visit: VisitPieces<'_>) -> Flow {
    /// #         (0..heap).try_for_each(|smaller| visit(&[smaller]))
    /// #     }
    /// # }
    /// // Pieces 0 to 3 are the Nim heaps 0 to 3.
    /// let mut search = Search::new(Nim);
    /// while search.advance(&Limits::default())? {}
    /// // The heap 3 has the element of the sum of the heaps 1 and 2.
    /// assert_eq!(search.stable(), 3);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn stable(&self) -> u32 {
        self.stable
    }

    /// Returns the element of a piece in the quotient.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::quotient::Search;
    /// # use grundy_base::Flow;
    /// # use grundy_misere::quotient::{Family, VisitPieces};
    /// # struct Nim;
    /// # impl Family for Nim {
    /// #     fn pieces(&self) -> Option<u32> { Some(4) }
    /// #     fn options(&mut self, heap: u32, visit: VisitPieces<'_>) -> Flow {
    /// #         (0..heap).try_for_each(|smaller| visit(&[smaller]))
    /// #     }
    /// # }
    /// // Pieces 0 to 3 are the Nim heaps 0 to 3.
    /// let mut search = Search::new(Nim);
    /// while search.advance(&Limits::default())? {}
    /// let both = search.monoid().times(search.element(1), search.element(2));
    /// assert_eq!(search.element(3), both);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Panics
    /// If the piece has not been added.
    #[must_use]
    pub fn element(&self, piece: u32) -> u32 {
        let letter = self.letters[piece as usize];
        self.closure.letters()[letter as usize].element
    }

    /// Returns the elements of all pieces that have been added.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::quotient::Search;
    /// # use grundy_base::Flow;
    /// # use grundy_misere::quotient::{Family, VisitPieces};
    /// # struct Nim;
    /// # impl Family for Nim {
    /// #     fn pieces(&self) -> Option<u32> { Some(4) }
    /// #     fn options(&mut self, heap: u32, visit: VisitPieces<'_>) -> Flow {
    /// #         (0..heap).try_for_each(|smaller| visit(&[smaller]))
    /// #     }
    /// # }
    /// // Pieces 0 to 3 are the Nim heaps 0 to 3.
    /// let mut search = Search::new(Nim);
    /// while search.advance(&Limits::default())? {}
    /// let elements = search.elements();
    /// assert_eq!(elements[0], 0);
    /// // The sum of the heaps 1, 2 and 3 is losing.
    /// assert!(search.monoid().is_p(search.monoid().product(elements)));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn elements(&self) -> Vec<u32> {
        (0..self.pieces())
            .map(|piece| self.element(piece))
            .collect()
    }

    /// Returns, for each element of the quotient, a shortest sum that has this element. A sum is a
    /// sorted list of the indices of its pieces.
    ///
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::quotient::Search;
    /// # use grundy_base::Flow;
    /// # use grundy_misere::quotient::{Family, VisitPieces};
    /// # struct Nim;
    /// # impl Family for Nim {
    /// #     fn pieces(&self) -> Option<u32> { Some(4) }
    /// #     fn options(&mut self, heap: u32, visit: VisitPieces<'_>) -> Flow {
    /// #         (0..heap).try_for_each(|smaller| visit(&[smaller]))
    /// #     }
    /// # }
    /// // Pieces 0 to 3 are the Nim heaps 0 to 3.
    /// let mut search = Search::new(Nim);
    /// while search.advance(&Limits::default())? {}
    /// let mut words = search.words();
    /// words.sort_unstable();
    /// assert_eq!(words, [vec![], vec![1], vec![2], vec![2, 2], vec![2, 3], vec![3]]);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    #[must_use]
    pub fn words(&self) -> Vec<Word> {
        Action::of_monoid(&self.monoid, &self.elements(), &self.lengths).words()
    }

    /// Returns the repetition of the elements, if a theorem proves from the pieces so far that the
    /// elements repeat for ever. In this case the quotient is the quotient of all pieces.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::{Flow, Limits};
    /// use grundy_misere::quotient::{Family, Repetition, Search, VisitPieces};
    /// // Piece n is a heap of n counters. A move removes one counter.
    /// struct Heaps;
    /// impl Family for Heaps {
    ///     fn pieces(&self) -> Option<u32> { None }
    ///     fn options(&mut self, heap: u32, visit: VisitPieces<'_>) -> Flow {
    ///         (heap.saturating_sub(1)..heap).try_for_each(|smaller| visit(&[smaller]))
    ///     }
    ///     fn pieces_needed(&self, preperiod: u32, period: u32) -> Option<u64> {
    ///         Some(u64::from(2 * (preperiod + period + 1)))
    ///     }
    /// }
    /// let mut search = Search::new(Heaps);
    /// while search.repetition().is_none() {
    ///     search.advance(&Limits::default())?;
    /// }
    /// assert_eq!(search.repetition(), Some(Repetition { preperiod: 0, period: 2 }));
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Complexity
    /// At most one comparison is made for each pair of pieces. If the elements do not repeat, one
    /// comparison refutes most periods.
    #[must_use]
    pub fn repetition(&self) -> Option<Repetition> {
        let (elements, round) = (self.elements(), self.family.pieces_per_round());
        let count = self.pieces();
        (round..=count / 2)
            .step_by(round as usize)
            .find_map(|period| {
                // The pieces are compared from the last one backwards, so the first difference
                // found gives the least preperiod. The least period is tried first, so both numbers
                // are the least possible.
                let repeats = |n: u32| elements[n as usize] == elements[(n + period) as usize];
                let preperiod = (0..count - period).rev().find(|&n| !repeats(n));
                let preperiod = preperiod.map_or(0, |n| n + 1);
                let needed = self.family.pieces_needed(preperiod, period)?;
                (u64::from(count) >= needed).then_some(Repetition { preperiod, period })
            })
    }

    /// Adds the next piece of the family. Returns `false` if the family has no further piece.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::Limits;
    /// use grundy_misere::quotient::Search;
    /// # use grundy_base::Flow;
    /// # use grundy_misere::quotient::{Family, VisitPieces};
    /// # struct Nim;
    /// # impl Family for Nim {
    /// #     fn pieces(&self) -> Option<u32> { Some(4) }
    /// #     fn options(&mut self, heap: u32, visit: VisitPieces<'_>) -> Flow {
    /// #         (0..heap).try_for_each(|smaller| visit(&[smaller]))
    /// #     }
    /// # }
    /// // Pieces 0 to 3 are the Nim heaps 0 to 3.
    /// let mut search = Search::new(Nim);
    /// // The quotients of the heaps up to 0, 1, 2 and 3.
    /// let mut orders = Vec::new();
    /// while search.advance(&Limits::default())? {
    ///     orders.push(search.monoid().order());
    /// }
    /// assert_eq!(orders, [1, 2, 6, 6]);
    /// # Ok::<(), grundy_base::Stop>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached. In this case the search is not changed.
    pub fn advance(&mut self, limits: &Limits<'_>) -> Result<bool, Stop> {
        if self.is_complete() {
            return Ok(false);
        }
        let next = self.pieces();
        let (options, length) = options_of(&mut self.family, next, &self.lengths)?;
        let states = images(&options, &self.monoid, &self.elements());
        let letters = self.closure.letters();
        // If the options have the set of elements of a known transition, the piece can have the
        // same element. Then the transition algebra does not change, and nothing remains to be
        // proved.
        if let Some(known) = letters.iter().position(|letter| letter.options == states) {
            self.letters.push(known as u32);
            self.lengths.push(length);
            return Ok(true);
        }
        self.lengths.push(length);
        let result = self.add_piece(&options, &states, limits);
        if result.is_err() {
            self.lengths.pop();
        }
        result.map(|()| true)
    }

    /// Finds the element of a new piece. If necessary, changes the monoid.
    fn add_piece(
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
            // The monoid has not grown. The states of the base come first, and no two are
            // equivalent. So each element has exactly one state of the base. The state with the
            // element of the new piece is the element of this piece in the old numbering. The old
            // transitions stay valid.
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
        // Otherwise the elements change, and the closure is computed from the start.
        let draft = drafted(monoid, &element, &extended, &proved.elements);
        if self.accept(&draft, limits)? {
            return Ok(());
        }
        // The guess was wrong: the new piece distinguishes some sums that were equivalent before.
        let (base, columns, states) =
            self.refine_by_copies(base, &proved, &states, options, limits)?;
        let extended = extend(&base, &states, length, limits)?;
        let (monoid, element) = extended.reduced(limits)?;
        let draft = drafted(monoid, &element, &extended, &columns);
        let accepted = self.accept(&draft, limits)?;
        assert!(accepted, "each number of copies was right");
        Ok(())
    }

    /// Returns an action whose states refine the equivalence of the sums of the earlier pieces. It
    /// makes every distinction that some number of copies of the new piece makes. Also returns the
    /// index of the column of each earlier piece, and the states of the options of the new piece.
    fn refine_by_copies(
        &mut self,
        mut base: Action,
        proved: &Draft,
        states: &[u32],
        options: &[Word],
        limits: &Limits<'_>,
    ) -> Result<(Action, Vec<u32>, Vec<u32>), Stop> {
        let (mut columns, mut states) = (proved.elements.clone(), states.to_vec());
        // Each round either corrects the shortest wrong sum or adds a copy (docs/theory.md). If the
        // quotient is infinite, only the limits end the loop.
        let mut copies = 1;
        loop {
            let mut guess = Guess::new(&base, &columns, &states, copies, limits)?;
            let (mut views, mut of_pieces, representatives) =
                self.views(&guess, options, limits)?;
            if let Some(right) = views.wrong
                && let Some(smaller) = guess.smallest(&representatives, right, limits)?
            {
                let (others, of_others, _) = self.views(&smaller, options, limits)?;
                // The smaller guess must be right about at least as many sums as the guess.
                // Otherwise the rounds could repeat in a cycle.
                if others.wrong.is_none_or(|length| length >= right) {
                    (guess, views, of_pieces) = (smaller, others, of_others);
                }
            }
            base = views.action;
            columns = of_pieces;
            states = self.complete(&mut base, &columns, options)?;
            if views.wrong.is_none() {
                if guess.repeats_row() {
                    return Ok((base, columns, states));
                }
                copies += 1;
            }
        }
    }

    /// Returns the view in `guess` of each sum of the pieces that were found so far. Also returns
    /// the column of each piece, and the representative of each column.
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

    /// Returns the action of the current monoid. Its letters are the transitions of the pieces.
    fn base(&self) -> Action {
        let letters = self.closure.letters();
        // Several pieces may share a letter. Its length is the least length of these pieces.
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

    /// Adds the earlier pieces to the list `letters` of an action. Returns the states of the
    /// options of the new piece. The argument `new` has these options as sums.
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
        // Pieces with the same column and the same options become one letter, with the least of
        // their lengths.
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

    /// Replaces the quotient of the search by the quotient in `draft`, if the transition algebra of
    /// the draft proves it. Returns whether the proof succeeds.
    fn accept(&mut self, draft: &Draft, limits: &Limits<'_>) -> Result<bool, Stop> {
        let (representatives, letters) = representatives(&mut self.family, draft, &self.lengths)?;
        let mut closure = Closure::new(&draft.monoid);
        for representative in representatives {
            if !closure.grow(&draft.monoid, representative.letter, limits)? {
                return Ok(false);
            }
        }
        // Nothing is changed until the proof is complete. So a draft that is refuted leaves the
        // search unchanged.
        self.closure = closure;
        self.letters = letters;
        self.monoid = draft.monoid.clone();
        self.stable = self.pieces();
        Ok(true)
    }
}

/// Returns the draft for an action that was extended by a new piece and then reduced. The pieces so
/// far have the columns `columns`, and the new piece has the last column.
fn drafted(monoid: Monoid, element: &[u32], extended: &Action, columns: &[u32]) -> Draft {
    let new = extended.columns.len() as u32 - 1;
    let columns = columns.iter().chain([&new]);
    let elements = columns.map(|&column| element[extended.columns[column as usize][0] as usize]);
    Draft {
        elements: elements.collect(),
        monoid,
    }
}
