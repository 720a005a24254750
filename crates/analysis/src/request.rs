//! A request: a question and all its input in a JSON object, for web pages, servers and notebooks.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use grundy_core::diagnostic::Cause;
use grundy_core::{Diagnostic, Kind, Stop, message};
use grundy_notation::Games;
use grundy_notation::json_error;
use grundy_wording::{Audience, Interface, Language};
use serde::Deserialize;
use serde_json::Value;

use crate::analyst::{Analyst, Question};
use crate::files::{Files, MemoryFiles};
use crate::job::{Bounds, Job};
pub use crate::json_object::JsonObject;
use crate::keys::{KeyReader, NamedTexts};
use crate::questions::reader;
use crate::response::Response;
use crate::result_cache::ResultCache;

/// A question with all its input. Input files are part of the request, and output files are part of
/// the answer. The only files on disk that can be opened to answer it are the tablebases of
/// `Request::with_tables`.
///
/// ```
/// use grundy_analysis::{Job, request::Request};
/// let request = Request::read("solve", br#"{"game": "nim(3, 4)", "id": 7}"#).unwrap();
/// let answer = request.answer(&Job::default());
/// assert!(answer.json.starts_with(r#"{"id":7,"game":"nim(3, 4)","play":"normal","outcome":"N""#));
/// ```
#[derive(Debug)]
pub struct Request {
    question: Box<dyn Question>,
    /// A value of any type that the client chooses and that the response repeats.
    id: Option<Value>,
    /// The reader for whom sentences are worded.
    pub audience: Audience,
    /// The time limit in seconds, if the request has one.
    seconds: Option<f64>,
    /// The other limits of the request.
    bounds: Bounds,
    rules: Option<String>,
    files: Vec<(String, Arc<Vec<u8>>)>,
    /// `true` if the files that the answer writes are returned separately from the JSON.
    separate_files: bool,
    /// `true` if an error object repeats the position, as the error objects of a batch do.
    repeat_position: bool,
    tables: Option<PathBuf>,
    plain: bool,
    games: Option<Arc<dyn Games + Send + Sync>>,
}

/// Time limit of [`Request::answer`], in seconds. The time limit of a request can only shorten it.
const SECONDS: f64 = 10.0;

/// The keys that determine for whom errors are worded. They are read first, so that errors in other
/// keys can be worded for this reader.
#[derive(Deserialize)]
pub(crate) struct AudienceKeys {
    lang: Option<LanguageWord>,
    interface: Option<InterfaceWord>,
}

/// The JSON values of [`Language`].
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum LanguageWord {
    En,
    Zh,
}

/// The JSON values of [`Interface`].
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum InterfaceWord {
    Json,
    Page,
    Python,
    Terminal,
}

impl AudienceKeys {
    fn audience(&self) -> Audience {
        let language = match self.lang {
            None | Some(LanguageWord::En) => Language::En,
            Some(LanguageWord::Zh) => Language::Zh,
        };
        let interface = match self.interface {
            None | Some(InterfaceWord::Json) => Interface::Json,
            Some(InterfaceWord::Page) => Interface::Page,
            Some(InterfaceWord::Python) => Interface::Python,
            Some(InterfaceWord::Terminal) => Interface::Terminal,
        };
        Audience::new(language, interface)
    }
}

/// The keys that every request may have.
#[derive(Deserialize)]
pub(crate) struct Envelope {
    timeout: Option<f64>,
    #[serde(default)]
    limits: Bounds,
    rules: Option<String>,
    #[serde(default)]
    files: NamedTexts,
    #[serde(default)]
    plain: bool,
}

/// The response to a request, with the files that the answer wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SerializedResponse {
    /// One line with a JSON object: the answer or an error.
    pub json: String,
    /// The kind of the error, if the response is an error.
    pub error_kind: Option<Kind>,
    /// The foreign error that caused this error, such as a Python exception.
    pub cause: Option<Cause>,
    /// The files that the answer wrote, if they are returned separately from the JSON.
    pub files: Vec<(String, Vec<u8>)>,
}

/// Number of bytes of an answer that are written even if its job was cancelled. A partial result
/// may still be useful.
const UNCANCELLABLE_BYTES: usize = 1 << 20;

/// A buffer for the text of an answer. Writing a long answer to it fails once its job is cancelled.
struct CancellableBuffer<'a> {
    bytes: Vec<u8>,
    job: &'a Job,
}

impl Write for CancellableBuffer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() >= UNCANCELLABLE_BYTES && self.job.cancelled() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The rejection of an invalid request.
#[derive(Debug)]
pub struct Refusal {
    /// The error.
    pub diagnostic: Diagnostic,
    id: Option<Value>,
    audience: Audience,
}

impl Refusal {
    /// Returns the error object.
    ///
    /// ```
    /// use grundy_analysis::request::Request;
    /// let refusal = Request::read("solve", br#"{"id": 7, "gam": "nim(3)"}"#).unwrap_err();
    /// assert!(refusal.json().starts_with(r#"{"id":7,"error":{"#));
    /// ```
    #[must_use]
    pub fn json(&self) -> String {
        let failed = Response::failed(self.id.clone(), None, &self.diagnostic, "", self.audience);
        failed.json()
    }
}

impl Request {
    /// Parses a request for the question `name` from the text of a JSON object.
    ///
    /// # Errors
    /// An unknown name, a text that is not an object, or keys that are missing, wrong, unknown or
    /// repeated.
    ///
    /// # Examples
    /// ```
    /// use grundy_analysis::{Job, request::Request};
    /// let request = Request::read("solve", br#"{"game": "nim(1)", "play": "misere"}"#).unwrap();
    /// assert!(request.answer(&Job::default()).json.contains(r#""outcome":"P""#));
    /// assert!(Request::read("solv", br#"{"game": "nim(1)"}"#).is_err());
    /// ```
    pub fn read(name: &str, text: &[u8]) -> Result<Self, Box<Refusal>> {
        let object = JsonObject::read(text).map_err(|error| {
            let told = json_error(&error);
            let message = message!("the question is not a JSON object: {told}", told);
            Box::new(Refusal {
                diagnostic: Diagnostic::new(Kind::Syntax, message),
                id: None,
                audience: Audience::default(),
            })
        })?;
        Self::of(name, object)
    }

    /// Reads a request for the question `name` from an object.
    ///
    /// # Errors
    /// As [`Request::read`].
    ///
    /// # Examples
    /// ```
    /// use grundy_analysis::Job;
    /// use grundy_analysis::request::{JsonObject, Request};
    /// let object = JsonObject::read(br#"{"game": "kayles(9)"}"#)?;
    /// let request = Request::of("solve", object).unwrap();
    /// assert!(request.answer(&Job::default()).json.contains(r#""grundy":4"#));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn of(name: &str, mut object: JsonObject) -> Result<Self, Box<Refusal>> {
        // The id is removed before anything can fail, so that every error response repeats it.
        let id = object.remove("id");
        let mut keys = KeyReader::new(object);
        let mut audience = Audience::default();
        let read = |keys: &mut KeyReader, audience: &mut Audience| {
            *audience = keys.read::<AudienceKeys>()?.audience();
            // The audience is read first, so that errors in the other keys can be worded for it.
            let envelope: Envelope = keys.read()?;
            Ok((envelope, reader(name)?(keys)?))
        };
        let read = read(&mut keys, &mut audience).and_then(|read| keys.end().map(|()| read));
        match read {
            Ok((envelope, question)) => Ok(Self {
                question,
                id,
                audience,
                seconds: envelope.timeout,
                bounds: envelope.limits,
                rules: envelope.rules,
                files: (envelope.files.0.into_iter())
                    .map(|(name, text)| (name, Arc::new(text.into_bytes())))
                    .collect(),
                separate_files: false,
                repeat_position: name == "solve",
                tables: None,
                plain: envelope.plain,
                games: None,
            }),
            Err(diagnostic) => Err(Box::new(Refusal {
                diagnostic,
                id,
                audience,
            })),
        }
    }

    /// Answers the request within 10 seconds, or within its own time limit if that is shorter.
    ///
    /// # Complexity
    /// The complexity of answering the question.
    ///
    /// # Examples
    /// ```
    /// use grundy_analysis::{Job, request::Request};
    /// let request = Request::read("compare", br#"{"game": "nim(1)", "with": "nim(2)"}"#).unwrap();
    /// let response = request.answer(&Job::default());
    /// // The nimbers * and *2 are confused.
    /// assert!(response.json.contains(r#""relation":"||""#));
    /// ```
    #[must_use]
    pub fn answer(&self, job: &Job) -> SerializedResponse {
        self.answer_within(job, SECONDS)
    }

    /// Answers the request within `most` seconds, or within its own time limit if that is shorter.
    ///
    /// ```
    /// use grundy_analysis::{Job, request::Request};
    /// let request = Request::read("solve", br#"{"game": "chomp(9, 9, 9)"}"#).unwrap();
    /// // Chomp is won for the first player, except on a single square.
    /// let response = request.answer_within(&Job::default(), 5.0);
    /// assert!(response.json.contains(r#""outcome":"N""#));
    /// ```
    #[must_use]
    pub fn answer_within(&self, job: &Job, most: f64) -> SerializedResponse {
        let job = &job.bounded(self.bounds);
        // A request can shorten the limit of the server, but not extend it.
        job.set_timeout(self.seconds.map_or(most, |requested| requested.min(most)));
        let memory_files = self.memory_files();
        let response = match self.analyst(&memory_files, job) {
            Ok(analyst) => {
                let mut cache = ResultCache::default();
                let question = &*self.question;
                let repeated = self.repeat_position.then(|| question.game()).flatten();
                let mut response = Response::of(
                    question,
                    repeated,
                    self.audience,
                    (&analyst, &mut cache),
                    job,
                );
                response.finish(
                    self.plain,
                    (!self.separate_files).then(|| memory_files.take_written()),
                );
                response.with_id(self.id.clone())
            }
            Err(error) => Response::failed(self.id.clone(), None, &error, "", self.audience),
        };
        // Serializing a long answer can take seconds. It is not serialized if the job was
        // cancelled.
        let mut out = CancellableBuffer {
            bytes: Vec::new(),
            job,
        };
        let response = if response.write(&mut out).is_ok() {
            response
        } else {
            out.bytes.clear();
            let stopped = Stop::Interrupted.into();
            let failed = Response::failed(self.id.clone(), None, &stopped, "", self.audience);
            let _ = failed.write(&mut out.bytes);
            failed
        };
        SerializedResponse {
            json: String::from_utf8(out.bytes).unwrap_or_default(),
            error_kind: response.error_kind(),
            cause: response.cause().cloned(),
            // Files of a failed request may be incomplete, so they are dropped.
            files: if self.separate_files && response.error_kind().is_none() {
                memory_files.take_written()
            } else {
                Vec::new()
            },
        }
    }

    /// Adds input files, which can be binary and too long for JSON. The files that the answer
    /// writes are then returned in [`SerializedResponse::files`].
    ///
    /// ```
    /// use grundy_analysis::{Job, request::Request};
    /// let request = Request::read("label", br#"{"game": "moves.csv"}"#).unwrap();
    /// let moves = b"from,to\na,b\nb,a\nb,c\n".to_vec();
    /// let request = request.with_files([("moves.csv".to_owned(), moves)]);
    /// let response = request.answer(&Job::default());
    /// assert!(response.json.contains(r#""position":"b","outcome":"N","remoteness":1"#));
    /// ```
    #[must_use]
    pub fn with_files(mut self, files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        let files = files.into_iter();
        self.files
            .extend(files.map(|(name, bytes)| (name, Arc::new(bytes))));
        Self {
            separate_files: true,
            ..self
        }
    }

    /// Grants access to the tablebases in the folder `tables`.
    #[must_use]
    pub fn with_tables(self, tables: Option<PathBuf>) -> Self {
        Self { tables, ..self }
    }

    /// Sets the named positions and rules that expressions may use. If the request contains a rule
    /// file, these rules are ignored, but not the positions.
    ///
    /// ```
    /// use grundy_analysis::{Job, request::Request};
    /// use grundy_core::Position;
    /// use grundy_notation::{Games, read_position};
    /// #[derive(Debug)]
    /// struct Named;
    /// impl Games for Named {
    ///     fn position(&self, name: &str) -> Option<Position> {
    ///         (name == "start").then(|| read_position("nim(3, 4)").unwrap())
    ///     }
    /// }
    /// let request = Request::read("solve", br#"{"game": "start + nim(7)"}"#).unwrap();
    /// let response = request.with_games(std::sync::Arc::new(Named)).answer(&Job::default());
    /// assert!(response.json.contains(r#""outcome":"P""#));
    /// ```
    #[must_use]
    pub fn with_games(self, games: Arc<dyn Games + Send + Sync>) -> Self {
        Self {
            games: Some(games),
            ..self
        }
    }

    /// Creates the store in memory that contains the files of the request. The answer writes its
    /// files to this store.
    fn memory_files(&self) -> Arc<MemoryFiles> {
        let files = self.files.iter();
        let files = files.map(|(name, text)| (name, Arc::clone(text)));
        Arc::new(MemoryFiles::new(files).with_tables(self.tables.clone()))
    }

    fn analyst(&self, memory_files: &Arc<MemoryFiles>, job: &Job) -> Result<Analyst, Diagnostic> {
        let analyst =
            Analyst::new(Files::Memory(Arc::clone(memory_files))).with_audience(self.audience);
        let analyst = match &self.games {
            Some(games) => analyst.with_games(Arc::clone(games)),
            None => analyst,
        };
        match &self.rules {
            Some(rules) => analyst.with_rules("rules", rules, job),
            None => Ok(analyst),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_answer_is_not_written_for_a_cancelled_job() {
        let job = Job::default();
        let bytes = Vec::new();
        let mut out = CancellableBuffer { bytes, job: &job };
        out.write_all(&vec![b' '; UNCANCELLABLE_BYTES - 1]).unwrap();
        job.handle().cancel();
        out.write_all(b" ").unwrap();
        assert!(out.write_all(b" ").is_err());
        assert_eq!(out.bytes.len(), UNCANCELLABLE_BYTES);
    }
}
