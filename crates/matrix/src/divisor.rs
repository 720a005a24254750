//! Greatest common divisors and least common multiples of numbers of very different lengths.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::Zero as _;

/// Returns the greatest common divisor. The binary algorithm of the library takes time quadratic in
/// the length of the longer number. One division first makes that number as short as the other one.
pub(crate) fn gcd(a: &BigInt, b: &BigInt) -> BigInt {
    let (long, short) = if a.bits() < b.bits() { (b, a) } else { (a, b) };
    if short.is_zero() {
        return long.clone();
    }
    (long % short).gcd(short)
}

/// Returns the least common multiple of two positive numbers. Returns `None` if it has more than
/// `bits` bits.
pub(crate) fn lcm(a: &BigInt, b: &BigInt, bits: u64) -> Option<BigInt> {
    let multiple = a / gcd(a, b) * b;
    (multiple.bits() <= bits).then_some(multiple)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisors_of_numbers_of_any_lengths() {
        for a in 0..40_i64 {
            for b in 1..40_i64 {
                let (a, b) = (BigInt::from(a), BigInt::from(b));
                assert_eq!(gcd(&a, &b), a.gcd(&b));
                assert_eq!(gcd(&b, &a), a.gcd(&b));
            }
        }
        // The lengths are very different. The first division serves this case.
        let long = BigInt::from(6).pow(1000);
        assert_eq!(gcd(&long, &BigInt::from(60)), BigInt::from(12));
        assert_eq!(lcm(&long, &BigInt::from(4), 100), None);
        assert_eq!(
            lcm(&BigInt::from(6), &BigInt::from(4), 4),
            Some(BigInt::from(12))
        );
    }
}
