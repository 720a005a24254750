//! Everything that the program writes to its terminal or pipe.
//!
//! Standard output is handed out here and settled here: a reader that has gone is a quiet end, and
//! any other failure is one error and exit code 2, whether it shows at once or only when the last
//! bytes leave.

use std::io::{self, BufRead, IsTerminal as _, StdoutLock, Write as _};
use std::process::ExitCode;

use anstream::AutoStream;
use clap::error::ErrorKind;
use grundy::{Diagnostic, Kind, message};
use grundy_wording::answer::json_line;
use grundy_wording::diagnostic::{self, ErrorView};
use grundy_wording::{Audience, Interface, Language};

use crate::arguments;
use crate::chinese;
use crate::failure::{self, Failure};

/// Where answers go.
pub(crate) fn answers() -> StdoutLock<'static> {
    io::stdout().lock()
}

/// Where answers go that have colours, which reach a terminal alone, and none if `NO_COLOR` is set.
pub(crate) fn coloured() -> AutoStream<StdoutLock<'static>> {
    AutoStream::auto(answers())
}

/// Tells people something that is no answer. Where nobody can be told, the work goes on all the
/// same.
pub(crate) fn tell(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Returns the next line that somebody types or a pipe brings; nothing at the end. What is no text
/// is answered with `complaint`.
pub(crate) fn line(
    input: &mut impl BufRead,
    complaint: &str,
    out: &mut impl io::Write,
) -> io::Result<Option<String>> {
    loop {
        let mut line = String::new();
        match input.read_line(&mut line) {
            Ok(0) => {
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

/// Returns the exit code of a run, when all that it wrote has arrived.
pub(crate) fn settle(
    result: Result<ExitCode, Failure>,
    json: bool,
    interrupted: bool,
    language: Language,
) -> ExitCode {
    let result = result.and_then(|code| {
        answers().flush()?;
        Ok(code)
    });
    match result {
        Ok(code) => code,
        Err(Failure::Pipe) => ExitCode::SUCCESS,
        Err(Failure::Error(diagnostic)) => {
            let audience = Audience::new(language, Interface::Terminal);
            tell(&diagnostic::render(&diagnostic, "", audience));
            let told = !json || object(&diagnostic);
            if interrupted {
                ExitCode::from(130)
            } else if told {
                ExitCode::from(failure::exit_code(&diagnostic))
            } else {
                ExitCode::SUCCESS
            }
        }
    }
}

/// Writes an error for programs; false where the program has gone that would read it.
fn object(diagnostic: &Diagnostic) -> bool {
    let mut out = answers();
    let audience = Audience::new(Language::En, Interface::Terminal);
    let view = ErrorView::told(diagnostic, "", audience);
    let written = json_line(&mut out, &view).and_then(|()| out.flush());
    // That this cannot be written is no news beside the error, which has been told.
    !written.is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// What the command line's reader says: help and version are answers, the rest is one message and
/// exit code 2.
pub(crate) fn usage(error: &clap::Error, json: bool, language: Language) -> ExitCode {
    let text = error.render();
    if error.use_stderr() {
        if language == Language::Zh {
            tell(&chinese::told(error, arguments::typed_command().as_deref()));
        } else if io::stderr().is_terminal() {
            tell(&text.ansi().to_string());
        } else {
            tell(&text.to_string());
        }
        let plain = text.to_string();
        let first = plain.lines().next().unwrap_or("");
        let error = first.trim_start_matches("error: ");
        let told = !json || object(&Diagnostic::new(Kind::Syntax, message!("{error}", error)));
        return ExitCode::from(if told { 2 } else { 0 });
    }
    let text = if language == Language::Zh && error.kind() == ErrorKind::DisplayHelp {
        chinese::sheet(arguments::typed_command().as_deref())
    } else if io::stdout().is_terminal() {
        text.ansi().to_string()
    } else {
        text.to_string()
    };
    let written = answers().write_all(text.as_bytes());
    settle(
        written.map(|()| ExitCode::SUCCESS).map_err(Failure::from),
        json,
        false,
        Language::En,
    )
}
