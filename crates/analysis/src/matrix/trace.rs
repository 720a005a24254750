//! The tableaux of the simplex method, as one writes them on the board.

use std::fmt::{self, Write};

use grundy_matrix::tableau::{Tableau, Trace};
use grundy_matrix::{BigInt, BigRational};

use super::digits::short;
use super::json::name;

pub(super) fn write(out: &mut impl Write, trace: &Trace, value: &BigRational) -> fmt::Result {
    writeln!(out, "\nThe simplex method, by Bland's rule")?;
    let one = BigInt::from(1);
    if trace.scale != one {
        writeln!(
            out,
            "  entries times {}, so that they are integers",
            trace.scale
        )?;
    }
    if trace.added != BigInt::ZERO {
        writeln!(
            out,
            "  entries plus {}, so that they are positive",
            trace.added
        )?;
    }
    writeln!(
        out,
        "  maximize y0 + y1 + ... subject to B y + s = 1; all numbers of a tableau are over its denominator"
    )?;
    for (count, (tableau, pivot)) in trace.steps.iter().enumerate() {
        writeln!(
            out,
            "\n  tableau {count}, denominator {}",
            tableau.denominator
        )?;
        table(out, tableau)?;
        if let Some((row, column)) = *pivot {
            writeln!(
                out,
                "  {} enters, {} leaves, the pivot is {}",
                name(&tableau.free[column]),
                name(&tableau.basic[row]),
                tableau.cells[row][column]
            )?;
        } else {
            writeln!(
                out,
                "  no cost is positive: this is the maximum, {}/{}, and the value is {} = {}",
                tableau.objective,
                tableau.denominator,
                equation(trace, tableau),
                short(value)
            )?;
        }
    }
    Ok(())
}

/// How the value of the game comes from the last tableau.
fn equation(trace: &Trace, tableau: &Tableau) -> String {
    let mut text = format!("{}/{}", tableau.denominator, tableau.objective);
    if trace.added != BigInt::ZERO {
        text = format!("{text} - {}", trace.added).replace("- -", "+ ");
    }
    if trace.scale != BigInt::from(1) {
        text = format!("({text}) / {}", trace.scale);
    }
    text
}

fn table(out: &mut impl Write, tableau: &Tableau) -> fmt::Result {
    let mut lines: Vec<Vec<String>> = Vec::new();
    let heads = tableau.free.iter().map(name);
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
        ["cost".to_owned()]
            .into_iter()
            .chain(costs)
            .chain(last)
            .collect(),
    );
    let widths: Vec<usize> = (0..lines[0].len())
        .map(|c| lines.iter().map(|line| line[c].len()).max().unwrap_or(0))
        .collect();
    for line in &lines {
        let mut text = "   ".to_owned();
        for (c, (cell, width)) in line.iter().zip(&widths).enumerate() {
            let bar = if c == 1 || c + 1 == widths.len() {
                " |"
            } else {
                ""
            };
            write!(text, "{bar} {cell:>width$}")?;
        }
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}
