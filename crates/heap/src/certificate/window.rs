//! Certificates of the sparse-window theorem, and a verifier that does not use the engine.
//!
//! The verifier recomputes every value below `start + period` with simple loops. It checks the
//! hypotheses of the theorem in `docs/theory.md`, "The sparse window".

use super::{CertificateError, prime_divisors};
use crate::{Code, HeapRules};
use grundy_base::limits::Limits;

/// A claim about a period: g(n + period) = g(n) for all n >= preperiod. It also claims that
/// preperiod and period are the least possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowCertificate {
    /// The rules of the game, which must be an octal code.
    pub rules: HeapRules,
    /// The least heap from which the values are periodic.
    pub preperiod: u64,
    /// The least period.
    pub period: u64,
    /// The mask that separates common from rare heaps. Unless `position` is `true`, a heap is
    /// common if its value has an odd number of 1 bits in the mask.
    pub mask: u64,
    /// `true` if the parity of the heap size, together with the mask, decides whether a heap is
    /// common.
    pub position: bool,
    /// All rare heaps, that is, heaps that are not common by `mask` and `position`. Heap 0 is left
    /// out, and the order is ascending.
    pub rares: Vec<u64>,
    /// A bound on the smaller heap in the breaks (moves that leave two heaps) that the proof needs.
    /// For each heap from `start` upward, three kinds of moves reach all rare values below the
    /// value of the heap. They are moves that leave at most one heap, breaks with a rare heap, and
    /// breaks with a heap of at most `reach` chips.
    pub reach: u64,
    /// The first heap after the window of values that the proof compares. The same window of values
    /// occurs again one period later.
    pub start: u64,
}

/// Largest number of values that the verifier computes.
const MAX_VALUES: u64 = 1 << 32;

/// Checks a certificate of the sparse-window theorem. Returns the number of values computed.
///
/// # Complexity
/// For each value, the verifier tries all breaks (moves that leave two heaps) with a rare heap. It
/// tries further breaks until all smaller rare values are reached. It stores two bytes for each
/// value.
///
/// # Errors
/// The reason why the certificate is rejected, or the limit that prevented the check.
///
/// # Examples
/// ```
/// use grundy_base::Limits;
/// use grundy_heap::certificate::{WindowCertificate, verify_window};
/// use grundy_heap::{Code, HeapRules};
/// // Kayles has nine rare heaps. Their values have an even number of 1 bits.
/// let kayles = WindowCertificate {
///     rules: HeapRules::TakeAndBreak(Code::parse("0.77").unwrap()),
///     preperiod: 71,
///     period: 12,
///     mask: 15,
///     position: false,
///     rares: vec![3, 6, 11, 18, 22, 28, 34, 39, 70],
///     reach: 70,
///     start: 150,
/// };
/// assert_eq!(verify_window(&kayles, &Limits::default()), Ok(162));
/// ```
pub fn verify_window(
    certificate: &WindowCertificate,
    limits: &Limits<'_>,
) -> Result<u64, CertificateError> {
    let WindowCertificate {
        rules,
        preperiod,
        period,
        rares,
        reach,
        start,
        ..
    } = certificate;
    let HeapRules::TakeAndBreak(code) = rules else {
        return Err(CertificateError::WrongTheorem);
    };
    let k = code
        .last()
        .filter(|_| code.most_heaps() == 2)
        .ok_or(CertificateError::WrongTheorem)?;
    let end = start.saturating_add(*period);
    // A break never leaves heap 0, so the theorem considers rare heaps from 1 upward. The condition
    // on `start` is n1 > W + r, so that the window contains no rare heap.
    let ascending = rares.is_sorted_by(|a, b| a < b) && rares.first() != Some(&0);
    let last_rare = rares.last().copied().unwrap_or(0);
    let width = last_rare.max(*reach).saturating_add(k);
    if *period == 0 || !ascending || preperiod > start || *start <= width.saturating_add(last_rare)
    {
        return Err(CertificateError::Size);
    }
    if end > MAX_VALUES {
        return Err(CertificateError::TooLong);
    }
    limits.check(1, 2 * end)?;
    let game = WindowGame::new(code, k, certificate)?;
    let values = game.values(end, certificate, limits)?;
    let at = |n: u64| values[n as usize];
    if let Some(back) = (1..=width).find(|back| at(start - back) != at(end - back)) {
        return Err(CertificateError::NoRepetition { heap: start - back });
    }
    if let Some(heap) = (*preperiod..*start).find(|&n| at(n) != at(n + period)) {
        return Err(CertificateError::NoRepetition { heap });
    }
    if *preperiod > 0 && at(preperiod - 1) == at(preperiod - 1 + period) {
        return Err(CertificateError::PreperiodNotLeast);
    }
    // The least period divides this period. If it is smaller, then this period divided by some
    // prime is also a period.
    let cycle = &values[*preperiod as usize..(preperiod + period) as usize];
    for prime in prime_divisors(*period) {
        let smaller = (period / prime) as usize;
        if (0..cycle.len()).all(|i| cycle[i] == cycle[(i + smaller) % cycle.len()]) {
            return Err(CertificateError::PeriodNotLeast {
                smaller: smaller as u64,
            });
        }
    }
    Ok(end)
}

struct WindowGame {
    takes: Vec<u64>,
    wholes: Vec<u64>,
    breaks: Vec<u64>,
    mask: u64,
    /// The parity (`n % 2`) of the heaps that are common if their value has an odd number of 1 bits
    /// in the mask. For heaps of the other parity, this rule is reversed. `None` if the parity of a
    /// heap does not count.
    even: Option<u64>,
}

impl WindowGame {
    fn new(code: &Code, k: u64, certificate: &WindowCertificate) -> Result<Self, CertificateError> {
        let with = |bit: u64| {
            (0..=k)
                .filter(|&take| code.digit(take) & bit != 0)
                .collect::<Vec<_>>()
        };
        let breaks = with(4);
        let parity = breaks[0] % 2;
        let fits = !certificate.position
            || certificate.period.is_multiple_of(2) && breaks.iter().all(|take| take % 2 == parity);
        fits.then_some(Self {
            takes: with(2),
            wholes: with(1),
            breaks,
            mask: certificate.mask,
            even: certificate.position.then_some(parity),
        })
        .ok_or(CertificateError::WrongTheorem)
    }

    fn is_rare(&self, n: u64, value: u64) -> bool {
        let odd = (value & self.mask).count_ones() % 2 == 1;
        odd == self.even.is_some_and(|parity| n % 2 != parity)
    }

    /// Returns the values of all heaps below `end`. Fails if a rare heap is missing from the list
    /// in the certificate, or if a listed heap is not rare. Also fails if a rare value that the
    /// theorem needs is not reached by the moves that [`WindowCertificate::reach`] allows.
    fn values(
        &self,
        end: u64,
        certificate: &WindowCertificate,
        limits: &Limits<'_>,
    ) -> Result<Vec<u16>, CertificateError> {
        let mut values: Vec<u16> = Vec::new();
        // An entry is the last heap from which the value was reached. So the table is never
        // cleared.
        let mut seen = vec![u64::MAX; 1 << 16];
        let mut rares = certificate.rares.iter().copied().peekable();
        let mut known: Vec<u64> = Vec::new();
        for n in 0..end {
            if n.is_multiple_of(256) {
                limits.poll()?;
            }
            let value = self.value(n, &values, &known, &mut seen, certificate)?;
            // Heap 0 has value 0 and may count as rare, but no split leaves heap 0.
            if n > 0 && self.is_rare(n, value) != (rares.peek() == Some(&n)) {
                return Err(CertificateError::Rare { heap: n });
            }
            if rares.next_if_eq(&n).is_some() {
                known.push(n);
            }
            values.push(u16::try_from(value).map_err(|_| CertificateError::Size)?);
        }
        Ok(values)
    }

    fn value(
        &self,
        n: u64,
        values: &[u16],
        rares: &[u64],
        seen: &mut [u64],
        certificate: &WindowCertificate,
    ) -> Result<u64, CertificateError> {
        let at = |heap: u64| usize::from(values[heap as usize]);
        for _ in self.wholes.iter().filter(|&&take| take == n) {
            seen[0] = n;
        }
        for take in self.takes.iter().filter(|&&take| take < n) {
            seen[at(n - take)] = n;
        }
        let rests = || {
            self.breaks
                .iter()
                .filter(|&&take| take < n)
                .map(|take| n - take)
        };
        for rest in rests() {
            // Only a break that leaves exactly one rare heap reaches a common value. So these
            // breaks determine the least missing common value.
            for &rare in rares.iter().take_while(|&&rare| rare < rest) {
                seen[at(rare) ^ at(rest - rare)] = n;
            }
        }
        let least = (0..seen.len() as u64).find(|&v| !self.is_rare(n, v) && seen[v as usize] != n);
        let least = least.ok_or(CertificateError::Size)?;
        let unseen =
            |seen: &[u64]| (0..least).find(|&v| self.is_rare(n, v) && seen[v as usize] != n);
        let mut missing = unseen(seen);
        // Hypothesis (b) limits only the breaks of heaps from `start` upward. For smaller heaps,
        // all breaks may be used.
        let most = if n >= certificate.start {
            certificate.reach
        } else {
            n
        };
        let mut a = 1;
        while missing.is_some() && a <= most && rests().any(|rest| a <= rest / 2) {
            for rest in rests().filter(|&rest| a <= rest / 2) {
                seen[at(a) ^ at(rest - a)] = n;
            }
            if missing.is_some_and(|value| seen[value as usize] == n) {
                missing = unseen(seen);
            }
            a += 1;
        }
        if let Some(value) = missing
            && n >= certificate.start
        {
            return Err(CertificateError::OutOfReach { heap: n, value });
        }
        Ok(missing.unwrap_or(least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::NormalPlay;
    use crate::{PeriodTheorem, Sequence};
    use grundy_base::Limits;

    #[test]
    fn good_certificates_pass_and_forged_ones_do_not() {
        let rules = HeapRules::TakeAndBreak(Code::parse("0.16").unwrap());
        let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
        while sequence.period().is_none() {
            sequence.try_to_prove(&Limits::default()).unwrap();
        }
        let period = sequence.period().unwrap();
        let PeriodTheorem::SparseWindow {
            classes,
            rares,
            reach,
            start,
        } = &period.theorem
        else {
            panic!("{:?}", period.theorem);
        };
        let good = WindowCertificate {
            rules,
            preperiod: period.preperiod,
            period: period.period,
            mask: classes.mask,
            position: classes.position,
            rares: rares.iter().map(|&rare| rare as u64).collect(),
            reach: *reach,
            start: *start,
        };
        assert_eq!((good.preperiod, good.period), (105_351, 149_459));
        let limits = Limits::none();
        assert_eq!(verify_window(&good, &limits), Ok(start + period.period));
        let forge = |change: &dyn Fn(&mut WindowCertificate)| {
            let mut forged = good.clone();
            change(&mut forged);
            verify_window(&forged, &limits).unwrap_err()
        };
        assert!(matches!(
            forge(&|c| c.period -= 1),
            CertificateError::NoRepetition { .. }
        ));
        assert!(matches!(
            forge(&|c| c.period *= 2),
            CertificateError::PeriodNotLeast { .. }
        ));
        assert_eq!(
            forge(&|c| c.preperiod += 1),
            CertificateError::PreperiodNotLeast
        );
        assert_eq!(
            forge(&|c| c.preperiod -= 1),
            CertificateError::NoRepetition { heap: 105_350 }
        );
        assert!(matches!(
            forge(&|c| c.mask ^= 1),
            CertificateError::Rare { .. }
        ));
        assert!(matches!(
            forge(&|c| c.rares.truncate(c.rares.len() - 1)),
            CertificateError::Rare { .. } | CertificateError::Size
        ));
        assert!(matches!(
            forge(&|c| c.reach = 1),
            CertificateError::OutOfReach { .. }
        ));
        assert_eq!(forge(&|c| c.start = 100), CertificateError::Size);
        assert_eq!(
            forge(&|c| c.preperiod = c.start + 1),
            CertificateError::Size
        );
        assert_eq!(forge(&|c| c.rares.push(u64::MAX)), CertificateError::Size);
        assert_eq!(forge(&|c| c.period = u64::MAX), CertificateError::TooLong);
        // If a certificate could list heap 0, a break would act as a take. Then a claim about 0.16
        // would be accepted for 0.14.
        for other in ["0.14", "4.16"] {
            let change = |c: &mut WindowCertificate| {
                c.rules = HeapRules::TakeAndBreak(Code::parse(other).unwrap());
                c.rares.insert(0, 0);
            };
            assert_eq!(forge(&change), CertificateError::Size);
        }
        let stop = Limits {
            interrupted: &|| Some(grundy_base::Stop::Interrupted),
            ..Limits::none()
        };
        assert!(matches!(
            verify_window(&good, &stop),
            Err(CertificateError::Stopped(_))
        ));
    }
}
