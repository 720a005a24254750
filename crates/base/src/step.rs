//! Claims and moves as codes with arguments. Each interface converts them to sentences.

/// A value of an argument of a [`Step`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Datum {
    /// A number.
    Int(u64),
    /// A text: a notation or a fixed word.
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

/// A claim or an action: a code and its arguments. A wording file contains one sentence for each
/// code, with a placeholder `{name}` for each argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The code, such as `take` or `nim_columns`.
    pub code: &'static str,
    /// The arguments, in the order given.
    pub args: Vec<(&'static str, Datum)>,
}

impl Step {
    /// Creates a step without arguments.
    ///
    /// ```
    /// use grundy_base::step::Step;
    /// let pass = Step::new("pass");
    /// assert_eq!((pass.code, pass.args.len()), ("pass", 0));
    /// ```
    #[must_use]
    pub fn new(code: &'static str) -> Self {
        Self {
            code,
            args: Vec::new(),
        }
    }

    /// Adds an argument.
    ///
    /// ```
    /// use grundy_base::step::{Datum, Step};
    /// let take = Step::new("take").with("count", 2_u64).with("heap", "nim(5)");
    /// assert_eq!(take.args[0], ("count", Datum::Int(2)));
    /// assert_eq!(take.args[1], ("heap", Datum::Text("nim(5)".to_owned())));
    /// ```
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Datum>) -> Self {
        self.args.push((name, value.into()));
        self
    }
}

/// A move: the integers `at` that identify it, and the action of the player. The meaning of `at`
/// depends on the game. It is documented for each shape of `Picture`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The integers that identify the move within its component.
    pub at: Vec<u64>,
    /// The action of the player, such as the code `take` with the arguments `count` and `heap`.
    pub action: Step,
}

impl Move {
    /// Creates the move `at` with the action `action`.
    ///
    /// ```
    /// use grundy_base::step::{Move, Step};
    /// let take = Move::new([2], Step::new("take").with("count", 2_u64));
    /// assert_eq!((take.at, take.action.code), (vec![2], "take"));
    /// ```
    #[must_use]
    pub fn new(at: impl Into<Vec<u64>>, action: Step) -> Self {
        Self {
            at: at.into(),
            action,
        }
    }
}
