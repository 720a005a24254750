//! The values of the heaps of a heap game, as a sequence. They are computed in the order of the
//! heap sizes until a period is proved.

use rustc_hash::FxHashMap;

use super::{Evidence, PartValue, Work};
use grundy_base::limits::{Limits, Stop};
use grundy_heap::{HeapAlgebra, HeapRules, Sequence, Store};

/// Least size of a heap whose options are found by the period of the values if possible, and not
/// one by one.
pub(super) const LARGE: u64 = 20_000;

/// The sequences of values of heap games, by the rules of the game.
#[derive(Debug, Default)]
pub(super) struct Heaps<A: HeapAlgebra> {
    sequences: FxHashMap<HeapRules, Sequence<A>>,
    work: Work,
}

impl<A: HeapAlgebra> Heaps<A> {
    /// Returns the sequence of values of a heap game. Creates the sequence if it does not exist.
    pub(super) fn sequence(&mut self, rules: &HeapRules) -> &mut Sequence<A> {
        if !self.sequences.contains_key(rules) {
            let new = Sequence::new(rules.clone());
            self.sequences.insert(rules.clone(), new);
        }
        let sequence = self.sequences.get_mut(rules);
        sequence.expect("inserted above when it was missing")
    }

    /// Returns the value of a heap of this size.
    pub(super) fn value(
        &mut self,
        rules: &HeapRules,
        size: u64,
        limits: &Limits<'_>,
    ) -> Result<PartValue<A::Value>, Stop> {
        // If d divides all numbers of a subtraction set, the heaps n and n - n mod d have the same
        // value. For a large set, use the sequence for n / d, which is d times shorter.
        let divided = rules.divided(LARGE);
        let (rules, times) = divided
            .as_ref()
            .map_or((rules, 1), |(rules, times)| (rules, *times));
        let sequence = self.sequence(rules);
        let before = sequence.values().count();
        let value = sequence.value(size / times, limits)?;
        let computed = (sequence.values().count() - before) as u64;
        let evidence = sequence.period_for(size / times).and_then(|period| {
            Some(Evidence::Period {
                beyond: size / times >= period.checked_to,
                period: period.stretched(times)?,
            })
        });
        self.work += Work {
            positions: computed,
            hits: u64::from(computed == 0),
        };
        Ok(PartValue {
            value,
            // If the period is too large for 64 bits, every heap is within the computed values.
            evidence: evidence.unwrap_or(Evidence::Recurrence),
        })
    }

    pub(super) fn work(&self) -> Work {
        self.work
    }
}
