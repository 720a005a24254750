//! Facts that a search knows of components.

use std::ops::{Index, IndexMut};
use std::sync::Arc;

use grundy_forms::Form;

use super::moves::After;
use crate::move_counts::Reserve;
use crate::values::column::Column;
use grundy_base::outcome::Worth;

/// The facts of the components that a search has learned, in the order in which it learned them.
/// They are found by the numbers of the components in the store, which has others from earlier
/// questions.
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
    pub(super) form: Option<Form>,
    /// The component that cancels it.
    pub(super) negative: Option<u32>,
    pub(super) bounds: Option<[i64; 2]>,
    pub(super) reserves: Option<[Reserve; 2]>,
    /// Its expected value, and about how many ups it is worth beside that, in parts of
    /// [`Reserve::UNIT`].
    pub(super) expected: [i64; 2],
    /// The number of moves of Left and Right, where there are bounds and no moves in reserve are
    /// counted.
    pub(super) moves: [u32; 2],
    /// Its worth alone to Left and to Right, to move.
    pub(super) worths: [Option<Worth>; 2],
    /// The sums after the moves of Left and of Right, once they have been listed.
    pub(super) options: [Option<Arc<[After]>>; 2],
    /// `true` if the moves of Left and of Right have been looked at.
    pub(super) seen: [bool; 2],
}

impl Facts {
    /// Takes a component that is lost by whoever moves for 0.
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

    /// Returns whether a component has been learned.
    pub(super) fn is_learned(&self, id: u32) -> bool {
        self.places.get(id).is_some()
    }

    /// Keeps the facts of a component that is new.
    pub(super) fn learn(&mut self, facts: Facts) {
        self.places.learn(facts.id, self.facts.len() as u32);
        self.facts.push(facts);
    }

    /// Returns the number of components.
    pub(super) fn len(&self) -> usize {
        self.facts.len()
    }

    /// Forgets all components that are not kept, and the lists of moves of the others.
    pub(super) fn retain(&mut self, kept: impl Fn(u32) -> bool) {
        self.facts.retain(|facts| kept(facts.id));
        self.facts.shrink_to(2 * self.facts.len());
        self.places = Column::default();
        for (facts, place) in self.facts.iter_mut().zip(0..) {
            facts.options = [None, None];
            self.places.learn(facts.id, place);
        }
    }

    /// Returns the place of a component that has been learned.
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
