//! Questions one a line: an answer or an error for each.

mod expect;

use grundy::diagnostic::Cause;
use grundy::solve::Wanted;
use grundy::{Diagnostic, Kind, Play, Position, Solution, Stop, message};
use grundy_notation::Language;
use grundy_notation::answer::SolutionView;
use grundy_notation::diagnostic::{DiagnosticView, ErrorView};
use serde::Serialize;
use serde_json::{Map, Value};

use self::expect::{Agreement, ExpectedSolution, ExpectedValue};
use crate::analyst::Analyst;
use crate::growth;
use crate::job::Job;
use crate::keys::Keys;
use crate::learned::Learned;
use crate::probe::{OpenTable, Probed};
use crate::question::Telling;
use crate::request::telling;
use crate::solve::{check_genus, genus as told_genus, solution};
use crate::value::misere::{self, refusal as no_value_in_misere};
use crate::value::{Valued, ValuedInMisere, refusal, valued};

/// Seconds that a line may take unless it is told otherwise.
const SECONDS: f64 = 10.0;

/// What is told of a position, what it is told from, and what has ended the work.
type Known = (SolutionView, Option<Solution>, Option<DiagnosticView>);

/// Questions one a line: objects in JSON, or plain expressions. What is learned from a line helps the next.
#[derive(Debug, Default)]
pub struct Batch {
    /// What is asked of each position.
    pub asks: Asks,
    /// Whether it is told what each line took.
    pub stats: bool,
    /// Seconds for each line; ten where nothing is said.
    pub seconds: Option<f64>,
    /// The language of what is wrong with a line.
    pub language: Language,
    /// The tablebase that is asked.
    pub table: Option<OpenTable>,
    /// What earlier lines have taught.
    learned: Learned,
}

/// What is asked of each position of a batch, where its line says nothing else.
#[derive(Clone, Debug)]
pub enum Asks {
    /// Who wins, with what value, by which moves.
    Solution(Extent),
    /// What it is worth, and how that is told.
    Value(Telling),
    /// What the open tablebase knows of it, and of the positions one move away where `moves` are wanted.
    Record {
        /// Normal or misère play.
        play: Play,
        /// Whether the moves are looked up, too.
        moves: bool,
    },
}

/// How much of a solution is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extent {
    /// Normal or misère play.
    pub play: Play,
    /// How much of it.
    pub wanted: Wanted,
    /// Whether remoteness is wanted.
    pub remoteness: bool,
    /// Whether the genus is wanted, in misère play.
    pub genus: bool,
}

impl Default for Asks {
    fn default() -> Self {
        Self::Solution(Extent::default())
    }
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
    told: Told,
    /// What ended the work early, and how far it had come.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<DiagnosticView>,
    #[serde(flatten)]
    agreement: Option<Agreement>,
    #[serde(skip)]
    components: Option<usize>,
}

/// What is told of a position.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Told {
    Solution(Box<SolutionView>),
    Value(Valued),
    ValueInMisere(ValuedInMisere),
    Record(Probed),
}

impl Told {
    fn is_partial(&self) -> bool {
        match self {
            Self::Solution(view) => view.is_partial(),
            Self::Value(valued) => valued.stopped.is_some(),
            Self::ValueInMisere(valued) => valued.stopped.is_some(),
            Self::Record(_) => false,
        }
    }
}

/// What a line took.
#[derive(Clone, Debug, Serialize)]
struct Stats {
    ms: f64,
    #[serde(flatten)]
    work: Option<Work>,
    /// Of the position, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    components: Option<usize>,
}

/// What was looked at for a line, where something is worked out.
#[derive(Clone, Debug, Serialize)]
struct Work {
    /// Positions whose moves were looked at for this line, and heap values computed.
    positions: u64,
    /// What was answered from what this line or an earlier one has taught.
    table_hits: u64,
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

    /// Milliseconds that the line took, where it is told.
    #[must_use]
    pub fn milliseconds(&self) -> Option<f64> {
        self.stats.as_ref().map(|stats| stats.ms)
    }

    /// Whether a limit has kept something back.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        matches!(&self.said, Said::Answer(answer) if answer.told.is_partial())
    }
}

impl Batch {
    /// Answers a line. The time that `job` gives begins anew with it.
    pub fn answer(&mut self, content: &[u8], analyst: &Analyst, job: &Job) -> BatchLine {
        let before = self.stats.then(|| self.learned.work());
        let begun = job.now();
        job.give(self.seconds.unwrap_or(SECONDS));
        let (id, said) = match request(content, &self.asks) {
            Ok(mut request) => (request.id.take(), self.say(&request, analyst, job)),
            Err((id, diagnostic, source)) => (id, Said::error(&diagnostic, &source, self.language)),
        };
        let stats = before.map(|before| {
            let work = self.learned.work();
            Stats {
                ms: job.since(begun).as_micros() as f64 / 1000.0,
                work: self.table.is_none().then(|| Work {
                    positions: work.positions - before.positions,
                    table_hits: work.hits - before.hits,
                }),
                components: match &said {
                    Said::Answer(answer) => answer.components,
                    Said::Error { .. } => None,
                },
            }
        });
        self.learned.tidy(&job.limits());
        BatchLine { id, said, stats }
    }

    /// Solves a position that was read already, in the time that `job` has.
    pub fn solve(&mut self, position: &Position, play: Play, job: &Job) -> BatchLine {
        let usual = match self.asks {
            Asks::Solution(extent) => extent,
            Asks::Value(_) | Asks::Record { .. } => Extent::default(),
        };
        let said = match self.solved(position, Extent { play, ..usual }, job) {
            Ok((view, _, stopped)) => Said::Answer(Box::new(Answered {
                told: Told::Solution(Box::new(view)),
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
    fn solved(
        &mut self,
        position: &Position,
        extent: Extent,
        job: &Job,
    ) -> Result<Known, Diagnostic> {
        let Extent {
            play,
            wanted,
            remoteness,
            genus,
        } = extent;
        check_genus(genus, play)?;
        let limits = job.limits();
        let known = self.learned.ask(|learned| {
            let solver = &mut learned.solver;
            solution(position, play, wanted, remoteness, solver, &limits)
        });
        match known {
            Ok(solution) => {
                let solver = &mut self.learned.solver;
                let genus = genus.then(|| told_genus(position, solver, &limits));
                let mut view = SolutionView::new(position, play, &solution);
                view.genus = genus.transpose().map_err(no_value_in_misere)?;
                Ok((view, Some(solution), None))
            }
            Err(stop @ Stop::Time) => {
                // The position, and who wins if that needs no more time.
                let solver = &mut self.learned.solver;
                let quickly = solver.answer(position, play, Wanted::Outcome, &limits);
                let verdict = quickly.ok().map(|known| known.verdict());
                let view = SolutionView::partial(position, play, verdict);
                let stopped = growth::of_stop(stop, None, position, job);
                let told = DiagnosticView::told(&stopped, &position.to_string(), self.language);
                Ok((view, None, Some(told)))
            }
            Err(stop) => Err(growth::of_stop(stop, None, position, job)),
        }
    }

    fn say(&mut self, request: &Request, analyst: &Analyst, job: &Job) -> Said {
        if let Some(seconds) = request.timeout {
            job.give(seconds);
        }
        if let LineAsks::Record { play, moves } = request.asks {
            return self.record(&request.game, play, moves, job);
        }
        let said = analyst.read(&request.game).and_then(|position| {
            let components = self.stats.then(|| position.component_count());
            let (told, stopped, agreement) = match &request.asks {
                LineAsks::Solution { extent, expected } => {
                    let (view, solution, stopped) = self.solved(&position, *extent, job)?;
                    let agreement = expected.as_ref().map(|expected| {
                        let read = |text: &str| analyst.read(text).ok();
                        expected.compare(&view, &position, solution.as_ref(), read)
                    });
                    (Told::Solution(Box::new(view)), stopped, agreement)
                }
                LineAsks::Value { telling, expected } if telling.play == Play::Misere => {
                    telling.check()?;
                    let learned = &mut self.learned;
                    let valued = misere::valued(&position, telling, learned, job)
                        .map_err(no_value_in_misere)?;
                    let stopped = valued.stopped(self.language);
                    let agreement = expected.as_ref();
                    let agreement = agreement.map(|expected| expected.compare_in_misere(&valued));
                    let agreement = agreement.transpose()?;
                    (Told::ValueInMisere(valued), stopped, agreement)
                }
                LineAsks::Value { telling, expected } => {
                    telling.check()?;
                    let (valued, form) =
                        valued(&position, telling, &mut self.learned, job).map_err(refusal)?;
                    let stopped = valued.stopped(self.language);
                    let agreement = expected.as_ref().map(|expected| {
                        let forms = &mut self.learned.solver.short_values().theory.forms;
                        expected.compare(&valued, form, forms, &job.limits())
                    });
                    (Told::Value(valued), stopped, agreement)
                }
                LineAsks::Record { .. } => return Err(no_table()),
            };
            Ok(Answered {
                told,
                stopped,
                agreement,
                components,
            })
        });
        match said {
            Ok(answered) => Said::Answer(Box::new(answered)),
            Err(diagnostic) => Said::error(&diagnostic, &request.game, self.language),
        }
    }

    /// What the tablebase knows of a position.
    fn record(&mut self, game: &str, play: Play, moves: bool, job: &Job) -> Said {
        let table = self.table.as_mut().ok_or_else(no_table);
        match table.and_then(|table| table.probe(game, play, moves, job)) {
            Ok(probed) => Said::Answer(Box::new(Answered {
                told: Told::Record(probed),
                stopped: None,
                agreement: None,
                components: None,
            })),
            Err(diagnostic) => Said::error(&diagnostic, game, self.language),
        }
    }
}

fn no_table() -> Diagnostic {
    Diagnostic::new(Kind::Internal, message!("no tablebase is open"))
}

/// A line of a batch.
struct Request {
    id: Option<Value>,
    game: String,
    /// Seconds that the line may take.
    timeout: Option<f64>,
    asks: LineAsks,
}

/// What a line asks, and what it expects.
enum LineAsks {
    Solution {
        extent: Extent,
        expected: Option<ExpectedSolution>,
    },
    Value {
        telling: Telling,
        expected: Option<ExpectedValue>,
    },
    Record {
        play: Play,
        moves: bool,
    },
}

impl LineAsks {
    /// What a line asks that says nothing itself.
    fn plain(asks: &Asks) -> Self {
        match asks {
            Asks::Solution(extent) => Self::Solution {
                extent: *extent,
                expected: None,
            },
            Asks::Value(telling) => Self::Value {
                telling: telling.clone(),
                expected: None,
            },
            Asks::Record { play, moves } => Self::Record {
                play: *play,
                moves: *moves,
            },
        }
    }
}

#[expect(
    clippy::result_large_err,
    reason = "made once a line at most, and used at once"
)]
fn request(content: &[u8], asks: &Asks) -> Result<Request, (Option<Value>, Diagnostic, String)> {
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
            timeout: None,
            asks: LineAsks::plain(asks),
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
    let request = asked(&mut keys, asks).map(|request| Request {
        id: id.clone(),
        ..request
    });
    request.map_err(|diagnostic| (id, diagnostic, line.to_owned()))
}

/// What the keys of a line ask.
fn asked(keys: &mut Keys, asks: &Asks) -> Result<Request, Diagnostic> {
    let timeout = keys.seconds("timeout")?;
    let expect = match asks {
        Asks::Record { .. } => None,
        Asks::Solution(_) | Asks::Value(_) => keys.take("expect"),
    };
    let wrong = |message| Diagnostic::new(Kind::Type, message);
    let asks = match asks {
        Asks::Solution(usual) => {
            let expected = expect.as_ref().map(ExpectedSolution::read).transpose();
            let expected = expected.map_err(wrong)?;
            // Whoever expects moves wants to have them looked for.
            let moves = expected.as_ref().is_some_and(ExpectedSolution::names_moves);
            let extent = Extent {
                play: keys.play()?.unwrap_or(usual.play),
                wanted: if moves { Wanted::Moves } else { usual.wanted },
                genus: keys.flag("genus")? || usual.genus,
                ..*usual
            };
            LineAsks::Solution { extent, expected }
        }
        Asks::Value(usual) => {
            let expected = expect.as_ref().map(ExpectedValue::read).transpose();
            LineAsks::Value {
                telling: telling(keys, usual)?,
                expected: expected?,
            }
        }
        Asks::Record { play, moves } => LineAsks::Record {
            play: keys.play()?.unwrap_or(*play),
            moves: *moves,
        },
    };
    Ok(Request {
        id: None,
        game: keys.needed("game")?,
        timeout,
        asks,
    })
}
