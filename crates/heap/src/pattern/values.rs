//! Patterns in the values of a family with one variable.

use super::{Finding, Floor};

/// Least number of values that a formula without parameters must explain.
const MIN_VALUES: usize = 8;

/// Least number of values that a formula with parameters must explain.
const MIN_FITTED: usize = 16;

/// Least number of distinct values of a formula that is not linear. In a short range such a formula
/// is constant, and a constant is no evidence.
const MIN_DISTINCT: usize = 4;

/// Least number of equations g(n + p) = g(n) + s that support a period p.
const MIN_EQUATIONS: usize = 8;

/// Returns the patterns in the values of a family with one variable. The first value belongs to n =
/// `first`. No fact is stated twice: a period that a formula implies is left out.
///
/// ```
/// use grundy_heap::pattern::{Finding, Floor, in_sequence};
/// assert_eq!(in_sequence(1, &[1, 2, 1, 4, 1, 2, 1, 8]), [Finding::Ruler]);
/// let period = Finding::Period { preperiod: 0, period: 3, saltus: 0 };
/// assert_eq!(in_sequence(0, &[0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]), [period]);
/// let halves: Vec<u64> = (0..20).map(|n| n / 2).collect();
/// let floor = Floor { multiplier: 1, addend: 0, divisor: 2 };
/// assert_eq!(in_sequence(0, &halves), [Finding::Floor { floor, from: 0 }]);
/// ```
#[must_use]
pub fn in_sequence(first: u64, values: &[u64]) -> Vec<Finding> {
    let all = |f: &dyn Fn(u64) -> u64| {
        let mut numbered = values.iter().zip(0..);
        values.len() >= MIN_VALUES && numbered.all(|(&value, i)| value == f(first + i))
    };
    if all(&|n| n) {
        return vec![Finding::Nim];
    }
    let mut findings = Vec::new();
    let binary_digits = all(&|n| u64::from(64 - n.leading_zeros()));
    if binary_digits {
        findings.push(Finding::BinaryDigits);
    }
    if all(&|n| if n == 0 { 0 } else { 1 << n.trailing_zeros() }) {
        findings.push(Finding::Ruler);
    }
    let log = fitted(first, values, 1, |n| u64::from(n.ilog2()));
    // The number of binary digits is the simpler form of the same statement.
    if let (false, Some((plus, from))) = (binary_digits, log) {
        findings.push(Finding::Logarithm { plus, from });
    }
    if let Some((plus, from)) = fitted(first, values, 0, u64::isqrt) {
        findings.push(Finding::SquareRoot { plus, from });
    }
    for shift in [0, 1] {
        let zeros = |n: u64| u64::from((n + shift).trailing_zeros());
        if let Some((plus, from)) = fitted(first, values, 1 - shift, zeros) {
            findings.push(Finding::TrailingZeros { shift, plus, from });
        }
    }
    if let Some(period) = period(first, values) {
        let linear = floor(first, values, &period);
        findings.push(linear.map_or(period, |(floor, from)| Finding::Floor { floor, from }));
    }
    findings
}

/// Returns the number `plus` and the first n for which g(n) = f(n) + `plus`, from this n to the
/// end of `values`. The function is defined for n >= `least`. At most a quarter of the values may
/// precede the first n.
fn fitted(first: u64, values: &[u64], least: u64, f: impl Fn(u64) -> u64) -> Option<(i64, u64)> {
    let last = first.checked_add(values.len().checked_sub(1)? as u64)?;
    if last < least || last == u64::MAX {
        return None;
    }
    let plus = i128::from(*values.last()?) - i128::from(f(last));
    let begin = usize::try_from(least.saturating_sub(first)).ok()?;
    let fits = |i: &usize| i128::from(values[*i]) == i128::from(f(first + *i as u64)) + plus;
    let start = (begin..values.len())
        .rev()
        .find(|i| !fits(i))
        .map_or(begin, |i| i + 1);
    let steady = &values[start..];
    let mut distinct: Vec<u64> = Vec::new();
    for value in steady {
        if distinct.len() < MIN_DISTINCT && !distinct.contains(value) {
            distinct.push(*value);
        }
    }
    let enough = steady.len() >= MIN_FITTED && distinct.len() == MIN_DISTINCT;
    let begins_early = start <= begin.max(values.len() / 4);
    (enough && begins_early).then_some((i64::try_from(plus).ok()?, first + start as u64))
}

/// Returns the least period, possibly with a saltus. The values must repeat from some index in the
/// first half to the end, over at least four periods and in at least eight equations.
///
/// ```
/// use grundy_heap::pattern::{Finding, period};
/// let values: Vec<u64> = (0..20).map(|n| n / 2).collect();
/// let expected = Finding::Period { preperiod: 0, period: 2, saltus: 1 };
/// assert_eq!(period(0, &values), Some(expected));
/// assert_eq!(period(0, &[7, 7, 7, 7]), None);
/// ```
#[must_use]
pub fn period(first: u64, values: &[u64]) -> Option<Finding> {
    let n = values.len();
    (1..=n / 4).find_map(|p| {
        let saltus = values[n - 1].checked_sub(values[n - 1 - p])?;
        let start = (0..n - p)
            .rev()
            .find(|&i| values[i].checked_add(saltus) != Some(values[i + p]))
            .map_or(0, |i| i + 1);
        // Each exception at the beginning must be outweighed by one more equation.
        let enough = n - start >= 4 * p && n - start - p >= MIN_EQUATIONS + start;
        (enough && start <= n / 2).then_some(Finding::Period {
            preperiod: first + start as u64,
            period: p as u64,
            saltus,
        })
    })
}

/// Returns the floor of a linear function that the values follow, and the first n from which they
/// do. `repetition` is a period of the values: if it is proved, the formula is proved, too.
/// Returns `None` if there is no such formula, or the values do not contain a whole period.
///
/// The values in one period determine the formula. Let c be the period and a the saltus. Then
/// g(n) = floor((a n + b) / c) if and only if c g(n) <= a n + b < c g(n) + c. Both sides of the
/// formula grow by a if n grows by c, so one period decides.
///
/// ```
/// use grundy_heap::pattern::{Finding, Floor, floor};
/// let values: Vec<u64> = (0..20u64).map(|n| n.saturating_sub(1) / 2).collect();
/// let period = Finding::Period { preperiod: 1, period: 2, saltus: 1 };
/// let expected = Floor { multiplier: 1, addend: -1, divisor: 2 };
/// assert_eq!(floor(0, &values, &period), Some((expected, 1)));
/// ```
#[must_use]
pub fn floor(first: u64, values: &[u64], repetition: &Finding) -> Option<(Floor, u64)> {
    let &Finding::Period {
        preperiod,
        period,
        saltus,
    } = repetition
    else {
        return None;
    };
    let beginning = preperiod.max(first);
    let start = usize::try_from(beginning - first).ok()?;
    let end = start.checked_add(usize::try_from(period).ok()?)?;
    let once = values.get(start..end)?;
    let (a, c) = (i128::from(saltus), i128::from(period));
    // The least and the greatest b that fit all values of the period.
    let (mut low, mut high) = (i128::MIN, i128::MAX);
    for (n, &value) in (beginning..).zip(once) {
        let least = c * i128::from(value) - a * i128::from(n);
        low = low.max(least);
        high = high.min(least + c - 1);
    }
    // Of several numbers that fit, the simplest is the one next to 0.
    let addend = (low <= high).then(|| 0.clamp(low, high))?;
    let floor = Floor {
        multiplier: saltus,
        addend: i64::try_from(addend).ok()?,
        divisor: period,
    };
    let differs = |i: &usize| floor.at(first + *i as u64) != i128::from(values[*i]);
    let from = (0..start).rev().find(differs).map_or(0, |i| i + 1);
    Some((floor, first + from as u64))
}
