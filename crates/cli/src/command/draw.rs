//! `grundy draw`: a picture of a position.

use std::io::{self, Write as _};
use std::process::ExitCode;

use serde_json::json;

use crate::arguments::{Common, Draw};
use crate::failure::Failure;

pub(crate) fn run(arguments: &Draw, common: &Common) -> Result<ExitCode, Failure> {
    let (position, _) = super::position(&arguments.source)?;
    let mut out = io::stdout().lock();
    if arguments.terminal {
        let text = grundy_draw::terminal(&position, arguments.labels);
        out.write_all(text.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let svg = if arguments.labels {
        grundy_draw::labelled_position(&position)
    } else {
        grundy_draw::position(&position)
    };
    if common.json {
        writeln!(out, "{}", json!({"game": position.to_string(), "svg": svg}))?;
    } else {
        out.write_all(svg.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}
