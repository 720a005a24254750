//! The table of answers about sums of an all-small game: components packed as words, and a form.

use grundy_base::index::hash;
use grundy_forms::Form;
use rustc_hash::FxHashMap;

use super::{Answer, CLASSES, DecidedWords};
use crate::cost_class;
use crate::packed::Sides;

/// The answers about sums of the packed components of one ruleset.
#[derive(Debug, Default)]
pub(crate) struct WordTable {
    /// The values of small components.
    pub(crate) values: FxHashMap<Sides, Form>,
    /// The answers for sums with one component.
    table: Table,
    /// The answers for sums with several components.
    several: FxHashMap<WordSum, Answer>,
    /// Number of positions searched so far.
    pub(crate) searched: u64,
}

/// A sum of a form and components, which are sorted. Left is to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct WordSum {
    pub(crate) form: Form,
    pub(crate) parts: Parts,
}

/// The components of a sum. A single one, the usual case, needs no allocation.
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

/// A hash table of answers for sums with one component. It has 24 bytes an entry and open
/// addressing, and is at most three quarters full.
#[derive(Debug, Default)]
struct Table {
    slots: Vec<Slot>,
    count: usize,
}

/// A slot. It is free if it has no answer.
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

    /// Returns the component.
    fn part(&self) -> Sides {
        let Self {
            own, other, stride, ..
        } = *self;
        Sides { own, other, stride }
    }
}

/// Number of slots of the smallest table.
const LEAST: usize = 1 << 10;
/// Number of bytes of the smallest table.
const LEAST_BYTES: u64 = (LEAST * size_of::<Slot>()) as u64;

/// The least class of answers that are written to a file: 2^8 positions or more.
const DEAR: u8 = 9;

impl Table {
    /// Returns the index of a sum, or the free one at which it would be entered. The table must not
    /// be empty.
    fn place(&self, part: Sides, form: Form) -> usize {
        // The number of slots is a power of two.
        let mask = self.slots.len() - 1;
        let mut place = hash(&(part, form)) as usize & mask;
        loop {
            let slot = &self.slots[place];
            if slot.answer.is_none() || slot.part() == part && slot.form == form {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    /// Returns the answer for a sum.
    fn get(&self, part: Sides, form: Form) -> Option<Answer> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.place(part, form)].answer
    }

    /// Stores an answer. The table must not be full.
    fn put(&mut self, part: Sides, form: Form, answer: Answer) {
        let place = self.place(part, form);
        self.count += usize::from(self.slots[place].answer.is_none());
        let Sides { own, other, stride } = part;
        self.slots[place] = Slot {
            own,
            other,
            form,
            stride,
            answer: Some(answer),
        };
    }

    /// Returns whether another answer would exceed a load of three quarters.
    fn is_full(&self) -> bool {
        4 * (self.count + 1) > 3 * self.slots.len()
    }

    /// Moves the answers of at least the class `least` to a table with `slots` slots.
    fn rebuild(&mut self, slots: usize, least: u8) {
        // Linear probing cannot delete single entries, so eviction rebuilds the table as well.
        let before = std::mem::replace(&mut self.slots, vec![Slot::FREE; slots]);
        self.count = 0;
        for slot in before {
            if let Some(answer) = slot.answer.filter(|answer| answer.class >= least) {
                self.put(slot.part(), slot.form, answer);
            }
        }
    }

    /// Returns the number of bytes held.
    fn bytes(&self) -> u64 {
        (size_of::<Slot>() * self.slots.capacity()) as u64
    }
}

/// Approximate number of bytes of one of several components.
const PART: u64 = 30;
/// Approximate number of bytes of a value.
const VALUE: u64 = 40;

impl WordTable {
    /// Returns the approximate number of bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.table.bytes() + self.several_bytes() + VALUE * self.values.len() as u64
    }

    /// Returns the number of answers.
    pub(crate) fn len(&self) -> usize {
        self.table.count + self.several.len()
    }

    /// Returns the answer for the sum of a component and a form.
    pub(crate) fn of_one(&self, part: Sides, form: Form) -> Option<Answer> {
        self.table.get(part, form)
    }

    /// Visits the answers for the sum of a component and a form that took long to find.
    pub(super) fn each_dear(&self, visit: &mut dyn FnMut(DecidedWords)) {
        for slot in &self.table.slots {
            if let Some(answer) = slot.answer.filter(|answer| answer.class >= DEAR) {
                visit(DecidedWords {
                    component: slot.part(),
                    form: slot.form,
                    answer,
                });
            }
        }
    }

    /// Clears the table if it takes more than `room` bytes.
    pub(crate) fn fit(&mut self, room: u64) {
        // The least table is always allowed, or else a small `room` would clear it before every
        // run.
        if self.bytes() > room.max(LEAST_BYTES) {
            *self = Self::default();
        }
    }

    /// Returns the approximate number of bytes of the sums with several components.
    fn several_bytes(&self) -> u64 {
        self.several.len() as u64 * (size_of::<WordSum>() as u64 + 4 * PART)
    }

    /// Returns the answer for a sum.
    pub(crate) fn get(&self, sum: &WordSum) -> Option<Answer> {
        match &sum.parts {
            Parts::One(part) => self.table.get(*part, sum.form),
            _ => self.several.get(sum).copied(),
        }
    }

    /// Accepts an answer that another process found.
    pub(super) fn recall(&mut self, decided: DecidedWords) {
        let DecidedWords {
            component,
            form,
            answer,
        } = decided;
        let parts = Parts::One(component);
        self.keep(WordSum { form, parts }, answer, u64::MAX, u64::MAX);
    }

    /// Stores an answer, in a table of at most `room` bytes and about `most` answers.
    pub(crate) fn keep(&mut self, sum: WordSum, answer: Answer, room: u64, most: u64) {
        let Parts::One(part) = sum.parts else {
            self.several.insert(sum, answer);
            return;
        };
        if self.table.is_full() {
            // The bytes are those of the doubled table, since it has to fit before it is allocated.
            let larger = 2 * self.table.slots.len();
            let bytes = (larger * size_of::<Slot>()) as u64 + self.several_bytes();
            let count = self.len() as u64;
            if larger == 0 {
                self.table.rebuild(LEAST, 0);
            } else if bytes <= room && count < most {
                self.table.rebuild(larger, 0);
            } else {
                self.forget();
            }
        }
        self.table.put(part, sum.form, answer);
    }

    /// Visits all answers.
    fn each(&self) -> impl Iterator<Item = Answer> {
        let single = self.table.slots.iter().filter_map(|slot| slot.answer);
        single.chain(self.several.values().copied())
    }

    /// Evicts the cheaper half of the answers, or more. They are found again when they are needed.
    fn forget(&mut self) {
        let mut classes = [0u64; CLASSES];
        for answer in self.each() {
            classes[usize::from(answer.class)] += 1;
        }
        let least = cost_class::least_kept(&classes, self.len() as u64 / 2) as u8;
        self.table.rebuild(self.table.slots.len(), least);
        self.several.retain(|_, answer| answer.class >= least);
    }

    /// Adds the bytes of the answers of each class to `classes`.
    pub(super) fn add_bytes_by_class(&self, classes: &mut [u64; CLASSES]) {
        // The load is between three eighths and three quarters, so count two slots for each answer.
        for answer in self.each() {
            classes[usize::from(answer.class)] += 2 * size_of::<Slot>() as u64;
        }
    }

    /// Evicts the answers below a class, and all values of small components.
    pub(super) fn forget_below(&mut self, class: u8) {
        // Values have no cost class, and small components are quick to value again.
        self.values = FxHashMap::default();
        self.several.retain(|_, answer| answer.class >= class);
        self.several.shrink_to_fit();
        let kept = self.table.slots.iter().filter_map(|slot| slot.answer);
        let kept = kept.filter(|answer| answer.class >= class).count();
        // At most three quarters of the slots may be occupied.
        let slots = (4 * kept / 3 + 1).next_power_of_two().max(LEAST);
        if !self.table.slots.is_empty() {
            let slots = slots.min(self.table.slots.len());
            self.table.rebuild(slots, class);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Clobber on 5 by 5 searches a million positions (docs/performance.md), so every byte counts.
    #[test]
    fn a_slot_takes_24_bytes() {
        assert_eq!(size_of::<Slot>(), 24);
    }
}
