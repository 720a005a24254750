//! Exact solutions of large integer systems, digit by digit in base p.
//!
//! The system M x = 1 is solved modulo a prime p once; what is left of the right-hand side is
//! divisible by p, and solving again gives the next p-adic digit of x. Enough digits determine the
//! rational solution.
//!
//! Source: J. D. Dixon, Exact solution of linear equations using p-adic expansions, Numer. Math. 40
//! (1982), 137-141.

use grundy_base::{Limits, Stop};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};

use crate::modular::{Factors, prime_below};

/// Bits of a digit of an entry: with 28 bits of a residue and up to 2^14 summands, sums of products
/// fit 64 bits.
const DIGIT: u32 = 22;

/// A square matrix of natural numbers, cut into digits of 22 bits.
pub(crate) struct System {
    k: usize,
    /// Digit after digit, least significant first: the digits of all entries, row after row.
    digits: Vec<Vec<u32>>,
}

/// Which system is meant: by the matrix or by its transpose.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LiftedSide {
    /// M x = 1.
    Straight,
    /// Mᵀ x = 1.
    Transposed,
}

impl System {
    /// Returns the system with these entries, row after row, given as digits in base 2^32.
    pub(crate) fn new<D: Iterator<Item = u32>>(
        k: usize,
        bits: u64,
        entries: impl Iterator<Item = D>,
    ) -> Self {
        let length = bits.div_ceil(u64::from(DIGIT)).max(1) as usize;
        let mut digits = vec![Vec::with_capacity(k * k); length];
        for entry in entries {
            let (mut buffer, mut filled, mut at) = (0_u64, 0, 0);
            for word in entry {
                buffer |= u64::from(word) << filled;
                filled += 32;
                while filled >= DIGIT && at < length {
                    digits[at].push((buffer & ((1 << DIGIT) - 1)) as u32);
                    buffer >>= DIGIT;
                    filled -= DIGIT;
                    at += 1;
                }
            }
            for digits in &mut digits[at..] {
                digits.push((buffer & ((1 << DIGIT) - 1)) as u32);
                buffer >>= DIGIT;
            }
        }
        Self { k, digits }
    }

    /// Returns the entries modulo p.
    fn residues(&self, p: u64) -> Vec<u32> {
        let mut residues = vec![0_u32; self.k * self.k];
        for digits in self.digits.iter().rev() {
            for (residue, &digit) in residues.iter_mut().zip(digits) {
                *residue = (((u64::from(*residue) << DIGIT) + u64::from(digit)) % p) as u32;
            }
        }
        residues
    }

    /// One digit of the matrix times a vector of residues.
    fn product(&self, digit: usize, side: LiftedSide, x: &[u32], out: &mut [u64]) {
        let rows = self.digits[digit].chunks(self.k);
        match side {
            LiftedSide::Straight => {
                for (out, row) in out.iter_mut().zip(rows) {
                    let products = row.iter().zip(x);
                    *out = products.map(|(&a, &b)| u64::from(a) * u64::from(b)).sum();
                }
            }
            LiftedSide::Transposed => {
                out.fill(0);
                for (&b, row) in x.iter().zip(rows) {
                    for (out, &a) in out.iter_mut().zip(row) {
                        *out += u64::from(a) * u64::from(b);
                    }
                }
            }
        }
    }
}

/// What is left of the right-hand side in one row.
trait Rest: Sized + Clone {
    fn one() -> Self;
    fn residue(&self, p: u64) -> u32;
    /// Takes `sum << shift` away.
    fn take(&mut self, sum: u64, shift: u32);
    /// Divides by p, which divides it.
    fn divide(&mut self, p: u64);
}

impl Rest for i64 {
    fn one() -> Self {
        1
    }
    fn residue(&self, p: u64) -> u32 {
        self.rem_euclid(p as Self) as u32
    }
    fn take(&mut self, sum: u64, shift: u32) {
        *self -= (sum as Self) << shift;
    }
    fn divide(&mut self, p: u64) {
        *self /= p as Self;
    }
}

impl Rest for i128 {
    fn one() -> Self {
        1
    }
    fn residue(&self, p: u64) -> u32 {
        self.rem_euclid(Self::from(p)) as u32
    }
    fn take(&mut self, sum: u64, shift: u32) {
        *self -= Self::from(sum) << shift;
    }
    fn divide(&mut self, p: u64) {
        *self /= Self::from(p);
    }
}

impl Rest for BigInt {
    fn one() -> Self {
        <Self as num_traits::One>::one()
    }
    fn residue(&self, p: u64) -> u32 {
        let rest = self.magnitude() % p;
        let rest = rest.to_u64().expect("below p");
        let up = self.is_negative() && rest != 0;
        if up { (p - rest) as u32 } else { rest as u32 }
    }
    fn take(&mut self, sum: u64, shift: u32) {
        *self -= Self::from(sum) << shift;
    }
    fn divide(&mut self, p: u64) {
        *self /= p;
    }
}

/// The matrix with its factors modulo a prime, ready to be lifted.
pub(crate) struct Lift<'a> {
    system: &'a System,
    p: u64,
    factors: Factors,
}

impl<'a> Lift<'a> {
    /// Factors the matrix modulo the largest primes below 2^28 in turn; nothing if it is singular
    /// modulo three of them, as a singular matrix is.
    pub(crate) fn new(system: &'a System) -> Option<Self> {
        let mut bound = 1 << 28;
        for _ in 0..3 {
            let p = prime_below(bound);
            if let Some(factors) = Factors::new(p, system.k, system.residues(p)) {
                return Some(Self { system, p, factors });
            }
            bound = p;
        }
        None
    }

    /// Natural numbers in proportion to the solution, if the solution is not negative, its entries
    /// do not exceed 1 and its numerators and denominator have at most `bits` bits. Whether they
    /// are the solution is for the caller to check: with too few bits they are not.
    pub(crate) fn weights(
        &self,
        side: LiftedSide,
        bits: u64,
        limits: &Limits<'_>,
    ) -> Result<Option<Vec<BigUint>>, Stop> {
        let steps = (2 * bits).div_ceil(u64::from(self.p.ilog2())) as usize + 1;
        // With d digits an entry is below 2^(22 d), and so what is left stays below 2^(22 d + 14),
        // before division by p below 2^(22 d + 42).
        let digits = match self.system.digits.len() {
            1 => self.digits::<i64>(side, steps, limits)?,
            2 | 3 => self.digits::<i128>(side, steps, limits)?,
            _ => self.digits::<BigInt>(side, steps, limits)?,
        };
        let modulus = BigUint::from(self.p).pow(steps as u32);
        let residues: Vec<BigUint> = (0..self.system.k)
            .map(|i| assemble(&digits, i, self.p))
            .collect();
        drop(digits);
        limits.poll()?;
        let sum = residues.iter().sum::<BigUint>() % &modulus;
        let Some(mut common) = denominator(sum, &modulus) else {
            return Ok(None);
        };
        let mut weights: Vec<BigUint> = Vec::with_capacity(residues.len());
        for residue in residues {
            let mut weight = residue * &common % &modulus;
            if weight > common {
                // The sum can have a smaller denominator than its terms.
                let Some(factor) = denominator(weight.clone(), &modulus) else {
                    return Ok(None);
                };
                common *= &factor;
                if common.bits() > bits {
                    return Ok(None);
                }
                weights.iter_mut().for_each(|weight| *weight *= &factor);
                weight = weight * factor % &modulus;
                if weight > common {
                    return Ok(None);
                }
            }
            weights.push(weight);
        }
        Ok(Some(weights))
    }

    /// Returns the first p-adic digits of the solution: one vector for each.
    fn digits<R: Rest>(
        &self,
        side: LiftedSide,
        steps: usize,
        limits: &Limits<'_>,
    ) -> Result<Vec<Vec<u32>>, Stop> {
        let k = self.system.k;
        let mut rest = vec![R::one(); k];
        let mut sums = vec![0; k];
        let mut digits = Vec::with_capacity(steps);
        for _ in 0..steps {
            limits.poll()?;
            let residues: Vec<u32> = rest.iter().map(|rest| rest.residue(self.p)).collect();
            let x = match side {
                LiftedSide::Straight => self.factors.solve(&residues),
                LiftedSide::Transposed => self.factors.solve_transposed(&residues),
            };
            for digit in 0..self.system.digits.len() {
                self.system.product(digit, side, &x, &mut sums);
                for (rest, &sum) in rest.iter_mut().zip(&sums) {
                    rest.take(sum, digit as u32 * DIGIT);
                }
            }
            rest.iter_mut().for_each(|rest| rest.divide(self.p));
            digits.push(x);
        }
        Ok(digits)
    }
}

/// Returns the number with these digits in base p, two of them at a time.
fn assemble(digits: &[Vec<u32>], i: usize, p: u64) -> BigUint {
    let mut number = BigUint::zero();
    // From the most significant digit on; an odd one is left for the end.
    for pair in digits.rchunks(2) {
        match pair {
            [low, high] => {
                number *= p * p;
                number += u64::from(high[i]) * p + u64::from(low[i]);
            }
            [low] => {
                number *= p;
                number += low[i];
            }
            _ => unreachable!("chunks of at most two"),
        }
    }
    number
}

/// Returns the denominator t of the fraction s/t = u (mod m) with both s and t below the root of m,
/// if there is one that Euclid's algorithm finds.
///
/// Source: P. S. Wang, A p-adic algorithm for univariate partial fractions, SYMSAC 1981, 212-217.
fn denominator(u: BigUint, m: &BigUint) -> Option<BigUint> {
    let half = m.bits() / 2;
    let (mut big, mut small) = (m.clone(), u);
    let (mut before, mut factor) = (BigUint::zero(), BigUint::one());
    while small.bits() > half {
        let (quotient, rest) = big.div_rem(&small);
        big = std::mem::replace(&mut small, rest);
        let next = before + quotient * &factor;
        before = std::mem::replace(&mut factor, next);
    }
    (factor.bits() <= half + 1).then_some(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(k: usize, entries: &[BigUint]) -> System {
        let bits = entries.iter().map(BigUint::bits).max().unwrap();
        System::new(k, bits, entries.iter().map(BigUint::iter_u32_digits))
    }

    /// M x = t 1 for the weights x and one number t, both ways.
    fn check(k: usize, entries: &[BigUint], bits: u64) {
        let system = system(k, entries);
        let lift = Lift::new(&system).unwrap();
        let limits = Limits::default();
        for side in [LiftedSide::Straight, LiftedSide::Transposed] {
            let weights = lift.weights(side, bits, &limits).unwrap().unwrap();
            let entry = |i: usize, j: usize| match side {
                LiftedSide::Straight => &entries[i * k + j],
                LiftedSide::Transposed => &entries[j * k + i],
            };
            let sums: Vec<BigUint> = (0..k)
                .map(|i| (0..k).map(|j| entry(i, j) * &weights[j]).sum())
                .collect();
            assert!(sums.iter().all(|sum| sum == &sums[0] && !sum.is_zero()));
        }
    }

    #[test]
    fn solutions_of_diagonally_dominant_systems_are_exact() {
        // A heavy diagonal makes the solution positive.
        for size in [1_u64, 1 << 20, 1 << 40, 1 << 60] {
            for k in [1, 2, 5, 12] {
                let entries: Vec<BigUint> = (0..k * k)
                    .map(|c| {
                        let noise = BigUint::from((c as u64 * 7919 % 11 + 1) * size);
                        if c % (k + 1) == 0 {
                            noise * 1000_u32
                        } else {
                            noise
                        }
                    })
                    .collect();
                check(k, &entries, 80 * k as u64 + 64);
            }
        }
        let huge = BigUint::from(10_u32).pow(70);
        let entries = [
            huge.clone() * 3_u32,
            BigUint::from(1_u32),
            BigUint::from(2_u32),
            huge,
        ];
        check(2, &entries, 600);
    }

    #[test]
    fn singular_systems_have_no_factors() {
        let entries = [1_u32, 2, 2, 4].map(BigUint::from);
        assert!(Lift::new(&system(2, &entries)).is_none());
    }
}
