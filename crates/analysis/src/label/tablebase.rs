//! Labels as a tablebase.

use std::path::Path;

use grundy::ruleset::Ends;
use grundy::{Diagnostic, Limits};
use grundy_tablebase::{GameKind, Record, Rows};

use super::output::Table;

impl Rows for Table<'_> {
    fn len(&self) -> u32 {
        self.game.positions()
    }

    fn key(&self, number: u32) -> &str {
        self.game.names.get(number)
    }

    fn kind(&self) -> GameKind {
        match (self.game.nature.ends, self.game.turns()) {
            (Ends::Payoff, _) => GameKind::Ties,
            (Ends::LastMove, 1) => GameKind::Impartial,
            (Ends::LastMove, _) => GameKind::Partizan,
        }
    }

    fn record(&self, vertex: u32) -> Record {
        let label = self.labelled.label(vertex);
        let best = self
            .best_move
            .then(|| self.labelled.best(self.game, vertex));
        Record {
            outcome: label.outcome,
            remoteness: label.remoteness,
            value: self.labelled.value(self.game, vertex),
            best: best.flatten().map(u64::from),
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
) -> Result<(), Diagnostic> {
    grundy_tablebase::write(folder, game, table.play, table, limits)
}
