//! Tame misère values. In a sum of tame games, each game can be replaced by at most two Nim heaps
//! of the same tame value. This does not change the outcome of the whole sum.
//!
//! The theorems are in `docs/theory.md`, "Tame games".

use super::heaps::Heaps;
use super::{Engine, PartRef, PartValue, Reach, Theory, Valuation, Work};
use crate::nature::Nature;
use crate::store::erased::PartFacts;
use crate::theorem::{ByTheorem, Structure};
use grundy_base::limits::{Limits, Stop};
use grundy_heap::algebra::{Algebra, Misere, Scratch, TamePlay};

/// The theory of tame values, in misère play. A component that is not tame has the value
/// [`Misere::Wild`].
#[derive(Debug, Default)]
pub struct Tame {
    heaps: Heaps<TamePlay>,
    scratch: Scratch,
}

impl Theory for Tame {
    type Value = Misere;
    const EMPTY_SUM: Misere = TamePlay::TERMINAL;
    const REACH: Reach = Reach::Options;

    fn of(engine: &mut Engine) -> &mut Valuation<Self> {
        &mut engine.tame
    }

    fn unsupported(nature: Nature) -> Option<Stop> {
        (!nature.is_impartial()).then_some(Stop::NotImpartial)
    }

    fn add(&mut self, &a: &Misere, &b: &Misere, _: &Limits<'_>) -> Result<Misere, Stop> {
        Ok(TamePlay::add(a, b))
    }

    fn theorem(parts: &dyn PartFacts, index: usize) -> Option<ByTheorem<Misere>> {
        parts.misere_of(index)
    }

    fn by_structure(
        engine: &mut Engine,
        part: PartRef<'_>,
        limits: &Limits<'_>,
    ) -> Result<Option<PartValue<Misere>>, Stop> {
        let (parts, index) = part.facts(&engine.store);
        match parts.structure_of(index) {
            Structure::Heap(heap, size) => {
                let heaps = &mut engine.tame.theory.heaps;
                heaps.value(heap, size, limits).map(Some)
            }
            Structure::Loopy => Err(Stop::Cyclic),
            // Value tables contain only Grundy values, so the options of parts of all other
            // structures are searched.
            _ => Ok(None),
        }
    }

    fn of_options(
        &mut self,
        left: &[Misere],
        _: &[Misere],
        _: &Limits<'_>,
    ) -> Result<Option<Misere>, Stop> {
        let values = left.iter().copied();
        Ok(Some(TamePlay::of_options(values, &mut self.scratch)))
    }

    fn goal(value: &Misere) -> Option<u64> {
        match *value {
            Misere::Tame { grundy, .. } => Some(grundy),
            Misere::Wild => None,
        }
    }

    fn work(&self) -> Work {
        self.heaps.work()
    }
}
