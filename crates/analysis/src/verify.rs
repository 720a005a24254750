//! `verify`: checks a certificate.

mod matrix;
mod object;
mod period;

use grundy::{Diagnostic, Kind};
use grundy_notation::Language;
use serde_json::Value;

use crate::analyst::Analyst;
use crate::answer::Report;
use crate::job::Job;
use crate::question;

pub use matrix::CheckedSolution;
pub use period::{CheckedPeriod, CheckedWindow};

/// Largest certificate that is read.
const LENGTH: u64 = 256 << 20;

/// A certificate that holds. One that does not is an error.
#[derive(Clone, Debug)]
pub enum Verified {
    /// Of a period, by a theorem on finitely many values.
    Period(CheckedPeriod),
    /// Of a period, by finitely many rare heaps.
    Window(CheckedWindow),
    /// Of the solution of a matrix game.
    Matrix(CheckedSolution),
}

impl Report for Verified {
    fn json(&self, _: Language) -> Value {
        match self {
            Self::Period(checked) => checked.as_json(),
            Self::Window(checked) => checked.as_json(),
            Self::Matrix(checked) => checked.as_json(),
        }
    }

    fn plain(&self, _: Language) -> String {
        match self {
            Self::Period(checked) => checked.to_string(),
            Self::Window(checked) => checked.to_string(),
            Self::Matrix(checked) => checked.to_string(),
        }
    }
}

/// The answer.
pub(crate) fn answer(
    asked: &question::Verify,
    analyst: &Analyst,
    job: &Job,
) -> Result<Verified, Diagnostic> {
    let text = analyst.files.text(&asked.file, LENGTH)?;
    let claim: Value = object::read(&text)?;
    drop(text);
    match claim["kind"].as_str() {
        Some("period") if claim["theorem"] == "sparse_window" => {
            period::window(&claim, &job.long_limits()).map(Verified::Window)
        }
        Some("period") => period::period(&claim, &job.long_limits()).map(Verified::Period),
        Some("matrix") => matrix::solution(&claim).map(Verified::Matrix),
        _ => {
            let message = "the file is not a certificate of a known kind";
            Err(Diagnostic::new(Kind::Syntax, message))
        }
    }
}
