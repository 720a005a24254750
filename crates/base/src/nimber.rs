//! Nimbers: the integers below 2^64 as a field of characteristic 2.
//!
//! The nim-sum is addition without carry. The nim-product is the least operation that makes the
//! integers a field: a ⊗ b = mex{a'b + ab' + a'b' : a' < a, b' < b}. Two rules hold for a Fermat
//! power F = 2^(2^k) and x < F: F ⊗ x = F x, and F ⊗ F = F + F/2 (J. H. Conway, On Numbers and
//! Games, 1976, chapter 6). They imply the rule used here, which splits both factors at F: (aF +
//! b)(cF + d) = ((a + b)(c + d) + bd) F + bd + ac ⊗ F/2.

use std::fmt;
use std::iter::{Product, Sum};
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use std::sync::OnceLock;

/// A nimber, such as ∗5.
///
/// ```
/// use grundy_base::nimber::Nimber;
/// assert_eq!(Nimber(5) + Nimber(3), Nimber(6));
/// assert_eq!(Nimber(2) * Nimber(4), Nimber(8));
/// assert_eq!(Nimber(6).sqrt() * Nimber(6).sqrt(), Nimber(6));
/// assert_eq!([3, 4, 5].map(Nimber).into_iter().sum::<Nimber>(), Nimber(2));
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

/// Every nimber is its own negative, so the difference is the sum.
#[expect(
    clippy::suspicious_arithmetic_impl,
    reason = "every nimber is its own negative"
)]
impl Sub for Nimber {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + other
    }
}

impl Neg for Nimber {
    type Output = Self;

    fn neg(self) -> Self {
        self
    }
}

impl Mul for Nimber {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self(product(self.0, other.0))
    }
}

impl AddAssign for Nimber {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Nimber {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl MulAssign for Nimber {
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl Sum for Nimber {
    fn sum<I: Iterator<Item = Self>>(nimbers: I) -> Self {
        nimbers.fold(Self::ZERO, Add::add)
    }
}

impl Product for Nimber {
    fn product<I: Iterator<Item = Self>>(nimbers: I) -> Self {
        nimbers.fold(Self::ONE, Mul::mul)
    }
}

impl From<u64> for Nimber {
    fn from(size: u64) -> Self {
        Self(size)
    }
}

impl Nimber {
    /// The neutral element of addition.
    pub const ZERO: Self = Self(0);

    /// The neutral element of multiplication.
    pub const ONE: Self = Self(1);

    /// Returns the square. Squaring is additive: the square of a sum is the sum of the squares.
    ///
    /// ```
    /// use grundy_base::nimber::Nimber;
    /// assert_eq!(Nimber(4).square(), Nimber(6));
    /// ```
    #[must_use]
    pub fn square(self) -> Self {
        self * self
    }

    /// Returns the multiplicative inverse. 0 has none.
    ///
    /// ```
    /// use grundy_base::nimber::Nimber;
    /// assert_eq!(Nimber(2).inverse(), Some(Nimber(3)));
    /// assert_eq!(Nimber(0).inverse(), None);
    /// ```
    #[must_use]
    pub fn inverse(self) -> Option<Self> {
        // The multiplicative group has 2^64 - 1 elements, so a^(2^64 - 2) is the inverse of a.
        (self.0 != 0).then(|| self.power(u64::MAX - 1))
    }

    /// Returns the quotient `self` / `other`, or `None` if `other` is 0.
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

    /// Returns the power with an integer exponent. Returns `None` for a negative power of 0. 0 to
    /// the power 0 is 1.
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
            // 0 to a positive power is 0, and 0 to the power 0 is the empty product.
            return (exponent >= 0).then_some(Self(u64::from(exponent == 0)));
        }
        Some(self.power(exponent.rem_euclid(i128::from(u64::MAX)) as u64))
    }

    fn power(self, mut exponent: u64) -> Self {
        let (mut base, mut result) = (self, Self(1));
        while exponent > 0 {
            if exponent & 1 == 1 {
                result *= base;
            }
            base = base.square();
            exponent >>= 1;
        }
        result
    }

    /// Returns the square root. It is unique, since squaring is injective in characteristic 2.
    /// Squaring 64 times is the identity, so squaring 63 times gives the square root.
    ///
    /// ```
    /// use grundy_base::nimber::Nimber;
    /// assert_eq!(Nimber(6).sqrt(), Nimber(4));
    /// assert_eq!(Nimber(2).sqrt(), Nimber(3));
    /// ```
    #[must_use]
    pub fn sqrt(self) -> Self {
        (0..63).fold(self, |root, _| root.square())
    }
}

/// Tables of exponents and powers of one nimber, the generator. All nonzero nimbers below 2^16 are
/// its powers, so a product is computed by adding two exponents.
struct Exponents {
    /// For each nimber a >= 1, the exponent e such that a is the generator to the power e.
    of: Vec<u16>,
    /// The powers of the generator, in two copies one after the other, so that a sum of two
    /// exponents is a valid index.
    powers: Vec<u16>,
}

fn exponents() -> &'static Exponents {
    const ORDER: usize = (1 << 16) - 1;
    static TABLE: OnceLock<Exponents> = OnceLock::new();
    TABLE.get_or_init(|| {
        // Find the least generator of the multiplicative group. Multiplication by a nimber is
        // linear, so the product with a is the sum of the products with the binary digits of a. The
        // group has 65535 = 3 * 5 * 17 * 257 elements, half of which are generators, so the search
        // is short.
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

/// Returns the product of two nimbers of 2 · `half` bits, or of one bit if `half` is 0. It is
/// computed without tables. The recursion is at most six levels deep.
fn slow_product(a: u64, b: u64, half: u32) -> u64 {
    if half == 0 {
        return a & b;
    }
    halves(a, b, half, |a, b| slow_product(a, b, half / 2))
}

/// Returns the product of two nimbers of 64 bits, computed from products of nimbers of 16 bits.
fn product(a: u64, b: u64) -> u64 {
    let Exponents { of, powers } = exponents();
    let below_16_bits = |a: u64, b: u64| {
        // 0 is not a power of the generator.
        if a == 0 || b == 0 {
            return 0;
        }
        u64::from(powers[usize::from(of[a as usize]) + usize::from(of[b as usize])])
    };
    halves(a, b, 32, |a, b| halves(a, b, 16, below_16_bits))
}

/// Returns the product of two nimbers by one application of the rule of this module, for
/// F = 2^`half`. `multiply` multiplies two nimbers below F.
#[inline]
fn halves(a: u64, b: u64, half: u32, multiply: impl Fn(u64, u64) -> u64) -> u64 {
    let mask = (1u64 << half) - 1;
    let (a1, a0, b1, b0) = (a >> half, a & mask, b >> half, b & mask);
    // Three products instead of four, by (a + b)(c + d) (A. Karatsuba's method).
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
        // 32 exceeds the Fermat powers 2, 4 and 16, so the rule is applied at three levels.
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
            // Compare the product from the tables with the product from the rule alone.
            prop_assert_eq!((a * b).0, slow_product(a.0, b.0, 32));
            if let Some(inverse) = a.inverse() {
                prop_assert_eq!(a * inverse, Nimber(1));
                prop_assert_eq!(a.pow(-3), (inverse * inverse * inverse).into());
            }
        }
    }
}
