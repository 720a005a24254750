//! Positions one a line: an answer or an error for each.

use std::time::Instant;

use grundy::diagnostic::Cause;
use grundy::solve::Wanted;
use grundy::values::Work;
use grundy::{Diagnostic, Kind, Play, Position, Solution, Solver, Stop, message};
use grundy_notation::Language;
use grundy_notation::answer::SolutionView;
use grundy_notation::diagnostic::{DiagnosticView, ErrorView};
use serde::Serialize;
use serde_json::{Map, Value};

use super::expect::{Agreement, Expected};
use crate::analyst::Analyst;
use crate::growth;
use crate::job::Job;
use crate::keys::Keys;

/// Seconds that a line may take unless it is told otherwise.
const SECONDS: f64 = 10.0;

/// What is told of a position, what it is told from, and what has ended the work.
type Known = (SolutionView, Option<Solution>, Option<DiagnosticView>);

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
    /// The language of what is wrong with a line.
    pub language: Language,
    /// What earlier lines have taught.
    solver: Solver,
    /// What solvers that had to forget it all had done.
    forgotten: Work,
}

/// The answer to a line, or what is wrong with it: what is serialised is the contract's JSON.
#[derive(Clone, Debug, Serialize)]
pub struct BatchLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    #[serde(flatten)]
    said: Said,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Stats>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Said {
    Answer(Box<Answered>),
    Error {
        #[serde(skip_serializing_if = "Option::is_none")]
        game: Option<String>,
        #[serde(flatten)]
        error: ErrorView,
        #[serde(skip)]
        kind: Kind,
        #[serde(skip)]
        cause: Option<Cause>,
    },
}

#[derive(Clone, Debug, Serialize)]
struct Answered {
    #[serde(flatten)]
    solution: SolutionView,
    /// What ended the work early, and how far it had come.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<DiagnosticView>,
    #[serde(flatten)]
    agreement: Option<Agreement>,
    #[serde(skip)]
    components: Option<usize>,
}

/// What a line took.
#[derive(Clone, Debug, Serialize)]
struct Stats {
    ms: f64,
    /// Positions whose moves were looked at for this line, and heap values computed.
    positions: u64,
    /// What was answered from what this line or an earlier one has taught.
    table_hits: u64,
    /// Of the position, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    components: Option<usize>,
}

impl Said {
    fn error(diagnostic: &Diagnostic, source: &str, language: Language) -> Self {
        Self::Error {
            game: (source.len() <= 1000).then(|| source.to_owned()),
            error: ErrorView::told(diagnostic, source, language),
            kind: diagnostic.kind,
            cause: diagnostic.cause.clone(),
        }
    }
}

impl BatchLine {
    /// Whether the line was wrong, or its answer is not what it expects.
    #[must_use]
    pub fn failed(&self) -> bool {
        match &self.said {
            Said::Answer(answer) => answer.agreement.as_ref().is_some_and(Agreement::is_wrong),
            Said::Error { .. } => true,
        }
    }

    /// What is wrong with the line, if it has no answer.
    pub(crate) fn wrong(&self) -> Option<Kind> {
        match &self.said {
            Said::Answer(_) => None,
            Said::Error { kind, .. } => Some(*kind),
        }
    }

    /// The error behind what is wrong, where one was.
    #[must_use]
    pub fn cause(&self) -> Option<&Cause> {
        match &self.said {
            Said::Answer(_) => None,
            Said::Error { cause, .. } => cause.as_ref(),
        }
    }

    /// Whether a limit has kept something back.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        matches!(&self.said, Said::Answer(answer) if answer.solution.is_partial())
    }
}

impl Batch {
    /// Answers a line. The time that `job` gives begins anew with it.
    pub fn answer(&mut self, content: &[u8], analyst: &Analyst, job: &Job) -> BatchLine {
        let before = self.stats.then(|| self.work());
        let begun = Instant::now();
        job.give(self.seconds.unwrap_or(SECONDS));
        let (id, said) = match request(content, self.play) {
            Ok(mut request) => (request.id.take(), self.say(&request, analyst, job)),
            Err((id, diagnostic, source)) => (id, Said::error(&diagnostic, &source, self.language)),
        };
        let stats = before.map(|before| {
            let work = self.work();
            Stats {
                ms: begun.elapsed().as_micros() as f64 / 1000.0,
                positions: work.positions - before.positions,
                table_hits: work.hits - before.hits,
                components: match &said {
                    Said::Answer(answer) => answer.components,
                    Said::Error { .. } => None,
                },
            }
        });
        BatchLine { id, said, stats }
    }

    /// The work done for all lines so far.
    fn work(&self) -> Work {
        let mut work = self.forgotten;
        work += self.solver.work();
        work
    }

    /// Answers for a position that was read already, in the time that `job` has.
    pub fn solve(&mut self, position: &Position, play: Play, job: &Job) -> BatchLine {
        let said = match self.solved(position, play, job) {
            Ok((solution, _, stopped)) => Said::Answer(Box::new(Answered {
                solution,
                stopped,
                agreement: None,
                components: None,
            })),
            Err(error) => Said::error(&error, "", self.language),
        };
        BatchLine {
            id: None,
            said,
            stats: None,
        }
    }

    /// What is told of a position, what it is told from, and what has ended the work before all was known.
    fn solved(&mut self, position: &Position, play: Play, job: &Job) -> Result<Known, Diagnostic> {
        match self.known(position, play, job) {
            Ok(solution) => {
                let view = SolutionView::new(position, play, &solution);
                Ok((view, Some(solution), None))
            }
            Err(stop @ Stop::Time) => {
                let view = self.partial(position, play, job);
                let stopped = growth::of_stop(stop, position, job);
                let told = DiagnosticView::told(&stopped, &position.to_string(), self.language);
                Ok((view, None, Some(told)))
            }
            Err(stop) => Err(growth::of_stop(stop, position, job)),
        }
    }

    fn say(&mut self, request: &Request, analyst: &Analyst, job: &Job) -> Said {
        if let Some(seconds) = request.timeout {
            job.give(seconds);
        }
        let position = match analyst.read(&request.game) {
            Ok(position) => position,
            Err(diagnostic) => return self.wrong(&diagnostic, request),
        };
        let (view, solution, stopped) = match self.solved(&position, request.play, job) {
            Ok(known) => known,
            Err(error) => return self.wrong(&error, request),
        };
        let agreement = request.expected.as_ref().map(|expected| {
            let read = |text: &str| analyst.read(text).ok();
            expected.compare(&view, &position, solution.as_ref(), read)
        });
        Said::Answer(Box::new(Answered {
            solution: view,
            stopped,
            agreement,
            components: self.stats.then(|| position.component_count()),
        }))
    }

    fn wrong(&self, diagnostic: &Diagnostic, request: &Request) -> Said {
        Said::error(diagnostic, &request.game, self.language)
    }

    /// The answer to a line.
    fn known(&mut self, position: &Position, play: Play, job: &Job) -> Result<Solution, Stop> {
        let limits = job.limits();
        match super::solution(position, play, self.remoteness, &mut self.solver, &limits) {
            Err(Stop::Positions(_) | Stop::Memory(_)) => {
                // What earlier lines left in memory must not change the answer of this one.
                self.forgotten += self.solver.work();
                self.solver = Solver::default();
                super::solution(position, play, self.remoteness, &mut self.solver, &limits)
            }
            answer => answer,
        }
    }

    /// What is known when the time of a line is up: the position, and who wins if that needs no more time.
    fn partial(&mut self, position: &Position, play: Play, job: &Job) -> SolutionView {
        let limits = job.limits();
        let solution = self.solver.answer(position, play, Wanted::Outcome, &limits);
        let verdict = solution.ok().map(|known| known.verdict());
        SolutionView::partial(position, play, verdict)
    }
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
            Diagnostic::new(Kind::Encoding, message!("the line is not UTF-8")),
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
    let mut object: Map<String, Value> = serde_json::from_str(line).map_err(|error| {
        let column = error.column().saturating_sub(1).min(line.len());
        let place = (0..=column)
            .rev()
            .find(|&i| line.is_char_boundary(i))
            .unwrap_or(0);
        let diagnostic = Diagnostic::new(Kind::Syntax, message!("the line is not a JSON object"))
            .help(message!(
                "write an object with the key \"game\", or a plain expression"
            ));
        (None, diagnostic.at(place..place), line.to_owned())
    })?;
    let id = object.remove("id");
    let mut keys = Keys::of(object);
    let request = asked(&mut keys, play).map(|request| Request {
        id: id.clone(),
        ..request
    });
    request.map_err(|diagnostic| (id, diagnostic, line.to_owned()))
}

/// What the keys of a line ask.
fn asked(keys: &mut Keys, play: Play) -> Result<Request, Diagnostic> {
    let play = keys.play()?.unwrap_or(play);
    let timeout = keys.seconds("timeout")?;
    let expected = keys.take("expect").as_ref().map(Expected::read).transpose();
    let expected = expected.map_err(|message| Diagnostic::new(Kind::Type, message))?;
    Ok(Request {
        id: None,
        game: keys.needed("game")?,
        play,
        timeout,
        expected,
    })
}
