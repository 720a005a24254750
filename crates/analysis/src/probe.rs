//! `probe` and `tables`: look-ups in tablebases, and the list of available tablebases.

use std::path::Path;

use grundy_core::Diagnostic;
use grundy_tables::probe::{find_containing, tables};

use crate::analyst::{Analyst, CostKind, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::question::{Probe, TablesQuestion};
use crate::result_cache::ResultCache;

pub use grundy_tables::probe::OpenTable;

impl Question for Probe {
    fn answer(
        &self,
        analyst: &Analyst,
        cache: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        let position = self.position.as_deref().unwrap_or_default();
        let (play, moves) = (self.play, !self.no_moves);
        let probed = match &self.directory {
            Some(name) => open(name, analyst, cache, job)?.probe(position, play, moves, job),
            None => find_containing(position, play, analyst.reader(), job)?
                .probe(position, play, moves, job),
        };
        probed.map(Answer::new)
    }

    fn game(&self) -> Option<&str> {
        self.position.as_deref()
    }

    fn cost_kind(&self) -> Option<CostKind> {
        self.stats.then_some(CostKind::Time)
    }
}

/// Returns a tablebase. It is opened unless it is still open from an earlier question.
pub(crate) fn open<'a>(
    name: &Path,
    analyst: &Analyst,
    cache: &'a mut ResultCache,
    job: &Job,
) -> Result<&'a mut OpenTable, Diagnostic> {
    cache.get_or_open(name, || OpenTable::open(name, analyst.reader(), job))
}

impl Question for TablesQuestion {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        tables(self.table.as_deref(), analyst.reader(), job).map(Answer::new)
    }
}
