//! The table of answers about sums of components.
//!
//! In normal play a sum has a number with ups and a nimber, canonical forms, and components that
//! are too expensive to value. Components have the numbers of the solver's store, so the answers
//! also serve later searches.

use grundy_forms::{Form, Forms, Packed};
use rustc_hash::FxHashMap;

use super::{Answer, CLASSES, DecidedSum};
use crate::cost_class;
use grundy_base::limits::Stop;
use grundy_base::outcome::Worth;
use grundy_base::player::Player;

/// A sum: a number with ups and a nimber, forms, and other components by their numbers. Both lists
/// are sorted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sum {
    pub(crate) packed: Packed,
    pub(crate) forms: Box<[Form]>,
    pub(crate) rest: Box<[u32]>,
}

impl Sum {
    /// Returns the empty sum.
    pub(crate) fn empty() -> Self {
        Self {
            packed: Packed::ZERO,
            forms: Box::default(),
            rest: Box::default(),
        }
    }

    /// Returns whether the sum is a number.
    pub(crate) fn is_number(&self) -> bool {
        self.rest.is_empty() && self.forms.is_empty() && self.packed.is_number()
    }

    /// Returns the only component, if the sum has no other terms.
    pub(crate) fn only(&self) -> Option<u32> {
        match self.rest[..] {
            [only] if self.forms.is_empty() && self.packed == Packed::ZERO => Some(only),
            _ => None,
        }
    }

    /// Returns the approximate number of bytes of the sum.
    pub(crate) fn bytes(&self) -> u64 {
        80 + 4 * (self.rest.len() + self.forms.len()) as u64
    }

    /// Returns the approximate number of bytes of the sum as a key of the table.
    pub(crate) fn kept(&self) -> u64 {
        16 + self.bytes()
    }
}

/// Adds forms to a sum. Those that are numbers, ups and nimbers are added to `packed`. The others
/// are collected in `rest`, where opposites cancel.
pub(crate) fn gather(
    known: &Forms,
    forms: impl Iterator<Item = Form>,
    packed: &mut Packed,
    rest: &mut Vec<Form>,
) -> Result<(), Stop> {
    for form in forms {
        // Forms are canonical and interned, so a negative is found by its id. The list is short,
        // hence a linear search.
        if let Some(other) = known.packed(form) {
            *packed = packed.plus(other).ok_or(Stop::Overflow)?;
        } else if let Some(opposite) = rest.iter().position(|&one| one == known.negative(form)) {
            rest.swap_remove(opposite);
        } else {
            rest.push(form);
        }
    }
    Ok(())
}

/// An entry of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SumEntry {
    /// The result for the player to move, or `None` while the sum is on the search path.
    pub(crate) worth: Option<Worth>,
    /// The cost class.
    class: u8,
}

impl SumEntry {
    /// The entry of a sum on the search path. Its class is above all others, so it is never
    /// evicted.
    pub(crate) const OPEN: Self = Self {
        worth: None,
        class: CLASSES as u8 - 1,
    };

    /// Creates the answer of a search of `positions` positions.
    pub(crate) fn after(worth: Worth, positions: u64) -> Self {
        Self {
            worth: Some(worth),
            // Keep the class below that of open entries.
            class: cost_class::of(positions.min(u64::MAX >> 1)),
        }
    }

    /// Returns whether the answer should be kept for another search.
    fn is_dear(self) -> bool {
        self.class >= DEAR && matches!(self.worth, Some(Worth::Win | Worth::Lose))
    }
}

/// The least class that should be kept for another search: 2^3 positions or more.
const DEAR: u8 = 4;

/// Approximate number of bytes of a component, with the facts that a search has of it.
pub(crate) const COMPONENT: u64 = 400;

/// Number of answers below which a table need not be settled again.
const FEW: usize = 1 << 12;

/// The answers about sums, by the player to move.
#[derive(Debug, Default)]
pub(crate) struct SumTable {
    known: [FxHashMap<Sum, SumEntry>; 2],
    /// Approximate number of bytes held.
    bytes: u64,
    /// Number of open entries.
    open: usize,
    /// Number of answers after the table was last settled.
    settled: usize,
}

impl SumTable {
    /// Returns the entry of a sum.
    pub(crate) fn get(&self, sum: &Sum, player: Player) -> Option<SumEntry> {
        self.known[player as usize].get(sum).copied()
    }

    /// Inserts an entry. Returns whether the sum had one, answered or open.
    pub(crate) fn keep(&mut self, sum: Sum, player: Player, known: SumEntry) -> bool {
        let bytes = sum.kept();
        self.open += usize::from(known.worth.is_none());
        let before = self.known[player as usize].insert(sum, known);
        match before {
            Some(before) => self.open -= usize::from(before.worth.is_none()),
            None => self.bytes += bytes,
        }
        before.is_some()
    }

    /// Removes the entry of an open sum.
    pub(crate) fn drop_open(&mut self, sum: &Sum, player: Player) {
        if let Some(before) = self.known[player as usize].remove(sum) {
            self.open -= usize::from(before.worth.is_none());
            self.bytes -= sum.kept();
        }
    }

    /// Removes the entries of all open sums.
    pub(super) fn close(&mut self) {
        // Most searches end with no open sum, and then there is no need to visit the table.
        if self.open > 0 {
            self.retain(|_, known| known.worth.is_some());
        }
    }

    /// Keeps the entries that satisfy `kept`, and recounts bytes and open sums.
    fn retain(&mut self, kept: impl Fn(&Sum, SumEntry) -> bool) {
        (self.bytes, self.open) = (0, 0);
        for known in &mut self.known {
            known.retain(|sum, known| {
                let keeps = kept(sum, *known);
                if keeps {
                    self.bytes += sum.kept();
                    self.open += usize::from(known.worth.is_none());
                }
                keeps
            });
        }
    }

    /// Returns the number of answers.
    pub(crate) fn len(&self) -> usize {
        self.known.iter().map(FxHashMap::len).sum()
    }

    /// Returns whether there is no answer.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the sums.
    pub(crate) fn sums(&self) -> impl Iterator<Item = &Sum> {
        self.known.iter().flat_map(FxHashMap::keys)
    }

    /// Returns the components of all sums, with repetitions.
    pub(super) fn components(&self) -> impl Iterator<Item = u32> {
        self.sums().flat_map(|sum| sum.rest.iter().copied())
    }

    /// Returns the approximate number of bytes held, without the components.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds the bytes of the answers of each class, with `component` bytes for each component.
    pub(super) fn add_bytes_by_class(&self, classes: &mut [u64; CLASSES], component: u64) {
        for (sum, known) in self.known.iter().flatten() {
            let components = component * sum.rest.len() as u64;
            classes[usize::from(known.class)] += sum.kept() + components;
        }
    }

    /// Evicts the cheapest answers of a running search if all take more than `room` bytes. Open
    /// sums stay. Components, and their negatives, are kept as long as a sum needs them.
    pub(crate) fn fit(&mut self, room: u64) {
        let mut classes = [0; CLASSES];
        // A component and its negative are freed with the last sum that has them. So count both.
        self.add_bytes_by_class(&mut classes, 2 * COMPONENT);
        self.forget_below(cost_class::least_kept(&classes, room) as u8);
    }

    /// Evicts the answers below a class.
    pub(super) fn forget_below(&mut self, class: u8) {
        self.retain(|_, known| known.worth.is_none() || known.class >= class);
    }

    /// Returns whether the table has more than doubled since it was last settled.
    pub(super) fn has_doubled(&self) -> bool {
        self.len() > 2 * self.settled + FEW
    }

    /// Evicts cheap answers, and replaces components by their forms.
    ///
    /// Later searches know these forms from the start, so they ask for the new sums only.
    pub(super) fn settle(&mut self, forms: &Forms, value: &dyn Fn(u32) -> Option<Form>) {
        self.retain(|_, known| known.is_dear());
        for player in Player::BOTH {
            let known = &mut self.known[player as usize];
            let valued = |sum: &Sum| sum.rest.iter().any(|&id| value(id).is_some());
            let changed: Vec<(Sum, SumEntry)> = known.extract_if(|sum, _| valued(sum)).collect();
            // The key changes, so the entry has to be removed and inserted again.
            for (sum, known) in changed {
                self.bytes -= sum.kept();
                if let Some(sum) = valued_sum(sum, forms, value) {
                    self.keep(sum, player, known);
                }
            }
        }
        self.settled = self.len();
    }

    /// Visits the answers that took long to find.
    pub(super) fn each_dear(&self, forms: &mut Forms, visit: &mut dyn FnMut(DecidedSum)) {
        for (player, known) in Player::BOTH.into_iter().zip(&self.known) {
            for (sum, known) in known {
                if !known.is_dear() {
                    continue;
                }
                let packed = forms.of_packed(&sum.packed);
                // A file has one list of forms, so the number with ups and nimber becomes a form,
                // too.
                let packed = (packed != Form::ZERO).then_some(packed);
                let mut forms: Box<[Form]> = sum.forms.iter().copied().chain(packed).collect();
                forms.sort_unstable();
                visit(DecidedSum {
                    player,
                    forms,
                    components: sum.rest.clone(),
                    answer: Answer {
                        wins: known.worth == Some(Worth::Win),
                        class: known.class,
                    },
                });
            }
        }
    }

    /// Accepts an answer for a sum. Returns whether it is plausible.
    pub(super) fn recall(&mut self, decided: DecidedSum, forms: &Forms) -> bool {
        let DecidedSum {
            player,
            forms: parts,
            components,
            answer,
        } = decided;
        let (mut packed, mut kept) = (Packed::ZERO, Vec::new());
        let gathered = gather(forms, parts.iter().copied(), &mut packed, &mut kept);
        // `gather` may cancel forms, but the components have to be in the order of the key.
        let sound =
            gathered.is_ok() && usize::from(answer.class) < CLASSES && components.is_sorted();
        if sound {
            kept.sort_unstable();
            let sum = Sum {
                packed,
                forms: kept.into(),
                rest: components,
            };
            let worth = if answer.wins { Worth::Win } else { Worth::Lose };
            let known = SumEntry {
                worth: Some(worth),
                class: answer.class,
            };
            self.keep(sum, player, known);
        }
        sound
    }
}

/// Replaces components by their forms. Returns `None` if a number becomes too large.
fn valued_sum(sum: Sum, forms: &Forms, value: &dyn Fn(u32) -> Option<Form>) -> Option<Sum> {
    let (mut packed, mut kept) = (sum.packed, Vec::new());
    let found = sum.rest.iter().filter_map(|&id| value(id));
    let all = sum.forms.iter().copied().chain(found);
    gather(forms, all, &mut packed, &mut kept).ok()?;
    kept.sort_unstable();
    let rest = sum.rest.iter().copied();
    Some(Sum {
        packed,
        forms: kept.into(),
        rest: rest.filter(|&id| value(id).is_none()).collect(),
    })
}
