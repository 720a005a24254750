//! Compiled rules: functions as lists of instructions for a stack machine.

use std::ops::Range;

use crate::method::Method;

/// An instruction. Values are pushed on a stack; `a b` below are its topmost values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// Push a small integer.
    Int(i32),
    /// Push constant number n.
    Constant(u32),
    /// Push a local variable.
    Local(u32),
    /// Pop into a local variable.
    SetLocal(u32),
    /// Push a global variable.
    Global(u32),
    /// Pop into a global variable.
    SetGlobal(u32),
    /// Drop the topmost value.
    Pop,
    /// Push the two topmost values again.
    CopyTwo,
    /// `a b` to the value of `a op b`.
    Binary(Binary),
    /// `a` to the value of `a op b`, b being a local variable: a frequent pair of instructions in one.
    BinaryLocal(Binary, u16),
    /// The same for a small integer b.
    BinaryInt(Binary, i16),
    /// `a += b`, which changes a list in place.
    AddTo,
    /// The truth of `a`, turned round.
    Not,
    Minus,
    Plus,
    BitNot,
    Jump(u32),
    /// Pop, and jump if it was false.
    JumpIfFalse(u32),
    /// `a and ...`: jump if `a` is false, else pop.
    And(u32),
    /// `a or ...`: jump if `a` is true, else pop.
    Or(u32),
    /// The n topmost values to a tuple.
    Tuple(u32),
    /// The n topmost values to a list.
    List(u32),
    /// The n topmost pairs of key and value to a dictionary.
    Dict(u32),
    /// `a[b]`.
    Index,
    /// `a b c`: `a[b] = c`.
    SetIndex,
    /// `a[b:c:d]`, absent bounds being None.
    Slice,
    /// A call of `a` with the arguments above it.
    Call(u32),
    /// A call of a method of `a`.
    Method(Method, u16),
    /// Pop `a` and begin to go through it.
    Iterate,
    /// Push the next value of what is gone through, or end that and jump.
    Next(u32),
    /// End what is gone through.
    EndIteration,
    /// Pop and append to the list in a local variable.
    AppendTo(u32),
    /// Pop value and key and put them into the dictionary in a local variable.
    PutInto(u32),
    /// Pop a sequence of exactly n values and push them, the first on top.
    Unpack(u32),
    /// Make function number n from the defaults on the stack.
    Function(u32),
    Return,
}

/// A binary operator that evaluates both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Equal,
    NotEqual,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    In,
    NotIn,
    Add,
    Subtract,
    Multiply,
    FloorDivide,
    Percent,
    BitAnd,
    BitOr,
    BitXor,
    LeftShift,
    RightShift,
}

/// A constant.
#[derive(Clone, Debug)]
pub(crate) enum Constant {
    None,
    Bool(bool),
    Int(i64),
    Text(String),
    Builtin(crate::builtin::Builtin),
}

/// The form of a call: names of the arguments, in order; `None` for positional ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CallForm {
    pub(crate) names: Vec<Option<String>>,
    pub(crate) named: bool,
}

/// A function; number 0 is the file itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// Where it is defined, in bytes of the file.
    pub(crate) place: Range<u32>,
    pub(crate) parameters: Vec<String>,
    /// How many of the last parameters have defaults.
    pub(crate) defaults: usize,
    /// Parameters and all other local variables.
    pub(crate) locals: Vec<String>,
    pub(crate) code: Vec<Op>,
    /// The place of each instruction, in bytes of the file.
    pub(crate) spans: Vec<Range<u32>>,
}

/// A compiled file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) functions: Vec<Function>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) globals: Vec<String>,
    pub(crate) calls: Vec<CallForm>,
}
