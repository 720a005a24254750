//! Processor time and priority of threads.

use std::time::Duration;

/// A thread of any process, given by its id in the operating system.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thread {
    number: i32,
}

impl Thread {
    /// Returns the thread that calls this function.
    pub(crate) fn this() -> Self {
        #[cfg(target_os = "linux")]
        let number = rustix::thread::gettid().as_raw_nonzero().get();
        #[cfg(not(target_os = "linux"))]
        let number = 0;
        Self { number }
    }

    /// Returns the thread with the id `number`.
    pub(crate) fn of(number: i32) -> Self {
        Self { number }
    }

    /// Returns the id of the thread in the operating system.
    pub(crate) fn number(self) -> i32 {
        self.number
    }

    /// Returns the processor time that the thread has used, if the operating system reports it.
    pub(crate) fn cpu_time(self) -> Option<Duration> {
        if cfg!(target_os = "linux") {
            let text = std::fs::read_to_string(format!("/proc/{}/schedstat", self.number));
            let nanoseconds = text.ok()?.split(' ').next()?.parse().ok()?;
            Some(Duration::from_nanos(nanoseconds))
        } else {
            None
        }
    }

    /// Gives the thread the lowest priority, if the operating system supports it.
    #[cfg_attr(not(target_os = "linux"), expect(clippy::unused_self))]
    pub(crate) fn set_lowest_priority(self) {
        #[cfg(target_os = "linux")]
        let _ =
            rustix::process::setpriority_process(rustix::thread::Pid::from_raw(self.number), 19);
    }
}
