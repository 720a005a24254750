//! Values by asking who wins: g(G) is the only k for which G + *k is a P-position.
//!
//! To show that G + *k is N, one good move is enough; the mex over all options would look at every
//! one of them. In games that fall apart into components with small values this leaves out most
//! positions. After J. Lemoine and S. Viennot, Nimbers are inevitable, Theoretical Computer Science
//! 462 (2012), 70-79: of the components of an option all but one are valued, and the question is
//! carried on with the last one and a Nim heap.
//!
//! What is learned of a component is the set of values that it may still have: one word, from which
//! every later question starts. Components with many moves are searched best first (`best_first`),
//! those with few depth first. Only components that were asked about are kept; where memory ends,
//! lists of options and proof numbers go first, then the components that cost least to work out.

mod best_first;
mod lists;

use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use self::lists::{Listing, Lists, Numbers, RANK_BITS};
use super::blackboard::Blackboard;
use crate::answers::nimbers::{LARGE, NimberTable};
use crate::packed::MoveKind;
use crate::store::NUMBERED;
use grundy_base::limits::{Flow, Halt, Limits, Stop, ended, unless};

/// Components by keys, and what they fall into. No key is 0.
pub(in crate::values) trait Falling {
    /// Visits the options of a component that moves of a kind lead to, each as the keys of its
    /// components, until `visit` breaks.
    fn options(&mut self, key: u64, moves: MoveKind, visit: &mut dyn FnMut(&[u64]) -> Flow)
    -> Flow;

    /// About how many moves there are in a component.
    fn moves(&self, key: u64) -> u32;

    /// How many moves leave a component whole for sure.
    fn whole(&self, key: u64) -> u32;

    /// Returns a measure of a component by which options are put in order.
    fn size(&self, key: u64) -> u32;

    /// Returns the values that a component may have, before anything is asked: bit k for k, bit
    /// [`LARGE`] for all from there on.
    fn possible(&self, key: u64) -> u32;

    /// Returns the same for a component that has not been asked about, if it costs little; else
    /// all.
    fn at_sight(&self, key: u64) -> u32;

    /// Returns the value of a component that is at least [`LARGE`], by the definition.
    fn by_mex(&mut self, key: u64) -> Result<u64, Stop>;

    /// Is told a value that was found.
    fn learned(&mut self, key: u64, value: u64);
}

/// Components with at least so many moves are searched best first; where the question is about a
/// small one, those with half its moves.
const MANY: u32 = 30;

/// Steps between two looks at the clock.
const STEPS: u64 = 1024;

/// What is known of components, and what it takes to ask on.
#[derive(Debug, Default)]
pub(in crate::values) struct Nimbers {
    /// The components that were met. The table is part of the store of answers between questions.
    classes: NimberTable,
    lists: Lists,
    /// `true` if lists were forgotten.
    forgot: bool,
    /// Proof numbers of questions that are not noted at a list.
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
    sharing: Sharing,
}

/// Those that look at the same components at the same time.
#[derive(Debug, Default)]
struct Sharing {
    /// What they tell one another.
    board: Option<Arc<Blackboard>>,
    /// `true` if what was known when they came has been told.
    told: bool,
    /// What looks equally good is looked at in another order by each.
    order: u64,
}

impl Sharing {
    /// Where a sum comes among those that look equally good; equal ones come together.
    fn rank(&self, sum: &[u64]) -> u64 {
        let order = self.order;
        let mixed = sum.iter().fold(order, |mixed, &key| {
            (mixed ^ key).wrapping_mul(0xD1B5_4A32_D192_ED03 ^ order << 1)
        });
        mixed >> (u64::BITS - RANK_BITS)
    }

    /// How much dearer a component with so many moves is held to be, so that each looks at others
    /// first.
    fn shift(&self, key: u64, moves: u32) -> u32 {
        match self.order {
            0 => 0,
            _ => (self.rank(&[key]) % (u64::from(moves) / 4 + 1)) as u32,
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
    /// It is k if the value of this component, which stands or would stand there, is that.
    One { key: u64, place: usize, k: u64 },
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
    /// Returns the value of a component.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(in crate::values) fn value(
        &mut self,
        key: u64,
        source: &mut dyn Falling,
        limits: &Limits<'_>,
    ) -> Result<u64, Stop> {
        self.set_out(&[key], source);
        self.answer(key, Ask::Value, source, limits)?;
        self.known(key).ok_or(Stop::Cyclic)
    }

    /// Returns whether a sum of components has the value `k`, which may be known long before the
    /// value is.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(in crate::values) fn has_value(
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
                Look::One { key, k, .. } => {
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
    pub(in crate::values) fn join(&mut self, board: Option<Arc<Blackboard>>, order: u64) {
        let same = match (&board, &self.sharing.board) {
            (Some(new), Some(old)) => Arc::ptr_eq(new, old),
            (new, old) => new.is_none() && old.is_none(),
        };
        if !same {
            self.sharing = Sharing {
                board,
                told: false,
                order,
            };
        }
    }

    /// Takes over what others have found out of the component at a place.
    fn hear(&mut self, place: usize) {
        let Some(board) = &self.sharing.board else {
            return;
        };
        if !board.is_open() {
            return;
        }
        if !self.sharing.told {
            self.sharing.told = true;
            for (key, possible) in self.classes.met() {
                self.sharing.tell(key, !possible);
            }
        }
        let key = self.classes.key(place);
        if key & NUMBERED == 0 {
            self.classes.restrict(place, !(board.excluded(key) as u32));
        }
    }

    /// How many components had their options listed since this was asked last.
    pub(in crate::values) fn take_listed(&mut self) -> u64 {
        std::mem::take(&mut self.listed)
    }

    /// Bytes held.
    pub(in crate::values) fn bytes(&self) -> u64 {
        let numbers = self.numbers.capacity() * NUMBER_BYTES;
        (self.classes.bytes() + numbers + self.lists.bytes()) as u64
    }

    /// Where a component stands; it is entered if it has not been met.
    fn enter(&mut self, key: u64, source: &mut dyn Falling) -> usize {
        let entered = &mut self.entered;
        self.classes.enter(key, || {
            *entered += 1;
            source.possible(key)
        })
    }

    /// Exchanges the table of components.
    pub(in crate::values) fn swap_table(&mut self, table: &mut NimberTable) {
        std::mem::swap(&mut self.classes, table);
    }

    /// Forgets the lists of options, where the table has forgotten components.
    pub(in crate::values) fn forget_lists(&mut self) {
        self.lists = Lists::default();
        self.forgot = true;
    }

    /// Returns the value of a component, if it is known.
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

    /// Returns whether a component, entered at `place`, has the value k, if that is known.
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
            self.sharing.tell(self.classes.key(place), 1 << k);
        }
    }

    fn learn(&mut self, place: usize, value: u64, source: &mut dyn Falling) {
        let (key, possible) = (self.classes.key(place), 1 << value.min(LARGE));
        self.classes.settle(place, possible);
        self.sharing.tell(key, !possible);
        if value >= LARGE {
            self.large.insert(key, value);
        }
        source.learned(key, value);
    }

    /// Returns the question whether the value of a component is k.
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
                    let query = *query;
                    open.pop();
                    // What was answered at once counts as no cost.
                    let steps = self.steps - query.since;
                    if steps > 1 {
                        self.classes.took(place, steps);
                    }
                    // Whoever asks about a smaller value has the same list.
                    if !matches!(query.ask, Ask::Best { .. })
                        && open.last().is_none_or(|asking| asking.key != query.key)
                    {
                        self.leave(place);
                    }
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
        let Some((list, known)) = self.listed(place, k, true, source, limits)? else {
            return Ok(Step::Done);
        };
        let (start, end) = self.lists.range(list);
        let mut at = start;
        if *next == 0 && known {
            self.classes.fetch(self.lists.words(start, end));
            // An option known to have the value k settles the question.
            while at < end {
                if let Look::Equal = self.look(self.lists.option(at), k, source) {
                    self.exclude(place, k);
                    return Ok(Step::Done);
                }
                at = self.lists.after(at);
            }
            at = start;
        }
        at = at.max(*next);
        while at < end {
            let ask = match self.look(self.lists.option(at), k, source) {
                Look::Equal => {
                    self.exclude(place, k);
                    return Ok(Step::Done);
                }
                Look::Settled(value) => {
                    self.exclude(place, value);
                    at = self.lists.after(at);
                    continue;
                }
                Look::Other => {
                    at = self.lists.after(at);
                    continue;
                }
                Look::One { key, k, .. } => Step::Ask(key, self.is(key, k, source)),
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

    /// What a sum says about k.
    fn look(&self, sum: &[u64], k: u64, source: &dyn Falling) -> Look {
        let mut settled = 0;
        let mut open: Option<(u64, usize, u32)> = None;
        let mut several = None;
        for &key in sum {
            let place = self.classes.place(key);
            let possible = if self.classes.is_met(place) {
                self.classes.possible(place)
            } else {
                source.at_sight(key)
            };
            if let Some(value) = self.settled(key, possible) {
                settled ^= value;
                continue;
            }
            let Some((first, ..)) = open else {
                open = Some((key, place, possible));
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
            (None, Some((key, place, possible))) => {
                // With what is settled it would make k.
                let k = k ^ settled;
                if possible >> k.min(LARGE) & 1 == 0 {
                    Look::Other
                } else {
                    Look::One { key, place, k }
                }
            }
        }
    }

    /// Returns the list of the options of a component, and whether it was there: else they are
    /// listed and put in order; nothing where it was seen meanwhile whether the value is k. An
    /// option whose value is known by then is not kept: it leaves its mark on the component.
    ///
    /// Unless `all` moves are wanted, those that leave the component whole stay unlisted: they
    /// hardly ever lead to what is known already, and most components that are looked at best first
    /// are looked at once.
    fn listed(
        &mut self,
        place: usize,
        k: u64,
        all: bool,
        source: &mut dyn Falling,
        limits: &Limits<'_>,
    ) -> Result<Option<(usize, bool)>, Stop> {
        let there = self.classes.listed(place);
        let shorter = there.filter(|&list| all && self.lists.unlisted(list) > 0);
        if let Some(list) = there
            && shorter.is_none()
        {
            return Ok(Some((list, true)));
        }
        let key = self.classes.key(place);
        let mut listing = std::mem::take(&mut self.listing);
        listing.clear();
        let kinds: &[MoveKind] = if let Some(list) = shorter {
            self.lists.copy(list, &mut listing);
            &[MoveKind::Whole]
        } else {
            self.listed += 1;
            if all {
                &[MoveKind::Parting, MoveKind::Whole]
            } else {
                &[MoveKind::Parting]
            }
        };
        let taken = self.list_moves(key, k, kinds, &mut listing, source, limits);
        let list = taken.map(|taken| {
            self.classes.restrict(place, !taken);
            if taken >> k & 1 == 1 {
                self.exclude(place, k);
                return None;
            }
            self.put_in_order(&mut listing, source);
            let options = listing
                .options
                .iter()
                .map(|option| option.of(&listing.keys));
            let list = if let Some(list) = shorter {
                self.lists.complete(list, options)
            } else {
                let unlisted = if all { 0 } else { source.whole(key) };
                self.lists.keep(options, unlisted)
            };
            self.classes.list(place, list);
            self.says(place, k).is_none().then_some((list, false))
        });
        self.listing = listing;
        list
    }

    /// Lists the options that moves of some kinds lead to, without those that have a value, up to
    /// the first that has the value k; gives the set of these values.
    fn list_moves(
        &mut self,
        key: u64,
        k: u64,
        kinds: &[MoveKind],
        listing: &mut Listing,
        source: &mut dyn Falling,
        limits: &Limits<'_>,
    ) -> Result<u32, Stop> {
        if self.listed.is_multiple_of(32) {
            limits.poll()?;
        }
        let classes = &self.classes;
        let at_once = lists::at_once(classes);
        let (mut seen, mut taken) = (0u64, 0u32);
        let flow = kinds.iter().try_for_each(|&moves| {
            source.options(key, moves, &mut |sum| {
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
            })
        });
        ended(flow)?;
        if taken >> k & 1 == 0 {
            taken |= listing.weed(classes);
        }
        Ok(taken)
    }

    /// Puts options in order, small ones first, equal ones once (unless others of one rank come
    /// between them).
    fn put_in_order(&self, listing: &mut Listing, source: &dyn Falling) {
        let Listing { keys, options, .. } = listing;
        for option in options.iter_mut() {
            let sum = option.of(keys);
            let sizes = sum.iter().map(|&key| u64::from(source.size(key)).pow(2));
            let first = self.sharing.rank(sum);
            let size = sizes.sum::<u64>().min(u64::MAX >> RANK_BITS);
            option.rank = size << RANK_BITS | first;
        }
        options.sort_unstable_by_key(|option| option.rank);
        options.dedup_by(|a, b| a.rank == b.rank && a.of(keys) == b.of(keys));
    }

    /// Forgets the list of a component if it is the last one: those that are needed for long are
    /// looked through best first, and what is written again and again lies near.
    fn leave(&mut self, place: usize) {
        if let Some(list) = self.classes.listed(place)
            && self.lists.drop_last(list)
        {
            self.classes.unlist(place);
        }
    }

    /// Forgets what can be worked out again, where what is held grows beyond the limit.
    fn make_room(&mut self, open: &mut [Query]) {
        let lists = (self.memory / 8 * 3).min(8 * (NimberTable::REACH / 2));
        // The room for a list grows by doubling.
        if self.lists.length() as u64 > lists / 2 {
            self.forget_options(open);
        }
        if (self.classes.growing()).is_some_and(|bytes| bytes as u64 > self.memory / 2) {
            let asked = open.iter().map(|query| query.key).collect();
            self.classes.forget_cheap(&asked);
        }
    }

    /// Keeps proof numbers; others go where there is no more room.
    fn remember(&mut self, key: u64, k: u64, numbers: Numbers) {
        let bytes = self.numbers.capacity() * NUMBER_BYTES;
        if bytes as u64 > self.memory / 16 && self.numbers.len() == self.numbers.capacity() {
            self.numbers.clear();
        }
        self.numbers.insert((key, k), numbers);
    }

    fn forget_options(&mut self, open: &mut [Query]) {
        // Without its proof numbers a search could go round for ever.
        let lists = std::mem::take(&mut self.lists);
        let noted = |(key, list)| lists.noted(list).map(|(k, numbers)| (key, k, numbers));
        let noted: Vec<_> = self.classes.lists().filter_map(noted).collect();
        for (key, k, numbers) in noted {
            self.remember(key, k, numbers);
        }
        self.forgot = true;
        self.classes.unlist_all();
        for query in open {
            if let Ask::First { next, .. } = &mut query.ask {
                *next = 0;
            }
        }
    }
}

/// About how many bytes a proof number takes in its table.
const NUMBER_BYTES: usize = size_of::<((u64, u64), Numbers)>() + 1;
