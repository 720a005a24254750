//! Divisors and primes below 2^64.

/// Returns the divisors of `n` in ascending order. Returns no divisors for 0.
///
/// # Complexity
/// Trial division up to the cube root takes at most 2.6 million steps. The remaining factor has at
/// most two prime factors, which J. M. Pollard's method finds (A Monte Carlo method for
/// factorization, BIT 15 (1975), 331-334).
pub(super) fn divisors(n: u64) -> Vec<u64> {
    if n == 0 {
        return Vec::new();
    }
    let mut all = vec![1];
    let mut factor = |p: u64, exponent: u32| {
        let known = all.len();
        let mut power = 1;
        for _ in 0..exponent {
            power *= p;
            // Every known divisor is multiplied by each power of this prime.
            all.extend_from_within(..known);
            let from = all.len() - known;
            all[from..].iter_mut().for_each(|d| *d *= power);
        }
    };
    let (mut rest, mut p) = (n, 2);
    // The condition p^3 <= rest is tested by two divisions, because p^3 could overflow.
    while p <= rest / p / p {
        let mut exponent = 0;
        while rest.is_multiple_of(p) {
            rest /= p;
            exponent += 1;
        }
        factor(p, exponent);
        p += if p == 2 { 1 } else { 2 };
    }
    // All prime factors of `rest` are at least p, and p^3 exceeds `rest`. So it has at most two
    // prime factors.
    if rest > 1 {
        let root = rest.isqrt();
        if is_prime(rest) {
            factor(rest, 1);
        } else if root * root == rest {
            factor(root, 2);
        } else {
            let p = proper_factor(rest);
            factor(p, 1);
            factor(rest / p, 1);
        }
    }
    all.sort_unstable();
    all
}

/// Returns a factor other than 1 and `n`. The number `n` must be composite and not a square.
fn proper_factor(n: u64) -> u64 {
    for constant in 1.. {
        let step = |x: u64| ((u128::from(x) * u128::from(x) + constant) % u128::from(n)) as u64;
        let (mut slow, mut quick) = (2, 2);
        // Floyd's cycle search finds a factor. If the cycles of all factors close at the same step,
        // the search is repeated with another constant.
        let found = loop {
            slow = step(slow);
            quick = step(step(quick));
            let found = gcd(slow.abs_diff(quick), n);
            if found != 1 {
                break found;
            }
        };
        if found != n {
            return found;
        }
    }
    unreachable!("some constant splits every composite number")
}

pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Returns whether `n` is prime, by the Miller–Rabin test. The bases used decide every number below
/// 2^64 (J. Sorenson and J. Webster, Strong pseudoprimes to twelve prime bases, Math. Comp. 86
/// (2017), 984-1003). Smaller numbers need fewer bases (G. Jaeschke, On strong pseudoprimes to
/// several bases, Math. Comp. 61 (1993), 915-926).
pub(super) fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 {
        return false;
    }
    // The test is meaningless for a base that is a multiple of n.
    if let Some(base) = BASES.iter().find(|&&base| n.is_multiple_of(base)) {
        return n == *base;
    }
    // For n below 2^32 the products fit into 64 bits, where a remainder is much cheaper.
    let small = u32::try_from(n).is_ok();
    let times = |a: u64, b: u64| {
        if small {
            a * b % n
        } else {
            (u128::from(a) * u128::from(b) % u128::from(n)) as u64
        }
    };
    let bases = if n < 3_215_031_751 {
        4
    } else if n < 341_550_071_728_321 {
        7
    } else {
        BASES.len()
    };
    // The test uses n - 1 = 2^twos * odd. If n is prime, the only square roots of 1 are 1 and n -
    // 1.
    let twos = (n - 1).trailing_zeros();
    BASES[..bases].iter().all(|&base| {
        let (mut x, mut power, mut exponent) = (1, base, (n - 1) >> twos);
        while exponent > 0 {
            if exponent & 1 == 1 {
                x = times(x, power);
            }
            power = times(power, power);
            exponent >>= 1;
        }
        if x == 1 {
            return true;
        }
        (0..twos).any(|_| {
            let passes = x == n - 1;
            x = times(x, x);
            passes
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_and_divisors_agree_with_trial_division() {
        assert!(is_prime(18_446_744_073_709_551_557) && !is_prime(u64::MAX));
        for n in 0..3000u64 {
            let expected: Vec<u64> = (1..=n).filter(|k| n.is_multiple_of(*k)).collect();
            assert_eq!(divisors(n), expected);
            assert_eq!(is_prime(n), expected.len() == 2);
        }
    }

    #[test]
    fn large_numbers_are_factored() {
        // The product of the two largest primes below 2^32 is the worst case for trial division.
        let (p, q) = (4_294_967_279, 4_294_967_291);
        assert_eq!(divisors(p * q), [1, p, q, p * q]);
        assert_eq!(divisors(p * p), [1, p, p * p]);
        let prime = 18_446_744_073_709_551_557;
        assert_eq!(divisors(prime), [1, prime]);
        assert_eq!(divisors(2 * 9_223_372_036_854_775_783).len(), 4);
        assert_eq!(divisors(u64::MAX).len(), 128);
        assert_eq!(divisors(1 << 63).len(), 64);
        assert_eq!(divisors(963_761_198_400).len(), 6720);
    }
}
