//! `convert`: a tablebase as Parquet files in parts, for programs that ask many rows at once, and back again.

use std::io::{self, Write};

use grundy::Diagnostic;
use grundy::step::Step;
use grundy_notation::Language;
use grundy_notation::answer::json_line;
use grundy_notation::wording::words;
use serde::Serialize;

use crate::analyst::Analyst;
use crate::job::Job;
use crate::question::ConvertQuestion;
use crate::report::Report;

/// What has been written.
#[derive(Clone, Debug, Serialize)]
pub struct Converted {
    /// What the tablebase is of.
    pub game: String,
    /// What was written: `parts` or `tablebase`.
    pub written: &'static str,
    /// Where.
    pub to: String,
    /// How many positions there are.
    pub positions: u64,
    /// In how many parts.
    pub parts: u64,
}

impl Report for Converted {
    fn write_json(&self, out: &mut dyn Write, _: Language) -> io::Result<()> {
        json_line(out, self)
    }

    fn plain(&self, language: Language) -> String {
        let code = if self.written == "parts" {
            "converted_to_parts"
        } else {
            "converted_to_tablebase"
        };
        let step = Step::new(code)
            .with("game", self.game.clone())
            .with("to", self.to.clone())
            .with("positions", self.positions)
            .with("parts", self.parts);
        format!("{}\n", words(&step, language))
    }
}

#[cfg(feature = "parquet")]
pub(crate) fn answer(
    asked: &ConvertQuestion,
    analyst: &Analyst,
    job: &Job,
) -> Result<Converted, Diagnostic> {
    crate::parts::convert(asked, analyst, job)
}

#[cfg(not(feature = "parquet"))]
pub(crate) fn answer(_: &ConvertQuestion, _: &Analyst, _: &Job) -> Result<Converted, Diagnostic> {
    Err(crate::graph_file::without_parquet())
}
