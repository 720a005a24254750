//! A writer of a Parquet file. It receives the rows one by one.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

/// The content of a cell. `None` is a null.
pub(crate) enum SheetCell<'a> {
    Text(Option<Cow<'a, str>>),
    Number(Option<u64>),
}

/// A column of the Parquet file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    /// `true` if the column holds numbers, `false` if it holds texts.
    pub(crate) numbers: bool,
    /// `true` if no cell of the column is null.
    pub(crate) full: bool,
}

/// A Parquet file that is being written, one row group at a time.
pub(crate) struct Sheet<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    fields: Vec<Field>,
    pending: Vec<PendingColumn>,
    /// Number of rows in a row group.
    group: usize,
}

impl<W: Write + Send> Sheet<W> {
    /// Begins a file with the columns `fields` and with `group` rows in each row group. `about` is
    /// stored as metadata in the footer.
    pub(crate) fn new(
        out: W,
        fields: Vec<Field>,
        group: usize,
        about: &[(&str, String)],
    ) -> io::Result<Self> {
        let columns = fields.iter().map(|field| {
            // A required column stores no definition levels, which saves one level for each row.
            let presence = if field.full { "required" } else { "optional" };
            if field.numbers {
                format!("{presence} int64 {};", field.name)
            } else {
                format!("{presence} binary {} (string);", field.name)
            }
        });
        let schema = format!("message labels {{ {} }}", columns.collect::<String>());
        let schema = Arc::new(parse_message_type(&schema)?);
        let about = about
            .iter()
            .map(|(name, text)| KeyValue::new((*name).to_owned(), text.clone()));
        let about: Vec<KeyValue> = about.collect();
        let properties = WriterProperties::builder()
            .set_compression(compression())
            .set_key_value_metadata((!about.is_empty()).then_some(about))
            .build();
        Ok(Self {
            writer: SerializedFileWriter::new(out, schema, Arc::new(properties))?,
            pending: fields.iter().map(|_| PendingColumn::default()).collect(),
            fields,
            group,
        })
    }

    /// Appends a row, which consists of one cell for each column.
    pub(crate) fn push<'a>(
        &mut self,
        row: impl IntoIterator<Item = SheetCell<'a>>,
    ) -> io::Result<()> {
        for (column, cell) in self.pending.iter_mut().zip(row) {
            column.push(cell);
        }
        if self.rows() == self.group {
            self.flush()?;
        }
        Ok(())
    }

    /// Returns the number of rows that are not yet written.
    fn rows(&self) -> usize {
        self.pending.first().map_or(0, |column| column.levels.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut out = self.writer.next_row_group()?;
        for (field, column) in self.fields.iter().zip(&mut self.pending) {
            let levels = (!field.full).then_some(&column.levels[..]);
            if let Some(mut writer) = out.next_column()? {
                if field.numbers {
                    let writer = writer.typed::<Int64Type>();
                    writer.write_batch(&column.numbers, levels, None)?;
                } else {
                    let writer = writer.typed::<ByteArrayType>();
                    writer.write_batch(&column.texts, levels, None)?;
                }
                writer.close()?;
            }
            *column = PendingColumn::default();
        }
        out.close()?;
        Ok(())
    }

    /// Writes the rows that are left and the footer. Returns the underlying writer.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        if self.rows() > 0 {
            self.flush()?;
        }
        Ok(self.writer.into_inner()?)
    }
}

/// Returns the best compression method that this build supports.
fn compression() -> Compression {
    #[cfg(feature = "zstd")]
    return Compression::ZSTD(parquet::basic::ZstdLevel::default());
    #[cfg(not(feature = "zstd"))]
    Compression::GZIP(parquet::basic::GzipLevel::default())
}

/// The values of a column in the current row group. For each row, `levels` has the definition
/// level: 1 if the cell has a value, and 0 if it is null.
#[derive(Default)]
struct PendingColumn {
    texts: Vec<ByteArray>,
    numbers: Vec<i64>,
    levels: Vec<i16>,
}

impl PendingColumn {
    fn push(&mut self, cell: SheetCell<'_>) {
        // A vector grows only if the cell has a value, so the growth is the definition level.
        let before = self.texts.len() + self.numbers.len();
        match cell {
            SheetCell::Text(text) => self
                .texts
                .extend(text.map(|text| ByteArray::from(text.into_owned().into_bytes()))),
            SheetCell::Number(number) => self.numbers.extend(number.map(|number| number as i64)),
        }
        let after = self.texts.len() + self.numbers.len();
        self.levels.push((after - before) as i16);
    }
}
