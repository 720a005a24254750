//! Octal and hexadecimal codes: `d0.d1d2d3...`.
//!
//! Bit k of digit `d_i` is set if a move may remove i chips and leave the rest as exactly k
//! non-empty heaps. The source is R. K. Guy and C. A. B. Smith, The G-values of various games,
//! Proc. Camb. Phil. Soc. 52 (1956), 514-526.

use std::fmt;

use grundy_base::{Diagnostic, Kind, Message, message};

/// An octal or hexadecimal code, which defines the moves from a heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// The digits d0, d1, ..., without trailing zeros.
    digits: Vec<u8>,
    /// The digit that follows forever in an infinite code. It is 0 for a finite code.
    repeated: u8,
}

/// Largest number of digits of a code.
const DIGITS: usize = 10_000;

impl Code {
    /// Parses a code such as `0.137`, `.77`, `4.007` or `0.8`.
    ///
    /// # Errors
    /// The text is not a code. The diagnostic describes the format.
    ///
    /// # Examples
    /// ```
    /// use grundy_heap::Code;
    /// assert_eq!(Code::parse(".137")?.to_string(), "0.137");
    /// // Digit 1 before the point would allow a move that does not change the heap.
    /// assert!(Code::parse("1.5").is_err());
    /// # Ok::<(), grundy_base::Diagnostic>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, Diagnostic> {
        let refuse = |kind, message: Message| {
            Err(Diagnostic::new(kind, message)
                .help(message!("write a code as d0.d1d2... with digits 0-9 and a-f, such as \"0.137\", \".77\" or \"4.007\"")))
        };
        // Every digit is tried for every heap, so a very long code would be slow.
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
                    message!("expected a point after the first digit"),
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
                    message!("expected one digit before the point"),
                );
            }
        }
        // A move that removes nothing and leaves one heap would not change the position, so the
        // game would not end.
        if digits[0] & 3 != 0 {
            let message = message!(
                "the digit before the point must be 0, 4, 8 or c, not {whole}",
                whole
            );
            let help = message!(
                "the digit before the point removes no chips, so it must split the heap: digit 4 into two heaps, digit 8 into three"
            );
            return Err(Diagnostic::new(Kind::Range, message).help(help));
        }
        // Codes of the same game must be equal, so that they can be compared and hashed.
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Ok(Self {
            digits,
            repeated: 0,
        })
    }

    /// Creates a code with the given first digits, followed by `repeated` forever.
    ///
    /// ```
    /// use grundy_heap::Code;
    /// // Lasker's Nim: take any number of chips, or split a heap without taking.
    /// let laskers_nim = Code::repeating(vec![4], 3);
    /// assert_eq!([0, 1, 100].map(|take| laskers_nim.digit(take)), [4, 3, 3]);
    /// ```
    #[must_use]
    pub fn repeating(digits: Vec<u8>, repeated: u8) -> Self {
        Self { digits, repeated }
    }

    /// Returns the digit for moves that remove `take` chips.
    ///
    /// ```
    /// use grundy_heap::Code;
    /// let dawsons_chess = Code::parse("0.137")?;
    /// assert_eq!([0, 1, 2, 3, 4].map(|take| dawsons_chess.digit(take)), [0, 1, 3, 7, 0]);
    /// # Ok::<(), grundy_base::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn digit(&self, take: u64) -> u8 {
        usize::try_from(take)
            .ok()
            .and_then(|i| self.digits.get(i))
            .copied()
            .unwrap_or(self.repeated)
    }

    /// Returns the largest number of chips that a move may take, or `None` for an infinite code.
    ///
    /// ```
    /// use grundy_heap::Code;
    /// assert_eq!(Code::parse("0.137")?.last(), Some(3));
    /// assert_eq!(Code::repeating(vec![0, 3], 3).last(), None);
    /// # Ok::<(), grundy_base::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn last(&self) -> Option<u64> {
        (self.repeated == 0).then(|| (self.digits.len() as u64).saturating_sub(1))
    }

    /// Returns the largest number of heaps that a move can leave. The number is at least 1.
    ///
    /// ```
    /// use grundy_heap::Code;
    /// let most_heaps = |text| Code::parse(text).map(|code| code.most_heaps());
    /// assert_eq!((most_heaps("0.33")?, most_heaps("0.77")?, most_heaps("0.8")?), (1, 2, 3));
    /// # Ok::<(), grundy_base::Diagnostic>(())
    /// ```
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
        if self.repeated > 0 {
            let repeated = digit(&self.repeated);
            return write!(f, "{rest}{repeated}{repeated}...");
        }
        f.write_str(if rest.is_empty() { "0" } else { &rest })
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
        assert_eq!(Code::repeating(vec![4], 3).to_string(), "4.33...");
        assert_eq!(Code::repeating(vec![0, 1], 7).to_string(), "0.177...");
        for text in [
            "", ".", ".g", "1.5", "137", "0. 7", "00.7", "0.7.7", "é.7", "-0.7",
        ] {
            assert!(Code::parse(text).is_err(), "{text}");
        }
        assert!(Code::parse(&".7".repeat(1_000_000)).is_err());
    }
}
