//! Writing labels as a table.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use grundy::values::loopy::Loopy;
use grundy::{Diagnostic, GameGraph, Kind, Labelled, Play};
use serde_json::{Map, Value, json};

use crate::files::{self, Files};

/// What is written.
pub(super) struct Table<'a> {
    pub(super) game: &'a GameGraph,
    pub(super) labelled: &'a Labelled,
    pub(super) play: Play,
    /// Whether there are columns with optimal moves.
    pub(super) best_move: bool,
}

/// What a position has in one column; a cell of nothing is left empty.
pub(super) enum Cell<'a> {
    Text(Option<Cow<'a, str>>),
    Number(Option<u32>),
    Grundy(Option<Loopy>),
}

/// A column.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(feature = "parquet"),
    expect(dead_code, reason = "only Parquet has types")
)]
pub(super) struct Column {
    pub(super) name: &'static str,
    /// Whether it holds numbers and no texts.
    pub(super) numbers: bool,
    /// Whether there is something in every row.
    pub(super) full: bool,
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

impl Table<'_> {
    /// Whether the players have moves of their own, so that there is a remoteness and a best move for each.
    fn by_player(&self) -> bool {
        self.game.turns() == 2
    }

    /// The columns, in order.
    pub(super) fn columns(&self) -> Vec<Column> {
        let mut columns = vec![
            Column::texts("position").full(),
            Column::texts("outcome").full(),
            Column::numbers("remoteness"),
            Column::texts("grundy"),
        ];
        if self.by_player() {
            columns.extend(["remoteness_left", "remoteness_right"].map(Column::numbers));
        }
        if self.best_move && self.by_player() {
            columns.extend(["move_left", "move_right"].map(Column::texts));
        } else if self.best_move {
            columns.push(Column::texts("move"));
        }
        columns
    }

    /// Puts the cells of a position into `row`, one for each column.
    pub(super) fn row<'a>(&'a self, position: u32, row: &mut Vec<Cell<'a>>) {
        let game = self.game;
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
    }
}

/// A format of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Csv,
    Json,
    Parquet,
}

impl Format {
    /// The format for a file, by its ending.
    pub(super) fn of(file: &Path) -> Result<Self, Diagnostic> {
        let ending = file.extension().and_then(|ending| ending.to_str());
        match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("csv") => Ok(Self::Csv),
            Some("json") => Ok(Self::Json),
            Some("parquet") if cfg!(feature = "parquet") => Ok(Self::Parquet),
            Some("parquet") => Err(without_parquet()),
            _ => {
                let message = format!("{}: there is no format for this ending", file.display());
                Err(Diagnostic::new(Kind::Io, message)
                    .help("the endings are .csv, .json and .parquet"))
            }
        }
    }
}

/// Parquet was left out of this build.
pub(super) fn without_parquet() -> Diagnostic {
    Diagnostic::new(Kind::Io, "this grundy was built without Parquet")
        .help("build it without --no-default-features")
}

/// Writes the file as a whole, or leaves nothing.
pub(super) fn to_file(
    table: &Table<'_>,
    format: Format,
    file: &Path,
    files: Files,
) -> Result<(), Diagnostic> {
    files::write(files, file, |out| match format {
        Format::Csv => csv(table, out),
        Format::Json => json(table, out),
        #[cfg(feature = "parquet")]
        Format::Parquet => super::parquet::write(table, out),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => Err(io::ErrorKind::Unsupported.into()),
    })
}

/// Writes CSV or JSON.
pub(super) fn write(table: &Table<'_>, format: Format, out: impl Write) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    if format == Format::Json {
        json(table, &mut out)?;
    } else {
        csv(table, &mut out)?;
    }
    out.flush()
}

fn csv(table: &Table<'_>, out: &mut impl Write) -> io::Result<()> {
    write_csv(table, out).map_err(|error| match error.into_kind() {
        // A pipe that nobody reads any more is known by its kind.
        csv::ErrorKind::Io(error) => error,
        _ => io::ErrorKind::InvalidData.into(),
    })
}

fn write_csv(table: &Table<'_>, out: &mut impl Write) -> Result<(), csv::Error> {
    let mut out = csv::Writer::from_writer(out);
    out.write_record(table.columns().iter().map(|column| column.name))?;
    let mut row = Vec::new();
    for position in 0..table.game.positions() {
        table.row(position, &mut row);
        for cell in &row {
            match cell {
                Cell::Text(Some(text)) => out.write_field(text.as_bytes())?,
                Cell::Number(Some(number)) => out.write_field(number.to_string())?,
                Cell::Grundy(Some(value)) => out.write_field(value.to_string())?,
                Cell::Text(None) | Cell::Number(None) | Cell::Grundy(None) => {
                    out.write_field("")?;
                }
            }
        }
        out.write_record(None::<&[u8]>)?;
    }
    Ok(out.flush()?)
}

fn json(table: &Table<'_>, out: &mut impl Write) -> io::Result<()> {
    let positions = table.game.positions();
    writeln!(
        out,
        r#"{{"play": "{}", "vertices": {positions}, "edges": {}, "positions": ["#,
        table.play,
        table.game.graph.edges()
    )?;
    let columns = table.columns();
    let mut row = Vec::new();
    for position in 0..positions {
        table.row(position, &mut row);
        let mut object = Map::new();
        for (column, cell) in columns.iter().zip(&row) {
            let value = match cell {
                Cell::Grundy(None) => continue,
                // It is given for each player instead.
                Cell::Number(None) if column.name == "remoteness" && table.by_player() => continue,
                Cell::Text(text) => json!(text),
                Cell::Number(number) => json!(number),
                Cell::Grundy(Some(Loopy::Finite(value))) => json!(value),
                Cell::Grundy(Some(Loopy::Infinite(set))) => json!({ "infinity": set }),
            };
            object.insert(column.name.to_owned(), value);
        }
        let separator = if position + 1 == positions { "" } else { "," };
        writeln!(out, "{}{separator}", Value::Object(object))?;
    }
    writeln!(out, "]}}")
}
