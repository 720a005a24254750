//! Outcomes of positions, by a search over the reachable sums of components.
//!
//! In normal play a sum has three kinds of terms. There is one value that combines a number, ups
//! and a nimber. There are other canonical forms, and components whose values are too expensive to
//! compute. Numbers, ups and nimbers are added, and a game and its negative cancel. Bounds decide
//! many sums before any move is tried:
//!
//! - thermographs bound the stops of a sum (E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways,
//!   1982, chapter 6);
//! - atomic weights bound sums of all-small games (chapter 8);
//! - rulesets may give bounds for the other components.
//!
//! None of this is valid in misère play, where every component stays in the sum. If a payoff
//! decides the game, the position is a single component. Such a game is searched by backward
//! induction. No further move in a position is tried once a move wins (E. Zermelo, Über eine
//! Anwendung der Mengenlehre auf die Theorie des Schachspiels, 1913).

mod appraisal;
mod bounds;
mod budget;
mod facts;
mod memory;
mod moves;
mod words;

use std::cmp::Ordering;

use grundy_forms::{Form, Packed};
use rustc_hash::FxHashMap;

use self::appraisal::{Appraisal, have_counts};
use self::budget::Budget;
use self::facts::{FactTable, Facts};
use self::words::WordSearch;
use crate::answers::sums::{COMPONENT_BYTES, Sum, SumEntry, SumTable, add_forms};
use crate::move_counts::Reserve;
use crate::nature::{Ends, Moves};
use crate::position::Position;
use crate::store::MAX_COUNTED_MOVES;
use crate::theorem::Theorem;
use crate::values::canonical::Canonical;
use crate::values::{Engine, PartRef, Work};
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::{PayoffResult, Play};
use grundy_base::player::Player;

use super::winning::common_theorem;

/// Length of the longest canonical form, in bytes, that an answer contains as text.
const READABLE: usize = 1_000;

/// Number of searched positions after which the search again tries to compute the values of the
/// components of the question. This applies to values that were too expensive at the start.
const FIRST_REVALUE: u64 = 1_000;

/// Returns the canonical form of a component.
fn form_of(id: u32, engine: &mut Engine, limits: &Limits<'_>) -> Result<Form, Stop> {
    let part = PartRef::Component(id);
    Ok(engine.part::<Canonical>(part, limits)?.value)
}

/// A search for the outcomes of sums. It contains the facts about components (bounds, reserves,
/// results and options), and the table of the answers found so far.
pub(crate) struct Search<'a> {
    play: Play,
    limits: &'a Limits<'a>,
    /// `true` if both players have the same moves in every position.
    same_moves: bool,
    /// `true` if components are replaced by their canonical forms. This is valid in normal play, if
    /// the last move decides.
    uses_forms: bool,
    /// The components, with their values.
    engine: Engine,
    budget: Budget,
    /// The components of the question whose canonical forms could not be computed yet.
    unvalued: Vec<u32>,
    /// Number of searched positions after which the search tries again to compute the forms of the
    /// components in `unvalued`.
    revalue_at: u64,
    /// The facts known about each component, such as bounds, results and options.
    facts: FactTable,
    /// The approximate values of forms.
    appraisals: FxHashMap<Form, Appraisal>,
    /// The answers about sums. They include answers of earlier searches if `sharing` allows it.
    table: SumTable,
    sharing: Sharing,
    /// The components of the question. The facts about these components (bounds, results and so on)
    /// are never evicted.
    roots: Vec<u32>,
    /// Approximate number of bytes in use, apart from `table`.
    other_bytes: u64,
    /// Number of bytes in use, including `table`, above which the search evicts data that are cheap
    /// to compute again.
    memory_threshold: u64,
    /// Number of components and sums stored so far.
    stored: u64,
    /// Number of positions searched so far.
    searched: u64,
    work: Work,
}

/// The searches with which the table of answers about sums is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sharing {
    /// Uses no answers of earlier searches. In a loopy game such an answer would hide that a
    /// position repeats.
    None,
    /// Later searches only, since the table was empty at the start.
    Later,
    /// Earlier and later searches.
    All,
}

/// A move that has not been tried.
enum Candidate {
    /// The sum after the move, and the player who is to move in this sum.
    Sum(Sum, Player),
    /// An option of a component. The indices are that of the component in the sum, and that of the
    /// option in the list of options. The option is entered into the store when the search tries
    /// it, not earlier.
    Option { component: usize, option_index: u32 },
}

impl Candidate {
    /// Returns the sum after the move. Returns `None` for an option that has not been entered into
    /// the store.
    fn sum(&self) -> Option<&Sum> {
        match self {
            Self::Sum(sum, _) => Some(sum),
            Self::Option { .. } => None,
        }
    }

    /// Returns the approximate number of bytes that the move occupies.
    fn bytes(&self) -> u64 {
        size_of::<Self>() as u64 + self.sum().map_or(0, Sum::bytes)
    }
}

/// An open node on the search path: a sum, the player to move, and the options still to be tried.
struct OpenNode {
    sum: Sum,
    player: Player,
    options: std::vec::IntoIter<Candidate>,
    /// The best result found so far.
    best: PayoffResult,
    /// Approximate number of bytes that the options occupy.
    option_bytes: u64,
    /// Value of `Search::searched` when the node was opened.
    opened_at: u64,
}

/// The reason why a search of a sum has ended.
enum SearchEnd {
    /// The result of the sum.
    Result(PayoffResult),
    /// A component of the question has got a canonical form. So the sum must be simplified by this
    /// form and searched again.
    Revalued(Sum, Player),
}

impl<'a> Search<'a> {
    /// Creates a search of the sums reachable from `position`. It uses the components and values of
    /// `engine`, and adds new ones.
    pub(crate) fn new(
        position: &Position,
        play: Play,
        mut engine: Engine,
        limits: &'a Limits<'a>,
    ) -> Self {
        let nature = position.nature();
        let uses_forms = play == Play::Normal && nature.ends == Ends::LastMove;
        let ends = position.terms().iter().all(|term| term.known_to_end());
        // In a loopy game a repetition is detected as a sum that is open further up the path. A
        // cached answer may come from another path, and would hide the repetition.
        let (table, sharing) = if uses_forms && ends {
            let table = engine.answers.take_sums();
            let sharing = if table.is_empty() {
                Sharing::Later
            } else {
                Sharing::All
            };
            (table, sharing)
        } else {
            (SumTable::default(), Sharing::None)
        };
        Self {
            play,
            limits,
            same_moves: nature.moves == Moves::Same,
            uses_forms,
            table,
            sharing,
            engine,
            budget: Budget::default(),
            unvalued: Vec::new(),
            revalue_at: FIRST_REVALUE,
            facts: FactTable::default(),
            appraisals: FxHashMap::default(),
            roots: Vec::new(),
            other_bytes: 0,
            // The other half of the memory is for canonical forms. `check` counts their bytes, too.
            memory_threshold: limits.memory / 2,
            stored: 0,
            searched: 0,
            work: Work::default(),
        }
    }

    /// Returns the engine with its components and their values, so that the next question can use
    /// them.
    pub(crate) fn into_engine(mut self) -> Engine {
        if self.sharing != Sharing::None {
            self.engine.answers.return_sums(self.table);
        }
        self.engine.free_searched();
        self.engine
    }

    /// Returns the sum of the components of a position.
    ///
    /// # Errors
    /// Fails with the limit that was reached, or with the error of the rules.
    pub(crate) fn sum(&mut self, position: &Position) -> Result<Sum, Stop> {
        // The forms of these components are computed regardless of their number of moves, see
        // `form`.
        let mut ids: Vec<u32> = Vec::new();
        (self.engine.store).for_search(|store| position.enter(store, &mut ids));
        self.learn(&ids, true)?;
        self.gather(&Packed::ZERO, &[], &ids)
    }

    /// Returns the amount of work done since the last call.
    pub(super) fn take_work(&mut self) -> Work {
        std::mem::take(&mut self.work)
    }

    /// Returns the canonical form of a sum, if the canonical forms of all its components have been
    /// computed and the budget suffices to add them. Otherwise returns `None`.
    pub(crate) fn value(&mut self, sum: &Sum) -> Result<Option<Form>, Stop> {
        if !sum.components.is_empty() {
            return Ok(None);
        }
        let (limits, forms) = (self.limits, &mut self.engine.short.theory.forms);
        let parts = sum.forms.to_vec();
        let packed = forms.of_packed(&sum.packed);
        self.budget.spend(limits, |limits| {
            let parts = forms.total(&parts, limits)?;
            forms.plus(packed, parts, limits)
        })
    }

    /// Returns the number that a form is equal to, if there is one.
    pub(super) fn number(&self, form: Form) -> Option<Dyadic> {
        self.engine.short.theory.forms.number(form).cloned()
    }

    /// Returns a form as text, or `None` if it is too long to be readable.
    pub(super) fn write(&mut self, form: Form) -> Result<Option<String>, Stop> {
        let (limits, forms) = (self.limits, &mut self.engine.short.theory.forms);
        let text = (self.budget).spend(limits, |limits| forms.write_within(form, limits))?;
        Ok(text.filter(|text| text.len() <= READABLE))
    }

    /// Returns the theorem that gives the value of the first part, if a theorem gives the value of
    /// every part. Returns `None` if both players have the same moves in some term, or if the
    /// budget does not suffice.
    pub(super) fn theorem(
        &mut self,
        position: &Position,
    ) -> Result<Option<&'static Theorem>, Stop> {
        if position
            .terms()
            .iter()
            .any(|term| term.nature().moves == Moves::Same)
        {
            return Ok(None);
        }
        let (limits, engine) = (self.limits, &mut self.engine);
        let values = self.budget.spend(limits, |limits| {
            engine.terms::<Canonical>(position.terms(), limits)
        })?;
        Ok(values.and_then(|values| common_theorem(&values)))
    }

    /// Returns the sum of `packed`, `forms` and the components `ids`. Numbers, ups and nimbers are
    /// added, and a game and its negative cancel.
    fn gather(&mut self, packed: &Packed, forms: &[Form], ids: &[u32]) -> Result<Sum, Stop> {
        let mut packed = packed.clone();
        let mut kept: Vec<Form> = Vec::with_capacity(forms.len() + ids.len());
        let mut components: Vec<u32> = Vec::with_capacity(ids.len());
        let arena = &self.engine.short.theory.forms;
        let component_forms = ids.iter().filter_map(|&id| self.facts[id].form);
        let forms = forms.iter().copied().chain(component_forms);
        add_forms(arena, forms, &mut packed, &mut kept)?;
        for &id in ids {
            let facts = &self.facts[id];
            if facts.form.is_some() {
                continue;
            }
            // In normal play G + (-G) = 0, so a component and its negative are both removed. In
            // misère play `negative` is never set.
            let opposite = facts.negative;
            match components.iter().position(|&other| Some(other) == opposite) {
                Some(opposite) => drop(components.swap_remove(opposite)),
                None => components.push(id),
            }
        }
        // Both lists are sorted, so that equal sums are equal keys of the table.
        kept.sort_unstable();
        components.sort_unstable();
        Ok(Sum {
            packed,
            forms: kept.into(),
            components: components.into(),
        })
    }

    /// Collects the facts (form, bounds, reserves and similar data) about new components.
    /// `are_roots` is `true` if the components are components of the question.
    fn learn(&mut self, ids: &[u32], are_roots: bool) -> Result<(), Stop> {
        if are_roots {
            self.roots.extend_from_slice(ids);
            self.roots.sort_unstable();
            self.roots.dedup();
        }
        for &id in ids {
            if self.facts.is_learned(id) {
                continue;
            }
            self.other_bytes += COMPONENT_BYTES;
            self.stored += 1;
            let mut facts = Facts {
                id,
                ..Facts::default()
            };
            if self.play == Play::Normal {
                // In misère play none of these facts is valid.
                if self.uses_forms {
                    facts.form = self.form(id, are_roots)?;
                }
                if facts.form.is_none() {
                    if are_roots && self.uses_forms {
                        self.unvalued.push(id);
                    }
                    let (parts, index) = self.engine.store.part(id);
                    if self.uses_forms {
                        facts.reserves = parts.reserves_of(index);
                    }
                    // Reserves imply bounds. If a reserve has the largest number that it can
                    // store, the bound from it would be too weak, so ask the ruleset.
                    facts.bounds = match facts.reserves {
                        Some(sides) if !sides.iter().any(Reserve::is_saturated) => Some(
                            [sides[0].least(), -sides[1].least()]
                                .map(|least| least / Reserve::UNIT),
                        ),
                        _ => parts.bounds_of(index),
                    };
                    if let Some([least, most]) = facts.bounds {
                        if self.uses_forms
                            && !facts.reserves.is_some_and(|sides| have_counts(&sides))
                        {
                            facts.moves = self.move_counts(id, MAX_COUNTED_MOVES)?;
                        }
                        let twice = least.saturating_add(most);
                        // The midpoint of the bounds. It serves only for move ordering.
                        facts.expected[0] = twice.saturating_mul(Reserve::UNIT / 2);
                    }
                    facts.negative = self.engine.store.for_search(|store| store.negative(id));
                    self.recall(&mut facts);
                }
                // The form is exact, so its appraisal replaces the estimates.
                if let Some(form) = facts.form {
                    let appraisal = self.appraisal(form)?;
                    (facts.reserves, facts.expected) = (appraisal.reserves, appraisal.expected);
                }
            }
            self.facts.learn(facts);
            self.learn_negative(id);
        }
        Ok(())
    }

    /// Records the facts (bounds, reserves and similar data) about the negative of a component.
    /// They follow from the facts about the component by exchanging the players.
    fn learn_negative(&mut self, id: u32) {
        let Some(negative) = self.facts[id].negative else {
            return;
        };
        if self.facts.is_learned(negative) {
            self.facts[negative].negative = Some(id);
            return;
        }
        self.other_bytes += COMPONENT_BYTES;
        self.stored += 1;
        let Facts {
            bounds,
            reserves,
            expected,
            moves: [left, right],
            ..
        } = self.facts[id];
        let mut facts = Facts {
            id: negative,
            negative: Some(id),
            bounds: bounds.map(|[least, most]| [-most, -least]),
            reserves: reserves.map(|[left, right]| [right, left]),
            expected: expected.map(i64::saturating_neg),
            moves: [right, left],
            ..Facts::default()
        };
        self.recall(&mut facts);
        self.facts.learn(facts);
    }

    /// Returns the canonical form of a component, if it is cheap enough to compute. `is_root` is
    /// `true` for a component of the question.
    fn form(&mut self, id: u32, is_root: bool) -> Result<Option<Form>, Stop> {
        // The limit on moves applies only to components that occur during the search. Components of
        // the question are few, and their values are part of the answer.
        let moves = (!is_root).then(|| self.move_counts(id, self.budget.max_moves()));
        let (engine, limits) = (&mut self.engine, self.limits);
        let form = |limits: &Limits<'_>| form_of(id, engine, limits);
        match moves.transpose()? {
            None => self.budget.spend(limits, form),
            Some([left, right]) => {
                (self.budget).value(u64::from(left) + u64::from(right), limits, form)
            }
        }
    }

    /// Returns the number of moves of Left and the number of moves of Right in a component.
    /// Counting stops when a number exceeds `most`.
    fn move_counts(&self, id: u32, most: u64) -> Result<[u32; 2], Stop> {
        let mut moves = [0; 2];
        let (parts, index) = self.engine.store.part(id);
        for (player, count) in Player::BOTH.into_iter().zip(&mut moves) {
            *count = parts.count_moves_of(index, player, most)? as u32;
        }
        Ok(moves)
    }

    /// Tries again to compute the forms of the components in `unvalued`, once `revalue_at`
    /// positions have been searched. Returns whether any component got a form.
    ///
    /// Searching a sum can take far longer than computing the forms of its components. Each attempt
    /// may cost as much work as the search so far, and the next attempt follows after twice as many
    /// positions. So the attempts multiply the total work at most by a constant.
    fn revalue(&mut self) -> Result<bool, Stop> {
        // For a single component, the value is at least as hard to find as the outcome.
        if self.unvalued.len() < 2 || self.work.positions < self.revalue_at {
            return Ok(false);
        }
        self.revalue_at *= 2;
        let mut budget = Budget::for_search(self.work.positions);
        let before = self.unvalued.len();
        for id in std::mem::take(&mut self.unvalued) {
            let (engine, limits) = (&mut self.engine, self.limits);
            let form = budget.spend(limits, |limits| form_of(id, engine, limits))?;
            let Some(form) = form else {
                self.unvalued.push(id);
                continue;
            };
            self.facts[id].form = Some(form);
            // Set the form of the negative too. Otherwise `gather` would cancel the negative with a
            // component that has already been replaced by its form.
            if let Some(negative) = self.facts[id].negative {
                let form = self.engine.short.theory.forms.negative(form);
                self.facts[negative].form = Some(form);
            }
        }
        Ok(self.unvalued.len() < before)
    }

    /// Returns whether `player` wins the sum `sum` moving first.
    pub(crate) fn wins(&mut self, sum: Sum, player: Player) -> Result<bool, Stop> {
        Ok(self.result(sum, player)? == PayoffResult::Win)
    }

    /// Returns an equivalent question: a sum and the player to move in it. If Right is to move and
    /// the negatives of all components are known, returns the negative of the sum and Left.
    /// Otherwise returns the sum unchanged and `player`, or Left if both players have the same
    /// moves.
    ///
    /// Right wins a sum moving first if and only if Left wins its negative moving first. So one
    /// entry of the table answers both questions.
    fn with_left_to_move(&self, sum: Sum, player: Player) -> (Sum, Player) {
        if self.same_moves || player == Player::Left || !self.uses_forms {
            return (
                sum,
                if self.same_moves {
                    Player::Left
                } else {
                    player
                },
            );
        }
        let negative = |&id: &u32| self.facts[id].negative;
        let Some(mut components) = sum
            .components
            .iter()
            .map(negative)
            .collect::<Option<Box<[u32]>>>()
        else {
            return (sum, player);
        };
        let arena = &self.engine.short.theory.forms;
        let mut forms = sum.forms;
        for form in &mut forms {
            *form = arena.negative(*form);
        }
        forms.sort_unstable();
        components.sort_unstable();
        let packed = sum.packed.negative();
        let negative = Sum {
            packed,
            forms,
            components,
        };
        (negative, Player::Left)
    }

    /// Returns the result of `sum` for `player`, who is to move.
    ///
    /// # Errors
    /// Fails with [`Stop::Cyclic`] if a position repeats, or with the limit that was reached.
    pub(crate) fn result(&mut self, sum: Sum, player: Player) -> Result<PayoffResult, Stop> {
        let mut question = self.with_left_to_move(sum, player);
        loop {
            match self.known_result(&question.0, question.1)? {
                Some(known) => return Ok(known),
                None => match self.search(question.0, question.1)? {
                    SearchEnd::Result(result) => return Ok(result),
                    // A component has got a form, so gather the sum again with this form.
                    SearchEnd::Revalued(sum, player) => {
                        let sum = self.gather(&sum.packed, &sum.forms, &sum.components)?;
                        question = self.with_left_to_move(sum, player);
                    }
                },
            }
        }
    }

    /// Searches a sum that consists of one component of an all-small game, packed into words, and
    /// of a number with ups and a nimber. Returns `None` for any other sum, or if Right is to move.
    fn solve_as_words(&mut self, sum: &Sum, player: Player) -> Result<Option<SearchEnd>, Stop> {
        let ([component], [], Player::Left, true) =
            (&sum.components[..], &sum.forms[..], player, self.uses_forms)
        else {
            return Ok(None);
        };
        let (parts, index) = self.engine.store.part(*component);
        let (Some(rules), Some(part)) = (parts.all_small(), parts.sides_of(index)) else {
            return Ok(None);
        };
        let name = parts.name();
        // An all-small game is less than every positive number and greater than every negative
        // number. So the sign of the number decides.
        let result = match sum.packed.number.sign() {
            Ordering::Less => Some(PayoffResult::Lose),
            Ordering::Greater => Some(PayoffResult::Win),
            Ordering::Equal => None,
        };
        if let Some(result) = result {
            return Ok(Some(SearchEnd::Result(result)));
        }
        let form = self.engine.short.theory.forms.of_packed(&sum.packed);
        loop {
            let max_positions = match self.unvalued.len() {
                0 | 1 => u64::MAX,
                _ => self.revalue_at.saturating_sub(self.work.positions).max(1),
            };
            // This search and the search of words share the memory, so the latter gets the bytes
            // that are still free.
            let free_bytes = self.memory_threshold.saturating_sub(self.bytes());
            let Engine { answers, short, .. } = &mut self.engine;
            let (answers, forms) = (answers.words(name), &mut short.theory.forms);
            let before = answers.searched;
            let mut search = WordSearch::new(rules, forms, self.limits, answers, free_bytes);
            let wins = (search.sum(form, &[part])).and_then(|sum| search.wins(&sum, max_positions));
            self.work.positions += answers.searched - before;
            if let Some(wins) = wins? {
                let result = if wins {
                    PayoffResult::Win
                } else {
                    PayoffResult::Lose
                };
                return Ok(Some(SearchEnd::Result(result)));
            }
            // The search has visited `max_positions` positions without a result. Its answers stay
            // in the table, so the next search of words resumes it.
            if self.revalue()? {
                return Ok(Some(SearchEnd::Revalued(sum.clone(), Player::Left)));
            }
        }
    }

    /// Searches a sum until its result is known, or until a component of the question gets a form.
    ///
    /// The search path is an explicit stack. A recursion would be as deep as play is long, and
    /// could overflow the call stack.
    fn search(&mut self, sum: Sum, player: Player) -> Result<SearchEnd, Stop> {
        if let Some(found) = self.solve_as_words(&sum, player)? {
            return Ok(found);
        }
        let mut path = vec![self.open(sum, player)?];
        let mut answer: Option<PayoffResult> = None;
        while let Some(last) = path.last_mut() {
            if let Some(answer) = answer.take() {
                last.best = last.best.max(answer.reversed());
            }
            let next = match last.best {
                PayoffResult::Win => None,
                _ => last.options.next(),
            };
            let Some(next) = next else {
                let last = path.pop().expect("it was there a moment ago");
                self.other_bytes -= last.option_bytes;
                self.record_component_result(&last);
                // The cost of the answer is the number of positions searched below this node.
                // Answers of low cost are evicted first, since they are cheap to find again.
                let known = SumEntry::new(last.best, self.searched - last.opened_at);
                self.table.keep(last.sum, last.player, known);
                answer = Some(last.best);
                continue;
            };
            let (next, other) = self.apply(next, &last.sum, last.player)?;
            if let Some(known) = self.known_result(&next, other)? {
                self.work.hits += 1;
                answer = Some(known);
                continue;
            }
            let revalued = match self.solve_as_words(&next, other)? {
                Some(SearchEnd::Result(result)) => {
                    answer = Some(result);
                    continue;
                }
                Some(SearchEnd::Revalued(..)) => true,
                None => {
                    // `next` is neither in the table nor on the path yet. Pass it separately, so
                    // that its components are not evicted.
                    if self.is_full() {
                        self.evict(&path, &next)?;
                    }
                    path.push(self.open(next, other)?);
                    self.revalue()?
                }
            };
            // A component of the question has got a form, but the sums on the path still contain it
            // without its form. So start again from the first sum. The answers in the table stay.
            // The entries of open sums must be removed. The new search would take them for
            // repetitions of a position.
            if revalued {
                for open in &path {
                    self.other_bytes -= open.option_bytes;
                    self.table.drop_open(&open.sum, open.player);
                }
                let first = path.swap_remove(0);
                return Ok(SearchEnd::Revalued(first.sum, first.player));
            }
        }
        Ok(SearchEnd::Result(answer.unwrap_or(PayoffResult::Lose)))
    }

    /// Records the result of a search node as a fact about a component, if the sum of the node is a
    /// single component.
    fn record_component_result(&mut self, node: &OpenNode) {
        let Some(id) = node.sum.single_component().filter(|_| self.uses_forms) else {
            return;
        };
        // If Left wins G moving first, then Right wins -G moving first.
        let questions = [
            (Some(id), node.player),
            (self.facts[id].negative, node.player.other()),
        ];
        for (id, player) in questions {
            let Some(id) = id else { continue };
            let facts = &mut self.facts[id];
            facts.results[player as usize] = Some(node.best);
            facts.set_form_if_zero();
        }
    }

    /// Returns the result of a sum, if it is known or can be decided without trying a move.
    fn known_result(&mut self, sum: &Sum, player: Player) -> Result<Option<PayoffResult>, Stop> {
        // The result of an open sum is `None`. The caller then opens the sum a second time, and
        // `open` reports a repetition.
        if let Some(known) = self.table.get(sum, player) {
            return Ok(known.result);
        }
        if self.play != Play::Normal {
            return Ok(None);
        }
        // Comparing reserves, which are integers, is cheaper than comparing forms in
        // `result_by_bounds`.
        if let Some(result) = self.result_by_reserves(sum, player)? {
            return Ok(Some(result));
        }
        let result = self.result_by_bounds(sum, player)?;
        if let Some(result) = result {
            self.keep(sum.clone(), player, SumEntry::new(result, 0));
        }
        Ok(result)
    }

    /// Opens a sum: counts it as a searched position, enters it as open into the table, and lists
    /// the moves to be tried.
    ///
    /// # Errors
    /// Fails with [`Stop::Cyclic`] if the sum is already on the search path, since a position then
    /// repeats. Also fails if a limit was reached.
    fn open(&mut self, sum: Sum, player: Player) -> Result<OpenNode, Stop> {
        self.check()?;
        self.work.positions += 1;
        self.searched += 1;
        self.limits.count(1);
        self.budget.earn();
        if self.keep(sum.clone(), player, SumEntry::OPEN) {
            return Err(Stop::Cyclic);
        }
        let opened_at = self.searched;
        let moves = self.moves_with_lookahead(&sum, player)?;
        let mut best = moves.best;
        // A player without a move gets the payoff, or loses in normal play and wins in misère play.
        if !moves.has_move {
            best = match sum.components[..] {
                [component] => self
                    .engine
                    .store
                    .payoff(component, player)?
                    .in_play(self.play),
                _ => PayoffResult::Lose.in_play(self.play),
            };
        }
        let option_bytes = moves.options.iter().map(Candidate::bytes).sum();
        self.other_bytes += option_bytes;
        Ok(OpenNode {
            sum,
            player,
            options: moves.options.into_iter(),
            best,
            option_bytes,
            opened_at,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::Argument;
    use crate::registry::construct;

    /// Checks that the outcome does not depend on whether components are replaced by their forms.
    /// Some components of these sums are numbers, but only the forms show this.
    #[test]
    fn outcomes_do_not_depend_on_forms() {
        let limits = Limits::default();
        let text = |text: &str| Argument::Text(text.into());
        let mut positions = Vec::new();
        let pictures = [
            "0-1:b 1-2:r 2-3:r",
            "0-1:r 1-2:b 2-3:b",
            "0-1:b 1-2:r 2-0:b",
            "0-1:r 1-2:r 2-0:b 1-3:b",
        ];
        let strips = ["T.TF", "TF.F", "TT.F.F", ".T.FF", "T..F"];
        let numbers = ["1/2", "3/8", "-3/8", "5/8", "-5/4", "1/16", "{1|-1}"];
        for picture in pictures {
            for strip in strips {
                for number in numbers {
                    let terms = [
                        ("hackenbush", picture),
                        ("toads_and_frogs", strip),
                        ("literal", number),
                    ];
                    let terms =
                        terms.map(|(name, of)| construct(name, &[(None, text(of))]).unwrap());
                    positions.push(Position::sum(terms.to_vec()).unwrap());
                }
            }
        }
        for position in positions {
            let mut results = Vec::new();
            for uses_forms in [true, false] {
                let mut search = Search::new(&position, Play::Normal, Engine::default(), &limits);
                // The form of the last term is computed in both searches.
                let last = position.terms().last().cloned();
                search.sum(&last.map(Position::from).unwrap()).unwrap();
                search.uses_forms = uses_forms;
                let sum = search.sum(&position).unwrap();
                results
                    .push(Player::BOTH.map(|player| search.result(sum.clone(), player).unwrap()));
            }
            assert_eq!(results[0], results[1], "{position}");
        }
    }
}
