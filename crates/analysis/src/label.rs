//! `label`: labels all positions of a given game graph, or all positions that are reachable from a
//! given position.

use grundy_core::Diagnostic;
use grundy_tables::label::label;

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::question::LabelQuestion;
use crate::result_cache::ResultCache;

impl Question for LabelQuestion {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        self.check()?;
        let workers = analyst.workers();
        label(&self.options(), workers, analyst.reader(), job).map(Answer::new)
    }

    fn game(&self) -> Option<&str> {
        self.source.to_str()
    }
}
