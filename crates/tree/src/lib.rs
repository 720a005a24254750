//! Trees of two-person zero-sum and constant-sum games with perfect information: values by backward
//! induction, exact counts, strategies, the alpha-beta method, and `.efg` files.
//!
//! A [`Tree`] stores equal positions once. The game tree is its unfolding: every path from the root
//! is a separate node. Counts refer to the game tree, but are computed without unfolding. They are
//! exact, and their computation is fast even if the game tree has billions of nodes.
//!
//! A tree can be built from any game that implements [`TreeSource`].
//!
//! ```
//! use grundy_base::step::Step;
//! use grundy_base::{Flow, Limits, Player, Stop, PayoffResult};
//! use grundy_tree::{Counts, TreeSource, Tree};
//!
//! /// A heap of three chips. A move takes one or two, and whoever takes the last chip wins.
//! struct Heap;
//!
//! impl TreeSource for Heap {
//!     type Position = u64;
//!     type Class = u64;
//!
//!     fn start(&self) -> u64 {
//!         3
//!     }
//!     fn first_player(&self) -> Player {
//!         Player::Left
//!     }
//!     fn players(&self) -> [String; 2] {
//!         ["first", "second"].map(str::to_owned)
//!     }
//!     fn moves(&self, &n: &u64, _: Player, visit: &mut dyn FnMut(Step, u64) -> Flow) -> Flow {
//!         (1..=n.min(2))
//!             .try_for_each(|taken| visit(Step::new("take").with("count", taken), n - taken))
//!     }
//!     fn terminal_result(&self, _: &u64, _: Player) -> Result<PayoffResult, Stop> {
//!         Ok(PayoffResult::Lose)
//!     }
//!     fn name(&self, n: &u64) -> String {
//!         n.to_string()
//!     }
//!     fn class(&mut self, &n: &u64) -> u64 {
//!         n
//!     }
//! }
//!
//! let limits = Limits::default();
//! let tree = Tree::of(&mut Heap, &limits)?;
//! let counts = Counts::new(&tree, &limits)?;
//! assert_eq!((counts.nodes.to_string(), counts.plays.to_string()), ("7".into(), "3".into()));
//! assert_eq!((tree.positions(), tree.payoff_text(counts.value)), (4, "second".into()));
//! # Ok::<(), Stop>(())
//! ```
//!
//! This crate is an implementation detail of the interfaces of grundy.

pub mod alpha_beta;
mod build;
mod count;
pub mod efg;
mod source;
pub mod strategy;
mod tree;

pub use count::{Counts, values};
pub use num_bigint::BigUint;
pub use num_rational::BigRational;
pub use source::TreeSource;
pub use tree::{Branch, Node, Tree};
