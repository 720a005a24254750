//! The search for patterns in tables of values.

use grundy_base::outcome::Outcome;

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
    /// g(n + period) = g(n) + saltus for all computed n >= `preperiod`. The values contain at least
    /// three repetitions.
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
        /// The modulus.
        modulus: u64,
        /// The remainders.
        remainders: Vec<u64>,
        /// The first n to which the pattern applies.
        from: u64,
    },
    /// The P-positions are the powers of `base`, and perhaps 0.
    Powers {
        /// The base of the powers.
        base: u64,
    },
    /// The P-positions (a, b) with a <= b are the pairs of Wythoff's game.
    WythoffPairs {
        /// The number of pairs that were compared.
        pairs: u64,
    },
    /// g(a, b) is the nim-sum of a and b.
    NimSum,
}

/// Returns the patterns in the values of a family with one variable. The first value belongs to n =
/// `first`.
///
/// ```
/// use grundy_heap::pattern::{Finding, in_sequence};
/// assert_eq!(in_sequence(1, &[1, 2, 1, 4, 1, 2, 1, 8]), [Finding::Ruler]);
/// let period = Finding::Period { preperiod: 0, period: 3, saltus: 0 };
/// assert_eq!(in_sequence(0, &[0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]), [period]);
/// ```
#[must_use]
pub fn in_sequence(first: u64, values: &[u64]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let all = |f: &dyn Fn(u64) -> u64| {
        values.len() >= 8 && (first..).zip(values).all(|(n, &value)| value == f(n))
    };
    if all(&|n| n) {
        findings.push(Finding::Nim);
    }
    if all(&|n| u64::from(64 - n.leading_zeros())) {
        findings.push(Finding::BinaryDigits);
    }
    if all(&|n| if n == 0 { 0 } else { 1 << n.trailing_zeros() }) {
        findings.push(Finding::Ruler);
    }
    findings.extend(period(first, values));
    findings
}

/// Returns the least period, possibly with a saltus. The values must repeat from some index in the
/// first half to the end, over at least four periods.
fn period(first: u64, values: &[u64]) -> Option<Finding> {
    let n = values.len();
    (1..=n / 4).find_map(|p| {
        let saltus = values[n - 1].checked_sub(values[n - 1 - p])?;
        let start = (0..n - p)
            .rev()
            .find(|&i| values[i + p] != values[i] + saltus)
            .map_or(0, |i| i + 1);
        (n - start >= 4 * p && start <= n / 2).then_some(Finding::Period {
            preperiod: first + start as u64,
            period: p as u64,
            saltus,
        })
    })
}

/// Returns the patterns in the P-positions of a family with one variable. The first outcome belongs
/// to n = `first`.
///
/// ```
/// use grundy_base::Outcome;
/// use grundy_heap::pattern::{Finding, in_outcomes};
/// // A move takes one or two chips, so the multiples of 3 are P-positions.
/// let outcomes: Vec<Outcome> = (0..12).map(|n| Outcome::from_win(n % 3 != 0)).collect();
/// let residues = Finding::Residues { modulus: 3, remainders: vec![0], from: 0 };
/// assert_eq!(in_outcomes(0, &outcomes), [residues]);
/// ```
#[must_use]
pub fn in_outcomes(first: u64, outcomes: &[Outcome]) -> Vec<Finding> {
    let p: Vec<u64> = (first..)
        .zip(outcomes)
        .filter(|(_, outcome)| **outcome == Outcome::P)
        .map(|(n, _)| n)
        .collect();
    let mut findings = Vec::new();
    let bits: Vec<u64> = outcomes
        .iter()
        .map(|&outcome| u64::from(outcome == Outcome::P))
        .collect();
    if let Some(Finding::Period {
        preperiod, period, ..
    }) = period(first, &bits)
    {
        // The P-positions in one period determine the remainders.
        let mut remainders: Vec<u64> = p
            .iter()
            .filter(|&&n| n >= preperiod && n - preperiod < period)
            .map(|n| n % period)
            .collect();
        remainders.sort_unstable();
        findings.push(Finding::Residues {
            modulus: period,
            remainders,
            from: preperiod,
        });
    }
    for base in 2..=10u64 {
        let last = first + outcomes.len() as u64;
        let powers: Vec<u64> = std::iter::successors(Some(1u64), |x| x.checked_mul(base))
            .take_while(|&x| x < last)
            .filter(|&x| x >= first)
            .collect();
        let positive: Vec<u64> = p.iter().copied().filter(|&n| n > 0).collect();
        // Three powers or fewer could belong to many other sets.
        if powers.len() >= 4 && positive == powers {
            findings.push(Finding::Powers { base });
        }
    }
    findings
}

/// Returns the patterns in a table of a family with two variables a and b. Row i has the positions
/// with a = `row_first` + i, and column j those with b = `column_first` + j.
///
/// ```
/// use grundy_base::Outcome;
/// use grundy_heap::pattern::{Finding, in_table};
/// // Nim with two heaps.
/// let cell = |a: u64, b: u64| Some((Outcome::from_win(a != b), Some(a ^ b)));
/// let rows: Vec<Vec<_>> = (0..4).map(|a| (0..4).map(|b| cell(a, b)).collect()).collect();
/// assert_eq!(in_table((0, 0), &rows), [Finding::NimSum]);
/// ```
#[must_use]
pub fn in_table(
    (row_first, column_first): (u64, u64),
    rows: &[Vec<Option<(Outcome, Option<u64>)>>],
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let cells = || {
        (row_first..).zip(rows).flat_map(move |(a, row)| {
            (column_first..)
                .zip(row)
                .filter_map(move |(b, cell)| Some((a, b, (*cell)?)))
        })
    };
    let mut valued = cells()
        .filter_map(|(a, b, (_, grundy))| Some((a, b, grundy?)))
        .peekable();
    if valued.peek().is_some() && valued.all(|(a, b, grundy)| grundy == a ^ b) {
        findings.push(Finding::NimSum);
    }
    let square = rows.len().min(rows.iter().map(Vec::len).min().unwrap_or(0)) as u64;
    // A square of 8 rows and columns contains four pairs of Wythoff's game: (0, 0), (1, 2), (3, 5)
    // and (4, 7). Fewer pairs would be no evidence.
    if row_first == 0 && column_first == 0 && square >= 8 {
        let pairs: Vec<(u64, u64)> = cells()
            .filter(|&(a, b, (outcome, _))| outcome == Outcome::P && a <= b && b < square)
            .map(|(a, b, _)| (a, b))
            .collect();
        let wythoff: Vec<(u64, u64)> = (0..)
            .map(wythoff_pair)
            .take_while(|&(_, b)| b < square)
            .collect();
        if pairs == wythoff {
            findings.push(Finding::WythoffPairs {
                pairs: pairs.len() as u64,
            });
        }
    }
    findings
}

/// Returns (floor(k phi), floor(k phi^2)) for k below 2^32, where phi is the golden ratio. The
/// result is exact, because floor(k phi) = floor((k + sqrt(5 k^2)) / 2).
fn wythoff_pair(k: u64) -> (u64, u64) {
    let a = k.midpoint((5 * k * k).isqrt());
    (a, a + k)
}
