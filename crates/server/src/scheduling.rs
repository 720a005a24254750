//! The scheduling of threads by the operating system: their time, and their priority.

use std::time::Duration;

/// A thread, of this process or another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thread {
    number: i32,
}

impl Thread {
    /// Returns the thread that asks.
    pub(crate) fn this() -> Self {
        #[cfg(target_os = "linux")]
        let number = rustix::thread::gettid().as_raw_nonzero().get();
        #[cfg(not(target_os = "linux"))]
        let number = 0;
        Self { number }
    }

    /// Returns the thread that the operating system calls so.
    pub(crate) fn of(number: i32) -> Self {
        Self { number }
    }

    /// Returns its name in the operating system.
    pub(crate) fn number(self) -> i32 {
        self.number
    }

    /// Returns the time that the thread has had a core, where the operating system tells.
    pub(crate) fn has_worked(self) -> Option<Duration> {
        if cfg!(target_os = "linux") {
            let told = std::fs::read_to_string(format!("/proc/{}/schedstat", self.number));
            let nanoseconds = told.ok()?.split(' ').next()?.parse().ok()?;
            Some(Duration::from_nanos(nanoseconds))
        } else {
            None
        }
    }

    /// Lets every other thread go first from now on, where the operating system knows how.
    #[cfg_attr(not(target_os = "linux"), expect(clippy::unused_self))]
    pub(crate) fn go_last(self) {
        #[cfg(target_os = "linux")]
        let _ =
            rustix::process::setpriority_process(rustix::thread::Pid::from_raw(self.number), 19);
    }
}
