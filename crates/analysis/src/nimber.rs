//! `nimber`: arithmetic of nimbers.

use std::io::{self, Write};

use grundy::Diagnostic;
use grundy_notation::Language;
use grundy_notation::answer::json_line;
use grundy_notation::nimber::evaluate;
use serde::Serialize;

use crate::analyst::about;
use crate::question::NimberQuestion;
use crate::report::Report;

/// The value of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Computed {
    /// The nimber.
    pub value: u64,
}

impl Report for Computed {
    fn write_json(&self, out: &mut dyn Write, _: Language) -> io::Result<()> {
        json_line(out, self)
    }

    fn plain(&self, _: Language) -> String {
        format!("{}\n", self.value)
    }
}

pub(crate) fn answer(asked: &NimberQuestion) -> Result<Computed, Diagnostic> {
    let source = &asked.expression;
    let value = evaluate(source).map_err(|error| about(error, source))?;
    Ok(Computed { value })
}
