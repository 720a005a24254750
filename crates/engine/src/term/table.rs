//! The table of the components of one ruleset. Only this code of the store depends on the type of
//! the parts. It is compiled once for each type, so code that does not depend on the type is in
//! separate functions.

use std::any::Any;
use std::hash::Hasher;
use std::ops::ControlFlow;
use std::slice;
use std::sync::Arc;

use grundy_base::index::{Index, hash};

use super::{Term, count_moves};
use crate::move_counts::Reserve;
use crate::nature::Moves;
use crate::rules::{AnyRules, Capabilities, Packs, Part, Termination, Visit};
use crate::store::directory::Directory;
use crate::store::erased::{AnyTerm, PartFacts};
use crate::store::{
    ComponentTable, MAX_COUNTED_MOVES, NUMBER_BIT, Numbering, ScannedOption, Store,
};
use grundy_base::limits::{Flow, Halt, Limits, Stop, break_on_error, stopped_early};
use grundy_base::player::Player;

/// The components of one ruleset. In this module, the place of a component is its index in the
/// table.
pub(super) struct Table<P: Part> {
    numbers: Numbers,
    numbering: Numbering,
    /// The rules, and all components in the order of their places.
    components: Term<P>,
    /// The place of each component, found by the hash of the component.
    index: Index,
    /// The packing of components into words, if the rules have one.
    packs: Option<&'static dyn Packs<P>>,
    /// `true` if the rules count the bytes of parts.
    counts_bytes: bool,
    /// Number of bytes that all components occupy on the heap.
    contents: u64,
}

/// The ids of the components of a table. Nothing here depends on the type of the parts.
struct Numbers {
    /// The index of the table in its store.
    table: u32,
    /// The id (in the store) of the component at each place.
    ids: Vec<u32>,
}

impl Numbers {
    /// Gives an id to a new component, which is stored after all others.
    fn push(&mut self, directory: &mut Directory) {
        let place = self.ids.len() as u32;
        self.ids.push(directory.number(self.table, place));
    }

    /// Returns for each place whether its component is kept.
    fn kept(&self, kept: &dyn Fn(u32) -> bool) -> Vec<bool> {
        self.ids.iter().map(|&id| kept(id)).collect()
    }

    /// Frees the ids of the components that are not kept. The others move to the first free places,
    /// in the same order.
    fn retain(&mut self, kept: &[bool], directory: &mut Directory) {
        let (mut kept, mut place) = (kept.iter(), 0);
        self.ids.retain(|&id| {
            let kept = kept.next().is_some_and(|&kept| kept);
            if kept {
                directory.move_to(id, place);
                place += 1;
            } else {
                directory.free(id);
            }
            kept
        });
        self.ids.shrink_to(2 * self.ids.len());
    }
}

/// The progress of [`ComponentTable::list_options`].
struct Listing<'a> {
    /// Number of options to skip.
    before: u64,
    /// Number of options visited.
    seen: u64,
    limits: &'a Limits<'a>,
}

impl Listing<'_> {
    /// Begins an option. Returns `Some` if it is skipped.
    fn skip(&mut self) -> Option<Flow> {
        let skipped = self.seen < self.before;
        self.seen += 1;
        // Skipping an option is cheap, so poll the limits rarely. If they stop the work here, this
        // call has made no progress.
        let polls = skipped && self.seen.is_multiple_of(1 << 16);
        skipped.then(|| break_on_error(if polls { self.limits.poll() } else { Ok(()) }))
    }

    /// Checks the limits after an option was added. `stored` is the number of components, or `None`
    /// if each option is a position.
    fn check(&self, stored: Option<u64>, memory: u64) -> Flow {
        let limits = self.limits;
        let mut result = limits
            .check(stored.unwrap_or(self.seen), 0)
            .and_then(|()| limits.check(1, memory));
        if self.seen.is_multiple_of(16) {
            result = result.and_then(|()| limits.poll());
        }
        break_on_error(result)
    }
}

/// The components of one option that are not known, for [`ComponentTable::scan_options`].
struct NewComponents {
    count: usize,
    reserves: Option<[Reserve; 2]>,
    moves: u32,
}

impl NewComponents {
    fn add(&mut self, reserves: Option<[Reserve; 2]>, moves: u64) {
        self.count += 1;
        self.reserves = self
            .reserves
            .zip(reserves)
            .map(|([a, b], [c, d])| [a + c, b + d]);
        self.moves += moves as u32;
    }
}

/// A hasher that counts the bytes written to it. For a value with pointers, these include the bytes
/// to which the pointers refer.
#[derive(Default)]
struct ByteCount(u64);

impl Hasher for ByteCount {
    fn write(&mut self, bytes: &[u8]) {
        self.0 += bytes.len() as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Returns the number of bytes that a part occupies on the heap. If the rules do not count them,
/// this is an estimate from the number of bytes that are written to a hasher.
fn contents<P: Part>(rules: &dyn AnyRules<P>, counts_bytes: bool, part: &P) -> u64 {
    if counts_bytes && let Some(memory_use) = rules.capabilities().memory_use {
        return memory_use.bytes(slice::from_ref(part)) as u64;
    }
    let mut bytes = ByteCount::default();
    part.hash(&mut bytes);
    bytes.0.saturating_sub(size_of::<P>() as u64)
}

/// Returns the index of the table that contains the components of these rules, or `None` if there
/// is no such table.
fn find_table<P: Part>(rules: &Arc<dyn AnyRules<P>>, store: &Store) -> Option<u32> {
    // Terms of one question usually share one object with the rules. So compare the pointers first,
    // which is cheaper than comparing the rules.
    let newest = store.find_newest(&|table| {
        let table = Table::<P>::of(table);
        table.is_some_and(|table| Arc::ptr_eq(&table.components.rules, rules))
    });
    newest.or_else(|| {
        store.find_table(rules.key(), &|table| {
            let table = Table::<P>::of(table);
            table.is_some_and(|table| table.components.rules.same(&**rules))
        })
    })
}

/// Returns the index of the table that contains the components of these rules. Adds such a table if
/// there is none.
pub(super) fn number<P: Part>(rules: &Arc<dyn AnyRules<P>>, store: &mut Store) -> u32 {
    find_table(rules, store).unwrap_or_else(|| {
        let numbering = store.numbering();
        store.add_table(rules.key(), &|number| {
            Box::new(Table::new(number, numbering, Arc::clone(rules)))
        })
    })
}

/// Enters the components of some parts into a store, and appends the ids of the components to
/// `out`. Returns the index of the table that contains the components.
pub(super) fn enter<P: Part>(
    rules: &Arc<dyn AnyRules<P>>,
    parts: &[P],
    store: &mut Store,
    out: &mut Vec<u32>,
) -> u32 {
    let number = number(rules, store);
    let (table, ids) = Table::<P>::get_mut(store, number);
    for part in parts {
        table.push_components(part, ids, out);
    }
    number
}

/// Appends to `out` the ids of the components of a part. Returns `None` if one of the components is
/// not in the store.
pub(super) fn find<P: Part>(
    rules: &Arc<dyn AnyRules<P>>,
    part: &P,
    store: &Store,
    out: &mut Vec<u32>,
) -> Option<()> {
    let table = find_table(rules, store);
    let table = table.and_then(|table| Table::<P>::of(store.table(table)));
    let mut all = true;
    rules.components(part, &mut |component| {
        let known = table.and_then(|table| table.find(&component));
        all &= known.is_some();
        out.extend(known);
    });
    all.then_some(())
}

/// Visits the options of a part, in the order of [`MoveOrder`](crate::rules::MoveOrder) if the
/// rules have one.
fn ordered_options<P: Part>(
    rules: &dyn AnyRules<P>,
    capabilities: &Capabilities<'_, P>,
    player: Player,
    part: &P,
    visit: Visit<'_, P>,
) -> Flow {
    match capabilities.move_order {
        Some(order) => order.ordered_options(player, part, visit),
        None => rules.options(player, 0, part, visit),
    }
}

impl<P: Part> Table<P> {
    fn new(number: u32, numbering: Numbering, rules: Arc<dyn AnyRules<P>>) -> Self {
        let capabilities = rules.capabilities();
        Self {
            numbers: Numbers {
                table: number,
                ids: Vec::new(),
            },
            numbering,
            index: Index::default(),
            packs: capabilities.packs,
            counts_bytes: capabilities.memory_use.is_some(),
            contents: 0,
            components: Term {
                rules,
                parts: Vec::new(),
            },
        }
    }

    /// Returns `table` as a table of parts of the type `P`, or `None` if its parts have another
    /// type.
    fn of(table: &dyn ComponentTable) -> Option<&Self> {
        let table: &dyn Any = table;
        table.downcast_ref()
    }

    /// Returns the table with this index as a table of parts of the type `P`, and the directory of
    /// all components.
    ///
    /// # Panics
    /// Panics if the parts of the table have another type.
    pub(super) fn get_mut(store: &mut Store, number: u32) -> (&mut Self, &mut Directory) {
        let (table, ids) = store.table_mut(number);
        let table: &mut dyn Any = table;
        let table = table.downcast_mut();
        (table.expect("the key of a table names its type"), ids)
    }

    fn rules(&self) -> &Arc<dyn AnyRules<P>> {
        &self.components.rules
    }

    fn part(&self, place: u32) -> &P {
        &self.components.parts[place as usize]
    }

    /// Returns the id of a component, or `None` if it is not in the table.
    fn find(&self, component: &P) -> Option<u32> {
        let parts = &self.components.parts;
        let matches = |place: u32| parts[place as usize] == *component;
        let place = self.index.find(hash(component), matches)?;
        Some(self.numbers.ids[place as usize])
    }

    /// Appends to `out` the ids of the components of a part. Each new component gets an id.
    fn push_components(&mut self, part: &P, ids: &mut Directory, out: &mut Vec<u32>) {
        match self.numbering {
            Numbering::AsWritten => match self.find(part) {
                Some(id) => out.push(id),
                None => out.push(self.number(part.clone(), ids)),
            },
            Numbering::Components => Arc::clone(self.rules()).components(part, &mut |component| {
                out.push(self.number(component, ids));
            }),
        }
    }

    /// Appends to `out` the keys of the components of a part. A key is a packed word, or the id of
    /// a component with the bit [`NUMBER_BIT`] set.
    pub(super) fn push_keys(&mut self, part: &P, ids: &mut Directory, out: &mut Vec<u64>) {
        let rules = Arc::clone(self.rules());
        let packs = self.packs;
        rules.components(part, &mut |component| {
            let key = packs.and_then(|packs| packs.pack(&component));
            out.push(key.unwrap_or_else(|| {
                // Pin the component: a search for nimbers stores this key, so the number must never
                // be reused.
                let id = self.number(component, ids);
                ids.pin(id);
                NUMBER_BIT | u64::from(id)
            }));
        });
    }

    /// Returns the id of a component in the store. A new component gets an id.
    fn number(&mut self, component: P, ids: &mut Directory) -> u32 {
        let parts = &mut self.components.parts;
        let next = parts.len() as u32;
        // The index stores only places, so it needs the hashes of the parts when it grows. Let it
        // grow here, where the parts are not borrowed mutably.
        let hash_of = |place: u32| hash(&parts[place as usize]);
        (self.index).make_room(parts.len(), parts.len() + 1, &hash_of);
        let matches = |place: u32| parts[place as usize] == component;
        let place = self.index.number(hash(&component), next, matches);
        if place == next {
            self.contents += contents(&*self.components.rules, self.counts_bytes, &component);
            parts.push(component);
            self.numbers.push(ids);
        }
        self.numbers.ids[place as usize]
    }
}

impl<P: Part> ComponentTable for Table<P> {
    fn components(&self) -> &dyn PartFacts {
        &self.components
    }

    fn list_options(
        &mut self,
        place: u32,
        player: Player,
        before: usize,
        ids: &mut Directory,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let rules = Arc::clone(self.rules());
        let part = self.part(place).clone();
        let mut listing = Listing {
            before: before as u64,
            seen: 0,
            limits,
        };
        // `part` is a copy, since the table changes when the options are entered.
        stopped_early(rules.options(player, 0, &part, &mut |option, _| {
            if let Some(flow) = listing.skip() {
                return flow;
            }
            let length = out.len();
            out.push(0);
            for part in option {
                self.push_components(part, ids, out);
            }
            out[length] = (out.len() - length - 1) as u32;
            // Add the number of options, since an option whose components are all known enters no
            // component. An option takes about two words of `out`.
            let stored = matches!(self.numbering, Numbering::Components)
                .then(|| ids.entered(self.numbers.table) + (out.len() / 2) as u64);
            listing.check(stored, self.bytes() + 4 * out.len() as u64)
        }))
        .map(|_| ())
    }

    fn scan_options(
        &self,
        place: u32,
        player: Player,
        next: Option<Player>,
        is_known: &dyn Fn(u32) -> bool,
        visit: &mut dyn FnMut(&ScannedOption<'_>) -> Flow,
    ) -> Result<bool, Stop> {
        let (rules, mut known) = (&**self.rules(), Vec::new());
        // New components get no numbers here. A search discards most of these options, so entering
        // their components would fill the store in vain.
        let capabilities = rules.capabilities();
        let bounds = capabilities.bounds;
        let part = self.part(place);
        let visit: Visit<'_, P> = &mut |option, _| {
            known.clear();
            let mut stopped = None;
            let mut new = NewComponents {
                count: 0,
                reserves: Some(Default::default()),
                moves: 0,
            };
            for part in option {
                rules.components(part, &mut |component| {
                    if let Some(id) = self.find(&component).filter(|&id| is_known(id)) {
                        known.push(id);
                        return;
                    }
                    let moves = next.map_or(Ok(0), |next| {
                        count_moves(rules, &component, next, MAX_COUNTED_MOVES)
                    });
                    match moves {
                        Ok(moves) => new.add(bounds.and_then(|b| b.reserves(&component)), moves),
                        Err(stop) => stopped = Some(stop),
                    }
                });
            }
            break_on_error(stopped.map_or(Ok(()), Err))?;
            visit(&ScannedOption {
                known: &known,
                new: new.count,
                reserves: new.reserves,
                moves: new.moves,
            })
        };
        stopped_early(ordered_options(rules, &capabilities, player, part, visit))
    }

    fn pick_option(
        &mut self,
        place: u32,
        player: Player,
        option: u32,
        ids: &mut Directory,
        out: &mut Vec<u32>,
    ) -> Result<(), Stop> {
        let rules = Arc::clone(self.rules());
        let part = self.part(place).clone();
        // `scan_options` visits the options in the same fixed order, so the index identifies the
        // option.
        let mut before = option;
        let visit: Visit<'_, P> = &mut |option, _| {
            if before > 0 {
                before -= 1;
                return ControlFlow::Continue(());
            }
            for part in option {
                self.push_components(part, ids, out);
            }
            ControlFlow::Break(Halt::Enough)
        };
        let capabilities = rules.capabilities();
        stopped_early(ordered_options(
            &*rules,
            &capabilities,
            player,
            &part,
            visit,
        ))
        .map(|_| ())
    }

    fn visit_keys(
        &mut self,
        place: u32,
        ids: &mut Directory,
        limits: &Limits<'_>,
        visit: &mut dyn FnMut(&[u64]) -> Flow,
    ) -> Flow {
        let rules = Arc::clone(self.rules());
        let part = self.part(place).clone();
        let (mut keys, mut seen) = (Vec::new(), 0u64);
        rules.options(Player::Left, 0, &part, &mut |option, _| {
            seen += 1;
            if seen.is_multiple_of(16) {
                break_on_error(limits.poll())?;
            }
            keys.clear();
            for part in option {
                self.push_keys(part, ids, &mut keys);
            }
            let stored = limits.check(ids.entered(self.numbers.table), 0);
            break_on_error(stored.and_then(|()| limits.check(1, self.bytes())))?;
            visit(&keys)
        })
    }

    fn negative(&mut self, place: u32, ids: &mut Directory) -> Option<u32> {
        let (rules, part) = (Arc::clone(self.rules()), self.part(place));
        match rules.nature(part).moves {
            // Two equal impartial games cancel. This does not hold if a play may continue forever,
            // since their sum may then be a draw.
            Moves::Same => {
                let ends = rules.capabilities().termination == Termination::Ends;
                ends.then(|| self.numbers.ids[place as usize])
            }
            Moves::Partizan => {
                let negative = rules.capabilities().negation?.negative(part)?;
                Some(self.number(negative, ids))
            }
        }
    }

    fn after_move_elsewhere(&mut self, place: u32, ids: &mut Directory) -> Option<u32> {
        let turn = self.rules().capabilities().turn?;
        let part = turn.after_move_elsewhere(self.part(place))?;
        Some(self.number(part, ids))
    }

    fn term_of(&self, places: &mut dyn Iterator<Item = u32>) -> Arc<dyn AnyTerm> {
        let parts = places.map(|place| self.part(place).clone());
        self.components.with(parts.collect())
    }

    fn retain(&mut self, kept: &dyn Fn(u32) -> bool, ids: &mut Directory) {
        let kept = self.numbers.kept(kept);
        let Term { rules, parts } = &mut self.components;
        let (before, mut place) = (parts.len(), 0);
        parts.retain(|part| {
            place += 1;
            if !kept[place - 1] {
                self.contents -= contents(&**rules, self.counts_bytes, part);
            }
            kept[place - 1]
        });
        let count = parts.len();
        if count == before {
            return;
        }
        parts.shrink_to(2 * count);
        self.numbers.retain(&kept, ids);
        // The index contains places, most of which have changed, so build it again.
        self.index = Index::default();
        let hash_of = |place: u32| hash(&parts[place as usize]);
        self.index.make_room(count, count, &hash_of);
    }

    fn bytes(&self) -> u64 {
        let each = size_of::<P>() * self.components.parts.capacity();
        let numbers = 4 * self.numbers.ids.capacity();
        (each + self.index.bytes() + numbers) as u64 + self.contents
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strips::rows::{Squares, TreblecrossRow};

    #[test]
    fn memory_of_components_is_counted() {
        // There are 4096 options of 512 bytes each, which exceed one MiB, although the size of
        // their type is small.
        let rules: Arc<dyn AnyRules<Squares>> = Arc::new(TreblecrossRow);
        let mut store = Store::default();
        let mut ids = Vec::new();
        enter(&rules, &[Squares::empty(4096)], &mut store, &mut ids);
        let limits = Limits {
            memory: 1 << 20,
            ..Limits::default()
        };
        let stop = store.list_options(ids[0], Player::Left, &mut Vec::new(), &limits);
        assert_eq!(stop, Err(Stop::Memory(1 << 20)));
        assert!(store.len() < 2048);
    }
}
