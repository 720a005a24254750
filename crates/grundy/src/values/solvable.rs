//! Which theories parts can be valued in.

use rustc_hash::FxHashMap;

use super::slider::Slider;
use crate::heap::HeapTheory;
use crate::limits::{Limits, Stop};
use crate::rules::{Known, Ruleset};
use crate::theory::{Misere, NormalPlay, TamePlay};

/// A theory in which parts can be valued: it knows which theorem of a ruleset speaks about its values.
pub trait Solvable: HeapTheory {
    /// The ruleset's own theorem for `part`.
    fn theorem<R: Ruleset>(rules: &R, part: &R::Part) -> Option<Known<Self::Value>>;

    /// The Sprague–Grundy value inside a value, where there is one.
    fn grundy(value: Self::Value) -> Option<u64>;

    /// The value of a game with this Sprague–Grundy value, where a value says no more than that.
    fn of_grundy(grundy: u64) -> Option<Self::Value>;

    /// The value of a point of a slider's board, if this theory can read it there.
    fn slider(
        boards: &mut Sliders,
        directions: &'static [(u64, u64)],
        at: (u64, u64),
        limits: &Limits<'_>,
    ) -> Option<Result<Self::Value, Stop>>;
}

impl Solvable for NormalPlay {
    fn theorem<R: Ruleset>(rules: &R, part: &R::Part) -> Option<Known<u64>> {
        rules.grundy(part)
    }

    fn grundy(value: u64) -> Option<u64> {
        Some(value)
    }

    fn of_grundy(grundy: u64) -> Option<u64> {
        Some(grundy)
    }

    fn slider(
        boards: &mut Sliders,
        directions: &'static [(u64, u64)],
        at: (u64, u64),
        limits: &Limits<'_>,
    ) -> Option<Result<u64, Stop>> {
        Some(
            boards
                .entry(directions)
                .or_insert_with(|| Slider::new(directions))
                .value(at, limits),
        )
    }
}

impl Solvable for TamePlay {
    fn theorem<R: Ruleset>(rules: &R, part: &R::Part) -> Option<Known<Misere>> {
        rules.misere(part)
    }

    fn grundy(value: Misere) -> Option<u64> {
        match value {
            Misere::Tame { grundy, .. } => Some(grundy),
            Misere::Wild => None,
        }
    }

    fn of_grundy(_: u64) -> Option<Misere> {
        None
    }

    fn slider(
        _: &mut Sliders,
        _: &'static [(u64, u64)],
        _: (u64, u64),
        _: &Limits<'_>,
    ) -> Option<Result<Misere, Stop>> {
        None
    }
}

/// Boards by the directions of their piece.
pub type Sliders = FxHashMap<&'static [(u64, u64)], Slider>;
