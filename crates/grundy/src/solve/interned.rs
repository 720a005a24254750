//! Numbering of canonical components.

use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::limits::{Limits, Stop};
use crate::ruleset::Ruleset;

/// The canonical components of one ruleset met so far, numbered from 0 in the order met.
#[derive(Debug)]
pub(crate) struct Interned<R: Ruleset> {
    pub(crate) rules: Arc<R>,
    ids: FxHashMap<R::Part, u32>,
    parts: Vec<R::Part>,
}

impl<R: Ruleset> Interned<R> {
    pub(crate) fn new(rules: Arc<R>) -> Self {
        Self {
            rules,
            ids: FxHashMap::default(),
            parts: Vec::new(),
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

    /// Appends the numbers of the components of `part`.
    pub(crate) fn push_components(&mut self, part: &R::Part, out: &mut Vec<u32>) {
        let Self { rules, ids, parts } = self;
        rules.components(part, &mut |component| {
            let id = *ids.entry(component).or_insert_with_key(|component| {
                parts.push(component.clone());
                parts.len() as u32 - 1
            });
            out.push(id);
        });
    }

    /// Appends the options of component `id`, each as its number of components and then these.
    pub(crate) fn push_options(
        &mut self,
        id: u32,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let rules = Arc::clone(&self.rules);
        let part = self.parts[id as usize].clone();
        let bytes = 2 * size_of::<R::Part>() as u64 + 48;
        let mut stop = Ok(());
        let _ = rules.options(0, &part, &mut |option, _| {
            let length = out.len();
            out.push(0);
            for part in option {
                self.push_components(part, out);
            }
            out[length] = (out.len() - length - 1) as u32;
            stop = limits.check((self.len() + out.len() / 2) as u64, bytes);
            if stop.is_ok() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        stop
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
