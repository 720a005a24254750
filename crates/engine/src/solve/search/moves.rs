//! Move generation and move ordering. Some moves are decided without a search, by counts of the
//! moves in reserve or by results that are already known. Of the other moves, the most promising
//! one is tried first.

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_forms::{Form, Packed};
use rustc_hash::FxHashSet;

use super::appraisal::{add_reserves, by_reserves, have_counts, subtract_reserves};
use super::{Candidate, Search};
use crate::answers::sums::{Sum, SumEntry};
use crate::move_counts::Reserve;
use crate::store::lists;
use grundy_base::limits::{Halt, Stop};
use grundy_base::outcome::{PayoffResult, Play};
use grundy_base::player::Player;

/// An option of a component, as a sum of components and forms, with the reserves of this sum.
pub(super) struct OptionSum {
    sum: Sum,
    reserves: Option<[Reserve; 2]>,
}

/// The moves of a player in a sum. Some of them have been decided without a search.
pub(super) struct MoveList {
    /// `true` if the player has a move.
    pub(super) has_move: bool,
    /// The best result of the moves that have been decided.
    pub(super) best: PayoffResult,
    /// The moves that have not been decided, in the order in which they are to be tried.
    pub(super) options: Vec<Candidate>,
    /// `true` if the search uses canonical forms and sorts the moves, but the reserves of the sum
    /// contain no counts of moves. Then only estimates determine the order of the moves.
    has_no_counts: bool,
}

/// The sort key of a move. The least key is that of the most promising move. The first elements of
/// the key are the expected value, the next player's number of moves, and the expected atomic
/// weight. The last two are the number of terms, and a tie-breaker from the index of the move.
type MoveKey = (i64, u32, i64, Reverse<usize>, usize);

/// The state of a pass over all moves of a player in a sum.
struct MovePass {
    /// `true` if the result of each move is looked up, and the undecided moves are sorted.
    ordered: bool,
    /// `true` if the reserves of the sum contain counts of moves, and not only bounds of the value.
    counted: bool,
    has_move: bool,
    best: PayoffResult,
    /// Number of moves seen so far in this pass.
    count: usize,
    /// The undecided moves. Each has the expected value and atomic weight, the next player's number
    /// of moves, the number of terms, and the index of the move.
    options: Vec<([i64; 2], u32, usize, usize, Candidate)>,
}

/// An undecided option of a component. It has not been entered into the store.
struct UnlistedOption {
    /// The index of the option in the list of options.
    option_index: u32,
    /// The expected value and the expected atomic weight of the sum after the move.
    expected: [i64; 2],
    /// Number of moves that the next player has after the option.
    moves: u32,
    /// Number of components of the option.
    parts: usize,
    /// The range of the ids of this option's components in a list of ids that all options of the
    /// scan share. `None` if the facts about some component of the option have not been collected.
    known: Option<[usize; 2]>,
}

/// Largest number of options of a component that are scanned without being entered into the store.
/// If a component has more options, all of its options are entered. To try a scanned option, the
/// search generates it again by counting from the first option. So trying all scanned options takes
/// quadratic time.
const MAX_UNLISTED: usize = 128;

/// Limit on options for the second scan of a component. If the component has at most this many
/// options, and no option is found to win, the options are entered into the store.
const LIST_ON_SECOND_VISIT: usize = 16;

/// Least number of undecided moves for which the search scans the answers to each move before it
/// tries a move.
const LOOKAHEAD_FROM: usize = 16;

/// Number of positions that a search must have searched before it scans the answers to moves. Most
/// searches end earlier, and a scan would take more time than it saves.
const LOOKAHEAD_AFTER: u64 = 300;

impl Search<'_> {
    /// Visits the moves of a player in a sum. Decides the moves that need no search, and collects
    /// the others.
    fn decide_moves(&mut self, sum: &Sum, player: Player) -> Result<MoveList, Stop> {
        let reserves = self.reserves(sum)?;
        // If a component has no bounds, as in a loopy game, the moves are tried in the order of
        // their list. The explanation depends on this order. It shows the first move that keeps the
        // result, so this must be the move for which the search found a proof.
        let bounded = |&id: &u32| self.facts[id].bounds.is_some();
        let mut pass = MovePass {
            ordered: self.play == Play::Normal && sum.components.iter().all(bounded),
            counted: reserves.is_some_and(|sides| have_counts(&sides)),
            has_move: false,
            best: PayoffResult::Lose,
            count: 0,
            options: Vec::new(),
        };
        let expected = self.expected(sum)?;
        for (component, &id) in sum.components.iter().enumerate() {
            // The components are sorted, so equal ones are adjacent. They have the same options, so
            // visit only the first one.
            if component > 0 && sum.components[component - 1] == id {
                continue;
            }
            // The reserves after a move are those of the other components plus those of the option.
            // Compute the former once for all options.
            let facts = &self.facts[id];
            let other_reserves = reserves.zip(facts.reserves);
            let other_reserves = other_reserves.map(|(all, own)| subtract_reserves(all, own));
            let others = [0, 1].map(|index| expected[index].saturating_sub(facts.expected[index]));
            let target = (sum, player, component);
            if !self.scan_component(target, other_reserves, others, &mut pass)? {
                self.try_listed_options(target, other_reserves, &mut pass)?;
            }
            if pass.best == PayoffResult::Win {
                break;
            }
        }
        // Visit the moves in forms and numbers last. If a move in a component wins, they are not
        // needed.
        self.try_form_moves(sum, player, &mut pass)?;
        self.try_packed_moves(sum, player, &mut pass)?;
        Ok(MoveList {
            has_move: pass.has_move,
            best: pass.best,
            has_no_counts: self.uses_forms && pass.ordered && !pass.counted,
            options: Self::sort_moves(sum, player, pass),
        })
    }

    /// Returns the moves of a player in a sum, in the order in which they are to be tried.
    ///
    /// If many moves are undecided, the answers to each of them are scanned first. A move that
    /// loses to one of these answers is dropped. The moves with the fewest undecided answers come
    /// first.
    pub(super) fn moves_with_lookahead(
        &mut self,
        sum: &Sum,
        player: Player,
    ) -> Result<MoveList, Stop> {
        let mut moves = self.decide_moves(sum, player)?;
        // If reserves contain counts of moves, they order the moves well enough without a scan. In
        // Domineering on 6 by 8 squares a scan saves a third of the positions, but the search takes
        // five times as long (docs/performance.md).
        if !moves.has_no_counts
            || moves.options.len() < LOOKAHEAD_FROM
            || self.searched < LOOKAHEAD_AFTER
        {
            return Ok(moves);
        }
        let mut open = Vec::with_capacity(moves.options.len());
        for candidate in std::mem::take(&mut moves.options) {
            let (next, other) = self.apply(candidate, sum, player)?;
            let known = match self.known_result(&next, other)? {
                None if self.table.get(&next, other).is_none() => {
                    let answers = self.decide_moves(&next, other)?;
                    // The move is decided if one answer wins, or if all answers lose.
                    if answers.best == PayoffResult::Lose && !answers.options.is_empty() {
                        open.push((answers.options.len(), Candidate::Sum(next, other)));
                        continue;
                    }
                    self.keep(next, other, SumEntry::new(answers.best, 1));
                    answers.best
                }
                // This sum is on the search path, so the move repeats a position. The search
                // reports the repetition when it tries the move.
                None => {
                    open.push((0, Candidate::Sum(next, other)));
                    continue;
                }
                Some(known) => known,
            };
            moves.best = moves.best.max(known.reversed());
            if moves.best == PayoffResult::Win {
                return Ok(moves);
            }
        }
        open.sort_by_key(|&(answers, _)| answers);
        moves.options = open.into_iter().map(|(_, candidate)| candidate).collect();
        Ok(moves)
    }

    /// Returns the player who moves after `player`. If both players have the same moves, this is
    /// `player` itself, so that each sum has one entry in the table.
    fn next_player(&self, player: Player) -> Player {
        if self.same_moves {
            player
        } else {
            player.other()
        }
    }

    /// Visits the options of a component without entering them into the store. Returns `false` if
    /// they must be listed and visited by `try_listed_options` instead.
    ///
    /// `other_reserves` contains the reserves of the other components of the sum. `others` contains
    /// their expected value and their expected atomic weight.
    fn scan_component(
        &mut self,
        (sum, player, component): (&Sum, Player, usize),
        other_reserves: Option<[Reserve; 2]>,
        others: [i64; 2],
        pass: &mut MovePass,
    ) -> Result<bool, Stop> {
        let id = sum.components[component];
        let facts = &self.facts[id];
        if facts.options[player as usize].is_some() || !pass.ordered {
            return Ok(false);
        }
        let Some(other_reserves) = other_reserves else {
            return Ok(false);
        };
        // Often one option decides the sum, so listing all options would waste time and memory.
        let scanned_before = facts.scanned[player as usize];
        let (mut unlisted, mut known, mut count) = (Vec::new(), Vec::new(), 0);
        let (facts, next) = (&self.facts, player.other());
        let moves_of = |id: u32| facts[id].moves[next as usize];
        let others_have: u32 = sum.components.iter().map(|&id| moves_of(id)).sum();
        let others_have = others_have - moves_of(id);
        let mut too_many = false;
        // Counting the next player's moves takes time. These counts order the options only if the
        // reserves contain no counts.
        let counted_player = (!pass.counted).then_some(next);
        let learned = |id: u32| facts.is_learned(id);
        let store = &self.engine.store;
        let won = store.scan_options(id, player, counted_player, &learned, &mut |option| {
            let option_index = count as u32;
            count += 1;
            too_many |= count > MAX_UNLISTED;
            if too_many {
                return ControlFlow::Break(Halt::Enough);
            }
            let mut reserves = option.reserves.map(|new| add_reserves(other_reserves, new));
            let mut expected = others;
            if let Some([left, right]) = option.reserves {
                expected[0] = expected[0].saturating_add((left.least() - right.least()) / 2);
            }
            let mut moves = others_have + option.moves;
            for &id in option.known {
                let facts = &facts[id];
                reserves = (reserves.zip(facts.reserves)).map(|(all, own)| add_reserves(all, own));
                expected = [0, 1].map(|at| expected[at].saturating_add(facts.expected[at]));
                moves += facts.moves[next as usize];
            }
            // The result is that of the next player, so a loss means that this option is a winning
            // move.
            match reserves.and_then(|reserves| by_reserves(&reserves, next)) {
                Some(PayoffResult::Lose) => return ControlFlow::Break(Halt::Enough),
                Some(_) => return ControlFlow::Continue(()),
                None => {}
            }
            let (first, all) = (known.len(), option.new == 0);
            if all {
                known.extend_from_slice(option.known);
            }
            unlisted.push(UnlistedOption {
                option_index,
                expected,
                moves,
                parts: option.known.len() + option.new,
                known: all.then_some([first, known.len()]),
            });
            ControlFlow::Continue(())
        })?;
        // On a second visit, listing a few options is cheaper than generating them again.
        if too_many || scanned_before && !won && count <= LIST_ON_SECOND_VISIT {
            return Ok(false);
        }
        self.facts[id].scanned[player as usize] = true;
        pass.has_move |= count > 0;
        if won {
            pass.best = PayoffResult::Win;
            return Ok(true);
        }
        // The index of a move counts from the first move of the sum. `sort_moves` uses it as a
        // tie-breaker.
        let before = pass.count;
        pass.count += count;
        for UnlistedOption {
            option_index,
            expected,
            moves,
            parts,
            known: ids,
        } in unlisted
        {
            let index = before + option_index as usize;
            // If the facts about all components of the option are known, its result can be looked
            // up without entering the option into the store.
            if let Some([first, end]) = ids {
                let option =
                    self.replace_component(sum, component, &Sum::empty(), &known[first..end])?;
                if self.try_sum(option, player, index, pass)? {
                    break;
                }
            } else {
                let candidate = Candidate::Option {
                    component,
                    option_index,
                };
                pass.options
                    .push((expected, moves, parts, index, candidate));
            }
        }
        Ok(true)
    }

    /// Visits the options of a component, after entering all of them into the store.
    fn try_listed_options(
        &mut self,
        (sum, player, component): (&Sum, Player, usize),
        other_reserves: Option<[Reserve; 2]>,
        pass: &mut MovePass,
    ) -> Result<(), Stop> {
        let options = self.options(sum.components[component], player)?;
        pass.has_move |= !options.is_empty();
        let mut unclear = Vec::with_capacity(options.len());
        for after in options.iter() {
            // Visit the options twice. The first visit compares only reserves, which is cheap and
            // may decide the sum. The second visit gathers the sum after each undecided move.
            pass.count += 1;
            let total = other_reserves.zip(after.reserves);
            let total = total.map(|(other_reserves, after)| add_reserves(other_reserves, after));
            match total.and_then(|total| by_reserves(&total, player.other())) {
                None => unclear.push((pass.count - 1, after)),
                Some(PayoffResult::Lose) => {
                    pass.best = PayoffResult::Win;
                    return Ok(());
                }
                Some(_) => {}
            }
        }
        for (index, after) in unclear {
            let option = self.replace_component(sum, component, &after.sum, &[])?;
            if self.try_sum(option, player, index, pass)? {
                break;
            }
        }
        Ok(())
    }

    /// Returns `sum` with one component replaced by the sum `replacement` and the components `ids`.
    fn replace_component(
        &mut self,
        sum: &Sum,
        component: usize,
        replacement: &Sum,
        ids: &[u32],
    ) -> Result<Sum, Stop> {
        let (before, after) = (
            &sum.components[..component],
            &sum.components[component + 1..],
        );
        let ids = [before, after, &replacement.components, ids].concat();
        let forms = [&sum.forms[..], &replacement.forms].concat();
        let packed = sum.packed.plus(&replacement.packed).ok_or(Stop::Overflow)?;
        self.gather(&packed, &forms, &ids)
    }

    /// Returns the sum after the move `candidate`, and the player who is to move in this sum.
    /// Enters the components of the option into the store, unless they were entered before.
    pub(super) fn apply(
        &mut self,
        candidate: Candidate,
        sum: &Sum,
        player: Player,
    ) -> Result<(Sum, Player), Stop> {
        match candidate {
            Candidate::Sum(sum, player) => Ok((sum, player)),
            Candidate::Option {
                component,
                option_index,
            } => {
                let mut ids = Vec::new();
                let id = sum.components[component];
                (self.engine.store)
                    .for_search(|store| store.pick_option(id, player, option_index, &mut ids))?;
                self.learn(&ids, false)?;
                let option = self.replace_component(sum, component, &Sum::empty(), &ids)?;
                Ok(self.with_left_to_move(option, self.next_player(player)))
            }
        }
    }

    /// Looks up the result of `option`, the sum after a move. If the result is not known, adds the
    /// sum to the undecided moves. Returns whether a move is known to win, so that no other move is
    /// needed.
    fn try_sum(
        &mut self,
        option: Sum,
        player: Player,
        index: usize,
        pass: &mut MovePass,
    ) -> Result<bool, Stop> {
        pass.has_move = true;
        let (option, next) = self.with_left_to_move(option, self.next_player(player));
        if pass.ordered
            && let Some(known) = self.known_result(&option, next)?
        {
            self.work.hits += 1;
            pass.best = pass.best.max(known.reversed());
            return Ok(pass.best == PayoffResult::Win);
        }
        let expected = if pass.ordered {
            self.expected(&option)?
        } else {
            [0, 0]
        };
        // `with_left_to_move` may have replaced the sum by its negative. The sort key refers to the
        // sum itself.
        let negated = next != self.next_player(player);
        let expected = expected.map(|parts| {
            if negated {
                parts.saturating_neg()
            } else {
                parts
            }
        });
        let parts = option.components.len() + option.forms.len();
        let moves = |&id: &u32| self.facts[id].moves[next as usize];
        let moves = option.components.iter().map(moves).sum();
        let candidate = Candidate::Sum(option, next);
        (pass.options).push((expected, moves, parts, index, candidate));
        Ok(false)
    }

    /// Visits the moves of a player in the canonical forms of a sum. The moves in its number, its
    /// ups and its nimber are left to `try_packed_moves`.
    fn try_form_moves(
        &mut self,
        sum: &Sum,
        player: Player,
        pass: &mut MovePass,
    ) -> Result<(), Stop> {
        for (index, &form) in sum.forms.iter().enumerate() {
            if pass.best == PayoffResult::Win {
                return Ok(());
            }
            if index > 0 && sum.forms[index - 1] == form {
                continue;
            }
            let arena = &mut self.engine.short.theory.forms;
            for option in arena.options_of(form, player, self.limits)? {
                let mut forms: Vec<Form> = sum.forms.to_vec();
                forms[index] = option;
                let option = self.gather(&sum.packed, &forms, &sum.components)?;
                let index = pass.count;
                pass.count += 1;
                if self.try_sum(option, player, index, pass)? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Visits the moves of a player in the number, the ups and the nimber of a sum.
    ///
    /// If the sum contains a form that is not a number, moves in the number are not needed (number
    /// avoidance theorem). A component whose form is not known may be a number, so the theorem does
    /// not apply to it.
    fn try_packed_moves(
        &mut self,
        sum: &Sum,
        player: Player,
        pass: &mut MovePass,
    ) -> Result<(), Stop> {
        if pass.best == PayoffResult::Win || sum.packed.is_number() && !sum.forms.is_empty() {
            return Ok(());
        }
        // The nimber *n has n options, so check the limits before listing them.
        self.limits.check(sum.packed.star, 100)?;
        for packed in sum.packed.options(player) {
            let option = Sum {
                packed,
                ..sum.clone()
            };
            let index = pass.count;
            pass.count += 1;
            if self.try_sum(option, player, index, pass)? {
                break;
            }
        }
        Ok(())
    }

    /// Returns the undecided moves in the order in which they are to be tried.
    ///
    /// Moves after which the expected value is better for `player` come first. If reserves contain
    /// counts of moves, moves with equal values keep the order of the ruleset, which lists the best
    /// moves first.
    ///
    /// Otherwise, moves with equal values are sorted by the next player's number of moves, fewest
    /// first, since each of those moves must be refuted. Further criteria are a better atomic
    /// weight for `player`, then more components, and then an index near the middle of the list of
    /// moves.
    fn sort_moves(sum: &Sum, player: Player, pass: MovePass) -> Vec<Candidate> {
        let MovePass {
            ordered,
            counted,
            best,
            count,
            options,
            ..
        } = pass;
        if best == PayoffResult::Win {
            return Vec::new();
        }
        let mut keyed: Vec<(MoveKey, Candidate)> = Vec::with_capacity(options.len());
        for ([expected, weight], moves, parts, index, candidate) in options {
            // The least key comes first, so negate values that are good for `player` if they are
            // large.
            let side = |number: i64| player.of([number.saturating_neg(), number]);
            let away = index.abs_diff(count / 2);
            let (parts, tie_breaker) = if !ordered || sum.components.is_empty() {
                (0, 0)
            } else if counted {
                (0, index)
            } else {
                (parts, away)
            };
            keyed.push((
                (
                    side(expected),
                    moves,
                    side(weight),
                    Reverse(parts),
                    tie_breaker,
                ),
                candidate,
            ));
        }
        // The sort is stable, so moves with equal keys keep the order of the list.
        if ordered {
            keyed.sort_by_key(|&(key, _)| key);
        }
        keyed.into_iter().map(|(_, candidate)| candidate).collect()
    }

    /// Returns all options of a component. On the first call, enters them into the store and stores
    /// the list with the facts about the component.
    fn options(&mut self, id: u32, player: Player) -> Result<Arc<[OptionSum]>, Stop> {
        let side = player as usize;
        if let Some(options) = &self.facts[id].options[side] {
            return Ok(Arc::clone(options));
        }
        let mut flat = Vec::new();
        let limits = self.limits;
        (self.engine.store)
            .for_search(|store| store.list_options(id, player, &mut flat, limits))?;
        self.check()?;
        // Different moves often lead to the same sum, for example by symmetry, so keep one of them.
        let mut seen = FxHashSet::default();
        let mut options: Vec<OptionSum> = Vec::new();
        for ids in lists(&flat) {
            self.learn(ids, false)?;
            let sum = self.gather(&Packed::ZERO, &[], ids)?;
            if seen.insert(sum.clone()) {
                let reserves = self.reserves(&sum)?;
                options.push(OptionSum { sum, reserves });
            }
        }
        let bytes = |after: &OptionSum| after.sum.bytes() + size_of::<OptionSum>() as u64;
        self.other_bytes += options.iter().map(bytes).sum::<u64>();
        let options: Arc<[OptionSum]> = options.into();
        self.facts[id].options[side] = Some(Arc::clone(&options));
        Ok(options)
    }
}
