//! Who wins sums of an all-small game whose components are packed as words, as large boards of Clobber are.
//!
//! A sum is one canonical form, which all small components go into, and the other components as words, mostly one. It is asked about
//! with the player to move as Left: what a move leaves is turned round. Moves that leave the fewest moves come first, as whatever these
//! are, all of them have to be refuted; where there are many, all answers to each are looked at before one is tried.

use std::ops::ControlFlow;

use grundy_base::index::hash;
use grundy_forms::{Form, Forms};
use rustc_hash::FxHashMap;

use crate::limits::{Flow, Halt, Limits, Stop, ended};
use crate::player::Player;
use crate::rules::{AllSmall, Sides};

/// What is known of sums.
#[derive(Debug)]
pub(super) struct Answers {
    /// Values of small components.
    values: FxHashMap<Sides, Form>,
    /// Who wins sums with one component.
    table: Table,
    /// Who wins sums with several.
    several: FxHashMap<Sum, Answer>,
    /// Positions searched since the beginning.
    searched: u64,
    /// Components of this size have values.
    small: u32,
}

/// Sizes of what is valued, and positions after which the larger one holds: its values pay where much is searched.
const SMALL: [u32; 2] = [6, 8];
const LONG: u64 = 5_000;

/// Moves in a sum from which on the answers to each are looked at before one is tried.
const FORESEEN: u32 = 14;

/// Positions searched between two looks at the limits.
const STEPS: u64 = 256;

/// A form and other components, in increasing order; the player to move is Left.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Sum {
    form: Form,
    parts: Parts,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Parts {
    None,
    One(Sides),
    Several(Box<[Sides]>),
}

impl Parts {
    fn as_slice(&self) -> &[Sides] {
        match self {
            Self::None => &[],
            Self::One(part) => std::slice::from_ref(part),
            Self::Several(parts) => parts,
        }
    }
}

/// Whether the player to move wins, and how dear it was to find out, by powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Answer {
    wins: bool,
    class: u8,
}

impl Answer {
    fn after(wins: bool, positions: u64) -> Self {
        let class = (u64::BITS - positions.leading_zeros()) as u8;
        Self { wins, class }
    }
}

/// Classes of effort.
const CLASSES: usize = u64::BITS as usize + 1;

/// Answers to sums with one component, with open addressing, at most three quarters full.
#[derive(Debug, Default)]
struct Table {
    slots: Vec<Slot>,
    count: usize,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    part: Sides,
    form: Form,
    answer: Option<Answer>,
}

impl Slot {
    const FREE: Self = Self {
        part: Sides {
            own: 0,
            other: 0,
            stride: 0,
        },
        form: Form::ZERO,
        answer: None,
    };
}

/// The least table.
const LEAST: usize = 1 << 10;

impl Table {
    fn place(&self, part: Sides, form: Form) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = hash(&(part, form)) as usize & mask;
        loop {
            let slot = &self.slots[place];
            if slot.answer.is_none() || slot.part == part && slot.form == form {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    fn get(&self, part: Sides, form: Form) -> Option<Answer> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.place(part, form)].answer
    }

    /// Keeps an answer; there is room for it.
    fn put(&mut self, part: Sides, form: Form, answer: Answer) {
        let place = self.place(part, form);
        self.count += usize::from(self.slots[place].answer.is_none());
        self.slots[place] = Slot {
            part,
            form,
            answer: Some(answer),
        };
    }

    fn is_full(&self) -> bool {
        4 * (self.count + 1) > 3 * self.slots.len()
    }

    /// Moves what is at least so dear to a table of so many slots.
    fn rebuild(&mut self, slots: usize, least: u8) {
        let before = std::mem::replace(&mut self.slots, vec![Slot::FREE; slots]);
        self.count = 0;
        for slot in before {
            if let Some(answer) = slot.answer.filter(|answer| answer.class >= least) {
                self.put(slot.part, slot.form, answer);
            }
        }
    }

    fn bytes(&self) -> u64 {
        (size_of::<Slot>() * self.slots.capacity()) as u64
    }
}

impl Default for Answers {
    fn default() -> Self {
        Self {
            values: FxHashMap::default(),
            table: Table::default(),
            several: FxHashMap::default(),
            searched: 0,
            small: SMALL[0],
        }
    }
}

/// About how many bytes one of several components takes, and a value.
const PART: u64 = 30;
const VALUE: u64 = 40;

impl Answers {
    /// Positions searched since the beginning.
    pub(super) fn searched(&self) -> u64 {
        self.searched
    }

    /// Bytes held, about.
    pub(super) fn bytes(&self) -> u64 {
        self.table.bytes() + self.several_bytes() + VALUE * self.values.len() as u64
    }

    fn several_bytes(&self) -> u64 {
        self.several.len() as u64 * (size_of::<Sum>() as u64 + 4 * PART)
    }

    fn get(&self, sum: &Sum) -> Option<Answer> {
        match &sum.parts {
            Parts::One(part) => self.table.get(*part, sum.form),
            _ => self.several.get(sum).copied(),
        }
    }

    /// Keeps an answer in so many bytes, and of so many answers no more.
    fn keep(&mut self, sum: Sum, answer: Answer, room: u64, most: u64) {
        let Parts::One(part) = sum.parts else {
            self.several.insert(sum, answer);
            return;
        };
        if self.table.is_full() {
            let larger = 2 * self.table.slots.len();
            let bytes = (larger * size_of::<Slot>()) as u64 + self.several_bytes();
            let count = (self.table.count + self.several.len()) as u64;
            if larger == 0 {
                self.table.rebuild(LEAST, 0);
            } else if bytes <= room && count < most {
                self.table.rebuild(larger, 0);
            } else {
                self.forget();
            }
        }
        self.table.put(part, sum.form, answer);
    }

    /// Forgets the cheaper answers, half of them or more: they are found again when they are needed.
    fn forget(&mut self) {
        let mut classes = [0u64; CLASSES];
        let single = self.table.slots.iter().filter_map(|slot| slot.answer);
        for answer in single.chain(self.several.values().copied()) {
            classes[usize::from(answer.class)] += 1;
        }
        let half = (self.table.count + self.several.len()) as u64 / 2;
        let mut kept = 0;
        let too_many = classes.iter().rposition(|count| {
            kept += count;
            kept > half
        });
        let least = too_many.map_or(0, |class| class as u8 + 1);
        self.table.rebuild(self.table.slots.len(), least);
        self.several.retain(|_, answer| answer.class >= least);
    }
}

/// A question on the way, with the moves still to be tried, the most promising last.
struct Open {
    sum: Sum,
    options: Vec<Sum>,
    /// Positions that had been searched before.
    since: u64,
}

enum Opened {
    Wins(bool),
    Options(Vec<Sum>),
}

/// A search that goes on.
pub(super) struct Run<'a> {
    pub(super) rules: &'a dyn AllSmall,
    pub(super) forms: &'a mut Forms,
    pub(super) limits: &'a Limits<'a>,
    pub(super) answers: &'a mut Answers,
    /// Bytes for answers.
    pub(super) room: u64,
}

impl Run<'_> {
    /// A sum of a form and components.
    pub(super) fn sum(&mut self, form: Form, parts: &[Sides]) -> Result<Sum, Stop> {
        let (mut form, mut rest) = (form, Vec::with_capacity(parts.len()));
        for &part in parts {
            form = self.add(form, &mut rest, part)?;
        }
        Ok(Self::gathered(form, &mut rest))
    }

    /// Whether Left, to move, wins a sum; nothing where more positions would have to be searched.
    pub(super) fn wins(&mut self, sum: &Sum, patience: u64) -> Result<Option<bool>, Stop> {
        if let Some(wins) = self.look(sum)? {
            return Ok(Some(wins));
        }
        let end = self.answers.searched.saturating_add(patience);
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

    fn keep(&mut self, sum: Sum, wins: bool, positions: u64) {
        let answer = Answer::after(wins, positions);
        (self.answers).keep(sum, answer, self.room, self.limits.positions);
    }

    /// Searches a position: who wins it, if a look at its moves tells, and else the moves to be tried.
    fn opened(&mut self, sum: &Sum) -> Result<Opened, Stop> {
        self.answers.searched += 1;
        self.limits.count(1);
        if self.answers.searched == LONG {
            self.answers.small = SMALL[1];
        }
        if self.answers.searched.is_multiple_of(STEPS) {
            self.limits.poll()?;
            let held = self.answers.bytes() + self.forms.bytes();
            self.limits.check(1, held)?;
        }
        let mut open: Vec<(u32, Sum)> = Vec::new();
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
        let options = open.into_iter().rev().map(|(_, option)| option);
        Ok(Opened::Options(options.collect()))
    }

    /// What is known of a sum without trying moves.
    fn look(&mut self, sum: &Sum) -> Result<Option<bool>, Stop> {
        let limits = self.limits;
        let form = sum.form;
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
        let table = &self.answers.table;
        if let Some(known) = table.get(part, form) {
            return Ok(Some(known.wins));
        }
        if form == Form::ZERO {
            return Ok(None);
        }
        // More is won where the component is won by itself, and less lost where it is lost.
        let Some(Answer { wins, .. }) = table.get(part, Form::ZERO) else {
            return Ok(None);
        };
        let helps = if wins {
            self.forms.at_most(Form::ZERO, form, limits)?
        } else {
            self.forms.at_most(form, Form::ZERO, limits)?
        };
        Ok(helps.then_some(wins))
    }

    /// Who wins several components, as far as it follows from who wins each of them alone: whoever loses each to move loses all, and
    /// whoever wins one to move and all others as the second wins them together.
    fn by_parts(&mut self, form: Form, parts: &[Sides]) -> Result<Option<bool>, Stop> {
        let limits = self.limits;
        let mut alone = vec![[
            Some(!self.forms.at_most(form, Form::ZERO, limits)?),
            Some(!self.forms.at_most(Form::ZERO, form, limits)?),
        ]];
        let table = &self.answers.table;
        alone.extend(parts.iter().map(|&part| {
            [part, self.rules.negative(part)].map(|part| Some(table.get(part, Form::ZERO)?.wins))
        }));
        if alone.iter().all(|wins| wins[0] == Some(false)) {
            return Ok(Some(false));
        }
        let mut unsafe_ones = alone.iter().filter(|wins| wins[1] != Some(false));
        let wins = match (unsafe_ones.next(), unsafe_ones.next()) {
            (None, _) => alone.iter().any(|wins| wins[0] == Some(true)),
            (Some(only), None) => only[0] == Some(true),
            _ => false,
        };
        Ok(wins.then_some(true))
    }

    /// How many moves each player has in the components.
    fn moves(&self, sum: &Sum) -> u32 {
        let parts = sum.parts.as_slice().iter();
        parts.map(|&part| self.rules.moves(part)).sum()
    }

    /// What is least is tried first.
    fn promise(&self, sum: &Sum) -> u32 {
        let parts = sum.parts.as_slice().iter();
        let sizes: u32 = parts.map(|&part| self.rules.size(part)).sum();
        2 * self.moves(sum) + sizes
    }

    /// Visits what Left's moves leave, turned round, until it breaks; whether it did.
    fn each_option(
        &mut self,
        sum: &Sum,
        visit: &mut dyn FnMut(&mut Self, Sum) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        let rules = self.rules;
        let parts = sum.parts.as_slice();
        let (turned, mut rest) = (self.forms.negative(sum.form), Vec::new());
        let found = |found: Result<bool, Stop>| match found {
            Ok(false) => ControlFlow::Continue(()),
            Ok(true) => ControlFlow::Break(Halt::Enough),
            Err(stop) => ControlFlow::Break(stop.into()),
        };
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
            if visit(self, Sum { form, parts })? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds a component to a form, if it is small, or to the other components, of which it may cancel one.
    fn add(&mut self, form: Form, rest: &mut Vec<Sides>, part: Sides) -> Result<Form, Stop> {
        if self.rules.size(part) <= self.answers.small {
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

    fn gathered(form: Form, rest: &mut [Sides]) -> Sum {
        let parts = match rest {
            [] => Parts::None,
            [part] => Parts::One(*part),
            _ => {
                rest.sort_unstable();
                Parts::Several((&*rest).into())
            }
        };
        Sum { form, parts }
    }

    /// The value of a small component, by those of its options, which are smaller.
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
    use crate::outcome::Play;
    use crate::position::Position;
    use crate::registry::construct;
    use crate::values::Valuation;

    use super::super::Search;

    /// A board of Clobber, where no letter is a square without a stone.
    fn board(rows: &[String]) -> Position {
        let rows = rows.iter().map(|row| Argument::Text(row.clone())).collect();
        construct("clobber", &[(None, Argument::List(rows))])
            .unwrap()
            .into()
    }

    /// A board full of stones, none beside one of its colour.
    fn full(rows: usize, columns: usize) -> Position {
        let stone = |row: usize| move |column: usize| ['x', 'o'][(row + column) % 2];
        let row = |row: usize| (0..columns).map(stone(row)).collect();
        board(&(0..rows).map(row).collect::<Vec<String>>())
    }

    /// The components of a position as words, and their room.
    fn parts(search: &mut Search<'_>, position: &Position) -> (u32, Vec<Sides>) {
        let mut ids = Vec::new();
        position.enter(&mut search.space, &mut ids);
        let packed = ids.iter().map(|&id| search.space.sides(id).unwrap());
        (0, packed.collect())
    }

    /// Who wins boards beside a form is what their canonical forms say, whatever has values in the search and whatever it forgets.
    #[test]
    fn searches_say_what_canonical_forms_say() {
        let limits = Limits::default();
        let mut random = fastrand::Rng::with_seed(3);
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
            let mut search = Search::new(&position, Play::Normal, Valuation::default(), &limits);
            let sum = search.sum(&position).unwrap();
            let mut ids = Vec::new();
            position.enter(&mut search.space, &mut ids);
            let (room, parts) = parts(&mut search, &position);
            search.budget = super::super::Budget::for_search(u64::MAX);
            let values = ids
                .iter()
                .map(|&id| search.form(id, true).unwrap().unwrap());
            let values: Vec<Form> = values.collect();
            drop(sum);
            let forms = &mut search.values.theory.forms;
            let value = forms.total(&values, &limits).unwrap();
            for text in beside {
                let form = grundy_forms::text::read(text, forms, &limits).unwrap();
                let all = forms.plus(value, form, &limits).unwrap();
                let right = !forms.at_most(all, Form::ZERO, &limits).unwrap();
                for small in [6, 2] {
                    let mut answers = Answers {
                        small,
                        ..Answers::default()
                    };
                    let mut run = Run {
                        rules: search.space.all_small(room).unwrap(),
                        forms,
                        limits: &limits,
                        answers: &mut answers,
                        room: u64::MAX,
                    };
                    let sum = run.sum(form, &parts).unwrap();
                    // It goes on where it left off.
                    let found = (0..1_000).find_map(|_| run.wins(&sum, 20).unwrap());
                    assert_eq!(found, Some(right), "{position} + {text}");
                    searched += answers.searched;
                }
            }
        }
        assert!(searched > 10_000, "{searched}");
    }

    /// What was forgotten is found again.
    #[test]
    fn forgetting_changes_no_answer() {
        let limits = Limits::default();
        for (rows, columns) in [(4, 4), (3, 6), (2, 9)] {
            let position = full(rows, columns);
            let mut search = Search::new(&position, Play::Normal, Valuation::default(), &limits);
            let (room, parts) = parts(&mut search, &position);
            let mut all = Vec::new();
            for bytes in [u64::MAX, 0] {
                let mut answers = Answers {
                    small: 2,
                    ..Answers::default()
                };
                let mut run = Run {
                    rules: search.space.all_small(room).unwrap(),
                    forms: &mut search.values.theory.forms,
                    limits: &limits,
                    answers: &mut answers,
                    room: bytes,
                };
                let sum = run.sum(Form::ZERO, &parts).unwrap();
                let wins = run.wins(&sum, u64::MAX).unwrap();
                all.push((wins, answers.table.slots.len(), answers.searched));
            }
            let [(wins, slots, _), (again, least, searched)] = all[..] else {
                unreachable!("there are two")
            };
            assert_eq!(wins, again);
            assert!(least == LEAST && least < slots, "{least} of {slots}");
            assert!(searched > 2 * LEAST as u64, "{searched}");
        }
    }
}
