//! Packed forms: a number plus a multiple of up plus a nimber. Their options are computed when
//! needed, not stored.
//!
//! The options and signs of n·↑ + *m are from E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning
//! Ways, 1982, chapters 2 and 3.

use std::cmp::Ordering;

use grundy_base::{Dyadic, Player};

/// The value x + n·↑ + *m.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Packed {
    /// The number x.
    pub number: Dyadic,
    /// The multiple n of ↑. It is never `i64::MIN`, so that it can be negated.
    pub ups: i64,
    /// The index m of the nimber.
    pub star: u64,
}

impl Packed {
    /// The value 0.
    pub const ZERO: Self = Self::of_number(Dyadic::ZERO);

    /// Returns the packed form of a number.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// use grundy_forms::Packed;
    /// let half = Packed::of_number(Dyadic::new(1, 1));
    /// assert!(half.is_number());
    /// assert_eq!(half.birthday(), Dyadic::integer(2));
    /// ```
    #[must_use]
    pub const fn of_number(number: Dyadic) -> Self {
        Self {
            number,
            ups: 0,
            star: 0,
        }
    }

    /// Returns the packed form of a nimber.
    ///
    /// ```
    /// use grundy_forms::Packed;
    /// assert_eq!(Packed::nimber(3).plus(&Packed::nimber(5)), Some(Packed::nimber(6)));
    /// ```
    #[must_use]
    pub const fn nimber(star: u64) -> Self {
        Self {
            number: Dyadic::ZERO,
            ups: 0,
            star,
        }
    }

    /// Returns the packed form of a multiple of up plus a nimber.
    ///
    /// ```
    /// use grundy_forms::Packed;
    /// // ^* + ^* = ^^
    /// let up_star = Packed::ups(1, 1);
    /// assert_eq!(up_star.plus(&up_star), Some(Packed::ups(2, 0)));
    /// ```
    #[must_use]
    pub const fn ups(ups: i64, star: u64) -> Self {
        Self {
            number: Dyadic::ZERO,
            ups,
            star,
        }
    }

    /// Returns the approximate number of options of the value and of all its followers. Each
    /// follower counts once.
    pub(crate) fn size(&self) -> u64 {
        let ups = self.ups.unsigned_abs().saturating_mul(2);
        let nimbers = self.star.saturating_mul(self.star.saturating_add(1));
        ups.saturating_add(nimbers).saturating_add(1)
    }

    /// Returns whether the value is a number.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// use grundy_forms::Packed;
    /// assert!(Packed::of_number(Dyadic::new(3, 2)).is_number());
    /// assert!(!Packed::nimber(1).is_number());
    /// ```
    #[must_use]
    pub fn is_number(&self) -> bool {
        self.ups == 0 && self.star == 0
    }

    /// Returns the negative of the value.
    ///
    /// ```
    /// use grundy_forms::Packed;
    /// // The negative of 2·↑ + * is 2·↓ + *.
    /// assert_eq!(Packed::ups(2, 1).negative(), Packed::ups(-2, 1));
    /// ```
    #[must_use]
    pub fn negative(&self) -> Self {
        Self {
            number: -&self.number,
            ups: -self.ups,
            star: self.star,
        }
    }

    /// Returns the sum of two values, or `None` if the multiple of up overflows.
    ///
    /// ```
    /// use grundy_forms::Packed;
    /// assert_eq!(Packed::ups(1, 1).plus(&Packed::ups(2, 3)), Some(Packed::ups(3, 2)));
    /// assert_eq!(Packed::ups(i64::MAX, 0).plus(&Packed::ups(1, 0)), None);
    /// ```
    #[must_use]
    pub fn plus(&self, other: &Self) -> Option<Self> {
        Some(Self {
            number: &self.number + &other.number,
            // `i64::MIN` is not allowed, so that the multiple can be negated.
            ups: (self.ups.checked_add(other.ups)).filter(|&ups| ups > i64::MIN)?,
            star: self.star ^ other.star,
        })
    }

    /// Returns the sign of the value: its relation to 0. Returns `None` if the value is confused
    /// with 0.
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
        // The infinitesimal part matters only if the number is 0. Among the values n·↑ + *m with n
        // ≠ 0, only ↑* and ↓* are confused with 0.
        match self.number.sign() {
            Ordering::Equal => match (self.ups, self.star) {
                (0, 0) => Some(Ordering::Equal),
                (0, _) | (1 | -1, 1) => None,
                (ups, _) => Some(ups.cmp(&0)),
            },
            sign => Some(sign),
        }
    }

    /// Returns an iterator over the options of a player in the canonical form. There may be 2^64 of
    /// them.
    ///
    /// The canonical forms are as follows, where n >= 1:
    ///
    /// - `n = {n - 1 | }` and `m/2^k = {(m - 1)/2^k | (m + 1)/2^k}`
    /// - `x + *m = {x, x + *, ..., x + *(m - 1) | the same options}`
    /// - `x + n·↑ + *m = {x | x + (n - 1)·↑ + *(m xor 1)}`
    /// - `x + ↑* = {x, x + * | x}`, the exception
    ///
    /// ```
    /// use grundy_base::Player;
    /// use grundy_forms::Packed;
    /// let options = |player| Packed::ups(3, 0).options(player).collect::<Vec<_>>();
    /// assert_eq!(options(Player::Left), [Packed::ZERO]);
    /// assert_eq!(options(Player::Right), [Packed::ups(2, 1)]);
    /// ```
    pub fn options(&self, player: Player) -> impl Iterator<Item = Self> + use<> {
        let alone = Self::of_number(self.number.clone());
        // The player who can move to the number x.
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

    /// Returns the birthday of the value.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// use grundy_forms::Packed;
    /// assert_eq!(Packed::nimber(4).birthday(), Dyadic::integer(4));
    /// // ↑ = {0|*} is born on day 2, and 2·↑ + * = {0|↑} on day 3.
    /// assert_eq!(Packed::ups(1, 0).birthday(), Dyadic::integer(2));
    /// assert_eq!(Packed::ups(2, 1).birthday(), Dyadic::integer(3));
    /// ```
    #[must_use]
    pub fn birthday(&self) -> Dyadic {
        let infinitesimal = match self.ups {
            0 => Dyadic::new(self.star.into(), 0),
            ups => {
                // Each move of the other player removes one ↑ and replaces the nimber, until the
                // nimber *`last` remains. If `last` is 0, the longest line of play leads to ↑*
                // instead, which is born on day 2.
                let ups = i128::from(ups.unsigned_abs());
                let last = u128::from(self.star) ^ (ups as u128 & 1);
                Dyadic::new(ups + (last.max(1) as i128), 0)
            }
        };
        &self.number.birthday() + &infinitesimal
    }
}
