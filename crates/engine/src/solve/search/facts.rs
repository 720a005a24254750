//! The facts that a search collects about components.

use std::ops::{Index, IndexMut};
use std::sync::Arc;

use grundy_forms::Form;

use super::moves::After;
use crate::move_counts::Reserve;
use crate::values::column::Column;
use grundy_base::outcome::Worth;

/// The facts of the components of a search, in the order in which it learned them.
///
/// They are looked up by the number of the component in the store. The store also contains
/// components of earlier questions, so a separate list of facts is shorter.
#[derive(Default)]
pub(super) struct FactTable {
    places: Column<u32>,
    facts: Vec<Facts>,
}

/// Facts of one component.
#[derive(Default)]
pub(super) struct Facts {
    /// The number of the component.
    pub(super) id: u32,
    /// The canonical form, if the component was valued.
    pub(super) form: Option<Form>,
    /// The component that cancels this one.
    pub(super) negative: Option<u32>,
    /// Integer bounds of the value.
    pub(super) bounds: Option<[i64; 2]>,
    /// The moves in reserve of both players.
    pub(super) reserves: Option<[Reserve; 2]>,
    /// The expected value and the expected atomic weight, in units of 1 / [`Reserve::UNIT`].
    pub(super) expected: [i64; 2],
    /// The number of moves of Left and Right. It is set only if there are bounds but no counted
    /// reserves, since move ordering needs it only then.
    pub(super) moves: [u32; 2],
    /// The result for Left and for Right, moving first in the component alone.
    pub(super) worths: [Option<Worth>; 2],
    /// The sums after the moves of Left and of Right, once they are listed.
    pub(super) options: [Option<Arc<[After]>>; 2],
    /// `true` if the moves of Left and of Right have been scanned.
    pub(super) seen: [bool; 2],
}

impl Facts {
    /// Sets the form to 0 if the player to move loses, whoever it is.
    pub(super) fn settle(&mut self) {
        if self.worths == [Some(Worth::Lose); 2] {
            self.form = Some(Form::ZERO);
        }
    }
}

impl FactTable {
    /// Returns the facts of a component, if it has been learned.
    pub(super) fn get(&self, id: u32) -> Option<&Facts> {
        let &place = self.places.get(id)?;
        self.facts.get(place as usize)
    }

    /// Returns whether the facts of a component are known.
    pub(super) fn is_learned(&self, id: u32) -> bool {
        self.places.get(id).is_some()
    }

    /// Stores the facts of a new component.
    pub(super) fn learn(&mut self, facts: Facts) {
        self.places.learn(facts.id, self.facts.len() as u32);
        self.facts.push(facts);
    }

    /// Returns the number of components.
    pub(super) fn len(&self) -> usize {
        self.facts.len()
    }

    /// Evicts all components that are not kept, and the option lists of the others.
    pub(super) fn retain(&mut self, kept: impl Fn(u32) -> bool) {
        self.facts.retain(|facts| kept(facts.id));
        self.facts.shrink_to(2 * self.facts.len());
        // `retain` has moved the facts, so every place is reassigned. The options of kept
        // components may refer to evicted ones, hence they are dropped and listed again on demand.
        self.places = Column::default();
        for (facts, place) in self.facts.iter_mut().zip(0..) {
            facts.options = [None, None];
            self.places.learn(facts.id, place);
        }
    }

    /// Returns the index of the facts of a component.
    fn place(&self, id: u32) -> usize {
        let place = self.places.get(id);
        *place.expect("the components of a sum have been learned") as usize
    }
}

impl Index<u32> for FactTable {
    type Output = Facts;

    fn index(&self, id: u32) -> &Facts {
        &self.facts[self.place(id)]
    }
}

impl IndexMut<u32> for FactTable {
    fn index_mut(&mut self, id: u32) -> &mut Facts {
        let place = self.place(id);
        &mut self.facts[place]
    }
}
