//! The commands, a file each, and how they come by their position.

pub(crate) mod draw;
pub(crate) mod explain;
pub(crate) mod guide;
pub(crate) mod nimber;
pub(crate) mod pattern;
pub(crate) mod period;
pub(crate) mod play;
pub(crate) mod solve;
pub(crate) mod table;
pub(crate) mod verify;

use std::io::Read as _;

use grundy::{Kind, Position};
use grundy_notation::{Diagnostic, read_picture, read_position};

use crate::arguments::{Source, text};
use crate::failure::Failure;

/// Longest file with a picture: 1 GiB.
const LONGEST_PICTURE: u64 = 1 << 30;

/// The position that the arguments name, with its text for diagnostics.
pub(crate) fn position(source: &Source) -> Result<(Position, String), Failure> {
    if source.expr.is_none() && source.picture.is_none() {
        return Err(Diagnostic::new(Kind::Syntax, "a position is missing")
            .help("write one, such as \"nim(3, 4, 5)\", or name a file with --picture")
            .into());
    }
    let (mut position, mut written) = (Position::default(), String::new());
    if let Some(expr) = &source.expr {
        text(expr)?.clone_into(&mut written);
        position = read_position(&written).map_err(|error| Failure::input(error, &written))?;
    }
    if let Some(path) = &source.picture {
        let name = path.display();
        let failed =
            |error: &dyn std::fmt::Display| Diagnostic::new(Kind::Io, format!("{name}: {error}"));
        let file = std::fs::File::open(path).map_err(|error| failed(&error))?;
        let mut bytes = Vec::new();
        file.take(LONGEST_PICTURE + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| failed(&error))?;
        if bytes.len() as u64 > LONGEST_PICTURE {
            return Err(Diagnostic::new(
                Kind::Limit,
                format!("{name}: the file is longer than 1 GiB"),
            )
            .into());
        }
        let content = String::from_utf8(bytes).map_err(|_| {
            Diagnostic::new(Kind::Encoding, format!("{name}: the file is not UTF-8"))
        })?;
        let term = read_picture(&content).map_err(|mut error| {
            error.message = format!("{name}: {}", error.message);
            Failure::input(error, &content)
        })?;
        position = position + Position::from(term);
    }
    Ok((position, written))
}
