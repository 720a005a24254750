//! The facts that a search collects about each component.

use std::ops::{Index, IndexMut};
use std::sync::Arc;

use grundy_forms::Form;

use super::moves::After;
use crate::move_counts::Reserve;
use crate::values::column::Column;
use grundy_base::outcome::Worth;

/// The facts about the components of a search, in the order in which the search found them.
///
/// A component is looked up by its number in the store. The store also contains components of
/// earlier questions, so a separate list of facts is shorter than a list over all numbers.
#[derive(Default)]
pub(super) struct FactTable {
    places: Column<u32>,
    facts: Vec<Facts>,
}

/// The facts about one component.
#[derive(Default)]
pub(super) struct Facts {
    /// The number of the component in the store.
    pub(super) id: u32,
    /// The canonical form, if the component was valued.
    pub(super) form: Option<Form>,
    /// The number of the component that is the negative of this one, if it is known.
    pub(super) negative: Option<u32>,
    /// A lower and an upper bound of the value, both integers.
    pub(super) bounds: Option<[i64; 2]>,
    /// The moves in reserve of Left and of Right.
    pub(super) reserves: Option<[Reserve; 2]>,
    /// The expected value and the expected atomic weight, in units of 1 / [`Reserve::UNIT`].
    pub(super) expected: [i64; 2],
    /// The numbers of moves of Left and of Right. They serve for move ordering, and are set only if
    /// there are bounds but no counted reserves.
    pub(super) moves: [u32; 2],
    /// The result of the component on its own, if Left moves first and if Right moves first.
    pub(super) worths: [Option<Worth>; 2],
    /// The options of Left and of Right, once they are listed.
    pub(super) options: [Option<Arc<[After]>>; 2],
    /// `true` if the options of Left, or of Right, have been scanned.
    pub(super) seen: [bool; 2],
}

impl Facts {
    /// Sets the form to 0 if the player who moves first loses, no matter who that is.
    pub(super) fn settle(&mut self) {
        if self.worths == [Some(Worth::Lose); 2] {
            self.form = Some(Form::ZERO);
        }
    }
}

impl FactTable {
    /// Returns the facts about a component, if they have been collected.
    pub(super) fn get(&self, id: u32) -> Option<&Facts> {
        let &place = self.places.get(id)?;
        self.facts.get(place as usize)
    }

    /// Returns whether the facts about a component have been collected.
    pub(super) fn is_learned(&self, id: u32) -> bool {
        self.places.get(id).is_some()
    }

    /// Stores the facts about a new component.
    pub(super) fn learn(&mut self, facts: Facts) {
        self.places.learn(facts.id, self.facts.len() as u32);
        self.facts.push(facts);
    }

    /// Returns the number of components with facts.
    pub(super) fn len(&self) -> usize {
        self.facts.len()
    }

    /// Removes the facts of all components that are not `kept`, and the option lists of the others.
    pub(super) fn retain(&mut self, kept: impl Fn(u32) -> bool) {
        self.facts.retain(|facts| kept(facts.id));
        self.facts.shrink_to(2 * self.facts.len());
        // `retain` has moved the facts, so assign every place again. The options of a kept
        // component may contain removed components, so they are dropped too and listed again when
        // they are needed.
        self.places = Column::default();
        for (facts, place) in self.facts.iter_mut().zip(0..) {
            facts.options = [None, None];
            self.places.learn(facts.id, place);
        }
    }

    /// Returns the index of the facts about a component.
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
