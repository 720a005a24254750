//! Implicit games: the graph is never written down, its positions are made as they are asked for.
//!
//! [`Game`] is the whole of what one has to implement: a position type and its options. [`hashed`] answers by looking at
//! every position that can be reached, remembered under compact keys; [`pruned`] answers "who wins" or "by how much"
//! alone, by alpha-beta search with a table of bounds; [`dense`] is for games whose positions can be numbered so that
//! options have smaller numbers: one byte a position and a single pass, tens of millions of positions a second.
//!
//! No search here recurses: the way down is kept on a stack of its own.

pub mod dense;
pub mod hashed;
pub mod pruned;

use std::hash::Hash;

/// The rules of a game that ends: in normal play who cannot move has lost.
///
/// ```
/// use grundy::implicit::{Game, hashed};
/// use grundy::{Limits, Outcome, Play};
///
/// /// Take one, three or four chips.
/// struct Take;
///
/// impl Game for Take {
///     type Position = u32;
///
///     fn options(&self, &n: &u32, visit: &mut dyn FnMut(u32)) {
///         [1, 3, 4].into_iter().filter(|&k| k <= n).for_each(|k| visit(n - k));
///     }
/// }
///
/// let mut table = hashed::HashedTable::new(&Take, Play::Normal);
/// assert_eq!(table.outcome(&9, &Limits::default()), Ok(Outcome::P));
/// ```
pub trait Game {
    /// A position. The smaller it is, the more of them fit into memory: pack it into an integer if possible.
    type Position: Copy + Eq + Hash;

    /// Visits every option of `position`, in any order: good moves first makes searches quick.
    fn options(&self, position: &Self::Position, visit: &mut dyn FnMut(Self::Position));

    /// One position for all that are equal up to symmetry. The default knows no symmetry.
    fn canonical(&self, position: Self::Position) -> Self::Position {
        position
    }
}
