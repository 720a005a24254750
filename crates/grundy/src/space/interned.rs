//! Numbering of canonical components.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::limits::{Limits, Stop, ended, unless};
use crate::player::Player;
use crate::rules::Ruleset;

/// The canonical components of one ruleset met so far, numbered from 0 in the order met.
#[derive(Debug)]
pub(crate) struct Interned<R: Ruleset> {
    pub(crate) rules: Arc<R>,
    ids: FxHashMap<R::Part, u32>,
    parts: Vec<R::Part>,
    /// Bytes that the components hold beside the size of their type, counted twice because they are kept twice.
    contents: u64,
}

/// Counts the bytes that a value feeds to a hasher: what it holds, wherever that lies.
#[derive(Default)]
struct ByteCount(u64);

impl Hasher for ByteCount {
    fn write(&mut self, bytes: &[u8]) {
        self.0 += bytes.len() as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl<R: Ruleset> Interned<R> {
    pub(crate) fn new(rules: Arc<R>) -> Self {
        Self {
            rules,
            ids: FxHashMap::default(),
            parts: Vec::new(),
            contents: 0,
        }
    }

    /// How many components have been met.
    pub(crate) fn len(&self) -> usize {
        self.parts.len()
    }

    /// The component with number `id`.
    pub(crate) fn part(&self, id: u32) -> &R::Part {
        &self.parts[id as usize]
    }

    /// The number of a component that is in canonical form, where it has been met.
    pub(crate) fn find(&self, component: &R::Part) -> Option<u32> {
        self.ids.get(component).copied()
    }

    /// Appends the numbers of the components of `part`.
    pub(crate) fn push_components(&mut self, part: &R::Part, out: &mut Vec<u32>) {
        let Self {
            rules,
            ids,
            parts,
            contents,
        } = self;
        rules.components(part, &mut |component| {
            out.push(entry(component, ids, parts, contents));
        });
    }

    /// The number of a component that is in canonical form.
    pub(crate) fn number(&mut self, component: R::Part) -> u32 {
        entry(
            component,
            &mut self.ids,
            &mut self.parts,
            &mut self.contents,
        )
    }

    /// Appends the options of component `id`, each as its number of components and then these.
    pub(crate) fn push_options(
        &mut self,
        id: u32,
        player: Player,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let rules = Arc::clone(&self.rules);
        let part = self.parts[id as usize].clone();
        let bytes = 2 * size_of::<R::Part>() as u64 + 48;
        let mut seen = 0u32;
        ended(rules.options(player, 0, &part, &mut |option, _| {
            let length = out.len();
            out.push(0);
            for part in option {
                self.push_components(part, out);
            }
            out[length] = (out.len() - length - 1) as u32;
            let stored = (self.len() + out.len() / 2) as u64;
            let memory = stored.saturating_mul(bytes).saturating_add(self.contents);
            let mut room = limits
                .check(stored, 0)
                .and_then(|()| limits.check(1, memory));
            seen = seen.wrapping_add(1);
            if seen.is_multiple_of(1024) {
                room = room.and_then(|()| limits.poll());
            }
            unless(room)
        }))
        .map(|_| ())
    }
}

/// The number of a component, a new one where it is met for the first time.
fn entry<P: Clone + Eq + Hash>(
    component: P,
    ids: &mut FxHashMap<P, u32>,
    parts: &mut Vec<P>,
    contents: &mut u64,
) -> u32 {
    *ids.entry(component).or_insert_with_key(|component| {
        let mut bytes = ByteCount::default();
        component.hash(&mut bytes);
        *contents += 2 * bytes.0.saturating_sub(size_of::<P>() as u64);
        parts.push(component.clone());
        parts.len() as u32 - 1
    })
}

/// The lists inside what [`Interned::push_options`] appended.
pub(crate) fn lists(mut flat: &[u32]) -> impl Iterator<Item = &[u32]> {
    std::iter::from_fn(move || {
        let (&length, rest) = flat.split_first()?;
        let (list, rest) = rest.split_at(length as usize);
        flat = rest;
        Some(list)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stop;
    use crate::ruleset::rows::{Squares, TreblecrossRow};

    #[test]
    fn what_components_hold_counts_as_memory() {
        // 4096 options of 512 bytes each, whose types are small: they do not fit one MiB.
        let mut rows = Interned::new(Arc::new(TreblecrossRow));
        let mut ids = Vec::new();
        rows.push_components(&Squares::empty(4096), &mut ids);
        let limits = Limits {
            memory: 1 << 20,
            ..Limits::default()
        };
        let stop = rows.push_options(ids[0], Player::Left, &mut Vec::new(), &limits);
        assert_eq!(stop, Err(Stop::Memory(1 << 20)));
        assert!(rows.len() < 2048);
    }
}
