//! Locks for files that several processes may write.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use grundy_base::files::hidden_sibling;
use grundy_core::{Diagnostic, message};

use super::{Files, failed};
use crate::job::Job;
use crate::progress::Progress;

/// The delay between two attempts to get a lock.
const RETRY_DELAY: Duration = Duration::from_millis(20);

/// The waiting time after which a note is reported to the user.
const NOTE_DELAY: Duration = Duration::from_secs(1);

/// The time before which [`lock`] does not give up, even if the job was stopped. A job that reached
/// its time limit must still write its results. The process that holds the lock may be doing the
/// same.
const MIN_WAIT: Duration = Duration::from_secs(60);

/// A lock of a file. It is released on drop, and when the process ends.
///
/// The lock is held on a hidden, empty file in the same folder. The hidden file is never removed.
/// The data file itself cannot be locked, because each writer replaces it by a new file.
///
/// On a file system without locks the lock has no effect.
#[derive(Debug)]
pub struct FileLock {
    _open_file: File,
}

/// Locks a file that is to be replaced. Waits while another process holds the lock, and reports the
/// wait to the job. Returns `None` if the job has to stop before the lock is released.
///
/// ```
/// use grundy_job::files::lock;
/// use grundy_job::{Files, Job};
/// let file = std::env::temp_dir().join(format!("grundy-lock-{}", std::process::id()));
/// let locked = lock(&Files::Granted, &file, &Job::default())?;
/// assert!(locked.is_some());
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
///
/// # Errors
/// A missing permission, or a lock file that cannot be created.
pub fn lock(files: &Files, file: &Path, job: &Job) -> Result<Option<FileLock>, Diagnostic> {
    files.on_disk(file)?;
    let lock_file = open(&hidden_sibling(file, ".lock")).map_err(|error| failed(file, &error))?;
    let begun = job.now();
    let mut noted = false;
    loop {
        match lock_file.try_lock() {
            // The file system has no locks. Two processes rarely write at the same time, whereas an
            // error here would always lose the results.
            Ok(()) | Err(TryLockError::Error(_)) => {
                return Ok(Some(FileLock {
                    _open_file: lock_file,
                }));
            }
            Err(TryLockError::WouldBlock) => {}
        }
        let waited = job.since(begun);
        // The limits of the job are checked only after the shortest wait, as explained at
        // `MIN_WAIT`.
        if waited >= MIN_WAIT && job.limits().poll().is_err() {
            return Ok(None);
        }
        if !noted && waited >= NOTE_DELAY {
            noted = true;
            job.report(&Progress::Note(message!(
                "note: {file}: waiting for another process that is writing this file",
                file = file.display()
            )));
        }
        thread::sleep(RETRY_DELAY);
    }
}

/// Opens the lock file, and creates it if necessary. A file of another user may be read-only, which
/// suffices for a lock.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let opened = options.create(true).truncate(false).write(true).open(path);
    match opened {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            File::open(path).map_err(|_| error)
        }
        opened => opened,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::{Arc, Mutex};

    use super::*;

    /// Returns a job whose clock advances by one second each time it is read.
    fn fast(reports: &Arc<Mutex<Vec<Progress>>>) -> Job {
        let (seconds, reports) = (AtomicU64::new(0), Arc::clone(reports));
        let clock = move || Duration::from_secs(seconds.fetch_add(1, Ordering::Relaxed));
        let job = Job::with_clock(u64::MAX, u64::MAX, clock);
        job.with_progress(move |progress| reports.lock().unwrap().push(progress.clone()))
    }

    #[test]
    fn a_lock_is_awaited_until_the_timeout() {
        let folder = std::env::temp_dir().join(format!("grundy-locks-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("values");
        let take = |job: &Job| lock(&Files::Granted, &file, job).unwrap();
        let reports = Arc::default();
        let held = take(&fast(&reports));
        assert!(held.is_some());
        assert!(reports.lock().unwrap().is_empty());
        let job = fast(&reports);
        job.set_timeout(100.0);
        assert!(take(&job).is_none());
        assert!(job.now() >= Duration::from_secs(100));
        // A job that was stopped waits as well, and reports only one note.
        let job = fast(&reports);
        job.handle().cancel();
        assert!(take(&job).is_none());
        assert!(job.now() >= MIN_WAIT);
        let notes = reports.lock().unwrap().len();
        assert_eq!(notes, 2);
        drop(held);
        assert!(take(&job).is_some());
        assert_eq!(reports.lock().unwrap().len(), notes);
        assert!(lock(&Files::Denied, &file, &job).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
