//! Writing of labels as a Parquet file.

use std::borrow::Cow;
use std::io::{self, Write};

use super::rows::{Cell, Rows};
use crate::sheet::{Field, Sheet, SheetCell};

/// Number of rows in a row group. All rows of a group are held in memory.
const GROUP: usize = 1 << 20;

/// Writes the table as a Parquet file.
pub(super) fn write(table: &(impl Rows + ?Sized), out: &mut (impl Write + Send)) -> io::Result<()> {
    let fields = table.columns().into_iter().map(|column| Field {
        name: column.name,
        numbers: column.numbers,
        full: column.full,
    });
    let mut sheet = Sheet::new(out, fields.collect(), GROUP, &[])?;
    let mut row = Vec::new();
    for position in 0..table.positions() {
        table.row(position, &mut row).map_err(io::Error::other)?;
        sheet.push(row.drain(..).map(|cell| match cell {
            Cell::Text(text) => SheetCell::Text(text),
            Cell::Number(number) => SheetCell::Number(number.map(u64::from)),
            // A Grundy value is stored as text, because it may be infinite with a set.
            Cell::Grundy(value) => SheetCell::Text(value.map(|v| Cow::Owned(v.to_string()))),
        }))?;
    }
    sheet.finish()?;
    Ok(())
}
