//! Reading of game graphs from files.

#[cfg(feature = "parquet")]
mod parquet;

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use grundy_core::graph::Network;
use grundy_core::message::Setting;
use grundy_core::{Diagnostic, Kind, Limits, Message, message};
use grundy_notation::edges::{self, EdgeCollector};
use serde::Deserialize;

use crate::files::{Files, failed};
use crate::job::Job;
use crate::progress::Progress;

/// The format of a graph file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "a doc comment would be the help of the value")]
pub enum GraphFormat {
    Csv,
    Dot,
    Gml,
    Graphml,
    Json,
    #[serde(skip_deserializing)]
    Parquet,
    Text,
}

/// A reader that reports to the job how many bytes have been read.
struct CountingReader<'a, R> {
    input: R,
    read: u64,
    total: u64,
    job: &'a Job,
}

impl<R: Read> Read for CountingReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.read += count as u64;
        let (read, of) = (self.read, self.total);
        self.job.report(&Progress::Reading { read, of });
        Ok(count)
    }
}

/// Reads the graph in a file, or in all files of a folder. If the name is `-`, standard input is
/// read. Returns the graph, and remarks about how the files were read. The remarks are also
/// reported to the job.
///
/// # Errors
/// A missing permission, or a file that cannot be read or does not contain a graph.
pub fn read(
    file: &Path,
    format: Option<GraphFormat>,
    limits: &Limits<'_>,
    files: &Files,
    job: &Job,
) -> Result<(Network, Vec<Message>), Diagnostic> {
    let mut edges = EdgeCollector::new(limits);
    for part in parts(file, format, files)? {
        part.collect(&mut edges, files, job)?;
    }
    let notes = edges.notes().to_vec();
    finish(edges, job).map(|network| (network, notes))
}

/// Builds the graph, and reports remarks about how the files were read.
fn finish(edges: EdgeCollector<'_>, job: &Job) -> Result<Network, Diagnostic> {
    for note in edges.notes() {
        job.report(&Progress::Note(message!("note: {note}", note)));
    }
    edges.finish()
}

/// One of the files that contain a graph.
#[derive(Clone, Debug)]
pub struct Part {
    file: PathBuf,
    format: GraphFormat,
}

/// Returns the files of a graph. For a folder these are its files with a known extension, sorted by
/// name. Otherwise it is the file itself.
///
/// # Errors
/// A missing permission, an unknown format, or a folder without graph files.
pub fn parts(
    file: &Path,
    format: Option<GraphFormat>,
    files: &Files,
) -> Result<Vec<Part>, Diagnostic> {
    let standard = file == Path::new("-");
    if !standard && matches!(files, Files::Granted) && file.is_dir() {
        let entries = fs::read_dir(file).map_err(|error| failed(file, &error))?;
        let mut parts = Vec::new();
        for entry in entries {
            let part = entry.map_err(|error| failed(file, &error))?.path();
            let format = format_of(&part).map(|ending| format.unwrap_or(ending));
            parts.extend(format.map(|format| Part { file: part, format }));
        }
        // The order of a directory listing is arbitrary, but the numbers of the vertices depend on
        // the order of the files.
        parts.sort_by(|a, b| a.file.cmp(&b.file));
        if parts.is_empty() {
            let message = message!(
                "{file}: there is no graph in this folder",
                file = file.display()
            );
            return Err(Diagnostic::new(Kind::Io, message).help(extension_help()));
        }
        return Ok(parts);
    }
    let format = match format.or_else(|| format_of(file)) {
        Some(format) => format,
        None if standard => GraphFormat::Csv,
        None => {
            let message = message!("{name}: unknown file extension", name = file.display());
            return Err(Diagnostic::new(Kind::Io, message).help(extension_help()));
        }
    };
    Ok(vec![Part {
        file: file.to_owned(),
        format,
    }])
}

fn extension_help() -> Message {
    message!(
        "use .csv, .dot, .gml, .graphml, .json, .parquet or .txt, or set the format with {option}",
        option = Setting::new("format")
    )
}

impl Part {
    /// Returns the name of the file, as messages show it.
    fn name(&self) -> Message {
        if self.is_standard() {
            message!("standard input")
        } else {
            message!("{name}", name = self.file.display())
        }
    }

    fn is_standard(&self) -> bool {
        self.file == Path::new("-")
    }

    fn with_file_name(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        // If the connection to a process was lost, the file is not the cause of the error.
        if diagnostic.kind != Kind::Lost {
            diagnostic.message = message!(
                "{name}: {what}",
                name = self.name(),
                what = diagnostic.message
            );
        }
        diagnostic
    }

    /// Opens the file for reading. The reader reports its progress to the job.
    fn open<'j>(
        &self,
        files: &Files,
        job: &'j Job,
    ) -> Result<BufReader<CountingReader<'j, Box<dyn Read>>>, Diagnostic> {
        let (input, total): (Box<dyn Read>, _) = if self.is_standard() {
            files.on_disk(&self.file)?;
            (Box::new(io::stdin().lock()), 0)
        } else {
            files.input(&self.file)?
        };
        let input = CountingReader {
            input,
            read: 0,
            total,
            job,
        };
        Ok(BufReader::with_capacity(1 << 18, input))
    }

    /// Returns the length of the file in bytes, or 0 if it is unknown.
    #[must_use]
    pub fn length(&self, files: &Files) -> u64 {
        files.input(&self.file).map_or(0, |(_, length)| length)
    }

    /// Calls `row` for each row of the file. A row with two names is a move from the first vertex
    /// to the second. A row with one name is a vertex.
    ///
    /// # Errors
    /// A file that cannot be read, or an error of `row`.
    pub fn rows(
        &self,
        files: &Files,
        job: &Job,
        row: &mut dyn FnMut(&str, Option<&str>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let named = |diagnostic| self.with_file_name(diagnostic);
        match self.format {
            GraphFormat::Csv => edges::rows(self.open(files, job)?, row).map_err(named),
            GraphFormat::Parquet => parquet(files.open(&self.file)?, row).map_err(named),
            GraphFormat::Dot
            | GraphFormat::Gml
            | GraphFormat::Graphml
            | GraphFormat::Json
            | GraphFormat::Text => {
                // A file in one of these formats is not a list of rows, so it is read as a whole
                // graph first.
                let limits = job.limits();
                let mut edges = EdgeCollector::new(&limits);
                self.collect(&mut edges, files, job)?;
                let network = finish(edges, job)?;
                let all = 0..network.names.len() as u32;
                // The names of all vertices come first, so that the vertices keep their numbers.
                all.clone()
                    .try_for_each(|vertex| row(network.names.get(vertex), None))?;
                for vertex in all {
                    for &option in network.graph.options(vertex) {
                        row(network.names.get(vertex), Some(network.names.get(option)))?;
                    }
                }
                Ok(())
            }
        }
    }

    /// Adds the vertices and edges of the file to `edges`.
    fn collect(
        &self,
        edges: &mut EdgeCollector<'_>,
        files: &Files,
        job: &Job,
    ) -> Result<(), Diagnostic> {
        let text = match self.format {
            GraphFormat::Csv => edges::Format::Csv,
            GraphFormat::Dot => edges::Format::Dot,
            GraphFormat::Gml => edges::Format::Gml,
            GraphFormat::Graphml => edges::Format::GraphMl,
            GraphFormat::Json => edges::Format::Json,
            GraphFormat::Text => edges::Format::Text,
            GraphFormat::Parquet => {
                let input = files.open(&self.file)?;
                job.report(&Progress::Doing(message!("reading")));
                let read = parquet(input, &mut |from, to| edges.row(from, to));
                return read.map_err(|diagnostic| self.with_file_name(diagnostic));
            }
        };
        edges
            .read(text, self.open(files, job)?)
            .map_err(|diagnostic| self.with_file_name(diagnostic))
    }
}

fn format_of(file: &Path) -> Option<GraphFormat> {
    if file
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
    {
        return Some(GraphFormat::Parquet);
    }
    Some(match edges::Format::from_extension(file)? {
        edges::Format::Csv => GraphFormat::Csv,
        edges::Format::Dot => GraphFormat::Dot,
        edges::Format::Gml => GraphFormat::Gml,
        edges::Format::GraphMl => GraphFormat::Graphml,
        edges::Format::Json => GraphFormat::Json,
        edges::Format::Text => GraphFormat::Text,
    })
}

#[cfg(feature = "parquet")]
fn parquet(
    input: File,
    row: &mut dyn FnMut(&str, Option<&str>) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    parquet::read(input, row)
}

#[cfg(not(feature = "parquet"))]
fn parquet(
    _: File,
    _: &mut dyn FnMut(&str, Option<&str>) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    Err(without_parquet())
}

/// Returns the error for a program that was built without support for Parquet.
#[must_use]
pub fn without_parquet() -> Diagnostic {
    Diagnostic::new(
        Kind::Io,
        message!("this program was built without the feature `parquet`"),
    )
    .help(message!("build the program with the cargo feature `full`"))
}

/// Reads the graph in a file, for an expression such as `graph("moves.csv", "a")`. Returns the
/// graph, and remarks about how the file was read.
///
/// # Errors
/// A missing permission, or a file that cannot be read or does not contain a graph.
pub fn open(file: &str, files: &Files) -> Result<(Arc<Network>, Vec<Message>), Diagnostic> {
    let limits = Limits::default();
    // There is no time limit, so the clock is never read.
    let silent = Job::with_clock(limits.positions, limits.memory, || Duration::ZERO);
    // Moves that are written out contain arrows or line breaks, and need no file.
    if file.contains("->") || file.contains('\n') {
        let mut edges = EdgeCollector::new(&limits);
        edges.read(edges::Format::Text, file.as_bytes())?;
        let notes = edges.notes().to_vec();
        return Ok((Arc::new(edges.finish()?), notes));
    }
    let path = Path::new(file);
    let (mut network, notes) = read(path, None, &limits, files, &silent).map_err(
        // The position of the error refers to the file and not to the expression, so it is removed.
        // The help is replaced, since an expression cannot specify the format.
        |diagnostic| {
            let help = diagnostic.help.map(|help| match format_of(path) {
                None => message!(
                    "write the name of a file with the extension .csv, .dot, .gml, .graphml, .json, .parquet or .txt, or write the moves as graph(\"a->b b->c\", \"a\")"
                ),
                Some(_) => help,
            });
            Diagnostic {
                help,
                ..Diagnostic::new(diagnostic.kind, diagnostic.message)
            }
        },
    )?;
    network.file = Some(file.to_owned());
    Ok((Arc::new(network), notes))
}
