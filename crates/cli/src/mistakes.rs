//! Specific messages for common mistakes on the command line. If the intention of the user is
//! clear, such a message replaces that of clap.

use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use grundy_core::message::Command;
use grundy_core::{Kind, message};
use grundy_notation::Diagnostic;
use grundy_wording::{Language, help};

use crate::arguments::CommandLine;

/// Largest number of commands whose names are listed in an error about an option.
const MAX_LISTED: usize = 4;

/// Returns a diagnostic for an error of clap in the arguments of `command`. Returns `None` if the
/// message of clap is to be used.
pub(crate) fn diagnose(error: &clap::Error, command: Option<&str>) -> Option<Diagnostic> {
    // The order matters. `unquoted` reports words without a dash, and `option_of_other_command`
    // words with a dash. The checks of values apply to most commands, so they are last.
    not_text(error)
        .or_else(|| missing_command(error))
        .or_else(|| unquoted(error, command))
        .or_else(|| option_of_other_command(error, command))
        .or_else(|| missing_file(error))
        .or_else(|| third_range(error, command))
        .or_else(|| missing_argument(error, command))
        .or_else(|| invalid_number(error))
}

fn context(error: &clap::Error, kind: ContextKind) -> Option<&String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

/// Reports an argument that is not UTF-8.
fn not_text(error: &clap::Error) -> Option<Diagnostic> {
    let message = message!("the expression is not UTF-8");
    (error.kind() == ErrorKind::InvalidUtf8).then(|| Diagnostic::new(Kind::Encoding, message))
}

/// Reports a command line that begins with a game or a position, so that the command is missing.
fn missing_command(error: &clap::Error) -> Option<Diagnostic> {
    let written = context(error, ContextKind::InvalidSubcommand)?;
    let message = || message!("unknown command `{written}`", written);
    if let Some(page) = help::page_about(written) {
        let help = message!(
            "to read the help page that covers this topic, use `{command}`",
            command = Command::new("help").argument("game", page)
        );
        return Some(Diagnostic::new(Kind::Syntax, message()).help(help));
    }
    help::game(&help::topic(written), Language::En)?;
    let help = if written.contains('(') {
        message!("write {command}", command = help::command(written))
    } else {
        message!("`grundy help {written}` describes this game", written)
    };
    Some(Diagnostic::new(Kind::Syntax, message()).help(help))
}

/// Reports words after a position. Usually the position has been typed without quotation marks.
fn unquoted(error: &clap::Error, command: Option<&str>) -> Option<Diagnostic> {
    let written = context(error, ContextKind::InvalidArg)?;
    let of_position = matches!(command, Some("solve" | "explain" | "draw" | "tree"));
    if error.kind() != ErrorKind::UnknownArgument || written.starts_with('-') || !of_position {
        return None;
    }
    let of = command.unwrap_or_default();
    let message = message!("unexpected argument `{written}`", written);
    if written.starts_with("game(") {
        let help = message!(
            "pass a rule file as an option: grundy {of} --rules FILE \"{written}\"",
            of,
            written
        );
        return Some(Diagnostic::new(Kind::Syntax, message).help(help));
    }
    let command = format!("grundy {of} \"nim(3, 4, 5)\"");
    let help = message!(
        "write a position as one argument, in quotation marks: {command}",
        command
    );
    Some(Diagnostic::new(Kind::Syntax, message).help(help))
}

/// Reports an option that this command does not have. The hint names what the user may have meant:
/// an option of another command, another command itself, or a negative position such as `-nim(3)`.
/// Otherwise, it refers to the list of options.
fn option_of_other_command(error: &clap::Error, command: Option<&str>) -> Option<Diagnostic> {
    let written = context(error, ContextKind::InvalidArg)?;
    let name = written.trim_start_matches('-');
    let of = command?;
    // If clap suggests a similar option, its message is more useful.
    let near = error.get(ContextKind::SuggestedArg).is_some();
    if error.kind() != ErrorKind::UnknownArgument || near || name.len() == written.len() {
        return None;
    }
    // clap reads `-nim(3)` as short options and reports only `-n`. The whole argument is in the
    // arguments of the process.
    let negative = std::env::args().find(|typed| typed.starts_with('-') && typed.contains('('));
    if let Some(negative) = negative {
        let message = message!("`{negative}` looks like an option", negative);
        let help = message!(
            "write positions after `--`: grundy {of} -- \"{negative}\"",
            of,
            negative
        );
        return Some(Diagnostic::new(Kind::Syntax, message).help(help));
    }
    let line = CommandLine::command();
    let has = |command: &&clap::Command| {
        let mut options = command.get_arguments();
        options.any(|option| option.get_long() == Some(name))
    };
    let named: Vec<String> = line
        .get_subcommands()
        .filter(has)
        .map(|command| format!("`grundy {}`", command.get_name()))
        .collect();
    let help = if line.find_subcommand(name).is_some() {
        message!("`grundy {name}` is a separate command", name)
    } else if named.is_empty() {
        message!("`grundy help {of}` lists its options", of)
    } else if named.len() > MAX_LISTED {
        let (first, others) = (&named[0], named.len() - 1);
        message!(
            "this option belongs to {first} and {others} other commands",
            first,
            others
        )
    } else {
        message!(
            "this option belongs to {commands}",
            commands = named.join(", ")
        )
    };
    let message = message!("`grundy {of}` has no option `{written}`", of, written);
    Some(Diagnostic::new(Kind::Syntax, message).help(help))
}

/// Reports an option that needs the name of a file, which is missing.
fn missing_file(error: &clap::Error) -> Option<Diagnostic> {
    let written = context(error, ContextKind::InvalidArg)?;
    let option = written.strip_suffix(" <FILE>")?;
    let empty = context(error, ContextKind::InvalidValue).is_none_or(String::is_empty);
    if error.kind() != ErrorKind::InvalidValue || !empty {
        return None;
    }
    let help = if matches!(option, "--svg" | "--output" | "--certificate") {
        message!("add a file name; `-` is standard output")
    } else {
        message!("add a file name")
    };
    let message = message!("`{option}` requires a file", option);
    Some(Diagnostic::new(Kind::Syntax, message).help(help))
}

/// Reports a third range in `grundy table`, which accepts two.
fn third_range(error: &clap::Error, command: Option<&str>) -> Option<Diagnostic> {
    let range = context(error, ContextKind::InvalidValue)?;
    if error.kind() != ErrorKind::TooManyValues || command != Some("table") {
        return None;
    }
    let message = message!("unexpected range `{range}`", range);
    let help = message!(
        "a table has at most two variables: replace the third by a number, or print a table for each of its values"
    );
    Some(Diagnostic::new(Kind::Syntax, message).help(help))
}

/// Reports a missing argument that is required, with an example of the command.
fn missing_argument(error: &clap::Error, command: Option<&str>) -> Option<Diagnostic> {
    if error.kind() != ErrorKind::MissingRequiredArgument {
        return None;
    }
    let ContextValue::Strings(missing) = error.get(ContextKind::InvalidArg)? else {
        return None;
    };
    let line = CommandLine::command();
    let examples = line
        .find_subcommand(command?)?
        .get_after_help()?
        .to_string();
    let mut lines = examples.lines().map(str::trim);
    let example = lines.find(|line| line.starts_with("grundy "))?;
    let message = message!("{arguments} is missing", arguments = missing.join(" "));
    let help = message!("for example: {example}", example);
    Some(Diagnostic::new(Kind::Syntax, message).help(help))
}

/// Reports a value that must be a number but is not, or is out of range.
fn invalid_number(error: &clap::Error) -> Option<Diagnostic> {
    let (option, value) = (
        context(error, ContextKind::InvalidArg)?,
        context(error, ContextKind::InvalidValue)?,
    );
    if error.kind() != ErrorKind::ValueValidation {
        return None;
    }
    // The reason is the text of the parser's error. The message of clap contains it.
    let text = error.to_string();
    let says = |reason: &str| text.contains(reason);
    let message = if says("invalid digit found") || says("invalid float") {
        message!("invalid number `{value}` for `{option}`", value, option)
    } else if says("would be zero for non-zero") {
        message!("`{option}` must be at least 1", option)
    } else if says("number too large to fit") {
        message!("`{value}` is too large for `{option}`", value, option)
    } else {
        return None;
    };
    Some(Diagnostic::new(Kind::Syntax, message))
}
