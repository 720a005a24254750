//! Components packed into machine words, for searches over millions of components.

use std::fmt::Debug;

use grundy_base::limits::Flow;

/// The kinds of moves of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// Moves that may split the component into several small ones. The values of small components
    /// are often known, so such a move is likely to decide the search.
    Splitting,
    /// Moves that leave the component in one piece.
    NonSplitting,
}

/// The moves of an impartial game whose components are packed into words. The word of a component
/// is called its key.
///
/// Keys are canonical: equal components have equal keys. Components with equal keys have the same
/// value, and their options have the same values. A key is greater than 0 and less than 2^63.
///
/// Files store results by the name of the ruleset and the key. So a ruleset that packs components
/// must not have parameters. If its keys change, the version of these files must change too.
pub trait PackedGame: Debug + Send + Sync {
    /// Visits the options that moves of the kind `moves` lead to in normal play, until `visit`
    /// breaks. An option is given by the list of the keys of its components. The list omits all
    /// components without moves. It may also omit pairs of equal components, since they cancel.
    fn options(
        &self,
        key: u64,
        moves: MoveKind,
        orientations: &mut OrientationCache,
        visit: &mut dyn FnMut(&[u64]) -> Flow,
    ) -> Flow;

    /// Returns the number of moves in a component.
    fn moves(&self, key: u64) -> u32;

    /// Returns the number of moves of kind [`MoveKind::NonSplitting`] in a component.
    fn non_splitting_moves(&self, key: u64) -> u32;

    /// Returns a measure of the size of a component, by which a search orders the options.
    fn size(&self, key: u64) -> u32;

    /// Returns the set of Sprague-Grundy values that theorems and bounds leave possible. Bit k
    /// stands for the value k, which is less than 31.
    fn possible(&self, key: u64) -> u32;
}

/// The conversion of components of an impartial game into words.
pub trait Packs<P>: PackedGame {
    /// Returns the key of a component, or `None` if the component does not fit into a word.
    fn pack(&self, component: &P) -> Option<u64>;
}

/// A cache of the canonical keys of components. A component is looked up by the word that packs it
/// in its orientation on the board, before rotations and reflections.
#[derive(Debug, Default)]
pub struct OrientationCache {
    slots: Vec<(u64, u64)>,
}

impl OrientationCache {
    /// Number of slots of the cache. An entry can be stored in only one slot, which depends on its
    /// word, and replaces the entry stored there before.
    const SLOTS: usize = 1 << 14;

    /// Returns the canonical key of a component. `oriented` is the word that packs the component in
    /// its orientation on the board. If the key is not in the cache, computes it by `canonical`.
    ///
    /// ```
    /// use grundy_core::rules::OrientationCache;
    /// let mut cache = OrientationCache::default();
    /// // The key of a row of squares is the lesser of the row and its mirror image.
    /// let row = 0b1101u64;
    /// let mirrored = row.reverse_bits() >> 60;
    /// assert_eq!(cache.canonical(row, || row.min(mirrored)), 0b1011);
    /// assert_eq!(cache.canonical(row, || unreachable!("the key is in the cache")), 0b1011);
    /// ```
    pub fn canonical(&mut self, oriented: u64, canonical: impl FnOnce() -> u64) -> u64 {
        if self.slots.is_empty() {
            self.slots = vec![(0, 0); Self::SLOTS];
        }
        // The high bits of the product depend on all bits of the word. In an empty slot the word is
        // 0, which is not the word of any component.
        let index = oriented.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let slot = &mut self.slots[index as usize % Self::SLOTS];
        if slot.0 != oriented {
            *slot = (oriented, canonical());
        }
        slot.1
    }
}

/// A component of a game on a board of at most 64 squares, as one set of squares for each player.
///
/// A set of squares is a word, in which bit `r * stride + c` is the square in row r and column c.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sides {
    /// The squares of the player to move.
    pub own: u64,
    /// The squares of the other player.
    pub other: u64,
    /// The difference between the bit indices of two neighbouring squares in a column.
    pub stride: u8,
}

impl Sides {
    /// Returns the squares that belong to either player.
    ///
    /// ```
    /// use grundy_core::rules::Sides;
    /// let sides = Sides { own: 0b0011, other: 0b0100, stride: 4 };
    /// assert_eq!(sides.all(), 0b0111);
    /// ```
    #[must_use]
    pub fn all(self) -> u64 {
        self.own | self.other
    }

    /// Applies the function `change` to both sets of squares, and returns the resulting component.
    ///
    /// ```
    /// use grundy_core::rules::Sides;
    /// let sides = Sides { own: 0b0011, other: 0b0100, stride: 4 };
    /// // The same component in the next row.
    /// let moved = sides.map(|squares| squares << 4);
    /// assert_eq!(moved, Sides { own: 0b0011_0000, other: 0b0100_0000, stride: 4 });
    /// ```
    #[must_use]
    pub fn map(self, change: impl Fn(u64) -> u64) -> Self {
        Self {
            own: change(self.own),
            other: change(self.other),
            ..self
        }
    }

    /// Returns the component from the view of the other player, with the sets of squares exchanged.
    ///
    /// ```
    /// use grundy_core::rules::Sides;
    /// let sides = Sides { own: 0b0011, other: 0b0100, stride: 4 };
    /// assert_eq!(sides.exchanged(), Sides { own: 0b0100, other: 0b0011, stride: 4 });
    /// ```
    #[must_use]
    pub fn exchanged(self) -> Self {
        Self {
            own: self.other,
            other: self.own,
            ..self
        }
    }
}

/// The moves of an all-small game on packed components. In an all-small game, a player can move in
/// a position if and only if the other player can.
///
/// Components are canonical: equal components have equal words, and components with equal words
/// have the same value.
pub trait AllSmall: Debug {
    /// Returns the negative, which is the component from the view of the other player.
    fn negative(&self, component: Sides) -> Sides;

    /// Visits the options of the player to move, until `visit` breaks. An option is a list of
    /// components, from the view of the other player. It contains no component without moves.
    fn options(&self, component: Sides, visit: &mut dyn FnMut(&[Sides]) -> Flow) -> Flow;

    /// Returns the approximate number of moves of each player.
    fn moves(&self, component: Sides) -> u32;

    /// Returns the size of a component. Every component of an option is smaller.
    fn size(&self, component: Sides) -> u32;
}

/// The conversion of components of an all-small game into words.
///
/// Files store results by the name of the ruleset and the words. So a ruleset that packs components
/// must not have parameters. If its words change, the version of these files must change too.
pub trait PacksSides<P>: AllSmall {
    /// Returns the words that represent a component from the view of Left, or `None` if the
    /// component does not fit into words.
    fn pack(&self, component: &P) -> Option<Sides>;
}
