//! Answering a question and printing the answer. Batches, dialogues, the server and the help have
//! separate modules.

pub(crate) mod batch;
pub(crate) mod guide;
pub(crate) mod play;
#[cfg(feature = "serve")]
pub(crate) mod serve;

use std::io::{BufWriter, Write as _};
use std::process::ExitCode;

use grundy_analysis::Question;
use grundy_core::{Diagnostic, Stop};
use grundy_wording::diagnostic::render;

use crate::arguments::Common;
use crate::failure::Failure;
use crate::output;
use crate::session::Session;

/// Answers a question and prints the answer. Nothing is printed before the answer is complete.
pub(crate) fn ask(
    question: &dyn Question,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let answer = session.analyst.answer(question, &session.job)?;
    session.done();
    let mut out = BufWriter::with_capacity(1 << 16, output::stdout());
    let (audience, most) = (common.audience(), session.job.output());
    let is_complete = if common.json {
        answer.write_json(&mut out, audience, most)?
    } else {
        answer.write_plain(&mut out, audience, most)?
    };
    out.flush()?;
    drop(out);
    // Reports about a limit are written to standard error, so that JSON on standard output remains
    // valid.
    let cut = (!is_complete).then(|| Diagnostic::from(Stop::Output(most)));
    for stopped in answer.stopped().into_iter().chain(&cut) {
        output::write_message(&render(stopped, "", audience));
    }
    // If the answer is complete, the exit code is that of a success even after Ctrl-C.
    Ok(ExitCode::from(
        match (session.job.cancelled(), answer.is_partial() || !is_complete) {
            (true, true) => 130,
            (_, true) => 3,
            _ => 0,
        },
    ))
}
