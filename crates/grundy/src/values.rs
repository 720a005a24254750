//! Values of parts: by a theorem, by a sequence, by a board, or by search.

pub mod loopy;
pub mod slider;
pub mod solvable;
mod table;

use std::any::Any;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use self::loopy::{Loopy, LoopyPart, LoopyTables, Stage};
use self::solvable::{Sliders, Solvable};
use self::table::Table;
use crate::heap::progressions::progressions;
use crate::heap::{HeapRules, Period, Progression, Sequence};
use crate::limits::{Limits, Stop};
use crate::rules::{Ruleset, Structure, Theorem};
use crate::theory::NormalPlay;

/// Options of heaps from this size on are not looked at one by one where there is a shorter way.
const LARGE: u64 = 20_000;

/// How a value was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A theorem of the ruleset.
    Theorem(&'static Theorem),
    /// The sequence of heap values, whose period is proved.
    Period {
        /// The period.
        period: Period,
        /// Whether the heap lies beyond the values computed, so that the answer rests on the proof.
        beyond: bool,
    },
    /// The sequence of heap values, computed one after the other.
    Recurrence,
    /// The mex over all options, down to the end of the game.
    Search,
}

/// A part's value with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartValue<V> {
    /// The value.
    pub value: V,
    /// How it was found.
    pub evidence: Evidence,
}

/// Everything computed so far in one theory; values are kept from one question to the next.
#[derive(Debug, Default)]
pub struct Tables<T: Solvable> {
    searched: Vec<Box<dyn Any + Send>>,
    sequences: FxHashMap<HeapRules, Sequence<T>>,
    sliders: Sliders,
    /// What is valued as a game that need not end; in normal play only.
    loopy: LoopyTables,
}

impl<T: Solvable> Tables<T> {
    /// The value of one part.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn part<R: Ruleset>(
        &mut self,
        rules: &Arc<R>,
        part: &R::Part,
        limits: &Limits<'_>,
    ) -> Result<PartValue<T::Value>, Stop> {
        if let Some(known) = T::theorem(&**rules, part) {
            let evidence = Evidence::Theorem(known.theorem);
            return Ok(PartValue {
                value: known.value,
                evidence,
            });
        }
        if !rules.nature(part).is_impartial() {
            return Err(Stop::NotImpartial);
        }
        match rules.structure(part) {
            Structure::Heap(heap, size) => {
                let divided = heap.divided(LARGE);
                let (heap, times) = divided
                    .as_ref()
                    .map_or((heap, 1), |(heap, times)| (heap, *times));
                let sequence = self.sequence(heap);
                let value = sequence.value(size / times, limits)?;
                let evidence = sequence.period_for(size / times).and_then(|period| {
                    Some(Evidence::Period {
                        beyond: size / times >= period.checked_to,
                        period: period.stretched(times)?,
                    })
                });
                return Ok(PartValue {
                    value,
                    // Where the period itself is beyond 2^64 the heap lies before its end.
                    evidence: evidence.unwrap_or(Evidence::Recurrence),
                });
            }
            Structure::Slider(directions, at) => {
                if let Some(value) = T::slider(&mut self.sliders, directions, at, limits) {
                    return Ok(PartValue {
                        value: value?,
                        evidence: Evidence::Recurrence,
                    });
                }
            }
            Structure::Splitting => {
                if let Some(value) = self.table(rules).value_by_outcomes(part, limits) {
                    let evidence = Evidence::Search;
                    return Ok(PartValue {
                        value: value?,
                        evidence,
                    });
                }
            }
            Structure::Loopy => return Err(Stop::Cyclic),
            Structure::Search => {}
        }
        let value = self.table(rules).value(part, limits)?;
        Ok(PartValue {
            value,
            evidence: Evidence::Search,
        })
    }

    /// Whether the sum of `parts` has one of the values `wanted`.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn has_value<R: Ruleset>(
        &mut self,
        rules: &Arc<R>,
        parts: &[R::Part],
        wanted: &[T::Value],
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        if parts
            .iter()
            .any(|part| rules.structure(part) == Structure::Splitting)
        {
            for &value in wanted {
                match self.table(rules).has_value(parts, value, limits) {
                    Some(Ok(false)) => {}
                    Some(answer) => return answer,
                    None => return self.sum_is_one_of(rules, parts, wanted, limits),
                }
            }
            return Ok(false);
        }
        self.sum_is_one_of(rules, parts, wanted, limits)
    }

    /// Whether the sum of `parts` is a P-position in normal play: as a rule known long before its value is, because an
    /// N-position needs one good move only.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn is_zero<R: Ruleset>(
        &mut self,
        rules: &Arc<R>,
        parts: &[R::Part],
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        let zero = T::TERMINAL;
        let searched = |part| {
            let search = matches!(rules.structure(part), Structure::Search);
            search && rules.nature(part).is_impartial()
        };
        if rules.known_to_end()
            && parts.iter().all(searched)
            && let Some(answer) = self.table(rules).has_value(parts, zero, limits)
        {
            return answer;
        }
        self.has_value(rules, parts, &[zero], limits)
    }

    fn sum_is_one_of<R: Ruleset>(
        &mut self,
        rules: &Arc<R>,
        parts: &[R::Part],
        wanted: &[T::Value],
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        let mut sum = T::TERMINAL;
        for part in parts {
            sum = T::add(sum, self.part(rules, part, limits)?.value);
        }
        Ok(wanted.contains(&sum))
    }

    /// All options of a very large heap that have one of the values `wanted`, by the period of its game; `None` where there
    /// is no short way.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn progressions<R: Ruleset>(
        &mut self,
        rules: &R,
        part: &R::Part,
        wanted: &[T::Value],
        limits: &Limits<'_>,
    ) -> Result<Option<Vec<Progression>>, Stop> {
        let Structure::Heap(heap, size) = rules.structure(part) else {
            return Ok(None);
        };
        // So many moves as numbers in the set can be looked at.
        if let HeapRules::Subtraction(_) = heap {
            return Ok(None);
        }
        let wanted: Option<Vec<u64>> = wanted.iter().map(|&value| T::grundy(value)).collect();
        // Where a theorem gives the values there may be no sequence that reaches so far.
        if size < LARGE || T::of_grundy(0).is_none() || T::theorem(rules, part).is_some() {
            return Ok(None);
        }
        let sequence = self.sequence(heap);
        sequence.value(size, limits)?;
        let Some((period, wanted)) = sequence.period_for(size).zip(wanted) else {
            return Ok(None);
        };
        limits.check(period.period.saturating_add(period.preperiod), 1)?;
        let value = |n| sequence.get(n).and_then(T::grundy).unwrap_or_default();
        Ok(progressions(heap, period, size, &value, &wanted))
    }

    /// The sequence of values of a heap game.
    pub fn sequence(&mut self, heap: &HeapRules) -> &mut Sequence<T> {
        if !self.sequences.contains_key(heap) {
            self.sequences
                .insert(heap.clone(), Sequence::new(heap.clone()));
        }
        self.sequences
            .get_mut(heap)
            .expect("inserted above when it was missing")
    }

    fn table<R: Ruleset>(&mut self, rules: &Arc<R>) -> &mut Table<R, T> {
        let found = self.searched.iter().position(|table| {
            table
                .downcast_ref::<Table<R, T>>()
                .is_some_and(|table| table.rules() == &**rules)
        });
        let index = found.unwrap_or_else(|| {
            self.searched
                .push(Box::new(Table::<R, T>::new(Arc::clone(rules))));
            self.searched.len() - 1
        });
        self.searched[index]
            .downcast_mut()
            .expect("found by its type, or just made with it")
    }
}

impl Tables<NormalPlay> {
    /// The value of a part, whether or not every play ends.
    ///
    /// # Errors
    /// The limit that was reached, or [`Stop::Cyclic`] for a game that need not end and whose options are sums.
    pub fn loopy_part<R: Ruleset>(
        &mut self,
        rules: &Arc<R>,
        part: &R::Part,
        limits: &Limits<'_>,
    ) -> Result<LoopyPart, Stop> {
        if rules.structure(part) != Structure::Loopy {
            match self.part(rules, part, limits) {
                Ok(part) => {
                    return Ok(LoopyPart {
                        value: Loopy::Finite(part.value),
                        stage: Stage::default(),
                    });
                }
                Err(Stop::Cyclic) => {}
                Err(stop) => return Err(stop),
            }
        }
        self.loopy.of(rules).part(part, limits)
    }
}
