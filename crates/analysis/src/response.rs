//! The response to a question: the answer or an error, as one JSON object.

use std::io::{self, Write};
use std::time::Duration;

use grundy_core::diagnostic::Cause;
use grundy_core::{Diagnostic, Kind};
use grundy_wording::Audience;
use grundy_wording::answer::{OrderedMap, json_line};
use grundy_wording::diagnostic::ErrorView;
use grundy_wording::output;
use grundy_wording::report::to_text;
use serde::Serialize;
use serde_json::Value;

use crate::analyst::{Analyst, CostKind, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::result_cache::ResultCache;

/// Largest length, in bytes, of a position that an error object repeats.
const MAX_REPEATED: usize = 1000;

/// The answer to a question, or an error.
#[derive(Debug)]
pub struct Response {
    id: Option<Value>,
    body: Body,
    stats: Option<Stats>,
    audience: Audience,
    /// Largest length of the JSON object, in bytes.
    most: u64,
    /// The answer as plain text, if it was requested.
    plain: Option<String>,
    /// The names and contents of the files that the answer wrote, if they are part of the object.
    files: Vec<(String, String)>,
}

#[derive(Debug)]
enum Body {
    Answer(Answer),
    Error {
        game: Option<String>,
        view: ErrorView,
        kind: Kind,
        cause: Option<Cause>,
    },
}

/// The cost of an answer.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Stats {
    ms: f64,
    #[serde(flatten)]
    work: Option<WorkDone>,
    /// The number of components of the position, if it was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    components: Option<usize>,
}

#[derive(Clone, Debug, Default, Serialize)]
struct WorkDone {
    /// The number of positions whose moves were generated, plus the number of computed heap values.
    positions: u64,
    /// The number of results that came from a cache.
    table_hits: u64,
}

impl Stats {
    fn new(kind: CostKind, time: Duration, work: WorkDone) -> Self {
        Self {
            ms: time.as_micros() as f64 / 1000.0,
            work: (kind == CostKind::Work).then_some(work),
            components: None,
        }
    }
}

impl Response {
    /// Answers a question. If that fails, the response is an error object that contains the
    /// position `repeated`, if it is given.
    pub(crate) fn of(
        question: &dyn Question,
        repeated: Option<&str>,
        audience: Audience,
        (analyst, cache): (&Analyst, &mut ResultCache),
        job: &Job,
    ) -> Self {
        // The solver counts the work for all questions. The cost of this one is a difference.
        let (begun, before) = (job.now(), cache.work());
        let answered = analyst.answer_with(question, cache, job);
        let work = cache.work();
        let mut response = match answered {
            Ok(answer) => Self::new(None, Body::Answer(answer), audience),
            Err(error) => {
                let source = repeated.unwrap_or_default();
                Self::failed(None, repeated, &error, source, audience)
            }
        };
        let components = match &response.body {
            Body::Answer(answer) => answer.components(),
            Body::Error { .. } => None,
        };
        let done = WorkDone {
            positions: work.positions - before.positions,
            table_hits: work.hits - before.hits,
        };
        response.most = job.output();
        response.stats = question.cost_kind().map(|kind| Stats {
            components,
            ..Stats::new(kind, job.since(begun), done)
        });
        response
    }

    /// Creates the response for an error in the text `source`. The error object repeats the
    /// position `game`.
    pub(crate) fn failed(
        id: Option<Value>,
        game: Option<&str>,
        error: &Diagnostic,
        source: &str,
        audience: Audience,
    ) -> Self {
        let body = Body::Error {
            game: game
                .filter(|game| game.len() <= MAX_REPEATED)
                .map(str::to_owned),
            view: ErrorView::new(error, source, audience),
            kind: error.kind,
            cause: error.cause.clone(),
        };
        Self::new(id, body, audience)
    }

    fn new(id: Option<Value>, body: Body, audience: Audience) -> Self {
        Self {
            id,
            body,
            stats: None,
            audience,
            most: u64::MAX,
            plain: None,
            files: Vec::new(),
        }
    }

    /// Sets the time that passed until the error was found, if the cost is measured.
    pub(crate) fn with_time(self, cost_kind: Option<CostKind>, time: Duration) -> Self {
        let stats = cost_kind.map(|kind| Stats::new(kind, time, WorkDone::default()));
        Self { stats, ..self }
    }

    /// Sets the `id` of the request.
    pub(crate) fn with_id(self, id: Option<Value>) -> Self {
        Self { id, ..self }
    }

    /// Adds the files that the answer wrote, and the plain text of the answer if `plain` is set.
    pub(crate) fn finish(&mut self, plain: bool, files: Option<Vec<(String, Vec<u8>)>>) {
        let Body::Answer(answer) = &self.body else {
            return;
        };
        self.plain = plain.then(|| {
            to_text(|out| {
                answer
                    .write_plain(out, self.audience, self.most)
                    .map(|_| ())
            })
        });
        // Files within JSON must be text. Binary files are returned separately (see
        // `Request::with_files`).
        let files = files.into_iter().flatten();
        self.files = files
            .map(|(name, bytes)| (name, String::from_utf8_lossy(&bytes).into_owned()))
            .collect();
    }

    /// Returns whether the response is an error, or an answer that differs from the expected one.
    ///
    /// ```
    /// use grundy_analysis::{Analyst, Job, batch::Batch};
    /// let (analyst, job) = (Analyst::default(), Job::default());
    /// let mut batch = Batch::new("solve", &serde_json::json!({}));
    /// let mut has_failed = |line: &str| {
    ///     let response = batch.answer(line.as_bytes(), &analyst, &job);
    ///     response.has_failed()
    /// };
    /// assert!(has_failed("nim(-1)"));
    /// assert!(has_failed(r#"{"game": "nim(3, 4)", "expect": {"grundy": 6}}"#));
    /// assert!(!has_failed(r#"{"game": "nim(3, 4)", "expect": {"grundy": 7}}"#));
    /// ```
    #[must_use]
    pub fn has_failed(&self) -> bool {
        match &self.body {
            Body::Answer(answer) => answer.is_unexpected(),
            Body::Error { .. } => true,
        }
    }

    /// Returns whether a limit was reached, so that part of the answer is missing.
    ///
    /// ```
    /// use grundy_analysis::{Analyst, Job, batch::Batch};
    /// let mut batch = Batch::new("solve", &serde_json::json!({}));
    /// let line = br#"{"game": "chomp(5, 5, 5, 4, 4)", "limits": {"positions": 10}}"#;
    /// assert!(batch.answer(line, &Analyst::default(), &Job::default()).is_partial());
    /// ```
    #[must_use]
    pub fn is_partial(&self) -> bool {
        matches!(&self.body, Body::Answer(answer) if answer.is_partial())
    }

    /// Returns the kind of the error, if the response is an error.
    pub(crate) fn error_kind(&self) -> Option<Kind> {
        match &self.body {
            Body::Answer(_) => None,
            Body::Error { kind, .. } => Some(*kind),
        }
    }

    /// Returns the foreign error that caused the error, such as a Python exception.
    #[must_use]
    pub fn cause(&self) -> Option<&Cause> {
        match &self.body {
            Body::Answer(_) => None,
            Body::Error { cause, .. } => cause.as_ref(),
        }
    }

    /// Returns the time that the answer took, in milliseconds, if it was measured.
    ///
    /// ```
    /// use grundy_analysis::{Analyst, Job, batch::Batch};
    /// let (analyst, job) = (Analyst::default(), Job::default());
    /// let mut batch = Batch::new("solve", &serde_json::json!({"stats": true}));
    /// let response = batch.answer(b"nim(3, 4)", &analyst, &job);
    /// assert!(response.milliseconds().is_some_and(|time| time >= 0.0));
    /// ```
    #[must_use]
    pub fn milliseconds(&self) -> Option<f64> {
        self.stats.as_ref().map(|stats| stats.ms)
    }

    /// Returns the JSON object as one line.
    ///
    /// ```
    /// use grundy_analysis::{Analyst, Job, batch::Batch};
    /// let mut batch = Batch::new("solve", &serde_json::json!({"outcome": true}));
    /// let line = br#"{"id": "a", "game": "nim(3)"}"#;
    /// let json = batch.answer(line, &Analyst::default(), &Job::default()).json();
    /// assert!(json.starts_with(r#"{"id":"a","game":"nim(3)","play":"normal","outcome":"N""#));
    /// ```
    #[must_use]
    pub fn json(&self) -> String {
        to_text(|out| self.write(out).map(|_| ()))
    }

    /// Writes the JSON object as one line, within the limit of bytes. Entries that do not fit are
    /// omitted, and the object lists their names. Returns whether the object is complete.
    ///
    /// # Errors
    /// The error of `out`.
    ///
    /// # Examples
    /// ```
    /// use grundy_analysis::{Analyst, Job, batch::Batch};
    /// let mut batch = Batch::new("solve", &serde_json::json!({"outcome": true}));
    /// let response = batch.answer(b"nim(3, 3)", &Analyst::default(), &Job::default());
    /// let mut out = Vec::new();
    /// assert!(response.write(&mut out)?);
    /// assert_eq!(out, response.json().as_bytes());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write(&self, out: &mut dyn Write) -> io::Result<bool> {
        match &self.body {
            Body::Answer(answer) => self.put(out, answer.view(self.audience)),
            Body::Error { game, view, .. } => {
                let game = game.as_deref();
                self.put(out, FailedView { game, view })
            }
        }
    }

    /// Writes the object. The entries of `body` follow the `id`.
    fn put(&self, out: &mut dyn Write, body: impl Serialize) -> io::Result<bool> {
        #[derive(Serialize)]
        struct View<'a, B> {
            #[serde(skip_serializing_if = "Option::is_none")]
            id: Option<&'a Value>,
            #[serde(flatten)]
            body: B,
            #[serde(skip_serializing_if = "Option::is_none")]
            stats: Option<&'a Stats>,
            #[serde(skip_serializing_if = "Option::is_none")]
            plain: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            files: Option<OrderedMap<'a, &'a str>>,
        }
        let files = self.files.iter().map(|(name, text)| (&name[..], &text[..]));
        let view = View {
            id: self.id.as_ref(),
            body,
            stats: self.stats.as_ref(),
            plain: self.plain.as_deref(),
            files: (!self.files.is_empty()).then(|| OrderedMap(files.collect())),
        };
        if output::write_within(out, self.most, &|out| json_line(out, &view))? {
            return Ok(true);
        }
        output::cut_object(out, self.most, &view, self.audience)?;
        Ok(false)
    }
}

/// The keys of an error object.
#[derive(Serialize)]
struct FailedView<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'a str>,
    #[serde(flatten)]
    view: &'a ErrorView,
}
