//! Batches: questions read one a line, which share a cache.

use std::path::Path;

use grundy::{Diagnostic, Kind, message};
use grundy_wording::Audience;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::analyst::{Analyst, Measured, Question};
use crate::job::{Bounds, Job};
use crate::json_object::JsonObject;
use crate::keys::{KeyReader, unknown};
use crate::learned::Learned;
use crate::probe;
use crate::questions::reader;
use crate::response::Response;

/// Time limit of a line without one, in seconds.
const SECONDS: f64 = 10.0;

/// Keys that name files, which lines of a batch must not use.
const FILES: [&str; 2] = ["svg", "table"];

/// Mutually exclusive keys. A line that has one of a group takes none of that group from the
/// defaults.
const TOGETHER: [&[&str]; 2] = [
    &["cool", "heat", "overheat", "norton", "freeze"],
    &["outcome", "no_moves"],
];

/// A batch of questions of one kind: JSON objects or plain expressions, one a line. Values computed
/// for a line are cached for the following lines.
#[derive(Debug, Default)]
pub struct Batch {
    /// The name of the question.
    name: &'static str,
    /// Default values for keys.
    usual: Map<String, Value>,
    /// The time limit of a line in seconds. The default is 10.
    pub seconds: Option<f64>,
    /// The audience of errors. The default is a program that uses JSON.
    pub audience: Audience,
    learned: Learned,
}

/// The keys of a line that belong to no question.
#[derive(Deserialize)]
struct Envelope {
    timeout: Option<f64>,
    #[serde(default)]
    limits: Bounds,
}

impl Batch {
    /// Creates a batch of the question `name`. A line without a key takes its value from `usual`.
    #[must_use]
    pub fn new(name: &'static str, usual: &impl Serialize) -> Self {
        let usual = match serde_json::to_value(usual) {
            Ok(Value::Object(usual)) => usual,
            _ => Map::new(),
        };
        Self {
            name,
            usual,
            ..Self::default()
        }
    }

    /// Opens a tablebase before the first line is read.
    ///
    /// # Errors
    /// A tablebase that cannot be read.
    pub fn open(&mut self, table: &Path, analyst: &Analyst, job: &Job) -> Result<(), Diagnostic> {
        probe::open(table, analyst, &mut self.learned, job).map(|_| ())
    }

    /// Answers a line. The time limit of `job` starts again with each line.
    pub fn answer(&mut self, content: &[u8], analyst: &Analyst, job: &Job) -> Response {
        // Each line has its own limit, so a slow line does not use the time of the others.
        job.give(self.seconds.unwrap_or(SECONDS));
        let begun = job.now();
        let audience = self.audience;
        let failed = |error: &Diagnostic, text: &str| {
            let response = Response::failed(None, Some(text), error, text, audience);
            response.measured(self.measured(), job.since(begun))
        };
        let (mut object, text) = match object(content) {
            Ok(read) => read,
            Err((error, text)) => return failed(&error, &text),
        };
        // The id is removed before the keys are checked, so that it is repeated in error responses,
        // too.
        let id = object.remove("id");
        let response = match self.read(object) {
            Ok((question, envelope)) => {
                let job = &job.bounded(envelope.limits);
                if let Some(seconds) = envelope.timeout {
                    job.give(seconds);
                }
                self.ask(&*question, analyst, job)
            }
            Err(error) => failed(&error, &text),
        };
        response.with_id(id)
    }

    /// Answers a question that has already been parsed, within the time of `job`.
    pub fn ask(&mut self, question: &dyn Question, analyst: &Analyst, job: &Job) -> Response {
        let response = Response::of(
            question,
            question.game(),
            self.audience,
            (analyst, &mut self.learned),
            job,
        );
        self.learned.tidy(&job.limits());
        response
    }

    /// Returns the kind of cost that is reported with each line.
    fn measured(&self) -> Option<Measured> {
        let asked = self.usual.get("stats").is_some_and(|stats| *stats == true);
        asked.then_some(match self.name {
            "probe" => Measured::Time,
            _ => Measured::Work,
        })
    }

    /// Parses the question of a line and its limits.
    fn read(&self, object: JsonObject) -> Result<(Box<dyn Question>, Envelope), Diagnostic> {
        if let Some(file) = FILES
            .iter()
            .find(|file| object.entries.contains_key(**file))
        {
            return Err(unknown(file));
        }
        let mut usual = self.usual.clone();
        // Mutually exclusive defaults would turn a valid line into a conflict.
        for keys in TOGETHER {
            if keys.iter().any(|key| object.entries.contains_key(*key)) {
                usual.retain(|key, _| !keys.contains(&&key[..]));
            }
        }
        let mut keys = KeyReader::of(object);
        let envelope = keys.read()?;
        // The defaults come after the envelope, since they belong to the question.
        keys.fill(usual);
        let question = reader(self.name)?(&mut keys)?;
        keys.end()?;
        Ok((question, envelope))
    }
}

/// Parses a line as an object. Also returns the text that errors refer to.
fn object(content: &[u8]) -> Result<(JsonObject, String), (Diagnostic, String)> {
    let Ok(line) = std::str::from_utf8(content) else {
        let error = Diagnostic::new(Kind::Encoding, message!("the line is not UTF-8"));
        return Err((error, String::new()));
    };
    // No position in the notation begins with a brace, so the two kinds of line cannot be confused.
    if !line.starts_with('{') {
        let game = ("game".to_owned(), Value::from(line));
        return Ok((Map::from_iter([game]).into(), line.to_owned()));
    }
    let object = JsonObject::read(line.as_bytes()).map_err(|error| {
        // serde_json counts columns in bytes from 1, and the column may lie within a character.
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
