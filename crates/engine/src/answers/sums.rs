//! A table of answers about sums of components.
//!
//! In normal play a sum has three parts. These are a number with ups and a nimber, other canonical
//! forms, and components whose forms are too expensive to compute. Components are identified by
//! their numbers in the solver's store, so that later searches can use the answers.

use grundy_forms::{Form, Forms, Packed};
use rustc_hash::FxHashMap;

use super::{Answer, CLASSES, DecidedSum};
use crate::cost_class;
use grundy_base::limits::Stop;
use grundy_base::outcome::Worth;
use grundy_base::player::Player;

/// A sum: a number with ups and a nimber (`packed`), other forms, and components without forms
/// (`rest`), by their numbers in the store. Both lists are sorted.
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

    /// Returns whether the value of the sum is a number: it has no ups, no nimber, no other forms
    /// and no components.
    pub(crate) fn is_number(&self) -> bool {
        self.rest.is_empty() && self.forms.is_empty() && self.packed.is_number()
    }

    /// Returns the number of the component, if the sum consists of a single component.
    pub(crate) fn only(&self) -> Option<u32> {
        match self.rest[..] {
            [only] if self.forms.is_empty() && self.packed == Packed::ZERO => Some(only),
            _ => None,
        }
    }

    /// Returns the approximate number of bytes of memory of the sum.
    pub(crate) fn bytes(&self) -> u64 {
        80 + 4 * (self.rest.len() + self.forms.len()) as u64
    }

    /// Returns the approximate number of bytes of the sum with its entry in the table.
    pub(crate) fn kept(&self) -> u64 {
        16 + self.bytes()
    }
}

/// Adds forms to a sum. Forms that are a number with ups and a nimber are added to `packed`. Other
/// forms are appended to `rest`, unless `rest` contains the negative, which is removed instead.
pub(crate) fn gather(
    known: &Forms,
    forms: impl Iterator<Item = Form>,
    packed: &mut Packed,
    rest: &mut Vec<Form>,
) -> Result<(), Stop> {
    for form in forms {
        // Forms are canonical and interned, so the negative of a form has a known id. A linear
        // search finds it, since the list is short.
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

/// An entry of the table, for a sum and the player to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SumEntry {
    /// The result for the player to move. It is `None` while the sum is open, that is, on the path
    /// of the search.
    pub(crate) worth: Option<Worth>,
    /// The cost class of the answer.
    class: u8,
}

impl SumEntry {
    /// The entry of an open sum. Its class is above all others, so that it is never evicted.
    pub(crate) const OPEN: Self = Self {
        worth: None,
        class: CLASSES as u8 - 1,
    };

    /// Creates the entry of an answer found by a search of `positions` positions.
    pub(crate) fn after(worth: Worth, positions: u64) -> Self {
        Self {
            worth: Some(worth),
            // The class must be below that of open entries.
            class: cost_class::of(positions.min(u64::MAX >> 1)),
        }
    }

    /// Returns whether the answer took long enough to find, so that it is kept for later searches.
    /// Ties are not kept.
    fn is_dear(self) -> bool {
        self.class >= DEAR && matches!(self.worth, Some(Worth::Win | Worth::Lose))
    }
}

/// The lowest class of answers that are kept for later searches: 2^3 positions or more.
const DEAR: u8 = 4;

/// Approximate number of bytes of a component, with the facts that a search stores about it.
pub(crate) const COMPONENT: u64 = 400;

/// Number of answers below which a table does not have to be settled.
const FEW: usize = 1 << 12;

/// The answers about sums, in one map for each player to move.
#[derive(Debug, Default)]
pub(crate) struct SumTable {
    known: [FxHashMap<Sum, SumEntry>; 2],
    /// Approximate number of bytes of all entries.
    bytes: u64,
    /// Number of entries of open sums, which are on the path of the search.
    open: usize,
    /// Number of entries when [`SumTable::settle`] last ended.
    settled: usize,
}

impl SumTable {
    /// Returns the entry of a sum with `player` to move.
    pub(crate) fn get(&self, sum: &Sum, player: Player) -> Option<SumEntry> {
        self.known[player as usize].get(sum).copied()
    }

    /// Inserts or replaces the entry of a sum. Returns whether it had one before.
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

    /// Removes the entry of an open sum, without an answer.
    pub(crate) fn drop_open(&mut self, sum: &Sum, player: Player) {
        if let Some(before) = self.known[player as usize].remove(sum) {
            self.open -= usize::from(before.worth.is_none());
            self.bytes -= sum.kept();
        }
    }

    /// Removes the entries of all open sums.
    pub(super) fn close(&mut self) {
        // Most searches leave no open sum. Then the table need not be visited.
        if self.open > 0 {
            self.retain(|_, known| known.worth.is_some());
        }
    }

    /// Removes the entries for which `kept` returns `false`, and recounts the bytes and the open
    /// sums.
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

    /// Returns the number of entries.
    pub(crate) fn len(&self) -> usize {
        self.known.iter().map(FxHashMap::len).sum()
    }

    /// Returns whether the table has no entries.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns all sums that have an entry.
    pub(crate) fn sums(&self) -> impl Iterator<Item = &Sum> {
        self.known.iter().flat_map(FxHashMap::keys)
    }

    /// Returns the components of all sums, with repetitions.
    pub(super) fn components(&self) -> impl Iterator<Item = u32> {
        self.sums().flat_map(|sum| sum.rest.iter().copied())
    }

    /// Returns the approximate number of bytes of the entries, without their components.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds the bytes of all entries to `classes`, each to the element of its cost class. A
    /// component counts as `component` bytes.
    pub(super) fn add_bytes_by_class(&self, classes: &mut [u64; CLASSES], component: u64) {
        for (sum, known) in self.known.iter().flatten() {
            let components = component * sum.rest.len() as u64;
            classes[usize::from(known.class)] += sum.kept() + components;
        }
    }

    /// Evicts answers of the lowest classes during a search, so that the others fit `room` bytes.
    /// Open sums stay. A component and its negative are counted, since they stay as long as a sum
    /// contains them.
    pub(crate) fn fit(&mut self, room: u64) {
        let mut classes = [0; CLASSES];
        // A component and its negative are freed with the last sum that contains the component, so
        // count both.
        self.add_bytes_by_class(&mut classes, 2 * COMPONENT);
        self.forget_below(cost_class::least_kept(&classes, room) as u8);
    }

    /// Evicts the answers of a cost class below `class`. Open sums stay.
    pub(super) fn forget_below(&mut self, class: u8) {
        self.retain(|_, known| known.worth.is_none() || known.class >= class);
    }

    /// Returns whether the number of entries has more than doubled since the table was last
    /// settled.
    pub(super) fn has_doubled(&self) -> bool {
        self.len() > 2 * self.settled + FEW
    }

    /// Evicts cheap answers. In the remaining sums, replaces each component by its form if `value`
    /// returns one.
    ///
    /// Later searches know these forms from the start, so they ask only for the new sums.
    pub(super) fn settle(&mut self, forms: &Forms, value: &dyn Fn(u32) -> Option<Form>) {
        self.retain(|_, known| known.is_dear());
        for player in Player::BOTH {
            let known = &mut self.known[player as usize];
            let valued = |sum: &Sum| sum.rest.iter().any(|&id| value(id).is_some());
            let changed: Vec<(Sum, SumEntry)> = known.extract_if(|sum, _| valued(sum)).collect();
            // The sum is the key of its entry, so the entry is removed and inserted again.
            for (sum, known) in changed {
                self.bytes -= sum.kept();
                if let Some(sum) = valued_sum(sum, forms, value) {
                    self.keep(sum, player, known);
                }
            }
        }
        self.settled = self.len();
    }

    /// Visits the answers that took long enough to find, in the shape in which they are written to
    /// a file.
    pub(super) fn each_dear(&self, forms: &mut Forms, visit: &mut dyn FnMut(DecidedSum)) {
        for (player, known) in Player::BOTH.into_iter().zip(&self.known) {
            for (sum, known) in known {
                if !known.is_dear() {
                    continue;
                }
                let packed = forms.of_packed(&sum.packed);
                // In a file a sum has a single list of forms, so add the number with ups and nimber
                // to it as a form.
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

    /// Adds an answer that another process found. Returns `false` and ignores the answer if it is
    /// not plausible.
    pub(super) fn recall(&mut self, decided: DecidedSum, forms: &Forms) -> bool {
        let DecidedSum {
            player,
            forms: parts,
            components,
            answer,
        } = decided;
        let (mut packed, mut kept) = (Packed::ZERO, Vec::new());
        let gathered = gather(forms, parts.iter().copied(), &mut packed, &mut kept);
        // `gather` sorts out the forms. The components must be sorted already, as in the key of an
        // entry.
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

/// Replaces each component by its form if `value` returns one. Returns `None` if a number becomes
/// too large.
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
