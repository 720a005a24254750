//! Who wins, by search over the sums of components that can be reached.
//!
//! In normal play a sum is a number with ups and a nimber, the canonical forms of what could be valued at little cost, and the
//! components that could not. Numbers, ups and nimbers add up, opposites cancel, and bounds settle many sums before any move is
//! tried: thermographs bound the stops of a sum (E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982, chapter 6), atomic
//! weights sums of all-small games (chapter 8), and rulesets may bound the rest. In misère play none of this holds, and every
//! component stays. A game that ends with a payoff is a single component, and the search is backward induction that leaves a
//! position as soon as a win is found (E. Zermelo, Über eine Anwendung der Mengenlehre auf die Theorie des Schachspiels, 1913).

mod bounds;
mod budget;

use std::cmp::Reverse;
use std::sync::Arc;

use grundy_forms::{Form, Packed};
use rustc_hash::{FxHashMap, FxHashSet};

use self::budget::Budget;
use crate::dyadic::Dyadic;
use crate::limits::{Limits, Stop};
use crate::outcome::{Play, Worth};
use crate::player::Player;
use crate::position::Position;
use crate::rules::{Ends, Moves, Theorem};
use crate::space::Space;
use crate::space::interned::lists;
use crate::values::canonical::Canonical;
use crate::values::{Valuation, Work};

use super::winning::{given_by, part_values};

/// A sum: a number with ups and a nimber, forms, and the other components by their own numbers, both in increasing order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sum {
    packed: Packed,
    forms: Box<[Form]>,
    rest: Box<[u32]>,
}

impl Sum {
    /// Whether nothing but a number is left.
    pub(crate) fn is_number(&self) -> bool {
        self.rest.is_empty() && self.forms.is_empty() && self.packed.is_number()
    }

    /// About how many bytes it takes.
    fn bytes(&self) -> u64 {
        80 + 4 * (self.rest.len() + self.forms.len()) as u64
    }
}

/// Longest value that an answer brings along unasked.
const READABLE: usize = 1_000;

/// Positions searched before the values of what was asked for are tried again for the first time.
const PATIENCE: u64 = 1_000;

/// Components and outcomes met so far.
pub(crate) struct Search<'a> {
    play: Play,
    limits: &'a Limits<'a>,
    space: Space,
    /// Whether it makes no difference whose turn it is.
    same: bool,
    /// Whether components have values that can be looked for.
    valued: bool,
    /// What the components are worth.
    values: Valuation<Canonical>,
    budget: Budget,
    /// What the question is about and has no value yet.
    unvalued: Vec<u32>,
    /// Positions to be searched before its values are tried again.
    patience: u64,
    /// What is known of each component.
    facts: Vec<Facts>,
    /// The component that cancels each one.
    negatives: Vec<Option<u32>>,
    /// What a sum is worth to the player to move, and `None` while the question is on the way to its answer.
    known: [FxHashMap<Sum, Option<Worth>>; 2],
    /// Bytes held, about.
    held: u64,
    work: Work,
}

#[derive(Default)]
struct Facts {
    form: Option<Form>,
    bounds: Option<[i64; 2]>,
    /// What it is worth by itself to Left and to Right, to move.
    worths: [Option<Worth>; 2],
    /// What the moves of Left and of Right leave, once they have been asked for.
    options: [Option<Arc<[Sum]>>; 2],
}

/// A question on the way: what `sum` is worth to `player`, who moves, and the options still to be tried.
struct Unsettled {
    sum: Sum,
    player: Player,
    options: std::vec::IntoIter<(Sum, Player)>,
    /// The best that has been found.
    best: Worth,
    /// Bytes held by the options, about.
    held: u64,
}

/// What a search has come to.
enum Searched {
    Worth(Worth),
    /// Components got values: the question is to be asked again.
    Valued(Sum, Player),
}

impl<'a> Search<'a> {
    /// A search that can be asked about everything that can be reached from `position`, and knows these values already.
    pub(crate) fn new(
        position: &Position,
        play: Play,
        values: Valuation<Canonical>,
        limits: &'a Limits<'a>,
    ) -> Self {
        let nature = position.nature();
        Self {
            play,
            limits,
            space: Space::default(),
            same: nature.moves == Moves::Same,
            valued: play == Play::Normal && nature.ends == Ends::LastMove,
            values,
            budget: Budget::default(),
            unvalued: Vec::new(),
            patience: PATIENCE,
            facts: Vec::new(),
            negatives: Vec::new(),
            known: [FxHashMap::default(), FxHashMap::default()],
            held: 0,
            work: Work::default(),
        }
    }

    /// The values of components, for the next search.
    pub(crate) fn into_values(self) -> Valuation<Canonical> {
        self.values
    }

    /// The sum of the components of a position.
    ///
    /// # Errors
    /// The limit that was reached, or rules that have no answer.
    pub(crate) fn sum(&mut self, position: &Position) -> Result<Sum, Stop> {
        let mut ids: Vec<u32> = Vec::new();
        position.enter(&mut self.space, &mut ids);
        self.learn(true)?;
        self.gathered(&Packed::ZERO, &[], &ids)
    }

    /// What was looked at since this was last asked.
    pub(super) fn take_work(&mut self) -> Work {
        std::mem::take(&mut self.work)
    }

    /// The components of a position, each in canonical notation and as a sum of its own.
    pub(crate) fn components(&mut self, position: &Position) -> Result<Vec<(String, Sum)>, Stop> {
        let mut ids: Vec<u32> = Vec::new();
        position.enter(&mut self.space, &mut ids);
        self.learn(true)?;
        ids.iter()
            .map(|&id| {
                let sum = self.gathered(&Packed::ZERO, &[], &[id])?;
                Ok((self.space.write(id), sum))
            })
            .collect()
    }

    /// The value of a sum, where all its components have one.
    pub(crate) fn value(&mut self, sum: &Sum) -> Result<Option<Form>, Stop> {
        if !sum.rest.is_empty() {
            return Ok(None);
        }
        let (limits, forms) = (self.limits, &mut self.values.theory.forms);
        let parts = sum.forms.to_vec();
        let packed = forms.of_packed(&sum.packed);
        self.budget.spend(limits, |limits| {
            let parts = forms.total(&parts, limits)?;
            forms.plus(packed, parts, limits)
        })
    }

    /// The number that a form is.
    pub(super) fn number(&self, form: Form) -> Option<Dyadic> {
        self.values.theory.forms.number(form).cloned()
    }

    /// A form as text, where that is short enough to be read.
    pub(super) fn write(&mut self, form: Form) -> Result<Option<String>, Stop> {
        let (limits, forms) = (self.limits, &mut self.values.theory.forms);
        let text = (self.budget).spend(limits, |limits| forms.write_within(form, limits))?;
        Ok(text.filter(|text| text.len() <= READABLE))
    }

    /// The theorem that gives the values of all components, which have some.
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
        let (limits, valuation) = (self.limits, &mut self.values);
        let values = self.budget.spend(limits, |limits| {
            part_values::<Canonical>(position, valuation, limits)
        })?;
        Ok(values.and_then(|values| given_by(&values)))
    }

    /// Numbers, ups and nimbers are added up and opposites are cancelled.
    fn gathered(&mut self, packed: &Packed, forms: &[Form], ids: &[u32]) -> Result<Sum, Stop> {
        let mut packed = packed.clone();
        let mut kept: Vec<Form> = Vec::with_capacity(forms.len() + ids.len());
        let mut rest: Vec<u32> = Vec::with_capacity(ids.len());
        let arena = &self.values.theory.forms;
        let valued = ids.iter().filter_map(|&id| self.facts[id as usize].form);
        for form in forms.iter().copied().chain(valued) {
            if let Some(other) = arena.packed(form) {
                packed = packed.plus(other).ok_or(Stop::Overflow)?;
            } else if let Some(opposite) = kept.iter().position(|&one| one == arena.negative(form))
            {
                kept.swap_remove(opposite);
            } else {
                kept.push(form);
            }
        }
        for &id in ids
            .iter()
            .filter(|&&id| self.facts[id as usize].form.is_none())
        {
            let opposite = self.negatives[id as usize];
            match rest.iter().position(|&other| Some(other) == opposite) {
                Some(opposite) => drop(rest.swap_remove(opposite)),
                None => rest.push(id),
            }
        }
        kept.sort_unstable();
        rest.sort_unstable();
        Ok(Sum {
            packed,
            forms: kept.into(),
            rest: rest.into(),
        })
    }

    /// Finds out about the components that are new, which the question is about or which came up in the search.
    fn learn(&mut self, asked: bool) -> Result<(), Stop> {
        while self.facts.len() < self.space.len() {
            let id = self.facts.len() as u32;
            self.held += 400;
            self.negatives.resize(self.space.len(), None);
            let mut facts = Facts::default();
            if self.play == Play::Normal {
                if self.valued {
                    facts.form = self.form(id, asked)?;
                }
                if facts.form.is_none() {
                    if asked && self.valued {
                        self.unvalued.push(id);
                    }
                    facts.bounds = self.space.bounds(id);
                    self.find_negative(id);
                }
            }
            self.facts.push(facts);
        }
        Ok(())
    }

    /// The canonical form of a component, where it is not too dear.
    fn form(&mut self, id: u32, asked: bool) -> Result<Option<Form>, Stop> {
        let (space, values, limits) = (&self.space, &mut self.values, self.limits);
        if asked {
            return (self.budget).spend(limits, |limits| space.form(id, values, limits));
        }
        let moves = space.moves(id, self.budget.reach())?;
        (self.budget).value(moves, limits, |limits| space.form(id, values, limits))
    }

    /// Tries again to value what was asked for, when the search has taken long: a sum takes far longer to search than its components
    /// to value. Each time twice the work goes into it, as much as went into the search. Whether something has a value now.
    fn revalue(&mut self) -> Result<bool, Stop> {
        if self.unvalued.len() < 2 || self.work.positions < self.patience {
            return Ok(false);
        }
        self.patience *= 2;
        let mut budget = Budget::for_search(self.work.positions);
        let before = self.unvalued.len();
        for id in std::mem::take(&mut self.unvalued) {
            let (space, values, limits) = (&self.space, &mut self.values, self.limits);
            let form = budget.spend(limits, |limits| space.form(id, values, limits))?;
            let Some(form) = form else {
                self.unvalued.push(id);
                continue;
            };
            self.facts[id as usize].form = Some(form);
            if let Some(negative) = self.negatives[id as usize] {
                let form = self.values.theory.forms.negative(form);
                self.facts[negative as usize].form = Some(form);
            }
        }
        Ok(self.unvalued.len() < before)
    }

    fn find_negative(&mut self, id: u32) {
        if self.negatives[id as usize].is_none()
            && let Some(negative) = self.space.negative(id)
        {
            self.negatives.resize(self.space.len(), None);
            self.negatives[id as usize] = Some(negative);
            self.negatives[negative as usize] = Some(id);
        }
    }

    /// Whether `player` wins `sum` when it moves now.
    pub(crate) fn wins(&mut self, sum: Sum, player: Player) -> Result<bool, Stop> {
        Ok(self.worth(sum, player)? == Worth::Win)
    }

    /// The same question with Left to move, where that can be asked: Right moves in a sum as Left does in its negative.
    fn upright(&self, sum: Sum, player: Player) -> (Sum, Player) {
        if self.same || player == Player::Left || !self.valued {
            return (sum, if self.same { Player::Left } else { player });
        }
        let negative = |&id: &u32| self.negatives[id as usize];
        let Some(mut rest) = sum
            .rest
            .iter()
            .map(negative)
            .collect::<Option<Box<[u32]>>>()
        else {
            return (sum, player);
        };
        let arena = &self.values.theory.forms;
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

    /// What `sum` is worth to `player`, who moves now; [`Stop::Cyclic`] where a question comes back to itself.
    pub(crate) fn worth(&mut self, sum: Sum, player: Player) -> Result<Worth, Stop> {
        let mut question = self.upright(sum, player);
        loop {
            match self.settled(&question.0, question.1)? {
                Some(known) => return Ok(known),
                None => match self.searched(question.0, question.1)? {
                    Searched::Worth(worth) => return Ok(worth),
                    Searched::Valued(sum, player) => {
                        let sum = self.gathered(&sum.packed, &sum.forms, &sum.rest)?;
                        question = self.upright(sum, player);
                    }
                },
            }
        }
    }

    /// The search itself, until something of what was asked for has got a value.
    fn searched(&mut self, sum: Sum, player: Player) -> Result<Searched, Stop> {
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
            let Some((next, other)) = next else {
                let last = way.pop().expect("it was there a moment ago");
                self.held -= last.held;
                self.note(&last);
                self.known[last.player as usize].insert(last.sum, Some(last.best));
                answer = Some(last.best);
                continue;
            };
            if let Some(known) = self.settled(&next, other)? {
                self.work.hits += 1;
                answer = Some(known);
                continue;
            }
            way.push(self.unsettled(next, other)?);
            if self.revalue()? {
                for open in &way {
                    self.held -= open.held;
                    self.known[open.player as usize].remove(&open.sum);
                }
                let first = way.swap_remove(0);
                return Ok(Searched::Valued(first.sum, first.player));
            }
        }
        Ok(Searched::Worth(answer.unwrap_or(Worth::Lose)))
    }

    /// Keeps what a component is worth by itself. What is lost by whoever moves is 0.
    fn note(&mut self, found: &Unsettled) {
        let ([id], [], true) = (&found.sum.rest[..], &found.sum.forms[..], self.valued) else {
            return;
        };
        if found.sum.packed != Packed::ZERO {
            return;
        }
        let asked = [
            (Some(*id), found.player),
            (self.negatives[*id as usize], found.player.other()),
        ];
        for (id, player) in asked {
            let Some(id) = id else { continue };
            let facts = &mut self.facts[id as usize];
            facts.worths[player as usize] = Some(found.best);
            if facts.worths == [Some(Worth::Lose); 2] {
                facts.form = Some(Form::ZERO);
            }
        }
    }

    /// What is known without trying moves.
    fn settled(&mut self, sum: &Sum, player: Player) -> Result<Option<Worth>, Stop> {
        if let Some(&known) = self.known[player as usize].get(sum) {
            return Ok(known);
        }
        if self.play == Play::Normal
            && let Some(worth) = self.bounded(sum, player)?
        {
            self.held += sum.bytes();
            self.known[player as usize].insert(sum.clone(), Some(worth));
            return Ok(Some(worth));
        }
        Ok(None)
    }

    fn unsettled(&mut self, sum: Sum, player: Player) -> Result<Unsettled, Stop> {
        self.check()?;
        self.work.positions += 1;
        self.budget.earn();
        if self.known[player as usize]
            .insert(sum.clone(), None)
            .is_some()
        {
            return Err(Stop::Cyclic);
        }
        // A long way holds as much as what is known.
        self.held += 16 + sum.bytes();
        let other = if self.same { player } else { player.other() };
        let mut best = Worth::Lose;
        let mut options: Vec<(Sum, Player)> = Vec::new();
        let mut moves = false;
        // What may come round again is tried in the order of its moves: there the first move that keeps what a position is worth is
        // the one whose proof was found.
        let bounded = |&id: &u32| self.facts[id as usize].bounds.is_some();
        let ordered = self.play == Play::Normal && sum.rest.iter().all(bounded);
        self.each_option(&sum, player, &mut |search, option| {
            moves = true;
            let (option, other) = search.upright(option, other);
            if ordered && let Some(known) = search.settled(&option, other)? {
                search.work.hits += 1;
                best = best.max(known.reversed());
            } else {
                options.push((option, other));
            }
            Ok(best < Worth::Win)
        })?;
        if best == Worth::Win {
            options.clear();
        } else if ordered {
            options = self.by_promise(options, &sum)?;
        }
        if !moves {
            best = match sum.rest[..] {
                [only] => self.space.payoff(only, player)?.in_play(self.play),
                _ => Worth::Lose.in_play(self.play),
            };
        }
        let held = options.iter().map(|(option, _)| option.bytes()).sum();
        self.held += held;
        Ok(Unsettled {
            sum,
            player,
            options: options.into_iter(),
            best,
            held,
        })
    }

    /// The most promising first: where what is to be expected is worst for who moves then. Where not everything has a value, what falls
    /// apart into more comes first, and then from the middle of the list outwards.
    fn by_promise(
        &mut self,
        options: Vec<(Sum, Player)>,
        sum: &Sum,
    ) -> Result<Vec<(Sum, Player)>, Stop> {
        let middle = options.len() / 2;
        let mut keyed = Vec::with_capacity(options.len());
        for (index, option) in options.into_iter().enumerate() {
            let expected = self.expected(&option.0)?;
            let [expected, weight] = expected.map(|number| option.1.of([number.clone(), -&number]));
            let (parts, away) = if sum.rest.is_empty() {
                (0, 0)
            } else {
                let parts = option.0.rest.len() + option.0.forms.len();
                (parts, index.abs_diff(middle))
            };
            keyed.push(((expected, weight, Reverse(parts), away), option));
        }
        keyed.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(keyed.into_iter().map(|(_, option)| option).collect())
    }

    /// Visits what the moves of a player leave of a sum, as long as the visitor wants more.
    fn each_option(
        &mut self,
        sum: &Sum,
        player: Player,
        visit: &mut dyn FnMut(&mut Self, Sum) -> Result<bool, Stop>,
    ) -> Result<(), Stop> {
        for (index, &id) in sum.rest.iter().enumerate() {
            if index > 0 && sum.rest[index - 1] == id {
                continue;
            }
            for left in self.options(id, player)?.iter() {
                let mut ids: Vec<u32> = sum.rest.to_vec();
                ids.remove(index);
                ids.extend_from_slice(&left.rest);
                let forms = [&sum.forms[..], &left.forms[..]].concat();
                let packed = sum.packed.plus(&left.packed).ok_or(Stop::Overflow)?;
                let option = self.gathered(&packed, &forms, &ids)?;
                if !visit(self, option)? {
                    return Ok(());
                }
            }
        }
        for (index, &form) in sum.forms.iter().enumerate() {
            if index > 0 && sum.forms[index - 1] == form {
                continue;
            }
            let arena = &mut self.values.theory.forms;
            for option in arena.options_of(form, player, self.limits)? {
                let mut forms = sum.forms.to_vec();
                forms[index] = option;
                let option = self.gathered(&sum.packed, &forms, &sum.rest)?;
                if !visit(self, option)? {
                    return Ok(());
                }
            }
        }
        // Beside something that is known to be no number moves in numbers need not be tried: whoever wins by one wins by another. What
        // has no form may be a number, too.
        if !sum.packed.is_number() || sum.forms.is_empty() {
            self.limits.check(sum.packed.star, 100)?;
            for packed in sum.packed.options(player) {
                let option = Sum {
                    packed,
                    ..sum.clone()
                };
                if !visit(self, option)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Fails when the work has to end.
    pub(crate) fn check(&self) -> Result<(), Stop> {
        self.limits.check(
            (self.known[0].len() + self.known[1].len() + self.facts.len()) as u64,
            0,
        )?;
        self.limits
            .check(1, self.held + self.values.theory.forms.bytes())?;
        self.limits.poll()
    }

    fn options(&mut self, id: u32, player: Player) -> Result<Arc<[Sum]>, Stop> {
        let side = player as usize;
        if let Some(options) = &self.facts[id as usize].options[side] {
            return Ok(Arc::clone(options));
        }
        let mut flat = Vec::new();
        self.space
            .push_options(id, player, &mut flat, self.limits)?;
        self.learn(false)?;
        self.check()?;
        let mut seen = FxHashSet::default();
        let mut options: Vec<Sum> = Vec::new();
        for ids in lists(&flat) {
            let sum = self.gathered(&Packed::ZERO, &[], ids)?;
            if seen.insert(sum.clone()) {
                options.push(sum);
            }
        }
        self.held += options.iter().map(Sum::bytes).sum::<u64>();
        let options: Arc<[Sum]> = options.into();
        self.facts[id as usize].options[side] = Some(Arc::clone(&options));
        Ok(options)
    }

    /// About what a sum comes to: means, and the middle of the bounds of what has none; and about how many ups all-small forms are
    /// worth beside that.
    fn expected(&mut self, sum: &Sum) -> Result<[Dyadic; 2], Stop> {
        let mut total = sum.packed.number.clone();
        let mut ups = Dyadic::integer(sum.packed.ups);
        for &form in &sum.forms {
            let (forms, limits) = (&mut self.values.theory.forms, self.limits);
            if let Some(weight) = forms.atomic_weight(form, limits)? {
                ups = &ups + &forms.mean(weight, limits)?;
            } else {
                total = &total + &forms.mean(form, limits)?;
            }
        }
        for &id in &sum.rest {
            if let Some([least, most]) = self.facts[id as usize].bounds {
                total = &total + &Dyadic::new(i128::from(least) + i128::from(most), 1);
            }
        }
        Ok([total, ups])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::Argument;
    use crate::registry::construct;

    /// Who wins is the same whether components are valued or not: numbers that nobody has recognised stand beside known ones.
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
                let mut search =
                    Search::new(&position, Play::Normal, Valuation::default(), &limits);
                // The last term is known in both.
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
