//! Numbers that depend on the unknown numbers n and a, and linear constraints on n and a.

use super::Undecided;

/// Largest absolute value of a coefficient. The products in [`Region::is_empty`] then fit.
const LARGEST: i128 = 1 << 60;

/// The number floor((`n` n + `a` a + `c`) / `d`), where `d` is at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Number {
    pub(crate) n: i128,
    pub(crate) a: i128,
    pub(crate) c: i128,
    pub(crate) d: i128,
}

/// The constraint `n` n + `a` a + `c` <= 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Constraint {
    pub(crate) n: i128,
    pub(crate) a: i128,
    pub(crate) c: i128,
}

fn gcd(mut x: i128, mut y: i128) -> i128 {
    while y != 0 {
        (x, y) = (y, x % y);
    }
    x.abs()
}

impl Number {
    /// Creates a number in lowest terms.
    pub(crate) fn new(n: i128, a: i128, c: i128, d: i128) -> Result<Self, Undecided> {
        let common = gcd(gcd(n, a), d);
        // For an integer x, floor((g x + c) / (g d)) = floor((x + floor(c / g)) / d).
        let found = Self {
            n: n / common,
            a: a / common,
            c: c.div_euclid(common),
            d: d / common,
        };
        let fits = |part: i128| part.abs() < LARGEST;
        let all = fits(found.n) && fits(found.a) && fits(found.c) && fits(found.d);
        all.then_some(found).ok_or(Undecided)
    }

    pub(crate) fn constant(c: i128) -> Result<Self, Undecided> {
        Self::new(0, 0, c, 1)
    }

    /// Returns the value of a number that depends on nothing.
    pub(crate) fn as_constant(&self) -> Option<i128> {
        (self.n == 0 && self.a == 0).then_some(self.c)
    }

    /// Returns the sum. It is undecided if both numbers have a denominator.
    pub(crate) fn add(self, other: Self) -> Result<Self, Undecided> {
        let (x, y) = if self.d == 1 {
            (other, self)
        } else {
            (self, other)
        };
        if y.d != 1 {
            return Err(Undecided);
        }
        Self::new(x.n + y.n * x.d, x.a + y.a * x.d, x.c + y.c * x.d, x.d)
    }

    /// Returns the negative: -floor(x / d) = floor((-x + d - 1) / d).
    pub(crate) fn negated(self) -> Result<Self, Undecided> {
        Self::new(-self.n, -self.a, -self.c + self.d - 1, self.d)
    }

    /// Returns the difference. It is undecided if both numbers have a denominator.
    pub(crate) fn minus(self, other: Self) -> Result<Self, Undecided> {
        self.add(other.negated()?)
    }

    /// Returns the product. It is undecided if it is not linear.
    pub(crate) fn times(self, other: Self) -> Result<Self, Undecided> {
        let (k, x) = match (self.as_constant(), other.as_constant()) {
            (Some(k), _) => (k, other),
            (_, Some(k)) => (k, self),
            _ => return Err(Undecided),
        };
        match (k, x.d) {
            (1, _) => Ok(x),
            (-1, _) => x.negated(),
            (_, 1) => Self::new(x.n * k, x.a * k, x.c * k, 1),
            _ => Err(Undecided),
        }
    }

    /// Returns floor(x / k) for a constant k other than 0.
    pub(crate) fn floor_divided(self, k: i128) -> Result<Self, Undecided> {
        let x = if k < 0 { self.negated()? } else { self };
        // For k < 0 the dividend is negated first, which is exact for integers.
        Self::new(x.n, x.a, x.c, x.d * k.abs())
    }

    /// Returns x mod k for a constant k other than 0. It is undecided if it is not a constant.
    pub(crate) fn remainder(self, k: i128) -> Result<Self, Undecided> {
        if self.d != 1 || self.n % k != 0 || self.a % k != 0 {
            return Err(Undecided);
        }
        // The remainder has the sign of k.
        let rest = self.c.rem_euclid(k.abs());
        Self::constant(if k < 0 && rest > 0 { rest + k } else { rest })
    }

    /// Returns the constraint that this number is at most `other`. It is undecided if both numbers
    /// have a denominator.
    pub(crate) fn at_most(self, other: Self) -> Result<Constraint, Undecided> {
        let (x, y) = (self, other);
        match (x.d, y.d) {
            // x <= floor(y / e) if and only if e x <= y.
            (1, e) => Constraint::new(x.n * e - y.n, x.a * e - y.a, x.c * e - y.c),
            // floor(x / d) <= y if and only if x <= d y + d - 1.
            (d, 1) => Constraint::new(x.n - d * y.n, x.a - d * y.a, x.c - d * y.c - (d - 1)),
            _ => Err(Undecided),
        }
    }
}

impl Constraint {
    /// Creates a constraint in lowest terms.
    pub(crate) fn new(n: i128, a: i128, c: i128) -> Result<Self, Undecided> {
        let common = gcd(n, a).max(1);
        // n and a are integers, so the constant can be rounded.
        let c = -(-c).div_euclid(common);
        let found = Self {
            n: n / common,
            a: a / common,
            c,
        };
        let fits = |part: i128| part.abs() < LARGEST;
        let all = fits(found.n) && fits(found.a) && fits(found.c);
        all.then_some(found).ok_or(Undecided)
    }

    /// Returns the opposite: x <= 0 is false if and only if -x + 1 <= 0.
    pub(crate) fn negated(self) -> Self {
        Self {
            n: -self.n,
            a: -self.a,
            c: 1 - self.c,
        }
    }
}

/// A set of pairs (n, a), given by constraints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Region(pub(crate) Vec<Constraint>);

impl Region {
    /// Returns the pairs with n >= `least`.
    pub(crate) fn from(least: i128) -> Self {
        Self(vec![Constraint {
            n: -1,
            a: 0,
            c: least,
        }])
    }

    /// Returns the part of the region that satisfies `constraints`.
    pub(crate) fn with(&self, constraints: impl IntoIterator<Item = Constraint>) -> Self {
        let mut region = self.clone();
        region.0.extend(constraints);
        region
    }

    /// Returns the number of steps of a test for emptiness, which is quadratic in the number of
    /// constraints.
    pub(crate) fn steps(&self) -> usize {
        1 + self.0.len() * self.0.len() / 16
    }

    /// Returns whether the region is proved to be empty. The variable a is eliminated by the method
    /// of Fourier and Motzkin.
    pub(crate) fn is_empty(&self) -> bool {
        let mut bounds: Vec<(i128, i128)> = Vec::new();
        for x in &self.0 {
            match x.a {
                0 => bounds.push((x.n, x.c)),
                1.. => {
                    for y in self.0.iter().filter(|y| y.a < 0) {
                        let (p, q) = (x.a, -y.a);
                        bounds.push((q * x.n + p * y.n, q * x.c + p * y.c));
                    }
                }
                _ => {}
            }
        }
        let (mut least, mut most) = (i128::MIN, i128::MAX);
        for (n, c) in bounds {
            match n {
                0 if c > 0 => return true,
                0 => {}
                // n x + c <= 0, so x <= floor(-c / n).
                1.. => most = most.min((-c).div_euclid(n)),
                // x >= ceil(c / -n).
                _ => least = least.max(-(-c).div_euclid(-n)),
            }
        }
        least > most
    }

    /// Returns whether `constraint` holds in the whole region.
    pub(crate) fn implies(&self, constraint: Constraint) -> bool {
        self.with([constraint.negated()]).is_empty()
    }
}
