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
