//! `nimber`: nimber arithmetic.

use grundy_core::Diagnostic;
use grundy_core::step::Step;
use grundy_notation::nimber::{evaluate, explain};
use grundy_wording::answer::StepView;
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, plain};
use serde::Serialize;

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::question::NimberQuestion;
use crate::result_cache::ResultCache;
use grundy_job::reader::with_source;

/// The value of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computed {
    /// The nimber.
    pub value: u64,
    /// The explanation of the value, if it was requested.
    pub steps: Option<Vec<Step>>,
}

#[derive(Serialize)]
struct ComputedView {
    value: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<StepView>>,
}

impl Report for Computed {
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        let language = words.language();
        let view = |steps: &Vec<Step>| {
            let steps = steps.iter();
            steps.map(|step| StepView::new(step, language)).collect()
        };
        let computed = ComputedView {
            value: self.value,
            steps: self.steps.as_ref().map(view),
        };
        Box::new(computed)
    }

    fn plain(&self, Audience { language, .. }: Audience) -> String {
        match &self.steps {
            Some(steps) => format!("{}\n\n{}", self.value, plain::numbered(steps, language)),
            None => format!("{}\n", self.value),
        }
    }
}

impl Question for NimberQuestion {
    fn answer(&self, _: &Analyst, _: &mut ResultCache, _: &Job) -> Result<Answer, Diagnostic> {
        Ok(Answer::new(answer(self)?))
    }

    fn game(&self) -> Option<&str> {
        Some(&self.expression)
    }
}

fn answer(question: &NimberQuestion) -> Result<Computed, Diagnostic> {
    let source = &question.expression;
    let computed = if question.explain {
        explain(source).map(|(value, steps)| (value, Some(steps)))
    } else {
        evaluate(source).map(|value| (value, None))
    };
    let (value, steps) = computed.map_err(|error| with_source(error, source))?;
    Ok(Computed { value, steps })
}
