//! Checkpoints of a long labelling: a line of JSON, the graph as far as it was found, a checksum.
//!
//! After the line come the names one after the other, then in little-endian order where each ends (8 bytes), how many moves
//! each vertex has that was looked at (4 bytes), where they lead (4 bytes), and the CRC-32 of all before (4 bytes).

use std::cmp::Ordering;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, UNIX_EPOCH};

use crc32fast::Hasher;
use grundy::graph::{Digraph, Names, Network};
use grundy::{Kind, Limits};
use grundy_notation::Diagnostic;
use serde_json::{Value, json};

use super::source::Source;
use crate::arguments::Label;
use crate::failure::Failure;
use crate::session::Session;
use crate::whole_file;

/// Longest line at the beginning of a checkpoint.
const LONGEST_HEAD: u64 = 1 << 26;

/// When checkpoints are written, where, and for what.
pub(super) struct Checkpoints {
    file: Option<PathBuf>,
    /// Whether the file was asked for by name.
    named: bool,
    resume: bool,
    /// What is labelled, so that a checkpoint of something else is not taken for it.
    of: Value,
    every: Duration,
    last: Instant,
    written: bool,
}

impl Checkpoints {
    pub(super) fn new(
        arguments: &Label,
        source: &Source<'_>,
        session: &Session,
    ) -> Result<Self, Failure> {
        let beside = || {
            let output = arguments.output.as_ref().or(arguments.tablebase.as_ref())?;
            let mut name = OsString::from(output);
            name.push(".checkpoint");
            Some(PathBuf::from(name))
        };
        let file = arguments.checkpoint.clone().or_else(beside);
        if arguments.resume && file.is_none() {
            let message = "--resume needs to know where the checkpoint is";
            let help = "give --output, --tablebase or --checkpoint as before";
            return Err(Diagnostic::new(Kind::Io, message).help(help).into());
        }
        Ok(Self {
            file,
            named: arguments.checkpoint.is_some(),
            resume: arguments.resume,
            of: identity(source, session),
            every: Duration::try_from_secs_f64(arguments.every).unwrap_or(Duration::MAX),
            last: Instant::now(),
            written: false,
        })
    }

    /// Seconds between two.
    pub(super) fn every(&self) -> Duration {
        self.every
    }

    /// Whether it is time for one.
    pub(super) fn due(&self) -> bool {
        self.file.is_some() && self.last.elapsed() >= self.every
    }

    /// Whether there is one now.
    pub(super) fn written(&self) -> bool {
        self.written
    }

    /// Writes one.
    pub(super) fn write(&mut self, found: &Network) -> Result<(), Failure> {
        if let Some(file) = &self.file {
            let begun = Instant::now();
            write(file, &self.of, found)?;
            self.written = true;
            // Writing takes a tenth of the time at most.
            self.every = self.every.max(10 * begun.elapsed());
        }
        self.last = Instant::now();
        Ok(())
    }

    /// Writes one where the work is stopped, if it was asked for or the work has been long.
    pub(super) fn write_at_the_end(&mut self, found: &Network) -> Result<(), Failure> {
        if self.named || self.written {
            self.write(found)?;
        }
        Ok(())
    }

    /// What the checkpoint holds, when there is one to go on from.
    pub(super) fn resumed(&mut self, limits: &Limits<'_>) -> Result<Option<Network>, Failure> {
        let Some(file) = self.file.as_ref().filter(|_| self.resume) else {
            return Ok(None);
        };
        let found = read(file, &self.of, limits)?;
        self.written = true;
        Ok(Some(found))
    }

    /// Removes the checkpoint: the work is done.
    pub(super) fn done(&self) {
        if let (Some(file), true) = (&self.file, self.written) {
            // The work is done even if this fails, and the next checkpoint replaces it.
            let _ = fs::remove_file(file);
        }
    }
}

/// What is labelled, and by which rules.
fn identity(source: &Source<'_>, session: &Session) -> Value {
    match source {
        Source::Position(position, _) => json!({
            "position": position.to_string(),
            "rules": session.rules().map(|rules| crc32fast::hash(rules.source().as_bytes())),
        }),
        Source::File(file) => {
            let data = fs::metadata(file).ok();
            let changed = data.as_ref().and_then(|data| data.modified().ok());
            let changed = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            json!({
                "file": file.display().to_string(),
                "bytes": data.map(|data| data.len()),
                "changed": changed.map(|time| time.as_nanos().to_string()),
            })
        }
    }
}

/// The parts of a checkpoint whose sum is kept on the way.
struct Summed<T> {
    inner: T,
    sum: Hasher,
}

impl<T: Write> Summed<T> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.inner.write_all(bytes)
    }
}

impl<T: Read> Summed<T> {
    fn take<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.inner.read_exact(&mut bytes)?;
        self.sum.update(&bytes);
        Ok(bytes)
    }
}

fn write(file: &Path, of: &Value, found: &Network) -> Result<(), Failure> {
    let Network { graph, names, .. } = found;
    let (rows, vertices) = (graph.vertices() as u32, names.len() as u32);
    let head = json!({
        "kind": "label checkpoint",
        "version": 1,
        "of": of,
        "names": vertices,
        "text": (0..vertices).map(|v| names.get(v).len() as u64).sum::<u64>(),
        "looked_at": rows,
        "moves": graph.edges(),
    });
    whole_file::write(file, |out| {
        let mut out = Summed {
            inner: out,
            sum: Hasher::new(),
        };
        out.put(format!("{head}\n").as_bytes())?;
        for v in 0..vertices {
            out.put(names.get(v).as_bytes())?;
        }
        let mut end = 0u64;
        for v in 0..vertices {
            end += names.get(v).len() as u64;
            out.put(&end.to_le_bytes())?;
        }
        for v in 0..rows {
            out.put(&(graph.options(v).len() as u32).to_le_bytes())?;
        }
        for v in 0..rows {
            for w in graph.options(v) {
                out.put(&w.to_le_bytes())?;
            }
        }
        let sum = out.sum.finalize();
        out.inner.write_all(&sum.to_le_bytes())
    })
}

fn read(file: &Path, of: &Value, limits: &Limits<'_>) -> Result<Network, Failure> {
    let name = file.display();
    let refuse = |what: &str| {
        Failure::from(
            Diagnostic::new(Kind::Io, format!("{name}: {what}"))
                .help("leave --resume out to begin again"),
        )
    };
    let broken = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => refuse("the checkpoint is cut off"),
        _ => refuse(&error.to_string()),
    };
    let damaged = || refuse("the checkpoint is damaged");
    let opened = File::open(file).map_err(|error| refuse(&error.to_string()))?;
    let length = opened.metadata().map_err(broken)?.len();
    let mut input = BufReader::with_capacity(1 << 18, opened);
    let mut head = Vec::new();
    let mut line = Read::by_ref(&mut input).take(LONGEST_HEAD);
    line.read_until(b'\n', &mut head).map_err(broken)?;
    if head.is_empty() {
        return Err(refuse("the checkpoint is cut off"));
    }
    let line: Value = serde_json::from_slice(&head).map_err(|_| refuse("not a checkpoint"))?;
    if line["kind"] != "label checkpoint" || line["version"] != 1 {
        return Err(refuse("not a checkpoint of this version"));
    }
    if line["of"] != *of {
        return Err(refuse(&format!(
            "the checkpoint is of {}, not of {of}",
            line["of"]
        )));
    }
    let number = |key: &str| line[key].as_u64().ok_or_else(damaged);
    let (vertices, rows, edges) = (number("names")?, number("looked_at")?, number("moves")?);
    let text = number("text")?;
    let parts = [
        8 * u128::from(vertices),
        4 * u128::from(rows),
        4 * u128::from(edges),
    ];
    let whole = parts.iter().sum::<u128>() + u128::from(text) + head.len() as u128 + 4;
    match whole.cmp(&u128::from(length)) {
        Ordering::Greater => return Err(refuse("the checkpoint is cut off")),
        Ordering::Equal => {}
        Ordering::Less => return Err(damaged()),
    }
    if vertices > Digraph::MOST_VERTICES as u64
        || edges > Digraph::MOST_EDGES as u64
        || rows > vertices
    {
        return Err(damaged());
    }
    limits.check(vertices, 0)?;
    limits.check(1, length.saturating_mul(2))?;
    let mut sum = Hasher::new();
    sum.update(&head);
    let mut input = Summed { inner: input, sum };
    let mut all = vec![0; text as usize];
    input.inner.read_exact(&mut all).map_err(broken)?;
    input.sum.update(&all);
    let all = String::from_utf8(all).map_err(|_| damaged())?;
    let mut names = Names::default();
    let mut start = 0;
    for number in 0..vertices as u32 {
        let end = u64::from_le_bytes(input.take().map_err(broken)?) as usize;
        let name = all.get(start..end).ok_or_else(damaged)?;
        if names.number(name) != number {
            return Err(damaged());
        }
        start = end;
    }
    let mut degrees = Vec::new();
    for _ in 0..rows {
        degrees.push(u32::from_le_bytes(input.take().map_err(broken)?));
    }
    if degrees.iter().map(|&degree| u64::from(degree)).sum::<u64>() != edges || start != all.len() {
        return Err(damaged());
    }
    let mut graph = Digraph::default();
    for degree in degrees {
        for _ in 0..degree {
            let target = u32::from_le_bytes(input.take().map_err(broken)?);
            if u64::from(target) >= vertices {
                return Err(damaged());
            }
            graph.push_edge(target);
        }
        graph.end_vertex();
    }
    let sum = input.sum.clone().finalize();
    let mut written = [0; 4];
    input.inner.read_exact(&mut written).map_err(broken)?;
    if sum != u32::from_le_bytes(written) {
        return Err(refuse("the checkpoint is damaged: its checksum is wrong"));
    }
    Ok(Network {
        graph,
        names,
        file: None,
    })
}
