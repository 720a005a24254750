//! `period`: the proved period of a one-heap family.

use grundy_core::message::Setting;
use grundy_core::{Diagnostic, Kind, message};
use grundy_period::PeriodOptions;

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::program::{CodeLanguage, Facts, Program};
use crate::question::PeriodQuestion;
use crate::result_cache::ResultCache;

pub use grundy_period::{
    FoundPeriod, Repetition, family, outcome_repetition, proof_step, prove_period, sequence,
};

/// Returns a program that computes the values by their period.
fn program(found: &FoundPeriod, language: CodeLanguage) -> Result<Program, Diagnostic> {
    let FoundPeriod::Values(survey) = found else {
        let message = message!("programs are available for Grundy values in normal play only");
        return Err(Diagnostic::new(Kind::Type, message)
            .help(message!("omit {option}", option = Setting::new("code"))));
    };
    let repetition = survey.repetition.filter(|repetition| {
        let end = repetition.preperiod + repetition.period;
        end <= survey.first.len() as u64
    });
    let facts = match repetition {
        Some(repetition) => Facts::Period {
            first: 0,
            values: survey.first[..(repetition.preperiod + repetition.period) as usize].to_vec(),
            repetition,
            is_proved: survey.theorem.is_some(),
        },
        None => Facts::Row {
            first: 0,
            values: survey.first.clone(),
        },
    };
    Ok(Program::new(&survey.family, &facts, language))
}

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
            observed_max: self.observed_max(),
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
        if let Some(language) = self.code {
            return program(&found, language).map(Answer::new);
        }
        Ok(drawn.map_or_else(|| Answer::new(found), Answer::new))
    }

    fn game(&self) -> Option<&str> {
        self.family.as_deref()
    }
}
