//! The table of the components of one ruleset. This is the only code of the store that is compiled
//! separately for each ruleset.

use std::any::{Any, TypeId};
use std::hash::{Hash as _, Hasher};
use std::ops::ControlFlow;
use std::slice;
use std::sync::Arc;

use grundy_base::index::{Index, hash};

use super::{Term, count_moves};
use crate::move_counts::Reserve;
use crate::nature::Moves;
use crate::rules::{Ruleset, Termination, Visit};
use crate::store::directory::Directory;
use crate::store::erased::{AnyTerm, PartFacts};
use crate::store::{
    ComponentTable, MAX_COUNTED_MOVES, NUMBER_BIT, Numbering, RulesKey, ScannedOption, Store,
};
use grundy_base::limits::{Flow, Halt, Limits, Stop, break_on_error, stopped_early};
use grundy_base::player::Player;

/// The components of one ruleset. In this module, the place of a component is its index in the
/// table.
#[derive(Debug)]
pub(super) struct Table<R: Ruleset> {
    /// The index of the table in its store.
    number: u32,
    numbering: Numbering,
    /// The rules, and all components in the order of their places.
    components: Term<R>,
    /// The place of each component, found by the hash of the component.
    index: Index,
    /// The id (in the store) of the component at each place.
    ids: Vec<u32>,
    /// Number of bytes that all components occupy on the heap.
    contents: u64,
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
fn contents<R: Ruleset>(rules: &R, part: &R::Part) -> u64 {
    if let Some(memory_use) = rules.capabilities().memory_use {
        return memory_use.bytes(slice::from_ref(part)) as u64;
    }
    let mut bytes = ByteCount::default();
    part.hash(&mut bytes);
    bytes.0.saturating_sub(size_of::<R::Part>() as u64)
}

/// Returns the key by which a store finds the table of some rules.
fn key<R: Ruleset>(rules: &R) -> RulesKey {
    (TypeId::of::<R>(), hash(rules))
}

/// Returns the index of the table that contains the components of these rules, or `None` if there
/// is no such table.
fn find_table<R: Ruleset>(rules: &Arc<R>, store: &Store) -> Option<u32> {
    let same = |table: &dyn ComponentTable| {
        let table = Table::<R>::of(table);
        // Terms of one question usually share one object with the rules. So compare the pointers
        // first, which is cheaper than comparing the rules.
        table.is_some_and(|table| Arc::ptr_eq(&table.components.rules, rules))
    };
    let newest = store.find_newest(same);
    newest.or_else(|| {
        store.find_table(key(&**rules), |table| {
            let table = Table::<R>::of(table);
            table.is_some_and(|table| table.components.rules == *rules)
        })
    })
}

/// Returns the index of the table that contains the components of these rules. Adds such a table if
/// there is none.
pub(super) fn number<R: Ruleset>(rules: &Arc<R>, store: &mut Store) -> u32 {
    find_table(rules, store).unwrap_or_else(|| {
        let numbering = store.numbering();
        let key = key(&**rules);
        store.add_table(key, |number| {
            Box::new(Table::new(number, numbering, Arc::clone(rules)))
        })
    })
}

/// Enters the components of some parts into a store, and appends the ids of the components to
/// `out`. Returns the index of the table that contains the components.
pub(super) fn enter<R: Ruleset>(
    rules: &Arc<R>,
    parts: &[R::Part],
    store: &mut Store,
    out: &mut Vec<u32>,
) -> u32 {
    let number = number(rules, store);
    let (table, ids) = Table::<R>::get_mut(store, number);
    for part in parts {
        table.push_components(part, ids, out);
    }
    number
}

/// Appends to `out` the ids of the components of a part. Returns `None` if one of the components is
/// not in the store.
pub(super) fn find<R: Ruleset>(
    rules: &Arc<R>,
    part: &R::Part,
    store: &Store,
    out: &mut Vec<u32>,
) -> Option<()> {
    let table = find_table(rules, store);
    let table = table.and_then(|table| Table::<R>::of(store.table(table)));
    let mut all = true;
    rules.components(part, &mut |component| {
        let known = table.and_then(|table| Some(table.ids[table.find(&component)? as usize]));
        all &= known.is_some();
        out.extend(known);
    });
    all.then_some(())
}

/// Visits the options of a part, in the order of [`MoveOrder`](crate::rules::MoveOrder) if the
/// rules have one.
fn ordered_options<R: Ruleset>(
    rules: &R,
    player: Player,
    part: &R::Part,
    visit: Visit<'_, R::Part>,
) -> Flow {
    match rules.capabilities().move_order {
        Some(order) => order.ordered_options(player, part, visit),
        None => rules.options(player, 0, part, visit),
    }
}

impl<R: Ruleset> Table<R> {
    fn new(number: u32, numbering: Numbering, rules: Arc<R>) -> Self {
        Self {
            number,
            numbering,
            components: Term {
                rules,
                parts: Vec::new(),
            },
            index: Index::default(),
            ids: Vec::new(),
            contents: 0,
        }
    }

    /// Returns `table` as a table of the rules `R`, or `None` if it is a table of another type of
    /// rules.
    fn of(table: &dyn ComponentTable) -> Option<&Self> {
        let table: &dyn Any = table;
        table.downcast_ref()
    }

    /// Returns the table with this index as a table of the rules `R`, and the directory of all
    /// components.
    ///
    /// # Panics
    /// Panics if the table with this index is a table of another type of rules.
    pub(super) fn get_mut(store: &mut Store, number: u32) -> (&mut Self, &mut Directory) {
        let (table, ids) = store.table_mut(number);
        let table: &mut dyn Any = table;
        let table = table.downcast_mut();
        (table.expect("the key of a table names its type"), ids)
    }

    fn rules(&self) -> &Arc<R> {
        &self.components.rules
    }

    fn part(&self, place: u32) -> &R::Part {
        &self.components.parts[place as usize]
    }

    /// Returns the place of a component, or `None` if it is not in the table.
    fn find(&self, component: &R::Part) -> Option<u32> {
        let parts = &self.components.parts;
        (self.index).find(hash(component), |place| parts[place as usize] == *component)
    }

    /// Appends to `out` the ids of the components of a part. Each new component gets an id.
    fn push_components(&mut self, part: &R::Part, ids: &mut Directory, out: &mut Vec<u32>) {
        match self.numbering {
            Numbering::AsWritten => match self.find(part) {
                Some(place) => out.push(self.ids[place as usize]),
                None => out.push(self.number(part.clone(), ids)),
            },
            Numbering::Components => Arc::clone(self.rules()).components(part, &mut |component| {
                out.push(self.number(component, ids));
            }),
        }
    }

    /// Appends to `out` the keys of the components of a part. A key is a packed word, or the id of
    /// a component with the bit [`NUMBER_BIT`] set.
    pub(super) fn push_keys(&mut self, part: &R::Part, ids: &mut Directory, out: &mut Vec<u64>) {
        let rules = Arc::clone(self.rules());
        let packs = rules.capabilities().packs;
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
    fn number(&mut self, component: R::Part, ids: &mut Directory) -> u32 {
        let Term { rules, parts } = &mut self.components;
        let next = parts.len() as u32;
        let hash_of = |place: u32| hash(&parts[place as usize]);
        // The index stores only places, so it needs the hashes of the parts when it grows. Let it
        // grow here, where the parts are not borrowed mutably.
        self.index.make_room(parts.len(), parts.len() + 1, hash_of);
        let matches = |place: u32| parts[place as usize] == component;
        let place = self.index.number(hash(&component), next, matches);
        if place == next {
            self.contents += contents(&**rules, &component);
            parts.push(component);
            self.ids.push(ids.number(self.number, place));
        }
        self.ids[place as usize]
    }
}

impl<R: Ruleset> ComponentTable for Table<R> {
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
        // `part` is a copy, since the table changes when the options are entered.
        let mut seen = 0u64;
        stopped_early(rules.options(player, 0, &part, &mut |option, _| {
            if seen < before as u64 {
                // Skipping an option is cheap, so poll the limits rarely. If they stop the work
                // here, this call has made no progress.
                seen += 1;
                let polls = seen.is_multiple_of(1 << 16);
                return break_on_error(if polls { limits.poll() } else { Ok(()) });
            }
            let length = out.len();
            out.push(0);
            for part in option {
                self.push_components(part, ids, out);
            }
            out[length] = (out.len() - length - 1) as u32;
            seen += 1;
            let stored = match self.numbering {
                // Add the number of options, since an option whose components are all known enters
                // no component. An option takes about two words of `out`.
                Numbering::Components => ids.entered(self.number) + (out.len() / 2) as u64,
                // Each option is a position, so count the options.
                Numbering::AsWritten => seen,
            };
            let memory = self.bytes() + 4 * out.len() as u64;
            let mut result = limits
                .check(stored, 0)
                .and_then(|()| limits.check(1, memory));
            if seen.is_multiple_of(16) {
                result = result.and_then(|()| limits.poll());
            }
            break_on_error(result)
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
        let bounds = rules.capabilities().bounds;
        let part = self.part(place);
        stopped_early(ordered_options(rules, player, part, &mut |option, _| {
            known.clear();
            let (mut new, mut reserves) = (0, Some(<[Reserve; 2]>::default()));
            let (mut moves, mut stopped) = (0, None);
            for part in option {
                rules.components(part, &mut |component| {
                    let found = self.find(&component).map(|place| self.ids[place as usize]);
                    if let Some(id) = found.filter(|&id| is_known(id)) {
                        known.push(id);
                        return;
                    }
                    new += 1;
                    let further = bounds.and_then(|bounds| bounds.reserves(&component));
                    reserves = reserves.zip(further).map(|([a, b], [c, d])| [a + c, b + d]);
                    if let Some(next) = next {
                        match count_moves(rules, &component, next, MAX_COUNTED_MOVES) {
                            Ok(further) => moves += further as u32,
                            Err(stop) => stopped = Some(stop),
                        }
                    }
                });
            }
            if let Some(stop) = stopped {
                return ControlFlow::Break(stop.into());
            }
            visit(&ScannedOption {
                known: &known,
                new,
                reserves,
                moves,
            })
        }))
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
        stopped_early(ordered_options(&*rules, player, &part, &mut |option, _| {
            if before > 0 {
                before -= 1;
                return ControlFlow::Continue(());
            }
            for part in option {
                self.push_components(part, ids, out);
            }
            ControlFlow::Break(Halt::Enough)
        }))
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
            let stored = limits.check(ids.entered(self.number), 0);
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
                ends.then(|| self.ids[place as usize])
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
        let Term { rules, parts } = &mut self.components;
        // Move each kept component to the first free place, which preserves the order of the
        // components. Their numbers in the store do not change, and the directory gets the new
        // places.
        let mut count = 0;
        for place in 0..parts.len() {
            let id = self.ids[place];
            if !kept(id) {
                ids.free(id);
                self.contents -= contents(&**rules, &parts[place]);
                continue;
            }
            if count < place {
                parts.swap(count, place);
                self.ids.swap(count, place);
                ids.move_to(id, count as u32);
            }
            count += 1;
        }
        if count == parts.len() {
            return;
        }
        parts.truncate(count);
        parts.shrink_to(2 * count);
        self.ids.truncate(count);
        self.ids.shrink_to(2 * count);
        // The index contains places, most of which have changed, so build it again.
        self.index = Index::default();
        let hash_of = |place: u32| hash(&parts[place as usize]);
        self.index.make_room(count, count, hash_of);
    }

    fn bytes(&self) -> u64 {
        let each = size_of::<R::Part>() * self.components.parts.capacity();
        let numbers = 4 * self.ids.capacity();
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
        let rules = Arc::new(TreblecrossRow);
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
