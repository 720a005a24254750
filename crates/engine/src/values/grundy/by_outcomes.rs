//! The search for nimbers, applied to the components of one ruleset. The key of a component is its
//! word if the ruleset packs components, and otherwise its number in the store.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use super::Grundy;
use crate::answers::NimberKey;
use crate::answers::nimbers::LARGE;
use crate::packed::{ImageCache, MoveKind, PackedGame};
use crate::store::NUMBERED;
use crate::store::erased::PartFacts;
use crate::values::Engine;
use crate::values::blackboard::Blackboard;
use crate::values::nimbers::{Falling, Nimbers};
use grundy_base::limits::{Flow, Limits, Stop};
use grundy_base::outcome::{Outcome, Play};

/// The search for nimbers of the components in one table of the store.
#[derive(Debug, Default)]
pub(super) struct Questions {
    nimbers: Nimbers,
    images: ImageCache,
    /// The number of bytes in use after the last question.
    bytes: u64,
}

impl Questions {
    /// Makes this search share results for packed components by `board`. `order` is the seed that
    /// determines its order.
    pub(super) fn join(&mut self, board: Option<Arc<Blackboard>>, order: u64) {
        self.nimbers.join(board, order);
    }

    /// Drops the lists of options in this search.
    pub(super) fn forget_lists(&mut self) {
        self.nimbers.forget_lists();
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
    images: ImageCache,
    limits: &'a Limits<'a>,
}

/// Returns the number in the store that a key contains, or `None` if the key is a packed word.
fn number(key: u64) -> Option<u32> {
    (key & NUMBERED != 0).then_some(key as u32)
}

impl Falling for Components<'_> {
    fn options(
        &mut self,
        key: u64,
        moves: MoveKind,
        visit: &mut dyn FnMut(&[u64]) -> Flow,
    ) -> Flow {
        match (number(key), self.packed) {
            (None, Some(packed)) => packed.options(key, moves, &mut self.images, visit),
            // For a component with a number, all moves count as moves that may split it, so that no
            // move is listed twice.
            (Some(id), _) if moves == MoveKind::Parting => {
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

    /// Returns 0 for a component that is not packed, since all its moves count as moves that may
    /// split it.
    fn whole(&self, key: u64) -> u32 {
        match (number(key), self.packed) {
            (None, Some(packed)) => packed.whole(key),
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
        if let Some(value) = self.engine.given(id) {
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

    /// Returns all values for a packed component. Its bounds depend on its symmetries, and
    /// computing them for every option would cost too much.
    fn at_sight(&self, key: u64) -> u32 {
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

    fn learned(&mut self, key: u64, value: u64) {
        if let Some(id) = number(key) {
            self.engine.learn_nimber(id, value);
        }
    }
}

impl Engine {
    /// Returns the value of a part, found by asking for the outcomes of its sums with nimbers.
    pub(super) fn value_by_outcomes(
        &mut self,
        parts: &dyn PartFacts,
        index: usize,
        limits: &Limits<'_>,
    ) -> Result<u64, Stop> {
        self.ask_nimbers(parts, index..index + 1, limits, |nimbers, keys, source| {
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
        self.ask_nimbers(parts, all, limits, |nimbers, keys, source| {
            nimbers.has_value(keys, wanted, source, limits)
        })
    }

    fn ask_nimbers<A>(
        &mut self,
        parts: &dyn PartFacts,
        range: Range<usize>,
        limits: &Limits<'_>,
        question: impl FnOnce(&mut Nimbers, &[u64], &mut dyn Falling) -> Result<A, Stop>,
    ) -> Result<A, Stop> {
        let mut keys = Vec::new();
        let table = parts.push_keys(range, &mut self.store, &mut keys);
        let (name, packed) = (parts.name(), parts.packed());
        let theory = &mut self.grundy.theory;
        let place = theory.place(table, name);
        let Questions {
            mut nimbers,
            images,
            ..
        // The search needs the engine as its source of options, so it is moved out of the engine
        // while it runs. If the mex rule asks for a value meanwhile, that evaluation uses an empty
        // search.
        } = std::mem::take(theory.questions(place));
        let whose = match packed {
            Some(_) => NimberKey::Packed(name),
            None => NimberKey::Numbered(table),
        };
        nimbers.swap_table(self.answers.nimbers(whose));
        // The table of possible nimbers belongs to the answers, which outlive the question and may
        // be written to a file. It is swapped into the search while it runs.
        let mut source = Components {
            engine: self,
            packed,
            images,
            limits,
        };
        let answer = question(&mut nimbers, &keys, &mut source);
        let images = source.images;
        self.count_listed(nimbers.take_listed());
        nimbers.swap_table(self.answers.nimbers(whose));
        let bytes = nimbers.bytes();
        *self.grundy.theory.questions(place) = Questions {
            nimbers,
            images,
            bytes,
        };
        answer
    }
}
