//! What an answer can be turned into.

use std::fmt::Debug;
use std::io::{self, Write};

use grundy::solve::Status;
use grundy::{Diagnostic, Stop};
use grundy_notation::Language;
use grundy_notation::diagnostic::DiagnosticView;

/// The forms in which an answer is printed.
pub(crate) trait Report: Debug {
    /// Writes the contract's JSON, and ends the line. Sentences in it are in this language.
    fn write_json(&self, out: &mut dyn Write, language: Language) -> io::Result<()>;

    /// The same for a face that shows what it reads: moves and findings, too, are in this language, which programs are told in English.
    fn write_spoken(&self, out: &mut dyn Write, language: Language) -> io::Result<()> {
        self.write_json(out, language)
    }

    /// The answer for people.
    fn plain(&self, language: Language) -> String;

    /// Whether a limit has kept something of it back.
    fn is_partial(&self) -> bool {
        false
    }

    /// Writes the answer for people.
    fn write_plain(&self, out: &mut dyn Write, language: Language) -> io::Result<()> {
        out.write_all(self.plain(language).as_bytes())
    }
}

/// What is written into memory, which does not fail.
pub(crate) fn written(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    let _ = write(&mut bytes);
    String::from_utf8(bytes).unwrap_or_default()
}

/// Returns whether a limit withholds an answer, and not the wish to stop or a question without an
/// answer.
pub(crate) fn is_limit(stop: &Stop) -> bool {
    matches!(stop, Stop::Positions(_) | Stop::Memory(_) | Stop::Time)
}

/// The status of an answer from which a limit may have kept something back.
pub(crate) fn status(partial: bool) -> &'static str {
    let status = if partial {
        Status::Partial
    } else {
        Status::Exact
    };
    status.name()
}

/// What ended the work early, about a text.
pub(crate) fn stopped(
    stop: Option<&Stop>,
    source: &str,
    language: Language,
) -> Option<DiagnosticView> {
    stop.map(|stop| DiagnosticView::told(&Diagnostic::from(stop.clone()), source, language))
}
