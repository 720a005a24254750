//! A table of cells, before they are parsed: which cells are names, and what a comma means.

use std::ops::Range;

use grundy_base::{Diagnostic, Kind, Message, message};
use num_rational::BigRational;

use super::Note;
use super::builder::{MatrixBuilder, Named};
use super::cell::{Pair, Shape, counts_from_0, plain};
use super::tokens::parse_ratio;
use super::total::{CommonTotal, brief};
use crate::matrix::{MAX_ENTRIES, MAX_STRATEGIES};

/// The mark between the cells of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    /// Spaces and tabs, any number of them.
    Space,
    /// One character.
    Mark(char),
}

/// The cells of a table in row-major order, as places in the text.
pub(super) struct Grid<'a> {
    text: &'a str,
    separator: Separator,
    fields: Vec<Range<usize>>,
    /// For each row, the number of fields up to its end, and its place in the text.
    rows: Vec<(usize, Range<usize>)>,
}

/// The meaning of a comma between two digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comma {
    DecimalPoint,
    BetweenPayoffs,
}

impl<'a> Grid<'a> {
    pub(super) fn new(text: &'a str, separator: Separator) -> Self {
        Self {
            text,
            separator,
            fields: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Appends a cell to the current row.
    pub(super) fn push(&mut self, field: Range<usize>) -> Result<(), Diagnostic> {
        let start = self.rows.last().map_or(0, |(end, _)| *end);
        // One more than the limit, since the first cell may be a name.
        if self.fields.len() - start > MAX_STRATEGIES {
            let message = message!(
                "a row has more than {most_strategies} entries",
                most_strategies = MAX_STRATEGIES
            );
            return Err(Diagnostic::new(Kind::Limit, message).at(field));
        }
        if self.fields.len() > MAX_ENTRIES + 2 * MAX_STRATEGIES {
            let message = message!(
                "the matrix has more than {most_entries} entries",
                most_entries = MAX_ENTRIES
            );
            return Err(Diagnostic::new(Kind::Limit, message).at(field));
        }
        self.fields.push(field);
        Ok(())
    }

    /// Completes the current row, which is at `span` in the text. A row without cells is skipped.
    pub(super) fn end_row(&mut self, span: Range<usize>) -> Result<(), Diagnostic> {
        if self.rows.last().map_or(0, |(end, _)| *end) == self.fields.len() {
            return Ok(());
        }
        if self.rows.len() > MAX_STRATEGIES {
            let message = message!(
                "the matrix has more than {most_strategies} rows",
                most_strategies = MAX_STRATEGIES
            );
            return Err(Diagnostic::new(Kind::Limit, message).at(span));
        }
        self.rows.push((self.fields.len(), span));
        Ok(())
    }

    fn row(&self, index: usize) -> &[Range<usize>] {
        let start = index.checked_sub(1).map_or(0, |before| self.rows[before].0);
        &self.fields[start..self.rows[index].0]
    }

    fn shape(&self, field: &Range<usize>) -> Shape {
        Shape::of(&plain(&self.text[field.clone()]))
    }

    /// Returns whether the first cell of each row from `first` on is a name.
    fn rows_have_names(&self, first: usize) -> bool {
        let mut any_text = false;
        let all = (first..self.rows.len()).all(|row| {
            let shape = self.shape(&self.row(row)[0]);
            any_text |= shape == Shape::Text;
            shape.is_name() && self.row(row).len() > 1
        });
        all && any_text
    }

    /// Returns whether cells are numbers that count from 0 or 1, as pandas and R number rows and
    /// columns.
    fn count_up<'b>(&self, mut fields: impl Iterator<Item = &'b Range<usize>>) -> bool {
        let number = |field: &Range<usize>| plain(&self.text[field.clone()]).parse::<usize>();
        let Some(Ok(first @ (0 | 1))) = fields.next().map(number) else {
            return false;
        };
        let mut next = first;
        fields.all(|field| {
            next += 1;
            number(field) == Ok(next)
        })
    }

    /// Finds out whether the first row and the first column contain names. Returns the number of
    /// cells of the first row to skip before the names of columns, if it contains names.
    fn names(&self) -> (Option<usize>, bool) {
        let first = self.row(0);
        if self.rows.len() == 1 {
            return (None, self.rows_have_names(0));
        }
        let all_names = |fields: &[Range<usize>]| {
            let shapes: Vec<Shape> = fields.iter().map(|field| self.shape(field)).collect();
            shapes.iter().all(|shape| shape.is_name()) && shapes.contains(&Shape::Text)
        };
        let columns_named = all_names(first);
        let rows_named = self.rows_have_names(1);
        let rows_count = self.count_up((1..self.rows.len()).map(|row| &self.row(row)[0]));
        let body = self.row(1).len();
        if self.shape(&first[0]) == Shape::Empty && first.len() > 1 {
            let header = &first[1..];
            let counted = rows_count && self.count_up(header.iter());
            let found = rows_named || all_names(header) || counted;
            return if found {
                (Some(1), true)
            } else {
                (None, false)
            };
        }
        // In a table that is aligned by spaces, the empty corner is not a cell.
        let short = first.len() + 1 == body && self.separator == Separator::Space;
        if short && (rows_named || rows_count) && (columns_named || self.count_up(first.iter())) {
            return (Some(0), true);
        }
        if columns_named {
            return (Some(usize::from(rows_named)), rows_named);
        }
        (None, self.rows_have_names(0))
    }

    /// Finds out whether the first row is the size of the matrix below it. The size is the numbers
    /// of its rows and columns, or one number for both. If the row is as long as the others, this
    /// is doubtful.
    fn size_line(&self) -> Option<Note> {
        let number = |field: &Range<usize>| plain(&self.text[field.clone()]).parse::<usize>().ok();
        let size: Vec<usize> = self.row(0).iter().map(number).collect::<Option<_>>()?;
        let (rows, columns) = match size[..] {
            [number] => (number, number),
            [rows, columns] => (rows, columns),
            _ => return None,
        };
        let below = 1..self.rows.len();
        let fits = rows > 0
            && rows == below.len()
            && below.into_iter().all(|row| self.row(row).len() == columns);
        if !fits {
            None
        } else if size.len() != columns {
            Some(Note::SizeLine)
        } else {
            // Many matrices begin with the row `1 2`.
            (rows > 1).then_some(Note::SizeOrRow)
        }
    }

    /// Returns the table below the first row.
    fn without_first_row(&self) -> Self {
        let (cells, _) = self.rows[0];
        let rows = self.rows[1..].iter();
        Self {
            text: self.text,
            separator: self.separator,
            fields: self.fields[cells..].to_vec(),
            rows: rows
                .map(|(end, span)| (end - cells, span.clone()))
                .collect(),
        }
    }

    /// Passes the names and the entries of the table to `builder`.
    pub(super) fn fill(&self, builder: &mut MatrixBuilder) -> Result<(), Diagnostic> {
        if self.rows.is_empty() {
            return Ok(());
        }
        match self.size_line() {
            Some(Note::SizeLine) => {
                builder.note(Note::SizeLine);
                return self.without_first_row().fill_rows(builder);
            }
            note => note.into_iter().for_each(|note| builder.note(note)),
        }
        self.fill_rows(builder)
    }

    /// Passes the names and the entries of the table to `builder`. The first row is not the size.
    fn fill_rows(&self, builder: &mut MatrixBuilder) -> Result<(), Diagnostic> {
        let (header, rows_named) = self.names();
        let name = |field: &Range<usize>| plain(&self.text[field.clone()]).into_owned();
        if let Some(skipped) = header {
            let fields = &self.row(0)[skipped..];
            let names: Vec<String> = fields.iter().map(name).collect();
            if !counts_from_0(names.iter().map(String::as_str)) {
                for (name, field) in names.iter().zip(fields) {
                    builder.push_name(Named::Columns, name, field.clone())?;
                }
            }
        }
        let body = usize::from(header.is_some())..self.rows.len();
        if rows_named {
            let fields = || body.clone().map(|row| &self.row(row)[0]);
            let names: Vec<String> = fields().map(name).collect();
            if !counts_from_0(names.iter().map(String::as_str)) {
                for (name, field) in names.iter().zip(fields()) {
                    builder.push_name(Named::Rows, name, field.clone())?;
                }
            }
        }
        let entries = |row: usize| &self.row(row)[usize::from(rows_named)..];
        let comma = self.comma(body.clone().flat_map(entries))?;
        if comma == Some(Comma::DecimalPoint) {
            builder.note(Note::DecimalCommas);
        }
        let width = header.map(|skipped| self.row(0).len() - skipped);
        for row in body {
            let span = self.rows[row].1.clone();
            if let Some(width) = width
                && entries(row).len() != width
            {
                let message = message!(
                    "this row has {count} entries, and there are {names} names of columns",
                    count = entries(row).len(),
                    names = width
                );
                return Err(Diagnostic::new(Kind::IllegalPosition, message)
                    .at(span)
                    .help(message!("all rows of a matrix must have the same length")));
            }
            for field in entries(row) {
                self.entry(field, comma, builder)?;
            }
            builder.end_row(span)?;
        }
        Ok(())
    }

    /// Parses one cell as an entry of the matrix.
    fn entry(
        &self,
        field: &Range<usize>,
        comma: Option<Comma>,
        builder: &mut MatrixBuilder,
    ) -> Result<(), Diagnostic> {
        let text = plain(&self.text[field.clone()]);
        let place = || field.start..field.end.max(field.start + 1).min(self.text.len());
        match Shape::of(&text) {
            Shape::Empty => {
                let missing = Diagnostic::new(Kind::Syntax, message!("an entry is missing"));
                Err(missing.at(place()).help(message!(
                    "every cell of the matrix must contain a number; write 0 where nothing is paid"
                )))
            }
            Shape::Doubtful if comma == Some(Comma::DecimalPoint) => {
                builder.push_text(&text.replacen(',', ".", 1), place())
            }
            Shape::Two | Shape::Doubtful => match Pair::of(&text) {
                Some(pair) => {
                    let [own, other] = pair.payoffs.map(|payoff| parse_ratio(&payoff, &place()));
                    builder.push_pair([own?, other?], place())
                }
                None => builder.push_text(&text, place()),
            },
            Shape::One => builder.push_text(&text, place()),
            Shape::Label | Shape::Text => builder.push_text(&text, place()).map_err(|error| {
                error.help(if text.contains("...") || text.contains('\u{2026}') {
                    message!("the output of a program is abbreviated here: print the whole matrix")
                } else if text.split_whitespace().count() > 1 {
                    message!("use the same separator throughout: `;`, `,`, tabs or spaces")
                } else {
                    message!(
                        "names belong in the first row and the first column: name all rows or none"
                    )
                })
            }),
        }
    }

    /// Finds out what a comma between two digits means. Returns `None` if there is none.
    fn comma<'b>(
        &'b self,
        entries: impl Iterator<Item = &'b Range<usize>>,
    ) -> Result<Option<Comma>, Diagnostic> {
        let mut doubtful: Option<(Range<usize>, usize)> = None;
        let (mut one, mut two, mut thousands) = (false, false, true);
        let (mut total, mut constant) = (CommonTotal::default(), true);
        for field in entries {
            let raw = self.text[field.clone()].trim();
            // Almost all cells of a large matrix are short numbers, which need no closer look.
            if raw
                .bytes()
                .all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.' | b'/'))
            {
                one = true;
                continue;
            }
            let text = plain(raw);
            match Shape::of(&text) {
                Shape::One => one = true,
                Shape::Two => two = true,
                Shape::Doubtful => {
                    let Some(Pair { payoffs, .. }) = Pair::of(&text) else {
                        continue;
                    };
                    let count = doubtful.as_ref().map_or(0, |(_, count)| *count);
                    let first = doubtful
                        .take()
                        .map_or_else(|| field.clone(), |(first, _)| first);
                    doubtful = Some((first, count + 1));
                    thousands &= payoffs[1].len() == 3 && !matches!(&*payoffs[0], "0" | "-0");
                    let sum: Result<BigRational, Diagnostic> = (payoffs.iter())
                        .map(|payoff| parse_ratio(payoff, field))
                        .sum::<Result<_, _>>();
                    constant &= sum.is_ok_and(|sum| total.add(sum, || ()).is_ok());
                }
                Shape::Empty | Shape::Label | Shape::Text => {}
            }
        }
        let Some((first, count)) = doubtful else {
            return Ok(None);
        };
        let by_comma = self.separator == Separator::Mark(',');
        if two && !one {
            return Ok(Some(Comma::BetweenPayoffs));
        }
        if thousands && self.separator != Separator::Mark(';') {
            return Err(self.doubtful(
                &first,
                message!("write 1000 or 1.5: a comma can be a decimal point or separate thousands"),
            ));
        }
        if one {
            return Ok(Some(Comma::DecimalPoint));
        }
        // All entries can be read in both ways. Decimal commas are usual with other separators, and
        // pairs of payoffs add up to the same number.
        match (by_comma, constant && count > 1) {
            (true, true) => Ok(Some(Comma::BetweenPayoffs)),
            (false, false) if self.rows.len() > 1 => Ok(Some(Comma::DecimalPoint)),
            _ => Err(self.doubtful(
                &first,
                message!("write (1, 5) for two payoffs, 1.5 for a decimal, and one row per line"),
            )),
        }
    }

    fn doubtful(&self, field: &Range<usize>, help: Message) -> Diagnostic {
        let shown = brief(self.text[field.clone()].trim(), 24);
        let message = message!("`{shown}` can be read in more than one way", shown);
        Diagnostic::new(Kind::Syntax, message)
            .at(field.clone())
            .help(help)
    }
}
