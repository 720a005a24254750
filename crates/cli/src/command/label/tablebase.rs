//! Labels as a tablebase.

use std::path::Path;

use grundy::Limits;
use grundy_tablebase::{Record, Rows};

use super::output::Table;
use crate::failure::Failure;

impl Rows for Table<'_> {
    fn len(&self) -> u32 {
        self.network.graph.vertices() as u32
    }

    fn key(&self, number: u32) -> &str {
        self.network.names.get(number)
    }

    fn record(&self, number: u32) -> Record {
        let label = self.labelled.label(number);
        let best = self.best(number).filter(|_| self.best_move);
        Record {
            outcome: label.outcome,
            remoteness: label.remoteness,
            value: self.labelled.value(self.network, number),
            best: best.map(u64::from),
        }
    }

    fn has_values(&self) -> bool {
        self.labelled.has_values()
    }

    fn has_moves(&self) -> bool {
        self.best_move
    }
}

/// Writes the folder as a whole, or leaves nothing.
pub(super) fn write(
    table: &Table<'_>,
    folder: &Path,
    game: &str,
    limits: &Limits<'_>,
) -> Result<(), Failure> {
    Ok(grundy_tablebase::write(
        folder, game, table.play, table, limits,
    )?)
}
