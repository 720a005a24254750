//! The check of Sprague-Grundy values, and of the values of Smith, Fraenkel and Perl. The value of
//! each entry is compared with the values of its options. Then an order as required by condition
//! (2) of [`super`] is constructed for the entries of each finite value.

use grundy_base::{Limits, message};

use super::claims::{Claims, Value};
use super::edges::Edges;
use super::{VerifyError, WrongEntry};

/// Checks conditions (1) and (3) of [`super`] on the value of an entry. By (1), a finite value is
/// the mex of the finite values of its options.
pub(super) fn check(entry: u64, options: &[u64], claims: &Claims) -> Result<(), WrongEntry> {
    let claimed = claims.value(entry);
    // The most frequent case: all values are small numbers, and none is infinite.
    if small_mex(options, claims).is_some_and(|mex| claimed == Value::Finite(mex)) {
        return Ok(());
    }
    let (mut numbers, mut infinite) = (Vec::with_capacity(options.len()), Vec::new());
    for &option in options {
        match claims.value(option) {
            Value::Finite(value) => numbers.push(value),
            Value::Infinite(set) => infinite.push(set),
            Value::None => return Err(no_value(option)),
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    let mex = least_missing(&numbers);
    let agrees = match claimed {
        Value::None => return Err(no_value(entry)),
        // Options whose value is infinite or larger must revert, which is condition (2). It is
        // checked by `check_order`.
        Value::Finite(value) => value == mex,
        Value::Infinite(set) => {
            // Both lists are sorted, so sets are equal if and only if the slices are.
            set == numbers.as_slice()
                && infinite
                    .iter()
                    .any(|other| other.binary_search(&mex).is_err())
        }
    };
    if agrees {
        return Ok(());
    }
    let why = message!(
        "its value is {value}, but the mex of the values of its options is {mex}, where {infinite} of these values are infinite",
        value = claimed.text(),
        mex,
        infinite = infinite.len()
    );
    Err(WrongEntry { entry, why })
}

/// Returns the mex of the values of the options if all these values are numbers below 64. It
/// allocates no memory.
#[inline]
fn small_mex(options: &[u64], claims: &Claims) -> Option<u64> {
    let mut seen = 0u64;
    for &option in options {
        match claims.value(option) {
            Value::Finite(value @ 0..64) => seen |= 1 << value,
            _ => return None,
        }
    }
    Some(seen.trailing_ones().into())
}

#[cold]
fn no_value(entry: u64) -> WrongEntry {
    WrongEntry {
        entry,
        why: message!("the value of the position is missing"),
    }
}

/// Returns the least number that is missing in a list. The list must be strictly ascending.
fn least_missing(numbers: &[u64]) -> u64 {
    let met = numbers.iter().zip(0..).take_while(|&(&n, at)| n == at);
    met.count() as u64
}

/// Number of entries between two checks of the limits.
const ENTRIES_PER_CHECK: usize = 1 << 10;

/// Checks condition (2) of [`super`]: the entries of each finite value m have the order that the
/// condition requires.
///
/// The order for a value m is built step by step. An entry of value m is appended once every option
/// has a value below m or a move to an appended entry. If some entries of value m can never be
/// appended, there is no such order.
///
/// # Complexity
/// For each value, visits the options of the entries with this value, and the predecessors of the
/// predecessors of these entries.
pub(super) fn check_order(
    claims: &Claims,
    edges: &Edges,
    limits: &Limits<'_>,
) -> Result<(), VerifyError> {
    let entries = claims.entries();
    let sources = edges.reversed(limits)?;
    let mut by_value: Vec<(u64, u32)> = Vec::new();
    limits.check(entries, 16 + 8)?;
    for entry in 0..entries {
        if let Value::Finite(value) = claims.value(entry) {
            by_value.push((value, entry as u32));
        }
    }
    // Sorted by value and then by entry. So the entries of each value are consecutive, and it is
    // fixed which wrong entry is reported.
    by_value.sort_unstable();
    // An option of an entry of value m reverts if it has itself an option in the order for m.
    // `unreverted` holds, for each entry, the number of its options that must revert and do not
    // yet. `reverted_to` holds, for each option, the last value to which it was found to revert. So
    // for each value an option is counted once, at its first reverting move.
    let mut unreverted = vec![0u32; entries as usize];
    let mut reverted_to = vec![u64::MAX; entries as usize];
    let not_below = |option: u32, value: u64| !matches!(claims.value(option.into()), Value::Finite(other) if other < value);
    for group in by_value.chunk_by(|(a, _), (b, _)| a == b) {
        let value = group[0].0;
        let mut ready = Vec::new();
        let mut remaining = group.len();
        for &(_, entry) in group {
            let options = edges.of_entry(entry.into()).iter();
            let count = options.filter(|&&option| not_below(option, value)).count();
            unreverted[entry as usize] = count as u32;
            if count == 0 {
                ready.push(entry);
            }
        }
        // As in a topological sort, an entry is ready when its count reaches 0. When it is appended
        // to the order, all its predecessors revert to this value.
        while let Some(entry) = ready.pop() {
            if remaining.is_multiple_of(ENTRIES_PER_CHECK) {
                limits.poll()?;
            }
            remaining -= 1;
            for &option in sources.of_entry(entry) {
                if reverted_to[option as usize] == value || !not_below(option, value) {
                    continue;
                }
                reverted_to[option as usize] = value;
                for &waiting in sources.of_entry(option) {
                    // Only entries with this value wait for the option. Parallel moves were counted
                    // as often as they occur, so the count is decremented for each of them.
                    if claims.value(waiting.into()) != Value::Finite(value) {
                        continue;
                    }
                    let count = &mut unreverted[waiting as usize];
                    *count -= 1;
                    if *count == 0 {
                        ready.push(waiting);
                    }
                }
            }
        }
        if remaining > 0 {
            let waits = |&&(_, entry): &&(u64, u32)| unreverted[entry as usize] > 0;
            let entry = group
                .iter()
                .find(waits)
                .map_or(0, |&(_, entry)| entry.into());
            let why = message!(
                "its value is {value}, but the derivation is circular: from some option, no move leads to a position already proved to have value {value}",
                value
            );
            return Err(WrongEntry { entry, why }.into());
        }
    }
    Ok(())
}
