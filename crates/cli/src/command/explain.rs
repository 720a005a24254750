//! `grundy explain`: the answer and the argument for it.

use std::io::{self, Write as _};
use std::process::ExitCode;

use grundy::step::Step;
use grundy::{Kind, Solver, Stop, explain, proof};
use grundy_notation::wording::words;
use grundy_notation::{Diagnostic, Game, Language, answer};
use serde_json::{Map, Value};

use crate::arguments::{Common, Explain};
use crate::failure::Failure;
use crate::session::Session;

pub(crate) fn run(
    arguments: &Explain,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let (game, source) = super::game(&arguments.source, session)?;
    let position = match game {
        Game::Impartial(position) => position,
        Game::Partizan(position) => {
            if arguments.proof {
                return Err(not_impartial());
            }
            super::partizan::explain(&position, common, session)?;
            return Ok(ExitCode::SUCCESS);
        }
        Game::Ties(position) => {
            if arguments.proof {
                return Err(not_impartial());
            }
            super::ties::explain(&*position, common, session)?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    let fail = |diagnostic| Failure::input(diagnostic, &source);
    let (play, limits, language) = (common.play(), session.limits(), common.language());
    let mut solver = Solver::default();
    let solution = solver
        .solve(&position, play, &limits)
        .map_err(|stop| fail(Diagnostic::stopped(stop)))?;
    let steps = if arguments.proof {
        // The first step is shown with the answer.
        let kind = explain::kind_of_game(&position, play);
        let proof = proof::steps(&position, &limits).map_err(|stop| {
            fail(match stop {
                Stop::Positions(most) => Diagnostic::stopped(stop).help(format!(
                    "a proof of more than {most} positions is not written out: take a smaller game"
                )),
                stop => Diagnostic::stopped(stop),
            })
        })?;
        [kind].into_iter().chain(proof).collect()
    } else {
        explain::steps(&position, play, &solution, &mut solver, &limits)
    };
    let mut out = io::stdout().lock();
    if common.json {
        let object = answer::solution(&position, play, &solution);
        writeln!(out, "{}", with_steps(object, &steps, language))?;
        return Ok(ExitCode::SUCCESS);
    }
    write!(
        out,
        "{}",
        super::solve::plain(&position, play, &solution, language)
    )?;
    writeln!(out)?;
    numbered(&mut out, &steps[1..], language)?;
    Ok(ExitCode::SUCCESS)
}

fn not_impartial() -> Failure {
    Diagnostic::new(
        Kind::NotImpartial,
        "the players have different moves here, and --proof is for impartial games",
    )
    .help("leave --proof out")
    .into()
}

/// A solution in JSON with the steps that explain it.
pub(crate) fn with_steps(
    mut solution: Map<String, Value>,
    steps: &[Step],
    language: Language,
) -> Value {
    let steps = steps.iter().map(|step| answer::step(step, language));
    solution.insert("steps".into(), steps.collect());
    Value::Object(solution)
}

/// Steps with their numbers, one a line; those that begin with blanks belong to the one before them.
pub(crate) fn numbered(
    out: &mut impl io::Write,
    steps: &[Step],
    language: Language,
) -> io::Result<()> {
    for (number, step) in steps.iter().enumerate() {
        writeln!(out, "{}. {}", number + 1, words(step, language))?;
        if step.code == "strategy" {
            write!(out, "{}", table(step))?;
        }
        if step.code == "nim_columns" {
            write!(out, "{}", columns(step))?;
        }
    }
    Ok(())
}

/// The rows of a table, each column as wide as it needs to be.
fn table(step: &grundy::step::Step) -> String {
    use std::fmt::Write as _;

    use grundy::step::Datum;
    let find = |name| step.args.iter().find(|(known, _)| *known == name);
    let (Some((_, columns)), Some((_, Datum::List(rows)))) = (find("columns"), find("rows")) else {
        return String::new();
    };
    let cells = |row: &Datum| match row {
        Datum::List(cells) => cells
            .iter()
            .map(|cell| match cell {
                Datum::Int(n) => n.to_string(),
                Datum::Text(text) => text.chars().take(60).collect(),
                _ => String::new(),
            })
            .collect::<Vec<String>>(),
        _ => Vec::new(),
    };
    let lines: Vec<Vec<String>> = std::iter::once(columns).chain(rows).map(cells).collect();
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    let mut out = String::new();
    for line in &lines {
        let mut text = String::from("    ");
        for (cell, width) in line.iter().zip(&widths) {
            let _ = write!(text, " {cell:<width$}");
        }
        let _ = writeln!(out, "{}", text.trim_end());
    }
    if find("complete").is_some_and(|(_, complete)| *complete == Datum::Bool(false)) {
        out.push_str("     ...\n");
    }
    out
}

/// The binary columns, one under the other, as on the board.
fn columns(step: &grundy::step::Step) -> String {
    use std::fmt::Write as _;

    use grundy::step::Datum;
    let find = |name| {
        step.args
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, datum)| datum)
    };
    let (
        Some(Datum::List(heaps)),
        Some(Datum::List(rows)),
        Some(Datum::Text(sum_row)),
        Some(Datum::Int(sum)),
    ) = (
        find("heaps"),
        find("binary"),
        find("sum_binary"),
        find("sum"),
    )
    else {
        return String::new();
    };
    let width = heaps.iter().map(|heap| match heap {
        Datum::Int(n) => n.to_string().len(),
        _ => 0,
    });
    let width = width.max().unwrap_or(0).max(sum.to_string().len());
    let mut out = String::new();
    for (heap, row) in heaps.iter().zip(rows) {
        if let (Datum::Int(heap), Datum::Text(row)) = (heap, row) {
            let _ = writeln!(out, "     {heap:>width$}  {row}");
        }
    }
    let _ = writeln!(
        out,
        "     {}  {}",
        "-".repeat(width),
        "-".repeat(sum_row.len())
    );
    let _ = writeln!(out, "     {sum:>width$}  {sum_row}");
    out
}
