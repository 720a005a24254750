//! Ranks of positions, which are numbers from 0 that identify the positions of a game. A rule file
//! defines them by `rank(p)`, `unrank(i)`, `size()` and `order_is_topological`.

use std::sync::Arc;

use grundy_core::dynamic::{DynamicPosition, MoveResult, Ranks};
use grundy_core::{Diagnostic, Kind, Message, Player, Stop, message};

use super::{FileRules, RuleFile};
use crate::error::{RuleError, type_error};
use crate::machine::Machine;
use crate::value::Value;

/// The name of the variable by which a file declares that the rank of every option is smaller than
/// the rank of its position.
const ORDER: &str = "order_is_topological";

/// The functions by which a rule file ranks its positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankFunctions {
    rank: Value,
    unrank: Value,
    size: Value,
    topological: bool,
}

/// Returns an error if the file sets `order_is_topological` to a value that is not a boolean.
/// Returns an error, too, if the file sets it without defining `rank`, `unrank` and `size`.
pub(super) fn check(machine: &Machine) -> Result<(), Message> {
    let Some(order) = machine.global(ORDER) else {
        return Ok(());
    };
    if order.as_bool().is_none() {
        return Err(message!("`{order}` must be True or False", order = ORDER));
    }
    let function = |name| matches!(machine.global(name), Some(Value::Function(_)));
    match ["rank", "unrank", "size"]
        .into_iter()
        .find(|name| !function(name))
    {
        None => Ok(()),
        Some(missing) => Err(message!(
            "`{order}` is set, but the file does not define the function `{missing}`",
            order = ORDER,
            missing
        )),
    }
}

impl RuleFile {
    /// Returns the functions `rank`, `unrank` and `size`, if the file defines all three.
    pub(super) fn ranks(&self) -> Option<RankFunctions> {
        let order = self.shared.initial.global(ORDER).and_then(Value::as_bool);
        Some(RankFunctions {
            rank: self.function("rank")?,
            unrank: self.function("unrank")?,
            size: self.function("size")?,
            topological: order.unwrap_or(false),
        })
    }
}

/// Converts the value that a rule function returned to an integer. The error message contains the
/// name `function`.
fn integer_result(function: &str, returned: Value) -> Result<i64, RuleError> {
    match returned {
        Value::Int(number) => Ok(number),
        other => Err(type_error(message!(
            "{function} must return a number, not a value of type {kind}",
            function,
            kind = other.kind()
        ))),
    }
}

/// Converts a rank to the integer position that is the argument of `unrank`. Every rank fits in a
/// signed 64-bit number, since it is less than `size()`, which is such a number.
fn rank_argument(rank: u64) -> DynamicPosition {
    DynamicPosition::Int(i64::try_from(rank).unwrap_or(i64::MAX))
}

impl FileRules {
    /// Returns the functions `rank`, `unrank` and `size`, or an error if the file does not rank its
    /// positions.
    fn functions(&self) -> Result<RankFunctions, Stop> {
        self.ranks.ok_or(Stop::NoValue)
    }
}

impl Ranks for FileRules {
    fn size(&self) -> Result<i64, Stop> {
        let size = self.functions()?.size;
        self.shared.run("size", size, String::new, |machine| {
            let returned = machine.call(size, &[])?;
            integer_result("size()", returned)
        })
    }

    fn rank(&self, position: &DynamicPosition) -> Result<i64, Stop> {
        let rank = self.functions()?.rank;
        self.shared
            .call_with_position("rank", rank, position, |_, returned, _| {
                integer_result("rank(p)", returned)
            })
    }

    fn unrank(&self, rank: u64) -> Result<DynamicPosition, Stop> {
        let unrank = self.functions()?.unrank;
        let argument = rank_argument(rank);
        self.shared
            .call_with_position("unrank", unrank, &argument, |machine, returned, _| {
                machine.position_of(returned)
            })
    }

    fn order_is_topological(&self) -> bool {
        self.ranks.is_some_and(|ranks| ranks.topological)
    }

    fn options(&self, player: Player, rank: u64, ranks: &mut Vec<i64>) -> Result<(), Stop> {
        let functions = self.functions()?;
        let (_, moves) = self.moves_of(player);
        let argument = rank_argument(rank);
        let unrank = functions.unrank;
        // `unrank`, the moves and the ranks are computed in one call of the machine. So the
        // positions remain values of the language and need not be converted.
        self.shared
            .call_with_position("unrank", unrank, &argument, |machine, position, _| {
                let returned = machine.call(moves, &[position])?;
                let mut options = Vec::new();
                machine.moves_of(returned, position, &mut options)?;
                for option in &options {
                    let MoveResult::One(option) = &option.result else {
                        return Err(type_error(message!(
                            "a move leads to a sum, which has no rank"
                        )));
                    };
                    let option = machine.value_of(option)?;
                    let returned = machine.call(functions.rank, &[option])?;
                    ranks.push(integer_result("rank(p)", returned)?);
                }
                Ok(())
            })
    }

    fn refuse(&self, what: &Message) -> Stop {
        let shared = &self.shared;
        let message = message!("{name}: {what}", name = shared.name, what);
        let refusal =
            Diagnostic::new(Kind::IllegalPosition, message).of_rules(Arc::clone(&shared.source));
        Stop::Rules(Arc::new(refusal))
    }
}
