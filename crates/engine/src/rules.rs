//! The trait of rules, which define a game.
//!
//! A [`Ruleset`] lists the moves and writes positions. Its [`Capabilities`] are optional: pictures,
//! theorems, bounds, shortcuts and arguments, each a small trait. Rules know no solver, no position
//! and no theory.
//!
//! A *term* of a position is one call of a constructor, such as `nim(3, 4, 5)`. Its *parts* are the
//! components into which the rules divide the game: here the heaps, each a [`Ruleset::Part`]. A
//! move changes one part and leaves zero or more parts in its place.

mod capabilities;

use std::fmt::Debug;
use std::hash::Hash;

use grundy_base::limits::Flow;
use grundy_base::player::Player;
use grundy_base::step::Move;

pub use self::capabilities::{
    Bounds, Capabilities, Captions, EveryOption, ForeignParts, GivenGraph, Heaps, MemoryUse,
    Negation, Operands, Payoffs, Pictures, Pieces, Promise, Ranking, Shortcuts, SmallValues,
    Tabulation, Teaching, Termination, TextStyle, Theorems, Turns, ValueTable,
};
pub use crate::nature::{Beginner, Ends, Moves, Nature};
pub use crate::packed::{AllSmall, ImageCache, MoveKind, PackedGame, Packs, PacksSides, Sides};
pub use crate::theorem::{BOUTON, ByTheorem, Goal, NAMED_VALUES, Structure, Theorem};

/// Callback for an option. The arguments are the parts that replace the part in which the move is
/// made, and a function that returns the move. Solvers that only need values never call the
/// function, so the name of a move costs nothing in a search.
pub type Visit<'a, P> = &'a mut dyn FnMut(&[P], &dyn Fn() -> Move) -> Flow;

/// The rules of a game.
pub trait Ruleset: Debug + Eq + Hash + Send + Sync + 'static {
    /// One component of a position of this game.
    type Part: Clone + Debug + Eq + Hash + Send + Sync + 'static;

    /// Returns the name of the constructor.
    fn name(&self) -> &'static str;

    /// Returns the features that the rules provide in addition to moves and text. Call it once per
    /// listing, not per option.
    fn capabilities(&self) -> Capabilities<'_, Self::Part> {
        Capabilities::NONE
    }

    /// Returns the kind of the game.
    fn nature(&self, _part: &Self::Part) -> Nature {
        Nature::IMPARTIAL
    }

    /// Visits every option that `player` has in `part`, until `visit` breaks. Each option occurs
    /// once, and the order is fixed. `index` is the position of the part in its term. There may be
    /// 2^64 options, so an implementation must not collect them first. If both players have the
    /// same moves, `player` is ignored. Rules given at run time may fail: they break with
    /// [`Stop::Rules`](grundy_base::Stop::Rules).
    fn options(
        &self,
        player: Player,
        index: usize,
        part: &Self::Part,
        visit: Visit<'_, Self::Part>,
    ) -> Flow;

    /// Returns the same rules with the players exchanged, if the exchange leaves parts unchanged.
    /// Has one implementor: rules given at run time, which know no negative of a part.
    fn exchanged(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Writes a term of parts in canonical notation. Different parts have different texts, except
    /// on a graph that is known by the name of its file.
    fn write(&self, parts: &[Self::Part]) -> String;

    /// Splits a part into independent components in canonical form. Components that are equal up to
    /// symmetry are equal, dead squares are removed, and regions that cannot interact are separate
    /// components. Solvers cache the values of these components.
    fn components(&self, part: &Self::Part, visit: &mut dyn FnMut(Self::Part)) {
        visit(part.clone());
    }
}

/// Formats `name(1, 2, 3)`, the usual text of a term whose parts are numbers.
#[must_use]
pub fn call(name: &str, arguments: impl IntoIterator<Item = impl ToString>) -> String {
    let arguments: Vec<String> = arguments.into_iter().map(|a| a.to_string()).collect();
    format!("{name}({})", arguments.join(", "))
}
