//! Components of a ruleset as the search for nimbers knows them: as words where the ruleset packs them, by number elsewhere.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::Theory;
use super::blackboard::Blackboard;
use super::explored::Explored;
use super::nimbers::{Falling, LARGE, NUMBERED, Nimbers};
use crate::limits::{Flow, Limits, Stop, unless};
use crate::outcome::{Outcome, Play};
use crate::player::Player;
use crate::rules::{ImageCache, MoveKind, Packed, Ruleset};

/// What has been asked about components.
#[derive(Debug, Default)]
pub struct Questions {
    nimbers: Nimbers,
    images: ImageCache,
}

impl Questions {
    /// The packed components that were met, each with the set of the values that it may have: bit k for k.
    pub(super) fn met(&self) -> impl Iterator<Item = (u64, u32)> {
        let met = self.nimbers.met();
        met.filter(|(key, possible)| key & NUMBERED == 0 && possible >> LARGE == 0)
    }

    /// Looks at components in this order, and shares what it finds out of packed ones.
    pub(super) fn join(&mut self, board: Option<Arc<Blackboard>>, order: u64) {
        self.nimbers.join(board, order);
    }

    /// Takes on trust which values packed components may have.
    pub(super) fn recall(&mut self, components: &[(u64, u32)]) {
        for &(key, possible) in components {
            self.nimbers.recall(key, possible);
        }
    }
}

/// The components of a ruleset.
struct Components<'a, R: Ruleset, T: Theory> {
    explored: &'a mut Explored<R, T>,
    theory: &'a mut T,
    images: ImageCache,
    limits: &'a Limits<'a>,
}

impl<R: Ruleset, T: Theory<Value = u64>> Components<'_, R, T> {
    fn packed(&self) -> Option<&dyn Packed<R::Part>> {
        self.explored.rules().knowledge().packed()
    }

    /// Appends the keys of the components of a part.
    fn push_keys(&mut self, part: &R::Part, out: &mut Vec<u64>) {
        let rules = Arc::clone(&self.explored.interned.rules);
        let packed = rules.knowledge().packed();
        rules.components(part, &mut |component| {
            let key = packed.and_then(|packed| packed.pack(&component));
            out.push(
                key.unwrap_or_else(|| {
                    NUMBERED | u64::from(self.explored.interned.number(component))
                }),
            );
        });
    }
}

/// The number of a component that is not packed.
fn number(key: u64) -> Option<u32> {
    (key & NUMBERED != 0).then_some(key as u32)
}

impl<R: Ruleset, T: Theory<Value = u64>> Falling for Components<'_, R, T> {
    fn options(
        &mut self,
        key: u64,
        moves: MoveKind,
        visit: &mut dyn FnMut(&[u64]) -> Flow,
    ) -> Flow {
        let rules = Arc::clone(&self.explored.interned.rules);
        let Some(id) = number(key) else {
            return match rules.knowledge().packed() {
                Some(packed) => packed.options(key, moves, &mut self.images, visit),
                None => ControlFlow::Continue(()),
            };
        };
        if moves == MoveKind::Whole {
            return ControlFlow::Continue(());
        }
        let part = self.explored.interned.part(id).clone();
        let mut keys = Vec::new();
        rules.options(Player::Left, 0, &part, &mut |option, _| {
            keys.clear();
            for part in option {
                self.push_keys(part, &mut keys);
            }
            let met = &self.explored.interned;
            let stored = self.limits.check(met.len() as u64, 0);
            unless(stored.and_then(|()| self.limits.check(1, met.bytes())))?;
            visit(&keys)
        })
    }

    fn moves(&self, key: u64) -> u32 {
        match (number(key), self.packed()) {
            (Some(id), _) => {
                let rules = self.explored.rules();
                let size = rules.knowledge().size(self.explored.interned.part(id));
                u32::try_from(size.max(1)).unwrap_or(u32::MAX)
            }
            (None, Some(packed)) => packed.moves(key),
            (None, None) => 0,
        }
    }

    /// Moves of components that are not packed are not told apart: all may part them.
    fn whole(&self, key: u64) -> u32 {
        match (number(key), self.packed()) {
            (None, Some(packed)) => packed.whole(key),
            _ => 0,
        }
    }

    fn size(&self, key: u64) -> u32 {
        match (number(key), self.packed()) {
            (None, Some(packed)) => packed.size(key),
            _ => self.moves(key),
        }
    }

    fn possible(&self, key: u64) -> u32 {
        let Some(id) = number(key) else {
            let packed = self.packed();
            return packed.map_or(u32::MAX, |packed| packed.possible(key));
        };
        if let Some(value) = self.explored.given(id) {
            return 1 << value.min(LARGE);
        }
        let part = self.explored.interned.part(id);
        let knowledge = self.explored.rules().knowledge();
        match knowledge
            .outcome(part, Play::Normal)
            .map(|known| known.value)
        {
            Some(Outcome::P) => 1,
            Some(Outcome::N) => u32::MAX - 1,
            _ => u32::MAX,
        }
    }

    /// Symmetries of packed components are not looked for so often.
    fn at_sight(&self, key: u64) -> u32 {
        match number(key) {
            Some(_) => self.possible(key),
            None => u32::MAX,
        }
    }

    fn by_mex(&mut self, key: u64) -> Result<u64, Stop> {
        let id = number(key).ok_or(Stop::Overflow)?;
        self.explored.component(id, self.theory, self.limits)
    }

    fn learned(&mut self, key: u64, value: u64) {
        if let Some(id) = number(key)
            && self.explored.known(id).is_none()
        {
            self.explored.learn(id, value);
        }
    }
}

impl<R: Ruleset, T: Theory<Value = u64, Notes = Questions>> Explored<R, T> {
    /// The value of `part`.
    pub(super) fn value_by_outcomes(
        &mut self,
        theory: &mut T,
        part: &R::Part,
        limits: &Limits<'_>,
    ) -> Result<u64, Stop> {
        self.ask(
            theory,
            std::slice::from_ref(part),
            limits,
            |nimbers, keys, source| {
                keys.iter()
                    .try_fold(0, |sum, &key| Ok(sum ^ nimbers.value(key, source, limits)?))
            },
        )
    }

    /// Whether the sum of `parts` has the value `wanted`, which may be known long before the value is.
    pub(super) fn has_value(
        &mut self,
        theory: &mut T,
        parts: &[R::Part],
        wanted: u64,
        limits: &Limits<'_>,
    ) -> Result<bool, Stop> {
        self.ask(theory, parts, limits, |nimbers, keys, source| {
            nimbers.has_value(keys, wanted, source, limits)
        })
    }

    fn ask<A>(
        &mut self,
        theory: &mut T,
        parts: &[R::Part],
        limits: &Limits<'_>,
        question: impl FnOnce(&mut Nimbers, &[u64], &mut dyn Falling) -> Result<A, Stop>,
    ) -> Result<A, Stop> {
        let Questions {
            mut nimbers,
            images,
        } = std::mem::take(&mut self.notes);
        let mut source = Components {
            explored: self,
            theory,
            images,
            limits,
        };
        let mut keys = Vec::new();
        for part in parts {
            source.push_keys(part, &mut keys);
        }
        let answer = question(&mut nimbers, &keys, &mut source);
        let images = source.images;
        self.work.count(nimbers.take_listed());
        self.noted = nimbers.bytes();
        self.notes = Questions { nimbers, images };
        answer
    }
}
