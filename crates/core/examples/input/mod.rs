//! Reader for contest input: non-negative integers with white space between them, up to the end of
//! standard input.

use std::io::{self, Read as _, Write};
use std::process::ExitCode;

/// An error in the input, as one line.
#[derive(Debug)]
pub(crate) struct InputError(pub(crate) String);

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

    /// Returns the next number, or `None` at the end of the input.
    pub(crate) fn next(&mut self) -> Result<Option<u64>, InputError> {
        loop {
            if let Some(word) = self.words.next() {
                let number = word.parse().map_err(|_| {
                    let shown: String = word.chars().take(40).map(visible).collect();
                    self.error(&format!(
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

    /// Returns the next number. Fails at the end of the input, with an error that names `what`.
    pub(crate) fn expect_next(&mut self, what: &str) -> Result<u64, InputError> {
        self.next()?
            .ok_or_else(|| self.error(&format!("unexpected end of input: expected {what}")))
    }

    /// Returns the next `count` numbers. `what` describes one of them in an error.
    #[allow(dead_code, reason = "problems without lists do not need it")]
    pub(crate) fn list(&mut self, count: u64, what: &str) -> Result<Vec<u64>, InputError> {
        // Reserve no capacity: the count may be larger than the memory, but the input is not.
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(self.expect_next(what)?);
        }
        Ok(list)
    }

    /// Creates an error with the line of the last number.
    pub(crate) fn error(&self, message: &str) -> InputError {
        InputError(format!("line {}: {message}", self.line))
    }
}

fn visible(c: char) -> char {
    if c.is_control() { '\u{fffd}' } else { c }
}

/// Runs a program on standard input. If it fails, writes the error as one line to standard error
/// and returns exit code 2.
pub(crate) fn run(
    program: impl FnOnce(&mut Numbers<'_>, &mut dyn Write) -> Result<(), InputError>,
) -> ExitCode {
    let mut text = String::new();
    let read = io::stdin().read_to_string(&mut text);
    let mut out = io::BufWriter::new(io::stdout().lock());
    let result = match read {
        Ok(_) => program(&mut Numbers::new(&text), &mut out),
        Err(error) => Err(InputError(error.to_string())),
    };
    // Answers to the input before an error are still written.
    let result = result.and_then(|()| Ok(out.flush()?));
    // After an error of the program its output is not flushed yet.
    let _ = out.flush();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(InputError(message)) => {
            let _ = writeln!(io::stderr(), "error: {message}");
            ExitCode::from(2)
        }
    }
}

impl From<io::Error> for InputError {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}
