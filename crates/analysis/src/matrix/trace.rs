//! The tableaux of the simplex method, in the layout of textbooks.

use std::fmt::{self, Write};

use grundy_core::step::Step;
use grundy_matrix::tableau::{Tableau, Trace};
use grundy_matrix::{BigInt, BigRational};
use grundy_wording::{Language, phrase, width, words};

use super::digits::short;
use super::json::name;

pub(super) fn write(
    out: &mut String,
    trace: &Trace,
    value: &BigRational,
    language: Language,
) -> fmt::Result {
    writeln!(out, "\n{}", phrase("matrix_simplex", language))?;
    let one = BigInt::from(1);
    let say = |out: &mut String, step: &Step| writeln!(out, "{}", words(step, language));
    // The matrix is scaled until its entries are integers. Then a number is added to make the least
    // entry 1. The value is then positive, as the linear program requires.
    if trace.scale != one {
        say(
            out,
            &Step::new("matrix_scaled").with("scale", trace.scale.to_string()),
        )?;
    }
    if trace.offset != BigInt::ZERO {
        say(
            out,
            &Step::new("matrix_added").with("added", trace.offset.to_string()),
        )?;
    }
    say(out, &Step::new("matrix_program"))?;
    for (count, (tableau, pivot)) in trace.steps.iter().enumerate() {
        let heading = Step::new("matrix_tableau")
            .with("count", count)
            .with("denominator", tableau.denominator.to_string());
        writeln!(out, "\n{}", words(&heading, language))?;
        table(out, tableau, language)?;
        let step = if let Some((row, column)) = *pivot {
            Step::new("matrix_pivot")
                .with("enters", name(&tableau.nonbasic[column]))
                .with("leaves", name(&tableau.basic[row]))
                .with("pivot", tableau.cells[row][column].to_string())
        } else {
            let maximum = format!("{}/{}", tableau.objective, tableau.denominator);
            Step::new("matrix_maximum")
                .with("maximum", maximum)
                .with("equation", equation(trace, tableau))
                .with("value", short(value))
        };
        writeln!(out, "{}", words(&step, language))?;
    }
    Ok(())
}

/// Returns the equation for the value of the game. It subtracts the constant that was added to the
/// entries of the matrix from the value of the last tableau. It then divides by the factor by which
/// the entries were scaled.
fn equation(trace: &Trace, tableau: &Tableau) -> String {
    let mut text = format!("{}/{}", tableau.denominator, tableau.objective);
    if trace.offset != BigInt::ZERO {
        text = format!("{text} - {}", trace.offset).replace("- -", "+ ");
    }
    if trace.scale != BigInt::from(1) {
        text = format!("({text}) / {}", trace.scale);
    }
    text
}

fn table(out: &mut String, tableau: &Tableau, language: Language) -> fmt::Result {
    let mut lines: Vec<Vec<String>> = Vec::new();
    let heads = tableau.nonbasic.iter().map(name);
    lines.push(
        [String::new()]
            .into_iter()
            .chain(heads)
            .chain([String::new()])
            .collect(),
    );
    for ((basic, cells), right) in tableau.basic.iter().zip(&tableau.cells).zip(&tableau.right) {
        let cells = cells.iter().chain([right]).map(BigInt::to_string);
        lines.push([name(basic)].into_iter().chain(cells).collect());
    }
    let costs = tableau.cost.iter().map(BigInt::to_string);
    let last = [(-&tableau.objective).to_string()];
    lines.push(
        [phrase("matrix_costs", language)]
            .into_iter()
            .chain(costs)
            .chain(last)
            .collect(),
    );
    let widths: Vec<usize> = (0..lines[0].len())
        .map(|c| lines.iter().map(|line| width(&line[c])).max().unwrap_or(0))
        .collect();
    for line in &lines {
        let mut text = "   ".to_owned();
        for (c, (cell, widest)) in line.iter().zip(&widths).enumerate() {
            let bar = if c == 1 || c + 1 == widths.len() {
                " |"
            } else {
                ""
            };
            let padding = " ".repeat(widest - width(cell));
            write!(text, "{bar} {padding}{cell}")?;
        }
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}
