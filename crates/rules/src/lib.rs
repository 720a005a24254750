//! Games of one's own: rule files in Starlark.
//!
//! A rule file defines `moves(p)`, or `left(p)` and `right(p)` for a partizan game, and perhaps
//! `value(p)` for ties at the end of play. [`RuleFile`] reads one and makes positions of it.
//!
//! The parser is that of the `starlark_syntax` crate. The evaluator is this crate's own, because a
//! rule must not be able to do harm: every instruction and every byte is counted before it is
//! spent, calls and values nest only so deep, and nothing the rules build can outlive a question to
//! them. Numbers have 64 bits and say so when they do not suffice; otherwise a file means here what
//! it means in any Starlark.
//!
//! ```
//! use grundy::{Limits, Solver};
//! use grundy_notation::Expression;
//! use grundy_rules::{Allowance, RuleFile};
//!
//! let file = RuleFile::read("squares.star", "
//! def moves(n):
//!     return [n - k * k for k in range(1, n + 1) if k * k <= n]
//! ", Allowance::default()).unwrap();
//! let position = Expression::parse("game(moves, 20) + nim(3)").unwrap().position_with(&[], &file).unwrap();
//! assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(3));
//! ```

mod arena;
mod compare;
mod compile;
mod dict;
mod file;
mod machine;
mod operate;
mod position;
mod program;
mod text;
mod trouble;
mod value;

pub use file::RuleFile;
pub use machine::Allowance;
