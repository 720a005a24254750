//! Compilation of statements.

use grundy_core::message;
use grundy_notation::Diagnostic;
use grundy_notation::parse::range;
use starlark_syntax::codemap::Span;
use starlark_syntax::syntax::ast::{
    AssignOp, AssignTargetP, AstAssignTarget, AstExpr, AstStmt, ExprP, StmtP,
};

use super::scope::Loop;
use super::{Body, Compiler, unsupported, unsupported_with_advice};
use crate::program::{Binary, Constant, Op};

impl Compiler {
    /// Appends the code for a statement.
    #[expect(clippy::too_many_lines, reason = "one arm for each kind of statement")]
    pub(super) fn statement(&mut self, statement: &AstStmt) -> Result<(), Diagnostic> {
        let span = statement.span;
        match &statement.node {
            StmtP::Pass => {}
            StmtP::Statements(list) => {
                for inner in list {
                    self.statement(inner)?;
                }
            }
            StmtP::Expression(expression) => {
                self.expression(expression)?;
                self.emit(Op::Pop, span);
            }
            StmtP::Return(value) => {
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
            StmtP::Assign(assign) => self.assignment(&assign.lhs, &assign.rhs, span)?,
            StmtP::AssignModify(target, op, value) => {
                let op = augmented_op(*op).ok_or_else(|| fraction_error(range(span)))?;
                match &target.node {
                    AssignTargetP::Identifier(name) => {
                        self.load(&name.node.ident, name.span)?;
                        self.expression(value)?;
                        self.emit_merged(op, span);
                        self.store(&name.node.ident, name.span);
                    }
                    AssignTargetP::Index(both) => {
                        self.expression(&both.0)?;
                        self.expression(&both.1)?;
                        // The container and the index are evaluated once and used twice: to read
                        // the old value and to write the new one.
                        self.emit(Op::CopyTwo, span);
                        self.emit(Op::Index, target.span);
                        self.expression(value)?;
                        self.emit(op, span);
                        self.emit(Op::SetIndex, span);
                    }
                    _ => {
                        return Err(unsupported(
                            message!("cannot assign to this expression"),
                            target.span,
                        ));
                    }
                }
            }
            StmtP::If(condition, then) => {
                let over = self.condition(condition)?;
                self.statement(then)?;
                over.into_iter().for_each(|jump| self.patch_jump(jump));
            }
            StmtP::IfElse(condition, both) => {
                let otherwise = self.condition(condition)?;
                self.statement(&both.0)?;
                let end = self.emit(Op::Jump(0), span);
                otherwise.into_iter().for_each(|jump| self.patch_jump(jump));
                self.statement(&both.1)?;
                self.patch_jump(end);
            }
            StmtP::For(clause) => {
                self.expression(&clause.over)?;
                self.emit(Op::Iterate, clause.over.span);
                let start = self.mark_target();
                let next = self.emit(Op::Next(0), clause.over.span);
                self.assign(&clause.var)?;
                self.scope().loops.push(Loop {
                    start,
                    breaks: Vec::new(),
                });
                self.statement(&clause.body)?;
                self.emit(Op::Jump(start), span);
                let ended = self.scope().loops.pop().expect("pushed above");
                self.patch_jump(next);
                ended
                    .breaks
                    .into_iter()
                    .for_each(|jump| self.patch_jump(jump));
            }
            StmtP::Break => {
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
            StmtP::Continue => {
                let Some(inside) = self.scope().loops.last() else {
                    return Err(unsupported(
                        message!("`continue` is allowed in loops only"),
                        span,
                    ));
                };
                let start = inside.start;
                self.emit(Op::Jump(start), span);
            }
            StmtP::Def(def) => {
                let name = &def.name.node.ident;
                self.function(name, &def.params, Body::Statement(&def.body), def.name.span)?;
                self.store(name, def.name.span);
            }
            StmtP::Load(_) => {
                return Err(unsupported(
                    message!("rule files cannot load other files"),
                    span,
                ));
            }
        }
        Ok(())
    }

    /// Appends the code for an assignment.
    fn assignment(
        &mut self,
        target: &AstAssignTarget,
        value: &AstExpr,
        span: Span,
    ) -> Result<(), Diagnostic> {
        // For `a, b = x, y`, no tuple is created.
        if let (AssignTargetP::Tuple(targets), ExprP::Tuple(values)) = (&target.node, &value.node)
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
    pub(super) fn assign(&mut self, target: &AstAssignTarget) -> Result<(), Diagnostic> {
        match &target.node {
            AssignTargetP::Identifier(name) => self.store(&name.node.ident, name.span),
            AssignTargetP::Tuple(items) => {
                self.emit(Op::Unpack(items.len() as u32), target.span);
                for item in items {
                    self.assign(item)?;
                }
            }
            AssignTargetP::Index(both) => {
                // `SetIndex` requires the value on top of the stack, so the value is first moved to
                // a hidden variable.
                let value_slot = self.scope().variable("");
                self.emit(Op::SetLocal(value_slot), target.span);
                self.expression(&both.0)?;
                self.expression(&both.1)?;
                self.emit(Op::Local(value_slot), target.span);
                self.emit(Op::SetIndex, target.span);
            }
            AssignTargetP::Dot(..) => {
                return Err(unsupported(
                    message!("cannot assign to this expression"),
                    target.span,
                ));
            }
        }
        Ok(())
    }
}

/// Returns the instruction for an augmented assignment such as `+=`, if the operator is supported.
fn augmented_op(op: AssignOp) -> Option<Op> {
    Some(Op::Binary(match op {
        AssignOp::Add => return Some(Op::AddAssign),
        AssignOp::Subtract => Binary::Subtract,
        AssignOp::Multiply => Binary::Multiply,
        AssignOp::Divide => return None,
        AssignOp::FloorDivide => Binary::FloorDivide,
        AssignOp::Percent => Binary::Percent,
        AssignOp::BitAnd => Binary::BitAnd,
        AssignOp::BitOr => Binary::BitOr,
        AssignOp::BitXor => Binary::BitXor,
        AssignOp::LeftShift => Binary::LeftShift,
        AssignOp::RightShift => Binary::RightShift,
    }))
}

/// Returns the error for a division whose result is a fraction.
pub(super) fn fraction_error(span: std::ops::Range<usize>) -> Diagnostic {
    unsupported_with_advice(
        message!("fractions are not supported in rule files"),
        message!("write // for integer division"),
        span,
    )
}
