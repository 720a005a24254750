//! `grundy verify`: checks a certificate.

mod matrix;
mod period;

use std::fs;
use std::io;
use std::process::ExitCode;

use grundy::Kind;
use grundy_notation::Diagnostic;
use serde_json::Value;

use crate::arguments::{Common, Verify};
use crate::failure::Failure;
use crate::session::Session;

/// Largest certificate that is read.
const LENGTH: u64 = 64 << 20;

pub(crate) fn run(
    arguments: &Verify,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let name = arguments.file.display();
    let io = |error: io::Error| Diagnostic::new(Kind::Io, format!("{name}: {error}"));
    if fs::metadata(&arguments.file).map_err(io)?.len() > LENGTH {
        return Err(Diagnostic::new(Kind::Io, format!("{name}: larger than 64 MiB")).into());
    }
    let bytes = fs::read(&arguments.file).map_err(io)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Diagnostic::new(Kind::Encoding, format!("{name}: not UTF-8")))?;
    let value: Value = serde_json::from_str(&text)
        .map_err(|_| Diagnostic::new(Kind::Syntax, "the file is not a certificate: not JSON"))?;
    drop(text);
    match value["kind"].as_str() {
        Some("period") => period::run(&value, common, &session.long_limits()),
        Some("matrix") => matrix::run(&value, common),
        _ => {
            let message = "the file is not a certificate of a known kind";
            Err(Diagnostic::new(Kind::Syntax, message).into())
        }
    }
}
