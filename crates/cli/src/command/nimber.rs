//! `grundy nimber`: arithmetic of nimbers.

use std::process::ExitCode;

use grundy_notation::nimber::evaluate;
use serde_json::json;

use crate::arguments::{Common, Nimber, text};
use crate::failure::Failure;

pub(crate) fn run(arguments: &Nimber, common: &Common) -> Result<ExitCode, Failure> {
    let source = text(&arguments.expr)?;
    let value = evaluate(source).map_err(|error| Failure::input(error, source))?;
    if common.json {
        println!("{}", json!({"value": value}));
    } else {
        println!("{value}");
    }
    Ok(ExitCode::SUCCESS)
}
