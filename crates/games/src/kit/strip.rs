//! Strips of squares, written as one string with a letter for each square.

use grundy_base::message::Message;
use grundy_base::{Diagnostic, message};
use grundy_engine::rules::call;

use crate::argument::{Arguments, letters, text_of_letters};

/// Maximal number of letters of a strip.
pub(crate) const MAX_LENGTH: usize = 10_000;

/// Reads the only argument of a constructor, which is a string of letters in `allowed`.
///
/// In error messages, `letter_meaning` is the word for the object that a letter denotes.
///
/// # Errors
/// An argument of another type, another letter, or more than [`MAX_LENGTH`] letters.
pub(crate) fn read(
    arguments: &Arguments<'_>,
    name: &'static str,
    allowed: &str,
    letter_meaning: &Message,
    help: Message,
    too_long: Message,
) -> Result<Vec<u8>, Diagnostic> {
    let [Some((place, strip))] = arguments.bind([name], 1)? else {
        unreachable!("bind requires the argument");
    };
    let strip = letters(strip, &[place], allowed, letter_meaning, help)?;
    if strip.len() > MAX_LENGTH {
        return Err(Diagnostic::illegal(too_long).at([place]));
    }
    Ok(strip.as_bytes().to_vec())
}

/// Reads the argument `strip` of a game that is played on a strip of squares.
///
/// # Errors
/// The errors of [`read`].
pub(crate) fn squares(
    arguments: &Arguments<'_>,
    allowed: &str,
    help: Message,
) -> Result<Vec<u8>, Diagnostic> {
    let too_long = message!(
        "a strip of more than {longest} squares is too long",
        longest = MAX_LENGTH
    );
    read(
        arguments,
        "strip",
        allowed,
        &message!("square"),
        help,
        too_long,
    )
}

/// Returns the text of a sum of strips: the name of the game, with the strips as its arguments.
pub(crate) fn write(game: &str, strips: &[Vec<u8>]) -> String {
    let strips = strips
        .iter()
        .map(|strip| format!("\"{}\"", text_of_letters(strip)));
    call(game, strips)
}

/// Returns the letters of all strips as one text, without separators.
pub(crate) fn joined(strips: &[Vec<u8>]) -> String {
    strips.iter().map(|strip| text_of_letters(strip)).collect()
}

/// Returns a strip in which two letters are exchanged.
pub(crate) fn exchanged(strip: &[u8], [one, other]: [u8; 2]) -> Vec<u8> {
    let exchange = |&letter: &u8| match letter {
        letter if letter == one => other,
        letter if letter == other => one,
        letter => letter,
    };
    strip.iter().map(exchange).collect()
}
