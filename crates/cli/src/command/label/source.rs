//! What is labelled: a graph in a file, or everything that can be reached from a position.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use grundy::{Exploration, Explored, GameGraph, Kind, Limits, Stop, partizan, ties};
use grundy_notation::{Diagnostic, Game};

use super::checkpoint::Checkpoints;
use super::input::{self, Progress};
use crate::arguments::{Label, text};
use crate::command;
use crate::failure::Failure;
use crate::session::Session;

/// Where the graph comes from.
pub(super) enum Source<'a> {
    File(&'a Path),
    Position(Game, &'a str),
}

impl<'a> Source<'a> {
    /// What the argument means: a file, unless there is none and it looks like a call.
    pub(super) fn of(arguments: &'a Label, session: &Session) -> Result<Self, Failure> {
        let file = Path::new(&arguments.source);
        let call = arguments
            .source
            .as_encoded_bytes()
            .iter()
            .any(|&byte| byte == b'(' || byte == b'\n');
        if arguments.format.is_some() || !call || file.exists() {
            return Ok(Self::File(file));
        }
        let written = text(&arguments.source)?;
        let position =
            command::read(written, session).map_err(|error| Failure::input(error, written))?;
        Ok(Self::Position(position, written))
    }

    /// What it is called.
    pub(super) fn text(&self) -> String {
        match self {
            Self::File(file) => file.display().to_string(),
            Self::Position(position, _) => position.to_string(),
        }
    }

    /// The whole graph.
    pub(super) fn graph(
        &self,
        arguments: &Label,
        checkpoints: &mut Checkpoints,
        session: &Session,
        progress: &Progress,
    ) -> Result<GameGraph, Failure> {
        let kept = checkpoints.resumed(&session.limits())?;
        let (game, written) = match self {
            Self::Position(game, written) => (game, *written),
            Self::File(file) => {
                let network = match kept {
                    Some(kept) => kept,
                    None => {
                        input::read(file, arguments.format, &session.limits(), progress)?.into()
                    }
                };
                checkpoints.write_if_due(&network);
                return Ok(network);
            }
        };
        let mut way = Way {
            kept,
            written,
            checkpoints,
            session,
            progress,
        };
        match game {
            Game::Impartial(position) => way.explore(position, command::impartial),
            Game::Partizan(position) => way.explore(position, partizan),
            Game::Ties(position) => way.explore(position, ties),
        }
    }
}

fn partizan(game: Game) -> Result<partizan::Position, Diagnostic> {
    match game {
        Game::Partizan(position) => Ok(position),
        // What is left of a partizan game may be impartial.
        Game::Impartial(position) => Ok(position.into()),
        Game::Ties(_) => Err(other_kind()),
    }
}

fn ties(game: Game) -> Result<Arc<dyn ties::AnyPosition>, Diagnostic> {
    match game {
        Game::Ties(position) => Ok(position),
        _ => Err(other_kind()),
    }
}

fn other_kind() -> Diagnostic {
    Diagnostic::new(
        Kind::Io,
        "a position of the checkpoint is of another kind of game",
    )
}

/// What exploring needs beside a position.
struct Way<'a> {
    kept: Option<GameGraph>,
    written: &'a str,
    checkpoints: &'a mut Checkpoints,
    session: &'a Session,
    progress: &'a Progress,
}

impl Way<'_> {
    /// Finds everything that can be reached. `kind` takes positions of this kind out of games of any.
    fn explore<P: Explored>(
        &mut self,
        position: &P,
        kind: impl Fn(Game) -> Result<P, Diagnostic>,
    ) -> Result<GameGraph, Failure> {
        let exploration = match self.kept.take() {
            None => Exploration::new(position),
            Some(kept) => {
                let read = |name: &str| command::read(name, self.session).and_then(&kind);
                Exploration::resume(kept, read)
                    .map_err(|error| Failure::input(error, self.written))?
            }
        };
        explore(exploration, self.checkpoints, self.session, self.progress)
    }
}

/// A slice of the work is so long.
const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(200);

/// Finds everything that can be reached, in slices: after each one progress is shown and a checkpoint written when it is
/// time.
fn explore<P: Explored>(
    mut exploration: Exploration<P>,
    checkpoints: &mut Checkpoints,
    session: &Session,
    progress: &Progress,
) -> Result<GameGraph, Failure> {
    let limits = session.limits();
    let usual = checkpoints.every().clamp(SHORTEST, LONGEST);
    let mut slice = usual;
    loop {
        let end = Instant::now() + slice;
        let pause = || {
            let stop = (limits.interrupted)();
            stop.or_else(|| (Instant::now() >= end).then_some(Stop::Time))
        };
        let within = Limits {
            interrupted: &pause,
            ..limits
        };
        let before = exploration.found().positions();
        let result = exploration.run(&within);
        let found = exploration.found();
        progress.explored(found.positions(), found.names.len());
        let Err(stop) = result else {
            checkpoints.write_if_due(found);
            return Ok(exploration.finish());
        };
        let asked = limits.poll().err();
        if stop != Stop::Time || asked.is_some() {
            if stop != Stop::Rules || asked.is_some() {
                checkpoints.write_at_the_end(found)?;
            }
            return Err(checkpoints.refused(stop));
        }
        checkpoints.write_if_due(found);
        // A position with very many moves takes longer than a slice, and begins again with each.
        slice = if found.positions() == before {
            slice.saturating_mul(2)
        } else {
            usual
        };
    }
}
