//! The positions of a game graph, as lists of numbers that identify their parts.

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
/// Each position is a list of numbers, one for each of its parts in the order of the notation. The
/// notation is written only when it is needed.
///
/// ```
/// use grundy::ruleset::nim::Nim;
/// use grundy::{Numbered, Position, Term};
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
    /// The terms of the start position, each with the number of its table in the store of parts.
    /// All positions have terms under the same rules. Neighbouring terms of a user-defined game
    /// that are written as one sum count as one term.
    terms: Vec<(Arc<dyn AnyTerm>, u32)>,
    lists: Lists,
}

/// The separator between the parts of two terms in a list.
pub(super) const BETWEEN: u32 = u32::MAX;

impl Numbered {
    /// Creates a numbering with a single position, `start`, which has number 0.
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
                Some(_) => list.insert(end, BETWEEN),
                None => {}
            }
            new.terms.push((Arc::clone(term), table));
        }
        new.lists.number(&list);
        new
    }

    /// Restores the part `number` of an earlier numbering. `text` is its notation, and `read` is
    /// the position parsed from it. Returns whether the part gets that number. Parts must be
    /// restored in the order of their numbers.
    #[must_use]
    pub fn restore_part(&mut self, number: u32, table: u32, text: &str, read: &Position) -> bool {
        self.adopt(table, text, read) == Some(number)
    }

    /// Returns the number of a part of `table`, given its notation and the position parsed from
    /// that. Returns `None` if the notation of the parsed part differs from `text`.
    pub(super) fn adopt(&mut self, table: u32, text: &str, read: &Position) -> Option<u32> {
        // Any term of this table has the same rules, so it can convert the part.
        let mut like = self.terms.iter().filter(|(_, known)| *known == table);
        let (like, _) = like.next()?;
        let part = like.adopt(read.terms(), &mut self.parts)?;
        (self.parts.write(part) == text).then_some(part)
    }

    /// Returns the table of each term, in the order of the terms.
    pub(super) fn tables(&self) -> impl Iterator<Item = u32> + '_ {
        self.terms.iter().map(|&(_, table)| table)
    }

    /// Returns the canonical notation of a part.
    pub(super) fn part(&self, part: u32) -> String {
        self.parts.write(part)
    }

    /// Returns the number of the position with this list of parts. A new position gets the next
    /// number.
    pub(super) fn number(&mut self, list: &[u32]) -> u32 {
        self.lists.number(list)
    }

    /// Restores the positions of an earlier numbering, after all its parts. `lists` is what
    /// [`Numbered::lists`] returned. Returns `false` if it is not valid for these parts.
    #[must_use]
    pub fn restore_lists(&mut self, lists: Lists) -> bool {
        // The lists come from a file, so check them. They must have the right number of terms, and
        // each part must belong to the table of its term.
        let known = |list: &[u32]| {
            let mut tables = self.terms.iter().map(|(_, table)| *table);
            let fit = list.split(|&part| part == BETWEEN).all(|term| {
                let table = tables.next();
                let fits = |part: u32| Some(self.parts.table_of(part)) == table;
                let count = self.parts.len();
                term.iter()
                    .all(|&part| (part as usize) < count && fits(part))
            });
            fit && tables.next().is_none()
        };
        let mut all = (0..lists.len() as u32).map(|position| lists.get(position));
        let fit = all.next() == Some(self.lists.get(0)) && all.all(known);
        if fit {
            self.lists = lists;
        }
        fit
    }

    /// Returns the list of parts of each position.
    #[must_use]
    pub fn lists(&self) -> &Lists {
        &self.lists
    }

    /// Returns the table and the notation of each part found so far, in the order of their numbers.
    pub fn parts(&self) -> impl Iterator<Item = (u32, String)> + '_ {
        let all = 0..self.parts.len() as u32;
        all.map(|part| (self.parts.table_of(part), self.parts.write(part)))
    }

    /// Returns the position with this number.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn position(&self, number: u32) -> Position {
        let lists = self.lists.get(number).split(|&part| part == BETWEEN);
        let terms = self.terms.iter().zip(lists);
        let terms = terms.map(|(&(_, table), parts)| self.parts.gathered(table, parts));
        Position::of_terms(terms.collect())
    }

    /// Visits the options of `mover` in a position, each by its number, in the order of
    /// [`Position::moves`].
    pub(super) fn follow(
        &mut self,
        position: u32,
        mover: Player,
        limits: &Limits<'_>,
        visit: &mut dyn FnMut(&Self, u32) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let here = self.lists.get(position).to_vec();
        // A move in one term changes another term if the notation of that term records the player
        // to move.
        let passed = self.passed(&here);
        let mut to = Vec::with_capacity(here.len() + 1);
        for (place, &part) in here.iter().enumerate() {
            if part == BETWEEN {
                continue;
            }
            let Self { parts, options, .. } = self;
            let listed = match here.len() {
                // If positions have a single part, each part occurs in one position, so a cache of
                // options would be useless.
                1 => list(parts, part, mover, limits)?,
                _ => options.options(parts, part, mover, limits)?,
            };
            let term_end = here[place..].iter().position(|&part| part == BETWEEN);
            let term_end = term_end.map_or(here.len(), |length| place + length);
            let term_begin = here[..place].iter().rposition(|&part| part == BETWEEN);
            let term_begin = term_begin.map_or(0, |between| between + 1);
            // Replacing any of several equal neighbours by nothing gives the same list, so it
            // counts as one move.
            let repeats = place > 0 && here[place - 1] == part;
            for option in lists(&listed).filter(|option| !(repeats && option.is_empty())) {
                to.clear();
                to.extend_from_slice(&passed[..term_begin]);
                to.extend_from_slice(&here[term_begin..place]);
                to.extend_from_slice(option);
                to.extend_from_slice(&here[place + 1..term_end]);
                to.extend_from_slice(&passed[term_end..]);
                let number = self.lists.number(&to);
                visit(self, number)?;
            }
        }
        Ok(())
    }

    /// Returns the list of parts that a position has for its terms after a move in another term.
    fn passed(&mut self, here: &[u32]) -> Vec<u32> {
        let mut list = here.to_vec();
        if self.terms.len() == 1 {
            return list;
        }
        for term in list.split_mut(|&part| part == BETWEEN) {
            let passed: Option<Vec<u32>> =
                term.iter().map(|&part| self.parts.passed(part)).collect();
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
