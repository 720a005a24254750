//! Floating-point numbers with 1024 bits, for games whose entries differ too much in size for
//! `f64`.
//!
//! Like `f64`, these numbers only guide the search. So results are truncated and not rounded.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};

use crate::simplex::Real;

/// Precision of a number in bits. It takes sixteen machine words.
const BITS: u64 = 1024;

/// The number `mantissa` times 2 to the power of `exponent`. Zero has the exponent 0.
#[derive(Clone, Debug)]
pub(crate) struct WideFloat {
    mantissa: BigInt,
    exponent: i64,
}

impl WideFloat {
    pub(crate) fn new(mantissa: BigInt, exponent: i64) -> Self {
        // A right shift of a negative `BigInt` rounds towards minus infinity. The error is below
        // one unit in the last place.
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

    /// Returns the position of the leading bit plus one: the absolute value is below 2^top and at
    /// least half of it.
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
        // If one operand is below the last bit of the other one, it does not change the sum.
        // Aligning the two would need a mantissa as long as their distance.
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

impl PartialEq for WideFloat {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for WideFloat {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let sign = |x: &Self| x.mantissa.sign();
        // The numbers are compared by their signs, and then by the positions of their leading bits.
        // Only if these agree is a subtraction needed.
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

impl Real for WideFloat {
    fn from_f64(x: f64) -> Self {
        // Callers only convert perturbations and small constants. For these, 64 bits after the
        // binary point suffice.
        let scaled = x * 18_446_744_073_709_551_616.0;
        Self::new(BigInt::from(scaled as i128), -64)
    }

    fn tolerance() -> Self {
        Self::new(BigInt::one(), -(BITS as i64) / 2)
    }

    fn product(&self, by: &Self) -> Self {
        Self::new(&self.mantissa * &by.mantissa, self.exponent + by.exponent)
    }

    fn quotient(&self, by: &Self) -> Self {
        // The quotient keeps at least `BITS` significant bits.
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

    fn sub_product(&mut self, a: &Self, b: &Self) {
        self.subtract(a.product(b));
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
                    x.sub_product(factor, by);
                }
                // The lengths only serve to compare columns, so 64 bits suffice. This keeps
                // squaring fast.
                let drop = x.mantissa.bits().saturating_sub(64);
                let leading = Self {
                    mantissa: &x.mantissa >> drop,
                    exponent: x.exponent + drop as i64,
                };
                length.sub_product(&leading, &leading.negated());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use num_rational::BigRational;

    use super::*;

    fn exactly(x: &WideFloat) -> BigRational {
        BigRational::from(x.mantissa.clone())
            * BigRational::from(BigInt::from(2)).pow(x.exponent as i32)
    }

    #[test]
    fn arithmetic_agrees_with_fractions_up_to_the_last_bits() {
        let mut state = 88_172_645_463_325_252_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // Odd powers preserve the sign. They have mantissas of up to 31 words, some of which
            // exceed the precision.
            let mantissa = BigInt::from(state as i64).pow(1 + (state >> 60) as u32 * 2);
            WideFloat::new(mantissa, (state >> 30) as i64 % 600 - 300)
        };
        let small = BigRational::from(BigInt::from(2)).pow(-(BITS as i32) + 4);
        for _ in 0..500 {
            let (a, b, c) = (next(), next(), next());
            let (x, y, z) = (exactly(&a), exactly(&b), exactly(&c));
            let near = |found: &WideFloat, exact: BigRational, size: BigRational| {
                assert!((exactly(found) - exact).abs() <= size * &small);
            };
            near(&a.product(&b), &x * &y, (&x * &y).abs());
            near(&a.quotient(&b), &x / &y, (&x / &y).abs());
            let mut difference = c.clone();
            difference.sub_product(&a, &b);
            near(&difference, &z - &x * &y, z.abs() + (&x * &y).abs());
            assert_eq!(a.partial_cmp(&b), x.partial_cmp(&y));
            assert_eq!(a.partial_cmp(&a.clone()), Some(Ordering::Equal));
        }
        assert!(
            (WideFloat::new(BigInt::from(-6), 2000).log2() - 6_f64.log2() - 2000.0).abs() < 1e-9
        );
        assert_eq!(
            exactly(&WideFloat::from_f64(-0.75)),
            BigRational::new((-3).into(), 4.into())
        );
    }
}
