//! One run of the program: who answers, the job with its limits and its clock, and Ctrl-C.

use std::path::Path;
use std::sync::Arc;

use grundy::{Diagnostic, Kind, message};
use grundy_analysis::{Analyst, Files, Job, Workers};

use crate::MEMORY;
use crate::arguments::Common;
use crate::progress::Bar;

/// What a run may use, and who answers in it.
pub(crate) struct Session {
    pub(crate) analyst: Analyst,
    pub(crate) job: Job,
    bar: Arc<Bar>,
}

/// Returns the job that the options ask for, which Ctrl-C stops; a second Ctrl-C ends the program
/// at once, and so does the first in a dialogue, where nothing is under way that could be stopped.
pub(crate) fn job(common: &Common, dialogue: bool) -> (Job, Arc<Bar>) {
    let bar = Arc::new(Bar::new(common.audience()));
    let shown = Arc::clone(&bar);
    let job = Job::new(
        common.max_positions,
        common.max_memory.saturating_mul(1 << 20),
    );
    let job = job
        .writing(common.max_output.saturating_mul(1 << 20))
        .measuring(|| MEMORY.allocated() as u64)
        .telling(move |progress| shown.show(progress));
    if let Some(seconds) = common.timeout {
        job.give(seconds);
    }
    let handle = job.handle();
    // Without a handler Ctrl-C ends the program at once, which is no worse than an error here.
    let _ = ctrlc::set_handler(move || {
        if handle.cancel() || dialogue {
            std::process::exit(130);
        }
    });
    (job, bar)
}

impl Session {
    pub(crate) fn new(
        common: &Common,
        rules: Option<&Path>,
        workers: Option<&'static dyn Workers>,
        job: Job,
        bar: Arc<Bar>,
    ) -> Result<Self, Diagnostic> {
        let analyst = Analyst::new(Files::Granted)
            .speaking(common.audience())
            .with_workers(workers);
        let analyst = match rules {
            Some(path) => analyst
                .with_rules_of(path, &job)
                .map_err(|error| misplaced(error, path))?,
            None => analyst,
        };
        Ok(Self { analyst, job, bar })
    }

    /// The work is done: nothing is drawn any more.
    pub(crate) fn done(&self) {
        self.bar.end();
    }
}

/// Adds advice to the error for a position in the place of a rule file.
fn misplaced(error: Diagnostic, path: &Path) -> Diagnostic {
    if error.kind != Kind::Io || !path.to_string_lossy().contains('(') {
        return error;
    }
    error.help(message!(
        "a file stands after --rules, then the position: --rules squares.star \"game(moves, 5)\""
    ))
}
