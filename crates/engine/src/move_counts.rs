//! Moves in reserve: bounds on the number of moves that each player can still make. They decide
//! games such as Domineering.
//!
//! The module counts the safe moves of a player, which the opponent cannot prevent. It counts the
//! other moves of this player, some of which can be prevented. It also counts all moves that the
//! opponent can make. The counts add up over the components of a sum. The resulting bounds often
//! decide the outcome long before the end of the game.
//!
//! The idea is from two papers (D. M. Breuker, J. W. H. M. Uiterwijk, H. J. van den Herik, Solving
//! 8 x 8 Domineering, Theoretical Computer Science 230 (2000), 195-206; N. Bullock, Domineering:
//! solving large combinatorial search spaces, ICGA Journal 25 (2002), 67-84). The proofs are in
//! `docs/theory.md`, "Moves in reserve".

use std::ops::{Add, Sub};

/// The moves in reserve of one player in a component or in a sum. They bound the number of moves of
/// this player from below, and the number of moves of the other player from above.
///
/// A place is a set of squares of the board where the player can move, and places are disjoint. A
/// move of the player in one place leaves the other places unchanged. A move of the other player
/// may spoil some places. There are three kinds of places, counted in the fields `paired`, `lonely`
/// and `touching`. The comment on each field states how many of these places one move of the other
/// player can spoil. The bounds remain valid if some places are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reserve {
    /// Number of moves that the other player cannot prevent.
    pub safe: i32,
    /// Number of places where a move of the player makes a second move safe. One move of the other
    /// player spoils at most one of these places, and in addition at most one place that is counted
    /// in `touching`.
    pub paired: i32,
    /// Number of places for one move of the player. A move of the other player spoils at most one
    /// of them.
    pub lonely: i32,
    /// Number of places for one move of the player. A move of the other player spoils at most two
    /// of them.
    pub touching: i32,
    /// Upper bound of the number of moves of the other player.
    pub against: i32,
    /// A correction of the bound `against`, since moves of the player also use up squares of the
    /// other player. After g moves that are counted in `safe`, `paired`, `lonely` or `touching`,
    /// the other player has at most `against` - ⌈(2g - `spare`) / 2⌉ moves.
    pub spare: i32,
    /// Lower bound, from the view of the player, of the total value of all components whose moves
    /// are not counted in the other fields. It is in units of 1 / [`Reserve::UNIT`].
    pub other_value: i64,
}

impl Reserve {
    /// Number of units of `other_value` that make up the value of one move.
    pub const UNIT: i64 = 1 << 16;

    /// Returns the reserve of a game whose value is at least `other_value` units. Returns `None` if
    /// `other_value` is below the allowed range, and reduces it to the maximum if it is above. The
    /// range is such that the sum of a thousand reserves does not overflow.
    ///
    /// ```
    /// use grundy_core::move_counts::Reserve;
    /// let half = Reserve::of_number(Reserve::UNIT / 2).expect("in the range");
    /// assert_eq!(half.least(), Reserve::UNIT / 2);
    /// assert_eq!(Reserve::of_number(i64::MIN), None);
    /// ```
    #[must_use]
    pub fn of_number(other_value: i64) -> Option<Self> {
        let other_value = other_value.min(Self::MAX_OTHER_VALUE);
        (other_value >= -Self::MAX_OTHER_VALUE).then(|| Self {
            other_value,
            ..Self::default()
        })
    }

    /// Returns the reserve of a game whose value is at least `moves`.
    ///
    /// ```
    /// use grundy_core::move_counts::Reserve;
    /// let three = Reserve::of_integer(3).expect("in the range");
    /// assert_eq!(three.least(), 3 * Reserve::UNIT);
    /// assert!(three.wins(true) && three.wins(false));
    /// ```
    #[must_use]
    pub fn of_integer(moves: i64) -> Option<Self> {
        Self::of_number(moves.saturating_mul(Self::UNIT))
    }

    /// Returns whether `other_value` has the largest value allowed for one game, or a larger one.
    /// The true bound may then be larger, since greater numbers are reduced to this value.
    pub(crate) fn is_saturated(&self) -> bool {
        self.other_value >= Self::MAX_OTHER_VALUE
    }

    /// Largest absolute value of `other_value` for one game.
    const MAX_OTHER_VALUE: i64 = 1 << 52;

    /// Returns a lower bound of the number of moves that the player can make. It counts the safe
    /// moves, and the moves in places that the other player cannot spoil in time. The players move
    /// alternately, and the other player may also move elsewhere. `begins` is `true` if the player
    /// moves first.
    ///
    /// ```
    /// use grundy_core::move_counts::Reserve;
    /// // The players use the three lonely places in turn.
    /// let reserve = Reserve { safe: 2, lonely: 3, ..Reserve::default() };
    /// assert_eq!((reserve.moves(true), reserve.moves(false)), (4, 3));
    /// // The other player spoils a paired place only by moving first.
    /// let reserve = Reserve { paired: 1, ..Reserve::default() };
    /// assert_eq!((reserve.moves(true), reserve.moves(false)), (2, 0));
    /// ```
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
        // Each player moves once for every three touching places. So only the remainder modulo 3
        // determines who moves next.
        match touching % 3 {
            1 => next = !next,
            2 if !next => next = true,
            _ => {}
        }
        let alone = self.lonely.midpoint(i32::from(next));
        self.safe + 2 * pairs + touched + alone
    }

    /// Returns a lower bound of the number of moves that the player can still make when the other
    /// player has no move. The player wins moving first if the bound is at least 1, and moving
    /// second if it is at least 0.
    fn lead(&self, begins: bool) -> i64 {
        let moves = self.moves(begins);
        let taken = (2 * moves)
            .saturating_sub(self.spare)
            .saturating_add(1)
            .max(0)
            / 2;
        let other = self.against - taken;
        i64::from(moves) - i64::from(other) + self.other_value.div_euclid(Self::UNIT)
    }

    /// Returns whether these bounds prove that the player wins. `begins` is `true` if the player
    /// moves first.
    ///
    /// ```
    /// use grundy_core::move_counts::Reserve;
    /// // The player has one more move than the other player.
    /// let reserve = Reserve { safe: 3, against: 2, spare: 6, ..Reserve::default() };
    /// assert!(reserve.wins(true) && reserve.wins(false));
    /// // The numbers of moves are equal, so the player who begins runs out of moves first.
    /// let reserve = Reserve { safe: 2, against: 2, spare: 4, ..Reserve::default() };
    /// assert!(!reserve.wins(true) && reserve.wins(false));
    /// ```
    #[must_use]
    pub fn wins(&self, begins: bool) -> bool {
        self.lead(begins) >= i64::from(begins)
    }

    /// Returns a lower bound of the value for the player, in units of 1 / [`Reserve::UNIT`]. It
    /// uses the safe moves, but not `paired`, `lonely` and `touching`.
    ///
    /// ```
    /// use grundy_core::move_counts::Reserve;
    /// let reserve = Reserve { safe: 5, against: 2, lonely: 4, ..Reserve::default() };
    /// assert_eq!(reserve.least(), 3 * Reserve::UNIT);
    /// ```
    #[must_use]
    pub fn least(&self) -> i64 {
        i64::from(self.safe - self.against) * Self::UNIT + self.other_value
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
            other_value: self.other_value + other.other_value,
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
            other_value: self.other_value - other.other_value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Computes the number of moves by exhaustive search. The player uses the places in the fixed
    // order. The other player makes the move that is worst for the player, which may be a move
    // elsewhere.
    fn by_brute_force(known: &mut Vec<[Option<i32>; 2]>, places: [i32; 3], begins: bool) -> i32 {
        let index = (places[0] * 100 + places[1] * 10 + places[2]) as usize;
        if let Some(known) = known[index][usize::from(begins)] {
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
        known[index][usize::from(begins)] = Some(best);
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
