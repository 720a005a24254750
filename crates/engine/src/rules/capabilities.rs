//! Optional features of rules in addition to moves and text, each a small trait.
//!
//! A capability must agree with the moves. Tests compare the two.

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

/// The termination of plays under some rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Termination {
    /// Every play ends.
    #[default]
    Ends,
    /// Every play should end, but this is not proved: rules given at run time may repeat positions.
    Unproved,
    /// A play need not end.
    NeedNotEnd,
}

/// The style of the text of a term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextStyle {
    /// `true` if a term is written as a sum of its parts. The text then does not show where one
    /// term ends and the next begins.
    pub sum: bool,
    /// `true` if the first number of `at` names the game inside the term in which the move is made.
    /// In a sum this is the place of the term.
    pub at_begins_with_part: bool,
}

/// The capabilities of some rules, that is, their features in addition to moves and text. `P` is
/// the type of their parts.
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
    /// Table of the values of parts.
    pub value_table: Option<Tabulation<P>>,
    /// Positions that split and have small values.
    pub small_values: Option<&'a dyn SmallValues<P>>,
    /// Components of an impartial game as words.
    pub packs: Option<&'static dyn Packs<P>>,
    /// Components of an all-small game as words.
    pub packs_sides: Option<&'static dyn PacksSides<P>>,
    /// Parts with the players exchanged.
    pub negation: Option<&'a dyn Negation<P>>,
    /// Payoffs at the end.
    pub payoffs: Option<&'a dyn Payoffs<P>>,
    /// The games of which a part is composed.
    pub operands: Option<&'a dyn Operands<P>>,
    /// Several moves to one position.
    pub every_option: Option<&'a dyn EveryOption<P>>,
    /// The order in which a search tries moves.
    pub promise: Option<&'a dyn Promise<P>>,
    /// Options that meet a goal, found directly.
    pub shortcuts: Option<&'a dyn Shortcuts<P>>,
    /// Ranking of positions.
    pub ranks: Option<&'a dyn Ranking<P>>,
    /// The turn as part of a position.
    pub turn: Option<&'a dyn Turns<P>>,
    /// The graph that defines the game.
    pub given_graph: Option<&'a dyn GivenGraph<P>>,
    /// Parts that are written as terms of other rules.
    pub foreign_parts: Option<&'a dyn ForeignParts<P>>,
    /// Short names of parts.
    pub captions: Option<&'a dyn Captions<P>>,
    /// Drawings of terms.
    pub pictures: Option<&'a dyn Pictures<P>>,
    /// The components of a part with their names in the part.
    pub pieces: Option<&'a dyn Pieces<P>>,
    /// The bytes used by parts.
    pub memory_use: Option<&'a dyn MemoryUse<P>>,
    /// The names of Left and Right, or of the first and the second player, if the game has special
    /// ones.
    pub players: Option<[&'static str; 2]>,
    /// The style of the text of a term.
    pub text: TextStyle,
    /// Arguments for readers.
    pub teaching: Option<&'a dyn Teaching<P>>,
    /// The termination of plays.
    pub termination: Termination,
}

impl<P> Capabilities<'_, P> {
    /// No capabilities, in a game in which every play ends.
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

    /// Returns the value in normal play if a theorem proves that it is a given number.
    fn number(&self, _part: &P) -> Option<ByTheorem<Dyadic>> {
        None
    }

    /// Returns the value in normal play if a theorem gives a canonical form.
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

    /// Returns the value in normal play if there is a shorter way than through all options, other
    /// than a theorem that an explanation cites. Has one implementor: coloured Hackenbush by its
    /// blocks.
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

    /// Returns the outcome of a part on its own, if a theorem gives it. The theorem may leave the
    /// value open.
    fn outcome(&self, _part: &P, _play: Play) -> Option<ByTheorem<Outcome>> {
        None
    }
}

/// Bounds of values in normal play.
pub trait Bounds<P>: Debug {
    /// Returns two integers: a lower and an upper bound of the value of a component. Tighter bounds
    /// save search.
    fn bounds(&self, part: &P) -> Option<[i64; 2]>;

    /// Returns the reserves of Left and of Right in a component. The reserves of a sum are the sums
    /// of the reserves.
    fn reserves(&self, part: &P) -> Option<[Reserve; 2]> {
        let [least, most] = self.bounds(part)?;
        let most = most.checked_neg()?;
        Some([Reserve::of_integer(least)?, Reserve::of_integer(most)?])
    }
}

/// Parts that are heaps of a heap game, whose values form a sequence.
pub trait Heaps<P>: Debug {
    /// Returns the rules and the size of the heap.
    fn heap(&self, part: &P) -> (&HeapRules, u64);

    /// Returns the heaps `left` as parts, and the move that replaces `part` by them.
    fn leave(&self, _index: usize, _part: &P, _left: &[u64]) -> Option<(Vec<P>, Move)> {
        None
    }
}

/// A constructor of a table of values, and the extent of the table.
#[derive(Debug)]
pub struct Tabulation<P: 'static> {
    /// Creates an empty table.
    pub table: fn() -> Box<dyn ValueTable<P>>,
    /// `true` if every part is in the table, each value by recurrence from earlier ones. Otherwise
    /// the parts missing from the table are searched.
    pub complete: bool,
}

/// A table of the Sprague-Grundy values of parts, filled on demand.
pub trait ValueTable<P>: Debug + Send + Sync {
    /// Returns the value of a part, or `None` if the table does not cover it.
    ///
    /// # Errors
    /// The limit that was reached.
    fn grundy(&mut self, part: &P, limits: &Limits<'_>) -> Result<Option<u64>, Stop>;

    /// Returns whether a part is a P-position, if this is cheaper than its value.
    ///
    /// # Errors
    /// The limit that was reached.
    fn is_p(&mut self, _part: &P, _limits: &Limits<'_>) -> Result<Option<bool>, Stop> {
        Ok(None)
    }

    /// Returns the work done since the table was created.
    fn work(&self) -> Work {
        Work::default()
    }
}

/// A finite impartial game whose positions split and have small values. Outcome queries about sums
/// with Nim heaps find them, without a visit to most options.
pub trait SmallValues<P>: Debug {
    /// Returns the approximate number of moves in a part.
    fn size(&self, part: &P) -> u64;
}

/// Parts with the players exchanged.
pub trait Negation<P>: Debug {
    /// Returns the component with the players exchanged in canonical form, if the rules can express
    /// it.
    fn negative(&self, part: &P) -> Option<P>;
}

/// Payoffs at the end.
pub trait Payoffs<P>: Debug {
    /// Returns the payoff of a part without options to the player to move, in normal play.
    ///
    /// # Errors
    /// [`Stop::Rules`] if rules given at run time fail.
    fn payoff(&self, part: &P, to_move: Player) -> Result<Worth, Stop>;
}

/// The games of which a part is composed. Has one implementor: a theorem on ordinal sums skips the
/// positions of the upper game.
pub trait Operands<P>: Debug {
    /// Returns the terms of G and H if a part is the ordinal sum G:H. H has no terms if the part is
    /// G alone.
    fn operands<'a>(&self, part: &'a P) -> Option<[&'a [Arc<dyn AnyTerm>]; 2]>;
}

/// Several moves to one position. A player may name any of them.
pub trait EveryOption<P>: Debug {
    /// Visits the options as [`super::Ruleset::options`] does, including those that it leaves out.
    fn every_option(&self, player: Player, index: usize, part: &P, visit: Visit<'_, P>) -> Flow;
}

/// The order in which a search tries moves. Has one implementor: Domineering, where it cuts the
/// time on 8 by 8 squares to a third.
pub trait Promise<P>: Debug {
    /// Visits the options of [`super::Ruleset::options`], most promising first.
    fn options_by_promise(&self, player: Player, part: &P, visit: Visit<'_, P>) -> Flow;
}

/// Options that meet a goal, found directly.
pub trait Shortcuts<P>: Debug {
    /// Visits a set of options in the order of [`super::Ruleset::options`] that includes all
    /// options that meet `goal`. Returns `None` if there is no shortcut.
    fn options_to(&self, index: usize, part: &P, goal: Goal, visit: Visit<'_, P>) -> Option<Flow>;
}

/// Ranking of positions.
pub trait Ranking<P>: Debug {
    /// Returns the game with ranks for all positions reachable from a term of `parts`, if the rules
    /// number them.
    ///
    /// # Errors
    /// [`Stop::Rules`] if rules given at run time fail or give inconsistent answers.
    fn ranked(&self, parts: &[P]) -> Result<Option<Arc<dyn RankedGame>>, Stop>;
}

/// The turn as part of a position. Has one implementor: the notation of Northcott's game records
/// the player to move.
pub trait Turns<P>: Debug {
    /// Returns the part after its player has moved in another part, if that changes it.
    fn passed(&self, part: &P) -> Option<P>;

    /// Returns the part for a sum in which either player may begin.
    ///
    /// # Errors
    /// The notation names a beginner explicitly.
    fn freed(&self, part: &P) -> Result<P, Diagnostic>;
}

/// The graph that defines the game. Has one implementor: the text of a graph in a file does not
/// determine the position.
pub trait GivenGraph<P>: Debug {
    /// Returns the graph and the vertex of `part`.
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

/// The components of a part with their names in the part. Has one implementor: the edges of
/// Hackenbush have names, which the canonical form drops.
pub trait Pieces<P>: Debug {
    /// Returns the components if they have names that canonical components lack.
    fn pieces(&self, part: &P) -> Option<Vec<P>>;
}

/// The bytes used by parts, if the length of their text is too low an estimate.
pub trait MemoryUse<P>: Debug {
    /// Returns the approximate number of bytes that a term of parts uses.
    fn bytes(&self, parts: &[P]) -> usize;
}

/// Arguments for readers.
pub trait Teaching<P>: Debug {
    /// Applies the theorem to a part. The step has the numbers of the part and the resulting value,
    /// or the outcome if the theorem gives no value.
    fn reckon(&self, _part: &P, _play: Play) -> Option<Step> {
        None
    }

    /// Explains step by step why a part has its value in normal play, and how to reach the value
    /// `wanted`. For rules that have more to explain than the name of a theorem.
    fn argument(&self, _part: &P, _wanted: Option<u64>) -> Vec<Step> {
        Vec::new()
    }

    /// Returns the remarks about a term that precede all other output, such as parts that were
    /// dropped by the parser.
    fn remarks(&self, _parts: &[P]) -> Vec<Step> {
        Vec::new()
    }

    /// Returns the number of moves of the longest play if it is known.
    fn longest_play(&self, _part: &P) -> Option<u128> {
        None
    }
}
