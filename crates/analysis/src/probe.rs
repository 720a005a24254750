//! `probe` and `tables`: look-ups in tablebases, and the list of available tablebases.

use std::path::Path;

use grundy::Diagnostic;
use grundy_tables::probe::{tables, with};

use crate::analyst::{Analyst, Measured, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::learned::Learned;
use crate::question::{Probe, TablesQuestion};

pub use grundy_tables::probe::OpenTable;

impl Question for Probe {
    fn answer(
        &self,
        analyst: &Analyst,
        learned: &mut Learned,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        let position = self.position.as_deref().unwrap_or_default();
        let (play, moves) = (self.play, !self.no_moves);
        let probed = match &self.directory {
            Some(name) => open(name, analyst, learned, job)?.probe(position, play, moves, job),
            None => with(position, play, analyst.reader(), job)?.probe(position, play, moves, job),
        };
        probed.map(Answer::new)
    }

    fn game(&self) -> Option<&str> {
        self.position.as_deref()
    }

    fn measured(&self) -> Option<Measured> {
        self.stats.then_some(Measured::Time)
    }
}

/// Returns a tablebase. It is opened unless it is still open from an earlier question.
pub(crate) fn open<'a>(
    name: &Path,
    analyst: &Analyst,
    learned: &'a mut Learned,
    job: &Job,
) -> Result<&'a mut OpenTable, Diagnostic> {
    learned.opened(name, || OpenTable::open(name, analyst.reader(), job))
}

impl Question for TablesQuestion {
    fn answer(&self, analyst: &Analyst, _: &mut Learned, job: &Job) -> Result<Answer, Diagnostic> {
        tables(self.table.as_deref(), analyst.reader(), job).map(Answer::new)
    }
}
