//! Edge lists in Parquet.

use std::cell::Cell;
use std::fs::File;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use grundy::graph::Network;
use grundy::{Kind, Limits, Message, message};
use grundy_notation::Diagnostic;
use grundy_notation::edges::Edges;
use parquet::basic::{Compression, ConvertedType, LogicalType};
use parquet::column::reader::ColumnReader;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};

/// Rows read at once.
const BATCH: usize = 1 << 13;

/// Reads the columns `from` and `to`: strings or whole numbers; a null or empty `to` names a vertex alone.
pub(super) fn read(input: File, limits: &Limits<'_>) -> Result<Network, Diagnostic> {
    caught(|| rows(input, limits))
        .unwrap_or_else(|| Err(broken(&message!("its pages contradict each other"))))
}

thread_local! {
    /// Whether this thread is within the reader of Parquet.
    static READING: Cell<bool> = const { Cell::new(false) };
}

/// What `read` gives; nothing where it panics: the reader promises no error for every broken file, and what it cannot bear is
/// caught here.
///
/// Rust reports a panic by a hook that all threads share, so that swapping it for the time of a reading would silence, or
/// even lose, the reports of others. It is wrapped once instead, and keeps silent for a thread that is reading.
fn caught<T>(read: impl FnOnce() -> T) -> Option<T> {
    static WRAPPED: Once = Once::new();
    WRAPPED.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |what| {
            if !READING.get() {
                report(what);
            }
        }));
    });
    READING.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(read));
    READING.set(false);
    result.ok()
}

fn broken(why: &Message) -> Diagnostic {
    Diagnostic::new(Kind::Io, message!("the Parquet file is broken: {why}", why))
        .help(message!("write it again, or give the moves as CSV"))
}

fn failed(error: ParquetError) -> Diagnostic {
    let error = match error {
        ParquetError::General(message) | ParquetError::EOF(message) => message,
        other => other.to_string(),
    };
    broken(&message!("{error}", error))
}

fn rows(input: File, limits: &Limits<'_>) -> Result<Network, Diagnostic> {
    let reader = SerializedFileReader::new(input).map_err(failed)?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let column = |name: &str| {
        let found = schema
            .columns()
            .iter()
            .position(|column| column.name() == name);
        found.ok_or_else(|| {
            let message = message!("there is no column `{name}`", name);
            Diagnostic::new(Kind::Syntax, message).help(message!("the columns are `from` and `to`"))
        })
    };
    let (from, to) = (column("from")?, column("to")?);
    check_compression(&reader)?;
    let mut edges = Edges::new(limits);
    let mut row = 0u64;
    for index in 0..reader.num_row_groups() {
        let group = reader.get_row_group(index).map_err(failed)?;
        let mut sources = Column::open(&*group, from, "from")?;
        let mut targets = Column::open(&*group, to, "to")?;
        loop {
            let (read, also) = (sources.read()?, targets.read()?);
            if read != also {
                return Err(broken(&message!("its columns differ in length")));
            }
            if read == 0 {
                break;
            }
            for index in 0..read {
                row += 1;
                let at = |mut diagnostic: Diagnostic| {
                    if diagnostic.kind != Kind::Limit {
                        diagnostic.message =
                            message!("row {row}: {what}", row, what = diagnostic.message);
                    }
                    diagnostic
                };
                let source = sources.name(index).map_err(at)?.unwrap_or_default();
                if source.is_empty() {
                    return Err(at(Diagnostic::new(
                        Kind::Syntax,
                        message!("`from` is empty"),
                    )));
                }
                let target = targets.name(index).map_err(at)?;
                let target = target.filter(|target| !target.is_empty());
                edges.row(source, target).map_err(at)?;
            }
        }
    }
    edges.finish()
}

/// Refuses what this build cannot unpack, by its name.
fn check_compression(reader: &SerializedFileReader<File>) -> Result<(), Diagnostic> {
    let groups = reader.metadata().row_groups().iter();
    for column in groups.flat_map(RowGroupMetaData::columns) {
        match column.compression() {
            Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::GZIP(_) => {}
            Compression::ZSTD(_) if cfg!(feature = "zstd") => {}
            Compression::ZSTD(_) => {
                let message =
                    message!("this build reads no zstd: it was made without the feature `zstd`");
                let help =
                    message!("write the file with snappy or gzip, or build with `--features zstd`");
                return Err(Diagnostic::new(Kind::Io, message).help(help));
            }
            other => {
                // Its level in brackets says nothing here.
                let name = other.to_string();
                let name = name.split('(').next().unwrap_or_default();
                let message = message!("the compression {name} is not supported", name);
                return Err(Diagnostic::new(Kind::Io, message).help(message!(
                    "write the file with snappy, gzip, zstd or no compression"
                )));
            }
        }
    }
    Ok(())
}

/// A column being read, batch by batch.
struct Column {
    reader: ColumnReader,
    nullable: bool,
    /// The bits that a number has, where none of them is a sign.
    unsigned: Option<u64>,
    levels: Vec<i16>,
    texts: Vec<ByteArray>,
    /// For each row of the batch, which of the texts is its value.
    rows: Vec<Option<usize>>,
}

impl Column {
    fn open(group: &dyn RowGroupReader, index: usize, name: &str) -> Result<Self, Diagnostic> {
        let description = group.metadata().column(index).column_descr_ptr();
        let reader = group.get_column_reader(index).map_err(failed)?;
        let known = matches!(
            reader,
            ColumnReader::ByteArrayColumnReader(_)
                | ColumnReader::Int32ColumnReader(_)
                | ColumnReader::Int64ColumnReader(_)
        );
        let sort = description.self_type().get_basic_info().converted_type();
        let plain = matches!(
            sort,
            ConvertedType::NONE
                | ConvertedType::UTF8
                | ConvertedType::ENUM
                | ConvertedType::INT_8
                | ConvertedType::INT_16
                | ConvertedType::INT_32
                | ConvertedType::INT_64
                | ConvertedType::UINT_8
                | ConvertedType::UINT_16
                | ConvertedType::UINT_32
                | ConvertedType::UINT_64
        );
        // What has a logical type alone, such as a time in nanoseconds, is no number.
        let logical = description.logical_type_ref();
        let plain = plain
            && logical.is_none_or(|logical| {
                matches!(
                    logical,
                    LogicalType::String | LogicalType::Enum | LogicalType::Integer { .. }
                )
            });
        let bits = match reader {
            ColumnReader::Int32ColumnReader(_) => u32::MAX.into(),
            _ => u64::MAX,
        };
        if !known || !plain || description.max_rep_level() > 0 || description.max_def_level() > 1 {
            let message = message!(
                "the column `{name}` holds neither strings nor whole numbers",
                name
            );
            return Err(Diagnostic::new(Kind::Type, message));
        }
        Ok(Self {
            reader,
            nullable: description.max_def_level() == 1,
            unsigned: matches!(sort, ConvertedType::UINT_32 | ConvertedType::UINT_64)
                .then_some(bits),
            levels: Vec::new(),
            texts: Vec::new(),
            rows: Vec::new(),
        })
    }

    /// Reads the next batch; answers how many rows it has.
    fn read(&mut self) -> Result<usize, Diagnostic> {
        self.levels.clear();
        self.texts.clear();
        let levels = self.nullable.then_some(&mut self.levels);
        let unsigned = self.unsigned;
        let digits = |n: i64| {
            let digits = match unsigned {
                Some(bits) => (n as u64 & bits).to_string(),
                None => n.to_string(),
            };
            ByteArray::from(digits.into_bytes())
        };
        let rows = match &mut self.reader {
            ColumnReader::ByteArrayColumnReader(reader) => {
                let read = reader.read_records(BATCH, levels, None, &mut self.texts);
                read.map_err(failed)?.0
            }
            ColumnReader::Int32ColumnReader(reader) => {
                let mut numbers = Vec::new();
                let read = reader.read_records(BATCH, levels, None, &mut numbers);
                self.texts
                    .extend(numbers.into_iter().map(|n: i32| digits(n.into())));
                read.map_err(failed)?.0
            }
            ColumnReader::Int64ColumnReader(reader) => {
                let mut numbers = Vec::new();
                let read = reader.read_records(BATCH, levels, None, &mut numbers);
                self.texts.extend(numbers.into_iter().map(digits));
                read.map_err(failed)?.0
            }
            _ => 0,
        };
        let mut next = 0;
        self.rows.clear();
        for row in 0..rows {
            let present = !self.nullable || self.levels.get(row) == Some(&1);
            self.rows.push(present.then_some(next));
            next += usize::from(present);
        }
        if next != self.texts.len() {
            return Err(broken(&message!("its levels do not fit its values")));
        }
        Ok(rows)
    }

    /// The value in a row of the batch; nothing for a null.
    fn name(&self, row: usize) -> Result<Option<&str>, Diagnostic> {
        let Some(index) = self.rows[row] else {
            return Ok(None);
        };
        std::str::from_utf8(self.texts[index].data())
            .map(Some)
            .map_err(|_| Diagnostic::new(Kind::Encoding, message!("a name is not UTF-8")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_reader_cannot_bear_is_caught_and_the_next_reading_goes_on() {
        assert_eq!(
            caught(|| -> u8 { panic!("pages that contradict each other") }),
            None
        );
        assert!(!READING.get());
        assert_eq!(caught(|| READING.get()), Some(true));
    }
}
