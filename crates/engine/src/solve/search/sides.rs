//! A search over sums of an all-small game, such as large boards of Clobber. The components are
//! packed into words.
//!
//! A sum consists of one canonical form, to which all small components contribute, and of the other
//! components as words. Usually there is one word. Left is to move in every question, since the
//! search negates the sum after each move.
//!
//! Moves that leave the fewest moves come first, since all of the remaining moves must be refuted.
//! If there are many moves, all answers to each move are scanned before a move is tried.

use std::ops::ControlFlow;

use grundy_forms::{Form, Forms};

use super::bounds::together;
use crate::answers::Answer;
use crate::answers::words::{Parts, WordSum, WordTable};
use crate::rules::{AllSmall, Sides};
use grundy_base::limits::{Flow, Halt, Limits, Stop, ended};
use grundy_base::player::Player;

/// Largest sizes of components whose forms are computed. The second size applies once the table has
/// [`LONG`] answers, since the forms of larger components save time only in a long search.
const SMALL: [u32; 2] = [6, 8];
/// Number of answers in the table from which on a search counts as long.
const LONG: usize = 5_000;

/// Largest size of components whose forms are computed, once forms occupy more than an eighth of
/// the memory.
const LESS: u32 = 4;
/// Largest size of components whose forms are computed, once forms occupy more than a quarter of
/// the memory. The only such component has two stones and the value *, so no new forms arise. The
/// table of answers may occupy another half.
const LEAST: u32 = 2;

/// Number of moves in a sum from which on all answers to each move are scanned before a move is
/// tried.
const FORESEEN: u32 = 14;

/// Number of positions searched between two polls of the limits.
const STEPS: u64 = 256;

/// An open node on the search path, with the moves to be tried. The most promising move is the last
/// one.
struct Open {
    sum: WordSum,
    options: Vec<WordSum>,
    /// Value of [`WordTable::searched`] when the node was opened.
    since: u64,
}

/// The result of opening a node: whether the player to move wins, or the moves to be tried.
enum Opened {
    Wins(bool),
    Options(Vec<WordSum>),
}

/// A search with its rules, its limits and its table of answers. It can be stopped and resumed.
pub(super) struct Run<'a> {
    rules: &'a dyn AllSmall,
    forms: &'a mut Forms,
    limits: &'a Limits<'a>,
    answers: &'a mut WordTable,
    /// Number of bytes that the answers may occupy.
    room: u64,
    /// Largest size of components whose forms are computed at present.
    small: u32,
}

impl<'a> Run<'a> {
    /// Creates a search for a game with these rules. It uses the table `answers` and extends it to
    /// at most `room` bytes.
    pub(super) fn new(
        rules: &'a dyn AllSmall,
        forms: &'a mut Forms,
        limits: &'a Limits<'a>,
        answers: &'a mut WordTable,
        room: u64,
    ) -> Self {
        answers.fit(room);
        let mut run = Self {
            rules,
            forms,
            limits,
            answers,
            room,
            small: 0,
        };
        run.small = run.small();
        run
    }

    /// Returns the largest size of components whose forms should be computed now.
    fn small(&self) -> u32 {
        let memory = self.limits.memory;
        match self.forms.bytes() {
            bytes if bytes > memory / 4 => LEAST,
            bytes if bytes > memory / 8 => LESS,
            _ => SMALL[usize::from(self.answers.len() >= LONG)],
        }
    }

    /// Returns the sum of a form and components. Small components are added to the form.
    pub(super) fn sum(&mut self, form: Form, parts: &[Sides]) -> Result<WordSum, Stop> {
        let (mut form, mut rest) = (form, Vec::with_capacity(parts.len()));
        for &part in parts {
            form = self.add(form, &mut rest, part)?;
        }
        Ok(Self::gathered(form, &mut rest))
    }

    /// Returns whether Left wins a sum moving first. Returns `None` if this is not known after
    /// `patience` positions.
    pub(super) fn wins(&mut self, sum: &WordSum, patience: u64) -> Result<Option<bool>, Stop> {
        if let Some(wins) = self.look(sum)? {
            return Ok(Some(wins));
        }
        // `searched` counts the positions of all runs with this table, so add `patience` to it.
        let end = self.answers.searched.saturating_add(patience);
        // `way` is the stack of open nodes with their remaining moves. `answer` is the result of
        // the node that was closed last, from the view of the player to move there.
        let mut way: Vec<Open> = Vec::new();
        let (mut next, mut answer) = (Some(sum.clone()), None);
        loop {
            if let Some(sum) = next.take() {
                if self.answers.searched == end {
                    return Ok(None);
                }
                let since = self.answers.searched;
                match self.opened(&sum)? {
                    Opened::Wins(wins) => {
                        self.keep(sum, wins, 1);
                        answer = Some(wins);
                    }
                    Opened::Options(options) => way.push(Open {
                        sum,
                        options,
                        since,
                    }),
                }
            }
            let Some(last) = way.last_mut() else {
                return Ok(answer);
            };
            // If the opponent loses after the move just tried, the move wins, and the other moves
            // need not be tried.
            let lost = answer.take() == Some(false);
            match last.options.pop() {
                Some(option) if !lost => match self.look(&option)? {
                    Some(wins) => answer = Some(wins),
                    None => next = Some(option),
                },
                _ => {
                    answer = Some(lost);
                    if let Some(Open { sum, since, .. }) = way.pop() {
                        self.keep(sum, lost, self.answers.searched - since);
                    }
                }
            }
        }
    }

    /// Stores the answer for a sum, with the number of positions that were searched for it.
    fn keep(&mut self, sum: WordSum, wins: bool, positions: u64) {
        let answer = Answer::after(wins, positions);
        (self.answers).keep(sum, answer, self.room, self.limits.positions);
    }

    /// Opens a sum. Returns its result if a scan of its moves decides it, and otherwise the moves
    /// to be tried.
    fn opened(&mut self, sum: &WordSum) -> Result<Opened, Stop> {
        self.answers.searched += 1;
        self.limits.count(1);
        // `small` may change during a search. The sums gathered before remain valid, since a
        // component has the same value as a word and as a form.
        if self.answers.searched.is_multiple_of(STEPS) {
            self.small = self.small();
            self.limits.poll()?;
            let held = self.answers.bytes() + self.forms.bytes();
            self.limits.check(1, held)?;
        }
        let mut open: Vec<(u32, WordSum)> = Vec::new();
        let won = self.each_option(sum, &mut |run, option| {
            let known = run.look(&option)?;
            if known.is_none() {
                open.push((run.promise(&option), option));
            }
            Ok(known == Some(false))
        })?;
        if won {
            return Ok(Opened::Wins(true));
        }
        // Equal options are adjacent after sorting, since equal options have equal sort keys.
        open.sort_unstable();
        open.dedup();
        if self.moves(sum) >= FORESEEN {
            let mut foreseen = Vec::with_capacity(open.len());
            for (promise, option) in open {
                let mut answers = 0u32;
                let refuted = self.each_option(&option, &mut |run, answer| {
                    let wins = run.look(&answer)?;
                    answers += u32::from(wins.is_none());
                    Ok(wins == Some(false))
                })?;
                // One answer refutes the move, so the opponent wins after it.
                if refuted {
                    self.keep(option, true, 1);
                } else if answers == 0 {
                    self.keep(option, false, 1);
                    return Ok(Opened::Wins(true));
                } else {
                    foreseen.push((answers, promise, option));
                }
            }
            foreseen.sort_unstable();
            open = (foreseen.into_iter())
                .map(|(_, promise, option)| (promise, option))
                .collect();
        }
        if open.is_empty() {
            return Ok(Opened::Wins(false));
        }
        // The most promising move must be the last one, which is tried first.
        let options = open.into_iter().rev().map(|(_, option)| option);
        Ok(Opened::Options(options.collect()))
    }

    /// Returns whether Left wins a sum moving first, if that is known without trying a move.
    fn look(&mut self, sum: &WordSum) -> Result<Option<bool>, Stop> {
        let limits = self.limits;
        let form = sum.form;
        // Without components the sum is a form, so a comparison with 0 gives the result.
        let part = match &sum.parts {
            Parts::None => return Ok(Some(!self.forms.at_most(form, Form::ZERO, limits)?)),
            Parts::One(part) => *part,
            Parts::Several(parts) => {
                return match self.answers.get(sum) {
                    Some(known) => Ok(Some(known.wins)),
                    None => self.by_parts(form, parts),
                };
            }
        };
        if let Some(known) = self.answers.of_one(part, form) {
            return Ok(Some(known.wins));
        }
        if form == Form::ZERO {
            return Ok(None);
        }
        // If Left wins the component moving first, she also wins it with a form that is at least 0.
        // If she loses it, she also loses it with a form that is at most 0.
        let Some(Answer { wins, .. }) = self.answers.of_one(part, Form::ZERO) else {
            return Ok(None);
        };
        let helps = if wins {
            self.forms.at_most(Form::ZERO, form, limits)?
        } else {
            self.forms.at_most(form, Form::ZERO, limits)?
        };
        Ok(helps.then_some(wins))
    }

    /// Returns whether Left wins a sum of several components moving first, if the results of the
    /// components on their own decide it.
    fn by_parts(&mut self, form: Form, parts: &[Sides]) -> Result<Option<bool>, Stop> {
        let limits = self.limits;
        // Each pair has the result with Left moving first, then that with Right moving first.
        // Right's result is Left's result for the negative.
        let mut alone = vec![[
            Some(!self.forms.at_most(form, Form::ZERO, limits)?),
            Some(!self.forms.at_most(Form::ZERO, form, limits)?),
        ]];
        let answers = &self.answers;
        alone.extend(parts.iter().map(|&part| {
            [part, self.rules.negative(part)]
                .map(|part| Some(answers.of_one(part, Form::ZERO)?.wins))
        }));
        Ok(together(&alone))
    }

    /// Returns the approximate number of moves that each player has in the components of a sum.
    fn moves(&self, sum: &WordSum) -> u32 {
        let parts = sum.parts.as_slice().iter();
        parts.map(|&part| self.rules.moves(part)).sum()
    }

    /// Returns the sort key of a sum, the best having the least key: first few moves, then small
    /// components.
    fn promise(&self, sum: &WordSum) -> u32 {
        let parts = sum.parts.as_slice().iter();
        let sizes: u32 = parts.map(|&part| self.rules.size(part)).sum();
        2 * self.moves(sum) + sizes
    }

    /// Visits the negative of each option of Left until `visit` returns `true`. Returns whether it
    /// did.
    fn each_option(
        &mut self,
        sum: &WordSum,
        visit: &mut dyn FnMut(&mut Self, WordSum) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        let rules = self.rules;
        let parts = sum.parts.as_slice();
        let (turned, mut rest) = (self.forms.negative(sum.form), Vec::new());
        let found = |found: Result<bool, Stop>| match found {
            Ok(false) => ControlFlow::Continue(()),
            Ok(true) => ControlFlow::Break(Halt::Enough),
            Err(stop) => ControlFlow::Break(stop.into()),
        };
        // `rules.options` returns the components of Left's options already negated, so negate the
        // rest of the sum too.
        for (index, &part) in parts.iter().enumerate() {
            if index > 0 && parts[index - 1] == part {
                continue;
            }
            let beside = parts
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index);
            let beside: Vec<Sides> = beside.map(|(_, &part)| rules.negative(part)).collect();
            let flow: Flow = rules.options(part, &mut |left| {
                rest.clear();
                let mut form = turned;
                for &part in left.iter().chain(&beside) {
                    match self.add(form, &mut rest, part) {
                        Ok(sum) => form = sum,
                        Err(stop) => return ControlFlow::Break(stop.into()),
                    }
                }
                let option = Self::gathered(form, &mut rest);
                found(visit(self, option))
            });
            if ended(flow)? {
                return Ok(true);
            }
        }
        // A move in the form leaves the words unchanged, so negate them once for all these options.
        let options = (self.forms).options_of(sum.form, Player::Left, self.limits)?;
        if options.is_empty() {
            return Ok(false);
        }
        rest.clear();
        rest.extend(parts.iter().map(|&part| rules.negative(part)));
        let all = Self::gathered(Form::ZERO, &mut rest);
        for option in options {
            let form = self.forms.negative(option);
            let parts = all.parts.clone();
            if visit(self, WordSum { form, parts })? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds a component to a sum. A small component is added to the returned form. Another
    /// component is added to `rest`, or removes its negative from there.
    fn add(&mut self, form: Form, rest: &mut Vec<Sides>, part: Sides) -> Result<Form, Stop> {
        if self.rules.size(part) <= self.small {
            let value = self.value(part)?;
            return self.forms.plus(form, value, self.limits);
        }
        if !rest.is_empty() {
            let negative = self.rules.negative(part);
            if let Some(opposite) = rest.iter().position(|&other| other == negative) {
                rest.swap_remove(opposite);
                return Ok(form);
            }
        }
        rest.push(part);
        Ok(form)
    }

    /// Returns a sum of a form and components, with the components in canonical order.
    fn gathered(form: Form, rest: &mut [Sides]) -> WordSum {
        let parts = match rest {
            [] => Parts::None,
            [part] => Parts::One(*part),
            _ => {
                rest.sort_unstable();
                Parts::Several((&*rest).into())
            }
        };
        WordSum { form, parts }
    }

    /// Returns the form of a small component, computed from the forms of its options, which are
    /// smaller.
    fn value(&mut self, part: Sides) -> Result<Form, Stop> {
        if let Some(&known) = self.answers.values.get(&part) {
            return Ok(known);
        }
        let (rules, limits) = (self.rules, self.limits);
        let [mut left, mut right] = [Vec::new(), Vec::new()];
        for (part, options) in [(part, &mut left), (rules.negative(part), &mut right)] {
            ended(rules.options(part, &mut |parts| {
                let sum = parts.iter().try_fold(Form::ZERO, |sum, &part| {
                    let value = self.value(part)?;
                    self.forms.plus(sum, value, limits)
                });
                match sum {
                    Ok(sum) => options.push(sum),
                    Err(stop) => return ControlFlow::Break(stop.into()),
                }
                ControlFlow::Continue(())
            }))?;
        }
        // `options` returns negated components. So the forms for Left must be negated. The forms
        // for Right come from the negative of the component, so they are already negated twice.
        for option in &mut left {
            *option = self.forms.negative(*option);
        }
        let value = self.forms.canonical(&left, &right, limits)?;
        self.answers.values.insert(part, value);
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::Argument;
    use crate::position::Position;
    use crate::registry::construct;
    use crate::values::Engine;
    use grundy_base::outcome::Play;

    use super::super::Search;

    /// Returns a board of Clobber. Every character that is not a letter is an empty square.
    fn board(rows: &[String]) -> Position {
        let rows = rows.iter().map(|row| Argument::Text(row.clone())).collect();
        construct("clobber", &[(None, Argument::List(rows))])
            .unwrap()
            .into()
    }

    /// Returns a full board with stones in the colours of a chessboard.
    fn full(rows: usize, columns: usize) -> Position {
        let stone = |row: usize| move |column: usize| ['x', 'o'][(row + column) % 2];
        let row = |row: usize| (0..columns).map(stone(row)).collect();
        board(&(0..rows).map(row).collect::<Vec<String>>())
    }

    /// Returns the rules of a position's game for packed components, and the components as words.
    fn parts(search: &mut Search<'_>, position: &Position) -> (&'static dyn AllSmall, Vec<Sides>) {
        let mut ids = Vec::new();
        position.enter(&mut search.engine.store, &mut ids);
        let packed = ids.iter().map(|&id| {
            let (parts, index) = search.engine.store.part(id);
            parts.sides_of(index).unwrap()
        });
        let rules = search.engine.store.part(ids[0]).0.all_small();
        (rules.unwrap(), packed.collect())
    }

    /// Checks that the search agrees with canonical forms, on boards plus a form. It uses different
    /// sizes of valued components, and interruptions.
    #[test]
    fn searches_agree_with_canonical_forms() {
        let limits = Limits::default();
        let mut random = fastrand::Rng::with_seed(3);
        // These forms are positive, negative, or confused with 0.
        let beside = ["0", "^", "v*", "^^*", "*2", "{^|v}", "{0|v*}", "^[2]"];
        let mut searched = 0;
        for round in 0..120 {
            let (rows, columns) = [(3, 4), (2, 6), (1, 14), (3, 5)][round % 4];
            let mut stone = |_| ['x', 'o', 'x', 'o', '.'][random.usize(..5)];
            let mut row = |_| (0..columns).map(&mut stone).collect::<String>();
            let one = board(&(0..rows).map(&mut row).collect::<Vec<_>>());
            let position = match round % 3 {
                0 => one,
                _ => Position::sum([one.terms(), full(2, 3).terms()].concat()).unwrap(),
            };
            let mut search = Search::new(&position, Play::Normal, Engine::default(), &limits);
            search.sum(&position).unwrap();
            let mut ids = Vec::new();
            position.enter(&mut search.engine.store, &mut ids);
            let (rules, parts) = parts(&mut search, &position);
            search.budget = super::super::Budget::for_search(u64::MAX);
            let values = ids
                .iter()
                .map(|&id| search.form(id, true).unwrap().unwrap());
            let values: Vec<Form> = values.collect();
            let forms = &mut search.engine.short.theory.forms;
            let value = forms.total(&values, &limits).unwrap();
            for text in beside {
                let form = grundy_forms::text::read(text, forms, &limits).unwrap();
                let all = forms.plus(value, form, &limits).unwrap();
                let right = !forms.at_most(all, Form::ZERO, &limits).unwrap();
                for small in [6, 2] {
                    let mut answers = WordTable::default();
                    let mut run = Run::new(rules, forms, &limits, &mut answers, u64::MAX);
                    run.small = small;
                    let sum = run.sum(form, &parts).unwrap();
                    // Each call searches at most 20 positions, and the next call resumes the
                    // search.
                    let found = (0..1_000).find_map(|_| run.wins(&sum, 20).unwrap());
                    assert_eq!(found, Some(right), "{position} + {text}");
                    searched += answers.searched;
                }
            }
        }
        assert!(searched > 10_000, "{searched}");
    }

    /// Checks that with little memory fewer components are valued, but the results are the same.
    #[test]
    fn little_memory_changes_no_answer() {
        for (rows, columns) in [(3, 6), (4, 5), (3, 7)] {
            let position = full(rows, columns);
            let mut wins = Vec::new();
            for memory in [1 << 30, 1 << 19] {
                let limits = Limits {
                    memory,
                    ..Limits::default()
                };
                let mut search = Search::new(&position, Play::Normal, Engine::default(), &limits);
                let (rules, parts) = parts(&mut search, &position);
                let forms = &mut search.engine.short.theory.forms;
                let mut answers = WordTable::default();
                let mut run = Run::new(rules, forms, &limits, &mut answers, memory / 2);
                let sum = run.sum(Form::ZERO, &parts).unwrap();
                wins.push(run.wins(&sum, u64::MAX).unwrap().unwrap());
                let less = run.small < SMALL[0];
                assert_eq!(less, memory < 1 << 30, "{rows} by {columns}");
                assert!(run.answers.bytes() + run.forms.bytes() <= memory);
            }
            assert_eq!(wins[0], wins[1], "{rows} by {columns}");
        }
    }

    /// Checks that evicted answers are found again.
    #[test]
    fn eviction_changes_no_answer() {
        let limits = Limits::default();
        for (rows, columns) in [(3, 6), (4, 5), (2, 11)] {
            let position = full(rows, columns);
            let mut search = Search::new(&position, Play::Normal, Engine::default(), &limits);
            let (rules, parts) = parts(&mut search, &position);
            let mut all = Vec::new();
            for bytes in [u64::MAX, 0] {
                let mut answers = WordTable::default();
                let forms = &mut search.engine.short.theory.forms;
                let mut run = Run::new(rules, forms, &limits, &mut answers, bytes);
                let sum = run.sum(Form::ZERO, &parts).unwrap();
                let wins = run.wins(&sum, u64::MAX).unwrap();
                all.push((wins, answers.bytes(), answers.searched));
            }
            let [(wins, bytes, _), (again, few, searched)] = all[..] else {
                unreachable!("there are two")
            };
            assert_eq!(wins, again);
            // The second run has kept only some hundred of several thousand answers.
            assert!(few < bytes, "{few} of {bytes}");
            assert!(searched > 2_000, "{searched}");
        }
    }
}
