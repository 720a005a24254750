//! A finer picture of sums: some pieces are counted further than the monoid does.

use fixedbitset::FixedBitSet;
use grundy_base::limits::{Limits, Stop};
use rustc_hash::FxHashMap;

use super::Word;
use super::action::Action;
use super::oracle::Draft;

/// Pieces that are counted: up to how many, and then by parity.
#[derive(Clone, Debug, Default)]
pub(super) struct Counters {
    counted: Vec<(u32, u32)>,
}

/// Most pieces that are counted, and most states that come of it, before something else is tried.
const MOST: usize = 12;
const MOST_STATES: usize = 20_000;

impl Counters {
    /// Counts a piece further, so that `times` of it are told apart from fewer; whether that is possible and new.
    pub(super) fn count(&mut self, piece: u32, times: u32) -> bool {
        match self.counted.iter_mut().find(|counter| counter.0 == piece) {
            Some((_, most)) if *most < times + 2 => *most = times + 2,
            Some(_) => return false,
            None => self.counted.push((piece, times + 1)),
        }
        self.counted.len() <= MOST
    }

    /// The proved monoid with counters, without its letters, and the column of each piece. `words` are the shortest sums of the elements:
    /// a piece counts as the sum of its element does. Nothing where there are too many states.
    pub(super) fn action(
        &self,
        proved: &Draft,
        words: &[Word],
        limits: &Limits<'_>,
    ) -> Result<Option<(Action, Vec<u32>)>, Stop> {
        let mut kinds: FxHashMap<(u32, Vec<u32>), u32> = FxHashMap::default();
        let columns: Vec<u32> = (0u32..)
            .zip(&proved.elements)
            .map(|(piece, &element)| {
                let alone = self.counted.iter().any(|counter| counter.0 == piece);
                let as_sum = |counted: u32| {
                    let word = words[element as usize].iter();
                    word.filter(|&&piece| piece == counted).count() as u32
                };
                let adds = self.counted.iter().map(|&(counted, _)| {
                    if alone {
                        u32::from(counted == piece)
                    } else {
                        as_sum(counted)
                    }
                });
                let count = kinds.len() as u32;
                *kinds.entry((element, adds.collect())).or_insert(count)
            })
            .collect();
        let mut by_number = vec![(0, Vec::new()); kinds.len()];
        for (kind, number) in kinds {
            by_number[number as usize] = kind;
        }
        let mut states = vec![(0u32, vec![0u32; self.counted.len()])];
        let mut numbers = FxHashMap::from_iter([(states[0].clone(), 0u32)]);
        let mut after: Vec<Vec<u32>> = vec![Vec::new(); by_number.len()];
        let mut next = 0;
        while next < states.len() {
            // The options of each are a set of all.
            let bytes = (states.len() * states.len() / 8) as u64;
            if states.len() > MOST_STATES || bytes > limits.memory / 4 {
                return Ok(None);
            }
            limits.poll()?;
            for (column, (element, adds)) in by_number.iter().enumerate() {
                let (state, counts) = &states[next];
                let counts = counts.iter().zip(adds).zip(&self.counted);
                let counts = counts.map(|((count, add), &(_, most))| {
                    let count = count + add;
                    if count > most + 1 {
                        most + (count - most) % 2
                    } else {
                        count
                    }
                });
                let state = (proved.monoid.times(*state, *element), counts.collect());
                let count = states.len() as u32;
                let number = *numbers.entry(state.clone()).or_insert(count);
                if number == count {
                    states.push(state);
                }
                after[column].push(number);
            }
            next += 1;
        }
        let losing = |&(_, (element, _)): &(usize, &(u32, Vec<u32>))| proved.monoid.is_p(*element);
        let p: FixedBitSet = (states.iter().enumerate().filter(losing).map(|(at, _)| at)).collect();
        let action = Action {
            size: states.len(),
            columns: after,
            letters: Vec::new(),
            p,
        };
        Ok(Some((action, columns)))
    }
}
