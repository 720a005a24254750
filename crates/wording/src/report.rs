//! What an answer can be turned into.

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

/// The reader of the words in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// Sentences are for this reader; moves and findings are in English, for programs.
    Contract(Audience),
    /// Moves and findings are in this language, too, for an interface that shows them.
    Shown(Audience),
}

impl Words {
    /// Returns the reader of sentences.
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

/// The forms in which an answer is printed.
pub trait Report: Debug {
    /// Returns the keys of the contract's JSON.
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_>;

    /// Writes the contract's JSON and ends the line.
    ///
    /// # Errors
    /// The error of `out`.
    fn write_json(&self, out: &mut dyn Write, audience: Audience) -> io::Result<()> {
        json_line(out, &self.view(Words::Contract(audience)))
    }

    /// Returns whether the JSON has rows, an object a line, in place of one object.
    fn has_rows(&self) -> bool {
        false
    }

    /// Returns the answer for people.
    fn plain(&self, audience: Audience) -> String;

    /// Writes the answer for people.
    ///
    /// # Errors
    /// The error of `out`.
    fn write_plain(&self, out: &mut dyn Write, audience: Audience) -> io::Result<()> {
        out.write_all(self.plain(audience).as_bytes())
    }

    /// Returns whether the answer for people is data, such as CSV: all of its lines are records.
    fn is_data(&self) -> bool {
        false
    }

    /// Returns whether a limit withheld a part of it.
    fn is_partial(&self) -> bool {
        false
    }

    /// Returns the limit that stopped the work, as an error.
    fn stopped(&self) -> Option<&Diagnostic> {
        None
    }
}

/// What is known where a limit stopped the work before there was an answer.
#[derive(Debug)]
pub struct Stopped {
    /// The position or family, as it was written.
    pub game: Option<String>,
    /// Normal or misère play, where the question has a play.
    pub play: Option<Play>,
    /// Who wins, where that is known all the same.
    pub verdict: Option<Verdict>,
    /// The limit, as an error.
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

    /// Writes nothing where nothing is known: the output may be a picture or a table in a file.
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

/// Says why there is no more to tell.
#[must_use]
pub fn withheld(why: &Message, audience: Audience) -> String {
    let why = told(why, audience);
    words(
        &Step::new("value_withheld").with("why", why),
        audience.language,
    )
}

/// What is written into memory, which does not fail.
pub fn written(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    let _ = write(&mut bytes);
    String::from_utf8(bytes).unwrap_or_default()
}

/// Returns whether a limit withholds an answer, and not the wish to stop or a question without an
/// answer.
#[must_use]
pub fn is_limit(stop: &Stop) -> bool {
    stop.limit().is_some()
}

/// Returns the status of an answer from which a limit may have kept something back.
#[must_use]
pub fn status(partial: bool) -> &'static str {
    let status = if partial {
        Status::Partial
    } else {
        Status::Exact
    };
    status.name()
}

/// What ended the work early, about a text.
#[must_use]
pub fn stopped(stop: Option<&Stop>, source: &str, audience: Audience) -> Option<DiagnosticView> {
    stop.map(|stop| DiagnosticView::told(&Diagnostic::from(stop.clone()), source, audience))
}
