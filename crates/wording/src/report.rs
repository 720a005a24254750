//! Reports: answers that can be printed as JSON or as text.

use std::fmt::Debug;
use std::io::{self, Write};

use crate::answer::{DisplayText, json_line, verdict_code};
use crate::diagnostic::DiagnosticView;
use crate::plain::brief;
use crate::{Audience, Language};
use crate::{message_text, phrase, words};
pub use erased_serde::Serialize as AnySerialize;
use grundy_core::solve::Status;
use grundy_core::step::Step;
use grundy_core::{Diagnostic, Message, Play, Stop, Verdict};
use serde::Serialize;

/// The kind of JSON to write, and the reader for whom its sentences are worded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// The documented JSON. Sentences are worded for this reader. Moves, and findings such as the
    /// pattern of a table, are in English, since programs read them.
    Contract(Audience),
    /// JSON for an interface that shows moves and findings to this reader. Everything is in the
    /// reader's language.
    Shown(Audience),
}

impl Words {
    /// Returns the reader for whom sentences are worded.
    ///
    /// ```
    /// use grundy_wording::{Audience, Interface, Language, report::Words};
    /// let reader = Audience::new(Language::Zh, Interface::Page);
    /// assert_eq!(Words::Shown(reader).audience(), reader);
    /// ```
    #[must_use]
    pub fn audience(self) -> Audience {
        match self {
            Self::Contract(audience) | Self::Shown(audience) => audience,
        }
    }

    /// Returns the language of sentences.
    ///
    /// ```
    /// use grundy_wording::{Audience, Language, report::Words};
    /// let reader = Audience::from(Language::Zh);
    /// assert_eq!(Words::Contract(reader).language(), Language::Zh);
    /// ```
    #[must_use]
    pub fn language(self) -> Language {
        self.audience().language
    }

    /// Returns the language of moves, and of findings such as the pattern of a table.
    ///
    /// ```
    /// use grundy_wording::{Audience, Language, report::Words};
    /// let reader = Audience::from(Language::Zh);
    /// assert_eq!(Words::Contract(reader).findings_language(), Language::En);
    /// assert_eq!(Words::Shown(reader).findings_language(), Language::Zh);
    /// ```
    #[must_use]
    pub fn findings_language(self) -> Language {
        match self {
            Self::Contract(_) => Language::En,
            Self::Shown(audience) => audience.language,
        }
    }
}

/// An answer that can be printed as JSON or as text.
pub trait Report: Debug {
    /// Returns the answer as an object that can be serialized to JSON.
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_>;

    /// Writes the answer as the documented JSON, followed by a line break.
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

    /// Returns whether the plain text is data, such as CSV. If it is, each line of the text is a
    /// record.
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

/// An answer with remarks about how the question was read.
#[derive(Debug)]
pub struct Remarked {
    /// The answer.
    pub report: Box<dyn Report + Send>,
    /// The expression that the text was understood as, if the text is not in the notation.
    pub understood: Option<String>,
    /// Remarks about how the files of the question were read.
    pub notes: Vec<Message>,
}

impl Report for Remarked {
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        #[derive(Serialize)]
        struct View<'a> {
            #[serde(flatten)]
            report: Box<dyn AnySerialize + 'a>,
            #[serde(skip_serializing_if = "Option::is_none")]
            understood: Option<&'a str>,
            #[serde(skip_serializing_if = "Vec::is_empty")]
            notes: Vec<String>,
        }
        let audience = words.audience();
        let notes = self.notes.iter();
        Box::new(View {
            report: self.report.view(words),
            understood: self.understood.as_deref(),
            notes: notes.map(|note| message_text(note, audience)).collect(),
        })
    }

    fn write_json(&self, out: &mut dyn Write, audience: Audience) -> io::Result<()> {
        // Rows have no key that holds for all of them.
        if self.report.has_rows() {
            return self.report.write_json(out, audience);
        }
        json_line(out, &self.view(Words::Contract(audience)))
    }

    fn has_rows(&self) -> bool {
        self.report.has_rows()
    }

    fn plain(&self, audience: Audience) -> String {
        to_text(|out| self.write_plain(out, audience))
    }

    fn write_plain(&self, out: &mut dyn Write, audience: Audience) -> io::Result<()> {
        // A remark would make data such as CSV invalid.
        if !self.report.is_data() {
            if let Some(game) = &self.understood {
                let note = Step::new("understood_as").with("game", brief(game.clone()));
                writeln!(out, "{}", words(&note, audience.language))?;
            }
            for note in &self.notes {
                let note = message_text(note, audience);
                let note = Step::new("note").with("note", note);
                writeln!(out, "{}", words(&note, audience.language))?;
            }
        }
        self.report.write_plain(out, audience)
    }

    fn is_data(&self) -> bool {
        self.report.is_data()
    }

    fn is_partial(&self) -> bool {
        self.report.is_partial()
    }

    fn stopped(&self) -> Option<&Diagnostic> {
        self.report.stopped()
    }
}

/// An answer that reports only that a limit was reached.
#[derive(Debug)]
pub struct Stopped {
    /// The position or the family of games (such as the heaps of one heap game), spelled as in the
    /// question.
    pub game: Option<String>,
    /// Normal or misère play, if the question has this setting.
    pub play: Option<Play>,
    /// The verdict, if it is known although the limit was reached.
    pub verdict: Option<Verdict>,
    /// The error that reports which limit was reached.
    pub error: Diagnostic,
}

#[derive(Serialize)]
struct StoppedView<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    play: Option<DisplayText<Play>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<DisplayText<Verdict>>,
    status: &'static str,
    stopped: DiagnosticView,
}

impl Report for Stopped {
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        let game = self.game.as_deref();
        let source = game.unwrap_or_default();
        Box::new(StoppedView {
            game,
            play: self.play.map(DisplayText),
            outcome: self.verdict.map(DisplayText),
            status: Status::Partial.name(),
            stopped: DiagnosticView::new(&self.error, source, words.audience()),
        })
    }

    fn plain(&self, audience: Audience) -> String {
        let mut lines = Vec::new();
        lines.extend(self.game.as_ref().map(|game| brief(game.clone())));
        let outcome = self
            .verdict
            .map(|verdict| phrase(verdict_code(verdict), audience.language));
        lines.extend(outcome.map(|outcome| format!("  {outcome}")));
        lines.push(format!(
            "  {}",
            limit_sentence(&self.error.message, audience)
        ));
        lines.join("\n") + "\n"
    }

    /// Writes the plain text if the verdict is known, and otherwise nothing. Without a verdict, the
    /// question could be about a picture or a table, whose output goes to a file.
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

/// Returns a sentence which states that the rest of an answer is missing because a limit was
/// reached. The sentence gives the message `why` as the reason.
///
/// ```
/// use grundy_core::Stop;
/// use grundy_wording::{Audience, report::limit_sentence};
/// let sentence = limit_sentence(&Stop::Output(1_000).message(), Audience::default());
/// assert_eq!(sentence, "The rest of the answer is missing: the answer has more than 1000 bytes.");
/// ```
#[must_use]
pub fn limit_sentence(why: &Message, audience: Audience) -> String {
    let why = message_text(why, audience);
    words(
        &Step::new("value_withheld").with("why", why),
        audience.language,
    )
}

/// Calls `write` with a buffer, and returns the text written to it. Errors are ignored, since
/// writing to memory does not fail.
///
/// ```
/// use grundy_wording::answer::json_line;
/// use grundy_wording::report::to_text;
/// assert_eq!(to_text(|out| json_line(out, &[0, 1, 2])), "[0,1,2]\n");
/// ```
pub fn to_text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    let _ = write(&mut bytes);
    String::from_utf8(bytes).unwrap_or_default()
}

/// Returns whether a computation stopped because a limit was reached. Other reasons are a
/// cancellation, or that the question has no answer.
///
/// ```
/// use grundy_core::Stop;
/// use grundy_wording::report::is_limit;
/// assert!(is_limit(&Stop::Time) && is_limit(&Stop::Output(1_000)));
/// assert!(!is_limit(&Stop::Interrupted));
/// ```
#[must_use]
pub fn is_limit(stop: &Stop) -> bool {
    stop.limit().is_some()
}

/// Returns the name of the status that an answer has in JSON. If `partial` is `true`, this is the
/// name for partial answers, and otherwise the name for exact answers.
///
/// ```
/// use grundy_wording::report::status;
/// assert_eq!([status(false), status(true)], ["exact", "partial"]);
/// ```
#[must_use]
pub fn status(partial: bool) -> &'static str {
    let status = if partial {
        Status::Partial
    } else {
        Status::Exact
    };
    status.name()
}

/// Returns the error object for a computation that stopped early, or `None` if `stop` is `None`.
/// Places in the error object refer to the text `source`.
///
/// ```
/// use grundy_core::Stop;
/// use grundy_wording::{Audience, report::stopped};
/// let error = stopped(Some(&Stop::Output(1_000)), "nim(3)", Audience::default());
/// assert_eq!(serde_json::to_value(error)?["limit"], "output");
/// assert!(stopped(None, "nim(3)", Audience::default()).is_none());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn stopped(stop: Option<&Stop>, source: &str, audience: Audience) -> Option<DiagnosticView> {
    stop.map(|stop| DiagnosticView::new(&Diagnostic::from(stop.clone()), source, audience))
}
