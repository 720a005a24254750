//! The check of labels, which are outcomes with their remoteness: the label of an entry is compared
//! with the labels of its options.

use grundy_base::{Diagnostic, Message, Outcome, message};

use super::claims::{Claims, Code, DRAW, is_p};
use super::{VerifyError, WrongEntry};

/// Returns the error for an invalid option number. If `descends` is `true`, the number is not
/// smaller than `entry`. Otherwise, the table contains no entry with this number.
#[cold]
pub(super) fn outside(entry: u64, option: u64, descends: bool) -> WrongEntry {
    let why = if descends {
        message!(
            "an option has the number {option}, which is not smaller than the number of the position itself",
            option
        )
    } else {
        message!(
            "an option has the number {option}, which is not in the table",
            option
        )
    };
    WrongEntry { entry, why }
}

/// A summary of the labels of all options of an entry.
#[derive(Clone, Copy)]
struct OptionLabels {
    /// The least label code of the options labelled P, or [`Code::MAX`] if no option is labelled P.
    least_p: Code,
    /// The greatest label code of the options labelled N, or 0 if no option is labelled N.
    greatest_n: Code,
    draw: bool,
}

/// Checks that the label (outcome and remoteness) of an entry follows from the labels of its
/// options.
#[inline]
pub(super) fn check(
    entry: u64,
    options: &[u64],
    claims: &Claims,
    end: impl FnOnce() -> Result<Outcome, Diagnostic>,
) -> Result<(), VerifyError> {
    let claimed = claims.code(entry);
    if options.is_empty() {
        let code = claims.terminal_code(end()?);
        return if claimed == code {
            Ok(())
        } else {
            Err(wrong(
                entry,
                claims,
                claimed,
                &message!("the position has no option"),
            )
            .into())
        };
    }
    let labels = claims.option_labels(options);
    // Codes increase with the remoteness, so the least code is the quickest win and the greatest
    // one the slowest loss. The branches below are the conditions of the theorem in `verify`, one
    // for each label.
    let agrees = if claimed == DRAW {
        labels.least_p == Code::MAX && labels.draw
    } else if is_p(claimed) {
        labels.least_p == Code::MAX && !labels.draw && claims.to_p(labels.greatest_n) == claimed
    } else {
        labels.least_p != Code::MAX && claims.to_n(labels.least_p) == claimed
    };
    if agrees {
        Ok(())
    } else {
        Err(disagrees(entry, claimed, labels, claims).into())
    }
}

/// Checks that the best move of an entry is one of its moves and preserves its label (outcome and
/// remoteness). A move that preserves the label is a quickest win, keeps a draw, or is a slowest
/// loss. The label must have been checked before.
#[inline]
pub(super) fn check_best(entry: u64, options: &[u64], claims: &Claims) -> Result<(), WrongEntry> {
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
    let why = message!("its stored best move does not agree with its label");
    Err(WrongEntry { entry, why })
}

impl Claims {
    #[inline]
    fn option_labels(&self, options: &[u64]) -> OptionLabels {
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
        OptionLabels {
            least_p,
            greatest_n,
            draw,
        }
    }
}

#[cold]
fn disagrees(entry: u64, claimed: Code, labels: OptionLabels, claims: &Claims) -> WrongEntry {
    let why = if labels.least_p != Code::MAX {
        message!(
            "some options are P-positions, and the one that ends the game soonest has label {label}",
            label = claims.label(labels.least_p)
        )
    } else if labels.draw {
        message!("no option is a P-position, and at least one is a draw")
    } else {
        message!(
            "every option is an N-position, and the option from which play lasts longest has label {label}",
            label = claims.label(labels.greatest_n)
        )
    };
    wrong(entry, claims, claimed, &why)
}

#[cold]
fn wrong(entry: u64, claims: &Claims, claimed: Code, why: &Message) -> WrongEntry {
    WrongEntry {
        entry,
        why: message!(
            "its label is {label}, but {why}",
            label = claims.label(claimed),
            why
        ),
    }
}
