//! Files and folders that appear at their place complete or not at all.
//!
//! A replacement is written under a hidden name in the same folder, flushed to the disk, and then
//! renamed. A reader sees the old content or the new, also after a crash or a loss of power. This
//! is the only module of the crate that touches a disk.
//!
//! While it is written it is locked, so that the next writer can remove what a killed process left.

use std::ffi::OsString;
use std::fs::{self, DirEntry, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

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
    /// Creates the replacement of `target` under a hidden name of this process, and removes what
    /// killed processes left of earlier replacements.
    ///
    /// # Errors
    /// That of the system, where the file cannot be created.
    pub fn create(target: &Path) -> io::Result<Self> {
        remove_leftovers(target);
        Self::create_at(partial(target), target)
    }

    /// Creates the replacement of `target` at a path in the same file system.
    ///
    /// # Errors
    /// That of the system, where the file cannot be created.
    pub fn create_at(partial: PathBuf, target: &Path) -> io::Result<Self> {
        let open = || {
            // It may be another's until it is locked, so it is not truncated before.
            let mut options = File::options();
            let options = options.write(true).create(true).truncate(false);
            options.open(&partial)
        };
        let file = locked(&partial, open, File::try_lock)?;
        file.set_len(0)?;
        Ok(Self {
            out: BufWriter::new(file),
            partial,
            target: target.to_owned(),
            committed: false,
        })
    }

    /// Moves the complete file to its place.
    ///
    /// # Errors
    /// The first error of the system; then the target is as it was.
    pub fn commit(mut self) -> io::Result<()> {
        self.out.flush()?;
        commit_file(self.out.get_ref(), &self.partial, &self.target)?;
        self.committed = true;
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

/// A folder while it is written under a hidden name of this process. It takes its place by
/// [`commit`](Self::commit); dropped before, it is removed.
#[derive(Debug)]
pub struct PartialFolder {
    path: PathBuf,
    target: PathBuf,
    committed: bool,
    _lock: Option<File>,
}

impl PartialFolder {
    /// Creates the folder that is to become `target`, and removes what killed processes left of
    /// earlier ones.
    ///
    /// # Errors
    /// That of the system, where the folder cannot be created.
    pub fn create(target: &Path) -> io::Result<Self> {
        remove_leftovers(target);
        let path = partial(target);
        let create = || {
            fs::create_dir(&path)?;
            // Where folders cannot be opened, they are not locked.
            Ok(File::open(&path).ok())
        };
        let lock = |folder: &Option<File>| folder.as_ref().map_or(Ok(()), File::try_lock);
        let lock = locked(&path, create, lock)?;
        Ok(Self {
            path,
            target: target.to_owned(),
            committed: false,
            _lock: lock,
        })
    }

    /// Returns the path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Moves the complete folder to its place, as [`commit_folder`] does.
    ///
    /// # Errors
    /// The first error of the system.
    pub fn commit(mut self) -> io::Result<()> {
        commit_folder(&self.path, &self.target)?;
        self.committed = true;
        Ok(())
    }
}

impl Drop for PartialFolder {
    fn drop(&mut self) {
        if !self.committed {
            // The error that kept it from being committed is the one to report.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Number of tries to create what another process is just removing.
const TRIES: u32 = 1_000;

/// Time between two tries.
const PAUSE: Duration = Duration::from_millis(1);

/// Creates a file or a folder at a path and locks it. If it is found unlocked, its writer is dead,
/// even if a process has the same number. On a file system without locks it is not locked.
fn locked<T>(
    path: &Path,
    create: impl Fn() -> io::Result<T>,
    lock: impl Fn(&T) -> Result<(), TryLockError>,
) -> io::Result<T> {
    for _ in 0..TRIES {
        match create() {
            Ok(created) => {
                let others = matches!(lock(&created), Err(TryLockError::WouldBlock));
                // Before it was locked, another process may have removed it.
                if !others && path.exists() {
                    return Ok(created);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        thread::sleep(PAUSE);
    }
    Err(io::ErrorKind::ResourceBusy.into())
}

/// Removes the partial replacements of a file or a folder whose writers are dead: those that nobody
/// has locked. What cannot be locked stays.
fn remove_leftovers(target: &Path) {
    let folder = target.parent().filter(|path| !path.as_os_str().is_empty());
    let (Some(name), Ok(entries)) = (
        target.file_name().and_then(|name| name.to_str()),
        fs::read_dir(folder.unwrap_or(Path::new("."))),
    ) else {
        return;
    };
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
        if process.is_some() {
            // What stays is no reason not to write.
            let _ = remove_unlocked(&entry);
        }
    }
}

/// Removes a file or a folder, locked meanwhile, unless it is locked.
fn remove_unlocked(entry: &DirEntry) -> io::Result<()> {
    let (path, kind) = (entry.path(), entry.file_type()?);
    if kind.is_dir() {
        let lock = File::open(&path)?;
        lock.try_lock()?;
        fs::remove_dir_all(&path)
    } else if kind.is_file() {
        let lock = File::options().read(true).write(true).open(&path)?;
        lock.try_lock()?;
        fs::remove_file(&path)
    } else {
        Ok(())
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
        // What a killed process left goes with the next replacement, and nothing else does.
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

    /// The number of a process says nothing: it may have been given again, or be one of another
    /// machine. The lock says whether the writer lives.
    #[test]
    fn what_killed_processes_left_is_removed_and_what_is_written_stays() {
        let folder = std::env::temp_dir().join(format!("grundy-left-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let alive = std::process::id();
        let [table, rows] = ["table", "rows.csv"].map(|name| folder.join(name));
        let left = |name: &str, process: u32| folder.join(format!(".{name}.{process}.partial"));
        for process in [1, alive, u32::MAX] {
            fs::create_dir(left("table", process)).unwrap();
            fs::write(left("table", process).join("outcome.data"), "half").unwrap();
            fs::write(left("rows.csv", process), "half").unwrap();
        }
        // Somebody else writes these.
        let written = left("table", 2);
        fs::create_dir(&written).unwrap();
        let _locked = [File::open(&written), File::create(left("rows.csv", 2))].map(|file| {
            let file = file.unwrap();
            file.lock().unwrap();
            file
        });
        // These are no leftovers.
        for name in [".table.cut.partial", ".table2.1.partial", "table.1.partial"] {
            fs::create_dir(folder.join(name)).unwrap();
        }
        let whole = PartialFolder::create(&table).unwrap();
        assert_eq!(whole.path(), left("table", alive));
        assert_eq!(fs::read_dir(whole.path()).unwrap().count(), 0);
        let mut file = Replacement::create(&rows).unwrap();
        file.write_all(b"new").unwrap();
        let others = [
            ".table.2.partial",
            ".table.cut.partial",
            ".table2.1.partial",
        ];
        let own = [left("table", alive), left("rows.csv", alive)];
        let own = own.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
        let mut expected: Vec<&str> = others.into_iter().collect();
        expected.extend([".rows.csv.2.partial", "table.1.partial", &own[0], &own[1]]);
        expected.sort_unstable();
        assert_eq!(names(&folder), expected);
        file.commit().unwrap();
        whole.commit().unwrap();
        assert_eq!(fs::read(&rows).unwrap(), b"new");
        assert!(table.is_dir() && !left("table", alive).exists());
        // What is given up is removed at once.
        drop(PartialFolder::create(&table).unwrap());
        assert!(!left("table", alive).exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_takes_its_place_with_all_files() {
        let folder = std::env::temp_dir().join(format!("grundy-folders-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let target = folder.join("table");
        let partial = PartialFolder::create(&target).unwrap();
        fs::write(partial.path().join("rows"), "1").unwrap();
        partial.commit().unwrap();
        assert_eq!(names(&folder), ["table"]);
        assert_eq!(names(&target), ["rows"]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
