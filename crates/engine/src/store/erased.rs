//! Terms and parts whose ruleset is known only at run time.

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

/// Callback for a move. The arguments return the move and the term after it.
pub type VisitTerm<'a> =
    &'a mut dyn FnMut(&dyn Fn() -> Move, &dyn Fn() -> Arc<dyn AnyTerm>) -> Flow;

/// Callback for an option of a part. The arguments are the parts that the option leaves, and
/// functions that return the move and the term after it.
pub type VisitOption<'a> =
    &'a mut dyn FnMut(&dyn PartFacts, &dyn Fn() -> Move, &dyn Fn() -> Arc<dyn AnyTerm>) -> Flow;

/// The value table of some rules. Only the rules' parts know its type.
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

/// Parts under one set of rules, with all facts that the rules provide in addition to the moves.
///
/// Methods with names in `of` concern the part with an index.
pub trait PartFacts: Debug {
    /// Returns the name of the constructor.
    fn name(&self) -> &'static str;

    /// Returns the number of parts.
    fn part_count(&self) -> usize;

    /// Returns whether every play ends.
    fn finite(&self) -> bool;

    /// Returns whether it is known that every play ends.
    fn known_to_end(&self) -> bool;

    /// Returns the rules for packed components, if the game is impartial and packs them.
    fn packed(&self) -> Option<&'static dyn PackedGame>;

    /// Returns the rules for packed components, if the game is all-small and packs them.
    fn all_small(&self) -> Option<&'static dyn AllSmall>;

    /// Writes all parts in canonical notation.
    fn text(&self) -> String;

    /// Returns whether a term is written as a sum of its parts.
    fn written_as_sum(&self) -> bool;

    /// Returns whether `at` of a move begins with the number of the inner game in which the move is
    /// made.
    fn at_begins_with_the_part(&self) -> bool;

    /// Returns the short name of a single part, else the text of all parts.
    fn caption(&self) -> String;

    /// Returns the names of the players, if the game has special ones.
    fn players(&self) -> Option<[&'static str; 2]>;

    /// Draws all parts.
    fn picture(&self) -> Picture;

    /// Returns the remarks that precede all other output.
    fn remarks(&self) -> Vec<Step>;

    /// Returns the approximate number of bytes that the parts use.
    fn held(&self) -> usize;

    /// Returns the length of the longest play if it is known.
    fn longest_play(&self) -> Option<u128>;

    /// Returns the kind of game of a part.
    fn nature_of(&self, index: usize) -> Nature;

    /// Returns the structure by which the value of a part can be computed if no theorem gives it.
    fn structure_of(&self, index: usize) -> Structure<'_>;

    /// Returns the number of the table of the rules in a store.
    fn table_in(&self, store: &mut Store) -> u32;

    /// Returns the value of a part of a [`Structure::Table`] game if it is in the table.
    ///
    /// # Errors
    /// The limit that was reached.
    fn tabulated_value(
        &self,
        index: usize,
        table: &mut AnyValueTable,
        limits: &Limits<'_>,
    ) -> Result<Option<u64>, Stop>;

    /// Returns whether a part of a [`Structure::Table`] game is a P-position, if the table has the
    /// answer.
    ///
    /// # Errors
    /// The limit that was reached.
    fn tabulated_is_p(
        &self,
        index: usize,
        table: &mut AnyValueTable,
        limits: &Limits<'_>,
    ) -> Result<Option<bool>, Stop>;

    /// Returns the approximate number of moves in a part of a [`Structure::Splitting`] game.
    fn moves_of(&self, index: usize) -> u64;

    /// Returns the Sprague-Grundy value of a part, if a theorem gives it.
    fn grundy_of(&self, index: usize) -> Option<ByTheorem<u64>>;

    /// Returns the tame misère value of a part, if a theorem gives it.
    fn misere_of(&self, index: usize) -> Option<ByTheorem<Misere>>;

    /// Returns the number that is the value of a part, if a theorem gives it.
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

    /// Returns the canonical form of a part, if there is a shorter way than through all options.
    ///
    /// # Errors
    /// The limit that was reached.
    fn form_in_pieces_of(
        &self,
        index: usize,
        forms: &mut Forms,
        limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop>;

    /// Returns the base and the top of a part that is an ordinal sum.
    fn operands_of(&self, index: usize) -> Option<[&[Arc<dyn AnyTerm>]; 2]>;

    /// Returns the outcome of a part on its own, if a theorem gives it.
    fn outcome_of(&self, index: usize, play: Play) -> Option<ByTheorem<Outcome>>;

    /// Returns integers between which the value of a part lies in normal play.
    fn bounds_of(&self, index: usize) -> Option<[i64; 2]>;

    /// Returns the reserves of Left and of Right in a part in normal play.
    fn reserves_of(&self, index: usize) -> Option<[Reserve; 2]>;

    /// Returns the payoff of a part without options to the player to move, in normal play.
    ///
    /// # Errors
    /// [`Stop::Rules`] if rules given at run time fail.
    fn payoff_of(&self, index: usize, to_move: Player) -> Result<Worth, Stop>;

    /// Counts the moves of a player in a part, but at most `most` + 1.
    ///
    /// # Errors
    /// [`Stop::Rules`] if rules given at run time fail.
    fn count_moves_of(&self, index: usize, player: Player, most: u64) -> Result<u64, Stop>;

    /// Returns a part of an all-small game as words if it fits.
    fn sides_of(&self, index: usize) -> Option<Sides>;

    /// Writes a part in canonical notation.
    fn text_of(&self, index: usize) -> String;

    /// Returns the graph that defines the game, and the vertex of a part.
    fn network_of(&self, index: usize) -> Option<(&Network, u32)>;

    /// Applies the theorem to a part, as one step with its numbers.
    fn reckon_of(&self, index: usize, play: Play) -> Option<Step>;

    /// Explains the value of a part, and how to give it the wanted one.
    fn argument(&self, index: usize, wanted: Option<u64>) -> Vec<Step>;

    /// Returns a part as a separate term.
    fn only(&self, index: usize) -> Arc<dyn AnyTerm>;

    /// Enters the components of a part into a store, and appends their numbers.
    fn enter_part(&self, index: usize, store: &mut Store, out: &mut Vec<u32>);

    /// Appends the keys of the components of impartial parts. The key is the word of a packed
    /// component, else its number in the store with the highest bit set. Returns the table of the
    /// rules.
    fn push_keys(&self, range: Range<usize>, store: &mut Store, out: &mut Vec<u64>) -> u32;
}

/// A term: one call of a constructor, with rules known only at run time.
pub trait AnyTerm: PartFacts + Any + Send + Sync {
    /// Returns a range of the parts as a term.
    ///
    /// # Panics
    /// Panics if the range exceeds the parts.
    fn some_parts(&self, range: Range<usize>) -> Arc<dyn AnyTerm>;

    /// Visits the moves of `player` in a fixed order, until `visit` breaks. Of several moves to one
    /// position only the first is visited.
    fn moves(&self, player: Player, visit: VisitTerm<'_>) -> Flow;

    /// Visits all moves of `player`, including several moves to one position.
    fn every_move(&self, player: Player, visit: VisitTerm<'_>) -> Flow;

    /// Visits the moves in a term of one part, named as moves in part `index` of its term.
    fn moves_as(&self, player: Player, index: usize, visit: VisitTerm<'_>) -> Flow;

    /// Visits the options of part `index` for the player who may begin.
    fn options(&self, index: usize, visit: VisitOption<'_>) -> Flow;

    /// Visits the options of part `index` that may meet a goal, if the rules find them directly.
    fn options_to(&self, index: usize, goal: Goal, visit: VisitOption<'_>) -> Option<Flow>;

    /// Visits the moves in a term of one part that may lead to a P-position, if the rules find them
    /// directly.
    fn moves_to_p(&self, play: Play, visit: VisitTerm<'_>) -> Option<Flow>;

    /// Returns the move that replaces part `index` by heaps of these sizes, if parts are heaps.
    fn leave(&self, index: usize, left: &[u64]) -> Option<(Move, Arc<dyn AnyTerm>)>;

    /// Visits the canonical components, each as a separate term.
    fn components(&self, visit: &mut dyn FnMut(Arc<dyn AnyTerm>));

    /// Returns the components with their names in the term.
    fn pieces(&self) -> Vec<Arc<dyn AnyTerm>>;

    /// Joins the parts of this term and of others under the same rules.
    fn joined(&self, others: &[&dyn AnyTerm]) -> Option<Arc<dyn AnyTerm>>;

    /// Returns the term after its player has moved in another term, if that changes it.
    fn passed(&self) -> Option<Arc<dyn AnyTerm>>;

    /// Returns the term with either player to begin.
    ///
    /// # Errors
    /// The notation names a beginner explicitly.
    fn freed(&self) -> Result<Arc<dyn AnyTerm>, Diagnostic>;

    /// Returns the term with the players exchanged, if the rules can express it.
    fn negated(&self) -> Option<Arc<dyn AnyTerm>>;

    /// Enters the components into a store, and appends their numbers. Returns their table.
    fn enter(&self, store: &mut Store, out: &mut Vec<u32>) -> u32;

    /// Appends the numbers of the components in a store. Returns `None` if one of them is not in
    /// the store.
    fn find(&self, store: &Store, out: &mut Vec<u32>) -> Option<()>;

    /// Enters a part into a store under the rules of this term, after it was parsed. Returns its
    /// number if its type matches, or if the rules write it as another term.
    fn adopt(&self, read: &[Arc<dyn AnyTerm>], store: &mut Store) -> Option<u32>;

    /// Returns the parts as a `Vec` of their type.
    fn any_parts(&self) -> &dyn Any;

    /// Returns whether the other term has the same parts under the same rules.
    fn same(&self, other: &dyn AnyTerm) -> bool;

    /// Feeds the term to a hasher. Equal terms feed the same.
    fn feed(&self, state: &mut dyn Hasher);

    /// Ranks the positions of the game, if the rules number them.
    ///
    /// # Errors
    /// [`Stop::Rules`] if rules given at run time fail or give inconsistent answers.
    fn ranked(&self) -> Result<Option<Arc<dyn RankedGame>>, Stop>;
}

/// Facts about terms of one part. Most methods return `None` for a term of several parts.
impl dyn AnyTerm {
    /// Returns the parts, each as a separate term.
    #[must_use]
    pub fn parts(&self) -> Vec<Arc<dyn AnyTerm>> {
        (0..self.part_count())
            .map(|index| self.only(index))
            .collect()
    }

    /// Returns the kind of game. All parts of a term have the same kind.
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
    /// [`Stop::Rules`] if rules given at run time fail.
    pub fn payoff(&self, to_move: Player) -> Result<Worth, Stop> {
        match self.part_count() {
            1 => self.payoff_of(0, to_move),
            // Only games without payoffs occur in sums, so the player who cannot move loses.
            _ => Ok(Worth::Lose),
        }
    }

    /// Returns the outcome if a theorem gives it.
    #[must_use]
    pub fn outcome(&self, play: Play) -> Option<ByTheorem<Outcome>> {
        self.only_index()
            .and_then(|only| self.outcome_of(only, play))
    }

    /// Returns the rules and the size of the heap, if the term is a heap.
    #[must_use]
    pub fn heap_rules(&self) -> Option<(&HeapRules, u64)> {
        match self.structure_of(self.only_index()?) {
            Structure::Heap(rules, size) => Some((rules, size)),
            _ => None,
        }
    }

    /// Returns the base and the top, if the term is an ordinal sum.
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

    /// Returns the graph that defines the game, and the vertex of the part.
    #[must_use]
    pub fn network(&self) -> Option<(&Network, u32)> {
        self.network_of(self.only_index()?)
    }

    /// Returns the index of the only part.
    fn only_index(&self) -> Option<usize> {
        (self.part_count() == 1).then_some(0)
    }
}
