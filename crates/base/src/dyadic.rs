//! Dyadic rationals: the numbers that values of short games can be.

use std::cmp::Ordering;
use std::fmt;

/// `numerator / 2^exponent` in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dyadic {
    numerator: i128,
    exponent: u32,
}

/// Larger exponents are not kept: sums of such numbers need not fit.
const EXPONENT: u32 = 120;

impl Dyadic {
    /// 0.
    pub const ZERO: Self = Self {
        numerator: 0,
        exponent: 0,
    };

    /// `numerator / 2^exponent`; `None` when it does not fit 128 bits.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// assert_eq!(Dyadic::new(6, 3).unwrap().to_string(), "3/4");
    /// assert_eq!(Dyadic::new(-8, 2).unwrap().to_string(), "-2");
    /// ```
    #[must_use]
    pub fn new(numerator: i128, exponent: u32) -> Option<Self> {
        let shift = numerator.trailing_zeros().min(exponent);
        let (numerator, exponent) = if numerator == 0 {
            (0, 0)
        } else {
            (numerator >> shift, exponent - shift)
        };
        (exponent <= EXPONENT).then_some(Self {
            numerator,
            exponent,
        })
    }

    /// The sum; `None` when it does not fit.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        let exponent = self.exponent.max(other.exponent);
        let raised = |number: Self| {
            let factor = 1i128.checked_shl(exponent - number.exponent)?;
            number.numerator.checked_mul(factor)
        };
        Self::new(raised(self)?.checked_add(raised(other)?)?, exponent)
    }

    /// The negative.
    #[must_use]
    pub fn negative(self) -> Self {
        Self {
            numerator: -self.numerator,
            ..self
        }
    }

    /// What the move of each player leaves of the number in its simplest form: n has the move to n - 1 for Left, and
    /// m / 2^k those to (m - 1) / 2^k and (m + 1) / 2^k.
    #[must_use]
    pub fn moves(self) -> [Option<Self>; 2] {
        let step = |by: i128| Self::new(self.numerator.checked_add(by)?, self.exponent);
        if self.exponent > 0 {
            [step(-1), step(1)]
        } else {
            [
                step(-1).filter(|_| self.numerator > 0),
                step(1).filter(|_| self.numerator < 0),
            ]
        }
    }

    /// The simplest number above `most` and below `least`: the integer nearest to 0, else the one with the least denominator.
    /// `None` when there is no number between them, or one that does not fit.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// let half = Dyadic::new(1, 1);
    /// assert_eq!(Dyadic::simplest(None, half), Some(Dyadic::ZERO));
    /// assert_eq!(Dyadic::simplest(half, Dyadic::new(1, 0)), Dyadic::new(3, 2));
    /// assert_eq!(Dyadic::simplest(half, None), Dyadic::new(1, 0));
    /// ```
    #[must_use]
    pub fn simplest(most: Option<Self>, least: Option<Self>) -> Option<Self> {
        let below_zero = most.is_none_or(|most| most < Self::ZERO);
        let above_zero = least.is_none_or(|least| least > Self::ZERO);
        match (below_zero, above_zero) {
            (true, true) => Some(Self::ZERO),
            (true, false) => {
                let negative = |bound: Option<Self>| bound.map(Self::negative);
                Self::simplest(negative(least), negative(most)).map(Self::negative)
            }
            _ => {
                let most = most?;
                // The first multiple of 1, 1/2, 1/4, ... above the one that is below the other.
                (0..=EXPONENT).find_map(|exponent| {
                    let scaled = match exponent.checked_sub(most.exponent) {
                        Some(up) => 1i128.checked_shl(up)?.checked_mul(most.numerator)?,
                        None => most.numerator >> (most.exponent - exponent),
                    };
                    let next = Self::new(scaled.checked_add(1)?, exponent)?;
                    least.is_none_or(|least| next < least).then_some(next)
                })
            }
        }
    }

    /// Twice the number, rounded down; the nearest 64 bits have where it does not fit.
    #[must_use]
    pub fn twice_rounded(self) -> i64 {
        let twice = match self.exponent {
            0 => self.numerator.saturating_mul(2),
            exponent => self.numerator >> (exponent - 1),
        };
        twice.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }

    /// How it compares with 0.
    #[must_use]
    pub fn sign(self) -> Ordering {
        self.numerator.cmp(&0)
    }

    /// The value of a blue edge with a game of value x on its top: (x + n)/2^(n-1) for the least n >= 1 with x + n > 1
    /// (Winning Ways, chapter 3). `None` when it does not fit.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// // A red edge on a blue one.
    /// assert_eq!(Dyadic::new(-1, 0).unwrap().on_blue().unwrap().to_string(), "1/2");
    /// ```
    #[must_use]
    pub fn on_blue(self) -> Option<Self> {
        // The least n with x + n > 1, at least 1.
        let whole = self.numerator >> self.exponent;
        let is_whole = self.exponent == 0;
        let n = if is_whole { 2 - whole } else { 1 - whole }.max(1);
        let raised = n.checked_shl(self.exponent)?;
        if raised >> self.exponent != n {
            return None;
        }
        let power = u32::try_from(n - 1).ok()?;
        Self::new(
            self.numerator.checked_add(raised)?,
            self.exponent.checked_add(power)?,
        )
    }

    /// The same for a red edge.
    #[must_use]
    pub fn on_red(self) -> Option<Self> {
        Some(self.negative().on_blue()?.negative())
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        // The whole part, and the rest in the finest unit.
        let [one, two] = [self, other].map(|number| {
            let whole = number.numerator >> number.exponent;
            let rest = number.numerator - (whole << number.exponent);
            (whole, rest << (EXPONENT - number.exponent))
        });
        one.cmp(&two)
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.exponent == 0 {
            write!(f, "{}", self.numerator)
        } else {
            write!(f, "{}/{}", self.numerator, 1u128 << self.exponent)
        }
    }
}
