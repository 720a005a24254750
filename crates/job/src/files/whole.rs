//! Files written as a whole: beside first and then moved into place, so that no half of one is ever
//! there.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use grundy::{Diagnostic, message};
use grundy_base::files::{PartialFolder, Replacement};

use super::{Files, failed};
use crate::job::Job;
use crate::progress::Progress;

/// Most bytes of a text that is held in memory.
const HELD: usize = 64 << 20;

/// What is written: a file on a disk, or a text that comes back with the answer.
#[derive(Debug)]
pub enum Output {
    /// A file on a disk.
    Disk(Replacement),
    /// A text held in memory.
    Held(Vec<u8>),
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Disk(file) => file.write(bytes),
            Self::Held(held) if bytes.len() > HELD - held.len() => {
                Err(io::ErrorKind::FileTooLarge.into())
            }
            Self::Held(held) => held.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Disk(file) => file.flush(),
            Self::Held(_) => Ok(()),
        }
    }
}

/// Writes a file.
///
/// # Errors
/// No permission, or a file that cannot be written.
pub fn write(
    files: &Files,
    file: &Path,
    contents: impl FnOnce(&mut Output) -> io::Result<()>,
) -> Result<(), Diagnostic> {
    let failed = |error: io::Error| failed(file, &error);
    if let Files::Held(shelf) = files {
        let mut out = Output::Held(Vec::new());
        contents(&mut out).map_err(failed)?;
        if let Output::Held(bytes) = out {
            shelf.put(file, bytes);
        }
        return Ok(());
    }
    files.on_disk(file)?;
    let mut out = Output::Disk(Replacement::create(file).map_err(failed)?);
    contents(&mut out).map_err(failed)?;
    match out {
        Output::Disk(replacement) => replacement.commit().map_err(failed),
        Output::Held(_) => Ok(()),
    }
}

/// Writes a folder as a whole, where there is none: `contents` fills the one that is moved into its
/// place.
///
/// # Errors
/// A folder that cannot be written, and the errors of `contents`.
pub fn whole_folder(
    folder: &Path,
    contents: impl FnOnce(&Path) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    let failed = |error: io::Error| failed(folder, &error);
    let beside = PartialFolder::create(folder).map_err(failed)?;
    contents(beside.path())?;
    beside.commit().map_err(failed)
}

/// Makes a folder where there is none.
///
/// # Errors
/// No permission, or a file that cannot be written.
pub fn make_folder(files: &Files, folder: &Path) -> Result<(), Diagnostic> {
    if matches!(files, Files::Held(_)) {
        return Ok(());
    }
    files.on_disk(folder)?;
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))
}

/// Returns whether a checkpoint that is to be gone on from is missing, which is said: then the work
/// was stopped before there was one, and the same command begins it again.
#[must_use]
pub fn no_checkpoint_yet(file: &Path, job: &Job) -> bool {
    let missing = matches!(file.try_exists(), Ok(false));
    if missing {
        job.report(&Progress::Note(message!(
            "note: {file}: there is no checkpoint yet, so the work begins at the beginning",
            file = file.display()
        )));
    }
    missing
}
