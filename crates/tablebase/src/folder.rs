//! The folder of a tablebase: written beside, and moved into place when it is whole.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use grundy_base::{Diagnostic, Kind, message};

use crate::census::Census;
use crate::manifest::{About, Column, ExtraFile, Keys, Manifest, Tally, is_plain};
use crate::ordered::Extras;

fn exists(folder: &Path) -> Diagnostic {
    let message = message!(
        "{folder}: there is something already",
        folder = folder.display()
    );
    Diagnostic::new(Kind::Io, message).help(message!("name another folder, or remove this one"))
}

/// Fails when there is something at the place of a tablebase to be written, unless it is an empty folder.
///
/// # Errors
/// What is there, or what keeps one from looking.
pub fn check_free(folder: &Path) -> Result<(), Diagnostic> {
    match fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => Err(exists(folder)),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Err(exists(folder)),
        Err(error) => Err(Diagnostic::io(folder.display(), &error)),
    }
}

/// The folder that is being written. Dropped before it is finished, it is removed.
pub(crate) struct Folder<'a> {
    target: PathBuf,
    beside: PathBuf,
    about: &'a About,
    ranked: bool,
    finished: Cell<bool>,
}

/// What is known of a tablebase when all its rows are written.
pub(crate) struct Written {
    pub(crate) positions: u64,
    pub(crate) census: Census,
    /// The positions of the hardest.
    pub(crate) hardest: Vec<String>,
    pub(crate) keys: Keys,
    pub(crate) columns: Vec<Column>,
}

impl<'a> Folder<'a> {
    pub(crate) fn new(target: &Path, about: &'a About, ranked: bool) -> Result<Self, Diagnostic> {
        check_free(target)?;
        let mut name = OsString::from(".");
        name.push(target.file_name().unwrap_or_default());
        name.push(format!(".{}.partial", std::process::id()));
        let beside = target.with_file_name(name);
        // One that was left behind by a process of the same number.
        let _ = fs::remove_dir_all(&beside);
        fs::create_dir(&beside).map_err(|error| Diagnostic::io(target.display(), &error))?;
        Ok(Self {
            target: target.to_owned(),
            beside,
            about,
            ranked,
            finished: Cell::new(false),
        })
    }

    /// Where it is written.
    pub(crate) fn path(&self) -> &Path {
        &self.beside
    }

    /// Where it will be: the name that the user knows.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// What the checksums of the blocks of a column go on from.
    pub(crate) fn seed(&self, column: &str) -> u32 {
        self.about.seed(self.ranked, column)
    }

    pub(crate) fn failed(&self, error: &io::Error) -> Diagnostic {
        Diagnostic::io(self.target.display(), error)
    }

    /// Writes the further files and the manifest, and moves the folder into place.
    pub(crate) fn finish(self, written: Written, extras: Extras<'_>) -> Result<(), Diagnostic> {
        let failed = |error| self.failed(&error);
        let mut manifest = Manifest {
            about: self.about.clone(),
            positions: written.positions,
            outcomes: Tally::of(&written.census),
            census: written.census,
            hardest: written.hardest,
            keys: written.keys,
            columns: written.columns,
            files: Vec::new(),
        };
        for extra in extras(&manifest)? {
            assert!(is_plain(&extra.name), "{} is no plain name", extra.name);
            let kept = File::create_new(self.beside.join(&extra.name)).and_then(|mut file| {
                file.write_all(&extra.bytes)?;
                file.sync_all()
            });
            kept.map_err(failed)?;
            manifest.files.push(ExtraFile {
                bytes: extra.bytes.len() as u64,
                sum: crc32fast::hash(&extra.bytes),
                name: extra.name,
            });
        }
        manifest.write(&self.beside).map_err(failed)?;
        sync(&self.beside).map_err(failed)?;
        fs::rename(&self.beside, &self.target).map_err(failed)?;
        self.finished.set(true);
        let parent = self
            .target
            .parent()
            .filter(|path| !path.as_os_str().is_empty());
        sync(parent.unwrap_or(Path::new("."))).map_err(failed)
    }
}

/// Makes sure that the entries of a folder are on the disk; where folders cannot be opened the system sees to that.
fn sync(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

impl Drop for Folder<'_> {
    fn drop(&mut self) {
        if !self.finished.get() {
            // What is half written helps nobody; the first error is the one to tell.
            let _ = fs::remove_dir_all(&self.beside);
        }
    }
}
