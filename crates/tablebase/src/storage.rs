//! The storage of the files of a tablebase. Files are read in pieces.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;

use grundy_base::{Diagnostic, Message, message};

use crate::damaged;

/// The storage of the files of a tablebase: a folder on disk ([`Disk`]), or a folder on a server
/// (`Web`).
///
/// ```
/// use grundy_tablebase::{Disk, Storage};
/// let storage = Disk::new(std::env::temp_dir());
/// assert!(storage.name("manifest.json").ends_with("manifest.json"));
/// assert!(storage.read("no such file", 10, 0..5).is_err());
/// ```
pub trait Storage: fmt::Debug + Send + Sync {
    /// Returns the name of a file, as error messages show it.
    fn name(&self, file: &str) -> String;

    /// Returns the content of a file of at most `most` bytes.
    ///
    /// # Errors
    /// A file that cannot be read or is longer than `most` bytes.
    fn read_all(&self, file: &str, most: u64) -> Result<Vec<u8>, Diagnostic>;

    /// Returns the bytes of a file in `range`. The file must have `length` bytes.
    ///
    /// # Errors
    /// A file that cannot be read or has another length.
    fn read(&self, file: &str, length: u64, range: Range<u64>) -> Result<Vec<u8>, Diagnostic>;
}

/// Returns the error for a file whose length differs from the expected one.
pub(crate) fn wrong_length(name: &str, found: u64, length: u64) -> Diagnostic {
    let what = message!(
        "expected {length} bytes, found {found}: the file is cut off, or it is not the expected file",
        found,
        length
    );
    damaged(name, &what)
}

/// Returns the error for a file that is longer than the limit for reading it as a whole.
pub(crate) fn too_long(name: &str, most: u64) -> Diagnostic {
    let most = most >> 20;
    damaged(name, &message!("the file is larger than {most} MiB", most))
}

/// Returns whether a text is a URL rather than the path of a file.
///
/// ```
/// use grundy_tablebase::is_address;
/// assert!(is_address("https://example.org/chomp") && !is_address("tables/chomp"));
/// ```
#[must_use]
pub fn is_address(text: &str) -> bool {
    has_scheme(text, "http://") || has_scheme(text, "https://")
}

pub(crate) fn has_scheme(text: &str, scheme: &str) -> bool {
    text.get(..scheme.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
}

/// A folder on disk.
#[derive(Clone, Debug)]
pub struct Disk {
    folder: PathBuf,
    /// The name of the folder that error messages show.
    display_name: PathBuf,
}

impl Disk {
    /// Creates the storage for the folder at a path, without reading it.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        Self {
            display_name: folder.clone(),
            folder,
        }
    }

    /// Sets the name of the folder that error messages show. It hides the path of the folder from
    /// clients.
    #[must_use]
    pub fn display_as(self, name: impl Into<PathBuf>) -> Self {
        let display_name = name.into();
        Self {
            display_name,
            ..self
        }
    }

    fn open(&self, file: &str) -> Result<(File, String), Diagnostic> {
        let name = self.name(file);
        match File::open(self.folder.join(file)) {
            Ok(file) => Ok((file, name)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(self.missing(&name)),
            Err(error) => Err(Diagnostic::io(name, &error)),
        }
    }

    fn missing(&self, name: &str) -> Diagnostic {
        // The error is the same for a folder that does not exist and for a file missing in it. They
        // are distinguished here.
        match self.folder.metadata() {
            Ok(_) => damaged(name, &missing()),
            Err(error) => Diagnostic::io(self.display_name.display(), &error),
        }
    }
}

/// Returns the message for a missing file.
pub(crate) fn missing() -> Message {
    message!("no such file: the folder is not a tablebase, or the tablebase is incomplete")
}

impl Storage for Disk {
    fn name(&self, file: &str) -> String {
        self.display_name.join(file).display().to_string()
    }

    fn read_all(&self, file: &str, most: u64) -> Result<Vec<u8>, Diagnostic> {
        let (file, name) = self.open(file)?;
        let mut bytes = Vec::new();
        // Reading one byte more than the limit detects a file that is too long.
        let read = file.take(most + 1).read_to_end(&mut bytes);
        read.map_err(|error| Diagnostic::io(&name, &error))?;
        if bytes.len() as u64 > most {
            return Err(too_long(&name, most));
        }
        Ok(bytes)
    }

    fn read(&self, file: &str, length: u64, range: Range<u64>) -> Result<Vec<u8>, Diagnostic> {
        let (mut file, name) = self.open(file)?;
        let failed = |error| Diagnostic::io(&name, &error);
        // The length is checked on every read, since the file may be replaced while the table is
        // open.
        let found = file.metadata().map_err(failed)?.len();
        if found != length {
            return Err(wrong_length(&name, found, length));
        }
        let mut bytes = Vec::new();
        let wanted = range.end - range.start;
        file.seek(SeekFrom::Start(range.start)).map_err(failed)?;
        let read = file.take(wanted).read_to_end(&mut bytes);
        read.map_err(failed)?;
        // The file has become shorter between the two calls.
        if bytes.len() as u64 != wanted {
            return Err(wrong_length(
                &name,
                range.start + bytes.len() as u64,
                length,
            ));
        }
        Ok(bytes)
    }
}
