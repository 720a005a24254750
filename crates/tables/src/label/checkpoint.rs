//! Checkpoints of a long labelling.

mod cells;
mod format;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use grundy_core::message::Setting;
use grundy_core::{Diagnostic, GameGraph, Kind, Limits, Stop, message};
use serde_json::Value;

use super::LabelOptions;
use format::Start;
use grundy_job::Job;
use grundy_job::Progress;
use grundy_job::Reader;
use grundy_job::files::{Files, no_checkpoint_yet};

pub(super) use cells::CellState;
pub use format::difference;

/// The least delay before the next attempt if a checkpoint could not be written.
const RETRY_DELAY: Duration = Duration::from_secs(10);

/// The state of a labelling that a checkpoint stores.
pub(super) trait State {
    /// Writes the state to a file atomically. If this fails, the previous checkpoint is intact.
    fn write(&self, files: &Files, file: &Path, identity: &Value) -> Result<(), Diagnostic>;
}

impl State for GameGraph {
    fn write(&self, files: &Files, file: &Path, identity: &Value) -> Result<(), Diagnostic> {
        format::write(files, file, identity, self)
    }
}

/// The checkpoints of a labelling: their file, the interval between them, and the identity of the
/// labelling, which each checkpoint contains.
pub(super) struct Checkpoints<'a> {
    files: &'a Files,
    job: &'a Job,
    file: Option<PathBuf>,
    /// `true` if the user specified the file.
    named: bool,
    resume: bool,
    /// The identity of the labelling: its source, and the options that the checkpoint depends on. A
    /// checkpoint with another identity is rejected.
    identity: Value,
    every: Duration,
    /// The time of the last checkpoint on the clock of the job.
    last: Duration,
    has_checkpoint: bool,
}

impl<'a> Checkpoints<'a> {
    pub(super) fn new(
        options: &LabelOptions,
        identity: Value,
        reader: &'a Reader,
        job: &'a Job,
    ) -> Result<Self, Diagnostic> {
        let default_file = || {
            let output = options.output.as_ref().or(options.tablebase.as_ref())?;
            let mut name = OsString::from(output);
            name.push(".checkpoint");
            Some(PathBuf::from(name))
        };
        // Files in memory are written once, at the end of the request. A checkpoint in memory could
        // not be read again.
        let on_disk = matches!(reader.files(), Files::Granted);
        let default_file = || default_file().filter(|_| on_disk);
        let file = options.checkpoint.clone().or_else(default_file);
        if options.resume && file.is_none() {
            let message = message!(
                "{option} requires the location of the checkpoint",
                option = Setting::command_line("resume")
            );
            let help = message!(
                "give {option}, {other} and {third} the values that they had when the checkpoint was written",
                option = Setting::new("output"),
                other = Setting::command_line("tablebase"),
                third = Setting::command_line("checkpoint")
            );
            return Err(Diagnostic::new(Kind::Io, message).help(help));
        }
        Ok(Self {
            files: reader.files(),
            job,
            file,
            named: options.checkpoint.is_some(),
            resume: options.resume,
            identity,
            // An interval that is too long for a `Duration` means that no checkpoint is due.
            every: Duration::try_from_secs_f64(options.every).unwrap_or(Duration::MAX),
            last: job.now(),
            has_checkpoint: false,
        })
    }

    /// Returns the interval between checkpoints.
    pub(super) fn every(&self) -> Duration {
        self.every
    }

    /// Writes a checkpoint if the interval has passed. A failure is reported as a note, and the
    /// labelling continues.
    pub(super) fn write_if_due(&mut self, found: &impl State) {
        if self.file.is_none() || self.job.since(self.last) < self.every {
            return;
        }
        if let Err(diagnostic) = self.write(found) {
            self.job.report(&Progress::Note(message!(
                "warning: {what}: continuing without a new checkpoint",
                what = diagnostic.message
            )));
            // The next attempt is delayed, since a full disk would otherwise cause a note in every
            // slice.
            self.last = self.job.now();
            self.every = self.every.max(RETRY_DELAY);
        }
    }

    /// Returns the diagnostic for a labelling that was stopped. If a limit was reached and a
    /// checkpoint exists, the diagnostic explains how to resume.
    pub(super) fn stopped(&self, stop: Stop) -> Diagnostic {
        let diagnostic = Diagnostic::from(stop);
        if diagnostic.kind == Kind::Limit && self.has_checkpoint {
            return diagnostic.help(message!(
                "use {option} to continue from the checkpoint; the new run may have higher limits",
                option = Setting::command_line("resume")
            ));
        }
        diagnostic
    }

    /// Writes a checkpoint.
    fn write(&mut self, found: &impl State) -> Result<(), Diagnostic> {
        if let Some(file) = &self.file {
            let begun = self.job.now();
            found.write(self.files, file, &self.identity)?;
            self.has_checkpoint = true;
            // Checkpoints take at most a tenth of the time. Without this limit they would take more
            // and more of it, because their size grows with the work done.
            self.every = self.every.max(10 * self.job.since(begun));
        }
        self.last = self.job.now();
        Ok(())
    }

    /// Writes a checkpoint when the labelling is stopped, if the user specified the file or a
    /// checkpoint has been written before.
    pub(super) fn write_on_stop(&mut self, found: &impl State) -> Result<(), Diagnostic> {
        // A short run without a specified file writes no checkpoint, since repeating the run is
        // cheaper than resuming it.
        if self.named || self.has_checkpoint {
            self.write(found)?;
        }
        Ok(())
    }

    /// Reads the checkpoint, if this run resumes and a checkpoint exists.
    pub(super) fn restore(
        &mut self,
        start: Option<Start<'_>>,
        limits: &Limits<'_>,
    ) -> Result<Option<GameGraph>, Diagnostic> {
        let Some(file) = self.file_to_resume() else {
            return Ok(None);
        };
        let found = format::read(file, &self.identity, start, limits)?;
        self.has_checkpoint = true;
        // A component of a position could not be parsed from its text, so the exploration starts
        // again.
        if found.is_none() {
            self.job.report(&Progress::Note(message!("note: the positions of this game cannot be restored from a checkpoint; starting from the beginning")));
        }
        Ok(found)
    }

    /// Reads the checkpoint of a labelling by rank, if this run resumes and a checkpoint exists.
    pub(super) fn restore_cells(
        &mut self,
        limits: &Limits<'_>,
    ) -> Result<Option<CellState>, Diagnostic> {
        let Some(file) = self.file_to_resume() else {
            return Ok(None);
        };
        let found = cells::read(file, &self.identity, limits)?;
        self.has_checkpoint = true;
        Ok(Some(found))
    }

    /// Returns the file to resume from, if this run resumes and the file exists.
    fn file_to_resume(&self) -> Option<&PathBuf> {
        let file = self.file.as_ref().filter(|_| self.resume)?;
        (!no_checkpoint_yet(file, self.job)).then_some(file)
    }

    /// Removes the checkpoint after the labelling is complete.
    pub(super) fn remove(&self) {
        if let (Some(file), true) = (&self.file, self.has_checkpoint) {
            // An error is ignored: the labelling is complete, and the next checkpoint replaces the
            // file.
            let _ = fs::remove_file(file);
        }
    }
}
