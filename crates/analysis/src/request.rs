//! A question as an object in JSON, as a page, a server or a notebook asks it: the names of the commands, the keys of their options.

mod readers;

use std::path::PathBuf;
use std::sync::Arc;

use grundy::diagnostic::Cause;
use grundy::solve::Wanted;
use grundy::{Diagnostic, Kind, message};
use grundy_notation::answer::json_line;
use grundy_notation::diagnostic::{ErrorView, json_error};
use grundy_notation::{Games, Language};
use serde_json::{Map, Value, json};

use crate::analyst::{Analyst, Question};
use crate::batch::{Asks as Of, Batch, Extent};
use crate::files::{Files, Shelf};
use crate::job::Job;
use crate::keys::Keys;
use crate::report::written;
use readers::READERS;
pub(crate) use readers::telling;

/// A question with all that it brings along. No file is opened for it: what it reads by name has come with it, and what it writes goes
/// back with the answer.
///
/// ```
/// use grundy_analysis::{Job, request::Request};
/// let request = Request::read("solve", br#"{"game": "nim(3, 4)", "id": 7}"#).unwrap();
/// let answer = request.answer(&Job::default());
/// assert!(answer.json.starts_with(r#"{"id":7,"game":"nim(3, 4)","play":"normal","outcome":"N""#));
/// ```
#[derive(Debug)]
pub struct Request {
    asks: Asks,
    /// What comes back as it is.
    id: Option<Value>,
    /// The language of sentences.
    pub language: Language,
    /// Seconds that it may take, where it says so.
    seconds: Option<f64>,
    rules: Option<String>,
    files: Vec<(String, Arc<Vec<u8>>)>,
    /// Whether the files of the answer are handed over beside it.
    apart: bool,
    tables: Option<PathBuf>,
    plain: bool,
    games: Option<Arc<dyn Games + Send + Sync>>,
}

/// The question that is asked as a line of a batch is.
const LINE: &str = "solve";

/// Seconds that an answer may take where nothing is said.
const SECONDS: f64 = 10.0;

/// What is asked.
#[derive(Debug)]
enum Asks {
    /// A question.
    Question(Box<dyn Question>),
    /// One position, as a line of a batch: what is known of it when its time is up is its answer.
    Line {
        /// The object that is the line.
        line: String,
        wanted: Wanted,
        remoteness: bool,
        stats: bool,
    },
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// One object on a line: the answer, or an error.
    pub json: String,
    /// What kind of error it is, if it is one.
    pub wrong: Option<Kind>,
    /// The error behind it, where one was.
    pub cause: Option<Cause>,
    /// What the answer wrote into files, where these are handed over beside it.
    pub files: Vec<(String, Vec<u8>)>,
}

/// What is wrong with an object that asks nothing.
#[derive(Debug)]
pub struct Refusal {
    /// What is wrong.
    pub diagnostic: Diagnostic,
    id: Option<Value>,
    language: Language,
}

impl Refusal {
    /// The error object.
    #[must_use]
    pub fn json(&self) -> String {
        error(&self.diagnostic, self.id.as_ref(), self.language)
    }
}

/// An error object.
fn error(diagnostic: &Diagnostic, id: Option<&Value>, language: Language) -> String {
    let view = ErrorView::told(diagnostic, "", language);
    let object = serde_json::to_string(&view).unwrap_or_default();
    joined(id, &object, &Map::new())
}

/// An object with what comes before and after it.
fn joined(id: Option<&Value>, object: &str, after: &Map<String, Value>) -> String {
    // What goes into files leaves nothing to print.
    let inner = object.trim();
    let inner = inner.strip_prefix('{').unwrap_or(inner);
    let inner = inner.strip_suffix('}').unwrap_or(inner).to_owned();
    let id = id.map(|id| format!("\"id\":{id}"));
    let after = after.iter();
    let after = after.map(|(key, value)| format!("{}:{value}", json!(key)));
    let pieces = id.into_iter().chain([inner]).chain(after);
    let pieces: Vec<String> = pieces.filter(|piece| !piece.is_empty()).collect();
    format!("{{{}}}\n", pieces.join(","))
}

impl Request {
    /// Reads the question that goes by the name of a command.
    ///
    /// # Errors
    /// A name that is none, an object that is none, keys that are missing, wrong or left over.
    pub fn read(command: &str, text: &[u8]) -> Result<Self, Box<Refusal>> {
        let refuse = |diagnostic| {
            Box::new(Refusal {
                diagnostic,
                id: None,
                language: Language::En,
            })
        };
        let object: Map<String, Value> = serde_json::from_slice(text).map_err(|error| {
            let told = json_error(&error);
            let message = message!("the question is not a JSON object: {told}", told);
            refuse(Diagnostic::new(Kind::Syntax, message))
        })?;
        Self::of(command, object)
    }

    /// The same of an object that was read already.
    ///
    /// # Errors
    /// As [`Request::read`].
    pub fn of(command: &str, mut object: Map<String, Value>) -> Result<Self, Box<Refusal>> {
        let id = object.remove("id");
        let mut keys = Keys::of(object);
        let language = keys.choice("lang", &[("en", Language::En), ("zh", Language::Zh)]);
        let known = language.as_ref().ok().copied().flatten();
        let refuse = |diagnostic, id| {
            let language = known.unwrap_or_default();
            Box::new(Refusal {
                diagnostic,
                id,
                language,
            })
        };
        let read = language.and_then(|language| {
            let language = language.unwrap_or_default();
            let request = Self {
                id: None,
                language,
                seconds: keys.seconds("timeout")?,
                rules: keys.text("rules")?,
                files: keys
                    .named("files")?
                    .into_iter()
                    .map(|(name, text)| (name, Arc::new(text.into_bytes())))
                    .collect(),
                apart: false,
                tables: None,
                games: None,
                plain: keys.flag("plain")?,
                asks: match command {
                    LINE => line(&mut keys)?,
                    _ => Asks::Question(reader(command)?(&mut keys)?),
                },
            };
            keys.end()?;
            Ok(request)
        });
        match read {
            Ok(request) => Ok(Self { id, ..request }),
            Err(diagnostic) => Err(refuse(diagnostic, id)),
        }
    }

    /// The answer, or what is wrong.
    ///
    /// # Complexity
    /// That of what is asked.
    #[must_use]
    pub fn answer(&self, job: &Job) -> Answered {
        self.answer_within(job, SECONDS)
    }

    /// The same, where whoever answers gives it at most so many seconds.
    #[must_use]
    pub fn answer_within(&self, job: &Job, most: f64) -> Answered {
        let seconds = self.seconds.map_or(most, |asked| asked.min(most));
        job.give(seconds);
        let failed = |diagnostic: Diagnostic| Answered {
            json: error(&diagnostic, self.id.as_ref(), self.language),
            wrong: Some(diagnostic.kind),
            cause: diagnostic.cause,
            files: Vec::new(),
        };
        self.answered(job, seconds).unwrap_or_else(failed)
    }

    /// The same with files that come beside the question, for what is too long to be written as JSON; those of the answer are handed over
    /// beside it, too, in [`Answered::files`].
    #[must_use]
    pub fn bringing(mut self, files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        let files = files.into_iter();
        self.files
            .extend(files.map(|(name, bytes)| (name, Arc::new(bytes))));
        Self {
            apart: true,
            ..self
        }
    }

    /// The same, which may ask the tablebases in a folder.
    #[must_use]
    pub fn beside(self, tables: Option<PathBuf>) -> Self {
        Self { tables, ..self }
    }

    /// The same, whose expressions may name what somebody has at hand, where it brings no rule file.
    #[must_use]
    pub fn naming(self, games: Arc<dyn Games + Send + Sync>) -> Self {
        Self {
            games: Some(games),
            ..self
        }
    }

    fn answered(&self, job: &Job, seconds: f64) -> Result<Answered, Diagnostic> {
        let files = self
            .files
            .iter()
            .map(|(name, text)| (name, Arc::clone(text)));
        let shelf = Arc::new(Shelf::new(files).beside(self.tables.clone()));
        let analyst = Analyst::new(Files::Held(Arc::clone(&shelf)));
        let analyst = analyst.speaking(self.language);
        let analyst = match &self.games {
            Some(games) => analyst.naming(Arc::clone(games)),
            None => analyst,
        };
        let analyst = match &self.rules {
            Some(rules) => analyst.with_rules("rules", rules, job)?,
            None => analyst,
        };
        let question = match &self.asks {
            Asks::Question(question) => question,
            Asks::Line {
                line,
                wanted,
                remoteness,
                stats,
            } => {
                let mut batch = Batch::default();
                batch.asks = Of::Solution(Extent {
                    wanted: *wanted,
                    remoteness: *remoteness,
                    ..Extent::default()
                });
                batch.stats = *stats;
                (batch.seconds, batch.language) = (Some(seconds), self.language);
                let answer = batch.answer(line.as_bytes(), &analyst, job);
                let json = written(|out| json_line(out, &answer));
                return Ok(Answered {
                    json: joined(self.id.as_ref(), &json, &Map::new()),
                    wrong: answer.wrong(),
                    cause: answer.cause().cloned(),
                    files: Vec::new(),
                });
            }
        };
        let answer = analyst.answer(&**question, job)?;
        let mut after = Map::new();
        if self.plain {
            after.insert("plain".into(), answer.plain(self.language).into());
        }
        let mut written = shelf.take_written();
        if !written.is_empty() && !self.apart {
            let files = written.drain(..).map(|(name, bytes)| {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                (name, Value::from(text))
            });
            after.insert("files".into(), Value::Object(files.collect()));
        }
        Ok(Answered {
            json: joined(self.id.as_ref(), &answer.spoken(self.language), &after),
            wrong: None,
            cause: None,
            files: written,
        })
    }
}

/// The line of a batch that asks for one position.
fn line(keys: &mut Keys) -> Result<Asks, Diagnostic> {
    let (remoteness, stats) = (keys.flag("remoteness")?, keys.flag("stats")?);
    let wanted = match (keys.flag("outcome")?, keys.flag("no_moves")?) {
        (true, _) => Wanted::Outcome,
        (_, true) => Wanted::Value,
        _ => Wanted::Moves,
    };
    let kept = ["game", "play", "genus", "expect"];
    let kept = kept.map(|name| keys.take(name).map(|value| (name.to_owned(), value)));
    let line: Map<String, Value> = kept.into_iter().flatten().collect();
    Ok(Asks::Line {
        line: Value::Object(line).to_string(),
        wanted,
        remoteness,
        stats,
    })
}

/// Whether a question goes by this name.
#[must_use]
pub fn is_known(command: &str) -> bool {
    names().any(|known| known == command)
}

/// The names of all questions.
fn names() -> impl Iterator<Item = &'static str> {
    [LINE].into_iter().chain(READERS.map(|(name, _)| name))
}

/// Who reads the keys of the question of this name.
fn reader(command: &str) -> Result<readers::Reader, Diagnostic> {
    let found = READERS.iter().find(|(name, _)| *name == command);
    found.map(|(_, reader)| *reader).ok_or_else(|| {
        let command: String = command.chars().take(60).collect();
        let message = message!("no question goes by the name `{command}`", command);
        let known = names().collect::<Vec<_>>().join(", ");
        Diagnostic::new(Kind::UnknownName, message).help(message!("these do: {known}", known))
    })
}
