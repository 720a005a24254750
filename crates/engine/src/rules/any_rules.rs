//! Rules whose type is known only at run time.

use std::any::{Any, TypeId};
use std::fmt::Debug;
use std::sync::Arc;

use grundy_base::index::hash;
use grundy_base::limits::Flow;
use grundy_base::player::Player;

use super::{Capabilities, Nature, Part, Ruleset, Visit};

/// The rules of a game whose parts have the type `P`. Every [`Ruleset`] implements this trait, by
/// its methods of the same names.
///
/// Code that uses this trait is compiled once for each type of parts, and not once for each
/// ruleset. Several rulesets have parts of the same type.
pub trait AnyRules<P: 'static>: Any + Debug + Send + Sync {
    /// Returns the name of the constructor. See [`Ruleset::name`].
    fn name(&self) -> &'static str;

    /// Returns the optional features of the rules. See [`Ruleset::capabilities`].
    fn capabilities(&self) -> Capabilities<'_, P>;

    /// Returns the kind of game that a part belongs to. See [`Ruleset::nature`].
    fn nature(&self, part: &P) -> Nature;

    /// Visits every option that `player` has in `part`. See [`Ruleset::options`].
    fn options(&self, player: Player, index: usize, part: &P, visit: Visit<'_, P>) -> Flow;

    /// Returns the rules with the players exchanged. See [`Ruleset::exchanged`].
    fn exchanged(&self) -> Option<Arc<dyn AnyRules<P>>>;

    /// Returns the canonical notation of the term with these parts. See [`Ruleset::write`].
    fn write(&self, parts: &[P]) -> String;

    /// Splits a part into independent components in canonical form. See [`Ruleset::components`].
    fn components(&self, part: &P, visit: &mut dyn FnMut(P));

    /// Returns the type of the rules, and a hash of their contents. Equal rules have equal keys.
    fn key(&self) -> (TypeId, u64);

    /// Returns whether `other` has the same type and equal contents.
    fn same(&self, other: &dyn AnyRules<P>) -> bool;
}

impl<P: Part, R: Ruleset<Part = P>> AnyRules<P> for R {
    fn name(&self) -> &'static str {
        Ruleset::name(self)
    }

    fn capabilities(&self) -> Capabilities<'_, P> {
        Ruleset::capabilities(self)
    }

    fn nature(&self, part: &P) -> Nature {
        Ruleset::nature(self, part)
    }

    fn options(&self, player: Player, index: usize, part: &P, visit: Visit<'_, P>) -> Flow {
        Ruleset::options(self, player, index, part, visit)
    }

    fn exchanged(&self) -> Option<Arc<dyn AnyRules<P>>> {
        Some(Arc::new(Ruleset::exchanged(self)?))
    }

    fn write(&self, parts: &[P]) -> String {
        Ruleset::write(self, parts)
    }

    fn components(&self, part: &P, visit: &mut dyn FnMut(P)) {
        Ruleset::components(self, part, visit);
    }

    fn key(&self) -> (TypeId, u64) {
        (TypeId::of::<R>(), hash(self))
    }

    fn same(&self, other: &dyn AnyRules<P>) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<R>().is_some_and(|other| self == other)
    }
}
