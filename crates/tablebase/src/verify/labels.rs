//! The check of labels: one entry against its options.

use grundy_base::{Diagnostic, Message, Outcome, message};

use super::claims::{Claims, Code, DRAW, is_p};
use super::{Refusal, Wrong};

/// Returns the error for an option that is not an entry, or not a smaller one if options descend.
#[cold]
pub(super) fn outside(entry: u64, option: u64, descends: bool) -> Wrong {
    let why = if descends {
        message!("its option {option} has not a smaller number", option)
    } else {
        message!("its option {option} is not in the table", option)
    };
    Wrong { entry, why }
}

/// The labels of the options of an entry, combined.
#[derive(Clone, Copy)]
struct Seen {
    /// The least code of an option P, or [`Code::MAX`] if there is none.
    least_p: Code,
    /// The greatest code of an option N, or 0 if there is none.
    greatest_n: Code,
    draw: bool,
}

/// Checks that the label of an entry follows from those of its options.
#[inline]
pub(super) fn check(
    entry: u64,
    options: &[u64],
    claims: &Claims,
    end: impl FnOnce() -> Result<Outcome, Diagnostic>,
) -> Result<(), Refusal> {
    let claimed = claims.code(entry);
    if options.is_empty() {
        let code = claims.at_an_end(end()?);
        return if claimed == code {
            Ok(())
        } else {
            Err(wrong(entry, claims, claimed, &message!("it has no option")).into())
        };
    }
    let seen = claims.seen(options);
    // Codes grow with the remoteness, so least and greatest codes are quickest and slowest options.
    // These are the conditions of the theorem in `verify`, one branch for each label.
    let agrees = if claimed == DRAW {
        seen.least_p == Code::MAX && seen.draw
    } else if is_p(claimed) {
        seen.least_p == Code::MAX && !seen.draw && claims.to_p(seen.greatest_n) == claimed
    } else {
        seen.least_p != Code::MAX && claims.to_n(seen.least_p) == claimed
    };
    if agrees {
        Ok(())
    } else {
        Err(disagrees(entry, claimed, seen, claims).into())
    }
}

/// Checks that the best move of an entry is one of its moves and keeps its label. The label must be
/// right. A best move is a quickest win, a draw, or a slowest loss.
#[inline]
pub(super) fn check_best(entry: u64, options: &[u64], claims: &Claims) -> Result<(), Wrong> {
    if !claims.has_moves() {
        return Ok(());
    }
    let good = match claims.best(entry) {
        None => options.is_empty(),
        Some(to) => {
            // Any move with the right label is accepted, since ties are broken arbitrarily.
            options.contains(&to) && {
                let (claimed, reached) = (claims.code(entry), claims.code(to));
                match claimed {
                    DRAW => reached == DRAW,
                    _ if is_p(claimed) => claims.to_p(reached) == claimed,
                    _ => is_p(reached) && claims.to_n(reached) == claimed,
                }
            }
        }
    };
    if good {
        return Ok(());
    }
    let why = message!("its best move is none of those that keep its label");
    Err(Wrong { entry, why })
}

impl Claims {
    #[inline]
    fn seen(&self, options: &[u64]) -> Seen {
        let (mut least_p, mut greatest_n, mut draw) = (Code::MAX, 0, false);
        self.each_code(options, |code| {
            if code == DRAW {
                draw = true;
            } else if is_p(code) {
                least_p = least_p.min(code);
            } else {
                greatest_n = greatest_n.max(code);
            }
        });
        Seen {
            least_p,
            greatest_n,
            draw,
        }
    }
}

#[cold]
fn disagrees(entry: u64, claimed: Code, seen: Seen, claims: &Claims) -> Wrong {
    let why = if seen.least_p != Code::MAX {
        message!(
            "an option is {label}, the quickest of these",
            label = claims.label(seen.least_p)
        )
    } else if seen.draw {
        message!("no option is P, and one is D")
    } else {
        message!(
            "all options are N, the slowest {label}",
            label = claims.label(seen.greatest_n)
        )
    };
    wrong(entry, claims, claimed, &why)
}

#[cold]
fn wrong(entry: u64, claims: &Claims, claimed: Code, why: &Message) -> Wrong {
    Wrong {
        entry,
        why: message!(
            "it is said to be {label}, but {why}",
            label = claims.label(claimed),
            why
        ),
    }
}
