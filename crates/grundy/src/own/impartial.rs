//! A ruleset made of rules of one's own, both players having the same moves.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::{Mover, Place, Rules, visit_options, write};
use crate::ruleset::{Ruleset, Visit};

/// The ruleset `game`. Two are equal when the same rules stand behind them.
///
/// ```
/// use std::sync::Arc;
/// use grundy::own::{Choice, Failed, Left, Mover, Own, Place, Rules};
/// use grundy::{Limits, Position, Solver, Term};
///
/// /// Remove one or two from a number.
/// #[derive(Debug)]
/// struct OneOrTwo;
///
/// impl Rules for OneOrTwo {
///     fn name(&self) -> &str {
///         "moves"
///     }
///
///     fn options(&self, _: Mover, place: &Place, choices: &mut Vec<Choice>) -> Result<(), Failed> {
///         let &Place::Int(n) = place else { return Err(Failed) };
///         for taken in (1..=2).filter(|&taken| taken <= n) {
///             choices.push(Choice { label: None, left: Left::One(Place::Int(n - taken)) });
///         }
///         Ok(())
///     }
/// }
///
/// let position = Position::from(Term::new(Own(Arc::new(OneOrTwo)), vec![Place::Int(5)]));
/// assert_eq!(position.to_string(), "game(moves, 5)");
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(2));
/// ```
#[derive(Clone, Debug)]
pub struct Own(pub Arc<dyn Rules>);

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Own {}

impl Hash for Own {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name().hash(state);
    }
}

impl Ruleset for Own {
    type Part = Place;

    fn name(&self) -> &'static str {
        "game"
    }

    fn write(&self, parts: &[Place]) -> String {
        write(self.0.name(), parts)
    }

    fn options(&self, index: usize, place: &Place, visit: Visit<'_, Place>) -> ControlFlow<()> {
        visit_options(&*self.0, Mover::Either, (index, place), visit)
    }

    fn known_to_end(&self) -> bool {
        false
    }
}
