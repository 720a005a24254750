//! Chinese help texts and error messages of the command line.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::OnceLock;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory as _};
use grundy_core::{Diagnostic, Kind, Message, message};
use grundy_wording::diagnostic::render;
use grundy_wording::{Audience, Interface, Language, help};

use crate::arguments::CommandLine;

/// The audience of all texts in this module: a reader of Chinese who uses a terminal.
const AUDIENCE: Audience = Audience {
    language: Language::Zh,
    interface: Interface::Terminal,
};

/// The Chinese help texts: for each name of a command, a map from the names of its arguments to
/// their help texts. In this map, the name "" stands for the command itself. The command name ""
/// has the texts that all commands share.
type CommandWords = HashMap<String, HashMap<String, String>>;

/// Largest width of a line of help, in columns of the terminal.
const COLUMNS: usize = 100;

fn translations() -> &'static CommandWords {
    static WORDS: OnceLock<CommandWords> = OnceLock::new();
    WORDS.get_or_init(|| {
        serde_json::from_str(include_str!("chinese/commands.json"))
            .expect("the words are tested to be readable")
    })
}

fn help_text(command: &str, name: &str) -> &'static str {
    let word = |command: &str| translations().get(command)?.get(name);
    let common = || word("").filter(|_| !name.is_empty());
    word(command).or_else(common).map_or("", String::as_str)
}

/// Returns the name and the definition of the subcommand `name`. If there is no such subcommand,
/// returns the whole command line under the name "".
fn definition_of(name: Option<&str>) -> (String, Command) {
    let mut line = CommandLine::command();
    // `build` adds the global options to the subcommands.
    line.build();
    match name.and_then(|name| line.find_subcommand(name)) {
        Some(command) => (command.get_name().to_owned(), command.clone()),
        None => (String::new(), line),
    }
}

/// Returns the definition of the command line with all help texts in Chinese. It is used for shell
/// completions and manual pages.
pub(crate) fn command_line() -> Command {
    let (_, line) = definition_of(None);
    let names: Vec<String> = line.get_subcommands().map(name_of).collect();
    let line = names.iter().fold(line, |line, name| {
        line.mut_subcommand(name, |command| with_translations(command, name))
    });
    with_translations(line, "")
}

fn name_of(command: &Command) -> String {
    command.get_name().to_owned()
}

fn with_translations(command: Command, name: &str) -> Command {
    let examples = command
        .get_after_help()
        .map(|help| examples(&help.to_string()));
    let command = command.about(help_text(name, "")).mut_args(|arg| {
        let id = arg.get_id().to_string();
        let arg = arg.help(help_text(name, &id));
        let values = arg.get_possible_values();
        // In clap, a flag has the possible values `true` and `false`. They need no help text.
        if values.is_empty() || !arg.get_action().takes_values() {
            return arg;
        }
        let translated = values.into_iter().map(|value| {
            let words = help_text(name, &format!("{id}={}", value.get_name()));
            value.help((!words.is_empty()).then_some(words))
        });
        arg.value_parser(PossibleValuesParser::new(translated))
    });
    match examples {
        Some(examples) => command.after_help(examples),
        None => command,
    }
}

/// Returns the examples that end the help of a command, with a Chinese heading. The commands
/// themselves are not translated.
fn examples(help: &str) -> String {
    let help = help.replacen("Examples:", "示例：", 1);
    help.replacen("Example: ", "示例：", 1)
}

/// Translates the headings and fixed words of a manual page that `clap_mangen` has written.
pub(crate) fn manual(page: &str) -> String {
    // `clap_mangen` has no option for a language. Hence its output, which is in roff, is edited.
    const TRANSLATIONS: [(&str, &str); 10] = [
        (".SH NAME\n", ".SH 名称\n"),
        (".SH SYNOPSIS\n", ".SH 用法\n"),
        (".SH DESCRIPTION\n", ".SH 说明\n"),
        (".SH OPTIONS\n", ".SH 选项\n"),
        (".SH SUBCOMMANDS\n", ".SH 命令\n"),
        (".SH EXAMPLES\n", ".SH 示例\n"),
        (".SH VERSION\n", ".SH 版本\n"),
        ("\\fIPossible values:\\fR", "\\fI可取：\\fR"),
        ("\\fIsubcommands\\fR", "\\fI命令\\fR"),
        (" [default: ", " [默认："),
    ];
    TRANSLATIONS
        .iter()
        .fold(page.to_owned(), |page, (english, chinese)| {
            page.replace(english, chinese)
        })
}

/// Returns the output of `--help` for the command `name`, or for the program if there is no name.
pub(crate) fn help_page(name: Option<&str>) -> String {
    let (name, mut command) = definition_of(name);
    let mut out = format!("{}\n\n{}\n", help_text(&name, ""), usage(&mut command));
    let commands: Vec<(String, String)> = command
        .get_subcommands()
        .map(|one| {
            let name = one.get_name();
            (name.to_owned(), help_text(name, "").to_owned())
        })
        .collect();
    let arguments = |positional: bool| -> Vec<(String, String)> {
        let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
        shown
            .filter(|arg| arg.is_positional() == positional)
            .map(|arg| (argument_label(arg), description(&name, arg)))
            .collect()
    };
    for (title, rows) in [
        ("命令", commands),
        ("参数", arguments(true)),
        ("选项", arguments(false)),
    ] {
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n{title}：");
        let width = rows.iter().map(|(left, _)| left.len()).max().unwrap_or(0);
        // `wrapped` counts two columns for a Chinese character. Options and names are ASCII, so
        // their width is their length in bytes.
        for (left, right) in &rows {
            let lines = help::wrapped(right, COLUMNS - width - 4);
            for (row, line) in lines.iter().enumerate() {
                let left = if row == 0 { left } else { "" };
                let line = format!("  {left:width$}  {line}");
                let _ = writeln!(out, "{}", line.trim_end());
            }
        }
    }
    if let Some(help) = command.get_after_help() {
        let _ = writeln!(out, "\n{}", examples(&help.to_string()));
    }
    out
}

fn usage(command: &mut Command) -> String {
    let usage = command.render_usage().to_string();
    let usage = usage.replacen("Usage: ", "用法：", 1);
    let usage = usage.replace("[OPTIONS]", "[选项]");
    usage.replace("[COMMAND]", "[命令]").trim_end().to_owned()
}

/// Returns an argument as it appears in the help, for example `-h, --help`.
fn argument_label(arg: &Arg) -> String {
    match arg.get_short() {
        _ if arg.is_positional() => arg.to_string(),
        Some(short) => format!("-{short}, {arg}"),
        None => format!("    {arg}"),
    }
}

/// Returns the description of an argument: its help text, its possible values, and its default.
fn description(command: &str, arg: &Arg) -> String {
    let mut out = help_text(command, arg.get_id().as_str()).to_owned();
    if !arg.get_action().takes_values() {
        return out;
    }
    let values = arg.get_possible_values();
    let translated = |value: &PossibleValue| {
        let name = value.get_name();
        match help_text(command, &format!("{}={name}", arg.get_id())) {
            "" => name.to_owned(),
            words => format!("{name}（{words}）"),
        }
    };
    let values: Vec<String> = values.iter().map(translated).collect();
    if !values.is_empty() {
        let _ = write!(out, "；可取 {}", values.join("、"));
    }
    let default: Vec<_> = arg.get_default_values().iter().collect();
    if let [default] = default[..] {
        let _ = write!(out, "（默认 {}）", default.display());
    }
    out
}

/// Converts an error of clap to a diagnostic, since diagnostics have Chinese translations.
fn to_diagnostic(error: &clap::Error) -> Diagnostic {
    let context = |kind| match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(texts.join("、")),
        _ => None,
    };
    let argument = context(ContextKind::InvalidArg);
    let value = context(ContextKind::InvalidValue).unwrap_or_default();
    let text = error.to_string();
    let first = text.lines().next().unwrap_or("");
    // If the kind of error has no translation here, the text of clap is used.
    let untranslated = || message!("{error}", error = first.trim_start_matches("error: "));
    let message = match (error.kind(), argument) {
        (ErrorKind::UnknownArgument, Some(argument)) => {
            message!("unexpected argument '{argument}' found", argument)
        }
        (ErrorKind::MissingRequiredArgument, Some(arguments)) => message!(
            "the following required arguments were not provided: {arguments}",
            arguments
        ),
        (ErrorKind::ArgumentConflict, Some(argument)) => match context(ContextKind::PriorArg) {
            Some(other) if other == argument => message!(
                "the argument '{argument}' cannot be used multiple times",
                argument
            ),
            Some(other) => message!(
                "the argument '{argument}' cannot be used with '{other}'",
                argument,
                other
            ),
            None => untranslated(),
        },
        (ErrorKind::InvalidValue, Some(argument)) if value.is_empty() => message!(
            "a value is required for '{argument}' but none was supplied",
            argument
        ),
        (ErrorKind::InvalidValue | ErrorKind::ValueValidation, Some(argument)) => {
            message!("invalid value '{value}' for '{argument}'", value, argument)
        }
        (ErrorKind::TooManyValues, Some(argument)) => message!(
            "unexpected value '{value}' for '{argument}' found; no more were expected",
            value,
            argument
        ),
        (ErrorKind::InvalidSubcommand, _) => match context(ContextKind::InvalidSubcommand) {
            Some(name) => message!("unrecognized subcommand '{name}'", name),
            None => untranslated(),
        },
        _ => untranslated(),
    };
    let diagnostic = Diagnostic::new(Kind::Syntax, message);
    match advice(&context) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

fn advice(context: &impl Fn(ContextKind) -> Option<String>) -> Option<Message> {
    // A similar spelling helps more than the list of all values. Hence it is suggested if there is
    // one.
    let near = [
        ContextKind::SuggestedArg,
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedValue,
    ];
    if let Some(near) = near.into_iter().find_map(context) {
        return Some(message!(
            "did you mean `{near}`?",
            near = near.replace('、', "`、`")
        ));
    }
    let values = context(ContextKind::ValidValue).filter(|values| !values.is_empty())?;
    Some(message!("possible values: {values}", values))
}

/// Returns the text of a parse error: the message, the usage line and a reference to `--help`.
pub(crate) fn render_error(error: &clap::Error, name: Option<&str>) -> String {
    let (_, mut command) = definition_of(name);
    let error = render(&to_diagnostic(error), "", AUDIENCE);
    let more =
        grundy_wording::message_text(&message!("for more information, try '--help'"), AUDIENCE);
    format!("{error}\n{}\n\n{more}\n", usage(&mut command))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Checks that each command and each argument has a Chinese help text, and that no text is
    /// unused.
    #[test]
    fn every_command_and_argument_has_chinese_help() {
        let (_, line) = definition_of(None);
        let mut used: BTreeSet<(String, String)> = BTreeSet::new();
        for command in [&line].into_iter().chain(line.get_subcommands()) {
            let name = if command.get_name() == "grundy" {
                ""
            } else {
                command.get_name()
            };
            let mut ids = vec![String::new()];
            for arg in command.get_arguments() {
                let id = arg.get_id().to_string();
                let values = arg.get_possible_values();
                let values = values.iter().filter(|value| value.get_help().is_some());
                ids.extend(values.map(|value| format!("{id}={}", value.get_name())));
                ids.push(id);
            }
            for id in ids {
                let words = help_text(name, &id);
                let han = words
                    .chars()
                    .any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
                assert!(han, "no words for `{id}` of `{name}`");
                let own = translations()
                    .get(name)
                    .is_some_and(|words| words.contains_key(&id));
                used.insert((if own { name } else { "" }.to_owned(), id));
            }
        }
        for (command, words) in translations() {
            for id in words.keys() {
                let known = used.contains(&(command.clone(), id.clone()));
                assert!(known, "nothing is `{id}` of `{command}`");
            }
        }
    }
}
