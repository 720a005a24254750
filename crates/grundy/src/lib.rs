//! An engine for combinatorial games. For a position it computes who wins, with what value and by
//! which moves, and it explains why.
//!
//! ```
//! use grundy::prelude::*;
//!
//! let answer = games::nim([3, 4, 5]).solve()?;
//! assert_eq!(answer.outcome(), Outcome::N);
//! assert_eq!(answer.winning_moves()[0].to_string(), "take 2 from heap 1");
//!
//! let sum = games::domineering(["...", "..."])? - games::hackenbush("0-1:b 1-2:r")?;
//! assert_eq!(sum.value()?.to_string(), "{3/2|-1}");
//! # Ok::<(), Error>(())
//! ```
//!
//! - [`Position`] is a sum of games: those of [`games`], parsed text, or user-defined games that
//!   implement [`Game`] or [`PartizanGame`].
//! - [`Solver`] answers questions within limits, and keeps what it has found.
//! - [`Value`] and [`MisereValue`] are canonical forms with arithmetic and order.
//! - [`Family`] has the values, the period and the misère quotient of the heaps of a game.
//! - [`Digraph`] is a game on a finite graph, and [`Matrix`] a zero-sum game in strategic form.
//! - [`Playing`] is a game in progress.
//!
//! # Features
//!
//! | feature | adds | default |
//! |---|---|---|
//! | `parse` | `FromStr` for positions and families | yes |
//! | `explain` | explanations and names of moves as sentences | yes |
//! | `draw` | pictures of positions: characters, SVG and TikZ | yes |
//!
//! The next table shows the price of the features. A program that solves `games::nim([3, 4, 5])`
//! was built from an empty target folder on two idle cores. The second column counts this crate and
//! its dependencies. The size is that of the release program without symbols. The row of `parse`
//! was measured on a busy machine:
//!
//! | features | crates | `cargo build` | `cargo build --release` | size |
//! |---|---|---|---|---|
//! | none | 26 | 28 s | 67 s | 5,414 kB |
//! | `parse` | 51 | 41 s | 104 s | 5,441 kB |
//! | `explain` | 44 | 37 s | 75 s | 5,432 kB |
//! | `draw` | 46 | 36 s | 80 s | 5,456 kB |
//! | all | 56 | 40 s | 90 s | 5,476 kB |
//!
//! # Complexity
//!
//! | question | time |
//! |---|---|
//! | a sum of heaps with a theorem (Nim, coins, corners) | O(n) |
//! | the heap of n of an octal game | O(n²) at most, O(1) after the proof of a period |
//! | an impartial board | one visit to each component that can be reached |
//! | the canonical form of a partizan game | the same, plus the arithmetic of forms |
//! | the outcome of a sum of partizan games | exponential in the number of components |
//! | a graph of n vertices and m moves | O(n + m) |
//! | an m by n matrix | O((m + n) m n) operations on average |
//!
//! # Other crates
//!
//! The crates behind this one are implementation details, and their interfaces change more often.
//! Four of them can be used directly:
//!
//! - `grundy-heap`: sequences of values of heap games,
//! - `grundy-forms`: canonical forms,
//! - `grundy-matrix`: matrix games,
//! - `grundy-graphs`: labels of graphs, and searches of games with billions of positions.

mod answer;
#[cfg(feature = "draw")]
mod drawing;
mod error;
mod family;
pub mod games;
mod graph;
#[cfg(feature = "explain")]
mod language;
mod matrix;
mod misere;
mod operators;
mod playing;
mod position;
pub mod prelude;
mod quotient;
mod run;
mod solver;
mod value;

pub use answer::{Answer, Move};
#[cfg(feature = "draw")]
pub use drawing::Picture;
pub use error::{Error, ErrorKind, Limit, Place};
pub use family::{Family, Period};
pub use graph::{Digraph, Labels};
pub use grundy_base::dyadic::Dyadic;
pub use grundy_base::nimber::Nimber;
pub use grundy_base::{OutcomeClass as Outcome, PayoffResult, Play, Player, Verdict};
pub use grundy_core::solve::Status;
pub use grundy_core::{Game, PartizanGame};
pub use grundy_forms::{Thermograph, Wall};
pub use grundy_matrix::{BigInt, BigRational, Mixed, Number};
pub use grundy_misere::{Class, Genus};
#[cfg(feature = "explain")]
pub use language::Language;
pub use matrix::{Entry, Matrix, Solution};
pub use misere::MisereValue;
pub use playing::Playing;
pub use position::Position;
pub use quotient::MisereQuotient;
pub use run::{CancelHandle, Progress};
pub use solver::Solver;
pub use value::{Incentives, Value};

/// Runs the programs of the guide as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/rust.md")]
struct Guide;
