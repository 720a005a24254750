//! What becomes of a command: a question is asked and its answer printed; batches, conversations, the server and the pages of
//! help have files of their own.

pub(crate) mod batch;
pub(crate) mod guide;
pub(crate) mod play;
#[cfg(feature = "serve")]
pub(crate) mod serve;

use std::io::{BufWriter, Write as _};
use std::process::ExitCode;

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
    if common.json {
        answer.write_json(&mut out, common.audience())?;
    } else {
        answer.write_plain(&mut out, common.audience())?;
    }
    out.flush()?;
    drop(out);
    if let Some(stopped) = answer.stopped() {
        outside::tell(&render(stopped, "", common.audience()));
    }
    // What was known when Ctrl-C came has been told.
    Ok(ExitCode::from(
        match (session.job.cancelled(), answer.is_partial()) {
            (true, true) => 130,
            (_, true) => 3,
            _ => 0,
        },
    ))
}
