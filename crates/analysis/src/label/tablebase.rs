//! Labels as a tablebase.

use std::path::Path;

use grundy::graph::Names;
use grundy::ruleset::Ends;
use grundy::{Diagnostic, Limits};
use grundy_tablebase::{GameKind, Record, Rows};

use super::rows::Table;

/// A table with all its names.
struct Keyed<'a> {
    table: &'a Table<'a>,
    names: &'a Names,
}

impl Rows for Keyed<'_> {
    fn len(&self) -> u32 {
        self.table.game.positions()
    }

    fn key(&self, number: u32) -> &str {
        self.names.get(number)
    }

    fn kind(&self) -> GameKind {
        match (self.table.game.nature.ends, self.table.game.turns()) {
            (Ends::Payoff, _) => GameKind::Ties,
            (Ends::LastMove, 1) => GameKind::Impartial,
            (Ends::LastMove, _) => GameKind::Partizan,
        }
    }

    fn record(&self, vertex: u32) -> Record {
        let Table { game, labelled, .. } = *self.table;
        let label = labelled.label(vertex);
        let best = self.has_moves().then(|| labelled.best(game, vertex));
        Record {
            outcome: label.outcome,
            remoteness: label.remoteness,
            value: labelled.value(game, vertex),
            best: best.flatten().map(u64::from),
        }
    }

    fn has_values(&self) -> bool {
        self.table.labelled.has_values()
    }

    fn has_moves(&self) -> bool {
        self.table.best_move
    }
}

/// Writes the folder as a whole, or leaves nothing.
pub(super) fn write(
    table: &Table<'_>,
    folder: &Path,
    game: &str,
    limits: &Limits<'_>,
) -> Result<(), Diagnostic> {
    let names = &table.game.names(limits)?;
    grundy_tablebase::write(folder, game, table.play, &Keyed { table, names }, limits)
}
