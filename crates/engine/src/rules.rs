//! The trait of rules: what a game is.
//!
//! A [`Ruleset`] lists the moves and writes positions; its [`Capabilities`] are the pictures,
//! theorems, bounds, shortcuts and arguments that it has beyond that, a small trait each. Rules
//! know no solver, no position and no theory. A *term* of a position is one call of a constructor,
//! such as `nim(3, 4, 5)`; its *parts* are the components that the game falls into by its rules:
//! the heaps, each a [`Ruleset::Part`]. A move changes one part and leaves zero or more parts in
//! its place.

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

/// Receives an option: the parts left in place of the one moved in, and a way to ask for the move
/// itself. Solvers that only want values never ask, so naming a move costs nothing in a search.
pub type Visit<'a, P> = &'a mut dyn FnMut(&[P], &dyn Fn() -> Move) -> Flow;

/// The rules of a game.
pub trait Ruleset: Debug + Eq + Hash + Send + Sync + 'static {
    /// One component of a position of this game.
    type Part: Clone + Debug + Eq + Hash + Send + Sync + 'static;

    /// Returns the name of the constructor.
    fn name(&self) -> &'static str;

    /// Returns what the rules provide beyond moves and text. Ask once per listing, not per option.
    fn capabilities(&self) -> Capabilities<'_, Self::Part> {
        Capabilities::NONE
    }

    /// What kind of game it is.
    fn nature(&self, _part: &Self::Part) -> Nature {
        Nature::IMPARTIAL
    }

    /// Visits every option that `player` has in `part`, which stands at `index` in its term, each
    /// once and in a fixed order, until `visit` breaks. There may be 2^64 of them: nothing may be
    /// collected first. Where both players have the same moves the player is of no account; rules
    /// given at run time may fail, and then break with [`Stop::Rules`](grundy_base::Stop::Rules).
    fn options(
        &self,
        player: Player,
        index: usize,
        part: &Self::Part,
        visit: Visit<'_, Self::Part>,
    ) -> Flow;

    /// Returns the same rules with the players exchanged, if parts stay as they are and the rules
    /// change sides. Has one implementor: rules given at run time know no negative of a part.
    fn exchanged(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Writes a term of parts in canonical notation. Parts that differ are written differently,
    /// except on a graph that is known by the name of its file.
    fn write(&self, parts: &[Self::Part]) -> String;

    /// Splits a part into independent components in canonical form: equal up to symmetry is equal,
    /// dead squares are gone, and what cannot touch each other stands apart. Solvers remember
    /// values of these.
    fn components(&self, part: &Self::Part, visit: &mut dyn FnMut(Self::Part)) {
        visit(part.clone());
    }
}

/// `name(1, 2, 3)`: the usual way to write a term whose parts are numbers.
#[must_use]
pub fn call(name: &str, arguments: impl IntoIterator<Item = impl ToString>) -> String {
    let arguments: Vec<String> = arguments.into_iter().map(|a| a.to_string()).collect();
    format!("{name}({})", arguments.join(", "))
}
