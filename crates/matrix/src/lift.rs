//! Exact solution of large integer systems of linear equations by p-adic lifting.
//!
//! The matrix M of the system M x = 1 is factored once, modulo a prime p. The solution modulo p is
//! the first p-adic digit of x. The residual 1 - M x is then divisible by p. Solving again, with
//! the quotient as the right-hand side, gives the next digit. With sufficiently many digits, x is
//! found by rational reconstruction.
//!
//! J. D. Dixon, Exact solution of linear equations using p-adic expansions, Numer. Math. 40 (1982),
//! 137-141.

use grundy_base::{Limits, Stop};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};

use crate::modular::{Factors, prime_below};

/// Number of bits in each digit of a matrix entry. The product of a digit and a residue modulo p
/// has at most 50 bits. So a sum of 2^14 products fits in 64 bits.
const DIGIT_BITS: u32 = 22;

/// A square matrix of nonnegative integers, which are split into digits of 22 bits.
pub(crate) struct System {
    k: usize,
    /// For each digit, the matrix of the digits of all entries in row-major order. The least
    /// significant digit comes first.
    digits: Vec<Vec<u32>>,
}

/// The two systems that share one factorization: one has the matrix itself, the other its
/// transpose.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SystemForm {
    /// M x = 1.
    Straight,
    /// Mᵀ x = 1.
    Transposed,
}

impl System {
    /// Builds the k by k matrix from its entries in row-major order. Each entry is given by its
    /// digits in base 2^32, the least significant first. The longest entry has `bits` bits.
    pub(crate) fn new<D: Iterator<Item = u32>>(
        k: usize,
        bits: u64,
        entries: impl Iterator<Item = D>,
    ) -> Self {
        let length = bits.div_ceil(u64::from(DIGIT_BITS)).max(1) as usize;
        let mut digits = vec![Vec::with_capacity(k * k); length];
        // Before a word of 32 bits is added, the buffer holds fewer than 22 bits. So it always
        // holds fewer than 54 bits, and 64 suffice.
        for entry in entries {
            let (mut buffer, mut filled, mut index) = (0_u64, 0, 0);
            for word in entry {
                buffer |= u64::from(word) << filled;
                filled += 32;
                while filled >= DIGIT_BITS && index < length {
                    digits[index].push((buffer & ((1 << DIGIT_BITS) - 1)) as u32);
                    buffer >>= DIGIT_BITS;
                    filled -= DIGIT_BITS;
                    index += 1;
                }
            }
            // Short entries are padded with zeros, since there is a full matrix for every digit.
            for digits in &mut digits[index..] {
                digits.push((buffer & ((1 << DIGIT_BITS) - 1)) as u32);
                buffer >>= DIGIT_BITS;
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
                *residue = (((u64::from(*residue) << DIGIT_BITS) + u64::from(digit)) % p) as u32;
            }
        }
        residues
    }

    /// Multiplies a matrix by the vector `x` of residues. The matrix has the digit with index
    /// `digit` of each entry, and is transposed if `form` is the transposed system.
    fn product(&self, digit: usize, form: SystemForm, x: &[u32], out: &mut [u64]) {
        let rows = self.digits[digit].chunks(self.k);
        match form {
            SystemForm::Straight => {
                for (out, row) in out.iter_mut().zip(rows) {
                    let products = row.iter().zip(x);
                    *out = products.map(|(&a, &b)| u64::from(a) * u64::from(b)).sum();
                }
            }
            SystemForm::Transposed => {
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

/// An integer type for the residual of one equation: the right-hand side minus the left-hand side.
trait Residual: Sized + Clone {
    fn one() -> Self;
    fn residue(&self, p: u64) -> u32;
    /// Subtracts `sum << shift` from the residual.
    fn sub_shifted(&mut self, sum: u64, shift: u32);
    /// Divides the residual by p. The residual must be a multiple of p.
    fn divide(&mut self, p: u64);
}

impl Residual for i64 {
    fn one() -> Self {
        1
    }
    fn residue(&self, p: u64) -> u32 {
        self.rem_euclid(p as Self) as u32
    }
    fn sub_shifted(&mut self, sum: u64, shift: u32) {
        *self -= (sum as Self) << shift;
    }
    fn divide(&mut self, p: u64) {
        *self /= p as Self;
    }
}

impl Residual for i128 {
    fn one() -> Self {
        1
    }
    fn residue(&self, p: u64) -> u32 {
        self.rem_euclid(Self::from(p)) as u32
    }
    fn sub_shifted(&mut self, sum: u64, shift: u32) {
        *self -= Self::from(sum) << shift;
    }
    fn divide(&mut self, p: u64) {
        *self /= Self::from(p);
    }
}

impl Residual for BigInt {
    fn one() -> Self {
        <Self as num_traits::One>::one()
    }
    fn residue(&self, p: u64) -> u32 {
        // For a negative number, the remainder of the absolute value is negated, unless it is 0.
        let remainder = self.magnitude() % p;
        let remainder = remainder.to_u64().expect("below p");
        let negate = self.is_negative() && remainder != 0;
        if negate {
            (p - remainder) as u32
        } else {
            remainder as u32
        }
    }
    fn sub_shifted(&mut self, sum: u64, shift: u32) {
        *self -= Self::from(sum) << shift;
    }
    fn divide(&mut self, p: u64) {
        *self /= p;
    }
}

/// A matrix with its LU factors modulo a prime p.
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

    /// Returns nonnegative integers that are proportional to the solution of the system. Returns
    /// `None` if the reconstruction of the fractions fails.
    ///
    /// The solution must have entries from 0 to 1, whose numerators and denominators have at most
    /// `bits` bits. If they have more bits, the returned integers may be wrong. So the caller has
    /// to verify them.
    pub(crate) fn weights(
        &self,
        form: SystemForm,
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
            1 => self.digits::<i64>(form, steps, limits)?,
            2 | 3 => self.digits::<i128>(form, steps, limits)?,
            _ => self.digits::<BigInt>(form, steps, limits)?,
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
    fn digits<R: Residual>(
        &self,
        form: SystemForm,
        steps: usize,
        limits: &Limits<'_>,
    ) -> Result<Vec<Vec<u32>>, Stop> {
        let k = self.system.k;
        let mut residuals = vec![R::one(); k];
        let mut sums = vec![0; k];
        let mut digits = Vec::with_capacity(steps);
        for _ in 0..steps {
            limits.poll()?;
            let residues: Vec<u32> = residuals
                .iter()
                .map(|residual| residual.residue(self.p))
                .collect();
            let x = match form {
                SystemForm::Straight => self.factors.solve(&residues),
                SystemForm::Transposed => self.factors.solve_transposed(&residues),
            };
            for digit in 0..self.system.digits.len() {
                self.system.product(digit, form, &x, &mut sums);
                for (residual, &sum) in residuals.iter_mut().zip(&sums) {
                    residual.sub_shifted(sum, digit as u32 * DIGIT_BITS);
                }
            }
            residuals
                .iter_mut()
                .for_each(|residual| residual.divide(self.p));
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

/// Returns the denominator t of a fraction s/t that is equal to u modulo m, where s and t have
/// about half as many bits as m. Returns `None` if Euclid's algorithm finds no such fraction.
///
/// P. S. Wang, A p-adic algorithm for univariate partial fractions, SYMSAC 1981, 212-217.
fn denominator(u: BigUint, m: &BigUint) -> Option<BigUint> {
    let half = m.bits() / 2;
    let (mut large, mut small) = (m.clone(), u);
    let (mut previous_factor, mut factor) = (BigUint::zero(), BigUint::one());
    // The extended Euclidean algorithm is stopped halfway. Then the remainder is the numerator, and
    // the cofactor is the denominator. Only the cofactor is needed.
    while small.bits() > half {
        let (quotient, remainder) = large.div_rem(&small);
        large = std::mem::replace(&mut small, remainder);
        let next = previous_factor + quotient * &factor;
        previous_factor = std::mem::replace(&mut factor, next);
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
        for form in [SystemForm::Straight, SystemForm::Transposed] {
            let weights = lift.weights(form, bits, &limits).unwrap().unwrap();
            let entry = |i: usize, j: usize| match form {
                SystemForm::Straight => &entries[i * k + j],
                SystemForm::Transposed => &entries[j * k + i],
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
