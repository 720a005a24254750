//! A table of answers about the sums that occur in an all-small game. Such a sum consists of a form
//! and of components packed into words.

use grundy_base::index::hash;
use grundy_forms::Form;
use rustc_hash::FxHashMap;

use super::{Answer, COST_CLASSES, DecidedWords};
use crate::cost_class;
use crate::packed::Sides;

/// The answers about the sums of one ruleset. The components of these sums are packed into words
/// ([`Sides`]).
#[derive(Debug, Default)]
pub(crate) struct WordTable {
    /// A cache of canonical forms: the form of each small component, by the packed component.
    pub(crate) values: FxHashMap<Sides, Form>,
    /// The answers for sums of a form and one component.
    table: Table,
    /// The answers for sums of a form and several components.
    several: FxHashMap<WordSum, Answer>,
    /// Number of positions searched so far, by all searches that use this table.
    pub(crate) searched: u64,
}

/// A sum of a form and packed components. The components are sorted, and Left is to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct WordSum {
    pub(crate) form: Form,
    pub(crate) parts: Parts,
}

/// The packed components of a sum. A single component, the usual case, needs no allocation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Parts {
    None,
    One(Sides),
    Several(Box<[Sides]>),
}

impl Parts {
    /// Returns the components as a slice.
    pub(crate) fn as_slice(&self) -> &[Sides] {
        match self {
            Self::None => &[],
            Self::One(part) => std::slice::from_ref(part),
            Self::Several(parts) => parts,
        }
    }
}

/// The answers for sums of a form and one component, as a hash table with open addressing. A slot
/// has 24 bytes, and at most three quarters of the slots are in use.
#[derive(Debug, Default)]
struct Table {
    slots: Vec<Slot>,
    count: usize,
}

/// A slot of the table. It is free if `answer` is `None`.
#[derive(Clone, Copy, Debug)]
struct Slot {
    own: u64,
    other: u64,
    form: Form,
    stride: u8,
    answer: Option<Answer>,
}

impl Slot {
    const FREE: Self = Self {
        own: 0,
        other: 0,
        form: Form::ZERO,
        stride: 0,
        answer: None,
    };

    /// Returns the component in the slot.
    fn part(&self) -> Sides {
        let Self {
            own, other, stride, ..
        } = *self;
        Sides { own, other, stride }
    }
}

/// Number of slots of the smallest table.
const MIN_SLOTS: usize = 1 << 10;
/// Number of bytes of the smallest table.
const MIN_BYTES: u64 = (MIN_SLOTS * size_of::<Slot>()) as u64;

/// The lowest cost class of answers that are written to a file: 2^8 positions or more.
const MIN_SAVED_CLASS: u8 = 9;

impl Table {
    /// Returns the index of the slot of the sum `part` + `form`, or of the free slot in which it
    /// would be inserted. The table must not be empty.
    fn slot_of(&self, part: Sides, form: Form) -> usize {
        // The number of slots is a power of two.
        let mask = self.slots.len() - 1;
        let mut index = hash(&(part, form)) as usize & mask;
        loop {
            let slot = &self.slots[index];
            if slot.answer.is_none() || slot.part() == part && slot.form == form {
                return index;
            }
            index = (index + 1) & mask;
        }
    }

    /// Returns the answer for the sum `part` + `form`.
    fn get(&self, part: Sides, form: Form) -> Option<Answer> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.slot_of(part, form)].answer
    }

    /// Inserts or replaces the answer for the sum `part` + `form`. The table must not be full.
    fn put(&mut self, part: Sides, form: Form, answer: Answer) {
        let index = self.slot_of(part, form);
        self.count += usize::from(self.slots[index].answer.is_none());
        let Sides { own, other, stride } = part;
        self.slots[index] = Slot {
            own,
            other,
            form,
            stride,
            answer: Some(answer),
        };
    }

    /// Returns whether one more answer would fill more than three quarters of the slots.
    fn is_full(&self) -> bool {
        4 * (self.count + 1) > 3 * self.slots.len()
    }

    /// Moves the answers whose cost class is at least `lowest` to a table with `slots` slots. Drops
    /// the other answers.
    fn rebuild(&mut self, slots: usize, lowest: u8) {
        // Linear probing cannot delete single entries. So an eviction also moves the remaining
        // answers to another table.
        let before = std::mem::replace(&mut self.slots, vec![Slot::FREE; slots]);
        self.count = 0;
        for slot in before {
            if let Some(answer) = slot.answer.filter(|answer| answer.class >= lowest) {
                self.put(slot.part(), slot.form, answer);
            }
        }
    }

    /// Returns the number of bytes that the slots occupy.
    fn bytes(&self) -> u64 {
        (size_of::<Slot>() * self.slots.capacity()) as u64
    }
}

/// Approximate number of bytes of a component in a sum with several components.
const PART_BYTES: u64 = 30;
/// Approximate number of bytes of an entry of [`WordTable::values`].
const VALUE_BYTES: u64 = 40;

impl WordTable {
    /// Returns the approximate number of bytes that the table occupies.
    pub(crate) fn bytes(&self) -> u64 {
        self.table.bytes() + self.several_bytes() + VALUE_BYTES * self.values.len() as u64
    }

    /// Returns the number of answers.
    pub(crate) fn len(&self) -> usize {
        self.table.count + self.several.len()
    }

    /// Returns the answer for the sum of one component and a form.
    pub(crate) fn get_single(&self, part: Sides, form: Form) -> Option<Answer> {
        self.table.get(part, form)
    }

    /// Visits the expensive answers for sums of a form and one component.
    pub(super) fn each_expensive(&self, visit: &mut dyn FnMut(DecidedWords)) {
        for slot in &self.table.slots {
            if let Some(answer) = slot.answer.filter(|answer| answer.class >= MIN_SAVED_CLASS) {
                visit(DecidedWords {
                    component: slot.part(),
                    form: slot.form,
                    answer,
                });
            }
        }
    }

    /// Clears the table if it occupies more than `max_bytes` bytes. Never clears a table of at most
    /// [`MIN_BYTES`] bytes.
    pub(crate) fn clear_if_larger(&mut self, max_bytes: u64) {
        // Always allow the smallest table. Otherwise a small `max_bytes` would clear it before
        // every search.
        if self.bytes() > max_bytes.max(MIN_BYTES) {
            *self = Self::default();
        }
    }

    /// Returns the approximate number of bytes of the sums with several components.
    fn several_bytes(&self) -> u64 {
        self.several.len() as u64 * (size_of::<WordSum>() as u64 + 4 * PART_BYTES)
    }

    /// Returns the answer for a sum.
    pub(crate) fn get(&self, sum: &WordSum) -> Option<Answer> {
        match &sum.parts {
            Parts::One(part) => self.table.get(*part, sum.form),
            _ => self.several.get(sum).copied(),
        }
    }

    /// Adds an answer that another process found.
    pub(super) fn recall(&mut self, decided: DecidedWords) {
        let DecidedWords {
            component,
            form,
            answer,
        } = decided;
        let parts = Parts::One(component);
        self.keep(WordSum { form, parts }, answer, u64::MAX, u64::MAX);
    }

    /// Inserts an answer. If the table is full, first doubles it. If the doubled table does not fit
    /// `max_bytes` bytes, or if there are `max_answers` answers or more, evicts cheap answers
    /// instead.
    pub(crate) fn keep(&mut self, sum: WordSum, answer: Answer, max_bytes: u64, max_answers: u64) {
        let Parts::One(part) = sum.parts else {
            self.several.insert(sum, answer);
            return;
        };
        if self.table.is_full() {
            // The doubled table has to fit `max_bytes` before it is allocated, so count its bytes.
            let larger = 2 * self.table.slots.len();
            let bytes = (larger * size_of::<Slot>()) as u64 + self.several_bytes();
            let count = self.len() as u64;
            if larger == 0 {
                self.table.rebuild(MIN_SLOTS, 0);
            } else if bytes <= max_bytes && count < max_answers {
                self.table.rebuild(larger, 0);
            } else {
                self.evict_cheap_half();
            }
        }
        self.table.put(part, sum.form, answer);
    }

    /// Returns an iterator over all answers.
    fn each(&self) -> impl Iterator<Item = Answer> {
        let single = self.table.slots.iter().filter_map(|slot| slot.answer);
        single.chain(self.several.values().copied())
    }

    /// Evicts the cheaper half of the answers, or more. A search finds them again when it needs
    /// them.
    fn evict_cheap_half(&mut self) {
        let mut classes = [0u64; COST_CLASSES];
        for answer in self.each() {
            classes[usize::from(answer.class)] += 1;
        }
        let lowest = cost_class::lowest_kept(&classes, self.len() as u64 / 2) as u8;
        self.table.rebuild(self.table.slots.len(), lowest);
        self.several.retain(|_, answer| answer.class >= lowest);
    }

    /// Adds the bytes that each answer occupies to the entry of `classes` for the cost class of the
    /// answer.
    pub(super) fn add_bytes_by_class(&self, classes: &mut [u64; COST_CLASSES]) {
        // Usually three eighths to three quarters of the slots are in use, so count two slots for
        // each answer.
        for answer in self.each() {
            classes[usize::from(answer.class)] += 2 * size_of::<Slot>() as u64;
        }
    }

    /// Evicts the answers of a cost class below `class`, and the forms of all small components.
    pub(super) fn evict_below(&mut self, class: u8) {
        // The forms of small components have no cost class, and are quick to compute again.
        self.values = FxHashMap::default();
        self.several.retain(|_, answer| answer.class >= class);
        self.several.shrink_to_fit();
        let kept = self.table.slots.iter().filter_map(|slot| slot.answer);
        let kept = kept.filter(|answer| answer.class >= class).count();
        // At most three quarters of the slots may be in use.
        let slots = (4 * kept / 3 + 1).next_power_of_two().max(MIN_SLOTS);
        if !self.table.slots.is_empty() {
            let slots = slots.min(self.table.slots.len());
            self.table.rebuild(slots, class);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // A search of Clobber on 5 by 5 squares stores a million positions (docs/performance.md), so
    // every byte counts.
    #[test]
    fn a_slot_takes_24_bytes() {
        assert_eq!(size_of::<Slot>(), 24);
    }
}
