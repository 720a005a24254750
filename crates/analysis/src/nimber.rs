//! `nimber`: arithmetic of nimbers.

use std::io::{self, Write};

use grundy::Diagnostic;
use grundy::step::Step;
use grundy_notation::answer::{StepView, json_line};
use grundy_notation::nimber::{evaluate, explain};
use grundy_notation::{Language, plain};
use serde::Serialize;

use crate::analyst::{Analyst, Question, about};
use crate::answer::Answer;
use crate::job::Job;
use crate::question::NimberQuestion;
use crate::report::Report;

/// The value of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computed {
    /// The nimber.
    pub value: u64,
    /// How it comes about, where that was asked.
    pub steps: Option<Vec<Step>>,
}

#[derive(Serialize)]
struct ComputedView {
    value: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<StepView>>,
}

impl Report for Computed {
    fn write_json(&self, out: &mut dyn Write, language: Language) -> io::Result<()> {
        let view = |steps: &Vec<Step>| {
            let steps = steps.iter();
            steps.map(|step| StepView::new(step, language)).collect()
        };
        let computed = ComputedView {
            value: self.value,
            steps: self.steps.as_ref().map(view),
        };
        json_line(out, &computed)
    }

    fn plain(&self, language: Language) -> String {
        match &self.steps {
            Some(steps) => format!("{}\n\n{}", self.value, plain::numbered(steps, language)),
            None => format!("{}\n", self.value),
        }
    }
}

impl Question for NimberQuestion {
    fn answer(&self, _: &Analyst, _: &Job) -> Result<Answer, Diagnostic> {
        Ok(Answer::new(answer(self)?))
    }
}

fn answer(asked: &NimberQuestion) -> Result<Computed, Diagnostic> {
    let source = &asked.expression;
    let computed = if asked.explain {
        explain(source).map(|(value, steps)| (value, Some(steps)))
    } else {
        evaluate(source).map(|value| (value, None))
    };
    let (value, steps) = computed.map_err(|error| about(error, source))?;
    Ok(Computed { value, steps })
}
