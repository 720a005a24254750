//! The compiler, which translates the syntax tree of a rule file into instructions.
//!
//! The text is scanned before parsing, and rejected if it is nested too deeply. So the compiler can
//! be recursive: its stack is large enough for the permitted depth.

mod expression;
mod scope;
mod statement;

use std::ops::Range;

use grundy_core::{Kind, Message, message};
use grundy_notation::Diagnostic;

use grundy_syntax::{Expression, Parameter, Span, Statement};

use crate::program::{Constant, Function, Op, Program};
use scope::Scope;

/// Compiles a rule file.
///
/// # Errors
/// A construct of the language that rule files do not support, with its place.
pub(crate) fn compile(statements: &[Statement]) -> Result<Program, Diagnostic> {
    let mut compiler = Compiler::default();
    scope::collect_assigned(statements, &mut compiler.program.globals);
    compiler.scopes.push(Scope::top_level());
    // Function 0 is the code at the top level of the file. Its place is reserved first, since its
    // code is complete only at the end.
    compiler.program.functions.push(Function::default());
    compiler.block(statements)?;
    let end = statements.last().map_or(0, |last| last.span.end);
    compiler.end_function(Span { start: 0, end });
    let scope = compiler.scopes.pop().expect("pushed above");
    compiler.program.functions[0] = scope.function;
    Ok(compiler.program)
}

/// The state of the compiler.
#[derive(Debug, Default)]
struct Compiler {
    program: Program,
    /// The functions that are being compiled. The innermost one is the last.
    scopes: Vec<Scope>,
}

impl Compiler {
    /// Returns the innermost scope.
    fn scope(&mut self) -> &mut Scope {
        self.scopes
            .last_mut()
            .expect("the file's scope is always there")
    }

    /// Appends an instruction to the code and returns its index.
    fn emit(&mut self, op: Op, span: Span) -> usize {
        let function = &mut self.scope().function;
        function.code.push(op);
        function.spans.push(span.start..span.end);
        function.code.len() - 1
    }

    /// Marks the next instruction as the target of a jump, and returns its index.
    fn mark_target(&mut self) -> u32 {
        let scope = self.scope();
        scope.last_target = scope.function.code.len();
        scope.last_target as u32
    }

    /// Appends an instruction to the code. If a single instruction is equivalent to the last
    /// instruction followed by `op`, it replaces both. The same is then tried with the new
    /// instruction in place of `op`.
    ///
    /// A merged instruction gets the span `span`, to which its errors refer. Without merging, the
    /// error for a variable without a value would have a narrower span. All other errors would have
    /// the same span.
    fn emit_merged(&mut self, op: Op, span: Span) -> usize {
        let mut merged = op;
        loop {
            let scope = self.scope();
            let code = &mut scope.function.code;
            // The index of a jump target must not change, so instructions before and after it are
            // not merged.
            let before = if scope.last_target == code.len() {
                None
            } else {
                code.last()
            };
            let Some(group) = before.and_then(|&before| merged.merge_after(before)) else {
                return self.emit(merged, span);
            };
            code.pop();
            scope.function.spans.pop();
            merged = group;
        }
    }

    /// Sets the target of the jump at index `at` to the next instruction.
    fn patch_jump(&mut self, at: usize) {
        let here = self.mark_target();
        self.scope().function.code[at].set_target(here);
    }

    /// Appends the instruction that pushes a constant.
    fn constant(&mut self, constant: Constant, span: Span) {
        let op = match constant {
            // Small integers are stored in the instruction, which saves a lookup.
            Constant::Int(n) if i32::try_from(n).is_ok() => Op::Int(n as i32),
            constant => {
                self.program.constants.push(constant);
                Op::Constant(self.program.constants.len() as u32 - 1)
            }
        };
        self.emit(op, span);
    }

    /// Ends the code of a function. If the end is reached, the function returns `None`.
    fn end_function(&mut self, span: Span) {
        self.constant(Constant::None, span);
        self.emit(Op::Return, span);
    }

    /// Compiles a function. The code that is appended creates the function and pushes it on the
    /// stack.
    fn function(
        &mut self,
        name: &str,
        parameters: &[Parameter],
        body: Body<'_>,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let mut names = Vec::new();
        let mut defaults = 0;
        for parameter in parameters {
            if let Some(default) = &parameter.default {
                // The default values belong to the enclosing scope, since they are evaluated when
                // the function is created.
                self.expression(default)?;
                defaults += 1;
            }
            names.push(parameter.name.text.clone());
        }
        let mut scope = Scope::function(name, names, defaults);
        if let Body::Statements(body) = body {
            scope::collect_assigned(body, &mut scope.function.locals);
        }
        scope.function.span = span.start..span.end;
        // The number of the function is reserved before its body is compiled, since the body may
        // contain other functions.
        let number = self.program.functions.len();
        self.program.functions.push(Function::default());
        self.scopes.push(scope);
        match body {
            Body::Statements(body) => {
                self.block(body)?;
                self.end_function(span);
            }
            Body::Expression(body) => {
                self.expression(body)?;
                self.emit(Op::Return, span);
            }
        }
        let scope = self.scopes.pop().expect("pushed above");
        self.program.functions[number] = scope.function;
        self.emit(Op::Function(number as u32), span);
        Ok(())
    }
}

/// The body of a `def` or of a `lambda`.
#[derive(Clone, Copy)]
enum Body<'a> {
    Statements(&'a [Statement]),
    Expression(&'a Expression),
}

/// Returns the error for a construct that is not supported.
fn unsupported(message: Message, span: Span) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message).at(span.range())
}

/// Returns the error for a construct that is not supported, with advice.
fn unsupported_with_advice(message: Message, advice: Message, span: Range<usize>) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message).at(span).help(advice)
}

/// Returns the error for a division whose result is a fraction.
fn fraction_error(span: Range<usize>) -> Diagnostic {
    unsupported_with_advice(
        message!("fractions are not supported in rule files"),
        message!("write // for integer division"),
        span,
    )
}
