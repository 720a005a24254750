//! Positions one a line: an answer or an error for each.

use std::time::Instant;

use grundy::solve::Wanted;
use grundy::{Diagnostic, Kind, Play, Position, Solver, Stop};
use grundy_notation::{answer, diagnostic};
use serde_json::{Map, Value, json};

use super::expect::Expected;
use crate::analyst::Analyst;
use crate::job::Job;

/// Seconds that a line may take unless it is told otherwise.
const SECONDS: f64 = 10.0;

/// Questions one a line: objects in JSON, or plain expressions. What is learned from a line helps the next.
#[derive(Debug, Default)]
pub struct Batch {
    /// The play where a line does not name it.
    pub play: Play,
    /// Whether remoteness is wanted.
    pub remoteness: bool,
    /// Whether it is told what each line took.
    pub stats: bool,
    /// Seconds for each line; ten where nothing is said.
    pub seconds: Option<f64>,
    /// What earlier lines have taught.
    solver: Solver,
}

/// The answer to a line, or what is wrong with it, in the contract's JSON.
#[derive(Clone, Debug)]
pub struct Line(Map<String, Value>);

impl Line {
    /// Whether the line was wrong, or its answer is not what it expects.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.0.contains_key("error") || self.0.get("expected") == Some(&json!(false))
    }

    /// Whether a limit has kept something back.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.0.get("status") == Some(&json!("partial"))
    }

    /// The object.
    #[must_use]
    pub fn into_json(self) -> Value {
        Value::Object(self.0)
    }
}

impl Batch {
    /// Answers a line. The time that `job` gives begins anew with it.
    pub fn answer(&mut self, content: &[u8], analyst: &Analyst, job: &Job) -> Line {
        let begun = Instant::now();
        job.give(self.seconds.unwrap_or(SECONDS));
        let mut out = Map::new();
        let request = match request(content, self.play) {
            Ok(request) => request,
            Err((id, diagnostic, source)) => {
                out.extend(id.map(|id| ("id".to_owned(), id)));
                if source.len() <= 1000 {
                    out.insert("game".into(), json!(source));
                }
                return Line(with_error(out, &diagnostic, &source));
            }
        };
        out.extend(request.id.clone().map(|id| ("id".to_owned(), id)));
        if let Some(seconds) = request.timeout {
            job.give(seconds);
        }
        let position = analyst.read(&request.game);
        let solved = position.and_then(|position| {
            let remoteness = self.remoteness;
            match known(&position, request.play, remoteness, &mut self.solver, job) {
                Err(Stop::Time) => Ok(partial(&position, request.play, &mut self.solver, job)),
                solved => Ok(solved?),
            }
        });
        let mut out = match solved {
            Ok(answer) => {
                out.extend(answer);
                if let Some(expected) = &request.expected {
                    let canonical = |text: &str| {
                        let position = analyst.read(text);
                        position.map_or_else(|_| text.to_owned(), |position| position.to_string())
                    };
                    expected.compare(&mut out, canonical);
                }
                out
            }
            Err(diagnostic) => {
                if request.game.len() <= 1000 {
                    out.insert("game".into(), json!(request.game));
                }
                with_error(out, &diagnostic, &request.game)
            }
        };
        if self.stats {
            let micros = begun.elapsed().as_micros() as f64;
            out.insert("stats".into(), json!({"ms": micros / 1000.0}));
        }
        Line(out)
    }
}

/// The answer to a line.
fn known(
    position: &Position,
    play: Play,
    remoteness: bool,
    solver: &mut Solver,
    job: &Job,
) -> Result<Map<String, Value>, Stop> {
    let limits = job.limits();
    let answer = match super::solution(position, play, remoteness, solver, &limits) {
        Err(Stop::Positions(_) | Stop::Memory(_)) => {
            // What earlier lines left in memory must not change the answer of this one.
            *solver = Solver::default();
            super::solution(position, play, remoteness, solver, &limits)
        }
        answer => answer,
    }?;
    Ok(answer::solution(position, play, &answer))
}

/// What is known when the time of a line is up: the position, and who wins if that needs no more time.
fn partial(position: &Position, play: Play, solver: &mut Solver, job: &Job) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("game".into(), json!(position.to_string()));
    out.insert("play".into(), json!(play.to_string()));
    if let Ok(solution) = solver.answer(position, play, Wanted::Outcome, &job.limits()) {
        out.insert("outcome".into(), json!(solution.verdict().to_string()));
    }
    out.insert("status".into(), json!("partial"));
    out
}

fn with_error(
    mut out: Map<String, Value>,
    diagnostic: &Diagnostic,
    source: &str,
) -> Map<String, Value> {
    if let Value::Object(error) = diagnostic::to_json(diagnostic, source) {
        out.extend(error);
    }
    out
}

/// A line of a batch.
struct Request {
    id: Option<Value>,
    game: String,
    play: Play,
    /// Seconds that the line may take.
    timeout: Option<f64>,
    expected: Option<Expected>,
}

#[expect(
    clippy::result_large_err,
    reason = "made once a line at most, and used at once"
)]
fn request(content: &[u8], play: Play) -> Result<Request, (Option<Value>, Diagnostic, String)> {
    let Ok(line) = std::str::from_utf8(content) else {
        return Err((
            None,
            Diagnostic::new(Kind::Encoding, "the line is not UTF-8"),
            String::new(),
        ));
    };
    if !line.starts_with('{') {
        return Ok(Request {
            id: None,
            game: line.to_owned(),
            play,
            timeout: None,
            expected: None,
        });
    }
    let refuse = |id, kind, message: String| (id, Diagnostic::new(kind, message), line.to_owned());
    let object: Map<String, Value> = serde_json::from_str(line).map_err(|error| {
        let column = error.column().saturating_sub(1).min(line.len());
        let place = (0..=column)
            .rev()
            .find(|&i| line.is_char_boundary(i))
            .unwrap_or(0);
        let diagnostic = Diagnostic::new(Kind::Syntax, "the line is not a JSON object")
            .help("write an object with the key \"game\", or a plain expression");
        (None, diagnostic.at(place..place), line.to_owned())
    })?;
    let id = object.get("id").cloned();
    let play = match object.get("play").map(|play| play.as_str()) {
        None => play,
        Some(Some("normal")) => Play::Normal,
        Some(Some("misere")) => Play::Misere,
        Some(_) => {
            let message = "`play` must be \"normal\" or \"misere\"".to_owned();
            return Err(refuse(id, Kind::Range, message));
        }
    };
    let timeout = match object.get("timeout").map(Value::as_f64) {
        None => None,
        Some(Some(seconds)) if seconds >= 0.0 => Some(seconds),
        Some(_) => {
            let message = "`timeout` must be a number of seconds from 0 on".to_owned();
            return Err(refuse(id, Kind::Range, message));
        }
    };
    let expected = object.get("expect").map(Expected::read).transpose();
    let expected = match expected {
        Ok(expected) => expected,
        Err(message) => return Err(refuse(id, Kind::Type, message)),
    };
    match object.get("game") {
        Some(Value::String(game)) => Ok(Request {
            id,
            game: game.clone(),
            play,
            timeout,
            expected,
        }),
        Some(_) => Err(refuse(id, Kind::Type, "`game` must be a string".to_owned())),
        None => Err(refuse(
            id,
            Kind::Syntax,
            "the key `game` is missing".to_owned(),
        )),
    }
}
