//! Outcomes of positions, by a search over the reachable sums of components.
//!
//! In normal play a sum has three parts: a number with ups and a nimber, canonical forms, and
//! components that are too expensive to value. Numbers, ups and nimbers add up, and opposites
//! cancel. Bounds settle many sums before any move is tried:
//!
//! - thermographs bound the stops of a sum (E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways,
//!   1982, chapter 6);
//! - atomic weights bound sums of all-small games (chapter 8);
//! - rulesets may bound the other components.
//!
//! None of this holds in misère play, so every component stays in the sum. A game that ends with a
//! payoff is a single component. The search is backward induction, which leaves a position once a
//! win is found (E. Zermelo, Über eine Anwendung der Mengenlehre auf die Theorie des Schachspiels,
//! 1913).

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

/// Length of the longest value, in bytes, that an answer includes unasked.
const READABLE: usize = 1_000;

/// Number of positions searched before the search first retries to value the components of the
/// question.
const PATIENCE: u64 = 1_000;

/// Returns the canonical form of a component.
fn form_of(id: u32, engine: &mut Engine, limits: &Limits<'_>) -> Result<Form, Stop> {
    let part = PartRef::Component(id);
    Ok(engine.part::<Canonical>(part, limits)?.value)
}

/// A search, with the components and outcomes seen so far.
pub(crate) struct Search<'a> {
    play: Play,
    limits: &'a Limits<'a>,
    /// `true` if both players have the same moves.
    same: bool,
    /// `true` if components can have values.
    valued: bool,
    /// The components, with their values.
    engine: Engine,
    budget: Budget,
    /// The components of the question that have no value yet.
    unvalued: Vec<u32>,
    /// Number of positions to search before these components are tried again.
    patience: u64,
    /// The facts known of each component.
    facts: FactTable,
    /// The appraisals of forms.
    appraisals: FxHashMap<Form, Appraisal>,
    /// The answers about sums. It includes those of earlier searches if these can be shared.
    known: SumTable,
    sharing: Sharing,
    /// The components of the question, which are never evicted.
    asked: Vec<u32>,
    /// Approximate number of bytes held in addition to the answers.
    held: u64,
    /// Number of bytes, answers included, above which the search evicts what is cheap to recompute.
    room: u64,
    /// Number of components and sums stored so far.
    stored: u64,
    /// Number of positions searched so far.
    searched: u64,
    work: Work,
}

/// The searches that share the table of answers about sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sharing {
    /// No search. In a loopy game an earlier answer would hide that a position repeats.
    None,
    /// Later searches only, because the table was empty.
    Later,
    /// Earlier and later searches.
    All,
}

/// A move to be tried.
enum Candidate {
    /// The sum after the move, and the player to move there.
    Sum(Sum, Player),
    /// An option of a component, by the index of the component in the sum and of the option in its
    /// list. The option enters the store only when it is tried.
    Option { component: usize, place: u32 },
}

impl Candidate {
    /// Returns the sum after the move, if it is stored.
    fn sum(&self) -> Option<&Sum> {
        match self {
            Self::Sum(sum, _) => Some(sum),
            Self::Option { .. } => None,
        }
    }

    /// Returns the approximate size in bytes.
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
    /// Approximate number of bytes held by the options.
    held: u64,
    /// Value of `Search::searched` when the node was opened.
    since: u64,
}

/// The result of searching a sum.
enum Searched {
    Worth(Worth),
    /// Some components have got values, so the sum has to be gathered and searched again.
    Valued(Sum, Player),
}

impl<'a> Search<'a> {
    /// Creates a search for everything reachable from `position`, with the values of `engine`.
    pub(crate) fn new(
        position: &Position,
        play: Play,
        mut engine: Engine,
        limits: &'a Limits<'a>,
    ) -> Self {
        let nature = position.nature();
        let valued = play == Play::Normal && nature.ends == Ends::LastMove;
        let ends = position.terms().iter().all(|term| term.known_to_end());
        // A repetition shows as a question that is open further up the path. A cached answer, which
        // may come from another path, would hide it.
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
            // The other half is for canonical forms, which `check` counts as well.
            room: limits.memory / 2,
            stored: 0,
            searched: 0,
            work: Work::default(),
        }
    }

    /// Returns the engine, with the components and their values, for the next question.
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
        // Components of the question are valued whatever their number of moves, see `form`.
        let mut ids: Vec<u32> = Vec::new();
        (self.engine.store).for_search(|store| position.enter(store, &mut ids));
        self.learn(&ids, true)?;
        self.gathered(&Packed::ZERO, &[], &ids)
    }

    /// Returns the work done since the last call.
    pub(super) fn take_work(&mut self) -> Work {
        std::mem::take(&mut self.work)
    }

    /// Returns the value of a sum, if all its components have one.
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

    /// Returns the value of a form that is a number.
    pub(super) fn number(&self, form: Form) -> Option<Dyadic> {
        self.engine.short.theory.forms.number(form).cloned()
    }

    /// Returns a form as text, if it is short enough to be readable.
    pub(super) fn write(&mut self, form: Form) -> Result<Option<String>, Stop> {
        let (limits, forms) = (self.limits, &mut self.engine.short.theory.forms);
        let text = (self.budget).spend(limits, |limits| forms.write_within(form, limits))?;
        Ok(text.filter(|text| text.len() <= READABLE))
    }

    /// Returns the theorem that gives the values of all components, if there is one.
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

    /// Gathers components into a sum. Numbers, ups and nimbers are added, and opposites cancel.
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
            // G + (-G) = 0 in normal play, so a component and its negative can both be dropped. In
            // misère play `negative` is never set.
            let opposite = facts.negative;
            match rest.iter().position(|&other| Some(other) == opposite) {
                Some(opposite) => drop(rest.swap_remove(opposite)),
                None => rest.push(id),
            }
        }
        // Both lists are sorted, so that equal sums have equal keys in the table.
        kept.sort_unstable();
        rest.sort_unstable();
        Ok(Sum {
            packed,
            forms: kept.into(),
            rest: rest.into(),
        })
    }

    /// Collects the facts of new components. `asked` is `true` for components of the question.
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
                // None of these facts holds in misère play.
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
                    // Reserves already contain bounds, unless they are capped.
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
                        // The midpoint of the bounds, as an estimate for move ordering only.
                        facts.expected[0] = twice.saturating_mul(Reserve::UNIT / 2);
                    }
                    facts.negative = self.engine.store.for_search(|store| store.negative(id));
                    self.recall(&mut facts);
                }
                // The form describes the component exactly, so its appraisal replaces the
                // estimates.
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

    /// Records the facts of the negative of a component, with the players exchanged.
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

    /// Returns the canonical form of a component, if it is cheap enough.
    fn form(&mut self, id: u32, asked: bool) -> Result<Option<Form>, Stop> {
        // The limit on moves is for components that come up in the search. Those of the question
        // are few, and their values are part of the answer.
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

    /// Returns the number of moves of Left and of Right in a component, counting up to `most`.
    fn moves(&self, id: u32, most: u64) -> Result<[u32; 2], Stop> {
        let mut moves = [0; 2];
        let (parts, index) = self.engine.store.part(id);
        for (player, count) in Player::BOTH.into_iter().zip(&mut moves) {
            *count = parts.count_moves_of(index, player, most)? as u32;
        }
        Ok(moves)
    }

    /// Retries to value the components of the question once the search has taken long. Returns
    /// whether any of them got a value.
    ///
    /// A sum can take far longer to search than its components take to value. Each retry may cost
    /// as much work as the search so far, and the interval doubles. So values never cost more than
    /// a constant factor.
    fn revalue(&mut self) -> Result<bool, Stop> {
        // For a single component the value is at least as hard to find as the outcome.
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
            // Keep the pair consistent, since `gathered` cancels components by their negatives.
            if let Some(negative) = self.facts[id].negative {
                let form = self.engine.short.theory.forms.negative(form);
                self.facts[negative].form = Some(form);
            }
        }
        Ok(self.unvalued.len() < before)
    }

    /// Returns whether `player` wins `sum` moving first.
    pub(crate) fn wins(&mut self, sum: Sum, player: Player) -> Result<bool, Stop> {
        Ok(self.worth(sum, player)? == Worth::Win)
    }

    /// Returns the equivalent question with Left to move, if there is one.
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

    /// Returns the result of `sum` for `player`, who moves now.
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
                    // New values change which components the sum keeps, so gather it again.
                    Searched::Valued(sum, player) => {
                        let sum = self.gathered(&sum.packed, &sum.forms, &sum.rest)?;
                        question = self.upright(sum, player);
                    }
                },
            }
        }
    }

    /// Solves a sum of one all-small component, packed as words, and forms, with Left to move.
    /// Returns `None` for any other sum.
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
        // An all-small game is less than every positive number and greater than every negative one.
        // So the sign of the number decides.
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
            // The run and this search share the memory, so each run gets what is left now.
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
            // The run was out of patience. Its answers stay in the table, so the next one resumes.
            if self.revalue()? {
                return Ok(Some(Searched::Valued(sum.clone(), Player::Left)));
            }
        }
    }

    /// Searches a sum until it is solved or a component of the question gets a value.
    ///
    /// The path is an explicit stack, because its depth is the length of play, which can exceed
    /// that of the call stack.
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
                // An entry is classed by the positions below it, so that eviction drops the cheap
                // ones.
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
                    // `next` is in neither the table nor the path yet, so it is passed separately.
                    if self.is_full() {
                        self.forget(&way, &next)?;
                    }
                    way.push(self.unsettled(next, other)?);
                    self.revalue()?
                }
            };
            // The sums on the path are gathered with outdated facts, so start again from the root.
            // Its answers stay, and the open entries must go: they would be taken for repetitions.
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

    /// Records the result of a component on its own.
    fn note(&mut self, found: &Unsettled) {
        let Some(id) = found.sum.only().filter(|_| self.valued) else {
            return;
        };
        // If Left wins G moving first, Right wins -G moving first.
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

    /// Returns the result of a sum if no move has to be tried.
    fn settled(&mut self, sum: &Sum, player: Player) -> Result<Option<Worth>, Stop> {
        // An open entry gives `None`. The caller then opens the sum a second time, which
        // `unsettled` reports as a repetition.
        if let Some(known) = self.known.get(sum, player) {
            return Ok(known.worth);
        }
        if self.play != Play::Normal {
            return Ok(None);
        }
        // Reserves are integers, hence cheaper than the comparisons of forms in `bounded`.
        if let Some(worth) = self.counted(sum, player)? {
            return Ok(Some(worth));
        }
        let worth = self.bounded(sum, player)?;
        if let Some(worth) = worth {
            self.keep(sum.clone(), player, SumEntry::after(worth, 0));
        }
        Ok(worth)
    }

    /// Opens a sum: counts it, marks it as open, and lists the options to be tried.
    ///
    /// # Errors
    /// Fails with [`Stop::Cyclic`] if the sum is open already, that is, if it repeats on the path.
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
        // Without moves the payoff decides, or else the convention of play.
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

    /// Checks that the outcome does not depend on which components are valued. The sums mix numbers
    /// that are not recognized with known ones.
    #[test]
    fn without_values_the_search_says_the_same() {
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
