//! Matrices and tables in LaTeX: environments such as `pmatrix`, `array` and `tabular`.

use std::ops::Range;

use grundy_base::{Diagnostic, Kind, message};

use super::grid::{Grid, Separator};

/// Environments that contain the cells of a table.
const TABLES: [&str; 13] = [
    "matrix",
    "pmatrix",
    "bmatrix",
    "Bmatrix",
    "vmatrix",
    "Vmatrix",
    "smallmatrix",
    "array",
    "tabular",
    "tabular*",
    "tabularx",
    "longtable",
    "tblr",
];

/// Commands between rows, which only draw lines or set colours.
const RULES: [&str; 8] = [
    "hline",
    "toprule",
    "midrule",
    "bottomrule",
    "cline",
    "cmidrule",
    "noalign",
    "rowcolor",
];

const BEGIN: &str = "\\begin{";

/// Returns whether a text contains a table in LaTeX, or only the rows of one.
pub(super) fn is_latex(text: &str) -> bool {
    table(text, 0).is_some() || (text.contains('&') && text.contains("\\\\"))
}

/// Finds the first table from `from` on. Returns the name of its environment, and the place after
/// its `\begin{...}`.
fn table(text: &str, from: usize) -> Option<(&str, usize)> {
    let begins = text[from..].match_indices(BEGIN);
    begins
        .map(|(at, _)| from + at + BEGIN.len())
        .find_map(|at| {
            let rest = text.get(at..)?;
            let name = TABLES.into_iter().find(|name| {
                rest.strip_prefix(name)
                    .is_some_and(|rest| rest.starts_with('}'))
            })?;
            Some((&rest[..name.len()], at + name.len() + 1))
        })
}

/// Splits a table into its cells.
pub(super) fn grid(text: &str, start: usize) -> Result<Grid<'_>, Diagnostic> {
    let mut grid = Grid::new(text, Separator::Mark('&'));
    let Some((name, body)) = table(text, start) else {
        rows(text, start..text.len(), &mut grid)?;
        return Ok(grid);
    };
    let end_mark = format!("\\end{{{name}}}");
    let Some(length) = text[body..].find(&end_mark) else {
        let message = message!("this environment has no `{end}`", end = &end_mark[..]);
        return Err(Diagnostic::new(Kind::Syntax, message).at(body - name.len() - 1..body - 1));
    };
    let end = body + length;
    if let Some((_, other)) = table(text, end) {
        let message = message!("there is more than one matrix");
        return Err(Diagnostic::new(Kind::IllegalPosition, message)
            .at(other - 1..other)
            .help(message!(
                "write one matrix; equilibria of games with two payoff matrices are not computed"
            )));
    }
    // `array` and `tabular` have the alignment of the columns as an argument, and may have options
    // before it.
    let arguments = match name {
        "array" | "tabular" | "longtable" | "tblr" => 1,
        "tabular*" | "tabularx" => 2,
        _ => 0,
    };
    let mut at = body;
    for _ in 0..arguments {
        at = after_group(
            text,
            after_group(text, at, end, ['[', ']']),
            end,
            ['{', '}'],
        );
    }
    rows(text, at..end, &mut grid)?;
    Ok(grid)
}

/// Returns the place after a group such as `{cc|c}` at `at`, or `at` if there is none.
fn after_group(text: &str, at: usize, end: usize, [open, close]: [char; 2]) -> usize {
    let rest = &text[at..end];
    let start = rest.len() - rest.trim_start().len();
    if !rest[start..].starts_with(open) {
        return at;
    }
    let mut depth = 0;
    for (index, c) in rest[start..].char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return at + start + index + 1;
            }
        }
    }
    at
}

/// Adds the rows of the body of an environment.
fn rows(text: &str, body: Range<usize>, grid: &mut Grid<'_>) -> Result<(), Diagnostic> {
    let mut cell = body.start;
    let mut row = body.start;
    let mut cells = 0;
    let mut depth = 0_u32;
    let mut at = body.start;
    while at < body.end {
        let rest = &text[at..body.end];
        let first = rest.chars().next().unwrap_or(' ');
        match first {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '%' => {
                // A comment. It ends the line, and the cell goes on after it only if it is empty.
                let line = rest.find('\n').unwrap_or(rest.len());
                if text[cell..at].trim().is_empty() {
                    cell = at + line;
                }
                at += line;
                continue;
            }
            '&' if depth == 0 => {
                grid.push(trimmed(text, cell..at))?;
                cells += 1;
                cell = at + 1;
            }
            '\\' => {
                let next = rest[1..].chars().next().unwrap_or(' ');
                let letters = rest[1..]
                    .find(|c: char| !c.is_ascii_alphabetic())
                    .unwrap_or(rest.len() - 1);
                let command = &rest[1..=letters];
                if depth == 0 && (next == '\\' || command == "cr" || command == "tabularnewline") {
                    end_row(text, cell..at, row, cells, grid)?;
                    at += 1 + if next == '\\' { 1 } else { letters };
                    at = after_group(text, at, body.end, ['[', ']']);
                    (cell, row, cells) = (at, at, 0);
                    continue;
                }
                if RULES.contains(&command) && text[cell..at].trim().is_empty() {
                    at += 1 + letters;
                    at = after_group(text, at, body.end, ['(', ')']);
                    at = after_group(text, at, body.end, ['[', ']']);
                    at = after_group(text, at, body.end, ['{', '}']);
                    (cell, row) = (at, at);
                    continue;
                }
                // The character after a backslash is part of the command.
                at += 1 + if letters == 0 {
                    next.len_utf8()
                } else {
                    letters
                };
                continue;
            }
            _ => {}
        }
        at += first.len_utf8();
    }
    end_row(text, cell..body.end, row, cells, grid)
}

/// Adds the last cell of a row, and completes the row. A row without any cell is skipped.
fn end_row(
    text: &str,
    cell: Range<usize>,
    row: usize,
    cells: usize,
    grid: &mut Grid<'_>,
) -> Result<(), Diagnostic> {
    let end = cell.end;
    if cells > 0 || !text[cell.clone()].trim().is_empty() {
        grid.push(trimmed(text, cell))?;
        grid.end_row(trimmed(text, row..end))?;
    }
    Ok(())
}

/// Returns a range without the white space at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let content = &text[range.clone()];
    let start = range.start + (content.len() - content.trim_start().len());
    start..start + content.trim().len()
}
