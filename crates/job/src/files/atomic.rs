//! Atomic writes. A file is written under a hidden name and then renamed, so that no other process
//! sees an incomplete file.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use grundy_base::files::{PartialFolder, Replacement};
use grundy_core::{Diagnostic, message};

use super::{Files, failed};
use crate::job::Job;
use crate::progress::Progress;

/// Size limit in bytes of a text in memory.
const MAX_TEXT_BYTES: usize = 64 << 20;

/// The destination of a write: a file on disk, or a text in memory that is returned with the
/// response.
#[derive(Debug)]
pub enum Output {
    /// A file on disk.
    Disk(Replacement),
    /// A text in memory.
    Memory(Vec<u8>),
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Disk(file) => file.write(bytes),
            // The length is at most `MAX_TEXT_BYTES`, so the difference cannot underflow.
            Self::Memory(text) if bytes.len() > MAX_TEXT_BYTES - text.len() => {
                Err(io::ErrorKind::FileTooLarge.into())
            }
            Self::Memory(text) => text.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Disk(file) => file.flush(),
            Self::Memory(_) => Ok(()),
        }
    }
}

/// Writes a file atomically. `contents` writes its content.
///
/// # Errors
/// A missing permission, or a file that cannot be written.
pub fn write(
    files: &Files,
    file: &Path,
    contents: impl FnOnce(&mut Output) -> io::Result<()>,
) -> Result<(), Diagnostic> {
    let failed = |error: io::Error| failed(file, &error);
    if let Files::Memory(memory) = files {
        let mut out = Output::Memory(Vec::new());
        // If there is an error, nothing is stored, as on disk.
        contents(&mut out).map_err(failed)?;
        if let Output::Memory(bytes) = out {
            memory.put(file, bytes);
        }
        return Ok(());
    }
    files.on_disk(file)?;
    let mut out = Output::Disk(Replacement::create(file).map_err(failed)?);
    contents(&mut out).map_err(failed)?;
    match out {
        Output::Disk(replacement) => replacement.commit().map_err(failed),
        Output::Memory(_) => Ok(()),
    }
}

/// Creates a folder atomically. `contents` fills a hidden folder, which is then renamed.
///
/// # Errors
/// A folder that cannot be written, or an error of `contents`.
pub fn write_folder(
    folder: &Path,
    contents: impl FnOnce(&Path) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    let failed = |error: io::Error| failed(folder, &error);
    let partial = PartialFolder::create(folder).map_err(failed)?;
    contents(partial.path())?;
    partial.commit().map_err(failed)
}

/// Creates a folder if it does not exist.
///
/// # Errors
/// A missing permission, or a folder that cannot be created.
pub fn make_folder(files: &Files, folder: &Path) -> Result<(), Diagnostic> {
    // There are no folders for texts in memory.
    if matches!(files, Files::Memory(_)) {
        return Ok(());
    }
    files.on_disk(folder)?;
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))
}

/// Returns whether the checkpoint file to resume from is missing. If it is missing, reports a note
/// to the user. The file is missing if the earlier run stopped before its first checkpoint. The new
/// run then starts from the beginning.
#[must_use]
pub fn no_checkpoint_yet(file: &Path, job: &Job) -> bool {
    // If the check fails, the file is not regarded as missing. Opening the checkpoint will report
    // the error.
    let missing = matches!(file.try_exists(), Ok(false));
    if missing {
        job.report(&Progress::Note(message!(
            "note: {file}: no checkpoint yet; starting from the beginning",
            file = file.display()
        )));
    }
    missing
}
