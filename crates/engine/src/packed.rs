//! Components packed into machine words, for searches over millions of components.

use std::fmt::Debug;

use grundy_base::limits::Flow;

/// The kinds of moves of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// Moves that may split the component into several. Small components often have known values,
    /// so such a move is likely to decide the search.
    Parting,
    /// Moves that leave the component in one piece.
    Whole,
}

/// The moves of an impartial game on components that are packed into words, called keys.
///
/// Keys are canonical: equal components have equal keys. Components with the same key have the same
/// value, and their options have the same values. A key is greater than 0 and less than 2^63.
///
/// Files store results by the name of the ruleset and the key. Hence a ruleset that packs
/// components has no parameters. If its keys change, the version of these files must change too.
pub trait PackedGame: Debug {
    /// Visits the options that moves of the given kind lead to in normal play, until `visit`
    /// breaks. An option is the list of the keys of its components. Components without moves are
    /// left out, and two equal components may be left out, since they cancel.
    fn options(
        &self,
        key: u64,
        moves: MoveKind,
        images: &mut ImageCache,
        visit: &mut dyn FnMut(&[u64]) -> Flow,
    ) -> Flow;

    /// Returns the number of moves in a component.
    fn moves(&self, key: u64) -> u32;

    /// Returns the number of moves of kind [`MoveKind::Whole`] in a component.
    fn whole(&self, key: u64) -> u32;

    /// Returns a measure of the size of a component. A search uses it to order the options.
    fn size(&self, key: u64) -> u32;

    /// Returns the set of Sprague-Grundy values that theorems and bounds leave possible. Bit k
    /// stands for the value k, which is less than 31.
    fn possible(&self, key: u64) -> u32;
}

/// The conversion of components of an impartial game into words.
pub trait Packs<P>: PackedGame {
    /// Returns the key of a component, or `None` if it does not fit.
    fn pack(&self, component: &P) -> Option<u64>;
}

/// A cache of canonical keys. It is indexed by the word of a component in its orientation on the
/// board.
#[derive(Debug, Default)]
pub struct ImageCache {
    slots: Vec<(u64, u64)>,
}

impl ImageCache {
    /// Number of entries. Each word has one possible slot, where a new entry replaces the old one.
    const SLOTS: usize = 1 << 14;

    /// Returns the canonical key of a component, given its word `lying` on the board. `canonical`
    /// computes the key, which is not 0, if it is not in the cache.
    pub fn canonical(&mut self, lying: u64, canonical: impl FnOnce() -> u64) -> u64 {
        if self.slots.is_empty() {
            self.slots = vec![(0, 0); Self::SLOTS];
        }
        // The high bits of the product depend on all bits of the word. In an empty slot the word is
        // 0, which no component has.
        let place = lying.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let slot = &mut self.slots[place as usize % Self::SLOTS];
        if slot.0 != lying {
            *slot = (lying, canonical());
        }
        slot.1
    }
}

/// A component of a game on a board of at most 64 squares, with one set of squares for each player.
/// It is seen from the view of the player to move.
///
/// The square in row r and column c is bit `r * stride + c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sides {
    /// The squares of the player to move.
    pub own: u64,
    /// The squares of the other player.
    pub other: u64,
    /// The difference of the bit indices of two neighbouring squares in a column.
    pub stride: u8,
}

impl Sides {
    /// Returns the squares that belong to either player.
    #[must_use]
    pub fn all(self) -> u64 {
        self.own | self.other
    }

    /// Returns the component after applying the same map to both sets of squares.
    #[must_use]
    pub fn map(self, change: impl Fn(u64) -> u64) -> Self {
        Self {
            own: change(self.own),
            other: change(self.other),
            ..self
        }
    }

    /// Returns the component from the view of the other player: both sets of squares are exchanged.
    #[must_use]
    pub fn exchanged(self) -> Self {
        Self {
            own: self.other,
            other: self.own,
            ..self
        }
    }
}

/// The moves of an all-small game on packed components. In such a game, if one player can move, so
/// can the other.
///
/// Components are canonical: equal components have equal words, and components with the same words
/// have the same value.
pub trait AllSmall: Debug {
    /// Returns the negative, which is the component from the view of the other player.
    fn negative(&self, component: Sides) -> Sides;

    /// Visits the options of the player to move, until `visit` breaks. An option is a list of
    /// components, from the view of the other player. Components without moves are left out.
    fn options(&self, component: Sides, visit: &mut dyn FnMut(&[Sides]) -> Flow) -> Flow;

    /// Returns the approximate number of moves of each player.
    fn moves(&self, component: Sides) -> u32;

    /// Returns the size of a component. Every component of an option is smaller.
    fn size(&self, component: Sides) -> u32;
}

/// The conversion of components of an all-small game into words.
///
/// Files store results by the name of the ruleset and the words. Hence a ruleset that packs
/// components has no parameters. If its words change, the version of these files must change too.
pub trait PacksSides<P>: AllSmall {
    /// Returns a component from the view of Left, or `None` if it does not fit into words.
    fn pack(&self, component: &P) -> Option<Sides>;
}
