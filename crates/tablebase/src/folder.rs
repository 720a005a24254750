//! The folder of a tablebase, which is written under a hidden name and renamed when it is complete.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use grundy_base::files::{PartialFolder, commit_folder, hidden_sibling};
use grundy_base::{Diagnostic, Kind, message};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::census::Census;
use crate::manifest::{About, Column, ExtraFile, Extras, Kept, Keys, Manifest, Tally, is_plain};
use crate::marks::MarkFile;
use crate::pauses::Pauses;

/// The file with the state of the last checkpoint. A complete folder does not contain it.
const MARK: &str = "mark.json";

fn exists(folder: &Path) -> Diagnostic {
    let message = message!(
        "{folder}: there is something already",
        folder = folder.display()
    );
    Diagnostic::new(Kind::Io, message).help(message!("name another folder, or remove this one"))
}

/// Checks that a tablebase can be written at `folder`: nothing is there, or an empty folder.
///
/// # Errors
/// An existing file or folder, and a path that cannot be read.
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

/// A folder that is being written. If it is dropped unfinished, it is removed, unless a later run
/// can resume it.
pub(crate) struct Folder<'a> {
    target: PathBuf,
    beside: PathBuf,
    /// The guard that removes the folder on drop. `None` if a later run may resume the folder.
    partial: Option<PartialFolder>,
    about: &'a About,
    kept: Kept,
    /// `true` if the folder is kept on drop.
    stays: Cell<bool>,
}

/// The identity of a table, which a checkpoint must share.
#[derive(PartialEq, Serialize, Deserialize)]
struct Identity {
    of: About,
    kept: Kept,
}

/// The properties of a tablebase that are known when all rows are written.
pub(crate) struct Written {
    pub(crate) positions: u64,
    pub(crate) census: Census,
    /// The names of the hardest positions.
    pub(crate) hardest: Vec<String>,
    pub(crate) keys: Keys,
    pub(crate) columns: Vec<Column>,
}

impl<'a> Folder<'a> {
    /// Creates a folder, or opens the one of an earlier run. Returns the state to resume from.
    pub(crate) fn new<M: Default + DeserializeOwned>(
        target: &Path,
        about: &'a About,
        kept: Kept,
        pauses: Option<&Pauses>,
    ) -> Result<(Self, M), Diagnostic> {
        check_free(target)?;
        let failed = |error| Diagnostic::io(target.display(), &error);
        let partial = match pauses {
            None => Some(PartialFolder::create(target).map_err(failed)?),
            Some(_) => None,
        };
        let beside = match &partial {
            Some(partial) => partial.path().to_owned(),
            // A fixed name without the process number, so that a later run finds the folder.
            None => hidden_sibling(target, ".cut.partial"),
        };
        let new = Self {
            target: target.to_owned(),
            beside,
            partial,
            about,
            kept,
            stays: Cell::new(false),
        };
        if let Some(mark) = pauses
            .filter(|pauses| pauses.goes_on())
            .and_then(|_| new.mark())
        {
            // What an earlier run has synced must survive another failure of this run.
            new.stays.set(true);
            return Ok((new, mark));
        }
        if new.partial.is_none() {
            // A leftover of a run that is not resumed.
            let _ = fs::remove_dir_all(&new.beside);
            fs::create_dir(&new.beside).map_err(failed)?;
        }
        Ok((new, M::default()))
    }

    /// Returns the state at the last checkpoint, if it is a checkpoint of the same table.
    fn mark<M: DeserializeOwned>(&self) -> Option<M> {
        self.mark_file().read(&self.identity())
    }

    fn mark_file(&self) -> MarkFile {
        MarkFile::inside(&self.beside, MARK)
    }

    fn identity(&self) -> Identity {
        Identity {
            of: self.about.clone(),
            kept: self.kept,
        }
    }

    /// Records a checkpoint. All files that it refers to must already be synced.
    pub(crate) fn put_mark(&self, mark: &impl Serialize) -> Result<(), Diagnostic> {
        let written = self.mark_file().write(&self.identity(), mark);
        written.map_err(|error| self.failed(&error))?;
        self.stays.set(true);
        Ok(())
    }

    /// Returns the path at which the folder is written.
    pub(crate) fn path(&self) -> &Path {
        &self.beside
    }

    /// Returns the final path, which the user knows.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Returns the checksum that identifies a column.
    pub(crate) fn seed(&self, column: &str) -> u32 {
        self.about.seed(!self.kept.names, column)
    }

    pub(crate) fn failed(&self, error: &io::Error) -> Diagnostic {
        Diagnostic::io(self.target.display(), error)
    }

    /// Writes the additional files and the manifest, and moves the folder into place.
    pub(crate) fn finish(mut self, written: Written, extras: Extras<'_>) -> Result<(), Diagnostic> {
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
        // The extras come before the manifest, because it lists their checksums. They receive it
        // without themselves, and may reject the table.
        for extra in extras(&manifest)? {
            assert!(is_plain(&extra.name), "{} is no plain name", extra.name);
            let kept = File::create(self.beside.join(&extra.name)).and_then(|mut file| {
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
        // The manifest is last: a folder without one is not a tablebase.
        manifest.write(&self.beside).map_err(failed)?;
        // Removed before the rename, since a published folder must contain exactly its listed
        // files.
        if self.stays.get() {
            self.mark_file().remove().map_err(failed)?;
        }
        let committed = match self.partial.take() {
            Some(partial) => partial.commit(),
            None => commit_folder(&self.beside, &self.target),
        };
        committed.map_err(|error| Diagnostic::io(self.target.display(), &error))?;
        // Otherwise `drop` would try to remove the folder.
        self.stays.set(true);
        Ok(())
    }
}

impl Drop for Folder<'_> {
    fn drop(&mut self) {
        if !self.stays.get() {
            // A half-written folder is useless. An error here would hide the first one, so it is
            // ignored.
            let _ = fs::remove_dir_all(&self.beside);
        }
    }
}
