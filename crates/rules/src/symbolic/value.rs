//! Values of the evaluator.

use std::rc::Rc;

use super::arithmetic::{Constraint, Number};

/// A value of the language.
#[derive(Clone, Debug)]
pub(super) enum Value {
    None,
    Bool(bool),
    Int(Number),
    /// A text, whose content is kept only if it is written in the function.
    Text(Option<Rc<str>>),
    Tuple(Rc<[Value]>),
    /// The index of a list.
    List(usize),
    Range {
        from: Number,
        to: Number,
        step: i128,
    },
    Sum(Rc<[Value]>),
    Function(Rc<str>),
    Builtin(&'static str),
}

/// An item of a list.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) value: Value,
    /// The loop over an unknown number in which the item was appended, if there was one. The item
    /// then exists only if the constraints hold.
    pub(super) appended_in: Option<usize>,
    pub(super) when: Vec<Constraint>,
}

impl From<Value> for Item {
    /// Creates an item that exists for every n.
    fn from(value: Value) -> Self {
        Self {
            value,
            appended_in: None,
            when: Vec::new(),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct List {
    pub(super) items: Vec<Item>,
    /// Lists of the file cannot be changed.
    pub(super) is_frozen: bool,
}
