//! Positions.

use std::any::Any;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy::dynamic::DynamicPosition;
use grundy::limits::ended;
use grundy::position::AnyTerm;
use grundy::{Diagnostic, Player, Position};
use grundy_wording::{Language, words};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failure::raised;
use crate::place::of_place;

/// A position of the library.
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

/// Returns the player with a name. Without a name it is the player who moves first.
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

/// Name of the constructor for games with the user's rules.
const OWN: &str = "game";

/// Returns a term in the notation.
fn text(term: &Arc<dyn AnyTerm>) -> String {
    Position::from(Arc::clone(term)).to_string()
}

/// A move: its name, its place `at`, the index of its term, and the resulting position.
type MadeMove = (String, Vec<u64>, usize, NativePosition);

#[pymethods]
impl NativePosition {
    fn __str__(&self) -> String {
        self.position.to_string()
    }

    /// Returns whether the terms are equal.
    ///
    /// Terms are equal if their texts are, so a vertex of a graph is the same wherever the game
    /// began. For the user's rules the text is not sufficient, because different rules may have the
    /// same name.
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
            // Equal terms must have equal hashes, so the same two cases as in `__eq__` are
            // distinguished.
            if term.name() == OWN {
                term.feed(&mut state);
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
        let sum = Position::sum(terms).map_err(|error| raised(py, &error, ""))?;
        Ok(sum.into())
    }

    /// Returns the negative, with Left and Right exchanged.
    fn negated(&self, py: Python<'_>) -> PyResult<Self> {
        let negative = self.position.negated();
        Ok(negative.map_err(|error| raised(py, &error, ""))?.into())
    }

    /// Returns the terms as positions, with the names of their constructors.
    fn terms(&self) -> Vec<(&'static str, Self)> {
        let terms = self.position.terms().iter();
        terms
            .map(|term| (term.name(), Position::from(term.clone()).into()))
            .collect()
    }

    /// Returns the components of the terms as positions: heaps, boards, rows.
    fn parts(&self) -> Vec<Self> {
        let terms = self.position.terms().iter();
        let parts = terms.flat_map(|term| term.parts());
        parts.map(|part| Position::from(part).into()).collect()
    }

    /// Returns the Python values of the components, if the only term is a game with the user's
    /// rules.
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
            .map(|place| of_place(py, place))
            .collect::<PyResult<_>>()
            .map(Some)
    }

    /// Returns whether both players have the same moves, and whether either may begin.
    fn nature(&self) -> (bool, bool) {
        let nature = self.position.nature();
        let either = nature.beginner == grundy::ruleset::Beginner::Either;
        (nature.moves == grundy::ruleset::Moves::Same, either)
    }

    /// Returns the number of components.
    fn component_count(&self) -> usize {
        self.position.component_count()
    }

    /// Returns all moves of a player. Fails if there are more than `most`.
    fn moves(&self, py: Python<'_>, by: Option<&str>, most: usize) -> PyResult<Vec<MadeMove>> {
        let by = player(by, &self.position)?;
        let mut found = Vec::new();
        let mut too_many = false;
        // The interpreter lock is released; rules written in Python attach again for each call.
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
