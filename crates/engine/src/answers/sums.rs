//! A table of answers about sums of components.
//!
//! In normal play a sum has a number with ups and a nimber, and other canonical forms. It may also
//! have components whose forms are too expensive to compute. A component is identified by its id,
//! which is its number in the solver's store. The id stays valid as long as the table has an answer
//! about a sum with this component, so later searches can use the answers.

use grundy_forms::{Form, Forms, Packed};
use rustc_hash::FxHashMap;

use super::{Answer, COST_CLASSES, DecidedSum};
use crate::cost_class;
use grundy_base::limits::Stop;
use grundy_base::outcome::PayoffResult;
use grundy_base::player::Player;

/// A sum: a number with ups and a nimber (`packed`), other canonical forms (`forms`), and
/// components whose forms are not known (`components`). A component is given by its id in the
/// store. `forms` and `components` are sorted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sum {
    pub(crate) packed: Packed,
    pub(crate) forms: Box<[Form]>,
    pub(crate) components: Box<[u32]>,
}

impl Sum {
    /// Returns the empty sum.
    pub(crate) fn empty() -> Self {
        Self {
            packed: Packed::ZERO,
            forms: Box::default(),
            components: Box::default(),
        }
    }

    /// Returns whether the value of the sum is a number: it has no ups, no nimber, no other forms
    /// and no components.
    pub(crate) fn is_number(&self) -> bool {
        self.components.is_empty() && self.forms.is_empty() && self.packed.is_number()
    }

    /// Returns the id of the component, if the sum is a single component.
    pub(crate) fn single_component(&self) -> Option<u32> {
        match self.components[..] {
            [component] if self.forms.is_empty() && self.packed == Packed::ZERO => Some(component),
            _ => None,
        }
    }

    /// Returns the approximate number of bytes that the sum occupies.
    pub(crate) fn bytes(&self) -> u64 {
        80 + 4 * (self.components.len() + self.forms.len()) as u64
    }

    /// Returns the approximate number of bytes of the sum together with its entry in the table.
    pub(crate) fn bytes_in_table(&self) -> u64 {
        16 + self.bytes()
    }
}

/// Adds forms to a sum. Forms that are a number with ups and a nimber are added to `packed`. Any
/// other form cancels with its negative in `other_forms`, or is appended to this list if the
/// negative is not there.
pub(crate) fn add_forms(
    known: &Forms,
    forms: impl Iterator<Item = Form>,
    packed: &mut Packed,
    other_forms: &mut Vec<Form>,
) -> Result<(), Stop> {
    for form in forms {
        // Forms are canonical and interned, so equal forms have equal ids. The list is short, so a
        // linear search finds the id of the negative quickly.
        if let Some(other) = known.packed(form) {
            *packed = packed.plus(other).ok_or(Stop::Overflow)?;
        } else if let Some(opposite) = other_forms
            .iter()
            .position(|&one| one == known.negative(form))
        {
            other_forms.swap_remove(opposite);
        } else {
            other_forms.push(form);
        }
    }
    Ok(())
}

/// An entry of [`SumTable`]: the result of a sum for one player to move, and its cost class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SumEntry {
    /// The result for the player to move. It is `None` while the sum is open, that is, on the path
    /// of the search.
    pub(crate) result: Option<PayoffResult>,
    /// The cost class of the answer.
    class: u8,
}

impl SumEntry {
    /// The entry of an open sum. Its class is above all others, so that it is never evicted.
    pub(crate) const OPEN: Self = Self {
        result: None,
        class: COST_CLASSES as u8 - 1,
    };

    /// Creates the entry of an answer found by a search of `positions` positions.
    pub(crate) fn new(result: PayoffResult, positions: u64) -> Self {
        Self {
            result: Some(result),
            // The class must be below that of open entries.
            class: cost_class::of(positions.min(u64::MAX >> 1)),
        }
    }

    /// Returns whether the answer is kept for later searches. It is kept if it is not a tie and was
    /// expensive to find.
    fn is_expensive(self) -> bool {
        self.class >= MIN_KEPT_CLASS
            && matches!(self.result, Some(PayoffResult::Win | PayoffResult::Lose))
    }
}

/// The lowest cost class of answers that are kept for later searches: 2^3 positions or more.
const MIN_KEPT_CLASS: u8 = 4;

/// Approximate number of bytes of a component and of the data that a search stores about it
/// (bounds, results, options).
pub(crate) const COMPONENT_BYTES: u64 = 400;

/// A table with at most this number of answers does not need a call of
/// [`SumTable::replace_components`].
const MIN_REPLACED_LEN: usize = 1 << 12;

/// The answers about sums, in one map for each player to move.
#[derive(Debug, Default)]
pub(crate) struct SumTable {
    entries: [FxHashMap<Sum, SumEntry>; 2],
    /// Approximate number of bytes of all entries.
    bytes: u64,
    /// Number of entries of open sums, which are on the path of the search.
    open: usize,
    /// Number of entries after the last call of [`SumTable::replace_components`].
    replaced_at: usize,
}

impl SumTable {
    /// Returns the entry of a sum with `player` to move.
    pub(crate) fn get(&self, sum: &Sum, player: Player) -> Option<SumEntry> {
        self.entries[player as usize].get(sum).copied()
    }

    /// Inserts or replaces the entry of a sum. Returns whether the sum had an entry before.
    pub(crate) fn keep(&mut self, sum: Sum, player: Player, known: SumEntry) -> bool {
        let bytes = sum.bytes_in_table();
        self.open += usize::from(known.result.is_none());
        let before = self.entries[player as usize].insert(sum, known);
        match before {
            Some(before) => self.open -= usize::from(before.result.is_none()),
            None => self.bytes += bytes,
        }
        before.is_some()
    }

    /// Removes the entry of an open sum, without an answer.
    pub(crate) fn drop_open(&mut self, sum: &Sum, player: Player) {
        if let Some(before) = self.entries[player as usize].remove(sum) {
            self.open -= usize::from(before.result.is_none());
            self.bytes -= sum.bytes_in_table();
        }
    }

    /// Removes the entries of all open sums.
    pub(super) fn close(&mut self) {
        // Most searches leave no open sum. Then the table need not be visited.
        if self.open > 0 {
            self.retain(|_, known| known.result.is_some());
        }
    }

    /// Removes the entries for which `keeps_entry` returns `false`. Counts the bytes and the open
    /// sums again.
    fn retain(&mut self, keeps_entry: impl Fn(&Sum, SumEntry) -> bool) {
        (self.bytes, self.open) = (0, 0);
        for entries in &mut self.entries {
            entries.retain(|sum, entry| {
                let keeps = keeps_entry(sum, *entry);
                if keeps {
                    self.bytes += sum.bytes_in_table();
                    self.open += usize::from(entry.result.is_none());
                }
                keeps
            });
        }
    }

    /// Returns the number of entries.
    pub(crate) fn len(&self) -> usize {
        self.entries.iter().map(FxHashMap::len).sum()
    }

    /// Returns whether the table has no entries.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns all sums that have an entry.
    pub(crate) fn sums(&self) -> impl Iterator<Item = &Sum> {
        self.entries.iter().flat_map(FxHashMap::keys)
    }

    /// Returns the ids of the components in all sums, with repetitions.
    pub(super) fn components(&self) -> impl Iterator<Item = u32> {
        self.sums().flat_map(|sum| sum.components.iter().copied())
    }

    /// Returns the approximate number of bytes of the entries, without their components.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds the bytes that each entry occupies to the element of `classes` for the cost class of
    /// the entry. Each component of the sum adds another `component` bytes.
    pub(super) fn add_bytes_by_class(&self, classes: &mut [u64; COST_CLASSES], component: u64) {
        for (sum, known) in self.entries.iter().flatten() {
            let components = component * sum.components.len() as u64;
            classes[usize::from(known.class)] += sum.bytes_in_table() + components;
        }
    }

    /// Evicts answers of the lowest cost classes during a search, until the remaining answers and
    /// their components fit `max_bytes` bytes. Keeps open sums, which are on the path of the
    /// search.
    pub(crate) fn evict_to(&mut self, max_bytes: u64) {
        let mut classes = [0; COST_CLASSES];
        // A component and its negative are freed only when no sum contains the component any more.
        // So count both for each sum.
        self.add_bytes_by_class(&mut classes, 2 * COMPONENT_BYTES);
        self.evict_below(cost_class::lowest_kept(&classes, max_bytes) as u8);
    }

    /// Evicts the answers of a cost class below `class`. Keeps open sums, which are on the path of
    /// the search.
    pub(super) fn evict_below(&mut self, class: u8) {
        self.retain(|_, known| known.result.is_none() || known.class >= class);
    }

    /// Returns whether the table has more than 2n + [`MIN_REPLACED_LEN`] entries, where n is the
    /// number of entries after the last call of [`SumTable::replace_components`].
    pub(super) fn has_doubled(&self) -> bool {
        self.len() > 2 * self.replaced_at + MIN_REPLACED_LEN
    }

    /// Evicts cheap answers. In the remaining sums, replaces each component by its form, if `value`
    /// returns one.
    ///
    /// A later search knows these forms from the start. It looks up sums that contain the forms, so
    /// it would never find the sums that contain the components instead.
    pub(super) fn replace_components(
        &mut self,
        forms: &Forms,
        value: &dyn Fn(u32) -> Option<Form>,
    ) {
        self.retain(|_, known| known.is_expensive());
        for player in Player::BOTH {
            let entries = &mut self.entries[player as usize];
            let valued = |sum: &Sum| sum.components.iter().any(|&id| value(id).is_some());
            let changed: Vec<(Sum, SumEntry)> = entries.extract_if(|sum, _| valued(sum)).collect();
            // A sum is the key of its entry, so the changed entries are removed and inserted again.
            for (sum, known) in changed {
                self.bytes -= sum.bytes_in_table();
                if let Some(sum) = with_forms(sum, forms, value) {
                    self.keep(sum, player, known);
                }
            }
        }
        self.replaced_at = self.len();
    }

    /// Visits the answers that are expensive to find, in the shape in which they are written to a
    /// file.
    pub(super) fn each_expensive(&self, forms: &mut Forms, visit: &mut dyn FnMut(DecidedSum)) {
        for (player, known) in Player::BOTH.into_iter().zip(&self.entries) {
            for (sum, known) in known {
                if !known.is_expensive() {
                    continue;
                }
                let packed = forms.of_packed(&sum.packed);
                // In a file a sum has a single list of forms. So add the number with ups and nimber
                // to this list, as one form.
                let packed = (packed != Form::ZERO).then_some(packed);
                let mut forms: Box<[Form]> = sum.forms.iter().copied().chain(packed).collect();
                forms.sort_unstable();
                visit(DecidedSum {
                    player,
                    forms,
                    components: sum.components.clone(),
                    answer: Answer {
                        wins: known.result == Some(PayoffResult::Win),
                        class: known.class,
                    },
                });
            }
        }
    }

    /// Adds an answer that another process found. Returns `false` and ignores the answer if it
    /// cannot be valid.
    pub(super) fn recall(&mut self, decided: DecidedSum, forms: &Forms) -> bool {
        let DecidedSum {
            player,
            forms: parts,
            components,
            answer,
        } = decided;
        let (mut packed, mut other_forms) = (Packed::ZERO, Vec::new());
        let added = add_forms(forms, parts.iter().copied(), &mut packed, &mut other_forms);
        // `add_forms` accepts the forms in any order. The components must already be sorted, as in
        // the key of an entry.
        let is_valid =
            added.is_ok() && usize::from(answer.class) < COST_CLASSES && components.is_sorted();
        if is_valid {
            other_forms.sort_unstable();
            let sum = Sum {
                packed,
                forms: other_forms.into(),
                components,
            };
            let result = if answer.wins {
                PayoffResult::Win
            } else {
                PayoffResult::Lose
            };
            let known = SumEntry {
                result: Some(result),
                class: answer.class,
            };
            self.keep(sum, player, known);
        }
        is_valid
    }
}

/// Replaces each component of a sum by its form, if `value` returns a form. Returns `None` if the
/// number in the sum becomes too large to store.
fn with_forms(sum: Sum, forms: &Forms, value: &dyn Fn(u32) -> Option<Form>) -> Option<Sum> {
    let (mut packed, mut other_forms) = (sum.packed, Vec::new());
    let found = sum.components.iter().filter_map(|&id| value(id));
    let all = sum.forms.iter().copied().chain(found);
    add_forms(forms, all, &mut packed, &mut other_forms).ok()?;
    other_forms.sort_unstable();
    let components = sum.components.iter().copied();
    Some(Sum {
        packed,
        forms: other_forms.into(),
        components: components.filter(|&id| value(id).is_none()).collect(),
    })
}
