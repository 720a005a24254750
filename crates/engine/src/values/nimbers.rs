//! Grundy values by outcome queries: g(G) is the only k for which G + *k is a P-position.
//!
//! One good move shows that G + *k is an N-position, whereas the mex needs the value of every
//! option. Hence most positions are never visited if games split into components with small values.
//! The method is due to J. Lemoine and S. Viennot, Nimbers are inevitable, Theoretical Computer
//! Science 462 (2012), 70-79. The solver evaluates all components of an option except one. It then
//! searches the last component together with a Nim heap.
//!
//! The table stores for each component the set of values that are still possible, as one word.
//! Every later query starts from this set. Components with many moves are searched best first
//! (`best_first`), the others depth first. The table holds only components that a query was about.
//! If memory runs out, lists of options and proof numbers are evicted first, then the components
//! that were cheapest to solve.

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

/// Rules of a game as a map from component keys to the components of their options. No key is 0.
pub(in crate::values) trait Falling {
    /// Visits the options that moves of the given kind lead to, until `visit` breaks. An option is
    /// the list of the keys of its components.
    fn options(&mut self, key: u64, moves: MoveKind, visit: &mut dyn FnMut(&[u64]) -> Flow)
    -> Flow;

    /// Returns an estimate of the number of moves in a component.
    fn moves(&self, key: u64) -> u32;

    /// Returns a lower bound of the number of moves that do not split a component.
    fn whole(&self, key: u64) -> u32;

    /// Returns a measure of the size of a component, which orders the options.
    fn size(&self, key: u64) -> u32;

    /// Returns the values that a component may have before any search. Bit k stands for k, bit
    /// [`LARGE`] for all values from there on.
    fn possible(&self, key: u64) -> u32;

    /// Returns the possible values of a component that is not in the table, if they are cheap to
    /// compute, else all values.
    fn at_sight(&self, key: u64) -> u32;

    /// Returns the value of a component by the mex rule. The value is at least [`LARGE`].
    fn by_mex(&mut self, key: u64) -> Result<u64, Stop>;

    /// Receives a value that the search has found.
    fn learned(&mut self, key: u64, value: u64);
}

/// Least number of moves of a component that is searched best first. If the query is about a small
/// component, half its number of moves takes the place of this constant.
const MANY: u32 = 30;

/// Number of steps between two checks of the clock.
const STEPS: u64 = 1024;

/// Table of components with the state of the search.
#[derive(Debug, Default)]
pub(in crate::values) struct Nimbers {
    /// The components visited so far. Between queries the table belongs to the store of answers.
    classes: NimberTable,
    lists: Lists,
    /// `true` if lists of options were evicted.
    forgot: bool,
    /// Proof numbers of queries for which the list of the component has no room.
    numbers: FxHashMap<(u64, u64), Numbers>,
    /// Values of at least [`LARGE`].
    large: FxHashMap<u64, u64>,
    listing: Listing,
    steps: u64,
    /// Number of components entered, including those evicted since.
    entered: u64,
    /// Number of components whose options were listed.
    listed: u64,
    /// Memory limit in bytes.
    memory: u64,
    /// Least number of moves of a component that is searched best first.
    many: u32,
    sharing: Sharing,
}

/// Connection with the threads that search the same components at the same time.
#[derive(Debug, Default)]
struct Sharing {
    /// Table of excluded values that the threads share.
    board: Option<Arc<Blackboard>>,
    /// `true` if the values excluded before the thread joined were published.
    told: bool,
    /// Seed of the thread for the order of equally good options. 0 is the default order.
    order: u64,
}

impl Sharing {
    /// Returns the position of a sum among equally good ones. Equal sums are adjacent.
    fn rank(&self, sum: &[u64]) -> u64 {
        let order = self.order;
        // `order << 1` leaves bit 0 of the constant, so the multiplier stays odd and each
        // multiplication is a bijection.
        let mixed = sum.iter().fold(order, |mixed, &key| {
            (mixed ^ key).wrapping_mul(0xD1B5_4A32_D192_ED03 ^ order << 1)
        });
        mixed >> (u64::BITS - RANK_BITS)
    }

    /// Returns a surcharge on the number of moves of a component. It depends on the seed, so that
    /// each thread begins with other components.
    fn shift(&self, key: u64, moves: u32) -> u32 {
        match self.order {
            0 => 0,
            _ => (self.rank(&[key]) % (u64::from(moves) / 4 + 1)) as u32,
        }
    }

    fn tell(&self, key: u64, excluded: u32) {
        if let Some(board) = &self.board
            // Numbers of the store differ from thread to thread, so only packed keys are shared.
            && key & NUMBERED == 0
        {
            board.tell(key, excluded.into());
        }
    }
}

/// A query on the stack of the search.
#[derive(Clone, Copy, Debug)]
struct Query {
    key: u64,
    ask: Ask,
    /// The step at which the query began.
    since: u64,
}

#[derive(Clone, Copy, Debug)]
enum Ask {
    /// Query for the value.
    Value,
    /// Depth-first query whether the value is k. `next` is the place of the next option.
    First { k: u64, next: usize },
    /// Best-first query whether the value is k, until a proof number reaches its limit.
    Best { k: u64, limits: Numbers },
}

/// The result of a test of an option for the value k.
enum Look {
    /// The option has the value k, so the component does not.
    Equal,
    /// The option has this value, which is not k.
    Settled(u64),
    /// The option has an unknown value other than k.
    Other,
    /// The option has the value k if and only if this component has the given value. The component
    /// is, or would be, in the slot `place` of the table.
    One { key: u64, place: usize, k: u64 },
    /// Two or more components have no value. The fields are the component with the fewest moves and
    /// the number of moves of all.
    Several(u64, u32),
}

/// The result of one step.
enum Step {
    /// The query is answered, or it has exceeded its limits.
    Done,
    /// This query has to be answered first.
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

    /// Returns whether a sum of components has the value `k`. The answer may be found long before
    /// the value.
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

    /// Enters the components of a query and sets the threshold for the best-first search.
    fn set_out(&mut self, sum: &[u64], source: &mut dyn Falling) {
        let mut most = 0;
        for &key in sum {
            self.enter(key, source);
            most = most.max(source.moves(key));
        }
        // With a fixed threshold, a small board would be searched depth first throughout.
        self.many = (most / 2).clamp(MANY / 2, MANY);
    }

    /// Joins threads that share excluded values on a board. `order` selects the order in which this
    /// thread searches; 0 is the default.
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

    /// Merges the values that other threads have excluded for the component at a place.
    fn hear(&mut self, place: usize) {
        let Some(board) = &self.sharing.board else {
            return;
        };
        if !board.is_open() {
            return;
        }
        // No thread listened before the board was opened, so publish the earlier results once.
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

    /// Returns the number of components whose options were listed since the last call.
    pub(in crate::values) fn take_listed(&mut self) -> u64 {
        std::mem::take(&mut self.listed)
    }

    /// Returns the bytes in use.
    pub(in crate::values) fn bytes(&self) -> u64 {
        let numbers = self.numbers.capacity() * NUMBER_BYTES;
        (self.classes.bytes() + numbers + self.lists.bytes()) as u64
    }

    /// Returns the place of a component, which is entered first if it is missing.
    fn enter(&mut self, key: u64, source: &mut dyn Falling) -> usize {
        let entered = &mut self.entered;
        self.classes.enter(key, || {
            *entered += 1;
            source.possible(key)
        })
    }

    /// Swaps the table of components.
    pub(in crate::values) fn swap_table(&mut self, table: &mut NimberTable) {
        std::mem::swap(&mut self.classes, table);
    }

    /// Drops the lists of options. The caller has evicted components from the table.
    pub(in crate::values) fn forget_lists(&mut self) {
        self.lists = Lists::default();
        self.forgot = true;
    }

    /// Returns the value of a component if it is known.
    fn known(&self, key: u64) -> Option<u64> {
        self.settled(key, self.classes.possible(self.classes.place(key)))
    }

    fn settled(&self, key: u64, possible: u32) -> Option<u64> {
        // One remaining bit is the value, since no step removes the true value from the set. The
        // bit `LARGE` stands for many values, so these need the map.
        if !possible.is_power_of_two() {
            return None;
        }
        match u64::from(possible.trailing_zeros()) {
            LARGE => self.large.get(&key).copied(),
            value => Some(value),
        }
    }

    /// Returns whether the component at `place` has the value k, or `None` if this is unknown.
    fn says(&self, place: usize, k: u64) -> Option<bool> {
        let possible = self.classes.possible(place);
        if let Some(value) = self.settled(self.classes.key(place), possible) {
            return Some(value == k);
        }
        (possible >> k.min(LARGE) & 1 == 0).then_some(false)
    }

    /// Removes k from the possible values of a component. Values of at least [`LARGE`] share a bit,
    /// so for them nothing is recorded.
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

    /// Returns the query whether a component has the value k.
    fn is(&self, key: u64, k: u64, source: &dyn Falling) -> Ask {
        let all = u32::MAX;
        // The root has infinite limits: it ends only with an answer.
        if source.moves(key) >= self.many {
            Ask::Best {
                k,
                limits: Numbers { yes: all, no: all },
            }
        } else {
            Ask::First { k, next: 0 }
        }
    }

    /// Runs the search until a query is answered.
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
        // The stack is explicit, since plays can be longer than the thread's stack is deep.
        let mut open = vec![Query { key, ask, since }];
        while let Some(query) = open.last_mut() {
            self.steps += 1;
            if self.steps.is_multiple_of(STEPS) {
                limits.count(STEPS);
                limits.poll()?;
                limits.check(self.entered - met, 0)?;
            }
            let place = self.enter(query.key, source);
            // Entering a component may move the table or evict slots, so the place is computed
            // again in every step.
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
                    // A query that was answered from the table has no cost that eviction would have
                    // to weigh.
                    let steps = self.steps - query.since;
                    if steps > 1 {
                        self.classes.took(place, steps);
                    }
                    // A parent query for another value of the same component uses the same list.
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
            // The least possible value comes first: to show that k is the value, all smaller ones
            // have to be excluded anyway.
            k => Ok(Step::Ask(key, self.is(key, k, source))),
        }
    }

    /// Takes one step of the depth-first search. `next` is the place of the next option.
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
            // A known option of value k answers the query, so scan the whole list before any
            // search. A new list needs no scan, because listing has removed the known options.
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
        // No option has the value k, so the value is k or less. A smaller value is excluded by an
        // option of that value; this query is cheap now, as most options are known.
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

    /// Tests a sum of components for the value k.
    fn look(&self, sum: &[u64], k: u64, source: &dyn Falling) -> Look {
        let mut settled = 0;
        let mut open: Option<(u64, usize, u32)> = None;
        let mut several = None;
        for &key in sum {
            let place = self.classes.place(key);
            // Estimates of components outside the table are not entered: most are never visited,
            // and the table would fill with them.
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
                // The component has to have the nim-sum of k and the known values.
                let k = k ^ settled;
                if possible >> k.min(LARGE) & 1 == 0 {
                    Look::Other
                } else {
                    Look::One { key, place, k }
                }
            }
        }
    }

    /// Returns the list of the options of a component, and whether it existed before. A new list is
    /// sorted, and it omits the options of known value: these exclude values of the component.
    /// Returns `None` if the listing answers whether the value is k.
    ///
    /// Unless `all` is set, moves that do not split the component stay unlisted. Such moves rarely
    /// lead to known components, and best-first search visits most components only once.
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
        // The buffer leaves `self` meanwhile, because listing also borrows the table.
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
            // `restrict` has removed k already; `exclude` publishes this to other threads.
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

    /// Lists the options of some kinds of moves, except those with known values, up to the first
    /// with the value k. Returns the set of the known values.
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
                // One component may have more options than memory has room for.
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

    /// Sorts options by size and removes duplicates. A duplicate survives only if a different
    /// option has the same rank.
    fn put_in_order(&self, listing: &mut Listing, source: &dyn Falling) {
        let Listing { keys, options, .. } = listing;
        for option in options.iter_mut() {
            let sum = option.of(keys);
            // The sum of squares prefers an even split to a large component with a small one, since
            // the cost grows faster than the size.
            let sizes = sum.iter().map(|&key| u64::from(source.size(key)).pow(2));
            let first = self.sharing.rank(sum);
            let size = sizes.sum::<u64>().min(u64::MAX >> RANK_BITS);
            option.rank = size << RANK_BITS | first;
        }
        options.sort_unstable_by_key(|option| option.rank);
        options.dedup_by(|a, b| a.rank == b.rank && a.of(keys) == b.of(keys));
    }

    /// Frees the list of a component if it was allocated last.
    ///
    /// Depth-first queries end in the reverse order of their start. Hence the lists work as a
    /// stack, whose top stays in the processor's cache. Components that are visited again are
    /// searched best first and keep their lists.
    fn leave(&mut self, place: usize) {
        if let Some(list) = self.classes.listed(place)
            && self.lists.drop_last(list)
        {
            self.classes.unlist(place);
        }
    }

    /// Evicts entries that can be recomputed when memory exceeds its limit.
    fn make_room(&mut self, open: &mut [Query]) {
        // The second bound keeps the numbers of lists within 32 bits.
        let lists = (self.memory / 8 * 3).min(8 * (NimberTable::REACH / 2));
        // A vector doubles its capacity, so half the limit may become all of it.
        if self.lists.length() as u64 > lists / 2 {
            self.forget_options(open);
        }
        if (self.classes.growing()).is_some_and(|bytes| bytes as u64 > self.memory / 2) {
            // Components on the stack stay, since their queries are about to use the entries.
            let asked = open.iter().map(|query| query.key).collect();
            self.classes.forget_cheap(&asked);
        }
    }

    /// Stores proof numbers, after clearing the map if it is full.
    fn remember(&mut self, key: u64, k: u64, numbers: Numbers) {
        let bytes = self.numbers.capacity() * NUMBER_BYTES;
        if bytes as u64 > self.memory / 16 && self.numbers.len() == self.numbers.capacity() {
            self.numbers.clear();
        }
        self.numbers.insert((key, k), numbers);
    }

    fn forget_options(&mut self, open: &mut [Query]) {
        // Keep the proof numbers of the lists: with fresh estimates the search could repeat the
        // same expansions forever.
        let lists = std::mem::take(&mut self.lists);
        let noted = |(key, list)| lists.noted(list).map(|(k, numbers)| (key, k, numbers));
        let noted: Vec<_> = self.classes.lists().filter_map(noted).collect();
        for (key, k, numbers) in noted {
            self.remember(key, k, numbers);
        }
        self.forgot = true;
        self.classes.unlist_all();
        for query in open {
            // A new list may have another order, so every depth-first query starts again. Excluded
            // values remain, hence no result is lost.
            if let Ask::First { next, .. } = &mut query.ask {
                *next = 0;
            }
        }
    }
}

/// Approximate size of an entry in the map of proof numbers, in bytes.
const NUMBER_BYTES: usize = size_of::<((u64, u64), Numbers)>() + 1;
