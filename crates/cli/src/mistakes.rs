//! Command lines that cannot be read, and what their writers probably meant: where this is known,
//! it is told in place of what the reader of the arguments says.

use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use grundy::message::Command;
use grundy::{Kind, message};
use grundy_notation::Diagnostic;
use grundy_wording::{Language, help};

use crate::arguments::CommandLine;

/// Commands that are named by which an option is known.
const MOST_NAMED: usize = 4;

/// What is to be said of an error in the arguments of `command`, where more is known than the
/// reader of arguments knows.
pub(crate) fn told(error: &clap::Error, command: Option<&str>) -> Option<Diagnostic> {
    not_text(error)
        .or_else(|| without_command(error))
        .or_else(|| unquoted(error, command))
        .or_else(|| of_others(error, command))
        .or_else(|| without_file(error))
        .or_else(|| third_range(error, command))
        .or_else(|| left_out(error, command))
        .or_else(|| no_number(error))
}

fn context(error: &clap::Error, kind: ContextKind) -> Option<&String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

/// Returns the error for an argument that is not text.
fn not_text(error: &clap::Error) -> Option<Diagnostic> {
    let message = message!("the expression is not UTF-8");
    (error.kind() == ErrorKind::InvalidUtf8).then(|| Diagnostic::new(Kind::Encoding, message))
}

/// What is to be said where a game or a position stands in the place of a command.
fn without_command(error: &clap::Error) -> Option<Diagnostic> {
    let written = context(error, ContextKind::InvalidSubcommand)?;
    let message = || message!("`{written}` is no command", written);
    let asked = help::plain_name(written);
    if let Some(page) = help::page_about(written) {
        let help = message!(
            "`{command}` tells of it",
            command = Command::new("help").argument("game", page)
        );
        return Some(Diagnostic::new(Kind::Syntax, message()).help(help));
    }
    help::game(&asked, Language::En)?;
    let help = if written.contains('(') {
        message!("write {command}", command = help::command(written))
    } else {
        message!("`grundy help {written}` tells of this game", written)
    };
    Some(Diagnostic::new(Kind::Syntax, message()).help(help))
}

/// What is to be said where words follow a position, as they do where a position was typed without
/// quotation marks.
fn unquoted(error: &clap::Error, command: Option<&str>) -> Option<Diagnostic> {
    let written = context(error, ContextKind::InvalidArg)?;
    let of_position = matches!(command, Some("solve" | "explain" | "draw" | "tree"));
    if error.kind() != ErrorKind::UnknownArgument || written.starts_with('-') || !of_position {
        return None;
    }
    let of = command.unwrap_or_default();
    let message = message!("`{written}` is one argument too many", written);
    if written.starts_with("game(") {
        let help = message!(
            "a rule file is named by an option: grundy {of} --rules FILE \"{written}\"",
            of,
            written
        );
        return Some(Diagnostic::new(Kind::Syntax, message).help(help));
    }
    let command = format!("grundy {of} \"nim(3, 4, 5)\"");
    let help = message!(
        "a position is one argument, in quotation marks: {command}",
        command
    );
    Some(Diagnostic::new(Kind::Syntax, message).help(help))
}

/// What is to be said where an option is one of other commands, or the name of a command.
fn of_others(error: &clap::Error, command: Option<&str>) -> Option<Diagnostic> {
    let written = context(error, ContextKind::InvalidArg)?;
    let name = written.trim_start_matches('-');
    let of = command?;
    let near = error.get(ContextKind::SuggestedArg).is_some();
    if error.kind() != ErrorKind::UnknownArgument || near || name.len() == written.len() {
        return None;
    }
    let negative = std::env::args().find(|typed| typed.starts_with('-') && typed.contains('('));
    if let Some(negative) = negative {
        let message = message!("`{negative}` begins like an option", negative);
        let help = message!(
            "after `--` all are positions: grundy {of} -- \"{negative}\"",
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
        message!("`grundy {name}` is a command of its own", name)
    } else if named.is_empty() {
        message!("`grundy help {of}` lists its options", of)
    } else if named.len() > MOST_NAMED {
        let (first, others) = (&named[0], named.len() - 1);
        message!(
            "it is an option of {first} and {others} other commands",
            first,
            others
        )
    } else {
        message!("it is an option of {commands}", commands = named.join(", "))
    };
    let message = message!("`grundy {of}` has no option `{written}`", of, written);
    Some(Diagnostic::new(Kind::Syntax, message).help(help))
}

/// What is to be said where the name of a file is missing.
fn without_file(error: &clap::Error) -> Option<Diagnostic> {
    let written = context(error, ContextKind::InvalidArg)?;
    let option = written.strip_suffix(" <FILE>")?;
    let empty = context(error, ContextKind::InvalidValue).is_none_or(String::is_empty);
    if error.kind() != ErrorKind::InvalidValue || !empty {
        return None;
    }
    let help = if matches!(option, "--svg" | "--output" | "--certificate") {
        message!("write a name after it; `-` is standard output")
    } else {
        message!("write a name after it")
    };
    let message = message!("`{option}` wants a file", option);
    Some(Diagnostic::new(Kind::Syntax, message).help(help))
}

/// What is to be said where a table has more than two ranges.
fn third_range(error: &clap::Error, command: Option<&str>) -> Option<Diagnostic> {
    let range = context(error, ContextKind::InvalidValue)?;
    if error.kind() != ErrorKind::TooManyValues || command != Some("table") {
        return None;
    }
    let message = message!("`{range}` is one range too many", range);
    let help = message!(
        "a table has one or two variables; put a number in the place of the third, or ask for a table for each of its values"
    );
    Some(Diagnostic::new(Kind::Syntax, message).help(help))
}

/// What is to be said where something that is needed is missing: an example of the command.
fn left_out(error: &clap::Error, command: Option<&str>) -> Option<Diagnostic> {
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

/// What is to be said where a number is meant.
fn no_number(error: &clap::Error) -> Option<Diagnostic> {
    let (option, value) = (
        context(error, ContextKind::InvalidArg)?,
        context(error, ContextKind::InvalidValue)?,
    );
    if error.kind() != ErrorKind::ValueValidation {
        return None;
    }
    let text = error.to_string();
    let says = |reason: &str| text.contains(reason);
    let message = if says("invalid digit found") || says("invalid float") {
        message!("`{value}` is no number for `{option}`", value, option)
    } else if says("would be zero for non-zero") {
        message!("`{option}` wants 1 or more", option)
    } else if says("number too large to fit") {
        message!("`{value}` is too large for `{option}`", value, option)
    } else {
        return None;
    };
    Some(Diagnostic::new(Kind::Syntax, message))
}
