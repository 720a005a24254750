//! Compiled rules. Each function is a list of instructions for a stack machine.

use std::ops::Range;

use crate::machine::builtin::Builtin;
use crate::machine::method::MethodName;

/// An instruction of the stack machine. In the descriptions, `a b` are the topmost values on the
/// stack, with `b` on top, and n is the integer operand of the instruction. Every description
/// states whether the instruction removes or replaces `a` and `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Op {
    /// Pushes a small integer.
    Int(i32),
    /// Pushes the constant with index n.
    Constant(u32),
    /// Pushes a local variable.
    Local(u32),
    /// Pops a value and stores it in a local variable.
    SetLocal(u32),
    /// Pushes a global variable.
    Global(u32),
    /// Pops a value and stores it in a global variable.
    SetGlobal(u32),
    /// Pops a value and discards it.
    Pop,
    /// Pushes copies of the two topmost values.
    CopyTwo,
    /// Replaces `a b` by the value of `a op b`.
    Binary(Binary),
    /// Replaces `a` by the value of `a op b`, where b is a local variable. This instruction and the
    /// following ones, up to `UnlessInt`, each replace two or more instructions that often occur
    /// together.
    BinaryLocal(Binary, u16),
    /// Replaces `a` by the value of `a op b`, where b is a small integer.
    BinaryInt(Binary, i16),
    /// Pushes the value of `a op b`, where both operands are local variables.
    BinaryLocals(Binary, u16, u16),
    /// Pushes the value of `a op b`, where a is a local variable and b is a small integer.
    BinaryLocalInt(Binary, u16, i16),
    /// Pops `a` and `b`, and jumps if `a op b` is false.
    Unless(Binary, u32),
    /// Pops `a`, and jumps if `a op b` is false, where b is a local variable.
    UnlessLocal(Binary, u16, u32),
    /// Pops `a`, and jumps if `a op b` is false, where b is a small integer.
    UnlessInt(Binary, i16, u32),
    /// Replaces `a b` by the value of `a += b`. If `a` is a list, the list itself is changed.
    AddAssign,
    /// Replaces `a` by the negation of its truth value.
    Not,
    Minus,
    Plus,
    BitNot,
    Jump(u32),
    /// Pops a value, and jumps if it is false.
    JumpIfFalse(u32),
    /// Evaluates `a and ...`: if `a` is false, it jumps and keeps `a` on the stack. Otherwise it
    /// pops `a`.
    And(u32),
    /// Evaluates `a or ...`: if `a` is true, it jumps and keeps `a` on the stack. Otherwise it pops
    /// `a`.
    Or(u32),
    /// Replaces the n topmost values by a tuple.
    Tuple(u32),
    /// Replaces the n topmost values by a list.
    List(u32),
    /// Replaces the n topmost pairs of key and value by a dictionary.
    Dict(u32),
    /// Replaces `a b` by `a[b]`.
    Index,
    /// Replaces `a` by `a[b]`, where b is a local variable.
    IndexLocal(u16),
    /// Pushes `a[b]`, where a and b are local variables.
    IndexLocals(u16, u16),
    /// Pops `a b c`, with `c` on top, and executes `a[b] = c`.
    SetIndex,
    /// Replaces `a b c d` by `a[b:c:d]`. A missing bound is given as `None`.
    Slice,
    /// Calls the function `a`, which is on the stack below its arguments. The result replaces the
    /// function and the arguments. The operand is the index of a [`CallForm`].
    Call(u32),
    /// Calls a builtin function with the n topmost values as its arguments, and replaces them by
    /// the result.
    CallBuiltin(Builtin, u16),
    /// Calls a method of the value `a`, which is on the stack below the n arguments. The result
    /// replaces `a` and the arguments.
    CallMethod(MethodName, u16),
    /// Pops `a` and begins an iteration over it.
    Iterate,
    /// Pushes the next value of the innermost iteration. If there is none, ends the iteration and
    /// jumps.
    Next(u32),
    /// Stores the next value of the innermost iteration in a local variable. If there is none, ends
    /// the iteration and jumps.
    NextInto(u16, u32),
    /// Ends the innermost iteration.
    EndIteration,
    /// Pops a value and appends it to the list that is in a local variable.
    AppendTo(u32),
    /// Pops a value and its key, and adds them to the dictionary that is in a local variable.
    PutInto(u32),
    /// Pops a sequence, which must have exactly n values, and pushes these so that the first is on
    /// top.
    Unpack(u32),
    /// Reverses the order of the n topmost values.
    Reverse(u32),
    /// Creates the function with index n and pushes it. The default values of its parameters are
    /// popped from the stack and stored in the function.
    Function(u32),
    Return,
}

/// An instruction, including its kind, must have eight bytes, since the machine reads one at each
/// step.
const _: () = assert!(size_of::<Op>() == 8);

impl Op {
    /// Returns one instruction that is equivalent to `before` followed by this one. Returns `None`
    /// if there is no such instruction.
    pub(crate) fn merge_after(self, before: Self) -> Option<Self> {
        // The operands of merged instructions are narrower. Instructions whose operands do not fit
        // are not merged.
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

    /// Sets the target of a jump to the instruction with index `target`.
    pub(crate) fn set_target(&mut self, target: u32) {
        match self {
            Self::Jump(to)
            | Self::JumpIfFalse(to)
            | Self::Unless(_, to)
            | Self::UnlessLocal(_, _, to)
            | Self::UnlessInt(_, _, to)
            | Self::And(to)
            | Self::Or(to)
            | Self::Next(to)
            | Self::NextInto(_, to) => *to = target,
            other => unreachable!("{other:?} is no jump"),
        }
    }
}

/// A binary operator that always evaluates both operands.
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
    Power,
    FloorDivide,
    Percent,
    BitAnd,
    BitOr,
    BitXor,
    LeftShift,
    RightShift,
}

/// A constant in the code. It is converted to a value once, when the file is loaded.
#[derive(Clone, Debug)]
pub(crate) enum Constant {
    None,
    Bool(bool),
    Int(i64),
    /// An integer that does not fit in 64 bits.
    Wide(i128),
    Text(String),
    Builtin(Builtin),
}

/// The form of a call: the name of each argument in order, or `None` for a positional argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CallForm {
    pub(crate) names: Vec<Option<String>>,
    pub(crate) named: bool,
}

/// A compiled function. Function 0 is the top level of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// The range of bytes in the file: the name after `def`, or the whole `lambda`.
    pub(crate) span: Range<u32>,
    pub(crate) parameters: Vec<String>,
    /// The number of parameters that have a default value. They come last.
    pub(crate) defaults: usize,
    /// The names of the local variables. The parameters come first.
    pub(crate) locals: Vec<String>,
    pub(crate) code: Vec<Op>,
    /// The place of each instruction, as a range of bytes in the file.
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
