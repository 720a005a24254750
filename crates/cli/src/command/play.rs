//! `grundy play`: a game, or practice questions, line by line in the terminal.

use std::io::{self, Write};
use std::process::ExitCode;

use grundy::{Diagnostic, Kind, Play, message};
use grundy_analysis::Opponent;
use grundy_analysis::conversation::{Conversation, FIRST_LEVEL, Game, Lesson, Manner, Next, Seats};
use grundy_analysis::playing::Playing;
use grundy_analysis::question::PERFECT;

use crate::arguments::{Common, PlayArgs};
use crate::asked;
use crate::failure::Failure;
use crate::outside;
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
    let seed = asked::any_seed();
    let manner = Manner {
        language,
        ascii: arguments.ascii,
    };
    if let Some(ask) = arguments.practice {
        let Some(game) = &arguments.source.expression else {
            let missing = Diagnostic::new(Kind::Syntax, message!("no game given"));
            let help =
                message!("name one, such as nim, or a family with its ranges: kayles(n) n=3..12");
            return Err(missing.help(help).into());
        };
        let level = arguments.level.unwrap_or(FIRST_LEVEL);
        let game = (&game[..], &arguments.ranges[..]);
        let (reader, job) = (session.analyst.reader(), &session.job);
        let lesson = Lesson::new(game, ask, play, (level, seed), manner, reader, job)?;
        return converse(lesson);
    }
    // This is checked here and not by clap, so that the error can name the range.
    if let Some(range) = arguments.ranges.first() {
        let message = message!("unexpected range `{range}`", range);
        let help = message!("ranges of variables are used with --practice only");
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
    converse(Game::new(playing, seats, manner).saved_with(arguments.level, rules))
}

/// Runs a conversation on standard input and standard output until it ends.
fn converse(mut conversation: impl Conversation) -> Result<ExitCode, Failure> {
    // Both are locked for the whole conversation, since nothing else reads input or prints answers.
    let (mut input, mut out) = (io::stdin().lock(), outside::coloured());
    loop {
        match conversation.next()? {
            Next::Said(text) => out.write_all(text.as_bytes())?,
            Next::Asked(prompt) => {
                out.write_all(prompt.as_bytes())?;
                // A prompt does not end its line. Hence it would stay in the buffer if it were not
                // flushed.
                out.flush()?;
                match outside::line(&mut input, &conversation.complaint(), &mut out)? {
                    Some(line) => out.write_all(conversation.hear(&line)?.as_bytes())?,
                    None => conversation.hang_up(),
                }
            }
            Next::Over => return Ok(ExitCode::SUCCESS),
        }
    }
}
