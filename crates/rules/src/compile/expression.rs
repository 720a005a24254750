//! Compilation of expressions.

use grundy_core::message::Command;
use grundy_core::nearest::nearest;
use grundy_core::{Kind, message};
use grundy_notation::Diagnostic;
use grundy_syntax::{
    Argument, Binary as Sign, Clause, Expression, ExpressionKind, Span, Target, Unary,
};

use super::{Body, Compiler, fraction_error, unsupported, unsupported_with_advice};
use crate::machine::builtin::Builtin;
use crate::machine::method::MethodName;
use crate::program::{Binary, CallForm, Constant, Op};

impl Compiler {
    /// Appends code that pushes the value of an expression.
    #[expect(clippy::too_many_lines, reason = "one arm for each form of expression")]
    pub(super) fn expression(&mut self, expression: &Expression) -> Result<(), Diagnostic> {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Int(value) => {
                if u64::try_from(value.unsigned_abs()).is_err() {
                    let message = message!("the number is out of range");
                    return Err(Diagnostic::new(Kind::Overflow, message).at(span.range()));
                }
                let constant = i64::try_from(*value).map_or(Constant::Wide(*value), Constant::Int);
                self.constant(constant, span);
            }
            ExpressionKind::Text(text) => self.constant(Constant::Text(text.clone()), span),
            ExpressionKind::Float(_) => return Err(fraction_error(span.range())),
            ExpressionKind::Name(name) => self.load(name, span)?,
            ExpressionKind::Tuple(items) => {
                self.expressions(items)?;
                self.emit(Op::Tuple(items.len() as u32), span);
            }
            ExpressionKind::List(items) => {
                self.expressions(items)?;
                self.emit(Op::List(items.len() as u32), span);
            }
            ExpressionKind::Dict(items) => {
                for (key, value) in items {
                    self.expression(key)?;
                    self.expression(value)?;
                }
                self.emit(Op::Dict(items.len() as u32), span);
            }
            ExpressionKind::Unary(operator, inner) => {
                self.expression(inner)?;
                let op = match operator {
                    Unary::Not => Op::Not,
                    Unary::Minus => Op::Minus,
                    Unary::Plus => Op::Plus,
                    Unary::BitNot => Op::BitNot,
                };
                self.emit(op, span);
            }
            ExpressionKind::Binary(both, operator) => {
                self.expression(&both.0)?;
                let jump = match operator {
                    Sign::And => Some(Op::And(0)),
                    Sign::Or => Some(Op::Or(0)),
                    _ => None,
                };
                if let Some(jump) = jump {
                    // If the jump is taken, the left value stays on the stack, since it is the
                    // value of the whole expression.
                    let end = self.emit(jump, span);
                    self.expression(&both.1)?;
                    self.patch_jump(end);
                } else {
                    self.expression(&both.1)?;
                    let op = binary(*operator).ok_or_else(|| fraction_error(span.range()))?;
                    self.emit_merged(Op::Binary(op), span);
                }
            }
            ExpressionKind::If(parts) => {
                let otherwise = self.condition(&parts.0)?;
                self.expression(&parts.1)?;
                let end = self.emit(Op::Jump(0), span);
                otherwise.into_iter().for_each(|jump| self.patch_jump(jump));
                self.expression(&parts.2)?;
                self.patch_jump(end);
            }
            ExpressionKind::Index(both) => {
                self.expression(&both.0)?;
                self.expression(&both.1)?;
                self.emit_merged(Op::Index, span);
            }
            ExpressionKind::Slice(of, bounds) => {
                self.expression(of)?;
                for bound in bounds {
                    match bound {
                        Some(bound) => self.expression(bound)?,
                        None => self.constant(Constant::None, span),
                    }
                }
                self.emit(Op::Slice, span);
            }
            ExpressionKind::Call(callee, arguments) => self.call(callee, arguments, span)?,
            ExpressionKind::Lambda(lambda) => {
                let body = Body::Expression(&lambda.body);
                self.function("lambda", &lambda.parameters, body, span)?;
            }
            ExpressionKind::ListComprehension(body, clauses) => {
                // The list is stored in a hidden variable without a name, so nested comprehensions
                // cannot interfere.
                let list = self.scope().variable("");
                self.emit(Op::List(0), span);
                self.emit(Op::SetLocal(list), span);
                self.comprehension(clauses, &mut |compiler| {
                    compiler.expression(body)?;
                    compiler.emit(Op::AppendTo(list), body.span);
                    Ok(())
                })?;
                self.emit(Op::Local(list), span);
            }
            ExpressionKind::DictComprehension(body, clauses) => {
                let dict = self.scope().variable("");
                self.emit(Op::Dict(0), span);
                self.emit(Op::SetLocal(dict), span);
                self.comprehension(clauses, &mut |compiler| {
                    compiler.expression(&body.0)?;
                    compiler.expression(&body.1)?;
                    compiler.emit(Op::PutInto(dict), body.0.span);
                    Ok(())
                })?;
                self.emit(Op::Local(dict), span);
            }
            ExpressionKind::Dot(_, name) => {
                let message =
                    message!("`.{name}` is a method and must be called", name = name.text);
                return Err(unsupported(message, span));
            }
        }
        Ok(())
    }

    /// Appends code that pushes the values of several expressions.
    pub(super) fn expressions(&mut self, items: &[Expression]) -> Result<(), Diagnostic> {
        items.iter().try_for_each(|item| self.expression(item))
    }

    /// Appends code that pushes the variable, function or constant called `name`.
    pub(super) fn load(&mut self, name: &str, span: Span) -> Result<(), Diagnostic> {
        if let Some(slot) = self.scope().local(name) {
            self.emit(Op::Local(slot), span);
            return Ok(());
        }
        // A variable of an outer function might be used after the frame of that function is
        // removed. So such variables are not supported.
        let (_, outer) = self.scopes.split_last().expect("a scope is always there");
        if outer.iter().any(|scope| scope.local(name).is_some()) {
            let message = message!(
                "inner functions cannot use `{name}`, a variable of the enclosing function",
                name
            );
            let advice = message!(
                "pass the variable as an argument, or as the default value of a parameter: lambda x, y = y: ..."
            );
            return Err(unsupported_with_advice(message, advice, span.range()));
        }
        if let Some(slot) = self.program.globals.iter().position(|known| known == name) {
            self.emit(Op::Global(slot as u32), span);
            return Ok(());
        }
        let constant = match name {
            "None" => Constant::None,
            "True" => Constant::Bool(true),
            "False" => Constant::Bool(false),
            _ => match Builtin::from_name(name) {
                Some(builtin) => Constant::Builtin(builtin),
                None => return Err(self.unknown_name(name, span)),
            },
        };
        self.constant(constant, span);
        Ok(())
    }

    /// Returns the error for an unknown name. It suggests a similar name, if there is one.
    fn unknown_name(&mut self, name: &str, span: Span) -> Diagnostic {
        let message = message!("unknown name `{name}`", name);
        let diagnostic = Diagnostic::new(Kind::UnknownName, message).at(span.range());
        let locals = &self.scopes[self.scopes.len() - 1].function.locals;
        let known = locals.iter().chain(&self.program.globals);
        let known = known.map(String::as_str).filter(|name| !name.is_empty());
        let known: Vec<&str> = known.chain(Builtin::NAMES.map(|(name, _)| name)).collect();
        match (name, nearest(name, known.iter().copied())) {
            // These are names of Python that Starlark does not have.
            ("print", _) => diagnostic.help(message!(
                "rule files cannot print; to see the reachable positions, use `{command}`",
                command = Command::new("label")
            )),
            ("set", _) => diagnostic.help(message!(
                "sets are not supported: use a list, or the keys of a dict, as in {1: True}"
            )),
            (_, Some(near)) => diagnostic.help(message!("did you mean `{near}`?", near)),
            _ => diagnostic,
        }
    }

    /// Appends code that pops a value and stores it in the variable called `name`.
    pub(super) fn store(&mut self, name: &str, span: Span) {
        let scope = self.scope();
        // At the top level, only the variables of comprehensions are local. All other names are
        // global.
        let local = if scope.top_level {
            let inner = scope
                .comprehension_variables
                .iter()
                .rev()
                .find(|(known, _)| known == name);
            inner.map(|(_, slot)| *slot)
        } else {
            scope.local(name)
        };
        let globals = &self.program.globals;
        let op = match local {
            Some(slot) => Op::SetLocal(slot),
            None => Op::SetGlobal(
                globals
                    .iter()
                    .position(|known| known == name)
                    .expect("every name assigned to was collected first") as u32,
            ),
        };
        self.emit_merged(op, span);
    }

    /// Appends code for a condition. If the condition is true, the machine continues after this
    /// code. If it is false, one of the jumps in the code is taken. Returns the indices of these
    /// jumps.
    pub(super) fn condition(&mut self, condition: &Expression) -> Result<Vec<usize>, Diagnostic> {
        // The truth value of `a and b` as a whole is not needed, so each part has a separate jump.
        if let ExpressionKind::Binary(both, Sign::And) = &condition.kind {
            let mut jumps = self.condition(&both.0)?;
            jumps.extend(self.condition(&both.1)?);
            return Ok(jumps);
        }
        self.expression(condition)?;
        Ok(vec![self.emit_merged(Op::JumpIfFalse(0), condition.span)])
    }

    /// Appends the code for a call.
    fn call(
        &mut self,
        callee: &Expression,
        arguments: &[Argument],
        span: Span,
    ) -> Result<(), Diagnostic> {
        let (mut method, mut builtin) = (None, None);
        let named = arguments.iter().any(|argument| argument.name.is_some());
        if let ExpressionKind::Dot(of, name) = &callee.kind {
            method = Some(find_method(&name.text, name.span)?);
            self.expression(of)?;
        } else {
            self.expression(callee)?;
            // Builtin functions with positional arguments are called by a special instruction. Then
            // the function need not be on the stack.
            if !named {
                builtin = self.builtin_on_top();
            }
        }
        let mut names = Vec::new();
        for argument in arguments {
            if let (Some(name), Some(_)) = (&argument.name, &method) {
                let message = message!("arguments of methods have no names");
                return Err(unsupported(message, name.span));
            }
            names.push(argument.name.as_ref().map(|name| name.text.clone()));
            self.expression(&argument.value)?;
        }
        if let Some(method) = method {
            self.emit(Op::CallMethod(method, names.len() as u16), span);
            return Ok(());
        }
        if let Some(builtin) = builtin {
            self.emit(Op::CallBuiltin(builtin, names.len() as u16), span);
            return Ok(());
        }
        let form = CallForm { names, named };
        let calls = &mut self.program.calls;
        // Calls of the same form share an entry in the list of forms.
        let number = calls.iter().position(|known| *known == form);
        let number = number.unwrap_or_else(|| {
            calls.push(form);
            calls.len() - 1
        });
        self.emit(Op::Call(number as u32), span);
        Ok(())
    }

    /// Removes the last instruction if it pushes a builtin function, and returns that function.
    fn builtin_on_top(&mut self) -> Option<Builtin> {
        let scope = self.scopes.last_mut()?;
        let &Op::Constant(number) = scope.function.code.last()? else {
            return None;
        };
        let Constant::Builtin(builtin) = self.program.constants[number as usize] else {
            return None;
        };
        // If the next instruction is the target of a jump, the function on the stack may be another
        // one, as in `(len if x else max)(y)`.
        if scope.last_target == scope.function.code.len() {
            return None;
        }
        scope.function.code.pop();
        scope.function.spans.pop();
        Some(builtin)
    }

    /// Appends the code for a comprehension: its loops, and inside them the code that `body`
    /// appends.
    fn comprehension(
        &mut self,
        clauses: &[Clause],
        body: &mut dyn FnMut(&mut Self) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let outside = self.scope().comprehension_variables.len();
        // For each loop: the target of the jump back to its start, and the index of the `Next`
        // instruction, which jumps to its end.
        let mut loops: Vec<(u32, usize, Span)> = Vec::new();
        for clause in clauses {
            match clause {
                Clause::For(target, over) => self.clause(target, over, &mut loops)?,
                Clause::If(condition) => {
                    // If a condition is false, the innermost loop continues with its next value.
                    let (start, ..) = loops[loops.len() - 1];
                    for jump in self.condition(condition)? {
                        self.scope().function.code[jump].set_target(start);
                    }
                }
            }
        }
        body(self)?;
        for (start, next, span) in loops.into_iter().rev() {
            self.emit(Op::Jump(start), span);
            self.patch_jump(next);
        }
        // The variables of the loops are visible only inside the comprehension.
        self.scope().comprehension_variables.truncate(outside);
        Ok(())
    }

    /// Appends the code for the start of one loop of a comprehension.
    fn clause(
        &mut self,
        target: &Target,
        over: &Expression,
        loops: &mut Vec<(u32, usize, Span)>,
    ) -> Result<(), Diagnostic> {
        // As in Starlark, the sequence is evaluated before the variables of its loop become
        // visible.
        self.expression(over)?;
        let mut names = Vec::new();
        crate::assigned::target_names(target, &mut |name| names.push(name.to_owned()));
        for name in names {
            let slot = self.scope().variable("");
            self.scope().comprehension_variables.push((name, slot));
        }
        self.emit(Op::Iterate, over.span);
        let start = self.mark_target();
        let next = self.emit(Op::Next(0), over.span);
        self.assign(target)?;
        loops.push((start, next, over.span));
        Ok(())
    }
}

/// Returns the instruction for an operator, if it always evaluates both operands.
pub(super) fn binary(operator: Sign) -> Option<Binary> {
    Some(match operator {
        Sign::Equal => Binary::Equal,
        Sign::NotEqual => Binary::NotEqual,
        Sign::Less => Binary::Less,
        Sign::Greater => Binary::Greater,
        Sign::LessOrEqual => Binary::LessOrEqual,
        Sign::GreaterOrEqual => Binary::GreaterOrEqual,
        Sign::In => Binary::In,
        Sign::NotIn => Binary::NotIn,
        Sign::Subtract => Binary::Subtract,
        Sign::Add => Binary::Add,
        Sign::Multiply => Binary::Multiply,
        Sign::Power => Binary::Power,
        Sign::Percent => Binary::Percent,
        Sign::FloorDivide => Binary::FloorDivide,
        Sign::BitAnd => Binary::BitAnd,
        Sign::BitOr => Binary::BitOr,
        Sign::BitXor => Binary::BitXor,
        Sign::LeftShift => Binary::LeftShift,
        Sign::RightShift => Binary::RightShift,
        // `/` would need fractions. `and` and `or` are compiled as jumps and do not occur here.
        Sign::Divide | Sign::And | Sign::Or => return None,
    })
}

/// Returns the method called `name`, or an error that suggests a similar name.
fn find_method(name: &str, span: Span) -> Result<MethodName, Diagnostic> {
    MethodName::from_name(name).ok_or_else(|| {
        let message = message!("unknown method `{name}`", name);
        let diagnostic = Diagnostic::new(Kind::UnknownName, message).at(span.range());
        match nearest(name, MethodName::NAMES.iter().map(|(name, _)| *name)) {
            Some(near) => diagnostic.help(message!("did you mean `{near}`?", near)),
            None => diagnostic,
        }
    })
}
