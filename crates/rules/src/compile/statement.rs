//! Compilation of statements.

use grundy_core::message;
use grundy_notation::Diagnostic;

use grundy_syntax::{
    Binary as Sign, Expression, ExpressionKind, Span, Statement, StatementKind, Target, TargetKind,
};

use super::expression::binary;
use super::scope::Loop;
use super::{Body, Compiler, fraction_error, unsupported};
use crate::program::{Constant, Op};

impl Compiler {
    /// Appends the code for the statements of a block.
    pub(super) fn block(&mut self, statements: &[Statement]) -> Result<(), Diagnostic> {
        (statements.iter()).try_for_each(|statement| self.statement(statement))
    }

    /// Appends the code for a statement.
    fn statement(&mut self, statement: &Statement) -> Result<(), Diagnostic> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Pass => {}
            StatementKind::Expression(expression) => {
                self.expression(expression)?;
                self.emit(Op::Pop, span);
            }
            StatementKind::Return(value) => {
                if self.scope().top_level {
                    return Err(unsupported(
                        message!("`return` is allowed in functions only"),
                        span,
                    ));
                }
                match value {
                    Some(value) => self.expression(value)?,
                    None => self.constant(Constant::None, span),
                }
                self.emit(Op::Return, span);
            }
            StatementKind::Assign(target, value) => self.assignment(target, value, span)?,
            StatementKind::Modify(target, operator, value) => {
                self.augmented(target, *operator, value, span)?;
            }
            StatementKind::If(branches, otherwise) => {
                let mut ends = Vec::new();
                for (index, (condition, then)) in branches.iter().enumerate() {
                    let jumps = self.condition(condition)?;
                    self.block(then)?;
                    // The last branch without `else` needs no jump over it.
                    if index + 1 < branches.len() || !otherwise.is_empty() {
                        ends.push(self.emit(Op::Jump(0), span));
                    }
                    jumps.into_iter().for_each(|jump| self.patch_jump(jump));
                }
                self.block(otherwise)?;
                ends.into_iter().for_each(|jump| self.patch_jump(jump));
            }
            StatementKind::For(target, over, body) => {
                self.expression(over)?;
                self.emit(Op::Iterate, over.span);
                let start = self.mark_target();
                let next = self.emit(Op::Next(0), over.span);
                self.assign(target)?;
                self.scope().loops.push(Loop {
                    start,
                    breaks: Vec::new(),
                });
                self.block(body)?;
                self.emit(Op::Jump(start), span);
                let ended = self.scope().loops.pop().expect("pushed above");
                self.patch_jump(next);
                ended
                    .breaks
                    .into_iter()
                    .for_each(|jump| self.patch_jump(jump));
            }
            StatementKind::Break => {
                if self.scope().loops.is_empty() {
                    return Err(unsupported(
                        message!("`break` is allowed in loops only"),
                        span,
                    ));
                }
                // `break` leaves the loop without requesting a next value. So the iteration must be
                // ended explicitly.
                self.emit(Op::EndIteration, span);
                let jump = self.emit(Op::Jump(0), span);
                let inside = self.scope().loops.last_mut().expect("checked above");
                inside.breaks.push(jump);
            }
            StatementKind::Continue => {
                let Some(inside) = self.scope().loops.last() else {
                    return Err(unsupported(
                        message!("`continue` is allowed in loops only"),
                        span,
                    ));
                };
                let start = inside.start;
                self.emit(Op::Jump(start), span);
            }
            StatementKind::Def(name, parameters, body) => {
                self.function(&name.text, parameters, Body::Statements(body), name.span)?;
                self.store(&name.text, name.span);
            }
        }
        Ok(())
    }

    /// Appends the code for an augmented assignment such as `x += 1`.
    fn augmented(
        &mut self,
        target: &Target,
        operator: Sign,
        value: &Expression,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let op = augmented_op(operator).ok_or_else(|| fraction_error(span.range()))?;
        match &target.kind {
            TargetKind::Name(name) => {
                self.load(name, target.span)?;
                self.expression(value)?;
                self.emit_merged(op, span);
                self.store(name, target.span);
            }
            TargetKind::Index(both) => {
                self.expression(&both.0)?;
                self.expression(&both.1)?;
                // The container and the index are evaluated once and used twice: to read the old
                // value and to write the new one.
                self.emit(Op::CopyTwo, span);
                self.emit(Op::Index, target.span);
                self.expression(value)?;
                self.emit(op, span);
                self.emit(Op::SetIndex, span);
            }
            TargetKind::Tuple(_) => {
                return Err(unsupported(
                    message!("cannot assign to this expression"),
                    target.span,
                ));
            }
        }
        Ok(())
    }

    /// Appends the code for an assignment.
    fn assignment(
        &mut self,
        target: &Target,
        value: &Expression,
        span: Span,
    ) -> Result<(), Diagnostic> {
        // For `a, b = x, y`, no tuple is created.
        if let (TargetKind::Tuple(targets), ExpressionKind::Tuple(values)) =
            (&target.kind, &value.kind)
            && targets.len() == values.len()
        {
            // All values are evaluated before the first assignment. Their order is then reversed,
            // so that the first target pops the first value.
            self.expressions(values)?;
            self.emit(Op::Reverse(values.len() as u32), span);
            return targets.iter().try_for_each(|target| self.assign(target));
        }
        self.expression(value)?;
        self.assign(target)
    }

    /// Appends code that pops the topmost value and assigns it to a target.
    pub(super) fn assign(&mut self, target: &Target) -> Result<(), Diagnostic> {
        match &target.kind {
            TargetKind::Name(name) => self.store(name, target.span),
            TargetKind::Tuple(items) => {
                self.emit(Op::Unpack(items.len() as u32), target.span);
                for item in items {
                    self.assign(item)?;
                }
            }
            TargetKind::Index(both) => {
                // `SetIndex` requires the value on top of the stack, so the value is first moved to
                // a hidden variable.
                let value_slot = self.scope().variable("");
                self.emit(Op::SetLocal(value_slot), target.span);
                self.expression(&both.0)?;
                self.expression(&both.1)?;
                self.emit(Op::Local(value_slot), target.span);
                self.emit(Op::SetIndex, target.span);
            }
        }
        Ok(())
    }
}

/// Returns the instruction for an augmented assignment such as `+=`, if the operator is supported.
fn augmented_op(operator: Sign) -> Option<Op> {
    Some(match operator {
        Sign::Add => Op::AddAssign,
        _ => Op::Binary(binary(operator)?),
    })
}
