//! Mixed strategies, given by integer weights over a common total.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, Zero as _};

use crate::divisor::lcm;
use crate::matrix::MAX_DENOMINATOR_BITS;

/// A mixed strategy: the player makes choice `k` with probability `weight(k) / total`.
///
/// The weights have no common factor, so that equal strategies compare equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mixed {
    weights: Vec<BigUint>,
    total: BigUint,
}

impl Mixed {
    /// Returns the strategy whose probabilities are proportional to `weights`. Returns `None` if
    /// all weights are 0.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::Mixed;
    /// let thirds = Mixed::from_weights([4_u32, 0, 2].map(Into::into).to_vec()).unwrap();
    /// assert_eq!(thirds.probability(0).to_string(), "2/3");
    /// assert_eq!(thirds.support(), [0, 2]);
    /// ```
    #[must_use]
    pub fn from_weights(mut weights: Vec<BigUint>) -> Option<Self> {
        let mut content = BigUint::zero();
        // Usually, the first few weights already have no common factor. Then the loop ends early.
        for weight in weights.iter().filter(|weight| !weight.is_zero()) {
            content = content.gcd(weight);
            if content.is_one() {
                break;
            }
        }
        if content.is_zero() {
            return None;
        }
        if !content.is_one() {
            for weight in &mut weights {
                *weight /= &content;
            }
        }
        let total = weights.iter().sum();
        Some(Self { weights, total })
    }

    /// Returns the strategy with the given probabilities. Returns `None` if they do not form a
    /// strategy, or if their common denominator is too long.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::{BigRational, Mixed};
    /// let [half, third, sixth] = [2, 3, 6].map(|n| BigRational::new(1.into(), n.into()));
    /// let mixed = Mixed::from_probabilities(&[half.clone(), third.clone(), sixth]).unwrap();
    /// assert_eq!([0, 1, 2].map(|k| mixed.weight(k).to_string()), ["3", "2", "1"]);
    /// assert_eq!(Mixed::from_probabilities(&[half, third]), None);
    /// ```
    #[must_use]
    pub fn from_probabilities(probabilities: &[BigRational]) -> Option<Self> {
        let mut common = BigInt::one();
        for p in probabilities {
            common = lcm(&common, p.denom(), MAX_DENOMINATOR_BITS)?;
        }
        let weights: Option<Vec<BigUint>> = probabilities
            .iter()
            .map(|p| (p.numer() * (&common / p.denom())).to_biguint())
            .collect();
        let weights = weights?;
        let total: BigUint = weights.iter().sum();
        (BigInt::from(total) == common)
            .then(|| Self::from_weights(weights))
            .flatten()
    }

    /// Returns the pure strategy of a player with `count` choices who always makes choice `k`.
    ///
    /// # Panics
    /// If `k` is out of range.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::Mixed;
    /// let pure = Mixed::pure(3, 1);
    /// assert_eq!([0, 1, 2].map(|k| pure.probability(k).to_string()), ["0", "1", "0"]);
    /// ```
    #[must_use]
    pub fn pure(count: usize, k: usize) -> Self {
        let mut weights = vec![BigUint::zero(); count];
        weights[k] = BigUint::one();
        Self {
            weights,
            total: BigUint::one(),
        }
    }

    /// Returns the number of choices.
    ///
    /// # Examples
    /// ```
    /// let mixed = grundy_matrix::read::strategy("2/3 0 1/3", 3).unwrap();
    /// assert_eq!((mixed.choices(), mixed.support().len()), (3, 2));
    /// ```
    #[must_use]
    pub fn choices(&self) -> usize {
        self.weights.len()
    }

    /// Returns the weight of choice `k`.
    ///
    /// # Examples
    /// ```
    /// let mixed = grundy_matrix::read::strategy("1/2 1/3 1/6", 3).unwrap();
    /// assert_eq!(mixed.weight(1), &2_u32.into());
    /// ```
    #[must_use]
    pub fn weight(&self, k: usize) -> &BigUint {
        &self.weights[k]
    }

    /// Returns the sum of the weights, which is at least 1.
    ///
    /// # Examples
    /// ```
    /// let mixed = grundy_matrix::read::strategy("1/2 1/3 1/6", 3).unwrap();
    /// assert_eq!(mixed.total(), &6_u32.into());
    /// ```
    #[must_use]
    pub fn total(&self) -> &BigUint {
        &self.total
    }

    /// Returns the probability of choice `k`, in lowest terms.
    ///
    /// # Examples
    /// ```
    /// use grundy_matrix::Mixed;
    /// let mixed = Mixed::from_weights([3_u32, 2, 1].map(Into::into).to_vec()).unwrap();
    /// assert_eq!([0, 1, 2].map(|k| mixed.probability(k).to_string()), ["1/2", "1/3", "1/6"]);
    /// ```
    #[must_use]
    pub fn probability(&self, k: usize) -> BigRational {
        BigRational::new(self.weights[k].clone().into(), self.total.clone().into())
    }

    /// Returns the choices with positive probability, in order.
    ///
    /// # Examples
    /// ```
    /// let mixed = grundy_matrix::read::strategy("2/3 0 1/3", 3).unwrap();
    /// assert_eq!(mixed.support(), [0, 2]);
    /// ```
    #[must_use]
    pub fn support(&self) -> Vec<usize> {
        (0..self.weights.len())
            .filter(|&k| !self.weights[k].is_zero())
            .collect()
    }
}
