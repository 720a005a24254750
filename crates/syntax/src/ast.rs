//! The syntax tree.

use std::ops::Range;

/// A range of bytes in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// Returns the span of a range of bytes. Texts are shorter than 4 GiB.
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self {
            start: start as u32,
            end: end as u32,
        }
    }

    /// Returns the span as a range.
    ///
    /// ```
    /// let expression = grundy_syntax::parse_expression("1 + 2")?;
    /// assert_eq!(expression.span.range(), 0..5);
    /// # Ok::<(), grundy_base::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the smallest span that contains both spans.
    pub(crate) fn to(self, end: Self) -> Self {
        Self {
            start: self.start,
            end: end.end,
        }
    }
}

/// A name in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The text of the name.
    pub text: String,
    /// The place of the name.
    pub span: Span,
}

/// An expression and its place. The place of an expression in parentheses excludes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The kind of the expression, with its parts.
    pub kind: ExpressionKind,
    /// The place of the expression.
    pub span: Span,
}

/// The kind of an [`Expression`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// A name, also `True`, `False` and `None`.
    Name(String),
    /// An integer. Numbers that do not fit are replaced by the largest `i128`.
    Int(i128),
    /// A number with a fractional part or an exponent: its text.
    Float(String),
    /// A string, with its escapes replaced.
    Text(String),
    /// A tuple such as `(a, b)`.
    Tuple(Vec<Expression>),
    /// A list such as `[a, b]`.
    List(Vec<Expression>),
    /// A dict such as `{a: b}`.
    Dict(Vec<(Expression, Expression)>),
    /// An operator with one operand.
    Unary(Unary, Box<Expression>),
    /// An operator with two operands.
    Binary(Box<(Expression, Expression)>, Binary),
    /// `then if condition else otherwise`: the condition, and both values in this order.
    If(Box<(Expression, Expression, Expression)>),
    /// `of[index]`. Several indices are a tuple.
    Index(Box<(Expression, Expression)>),
    /// `of[from:to:step]`.
    Slice(Box<Expression>, [Option<Box<Expression>>; 3]),
    /// A call, with the called expression and the arguments.
    Call(Box<Expression>, Vec<Argument>),
    /// `of.name`.
    Dot(Box<Expression>, Name),
    /// `lambda parameters: body`.
    Lambda(Box<Lambda>),
    /// `[item for ...]`. The first clause is a `for` clause.
    ListComprehension(Box<Expression>, Vec<Clause>),
    /// `{key: value for ...}`. The first clause is a `for` clause.
    DictComprehension(Box<(Expression, Expression)>, Vec<Clause>),
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `not`.
    Not,
    /// `-`.
    Minus,
    /// `+`.
    Plus,
    /// `~`.
    BitNot,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `or`.
    Or,
    /// `and`.
    And,
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `<`.
    Less,
    /// `>`.
    Greater,
    /// `<=`.
    LessOrEqual,
    /// `>=`.
    GreaterOrEqual,
    /// `in`.
    In,
    /// `not in`.
    NotIn,
    /// `|`.
    BitOr,
    /// `^`.
    BitXor,
    /// `&`.
    BitAnd,
    /// `<<`.
    LeftShift,
    /// `>>`.
    RightShift,
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `**`.
    Power,
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
    /// `//`.
    FloorDivide,
    /// `%`.
    Percent,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The name of a named argument.
    pub name: Option<Name>,
    /// The value of the argument.
    pub value: Expression,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name of the parameter.
    pub name: Name,
    /// The value if the argument is omitted.
    pub default: Option<Expression>,
}

/// A function without a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lambda {
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The value of the function.
    pub body: Expression,
}

/// A clause of a comprehension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// `for target in over`.
    For(Target, Expression),
    /// `if condition`.
    If(Expression),
}

/// The left side of an assignment, or the variables of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The kind of the target, with its parts.
    pub kind: TargetKind,
    /// The place of the target.
    pub span: Span,
}

/// The kind of a [`Target`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetKind {
    /// A variable.
    Name(String),
    /// `of[index]`.
    Index(Box<(Expression, Expression)>),
    /// A tuple or list of targets.
    Tuple(Vec<Target>),
}

/// A statement and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The kind of the statement, with its parts.
    pub kind: StatementKind,
    /// The place of the statement.
    pub span: Span,
}

/// The kind of a [`Statement`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// `pass`.
    Pass,
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`, with the value if there is one.
    Return(Option<Expression>),
    /// An expression whose value is not used.
    Expression(Expression),
    /// `target = value`.
    Assign(Target, Expression),
    /// `target += value`, or the same with another operator. The target is not a tuple.
    Modify(Target, Binary, Expression),
    /// `if`, with the condition and the block of each branch, and the block of `else`.
    If(Vec<(Expression, Vec<Statement>)>, Vec<Statement>),
    /// `for target in over`, with the block.
    For(Target, Expression, Vec<Statement>),
    /// `def`, with the name, the parameters and the block.
    Def(Name, Vec<Parameter>, Vec<Statement>),
}
