//! All output of the program to a terminal or a pipe.
//!
//! If the reader of a pipe closes it, the program ends without an error. Any other write error is
//! reported once, with exit code 2. [`finish`] flushes the output, so that errors in writing the
//! last bytes are also noticed.

use std::io::{self, BufRead, IsTerminal as _, StdoutLock, Write as _};
use std::process::ExitCode;

use anstream::AutoStream;
use clap::error::ErrorKind;
use grundy_core::step::Step;
use grundy_core::{Diagnostic, Kind, message};
use grundy_wording::answer::json_line;
use grundy_wording::diagnostic::{self, ErrorView};
use grundy_wording::{Audience, Interface, Language, words};

use crate::arguments;
use crate::chinese;
use crate::failure::{self, Failure};

/// Returns the locked standard output, to which answers are written.
pub(crate) fn stdout() -> StdoutLock<'static> {
    io::stdout().lock()
}

/// Returns the standard output for text with colours. The colours are removed if the output is not
/// a terminal, or if `NO_COLOR` is set.
pub(crate) fn coloured_stdout() -> AutoStream<StdoutLock<'static>> {
    AutoStream::auto(stdout())
}

/// Writes a message to standard error. Ignores errors, since the work can continue without the
/// message.
pub(crate) fn write_message(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Reads the next line of input. Returns `None` at the end of the input. If a line is not UTF-8,
/// writes `complaint` and reads the next one.
pub(crate) fn read_line(
    input: &mut impl BufRead,
    complaint: &str,
    out: &mut impl io::Write,
) -> io::Result<Option<String>> {
    loop {
        let mut line = String::new();
        match input.read_line(&mut line) {
            Ok(0) => {
                // After Ctrl-D the cursor is still in the line of the prompt, so this line is
                // ended.
                writeln!(out)?;
                return Ok(None);
            }
            Ok(_) => return Ok(Some(line)),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                writeln!(out, "  {complaint}")?;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Flushes the output, reports a failure, and returns the exit code of the program.
pub(crate) fn finish(
    result: Result<ExitCode, Failure>,
    json: bool,
    interrupted: bool,
    language: Language,
) -> ExitCode {
    let result = result.and_then(|code| {
        // Some errors are noticed only when the output is flushed, for example that the disk is
        // full.
        stdout().flush()?;
        Ok(code)
    });
    match result {
        Ok(code) => code,
        // The reader of the pipe needs no more output, as in `grundy ... | head`.
        Err(Failure::Pipe) => ExitCode::SUCCESS,
        Err(Failure::Error(diagnostic)) => {
            let audience = Audience::new(language, Interface::Terminal);
            write_message(&diagnostic::render(&diagnostic, "", audience));
            let printed = !json || print_error_json(&diagnostic);
            if interrupted {
                ExitCode::from(130)
            } else if printed {
                ExitCode::from(failure::exit_code(&diagnostic))
            } else {
                ExitCode::SUCCESS
            }
        }
    }
}

/// Asks the user which reading of a text is meant, if the error lists several. Returns `None` if
/// there is no terminal to ask on, or if the user chooses none.
pub(crate) fn choose_reading(error: &Diagnostic, language: Language) -> Option<&str> {
    let readings = &error.readings;
    if readings.is_empty() || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return None;
    }
    let question = words(&Step::new("which_reading"), language);
    let numbered = readings.iter().enumerate();
    let listed: Vec<String> = numbered
        .map(|(index, reading)| format!("  {}  {reading}", index + 1))
        .collect();
    write_message(&format!("{question}\n{}\n> ", listed.join("\n")));
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).ok()?;
    let number: usize = line.trim().parse().ok()?;
    readings.get(number.checked_sub(1)?).map(String::as_str)
}

/// Writes an error as a JSON object. Returns `false` if the reader has closed the pipe.
fn print_error_json(diagnostic: &Diagnostic) -> bool {
    let mut out = stdout();
    let audience = Audience::new(Language::En, Interface::Terminal);
    let view = ErrorView::new(diagnostic, "", audience);
    // JSON is read by programs. Hence it is in English whatever the language of the messages.
    let written = json_line(&mut out, &view).and_then(|()| out.flush());
    // Other write errors are not reported, since the diagnostic has already been written to
    // standard error.
    !written.is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints the help, the version or the error that clap returns instead of a command. Returns the
/// exit code. Help and version are printed to standard output, with exit code 0. An error is
/// printed to standard error, with exit code 2.
pub(crate) fn print_usage(error: &clap::Error, json: bool, language: Language) -> ExitCode {
    let text = error.render();
    if error.use_stderr() {
        if language == Language::Zh {
            write_message(&chinese::render_error(
                error,
                arguments::command_in_arguments().as_deref(),
            ));
        } else if io::stderr().is_terminal() {
            write_message(&text.ansi().to_string());
        } else {
            write_message(&text.to_string());
        }
        // With `--json`, the first line of the message is also written as an error object.
        let plain = text.to_string();
        let first = plain.lines().next().unwrap_or("");
        let error = first.trim_start_matches("error: ");
        let printed =
            !json || print_error_json(&Diagnostic::new(Kind::Syntax, message!("{error}", error)));
        return ExitCode::from(if printed { 2 } else { 0 });
    }
    let text = if language == Language::Zh && error.kind() == ErrorKind::DisplayHelp {
        chinese::help_page(arguments::command_in_arguments().as_deref())
    } else if io::stdout().is_terminal() {
        text.ansi().to_string()
    } else {
        text.to_string()
    };
    let written = stdout().write_all(text.as_bytes());
    finish(
        written.map(|()| ExitCode::SUCCESS).map_err(Failure::from),
        json,
        false,
        Language::En,
    )
}
