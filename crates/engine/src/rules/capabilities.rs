//! Optional features of rules, in addition to moves and notation. Each feature is a small trait.
//!
//! Each feature must agree with the moves. Tests compare the features with the moves.

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
use grundy_base::outcome::{Outcome, PayoffResult, Play};
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_graphs::graph::Network;
use grundy_heap::HeapRules;
use grundy_heap::algebra::Misere;

/// The possible answers to the question whether every play under some rules ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Termination {
    /// Every play ends.
    #[default]
    Ends,
    /// Every play is assumed to end. This is not proved, and a position might repeat. User-defined
    /// games, and games composed of other games, have this value.
    Unproved,
    /// A play may continue forever.
    Loopy,
}

/// The style of the notation of a term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextStyle {
    /// `true` if a term is written as a sum of its parts. In this case the notation does not show
    /// which parts belong to the same term.
    pub sum: bool,
    /// `true` if the list `at` of a move begins with the index of the game that contains the move,
    /// as in an ordinal sum. If a position consists of one term,
    /// [`Position::locate_move`](crate::Position::locate_move) returns this index as the component
    /// of the move.
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
    /// The heap game, if the parts are heaps.
    pub heaps: Option<&'a dyn Heaps<P>>,
    /// A table that computes the Sprague–Grundy values of parts on demand.
    pub value_table: Option<Tabulation<P>>,
    /// A measure of the size of parts, for an impartial game whose positions split into parts with
    /// small values.
    pub small_values: Option<&'a dyn SmallValues<P>>,
    /// The packing of components of an impartial game into words.
    pub packs: Option<&'static dyn Packs<P>>,
    /// The packing of components of an all-small game into words.
    pub packs_sides: Option<&'static dyn PacksSides<P>>,
    /// The negative of a part, in which the players are exchanged.
    pub negation: Option<&'a dyn Negation<P>>,
    /// Payoffs of parts without options.
    pub payoffs: Option<&'a dyn Payoffs<P>>,
    /// The games of which a part is composed.
    pub operands: Option<&'a dyn Operands<P>>,
    /// The listing of all moves, if several moves lead to the same position.
    pub every_option: Option<&'a dyn EveryOption<P>>,
    /// The order in which a search tries the moves.
    pub move_order: Option<&'a dyn MoveOrder<P>>,
    /// The direct generation of the options that meet a goal, for example of all options with a
    /// given Sprague–Grundy value.
    pub shortcuts: Option<&'a dyn Shortcuts<P>>,
    /// The numbering of all reachable positions by ranks.
    pub ranks: Option<&'a dyn Ranking<P>>,
    /// Operations on the player to move, if parts record this player.
    pub turn: Option<&'a dyn Turns<P>>,
    /// The graph on which the game is played, for an explicit graph.
    pub explicit_graph: Option<&'a dyn ExplicitGraph<P>>,
    /// Parts that are written as terms of other rules.
    pub foreign_parts: Option<&'a dyn ForeignParts<P>>,
    /// Short names of parts within their game.
    pub captions: Option<&'a dyn Captions<P>>,
    /// Drawings of terms.
    pub pictures: Option<&'a dyn Pictures<P>>,
    /// The components of a part, in which every named element, such as an edge, keeps its name.
    pub pieces: Option<&'a dyn Pieces<P>>,
    /// The number of bytes that parts occupy.
    pub memory_use: Option<&'a dyn MemoryUse<P>>,
    /// The names of both players, if the game has special ones: Left or the first player, then
    /// Right or the second player.
    pub players: Option<[&'static str; 2]>,
    /// The style of the notation of a term.
    pub text: TextStyle,
    /// Explanations of the values and outcomes of parts.
    pub teaching: Option<&'a dyn Teaching<P>>,
    /// The knowledge about whether every play ends.
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
        move_order: None,
        shortcuts: None,
        ranks: None,
        turn: None,
        explicit_graph: None,
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

    /// Returns the value in normal play, if a theorem gives it as a number.
    fn number(&self, _part: &P) -> Option<ByTheorem<Dyadic>> {
        None
    }

    /// Returns the value in normal play, if a theorem gives its canonical form.
    ///
    /// # Errors
    /// Fails with the limit that was reached.
    fn form(
        &self,
        _part: &P,
        _forms: &mut Forms,
        _limits: &Limits<'_>,
    ) -> Result<Option<ByTheorem<Form>>, Stop> {
        Ok(None)
    }

    /// Returns the value in normal play, if the rules can compute it from the structure of the
    /// part, without visiting all options. An explanation cites no theorem for such a value. Only
    /// coloured Hackenbush implements this method. It combines the values of the blocks (the
    /// biconnected subgraphs) of a picture.
    ///
    /// # Errors
    /// Fails with the limit that was reached.
    fn form_by_decomposition(
        &self,
        _part: &P,
        _forms: &mut Forms,
        _limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop> {
        Ok(None)
    }

    /// Returns the outcome of a part alone, without other components, if a theorem gives it. The
    /// theorem need not give the value.
    fn outcome(&self, _part: &P, _play: Play) -> Option<ByTheorem<Outcome>> {
        None
    }

    /// Returns the outcome of a part alone, like [`Theorems::outcome`], if finding it can take long
    /// enough to need limits. Only Geography implements this method.
    ///
    /// # Errors
    /// Fails with the limit that was reached.
    fn outcome_within(
        &self,
        part: &P,
        play: Play,
        _limits: &Limits<'_>,
    ) -> Result<Option<ByTheorem<Outcome>>, Stop> {
        Ok(self.outcome(part, play))
    }
}

/// Bounds of values in normal play.
pub trait Bounds<P>: Debug {
    /// Returns a lower and an upper bound of the value of a component, both integers. Tighter
    /// bounds shorten a search.
    fn bounds(&self, part: &P) -> Option<[i64; 2]>;

    /// Returns the [`Reserve`]s of Left and of Right in a component. The reserve of a player in a
    /// sum is the sum of the player's reserves in the components.
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

    /// Returns parts with the given heap sizes, and the name of the move that replaces `part` by
    /// them. `index` is the index of `part` in its term. Returns `None` if the rules cannot name
    /// such a move.
    fn move_to_heaps(&self, _index: usize, _part: &P, _sizes: &[u64]) -> Option<(Vec<P>, Move)> {
        None
    }
}

/// A function that creates a table of values, and a flag that is `true` if the table covers every
/// part.
#[derive(Debug)]
pub struct Tabulation<P: 'static> {
    /// The function that creates an empty table.
    pub table: fn() -> Box<dyn ValueTable<P>>,
    /// `true` if the table covers every part and computes each value from the values of smaller
    /// parts. Otherwise the solver searches the parts that the table does not cover.
    pub complete: bool,
}

/// A table of the Sprague-Grundy values of parts, filled on demand.
pub trait ValueTable<P>: Debug + Send + Sync {
    /// Returns the value of a part, or `None` if the table does not cover it.
    ///
    /// # Errors
    /// Fails with the limit that was reached.
    fn grundy(&mut self, part: &P, limits: &Limits<'_>) -> Result<Option<u64>, Stop>;

    /// Returns whether a part is a P-position, if the table can find the outcome faster than the
    /// value. Otherwise returns `None`.
    ///
    /// # Errors
    /// Fails with the limit that was reached.
    fn is_p(&mut self, _part: &P, _limits: &Limits<'_>) -> Result<Option<bool>, Stop> {
        Ok(None)
    }

    /// Returns the amount of work done since the table was created.
    fn work(&self) -> Work {
        Work::default()
    }
}

/// A measure of the size of parts. The game must be impartial, every play must end, and the
/// positions must split into parts with small values. A solver finds such values from the outcomes
/// of sums with Nim heaps, and so visits only few options.
pub trait SmallValues<P>: Debug {
    /// Returns the approximate number of moves in a part.
    fn size(&self, part: &P) -> u64;
}

/// The negatives of parts, in which the players are exchanged.
pub trait Negation<P>: Debug {
    /// Returns the negative of a component in canonical form, if the rules can express it.
    fn negative(&self, part: &P) -> Option<P>;
}

/// Payoffs of parts without options.
pub trait Payoffs<P>: Debug {
    /// Returns the payoff of a part without options, in normal play, for the player to move.
    ///
    /// # Errors
    /// Fails with [`Stop::Rules`] if rules given at run time fail.
    fn payoff(&self, part: &P, to_move: Player) -> Result<PayoffResult, Stop>;
}

/// The games of which a part is composed. Only ordinal sums implement this trait: they consist of a
/// lower and an upper game. By a theorem on ordinal sums, a solver need not visit the positions of
/// the upper game.
pub trait Operands<P>: Debug {
    /// Returns the terms of G and the terms of H for a part G:H that is an ordinal sum. A game G
    /// alone counts as G:H in which H has no terms.
    fn operands<'a>(&self, part: &'a P) -> Option<[&'a [Arc<dyn AnyTerm>]; 2]>;
}

/// The listing of all moves, including several moves to the same position. A player may name any of
/// them.
pub trait EveryOption<P>: Debug {
    /// Visits all options, including those that [`super::Ruleset::options`] leaves out because
    /// another move leads to the same position.
    fn every_option(&self, player: Player, index: usize, part: &P, visit: Visit<'_, P>) -> Flow;
}

/// The order in which a search tries the moves. Only Domineering implements this trait. Its order
/// reduces the time of the search on a board of 8 by 8 squares to a third.
pub trait MoveOrder<P>: Debug {
    /// Visits the options of [`super::Ruleset::options`] in the order of the search, with the most
    /// promising ones first.
    fn ordered_options(&self, player: Player, part: &P, visit: Visit<'_, P>) -> Flow;
}

/// The direct generation of the options that meet a [`Goal`], for example of all options with a
/// given Sprague–Grundy value.
pub trait Shortcuts<P>: Debug {
    /// Visits some options, including all that meet `goal`, in the order of
    /// [`super::Ruleset::options`]. Returns `None` if they cannot be generated without listing all
    /// options.
    fn options_to(&self, index: usize, part: &P, goal: Goal, visit: Visit<'_, P>) -> Option<Flow>;
}

/// The numbering of positions by ranks.
pub trait Ranking<P>: Debug {
    /// Returns the [`RankedGame`] of all positions reachable from a term with these parts, or
    /// `None` if the rules cannot rank these positions.
    ///
    /// # Errors
    /// Fails with [`Stop::Rules`] if rules given at run time fail or give inconsistent answers.
    fn ranked(&self, parts: &[P]) -> Result<Option<Arc<dyn RankedGame>>, Stop>;
}

/// Operations on parts that record the player to move. Only Northcott's game implements them.
pub trait Turns<P>: Debug {
    /// Returns the part after a move in another part of the sum. Returns `None` if that move does
    /// not change the part.
    fn after_move_elsewhere(&self, part: &P) -> Option<P>;

    /// Returns the part as a game in which either player may begin, for use in a sum.
    ///
    /// # Errors
    /// Fails if the notation of the part states which player begins.
    fn with_either_beginner(&self, part: &P) -> Result<P, Diagnostic>;
}

/// The graph on which a game is played. Only explicit graphs implement this trait. If such a graph
/// comes from a file, its notation is the name of the file, which does not determine the position.
pub trait ExplicitGraph<P>: Debug {
    /// Returns the graph, and the index of the vertex that `part` represents.
    fn network(&self, part: &P) -> Option<(&Network, u32)>;
}

/// Parts that are written as terms of other rules.
pub trait ForeignParts<P>: Debug {
    /// Returns the part whose notation under these rules is the sum of the terms `read`, if there
    /// is one.
    fn read_as(&self, read: &[Arc<dyn AnyTerm>]) -> Option<P>;
}

/// Short names of parts.
pub trait Captions<P>: Debug {
    /// Returns a short name of the part within its game.
    fn caption(&self, part: &P) -> String;
}

/// Drawings of terms.
pub trait Pictures<P>: Debug {
    /// Returns the picture of a term with these parts.
    fn picture(&self, parts: &[P]) -> Picture;
}

/// The components of a part, in which every named element keeps its name. Only Hackenbush
/// implements this trait, since its edges have names, and the canonical form of a component gives
/// them other names.
pub trait Pieces<P>: Debug {
    /// Returns the components with the original names of their elements, or `None` if the canonical
    /// components keep these names anyway.
    fn pieces(&self, part: &P) -> Option<Vec<P>>;
}

/// The number of bytes that parts occupy, for parts that are larger than their notation suggests.
pub trait MemoryUse<P>: Debug {
    /// Returns the approximate number of bytes that the parts of a term occupy.
    fn bytes(&self, parts: &[P]) -> usize;
}

/// Explanations of the values and outcomes of parts, remarks about terms, and the lengths of
/// longest plays.
pub trait Teaching<P>: Debug {
    /// Returns the explanation step that applies the theorem of the rules to a part. The step
    /// contains the numbers to which the theorem is applied, such as the sizes of heaps. It states
    /// the value or the outcome that follows from them.
    fn theorem_application(&self, _part: &P, _play: Play) -> Option<Step> {
        None
    }

    /// Returns the explanation steps for the value of a part in normal play. If `wanted` is given,
    /// also returns the steps for a move to this value. Most rules return no steps, since the name
    /// of their theorem is a sufficient explanation.
    fn argument(&self, _part: &P, _wanted: Option<u64>) -> Vec<Step> {
        Vec::new()
    }

    /// Returns the remarks about a term, which an interface shows before any other output. An
    /// example is the remark that the parser dropped some parts.
    fn remarks(&self, _parts: &[P]) -> Vec<Step> {
        Vec::new()
    }

    /// Returns the number of moves of the longest play from a part, if it is known.
    fn longest_play(&self, _part: &P) -> Option<u128> {
        None
    }
}
