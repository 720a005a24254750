//! Nimbers: the field of characteristic 2 on the numbers below 2^64.
//!
//! Nim-sum is addition without carry. The nim-product is the least that makes a field of it:
//! a ⊗ b = mex{a'b + ab' + a'b' : a' < a, b' < b}. J. H. Conway, On Numbers and Games (1976), ch. 6, shows that for a
//! Fermat power F = 2^(2^k) and x < F, F ⊗ x = F x, and F ⊗ F = F + F/2. That gives the rule used here: with
//! F in the middle, (aF + b)(cF + d) = ((a + b)(c + d) + bd) F + bd + ac ⊗ F/2.

use std::fmt;
use std::ops::{Add, Mul};
use std::sync::OnceLock;

/// A nimber, such as ∗5.
///
/// ```
/// use grundy::nimber::Nimber;
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
        Self(product(self.0, other.0, 32))
    }
}

impl Nimber {
    /// The nimber that multiplied by this one gives 1; 0 has none.
    ///
    /// ```
    /// use grundy::nimber::Nimber;
    /// assert_eq!(Nimber(2).inverse(), Some(Nimber(3)));
    /// assert_eq!(Nimber(0).inverse(), None);
    /// ```
    #[must_use]
    pub fn inverse(self) -> Option<Self> {
        // The group of the field has 2^64 - 1 elements: a^(2^64 - 2) is the inverse.
        (self.0 != 0).then(|| self.power(u64::MAX - 1))
    }

    /// The quotient, unless `other` is 0.
    #[must_use]
    pub fn checked_div(self, other: Self) -> Option<Self> {
        Some(self * other.inverse()?)
    }

    /// The power with a whole exponent; a negative power of 0 does not exist, and 0 to the 0 is 1.
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
            base = base * base;
            exponent >>= 1;
        }
        result
    }

    /// The only nimber whose square is this one: squaring is one to one in characteristic 2, and 64 squarings are
    /// the identity, so 63 of them undo one.
    #[must_use]
    pub fn sqrt(self) -> Self {
        (0..63).fold(self, |root, _| root * root)
    }
}

/// Products below 256, row by row.
fn small_products() -> &'static [u8] {
    static TABLE: OnceLock<Vec<u8>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let entry =
            |i: u64| halves(i >> 8, i & 255, 4, &|a, b, half| slow_product(a, b, half)) as u8;
        (0..1 << 16).map(entry).collect()
    })
}

/// The product of two numbers below 2^(2 half), without a table.
fn slow_product(a: u64, b: u64, half: u32) -> u64 {
    if half == 0 {
        return a & b;
    }
    halves(a, b, half, &|a, b, half| slow_product(a, b, half))
}

fn product(a: u64, b: u64, half: u32) -> u64 {
    if half <= 4 {
        return u64::from(small_products()[((a & 255) << 8 | b & 255) as usize]);
    }
    halves(a, b, half, &|a, b, half| product(a, b, half))
}

/// One step of the rule, with F = 2^half; `multiply` multiplies numbers below F. It nests six deep at most.
fn halves(a: u64, b: u64, half: u32, multiply: &dyn Fn(u64, u64, u32) -> u64) -> u64 {
    let mask = (1u64 << half) - 1;
    let (a1, a0, b1, b0) = (a >> half, a & mask, b >> half, b & mask);
    let next = half / 2;
    let low = multiply(a0, b0, next);
    let high = multiply(a1, b1, next);
    let cross = multiply(a1 ^ a0, b1 ^ b0, next);
    (cross ^ low) << half ^ low ^ multiply(high, 1 << (half - 1), next)
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
            prop_assert_eq!(a.sqrt() * a.sqrt(), a);
            if let Some(inverse) = a.inverse() {
                prop_assert_eq!(a * inverse, Nimber(1));
                prop_assert_eq!(a.pow(-3), (inverse * inverse * inverse).into());
            }
        }
    }
}
