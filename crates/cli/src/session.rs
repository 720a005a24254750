//! One run of the program: the analyst that answers questions, the job (the limits of the run and
//! its progress), and the handling of Ctrl-C.

use std::path::Path;
use std::sync::Arc;

use grundy_analysis::{Analyst, Files, Job, Workers};
use grundy_core::{Diagnostic, Kind, message};

use crate::MEMORY;
use crate::arguments::Common;
use crate::progress::ProgressDisplay;

/// The analyst, the job and the progress display of one run of the program.
pub(crate) struct Session {
    pub(crate) analyst: Analyst,
    pub(crate) job: Job,
    display: Arc<ProgressDisplay>,
}

/// Creates a job with the limits from the command line. The first Ctrl-C cancels the job, and the
/// second one ends the program at once. In a dialogue, the first Ctrl-C ends the program, since no
/// work is in progress.
pub(crate) fn job(common: &Common, dialogue: bool) -> (Job, Arc<ProgressDisplay>) {
    let display = Arc::new(ProgressDisplay::new(common.audience()));
    let job_display = Arc::clone(&display);
    let job = Job::new(
        common.max_positions,
        common.max_memory.saturating_mul(1 << 20),
    );
    let job = job
        .with_output_limit(common.max_output.saturating_mul(1 << 20))
        .with_memory_meter(|| MEMORY.allocated() as u64)
        .with_progress(move |progress| job_display.show(progress));
    if let Some(seconds) = common.timeout {
        job.set_timeout(seconds);
    }
    let handle = job.handle();
    // If the handler cannot be set, Ctrl-C always ends the program at once. This is acceptable, so
    // the error is ignored.
    let _ = ctrlc::set_handler(move || {
        // `cancel` returns `true` if an earlier Ctrl-C has already cancelled the job.
        if handle.cancel() || dialogue {
            std::process::exit(130);
        }
    });
    (job, display)
}

impl Session {
    pub(crate) fn new(
        common: &Common,
        rules: Option<&Path>,
        workers: Option<&'static dyn Workers>,
        job: Job,
        display: Arc<ProgressDisplay>,
    ) -> Result<Self, Diagnostic> {
        let analyst = Analyst::new(Files::Granted)
            .with_audience(common.audience())
            .with_workers(workers);
        let analyst = match rules {
            Some(path) => analyst
                .with_rules_file(path, &job)
                .map_err(|error| suggest_rules_file(error, path))?,
            None => analyst,
        };
        Ok(Self {
            analyst,
            job,
            display,
        })
    }

    /// Removes the progress bar, since the work is done.
    pub(crate) fn done(&self) {
        self.display.end();
    }
}

/// Adds a hint to the error if the file name of the rule file looks like a position.
fn suggest_rules_file(error: Diagnostic, path: &Path) -> Diagnostic {
    if error.kind != Kind::Io || !path.to_string_lossy().contains('(') {
        return error;
    }
    error.help(message!(
        "write the name of a file after --rules, then the position: --rules squares.star \"game(moves, 5)\""
    ))
}
