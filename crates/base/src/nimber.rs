//! Nimbers: the field of characteristic 2 on the numbers below 2^64.
//!
//! Nim-sum is addition without carry. The nim-product is the least that makes a field of it: a ⊗ b
//! = mex{a'b + ab' + a'b' : a' < a, b' < b}. J. H. Conway, On Numbers and Games (1976), ch. 6,
//! shows that for a Fermat power F = 2^(2^k) and x < F, F ⊗ x = F x, and F ⊗ F = F + F/2. That
//! gives the rule used here: with F in the middle, (aF + b)(cF + d) = ((a + b)(c + d) + bd) F + bd
//! + ac ⊗ F/2.

use std::fmt;
use std::ops::{Add, Mul};
use std::sync::OnceLock;

/// A nimber, such as ∗5.
///
/// ```
/// use grundy_base::nimber::Nimber;
/// assert_eq!(Nimber(5) + Nimber(3), Nimber(6));
/// assert_eq!(Nimber(2) * Nimber(4), Nimber(8));
/// assert_eq!(Nimber(6).sqrt() * Nimber(6).sqrt(), Nimber(6));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Nimber(pub u64);

impl fmt::Display for Nimber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "*{}", self.0)
    }
}

#[expect(
    clippy::suspicious_arithmetic_impl,
    reason = "the nim-sum is exclusive or"
)]
impl Add for Nimber {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Mul for Nimber {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self(product(self.0, other.0))
    }
}

impl Nimber {
    /// Returns the product with itself. Squaring is additive: the square of a sum is the sum of the
    /// squares.
    ///
    /// ```
    /// use grundy_base::nimber::Nimber;
    /// assert_eq!(Nimber(4).square(), Nimber(6));
    /// ```
    #[must_use]
    pub fn square(self) -> Self {
        self * self
    }

    /// Returns the nimber that multiplied by this one gives 1; 0 has none.
    ///
    /// ```
    /// use grundy_base::nimber::Nimber;
    /// assert_eq!(Nimber(2).inverse(), Some(Nimber(3)));
    /// assert_eq!(Nimber(0).inverse(), None);
    /// ```
    #[must_use]
    pub fn inverse(self) -> Option<Self> {
        // The group of the field has 2^64 - 1 elements: a^(2^64 - 2) is the inverse.
        (self.0 != 0).then(|| self.power(u64::MAX - 1))
    }

    /// Returns the quotient, unless `other` is 0.
    ///
    /// ```
    /// use grundy_base::nimber::Nimber;
    /// assert_eq!(Nimber(8).checked_div(Nimber(4)), Some(Nimber(2)));
    /// assert_eq!(Nimber(8).checked_div(Nimber(0)), None);
    /// ```
    #[must_use]
    pub fn checked_div(self, other: Self) -> Option<Self> {
        Some(self * other.inverse()?)
    }

    /// Returns the power with a whole exponent; a negative power of 0 does not exist, and 0 to the
    /// 0 is 1.
    ///
    /// ```
    /// use grundy_base::nimber::Nimber;
    /// assert_eq!(Nimber(2).pow(3), Some(Nimber(1)));
    /// assert_eq!(Nimber(2).pow(-1), Some(Nimber(3)));
    /// assert_eq!(Nimber(0).pow(-1), None);
    /// ```
    #[must_use]
    pub fn pow(self, exponent: i128) -> Option<Self> {
        if self.0 == 0 {
            return (exponent >= 0).then_some(Self(u64::from(exponent == 0)));
        }
        Some(self.power(exponent.rem_euclid(i128::from(u64::MAX)) as u64))
    }

    fn power(self, mut exponent: u64) -> Self {
        let (mut base, mut result) = (self, Self(1));
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result * base;
            }
            base = base.square();
            exponent >>= 1;
        }
        result
    }

    /// Returns the only nimber whose square is this one: squaring is one to one in characteristic
    /// 2, and 64 squarings are the identity, so 63 of them undo one.
    #[must_use]
    pub fn sqrt(self) -> Self {
        (0..63).fold(self, |root, _| root.square())
    }
}

/// The numbers below 2^16 other than 0 are the powers of one of them: products there are sums of
/// exponents.
struct Exponents {
    /// `of[a]` for a from 1 on.
    of: Vec<u16>,
    /// The powers, twice over, so that a sum of two exponents needs no reduction.
    powers: Vec<u16>,
}

fn exponents() -> &'static Exponents {
    const ORDER: usize = (1 << 16) - 1;
    static TABLE: OnceLock<Exponents> = OnceLock::new();
    TABLE.get_or_init(|| {
        // The first number whose powers run through the whole group. Multiplying by it is linear:
        // the product with a is the sum of its products with the binary places of a.
        for base in 2u64.. {
            let places: Vec<u64> = (0..16).map(|k| slow_product(base, 1 << k, 8)).collect();
            let times_base = |a: u64| {
                let set = places.iter().zip(0..).filter(|(_, k)| a >> k & 1 == 1);
                set.fold(0, |sum, (place, _)| sum ^ place)
            };
            let group =
                std::iter::successors(Some(1), |&a| Some(times_base(a)).filter(|&a| a != 1));
            let mut powers: Vec<u16> = group.map(|a| a as u16).collect();
            if powers.len() == ORDER {
                let mut of = vec![0; ORDER + 1];
                for (&power, exponent) in powers.iter().zip(0..) {
                    of[usize::from(power)] = exponent;
                }
                powers.extend_from_within(..);
                return Exponents { of, powers };
            }
        }
        unreachable!("the multiplicative group of a finite field is cyclic")
    })
}

/// Returns the product of two numbers below 2^(2 half), without a table. It nests six deep at most.
fn slow_product(a: u64, b: u64, half: u32) -> u64 {
    if half == 0 {
        return a & b;
    }
    halves(a, b, half, |a, b| slow_product(a, b, half / 2))
}

/// Sixteen products below 2^16.
fn product(a: u64, b: u64) -> u64 {
    let Exponents { of, powers } = exponents();
    let below_16_bits = |a: u64, b: u64| {
        if a == 0 || b == 0 {
            return 0;
        }
        u64::from(powers[usize::from(of[a as usize]) + usize::from(of[b as usize])])
    };
    halves(a, b, 32, |a, b| halves(a, b, 16, below_16_bits))
}

/// Returns one step of the rule, with F = 2^half; `multiply` multiplies numbers below F.
#[inline]
fn halves(a: u64, b: u64, half: u32, multiply: impl Fn(u64, u64) -> u64) -> u64 {
    let mask = (1u64 << half) - 1;
    let (a1, a0, b1, b0) = (a >> half, a & mask, b >> half, b & mask);
    let low = multiply(a0, b0);
    let high = multiply(a1, b1);
    let cross = multiply(a1 ^ a0, b1 ^ b0);
    (cross ^ low) << half ^ low ^ multiply(high, 1 << (half - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mex;
    use proptest::prelude::*;

    #[test]
    fn products_follow_the_definition_by_mex() {
        let size = 32u64;
        let mut table = vec![vec![0u64; size as usize]; size as usize];
        for a in 0..size as usize {
            for b in 0..size as usize {
                let sets = (0..a).flat_map(|x| (0..b).map(move |y| (x, y)));
                let value = mex(sets.map(|(x, y)| table[x][b] ^ table[a][y] ^ table[x][y]));
                table[a][b] = value;
                assert_eq!(
                    Nimber(a as u64) * Nimber(b as u64),
                    Nimber(value),
                    "{a} times {b}"
                );
            }
        }
    }

    #[test]
    fn published_products_and_inverses() {
        let products = [
            (2, 4, 8),
            (4, 4, 6),
            (5, 7, 13),
            (6, 6, 5),
            (8, 8, 13),
            (15, 15, 9),
        ];
        for (a, b, c) in products {
            assert_eq!(Nimber(a) * Nimber(b), Nimber(c));
        }
        let inverses = [1, 3, 2, 15, 12, 9, 11, 10, 6, 8, 7, 5, 14, 13, 4];
        for (a, b) in (1..).zip(inverses) {
            assert_eq!(Nimber(a).inverse(), Some(Nimber(b)));
        }
    }

    proptest! {
        #[test]
        fn nimbers_are_a_field(a: u64, b: u64, c: u64) {
            let (a, b, c) = (Nimber(a), Nimber(b), Nimber(c));
            prop_assert_eq!(a * b, b * a);
            prop_assert_eq!((a * b) * c, a * (b * c));
            prop_assert_eq!(a * (b + c), a * b + a * c);
            prop_assert_eq!(a * Nimber(1), a);
            prop_assert_eq!(a.sqrt().square(), a);
            prop_assert_eq!((a + b).square(), a.square() + b.square());
            prop_assert_eq!((a * b).0, slow_product(a.0, b.0, 32));
            if let Some(inverse) = a.inverse() {
                prop_assert_eq!(a * inverse, Nimber(1));
                prop_assert_eq!(a.pow(-3), (inverse * inverse * inverse).into());
            }
        }
    }
}
