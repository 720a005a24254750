//! Two-person zero-sum games in strategic form, solved exactly.
//!
//! The row player chooses a row, the column player a column, both at once; the entry is what the column player pays
//! to the row player. Entries are rational numbers of any size. Nothing here rounds: floating point only guides the
//! search, and what leaves this crate has been put back into the inequalities pᵀA >= v >= Aq in exact arithmetic.
//!
//! ```
//! use grundy_matrix::{Matrix, read};
//! let game = read::read(b"1 0\n0 2\n").unwrap();
//! assert_eq!((game.rows(), game.columns()), (2, 2));
//! ```

mod matrix;
pub mod read;
pub mod saddle;

pub use matrix::{MOST_ENTRIES, MOST_STRATEGIES, Matrix, Number};
pub use num_bigint::BigInt;
pub use num_rational::BigRational;
