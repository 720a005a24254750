//! The positions of a game graph. Each part of a position, such as a heap, has a number. A position
//! is stored as a list of these numbers.

use std::sync::Arc;

use crate::position::{AnyTerm, Position};
use crate::store::option_cache::{OptionCache, list};
use crate::store::{Store, lists};
use grundy_base::limits::{Limits, Stop};
use grundy_base::player::Player;
use grundy_graphs::graph::Lists;

/// The positions found from a start position, numbered from 0 in the order in which they were
/// found.
///
/// Each part of a position, such as a heap, also has a number. A position is stored as the list of
/// its part numbers, in the order of the notation. The notation is written only when it is needed.
///
/// ```
/// use grundy_core::ruleset::nim::Nim;
/// use grundy_core::{Numbered, Position, Term};
/// let start = Position::from(Term::new(Nim, vec![2, 1, 2]));
/// let numbered = Numbered::new(&start);
/// assert_eq!(numbered.lists().get(0), [0, 1, 0]);
/// assert_eq!(numbered.position(0), start);
/// assert!(numbered.parts().eq([(0, "nim(2)".into()), (0, "nim(1)".into())]));
/// ```
#[derive(Debug)]
pub struct Numbered {
    parts: Store,
    options: OptionCache,
    /// The terms of the start position, each with the index of the table that stores its parts. The
    /// terms of every position have the same rules in the same order. Neighbouring terms of a
    /// user-defined game that are written as one sum count as one term.
    terms: Vec<(Arc<dyn AnyTerm>, u32)>,
    lists: Lists,
}

/// The number that separates neighbouring terms in the list of part numbers that represents a
/// position.
pub(super) const TERM_SEPARATOR: u32 = u32::MAX;

impl Numbered {
    /// Creates a numbering that contains only `start`, as position 0.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Numbered, Position, Term};
    /// let numbered = Numbered::new(&Position::from(Term::new(Nim, vec![2, 1])));
    /// assert_eq!((numbered.lists().len(), numbered.parts().count()), (1, 2));
    /// ```
    #[must_use]
    pub fn new(start: &Position) -> Self {
        let mut new = Self {
            parts: Store::as_written(),
            options: OptionCache::default(),
            terms: Vec::new(),
            lists: Lists::default(),
        };
        let mut list = Vec::new();
        for term in start.terms() {
            let end = list.len();
            let table = term.enter(&mut new.parts, &mut list);
            match new.terms.last() {
                // The notation does not separate these two terms, so they count as one.
                Some(&(_, last)) if last == table && term.written_as_sum() => continue,
                Some(_) => list.insert(end, TERM_SEPARATOR),
                None => {}
            }
            new.terms.push((Arc::clone(term), table));
        }
        new.lists.intern(&list);
        new
    }

    /// Restores a part of an earlier numbering. `number` is its number, and `table` is the index of
    /// the table that stores it. `text` is its notation, and `read` the position parsed from this
    /// notation. Returns whether the part has the same number as before. Parts must be restored in
    /// the order of their numbers.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Numbered, Position, Term};
    /// let heap = |size| Position::from(Term::new(Nim, vec![size]));
    /// let mut numbered = Numbered::new(&heap(2));
    /// assert!(numbered.restore_part(1, 0, "nim(0)", &heap(0)));
    /// // The next part has the number 2.
    /// assert!(!numbered.restore_part(5, 0, "nim(1)", &heap(1)));
    /// ```
    #[must_use]
    pub fn restore_part(&mut self, number: u32, table: u32, text: &str, read: &Position) -> bool {
        self.adopt(table, text, read) == Some(number)
    }

    /// Enters a part into the table with the index `table`, and returns the number of the part.
    /// `read` is the position parsed from `text`. Returns `None` if the canonical notation of the
    /// parsed part differs from `text`.
    pub(super) fn adopt(&mut self, table: u32, text: &str, read: &Position) -> Option<u32> {
        // All terms with this table have the same rules, so any of them can enter the part.
        let mut term = self.terms.iter().filter(|(_, number)| *number == table);
        let (term, _) = term.next()?;
        let part = term.adopt(read.terms(), &mut self.parts)?;
        (self.parts.write(part) == text).then_some(part)
    }

    /// Returns for each term the index of the table that stores its parts, in the order of the
    /// terms.
    pub(super) fn tables(&self) -> impl Iterator<Item = u32> + '_ {
        self.terms.iter().map(|&(_, table)| table)
    }

    /// Returns the canonical notation of a part.
    pub(super) fn part(&self, part: u32) -> String {
        self.parts.write(part)
    }

    /// Returns the number of the position that `list`, a list of part numbers, represents. A new
    /// position gets the smallest unused number.
    pub(super) fn number(&mut self, list: &[u32]) -> u32 {
        self.lists.intern(list)
    }

    /// Restores the positions of an earlier numbering, whose parts have already been restored.
    /// `lists` contains the lists that [`Numbered::lists`] returned for the earlier numbering.
    /// Returns `false` if the lists are not valid for these parts.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Numbered, Position, Term};
    /// let mut numbered = Numbered::new(&Position::from(Term::new(Nim, vec![2, 1])));
    /// let mut lists = numbered.lists().clone();
    /// lists.intern(&[1, 1]);
    /// assert!(numbered.restore_lists(lists.clone()));
    /// assert_eq!(numbered.position(1).to_string(), "nim(1, 1)");
    /// lists.intern(&[1, 2]);
    /// assert!(!numbered.restore_lists(lists), "there is no part 2");
    /// ```
    #[must_use]
    pub fn restore_lists(&mut self, lists: Lists) -> bool {
        // The lists come from a file, so check them. Each list must have the right number of terms,
        // and each part must belong to the table of its term.
        let is_valid = |list: &[u32]| {
            let mut tables = self.terms.iter().map(|(_, table)| *table);
            let fit = list.split(|&part| part == TERM_SEPARATOR).all(|term| {
                let table = tables.next();
                let fits = |part: u32| Some(self.parts.table_of(part)) == table;
                let count = self.parts.len();
                term.iter()
                    .all(|&part| (part as usize) < count && fits(part))
            });
            fit && tables.next().is_none()
        };
        let mut all = (0..lists.len() as u32).map(|position| lists.get(position));
        let fit = all.next() == Some(self.lists.get(0)) && all.all(is_valid);
        if fit {
            self.lists = lists;
        }
        fit
    }

    /// Returns for each position the list of its part numbers.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Numbered, Position, Term};
    /// let numbered = Numbered::new(&Position::from(Term::new(Nim, vec![5, 5, 3])));
    /// assert_eq!(numbered.lists().get(0), [0, 0, 1]);
    /// ```
    #[must_use]
    pub fn lists(&self) -> &Lists {
        &self.lists
    }

    /// Returns all parts found so far, in the order of their numbers. Each part is given by the
    /// index of the table that stores it, and by its notation.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Numbered, Position, Term};
    /// let numbered = Numbered::new(&Position::from(Term::new(Nim, vec![5, 5, 3])));
    /// assert!(numbered.parts().eq([(0, "nim(5)".into()), (0, "nim(3)".into())]));
    /// ```
    pub fn parts(&self) -> impl Iterator<Item = (u32, String)> + '_ {
        let all = 0..self.parts.len() as u32;
        all.map(|part| (self.parts.table_of(part), self.parts.write(part)))
    }

    /// Returns the position with this number.
    ///
    /// # Panics
    /// Panics if there is no such position.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Numbered, Position, Term};
    /// let numbered = Numbered::new(&Position::from(Term::new(Nim, vec![5, 5, 3])));
    /// assert_eq!(numbered.position(0).to_string(), "nim(5, 5, 3)");
    /// ```
    #[must_use]
    pub fn position(&self, number: u32) -> Position {
        let lists = self.lists.get(number).split(|&part| part == TERM_SEPARATOR);
        let terms = self.terms.iter().zip(lists);
        let terms = terms.map(|(&(_, table), parts)| self.parts.term_of(table, parts));
        Position::of_terms(terms.collect())
    }

    /// Visits the options of `mover` in a position, in the order of [`Position::moves`]. Passes the
    /// number of each option to `visit`.
    pub(super) fn follow(
        &mut self,
        position: u32,
        mover: Player,
        limits: &Limits<'_>,
        visit: &mut dyn FnMut(&Self, u32) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let here = self.lists.get(position).to_vec();
        // The notation of some terms contains the player to move. Such a term changes with every
        // move in another term.
        let others = self.after_move_elsewhere(&here);
        let mut to = Vec::with_capacity(here.len() + 1);
        for (index, &part) in here.iter().enumerate() {
            if part == TERM_SEPARATOR {
                continue;
            }
            let Self { parts, options, .. } = self;
            let listed = match here.len() {
                // If positions have a single part, each part occurs in only one position. A cache
                // of its options would never be used.
                1 => list(parts, part, mover, limits)?,
                _ => options.options(parts, part, mover, limits)?,
            };
            let term_end = here[index..]
                .iter()
                .position(|&part| part == TERM_SEPARATOR);
            let term_end = term_end.map_or(here.len(), |length| index + length);
            let term_begin = here[..index]
                .iter()
                .rposition(|&part| part == TERM_SEPARATOR);
            let term_begin = term_begin.map_or(0, |separator| separator + 1);
            // Removing any of several equal neighbours gives the same list, so visit only the first
            // of these moves.
            let repeats = index > 0 && here[index - 1] == part;
            for option in lists(&listed).filter(|option| !(repeats && option.is_empty())) {
                to.clear();
                to.extend_from_slice(&others[..term_begin]);
                to.extend_from_slice(&here[term_begin..index]);
                to.extend_from_slice(option);
                to.extend_from_slice(&here[index + 1..term_end]);
                to.extend_from_slice(&others[term_end..]);
                let number = self.lists.intern(&to);
                visit(self, number)?;
            }
        }
        Ok(())
    }

    /// Returns the list of parts `here`, in which each term is replaced by the term after a move in
    /// another term. A term changes only if its notation contains the player to move.
    fn after_move_elsewhere(&mut self, here: &[u32]) -> Vec<u32> {
        let mut list = here.to_vec();
        if self.terms.len() == 1 {
            return list;
        }
        for term in list.split_mut(|&part| part == TERM_SEPARATOR) {
            let passed: Option<Vec<u32>> = term
                .iter()
                .map(|&part| self.parts.after_move_elsewhere(part))
                .collect();
            if let Some(passed) = passed {
                term.copy_from_slice(&passed);
            }
        }
        list
    }

    /// Returns the approximate number of bytes that the numbering occupies.
    pub(super) fn bytes(&self) -> u64 {
        self.lists.bytes() as u64 + self.parts.bytes() + self.options.bytes()
    }
}
