//! Labels in Parquet.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::rows::{Cell, Rows};

/// Rows of a row group.
const GROUP: usize = 1 << 20;

/// Writes the table.
pub(super) fn write(table: &impl Rows, out: &mut (impl Write + Send)) -> io::Result<()> {
    let columns = table.columns();
    let fields = columns.iter().map(|column| {
        let presence = if column.full { "required" } else { "optional" };
        if column.numbers {
            format!("{presence} int64 {};", column.name)
        } else {
            format!("{presence} binary {} (string);", column.name)
        }
    });
    let schema = format!("message labels {{ {} }}", fields.collect::<String>());
    let schema = Arc::new(parse_message_type(&schema)?);
    let properties = WriterProperties::builder()
        .set_compression(packing())
        .build();
    let mut writer = SerializedFileWriter::new(out, schema, Arc::new(properties))?;
    let positions = table.positions();
    let mut row = Vec::new();
    for begin in (0..positions).step_by(GROUP) {
        let mut group: Vec<Collected> = columns.iter().map(|_| Collected::default()).collect();
        for position in begin..positions.min(begin + GROUP as u64) {
            table.row(position, &mut row).map_err(io::Error::other)?;
            for (collected, cell) in group.iter_mut().zip(&row) {
                collected.push(cell);
            }
        }
        let mut out = writer.next_row_group()?;
        for (column, collected) in columns.iter().zip(&group) {
            let levels = (!column.full).then_some(&collected.levels[..]);
            if let Some(mut writer) = out.next_column()? {
                if column.numbers {
                    let writer = writer.typed::<Int64Type>();
                    writer.write_batch(&collected.numbers, levels, None)?;
                } else {
                    let writer = writer.typed::<ByteArrayType>();
                    writer.write_batch(&collected.texts, levels, None)?;
                }
                writer.close()?;
            }
        }
        out.close()?;
    }
    writer.close()?;
    Ok(())
}

/// How labels are packed: as small as this build can.
fn packing() -> Compression {
    #[cfg(feature = "zstd")]
    return Compression::ZSTD(parquet::basic::ZstdLevel::default());
    #[cfg(not(feature = "zstd"))]
    Compression::GZIP(parquet::basic::GzipLevel::default())
}

/// A column of a row group being collected: what there is, and 1 or 0 for each row.
#[derive(Default)]
struct Collected {
    texts: Vec<ByteArray>,
    numbers: Vec<i64>,
    levels: Vec<i16>,
}

impl Collected {
    fn push(&mut self, cell: &Cell<'_>) {
        let before = self.texts.len() + self.numbers.len();
        match cell {
            Cell::Text(text) => self.texts.extend(text.as_deref().map(ByteArray::from)),
            Cell::Number(number) => self.numbers.extend(number.map(i64::from)),
            Cell::Grundy(value) => {
                let text = value.as_ref().map(|value| value.to_string().into_bytes());
                self.texts.extend(text.map(ByteArray::from));
            }
        }
        let after = self.texts.len() + self.numbers.len();
        self.levels.push((after - before) as i16);
    }
}
