//! Grundy values by outcome queries: the value of G is the only k for which G + *k is a P-position.
//!
//! One good move shows that G + *k is an N-position, whereas the mex needs the value of every
//! option. If games split into components with small values, most positions are therefore never
//! visited. To decide about an option, the search computes the values of all its components except
//! one. It then searches the last component together with a Nim heap (J. Lemoine, S. Viennot,
//! Nimbers are inevitable, Theoretical Computer Science 462 (2012), 70-79).
//!
//! For each component, a table stores the set of values that are still possible, as one word. Every
//! later query starts from this set. Components with many moves are searched best first
//! (`best_first`), and the others depth first. The table contains only components that were the
//! subject of a query. If memory runs out, lists of options and proof numbers are evicted first,
//! and then the components that were cheapest to solve.

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

/// The source of options for the search. It maps the key of a component to the options, each as a
/// list of keys. No key is 0.
pub(in crate::values) trait Falling {
    /// Visits the options that moves of the given kind lead to, until `visit` breaks. An option is
    /// the list of the keys of its components.
    fn options(&mut self, key: u64, moves: MoveKind, visit: &mut dyn FnMut(&[u64]) -> Flow)
    -> Flow;

    /// Returns an estimate of the number of moves in a component.
    fn moves(&self, key: u64) -> u32;

    /// Returns a lower bound of the number of moves that leave a component in one piece.
    fn whole(&self, key: u64) -> u32;

    /// Returns a measure of the size of a component. The search uses it to order the options.
    fn size(&self, key: u64) -> u32;

    /// Returns the values that are possible for a component before any search. Bit k stands for the
    /// value k, and bit [`LARGE`] stands for all values of at least [`LARGE`].
    fn possible(&self, key: u64) -> u32;

    /// Returns the possible values of a component that is not in the table. If they are not cheap
    /// to compute, returns all values.
    fn at_sight(&self, key: u64) -> u32;

    /// Returns the value of a component, computed as the mex of the values of its options. It is
    /// called only if the value is at least [`LARGE`].
    fn by_mex(&mut self, key: u64) -> Result<u64, Stop>;

    /// Receives a value of a component that the search has found.
    fn learned(&mut self, key: u64, value: u64);
}

/// Number of moves from which on a component is searched best first. If no component of a query has
/// twice as many moves, half of the largest number of moves is used, but at least `MANY` / 2.
const MANY: u32 = 30;

/// Number of steps between two polls of the limits.
const STEPS: u64 = 1024;

/// The table of possible values of components, with the state of the search.
#[derive(Debug, Default)]
pub(in crate::values) struct Nimbers {
    /// The possible values of the components visited so far. Between queries this table is part of
    /// the solver's answers.
    classes: NimberTable,
    lists: Lists,
    /// `true` if lists of options have been evicted.
    forgot: bool,
    /// Proof numbers of queries whose numbers do not fit the list of their component. The key is a
    /// component and a value.
    numbers: FxHashMap<(u64, u64), Numbers>,
    /// The values of components that are at least [`LARGE`].
    large: FxHashMap<u64, u64>,
    listing: Listing,
    steps: u64,
    /// Number of components entered so far, including those that have been evicted.
    entered: u64,
    /// Number of components whose options were listed since the last call of `take_listed`.
    listed: u64,
    /// Largest number of bytes to be used.
    memory: u64,
    /// Number of moves from which on a component is searched best first.
    many: u32,
    sharing: Sharing,
}

/// The connection with the threads that search the same components at the same time.
#[derive(Debug, Default)]
struct Sharing {
    /// The table by which the threads share excluded values.
    board: Option<Arc<Blackboard>>,
    /// `true` once the values that this thread excluded before the board was opened have been
    /// written to it.
    told: bool,
    /// The seed that determines the order of equally good options in this thread. 0 is the default
    /// order.
    order: u64,
}

impl Sharing {
    /// Returns the tie-break in the sort key of a sum. Equal sums have the same tie-break, and it
    /// depends on the seed.
    fn rank(&self, sum: &[u64]) -> u64 {
        let order = self.order;
        // `order << 1` does not change bit 0 of the constant. So the factor is odd, and the
        // multiplication is a bijection.
        let mixed = sum.iter().fold(order, |mixed, &key| {
            (mixed ^ key).wrapping_mul(0xD1B5_4A32_D192_ED03 ^ order << 1)
        });
        mixed >> (u64::BITS - RANK_BITS)
    }

    /// Returns a number that is added to the number of moves of a component. It depends on the
    /// seed, so that each thread begins with other components.
    fn shift(&self, key: u64, moves: u32) -> u32 {
        match self.order {
            0 => 0,
            _ => (self.rank(&[key]) % (u64::from(moves) / 4 + 1)) as u32,
        }
    }

    fn tell(&self, key: u64, excluded: u32) {
        if let Some(board) = &self.board
            // Numbers in the store differ between threads, so only packed words are shared.
            && key & NUMBERED == 0
        {
            board.tell(key, excluded.into());
        }
    }
}

/// A query on the stack of the search: a component, and the question about it.
#[derive(Clone, Copy, Debug)]
struct Query {
    key: u64,
    ask: Ask,
    /// The number of the step in which the query began.
    since: u64,
}

#[derive(Clone, Copy, Debug)]
enum Ask {
    /// The question for the value.
    Value,
    /// The question whether the value is k, searched depth first. `next` is the index of the next
    /// option.
    First { k: u64, next: usize },
    /// The question whether the value is k, searched best first. The search ends when a proof
    /// number reaches its limit.
    Best { k: u64, limits: Numbers },
}

/// The result of testing whether an option has the value k.
enum Look {
    /// The option has the value k, so the component does not have it.
    Equal,
    /// The option has this value, which differs from k.
    Settled(u64),
    /// The value of the option is unknown, but it is not k.
    Other,
    /// The value of one component `key` of the option is unknown. The option has the value of the
    /// query if and only if this component has the value `k`. `place` is the slot of the component,
    /// or the free slot for it.
    One { key: u64, place: usize, k: u64 },
    /// The values of several components of the option are unknown. The fields are the component
    /// with the fewest moves, and the number of moves of all of them.
    Several(u64, u32),
}

/// The result of one step of the search.
enum Step {
    /// The query is answered, or its proof numbers have reached their limits.
    Done,
    /// This query about this component must be answered first.
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

    /// Returns whether a sum of components has the value `k`. This may be decided long before the
    /// value is known.
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

    /// Enters the components of a query into the table, and sets the number of moves from which on
    /// the search is best first.
    fn set_out(&mut self, sum: &[u64], source: &mut dyn Falling) {
        let mut most = 0;
        for &key in sum {
            self.enter(key, source);
            most = most.max(source.moves(key));
        }
        // With a fixed threshold, all components of a small board would be searched depth first.
        self.many = (most / 2).clamp(MANY / 2, MANY);
    }

    /// Makes this search share excluded values with other threads by `board`. `order` is the seed
    /// that determines the order in which this thread searches. 0 is the default order.
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

    /// Reads from the board which values other threads have excluded for the component in a slot.
    fn hear(&mut self, place: usize) {
        let Some(board) = &self.sharing.board else {
            return;
        };
        if !board.is_open() {
            return;
        }
        // Before the board was opened, excluded values were not written to it, so write the earlier
        // ones now.
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

    /// Returns the number of bytes that the search occupies.
    pub(in crate::values) fn bytes(&self) -> u64 {
        let numbers = self.numbers.capacity() * NUMBER_BYTES;
        (self.classes.bytes() + numbers + self.lists.bytes()) as u64
    }

    /// Returns the slot of a component. A new component is entered with its possible values.
    fn enter(&mut self, key: u64, source: &mut dyn Falling) -> usize {
        let entered = &mut self.entered;
        self.classes.enter(key, || {
            *entered += 1;
            source.possible(key)
        })
    }

    /// Exchanges the table of this search with `table`.
    pub(in crate::values) fn swap_table(&mut self, table: &mut NimberTable) {
        std::mem::swap(&mut self.classes, table);
    }

    /// Drops all lists of options, after the caller has evicted components from the table.
    pub(in crate::values) fn forget_lists(&mut self) {
        self.lists = Lists::default();
        self.forgot = true;
    }

    /// Returns the value of a component, if it is known.
    fn known(&self, key: u64) -> Option<u64> {
        self.settled(key, self.classes.possible(self.classes.place(key)))
    }

    fn settled(&self, key: u64, possible: u32) -> Option<u64> {
        // The true value is never removed from the set, so a single remaining bit is the value. The
        // bit `LARGE` stands for many values, so in this case the value is in the map.
        if !possible.is_power_of_two() {
            return None;
        }
        match u64::from(possible.trailing_zeros()) {
            LARGE => self.large.get(&key).copied(),
            value => Some(value),
        }
    }

    /// Returns whether the component in slot `place` has the value k, or `None` if this is not
    /// known.
    fn says(&self, place: usize, k: u64) -> Option<bool> {
        let possible = self.classes.possible(place);
        if let Some(value) = self.settled(self.classes.key(place), possible) {
            return Some(value == k);
        }
        (possible >> k.min(LARGE) & 1 == 0).then_some(false)
    }

    /// Removes k from the possible values of the component in slot `place`. Does nothing if k is at
    /// least [`LARGE`], since all these values share a bit.
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

    /// Returns the question whether a component has the value k, as depth-first or best-first
    /// search.
    fn is(&self, key: u64, k: u64, source: &dyn Falling) -> Ask {
        let all = u32::MAX;
        // This query has infinite limits, so that it ends only with an answer.
        if source.moves(key) >= self.many {
            Ask::Best {
                k,
                limits: Numbers { yes: all, no: all },
            }
        } else {
            Ask::First { k, next: 0 }
        }
    }

    /// Runs the search until a query about a component is answered.
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
        // Use an explicit stack, since a play can be longer than the call stack is deep.
        let mut open = vec![Query { key, ask, since }];
        while let Some(query) = open.last_mut() {
            self.steps += 1;
            if self.steps.is_multiple_of(STEPS) {
                limits.count(STEPS);
                limits.poll()?;
                limits.check(self.entered - met, 0)?;
            }
            let place = self.enter(query.key, source);
            // Entering a component may move or evict slots, so find the slot again in every step.
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
                    // A query that was answered from the table took no steps, so it does not count
                    // for eviction.
                    let steps = self.steps - query.since;
                    if steps > 1 {
                        self.classes.took(place, steps);
                    }
                    // If the query below on the stack is about another value of the same component,
                    // it needs this list.
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
            // Ask about the least possible value first. To prove that k is the value, all smaller
            // values must be excluded anyway.
            k => Ok(Step::Ask(key, self.is(key, k, source))),
        }
    }

    /// Takes one step of a depth-first search for whether the component has the value k. `next` is
    /// the index of the next option.
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
            // A known option of value k answers the query, so search the whole list for one before
            // any other step. A new list has none, since listing leaves out options whose value is
            // known.
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
        // No option has the value k, so the value of the component is at most k. A smaller value is
        // excluded by an option that has it. This is cheap to find now, since most options are
        // known.
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

    /// Tests whether a sum of components, which is an option, has the value k.
    fn look(&self, sum: &[u64], k: u64, source: &dyn Falling) -> Look {
        let mut settled = 0;
        let mut open: Option<(u64, usize, u32)> = None;
        let mut several = None;
        for &key in sum {
            let place = self.classes.place(key);
            // Components outside the table are not entered for this test. Most of them are never
            // visited, and they would fill the table.
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
                // The last component must have the nim-sum of k and the known values.
                let k = k ^ settled;
                if possible >> k.min(LARGE) & 1 == 0 {
                    Look::Other
                } else {
                    Look::One { key, place, k }
                }
            }
        }
    }

    /// Returns the index of the list of a component's options, and whether the list existed before.
    /// A new list is sorted. Options of known value are left out of it, and their values are
    /// excluded for the component. Returns `None` if the listing decides whether the value is k.
    ///
    /// Unless `all` is set, moves that leave the component in one piece are not listed. Such moves
    /// rarely lead to known components, and best-first search visits most components only once.
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
        // Take the buffer out of `self`, since the listing also borrows the table.
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
            // `restrict` has already removed k. `exclude` also writes this to the board.
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

    /// Lists the options of moves of some kinds, until one has the value k. Options of known value
    /// are left out. Returns the set of these values.
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
                // The options of a single component may need more memory than allowed.
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

    /// Sorts options by size and removes duplicates. A duplicate may remain if another option has
    /// the same sort key.
    fn put_in_order(&self, listing: &mut Listing, source: &dyn Falling) {
        let Listing { keys, options, .. } = listing;
        for option in options.iter_mut() {
            let sum = option.of(keys);
            // The sum of squares is smaller for an even split than for a large and a small
            // component. So an even split comes first, since the cost of a search grows faster than
            // the size.
            let sizes = sum.iter().map(|&key| u64::from(source.size(key)).pow(2));
            let first = self.sharing.rank(sum);
            let size = sizes.sum::<u64>().min(u64::MAX >> RANK_BITS);
            option.rank = size << RANK_BITS | first;
        }
        options.sort_unstable_by_key(|option| option.rank);
        options.dedup_by(|a, b| a.rank == b.rank && a.of(keys) == b.of(keys));
    }

    /// Frees the list of a component, if it is the list that was allocated last.
    ///
    /// Depth-first queries end in the reverse order of their start. Hence the lists form a stack,
    /// and its top stays in the processor's cache. Components that are visited repeatedly are
    /// searched best first and keep their lists.
    fn leave(&mut self, place: usize) {
        if let Some(list) = self.classes.listed(place)
            && self.lists.drop_last(list)
        {
            self.classes.unlist(place);
        }
    }

    /// Evicts data that can be computed again, if memory exceeds its limit.
    fn make_room(&mut self, open: &mut [Query]) {
        // The second bound keeps the indices of lists within 32 bits.
        let lists = (self.memory / 8 * 3).min(8 * (NimberTable::REACH / 2));
        // A vector doubles its capacity when it grows, so up to half of the limit may be in use
        // before.
        if self.lists.length() as u64 > lists / 2 {
            self.forget_options(open);
        }
        if (self.classes.growing()).is_some_and(|bytes| bytes as u64 > self.memory / 2) {
            // Components on the stack must stay, since their queries will use their slots.
            let asked = open.iter().map(|query| query.key).collect();
            self.classes.forget_cheap(&asked);
        }
    }

    /// Stores the proof numbers of a query in the map. Clears the map first if it is full.
    fn remember(&mut self, key: u64, k: u64, numbers: Numbers) {
        let bytes = self.numbers.capacity() * NUMBER_BYTES;
        if bytes as u64 > self.memory / 16 && self.numbers.len() == self.numbers.capacity() {
            self.numbers.clear();
        }
        self.numbers.insert((key, k), numbers);
    }

    fn forget_options(&mut self, open: &mut [Query]) {
        // Keep the proof numbers that are stored in the lists. With new estimates the search might
        // repeat the same steps forever.
        let lists = std::mem::take(&mut self.lists);
        let noted = |(key, list)| lists.noted(list).map(|(k, numbers)| (key, k, numbers));
        let noted: Vec<_> = self.classes.lists().filter_map(noted).collect();
        for (key, k, numbers) in noted {
            self.remember(key, k, numbers);
        }
        self.forgot = true;
        self.classes.unlist_all();
        for query in open {
            // A new list may have another order, so every depth-first query starts again with its
            // first option. The excluded values remain, so no result is lost.
            if let Ask::First { next, .. } = &mut query.ask {
                *next = 0;
            }
        }
    }
}

/// Approximate number of bytes of an entry in the map of proof numbers.
const NUMBER_BYTES: usize = size_of::<((u64, u64), Numbers)>() + 1;
