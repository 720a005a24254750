//! Tables: one row a line, entries parted by `;`, `,`, tabs or spaces.

use grundy_base::{Diagnostic, Kind, message};

use super::Rectangle;

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
            into.push_text(unquoted(field), at..at + field.len())?;
        }
        return Ok(());
    };
    let mut at = offset;
    for field in line.split(separator) {
        let bare = field.trim();
        if bare.is_empty() {
            return Err(
                Diagnostic::new(Kind::Syntax, message!("an entry is missing"))
                    .at(at..at + field.len().max(1))
                    .help(message!(
                        "every cell of the matrix holds a number; write 0 where nothing is paid"
                    )),
            );
        }
        let begin = at + (field.len() - field.trim_start().len());
        into.push_text(unquoted(bare), begin..begin + bare.len())?;
        at += field.len() + separator.len_utf8();
    }
    Ok(())
}

/// Spreadsheets put quotes around cells.
fn unquoted(field: &str) -> &str {
    field
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .map_or(field, str::trim)
}
