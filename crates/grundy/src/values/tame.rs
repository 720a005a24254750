//! Tame misère values: games that behave in every sum of their like as Nim heaps do, or two equal ones.
//!
//! The theorems are in `docs/theory.md`, "Tame games".

use std::sync::Arc;

use super::heaps::Heaps;
use super::{PartValue, Reach, Theory, Valuation, Work};
use crate::algebra::{Algebra, Misere, Scratch, TamePlay};
use crate::limits::{Limits, Stop};
use crate::rules::{Known, Nature, Ruleset, Structure};

/// Tame values in misère play; [`Misere::Wild`] where there is none.
#[derive(Debug, Default)]
pub struct Tame {
    heaps: Heaps<TamePlay>,
    scratch: Scratch,
}

impl Theory for Tame {
    type Value = Misere;
    type Notes = ();
    const REACH: Reach = Reach::Options;

    fn refuses(nature: Nature) -> Option<Stop> {
        (!nature.is_impartial()).then_some(Stop::NotImpartial)
    }

    fn zero(&self) -> Misere {
        TamePlay::TERMINAL
    }

    fn add(&mut self, &a: &Misere, &b: &Misere, _: &Limits<'_>) -> Result<Misere, Stop> {
        Ok(TamePlay::add(a, b))
    }

    fn theorem<R: Ruleset>(rules: &R, part: &R::Part) -> Option<Known<Misere>> {
        rules.knowledge().misere(part)
    }

    fn by_structure<R: Ruleset>(
        valuation: &mut Valuation<Self>,
        rules: &Arc<R>,
        part: &R::Part,
        limits: &Limits<'_>,
    ) -> Result<Option<PartValue<Misere>>, Stop> {
        match rules.knowledge().structure(part) {
            Structure::Heap(heap, size) => {
                let heaps = &mut valuation.theory.heaps;
                heaps.value(heap, size, limits).map(Some)
            }
            Structure::Loopy => Err(Stop::Cyclic),
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
