//! The evaluator: it runs a function once for each choice of the conditions on a.

use std::collections::{HashMap, HashSet};

use grundy_syntax::{Binary, Expression, Statement, StatementKind, Target, TargetKind};

use super::arithmetic::{Constraint, Number, Region};
use super::value::{List, Value};
use super::{Budget, Decided, Function, Names, SymbolicOption, Undecided};
use crate::assigned::{assigned_names, target_names};

/// Largest number of runs.
const MAX_RUNS: usize = 200;

/// Largest number of nested calls, statements and expressions.
const MAX_DEPTH: u32 = 80;

/// Largest number of constraints on a and n at the same time.
const MAX_CONSTRAINTS: usize = 40;

/// A loop over an unknown number that is being evaluated.
#[derive(Debug)]
pub(super) struct UnknownLoop {
    pub(super) number: usize,
    /// The number of lists that existed before the loop.
    pub(super) lists_before: usize,
    /// The number of constraints before the loop.
    pub(super) constraints_before: usize,
}

/// The variables of a call.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// The names that the function assigns.
    pub(super) locals: HashSet<String>,
    pub(super) variables: HashMap<String, Value>,
    /// The variables of comprehensions, the innermost last.
    pub(super) comprehensions: Vec<(String, Value)>,
}

enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

pub(super) struct Evaluator<'a, 'b> {
    pub(super) names: &'a Names<'a>,
    /// The number of values of a range that are evaluated one by one, before the rest is evaluated
    /// for an unknown number.
    first: i128,
    /// The steps that all runs together may take.
    budget: &'a mut Budget<'b>,
    depth: u32,
    pub(super) lists: Vec<List>,
    frames: Vec<Frame>,
    pub(super) region: Region,
    pub(super) unknown: Option<UnknownLoop>,
    /// The number of loops over an unknown number in this run.
    loops: usize,
    /// The choices of this run, and the number of those that have been used.
    choices: Vec<bool>,
    used: usize,
}

/// Returns all options of the number n under the rules of `function`, for each n of at least
/// `least`. The set is complete: there is no other option.
///
/// # Errors
/// A function that cannot be decided.
pub(crate) fn options(
    function: &str,
    least: i128,
    names: &Names<'_>,
    budget: &mut Budget<'_>,
) -> Decided<Vec<SymbolicOption>> {
    let function = *names.functions.get(function).ok_or(Undecided)?;
    // The order is that of the runs, so that a proof always takes the same steps.
    let mut found: Vec<SymbolicOption> = Vec::new();
    let mut known: HashSet<SymbolicOption> = HashSet::new();
    let mut evaluator = Evaluator {
        names,
        first: least / 4,
        budget,
        depth: 0,
        lists: Vec::new(),
        frames: Vec::new(),
        region: Region::default(),
        unknown: None,
        loops: 0,
        choices: Vec::new(),
        used: 0,
    };
    for _ in 0..MAX_RUNS {
        evaluator.region = Region::from(least);
        evaluator.lists.clear();
        (evaluator.loops, evaluator.used) = (0, 0);
        let returned = evaluator.run(function, vec![Value::Int(Number::new(1, 0, 0, 1)?)])?;
        for item in evaluator.returned_items(&returned)? {
            let option = SymbolicOption {
                heaps: heaps(&item.value)?,
                when: item.when,
            };
            evaluator.charge(option.heaps.len() + option.when.len())?;
            if known.insert(option.clone()) {
                found.push(option);
            }
        }
        // The next choices, in the order of binary numbers.
        while evaluator.choices.last() == Some(&false) {
            evaluator.choices.pop();
        }
        match evaluator.choices.last_mut() {
            Some(last) => *last = false,
            None => return Ok(found),
        }
    }
    Err(Undecided)
}

/// Returns the numbers of the position or the sum that a move leads to.
fn heaps(option: &Value) -> Decided<Vec<Number>> {
    let option = match option {
        Value::Tuple(pair) => match &pair[..] {
            [Value::Text(_), to] => to,
            _ => return Err(Undecided),
        },
        option => option,
    };
    let one = |value: &Value| match value {
        Value::Int(number) => Ok(*number),
        _ => Err(Undecided),
    };
    match option {
        Value::Sum(parts) => parts.iter().map(one).collect(),
        other => Ok(vec![one(other)?]),
    }
}

impl Evaluator<'_, '_> {
    /// Counts `steps` further steps.
    pub(super) fn charge(&mut self, steps: usize) -> Decided<()> {
        self.budget.charge(steps.saturating_add(1))
    }

    /// Runs `task` one level deeper.
    pub(super) fn nested<T>(&mut self, task: impl FnOnce(&mut Self) -> Decided<T>) -> Decided<T> {
        self.charge(0)?;
        if self.depth == MAX_DEPTH {
            return Err(Undecided);
        }
        self.depth += 1;
        let result = task(self);
        self.depth -= 1;
        result
    }

    /// Calls a function.
    pub(super) fn run(&mut self, function: Function<'_>, arguments: Vec<Value>) -> Decided<Value> {
        if function.parameters.len() != arguments.len() {
            return Err(Undecided);
        }
        let mut frame = Frame::default();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            frame.locals.insert(parameter.name.text.clone());
            frame
                .variables
                .insert(parameter.name.text.clone(), argument);
        }
        assigned_names(function.body, &mut |name, _| {
            frame.locals.insert(name.to_owned());
        });
        self.frames.push(frame);
        let flow = self.nested(|this| this.block(function.body))?;
        self.frames.pop();
        match flow {
            Flow::Return(value) => Ok(value),
            Flow::Next => Ok(Value::None),
            Flow::Break | Flow::Continue => Err(Undecided),
        }
    }

    pub(super) fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function is running")
    }

    fn block(&mut self, body: &[Statement]) -> Decided<Flow> {
        for statement in body {
            match self.nested(|this| this.statement(statement))? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Statement) -> Decided<Flow> {
        match &statement.kind {
            StatementKind::Pass => {}
            StatementKind::Break => return Ok(Flow::Break),
            StatementKind::Continue => return Ok(Flow::Continue),
            StatementKind::Return(value) => {
                return Ok(Flow::Return(match value {
                    Some(value) => self.expression(value)?,
                    None => Value::None,
                }));
            }
            StatementKind::Expression(value) => {
                self.expression(value)?;
            }
            StatementKind::Assign(target, value) => {
                let value = self.expression(value)?;
                self.assign(target, value)?;
            }
            StatementKind::Modify(target, operator, value) => {
                let TargetKind::Name(name) = &target.kind else {
                    return Err(Undecided);
                };
                let before = self.name(name)?;
                let value = self.expression(value)?;
                if let (Value::List(list), Binary::Add) = (&before, operator) {
                    let items = self.copied_items(&value)?;
                    self.append(*list, items)?;
                } else {
                    let value = self.binary(&before, *operator, &value)?;
                    self.assign(target, value)?;
                }
            }
            StatementKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    let condition = self.expression(condition)?;
                    if self.truth(&condition)? {
                        return self.block(body);
                    }
                }
                return self.block(otherwise);
            }
            StatementKind::For(target, over, body) => return self.for_loop(target, over, body),
            StatementKind::Def(..) => return Err(Undecided),
        }
        Ok(Flow::Next)
    }

    fn for_loop(
        &mut self,
        target: &Target,
        over: &Expression,
        body: &[Statement],
    ) -> Decided<Flow> {
        let over = self.expression(over)?;
        let variables = &self.frame().variables;
        let mut changed = HashSet::new();
        let mut change = |name: &str, is_extended: bool| {
            // The statement `list += items` appends to the list, and the variable is unchanged.
            if !is_extended || !matches!(variables.get(name), Some(Value::List(_))) {
                changed.insert(name.to_owned());
            }
        };
        target_names(target, &mut |name| change(name, false));
        assigned_names(body, &mut change);
        let mut returned = None;
        self.each(&over, &changed, &mut |this, value| {
            this.assign(target, value)?;
            match this.block(body)? {
                Flow::Next | Flow::Continue => Ok(true),
                Flow::Break => Ok(false),
                Flow::Return(value) => {
                    returned = Some(value);
                    Ok(false)
                }
            }
        })?;
        Ok(returned.map_or(Flow::Next, Flow::Return))
    }

    fn assign(&mut self, target: &Target, value: Value) -> Decided<()> {
        match &target.kind {
            TargetKind::Name(name) => {
                self.frame().variables.insert(name.clone(), value);
            }
            TargetKind::Tuple(targets) => {
                let values = self.values(&value)?;
                if values.len() != targets.len() {
                    return Err(Undecided);
                }
                for (target, value) in targets.iter().zip(values) {
                    self.nested(|this| this.assign(target, value))?;
                }
            }
            TargetKind::Index(_) => return Err(Undecided),
        }
        Ok(())
    }

    /// Calls `body` for each value of a list, tuple or range, until it returns `false`. `changed`
    /// has the variables that the body assigns.
    pub(super) fn each(
        &mut self,
        over: &Value,
        changed: &HashSet<String>,
        body: &mut dyn FnMut(&mut Self, Value) -> Decided<bool>,
    ) -> Decided<()> {
        let &Value::Range { from, to, step } = over else {
            for value in self.values(over)? {
                self.charge(0)?;
                if !body(self, value)? {
                    break;
                }
            }
            return Ok(());
        };
        let one = Number::constant(1)?;
        if let Some(length) = to.minus(from)?.as_constant() {
            let mut offset = 0;
            while if step > 0 {
                offset < length
            } else {
                offset > length
            } {
                self.charge(0)?;
                if !body(self, Value::Int(from.add(Number::constant(offset)?)?))? {
                    break;
                }
                offset += step;
            }
            return Ok(());
        }
        // The generic value is any value of the range, so the order of the values does not matter.
        let (mut from, to) = match step {
            1 => (from, to),
            -1 => (to.add(one)?, from.add(one)?),
            _ => return Err(Undecided),
        };
        if step == 1 && self.unknown.is_none() && from.as_constant().is_some() {
            for _ in 0..self.first {
                let next = from.add(one)?;
                if !self.region.implies(next.at_most(to)?) {
                    break;
                }
                self.charge(0)?;
                if !body(self, Value::Int(from))? {
                    return Ok(());
                }
                from = next;
            }
        }
        self.each_unknown(from, to, changed, body)
    }

    /// Calls `body` for the unknown number a, where `from` <= a < `to`.
    fn each_unknown(
        &mut self,
        from: Number,
        to: Number,
        changed: &HashSet<String>,
        body: &mut dyn FnMut(&mut Self, Value) -> Decided<bool>,
    ) -> Decided<()> {
        let unknown = Number::new(0, 1, 0, 1)?;
        let next = unknown.add(Number::constant(1)?)?;
        let inside = [from.at_most(unknown)?, next.at_most(to)?];
        // The values that other passes of the loop assign are not known, before and after the pass
        // for the number a.
        let forget = |this: &mut Self| {
            let variables = &mut this.frame().variables;
            variables.retain(|name, _| !changed.contains(name));
        };
        forget(self);
        if self.region.with(inside).is_empty() {
            return Ok(());
        }
        if self.unknown.is_some() {
            return Err(Undecided);
        }
        self.loops += 1;
        let constraints_before = self.region.0.len();
        self.unknown = Some(UnknownLoop {
            number: self.loops,
            lists_before: self.lists.len(),
            constraints_before,
        });
        self.region.0.extend(inside);
        // If the loop ends early, the passes for smaller numbers matter.
        if !body(self, Value::Int(unknown))? {
            return Err(Undecided);
        }
        self.unknown = None;
        self.region.0.truncate(constraints_before);
        forget(self);
        Ok(())
    }

    /// Returns whether `constraint` holds. If both is possible, one of the cases is chosen, and it
    /// is added to the constraints.
    fn decide(&mut self, constraint: Constraint) -> Decided<bool> {
        let constraints = self.region.0.len();
        self.charge(self.region.steps())?;
        if self.region.implies(constraint) {
            return Ok(true);
        }
        if self.region.with([constraint]).is_empty() {
            return Ok(false);
        }
        if self.unknown.is_none() || constraint.a == 0 || constraints == MAX_CONSTRAINTS {
            return Err(Undecided);
        }
        if self.used == self.choices.len() {
            self.choices.push(true);
        }
        let choice = self.choices[self.used];
        self.used += 1;
        self.region.0.push(if choice {
            constraint
        } else {
            constraint.negated()
        });
        Ok(choice)
    }

    pub(super) fn at_most(&mut self, x: Number, y: Number) -> Decided<bool> {
        self.decide(x.at_most(y)?)
    }

    pub(super) fn numbers_equal(&mut self, x: Number, y: Number) -> Decided<bool> {
        Ok(x == y || self.at_most(x, y)? && self.at_most(y, x)?)
    }

    pub(super) fn truth(&mut self, value: &Value) -> Decided<bool> {
        Ok(match value {
            Value::None => false,
            Value::Bool(truth) => *truth,
            Value::Int(number) => !self.numbers_equal(*number, Number::constant(0)?)?,
            Value::Tuple(items) => !items.is_empty(),
            Value::List(list) => !self.read(*list)?.is_empty(),
            _ => return Err(Undecided),
        })
    }
}
