//! Misère canonical forms by number.

/// A misère canonical form in the [`Forms`](crate::Forms) that made it: equal numbers are equal
/// games.
///
/// Every game is either *even* or the sum of an even game and * (J. H. Conway, On Numbers and
/// Games, chapter 12). The last bit of the number says which, so that adding * is free and only
/// even games are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form(pub(crate) u32);

impl Form {
    /// 0, the game without moves, in any [`Forms`](crate::Forms).
    pub const ZERO: Self = Self(0);

    /// \*, the game whose only move is to 0, in any [`Forms`](crate::Forms).
    pub const STAR: Self = Self(1);

    /// Returns the sum with *; doing it twice leads back.
    #[must_use]
    pub fn plus_star(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// Returns whether the game is born before its sum with *.
    #[must_use]
    pub fn is_even(self) -> bool {
        self.0 & 1 == 0
    }

    /// Returns the even one of G and G + *.
    #[must_use]
    pub fn even_part(self) -> Self {
        Self(self.0 & !1)
    }

    /// Where the even part is stored.
    pub(crate) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// 1 where * is added to the even part.
    pub(crate) fn star(self) -> u32 {
        self.0 & 1
    }
}
