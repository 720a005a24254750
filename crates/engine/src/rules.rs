//! The trait [`Ruleset`], which the rules of every game implement.
//!
//! A [`Ruleset`] lists the moves and writes positions in canonical notation. Its [`Capabilities`]
//! are optional features, such as pictures, theorems, bounds and shortcuts. Each feature is a small
//! trait. Rules depend on no solver, no position and no theory of values.
//!
//! A *term* of a position is one call of a constructor, such as `nim(3, 4, 5)`. Its *parts* are the
//! components into which the rules divide it, each a [`Ruleset::Part`]. In the example these are
//! the heaps. A move replaces one part by zero or more parts.

mod any_rules;
mod capabilities;

use std::fmt::Debug;
use std::hash::Hash;

use grundy_base::limits::Flow;
use grundy_base::player::Player;
use grundy_base::step::Move;

pub use self::any_rules::AnyRules;
pub use self::capabilities::{
    Bounds, Capabilities, Captions, EveryOption, ExplicitGraph, ForeignParts, Heaps, MemoryUse,
    MoveOrder, Negation, Operands, Payoffs, Pictures, Pieces, Ranking, Shortcuts, SmallValues,
    Tabulation, Teaching, Termination, TextStyle, Theorems, Turns, ValueTable,
};
pub use crate::nature::{Beginner, Ends, Moves, Nature};
pub use crate::packed::{
    AllSmall, MoveKind, OrientationCache, PackedGame, Packs, PacksSides, Sides,
};
pub use crate::theorem::{BOUTON, ByTheorem, Goal, NAMED_VALUES, Structure, Theorem};

/// A callback for an option. Its arguments are the parts that replace the part in which the move is
/// made, and a function that returns the name of the move. A solver that needs only values never
/// calls the second argument, so naming moves takes no time in a search.
pub type Visit<'a, P> = &'a mut dyn FnMut(&[P], &dyn Fn() -> Move) -> Flow;

/// A type of parts. Every type with these properties implements the trait.
pub trait Part: Clone + Debug + Eq + Hash + Send + Sync + 'static {}

impl<P: Clone + Debug + Eq + Hash + Send + Sync + 'static> Part for P {}

/// The rules of a game.
pub trait Ruleset: Debug + Eq + Hash + Send + Sync + 'static {
    /// One component of a position of this game.
    type Part: Part;

    /// Returns the name of the constructor, such as `nim` in `nim(3, 4, 5)`.
    fn name(&self) -> &'static str;

    /// Returns the optional features of the rules. To save time, call this method once before
    /// listing the moves, not once for each option.
    fn capabilities(&self) -> Capabilities<'_, Self::Part> {
        Capabilities::NONE
    }

    /// Returns the kind of game that a part belongs to.
    fn nature(&self, _part: &Self::Part) -> Nature {
        Nature::IMPARTIAL
    }

    /// Visits every option that `player` has in `part`, until `visit` breaks. Each option occurs
    /// once, and the order is fixed. `index` is the index of the part in its term. If both players
    /// have the same moves, `player` is ignored.
    ///
    /// There may be 2^64 options, so an implementation must not collect them first. If rules given
    /// at run time fail, the visit breaks with [`Stop::Rules`](grundy_base::Stop::Rules).
    fn options(
        &self,
        player: Player,
        index: usize,
        part: &Self::Part,
        visit: Visit<'_, Self::Part>,
    ) -> Flow;

    /// Returns the rules with the players exchanged, if every part under the new rules is the
    /// negative of the same part under these rules. Only the rules of user-defined games implement
    /// this method, since they cannot compute the negative of a part.
    fn exchanged(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Returns the canonical notation of the term with these parts. Different parts must have
    /// different notations. The only exception is a graph from a file, which is written as the name
    /// of the file.
    fn write(&self, parts: &[Self::Part]) -> String;

    /// Splits a part into independent components in canonical form. Components that are equal up to
    /// symmetry become equal, and squares that no move can use are removed. Regions that cannot
    /// interact become separate components. Solvers cache the values of these components.
    fn components(&self, part: &Self::Part, visit: &mut dyn FnMut(Self::Part)) {
        visit(part.clone());
    }
}

/// Formats a call such as `name(1, 2, 3)`, the usual notation of a term whose parts are numbers.
///
/// ```
/// use grundy_core::rules::call;
/// assert_eq!(call("nim", [3, 4, 5]), "nim(3, 4, 5)");
/// ```
#[must_use]
pub fn call(name: &str, arguments: impl IntoIterator<Item = impl ToString>) -> String {
    let arguments: Vec<String> = arguments.into_iter().map(|a| a.to_string()).collect();
    format!("{name}({})", arguments.join(", "))
}
