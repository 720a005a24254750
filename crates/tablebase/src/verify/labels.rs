//! The check of labels: the label of an entry is compared with those of its options.

use grundy_base::{Diagnostic, Message, Outcome, message};

use super::claims::{Claims, Code, DRAW, is_p};
use super::{Refusal, Wrong};

/// Returns the error for an option that is not a number of an entry. If `descends` is set, the
/// error is for an option that is not smaller than `entry`.
#[cold]
pub(super) fn outside(entry: u64, option: u64, descends: bool) -> Wrong {
    let why = if descends {
        message!("its option {option} does not have a smaller number", option)
    } else {
        message!("its option {option} is not in the table", option)
    };
    Wrong { entry, why }
}

/// The labels of the options of an entry, combined.
#[derive(Clone, Copy)]
struct Seen {
    /// The least code among the options P, or [`Code::MAX`] if there is none.
    least_p: Code,
    /// The greatest code among the options N, or 0 if there is none.
    greatest_n: Code,
    draw: bool,
}

/// Checks that the label of an entry follows from the labels of its options.
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
    // Codes increase with the remoteness, so the least code is the quickest win and the greatest
    // one the slowest loss. The branches below are the conditions of the theorem in `verify`, one
    // for each label.
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

/// Checks that the best move of an entry is one of its moves and preserves its label. Such a move
/// is a quickest win, keeps a draw, or is a slowest loss. The label must have been checked before.
#[inline]
pub(super) fn check_best(entry: u64, options: &[u64], claims: &Claims) -> Result<(), Wrong> {
    if !claims.has_moves() {
        return Ok(());
    }
    let good = match claims.best(entry) {
        None => options.is_empty(),
        Some(to) => {
            // Any move that preserves the label is accepted, since several moves may be best.
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
    let why = message!("its best move does not preserve its label");
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
            "an option is {label}, the quickest of them",
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
            "its label is {label}, but {why}",
            label = claims.label(claimed),
            why
        ),
    }
}
