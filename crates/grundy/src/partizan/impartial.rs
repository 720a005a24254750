//! Impartial terms inside partizan sums.

use std::any::Any;
use std::hash::Hasher;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::{AnyTerm, Dyadic, Player, VisitTerm, impartial_moves};
use crate::picture::Picture;
use crate::position;
use crate::ruleset::Known;
use crate::step::Step;

/// An impartial term: both players have all its moves.
#[derive(Clone, Debug)]
pub struct Impartial(pub Arc<dyn position::AnyTerm>);

impl AnyTerm for Impartial {
    fn text(&self) -> String {
        self.0.text()
    }

    fn picture(&self) -> Picture {
        self.0.picture()
    }

    fn moves(&self, _: Player, visit: VisitTerm<'_>) -> ControlFlow<()> {
        impartial_moves(&self.0, visit)
    }

    fn components(&self) -> Vec<Arc<dyn AnyTerm>> {
        let parts = self.0.parts().into_iter();
        parts
            .map(|part| Arc::new(Self(part)) as Arc<dyn AnyTerm>)
            .collect()
    }

    fn number(&self) -> Option<Known<Dyadic>> {
        None
    }

    fn bounds(&self) -> Option<[i64; 2]> {
        None
    }

    /// It is its own, unless a play of it may go on for ever: then there is a draw to be had in twice the same.
    fn negative(&self) -> Option<Arc<dyn AnyTerm>> {
        let ends = self.0.finite() && self.0.known_to_end();
        ends.then(|| Arc::new(self.clone()) as _)
    }

    fn same(&self, other: &dyn AnyTerm) -> bool {
        (other as &dyn Any)
            .downcast_ref::<Self>()
            .is_some_and(|other| self.0.text() == other.0.text())
    }

    fn feed(&self, hasher: &mut dyn Hasher) {
        hasher.write(self.0.text().as_bytes());
    }

    fn remarks(&self) -> Vec<Step> {
        self.0.remarks()
    }
}
