//! `verify`: checks whether a certificate or a tablebase is correct.

mod matrix;
mod period;
mod quotient;
mod spelling;

use grundy_core::message::Setting;
use grundy_core::{Diagnostic, Kind, message};
use grundy_tables::verify::tablebase::CheckOptions;
use grundy_tables::verify::{labels, tablebase};
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, words};
use serde::Serialize;
use serde_json::Value;

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::json_object::read_value;
use crate::keys::duplicate_key;
use crate::question;
use crate::result_cache::ResultCache;
use period::SPARSE_WINDOW;

pub use grundy_tables::verify::labels::CheckedLabels;
pub use grundy_tables::verify::tablebase::CheckedTable;
pub use matrix::CheckedSolution;
pub use period::{CheckedBy, CheckedPeriod};
pub use quotient::CheckedQuotient;

/// Largest size of a certificate that is read: 256 MiB.
const LENGTH: u64 = 256 << 20;

/// The result of verifying a certificate or a tablebase that is correct. An incorrect one is an
/// error.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Verified {
    /// The certificate of a period.
    Period(CheckedPeriod),
    /// The certificate of a misère quotient.
    Quotient(CheckedQuotient),
    /// The certificate of the labels of a graph.
    Labels(CheckedLabels),
    /// The certificate of the solution of a matrix game.
    Matrix(CheckedSolution),
    /// A tablebase.
    Tablebase(CheckedTable),
}

#[derive(Serialize)]
struct VerifiedView<'a> {
    valid: bool,
    #[serde(flatten)]
    verified: &'a Verified,
}

impl Report for Verified {
    fn view(&self, _: Words) -> Box<dyn AnySerialize + '_> {
        let (valid, verified) = (true, self);
        Box::new(VerifiedView { valid, verified })
    }

    fn plain(&self, Audience { language, .. }: Audience) -> String {
        let step = match self {
            Self::Period(checked) => checked.step(language),
            Self::Quotient(checked) => checked.step(),
            Self::Labels(checked) => checked.step(),
            Self::Matrix(checked) => checked.step(),
            Self::Tablebase(checked) => checked.step(),
        };
        format!("{}\n", words(&step, language))
    }
}

/// Rejects a certificate with an unknown key. Such a key could be a claim that is not checked.
fn check_keys(claim: &Value, known: &[&[&str]]) -> Result<(), Diagnostic> {
    let mut keys = claim
        .as_object()
        .into_iter()
        .flat_map(|object| object.keys());
    match keys.find(|key| !known.concat().contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => {
            let key: String = key.chars().take(60).collect();
            let message = message!("invalid certificate: unknown key `{key}`", key);
            Err(Diagnostic::new(Kind::Syntax, message))
        }
    }
}

/// Parses a certificate. Rejects duplicate keys, since another parser might use the other value and
/// thus read another claim.
fn claim(text: &str) -> Result<Value, Diagnostic> {
    let (claim, duplicate) = read_value(text).map_err(|_| {
        let message = message!("the file is not a certificate: not JSON");
        Diagnostic::new(Kind::Syntax, message)
    })?;
    match duplicate {
        None => Ok(claim),
        Some(key) => {
            let why = duplicate_key(&key);
            let message = message!("invalid certificate: {why}", why = why.message);
            Err(Diagnostic::new(Kind::Syntax, message))
        }
    }
}

impl Question for question::Verify {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        Ok(Answer::new(answer(self, analyst, job)?))
    }
}

/// Verifies the certificate or the tablebase that the question names.
fn answer(
    question: &question::Verify,
    analyst: &Analyst,
    job: &Job,
) -> Result<Verified, Diagnostic> {
    // A tablebase is a folder or an address, which is recognized without reading a file.
    if tablebase::is_table(&question.file, analyst.reader()) {
        let options = CheckOptions {
            file: &question.file,
            sample: question.sample,
            seed: question.seed,
            threads: question.threads,
        };
        let checked = tablebase::check(&options, analyst.reader(), job);
        return checked.map(Verified::Tablebase);
    }
    if question.sample.is_some() {
        let message = message!(
            "{option} applies to tablebases only: certificates are checked completely",
            option = Setting::command_line("sample")
        );
        return Err(Diagnostic::new(Kind::IllegalPosition, message));
    }
    let text = analyst.files().text(&question.file, LENGTH)?;
    let claim = claim(&text)?;
    // The text can have 256 MiB. It is dropped because the verification needs memory.
    drop(text);
    match claim["kind"].as_str() {
        // The allowed keys depend on the theorem, so the theorem is read first.
        Some("period") if claim["theorem"] == SPARSE_WINDOW => {
            check_keys(&claim, &[period::CLAIM_KEYS, period::WINDOW_KEYS])?;
            period::window(&claim, &job.long_limits()).map(Verified::Period)
        }
        Some("period") => {
            check_keys(&claim, &[period::CLAIM_KEYS, period::VALUES_KEYS])?;
            period::period(&claim, &job.long_limits()).map(Verified::Period)
        }
        Some("quotient") => {
            check_keys(&claim, &[quotient::KEYS])?;
            quotient::quotient(&claim, &job.limits()).map(Verified::Quotient)
        }
        Some("labels") => {
            check_keys(&claim, &[labels::KEYS])?;
            labels::labels(&claim, &job.long_limits()).map(Verified::Labels)
        }
        Some("matrix") => {
            check_keys(&claim, &[matrix::KEYS])?;
            matrix::solution(&claim).map(Verified::Matrix)
        }
        _ => {
            let message = message!("the file is not a certificate of a known kind");
            Err(Diagnostic::new(Kind::Syntax, message))
        }
    }
}
