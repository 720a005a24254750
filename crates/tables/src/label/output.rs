//! Writing of labels as a table in a file or on standard output.

use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use grundy_core::values::loopy::Loopy;
use grundy_core::{Diagnostic, Kind, message};
use serde::ser::{Error as _, SerializeMap as _, SerializeSeq as _};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::rows::{Cell, Rows};
use grundy_job::csv::Records;
use grundy_job::files::{self, Files};
use grundy_job::graph_file::without_parquet;
use grundy_wording::report::Words;
use grundy_wording::{Audience, message_text};

/// A format of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values.
    Csv,
    /// One JSON object.
    Json,
    /// An Apache Parquet file.
    Parquet,
}

impl Format {
    /// Returns the format for the extension of a file name.
    pub(super) fn of(file: &Path) -> Result<Self, Diagnostic> {
        let ending = file.extension().and_then(|ending| ending.to_str());
        match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("csv") => Ok(Self::Csv),
            Some("json") => Ok(Self::Json),
            Some("parquet") if cfg!(feature = "parquet") => Ok(Self::Parquet),
            Some("parquet") => Err(without_parquet()),
            _ => {
                let message = message!("{file}: unknown file extension", file = file.display());
                Err(Diagnostic::new(Kind::Io, message)
                    .help(message!("use .csv, .json or .parquet")))
            }
        }
    }
}

/// Writes the table to a file atomically.
///
/// # Errors
/// A missing permission, a file that cannot be written, or an error of the rows.
pub fn to_file(
    table: &(impl Rows + ?Sized),
    format: Format,
    file: &Path,
    files: &Files,
) -> Result<(), Diagnostic> {
    files::write(files, file, |out| match format {
        #[cfg(feature = "parquet")]
        Format::Parquet => super::parquet::write(table, out),
        _ => rows(table, format, 0..table.positions(), out),
    })
}

/// Writes the table as CSV or JSON.
///
/// # Errors
/// An error of `out` or of the rows.
pub fn write(table: &(impl Rows + ?Sized), format: Format, out: impl Write) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    rows(table, format, 0..table.positions(), &mut out)?;
    out.flush()
}

/// Writes a range of rows as CSV or JSON. If the range contains the first row of the table, writes
/// the header first. If it contains the last row, writes the footer last. So the outputs for
/// consecutive ranges can be concatenated.
///
/// # Errors
/// An error of `out` or of the rows.
pub fn rows(
    table: &(impl Rows + ?Sized),
    format: Format,
    rows: Range<u64>,
    out: &mut impl Write,
) -> io::Result<()> {
    match format {
        Format::Csv => csv(table, rows, out),
        Format::Json => json(table, rows, out),
        Format::Parquet => Err(io::ErrorKind::Unsupported.into()),
    }
}

fn csv(table: &(impl Rows + ?Sized), rows: Range<u64>, out: &mut impl Write) -> io::Result<()> {
    let mut out = Records::new(out);
    if rows.start == 0 {
        out.write(table.columns().iter().map(|column| column.name))?;
    }
    let mut row = Vec::new();
    for position in rows {
        table.row(position, &mut row).map_err(io::Error::other)?;
        for cell in &row {
            match cell {
                Cell::Text(Some(text)) => out.field(text.as_bytes()),
                Cell::Number(Some(number)) => out.field(number.to_string()),
                Cell::Grundy(Some(value)) => out.field(value.to_string()),
                Cell::Text(None) | Cell::Number(None) | Cell::Grundy(None) => out.field(""),
            }
        }
        out.end()?;
    }
    Ok(())
}

fn json(table: &(impl Rows + ?Sized), rows: Range<u64>, out: &mut impl Write) -> io::Result<()> {
    let positions = table.positions();
    let play = table.play();
    if rows.start == 0 {
        write!(out, r#"{{"play": "{play}", "#)?;
        if !table.notes().is_empty() {
            // A file is read by programs, so its sentences are in English.
            let audience = Audience::default();
            let notes: Value = (table.notes().iter())
                .map(|note| message_text(note, audience))
                .collect();
            write!(out, r#""notes": {notes}, "#)?;
        }
        write!(out, r#""vertices": {positions}, "#)?;
        if let Some(edges) = table.edges() {
            write!(out, r#""edges": {edges}, "#)?;
        }
        writeln!(out, r#""positions": ["#)?;
    }
    let (mut row, last) = (Vec::new(), rows.end == positions);
    for position in rows {
        table.row(position, &mut row).map_err(io::Error::other)?;
        let object = Value::Object(object(table, &row));
        // Only the last row of the whole table has no comma. It need not be in this range.
        let separator = if position + 1 == positions { "" } else { "," };
        writeln!(out, "{object}{separator}")?;
    }
    if last {
        writeln!(out, "]}}")?;
    }
    Ok(())
}

/// Returns a row as a JSON object. If there is no Grundy value, the object has no key for it.
fn object(table: &(impl Rows + ?Sized), row: &[Cell<'_>]) -> Map<String, Value> {
    let mut object = Map::new();
    for (column, cell) in table.columns().iter().zip(row) {
        let value = match cell {
            Cell::Grundy(None) => continue,
            // In a partizan game, there is one remoteness for each player instead.
            Cell::Number(None) if column.name == "remoteness" && table.by_player() => continue,
            Cell::Text(text) => json!(text),
            Cell::Number(number) => json!(number),
            Cell::Grundy(Some(Loopy::Finite(value))) => json!(value),
            Cell::Grundy(Some(Loopy::Infinite(set))) => json!({ "infinity": set }),
        };
        object.insert(column.name.to_owned(), value);
    }
    object
}

/// A view of the table that is serialized as one JSON object, row by row. It also has remarks about
/// how the input was read.
pub(super) struct View<'a, T: ?Sized> {
    table: &'a T,
    notes: Vec<String>,
}

impl<'a, T: Rows + ?Sized> View<'a, T> {
    pub(super) fn new(table: &'a T, words: Words) -> Self {
        let notes = table.notes().iter();
        Self {
            table,
            notes: notes
                .map(|note| message_text(note, words.audience()))
                .collect(),
        }
    }
}

impl<T: Rows + ?Sized> Serialize for View<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { table, notes } = self;
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("play", &table.play().to_string())?;
        if !notes.is_empty() {
            map.serialize_entry("notes", notes)?;
        }
        map.serialize_entry("vertices", &table.positions())?;
        if let Some(edges) = table.edges() {
            map.serialize_entry("edges", &edges)?;
        }
        map.serialize_entry("positions", &Positions(*table))?;
        map.end()
    }
}

struct Positions<'a, T: ?Sized>(&'a T);

impl<T: Rows + ?Sized> Serialize for Positions<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(table) = self;
        let mut list = to.serialize_seq(None)?;
        let mut row = Vec::new();
        for position in 0..table.positions() {
            let read = table.row(position, &mut row);
            read.map_err(|error| S::Error::custom(&*error.message))?;
            list.serialize_element(&object(*table, &row))?;
        }
        list.end()
    }
}
