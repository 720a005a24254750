//! Values of short partizan games (J. H. Conway, On Numbers and Games, 1976; A. N. Siegel,
//! Combinatorial Game Theory, 2013).
//!
//! Every short game has a *canonical form*: the simplest game equal to it. [`Forms`] stores each
//! canonical form once, so two forms are equal if and only if their values are equal. It computes
//! sums, comparisons, thermographs, cooled games, and the outcomes of sums.
//!
//! ```
//! use grundy_base::Limits;
//! use grundy_forms::{Forms, text};
//! let (mut forms, limits) = (Forms::default(), Limits::default());
//! let hot = text::read("{2|-1/2}", &mut forms, &limits).unwrap();
//! let thermograph = forms.thermograph(hot, &limits)?;
//! assert_eq!(thermograph.mean().to_string(), "3/4");
//! assert_eq!(thermograph.temperature().to_string(), "5/4");
//! let twice = forms.plus(hot, hot, &limits)?;
//! assert_eq!(forms.write(twice), "3/2");
//! # Ok::<(), grundy_base::Stop>(())
//! ```
//!
//! # Use
//!
//! The crate can be used directly, for example in a solver of partizan games that has its own
//! rules. It has no features and depends only on `grundy-base` and a hash function. The crate
//! `grundy` has the type `Value`, which needs no [`Forms`] and has operators.
//!
//! # Complexity
//!
//! | question | time |
//! |---|---|
//! | a form from its options | comparisons of each option with the others and with the game |
//! | sum and comparison of two forms | at most one visit to each pair of their positions |
//! | thermograph, mean and temperature | one visit to each position that is not in the cache |
//! | text of a form | linear in the number of its different positions |

mod arena;
mod block;
mod born;
mod canonical;
mod compare;
mod comparison_cache;
mod fold;
mod followers;
mod form;
mod ground;
mod heating;
mod incentives;
mod latex;
mod packed;
mod reduced;
mod stalk;
mod sum;
pub mod text;
mod thermograph;
mod thermographs;
mod uptimal;
mod weight;

pub use arena::Forms;
pub use block::Edge;
pub use compare::Relation;
pub use form::Form;
pub use incentives::Incentives;
pub use packed::Packed;
pub use thermograph::{Thermograph, Wall};
pub use uptimal::Uptimal;
