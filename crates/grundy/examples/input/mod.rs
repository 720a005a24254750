//! Reader for contest input: non-negative integers with white space between them, up to the end of
//! standard input.

use std::io::{self, Read as _, Write};
use std::process::ExitCode;

/// An error in the input, as one line.
#[derive(Debug)]
pub(crate) struct Bad(pub(crate) String);

/// The remaining numbers of the input.
pub(crate) struct Numbers<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    words: std::str::SplitWhitespace<'a>,
    /// The number of the current line, starting with 1.
    line: usize,
}

impl<'a> Numbers<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            lines: text.lines().enumerate(),
            words: "".split_whitespace(),
            line: 1,
        }
    }

    /// Returns the next number; `None` at the end of the input.
    pub(crate) fn next(&mut self) -> Result<Option<u64>, Bad> {
        loop {
            if let Some(word) = self.words.next() {
                let number = word.parse().map_err(|_| {
                    let shown: String = word.chars().take(40).map(visible).collect();
                    self.bad(&format!(
                        "expected an integer from 0 to 2^64 - 1, found `{shown}`"
                    ))
                });
                return number.map(Some);
            }
            let Some((index, line)) = self.lines.next() else {
                return Ok(None);
            };
            self.line = index + 1;
            self.words = line.split_whitespace();
        }
    }

    /// Returns the next number. Fails at the end of the input.
    pub(crate) fn due(&mut self, what: &str) -> Result<u64, Bad> {
        self.next()?
            .ok_or_else(|| self.bad(&format!("unexpected end of input: expected {what}")))
    }

    /// Returns the next `count` numbers.
    #[allow(dead_code, reason = "problems without lists do not need it")]
    pub(crate) fn list(&mut self, count: u64, what: &str) -> Result<Vec<u64>, Bad> {
        // No capacity is reserved: the count may exceed the memory, but the input cannot.
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(self.due(what)?);
        }
        Ok(list)
    }

    /// Creates an error at the last number.
    pub(crate) fn bad(&self, message: &str) -> Bad {
        Bad(format!("line {}: {message}", self.line))
    }
}

fn visible(c: char) -> char {
    if c.is_control() { '\u{fffd}' } else { c }
}

/// Runs a program on standard input. An error is written as one line to standard error, with exit
/// code 2.
pub(crate) fn answer(
    program: impl FnOnce(&mut Numbers<'_>, &mut dyn Write) -> Result<(), Bad>,
) -> ExitCode {
    let mut text = String::new();
    let read = io::stdin().read_to_string(&mut text);
    let mut out = io::BufWriter::new(io::stdout().lock());
    let answered = match read {
        Ok(_) => program(&mut Numbers::new(&text), &mut out),
        Err(error) => Err(Bad(error.to_string())),
    };
    // Answers before the error are still written.
    let answered = answered.and_then(|()| Ok(out.flush()?));
    // After an error of the program its output is not flushed yet.
    let _ = out.flush();
    match answered {
        Ok(()) => ExitCode::SUCCESS,
        Err(Bad(message)) => {
            let _ = writeln!(io::stderr(), "error: {message}");
            ExitCode::from(2)
        }
    }
}

impl From<io::Error> for Bad {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}
