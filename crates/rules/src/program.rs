//! Compiled rules: functions as lists of instructions for a stack machine.

use std::ops::Range;

use crate::machine::builtin::Builtin;
use crate::machine::method::MethodName;

/// An instruction. Values are pushed on a stack; `a b` below are its topmost values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
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
    /// `a` to the value of `a op b`, b being a local variable: a frequent pair of instructions in
    /// one.
    BinaryLocal(Binary, u16),
    /// The same for a small integer b.
    BinaryInt(Binary, i16),
    /// Push `a op b` of two local variables.
    BinaryLocals(Binary, u16, u16),
    /// Push `a op b` of a local variable and a small integer.
    BinaryLocalInt(Binary, u16, i16),
    /// Pop `a` and `b`, and jump if `a op b` is false.
    Unless(Binary, u32),
    /// Pop `a`, and jump if `a op b` is false, b being a local variable.
    UnlessLocal(Binary, u16, u32),
    /// The same for a small integer b.
    UnlessInt(Binary, i16, u32),
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
    /// `a` to `a[b]`, b being a local variable.
    IndexLocal(u16),
    /// Push `a[b]` of two local variables.
    IndexLocals(u16, u16),
    /// `a b c`: `a[b] = c`.
    SetIndex,
    /// `a[b:c:d]`, absent bounds being None.
    Slice,
    /// A call of `a` with the arguments above it.
    Call(u32),
    /// A call of a builtin function with the n topmost values.
    Builtin(Builtin, u16),
    /// A call of a method of `a`.
    MethodName(MethodName, u16),
    /// Pop `a` and begin to go through it.
    Iterate,
    /// Push the next value of what is gone through, or end that and jump.
    Next(u32),
    /// The same into a local variable.
    NextInto(u16, u32),
    /// End what is gone through.
    EndIteration,
    /// Pop and append to the list in a local variable.
    AppendTo(u32),
    /// Pop value and key and put them into the dictionary in a local variable.
    PutInto(u32),
    /// Pop a sequence of exactly n values and push them, the first on top.
    Unpack(u32),
    /// Turn the order of the n topmost values round.
    Reverse(u32),
    /// Make function number n from the defaults on the stack.
    Function(u32),
    Return,
}

/// Eight bytes, with a byte of its own for the kind: the machine reads one at each step.
const _: () = assert!(size_of::<Op>() == 8);

impl Op {
    /// This instruction and `before`, which stands directly before it, in one.
    pub(crate) fn after(self, before: Self) -> Option<Self> {
        let slot = |slot: u32| u16::try_from(slot).ok();
        Some(match (before, self) {
            (Self::Local(b), Self::Binary(op)) => Self::BinaryLocal(op, slot(b)?),
            (Self::Int(n), Self::Binary(op)) => Self::BinaryInt(op, i16::try_from(n).ok()?),
            (Self::Local(a), Self::BinaryLocal(op, b)) => Self::BinaryLocals(op, slot(a)?, b),
            (Self::Local(a), Self::BinaryInt(op, n)) => Self::BinaryLocalInt(op, slot(a)?, n),
            (Self::Binary(op), Self::JumpIfFalse(to)) => Self::Unless(op, to),
            (Self::BinaryLocal(op, b), Self::JumpIfFalse(to)) => Self::UnlessLocal(op, b, to),
            (Self::BinaryInt(op, n), Self::JumpIfFalse(to)) => Self::UnlessInt(op, n, to),
            (Self::Local(b), Self::Index) => Self::IndexLocal(slot(b)?),
            (Self::Local(a), Self::IndexLocal(b)) => Self::IndexLocals(slot(a)?, b),
            (Self::Next(to), Self::SetLocal(a)) => Self::NextInto(slot(a)?, to),
            _ => return None,
        })
    }

    /// Lets a jump lead to an instruction.
    pub(crate) fn lead(&mut self, there: u32) {
        match self {
            Self::Jump(to)
            | Self::JumpIfFalse(to)
            | Self::Unless(_, to)
            | Self::UnlessLocal(_, _, to)
            | Self::UnlessInt(_, _, to)
            | Self::And(to)
            | Self::Or(to)
            | Self::Next(to)
            | Self::NextInto(_, to) => *to = there,
            other => unreachable!("{other:?} is no jump"),
        }
    }
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
    Builtin(Builtin),
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
