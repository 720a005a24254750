//! What is labelled: a graph in a file, or everything that can be reached from a position.

use std::path::Path;
use std::time::{Duration, Instant};

use grundy::graph::Network;
use grundy::{Exploration, Kind, Limits, Position, Stop};
use grundy_notation::Diagnostic;

use super::checkpoint::Checkpoints;
use super::input::{self, Progress};
use crate::arguments::{Label, text};
use crate::command;
use crate::failure::Failure;
use crate::session::Session;

/// Where the graph comes from.
pub(super) enum Source<'a> {
    File(&'a Path),
    Position(Position, &'a str),
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
        let position = command::read(written, session)
            .and_then(command::impartial)
            .map_err(|error| Failure::input(error, written))?;
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
    pub(super) fn network(
        &self,
        arguments: &Label,
        checkpoints: &mut Checkpoints,
        session: &Session,
        progress: &Progress,
    ) -> Result<Network, Failure> {
        let kept = match checkpoints.resumed(&session.limits())? {
            Some(kept) => kept,
            None => match self {
                Self::File(file) => {
                    input::read(file, arguments.format, &session.limits(), progress)?
                }
                Self::Position(position, written) => {
                    let exploration = Exploration::new(position)
                        .map_err(|stop| Failure::input(Diagnostic::stopped(stop), written))?;
                    return explore(exploration, checkpoints, session, progress);
                }
            },
        };
        if let Self::Position(_, written) = self {
            let exploration = Exploration::resume(kept, |name| {
                command::read(name, session).and_then(command::impartial)
            })
            .map_err(|error| Failure::input(error, written))?;
            return explore(exploration, checkpoints, session, progress);
        }
        if checkpoints.due() {
            checkpoints.write(&kept)?;
        }
        Ok(kept)
    }
}

/// A slice of the work is so long.
const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(200);

/// Finds everything that can be reached, in slices: after each one progress is shown and a checkpoint written when it is
/// time.
fn explore(
    mut exploration: Exploration,
    checkpoints: &mut Checkpoints,
    session: &Session,
    progress: &Progress,
) -> Result<Network, Failure> {
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
        let before = exploration.found().graph.vertices();
        let result = exploration.run(&within);
        let found = exploration.found();
        progress.explored(found.graph.vertices(), found.names.len());
        let Err(stop) = result else {
            if checkpoints.due() {
                checkpoints.write(found)?;
            }
            return Ok(exploration.finish());
        };
        let asked = limits.poll().err();
        if stop != Stop::Time || asked.is_some() {
            if stop != Stop::Rules || asked.is_some() {
                checkpoints.write_at_the_end(found)?;
            }
            return Err(refused(stop, checkpoints));
        }
        if checkpoints.due() {
            checkpoints.write(found)?;
        }
        // A position with very many moves takes longer than a slice, and begins again with each.
        slice = if found.graph.vertices() == before {
            slice.saturating_mul(2)
        } else {
            usual
        };
    }
}

fn refused(stop: Stop, checkpoints: &Checkpoints) -> Failure {
    let diagnostic = Diagnostic::stopped(stop);
    if diagnostic.kind == Kind::Limit && checkpoints.written() {
        return diagnostic
            .help("--resume goes on from the checkpoint, with other limits too")
            .into();
    }
    diagnostic.into()
}
