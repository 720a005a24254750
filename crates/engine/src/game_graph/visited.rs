//! Positions that are expanded here but stored elsewhere. They are passed as texts.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::Numbered;
use super::exploration::{mover, worth_of_end};
use super::numbered::BETWEEN;
use crate::position::Position;
use crate::rules::{Ends, Nature};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Worth;

/// The separator between two parts, which occurs in no text of a part.
const PARTS: char = '\u{1f}';
/// The separator between two terms, likewise.
const TERMS: char = '\u{1e}';

/// A set of positions of a game, numbered from 0 in the order of entry. A text identifies a
/// position, and texts are unique.
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
    /// The parts by table and text. It is used only for positions with several parts.
    known: FxHashMap<(u32, Box<str>), u32>,
    /// For each position the number of the last expansion that reached it, counted from 1.
    last: Vec<u64>,
    /// Number of expansions so far.
    looks: u64,
}

impl Visited {
    /// Creates a set with one position, which has number 0.
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
        // The parts of the start have to be in `known`, so that `enter` gives them the same
        // numbers.
        let tables: Vec<u32> = new.numbered.tables().collect();
        for (parts, table) in list.split(|&part| part == BETWEEN).zip(tables) {
            for &part in parts {
                let text = new.numbered.part(part).into();
                new.known.insert((table, text), part);
            }
        }
        new
    }

    /// Returns the text of a position, or `None` if the text would be ambiguous.
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

    /// Enters the position with a text, if it is new, and returns its number. `read` parses a part
    /// as a position. Returns `None` if the text does not round-trip.
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

    /// Returns the number of the part with a text, which is read if it is new.
    fn part(
        &mut self,
        table: u32,
        text: &str,
        alone: bool,
        read: &dyn Fn(&str) -> Option<Position>,
    ) -> Option<u32> {
        if alone {
            // With single parts there are as many parts as positions, and each is entered once. So
            // a cache would only cost memory.
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

    /// Appends the options for one turn of a position to `row`, each once. Returns the result of a
    /// terminal position if a payoff decides.
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
        // Stamps make the set of options seen so far empty again without clearing the list.
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

    /// Returns the position with a text in canonical notation. The text is read as by
    /// [`Visited::enter`].
    pub fn name_of<'t>(
        &mut self,
        text: &'t str,
        read: &dyn Fn(&str) -> Option<Position>,
    ) -> Option<Cow<'t, str>> {
        // The text of a single part is the canonical notation of the position.
        match text.strip_suffix(PARTS) {
            Some(part) if !part.contains([PARTS, TERMS]) => Some(Cow::Borrowed(part)),
            _ => {
                let position = self.enter(text, read)?;
                Some(Cow::Owned(self.name(position)))
            }
        }
    }

    /// Returns a position in canonical notation.
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

    /// Returns whether there is no position, which is never the case.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the approximate number of bytes held.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.numbered.bytes() + 8 * self.last.capacity() as u64
    }
}
