//! Counters of the server, in the text format of Prometheus.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper bounds of the buckets of the duration histogram, in milliseconds.
const BUCKETS: [u64; 8] = [1, 5, 20, 100, 500, 2_000, 10_000, 60_000];

/// Counters of events since the server was started.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Number of HTTP responses, by the first digit of their status. The first entry counts 2xx.
    answers: [AtomicU64; 4],
    /// Histogram of the durations of requests. The last bucket has no upper bound.
    durations: [AtomicU64; BUCKETS.len() + 1],
    microseconds: AtomicU64,
    /// Number of questions that were too slow for the quick lane, in which every new question
    /// starts.
    pub(crate) heavy: AtomicU64,
    /// Number of requests that were rejected because of overload or the rate limit.
    pub(crate) busy: AtomicU64,
    /// Number of processes that died or were killed before they had answered.
    pub(crate) ended: AtomicU64,
    /// Number of jobs that were started. A job is a long-running question that reports its
    /// progress.
    pub(crate) jobs: AtomicU64,
    /// Number of requests that are in progress.
    pub(crate) in_progress: AtomicU64,
}

impl Metrics {
    /// Counts an HTTP response by its status and by the time `elapsed` since its request.
    pub(crate) fn count_answer(&self, status: u16, elapsed: Duration) {
        let hundreds = usize::from(status / 100).clamp(2, 5) - 2;
        self.answers[hundreds].fetch_add(1, Ordering::Relaxed);
        let milliseconds = elapsed.as_millis() as u64;
        let bucket = BUCKETS.iter().position(|end| milliseconds < *end);
        self.durations[bucket.unwrap_or(BUCKETS.len())].fetch_add(1, Ordering::Relaxed);
        self.microseconds
            .fetch_add(elapsed.as_micros() as u64, Ordering::Relaxed);
    }

    /// Returns the counters in the text format of Prometheus.
    pub(crate) fn text(&self) -> String {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let mut out = String::new();
        let head = |name: &str, kind: &str, help: &str| {
            format!("# HELP {name} {help}\n# TYPE {name} {kind}\n")
        };
        out += &head(
            "grundy_answers_total",
            "counter",
            "Answers by class of status.",
        );
        for (hundreds, counter) in (2..).zip(&self.answers) {
            let _ = writeln!(
                out,
                "grundy_answers_total{{class=\"{hundreds}xx\"}} {}",
                get(counter)
            );
        }
        out += &head("grundy_answer_seconds", "histogram", "Time to the answer.");
        // In the format of Prometheus, each bucket also counts the events of all smaller buckets.
        let mut below = 0;
        for (index, counter) in self.durations.iter().enumerate() {
            below += get(counter);
            let end = BUCKETS
                .get(index)
                .map_or("+Inf".to_owned(), |end| (*end as f64 / 1000.0).to_string());
            let _ = writeln!(out, "grundy_answer_seconds_bucket{{le=\"{end}\"}} {below}");
        }
        let seconds = get(&self.microseconds) as f64 / 1e6;
        let _ = writeln!(out, "grundy_answer_seconds_sum {seconds}");
        let _ = writeln!(out, "grundy_answer_seconds_count {below}");
        for (name, kind, help, counter) in [
            (
                "grundy_heavy_total",
                "counter",
                "Questions that were not answered immediately.",
                &self.heavy,
            ),
            (
                "grundy_busy_total",
                "counter",
                "Questions rejected because the server was busy.",
                &self.busy,
            ),
            (
                "grundy_ended_total",
                "counter",
                "Worker processes that ended before they answered.",
                &self.ended,
            ),
            ("grundy_jobs_total", "counter", "Jobs started.", &self.jobs),
            (
                "grundy_under_way",
                "gauge",
                "Questions being answered.",
                &self.in_progress,
            ),
        ] {
            out += &head(name, kind, help);
            let _ = writeln!(out, "{name} {}", get(counter));
        }
        out
    }
}
