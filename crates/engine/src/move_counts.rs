//! Moves in reserve: bounds that decide by counting which player runs out of moves first.
//!
//! Some moves of a player cannot be taken away, others only if the opponent acts in time. The
//! number of the opponent's moves is bounded. Such counts add up over the components of a sum, and
//! they often decide the outcome long before the end.
//!
//! The idea is from D. M. Breuker, J. W. H. M. Uiterwijk, H. J. van den Herik, Solving 8 x 8
//! Domineering, Theoretical Computer Science 230 (2000), 195-206; N. Bullock, Domineering: solving
//! large combinatorial search spaces, ICGA Journal 25 (2002), 67-84. `docs/theory.md`, "Moves in
//! reserve", has the proofs.

use std::ops::{Add, Sub};

/// A lower bound of the moves that a player has in a component or in a sum.
///
/// The places are disjoint. A move of the player in one place leaves the others unchanged, and a
/// move of the other player spoils only the places named below. The bound stays valid if places are
/// left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reserve {
    /// Moves that the other player cannot take away.
    pub safe: i32,
    /// Places where a move makes another move safe. A move of the other player spoils one of them,
    /// perhaps with one touching place.
    pub paired: i32,
    /// Places for one move. A move of the other player spoils one of them.
    pub lonely: i32,
    /// Places for one move. A move of the other player may spoil two of them.
    pub touching: i32,
    /// Upper bound of the moves of the other player.
    pub against: i32,
    /// Offset of the bound `against`. After g moves of this player in the places, the other player
    /// has at most `against` - ⌈(2g - `spare`) / 2⌉ moves, as squares are lost to both.
    pub spare: i32,
    /// Lower bound of the value of the rest of the game to the player, in units of 1 /
    /// [`Reserve::UNIT`].
    pub beside: i64,
}

impl Reserve {
    /// Number of units in one move of [`Reserve`].
    pub const UNIT: i64 = 1 << 16;

    /// Returns the reserve of a game whose value is at least the given number of units. Returns
    /// `None` if the number is too small to represent. Numbers are bounded, so that a thousand of
    /// them add up without overflow.
    #[must_use]
    pub fn of_number(beside: i64) -> Option<Self> {
        let beside = beside.min(Self::LARGE);
        (beside >= -Self::LARGE).then(|| Self {
            beside,
            ..Self::default()
        })
    }

    /// Returns the reserve of a game whose value is at least an integer.
    #[must_use]
    pub fn of_integer(moves: i64) -> Option<Self> {
        Self::of_number(moves.saturating_mul(Self::UNIT))
    }

    /// Returns whether the bound on numbers hides a larger value.
    pub(crate) fn is_large(&self) -> bool {
        self.beside >= Self::LARGE
    }

    const LARGE: i64 = 1 << 52;

    /// Returns the least number of moves that the player makes before running out of them. The
    /// players alternate, and either may move elsewhere.
    #[must_use]
    pub fn moves(&self, begins: bool) -> i32 {
        // Both players prefer pairs, then touching places, then lonely ones. With each pair the
        // other player also spoils a touching place. `docs/theory.md` proves that this order is
        // best for both.
        let pairs = self.paired.midpoint(i32::from(begins));
        let mut next = begins ^ (self.paired % 2 == 1);
        let spoilt = self.paired.midpoint(i32::from(!begins));
        let touching = (self.touching - spoilt).max(0);
        let touched = (touching + if next { 2 } else { 0 }) / 3;
        // Each round of three has one move of either player, so only the remainder changes the
        // turn.
        match touching % 3 {
            1 => next = !next,
            2 if !next => next = true,
            _ => {}
        }
        let alone = self.lonely.midpoint(i32::from(next));
        self.safe + 2 * pairs + touched + alone
    }

    /// Returns a lower bound of the number of moves by which the player outlasts the other. The
    /// player who does not begin wins with 0.
    fn lead(&self, begins: bool) -> i64 {
        let moves = self.moves(begins);
        let taken = (2 * moves)
            .saturating_sub(self.spare)
            .saturating_add(1)
            .max(0)
            / 2;
        let other = self.against - taken;
        i64::from(moves) - i64::from(other) + self.beside.div_euclid(Self::UNIT)
    }

    /// Returns whether the player certainly wins.
    #[must_use]
    pub fn wins(&self, begins: bool) -> bool {
        self.lead(begins) >= i64::from(begins)
    }

    /// Returns a lower bound of the value in units of 1 / [`Reserve::UNIT`], which uses the safe
    /// moves only.
    #[must_use]
    pub fn least(&self) -> i64 {
        i64::from(self.safe - self.against) * Self::UNIT + self.beside
    }
}

impl Add for Reserve {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            safe: self.safe + other.safe,
            paired: self.paired + other.paired,
            lonely: self.lonely + other.lonely,
            touching: self.touching + other.touching,
            against: self.against + other.against,
            spare: self.spare + other.spare,
            beside: self.beside + other.beside,
        }
    }
}

impl Sub for Reserve {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            safe: self.safe - other.safe,
            paired: self.paired - other.paired,
            lonely: self.lonely - other.lonely,
            touching: self.touching - other.touching,
            against: self.against - other.against,
            spare: self.spare - other.spare,
            beside: self.beside - other.beside,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The race by exhaustive search: the player moves in the fixed order, and the other player
    // spoils whatever hurts most or moves elsewhere.
    fn raced(known: &mut Vec<[Option<i32>; 2]>, places: [i32; 3], begins: bool) -> i32 {
        let at = (places[0] * 100 + places[1] * 10 + places[2]) as usize;
        if let Some(known) = known[at][usize::from(begins)] {
            return known;
        }
        let [paired, lonely, touching] = places;
        let mut after = Vec::new();
        if begins {
            if paired > 0 {
                after.push(2 + raced(known, [paired - 1, lonely, touching], false));
            } else if touching > 0 {
                after.push(1 + raced(known, [paired, lonely, touching - 1], false));
            } else if lonely > 0 {
                after.push(1 + raced(known, [paired, lonely - 1, touching], false));
            }
        } else {
            after.push(raced(known, places, true));
            if paired > 0 {
                after.push(raced(known, [paired - 1, lonely, touching], true));
                after.push(raced(
                    known,
                    [paired - 1, lonely, (touching - 1).max(0)],
                    true,
                ));
            }
            if lonely > 0 {
                after.push(raced(known, [paired, lonely - 1, touching], true));
            }
            if touching > 0 {
                after.push(raced(known, [paired, lonely, touching - 1], true));
                after.push(raced(known, [paired, lonely, (touching - 2).max(0)], true));
            }
        }
        let best = after.into_iter().min().unwrap_or(0);
        known[at][usize::from(begins)] = Some(best);
        best
    }

    #[test]
    fn moves_are_those_of_the_race() {
        let mut known = vec![[None; 2]; 1000];
        for paired in 0..10 {
            for lonely in 0..10 {
                for touching in 0..10 {
                    for begins in [true, false] {
                        let reserve = Reserve {
                            paired,
                            lonely,
                            touching,
                            ..Reserve::default()
                        };
                        assert_eq!(
                            reserve.moves(begins),
                            raced(&mut known, [paired, lonely, touching], begins),
                            "{reserve:?}, {begins}"
                        );
                    }
                }
            }
        }
    }
}
