//! Conversion of the parsed command line to a question.

use std::io::{self, Read as _};
use std::path::Path;

use grundy_analysis::Question;
use grundy_analysis::question::{BornQuestion, FindQuestion, TemperaturesQuestion};
use grundy_core::{Diagnostic, Kind, Play, message};

use crate::arguments::{Command, ValueArgs};
use crate::failure::Failure;

/// Converts a command with its arguments to a question. Fails for a command that has no question,
/// such as `help`.
pub(crate) fn from_command(command: Command) -> Result<Box<dyn Question>, Failure> {
    Ok(match command {
        Command::Solve(solve) => Box::new(solve.question),
        Command::Explain(explain) => Box::new(explain.question),
        Command::Table(table) => Box::new(table.question),
        Command::Period(period) => Box::new(period.question),
        Command::Quotient(quotient) => Box::new(quotient.question),
        Command::Verify(verify) => Box::new(verify),
        Command::Label(label) => Box::new(label.question),
        Command::Probe(probe) => Box::new(probe.question),
        Command::Convert(convert) => Box::new(convert),
        Command::Matrix(mut matrix) => {
            matrix.content = standard_input(&matrix.file)?;
            Box::new(matrix)
        }
        Command::Tree(tree) => Box::new(tree.question),
        Command::Value(value) => value_question(*value)?,
        Command::Compare(compare) => Box::new(compare.question),
        Command::Nimber(nimber) => Box::new(nimber),
        Command::Exercises(mut exercises) => {
            // Equal questions must have equal answers, so a random seed is chosen before the
            // question is answered.
            exercises.question.seed.get_or_insert_with(any_seed);
            Box::new(exercises.question)
        }
        Command::Draw(mut draw) => {
            // The answer contains the picture, and is printed to standard output anyway.
            draw.question.svg.take_if(|file| file.as_os_str() == "-");
            Box::new(draw.question)
        }
        #[cfg(feature = "serve")]
        Command::Serve(_) => return Err(no_question()),
        Command::Play(_)
        | Command::Guide(_)
        | Command::Completions { .. }
        | Command::Man { .. } => {
            return Err(no_question());
        }
    })
}

fn no_question() -> Failure {
    Diagnostic::new(
        Kind::Internal,
        message!("this command cannot be sent as a question"),
    )
    .into()
}

/// Returns the question for `grundy value`. It asks for the value of a position or for all values
/// born by a day. It can also ask for positions with a given value, or for temperatures of random
/// positions.
fn value_question(value: ValueArgs) -> Result<Box<dyn Question>, Failure> {
    let normal_play_options = [
        ("--find", value.find.is_some()),
        ("--random", value.random.is_some()),
        ("--born", value.born.is_some()),
    ];
    if let Some((name, _)) = normal_play_options.into_iter().find(|(_, given)| *given)
        && value.question.play == Play::Misere
    {
        let message = message!("`{name}` is available in normal play only", name);
        let help = message!("omit this option, or use normal play");
        return Err(Diagnostic::new(Kind::Type, message).help(help).into());
    }
    // With --find or --random, clap requires --within.
    let within = value.within.unwrap_or_default();
    if let Some(game) = value.find {
        return Ok(Box::new(FindQuestion {
            game,
            equals: value.equals.unwrap_or_default(),
            within,
            count: value.count as usize,
        }));
    }
    if let Some(count) = value.random {
        let Some(game) = value.question.source.expression else {
            let message = message!("no game given");
            let help = message!("name a game, such as clobber");
            return Err(Diagnostic::new(Kind::Syntax, message).help(help).into());
        };
        return Ok(Box::new(TemperaturesQuestion {
            game,
            within,
            count,
            seed: value.seed.unwrap_or_else(any_seed),
        }));
    }
    if let Some(day) = value.born {
        let svg = value.question.svg;
        return Ok(Box::new(BornQuestion { day, svg }));
    }
    Ok(Box::new(value.question))
}

/// Returns a seed that differs from run to run. It has at most six digits, so that a user can type
/// it.
pub(crate) fn any_seed() -> u64 {
    let since = std::time::SystemTime::UNIX_EPOCH.elapsed();
    since.map_or(0, |since| u64::from(since.subsec_nanos()) % 1_000_000)
}

/// Returns the content of standard input if the name `file` is `-`, and `None` for any other name.
fn standard_input(file: &Path) -> Result<Option<Vec<u8>>, Failure> {
    if file != Path::new("-") {
        return Ok(None);
    }
    let mut content = Vec::new();
    io::stdin()
        .lock()
        // One byte more than the limit is read, so that the parser notices if the matrix is too
        // long.
        .take(grundy_analysis::matrix::MAX_INPUT_BYTES + 1)
        .read_to_end(&mut content)?;
    Ok(Some(content))
}
