//! Positions that are explored here while the caller stores them. They are exchanged as texts.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::Numbered;
use super::exploration::{mover, worth_of_end};
use super::numbered::BETWEEN;
use crate::position::Position;
use crate::rules::{Ends, Nature};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Worth;

/// The separator after each part in the text of a position. It occurs in no text of a part.
const PARTS: char = '\u{1f}';
/// The separator between two terms in the text of a position. It occurs in no text of a part.
const TERMS: char = '\u{1e}';

/// A set of positions of one game, numbered from 0 in the order in which they were entered. Each
/// position has a unique text.
///
/// ```
/// use grundy::ruleset::nim::Nim;
/// use grundy::{Limits, Position, Term, Visited};
/// let start = Position::from(Term::new(Nim, vec![2, 1]));
/// let mut visited = Visited::new(&start);
/// let (text, mut row) = (visited.text(0).unwrap(), Vec::new());
/// visited.look(0, 0, &Limits::default(), &mut row)?;
/// let names: Vec<String> = row.iter().map(|&option| visited.name(option)).collect();
/// assert_eq!(names, ["nim(0, 1)", "nim(1, 1)", "nim(2, 0)"]);
/// assert_eq!(visited.enter(&text, &|_| None), Some(0));
/// # Ok::<(), grundy::Stop>(())
/// ```
#[derive(Debug)]
pub struct Visited {
    numbered: Numbered,
    nature: Nature,
    /// The number of each part, by its table and text. It is used only for positions with several
    /// parts.
    known: FxHashMap<(u32, Box<str>), u32>,
    /// For each position, the number of the last call of [`Visited::look`] that found it as an
    /// option. Calls are counted from 1.
    last: Vec<u64>,
    /// Number of calls of [`Visited::look`] so far.
    looks: u64,
}

impl Visited {
    /// Creates a set that contains only `start`, as position 0.
    #[must_use]
    pub fn new(start: &Position) -> Self {
        let mut new = Self {
            numbered: Numbered::new(start),
            nature: start.nature(),
            known: FxHashMap::default(),
            last: Vec::new(),
            looks: 0,
        };
        let list = new.numbered.lists().get(0).to_vec();
        // Enter the parts of `start` into `known`, so that `enter` gives them the same numbers.
        let tables: Vec<u32> = new.numbered.tables().collect();
        for (parts, table) in list.split(|&part| part == BETWEEN).zip(tables) {
            for &part in parts {
                let text = new.numbered.part(part).into();
                new.known.insert((table, text), part);
            }
        }
        new
    }

    /// Returns the text of a position. Returns `None` if a part contains a separator, so that the
    /// text would be ambiguous.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn text(&self, position: u32) -> Option<String> {
        let mut text = String::new();
        for (term, parts) in self
            .numbered
            .lists()
            .get(position)
            .split(|&part| part == BETWEEN)
            .enumerate()
        {
            if term > 0 {
                text.push(TERMS);
            }
            for &part in parts {
                let written = self.numbered.part(part);
                if written.contains([PARTS, TERMS]) {
                    return None;
                }
                text.push_str(&written);
                text.push(PARTS);
            }
        }
        Some(text)
    }

    /// Enters the position with this text unless it is in the set, and returns its number. `read`
    /// parses the text of a part. Returns `None` if a part cannot be parsed or would be written
    /// differently.
    pub fn enter(&mut self, text: &str, read: &dyn Fn(&str) -> Option<Position>) -> Option<u32> {
        let tables: Vec<u32> = self.numbered.tables().collect();
        let alone = text.matches(PARTS).count() == 1;
        let (mut list, mut terms) = (Vec::new(), 0);
        for (parts, &table) in text.split(TERMS).zip(&tables) {
            if terms > 0 {
                list.push(BETWEEN);
            }
            terms += 1;
            for part in parts.split_terminator(PARTS) {
                list.push(self.part(table, part, alone, read)?);
            }
        }
        (terms == tables.len()).then(|| self.numbered.number(&list))
    }

    /// Returns the number of the part with this text. A new part is parsed by `read`. `alone` is
    /// `true` if the position has no other parts.
    fn part(
        &mut self,
        table: u32,
        text: &str,
        alone: bool,
        read: &dyn Fn(&str) -> Option<Position>,
    ) -> Option<u32> {
        if alone {
            // If positions have a single part, there are as many parts as positions, and each is
            // entered once. So a cache would only use memory.
            return self.numbered.adopt(table, text, &read(text)?);
        }
        let key = (table, text.into());
        if let Some(&part) = self.known.get(&key) {
            return Some(part);
        }
        let part = self.numbered.adopt(table, text, &read(text)?)?;
        self.known.insert(key, part);
        Some(part)
    }

    /// Appends to `row` the options of a position for one turn, each once. Returns the result if
    /// the position is terminal and a payoff decides.
    ///
    /// # Errors
    /// Fails if the work is interrupted, or with the error of the rules.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn look(
        &mut self,
        position: u32,
        turn: u32,
        limits: &Limits<'_>,
        row: &mut Vec<u32>,
    ) -> Result<Option<Worth>, Stop> {
        let Self {
            numbered,
            nature,
            last,
            looks,
            ..
        } = self;
        // A new number makes all marks in `last` invalid, so the list need not be cleared.
        *looks += 1;
        let (begin, mover) = (row.len(), mover(numbered, *nature, position, turn));
        numbered.follow(position, mover, limits, &mut |_, option| {
            if last.len() <= option as usize {
                last.resize(option as usize + 1, 0);
            }
            if last[option as usize] != *looks {
                last[option as usize] = *looks;
                row.push(option);
            }
            Ok(())
        })?;
        if nature.ends == Ends::LastMove || row.len() > begin {
            return Ok(None);
        }
        Ok(Some(worth_of_end(numbered, position, mover)?))
    }

    /// Converts the text of a position into canonical notation. `read` parses the text of a part,
    /// as in [`Visited::enter`].
    pub fn name_of<'t>(
        &mut self,
        text: &'t str,
        read: &dyn Fn(&str) -> Option<Position>,
    ) -> Option<Cow<'t, str>> {
        // If the position has a single part, the text of that part is the canonical notation.
        match text.strip_suffix(PARTS) {
            Some(part) if !part.contains([PARTS, TERMS]) => Some(Cow::Borrowed(part)),
            _ => {
                let position = self.enter(text, read)?;
                Some(Cow::Owned(self.name(position)))
            }
        }
    }

    /// Returns the canonical notation of a position.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn name(&self, position: u32) -> String {
        self.numbered.position(position).to_string()
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbered.lists().len()
    }

    /// Returns whether the set is empty, which is never the case.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the approximate number of bytes that the set occupies.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.numbered.bytes() + 8 * self.last.capacity() as u64
    }
}
