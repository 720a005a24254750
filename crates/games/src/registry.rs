//! The table of the constructors of the notation, such as `nim(n, ...)`, with one entry for each
//! game.

mod aliases;
pub mod squares;
mod theorems;

use std::sync::Arc;

pub use self::theorems::{ALL_BUT, FINITE_SUBTRACTION, GUY_SMITH, theorems};

use grundy_base::message::{Command, Setting};
use grundy_base::{Message, message};

use crate::argument::{Argument, Arguments};
use crate::registry::aliases::ALIASES;
use crate::{boards, cakes, coins, composite, graphs, heaps, strips, trees};
use grundy_base::nearest::nearest;
use grundy_base::{Diagnostic, Kind};
use grundy_engine::position::AnyTerm;

/// A constructor of the notation, that is, a name that creates a term from arguments, as in `nim(3,
/// 4, 5)`.
#[derive(Clone, Copy, Debug)]
pub struct Constructor {
    /// The name of the constructor and of the game.
    pub name: &'static str,
    /// The signature, as help texts show it.
    pub signature: &'static str,
    /// An example position. It is solved without noticeable delay.
    pub example: &'static str,
    /// The function that creates a term (a summand of a position) from the arguments.
    pub construct: fn(&Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic>,
}

macro_rules! registry {
    ($(
        $(#[doc = $doc:literal])*
        fn $name:ident($($parameter:ident: $kind:ident),*) -> $result:ident, $signature:literal,
            $example:literal, $construct:path;
    )*) => {
        /// The constructors of all games, in the order of the documentation.
        pub const CONSTRUCTORS: &[Constructor] = &[$(Constructor {
            name: stringify!($name),
            signature: $signature,
            example: $example,
            construct: $construct,
        }),*];
    };
}

crate::constructors!(registry);

impl Constructor {
    /// Returns a help text with the signature and the example.
    fn usage(&self) -> Message {
        let (signature, example) = (self.signature, self.example);
        if signature == example {
            message!("usage: {signature}", signature)
        } else {
            message!(
                "usage: {signature}, for example {example}",
                signature,
                example
            )
        }
    }
}

/// Returns a help text that shows how the constructor `name` is called.
///
/// ```
/// use grundy_core::registry::usage;
/// assert_eq!(usage("nim").unwrap(), "usage: nim(n, ...), for example nim(3, 4, 5)");
/// assert!(usage("chess").is_none());
/// ```
#[must_use]
pub fn usage(name: &str) -> Option<Message> {
    let known = CONSTRUCTORS.iter().find(|game| game.name == name)?;
    Some(known.usage())
}

/// Returns the name of the constructor that the user probably meant by an unknown name.
///
/// The first match is returned. The order is: the same name in another case, an equal alternative
/// name, the nearest name of a constructor, the nearest alternative name.
///
/// ```
/// use grundy_core::registry::nearest_constructor;
/// assert_eq!(nearest_constructor("kalyes"), Some("kayles"));
/// assert_eq!(nearest_constructor("Georgia_and_Bob"), Some("strip_coins"));
/// assert_eq!(nearest_constructor("poker"), None);
/// ```
#[must_use]
pub fn nearest_constructor(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let names = || CONSTRUCTORS.iter().map(|game| game.name);
    let aliases = || ALIASES.iter().map(|(other, _)| *other);
    // Exact matches go first: `heap` is an exact alias of Nim, and its nearest constructor by edit
    // distance may be another game.
    names()
        .find(|known| *known == lower)
        .or_else(|| constructor_of_alias(&lower))
        .or_else(|| nearest(&lower, names()))
        .or_else(|| constructor_of_alias(nearest(&lower, aliases())?))
}

/// Returns the name of the constructor of a game that is also known as `name`.
///
/// `name` must be in lower case, with `_` between its words. The number of a contest problem is
/// also such a name.
///
/// ```
/// use grundy_core::registry::constructor_of_alias;
/// assert_eq!(constructor_of_alias("crosscram"), Some("domineering"));
/// assert_eq!(constructor_of_alias("hdu1846"), Some("subtraction"));
/// assert_eq!(constructor_of_alias("cram"), None);
/// ```
#[must_use]
pub fn constructor_of_alias(name: &str) -> Option<&'static str> {
    let known = ALIASES.iter().find(|(other, _)| *other == name);
    known
        .map(|known| known.1)
        .or_else(|| aliases::problem(name))
}

/// Returns a suggestion for a name that is not a constructor.
///
/// ```
/// use grundy_core::registry::suggestion;
/// assert_eq!(suggestion("sum").unwrap(), "add games with + or with sum_of([g, h, ...])");
/// assert_eq!(suggestion("heap").unwrap(), "did you mean `nim`?");
/// ```
#[must_use]
pub fn suggestion(name: &str) -> Option<Message> {
    Some(match name {
        "moves" | "left" | "right" | "rules" => message!(
            "to use a rule file, name it with {option} and write the position as game({name}, start)",
            name,
            option = Setting::new("rules").with_placeholder("FILE")
        ),
        "board" => message!("a board is an argument of a game, as in cram(board(5, 6))"),
        "sum" => message!("add games with + or with sum_of([g, h, ...])"),
        "matrix" => message!(
            "a matrix game is read from a file: {command}",
            command = Command::new("matrix").argument("file", "FILE")
        ),
        name => message!("did you mean `{near}`?", near = nearest_constructor(name)?),
    })
}

/// Creates the error for a name that is not a constructor.
///
/// ```
/// use grundy_core::registry::unknown;
/// let error = unknown("kalyes");
/// assert_eq!(error.message, "there is no game named `kalyes`");
/// assert_eq!(error.help.unwrap(), "did you mean `kayles`?");
/// ```
#[must_use]
pub fn unknown(name: &str) -> Diagnostic {
    let help = suggestion(name);
    Diagnostic::new(
        Kind::UnknownName,
        message!("there is no game named `{name}`", name),
    )
    .help(help.unwrap_or_else(|| {
        message!(
            "`{command}` lists the games",
            command = Command::new("help").word("games")
        )
    }))
}

/// Creates a term (a summand of a position) by the constructor `name` from the arguments `items`.
///
/// # Errors
/// An unknown name, or an error of the ruleset. For an unknown name, the error suggests another
/// name.
///
/// # Examples
/// ```
/// use grundy_core::argument::Argument;
/// use grundy_core::{Position, registry};
/// let heaps = [3, 4, 5].map(|heap| (None, Argument::Int(heap)));
/// let position = Position::from(registry::construct("nim", &heaps)?);
/// assert_eq!(position.to_string(), "nim(3, 4, 5)");
/// assert!(registry::construct("poker", &heaps).is_err());
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(
    name: &str,
    items: &[(Option<String>, Argument)],
) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let Some(constructor) = CONSTRUCTORS.iter().find(|game| game.name == name) else {
        return Err(unknown(name));
    };
    let term = (constructor.construct)(&Arguments { items });
    // Specific help from a ruleset takes precedence. The signature is useful only for errors about
    // the number, the names and the types of the arguments.
    term.map_err(|error| match (&error.help, error.kind) {
        (None, Kind::Type | Kind::UnknownName) => {
            let help = empty_board(constructor, items).unwrap_or_else(|| constructor.usage());
            error.help(help)
        }
        _ => error,
    })
}

/// Returns a help text for calls such as `cram(5, 6)`, in which the empty board must be written as
/// `board(5, 6)`.
fn empty_board(constructor: &Constructor, items: &[(Option<String>, Argument)]) -> Option<Message> {
    let [(_, Argument::Int(rows)), (_, Argument::Int(columns))] = items else {
        return None;
    };
    let of_boards = constructor.signature.ends_with("(board)");
    of_boards.then(|| {
        message!(
            "write an empty board as {name}(board({rows}, {columns}))",
            name = constructor.name,
            rows,
            columns
        )
    })
}
