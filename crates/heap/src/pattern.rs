//! The search for patterns in tables of values and outcomes.
//!
//! A pattern is stated only if the table is strong evidence for it. The comments of each search
//! say how much evidence it demands.

mod grid;
mod outcomes;
mod values;

use std::fmt;

pub use grid::in_table;
pub use outcomes::in_outcomes;
pub use values::{floor, in_sequence, period};

/// A pattern that the computed values show. It is a conjecture, not a theorem.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// g(n) = n, as in Nim.
    Nim,
    /// g(n) is the number of binary digits of n.
    BinaryDigits,
    /// g(n) is the largest power of two that divides n. g(0) is 0.
    Ruler,
    /// g(n) is the floor of a linear function for all computed n >= `from`.
    Floor {
        /// The function.
        floor: Floor,
        /// The first n for which the equation holds.
        from: u64,
    },
    /// g(n) = floor(log2(n)) + `plus` for all computed n >= `from`.
    Logarithm {
        /// The number that is added to the logarithm.
        plus: i64,
        /// The first n for which the equation holds.
        from: u64,
    },
    /// g(n) = floor(sqrt(n)) + `plus` for all computed n >= `from`.
    SquareRoot {
        /// The number that is added to the square root.
        plus: i64,
        /// The first n for which the equation holds.
        from: u64,
    },
    /// g(n) is the number of trailing zeros of n + `shift` in binary, plus `plus`.
    TrailingZeros {
        /// The number that is added to n.
        shift: u64,
        /// The number that is added to the number of zeros.
        plus: i64,
        /// The first n for which the equation holds.
        from: u64,
    },
    /// g(n + period) = g(n) + saltus for all computed n >= `preperiod`. The values contain at least
    /// four periods.
    Period {
        /// The first n for which the equation holds.
        preperiod: u64,
        /// The period of the values.
        period: u64,
        /// The saltus: the amount that each period adds to the values.
        saltus: u64,
    },
    /// The P-positions n >= `from` are the numbers with these remainders modulo `modulus`.
    Residues {
        /// The modulus. If it is 1, all positions are P-positions, or none.
        modulus: u64,
        /// The remainders.
        remainders: Vec<u64>,
        /// The first n to which the pattern applies.
        from: u64,
    },
    /// The P-positions n >= `from` are the elements of a well-known set.
    Set {
        /// The set.
        set: NumberSet,
        /// The first n to which the pattern applies.
        from: u64,
    },
    /// The P-positions (a, b) with a <= b are the pairs of Wythoff's game.
    WythoffPairs {
        /// The number of pairs that were compared.
        pairs: u64,
    },
    /// g(a, b) is the nim-sum of a and b.
    NimSum,
    /// g(a, b) is the nim-sum of a modulo `row` and b modulo `column`.
    NimSumOfRemainders {
        /// The modulus of a.
        row: u64,
        /// The modulus of b.
        column: u64,
    },
    /// g(a, b) depends only on the remainders of a modulo `row` and of b modulo `column`.
    PeriodicTable {
        /// The modulus of a.
        row: u64,
        /// The modulus of b.
        column: u64,
    },
    /// g(a, b) is constant.
    ConstantTable {
        /// The value of all positions.
        value: u64,
    },
    /// (a, b) is a P-position if and only if a linear form has one of these remainders modulo
    /// `modulus`.
    FormResidues {
        /// The linear form.
        form: Form,
        /// The modulus. If it is 1, all positions are P-positions, or none.
        modulus: u64,
        /// The remainders.
        remainders: Vec<u64>,
    },
    /// (a, b) is a P-position if and only if the pair of remainders modulo `modulus` is listed.
    PairResidues {
        /// The modulus.
        modulus: u64,
        /// The pairs of remainders.
        pairs: Vec<(u64, u64)>,
    },
}

/// The function floor((`multiplier` n + `addend`) / `divisor`).
///
/// ```
/// use grundy_heap::pattern::Floor;
/// let floor = Floor { multiplier: 1, addend: -1, divisor: 2 };
/// assert_eq!((floor.at(6), floor.to_string().as_str()), (2, "floor((n - 1) / 2)"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floor {
    /// The multiplier of n.
    pub multiplier: u64,
    /// The number that is added.
    pub addend: i64,
    /// The divisor. It is not 0.
    pub divisor: u64,
}

impl Floor {
    /// Returns the value of the function at n.
    ///
    /// ```
    /// use grundy_heap::pattern::Floor;
    /// assert_eq!(Floor { multiplier: 2, addend: 1, divisor: 3 }.at(4), 3);
    /// ```
    #[must_use]
    pub fn at(self, n: u64) -> i128 {
        let sum = i128::from(self.multiplier) * i128::from(n) + i128::from(self.addend);
        sum.div_euclid(i128::from(self.divisor))
    }
}

impl fmt::Display for Floor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            multiplier,
            addend,
            divisor,
        } = *self;
        let product = match multiplier {
            0 => return (i128::from(addend).div_euclid(i128::from(divisor))).fmt(f),
            1 => "n".to_owned(),
            _ => format!("{multiplier}n"),
        };
        let sum = format!("{product}{}", signed(addend));
        match (divisor, addend) {
            (1, _) => f.write_str(&sum),
            (_, 0) => write!(f, "floor({sum} / {divisor})"),
            _ => write!(f, "floor(({sum}) / {divisor})"),
        }
    }
}

/// Formats a number as the last term of a sum, such as ` + 4`. Returns an empty string for 0.
///
/// ```
/// use grundy_heap::pattern::signed;
/// assert_eq!((signed(4), signed(0), signed(-1)), (" + 4".into(), "".into(), " - 1".into()));
/// ```
#[must_use]
pub fn signed(number: i64) -> String {
    match number {
        0 => String::new(),
        1.. => format!(" + {number}"),
        _ => format!(" - {}", number.unsigned_abs()),
    }
}

/// A well-known set of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NumberSet {
    /// The squares, with 0.
    Squares,
    /// The triangular numbers, with 0.
    Triangular,
    /// The Fibonacci numbers, with 0.
    Fibonacci,
    /// The powers of a base, from 1.
    Powers {
        /// The base of the powers.
        base: u64,
    },
    /// The powers of a base minus 1, from 0.
    PowersMinusOne {
        /// The base of the powers.
        base: u64,
    },
    /// The positive numbers with an even number of trailing zeros in binary.
    EvenTrailingZeros,
    /// The positive numbers with an odd number of trailing zeros in binary.
    OddTrailingZeros,
    /// The numbers floor(k phi) for k = 1, 2, ..., where phi is the golden ratio.
    LowerWythoff,
    /// The numbers floor(k phi^2) for k = 1, 2, ..., where phi is the golden ratio.
    UpperWythoff,
}

/// A linear form in the two variables of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// a + b
    Sum,
    /// a - b
    Difference,
    /// a
    Row,
    /// b
    Column,
}

impl Form {
    /// Returns the value of the form at (a, b), modulo `modulus`.
    ///
    /// ```
    /// use grundy_heap::pattern::Form;
    /// assert_eq!(Form::Difference.remainder(3, 5, 4), 2);
    /// ```
    #[must_use]
    pub fn remainder(self, a: u64, b: u64, modulus: u64) -> u64 {
        let (a, b) = (a % modulus, b % modulus);
        match self {
            Self::Sum => (a + b) % modulus,
            Self::Difference => (a + modulus - b) % modulus,
            Self::Row => a,
            Self::Column => b,
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sum => "a + b",
            Self::Difference => "a - b",
            Self::Row => "a",
            Self::Column => "b",
        })
    }
}

/// Returns (floor(k phi), floor(k phi^2)) for k below 2^62, where phi is the golden ratio. The
/// result is exact, because floor(k phi) = floor((k + sqrt(5 k^2)) / 2).
fn wythoff_pair(k: u64) -> (u64, u64) {
    let wide = u128::from(k);
    let a = wide.midpoint((5 * wide * wide).isqrt()) as u64;
    (a, a + k)
}
