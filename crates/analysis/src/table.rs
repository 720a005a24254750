//! `table`: the values of a family of positions.

mod cells;
mod pattern;
mod program;
mod remoteness;

use std::collections::BTreeMap;
use std::io::{self, Write};

use grundy_core::heap::HeapRules;
use grundy_core::message::Setting;
use grundy_core::{Diagnostic, Dyadic, Kind, Play, Verdict, message};
use grundy_wording::answer::{DisplayText, ValueView};
use grundy_wording::diagnostic::DiagnosticView;
use grundy_wording::plain::letters;
use grundy_wording::report::{AnySerialize, Report, Words, status, to_text};
use grundy_wording::{Audience, Language, width, words};
use serde::Serialize;

use self::cells::{Filled, TableCell, fill, fill_temperatures, fill_values};
use self::pattern::PatternFinding;
use self::program::{ComputedTable, program};
use self::remoteness::{PPositions, RemotenessCell};
use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::period::{outcome_repetition, prove_period, recognized_family};
use crate::picture::{self as pictures, Picture};
use crate::question::{CellOf, TableForm, TableQuestion};
use crate::range::Range;
use crate::result_cache::ResultCache;
use grundy_job::csv::Records;

/// Largest number of cells in a table.
const MAX_CELLS: u128 = 50_000_000;

/// Largest number of cells in a drawing of temperatures.
const MAX_DRAWN_CELLS: usize = 10_000;

/// A table of a family, with the patterns that were found in its values.
#[derive(Clone, Debug)]
pub struct TableReport {
    family: String,
    play: Play,
    ranges: Vec<Range>,
    /// One row for each value of the first variable. A family with one variable has a single row.
    rows: Vec<Vec<Option<TableCell>>>,
    form: TableForm,
    /// The requested quantity, such as the mean, and its text in each cell. `None` if the cells
    /// show Grundy values or outcomes.
    values: Option<(CellOf, Vec<Vec<Option<String>>>)>,
    /// The outcome and the remoteness in each cell, if the remoteness was requested.
    remoteness: Option<Vec<Vec<Option<RemotenessCell>>>>,
    /// The patterns that were found in the values, if they were requested.
    pattern: Option<(Vec<PatternFinding>, pattern::TableValues)>,
    /// The error for the limit that stopped the table before its last cell.
    stopped: Option<Diagnostic>,
}

impl Report for TableReport {
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        Box::new(self.table_view(words))
    }

    fn is_partial(&self) -> bool {
        self.stopped.is_some()
    }

    fn stopped(&self) -> Option<&Diagnostic> {
        self.stopped.as_ref()
    }

    fn is_data(&self) -> bool {
        self.form != TableForm::Text
    }

    fn plain(&self, audience: Audience) -> String {
        to_text(|out| self.write_plain(out, audience))
    }

    fn write_plain(
        &self,
        out: &mut dyn Write,
        Audience { language, .. }: Audience,
    ) -> io::Result<()> {
        if let Some(rows) = &self.remoteness {
            return remoteness::write(out, &self.ranges, rows, self.form, language);
        }
        match (self.form, &self.values) {
            (TableForm::Csv, Some((of, values))) => {
                let record = |value: &Option<String>| vec![value.clone().unwrap_or_default()];
                write_csv(&mut *out, &self.ranges, &[key_of(*of)], values, record)?;
            }
            (TableForm::Csv, None) => {
                let record = |cell: &Option<TableCell>| match cell {
                    Some(cell) => {
                        let value = cell.value.as_ref().map(|_| cell.to_string());
                        vec![value.unwrap_or_default(), cell.verdict.to_string()]
                    }
                    None => vec![String::new(); 2],
                };
                write_csv(
                    &mut *out,
                    &self.ranges,
                    &["grundy", "outcome"],
                    &self.rows,
                    record,
                )?;
            }
            (TableForm::BFile, _) => write_bfile(out, &self.ranges, &self.rows)?,
            (TableForm::Text, Some((_, values))) => {
                let text = |value: &Option<String>| match value {
                    Some(value) => value.clone(),
                    None => "?".to_owned(),
                };
                write_text(out, &self.ranges, values, text)?;
            }
            (TableForm::Text, None) => {
                let text = |cell: &Option<TableCell>| match cell {
                    // The letters of an outcome depend on the language of the reader. Numbers do
                    // not.
                    Some(cell) if cell.value.is_none() => letters(cell.verdict, language),
                    cell => cell_text(cell.as_ref()),
                };
                write_text(out, &self.ranges, &self.rows, text)?;
            }
        }
        match &self.pattern {
            Some((found, values)) => pattern::write(out, found, values, language),
            None => Ok(()),
        }
    }
}

impl Question for TableQuestion {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        answer(self, analyst, job)
    }

    fn game(&self) -> Option<&str> {
        Some(&self.family)
    }
}

fn answer(question: &TableQuestion, analyst: &Analyst, job: &Job) -> Result<Answer, Diagnostic> {
    if let Some(file) = &question.svg {
        // If the picture cannot be written, the error is reported before the long computation.
        pictures::allowed(analyst.files(), file)?;
    }
    let written = [
        (Setting::new("svg"), &question.svg),
        (Setting::command_line("table"), &question.table),
    ];
    let written = written.map(|(name, file)| (name, file.as_ref()));
    analyst.reader().check_distinct([], written)?;
    let source = &question.family;
    let ranges = read_ranges(question)?;
    check_cells(question)?;
    // These quantities follow from canonical forms, genera or labels. The cells that `fill`
    // computes do not contain them.
    if let Some(
        of @ (CellOf::Value
        | CellOf::Temperature
        | CellOf::Mean
        | CellOf::AtomicWeight
        | CellOf::Genus
        | CellOf::Remoteness),
    ) = question.of()
    {
        return values(question, of, ranges, analyst, job);
    }
    let Filled { rows, stopped } = fill(source, &ranges, question, analyst, job)?;
    let stopped = reject_if_drawn(question, stopped)?;
    // Only the computed cells show whether every position is impartial and play ends. Hence this
    // check comes last.
    if question.of() == Some(CellOf::Grundy)
        && rows
            .iter()
            .flatten()
            .flatten()
            .any(|cell| cell.value.is_none())
    {
        let message = message!("not every position of this family has a Grundy value");
        return Err(Diagnostic::new(Kind::NotImpartial, message).help(message!(
            "use {option} to show outcomes only, or omit {other} to show Grundy values where they exist",
            option = Setting::new("of").set_to("outcome"),
            other = Setting::new("of")
        )));
    }
    let svg = question.svg.is_some();
    // Partizan and scored positions have no `outcome`. Patterns and drawings do not support their
    // classes.
    let not_impartial = |cell: &TableCell| cell.outcome().is_none();
    if (question.pattern || svg) && rows.iter().flatten().flatten().any(not_impartial) {
        let message =
            message!("patterns and pictures of tables are available for impartial games only");
        return Err(Diagnostic::new(Kind::NotImpartial, message).help(message!(
            "omit {option} and {other} to print the table",
            option = Setting::new("svg"),
            other = Setting::new("pattern")
        )));
    }
    if question.form() == TableForm::BFile {
        check_bfile(&ranges, &rows)?;
    }
    // Patterns in an incomplete table would be misleading. The text form is the only one that
    // prints patterns.
    let wants_pattern = question.pattern && question.form() == TableForm::Text && stopped.is_none();
    // A rule is recognized once, for the patterns and for the program.
    let wants_heaps = wants_pattern || question.code.is_some() && stopped.is_none();
    let heaps = wants_heaps.then(|| HeapFamily::of(source, &ranges, analyst, job));
    let heaps = heaps.transpose()?.flatten();
    let pattern = wants_pattern.then(|| {
        let values = rows_as_values(&ranges, &rows);
        let rules = heaps.as_ref().map(|heaps| &heaps.rules);
        let outcome_period = rules.and_then(|rules| outcome_repetition(rules, question.play, job));
        // A statement on the period of the values would be confusing if the table does not show the
        // values.
        let values_shown = question.play == Play::Normal && question.of() != Some(CellOf::Outcome);
        let rules = rules.filter(|_| values_shown);
        let proved = rules.and_then(|rules| prove_period(rules, ranges[0].to, job));
        (
            pattern::findings(proved.as_ref(), outcome_period, rules, &values),
            values,
        )
    });
    if let Some(language) = question.code {
        if let Some(stopped) = stopped {
            return Err(stopped);
        }
        let computed = ComputedTable {
            question,
            ranges: &ranges,
            rows: &rows,
            found: &pattern.map(|(found, _)| found).unwrap_or_default(),
            heaps: heaps.as_ref(),
        };
        return program(&computed, language, analyst, job).map(Answer::new);
    }
    let drawn = pictures::put(analyst.files(), question.svg.as_deref(), || {
        let svg = picture(source, &ranges, &rows, analyst.language());
        Ok(Picture::svg(source, svg))
    })?;
    let table = TableReport {
        family: source.clone(),
        play: question.play,
        ranges,
        rows,
        values: None,
        remoteness: None,
        form: question.form(),
        pattern,
        stopped,
    };
    // A picture that goes to standard output replaces the answer.
    Ok(drawn.map_or_else(|| Answer::new(table), Answer::new))
}

/// Parses the ranges of one or two variables.
fn read_ranges(question: &TableQuestion) -> Result<Vec<Range>, Diagnostic> {
    let ranges: Vec<Range> = question
        .ranges
        .iter()
        .map(|range| Range::read(range))
        .collect::<Result<_, _>>()?;
    if !(1..=2).contains(&ranges.len()) {
        let message = message!(
            "expected one or two ranges, found {count}",
            count = ranges.len()
        );
        return Err(
            Diagnostic::new(Kind::Syntax, message).help(message!("write a range such as n=0..100"))
        );
    }
    if let [a, b] = &ranges[..]
        && a.name == b.name
    {
        let message = message!("the variable `{name}` has two ranges", name = a.name);
        return Err(Diagnostic::new(Kind::Syntax, message));
    }
    // A range can contain 2^64 values, so the product of two lengths may need more than 64 bits.
    let count: u128 = ranges
        .iter()
        .map(|range| u128::from(range.to - range.from) + 1)
        .product();
    if count > MAX_CELLS {
        let message = message!("a table of {count} values is too large", count);
        return Err(
            Diagnostic::new(Kind::Limit, message).help(message!("the limit is 50000000 values"))
        );
    }
    Ok(ranges)
}

/// Returns `stopped`, which is the error for the limit that stopped the table, or `None` if the
/// table is complete. If a drawing was requested, returns this error as an `Err`, since a drawing
/// needs every cell.
fn reject_if_drawn(
    question: &TableQuestion,
    stopped: Option<Diagnostic>,
) -> Result<Option<Diagnostic>, Diagnostic> {
    match stopped {
        Some(error) if question.svg.is_some() => Err(error),
        stopped => Ok(stopped),
    }
}

/// Rejects a request for Grundy values in misère play, and a request for all digits of a quantity
/// other than the genus.
fn check_cells(question: &TableQuestion) -> Result<(), Diagnostic> {
    if question.of() == Some(CellOf::Grundy) && question.play == Play::Misere {
        let message = message!("Grundy values are not defined in misère play");
        return Err(Diagnostic::new(Kind::Type, message).help(message!(
            "omit {option} or {other}",
            option = Setting::new("of").set_to("grundy"),
            other = Setting::new("play").set_to("misere")
        )));
    }
    let programmed = matches!(question.of(), None | Some(CellOf::Grundy | CellOf::Outcome));
    if question.code.is_some() && !programmed {
        let message = message!("programs compute Grundy values or outcomes only");
        return Err(Diagnostic::new(Kind::Type, message).help(message!(
            "omit {option}, or set {other}",
            option = Setting::new("code"),
            other = Setting::new("of").set_to("outcome")
        )));
    }
    if question.full && question.of() != Some(CellOf::Genus) {
        let message = message!("all digits of the cells can be printed only in a table of genera");
        return Err(Diagnostic::new(Kind::Type, message).help(message!(
            "add {option}",
            option = Setting::new("of").set_to("genus")
        )));
    }
    Ok(())
}

/// Returns a table of the requested quantity: values, or a quantity derived from them.
fn values(
    question: &TableQuestion,
    of: CellOf,
    ranges: Vec<Range>,
    analyst: &Analyst,
    job: &Job,
) -> Result<Answer, Diagnostic> {
    let refuse = |message, help| Err(Diagnostic::new(Kind::Type, message).help(help));
    let genera = of == CellOf::Genus;
    if question.play == Play::Misere && !genera && of != CellOf::Remoteness {
        return refuse(
            message!("the requested quantities are defined in normal play only"),
            message!(
                "omit {option}, or add {other}",
                option = Setting::new("play").set_to("misere"),
                other = Setting::new("of").set_to("genus")
            ),
        );
    }
    let draws_other = question.svg.is_some() && of != CellOf::Temperature;
    if draws_other || (question.pattern && !genera) || question.form() == TableForm::BFile {
        return refuse(
            message!("this table is available as text, CSV or JSON only"),
            message!(
                "omit {option}, {other} and {third}; a picture can show outcomes, Grundy values or temperatures only",
                option = Setting::new("svg"),
                other = Setting::new("pattern"),
                third = Setting::command_line("bfile")
            ),
        );
    }
    match of {
        CellOf::Temperature => return temperatures(question, ranges, analyst, job),
        CellOf::Remoteness => return remotenesses(question, ranges, analyst, job),
        _ => {}
    }
    let filled = fill_values(&question.family, &ranges, of, question, analyst, job)?;
    let (values, stopped) = (filled.rows, filled.stopped);
    let pattern = (question.pattern && stopped.is_none()).then(|| {
        let found = match (&ranges[..], &values[..]) {
            ([range], [row]) => pattern::in_genera(range.from, row),
            _ => Vec::new(),
        };
        (found, pattern::TableValues::default())
    });
    Ok(Answer::new(TableReport {
        family: question.family.clone(),
        play: question.play,
        values: Some((of, values)),
        rows: Vec::new(),
        remoteness: None,
        ranges,
        form: question.form(),
        pattern,
        stopped,
    }))
}

/// Returns a table of temperatures. Also draws it if the question names a file for a picture.
fn temperatures(
    question: &TableQuestion,
    ranges: Vec<Range>,
    analyst: &Analyst,
    job: &Job,
) -> Result<Answer, Diagnostic> {
    let Filled { rows, stopped } =
        fill_temperatures(&question.family, &ranges, question, analyst, job)?;
    let stopped = reject_if_drawn(question, stopped)?;
    // Each cell becomes an element of the SVG file. Browsers are slow with more elements.
    let cells = rows.iter().flatten().count();
    if question.svg.is_some() && cells > MAX_DRAWN_CELLS {
        let message = message!(
            "a table of {count} cells is too large for a picture",
            count = cells
        );
        return Err(Diagnostic::new(Kind::Limit, message)
            .help(message!("the limit is {most}", most = MAX_DRAWN_CELLS)));
    }
    let drawn = pictures::put(analyst.files(), question.svg.as_deref(), || {
        let (row, column) = match &ranges[..] {
            [row, column, ..] => (Some((&row.name[..], row.from)), column),
            _ => (None, &ranges[0]),
        };
        let column = (&column.name[..], column.from);
        let say: grundy_draw::Wording<'_> = &|step| words(step, analyst.language());
        let svg = grundy_draw::temperature_map(&question.family, row, column, &rows, say);
        Ok(Picture::svg(&question.family, svg))
    })?;
    let texts = rows.iter().map(|row| {
        let row = row.iter();
        row.map(|cell| cell.as_ref().map(Dyadic::to_string))
            .collect()
    });
    let table = TableReport {
        family: question.family.clone(),
        play: question.play,
        values: Some((CellOf::Temperature, texts.collect())),
        rows: Vec::new(),
        remoteness: None,
        ranges,
        form: question.form(),
        pattern: None,
        stopped,
    };
    Ok(drawn.map_or_else(|| Answer::new(table), Answer::new))
}

/// Returns a table of remotenesses, with the outcomes.
fn remotenesses(
    question: &TableQuestion,
    ranges: Vec<Range>,
    analyst: &Analyst,
    job: &Job,
) -> Result<Answer, Diagnostic> {
    let filled = remoteness::fill(&ranges, question, analyst, job)?;
    Ok(Answer::new(TableReport {
        family: question.family.clone(),
        play: question.play,
        values: None,
        rows: Vec::new(),
        remoteness: Some(filled.rows),
        ranges,
        form: question.form(),
        pattern: None,
        stopped: filled.stopped,
    }))
}

/// Returns the key of a quantity in JSON and CSV.
fn key_of(of: CellOf) -> &'static str {
    match of {
        CellOf::Grundy => "grundy",
        CellOf::Outcome => "outcome",
        CellOf::Value => "value",
        CellOf::Temperature => "temperature",
        CellOf::Mean => "mean",
        CellOf::AtomicWeight => "atomic_weight",
        CellOf::Genus => "genus",
        CellOf::Remoteness => "remoteness",
    }
}

/// A family whose positions are single heaps, and the size of the heap is the variable.
struct HeapFamily {
    /// The family. If a family of a rule file is recognized, this is the built-in family.
    source: String,
    rules: HeapRules,
}

impl HeapFamily {
    /// Returns the heaps of a family, if it is a family of single heaps.
    fn of(
        family: &str,
        ranges: &[Range],
        analyst: &Analyst,
        job: &Job,
    ) -> Result<Option<Self>, Diagnostic> {
        if ranges.len() != 1 {
            return Ok(None);
        }
        let recognized = recognized_family(family, analyst.reader(), job)?;
        let source = recognized.unwrap_or_else(|| family.to_owned());
        let Ok(term) = crate::period::family(&source) else {
            return Ok(None);
        };
        // The period of `kayles(2n)` differs from that of `kayles(n)`, and a variable may also be
        // part of the rules.
        let rules = term.heap_rules().filter(|(_, size)| *size == 1);
        let rules = rules.map(|(rules, _)| rules.clone());
        Ok(rules.map(|rules| Self { source, rules }))
    }
}

fn rows_as_values(ranges: &[Range], rows: &[Vec<Option<TableCell>>]) -> pattern::TableValues {
    pattern::TableValues {
        from: ranges.iter().map(|range| range.from).collect(),
        rows: rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|cell| Some((cell.as_ref()?.outcome()?, cell.as_ref()?.grundy())))
                    .collect()
            })
            .collect(),
    }
}

/// Pads a text on the left to the width of a column.
fn align_right(text: &str, column: usize) -> String {
    " ".repeat(column.saturating_sub(width(text))) + text
}

/// Returns the text of a cell. The text is empty if the position does not exist.
fn cell_text(cell: Option<&TableCell>) -> String {
    cell.map_or(String::new(), TableCell::to_string)
}

#[derive(Serialize)]
struct TableView<'a> {
    family: &'a str,
    variables: Vec<&'a str>,
    from: Vec<u64>,
    to: Vec<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grundy: Option<Cells<Option<ValueView>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Cells<DisplayText<Verdict>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<Cells<&'a RemotenessCell>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p_positions: Option<Vec<PPositions>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p_numbers: Option<Vec<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    oeis: Option<pattern::OeisSearches>,
    #[serde(flatten)]
    values: BTreeMap<&'static str, Cells<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<Vec<pattern::PatternFindingView>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<DiagnosticView>,
}

/// The cells as JSON: a list for one variable, and a list of lists for two.
#[derive(Serialize)]
#[serde(untagged)]
enum Cells<T> {
    Row(Vec<Option<T>>),
    Rows(Vec<Vec<Option<T>>>),
}

impl TableReport {
    fn table_view(&self, words: Words) -> TableView<'_> {
        let language = words.findings_language();
        let ranges = self.ranges.iter();
        // The key `grundy` is present only if all cells have a value. Otherwise `null` could mean a
        // missing value or a missing position.
        let values = self.cells().all(|cell| cell.value.is_some());
        let shows_values = self.values.is_none() && self.remoteness.is_none();
        let findings = self.pattern.as_ref().map(|(found, _)| {
            let found = found.iter();
            found.map(|finding| finding.view(language)).collect()
        });
        TableView {
            family: &self.family,
            variables: ranges.clone().map(|range| &range.name[..]).collect(),
            from: ranges.clone().map(|range| range.from).collect(),
            to: ranges.map(|range| range.to).collect(),
            grundy: (self.play == Play::Normal && values && shows_values)
                .then(|| self.column(|cell| cell.value.as_ref().map(ValueView::from))),
            outcome: match &self.remoteness {
                Some(rows) => Some(self.cells_as(rows, |cell| DisplayText(cell.verdict))),
                None => shows_values.then(|| self.column(|cell| DisplayText(cell.verdict))),
            },
            remoteness: (self.remoteness.as_ref()).map(|rows| self.cells_as(rows, |cell| cell)),
            p_positions: (self.remoteness.as_ref())
                .and_then(|rows| remoteness::p_positions(&self.ranges, rows)),
            p_numbers: (self.pattern.as_ref()).and_then(|(_, values)| values.p_numbers()),
            oeis: (self.pattern.as_ref()).and_then(|(_, values)| values.oeis()),
            values: (self.values.iter())
                .map(|(of, values)| (key_of(*of), self.cells_as(values, |value| &value[..])))
                .collect(),
            findings,
            status: self.stopped.as_ref().map(|_| status(true)),
            stopped: (self.stopped.as_ref())
                .map(|error| DiagnosticView::new(error, &self.family, words.audience())),
        }
    }

    /// Returns an iterator over the cells whose positions exist.
    fn cells(&self) -> impl Iterator<Item = &TableCell> {
        self.rows.iter().flatten().flatten()
    }

    fn column<T>(&self, of: impl Fn(&TableCell) -> T) -> Cells<T> {
        self.cells_as(&self.rows, of)
    }

    fn cells_as<'a, C, T>(&self, rows: &'a [Vec<Option<C>>], of: impl Fn(&'a C) -> T) -> Cells<T> {
        let line =
            |row: &'a Vec<Option<C>>| row.iter().map(|cell| cell.as_ref().map(&of)).collect();
        // A family with two variables can also have a single row. Hence the number of ranges
        // decides.
        match rows {
            [row] if self.ranges.len() == 1 => Cells::Row(line(row)),
            rows => Cells::Rows(rows.iter().map(line).collect()),
        }
    }
}

/// Writes one record for each cell: the variables and the fields of the cell.
fn write_csv<C>(
    out: &mut dyn Write,
    ranges: &[Range],
    names: &[&str],
    rows: &[Vec<C>],
    fields: impl Fn(&C) -> Vec<String>,
) -> io::Result<()> {
    let mut writer = Records::new(out);
    let variables: Vec<&str> = ranges.iter().map(|range| range.name.as_str()).collect();
    writer.write(variables.iter().chain(names))?;
    for (i, row) in rows.iter().enumerate() {
        for (j, cell) in row.iter().enumerate() {
            let mut record: Vec<String> = match ranges {
                [a] => vec![(a.from + j as u64).to_string()],
                _ => vec![
                    (ranges[0].from + i as u64).to_string(),
                    (ranges[1].from + j as u64).to_string(),
                ],
            };
            record.extend(fields(cell));
            writer.write(&record)?;
        }
    }
    Ok(())
}

/// Rejects a table that is not a sequence of integers, since a b-file of the OEIS must be one.
fn check_bfile(ranges: &[Range], rows: &[Vec<Option<TableCell>>]) -> Result<(), Diagnostic> {
    let number =
        |cell: &Option<TableCell>| cell.as_ref().is_some_and(|cell| cell.grundy().is_some());
    if ranges.len() != 1 || !rows.iter().flatten().all(number) {
        let message = message!(
            "a b-file is available only for the Grundy values of a family with one variable"
        );
        return Err(Diagnostic::new(Kind::Syntax, message));
    }
    Ok(())
}

fn write_bfile(
    out: &mut dyn Write,
    ranges: &[Range],
    rows: &[Vec<Option<TableCell>>],
) -> io::Result<()> {
    for (n, cell) in (ranges[0].from..).zip(&rows[0]) {
        writeln!(out, "{n} {}", cell_text(cell.as_ref()))?;
    }
    Ok(())
}

/// Writes the cells as text in aligned columns.
fn write_text<C>(
    out: &mut dyn Write,
    ranges: &[Range],
    rows: &[Vec<C>],
    text: impl Fn(&C) -> String,
) -> io::Result<()> {
    // The width is measured in columns of the terminal, since a Chinese character fills two
    // columns.
    let widest = rows.iter().flatten().map(|cell| width(&text(cell))).max();
    if let [range] = ranges {
        // A line has about 100 columns and at most 20 values. It begins with the argument of its
        // first value.
        let cells = &rows[0];
        let width = widest.unwrap_or(1);
        let many = (100 / (width + 1)).clamp(1, 20);
        let label = range.to.to_string().len().max(range.name.len());
        for (index, line) in cells.chunks(many).enumerate() {
            write!(out, "{:>label$} |", range.from + (many * index) as u64)?;
            for cell in line {
                write!(out, " {}", align_right(&text(cell), width))?;
            }
            writeln!(out)?;
        }
        return Ok(());
    }
    let [a, b, ..] = ranges else { return Ok(()) };
    // The header contains the values of the second variable. They may be wider than every cell.
    let width = widest.unwrap_or(1).max(b.to.to_string().len());
    let corner = format!("{}\\{}", a.name, b.name);
    let label = corner.len().max(a.to.to_string().len());
    write!(out, "{corner:>label$} |")?;
    for m in b.from..=b.to {
        write!(out, " {m:>width$}")?;
    }
    writeln!(
        out,
        "\n{}-+{}",
        "-".repeat(label),
        "-".repeat((width + 1) * rows[0].len())
    )?;
    for (n, row) in (a.from..).zip(rows) {
        write!(out, "{n:>label$} |")?;
        for cell in row {
            write!(out, " {}", align_right(&text(cell), width))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn picture(
    source: &str,
    ranges: &[Range],
    rows: &[Vec<Option<TableCell>>],
    language: Language,
) -> String {
    let say: grundy_draw::Wording<'_> = &|step| words(step, language);
    let cells: Vec<Vec<grundy_draw::DrawnCell>> = rows
        .iter()
        .map(|row| {
            row.iter()
                .map(|cell| grundy_draw::DrawnCell {
                    outcome: cell.as_ref().and_then(TableCell::outcome),
                    grundy: cell.as_ref().and_then(TableCell::grundy),
                })
                .collect()
        })
        .collect();
    match ranges {
        [range] => grundy_draw::strip(source, range.from, &cells[0], say),
        _ => grundy_draw::heat_map(
            source,
            (&ranges[0].name, ranges[0].from),
            (&ranges[1].name, ranges[1].from),
            &cells,
            say,
        ),
    }
}
