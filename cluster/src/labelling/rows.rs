//! Rows of a table that is distributed over many workers.

use std::cell::RefCell;

use grundy_cluster::{Row, TableSummary, TableWriter};
use grundy_core::implicit::dense::{Cells, Outcomes};
use grundy_core::ruleset::Ends;
use grundy_core::{Diagnostic, Kind, Outcome, Play, RankedGame, Verdict, message};

use grundy_tables::label::ranked::{CellLabel, CellLabels};
use grundy_tables::label::rows::{Cell, Rows};

/// Converts a row to the cells of the table.
fn cells(summary: &TableSummary, row: &Row, cells: &mut Vec<Cell<'_>>) {
    let outcomes: Vec<Outcome> = row.labels.iter().map(|label| label.outcome).collect();
    let payoff = summary.nature.ends == Ends::Payoff;
    let text = |text: String| Cell::Text(Some(text.into()));
    cells.clear();
    cells.push(text(row.name.clone()));
    cells.push(text(Verdict::of(payoff, &outcomes).to_string()));
    let remoteness = row
        .labels
        .iter()
        .map(|label| Cell::Number(label.remoteness));
    let value = Cell::Grundy(row.value.clone());
    if row.labels.len() == 2 {
        cells.extend([Cell::Number(None), value]);
        cells.extend(remoteness);
    } else {
        cells.extend(remoteness);
        cells.push(value);
    }
}

/// Rows in ascending order that are fetched from their workers while they are written.
pub(super) struct StreamedRows<'r, 'd, 'a> {
    pub(super) writer: &'r TableWriter<'d, 'a>,
    play: Play,
    /// `true` if the table reports the number of moves.
    counts_moves: bool,
    /// The block of rows that was fetched last.
    fetched: RefCell<Vec<Row>>,
}

impl<'r, 'd, 'a> StreamedRows<'r, 'd, 'a> {
    pub(super) fn new(writer: &'r TableWriter<'d, 'a>, play: Play, counts_moves: bool) -> Self {
        Self {
            writer,
            play,
            counts_moves,
            fetched: RefCell::default(),
        }
    }

    /// Calls `read` with row `position` and returns the result of this call. The row is fetched
    /// unless the last block contains it.
    pub(super) fn with<T>(
        &self,
        position: u64,
        read: impl FnOnce(&Row) -> T,
    ) -> Result<T, Diagnostic> {
        // Callers go through the rows in ascending order, so one block is enough as a cache.
        let mut fetched = self.fetched.borrow_mut();
        let within = |rows: &[Row]| {
            let first = rows.first()?.number;
            let place = position.checked_sub(first)? as usize;
            (place < rows.len()).then_some(place)
        };
        if within(&fetched).is_none() {
            *fetched = self.writer.rows(position)?;
        }
        let place = within(&fetched).ok_or_else(missing)?;
        Ok(read(&fetched[place]))
    }
}

fn missing() -> Diagnostic {
    Diagnostic::new(Kind::Internal, message!("a row of the table is missing"))
}

impl Rows for StreamedRows<'_, '_, '_> {
    fn positions(&self) -> u64 {
        self.writer.summary().positions
    }

    fn edges(&self) -> Option<usize> {
        self.counts_moves
            .then(|| self.writer.summary().moves as usize)
    }

    fn play(&self) -> Play {
        self.play
    }

    fn by_player(&self) -> bool {
        self.writer.summary().nature.beginners().len() == 2
    }

    fn best_move(&self) -> bool {
        false
    }

    fn row<'c>(&'c self, position: u64, row: &mut Vec<Cell<'c>>) -> Result<(), Diagnostic> {
        let summary = self.writer.summary();
        self.with(position, |found| cells(&summary, found, row))
    }
}

/// The cells of the table of a ranked game, one for each position and player to move. They are
/// fetched from their workers while they are written.
pub(super) struct StreamedCells<'r, 'd, 'a> {
    writer: &'r TableWriter<'d, 'a>,
    game: &'r dyn RankedGame,
    play: Play,
    /// The block of cells that was fetched last, with the index of its first cell.
    fetched: RefCell<(u64, Vec<u32>)>,
}

impl<'r, 'd, 'a> StreamedCells<'r, 'd, 'a> {
    pub(super) fn new(
        writer: &'r TableWriter<'d, 'a>,
        game: &'r dyn RankedGame,
        play: Play,
    ) -> Self {
        Self {
            writer,
            game,
            play,
            fetched: RefCell::default(),
        }
    }

    /// Fetches all cells, for a table that is not written to a file.
    pub(super) fn all(&self) -> Result<Outcomes, Diagnostic> {
        let all = self.game.turns() * self.game.positions();
        let mut cells = Vec::new();
        while (cells.len() as u64) < all {
            cells.append(&mut self.writer.cells(cells.len() as u64)?);
        }
        Ok(Outcomes::new(Cells::Four(cells), self.play))
    }
}

impl CellLabels for StreamedCells<'_, '_, '_> {
    fn game(&self) -> &dyn RankedGame {
        self.game
    }

    fn play(&self) -> Play {
        self.play
    }

    fn label(&self, cell: u64) -> Result<CellLabel, Diagnostic> {
        let (first, cells) = &mut *self.fetched.borrow_mut();
        let within = |first: u64, cells: &[u32]| {
            let place = cell.checked_sub(first)? as usize;
            cells.get(place).copied()
        };
        let mut found = within(*first, cells);
        if found.is_none() {
            (*first, *cells) = (cell, self.writer.cells(cell)?);
            found = within(*first, cells);
        }
        // The encoding is that of `Outcomes`: an even number is a loss. In misère play every number
        // is larger by one, so that a terminal position counts as a win.
        let number = found.ok_or_else(missing)?;
        let moves = number.checked_sub(u32::from(self.play == Play::Misere));
        let moves = moves.ok_or_else(missing)?;
        Ok((Outcome::from_win(number & 1 == 1), Some(moves)))
    }
}

/// All rows in memory, for a table that is not written to a file.
#[derive(Debug)]
pub(super) struct Gathered {
    rows: Vec<Row>,
    summary: TableSummary,
    play: Play,
    edges: Option<usize>,
}

impl Gathered {
    pub(super) fn new(streamed: &StreamedRows<'_, '_, '_>) -> Result<Self, Diagnostic> {
        let summary = streamed.writer.summary();
        let mut rows = Vec::new();
        while (rows.len() as u64) < summary.positions {
            rows.append(&mut streamed.writer.rows(rows.len() as u64)?);
        }
        Ok(Self {
            rows,
            summary,
            play: streamed.play,
            edges: streamed.edges(),
        })
    }
}

impl Rows for Gathered {
    fn positions(&self) -> u64 {
        self.summary.positions
    }

    fn edges(&self) -> Option<usize> {
        self.edges
    }

    fn play(&self) -> Play {
        self.play
    }

    fn by_player(&self) -> bool {
        self.summary.nature.beginners().len() == 2
    }

    fn best_move(&self) -> bool {
        false
    }

    fn row<'c>(&'c self, position: u64, row: &mut Vec<Cell<'c>>) -> Result<(), Diagnostic> {
        cells(&self.summary, &self.rows[position as usize], row);
        Ok(())
    }
}
