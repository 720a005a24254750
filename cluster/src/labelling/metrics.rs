//! The progress of all processes as Prometheus text in a file, for the textfile collector of a node
//! exporter.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use grundy_cluster::{Report, Stage};
use grundy_core::Diagnostic;

use grundy_job::Files;
use grundy_job::files;

/// Least interval between two writes of the file.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);

/// The metrics file, with the time of the last write.
pub(super) struct Metrics<'a> {
    file: PathBuf,
    files: &'a Files,
    last: Mutex<Option<(Instant, Stage)>>,
}

impl<'a> Metrics<'a> {
    /// Creates the metrics and writes the file once. So a path that cannot be written is reported
    /// before the computation starts.
    pub(super) fn new(file: PathBuf, files: &'a Files) -> Result<Self, Diagnostic> {
        let new = Self {
            file,
            files,
            last: Mutex::new(None),
        };
        new.write(&Report::default())?;
        Ok(new)
    }

    /// Writes the report, unless the last write is too recent. A report of a new stage and the
    /// final report are always written.
    pub(super) fn report(&self, report: &Report) {
        let Ok(mut last) = self.last.lock() else {
            return;
        };
        // A change of stage and the final report are always written, because no later report
        // repeats their content.
        let is_final = report.stage == Stage::Writing && report.done == report.of;
        let too_recent = last
            .is_some_and(|(last, stage)| last.elapsed() < WRITE_INTERVAL && stage == report.stage);
        let too_recent = too_recent && !is_final;
        if !too_recent {
            *last = Some((Instant::now(), report.stage));
            // A write error is ignored, because a failure of monitoring must not end the
            // computation.
            let _ = self.write(report);
        }
    }

    fn write(&self, report: &Report) -> Result<(), Diagnostic> {
        files::write(self.files, &self.file, |out| {
            out.write_all(text(report).as_bytes())
        })
    }
}

fn text(report: &Report) -> String {
    let rows = [
        (
            "round",
            "gauge",
            "Current round of this stage.",
            report.round,
        ),
        (
            "rounds_total",
            "counter",
            "Rounds completed in all stages.",
            report.rounds,
        ),
        (
            "done",
            "gauge",
            "Positions completed in this stage.",
            report.done,
        ),
        ("of", "gauge", "Positions known in this stage.", report.of),
        (
            "sent_bytes_total",
            "counter",
            "Bytes sent between workers.",
            report.sent,
        ),
        (
            "held_bytes",
            "gauge",
            "Peak memory of a worker in bytes, as estimated by the worker.",
            report.memory,
        ),
        (
            "checkpoints_total",
            "counter",
            "Checkpoints written.",
            report.checkpoints,
        ),
    ];
    let mut out = String::from(
        "# HELP grundy_label_stage Current stage of all processes.\n# TYPE grundy_label_stage gauge\n",
    );
    for stage in Stage::ALL {
        let is = u8::from(stage == report.stage);
        let _ = writeln!(out, "grundy_label_stage{{stage=\"{}\"}} {is}", stage.name());
    }
    for (name, kind, help, number) in rows {
        let name = format!("grundy_label_{name}");
        let _ = writeln!(
            out,
            "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {number}"
        );
    }
    out
}
