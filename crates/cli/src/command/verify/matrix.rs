//! Certificates of matrix games.

use std::io::Write as _;
use std::process::ExitCode;

use grundy::Kind;
use grundy_matrix::BigRational;
use grundy_matrix::certificate::{MatrixCertificate, verify};
use grundy_notation::Diagnostic;
use serde_json::{Value, json};

use crate::arguments::Common;
use crate::failure::Failure;

/// Longest number that is read: reading takes time with the square of the length.
const LENGTH: usize = 50_000;

pub(super) fn run(value: &Value, common: &Common) -> Result<ExitCode, Failure> {
    let certificate = read(value)?;
    let checked = verify(&certificate).map_err(|forged| {
        Diagnostic::new(
            Kind::IllegalPosition,
            format!("the certificate is refused: {forged}"),
        )
    })?;
    let (rows, columns) = (checked.rows, checked.columns);
    let mut out = std::io::stdout().lock();
    if common.json {
        let object = json!({
            "valid": true,
            "kind": "matrix",
            "value": certificate.value.to_string(),
            "rows": rows,
            "columns": columns,
        });
        writeln!(out, "{object}")?;
    } else {
        writeln!(
            out,
            "the certificate is valid: against the row strategy each of {columns} columns pays at least the value, against the column strategy each of {rows} rows wins at most the value"
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn refuse(message: impl Into<String>) -> Failure {
    Diagnostic::new(Kind::Syntax, message).into()
}

fn read(value: &Value) -> Result<MatrixCertificate, Failure> {
    let array = |value: &Value, name: &str| -> Result<Vec<BigRational>, Failure> {
        let items = value.as_array().ok_or_else(|| {
            refuse(format!(
                "`{name}` is not a list of fractions in the certificate"
            ))
        })?;
        items.iter().map(|item| fraction(item, name)).collect()
    };
    let rows = value["matrix"]
        .as_array()
        .ok_or_else(|| refuse("`matrix` is missing in the certificate"))?;
    Ok(MatrixCertificate {
        matrix: rows
            .iter()
            .map(|row| array(row, "matrix"))
            .collect::<Result<_, _>>()?,
        value: fraction(&value["value"], "value")?,
        row_strategy: array(&value["row_strategy"], "row_strategy")?,
        col_strategy: array(&value["col_strategy"], "col_strategy")?,
    })
}

fn fraction(value: &Value, name: &str) -> Result<BigRational, Failure> {
    value
        .as_str()
        .filter(|text| text.len() <= LENGTH)
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| {
            refuse(format!(
                "`{name}` holds something else than fractions in quotes"
            ))
        })
}
