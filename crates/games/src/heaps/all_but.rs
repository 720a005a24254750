//! All-but games: `all_but(exclude, n, ...)`.
//!
//! Rules. A move removes any number k >= 1 of chips from one heap, except the numbers in the list
//! `exclude`. The game `all_but([])` is Nim. Instead of a list, `exclude` may be any set of a
//! subtraction game.
//!
//! Theorem. The values are arithmetic periodic: g(n + p) = g(n) + s from some heap onwards. Let u
//! be the largest excluded number, and let M be the number of different values of the heaps below
//! n. The state at n contains two facts about each heap m of the last u heaps before n: the
//! difference M - g(m), and whether the value g(m) occurs below n - u. The state determines all
//! later values relative to M, and there are finitely many states. The proof is in
//! `docs/theory.md`, "All-but games".

use std::sync::Arc;

use grundy_base::message;

use super::heap_game::HeapGame;
use super::subtraction::{first, heaps, positive_set, take_set};
use crate::argument::{Argument, Arguments};
use grundy_base::Diagnostic;
use grundy_engine::position::{AnyTerm, Term};
use grundy_heap::{HeapRules, TakeSet};

/// Reads `all_but(exclude, n, ...)`.
///
/// # Errors
/// An `exclude` argument that is not a set, or a heap size that is not a number.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::all_but};
/// // If only the take of 1 is forbidden, a heap of n has the value floor(n / 2).
/// let exclude = Argument::List(vec![Argument::Int(1)]);
/// let items = [(None, exclude), (None, Argument::Int(9))];
/// let position = Position::from(all_but::construct(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(4));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let exclude = first(arguments)?;
    if let Argument::Text(_) | Argument::Set(_) = exclude {
        let form = message!("write all_but([2, 4], 30) or all_but(\"squares\", 30)");
        let set = take_set(exclude, 0, &form)?;
        let sizes = heaps(arguments, 1, [&set])?;
        let game = HeapGame {
            name: "all_but",
            argument: Some(set.to_string()),
            rules: HeapRules::Subtraction(TakeSet::Except(Box::new(set))),
        };
        return Ok(Term::new(game, sizes).into());
    }
    let excluded = positive_set(
        exclude,
        0,
        message!("omit 0: taking no chips is not a move"),
    )?;
    // The list is part of the text of the game. It is sorted, so that equal games compare equal.
    let game = HeapGame {
        name: "all_but",
        argument: Some(format!("{excluded:?}")),
        rules: HeapRules::AllBut(excluded),
    };
    Ok(Term::new(game, arguments.numbers(1, 0)?).into())
}
