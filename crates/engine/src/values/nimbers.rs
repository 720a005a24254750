//! Grundy values by outcome queries: the value of G is the only k for which G + *k is a P-position.
//!
//! One good move shows that G + *k is an N-position, whereas the mex needs the value of every
//! option. If games split into components with small values, most positions are therefore never
//! visited. To decide whether an option has a given value, the search computes the values of all
//! components of the option except one. It then searches the last component together with a Nim
//! heap (J. Lemoine, S. Viennot, Nimbers are inevitable, Theoretical Computer Science 462 (2012),
//! 70-79).
//!
//! For each component, a table stores the set of values that are still possible, as one word. Every
//! later query starts from this set. Components with many moves are searched best first
//! (`best_first`), and the others depth first. The table contains only components that were the
//! subject of a query. If memory runs out, the lists of options are evicted first, and then the
//! components that were cheapest to solve.

mod best_first;
mod lists;

use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use self::lists::{Listing, Lists, ProofNumbers, RANK_BITS};
use super::exclusions::ExclusionTable;
use crate::answers::nimbers::{LARGE, NimberTable};
use crate::packed::MoveKind;
use crate::store::NUMBER_BIT;
use grundy_base::limits::{Flow, Halt, Limits, Stop, break_on_error, stopped_early};

/// The source of options for the search. It maps the key of a component to the options, each as a
/// list of keys. No key is 0.
pub(in crate::values) trait OptionSource {
    /// Visits those options of a component that are reached by moves of the given kind, until
    /// `visit` breaks. An option is passed as the list of the keys of its components.
    fn options(&mut self, key: u64, moves: MoveKind, visit: &mut dyn FnMut(&[u64]) -> Flow)
    -> Flow;

    /// Returns an estimate of the number of moves in a component.
    fn moves(&self, key: u64) -> u32;

    /// Returns a lower bound of the number of moves that leave a component in one piece.
    fn non_splitting_moves(&self, key: u64) -> u32;

    /// Returns a measure of the size of a component. The search uses it to order the options.
    fn size(&self, key: u64) -> u32;

    /// Returns the values that are possible for a component before any search. Bit k stands for the
    /// value k, and bit [`LARGE`] stands for all values of at least [`LARGE`].
    fn possible(&self, key: u64) -> u32;

    /// Returns the possible values of a component that is not in the table, as a set of bits.
    /// Returns the set of all values if a smaller set is expensive to compute.
    fn possible_if_cheap(&self, key: u64) -> u32;

    /// Returns the value of a component, computed as the mex of the values of its options. The
    /// search calls this method only if the value is at least [`LARGE`].
    fn by_mex(&mut self, key: u64) -> Result<u64, Stop>;

    /// Receives a value of a component that the search has found.
    fn record_value(&mut self, key: u64, value: u64);
}

/// Least number of moves of a component that is searched best first. If all components of a query
/// have fewer than 2 * `BEST_FIRST_MOVES` moves, half of the largest number of moves is used
/// instead, but at least `BEST_FIRST_MOVES` / 2.
const BEST_FIRST_MOVES: u32 = 30;

/// Number of steps between two polls of the limits.
const POLL_INTERVAL: u64 = 1024;

/// The table of possible values of components, with the state of the search.
#[derive(Debug, Default)]
pub(in crate::values) struct Nimbers {
    /// The possible values of the components visited so far. The solver keeps this table among its
    /// answers, and swaps it into the search for the duration of a query.
    table: NimberTable,
    lists: Lists,
    /// `true` if lists of options have been evicted.
    evicted_lists: bool,
    /// The proof numbers of queries whether a component has the value k. Proof numbers that are
    /// stored with the component's list of options are not repeated here. The key is the pair of
    /// the component's key and k.
    numbers: FxHashMap<(u64, u64), ProofNumbers>,
    /// The values that are at least [`LARGE`], by the component.
    large: FxHashMap<u64, u64>,
    listing: Listing,
    steps: u64,
    /// Number of components entered into the table so far, including those that have been evicted.
    entered: u64,
    /// Number of components whose options were listed since the last call of
    /// [`Self::take_listed_components`].
    listed_components: u64,
    /// Largest number of bytes that the search may use.
    memory: u64,
    /// Least number of moves of a component that is searched best first.
    best_first_from: u32,
    sharing: Sharing,
}

/// The connection with the threads that search the same components at the same time.
#[derive(Debug, Default)]
struct Sharing {
    /// The table by which the threads share excluded values.
    exclusions: Option<Arc<ExclusionTable>>,
    /// `true` once the values that this thread excluded before the table was opened have been
    /// written to it.
    published: bool,
    /// The seed that determines the order in which this thread searches equally good options. 0 is
    /// the default order.
    seed: u64,
}

impl Sharing {
    /// Returns the tie-break in the sort key of a sum. Equal sums have the same tie-break, and it
    /// depends on the seed.
    fn tie_break(&self, sum: &[u64]) -> u64 {
        let seed = self.seed;
        // `seed << 1` does not change bit 0 of the constant. So the factor is odd, and the
        // multiplication is a bijection.
        let mixed = sum.iter().fold(seed, |mixed, &key| {
            (mixed ^ key).wrapping_mul(0xD1B5_4A32_D192_ED03 ^ seed << 1)
        });
        mixed >> (u64::BITS - RANK_BITS)
    }

    /// Returns a surcharge on the number of moves of a component, for the estimate of its proof
    /// numbers. It depends on the seed, so that each thread begins with other components. It is 0
    /// for the default order.
    fn shift(&self, key: u64, moves: u32) -> u32 {
        match self.seed {
            0 => 0,
            _ => (self.tie_break(&[key]) % (u64::from(moves) / 4 + 1)) as u32,
        }
    }

    fn publish(&self, key: u64, excluded: u32) {
        if let Some(exclusions) = &self.exclusions
            // Numbers of components in the store differ between threads, so only packed words are
            // shared.
            && key & NUMBER_BIT == 0
        {
            exclusions.exclude(key, excluded.into());
        }
    }
}

/// A query on the stack of the search, about one component.
#[derive(Clone, Copy, Debug)]
struct Query {
    key: u64,
    kind: QueryKind,
    /// The index of the search step in which the query began.
    first_step: u64,
}

#[derive(Clone, Copy, Debug)]
enum QueryKind {
    /// A query for the value of the component.
    Value,
    /// The query whether the value is k, searched depth first. `next` is the index of the next
    /// option in the lists, or 0 before the first step.
    DepthFirst { k: u64, next: usize },
    /// The query whether the value is k, searched best first. The search is interrupted when a
    /// proof number of the query reaches its limit in `limits`.
    BestFirst { k: u64, limits: ProofNumbers },
}

/// The result of testing whether a sum of components has the value k. The sum is usually an option.
enum SumTest {
    /// The sum has the value k. If the sum is an option of a component, the component does not have
    /// this value.
    Equal,
    /// The sum has this value, which differs from k.
    Known(u64),
    /// The value of the sum is unknown, but it is not k.
    Different,
    /// The values of all components except the one with the key `key` are known. The sum has the
    /// value in question if and only if this component has the value `k`. `slot` is the index of
    /// its slot in the table, or of the free slot in which it would be inserted.
    OneUnknown { key: u64, slot: usize, k: u64 },
    /// The values of several components are unknown. The first field is the key of the one among
    /// them with the fewest moves. The second field is the total number of their moves.
    SeveralUnknown(u64, u32),
}

/// The result of one step of the search.
enum Step {
    /// The query is answered, or one of its proof numbers has reached its limit.
    Done,
    /// A subquery must be answered first. The fields are the key of its component, and its kind.
    Subquery(u64, QueryKind),
}

impl Nimbers {
    /// Returns the value of a component.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(in crate::values) fn value(
        &mut self,
        key: u64,
        source: &mut dyn OptionSource,
        limits: &Limits<'_>,
    ) -> Result<u64, Stop> {
        self.begin_query(&[key], source);
        self.answer(key, QueryKind::Value, source, limits)?;
        self.value_if_known(key).ok_or(Stop::Cyclic)
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
        source: &mut dyn OptionSource,
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        self.begin_query(sum, source);
        loop {
            match self.test_sum(sum, k, source) {
                SumTest::Equal => return Ok(true),
                SumTest::Known(_) | SumTest::Different => return Ok(false),
                SumTest::OneUnknown { key, k, .. } => {
                    let kind = self.query_kind(key, k, source);
                    self.answer(key, kind, source, limits)?;
                }
                SumTest::SeveralUnknown(key, _) => {
                    self.answer(key, QueryKind::Value, source, limits)?;
                }
            }
        }
    }

    /// Enters the components of a query into the table. Sets the least number of moves of a
    /// component that is searched best first.
    fn begin_query(&mut self, sum: &[u64], source: &mut dyn OptionSource) {
        let mut most = 0;
        for &key in sum {
            self.enter(key, source);
            most = most.max(source.moves(key));
        }
        // With a fixed threshold, all components of a small board would be searched depth first.
        self.best_first_from = (most / 2).clamp(BEST_FIRST_MOVES / 2, BEST_FIRST_MOVES);
    }

    /// Makes this search share excluded values with other threads through the table `exclusions`.
    /// If `exclusions` is `None`, the search shares no values. `seed` determines the order in which
    /// this thread searches, and 0 is the default order.
    pub(in crate::values) fn join(&mut self, exclusions: Option<Arc<ExclusionTable>>, seed: u64) {
        let same = match (&exclusions, &self.sharing.exclusions) {
            (Some(new), Some(old)) => Arc::ptr_eq(new, old),
            (new, old) => new.is_none() && old.is_none(),
        };
        if !same {
            self.sharing = Sharing {
                exclusions,
                published: false,
                seed,
            };
        }
    }

    /// Excludes the values that other threads have excluded for the component in a slot.
    fn merge_shared(&mut self, slot: usize) {
        let Some(exclusions) = &self.sharing.exclusions else {
            return;
        };
        if !exclusions.is_open() {
            return;
        }
        // Before the table was opened, excluded values were not written to it, so write the earlier
        // ones now.
        if !self.sharing.published {
            self.sharing.published = true;
            for (key, possible) in self.table.entries() {
                self.sharing.publish(key, !possible);
            }
        }
        let key = self.table.key(slot);
        if key & NUMBER_BIT == 0 {
            self.table
                .restrict(slot, !(exclusions.excluded(key) as u32));
        }
    }

    /// Returns the number of components whose options were listed since the last call.
    pub(in crate::values) fn take_listed_components(&mut self) -> u64 {
        std::mem::take(&mut self.listed_components)
    }

    /// Returns the number of bytes that the search occupies.
    pub(in crate::values) fn bytes(&self) -> u64 {
        let numbers = self.numbers.capacity() * ENTRY_BYTES;
        (self.table.bytes() + numbers + self.lists.bytes()) as u64
    }

    /// Returns the slot of a component. A new component is entered with its possible values.
    fn enter(&mut self, key: u64, source: &mut dyn OptionSource) -> usize {
        let entered = &mut self.entered;
        self.table.enter(key, || {
            *entered += 1;
            source.possible(key)
        })
    }

    /// Exchanges the table of this search with `table`.
    pub(in crate::values) fn swap_table(&mut self, table: &mut NimberTable) {
        std::mem::swap(&mut self.table, table);
    }

    /// Drops all lists of options. The caller has evicted components from the table, and no
    /// remaining entry refers to a list any more.
    pub(in crate::values) fn drop_lists(&mut self) {
        self.lists = Lists::default();
        self.evicted_lists = true;
    }

    /// Returns the value of a component, if it is known.
    fn value_if_known(&self, key: u64) -> Option<u64> {
        self.value_of(key, self.table.possible(self.table.place(key)))
    }

    fn value_of(&self, key: u64, possible: u32) -> Option<u64> {
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

    /// Returns whether the component in a slot has the value k, or `None` if this is not known.
    fn has_value_if_known(&self, slot: usize, k: u64) -> Option<bool> {
        let possible = self.table.possible(slot);
        if let Some(value) = self.value_of(self.table.key(slot), possible) {
            return Some(value == k);
        }
        (possible >> k.min(LARGE) & 1 == 0).then_some(false)
    }

    /// Removes k from the possible values of the component in a slot. Does nothing if k is at least
    /// [`LARGE`], since all these values share a bit.
    fn exclude(&mut self, slot: usize, k: u64) {
        if k < LARGE {
            self.table.restrict(slot, !(1 << k));
            self.sharing.publish(self.table.key(slot), 1 << k);
        }
    }

    fn learn(&mut self, slot: usize, value: u64, source: &mut dyn OptionSource) {
        let (key, possible) = (self.table.key(slot), 1 << value.min(LARGE));
        self.table.set_possible(slot, possible);
        self.sharing.publish(key, !possible);
        if value >= LARGE {
            self.large.insert(key, value);
        }
        source.record_value(key, value);
    }

    /// Returns the query whether a component has the value k. The query is searched best first if
    /// the component has many moves, and otherwise depth first.
    fn query_kind(&self, key: u64, k: u64, source: &dyn OptionSource) -> QueryKind {
        let all = u32::MAX;
        // This query has infinite limits, so that it ends only with an answer.
        if source.moves(key) >= self.best_first_from {
            QueryKind::BestFirst {
                k,
                limits: ProofNumbers {
                    proof: all,
                    disproof: all,
                },
            }
        } else {
            QueryKind::DepthFirst { k, next: 0 }
        }
    }

    /// Runs the search until a query about a component is answered.
    fn answer(
        &mut self,
        key: u64,
        kind: QueryKind,
        source: &mut dyn OptionSource,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        self.memory = limits.memory;
        limits.poll()?;
        let (first_step, entered) = (self.steps, self.entered);
        // Use an explicit stack, since a play can be longer than the call stack is deep.
        let mut stack = vec![Query {
            key,
            kind,
            first_step,
        }];
        while let Some(query) = stack.last_mut() {
            self.steps += 1;
            if self.steps.is_multiple_of(POLL_INTERVAL) {
                limits.count(POLL_INTERVAL);
                limits.poll()?;
                limits.check(self.entered - entered, 0)?;
            }
            let slot = self.enter(query.key, source);
            // Entering a component may move or evict slots, so find the slot again in every step.
            self.merge_shared(slot);
            let step = match query.kind {
                QueryKind::Value => self.step_value(slot, source)?,
                QueryKind::DepthFirst { k, .. } | QueryKind::BestFirst { k, .. }
                    if self.has_value_if_known(slot, k).is_some() =>
                {
                    Step::Done
                }
                QueryKind::DepthFirst { k, .. } | QueryKind::BestFirst { k, .. } if k >= LARGE => {
                    let value = source.by_mex(query.key)?;
                    self.learn(slot, value, source);
                    Step::Done
                }
                QueryKind::DepthFirst { k, ref mut next } => {
                    self.step_depth_first(slot, k, next, source, limits)?
                }
                QueryKind::BestFirst { k, limits: bounds } => {
                    self.step_best_first(slot, k, bounds, source, limits)?
                }
            };
            match step {
                Step::Subquery(key, kind) => stack.push(Query {
                    key,
                    kind,
                    first_step: self.steps,
                }),
                Step::Done => {
                    let query = *query;
                    stack.pop();
                    // A query that was answered from the table took no steps, so it does not count
                    // for eviction.
                    let steps = self.steps - query.first_step;
                    if steps > 1 {
                        self.table.record_cost(slot, steps);
                    }
                    // If the query below on the stack is about the same component, it still needs
                    // this list.
                    if !matches!(query.kind, QueryKind::BestFirst { .. })
                        && stack.last().is_none_or(|below| below.key != query.key)
                    {
                        self.free_list(slot);
                    }
                }
            }
            if !stack.is_empty() {
                self.make_room(&mut stack);
            }
        }
        Ok(())
    }

    fn step_value(&mut self, slot: usize, source: &mut dyn OptionSource) -> Result<Step, Stop> {
        let (key, possible) = (self.table.key(slot), self.table.possible(slot));
        if self.value_of(key, possible).is_some() {
            return Ok(Step::Done);
        }
        match u64::from(possible.trailing_zeros()) {
            LARGE => {
                let value = source.by_mex(key)?;
                self.learn(slot, value, source);
                Ok(Step::Done)
            }
            // Query the least possible value first. To prove that k is the value, all smaller
            // values must be excluded anyway.
            k => Ok(Step::Subquery(key, self.query_kind(key, k, source))),
        }
    }

    /// Takes one step of the depth-first query whether the component in a slot has the value k.
    /// `next` is the index of the next option.
    fn step_depth_first(
        &mut self,
        slot: usize,
        k: u64,
        next: &mut usize,
        source: &mut dyn OptionSource,
        limits: &Limits<'_>,
    ) -> Result<Step, Stop> {
        let Some((list, existing)) = self.option_list(slot, k, true, source, limits)? else {
            return Ok(Step::Done);
        };
        let (start, end) = self.lists.range(list);
        let mut at = start;
        if *next == 0 && existing {
            self.table.prefetch_tags(self.lists.words(start, end));
            // A known option of value k answers the query, so search the whole list for one before
            // any other step. A new list has none, since listing leaves out options whose value is
            // known.
            while at < end {
                if let SumTest::Equal = self.test_sum(self.lists.option(at), k, source) {
                    self.exclude(slot, k);
                    return Ok(Step::Done);
                }
                at = self.lists.next_option(at);
            }
            at = start;
        }
        at = at.max(*next);
        while at < end {
            let step = match self.test_sum(self.lists.option(at), k, source) {
                SumTest::Equal => {
                    self.exclude(slot, k);
                    return Ok(Step::Done);
                }
                SumTest::Known(value) => {
                    self.exclude(slot, value);
                    at = self.lists.next_option(at);
                    continue;
                }
                SumTest::Different => {
                    at = self.lists.next_option(at);
                    continue;
                }
                SumTest::OneUnknown { key, k, .. } => {
                    Step::Subquery(key, self.query_kind(key, k, source))
                }
                SumTest::SeveralUnknown(key, _) => Step::Subquery(key, QueryKind::Value),
            };
            *next = at;
            return Ok(step);
        }
        // No option has the value k, so the value of the component is at most k. A smaller value is
        // excluded by an option that has it. This is cheap to find now, since most options are
        // known.
        *next = at;
        let (key, possible) = (self.table.key(slot), self.table.possible(slot));
        let smaller = possible & ((1 << k) - 1);
        if smaller != 0 {
            let smaller = u64::from(smaller.trailing_zeros());
            return Ok(Step::Subquery(key, self.query_kind(key, smaller, source)));
        }
        self.learn(slot, k, source);
        Ok(Step::Done)
    }

    /// Tests whether a sum of components, such as an option, has the value k.
    fn test_sum(&self, sum: &[u64], k: u64, source: &dyn OptionSource) -> SumTest {
        let mut known_sum = 0;
        let mut unknown: Option<(u64, usize, u32)> = None;
        let mut several = None;
        for &key in sum {
            let slot = self.table.place(key);
            // Components outside the table are not entered for this test. Most of them are never
            // visited, and they would fill the table.
            let possible = if self.table.is_occupied(slot) {
                self.table.possible(slot)
            } else {
                source.possible_if_cheap(key)
            };
            if let Some(value) = self.value_of(key, possible) {
                known_sum ^= value;
                continue;
            }
            let Some((first, ..)) = unknown else {
                unknown = Some((key, slot, possible));
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
        match (several, unknown) {
            (Some((key, _, moves)), _) => SumTest::SeveralUnknown(key, moves),
            (None, None) if known_sum == k => SumTest::Equal,
            (None, None) => SumTest::Known(known_sum),
            (None, Some((key, slot, possible))) => {
                // The last component must have the nim-sum of k and the known values.
                let k = k ^ known_sum;
                if possible >> k.min(LARGE) & 1 == 0 {
                    SumTest::Different
                } else {
                    SumTest::OneUnknown { key, slot, k }
                }
            }
        }
    }

    /// Returns the index of the list of a component's options, and whether the list existed before.
    /// If there is no list, creates a sorted list without the options of known value, and excludes
    /// their values for the component. Returns `None` if the excluded values decide whether the
    /// component has the value k.
    ///
    /// If `all` is `false`, moves that leave the component in one piece are not listed. Such moves
    /// rarely lead to known components, and best-first search visits most components only once.
    fn option_list(
        &mut self,
        slot: usize,
        k: u64,
        all: bool,
        source: &mut dyn OptionSource,
        limits: &Limits<'_>,
    ) -> Result<Option<(usize, bool)>, Stop> {
        let existing = self.table.listed(slot);
        let incomplete = existing.filter(|&list| all && self.lists.unlisted(list) > 0);
        if let Some(list) = existing
            && incomplete.is_none()
        {
            return Ok(Some((list, true)));
        }
        let key = self.table.key(slot);
        // Take the buffer out of `self`, since `list_moves` also borrows `self`.
        let mut listing = std::mem::take(&mut self.listing);
        listing.clear();
        let kinds: &[MoveKind] = if let Some(list) = incomplete {
            self.lists.copy_to(list, &mut listing);
            &[MoveKind::NonSplitting]
        } else {
            self.listed_components += 1;
            if all {
                &[MoveKind::Splitting, MoveKind::NonSplitting]
            } else {
                &[MoveKind::Splitting]
            }
        };
        let excluded = self.list_moves(key, k, kinds, &mut listing, source, limits);
        let list = excluded.map(|excluded| {
            self.table.restrict(slot, !excluded);
            // `restrict` has already removed k. `exclude` also writes this to the shared table.
            if excluded >> k & 1 == 1 {
                self.exclude(slot, k);
                return None;
            }
            self.sort_options(&mut listing, source);
            let options = listing
                .options
                .iter()
                .map(|option| option.of(&listing.keys));
            let list = if let Some(list) = incomplete {
                self.lists.replace_by_complete(list, options)
            } else {
                let unlisted = if all {
                    0
                } else {
                    source.non_splitting_moves(key)
                };
                self.lists.add(options, unlisted)
            };
            self.table.list(slot, list);
            self.has_value_if_known(slot, k)
                .is_none()
                .then_some((list, false))
        });
        self.listing = listing;
        list
    }

    /// Lists the options that are reached by moves of the given kinds. Ends early when an option is
    /// known to have the value k. Options of known value are left out. Returns the set of their
    /// values, in which bit v stands for v.
    fn list_moves(
        &mut self,
        key: u64,
        k: u64,
        kinds: &[MoveKind],
        listing: &mut Listing,
        source: &mut dyn OptionSource,
        limits: &Limits<'_>,
    ) -> Result<u32, Stop> {
        if self.listed_components.is_multiple_of(32) {
            limits.poll()?;
        }
        let table = &self.table;
        let batch = lists::lookup_batch(table);
        let (mut seen, mut excluded) = (0u64, 0u32);
        let flow = kinds.iter().try_for_each(|&moves| {
            source.options(key, moves, &mut |sum| {
                listing.push(sum);
                // The options of a single component may need more memory than allowed.
                seen += 1;
                if seen.is_multiple_of(POLL_INTERVAL) {
                    break_on_error(
                        limits
                            .poll()
                            .and_then(|()| limits.check(1, listing.bytes())),
                    )?;
                }
                if seen.is_multiple_of(batch) {
                    excluded |= listing.remove_known(table);
                }
                if excluded >> k & 1 == 1 {
                    ControlFlow::Break(Halt::Enough)
                } else {
                    ControlFlow::Continue(())
                }
            })
        });
        stopped_early(flow)?;
        if excluded >> k & 1 == 0 {
            excluded |= listing.remove_known(table);
        }
        Ok(excluded)
    }

    /// Sorts options by size and removes duplicates. A duplicate may remain if a different option
    /// with the same sort key is between the two.
    fn sort_options(&self, listing: &mut Listing, source: &dyn OptionSource) {
        let Listing { keys, options, .. } = listing;
        for option in options.iter_mut() {
            let sum = option.of(keys);
            // The sum of squares is smaller for an even split than for a large and a small
            // component. So an even split comes first, since the cost of a search grows faster than
            // the size.
            let sizes = sum.iter().map(|&key| u64::from(source.size(key)).pow(2));
            let tie_break = self.sharing.tie_break(sum);
            let size = sizes.sum::<u64>().min(u64::MAX >> RANK_BITS);
            option.rank = size << RANK_BITS | tie_break;
        }
        options.sort_unstable_by_key(|option| option.rank);
        options.dedup_by(|a, b| a.rank == b.rank && a.of(keys) == b.of(keys));
    }

    /// Frees the list of a component, if it is the list that was allocated last.
    ///
    /// Depth-first queries end in the reverse order of their start. Hence the lists form a stack,
    /// and its top stays in the processor's cache. Components that are visited repeatedly are
    /// searched best first and keep their lists.
    fn free_list(&mut self, slot: usize) {
        if let Some(list) = self.table.listed(slot)
            && self.lists.drop_last(list)
        {
            self.table.drop_list(slot);
        }
    }

    /// Evicts lists of options, and then components, if they exceed their shares of the memory
    /// limit.
    fn make_room(&mut self, stack: &mut [Query]) {
        // The second bound keeps the indices of lists within 32 bits.
        let lists = (self.memory / 8 * 3).min(8 * (NimberTable::MAX_LISTS / 2));
        // A vector doubles its capacity when it grows, so up to half of the limit may be in use
        // before.
        if self.lists.length() as u64 > lists / 2 {
            self.evict_lists(stack);
        }
        if (self.table.bytes_while_growing()).is_some_and(|bytes| bytes as u64 > self.memory / 2) {
            // Components on the stack must stay, since their queries will use their slots.
            let queried = stack.iter().map(|query| query.key).collect();
            self.table.evict_cheap_half(&queried);
        }
    }

    /// Stores in the map the proof numbers of the query whether the component `key` has the value
    /// k. If the map is full, clears it first.
    fn store_proof_numbers(&mut self, key: u64, k: u64, numbers: ProofNumbers) {
        let bytes = self.numbers.capacity() * ENTRY_BYTES;
        if bytes as u64 > self.memory / 16 && self.numbers.len() == self.numbers.capacity() {
            self.numbers.clear();
        }
        self.numbers.insert((key, k), numbers);
    }

    fn evict_lists(&mut self, stack: &mut [Query]) {
        // Keep the proof numbers that are stored in the lists. With new estimates the search might
        // repeat the same steps forever.
        let lists = std::mem::take(&mut self.lists);
        let stored = |(key, list)| {
            lists
                .stored_query(list)
                .map(|(k, numbers)| (key, k, numbers))
        };
        let stored: Vec<_> = self.table.lists().filter_map(stored).collect();
        for (key, k, numbers) in stored {
            self.store_proof_numbers(key, k, numbers);
        }
        self.evicted_lists = true;
        self.table.drop_lists();
        for query in stack {
            // A new list may have another order, so every depth-first query starts again with its
            // first option. The excluded values remain, so no result is lost.
            if let QueryKind::DepthFirst { next, .. } = &mut query.kind {
                *next = 0;
            }
        }
    }
}

/// Approximate number of bytes of an entry in the map of proof numbers.
const ENTRY_BYTES: usize = size_of::<((u64, u64), ProofNumbers)>() + 1;
