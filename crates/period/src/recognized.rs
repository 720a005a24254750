//! Families with rules or values given at run time that equal built-in families.

use grundy_core::Diagnostic;
use grundy_core::heap::{HeapRules, TakeSet};
use grundy_job::{Job, Reader};
use grundy_notation::{Expression, Games as _, family_with};

use crate::spelling::printed_family;

/// Returns the built-in family whose heaps have the same options as those of a family with rules
/// or values given at run time. Such families are `game(moves, n)` and `subtraction(few, n)`, where
/// `few` is a list of the open rule file. Returns `None` if no proof of this is found.
///
/// # Errors
/// The limit that stopped the search for a proof.
///
/// # Examples
/// ```
/// use grundy_job::{Job, Reader};
/// use grundy_period::recognized_family;
/// let rules = "def moves(n): return [n - k for k in (1, 3, 4) if k <= n]";
/// let reader = Reader::default().with_rules("own.star", rules, &Job::default())?;
/// let found = recognized_family("game(moves, n)", &reader, &Job::default())?;
/// assert_eq!(found.as_deref(), Some("subtraction([1, 3, 4], n)"));
/// assert_eq!(recognized_family("game(moves, 2 * n)", &reader, &Job::default())?, None);
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn recognized_family(
    source: &str,
    reader: &Reader,
    job: &Job,
) -> Result<Option<String>, Diagnostic> {
    let Ok(expression) = Expression::parse(source) else {
        return Ok(None);
    };
    let Some((rules, _)) = expression.rules_family() else {
        return Ok(literal_family(source, reader));
    };
    Ok(match reader.heap_rules(rules, &job.limits())? {
        Some(HeapRules::Subtraction(TakeSet::Finite(takes))) => {
            let takes: Vec<String> = takes.iter().map(u64::to_string).collect();
            Some(format!("subtraction([{}], n)", takes.join(", ")))
        }
        Some(HeapRules::TakeAndBreak(code)) => Some(format!("take_and_break(\"{code}\", n)")),
        _ => None,
    })
}

/// Returns a family in which the values of the open rule file are written instead of their names.
/// Returns `None` if the family has no such names, is not a family of heaps, or has a set that is
/// given by a function.
///
/// # Examples
/// ```
/// use grundy_job::{Job, Reader};
/// use grundy_period::literal_family;
/// let rules = "few = [4, 1, 3]\ndef odd(k): return k % 2 == 1";
/// let reader = Reader::default().with_rules("own.star", rules, &Job::default())?;
/// let found = literal_family("subtraction(few, n)", &reader);
/// assert_eq!(found.as_deref(), Some("subtraction([1, 3, 4], n)"));
/// assert_eq!(literal_family("subtraction(odd, n)", &reader), None);
/// assert_eq!(literal_family("subtraction([1, 3], n)", &reader), None);
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[must_use]
pub fn literal_family(source: &str, reader: &Reader) -> Option<String> {
    let names = Expression::parse_or_guess(source).ok()?.variables();
    // Without a second name, the family has only its variable.
    if names.len() < 2 || !reader.has_games() {
        return None;
    }
    let term = family_with(source, reader).ok()?;
    let rules = term.heap_rules()?.0.clone();
    let literal = printed_family(term);
    // A set that is given by a function is printed as the name of the function.
    let built_in = crate::family(&literal).ok()?;
    let is_same = built_in
        .heap_rules()
        .is_some_and(|(same, _)| *same == rules);
    is_same.then_some(literal)
}
