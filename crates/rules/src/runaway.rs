//! Rules whose moves never end, as proved from the text of the file.
//!
//! The usual reason is a missing condition, as in `def moves(n): return [n - 1, n - 2]`. The proof
//! is syntactic and has no exceptions: the function returns `n` plus constants, whatever `n` is. So
//! each position has a move, and the positions grow or fall for ever. Other rules are not judged.

use std::ops::Range;

use grundy_core::message;
use grundy_core::{Kind, dynamic::DynamicPosition};
use grundy_syntax::{
    Binary, Clause, Expression, ExpressionKind, Parameter, Statement, StatementKind, Target,
    TargetKind, Unary,
};

use crate::error::{RuleError, rule_error};

/// The position from which falling numbers are reported.
const LEAST: i64 = -1000;

/// The position from which growing numbers are reported.
const LARGEST: i64 = 100_000;

/// A function whose moves add constants to a number, without a condition.
#[derive(Clone, Debug)]
pub(crate) struct Runaway {
    /// The name of the function.
    pub(crate) name: String,
    /// The name of the position in the function.
    parameter: String,
    /// The number that is added in each move of the chain in the error message.
    step: i64,
    /// The place of the moves in the file.
    span: Range<usize>,
}

impl Runaway {
    /// Returns the error, if `position` is so far from any sensible start that it shows the
    /// mistake. A game that is only drawn or listed move by move never comes there.
    pub(crate) fn check(&self, position: &DynamicPosition) -> Result<(), RuleError> {
        let DynamicPosition::Int(n) = position else {
            return Ok(());
        };
        let is_far = if self.step < 0 {
            *n <= LEAST
        } else {
            *n >= LARGEST
        };
        if !is_far {
            return Ok(());
        }
        let first = if self.step < 0 {
            self.step.saturating_mul(-2)
        } else {
            1
        };
        let chain: Vec<String> = (0..5)
            .map(|count| {
                first
                    .saturating_add(self.step.saturating_mul(count))
                    .to_string()
            })
            .collect();
        let chain = chain.join(", ");
        let name = &self.parameter;
        let mut error = rule_error(
            Kind::Cyclic,
            message!("the positions run away: {chain}, ...", chain),
        );
        error.help = Some(message!(
            "every {name} has a move, so the game never ends: return [] at the end of the game, as in `if {name} < 1: return []`",
            name
        ));
        error.span = Some(self.span.clone());
        Err(error)
    }
}

/// Returns the functions of a file that are proved to have moves for ever.
pub(crate) fn runaway_functions(statements: &[Statement]) -> Vec<Runaway> {
    let defined = |name: &str| {
        let definitions = statements.iter().filter(|statement| {
            matches!(&statement.kind, StatementKind::Def(known, ..) if known.text == name)
        });
        definitions.count()
    };
    // A name that is bound in another way could denote another function.
    let is_plain = |statement: &Statement| match &statement.kind {
        StatementKind::Def(..) | StatementKind::Expression(_) | StatementKind::Pass => true,
        StatementKind::Assign(target, _) => {
            !matches!(&target.kind, TargetKind::Name(name) if defined(name) > 0)
                && matches!(target.kind, TargetKind::Name(_))
        }
        _ => false,
    };
    if !statements.iter().all(is_plain) || defined("range") > 0 {
        return Vec::new();
    }
    let functions = statements
        .iter()
        .filter_map(|statement| match &statement.kind {
            StatementKind::Def(name, parameters, body) if defined(&name.text) == 1 => {
                endless(&name.text, parameters, body)
            }
            _ => None,
        });
    functions.collect()
}

/// Returns the proof for one function, if there is one.
fn endless(name: &str, parameters: &[Parameter], body: &[Statement]) -> Option<Runaway> {
    let [
        Parameter {
            name: parameter, ..
        },
    ] = parameters
    else {
        return None;
    };
    // A text at the beginning of the function describes it.
    let body = match body {
        [first, rest @ ..]
            if matches!(&first.kind, StatementKind::Expression(text)
            if matches!(text.kind, ExpressionKind::Text(_))) =>
        {
            rest
        }
        body => body,
    };
    let [
        Statement {
            kind: StatementKind::Return(Some(moves)),
            ..
        },
    ] = body
    else {
        return None;
    };
    let steps = match &moves.kind {
        ExpressionKind::List(items) => {
            let steps = items.iter().map(|item| step(item, &parameter.text, None));
            steps.collect::<Option<Vec<i64>>>()?
        }
        ExpressionKind::ListComprehension(item, clauses) => {
            let [Clause::For(target, over)] = &clauses[..] else {
                return None;
            };
            let Target {
                kind: TargetKind::Name(variable),
                ..
            } = target
            else {
                return None;
            };
            if *variable == parameter.text {
                return None;
            }
            let values = constants(over)?;
            let of = |value: &i64| step(item, &parameter.text, Some((variable, *value)));
            values.iter().map(of).collect::<Option<Vec<i64>>>()?
        }
        _ => return None,
    };
    // Falling numbers are reported first, since they are the usual mistake.
    let least = steps.iter().copied().min()?;
    let step = if least < 0 {
        least
    } else {
        steps.into_iter().max()?
    };
    (step != 0).then(|| Runaway {
        name: name.to_owned(),
        parameter: parameter.text.clone(),
        step,
        span: moves.span.range(),
    })
}

/// Returns the number that an item of the list adds to the parameter. `variable` is the variable of
/// the comprehension, and its value.
fn step(item: &Expression, parameter: &str, variable: Option<(&String, i64)>) -> Option<i64> {
    let is_parameter =
        |part: &Expression| matches!(&part.kind, ExpressionKind::Name(name) if name == parameter);
    let number = |part: &Expression| match (&part.kind, variable) {
        (ExpressionKind::Name(name), Some((known, value))) if name == known => Some(value),
        _ => constant(part),
    };
    match &item.kind {
        ExpressionKind::Binary(both, Binary::Subtract) if is_parameter(&both.0) => {
            number(&both.1)?.checked_neg()
        }
        ExpressionKind::Binary(both, Binary::Add) if is_parameter(&both.0) => number(&both.1),
        ExpressionKind::Binary(both, Binary::Add) if is_parameter(&both.1) => number(&both.0),
        _ => is_parameter(item).then_some(0),
    }
}

/// Returns the value of an integer that is written out.
fn constant(expression: &Expression) -> Option<i64> {
    match &expression.kind {
        ExpressionKind::Int(n) => i64::try_from(*n).ok(),
        ExpressionKind::Unary(Unary::Minus, inner) => match inner.kind {
            ExpressionKind::Int(n) => i64::try_from(-n).ok(),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the integers in a list that is written out, or in a range between constants. A long
/// range is not examined.
fn constants(over: &Expression) -> Option<Vec<i64>> {
    let listed: Option<Vec<i64>> = match &over.kind {
        ExpressionKind::List(items) | ExpressionKind::Tuple(items) => {
            items.iter().map(constant).collect()
        }
        ExpressionKind::Call(function, arguments) => {
            let ExpressionKind::Name(name) = &function.kind else {
                return None;
            };
            if name != "range" || arguments.iter().any(|argument| argument.name.is_some()) {
                return None;
            }
            let bounds: Option<Vec<i64>> = arguments
                .iter()
                .map(|argument| constant(&argument.value))
                .collect();
            let (from, to) = match bounds?[..] {
                [to] => (0, to),
                [from, to] => (from, to),
                _ => return None,
            };
            (to.checked_sub(from)? <= 1000).then(|| (from..to).collect())
        }
        _ => None,
    };
    listed.filter(|values| !values.is_empty())
}
