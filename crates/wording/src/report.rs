//! Reports: answers that can be printed as JSON or as text.

use std::fmt::Debug;
use std::io::{self, Write};

use crate::answer::{Printed, json_line, verdict_code};
use crate::diagnostic::DiagnosticView;
use crate::plain::brief;
use crate::{Audience, Language};
use crate::{phrase, told, words};
pub use erased_serde::Serialize as AnySerialize;
use grundy::solve::Status;
use grundy::step::Step;
use grundy::{Diagnostic, Message, Play, Stop, Verdict};
use serde::Serialize;

/// The reader of an answer in JSON, and the language of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// JSON of the contract. Sentences are worded for this reader. Moves and findings are in
    /// English, since programs read them.
    Contract(Audience),
    /// JSON for an interface that shows moves and findings to this reader. Everything is in the
    /// reader's language.
    Shown(Audience),
}

impl Words {
    /// Returns the reader for whom sentences are worded.
    #[must_use]
    pub fn audience(self) -> Audience {
        match self {
            Self::Contract(audience) | Self::Shown(audience) => audience,
        }
    }

    /// Returns the language of sentences.
    #[must_use]
    pub fn language(self) -> Language {
        self.audience().language
    }

    /// Returns the language of moves and findings.
    #[must_use]
    pub fn of_findings(self) -> Language {
        match self {
            Self::Contract(_) => Language::En,
            Self::Shown(audience) => audience.language,
        }
    }
}

/// An answer that can be printed as JSON or as text.
pub trait Report: Debug {
    /// Returns the answer as a JSON object of the contract.
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_>;

    /// Writes the answer as JSON of the contract, followed by a line break.
    ///
    /// # Errors
    /// The error of `out`.
    fn write_json(&self, out: &mut dyn Write, audience: Audience) -> io::Result<()> {
        json_line(out, &self.view(Words::Contract(audience)))
    }

    /// Returns whether the JSON consists of rows, with one object per line. Otherwise it is a
    /// single object.
    fn has_rows(&self) -> bool {
        false
    }

    /// Returns the answer as plain text.
    fn plain(&self, audience: Audience) -> String;

    /// Writes the answer as plain text.
    ///
    /// # Errors
    /// The error of `out`.
    fn write_plain(&self, out: &mut dyn Write, audience: Audience) -> io::Result<()> {
        out.write_all(self.plain(audience).as_bytes())
    }

    /// Returns whether the plain text is data, such as CSV. Then each of its lines is a record.
    fn is_data(&self) -> bool {
        false
    }

    /// Returns whether a limit was reached, so that part of the answer is missing.
    fn is_partial(&self) -> bool {
        false
    }

    /// Returns the error for the limit that was reached, if there is one.
    fn stopped(&self) -> Option<&Diagnostic> {
        None
    }
}

/// An answer that reports only that a limit was reached.
#[derive(Debug)]
pub struct Stopped {
    /// The position or the family, spelled as in the question.
    pub game: Option<String>,
    /// Normal or misère play, if the question has this setting.
    pub play: Option<Play>,
    /// The verdict, if it is known although the limit was reached.
    pub verdict: Option<Verdict>,
    /// The error for the limit.
    pub error: Diagnostic,
}

#[derive(Serialize)]
struct StoppedView<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    play: Option<Printed<Play>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Printed<Verdict>>,
    status: &'static str,
    stopped: DiagnosticView,
}

impl Report for Stopped {
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        let game = self.game.as_deref();
        let source = game.unwrap_or_default();
        Box::new(StoppedView {
            game,
            play: self.play.map(Printed),
            outcome: self.verdict.map(Printed),
            status: Status::Partial.name(),
            stopped: DiagnosticView::told(&self.error, source, words.audience()),
        })
    }

    fn plain(&self, audience: Audience) -> String {
        let mut lines = Vec::new();
        lines.extend(self.game.as_ref().map(|game| brief(game.clone())));
        let known = self
            .verdict
            .map(|verdict| phrase(verdict_code(verdict), audience.language));
        lines.extend(known.map(|known| format!("  {known}")));
        lines.push(format!("  {}", withheld(&self.error.message, audience)));
        lines.join("\n") + "\n"
    }

    /// Writes the text if there is a verdict. Otherwise writes nothing, since the output could be a
    /// picture or a table that goes to a file.
    fn write_plain(&self, out: &mut dyn Write, audience: Audience) -> io::Result<()> {
        match self.verdict {
            Some(_) => out.write_all(self.plain(audience).as_bytes()),
            None => Ok(()),
        }
    }

    fn is_partial(&self) -> bool {
        true
    }

    fn stopped(&self) -> Option<&Diagnostic> {
        Some(&self.error)
    }
}

/// Returns the sentence that a value is missing because a limit was reached.
#[must_use]
pub fn withheld(why: &Message, audience: Audience) -> String {
    let why = told(why, audience);
    words(
        &Step::new("value_withheld").with("why", why),
        audience.language,
    )
}

/// Returns the text that `write` writes. Writing to memory does not fail.
pub fn written(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    let _ = write(&mut bytes);
    String::from_utf8(bytes).unwrap_or_default()
}

/// Returns whether a stop is due to a limit. Other reasons are a cancellation, or that the question
/// has no answer.
#[must_use]
pub fn is_limit(stop: &Stop) -> bool {
    stop.limit().is_some()
}

/// Returns the name of the status of an answer, which is complete unless `partial` is set.
#[must_use]
pub fn status(partial: bool) -> &'static str {
    let status = if partial {
        Status::Partial
    } else {
        Status::Exact
    };
    status.name()
}

/// Returns the error for a computation that stopped early. Places in it refer to the text `source`.
#[must_use]
pub fn stopped(stop: Option<&Stop>, source: &str, audience: Audience) -> Option<DiagnosticView> {
    stop.map(|stop| DiagnosticView::told(&Diagnostic::from(stop.clone()), source, audience))
}
