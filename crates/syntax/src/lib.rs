//! The syntax of the notation and of rule files: a subset of Starlark, which is a subset of Python.
//!
//! [`parse_expression`] parses one expression, and [`parse_file`] a rule file. Both return a syntax
//! tree in which every node has the range of its bytes. This crate gives the tree no meaning: the
//! crate `notation` evaluates expressions, and the crate `rules` compiles files.
//!
//! The subset contains everything of Starlark except `load`, floating-point operators, byte
//! strings, unpacked arguments (`*args`, `**kwargs`), and type annotations.
//!
//! The parser uses recursion for brackets and indented blocks only, and limits the depth of both.
//! Operators are parsed with an explicit stack.
//!
//! This crate is an implementation detail of the interfaces of grundy.

mod ast;
mod expression;
mod lexer;
mod statement;
mod string;
mod token;

pub use ast::{
    Argument, Binary, Clause, Expression, ExpressionKind, Lambda, Name, Parameter, Span, Statement,
    StatementKind, Target, TargetKind, Unary,
};
pub use expression::{MAX_DEPTH, parse_expression};
pub use statement::{MAX_BLOCKS, parse_file};
