//! The answers that searches have found, kept for later questions.
//!
//! The cost of an answer is the number of positions or steps of the search that found it. The cost
//! class of the answer is the number of binary digits of its cost. If memory is short, the answers
//! of the lowest classes in all tables are evicted first.
//!
//! When a search begins, it takes the table of answers about sums out of [`Answers`]. When the
//! search ends, it gives the table back.

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

// A cost class is the number of binary digits of a `u64`, which is between 0 and 64.
/// Number of cost classes: one for each possible number of binary digits (0 to 64) of the cost of
/// an answer.
pub(crate) const COST_CLASSES: usize = u64::BITS as usize + 1;

/// The answer to the question whether the player to move wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Answer {
    /// `true` if the player to move wins.
    pub wins: bool,
    /// The cost class: the number of binary digits of n, where n is the number of positions
    /// searched.
    pub class: u8,
}

impl Answer {
    /// Creates an answer that was found by a search of `positions` positions.
    pub(crate) fn new(wins: bool, positions: u64) -> Self {
        let class = cost_class::of(positions);
        Self { wins, class }
    }
}

/// The answer for the sum of a canonical form and a component. The component is packed into words
/// (`Sides`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DecidedWords {
    /// The component from the view of Left, who is to move.
    pub component: Sides,
    /// The canonical form that is added to the component.
    pub form: Form,
    /// The answer (whether Left wins), with the cost class of the search that found it.
    pub answer: Answer,
}

/// The answer for a sum of two kinds of terms: canonical forms, and components whose forms are not
/// known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DecidedSum {
    /// The player to move.
    pub player: Player,
    /// The canonical forms in the sum, sorted in increasing order.
    pub forms: Box<[Form]>,
    /// The components in the sum, each given by its id in the store of components. The ids are
    /// sorted in increasing order.
    pub components: Box<[u32]>,
    /// The answer (whether the player to move wins), with the cost class of the search that found
    /// it.
    pub answer: Answer,
}

/// An answer in the shape in which it is written to a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Entry<'a> {
    /// The set of Sprague–Grundy values that are still possible for a packed component.
    Nimber {
        /// The name of the ruleset.
        ruleset: &'a str,
        /// The packed component, that is, the word that represents it.
        component: u64,
        /// The set of possible values: bit k stands for the value k.
        possible: u64,
        /// The cost class of the most expensive search about the component: the number of binary
        /// digits of its number of steps.
        class: u8,
    },
    /// The name of a ruleset, and the answer for the sum of a form and a packed component.
    Words(&'a str, DecidedWords),
    /// The answer for a sum of forms and components.
    Sum(DecidedSum),
}

/// The key that identifies a table of nimbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NimberKey<'a> {
    /// The table for the packed components of the ruleset with this name.
    Packed(&'a str),
    /// The table of nimbers for the components of one ruleset that are not packed. The `u32` is the
    /// index of the table of the store that contains these components.
    Numbered(u32),
}

/// The answers of all searches.
#[derive(Debug, Default)]
pub struct Answers {
    /// The answers for sums of components.
    sums: SumTable,
    /// The answers for sums of packed components. There is one table for each ruleset, and the key
    /// is the name of the ruleset.
    words: FxHashMap<Box<str>, WordTable>,
    // A ruleset that packs components has no parameters, so its name identifies the rules.
    /// The nimbers that packed components can still have. There is one table for each ruleset, and
    /// the key is the name of the ruleset.
    packed_nimbers: FxHashMap<Box<str>, NimberTable>,
    /// The nimbers that components which are not packed can still have. There is one table for each
    /// ruleset. The key is the index of the table of the store that contains the components of the
    /// ruleset.
    nimbers: FxHashMap<u32, NimberTable>,
    /// `true` if answers about sums are kept for later questions.
    keeps_sums: bool,
}

impl Answers {
    /// Keeps answers about sums for later questions from now on. Without this call,
    /// [`Answers::return_sums`] drops them.
    pub(crate) fn keep_sums(&mut self) {
        self.keeps_sums = true;
    }

    /// Takes out the table of answers about sums, so that a search can use and extend it. The
    /// search gives it back by [`Answers::return_sums`].
    pub(crate) fn take_sums(&mut self) -> SumTable {
        std::mem::take(&mut self.sums)
    }

    /// Takes back the answers about sums from a search. Drops them unless [`Answers::keep_sums`]
    /// was called.
    pub(crate) fn return_sums(&mut self, mut sums: SumTable) {
        if self.keeps_sums {
            // A search that a limit stopped leaves entries of open sums. The next search would take
            // them for repetitions of a position.
            sums.close();
            self.sums = sums;
        }
    }

    /// Returns the table of answers for the packed components of a ruleset.
    pub(crate) fn words(&mut self, ruleset: &str) -> &mut WordTable {
        table_of(&mut self.words, ruleset)
    }

    /// Returns the table of nimbers with this key.
    pub(crate) fn nimbers(&mut self, key: NimberKey<'_>) -> &mut NimberTable {
        match key {
            NimberKey::Packed(ruleset) => table_of(&mut self.packed_nimbers, ruleset),
            NimberKey::Numbered(table) => self.nimbers.entry(table).or_default(),
        }
    }

    /// Returns whether the table of answers about sums is empty.
    ///
    /// ```
    /// use grundy_core::{Limits, Play, Solver, argument::Argument, registry};
    /// let board = registry::construct("domineering", &[(None, Argument::Board(4, 5))])?.into();
    /// for keeps_sums in [false, true] {
    ///     let mut solver = Solver::default();
    ///     if keeps_sums {
    ///         solver.keep_sums();
    ///     }
    ///     solver.outcome(&board, Play::Normal, &Limits::default())?;
    ///     assert_eq!(solver.answers().has_no_sums(), !keeps_sums);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn has_no_sums(&self) -> bool {
        self.sums.is_empty()
    }

    /// Returns the ids (in the store) of all components that occur in sums with an answer.
    pub(crate) fn components(&self) -> FxHashSet<u32> {
        self.sums.components().collect()
    }

    /// Adds an answer that another process found. Returns `false` and ignores the answer if it
    /// cannot be valid.
    ///
    /// ```
    /// use grundy_core::answers::{Answers, Entry};
    /// use grundy_forms::Forms;
    /// let (mut answers, forms) = (Answers::default(), Forms::default());
    /// let entry = |possible| Entry::Nimber { ruleset: "cram", component: 1, possible, class: 5 };
    /// assert!(answers.recall(entry(0b101), &forms));
    /// // A component has at least one possible value.
    /// assert!(!answers.recall(entry(0), &forms));
    /// ```
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
                // The answer may come from a damaged file, so check the properties on which the
                // search relies. The two words are disjoint and not both 0, the stride is within a
                // word, and the class is a valid index.
                let Sides { own, other, stride } = decided.component;
                let is_valid = own & other == 0
                    && own | other != 0
                    && (1..=64).contains(&stride)
                    && usize::from(decided.answer.class) < COST_CLASSES;
                if is_valid {
                    self.words(ruleset).recall(decided);
                }
                is_valid
            }
            Entry::Sum(decided) => self.sums.recall(decided, forms),
        }
    }

    /// Visits the answers to be written to a file: the possible nimbers of packed components, and
    /// the expensive answers about sums. The sums whose components are not packed come last. In
    /// these sums, each component is first replaced by its form, if `value` returns a form.
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
            table.each_expensive(&mut |decided| visit(Entry::Words(ruleset, decided)));
        }
        // Replace components by their forms. A later search knows these forms from the start, so it
        // never looks up the original sums.
        self.sums.replace_components(forms, value);
        self.sums
            .each_expensive(forms, &mut |decided| visit(Entry::Sum(decided)));
    }

    /// Evicts answers of the lowest cost classes until the remaining answers fit `max_bytes` bytes.
    /// Returns `false` if nothing had to be evicted for this.
    ///
    /// If the table of sums has doubled since components were last replaced by forms, first evicts
    /// the cheap answers in it. Then replaces each component of the remaining sums by its form, if
    /// `value` returns a form.
    pub(crate) fn evict_to(
        &mut self,
        max_bytes: u64,
        forms: &Forms,
        value: &dyn Fn(u32) -> Option<Form>,
    ) -> bool {
        // `replace_components` visits every sum. It is called only when the table has doubled, so
        // its amortized time is constant.
        if self.sums.has_doubled() {
            self.sums.replace_components(forms, value);
        }
        if self.bytes() <= max_bytes {
            return false;
        }
        // All tables have the same threshold, so the answers that stay are the most expensive ones
        // of all tables.
        let mut classes = [0; COST_CLASSES];
        self.sums.add_bytes_by_class(&mut classes, 0);
        for table in self.words.values() {
            table.add_bytes_by_class(&mut classes);
        }
        for table in self.packed_nimbers.values().chain(self.nimbers.values()) {
            table.add_bytes_by_class(&mut classes);
        }
        let lowest = cost_class::lowest_kept(&classes, max_bytes) as u8;
        self.sums.evict_below(lowest);
        for table in self.words.values_mut() {
            table.evict_below(lowest);
        }
        let packed = self.packed_nimbers.values_mut();
        for table in packed.chain(self.nimbers.values_mut()) {
            table.evict_below(lowest);
        }
        true
    }

    /// Returns the approximate number of bytes that the answers occupy.
    ///
    /// ```
    /// use grundy_core::answers::{Answers, Entry};
    /// use grundy_forms::Forms;
    /// let mut answers = Answers::default();
    /// assert_eq!(answers.bytes(), 0);
    /// let entry = Entry::Nimber { ruleset: "cram", component: 1, possible: 0b101, class: 5 };
    /// assert!(answers.recall(entry, &Forms::default()));
    /// assert!(answers.bytes() > 0);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let words: u64 = self.words.values().map(WordTable::bytes).sum();
        let nimbers = self.packed_nimbers.values().chain(self.nimbers.values());
        let nimbers: usize = nimbers.map(NimberTable::bytes).sum();
        self.sums.bytes() + words + nimbers as u64
    }
}

/// Returns the table of a ruleset. Creates an empty table if there is none.
fn table_of<'t, T: Default>(tables: &'t mut FxHashMap<Box<str>, T>, ruleset: &str) -> &'t mut T {
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

    /// Returns answers of three kinds: for a sum, for a packed component plus a form, and for the
    /// nimbers of a packed component. Of each kind there are 100 answers in each cost class from 4
    /// to 44.
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

    /// Returns the number of answers of each cost class, for each kind of [`Entry`]: nimbers,
    /// packed components plus forms, and sums.
    fn classes(answers: &mut Answers, forms: &mut Forms) -> [[usize; COST_CLASSES]; 3] {
        let mut classes = [[0; COST_CLASSES]; 3];
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
        let max_bytes = answers.bytes();
        assert!(!answers.evict_to(max_bytes, &forms, &|_| None));
        assert!(answers.evict_to(max_bytes / 2, &forms, &|_| None));
        assert!(answers.bytes() <= max_bytes / 2);
        let remaining = classes(&mut answers, &mut forms);
        let lowest = (0..COST_CLASSES)
            .find(|&class| remaining[2][class] > 0)
            .unwrap();
        assert!((15..35).contains(&lowest), "{lowest}");
        for (all, remaining) in all.iter().zip(&remaining) {
            // `each` does not visit outcomes of packed components with a class below 9, since they
            // are cheap to find again.
            for class in 9..COST_CLASSES {
                let expected = if class < lowest { 0 } else { all[class] };
                assert_eq!(remaining[class], expected, "{class}");
            }
        }
        let components = answers.components();
        let right = (0..4_100).filter(|round| 4 + round % 41 >= lowest as u32);
        let right: FxHashSet<u32> = right.flat_map(|round| [round, round + 1]).collect();
        assert_eq!(components, right);
    }

    /// Checks that components are replaced by their forms in the stored sums, and that the new sums
    /// keep the answers.
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
