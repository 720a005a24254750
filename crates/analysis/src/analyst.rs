//! Who answers.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use grundy::{Diagnostic, Position};
use grundy_job::reader::about;
use grundy_job::{Files, Job, Reader};
use grundy_notation::Games;
use grundy_tables::label::Workers;
use grundy_wording::report::Stopped;
use grundy_wording::{Audience, Language};

use crate::answer::Answer;
use crate::learned::Learned;
use crate::question::PositionSource;

/// A question: plain data that names a position, a family or a file, with its options.
pub trait Question: fmt::Debug + Send + Sync {
    /// Answers the question.
    ///
    /// # Errors
    /// The fault of the question, the limit that was reached, or a file that could not be read or
    /// written.
    fn answer(
        &self,
        analyst: &Analyst,
        learned: &mut Learned,
        job: &Job,
    ) -> Result<Answer, Diagnostic>;

    /// Returns the position, family or expression, as it was written.
    fn game(&self) -> Option<&str> {
        None
    }

    /// Returns the cost that the response reports, where it was asked for.
    fn measured(&self) -> Option<Measured> {
        None
    }
}

/// The cost of an answer that its response reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// The time.
    Time,
    /// The time and the work.
    Work,
}

/// Answers questions. Any number of threads may ask one analyst at the same time, each with a job
/// of its own.
///
/// ```
/// use grundy_analysis::{Analyst, Job, question::Solve};
/// use grundy_wording::Language;
/// let question = Solve::new("nim(3, 4, 5)");
/// let answer = Analyst::default().answer(&question, &Job::default()).unwrap();
/// assert!(answer.json(Language::En).contains(r#""outcome":"N""#));
/// ```
#[derive(Debug)]
pub struct Analyst {
    reader: Reader,
    /// The workers that label together, where the program has some.
    workers: Option<&'static dyn Workers>,
}

impl Default for Analyst {
    /// Returns one who opens no files and knows no rules but those of the library.
    fn default() -> Self {
        Self::new(Files::Denied)
    }
}

impl Analyst {
    /// Returns an analyst with or without the permission to open files.
    #[must_use]
    pub fn new(files: Files) -> Self {
        Self {
            reader: Reader::new(files),
            workers: None,
        }
    }

    /// Hands over the workers for labellings that ask for several of them.
    #[must_use]
    pub fn with_workers(self, workers: Option<&'static dyn Workers>) -> Self {
        Self { workers, ..self }
    }

    /// Returns the workers for labellings that ask for several of them.
    pub(crate) fn workers(&self) -> Option<&dyn Workers> {
        self.workers.map(|workers| workers as &dyn Workers)
    }

    /// Sets the reader of words in pictures and texts.
    #[must_use]
    pub fn speaking(self, audience: impl Into<Audience>) -> Self {
        Self {
            reader: self.reader.speaking(audience),
            ..self
        }
    }

    /// Returns the reader of words in pictures and texts.
    #[must_use]
    pub fn audience(&self) -> Audience {
        self.reader.audience()
    }

    /// Returns the language of words in pictures and texts.
    #[must_use]
    pub fn language(&self) -> Language {
        self.reader.language()
    }

    /// Returns the reader of positions, with the rules of the open file and the permission to open
    /// files.
    #[must_use]
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Returns the permission to open files.
    pub(crate) fn files(&self) -> &Files {
        self.reader.files()
    }

    /// Answers a question.
    ///
    /// # Errors
    /// As [`Question::answer`].
    pub fn answer(&self, question: &dyn Question, job: &Job) -> Result<Answer, Diagnostic> {
        self.answer_with(question, &mut Learned::default(), job)
    }

    /// Answers a question with the help of what earlier ones taught. Where a limit stops the work
    /// before there is an answer, the answer is what is known.
    ///
    /// # Errors
    /// As [`Question::answer`], but for limits.
    pub fn answer_with(
        &self,
        question: &dyn Question,
        learned: &mut Learned,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        match question.answer(self, learned, job) {
            Err(error) if error.limit.is_some() => Ok(Answer::new(Stopped {
                game: question.game().map(str::to_owned),
                play: None,
                verdict: None,
                error,
            })),
            answered => answered,
        }
    }

    /// Returns the same, with the rules of a file for `game(rules, start)`.
    ///
    /// # Errors
    /// A file that cannot be read, or is no rule file.
    pub fn with_rules_of(self, path: &Path, job: &Job) -> Result<Self, Diagnostic> {
        let reader = self.reader.with_rules_of(path, job)?;
        Ok(Self { reader, ..self })
    }

    /// Returns the same, with the rules of a text that is called `name`. The rules look at the
    /// clock of `job`.
    ///
    /// # Errors
    /// What is no rule file, with its place.
    pub fn with_rules(self, name: &str, source: &str, job: &Job) -> Result<Self, Diagnostic> {
        let reader = self.reader.with_rules(name, source, job)?;
        Ok(Self { reader, ..self })
    }

    /// Returns the same, whose questions may name what somebody else has at hand: rules in another
    /// language, positions.
    #[must_use]
    pub fn naming(self, games: Arc<dyn Games + Send + Sync>) -> Self {
        Self {
            reader: self.reader.naming(games),
            ..self
        }
    }

    /// Reads a position in the notation.
    ///
    /// # Errors
    /// What is wrong with it, with its place in the text, which the error brings along.
    pub fn read(&self, text: &str) -> Result<Position, Diagnostic> {
        self.reader.read(text)
    }

    /// Returns the position that a question is about.
    ///
    /// # Errors
    /// As [`Analyst::read`], and files that cannot be read.
    pub fn position(&self, source: &PositionSource) -> Result<Position, Diagnostic> {
        source.position(&self.reader)
    }
}

/// Returns the error, about the text of the position where it speaks of none.
pub(crate) fn of_source(error: impl Into<Diagnostic>, source: &PositionSource) -> Diagnostic {
    about(
        error.into(),
        source.expression.as_deref().unwrap_or_default(),
    )
}
