//! Tables: one row on each line, with cells separated by `;`, tabs, `|`, `,` or spaces. Tables in
//! Markdown, and the tables that pandas, R and MATLAB print, are among them.

use std::ops::Range;

use grundy_base::{Diagnostic, Kind, message};

use super::cell::Shape;
use super::grid::{Grid, Separator};

/// Splits a table into its cells.
pub(super) fn grid(text: &str, start: usize) -> Result<Grid<'_>, Diagnostic> {
    let start = after_title(text, start);
    let ends = row_ends(text, start)?;
    let separator = separator(text, start, ends)?;
    // R writes `[,1]` above the columns and `[1,]` before the rows.
    let by_r = text[start..].trim_start().starts_with("[,");
    let mut grid = Grid::new(text, separator);
    for (number, span) in lines(text, start, ends).enumerate() {
        if by_r && number == 0 {
            continue;
        }
        check_line(text, &span)?;
        let mut fields = fields(text, span.clone(), separator)?;
        if by_r
            && fields
                .first()
                .is_some_and(|first| text[first.clone()].ends_with(",]"))
        {
            fields.remove(0);
        }
        for field in fields {
            grid.push(field)?;
        }
        grid.end_row(span)?;
    }
    Ok(grid)
}

/// Returns the place after a line such as `A =`, which MATLAB prints above a matrix, or `payoffs:`.
fn after_title(text: &str, start: usize) -> usize {
    let body = &text[start..];
    let line = body.lines().next().unwrap_or_default();
    let name = line.trim_end().strip_suffix(['=', ':']).map(str::trim_end);
    let is_title = |name: &str| {
        name.chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | ' '))
    };
    match name {
        Some(name) if is_title(name) => start + line.len(),
        _ => start,
    }
}

/// The marks at which the rows of a table end.
const LINES: &[char] = &['\n'];
const LINES_AND_SEMICOLONS: &[char] = &['\n', ';'];

/// Finds out whether rows end at semicolons, as in `1 0; 0 2`. This is so if there is one line, and
/// one of its parts is neither a number nor a decimal with a comma.
fn row_ends(text: &str, start: usize) -> Result<&'static [char], Diagnostic> {
    let mut all = lines(text, start, LINES);
    let (Some(line), None) = (all.next(), all.next()) else {
        return Ok(LINES);
    };
    if !text[line.clone()].contains(';') {
        return Ok(LINES);
    }
    let parts = fields(text, line, Separator::Mark(';'))?;
    let several = |part: &Range<usize>| {
        let part = text[part.clone()].trim();
        let words = part.split([',', ' ', '\t']).filter(|word| !word.is_empty());
        let bracketed = part.starts_with(['(', '[', '{', '"']);
        words.count() > 1 && !bracketed && Shape::of(part) != Shape::Doubtful
    };
    Ok(if parts.iter().any(several) {
        LINES_AND_SEMICOLONS
    } else {
        LINES
    })
}

/// Returns the places of the lines that contain cells. Empty lines, comments, and the rules of a
/// table such as `|---|---|` are skipped.
fn lines<'a>(
    text: &'a str,
    start: usize,
    ends: &'static [char],
) -> impl Iterator<Item = Range<usize>> + use<'a> {
    let mut offset = start;
    text[start..].split_inclusive(ends).filter_map(move |line| {
        let begin = offset;
        offset += line.len();
        let content = line.trim_end_matches(['\n', '\r']);
        let content = content
            .strip_suffix(ends.get(1).copied().unwrap_or('\n'))
            .unwrap_or(content);
        let bare = content.trim();
        let skipped = bare.is_empty() || bare.starts_with('#') || is_rule(bare);
        (!skipped).then_some(begin..begin + content.len())
    })
}

/// Returns whether a line only separates the head of a table from its rows.
fn is_rule(line: &str) -> bool {
    line.contains(['-', '='])
        && line.len() > 2
        && (line.bytes()).all(|byte| matches!(byte, b'-' | b'=' | b'+' | b'|' | b':' | b' '))
        && (line.contains("--") || line.contains("==") || line.contains('|'))
}

/// Rejects lines that MATLAB writes around parts of a matrix, since they change its meaning.
fn check_line(text: &str, span: &Range<usize>) -> Result<(), Diagnostic> {
    let line = text[span.clone()].trim();
    if line.starts_with("Columns ") && line.contains(" through ") {
        let message = message!("the columns of this matrix are printed in parts");
        return Err(Diagnostic::new(Kind::Syntax, message)
            .at(span.clone())
            .help(message!(
                "write the matrix with mat2str(A), or with one row per line"
            )));
    }
    if line.ends_with('*') && line.starts_with(|c: char| c.is_ascii_digit()) {
        let message = message!("the entries of this matrix are printed with a common factor");
        return Err(Diagnostic::new(Kind::Syntax, message)
            .at(span.clone())
            .help(message!(
                "such entries are rounded: write the matrix with mat2str(A)"
            )));
    }
    Ok(())
}

/// Finds the separator of a table.
fn separator(text: &str, start: usize, ends: &'static [char]) -> Result<Separator, Diagnostic> {
    let (mut semicolon, mut tab, mut comma) = (false, false, false);
    // Whether every comma is between two digits, and whether spaces separate cells.
    let (mut tight, mut spaced) = (true, false);
    let ruled = text[start..]
        .lines()
        .any(|line| line.contains('|') && line.contains('-') && is_rule(line.trim()));
    let mut all_piped = true;
    for span in lines(text, start, ends) {
        let line = text[span].trim();
        all_piped &= line.starts_with('|');
        let bytes = line.as_bytes();
        let mut outside = Outside::default();
        // The last byte that is not a space, and whether spaces follow it.
        let (mut last, mut gap) = (b',', false);
        for (at, &byte) in bytes.iter().enumerate() {
            if !outside.step(byte) {
                continue;
            }
            match byte {
                // A semicolon at the end of a line ends a row, as in MATLAB.
                b';' => semicolon |= at + 1 < bytes.len(),
                b'\t' => tab = true,
                b',' => {
                    comma = true;
                    let after = bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
                    tight &= !gap && last.is_ascii_digit() && after;
                }
                _ => {}
            }
            if byte == b' ' {
                gap = true;
            } else {
                spaced |= gap && last != b',' && byte != b',';
                (last, gap) = (byte, false);
            }
        }
    }
    if ruled || all_piped {
        return Ok(Separator::Mark('|'));
    }
    if semicolon {
        return Ok(Separator::Mark(';'));
    }
    if tab && is_whole(text, start, ends)? {
        return Ok(Separator::Mark('\t'));
    }
    if !comma {
        return Ok(Separator::Space);
    }
    if tight && spaced && commas_are_in_numbers(text, start, ends)? {
        return Ok(Separator::Space);
    }
    Ok(Separator::Mark(','))
}

/// Returns whether the commas of a table with spaces and commas are decimal points, as in `1,5 2`,
/// so that spaces separate the cells. If they are not, commas separate the cells.
fn commas_are_in_numbers(
    text: &str,
    start: usize,
    ends: &'static [char],
) -> Result<bool, Diagnostic> {
    let (mut named, mut paired) = (None, true);
    for span in lines(text, start, ends) {
        let line = &text[span.clone()];
        if (line.split_whitespace()).any(|word| word.bytes().filter(|&c| c == b',').count() > 1) {
            return Ok(false);
        }
        if line.contains(char::is_alphabetic) {
            named.get_or_insert(span.clone());
        }
        let fields = fields(text, span, Separator::Mark(','))?;
        paired &= (fields.iter()).all(|field| text[field.clone()].split_whitespace().count() == 2);
    }
    // In `up 1,5` the name is either `up` or `up 1`.
    if let Some(line) = named {
        let message = message!("the cells of this line can be separated in more than one way");
        return Err(Diagnostic::new(Kind::Syntax, message)
            .at(line)
            .help(message!("separate the cells by `;` or by tabs")));
    }
    // The cells of `1 0,0 1` consist of two payoffs.
    Ok(!paired)
}

/// Returns whether no cell of a table with tabs is empty, except the corner.
fn is_whole(text: &str, start: usize, ends: &'static [char]) -> Result<bool, Diagnostic> {
    for (number, span) in lines(text, start, ends).enumerate() {
        let fields = fields(text, span, Separator::Mark('\t'))?;
        let inner = fields.iter().skip(usize::from(number == 0));
        if inner
            .into_iter()
            .any(|field| text[field.clone()].trim().is_empty())
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The state of a scan that ignores separators in quotes and brackets.
#[derive(Default)]
struct Outside {
    quoted: bool,
    depth: u32,
}

impl Outside {
    /// Advances by one byte. Returns whether the byte is outside quotes and brackets.
    fn step(&mut self, byte: u8) -> bool {
        match byte {
            b'"' => self.quoted = !self.quoted,
            _ if self.quoted => return false,
            b'(' | b'[' | b'{' => self.depth += 1,
            b')' | b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        !self.quoted && self.depth == 0
    }
}

/// Splits a line into its cells.
fn fields(
    text: &str,
    span: Range<usize>,
    separator: Separator,
) -> Result<Vec<Range<usize>>, Diagnostic> {
    let mut line = span.clone();
    let trimmed = text[line.clone()].trim_end();
    line.end = line.start + trimmed.len();
    // A semicolon at the end of a row is MATLAB's; a bar at either end is Markdown's.
    match separator {
        Separator::Space if trimmed.ends_with(';') => line.end -= 1,
        Separator::Mark('|') => {
            line.start += trimmed.len() - trimmed.trim_start().len();
            line.start += usize::from(text[line.clone()].starts_with('|'));
            line.end -= usize::from(text[line.clone()].ends_with('|'));
        }
        _ => {}
    }
    let mut fields = Vec::new();
    let mut outside = Outside::default();
    let mut begin = line.start;
    for (at, byte) in text[line.clone()].bytes().enumerate() {
        let at = line.start + at;
        let splits = outside.step(byte)
            && match separator {
                Separator::Mark(mark) => char::from(byte) == mark,
                Separator::Space => byte == b' ' || byte == b'\t',
            };
        if splits {
            fields.push(begin..at);
            begin = at + 1;
        }
    }
    fields.push(begin..line.end);
    if outside.quoted || outside.depth > 0 {
        let message = message!("a quote or a bracket is not closed on its line");
        return Err(Diagnostic::new(Kind::Syntax, message).at(span));
    }
    if separator == Separator::Space {
        // The program itself writes a bar after the number of a row.
        fields.retain(|field| !field.is_empty() && &text[field.clone()] != "|");
    }
    for field in &mut fields {
        let content = &text[field.clone()];
        let bare = content.trim();
        if !bare.is_empty() {
            let start = field.start + (content.len() - content.trim_start().len());
            *field = start..start + bare.len();
        }
    }
    Ok(fields)
}
