//! What rules may provide beyond moves and text, a small trait each.
//!
//! Nothing here may say other than the moves do: tests hold the two equal.

use std::fmt::Debug;
use std::sync::Arc;

use grundy_forms::{Form, Forms};

use super::Visit;
use crate::move_counts::Reserve;
use crate::packed::{Packs, PacksSides};
use crate::store::erased::AnyTerm;
use crate::store::erased::ranked::RankedGame;
use crate::theorem::{ByTheorem, Goal};
use crate::work::Work;
use grundy_base::diagnostic::Diagnostic;
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::{Flow, Limits, Stop};
use grundy_base::outcome::{Outcome, Play, Worth};
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_graphs::graph::Network;
use grundy_heap::HeapRules;
use grundy_heap::algebra::Misere;

/// The end of plays under some rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Termination {
    /// Every play ends.
    #[default]
    Ends,
    /// Every play should end, but that is not proved: rules given at run time may let positions
    /// come back.
    Unproved,
    /// A play need not end.
    NeedNotEnd,
}

/// The style of the text of a term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextStyle {
    /// `true` if a term is written as a sum of its parts, so that nothing tells where one term ends
    /// and the next begins.
    pub sum: bool,
    /// `true` if the first number of `at` says which of several games inside the term is moved in,
    /// as the place of a term does in a sum.
    pub at_begins_with_part: bool,
}

/// The capabilities of some rules: what they provide beyond moves and text, for parts of type `P`.
///
/// A game sets the fields that it has:
/// `Capabilities { theorems: Some(self), ..Capabilities::NONE }`.
#[derive(Debug)]
pub struct Capabilities<'a, P: 'static> {
    /// Theorems about values and outcomes.
    pub theorems: Option<&'a dyn Theorems<P>>,
    /// Bounds of values.
    pub bounds: Option<&'a dyn Bounds<P>>,
    /// Parts that are heaps of a heap game.
    pub heaps: Option<&'a dyn Heaps<P>>,
    /// A table of the values of parts.
    pub value_table: Option<Tabulation<P>>,
    /// Positions that fall apart and have small values.
    pub small_values: Option<&'a dyn SmallValues<P>>,
    /// Components of an impartial game as words.
    pub packs: Option<&'static dyn Packs<P>>,
    /// Components of an all-small game as words.
    pub packs_sides: Option<&'static dyn PacksSides<P>>,
    /// Parts with the players exchanged.
    pub negation: Option<&'a dyn Negation<P>>,
    /// Payoffs at the end.
    pub payoffs: Option<&'a dyn Payoffs<P>>,
    /// The games that a part is made of.
    pub operands: Option<&'a dyn Operands<P>>,
    /// Moves that lead where an earlier one does.
    pub every_option: Option<&'a dyn EveryOption<P>>,
    /// The order in which a search tries moves.
    pub promise: Option<&'a dyn Promise<P>>,
    /// Options that meet a goal, found directly.
    pub shortcuts: Option<&'a dyn Shortcuts<P>>,
    /// Positions by numbers.
    pub ranks: Option<&'a dyn Ranking<P>>,
    /// The turn as part of a position.
    pub turn: Option<&'a dyn Turns<P>>,
    /// The graph that the game is given as.
    pub given_graph: Option<&'a dyn GivenGraph<P>>,
    /// Parts that are written as terms of other rules.
    pub foreign_parts: Option<&'a dyn ForeignParts<P>>,
    /// Short names of parts.
    pub captions: Option<&'a dyn Captions<P>>,
    /// Drawings of terms.
    pub pictures: Option<&'a dyn Pictures<P>>,
    /// The components of a part by the names that they have in it.
    pub pieces: Option<&'a dyn Pieces<P>>,
    /// The bytes that parts hold.
    pub memory_use: Option<&'a dyn MemoryUse<P>>,
    /// The names of Left and Right, or of the first and the second player, if they have others.
    pub players: Option<[&'static str; 2]>,
    /// The style of the text of a term.
    pub text: TextStyle,
    /// Arguments for people.
    pub teaching: Option<&'a dyn Teaching<P>>,
    /// The end of plays.
    pub termination: Termination,
}

impl<P> Capabilities<'_, P> {
    /// Nothing but the moves: every play ends.
    pub const NONE: Self = Self {
        theorems: None,
        bounds: None,
        heaps: None,
        value_table: None,
        small_values: None,
        packs: None,
        packs_sides: None,
        negation: None,
        payoffs: None,
        operands: None,
        every_option: None,
        promise: None,
        shortcuts: None,
        ranks: None,
        turn: None,
        given_graph: None,
        foreign_parts: None,
        captions: None,
        pictures: None,
        pieces: None,
        memory_use: None,
        players: None,
        text: TextStyle {
            sum: false,
            at_begins_with_part: false,
        },
        teaching: None,
        termination: Termination::Ends,
    };
}

/// Theorems about values and outcomes.
pub trait Theorems<P>: Debug {
    /// Returns the Sprague-Grundy value in normal play, if a theorem gives it.
    fn grundy(&self, _part: &P) -> Option<ByTheorem<u64>> {
        None
    }

    /// Returns the tame misère value, if a theorem gives it.
    fn misere(&self, _part: &P) -> Option<ByTheorem<Misere>> {
        None
    }

    /// Returns the value in normal play, if a theorem says that it is a number and which.
    fn number(&self, _part: &P) -> Option<ByTheorem<Dyadic>> {
        None
    }

    /// Returns the value in normal play, if a theorem gives a canonical form.
    ///
    /// # Errors
    /// The limit that was reached.
    fn form(
        &self,
        _part: &P,
        _forms: &mut Forms,
        _limits: &Limits<'_>,
    ) -> Result<Option<ByTheorem<Form>>, Stop> {
        Ok(None)
    }

    /// Returns the value in normal play, if there is a shorter way to it than by all options that
    /// is not told as a theorem. Has one implementor: coloured Hackenbush by its blocks.
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

    /// Returns the outcome of a part standing alone, if a theorem gives it, perhaps without the
    /// value.
    fn outcome(&self, _part: &P, _play: Play) -> Option<ByTheorem<Outcome>> {
        None
    }
}

/// Bounds of values in normal play.
pub trait Bounds<P>: Debug {
    /// Returns whole numbers between which the value of a component lies: the first is at most the
    /// value, the second at least. The nearer they are, the less is searched.
    fn bounds(&self, part: &P) -> Option<[i64; 2]>;

    /// Returns the reserves of Left and of Right in a component. What is certain of a sum follows
    /// from what its components have together.
    fn reserves(&self, part: &P) -> Option<[Reserve; 2]> {
        let [least, most] = self.bounds(part)?;
        let most = most.checked_neg()?;
        Some([Reserve::of_integer(least)?, Reserve::of_integer(most)?])
    }
}

/// Parts that are heaps of a heap game: values form a sequence.
pub trait Heaps<P>: Debug {
    /// Returns the rules and the size of the heap that a part is.
    fn heap(&self, part: &P) -> (&HeapRules, u64);

    /// Returns the parts and the name of the move that leaves the heaps `left` in place of `part`.
    fn leave(&self, _index: usize, _part: &P, _left: &[u64]) -> Option<(Vec<P>, Move)> {
        None
    }
}

/// A way to make a table of values, and its extent.
#[derive(Debug)]
pub struct Tabulation<P: 'static> {
    /// Makes an empty table.
    pub table: fn() -> Box<dyn ValueTable<P>>,
    /// `true` if every part is in the table, each value by a recurrence from those before it.
    /// Otherwise parts that the table leaves out are searched.
    pub complete: bool,
}

/// A table of the Sprague-Grundy values of parts, filled as far as it is asked about.
pub trait ValueTable<P>: Debug + Send + Sync {
    /// Returns the value of a part. Returns `None` if the table leaves it out.
    ///
    /// # Errors
    /// The limit that was reached.
    fn grundy(&mut self, part: &P, limits: &Limits<'_>) -> Result<Option<u64>, Stop>;

    /// Returns whether a part is a P-position, if that takes less than its value.
    ///
    /// # Errors
    /// The limit that was reached.
    fn is_p(&mut self, _part: &P, _limits: &Limits<'_>) -> Result<Option<bool>, Stop> {
        Ok(None)
    }

    /// Returns the work done since the beginning.
    fn work(&self) -> Work {
        Work::default()
    }
}

/// A finite impartial game whose positions fall apart and have small values. These are found by
/// asking who wins the sum with a Nim heap, which leaves most options unlooked at.
pub trait SmallValues<P>: Debug {
    /// Returns the number of moves in a part, about.
    fn size(&self, part: &P) -> u64;
}

/// Parts with the players exchanged.
pub trait Negation<P>: Debug {
    /// Returns the component with the players exchanged, in canonical form, if the rules can
    /// express it.
    fn negative(&self, part: &P) -> Option<P>;
}

/// Payoffs at the end.
pub trait Payoffs<P>: Debug {
    /// Returns the payoff of a part without options to the player to move, in normal play.
    ///
    /// # Errors
    /// [`Stop::Rules`] if rules given at run time have no answer.
    fn payoff(&self, part: &P, to_move: Player) -> Result<Worth, Stop>;
}

/// The games that a part is made of. Has one implementor: for ordinal sums a theorem skips all of
/// the upper game.
pub trait Operands<P>: Debug {
    /// Returns the terms of the games G and H of which a part is the ordinal sum. H has none if the
    /// part is G alone.
    fn operands<'a>(&self, part: &'a P) -> Option<[&'a [Arc<dyn AnyTerm>]; 2]>;
}

/// Moves that lead where an earlier one does: whoever moves may name any of them.
pub trait EveryOption<P>: Debug {
    /// Visits the options as [`super::Ruleset::options`] does, with those that it leaves out.
    fn every_option(&self, player: Player, index: usize, part: &P, visit: Visit<'_, P>) -> Flow;
}

/// The order in which a search tries moves. Has one implementor: Domineering on 8 by 8 squares
/// takes a third of the time by it.
pub trait Promise<P>: Debug {
    /// Visits the options as [`super::Ruleset::options`] does, in the order of their promise.
    fn options_by_promise(&self, player: Player, part: &P, visit: Visit<'_, P>) -> Flow;
}

/// Options that meet a goal, found directly.
pub trait Shortcuts<P>: Debug {
    /// Visits all options that may meet `goal`: at least those that do, in the order of
    /// [`super::Ruleset::options`]. Returns `None` if there is no short cut.
    fn options_to(&self, index: usize, part: &P, goal: Goal, visit: Visit<'_, P>) -> Option<Flow>;
}

/// Positions by numbers.
pub trait Ranking<P>: Debug {
    /// Returns the game with its positions numbered, from a term of `parts` on, if the rules number
    /// them.
    ///
    /// # Errors
    /// [`Stop::Rules`] if rules given at run time have no answer, or answers that do not fit
    /// together.
    fn ranked(&self, parts: &[P]) -> Result<Option<Arc<dyn RankedGame>>, Stop>;
}

/// The turn as part of a position. Has one implementor: in Northcott's game the notation says who
/// is to move.
pub trait Turns<P>: Debug {
    /// Returns the part after a move of its player elsewhere, if that makes a difference.
    fn passed(&self, part: &P) -> Option<P>;

    /// Returns the part in a sum in which either player may begin.
    ///
    /// # Errors
    /// A beginner that was asked for explicitly.
    fn freed(&self, part: &P) -> Result<P, Diagnostic>;
}

/// The graph that the game is given as. Has one implementor: the text of a graph in a file does not
/// say all of the position.
pub trait GivenGraph<P>: Debug {
    /// Returns the graph, and the vertex that `part` stands on.
    fn network(&self, part: &P) -> Option<(&Network, u32)>;
}

/// Parts that are written as terms of other rules.
pub trait ForeignParts<P>: Debug {
    /// Returns the part that the rules write as these terms, if there is one.
    fn read_as(&self, read: &[Arc<dyn AnyTerm>]) -> Option<P>;
}

/// Short names of parts.
pub trait Captions<P>: Debug {
    /// Returns a short name of the part within its game.
    fn caption(&self, part: &P) -> String;
}

/// Drawings of terms.
pub trait Pictures<P>: Debug {
    /// Draws a term of parts.
    fn picture(&self, parts: &[P]) -> Picture;
}

/// The components of a part by the names that they have in it. Has one implementor: the edges of
/// Hackenbush have names that the canonical form leaves out.
pub trait Pieces<P>: Debug {
    /// Returns the components, if those in canonical form are not as good.
    fn pieces(&self, part: &P) -> Option<Vec<P>>;
}

/// The bytes that parts hold, if the length of their text says less.
pub trait MemoryUse<P>: Debug {
    /// Returns the bytes that a term of parts holds in memory, about.
    fn bytes(&self, parts: &[P]) -> usize;
}

/// Arguments for people.
pub trait Teaching<P>: Debug {
    /// Applies the theorem to a part that it speaks of: one step with the numbers of the part in
    /// it, which say what the value comes to, or the outcome if a theorem gives no more.
    fn reckon(&self, _part: &P, _play: Play) -> Option<Step> {
        None
    }

    /// Explains step by step why a part has its value in normal play, and how to give it the value
    /// `wanted`: for rules that have more to say than the name of a theorem.
    fn argument(&self, _part: &P, _wanted: Option<u64>) -> Vec<Step> {
        Vec::new()
    }

    /// Returns the remarks about a term that come before anything else, such as what was left out
    /// when it was read.
    fn remarks(&self, _parts: &[P]) -> Vec<Step> {
        Vec::new()
    }

    /// Returns the number of moves of the longest play, if it is known.
    fn longest_play(&self, _part: &P) -> Option<u128> {
        None
    }
}
