//! The search for those options of a very large heap that have given values. The options are
//! computed from the period instead of by enumeration.

use super::period::Period;
use super::rules::HeapRules;
use super::sparse::HeapMoves;

/// A list of options in arithmetic progression. The first option leaves the heaps `left`. In each
/// further option the first heap has `step` chips more, and the second heap `step` chips fewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progression {
    /// The one or two heaps that the first option leaves.
    pub left: Vec<u64>,
    /// The common difference of the first heaps.
    pub step: u64,
    /// The number of options in the list, at least 1.
    pub count: u64,
}

/// Returns all options of a heap of `n` whose values are in `wanted`. They are sorted by the number
/// of chips taken, then by the first heap left. Returns `None` if this method does not apply to the
/// rules, or if the heap is not large in relation to the period.
///
/// # Complexity
/// O(preperiod + period) for each number of chips that a move can take.
///
/// ```
/// use grundy_base::Limits;
/// use grundy_heap::progressions::progressions;
/// use grundy_heap::algebra::NormalPlay;
/// use grundy_heap::{HeapRules, Sequence};
///
/// // Any number of chips but one may be taken.
/// let rules = HeapRules::AllBut(vec![1]);
/// let mut sequence = Sequence::<NormalPlay>::new(rules.clone());
/// sequence.compute(100, &Limits::default())?;
/// let period = sequence.prove(&Limits::default())?.expect("it has one").clone();
/// let value = |n| sequence.get(n).expect("it follows from the period");
/// let found = progressions(&rules, &period, 90, &value, &[7]).unwrap();
/// assert!(found.iter().all(|options| value(options.left[0]) == 7));
/// # Ok::<(), grundy_base::Stop>(())
/// ```
pub fn progressions(
    rules: &HeapRules,
    period: &Period,
    n: u64,
    value: &dyn Fn(u64) -> u64,
    wanted: &[u64],
) -> Option<Vec<Progression>> {
    let end = period.preperiod.max(1).checked_add(period.period)?;
    match rules {
        HeapRules::TakeAndBreak(_) => {
            let moves = HeapMoves::of(rules)?;
            // Above this bound, if the first heap of a split is small, the second heap is in the
            // periodic part.
            let large = end.checked_mul(2)?.checked_add(moves.last as u64)?;
            (n > large).then(|| of_octal(&moves, period, n, value, wanted))
        }
        HeapRules::AllBut(excluded) if period.saltus > 0 && n > end => {
            Some(of_all_but(excluded, period, n, value, wanted))
        }
        _ => None,
    }
}

fn of_octal(
    moves: &HeapMoves,
    period: &Period,
    n: u64,
    value: &dyn Fn(u64) -> u64,
    wanted: &[u64],
) -> Vec<Progression> {
    let (n0, step) = (period.preperiod.max(1), period.period);
    let mut found = Vec::new();
    for take in 0..=moves.last {
        let rest = n - take as u64;
        if moves.takes.contains(&take) && wanted.contains(&value(rest)) {
            found.push(Progression {
                left: vec![rest],
                step,
                count: 1,
            });
        }
        if !moves.breaks.contains(&take) {
            continue;
        }
        for a in (1..n0 + step).filter(|&a| wanted.contains(&(value(a) ^ value(rest - a)))) {
            // From the preperiod upward, both heaps are in the periodic part. So one option of each
            // residue class represents the whole class.
            let count = if a < n0 { 1 } else { (rest / 2 - a) / step + 1 };
            found.push(Progression {
                left: vec![a, rest - a],
                step,
                count,
            });
        }
    }
    found
}

/// Returns the options of an all-but game whose values are in `wanted`. Within a residue class the
/// values increase strictly, so at most one heap of the class has a given value.
fn of_all_but(
    excluded: &[u64],
    period: &Period,
    n: u64,
    value: &dyn Fn(u64) -> u64,
    wanted: &[u64],
) -> Vec<Progression> {
    let (n0, p) = (period.preperiod, period.period);
    let mut left: Vec<u64> = (0..n0)
        .filter(|&heap| wanted.contains(&value(heap)))
        .collect();
    for residue in n0..n0 + p {
        let first = value(residue);
        let later = wanted.iter().filter(|&&value| value >= first);
        let times = later
            .map(|value| value - first)
            .filter(|more| more.is_multiple_of(period.saltus));
        left.extend(
            times.filter_map(|more| (more / period.saltus).checked_mul(p)?.checked_add(residue)),
        );
    }
    // A heap is an option only if the number of chips taken is not excluded.
    left.retain(|&heap| heap < n && excluded.binary_search(&(n - heap)).is_err());
    // The options with the fewest chips taken come first, as for other rules.
    left.sort_unstable_by(|a, b| b.cmp(a));
    left.dedup();
    left.into_iter()
        .map(|heap| Progression {
            left: vec![heap],
            step: p,
            count: 1,
        })
        .collect()
}
