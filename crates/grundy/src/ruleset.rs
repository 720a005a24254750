//! Rulesets: one file a game.
//!
//! A ruleset says what a position is, which moves there are, how the position is written, and, where a theorem
//! gives the value, what the theorem says. It knows no solver. A *term* of a position is one call of a
//! constructor, such as `nim(3, 4, 5)`; its *parts* are the components that the game falls into by its rules: the
//! heaps, each a [`Ruleset::Part`]. A move changes one part and leaves zero or more parts in its place.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use crate::graph::Network;
use crate::heap::HeapRules;
use crate::outcome::{Outcome, Play};
use crate::picture::Picture;
use crate::step::{Move, Step};
use crate::theory::Misere;

pub mod all_but;
mod board;
pub mod calendar;
pub mod chomp;
pub mod coin_turning;
pub mod col;
pub mod colouring;
pub mod corner_piece;
pub mod cram;
pub mod domineering;
pub mod euclid;
pub mod fibonacci_nim;
pub mod graph;
pub mod grundys_game;
pub mod hackenbush;
pub mod halves;
pub mod heap_game;
pub mod k_in_a_row;
pub mod laskers_nim;
pub mod moore_nim;
pub mod nim;
pub mod nimble;
pub mod northcott;
pub mod rows;
pub mod snort;
pub mod staircase_nim;
pub mod strip_coins;
pub mod subtraction;
pub mod take_and_break;
pub mod toads_and_frogs;
pub mod tree;

/// A theorem that a ruleset relies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Theorem {
    /// The short name used as `method` in JSON, such as `bouton`.
    pub method: &'static str,
    /// The name in words, such as "Bouton's theorem".
    pub name: &'static str,
    /// What it says, in one sentence.
    pub statement: &'static str,
    /// Author, title, year.
    pub source: &'static str,
}

/// A fact with the theorem that gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known<T> {
    /// The fact.
    pub value: T,
    /// Why it holds.
    pub theorem: &'static Theorem,
}

/// What a solver may rely on when it has to compute the value of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Structure<'a> {
    /// One heap of a heap game, of the size given: values form a sequence.
    Heap(&'a HeapRules, u64),
    /// A piece on the quarter board at the point given that slides any distance along each direction `(dx, dy)`
    /// (subtracted from the point).
    Slider(&'static [(u64, u64)], (u64, u64)),
    /// A finite game whose positions fall apart and have small values: these are found by asking who wins the sum
    /// with a Nim heap, which leaves most options unlooked at.
    Splitting,
    /// A game that need not end: its values are those of Smith and Fraenkel.
    Loopy,
    /// Nothing: the options have to be searched.
    Search,
}

/// What a player wants of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Sprague–Grundy value as given, in normal play.
    Grundy(u64),
    /// A P-position.
    P(Play),
}

/// Receives an option: the parts left in place of the one moved in, and a way to ask for the move itself. Solvers
/// that only want values never ask, so naming a move costs nothing in a search.
pub type Visit<'a, P> = &'a mut dyn FnMut(&[P], &dyn Fn() -> Move) -> ControlFlow<()>;

/// The rules of a game.
pub trait Ruleset: Debug + Eq + Hash + Send + Sync + 'static {
    /// One component of a position of this game.
    type Part: Clone + Debug + Eq + Hash + Ord + Send + Sync + 'static;

    /// The name of the constructor.
    fn name(&self) -> &'static str;

    /// The term in canonical notation.
    fn write(&self, parts: &[Self::Part]) -> String;

    /// Visits every option of `part`, which stands at `index` in its term, each once and in a fixed order,
    /// until `visit` breaks. There may be 2^64 of them: nothing may be collected first.
    fn options(
        &self,
        index: usize,
        part: &Self::Part,
        visit: Visit<'_, Self::Part>,
    ) -> ControlFlow<()>;

    /// Splits a part into independent components in canonical form: equal up to symmetry is equal, dead
    /// squares are gone, and what cannot touch each other stands apart. Solvers remember values of these.
    fn components(&self, part: &Self::Part, visit: &mut dyn FnMut(Self::Part)) {
        visit(part.clone());
    }

    /// How values of parts can be computed when no theorem gives them.
    fn structure<'a>(&'a self, _part: &Self::Part) -> Structure<'a> {
        Structure::Search
    }

    /// How much work a part of a [`Structure::Splitting`] game is likely to be: any measure that grows with it.
    fn size(&self, _part: &Self::Part) -> u64 {
        0
    }

    /// The Sprague–Grundy value in normal play, when a theorem gives it.
    fn grundy(&self, _part: &Self::Part) -> Option<Known<u64>> {
        None
    }

    /// The tame misère value, when a theorem gives it.
    fn misere(&self, _part: &Self::Part) -> Option<Known<Misere>> {
        None
    }

    /// The outcome of a part standing alone, when a theorem gives it (and perhaps not the value).
    fn outcome(&self, _part: &Self::Part, _play: Play) -> Option<Known<Outcome>> {
        None
    }

    /// Visits all options that may meet `goal`, found directly: at least those that do, in the order of
    /// [`Ruleset::options`]. The default knows no short cut and says so by `None`.
    fn options_to(
        &self,
        _index: usize,
        _part: &Self::Part,
        _goal: Goal,
        _visit: Visit<'_, Self::Part>,
    ) -> Option<ControlFlow<()>> {
        None
    }

    /// For games on heaps: the parts and the name of the move that leaves the heaps `left` in place of `part`.
    fn leave(
        &self,
        _index: usize,
        _part: &Self::Part,
        _left: &[u64],
    ) -> Option<(Vec<Self::Part>, Move)> {
        None
    }

    /// What the term looks like.
    fn picture(&self, parts: &[Self::Part]) -> Picture {
        Picture::Text(self.write(parts))
    }

    /// Why a part has its value in normal play, step by step, and how to give it the value `wanted`: for rulesets that
    /// have more to say than the name of a theorem.
    fn argument(&self, _part: &Self::Part, _wanted: Option<u64>) -> Vec<Step> {
        Vec::new()
    }

    /// What has to be said about a term before anything else, such as what was left out when it was read.
    fn remarks(&self, _parts: &[Self::Part]) -> Vec<Step> {
        Vec::new()
    }

    /// About how many bytes a term holds in memory.
    fn held(&self, parts: &[Self::Part]) -> usize {
        self.write(parts).len()
    }

    /// The number of moves of the longest play, where it is known.
    fn longest_play(&self, _part: &Self::Part) -> Option<u128> {
        None
    }

    /// What the part becomes when its player moves elsewhere, where that makes a difference: a game in which the
    /// position says whose turn it is.
    fn passed(&self, _part: &Self::Part) -> Option<Self::Part> {
        None
    }

    /// The graph that the game is given as, and the vertex that `part` stands on.
    fn network(&self, _part: &Self::Part) -> Option<(&Network, u32)> {
        None
    }

    /// Whether both players always have the same moves.
    fn impartial(&self) -> bool {
        true
    }

    /// Whether every play ends.
    fn finite(&self) -> bool {
        true
    }

    /// Whether [`Ruleset::finite`] is more than a hope: rules given at run time may let positions come back.
    fn known_to_end(&self) -> bool {
        self.finite()
    }
}

/// `name(1, 2, 3)`: the usual way to write a term whose parts are numbers.
#[must_use]
pub fn call(name: &str, arguments: impl IntoIterator<Item = impl ToString>) -> String {
    let arguments: Vec<String> = arguments.into_iter().map(|a| a.to_string()).collect();
    format!("{name}({})", arguments.join(", "))
}
