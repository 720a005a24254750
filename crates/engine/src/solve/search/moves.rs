//! Move generation and move ordering. Moves that reserves or known answers decide are not tried. Of
//! the others, the most promising move is tried first.

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

/// An option of a component: the sum that the move leaves of the component, and the reserves of
/// this sum.
pub(super) struct After {
    sum: Sum,
    reserves: Option<[Reserve; 2]>,
}

/// The moves of a sum, after those that need no search have been decided.
pub(super) struct Tried {
    /// `true` if the player has a move.
    pub(super) any: bool,
    /// The best result of the moves that were decided without a search.
    pub(super) best: Worth,
    /// The other moves, in the order in which they are to be tried.
    pub(super) options: Vec<Candidate>,
    /// `true` if the moves were ordered without counts of moves in reserve.
    uncounted: bool,
}

/// The sort key of a move, the best move having the least key. It consists of the expected value,
/// the next player's number of moves, the expected ups, the number of terms, and the index in the
/// list.
type Promise = (i64, u32, i64, Reverse<usize>, usize);

/// The state of a pass over all moves of a sum.
struct Trying {
    /// `true` if moves are looked up in the known answers and sorted.
    ordered: bool,
    /// `true` if the reserves of the sum contain counts of moves, and not only a bound.
    counted: bool,
    any: bool,
    best: Worth,
    /// Number of moves seen so far in this pass.
    count: usize,
    options: Vec<([i64; 2], u32, usize, usize, Candidate)>,
}

/// An option of a component that has not been entered into the store.
struct Unlisted {
    place: u32,
    expected: [i64; 2],
    /// Number of moves that the next player has after the option.
    moves: u32,
    parts: usize,
    /// The range of the option's components in a list, if the facts about all of them are known.
    known: Option<[usize; 2]>,
}

/// Number of options of a component above which all are listed at once. An option that is not
/// listed is found by counting from the first one, so trying all of them takes quadratic time.
const LOOKED_FOR: usize = 128;

/// Number of options up to which a component is listed when its options are scanned for the second
/// time.
const LISTED: usize = 16;

/// Number of undecided moves from which on the search first scans the answers to each move.
const FORESEEN: usize = 16;

/// Number of positions searched before such scans begin. Many questions are answered by then, and
/// the scans would cost more than they save.
const SOON: u64 = 300;

impl Search<'_> {
    /// Visits the moves of a player in a sum. Decides those that need no search, and collects the
    /// others.
    fn tried(&mut self, sum: &Sum, player: Player) -> Result<Tried, Stop> {
        let reserves = self.reserves(sum)?;
        // In a sum of loopy games the moves are tried in the order of their list. The explanation
        // depends on this: the first move that keeps the result is the one for which the search
        // found a proof.
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
            // The list is sorted, so equal components are adjacent. They have the same options, so
            // visit the first only.
            if component > 0 && sum.rest[component - 1] == id {
                continue;
            }
            // Subtract the reserves of the component once, so that for each option only the
            // option's reserves are added.
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
        // The moves in forms and numbers come last, since they are rarely needed after a component
        // with a winning move.
        self.in_forms(sum, player, &mut trying)?;
        self.in_packed(sum, player, &mut trying)?;
        Ok(Tried {
            any: trying.any,
            best: trying.best,
            uncounted: self.valued && trying.ordered && !trying.counted,
            options: Self::by_promise(sum, player, trying),
        })
    }

    /// Returns the moves of a player in a sum, in the order in which they are to be tried.
    ///
    /// If there are many, the answers to each move are scanned first. A move that loses to one of
    /// these answers is dropped. The moves with the fewest undecided answers come first.
    pub(super) fn foreseen(&mut self, sum: &Sum, player: Player) -> Result<Tried, Stop> {
        let mut tried = self.tried(sum, player)?;
        // With counted reserves the moves are ordered well enough. In Domineering on 6 by 8 squares
        // the scan saves a third of the positions, but takes five times as long
        // (docs/performance.md).
        if !tried.uncounted || tried.options.len() < FORESEEN || self.searched < SOON {
            return Ok(tried);
        }
        let mut open = Vec::with_capacity(tried.options.len());
        for candidate in std::mem::take(&mut tried.options) {
            let (next, other) = self.made(candidate, sum, player)?;
            let known = match self.settled(&next, other)? {
                None if self.known.get(&next, other).is_none() => {
                    let answers = self.tried(&next, other)?;
                    // The move is decided if one answer wins, or if all answers lose.
                    if answers.best == Worth::Lose && !answers.options.is_empty() {
                        open.push((answers.options.len(), Candidate::Sum(next, other)));
                        continue;
                    }
                    self.keep(next, other, SumEntry::after(answers.best, 1));
                    answers.best
                }
                // This sum is open, so the move repeats a position. The main loop reports the
                // repetition when it tries the move.
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

    /// Returns the player who moves after `player`. In an impartial game both players have the same
    /// moves, so this is always the same player.
    fn next(&self, player: Player) -> Player {
        if self.same { player } else { player.other() }
    }

    /// Visits the options of a component without storing them. Returns `false` if they must be
    /// listed instead.
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
        // Often one option decides a sum, so storing all options would waste time and memory.
        let again = facts.seen[player as usize];
        let (mut unlisted, mut known, mut count) = (Vec::new(), Vec::new(), 0);
        let (facts, next) = (&self.facts, player.other());
        let moves_of = |id: u32| facts[id].moves[next as usize];
        let others_have: u32 = sum.rest.iter().map(|&id| moves_of(id)).sum();
        let others_have = others_have - moves_of(id);
        let mut many = false;
        // Counting moves takes time. The number of moves is needed only if reserves do not order
        // the options.
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
            // The result is that of the next player, so a loss means that this option is a winning
            // move.
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
        // On a second visit, storing a short list is cheaper than generating it again.
        if many || again && !won && count <= LISTED {
            return Ok(false);
        }
        self.facts[id].seen[player as usize] = true;
        trying.any |= count > 0;
        if won {
            trying.best = Worth::Win;
            return Ok(true);
        }
        // The index counts over all moves of the sum, since `by_promise` uses it to order equal
        // moves.
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
            // If the facts about all its components are known, the option can be looked up in the
            // table without entering the store.
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

    /// Visits the options of a component, which are stored in a list.
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
            // Visit the options twice: first their reserves, which may decide the sum before any
            // option is gathered.
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

    /// Returns a sum in which one component is replaced by a sum and by components.
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

    /// Returns the sum after a move, and the player to move there. Enters the option into the store
    /// if that has not been done.
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

    /// Adds the sum after a move: looks up its result, or collects it. Returns whether the move
    /// wins, so that no other move is needed.
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
        // `upright` may have replaced the sum by its negative. The sort key refers to the sum
        // before that.
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

    /// Visits the moves of a player in the forms of a sum.
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

    /// Visits the moves of a player in the number, the ups and the nimber of a sum.
    ///
    /// If the sum contains a form that is not a number, moves in the number are not needed (number
    /// avoidance theorem). A component without a form may be a number, so it does not count here.
    fn in_packed(&mut self, sum: &Sum, player: Player, trying: &mut Trying) -> Result<(), Stop> {
        if trying.best == Worth::Win || sum.packed.is_number() && !sum.forms.is_empty() {
            return Ok(());
        }
        // A nimber *n has n options, so check the limits before listing them.
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

    /// Returns the moves in the order in which they are to be tried.
    ///
    /// The expected value comes first: it should be bad for the next player. With counted reserves,
    /// equal moves keep the order of the ruleset, which lists the best moves first.
    ///
    /// Otherwise moves that leave the next player fewer moves come first, since all of these must
    /// be refuted. Then follow moves with more ups for the player, then moves with more components,
    /// and then moves in the middle of the list.
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
            // The least key comes first, so an expected value that is good for `player` must become
            // small.
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
        // The sort is stable, so moves with equal keys keep the order of the list.
        if ordered {
            keyed.sort_by_key(|&(promise, _)| promise);
        }
        keyed.into_iter().map(|(_, candidate)| candidate).collect()
    }

    /// Returns all options of a component, entered into the store and kept with the facts.
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
        // Different moves often leave the same sum, for example by symmetry, so keep one of them.
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
