//! The command line of grundy: parses the arguments, answers the question and prints the answer.

mod arguments;
mod chinese;
mod command;
mod failure;
mod mistakes;
mod output;
mod progress;
mod question;
mod session;

use std::alloc::System;
use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use cap::Cap;
use grundy_analysis::Workers;
use grundy_wording::help;

use crate::arguments::{Command, CommandLine};
use crate::failure::Failure;
use crate::session::Session;

/// The global allocator. It counts the allocated bytes for the memory limit.
#[global_allocator]
pub(crate) static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// Runs the program with the arguments of the process. `workers` executes the command `label` if
/// several workers, in one or more processes, share its work. If `workers` is `None`, such a
/// command is an error.
#[must_use]
pub fn run(workers: Option<&'static dyn Workers>) -> ExitCode {
    run_with(std::env::args_os().collect(), workers)
}

/// Runs the program with the arguments `typed`, of which the first is the name of the program.
fn run_with(typed: Vec<OsString>, workers: Option<&'static dyn Workers>) -> ExitCode {
    let arguments = match CommandLine::read(typed.clone()) {
        Ok(arguments) => arguments,
        Err(error) => {
            // clap has rejected the arguments, so the option `--json` is searched for in the
            // arguments themselves.
            let json = std::env::args_os().any(|argument| argument == "--json");
            let language = arguments::language_in_arguments();
            let command = arguments::command_in_arguments();
            return match mistakes::diagnose(&error, command.as_deref()) {
                Some(refusal) => output::finish(Err(refusal.into()), json, false, language),
                None => output::print_usage(&error, json, language),
            };
        }
    };
    let json = arguments.common.json;
    let language = arguments.common.language();
    #[cfg(feature = "serve")]
    // The server creates a job for each request. Hence it needs neither a session nor a handler for
    // Ctrl-C.
    if let Some(Command::Serve(serve)) = &arguments.command {
        let served = command::serve::run(serve, &arguments.common);
        return output::finish(served, json, false, language);
    }
    let dialogue = matches!(arguments.command, Some(Command::Play(_)));
    let (job, bar) = session::job(&arguments.common, dialogue);
    let handle = job.handle();
    let rules = arguments.command.as_ref().and_then(Command::rules).cloned();
    // The handle still exists after the session. It shows whether Ctrl-C caused an error.
    let result = Session::new(&arguments.common, rules.as_deref(), workers, job, bar)
        .map_err(Failure::from)
        .and_then(|session| dispatch(arguments, &session));
    // If a text has several readings, the user chooses one. It is in the notation, so the program
    // is run only once more.
    if let Err(Failure::Error(error)) = &result
        && !json
        && let Some(reading) = output::choose_reading(error, language)
    {
        let text = error.source.as_deref().unwrap_or_default();
        let replaced = |word: OsString| if word == text { reading.into() } else { word };
        return run_with(typed.into_iter().map(replaced).collect(), workers);
    }
    output::finish(result, json, handle.is_cancelled(), language)
}

fn dispatch(arguments: CommandLine, session: &Session) -> Result<ExitCode, Failure> {
    let common = &arguments.common;
    match arguments.command {
        Some(Command::Solve(solve)) if solve.jsonl.is_some() => {
            command::batch::solve(&solve, common, session)
        }
        Some(Command::Value(value)) if value.jsonl.is_some() => {
            command::batch::value(&value, common, session)
        }
        Some(Command::Probe(probe)) if probe.jsonl.is_some() => {
            command::batch::probe(&probe, common, session)
        }
        Some(Command::Play(play)) => command::play::run(&play, common, session),
        Some(Command::Guide(guide)) => command::guide::run(&guide, common, session),
        Some(Command::Completions { shell }) => {
            command::guide::completions(shell, common.language())
        }
        Some(Command::Man { name }) => command::guide::man(name.as_deref(), common.language()),
        Some(command) => command::ask(&*question::from_command(command)?, common, session),
        None => {
            let screen = help::page("first", common.language()).unwrap_or_default();
            output::stdout().write_all(screen.as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
