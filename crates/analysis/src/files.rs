//! Files: a capability that the caller grants, and writing as a whole.

mod apart;
mod whole;

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use grundy::{Diagnostic, Kind, message};

pub(crate) use apart::check as check_apart;
pub(crate) use whole::{make_folder, no_checkpoint_yet, write};

/// The permission to open files. Who has none is refused with one clear error, so that a page or a server can hand on questions
/// of strangers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Files {
    /// Files may be read and written.
    Granted,
    /// No file is opened.
    Denied,
}

impl Files {
    /// Refuses where there is no permission.
    pub(crate) fn allowed(self, file: &Path) -> Result<(), Diagnostic> {
        match self {
            Self::Granted => Ok(()),
            Self::Denied => {
                let message = message!("{file}: files are not opened here", file = file.display());
                Err(Diagnostic::new(Kind::Io, message))
            }
        }
    }

    /// Opens a file for reading.
    pub(crate) fn open(self, file: &Path) -> Result<File, Diagnostic> {
        self.allowed(file)?;
        File::open(file).map_err(|error| failed(file, &error))
    }

    /// The whole contents of a file of at most `most` bytes.
    pub(crate) fn bytes(self, file: &Path, most: u64) -> Result<Vec<u8>, Diagnostic> {
        // A device may have no length and no end.
        let mut bytes = Vec::new();
        let mut input = self.open(file)?.take(most + 1);
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

    /// The whole contents of a text file.
    pub(crate) fn text(self, file: &Path, most: u64) -> Result<String, Diagnostic> {
        String::from_utf8(self.bytes(file, most)?).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let message = message!("{file}: the file is not UTF-8", file = file.display());
            Diagnostic::new(Kind::Encoding, message)
                .at(at..at + 1)
                .of(String::from_utf8_lossy(error.as_bytes()).into_owned())
        })
    }
}

/// What the operating system says of a file.
pub(crate) fn failed(file: &Path, error: &io::Error) -> Diagnostic {
    Diagnostic::io(file.display(), error)
}
