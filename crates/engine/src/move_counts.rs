//! Moves in reserve: who lasts longer, told by counting.
//!
//! In many games a player has places where a move cannot be taken away, others where it can unless
//! it is made in time, and the other player has room for so many moves and no more. Such counts add
//! up over the components of a sum, and often they tell who wins long before the end. The idea: D.
//! M. Breuker, J. W. H. M. Uiterwijk, H. J. van den Herik, Solving 8 x 8 Domineering, Theoretical
//! Computer Science 230 (2000), 195-206; N. Bullock, Domineering: solving large combinatorial
//! search spaces, ICGA Journal 25 (2002), 67-84. What is relied on is proved in docs/theory.md.

use std::ops::{Add, Sub};

/// What a player can count on in a component, or in a sum of some.
///
/// The places are disjoint, a move of the player in one of them leaves the others as they are, and
/// a move of the other player spoils no more than is said. Counts are given for as many places as
/// one likes: fewer are true as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reserve {
    /// Moves that the other player cannot take away.
    pub safe: i32,
    /// Places where a move makes one more safe, and which a move of the other player spoils one at
    /// a time, each perhaps with one that touches it.
    pub paired: i32,
    /// Places for one move which the other player spoils one at a time.
    pub lonely: i32,
    /// Places for one move of which the other player may spoil two at a time.
    pub touching: i32,
    /// Most moves of the other player.
    pub against: i32,
    /// Moves of this player take squares away from the other: after g of them in these places the
    /// other has room for at most `against` less half of 2 g - `spare`, rounded up.
    pub spare: i32,
    /// What else there is is worth at least this much to the player, in parts of [`Reserve::UNIT`].
    pub beside: i64,
}

impl Reserve {
    /// Parts of a whole move that [`Reserve::beside`] counts.
    pub const UNIT: i64 = 1 << 16;

    /// What is worth at least a number given in parts of [`Reserve::UNIT`]; nothing where that is
    /// too far below 0 to be said. Numbers are bounded so that a thousand of them can be added.
    #[must_use]
    pub fn of_number(beside: i64) -> Option<Self> {
        let beside = beside.min(Self::LARGE);
        (beside >= -Self::LARGE).then(|| Self {
            beside,
            ..Self::default()
        })
    }

    /// What is worth at least a whole number.
    #[must_use]
    pub fn of_integer(moves: i64) -> Option<Self> {
        Self::of_number(moves.saturating_mul(Self::UNIT))
    }

    /// Returns whether nothing better could be said because numbers are bounded.
    pub(crate) fn is_large(&self) -> bool {
        self.beside >= Self::LARGE
    }

    const LARGE: i64 = 1 << 52;

    /// How many moves the player makes at least, before having none, when both move in turn and may
    /// also move elsewhere.
    #[must_use]
    pub fn moves(&self, begins: bool) -> i32 {
        // Pairs first, then what touches, then what is lonely; the other player spoils in the same
        // order, with each pair what touches it.
        let pairs = self.paired.midpoint(i32::from(begins));
        let mut next = begins ^ (self.paired % 2 == 1);
        let spoilt = self.paired.midpoint(i32::from(!begins));
        let touching = (self.touching - spoilt).max(0);
        let touched = (touching + if next { 2 } else { 0 }) / 3;
        match touching % 3 {
            1 => next = !next,
            2 if !next => next = true,
            _ => {}
        }
        let alone = self.lonely.midpoint(i32::from(next));
        self.safe + 2 * pairs + touched + alone
    }

    /// By how many moves the player outlasts the other at least: 0 is enough for who does not
    /// begin.
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

    /// Returns whether the player is sure to win.
    #[must_use]
    pub fn wins(&self, begins: bool) -> bool {
        self.lead(begins) >= i64::from(begins)
    }

    /// Returns a number that is at most the value, by what is safe alone, in parts of
    /// [`Reserve::UNIT`].
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

    /// Returns the race itself: the player moves in the places in their order, the other spoils
    /// what hurts most or moves elsewhere.
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
