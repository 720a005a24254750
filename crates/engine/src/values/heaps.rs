//! The values of the heaps of a heap game, as a sequence. They are computed in order until a period
//! is proved.

use rustc_hash::FxHashMap;

use super::{Evidence, PartValue, Work};
use grundy_base::limits::{Limits, Stop};
use grundy_heap::{HeapAlgebra, HeapRules, Sequence, Store};

/// Size of a heap from which its options are not visited one by one, if another way exists.
pub(super) const LARGE: u64 = 20_000;

/// The sequences of values computed so far, by the rules of the heap game.
#[derive(Debug, Default)]
pub(super) struct Heaps<A: HeapAlgebra> {
    sequences: FxHashMap<HeapRules, Sequence<A>>,
    work: Work,
}

impl<A: HeapAlgebra> Heaps<A> {
    /// Returns the sequence of values of a heap game. Creates it if there is none.
    pub(super) fn sequence(&mut self, rules: &HeapRules) -> &mut Sequence<A> {
        if !self.sequences.contains_key(rules) {
            let new = Sequence::new(rules.clone());
            self.sequences.insert(rules.clone(), new);
        }
        let found = self.sequences.get_mut(rules);
        found.expect("inserted above when it was missing")
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
            // If the period exceeds 2^64, the heap is within the computed values.
            evidence: evidence.unwrap_or(Evidence::Recurrence),
        })
    }

    pub(super) fn work(&self) -> Work {
        self.work
    }
}
