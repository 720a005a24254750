//! What becomes of a command: a question is asked and its answer printed; batches, conversations,
//! the server and the pages of help have files of their own.

pub(crate) mod batch;
pub(crate) mod guide;
pub(crate) mod play;
#[cfg(feature = "serve")]
pub(crate) mod serve;

use std::io::{BufWriter, Write as _};
use std::process::ExitCode;

use grundy::{Diagnostic, Stop};
use grundy_analysis::Question;
use grundy_wording::diagnostic::render;

use crate::arguments::Common;
use crate::failure::Failure;
use crate::outside;
use crate::session::Session;

/// Asks, and prints the answer: nothing is printed before it is whole.
pub(crate) fn ask(
    question: &dyn Question,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let answer = session.analyst.answer(question, &session.job)?;
    session.done();
    let mut out = BufWriter::with_capacity(1 << 16, outside::answers());
    let (audience, most) = (common.audience(), session.job.output());
    let is_complete = if common.json {
        answer.write_json(&mut out, audience, most)?
    } else {
        answer.write_plain(&mut out, audience, most)?
    };
    out.flush()?;
    drop(out);
    let cut = (!is_complete).then(|| Diagnostic::from(Stop::Output(most)));
    for stopped in answer.stopped().into_iter().chain(&cut) {
        outside::tell(&render(stopped, "", audience));
    }
    // What was known when Ctrl-C came has been told.
    Ok(ExitCode::from(
        match (session.job.cancelled(), answer.is_partial() || !is_complete) {
            (true, true) => 130,
            (_, true) => 3,
            _ => 0,
        },
    ))
}
