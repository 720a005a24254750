//! `grundy play`: a game, or practice questions, line by line in the terminal.

use std::io::{self, Write};
use std::process::ExitCode;

use grundy_analysis::Opponent;
use grundy_analysis::conversation::{Conversation, Event, FIRST_LEVEL, Game, Lesson, Seats, Style};
use grundy_analysis::playing::Playing;
use grundy_analysis::question::PERFECT;
use grundy_core::{Diagnostic, Kind, Play, message};

use crate::arguments::{Common, PlayArgs};
use crate::failure::Failure;
use crate::output;
use crate::question;
use crate::session::Session;

pub(crate) fn run(
    arguments: &PlayArgs,
    common: &Common,
    session: &Session,
) -> Result<ExitCode, Failure> {
    let language = common.language();
    let play = if arguments.misere {
        Play::Misere
    } else {
        Play::Normal
    };
    // The seed is not an option, since the program should play differently in each game.
    let seed = question::any_seed();
    let style = Style {
        language,
        ascii: arguments.ascii,
    };
    if let Some(ask) = arguments.practice {
        let Some(game) = &arguments.source.expression else {
            let missing = Diagnostic::new(Kind::Syntax, message!("no game given"));
            let help = message!(
                "name a game, such as nim, or a family with its ranges: kayles(n) n=3..12"
            );
            return Err(missing.help(help).into());
        };
        let level = arguments.level.unwrap_or(FIRST_LEVEL);
        let game = (&game[..], &arguments.ranges[..]);
        let (reader, job) = (session.analyst.reader(), &session.job);
        let lesson = Lesson::new(game, ask, play, (level, seed), style, reader, job)?;
        return converse(lesson);
    }
    // This is checked here and not by clap, so that the error can name the range.
    if let Some(range) = arguments.ranges.first() {
        let message = message!("unexpected range `{range}`", range);
        let help = message!("a variable can be given a range with --practice only");
        return Err(Diagnostic::new(Kind::Syntax, message).help(help).into());
    }
    let start = session.analyst.position(&arguments.source)?;
    let opponent = Opponent::new(play, session.job.limits());
    let level = arguments.level.unwrap_or(PERFECT);
    let mut playing = Playing::new(start, opponent).at_level(level, seed);
    if let Some(moves) = &arguments.moves {
        playing.replay(moves, language)?;
    }
    let seats = match (arguments.two_players, arguments.second) {
        (true, _) => Seats::Both,
        (false, second) => Seats::One(usize::from(second)),
    };
    let rules = arguments.rules.rules.as_ref();
    let rules = rules.map(|rules| rules.to_string_lossy().into_owned());
    converse(Game::new(playing, seats, style).with_save_options(arguments.level, rules))
}

/// Runs a conversation (a game against the program, or practice questions) on standard input and
/// standard output until the conversation ends.
fn converse(mut conversation: impl Conversation) -> Result<ExitCode, Failure> {
    // Both are locked for the whole conversation, since nothing else reads input or prints answers.
    let (mut input, mut out) = (io::stdin().lock(), output::coloured_stdout());
    loop {
        match conversation.next()? {
            Event::Output(text) => out.write_all(text.as_bytes())?,
            Event::Prompt(prompt) => {
                out.write_all(prompt.as_bytes())?;
                // A prompt does not end its line. Hence it would stay in the buffer if it were not
                // flushed.
                out.flush()?;
                match output::read_line(
                    &mut input,
                    &conversation.invalid_line_response(),
                    &mut out,
                )? {
                    Some(line) => out.write_all(conversation.respond(&line)?.as_bytes())?,
                    None => conversation.end_input(),
                }
            }
            Event::End => return Ok(ExitCode::SUCCESS),
        }
    }
}
