//! `solve` with a list of positions.

use std::io::{self, Write};
use std::ops::Range;

use grundy_core::{Diagnostic, Kind, message};
use grundy_notation::Expression;
use grundy_wording::Audience;
use grundy_wording::diagnostic::DiagnosticView;
use grundy_wording::report::{AnySerialize, Report, Words, status, to_text};
use serde::Serialize;

use crate::analyst::Analyst;
use crate::answer::Answer;
use crate::job::Job;
use crate::question::Solve;
use crate::result_cache::ResultCache;

/// The answers for a list of positions, in the order of the list. If a limit was reached, the last
/// answer is partial, and the positions after it are not answered.
#[derive(Debug)]
struct SolvedList {
    answers: Vec<Answer>,
    /// `true` if there is an answer for each position.
    is_complete: bool,
    /// The error for the first limit that was reached.
    stopped: Option<Diagnostic>,
}

/// Returns the places of the positions in a question, if it is a list. A list of numbers is a
/// position of Nim.
pub(super) fn items(source: &str) -> Option<Vec<Range<usize>>> {
    let list = Expression::parse_or_guess(source).ok()?;
    list.understood().is_none().then(|| list.items())?
}

impl Solve {
    /// Answers the question for each position of a list. All positions are read before the first
    /// is solved, so an error in the text is reported at once.
    pub(super) fn solve_list(
        &self,
        text: &str,
        items: &[Range<usize>],
        analyst: &Analyst,
        cache: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        if items.is_empty() {
            let error = Diagnostic::new(Kind::Type, message!("the list has no position"));
            return Err(error.at(0..text.len()).with_source(text));
        }
        let positions = items.iter().map(|item| {
            let position = analyst.reader().read(&text[item.clone()]);
            position.map_err(|error| in_list(error, item.start, text))
        });
        let positions: Vec<_> = positions.collect::<Result<_, _>>()?;
        let (mut answers, mut stopped) = (Vec::new(), None);
        for position in &positions {
            let (answer, view, solution) = self.solved(position, None, analyst, cache, job)?;
            let stop = solution.and_then(|solution| solution.stopped);
            stopped = stopped
                .or_else(|| answer.stopped().cloned())
                .or(stop.map(Diagnostic::from));
            answers.push(answer);
            // After a limit of the whole question, the next position would reach it at once. A
            // partial answer that only lacks moves has found what the question can find.
            if view.outcome.is_none() {
                break;
            }
        }
        Ok(Answer::new(SolvedList {
            is_complete: answers.len() == positions.len(),
            answers,
            stopped,
        }))
    }
}

/// Returns an error about a part of `text` that begins at `start`, as an error about `text`.
fn in_list(mut error: Diagnostic, start: usize, text: &str) -> Diagnostic {
    let Some(span) = error.span.clone() else {
        return error;
    };
    // An error in a rule file refers to that file.
    let part = text[start..].trim_end();
    if error
        .source
        .as_deref()
        .is_some_and(|source| !part.starts_with(source))
    {
        return error;
    }
    error.span = Some(span.start + start..span.end + start);
    error.source = None;
    error.with_source(text)
}

#[derive(Serialize)]
struct SolvedListView<'a> {
    answers: Vec<Box<dyn AnySerialize + 'a>>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<DiagnosticView>,
}

impl Report for SolvedList {
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        let views = self
            .answers
            .iter()
            .map(|answer| answer.report().view(words));
        let view = |error| DiagnosticView::new(error, "", words.audience());
        Box::new(SolvedListView {
            answers: views.collect(),
            status: status(self.is_partial()),
            stopped: self.stopped().map(view),
        })
    }

    fn plain(&self, audience: Audience) -> String {
        to_text(|out| self.write_plain(out, audience))
    }

    fn write_plain(&self, out: &mut dyn Write, audience: Audience) -> io::Result<()> {
        for (index, answer) in self.answers.iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            answer.report().write_plain(out, audience)?;
        }
        Ok(())
    }

    fn is_partial(&self) -> bool {
        !self.is_complete || self.answers.iter().any(Answer::is_partial)
    }

    fn stopped(&self) -> Option<&Diagnostic> {
        self.stopped.as_ref()
    }
}
