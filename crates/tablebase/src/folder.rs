//! The folder of a tablebase: written beside, and moved into place when it is whole.

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

/// The file that says how much is on the disk. It is not there any more when the folder is whole.
const MARK: &str = "mark.json";

fn exists(folder: &Path) -> Diagnostic {
    let message = message!(
        "{folder}: there is something already",
        folder = folder.display()
    );
    Diagnostic::new(Kind::Io, message).help(message!("name another folder, or remove this one"))
}

/// Fails when there is something at the place of a tablebase to be written, unless it is an empty
/// folder.
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

/// The folder that is being written. Dropped before it is finished, it is removed, unless it can be
/// gone on with.
pub(crate) struct Folder<'a> {
    target: PathBuf,
    beside: PathBuf,
    /// The folder where it is removed unless it is finished; nothing where a later run may find it.
    partial: Option<PartialFolder>,
    about: &'a About,
    kept: Kept,
    /// Whether it is left where it is.
    stays: Cell<bool>,
}

/// The table that a mark is of.
#[derive(PartialEq, Serialize, Deserialize)]
struct Identity {
    of: About,
    kept: Kept,
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
    /// Returns a new folder, or one that an earlier run left, with what is there already.
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
            // The name is one that a later run finds.
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
            new.stays.set(true);
            return Ok((new, mark));
        }
        if new.partial.is_none() {
            // One that was left behind by what is not gone on from.
            let _ = fs::remove_dir_all(&new.beside);
            fs::create_dir(&new.beside).map_err(failed)?;
        }
        Ok((new, M::default()))
    }

    /// How much is there of the same table.
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

    /// Says that so much is on the disk.
    pub(crate) fn put_mark(&self, mark: &impl Serialize) -> Result<(), Diagnostic> {
        let written = self.mark_file().write(&self.identity(), mark);
        written.map_err(|error| self.failed(&error))?;
        self.stays.set(true);
        Ok(())
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
        self.about.seed(!self.kept.names, column)
    }

    pub(crate) fn failed(&self, error: &io::Error) -> Diagnostic {
        Diagnostic::io(self.target.display(), error)
    }

    /// Writes the further files and the manifest, and moves the folder into place.
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
        manifest.write(&self.beside).map_err(failed)?;
        if self.stays.get() {
            self.mark_file().remove().map_err(failed)?;
        }
        let committed = match self.partial.take() {
            Some(partial) => partial.commit(),
            None => commit_folder(&self.beside, &self.target),
        };
        committed.map_err(|error| Diagnostic::io(self.target.display(), &error))?;
        self.stays.set(true);
        Ok(())
    }
}

impl Drop for Folder<'_> {
    fn drop(&mut self) {
        if !self.stays.get() {
            // What is half written helps nobody; the first error is the one to tell.
            let _ = fs::remove_dir_all(&self.beside);
        }
    }
}
