//! Verification of the certificates of matrix games.

use grundy_core::step::Step;
use grundy_core::{Diagnostic, Kind, Message, message};
use grundy_matrix::BigRational;
use grundy_matrix::certificate::{MatrixCertificate, verify};
use grundy_wording::answer::DisplayText;
use grundy_wording::plain::brief;
use serde::Serialize;
use serde_json::Value;

use super::spelling;

/// The JSON keys of the certificate of a matrix game.
pub(super) const KEYS: &[&str] = &["kind", "value", "row_strategy", "col_strategy", "matrix"];

/// The result of verifying the solution of a matrix game.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedSolution {
    /// The value of the game.
    pub value: DisplayText<BigRational>,
    /// The number of rows. The payoff of each row against the strategy of the column player was
    /// compared with the value.
    pub rows: usize,
    /// The number of columns. The payoff of each column against the strategy of the row player was
    /// compared with the value.
    pub columns: usize,
}

impl CheckedSolution {
    /// Returns the result of the check as a `Step`: the code of a sentence, with its arguments.
    pub(super) fn step(&self) -> Step {
        Step::new("verified_matrix")
            .with("value", brief(self.value.0.to_string()))
            .with("rows", self.rows)
            .with("columns", self.columns)
    }
}

/// Verifies the claim of a certificate about a matrix game.
pub(super) fn solution(claim: &Value) -> Result<CheckedSolution, Diagnostic> {
    let certificate = read(claim)?;
    let checked = verify(&certificate).map_err(|forged| {
        let message = message!("invalid certificate: {why}", why = forged.message());
        Diagnostic::new(Kind::IllegalPosition, message)
    })?;
    Ok(CheckedSolution {
        value: DisplayText(certificate.value),
        rows: checked.rows,
        columns: checked.columns,
    })
}

fn refuse(message: Message) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message)
}

fn read(value: &Value) -> Result<MatrixCertificate, Diagnostic> {
    let array = |value: &Value, name: &str| -> Result<Vec<BigRational>, Diagnostic> {
        let items = value.as_array().ok_or_else(|| {
            refuse(message!(
                "`{name}` in the certificate is not a list of fractions",
                name
            ))
        })?;
        items.iter().map(|item| fraction(item, name)).collect()
    };
    let rows = value["matrix"]
        .as_array()
        .ok_or_else(|| refuse(message!("`matrix` is missing in the certificate")))?;
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

// JSON numbers are not exact, so fractions must be strings.
fn fraction(value: &Value, name: &str) -> Result<BigRational, Diagnostic> {
    value.as_str().and_then(spelling::fraction).ok_or_else(|| {
        refuse(message!(
            "the fractions in `{name}` must be strings such as \"1/2\"",
            name
        ))
    })
}
