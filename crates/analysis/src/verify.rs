//! `verify`: checks a certificate.

mod matrix;
mod object;
mod period;

use std::io::{self, Write};

use grundy::{Diagnostic, Kind, message};
use grundy_notation::Language;
use grundy_notation::answer::json_line;
use grundy_notation::wording::words;
use serde::Serialize;
use serde_json::Value;

use crate::analyst::Analyst;
use crate::job::Job;
use crate::question;
use crate::report::Report;
use period::SPARSE_WINDOW;

pub use matrix::CheckedSolution;
pub use period::{CheckedBy, CheckedPeriod};

/// Largest certificate that is read.
const LENGTH: u64 = 256 << 20;

/// A certificate that holds. One that does not is an error.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Verified {
    /// Of a period.
    Period(CheckedPeriod),
    /// Of the solution of a matrix game.
    Matrix(CheckedSolution),
}

#[derive(Serialize)]
struct VerifiedView<'a> {
    valid: bool,
    #[serde(flatten)]
    verified: &'a Verified,
}

impl Report for Verified {
    fn write_json(&self, out: &mut dyn Write, _: Language) -> io::Result<()> {
        let (valid, verified) = (true, self);
        json_line(out, &VerifiedView { valid, verified })
    }

    fn plain(&self, language: Language) -> String {
        let step = match self {
            Self::Period(checked) => checked.step(language),
            Self::Matrix(checked) => checked.step(),
        };
        format!("{}\n", words(&step, language))
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
        Some("period") if claim["theorem"] == SPARSE_WINDOW => {
            period::window(&claim, &job.long_limits()).map(Verified::Period)
        }
        Some("period") => period::period(&claim, &job.long_limits()).map(Verified::Period),
        Some("matrix") => matrix::solution(&claim).map(Verified::Matrix),
        _ => {
            let message = message!("the file is not a certificate of a known kind");
            Err(Diagnostic::new(Kind::Syntax, message))
        }
    }
}
