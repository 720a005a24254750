//! Optional features of rules in addition to moves and notation. Each is a small trait.
//!
//! A capability must agree with the moves. Tests compare both.

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

/// The knowledge whether every play under some rules ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Termination {
    /// Every play ends.
    #[default]
    Ends,
    /// Every play should end, but this is not proved, since rules given at run time may repeat
    /// positions.
    Unproved,
    /// A play may continue forever.
    NeedNotEnd,
}

/// The style of the notation of a term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextStyle {
    /// `true` if a term is written as a sum of its parts. In this case the notation does not show
    /// where one term ends and the next begins.
    pub sum: bool,
    /// `true` if the first integer of a move's list `at` is the index of the game within the term.
    /// In a sum this index takes the place of the term's index.
    pub at_begins_with_part: bool,
}

/// The optional features of some rules, whose parts have the type `P`.
///
/// A game sets the fields of the features that it has:
/// `Capabilities { theorems: Some(self), ..Capabilities::NONE }`.
#[derive(Debug)]
pub struct Capabilities<'a, P: 'static> {
    /// Theorems about values and outcomes.
    pub theorems: Option<&'a dyn Theorems<P>>,
    /// Bounds of the values of parts.
    pub bounds: Option<&'a dyn Bounds<P>>,
    /// The heap game of parts that are heaps.
    pub heaps: Option<&'a dyn Heaps<P>>,
    /// A table that computes the values of parts.
    pub value_table: Option<Tabulation<P>>,
    /// The mark of an impartial game whose positions split into parts with small values.
    pub small_values: Option<&'a dyn SmallValues<P>>,
    /// The packing of components of an impartial game into words.
    pub packs: Option<&'static dyn Packs<P>>,
    /// The packing of components of an all-small game into words.
    pub packs_sides: Option<&'static dyn PacksSides<P>>,
    /// The negative of a part, in which the players are exchanged.
    pub negation: Option<&'a dyn Negation<P>>,
    /// Payoffs at the end.
    pub payoffs: Option<&'a dyn Payoffs<P>>,
    /// The games of which a part is composed.
    pub operands: Option<&'a dyn Operands<P>>,
    /// The listing of several moves to the same position.
    pub every_option: Option<&'a dyn EveryOption<P>>,
    /// The order in which a search tries the moves.
    pub promise: Option<&'a dyn Promise<P>>,
    /// The direct generation of the options that meet a goal.
    pub shortcuts: Option<&'a dyn Shortcuts<P>>,
    /// The ranking of all positions.
    pub ranks: Option<&'a dyn Ranking<P>>,
    /// The player to move, if a part records it.
    pub turn: Option<&'a dyn Turns<P>>,
    /// The graph that defines the game.
    pub given_graph: Option<&'a dyn GivenGraph<P>>,
    /// Parts that are written as terms of other rules.
    pub foreign_parts: Option<&'a dyn ForeignParts<P>>,
    /// Short names of parts within their game.
    pub captions: Option<&'a dyn Captions<P>>,
    /// Drawings of terms.
    pub pictures: Option<&'a dyn Pictures<P>>,
    /// The components of a part, with names that refer to the part.
    pub pieces: Option<&'a dyn Pieces<P>>,
    /// The number of bytes that parts occupy.
    pub memory_use: Option<&'a dyn MemoryUse<P>>,
    /// The names of both players, if the game has special ones: Left or the first player, then
    /// Right or the second player.
    pub players: Option<[&'static str; 2]>,
    /// The style of the notation of a term.
    pub text: TextStyle,
    /// Explanations for readers.
    pub teaching: Option<&'a dyn Teaching<P>>,
    /// The knowledge whether every play ends.
    pub termination: Termination,
}

impl<P> Capabilities<'_, P> {
    /// No optional features, for a game in which every play ends.
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

    /// Returns the value in normal play, if a theorem proves that it is a certain number.
    fn number(&self, _part: &P) -> Option<ByTheorem<Dyadic>> {
        None
    }

    /// Returns the value in normal play, if a theorem gives its canonical form.
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

    /// Returns the value in normal play, if there is a faster way than through all options. It is
    /// not a theorem that an explanation cites. Only coloured Hackenbush implements it, by its
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

    /// Returns the outcome of a part that is not in a sum, if a theorem gives it. The theorem need
    /// not give the value.
    fn outcome(&self, _part: &P, _play: Play) -> Option<ByTheorem<Outcome>> {
        None
    }
}

/// Bounds of values in normal play.
pub trait Bounds<P>: Debug {
    /// Returns a lower and an upper bound of the value of a component, both integers. Tighter
    /// bounds shorten a search.
    fn bounds(&self, part: &P) -> Option<[i64; 2]>;

    /// Returns the moves in reserve of Left and of Right in a component. The reserves of a sum are
    /// the sums of those of its components.
    fn reserves(&self, part: &P) -> Option<[Reserve; 2]> {
        let [least, most] = self.bounds(part)?;
        let most = most.checked_neg()?;
        Some([Reserve::of_integer(least)?, Reserve::of_integer(most)?])
    }
}

/// Parts that are heaps of a heap game. Their values form a sequence.
pub trait Heaps<P>: Debug {
    /// Returns the rules of the heap game, and the size of the heap.
    fn heap(&self, part: &P) -> (&HeapRules, u64);

    /// Returns the parts with the heap sizes `left`, and the move that replaces `part` by them.
    fn leave(&self, _index: usize, _part: &P, _left: &[u64]) -> Option<(Vec<P>, Move)> {
        None
    }
}

/// The constructor of a table of values, and the parts that the table covers.
#[derive(Debug)]
pub struct Tabulation<P: 'static> {
    /// Creates an empty table.
    pub table: fn() -> Box<dyn ValueTable<P>>,
    /// `true` if the table covers every part and computes each value from earlier ones. If it is
    /// `false`, parts that the table does not cover are searched.
    pub complete: bool,
}

/// A table of the Sprague-Grundy values of parts, filled on demand.
pub trait ValueTable<P>: Debug + Send + Sync {
    /// Returns the value of a part, or `None` if the table does not cover it.
    ///
    /// # Errors
    /// The limit that was reached.
    fn grundy(&mut self, part: &P, limits: &Limits<'_>) -> Result<Option<u64>, Stop>;

    /// Returns whether a part is a P-position, if the table finds this out faster than the value.
    ///
    /// # Errors
    /// The limit that was reached.
    fn is_p(&mut self, _part: &P, _limits: &Limits<'_>) -> Result<Option<bool>, Stop> {
        Ok(None)
    }

    /// Returns the amount of work done since the table was created.
    fn work(&self) -> Work {
        Work::default()
    }
}

/// An impartial game that ends, and whose positions split into parts with small values. Values are
/// found by asking for the outcomes of sums with Nim heaps. This visits only few options.
pub trait SmallValues<P>: Debug {
    /// Returns the approximate number of moves in a part.
    fn size(&self, part: &P) -> u64;
}

/// The negatives of parts, in which the players are exchanged.
pub trait Negation<P>: Debug {
    /// Returns the negative of a component in canonical form, if the rules can express it.
    fn negative(&self, part: &P) -> Option<P>;
}

/// Payoffs at the end.
pub trait Payoffs<P>: Debug {
    /// Returns the payoff of a part without options, in normal play, for the player to move.
    ///
    /// # Errors
    /// [`Stop::Rules`] if rules given at run time fail.
    fn payoff(&self, part: &P, to_move: Player) -> Result<Worth, Stop>;
}

/// The games of which a part is composed. Only ordinal sums implement it: by a theorem, the
/// positions of the upper game need not be visited.
pub trait Operands<P>: Debug {
    /// Returns the terms of G and the terms of H, if the part is the ordinal sum G:H. If the part
    /// is G alone, H has no terms.
    fn operands<'a>(&self, part: &'a P) -> Option<[&'a [Arc<dyn AnyTerm>]; 2]>;
}

/// The listing of several moves to the same position, any of which a player may name.
pub trait EveryOption<P>: Debug {
    /// Visits all options, including those that [`super::Ruleset::options`] leaves out because
    /// another move leads to the same position.
    fn every_option(&self, player: Player, index: usize, part: &P, visit: Visit<'_, P>) -> Flow;
}

/// The order in which a search tries the moves. Only Domineering implements it. There it reduces
/// the time on 8 by 8 squares to a third.
pub trait Promise<P>: Debug {
    /// Visits the options of [`super::Ruleset::options`], with the most promising ones first.
    fn options_by_promise(&self, player: Player, part: &P, visit: Visit<'_, P>) -> Flow;
}

/// The direct generation of the options that meet a goal.
pub trait Shortcuts<P>: Debug {
    /// Visits some options, among them all that meet `goal`, in the order of
    /// [`super::Ruleset::options`]. Returns `None` if there is no direct way.
    fn options_to(&self, index: usize, part: &P, goal: Goal, visit: Visit<'_, P>) -> Option<Flow>;
}

/// Ranking of positions.
pub trait Ranking<P>: Debug {
    /// Returns the game that ranks all positions reachable from a term with these parts, if the
    /// rules have ranks.
    ///
    /// # Errors
    /// [`Stop::Rules`] if rules given at run time fail or give inconsistent answers.
    fn ranked(&self, parts: &[P]) -> Result<Option<Arc<dyn RankedGame>>, Stop>;
}

/// The player to move, as recorded in a part. Only Northcott's game implements it, since its
/// notation records the player to move.
pub trait Turns<P>: Debug {
    /// Returns the part after the player to move has moved in another part, if this changes the
    /// part.
    fn passed(&self, part: &P) -> Option<P>;

    /// Returns the part such that either player may begin, for use in a sum.
    ///
    /// # Errors
    /// The notation fixes the player who begins.
    fn freed(&self, part: &P) -> Result<P, Diagnostic>;
}

/// The graph that defines a game. Only explicit graphs implement it: the name of a graph's file
/// does not determine the position.
pub trait GivenGraph<P>: Debug {
    /// Returns the graph, and the vertex at which `part` is.
    fn network(&self, part: &P) -> Option<(&Network, u32)>;
}

/// Parts that are written as terms of other rules.
pub trait ForeignParts<P>: Debug {
    /// Returns the part that these rules write as the terms `read`, if there is one.
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

/// The components of a part, with names that refer to the part. Only Hackenbush implements it: its
/// edges have names, which canonical components lack.
pub trait Pieces<P>: Debug {
    /// Returns the components with the names of the part, or `None` if the canonical components
    /// have them too.
    fn pieces(&self, part: &P) -> Option<Vec<P>>;
}

/// The number of bytes that parts occupy, for parts that are larger than their notation suggests.
pub trait MemoryUse<P>: Debug {
    /// Returns the approximate number of bytes that the parts of a term occupy.
    fn bytes(&self, parts: &[P]) -> usize;
}

/// Explanations for readers.
pub trait Teaching<P>: Debug {
    /// Returns the step that applies the theorem to a part. It contains the numbers of the part,
    /// and the value that results. If the theorem gives no value, it contains the outcome.
    fn reckon(&self, _part: &P, _play: Play) -> Option<Step> {
        None
    }

    /// Returns the steps that explain the value of a part in normal play, and how a move reaches
    /// the value `wanted`. Most rules return no steps, since the name of a theorem explains enough.
    fn argument(&self, _part: &P, _wanted: Option<u64>) -> Vec<Step> {
        Vec::new()
    }

    /// Returns remarks about a term that an interface shows before any other output, for example
    /// that the parser dropped some parts.
    fn remarks(&self, _parts: &[P]) -> Vec<Step> {
        Vec::new()
    }

    /// Returns the number of moves of the longest play from a part, if it is known.
    fn longest_play(&self, _part: &P) -> Option<u128> {
        None
    }
}
