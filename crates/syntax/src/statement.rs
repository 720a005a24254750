//! The parser of statements.

use grundy_base::{Diagnostic, message};

use crate::ast::{Binary, Expression, Statement, StatementKind, TargetKind};
use crate::expression::{Parser, binary, target};
use crate::lexer::{Mode, error};
use crate::token::Token;

/// Largest depth of nested blocks.
pub const MAX_BLOCKS: usize = 100;

/// Parses a rule file.
///
/// # Errors
/// A text that is not a list of statements, with the place of the error.
///
/// # Complexity
/// O(n) for a text of n bytes.
///
/// # Examples
/// ```
/// use grundy_syntax::{StatementKind, parse_file};
/// let file = parse_file("def moves(n):\n    return [n - 1] if n else []\n")?;
/// assert!(matches!(&file[..], [only] if matches!(only.kind, StatementKind::Def(..))));
/// let error = parse_file("while True:\n    pass\n").unwrap_err();
/// assert_eq!(error.help.unwrap(), "use a bounded loop, `for i in range(n)`");
/// # Ok::<(), grundy_base::Diagnostic>(())
/// ```
pub fn parse_file(source: &str) -> Result<Vec<Statement>, Diagnostic> {
    let mut parser = Parser::new(source, Mode::File)?;
    let mut statements = Vec::new();
    while parser.token != Token::End {
        parser.statements(&mut statements, 0)?;
    }
    Ok(statements)
}

impl Parser<'_> {
    /// Reads a compound statement, or a line of simple statements. `depth` is the number of
    /// enclosing blocks.
    fn statements(
        &mut self,
        statements: &mut Vec<Statement>,
        depth: usize,
    ) -> Result<(), Diagnostic> {
        let start = self.span;
        let kind = match self.token {
            Token::Sign("def") => self.def(depth)?,
            Token::Sign("if") => self.branches(depth)?,
            Token::Sign("for") => {
                self.advance()?;
                let target = self.loop_target()?;
                self.expect("in")?;
                let over = self.expression()?;
                StatementKind::For(target, over, self.block(depth)?)
            }
            Token::Newline => {
                self.advance()?;
                return Ok(());
            }
            _ => return self.line(statements),
        };
        statements.push(Statement {
            kind,
            span: start.to(self.before),
        });
        Ok(())
    }

    /// Reads a function.
    fn def(&mut self, depth: usize) -> Result<StatementKind, Diagnostic> {
        self.advance()?;
        let name = self.name()?;
        self.expect("(")?;
        let parameters = self.parameters(")")?;
        self.expect(")")?;
        Ok(StatementKind::Def(name, parameters, self.block(depth)?))
    }

    /// Reads `if` with all its branches.
    fn branches(&mut self, depth: usize) -> Result<StatementKind, Diagnostic> {
        let mut branches = Vec::new();
        while self.is("if") || (self.is("elif") && !branches.is_empty()) {
            self.advance()?;
            let condition = self.expression()?;
            branches.push((condition, self.block(depth)?));
            if self.is("if") {
                break;
            }
        }
        let otherwise = if self.skip("else")? {
            self.block(depth)?
        } else {
            Vec::new()
        };
        Ok(StatementKind::If(branches, otherwise))
    }

    /// Reads a colon and the block after it.
    fn block(&mut self, depth: usize) -> Result<Vec<Statement>, Diagnostic> {
        self.expect(":")?;
        let mut statements = Vec::new();
        if self.token != Token::Newline {
            self.line(&mut statements)?;
            return Ok(statements);
        }
        self.advance()?;
        if self.token != Token::Indent {
            let error = self.unexpected(&message!("an indented line"));
            return Err(error.help(message!(
                "indent the lines of a function, a loop or a condition"
            )));
        }
        if depth == MAX_BLOCKS {
            let message = message!("blocks are nested more than {depth} deep", depth);
            return Err(error(message, self.span));
        }
        self.advance()?;
        while self.token != Token::Dedent {
            self.statements(&mut statements, depth + 1)?;
        }
        self.advance()?;
        Ok(statements)
    }

    /// Reads the simple statements of one line, which are separated by semicolons.
    fn line(&mut self, statements: &mut Vec<Statement>) -> Result<(), Diagnostic> {
        loop {
            let start = self.span;
            let kind = self.simple()?;
            statements.push(Statement {
                kind,
                span: start.to(self.before),
            });
            let more = self.skip(";")?;
            if self.token == Token::Newline {
                self.advance()?;
                return Ok(());
            }
            if !more {
                return Err(self.unexpected(&message!("end of line")));
            }
        }
    }

    /// Reads a simple statement.
    fn simple(&mut self) -> Result<StatementKind, Diagnostic> {
        let word = match self.token {
            Token::Sign(word @ ("pass" | "break" | "continue" | "return")) => word,
            Token::Sign("load") => {
                let message = message!("rule files cannot load other files");
                return Err(error(message, self.span));
            }
            _ => {
                let start = self.span;
                let first = self.expression()?;
                let only = !self.is(",");
                let left = self.tuple(first, start, false)?;
                return self.after_expression(left, only);
            }
        };
        self.advance()?;
        Ok(match word {
            "pass" => StatementKind::Pass,
            "break" => StatementKind::Break,
            "continue" => StatementKind::Continue,
            _ if self.begins_expression() => StatementKind::Return(Some(self.expressions()?)),
            _ => StatementKind::Return(None),
        })
    }

    /// Reads the rest of a statement that begins with an expression. `only` is `false` if the
    /// expression is a tuple without parentheses.
    fn after_expression(
        &mut self,
        left: Expression,
        only: bool,
    ) -> Result<StatementKind, Diagnostic> {
        if self.skip("=")? {
            let left = target(left)?;
            return Ok(StatementKind::Assign(left, self.expressions()?));
        }
        let Some(operator) = self.modifies() else {
            // A tuple without parentheses must be the left side of an assignment.
            if only {
                return Ok(StatementKind::Expression(left));
            }
            return Err(self.unexpected(&message!("`{sign}`", sign = "=")));
        };
        let left = target(left)?;
        if let TargetKind::Tuple(_) = left.kind {
            return Err(error(
                message!("cannot assign to this expression"),
                left.span,
            ));
        }
        self.advance()?;
        Ok(StatementKind::Modify(left, operator, self.expressions()?))
    }

    /// Returns the operator of an augmented assignment such as `+=`, if its sign comes next.
    fn modifies(&self) -> Option<Binary> {
        let Token::Sign(sign) = self.token else {
            return None;
        };
        if matches!(sign, "==" | "!=" | "<=" | ">=") {
            return None;
        }
        binary(sign.strip_suffix('=')?)
    }
}
