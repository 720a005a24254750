//! Arguments of constructors: the parsed form of `name(arguments)`.
//!
//! The library never parses text. A front end (the notation, Python) creates [`Argument`]s and
//! passes them to [`crate::registry::construct`]. A ruleset reads them through [`Arguments`], and
//! returns either a position or a [`Diagnostic`] whose path identifies the wrong argument.

mod builder;
mod edges;

use std::sync::Arc;

use grundy_base::{Message, message};

use grundy_base::{Diagnostic, Kind};
use grundy_engine::position::Position;
use grundy_graphs::graph::Network;
use grundy_heap::GivenSet;

pub use self::builder::Builder;
pub use self::edges::{GraphLimits, VisitEdge, edges};

/// One argument of a constructor.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// An integer. Integers beyond 128 bits are clamped to the nearest `i128`.
    Int(i128),
    /// A string.
    Text(String),
    /// A Boolean.
    Bool(bool),
    /// A list or a tuple.
    List(Vec<Argument>),
    /// A map. Its entries are in the order in which they were written.
    Map(Vec<(Argument, Argument)>),
    /// A number with a fractional part or an exponent, in its original spelling.
    Float(String),
    /// The value `None`.
    None,
    /// An empty board, given by its numbers of rows and columns: `board(5, 6)`.
    Board(u64, u64),
    /// A game, for constructors that build a game from other games.
    Game(Position),
    /// A graph of a common family, such as `grid(3, 4)`.
    Builder(Builder),
    /// A graph that the front end has read from a file.
    Network(Arc<Network>),
    /// A set of numbers that a function of a rule file or of another language defines.
    Set(GivenSet),
}

impl Argument {
    fn kind(&self) -> Message {
        match self {
            Self::Int(_) => message!("a number"),
            Self::Text(_) => message!("a string"),
            Self::Bool(_) => message!("a Boolean"),
            Self::List(_) => message!("a list"),
            Self::Map(_) => message!("a map"),
            Self::Float(_) => message!("a decimal number"),
            Self::None => message!("None"),
            Self::Game(_) => message!("a game"),
            Self::Board(..) => message!("a board"),
            Self::Builder(_) | Self::Network(_) => message!("a graph"),
            Self::Set(_) => message!("a function"),
        }
    }
}

/// The arguments of one call, in the order in which they were written.
#[derive(Debug)]
pub struct Arguments<'a> {
    /// The name of each argument, if it has one, and its value.
    pub items: &'a [(Option<String>, Argument)],
}

impl<'a> Arguments<'a> {
    /// Assigns the arguments to the parameters `names`. Positional arguments take the parameters in
    /// order.
    ///
    /// The first `required` parameters need an argument. For each parameter, returns the index of
    /// its argument in the call, and the value of this argument. Returns `None` for an optional
    /// parameter without an argument.
    ///
    /// # Errors
    /// Too many or too few arguments, an unknown name, or a name given twice.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::argument::{Argument, Arguments};
    /// let items = [(None, Argument::Int(20)), (Some("most".to_owned()), Argument::Int(3))];
    /// let arguments = Arguments { items: &items };
    /// let [n, most] = arguments.bind(["n", "most"], 1)?;
    /// assert_eq!((n, most), (Some((0, &Argument::Int(20))), Some((1, &Argument::Int(3)))));
    /// assert_eq!(arguments.bind(["n"], 1).unwrap_err().message, "unknown argument `most`");
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn bind<const N: usize>(
        &self,
        names: [&'static str; N],
        required: usize,
    ) -> Result<[Option<(usize, &'a Argument)>; N], Diagnostic> {
        let mut bound = [None; N];
        let mut next = 0;
        for (index, (name, value)) in self.items.iter().enumerate() {
            let slot = if let Some(name) = name {
                names
                    .iter()
                    .position(|known| known == name)
                    .ok_or_else(|| {
                        Diagnostic::new(
                            Kind::UnknownName,
                            message!("unknown argument `{name}`", name),
                        )
                        .at([index])
                    })?
            } else {
                // Only positional arguments advance `next`. A positional argument after a named one
                // may therefore fill the same slot. The check for duplicates below reports this.
                next += 1;
                next - 1
            };
            if slot >= N {
                let message = message!("too many arguments");
                return Err(Diagnostic::new(Kind::Type, message).at([index]));
            }
            if bound[slot].replace((index, value)).is_some() {
                let message = message!("duplicate argument `{slot}`", slot = names[slot]);
                return Err(Diagnostic::new(Kind::Type, message).at([index]));
            }
        }
        if bound.iter().take(required).any(Option::is_none) {
            return Err(Diagnostic::new(Kind::Type, message!("missing arguments")));
        }
        Ok(bound)
    }

    /// Returns all arguments, each with its path, which contains only the index of the argument.
    /// All arguments must be positional.
    ///
    /// # Errors
    /// An argument with a name.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::argument::{Argument, Arguments};
    /// let items = [(None, Argument::Int(3)), (Some("heap".to_owned()), Argument::Int(4))];
    /// let first = Arguments { items: &items[..1] };
    /// assert_eq!(first.positional()?, [(vec![0], &Argument::Int(3))]);
    /// assert_eq!(Arguments { items: &items }.positional().unwrap_err().path, [1]);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn positional(&self) -> Result<Vec<(Vec<usize>, &'a Argument)>, Diagnostic> {
        self.items
            .iter()
            .enumerate()
            .map(|(index, (name, value))| match name {
                None => Ok((vec![index], value)),
                Some(name) => {
                    let message = message!("unknown argument `{name}`", name);
                    let refusal = Diagnostic::new(Kind::UnknownName, message).at([index]);
                    Err(refusal.help(message!(
                        "these arguments are positional: write them without names"
                    )))
                }
            })
            .collect()
    }

    /// Parses all arguments from the index `from` to the last as integers from `least` to 2^64 - 1.
    ///
    /// Rulesets read heaps, coins and rows with this method.
    ///
    /// # Errors
    /// The first argument that is not such a number.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::argument::{Argument, Arguments};
    /// let items = [2, 5, 0].map(|n| (None, Argument::Int(n)));
    /// let arguments = Arguments { items: &items };
    /// assert_eq!(arguments.numbers(1, 0)?, [5, 0]);
    /// assert_eq!(arguments.numbers(1, 1).unwrap_err().path, [2]);
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn numbers(&self, from: usize, least: u64) -> Result<Vec<u64>, Diagnostic> {
        self.positional()?
            .iter()
            .skip(from)
            .map(|(path, value)| number(value, path, least, u64::MAX))
            .collect()
    }
}

/// Reads `value` as an integer from `least` to `most`. Errors refer to the argument at `path`.
///
/// # Errors
/// Another type, or a number outside the range.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, number};
/// assert_eq!(number(&Argument::Int(12), &[1], 1, 12)?, 12);
/// let error = number(&Argument::Int(13), &[1], 1, 12).unwrap_err();
/// assert_eq!(error.message, "13 is more than 12");
/// assert_eq!(error.path, [1]);
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn number(value: &Argument, path: &[usize], least: u64, most: u64) -> Result<u64, Diagnostic> {
    match value {
        // This test precedes the test of the range, because a number beyond 64 bits is an overflow
        // for every `most`. Its help states the limit of all numbers instead of `most`.
        Argument::Int(n) if *n > i128::from(u64::MAX) => Err(Diagnostic::new(
            Kind::Overflow,
            message!("the number is larger than 2^64 - 1"),
        )
        .at(path)
        .help(message!("the largest number is 18446744073709551615"))),
        Argument::Int(n) if *n < i128::from(least) || *n > i128::from(most) => {
            let message = if *n < i128::from(least) {
                message!("{n} is less than {least}", n, least)
            } else {
                message!("{n} is more than {most}", n, most)
            };
            let range = if most == u64::MAX {
                message!("expected an integer of at least {least}", least)
            } else {
                message!("expected an integer from {least} to {most}", least, most)
            };
            Err(Diagnostic::new(Kind::Range, message).at(path).help(range))
        }
        Argument::Int(n) => Ok(*n as u64),
        Argument::List(_) => Err(
            type_error(&message!("an integer"), value, path).help(message!(
                "write the numbers as separate arguments, without brackets"
            )),
        ),
        _ => Err(type_error(&message!("an integer"), value, path)),
    }
}

/// Reads `value` as a string.
///
/// # Errors
/// Another type.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, text};
/// assert_eq!(text(&Argument::Text("0.77".to_owned()), &[0])?, "0.77");
/// let error = text(&Argument::Int(77), &[0]).unwrap_err();
/// assert_eq!(error.message, "expected a string, found a number");
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn text<'a>(value: &'a Argument, path: &[usize]) -> Result<&'a str, Diagnostic> {
    match value {
        Argument::Text(text) => Ok(text),
        _ => Err(type_error(&message!("a string"), value, path)),
    }
}

/// Reads `value` as a string of letters, all of which must occur in `allowed`.
///
/// `one` is the noun in the error message for any other letter, such as "square" in "`z` is not a
/// square". `help` explains the allowed letters.
///
/// # Errors
/// Another type, or another letter.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, letters};
/// use grundy_core::message;
/// let strip = Argument::Text("TT.x".to_owned());
/// let (square, help) = (message!("square"), message!("write T, F or ."));
/// let error = letters(&strip, &[0], "TF.", &square, help).unwrap_err();
/// assert_eq!(error.message, "`x` is not a square");
/// assert_eq!(error.within, Some(3..4));
/// ```
pub fn letters<'a>(
    value: &'a Argument,
    path: &[usize],
    allowed: &str,
    one: &Message,
    help: Message,
) -> Result<&'a str, Diagnostic> {
    let text = text(value, path)?;
    match text.char_indices().find(|(_, c)| !allowed.contains(*c)) {
        None => Ok(text),
        Some((at, c)) => Err(Diagnostic::illegal(message!(
            "`{c}` is not a {one}",
            c = c.escape_default(),
            one
        ))
        .at(path)
        .within(at..at + c.len_utf8())
        .help(help)),
    }
}

/// A board in the notation: rows of equal length, with one letter for each square.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Squares {
    /// The number of rows.
    pub height: usize,
    /// The number of columns.
    pub width: usize,
    /// The letters in row-major order.
    pub letters: Vec<u8>,
}

/// Reads `value` as a board of at most `most` squares. Each square must be a letter of `allowed`.
///
/// The first letter of `allowed` stands for the empty square. It fills boards that are given by
/// their size, such as `board(5, 6)`. `help` explains the letters.
///
/// # Errors
/// Another type, another letter, rows of different lengths, or too many squares.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, squares};
/// use grundy_core::message;
/// let help = message!("write . for a free square and # for a blocked one");
/// let board = squares(&Argument::Board(2, 3), &[0], ".#", &help, 100)?;
/// assert_eq!((board.height, board.width, board.letters), (2, 3, b"......".to_vec()));
/// assert!(squares(&Argument::Board(20, 30), &[0], ".#", &help, 100).is_err());
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn squares(
    value: &Argument,
    path: &[usize],
    allowed: &str,
    help: &Message,
    most: usize,
) -> Result<Squares, Diagnostic> {
    let check = |height: u64, width: u64| {
        // A row without squares counts as one square. Otherwise a list of empty rows could have any
        // length.
        if height.saturating_mul(width.max(1)) <= most as u64 {
            return Ok(());
        }
        let message = message!(
            "a board of more than {squares} squares is too large",
            squares = most
        );
        Err(Diagnostic::illegal(message).at(path))
    };
    if let Argument::Board(height, width) = *value {
        check(height, width)?;
        let (height, width) = (height as usize, width as usize);
        let free = allowed.as_bytes().first().copied().unwrap_or_default();
        return Ok(Squares {
            height,
            width,
            letters: vec![free; height * width],
        });
    }
    let mut board = Squares::default();
    for (path, row) in list(value, path)? {
        let row = letters(row, &path, allowed, &message!("square"), help.clone())?;
        if board.height == 0 {
            board.width = row.len();
        } else if row.len() != board.width {
            let message = message!(
                "the length of this row is {row}, and that of the first row is {first}",
                row = row.len(),
                first = board.width
            );
            return Err(Diagnostic::illegal(message)
                .at(path)
                .help(message!("all rows must have the same length")));
        }
        board.height += 1;
        // The check follows every row, so that an oversized board is rejected before it is stored.
        check(board.height as u64, board.width as u64)?;
        board.letters.extend(row.bytes());
    }
    Ok(board)
}

/// Reads `value` as a list and returns each element with its path.
///
/// # Errors
/// Another type.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, list};
/// let pair = Argument::List(vec![Argument::Int(0), Argument::Int(3)]);
/// let items = list(&pair, &[1])?;
/// assert_eq!(items, [(vec![1, 0], &Argument::Int(0)), (vec![1, 1], &Argument::Int(3))]);
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn list<'a>(
    value: &'a Argument,
    path: &[usize],
) -> Result<Vec<(Vec<usize>, &'a Argument)>, Diagnostic> {
    match value {
        Argument::List(items) => Ok(items
            .iter()
            .enumerate()
            .map(|(index, item)| ([path, &[index]].concat(), item))
            .collect()),
        _ => Err(type_error(&message!("a list"), value, path)),
    }
}

/// Creates the error for a value of the wrong type: "expected `expected`, found ...".
///
/// ```
/// use grundy_core::argument::{Argument, type_error};
/// use grundy_core::message;
/// let error = type_error(&message!("a game"), &Argument::Int(5), &[0]);
/// assert_eq!(error.message, "expected a game, found a number");
/// assert_eq!(error.path, [0]);
/// ```
#[must_use]
pub fn type_error(expected: &Message, found: &Argument, path: &[usize]) -> Diagnostic {
    Diagnostic::new(
        Kind::Type,
        message!(
            "expected {expected}, found {found}",
            expected,
            found = found.kind()
        ),
    )
    .at(path)
}

/// Returns a row of letters as a string.
pub(crate) fn text_of_letters(letters: &[u8]) -> String {
    letters.iter().copied().map(char::from).collect()
}
