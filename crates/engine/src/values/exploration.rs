//! Values of components by the definition: from those of their options, or of all that can be
//! reached.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::{Engine, Reach, Theory, Valuation};
use crate::nature::Moves;
use crate::store::lists;
use grundy_base::limits::{Limits, Stop};
use grundy_base::player::Player;

/// All components that can be reached from one, with their options: for theories that look at the
/// whole. Its components have numbers of their own, from 0 on; 0 is the root.
#[derive(Debug, Default)]
pub struct Closure {
    /// The numbers of the components in the store.
    ids: Vec<u32>,
    /// The ends of Left's and of Right's options of each component that has been listed.
    ends: Vec<[usize; 2]>,
    options: Vec<u32>,
}

impl Closure {
    /// Returns the number of components.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// Returns whether there is no component.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the options of a component, each as the numbers of its components. If both players
    /// have the same moves all are Left's.
    ///
    /// # Panics
    /// When there is no such component.
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

/// The numbers of components in a closure.
struct Numbers {
    /// The first component that was new to the store, and the numbers from this one on.
    first: u32,
    new: Vec<u32>,
    before: FxHashMap<u32, u32>,
}

/// Stands for a component without a number.
const NONE: u32 = u32::MAX;

impl Numbers {
    fn new(first: usize) -> Self {
        Self {
            first: first as u32,
            new: Vec::new(),
            before: FxHashMap::default(),
        }
    }

    /// Returns the number of a component, `next` if it has none yet.
    fn number(&mut self, id: u32, next: u32) -> u32 {
        let Some(place) = id.checked_sub(self.first) else {
            return match self.before.entry(id) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => *new.insert(next),
            };
        };
        let place = place as usize;
        if self.new.len() <= place {
            self.new.resize(place + 1, NONE);
        }
        let number = &mut self.new[place];
        if *number == NONE {
            *number = next;
        }
        *number
    }
}

/// A component whose options are being valued.
struct Unvalued {
    id: u32,
    /// The place of its options in the buffer, and of the next one to look at.
    start: usize,
    next: usize,
    /// The place of Right's options, if these are others than Left's.
    right: Option<usize>,
}

/// The components that are being valued, with buffers that are used again and again.
struct Stack<V> {
    open: Vec<Unvalued>,
    options: Vec<u32>,
    /// Values of Left's options and of Right's.
    values: [Vec<V>; 2],
}

impl Engine {
    /// Returns the value of a component.
    pub(super) fn component<T: Theory>(
        &mut self,
        root: u32,
        limits: &Limits<'_>,
    ) -> Result<T::Value, Stop> {
        if let Some(value) = self.settled::<T>(root, limits)? {
            T::of(self).work.hits += 1;
            return Ok(value);
        }
        match T::REACH {
            Reach::Options => self.by_options::<T>(root, limits),
            Reach::Closure => self.by_closure::<T>(root, limits),
        }
    }

    /// Returns the value of a component whose options have not been looked at, if it is known or the
    /// theory has a short way to it.
    fn settled<T: Theory>(
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
        let settled = match T::theorem(parts, index) {
            Some(known) => Some(known.value),
            None => T::settle(self, id, limits)?,
        };
        if let Some(value) = &settled {
            T::of(self).column.learn(id, value.clone());
        }
        Ok(settled)
    }

    /// Lists everything that can be reached from a component, and has it valued.
    fn by_closure<T: Theory>(&mut self, root: u32, limits: &Limits<'_>) -> Result<T::Value, Stop> {
        let mut closure = Closure::default();
        let mut numbers = Numbers::new(self.store.len());
        closure.ids.push(root);
        numbers.number(root, 0);
        while let Some(&id) = closure.ids.get(closure.ends.len()) {
            T::of(self).work.positions += 1;
            let out = &mut closure.options;
            let start = out.len();
            limits.check(1, 4 * start as u64)?;
            self.store.list_options(id, Player::Left, out, limits)?;
            let left = out.len();
            let (parts, index) = self.store.part(id);
            if parts.nature_of(index).moves == Moves::Own {
                self.store.list_options(id, Player::Right, out, limits)?;
            }
            closure.ends.push([left, out.len()]);
            let mut next = start;
            while let Some(&length) = out.get(next) {
                // A sum is no component, and has no value of its own here.
                if length > 1 {
                    return Err(Stop::Cyclic);
                }
                if length == 1 {
                    let (option, new) = (out[next + 1], closure.ids.len() as u32);
                    let number = numbers.number(option, new);
                    if number == new {
                        closure.ids.push(option);
                    }
                    out[next + 1] = number;
                }
                next += 1 + length as usize;
            }
        }
        let valuation = T::of(self);
        let values = valuation.theory.of_closure(&closure, limits)?;
        let values = values.ok_or(Stop::NoValue)?;
        for (&id, value) in closure.ids.iter().zip(values) {
            valuation.column.learn(id, value);
        }
        valuation.column.get(root).cloned().ok_or(Stop::Cyclic)
    }

    /// Values a component depth first, with a stack of its own: memory alone bounds the depth of a
    /// game.
    fn by_options<T: Theory>(&mut self, root: u32, limits: &Limits<'_>) -> Result<T::Value, Stop> {
        let mut stack = Stack {
            open: Vec::new(),
            options: Vec::new(),
            values: [Vec::new(), Vec::new()],
        };
        let result = self.run::<T>(root, &mut stack, limits);
        if result.is_err() {
            let column = &mut T::of(self).column;
            stack.open.iter().for_each(|opened| column.close(opened.id));
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
            let Some(last) = stack.open.last_mut() else {
                return Err(Stop::Cyclic);
            };
            let Unvalued {
                id,
                start,
                mut next,
                right,
            } = *last;
            let options = &stack.options;
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
                if self.settled::<T>(child, limits)?.is_none() {
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
            let value = match right {
                None => {
                    valuation.value_all(options, left, limits)?;
                    valuation.theory.of_options(left, left, limits)
                }
                Some(right) => {
                    let (of_left, of_right) = options.split_at(right - start);
                    valuation.value_all(of_left, left, limits)?;
                    valuation.value_all(of_right, rights, limits)?;
                    valuation.theory.of_options(left, rights, limits)
                }
            };
            let value = value?.ok_or(Stop::NoValue)?;
            valuation.column.learn(id, value.clone());
            stack.options.truncate(start);
            stack.open.pop();
            if stack.open.is_empty() {
                return Ok(value);
            }
        }
    }

    /// Lists the options of a component that is to be valued.
    fn open<T: Theory>(
        &mut self,
        id: u32,
        stack: &mut Stack<T::Value>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let (parts, index) = self.store.part(id);
        // Rules given at run time may be slow. Without any time left known values are still returned.
        let patient = parts.known_to_end();
        let own = parts.nature_of(index).moves == Moves::Own;
        let valuation = T::of(self);
        if !patient || stack.open.is_empty() || valuation.work.positions.is_multiple_of(64) {
            limits.poll()?;
        }
        valuation.work.positions += 1;
        limits.count(1);
        valuation.column.open(id);
        let start = stack.options.len();
        stack.open.push(Unvalued {
            id,
            start,
            next: start,
            right: None,
        });
        let out = &mut stack.options;
        self.store.list_options(id, Player::Left, out, limits)?;
        if own {
            if let Some(last) = stack.open.last_mut() {
                last.right = Some(out.len());
            }
            self.store.list_options(id, Player::Right, out, limits)?;
        }
        Ok(())
    }
}

impl<T: Theory> Valuation<T> {
    /// Collects the values of options whose components are all known.
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
                [only] => known(only).clone(),
                _ => option
                    .iter()
                    .try_fold(T::EMPTY_SUM, |sum, &id| theory.add(&sum, known(id), limits))?,
            });
        }
        Ok(())
    }
}
