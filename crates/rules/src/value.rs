//! Values of the language. A value has two machine words and is copied. If its content is larger,
//! the content is an object in the arena.

/// The index of an object in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle(pub(crate) i64);

/// A value of the language in which rule files are written.
///
/// The payload of every kind of value is one signed 64-bit number. So a value is a pair of machine
/// words and is passed in registers. With narrower or unsigned payloads, the machine would be
/// slower by a third.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    /// The value of a variable before its first assignment.
    Unset,
    None,
    Bool(Truth),
    Int(i64),
    /// An integer that does not fit in 64 bits. It is less than 2^64 in absolute value.
    Wide(Handle),
    Str(Handle),
    Tuple(Handle),
    List(Handle),
    Dict(Handle),
    Range(Handle),
    /// A sum of independent positions, created by `sum_of`.
    Sum(Handle),
    /// A game that is given by its value, as in `literal("{2|*}")`. The handle refers to the text.
    Literal(Handle),
    Function(Handle),
    /// A builtin function, given by its index in the table of builtin functions.
    Builtin(i64),
}

/// A truth value. It is as wide as the payloads of the other kinds of [`Value`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(i64)]
pub(crate) enum Truth {
    False,
    True,
}

impl From<bool> for Value {
    #[inline]
    fn from(truth: bool) -> Self {
        Self::Bool(if truth { Truth::True } else { Truth::False })
    }
}

impl Value {
    /// Returns the truth value as a `bool`, if this value is a boolean.
    pub(crate) fn as_bool(self) -> Option<bool> {
        match self {
            Self::Bool(truth) => Some(truth == Truth::True),
            _ => None,
        }
    }

    /// Returns the name that Starlark gives to the type of this value.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Unset | Self::None => "NoneType",
            Self::Bool(_) => "bool",
            Self::Int(_) | Self::Wide(_) => "int",
            Self::Str(_) => "string",
            Self::Tuple(_) => "tuple",
            Self::List(_) => "list",
            Self::Dict(_) => "dict",
            Self::Range(_) => "range",
            Self::Sum(_) => "sum_of",
            Self::Literal(_) => "literal",
            Self::Function(_) | Self::Builtin(_) => "function",
        }
    }
}

/// Returns the number of elements of a range.
pub(crate) fn range_len((start, stop, step): (i64, i64, i64)) -> u64 {
    if step == 1 {
        return if start < stop {
            start.abs_diff(stop)
        } else {
            0
        };
    }
    // The difference of two 64-bit numbers may need more than 64 bits.
    let (start, stop, step) = (i128::from(start), i128::from(stop), i128::from(step));
    let length = if step > 0 {
        (stop - start + step - 1).div_euclid(step)
    } else {
        (start - stop - step - 1).div_euclid(-step)
    };
    u64::try_from(length.max(0)).unwrap_or(u64::MAX)
}
