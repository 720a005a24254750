//! Two-person zero-sum games in strategic form, solved exactly.
//!
//! The row player chooses a row, and the column player simultaneously chooses a column. The entry
//! is the amount that the column player pays to the row player. Entries are rational numbers of any
//! size. Results are exact: floating point only guides the search. Every result is verified by the
//! inequalities pᵀA >= v >= Aq in exact arithmetic.
//!
//! ```
//! use grundy_matrix::{read, solve};
//! let game = read::read(b"1 0\n0 2\n").unwrap();
//! let solution = solve(&game, &grundy_base::Limits::default()).unwrap();
//! assert_eq!(solution.value.to_string(), "2/3");
//! ```
//!
//! # Use
//!
//! The crate can be used directly. It has no features, and depends on `grundy-base` and on
//! libraries for long numbers and fast floating-point arithmetic. The crate `grundy` has the type
//! `Matrix`, whose methods observe the limits of a solver.
//!
//! # Complexity
//!
//! | question | time |
//! |---|---|
//! | a saddle point of an m by n game | O(m n) comparisons |
//! | the value and two optimal strategies | O((m + n) m n) operations on average |
//! | all optimal strategies | exponential in the worst case |
//! | dominated choices | O((m + n)^2 m n) comparisons in the worst case |
//! | verification of a certificate | O(m n) multiplications |
//!
//! The value and two optimal strategies also take O(k^3) operations with long numbers, where k is
//! the number of choices in the support.

pub mod certificate;
mod divisor;
pub mod dominance;
pub mod face;
pub mod guarantee;
mod lift;
mod matrix;
mod mixed;
mod modular;
mod positive;
mod rays;
pub mod read;
pub mod saddle;
mod simplex;
mod solve;
pub mod tableau;
mod wide;

pub use matrix::{MAX_ENTRIES, MAX_STRATEGIES, Matrix, Number};
pub use mixed::Mixed;
pub use num_bigint::{BigInt, BigUint};
pub use num_rational::BigRational;
pub use solve::{MatrixSolution, SolvedBy, solve};
