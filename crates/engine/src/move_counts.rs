//! Moves in reserve: bounds that decide a game by comparing the numbers of moves that the players
//! have left.
//!
//! Some moves of a player are safe: the opponent cannot take them away. Others are lost if the
//! opponent acts in time. There is also an upper bound of the number of the opponent's moves. These
//! numbers add up over the components of a sum, and they often decide the outcome long before the
//! end.
//!
//! The idea is from two papers (D. M. Breuker, J. W. H. M. Uiterwijk, H. J. van den Herik, Solving
//! 8 x 8 Domineering, Theoretical Computer Science 230 (2000), 195-206; N. Bullock, Domineering:
//! solving large combinatorial search spaces, ICGA Journal 25 (2002), 67-84). The proofs are in
//! `docs/theory.md`, "Moves in reserve".

use std::ops::{Add, Sub};

/// A lower bound of the number of moves that a player has in a component or in a sum. Each field
/// counts places on the board of one kind.
///
/// The places are disjoint. A move of the player in one place leaves the other places unchanged. A
/// move of the other player spoils at most the places stated at each field. If places are left out,
/// the bound is still valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reserve {
    /// Moves that the other player cannot take away.
    pub safe: i32,
    /// Places where a move of the player makes a second move safe. A move of the other player
    /// spoils one such place, and possibly one touching place too.
    pub paired: i32,
    /// Places for one move of the player. A move of the other player spoils one of them.
    pub lonely: i32,
    /// Places for one move of the player. A move of the other player may spoil two of them.
    pub touching: i32,
    /// Upper bound of the number of moves of the other player.
    pub against: i32,
    /// A correction of the bound `against`. After g moves of the player in these places, the other
    /// player has at most `against` - ⌈(2g - `spare`) / 2⌉ moves, since squares are lost to both
    /// players.
    pub spare: i32,
    /// Lower bound of the value of the other components for the player, in units of 1 /
    /// [`Reserve::UNIT`].
    pub beside: i64,
}

impl Reserve {
    /// Number of units in which the value of one move is counted.
    pub const UNIT: i64 = 1 << 16;

    /// Returns the reserve of a game whose value is at least `beside` units. Returns `None` if this
    /// number is too small. A large number is reduced, so that a thousand numbers add up without
    /// overflow.
    #[must_use]
    pub fn of_number(beside: i64) -> Option<Self> {
        let beside = beside.min(Self::LARGE);
        (beside >= -Self::LARGE).then(|| Self {
            beside,
            ..Self::default()
        })
    }

    /// Returns the reserve of a game whose value is at least `moves`.
    #[must_use]
    pub fn of_integer(moves: i64) -> Option<Self> {
        Self::of_number(moves.saturating_mul(Self::UNIT))
    }

    /// Returns whether `beside` has the largest value allowed, so that the actual bound may be
    /// larger.
    pub(crate) fn is_large(&self) -> bool {
        self.beside >= Self::LARGE
    }

    const LARGE: i64 = 1 << 52;

    /// Returns the least number of moves that the player can make before running out of them. The
    /// players alternate here, and either may also move elsewhere.
    #[must_use]
    pub fn moves(&self, begins: bool) -> i32 {
        // Both players first use paired places, then touching ones, then lonely ones. With each
        // paired place the other player also spoils a touching place. This order is best for both
        // players (`docs/theory.md`).
        let pairs = self.paired.midpoint(i32::from(begins));
        let mut next = begins ^ (self.paired % 2 == 1);
        let spoilt = self.paired.midpoint(i32::from(!begins));
        let touching = (self.touching - spoilt).max(0);
        let touched = (touching + if next { 2 } else { 0 }) / 3;
        // In each round of three touching places each player moves once. So only the remainder
        // changes the player who moves next.
        match touching % 3 {
            1 => next = !next,
            2 if !next => next = true,
            _ => {}
        }
        let alone = self.lonely.midpoint(i32::from(next));
        self.safe + 2 * pairs + touched + alone
    }

    /// Returns a lower bound of the number of moves that the player has left when the other player
    /// has none. If the player does not begin, 0 suffices to win.
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

    /// Returns whether these bounds prove that the player wins.
    #[must_use]
    pub fn wins(&self, begins: bool) -> bool {
        self.lead(begins) >= i64::from(begins)
    }

    /// Returns a lower bound of the value for the player, in units of 1 / [`Reserve::UNIT`]. It
    /// uses only the safe moves.
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

    // Computes the number of moves by exhaustive search. The player moves in the fixed order. The
    // other player makes the move that does most harm, or moves elsewhere.
    fn by_brute_force(known: &mut Vec<[Option<i32>; 2]>, places: [i32; 3], begins: bool) -> i32 {
        let at = (places[0] * 100 + places[1] * 10 + places[2]) as usize;
        if let Some(known) = known[at][usize::from(begins)] {
            return known;
        }
        let [paired, lonely, touching] = places;
        let mut after = Vec::new();
        if begins {
            if paired > 0 {
                after.push(2 + by_brute_force(known, [paired - 1, lonely, touching], false));
            } else if touching > 0 {
                after.push(1 + by_brute_force(known, [paired, lonely, touching - 1], false));
            } else if lonely > 0 {
                after.push(1 + by_brute_force(known, [paired, lonely - 1, touching], false));
            }
        } else {
            after.push(by_brute_force(known, places, true));
            if paired > 0 {
                after.push(by_brute_force(known, [paired - 1, lonely, touching], true));
                after.push(by_brute_force(
                    known,
                    [paired - 1, lonely, (touching - 1).max(0)],
                    true,
                ));
            }
            if lonely > 0 {
                after.push(by_brute_force(known, [paired, lonely - 1, touching], true));
            }
            if touching > 0 {
                after.push(by_brute_force(known, [paired, lonely, touching - 1], true));
                after.push(by_brute_force(
                    known,
                    [paired, lonely, (touching - 2).max(0)],
                    true,
                ));
            }
        }
        let best = after.into_iter().min().unwrap_or(0);
        known[at][usize::from(begins)] = Some(best);
        best
    }

    #[test]
    fn reserve_moves_agree_with_brute_force() {
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
                            by_brute_force(&mut known, [paired, lonely, touching], begins),
                            "{reserve:?}, {begins}"
                        );
                    }
                }
            }
        }
    }
}
