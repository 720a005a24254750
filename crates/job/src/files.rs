//! The permission to open files, and atomic writes.

mod atomic;
mod distinct;
mod lock;
mod memory;

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grundy_core::{Diagnostic, Kind, message};

pub use atomic::{Output, make_folder, no_checkpoint_yet, write, write_folder};
pub use distinct::check as check_distinct;
pub use lock::{FileLock, lock};
pub use memory::MemoryFiles;

/// The permission to open files. Without it, every access to a file returns the same error, so that
/// a web page or a server can answer requests of untrusted clients.
#[derive(Clone, Debug)]
pub enum Files {
    /// Files may be read and written.
    Granted,
    /// No file is opened, except those of tablebases. The request contains the texts that may be
    /// read, and the response will contain the texts that are written.
    Memory(Arc<MemoryFiles>),
    /// No file is opened.
    Denied,
}

impl Files {
    /// Checks that a file may be written, on disk or in memory.
    ///
    /// # Errors
    /// A missing permission.
    pub fn allowed(&self, file: &Path) -> Result<(), Diagnostic> {
        match self {
            Self::Granted | Self::Memory(_) => Ok(()),
            Self::Denied => Err(denied(file)),
        }
    }

    /// Checks that files on disk may be opened.
    ///
    /// # Errors
    /// A missing permission, or files that exist in memory only.
    pub fn on_disk(&self, file: &Path) -> Result<(), Diagnostic> {
        match self {
            Self::Granted => Ok(()),
            Self::Memory(_) | Self::Denied => Err(denied(file)),
        }
    }

    /// Returns the folder of a tablebase.
    ///
    /// # Errors
    /// A missing permission, or no tablebase with this name.
    pub fn table(&self, name: &Path) -> Result<PathBuf, Diagnostic> {
        match self {
            Self::Granted => Ok(name.to_owned()),
            Self::Memory(memory) => memory.table(name).ok_or_else(|| {
                let message = message!("{name}: no such tablebase", name = name.display());
                Diagnostic::new(Kind::Io, message)
            }),
            Self::Denied => Err(denied(name)),
        }
    }

    /// Returns the names of the available tablebases, in order.
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn tables(&self) -> Result<Vec<PathBuf>, Diagnostic> {
        match self {
            Self::Memory(memory) => memory.tables(),
            // With permission, a tablebase is given by the path of its folder. So there is no list
            // of names.
            Self::Granted | Self::Denied => Ok(Vec::new()),
        }
    }

    /// Opens a file on disk for reading.
    ///
    /// # Errors
    /// A missing permission, or a file that cannot be read.
    pub fn open(&self, file: &Path) -> Result<File, Diagnostic> {
        self.on_disk(file)?;
        File::open(file).map_err(|error| failed(file, &error))
    }

    /// Opens a file for reading. Also returns its length in bytes, or 0 if the length is unknown.
    ///
    /// # Errors
    /// A missing permission, or a file that cannot be read.
    pub fn input(&self, file: &Path) -> Result<(Box<dyn Read>, u64), Diagnostic> {
        if let Self::Memory(memory) = self {
            let text = memory.get(file).ok_or_else(|| {
                let error = io::Error::from(io::ErrorKind::NotFound);
                failed(file, &error)
            })?;
            let length = text.as_ref().len() as u64;
            return Ok((Box::new(Cursor::new(text)), length));
        }
        let input = self.open(file)?;
        let metadata = input.metadata().map_err(|error| failed(file, &error))?;
        // On Unix a directory can be opened like a file. Only the first read fails, with a vague
        // message.
        if metadata.is_dir() {
            let message = message!("{file}: this is a directory", file = file.display());
            return Err(Diagnostic::new(Kind::Io, message));
        }
        Ok((Box::new(input), metadata.len()))
    }

    /// Returns whether a file exists.
    #[must_use]
    pub fn has(&self, file: &Path) -> bool {
        match self {
            Self::Granted => file.exists(),
            Self::Memory(memory) => memory.get(file).is_some(),
            Self::Denied => false,
        }
    }

    /// Returns the whole content of a file of at most `most` bytes.
    ///
    /// # Errors
    /// A missing permission, a file that cannot be read, or one that is too large.
    pub fn bytes(&self, file: &Path, most: u64) -> Result<Vec<u8>, Diagnostic> {
        // The reported length is not reliable: a device may report none and never end. So the limit
        // applies to the bytes that are read.
        let mut bytes = Vec::new();
        let mut input = self.input(file)?.0.take(most + 1);
        let read = input.read_to_end(&mut bytes);
        read.map_err(|error| failed(file, &error))?;
        if bytes.len() as u64 > most {
            let message = message!(
                "{file}: the file is larger than {most} MiB",
                file = file.display(),
                most = most >> 20
            );
            return Err(Diagnostic::new(Kind::Limit, message));
        }
        Ok(bytes)
    }

    /// Returns the whole content of a text file.
    ///
    /// # Errors
    /// As [`Files::bytes`], or a file that is not UTF-8.
    pub fn text(&self, file: &Path, most: u64) -> Result<String, Diagnostic> {
        String::from_utf8(self.bytes(file, most)?).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let message = message!("{file}: the file is not UTF-8", file = file.display());
            Diagnostic::new(Kind::Encoding, message)
                .at(at..at + 1)
                .with_source(String::from_utf8_lossy(error.as_bytes()).into_owned())
        })
    }
}

fn denied(file: &Path) -> Diagnostic {
    let message = message!(
        "{file}: file access is not permitted",
        file = file.display()
    );
    Diagnostic::new(Kind::Io, message)
}

/// Returns the diagnostic for an error of the operating system at a file.
#[must_use]
pub fn failed(file: &Path, error: &io::Error) -> Diagnostic {
    Diagnostic::io(file.display(), error)
}
