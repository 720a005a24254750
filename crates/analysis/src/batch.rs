//! Batches: one question per line. The lines share a cache.

use std::path::Path;

use grundy_core::{Diagnostic, Kind, message};
use grundy_wording::Audience;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::analyst::{Analyst, CostKind, Question};
use crate::job::{Bounds, Job};
use crate::json_object::JsonObject;
use crate::keys::{KeyReader, unknown};
use crate::probe;
use crate::questions::reader;
use crate::response::Response;
use crate::result_cache::ResultCache;

/// Time limit, in seconds, of a line that does not contain a time limit.
const DEFAULT_SECONDS: f64 = 10.0;

/// Keys whose values are names of files. A line of a batch must not contain them.
const FILE_KEYS: [&str; 2] = ["svg", "table"];

/// Groups of mutually exclusive keys. If a line contains a key of a group, default values for the
/// other keys of the group are ignored.
const EXCLUSIVE_KEYS: [&[&str]; 2] = [
    &["cool", "heat", "overheat", "norton", "freeze"],
    &["outcome", "no_moves"],
];

/// A batch of questions of one kind. Each line is a JSON object or an expression in the notation.
/// Values that are computed for a line are cached for the lines after it.
#[derive(Debug, Default)]
pub struct Batch {
    /// The name of the kind of question, such as `solve`.
    name: &'static str,
    /// Default values for keys that a line does not contain.
    defaults: Map<String, Value>,
    /// The time limit, in seconds, of each line that does not contain a time limit. The default is
    /// 10.
    pub seconds: Option<f64>,
    /// The reader for whom errors are worded. The default is a program that uses JSON.
    pub audience: Audience,
    cache: ResultCache,
}

/// The keys of a line that are not part of the question.
#[derive(Deserialize)]
struct Envelope {
    timeout: Option<f64>,
    #[serde(default)]
    limits: Bounds,
}

impl Batch {
    /// Creates a batch of questions of the kind `name`. The values in `defaults` are used for keys
    /// that a line does not contain.
    ///
    /// ```
    /// use grundy_analysis::{Analyst, Job, batch::Batch};
    /// // Two heaps of 1 are lost in normal play, but won in misère play.
    /// let mut batch = Batch::new("solve", &serde_json::json!({"play": "misere"}));
    /// let response = batch.answer(b"nim(1, 1)", &Analyst::default(), &Job::default());
    /// assert!(response.json().contains(r#""outcome":"N""#));
    /// ```
    #[must_use]
    pub fn new(name: &'static str, defaults: &impl Serialize) -> Self {
        let defaults = match serde_json::to_value(defaults) {
            Ok(Value::Object(defaults)) => defaults,
            _ => Map::new(),
        };
        Self {
            name,
            defaults,
            ..Self::default()
        }
    }

    /// Opens a tablebase before the first line is read.
    ///
    /// # Errors
    /// A tablebase that cannot be read.
    pub fn open(&mut self, table: &Path, analyst: &Analyst, job: &Job) -> Result<(), Diagnostic> {
        probe::open(table, analyst, &mut self.cache, job).map(|_| ())
    }

    /// Answers the question of a line. First sets the time limit of `job` to the time limit in the
    /// line, or to `Batch::seconds` if the line has none.
    ///
    /// ```
    /// use grundy_analysis::{Analyst, Job, batch::Batch};
    /// let (analyst, job) = (Analyst::default(), Job::default());
    /// let mut batch = Batch::new("solve", &serde_json::json!({"outcome": true}));
    /// let mut json = |line: &str| batch.answer(line.as_bytes(), &analyst, &job).json();
    /// assert!(json("nim(3, 4)").contains(r#""outcome":"N""#));
    /// assert!(json(r#"{"id": 7, "game": "nim(4, 4)"}"#).contains(r#""outcome":"P""#));
    /// ```
    pub fn answer(&mut self, content: &[u8], analyst: &Analyst, job: &Job) -> Response {
        // Each line has its own time limit, so a slow line does not shorten that of the others.
        job.set_timeout(self.seconds.unwrap_or(DEFAULT_SECONDS));
        let begun = job.now();
        let audience = self.audience;
        let failed = |error: &Diagnostic, text: &str| {
            let response = Response::failed(None, Some(text), error, text, audience);
            response.with_time(self.cost_kind(), job.since(begun))
        };
        let (mut object, text) = match object(content) {
            Ok(read) => read,
            Err((error, text)) => return failed(&error, &text),
        };
        // The id is removed before the keys are checked, so that error responses also repeat it.
        let id = object.remove("id");
        let response = match self.read(object) {
            Ok((question, envelope)) => {
                let job = &job.bounded(envelope.limits);
                if let Some(seconds) = envelope.timeout {
                    job.set_timeout(seconds);
                }
                self.ask(&*question, analyst, job)
            }
            Err(error) => failed(&error, &text),
        };
        response.with_id(id)
    }

    /// Answers a question that has already been parsed. The time limit is that of `job`.
    ///
    /// ```
    /// use grundy_analysis::{Analyst, Job, batch::Batch, question::Solve};
    /// let mut batch = Batch::new("solve", &serde_json::json!({}));
    /// let response = batch.ask(&Solve::new("kayles(9)"), &Analyst::default(), &Job::default());
    /// assert!(response.json().contains(r#""grundy":4"#));
    /// ```
    pub fn ask(&mut self, question: &dyn Question, analyst: &Analyst, job: &Job) -> Response {
        let response = Response::of(
            question,
            question.game(),
            self.audience,
            (analyst, &mut self.cache),
            job,
        );
        self.cache.clear_if_large(&job.limits());
        response
    }

    /// Returns the kind of cost that each response has to report, or `None` if no cost was
    /// requested.
    fn cost_kind(&self) -> Option<CostKind> {
        let requested = self
            .defaults
            .get("stats")
            .is_some_and(|stats| *stats == true);
        requested.then_some(match self.name {
            "probe" => CostKind::Time,
            _ => CostKind::Work,
        })
    }

    /// Parses the question of a line and the keys that are not part of the question.
    fn read(&self, object: JsonObject) -> Result<(Box<dyn Question>, Envelope), Diagnostic> {
        if let Some(file) = FILE_KEYS
            .iter()
            .find(|file| object.entries.contains_key(**file))
        {
            return Err(unknown(file));
        }
        let mut defaults = self.defaults.clone();
        // Without this, a default value could conflict with a key of a valid line.
        for keys in EXCLUSIVE_KEYS {
            if keys.iter().any(|key| object.entries.contains_key(*key)) {
                defaults.retain(|key, _| !keys.contains(&&key[..]));
            }
        }
        let mut keys = KeyReader::new(object);
        let envelope = keys.read()?;
        // The defaults are added after the envelope has been read, since they belong to the
        // question.
        keys.fill(defaults);
        let question = reader(self.name)?(&mut keys)?;
        keys.end()?;
        Ok((question, envelope))
    }
}

/// Parses a line as an object. Also returns the line as text, since error locations are offsets in
/// it.
fn object(content: &[u8]) -> Result<(JsonObject, String), (Diagnostic, String)> {
    let Ok(line) = std::str::from_utf8(content) else {
        let error = Diagnostic::new(Kind::Encoding, message!("the line is not UTF-8"));
        return Err((error, String::new()));
    };
    // No position in the notation begins with a brace, so a line that does is a JSON object.
    if !line.starts_with('{') {
        let game = ("game".to_owned(), Value::from(line));
        return Ok((Map::from_iter([game]).into(), line.to_owned()));
    }
    let object = JsonObject::read(line.as_bytes()).map_err(|error| {
        // serde_json counts columns from 1 and in bytes. A column can be inside a character.
        let column = error.column().saturating_sub(1).min(line.len());
        let mut places = (0..=column).rev();
        let place = places.find(|&at| line.is_char_boundary(at)).unwrap_or(0);
        let error = Diagnostic::new(Kind::Syntax, message!("the line is not a JSON object")).help(
            message!("write an object with the key \"game\", or a plain expression"),
        );
        (error.at(place..place), line.to_owned())
    })?;
    Ok((object, line.to_owned()))
}
