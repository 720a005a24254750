//! A set of positions of one game, which finds the options of its positions. The caller stores the
//! positions as texts.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::Numbered;
use super::exploration::{mover, terminal_result};
use super::numbered::TERM_SEPARATOR;
use crate::position::Position;
use crate::rules::{Ends, Nature};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::PayoffResult;

/// The character after each part in the text of a position. The text of a part does not contain it.
const PART_END: char = '\u{1f}';
/// The character between two terms in the text of a position. The text of a part does not contain
/// it.
const TERM_BOUNDARY: char = '\u{1e}';

/// A set of positions of one game, numbered from 0 in the order in which they were added. Each
/// position has a unique text.
///
/// ```
/// use grundy_core::ruleset::nim::Nim;
/// use grundy_core::{Limits, Position, Term, Visited};
/// let start = Position::from(Term::new(Nim, vec![2, 1]));
/// let mut visited = Visited::new(&start);
/// let (text, mut row) = (visited.text(0).unwrap(), Vec::new());
/// visited.expand(0, 0, &Limits::default(), &mut row)?;
/// let names: Vec<String> = row.iter().map(|&option| visited.name(option)).collect();
/// assert_eq!(names, ["nim(0, 1)", "nim(1, 1)", "nim(2, 0)"]);
/// assert_eq!(visited.enter(&text, &|_| None), Some(0));
/// # Ok::<(), grundy_core::Stop>(())
/// ```
#[derive(Debug)]
pub struct Visited {
    numbered: Numbered,
    nature: Nature,
    /// The number of each part, by the index of the table that stores the part and by the text of
    /// the part. This map is used only for positions with several parts.
    part_numbers: FxHashMap<(u32, Box<str>), u32>,
    /// For each position, the number of the last call of [`Visited::expand`] that found the
    /// position as an option. The calls are numbered from 1.
    last_expansion: Vec<u64>,
    /// Number of calls of [`Visited::expand`] so far.
    expansions: u64,
}

impl Visited {
    /// Creates a set that contains only `start`, as position 0.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term, Visited};
    /// let visited = Visited::new(&Position::from(Term::new(Nim, vec![2, 1])));
    /// assert_eq!((visited.len(), visited.name(0)), (1, "nim(2, 1)".into()));
    /// ```
    #[must_use]
    pub fn new(start: &Position) -> Self {
        let mut new = Self {
            numbered: Numbered::new(start),
            nature: start.nature(),
            part_numbers: FxHashMap::default(),
            last_expansion: Vec::new(),
            expansions: 0,
        };
        let list = new.numbered.lists().get(0).to_vec();
        // Store the numbers of the parts of `start`, so that `enter` uses the same numbers.
        let tables: Vec<u32> = new.numbered.tables().collect();
        for (parts, table) in list.split(|&part| part == TERM_SEPARATOR).zip(tables) {
            for &part in parts {
                let text = new.numbered.part(part).into();
                new.part_numbers.insert((table, text), part);
            }
        }
        new
    }

    /// Returns the text of a position. Returns `None` if the notation of a part contains a
    /// separator of this text, since the text would then be ambiguous.
    ///
    /// # Panics
    /// Panics if there is no such position.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term, Visited};
    /// let visited = Visited::new(&Position::from(Term::new(Nim, vec![2, 1])));
    /// assert_eq!(visited.text(0).as_deref(), Some("nim(2)\u{1f}nim(1)\u{1f}"));
    /// ```
    #[must_use]
    pub fn text(&self, position: u32) -> Option<String> {
        let mut text = String::new();
        for (term, parts) in self
            .numbered
            .lists()
            .get(position)
            .split(|&part| part == TERM_SEPARATOR)
            .enumerate()
        {
            if term > 0 {
                text.push(TERM_BOUNDARY);
            }
            for &part in parts {
                let written = self.numbered.part(part);
                if written.contains([PART_END, TERM_BOUNDARY]) {
                    return None;
                }
                text.push_str(&written);
                text.push(PART_END);
            }
        }
        Some(text)
    }

    /// Adds the position with this text to the set, if it is new, and returns its number. `read`
    /// parses the text of a part. Returns `None` if the number of terms is wrong. Also returns
    /// `None` if the text of a part cannot be parsed, or is not the canonical notation of the part.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term, Visited};
    /// let mut visited = Visited::new(&Position::from(Term::new(Nim, vec![2, 1])));
    /// // Both parts are known, so `read` is not called.
    /// assert_eq!(visited.enter("nim(1)\u{1f}nim(1)\u{1f}", &|_| None), Some(1));
    /// assert_eq!(visited.name(1), "nim(1, 1)");
    /// assert_eq!(visited.enter("nim(9)\u{1f}nim(1)\u{1f}", &|_| None), None);
    /// ```
    pub fn enter(&mut self, text: &str, read: &dyn Fn(&str) -> Option<Position>) -> Option<u32> {
        let tables: Vec<u32> = self.numbered.tables().collect();
        let is_only_part = text.matches(PART_END).count() == 1;
        let (mut list, mut terms) = (Vec::new(), 0);
        for (parts, &table) in text.split(TERM_BOUNDARY).zip(&tables) {
            if terms > 0 {
                list.push(TERM_SEPARATOR);
            }
            terms += 1;
            for part in parts.split_terminator(PART_END) {
                list.push(self.part(table, part, is_only_part, read)?);
            }
        }
        (terms == tables.len()).then(|| self.numbered.number(&list))
    }

    /// Returns the number of the part with this text. Parses a new part with `read`. `is_only_part`
    /// is `true` if the position has no other parts.
    fn part(
        &mut self,
        table: u32,
        text: &str,
        is_only_part: bool,
        read: &dyn Fn(&str) -> Option<Position>,
    ) -> Option<u32> {
        if is_only_part {
            // If positions have a single part, each part is entered only once. So storing its
            // number would be useless.
            return self.numbered.adopt(table, text, &read(text)?);
        }
        let key = (table, text.into());
        if let Some(&part) = self.part_numbers.get(&key) {
            return Some(part);
        }
        let part = self.numbered.adopt(table, text, &read(text)?)?;
        self.part_numbers.insert(key, part);
        Some(part)
    }

    /// Appends to `row` the options of a position, each by its number, without repetitions. `turn`
    /// is the index of the player to move. Returns the result for this player if the position is
    /// terminal and a payoff decides.
    ///
    /// # Errors
    /// Fails if the work is interrupted, or with the error of the rules.
    ///
    /// # Panics
    /// Panics if there is no such position.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Limits, Position, Term, Visited};
    /// let mut visited = Visited::new(&Position::from(Term::new(Nim, vec![3])));
    /// let mut row = Vec::new();
    /// visited.expand(0, 0, &Limits::default(), &mut row)?;
    /// assert_eq!(row, [1, 2, 3]);
    /// assert_eq!(visited.name(3), "nim(2)");
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn expand(
        &mut self,
        position: u32,
        turn: u32,
        limits: &Limits<'_>,
        row: &mut Vec<u32>,
    ) -> Result<Option<PayoffResult>, Stop> {
        let Self {
            numbered,
            nature,
            last_expansion,
            expansions,
            ..
        } = self;
        // The number of this call differs from all numbers in `last_expansion`, so the list need
        // not be cleared.
        *expansions += 1;
        let (begin, mover) = (row.len(), mover(numbered, *nature, position, turn));
        numbered.follow(position, mover, limits, &mut |_, option| {
            if last_expansion.len() <= option as usize {
                last_expansion.resize(option as usize + 1, 0);
            }
            if last_expansion[option as usize] != *expansions {
                last_expansion[option as usize] = *expansions;
                row.push(option);
            }
            Ok(())
        })?;
        if nature.ends == Ends::LastMove || row.len() > begin {
            return Ok(None);
        }
        Ok(Some(terminal_result(numbered, position, mover)?))
    }

    /// Converts the text of a position into the canonical notation of the position. `read` parses
    /// the text of a part, as in [`Visited::enter`].
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term, Visited};
    /// let mut visited = Visited::new(&Position::from(Term::new(Nim, vec![2, 1])));
    /// let name = visited.name_of("nim(1)\u{1f}nim(2)\u{1f}", &|_| None);
    /// assert_eq!(name.as_deref(), Some("nim(1, 2)"));
    /// ```
    pub fn name_of<'t>(
        &mut self,
        text: &'t str,
        read: &dyn Fn(&str) -> Option<Position>,
    ) -> Option<Cow<'t, str>> {
        // If the position has a single part, the text of that part is the canonical notation.
        match text.strip_suffix(PART_END) {
            Some(part) if !part.contains([PART_END, TERM_BOUNDARY]) => Some(Cow::Borrowed(part)),
            _ => {
                let position = self.enter(text, read)?;
                Some(Cow::Owned(self.name(position)))
            }
        }
    }

    /// Returns the canonical notation of a position.
    ///
    /// # Panics
    /// Panics if there is no such position.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term, Visited};
    /// let nim = |heaps| Term::new(Nim, heaps).into();
    /// let visited = Visited::new(&Position::sum(vec![nim(vec![2, 1]), nim(vec![3])])?);
    /// assert_eq!(visited.name(0), "nim(2, 1) + nim(3)");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn name(&self, position: u32) -> String {
        self.numbered.position(position).to_string()
    }

    /// Returns the number of positions.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Limits, Position, Term, Visited};
    /// let mut visited = Visited::new(&Position::from(Term::new(Nim, vec![3])));
    /// visited.expand(0, 0, &Limits::default(), &mut Vec::new())?;
    /// assert_eq!(visited.len(), 4);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbered.lists().len()
    }

    /// Returns whether the set is empty, which is never the case.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term, Visited};
    /// let visited = Visited::new(&Position::from(Term::new(Nim, vec![])));
    /// assert!(!visited.is_empty(), "the start is in the set");
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the approximate number of bytes that the set occupies.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Limits, Position, Term, Visited};
    /// let mut visited = Visited::new(&Position::from(Term::new(Nim, vec![100])));
    /// let before = visited.bytes();
    /// visited.expand(0, 0, &Limits::default(), &mut Vec::new())?;
    /// assert!(visited.bytes() > before, "the set has 100 more positions");
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.numbered.bytes() + 8 * self.last_expansion.capacity() as u64
    }
}
