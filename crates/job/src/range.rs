//! Ranges of a variable, as in `n=0..100`.

use grundy_core::{Diagnostic, Kind, Message, message};
use grundy_notation::to_ascii;

use crate::reader::with_source;

/// A variable with the range of its values. Both ends are included.
#[derive(Clone, Debug)]
pub struct Range {
    /// The name of the variable.
    pub name: String,
    /// The first value.
    pub from: u64,
    /// The last value.
    pub to: u64,
}

impl Range {
    /// Parses a range such as `n=0..100`. A single value such as `n=20` is a range, too. Digits and
    /// signs may have full width.
    ///
    /// # Errors
    /// A text that is not a range.
    pub fn read(text: &str) -> Result<Self, Diagnostic> {
        let typed = text;
        let text = &to_ascii(text)[..];
        let refuse = |message: Message| {
            let wrong = Diagnostic::new(Kind::Syntax, message).at(0..typed.len());
            with_source(wrong.help(message!("write a range as n=0..100")), typed)
        };
        let (name, range) = text
            .split_once('=')
            .ok_or_else(|| refuse(message!("not a range")))?;
        let (from, to) = range.split_once("..").unwrap_or((range, range));
        let name = name.trim();
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty()
            || !name.chars().all(letters)
            || name.starts_with(|c: char| c.is_ascii_digit())
        {
            return Err(refuse(message!("invalid variable name")));
        }
        let number = |end: &str| {
            end.trim().parse::<u64>().map_err(|_| {
                let wrong = refuse(message!(
                    "the ends of a range must be integers from 0 to 2^64 - 1"
                ));
                // If one argument contains several ranges with commas, the number fails to parse.
                // This case gets its own help.
                if text.contains(',') && text.matches('=').count() > 1 {
                    return wrong.help(message!("separate ranges by a space: a=0..3 b=0..3"));
                }
                if from == to && text.contains(',') {
                    return wrong.help(message!(
                        "a range has all values between its ends, such as {name}=4..29; for single values, ask once for each",
                        name
                    ));
                }
                wrong
            })
        };
        let (from, to) = (number(from)?, number(to)?);
        if from > to {
            return Err(refuse(message!("the range is empty")));
        }
        Ok(Self {
            name: name.to_owned(),
            from,
            to,
        })
    }
}
