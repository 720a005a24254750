//! Exact solution of large integer systems of linear equations by p-adic lifting.
//!
//! The matrix M of the system M x = 1 is factored once, modulo a prime p. A solution modulo p is
//! the first p-adic digit of x. Its residual is divisible by p, and solving for the quotient gives
//! the next digit. The rational solution is determined by a sufficient number of digits.
//!
//! J. D. Dixon, Exact solution of linear equations using p-adic expansions, Numer. Math. 40 (1982),
//! 137-141.

use grundy_base::{Limits, Stop};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};

use crate::modular::{Factors, prime_below};

/// Number of bits of a digit of an entry. Its product with a residue has at most 50 bits, so a sum
/// of 2^14 products fits in 64 bits.
const DIGIT: u32 = 22;

/// A square matrix of nonnegative integers, which are split into digits of 22 bits.
pub(crate) struct System {
    k: usize,
    /// For each digit, the matrix of the digits of all entries in row-major order. The least
    /// significant digit comes first.
    digits: Vec<Vec<u32>>,
}

/// The form of a system, with the matrix itself or its transpose.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LiftedSide {
    /// M x = 1.
    Straight,
    /// Mᵀ x = 1.
    Transposed,
}

impl System {
    /// Builds the matrix from its entries in row-major order. Each entry is given by its digits in
    /// base 2^32, the least significant first.
    pub(crate) fn new<D: Iterator<Item = u32>>(
        k: usize,
        bits: u64,
        entries: impl Iterator<Item = D>,
    ) -> Self {
        let length = bits.div_ceil(u64::from(DIGIT)).max(1) as usize;
        let mut digits = vec![Vec::with_capacity(k * k); length];
        // Before a word of 32 bits is added, the buffer holds fewer than 22 bits. So it never holds
        // 54 bits.
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
            // Short entries are padded with zeros, since there is a full matrix for every digit.
            for digits in &mut digits[at..] {
                digits.push((buffer & ((1 << DIGIT) - 1)) as u32);
                buffer >>= DIGIT;
            }
        }
        Self { k, digits }
    }

    /// Returns all entries modulo p.
    fn residues(&self, p: u64) -> Vec<u32> {
        let mut residues = vec![0_u32; self.k * self.k];
        // Horner's rule, starting at the most significant digit. The residue has 28 bits, so after
        // the shift it has 50.
        for digits in self.digits.iter().rev() {
            for (residue, &digit) in residues.iter_mut().zip(digits) {
                *residue = (((u64::from(*residue) << DIGIT) + u64::from(digit)) % p) as u32;
            }
        }
        residues
    }

    /// Multiplies the matrix of one digit, or its transpose, by a vector of residues.
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
                // The transposed product is also computed row by row. So the matrix is read in the
                // order of memory, and the sums stay in the cache.
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

/// The residual of one equation of a system.
trait Rest: Sized + Clone {
    fn one() -> Self;
    fn residue(&self, p: u64) -> u32;
    /// Subtracts `sum << shift` from the residual.
    fn take(&mut self, sum: u64, shift: u32);
    /// Divides the residual by p. It must be divisible.
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
        // For a negative number, the remainder of the absolute value is negated, unless it is 0.
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

/// A matrix with its factors modulo a prime, as lifting needs them.
pub(crate) struct Lift<'a> {
    system: &'a System,
    p: u64,
    factors: Factors,
}

impl<'a> Lift<'a> {
    /// Factors the matrix modulo the largest prime below 2^28. If this fails, it tries the next two
    /// smaller primes. Returns `None` if the matrix is singular modulo all three.
    pub(crate) fn new(system: &'a System) -> Option<Self> {
        // It is rare that a prime divides the determinant. If the matrix is singular modulo three
        // primes, it is almost certainly singular. The caller then tries another basis.
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

    /// Returns nonnegative integers that are proportional to the solution of the system.
    ///
    /// The solution must have entries from 0 to 1, whose numerators and denominators have at most
    /// `bits` bits. If they have more, the result is wrong. So the caller has to verify it.
    pub(crate) fn weights(
        &self,
        side: LiftedSide,
        bits: u64,
        limits: &Limits<'_>,
    ) -> Result<Option<Vec<BigUint>>, Stop> {
        // For rational reconstruction, the modulus must exceed twice the product of the bounds on
        // numerator and denominator.
        let steps = (2 * bits).div_ceil(u64::from(self.p.ilog2())) as usize + 1;
        // If entries have d digits, a residual is below k 2^(22 d). Before the division by p it is
        // below k 2^(22 d + 28), since it contains M x with x < p. A game has at most 4,000,000
        // entries, so a square submatrix has k <= 2^11. Hence one digit fits in i64, and three
        // digits fit in i128.
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
        // The common denominator is found from the sum of the weights. So there is one
        // reconstruction instead of k.
        let sum = residues.iter().sum::<BigUint>() % &modulus;
        let Some(mut common) = denominator(sum, &modulus) else {
            return Ok(None);
        };
        let mut weights: Vec<BigUint> = Vec::with_capacity(residues.len());
        for residue in residues {
            let mut weight = residue * &common % &modulus;
            if weight > common {
                // The denominator of the sum can be smaller than those of its terms.
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

    /// Returns the first p-adic digits of the solution, as one vector for each digit.
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

/// Returns component `i` of the solution, as the number with the given digits in base p.
fn assemble(digits: &[Vec<u32>], i: usize, p: u64) -> BigUint {
    let mut number = BigUint::zero();
    // Combining two digits at a time, starting at the most significant ones, halves the number of
    // long multiplications. If there is an odd number of digits, the least significant one is
    // processed alone.
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

/// Returns the denominator t of a fraction with s/t = u (mod m), where s and t are below the square
/// root of m. Returns `None` if Euclid's algorithm finds no such fraction.
///
/// P. S. Wang, A p-adic algorithm for univariate partial fractions, SYMSAC 1981, 212-217.
fn denominator(u: BigUint, m: &BigUint) -> Option<BigUint> {
    let half = m.bits() / 2;
    let (mut big, mut small) = (m.clone(), u);
    let (mut before, mut factor) = (BigUint::zero(), BigUint::one());
    // The extended Euclidean algorithm is stopped halfway. Then the remainder is the numerator, and
    // the cofactor is the denominator. Only the cofactor is needed.
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

    /// Checks that the weights x satisfy M x = (t, ..., t) for some number t, and the same for the
    /// transpose.
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
        // The diagonal is dominant, so the solution is positive. The sizes take 1, 2 and 4 digits,
        // so every type of residual is tested.
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
        // The entries have very different lengths, so the small ones are mostly padded with zeros.
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
