//! The period of the outcomes of heaps in misère play.

use grundy_core::heap::{HeapRules, PeriodTheorem};
use grundy_core::message::{Command, Setting};
use grundy_core::step::Step;
use grundy_core::{Diagnostic, Kind, Play, message};
use grundy_wording::answer::DisplayText;
use grundy_wording::{Language, words};
use serde::Serialize;

use super::Task;
use super::report::{Repetition, recognized_line};
use super::search::{self, MisereSearch};

/// The outcomes of the heaps 0, 1, 2, ... of a family in misère play. The serialized form is the
/// documented JSON.
#[derive(Clone, Debug, Serialize)]
pub struct MisereOutcomes {
    /// The family.
    pub family: String,
    /// The built-in family as which a family of a rule file was recognized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recognised_as: Option<String>,
    play: DisplayText<Play>,
    /// The least period and preperiod of the outcomes.
    #[serde(flatten)]
    pub repetition: Repetition,
    status: &'static str,
    /// The theorem that proves the period.
    pub theorem: DisplayText<PeriodTheorem>,
    /// Number of values that the proof needed.
    pub checked_to: u64,
}

impl MisereOutcomes {
    /// Returns the lines that are printed in a terminal.
    pub(super) fn text(&self, language: Language) -> String {
        let mut lines = vec![words(&self.step(), language)];
        let recognized = self.recognised_as.iter();
        lines.extend(recognized.map(|family| recognized_line(family, language)));
        lines.join("\n") + "\n"
    }

    /// Returns the period as a step of an explanation.
    fn step(&self) -> Step {
        Step::new("period_misere")
            .with("family", &self.family[..])
            .with("period", self.repetition.period)
            .with("preperiod", self.repetition.preperiod)
            .with("theorem", self.theorem.0.name())
            .with("checked", self.checked_to)
    }
}

/// Searches for the period of the outcomes. If no period is found, returns an error that states the
/// reason.
pub(super) fn outcomes(task: Task<'_>, rules: &HeapRules) -> Result<MisereOutcomes, Diagnostic> {
    let options = task.options;
    if options.certificate.is_some()
        || options.checkpoint.is_some()
        || options.values.is_some()
        || options.svg.is_some()
        || options.stream
    {
        let message = message!(
            "in misère play, a search for a period has no certificates, checkpoints, streams, value files or pictures"
        );
        return Err(Diagnostic::new(Kind::Range, message));
    }
    match search::misere(rules, options.max, &task.job.long_limits())? {
        MisereSearch::Period(period) => Ok(MisereOutcomes {
            family: task.options.family.clone(),
            recognised_as: task.recognized.map(str::to_owned),
            play: DisplayText(Play::Misere),
            // Outcomes have no saltus, even if there is one for the values that prove the period.
            repetition: Repetition {
                saltus: 0,
                ..Repetition::from(&period)
            },
            status: "proved",
            theorem: DisplayText(period.theorem),
            checked_to: period.checked_to,
        }),
        MisereSearch::Wild { heap, visited } => {
            let message = message!(
                "no theorem applies, because not all of the {looked_at} examined heaps are tame: the smallest exception is heap {heap}",
                heap,
                looked_at = visited
            );
            Err(Diagnostic::new(Kind::Limit, message)
                .help(message!(
                    "computing more values would not help; to compute the outcomes of small heaps by search, use `{command}`",
                    command = Command::new("table").with(Setting::new("play").set_to("misere"))
                ))
                .with_source(task.source))
        }
        MisereSearch::Nothing { visited } => {
            let message = message!(
                "the first {looked_at} values do not prove a period",
                looked_at = visited
            );
            Err(Diagnostic::new(Kind::Limit, message)
                .help(message!(
                    "{option} computes more values",
                    option = Setting::new("max")
                ))
                .with_source(task.source))
        }
    }
}
