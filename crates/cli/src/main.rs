//! The binary `grundy`: reads the command line, calls the library, prints.

mod arguments;
mod command;
mod failure;
mod session;
mod whole_file;

use std::process::ExitCode;

use clap::Parser as _;
use grundy::Kind;
use grundy_notation::Diagnostic;

use crate::arguments::{Arguments, Command};
use crate::failure::Failure;
use crate::session::Session;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    let json = arguments.common.json;
    let session = Session::new(&arguments.common);
    // What went wrong in a rule file comes first: all else follows from it.
    let result = run(arguments, &session);
    let failed = session.rules_failed();
    let failed = failed.map(|(diagnostic, source)| Failure::Input { diagnostic, source });
    match failed.map_or(result, Err) {
        Ok(code) => code,
        Err(Failure::Pipe) => ExitCode::SUCCESS,
        Err(Failure::Input { diagnostic, source }) => {
            eprint!("{}", diagnostic.render(&source));
            if json {
                println!("{}", diagnostic.to_json(&source));
            }
            ExitCode::from(if session.interrupted() {
                130
            } else {
                failure::exit_code(&diagnostic)
            })
        }
    }
}

fn run(arguments: Arguments, session: &Session) -> Result<ExitCode, Failure> {
    let common = arguments.common;
    if let Some(path) = &common.rules {
        session.open_rules(path)?;
    }
    match arguments.command {
        Some(Command::Solve(solve)) => command::solve::run(&solve, &common, session),
        Some(Command::Explain(explain)) => command::explain::run(&explain, &common, session),
        Some(Command::Play(play)) => command::play::run(&play, &common, session),
        Some(Command::Label(label)) => command::label::run(&label, &common, session),
        Some(Command::Table(table)) => command::table::run(&table, &common, session),
        Some(Command::Nimber(nimber)) => command::nimber::run(&nimber, &common),
        Some(Command::Period(period)) => command::period::run(&period, &common, session),
        Some(Command::Verify(verify)) => command::verify::run(&verify, &common, session),
        Some(Command::Probe(probe)) => command::probe::run(&probe, &common),
        Some(Command::Matrix(matrix)) => command::matrix::run(&matrix, &common, session),
        Some(Command::Tree(tree)) => command::tree::run(&tree, &common, session),
        Some(Command::Draw(draw)) => command::draw::run(&draw, &common, session),
        Some(Command::Guide(guide)) => command::guide::run(&guide),
        Some(Command::Completions { shell }) => command::guide::completions(shell),
        Some(Command::Man) => command::guide::man(),
        None => {
            print!("{}", command::guide::FIRST_SCREEN);
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// What clap found: help and version are no errors; the rest is one message and exit code 2.
fn usage(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    if error.use_stderr() {
        if std::env::args_os().any(|argument| argument == "--json") {
            let text = error.to_string();
            let message = text
                .lines()
                .next()
                .unwrap_or("")
                .trim_start_matches("error: ");
            println!("{}", Diagnostic::new(Kind::Syntax, message).to_json(""));
        }
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}
