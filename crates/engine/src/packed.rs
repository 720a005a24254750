//! Components packed into words, for searches over millions of them.

use std::fmt::Debug;

use grundy_base::limits::Flow;

/// The kinds of moves of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// Moves that may split the component. Small components often have known values, so these moves
    /// are likely to decide.
    Parting,
    /// Moves that certainly leave it in one piece.
    Whole,
}

/// Components packed into words.
///
/// Keys are canonical. Equal components have equal keys, and two components with the same key have
/// the same value and options of the same values. A key is not 0 and less than 2^63. Results are
/// stored in files by the name of the ruleset and the key. Hence a ruleset that packs has no
/// parameters, and a change of its keys needs a new version of these files.
pub trait PackedGame: Debug {
    /// Visits the options that moves of the given kind lead to in normal play, until `visit`
    /// breaks. An option is the list of the keys of its components. Two equal components cancel and
    /// may be left out; components without moves are left out.
    fn options(
        &self,
        key: u64,
        moves: MoveKind,
        images: &mut ImageCache,
        visit: &mut dyn FnMut(&[u64]) -> Flow,
    ) -> Flow;

    /// Returns the number of moves.
    fn moves(&self, key: u64) -> u32;

    /// Returns the number of moves of kind [`MoveKind::Whole`].
    fn whole(&self, key: u64) -> u32;

    /// Returns a measure of the size of a component, which orders the options.
    fn size(&self, key: u64) -> u32;

    /// Returns the Sprague-Grundy values that theorems and bounds leave possible, as bit k for k.
    /// All of them are less than 31.
    fn possible(&self, key: u64) -> u32;
}

/// Components of an impartial game that can be packed into words.
pub trait Packs<P>: PackedGame {
    /// Returns the key of a component if it fits.
    fn pack(&self, component: &P) -> Option<u64>;
}

/// Cache of canonical keys, by the words of components in the orientation of the board.
#[derive(Debug, Default)]
pub struct ImageCache {
    slots: Vec<(u64, u64)>,
}

impl ImageCache {
    /// Number of entries. The cache is direct-mapped: an entry replaces the one before it.
    const SLOTS: usize = 1 << 14;

    /// Returns the canonical key of an oriented component, which is not 0.
    pub fn canonical(&mut self, lying: u64, canonical: impl FnOnce() -> u64) -> u64 {
        if self.slots.is_empty() {
            self.slots = vec![(0, 0); Self::SLOTS];
        }
        // The high bits of the product depend on all bits of the word. An empty slot has the word
        // 0, which no component has.
        let place = lying.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let slot = &mut self.slots[place as usize % Self::SLOTS];
        if slot.0 != lying {
            *slot = (lying, canonical());
        }
        slot.1
    }
}

/// A component of a game on a board of at most 64 squares, as the squares of each player from the
/// view of the player to move.
///
/// The square in row r and column c is bit `r * stride + c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sides {
    /// Squares of the player to move.
    pub own: u64,
    /// Squares of the other player.
    pub other: u64,
    /// The distance of two neighbouring squares of a column in bits.
    pub stride: u8,
}

impl Sides {
    /// Returns the squares that belong to either player.
    #[must_use]
    pub fn all(self) -> u64 {
        self.own | self.other
    }

    /// Returns the component with the same map applied to both sets of squares.
    #[must_use]
    pub fn map(self, change: impl Fn(u64) -> u64) -> Self {
        Self {
            own: change(self.own),
            other: change(self.other),
            ..self
        }
    }

    /// Returns the component from the view of the other player.
    #[must_use]
    pub fn exchanged(self) -> Self {
        Self {
            own: self.other,
            other: self.own,
            ..self
        }
    }
}

/// The moves of an all-small game on packed components: if one player can move, so can the other.
///
/// Components are canonical. Equal components have equal words, and two components with the same
/// words have the same value.
pub trait AllSmall: Debug {
    /// Returns the negative, that is, the component from the view of the other player.
    fn negative(&self, component: Sides) -> Sides;

    /// Visits the options of the player to move, until `visit` breaks. An option is the list of its
    /// components from the view of the other player. Components without moves are left out.
    fn options(&self, component: Sides, visit: &mut dyn FnMut(&[Sides]) -> Flow) -> Flow;

    /// Returns the approximate number of moves of each player.
    fn moves(&self, component: Sides) -> u32;

    /// Returns the size of a component. All components of its options are smaller.
    fn size(&self, component: Sides) -> u32;
}

/// Components of an all-small game that can be packed into words.
///
/// Results are stored in files by the name of the ruleset and the words. Hence a ruleset that packs
/// has no parameters, and a change of its words needs a new version of these files.
pub trait PacksSides<P>: AllSmall {
    /// Returns a component from Left's view, or `None` if it does not fit.
    fn pack(&self, component: &P) -> Option<Sides>;
}
