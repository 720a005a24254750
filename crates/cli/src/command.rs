//! The commands, a file each, and how they come by their position.

pub(crate) mod draw;
pub(crate) mod explain;
pub(crate) mod guide;
pub(crate) mod label;
pub(crate) mod matrix;
pub(crate) mod nimber;
pub(crate) mod partizan;
pub(crate) mod pattern;
pub(crate) mod period;
pub(crate) mod play;
pub(crate) mod probe;
pub(crate) mod solve;
pub(crate) mod table;
pub(crate) mod ties;
pub(crate) mod tree;
pub(crate) mod verify;

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use grundy::graph::Network;
use grundy::own::Place;
use grundy::{Kind, Position, Refusal};
use grundy_notation::{AnyGame, Diagnostic, Expression, Game, Games, NoGames, read_picture};

use crate::arguments::{Source, text};
use crate::failure::Failure;
use crate::session::Session;

/// Longest file with a picture: 1 GiB.
const LONGEST_PICTURE: u64 = 1 << 30;

/// The position, where both players have the same moves.
pub(crate) fn impartial(game: Game) -> Result<Position, Diagnostic> {
    match game {
        Game::Impartial(position) => Ok(position),
        Game::Partizan(_) => Err(Diagnostic::new(
            Kind::NotImpartial,
            "the players have different moves here",
        )),
        Game::Ties(_) => Err(
            Diagnostic::new(Kind::NotImpartial, "this game may end in a tie")
                .help("`grundy solve` takes games with ties"),
        ),
    }
}

/// Reads a position of any kind.
pub(crate) fn read(text: &str, session: &Session) -> Result<Game, Diagnostic> {
    Expression::parse(text)?.game_with(&[], session)
}

/// What an expression may name: the rules of the session's file, and files with graphs.
impl Games for Session {
    fn game(&self, rules: &str, start: Place) -> Result<AnyGame, Refusal> {
        match self.rules() {
            Some(file) => file.game(rules, start),
            None => NoGames.game(rules, start),
        }
    }

    fn graph(&self, file: &str) -> Result<Arc<Network>, Refusal> {
        label::open(file)
    }
}

/// The position of any kind that the arguments name, with its text for diagnostics.
pub(crate) fn game(source: &Source, session: &Session) -> Result<(Game, String), Failure> {
    let mut written = String::new();
    let game = match &source.expr {
        None if source.picture.is_none() => {
            return Err(Diagnostic::new(Kind::Syntax, "a position is missing")
                .help("write one, such as \"nim(3, 4, 5)\", or name a file with --picture")
                .into());
        }
        None => Game::Impartial(Position::default()),
        Some(expr) => {
            text(expr)?.clone_into(&mut written);
            read(&written, session).map_err(|error| Failure::input(error, &written))?
        }
    };
    let Some(path) = &source.picture else {
        return Ok((game, written));
    };
    Ok((game.plus(picture(path)?)?, written))
}

/// The picture in a file.
fn picture(path: &Path) -> Result<AnyGame, Failure> {
    let name = path.display();
    let failed =
        |error: &dyn std::fmt::Display| Diagnostic::new(Kind::Io, format!("{name}: {error}"));
    let file = std::fs::File::open(path).map_err(|error| failed(&error))?;
    let mut bytes = Vec::new();
    file.take(LONGEST_PICTURE + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| failed(&error))?;
    if bytes.len() as u64 > LONGEST_PICTURE {
        let message = format!("{name}: the file is longer than 1 GiB");
        return Err(Diagnostic::new(Kind::Limit, message).into());
    }
    let content = String::from_utf8(bytes)
        .map_err(|_| Diagnostic::new(Kind::Encoding, format!("{name}: the file is not UTF-8")))?;
    read_picture(&content).map_err(|mut error| {
        error.message = format!("{name}: {}", error.message);
        Failure::input(error, &content)
    })
}
