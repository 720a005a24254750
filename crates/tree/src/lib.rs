//! Trees of two-person zero-sum games of perfect information: values by backward induction, exact counts, strategies,
//! the alpha-beta method told step by step, `.efg` files.
//!
//! A [`Tree`] keeps equal positions once; the tree itself, in which every way to a position is a node of its own, is its
//! unfolding. Counts are taken without unfolding, so they are exact and quick where the tree has billions of nodes.
//!
//! ```
//! use grundy_tree::{Counts, Tree};
//! let tic_toe = grundy::registry::construct_ties("tic_toe", &[]).unwrap()?;
//! let limits = grundy::Limits::default();
//! let tree = Tree::of_ties(&tic_toe, grundy::Play::Normal, &limits)?;
//! let counts = Counts::new(&tree, &limits)?;
//! assert_eq!((counts.nodes.to_string(), counts.plays.to_string()), ("49".into(), "24".into()));
//! assert_eq!(tree.positions(), 31);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod alpha_beta;
mod build;
mod count;
pub mod efg;
pub mod strategy;
mod tree;

pub use count::{Counts, values};
pub use num_bigint::BigUint;
pub use num_rational::BigRational;
pub use tree::{Branch, Node, Tree};
