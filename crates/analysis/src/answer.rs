//! An answer: data whose form in JSON is the contract's.

use std::io::{self, Write};

use grundy::Diagnostic;
use grundy_wording::Audience;
use grundy_wording::output;
use grundy_wording::report::{AnySerialize, Report, Words, written};
use serde::Serialize;

use crate::agreement::Agreement;

/// The answer to a question.
#[derive(Debug)]
pub struct Answer {
    report: Box<dyn Report + Send>,
    /// Comparison with the expected answer, where there was one.
    agreement: Option<Agreement>,
    /// Number of components of the position, where they were counted.
    components: Option<usize>,
}

impl Answer {
    pub(crate) fn new(report: impl Report + Send + 'static) -> Self {
        Self {
            report: Box::new(report),
            agreement: None,
            components: None,
        }
    }

    /// Adds the comparison with the expected answer.
    pub(crate) fn compared(self, agreement: Option<Agreement>) -> Self {
        Self { agreement, ..self }
    }

    /// Adds the number of components of the position.
    pub(crate) fn counted(self, components: Option<usize>) -> Self {
        Self { components, ..self }
    }

    /// Returns the number of components of the position, where they were counted.
    pub(crate) fn components(&self) -> Option<usize> {
        self.components
    }

    /// Returns whether the answer is not the expected one.
    pub(crate) fn is_unexpected(&self) -> bool {
        self.agreement.as_ref().is_some_and(Agreement::is_wrong)
    }

    /// Returns the contract's JSON. Sentences in it are for this reader.
    #[must_use]
    pub fn json(&self, audience: impl Into<Audience>) -> String {
        written(|out| self.report.write_json(out, audience.into()))
    }

    /// Returns the keys of the contract's JSON for an interface that shows them: moves and findings
    /// are in the reader's language, too.
    pub(crate) fn view(&self, audience: Audience) -> impl Serialize {
        #[derive(Serialize)]
        struct View<'a> {
            #[serde(flatten)]
            report: Box<dyn AnySerialize + 'a>,
            #[serde(flatten)]
            agreement: Option<&'a Agreement>,
        }
        View {
            report: self.report.view(Words::Shown(audience)),
            agreement: self.agreement.as_ref(),
        }
    }

    /// Returns the answer for people, however long it is.
    #[must_use]
    pub fn plain(&self, audience: impl Into<Audience>) -> String {
        self.report.plain(audience.into())
    }

    /// Returns the limit that stopped the work, as an error.
    #[must_use]
    pub fn stopped(&self) -> Option<&Diagnostic> {
        self.report.stopped()
    }

    /// Returns whether a limit withheld a part of it.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.report.is_partial()
    }

    /// Writes the JSON within `most` bytes and ends the line; returns whether it is complete. Long
    /// answers are written as they are made. Entries that do not fit are left out and named.
    ///
    /// # Errors
    /// The error of `out`.
    pub fn write_json(
        &self,
        out: &mut dyn Write,
        audience: Audience,
        most: u64,
    ) -> io::Result<bool> {
        let write = |out: &mut dyn Write| self.report.write_json(out, audience);
        if output::whole(out, most, &write)? {
            return Ok(true);
        }
        if self.report.has_rows() {
            output::cut_rows(out, most, &write, audience)?;
        } else {
            let view = self.report.view(Words::Contract(audience));
            output::cut_object(out, most, &view, audience)?;
        }
        Ok(false)
    }

    /// Writes the answer for people within `most` bytes, and returns whether it is complete.
    ///
    /// # Errors
    /// The error of `out`.
    pub fn write_plain(
        &self,
        out: &mut dyn Write,
        audience: Audience,
        most: u64,
    ) -> io::Result<bool> {
        let write = |out: &mut dyn Write| self.report.write_plain(out, audience);
        if output::whole(out, most, &write)? {
            return Ok(true);
        }
        if self.report.is_data() {
            output::cut_data(out, most, &write)?;
        } else {
            output::cut_text(out, most, &write, audience)?;
        }
        Ok(false)
    }
}
