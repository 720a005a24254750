//! The winners of sums of components, as searches found them.
//!
//! In normal play a sum is a number with ups and a nimber, the canonical forms of what could be
//! valued at little cost, and the components that could not. Components have the numbers of the
//! solver's store, so answers serve later searches as well.

use grundy_forms::{Form, Forms, Packed};
use rustc_hash::FxHashMap;

use super::{Answer, CLASSES, DecidedSum};
use crate::cost_class;
use grundy_base::limits::Stop;
use grundy_base::outcome::Worth;
use grundy_base::player::Player;

/// A sum: a number with ups and a nimber, forms, and the other components by their numbers, both in
/// increasing order.
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

    /// Returns whether nothing but a number is left.
    pub(crate) fn is_number(&self) -> bool {
        self.rest.is_empty() && self.forms.is_empty() && self.packed.is_number()
    }

    /// Returns the only component, if there is nothing else.
    pub(crate) fn only(&self) -> Option<u32> {
        match self.rest[..] {
            [only] if self.forms.is_empty() && self.packed == Packed::ZERO => Some(only),
            _ => None,
        }
    }

    /// Returns the bytes that the sum takes, about.
    pub(crate) fn bytes(&self) -> u64 {
        80 + 4 * (self.rest.len() + self.forms.len()) as u64
    }

    /// Returns the bytes that the sum takes in a table, about.
    pub(crate) fn kept(&self) -> u64 {
        16 + self.bytes()
    }
}

/// Adds forms to what is packed, as far as they are packed themselves, and collects the others, of
/// which opposites cancel.
pub(crate) fn gather(
    known: &Forms,
    forms: impl Iterator<Item = Form>,
    packed: &mut Packed,
    rest: &mut Vec<Form>,
) -> Result<(), Stop> {
    for form in forms {
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

/// The answer for a sum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SumEntry {
    /// The worth to the player to move; `None` while the search looks for it.
    pub(crate) worth: Option<Worth>,
    /// The cost class.
    class: u8,
}

impl SumEntry {
    /// A question that the search has not answered yet.
    pub(crate) const OPEN: Self = Self {
        worth: None,
        class: CLASSES as u8 - 1,
    };

    /// Makes the answer that took so many positions.
    pub(crate) fn after(worth: Worth, positions: u64) -> Self {
        Self {
            worth: Some(worth),
            class: cost_class::of(positions.min(u64::MAX >> 1)),
        }
    }

    /// Returns whether the answer is worth keeping for another search.
    fn is_dear(self) -> bool {
        self.class >= DEAR && matches!(self.worth, Some(Worth::Win | Worth::Lose))
    }
}

/// The least class worth keeping for another search: 2^3 positions or more.
const DEAR: u8 = 4;

/// Bytes that a component of a sum takes, with what the search knows of it, about.
pub(crate) const COMPONENT: u64 = 400;

/// Answers that are added before it is worth settling a table again.
const FEW: usize = 1 << 12;

/// Answers about sums, by the player to move.
#[derive(Debug, Default)]
pub(crate) struct SumTable {
    known: [FxHashMap<Sum, SumEntry>; 2],
    bytes: u64,
    /// The number of questions that are open.
    open: usize,
    /// The number of answers that were left when the table was settled last.
    settled: usize,
}

impl SumTable {
    /// Returns the answer for a sum.
    pub(crate) fn get(&self, sum: &Sum, player: Player) -> Option<SumEntry> {
        self.known[player as usize].get(sum).copied()
    }

    /// Keeps the answer for a sum. Returns whether there was one, or the question was open.
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

    /// Forgets a question that is open.
    pub(crate) fn drop_open(&mut self, sum: &Sum, player: Player) {
        if let Some(before) = self.known[player as usize].remove(sum) {
            self.open -= usize::from(before.worth.is_none());
            self.bytes -= sum.kept();
        }
    }

    /// Forgets the questions that are open.
    pub(super) fn close(&mut self) {
        if self.open > 0 {
            self.retain(|_, known| known.worth.is_some());
        }
    }

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

    /// Returns the components of all sums, each perhaps several times.
    pub(super) fn components(&self) -> impl Iterator<Item = u32> {
        self.sums().flat_map(|sum| sum.rest.iter().copied())
    }

    /// Returns the bytes held, about, without the components.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds the bytes of the answers of each class, with so many for a component.
    pub(super) fn add_bytes_by_class(&self, classes: &mut [u64; CLASSES], component: u64) {
        for (sum, known) in self.known.iter().flatten() {
            let components = component * sum.rest.len() as u64;
            classes[usize::from(known.class)] += sum.kept() + components;
        }
    }

    /// Forgets the cheapest answers of a running search, if all take more bytes than this.
    /// Questions that are open stay. The components of a sum, and what cancels them, are kept with
    /// it.
    pub(crate) fn fit(&mut self, room: u64) {
        let mut classes = [0; CLASSES];
        self.add_bytes_by_class(&mut classes, 2 * COMPONENT);
        self.forget_below(cost_class::least_kept(&classes, room) as u8);
    }

    /// Forgets the answers below a class.
    pub(super) fn forget_below(&mut self, class: u8) {
        self.retain(|_, known| known.worth.is_none() || known.class >= class);
    }

    /// Returns whether most answers were added since the table was settled last.
    pub(super) fn has_doubled(&self) -> bool {
        self.len() > 2 * self.settled + FEW
    }

    /// Forgets the answers that are cheap, and puts the forms of components in place of these.
    /// Later searches know these forms from the beginning, so they do not ask about the sums as
    /// they were.
    pub(super) fn settle(&mut self, forms: &Forms, value: &dyn Fn(u32) -> Option<Form>) {
        self.retain(|_, known| known.is_dear());
        for player in Player::BOTH {
            let known = &mut self.known[player as usize];
            let valued = |sum: &Sum| sum.rest.iter().any(|&id| value(id).is_some());
            let changed: Vec<(Sum, SumEntry)> = known.extract_if(|sum, _| valued(sum)).collect();
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

    /// Trusts the answer for a sum. Returns whether it makes sense.
    pub(super) fn recall(&mut self, decided: DecidedSum, forms: &Forms) -> bool {
        let DecidedSum {
            player,
            forms: parts,
            components,
            answer,
        } = decided;
        let (mut packed, mut kept) = (Packed::ZERO, Vec::new());
        let gathered = gather(forms, parts.iter().copied(), &mut packed, &mut kept);
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

/// Puts the forms of components in place of these. Returns `None` if the numbers become too large.
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
