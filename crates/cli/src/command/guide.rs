//! `grundy help`, `grundy completions` and `grundy man`.

use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};
use grundy_analysis::question::HelpQuestion;
use grundy_core::{Diagnostic, Kind, message};
use grundy_wording::Language;
use grundy_wording::answer::{OrderedMap, json_line};
use grundy_wording::help::{self, PAGES, plain_name};

use crate::arguments::{CommandLine, Common, GuideArgs};
use crate::chinese;
use crate::command::ask;
use crate::failure::Failure;
use crate::output;
use crate::session::Session;

pub(crate) fn run(
    guide: &GuideArgs,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let language = common.language();
    let line = CommandLine::command();
    let commands: Vec<&str> = line
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    let Some(written) = &guide.name else {
        if common.json {
            let overview = OrderedMap(vec![
                ("pages", PAGES.to_vec()),
                ("commands", commands),
                ("games", games().collect()),
            ]);
            json_line(&mut output::stdout(), &overview)?;
            return Ok(ExitCode::SUCCESS);
        }
        return print_page("help", &help::overview(&commands, language), common);
    };
    // Words that users often write instead of the name of a command.
    let name = match &plain_name(written)[..] {
        "matrices" => "matrix".to_owned(),
        "picture" | "pictures" | "svg" => "draw".to_owned(),
        "certificate" | "certificates" | "proof" => "verify".to_owned(),
        "server" | "page" | "web" | "browser" => "serve".to_owned(),
        "tablebase" | "tablebases" => "probe".to_owned(),
        _ => help::topic(written),
    };
    let about = |game| HelpQuestion { game };
    if name == "games" {
        return ask(&about(None), common, session);
    }
    // If the name is neither a command nor a game, a page may explain it: the page `words` explains
    // `P-positions`. If a page and a command have the same name, the page is shown.
    let (command, game) = (
        commands.contains(&&name[..]),
        games().any(|known| known == name),
    );
    let known = command || game;
    if let Some(page) =
        help::page_about(written).filter(|page| !known || *page == name || name == "game")
        && let Some(text) = help::page(page, language)
    {
        return print_page(page, text, common);
    }
    if command && !(game && common.json) {
        print_page(&name, &command_help(&name, language), common)?;
        if !game {
            return Ok(ExitCode::SUCCESS);
        }
        // A game can have the name of a command, such as `tree`. Then its page follows.
        writeln!(output::stdout())?;
    }
    if game {
        return ask(&about(Some(name)), common, session);
    }
    let others = commands.iter().copied().chain(PAGES);
    Err(help::unknown(written, others).into())
}

/// Returns the names of all games.
fn games() -> impl Iterator<Item = &'static str> {
    grundy_core::registry::CONSTRUCTORS
        .iter()
        .map(|game| game.name)
}

fn print_page(name: &str, text: &str, common: &Common) -> Result<ExitCode, Failure> {
    let mut out = output::stdout();
    if common.json {
        json_line(&mut out, &OrderedMap(vec![("name", name), ("text", text)]))?;
    } else {
        out.write_all(text.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the output of `grundy COMMAND --help` for a command.
fn command_help(name: &str, language: Language) -> String {
    if language == Language::Zh {
        return chinese::help_page(Some(name));
    }
    match CommandLine::try_parse_from(["grundy", name, "--help"]) {
        Ok(_) => String::new(),
        Err(help) => help.render().to_string(),
    }
}

/// Returns the clap definition of the command line in a language.
fn line(language: Language) -> clap::Command {
    match language {
        Language::En => CommandLine::command(),
        Language::Zh => chinese::command_line(),
    }
}

pub(crate) fn completions(
    shell: clap_complete::Shell,
    language: Language,
) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut line(language), "grundy", &mut script);
    output::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the manual page of the program, or of one of its commands.
pub(crate) fn man(of: Option<&str>, language: Language) -> Result<ExitCode, Failure> {
    let mut line = line(language);
    line.build();
    let mut command = match of {
        None => line,
        Some(name) => match line.find_subcommand(name) {
            Some(command) => command.clone(),
            None => return Err(unknown_command(name, &line).into()),
        },
    };
    // clap_mangen adds a heading EXTRA above the examples, so their own heading is removed. In
    // roff, a line that begins with a blank keeps its line break.
    let examples = command.get_after_help().map(ToString::to_string);
    if let Some((_, examples)) = examples
        .as_deref()
        .and_then(|help| help.split_once([':', '：']))
    {
        let lines = examples.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty());
        let lines: Vec<String> = lines.map(|line| format!("  {line}")).collect();
        command = command.after_help(lines.join("\n"));
    }
    let mut page = Vec::new();
    let program = concat!("grundy ", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(command)
        .source(program)
        .render(&mut page)?;
    let page = String::from_utf8_lossy(&page).replace(".SH EXTRA\n", ".SH EXAMPLES\n");
    let page = match language {
        Language::En => page,
        Language::Zh => chinese::manual(&page),
    };
    output::stdout().write_all(page.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn unknown_command(written: &str, line: &clap::Command) -> Diagnostic {
    let commands: Vec<&str> = line
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    let message = message!("unknown command `{written}`", written);
    let help = message!("possible values: {values}", values = commands.join(", "));
    Diagnostic::new(Kind::UnknownName, message).help(help)
}
