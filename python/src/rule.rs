//! Rules that consist of Python callables, and their positions.

use std::any::Any;
use std::sync::Arc;

use grundy_core::dynamic::{
    DynamicGame, DynamicMove, DynamicPosition, DynamicRules, MoveResult, endless_of,
};
use grundy_core::heap::Membership;
use grundy_core::ruleset::literal::Game;
use grundy_core::ruleset::{Ends, Moves, Nature};
use grundy_core::{Diagnostic, Kind, Message, PayoffResult, Player, Position, Stop, Term, message};
use grundy_rules::{Allowance, RuleFile};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple};

use crate::failure::exception;
use crate::native_position::NativePosition;
use crate::python_value::{PythonValue, to_python};

/// Largest depth of nested tuples and lists in a position.
const MAX_DEPTH: usize = 50;

/// Largest number of moves of a position. Without this limit, a generator that yields moves forever
/// would never end.
const MOST_MOVES: usize = 10_000_000;

/// Converts a Python value to a position.
///
/// Integers, strings, and tuples and lists of them become the same types as in a rule file. Any
/// other value must be hashable, and is stored as a Python object.
fn to_position(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<DynamicPosition> {
    if depth > MAX_DEPTH {
        let message = format!("a position is nested more than {MAX_DEPTH} deep");
        return Err(PyValueError::new_err(message));
    }
    // Only exact types are converted. An instance of a subclass, such as `True` or an enum member,
    // would later be returned to the rules as a plain integer.
    if value.is_exact_instance_of::<PyInt>()
        && let Ok(number) = value.extract::<i128>()
        && let Some(place) = DynamicPosition::integer(number)
    {
        return Ok(place);
    }
    if let Ok(text) = value.cast_exact::<PyString>()
        && let Ok(text) = text.to_str()
    {
        return Ok(DynamicPosition::text(text));
    }
    if let Ok(tuple) = value.cast_exact::<PyTuple>() {
        let parts = tuple.iter().map(|part| to_position(&part, depth + 1));
        let parts: Vec<DynamicPosition> = parts.collect::<PyResult<_>>()?;
        // If an element of a tuple is a foreign object, so is the whole tuple. The rules later get
        // the same tuple with the same elements.
        if !parts
            .iter()
            .any(|part| matches!(part, DynamicPosition::Foreign(_)))
        {
            return Ok(DynamicPosition::tuple(parts));
        }
    }
    if let Ok(list) = value.cast_exact::<PyList>() {
        let parts = list.iter().map(|part| to_position(&part, depth + 1));
        let parts: Vec<DynamicPosition> = parts.collect::<PyResult<_>>()?;
        if !parts
            .iter()
            .any(|part| matches!(part, DynamicPosition::Foreign(_)))
        {
            return Ok(DynamicPosition::list(parts));
        }
        // Unlike a tuple, a list is not hashable, so it cannot be stored as an object.
        return Err(PyTypeError::new_err(
            "a list used as a position may contain only integers, strings, tuples and lists: use a tuple",
        ));
    }
    if value.is_instance_of::<NativePosition>() {
        return Err(PyTypeError::new_err(
            "a rule must return positions of the same game",
        ));
    }
    let code = value.hash().map_err(|error| {
        let message = format!("a position must be hashable: {}", error.value(value.py()));
        PyTypeError::new_err(message)
    })?;
    let object = value.clone().unbind();
    let code = code as u64;
    Ok(DynamicPosition::Foreign(Arc::new(PythonValue {
        object,
        code,
    })))
}

/// A sum of positions that a move leads to. A rule returns it as `sum_of([p, q])`.
#[pyclass(frozen, module = "grundy._native")]
#[derive(Debug)]
pub(crate) struct Sum {
    parts: Vec<Py<PyAny>>,
}

#[pymethods]
impl Sum {
    #[new]
    fn new(parts: Vec<Py<PyAny>>) -> Self {
        Self { parts }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let list = PyList::new(py, &self.parts)?;
        Ok(format!("sum_of({})", list.repr()?))
    }
}

/// The Python functions of a user-defined game that return the moves of a position.
#[derive(Debug)]
enum MoveCallables {
    Impartial(Py<PyAny>),
    Partizan { left: Py<PyAny>, right: Py<PyAny> },
}

/// The rules of a user-defined game as Python functions, with the name of the game.
#[derive(Debug)]
struct Callables {
    name: String,
    moves: MoveCallables,
    value: Option<Py<PyAny>>,
    /// The player who wins a play that never ends.
    endless: Option<Player>,
}

/// Calls a Python function of the rules with a position, and converts its result with `read`. Error
/// messages contain `callable_name`, the name of the function.
fn call_rule<T>(
    function: &Py<PyAny>,
    callable_name: &str,
    place: &DynamicPosition,
    read: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
) -> Result<T, Stop> {
    Python::attach(|py| {
        let argument = to_python(py, place);
        let returned = argument.and_then(|argument| function.bind(py).call1((argument,)));
        let error = match returned {
            // If the rule itself raised an exception, the same exception is later raised again.
            Err(error) => {
                add_note(py, &error, place);
                let message = message!(
                    "{name}({place}): {what}",
                    name = callable_name,
                    place,
                    what = error.value(py)
                );
                Diagnostic::new(Kind::IllegalPosition, message).with_cause(error)
            }
            Ok(returned) => match read(&returned) {
                Ok(read) => return Ok(read),
                Err(error) => result_error(py, callable_name, place, error),
            },
        };
        Err(Stop::Rules(Arc::new(error)))
    })
}

/// The numbers for which a Python callable is true.
#[derive(Debug)]
pub(crate) struct CallableSet {
    name: String,
    callable: Py<PyAny>,
}

impl CallableSet {
    /// Creates the set of a callable. Its name in texts is that of the callable, if it is one.
    pub(crate) fn new(callable: &Bound<'_, PyAny>) -> Self {
        let name = callable.getattr("__name__");
        let name = name.and_then(|name| name.extract::<String>());
        let is_name = |name: &String| {
            let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
            name.chars().all(letters) && name.starts_with(|c: char| !c.is_ascii_digit())
        };
        Self {
            name: name
                .ok()
                .filter(is_name)
                .unwrap_or_else(|| "allowed".to_owned()),
            callable: callable.clone().unbind(),
        }
    }
}

impl Membership for CallableSet {
    fn name(&self) -> &str {
        &self.name
    }

    fn contains(&self, number: u64) -> Result<bool, Stop> {
        let number = i128::from(number);
        let place = DynamicPosition::integer(number).expect("a number of chips has 64 bits");
        call_rule(&self.callable, &self.name, &place, |returned| {
            returned.is_truthy()
        })
    }

    fn same(&self, other: &dyn Membership) -> bool {
        let other: &dyn Any = other;
        let other = other.downcast_ref::<Self>();
        other.is_some_and(|other| self.callable.as_ptr() == other.callable.as_ptr())
    }
}

/// Adds a note to a `TypeError` of a rule that was called with a tuple of integers. The cause is
/// usually a function of several arguments, or a tuple that was meant as a sum.
fn add_note(py: Python<'_>, error: &PyErr, place: &DynamicPosition) {
    let DynamicPosition::Tuple(parts) = place else {
        return;
    };
    let numbers = parts
        .iter()
        .all(|part| matches!(part, DynamicPosition::Int(_)));
    if parts.len() < 2 || !numbers || !error.is_instance_of::<PyTypeError>(py) {
        return;
    }
    let note = if error.value(py).to_string().contains("missing") {
        "a position is a single argument: write def moves(p), and unpack it with a, b = p"
            .to_owned()
    } else {
        let heaps: Vec<String> = parts.iter().map(ToString::to_string).collect();
        let heaps = heaps.join(", ");
        format!("if the numbers are separate heaps, return sum_of([{heaps}]) instead of a tuple")
    };
    // Python 3.10 has no notes, and the error is raised without one.
    let _ = error.value(py).call_method1("add_note", (note,));
}

/// Returns the diagnostic for an invalid result of a rule. If an iterator of the rule raised an
/// exception, the same exception is later raised again.
fn result_error(
    py: Python<'_>,
    callable_name: &str,
    place: &DynamicPosition,
    error: PyErr,
) -> Diagnostic {
    // An error that this module creates has no traceback, because no Python code raised it.
    let from_here = error.traceback(py).is_none();
    let kind = if error.is_instance_of::<PyTypeError>(py) {
        Kind::Type
    } else {
        Kind::Range
    };
    let text = place.to_string();
    // The reason is at the end of the message. A long position would make it hard to find.
    let shown: String = text.chars().take(60).collect();
    let what: Message = message!(
        "{name}({place}): {what}",
        name = callable_name,
        place = shown,
        what = error.value(py)
    );
    let diagnostic = Diagnostic::new(kind, what);
    if from_here {
        diagnostic
    } else {
        diagnostic.with_cause(error)
    }
}

/// Returns whether a position is a pair that begins with a string.
fn is_named_pair(place: &DynamicPosition) -> bool {
    matches!(place, DynamicPosition::Tuple(parts) if matches!(&**parts, [DynamicPosition::Text(_), _]))
}

/// Returns the terms of a finished value, or `None` for any other Python object. A finished value
/// is a sum, possibly empty, of games written in braces, such as `{1|-1}`. A rule can return a
/// finished value instead of a position.
fn finished_games(value: &Bound<'_, PyAny>) -> Option<Vec<DynamicPosition>> {
    // Plain positions are frequent. Checking their types first saves the lookup of attributes.
    let usual = value.is_exact_instance_of::<PyInt>()
        || value.is_exact_instance_of::<PyString>()
        || value.is_exact_instance_of::<PyTuple>();
    if usual {
        return None;
    }
    let inner = value.getattr(intern!(value.py(), "_inner")).ok()?;
    let inner = inner.cast::<NativePosition>().ok()?;
    let mut games = Vec::new();
    for term in inner.get().position.terms() {
        let parts = term.any_parts().downcast_ref::<Vec<Game>>()?;
        games.extend(parts.iter().cloned().map(DynamicPosition::Game));
    }
    Some(games)
}

/// Converts the result of a move: a position, a sum of positions, or a finished value, which is a
/// sum of games such as `{1|-1}`.
fn move_result(value: &Bound<'_, PyAny>) -> PyResult<MoveResult> {
    let Ok(sum) = value.cast::<Sum>() else {
        return match finished_games(value) {
            Some(games) => Ok(MoveResult::Sum(games)),
            None => to_position(value, 0).map(MoveResult::One),
        };
    };
    let mut places = Vec::new();
    for part in &sum.get().parts {
        let part = part.bind(value.py());
        match finished_games(part) {
            Some(games) => places.extend(games),
            None => places.push(to_position(part, 0)?),
        }
    }
    Ok(MoveResult::Sum(places))
}

/// Converts a move that a rule has returned. It is either a position, or a pair of a label (the
/// text of the move) and a position.
///
/// A pair is ambiguous if positions themselves are pairs that begin with a string. In such a game,
/// a pair is a labelled move only if its second element is a sum, a finished value, or such a
/// position. Moves in rule files are read in the same way.
fn to_move(item: &Bound<'_, PyAny>, pairs: bool) -> PyResult<DynamicMove> {
    if let Ok(pair) = item.cast_exact::<PyTuple>()
        && pair.len() == 2
        && let Ok(label) = pair.get_item(0)?.cast_exact::<PyString>()
    {
        let to = pair.get_item(1)?;
        let result = move_result(&to);
        let labelled = match &result {
            Ok(MoveResult::Sum(_)) => true,
            Ok(MoveResult::One(place)) => !pairs || is_named_pair(place),
            Err(_) => !pairs,
        };
        if labelled {
            let label = Some(label.to_str()?.into());
            return result.map(|result| DynamicMove { label, result });
        }
    }
    move_result(item).map(|result| DynamicMove {
        label: None,
        result,
    })
}

/// Converts the moves that a rule has returned for `position`, and appends them to `moves`.
fn append_moves(
    returned: &Bound<'_, PyAny>,
    position: &DynamicPosition,
    nature: Nature,
    moves: &mut Vec<DynamicMove>,
) -> PyResult<()> {
    // A string and a dict are iterable, but were almost certainly returned by mistake. The order of
    // a set differs between runs, while moves are numbered.
    let wrong = returned.is_instance_of::<PyString>() || returned.is_instance_of::<PyDict>();
    let unordered = returned.is_instance_of::<PySet>() || returned.is_instance_of::<PyFrozenSet>();
    let refuse = |what: &str| {
        let kind = returned.get_type().name()?.to_string();
        Err(PyTypeError::new_err(format!(
            "{what}, not a value of type {kind}"
        )))
    };
    if unordered {
        return refuse("expected a list of positions in a fixed order");
    }
    if wrong {
        return refuse("expected a list of positions");
    }
    let Ok(items) = returned.try_iter() else {
        return refuse("expected a list of positions");
    };
    let pairs = is_named_pair(position);
    for item in items {
        let mv = to_move(&item?, pairs)?;
        // A finished value can be partizan, so a move of an impartial game must not lead to one.
        let is_finished = |place: &DynamicPosition| matches!(place, DynamicPosition::Game(_));
        if nature.moves == Moves::Same && mv.result.positions().iter().any(is_finished) {
            return Err(PyTypeError::new_err(
                "moves(p) defines an impartial game, but one of its moves leads to a partizan value: define left(p) and right(p)",
            ));
        }
        // In games with ties, the outcomes of the components do not determine that of their sum.
        if nature.ends == Ends::Payoff && matches!(mv.result, MoveResult::Sum(_)) {
            return Err(PyTypeError::new_err(
                "a move leads to a sum, but games with ties cannot be added",
            ));
        }
        if moves.len() == MOST_MOVES {
            return Err(PyValueError::new_err(format!(
                "more than {MOST_MOVES} moves: is the iterator infinite?"
            )));
        }
        moves.push(mv);
    }
    Ok(())
}

impl DynamicRules for Callables {
    fn name(&self) -> &str {
        &self.name
    }

    fn same(&self, other: &dyn DynamicRules) -> bool {
        let other: &dyn Any = other;
        let Some(other) = other.downcast_ref::<Self>() else {
            return false;
        };
        // Two callables are equal only if they are the same object. A comparison by `==` could call
        // user code.
        let is = |one: &Py<PyAny>, other: &Py<PyAny>| one.as_ptr() == other.as_ptr();
        let moves = match (&self.moves, &other.moves) {
            (MoveCallables::Impartial(one), MoveCallables::Impartial(other)) => is(one, other),
            (
                MoveCallables::Partizan { left, right },
                MoveCallables::Partizan {
                    left: other_left,
                    right: other_right,
                },
            ) => is(left, other_left) && is(right, other_right),
            _ => false,
        };
        let value = match (&self.value, &other.value) {
            (Some(one), Some(other)) => is(one, other),
            (None, None) => true,
            _ => false,
        };
        moves && value && self.name == other.name && self.endless == other.endless
    }

    fn nature(&self) -> Nature {
        let nature = match (&self.moves, &self.value) {
            (MoveCallables::Partizan { .. }, _) => Nature::PARTIZAN,
            (MoveCallables::Impartial(_), None) => Nature::IMPARTIAL,
            (MoveCallables::Impartial(_), Some(_)) => Nature {
                ends: Ends::Payoff,
                ..Nature::IMPARTIAL
            },
        };
        nature.with_endless(self.endless)
    }

    fn options(
        &self,
        player: Player,
        place: &DynamicPosition,
        moves: &mut Vec<DynamicMove>,
    ) -> Result<(), Stop> {
        let (callable_name, function) = match (&self.moves, player) {
            (MoveCallables::Impartial(function), _) => (self.name.as_str(), function),
            (MoveCallables::Partizan { left, .. }, Player::Left) => ("left", left),
            (MoveCallables::Partizan { right, .. }, Player::Right) => ("right", right),
        };
        call_rule(function, callable_name, place, |returned| {
            append_moves(returned, place, self.nature(), moves)
        })
    }

    fn payoff(&self, place: &DynamicPosition) -> Result<PayoffResult, Stop> {
        let Some(function) = &self.value else {
            // In games without payoffs, a player who cannot move loses.
            return Ok(PayoffResult::Lose);
        };
        call_rule(function, "value", place, |returned| {
            let word = match returned.extract::<i64>() {
                Ok(1) => "win".to_owned(),
                Ok(0) => "tie".to_owned(),
                Ok(-1) => "lose".to_owned(),
                _ => returned.extract::<String>().unwrap_or_default(),
            };
            match word.as_str() {
                "win" => Ok(PayoffResult::Win),
                "tie" => Ok(PayoffResult::Tie),
                "lose" => Ok(PayoffResult::Lose),
                _ => Err(PyValueError::new_err(format!(
                    "{} is not a valid value: expected \"win\", \"tie\" or \"lose\" (or 1, 0, -1) for the player to move",
                    returned.repr()?
                ))),
            }
        })
    }
}

/// The rules of a game, consisting of Python callables.
#[pyclass(frozen, module = "grundy._native")]
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    rules: Arc<Callables>,
}

impl Rule {
    pub(crate) fn game(&self) -> DynamicGame {
        DynamicGame(Arc::clone(&self.rules) as Arc<dyn DynamicRules>)
    }
}

#[pymethods]
impl Rule {
    #[new]
    #[pyo3(signature = (name, moves=None, left=None, right=None, value=None, endless="draw"))]
    fn new(
        name: String,
        moves: Option<Py<PyAny>>,
        left: Option<Py<PyAny>>,
        right: Option<Py<PyAny>>,
        value: Option<Py<PyAny>>,
        endless: &str,
    ) -> PyResult<Self> {
        let Some(endless) = endless_of(endless) else {
            return Err(PyValueError::new_err(format!(
                "endless: expected \"draw\", \"left\" or \"right\", not {endless:?}"
            )));
        };
        if endless.is_some() && value.is_some() {
            return Err(PyValueError::new_err(
                "endless: a game with value(p) cannot have a winner of endless play",
            ));
        }
        let moves = match (moves, left, right) {
            (Some(moves), None, None) => MoveCallables::Impartial(moves),
            (None, Some(left), Some(right)) if value.is_none() => {
                MoveCallables::Partizan { left, right }
            }
            _ => {
                return Err(PyTypeError::new_err(
                    "a game needs either moves(p), with value(p) if it can end in a tie, or both left(p) and right(p)",
                ));
            }
        };
        Ok(Self {
            rules: Arc::new(Callables {
                name,
                moves,
                value,
                endless,
            }),
        })
    }

    /// Returns the position of this game that the Python value `start` denotes.
    fn at(&self, py: Python<'_>, start: &Bound<'_, PyAny>) -> PyResult<NativePosition> {
        let place = to_position(start, 0).map_err(|error| {
            if error.traceback(py).is_some() {
                return error;
            }
            let kind = if error.is_instance_of::<PyTypeError>(py) {
                Kind::Type
            } else {
                Kind::Range
            };
            let message = message!("start: {what}", what = error.value(py));
            exception(py, &Diagnostic::new(kind, message), "")
        })?;
        Ok(Position::from(Term::new(self.game(), vec![place])).into())
    }
}

/// A parsed rule file.
#[pyclass(frozen, module = "grundy._native")]
#[derive(Debug)]
pub(crate) struct RuleText {
    file: Arc<RuleFile>,
}

impl RuleText {
    pub(crate) fn file(&self) -> Arc<RuleFile> {
        Arc::clone(&self.file)
    }
}

#[pymethods]
impl RuleText {
    #[new]
    fn new(py: Python<'_>, name: &str, source: &str) -> PyResult<Self> {
        let file = RuleFile::read(name, source, Allowance::default());
        let file = file.map_err(|error| exception(py, &error, source))?;
        Ok(Self {
            file: Arc::new(file),
        })
    }

    /// Returns the text of the rule file.
    #[getter]
    fn source(&self) -> &str {
        self.file.source()
    }
}
