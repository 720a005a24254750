//! Positions as Python objects.

use std::any::Any;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_core::dynamic::DynamicPosition;
use grundy_core::limits::stopped_early;
use grundy_core::position::AnyTerm;
use grundy_core::{Diagnostic, Player, Position};
use grundy_wording::{Language, words};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failure::exception;
use crate::python_value::to_python;

/// A position as a Python object.
#[pyclass(frozen, module = "grundy._native", name = "Position")]
#[derive(Clone, Debug)]
pub(crate) struct NativePosition {
    pub(crate) position: Position,
}

impl From<Position> for NativePosition {
    fn from(position: Position) -> Self {
        Self { position }
    }
}

/// Returns the player with this name. Without a name, returns the player who moves first.
pub(crate) fn player(name: Option<&str>, position: &Position) -> PyResult<Player> {
    match name {
        None => Ok(position.first_player()),
        Some("left") => Ok(Player::Left),
        Some("right") => Ok(Player::Right),
        Some(other) => Err(PyValueError::new_err(format!(
            "player: expected 'left' or 'right', not {other:?}"
        ))),
    }
}

/// Name of the constructor of games with user-defined rules.
const USER_DEFINED: &str = "game";

/// Returns the text of a term in the notation.
fn text(term: &Arc<dyn AnyTerm>) -> String {
    Position::from(Arc::clone(term)).to_string()
}

/// A move: its description, the integers that identify it within its component, the index of the
/// component, and the resulting position.
type MadeMove = (String, Vec<u64>, usize, NativePosition);

#[pymethods]
impl NativePosition {
    fn __str__(&self) -> String {
        self.position.to_string()
    }

    /// Returns whether two positions have equal terms.
    ///
    /// Terms are equal if their texts are equal. Hence a vertex of a graph is the same position,
    /// regardless of the vertex at which the game began. For terms of user-defined games, the rules
    /// must also be equal, since different rules may have the same name.
    fn __eq__(&self, other: &Self) -> bool {
        let (terms, others) = (self.position.terms(), other.position.terms());
        terms.len() == others.len()
            && terms.iter().zip(others).all(|(one, other)| {
                one.same(&**other)
                    || (one.name() == other.name()
                        && one.name() != USER_DEFINED
                        && text(one) == text(other))
            })
    }

    fn __hash__(&self) -> u64 {
        let mut state = DefaultHasher::new();
        for term in self.position.terms() {
            // Equal terms must have equal hashes. Hence user-defined rules are distinguished here
            // as in `__eq__`.
            if term.name() == USER_DEFINED {
                term.hash_into(&mut state);
            } else {
                text(term).hash(&mut state);
            }
        }
        state.finish()
    }

    /// Returns the sum of this position and others.
    fn plus(&self, py: Python<'_>, others: Vec<PyRef<'_, Self>>) -> PyResult<Self> {
        let mut terms = self.position.terms().to_vec();
        for other in others {
            terms.extend(other.position.terms().iter().cloned());
        }
        let sum = Position::sum(terms).map_err(|error| exception(py, &error, ""))?;
        Ok(sum.into())
    }

    /// Returns the negative of this position, in which Left and Right are exchanged.
    fn negated(&self, py: Python<'_>) -> PyResult<Self> {
        let negative = self.position.negated();
        Ok(negative.map_err(|error| exception(py, &error, ""))?.into())
    }

    /// Returns the terms of the sum as positions, each with the name of its constructor.
    fn terms(&self) -> Vec<(&'static str, Self)> {
        let terms = self.position.terms().iter();
        terms
            .map(|term| (term.name(), Position::from(term.clone()).into()))
            .collect()
    }

    /// Returns the components of all terms of the sum as positions. A component is, for example, a
    /// heap, a board or a row.
    fn parts(&self) -> Vec<Self> {
        let terms = self.position.terms().iter();
        let parts = terms.flat_map(|term| term.parts());
        parts.map(|part| Position::from(part).into()).collect()
    }

    /// Returns the components as Python values. Returns `None` unless the position is a single game
    /// with user-defined rules.
    fn places<'py>(&self, py: Python<'py>) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
        let Some(term) = self.position.only_term() else {
            return Ok(None);
        };
        let parts: &dyn Any = term.any_parts();
        let Some(places) = parts.downcast_ref::<Vec<DynamicPosition>>() else {
            return Ok(None);
        };
        places
            .iter()
            .map(|place| to_python(py, place))
            .collect::<PyResult<_>>()
            .map(Some)
    }

    /// Returns two truth values: whether both players have the same moves, and whether either
    /// player may move first.
    fn nature(&self) -> (bool, bool) {
        let nature = self.position.nature();
        let either = nature.beginner == grundy_core::ruleset::Beginner::Either;
        (nature.moves == grundy_core::ruleset::Moves::Same, either)
    }

    /// Returns the number of components of all terms together. A component is, for example, a heap,
    /// a board or a row.
    fn component_count(&self) -> usize {
        self.position.component_count()
    }

    /// Returns all moves of a player. Fails if the player has more than `most` moves.
    fn moves(&self, py: Python<'_>, by: Option<&str>, most: usize) -> PyResult<Vec<MadeMove>> {
        let by = player(by, &self.position)?;
        let mut found = Vec::new();
        let mut too_many = false;
        // The thread detaches from the interpreter. Rules that are written in Python attach again
        // for each call.
        let result = py.detach(|| {
            stopped_early(self.position.moves(by, &mut |component, name, to| {
                if found.len() == most {
                    too_many = true;
                    return ControlFlow::Break(grundy_core::Halt::Enough);
                }
                let mv = name();
                let text = words(&mv.action, Language::En);
                found.push((text, mv.at, component, Self::from(to())));
                ControlFlow::Continue(())
            }))
        });
        result.map_err(|stop| exception(py, &Diagnostic::from(stop), ""))?;
        if too_many {
            return Err(PyValueError::new_err(format!(
                "there are more than {most} moves: raise `most`"
            )));
        }
        Ok(found)
    }
}
