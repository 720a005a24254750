//! `nimber`: arithmetic of nimbers.

use grundy::Diagnostic;
use grundy_notation::Language;
use grundy_notation::nimber::evaluate;
use serde_json::{Value, json};

use crate::analyst::about;
use crate::answer::Report;
use crate::question::Nimber;

/// The value of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Computed {
    /// The nimber.
    pub value: u64,
}

impl Report for Computed {
    fn json(&self, _: Language) -> Value {
        json!({"value": self.value})
    }

    fn plain(&self, _: Language) -> String {
        format!("{}\n", self.value)
    }
}

pub(crate) fn answer(asked: &Nimber) -> Result<Computed, Diagnostic> {
    let source = &asked.expression;
    let value = evaluate(source).map_err(|error| about(error, source))?;
    Ok(Computed { value })
}
