//! The engine for combinatorial games: who wins, with what value, by which moves, and why.
//!
//! A position is a sum of terms; [`Solver::solve`] gives its outcome, its Sprague–Grundy value and every winning move.
//!
//! ```
//! use grundy::argument::Argument;
//! use grundy::{Limits, Play, Position, Solver, registry};
//!
//! let heaps = [(None, Argument::Int(3)), (None, Argument::Int(4)), (None, Argument::Int(5))];
//! let position = Position::from(registry::construct("nim", &heaps)?);
//! let solution = Solver::default().solve(&position, Play::Normal, &Limits::default())?;
//! assert_eq!(solution.grundy(), Some(2));
//! assert_eq!(solution.winning_moves()[0].to.to_string(), "nim(1, 4, 5)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Values of a game of one's own: implement [`ruleset::Ruleset`] and make a [`Term`] of it.
//!
//! ```
//! use grundy::ruleset::{Ruleset, Visit, call};
//! use grundy::step::{Move, Step};
//! use grundy::{Flow, Limits, Player, Position, Solver, Term};
//!
//! /// Take one chip, or half of an even heap.
//! #[derive(Debug, PartialEq, Eq, Hash)]
//! struct OneOrHalf;
//!
//! impl Ruleset for OneOrHalf {
//!     type Part = u64;
//!
//!     fn name(&self) -> &'static str {
//!         "one_or_half"
//!     }
//!
//!     fn options(&self, _: Player, heap: usize, &n: &u64, visit: Visit<'_, u64>) -> Flow {
//!         let sizes = [n.checked_sub(1), (n > 2 && n % 2 == 0).then_some(n / 2)];
//!         sizes.into_iter().flatten().try_for_each(|size| {
//!             visit(&[size], &|| Move::new([heap as u64, size], Step::new("take").with("count", n - size).with("heap", heap)))
//!         })
//!     }
//!
//!     fn write(&self, parts: &[u64]) -> String {
//!         call("one_or_half", parts)
//!     }
//! }
//!
//! let position = Position::from(Term::new(OneOrHalf, vec![6]));
//! assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(2));
//! # Ok::<(), grundy::Stop>(())
//! ```

pub mod ruleset;

pub use grundy_base::{
    Diagnostic, Dyadic, Flow, Halt, Kind, LimitKind, Limits, Message, Outcome, OutcomeClass, Play,
    Player, Stop, Verdict, Worth, diagnostic, dyadic, limits, message, mex, nearest, nimber,
    outcome, picture, player, step, verdict,
};
pub use grundy_engine::{
    Exploration, GameGraph, Labelled, Met, Numbered, Position, RankedGame, Solution, Solver, Term,
    Visited, explain, game_graph, move_counts, position, proof, rules, solve, store, term,
    thermographs, values,
};
pub use grundy_games::{argument, own, registry};
pub use grundy_graphs::{graph, implicit};
pub use grundy_heap as heap;
pub use grundy_heap::{algebra, certificate, known_games, pattern};
