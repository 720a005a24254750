//! The source of a labelling: a graph in a file, or the positions that can be reached from a start
//! position.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use grundy_core::ruleset::Nature;
use grundy_core::{
    Diagnostic, Exploration, GameGraph, Kind, Limits, Message, Position, RankedGame, Stop, message,
};

use super::checkpoint::Checkpoints;
use serde_json::{Value, json};

use super::LabelOptions;
use grundy_job::Job;
use grundy_job::Progress;
use grundy_job::Reader;
use grundy_job::graph_file;

/// The source of the positions to label.
#[derive(Debug)]
pub enum Source<'a> {
    /// A graph in a file, in a folder, or on standard input.
    File(&'a Path),
    /// A start position.
    Position(Position),
}

impl<'a> Source<'a> {
    /// Determines the kind of the source. It is a position if its text contains `(` or a line break
    /// and no graph format is given. But if a file has this text as its name, the source is that
    /// file.
    pub(super) fn of(options: &'a LabelOptions, reader: &Reader) -> Result<Self, Diagnostic> {
        let file = Path::new(&options.source);
        let call = options
            .source
            .as_encoded_bytes()
            .iter()
            .any(|&byte| byte == b'(' || byte == b'\n');
        // An explicit format or an existing file has precedence, so that names of files may contain
        // parentheses.
        if options.format.is_some() || !call || reader.files().has(file) {
            return Ok(Self::File(file));
        }
        let written = options.source.to_str().ok_or_else(|| {
            Diagnostic::new(Kind::Encoding, message!("the expression is not UTF-8"))
        })?;
        Ok(Self::Position(reader.read(written)?))
    }

    /// Returns the kind of game. A graph in a file is impartial.
    pub(super) fn nature(&self) -> Nature {
        match self {
            Self::File(_) => Nature::IMPARTIAL,
            Self::Position(position) => position.nature(),
        }
    }

    /// Returns the source as text, for messages.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::File(file) => file.display().to_string(),
            Self::Position(position) => position.to_string(),
        }
    }

    /// Returns the identity of the labelling: its source, and the options that a checkpoint depends
    /// on. A checkpoint with another identity is rejected.
    pub(super) fn identity(&self, options: &LabelOptions, reader: &Reader) -> Value {
        // A checkpoint by rank contains labels, which depend on the kind of play. A checkpoint of a
        // graph has no labels, so it can be used for both kinds.
        let ranked = options.by_ranks;
        let ranked = ranked.map(|ranked| json!([options.play.to_string(), ranked.values]));
        match self {
            Self::Position(position) => json!({
                "position": position.to_string(),
                "rules": reader.rules().map(|rules| crc32fast::hash(rules.source().as_bytes())),
                "ranked": ranked,
            }),
            Self::File(file) => {
                // The size and the modification time represent the content, which may be too large
                // to be read in every run.
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

    /// Builds the whole graph, by exploring the positions or by reading the files. Returns the
    /// graph, and remarks about how the files were read.
    pub(super) fn graph(
        &self,
        options: &LabelOptions,
        ranked: Option<&Arc<dyn RankedGame>>,
        checkpoints: &mut Checkpoints<'_>,
        reader: &Reader,
        job: &Job,
    ) -> Result<(GameGraph, Vec<Message>), Diagnostic> {
        let limits = job.limits();
        let position = match self {
            Self::Position(position) => position,
            Self::File(file) => {
                let (network, notes) = if let Some(restored) = checkpoints.restore(None, &limits)? {
                    (restored, Vec::new())
                } else {
                    let format = options.format;
                    let read = graph_file::read(file, format, &limits, reader.files(), job)?;
                    (read.0.into(), read.1)
                };
                // The graph from a file is complete now. The only use of a checkpoint is that the
                // file need not be parsed again.
                checkpoints.write_if_due(&network);
                return Ok((network, notes));
            }
        };
        if let Some(game) = ranked {
            let exploration = match checkpoints.restore(None, &limits)? {
                None => Exploration::ranked(game, &limits)?,
                Some(restored) => Exploration::resume_ranked(game, restored),
            };
            return explore(exploration, checkpoints, job).map(|graph| (graph, Vec::new()));
        }
        let read = |text: &str, turns: u32| reader.read_part(text, turns);
        let exploration = match checkpoints.restore(Some((position, &read)), &limits)? {
            None => Exploration::new(position),
            Some(restored) => Exploration::resume(restored),
        };
        explore(exploration, checkpoints, job).map(|graph| (graph, Vec::new()))
    }
}

/// The shortest slice of time between two reports of progress, even if the checkpoint interval is
/// shorter.
const MIN_SLICE: Duration = Duration::from_millis(1);
/// The longest slice of time between two reports of progress.
const MAX_SLICE: Duration = Duration::from_millis(200);

/// Explores all positions that can be reached, in slices of time. After each slice it reports
/// progress and writes a checkpoint if one is due.
fn explore(
    mut exploration: Exploration,
    checkpoints: &mut Checkpoints<'_>,
    job: &Job,
) -> Result<GameGraph, Diagnostic> {
    let limits = job.limits();
    let usual = checkpoints.every().clamp(MIN_SLICE, MAX_SLICE);
    let mut slice = usual;
    loop {
        let end = job.now() + slice;
        // The end of a slice is reported as a time limit. So the exploration need not be aware of
        // slices.
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
            visited: found.positions().into(),
            found: found.index.len() as u64,
        });
        let Err(stop) = result else {
            checkpoints.write_if_due(found);
            return Ok(exploration.finish());
        };
        let job_stop = limits.poll().err();
        if stop != Stop::Time || job_stop.is_some() {
            // If the rules failed, they would fail again at the same position, so a checkpoint
            // would be useless.
            if !matches!(stop, Stop::Rules(_)) || job_stop.is_some() {
                checkpoints.write_on_stop(found)?;
            }
            // If the job itself has a reason to stop, it replaces the `Time` that ended the slice.
            let why = if stop == Stop::Time { job_stop } else { None };
            return Err(checkpoints.stopped(why.unwrap_or(stop)));
        }
        checkpoints.write_if_due(found);
        // A position is expanded as a whole, and again from the start in the next slice. A position
        // with very many moves might never be finished, so the slice is doubled until it is.
        slice = if found.positions() == before {
            slice.saturating_mul(2)
        } else {
            usual
        };
    }
}
