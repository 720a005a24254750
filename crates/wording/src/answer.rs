//! Data structures for the documented JSON, which every interface serializes.

use std::fmt::Display;
use std::io::{self, Write};

use grundy_core::solve::{Detail, GameValue, Grounds, Status};
use grundy_core::step::{Datum, Move, Step};
use grundy_core::values::loopy::Loopy;
use grundy_core::{Outcome, PayoffResult, Play, Position, Solution, Verdict};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::diagnostic::DiagnosticView;
use crate::{Language, words};

/// Length limit of a position in bytes. The moves of a shorter position are listed with the
/// resulting positions. For a longer position, the list contains only the text and the integers
/// `at` of each move.
pub(crate) const MAX_POSITION_BYTES: usize = 2_000;

/// Writes data as JSON, on one line.
///
/// # Errors
/// The error of `out`.
///
/// # Examples
/// ```
/// use grundy_wording::answer::json_line;
/// let mut out = Vec::new();
/// json_line(&mut out, &[[3, 4], [3, 5]])?;
/// assert_eq!(out, b"[[3,4],[3,5]]\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn json_line(out: &mut dyn Write, data: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, data)?;
    writeln!(out)
}

/// A value that is serialized as its `Display` text.
#[derive(Clone, Debug, Default)]
pub struct DisplayText<T>(pub T);

impl<T: Display> Serialize for DisplayText<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

/// A text that may be missing. If the text is too long or could not be computed within a limit, it
/// is missing, and is serialized as `null`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OptionalText(pub Option<String>);

/// A JSON object whose entries are serialized in the given order. If several entries have the same
/// name, only the last of them is serialized.
#[derive(Clone, Debug)]
pub struct OrderedMap<'a, T>(pub Vec<(&'a str, T)>);

impl<T: Serialize> Serialize for OrderedMap<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(entries) = self;
        // This takes quadratic time, but an answer has few keys. A duplicate key would make the
        // JSON ambiguous.
        let later =
            |at: usize, name: &str| entries[at + 1..].iter().any(|(later, _)| *later == name);
        let last = entries.iter().enumerate();
        let last = last.filter(|(at, (name, _))| !later(*at, name));
        to.collect_map(last.map(|(_, (name, value))| (name, value)))
    }
}

/// The answer of `solve`, without the key `id` that an answer in a batch has. A quantity that is
/// not known is omitted.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SolutionView {
    /// The position, in the notation.
    pub game: String,
    /// Normal or misère play.
    pub play: DisplayText<Play>,
    /// The outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<DisplayText<Verdict>>,
    /// The Grundy value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grundy: Option<ValueView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<PerFirstPlayer<Option<u32>>>,
    /// The genus, if it was requested. It is serialized as `null` if it could not be computed
    /// within a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub genus: Option<OptionalText>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
    /// The winning moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winning_moves: Option<PerFirstPlayer<Vec<MoveView>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<StepView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winning_moves_complete: Option<bool>,
    /// The limit that ended the search before the answer was complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stopped: Option<Box<DiagnosticView>>,
    /// Names of keys that are omitted in the answer or in its winning moves. Their values may take
    /// long to compute, or may be very long.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<&'static str>,
}

impl SolutionView {
    /// Creates the answer for a position that has been solved.
    ///
    /// ```
    /// use grundy_core::{Limits, Play, Solver};
    /// use grundy_notation::read_position;
    /// use grundy_wording::answer::SolutionView;
    /// let position = read_position("nim(3, 4, 5)")?;
    /// let solution = Solver::default().solve(&position, Play::Normal, &Limits::default())?;
    /// let view = SolutionView::new(&position, Play::Normal, &solution);
    /// let json = serde_json::to_value(&view)?;
    /// assert_eq!((&json["outcome"], &json["grundy"]), (&"N".into(), &2.into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(position: &Position, play: Play, solution: &Solution) -> Self {
        let beginnings = &solution.beginnings;
        let remoteness: Option<Vec<_>> = beginnings
            .iter()
            .map(|beginning| beginning.remoteness)
            .collect();
        let game = position.to_string();
        // A long position has many winning moves, each with a long resulting position. Together
        // their length would be quadratic.
        let is_long = game.len() > MAX_POSITION_BYTES;
        let moves = beginnings.iter().map(|beginning| {
            let moves = beginning.moves.iter().map(|winning| {
                let to = (!is_long).then(|| winning.to.to_string());
                MoveView {
                    step: winning.repeats.map(|repeats| repeats.step),
                    count: winning.repeats.map(|repeats| repeats.count),
                    remoteness: winning.remoteness,
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
        if leaves_out_value(play, solution) {
            left_out.push("grundy");
        }
        if is_long && moves_listed {
            left_out.push("to");
        }
        let remarks = position.remarks();
        Self {
            outcome: Some(DisplayText(solution.verdict())),
            grundy,
            value,
            remoteness: remoteness.and_then(PerFirstPlayer::of),
            method: Some(solution.method),
            winning_moves: (solution.wanted == Detail::Moves)
                .then(|| PerFirstPlayer::of(moves.collect()))
                .flatten(),
            // Programs read the JSON, so the remarks are in English whatever the reader's language.
            remarks: remarks
                .map(|step| StepView::new(&step, Language::En))
                .collect(),
            winning_moves_complete: (!solution.moves_complete).then_some(false),
            left_out,
            status: solution.status.name(),
            game,
            play: DisplayText(play),
            ..Self::default()
        }
    }

    /// Creates the answer for a position that was not solved because a limit was reached. The
    /// outcome may be known.
    ///
    /// ```
    /// use grundy_core::{Outcome, Play, Verdict};
    /// use grundy_notation::read_position;
    /// use grundy_wording::answer::SolutionView;
    /// let chomp = read_position("chomp(9, 9, 9)")?;
    /// let verdict = Verdict::Outcome(Outcome::N);
    /// let view = SolutionView::partial(&chomp, Play::Normal, Some(verdict));
    /// let json = serde_json::to_value(&view)?;
    /// assert_eq!((&json["outcome"], &json["status"]), (&"N".into(), &"partial".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn partial(position: &Position, play: Play, verdict: Option<Verdict>) -> Self {
        Self {
            game: position.to_string(),
            play: DisplayText(play),
            outcome: verdict.map(DisplayText),
            status: Status::Partial.name(),
            ..Self::default()
        }
    }

    /// Returns whether a limit was reached, so that part of the answer is missing.
    ///
    /// ```
    /// use grundy_core::{Limits, Play, Solver};
    /// use grundy_notation::read_position;
    /// use grundy_wording::answer::SolutionView;
    /// let nim = read_position("nim(3, 4)")?;
    /// assert!(SolutionView::partial(&nim, Play::Normal, None).is_partial());
    /// let solution = Solver::default().solve(&nim, Play::Normal, &Limits::default())?;
    /// assert!(!SolutionView::new(&nim, Play::Normal, &solution).is_partial());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.status == Status::Partial.name() || self.genus == Some(OptionalText(None))
    }

    /// Returns whether all winning moves are listed.
    ///
    /// ```
    /// use grundy_core::{Limits, Play, Solver};
    /// use grundy_notation::read_position;
    /// use grundy_wording::answer::SolutionView;
    /// let nim = read_position("nim(3, 4)")?;
    /// assert!(!SolutionView::partial(&nim, Play::Normal, None).is_complete());
    /// let solution = Solver::default().solve(&nim, Play::Normal, &Limits::default())?;
    /// assert!(SolutionView::new(&nim, Play::Normal, &solution).is_complete());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.winning_moves_complete.is_none() && !self.is_partial()
    }
}

/// Returns whether the answer lacks a Grundy value that the position may have. If a theorem gives
/// the outcome, or the nearest positions decide it, the solver does not search for the value.
pub(crate) fn leaves_out_value(play: Play, solution: &Solution) -> bool {
    let is_missing = match solution.grounds {
        Grounds::Nearest => solution.wanted != Detail::Outcome,
        _ => solution.theorem.is_some() && solution.wanted == Detail::Moves,
    };
    is_missing
        && solution.value.is_none()
        && (play, solution.nature.is_impartial()) == (Play::Normal, true)
}

/// A Grundy value. In a game with cycles it may be infinite.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ValueView {
    /// A finite value, which is a nimber.
    Nimber(u64),
    /// An infinite value, which occurs only in games with cycles.
    Infinite {
        /// The finite values of the options.
        infinity: Vec<u64>,
    },
}

impl ValueView {
    /// Returns the values of the JSON keys `grundy` and `value` in an answer. The key `grundy` is
    /// for the Grundy value of an impartial game, and `value` for the value of a partizan game. At
    /// most one of the two has a value.
    ///
    /// ```
    /// use grundy_core::solve::GameValue;
    /// use grundy_wording::answer::ValueView;
    /// let (grundy, value) = ValueView::of(Some(&GameValue::Infinity(vec![0, 2])));
    /// assert_eq!(serde_json::to_string(&grundy)?, r#"{"infinity":[0,2]}"#);
    /// assert_eq!(value, None);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
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

/// A quantity that may depend on the player who moves first. A quantity that cannot depend on that
/// player is stored once.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum PerFirstPlayer<T> {
    /// The quantity, if it cannot depend on the player who moves first.
    Single(T),
    /// The quantities for both players, if they may differ.
    Both {
        /// The quantity if Left moves first.
        left: T,
        /// The quantity if Right moves first.
        right: T,
    },
}

impl<T> PerFirstPlayer<T> {
    fn of(quantities: Vec<T>) -> Option<Self> {
        // There are two entries if the quantity may depend on the player who moves first. The first
        // entry is that for Left.
        match <[T; 2]>::try_from(quantities) {
            Ok([left, right]) => Some(Self::Both { left, right }),
            Err(mut quantities) => quantities.pop().map(Self::Single),
        }
    }

    /// Returns whether `predicate` is true for at least one of the quantities.
    ///
    /// ```
    /// use grundy_wording::answer::PerFirstPlayer;
    /// let winning_moves = PerFirstPlayer::Both { left: 3, right: 0 };
    /// assert!(winning_moves.any(|&count| count == 0));
    /// assert!(!PerFirstPlayer::Single(3).any(|&count| count == 0));
    /// ```
    pub fn any(&self, predicate: impl Fn(&T) -> bool) -> bool {
        match self {
            Self::Single(quantity) => predicate(quantity),
            Self::Both { left, right } => predicate(left) || predicate(right),
        }
    }
}

/// A move: its description, the integers `at` that identify it, and the resulting position. The
/// description is in English, since programs read it.
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
    /// The resulting position, unless it would be too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The remoteness of the resulting position, if it was requested; `null` for a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remoteness: Option<Option<u32>>,
}

impl MoveView {
    /// Creates the description of a move in one component of a position.
    ///
    /// ```
    /// use grundy_core::{Limits, Play, Solver};
    /// use grundy_notation::read_position;
    /// use grundy_wording::answer::MoveView;
    /// let position = read_position("nim(3, 4, 5)")?;
    /// let solution = Solver::default().solve(&position, Play::Normal, &Limits::default())?;
    /// let winning = &solution.beginnings[0].moves[0];
    /// let view = MoveView::new(&position, winning.component, &winning.mv, None);
    /// assert_eq!(serde_json::to_string(&view)?, r#"{"move":"take 2 from heap 1","at":[0,1]}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(position: &Position, component: usize, mv: &Move, to: Option<String>) -> Self {
        let (component, at) = position.locate_move(component, &mv.at);
        Self {
            action: words(&mv.action, Language::En),
            at: at.to_vec(),
            component,
            step: None,
            count: None,
            to,
            remoteness: None,
        }
    }
}

/// A step of an explanation, with its sentence in one language.
#[derive(Clone, Debug, Serialize)]
pub struct StepView {
    code: &'static str,
    args: Map<String, Value>,
    text: String,
}

impl StepView {
    /// Creates the JSON of a step of an explanation, with its sentence in `language`.
    ///
    /// ```
    /// use grundy_core::step::Step;
    /// use grundy_wording::{Language, answer::StepView};
    /// let step = Step::new("play_hint_hot").with("temperature", "3/4");
    /// let json = serde_json::to_value(StepView::new(&step, Language::En))?;
    /// assert_eq!(json["args"]["temperature"], "3/4");
    /// assert_eq!(json["text"], "The temperature is 3/4, which is about what a move gains.");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn new(step: &Step, language: Language) -> Self {
        let args = step.args.iter();
        Self {
            code: step.code,
            args: args
                .map(|(name, argument)| ((*name).to_owned(), datum(argument)))
                .collect(),
            text: words(step, language),
        }
    }
}

fn datum(argument: &Datum) -> Value {
    match argument {
        Datum::Int(n) => (*n).into(),
        Datum::Text(text) => text.as_str().into(),
        Datum::Bool(b) => (*b).into(),
        Datum::List(items) => items.iter().map(datum).collect(),
    }
}

/// Returns the code of the sentence that states a verdict. The sentences in each language are
/// stored by their codes.
///
/// ```
/// use grundy_core::{Outcome, OutcomeClass, Verdict};
/// use grundy_wording::answer::verdict_code;
/// use grundy_wording::{Language, phrase};
/// assert_eq!(verdict_code(Verdict::Outcome(Outcome::P)), "outcome_p");
/// let sentence = phrase(verdict_code(Verdict::Class(OutcomeClass::L)), Language::En);
/// assert_eq!(sentence, "L: Left wins, whoever moves first");
/// ```
#[must_use]
pub fn verdict_code(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Outcome(Outcome::N) => "outcome_n",
        Verdict::Outcome(Outcome::P) => "outcome_p",
        Verdict::Outcome(Outcome::D) => "outcome_d",
        Verdict::Payoff(PayoffResult::Win) => "value_win",
        Verdict::Payoff(PayoffResult::Tie) => "value_tie",
        Verdict::Payoff(PayoffResult::Lose) => "value_lose",
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
