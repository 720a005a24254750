//! Reading of the columns of a Parquet file in batches.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;

use grundy::{Diagnostic, Kind, message};
use parquet::basic::{Compression, ConvertedType, LogicalType};
use parquet::column::reader::ColumnReader;
use parquet::data_type::ByteArray;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};

use super::{broken, failed};

/// Number of rows that are read at a time.
const BATCH: usize = 1 << 13;

/// Rejects a file with a compression that this build does not support.
///
/// # Errors
/// A compression that this build does not support.
// Checked for all columns at once, so that a file is not rejected after half of its rows were
// visited.
pub fn check_compression(reader: &SerializedFileReader<File>) -> Result<(), Diagnostic> {
    let groups = reader.metadata().row_groups().iter();
    for column in groups.flat_map(RowGroupMetaData::columns) {
        match column.compression() {
            Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::GZIP(_) => {}
            Compression::ZSTD(_) if cfg!(feature = "zstd") => {}
            Compression::ZSTD(_) => {
                let message =
                    message!("this build reads no zstd: it was made without the feature `zstd`");
                let help = message!(
                    "write the file with snappy or gzip, or build with the feature `zstd`"
                );
                return Err(Diagnostic::new(Kind::Io, message).help(help));
            }
            other => {
                // The text contains a level in brackets, which is irrelevant here.
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

/// A column that is read in batches.
pub struct Column {
    reader: ColumnReader,
    nullable: bool,
    /// The bits of an unsigned number, which is stored as a signed one. `None` for a signed type.
    unsigned: Option<u64>,
    levels: Vec<i16>,
    texts: Vec<ByteArray>,
    numbers: Vec<i64>,
    /// The index of each row's value among the texts or numbers. `None` is a null.
    rows: Vec<Option<usize>>,
}

impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Column").finish_non_exhaustive()
    }
}

impl Column {
    /// Opens a column of a row group.
    ///
    /// # Errors
    /// An invalid Parquet file.
    pub fn open(group: &dyn RowGroupReader, index: usize, name: &str) -> Result<Self, Diagnostic> {
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
        // A type with a logical type alone, such as a time in nanoseconds, has no converted type
        // and would pass as plain.
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
        // A repeated or nested column has no single value in each row.
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
            numbers: Vec::new(),
            rows: Vec::new(),
        })
    }

    /// Reads the next batch and returns its number of rows.
    ///
    /// # Errors
    /// An invalid Parquet file.
    pub fn read(&mut self) -> Result<usize, Diagnostic> {
        self.levels.clear();
        self.texts.clear();
        self.numbers.clear();
        let levels = self.nullable.then_some(&mut self.levels);
        let rows = match &mut self.reader {
            ColumnReader::ByteArrayColumnReader(reader) => {
                let read = reader.read_records(BATCH, levels, None, &mut self.texts);
                read.map_err(failed)?.0
            }
            ColumnReader::Int32ColumnReader(reader) => {
                let mut numbers = Vec::new();
                let read = reader.read_records(BATCH, levels, None, &mut numbers);
                self.numbers.extend(numbers.into_iter().map(i64::from));
                read.map_err(failed)?.0
            }
            ColumnReader::Int64ColumnReader(reader) => {
                let read = reader.read_records(BATCH, levels, None, &mut self.numbers);
                read.map_err(failed)?.0
            }
            _ => 0,
        };
        // Values are stored without gaps, so the levels decide which row each of them belongs to.
        let mut next = 0;
        self.rows.clear();
        for row in 0..rows {
            let present = !self.nullable || self.levels.get(row) == Some(&1);
            self.rows.push(present.then_some(next));
            next += usize::from(present);
        }
        // Without this check a damaged file would make `text` index out of bounds.
        if next != self.texts.len() + self.numbers.len() {
            return Err(broken(&message!("its levels do not fit its values")));
        }
        Ok(rows)
    }

    /// Returns the value in a row of the batch as a text, or `None` for a null.
    ///
    /// # Errors
    /// An invalid Parquet file.
    pub fn text(&self, row: usize) -> Result<Option<Cow<'_, str>>, Diagnostic> {
        let Some(index) = self.rows[row] else {
            return Ok(None);
        };
        if let Some(&number) = self.numbers.get(index) {
            return Ok(Some(Cow::Owned(match self.unsigned {
                // A negative stored number is a large unsigned one. The mask removes the sign
                // extension of 32 bits.
                Some(bits) => (number as u64 & bits).to_string(),
                None => number.to_string(),
            })));
        }
        let text = str::from_utf8(self.texts[index].data());
        let text =
            text.map_err(|_| Diagnostic::new(Kind::Encoding, message!("a name is not UTF-8")))?;
        Ok(Some(Cow::Borrowed(text)))
    }

    /// Returns the value in a row of the batch as a non-negative number, or `None` for a null.
    ///
    /// # Errors
    /// An invalid Parquet file, and a negative number or a text.
    pub fn number(&self, row: usize) -> Result<Option<u64>, Diagnostic> {
        let Some(index) = self.rows[row] else {
            return Ok(None);
        };
        let number = self
            .numbers
            .get(index)
            .and_then(|&number| match self.unsigned {
                Some(bits) => Some(number as u64 & bits),
                None => u64::try_from(number).ok(),
            });
        number.map(Some).ok_or_else(|| {
            let message = message!("there is something else than a number from 0 on");
            Diagnostic::new(Kind::Type, message)
        })
    }
}
