//! Components of several rulesets, numbered.

use std::any::Any;
use std::sync::Arc;

use super::interned::Interned;
use crate::limits::{Limits, Stop};
use crate::ruleset::Ruleset;

/// A component: the number of its ruleset and its own number there.
pub type Component = (u32, u32);

/// Numbered components of several rulesets.
#[derive(Debug, Default)]
pub struct Universe {
    rulesets: Vec<Box<dyn OptionLists>>,
}

trait OptionLists: std::fmt::Debug + Any + Send {
    fn push_options(
        &mut self,
        id: u32,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop>;
    fn as_any(&mut self) -> &mut dyn Any;
}

impl<R: Ruleset> OptionLists for Interned<R> {
    fn push_options(
        &mut self,
        id: u32,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        Self::push_options(self, id, out, limits)
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}

impl Universe {
    /// Appends the components of `part`.
    pub fn enter<R: Ruleset>(&mut self, rules: &Arc<R>, part: &R::Part, out: &mut Vec<Component>) {
        let found = self.rulesets.iter_mut().position(|known| {
            known
                .as_any()
                .downcast_ref::<Interned<R>>()
                .is_some_and(|known| known.rules == *rules)
        });
        let index = found.unwrap_or_else(|| {
            self.rulesets
                .push(Box::new(Interned::new(Arc::clone(rules))));
            self.rulesets.len() - 1
        });
        let interned: &mut Interned<R> = self.rulesets[index]
            .as_any()
            .downcast_mut()
            .expect("found by its type, or just made with it");
        let mut ids = Vec::new();
        interned.push_components(part, &mut ids);
        out.extend(ids.into_iter().map(|id| (index as u32, id)));
    }

    /// Appends the options of a component, each as its number of components and then their numbers.
    pub(crate) fn push_options(
        &mut self,
        (ruleset, id): Component,
        out: &mut Vec<u32>,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        self.rulesets[ruleset as usize].push_options(id, out, limits)
    }
}
