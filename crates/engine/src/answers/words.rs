//! Who wins sums of an all-small game, as it was found by search: components as words beside a
//! form.

use grundy_base::index::hash;
use grundy_forms::Form;
use rustc_hash::FxHashMap;

use super::{Answer, CLASSES, DecidedWords};
use crate::cost_class;
use crate::packed::Sides;

/// The winners of sums of the packed components of one ruleset.
#[derive(Debug, Default)]
pub(crate) struct WordTable {
    /// Values of small components.
    pub(crate) values: FxHashMap<Sides, Form>,
    /// Who wins sums with one component.
    table: Table,
    /// Who wins sums with several.
    several: FxHashMap<WordSum, Answer>,
    /// Positions searched since the beginning.
    pub(crate) searched: u64,
}

/// A form and other components, in increasing order; the player to move is Left.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct WordSum {
    pub(crate) form: Form,
    pub(crate) parts: Parts,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Parts {
    None,
    One(Sides),
    Several(Box<[Sides]>),
}

impl Parts {
    pub(crate) fn as_slice(&self) -> &[Sides] {
        match self {
            Self::None => &[],
            Self::One(part) => std::slice::from_ref(part),
            Self::Several(parts) => parts,
        }
    }
}

/// Answers to sums with one component, 24 bytes each, with open addressing, at most three quarters
/// full.
#[derive(Debug, Default)]
struct Table {
    slots: Vec<Slot>,
    count: usize,
}

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

    fn part(&self) -> Sides {
        let Self {
            own, other, stride, ..
        } = *self;
        Sides { own, other, stride }
    }
}

/// The least table.
const LEAST: usize = 1 << 10;
const LEAST_BYTES: u64 = (LEAST * size_of::<Slot>()) as u64;

/// What took 2^8 positions or more is worth keeping for another day.
const DEAR: u8 = 9;

impl Table {
    fn place(&self, part: Sides, form: Form) -> usize {
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

    fn get(&self, part: Sides, form: Form) -> Option<Answer> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.place(part, form)].answer
    }

    /// Keeps an answer; there is room for it.
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

    fn is_full(&self) -> bool {
        4 * (self.count + 1) > 3 * self.slots.len()
    }

    /// Moves what is at least so dear to a table of so many slots.
    fn rebuild(&mut self, slots: usize, least: u8) {
        let before = std::mem::replace(&mut self.slots, vec![Slot::FREE; slots]);
        self.count = 0;
        for slot in before {
            if let Some(answer) = slot.answer.filter(|answer| answer.class >= least) {
                self.put(slot.part(), slot.form, answer);
            }
        }
    }

    fn bytes(&self) -> u64 {
        (size_of::<Slot>() * self.slots.capacity()) as u64
    }
}

/// About how many bytes one of several components takes, and a value.
const PART: u64 = 30;
const VALUE: u64 = 40;

impl WordTable {
    /// Bytes held, about.
    pub(crate) fn bytes(&self) -> u64 {
        self.table.bytes() + self.several_bytes() + VALUE * self.values.len() as u64
    }

    /// How many answers are kept.
    pub(crate) fn len(&self) -> usize {
        self.table.count + self.several.len()
    }

    /// Who wins a component beside a form.
    pub(crate) fn of_one(&self, part: Sides, form: Form) -> Option<Answer> {
        self.table.get(part, form)
    }

    /// Visits the answers to a component beside a form that took long to find.
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

    /// Forgets everything where it takes more bytes than this.
    pub(crate) fn fit(&mut self, room: u64) {
        if self.bytes() > room.max(LEAST_BYTES) {
            *self = Self::default();
        }
    }

    fn several_bytes(&self) -> u64 {
        self.several.len() as u64 * (size_of::<WordSum>() as u64 + 4 * PART)
    }

    /// Who wins a sum.
    pub(crate) fn get(&self, sum: &WordSum) -> Option<Answer> {
        match &sum.parts {
            Parts::One(part) => self.table.get(*part, sum.form),
            _ => self.several.get(sum).copied(),
        }
    }

    /// Trusts an answer that another process found.
    pub(super) fn recall(&mut self, decided: DecidedWords) {
        let DecidedWords {
            component,
            form,
            answer,
        } = decided;
        let parts = Parts::One(component);
        self.keep(WordSum { form, parts }, answer, u64::MAX, u64::MAX);
    }

    /// Keeps an answer in so many bytes, and of so many answers no more.
    pub(crate) fn keep(&mut self, sum: WordSum, answer: Answer, room: u64, most: u64) {
        let Parts::One(part) = sum.parts else {
            self.several.insert(sum, answer);
            return;
        };
        if self.table.is_full() {
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

    /// Forgets the cheaper answers, half of them or more: they are found again when they are
    /// needed.
    fn forget(&mut self) {
        let mut classes = [0u64; CLASSES];
        for answer in self.each() {
            classes[usize::from(answer.class)] += 1;
        }
        let least = cost_class::least_kept(&classes, self.len() as u64 / 2) as u8;
        self.table.rebuild(self.table.slots.len(), least);
        self.several.retain(|_, answer| answer.class >= least);
    }

    /// Adds the bytes of the answers of each class.
    pub(super) fn add_bytes_by_class(&self, classes: &mut [u64; CLASSES]) {
        // Open addressing leaves up to half of the slots free.
        for answer in self.each() {
            classes[usize::from(answer.class)] += 2 * size_of::<Slot>() as u64;
        }
    }

    /// Forgets the answers below a class, and the values of small components.
    pub(super) fn forget_below(&mut self, class: u8) {
        self.values = FxHashMap::default();
        self.several.retain(|_, answer| answer.class >= class);
        self.several.shrink_to_fit();
        let kept = self.table.slots.iter().filter_map(|slot| slot.answer);
        let kept = kept.filter(|answer| answer.class >= class).count();
        // At most three quarters of the slots may be full.
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

    #[test]
    fn a_slot_takes_24_bytes() {
        assert_eq!(size_of::<Slot>(), 24);
    }
}
