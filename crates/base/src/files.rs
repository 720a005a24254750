//! Files and folders that appear at their place complete or not at all.
//!
//! A replacement is written under a hidden name in the same folder, flushed to the disk, and then
//! renamed. A reader sees the old content or the new, also after a crash or a loss of power. This
//! is the only module of the crate that touches a disk.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Returns the hidden path in the same folder whose name is a dot, the name of `path`, and
/// `ending`.
#[must_use]
pub fn hidden_sibling(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(ending);
    path.with_file_name(name)
}

/// Returns the hidden path where this process writes the replacement of `path`.
#[must_use]
pub fn partial(path: &Path) -> PathBuf {
    hidden_sibling(path, &format!(".{}.partial", std::process::id()))
}

/// Flushes a complete file to the disk and renames it to `target`.
///
/// # Errors
/// The first error of the system.
pub fn commit_file(file: &File, partial: &Path, target: &Path) -> io::Result<()> {
    // Without this a loss of power can leave an empty file under the new name.
    file.sync_all()?;
    fs::rename(partial, target)
}

/// Renames a complete folder to `target`. The entries of both folders are flushed to the disk; the
/// files inside are the caller's.
///
/// # Errors
/// The first error of the system.
pub fn commit_folder(partial: &Path, target: &Path) -> io::Result<()> {
    sync_entries(partial)?;
    fs::rename(partial, target)?;
    let parent = target.parent().filter(|path| !path.as_os_str().is_empty());
    sync_entries(parent.unwrap_or(Path::new(".")))
}

/// Flushes the entries of a folder to the disk. Where folders cannot be opened the system does it
/// by itself.
fn sync_entries(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// The replacement of a file while it is written. It takes the place of the file by
/// [`commit`](Self::commit); dropped before, it is removed.
#[derive(Debug)]
pub struct Replacement {
    out: BufWriter<File>,
    partial: PathBuf,
    target: PathBuf,
    committed: bool,
}

impl Replacement {
    /// Creates the replacement of `target` under a hidden name of this process.
    ///
    /// # Errors
    /// That of the system, where the file cannot be created.
    pub fn create(target: &Path) -> io::Result<Self> {
        Self::create_at(partial(target), target)
    }

    /// Creates the replacement of `target` at a path in the same file system.
    ///
    /// # Errors
    /// That of the system, where the file cannot be created.
    pub fn create_at(partial: PathBuf, target: &Path) -> io::Result<Self> {
        Ok(Self {
            out: BufWriter::new(File::create(&partial)?),
            partial,
            target: target.to_owned(),
            committed: false,
        })
    }

    /// Moves the complete file to its place, and removes what killed processes left of earlier
    /// replacements.
    ///
    /// # Errors
    /// The first error of the system; then the target is as it was.
    pub fn commit(mut self) -> io::Result<()> {
        self.out.flush()?;
        commit_file(self.out.get_ref(), &self.partial, &self.target)?;
        self.committed = true;
        remove_leftovers(&self.target);
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.committed {
            // The error that kept it from being committed is the one to report.
            let _ = fs::remove_file(&self.partial);
        }
    }
}

/// Removes the partial replacements of a file by processes that no longer run. Where running
/// processes are not listed under `/proc`, they stay.
fn remove_leftovers(file: &Path) {
    let running = Path::new("/proc");
    let folder = file.parent().filter(|path| !path.as_os_str().is_empty());
    let (Some(name), Ok(entries)) = (
        file.file_name().and_then(|name| name.to_str()),
        fs::read_dir(folder.unwrap_or(Path::new("."))),
    ) else {
        return;
    };
    if !running.join("self").exists() {
        return;
    }
    for entry in entries.flatten() {
        let leftover = entry.file_name();
        let process = leftover
            .to_str()
            .and_then(|text| {
                text.strip_prefix('.')?
                    .strip_prefix(name)?
                    .strip_prefix('.')
            })
            .and_then(|text| text.strip_suffix(".partial")?.parse::<u32>().ok());
        if process.is_some_and(|process| !running.join(process.to_string()).exists()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_or_not_at_all() {
        let folder = std::env::temp_dir().join(format!("grundy-files-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let file = folder.join("table.csv");
        fs::write(&file, "old").unwrap();
        let mut dropped = Replacement::create(&file).unwrap();
        dropped.write_all(b"ne").unwrap();
        let partial = format!(".table.csv.{}.partial", std::process::id());
        assert_eq!(names(&folder), [&partial, "table.csv"]);
        drop(dropped);
        assert_eq!(names(&folder), ["table.csv"]);
        assert_eq!(fs::read(&file).unwrap(), b"old");
        // No process has this number; what it left goes with the next replacement, and nothing else
        // does.
        for left in [".table.csv.4294967295.partial", ".other.4294967295.partial"] {
            fs::write(folder.join(left), "left").unwrap();
        }
        let mut whole = Replacement::create(&file).unwrap();
        whole.write_all(b"new").unwrap();
        whole.commit().unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(names(&folder), [".other.4294967295.partial", "table.csv"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_takes_its_place_with_all_files() {
        let folder = std::env::temp_dir().join(format!("grundy-folders-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let target = folder.join("table");
        let partial = partial(&target);
        fs::create_dir(&partial).unwrap();
        fs::write(partial.join("rows"), "1").unwrap();
        commit_folder(&partial, &target).unwrap();
        assert_eq!(names(&folder), ["table"]);
        assert_eq!(names(&target), ["rows"]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
