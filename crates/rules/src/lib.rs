//! User-defined games: rule files in Starlark.
//!
//! A rule file defines `moves(p)`, or `left(p)` and `right(p)` for a partizan game. It may also
//! define `value(p)`, if the game can end in a tie. [`RuleFile`] loads a file and creates positions
//! of its games.
//!
//! The crate `syntax` parses a file. This crate compiles it to instructions and executes them,
//! since rule files may come from strangers and must not be able to do harm. Every instruction and
//! every byte is counted before it is used. The depth of calls and of nested values is limited, and
//! objects are freed before the next call of a rule function. Integers are less than 2^64 in
//! absolute value, and an overflow is an error. In all other respects, a file has the same meaning
//! as in any implementation of Starlark.
//!
//! ```
//! use grundy_core::{Limits, Solver};
//! use grundy_notation::Expression;
//! use grundy_rules::{Allowance, RuleFile};
//!
//! let file = RuleFile::read("squares.star", "
//! def moves(n):
//!     return [n - k * k for k in range(1, n + 1) if k * k <= n]
//! ", Allowance::default()).unwrap();
//! let position = Expression::parse("game(moves, 20) + nim(3)").unwrap();
//! let position = position.position_with(&[], &file).unwrap();
//! assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(3));
//! ```
//!
//! This crate is an implementation detail of the interfaces of grundy. To define a game in Rust,
//! use the crate `grundy`.

mod arena;
mod assigned;
mod compare;
mod compile;
mod dict;
mod error;
mod file;
mod machine;
mod operate;
mod position;
mod program;
mod runaway;
mod symbolic;
mod text;
mod value;
mod wide;

pub use file::RuleFile;
pub use machine::Allowance;
