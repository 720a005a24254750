//! Dyadic rationals: integers divided by powers of two. These are exactly the numbers that are
//! values of short games.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Neg, Sub};
use std::sync::Arc;

use num_bigint::{BigInt, Sign};

/// The number `numerator / 2^exponent` in lowest terms, of any size. Small numbers are stored
/// without allocation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dyadic(Size);

/// The representation of a number. A number that fits `Small` is always `Small`. So equal numbers
/// have equal representations, and `Eq` and `Hash` can be derived.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Size {
    Small { numerator: i64, exponent: u8 },
    Large(Arc<(BigInt, u32)>),
}

/// Largest exponent of a number stored as `Small`. Two such numbers, brought to a common
/// denominator, fit 128 bits.
const SMALL: u32 = 60;

/// Largest exponent for which the denominator is written as a decimal number. A larger denominator
/// is written as a power of 2.
const DIGITS: u32 = 64;

/// Largest exponent of 2 in the denominator of a result of [`Dyadic::on_blue`].
const BITS: u64 = 1 << 20;

impl Dyadic {
    /// The number 0.
    pub const ZERO: Self = Self::integer(0);

    /// The number 1.
    pub const ONE: Self = Self::integer(1);

    /// Creates an integer.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// assert_eq!(Dyadic::integer(-3), Dyadic::new(-6, 1));
    /// ```
    #[must_use]
    pub const fn integer(numerator: i64) -> Self {
        Self(Size::Small {
            numerator,
            exponent: 0,
        })
    }

    /// Creates the number `numerator / 2^exponent`.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// assert_eq!(Dyadic::new(6, 3).to_string(), "3/4");
    /// assert_eq!(Dyadic::new(-8, 2).to_string(), "-2");
    /// ```
    #[must_use]
    pub fn new(numerator: i128, exponent: u32) -> Self {
        // 0 has no lowest set bit; its lowest terms are 0 / 2^0.
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

    /// Creates the number `numerator / 2^exponent` from an integer of any size.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// let tiny = Dyadic::from_bigint(1.into(), 200);
    /// assert_eq!(&tiny + &tiny, Dyadic::from_bigint(1.into(), 199));
    /// ```
    #[must_use]
    pub fn from_bigint(numerator: BigInt, exponent: u32) -> Self {
        // `None` stands for 0, which is divisible by every power of two.
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

    /// Returns the exponent of the denominator, which is 0 for an integer.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// // 6/8 = 3/2^2
    /// assert_eq!(Dyadic::new(6, 3).exponent(), 2);
    /// assert_eq!(Dyadic::integer(6).exponent(), 0);
    /// ```
    #[must_use]
    pub fn exponent(&self) -> u32 {
        match &self.0 {
            Size::Small { exponent, .. } => u32::from(*exponent),
            Size::Large(large) => large.1,
        }
    }

    /// Returns the numerator in lowest terms.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// // 6/8 = 3/4
    /// assert_eq!(Dyadic::new(6, 3).numerator().to_string(), "3");
    /// ```
    #[must_use]
    pub fn numerator(&self) -> BigInt {
        match &self.0 {
            Size::Small { numerator, .. } => BigInt::from(*numerator),
            Size::Large(large) => large.0.clone(),
        }
    }

    /// Returns whether the number is an integer.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// assert!(Dyadic::new(8, 2).is_integer());
    /// assert!(!Dyadic::new(3, 2).is_integer());
    /// ```
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.exponent() == 0
    }

    /// Returns the number as an `i64`, or `None` if it is not an integer in that range.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// assert_eq!(Dyadic::new(8, 2).to_i64(), Some(2));
    /// assert_eq!(Dyadic::new(3, 2).to_i64(), None);
    /// assert_eq!(Dyadic::new(1 << 64, 0).to_i64(), None);
    /// ```
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

    /// Returns the number multiplied by `2^power`.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// assert_eq!(Dyadic::new(3, 1).times_power_of_two(-1), Dyadic::new(3, 2));
    /// assert_eq!(Dyadic::new(3, 1).times_power_of_two(2), Dyadic::integer(6));
    /// ```
    #[must_use]
    pub fn times_power_of_two(&self, power: i32) -> Self {
        match &self.0 {
            Size::Small {
                numerator,
                exponent,
            } if (-60..60).contains(&power) => {
                // Within these powers an `i64` shifted up fits into 128 bits.
                let exponent = i32::from(*exponent) - power;
                let up = (-exponent).max(0);
                Self::new(i128::from(*numerator) << up, exponent.max(0) as u32)
            }
            _ => {
                let exponent = i64::from(self.exponent()) - i64::from(power);
                let up = (-exponent).max(0) as u64;
                Self::from_bigint(self.numerator() << up, exponent.max(0) as u32)
            }
        }
    }

    /// Returns the greatest integer that is at most this number.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// assert_eq!(Dyadic::new(7, 2).floor(), Dyadic::ONE);
    /// assert_eq!(Dyadic::new(-3, 1).floor(), Dyadic::integer(-2));
    /// ```
    #[must_use]
    pub fn floor(&self) -> Self {
        match &self.0 {
            Size::Small {
                numerator,
                exponent,
            } => Self::integer(numerator >> exponent),
            // Both shifts are arithmetic and round towards minus infinity, as `floor` must.
            Size::Large(large) => Self::from_bigint(&large.0 >> large.1, 0),
        }
    }

    /// Returns the option of Left and the option of Right in the canonical form of this number. An
    /// integer n > 0 has only the option n - 1 of Left. An integer n < 0 has only the option n + 1
    /// of Right, and 0 has no option. A fraction m / 2^k has the options (m - 1) / 2^k and
    /// (m + 1) / 2^k.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// // 2 = {1|} and 3/4 = {1/2|1}
    /// assert_eq!(Dyadic::integer(2).moves(), [Some(Dyadic::ONE), None]);
    /// assert_eq!(Dyadic::new(3, 2).moves(), [Some(Dyadic::new(1, 1)), Some(Dyadic::ONE)]);
    /// ```
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

    /// Returns 1 divided by the denominator of this number.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// assert_eq!(Dyadic::new(3, 2).step(), Dyadic::new(1, 2));
    /// assert_eq!(Dyadic::integer(-5).step(), Dyadic::ONE);
    /// ```
    #[must_use]
    pub fn step(&self) -> Self {
        Self::ONE.times_power_of_two(-(self.exponent() as i32))
    }

    /// Returns the simplest number that is greater than `lower` and less than `upper`. If there are
    /// integers between the bounds, it is the one nearest to 0. Otherwise it is the number with the
    /// least denominator. Returns `None` if no number is between the bounds. A bound of `None` is
    /// infinite.
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
    pub fn simplest(lower: Option<&Self>, upper: Option<&Self>) -> Option<Self> {
        if lower
            .zip(upper)
            .is_some_and(|(lower, upper)| lower >= upper)
        {
            return None;
        }
        let below_zero = lower.is_none_or(|lower| lower.sign().is_lt());
        let above_zero = upper.is_none_or(|upper| upper.sign().is_gt());
        match (below_zero, above_zero) {
            // 0 is the simplest of all numbers. If all numbers between the bounds are negative,
            // search for the simplest number between the negated bounds.
            (true, true) => Some(Self::ZERO),
            (true, false) => {
                let negative = |bound: Option<&Self>| bound.map(|bound| -bound);
                Self::simplest(negative(upper).as_ref(), negative(lower).as_ref())
                    .map(|found| -&found)
            }
            _ => {
                let lower = lower?;
                // `at(k)` is the least multiple of 1 / 2^k greater than `lower`, if it is less than
                // `upper`. If some multiple of 1 / 2^k lies between the bounds, then so does one of
                // 1 / 2^(k + 1). Hence binary search can find the least k.
                let at = |k: u32| {
                    let next = &lower.times_power_of_two(k as i32).floor() + &Self::ONE;
                    let next = next.times_power_of_two(-(k as i32));
                    upper.is_none_or(|upper| next < *upper).then_some(next)
                };
                // k grows about twofold until a multiple fits. Then binary search finds the least
                // k. So the number of steps is logarithmic, even if the bounds are extremely close.
                let (mut fails, mut k) = (None, 0);
                let mut found = loop {
                    if let Some(found) = at(k) {
                        break found;
                    }
                    fails = Some(k);
                    // k takes the values 0, 1, 3, 7, ... The least possible k lies between the last
                    // failure and the first success.
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

    /// Returns the simplest number between the bounds `lower` and `upper`. The flag of a bound is
    /// `true` if the number may equal that bound. A bound of `None` is infinite.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// let (zero, one) = (Dyadic::ZERO, Dyadic::ONE);
    /// let found = Dyadic::simplest_within(Some((&zero, true)), Some((&one, false)));
    /// assert_eq!(found, Some(Dyadic::ZERO));
    /// assert_eq!(Dyadic::simplest_within(Some((&one, false)), Some((&one, true))), None);
    /// ```
    #[must_use]
    pub fn simplest_within(
        lower: Option<(&Self, bool)>,
        upper: Option<(&Self, bool)>,
    ) -> Option<Self> {
        let end = |end: Option<(&Self, bool)>| end.map(|(end, _)| end.clone());
        let (from, to) = (end(lower), end(upper));
        let inside = Self::simplest(from.as_ref(), to.as_ref());
        let ends = match from.as_ref().zip(to.as_ref()) {
            Some((from, to)) if from > to => return None,
            // The bounds are equal, so the only candidate is that number, which both bounds must
            // allow.
            Some((from, to)) if from == to => {
                let both = [lower, upper].iter().flatten().all(|(_, closed)| *closed);
                return both.then(|| from.clone());
            }
            _ => [lower, upper],
        };
        let closed = ends.into_iter().flatten().filter(|(_, closed)| *closed);
        let candidates = closed.map(|(end, _)| end.clone()).chain(inside);
        // A bound that is allowed can be simpler than every number strictly between the bounds.
        candidates.min_by_key(Self::birthday)
    }

    /// Returns the birthday as an integer. An integer n has birthday |n|. A fraction m / 2^k has
    /// birthday floor(|m / 2^k|) + k + 1.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// assert_eq!(Dyadic::integer(-4).birthday(), Dyadic::integer(4));
    /// // 3/4 = {1/2|1}, and 1/2 = {0|1} has birthday 2.
    /// assert_eq!(Dyadic::new(3, 2).birthday(), Dyadic::integer(3));
    /// ```
    #[must_use]
    pub fn birthday(&self) -> Self {
        let whole = self.abs().floor();
        match self.exponent() {
            0 => whole,
            exponent => &whole + &Self::integer(i64::from(exponent) + 1),
        }
    }

    /// Returns the greatest integer that is at most twice this number, clamped to the range of an
    /// `i64`.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// assert_eq!(Dyadic::new(3, 2).twice_rounded(), 1);
    /// assert_eq!(Dyadic::new(-3, 2).twice_rounded(), -2);
    /// assert_eq!(Dyadic::new(1 << 70, 0).twice_rounded(), i64::MAX);
    /// ```
    #[must_use]
    pub fn twice_rounded(&self) -> i64 {
        let twice = self.times_power_of_two(1).floor();
        twice.to_i64().unwrap_or(match self.sign() {
            Ordering::Less => i64::MIN,
            _ => i64::MAX,
        })
    }

    /// Returns the sign: the result of comparing the number with 0.
    ///
    /// ```
    /// use std::cmp::Ordering;
    /// use grundy_base::Dyadic;
    /// assert_eq!(Dyadic::new(-3, 1).sign(), Ordering::Less);
    /// assert_eq!(Dyadic::ZERO.sign(), Ordering::Equal);
    /// ```
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

    /// Returns the absolute value.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// assert_eq!(Dyadic::new(-3, 1).abs(), Dyadic::new(3, 1));
    /// ```
    #[must_use]
    pub fn abs(&self) -> Self {
        match self.sign() {
            Ordering::Less => -self,
            _ => self.clone(),
        }
    }

    /// Returns the number multiplied by the integer `n`.
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
            Size::Large(large) => Self::from_bigint(&large.0 * n, large.1),
        }
    }

    /// Returns the number of bytes that this number has allocated on the heap.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// assert_eq!(Dyadic::new(3, 2).bytes(), 0);
    /// assert!(Dyadic::new(1 << 100, 0).bytes() > 0);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match &self.0 {
            Size::Small { .. } => 0,
            Size::Large(large) => 48 + large.0.bits() / 8,
        }
    }

    /// Returns the value of a blue edge in Hackenbush on top of which stands a game whose value is
    /// this number, x. It is (x + n) / 2^(n-1) for the least n >= 1 with x + n > 1 (Winning Ways,
    /// chapter 3). Returns `None` if the floor of x does not fit an `i64`, or if the denominator of
    /// the result would be too long.
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// // A blue edge with a red edge on top.
    /// assert_eq!(Dyadic::integer(-1).on_blue().unwrap().to_string(), "1/2");
    /// ```
    #[must_use]
    pub fn on_blue(&self) -> Option<Self> {
        // Compute the least n >= 1 with x + n > 1. `max` keeps the subtraction from overflowing.
        let whole = self.floor().to_i64()?;
        let n = if self.is_integer() { 2 } else { 1 } - whole.max(i64::MIN / 2);
        let n = n.max(1);
        let power = i32::try_from(n - 1).ok()?;
        // Without this limit, a short input such as one edge below a large number could allocate
        // gigabytes.
        if u64::from(self.exponent()) + power as u64 > BITS {
            return None;
        }
        Some((self + &Self::integer(n)).times_power_of_two(-power))
    }

    /// Returns the value of a red edge in Hackenbush on top of which stands a game whose value is
    /// this number, x. It is the negative of the value of a blue edge below a game of value -x (see
    /// [`Dyadic::on_blue`]).
    ///
    /// ```
    /// use grundy_base::Dyadic;
    /// // A red edge with a blue edge on top.
    /// assert_eq!(Dyadic::ONE.on_red().unwrap().to_string(), "-1/2");
    /// ```
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
            // Two integers, the most frequent case, need no shift and no reduction.
            if let (0, 0, Some(sum)) = (i, j, a.checked_add(b)) {
                return Dyadic::integer(sum);
            }
            // The sum of the shifted numerators has at most 63 + 60 + 1 bits.
            let most = i.max(j);
            let sum = (i128::from(a) << (most - i)) + (i128::from(b) << (most - j));
            return Dyadic::new(sum, u32::from(most));
        }
        let exponent = self.exponent().max(other.exponent());
        let raised = |number: &Dyadic| number.numerator() << (exponent - number.exponent());
        Dyadic::from_bigint(raised(self) + raised(other), exponent)
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;

    fn neg(self) -> Dyadic {
        match &self.0 {
            // The negative of a number in lowest terms is in lowest terms. Only the least `i64` has
            // no negative of the same type.
            &Size::Small {
                numerator,
                exponent,
            } if numerator != i64::MIN => Dyadic(Size::Small {
                numerator: -numerator,
                exponent,
            }),
            _ => Dyadic::from_bigint(-self.numerator(), self.exponent()),
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
        // Large numbers are rare, so their comparison may take the time of a subtraction.
        (self - other).sign()
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Formats a number as `-3`, as `3/4`, or as `3/(2^100)` if the denominator exceeds 2^64. The
/// parentheses avoid an ambiguity: `^` also denotes an up, so `3/2^100` means 3/2 plus a hundred
/// ups.
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

    /// Generates small numbers, large numbers, and numbers at the limit between `Small` and
    /// `Large`.
    fn any_dyadic() -> impl Strategy<Value = Dyadic> {
        (any::<i64>(), 0u32..130, 0u64..100)
            .prop_map(|(n, e, up)| Dyadic::from_bigint(BigInt::from(n) << up, e))
    }

    proptest! {
        #[test]
        fn arithmetic_agrees_with_fractions(a in any_dyadic(), b in any_dyadic()) {
            // 130 exceeds all generated exponents, so both products are integers.
            let exponent = 130;
            let raised = |x: &Dyadic| x.numerator() << (exponent - x.exponent());
            prop_assert_eq!(raised(&(&a + &b)), raised(&a) + raised(&b));
            prop_assert_eq!(raised(&-&a), -raised(&a));
            prop_assert_eq!(a.cmp(&b), raised(&a).cmp(&raised(&b)));
            prop_assert_eq!(&(&a + &b) - &b, a.clone());
            prop_assert_eq!(a.times_power_of_two(3).times_power_of_two(-3), a.clone());
            prop_assert!(a.floor() <= a && &a - &a.floor() < Dyadic::ONE);
        }

        #[test]
        fn the_simplest_number_is_the_first_that_fits(a in -4000i64..4000, b in -4000i64..4000, e in 0u32..9) {
            let [a, b] = [a, b].map(|n| Dyadic::new(i128::from(n), e));
            let found = Dyadic::simplest(Some(&a), Some(&b));
            // Find the expected number by trial: first try integers by absolute value, then
            // fractions by denominator.
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
