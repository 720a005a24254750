//! Values by asking who wins: g(G) is the only k for which G + *k is a P-position.
//!
//! To show that G + *k is N, one good move is enough; the mex over all options would look at every one of them. In games that
//! fall apart into components with small values this leaves out most positions. After J. Lemoine and S. Viennot, Nimbers are
//! inevitable, Theoretical Computer Science 462 (2012), 70-79: of the components of an option all but one are valued, and the
//! question is carried on with the last one and a Nim heap.
//!
//! What is learned of a component is the set of values that it may still have: one word, from which every later question
//! starts. Components with many moves are searched best first, by proof numbers (L. V. Allis, Searching for Solutions in
//! Games and Artificial Intelligence, 1994; A. Nagai, Df-pn algorithm for searching AND/OR trees, 2002), those with few depth
//! first. Only components that were asked about are kept; where memory ends, lists of options and proof numbers go first, then
//! the components that cost least to work out.

mod classes;

use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use self::classes::Classes;
use super::blackboard::Blackboard;
use crate::limits::{Flow, Halt, Limits, Stop, ended, unless};

/// Marks a key that means something to one solver alone.
pub(super) const NUMBERED: u64 = 1 << 63;

/// Components by keys, and what they fall into. No key is 0.
pub(super) trait Falling {
    /// Visits the options of a component, each as the keys of its components, until `visit` breaks.
    fn options(&mut self, key: u64, visit: &mut dyn FnMut(&[u64]) -> Flow) -> Flow;

    /// About how many moves there are in a component.
    fn moves(&self, key: u64) -> u32;

    /// A measure of a component by which options are put in order.
    fn size(&self, key: u64) -> u32;

    /// The values that a component may have, before anything is asked: bit k for k, bit [`LARGE`] for all from there on.
    fn possible(&self, key: u64) -> u32;

    /// The same for a component that has not been asked about, if it costs little; else all.
    fn at_sight(&self, key: u64) -> u32;

    /// The value of a component that is at least [`LARGE`], by the definition.
    fn by_mex(&mut self, key: u64) -> Result<u64, Stop>;

    /// Is told a value that was found.
    fn learned(&mut self, key: u64, value: u64);
}

/// Values from this on are not told apart in the set of those that are possible.
pub(super) const LARGE: u64 = u32::BITS as u64 - 1;

/// Components with at least so many moves are searched best first; where the question is about a small one, those with half
/// its moves.
const MANY: u32 = 26;

/// How much dearer than the second best a question may become, in parts of that, before the other is looked at.
const PATIENCE: u32 = 8;

/// Steps between two looks at the clock.
const STEPS: u64 = 1024;

/// What is known of components, and what it takes to ask on.
#[derive(Debug, Default)]
pub(super) struct Nimbers {
    classes: Classes,
    /// Options, class after class: how many words follow, then for each option its number of components and these.
    options: Vec<u64>,
    /// Proof numbers of questions: what it takes to show that the value is k, and that it is not.
    numbers: FxHashMap<(u64, u64), Numbers>,
    /// Values from [`LARGE`] on.
    large: FxHashMap<u64, u64>,
    listing: Listing,
    steps: u64,
    /// Components that were entered, those forgotten meanwhile among them.
    entered: u64,
    /// Components whose options were listed.
    listed: u64,
    /// Bytes that may be held.
    memory: u64,
    /// From how many moves on components are searched best first.
    many: u32,
    company: Company,
}

/// Those that look at the same components at the same time.
#[derive(Debug, Default)]
struct Company {
    /// What they tell one another.
    board: Option<Arc<Blackboard>>,
    /// Whether what was known when they came has been told.
    told: bool,
    /// What looks equally good is looked at in another order by each.
    order: u64,
}

impl Company {
    /// Where a component comes among those that look equally good.
    fn rank(&self, key: u64) -> u64 {
        match self.order {
            0 => 0,
            order => {
                let mixed = (key ^ order).wrapping_mul(0xD1B5_4A32_D192_ED03 ^ order << 1);
                mixed >> (u64::BITS - RANK_BITS)
            }
        }
    }

    /// How much dearer a component with so many moves is held to be, so that each looks at others first.
    fn shift(&self, key: u64, moves: u32) -> u32 {
        match self.order {
            0 => 0,
            _ => (self.rank(key) % (u64::from(moves) / 4 + 1)) as u32,
        }
    }

    fn tell(&self, key: u64, excluded: u32) {
        if let Some(board) = &self.board
            && key & NUMBERED == 0
        {
            board.tell(key, excluded.into());
        }
    }
}

/// What is used again for each list of options.
#[derive(Debug, Default)]
struct Listing {
    keys: Vec<u64>,
    options: Vec<Listed>,
    /// So many of them were looked up, and have no value.
    weeded: usize,
}

/// The length of what tells those of one size apart.
const RANK_BITS: u32 = 24;

/// An option that is listed: where its keys stand, and how many there are.
#[derive(Clone, Copy, Debug)]
struct Listed {
    /// By which it is put in order: its size, and whichever comes first among those of one size.
    rank: u64,
    start: u32,
    length: u32,
}

impl Listed {
    fn of<'a>(&self, keys: &'a [u64]) -> &'a [u64] {
        &keys[self.start as usize..][..self.length as usize]
    }
}

/// So many options are looked up at once where the table is far away: they wait for memory together. One by one fewer are listed in vain.
const AT_ONCE: u64 = 4;

/// Bytes of a table that is near.
const NEAR: usize = 16 << 20;

impl Listing {
    fn clear(&mut self) {
        self.keys.clear();
        self.options.clear();
        self.weeded = 0;
    }

    fn bytes(&self) -> u64 {
        (size_of_val(&self.keys[..]) + size_of_val(&self.options[..])) as u64
    }

    /// Appends an option, its components in the order of their keys.
    fn push(&mut self, sum: &[u64]) {
        let start = self.keys.len();
        self.keys.extend_from_slice(sum);
        self.keys[start..].sort_unstable();
        self.options.push(Listed {
            rank: 0,
            start: start as u32,
            length: sum.len() as u32,
        });
    }

    /// Takes out the options among the last ones that have a value, and gives the set of these: the component has another value, and
    /// there is nothing else to be learned from them.
    fn weed(&mut self, classes: &Classes) -> u32 {
        let from = self.options.get(self.weeded);
        classes.fetch(&self.keys[from.map_or(0, |option| option.start as usize)..]);
        let (mut left, mut taken) = (self.weeded, 0);
        for at in self.weeded..self.options.len() {
            let option = self.options[at];
            let mut keys = option.of(&self.keys).iter();
            let value = keys.try_fold(0, |sum, &key| Some(sum ^ classes.value(key)?));
            if let Some(value) = value.filter(|&value| value < LARGE) {
                taken |= 1 << value;
            } else {
                self.options[left] = option;
                left += 1;
            }
        }
        self.options.truncate(left);
        self.weeded = left;
        taken
    }
}

/// What it takes to show that a value is k, and that it is not.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    yes: u32,
    no: u32,
}

/// A question that is being answered.
#[derive(Clone, Copy, Debug)]
struct Query {
    key: u64,
    ask: Ask,
    /// The step in which it was asked.
    since: u64,
}

#[derive(Clone, Copy, Debug)]
enum Ask {
    /// What is the value?
    Value,
    /// Is the value k? `next` is where the next option to look at stands.
    First { k: u64, next: usize },
    /// The same, until one of the numbers reaches its limit.
    Best { k: u64, limits: Numbers },
}

/// What an option says about k.
enum Look {
    /// Its value is k: the component's is not.
    Equal,
    /// Its value is this, which is not k.
    Settled(u64),
    /// Its value is not known, and not k.
    Other,
    /// It is k if the value of this component is that.
    One(u64, u64),
    /// Two or more components have no value; the one with the least moves, and the moves of all.
    Several(u64, u32),
}

/// What comes of a step.
enum Step {
    /// The question is answered, or has become too dear.
    Done,
    /// This has to be asked first.
    Ask(u64, Ask),
}

impl Nimbers {
    /// The value of a component.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(super) fn value(
        &mut self,
        key: u64,
        source: &mut dyn Falling,
        limits: &Limits<'_>,
    ) -> Result<u64, Stop> {
        self.set_out(&[key], source);
        self.answer(key, Ask::Value, source, limits)?;
        self.known(key).ok_or(Stop::Cyclic)
    }

    /// Whether a sum of components has the value `k`, which may be known long before the value is.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(super) fn has_value(
        &mut self,
        sum: &[u64],
        k: u64,
        source: &mut dyn Falling,
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        self.set_out(sum, source);
        loop {
            match self.look(sum, k, source) {
                Look::Equal => return Ok(true),
                Look::Settled(_) | Look::Other => return Ok(false),
                Look::One(key, k) => {
                    let ask = self.is(key, k, source);
                    self.answer(key, ask, source, limits)?;
                }
                Look::Several(key, _) => self.answer(key, Ask::Value, source, limits)?,
            }
        }
    }

    /// Enters the components that are asked about.
    fn set_out(&mut self, sum: &[u64], source: &mut dyn Falling) {
        let mut most = 0;
        for &key in sum {
            self.enter(key, source);
            most = most.max(source.moves(key));
        }
        self.many = (most / 2).clamp(MANY / 2, MANY);
    }

    /// Looks at components in this order, 0 being its own, and shares what it finds out of them.
    pub(super) fn join(&mut self, board: Option<Arc<Blackboard>>, order: u64) {
        let same = match (&board, &self.company.board) {
            (Some(new), Some(old)) => Arc::ptr_eq(new, old),
            (new, old) => new.is_none() && old.is_none(),
        };
        if !same {
            self.company = Company {
                board,
                told: false,
                order,
            };
        }
    }

    /// Takes over what others have found out of the component at a place.
    fn hear(&mut self, place: usize) {
        let Some(board) = &self.company.board else {
            return;
        };
        if !board.is_open() {
            return;
        }
        if !self.company.told {
            self.company.told = true;
            for (key, possible) in self.classes.met() {
                self.company.tell(key, !possible);
            }
        }
        let key = self.classes.key(place);
        if key & NUMBERED == 0 {
            self.classes.restrict(place, !(board.excluded(key) as u32));
        }
    }

    /// How many components had their options listed since this was asked last.
    pub(super) fn take_listed(&mut self) -> u64 {
        std::mem::take(&mut self.listed)
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let numbers = self.numbers.capacity() * NUMBER_BYTES;
        (self.classes.bytes() + numbers + 8 * self.options.capacity()) as u64
    }

    /// Where a component stands; it is entered if it has not been met.
    fn enter(&mut self, key: u64, source: &mut dyn Falling) -> usize {
        let entered = &mut self.entered;
        self.classes.enter(key, || {
            *entered += 1;
            source.possible(key)
        })
    }

    /// The components that were met, each with the set of the values that it may have.
    pub(super) fn met(&self) -> impl Iterator<Item = (u64, u32)> {
        self.classes.met()
    }

    /// Takes on trust that a component has one of the values in a set, which are less than [`LARGE`].
    pub(super) fn recall(&mut self, key: u64, possible: u32) {
        let place = self.classes.enter(key, || possible);
        self.classes.restrict(place, possible);
    }

    /// The value of a component, if it is known.
    fn known(&self, key: u64) -> Option<u64> {
        self.settled(key, self.classes.possible(self.classes.place(key)))
    }

    fn settled(&self, key: u64, possible: u32) -> Option<u64> {
        if !possible.is_power_of_two() {
            return None;
        }
        match u64::from(possible.trailing_zeros()) {
            LARGE => self.large.get(&key).copied(),
            value => Some(value),
        }
    }

    /// Whether a component, entered at `place`, has the value k, if that is known.
    fn says(&self, place: usize, k: u64) -> Option<bool> {
        let possible = self.classes.possible(place);
        if let Some(value) = self.settled(self.classes.key(place), possible) {
            return Some(value == k);
        }
        (possible >> k.min(LARGE) & 1 == 0).then_some(false)
    }

    /// Notes that a component has not the value k; of large ones that is not kept.
    fn exclude(&mut self, place: usize, k: u64) {
        if k < LARGE {
            self.classes.restrict(place, !(1 << k));
            self.company.tell(self.classes.key(place), 1 << k);
        }
    }

    fn learn(&mut self, place: usize, value: u64, source: &mut dyn Falling) {
        let (key, possible) = (self.classes.key(place), 1 << value.min(LARGE));
        self.classes.settle(place, possible);
        self.company.tell(key, !possible);
        if value >= LARGE {
            self.large.insert(key, value);
        }
        source.learned(key, value);
    }

    /// The question whether the value of a component is k.
    fn is(&self, key: u64, k: u64, source: &dyn Falling) -> Ask {
        let all = u32::MAX;
        if source.moves(key) >= self.many {
            Ask::Best {
                k,
                limits: Numbers { yes: all, no: all },
            }
        } else {
            Ask::First { k, next: 0 }
        }
    }

    /// Works until a question has its answer.
    fn answer(
        &mut self,
        key: u64,
        ask: Ask,
        source: &mut dyn Falling,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        self.memory = limits.memory;
        limits.poll()?;
        let (since, met) = (self.steps, self.entered);
        let mut open = vec![Query { key, ask, since }];
        while let Some(query) = open.last_mut() {
            self.steps += 1;
            if self.steps.is_multiple_of(STEPS) {
                limits.count(STEPS);
                limits.poll()?;
                limits.check(self.entered - met, 0)?;
            }
            let place = self.enter(query.key, source);
            self.hear(place);
            let step = match query.ask {
                Ask::Value => self.ask_value(place, source)?,
                Ask::First { k, .. } | Ask::Best { k, .. } if self.says(place, k).is_some() => {
                    Step::Done
                }
                Ask::First { k, .. } | Ask::Best { k, .. } if k >= LARGE => {
                    let value = source.by_mex(query.key)?;
                    self.learn(place, value, source);
                    Step::Done
                }
                Ask::First { k, ref mut next } => self.first(place, k, next, source, limits)?,
                Ask::Best { k, limits: bounds } => self.best(place, k, bounds, source, limits)?,
            };
            match step {
                Step::Ask(key, ask) => {
                    let since = self.steps;
                    open.push(Query { key, ask, since });
                }
                Step::Done => {
                    let place = self.classes.place(query.key);
                    self.classes.took(place, self.steps - query.since);
                    open.pop();
                }
            }
            if !open.is_empty() {
                self.make_room(&mut open);
            }
        }
        Ok(())
    }

    fn ask_value(&mut self, place: usize, source: &mut dyn Falling) -> Result<Step, Stop> {
        let (key, possible) = (self.classes.key(place), self.classes.possible(place));
        if self.settled(key, possible).is_some() {
            return Ok(Step::Done);
        }
        match u64::from(possible.trailing_zeros()) {
            LARGE => {
                let value = source.by_mex(key)?;
                self.learn(place, value, source);
                Ok(Step::Done)
            }
            k => Ok(Step::Ask(key, self.is(key, k, source))),
        }
    }

    /// Depth first: looks at the options one after the other, from `next` on.
    fn first(
        &mut self,
        place: usize,
        k: u64,
        next: &mut usize,
        source: &mut dyn Falling,
        limits: &Limits<'_>,
    ) -> Result<Step, Stop> {
        let Some((start, end)) = self.listed(place, k, source, limits)? else {
            return Ok(Step::Done);
        };
        let mut at = start;
        if *next == 0 {
            self.classes.fetch(&self.options[start..end]);
            // An option known to have the value k settles the question.
            while at < end {
                if let Look::Equal = self.look_at(at, k, source) {
                    self.exclude(place, k);
                    return Ok(Step::Done);
                }
                at += 1 + self.options[at] as usize;
            }
            at = start;
        }
        at = at.max(*next);
        while at < end {
            let ask = match self.look_at(at, k, source) {
                Look::Equal => {
                    self.exclude(place, k);
                    return Ok(Step::Done);
                }
                Look::Settled(value) => {
                    self.exclude(place, value);
                    at += 1 + self.options[at] as usize;
                    continue;
                }
                Look::Other => {
                    at += 1 + self.options[at] as usize;
                    continue;
                }
                Look::One(key, k) => Step::Ask(key, self.is(key, k, source)),
                Look::Several(key, _) => Step::Ask(key, Ask::Value),
            };
            *next = at;
            return Ok(ask);
        }
        // No option has the value k: it is k, unless it is less.
        *next = at;
        let (key, possible) = (self.classes.key(place), self.classes.possible(place));
        let smaller = possible & ((1 << k) - 1);
        if smaller != 0 {
            let smaller = u64::from(smaller.trailing_zeros());
            return Ok(Step::Ask(key, self.is(key, smaller, source)));
        }
        self.learn(place, k, source);
        Ok(Step::Done)
    }

    /// Best first: asks what takes least, until the numbers of the question itself reach its limits.
    ///
    /// The value is k if no option has the value k, and no smaller value is that of the component.
    fn best(
        &mut self,
        place: usize,
        k: u64,
        bounds: Numbers,
        source: &mut dyn Falling,
        limits: &Limits<'_>,
    ) -> Result<Step, Stop> {
        let Some((start, end)) = self.listed(place, k, source, limits)? else {
            return Ok(Step::Done);
        };
        let key = self.classes.key(place);
        let (mut refuted, mut least, mut second) = (0u32, u32::MAX, u32::MAX);
        // What takes least, and what it takes to refute that.
        let mut chosen: Option<(Step, u32)> = None;
        let mut weigh = |asked: Numbers, step: Step| {
            refuted = refuted.saturating_add(asked.no);
            if asked.yes < least || chosen.is_none() {
                (second, least) = (least, asked.yes);
                chosen = Some((step, asked.no));
            } else {
                second = second.min(asked.yes);
            }
        };
        let unlimited = |k| Ask::Best {
            k,
            limits: Numbers { yes: 0, no: 0 },
        };
        self.classes.fetch(&self.options[start..end]);
        let mut at = start;
        while at < end {
            match self.look_at(at, k, source) {
                Look::Equal => {
                    self.exclude(place, k);
                    return Ok(Step::Done);
                }
                Look::Settled(value) => self.exclude(place, value),
                Look::Other => {}
                Look::One(key, k) => {
                    let numbers = self.numbers(key, k, source);
                    weigh(numbers, Step::Ask(key, unlimited(k)));
                }
                Look::Several(key, yes) => {
                    weigh(Numbers { yes, no: 1 }, Step::Ask(key, Ask::Value));
                }
            }
            at += 1 + self.options[at] as usize;
        }
        let mut smaller = self.classes.possible(place) & ((1 << k) - 1);
        while smaller != 0 {
            let k = u64::from(smaller.trailing_zeros());
            smaller &= smaller - 1;
            let numbers = self.numbers(key, k, source);
            weigh(numbers, Step::Ask(key, unlimited(k)));
        }
        let Some((step, no)) = chosen else {
            self.learn(place, k, source);
            return Ok(Step::Done);
        };
        if refuted >= bounds.yes || least >= bounds.no {
            let numbers = Numbers {
                yes: refuted,
                no: least,
            };
            self.numbers.insert((key, k), numbers);
            return Ok(Step::Done);
        }
        Ok(match step {
            Step::Ask(key, Ask::Best { k, .. }) if source.moves(key) >= self.many => {
                let patience = second.saturating_add(second / PATIENCE + 1);
                let limits = Numbers {
                    yes: bounds.no.min(patience),
                    no: bounds.yes - (refuted - no),
                };
                Step::Ask(key, Ask::Best { k, limits })
            }
            Step::Ask(key, Ask::Best { k, .. }) => Step::Ask(key, Ask::First { k, next: 0 }),
            step => step,
        })
    }

    /// What it takes to answer whether the value of a component is k: the more moves it has, the more there is to refute.
    fn numbers(&self, key: u64, k: u64, source: &dyn Falling) -> Numbers {
        // Of what was not met there are none.
        let met = self.classes.key(self.classes.place(key)) != 0;
        let known = met.then(|| self.numbers.get(&(key, k)).copied()).flatten();
        known.unwrap_or_else(|| {
            let moves = source.moves(key);
            Numbers {
                yes: moves + self.company.shift(key, moves),
                no: 1,
            }
        })
    }

    /// What the option that stands at `at` says about k.
    fn look_at(&self, at: usize, k: u64, source: &dyn Falling) -> Look {
        let length = self.options[at] as usize;
        self.look(&self.options[at + 1..=at + length], k, source)
    }

    /// What a sum says about k.
    fn look(&self, sum: &[u64], k: u64, source: &dyn Falling) -> Look {
        let mut settled = 0;
        let mut open: Option<(u64, u32)> = None;
        let mut several = None;
        for &key in sum {
            let place = self.classes.place(key);
            let possible = match self.classes.key(place) {
                0 => source.at_sight(key),
                _ => self.classes.possible(place),
            };
            if let Some(value) = self.settled(key, possible) {
                settled ^= value;
                continue;
            }
            let Some((first, _)) = open else {
                open = Some((key, possible));
                continue;
            };
            let moves = source.moves(key);
            let (least, fewest, all) = several.unwrap_or_else(|| {
                let moves = source.moves(first);
                (first, moves, moves)
            });
            let all = all + moves;
            several = Some(if moves < fewest {
                (key, moves, all)
            } else {
                (least, fewest, all)
            });
        }
        match (several, open) {
            (Some((key, _, moves)), _) => Look::Several(key, moves),
            (None, None) if settled == k => Look::Equal,
            (None, None) => Look::Settled(settled),
            (None, Some((key, possible))) => {
                // With what is settled it would make k.
                let rest = k ^ settled;
                if possible >> rest.min(LARGE) & 1 == 0 {
                    Look::Other
                } else {
                    Look::One(key, rest)
                }
            }
        }
    }

    /// Where the options of a component begin and end, listed and put in order where they are not; nothing where it
    /// was seen meanwhile whether the value is k. An option whose value is known by then is not kept: it leaves its mark on the component.
    fn listed(
        &mut self,
        place: usize,
        k: u64,
        source: &mut dyn Falling,
        limits: &Limits<'_>,
    ) -> Result<Option<(usize, usize)>, Stop> {
        if let Some(listed) = self.classes.listed(place) {
            let start = listed + 1;
            return Ok(Some((start, start + self.options[listed] as usize)));
        }
        let key = self.classes.key(place);
        self.listed += 1;
        if self.listed.is_multiple_of(32) {
            limits.poll()?;
        }
        let mut listing = std::mem::take(&mut self.listing);
        listing.clear();
        let classes = &self.classes;
        let at_once = if classes.bytes() > NEAR { AT_ONCE } else { 1 };
        let (mut seen, mut taken) = (0u64, 0u32);
        let flow = source.options(key, &mut |sum| {
            listing.push(sum);
            // There may be more options than can be listed.
            seen += 1;
            if seen.is_multiple_of(STEPS) {
                unless(
                    limits
                        .poll()
                        .and_then(|()| limits.check(1, listing.bytes())),
                )?;
            }
            if seen.is_multiple_of(at_once) {
                taken |= listing.weed(classes);
            }
            if taken >> k & 1 == 1 {
                ControlFlow::Break(Halt::Enough)
            } else {
                ControlFlow::Continue(())
            }
        });
        let equal = ended(flow).map(|_| {
            taken |= listing.weed(classes);
            taken >> k & 1 == 1
        });
        self.classes.restrict(place, !taken);
        let range = match equal {
            Ok(false) => {
                let range = self.put_in_order(place, &mut listing, source);
                self.says(place, k).is_none().then_some(range)
            }
            Ok(true) => {
                self.exclude(place, k);
                None
            }
            Err(stop) => {
                self.listing = listing;
                return Err(stop);
            }
        };
        self.listing = listing;
        Ok(range)
    }

    /// Keeps the options of a component, small ones first, equal ones once.
    fn put_in_order(
        &mut self,
        place: usize,
        listing: &mut Listing,
        source: &dyn Falling,
    ) -> (usize, usize) {
        let Listing { keys, options, .. } = listing;
        for option in options.iter_mut() {
            let sum = option.of(keys);
            let sizes = sum.iter().map(|&key| u64::from(source.size(key)).pow(2));
            let first = sum.first().map_or(0, |&key| self.company.rank(key));
            let size = sizes.sum::<u64>().min(u64::MAX >> RANK_BITS);
            option.rank = size << RANK_BITS | first;
        }
        options.sort_unstable_by(|a, b| {
            let ranks = a.rank.cmp(&b.rank);
            ranks.then_with(|| a.of(keys).cmp(b.of(keys)))
        });
        options.dedup_by(|a, b| a.rank == b.rank && a.of(keys) == b.of(keys));
        let listed = self.options.len();
        self.options.push(0);
        for option in options.iter() {
            self.options.push(option.length.into());
            self.options.extend_from_slice(option.of(keys));
        }
        let (start, end) = (listed + 1, self.options.len());
        self.options[listed] = (end - start) as u64;
        self.classes.list(place, listed);
        (start, end)
    }

    /// Forgets what can be worked out again, where what is held grows beyond the limit.
    fn make_room(&mut self, open: &mut [Query]) {
        let lists = (self.memory / 8 * 3).min(8 * (Classes::REACH / 2));
        // The room for a list grows by doubling.
        if 8 * self.options.len() as u64 > lists / 2 {
            self.forget_options(open);
        }
        let numbers = self.numbers.capacity() * NUMBER_BYTES;
        if numbers as u64 > self.memory / 16 && self.numbers.len() == self.numbers.capacity() {
            self.numbers.clear();
        }
        if (self.classes.growing()).is_some_and(|bytes| bytes as u64 > self.memory / 2) {
            let asked = open.iter().map(|query| query.key).collect();
            self.classes.forget_cheap(&asked);
        }
    }

    fn forget_options(&mut self, open: &mut [Query]) {
        self.options = Vec::new();
        self.classes.unlist();
        for query in open {
            if let Ask::First { next, .. } = &mut query.ask {
                *next = 0;
            }
        }
    }
}

/// About how many bytes a proof number takes in its table.
const NUMBER_BYTES: usize = size_of::<((u64, u64), Numbers)>() + 1;
