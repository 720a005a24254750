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
use crate::manifest::{
    About, Column, ExtraFile, Extras, Keys, Manifest, OptionalColumns, Tally, is_plain_name,
};
use crate::marks::MarkFile;
use crate::schedule::CheckpointSchedule;

/// The file that stores the state of the last checkpoint. A complete folder does not contain it.
const MARK: &str = "mark.json";

fn exists(folder: &Path) -> Diagnostic {
    let message = message!("{folder}: already exists", folder = folder.display());
    Diagnostic::new(Kind::Io, message).help(message!("choose another folder, or remove this one"))
}

/// Checks that a tablebase can be written at `folder`: the path must not exist or must be an empty
/// folder.
///
/// # Errors
/// A file or a nonempty folder at the path, or a path that cannot be read.
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

/// A folder that is being written. If the value is dropped before the folder is complete, the
/// folder is removed, unless a later run can resume the writing.
pub(crate) struct Folder<'a> {
    target: PathBuf,
    partial_path: PathBuf,
    /// The guard that removes the folder on drop. `None` if a later run may resume the folder.
    partial: Option<PartialFolder>,
    about: &'a About,
    optional: OptionalColumns,
    /// `true` if the folder is not removed on drop.
    keep_on_drop: Cell<bool>,
}

/// The identity of a table: its description and its optional columns. A checkpoint is resumed only
/// if its stored identity equals that of the table to be written.
#[derive(PartialEq, Serialize, Deserialize)]
struct Identity {
    of: About,
    kept: OptionalColumns,
}

/// The properties of a tablebase that are known once all rows are written.
pub(crate) struct TableSummary {
    pub(crate) positions: u64,
    pub(crate) census: Census,
    /// The names of the positions of greatest remoteness.
    pub(crate) hardest: Vec<String>,
    pub(crate) keys: Keys,
    pub(crate) columns: Vec<Column>,
}

impl<'a> Folder<'a> {
    /// Creates the folder, or opens the folder of an earlier run. Returns the state from which
    /// writing resumes.
    pub(crate) fn new<M: Default + DeserializeOwned>(
        target: &Path,
        about: &'a About,
        optional: OptionalColumns,
        schedule: Option<&CheckpointSchedule>,
    ) -> Result<(Self, M), Diagnostic> {
        check_free(target)?;
        let failed = |error| Diagnostic::io(target.display(), &error);
        let partial = match schedule {
            None => Some(PartialFolder::create(target).map_err(failed)?),
            Some(_) => None,
        };
        let partial_path = match &partial {
            Some(partial) => partial.path().to_owned(),
            // A fixed name without the process number, so that a later run finds the folder.
            None => hidden_sibling(target, ".cut.partial"),
        };
        let new = Self {
            target: target.to_owned(),
            partial_path,
            partial,
            about,
            optional,
            keep_on_drop: Cell::new(false),
        };
        if let Some(mark) = schedule
            .filter(|schedule| schedule.resumes())
            .and_then(|_| new.mark())
        {
            // The data that an earlier run has synced must not be lost if this run fails, too.
            new.keep_on_drop.set(true);
            return Ok((new, mark));
        }
        if new.partial.is_none() {
            // Removes the folder of an earlier run that is not resumed.
            let _ = fs::remove_dir_all(&new.partial_path);
            fs::create_dir(&new.partial_path).map_err(failed)?;
        }
        Ok((new, M::default()))
    }

    /// Returns the stored state of the last checkpoint. Returns `None` if there is no checkpoint,
    /// or if it belongs to another table.
    fn mark<M: DeserializeOwned>(&self) -> Option<M> {
        self.mark_file().read(&self.identity())
    }

    fn mark_file(&self) -> MarkFile {
        MarkFile::inside(&self.partial_path, MARK)
    }

    fn identity(&self) -> Identity {
        Identity {
            of: self.about.clone(),
            kept: self.optional,
        }
    }

    /// Writes the mark of a checkpoint, that is, the file that stores its state. All files that the
    /// mark refers to must already be synced to disk.
    pub(crate) fn put_mark(&self, mark: &impl Serialize) -> Result<(), Diagnostic> {
        let written = self.mark_file().write(&self.identity(), mark);
        written.map_err(|error| self.failed(&error))?;
        self.keep_on_drop.set(true);
        Ok(())
    }

    /// Returns the hidden path at which the folder is written.
    pub(crate) fn path(&self) -> &Path {
        &self.partial_path
    }

    /// Returns the final path of the folder, as given by the user.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Returns the checksum that identifies a column.
    pub(crate) fn seed(&self, column: &str) -> u32 {
        self.about.seed(!self.optional.names, column)
    }

    pub(crate) fn failed(&self, error: &io::Error) -> Diagnostic {
        Diagnostic::io(self.target.display(), error)
    }

    /// Writes the additional files and the manifest, and moves the folder into place.
    pub(crate) fn finish(
        mut self,
        summary: TableSummary,
        extras: Extras<'_>,
    ) -> Result<(), Diagnostic> {
        let failed = |error| self.failed(&error);
        let mut manifest = Manifest {
            about: self.about.clone(),
            positions: summary.positions,
            outcomes: Tally::of(&summary.census),
            census: summary.census,
            hardest: summary.hardest,
            keys: summary.keys,
            columns: summary.columns,
            files: Vec::new(),
        };
        // The additional files come before the manifest, which lists their checksums. `extras`
        // receives a manifest without these files and may reject the table.
        for extra in extras(&manifest)? {
            assert!(
                is_plain_name(&extra.name),
                "{} is no plain name",
                extra.name
            );
            let stored = File::create(self.partial_path.join(&extra.name)).and_then(|mut file| {
                file.write_all(&extra.bytes)?;
                file.sync_all()
            });
            stored.map_err(failed)?;
            manifest.files.push(ExtraFile {
                bytes: extra.bytes.len() as u64,
                sum: crc32fast::hash(&extra.bytes),
                name: extra.name,
            });
        }
        // The manifest is last: a folder without one is not a tablebase.
        manifest.write(&self.partial_path).map_err(failed)?;
        // The mark is removed before the rename, since a complete folder contains only the files
        // that its manifest lists.
        if self.keep_on_drop.get() {
            self.mark_file().remove().map_err(failed)?;
        }
        let committed = match self.partial.take() {
            Some(partial) => partial.commit(),
            None => commit_folder(&self.partial_path, &self.target),
        };
        committed.map_err(|error| Diagnostic::io(self.target.display(), &error))?;
        // The folder is complete, so `drop` must not remove it.
        self.keep_on_drop.set(true);
        Ok(())
    }
}

impl Drop for Folder<'_> {
    fn drop(&mut self) {
        if !self.keep_on_drop.get() {
            // The incomplete folder is of no use. An error of its removal would hide the error that
            // ended the writing, so it is ignored.
            let _ = fs::remove_dir_all(&self.partial_path);
        }
    }
}
