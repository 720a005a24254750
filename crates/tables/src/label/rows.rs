//! Labels (outcome, remoteness and value of each position) as rows of a table.

use std::borrow::Cow;

use grundy_core::graph::DrawLevels;
use grundy_core::values::loopy::Loopy;
use grundy_core::{Diagnostic, GameGraph, Labelled, Message, Play};

/// A labelled game graph, which is written as a table with one row for each position.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) game: GameGraph,
    pub(super) labelled: Labelled,
    pub(super) play: Play,
    /// `true` if there are columns for optimal moves.
    pub(super) best_move: bool,
    /// The levels of the draws, if there are columns for them.
    pub(super) draw_levels: Option<DrawLevels>,
    /// Remarks about how the files with the graph were read.
    pub(super) notes: Vec<Message>,
}

/// The content of a cell of the table. `None` is an empty cell.
#[derive(Debug)]
pub enum Cell<'a> {
    /// A text.
    Text(Option<Cow<'a, str>>),
    /// A number.
    Number(Option<u32>),
    /// A Grundy value.
    Grundy(Option<Loopy>),
}

/// A column of the table.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// The name of the column.
    pub name: &'static str,
    /// `true` if the column holds numbers, `false` if it holds texts.
    pub numbers: bool,
    /// `true` if no cell of the column is empty.
    pub full: bool,
}

impl Column {
    const fn texts(name: &'static str) -> Self {
        Self {
            name,
            numbers: false,
            full: false,
        }
    }

    const fn numbers(name: &'static str) -> Self {
        Self {
            numbers: true,
            ..Self::texts(name)
        }
    }

    const fn full(self) -> Self {
        Self { full: true, ..self }
    }
}

/// A table of labelled positions. It has one row for each position.
pub trait Rows {
    /// Returns the number of positions.
    fn positions(&self) -> u64;

    /// Returns the number of moves in all positions, if it is known.
    fn edges(&self) -> Option<usize>;

    /// Returns the kind of play.
    fn play(&self) -> Play;

    /// Returns whether the game is partizan. Then there are columns of remoteness and of best moves
    /// for each player.
    fn by_player(&self) -> bool;

    /// Returns whether there are columns for optimal moves.
    fn best_move(&self) -> bool;

    /// Returns whether there are columns for the levels of draws.
    fn draw_levels(&self) -> bool {
        false
    }

    /// Returns remarks about how the input was read.
    fn notes(&self) -> &[Message] {
        &[]
    }

    /// Fills `row` with the cells of row `position`, one for each column.
    ///
    /// # Errors
    /// An error from the rules of the game.
    fn row<'a>(&'a self, position: u64, row: &mut Vec<Cell<'a>>) -> Result<(), Diagnostic>;

    /// Returns the columns of the table in order.
    fn columns(&self) -> Vec<Column> {
        // The columns for each player come after the four common ones. So the common columns are
        // the same in every table.
        let mut columns = vec![
            Column::texts("position").full(),
            Column::texts("outcome").full(),
            Column::numbers("remoteness"),
            Column::texts("grundy"),
        ];
        if self.by_player() {
            columns.extend(["remoteness_left", "remoteness_right"].map(Column::numbers));
        }
        if self.best_move() && self.by_player() {
            columns.extend(["move_left", "move_right"].map(Column::texts));
        } else if self.best_move() {
            columns.push(Column::texts("move"));
        }
        if self.draw_levels() {
            let names: &[&str] = if self.by_player() {
                &[
                    "draw_level_left",
                    "draw_remoteness_left",
                    "draw_level_right",
                    "draw_remoteness_right",
                ]
            } else {
                &["draw_level", "draw_remoteness"]
            };
            columns.extend(names.iter().copied().map(Column::numbers));
        }
        columns
    }
}

impl Rows for Table {
    fn positions(&self) -> u64 {
        self.game.positions().into()
    }

    fn edges(&self) -> Option<usize> {
        Some(self.game.graph.edges())
    }

    fn play(&self) -> Play {
        self.play
    }

    fn by_player(&self) -> bool {
        self.game.turns() == 2
    }

    fn best_move(&self) -> bool {
        self.best_move
    }

    fn draw_levels(&self) -> bool {
        self.draw_levels.is_some()
    }

    fn notes(&self) -> &[Message] {
        &self.notes
    }

    fn row<'a>(&'a self, position: u64, row: &mut Vec<Cell<'a>>) -> Result<(), Diagnostic> {
        // A graph has at most `u32::MAX` positions, so the cast is lossless.
        let (game, position) = (&self.game, position as u32);
        let text = |text: String| Cell::Text(Some(text.into()));
        row.clear();
        row.push(Cell::Text(Some(game.name(position))));
        let verdict = self.labelled.verdict(game, position);
        row.push(text(verdict.to_string()));
        let remoteness = self
            .labelled
            .labels(game, position)
            .map(|label| Cell::Number(label.remoteness));
        let value = Cell::Grundy(self.labelled.value(game, position));
        if self.by_player() {
            row.extend([Cell::Number(None), value]);
            row.extend(remoteness);
        } else {
            row.extend(remoteness);
            row.push(value);
        }
        if self.best_move {
            let turns = game.turns();
            row.extend((0..turns).map(|turn| {
                // Vertex `turns * position + turn` is this position with this player to move.
                let best = self.labelled.best(game, turns * position + turn);
                let name = best.map(|vertex| game.name(game.position(vertex)));
                Cell::Text(name)
            }));
        }
        if let Some(levels) = &self.draw_levels {
            let turns = game.turns();
            for vertex in turns * position..turns * (position + 1) {
                let level = levels.get(vertex);
                row.push(Cell::Number(level.map(|(level, _)| level)));
                row.push(Cell::Number(level.map(|(_, remoteness)| remoteness)));
            }
        }
        Ok(())
    }
}
