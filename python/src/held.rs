//! Positions.

use std::any::Any;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy::argument::Argument;
use grundy::limits::ended;
use grundy::own::Place;
use grundy::position::AnyTerm;
use grundy::{Diagnostic, Player, Position, message, registry};
use grundy_analysis::{Analyst, Files};
use grundy_notation::wording::words;
use grundy_notation::{Games, Language, read_picture};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::argument::argument;
use crate::ask::AtHand;
use crate::failure::raised;
use crate::rule::{Rule, RuleText, of_place};

/// A position, as the library has it.
#[pyclass(frozen, module = "grundy._native", name = "Held")]
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) position: Position,
}

impl From<Position> for Held {
    fn from(position: Position) -> Self {
        Self { position }
    }
}

/// Left and Right, or whoever both are.
pub(crate) fn player(name: Option<&str>, position: &Position) -> PyResult<Player> {
    match name {
        None => Ok(position.first_player()),
        Some("left") => Ok(Player::Left),
        Some("right") => Ok(Player::Right),
        Some(other) => Err(PyValueError::new_err(format!(
            "player: 'left' or 'right' is expected, not {other:?}"
        ))),
    }
}

/// The constructor of games of one's own.
const OWN: &str = "game";

/// A term as it is written.
fn text(term: &Arc<dyn AnyTerm>) -> String {
    Position::from(Arc::clone(term)).to_string()
}

/// A move: its name, `at`, the term that it is made in, and the position that it leaves.
type MadeMove = (String, Vec<u64>, usize, Held);

#[pymethods]
impl Held {
    fn __str__(&self) -> String {
        self.position.to_string()
    }

    /// Positions are equal when their terms are, and those are when they are written alike: a vertex of a graph is the same wherever the
    /// play began. Only what stands behind rules of one's own is not seen in the text.
    fn __eq__(&self, other: &Self) -> bool {
        let (mine, others) = (self.position.terms(), other.position.terms());
        mine.len() == others.len()
            && mine.iter().zip(others).all(|(one, other)| {
                one.same(&**other)
                    || (one.name() == other.name() && one.name() != OWN && text(one) == text(other))
            })
    }

    fn __hash__(&self) -> u64 {
        let mut state = DefaultHasher::new();
        for term in self.position.terms() {
            if term.name() == OWN {
                term.feed(&mut state);
            } else {
                text(term).hash(&mut state);
            }
        }
        state.finish()
    }

    /// The sum of this and others.
    fn plus(&self, py: Python<'_>, others: Vec<PyRef<'_, Self>>) -> PyResult<Self> {
        let mut terms = self.position.terms().to_vec();
        for other in others {
            terms.extend(other.position.terms().iter().cloned());
        }
        let sum = Position::sum(terms).map_err(|error| raised(py, &error, ""))?;
        Ok(sum.into())
    }

    /// The same with Left and Right exchanged.
    fn negated(&self, py: Python<'_>) -> PyResult<Self> {
        let negative = self.position.negated();
        Ok(negative.map_err(|error| raised(py, &error, ""))?.into())
    }

    /// The terms, each as a position, with the names of their constructors.
    fn terms(&self) -> Vec<(&'static str, Self)> {
        let terms = self.position.terms().iter();
        terms
            .map(|term| (term.name(), Position::from(term.clone()).into()))
            .collect()
    }

    /// The parts of the terms, each as a position: heaps, boards, rows.
    fn parts(&self) -> Vec<Self> {
        let terms = self.position.terms().iter();
        let parts = terms.flat_map(|term| term.parts());
        parts.map(|part| Position::from(part).into()).collect()
    }

    /// The positions of games of one's own in the only term; nothing where it is another game.
    fn places<'py>(&self, py: Python<'py>) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
        let Some(term) = self.position.only_term() else {
            return Ok(None);
        };
        let parts: &dyn Any = term.any_parts();
        let Some(places) = parts.downcast_ref::<Vec<Place>>() else {
            return Ok(None);
        };
        places
            .iter()
            .map(|place| of_place(py, place))
            .collect::<PyResult<_>>()
            .map(Some)
    }

    /// Whether both players have the same moves; whether either may begin.
    fn nature(&self) -> (bool, bool) {
        let nature = self.position.nature();
        let either = nature.beginner == grundy::ruleset::Beginner::Either;
        (nature.moves == grundy::ruleset::Moves::Same, either)
    }

    /// How many components it falls into.
    fn component_count(&self) -> usize {
        self.position.component_count()
    }

    /// Every move of a player.
    fn moves(&self, py: Python<'_>, by: Option<&str>, most: usize) -> PyResult<Vec<MadeMove>> {
        let by = player(by, &self.position)?;
        let mut found = Vec::new();
        let mut too_many = false;
        let asked = py.detach(|| {
            ended(self.position.moves(by, &mut |component, name, to| {
                if found.len() == most {
                    too_many = true;
                    return ControlFlow::Break(grundy::Halt::Enough);
                }
                let mv = name();
                let text = words(&mv.action, Language::En);
                found.push((text, mv.at, component, Self::from(to())));
                ControlFlow::Continue(())
            }))
        });
        asked.map_err(|stop| raised(py, &Diagnostic::from(stop), ""))?;
        if too_many {
            return Err(PyValueError::new_err(format!(
                "there are more than {most} moves: ask for `most` of them"
            )));
        }
        Ok(found)
    }
}

/// The arguments in a signature, at its outermost commas.
fn pieces(signature: &str) -> Vec<&str> {
    let inner = signature.split_once('(').map_or("", |(_, rest)| rest);
    let inner = inner.strip_suffix(')').unwrap_or(inner);
    let (mut pieces, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, c) in inner.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                pieces.push(inner[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(inner[start..].trim());
    pieces
}

/// Which argument a path leads to, in words: `take[1]`, `argument 3`.
fn culprit(
    signature: &str,
    items: &[(Option<String>, Argument)],
    path: &[usize],
) -> Option<String> {
    let (&first, rest) = path.split_first()?;
    let given = items.get(first).and_then(|(name, _)| name.clone());
    let pieces = pieces(signature);
    // A name that stands for one argument only.
    let alone = |name: &&&str| {
        !name.ends_with("...")
            && pieces.get(first + 1) != Some(&"...")
            && name.starts_with(|c: char| c.is_alphabetic())
    };
    let named = pieces.get(first).filter(alone).map(|name| {
        let name = name.split('=').next().unwrap_or(name);
        name.to_owned()
    });
    let name = given
        .or(named)
        .unwrap_or_else(|| format!("argument {}", first + 1));
    let places = rest.iter().map(|index| format!("[{index}]"));
    Some(places.fold(name, |name, place| name + &place))
}

/// The position that a constructor makes.
#[pyfunction]
pub(crate) fn construct(
    py: Python<'_>,
    name: &str,
    arguments: &Bound<'_, PyTuple>,
    named: &Bound<'_, PyDict>,
) -> PyResult<Held> {
    let mut items = Vec::with_capacity(arguments.len() + named.len());
    let place = |error: PyErr, which: String| -> PyErr {
        // A wrong type, said where it stands.
        let kind = if error.is_instance_of::<pyo3::exceptions::PyTypeError>(py) {
            grundy::Kind::Type
        } else {
            grundy::Kind::Range
        };
        let message = message!("{which}: {what}", which, what = error.value(py));
        raised(py, &Diagnostic::new(kind, message), "")
    };
    let known = registry::CONSTRUCTORS.iter().find(|game| game.name == name);
    let signature = known.map_or("", |game| game.signature);
    for (index, value) in arguments.iter().enumerate() {
        items.push((None, Argument::None));
        let read = argument(&value);
        items[index].1 = read.map_err(|error| {
            let which = culprit(signature, &items, &[index]);
            place(
                error,
                which.unwrap_or_else(|| format!("argument {}", index + 1)),
            )
        })?;
    }
    for (key, value) in named {
        let key: String = key.extract()?;
        let read = argument(&value).map_err(|error| place(error, key.clone()))?;
        items.push((Some(key), read));
    }
    // A graph by its name is one in a file.
    if let ("graph", Some((None, Argument::Text(file)))) = (name, items.first()) {
        let analyst = Analyst::new(Files::Granted);
        let network = py.detach(|| analyst.graph(file));
        items[0].1 = Argument::Network(network.map_err(|error| raised(py, &error, ""))?);
    }
    let term = registry::construct(name, &items).map_err(|mut error| {
        if let Some(which) = culprit(signature, &items, &error.path) {
            error.message = message!("{which}: {what}", which, what = error.message);
        }
        raised(py, &error, "")
    })?;
    Ok(Position::from(term).into())
}

/// The position that a text in the notation means, with these rules by name, or those of a rule file.
#[pyfunction]
pub(crate) fn read(
    py: Python<'_>,
    text: &str,
    rules: Vec<(String, PyRef<'_, Rule>)>,
    file: Option<PyRef<'_, RuleText>>,
    files: bool,
) -> PyResult<Held> {
    let rules = rules.into_iter().map(|(name, rule)| (name, rule.own()));
    let games = AtHand::new(Vec::new(), rules.collect(), file.map(|file| file.file()));
    let granted = if files { Files::Granted } else { Files::Denied };
    let analyst = Analyst::new(granted).naming(Arc::new(games));
    let position = py.detach(|| analyst.read(text));
    let position = position.map_err(|error| raised(py, &error, text))?;
    Ok(position.into())
}

/// The position that a file with a Hackenbush picture means.
#[pyfunction]
pub(crate) fn picture(py: Python<'_>, text: &str) -> PyResult<Held> {
    let term = py.detach(|| read_picture(text));
    let term = term.map_err(|error| raised(py, &error, text))?;
    Ok(Position::from(term).into())
}

/// Every constructor: its name, how it is called, and an example.
#[pyfunction]
pub(crate) fn games() -> Vec<(&'static str, &'static str, &'static str)> {
    let games = registry::CONSTRUCTORS.iter();
    games
        .map(|game| (game.name, game.signature, game.example))
        .collect()
}
