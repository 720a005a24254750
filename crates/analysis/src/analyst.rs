//! The analyst, which parses and answers questions.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use grundy_core::{Diagnostic, Position};
use grundy_job::reader::with_source;
use grundy_job::{Files, Job, Reader};
use grundy_notation::{Expression, Games};
use grundy_tables::label::Workers;
use grundy_wording::report::Stopped;
use grundy_wording::{Audience, Language};

use crate::answer::Answer;
use crate::question::PositionSource;
use crate::result_cache::ResultCache;

/// A question. It names a position, a family or a file, and contains the settings for the answer.
pub trait Question: fmt::Debug + Send + Sync {
    /// Answers the question.
    ///
    /// # Errors
    /// An invalid question, a limit that was reached, or a file that cannot be read or written.
    fn answer(
        &self,
        analyst: &Analyst,
        cache: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic>;

    /// Returns the position, family or expression in the spelling of the question.
    fn game(&self) -> Option<&str> {
        None
    }

    /// Returns the kind of cost that the response has to report, or `None` if no cost was
    /// requested.
    fn cost_kind(&self) -> Option<CostKind> {
        None
    }
}

/// The kinds of cost that a response can report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostKind {
    /// The time.
    Time,
    /// The time and the work, such as the number of positions whose moves were generated.
    Work,
}

/// An object that answers questions. Several threads can use one analyst at the same time, each
/// with its own job.
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
    /// The workers for distributed labelling, if the program has any.
    workers: Option<&'static dyn Workers>,
}

impl Default for Analyst {
    /// Returns an analyst that opens no files and knows only the rules of the library.
    fn default() -> Self {
        Self::new(Files::Denied)
    }
}

impl Analyst {
    /// Creates an analyst with or without permission to open files.
    ///
    /// ```
    /// use grundy_analysis::question::PeriodQuestion;
    /// use grundy_analysis::{Analyst, Files, Job};
    /// let svg = Some("kayles.svg".into());
    /// let question = PeriodQuestion { svg, ..PeriodQuestion::new("kayles(n)") };
    /// let error = Analyst::new(Files::Denied).answer(&question, &Job::default()).unwrap_err();
    /// assert_eq!(error.message, "kayles.svg: file access is not permitted");
    /// ```
    #[must_use]
    pub fn new(files: Files) -> Self {
        Self {
            reader: Reader::new(files),
            workers: None,
        }
    }

    /// Sets the workers that perform distributed labellings.
    #[must_use]
    pub fn with_workers(self, workers: Option<&'static dyn Workers>) -> Self {
        Self { workers, ..self }
    }

    /// Returns the workers that perform distributed labellings, if the program has any.
    pub(crate) fn workers(&self) -> Option<&dyn Workers> {
        self.workers.map(|workers| workers as &dyn Workers)
    }

    /// Sets the audience for whom the words in pictures and texts are chosen.
    ///
    /// ```
    /// use grundy_analysis::{Analyst, Job, question::Solve};
    /// use grundy_wording::Language;
    /// let analyst = Analyst::default().with_audience(Language::Zh);
    /// let answer = analyst.answer(&Solve::new("nim(3, 4, 5)"), &Job::default())?;
    /// assert!(answer.plain(analyst.audience()).contains("必胜态（N 局面）：先手必胜"));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn with_audience(self, audience: impl Into<Audience>) -> Self {
        Self {
            reader: self.reader.with_audience(audience),
            ..self
        }
    }

    /// Returns the audience for whom the words in pictures and texts are chosen.
    ///
    /// ```
    /// use grundy_analysis::Analyst;
    /// use grundy_wording::{Audience, Interface, Language};
    /// let audience = Audience::new(Language::Zh, Interface::Terminal);
    /// assert_eq!(Analyst::default().with_audience(audience).audience(), audience);
    /// ```
    #[must_use]
    pub fn audience(&self) -> Audience {
        self.reader.audience()
    }

    /// Returns the language of the words in pictures and texts.
    ///
    /// ```
    /// use grundy_analysis::Analyst;
    /// use grundy_wording::Language;
    /// assert_eq!(Analyst::default().language(), Language::En);
    /// assert_eq!(Analyst::default().with_audience(Language::Zh).language(), Language::Zh);
    /// ```
    #[must_use]
    pub fn language(&self) -> Language {
        self.reader.language()
    }

    /// Returns the parser of positions. It contains the rules of the open rule file and the
    /// permission to open files.
    ///
    /// ```
    /// use grundy_analysis::Analyst;
    /// let position = Analyst::default().reader().read("nim(3,4)")?;
    /// assert_eq!(position.to_string(), "nim(3, 4)");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
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
    ///
    /// # Examples
    /// ```
    /// use grundy_analysis::{Analyst, Job, question::ValueQuestion};
    /// use grundy_wording::Language;
    /// let source = "domineering(['..', '..'])".into();
    /// let question = ValueQuestion { source, ..ValueQuestion::default() };
    /// let answer = Analyst::default().answer(&question, &Job::default())?;
    /// assert!(answer.json(Language::En).contains(r#""temperature":"1""#));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn answer(&self, question: &dyn Question, job: &Job) -> Result<Answer, Diagnostic> {
        self.answer_with(question, &mut ResultCache::default(), job)
    }

    /// Answers a question, reusing the results of earlier questions. If a limit is reached and
    /// there is no partial answer, the answer is a [`Stopped`] report.
    ///
    /// # Errors
    /// As [`Question::answer`], except for limits.
    ///
    /// # Examples
    /// ```
    /// use grundy_analysis::result_cache::ResultCache;
    /// use grundy_analysis::{Analyst, Job, question::Solve};
    /// use grundy_wording::Language;
    /// let (analyst, job) = (Analyst::default(), Job::default());
    /// let mut cache = ResultCache::default();
    /// // The second answer reuses the value of the board.
    /// for (game, value) in [("cram(['...', '..#'])", 0), ("cram(['...', '..#']) + nim(7)", 7)] {
    ///     let answer = analyst.answer_with(&Solve::new(game), &mut cache, &job)?;
    ///     assert!(answer.json(Language::En).contains(&format!(r#""grundy":{value}"#)));
    /// }
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn answer_with(
        &self,
        question: &dyn Question,
        cache: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        let answered = match question.answer(self, cache, job) {
            // A limit is reported as a partial answer, since the question itself has no mistake.
            Err(error) if error.limit.is_some() => Answer::new(Stopped {
                game: question.game().map(str::to_owned),
                play: None,
                verdict: None,
                error,
            }),
            answered => answered?,
        };
        let read = question
            .game()
            .and_then(|text| Expression::parse_or_guess(text).ok());
        let Some(expression) = read else {
            return Ok(answered);
        };
        let understood = expression.understood().map(|guessed| {
            // A family has no position, and keeps its spelling.
            let position = self.read(guessed).map(|position| position.to_string());
            position.unwrap_or_else(|_| guessed.to_owned())
        });
        let files = expression.graph_files().into_iter();
        let notes = files.flat_map(|file| self.reader.notes_of_graph(file));
        Ok(answered.with_remarks(understood, notes.collect()))
    }

    /// Returns this analyst with the rules of the file `path`. Expressions use them as
    /// `game(rules, start)`.
    ///
    /// # Errors
    /// A file that cannot be read or is not a rule file.
    ///
    /// # Examples
    /// ```
    /// use grundy_analysis::{Analyst, Files, Job, question::Solve};
    /// use grundy_wording::Language;
    /// let (job, path) = (Job::default(), "../../examples/rules/kayles.star".as_ref());
    /// let analyst = Analyst::new(Files::Granted).with_rules_file(path, &job)?;
    /// let answer = analyst.answer(&Solve::new("game(moves, 10)"), &job)?;
    /// assert!(answer.json(Language::En).contains(r#""grundy":2"#));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn with_rules_file(self, path: &Path, job: &Job) -> Result<Self, Diagnostic> {
        let reader = self.reader.with_rules_file(path, job)?;
        Ok(Self { reader, ..self })
    }

    /// Returns this analyst with the rules in the text `source`. Error messages about the rules
    /// refer to the text as `name`. The rules observe the time limit of `job`.
    ///
    /// # Errors
    /// A text that is not a rule file, with the location of the error in the text.
    ///
    /// # Examples
    /// ```
    /// use grundy_analysis::{Analyst, Job, question::Solve};
    /// use grundy_wording::Language;
    /// // Take 1, 2 or 3 chips: the Grundy value is n modulo 4.
    /// let rules = "def moves(n):\n    return [n - k for k in [1, 2, 3] if k <= n]\n";
    /// let analyst = Analyst::default().with_rules("rules", rules, &Job::default())?;
    /// let answer = analyst.answer(&Solve::new("game(moves, 10)"), &Job::default())?;
    /// assert!(answer.json(Language::En).contains(r#""grundy":2"#));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn with_rules(self, name: &str, source: &str, job: &Job) -> Result<Self, Diagnostic> {
        let reader = self.reader.with_rules(name, source, job)?;
        Ok(Self { reader, ..self })
    }

    /// Returns this analyst with further names that questions may use. Such a name denotes, for
    /// example, rules written in Python or a position of the calling program.
    ///
    /// ```
    /// use grundy_analysis::Analyst;
    /// use grundy_core::Position;
    /// use grundy_notation::{Games, read_position};
    /// #[derive(Debug)]
    /// struct Named;
    /// impl Games for Named {
    ///     fn position(&self, name: &str) -> Option<Position> {
    ///         (name == "start").then(|| read_position("nim(3, 4)").unwrap())
    ///     }
    /// }
    /// let analyst = Analyst::default().with_games(std::sync::Arc::new(Named));
    /// assert_eq!(analyst.read("start + nim(7)")?.to_string(), "nim(3, 4) + nim(7)");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn with_games(self, games: Arc<dyn Games + Send + Sync>) -> Self {
        Self {
            reader: self.reader.with_games(games),
            ..self
        }
    }

    /// Parses a position in the notation.
    ///
    /// # Errors
    /// A syntax error or a violation of a rule, with the text and the location of the error in the
    /// text.
    ///
    /// # Examples
    /// ```
    /// use grundy_analysis::Analyst;
    /// assert_eq!(Analyst::default().read("kayles(7)")?.to_string(), "kayles(7)");
    /// let error = Analyst::default().read("kayls(7)").unwrap_err();
    /// assert_eq!(error.message, "there is no game named `kayls`");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn read(&self, text: &str) -> Result<Position, Diagnostic> {
        self.reader.read(text)
    }

    /// Returns the position that a question is about.
    ///
    /// # Errors
    /// As [`Analyst::read`], and files that cannot be read.
    ///
    /// # Examples
    /// ```
    /// use grundy_analysis::Analyst;
    /// let position = Analyst::default().position(&"nim(3,4) + kayles(7)".into())?;
    /// assert_eq!(position.terms().len(), 2);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn position(&self, source: &PositionSource) -> Result<Position, Diagnostic> {
        source.position(&self.reader)
    }
}

/// Attaches the text of the position to an error, unless the error already refers to a text.
pub(crate) fn attach_source(error: impl Into<Diagnostic>, source: &PositionSource) -> Diagnostic {
    with_source(
        error.into(),
        source.expression.as_deref().unwrap_or_default(),
    )
}
