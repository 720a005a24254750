//! Files in memory, for requests of clients. The request contains the texts of the files that are
//! read. The response contains the texts of those that were written.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use grundy_core::{Diagnostic, Kind, Message, message};

/// The text of a file that was part of a request.
#[derive(Clone, Debug)]
pub(crate) struct InputText(Arc<Vec<u8>>);

impl AsRef<[u8]> for InputText {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Files in memory: the texts that were part of a request, and the texts for its response.
///
/// ```
/// use std::io::Write as _;
/// use std::sync::Arc;
/// use grundy_job::Files;
/// use grundy_job::files::{MemoryFiles, write};
/// let memory = Arc::new(MemoryFiles::new([("a.csv", Arc::new(b"1,2".to_vec()))]));
/// let files = Files::Memory(Arc::clone(&memory));
/// assert_eq!(files.text("a.csv".as_ref(), 1 << 20)?, "1,2");
/// write(&files, "b.csv".as_ref(), |out| out.write_all(b"3,0"))?;
/// assert_eq!(memory.take_written()[0].0, "b.csv");
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
#[derive(Debug, Default)]
pub struct MemoryFiles {
    inputs: BTreeMap<PathBuf, InputText>,
    /// The folder that contains the tablebases, each in a folder with its name.
    tables: Option<PathBuf>,
    written: Mutex<BTreeMap<PathBuf, Vec<u8>>>,
}

impl MemoryFiles {
    /// Creates the files of a request from their names and texts.
    #[must_use]
    pub fn new<N: Into<PathBuf>>(texts: impl IntoIterator<Item = (N, Arc<Vec<u8>>)>) -> Self {
        let texts = texts.into_iter();
        Self {
            inputs: texts
                .map(|(name, text)| (name.into(), InputText(text)))
                .collect(),
            tables: None,
            written: Mutex::default(),
        }
    }

    /// Sets the folder that contains the tablebases.
    #[must_use]
    pub fn with_tables(self, tables: Option<PathBuf>) -> Self {
        Self { tables, ..self }
    }

    /// Removes and returns the written texts, in the order of their names.
    #[must_use]
    pub fn take_written(&self) -> Vec<(String, Vec<u8>)> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let written = std::mem::take(&mut *written).into_iter();
        written
            .map(|(name, bytes)| (name.display().to_string(), bytes))
            .collect()
    }

    /// Returns the names of the tablebases, in order. A tablebase is a folder that contains a
    /// manifest. Its name must be UTF-8 without a leading dot.
    pub(super) fn tables(&self) -> Result<Vec<PathBuf>, Diagnostic> {
        let Some(folder) = &self.tables else {
            return Ok(Vec::new());
        };
        // The client must not see the path of the folder, so the error does not contain it.
        let failed = |error: io::Error| {
            let what = Message::from(&error);
            let message = message!("the tablebases cannot be listed: {what}", what);
            Diagnostic::new(Kind::Io, message)
        };
        let mut names = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let hidden = entry
                .file_name()
                .to_str()
                .is_none_or(|name| name.starts_with('.'));
            if !hidden && entry.path().join("manifest.json").is_file() {
                names.push(PathBuf::from(entry.file_name()));
            }
        }
        names.sort();
        Ok(names)
    }

    /// Returns the folder of a tablebase, if it exists. A name with several components is rejected,
    /// so that no other folder can be reached.
    pub(super) fn table(&self, name: &Path) -> Option<PathBuf> {
        let mut parts = name.components();
        let (Some(Component::Normal(_)), None) = (parts.next(), parts.next()) else {
            return None;
        };
        let folder = self.tables.as_ref()?.join(name);
        folder.is_dir().then_some(folder)
    }

    /// Returns the text of a file that was part of the request.
    pub(super) fn get(&self, file: &Path) -> Option<InputText> {
        self.inputs.get(file).cloned()
    }

    /// Stores the text of a written file. The response will contain it.
    pub(super) fn put(&self, file: &Path, bytes: Vec<u8>) {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.insert(file.to_owned(), bytes);
    }
}
