//! Tablebases as a source of labels for a solver.

use std::cell::RefCell;
use std::sync::Arc;

use grundy_core::graph::Label;
use grundy_core::solve::{GameValue, LabelSource};
use grundy_core::values::loopy::Loopy;
use grundy_core::{Diagnostic, Player, Position, Stop};
use grundy_tablebase::Record;

use super::OpenTable;

/// An open tablebase from which a solver takes the labels of positions.
#[derive(Debug)]
pub struct TableLabels(RefCell<OpenTable>);

impl TableLabels {
    #[must_use]
    /// Wraps an open tablebase.
    pub fn new(table: OpenTable) -> Self {
        Self(RefCell::new(table))
    }

    /// Returns the record (outcome, remoteness and value) of a position with `player` to move.
    /// Returns `None` if the table does not contain the position.
    fn record(&self, position: &Position, player: Player) -> Result<Option<Record>, Stop> {
        let table = &mut *self.0.borrow_mut();
        let record = table.number_of(position).and_then(|number| {
            let Some(number) = number else {
                return Ok(None);
            };
            let turns = table.table().turns();
            let turn = if turns == 2 { player as u64 } else { 0 };
            table.table().record(turns * number + turn).map(Some)
        });
        // The solver accepts only a `Stop` as an error. So an unreadable table is reported in the
        // same way as rules that fail.
        record.map_err(|error: Diagnostic| Stop::Rules(Arc::new(error)))
    }
}

impl LabelSource for TableLabels {
    fn label_of(&self, position: &Position, player: Player) -> Result<Option<Label>, Stop> {
        let record = self.record(position, player)?;
        Ok(record.map(|record| Label {
            outcome: record.outcome,
            remoteness: record.remoteness,
        }))
    }

    fn value_of(&self, position: &Position) -> Result<Option<GameValue>, Stop> {
        let record = self.record(position, position.first_player())?;
        Ok(record
            .and_then(|record| record.value)
            .map(|value| match value {
                Loopy::Finite(value) => GameValue::Nimber(value),
                Loopy::Infinite(set) => GameValue::Infinity(set),
            }))
    }
}
