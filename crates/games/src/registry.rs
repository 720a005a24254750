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
use crate::boards::{
    amazons, chomp, clobber, corner_piece, cram, domineering, fission, k_in_a_row, konane, nogo,
    ski_jumps,
};
use crate::cakes::{cutcake, maundy_cake};
use crate::coins::{coin_turning, nimble, northcott, strip_coins};
use crate::composite::{impartial, literal, ordinal_sum};
use crate::graphs::{arc_kayles, col, graph, hackenbush, node_kayles, snort};
use crate::heaps::{
    all_but, calendar, euclid, fibonacci_nim, grundys_game, halves, laskers_nim, moore_nim, nim,
    partizan_subtraction, staircase_nim, subtraction, take_and_break,
};
use crate::registry::aliases::ALIASES;
use crate::strips::{elephants, push, rows, toads_and_frogs, toppling_dominoes};
use crate::trees::tree;
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

const fn game(
    name: &'static str,
    signature: &'static str,
    example: &'static str,
    construct: fn(&Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic>,
) -> Constructor {
    Constructor {
        name,
        signature,
        example,
        construct,
    }
}

/// The constructors of all games, in the order of the documentation.
#[rustfmt::skip]
pub const CONSTRUCTORS: &[Constructor] = &[
    game("nim", "nim(n, ...)", "nim(3, 4, 5)", nim::construct),
    game("subtraction", "subtraction(take, n, ...)", "subtraction([1, 3, 4], 100)", subtraction::construct),
    game("all_but", "all_but(exclude, n, ...)", "all_but([2, 4], 30)", all_but::construct),
    game("at_least_half", "at_least_half(n, ...)", "at_least_half(12, 5)", halves::at_least_half),
    game("at_most_half", "at_most_half(n, ...)", "at_most_half(12, 5)", halves::at_most_half),
    game("take_and_break", "take_and_break(code, n, ...)", "take_and_break(\"0.137\", 20)", take_and_break::construct),
    game("kayles", "kayles(n, ...)", "kayles(7)", take_and_break::kayles),
    game("dawsons_chess", "dawsons_chess(n, ...)", "dawsons_chess(15)", take_and_break::dawsons_chess),
    game("dawsons_kayles", "dawsons_kayles(n, ...)", "dawsons_kayles(16)", take_and_break::dawsons_kayles),
    game("treblecross", "treblecross(n, ...)", "treblecross(9)", take_and_break::treblecross),
    game("officers", "officers(n, ...)", "officers(12)", take_and_break::officers),
    game("grundys_game", "grundys_game(n, ...)", "grundys_game(20)", grundys_game::construct),
    game("laskers_nim", "laskers_nim(n, ...)", "laskers_nim(2, 5, 7)", laskers_nim::construct),
    game("fibonacci_nim", "fibonacci_nim(n, most=n-1)", "fibonacci_nim(20)", fibonacci_nim::construct),
    game("nimble", "nimble(c, ...)", "nimble(3, 4, 4)", nimble::construct),
    game("strip_coins", "strip_coins(c, ...)", "strip_coins(1, 3, 7, 8)", strip_coins::construct),
    game("staircase_nim", "staircase_nim(c1, c2, ...)", "staircase_nim(3, 1, 4)", staircase_nim::construct),
    game("northcott", "northcott(width, [[l, r], ...], to_move=\"left\")", "northcott(8, [[0, 3], [2, 7]])", northcott::construct),
    game("rook", "rook(x, y)", "rook(3, 5)", corner_piece::rook),
    game("queen", "queen(x, y)", "queen(3, 6)", corner_piece::queen),
    game("king", "king(x, y)", "king(5, 4)", corner_piece::king),
    game("knight", "knight(x, y)", "knight(6, 7)", corner_piece::knight),
    game("wythoff", "wythoff(a, b)", "wythoff(5, 8)", corner_piece::wythoff),
    game("euclid", "euclid(a, b)", "euclid(25, 7)", euclid::construct),
    game("moore_nim", "moore_nim(k, n, ...)", "moore_nim(2, 3, 4, 5)", moore_nim::construct),
    game("chomp", "chomp(rows...)", "chomp(4, 3, 1)", chomp::construct),
    game("turning_turtles", "turning_turtles(head, ...)", "turning_turtles(2, 5, 6)", coin_turning::turning_turtles),
    game("mock_turtles", "mock_turtles(head, ...)", "mock_turtles(2, 5, 6)", coin_turning::mock_turtles),
    game("ruler", "ruler(head, ...)", "ruler(3, 8)", coin_turning::ruler),
    game("twins", "twins(head, ...)", "twins(2, 5)", coin_turning::twins),
    game("hackenbush", "hackenbush(edges, ground=0)", "hackenbush(\"0-1 1-2 1-3 3-4\")", hackenbush::construct),
    game("graph", "graph(edges, start)", "graph({\"a\": [\"b\", \"c\"], \"b\": [\"a\", \"c\"], \"c\": []}, \"a\")", graph::construct),
    game("cram", "cram(board)", "cram([\"...\", \"...\", \"..#\"])", cram::construct),
    game("node_kayles", "node_kayles(edges)", "node_kayles(\"0-1 1-2 2-3 4\")", node_kayles::construct),
    game("arc_kayles", "arc_kayles(edges)", "arc_kayles(\"0-1 1-2 2-3 2-2\")", arc_kayles::construct),
    game("kayles_row", "kayles_row(row)", "kayles_row(\"1101111\")", rows::kayles_row),
    game("treblecross_row", "treblecross_row(row)", "treblecross_row(\".......\")", rows::treblecross_row),
    game("domineering", "domineering(board)", "domineering([\"...\", \"..#\"])", domineering::construct),
    game("toads_and_frogs", "toads_and_frogs(strip)", "toads_and_frogs(\"TT..FF\")", toads_and_frogs::construct),
    game("impartial", "impartial(G)", "impartial(toads_and_frogs(\"TT.F.F\"))", impartial::construct),
    game("ordinal_sum", "ordinal_sum(G, H)", "ordinal_sum(nim(2), domineering([\"..\", \"..\"]))", ordinal_sum::construct),
    game("literal", "literal(text)", "literal(\"{2|-1/2}\")", literal::construct),
    game("toppling_dominoes", "toppling_dominoes(row)", "toppling_dominoes(\"LREL\")", toppling_dominoes::construct),
    game("elephants", "elephants(strip)", "elephants(\"E.E...R.R\")", elephants::construct),
    game("push", "push(strip)", "push(\"..RL.L\")", push::construct),
    game("ski_jumps", "ski_jumps(slope)", "ski_jumps([\"L....\", \"....R\", \".....\"])", ski_jumps::construct),
    game("clobber", "clobber(board)", "clobber([\"xox\", \"oxo\"])", clobber::construct),
    game("cannibal_clobber", "cannibal_clobber(board)", "cannibal_clobber([\"xxo\", \"xo.\"])", clobber::cannibal_clobber),
    game("nogo", "nogo(board)", "nogo([\"...\", \"..o\"])", nogo::construct),
    game("fission", "fission(board)", "fission([\"....\", \".x..\", \"....\"])", fission::construct),
    game("konane", "konane(board)", "konane([\"xoxo\", \"o.ox\", \"x.xo\"])", konane::construct),
    game("amazons", "amazons(board)", "amazons([\"x..\", \"..o\"])", amazons::construct),
    game("cutcake", "cutcake(rows, columns)", "cutcake(3, 9)", cutcake::construct),
    game("maundy_cake", "maundy_cake(rows, columns, copies=1)", "maundy_cake(2, 12)", maundy_cake::construct),
    game("partizan_subtraction", "partizan_subtraction(left, right, n, ...)", "partizan_subtraction([1, 4], [2, 3], 9)", partizan_subtraction::construct),
    game("col", "col(edges, colors)", "col(\"0-1 1-2 2-3\", \"....\")", col::construct),
    game("snort", "snort(edges, colors)", "snort(\"0-1 1-2 2-3\", \"...L\")", snort::construct),
    game("k_in_a_row", "k_in_a_row(board, k, diagonals=True)", "k_in_a_row([\"X..\", \".O.\", \"...\"], 3)", k_in_a_row::construct),
    game("tic_toe", "tic_toe()", "tic_toe()", k_in_a_row::tic_toe),
    game("tic_tac_toe", "tic_tac_toe()", "tic_tac_toe()", k_in_a_row::tic_tac_toe),
    game("tree", "tree(moves, start, ends, to_move=\"X\")", "tree({\"a\": [\"b\", \"c\"], \"b\": [\"d\"]}, \"a\", {\"c\": \"tie\", \"d\": \"X\"})", tree::construct),
    game("calendar", "calendar(year, month, day)", "calendar(2001, 11, 1)", calendar::construct),
];

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
#[must_use]
pub fn usage(name: &str) -> Option<Message> {
    let known = CONSTRUCTORS.iter().find(|game| game.name == name)?;
    Some(known.usage())
}

/// Returns the name of the constructor that the user probably meant by an unknown name.
///
/// The first match is returned. The order is: the same name in another case, an equal alternative
/// name, the nearest name of a constructor, the nearest alternative name.
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
/// `name` must be in lower case, with `_` between its words.
#[must_use]
pub fn constructor_of_alias(name: &str) -> Option<&'static str> {
    let known = ALIASES.iter().find(|(other, _)| *other == name)?;
    Some(known.1)
}

/// Returns a suggestion for a name that is not a constructor.
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
