//! A search over sums of an all-small game, for example large boards of Clobber. Each component is
//! packed into machine words.
//!
//! A sum consists of one canonical form and of components. Small components are added to the form,
//! so usually one component remains. Left is to move in every sum, since the search replaces the
//! sum after a move by its negative.
//!
//! A move after which the opponent has fewer moves is tried earlier, since every move of the
//! opponent must be refuted. If there are many moves, all answers to each move are scanned before a
//! move is tried.

use std::ops::ControlFlow;

use grundy_forms::{Form, Forms};

use super::bounds::sum_result;
use crate::answers::Answer;
use crate::answers::words::{Parts, WordSum, WordTable};
use crate::rules::{AllSmall, Sides};
use grundy_base::limits::{Flow, Halt, Limits, Stop, stopped_early};
use grundy_base::player::Player;

/// Largest size of a component whose form is computed, in a short and in a long search. The forms
/// of larger components save time only in a long search.
const VALUED_SIZES: [u32; 2] = [6, 8];
/// Least number of answers in the table for which the search counts as long.
const LONG_SEARCH: usize = 5_000;

/// Largest size of a component whose form is computed, once forms occupy more than an eighth of the
/// memory.
const VALUED_SIZE_LOW_MEMORY: u32 = 4;
/// Largest size of a component whose form is computed, once forms occupy more than a quarter of the
/// memory. The only component of this size has two stones and the value *, so no new forms arise.
/// The table of answers may occupy half of the memory.
const MIN_VALUED_SIZE: u32 = 2;

/// Least number of moves in a sum for which all answers to each move are scanned before a move is
/// tried.
const LOOKAHEAD_FROM: u32 = 14;

/// Number of positions searched between two polls (checks of the limits).
const POSITIONS_PER_POLL: u64 = 256;

/// An open node on the search path, with the sums after the moves to be tried. The most promising
/// move is the last one.
struct OpenNode {
    sum: WordSum,
    options: Vec<WordSum>,
    /// Value of [`WordTable::searched`] when the node was opened.
    opened_at: u64,
}

/// The result of opening a sum.
enum OpenResult {
    /// The result is known: `true` if the player to move wins.
    Wins(bool),
    /// The sums after the moves to be tried. The most promising move is the last one.
    Options(Vec<WordSum>),
}

/// A search with its rules, its limits and its table of answers. A search that was stopped resumes
/// with the answers in the table.
pub(super) struct WordSearch<'a> {
    rules: &'a dyn AllSmall,
    forms: &'a mut Forms,
    limits: &'a Limits<'a>,
    answers: &'a mut WordTable,
    /// Number of bytes that the answers may occupy.
    max_bytes: u64,
    /// Largest size of a component whose form is computed at present.
    valued_size: u32,
}

impl<'a> WordSearch<'a> {
    /// Creates a search for a game with these rules. It uses the answers in the table `answers` and
    /// adds its own answers. The table may occupy at most `max_bytes` bytes.
    pub(super) fn new(
        rules: &'a dyn AllSmall,
        forms: &'a mut Forms,
        limits: &'a Limits<'a>,
        answers: &'a mut WordTable,
        max_bytes: u64,
    ) -> Self {
        answers.clear_if_larger(max_bytes);
        let mut search = Self {
            rules,
            forms,
            limits,
            answers,
            max_bytes,
            valued_size: 0,
        };
        search.valued_size = search.current_valued_size();
        search
    }

    /// Returns the largest size of a component whose form should be computed now.
    fn current_valued_size(&self) -> u32 {
        let memory = self.limits.memory;
        match self.forms.bytes() {
            bytes if bytes > memory / 4 => MIN_VALUED_SIZE,
            bytes if bytes > memory / 8 => VALUED_SIZE_LOW_MEMORY,
            _ => VALUED_SIZES[usize::from(self.answers.len() >= LONG_SEARCH)],
        }
    }

    /// Returns the sum of a form and components. Small components are added to the form.
    pub(super) fn sum(&mut self, form: Form, parts: &[Sides]) -> Result<WordSum, Stop> {
        let (mut form, mut rest) = (form, Vec::with_capacity(parts.len()));
        for &part in parts {
            form = self.add(form, &mut rest, part)?;
        }
        Ok(Self::gather(form, &mut rest))
    }

    /// Returns whether Left wins a sum moving first. Returns `None` if this is not known after a
    /// search of `max_positions` positions.
    pub(super) fn wins(&mut self, sum: &WordSum, max_positions: u64) -> Result<Option<bool>, Stop> {
        if let Some(wins) = self.known_result(sum)? {
            return Ok(Some(wins));
        }
        // `searched` counts the positions of all searches with this table, so add to it.
        let end = self.answers.searched.saturating_add(max_positions);
        // `path` is the stack of open nodes with their remaining moves. `answer` is the result of
        // the last move tried: whether the player to move after this move wins.
        let mut path: Vec<OpenNode> = Vec::new();
        let (mut next, mut answer) = (Some(sum.clone()), None);
        loop {
            if let Some(sum) = next.take() {
                if self.answers.searched == end {
                    return Ok(None);
                }
                let opened_at = self.answers.searched;
                match self.open(&sum)? {
                    OpenResult::Wins(wins) => {
                        self.keep(sum, wins, 1);
                        answer = Some(wins);
                    }
                    OpenResult::Options(options) => path.push(OpenNode {
                        sum,
                        options,
                        opened_at,
                    }),
                }
            }
            let Some(last) = path.last_mut() else {
                return Ok(answer);
            };
            // If the opponent loses after the move just tried, the move wins, and the other moves
            // need not be tried.
            let lost = answer.take() == Some(false);
            match last.options.pop() {
                Some(option) if !lost => match self.known_result(&option)? {
                    Some(wins) => answer = Some(wins),
                    None => next = Some(option),
                },
                _ => {
                    answer = Some(lost);
                    if let Some(OpenNode { sum, opened_at, .. }) = path.pop() {
                        self.keep(sum, lost, self.answers.searched - opened_at);
                    }
                }
            }
        }
    }

    /// Stores the answer for a sum. `positions` is the number of positions searched for it.
    fn keep(&mut self, sum: WordSum, wins: bool, positions: u64) {
        let answer = Answer::new(wins, positions);
        (self.answers).keep(sum, answer, self.max_bytes, self.limits.positions);
    }

    /// Opens a sum. Returns its result if a scan of its moves decides it, and otherwise the moves
    /// to be tried.
    fn open(&mut self, sum: &WordSum) -> Result<OpenResult, Stop> {
        self.answers.searched += 1;
        self.limits.count(1);
        // `valued_size` may change during a search. Answers for sums gathered earlier remain valid,
        // since a component has the same value as words and as a form.
        if self.answers.searched.is_multiple_of(POSITIONS_PER_POLL) {
            self.valued_size = self.current_valued_size();
            self.limits.poll()?;
            let bytes = self.answers.bytes() + self.forms.bytes();
            self.limits.check(1, bytes)?;
        }
        let mut open: Vec<(u32, WordSum)> = Vec::new();
        let won = self.each_option(sum, &mut |search, option| {
            let known = search.known_result(&option)?;
            if known.is_none() {
                open.push((search.sort_key(&option), option));
            }
            Ok(known == Some(false))
        })?;
        if won {
            return Ok(OpenResult::Wins(true));
        }
        // Equal options are adjacent after sorting, since equal options have equal sort keys.
        open.sort_unstable();
        open.dedup();
        if self.moves(sum) >= LOOKAHEAD_FROM {
            let mut with_answer_counts = Vec::with_capacity(open.len());
            for (sort_key, option) in open {
                let mut answers = 0u32;
                let refuted = self.each_option(&option, &mut |search, answer| {
                    let wins = search.known_result(&answer)?;
                    answers += u32::from(wins.is_none());
                    Ok(wins == Some(false))
                })?;
                // One answer refutes the move, so the opponent wins after it.
                if refuted {
                    self.keep(option, true, 1);
                } else if answers == 0 {
                    self.keep(option, false, 1);
                    return Ok(OpenResult::Wins(true));
                } else {
                    with_answer_counts.push((answers, sort_key, option));
                }
            }
            with_answer_counts.sort_unstable();
            open = (with_answer_counts.into_iter())
                .map(|(_, sort_key, option)| (sort_key, option))
                .collect();
        }
        if open.is_empty() {
            return Ok(OpenResult::Wins(false));
        }
        // The most promising move must be the last one, which is tried first.
        let options = open.into_iter().rev().map(|(_, option)| option);
        Ok(OpenResult::Options(options.collect()))
    }

    /// Returns whether Left wins a sum moving first, if this is known without trying a move.
    fn known_result(&mut self, sum: &WordSum) -> Result<Option<bool>, Stop> {
        let limits = self.limits;
        let form = sum.form;
        // A sum without components is a form, so a comparison with 0 gives the result.
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
        if let Some(known) = self.answers.get_single(part, form) {
            return Ok(Some(known.wins));
        }
        if form == Form::ZERO {
            return Ok(None);
        }
        // If Left wins the component moving first, she also wins its sum with a form that is at
        // least
        // 0. If she loses the component, she also loses its sum with a form that is at most 0.
        let Some(Answer { wins, .. }) = self.answers.get_single(part, Form::ZERO) else {
            return Ok(None);
        };
        let helps = if wins {
            self.forms.at_most(Form::ZERO, form, limits)?
        } else {
            self.forms.at_most(form, Form::ZERO, limits)?
        };
        Ok(helps.then_some(wins))
    }

    /// Returns whether Left wins a sum of several components moving first. Returns `None` if the
    /// results of the single components do not decide the result of the sum.
    fn by_parts(&mut self, form: Form, parts: &[Sides]) -> Result<Option<bool>, Stop> {
        let limits = self.limits;
        // Each pair says whether Left wins moving first, and whether Right wins moving first. Right
        // wins a component moving first if and only if Left wins its negative moving first.
        let mut alone = vec![[
            Some(!self.forms.at_most(form, Form::ZERO, limits)?),
            Some(!self.forms.at_most(Form::ZERO, form, limits)?),
        ]];
        let answers = &self.answers;
        alone.extend(parts.iter().map(|&part| {
            [part, self.rules.negative(part)]
                .map(|part| Some(answers.get_single(part, Form::ZERO)?.wins))
        }));
        Ok(sum_result(&alone))
    }

    /// Returns the approximate number of moves that each player has in the components of a sum.
    fn moves(&self, sum: &WordSum) -> u32 {
        let parts = sum.parts.as_slice().iter();
        parts.map(|&part| self.rules.moves(part)).sum()
    }

    /// Returns the sort key of the sum after a move. The least key is that of the most promising
    /// move. The key is small if the sum has few moves and small components.
    fn sort_key(&self, sum: &WordSum) -> u32 {
        let parts = sum.parts.as_slice().iter();
        let sizes: u32 = parts.map(|&part| self.rules.size(part)).sum();
        2 * self.moves(sum) + sizes
    }

    /// Visits the negative of the sum after each move of Left, until `visit` returns `true`.
    /// Returns whether `visit` returned `true`.
    fn each_option(
        &mut self,
        sum: &WordSum,
        visit: &mut dyn FnMut(&mut Self, WordSum) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        let rules = self.rules;
        let parts = sum.parts.as_slice();
        let (negated_form, mut rest) = (self.forms.negative(sum.form), Vec::new());
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
            let others = parts
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index);
            let others: Vec<Sides> = others.map(|(_, &part)| rules.negative(part)).collect();
            let flow: Flow = rules.options(part, &mut |left| {
                rest.clear();
                let mut form = negated_form;
                for &part in left.iter().chain(&others) {
                    match self.add(form, &mut rest, part) {
                        Ok(sum) => form = sum,
                        Err(stop) => return ControlFlow::Break(stop.into()),
                    }
                }
                let option = Self::gather(form, &mut rest);
                found(visit(self, option))
            });
            if stopped_early(flow)? {
                return Ok(true);
            }
        }
        // A move in the form leaves the components unchanged, so negate these once for all options
        // of the form.
        let options = (self.forms).options_of(sum.form, Player::Left, self.limits)?;
        if options.is_empty() {
            return Ok(false);
        }
        rest.clear();
        rest.extend(parts.iter().map(|&part| rules.negative(part)));
        let all = Self::gather(Form::ZERO, &mut rest);
        for option in options {
            let form = self.forms.negative(option);
            let parts = all.parts.clone();
            if visit(self, WordSum { form, parts })? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds a component to the sum of `form` and the components `rest`, and returns the resulting
    /// form. A small component is added to the form. Any other component cancels with its negative
    /// in `rest`, or is appended to `rest` if its negative is not there.
    fn add(&mut self, form: Form, rest: &mut Vec<Sides>, part: Sides) -> Result<Form, Stop> {
        if self.rules.size(part) <= self.valued_size {
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

    /// Returns the sum of a form and components. Sorts the components, so that equal sums are equal
    /// keys of the table.
    fn gather(form: Form, rest: &mut [Sides]) -> WordSum {
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
            stopped_early(rules.options(part, &mut |parts| {
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
        // `rules.options` returns the negatives of the options, so negate the forms for Left. The
        // forms for Right are the negatives of the options of the negative, so they are correct.
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

    /// Returns the `AllSmall` rules of the game of a position, and the components of the
    /// position, each packed into words.
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

    /// Checks that the search agrees with canonical forms, on sums of boards and a form. It is
    /// interrupted often, and computes the forms of components up to different sizes.
    #[test]
    fn searches_agree_with_canonical_forms() {
        let limits = Limits::default();
        let mut random = fastrand::Rng::with_seed(3);
        // These forms are positive, negative, or confused with 0.
        let forms_to_add = ["0", "^", "v*", "^^*", "*2", "{^|v}", "{0|v*}", "^[2]"];
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
            for text in forms_to_add {
                let form = grundy_forms::text::read(text, forms, &limits).unwrap();
                let all = forms.plus(value, form, &limits).unwrap();
                let right = !forms.at_most(all, Form::ZERO, &limits).unwrap();
                for valued_size in [6, 2] {
                    let mut answers = WordTable::default();
                    let mut search = WordSearch::new(rules, forms, &limits, &mut answers, u64::MAX);
                    search.valued_size = valued_size;
                    let sum = search.sum(form, &parts).unwrap();
                    // Each call searches at most 20 positions, and the next call resumes the
                    // search.
                    let found = (0..1_000).find_map(|_| search.wins(&sum, 20).unwrap());
                    assert_eq!(found, Some(right), "{position} + {text}");
                    searched += answers.searched;
                }
            }
        }
        assert!(searched > 10_000, "{searched}");
    }

    /// Checks that with little memory the forms of fewer components are computed, but the results
    /// are the same.
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
                let mut search = WordSearch::new(rules, forms, &limits, &mut answers, memory / 2);
                let sum = search.sum(Form::ZERO, &parts).unwrap();
                wins.push(search.wins(&sum, u64::MAX).unwrap().unwrap());
                let less = search.valued_size < VALUED_SIZES[0];
                assert_eq!(less, memory < 1 << 30, "{rows} by {columns}");
                assert!(search.answers.bytes() + search.forms.bytes() <= memory);
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
                let mut search = WordSearch::new(rules, forms, &limits, &mut answers, bytes);
                let sum = search.sum(Form::ZERO, &parts).unwrap();
                let wins = search.wins(&sum, u64::MAX).unwrap();
                all.push((wins, answers.bytes(), answers.searched));
            }
            let [(wins, bytes, _), (again, few, searched)] = all[..] else {
                unreachable!("there are two")
            };
            assert_eq!(wins, again);
            // The second search has kept only some hundred of several thousand answers.
            assert!(few < bytes, "{few} of {bytes}");
            assert!(searched > 2_000, "{searched}");
        }
    }
}
