//! Grundy's game: `grundys_game(n, ...)`.
//!
//! Rules. A move splits one heap into two heaps of different sizes. Heaps of 1 and 2 cannot be
//! split.
//!
//! No closed form is known, and no period has been found (P. M. Grundy, Mathematics and games,
//! Eureka 2 (1939), 6-8).

use std::sync::Arc;

use super::heap_game::HeapGame;
use crate::argument::Arguments;
use grundy_base::Diagnostic;
use grundy_engine::position::{AnyTerm, Term};
use grundy_heap::HeapRules;

/// Reads `grundys_game(n, ...)`.
///
/// # Errors
/// An argument that is not a heap size.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::grundys_game};
/// let items = [(None, Argument::Int(5))];
/// let position = Position::from(grundys_game::construct(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(2));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let game = HeapGame {
        name: "grundys_game",
        argument: None,
        rules: HeapRules::UnequalSplit,
    };
    Ok(Term::new(game, arguments.numbers(0, 0)?).into())
}
