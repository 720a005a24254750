//! Families of rule files that are recognized as built-in families.

use grundy_core::heap::{HeapRules, TakeSet};
use grundy_job::Reader;
use grundy_notation::{Expression, Games as _};

/// Returns the built-in family whose heaps have the same options as those of a family of rules
/// given at run time, such as `game(moves, n)`. Returns `None` if no proof of this is found.
///
/// # Examples
/// ```
/// use grundy_job::{Job, Reader};
/// use grundy_period::recognized_family;
/// let rules = "def moves(n): return [n - k for k in (1, 3, 4) if k <= n]";
/// let reader = Reader::default().with_rules("own.star", rules, &Job::default())?;
/// let found = recognized_family("game(moves, n)", &reader);
/// assert_eq!(found.as_deref(), Some("subtraction([1, 3, 4], n)"));
/// assert_eq!(recognized_family("game(moves, 2 * n)", &reader), None);
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[must_use]
pub fn recognized_family(source: &str, reader: &Reader) -> Option<String> {
    let expression = Expression::parse(source).ok()?;
    let (rules, _) = expression.rules_family()?;
    match reader.heap_rules(rules)? {
        HeapRules::Subtraction(TakeSet::Finite(takes)) => {
            let takes: Vec<String> = takes.iter().map(u64::to_string).collect();
            Some(format!("subtraction([{}], n)", takes.join(", ")))
        }
        HeapRules::TakeAndBreak(code) => Some(format!("take_and_break(\"{code}\", n)")),
        HeapRules::Subtraction(_) | HeapRules::AllBut(_) | HeapRules::UnequalSplit => None,
    }
}
