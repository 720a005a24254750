//! Patterns in the P-positions of a family with one variable.

use grundy_base::outcome::Outcome;

use super::{Finding, NumberSet, period, wythoff_pair};

/// Least number of elements that a set must have in the table.
const MIN_ELEMENTS: u64 = 4;

/// Least number of sets of the same size in the same range. If a random set of this size is drawn,
/// it is a given set with at most the reciprocal probability. About 25 sets are compared.
const MIN_ALTERNATIVES: u128 = 1 << 14;

/// Largest number of positions before the first one to which a set applies.
const MAX_EXCEPTIONS: usize = 8;

/// Returns the patterns in the P-positions of a family with one variable. The first outcome belongs
/// to n = `first`. Outcomes other than P are not distinguished.
///
/// ```
/// use grundy_base::Outcome;
/// use grundy_heap::pattern::{Finding, NumberSet, in_outcomes};
/// // A move takes one or two chips, so the multiples of 3 are P-positions.
/// let outcomes: Vec<Outcome> = (0..12).map(|n| Outcome::from_win(n % 3 != 0)).collect();
/// let residues = Finding::Residues { modulus: 3, remainders: vec![0], from: 0 };
/// assert_eq!(in_outcomes(0, &outcomes), [residues]);
/// let squares = |n: u64| Outcome::from_win(n.isqrt() * n.isqrt() != n);
/// let outcomes: Vec<Outcome> = (1..50).map(squares).collect();
/// let squares = Finding::Set { set: NumberSet::Squares, from: 1 };
/// assert_eq!(in_outcomes(1, &outcomes), [squares]);
/// ```
#[must_use]
pub fn in_outcomes(first: u64, outcomes: &[Outcome]) -> Vec<Finding> {
    let lost: Vec<bool> = outcomes
        .iter()
        .map(|&outcome| outcome == Outcome::P)
        .collect();
    let bits: Vec<u64> = lost.iter().map(|&lost| u64::from(lost)).collect();
    if let Some(found) = period(first, &bits)
        && let Some(residues) = residues(first, &lost, &found)
    {
        // A periodic set is none of the other sets.
        return vec![residues];
    }
    let mut sets = vec![
        NumberSet::Squares,
        NumberSet::Triangular,
        NumberSet::Fibonacci,
    ];
    sets.extend((2..=10).map(|base| NumberSet::Powers { base }));
    sets.extend((2..=10).map(|base| NumberSet::PowersMinusOne { base }));
    sets.extend([
        NumberSet::EvenTrailingZeros,
        NumberSet::OddTrailingZeros,
        NumberSet::LowerWythoff,
        NumberSet::UpperWythoff,
    ]);
    let found = sets.into_iter().find_map(|set| {
        let from = agrees_from(set, first, &lost)?;
        Some(Finding::Set { set, from })
    });
    found.into_iter().collect()
}

/// Returns the remainders of the P-positions in the first period of a repetition.
fn residues(first: u64, lost: &[bool], repetition: &Finding) -> Option<Finding> {
    let &Finding::Period {
        preperiod: from,
        period: modulus,
        ..
    } = repetition
    else {
        return None;
    };
    let start = usize::try_from(from - first).ok()?;
    let period = usize::try_from(modulus).ok()?;
    let mut remainders: Vec<u64> = lost
        .get(start..start + period)?
        .iter()
        .zip(0..)
        .filter(|(lost, _)| **lost)
        .map(|(_, i)| (from % modulus + i) % modulus)
        .collect();
    remainders.sort_unstable();
    Some(Finding::Residues {
        modulus,
        remainders,
        from,
    })
}

/// Returns the first n from which the P-positions are the elements of a set. Returns `None` if
/// there are too few positions from there on.
fn agrees_from(set: NumberSet, first: u64, lost: &[bool]) -> Option<u64> {
    let differs = |i: &usize| set.contains(first + *i as u64) != lost[*i];
    let exceptions = (0..lost.len()).rev().find(differs).map_or(0, |i| i + 1);
    let elements = lost[exceptions..].iter().filter(|lost| **lost).count() as u64;
    let range = (lost.len() - exceptions) as u64;
    let enough = elements >= MIN_ELEMENTS && has_alternatives(range, elements);
    (enough && exceptions <= MAX_EXCEPTIONS).then(|| first + exceptions as u64)
}

/// Returns whether a range of `range` numbers has at least [`MIN_ALTERNATIVES`] subsets with
/// `elements` elements.
fn has_alternatives(range: u64, elements: u64) -> bool {
    let mut subsets: u128 = 1;
    for i in 0..elements.min(range - elements) {
        // The product of the first factors is a binomial coefficient, so the division is exact.
        subsets = subsets * u128::from(range - i) / u128::from(i + 1);
        if subsets >= MIN_ALTERNATIVES {
            return true;
        }
    }
    false
}

impl NumberSet {
    /// Returns whether n is an element of the set.
    ///
    /// ```
    /// use grundy_heap::pattern::NumberSet;
    /// assert!(NumberSet::Triangular.contains(10) && !NumberSet::Triangular.contains(11));
    /// assert!(NumberSet::UpperWythoff.contains(7));
    /// ```
    #[must_use]
    pub fn contains(self, n: u64) -> bool {
        let wide = u128::from(n);
        let is_square = |x: u128| x.isqrt() * x.isqrt() == x;
        match self {
            Self::Squares => is_square(wide),
            Self::Triangular => is_square(8 * wide + 1),
            // I. Gessel's criterion: n is a Fibonacci number if and only if 5 n^2 + 4 or
            // 5 n^2 - 4 is a square. For n = 0 the first of them is 4.
            Self::Fibonacci if n >> 62 == 0 => {
                let five = 5 * wide * wide;
                is_square(five + 4) || five >= 4 && is_square(five - 4)
            }
            Self::Fibonacci => false,
            Self::Powers { base } => is_power(n, base),
            Self::PowersMinusOne { base } => n.checked_add(1).is_some_and(|n| is_power(n, base)),
            Self::EvenTrailingZeros => n > 0 && n.trailing_zeros().is_multiple_of(2),
            Self::OddTrailingZeros => n > 0 && !n.trailing_zeros().is_multiple_of(2),
            Self::LowerWythoff => is_lower_wythoff(n),
            // The two sets divide the positive numbers among them (Beatty's theorem).
            Self::UpperWythoff => n > 0 && n >> 62 == 0 && !is_lower_wythoff(n),
        }
    }
}

fn is_power(n: u64, base: u64) -> bool {
    let mut powers = std::iter::successors(Some(1u64), |x| x.checked_mul(base));
    powers.find(|&power| power >= n) == Some(n)
}

fn is_lower_wythoff(n: u64) -> bool {
    if n == 0 || n >> 62 != 0 {
        return false;
    }
    // floor(k phi) = n means n / phi < k + 1 / phi, and n / phi = n phi - n. The rounding moves k
    // by at most one.
    let (estimate, _) = wythoff_pair(n);
    let k = estimate - n;
    (k..=k + 1).any(|k| wythoff_pair(k).0 == n)
}
