//! What is labelled: a graph in a file, or everything that can be reached from a position.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use grundy::{
    Diagnostic, Exploration, GameGraph, Kind, Limits, Position, RankedGame, Stop, message,
};

use super::checkpoint::Checkpoints;
use serde_json::{Value, json};

use super::LabelOptions;
use grundy_job::Job;
use grundy_job::Progress;
use grundy_job::Reader;
use grundy_job::graph_file;

/// Where the graph comes from.
#[derive(Debug)]
pub enum Source<'a> {
    /// A graph in a file or a folder, or standard input.
    File(&'a Path),
    /// A position.
    Position(Position),
}

impl<'a> Source<'a> {
    /// What the argument means: a file, unless there is none and it looks like a call.
    pub(super) fn of(asked: &'a LabelOptions, reader: &Reader) -> Result<Self, Diagnostic> {
        let file = Path::new(&asked.source);
        let call = asked
            .source
            .as_encoded_bytes()
            .iter()
            .any(|&byte| byte == b'(' || byte == b'\n');
        if asked.format.is_some() || !call || reader.files().has(file) {
            return Ok(Self::File(file));
        }
        let written = asked.source.to_str().ok_or_else(|| {
            Diagnostic::new(Kind::Encoding, message!("the expression is not UTF-8"))
        })?;
        Ok(Self::Position(reader.read(written)?))
    }

    /// What it is called.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::File(file) => file.display().to_string(),
            Self::Position(position) => position.to_string(),
        }
    }

    /// What is labelled, and by which rules: a checkpoint of something else is not taken for it.
    pub(super) fn identity(&self, asked: &LabelOptions, reader: &Reader) -> Value {
        // A table by ranks holds labels already, and these are of one kind of play.
        let ranked = asked.by_ranks;
        let ranked = ranked.map(|ranked| json!([asked.play.to_string(), ranked.values]));
        match self {
            Self::Position(position) => json!({
                "position": position.to_string(),
                "rules": reader.rules().map(|rules| crc32fast::hash(rules.source().as_bytes())),
                "ranked": ranked,
            }),
            Self::File(file) => {
                let data = fs::metadata(file).ok();
                let changed = data.as_ref().and_then(|data| data.modified().ok());
                let changed = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
                json!({
                    "file": file.display().to_string(),
                    "bytes": data.map(|data| data.len()),
                    "changed": changed.map(|time| time.as_nanos().to_string()),
                })
            }
        }
    }

    /// Returns the whole graph.
    pub(super) fn graph(
        &self,
        asked: &LabelOptions,
        ranked: Option<&Arc<dyn RankedGame>>,
        checkpoints: &mut Checkpoints<'_>,
        reader: &Reader,
        job: &Job,
    ) -> Result<GameGraph, Diagnostic> {
        let limits = job.limits();
        let position = match self {
            Self::Position(position) => position,
            Self::File(file) => {
                let network = match checkpoints.resumed(None, &limits)? {
                    Some(kept) => kept,
                    None => {
                        graph_file::read(file, asked.format, &limits, reader.files(), job)?.into()
                    }
                };
                checkpoints.write_if_due(&network);
                return Ok(network);
            }
        };
        if let Some(game) = ranked {
            let exploration = match checkpoints.resumed(None, &limits)? {
                None => Exploration::ranked(game, &limits)?,
                Some(kept) => Exploration::resume_ranked(game, kept),
            };
            return explore(exploration, checkpoints, job);
        }
        let read = |text: &str, turns: u32| reader.read_part(text, turns);
        let exploration = match checkpoints.resumed(Some((position, &read)), &limits)? {
            None => Exploration::new(position),
            Some(kept) => Exploration::resume(kept),
        };
        explore(exploration, checkpoints, job)
    }
}

/// A slice of the work is so long.
const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(200);

/// Finds everything that can be reached, in slices: after each one progress is shown and a
/// checkpoint written when it is time.
fn explore(
    mut exploration: Exploration,
    checkpoints: &mut Checkpoints<'_>,
    job: &Job,
) -> Result<GameGraph, Diagnostic> {
    let limits = job.limits();
    let usual = checkpoints.every().clamp(SHORTEST, LONGEST);
    let mut slice = usual;
    loop {
        let end = job.now() + slice;
        let pause = || {
            let stop = (limits.interrupted)();
            stop.or_else(|| (job.now() >= end).then_some(Stop::Time))
        };
        let within = Limits {
            interrupted: &pause,
            ..limits
        };
        let before = exploration.found().positions();
        let result = exploration.run(&within);
        let found = exploration.found();
        job.report(&Progress::Exploring {
            looked_at: found.positions().into(),
            found: found.met.len() as u64,
        });
        let Err(stop) = result else {
            checkpoints.write_if_due(found);
            return Ok(exploration.finish());
        };
        let asked = limits.poll().err();
        if stop != Stop::Time || asked.is_some() {
            if !matches!(stop, Stop::Rules(_)) || asked.is_some() {
                checkpoints.write_at_the_end(found)?;
            }
            // The end of a slice is no reason where the job itself is to end.
            let why = if stop == Stop::Time { asked } else { None };
            return Err(checkpoints.refused(why.unwrap_or(stop)));
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
