//! A part of a checkpoint: some rows of one kind in a Parquet file, whose length and checksum the
//! manifest knows.

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

/// What the rows of a part are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Rows {
    /// A position: its number and its text.
    Names,
    /// A move of one of the positions of the part of names with the same place: which of them, and
    /// the number that it leads to.
    Options,
    /// A move by the vertices that it leads to and comes from.
    Moves,
    /// How many moves each vertex has.
    Degrees,
    /// What the end is worth at a vertex.
    Ends,
    /// The score of each vertex.
    Scores,
    /// The value of each vertex: see [`super::written_value`].
    Values,
    /// What has been found of a cell of a game by ranks.
    Cells,
    /// A name that was met in lists of edges: its key, which no other has, and its text.
    Keys,
    /// Where a name was met first so far, by its key: the least counts.
    Seen,
    /// An edge by the keys of its ends.
    Edges,
    /// A row of the part of edges with the same place from which on edges are of one list, and the
    /// place of that edge among all.
    Runs,
    /// A list of edges, twice its number, and how many rows of it were read; one more, and how many
    /// names it has, when that was all.
    Lists,
}

impl Rows {
    /// Columns of numbers, and perhaps one of texts.
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

    /// What stands of the same rows in a part beside.
    pub(crate) fn beside(self) -> Option<Self> {
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

    /// Returns whether few numbers come again and again, so that a dictionary of them is short.
    fn repeats(self) -> bool {
        matches!(self, Self::Degrees | Self::Scores | Self::Values)
    }
}

/// A part, as the manifest knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) kind: Rows,
    pub(crate) name: String,
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
    pub(crate) crc32: u32,
    /// Of vertices one after the other: the position of the first, and from one position to the
    /// next.
    #[serde(default)]
    pub(crate) first: u64,
    #[serde(default)]
    pub(crate) step: u64,
}

/// The rows of a part.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) numbers: [Vec<i64>; 2],
    pub(crate) texts: Vec<ByteArray>,
    /// Bytes of the texts.
    pub(crate) text: usize,
}

impl Table {
    pub(crate) fn rows(&self) -> usize {
        self.numbers[0].len()
    }

    /// Returns the file.
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
            let message = message!("a part of a checkpoint: {why}", why = error.to_string());
            Diagnostic::new(Kind::Internal, message)
        })
    }

    /// Reads the file of a part. What is not as the manifest says is nothing.
    pub(crate) fn read(part: &Part, bytes: Vec<u8>) -> Option<Self> {
        if bytes.len() as u64 != part.bytes || crc32fast::hash(&bytes) != part.crc32 {
            return None;
        }
        // The reader promises no error for every broken file.
        let read = panic::catch_unwind(AssertUnwindSafe(|| Self::columns(part, bytes)));
        read.ok()?.ok().flatten()
    }

    fn columns(part: &Part, bytes: Vec<u8>) -> Result<Option<Self>, ParquetError> {
        let (numbers, text) = part.kind.columns();
        let file = SerializedFileReader::new(Bytes::from(bytes))?;
        let rows = part.rows as usize;
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
    fn rows_come_back_and_a_truncated_or_changed_part_does_not() {
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
            let read = Table::read(&part, bytes.clone()).expect("as it was written");
            assert_eq!(read.numbers, table.numbers);
            assert_eq!(read.texts, table.texts);
            assert!(Table::read(&part, bytes[..bytes.len() - 1].to_vec()).is_none());
            let mut changed = bytes.clone();
            changed[bytes.len() / 2] ^= 1;
            assert!(Table::read(&part, changed.clone()).is_none());
            // The same with a checksum that fits: an error, or other numbers, and never a panic.
            let forged = Part {
                crc32: crc32fast::hash(&changed),
                ..part
            };
            let _ = Table::read(&forged, changed);
        }
    }
}
