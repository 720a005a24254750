//! The evaluation of expressions.

use std::collections::HashSet;

use super::arithmetic::Number;
use super::evaluate::Evaluator;
use super::value::{Item, List, Value};
use super::{Decided, Global, Undecided};
use crate::operate::power;

use grundy_syntax::{
    Argument, Binary, Clause, Expression, ExpressionKind, Target, TargetKind, Unary,
};

impl Evaluator<'_, '_> {
    pub(super) fn name(&mut self, name: &str) -> Decided<Value> {
        match name {
            "True" => return Ok(Value::Bool(true)),
            "False" => return Ok(Value::Bool(false)),
            "None" => return Ok(Value::None),
            _ => {}
        }
        let frame = self.frame();
        let inner = frame
            .comprehensions
            .iter()
            .rev()
            .find(|(known, _)| known == name);
        if let Some((_, value)) = inner {
            return Ok(value.clone());
        }
        if frame.locals.contains(name) {
            return frame.variables.get(name).cloned().ok_or(Undecided);
        }
        match self.names.globals.get(name) {
            Some(Global::Function) if self.names.functions.contains_key(name) => {
                return Ok(Value::Function(name.into()));
            }
            Some(global) => return self.global(global),
            None => {}
        }
        let builtins = [
            "range", "len", "min", "max", "abs", "sum_of", "list", "tuple", "str", "bool",
        ];
        let found = builtins.into_iter().find(|known| *known == name);
        found.map(Value::Builtin).ok_or(Undecided)
    }

    /// Returns the value of a global variable. The depth of `global` is limited.
    fn global(&mut self, global: &Global) -> Decided<Value> {
        self.charge(0)?;
        Ok(match global {
            Global::Bool(truth) => Value::Bool(*truth),
            Global::Int(n) => Value::Int(Number::constant(i128::from(*n))?),
            Global::Text => Value::Text(None),
            Global::List(items) | Global::Tuple(items) => {
                let values: Decided<Vec<Value>> =
                    items.iter().map(|item| self.global(item)).collect();
                let values = values?;
                if let Global::Tuple(_) = global {
                    return Ok(Value::Tuple(self.checked(values)?));
                }
                self.lists.push(List {
                    items: values.into_iter().map(Item::from).collect(),
                    is_frozen: true,
                });
                Value::List(self.lists.len() - 1)
            }
            Global::Function | Global::Other => return Err(Undecided),
        })
    }

    pub(super) fn expression(&mut self, expression: &Expression) -> Decided<Value> {
        self.nested(|this| this.evaluate(expression))
    }

    fn evaluate(&mut self, expression: &Expression) -> Decided<Value> {
        match &expression.kind {
            ExpressionKind::Name(name) => self.name(name),
            ExpressionKind::Int(n) => Ok(Value::Int(Number::constant(*n)?)),
            ExpressionKind::Text(text) => Ok(Value::Text(Some(text.as_str().into()))),
            ExpressionKind::Tuple(items) => {
                let items: Decided<Vec<Value>> =
                    items.iter().map(|item| self.expression(item)).collect();
                Ok(Value::Tuple(self.checked(items?)?))
            }
            ExpressionKind::List(items) => {
                let mut values = Vec::new();
                for item in items {
                    let value = self.expression(item)?;
                    values.push(self.item(value));
                }
                Ok(self.new_list(values))
            }
            ExpressionKind::Unary(operator, inner) => {
                let value = self.expression(inner)?;
                match (operator, value) {
                    (Unary::Not, value) => Ok(Value::Bool(!self.truth(&value)?)),
                    (Unary::Minus, Value::Int(number)) => Ok(Value::Int(number.negated()?)),
                    (Unary::Plus, value @ Value::Int(_)) => Ok(value),
                    _ => Err(Undecided),
                }
            }
            ExpressionKind::Binary(both, operator @ (Binary::And | Binary::Or)) => {
                let left = self.expression(&both.0)?;
                let decides = self.truth(&left)? == (*operator == Binary::Or);
                if decides {
                    Ok(left)
                } else {
                    self.expression(&both.1)
                }
            }
            ExpressionKind::Binary(both, operator) => {
                let left = self.expression(&both.0)?;
                let right = self.expression(&both.1)?;
                self.binary(&left, *operator, &right)
            }
            ExpressionKind::If(all) => {
                let condition = self.expression(&all.0)?;
                let truth = self.truth(&condition)?;
                self.expression(if truth { &all.1 } else { &all.2 })
            }
            ExpressionKind::Index(both) => {
                let of = self.expression(&both.0)?;
                let index = self.expression(&both.1)?;
                let Value::Int(index) = index else {
                    return Err(Undecided);
                };
                let values = self.values(&of)?;
                let index = index.as_constant().ok_or(Undecided)?;
                let length = values.len() as i128;
                let index = if index < 0 { index + length } else { index };
                let index = usize::try_from(index).map_err(|_| Undecided)?;
                values.get(index).cloned().ok_or(Undecided)
            }
            ExpressionKind::Call(function, arguments) => self.call(function, arguments),
            ExpressionKind::ListComprehension(item, clauses) => {
                let list = self.new_list(Vec::new());
                let Value::List(number) = list else {
                    return Err(Undecided);
                };
                self.comprehension(item, clauses, number)?;
                Ok(list)
            }
            _ => Err(Undecided),
        }
    }

    pub(super) fn binary(
        &mut self,
        left: &Value,
        operator: Binary,
        right: &Value,
    ) -> Decided<Value> {
        match (operator, left, right) {
            (_, Value::Int(x), Value::Int(y)) => self.arithmetic(*x, operator, *y),
            (Binary::In | Binary::NotIn, Value::Int(number), _) => {
                let found = self.contains(right, *number)?;
                Ok(Value::Bool(found == (operator == Binary::In)))
            }
            (Binary::Add, Value::Text(_), Value::Text(_)) => Ok(Value::Text(None)),
            (Binary::Percent, Value::Text(Some(format)), value) => {
                let items = match value {
                    Value::Tuple(items) => &items[..],
                    value => std::slice::from_ref(value),
                };
                let plain = fits(format, items);
                plain.then_some(Value::Text(None)).ok_or(Undecided)
            }
            (Binary::Add, Value::List(_), Value::List(_)) => {
                let mut items = self.copied_items(left)?;
                items.extend(self.copied_items(right)?);
                Ok(self.new_list(items))
            }
            (Binary::Add, Value::Tuple(x), Value::Tuple(y)) => {
                self.charge(x.len() + y.len())?;
                let items = x.iter().chain(y.iter()).cloned().collect();
                Ok(Value::Tuple(self.checked(items)?))
            }
            (Binary::Equal, Value::Bool(x), Value::Bool(y)) => Ok(Value::Bool(x == y)),
            (Binary::NotEqual, Value::Bool(x), Value::Bool(y)) => Ok(Value::Bool(x != y)),
            _ => Err(Undecided),
        }
    }

    fn contains(&mut self, of: &Value, number: Number) -> Decided<bool> {
        if let &Value::Range { from, to, step: 1 } = of {
            let next = number.add(Number::constant(1)?)?;
            return Ok(self.at_most(from, number)? && self.at_most(next, to)?);
        }
        for value in self.values(of)? {
            match value {
                Value::Int(known) => {
                    if self.numbers_equal(known, number)? {
                        return Ok(true);
                    }
                }
                _ => return Err(Undecided),
            }
        }
        Ok(false)
    }

    fn arithmetic(&mut self, x: Number, operator: Binary, y: Number) -> Decided<Value> {
        let one = Number::constant(1)?;
        // The second operand of a division or a shift must be a constant.
        let constant = || y.as_constant().ok_or(Undecided);
        let divisor = || constant().and_then(|k| (k != 0).then_some(k).ok_or(Undecided));
        let shift = || constant().and_then(|k| (0..=50).contains(&k).then_some(k).ok_or(Undecided));
        let number = match operator {
            Binary::Add => x.add(y),
            Binary::Subtract => x.minus(y),
            Binary::Multiply => x.times(y),
            Binary::Power => match (x.as_constant(), y.as_constant()) {
                (Some(base), Some(exponent)) => power(base, exponent)
                    .map_err(|_| Undecided)
                    .and_then(Number::constant),
                _ => Err(Undecided),
            },
            Binary::FloorDivide => x.floor_divided(divisor()?),
            Binary::Percent => x.remainder(divisor()?),
            Binary::RightShift => x.floor_divided(1 << shift()?),
            Binary::LeftShift => x.times(Number::constant(1 << shift()?)?),
            Binary::Equal => return Ok(Value::Bool(self.numbers_equal(x, y)?)),
            Binary::NotEqual => return Ok(Value::Bool(!self.numbers_equal(x, y)?)),
            Binary::LessOrEqual => return Ok(Value::Bool(self.at_most(x, y)?)),
            Binary::GreaterOrEqual => return Ok(Value::Bool(self.at_most(y, x)?)),
            Binary::Less => return Ok(Value::Bool(self.at_most(x.add(one)?, y)?)),
            Binary::Greater => return Ok(Value::Bool(self.at_most(y.add(one)?, x)?)),
            _ => Err(Undecided),
        };
        number.map(Value::Int)
    }

    fn comprehension(&mut self, item: &Expression, clauses: &[Clause], list: usize) -> Decided<()> {
        let Some((clause, rest)) = clauses.split_first() else {
            let value = self.expression(item)?;
            let item = self.item(value);
            return self.append(list, vec![item]);
        };
        match clause {
            Clause::If(condition) => {
                let condition = self.expression(condition)?;
                if self.truth(&condition)? {
                    self.nested(|this| this.comprehension(item, rest, list))?;
                }
                Ok(())
            }
            Clause::For(target, over) => {
                let over = self.expression(over)?;
                self.each(&over, &HashSet::new(), &mut |this, value| {
                    let before = this.frame().comprehensions.len();
                    this.bind(target, value)?;
                    this.nested(|this| this.comprehension(item, rest, list))?;
                    this.frame().comprehensions.truncate(before);
                    Ok(true)
                })
            }
        }
    }

    /// Binds the variables of a comprehension.
    fn bind(&mut self, target: &Target, value: Value) -> Decided<()> {
        match &target.kind {
            TargetKind::Name(name) => {
                self.frame().comprehensions.push((name.clone(), value));
                Ok(())
            }
            TargetKind::Tuple(targets) => {
                let values = self.values(&value)?;
                if values.len() != targets.len() {
                    return Err(Undecided);
                }
                for (target, value) in targets.iter().zip(values) {
                    self.nested(|this| this.bind(target, value))?;
                }
                Ok(())
            }
            TargetKind::Index(_) => Err(Undecided),
        }
    }

    fn call(&mut self, function: &Expression, arguments: &[Argument]) -> Decided<Value> {
        if arguments.iter().any(|argument| argument.name.is_some()) {
            return Err(Undecided);
        }
        if let ExpressionKind::Dot(of, method) = &function.kind {
            let of = self.expression(of)?;
            let values = self.arguments(arguments)?;
            let (Value::List(list), [value]) = (of, &values[..]) else {
                return Err(Undecided);
            };
            let items = match &method.text[..] {
                "append" => vec![self.item(value.clone())],
                "extend" => self.copied_items(value)?,
                _ => return Err(Undecided),
            };
            self.append(list, items)?;
            return Ok(Value::None);
        }
        let function = self.expression(function)?;
        let values = self.arguments(arguments)?;
        match function {
            Value::Function(name) => {
                let function = *self.names.functions.get(&name[..]).ok_or(Undecided)?;
                self.nested(|this| this.run(function, values))
            }
            Value::Builtin(name) => self.builtin(name, &values),
            _ => Err(Undecided),
        }
    }

    fn arguments(&mut self, arguments: &[Argument]) -> Decided<Vec<Value>> {
        let values = arguments
            .iter()
            .map(|argument| self.expression(&argument.value));
        values.collect()
    }

    fn builtin(&mut self, name: &str, arguments: &[Value]) -> Decided<Value> {
        let zero = Number::constant(0)?;
        match (name, arguments) {
            ("range", [Value::Int(to)]) => Ok(Value::Range {
                from: zero,
                to: *to,
                step: 1,
            }),
            ("range", [Value::Int(from), Value::Int(to)]) => Ok(Value::Range {
                from: *from,
                to: *to,
                step: 1,
            }),
            ("range", [Value::Int(from), Value::Int(to), Value::Int(step)]) => {
                let step = step.as_constant().filter(|step| *step != 0);
                Ok(Value::Range {
                    from: *from,
                    to: *to,
                    step: step.ok_or(Undecided)?,
                })
            }
            ("len", [of @ (Value::List(_) | Value::Tuple(_))]) => {
                let length = self.values(of)?.len();
                Ok(Value::Int(Number::constant(length as i128)?))
            }
            ("min" | "max", [first, rest @ ..]) => {
                let values = match (first, rest) {
                    (list, []) => self.values(list)?,
                    _ => arguments.to_vec(),
                };
                let mut best: Option<Number> = None;
                for value in values {
                    let Value::Int(number) = value else {
                        return Err(Undecided);
                    };
                    best = Some(match best {
                        None => number,
                        Some(known) => {
                            let at_most = self.at_most(number, known)?;
                            if at_most == (name == "min") {
                                number
                            } else {
                                known
                            }
                        }
                    });
                }
                best.map(Value::Int).ok_or(Undecided)
            }
            ("abs", [Value::Int(number)]) => {
                let positive = self.at_most(zero, *number)?;
                Ok(Value::Int(if positive {
                    *number
                } else {
                    number.negated()?
                }))
            }
            ("sum_of", [of]) => {
                let parts = self.values(of)?;
                Ok(Value::Sum(self.checked(parts)?))
            }
            ("list", [of]) => {
                let values = self.values(of)?;
                let items = values.into_iter().map(|value| self.item(value)).collect();
                Ok(self.new_list(items))
            }
            ("tuple", [of]) => {
                let items = self.values(of)?;
                Ok(Value::Tuple(self.checked(items)?))
            }
            ("str", [Value::Int(_) | Value::Text(_)]) => Ok(Value::Text(None)),
            ("bool", [value]) => Ok(Value::Bool(self.truth(value)?)),
            _ => Err(Undecided),
        }
    }
}

/// Returns whether a format has a placeholder `%d` or `%s` for each item, and no other use of `%`.
fn fits(format: &str, items: &[Value]) -> bool {
    let mut parts = format.split('%');
    let _ = parts.next();
    let placeholders: Vec<Option<char>> = parts.map(|part| part.chars().next()).collect();
    let fits = |(placeholder, item): (&Option<char>, &Value)| match item {
        Value::Int(_) => matches!(placeholder, Some('d' | 's')),
        Value::Text(_) => *placeholder == Some('s'),
        _ => false,
    };
    placeholders.len() == items.len() && placeholders.iter().zip(items).all(fits)
}
