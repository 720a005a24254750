//! Atomic replacement of files and folders.
//!
//! The new content is written under a hidden name in the same folder, flushed to the disk, and
//! renamed to the target. A reader sees either the old content or the new content, even after a
//! crash or a loss of power. No other module of this crate accesses the disk.
//!
//! The hidden file or folder is locked while it is written. An unlocked one was left by a process
//! that was killed, so the next writer for the same target removes it.

use std::ffi::OsString;
use std::fs::{self, DirEntry, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Returns the path in the same folder whose name is a dot, the file name of `path`, and `ending`.
///
/// ```
/// use std::path::Path;
/// use grundy_base::files::hidden_sibling;
/// let lock = hidden_sibling(Path::new("tables/nim.csv"), ".lock");
/// assert_eq!(lock, Path::new("tables/.nim.csv.lock"));
/// ```
#[must_use]
pub fn hidden_sibling(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(ending);
    path.with_file_name(name)
}

/// Returns the hidden path at which this process writes the new content of `path`.
///
/// ```
/// use std::path::Path;
/// let name = format!("tables/.nim.csv.{}.partial", std::process::id());
/// assert_eq!(grundy_base::files::partial(Path::new("tables/nim.csv")), Path::new(&name));
/// ```
#[must_use]
pub fn partial(path: &Path) -> PathBuf {
    hidden_sibling(path, &format!(".{}.partial", std::process::id()))
}

/// Flushes a complete file to the disk and renames it from `partial` to `target`.
///
/// # Errors
/// The first error of the operating system.
///
/// # Examples
/// ```
/// use std::{fs, io::Write};
/// use grundy_base::files;
/// let target = std::env::temp_dir().join(format!("grundy-file-{}", std::process::id()));
/// let partial = files::partial(&target);
/// let mut file = fs::File::create(&partial)?;
/// file.write_all(b"0 1 2 3 1 4")?;
/// files::commit_file(&file, &partial, &target)?;
/// assert_eq!(fs::read_to_string(&target)?, "0 1 2 3 1 4");
/// # fs::remove_file(&target)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn commit_file(file: &File, partial: &Path, target: &Path) -> io::Result<()> {
    // Without the flush, a loss of power after the renaming can leave an empty file at `target`.
    file.sync_all()?;
    fs::rename(partial, target)
}

/// Renames a complete folder from `partial` to `target`. Flushes the entries of `partial` and of
/// the folder around `target` to the disk. The caller must have flushed the files inside.
///
/// # Errors
/// The first error of the operating system.
///
/// # Examples
/// ```
/// use std::fs;
/// use grundy_base::files;
/// let target = std::env::temp_dir().join(format!("grundy-folder-{}", std::process::id()));
/// let partial = files::partial(&target);
/// fs::create_dir(&partial)?;
/// files::commit_folder(&partial, &target)?;
/// assert!(target.is_dir() && !partial.exists());
/// # fs::remove_dir(&target)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn commit_folder(partial: &Path, target: &Path) -> io::Result<()> {
    sync_entries(partial)?;
    // On Unix a rename replaces the target atomically within a file system.
    fs::rename(partial, target)?;
    let parent = target.parent().filter(|path| !path.as_os_str().is_empty());
    sync_entries(parent.unwrap_or(Path::new(".")))
}

/// Flushes the list of entries of a folder to the disk. Does nothing on systems that cannot open a
/// folder, since they flush the list without a request.
fn sync_entries(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// The new content of a file, while it is written. [`commit`](Self::commit) renames it to the
/// target. If the replacement is dropped without a commit, the new content is removed and the
/// target stays unchanged.
#[derive(Debug)]
pub struct Replacement {
    out: BufWriter<File>,
    partial: PathBuf,
    target: PathBuf,
    committed: bool,
}

impl Replacement {
    /// Creates the hidden file for the new content of `target`. Removes the hidden files for
    /// `target` that were left by processes that were killed.
    ///
    /// # Errors
    /// The error of the system if the file cannot be created.
    ///
    /// # Examples
    /// ```
    /// use std::{fs, io::Write};
    /// use grundy_base::files::Replacement;
    /// let target = std::env::temp_dir().join(format!("grundy-create-{}", std::process::id()));
    /// fs::write(&target, "0 1 2")?;
    /// let mut file = Replacement::create(&target)?;
    /// file.write_all(b"0 1 2 3")?;
    /// // Without a commit, the target is unchanged.
    /// drop(file);
    /// assert_eq!(fs::read_to_string(&target)?, "0 1 2");
    /// # fs::remove_file(&target)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn create(target: &Path) -> io::Result<Self> {
        remove_leftovers(target);
        Self::create_at(partial(target), target)
    }

    /// Creates the file for the new content of `target` at the path `partial`, which must be in the
    /// same file system.
    ///
    /// # Errors
    /// The error of the system if the file cannot be created.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::files::{Replacement, hidden_sibling};
    /// let target = std::env::temp_dir().join(format!("grundy-create-at-{}", std::process::id()));
    /// let partial = hidden_sibling(&target, ".new");
    /// let file = Replacement::create_at(partial.clone(), &target)?;
    /// assert!(partial.exists() && !target.exists());
    /// file.commit()?;
    /// assert!(!partial.exists() && target.exists());
    /// # std::fs::remove_file(&target)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn create_at(partial: PathBuf, target: &Path) -> io::Result<Self> {
        let open = || {
            // The file may belong to another process until it is locked, so truncate it only
            // afterwards.
            let mut options = File::options();
            let options = options.write(true).create(true).truncate(false);
            options.open(&partial)
        };
        let file = locked(&partial, open, File::try_lock)?;
        // A file that a killed process left may be longer than the new content, so truncate it.
        file.set_len(0)?;
        Ok(Self {
            out: BufWriter::new(file),
            partial,
            target: target.to_owned(),
            committed: false,
        })
    }

    /// Renames the complete file to the target.
    ///
    /// # Errors
    /// The first error of the operating system. In this case the target is unchanged.
    ///
    /// # Examples
    /// ```
    /// use std::{fs, io::Write};
    /// use grundy_base::files::Replacement;
    /// let target = std::env::temp_dir().join(format!("grundy-commit-{}", std::process::id()));
    /// fs::write(&target, "0 1 2")?;
    /// let mut file = Replacement::create(&target)?;
    /// file.write_all(b"0 1 2 3")?;
    /// file.commit()?;
    /// assert_eq!(fs::read_to_string(&target)?, "0 1 2 3");
    /// # fs::remove_file(&target)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
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
            // Ignore an error of the removal: the error that prevented the commit is the one to
            // report.
            let _ = fs::remove_file(&self.partial);
        }
    }
}

/// A new folder under a hidden name, while it is written. [`commit`](Self::commit) renames it to
/// the target. If the value is dropped without a commit, the folder is removed.
#[derive(Debug)]
pub struct PartialFolder {
    path: PathBuf,
    target: PathBuf,
    committed: bool,
    _lock: Option<File>,
}

impl PartialFolder {
    /// Creates the hidden folder that will become `target`. Removes the hidden folders for `target`
    /// that were left by processes that were killed.
    ///
    /// # Errors
    /// The error of the system if the folder cannot be created.
    ///
    /// # Examples
    /// ```
    /// use grundy_base::files::PartialFolder;
    /// let target = std::env::temp_dir().join(format!("grundy-partial-{}", std::process::id()));
    /// let folder = PartialFolder::create(&target)?;
    /// let hidden = folder.path().to_owned();
    /// assert!(hidden.is_dir() && !target.exists());
    /// // Without a commit, the folder is removed.
    /// drop(folder);
    /// assert!(!hidden.exists());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn create(target: &Path) -> io::Result<Self> {
        remove_leftovers(target);
        let path = partial(target);
        let create = || {
            fs::create_dir(&path)?;
            // Some systems cannot open folders. There the folder is not locked.
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

    /// Returns the hidden path of the folder, in which the caller creates the files.
    ///
    /// ```
    /// use grundy_base::files::{self, PartialFolder};
    /// let target = std::env::temp_dir().join(format!("grundy-path-{}", std::process::id()));
    /// let folder = PartialFolder::create(&target)?;
    /// assert_eq!(folder.path(), files::partial(&target));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Renames the complete folder to the target by [`commit_folder`].
    ///
    /// # Errors
    /// The first error of the system.
    ///
    /// # Examples
    /// ```
    /// use std::fs;
    /// use grundy_base::files::PartialFolder;
    /// let target = std::env::temp_dir().join(format!("grundy-whole-{}", std::process::id()));
    /// let folder = PartialFolder::create(&target)?;
    /// fs::write(folder.path().join("nim.csv"), "0 1 2 3")?;
    /// folder.commit()?;
    /// assert_eq!(fs::read_to_string(target.join("nim.csv"))?, "0 1 2 3");
    /// # fs::remove_dir_all(&target)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn commit(mut self) -> io::Result<()> {
        commit_folder(&self.path, &self.target)?;
        self.committed = true;
        Ok(())
    }
}

impl Drop for PartialFolder {
    fn drop(&mut self) {
        if !self.committed {
            // Ignore an error of the removal: the error that prevented the commit is the one to
            // report.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Number of attempts to create and lock a path that another process may be removing.
const TRIES: u32 = 1_000;

/// Waiting time between two attempts.
const PAUSE: Duration = Duration::from_millis(1);

/// Creates a file or a folder at a path and locks it. The path contains the process number. An
/// existing unlocked file was left by a dead process with the same number, and is reused. On a file
/// system without locks, no lock is taken.
fn locked<T>(
    path: &Path,
    create: impl Fn() -> io::Result<T>,
    lock: impl Fn(&T) -> Result<(), TryLockError>,
) -> io::Result<T> {
    for _ in 0..TRIES {
        match create() {
            Ok(created) => {
                let others = matches!(lock(&created), Err(TryLockError::WouldBlock));
                // Another process may have removed the path between its creation and the locking.
                if !others && path.exists() {
                    return Ok(created);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        thread::sleep(PAUSE);
    }
    // Another process with the same process number holds the lock, for example in another
    // container.
    Err(io::ErrorKind::ResourceBusy.into())
}

/// Removes the hidden files and folders for `target` that are not locked, since their writers are
/// dead.
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
            // A failed removal does not prevent the new content from being written.
            let _ = remove_unlocked(&entry);
        }
    }
}

/// Removes a file or a folder under a lock, unless another process holds the lock.
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
    fn files_are_replaced_atomically() {
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
        // The removal applies only to hidden names of the same target.
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

    /// Checks that only the lock decides whether a hidden file is removed. The process number in
    /// its name proves nothing: it may have been reused, or belong to another machine.
    #[test]
    fn abandoned_partial_files_are_removed_and_locked_ones_kept() {
        let folder = std::env::temp_dir().join(format!("grundy-left-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let alive = std::process::id();
        let [table, rows] = ["table", "rows.csv"].map(|name| folder.join(name));
        let leftover_path =
            |name: &str, process: u32| folder.join(format!(".{name}.{process}.partial"));
        for process in [1, alive, u32::MAX] {
            fs::create_dir(leftover_path("table", process)).unwrap();
            fs::write(leftover_path("table", process).join("outcome.data"), "half").unwrap();
            fs::write(leftover_path("rows.csv", process), "half").unwrap();
        }
        // These two are locked, as by a process that is still writing.
        let written = leftover_path("table", 2);
        fs::create_dir(&written).unwrap();
        let _locked = [
            File::open(&written),
            File::create(leftover_path("rows.csv", 2)),
        ]
        .map(|file| {
            let file = file.unwrap();
            file.lock().unwrap();
            file
        });
        // These names do not have the form of a hidden name for the target.
        for name in [".table.cut.partial", ".table2.1.partial", "table.1.partial"] {
            fs::create_dir(folder.join(name)).unwrap();
        }
        let whole = PartialFolder::create(&table).unwrap();
        assert_eq!(whole.path(), leftover_path("table", alive));
        assert_eq!(fs::read_dir(whole.path()).unwrap().count(), 0);
        let mut file = Replacement::create(&rows).unwrap();
        file.write_all(b"new").unwrap();
        let others = [
            ".table.2.partial",
            ".table.cut.partial",
            ".table2.1.partial",
        ];
        let own = [
            leftover_path("table", alive),
            leftover_path("rows.csv", alive),
        ];
        let own = own.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
        let mut expected: Vec<&str> = others.into_iter().collect();
        expected.extend([".rows.csv.2.partial", "table.1.partial", &own[0], &own[1]]);
        expected.sort_unstable();
        assert_eq!(names(&folder), expected);
        file.commit().unwrap();
        whole.commit().unwrap();
        assert_eq!(fs::read(&rows).unwrap(), b"new");
        assert!(table.is_dir() && !leftover_path("table", alive).exists());
        // This folder is dropped without a commit, so it is removed at once.
        drop(PartialFolder::create(&table).unwrap());
        assert!(!leftover_path("table", alive).exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_is_committed_with_all_files() {
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
