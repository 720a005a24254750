//! Answers about pairs of forms: a table with one word an answer, since finding one costs little
//! more than reaching memory.

use std::ops::Range;

use crate::form::Form;

/// What was found out about pairs of forms.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// An answer and its pair, or `FREE`; the length is 0 or a power of two.
    slots: Vec<u64>,
    count: usize,
}

/// A comparison a <= b under way: the a^L that must not be at least b, then the b^R that must not
/// be at most a.
#[derive(Debug)]
pub(crate) struct Comparison {
    pub(crate) a: Form,
    pub(crate) b: Form,
    pub(crate) lefts: Range<u32>,
    pub(crate) rights: Range<u32>,
}

/// No pair: forms have numbers below 2^31.
const FREE: u64 = u64::MAX;

/// Returns the pair in the upper bits, room for the answer in the lowest.
fn word(a: Form, b: Form) -> u64 {
    u64::from(a.0) << 32 | u64::from(b.0) << 1
}

impl Answers {
    pub(crate) fn get(&self, a: Form, b: Form) -> Option<bool> {
        if self.slots.is_empty() {
            return None;
        }
        let wanted = word(a, b);
        let slot = self.slots[self.place(wanted)];
        (slot != FREE).then_some(slot & 1 == 1)
    }

    pub(crate) fn insert(&mut self, a: Form, b: Form, answer: bool) {
        // At most five eighths are taken, so that few are stepped over.
        if 8 * self.count >= 5 * self.slots.len() {
            let larger = vec![FREE; (2 * self.slots.len()).max(1024)];
            for old in std::mem::replace(&mut self.slots, larger) {
                if old != FREE {
                    let place = self.place(old & !1);
                    self.slots[place] = old;
                }
            }
        }
        let wanted = word(a, b);
        let place = self.place(wanted);
        self.count += usize::from(self.slots[place] == FREE);
        self.slots[place] = wanted | u64::from(answer);
    }

    pub(crate) fn bytes(&self) -> u64 {
        8 * self.slots.len() as u64
    }

    /// Where a pair stands, or where it would.
    fn place(&self, wanted: u64) -> usize {
        /// 2^64 over the golden ratio spreads pairs evenly (D. E. Knuth, The Art of Computer
        /// Programming 3, section 6.4).
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        let last = self.slots.len() - 1;
        let spread = (wanted ^ wanted >> 29).wrapping_mul(SPREAD);
        let mut place = (spread >> (64 - self.slots.len().trailing_zeros())) as usize;
        while self.slots[place] != FREE && self.slots[place] & !1 != wanted {
            place = (place + 1) & last;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn answers_are_found_again() {
        let mut random = fastrand::Rng::with_seed(5);
        let (mut answers, mut expected) = (Answers::default(), HashMap::new());
        for _ in 0..20_000 {
            let [a, b] = [0, 1].map(|_| Form(random.u32(..150)));
            let answer = random.bool();
            assert_eq!(answers.get(a, b), expected.get(&(a, b)).copied());
            answers.insert(a, b, answer);
            expected.insert((a, b), answer);
        }
        assert_eq!(answers.count, expected.len());
        assert!(answers.bytes() < 1 << 20);
        let last = Form(u32::MAX >> 1);
        answers.insert(last, last, false);
        assert_eq!(answers.get(last, last), Some(false));
    }
}
