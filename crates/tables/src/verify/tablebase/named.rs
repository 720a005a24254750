//! The moves of a game whose positions are found by name.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use grundy_core::limits::{Halt, stopped_early};
use grundy_core::{Diagnostic, Limits, Outcome, Play, Position};
use grundy_tablebase::GameKind;
use grundy_tablebase::verify::Moves;

use super::{end, mover, option_entry};
use crate::probe::{OpenTable, TableReader, missing_option};

/// The moves of a game, computed from the names of its positions. All names of the tablebase are in
/// memory, and the rules parse them.
pub(super) struct NamedMoves {
    names: Names,
    reader: TableReader,
    kind: GameKind,
    play: Play,
}

/// A list of texts in ascending order, stored as one string.
#[derive(Default)]
struct Names {
    bytes: Vec<u8>,
    ends: Vec<u64>,
}

impl Names {
    fn get(&self, row: u64) -> &[u8] {
        let row = row as usize;
        let begin = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[begin as usize..self.ends[row] as usize]
    }

    fn find(&self, name: &[u8]) -> Option<u64> {
        let (mut low, mut high) = (0, self.ends.len() as u64);
        // A binary search on bytes. The writer sorts by bytes as well. In a table that is out of
        // order, some names are not found, which is reported as an error of the table.
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(middle) < name {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low < self.ends.len() as u64 && self.get(low) == name).then_some(low)
    }
}

impl NamedMoves {
    /// Reads all names of a tablebase.
    pub(super) fn read(open: &mut OpenTable, limits: &Limits<'_>) -> Result<Self, Diagnostic> {
        let mut names = Names::default();
        let (reader, about) = (open.reader(), &open.manifest().about);
        let (kind, play) = (about.kind, about.play);
        let positions = open.manifest().positions;
        open.table().each_name(0..positions, &mut |name| {
            limits.poll()?;
            names.bytes.extend_from_slice(name);
            names.ends.push(names.bytes.len() as u64);
            Ok(limits.check(1, names.bytes.len() as u64 + 8 * names.ends.len() as u64)?)
        })?;
        Ok(Self {
            names,
            reader,
            kind,
            play,
        })
    }

    fn position(&self, row: u64) -> Result<Position, Diagnostic> {
        self.reader
            .position(&String::from_utf8_lossy(self.names.get(row)))
    }
}

impl Moves for NamedMoves {
    fn entries(&self) -> u64 {
        self.names.ends.len() as u64 * u64::from(self.kind.turns())
    }

    fn descends(&self) -> bool {
        // The rows are sorted by name, so an option may have any row.
        false
    }

    fn options(&self, entry: u64, to: &mut Vec<u64>) -> Result<(), Diagnostic> {
        let turns = u64::from(self.kind.turns());
        let position = self.position(entry / turns)?;
        options(&position, self.kind, entry % turns, to, &mut |name| {
            Ok(self.names.find(name.as_bytes()))
        })
    }

    fn end(&self, entry: u64) -> Result<Outcome, Diagnostic> {
        let turns = u64::from(self.kind.turns());
        let position = self.position(entry / turns)?;
        end(
            &position,
            mover(self.kind, &position, entry % turns),
            self.play,
        )
    }
}

/// Appends the entries that the moves of a position lead to. `find` returns the index of the
/// position with a given name.
fn options(
    position: &Position,
    kind: GameKind,
    turn: u64,
    to: &mut Vec<u64>,
    find: &mut dyn FnMut(&str) -> Result<Option<u64>, Diagnostic>,
) -> Result<(), Diagnostic> {
    let mut failed = None;
    let flow = position.moves(mover(kind, position, turn), &mut |_, _, option| {
        let name = option().to_string();
        let found = find(&name).and_then(|number| number.ok_or_else(|| missing_option(&name)));
        match found {
            Ok(number) => {
                to.push(option_entry(number, kind.turns().into(), turn));
                ControlFlow::Continue(())
            }
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(Halt::Enough)
            }
        }
    });
    stopped_early(flow)?;
    failed.map_or(Ok(()), Err)
}

/// The moves of a game for a sample of its positions. The names of the positions are looked up in
/// the tablebase when they are needed.
pub(super) struct SampledMoves {
    open: Mutex<OpenTable>,
    reader: TableReader,
    kind: GameKind,
    play: Play,
    entries: u64,
}

impl SampledMoves {
    pub(super) fn new(open: OpenTable) -> Self {
        let (reader, manifest) = (open.reader(), open.manifest());
        let (kind, play) = (manifest.about.kind, manifest.about.play);
        let entries = manifest.positions.saturating_mul(kind.turns().into());
        Self {
            open: Mutex::new(open),
            reader,
            kind,
            play,
            entries,
        }
    }
}

impl Moves for SampledMoves {
    fn entries(&self) -> u64 {
        self.entries
    }

    fn descends(&self) -> bool {
        false
    }

    fn options(&self, entry: u64, to: &mut Vec<u64>) -> Result<(), Diagnostic> {
        // `Moves` takes `&self`, but a lookup changes the caches of the table. Hence the mutex.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let turns = u64::from(self.kind.turns());
        if open.manifest().about.graph.is_some() {
            to.extend(open.table().options(entry)?);
            return Ok(());
        }
        let name = open.name(entry / turns)?;
        let position = self.reader.position(&name)?;
        options(&position, self.kind, entry % turns, to, &mut |name| {
            open.table().number_of(name)
        })
    }

    fn end(&self, entry: u64) -> Result<Outcome, Diagnostic> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.manifest().about.graph.is_some() {
            return Ok(Outcome::from_win(self.play == Play::Misere));
        }
        let turns = u64::from(self.kind.turns());
        let name = open.name(entry / turns)?;
        let position = self.reader.position(&name)?;
        end(
            &position,
            mover(self.kind, &position, entry % turns),
            self.play,
        )
    }
}
