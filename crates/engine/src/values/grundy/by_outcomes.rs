//! The search for nimbers, applied to the components of one ruleset. If the ruleset can pack a
//! component into a word, the word is the key of the component. Otherwise the key contains the id
//! of the component in the store.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use super::Grundy;
use crate::answers::NimberKey;
use crate::answers::nimbers::LARGE;
use crate::packed::{MoveKind, OrientationCache, PackedGame};
use crate::store::NUMBER_BIT;
use crate::store::erased::PartFacts;
use crate::values::Engine;
use crate::values::exclusions::ExclusionTable;
use crate::values::nimbers::{Nimbers, OptionSource};
use grundy_base::limits::{Flow, Limits, Stop};
use grundy_base::outcome::{Outcome, Play};

/// The search for nimbers of the components in one table of the store.
#[derive(Debug, Default)]
pub(super) struct NimberSearch {
    nimbers: Nimbers,
    images: OrientationCache,
    /// The number of bytes in use after the last query.
    bytes: u64,
}

impl NimberSearch {
    /// Makes this search share results for packed components (components that fit in one word)
    /// through the table `exclusions`. If `exclusions` is `None`, the search shares no results.
    /// `seed` determines the order of the search.
    pub(super) fn join(&mut self, exclusions: Option<Arc<ExclusionTable>>, seed: u64) {
        self.nimbers.join(exclusions, seed);
    }

    /// Drops the lists of options in this search.
    pub(super) fn drop_lists(&mut self) {
        self.nimbers.drop_lists();
    }

    /// Returns the number of bytes that the search occupies.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// The components of one table of the store, as the source of options for the search.
struct Components<'a> {
    engine: &'a mut Engine,
    packed: Option<&'static dyn PackedGame>,
    images: OrientationCache,
    limits: &'a Limits<'a>,
}

/// Returns the id of the component whose key is `key`, or `None` if the key is a packed word.
fn number(key: u64) -> Option<u32> {
    (key & NUMBER_BIT != 0).then_some(key as u32)
}

impl OptionSource for Components<'_> {
    fn options(
        &mut self,
        key: u64,
        moves: MoveKind,
        visit: &mut dyn FnMut(&[u64]) -> Flow,
    ) -> Flow {
        match (number(key), self.packed) {
            (None, Some(packed)) => packed.options(key, moves, &mut self.images, visit),
            // All moves in a component with a number are listed as moves that may split it, so that
            // no move is listed twice.
            (Some(id), _) if moves == MoveKind::Splitting => {
                self.engine.store.visit_keys(id, self.limits, visit)
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn moves(&self, key: u64) -> u32 {
        match (number(key), self.packed) {
            (Some(id), _) => {
                let (parts, index) = self.engine.store.part(id);
                u32::try_from(parts.moves_of(index).max(1)).unwrap_or(u32::MAX)
            }
            (None, Some(packed)) => packed.moves(key),
            (None, None) => 0,
        }
    }

    /// Returns 0 if the component is not packed. All moves of such a component are listed as moves
    /// that may split it, so none is counted as non-splitting.
    fn non_splitting_moves(&self, key: u64) -> u32 {
        match (number(key), self.packed) {
            (None, Some(packed)) => packed.non_splitting_moves(key),
            _ => 0,
        }
    }

    fn size(&self, key: u64) -> u32 {
        match (number(key), self.packed) {
            (None, Some(packed)) => packed.size(key),
            _ => self.moves(key),
        }
    }

    fn possible(&self, key: u64) -> u32 {
        let Some(id) = number(key) else {
            return self.packed.map_or(u32::MAX, |packed| packed.possible(key));
        };
        if let Some(value) = self.engine.known_nimber(id) {
            return 1 << value.min(LARGE);
        }
        let (parts, index) = self.engine.store.part(id);
        let outcome = parts.outcome_of(index, Play::Normal);
        match outcome.map(|known| known.value) {
            // A theorem on the outcome decides whether the value is 0, even if it does not give the
            // value.
            Some(Outcome::P) => 1,
            Some(Outcome::N) => u32::MAX - 1,
            _ => u32::MAX,
        }
    }

    /// Returns the set of all values if the component is packed. To find a smaller set, the
    /// symmetries of the component would have to be examined, which takes too long to do for every
    /// option. For other components, returns the same set as `possible`.
    fn possible_if_cheap(&self, key: u64) -> u32 {
        match number(key) {
            Some(_) => self.possible(key),
            None => u32::MAX,
        }
    }

    fn by_mex(&mut self, key: u64) -> Result<u64, Stop> {
        // A packed component always has a value below `LARGE`, as [`PackedGame::possible`]
        // requires.
        let id = number(key).ok_or(Stop::Overflow)?;
        self.engine.component::<Grundy>(id, self.limits)
    }

    fn record_value(&mut self, key: u64, value: u64) {
        if let Some(id) = number(key) {
            self.engine.learn_nimber(id, value);
        }
    }
}

impl Engine {
    /// Returns the value of a part, found by the outcomes of sums of the part with nimbers.
    pub(super) fn value_by_outcomes(
        &mut self,
        parts: &dyn PartFacts,
        index: usize,
        limits: &Limits<'_>,
    ) -> Result<u64, Stop> {
        self.with_nimber_search(parts, index..index + 1, limits, |nimbers, keys, source| {
            keys.iter()
                .try_fold(0, |sum, &key| Ok(sum ^ nimbers.value(key, source, limits)?))
        })
    }

    /// Returns whether the sum of some parts has the value `wanted`. This may be decided long
    /// before the value is known.
    pub(super) fn has_value(
        &mut self,
        parts: &dyn PartFacts,
        wanted: u64,
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        let all = 0..parts.part_count();
        self.with_nimber_search(parts, all, limits, |nimbers, keys, source| {
            nimbers.has_value(keys, wanted, source, limits)
        })
    }

    fn with_nimber_search<A>(
        &mut self,
        parts: &dyn PartFacts,
        range: Range<usize>,
        limits: &Limits<'_>,
        query: impl FnOnce(&mut Nimbers, &[u64], &mut dyn OptionSource) -> Result<A, Stop>,
    ) -> Result<A, Stop> {
        let mut keys = Vec::new();
        let table = parts.push_keys(range, &mut self.store, &mut keys);
        let (name, packed) = (parts.name(), parts.packed());
        let theory = &mut self.grundy.theory;
        let index = theory.search_index(table, name);
        let NimberSearch {
            mut nimbers,
            images,
            ..
        // The search needs the engine as its source of options, so it is moved out of the engine
        // while it runs. If an evaluation by the mex starts another query meanwhile, that query
        // uses a new search.
        } = std::mem::take(theory.search_mut(index));
        let key = match packed {
            Some(_) => NimberKey::Packed(name),
            None => NimberKey::Numbered(table),
        };
        nimbers.swap_table(self.answers.nimbers(key));
        // The table of possible nimbers belongs to the answers, which are kept after the query and
        // may be written to a file. It is swapped into the search while the search runs.
        let mut source = Components {
            engine: self,
            packed,
            images,
            limits,
        };
        let answer = query(&mut nimbers, &keys, &mut source);
        let images = source.images;
        self.count_listed(nimbers.take_listed_components());
        nimbers.swap_table(self.answers.nimbers(key));
        let bytes = nimbers.bytes();
        *self.grundy.theory.search_mut(index) = NimberSearch {
            nimbers,
            images,
            bytes,
        };
        answer
    }
}
