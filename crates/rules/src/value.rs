//! Values of the language. A value is two words and is copied; what is larger lives in the arena.

/// Where a value stands in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle(pub(crate) i64);

/// A value.
///
/// What each kind holds is one number of 64 bits with a sign: a value then is a pair of machine
/// words, and moves through registers. Anything narrower, or without a sign, costs the machine a
/// third of its speed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    /// A variable before its first assignment.
    Unset,
    None,
    Bool(Truth),
    Int(i64),
    Str(Handle),
    Tuple(Handle),
    List(Handle),
    Dict(Handle),
    Range(Handle),
    /// Positions valued apart, made by `sum_of`.
    Sum(Handle),
    /// A finished value, made by `literal` of the text that stands there.
    Literal(Handle),
    Function(Handle),
    /// A builtin function's number.
    Builtin(i64),
}

/// A truth value.
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
    /// Returns the truth value that it is.
    pub(crate) fn as_bool(self) -> Option<bool> {
        match self {
            Self::Bool(truth) => Some(truth == Truth::True),
            _ => None,
        }
    }

    /// Returns the type's name in Starlark.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Unset | Self::None => "NoneType",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
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

/// Returns the number of values of a range.
pub(crate) fn range_len((start, stop, step): (i64, i64, i64)) -> u64 {
    if step == 1 {
        return if start < stop {
            start.abs_diff(stop)
        } else {
            0
        };
    }
    let (start, stop, step) = (i128::from(start), i128::from(stop), i128::from(step));
    let length = if step > 0 {
        (stop - start + step - 1).div_euclid(step)
    } else {
        (start - stop - step - 1).div_euclid(-step)
    };
    u64::try_from(length.max(0)).unwrap_or(u64::MAX)
}
