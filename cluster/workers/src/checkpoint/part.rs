//! A part of a checkpoint: rows of one kind in a Parquet file. The manifest stores the length and
//! the checksum of the file.

use std::fmt::Write as _;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use bytes::Bytes;
use grundy_base::{Diagnostic, Kind, message};
use parquet::basic::{Compression, Encoding};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde::{Deserialize, Serialize};

/// The kind of the rows in a part, that is, in a file of a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Rows {
    /// A position: its number and its text. For an input graph the text is the name of the vertex.
    Names,
    /// A move of a position: the row of the position and the position number of the target. The row
    /// is an index into a part of the kind `Names`. Both parts are written together, and the part
    /// of moves is called the companion.
    Options,
    /// A move, as the vertex numbers of its target and its source. A vertex is a position with a
    /// player to move.
    Moves,
    /// The number of moves of a vertex.
    Degrees,
    /// A terminal vertex and its payoff.
    Ends,
    /// The score of a vertex: a number that encodes its outcome and remoteness.
    Scores,
    /// The value of a vertex, encoded by [`super::encode_value`].
    Values,
    /// A cell of the table of a ranked game: its index, and its content, which encodes an outcome
    /// and a remoteness.
    Cells,
    /// A name in edge lists: a unique key and the text.
    Keys,
    /// A name in edge lists, given by its key, and a place where it occurs: the list and the index
    /// within it. If several rows have the same name, the least place is valid.
    Seen,
    /// An edge, as the keys of its two names.
    Edges,
    /// The start of a run of consecutive edges of one list: the row and the place of its first
    /// edge. The row is an index into a part of the kind `Edges`. The place consists of the list
    /// number and the index within the list. This part is the companion of that part.
    Runs,
    /// The progress of reading an edge list. The first column has 2i for list i, or 2i + 1 if the
    /// list is complete. The second column has the number of rows read so far. For a complete list
    /// it has the number of names instead.
    Lists,
}

impl Rows {
    /// Returns the names of the number columns, and the name of the text column if there is one.
    fn columns(self) -> (&'static [&'static str], Option<&'static str>) {
        match self {
            Self::Names => (&["number"], Some("text")),
            Self::Options => (&["row", "to"], None),
            Self::Moves => (&["to", "from"], None),
            Self::Degrees => (&["moves"], None),
            Self::Ends => (&["vertex", "worth"], None),
            Self::Scores => (&["score"], None),
            Self::Values => (&["value"], None),
            Self::Cells => (&["cell", "moves"], None),
            Self::Keys => (&["key"], Some("text")),
            Self::Seen => (&["key", "place"], None),
            Self::Edges => (&["from", "to"], None),
            Self::Runs => (&["row", "place"], None),
            Self::Lists => (&["list", "read"], None),
        }
    }

    /// Returns the kind of the companion part, which stores further data for the same rows.
    pub(crate) fn companion(self) -> Option<Self> {
        match self {
            Self::Names => Some(Self::Options),
            Self::Edges => Some(Self::Runs),
            _ => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Names => "names",
            Self::Options => "options",
            Self::Moves => "moves",
            Self::Degrees => "degrees",
            Self::Ends => "ends",
            Self::Scores => "scores",
            Self::Values => "values",
            Self::Cells => "cells",
            Self::Keys => "keys",
            Self::Seen => "seen",
            Self::Edges => "edges",
            Self::Runs => "runs",
            Self::Lists => "lists",
        }
    }

    /// Returns whether rows of this kind have few distinct numbers, so that a dictionary is short.
    fn repeats(self) -> bool {
        matches!(self, Self::Degrees | Self::Scores | Self::Values)
    }
}

/// A part, as described in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) kind: Rows,
    pub(crate) name: String,
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
    pub(crate) crc32: u32,
    /// The position number of the first row, for kinds that have a row for each vertex. The
    /// position numbers of consecutive positions in the part differ by `step`.
    #[serde(default)]
    pub(crate) first: u64,
    #[serde(default)]
    pub(crate) step: u64,
}

/// The rows of a part in memory.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) numbers: [Vec<i64>; 2],
    pub(crate) texts: Vec<ByteArray>,
    /// Total length of the texts in bytes.
    pub(crate) text: usize,
}

impl Table {
    pub(crate) fn rows(&self) -> usize {
        self.numbers[0].len()
    }

    /// Encodes the rows as a Parquet file.
    pub(crate) fn write(&self, kind: Rows) -> Result<Vec<u8>, Diagnostic> {
        let (numbers, text) = kind.columns();
        let numbers_here = numbers.iter().map(|name| ("int64", name, ""));
        let texts_here = text.iter().map(|name| ("binary", name, "(string)"));
        let mut schema = format!("message {} {{", kind.name());
        for (sort, name, what) in numbers_here.chain(texts_here) {
            let _ = write!(schema, "required {sort} {name} {what};");
        }
        schema.push('}');
        let schema = parse_message_type(&schema);
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::None)
            .set_dictionary_enabled(kind.repeats());
        // Other numbers are mostly increasing or close together, so their differences take few
        // bytes.
        if !kind.repeats() {
            for &name in numbers {
                properties =
                    properties.set_column_encoding(name.into(), Encoding::DELTA_BINARY_PACKED);
            }
        }
        let file = || -> Result<Vec<u8>, ParquetError> {
            let properties = Arc::new(properties.build());
            let mut file = SerializedFileWriter::new(Vec::new(), Arc::new(schema?), properties)?;
            let mut group = file.next_row_group()?;
            for column in &self.numbers[..numbers.len()] {
                if let Some(mut writer) = group.next_column()? {
                    writer
                        .typed::<Int64Type>()
                        .write_batch(column, None, None)?;
                    writer.close()?;
                }
            }
            if let Some(mut writer) = group.next_column()? {
                let typed = writer.typed::<ByteArrayType>();
                typed.write_batch(&self.texts, None, None)?;
                writer.close()?;
            }
            group.close()?;
            file.into_inner()
        };
        file().map_err(|error| {
            let message = message!(
                "cannot encode a part of the checkpoint: {why}",
                why = error.to_string()
            );
            Diagnostic::new(Kind::Internal, message)
        })
    }

    /// Decodes the file of a part. Returns nothing if the file does not match the manifest.
    pub(crate) fn read(part: &Part, bytes: Vec<u8>) -> Option<Self> {
        if bytes.len() as u64 != part.bytes || crc32fast::hash(&bytes) != part.crc32 {
            return None;
        }
        // The Parquet reader may panic on a malformed file.
        let read = panic::catch_unwind(AssertUnwindSafe(|| Self::columns(part, bytes)));
        read.ok()?.ok().flatten()
    }

    fn columns(part: &Part, bytes: Vec<u8>) -> Result<Option<Self>, ParquetError> {
        let (numbers, text) = part.kind.columns();
        let file = SerializedFileReader::new(Bytes::from(bytes))?;
        let rows = part.rows as usize;
        // The numbers of columns and rows are checked before any column is read, since the caller
        // indexes the columns without checks.
        let known = file.metadata().file_metadata().schema_descr().num_columns();
        if known != numbers.len() + usize::from(text.is_some()) || file.num_row_groups() != 1 {
            return Ok(None);
        }
        let (group, mut table) = (file.get_row_group(0)?, Self::default());
        if group.metadata().num_rows() as u64 != part.rows {
            return Ok(None);
        }
        for (index, column) in table.numbers[..numbers.len()].iter_mut().enumerate() {
            let ColumnReader::Int64ColumnReader(mut reader) = group.get_column_reader(index)?
            else {
                return Ok(None);
            };
            while column.len() < rows {
                // `read_records` may return fewer rows than requested, at the end of a page.
                let (read, ..) = reader.read_records(rows - column.len(), None, None, column)?;
                if read == 0 {
                    return Ok(None);
                }
            }
        }
        if text.is_some() {
            let ColumnReader::ByteArrayColumnReader(mut reader) =
                group.get_column_reader(numbers.len())?
            else {
                return Ok(None);
            };
            while table.texts.len() < rows {
                let left = rows - table.texts.len();
                let (read, ..) = reader.read_records(left, None, None, &mut table.texts)?;
                if read == 0 {
                    return Ok(None);
                }
            }
        }
        Ok(Some(table))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(kind: Rows, table: &Table) -> (Part, Vec<u8>) {
        let bytes = table.write(kind).unwrap_or_default();
        let part = Part {
            kind,
            name: String::new(),
            rows: table.rows() as u64,
            bytes: bytes.len() as u64,
            crc32: crc32fast::hash(&bytes),
            first: 0,
            step: 1,
        };
        (part, bytes)
    }

    #[test]
    fn rows_round_trip_and_damaged_parts_are_rejected() {
        let names = Table {
            numbers: [vec![7, 3, i64::MAX], Vec::new()],
            texts: ["", "nim(3)", "\u{4e2d}"].map(ByteArray::from).to_vec(),
            text: 9,
        };
        let moves = Table {
            numbers: [(0..5000).collect(), (0..5000).rev().collect()],
            ..Table::default()
        };
        for (kind, table) in [(Rows::Names, names), (Rows::Moves, moves)] {
            let (part, bytes) = part(kind, &table);
            let read = Table::read(&part, bytes.clone()).expect("an undamaged part");
            assert_eq!(read.numbers, table.numbers);
            assert_eq!(read.texts, table.texts);
            assert!(Table::read(&part, bytes[..bytes.len() - 1].to_vec()).is_none());
            let mut changed = bytes.clone();
            changed[bytes.len() / 2] ^= 1;
            assert!(Table::read(&part, changed.clone()).is_none());
            // The same damage with a matching checksum. An error or wrong numbers are allowed, but
            // a panic is not.
            let forged = Part {
                crc32: crc32fast::hash(&changed),
                ..part
            };
            let _ = Table::read(&forged, changed);
        }
    }
}
