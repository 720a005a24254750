//! Checkpoints of a long labelling: when they are written, where, and for what.

mod cells;
mod format;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use grundy::message::Setting;
use grundy::{Diagnostic, GameGraph, Kind, Limits, Stop, message};
use serde_json::Value;

use super::LabelOptions;
use format::Start;
use grundy_job::Job;
use grundy_job::Progress;
use grundy_job::Reader;
use grundy_job::files::{Files, no_checkpoint_yet};

pub(super) use cells::CellState;
pub use format::difference;

/// After a checkpoint that could not be written the next is tried so much later.
const AGAIN: Duration = Duration::from_secs(10);

/// What a checkpoint holds.
pub(super) trait State {
    /// Writes the file as a whole, or leaves what is there.
    fn write(&self, files: &Files, file: &Path, of: &Value) -> Result<(), Diagnostic>;
}

impl State for GameGraph {
    fn write(&self, files: &Files, file: &Path, of: &Value) -> Result<(), Diagnostic> {
        format::write(files, file, of, self)
    }
}

/// When checkpoints are written, where, and for what.
pub(super) struct Checkpoints<'a> {
    files: &'a Files,
    job: &'a Job,
    file: Option<PathBuf>,
    /// `true` if the file was asked for by name.
    named: bool,
    resume: bool,
    /// What is labelled, so that a checkpoint of something else is not taken for it.
    of: Value,
    every: Duration,
    /// When the last one was written, as the job tells the time.
    last: Duration,
    written: bool,
}

impl<'a> Checkpoints<'a> {
    pub(super) fn new(
        asked: &LabelOptions,
        of: Value,
        reader: &'a Reader,
        job: &'a Job,
    ) -> Result<Self, Diagnostic> {
        let beside = || {
            let output = asked.output.as_ref().or(asked.tablebase.as_ref())?;
            let mut name = OsString::from(output);
            name.push(".checkpoint");
            Some(PathBuf::from(name))
        };
        // Texts that are only held are written once, at the end.
        let on_disk = matches!(reader.files(), Files::Granted);
        let beside = || beside().filter(|_| on_disk);
        let file = asked.checkpoint.clone().or_else(beside);
        if asked.resume && file.is_none() {
            let message = message!(
                "{option} needs to know where the checkpoint is",
                option = Setting::typed("resume")
            );
            let help = message!(
                "give {option}, {other} or {third} as before",
                option = Setting::new("output"),
                other = Setting::typed("tablebase"),
                third = Setting::typed("checkpoint")
            );
            return Err(Diagnostic::new(Kind::Io, message).help(help));
        }
        Ok(Self {
            files: reader.files(),
            job,
            file,
            named: asked.checkpoint.is_some(),
            resume: asked.resume,
            of,
            every: Duration::try_from_secs_f64(asked.every).unwrap_or(Duration::MAX),
            last: job.now(),
            written: false,
        })
    }

    /// Seconds between two.
    pub(super) fn every(&self) -> Duration {
        self.every
    }

    /// Writes one if it is time. If it cannot be written the work goes on without, which is said.
    pub(super) fn write_if_due(&mut self, found: &impl State) {
        if self.file.is_none() || self.job.since(self.last) < self.every {
            return;
        }
        if let Err(diagnostic) = self.write(found) {
            self.job.report(&Progress::Note(message!(
                "warning: {what}: the work goes on without a new checkpoint",
                what = diagnostic.message
            )));
            self.last = self.job.now();
            self.every = self.every.max(AGAIN);
        }
    }

    /// What stopped the work, with how to go on if it can be gone on with.
    pub(super) fn refused(&self, stop: Stop) -> Diagnostic {
        let diagnostic = Diagnostic::from(stop);
        if diagnostic.kind == Kind::Limit && self.written {
            return diagnostic.help(message!(
                "{option} goes on from the checkpoint, with other limits too",
                option = Setting::typed("resume")
            ));
        }
        diagnostic
    }

    /// Writes one.
    fn write(&mut self, found: &impl State) -> Result<(), Diagnostic> {
        if let Some(file) = &self.file {
            let begun = self.job.now();
            found.write(self.files, file, &self.of)?;
            self.written = true;
            // Writing takes a tenth of the time at most.
            self.every = self.every.max(10 * self.job.since(begun));
        }
        self.last = self.job.now();
        Ok(())
    }

    /// Writes one where the work is stopped, if it was asked for or the work has been long.
    pub(super) fn write_at_the_end(&mut self, found: &impl State) -> Result<(), Diagnostic> {
        if self.named || self.written {
            self.write(found)?;
        }
        Ok(())
    }

    /// What the checkpoint holds, when it is to be gone on from and there is one.
    pub(super) fn resumed(
        &mut self,
        start: Option<Start<'_>>,
        limits: &Limits<'_>,
    ) -> Result<Option<GameGraph>, Diagnostic> {
        let Some(file) = self.file_to_resume() else {
            return Ok(None);
        };
        let found = format::read(file, &self.of, start, limits)?;
        self.written = true;
        if found.is_none() {
            self.job.report(&Progress::Note(message!("note: the parts of this game do not say all of it, so the work begins at the beginning")));
        }
        Ok(found)
    }

    /// Returns the same of a labelling by ranks.
    pub(super) fn resumed_cells(
        &mut self,
        limits: &Limits<'_>,
    ) -> Result<Option<CellState>, Diagnostic> {
        let Some(file) = self.file_to_resume() else {
            return Ok(None);
        };
        let found = cells::read(file, &self.of, limits)?;
        self.written = true;
        Ok(Some(found))
    }

    /// Returns the file to go on from, if there is one.
    fn file_to_resume(&self) -> Option<&PathBuf> {
        let file = self.file.as_ref().filter(|_| self.resume)?;
        (!no_checkpoint_yet(file, self.job)).then_some(file)
    }

    /// Removes the checkpoint: the work is done.
    pub(super) fn done(&self) {
        if let (Some(file), true) = (&self.file, self.written) {
            // The work is done even if this fails, and the next checkpoint replaces it.
            let _ = fs::remove_file(file);
        }
    }
}
