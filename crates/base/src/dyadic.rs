//! Dyadic rationals: the numbers that values of short games can be.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Neg, Sub};
use std::sync::Arc;

use num_bigint::{BigInt, Sign};

/// `numerator / 2^exponent` in lowest terms, of any size. Small ones take no memory of their own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dyadic(Size);

/// Whatever fits is small, so that equal numbers are equal in form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Size {
    Small { numerator: i64, exponent: u8 },
    Large(Arc<(BigInt, u32)>),
}

/// Exponents of small numbers: any two of them can be brought to one denominator in 128 bits.
const SMALL: u32 = 60;

/// The largest exponent of a denominator that is written in digits.
const DIGITS: u32 = 64;

/// Numbers of more bits than this are not made by shifts.
const BITS: u64 = 1 << 20;

impl Dyadic {
    /// 0.
    pub const ZERO: Self = Self::integer(0);

    /// 1.
    pub const ONE: Self = Self::integer(1);

    /// Returns an integer.
    #[must_use]
    pub const fn integer(numerator: i64) -> Self {
        Self(Size::Small {
            numerator,
            exponent: 0,
        })
    }

    /// `numerator / 2^exponent`.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// assert_eq!(Dyadic::new(6, 3).to_string(), "3/4");
    /// assert_eq!(Dyadic::new(-8, 2).to_string(), "-2");
    /// ```
    #[must_use]
    pub fn new(numerator: i128, exponent: u32) -> Self {
        let shift = match numerator {
            0 => exponent,
            _ => numerator.trailing_zeros().min(exponent),
        };
        let (lowest, exponent) = (numerator >> shift, exponent - shift);
        match i64::try_from(lowest) {
            Ok(numerator) if exponent <= SMALL => Self(Size::Small {
                numerator,
                exponent: exponent as u8,
            }),
            _ => Self(Size::Large(Arc::new((BigInt::from(lowest), exponent)))),
        }
    }

    /// Returns the same from an integer of any size.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// let tiny = Dyadic::of_integer(1.into(), 200);
    /// assert_eq!(&tiny + &tiny, Dyadic::of_integer(1.into(), 199));
    /// ```
    #[must_use]
    pub fn of_integer(numerator: BigInt, exponent: u32) -> Self {
        let zeros = numerator.trailing_zeros().unwrap_or(u64::from(exponent));
        let shift = zeros.min(u64::from(exponent)) as u32;
        let (lowest, exponent) = (numerator >> shift, exponent - shift);
        match i64::try_from(&lowest) {
            Ok(numerator) if exponent <= SMALL => Self(Size::Small {
                numerator,
                exponent: exponent as u8,
            }),
            _ => Self(Size::Large(Arc::new((lowest, exponent)))),
        }
    }

    /// Returns the exponent of the denominator, 0 for an integer.
    #[must_use]
    pub fn exponent(&self) -> u32 {
        match &self.0 {
            Size::Small { exponent, .. } => u32::from(*exponent),
            Size::Large(large) => large.1,
        }
    }

    /// Returns the numerator in lowest terms.
    #[must_use]
    pub fn numerator(&self) -> BigInt {
        match &self.0 {
            Size::Small { numerator, .. } => BigInt::from(*numerator),
            Size::Large(large) => large.0.clone(),
        }
    }

    /// Returns whether it is an integer.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.exponent() == 0
    }

    /// It as a small integer, where it is one.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Size::Small {
                numerator,
                exponent: 0,
            } => Some(numerator),
            _ => None,
        }
    }

    /// It times `2^power`.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// assert_eq!(Dyadic::new(3, 1).shifted(-1), Dyadic::new(3, 2));
    /// assert_eq!(Dyadic::new(3, 1).shifted(2), Dyadic::integer(6));
    /// ```
    #[must_use]
    pub fn shifted(&self, power: i32) -> Self {
        match &self.0 {
            Size::Small {
                numerator,
                exponent,
            } if (-60..60).contains(&power) => {
                let exponent = i32::from(*exponent) - power;
                let up = (-exponent).max(0);
                Self::new(i128::from(*numerator) << up, exponent.max(0) as u32)
            }
            _ => {
                let exponent = i64::from(self.exponent()) - i64::from(power);
                let up = (-exponent).max(0) as u64;
                Self::of_integer(self.numerator() << up, exponent.max(0) as u32)
            }
        }
    }

    /// Returns the greatest integer that is not larger.
    #[must_use]
    pub fn floor(&self) -> Self {
        match &self.0 {
            Size::Small {
                numerator,
                exponent,
            } => Self::integer(numerator >> exponent),
            Size::Large(large) => Self::of_integer(&large.0 >> large.1, 0),
        }
    }

    /// What the move of each player leaves of the number in its simplest form: n has the move to n
    /// - 1 for Left, and m / 2^k those to (m - 1) / 2^k and (m + 1) / 2^k.
    #[must_use]
    pub fn moves(&self) -> [Option<Self>; 2] {
        let step = self.step();
        if self.is_integer() {
            let sign = self.sign();
            [
                sign.is_gt().then(|| self - &step),
                sign.is_lt().then(|| self + &step),
            ]
        } else {
            [Some(self - &step), Some(self + &step)]
        }
    }

    /// Returns one over its denominator.
    #[must_use]
    pub fn step(&self) -> Self {
        Self::ONE.shifted(-(self.exponent() as i32))
    }

    /// Returns the simplest number above `most` and below `least`: the integer nearest to 0, else
    /// the one with the least denominator. `None` when there is no number between them.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// let half = Dyadic::new(1, 1);
    /// assert_eq!(Dyadic::simplest(None, Some(&half)), Some(Dyadic::ZERO));
    /// assert_eq!(Dyadic::simplest(Some(&half), Some(&Dyadic::ONE)), Some(Dyadic::new(3, 2)));
    /// assert_eq!(Dyadic::simplest(Some(&half), None), Some(Dyadic::ONE));
    /// assert_eq!(Dyadic::simplest(Some(&half), Some(&half)), None);
    /// ```
    #[must_use]
    pub fn simplest(most: Option<&Self>, least: Option<&Self>) -> Option<Self> {
        if most.zip(least).is_some_and(|(most, least)| most >= least) {
            return None;
        }
        let below_zero = most.is_none_or(|most| most.sign().is_lt());
        let above_zero = least.is_none_or(|least| least.sign().is_gt());
        match (below_zero, above_zero) {
            (true, true) => Some(Self::ZERO),
            (true, false) => {
                let negative = |bound: Option<&Self>| bound.map(|bound| -bound);
                Self::simplest(negative(least).as_ref(), negative(most).as_ref())
                    .map(|found| -&found)
            }
            _ => {
                let most = most?;
                // The first multiple of 1/2^k above the one that is below the other; where 1/2^k
                // will do, so will 1/2^(k + 1).
                let at = |k: u32| {
                    let next = &most.shifted(k as i32).floor() + &Self::ONE;
                    let next = next.shifted(-(k as i32));
                    least.is_none_or(|least| next < *least).then_some(next)
                };
                let (mut fails, mut k) = (None, 0);
                let mut found = loop {
                    if let Some(found) = at(k) {
                        break found;
                    }
                    fails = Some(k);
                    k = 2 * k + 1;
                };
                let mut low = fails.map_or(0, |fails| fails + 1);
                while low < k {
                    let middle = u32::midpoint(low, k);
                    match at(middle) {
                        Some(better) => (found, k) = (better, middle),
                        None => low = middle + 1,
                    }
                }
                Some(found)
            }
        }
    }

    /// Returns the simplest number between two ends, each with whether it belongs to what is
    /// possible.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// let (zero, one) = (Dyadic::ZERO, Dyadic::ONE);
    /// assert_eq!(Dyadic::simplest_within(Some((&zero, true)), Some((&one, false))), Some(Dyadic::ZERO));
    /// assert_eq!(Dyadic::simplest_within(Some((&one, false)), Some((&one, true))), None);
    /// ```
    #[must_use]
    pub fn simplest_within(
        most: Option<(&Self, bool)>,
        least: Option<(&Self, bool)>,
    ) -> Option<Self> {
        let end = |end: Option<(&Self, bool)>| end.map(|(end, _)| end.clone());
        let (from, to) = (end(most), end(least));
        let inside = Self::simplest(from.as_ref(), to.as_ref());
        let ends = match from.as_ref().zip(to.as_ref()) {
            Some((from, to)) if from > to => return None,
            // One number alone, which both sides have to allow.
            Some((from, to)) if from == to => {
                let both = [most, least].iter().flatten().all(|(_, closed)| *closed);
                return both.then(|| from.clone());
            }
            _ => [most, least],
        };
        let closed = ends.into_iter().flatten().filter(|(_, closed)| *closed);
        let candidates = closed.map(|(end, _)| end.clone()).chain(inside);
        candidates.min_by_key(Self::birthday)
    }

    /// Returns the day it is born on: an integer. n is born on day n, and m/2^k on day k after the
    /// integer that is next to it on the side of 0 and one day more.
    #[must_use]
    pub fn birthday(&self) -> Self {
        let whole = self.abs().floor();
        match self.exponent() {
            0 => whole,
            exponent => &whole + &Self::integer(i64::from(exponent) + 1),
        }
    }

    /// Twice the number, rounded down; the nearest 64 bits have where it does not fit.
    #[must_use]
    pub fn twice_rounded(&self) -> i64 {
        let twice = self.shifted(1).floor();
        twice.to_i64().unwrap_or(match self.sign() {
            Ordering::Less => i64::MIN,
            _ => i64::MAX,
        })
    }

    /// How it compares with 0.
    #[must_use]
    pub fn sign(&self) -> Ordering {
        match &self.0 {
            Size::Small { numerator, .. } => numerator.cmp(&0),
            Size::Large(large) => match large.0.sign() {
                Sign::Minus => Ordering::Less,
                Sign::NoSign => Ordering::Equal,
                Sign::Plus => Ordering::Greater,
            },
        }
    }

    /// Returns its size without its sign.
    #[must_use]
    pub fn abs(&self) -> Self {
        match self.sign() {
            Ordering::Less => -self,
            _ => self.clone(),
        }
    }

    /// Returns the product with an integer.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// assert_eq!(Dyadic::new(3, 2).times(-6), Dyadic::new(-9, 1));
    /// ```
    #[must_use]
    pub fn times(&self, n: i64) -> Self {
        match &self.0 {
            &Size::Small {
                numerator,
                exponent,
            } => Self::new(i128::from(numerator) * i128::from(n), exponent.into()),
            Size::Large(large) => Self::of_integer(&large.0 * n, large.1),
        }
    }

    /// Bytes held beside the number itself.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match &self.0 {
            Size::Small { .. } => 0,
            Size::Large(large) => 48 + large.0.bits() / 8,
        }
    }

    /// Returns the value of a blue edge with a game of value x on its top: (x + n)/2^(n-1) for the
    /// least n >= 1 with x + n > 1 (Winning Ways, chapter 3). `None` when it has more than a
    /// million bits.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// // A red edge on a blue one.
    /// assert_eq!(Dyadic::integer(-1).on_blue().unwrap().to_string(), "1/2");
    /// ```
    #[must_use]
    pub fn on_blue(&self) -> Option<Self> {
        // The least n with x + n > 1, at least 1.
        let whole = self.floor().to_i64()?;
        let n = if self.is_integer() { 2 } else { 1 } - whole.max(i64::MIN / 2);
        let n = n.max(1);
        let power = i32::try_from(n - 1).ok()?;
        if u64::from(self.exponent()) + power as u64 > BITS {
            return None;
        }
        Some((self + &Self::integer(n)).shifted(-power))
    }

    /// Returns the same for a red edge.
    #[must_use]
    pub fn on_red(&self) -> Option<Self> {
        Some(-&(-self).on_blue()?)
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;

    fn add(self, other: Self) -> Dyadic {
        if let (
            &Size::Small {
                numerator: a,
                exponent: i,
            },
            &Size::Small {
                numerator: b,
                exponent: j,
            },
        ) = (&self.0, &other.0)
        {
            // Integers stay integers.
            if let (0, 0, Some(sum)) = (i, j, a.checked_add(b)) {
                return Dyadic::integer(sum);
            }
            let most = i.max(j);
            let sum = (i128::from(a) << (most - i)) + (i128::from(b) << (most - j));
            return Dyadic::new(sum, u32::from(most));
        }
        let exponent = self.exponent().max(other.exponent());
        let raised = |number: &Dyadic| number.numerator() << (exponent - number.exponent());
        Dyadic::of_integer(raised(self) + raised(other), exponent)
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;

    fn neg(self) -> Dyadic {
        match &self.0 {
            // In lowest terms as before.
            &Size::Small {
                numerator,
                exponent,
            } if numerator != i64::MIN => Dyadic(Size::Small {
                numerator: -numerator,
                exponent,
            }),
            _ => Dyadic::of_integer(-self.numerator(), self.exponent()),
        }
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;

    fn sub(self, other: Self) -> Dyadic {
        self + &-other
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        if let (
            &Size::Small {
                numerator: a,
                exponent: i,
            },
            &Size::Small {
                numerator: b,
                exponent: j,
            },
        ) = (&self.0, &other.0)
        {
            if i == j {
                return a.cmp(&b);
            }
            let most = i.max(j);
            return (i128::from(a) << (most - i)).cmp(&(i128::from(b) << (most - j)));
        }
        (self - other).sign()
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Writes `-3`, `3/4`, and `3/(2^100)` if the denominator is larger than 2^64. The brackets tell
/// the power from the ups that may follow a number: `3/2^100` is 3/2 and a hundred ups.
///
/// ```
/// use grundy_base::Dyadic;
/// assert_eq!(Dyadic::new(3, 64).to_string(), "3/18446744073709551616");
/// assert_eq!(Dyadic::new(3, 65).to_string(), "3/(2^65)");
/// ```
impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Size::Small {
                numerator,
                exponent: 0,
            } => write!(f, "{numerator}"),
            Size::Small {
                numerator,
                exponent,
            } => write!(f, "{numerator}/{}", 1u64 << exponent),
            Size::Large(large) if large.1 == 0 => write!(f, "{}", large.0),
            Size::Large(large) => match 1u128.checked_shl(large.1) {
                Some(denominator) if large.1 <= DIGITS => write!(f, "{}/{denominator}", large.0),
                _ => write!(f, "{}/(2^{})", large.0, large.1),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Small, at the border of what is small, and large.
    fn some() -> impl Strategy<Value = Dyadic> {
        (any::<i64>(), 0u32..130, 0u64..100)
            .prop_map(|(n, e, up)| Dyadic::of_integer(BigInt::from(n) << up, e))
    }

    proptest! {
        #[test]
        fn arithmetic_is_that_of_fractions(a in some(), b in some()) {
            let exponent = 130;
            let raised = |x: &Dyadic| x.numerator() << (exponent - x.exponent());
            prop_assert_eq!(raised(&(&a + &b)), raised(&a) + raised(&b));
            prop_assert_eq!(raised(&-&a), -raised(&a));
            prop_assert_eq!(a.cmp(&b), raised(&a).cmp(&raised(&b)));
            prop_assert_eq!(&(&a + &b) - &b, a.clone());
            prop_assert_eq!(a.shifted(3).shifted(-3), a.clone());
            prop_assert!(a.floor() <= a && &a - &a.floor() < Dyadic::ONE);
        }

        #[test]
        fn the_simplest_number_is_the_first_that_fits(a in -4000i64..4000, b in -4000i64..4000, e in 0u32..9) {
            let [a, b] = [a, b].map(|n| Dyadic::new(i128::from(n), e));
            let found = Dyadic::simplest(Some(&a), Some(&b));
            // By size of integers, then by denominators.
            let integers = (0..4001i64).flat_map(|n| [n, -n]).map(|n| (0, n));
            let by_trying = if found.as_ref().is_some_and(Dyadic::is_integer) {
                integers.map(|(k, n)| Dyadic::new(n.into(), k)).find(|x| a < *x && *x < b)
            } else {
                let near = a.floor().to_i64().unwrap();
                let none = integers.map(|(k, n)| Dyadic::new(n.into(), k)).any(|x| a < x && x < b);
                prop_assert!(!none);
                (1..12u32).flat_map(|k| (near << k..=(near + 1) << k).map(move |n| Dyadic::new(n.into(), k))).find(|x| a < *x && *x < b)
            };
            prop_assert_eq!(found, by_trying);
        }
    }
}
