//! Components as words: what a search over millions of them works with in place of parts.

use std::fmt::Debug;

use grundy_base::limits::Flow;

/// Moves of a component, of two kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// Those after which it may have fallen apart: small components are often known, so these are
    /// likely to decide.
    Parting,
    /// Those that leave it in one piece for sure.
    Whole,
}

/// Components that fit a word.
///
/// Keys are canonical: equal components have equal keys, and what else has the same key is worth
/// the same and has options worth the same. None is 0, and all are less than 2^63. What is learned
/// of components is kept in files by the name of the ruleset and their keys: a ruleset that packs
/// has no parameters, and with other keys the version of these files has to be another.
pub trait PackedGame: Debug {
    /// Visits the options of a component that some of its moves lead to in normal play, each as the
    /// keys of its components, until `visit` breaks. Two components that are equal cancel and may
    /// be left out; those that no move is left in are.
    fn options(
        &self,
        key: u64,
        moves: MoveKind,
        images: &mut ImageCache,
        visit: &mut dyn FnMut(&[u64]) -> Flow,
    ) -> Flow;

    /// How many moves there are.
    fn moves(&self, key: u64) -> u32;

    /// How many of them are [`MoveKind::Whole`].
    fn whole(&self, key: u64) -> u32;

    /// Returns a measure of a component by which options are put in order.
    fn size(&self, key: u64) -> u32;

    /// Returns the Sprague–Grundy values that a component may have by theorems and bounds, which
    /// are less than 31: bit k for k.
    fn possible(&self, key: u64) -> u32;
}

/// Components of an impartial game that can be packed as words.
pub trait Packs<P>: PackedGame {
    /// Returns the key of a component, if it fits.
    fn pack(&self, component: &P) -> Option<u64>;
}

/// The canonical keys of components met lately, found again by how they lay.
#[derive(Debug, Default)]
pub struct ImageCache {
    slots: Vec<(u64, u64)>,
}

impl ImageCache {
    /// So many are remembered.
    const SLOTS: usize = 1 << 14;

    /// Returns the canonical key of what lies so, which is not 0.
    pub fn canonical(&mut self, lying: u64, canonical: impl FnOnce() -> u64) -> u64 {
        if self.slots.is_empty() {
            self.slots = vec![(0, 0); Self::SLOTS];
        }
        let place = lying.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let slot = &mut self.slots[place as usize % Self::SLOTS];
        if slot.0 != lying {
            *slot = (lying, canonical());
        }
        slot.1
    }
}

/// A component of a game on a board of at most 64 squares: what is whose, as it is seen by who
/// moves.
///
/// The square in row r and column c is bit `r * stride + c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sides {
    /// Squares of the player to move.
    pub own: u64,
    /// Squares of the other player.
    pub other: u64,
    /// How far apart the squares of a column are.
    pub stride: u8,
}

impl Sides {
    /// Returns the squares that belong to a player.
    #[must_use]
    pub fn all(self) -> u64 {
        self.own | self.other
    }

    /// Returns the component with both sets of squares changed in the same way.
    #[must_use]
    pub fn map(self, change: impl Fn(u64) -> u64) -> Self {
        Self {
            own: change(self.own),
            other: change(self.other),
            ..self
        }
    }

    /// Returns the component as the other player sees it.
    #[must_use]
    pub fn exchanged(self) -> Self {
        Self {
            own: self.other,
            other: self.own,
            ..self
        }
    }
}

/// The moves of an all-small game in components as words: wherever one player can move the other
/// can, too.
///
/// Components are canonical: equal ones are equal words, and what else has the same words is worth
/// the same.
pub trait AllSmall: Debug {
    /// Returns the negative: the component as the other player sees it.
    fn negative(&self, component: Sides) -> Sides;

    /// Visits what the moves of the player to move leave, each as its components as the other
    /// player sees them, until `visit` breaks. Components that no move is left in are left out.
    fn options(&self, component: Sides, visit: &mut dyn FnMut(&[Sides]) -> Flow) -> Flow;

    /// How many moves each player has, about.
    fn moves(&self, component: Sides) -> u32;

    /// Returns the size of a component: all that a move leaves of it is smaller.
    fn size(&self, component: Sides) -> u32;
}

/// Components of an all-small game that can be packed as words.
///
/// What is learned of them is kept in files by the name of the ruleset and their words, so a
/// ruleset that packs has no parameters, and with other words the version of these files has to be
/// another.
pub trait PacksSides<P>: AllSmall {
    /// Returns a component as Left sees it; nothing where it does not fit.
    fn pack(&self, component: &P) -> Option<Sides>;
}
