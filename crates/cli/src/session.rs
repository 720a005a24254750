//! One run of the program: its limits, its clock and Ctrl-C.

use std::io::Read as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use grundy::{Kind, Limits, Stop};
use grundy_notation::Diagnostic;
use grundy_rules::{Allowance, RuleFile};

use crate::arguments::Common;
use crate::failure::Failure;

/// Longest rule file that is read at all.
const LONGEST_RULES: u64 = 16 << 20;

/// What a run may use and whether it was asked to end.
pub(crate) struct Session {
    positions: u64,
    memory: u64,
    interrupted: Arc<AtomicBool>,
    stop: Arc<dyn Fn() -> Option<Stop> + Send + Sync>,
    rules: OnceLock<RuleFile>,
}

impl Session {
    pub(crate) fn new(common: &Common) -> Self {
        let interrupted = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupted);
        // Without a handler Ctrl-C ends the program at once, which is no worse than an error here.
        let _ = ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        let flag = Arc::clone(&interrupted);
        let deadline = common.timeout.and_then(|seconds| {
            Instant::now().checked_add(Duration::try_from_secs_f64(seconds).ok()?)
        });
        let stop = move || {
            if flag.load(Ordering::Relaxed) {
                Some(Stop::Interrupted)
            } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                Some(Stop::Time)
            } else {
                None
            }
        };
        Self {
            positions: common.max_positions,
            memory: common.max_memory.saturating_mul(1 << 20),
            interrupted,
            stop: Arc::new(stop),
            rules: OnceLock::new(),
        }
    }

    /// The limits to pass to the library.
    pub(crate) fn limits(&self) -> Limits<'_> {
        Limits {
            positions: self.positions,
            memory: self.memory,
            interrupted: &*self.stop,
        }
    }

    /// The limits for long rows of values that say themselves how many there are to be: memory, time and Ctrl-C.
    pub(crate) fn long_limits(&self) -> Limits<'_> {
        Limits {
            positions: u64::MAX,
            ..self.limits()
        }
    }

    /// Reads the rule file that games of one's own come from.
    pub(crate) fn open_rules(&self, path: &Path) -> Result<(), Failure> {
        let name = path.display();
        let failed =
            |error: &dyn std::fmt::Display| Diagnostic::new(Kind::Io, format!("{name}: {error}"));
        let file = std::fs::File::open(path).map_err(|error| failed(&error))?;
        let mut bytes = Vec::new();
        file.take(LONGEST_RULES)
            .read_to_end(&mut bytes)
            .map_err(|error| failed(&error))?;
        let source = String::from_utf8(bytes).map_err(|_| {
            let message = format!("{name}: the file is not UTF-8");
            Diagnostic::new(Kind::Encoding, message)
        })?;
        let allowance = Allowance {
            interrupted: Arc::clone(&self.stop),
            ..Allowance::default()
        };
        let short = path.file_name().unwrap_or(path.as_os_str());
        let rules = RuleFile::read(&short.to_string_lossy(), &source, allowance)
            .map_err(|error| Failure::input(error, &source))?;
        let _ = self.rules.set(rules);
        Ok(())
    }

    /// The rule file, where one was named.
    pub(crate) fn rules(&self) -> Option<&RuleFile> {
        self.rules.get()
    }

    /// What went wrong in the rule file, if anything did since this was last asked, and the text of the file.
    pub(crate) fn rules_failed(&self) -> Option<(Diagnostic, String)> {
        let rules = self.rules.get()?;
        let failure = rules.take_failure()?;
        Some((failure, rules.source().to_owned()))
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}
