//! An engine for combinatorial games. For a position it computes the winner, the value and every
//! winning move, and it explains the answer.
//!
//! A position is a sum of terms. [`Solver::solve`] returns its outcome, its Sprague-Grundy value
//! and every winning move.
//!
//! ```
//! use grundy_core::argument::Argument;
//! use grundy_core::{Limits, Play, Position, Solver, registry};
//!
//! let heaps = [(None, Argument::Int(3)), (None, Argument::Int(4)), (None, Argument::Int(5))];
//! let position = Position::from(registry::construct("nim", &heaps)?);
//! let solution = Solver::default().solve(&position, Play::Normal, &Limits::default())?;
//! assert_eq!(solution.grundy(), Some(2));
//! assert_eq!(solution.winning_moves()[0].to.to_string(), "nim(1, 4, 5)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! To define a new game, implement [`Game`], or [`PartizanGame`] if the players have different
//! moves. The positions of such a game can be used in sums, explanations, labels and values.
//!
//! ```
//! use grundy_core::{Game, Limits, Position, Solver};
//!
//! /// Take one chip, or half of an even heap.
//! struct OneOrHalf;
//!
//! impl Game for OneOrHalf {
//!     type Position = u64;
//!
//!     fn options(&self, &n: &u64) -> impl IntoIterator<Item = u64> {
//!         let half = (n > 2 && n % 2 == 0).then_some(n / 2);
//!         n.checked_sub(1).into_iter().chain(half)
//!     }
//! }
//!
//! let position = Position::of(OneOrHalf, 6);
//! assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(2));
//! # Ok::<(), grundy_core::Stop>(())
//! ```
//!
//! A game with theorems, bounds or packed components implements [`ruleset::Ruleset`], as the games
//! of the library do.
//!
//! This crate is an implementation detail of the crate `grundy`, which has the same engine with
//! typed constructors, operators and one error type.

pub mod ruleset;

pub use grundy_base::{
    Diagnostic, Dyadic, Flow, Halt, Kind, LimitKind, Limits, Message, Outcome, OutcomeClass,
    PayoffResult, Play, Player, Stop, Verdict, ascii, diagnostic, dyadic, limits, message, mex,
    nearest, nimber, outcome, picture, player, shared_text, step, verdict,
};
pub use grundy_engine::{
    Exploration, GameGraph, Labelled, Numbered, Position, PositionIndex, RankedGame, Solution,
    Solver, Term, Visited, answers, explain, game_graph, move_counts, position, proof, rules,
    solve, store, term, thermographs, values,
};
pub use grundy_games::{argument, dynamic, registry};
pub use grundy_graphs::game::{Game, PartizanGame};
pub use grundy_graphs::{graph, implicit};
pub use grundy_heap as heap;
pub use grundy_heap::{algebra, certificate, known_games, pattern};
