//! A writer of CSV files.

use std::io::{self, Write};

use csv_core::Writer;

/// A writer of CSV records. It quotes a field only if necessary.
///
/// ```
/// use grundy_job::csv::Records;
/// let mut out = Vec::new();
/// let mut records = Records::new(&mut out);
/// records.write(["position", "outcome"])?;
/// records.field("nim(3, 4)");
/// records.field("N");
/// records.end()?;
/// assert_eq!(out, b"position,outcome\n\"nim(3, 4)\",N\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Records<W> {
    out: W,
    writer: Writer,
    /// The bytes of the current record.
    record: Vec<u8>,
    /// `true` if the current record has a field.
    started: bool,
}

impl<W: Write> Records<W> {
    /// Creates a writer. `out` should be buffered, since each record is written separately.
    pub fn new(out: W) -> Self {
        Self {
            out,
            writer: Writer::new(),
            record: Vec::new(),
            started: false,
        }
    }

    /// Appends a field to the current record.
    pub fn field(&mut self, field: impl AsRef<[u8]>) {
        let (field, mut end) = (field.as_ref(), self.record.len());
        // This is room for the delimiter, for two quotes on each side, and for doubled quotes.
        self.record.resize(end + 2 * field.len() + 5, 0);
        if std::mem::replace(&mut self.started, true) {
            let (_, written) = self.writer.delimiter(&mut self.record[end..]);
            end += written;
        }
        let (_, _, written) = self.writer.field(field, &mut self.record[end..]);
        self.record.truncate(end + written);
    }

    /// Ends the current record, and writes it.
    ///
    /// # Errors
    /// Fails with the error of the output.
    pub fn end(&mut self) -> io::Result<()> {
        let end = self.record.len();
        self.record.resize(end + 4, 0);
        let (_, written) = self.writer.terminator(&mut self.record[end..]);
        self.out.write_all(&self.record[..end + written])?;
        self.record.clear();
        self.started = false;
        Ok(())
    }

    /// Writes a record with these fields.
    ///
    /// # Errors
    /// Fails with the error of the output.
    pub fn write(&mut self, fields: impl IntoIterator<Item = impl AsRef<[u8]>>) -> io::Result<()> {
        fields.into_iter().for_each(|field| self.field(field));
        self.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_if_necessary() {
        let mut out = Vec::new();
        let mut records = Records::new(&mut out);
        records.write(["", "a", ""]).unwrap();
        records
            .write(["say \"n\"", "two\nlines", "\"\"\"\""])
            .unwrap();
        records.write([""]).unwrap();
        let expected = ",a,\n\"say \"\"n\"\"\",\"two\nlines\",\"\"\"\"\"\"\"\"\"\"\n\"\"\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
