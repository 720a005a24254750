//! Reading game graphs from files.

#[cfg(feature = "parquet")]
mod parquet;

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use grundy::graph::Network;
use grundy::{Diagnostic, Kind, Limits, message};
use grundy_notation::edges;

use crate::files::Files;
use crate::job::Job;
use crate::progress::Progress;
use crate::question::GraphFormat;

/// Counts what is read.
struct Counted<'a, R> {
    input: R,
    read: u64,
    of: u64,
    job: &'a Job,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.read += count as u64;
        let (read, of) = (self.read, self.of);
        self.job.report(&Progress::Reading { read, of });
        Ok(count)
    }
}

/// The graph in `file`; `-` is standard input.
pub(crate) fn read(
    file: &Path,
    format: Option<GraphFormat>,
    limits: &Limits<'_>,
    files: &Files,
    job: &Job,
) -> Result<Network, Diagnostic> {
    let standard = file == Path::new("-");
    let name = if standard {
        message!("standard input")
    } else {
        message!("{name}", name = file.display())
    };
    let format = match format.or_else(|| by_ending(file)) {
        Some(format) => format,
        None if standard => GraphFormat::Csv,
        None => {
            let message = message!("{name}: the ending says nothing about the format", name);
            return Err(Diagnostic::new(Kind::Io, message).help(message!(
                "the endings are .csv, .dot, .gv, .json and .parquet; or say it with --format"
            )));
        }
    };
    let named = |mut diagnostic: Diagnostic| {
        diagnostic.message = message!("{name}: {what}", name, what = diagnostic.message);
        diagnostic
    };
    let text = match format {
        GraphFormat::Csv => edges::Format::Csv,
        GraphFormat::Dot => edges::Format::Dot,
        GraphFormat::Json => edges::Format::Json,
        GraphFormat::Parquet => {
            let input = files.open(file)?;
            job.report(&Progress::Doing(message!("reading")));
            return parquet(input, limits).map_err(named);
        }
    };
    if standard {
        files.on_disk(file)?;
        let input = Counted {
            input: io::stdin().lock(),
            read: 0,
            of: 0,
            job,
        };
        return edges::read(text, BufReader::with_capacity(1 << 18, input), limits).map_err(named);
    }
    let (input, of) = files.input(file)?;
    let input = Counted {
        input,
        read: 0,
        of,
        job,
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
fn parquet(input: File, limits: &Limits<'_>) -> Result<Network, Diagnostic> {
    parquet::read(input, limits)
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: File, _: &Limits<'_>) -> Result<Network, Diagnostic> {
    Err(without_parquet())
}

/// Parquet was left out of this build.
pub(crate) fn without_parquet() -> Diagnostic {
    Diagnostic::new(Kind::Io, message!("this grundy was built without Parquet"))
        .help(message!("build it without --no-default-features"))
}

/// The graph in a file, for `graph("moves.csv", "a")`.
pub(crate) fn open(file: &str, files: &Files) -> Result<Arc<Network>, Diagnostic> {
    let limits = Limits::default();
    // Without a limit of time no clock is needed.
    let quiet = Job::timed(limits.positions, limits.memory, || Duration::ZERO);
    let mut network = read(Path::new(file), None, &limits, files, &quiet).map_err(
        // The place in the file is none in the expression.
        |diagnostic| Diagnostic {
            help: diagnostic.help,
            ..Diagnostic::new(diagnostic.kind, diagnostic.message)
        },
    )?;
    network.file = Some(file.to_owned());
    Ok(Arc::new(network))
}
