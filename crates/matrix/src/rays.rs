//! Extreme rays of cones, computed by the double description method in exact arithmetic.

use grundy_base::{Limits, Stop};
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _, Zero as _};

/// A cone in the nonnegative orthant, given by its extreme rays.
pub(crate) struct Cone {
    rays: Vec<Ray>,
    /// Number of inequalities processed so far, including those of the orthant.
    inequalities: usize,
}

/// Largest estimated number of word operations in one call of [`Cone::cut`]. They take about a
/// second.
const MAX_WORK: u64 = 1 << 29;

/// The extreme rays of a cone, or the statement that there are too many.
pub(crate) enum Rays {
    All(Vec<Vec<BigInt>>),
    TooMany,
}

struct Ray {
    point: Vec<BigInt>,
    /// Bit set of the inequalities that the ray satisfies with equality.
    tight: Vec<u64>,
}

impl Ray {
    fn is_tight(&self, inequality: usize) -> bool {
        self.tight[inequality / 64] >> (inequality % 64) & 1 == 1
    }

    fn set_tight(&mut self, inequality: usize) {
        self.tight[inequality / 64] |= 1 << (inequality % 64);
    }
}

impl Cone {
    /// Returns the orthant x >= 0 of dimension `dimension`, with room for `extra` further
    /// inequalities.
    pub(crate) fn orthant(dimension: usize, extra: usize) -> Self {
        let words = (dimension + extra).div_ceil(64);
        let rays = (0..dimension)
            .map(|k| {
                let mut ray = Ray {
                    point: axis(dimension, k),
                    tight: vec![0; words],
                };
                // On axis k, all inequalities x_i >= 0 are equalities, except that of k itself.
                (0..dimension)
                    .filter(|&other| other != k)
                    .for_each(|other| ray.set_tight(other));
                ray
            })
            .collect();
        Self {
            rays,
            inequalities: dimension,
        }
    }

    /// Returns the extreme rays of a smaller cone: the part where all `inequalities` are satisfied.
    /// Each inequality is given by the coefficients of a linear form that must not be negative.
    ///
    /// Returns [`Rays::TooMany`] if there are more than `max_rays` rays after some inequality, or
    /// if the computation takes more than [`MAX_WORK`] operations.
    ///
    /// The linear forms are processed in the given order. The number of rays after each of them
    /// depends on this order.
    pub(crate) fn cut(
        mut self,
        inequalities: Vec<Vec<BigInt>>,
        max_rays: usize,
        limits: &Limits<'_>,
    ) -> Result<Rays, Stop> {
        let mut work = 0_u64;
        for form in inequalities {
            // The value of the new linear form at each ray. Rays with a negative value are removed.
            let heights: Vec<BigInt> = self
                .rays
                .iter()
                .map(|ray| form.iter().zip(&ray.point).map(|(a, x)| a * x).sum())
                .collect();
            let longest = |vector: &[BigInt]| vector.iter().map(BigInt::bits).max().unwrap_or(0);
            work += (self.rays.len() * form.len()) as u64 * (4 + longest(&form) / 64);
            if work > MAX_WORK {
                return Ok(Rays::TooMany);
            }
            // Every new extreme ray is on an edge between a ray that is kept and one that is
            // removed. Pairs without a common edge would add redundant rays, and the list would
            // then grow exponentially.
            let mut new_rays: Vec<Ray> = Vec::new();
            for above in (0..heights.len()).filter(|&r| heights[r].is_positive()) {
                limits.poll()?;
                for below in (0..heights.len()).filter(|&r| heights[r].is_negative()) {
                    if self.adjacent(above, below, &mut work) {
                        let ray = self.between(above, below, &heights);
                        // The library computes a gcd bit by bit, which takes time quadratic in the
                        // length.
                        let bits = longest(&ray.point);
                        work += ray.point.len() as u64 * (4 + bits * bits / 64);
                        new_rays.push(ray);
                        if new_rays.len() > max_rays {
                            return Ok(Rays::TooMany);
                        }
                    }
                    if work > MAX_WORK {
                        return Ok(Rays::TooMany);
                    }
                }
            }
            // The bit sets are updated only now, since the test for adjacency above needs those of
            // the previous cone.
            let mut heights = heights.iter();
            let inequalities = self.inequalities;
            self.rays.retain_mut(|ray| {
                let height = heights.next().expect("one height for each ray");
                if height.is_zero() {
                    ray.set_tight(inequalities);
                }
                !height.is_negative()
            });
            self.rays.append(&mut new_rays);
            self.inequalities += 1;
            if self.rays.len() > max_rays {
                return Ok(Rays::TooMany);
            }
        }
        Ok(Rays::All(
            self.rays.into_iter().map(|ray| ray.point).collect(),
        ))
    }

    /// Returns whether an edge of the cone joins two rays. Such an edge exists if no third ray
    /// satisfies with equality all inequalities that both rays satisfy with equality.
    fn adjacent(&self, a: usize, b: usize, work: &mut u64) -> bool {
        let common: Vec<u64> = self.rays[a]
            .tight
            .iter()
            .zip(&self.rays[b].tight)
            .map(|(x, y)| x & y)
            .collect();
        // This combinatorial test only reads bit sets. An algebraic test would compute the rank of
        // the common inequalities.
        !self.rays.iter().enumerate().any(|(r, ray)| {
            *work += common.len() as u64;
            r != a && r != b && common.iter().zip(&ray.tight).all(|(c, t)| c & t == *c)
        })
    }

    /// Returns the ray in which the edge between two rays meets the hyperplane of the new
    /// inequality.
    fn between(&self, above: usize, below: usize, heights: &[BigInt]) -> Ray {
        let (up, down) = (&self.rays[above], &self.rays[below]);
        let (high, low) = (&heights[above], -&heights[below]);
        let point = up.point.iter().zip(&down.point);
        let mut ray = Ray {
            // Both factors are positive, so the point lies between the two rays. Its value in the
            // new inequality is 0.
            point: primitive(point.map(|(x, y)| x * &low + y * high).collect()),
            tight: vec![0; up.tight.len()],
        };
        // A point inside an edge has equality exactly in those inequalities in which both ends have
        // equality.
        for inequality in 0..self.inequalities {
            if up.is_tight(inequality) && down.is_tight(inequality) {
                ray.set_tight(inequality);
            }
        }
        ray.set_tight(self.inequalities);
        ray
    }
}

/// Returns the unit vector along coordinate `k`.
pub(crate) fn axis(dimension: usize, k: usize) -> Vec<BigInt> {
    let mut point = vec![BigInt::zero(); dimension];
    point[k] = BigInt::one();
    point
}

/// Divides a vector by the greatest common divisor of its entries.
pub(crate) fn primitive(mut vector: Vec<BigInt>) -> Vec<BigInt> {
    let content = vector.iter().fold(BigInt::zero(), |gcd, x| gcd.gcd(x));
    if !content.is_zero() && !content.is_one() {
        vector.iter_mut().for_each(|x| *x /= &content);
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_cut_out_of_a_triangle() {
        // The inequalities are x, y, z >= 0 and x + z >= y, y + z >= x, x + y >= z. This is the
        // cone over the triangle of the midpoints of the edges.
        let form = |row: [i32; 3]| row.map(BigInt::from).to_vec();
        let forms = vec![form([1, -1, 1]), form([-1, 1, 1]), form([1, 1, -1])];
        let limits = Limits::default();
        let Rays::All(mut rays) = Cone::orthant(3, 3)
            .cut(forms.clone(), 100, &limits)
            .unwrap()
        else {
            panic!("few rays");
        };
        rays.sort();
        assert_eq!(rays, [form([0, 1, 1]), form([1, 0, 1]), form([1, 1, 0])]);
        assert!(matches!(
            Cone::orthant(3, 3).cut(forms, 2, &limits).unwrap(),
            Rays::TooMany
        ));
    }
}
