//! The answers that searches have found, kept for later questions.
//!
//! Each answer has a cost class: the binary length of the number of positions or steps that it took
//! to find. If memory is short, the answers of the lowest classes are evicted first, from all
//! tables. A search takes its table of sums out of [`Answers`] and puts it back when it ends.

pub(crate) mod nimbers;
pub(crate) mod sums;
pub(crate) mod words;

use rustc_hash::{FxHashMap, FxHashSet};

use grundy_forms::{Form, Forms};

use self::nimbers::NimberTable;
use self::sums::SumTable;
use self::words::WordTable;
use crate::cost_class;
use crate::packed::Sides;
use grundy_base::player::Player;

// A cost class is the binary length of a `u64`, which is between 0 and 64.
/// Number of cost classes.
pub(crate) const CLASSES: usize = u64::BITS as usize + 1;

/// The answer to the question whether the player to move wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Answer {
    /// `true` if the player to move wins.
    pub wins: bool,
    /// The cost class: the binary length of the number of positions that were searched.
    pub class: u8,
}

impl Answer {
    /// Creates the answer found by a search of `positions` positions.
    pub(crate) fn after(wins: bool, positions: u64) -> Self {
        let class = cost_class::of(positions);
        Self { wins, class }
    }
}

/// The answer for a component packed into words plus a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DecidedWords {
    /// The component from the view of Left, who is to move.
    pub component: Sides,
    /// The form that is added to it.
    pub form: Form,
    /// The answer: whether Left wins, and its cost class.
    pub answer: Answer,
}

/// The answer for a sum of forms and of components that have no form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DecidedSum {
    /// The player to move.
    pub player: Player,
    /// The forms, in increasing order.
    pub forms: Box<[Form]>,
    /// The numbers of the components in the store, in increasing order.
    pub components: Box<[u32]>,
    /// The answer: whether the player to move wins, and its cost class.
    pub answer: Answer,
}

/// An answer, as data to be written to a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Entry<'a> {
    /// The set of Sprague–Grundy values that are still possible for a packed component.
    Nimber {
        /// The name of the ruleset.
        ruleset: &'a str,
        /// The component.
        component: u64,
        /// The set of possible values: bit k stands for the value k.
        possible: u64,
        /// The cost class.
        class: u8,
    },
    /// The answer for a packed component plus a form, with the name of the ruleset.
    Words(&'a str, DecidedWords),
    /// The answer for a sum of forms and components.
    Sum(DecidedSum),
}

/// The key that identifies a table of nimbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NimberKey<'a> {
    /// The table for the packed components of the ruleset with this name.
    Packed(&'a str),
    /// The table for the components of the store's table with this number.
    Numbered(u32),
}

/// The answers of all searches.
#[derive(Debug, Default)]
pub struct Answers {
    /// The answers for sums of components.
    sums: SumTable,
    /// The answers for sums of packed components, one table for each name of a ruleset.
    words: FxHashMap<Box<str>, WordTable>,
    // A ruleset that packs components has no parameters, so its name identifies the rules.
    /// The possible nimbers of packed components, one table for each name of a ruleset.
    packed_nimbers: FxHashMap<Box<str>, NimberTable>,
    /// The possible nimbers of components in the store, one table for each table of the store.
    nimbers: FxHashMap<u32, NimberTable>,
    /// `true` if answers about sums are kept after a question.
    keeps_sums: bool,
}

impl Answers {
    /// Makes [`Answers::put_sums`] keep the answers about sums, from this call on.
    pub(crate) fn keep_sums(&mut self) {
        self.keeps_sums = true;
    }

    /// Takes the answers about sums out, for use by a search.
    pub(crate) fn take_sums(&mut self) -> SumTable {
        std::mem::take(&mut self.sums)
    }

    /// Puts the answers about sums back, or drops them unless [`Answers::keep_sums`] was called.
    pub(crate) fn put_sums(&mut self, mut sums: SumTable) {
        if self.keeps_sums {
            // A search that a limit stopped leaves open entries. The next search would take them
            // for repetitions of a position.
            sums.close();
            self.sums = sums;
        }
    }

    /// Returns the table of answers for the packed components of a ruleset.
    pub(crate) fn words(&mut self, ruleset: &str) -> &mut WordTable {
        named(&mut self.words, ruleset)
    }

    /// Returns the table of nimbers with this key.
    pub(crate) fn nimbers(&mut self, whose: NimberKey<'_>) -> &mut NimberTable {
        match whose {
            NimberKey::Packed(ruleset) => named(&mut self.packed_nimbers, ruleset),
            NimberKey::Numbered(table) => self.nimbers.entry(table).or_default(),
        }
    }

    /// Returns whether the table of answers about sums is empty.
    #[must_use]
    pub fn has_no_sums(&self) -> bool {
        self.sums.is_empty()
    }

    /// Returns the numbers of all components that occur in sums with an answer.
    pub(crate) fn components(&self) -> FxHashSet<u32> {
        self.sums.components().collect()
    }

    /// Adds an answer that another process found. Returns `false` and ignores the answer if it is
    /// not plausible.
    #[must_use = "the entry may have been rejected"]
    pub fn recall(&mut self, entry: Entry<'_>, forms: &Forms) -> bool {
        match entry {
            Entry::Nimber {
                ruleset,
                component,
                possible,
                class,
            } => {
                let nimbers = self.nimbers(NimberKey::Packed(ruleset));
                nimbers.recall(component, possible, class)
            }
            Entry::Words(ruleset, decided) => {
                // The answer may come from a damaged file. Check the properties on which the search
                // relies: disjoint words, a stride within a word, and a class that is a valid
                // index.
                let Sides { own, other, stride } = decided.component;
                let sound = own & other == 0
                    && own | other != 0
                    && (1..=64).contains(&stride)
                    && usize::from(decided.answer.class) < CLASSES;
                if sound {
                    self.words(ruleset).recall(decided);
                }
                sound
            }
            Entry::Sum(decided) => self.sums.recall(decided, forms),
        }
    }

    /// Visits the answers to be written to a file: the nimbers of packed components, and outcomes
    /// that took long to find. `value` returns the form of a component, if it is known.
    pub(crate) fn each(
        &mut self,
        forms: &mut Forms,
        value: &dyn Fn(u32) -> Option<Form>,
        visit: &mut dyn FnMut(Entry<'_>),
    ) {
        for (ruleset, table) in &self.packed_nimbers {
            table.each_packed(&mut |component, possible, class| {
                visit(Entry::Nimber {
                    ruleset,
                    component,
                    possible: possible.into(),
                    class,
                });
            });
        }
        for (ruleset, table) in &self.words {
            table.each_dear(&mut |decided| visit(Entry::Words(ruleset, decided)));
        }
        // Replace components by their forms. Later searches know these forms from the start, so
        // they would never ask for the original sums.
        self.sums.settle(forms, value);
        self.sums
            .each_dear(forms, &mut |decided| visit(Entry::Sum(decided)));
    }

    /// Evicts the answers of the lowest classes, if all answers take more than `room` bytes.
    /// Returns whether anything was evicted. `value` returns the form of a component, if it is
    /// known.
    pub(crate) fn fit(
        &mut self,
        room: u64,
        forms: &Forms,
        value: &dyn Fn(u32) -> Option<Form>,
    ) -> bool {
        // Settling visits every sum. It is done only when the table has doubled, so its amortized
        // time is constant.
        if self.sums.has_doubled() {
            self.sums.settle(forms, value);
        }
        if self.bytes() <= room {
            return false;
        }
        // All tables have the same threshold, so the most expensive answers of all are kept.
        let mut classes = [0; CLASSES];
        self.sums.add_bytes_by_class(&mut classes, 0);
        for table in self.words.values() {
            table.add_bytes_by_class(&mut classes);
        }
        for table in self.packed_nimbers.values().chain(self.nimbers.values()) {
            table.add_bytes_by_class(&mut classes);
        }
        let least = cost_class::least_kept(&classes, room) as u8;
        self.sums.forget_below(least);
        for table in self.words.values_mut() {
            table.forget_below(least);
        }
        let packed = self.packed_nimbers.values_mut();
        for table in packed.chain(self.nimbers.values_mut()) {
            table.forget_below(least);
        }
        true
    }

    /// Returns the approximate number of bytes that the answers occupy.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let words: u64 = self.words.values().map(WordTable::bytes).sum();
        let nimbers = self.packed_nimbers.values().chain(self.nimbers.values());
        let nimbers: usize = nimbers.map(NimberTable::bytes).sum();
        self.sums.bytes() + words + nimbers as u64
    }
}

/// Returns the table of a ruleset. Creates an empty one if there is none.
fn named<'t, T: Default>(tables: &'t mut FxHashMap<Box<str>, T>, ruleset: &str) -> &'t mut T {
    // `entry` would allocate the name at every lookup.
    if !tables.contains_key(ruleset) {
        tables.insert(ruleset.into(), T::default());
    }
    let table = tables.get_mut(ruleset);
    table.expect("the table was added if there was none")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns answers that have each class from 4 to 44, of three kinds: for a sum, for a packed
    /// component plus a form, and for a nimber.
    fn filled(forms: &Forms) -> Answers {
        let mut answers = Answers::default();
        answers.keep_sums();
        for round in 0..4_100u32 {
            let class = 4 + (round % 41) as u8;
            let answer = Answer {
                wins: round % 2 == 0,
                class,
            };
            let words = DecidedWords {
                component: Sides {
                    own: 1 + u64::from(round),
                    other: 0,
                    stride: 64,
                },
                form: Form::ZERO,
                answer,
            };
            let sum = DecidedSum {
                player: Player::Right,
                forms: Box::new([]),
                components: [round, round + 1].into(),
                answer,
            };
            let nimber = Entry::Nimber {
                ruleset: "cram",
                component: 1 + u64::from(round),
                possible: 6,
                class,
            };
            for entry in [Entry::Words("clobber", words), Entry::Sum(sum), nimber] {
                assert!(answers.recall(entry, forms));
            }
        }
        answers
    }

    /// Returns the number of answers of each class, for each of the three kinds.
    fn classes(answers: &mut Answers, forms: &mut Forms) -> [[usize; CLASSES]; 3] {
        let mut classes = [[0; CLASSES]; 3];
        answers.each(forms, &|_| None, &mut |entry| match entry {
            Entry::Nimber { class, .. } => classes[0][usize::from(class)] += 1,
            Entry::Words(_, one) => classes[1][usize::from(one.answer.class)] += 1,
            Entry::Sum(one) => classes[2][usize::from(one.answer.class)] += 1,
        });
        classes
    }

    #[test]
    fn the_costliest_answers_of_all_tables_are_kept() {
        let mut forms = Forms::default();
        let mut answers = filled(&forms);
        let all = classes(&mut answers, &mut forms);
        let room = answers.bytes();
        assert!(!answers.fit(room, &forms, &|_| None));
        assert!(answers.fit(room / 2, &forms, &|_| None));
        assert!(answers.bytes() <= room / 2);
        let left = classes(&mut answers, &mut forms);
        let least = (0..CLASSES).find(|&class| left[2][class] > 0).unwrap();
        assert!((15..35).contains(&least), "{least}");
        for (all, left) in all.iter().zip(&left) {
            // Outcomes of packed components with a class below 9 are not visited, since they are
            // cheap to find again.
            for class in 9..CLASSES {
                let expected = if class < least { 0 } else { all[class] };
                assert_eq!(left[class], expected, "{class}");
            }
        }
        let components = answers.components();
        let right = (0..4_100).filter(|round| 4 + round % 41 >= least as u32);
        let right: FxHashSet<u32> = right.flat_map(|round| [round, round + 1]).collect();
        assert_eq!(components, right);
    }

    /// Checks that a form replaces its component, and that the answer is kept for the new sum.
    #[test]
    fn forms_replace_their_components() {
        let mut forms = Forms::default();
        let limits = grundy_base::Limits::default();
        let [one, zero] = [1, 0].map(|number| forms.of_integer(number));
        let hot = forms.canonical(&[one], &[zero], &limits).unwrap();
        let mut answers = filled(&forms);
        let mut sums = Vec::new();
        let value = |id: u32| id.is_multiple_of(2).then_some(hot);
        answers.each(&mut forms, &value, &mut |entry| {
            if let Entry::Sum(sum) = entry {
                sums.push(sum);
            }
        });
        // The sums contain two successive numbers each, so exactly one of the components has the
        // form.
        assert_eq!(sums.len(), 2_050);
        for sum in sums {
            let [component] = sum.components[..] else {
                panic!("one has no form: {sum:?}")
            };
            assert_eq!((component % 2, &sum.forms[..]), (1, &[hot][..]));
        }
    }

    #[test]
    fn invalid_answers_are_rejected() {
        let (mut answers, forms) = (Answers::default(), Forms::default());
        let sum = |components: &[u32], class| {
            Entry::Sum(DecidedSum {
                player: Player::Left,
                forms: Box::new([]),
                components: components.into(),
                answer: Answer { wins: true, class },
            })
        };
        // Class 65 is out of range, and the components [2, 1] are not sorted.
        assert!(!answers.recall(sum(&[1, 2], 65), &forms));
        assert!(!answers.recall(sum(&[2, 1], 64), &forms));
        assert!(answers.has_no_sums());
        assert!(answers.recall(sum(&[1, 1, 2], 64), &forms));
        assert!(!answers.has_no_sums());
    }
}
