//! The moves of a graph from a file. The tablebase itself stores them.

use grundy_core::{Diagnostic, Limits, Outcome, Play};
use grundy_tablebase::Tablebase;
use grundy_tablebase::verify::Moves;

/// The options of all rows, in compressed sparse row form.
pub(super) struct StoredMoves {
    to: Vec<u64>,
    ends: Vec<u64>,
    play: Play,
}

impl StoredMoves {
    /// Reads the options of all rows from a tablebase.
    pub(super) fn read(table: &mut Tablebase, limits: &Limits<'_>) -> Result<Self, Diagnostic> {
        let mut new = Self {
            to: Vec::new(),
            ends: Vec::new(),
            play: table.manifest().about.play,
        };
        let positions = table.manifest().positions;
        table.each_options(0..positions, &mut |options| {
            limits.poll()?;
            new.to.extend_from_slice(options);
            new.ends.push(new.to.len() as u64);
            Ok(limits.check((new.to.len() + new.ends.len()) as u64, 8)?)
        })?;
        Ok(new)
    }
}

impl Moves for StoredMoves {
    fn entries(&self) -> u64 {
        self.ends.len() as u64
    }

    fn descends(&self) -> bool {
        // A graph may have cycles, so an option may have any row.
        false
    }

    fn options(&self, entry: u64, to: &mut Vec<u64>) -> Result<(), Diagnostic> {
        let entry = entry as usize;
        let begin = entry.checked_sub(1).map_or(0, |before| self.ends[before]);
        to.extend_from_slice(&self.to[begin as usize..self.ends[entry] as usize]);
        Ok(())
    }

    fn end(&self, _: u64) -> Result<Outcome, Diagnostic> {
        Ok(Outcome::from_win(self.play == Play::Misere))
    }
}
