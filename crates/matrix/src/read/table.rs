//! Tables: one row a line, entries parted by `;`, `,`, tabs or spaces.

use std::ops::Range;

use grundy_base::{Diagnostic, Kind, Message, message};

use super::{Rectangle, number};

pub(super) fn read(text: &str, start: usize, into: &mut Rectangle) -> Result<(), Diagnostic> {
    let mut offset = start;
    for line in text[start..].split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let bare = content.trim();
        if !bare.is_empty() && !bare.starts_with('#') {
            row(content, offset, into)?;
            into.end_row(offset..offset + content.len())?;
        }
        offset += line.len();
    }
    Ok(())
}

fn row(line: &str, offset: usize, into: &mut Rectangle) -> Result<(), Diagnostic> {
    let separator = [';', ','].into_iter().find(|&mark| line.contains(mark));
    let Some(separator) = separator else {
        for field in line.split_whitespace() {
            let at = offset + (field.as_ptr() as usize - line.as_ptr() as usize);
            entry(field, at..at + field.len(), into)?;
        }
        return Ok(());
    };
    let mut at = offset;
    for field in line.split(separator) {
        let bare = field.trim();
        if bare.is_empty() {
            // In the corner above names of rows nothing stands.
            let named = line
                .split(separator)
                .any(|field| is_name(unquoted(field.trim())));
            let missing = Diagnostic::new(Kind::Syntax, message!("an entry is missing"));
            return Err(missing.at(at..at + field.len().max(1)).help(if named {
                names()
            } else {
                message!("every cell of the matrix holds a number; write 0 where nothing is paid")
            }));
        }
        let begin = at + (field.len() - field.trim_start().len());
        entry(bare, begin..begin + bare.len(), into)?;
        at += field.len() + separator.len_utf8();
    }
    Ok(())
}

/// One cell.
fn entry(field: &str, at: Range<usize>, into: &mut Rectangle) -> Result<(), Diagnostic> {
    let text = unquoted(field);
    into.push_text(text, at).map_err(|refused| {
        if is_name(text) {
            refused.help(names())
        } else if text.contains(',') && number::number(&text.replacen(',', ".", 1)).is_ok() {
            refused.help(message!(
                "a decimal is written with a point: {number}",
                number = text.replacen(',', ".", 1)
            ))
        } else if text.split_whitespace().count() > 1 {
            refused.help(message!(
                "one line parts its entries by one mark: `;`, `,`, tabs or spaces; a decimal is written with a point"
            ))
        } else {
            refused
        }
    })
}

/// Returns whether a cell names a row or a column.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic())
}

fn names() -> Message {
    message!("rows and columns go by their numbers: leave their names out")
}

/// Spreadsheets put quotes around cells.
fn unquoted(field: &str) -> &str {
    field
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .map_or(field, str::trim)
}
