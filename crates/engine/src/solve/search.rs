//! Outcomes of positions, by a search over the reachable sums of components.
//!
//! In normal play a sum has three parts. These are a number with ups and a nimber, other canonical
//! forms, and components that are too expensive to value. Numbers, ups and nimbers are added, and
//! opposites cancel. Bounds decide many sums before any move is tried:
//!
//! - thermographs bound the stops of a sum (E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways,
//!   1982, chapter 6);
//! - atomic weights bound sums of all-small games (chapter 8);
//! - rulesets may give bounds for the other components.
//!
//! None of this is valid in misère play, where every component stays in the sum. A game that ends
//! with a payoff is a single component. Its search is backward induction, which leaves a position
//! once it finds a win (E. Zermelo, Über eine Anwendung der Mengenlehre auf die Theorie des
//! Schachspiels, 1913).

mod appraisal;
mod bounds;
mod budget;
mod facts;
mod memory;
mod moves;
mod sides;

use std::cmp::Ordering;

use grundy_forms::{Form, Packed};
use rustc_hash::FxHashMap;

use self::appraisal::{Appraisal, are_counted};
use self::budget::Budget;
use self::facts::{FactTable, Facts};
use self::sides::Run;
use crate::answers::sums::{COMPONENT, Sum, SumEntry, SumTable, gather};
use crate::move_counts::Reserve;
use crate::nature::{Ends, Moves};
use crate::position::Position;
use crate::store::COUNTED;
use crate::theorem::Theorem;
use crate::values::canonical::Canonical;
use crate::values::{Engine, PartRef, Work};
use grundy_base::dyadic::Dyadic;
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::{Play, Worth};
use grundy_base::player::Player;

use super::winning::given_by;

/// Length of the longest value, in bytes, that an answer includes although it was not asked for.
const READABLE: usize = 1_000;

/// Number of positions searched before the search first tries again to compute values for the
/// components of the question.
const PATIENCE: u64 = 1_000;

/// Returns the canonical form of a component.
fn form_of(id: u32, engine: &mut Engine, limits: &Limits<'_>) -> Result<Form, Stop> {
    let part = PartRef::Component(id);
    Ok(engine.part::<Canonical>(part, limits)?.value)
}

/// A search, with the facts about components and the answers found so far.
pub(crate) struct Search<'a> {
    play: Play,
    limits: &'a Limits<'a>,
    /// `true` if both players have the same moves in every position.
    same: bool,
    /// `true` if components can have canonical forms, which hold in normal play.
    valued: bool,
    /// The components, with their values.
    engine: Engine,
    budget: Budget,
    /// The components of the question whose canonical forms could not be computed yet.
    unvalued: Vec<u32>,
    /// Number of positions searched before the components in `unvalued` are tried again.
    patience: u64,
    /// The facts known about each component.
    facts: FactTable,
    /// The approximate values of forms.
    appraisals: FxHashMap<Form, Appraisal>,
    /// The answers about sums, including those of earlier searches if they can be shared.
    known: SumTable,
    sharing: Sharing,
    /// The components of the question, whose facts are never evicted.
    asked: Vec<u32>,
    /// Approximate number of bytes in use, apart from the answers.
    held: u64,
    /// Number of bytes, including the answers, above which the search evicts data that are cheap to
    /// compute again.
    room: u64,
    /// Number of components and sums stored so far.
    stored: u64,
    /// Number of positions searched so far.
    searched: u64,
    work: Work,
}

/// The searches with which the table of answers about sums is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sharing {
    /// No other search. In a loopy game an answer of an earlier search would hide that a position
    /// repeats.
    None,
    /// Later searches only, since the table was empty at the start.
    Later,
    /// Earlier and later searches.
    All,
}

/// A move that is to be tried.
enum Candidate {
    /// The sum after the move, and the player to move there.
    Sum(Sum, Player),
    /// An option of a component: the index of the component in the sum, and the index of the option
    /// in the component's list. The option enters the store only when it is tried.
    Option { component: usize, place: u32 },
}

impl Candidate {
    /// Returns the sum after the move, if it has been stored.
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
struct Unsettled {
    sum: Sum,
    player: Player,
    options: std::vec::IntoIter<Candidate>,
    /// The best result found so far.
    best: Worth,
    /// Approximate number of bytes that the options occupy.
    held: u64,
    /// Value of `Search::searched` when the node was opened.
    since: u64,
}

/// The end of one run of the search for a sum.
enum Searched {
    Worth(Worth),
    /// Some components have got canonical forms, so the sum must be gathered and searched again.
    Valued(Sum, Player),
}

impl<'a> Search<'a> {
    /// Creates a search for sums reachable from `position`. It uses and extends the components and
    /// values of `engine`.
    pub(crate) fn new(
        position: &Position,
        play: Play,
        mut engine: Engine,
        limits: &'a Limits<'a>,
    ) -> Self {
        let nature = position.nature();
        let valued = play == Play::Normal && nature.ends == Ends::LastMove;
        let ends = position.terms().iter().all(|term| term.known_to_end());
        // In a loopy game a repetition is detected as a sum that is open further up the path. A
        // cached answer may come from another path, and would hide the repetition.
        let (known, sharing) = if valued && ends {
            let known = engine.answers.take_sums();
            let sharing = if known.is_empty() {
                Sharing::Later
            } else {
                Sharing::All
            };
            (known, sharing)
        } else {
            (SumTable::default(), Sharing::None)
        };
        Self {
            play,
            limits,
            same: nature.moves == Moves::Same,
            valued,
            known,
            sharing,
            engine,
            budget: Budget::default(),
            unvalued: Vec::new(),
            patience: PATIENCE,
            facts: FactTable::default(),
            appraisals: FxHashMap::default(),
            asked: Vec::new(),
            held: 0,
            // The other half is for canonical forms, whose bytes `check` counts too.
            room: limits.memory / 2,
            stored: 0,
            searched: 0,
            work: Work::default(),
        }
    }

    /// Returns the engine with its components and their values, for use by the next question.
    pub(crate) fn into_engine(mut self) -> Engine {
        if self.sharing != Sharing::None {
            self.engine.answers.put_sums(self.known);
        }
        self.engine.forget_searched();
        self.engine
    }

    /// Returns the sum of the components of a position.
    ///
    /// # Errors
    /// Fails with the limit that was reached, or with the error of the rules.
    pub(crate) fn sum(&mut self, position: &Position) -> Result<Sum, Stop> {
        // The components of the question are valued regardless of their number of moves, see
        // `form`.
        let mut ids: Vec<u32> = Vec::new();
        (self.engine.store).for_search(|store| position.enter(store, &mut ids));
        self.learn(&ids, true)?;
        self.gathered(&Packed::ZERO, &[], &ids)
    }

    /// Returns the amount of work done since the last call.
    pub(super) fn take_work(&mut self) -> Work {
        std::mem::take(&mut self.work)
    }

    /// Returns the canonical form of a sum, if all its components have one.
    pub(crate) fn value(&mut self, sum: &Sum) -> Result<Option<Form>, Stop> {
        if !sum.rest.is_empty() {
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

    /// Returns the theorem that gives the value of every component, if there is one theorem for
    /// all.
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
        Ok(values.and_then(|values| given_by(&values)))
    }

    /// Forms a sum from a number, forms and components. Numbers, ups and nimbers are added, and
    /// opposites cancel.
    fn gathered(&mut self, packed: &Packed, forms: &[Form], ids: &[u32]) -> Result<Sum, Stop> {
        let mut packed = packed.clone();
        let mut kept: Vec<Form> = Vec::with_capacity(forms.len() + ids.len());
        let mut rest: Vec<u32> = Vec::with_capacity(ids.len());
        let arena = &self.engine.short.theory.forms;
        let valued = ids.iter().filter_map(|&id| self.facts[id].form);
        let forms = forms.iter().copied().chain(valued);
        gather(arena, forms, &mut packed, &mut kept)?;
        for &id in ids {
            let facts = &self.facts[id];
            if facts.form.is_some() {
                continue;
            }
            // In normal play G + (-G) = 0, so a component and its negative are both removed. In
            // misère play `negative` is never set.
            let opposite = facts.negative;
            match rest.iter().position(|&other| Some(other) == opposite) {
                Some(opposite) => drop(rest.swap_remove(opposite)),
                None => rest.push(id),
            }
        }
        // Both lists are sorted, so that equal sums are equal keys of the table.
        kept.sort_unstable();
        rest.sort_unstable();
        Ok(Sum {
            packed,
            forms: kept.into(),
            rest: rest.into(),
        })
    }

    /// Collects the facts about new components. `asked` is `true` if they are components of the
    /// question.
    fn learn(&mut self, ids: &[u32], asked: bool) -> Result<(), Stop> {
        if asked {
            self.asked.extend_from_slice(ids);
            self.asked.sort_unstable();
            self.asked.dedup();
        }
        for &id in ids {
            if self.facts.is_learned(id) {
                continue;
            }
            self.held += COMPONENT;
            self.stored += 1;
            let mut facts = Facts {
                id,
                ..Facts::default()
            };
            if self.play == Play::Normal {
                // In misère play none of these facts is valid.
                if self.valued {
                    facts.form = self.form(id, asked)?;
                }
                if facts.form.is_none() {
                    if asked && self.valued {
                        self.unvalued.push(id);
                    }
                    let (parts, index) = self.engine.store.part(id);
                    if self.valued {
                        facts.reserves = parts.reserves_of(index);
                    }
                    // Reserves imply bounds, unless they have the largest number allowed.
                    facts.bounds = match facts.reserves {
                        Some(sides) if !sides.iter().any(Reserve::is_large) => Some(
                            [sides[0].least(), -sides[1].least()]
                                .map(|least| least / Reserve::UNIT),
                        ),
                        _ => parts.bounds_of(index),
                    };
                    if let Some([least, most]) = facts.bounds {
                        if self.valued && !facts.reserves.is_some_and(|sides| are_counted(&sides)) {
                            facts.moves = self.moves(id, COUNTED)?;
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

    /// Records the facts about the negative of a component, obtained by exchanging the players.
    fn learn_negative(&mut self, id: u32) {
        let Some(negative) = self.facts[id].negative else {
            return;
        };
        if self.facts.is_learned(negative) {
            self.facts[negative].negative = Some(id);
            return;
        }
        self.held += COMPONENT;
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

    /// Returns the canonical form of a component, if it is cheap enough to compute.
    fn form(&mut self, id: u32, asked: bool) -> Result<Option<Form>, Stop> {
        // The limit on moves is for components that occur only during the search. Components of the
        // question are few, and their values are part of the answer.
        let moves = (!asked).then(|| self.moves(id, self.budget.reach()));
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
    /// Counting stops above `most`.
    fn moves(&self, id: u32, most: u64) -> Result<[u32; 2], Stop> {
        let mut moves = [0; 2];
        let (parts, index) = self.engine.store.part(id);
        for (player, count) in Player::BOTH.into_iter().zip(&mut moves) {
            *count = parts.count_moves_of(index, player, most)? as u32;
        }
        Ok(moves)
    }

    /// Tries again to compute the values of the components of the question, if the search has taken
    /// long. Returns whether any of them got a value.
    ///
    /// Searching a sum can take far longer than computing the values of its components. Each
    /// attempt may cost as much work as the search so far, and the next one follows after twice as
    /// many positions. So the attempts multiply the total work at most by a constant.
    fn revalue(&mut self) -> Result<bool, Stop> {
        // With a single component the value is at least as hard to find as the outcome.
        if self.unvalued.len() < 2 || self.work.positions < self.patience {
            return Ok(false);
        }
        self.patience *= 2;
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
            // Update the negative too, since `gathered` cancels components by their negatives.
            if let Some(negative) = self.facts[id].negative {
                let form = self.engine.short.theory.forms.negative(form);
                self.facts[negative].form = Some(form);
            }
        }
        Ok(self.unvalued.len() < before)
    }

    /// Returns whether `player` wins `sum` as the player who moves first.
    pub(crate) fn wins(&mut self, sum: Sum, player: Player) -> Result<bool, Stop> {
        Ok(self.worth(sum, player)? == Worth::Win)
    }

    /// Returns an equivalent question with Left to move, if there is one.
    ///
    /// Right wins a sum moving first if and only if Left wins its negative moving first. So the
    /// table needs one entry for both questions.
    fn upright(&self, sum: Sum, player: Player) -> (Sum, Player) {
        if self.same || player == Player::Left || !self.valued {
            return (sum, if self.same { Player::Left } else { player });
        }
        let negative = |&id: &u32| self.facts[id].negative;
        let Some(mut rest) = sum
            .rest
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
        rest.sort_unstable();
        let packed = sum.packed.negative();
        let negative = Sum {
            packed,
            forms,
            rest,
        };
        (negative, Player::Left)
    }

    /// Returns the result of `sum` for `player`, who is to move.
    ///
    /// # Errors
    /// Fails with [`Stop::Cyclic`] if a position repeats, or with the limit that was reached.
    pub(crate) fn worth(&mut self, sum: Sum, player: Player) -> Result<Worth, Stop> {
        let mut question = self.upright(sum, player);
        loop {
            match self.settled(&question.0, question.1)? {
                Some(known) => return Ok(known),
                None => match self.searched(question.0, question.1)? {
                    Searched::Worth(worth) => return Ok(worth),
                    // The new values change which components the sum contains, so gather it again.
                    Searched::Valued(sum, player) => {
                        let sum = self.gathered(&sum.packed, &sum.forms, &sum.rest)?;
                        question = self.upright(sum, player);
                    }
                },
            }
        }
    }

    /// Searches a sum of one all-small component, packed into words, and of forms, with Left to
    /// move. Returns `None` for any other sum.
    fn in_words(&mut self, sum: &Sum, player: Player) -> Result<Option<Searched>, Stop> {
        let ([only], [], Player::Left, true) = (&sum.rest[..], &sum.forms[..], player, self.valued)
        else {
            return Ok(None);
        };
        let (parts, index) = self.engine.store.part(*only);
        let (Some(rules), Some(part)) = (parts.all_small(), parts.sides_of(index)) else {
            return Ok(None);
        };
        let name = parts.name();
        // An all-small game is less than every positive number and greater than every negative
        // number. So the sign of the number decides.
        let worth = match sum.packed.number.sign() {
            Ordering::Less => Some(Worth::Lose),
            Ordering::Greater => Some(Worth::Win),
            Ordering::Equal => None,
        };
        if let Some(worth) = worth {
            return Ok(Some(Searched::Worth(worth)));
        }
        let form = self.engine.short.theory.forms.of_packed(&sum.packed);
        loop {
            let patience = match self.unvalued.len() {
                0 | 1 => u64::MAX,
                _ => self.patience.saturating_sub(self.work.positions).max(1),
            };
            // This search and the run share the memory, so the run gets what is left now.
            let room = self.room.saturating_sub(self.bytes());
            let Engine { answers, short, .. } = &mut self.engine;
            let (answers, forms) = (answers.words(name), &mut short.theory.forms);
            let before = answers.searched;
            let mut run = Run::new(rules, forms, self.limits, answers, room);
            let wins = (run.sum(form, &[part])).and_then(|sum| run.wins(&sum, patience));
            self.work.positions += answers.searched - before;
            if let Some(wins) = wins? {
                let worth = if wins { Worth::Win } else { Worth::Lose };
                return Ok(Some(Searched::Worth(worth)));
            }
            // The run has searched the number of positions that it was allowed. Its answers stay in
            // the table, so the next run resumes it.
            if self.revalue()? {
                return Ok(Some(Searched::Valued(sum.clone(), Player::Left)));
            }
        }
    }

    /// Searches a sum until its result is known, or until a component of the question gets a value.
    ///
    /// The path is an explicit stack, because its depth is the length of play, for which the call
    /// stack may be too small.
    fn searched(&mut self, sum: Sum, player: Player) -> Result<Searched, Stop> {
        if let Some(found) = self.in_words(&sum, player)? {
            return Ok(found);
        }
        let mut way = vec![self.unsettled(sum, player)?];
        let mut answer: Option<Worth> = None;
        while let Some(last) = way.last_mut() {
            if let Some(answer) = answer.take() {
                last.best = last.best.max(answer.reversed());
            }
            let next = match last.best {
                Worth::Win => None,
                _ => last.options.next(),
            };
            let Some(next) = next else {
                let last = way.pop().expect("it was there a moment ago");
                self.held -= last.held;
                self.note(&last);
                // The cost class counts the positions searched below this node, so that eviction
                // removes the answers that are cheap to find again.
                let known = SumEntry::after(last.best, self.searched - last.since);
                self.known.keep(last.sum, last.player, known);
                answer = Some(last.best);
                continue;
            };
            let (next, other) = self.made(next, &last.sum, last.player)?;
            if let Some(known) = self.settled(&next, other)? {
                self.work.hits += 1;
                answer = Some(known);
                continue;
            }
            let valued = match self.in_words(&next, other)? {
                Some(Searched::Worth(worth)) => {
                    answer = Some(worth);
                    continue;
                }
                Some(Searched::Valued(..)) => true,
                None => {
                    // `next` is not yet in the table or on the path, so it is passed separately to
                    // be kept.
                    if self.is_full() {
                        self.forget(&way, &next)?;
                    }
                    way.push(self.unsettled(next, other)?);
                    self.revalue()?
                }
            };
            // The sums on the path were gathered with outdated facts, so start again from the root.
            // The answers stay. The open entries must be removed, since they would be taken for
            // repetitions.
            if valued {
                for open in &way {
                    self.held -= open.held;
                    self.known.drop_open(&open.sum, open.player);
                }
                let first = way.swap_remove(0);
                return Ok(Searched::Valued(first.sum, first.player));
            }
        }
        Ok(Searched::Worth(answer.unwrap_or(Worth::Lose)))
    }

    /// Records the result of a sum that is a single component, as a fact about the component.
    fn note(&mut self, found: &Unsettled) {
        let Some(id) = found.sum.only().filter(|_| self.valued) else {
            return;
        };
        // If Left wins G moving first, then Right wins -G moving first.
        let asked = [
            (Some(id), found.player),
            (self.facts[id].negative, found.player.other()),
        ];
        for (id, player) in asked {
            let Some(id) = id else { continue };
            let facts = &mut self.facts[id];
            facts.worths[player as usize] = Some(found.best);
            facts.settle();
        }
    }

    /// Returns the result of a sum, if it is known or can be decided without trying a move.
    fn settled(&mut self, sum: &Sum, player: Player) -> Result<Option<Worth>, Stop> {
        // For an open entry this is `None`. The caller then opens the sum again, and `unsettled`
        // reports a repetition.
        if let Some(known) = self.known.get(sum, player) {
            return Ok(known.worth);
        }
        if self.play != Play::Normal {
            return Ok(None);
        }
        // Reserves are integers, so they are tested before the comparisons of forms in `bounded`.
        if let Some(worth) = self.counted(sum, player)? {
            return Ok(Some(worth));
        }
        let worth = self.bounded(sum, player)?;
        if let Some(worth) = worth {
            self.keep(sum.clone(), player, SumEntry::after(worth, 0));
        }
        Ok(worth)
    }

    /// Opens a sum: counts it, marks it as open in the table, and lists the moves to be tried.
    ///
    /// # Errors
    /// Fails with [`Stop::Cyclic`] if the sum is open already, that is, if it occurs on the path.
    fn unsettled(&mut self, sum: Sum, player: Player) -> Result<Unsettled, Stop> {
        self.check()?;
        self.work.positions += 1;
        self.searched += 1;
        self.limits.count(1);
        self.budget.earn();
        if self.keep(sum.clone(), player, SumEntry::OPEN) {
            return Err(Stop::Cyclic);
        }
        let since = self.searched;
        let tried = self.foreseen(&sum, player)?;
        let mut best = tried.best;
        // Without moves, the payoff or the convention of play decides.
        if !tried.any {
            best = match sum.rest[..] {
                [only] => self.engine.store.payoff(only, player)?.in_play(self.play),
                _ => Worth::Lose.in_play(self.play),
            };
        }
        let held = tried.options.iter().map(Candidate::bytes).sum();
        self.held += held;
        Ok(Unsettled {
            sum,
            player,
            options: tried.options.into_iter(),
            best,
            held,
            since,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::Argument;
    use crate::registry::construct;

    /// Checks that the outcome does not depend on which components are valued. Some components of
    /// these sums are numbers, but are not recognized as numbers.
    #[test]
    fn the_outcome_does_not_depend_on_valued_components() {
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
            let mut worths = Vec::new();
            for valued in [true, false] {
                let mut search = Search::new(&position, Play::Normal, Engine::default(), &limits);
                // The last term is valued in both searches.
                let last = position.terms().last().cloned();
                search.sum(&last.map(Position::from).unwrap()).unwrap();
                search.valued = valued;
                let sum = search.sum(&position).unwrap();
                worths.push(Player::BOTH.map(|player| search.worth(sum.clone(), player).unwrap()));
            }
            assert_eq!(worths[0], worths[1], "{position}");
        }
    }
}
