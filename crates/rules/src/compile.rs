//! From syntax tree to instructions.
//!
//! The tree nests no deeper than the scan of the text allowed, and this runs on a stack large
//! enough for that.

mod expression;
mod scope;
mod statement;

use std::ops::Range;

use grundy::{Kind, Message, message};
use grundy_notation::Diagnostic;
use grundy_notation::parse::range;
use starlark_syntax::codemap::Span;
use starlark_syntax::syntax::AstModule;
use starlark_syntax::syntax::ast::{AstParameter, AstStmt, ParameterP};

use crate::program::{Constant, Function, Op, Program};
use scope::Scope;

/// Compiles a file.
///
/// # Errors
/// What the language has and rule files have not, with its place.
pub(crate) fn compile(module: &AstModule) -> Result<Program, Diagnostic> {
    let mut compiler = Compiler::default();
    let statement = module.statement();
    scope::assigned(statement, &mut compiler.program.globals);
    compiler.scopes.push(Scope::file());
    compiler.program.functions.push(Function::default());
    compiler.statement(statement)?;
    compiler.end_function(statement.span);
    let scope = compiler.scopes.pop().expect("pushed above");
    compiler.program.functions[0] = scope.function;
    Ok(compiler.program)
}

#[derive(Debug, Default)]
struct Compiler {
    program: Program,
    /// The functions being compiled, the innermost last.
    scopes: Vec<Scope>,
}

impl Compiler {
    fn scope(&mut self) -> &mut Scope {
        self.scopes
            .last_mut()
            .expect("the file's scope is always there")
    }

    fn emit(&mut self, op: Op, span: Span) -> usize {
        let range = range(span);
        let function = &mut self.scope().function;
        function.code.push(op);
        function.spans.push(range.start as u32..range.end as u32);
        function.code.len() - 1
    }

    /// Where the next instruction will stand, for a jump to lead there.
    fn here(&mut self) -> u32 {
        let scope = self.scope();
        scope.landing = scope.function.code.len();
        scope.landing as u32
    }

    /// Emits an instruction, joined with those before it where they make a frequent group. The
    /// place of the group is that of its last member, the only one that can fail but for variables
    /// without a value.
    fn emit_joined(&mut self, op: Op, span: Span) -> usize {
        let mut joined = op;
        loop {
            let scope = self.scope();
            let code = &mut scope.function.code;
            // What a jump leads to stays where it is.
            let before = if scope.landing == code.len() {
                None
            } else {
                code.last()
            };
            let Some(group) = before.and_then(|&before| joined.after(before)) else {
                return self.emit(joined, span);
            };
            code.pop();
            scope.function.spans.pop();
            joined = group;
        }
    }

    /// Lets the jump at `at` lead here.
    fn land(&mut self, at: usize) {
        let here = self.here();
        self.scope().function.code[at].lead(here);
    }

    fn constant(&mut self, constant: Constant, span: Span) {
        let op = match constant {
            Constant::Int(n) if i32::try_from(n).is_ok() => Op::Int(n as i32),
            constant => {
                self.program.constants.push(constant);
                Op::Constant(self.program.constants.len() as u32 - 1)
            }
        };
        self.emit(op, span);
    }

    fn end_function(&mut self, span: Span) {
        self.constant(Constant::None, span);
        self.emit(Op::Return, span);
    }

    /// Compiles a function; leaves it on the stack.
    fn function(
        &mut self,
        name: &str,
        parameters: &[AstParameter],
        body: Body<'_>,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let mut names = Vec::new();
        let mut defaults = 0;
        for parameter in parameters {
            let ParameterP::Normal(ident, _, default) = &parameter.node else {
                return Err(absent(
                    message!("parameters are written one by one"),
                    parameter.span,
                ));
            };
            if let Some(default) = default {
                self.expression(default)?;
                defaults += 1;
            }
            names.push(ident.node.ident.clone());
        }
        let mut scope = Scope::function(name, names, defaults);
        if let Body::Statement(body) = body {
            scope::assigned(body, &mut scope.function.locals);
        }
        let place = range(span);
        scope.function.place = place.start as u32..place.end as u32;
        let number = self.program.functions.len();
        self.program.functions.push(Function::default());
        self.scopes.push(scope);
        match body {
            Body::Statement(body) => {
                self.statement(body)?;
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
    Statement(&'a AstStmt),
    Expression(&'a starlark_syntax::syntax::ast::AstExpr),
}

/// Something that rule files do not have.
fn absent(message: Message, span: Span) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message).at(range(span))
}

/// Returns the same with advice.
fn absent_but(message: Message, advice: Message, span: Range<usize>) -> Diagnostic {
    Diagnostic::new(Kind::Syntax, message).at(span).help(advice)
}
