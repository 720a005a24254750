//! The expected answer on a line of a batch, and its comparison with the answer.

use std::collections::HashSet;

use grundy_core::solve::WinningMove;
use grundy_core::{Message, Position, Solution, message};
use grundy_wording::answer::{PerFirstPlayer, SolutionView};
use serde_json::{Value, to_value};

use crate::agreement::Agreement;

/// Largest number of missing or extra positions that are listed.
const MAX_LISTED: usize = 10_000;

/// The expected quantities under the key `expect`. A quantity that is `None` is not compared.
pub(crate) struct ExpectedSolution {
    outcome: Option<Value>,
    grundy: Option<Value>,
    /// The positions after winning moves, in any order.
    moves: Option<PerFirstPlayer<Vec<String>>>,
}

impl ExpectedSolution {
    /// Returns whether the expectation contains winning moves.
    pub(crate) fn expects_moves(&self) -> bool {
        self.moves.is_some()
    }

    /// Parses the value of the key `expect`.
    pub(crate) fn read(value: &Value) -> Result<Self, Message> {
        let Value::Object(object) = value else {
            return Err(message!("`expect` must be an object"));
        };
        for key in object.keys() {
            if !["outcome", "grundy", "winning_moves"].contains(&key.as_str()) {
                return Err(message!(
                    "unknown key `{key}` in `expect`: use outcome, grundy or winning_moves",
                    key
                ));
            }
        }
        let moves = match object.get("winning_moves") {
            None => None,
            Some(Value::Object(sides))
                if sides.keys().all(|key| key == "left" || key == "right") =>
            {
                let side = |name| sides.get(name).map_or(Ok(Vec::new()), texts);
                let (left, right) = (side("left")?, side("right")?);
                Some(PerFirstPlayer::Both { left, right })
            }
            Some(list) => Some(PerFirstPlayer::Single(texts(list)?)),
        };
        Ok(Self {
            outcome: object.get("outcome").cloned(),
            grundy: object.get("grundy").cloned(),
            moves,
        })
    }

    /// Compares an answer with the expectation. Lists the expected winning moves that are missing
    /// in the answer, and the moves of the answer that were not expected. Positions are parsed with
    /// `read` before they are compared. An entry of the answer can represent several moves, which
    /// then count separately.
    pub(crate) fn compare(
        &self,
        answer: &SolutionView,
        position: &Position,
        solution: Option<&Solution>,
        read: impl Fn(&str) -> Option<Position>,
    ) -> Agreement {
        // An answer is wrong only if a known quantity differs. If a quantity is unknown and the
        // others agree, the comparison has no result.
        let (mut wrong, mut undecided) = (false, false);
        let mut note = |agrees: bool, unknown: bool| {
            wrong |= !agrees && !unknown;
            undecided |= !agrees && unknown;
        };
        let (outcome, grundy) = (to_value(&answer.outcome), to_value(&answer.grundy));
        for (expected, found) in [(&self.outcome, outcome), (&self.grundy, grundy)] {
            if let Some(expected) = expected {
                let found = found.ok().filter(|found| !found.is_null());
                note(
                    found.as_ref() == Some(expected),
                    found.is_none() && answer.is_partial(),
                );
            }
        }
        let complete = answer.is_complete();
        let mut compare_moves = |expected: &[String], found: &[WinningMove]| {
            let (missing, extra) = differences(expected, found, position, &read);
            // An extra move shows that the answer is wrong, even if the answer is partial. A
            // missing move shows it only if the list is complete.
            note(extra.is_empty(), false);
            note(missing.is_empty(), !complete);
            (if complete { missing } else { Vec::new() }, extra)
        };
        let beginnings = solution.map_or(&[][..], |solution| &solution.beginnings);
        let (missing, extra) = match (&self.moves, beginnings) {
            (None, _) => (None, None),
            (Some(PerFirstPlayer::Single(expected)), beginnings) => {
                // A single list is expected, which requires that both players have the same winning
                // moves. If the players have separate lists, all expected moves count as missing.
                let found = match beginnings {
                    [one] => &one.moves[..],
                    _ => &[],
                };
                let (missing, extra) = compare_moves(expected, found);
                (
                    Some(PerFirstPlayer::Single(missing)),
                    Some(PerFirstPlayer::Single(extra)),
                )
            }
            (Some(PerFirstPlayer::Both { left, right }), beginnings) => {
                let found = match beginnings {
                    [left, right] => [&left.moves[..], &right.moves],
                    _ => [&[][..], &[]],
                };
                let (left, right) = (
                    compare_moves(left, found[0]),
                    compare_moves(right, found[1]),
                );
                let both = |left, right| Some(PerFirstPlayer::Both { left, right });
                (both(left.0, right.0), both(left.1, right.1))
            }
        };
        Agreement {
            expected: (wrong || !undecided).then_some(!wrong),
            missing: missing.filter(|sides| sides.any(|list| !list.is_empty())),
            extra: extra.filter(|sides| sides.any(|list| !list.is_empty())),
        }
    }
}

fn texts(list: &Value) -> Result<Vec<String>, Message> {
    let list = list.as_array().and_then(|list| {
        let texts = list.iter().map(|text| Some(text.as_str()?.to_owned()));
        texts.collect::<Option<Vec<String>>>()
    });
    list.ok_or_else(|| {
        message!(
            "`winning_moves` in `expect` must be a list of positions, or an object with one list each for left and right"
        )
    })
}

/// Returns the expected positions that were not found, and the positions that were found but not
/// expected.
fn differences(
    expected: &[String],
    found: &[WinningMove],
    position: &Position,
    read: impl Fn(&str) -> Option<Position>,
) -> (Vec<String>, Vec<String>) {
    // Each position is parsed and written again, so that different spellings become equal.
    let expected = expected.iter().map(|text| match read(text) {
        Some(to) => (to.to_string(), Some(to)),
        None => (text.clone(), None),
    });
    let expected: Vec<(String, Option<Position>)> = expected.collect();
    // An entry can represent millions of moves. Hence such entries are not expanded into the set.
    let (several, single): (Vec<_>, Vec<_>) = found.iter().partition(|found| found.count() > 1);
    let single: HashSet<String> = single.iter().map(|found| found.to.to_string()).collect();
    let is_represented = |text: &str, to: &Position| {
        several.iter().any(|found| {
            let number = found.leading_to(to);
            let after = number.and_then(|number| found.after(number, position));
            after.is_some_and(|after| after.to_string() == text)
        })
    };
    let missing = expected.iter().filter(|(text, to)| {
        !single.contains(text) && !to.as_ref().is_some_and(|to| is_represented(text, to))
    });
    let named: HashSet<&str> = expected.iter().map(|(text, _)| text.as_str()).collect();
    let after = found.iter().flat_map(|found| {
        let numbers = 0..found.count();
        numbers.filter_map(|number| Some(found.after(number, position)?.to_string()))
    });
    let extra = after.filter(|text| !named.contains(text.as_str()));
    (
        missing.map(|(text, _)| text.clone()).collect(),
        extra.take(MAX_LISTED).collect(),
    )
}
