//! The contract's JSON, as data: what is serialised here is what every face prints.

use std::fmt::Display;
use std::io::{self, Write};

use grundy::solve::{GameValue, Status, Wanted};
use grundy::step::{Datum, Move, Step};
use grundy::values::loopy::Loopy;
use grundy::{Outcome, Play, Position, Solution, Verdict, Worth};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::{Language, words};

/// Bytes of a position in the notation; the moves of a longer one are given by `at`, without the
/// positions that they lead to.
pub(crate) const LONGEST: usize = 2_000;

/// Writes data as one line.
///
/// # Errors
/// What `out` fails with.
pub fn json_line(out: &mut dyn Write, data: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, data)?;
    writeln!(out)
}

/// What is serialised as it is printed.
#[derive(Clone, Debug, Default)]
pub struct Printed<T>(pub T);

impl<T: Display> Serialize for Printed<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

/// A text; nothing where it would be too long to be written out, or a limit keeps it back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Written(pub Option<String>);

/// Things by name, in this order; of two with one name the last.
#[derive(Clone, Debug)]
pub struct Named<'a, T>(pub Vec<(&'a str, T)>);

impl<T: Serialize> Serialize for Named<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(all) = self;
        let later = |at: usize, name: &str| all[at + 1..].iter().any(|(later, _)| *later == name);
        let last = all.iter().enumerate();
        let last = last.filter(|(at, (name, _))| !later(*at, name));
        to.collect_map(last.map(|(_, (name, of))| (name, of)))
    }
}

/// The answer object of `solve`, without `id`. What is not known has no key.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SolutionView {
    /// The position, in the notation.
    pub game: String,
    /// Normal or misère play.
    pub play: Printed<Play>,
    /// Who wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Printed<Verdict>>,
    /// The Grundy value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grundy: Option<ValueView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<Sides<Option<u32>>>,
    /// The genus, where it was asked for; nothing inside where a limit withholds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub genus: Option<Written>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
    /// The winning moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winning_moves: Option<Sides<Vec<MoveView>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<StepView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winning_moves_complete: Option<bool>,
    /// Keys that are left out, since they may take long: of the answer, and of winning moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<&'static str>,
}

impl SolutionView {
    /// What is known of a position.
    #[must_use]
    pub fn new(position: &Position, play: Play, solution: &Solution) -> Self {
        let beginnings = &solution.beginnings;
        let remoteness: Option<Vec<_>> = beginnings.iter().map(|begun| begun.remoteness).collect();
        let game = position.to_string();
        let is_long = game.len() > LONGEST;
        let moves = beginnings.iter().map(|beginning| {
            let moves = beginning.moves.iter().map(|winning| {
                let to = (!is_long).then(|| winning.to.to_string());
                MoveView {
                    step: winning.repeats.map(|repeats| repeats.step),
                    count: winning.repeats.map(|repeats| repeats.count),
                    ..MoveView::new(position, winning.component, &winning.mv, to)
                }
            });
            moves.collect()
        });
        let (grundy, value) = ValueView::of(solution.value.as_ref());
        let moves_listed = beginnings
            .iter()
            .any(|beginning| !beginning.moves.is_empty());
        let mut left_out = Vec::new();
        // Beside a theorem about the outcome the value is looked for, but not for long.
        if solution.theorem.is_some()
            && solution.value.is_none()
            && solution.wanted == Wanted::Moves
            && (play, solution.nature.is_impartial()) == (Play::Normal, true)
        {
            left_out.push("grundy");
        }
        if is_long && moves_listed {
            left_out.push("to");
        }
        let remarks = position.remarks();
        Self {
            outcome: Some(Printed(solution.verdict())),
            grundy,
            value,
            remoteness: remoteness.and_then(Sides::of),
            method: Some(solution.method),
            winning_moves: (solution.wanted == Wanted::Moves)
                .then(|| Sides::of(moves.collect()))
                .flatten(),
            remarks: remarks
                .map(|step| StepView::new(&step, Language::En))
                .collect(),
            winning_moves_complete: (!solution.moves_complete).then_some(false),
            left_out,
            status: solution.status.name(),
            game,
            play: Printed(play),
            ..Self::default()
        }
    }

    /// What is known of a position where a limit has ended the work: who wins, or not even that.
    #[must_use]
    pub fn partial(position: &Position, play: Play, verdict: Option<Verdict>) -> Self {
        Self {
            game: position.to_string(),
            play: Printed(play),
            outcome: verdict.map(Printed),
            status: Status::Partial.name(),
            ..Self::default()
        }
    }

    /// Returns whether a limit has kept something back.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.status == Status::Partial.name() || self.genus == Some(Written(None))
    }

    /// Returns whether all winning moves are listed.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.winning_moves_complete.is_none() && !self.is_partial()
    }
}

/// A Grundy value, or that of a game that need not end.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ValueView {
    /// A nimber.
    Nimber(u64),
    /// Infinity.
    Infinite {
        /// With this set.
        infinity: Vec<u64>,
    },
}

impl ValueView {
    /// What stands under `grundy` and what under `value`.
    #[must_use]
    pub fn of(value: Option<&GameValue>) -> (Option<Self>, Option<String>) {
        match value {
            Some(GameValue::Nimber(value)) => (Some(Self::Nimber(*value)), None),
            Some(GameValue::Infinity(set)) => {
                let infinity = set.clone();
                (Some(Self::Infinite { infinity }), None)
            }
            Some(GameValue::Short { text, .. }) => (None, Some(text.clone())),
            None => (None, None),
        }
    }
}

impl From<&Loopy> for ValueView {
    fn from(value: &Loopy) -> Self {
        match value {
            Loopy::Finite(value) => Self::Nimber(*value),
            Loopy::Infinite(set) => Self::Infinite {
                infinity: set.clone(),
            },
        }
    }
}

/// What there is for each player who may begin: alone where there is one, else by the names of the
/// players.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Sides<T> {
    /// For the player to move.
    Alone(T),
    /// For both.
    Both {
        /// Where Left begins.
        left: T,
        /// Where Right begins.
        right: T,
    },
}

impl<T> Sides<T> {
    fn of(of: Vec<T>) -> Option<Self> {
        match <[T; 2]>::try_from(of) {
            Ok([left, right]) => Some(Self::Both { left, right }),
            Err(mut of) => of.pop().map(Self::Alone),
        }
    }

    /// Returns whether something holds for one of them.
    pub fn any(&self, holds: impl Fn(&T) -> bool) -> bool {
        match self {
            Self::Alone(of) => holds(of),
            Self::Both { left, right } => holds(left) || holds(right),
        }
    }
}

/// A move: what it does, in English as everywhere in JSON, its `at`, and where it leads.
#[derive(Clone, Debug, Serialize)]
pub struct MoveView {
    #[serde(rename = "move")]
    action: String,
    at: Vec<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    component: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    /// The position after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

impl MoveView {
    /// Returns a move in a component of a position, and where it leads.
    #[must_use]
    pub fn new(position: &Position, component: usize, mv: &Move, to: Option<String>) -> Self {
        let (component, at) = position.place(component, &mv.at);
        Self {
            action: words(&mv.action, Language::En),
            at: at.to_vec(),
            component,
            step: None,
            count: None,
            to,
        }
    }
}

/// A step with its sentence.
#[derive(Clone, Debug, Serialize)]
pub struct StepView {
    code: &'static str,
    args: Map<String, Value>,
    text: String,
}

impl StepView {
    /// Returns the step, said in a language.
    #[must_use]
    pub fn new(step: &Step, language: Language) -> Self {
        let args = step.args.iter();
        Self {
            code: step.code,
            args: args
                .map(|(name, it)| ((*name).to_owned(), datum(it)))
                .collect(),
            text: words(step, language),
        }
    }
}

fn datum(it: &Datum) -> Value {
    match it {
        Datum::Int(n) => (*n).into(),
        Datum::Text(text) => text.as_str().into(),
        Datum::Bool(b) => (*b).into(),
        Datum::List(items) => items.iter().map(datum).collect(),
    }
}

/// Returns the code of the words for who wins.
#[must_use]
pub fn verdict_code(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Outcome(Outcome::N) => "outcome_n",
        Verdict::Outcome(Outcome::P) => "outcome_p",
        Verdict::Outcome(Outcome::D) => "outcome_d",
        Verdict::Worth(Worth::Win) => "value_win",
        Verdict::Worth(Worth::Tie) => "value_tie",
        Verdict::Worth(Worth::Lose) => "value_lose",
        Verdict::Class(class) => class.of([
            "class_l",
            "class_r",
            "class_n",
            "class_p",
            "class_ld",
            "class_rd",
            "class_dl",
            "class_dr",
            "outcome_d",
        ]),
    }
}
