//! The moves in a sum: those that the reserves or what is known decide are not tried, the others in
//! the order of their promise.

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_forms::{Form, Packed};
use rustc_hash::FxHashSet;

use super::appraisal::{are_counted, by_reserves, joined, without};
use super::{Candidate, Search};
use crate::answers::sums::{Sum, SumEntry};
use crate::move_counts::Reserve;
use crate::store::lists;
use grundy_base::limits::{Halt, Stop};
use grundy_base::outcome::{Play, Worth};
use grundy_base::player::Player;

/// What a move leaves of a component.
pub(super) struct After {
    sum: Sum,
    reserves: Option<[Reserve; 2]>,
}

/// What the moves in a sum come to.
pub(super) struct Tried {
    /// `true` if there are any.
    pub(super) any: bool,
    /// The best of those that need no search.
    pub(super) best: Worth,
    /// The others.
    pub(super) options: Vec<Candidate>,
    /// `true` if they were put in order without counting moves in reserve.
    uncounted: bool,
}

/// By what moves are put in order: what is to be expected for who moves then, how many moves there
/// are then, how many ups beside that, how many parts, and where in the list it stands.
type Promise = (i64, u32, i64, Reverse<usize>, usize);

/// The moves of a sum as they are gone through.
struct Trying {
    /// `true` if what is known already is asked at once, and the moves are put in order.
    ordered: bool,
    /// `true` if moves in reserve are counted in the sum, and not only bounds known.
    counted: bool,
    any: bool,
    best: Worth,
    /// Moves met so far.
    count: usize,
    options: Vec<([i64; 2], u32, usize, usize, Candidate)>,
}

/// An option of a component that has not been listed.
struct Unlisted {
    place: u32,
    expected: [i64; 2],
    /// How many moves there are then.
    moves: u32,
    parts: usize,
    /// Where its components stand, if all of them are known.
    known: Option<[usize; 2]>,
}

/// Options of a component beyond which all are listed at once: each that is tried is looked for
/// from the first one on.
const LOOKED_FOR: usize = 128;

/// Options of a component that are listed when they are looked at for the second time.
const LISTED: usize = 16;

/// Moves in doubt from which on the answers to each are looked at before one is tried.
const FORESEEN: usize = 16;

/// Positions that are searched before that: many questions are answered until then.
const SOON: u64 = 300;

impl Search<'_> {
    /// Goes through the moves of a player in a sum.
    fn tried(&mut self, sum: &Sum, player: Player) -> Result<Tried, Stop> {
        let reserves = self.reserves(sum)?;
        // What may come round again is tried in the order of its moves: there the first move that
        // keeps what a position is worth is the one whose proof was found.
        let bounded = |&id: &u32| self.facts[id].bounds.is_some();
        let mut trying = Trying {
            ordered: self.play == Play::Normal && sum.rest.iter().all(bounded),
            counted: reserves.is_some_and(|sides| are_counted(&sides)),
            any: false,
            best: Worth::Lose,
            count: 0,
            options: Vec::new(),
        };
        let expected = self.expected(sum)?;
        for (component, &id) in sum.rest.iter().enumerate() {
            if component > 0 && sum.rest[component - 1] == id {
                continue;
            }
            let facts = &self.facts[id];
            let beside = reserves.zip(facts.reserves);
            let beside = beside.map(|(all, own)| without(all, own));
            let others = [0, 1].map(|index| expected[index].saturating_sub(facts.expected[index]));
            let around = (sum, player, component);
            if !self.look(around, beside, others, &mut trying)? {
                self.list(around, beside, &mut trying)?;
            }
            if trying.best == Worth::Win {
                break;
            }
        }
        self.in_forms(sum, player, &mut trying)?;
        self.in_packed(sum, player, &mut trying)?;
        Ok(Tried {
            any: trying.any,
            best: trying.best,
            uncounted: self.valued && trying.ordered && !trying.counted,
            options: Self::by_promise(sum, player, trying),
        })
    }

    /// Returns the moves of a player in a sum as they are to be tried. Where there are many it pays
    /// to look at all answers to each: those that an answer refutes are not tried, and those that
    /// leave the fewest answers in doubt come first.
    pub(super) fn foreseen(&mut self, sum: &Sum, player: Player) -> Result<Tried, Stop> {
        let mut tried = self.tried(sum, player)?;
        if !tried.uncounted || tried.options.len() < FORESEEN || self.searched < SOON {
            return Ok(tried);
        }
        let mut open = Vec::with_capacity(tried.options.len());
        for candidate in std::mem::take(&mut tried.options) {
            let (next, other) = self.made(candidate, sum, player)?;
            let known = match self.settled(&next, other)? {
                None if self.known.get(&next, other).is_none() => {
                    let answers = self.tried(&next, other)?;
                    if answers.best == Worth::Lose && !answers.options.is_empty() {
                        open.push((answers.options.len(), Candidate::Sum(next, other)));
                        continue;
                    }
                    self.keep(next, other, SumEntry::after(answers.best, 1));
                    answers.best
                }
                // It is on the way: that is for who goes on to say.
                None => {
                    open.push((0, Candidate::Sum(next, other)));
                    continue;
                }
                Some(known) => known,
            };
            tried.best = tried.best.max(known.reversed());
            if tried.best == Worth::Win {
                return Ok(tried);
            }
        }
        open.sort_by_key(|&(answers, _)| answers);
        tried.options = open.into_iter().map(|(_, candidate)| candidate).collect();
        Ok(tried)
    }

    /// Who moves after a player.
    fn next(&self, player: Player) -> Player {
        if self.same { player } else { player.other() }
    }

    /// Looks at the options of a component without storing anything; whether that was done.
    fn look(
        &mut self,
        (sum, player, component): (&Sum, Player, usize),
        beside: Option<[Reserve; 2]>,
        others: [i64; 2],
        trying: &mut Trying,
    ) -> Result<bool, Stop> {
        let id = sum.rest[component];
        let facts = &self.facts[id];
        if facts.options[player as usize].is_some() || !trying.ordered {
            return Ok(false);
        }
        let Some(beside) = beside else {
            return Ok(false);
        };
        let again = facts.seen[player as usize];
        let (mut unlisted, mut known, mut count) = (Vec::new(), Vec::new(), 0);
        let (facts, next) = (&self.facts, player.other());
        let moves_of = |id: u32| facts[id].moves[next as usize];
        let others_have: u32 = sum.rest.iter().map(|&id| moves_of(id)).sum();
        let others_have = others_have - moves_of(id);
        let mut many = false;
        let asked = (!trying.counted).then_some(next);
        let learned = |id: u32| facts.is_learned(id);
        let store = &self.engine.store;
        let won = store.scan_options(id, player, asked, &learned, &mut |met| {
            let place = count as u32;
            count += 1;
            many |= count > LOOKED_FOR;
            if many {
                return ControlFlow::Break(Halt::Enough);
            }
            let mut reserves = met.reserves.map(|new| joined(beside, new));
            let mut expected = others;
            if let Some([left, right]) = met.reserves {
                expected[0] = expected[0].saturating_add((left.least() - right.least()) / 2);
            }
            let mut moves = others_have + met.moves;
            for &id in met.known {
                let facts = &facts[id];
                reserves = (reserves.zip(facts.reserves)).map(|(all, own)| joined(all, own));
                expected = [0, 1].map(|at| expected[at].saturating_add(facts.expected[at]));
                moves += facts.moves[next as usize];
            }
            match reserves.and_then(|reserves| by_reserves(&reserves, next)) {
                Some(Worth::Lose) => return ControlFlow::Break(Halt::Enough),
                Some(_) => return ControlFlow::Continue(()),
                None => {}
            }
            let (first, all) = (known.len(), met.new == 0);
            if all {
                known.extend_from_slice(met.known);
            }
            unlisted.push(Unlisted {
                place,
                expected,
                moves,
                parts: met.known.len() + met.new,
                known: all.then_some([first, known.len()]),
            });
            ControlFlow::Continue(())
        })?;
        if many || again && !won && count <= LISTED {
            return Ok(false);
        }
        self.facts[id].seen[player as usize] = true;
        trying.any |= count > 0;
        if won {
            trying.best = Worth::Win;
            return Ok(true);
        }
        let before = trying.count;
        trying.count += count;
        for Unlisted {
            place,
            expected,
            moves,
            parts,
            known: ids,
        } in unlisted
        {
            let index = before + place as usize;
            if let Some([first, end]) = ids {
                let option = self.replaced(sum, component, &Sum::empty(), &known[first..end])?;
                if self.try_sum(option, player, index, trying)? {
                    break;
                }
            } else {
                let candidate = Candidate::Option { component, place };
                trying
                    .options
                    .push((expected, moves, parts, index, candidate));
            }
        }
        Ok(true)
    }

    /// Goes through the options of a component that are listed.
    fn list(
        &mut self,
        (sum, player, component): (&Sum, Player, usize),
        beside: Option<[Reserve; 2]>,
        trying: &mut Trying,
    ) -> Result<(), Stop> {
        let options = self.options(sum.rest[component], player)?;
        trying.any |= !options.is_empty();
        let mut unclear = Vec::with_capacity(options.len());
        for after in options.iter() {
            trying.count += 1;
            let left = beside.zip(after.reserves);
            let left = left.map(|(beside, after)| joined(beside, after));
            match left.and_then(|left| by_reserves(&left, player.other())) {
                None => unclear.push((trying.count - 1, after)),
                Some(Worth::Lose) => {
                    trying.best = Worth::Win;
                    return Ok(());
                }
                Some(_) => {}
            }
        }
        for (index, after) in unclear {
            let option = self.replaced(sum, component, &after.sum, &[])?;
            if self.try_sum(option, player, index, trying)? {
                break;
            }
        }
        Ok(())
    }

    /// Returns a sum with others in place of one of its components.
    fn replaced(
        &mut self,
        sum: &Sum,
        component: usize,
        by: &Sum,
        further: &[u32],
    ) -> Result<Sum, Stop> {
        let (before, after) = (&sum.rest[..component], &sum.rest[component + 1..]);
        let ids = [before, after, &by.rest, further].concat();
        let forms = [&sum.forms[..], &by.forms].concat();
        let packed = sum.packed.plus(&by.packed).ok_or(Stop::Overflow)?;
        self.gathered(&packed, &forms, &ids)
    }

    /// What a candidate leaves of a sum, and who moves then.
    pub(super) fn made(
        &mut self,
        candidate: Candidate,
        sum: &Sum,
        player: Player,
    ) -> Result<(Sum, Player), Stop> {
        match candidate {
            Candidate::Sum(sum, player) => Ok((sum, player)),
            Candidate::Option { component, place } => {
                let mut ids = Vec::new();
                let id = sum.rest[component];
                (self.engine.store)
                    .for_search(|store| store.pick_option(id, player, place, &mut ids))?;
                self.learn(&ids, false)?;
                let option = self.replaced(sum, component, &Sum::empty(), &ids)?;
                Ok(self.upright(option, self.next(player)))
            }
        }
    }

    /// Takes in what a move leaves; whether nothing better can come.
    fn try_sum(
        &mut self,
        option: Sum,
        player: Player,
        index: usize,
        trying: &mut Trying,
    ) -> Result<bool, Stop> {
        trying.any = true;
        let (option, next) = self.upright(option, self.next(player));
        if trying.ordered
            && let Some(known) = self.settled(&option, next)?
        {
            self.work.hits += 1;
            trying.best = trying.best.max(known.reversed());
            return Ok(trying.best == Worth::Win);
        }
        let expected = if trying.ordered {
            self.expected(&option)?
        } else {
            [0, 0]
        };
        // Where the sum was turned upright its negative is meant.
        let turned = next != self.next(player);
        let expected = expected.map(|parts| {
            if turned {
                parts.saturating_neg()
            } else {
                parts
            }
        });
        let parts = option.rest.len() + option.forms.len();
        let moves = |&id: &u32| self.facts[id].moves[next as usize];
        let moves = option.rest.iter().map(moves).sum();
        let candidate = Candidate::Sum(option, next);
        (trying.options).push((expected, moves, parts, index, candidate));
        Ok(false)
    }

    /// The moves in forms.
    fn in_forms(&mut self, sum: &Sum, player: Player, trying: &mut Trying) -> Result<(), Stop> {
        for (index, &form) in sum.forms.iter().enumerate() {
            if trying.best == Worth::Win {
                return Ok(());
            }
            if index > 0 && sum.forms[index - 1] == form {
                continue;
            }
            let arena = &mut self.engine.short.theory.forms;
            for option in arena.options_of(form, player, self.limits)? {
                let mut forms: Vec<Form> = sum.forms.to_vec();
                forms[index] = option;
                let option = self.gathered(&sum.packed, &forms, &sum.rest)?;
                let index = trying.count;
                trying.count += 1;
                if self.try_sum(option, player, index, trying)? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// The moves in the number, the ups and the nimber. Beside something that is known to be no
    /// number moves in numbers need not be tried: whoever wins by one wins by another. What has no
    /// form may be a number, too.
    fn in_packed(&mut self, sum: &Sum, player: Player, trying: &mut Trying) -> Result<(), Stop> {
        if trying.best == Worth::Win || sum.packed.is_number() && !sum.forms.is_empty() {
            return Ok(());
        }
        self.limits.check(sum.packed.star, 100)?;
        for packed in sum.packed.options(player) {
            let option = Sum {
                packed,
                ..sum.clone()
            };
            let index = trying.count;
            trying.count += 1;
            if self.try_sum(option, player, index, trying)? {
                break;
            }
        }
        Ok(())
    }

    /// Returns the most promising first: where what is to be expected is worst for who moves then.
    /// Where moves in reserve are counted it is then the order that the rules promise most of,
    /// whatever falls apart: what is to be expected says enough of that. Elsewhere it is where who
    /// moves then has the fewest moves, as whatever these are, all of them have to be refuted; of
    /// those what is worth more ups, what falls apart into more, and the middle of the list.
    fn by_promise(sum: &Sum, player: Player, trying: Trying) -> Vec<Candidate> {
        let Trying {
            ordered,
            counted,
            best,
            count,
            options,
            ..
        } = trying;
        if best == Worth::Win {
            return Vec::new();
        }
        let mut keyed: Vec<(Promise, Candidate)> = Vec::with_capacity(options.len());
        for ([expected, weight], moves, parts, index, candidate) in options {
            let side = |number: i64| player.of([number.saturating_neg(), number]);
            let away = index.abs_diff(count / 2);
            let (parts, place) = if !ordered || sum.rest.is_empty() {
                (0, 0)
            } else if counted {
                (0, index)
            } else {
                (parts, away)
            };
            keyed.push((
                (side(expected), moves, side(weight), Reverse(parts), place),
                candidate,
            ));
        }
        if ordered {
            keyed.sort_by_key(|&(promise, _)| promise);
        }
        keyed.into_iter().map(|(_, candidate)| candidate).collect()
    }

    /// Returns the options of a component, all of them, numbered and kept.
    fn options(&mut self, id: u32, player: Player) -> Result<Arc<[After]>, Stop> {
        let side = player as usize;
        if let Some(options) = &self.facts[id].options[side] {
            return Ok(Arc::clone(options));
        }
        let mut flat = Vec::new();
        let limits = self.limits;
        (self.engine.store)
            .for_search(|store| store.list_options(id, player, &mut flat, limits))?;
        self.check()?;
        let mut seen = FxHashSet::default();
        let mut options: Vec<After> = Vec::new();
        for ids in lists(&flat) {
            self.learn(ids, false)?;
            let sum = self.gathered(&Packed::ZERO, &[], ids)?;
            if seen.insert(sum.clone()) {
                let reserves = self.reserves(&sum)?;
                options.push(After { sum, reserves });
            }
        }
        let held = |after: &After| after.sum.bytes() + size_of::<After>() as u64;
        self.held += options.iter().map(held).sum::<u64>();
        let options: Arc<[After]> = options.into();
        self.facts[id].options[side] = Some(Arc::clone(&options));
        Ok(options)
    }
}
