//! Compilation of expressions.

use grundy_core::message::Command;
use grundy_core::nearest::nearest;
use grundy_core::{Kind, message};
use grundy_notation::Diagnostic;
use grundy_notation::parse::range;
use num_traits::ToPrimitive as _;
use starlark_syntax::codemap::Span;
use starlark_syntax::lexer::TokenInt;
use starlark_syntax::syntax::ast::{
    ArgumentP, AstArgument, AstExpr, AstLiteral, BinOp, ClauseP, ExprP, ForClauseP,
};

use super::statement::fraction_error;
use super::{Body, Compiler, unsupported, unsupported_with_advice};
use crate::machine::builtin::Builtin;
use crate::machine::method::MethodName;
use crate::program::{Binary, CallForm, Constant, Op};

impl Compiler {
    /// Appends code that pushes the value of an expression.
    #[expect(clippy::too_many_lines, reason = "one arm for each form of expression")]
    pub(super) fn expression(&mut self, expression: &AstExpr) -> Result<(), Diagnostic> {
        let span = expression.span;
        match &expression.node {
            ExprP::Literal(literal) => self.literal(literal, span)?,
            ExprP::Identifier(name) => self.load(&name.node.ident, name.span)?,
            ExprP::Tuple(items) => {
                self.expressions(items)?;
                self.emit(Op::Tuple(items.len() as u32), span);
            }
            ExprP::List(items) => {
                self.expressions(items)?;
                self.emit(Op::List(items.len() as u32), span);
            }
            ExprP::Dict(items) => {
                for (key, value) in items {
                    self.expression(key)?;
                    self.expression(value)?;
                }
                self.emit(Op::Dict(items.len() as u32), span);
            }
            ExprP::Not(inner) => self.unary(inner, Op::Not, span)?,
            ExprP::Minus(inner) => self.unary(inner, Op::Minus, span)?,
            ExprP::Plus(inner) => self.unary(inner, Op::Plus, span)?,
            ExprP::BitNot(inner) => self.unary(inner, Op::BitNot, span)?,
            ExprP::Op(left, op, right) => {
                self.expression(left)?;
                match op {
                    BinOp::And | BinOp::Or => {
                        // If the jump is taken, the left value stays on the stack, since it is the
                        // value of the whole expression.
                        let jump = match op {
                            BinOp::And => Op::And(0),
                            _ => Op::Or(0),
                        };
                        let end = self.emit(jump, span);
                        self.expression(right)?;
                        self.patch_jump(end);
                    }
                    _ => {
                        self.expression(right)?;
                        let op = binary(*op).ok_or_else(|| fraction_error(range(span)))?;
                        self.emit_merged(Op::Binary(op), span);
                    }
                }
            }
            ExprP::If(parts) => {
                let otherwise = self.condition(&parts.0)?;
                self.expression(&parts.1)?;
                let end = self.emit(Op::Jump(0), span);
                otherwise.into_iter().for_each(|jump| self.patch_jump(jump));
                self.expression(&parts.2)?;
                self.patch_jump(end);
            }
            ExprP::Index(both) => {
                self.expression(&both.0)?;
                self.expression(&both.1)?;
                self.emit_merged(Op::Index, span);
            }
            ExprP::Slice(of, from, to, step) => {
                self.expression(of)?;
                for bound in [from, to, step] {
                    match bound {
                        Some(bound) => self.expression(bound)?,
                        None => self.constant(Constant::None, span),
                    }
                }
                self.emit(Op::Slice, span);
            }
            ExprP::Call(callee, arguments) => self.call(callee, &arguments.args, span)?,
            ExprP::Lambda(lambda) => {
                self.function(
                    "lambda",
                    &lambda.params,
                    Body::Expression(&lambda.body),
                    span,
                )?;
            }
            ExprP::ListComprehension(body, first, rest) => {
                // The list is stored in a hidden variable without a name, so nested comprehensions
                // cannot interfere.
                let list = self.scope().variable("");
                self.emit(Op::List(0), span);
                self.emit(Op::SetLocal(list), span);
                self.comprehension(first, rest, &mut |compiler| {
                    compiler.expression(body)?;
                    compiler.emit(Op::AppendTo(list), body.span);
                    Ok(())
                })?;
                self.emit(Op::Local(list), span);
            }
            ExprP::DictComprehension(body, first, rest) => {
                let dict = self.scope().variable("");
                self.emit(Op::Dict(0), span);
                self.emit(Op::SetLocal(dict), span);
                self.comprehension(first, rest, &mut |compiler| {
                    compiler.expression(&body.0)?;
                    compiler.expression(&body.1)?;
                    compiler.emit(Op::PutInto(dict), body.0.span);
                    Ok(())
                })?;
                self.emit(Op::Local(dict), span);
            }
            ExprP::Dot(_, name) => {
                let message =
                    message!("`.{name}` is a method and must be called", name = name.node);
                return Err(unsupported(message, span));
            }
            ExprP::Index2(_) | ExprP::FString(_) => {
                return Err(unsupported(
                    message!("this syntax is not supported in rule files"),
                    span,
                ));
            }
        }
        Ok(())
    }

    /// Appends code that pushes the values of several expressions.
    pub(super) fn expressions(&mut self, items: &[AstExpr]) -> Result<(), Diagnostic> {
        items.iter().try_for_each(|item| self.expression(item))
    }

    /// Appends the code for a unary operator.
    fn unary(&mut self, inner: &AstExpr, op: Op, span: Span) -> Result<(), Diagnostic> {
        self.expression(inner)?;
        self.emit(op, span);
        Ok(())
    }

    /// Appends the code for a literal.
    fn literal(&mut self, literal: &AstLiteral, span: Span) -> Result<(), Diagnostic> {
        let constant = match literal {
            AstLiteral::Int(int) => {
                let value = match &int.node {
                    TokenInt::I32(n) => Some(i64::from(*n)),
                    TokenInt::BigInt(n) => n.to_i64(),
                };
                Constant::Int(value.ok_or_else(|| {
                    Diagnostic::new(
                        Kind::Overflow,
                        message!("the number does not fit in 64 bits"),
                    )
                    .at(range(span))
                })?)
            }
            AstLiteral::String(text) => Constant::Text(text.node.clone()),
            AstLiteral::Float(_) => return Err(fraction_error(range(span))),
            AstLiteral::Bytes(_) | AstLiteral::Ellipsis => {
                return Err(unsupported(
                    message!("this syntax is not supported in rule files"),
                    span,
                ));
            }
        };
        self.constant(constant, span);
        Ok(())
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
            return Err(unsupported_with_advice(message, advice, range(span)));
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
        let diagnostic = Diagnostic::new(Kind::UnknownName, message).at(range(span));
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
    pub(super) fn condition(&mut self, condition: &AstExpr) -> Result<Vec<usize>, Diagnostic> {
        // The truth value of `a and b` as a whole is not needed, so each part has a separate jump.
        if let ExprP::Op(left, BinOp::And, right) = &condition.node {
            let mut jumps = self.condition(left)?;
            jumps.extend(self.condition(right)?);
            return Ok(jumps);
        }
        self.expression(condition)?;
        Ok(vec![self.emit_merged(Op::JumpIfFalse(0), condition.span)])
    }

    /// Appends the code for a call.
    fn call(
        &mut self,
        callee: &AstExpr,
        arguments: &[AstArgument],
        span: Span,
    ) -> Result<(), Diagnostic> {
        let (mut method, mut builtin) = (None, None);
        let named = |argument: &AstArgument| matches!(argument.node, ArgumentP::Named(..));
        let named = arguments.iter().any(named);
        if let ExprP::Dot(of, name) = &callee.node {
            method = Some(find_method(&name.node, name.span)?);
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
            let value = match &argument.node {
                ArgumentP::Positional(value) => {
                    names.push(None);
                    value
                }
                ArgumentP::Named(name, value) if method.is_none() => {
                    names.push(Some(name.node.clone()));
                    value
                }
                _ => {
                    return Err(unsupported(
                        message!("arguments cannot be unpacked here: write them one by one"),
                        argument.span,
                    ));
                }
            };
            self.expression(value)?;
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
        first: &ForClauseP<starlark_syntax::syntax::ast::AstNoPayload>,
        rest: &[ClauseP<starlark_syntax::syntax::ast::AstNoPayload>],
        body: &mut dyn FnMut(&mut Self) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let outside = self.scope().comprehension_variables.len();
        // For each loop: the target of the jump back to its start, and the index of the `Next`
        // instruction, which jumps to its end.
        let mut loops: Vec<(u32, usize, Span)> = Vec::new();
        self.clause(first, &mut loops)?;
        for clause in rest {
            match clause {
                ClauseP::For(clause) => self.clause(clause, &mut loops)?,
                ClauseP::If(condition) => {
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
        clause: &ForClauseP<starlark_syntax::syntax::ast::AstNoPayload>,
        loops: &mut Vec<(u32, usize, Span)>,
    ) -> Result<(), Diagnostic> {
        // As in Starlark, the sequence is evaluated before the variables of its loop become
        // visible.
        self.expression(&clause.over)?;
        let mut names = Vec::new();
        super::scope::targets(&clause.var, &mut |name| names.push(name.to_owned()));
        for name in names {
            let slot = self.scope().variable("");
            self.scope().comprehension_variables.push((name, slot));
        }
        self.emit(Op::Iterate, clause.over.span);
        let start = self.mark_target();
        let next = self.emit(Op::Next(0), clause.over.span);
        self.assign(&clause.var)?;
        loops.push((start, next, clause.over.span));
        Ok(())
    }
}

/// Returns the instruction for an operator, if it always evaluates both operands.
fn binary(op: BinOp) -> Option<Binary> {
    Some(match op {
        BinOp::Equal => Binary::Equal,
        BinOp::NotEqual => Binary::NotEqual,
        BinOp::Less => Binary::Less,
        BinOp::Greater => Binary::Greater,
        BinOp::LessOrEqual => Binary::LessOrEqual,
        BinOp::GreaterOrEqual => Binary::GreaterOrEqual,
        BinOp::In => Binary::In,
        BinOp::NotIn => Binary::NotIn,
        BinOp::Subtract => Binary::Subtract,
        BinOp::Add => Binary::Add,
        BinOp::Multiply => Binary::Multiply,
        BinOp::Percent => Binary::Percent,
        BinOp::FloorDivide => Binary::FloorDivide,
        BinOp::BitAnd => Binary::BitAnd,
        BinOp::BitOr => Binary::BitOr,
        BinOp::BitXor => Binary::BitXor,
        BinOp::LeftShift => Binary::LeftShift,
        BinOp::RightShift => Binary::RightShift,
        // `/` would need fractions. `and` and `or` are compiled as jumps and do not occur here.
        BinOp::Divide | BinOp::And | BinOp::Or => return None,
    })
}

/// Returns the method called `name`, or an error that suggests a similar name.
fn find_method(name: &str, span: Span) -> Result<MethodName, Diagnostic> {
    MethodName::from_name(name).ok_or_else(|| {
        let message = message!("unknown method `{name}`", name);
        let diagnostic = Diagnostic::new(Kind::UnknownName, message).at(range(span));
        match nearest(name, MethodName::NAMES.iter().map(|(name, _)| *name)) {
            Some(near) => diagnostic.help(message!("did you mean `{near}`?", near)),
            None => diagnostic,
        }
    })
}
