//! `period`: the proved period of a one-heap family.

use grundy_core::{Diagnostic, Kind, Play, message};
use grundy_notation::Expression;
use grundy_period::{MisereOutcomes, PeriodOptions, PeriodSurvey};

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::program::{CodeLanguage, Content, Facts, Program};
use crate::question::{PeriodQuestion, TableQuestion};
use crate::result_cache::ResultCache;

pub use grundy_period::{
    FoundPeriod, Repetition, family, literal_family, outcome_repetition, proof_step, prove_period,
    recognized_family, sequence,
};

/// Returns a program that computes the values by their period.
fn program(survey: &PeriodSurvey, language: CodeLanguage) -> Program {
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
    Program::new(&survey.family, Content::Values, &facts, &[], language)
}

/// Returns the table of the outcomes up to the end of the first period. Its program states the
/// period.
fn table(found: &MisereOutcomes, language: CodeLanguage) -> Result<TableQuestion, Diagnostic> {
    let variables = Expression::parse_or_guess(&found.family)?.variables();
    let end = found.repetition.preperiod + found.repetition.period;
    Ok(TableQuestion {
        family: found.family.clone(),
        ranges: (variables.first().into_iter())
            .map(|variable| format!("{variable}=0..{}", end - 1))
            .collect(),
        code: Some(language),
        play: Play::Misere,
        ..TableQuestion::default()
    })
}

impl Question for PeriodQuestion {
    fn answer(
        &self,
        analyst: &Analyst,
        cache: &mut ResultCache,
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
            return match found {
                FoundPeriod::Values(survey) => Ok(Answer::new(program(&survey, language))),
                FoundPeriod::Outcomes(found) => {
                    table(&found, language)?.answer(analyst, cache, job)
                }
                FoundPeriod::Codes(_) => unreachable!("a family was searched"),
            };
        }
        Ok(drawn.map_or_else(|| Answer::new(found), Answer::new))
    }

    fn game(&self) -> Option<&str> {
        self.family.as_deref()
    }
}
