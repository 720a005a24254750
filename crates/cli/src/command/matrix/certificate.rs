//! The certificate of a matrix game as JSON, written piece by piece: it can be larger than everything else in memory.

use std::io::{self, Write};

use grundy_matrix::BigRational;

use super::Report;

/// Writes the certificate as one object.
pub(super) fn write(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let Report {
        game,
        solution,
        fractions: [p, q],
        ..
    } = report;
    write!(
        out,
        r#"{{"kind":"matrix","value":"{}","row_strategy":"#,
        solution.value
    )?;
    array(out, p)?;
    write!(out, r#","col_strategy":"#)?;
    array(out, q)?;
    write!(out, r#","matrix":["#)?;
    for i in 0..game.rows() {
        out.write_all(if i == 0 { &b"["[..] } else { b",[" })?;
        for j in 0..game.columns() {
            let comma = if j == 0 { "" } else { "," };
            write!(out, r#"{comma}"{}""#, game.entry(i, j))?;
        }
        out.write_all(b"]")?;
    }
    out.write_all(b"]}")
}

/// Writes fractions as an array of strings.
pub(super) fn array(out: &mut impl Write, fractions: &[BigRational]) -> io::Result<()> {
    for (k, fraction) in fractions.iter().enumerate() {
        let before = if k == 0 { "[" } else { "," };
        write!(out, r#"{before}"{fraction}""#)?;
    }
    out.write_all(b"]")
}
