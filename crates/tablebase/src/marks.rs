//! Marks of checkpoints. A mark is a file that records how much of a table is synced to disk. With
//! it an interrupted run can be resumed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use grundy_base::files::{Replacement, partial};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The content of a mark file: the state at a checkpoint, together with the identity of the table
/// that was written. A mark of another table is ignored.
#[derive(Serialize, Deserialize)]
struct Marked<I, M> {
    #[serde(flatten)]
    identity: I,
    /// The state at the checkpoint. Earlier versions of the program used the key `written`.
    #[serde(alias = "written")]
    mark: M,
}

/// A file that stores a mark, that is, the state of a table at a checkpoint. The file is replaced
/// atomically.
#[derive(Clone, Debug)]
pub struct MarkFile {
    path: PathBuf,
    partial: PathBuf,
}

impl MarkFile {
    /// Returns the mark file at a path, without creating a file on disk.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        let partial = partial(&path);
        Self { path, partial }
    }

    /// Returns the mark file `name` inside a folder that is renamed as a whole later. The temporary
    /// file for a replacement has the same name in every run. So a run overwrites the temporary
    /// file of an earlier run that was killed.
    #[must_use]
    pub fn inside(folder: &Path, name: &str) -> Self {
        Self {
            path: folder.join(name),
            partial: folder.join(format!("new-{name}")),
        }
    }

    /// Returns the path of the mark.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the mark, which is the state at a checkpoint. Returns `None` if there is no mark, or
    /// if its stored identity is not `identity`.
    #[must_use]
    pub fn read<I: DeserializeOwned + PartialEq, M: DeserializeOwned>(
        &self,
        identity: &I,
    ) -> Option<M> {
        // A mark that cannot be read is treated as missing. The work then starts again, which is
        // always correct.
        let bytes = fs::read(&self.path).ok()?;
        let marked: Marked<I, M> = serde_json::from_slice(&bytes).ok()?;
        (marked.identity == *identity).then_some(marked.mark)
    }

    /// Writes the mark. All data that the mark refers to must be synced already.
    ///
    /// # Errors
    /// The first error of the operating system. In that case the previous mark is intact.
    pub fn write(&self, identity: &impl Serialize, mark: &impl Serialize) -> io::Result<()> {
        let mut out = Replacement::create_at(self.partial.clone(), &self.path)?;
        serde_json::to_writer(&mut out, &Marked { identity, mark })?;
        out.commit()
    }

    /// Removes the mark file. This function is called when the work is complete.
    ///
    /// # Errors
    /// The error of the operating system.
    pub fn remove(&self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_only_for_the_same_work() {
        #[derive(PartialEq, Serialize, Deserialize)]
        struct Identity {
            labelling: u64,
        }
        let folder = std::env::temp_dir().join(format!("grundy-mark-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let mark = MarkFile::inside(&folder, "mark.json");
        let read = |labelling| mark.read::<_, [u64; 2]>(&Identity { labelling });
        assert_eq!(read(7), None);
        mark.write(&Identity { labelling: 7 }, &[5, 80]).unwrap();
        assert_eq!((read(7), read(8)), (Some([5, 80]), None));
        let text = fs::read_to_string(mark.path()).unwrap();
        assert_eq!(text, r#"{"labelling":7,"mark":[5,80]}"#);
        // The incomplete temporary file of a killed run. The previous mark must be used.
        fs::write(folder.join("new-mark.json"), "{\"labell").unwrap();
        assert_eq!(read(7), Some([5, 80]));
        // A mark with the key that earlier versions used.
        fs::write(mark.path(), r#"{"labelling":7,"written":[6,96]}"#).unwrap();
        assert_eq!(read(7), Some([6, 96]));
        mark.write(&Identity { labelling: 7 }, &[7, 112]).unwrap();
        mark.remove().unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::remove_dir_all(&folder).unwrap();
    }
}
