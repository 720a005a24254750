//! The evaluation of components by the definition of their values: from the values of their
//! options, or from the graph of all reachable components.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::kept_lists::{Listing, is_resumed_after};
use super::{Engine, Reach, Theory, Valuation};
use crate::store::lists;
use grundy_base::limits::{Limits, Stop};
use grundy_base::player::Player;

/// All components reachable from one component, and their options, for theories that need the whole
/// graph. The components are numbered from 0 in the order in which they are found. Component 0 is
/// the component to be evaluated.
#[derive(Debug, Default)]
pub struct Closure {
    /// The ids by which the store identifies the components, in the order of their closure numbers.
    ids: Vec<u32>,
    /// For each component whose options are listed, the ends of Left's and of Right's options in
    /// `options`.
    ends: Vec<[usize; 2]>,
    options: Vec<u32>,
}

impl Closure {
    /// Returns the lists of options of all components whose options have been listed, at least in
    /// part. A list is returned with the id of its component and with its state (see [`Listing`]).
    /// The closure numbers in all complete lists are first replaced by ids in the store. Only the
    /// final list can be incomplete. An incomplete list already contains ids, and its state is
    /// `last`.
    fn lists(&mut self, last: Listing) -> impl Iterator<Item = (u32, &[u32], Listing)> + Clone {
        let Self { ids, ends, options } = self;
        let complete = ends.last().map_or(0, |ends| ends[1]);
        let mut next = 0;
        while next < complete {
            let length = options[next] as usize;
            for number in &mut options[next + 1..=next + length] {
                *number = ids[*number as usize];
            }
            next += 1 + length;
        }
        let (ends, options) = (&*ends, &*options);
        let end = |component: usize| ends.get(component).map_or(options.len(), |ends| ends[1]);
        let begun = ids.iter().take(ends.len() + 1).enumerate();
        begun.map(move |(component, &id)| {
            let start = component.checked_sub(1).map_or(0, end);
            // If both players have the same moves, the list of Right is empty.
            let listing = ends.get(component).map_or(last, |&[left, _]| Listing {
                right: Some(left - start),
                complete: true,
            });
            (id, &options[start..end(component)], listing)
        })
    }

    /// Returns the number of components whose options are listed. In a finished closure, the
    /// options of every component are listed.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// Returns whether no component has listed options.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the options of a player in the component with the number `component`. Each option is
    /// a list of the numbers that its components have in this closure. If both players have the
    /// same moves, all options are those of Left.
    ///
    /// # Panics
    /// Panics if there is no such component.
    pub fn options(&self, component: u32, player: Player) -> impl Iterator<Item = &[u32]> {
        let component = component as usize;
        let before = component
            .checked_sub(1)
            .map_or(0, |before| self.ends[before][1]);
        let [left, right] = self.ends[component];
        lists(match player {
            Player::Left => &self.options[before..left],
            Player::Right => &self.options[left..right],
        })
    }
}

/// A map from the ids of components in the store to their closure numbers, by which a [`Closure`]
/// identifies its components.
struct ClosureNumbers {
    /// The length of the store when the map was created, which is the least id of a new component.
    first: u32,
    /// The closure numbers of the components with the ids `first`, `first` + 1, ...
    new: Vec<u32>,
    // Older components are scattered in the store, so a map is used for them.
    old: FxHashMap<u32, u32>,
}

/// The placeholder in [`ClosureNumbers`] for a component that has no closure number.
const NONE: u32 = u32::MAX;

impl ClosureNumbers {
    fn new(first: usize) -> Self {
        Self {
            first: first as u32,
            new: Vec::new(),
            old: FxHashMap::default(),
        }
    }

    /// Returns the closure number of the component with the id `id`. A component without a closure
    /// number gets the number `next`.
    fn number(&mut self, id: u32, next: u32) -> u32 {
        let Some(index) = id.checked_sub(self.first) else {
            return match self.old.entry(id) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => *new.insert(next),
            };
        };
        let index = index as usize;
        if self.new.len() <= index {
            self.new.resize(index + 1, NONE);
        }
        let number = &mut self.new[index];
        if *number == NONE {
            *number = next;
        }
        *number
    }
}

/// A frame of the stack of the search: a component whose options are being evaluated.
struct Frame {
    id: u32,
    /// The indices in the buffer `options`. `start` is the index of the component's first option,
    /// and `next` is that of its first option that may have no value yet.
    start: usize,
    next: usize,
    listing: Listing,
}

/// The stack of the depth-first search, with buffers that all frames share.
struct Stack<V> {
    frames: Vec<Frame>,
    options: Vec<u32>,
    /// The values of Left's options and of Right's options of one component.
    values: [Vec<V>; 2],
}

impl<V> Stack<V> {
    /// Returns the components on the stack with their options, starting with the root.
    fn lists(&self) -> impl Iterator<Item = (u32, &[u32], Listing)> + Clone {
        let ends = self.frames.iter().skip(1).map(|frame| frame.start);
        let ends = ends.chain([self.options.len()]);
        self.frames.iter().zip(ends).map(|(frame, end)| {
            let options = &self.options[frame.start..end];
            (frame.id, options, frame.listing)
        })
    }
}

impl Engine {
    /// Returns the value of a component.
    pub(super) fn component<T: Theory>(
        &mut self,
        root: u32,
        limits: &Limits<'_>,
    ) -> Result<T::Value, Stop> {
        if let Some(value) = self.value_without_options::<T>(root, limits)? {
            T::of(self).work.hits += 1;
            return Ok(value);
        }
        match T::REACH {
            Reach::Options => self.by_options::<T>(root, limits),
            Reach::Closure => self.by_closure::<T>(root, limits),
        }
    }

    /// Returns the value of a component if it is stored, or if the theory finds it without visiting
    /// the options.
    fn value_without_options<T: Theory>(
        &mut self,
        id: u32,
        limits: &Limits<'_>,
    ) -> Result<Option<T::Value>, Stop> {
        let column = &T::of(self).column;
        if let Some(value) = column.get(id) {
            return Ok(Some(value.clone()));
        }
        if column.is_open(id) {
            return Ok(None);
        }
        let (parts, index) = self.store.part(id);
        let value = match T::theorem(parts, index) {
            Some(known) => Some(known.value),
            None => T::value_without_options(self, id, limits)?,
        };
        if let Some(value) = &value {
            T::of(self).column.learn(id, value.clone());
        }
        Ok(value)
    }

    /// Finds all components reachable from `root` and evaluates them together.
    fn by_closure<T: Theory>(&mut self, root: u32, limits: &Limits<'_>) -> Result<T::Value, Stop> {
        let (mut closure, mut last) = (Closure::default(), Listing::default());
        let listed = self.list_closure::<T>(root, &mut closure, &mut last, limits);
        let theory = &mut T::of(self).theory;
        let values = listed.and_then(|()| theory.of_closure(&closure, limits));
        if let Err(stop) = &values
            && is_resumed_after(stop)
        {
            self.kept_lists.keep(closure.lists(last), limits);
        }
        let values = values?.ok_or(Stop::NoValue)?;
        let valuation = T::of(self);
        for (&id, value) in closure.ids.iter().zip(values) {
            valuation.column.learn(id, value);
        }
        valuation.column.get(root).cloned().ok_or(Stop::Cyclic)
    }

    /// Finds all components reachable from `root` and lists their options in `closure`. If a limit
    /// stops the work, `last` is the state of the list that was being filled.
    fn list_closure<T: Theory>(
        &mut self,
        root: u32,
        closure: &mut Closure,
        last: &mut Listing,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let mut numbers = ClosureNumbers::new(self.store.len());
        closure.ids.push(root);
        numbers.number(root, 0);
        // The search is breadth first. `ids` is the queue, and the options of its first
        // `ends.len()` components are listed.
        while let Some(&id) = closure.ids.get(closure.ends.len()) {
            *last = Listing::default();
            let work = &mut T::of(self).work;
            work.positions += 1;
            if work.positions.is_multiple_of(64) && !self.kept_lists.is_complete(id) {
                limits.poll()?;
            }
            let out = &mut closure.options;
            let start = out.len();
            limits.check(1, 4 * start as u64)?;
            self.kept_lists
                .list(&mut self.store, id, last, out, limits)?;
            let left = last.right.map_or(out.len(), |right| start + right);
            closure.ends.push([left, out.len()]);
            let mut next = start;
            while let Some(&length) = out.get(next) {
                // The option is a sum of several components, which has no value in this theory.
                if length > 1 {
                    return Err(Stop::Cyclic);
                }
                if length == 1 {
                    let (option, new) = (out[next + 1], closure.ids.len() as u32);
                    let number = numbers.number(option, new);
                    if number == new {
                        closure.ids.push(option);
                    }
                    // The numbers in the store are overwritten by those of the closure, which
                    // avoids a second copy of the lists.
                    out[next + 1] = number;
                }
                next += 1 + length as usize;
            }
        }
        Ok(())
    }

    /// Evaluates a component depth first. The search uses an explicit stack instead of recursion,
    /// so the length of play is bounded only by the available memory.
    fn by_options<T: Theory>(&mut self, root: u32, limits: &Limits<'_>) -> Result<T::Value, Stop> {
        let mut stack = Stack {
            frames: Vec::new(),
            options: Vec::new(),
            values: [Vec::new(), Vec::new()],
        };
        let result = self.run::<T>(root, &mut stack, limits);
        if let Err(stop) = &result {
            let column = &mut T::of(self).column;
            // If a component stayed open, the next question would report a cycle.
            stack.frames.iter().for_each(|frame| column.close(frame.id));
            if is_resumed_after(stop) {
                self.kept_lists.keep(stack.lists(), limits);
            }
        }
        result
    }

    fn run<T: Theory>(
        &mut self,
        root: u32,
        stack: &mut Stack<T::Value>,
        limits: &Limits<'_>,
    ) -> Result<T::Value, Stop> {
        self.open::<T>(root, stack, limits)?;
        loop {
            let Some(last) = stack.frames.last_mut() else {
                return Err(Stop::Cyclic);
            };
            let Frame {
                id,
                start,
                mut next,
                listing,
            } = *last;
            let options = &stack.options;
            // Continue at the first option that had a component without a value, so that each
            // option is visited once.
            let mut child = None;
            let Valuation { column, work, .. } = T::of(self);
            while next < options.len() {
                let length = options[next] as usize;
                let mut components = options[next + 1..=next + length].iter().copied();
                child = components.find(|&id| column.get(id).is_none());
                if child.is_some() {
                    break;
                }
                work.hits += 1;
                next += length + 1;
            }
            last.next = next;
            if let Some(child) = child {
                if self.value_without_options::<T>(child, limits)?.is_none() {
                    if T::of(self).column.is_open(child) {
                        return Err(Stop::Cyclic);
                    }
                    self.open::<T>(child, stack, limits)?;
                }
                continue;
            }
            let valuation = T::of(self);
            let options = &stack.options[start..];
            let [left, rights] = &mut stack.values;
            let value = match listing.right {
                // If both players have the same options, the values are collected only once.
                None => {
                    valuation.value_all(options, left, limits)?;
                    valuation.theory.of_options(left, left, limits)
                }
                Some(right) => {
                    let (of_left, of_right) = options.split_at(right);
                    valuation.value_all(of_left, left, limits)?;
                    valuation.value_all(of_right, rights, limits)?;
                    valuation.theory.of_options(left, rights, limits)
                }
            };
            let value = value?.ok_or(Stop::NoValue)?;
            valuation.column.learn(id, value.clone());
            // The options of the top component are at the end of the buffer, so truncating the
            // buffer frees them.
            stack.options.truncate(start);
            stack.frames.pop();
            if stack.frames.is_empty() {
                return Ok(value);
            }
        }
    }

    /// Lists the options of a component, and pushes the component onto the stack.
    fn open<T: Theory>(
        &mut self,
        id: u32,
        stack: &mut Stack<T::Value>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let (parts, _) = self.store.part(id);
        // Rules given at run time may be slow, so poll the limits for every component. With other
        // rules poll rarely, so that a short evaluation succeeds even after the time limit.
        let ends = parts.known_to_end();
        // If there is a complete kept list, no options are generated, and stopping here would not
        // save any work.
        let is_listed = self.kept_lists.is_complete(id);
        let valuation = T::of(self);
        let polls = !ends || stack.frames.is_empty() || valuation.work.positions.is_multiple_of(64);
        if polls && !is_listed {
            limits.poll()?;
        }
        valuation.work.positions += 1;
        limits.count(1);
        valuation.column.open(id);
        let start = stack.options.len();
        stack.frames.push(Frame {
            id,
            start,
            next: start,
            listing: Listing::default(),
        });
        let mut listing = Listing::default();
        let out = &mut stack.options;
        let listed = (self.kept_lists).list(&mut self.store, id, &mut listing, out, limits);
        if let Some(last) = stack.frames.last_mut() {
            last.listing = listing;
        }
        listed
    }
}

impl<T: Theory> Valuation<T> {
    /// Replaces the contents of `out` by the values of `options`. The value of every component of
    /// these options must be known.
    fn value_all(
        &mut self,
        options: &[u32],
        out: &mut Vec<T::Value>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        out.clear();
        let Self { theory, column, .. } = self;
        let known = |id: u32| {
            let value = column.get(id);
            value.expect("every option has just been seen known")
        };
        for option in lists(options) {
            out.push(match *option {
                [component] => known(component).clone(),
                _ => option
                    .iter()
                    .try_fold(T::EMPTY_SUM, |sum, &id| theory.add(&sum, known(id), limits))?,
            });
        }
        Ok(())
    }
}
