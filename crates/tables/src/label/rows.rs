//! Labels as the rows of a table.

use std::borrow::Cow;

use grundy::values::loopy::Loopy;
use grundy::{Diagnostic, GameGraph, Labelled, Play};

/// A labelled graph.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) game: GameGraph,
    pub(super) labelled: Labelled,
    pub(super) play: Play,
    /// `true` if there are columns with optimal moves.
    pub(super) best_move: bool,
}

/// What a position has in one column; a cell of nothing is left empty.
#[derive(Debug)]
pub enum Cell<'a> {
    /// A text.
    Text(Option<Cow<'a, str>>),
    /// A number.
    Number(Option<u32>),
    /// A Grundy value.
    Grundy(Option<Loopy>),
}

/// A column.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// The name of the column.
    pub name: &'static str,
    /// `true` if it holds numbers and no texts.
    pub numbers: bool,
    /// `true` if there is something in every row.
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

/// Labelled positions, row by row.
pub trait Rows {
    /// How many positions there are.
    fn positions(&self) -> u64;

    /// How many moves they have, where that is known.
    fn edges(&self) -> Option<usize>;

    /// Returns normal or misère play.
    fn play(&self) -> Play;

    /// Returns whether the players have moves of their own, so that there is a remoteness and a
    /// best move for each.
    fn by_player(&self) -> bool;

    /// Returns whether there are columns with optimal moves.
    fn best_move(&self) -> bool;

    /// Puts the cells of a position into `row`, one for each column.
    ///
    /// # Errors
    /// Rules that have no answer.
    fn row<'a>(&'a self, position: u64, row: &mut Vec<Cell<'a>>) -> Result<(), Diagnostic>;

    /// Returns the columns, in order.
    fn columns(&self) -> Vec<Column> {
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

    fn row<'a>(&'a self, position: u64, row: &mut Vec<Cell<'a>>) -> Result<(), Diagnostic> {
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
                let best = self.labelled.best(game, turns * position + turn);
                let name = best.map(|vertex| game.name(game.position(vertex)));
                Cell::Text(name)
            }));
        }
        Ok(())
    }
}
