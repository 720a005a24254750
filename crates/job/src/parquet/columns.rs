//! Reading of the columns of a Parquet file in batches of rows.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;

use grundy_core::{Diagnostic, Kind, message};
use parquet::basic::{Compression, ConvertedType, LogicalType};
use parquet::column::reader::ColumnReader;
use parquet::data_type::ByteArray;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};

use super::{broken, failed};

/// Number of rows in a batch.
const BATCH: usize = 1 << 13;

/// Checks that this build supports the compression of all columns in a file.
///
/// # Errors
/// A compression that this build does not support.
// All columns are checked first. Otherwise a file could be rejected after half of its rows were
// visited.
pub fn check_compression(reader: &SerializedFileReader<File>) -> Result<(), Diagnostic> {
    let groups = reader.metadata().row_groups().iter();
    for column in groups.flat_map(RowGroupMetaData::columns) {
        match column.compression() {
            Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::GZIP(_) => {}
            Compression::ZSTD(_) if cfg!(feature = "zstd") => {}
            Compression::ZSTD(_) => {
                let message = message!("this program was built without zstd support");
                let help = message!(
                    "compress the file with snappy or gzip, or build grundy with the feature `zstd`"
                );
                return Err(Diagnostic::new(Kind::Io, message).help(help));
            }
            other => {
                // The text contains a compression level in brackets, which is removed.
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

/// A column of a Parquet file that is read in batches.
pub struct Column {
    reader: ColumnReader,
    nullable: bool,
    /// For an unsigned type of 32 or 64 bits, a mask with as many 1 bits as the type has. The
    /// reader returns such numbers as signed integers, and the mask converts them back. `None` for
    /// other types.
    unsigned: Option<u64>,
    levels: Vec<i16>,
    texts: Vec<ByteArray>,
    numbers: Vec<i64>,
    /// For each row of the batch, the index of its value among the texts or numbers. `None` is a
    /// null.
    rows: Vec<Option<usize>>,
}

impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Column").finish_non_exhaustive()
    }
}

impl Column {
    /// Opens a column of a row group. `name` is its name in messages.
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
        // A type that has only a logical type, such as a time in nanoseconds, has no converted
        // type. It must not be regarded as a plain number.
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
        // A repeated or nested column does not have exactly one value in each row.
        if !known || !plain || description.max_rep_level() > 0 || description.max_def_level() > 1 {
            let message = message!(
                "the column `{name}` contains neither strings nor integers",
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

    /// Reads the next batch and returns the number of its rows.
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
        // Nulls are not stored among the values. The definition levels show to which row each value
        // belongs.
        let mut next = 0;
        self.rows.clear();
        for row in 0..rows {
            let present = !self.nullable || self.levels.get(row) == Some(&1);
            self.rows.push(present.then_some(next));
            next += usize::from(present);
        }
        // Without this check, `text` could use an index out of bounds in a damaged file.
        if next != self.texts.len() + self.numbers.len() {
            return Err(broken(&message!(
                "the definition levels do not match the values"
            )));
        }
        Ok(rows)
    }

    /// Returns the value in a row of the current batch as a text. Returns `None` for a null.
    ///
    /// # Errors
    /// An invalid Parquet file.
    pub fn text(&self, row: usize) -> Result<Option<Cow<'_, str>>, Diagnostic> {
        let Some(index) = self.rows[row] else {
            return Ok(None);
        };
        if let Some(&number) = self.numbers.get(index) {
            return Ok(Some(Cow::Owned(match self.unsigned {
                // A negative stored number represents a large unsigned one. For 32 bits, the mask
                // removes the sign extension.
                Some(bits) => (number as u64 & bits).to_string(),
                None => number.to_string(),
            })));
        }
        let text = str::from_utf8(self.texts[index].data());
        let text =
            text.map_err(|_| Diagnostic::new(Kind::Encoding, message!("a name is not UTF-8")))?;
        Ok(Some(Cow::Borrowed(text)))
    }

    /// Returns the value in a row of the current batch as a non-negative number. Returns `None` for
    /// a null.
    ///
    /// # Errors
    /// An invalid Parquet file, a negative number, or a text.
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
            let message = message!("expected a non-negative integer");
            Diagnostic::new(Kind::Type, message)
        })
    }
}
