//! Files written as a whole: beside first and then moved into place, so that no half of one is ever there.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use grundy::{Diagnostic, message};

use super::{Files, failed};
use crate::job::Job;
use crate::progress::Progress;

/// Most bytes of a text that is held in memory.
const HELD: usize = 64 << 20;

/// What is written: a file on a disk, or a text that comes back with the answer.
pub(crate) enum Output {
    Disk(BufWriter<File>),
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

impl Output {
    /// What is moved into place is on the disk, so that no loss of power leaves an empty file there.
    fn settle(&self) -> io::Result<()> {
        match self {
            Self::Disk(file) => file.get_ref().sync_all(),
            Self::Held(_) => Ok(()),
        }
    }
}

/// Writes a file.
pub(crate) fn write(
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
    let beside = partial(file);
    let file_beside = File::create(&beside).map_err(failed)?;
    let mut out = Output::Disk(BufWriter::new(file_beside));
    let written = contents(&mut out).and_then(|()| out.flush());
    let written = written.and_then(|()| out.settle());
    let written = written.and_then(|()| fs::rename(&beside, file));
    drop(out);
    if written.is_ok() {
        remove_leftovers(file);
    }
    if written.is_err() {
        // What is half written helps nobody; if it cannot be removed, the first error is still the one to tell.
        let _ = fs::remove_file(&beside);
    }
    written.map_err(failed)
}

/// The hidden file beside another whose name goes on with `ending`.
pub(crate) fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(file.file_name().unwrap_or_default());
    name.push(ending);
    file.with_file_name(name)
}

/// Where it is written before it is whole.
fn partial(file: &Path) -> PathBuf {
    beside(file, &format!(".{}.partial", std::process::id()))
}

/// Writes a folder as a whole, where there is none: `contents` fills the one that is moved into its place.
#[cfg(feature = "parquet")]
pub(crate) fn whole_folder(
    folder: &Path,
    contents: impl FnOnce(&Path) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    let failed = |error: io::Error| failed(folder, &error);
    let beside = partial(folder);
    // One that was left behind by a process of the same number.
    let _ = fs::remove_dir_all(&beside);
    fs::create_dir(&beside).map_err(failed)?;
    let written = contents(&beside).and_then(|()| fs::rename(&beside, folder).map_err(failed));
    if written.is_err() {
        let _ = fs::remove_dir_all(&beside);
    }
    written
}

/// Makes a folder where there is none.
pub(crate) fn make_folder(files: &Files, folder: &Path) -> Result<(), Diagnostic> {
    if matches!(files, Files::Held(_)) {
        return Ok(());
    }
    files.on_disk(folder)?;
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))
}

/// Removes what processes that were killed have left half written of this file. Where it cannot be seen which processes
/// run, it stays.
fn remove_leftovers(file: &Path) {
    let running = Path::new("/proc");
    let folder = file.parent().filter(|path| !path.as_os_str().is_empty());
    let (Some(name), Ok(entries)) = (
        file.file_name().and_then(|name| name.to_str()),
        fs::read_dir(folder.unwrap_or(Path::new("."))),
    ) else {
        return;
    };
    if !running.join("self").exists() {
        return;
    }
    for entry in entries.flatten() {
        let leftover = entry.file_name();
        let process = leftover
            .to_str()
            .and_then(|text| {
                text.strip_prefix('.')?
                    .strip_prefix(name)?
                    .strip_prefix('.')
            })
            .and_then(|text| text.strip_suffix(".partial")?.parse::<u32>().ok());
        if process.is_some_and(|process| !running.join(process.to_string()).exists()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a checkpoint that is to be gone on from is missing, which is said: then the work was stopped before there was one, and
/// the same command begins it again.
pub(crate) fn no_checkpoint_yet(file: &Path, job: &Job) -> bool {
    let missing = matches!(file.try_exists(), Ok(false));
    if missing {
        job.report(&Progress::Note(message!(
            "note: {file}: there is no checkpoint yet, so the work begins at the beginning",
            file = file.display()
        )));
    }
    missing
}
