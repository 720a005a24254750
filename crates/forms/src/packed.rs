//! What takes no braces: a number, a count of ups, and a nimber, side by side.
//!
//! Options and signs of n·↑ + *m: E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982,
//! chapters 2 and 3.

use std::cmp::Ordering;

use grundy_base::{Dyadic, Player};

/// x + n·↑ + *m.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Packed {
    /// x.
    pub number: Dyadic,
    /// n.
    pub ups: i64,
    /// m.
    pub star: u64,
}

impl Packed {
    /// 0.
    pub const ZERO: Self = Self::of_number(Dyadic::ZERO);

    /// Returns a number.
    #[must_use]
    pub const fn of_number(number: Dyadic) -> Self {
        Self {
            number,
            ups: 0,
            star: 0,
        }
    }

    /// Returns a nimber.
    #[must_use]
    pub const fn nimber(star: u64) -> Self {
        Self {
            number: Dyadic::ZERO,
            ups: 0,
            star,
        }
    }

    /// Returns some ups and a nimber.
    #[must_use]
    pub const fn ups(ups: i64, star: u64) -> Self {
        Self {
            number: Dyadic::ZERO,
            ups,
            star,
        }
    }

    /// Returns about how many options its followers have, each follower once.
    pub(crate) fn size(&self) -> u64 {
        let ups = self.ups.unsigned_abs().saturating_mul(2);
        let nimbers = self.star.saturating_mul(self.star.saturating_add(1));
        ups.saturating_add(nimbers).saturating_add(1)
    }

    /// Returns whether it is a number.
    #[must_use]
    pub fn is_number(&self) -> bool {
        self.ups == 0 && self.star == 0
    }

    /// Returns the negative.
    #[must_use]
    pub fn negative(&self) -> Self {
        Self {
            number: -&self.number,
            ups: -self.ups,
            star: self.star,
        }
    }

    /// Returns the sum; `None` where the count of ups does not fit.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Option<Self> {
        Some(Self {
            number: &self.number + &other.number,
            // One less than all, so that the negative fits.
            ups: (self.ups.checked_add(other.ups)).filter(|&ups| ups > i64::MIN)?,
            star: self.star ^ other.star,
        })
    }

    /// How it compares with 0: nothing where it is confused with it.
    ///
    /// ```
    /// use grundy_forms::Packed;
    /// use std::cmp::Ordering;
    /// assert_eq!(Packed::ups(1, 0).sign(), Some(Ordering::Greater));
    /// assert_eq!(Packed::ups(1, 1).sign(), None);
    /// assert_eq!(Packed::ups(1, 2).sign(), Some(Ordering::Greater));
    /// assert_eq!(Packed::nimber(3).sign(), None);
    /// ```
    #[must_use]
    pub fn sign(&self) -> Option<Ordering> {
        match self.number.sign() {
            Ordering::Equal => match (self.ups, self.star) {
                (0, 0) => Some(Ordering::Equal),
                (0, _) | (1 | -1, 1) => None,
                (ups, _) => Some(ups.cmp(&0)),
            },
            sign => Some(sign),
        }
    }

    /// Returns the options of a player in the canonical form; there may be 2^64 of them.
    ///
    /// n is {n - 1 | }, m/2^k is {(m - 1)/2^k | (m + 1)/2^k}, x*m is {x, x*, ..., x*(m - 1) | the
    /// same}, and for n >= 1 x + n·↑ + *m is {x | x + (n - 1)·↑ + *(m xor 1)}, but ↑* is {0, * |
    /// 0}.
    pub fn options(&self, player: Player) -> impl Iterator<Item = Self> + use<> {
        let alone = Self::of_number(self.number.clone());
        // Whose move takes the ups away at one blow.
        let sharp = if self.ups > 0 {
            Player::Left
        } else {
            Player::Right
        };
        let exceptional = self.ups.abs() == 1 && self.star == 1;
        let (nimbers, other) = if self.is_number() {
            let found = player.of(self.number.moves());
            (0, found.map(Self::of_number))
        } else if self.ups == 0 {
            (self.star, None)
        } else if player == sharp {
            (1 + u64::from(exceptional), None)
        } else if exceptional {
            (1, None)
        } else {
            let less = Self {
                number: self.number.clone(),
                ups: self.ups - self.ups.signum(),
                star: self.star ^ 1,
            };
            (0, Some(less))
        };
        let nimbers = (0..nimbers).map(move |star| Self {
            star,
            ..alone.clone()
        });
        nimbers.chain(other)
    }

    /// Returns the day it is born on.
    #[must_use]
    pub fn birthday(&self) -> Dyadic {
        let infinitesimal = match self.ups {
            0 => Dyadic::new(self.star.into(), 0),
            ups => {
                // All the ups but one or none come off singly, and the star changes with each.
                let ups = i128::from(ups.unsigned_abs());
                let last = u128::from(self.star) ^ (ups as u128 & 1);
                Dyadic::new(ups + (last.max(1) as i128), 0)
            }
        };
        &self.number.birthday() + &infinitesimal
    }
}
