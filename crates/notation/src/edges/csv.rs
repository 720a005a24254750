//! Edge lists in CSV, with the columns `from` and `to`.

use std::io::BufRead;

use csv_core::{ReadRecordResult, Reader};
use grundy_core::{Kind, Message, message};

use super::{MAX_NAME_BYTES, name_too_long, read_error, with_line};
use crate::Diagnostic;

/// Largest number of columns of a file.
const MAX_COLUMNS: usize = 1024;

/// A reader of CSV records. Its buffers have a fixed size.
struct Records<R> {
    input: R,
    reader: Reader,
    fields: Vec<u8>,
    ends: Vec<usize>,
    /// Number of fields in the current record.
    count: usize,
    /// The line on which the current record begins.
    line: u64,
}

impl<R: BufRead> Records<R> {
    /// Reads the next record. Returns whether there is one.
    fn advance(&mut self) -> Result<bool, Diagnostic> {
        let (mut length, mut count) = (0, 0);
        self.line = self.reader.line();
        // A record may extend over several fills of the input buffer. The output buffers have a
        // fixed size. So a quote that is not closed cannot fill the memory.
        loop {
            let input = self.input.fill_buf().map_err(|error| read_error(&error))?;
            let (result, read, written, fields_read) =
                self.reader
                    .read_record(input, &mut self.fields[length..], &mut self.ends[count..]);
            self.input.consume(read);
            length += written;
            count += fields_read;
            match result {
                ReadRecordResult::InputEmpty => {}
                // All fields of this record together are longer than the buffer. It has room for
                // two names of the greatest length.
                ReadRecordResult::OutputFull => return Err(with_line(self.line, name_too_long())),
                ReadRecordResult::OutputEndsFull => {
                    let message = message!("more than {columns} columns", columns = MAX_COLUMNS);
                    return Err(with_line(self.line, Diagnostic::new(Kind::Range, message)));
                }
                ReadRecordResult::Record => {
                    self.count = count;
                    return Ok(true);
                }
                ReadRecordResult::End => return Ok(false),
            }
        }
    }

    /// Returns a field of the current record.
    fn field(&self, index: usize) -> Result<&str, Diagnostic> {
        let field_error =
            |kind, message: Message| with_line(self.line, Diagnostic::new(kind, message));
        if index >= self.count {
            let message = message!(
                "expected {index} fields, found {count}",
                count = self.count,
                index = index + 1
            );
            return Err(field_error(Kind::Syntax, message));
        }
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        std::str::from_utf8(&self.fields[start..self.ends[index]])
            .map_err(|_| field_error(Kind::Encoding, message!("the line is not UTF-8")))
    }
}

pub(super) fn read(
    input: impl BufRead,
    mut row: impl FnMut(&str, Option<&str>) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    let mut records = Records {
        input,
        reader: Reader::new(),
        fields: vec![0; 2 * MAX_NAME_BYTES],
        ends: vec![0; MAX_COLUMNS],
        count: 0,
        line: 1,
    };
    // The two columns are found by their names. They may be in any order, and all other columns are
    // ignored.
    let mut columns = [None; 2];
    if records.advance()? {
        for index in 0..records.count {
            match records.field(index)?.trim() {
                "from" => columns[0] = Some(index),
                "to" => columns[1] = Some(index),
                _ => {}
            }
        }
    }
    let column = |index: usize, name: &str| {
        columns[index].ok_or_else(|| {
            // The columns are named in the header, so a missing column is an error on the first
            // line.
            let message = message!("there is no column `{name}`", name);
            with_line(1, Diagnostic::new(Kind::Syntax, message)).help(message!(
                "write the names of the columns in the first line: from,to"
            ))
        })
    };
    let (from, to) = (column(0, "from")?, column(1, "to")?);
    while records.advance()? {
        let line = records.line;
        let source = records.field(from)?;
        if source.is_empty() {
            let missing = Diagnostic::new(Kind::Syntax, message!("`from` is empty"));
            return Err(with_line(line, missing)
                .help(message!("only the column `to` may contain empty fields")));
        }
        let target = Some(records.field(to)?).filter(|target| !target.is_empty());
        row(source, target).map_err(|diagnostic| with_line(line, diagnostic))?;
    }
    Ok(())
}
