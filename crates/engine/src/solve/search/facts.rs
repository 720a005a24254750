//! The facts that a search collects about each component, such as its bounds, its results and its
//! options.

use std::ops::{Index, IndexMut};
use std::sync::Arc;

use grundy_forms::Form;

use super::moves::OptionSum;
use crate::move_counts::Reserve;
use crate::values::column::Column;
use grundy_base::outcome::PayoffResult;

/// The facts (bounds, results, options and similar data) about the components of a search. The
/// components are in the order in which the search found them.
///
/// Facts are looked up by the id of the component in the store. They are a separate list, since the
/// store also contains the components of earlier questions.
#[derive(Default)]
pub(super) struct FactTable {
    /// For each component, by its id in the store, the index of its facts in `facts`.
    indices: Column<u32>,
    facts: Vec<Facts>,
}

/// The facts about one component that a search has collected, such as bounds, results and options.
#[derive(Default)]
pub(super) struct Facts {
    /// The id of the component in the store.
    pub(super) id: u32,
    /// The canonical form, if it was computed.
    pub(super) form: Option<Form>,
    /// The id in the store of the negative of this component, if the negative is known.
    pub(super) negative: Option<u32>,
    /// A lower and an upper bound of the value, both integers.
    pub(super) bounds: Option<[i64; 2]>,
    /// The moves in reserve of Left and of Right.
    pub(super) reserves: Option<[Reserve; 2]>,
    /// The expected value and the expected atomic weight, in units of 1 / [`Reserve::UNIT`].
    pub(super) expected: [i64; 2],
    /// The numbers of moves of Left and of Right, which serve for move ordering. They are set only
    /// if there are bounds and the reserves contain no counts of moves.
    pub(super) moves: [u32; 2],
    /// The result of the component for Left if Left moves first, and for Right if Right moves
    /// first. `None` stands for an unknown result.
    pub(super) results: [Option<PayoffResult>; 2],
    /// The options of Left and of Right, if they have been listed.
    pub(super) options: [Option<Arc<[OptionSum]>>; 2],
    /// For Left and for Right: `true` if the options of this player have been visited once, without
    /// being entered into the store.
    pub(super) scanned: [bool; 2],
}

impl Facts {
    /// Sets the form to 0 if both players lose the component moving first.
    pub(super) fn set_form_if_zero(&mut self) {
        if self.results == [Some(PayoffResult::Lose); 2] {
            self.form = Some(Form::ZERO);
        }
    }
}

impl FactTable {
    /// Returns the facts about a component, if they have been collected.
    pub(super) fn get(&self, id: u32) -> Option<&Facts> {
        let &index = self.indices.get(id)?;
        self.facts.get(index as usize)
    }

    /// Returns whether the facts about a component have been collected.
    pub(super) fn is_learned(&self, id: u32) -> bool {
        self.indices.get(id).is_some()
    }

    /// Stores the facts about a new component.
    pub(super) fn learn(&mut self, facts: Facts) {
        self.indices.learn(facts.id, self.facts.len() as u32);
        self.facts.push(facts);
    }

    /// Returns the number of components with facts.
    pub(super) fn len(&self) -> usize {
        self.facts.len()
    }

    /// Removes the facts about the components for which `kept` returns `false`. From the facts
    /// about the remaining components, removes only the option lists.
    pub(super) fn retain(&mut self, kept: impl Fn(u32) -> bool) {
        self.facts.retain(|facts| kept(facts.id));
        self.facts.shrink_to(2 * self.facts.len());
        // `Vec::retain` has moved the facts, so assign every index again. The options of a
        // component that stays may contain removed components. So drop the option lists too. They
        // are listed again when they are needed.
        self.indices = Column::default();
        for (facts, index) in self.facts.iter_mut().zip(0..) {
            facts.options = [None, None];
            self.indices.learn(facts.id, index);
        }
    }

    /// Returns the index of the facts about a component.
    fn index_of(&self, id: u32) -> usize {
        let index = self.indices.get(id);
        *index.expect("the components of a sum have been learned") as usize
    }
}

impl Index<u32> for FactTable {
    type Output = Facts;

    fn index(&self, id: u32) -> &Facts {
        &self.facts[self.index_of(id)]
    }
}

impl IndexMut<u32> for FactTable {
    fn index_mut(&mut self, id: u32) -> &mut Facts {
        let index = self.index_of(id);
        &mut self.facts[index]
    }
}
