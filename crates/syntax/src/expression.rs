//! The parser of expressions.

use std::mem;

use grundy_base::{Diagnostic, Message, message};

use crate::ast::{
    Argument, Binary, Clause, Expression, ExpressionKind, Lambda, Name, Parameter, Span, Target,
    TargetKind, Unary,
};
use crate::lexer::{Lexer, Mode, error};
use crate::token::Token;

/// Largest depth of nested brackets.
pub const MAX_DEPTH: usize = 200;

/// Largest number of arguments that one list adds to a call by `*[...]`.
const MAX_UNPACKED: usize = 100_000;

/// Parses a text that is one expression. It may have several lines.
///
/// # Errors
/// A text that is not one expression, with the place of the error.
///
/// # Complexity
/// O(n) for a text of n bytes.
///
/// # Examples
/// ```
/// use grundy_syntax::{ExpressionKind, parse_expression};
/// let expression = parse_expression("nim(3, 4) + kayles(7)")?;
/// assert!(matches!(expression.kind, ExpressionKind::Binary(..)));
/// let error = parse_expression("nim(3, 4").unwrap_err();
/// assert_eq!(error.to_string(), "expected `)`, found end of line");
/// assert_eq!(error.span, Some(8..8));
/// # Ok::<(), grundy_base::Diagnostic>(())
/// ```
pub fn parse_expression(source: &str) -> Result<Expression, Diagnostic> {
    let mut parser = Parser::new(source, Mode::Expression)?;
    let expression = parser.expressions()?;
    // A semicolon ends a statement, so it is accepted after the last one.
    parser.skip(";")?;
    match parser.token {
        Token::End => Ok(expression),
        _ => Err(parser.unexpected(&message!("end of line"))),
    }
}

/// The parser of expressions and statements, with one token of lookahead.
#[derive(Debug)]
pub(crate) struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The next token and its place.
    pub(crate) token: Token<'a>,
    pub(crate) span: Span,
    /// The place of the token before.
    pub(crate) before: Span,
    /// The number of open brackets.
    depth: usize,
}

/// An operator on the stack, whose right operand is not complete.
#[derive(Clone, Copy, Debug)]
enum Operator {
    Unary(Unary, Span),
    Binary(Binary),
}

impl Operator {
    /// Returns the precedence. Operators of higher precedence bind tighter.
    fn precedence(self) -> u8 {
        match self {
            Self::Unary(Unary::Not, _) => 3,
            Self::Unary(..) => 11,
            Self::Binary(operator) => precedence(operator),
        }
    }
}

/// The precedence of comparisons, which cannot be chained.
const COMPARISON: u8 = 4;

fn precedence(operator: Binary) -> u8 {
    match operator {
        Binary::Or => 1,
        Binary::And => 2,
        Binary::Equal
        | Binary::NotEqual
        | Binary::Less
        | Binary::Greater
        | Binary::LessOrEqual
        | Binary::GreaterOrEqual
        | Binary::In
        | Binary::NotIn => COMPARISON,
        Binary::BitOr => 5,
        Binary::BitXor => 6,
        Binary::BitAnd => 7,
        Binary::LeftShift | Binary::RightShift => 8,
        Binary::Add | Binary::Subtract => 9,
        Binary::Multiply | Binary::Divide | Binary::FloorDivide | Binary::Percent => 10,
        // `-2 ** 2` is -4.
        Binary::Power => 12,
    }
}

/// Returns the operator with two operands that is written as `sign`.
pub(crate) fn binary(sign: &str) -> Option<Binary> {
    Some(match sign {
        "or" => Binary::Or,
        "and" => Binary::And,
        "==" => Binary::Equal,
        "!=" => Binary::NotEqual,
        "<" => Binary::Less,
        ">" => Binary::Greater,
        "<=" => Binary::LessOrEqual,
        ">=" => Binary::GreaterOrEqual,
        "in" => Binary::In,
        "not" => Binary::NotIn,
        "|" => Binary::BitOr,
        "^" => Binary::BitXor,
        "&" => Binary::BitAnd,
        "<<" => Binary::LeftShift,
        ">>" => Binary::RightShift,
        "+" => Binary::Add,
        "-" => Binary::Subtract,
        "*" => Binary::Multiply,
        "**" => Binary::Power,
        "/" => Binary::Divide,
        "//" => Binary::FloorDivide,
        "%" => Binary::Percent,
        _ => return None,
    })
}

/// A part of an expression to the left of its last part: `then if condition else`, or
/// `lambda parameters:`.
enum Prefix {
    If(Expression, Expression),
    Lambda(Vec<Parameter>),
}

impl<'a> Parser<'a> {
    pub(crate) fn new(source: &'a str, mode: Mode) -> Result<Self, Diagnostic> {
        let mut parser = Self {
            lexer: Lexer::new(source, mode),
            token: Token::End,
            span: Span::new(0, 0),
            before: Span::new(0, 0),
            depth: 0,
        };
        parser.advance()?;
        Ok(parser)
    }

    /// Reads the next token, and returns the current one.
    pub(crate) fn advance(&mut self) -> Result<Token<'a>, Diagnostic> {
        let (token, span) = self.lexer.next()?;
        self.before = mem::replace(&mut self.span, span);
        Ok(mem::replace(&mut self.token, token))
    }

    /// Returns whether the next token is this sign.
    pub(crate) fn is(&self, sign: &str) -> bool {
        matches!(self.token, Token::Sign(found) if found == sign)
    }

    /// Reads the sign if it is the next token, and returns whether it was.
    pub(crate) fn skip(&mut self, sign: &str) -> Result<bool, Diagnostic> {
        let found = self.is(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Reads the sign, which must be the next token.
    pub(crate) fn expect(&mut self, sign: &str) -> Result<(), Diagnostic> {
        if self.skip(sign)? {
            return Ok(());
        }
        Err(self.unexpected(&message!("`{sign}`", sign)))
    }

    /// Returns the error for the next token, where `expected` should be.
    pub(crate) fn unexpected(&self, expected: &Message) -> Diagnostic {
        let text = &self.lexer.source()[self.span.range()];
        let found = self.token.name(text);
        let error = error(
            message!("expected {expected}, found {found}", expected, found),
            self.span,
        );
        match self.hint(text) {
            Some(hint) if self.lexer.mode() == Mode::File => error.help(hint),
            _ => error,
        }
    }

    /// Returns a hint for an operator of another language, for `=` in a condition, or for a set
    /// comprehension. `found` is the text of the next token.
    fn hint(&self, found: &str) -> Option<Message> {
        let before = &self.lexer.source()[..self.span.start as usize];
        let line = before.rsplit('\n').next()?.trim_start();
        Some(match found {
            "&" if before.ends_with('&') => message!("write `and` instead of `&&`"),
            "|" if before.ends_with('|') => message!("write `or` instead of `||`"),
            "=" if line.starts_with("if ") || line.starts_with("elif ") => {
                message!("write == for equality")
            }
            // If a brace before `for` is not closed, it is the beginning of a set comprehension.
            "for" if before.rfind('{') > before.rfind('}') => {
                message!("sets are not supported: write a list, [x for x in ...]")
            }
            _ => return None,
        })
    }

    /// Reads a name.
    pub(crate) fn name(&mut self) -> Result<Name, Diagnostic> {
        match self.token {
            Token::Name(text) => {
                self.advance()?;
                Ok(Name {
                    text: text.to_owned(),
                    span: self.before,
                })
            }
            _ => Err(self.unexpected(&message!("a name"))),
        }
    }

    /// Reads expressions that are separated by commas. Several expressions are a tuple.
    pub(crate) fn expressions(&mut self) -> Result<Expression, Diagnostic> {
        let start = self.span;
        let first = self.expression()?;
        self.tuple(first, start, false)
    }

    /// Reads the expressions after the first one of a tuple, if a comma follows. In parentheses,
    /// the last one may be followed by a comma, and then even a single expression is a tuple.
    pub(crate) fn tuple(
        &mut self,
        first: Expression,
        start: Span,
        parenthesized: bool,
    ) -> Result<Expression, Diagnostic> {
        if !self.is(",") {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.skip(",")? {
            if !self.begins_expression() {
                if parenthesized {
                    break;
                }
                let message = message!("a tuple that ends with a comma must be in parentheses");
                return Err(error(message, self.before));
            }
            items.push(self.expression()?);
        }
        Ok(Expression {
            kind: ExpressionKind::Tuple(items),
            span: start.to(self.before),
        })
    }

    /// Returns whether the next token can begin an expression.
    pub(crate) fn begins_expression(&self) -> bool {
        match self.token {
            Token::Name(_) | Token::Int(_) | Token::Float(_) | Token::Text(_) => true,
            Token::Sign(sign) => {
                matches!(sign, "(" | "[" | "{" | "-" | "+" | "~" | "not" | "lambda")
            }
            _ => false,
        }
    }

    /// Reads an expression: operators, conditions and lambdas.
    pub(crate) fn expression(&mut self) -> Result<Expression, Diagnostic> {
        // In `a if b else c if d else e`, the last part is nested deepest. So the parts before it
        // are collected and joined from the right.
        let mut prefixes = Vec::new();
        let last = loop {
            let start = self.span;
            if self.skip("lambda")? {
                let parameters = self.parameters(":")?;
                self.expect(":")?;
                prefixes.push((Prefix::Lambda(parameters), start));
                continue;
            }
            let then = self.operators()?;
            if !self.skip("if")? {
                break then;
            }
            let condition = self.operators()?;
            self.expect("else")?;
            let start = then.span;
            prefixes.push((Prefix::If(then, condition), start));
        };
        let joined = prefixes.into_iter().rev();
        Ok(joined.fold(last, |last, (prefix, start)| {
            let kind = match prefix {
                Prefix::If(then, condition) => {
                    ExpressionKind::If(Box::new((condition, then, last)))
                }
                Prefix::Lambda(parameters) => {
                    let body = last;
                    ExpressionKind::Lambda(Box::new(Lambda { parameters, body }))
                }
            };
            Expression {
                kind,
                span: start.to(self.before),
            }
        }))
    }

    /// Reads operators and their operands.
    pub(crate) fn operators(&mut self) -> Result<Expression, Diagnostic> {
        // Each operand is followed by the place of its last token, which can be a parenthesis.
        let mut operands: Vec<(Expression, Span)> = Vec::new();
        let mut operators: Vec<Operator> = Vec::new();
        loop {
            while let Token::Sign(sign @ ("not" | "-" | "+" | "~")) = self.token {
                let unary = match sign {
                    "not" => Unary::Not,
                    "-" => Unary::Minus,
                    "+" => Unary::Plus,
                    _ => Unary::BitNot,
                };
                let operator = Operator::Unary(unary, self.span);
                // In `1 + not x`, `not` would bind less tightly than the operator before it.
                let least = operators.last().map_or(0, |before| before.precedence());
                if operator.precedence() < least {
                    return Err(self.unexpected(&message!("an expression")));
                }
                self.advance()?;
                operators.push(operator);
            }
            let operand = self.primary()?;
            operands.push((operand, self.before));
            let Some(next) = self.binary()? else { break };
            let level = precedence(next);
            while let Some(before) = operators.last().map(|before| before.precedence())
                && before >= level
            {
                if before == COMPARISON && level == COMPARISON {
                    let message = message!("comparisons cannot be chained");
                    let error = error(message, self.before);
                    return Err(error.help(message!("write a < b and b < c")));
                }
                // Powers would group from the right, so that right operands could be nested.
                if next == Binary::Power && before == level {
                    let message = message!("powers cannot be chained");
                    let error = error(message, self.before);
                    return Err(error.help(message!("write a ** (b ** c)")));
                }
                join(&mut operands, &mut operators);
            }
            operators.push(Operator::Binary(next));
        }
        while !operators.is_empty() {
            join(&mut operands, &mut operators);
        }
        let (operand, _) = operands.pop().expect("an operand was pushed");
        Ok(operand)
    }

    /// Reads an operator with two operands, if it comes next.
    fn binary(&mut self) -> Result<Option<Binary>, Diagnostic> {
        let Token::Sign(sign) = self.token else {
            return Ok(None);
        };
        let Some(operator) = binary(sign) else {
            return Ok(None);
        };
        self.advance()?;
        if operator == Binary::NotIn {
            self.expect("in")?;
        }
        Ok(Some(operator))
    }

    /// Reads an operand with its calls, indices and attributes.
    fn primary(&mut self) -> Result<Expression, Diagnostic> {
        let mut of = self.operand()?;
        loop {
            let start = of.span;
            let kind = match self.token {
                Token::Sign(".") => {
                    self.advance()?;
                    let name = self.name()?;
                    ExpressionKind::Dot(Box::new(of), name)
                }
                Token::Sign("(") => {
                    self.open()?;
                    let arguments = self.arguments()?;
                    self.close(")")?;
                    ExpressionKind::Call(Box::new(of), arguments)
                }
                Token::Sign("[") => {
                    self.open()?;
                    let kind = self.index(of)?;
                    self.close("]")?;
                    kind
                }
                _ => return Ok(of),
            };
            of = Expression {
                kind,
                span: start.to(self.before),
            };
        }
    }

    /// Reads an opening bracket.
    fn open(&mut self) -> Result<(), Diagnostic> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = message!(
                "brackets are nested more than {depth} deep",
                depth = MAX_DEPTH
            );
            return Err(error(message, self.span));
        }
        self.advance()?;
        Ok(())
    }

    /// Reads a closing bracket.
    fn close(&mut self, sign: &str) -> Result<(), Diagnostic> {
        self.depth -= 1;
        self.expect(sign)
    }

    /// Reads the arguments of a call up to the closing parenthesis.
    fn arguments(&mut self) -> Result<Vec<Argument>, Diagnostic> {
        let mut arguments: Vec<Argument> = Vec::new();
        while !self.is(")") {
            if self.is("*") || self.is("**") {
                let items = self.unpacked()?;
                if arguments.last().is_some_and(|last| last.name.is_some()) {
                    let message = message!("an argument without a name follows a named argument");
                    return Err(error(message, self.before));
                }
                arguments.extend(
                    items
                        .into_iter()
                        .map(|value| Argument { name: None, value }),
                );
                if !self.skip(",")? {
                    break;
                }
                continue;
            }
            let value = self.expression()?;
            let name = match &value.kind {
                ExpressionKind::Name(text) if self.is("=") => Some(Name {
                    text: text.clone(),
                    span: value.span,
                }),
                _ => None,
            };
            let argument = if let Some(name) = name {
                self.advance()?;
                let given = |argument: &Argument| {
                    let earlier = argument.name.as_ref();
                    earlier.is_some_and(|earlier| earlier.text == name.text)
                };
                if arguments.iter().any(given) {
                    let message = message!("the argument `{name}` is repeated", name = name.text);
                    return Err(error(message, name.span));
                }
                Argument {
                    name: Some(name),
                    value: self.expression()?,
                }
            } else {
                if arguments.last().is_some_and(|last| last.name.is_some()) {
                    let message = message!("an argument without a name follows a named argument");
                    return Err(error(message, value.span));
                }
                Argument { name: None, value }
            };
            arguments.push(argument);
            if !self.skip(",")? {
                break;
            }
        }
        Ok(arguments)
    }

    /// Reads an unpacked list or tuple such as `*[3, 4]` or `*[3] * 2`, and returns its items. The
    /// items must be written out, since their number is known only then.
    fn unpacked(&mut self) -> Result<Vec<Expression>, Diagnostic> {
        let start = self.span;
        let refused = || {
            let message = message!("arguments cannot be unpacked here");
            error(message, start).help(message!("write the arguments one by one"))
        };
        if self.is("**") {
            return Err(refused());
        }
        self.advance()?;
        let (items, times) = match self.expression()?.kind {
            ExpressionKind::Binary(both, Binary::Multiply) => match (both.0.kind, both.1.kind) {
                (list, ExpressionKind::Int(times)) | (ExpressionKind::Int(times), list) => {
                    (list, times)
                }
                _ => return Err(refused()),
            },
            list => (list, 1),
        };
        let (ExpressionKind::List(items) | ExpressionKind::Tuple(items)) = items else {
            return Err(refused());
        };
        let times = usize::try_from(times).unwrap_or(0);
        if items.len().saturating_mul(times) > MAX_UNPACKED {
            let most = MAX_UNPACKED;
            let message = message!("a call has more than {most} unpacked arguments", most);
            return Err(error(message, start));
        }
        Ok(std::iter::repeat_n(items, times).flatten().collect())
    }

    /// Reads an index or the bounds of a slice.
    fn index(&mut self, of: Expression) -> Result<ExpressionKind, Diagnostic> {
        let from = if self.is(":") {
            None
        } else {
            Some(match self.lexer.mode() {
                // In an expression, `nim[3, 4]` is rejected later, with a better message.
                Mode::Expression => self.expressions()?,
                Mode::File => self.expression()?,
            })
        };
        if self.is(",") && self.lexer.mode() == Mode::File {
            let error = self.unexpected(&message!("`{sign}`", sign = "]"));
            return Err(error.help(message!("write a tuple in parentheses: d[(1, 2)]")));
        }
        if !self.is(":") {
            let index = from.expect("there is no slice without a colon");
            return Ok(ExpressionKind::Index(Box::new((of, index))));
        }
        let mut bounds = [from.map(Box::new), None, None];
        for bound in &mut bounds[1..] {
            if !self.skip(":")? {
                break;
            }
            if !self.is(":") && !self.is("]") {
                *bound = Some(Box::new(self.expression()?));
            }
        }
        Ok(ExpressionKind::Slice(Box::new(of), bounds))
    }

    /// Reads a literal, a name, or an expression in brackets.
    fn operand(&mut self) -> Result<Expression, Diagnostic> {
        let kind = match self.token {
            Token::Name(text) => ExpressionKind::Name(text.to_owned()),
            Token::Int(value) => ExpressionKind::Int(value),
            Token::Float(text) => ExpressionKind::Float(text.to_owned()),
            Token::Text(ref mut text) => ExpressionKind::Text(mem::take(text)),
            Token::Sign("(") => return self.parenthesized(),
            Token::Sign("[") => return self.list(),
            Token::Sign("{") => return self.dict(),
            _ => return Err(self.unexpected(&message!("an expression"))),
        };
        self.advance()?;
        Ok(Expression {
            kind,
            span: self.before,
        })
    }

    /// Reads an expression or a tuple in parentheses.
    fn parenthesized(&mut self) -> Result<Expression, Diagnostic> {
        let start = self.span;
        self.open()?;
        if self.is(")") {
            self.close(")")?;
            return Ok(Expression {
                kind: ExpressionKind::Tuple(Vec::new()),
                span: start.to(self.before),
            });
        }
        let first_start = self.span;
        let first = self.expression()?;
        let inner = self.tuple(first, first_start, true)?;
        self.close(")")?;
        Ok(inner)
    }

    /// Reads a list or a list comprehension.
    fn list(&mut self) -> Result<Expression, Diagnostic> {
        let start = self.span;
        let (mut items, clauses) = self.items("]", Self::expression)?;
        let kind = if clauses.is_empty() {
            ExpressionKind::List(items)
        } else {
            let item = items.pop().expect("a comprehension has an item");
            ExpressionKind::ListComprehension(Box::new(item), clauses)
        };
        Ok(Expression {
            kind,
            span: start.to(self.before),
        })
    }

    /// Reads a dict or a dict comprehension.
    fn dict(&mut self) -> Result<Expression, Diagnostic> {
        let start = self.span;
        let (mut items, clauses) = self.items("}", |parser| {
            let key = parser.expression()?;
            parser.expect(":")?;
            Ok((key, parser.expression()?))
        })?;
        let kind = if clauses.is_empty() {
            ExpressionKind::Dict(items)
        } else {
            let item = items.pop().expect("a comprehension has an item");
            ExpressionKind::DictComprehension(Box::new(item), clauses)
        };
        Ok(Expression {
            kind,
            span: start.to(self.before),
        })
    }

    /// Reads the items between brackets, which are separated by commas. In a comprehension, there
    /// is one item, which the clauses follow.
    fn items<T>(
        &mut self,
        close: &str,
        item: impl Fn(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<(Vec<T>, Vec<Clause>), Diagnostic> {
        self.open()?;
        let (mut items, mut clauses) = (Vec::new(), Vec::new());
        while !self.is(close) {
            items.push(item(self)?);
            if items.len() == 1 && self.is("for") {
                clauses = self.clauses()?;
                break;
            }
            if !self.skip(",")? {
                break;
            }
        }
        self.close(close)?;
        Ok((items, clauses))
    }

    /// Reads the clauses of a comprehension, of which the first is a `for` clause.
    fn clauses(&mut self) -> Result<Vec<Clause>, Diagnostic> {
        let mut clauses = Vec::new();
        loop {
            if self.skip("for")? {
                let (target, over) = self.loop_head()?;
                clauses.push(Clause::For(target, over));
            } else if self.skip("if")? {
                clauses.push(Clause::If(self.operators()?));
            } else {
                return Ok(clauses);
            }
        }
    }

    /// Reads `targets in operators` of a comprehension.
    fn loop_head(&mut self) -> Result<(Target, Expression), Diagnostic> {
        let target = self.loop_target()?;
        self.expect("in")?;
        Ok((target, self.operators()?))
    }

    /// Reads the variables of a loop.
    pub(crate) fn loop_target(&mut self) -> Result<Target, Diagnostic> {
        let first = self.primary()?;
        if !self.is(",") {
            return target(first);
        }
        let start = first.span;
        let mut items = vec![target(first)?];
        while self.skip(",")? {
            let item = self.primary()?;
            items.push(target(item)?);
        }
        Ok(Target {
            kind: TargetKind::Tuple(items),
            span: start.to(self.before),
        })
    }

    /// Reads the parameters of a function up to the sign `end`.
    pub(crate) fn parameters(&mut self, end: &str) -> Result<Vec<Parameter>, Diagnostic> {
        let mut parameters: Vec<Parameter> = Vec::new();
        while !self.is(end) {
            if self.is("*") || self.is("**") || self.is("/") {
                let message = message!(
                    "this kind of parameter is not supported: write the parameters one by one"
                );
                return Err(error(message, self.span));
            }
            let name = self.name()?;
            if parameters
                .iter()
                .any(|earlier| earlier.name.text == name.text)
            {
                let message = message!("the parameter `{name}` is repeated", name = name.text);
                return Err(error(message, name.span));
            }
            let default = if self.skip("=")? {
                Some(self.expression()?)
            } else {
                None
            };
            let after_default = parameters.last().is_some_and(|last| last.default.is_some());
            if default.is_none() && after_default {
                let message = message!(
                    "a parameter without a default value follows one that has a default value"
                );
                return Err(error(message, name.span));
            }
            parameters.push(Parameter { name, default });
            if !self.skip(",")? {
                break;
            }
        }
        Ok(parameters)
    }
}

/// Converts an expression to the left side of an assignment.
pub(crate) fn target(expression: Expression) -> Result<Target, Diagnostic> {
    let span = expression.span;
    let kind = match expression.kind {
        ExpressionKind::Name(name) => TargetKind::Name(name),
        ExpressionKind::Index(both) => TargetKind::Index(both),
        ExpressionKind::Tuple(items) | ExpressionKind::List(items) => {
            let targets = items.into_iter().map(target);
            TargetKind::Tuple(targets.collect::<Result<_, _>>()?)
        }
        _ => {
            return Err(error(message!("cannot assign to this expression"), span));
        }
    };
    Ok(Target { kind, span })
}

/// Applies the last operator on the stack to the last operands.
fn join(operands: &mut Vec<(Expression, Span)>, operators: &mut Vec<Operator>) {
    let (right, end) = operands.pop().expect("an operator has an operand");
    let operator = operators.pop().expect("the stack was checked");
    let joined = match operator {
        Operator::Unary(unary, start) => Expression {
            span: start.to(end),
            kind: ExpressionKind::Unary(unary, Box::new(right)),
        },
        Operator::Binary(binary) => {
            let (left, _) = operands.pop().expect("the operator has two operands");
            Expression {
                span: left.span.to(right.span),
                kind: ExpressionKind::Binary(Box::new((left, right)), binary),
            }
        }
    };
    operands.push((joined, end));
}
