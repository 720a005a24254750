//! Terms and parts whose ruleset is known at run time only.

pub(crate) mod ranked;

use std::any::Any;
use std::fmt::{self, Debug};
use std::hash::Hasher;
use std::ops::Range;
use std::sync::Arc;

use grundy_forms::{Form, Forms};

use self::ranked::RankedGame;
use super::Store;
use crate::move_counts::Reserve;
use crate::nature::Nature;
use crate::packed::{AllSmall, PackedGame, Sides};
use crate::theorem::{ByTheorem, Goal, Structure};
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

/// Receives a move and a way to ask for the term after it.
pub type VisitTerm<'a> =
    &'a mut dyn FnMut(&dyn Fn() -> Move, &dyn Fn() -> Arc<dyn AnyTerm>) -> Flow;

/// Receives an option of a part: the parts that it leaves, and ways to ask for the move and for the
/// term after it.
pub type VisitOption<'a> =
    &'a mut dyn FnMut(&dyn PartFacts, &dyn Fn() -> Move, &dyn Fn() -> Arc<dyn AnyTerm>) -> Flow;

/// The value table of some rules. Only their parts know its type.
#[derive(Default)]
pub struct AnyValueTable {
    pub(crate) table: Option<Box<dyn Any + Send + Sync>>,
    pub(crate) work: Work,
}

impl Debug for AnyValueTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyValueTable")
            .field("work", &self.work)
            .finish_non_exhaustive()
    }
}

/// Parts under one set of rules, and everything that the rules say of them beside their moves.
///
/// Methods whose names end with `of` speak of the part with an index.
pub trait PartFacts: Debug {
    /// Returns the name of the constructor.
    fn name(&self) -> &'static str;

    /// Returns the number of parts.
    fn part_count(&self) -> usize;

    /// Returns whether every play ends.
    fn finite(&self) -> bool;

    /// Returns whether it is known that every play ends.
    fn known_to_end(&self) -> bool;

    /// Returns the rules for components as words, if the game is impartial and packs them.
    fn packed(&self) -> Option<&'static dyn PackedGame>;

    /// Returns the rules for components as words, if the game is all-small and packs them.
    fn all_small(&self) -> Option<&'static dyn AllSmall>;

    /// Writes all parts in canonical notation.
    fn text(&self) -> String;

    /// Returns whether a term is written as a sum of its parts.
    fn written_as_sum(&self) -> bool;

    /// Returns whether `at` of a move begins with the game that is moved in, of several inside.
    fn at_begins_with_the_part(&self) -> bool;

    /// Returns the short name of the only part, else the text of all.
    fn caption(&self) -> String;

    /// Returns the names of the players, if they have others than usual.
    fn players(&self) -> Option<[&'static str; 2]>;

    /// Draws all parts.
    fn picture(&self) -> Picture;

    /// Returns the remarks that come before anything else.
    fn remarks(&self) -> Vec<Step>;

    /// Returns the bytes that the parts hold in memory, about.
    fn held(&self) -> usize;

    /// Returns the length of the longest play, if it is known.
    fn longest_play(&self) -> Option<u128>;

    /// Returns the kind of game that a part is.
    fn nature_of(&self, index: usize) -> Nature;

    /// Returns how the value of a part can be computed if no theorem gives it.
    fn structure_of(&self, index: usize) -> Structure<'_>;

    /// Returns the number of the table of the rules in a store.
    fn table_in(&self, store: &mut Store) -> u32;

    /// Returns the value of a part of a [`Structure::Table`] game, if it is in the table.
    ///
    /// # Errors
    /// The limit that was reached.
    fn tabulated_value(
        &self,
        index: usize,
        table: &mut AnyValueTable,
        limits: &Limits<'_>,
    ) -> Result<Option<u64>, Stop>;

    /// Returns whether a part of a [`Structure::Table`] game is a P-position, if the table says so.
    ///
    /// # Errors
    /// The limit that was reached.
    fn tabulated_is_p(
        &self,
        index: usize,
        table: &mut AnyValueTable,
        limits: &Limits<'_>,
    ) -> Result<Option<bool>, Stop>;

    /// Returns the number of moves in a part of a [`Structure::Splitting`] game, about.
    fn moves_of(&self, index: usize) -> u64;

    /// Returns the Sprague-Grundy value of a part, if a theorem gives it.
    fn grundy_of(&self, index: usize) -> Option<ByTheorem<u64>>;

    /// Returns the tame misère value of a part, if a theorem gives it.
    fn misere_of(&self, index: usize) -> Option<ByTheorem<Misere>>;

    /// Returns the number that a part is worth, if a theorem gives it.
    fn number_of(&self, index: usize) -> Option<ByTheorem<Dyadic>>;

    /// Returns the canonical form of a part, if a theorem gives it.
    ///
    /// # Errors
    /// The limit that was reached.
    fn form_of(
        &self,
        index: usize,
        forms: &mut Forms,
        limits: &Limits<'_>,
    ) -> Result<Option<ByTheorem<Form>>, Stop>;

    /// Returns the canonical form of a part, if there is a shorter way to it than by all options.
    ///
    /// # Errors
    /// The limit that was reached.
    fn form_in_pieces_of(
        &self,
        index: usize,
        forms: &mut Forms,
        limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop>;

    /// Returns the base and the top of the ordinal sum that a part is, if it is one.
    fn operands_of(&self, index: usize) -> Option<[&[Arc<dyn AnyTerm>]; 2]>;

    /// Returns the outcome of a part standing alone, if a theorem gives it.
    fn outcome_of(&self, index: usize, play: Play) -> Option<ByTheorem<Outcome>>;

    /// Returns whole numbers between which the value of a part lies in normal play.
    fn bounds_of(&self, index: usize) -> Option<[i64; 2]>;

    /// Returns the reserves of Left and of Right in a part in normal play.
    fn reserves_of(&self, index: usize) -> Option<[Reserve; 2]>;

    /// Returns the payoff of a part without options to the player to move, in normal play.
    ///
    /// # Errors
    /// Rules that have no answer.
    fn payoff_of(&self, index: usize, to_move: Player) -> Result<Worth, Stop>;

    /// Counts the moves of a player in a part, up to one more than `most`.
    ///
    /// # Errors
    /// Rules that have no answer.
    fn count_moves_of(&self, index: usize, player: Player, most: u64) -> Result<u64, Stop>;

    /// Returns a part of an all-small game as words, if it fits.
    fn sides_of(&self, index: usize) -> Option<Sides>;

    /// Writes a part in canonical notation.
    fn text_of(&self, index: usize) -> String;

    /// Returns the graph that the game is given as, and the vertex that a part stands on.
    fn network_of(&self, index: usize) -> Option<(&Network, u32)>;

    /// Applies the theorem to a part, as one step with its numbers.
    fn reckon_of(&self, index: usize, play: Play) -> Option<Step>;

    /// Explains the value of a part, and how to give it the wanted one.
    fn argument(&self, index: usize, wanted: Option<u64>) -> Vec<Step>;

    /// Returns a part as a term of its own.
    fn only(&self, index: usize) -> Arc<dyn AnyTerm>;

    /// Enters the components of a part into a store, and appends their numbers.
    fn enter_part(&self, index: usize, store: &mut Store, out: &mut Vec<u32>);

    /// Appends the keys of the components of impartial parts: the word of a packed component, else
    /// its number in the store with the highest bit set. Returns the table of the rules.
    fn push_keys(&self, range: Range<usize>, store: &mut Store, out: &mut Vec<u64>) -> u32;
}

/// A term: one call of a constructor, under rules known at run time only.
pub trait AnyTerm: PartFacts + Any + Send + Sync {
    /// Returns some of the parts, as a term.
    ///
    /// # Panics
    /// When there are not so many parts.
    fn some_parts(&self, range: Range<usize>) -> Arc<dyn AnyTerm>;

    /// Visits the moves of `player`, in a fixed order, until `visit` breaks. Of moves that lead to
    /// one position only the first is visited.
    fn moves(&self, player: Player, visit: VisitTerm<'_>) -> Flow;

    /// Visits the moves of `player`, also those that lead to the same position as an earlier one.
    fn every_move(&self, player: Player, visit: VisitTerm<'_>) -> Flow;

    /// Visits the moves in a term of one part, named as if that were part `index` of its term.
    fn moves_as(&self, player: Player, index: usize, visit: VisitTerm<'_>) -> Flow;

    /// Visits the options of part `index` for the player who may begin.
    fn options(&self, index: usize, visit: VisitOption<'_>) -> Flow;

    /// Visits the options of part `index` that may meet a goal, if the rules find them directly.
    fn options_to(&self, index: usize, goal: Goal, visit: VisitOption<'_>) -> Option<Flow>;

    /// Visits the moves that may lead to a P-position, if the rules find them directly; for a term
    /// of one part.
    fn moves_to_p(&self, play: Play, visit: VisitTerm<'_>) -> Option<Flow>;

    /// Returns the move that leaves heaps of these sizes in place of part `index`, if parts are
    /// heaps.
    fn leave(&self, index: usize, left: &[u64]) -> Option<(Move, Arc<dyn AnyTerm>)>;

    /// Visits the canonical components, each as a term of its own.
    fn components(&self, visit: &mut dyn FnMut(Arc<dyn AnyTerm>));

    /// Returns the components with the names that they have in the term.
    fn pieces(&self) -> Vec<Arc<dyn AnyTerm>>;

    /// Joins the parts of this term and of others under the same rules.
    fn joined(&self, others: &[&dyn AnyTerm]) -> Option<Arc<dyn AnyTerm>>;

    /// Returns the term after a move of its player elsewhere, if that makes a difference.
    fn passed(&self) -> Option<Arc<dyn AnyTerm>>;

    /// Returns the term in which either player may begin.
    ///
    /// # Errors
    /// A beginner that was asked for explicitly.
    fn freed(&self) -> Result<Arc<dyn AnyTerm>, Diagnostic>;

    /// Returns the term with the players exchanged, if the rules can express it.
    fn negated(&self) -> Option<Arc<dyn AnyTerm>>;

    /// Enters the components into a store, and appends their numbers. Returns their table.
    fn enter(&self, store: &mut Store, out: &mut Vec<u32>) -> u32;

    /// Appends the numbers of the components in a store. Returns nothing if one of them is new
    /// there.
    fn find(&self, store: &Store, out: &mut Vec<u32>) -> Option<()>;

    /// Enters a part under the rules of this term into a store, as it was read from its text.
    /// Returns its number if it is a part of the same type, or one that the rules write as another
    /// term.
    fn adopt(&self, read: &[Arc<dyn AnyTerm>], store: &mut Store) -> Option<u32>;

    /// Returns the parts, as a list of their type.
    fn any_parts(&self) -> &dyn Any;

    /// Returns whether the other term has the same parts under the same rules.
    fn same(&self, other: &dyn AnyTerm) -> bool;

    /// Feeds a hasher. Terms that are the same feed the same.
    fn feed(&self, state: &mut dyn Hasher);

    /// Numbers the positions of the game, if the rules number them.
    ///
    /// # Errors
    /// Rules that have no answer, or answers that do not fit together.
    fn ranked(&self) -> Result<Option<Arc<dyn RankedGame>>, Stop>;
}

/// Facts about terms of one part; nothing for a term of several.
impl dyn AnyTerm {
    /// Returns the parts, each as a term of its own.
    #[must_use]
    pub fn parts(&self) -> Vec<Arc<dyn AnyTerm>> {
        (0..self.part_count())
            .map(|index| self.only(index))
            .collect()
    }

    /// Returns the kind of game. The parts of a term are of one kind.
    #[must_use]
    pub fn nature(&self) -> Nature {
        match self.part_count() {
            0 => Nature::IMPARTIAL,
            _ => self.nature_of(0),
        }
    }

    /// Returns the payoff of the end to the player to move, in normal play.
    ///
    /// # Errors
    /// Rules that have no answer.
    pub fn payoff(&self, to_move: Player) -> Result<Worth, Stop> {
        match self.part_count() {
            1 => self.payoff_of(0, to_move),
            _ => Ok(Worth::Lose),
        }
    }

    /// Returns the outcome, if a theorem gives it.
    #[must_use]
    pub fn outcome(&self, play: Play) -> Option<ByTheorem<Outcome>> {
        self.only_index()
            .and_then(|only| self.outcome_of(only, play))
    }

    /// Returns the rules and the size of the heap that the term is, if it is one.
    #[must_use]
    pub fn heap_rules(&self) -> Option<(&HeapRules, u64)> {
        match self.structure_of(self.only_index()?) {
            Structure::Heap(rules, size) => Some((rules, size)),
            _ => None,
        }
    }

    /// Returns the base and the top of the ordinal sum that the term is, if it is one.
    #[must_use]
    pub fn operands(&self) -> Option<[&[Arc<dyn AnyTerm>]; 2]> {
        self.operands_of(self.only_index()?)
    }

    /// Applies the theorem to the part, as one step with its numbers.
    #[must_use]
    pub fn reckon(&self, play: Play) -> Option<Step> {
        let step = self.reckon_of(self.only_index()?, play)?;
        Some(step.with("part", self.text()))
    }

    /// Returns the graph that the game is given as, and the vertex that the part stands on.
    #[must_use]
    pub fn network(&self) -> Option<(&Network, u32)> {
        self.network_of(self.only_index()?)
    }

    /// Returns the index of the only part.
    fn only_index(&self) -> Option<usize> {
        (self.part_count() == 1).then_some(0)
    }
}
