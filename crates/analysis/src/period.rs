//! `period`: the proved period of a one-heap family.

use grundy_core::{Diagnostic, Kind, message};
use grundy_period::PeriodOptions;

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::question::PeriodQuestion;
use crate::result_cache::ResultCache;

pub use grundy_period::{
    FoundPeriod, Repetition, family, outcome_repetition, proof_step, prove_period, sequence,
};

impl Question for PeriodQuestion {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        if let Some(digits) = self.all {
            return grundy_period::codes(digits, self.max, job).map(Answer::new);
        }
        let Some(family) = self.family.clone() else {
            let message = message!("no family given");
            return Err(Diagnostic::new(Kind::Syntax, message));
        };
        let options = PeriodOptions {
            family,
            max: self.max,
            certificate: self.certificate.clone(),
            checkpoint: self.checkpoint.clone(),
            every: self.every,
            resume: self.resume,
            stream: self.stream,
            values: self.values.clone(),
            frequencies: self.frequencies,
            svg: self.svg.clone(),
            play: self.play,
        };
        let (found, drawn) = grundy_period::search(&options, analyst.reader(), job)?;
        Ok(drawn.map_or_else(|| Answer::new(found), Answer::new))
    }

    fn game(&self) -> Option<&str> {
        self.family.as_deref()
    }
}
