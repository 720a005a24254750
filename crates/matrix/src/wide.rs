//! Floating point with a thousand bits, for games whose entries lie too far apart for machine
//! words.
//!
//! Like the machine's numbers these only guide the search, so results are cut off rather than
//! rounded.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};

use crate::simplex::Real;

/// Bits that are kept: as many as sixteen machine words hold.
const BITS: u64 = 1024;

/// `mantissa` times 2 to the power of `exponent`; 0 has the exponent 0.
#[derive(Clone, Debug)]
pub(crate) struct Wide {
    mantissa: BigInt,
    exponent: i64,
}

impl Wide {
    pub(crate) fn new(mantissa: BigInt, exponent: i64) -> Self {
        let extra = mantissa.bits().saturating_sub(BITS);
        if mantissa.is_zero() {
            Self {
                mantissa,
                exponent: 0,
            }
        } else if extra == 0 {
            Self { mantissa, exponent }
        } else {
            Self {
                mantissa: mantissa >> extra,
                exponent: exponent + extra as i64,
            }
        }
    }

    /// Returns the exponent of the leading bit, plus one.
    fn top(&self) -> i64 {
        self.exponent + self.mantissa.bits() as i64
    }

    fn subtract(&mut self, other: Self) {
        if other.mantissa.is_zero() {
            return;
        }
        if self.mantissa.is_zero() {
            *self = other.negated();
            return;
        }
        let (here, there) = (self.top(), other.top());
        // What begins below the last bit of the other one is not seen.
        if there < here - BITS as i64 {
            return;
        }
        if here < there - BITS as i64 {
            *self = other.negated();
            return;
        }
        let exponent = self.exponent.min(other.exponent);
        let lifted = std::mem::take(&mut self.mantissa) << (self.exponent - exponent) as u64;
        let taken = other.mantissa << (other.exponent - exponent) as u64;
        *self = Self::new(lifted - taken, exponent);
    }
}

impl PartialEq for Wide {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let sign = |x: &Self| x.mantissa.sign();
        if sign(self) != sign(other) || self.mantissa.is_zero() || self.top() == other.top() {
            let mut difference = self.clone();
            difference.subtract(other.clone());
            return difference.mantissa.partial_cmp(&BigInt::zero());
        }
        let sizes = self.top().cmp(&other.top());
        Some(if self.mantissa.is_negative() {
            sizes.reverse()
        } else {
            sizes
        })
    }
}

impl Real for Wide {
    fn from_f64(x: f64) -> Self {
        // 2^64 times a machine number that matters here is exact enough: these are perturbations
        // and small constants.
        let scaled = x * 18_446_744_073_709_551_616.0;
        Self::new(BigInt::from(scaled as i128), -64)
    }

    fn tolerance() -> Self {
        Self::new(BigInt::one(), -(BITS as i64) / 2)
    }

    fn times(&self, by: &Self) -> Self {
        Self::new(&self.mantissa * &by.mantissa, self.exponent + by.exponent)
    }

    fn over(&self, by: &Self) -> Self {
        let shift = (BITS + by.mantissa.bits()).saturating_sub(self.mantissa.bits());
        Self::new(
            (&self.mantissa << shift) / &by.mantissa,
            self.exponent - by.exponent - shift as i64,
        )
    }

    fn negated(&self) -> Self {
        Self {
            mantissa: -&self.mantissa,
            exponent: self.exponent,
        }
    }

    fn take_product(&mut self, a: &Self, b: &Self) {
        self.subtract(a.times(b));
    }

    fn log2(&self) -> f64 {
        let shift = self.mantissa.bits().saturating_sub(64);
        let leading = (&self.mantissa >> shift).to_f64().unwrap_or(1.0);
        leading.abs().log2() + shift as f64 + self.exponent as f64
    }

    fn eliminate(cells: &mut [Self], factors: &[Self], pivot_row: &[Self], lengths: &mut [Self]) {
        for (row, factor) in cells.chunks_mut(pivot_row.len()).zip(factors) {
            let columns = row.iter_mut().zip(pivot_row).zip(lengths.iter_mut());
            for ((x, by), length) in columns {
                if !factor.mantissa.is_zero() {
                    x.take_product(factor, by);
                }
                // Lengths decide between columns: a few words of them are enough.
                let drop = x.mantissa.bits().saturating_sub(64);
                let leading = Self {
                    mantissa: &x.mantissa >> drop,
                    exponent: x.exponent + drop as i64,
                };
                length.take_product(&leading, &leading.negated());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use num_rational::BigRational;

    use super::*;

    fn exactly(x: &Wide) -> BigRational {
        BigRational::from(x.mantissa.clone())
            * BigRational::from(BigInt::from(2)).pow(x.exponent as i32)
    }

    #[test]
    fn arithmetic_is_that_of_fractions_up_to_the_last_bits() {
        let mut state = 88_172_645_463_325_252_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let mantissa = BigInt::from(state as i64).pow(1 + (state >> 60) as u32 * 2);
            Wide::new(mantissa, (state >> 30) as i64 % 600 - 300)
        };
        let small = BigRational::from(BigInt::from(2)).pow(-(BITS as i32) + 4);
        for _ in 0..500 {
            let (a, b, c) = (next(), next(), next());
            let (x, y, z) = (exactly(&a), exactly(&b), exactly(&c));
            let near = |found: &Wide, exact: BigRational, size: BigRational| {
                assert!((exactly(found) - exact).abs() <= size * &small);
            };
            near(&a.times(&b), &x * &y, (&x * &y).abs());
            near(&a.over(&b), &x / &y, (&x / &y).abs());
            let mut difference = c.clone();
            difference.take_product(&a, &b);
            near(&difference, &z - &x * &y, z.abs() + (&x * &y).abs());
            assert_eq!(a.partial_cmp(&b), x.partial_cmp(&y));
            assert_eq!(a.partial_cmp(&a.clone()), Some(Ordering::Equal));
        }
        assert!((Wide::new(BigInt::from(-6), 2000).log2() - 6_f64.log2() - 2000.0).abs() < 1e-9);
        assert_eq!(
            exactly(&Wide::from_f64(-0.75)),
            BigRational::new((-3).into(), 4.into())
        );
    }
}
