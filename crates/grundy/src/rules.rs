//! The trait of rules: what a game is.
//!
//! A [`Ruleset`] lists the moves; its [`Show`] writes and draws positions; its [`Capabilities`] are the
//! theorems, bounds, shortcuts and arguments that it has beyond that, a small trait each. Rules know no
//! solver, no position and no theory. A *term* of a position is one call of a constructor, such as
//! `nim(3, 4, 5)`; its *parts* are the components that the game falls into by its rules: the heaps, each a
//! [`Ruleset::Part`]. A move changes one part and leaves zero or more parts in its place.

mod capabilities;

use std::fmt::Debug;
use std::hash::Hash;

use crate::limits::Flow;
use crate::picture::Picture;
use crate::player::Player;
use crate::step::{Move, Step};

pub use self::capabilities::{
    Bounds, Capabilities, EveryOption, ForeignParts, GivenGraph, Heaps, Negation, Operands,
    Payoffs, Promise, Ranking, Shortcuts, SmallValues, Tabulation, Teaching, Termination, Theorems,
    Turns, ValueTable,
};
pub use crate::nature::{Beginner, Ends, Moves, Nature};
pub use crate::packed::{AllSmall, ImageCache, MoveKind, PackedGame, Packs, PacksSides, Sides};
pub use crate::theorem::{Goal, Known, Structure, Theorem};

/// Receives an option: the parts left in place of the one moved in, and a way to ask for the move itself. Solvers
/// that only want values never ask, so naming a move costs nothing in a search.
pub type Visit<'a, P> = &'a mut dyn FnMut(&[P], &dyn Fn() -> Move) -> Flow;

/// The rules of a game.
pub trait Ruleset: Debug + Eq + Hash + Send + Sync + 'static {
    /// One component of a position of this game.
    type Part: Clone + Debug + Eq + Hash + Send + Sync + 'static;

    /// The name of the constructor.
    fn name(&self) -> &'static str;

    /// How positions are written, named and drawn.
    fn show(&self) -> &dyn Show<Self::Part>;

    /// Returns what the rules provide beyond moves and text. Ask once per listing, not per option.
    fn capabilities(&self) -> Capabilities<'_, Self::Part> {
        Capabilities::NONE
    }

    /// What kind of game it is.
    fn nature(&self, _part: &Self::Part) -> Nature {
        Nature::IMPARTIAL
    }

    /// Visits every option that `player` has in `part`, which stands at `index` in its term, each once and in a fixed order,
    /// until `visit` breaks. There may be 2^64 of them: nothing may be collected first. Where both players have the same
    /// moves the player is of no account; rules given at run time may fail, and then break with [`Stop::Rules`].
    fn options(
        &self,
        player: Player,
        index: usize,
        part: &Self::Part,
        visit: Visit<'_, Self::Part>,
    ) -> Flow;

    /// Returns the same rules with the players exchanged, if parts stay as they are and the rules change
    /// sides. Has one implementor: rules given at run time know no negative of a part.
    fn exchanged(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Splits a part into independent components in canonical form: equal up to symmetry is equal, dead
    /// squares are gone, and what cannot touch each other stands apart. Solvers remember values of these.
    fn components(&self, part: &Self::Part, visit: &mut dyn FnMut(Self::Part)) {
        visit(part.clone());
    }
}

/// How positions of a game are written, named and drawn.
pub trait Show<P> {
    /// The term in canonical notation.
    fn write(&self, parts: &[P]) -> String;

    /// Whether a term is written as a sum of its parts, so that nothing tells where one term ends and the next begins.
    fn written_as_sum(&self) -> bool {
        false
    }

    /// Whether the first number of `at` says which of several games inside the term is moved in, as the place of a term does in a
    /// sum.
    fn at_begins_with_the_part(&self) -> bool {
        false
    }

    /// A short name of the part within its game.
    fn caption(&self, part: &P) -> String {
        self.write(std::slice::from_ref(part))
    }

    /// The components of a part with the names that they have in it; nothing where those in canonical form are as good.
    fn pieces(&self, _part: &P) -> Option<Vec<P>> {
        None
    }

    /// What the term looks like.
    fn picture(&self, parts: &[P]) -> Picture {
        Picture::Text(self.write(parts))
    }

    /// The names of the players, of Left or the first one first, where they are not called that.
    fn players(&self) -> Option<[&'static str; 2]> {
        None
    }

    /// What has to be said about a term before anything else, such as what was left out when it was read.
    fn remarks(&self, _parts: &[P]) -> Vec<Step> {
        Vec::new()
    }

    /// About how many bytes a term holds in memory.
    fn held(&self, parts: &[P]) -> usize {
        self.write(parts).len()
    }
}

/// A row of letters, as it is written.
pub(crate) fn written(letters: &[u8]) -> String {
    letters.iter().copied().map(char::from).collect()
}

/// `name(1, 2, 3)`: the usual way to write a term whose parts are numbers.
#[must_use]
pub fn call(name: &str, arguments: impl IntoIterator<Item = impl ToString>) -> String {
    let arguments: Vec<String> = arguments.into_iter().map(|a| a.to_string()).collect();
    format!("{name}({})", arguments.join(", "))
}
