//! An answer: data whose form in JSON is the contract's.

use std::io::{self, Write};

use grundy_notation::Language;

use crate::report::{Report, written};

/// The answer to a question.
#[derive(Debug)]
pub struct Answer(Box<dyn Report + Send>);

impl Answer {
    pub(crate) fn new(report: impl Report + Send + 'static) -> Self {
        Self(Box::new(report))
    }

    /// The contract's JSON. Sentences in it are in this language.
    #[must_use]
    pub fn json(&self, language: Language) -> String {
        written(|out| self.write_json(out, language))
    }

    /// The contract's JSON for an interface that shows what it reads: moves and findings are in this
    /// language, too.
    #[must_use]
    pub fn spoken(&self, language: Language) -> String {
        written(|out| self.0.write_spoken(out, language))
    }

    /// The answer for people.
    #[must_use]
    pub fn plain(&self, language: Language) -> String {
        self.0.plain(language)
    }

    /// Returns whether a limit withheld a part of it.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.0.is_partial()
    }

    /// Writes the JSON and ends the line. Long answers are written as they are made.
    ///
    /// # Errors
    /// The error of `out`.
    pub fn write_json(&self, out: &mut dyn Write, language: Language) -> io::Result<()> {
        self.0.write_json(out, language)
    }

    /// Writes the answer for people.
    ///
    /// # Errors
    /// The error of `out`.
    pub fn write_plain(&self, out: &mut dyn Write, language: Language) -> io::Result<()> {
        self.0.write_plain(out, language)
    }
}
