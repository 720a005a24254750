//! Edge lists: graphs in CSV, DOT and JSON, read as a stream.
//!
//! A vertex is known by its name. A name is at most [`LONGEST_NAME`] bytes long, so that no input
//! can fill the memory with one, and what is kept is checked against the limits while it is read.

mod csv;
mod dot;
mod json;

use std::io::{self, BufRead};
use std::path::Path;

use grundy::graph::{Digraph, Names, Network};
use grundy::{Kind, Limits, Message, message};

use crate::Diagnostic;

/// Longest name of a vertex, in bytes.
pub const LONGEST_NAME: usize = 1 << 20;

/// A text format of edge lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Columns `from` and `to`; an empty `to` names a vertex alone.
    Csv,
    /// The language of Graphviz, directed graphs.
    Dot,
    /// A map `{"a": ["b", "c"]}`, or a list of pairs `["a", "b"]` or objects
    /// `{"from": "a", "to": "b"}`.
    Json,
}

impl Format {
    /// Returns the format that the ending of a file name stands for.
    #[must_use]
    pub fn of(file: &Path) -> Option<Self> {
        let ending = file.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "csv" => Some(Self::Csv),
            "dot" | "gv" => Some(Self::Dot),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// Reads an edge list.
///
/// ```
/// use grundy::Limits;
/// use grundy_notation::edges::{Format, read};
/// let text = "from,to\na,b\nb,a\nb,c\n";
/// let network = read(Format::Csv, text.as_bytes(), &Limits::default()).unwrap();
/// assert_eq!((network.names.len(), network.graph.edges()), (3, 3));
/// ```
///
/// # Errors
/// The first thing that is not as it should be, with its line, or the limit that was reached.
pub fn read(
    format: Format,
    input: impl BufRead,
    limits: &Limits<'_>,
) -> Result<Network, Diagnostic> {
    let mut edges = Edges::new(limits);
    edges.read(format, input)?;
    edges.finish()
}

/// Visits the rows of an edge list in CSV, one after the other: a move by the names of its ends, or
/// a vertex alone.
///
/// ```
/// use grundy_notation::edges::rows;
/// let mut seen = Vec::new();
/// rows("from,to\na,b\nc,\n".as_bytes(), |from, to| {
///     seen.push((from.to_owned(), to.map(str::to_owned)));
///     Ok(())
/// })?;
/// assert_eq!(seen, [("a".to_owned(), Some("b".to_owned())), ("c".to_owned(), None)]);
/// # Ok::<(), grundy::Diagnostic>(())
/// ```
///
/// # Errors
/// The first thing that is not as it should be, with its line, or what `row` ended with.
pub fn rows(
    input: impl BufRead,
    row: impl FnMut(&str, Option<&str>) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    csv::read(input, row)
}

/// Edges being collected.
#[derive(Debug)]
pub struct Edges<'a> {
    names: Names,
    pairs: Vec<(u32, u32)>,
    limits: &'a Limits<'a>,
    steps: u32,
    waiting: Waiting,
}

/// Rows whose names are not looked up yet: it is quicker to look up many at once.
#[derive(Debug, Default)]
struct Waiting {
    text: String,
    /// Where each name ends.
    ends: Vec<usize>,
    /// How many names each row has, one or two.
    rows: Vec<u8>,
    numbers: Vec<u32>,
}

impl Waiting {
    fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    fn full(&self) -> bool {
        self.rows.len() >= 512 || self.text.len() >= 1 << 20
    }
}

impl<'a> Edges<'a> {
    /// None yet.
    #[must_use]
    pub fn new(limits: &'a Limits<'a>) -> Self {
        Self {
            names: Names::default(),
            pairs: Vec::new(),
            limits,
            steps: 0,
            waiting: Waiting::default(),
        }
    }

    /// Adds all of an edge list.
    ///
    /// # Errors
    /// As [`read`].
    pub fn read(&mut self, format: Format, input: impl BufRead) -> Result<(), Diagnostic> {
        match format {
            Format::Csv => csv::read(input, |from, to| self.row(from, to)),
            Format::Dot => dot::read(input, self),
            Format::Json => json::read(input, self),
        }
    }

    /// Adds a move, or a vertex alone, by names.
    ///
    /// # Errors
    /// A name that is too long, or a limit.
    pub fn row(&mut self, from: &str, to: Option<&str>) -> Result<(), Diagnostic> {
        if from.len().max(to.map_or(0, str::len)) > LONGEST_NAME {
            return Err(too_long());
        }
        self.waiting.push(from);
        if let Some(to) = to {
            self.waiting.push(to);
        }
        self.waiting.rows.push(1 + u8::from(to.is_some()));
        if self.waiting.full() {
            return self.look_up();
        }
        Ok(())
    }

    /// Gives the names that wait their numbers.
    fn look_up(&mut self) -> Result<(), Diagnostic> {
        let mut waiting = std::mem::take(&mut self.waiting);
        let mut start = 0;
        let names: Vec<&str> = waiting
            .ends
            .iter()
            .map(|&end| &waiting.text[std::mem::replace(&mut start, end)..end])
            .collect();
        self.names.numbers(&names, &mut waiting.numbers);
        let mut numbers = waiting.numbers.iter().copied();
        for &row in &waiting.rows {
            if let (Some(from), 2) = (numbers.next(), row) {
                self.pairs.extend(numbers.next().map(|to| (from, to)));
            }
        }
        waiting.text.clear();
        waiting.ends.clear();
        waiting.rows.clear();
        waiting.numbers.clear();
        self.waiting = waiting;
        self.check()
    }

    /// Returns the number of a vertex, which may be new.
    ///
    /// # Errors
    /// A name that is too long, or a limit.
    pub fn vertex(&mut self, name: &str) -> Result<u32, Diagnostic> {
        if name.len() > LONGEST_NAME {
            return Err(too_long());
        }
        self.step()?;
        Ok(self.names.number(name))
    }

    /// Adds a move.
    ///
    /// # Errors
    /// A limit.
    pub fn edge(&mut self, from: u32, to: u32) -> Result<(), Diagnostic> {
        self.step()?;
        self.pairs.push((from, to));
        Ok(())
    }

    fn step(&mut self) -> Result<(), Diagnostic> {
        self.steps = self.steps.wrapping_add(1);
        if !self.steps.is_multiple_of(1 << 12) {
            return Ok(());
        }
        self.check()
    }

    fn check(&self) -> Result<(), Diagnostic> {
        if self.names.len() >= Digraph::MOST_VERTICES - (1 << 12)
            || self.pairs.len() >= Digraph::MOST_EDGES - (1 << 12)
        {
            let message = message!("a graph has less than 2^31 vertices and 2^32 edges");
            return Err(Diagnostic::new(Kind::Limit, message));
        }
        // The list of edges, then its rows, its rows turned round and the labels.
        let bytes = self.names.bytes() + 18 * self.names.len() + 12 * self.pairs.len();
        let limits = self.limits;
        limits
            .check(self.names.len() as u64, 0)
            .and_then(|()| limits.check(1, bytes as u64))
            .and_then(|()| limits.poll())
            .map_err(Diagnostic::from)
    }

    /// Returns the graph.
    ///
    /// # Errors
    /// A limit.
    pub fn finish(mut self) -> Result<Network, Diagnostic> {
        self.look_up()?;
        Ok(Network::new(self.names, &self.pairs))
    }
}

fn too_long() -> Diagnostic {
    Diagnostic::new(Kind::Range, message!("a name is longer than 1 MiB"))
        .help(message!("give the vertices shorter names, such as numbers"))
}

/// Returns the same diagnostic, with the line in front.
fn on_line(line: u64, mut diagnostic: Diagnostic) -> Diagnostic {
    if !matches!(diagnostic.kind, Kind::Limit | Kind::Lost) {
        diagnostic.message = message!("line {line}: {what}", line, what = diagnostic.message);
    }
    diagnostic
}

fn unreadable(error: &io::Error) -> Diagnostic {
    Diagnostic::new(Kind::Io, Message::from(error))
}
