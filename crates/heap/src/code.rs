//! Take-and-break codes: `d0.d1d2d3...`.
//!
//! Bit k of digit `d_i` is set if a move may remove i chips and leave the rest as exactly k
//! non-empty heaps. The source is R. K. Guy and C. A. B. Smith, The G-values of various games,
//! Proc. Camb. Phil. Soc. 52 (1956), 514-526.
//!
//! The digits after 9 are letters: f is 15, g is 16, and z is 35. A digit can also be the set of
//! the numbers of heaps, such as `{2,3}` or `{2+}`. A group in parentheses can be repeated, as in
//! `0.00(7)*2000`. Digits in brackets at the end repeat forever: `0.[3]` is Nim.

use std::fmt;
use std::iter::Peekable;
use std::ops::Range;
use std::str::CharIndices;

use grundy_base::{Diagnostic, Kind, Message, message};

/// A take-and-break code, which defines the moves from a heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// The digits d0, d1, ..., without trailing zeros. In an infinite code, the last of them cannot
    /// be moved into `repeated`.
    digits: Vec<u64>,
    /// The digits that follow and repeat forever in an infinite code. It is empty for a finite
    /// code, and has no shorter period.
    repeated: Vec<u64>,
}

/// A run of equal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DigitRun {
    /// The smallest number of chips that these moves take.
    pub first: usize,
    /// The largest number of chips that these moves take.
    pub last: usize,
    /// The digit.
    pub digit: u64,
}

impl DigitRun {
    /// Returns the numbers of chips that these moves leave from a heap of `n`, except 0, and except
    /// `n` itself.
    pub(crate) fn remainders(&self, n: usize) -> Range<usize> {
        let start = n.saturating_sub(self.last).max(1);
        start..(n + 1).saturating_sub(self.first.max(1)).max(start)
    }
}

/// Largest number of digits of a code.
const DIGITS: usize = 10_000;

/// Length of the longest text of a code, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// Length of the shortest run of equal digits that is written as a repetition.
const WRITTEN_RUN: usize = 20;

/// The bit of a digit for 63 heaps or more.
const OPEN_BIT: u32 = 63;

impl Code {
    /// Parses a code such as `0.137`, `.77`, `4.007`, `0.8`, `{2+}.0` or `0.00(7)*20`.
    ///
    /// # Errors
    /// The text is not a code. The diagnostic describes the format.
    ///
    /// # Examples
    /// ```
    /// use grundy_heap::Code;
    /// assert_eq!(Code::parse(".137")?.to_string(), "0.137");
    /// assert_eq!(Code::parse("{2,3}.(12)*2[30]")?.to_string(), "c.1212[30]");
    /// // Digit 1 before the point would allow a move that does not change the heap.
    /// assert!(Code::parse("1.5").is_err());
    /// # Ok::<(), grundy_base::Diagnostic>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, Diagnostic> {
        // Every digit is tried for every heap, so a very long code would be slow.
        if text.len() > MAX_BYTES {
            return Err(too_long());
        }
        let mut reader = Reader {
            text,
            characters: text.char_indices().peekable(),
        };
        let mut digits = Vec::new();
        while reader.peek().is_some_and(|c| c != '.') {
            digits.push(reader.digit()?);
            if digits.len() > DIGITS {
                return Err(too_long());
            }
        }
        let pointed = reader.peek().is_some();
        match digits.len() {
            0 if text.len() <= 1 => {
                return Err(refuse(Kind::Syntax, message!("the code is empty")));
            }
            0 => digits.push(0),
            1 => {}
            _ if pointed => {
                let message = message!("expected one digit before the point");
                return Err(refuse(Kind::Syntax, message));
            }
            _ => {
                let message = message!("expected a point after the first digit");
                return Err(refuse(Kind::Syntax, message));
            }
        }
        // A move that removes nothing and leaves one heap would not change the position, so the
        // game would not end.
        if digits[0] & 3 != 0 {
            let message = message!(
                "the digit before the point must be 0, 4, 8 or c, not {whole}",
                whole = text.split('.').next().unwrap_or_default()
            );
            let help = message!(
                "the digit before the point removes no chips, so it must split the heap: digit 4 into two heaps, digit 8 into three"
            );
            return Err(Diagnostic::new(Kind::Range, message).help(help));
        }
        let repeated = if pointed {
            reader.next();
            reader.rest(&mut digits)?
        } else {
            Vec::new()
        };
        Ok(Self::canonical(digits, repeated))
    }

    /// Creates a code. Codes of the same game become equal, so that they can be compared and
    /// hashed.
    fn canonical(mut digits: Vec<u64>, mut repeated: Vec<u64>) -> Self {
        let count = repeated.len();
        let period = (1..=count).find(|&period| {
            count.is_multiple_of(period)
                && (period..count).all(|i| repeated[i] == repeated[i - period])
        });
        repeated.truncate(period.unwrap_or(0));
        if repeated == [0] {
            repeated.clear();
        }
        // The first digit is before the point, so it always stays.
        while digits.len() > 1 && digits.last() == repeated.last() && !repeated.is_empty() {
            digits.pop();
            repeated.rotate_right(1);
        }
        while repeated.is_empty() && digits.last() == Some(&0) {
            digits.pop();
        }
        Self { digits, repeated }
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
    pub fn repeating(digits: Vec<u64>, repeated: u64) -> Self {
        Self::canonical(digits, vec![repeated])
    }

    /// Returns the digit for moves that remove `take` chips. Bit k of the digit is set if a move
    /// may leave exactly k heaps. Bit 63 stands for 63 heaps or more.
    ///
    /// ```
    /// use grundy_heap::Code;
    /// let dawsons_chess = Code::parse("0.137")?;
    /// assert_eq!([0, 1, 2, 3, 4].map(|take| dawsons_chess.digit(take)), [0, 1, 3, 7, 0]);
    /// # Ok::<(), grundy_base::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn digit(&self, take: u64) -> u64 {
        let listed = self.digits.len() as u64;
        if take < listed {
            return self.digits[take as usize];
        }
        let period = self.repeated.len() as u64;
        match (take - listed).checked_rem(period) {
            Some(index) => self.repeated[index as usize],
            None => 0,
        }
    }

    /// Returns the digits that do not repeat forever, from the digit before the point on.
    pub(crate) fn digits(&self) -> &[u64] {
        &self.digits
    }

    /// Returns the runs of equal digits other than 0, for moves that take at most `most` chips. A
    /// digit that repeats forever makes the last run end at `usize::MAX`.
    pub(crate) fn runs(&self, most: usize) -> Vec<DigitRun> {
        let mut runs: Vec<DigitRun> = Vec::new();
        let mut add = |take: usize, last: usize, digit: u64| match runs.last_mut() {
            Some(run) if run.digit == digit && run.last + 1 == take => run.last = last,
            _ if digit == 0 => {}
            _ => runs.push(DigitRun {
                first: take,
                last,
                digit,
            }),
        };
        for (take, &digit) in self.digits.iter().enumerate() {
            add(take, take, digit);
        }
        match self.repeated[..] {
            [] => {}
            [digit] => add(self.digits.len(), usize::MAX, digit),
            _ => {
                for take in self.digits.len()..=most {
                    add(take, take, self.digit(take as u64));
                }
            }
        }
        runs
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
        let finite = self.repeated.is_empty();
        finite.then(|| (self.digits.len() as u64).saturating_sub(1))
    }

    /// Returns the largest number of heaps that a move can leave. The number is at least 1, and
    /// `u64::MAX` if there is no largest number.
    ///
    /// ```
    /// use grundy_heap::Code;
    /// let most_heaps = |text| Code::parse(text).map(|code| code.most_heaps());
    /// assert_eq!((most_heaps("0.33")?, most_heaps("0.77")?, most_heaps("0.8")?), (1, 2, 3));
    /// assert_eq!((most_heaps("{4}.0")?, most_heaps("{4+}.0")?), (4, u64::MAX));
    /// # Ok::<(), grundy_base::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn most_heaps(&self) -> u64 {
        let digits = self.digits.iter().chain(&self.repeated);
        match digits.fold(1, |all, digit| all | digit).ilog2() {
            OPEN_BIT => u64::MAX,
            largest => u64::from(largest).max(1),
        }
    }
}

/// Creates the error for a text that is not a code.
fn refuse(kind: Kind, message: Message) -> Diagnostic {
    Diagnostic::new(kind, message).help(message!("write a code as d0.d1d2... with digits 0-9 and a-z, such as \"0.137\", \".77\" or \"4.007\""))
}

fn too_long() -> Diagnostic {
    let message = message!(
        "a code of more than {digits} digits is too long",
        digits = DIGITS
    );
    refuse(Kind::Range, message)
}

/// A reader of the text of a code.
struct Reader<'a> {
    text: &'a str,
    characters: Peekable<CharIndices<'a>>,
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<char> {
        self.characters.peek().map(|&(_, c)| c)
    }

    fn next(&mut self) -> Option<char> {
        self.characters.next().map(|(_, c)| c)
    }

    /// Returns the error for the next character, with its place in the text.
    fn unexpected(&mut self) -> Diagnostic {
        let message = match self.peek() {
            None => message!("the code ends too early"),
            Some(c) => message!(
                "`{shown}` is not a digit of a code",
                shown = c.escape_default()
            ),
        };
        self.refused(message)
    }

    /// Returns an error with the place of the next character.
    fn refused(&mut self, message: Message) -> Diagnostic {
        let end = self.text.len();
        let (at, length) = match self.characters.peek() {
            Some(&(at, c)) => (at, c.len_utf8()),
            None => (end, 1),
        };
        refuse(Kind::Syntax, message).within(at..at + length)
    }

    /// Reads one digit: a character or a set of numbers of heaps.
    fn digit(&mut self) -> Result<u64, Diagnostic> {
        match self.peek() {
            Some('{') => self.set(),
            Some(c) if c.is_digit(36) => {
                self.next();
                Ok(c.to_digit(36).map_or(0, u64::from))
            }
            _ => Err(self.unexpected()),
        }
    }

    /// Reads a set such as `{2,3}` or `{2+}`.
    fn set(&mut self) -> Result<u64, Diagnostic> {
        let mut digit = 0;
        loop {
            // The brace or the comma before a number.
            self.next();
            let start = self
                .characters
                .peek()
                .map_or(self.text.len(), |&(at, _)| at);
            let heaps = self.number()?;
            let most = u64::from(OPEN_BIT) - 1;
            if heaps > most {
                let end = self
                    .characters
                    .peek()
                    .map_or(self.text.len(), |&(at, _)| at);
                let message = message!("{n} is more than {most}", n = heaps, most);
                let help = message!("a number with a plus sign means this number of heaps or more");
                let error = Diagnostic::new(Kind::Range, message).help(help);
                return Err(error.within(start..end));
            }
            digit |= 1 << heaps;
            if self.peek() == Some('+') {
                self.next();
                digit |= u64::MAX << heaps;
            }
            match self.peek() {
                Some(',') => {}
                Some('}') => {
                    self.next();
                    return Ok(digit);
                }
                _ => return Err(self.unexpected()),
            }
        }
    }

    /// Reads a decimal number. A number that is too large becomes the largest one.
    fn number(&mut self) -> Result<u64, Diagnostic> {
        if !self.peek().is_some_and(|c| c.is_ascii_digit()) {
            return Err(self.unexpected());
        }
        let mut number = 0_u64;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            self.next();
            number = number.saturating_mul(10).saturating_add(digit.into());
        }
        Ok(number)
    }

    /// Reads the digits after the point, and appends those that do not repeat forever to `digits`.
    /// Returns those that do.
    fn rest(&mut self, digits: &mut Vec<u64>) -> Result<Vec<u64>, Diagnostic> {
        while let Some(c) = self.peek() {
            match c {
                '(' => {
                    let group = self.group(')')?;
                    if self.peek() != Some('*') {
                        let message = message!("a group needs a number of repetitions: (7)*20");
                        return Err(self.refused(message));
                    }
                    self.next();
                    let times = usize::try_from(self.number()?).unwrap_or(usize::MAX);
                    if times > DIGITS
                        || times.saturating_mul(group.len()) > DIGITS - digits.len().min(DIGITS)
                    {
                        return Err(too_long());
                    }
                    digits.extend(group.repeat(times));
                }
                '[' => {
                    let repeated = self.group(']')?;
                    if self.peek().is_some() {
                        let message = message!("digits in brackets must be the last ones");
                        return Err(self.refused(message));
                    }
                    return Ok(repeated);
                }
                _ => digits.push(self.digit()?),
            }
            if digits.len() > DIGITS {
                return Err(too_long());
            }
        }
        Ok(Vec::new())
    }

    /// Reads a group of digits in brackets, up to the bracket `end`.
    fn group(&mut self, end: char) -> Result<Vec<u64>, Diagnostic> {
        self.next();
        let mut group = vec![self.digit()?];
        while self.peek() != Some(end) {
            group.push(self.digit()?);
            if group.len() > DIGITS {
                return Err(too_long());
            }
        }
        self.next();
        Ok(group)
    }
}

impl Code {
    /// Returns the code with a hexadecimal digit for each number of chips, as certificates contain
    /// it. Returns `None` if a digit needs another form, or if digits repeat for ever.
    ///
    /// ```
    /// use grundy_heap::Code;
    /// let plain = |code: &str| Some(Code::parse(code).ok()?.hexadecimal());
    /// assert_eq!(plain("0.(37)*3"), Some(Some("0.373737".to_owned())));
    /// assert_eq!((plain("0.g"), plain("0.[3]")), (Some(None), Some(None)));
    /// ```
    #[must_use]
    pub fn hexadecimal(&self) -> Option<String> {
        let digit = |&digit: &u64| char::from_digit(u32::try_from(digit).ok()?, 16);
        let digits: String = self.digits.iter().map(digit).collect::<Option<_>>()?;
        let (before, after) = digits.split_at_checked(1).unwrap_or(("0", ""));
        let after = if after.is_empty() { "0" } else { after };
        (self.repeated.is_empty()).then(|| format!("{before}.{after}"))
    }
}

/// Writes a digit of a code.
fn write_digit(f: &mut fmt::Formatter<'_>, digit: u64) -> fmt::Result {
    let letter = u32::try_from(digit)
        .ok()
        .and_then(|n| char::from_digit(n, 36));
    if let Some(letter) = letter {
        return write!(f, "{letter}");
    }
    // The least number from which on all numbers of heaps are allowed.
    let open = u64::from(64 - digit.leading_ones());
    let mut items: Vec<String> = (0..open)
        .filter(|k| digit >> k & 1 == 1)
        .map(|k| k.to_string())
        .collect();
    if open < 64 {
        items.push(format!("{open}+"));
    }
    write!(f, "{{{}}}", items.join(","))
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_digit(f, self.digits.first().copied().unwrap_or(0))?;
        f.write_str(".")?;
        let rest = self.digits.get(1..).unwrap_or_default();
        for run in rest.chunk_by(|a, b| a == b) {
            if run.len() >= WRITTEN_RUN {
                f.write_str("(")?;
                write_digit(f, run[0])?;
                write!(f, ")*{}", run.len())?;
                continue;
            }
            run.iter().try_for_each(|&digit| write_digit(f, digit))?;
        }
        if !self.repeated.is_empty() {
            f.write_str("[")?;
            self.repeated
                .iter()
                .try_for_each(|&digit| write_digit(f, digit))?;
            return f.write_str("]");
        }
        f.write_str(if rest.is_empty() { "0" } else { "" })
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
            ("0.g", "0.g"),
            ("0.Z", "0.z"),
            ("{2,3}.0", "c.0"),
            ("{2+}.{3,1}", "{2+}.a"),
            ("0.{0,5,7+,9}", "0.{0,5,7+}"),
            ("0.{62}{62+}", "0.{62}{62+}"),
            ("0.{0+}", "0.{0+}"),
            ("0.(12)*3", "0.121212"),
            ("0.00(7)*2000", "0.00(7)*2000"),
            ("0.7(7)*18", "0.7777777777777777777"),
            ("0.(7)*20(0)*3", "0.(7)*20"),
            ("0.(7)*0", "0.0"),
            ("0.[3]", "0.[3]"),
            ("0.3[3]", "0.[3]"),
            ("4.3[33]", "4.[3]"),
            ("0.1[21]", "0.[12]"),
            ("0.12[0]", "0.12"),
            ("0.[0]", "0.0"),
        ] {
            assert_eq!(Code::parse(text).unwrap().to_string(), printed);
        }
        assert_eq!(Code::repeating(vec![4], 3).to_string(), "4.[3]");
        assert_eq!(Code::repeating(vec![0, 1], 7).to_string(), "0.1[7]");
        for text in [
            "",
            ".",
            ".?",
            "1.5",
            "137",
            "0. 7",
            "00.7",
            "0.7.7",
            "é.7",
            "-0.7",
            "{}.0",
            "{2",
            "{2,}.0",
            "{63}.0",
            "{99999999999999999999}.0",
            "{1+}.0",
            "{0}.0",
            "0.(7",
            "0.(7)",
            "0.(7)*",
            "0.()*3",
            "0.(7)*20000",
            "0.(7)*99999999999999999999",
            "0.[3",
            "0.[]",
            "0.[3]3",
            "0.7)",
            "(4)*1.0",
            "0.((7)*2)*3",
            "0.{2,3",
            "0.{+}",
        ] {
            assert!(Code::parse(text).is_err(), "{text}");
        }
        assert!(Code::parse(&".7".repeat(1_000_000)).is_err());
    }
}
