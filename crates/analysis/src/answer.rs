//! The answer to a question. Its JSON has a stable form, which is called the contract.

use std::io::{self, Write};

use grundy_core::{Diagnostic, Message};
use grundy_wording::Audience;
use grundy_wording::output;
use grundy_wording::report::{AnySerialize, Remarked, Report, Words, to_text};
use serde::Serialize;

use crate::agreement::Agreement;

/// The answer to a question.
#[derive(Debug)]
pub struct Answer {
    report: Box<dyn Report + Send>,
    /// The result of the comparison with the expected answer, if one was given.
    agreement: Option<Agreement>,
    /// The number of components of the position, if it was counted.
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

    /// Returns the report.
    pub(crate) fn report(&self) -> &dyn Report {
        &*self.report
    }

    /// Adds remarks about how the question was read: the expression that its text was understood
    /// as, and notes about its files.
    pub(crate) fn with_remarks(self, understood: Option<String>, notes: Vec<Message>) -> Self {
        if understood.is_none() && notes.is_empty() {
            return self;
        }
        Self {
            report: Box::new(Remarked {
                report: self.report,
                understood,
                notes,
            }),
            ..self
        }
    }

    /// Adds the result of the comparison with the expected answer.
    pub(crate) fn with_agreement(self, agreement: Option<Agreement>) -> Self {
        Self { agreement, ..self }
    }

    /// Adds the number of components of the position.
    pub(crate) fn with_components(self, components: Option<usize>) -> Self {
        Self { components, ..self }
    }

    /// Returns the number of components of the position, if it was counted.
    pub(crate) fn components(&self) -> Option<usize> {
        self.components
    }

    /// Returns whether the answer differs from the expected one.
    pub(crate) fn is_unexpected(&self) -> bool {
        self.agreement.as_ref().is_some_and(Agreement::is_wrong)
    }

    /// Returns the answer as JSON in its stable form, which is called the contract. Sentences in it
    /// are worded for the reader `audience`.
    ///
    /// ```
    /// use grundy_analysis::{Analyst, Job, question::Solve};
    /// use grundy_wording::Language;
    /// let answer = Analyst::default().answer(&Solve::new("nim(1, 2, 3)"), &Job::default())?;
    /// let json = answer.json(Language::En);
    /// assert!(json.contains(r#""outcome":"P","grundy":0"#));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn json(&self, audience: impl Into<Audience>) -> String {
        to_text(|out| self.report.write_json(out, audience.into()))
    }

    /// Returns the answer as JSON for an interface that displays it. Moves, and findings such as
    /// the pattern of a table, are in the language of the reader. In [`Answer::json`] they are in
    /// English.
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

    /// Returns the answer as plain text of any length.
    ///
    /// ```
    /// use grundy_analysis::{Analyst, Job, question::Solve};
    /// use grundy_wording::Language;
    /// let answer = Analyst::default().answer(&Solve::new("nim(1, 2, 3)"), &Job::default())?;
    /// let text = answer.plain(Language::En);
    /// assert_eq!(text.lines().nth(1), Some("  P: the previous player wins"));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn plain(&self, audience: impl Into<Audience>) -> String {
        self.report.plain(audience.into())
    }

    /// Returns the error for the limit that stopped the work, if there is one.
    ///
    /// ```
    /// use grundy_analysis::{Analyst, Job, question::Solve};
    /// // A limit of 10 positions is too low for this board.
    /// let job = Job::new(10, 1 << 30);
    /// let answer = Analyst::default().answer(&Solve::new("chomp(5, 5, 5, 4, 4)"), &job)?;
    /// assert_eq!(answer.stopped().unwrap().limit.unwrap().name(), "positions");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn stopped(&self) -> Option<&Diagnostic> {
        self.report.stopped()
    }

    /// Returns whether a limit was reached, so that part of the answer is missing.
    ///
    /// ```
    /// use grundy_analysis::{Analyst, Job, question::Solve};
    /// let question = Solve::new("chomp(5, 5, 5, 4, 4)");
    /// let answer = |most| Analyst::default().answer(&question, &Job::new(most, 1 << 30));
    /// assert!(answer(10)?.is_partial());
    /// assert!(!answer(100_000)?.is_partial());
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.report.is_partial()
    }

    /// Writes the answer as one line of JSON of at most `most` bytes. Long answers are streamed.
    /// Rows, or entries of the JSON object, that do not fit are omitted, and the answer reports
    /// this. Returns whether the answer is complete.
    ///
    /// # Errors
    /// The error of `out`.
    ///
    /// # Examples
    /// ```
    /// use grundy_analysis::{Analyst, Job, question::Solve};
    /// use grundy_wording::Audience;
    /// let answer = Analyst::default().answer(&Solve::new("nim(3, 4)"), &Job::default())?;
    /// let mut out = Vec::new();
    /// assert!(answer.write_json(&mut out, Audience::default(), 10_000)?);
    /// let json: serde_json::Value = serde_json::from_slice(&out)?;
    /// assert_eq!(json["grundy"], 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_json(
        &self,
        out: &mut dyn Write,
        audience: Audience,
        most: u64,
    ) -> io::Result<bool> {
        let write = |out: &mut dyn Write| self.report.write_json(out, audience);
        // If the answer is too long, `whole` has written nothing. It is then written below without
        // some entries.
        if output::write_within(out, most, &write)? {
            return Ok(true);
        }
        // Rows are omitted while they are streamed. Any other answer is small enough to be stored
        // as an object, whose lists are then shortened.
        if self.report.has_rows() {
            output::cut_rows(out, most, &write, audience)?;
        } else {
            let view = self.report.view(Words::Contract(audience));
            output::cut_object(out, most, &view, audience)?;
        }
        Ok(false)
    }

    /// Writes the answer as plain text of at most `most` bytes. Returns whether it is complete.
    ///
    /// # Errors
    /// The error of `out`.
    ///
    /// # Examples
    /// ```
    /// use grundy_analysis::{Analyst, Job, question::Solve};
    /// use grundy_wording::Audience;
    /// let answer = Analyst::default().answer(&Solve::new("nim(3, 4)"), &Job::default())?;
    /// let mut out = Vec::new();
    /// assert!(answer.write_plain(&mut out, Audience::default(), 10_000)?);
    /// assert!(String::from_utf8(out)?.contains("Grundy value: 7"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_plain(
        &self,
        out: &mut dyn Write,
        audience: Audience,
        most: u64,
    ) -> io::Result<bool> {
        let write = |out: &mut dyn Write| self.report.write_plain(out, audience);
        if output::write_within(out, most, &write)? {
            return Ok(true);
        }
        // CSV files and b-files must remain valid. Hence they end after a complete row, without a
        // remark.
        if self.report.is_data() {
            output::cut_data(out, most, &write)?;
        } else {
            output::cut_text(out, most, &write, audience)?;
        }
        Ok(false)
    }
}
