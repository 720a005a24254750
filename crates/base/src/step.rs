//! Steps: moves and arguments as data. Words for them are made at the edge.

/// A datum inside a [`Step`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Datum {
    /// A number.
    Int(u64),
    /// A piece of notation or a fixed word.
    Text(String),
    /// A list.
    List(Vec<Datum>),
    /// A truth value.
    Bool(bool),
}

impl From<u64> for Datum {
    fn from(n: u64) -> Self {
        Self::Int(n)
    }
}

impl From<usize> for Datum {
    fn from(n: usize) -> Self {
        Self::Int(n as u64)
    }
}

impl From<bool> for Datum {
    fn from(b: bool) -> Self {
        Self::Bool(b)
    }
}

impl From<&str> for Datum {
    fn from(s: &str) -> Self {
        Self::Text(s.to_owned())
    }
}

impl From<String> for Datum {
    fn from(s: String) -> Self {
        Self::Text(s)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Datum {
    fn from(items: Vec<T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

/// A claim or an action: a code and its arguments. The wording files hold one sentence for each
/// code, with `{name}` where an argument goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The code, such as `take` or `nim_columns`.
    pub code: &'static str,
    /// The arguments, in the order given.
    pub args: Vec<(&'static str, Datum)>,
}

impl Step {
    /// Returns a step without arguments yet.
    #[must_use]
    pub fn new(code: &'static str) -> Self {
        Self {
            code,
            args: Vec::new(),
        }
    }

    /// Returns the same step with one argument more.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Datum>) -> Self {
        self.args.push((name, value.into()));
        self
    }
}

/// A move: the integers that identify it (`at` of the contract's table of constructors) and what it
/// does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// What identifies the move within its term.
    pub at: Vec<u64>,
    /// What the player does, such as `take` with `count` and `heap`.
    pub action: Step,
}

impl Move {
    /// Returns the move `at`, done by `action`.
    #[must_use]
    pub fn new(at: impl Into<Vec<u64>>, action: Step) -> Self {
        Self {
            at: at.into(),
            action,
        }
    }
}
