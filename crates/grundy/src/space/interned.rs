//! Numbering of parts.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::limits::{Limits, Stop, ended, unless};
use crate::player::Player;
use crate::rules::Ruleset;
use grundy_base::index::{Index, hash};

/// What the parts of one ruleset become when they get numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// Canonical components, perhaps several.
    #[default]
    Components,
    /// The part itself, as it stands.
    Whole,
}

/// The components of one ruleset met so far, numbered from 0 in the order met.
#[derive(Debug)]
pub(crate) struct Interned<R: Ruleset> {
    pub(crate) rules: Arc<R>,
    form: Form,
    parts: Vec<R::Part>,
    index: Index,
    /// Numbers of what was forgotten.
    free: Vec<u32>,
    /// Bytes that the components hold beside the size of their type.
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

/// Bytes that a value holds beside the size of its type.
fn contents<T: Hash>(value: &T) -> u64 {
    let mut bytes = ByteCount::default();
    value.hash(&mut bytes);
    bytes.0.saturating_sub(size_of::<T>() as u64)
}

impl<R: Ruleset> Interned<R> {
    /// Numbers canonical components.
    pub(crate) fn new(rules: Arc<R>) -> Self {
        Self::of(rules, Form::Components)
    }

    /// Numbers parts in a form.
    pub(crate) fn of(rules: Arc<R>, form: Form) -> Self {
        Self {
            rules,
            form,
            parts: Vec::new(),
            index: Index::default(),
            free: Vec::new(),
            contents: 0,
        }
    }

    /// How many numbers have been given.
    pub(crate) fn len(&self) -> usize {
        self.parts.len()
    }

    /// The component with number `id`.
    pub(crate) fn part(&self, id: u32) -> &R::Part {
        &self.parts[id as usize]
    }

    /// The number of a component in this form, where it has been met.
    pub(crate) fn find(&self, component: &R::Part) -> Option<u32> {
        self.index
            .find(hash(component), |id| self.parts[id as usize] == *component)
    }

    /// Appends the numbers of the components of `part`.
    pub(crate) fn push_components(&mut self, part: &R::Part, out: &mut Vec<u32>) {
        match self.form {
            Form::Whole => {
                let known = self.find(part);
                out.push(known.unwrap_or_else(|| self.number(part.clone())));
            }
            Form::Components => Arc::clone(&self.rules)
                .components(part, &mut |component| out.push(self.number(component))),
        }
    }

    /// The number of a component in this form, a new one where it is met for the first time.
    pub(crate) fn number(&mut self, component: R::Part) -> u32 {
        let Self {
            parts, index, free, ..
        } = self;
        let next = free.last().map_or(parts.len() as u32, |&id| id);
        // As long as numbers are free there is room for all of them.
        if free.is_empty() {
            index.make_room(parts.len(), parts.len() + 1, |id| hash(&parts[id as usize]));
        }
        let id = index.number(hash(&component), next, |id| parts[id as usize] == component);
        if id != next {
            return id;
        }
        let bytes = contents(&component);
        if free.pop().is_some() {
            let before = std::mem::replace(&mut parts[id as usize], component);
            self.contents = self.contents + bytes - contents(&before);
        } else {
            parts.push(component);
            self.contents += bytes;
        }
        id
    }

    /// Forgets the components of which that does not hold.
    pub(crate) fn forget(&mut self, kept: impl Fn(u32) -> bool) {
        self.free.sort_unstable();
        let gone = |id: u32| self.free.binary_search(&id).is_ok();
        let (kept, free): (Vec<u32>, Vec<u32>) =
            (0..self.parts.len() as u32).partition(|&id| !gone(id) && kept(id));
        self.index = Index::default();
        self.index.make_room(0, self.parts.len(), |_| 0);
        for id in kept {
            let part = &self.parts[id as usize];
            self.index.number(hash(part), id, |_| false);
        }
        self.free = free;
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
        let mut seen = 0u64;
        ended(rules.options(player, 0, &part, &mut |option, _| {
            let length = out.len();
            out.push(0);
            for part in option {
                self.push_components(part, out);
            }
            out[length] = (out.len() - length - 1) as u32;
            seen += 1;
            let stored = match self.form {
                Form::Components => (self.len() + out.len() / 2) as u64,
                // Every option is a position, but not every part.
                Form::Whole => seen,
            };
            let memory = self.bytes() + 4 * out.len() as u64;
            let mut room = limits
                .check(stored, 0)
                .and_then(|()| limits.check(1, memory));
            if seen.is_multiple_of(1024) {
                room = room.and_then(|()| limits.poll());
            }
            unless(room)
        }))
        .map(|_| ())
    }

    /// About how many bytes are held.
    pub(crate) fn bytes(&self) -> u64 {
        let each = size_of::<R::Part>() * self.parts.capacity();
        (each + self.index.bytes() + 4 * self.free.capacity()) as u64 + self.contents
    }
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
