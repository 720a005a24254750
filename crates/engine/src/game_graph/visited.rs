//! Positions that are looked at here and kept elsewhere: they come and go as texts.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::Numbered;
use super::exploration::{mover, worth_of_end};
use super::numbered::BETWEEN;
use crate::position::Position;
use crate::rules::{Ends, Nature};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Worth;

/// Stands between two parts, and between two terms: in no text of a part.
const PARTS: char = '\u{1f}';
const TERMS: char = '\u{1e}';

/// Some positions of a game, numbered from 0 as they come, for as long as they are needed. A text
/// says all of a position, and no two have the same.
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
    /// Parts of each table by their texts, where positions have several.
    known: FxHashMap<(u32, Box<str>), u32>,
    /// For each position the last look that met it, counted from 1.
    last: Vec<u64>,
    looks: u64,
}

impl Visited {
    /// Begins with one position, which gets number 0.
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
        let tables: Vec<u32> = new.numbered.tables().collect();
        for (parts, table) in list.split(|&part| part == BETWEEN).zip(tables) {
            for &part in parts {
                let text = new.numbered.part(part).into();
                new.known.insert((table, text), part);
            }
        }
        new
    }

    /// Returns the text of a position; nothing where it cannot be told from another.
    ///
    /// # Panics
    /// When there is no such position.
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

    /// Returns the number of the position with a text, which is new or not. `read` reads a part as
    /// a position; nothing where what it reads is not the part.
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

    fn part(
        &mut self,
        table: u32,
        text: &str,
        alone: bool,
        read: &dyn Fn(&str) -> Option<Position>,
    ) -> Option<u32> {
        if alone {
            // There are as many as positions, and each comes once.
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

    /// Appends to `row` where the moves of one turn of a position lead, each position once; what
    /// the end is worth where it decides and there is no move.
    ///
    /// # Errors
    /// What interrupted it, or rules that have no answer.
    ///
    /// # Panics
    /// When there is no such position.
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

    /// Returns the position with a text, in the notation, as [`Visited::enter`] reads it.
    pub fn name_of<'t>(
        &mut self,
        text: &'t str,
        read: &dyn Fn(&str) -> Option<Position>,
    ) -> Option<Cow<'t, str>> {
        // A part alone is written as the position that it is.
        match text.strip_suffix(PARTS) {
            Some(part) if !part.contains([PARTS, TERMS]) => Some(Cow::Borrowed(part)),
            _ => {
                let position = self.enter(text, read)?;
                Some(Cow::Owned(self.name(position)))
            }
        }
    }

    /// Returns a position in the notation.
    ///
    /// # Panics
    /// When there is no such position.
    #[must_use]
    pub fn name(&self, position: u32) -> String {
        self.numbered.position(position).to_string()
    }

    /// How many positions are known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbered.lists().len()
    }

    /// Returns whether none is: never.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// About how many bytes are held.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.numbered.bytes() + 8 * self.last.capacity() as u64
    }
}
