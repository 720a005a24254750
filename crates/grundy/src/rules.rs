//! The trait of rules: what a game is.
//!
//! A [`Ruleset`] says what a position is and which moves there are; its [`Show`] how a position is written and what it looks
//! like; its [`Knowledge`], where a theorem gives the value, what the theorem says. It knows no solver. A *term* of a position is one call of a
//! constructor, such as `nim(3, 4, 5)`; its *parts* are the components that the game falls into by its rules: the
//! heaps, each a [`Ruleset::Part`]. A move changes one part and leaves zero or more parts in its place.

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use crate::algebra::Misere;
use crate::diagnostic::Diagnostic;
use crate::dyadic::Dyadic;
use crate::graph::Network;
use crate::limits::{Flow, Limits, Stop};
use crate::outcome::{Outcome, Play, Worth};
use crate::picture::Picture;
use crate::player::Player;
use crate::ranked::RankedGame;
use crate::reserve::Reserve;
use crate::step::{Move, Step};
use crate::store::erased::AnyTerm;
use grundy_forms::{Form, Forms};

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

    /// What is known about the game beyond its moves.
    fn knowledge(&self) -> &dyn Knowledge<Self::Part> {
        &NothingKnown
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

    /// The same in the order in which a search had best try them, as far as the rules know one.
    fn options_by_promise(
        &self,
        player: Player,
        part: &Self::Part,
        visit: Visit<'_, Self::Part>,
    ) -> Flow {
        self.options(player, 0, part, visit)
    }

    /// The same, with the moves that lead where an earlier one does and are left out there: whoever moves may name any of them.
    fn every_option(
        &self,
        player: Player,
        index: usize,
        part: &Self::Part,
        visit: Visit<'_, Self::Part>,
    ) -> Flow {
        self.options(player, index, part, visit)
    }

    /// What a part without an option is worth to the player to move, in normal play.
    ///
    /// # Errors
    /// [`Stop::Rules`] where rules given at run time have no answer.
    fn payoff(&self, _part: &Self::Part, _to_move: Player) -> Result<Worth, Stop> {
        Ok(Worth::Lose)
    }

    /// What the part becomes when its player moves elsewhere, where that makes a difference: a game in which the
    /// position says whose turn it is.
    fn passed(&self, _part: &Self::Part) -> Option<Self::Part> {
        None
    }

    /// The same rules with the players exchanged, where parts stay as they are and the rules change sides.
    fn exchanged(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Returns the part that the rules write as these terms of other rules, if there is one.
    fn read_as(&self, _read: &[Arc<dyn AnyTerm>]) -> Option<Self::Part> {
        None
    }

    /// The part in a sum in which either player may begin, where the part alone says who does.
    ///
    /// # Errors
    /// A beginner that was asked for in so many words.
    fn freed(&self, part: &Self::Part) -> Result<Self::Part, Diagnostic> {
        Ok(part.clone())
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

/// What is known about a game beyond its moves: theorems, structure, short cuts, arguments. All of it may be left out, and
/// nothing here may say other than the moves do.
pub trait Knowledge<P> {
    /// How values of parts can be computed when no theorem gives them.
    fn structure<'a>(&'a self, _part: &'a P) -> Structure<'a> {
        Structure::Search
    }

    /// About how many moves there are in a part of a [`Structure::Splitting`] game.
    fn size(&self, _part: &P) -> u64 {
        0
    }

    /// Components as words, where the game falls into many: those of impartial games.
    fn packed(&self) -> Option<&'static dyn Packs<P>> {
        None
    }

    /// Components as words, where the game is all-small in normal play.
    fn sides(&self) -> Option<&'static dyn PacksSides<P>> {
        None
    }

    /// The Sprague–Grundy value in normal play, when a theorem gives it.
    fn grundy(&self, _part: &P) -> Option<Known<u64>> {
        None
    }

    /// The tame misère value, when a theorem gives it.
    fn misere(&self, _part: &P) -> Option<Known<Misere>> {
        None
    }

    /// The value in normal play, where a theorem says that it is a number and which.
    fn number(&self, _part: &P) -> Option<Known<Dyadic>> {
        None
    }

    /// The value in normal play, where a theorem gives a canonical form.
    ///
    /// # Errors
    /// The limit that was reached.
    fn form(
        &self,
        _part: &P,
        _forms: &mut Forms,
        _limits: &Limits<'_>,
    ) -> Result<Option<Known<Form>>, Stop> {
        Ok(None)
    }

    /// The value in normal play, where there is a shorter way to it than by all options, which is not told as a theorem.
    ///
    /// # Errors
    /// The limit that was reached.
    fn form_in_pieces(
        &self,
        _part: &P,
        _forms: &mut Forms,
        _limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop> {
        Ok(None)
    }

    /// Returns the terms of the games G and H of which a part is the ordinal sum. H has none if the
    /// part is G alone.
    fn operands<'a>(&self, _part: &'a P) -> Option<[&'a [Arc<dyn AnyTerm>]; 2]> {
        None
    }

    /// The outcome of a part standing alone, when a theorem gives it (and perhaps not the value).
    fn outcome(&self, _part: &P, _play: Play) -> Option<Known<Outcome>> {
        None
    }

    /// Whole numbers between which the value of a component lies in normal play, where that is known: the first is at
    /// most the value, the second at least. The nearer they are, the less is searched.
    fn bounds(&self, _part: &P) -> Option<[i64; 2]> {
        None
    }

    /// What Left and what Right has in reserve in a component in normal play. What is certain of a sum follows from what its components
    /// have together.
    fn reserves(&self, part: &P) -> Option<[Reserve; 2]> {
        let [least, most] = self.bounds(part)?;
        let most = most.checked_neg()?;
        Some([Reserve::of_integer(least)?, Reserve::of_integer(most)?])
    }

    /// The component with the players exchanged, in canonical form, where the rules can express it.
    fn negative(&self, _part: &P) -> Option<P> {
        None
    }

    /// Visits all options that may meet `goal`, found directly: at least those that do, in the order of
    /// [`Ruleset::options`]. The default knows no short cut and says so by `None`.
    fn options_to(
        &self,
        _index: usize,
        _part: &P,
        _goal: Goal,
        _visit: Visit<'_, P>,
    ) -> Option<Flow> {
        None
    }

    /// For games on heaps: the parts and the name of the move that leaves the heaps `left` in place of `part`.
    fn leave(&self, _index: usize, _part: &P, _left: &[u64]) -> Option<(Vec<P>, Move)> {
        None
    }

    /// The theorem applied to a part that it speaks of: one step with the numbers of the part in it, which say what the value,
    /// or the outcome where that is all a theorem gives, comes to.
    fn reckon(&self, _part: &P, _play: Play) -> Option<Step> {
        None
    }

    /// Why a part has its value in normal play, step by step, and how to give it the value `wanted`: for rulesets that
    /// have more to say than the name of a theorem.
    fn argument(&self, _part: &P, _wanted: Option<u64>) -> Vec<Step> {
        Vec::new()
    }

    /// The number of moves of the longest play, where it is known.
    fn longest_play(&self, _part: &P) -> Option<u128> {
        None
    }

    /// The game with its positions numbered, from a term of `parts` on, where the rules number them.
    ///
    /// # Errors
    /// [`Stop::Rules`] where rules given at run time have no answer, or answers that do not fit together.
    fn ranked(&self, _parts: &[P]) -> Result<Option<Arc<dyn RankedGame>>, Stop> {
        Ok(None)
    }

    /// The graph that the game is given as, and the vertex that `part` stands on.
    fn network(&self, _part: &P) -> Option<(&Network, u32)> {
        None
    }

    /// Whether every play ends.
    fn finite(&self) -> bool {
        true
    }

    /// Whether [`Knowledge::finite`] is more than a hope: rules given at run time may let positions come back.
    fn known_to_end(&self) -> bool {
        self.finite()
    }
}

/// The knowledge of a game about which nothing is known but its moves.
#[derive(Debug)]
pub struct NothingKnown;

impl<P> Knowledge<P> for NothingKnown {}

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
