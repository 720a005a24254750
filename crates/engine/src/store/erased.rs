//! Traits for terms and parts. They do not depend on the type of the ruleset, so terms of different
//! rulesets can be used together.

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
use grundy_base::outcome::{Outcome, PayoffResult, Play};
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_graphs::graph::Network;
use grundy_heap::HeapRules;
use grundy_heap::algebra::Misere;

/// A callback for a move. Its arguments are a function that returns the move, and a function that
/// returns the term after the move.
pub type VisitTerm<'a> =
    &'a mut dyn FnMut(&dyn Fn() -> Move, &dyn Fn() -> Arc<dyn AnyTerm>) -> Flow;

/// A callback for an option of a part. Its arguments are the parts that replace this part, a
/// function that returns the move, and a function that returns the term after the move.
pub type VisitOption<'a> =
    &'a mut dyn FnMut(&dyn PartFacts, &dyn Fn() -> Move, &dyn Fn() -> Arc<dyn AnyTerm>) -> Flow;

/// A type-erased table of the values of parts under some rules. Only the terms of these rules can
/// use it.
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

/// Parts under the same rules, with all facts that the rules provide in addition to the moves.
///
/// The methods whose names end with `of` are about a single part. They take the index of the part.
pub trait PartFacts: Debug {
    /// Returns the name of the constructor, such as `nim` in `nim(3, 4, 5)`.
    fn name(&self) -> &'static str;

    /// Returns the number of parts.
    fn part_count(&self) -> usize;

    /// Returns whether every play ends. For user-defined games and for games composed of other
    /// games, this is assumed without a proof.
    fn finite(&self) -> bool;

    /// Returns whether every play is known to end, and not merely assumed to end.
    fn known_to_end(&self) -> bool;

    /// Returns the rules for packed components, if the game is impartial and its components can be
    /// packed.
    fn packed(&self) -> Option<&'static dyn PackedGame>;

    /// Returns the rules for packed components, if the game is all-small and its components can be
    /// packed.
    fn all_small(&self) -> Option<&'static dyn AllSmall>;

    /// Returns all parts as a term in canonical notation.
    fn text(&self) -> String;

    /// Returns whether a term is written as a sum of its parts.
    fn written_as_sum(&self) -> bool;

    /// Returns whether the list `at` of a move begins with the index of the game that contains the
    /// move, as in an ordinal sum.
    fn at_begins_with_the_part(&self) -> bool;

    /// Returns the short name of the part if there is one part, and otherwise the notation of all
    /// parts.
    fn caption(&self) -> String;

    /// Returns the names of both players, if the game has names other than the usual ones.
    fn players(&self) -> Option<[&'static str; 2]>;

    /// Returns a picture of all parts.
    fn picture(&self) -> Picture;

    /// Returns the remarks that an interface shows before any other output, for example that the
    /// parser dropped some parts.
    fn remarks(&self) -> Vec<Step>;

    /// Returns the approximate number of bytes that the parts occupy.
    fn bytes(&self) -> usize;

    /// Returns the number of moves of the longest play, if it is known.
    fn longest_play(&self) -> Option<u128>;

    /// Returns the kind of game of a part.
    fn nature_of(&self, index: usize) -> Nature;

    /// Returns the structure by which the value of a part can be computed without a theorem.
    fn structure_of(&self, index: usize) -> Structure<'_>;

    /// Returns the index of the table of a store that contains the components of these rules. Adds
    /// such a table if there is none.
    fn table_in(&self, store: &mut Store) -> u32;

    /// Returns the value of a part from the value table of its rules, or `None` if the table does
    /// not cover the part.
    ///
    /// # Errors
    /// Fails with the limit that was reached.
    fn tabulated_value(
        &self,
        index: usize,
        table: &mut AnyValueTable,
        limits: &Limits<'_>,
    ) -> Result<Option<u64>, Stop>;

    /// Returns whether a part is a P-position, if the value table of its rules can find the outcome
    /// faster than the value. Otherwise returns `None`.
    ///
    /// # Errors
    /// Fails with the limit that was reached.
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

    /// Returns the value of a part, if a theorem gives it as a number.
    fn number_of(&self, index: usize) -> Option<ByTheorem<Dyadic>>;

    /// Returns the canonical form of a part, if a theorem gives it.
    ///
    /// # Errors
    /// Fails with the limit that was reached.
    fn form_of(
        &self,
        index: usize,
        forms: &mut Forms,
        limits: &Limits<'_>,
    ) -> Result<Option<ByTheorem<Form>>, Stop>;

    /// Returns the canonical form of a part, if the rules can compute it from the structure of the
    /// part, without visiting all options.
    ///
    /// # Errors
    /// Fails with the limit that was reached.
    fn form_by_decomposition_of(
        &self,
        index: usize,
        forms: &mut Forms,
        limits: &Limits<'_>,
    ) -> Result<Option<Form>, Stop>;

    /// Returns the terms of the base G and the terms of the top H, if a part is an ordinal sum G:H.
    fn operands_of(&self, index: usize) -> Option<[&[Arc<dyn AnyTerm>]; 2]>;

    /// Returns the outcome of a part alone, without other components, if a theorem gives it.
    fn outcome_of(&self, index: usize, play: Play) -> Option<ByTheorem<Outcome>>;

    /// Returns the outcome of a part alone, if a theorem gives it within the limits.
    ///
    /// # Errors
    /// The limit that was reached.
    fn outcome_within(
        &self,
        index: usize,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Option<ByTheorem<Outcome>>, Stop>;

    /// Returns a lower and an upper bound of the value of a part in normal play, both integers.
    fn bounds_of(&self, index: usize) -> Option<[i64; 2]>;

    /// Returns the reserves of Left and of Right in a part in normal play.
    fn reserves_of(&self, index: usize) -> Option<[Reserve; 2]>;

    /// Returns the payoff of a part without options, in normal play, for the player to move.
    ///
    /// # Errors
    /// Fails with [`Stop::Rules`] if rules given at run time fail.
    fn payoff_of(&self, index: usize, to_move: Player) -> Result<PayoffResult, Stop>;

    /// Returns the number of moves of a player in a part, or `most` + 1 if there are more than
    /// `most` moves.
    ///
    /// # Errors
    /// Fails with [`Stop::Rules`] if rules given at run time fail.
    fn count_moves_of(&self, index: usize, player: Player, most: u64) -> Result<u64, Stop>;

    /// Returns the words that represent a part of an all-small game, or `None` if the part does not
    /// fit into words.
    fn sides_of(&self, index: usize) -> Option<Sides>;

    /// Returns the canonical notation of a part.
    fn text_of(&self, index: usize) -> String;

    /// Returns the graph on which a part is played, and the vertex of the part, if the game is an
    /// explicit graph.
    fn network_of(&self, index: usize) -> Option<(&Network, u32)>;

    /// Returns the explanation step that applies the theorem of the rules to a part.
    fn theorem_application_of(&self, index: usize, play: Play) -> Option<Step>;

    /// Returns the explanation steps for the value of a part. If `wanted` is given, also returns
    /// the steps for a move to this value.
    fn argument(&self, index: usize, wanted: Option<u64>) -> Vec<Step>;

    /// Returns a part as a separate term.
    fn part_term(&self, index: usize) -> Arc<dyn AnyTerm>;

    /// Enters the components of a part into a store, and appends the ids of the components to
    /// `out`.
    fn enter_part(&self, index: usize, store: &mut Store, out: &mut Vec<u32>);

    /// Appends to `out` the keys of the components of some parts of an impartial game. If a
    /// component can be packed into a word, the word is its key. Otherwise the key is the id of the
    /// component in the store, with the highest bit set. Returns the index of the table of the
    /// store that contains the components.
    fn push_keys(&self, range: Range<usize>, store: &mut Store, out: &mut Vec<u64>) -> u32;
}

/// A term, which is one call of a constructor, independent of the type of its ruleset.
pub trait AnyTerm: PartFacts + Any + Send + Sync {
    /// Returns the term that consists of the parts in a range.
    ///
    /// # Panics
    /// Panics if the range exceeds the parts.
    fn some_parts(&self, range: Range<usize>) -> Arc<dyn AnyTerm>;

    /// Visits the moves of `player` in a fixed order, until `visit` breaks. If several moves lead
    /// to the same position, only the first is visited.
    fn moves(&self, player: Player, visit: VisitTerm<'_>) -> Flow;

    /// Visits all moves of `player`, including several moves to the same position.
    fn every_move(&self, player: Player, visit: VisitTerm<'_>) -> Flow;

    /// Visits the moves of `player` in a term with one part. The moves are named as if the part had
    /// the index `index` in its term.
    fn moves_as(&self, player: Player, index: usize, visit: VisitTerm<'_>) -> Flow;

    /// Visits the options of part `index` for the player that begins, or for Left if either player
    /// may begin.
    fn options(&self, index: usize, visit: VisitOption<'_>) -> Flow;

    /// Visits some options of part `index`, including all that meet `goal`. Returns `None` if the
    /// rules cannot generate them without listing all options.
    fn options_to(&self, index: usize, goal: Goal, visit: VisitOption<'_>) -> Option<Flow>;

    /// Visits some moves in a term with one part, including all that lead to a P-position. Returns
    /// `None` if the rules cannot generate them without listing all moves, or if the term has
    /// several parts.
    fn moves_to_p(&self, play: Play, visit: VisitTerm<'_>) -> Option<Flow>;

    /// Returns the move that replaces part `index` by heaps of the given sizes, and the term after
    /// the move. Returns `None` if the parts are not heaps, or if the rules cannot name the move.
    fn move_to_heaps(&self, index: usize, sizes: &[u64]) -> Option<(Move, Arc<dyn AnyTerm>)>;

    /// Visits the canonical components of all parts, each as a separate term.
    fn components(&self, visit: &mut dyn FnMut(Arc<dyn AnyTerm>));

    /// Returns the components of all parts, each as a separate term. Elements with names, such as
    /// edges, have the same names as in this term.
    fn pieces(&self) -> Vec<Arc<dyn AnyTerm>>;

    /// Returns a term with the rules of this term, whose parts are those of this term followed by
    /// those of `others`. Returns `None` if a term in `others` has parts of a different type.
    fn joined(&self, others: &[&dyn AnyTerm]) -> Option<Arc<dyn AnyTerm>>;

    /// Returns this term after a move in another term of the sum. Returns `None` if that move does
    /// not change this term.
    fn after_move_elsewhere(&self) -> Option<Arc<dyn AnyTerm>>;

    /// Returns the term as a game in which either player may begin.
    ///
    /// # Errors
    /// Fails if the notation of the term states which player begins.
    fn with_either_beginner(&self) -> Result<Arc<dyn AnyTerm>, Diagnostic>;

    /// Returns the negative of the term, in which the players are exchanged. Returns `None` if the
    /// rules cannot express it.
    fn negated(&self) -> Option<Arc<dyn AnyTerm>>;

    /// Enters the components of all parts into a store, and appends the ids of the components to
    /// `out`. Returns the index of the table of the store that contains the components.
    fn enter(&self, store: &mut Store, out: &mut Vec<u32>) -> u32;

    /// Appends to `out` the ids of the components of all parts. Returns `None` if one of the
    /// components is not in the store.
    fn find(&self, store: &Store, out: &mut Vec<u32>) -> Option<()>;

    /// Enters a part of a term with the rules of this term into a store. `read` contains the terms
    /// that were parsed from the notation of the part. Returns the id of the part, or `None` if
    /// these rules have no such part.
    fn adopt(&self, read: &[Arc<dyn AnyTerm>], store: &mut Store) -> Option<u32>;

    /// Returns the type-erased `Vec` of the parts.
    fn any_parts(&self) -> &dyn Any;

    /// Returns whether `other` has the same rules and the same parts.
    fn same(&self, other: &dyn AnyTerm) -> bool;

    /// Writes the term to a hasher. Equal terms have equal hashes.
    fn hash_into(&self, state: &mut dyn Hasher);

    /// Returns the [`RankedGame`] of this term, which gives ranks to its reachable positions.
    /// Returns `None` if the rules do not rank positions.
    ///
    /// # Errors
    /// Fails with [`Stop::Rules`] if rules given at run time fail or give inconsistent answers.
    fn ranked(&self) -> Result<Option<Arc<dyn RankedGame>>, Stop>;
}

/// Methods for terms with a single part. Most return `None` for a term with several parts.
impl dyn AnyTerm {
    /// Returns all parts, each as a separate term.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term};
    /// let position = Position::from(Term::new(Nim, vec![3, 4]));
    /// let parts = position.terms()[0].parts();
    /// let texts: Vec<String> = parts.iter().map(|part| part.text()).collect();
    /// assert_eq!(texts, ["nim(3)", "nim(4)"]);
    /// ```
    #[must_use]
    pub fn parts(&self) -> Vec<Arc<dyn AnyTerm>> {
        (0..self.part_count())
            .map(|index| self.part_term(index))
            .collect()
    }

    /// Returns the kind of game, which is the same for all parts.
    ///
    /// ```
    /// use grundy_core::ruleset::toads_and_frogs::ToadsAndFrogs;
    /// use grundy_core::{Position, Term, rules::Nature};
    /// let strip = Position::from(Term::new(ToadsAndFrogs, vec![b"T.F".to_vec()]));
    /// assert_eq!(strip.terms()[0].nature(), Nature::PARTIZAN);
    /// ```
    #[must_use]
    pub fn nature(&self) -> Nature {
        match self.part_count() {
            0 => Nature::IMPARTIAL,
            _ => self.nature_of(0),
        }
    }

    /// Returns the payoff in normal play for the player to move, in a term in which this player has
    /// no move.
    ///
    /// # Errors
    /// Fails with [`Stop::Rules`] if rules given at run time fail.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{PayoffResult, Player, argument::Argument, registry};
    /// let full = Argument::List(vec![Argument::Text("XO".into())]);
    /// let board = registry::construct("k_in_a_row", &[(None, full), (None, Argument::Int(2))])?;
    /// assert_eq!(board.payoff(Player::Left)?, PayoffResult::Tie);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn payoff(&self, to_move: Player) -> Result<PayoffResult, Stop> {
        match self.part_count() {
            1 => self.payoff_of(0, to_move),
            // Rules with payoffs have terms of one part. In any other term the player who cannot
            // move loses.
            _ => Ok(PayoffResult::Lose),
        }
    }

    /// Returns the outcome of the term, if a theorem gives it.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::ruleset::{chomp::Chomp, nim::Nim};
    /// use grundy_core::{Limits, Outcome, Play, Position, Term};
    /// let limits = Limits::default();
    /// let bar = Position::from(Term::new(Chomp, vec![vec![3, 2]]));
    /// let known = bar.terms()[0].outcome(Play::Normal, &limits)?.expect("a theorem on two rows");
    /// assert_eq!(known.value, Outcome::P);
    /// let heap = Position::from(Term::new(Nim, vec![3]));
    /// assert_eq!(heap.terms()[0].outcome(Play::Normal, &limits), Ok(None));
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    pub fn outcome(
        &self,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Option<ByTheorem<Outcome>>, Stop> {
        match self.single_index() {
            Some(index) => self.outcome_within(index, play, limits),
            None => Ok(None),
        }
    }

    /// Returns the rules of the heap game and the size of the heap, if the term is a single heap.
    ///
    /// ```
    /// use grundy_core::heap::{Code, HeapRules};
    /// use grundy_core::{argument::Argument, registry};
    /// let heap = registry::construct("kayles", &[(None, Argument::Int(7))])?;
    /// let kayles = HeapRules::TakeAndBreak(Code::parse("0.77")?);
    /// assert_eq!(heap.heap_rules(), Some((&kayles, 7)));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn heap_rules(&self) -> Option<(&HeapRules, u64)> {
        match self.structure_of(self.single_index()?) {
            Structure::Heap(rules, size) => Some((rules, size)),
            _ => None,
        }
    }

    /// Returns the terms of the base G and the terms of the top H, if the term is an ordinal sum
    /// G:H.
    ///
    /// ```
    /// use grundy_core::ruleset::nim::Nim;
    /// use grundy_core::{Position, Term, argument::Argument, registry};
    /// let heap = |size| (None, Argument::Game(Position::from(Term::new(Nim, vec![size]))));
    /// let sum = registry::construct("ordinal_sum", &[heap(1), heap(2)])?;
    /// let [base, top] = sum.operands().expect("an ordinal sum");
    /// assert_eq!((base[0].text(), top[0].text()), ("nim(1)".into(), "nim(2)".into()));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn operands(&self) -> Option<[&[Arc<dyn AnyTerm>]; 2]> {
        self.operands_of(self.single_index()?)
    }

    /// Returns the explanation step that applies the theorem of the rules to the part. The step
    /// contains the notation of the part.
    ///
    /// ```
    /// use grundy_core::ruleset::toads_and_frogs::ToadsAndFrogs;
    /// use grundy_core::{Play, Position, Term};
    /// // The toad has two moves, and the frog has none.
    /// let strip = Position::from(Term::new(ToadsAndFrogs, vec![b"FT..".to_vec()]));
    /// let step = strip.terms()[0].theorem_application(Play::Normal).expect("a theorem");
    /// assert_eq!(step.code, "free_toads");
    /// assert_eq!(step.args[..2], [("toads", 2u64.into()), ("frogs", 0u64.into())]);
    /// ```
    #[must_use]
    pub fn theorem_application(&self, play: Play) -> Option<Step> {
        let step = self.theorem_application_of(self.single_index()?, play)?;
        Some(step.with("part", self.text()))
    }

    /// Returns the graph on which the part is played, and the vertex of the part, if the game is an
    /// explicit graph.
    ///
    /// ```
    /// use grundy_core::{argument::Argument, registry};
    /// let text = |text: &str| Argument::Text(text.into());
    /// let edges = Argument::List(vec![Argument::List(vec![text("a"), text("b")])]);
    /// let vertex = registry::construct("graph", &[(None, edges), (None, text("b"))])?;
    /// let (network, start) = vertex.network().expect("an explicit graph");
    /// assert_eq!((network.names.get(start), network.graph.edges()), ("b", 1));
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn network(&self) -> Option<(&Network, u32)> {
        self.network_of(self.single_index()?)
    }

    /// Returns the index of the part if there is exactly one.
    fn single_index(&self) -> Option<usize> {
        (self.part_count() == 1).then_some(0)
    }
}
