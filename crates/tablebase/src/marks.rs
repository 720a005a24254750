//! Marks of checkpoints: how much of a table is on the disk, in a file, so that a run that was cut
//! off can be resumed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use grundy_base::files::{Replacement, partial};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A mark with the identity of the work: the mark of other work is not resumed from.
#[derive(Serialize, Deserialize)]
struct Marked<I, M> {
    #[serde(flatten)]
    identity: I,
    /// The other name is that of the marks beside tables by rows in earlier versions.
    #[serde(alias = "written")]
    mark: M,
}

/// The file of a mark. It is replaced as a whole.
#[derive(Clone, Debug)]
pub struct MarkFile {
    path: PathBuf,
    partial: PathBuf,
}

impl MarkFile {
    /// Returns a mark at a path.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        let partial = partial(&path);
        Self { path, partial }
    }

    /// Returns a mark inside of a folder that is moved as a whole: its replacement has the same
    /// name in every run, so that the next run overwrites what a killed one left.
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

    /// Reads the mark of this work, if there is one.
    #[must_use]
    pub fn read<I: DeserializeOwned + PartialEq, M: DeserializeOwned>(
        &self,
        identity: &I,
    ) -> Option<M> {
        let bytes = fs::read(&self.path).ok()?;
        let marked: Marked<I, M> = serde_json::from_slice(&bytes).ok()?;
        (marked.identity == *identity).then_some(marked.mark)
    }

    /// Writes the mark. What it says is on the disk has to be flushed before.
    ///
    /// # Errors
    /// The first error of the system; then the last mark is still there.
    pub fn write(&self, identity: &impl Serialize, mark: &impl Serialize) -> io::Result<()> {
        let mut out = Replacement::create_at(self.partial.clone(), &self.path)?;
        serde_json::to_writer(&mut out, &Marked { identity, mark })?;
        out.commit()
    }

    /// Removes the mark when the work is done.
    ///
    /// # Errors
    /// That of the system.
    pub fn remove(&self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_for_the_same_work_alone() {
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
        // A killed run left half of a replacement: the last mark holds.
        fs::write(folder.join("new-mark.json"), "{\"labell").unwrap();
        assert_eq!(read(7), Some([5, 80]));
        fs::write(mark.path(), r#"{"labelling":7,"written":[6,96]}"#).unwrap();
        assert_eq!(read(7), Some([6, 96]));
        mark.write(&Identity { labelling: 7 }, &[7, 112]).unwrap();
        mark.remove().unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::remove_dir_all(&folder).unwrap();
    }
}
