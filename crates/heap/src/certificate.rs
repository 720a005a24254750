//! Certificates of periods, and a verifier that does not use the engine.
//!
//! The verifier lists options with [`HeapRules::options`] and uses no other code of the crate. It
//! computes the values by the definition, for as many heaps as the theorem demands. Then it checks
//! the hypothesis of the theorem on these values.

mod window;

pub use window::{WindowCertificate, verify_window};

use std::fmt;
use std::ops::ControlFlow;

use crate::HeapRules;
use grundy_base::limits::{Limits, Stop, stopped_early};
use grundy_base::{Message, message};

/// A claim about a period: g(n + period) = g(n) + saltus for all n >= preperiod. It also claims
/// that preperiod and period are the least possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeriodCertificate {
    /// The rules of the game.
    pub rules: HeapRules,
    /// The least heap from which the values are periodic.
    pub preperiod: u64,
    /// The least period.
    pub period: u64,
    /// The saltus: the amount that each period adds to the values.
    pub saltus: u64,
    /// The code of the theorem that proves the period: `guy_smith`, `splitting`, `window` or
    /// `all_but`.
    pub theorem: String,
    /// The values of the heaps 0, 1, ..., preperiod + period - 1.
    pub values: Vec<u64>,
}

/// The extent of a successful check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The number of heaps whose values were computed.
    pub computed: u64,
    /// The end of the range of heaps for which the repetition was checked. The range starts at the
    /// preperiod and does not include its end.
    pub repeated_to: u64,
}

/// The reason why a certificate is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CertificateError {
    /// A number in the certificate is 0, or it is too large or too small in relation to another
    /// number.
    Size,
    /// The theorem needs more values than the verifier can compute. The certificate may be correct.
    TooLong,
    /// A limit of the caller was reached. The certificate may be correct.
    Stopped(Stop),
    /// The certificate names an unknown theorem, or a theorem that does not apply to the rules.
    WrongTheorem,
    /// The list of values is too short or too long.
    Length,
    /// A value is wrong.
    Value {
        /// The heap whose value is wrong.
        heap: u64,
        /// The value that the certificate claims.
        claimed: u64,
        /// The value that the definition gives.
        found: u64,
    },
    /// The theorem needs a repetition at some heap, but the values do not repeat there.
    NoRepetition {
        /// The heap n at which g(n + period) differs from g(n) + saltus.
        heap: u64,
    },
    /// In an all-but game, the state at the end of the checked heaps differs from the state one
    /// period later. The state consists of the data on which all later values depend.
    NoState,
    /// The values are periodic from an earlier heap than the claimed preperiod.
    PreperiodNotLeast,
    /// The list of rare heaps is wrong: a rare heap is missing, or a listed heap is not rare. Rare
    /// heaps are those that are not common by the rule of the [`WindowCertificate`].
    Rare {
        /// The heap that is missing from the list of rare heaps, or is listed although it is not
        /// rare.
        heap: u64,
    },
    /// The proof needs a move to a certain rare value, but no move within the claimed bound reaches
    /// this value. The bound is [`WindowCertificate::reach`], and a value is rare if it would make
    /// the heap rare.
    OutOfReach {
        /// The heap from which the moves start.
        heap: u64,
        /// The rare value that no move from this heap within the claimed bound reaches.
        value: u64,
    },
    /// A smaller number is also a period.
    PeriodNotLeast {
        /// The smaller period.
        smaller: u64,
    },
}

impl CertificateError {
    /// Returns the message that explains the reason to the user.
    ///
    /// ```
    /// use grundy_heap::certificate::CertificateError;
    /// let error = CertificateError::PeriodNotLeast { smaller: 12 };
    /// assert_eq!(error.message(), "the period is not the least: 12 is also a period");
    /// ```
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Size => message!("a number in the certificate is out of range"),
            Self::TooLong => {
                message!(
                    "verifying the certificate requires more values than the verifier can compute"
                )
            }
            Self::Stopped(stop) => stop.message(),
            Self::WrongTheorem => message!(
                "the theorem named in the certificate is unknown or does not apply to the rules of the game"
            ),
            Self::Length => {
                message!("the list of values does not have preperiod + period entries")
            }
            Self::Value {
                heap,
                claimed,
                found,
            } => {
                message!(
                    "the value of heap {heap} is {found}, not {claimed}",
                    heap,
                    found,
                    claimed
                )
            }
            Self::NoRepetition { heap } => {
                message!(
                    "the value of heap {heap} plus the saltus is not the value one period later",
                    heap
                )
            }
            Self::Rare { heap } => message!(
                "heap {heap} is missing from the list of rare heaps, or is listed although it is not rare",
                heap
            ),
            Self::OutOfReach { heap, value } => {
                message!(
                    "the moves from heap {heap} that `reach` in the certificate allows do not lead to the rare value {value}",
                    value,
                    heap
                )
            }
            Self::NoState => message!(
                "the data on which all later values depend are not the same one period later"
            ),
            Self::PreperiodNotLeast => {
                message!("the preperiod is not the least: the period begins at an earlier heap")
            }
            Self::PeriodNotLeast { smaller } => {
                message!(
                    "the period is not the least: {smaller} is also a period",
                    smaller
                )
            }
        }
    }
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for CertificateError {}

impl From<Stop> for CertificateError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// Largest number of values that the verifier computes.
const MAX_VALUES: u64 = 1 << 26;
/// Number of options computed between two polls of the limits.
const POLL_INTERVAL: u64 = 1 << 20;

/// Checks a certificate by computing the values from the definition.
///
/// # Complexity
/// The cost is that of the definition, for as many values as the theorem demands. It is O(n^s) for
/// n values of a game with moves that leave s heaps.
///
/// # Errors
/// The reason why the certificate is rejected, or the limit that prevented the check.
///
/// # Examples
/// ```
/// use grundy_base::Limits;
/// use grundy_heap::certificate::{CertificateError, PeriodCertificate, verify_period};
/// use grundy_heap::{HeapRules, TakeSet};
/// let rules = HeapRules::Subtraction(TakeSet::Finite(vec![1, 2]));
/// let (theorem, values) = ("window".to_owned(), vec![0, 1, 2]);
/// let mut good = PeriodCertificate { rules, preperiod: 0, period: 3, saltus: 0, theorem, values };
/// assert_eq!(verify_period(&good, &Limits::default())?.computed, 5);
/// good.values[2] = 3;
/// let error = CertificateError::Value { heap: 2, claimed: 3, found: 2 };
/// assert_eq!(verify_period(&good, &Limits::default()), Err(error));
/// # Ok::<(), CertificateError>(())
/// ```
pub fn verify_period(
    certificate: &PeriodCertificate,
    limits: &Limits<'_>,
) -> Result<Checked, CertificateError> {
    let PeriodCertificate {
        rules,
        preperiod,
        period,
        saltus,
        theorem,
        values,
    } = certificate;
    let (n0, p) = (*preperiod, *period);
    if p == 0 {
        return Err(CertificateError::Size);
    }
    if n0.checked_add(p) != Some(values.len() as u64) {
        return Err(CertificateError::Length);
    }
    // With these bounds, the products and sums below cannot overflow.
    if n0 > MAX_VALUES || p > MAX_VALUES || *saltus > MAX_VALUES {
        return Err(CertificateError::TooLong);
    }
    // The repetition must be checked for all n with n0 <= n < end.
    let (end, window) = match (theorem.as_str(), rules) {
        ("guy_smith" | "splitting", HeapRules::TakeAndBreak(code)) => {
            let k = code.last().ok_or(CertificateError::WrongTheorem)?;
            let s = code.most_heaps();
            if *saltus != 0 || (theorem == "guy_smith") != (s == 2) {
                return Err(CertificateError::WrongTheorem);
            }
            (s * n0.max(1) + (s - 1) * p + k, 0)
        }
        ("window", HeapRules::Subtraction(set)) if *saltus == 0 => (
            n0.saturating_add(set.largest().ok_or(CertificateError::WrongTheorem)?),
            0,
        ),
        ("all_but", HeapRules::AllBut(excluded)) => {
            let u = excluded.last().copied().unwrap_or(0);
            (u.saturating_mul(2).saturating_add(n0 + p), u)
        }
        _ => return Err(CertificateError::WrongTheorem),
    };
    let count = end.saturating_add(p);
    if count > MAX_VALUES {
        return Err(CertificateError::TooLong);
    }
    limits.check(1, 16 * count)?;
    let found = by_definition(rules, count, values, limits)?;
    let repeats =
        |n: u64, p: u64, saltus: u64| found[(n + p) as usize] == found[n as usize] + saltus;
    if let Some(heap) = (n0..end).find(|&n| !repeats(n, p, *saltus)) {
        return Err(CertificateError::NoRepetition { heap });
    }
    if theorem == "all_but" && !same_state(&found, end, p, window, *saltus) {
        return Err(CertificateError::NoState);
    }
    if n0 > 0 && repeats(n0 - 1, p, *saltus) {
        return Err(CertificateError::PreperiodNotLeast);
    }
    // The gcd of two periods is a period, so p is a multiple of the least period. If the least
    // period is smaller than p, then p divided by some prime is also a period. Its saltus is the
    // saltus of p divided by the same prime.
    let cycle = &found[n0 as usize..(n0 + p) as usize];
    let is_period = |&(smaller, step): &(u64, u64)| {
        (0..cycle.len()).all(|i| {
            let ahead = i + smaller as usize;
            let round = if ahead < cycle.len() { 0 } else { *saltus };
            cycle[ahead % cycle.len()] + round == cycle[i] + step
        })
    };
    let smaller_periods = prime_divisors(p)
        .into_iter()
        .filter(|prime| saltus.is_multiple_of(*prime))
        .map(|prime| (p / prime, saltus / prime));
    match smaller_periods
        .into_iter()
        .find(is_period)
        .map(|(smaller, _)| smaller)
    {
        Some(smaller) => Err(CertificateError::PeriodNotLeast { smaller }),
        None => Ok(Checked {
            computed: end + p,
            repeated_to: end,
        }),
    }
}

/// Returns the values of the heaps below `count` by the definition: the mex of the nim-sums of the
/// options. Fails at the first value that differs from `claims`.
fn by_definition(
    rules: &HeapRules,
    count: u64,
    claims: &[u64],
    limits: &Limits<'_>,
) -> Result<Vec<u64>, CertificateError> {
    let mut values: Vec<u64> = Vec::new();
    let mut seen: Vec<u64> = Vec::new();
    let mut options = 0u64;
    for n in 0..count {
        limits.poll()?;
        stopped_early(rules.options(n, &mut |heaps| {
            options += 1;
            if options.is_multiple_of(POLL_INTERVAL)
                && let Err(stop) = limits.poll()
            {
                return ControlFlow::Break(stop.into());
            }
            let value = heaps
                .iter()
                .fold(0, |sum, &heap| sum ^ values[heap as usize]) as usize;
            if seen.len() <= value {
                seen.resize(value + 1, 0);
            }
            seen[value] = n + 1;
            ControlFlow::Continue(())
        }))?;
        let missing = seen
            .iter()
            .position(|&stamp| stamp != n + 1)
            .unwrap_or(seen.len());
        let found = missing as u64;
        if let Some(&claimed) = claims.get(n as usize)
            && claimed != found
        {
            return Err(CertificateError::Value {
                heap: n,
                claimed,
                found,
            });
        }
        values.push(found);
    }
    Ok(values)
}

fn prime_divisors(mut n: u64) -> Vec<u64> {
    let mut primes = Vec::new();
    let mut d = 2;
    while d * d <= n {
        if n.is_multiple_of(d) {
            primes.push(d);
            while n.is_multiple_of(d) {
                n /= d;
            }
        }
        d += 1;
    }
    if n > 1 {
        primes.push(n);
    }
    primes
}

/// Returns whether an all-but game has the same state before heap `end + p` as before heap `end`.
/// The state before a heap contains the `window` values that precede the heap, each minus m. Here m
/// is the least number that exceeds all values before the heap. The state also says which of these
/// values already occur before these `window` heaps.
fn same_state(values: &[u64], end: u64, p: u64, window: u64, saltus: u64) -> bool {
    let used = |end: u64| {
        values[..end as usize]
            .iter()
            .max()
            .map_or(0, |most| most + 1)
    };
    // The index `first[value]` is the first heap with this value.
    let mut first: Vec<u64> = Vec::new();
    for (n, &value) in (0..).zip(values) {
        let value = value as usize;
        if first.len() <= value {
            first.resize(value + 1, u64::MAX);
        }
        first[value] = first[value].min(n);
    }
    let old = |end: u64, back: u64| {
        let value = values[(end - back) as usize];
        first[value as usize] < end - window
    };
    used(end + p) == used(end) + saltus
        && (1..=window).all(|back| {
            values[(end + p - back) as usize] == values[(end - back) as usize] + saltus
                && old(end + p, back) == old(end, back)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::NormalPlay;
    use crate::{Code, Sequence, TakeSet};
    use grundy_base::Limits;

    fn certificate(rules: HeapRules) -> PeriodCertificate {
        let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
        while sequence.period().is_none() {
            sequence.try_to_prove(&Limits::default()).unwrap();
        }
        let period = sequence.period().unwrap().clone();
        PeriodCertificate {
            rules,
            preperiod: period.preperiod,
            period: period.period,
            saltus: period.saltus,
            theorem: period.theorem.code().to_owned(),
            values: sequence
                .values()
                .iter()
                .take((period.preperiod + period.period) as usize)
                .collect(),
        }
    }

    #[test]
    fn good_certificates_pass_and_forged_ones_do_not() {
        let code = |text| HeapRules::TakeAndBreak(Code::parse(text).unwrap());
        // The games cover all theorems, with and without preperiod and saltus.
        let games = [
            code("0.77"),
            code("0.137"),
            code("0.3333"),
            code("0.22"),
            code("0.123"),
            code("0.0202"),
            HeapRules::Subtraction(TakeSet::Finite(vec![2])),
            HeapRules::Subtraction(TakeSet::Finite(vec![8, 13, 16])),
            HeapRules::Subtraction(TakeSet::Finite(vec![17, 19])),
            HeapRules::AllBut(vec![30]),
            HeapRules::Subtraction(TakeSet::Finite(vec![1, 3, 4])),
            HeapRules::Subtraction(TakeSet::Finite(vec![2, 5, 11])),
            HeapRules::AllBut(vec![]),
            HeapRules::AllBut(vec![2]),
            HeapRules::AllBut(vec![1, 2, 5]),
        ];
        for rules in games {
            let good = certificate(rules);
            assert!(
                verify_period(&good, &Limits::none()).is_ok(),
                "{good:?} {:?}",
                verify_period(&good, &Limits::none())
            );
            let forge = |change: &dyn Fn(&mut PeriodCertificate)| {
                let mut forged = good.clone();
                change(&mut forged);
                verify_period(&forged, &Limits::none())
            };
            assert!(forge(&|c| c.values[0] += 1).is_err());
            assert!(forge(&|c| c.period += 1).is_err());
            // A multiple of the period is consistent with all values. Only the test for the least
            // period can reject it.
            assert!(forge(&|c| c.saltus += 1).is_err());
            assert!(forge(&|c| c.theorem = "folklore".to_owned()).is_err());
            assert!(
                forge(&|c| {
                    let n = (c.preperiod + c.period) as usize;
                    let again: Vec<u64> = c.values[n - c.period as usize..]
                        .iter()
                        .map(|v| v + c.saltus)
                        .collect();
                    c.values.extend(again);
                    c.period *= 2;
                    c.saltus *= 2;
                })
                .is_err()
            );
        }
    }
}
