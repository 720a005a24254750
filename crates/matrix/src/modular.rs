//! Linear systems modulo a prime that fits in a word: LU factors, and solutions for a matrix and
//! for its transpose.

/// Returns the largest prime below `bound`. The bound must be at most 2^28.
///
/// For such a prime, products of two residues are below 2^56, so a sum of 255 of them fits in a
/// machine word.
pub(crate) fn prime_below(bound: u64) -> u64 {
    debug_assert!(
        bound <= 1 << 28,
        "larger residues would overflow sums of products"
    );
    // Trial division takes fewer than 2^14 divisions for each candidate, and primes below 2^28 are
    // dense.
    (2..bound)
        .rev()
        .find(|&n| (2..).take_while(|d| d * d <= n).all(|d| n % d != 0))
        .expect("there is a prime below every bound above 2")
}

/// Largest number of products that are added before the sum is reduced modulo p.
const MAX_TERMS: usize = 255;

/// A factorization P = L U modulo a prime below 2^28, where P is the matrix M with its columns
/// permuted.
pub(crate) struct Factors {
    p: u64,
    k: usize,
    /// The factors in row-major order: L below the diagonal, and U on and above it. The diagonal of
    /// L is 1.
    lu: Vec<u32>,
    /// The inverses of the elements on the diagonal of U.
    inverses: Vec<u64>,
    /// Column c of the product L U is column `order[c]` of M.
    order: Vec<usize>,
}

impl Factors {
    /// Factors a k by k matrix of residues, given in row-major order. Returns `None` if it is
    /// singular modulo p.
    ///
    /// # Complexity
    /// k^3/3 multiplications, and k^2 words of 32 bits.
    pub(crate) fn new(p: u64, k: usize, mut lu: Vec<u32>) -> Option<Self> {
        let mut order: Vec<usize> = (0..k).collect();
        let mut inverses: Vec<u64> = Vec::with_capacity(k);
        let mut row = vec![0_u64; k];
        // Each new row is reduced by all finished rows, in a buffer of 64-bit sums. Reductions
        // modulo p are delayed, and the matrix is read in the order of memory.
        for i in 0..k {
            let (above, below) = lu.split_at_mut(i * k);
            for (to, &from) in row.iter_mut().zip(&order) {
                *to = below[from].into();
            }
            for j in 0..i {
                if j % MAX_TERMS == MAX_TERMS - 1 {
                    row[j..].iter_mut().for_each(|x| *x %= p);
                }
                let factor = row[j] % p * inverses[j] % p;
                row[j] = factor;
                if factor != 0 {
                    add_multiple(
                        &mut row[j + 1..],
                        p - factor,
                        &above[j * k + j + 1..][..k - j - 1],
                    );
                }
            }
            row[i..].iter_mut().for_each(|x| *x %= p);
            // A pivot is moved to its place by exchanging columns, since the later rows are not
            // reduced yet. Only the order of the columns has to be stored.
            let pivot = (i..k).find(|&c| row[c] != 0)?;
            if pivot != i {
                row.swap(i, pivot);
                order.swap(i, pivot);
                for above in above.chunks_mut(k) {
                    above.swap(i, pivot);
                }
            }
            inverses.push(inverse(row[i], p));
            for (to, &from) in below.iter_mut().zip(&row) {
                *to = from as u32;
            }
        }
        Some(Self {
            p,
            k,
            lu,
            inverses,
            order,
        })
    }

    /// Returns the solution x of M x = b modulo p. The elements of `b` are residues.
    pub(crate) fn solve(&self, b: &[u32]) -> Vec<u32> {
        let (p, k) = (self.p, self.k);
        // Forward substitution with L, and then back substitution with U.
        let mut y = vec![0_u32; k];
        for i in 0..k {
            let sum = dot(&self.lu[i * k..][..i], &y[..i], p);
            y[i] = ((u64::from(b[i]) + p - sum) % p) as u32;
        }
        for i in (0..k).rev() {
            let sum = dot(&self.lu[i * k + i + 1..(i + 1) * k], &y[i + 1..], p);
            y[i] = ((u64::from(y[i]) + p - sum) % p * self.inverses[i] % p) as u32;
        }
        let mut x = vec![0; k];
        for (&c, &y) in self.order.iter().zip(&y) {
            x[c] = y;
        }
        x
    }

    /// Returns the solution x of Mᵀ x = b modulo p. The elements of `b` are residues.
    pub(crate) fn solve_transposed(&self, b: &[u32]) -> Vec<u32> {
        let (p, k) = (self.p, self.k);
        // The columns of Uᵀ and Lᵀ are rows of the stored factors. They are processed column by
        // column, so that memory is read in order.
        let mut sums: Vec<u64> = self.order.iter().map(|&c| b[c].into()).collect();
        for i in 0..k {
            if i % MAX_TERMS == MAX_TERMS - 1 {
                sums[i..].iter_mut().for_each(|x| *x %= p);
            }
            let x = sums[i] % p * self.inverses[i] % p;
            sums[i] = x;
            add_multiple(
                &mut sums[i + 1..],
                (p - x) % p,
                &self.lu[i * k + i + 1..(i + 1) * k],
            );
        }
        for (done, i) in (0..k).rev().enumerate() {
            if done % MAX_TERMS == MAX_TERMS - 1 {
                sums[..=i].iter_mut().for_each(|x| *x %= p);
            }
            let x = sums[i] % p;
            sums[i] = x;
            add_multiple(&mut sums[..i], (p - x) % p, &self.lu[i * k..][..i]);
        }
        sums.into_iter().map(|x| x as u32).collect()
    }
}

/// Returns the rank modulo p of a matrix of residues. It has `n` columns and is given in row-major
/// order.
///
/// # Complexity
/// O(m n r) multiplications for m rows and rank r.
pub(crate) fn rank(p: u64, n: usize, mut rows: Vec<u32>) -> usize {
    // The reduced rows are moved to the front, and `pivots` stores their pivot columns. Each new
    // row is reduced by all of them.
    let mut pivots: Vec<(usize, u64)> = Vec::new();
    let mut row = vec![0_u64; n];
    for i in 0..rows.len() / n {
        let (above, below) = rows.split_at_mut(i * n);
        for (to, &from) in row.iter_mut().zip(&below[..n]) {
            *to = from.into();
        }
        for (count, &(c, inverse)) in pivots.iter().enumerate() {
            if count % MAX_TERMS == MAX_TERMS - 1 {
                row.iter_mut().for_each(|x| *x %= p);
            }
            let factor = row[c] % p * inverse % p;
            if factor != 0 {
                add_multiple(&mut row, p - factor, &above[count * n..][..n]);
            }
        }
        row.iter_mut().for_each(|x| *x %= p);
        if let Some(c) = row.iter().position(|&x| x != 0) {
            let at = pivots.len() * n;
            pivots.push((c, inverse(row[c], p)));
            for (to, &from) in rows[at..].iter_mut().zip(&row) {
                *to = from as u32;
            }
        }
    }
    pivots.len()
}

/// Adds a multiple of a row of residues to `sums`, without a reduction modulo p.
fn add_multiple(sums: &mut [u64], factor: u64, row: &[u32]) {
    let factor = factor as u32;
    for (sum, &entry) in sums.iter_mut().zip(row) {
        *sum += u64::from(factor) * u64::from(entry);
    }
}

/// Returns the scalar product of two vectors of residues modulo p.
fn dot(a: &[u32], b: &[u32], p: u64) -> u64 {
    a.chunks(MAX_TERMS)
        .zip(b.chunks(MAX_TERMS))
        .map(|(a, b)| {
            let products = a.iter().zip(b);
            products
                .map(|(&a, &b)| u64::from(a) * u64::from(b))
                .sum::<u64>()
                % p
        })
        .sum::<u64>()
        % p
}

/// Returns the inverse of a nonzero residue, by Fermat's little theorem.
fn inverse(x: u64, p: u64) -> u64 {
    let (mut power, mut base, mut exponent) = (1, x, p - 2);
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = power * base % p;
        }
        base = base * base % p;
        exponent /= 2;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_satisfy_the_system() {
        let p = prime_below(1 << 28);
        assert_eq!(p, 268_435_399);
        let mut state = 1_u64;
        let mut random = move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % p
        };
        for k in [1, 2, 3, 7, 60, 300, 520] {
            let mut m: Vec<u32> = (0..k * k).map(|_| random() as u32).collect();
            if k > 1 {
                // A zero in the first row and column forces an exchange of columns. The sizes 300
                // and 520 exceed `MAX_TERMS`, and 520 also twice `MAX_TERMS`.
                m[0] = 0;
            }
            let b: Vec<u32> = (0..k).map(|_| random() as u32).collect();
            let factors = Factors::new(p, k, m.clone()).unwrap();
            let x = factors.solve(&b);
            let y = factors.solve_transposed(&b);
            for i in 0..k {
                let row: Vec<u32> = m[i * k..][..k].to_vec();
                let column: Vec<u32> = (0..k).map(|r| m[r * k + i]).collect();
                assert_eq!(dot(&row, &x, p), u64::from(b[i]));
                assert_eq!(dot(&column, &y, p), u64::from(b[i]));
            }
        }
        assert!(Factors::new(p, 2, vec![1, 2, 2, 4]).is_none());
    }

    #[test]
    fn ranks_of_products_equal_those_of_their_factors() {
        let p = prime_below(1 << 28);
        // The product of an m by r and an r by n matrix has rank at most r. In the last case the
        // sizes exceed `MAX_TERMS`.
        for (m, n, r) in [(1, 1, 0), (3, 5, 2), (7, 4, 4), (300, 290, 270)] {
            let left = |i: usize, l: usize| {
                ((i + 1) as u64).pow(2) * (l + 3) as u64 % 1009 + u64::from(i == l)
            };
            let right =
                |l: usize, j: usize| ((j + 2) as u64 * 31 + l as u64) % 997 + 3 * u64::from(j == l);
            let entry = |i, j| ((0..r).map(|l| left(i, l) * right(l, j)).sum::<u64>() % p) as u32;
            let rows = (0..m)
                .flat_map(|i| (0..n).map(move |j| entry(i, j)))
                .collect();
            assert!(rank(p, n, rows) <= r);
        }
        let identity = (0..81).map(|c| u32::from(c % 10 == 0)).collect();
        assert_eq!(rank(p, 9, identity), 9);
        assert_eq!(rank(p, 3, vec![1, 2, 3, 2, 4, 6, 1, 0, 1]), 2);
    }
}
