//! Certificates of the sparse-window theorem, and a verifier that shares no code with the engine.
//!
//! The verifier recomputes every value below `start + period` in its own simple way and checks the
//! conditions of the theorem as they stand in `docs/theory.md`, "The sparse window".

use super::{Forged, prime_divisors};
use crate::{Code, HeapRules};
use grundy_base::limits::Limits;

/// What a certificate claims: g(n + period) = g(n) for all n >= preperiod, and no less will do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowCertificate {
    /// The rules of the heap: an octal code.
    pub rules: HeapRules,
    /// The least heap from which the period holds.
    pub preperiod: u64,
    /// The least period.
    pub period: u64,
    /// The bits of a value whose parity tells common from rare.
    pub mask: u64,
    /// `true` if the parity of the heap counts, too.
    pub position: bool,
    /// All rare heaps from 1 on, ascending.
    pub rares: Vec<u64>,
    /// Rare values are reached by takes, or by breaks with a heap of at most this.
    pub reach: u64,
    /// The window before this heap repeats.
    pub start: u64,
}

/// Most values the verifier computes.
const LARGEST: u64 = 1 << 32;

/// Checks a certificate; returns the number of values computed.
///
/// # Complexity
/// For each value the rare heaps, and breaks until every smaller rare value is found; two bytes a
/// value.
///
/// # Errors
/// What is wrong with it, or what kept it from being checked.
pub fn verify_window(certificate: &WindowCertificate, limits: &Limits<'_>) -> Result<u64, Forged> {
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
        return Err(Forged::WrongTheorem);
    };
    let k = code
        .last()
        .filter(|_| code.most_heaps() == 2)
        .ok_or(Forged::WrongTheorem)?;
    let end = start.saturating_add(*period);
    // The theorem speaks of rare heaps from 1 on, and of a repetition that has begun before the
    // window ends.
    let ascending = rares.is_sorted_by(|a, b| a < b) && rares.first() != Some(&0);
    let last_rare = rares.last().copied().unwrap_or(0);
    let width = last_rare.max(*reach).saturating_add(k);
    if *period == 0 || !ascending || preperiod > start || *start <= width.saturating_add(last_rare)
    {
        return Err(Forged::Size);
    }
    if end > LARGEST {
        return Err(Forged::TooLong);
    }
    limits.check(1, 2 * end)?;
    let game = WindowGame::new(code, k, certificate)?;
    let values = game.values(end, certificate, limits)?;
    let at = |n: u64| values[n as usize];
    if let Some(back) = (1..=width).find(|back| at(start - back) != at(end - back)) {
        return Err(Forged::NoRepetition { heap: start - back });
    }
    if let Some(heap) = (*preperiod..*start).find(|&n| at(n) != at(n + period)) {
        return Err(Forged::NoRepetition { heap });
    }
    if *preperiod > 0 && at(preperiod - 1) == at(preperiod - 1 + period) {
        return Err(Forged::PreperiodNotLeast);
    }
    // A smaller period would divide this one, and so would one that is this one by a prime.
    let cycle = &values[*preperiod as usize..(preperiod + period) as usize];
    for prime in prime_divisors(*period) {
        let smaller = (period / prime) as usize;
        if (0..cycle.len()).all(|i| cycle[i] == cycle[(i + smaller) % cycle.len()]) {
            return Err(Forged::PeriodNotLeast {
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
    /// The parity of n for which the parity of the value alone decides; none when positions do not
    /// count.
    even: Option<u64>,
}

impl WindowGame {
    fn new(code: &Code, k: u64, certificate: &WindowCertificate) -> Result<Self, Forged> {
        let with = |bit: u8| {
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
        .ok_or(Forged::WrongTheorem)
    }

    fn is_rare(&self, n: u64, value: u64) -> bool {
        let odd = (value & self.mask).count_ones() % 2 == 1;
        odd == self.even.is_some_and(|parity| n % 2 != parity)
    }

    /// Returns all values below `end`; refuses rare heaps that are not listed, and rare values that
    /// are out of reach.
    fn values(
        &self,
        end: u64,
        certificate: &WindowCertificate,
        limits: &Limits<'_>,
    ) -> Result<Vec<u16>, Forged> {
        let mut values: Vec<u16> = Vec::new();
        let mut seen = vec![u64::MAX; 1 << 16];
        let mut rares = certificate.rares.iter().copied().peekable();
        let mut known: Vec<u64> = Vec::new();
        for n in 0..end {
            if n.is_multiple_of(256) {
                limits.poll()?;
            }
            let value = self.value(n, &values, &known, &mut seen, certificate)?;
            if n > 0 && self.is_rare(n, value) != (rares.peek() == Some(&n)) {
                return Err(Forged::Rare { heap: n });
            }
            if rares.next_if_eq(&n).is_some() {
                known.push(n);
            }
            values.push(u16::try_from(value).map_err(|_| Forged::Size)?);
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
    ) -> Result<u64, Forged> {
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
            for &rare in rares.iter().take_while(|&&rare| rare < rest) {
                seen[at(rare) ^ at(rest - rare)] = n;
            }
        }
        let least = (0..seen.len() as u64).find(|&v| !self.is_rare(n, v) && seen[v as usize] != n);
        let least = least.ok_or(Forged::Size)?;
        let unseen =
            |seen: &[u64]| (0..least).find(|&v| self.is_rare(n, v) && seen[v as usize] != n);
        let mut missing = unseen(seen);
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
            return Err(Forged::OutOfReach { heap: n, value });
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
            Forged::NoRepetition { .. }
        ));
        assert!(matches!(
            forge(&|c| c.period *= 2),
            Forged::PeriodNotLeast { .. }
        ));
        assert_eq!(forge(&|c| c.preperiod += 1), Forged::PreperiodNotLeast);
        assert_eq!(
            forge(&|c| c.preperiod -= 1),
            Forged::NoRepetition { heap: 105_350 }
        );
        assert!(matches!(forge(&|c| c.mask ^= 1), Forged::Rare { .. }));
        assert!(matches!(
            forge(&|c| c.rares.truncate(c.rares.len() - 1)),
            Forged::Rare { .. } | Forged::Size
        ));
        assert!(matches!(forge(&|c| c.reach = 1), Forged::OutOfReach { .. }));
        assert_eq!(forge(&|c| c.start = 100), Forged::Size);
        assert_eq!(forge(&|c| c.preperiod = c.start + 1), Forged::Size);
        assert_eq!(forge(&|c| c.rares.push(u64::MAX)), Forged::Size);
        assert_eq!(forge(&|c| c.period = u64::MAX), Forged::TooLong);
        // A rare heap 0 would let a break be a take: 0.14 would pass for 0.16.
        for other in ["0.14", "4.16"] {
            let change = |c: &mut WindowCertificate| {
                c.rules = HeapRules::TakeAndBreak(Code::parse(other).unwrap());
                c.rares.insert(0, 0);
            };
            assert_eq!(forge(&change), Forged::Size);
        }
        let stop = Limits {
            interrupted: &|| Some(grundy_base::Stop::Interrupted),
            ..Limits::none()
        };
        assert!(matches!(
            verify_window(&good, &stop),
            Err(Forged::Stopped(_))
        ));
    }
}
