//! Octal and hexadecimal codes: `d0.d1d2d3...`.
//!
//! Digit `d_i` has bit k set when, after removing i chips, the rest may be left as exactly k
//! non-empty heaps. R. K. Guy and C. A. B. Smith, The G-values of various games, Proc. Camb. Phil.
//! Soc. 52 (1956), 514-526.

use std::fmt;

use grundy_base::{Diagnostic, Kind, Message, message};

/// A code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// d0, d1, ..., without trailing zeros.
    digits: Vec<u8>,
    /// The digit at every further place, for codes that never end; 0 for those that do.
    repeated: u8,
}

/// Most digits of a code.
const DIGITS: usize = 10_000;

impl Code {
    /// Reads a code such as `0.137`, `.77`, `4.007` or `0.8`.
    ///
    /// # Errors
    /// Anything else, with what a code looks like.
    pub fn parse(text: &str) -> Result<Self, Diagnostic> {
        let refuse = |kind, message: Message| {
            Err(Diagnostic::new(kind, message)
                .help(message!("a code is written d0.d1d2..., with digits 0-9 and a-f, such as \"0.137\", \".77\" or \"4.007\"")))
        };
        if text.len() > DIGITS {
            return refuse(
                Kind::Range,
                message!(
                    "a code of more than {digits} digits is too long",
                    digits = DIGITS
                ),
            );
        }
        let (whole, rest) = match text.split_once('.') {
            Some(parts) => parts,
            None if text.len() == 1 => (text, ""),
            None => {
                return refuse(
                    Kind::Syntax,
                    message!("a code has a point after its first digit"),
                );
            }
        };
        let mut digits = Vec::with_capacity(rest.len() + 1);
        for c in whole.chars().chain(rest.chars()) {
            if let Some(digit) = c.to_digit(16) {
                digits.push(digit as u8);
            } else {
                let shown = c.escape_default();
                return refuse(
                    Kind::Syntax,
                    message!("`{shown}` is not a digit of a code", shown),
                );
            }
        }
        match whole.len() {
            0 if rest.is_empty() => return refuse(Kind::Syntax, message!("the code is empty")),
            0 => digits.insert(0, 0),
            1 => {}
            _ => {
                return refuse(
                    Kind::Syntax,
                    message!("a code has one digit before the point"),
                );
            }
        }
        if digits[0] & 3 != 0 {
            let message = message!(
                "the digit {whole} before the point is not 0, 4, 8 or c",
                whole
            );
            let help = message!(
                "before the point no chips are removed, so the heap must be split: 4 into two heaps, 8 into three"
            );
            return Err(Diagnostic::new(Kind::Range, message).help(help));
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Ok(Self {
            digits,
            repeated: 0,
        })
    }

    /// Returns a code that goes on with `repeated` for ever.
    #[must_use]
    pub fn repeating(digits: Vec<u8>, repeated: u8) -> Self {
        Self { digits, repeated }
    }

    /// Returns the digit for removing `take` chips.
    #[must_use]
    pub fn digit(&self, take: u64) -> u8 {
        usize::try_from(take)
            .ok()
            .and_then(|i| self.digits.get(i))
            .copied()
            .unwrap_or(self.repeated)
    }

    /// Returns the most chips a move can take; `None` when the code never ends.
    #[must_use]
    pub fn last(&self) -> Option<u64> {
        (self.repeated == 0).then(|| (self.digits.len() as u64).saturating_sub(1))
    }

    /// Returns the most heaps a move can leave, at least 1.
    #[must_use]
    pub fn most_heaps(&self) -> u64 {
        let all = self
            .digits
            .iter()
            .fold(self.repeated, |all, digit| all | digit);
        match all {
            8.. => 3,
            4..8 => 2,
            _ => 1,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |&digit: &u8| char::from_digit(u32::from(digit), 16).unwrap_or('?');
        write!(f, "{}.", self.digits.first().map_or('0', digit))?;
        let rest: String = self.digits.iter().skip(1).map(digit).collect();
        f.write_str(if rest.is_empty() { "0" } else { &rest })?;
        if self.repeated > 0 {
            let tail = digit(&self.repeated);
            write!(f, "{tail}{tail}...")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_read_and_print() {
        for (text, printed) in [
            ("0.137", "0.137"),
            (".77", "0.77"),
            ("4.007", "4.007"),
            ("4", "4.0"),
            ("0.8", "0.8"),
            (".0A0", "0.0a"),
        ] {
            assert_eq!(Code::parse(text).unwrap().to_string(), printed);
        }
        for text in [
            "", ".", ".g", "1.5", "137", "0. 7", "00.7", "0.7.7", "é.7", "-0.7",
        ] {
            assert!(Code::parse(text).is_err(), "{text}");
        }
        assert!(Code::parse(&".7".repeat(1_000_000)).is_err());
    }
}
