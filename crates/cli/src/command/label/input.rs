//! Reading game graphs from files.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, IsTerminal as _, Read};
use std::path::Path;
use std::time::Duration;

use grundy::graph::Network;
use grundy::{Kind, Limits};
use grundy_notation::{Diagnostic, edges};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};

use crate::arguments::GraphFormat;

/// A bar on a terminal, and nothing elsewhere.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    pub(super) fn new() -> Self {
        if !io::stderr().is_terminal() {
            return Self::none();
        }
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar }
    }

    pub(super) fn none() -> Self {
        Self {
            bar: ProgressBar::hidden(),
        }
    }

    /// Begins a file of so many bytes.
    fn reading(&self, bytes: u64) {
        if let Ok(style) =
            ProgressStyle::with_template("reading {bar:30} {bytes} of {total_bytes}, {eta} left")
        {
            self.bar.set_style(style);
        }
        self.bar.set_length(bytes);
    }

    /// What is being done now, where nothing is counted.
    pub(super) fn say(&self, words: &'static str) {
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
            self.bar.set_style(style);
        }
        self.bar.set_message(words);
    }

    /// How far the search for positions is.
    pub(super) fn explored(&self, looked_at: u32, found: usize) {
        if self.bar.is_hidden() {
            return;
        }
        if let Ok(style) = ProgressStyle::with_template("exploring {spinner} {msg}, {elapsed}") {
            self.bar.set_style(style);
        }
        self.bar.set_message(format!(
            "{} of the {} positions found so far",
            HumanCount(looked_at.into()),
            HumanCount(found as u64)
        ));
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

/// Counts what is read.
struct Counted<'a, R> {
    input: R,
    read: &'a Cell<u64>,
    progress: &'a Progress,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.read.set(self.read.get() + count as u64);
        self.progress.bar.set_position(self.read.get());
        Ok(count)
    }
}

/// The graph in `file`; `-` is standard input.
pub(super) fn read(
    file: &Path,
    format: Option<GraphFormat>,
    limits: &Limits<'_>,
    progress: &Progress,
) -> Result<Network, Diagnostic> {
    let standard = file == Path::new("-");
    let name = if standard {
        "standard input".to_owned()
    } else {
        file.display().to_string()
    };
    let failed = |error: io::Error| Diagnostic::new(Kind::Io, format!("{name}: {error}"));
    let format = match format.or_else(|| by_ending(file)) {
        Some(format) => format,
        None if standard => GraphFormat::Csv,
        None => {
            let message = format!("{name}: the ending says nothing about the format");
            return Err(Diagnostic::new(Kind::Io, message).help(
                "the endings are .csv, .dot, .gv, .json and .parquet; or say it with --format",
            ));
        }
    };
    let named = |mut diagnostic: Diagnostic| {
        diagnostic.message = format!("{name}: {}", diagnostic.message);
        diagnostic
    };
    let text = match format {
        GraphFormat::Csv => edges::Format::Csv,
        GraphFormat::Dot => edges::Format::Dot,
        GraphFormat::Json => edges::Format::Json,
        GraphFormat::Parquet => {
            progress.say("reading");
            return parquet(file, limits).map_err(named);
        }
    };
    let read = Cell::new(0);
    if standard {
        let input = Counted {
            input: io::stdin().lock(),
            read: &read,
            progress,
        };
        return edges::read(text, BufReader::with_capacity(1 << 18, input), limits).map_err(named);
    }
    let input = File::open(file).map_err(failed)?;
    let length = input.metadata().map_err(failed)?;
    if length.is_dir() {
        return Err(named(Diagnostic::new(Kind::Io, "it is a directory")));
    }
    progress.reading(length.len());
    let input = Counted {
        input,
        read: &read,
        progress,
    };
    edges::read(text, BufReader::with_capacity(1 << 18, input), limits).map_err(named)
}

fn by_ending(file: &Path) -> Option<GraphFormat> {
    if file
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
    {
        return Some(GraphFormat::Parquet);
    }
    Some(match edges::Format::of(file)? {
        edges::Format::Csv => GraphFormat::Csv,
        edges::Format::Dot => GraphFormat::Dot,
        edges::Format::Json => GraphFormat::Json,
    })
}

#[cfg(feature = "parquet")]
fn parquet(file: &Path, limits: &Limits<'_>) -> Result<Network, Diagnostic> {
    super::parquet::read(file, limits)
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &Path, _: &Limits<'_>) -> Result<Network, Diagnostic> {
    Err(super::output::without_parquet())
}
