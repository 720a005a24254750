//! Partizan rules made of rules of one's own.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{Mover, Place, Rules, visit_options, write};
use crate::partizan::{self, Player};
use crate::ruleset::Visit;

/// The partizan rules `game`.
#[derive(Clone, Debug)]
pub struct OwnPartizan(pub Arc<dyn Rules>);

/// The same rules are the same object.
impl PartialEq for OwnPartizan {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for OwnPartizan {}

impl partizan::Rules for OwnPartizan {
    type Part = Place;

    fn write(&self, parts: &[Place]) -> String {
        write(self.0.name(), parts)
    }

    fn options(
        &self,
        player: Player,
        index: usize,
        place: &Place,
        visit: Visit<'_, Place>,
    ) -> ControlFlow<()> {
        let mover = match player {
            Player::Left => Mover::Left,
            Player::Right => Mover::Right,
        };
        visit_options(&*self.0, mover, (index, place), visit)
    }
}
