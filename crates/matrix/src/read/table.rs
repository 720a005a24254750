//! Tables: one row on each line, with entries separated by `;`, `,`, tabs or spaces.

use std::ops::Range;

use grundy_base::{Diagnostic, Kind, Message, message};

use super::{MatrixBuilder, number};

pub(super) fn read(
    text: &str,
    start: usize,
    builder: &mut MatrixBuilder,
) -> Result<(), Diagnostic> {
    let mut offset = start;
    for line in text[start..].split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let bare = content.trim();
        if !bare.is_empty() && !bare.starts_with('#') {
            row(content, offset, builder)?;
            builder.end_row(offset..offset + content.len())?;
        }
        offset += line.len();
    }
    Ok(())
}

fn row(line: &str, offset: usize, builder: &mut MatrixBuilder) -> Result<(), Diagnostic> {
    // A semicolon has precedence: if it is the separator, a comma is a decimal point. The error
    // then has a hint for this case.
    let separator = [';', ','].into_iter().find(|&mark| line.contains(mark));
    let Some(separator) = separator else {
        for field in line.split_whitespace() {
            let at = offset + (field.as_ptr() as usize - line.as_ptr() as usize);
            entry(field, at..at + field.len(), builder)?;
        }
        return Ok(());
    };
    let mut at = offset;
    for field in line.split(separator) {
        let bare = field.trim();
        if bare.is_empty() {
            // If the first row and column contain names, the cell in their corner is empty. The
            // hint is then to omit the names.
            let named = line
                .split(separator)
                .any(|field| is_name(unquoted(field.trim())));
            let missing = Diagnostic::new(Kind::Syntax, message!("an entry is missing"));
            return Err(missing.at(at..at + field.len().max(1)).help(if named {
                names()
            } else {
                message!(
                    "every cell of the matrix must contain a number; write 0 where nothing is paid"
                )
            }));
        }
        let begin = at + (field.len() - field.trim_start().len());
        entry(bare, begin..begin + bare.len(), builder)?;
        at += field.len() + separator.len_utf8();
    }
    Ok(())
}

/// Parses one cell.
fn entry(field: &str, at: Range<usize>, builder: &mut MatrixBuilder) -> Result<(), Diagnostic> {
    let text = unquoted(field);
    builder.push_text(text, at).map_err(|error| {
        if is_name(text) {
            error.help(names())
        } else if text.contains(',') && number::number(&text.replacen(',', ".", 1)).is_ok() {
            error.help(message!(
                "write a decimal with a point: {number}",
                number = text.replacen(',', ".", 1)
            ))
        } else if text.split_whitespace().count() > 1 {
            error.help(message!(
                "use the same separator throughout a line: `;`, `,`, tabs or spaces; write decimals with a decimal point"
            ))
        } else {
            error
        }
    })
}

/// Returns whether a cell is the name of a row or a column.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic())
}

fn names() -> Message {
    message!("rows and columns are numbered: omit their names")
}

/// Removes the quotes that spreadsheets put around cells.
fn unquoted(field: &str) -> &str {
    field
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .map_or(field, str::trim)
}
