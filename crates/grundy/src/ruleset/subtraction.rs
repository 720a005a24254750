//! Subtraction games: `subtraction(take, n, ...)`.
//!
//! Rules. A move takes k chips from one heap, where k is in the set `take`; never more than the heap. The set is a
//! list of positive integers or one of the named sets of [`crate::heap::take_set`]; `"divisors"`,
//! `"proper_divisors"` and `"coprime"` depend on the heap.
//!
//! Theorem. For a finite set the values are periodic: the value of a heap is a function of the last max(take) values,
//! and these take finitely many forms (S. W. Golomb, A mathematical investigation of games of "take-away",
//! J. Combin. Theory 1 (1966), 443-458). The period found in the sequence is proved by two equal windows.
//!
//! Nothing is known in general for infinite sets: their values come from the sequence itself.

use std::sync::Arc;

use super::heap_game::HeapGame;
use crate::argument::{Argument, Arguments, list, number, wrong_type};
use crate::heap::{HeapRules, NamedSet, TakeSet};
use crate::position::{AnyTerm, Term};
use crate::{Kind, Refusal};

/// Most numbers in a set.
const TAKES: usize = 1_000_000;

/// Reads `subtraction(take, n, ...)`.
///
/// # Errors
/// A set or a heap that is none.
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Refusal> {
    let take = first(arguments)?;
    let set = match take {
        Argument::Text(name) => {
            TakeSet::Named(NamedSet::parse(name).map_err(|refusal| refusal.at([0]))?)
        }
        Argument::List(_) => {
            let help = "leave 0 out: a move takes at least one chip";
            let takes = positive(take, help)?;
            if takes.is_empty() {
                return Err(Refusal::illegal("the set is empty")
                    .at([0])
                    .help("name at least one number of chips"));
            }
            TakeSet::Finite(takes)
        }
        other => {
            return Err(wrong_type(
                "a list of positive integers or the name of a set",
                other,
                &[0],
            )
            .help("write subtraction([1, 3, 4], 100) or subtraction(\"squares\", 100)"));
        }
    };
    let game = HeapGame {
        name: "subtraction",
        argument: Some(set.to_string()),
        rules: HeapRules::Subtraction(set),
    };
    Ok(Term::new(game, arguments.numbers(1, 0)?).into())
}

/// The first argument, which must be there and have no name.
pub(super) fn first<'a>(arguments: &Arguments<'a>) -> Result<&'a Argument, Refusal> {
    let all = arguments.positional()?;
    all.first().map(|(_, value)| *value).ok_or_else(|| {
        Refusal::new(Kind::Type, "arguments are missing")
            .help(format!("the form is {}", arguments.signature))
    })
}

/// A sorted list of positive integers without repeats; the first argument of a constructor.
pub(super) fn positive(value: &Argument, zero_help: &str) -> Result<Vec<u64>, Refusal> {
    let items = list(value, &[0])?;
    if items.len() > TAKES {
        return Err(Refusal::new(
            Kind::Range,
            format!("more than {TAKES} numbers are too many"),
        )
        .at([0]));
    }
    let mut numbers = Vec::with_capacity(items.len());
    for (path, item) in items {
        if *item == Argument::Int(0) {
            return Err(Refusal::new(Kind::Range, "0 is not a move")
                .at(path)
                .help(zero_help));
        }
        numbers.push(number(item, &path, 1, u64::MAX)?);
    }
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}
