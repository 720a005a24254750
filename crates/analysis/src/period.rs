//! `period`: the proved period of a one-heap family.

use grundy_core::message::Setting;
use grundy_core::{Diagnostic, Kind, message};
use grundy_period::PeriodOptions;

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::program::{CodeLanguage, Content, Facts, Program};
use crate::question::PeriodQuestion;
use crate::result_cache::ResultCache;

pub use grundy_period::{
    FoundPeriod, Repetition, family, outcome_repetition, proof_step, prove_period,
    recognized_family, sequence,
};

/// Returns a program that computes the values by their period.
fn program(found: &FoundPeriod, language: CodeLanguage) -> Result<Program, Diagnostic> {
    let FoundPeriod::Values(survey) = found else {
        let message = message!("programs are available for Grundy values in normal play only");
        return Err(Diagnostic::new(Kind::Type, message)
            .help(message!("omit {option}", option = Setting::new("code"))));
    };
    let ends_in_list = |repetition: &Repetition| {
        let end = repetition.preperiod + repetition.period;
        usize::try_from(end)
            .ok()
            .filter(|end| *end <= survey.first.len())
    };
    let end = survey.repetition.as_ref().and_then(ends_in_list);
    let cells = survey.first[..end.unwrap_or(survey.first.len())].iter();
    let cells = cells.map(|value| Some(value.to_string())).collect();
    let facts = match survey.repetition {
        Some(repetition) if end.is_some() => Facts::Period {
            first: 0,
            cells,
            repetition,
            is_proved: survey.theorem.is_some(),
        },
        repetition => Facts::Row {
            first: 0,
            cells,
            repetition,
        },
    };
    Ok(Program::new(
        &survey.family,
        Content::Values,
        &facts,
        &[],
        language,
    ))
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
