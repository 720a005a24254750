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

use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

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
    fn possible(&self, key: u64) -> u64;

    /// The same for a component that has not been asked about, if it costs little; else all.
    fn at_sight(&self, key: u64) -> u64;

    /// The value of a component that is at least [`LARGE`], by the definition.
    fn by_mex(&mut self, key: u64) -> Result<u64, Stop>;

    /// Is told a value that was found.
    fn learned(&mut self, key: u64, value: u64);
}

/// Values from this on are not told apart in the set of those that are possible.
pub(super) const LARGE: u64 = u64::BITS as u64 - 1;

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
    /// With open addressing, at most two thirds full.
    classes: Vec<Class>,
    count: usize,
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
            order => (key ^ order).wrapping_mul(0xD1B5_4A32_D192_ED03 ^ order << 1) >> 40,
        }
    }

    fn tell(&self, key: u64, excluded: u64) {
        if let Some(board) = &self.board
            && key & NUMBERED == 0
        {
            board.tell(key, excluded);
        }
    }
}

/// What is used again for each list of options.
#[derive(Debug, Default)]
struct Listing {
    keys: Vec<u64>,
    /// Size, first key and number of keys of each option.
    options: Vec<(u64, u32, u32)>,
}

/// A component, and what is known of it.
#[derive(Clone, Copy, Debug)]
struct Class {
    key: u64,
    /// Bit k tells that the value may be k.
    possible: u64,
    /// Where its options stand.
    listed: u32,
    /// Steps that the dearest question about it took.
    cost: u32,
}

const FREE: Class = Class {
    key: 0,
    possible: 0,
    listed: UNLISTED,
    cost: 0,
};

const UNLISTED: u32 = u32::MAX;

/// The least table.
const LEAST: usize = 1 << 10;

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
            for class in self.classes.iter().filter(|class| class.key != 0) {
                self.company.tell(class.key, !class.possible);
            }
        }
        let class = &mut self.classes[place];
        if class.key & NUMBERED == 0 {
            class.possible &= !board.excluded(class.key);
        }
    }

    /// How many components had their options listed since this was asked last.
    pub(super) fn take_listed(&mut self) -> u64 {
        std::mem::take(&mut self.listed)
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let classes = self.classes.capacity() * size_of::<Class>();
        let numbers = self.numbers.capacity() * NUMBER_BYTES;
        (classes + numbers + 8 * self.options.capacity()) as u64
    }

    /// Where a component stands, or would stand.
    fn place(&self, key: u64) -> usize {
        let mask = self.classes.len() - 1;
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut place = (hash ^ hash >> 29) as usize >> 12 & mask;
        loop {
            let class = &self.classes[place];
            if class.key == key || class.key == 0 {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    /// Where a component stands; it is entered if it has not been met.
    fn enter(&mut self, key: u64, source: &mut dyn Falling) -> usize {
        if self.classes.is_empty() {
            self.resize(LEAST);
        }
        let place = self.place(key);
        if self.classes[place].key != 0 {
            return place;
        }
        self.entered += 1;
        self.insert(place, key, source.possible(key))
    }

    /// Enters a component that has not been met, which would stand at `place`, and says where it stands.
    fn insert(&mut self, mut place: usize, key: u64, possible: u64) -> usize {
        if 3 * (self.count + 1) > 2 * self.classes.len() {
            self.resize(2 * self.classes.len());
            place = self.place(key);
        }
        self.count += 1;
        self.classes[place] = Class {
            key,
            possible,
            ..FREE
        };
        place
    }

    /// The components that were met, each with the set of the values that it may have.
    pub(super) fn met(&self) -> impl Iterator<Item = (u64, u64)> {
        let met = self.classes.iter().filter(|class| class.key != 0);
        met.map(|class| (class.key, class.possible))
    }

    /// Takes on trust that a component has one of the values in a set, which are less than [`LARGE`].
    pub(super) fn recall(&mut self, key: u64, possible: u64) {
        if self.classes.is_empty() {
            self.resize(LEAST);
        }
        let place = self.place(key);
        if self.classes[place].key == 0 {
            self.insert(place, key, possible);
        } else {
            self.classes[place].possible &= possible;
        }
    }

    fn resize(&mut self, slots: usize) {
        let old = std::mem::replace(&mut self.classes, vec![FREE; slots]);
        for class in old.into_iter().filter(|class| class.key != 0) {
            let place = self.place(class.key);
            self.classes[place] = class;
        }
    }

    /// The value of a component, if it is known.
    fn known(&self, key: u64) -> Option<u64> {
        self.settled(key, self.classes[self.place(key)].possible)
    }

    fn settled(&self, key: u64, possible: u64) -> Option<u64> {
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
        let Class { key, possible, .. } = self.classes[place];
        if let Some(value) = self.settled(key, possible) {
            return Some(value == k);
        }
        (possible >> k.min(LARGE) & 1 == 0).then_some(false)
    }

    /// Notes that a component has not the value k; of large ones that is not kept.
    fn exclude(&mut self, place: usize, k: u64) {
        if k < LARGE {
            let class = &mut self.classes[place];
            class.possible &= !(1 << k);
            self.company.tell(class.key, 1 << k);
        }
    }

    fn learn(&mut self, place: usize, value: u64, source: &mut dyn Falling) {
        let class = &mut self.classes[place];
        class.possible = 1 << value.min(LARGE);
        let Class { key, possible, .. } = *class;
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
                    let place = self.place(query.key);
                    let cost = u32::try_from(self.steps - query.since).unwrap_or(u32::MAX);
                    let class = &mut self.classes[place];
                    class.cost = class.cost.max(cost);
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
        let Class { key, possible, .. } = self.classes[place];
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
        let Class { key, possible, .. } = self.classes[place];
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
        let key = self.classes[place].key;
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
        let mut smaller = self.classes[place].possible & ((1 << k) - 1);
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
        let known = self.numbers.get(&(key, k)).copied();
        known.unwrap_or_else(|| {
            let moves = source.moves(key);
            let other = self.company.rank(key) % (u64::from(moves) / 4 + 1);
            Numbers {
                yes: moves + other as u32,
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
        let mut open: Option<(u64, u64)> = None;
        let mut several = None;
        for &key in sum {
            let Class {
                key: met, possible, ..
            } = self.classes[self.place(key)];
            let possible = if met == 0 {
                source.at_sight(key)
            } else {
                possible
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
        let Class { key, listed, .. } = self.classes[place];
        if listed != UNLISTED {
            let start = listed as usize + 1;
            return Ok(Some((start, start + self.options[start - 1] as usize)));
        }
        self.listed += 1;
        if self.listed.is_multiple_of(32) {
            limits.poll()?;
        }
        let mut listing = std::mem::take(&mut self.listing);
        let Listing { keys, options } = &mut listing;
        keys.clear();
        options.clear();
        let (mut seen, mut taken) = (0u64, 0);
        let flow = source.options(key, &mut |sum| {
            let start = keys.len();
            keys.extend_from_slice(sum);
            keys[start..].sort_unstable();
            options.push((0, start as u32, sum.len() as u32));
            // There may be more options than can be listed.
            seen += 1;
            if seen.is_multiple_of(STEPS) {
                let bytes = size_of_val(&keys[..]) + size_of_val(&options[..]);
                unless(limits.poll().and_then(|()| limits.check(1, bytes as u64)))?;
            }
            let mut value = Some(0);
            for &key in sum {
                let possible = self.classes[self.place(key)].possible;
                let known = self.settled(key, possible);
                value = value.and_then(|sum| Some(sum ^ known?));
            }
            if let Some(value) = value.filter(|&value| value < LARGE) {
                // The component has another value; there is nothing else to be learned from this option.
                taken |= 1 << value;
                keys.truncate(start);
                options.pop();
            }
            if value == Some(k) {
                ControlFlow::Break(Halt::Enough)
            } else {
                ControlFlow::Continue(())
            }
        });
        let equal = ended(flow);
        self.classes[place].possible &= !taken;
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
        let Listing { keys, options } = listing;
        let keys_of = |&(_, start, length): &(u64, u32, u32)| {
            &keys[start as usize..(start + length) as usize]
        };
        for option in options.iter_mut() {
            let sizes = keys_of(option)
                .iter()
                .map(|&key| u64::from(source.size(key)).pow(2));
            option.0 = sizes.sum();
        }
        let rank = |option: &(u64, u32, u32)| {
            self.company
                .rank(keys_of(option).first().copied().unwrap_or(0))
        };
        options.sort_unstable_by(|a, b| {
            let sizes = a.0.cmp(&b.0).then_with(|| rank(a).cmp(&rank(b)));
            sizes.then_with(|| keys_of(a).cmp(keys_of(b)))
        });
        options.dedup_by(|a, b| a.0 == b.0 && keys_of(a) == keys_of(b));
        let listed = self.options.len();
        self.options.push(0);
        for option in options.iter() {
            self.options.push(option.2.into());
            self.options.extend_from_slice(keys_of(option));
        }
        let (start, end) = (listed + 1, self.options.len());
        self.options[listed] = (end - start) as u64;
        self.classes[place].listed = listed as u32;
        (start, end)
    }

    /// Forgets what can be worked out again, where what is held grows beyond the limit.
    fn make_room(&mut self, open: &mut [Query]) {
        let lists = (self.memory / 8 * 3).min(8 * u64::from(UNLISTED / 2));
        // The room for a list grows by doubling.
        if 8 * self.options.len() as u64 > lists / 2 {
            self.forget_options(open);
        }
        let numbers = self.numbers.capacity() * NUMBER_BYTES;
        if numbers as u64 > self.memory / 16 && self.numbers.len() == self.numbers.capacity() {
            self.numbers.clear();
        }
        // While the table is made larger, the smaller one is still there.
        let grown = 3 * self.classes.len() * size_of::<Class>();
        if 3 * (self.count + 2) > 2 * self.classes.len() && grown as u64 > self.memory / 2 {
            self.forget_classes(open);
        }
    }

    fn forget_options(&mut self, open: &mut [Query]) {
        self.options = Vec::new();
        for class in &mut self.classes {
            class.listed = UNLISTED;
        }
        for query in open {
            if let Ask::First { next, .. } = &mut query.ask {
                *next = 0;
            }
        }
    }

    /// Forgets the half of the components that cost least, those left out about which something is being asked.
    fn forget_classes(&mut self, open: &mut [Query]) {
        let mut costs: Vec<u32> = Vec::with_capacity(self.count);
        let met = self.classes.iter().filter(|class| class.key != 0);
        costs.extend(met.map(|class| class.cost));
        let middle = costs.len() / 2;
        let (_, &mut median, _) = costs.select_nth_unstable(middle);
        drop(costs);
        let asked: FxHashSet<u64> = open.iter().map(|query| query.key).collect();
        let mut equal = 0u32;
        for class in self.classes.iter_mut().filter(|class| class.key != 0) {
            // Of those that cost as much as the one in the middle every second one stays.
            equal += u32::from(class.cost == median);
            let cheap = class.cost < median || class.cost == median && equal.is_multiple_of(2);
            if cheap && !asked.contains(&class.key) {
                *class = FREE;
                self.count -= 1;
            }
        }
        self.resize(self.classes.len());
    }
}

/// About how many bytes a proof number takes in its table.
const NUMBER_BYTES: usize = size_of::<((u64, u64), Numbers)>() + 1;
