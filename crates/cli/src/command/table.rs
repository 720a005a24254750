//! `grundy table`: values of a family.

mod cells;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use std::sync::Arc;

use grundy::heap::HeapRules;
use grundy::position::AnyTerm;
use grundy::{Kind, Play, Solver};
use grundy_notation::Diagnostic;
use serde_json::{Value, json};

use self::cells::{Cell, fill};
use crate::arguments::{Common, Table, text};
use crate::failure::Failure;
use crate::session::Session;

/// A free variable and its values, both ends included.
#[derive(Debug)]
struct Range {
    name: String,
    from: u64,
    to: u64,
}

/// Most cells of a table.
const CELLS: u128 = 50_000_000;

pub(crate) fn run(table: &Table, common: &Common, session: &Session) -> Result<ExitCode, Failure> {
    let source = text(&table.expr)?;
    let ranges: Vec<Range> = table
        .ranges
        .iter()
        .map(|range| parse_range(range))
        .collect::<Result<_, _>>()?;
    if let [a, b] = &ranges[..]
        && a.name == b.name
    {
        let message = format!("the variable `{}` has two ranges", a.name);
        return Err(Diagnostic::new(Kind::Syntax, message).into());
    }
    let count: u128 = ranges
        .iter()
        .map(|range| u128::from(range.to - range.from) + 1)
        .product();
    if count > CELLS {
        let message = format!("a table of {count} values is too large");
        return Err(Diagnostic::new(Kind::Limit, message)
            .help("at most 50000000 values")
            .into());
    }
    let rows = fill(source, &ranges, common.play(), session)?;
    let odd = |cell: &Cell| cell.outcome().is_none();
    if (table.pattern || table.svg) && rows.iter().flatten().flatten().any(odd) {
        let message = "patterns are looked for, and tables drawn, in impartial games";
        return Err(Diagnostic::new(Kind::NotImpartial, message)
            .help("without --svg and --pattern the table is written for every game")
            .into());
    }
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let pattern = (table.pattern && !table.csv && !table.bfile && !table.svg).then(|| {
        let values = rows_as_values(&ranges, &rows);
        let family = heap_family(source, &ranges, common.play());
        let rules = family.as_ref().and_then(|term| Some(term.heap_rules()?.0));
        let proved = rules.and_then(|rules| proved_period(rules, ranges[0].to, session));
        (
            super::pattern::findings(proved.as_deref(), rules, &values),
            values,
        )
    });
    if common.json {
        let mut object = as_json(source, &ranges, &rows, common.play());
        if let Some((found, _)) = &pattern {
            object["findings"] = found
                .iter()
                .map(|found| json!({"status": found.status, "text": found.text}))
                .collect();
        }
        writeln!(out, "{object}")?;
    } else if table.csv {
        as_csv(&mut out, &ranges, &rows)?;
    } else if table.bfile {
        as_bfile(&mut out, &ranges, &rows)?;
    } else if table.svg {
        out.write_all(picture(source, &ranges, &rows).as_bytes())?;
    } else {
        as_text(&mut out, &ranges, &rows)?;
    }
    if let (Some((found, values)), false) = (&pattern, common.json) {
        super::pattern::write(&mut out, found, values)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The term of a family of one heap in normal play whose variable is the heap itself.
fn heap_family(source: &str, ranges: &[Range], play: Play) -> Option<Arc<dyn AnyTerm>> {
    let term = super::period::family(source).ok()?;
    // The variable must be the heap itself, not twice the heap or part of the rules.
    let itself = term.heap_rules().is_some_and(|(_, size)| size == 1);
    (ranges.len() == 1 && play == Play::Normal && itself).then_some(term)
}

/// The proved period of heaps up to `most`, as a sentence.
fn proved_period(rules: &HeapRules, most: u64, session: &Session) -> Option<String> {
    let mut solver = Solver::default();
    let sequence = solver.normal().sequence(rules);
    sequence.value(most, &session.limits()).ok()?;
    sequence.period().map(super::period::words)
}

fn rows_as_values(ranges: &[Range], rows: &[Vec<Option<Cell>>]) -> super::pattern::Values {
    super::pattern::Values {
        from: ranges.iter().map(|range| range.from).collect(),
        rows: rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|cell| Some((cell.as_ref()?.outcome()?, cell.as_ref()?.grundy)))
                    .collect()
            })
            .collect(),
    }
}

fn parse_range(text: &str) -> Result<Range, Failure> {
    let refuse = |message: &str| {
        Failure::input(
            Diagnostic::new(Kind::Syntax, message)
                .at(0..text.len())
                .help("a range is written n=0..100"),
            text,
        )
    };
    let (name, range) = text
        .split_once('=')
        .ok_or_else(|| refuse("this is not a range"))?;
    let (from, to) = range
        .split_once("..")
        .ok_or_else(|| refuse("this is not a range"))?;
    let name = name.trim();
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty()
        || !name.chars().all(letters)
        || name.starts_with(|c: char| c.is_ascii_digit())
    {
        return Err(refuse("a variable is a name"));
    }
    let number = |text: &str| {
        text.trim()
            .parse::<u64>()
            .map_err(|_| refuse("the ends of a range are whole numbers from 0 to 2^64 - 1"))
    };
    let (from, to) = (number(from)?, number(to)?);
    if from > to {
        return Err(refuse("the range is empty"));
    }
    Ok(Range {
        name: name.to_owned(),
        from,
        to,
    })
}

/// A cell as printed: nothing where there is no position.
fn shown(cell: Option<&Cell>) -> String {
    cell.map_or(String::new(), Cell::to_string)
}

fn as_json(source: &str, ranges: &[Range], rows: &[Vec<Option<Cell>>], play: Play) -> Value {
    let column = |value: &dyn Fn(&Cell) -> Value| -> Value {
        let line = |row: &Vec<Option<Cell>>| -> Value {
            row.iter()
                .map(|cell| cell.as_ref().map_or(Value::Null, value))
                .collect()
        };
        match rows {
            [row] if ranges.len() == 1 => line(row),
            _ => rows.iter().map(line).collect(),
        }
    };
    let mut out = json!({
        "family": source,
        "variables": ranges.iter().map(|range| &range.name).collect::<Vec<_>>(),
        "from": ranges.iter().map(|range| range.from).collect::<Vec<_>>(),
        "to": ranges.iter().map(|range| range.to).collect::<Vec<_>>(),
    });
    let values = rows.iter().flatten().flatten().all(Cell::has_value);
    if play == Play::Normal && values {
        out["grundy"] = column(&|cell| match &cell.infinity {
            Some(set) => json!({"infinity": set.as_ref()}),
            None => json!(cell.grundy),
        });
    }
    out["outcome"] = column(&|cell| json!(cell.verdict.to_string()));
    out
}

fn as_csv(
    out: &mut impl Write,
    ranges: &[Range],
    rows: &[Vec<Option<Cell>>],
) -> Result<(), Failure> {
    let mut writer = csv::Writer::from_writer(out);
    let names: Vec<&str> = ranges.iter().map(|range| range.name.as_str()).collect();
    writer.write_record(names.iter().copied().chain(["grundy", "outcome"]))?;
    for (i, row) in rows.iter().enumerate() {
        for (j, cell) in row.iter().enumerate() {
            let mut record: Vec<String> = match ranges {
                [a] => vec![(a.from + j as u64).to_string()],
                _ => vec![
                    (ranges[0].from + i as u64).to_string(),
                    (ranges[1].from + j as u64).to_string(),
                ],
            };
            record.push(
                cell.as_ref()
                    .filter(|cell| cell.has_value())
                    .map_or(String::new(), Cell::to_string),
            );
            let verdict = |cell: &Cell| cell.verdict.to_string();
            record.push(cell.as_ref().map_or(String::new(), verdict));
            writer.write_record(&record)?;
        }
    }
    writer.flush()?;
    Ok(())
}

fn as_bfile(
    out: &mut impl Write,
    ranges: &[Range],
    rows: &[Vec<Option<Cell>>],
) -> Result<(), Failure> {
    if ranges.len() != 1
        || rows
            .iter()
            .flatten()
            .any(|cell| cell.as_ref().is_none_or(|cell| cell.grundy.is_none()))
    {
        let message = "a b-file holds the Grundy values of a family with one variable";
        return Err(Diagnostic::new(Kind::Syntax, message).into());
    }
    for (n, cell) in (ranges[0].from..).zip(&rows[0]) {
        writeln!(out, "{n} {}", shown(cell.as_ref()))?;
    }
    Ok(())
}

fn as_text(out: &mut impl Write, ranges: &[Range], rows: &[Vec<Option<Cell>>]) -> io::Result<()> {
    if let [range] = ranges {
        // Twenty to a line, each line with the number of its first value.
        let cells: Vec<String> = rows[0].iter().map(|cell| shown(cell.as_ref())).collect();
        let width = cells.iter().map(String::len).max().unwrap_or(1);
        let label = range.to.to_string().len().max(range.name.len());
        for (index, line) in cells.chunks(20).enumerate() {
            write!(out, "{:>label$} |", range.from + 20 * index as u64)?;
            for cell in line {
                write!(out, " {cell:>width$}")?;
            }
            writeln!(out)?;
        }
        return Ok(());
    }
    let [a, b, ..] = ranges else { return Ok(()) };
    let width = rows
        .iter()
        .flatten()
        .map(|cell| shown(cell.as_ref()).chars().count())
        .max()
        .unwrap_or(1);
    let width = width.max(b.to.to_string().len());
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
            write!(out, " {:>width$}", shown(cell.as_ref()))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn picture(source: &str, ranges: &[Range], rows: &[Vec<Option<Cell>>]) -> String {
    let cells: Vec<Vec<grundy_draw::Cell>> = rows
        .iter()
        .map(|row| {
            row.iter()
                .map(|cell| grundy_draw::Cell {
                    outcome: cell.as_ref().and_then(Cell::outcome),
                    grundy: cell.as_ref().and_then(|cell| cell.grundy),
                })
                .collect()
        })
        .collect();
    match ranges {
        [range] => grundy_draw::strip(source, range.from, &cells[0]),
        _ => grundy_draw::heat_map(
            source,
            (&ranges[0].name, ranges[0].from),
            (&ranges[1].name, ranges[1].from),
            &cells,
        ),
    }
}
