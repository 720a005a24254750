//! The period of who wins a heap in misère play.

use std::io::{self, Write as _};
use std::process::ExitCode;

use grundy::Kind;
use grundy::heap::{HeapRules, Period};
use grundy_notation::Diagnostic;
use serde_json::json;

use super::search;
use crate::arguments::Common;
use crate::failure::Failure;
use crate::session::Session;

/// Finds it and says it.
pub(super) fn run(
    source: &str,
    rules: &HeapRules,
    arguments: &crate::arguments::Period,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    if arguments.certificate.is_some()
        || arguments.checkpoint.is_some()
        || arguments.values.is_some()
        || arguments.plot.is_some()
        || arguments.stream
    {
        let message =
            "certificates, checkpoints, streams, values and plots are for normal play only";
        return Err(Diagnostic::new(Kind::Range, message).into());
    }
    let found = search::misere(rules, arguments.max, &session.long_limits())?;
    let Some(period) = found else {
        let message = format!("no period is proved by the first {} values", arguments.max);
        let diagnostic = Diagnostic::new(Kind::Limit, message).help("--max computes more values");
        return Err(Failure::input(diagnostic, source));
    };
    let mut out = io::stdout().lock();
    if common.json {
        let object = json!({
            "family": source,
            "play": "misere",
            "preperiod": period.preperiod,
            "period": period.period,
            "saltus": 0,
            "status": "proved",
            "theorem": period.theorem.name(),
            "checked_to": period.checked_to,
        });
        writeln!(out, "{object}")?;
    } else {
        let Period {
            preperiod,
            period,
            theorem,
            checked_to,
            ..
        } = period;
        writeln!(
            out,
            "{source} in misère play: who wins a heap of n repeats with period {period} for n >= {preperiod} ({theorem}, from the first {checked_to} values)"
        )?;
    }
    Ok(ExitCode::SUCCESS)
}
