//! Evaluation of a rule function for all numbers from some number on.
//!
//! The position is an unknown integer n with n >= N. Values are numbers such as n - 3 or
//! floor((n + 1) / 2), and constants, lists and sums of these. A loop over a range whose bounds
//! depend on n is evaluated once, for an unknown number a of the range. If a condition on a can be
//! true and false, both cases are evaluated, each with a further linear constraint on a and n.
//!
//! Everything that this cannot decide is [`Undecided`]. Nothing is then known about the function.

mod arithmetic;
mod budget;
mod evaluate;
mod expression;
mod lists;
mod value;

use std::collections::HashMap;

use grundy_syntax::{Parameter, Statement, StatementKind, TargetKind};

pub(crate) use arithmetic::{Constraint, Number, Region};
pub(crate) use budget::Budget;
pub(crate) use evaluate::options;

/// The result for a function that cannot be evaluated in this way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Undecided;

type Decided<T> = Result<T, Undecided>;

/// An option of the unknown position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SymbolicOption {
    /// The numbers of the sum.
    pub(crate) heaps: Vec<Number>,
    /// The constraints on a and n under which the option exists. Without a loop over an unknown
    /// number, the list is empty.
    pub(crate) when: Vec<Constraint>,
}

/// The value of a global variable of a rule file.
#[derive(Clone, Debug)]
pub(crate) enum Global {
    Bool(bool),
    Int(i64),
    Text,
    List(Vec<Global>),
    Tuple(Vec<Global>),
    Function,
    /// A value of another type, or a value that is too large.
    Other,
}

/// A function of a rule file.
#[derive(Clone, Copy, Debug)]
struct Function<'a> {
    parameters: &'a [Parameter],
    body: &'a [Statement],
}

/// The functions and the global variables of a rule file.
#[derive(Debug, Default)]
pub(crate) struct Names<'a> {
    /// The functions that are defined once and never bound in another way.
    functions: HashMap<&'a str, Function<'a>>,
    globals: HashMap<String, Global>,
}

impl<'a> Names<'a> {
    /// Returns the names of a file with the given statements. `globals` has the values of the
    /// global variables after the file was loaded.
    pub(crate) fn of(statements: &'a [Statement], globals: HashMap<String, Global>) -> Self {
        let mut bound: HashMap<&str, Option<Function<'a>>> = HashMap::new();
        for statement in statements {
            match &statement.kind {
                StatementKind::Def(name, parameters, body) => {
                    let function = Function { parameters, body };
                    bound
                        .entry(&name.text)
                        .and_modify(|known| *known = None)
                        .or_insert(Some(function));
                }
                StatementKind::Assign(target, _) => match &target.kind {
                    TargetKind::Name(name) => {
                        bound.insert(name, None);
                    }
                    _ => return Self::default(),
                },
                StatementKind::Expression(_) | StatementKind::Pass => {}
                _ => return Self::default(),
            }
        }
        let functions = bound
            .into_iter()
            .filter_map(|(name, function)| Some((name, function?)))
            .collect();
        Self { functions, globals }
    }
}
