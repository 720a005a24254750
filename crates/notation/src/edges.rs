//! Edge lists: graphs in CSV, DOT, JSON, GraphML, GML and plain text. All but GraphML and GML are
//! parsed as a stream.
//!
//! A vertex is identified by its name. A name may have at most [`MAX_NAME_BYTES`] bytes, so that a
//! single name cannot fill the memory. While a graph is parsed, its memory is compared with the
//! limits.

mod csv;
mod dot;
mod gml;
mod graphml;
mod json;
mod text;

use std::io::{self, BufRead, Read as _};
use std::path::Path;

use grundy_core::graph::{Digraph, Names, Network};
use grundy_core::{Kind, Limits, Message, message};

use crate::Diagnostic;

/// Length limit of the name of a vertex, in bytes.
pub const MAX_NAME_BYTES: usize = 1 << 20;

/// A file format for edge lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A table with the columns `from` and `to`. If `to` is empty, the row is a vertex without a
    /// move.
    Csv,
    /// Graphs in DOT, the language of Graphviz.
    Dot,
    /// Graphs in GML, the Graph Modelling Language.
    Gml,
    /// Graphs in GraphML, an XML format.
    GraphMl,
    /// A map such as `{"a": ["b", "c"]}`, or a list of edges. An edge is a pair `["a", "b"]` or an
    /// object `{"from": "a", "to": "b"}`. Also an object with `nodes` and `links`, as `NetworkX`
    /// and D3 write it.
    Json,
    /// Lines such as `a->b b->c`, `a-b`, `a: b c` or `1 2`.
    Text,
}

impl Format {
    /// Returns the format for the extension of a file name, if it is known.
    ///
    /// ```
    /// use grundy_notation::edges::Format;
    /// use std::path::Path;
    /// assert_eq!(Format::from_extension(Path::new("board.gv")), Some(Format::Dot));
    /// assert_eq!(Format::from_extension(Path::new("board.svg")), None);
    /// ```
    #[must_use]
    pub fn from_extension(file: &Path) -> Option<Self> {
        let ending = file.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "csv" => Some(Self::Csv),
            "dot" | "gv" => Some(Self::Dot),
            "gml" => Some(Self::Gml),
            "graphml" | "xml" => Some(Self::GraphMl),
            "json" => Some(Self::Json),
            "txt" | "edges" | "edgelist" | "el" | "adj" | "tsv" => Some(Self::Text),
            _ => None,
        }
    }
}

/// Parses an edge list to a graph.
///
/// ```
/// use grundy_core::Limits;
/// use grundy_notation::edges::{Format, read};
/// let text = "from,to\na,b\nb,a\nb,c\n";
/// let network = read(Format::Csv, text.as_bytes(), &Limits::default()).unwrap();
/// assert_eq!((network.names.len(), network.graph.edges()), (3, 3));
/// ```
///
/// # Errors
/// The first error with its line, or the limit that was reached.
pub fn read(
    format: Format,
    input: impl BufRead,
    limits: &Limits<'_>,
) -> Result<Network, Diagnostic> {
    let mut edges = EdgeCollector::new(limits);
    edges.read(format, input)?;
    edges.finish()
}

/// Calls `row` for each row of an edge list in CSV. A row for a move has two names, those of its
/// source and its target. A row for a vertex without moves has one name.
///
/// ```
/// use grundy_notation::edges::rows;
/// let mut seen = Vec::new();
/// rows("from,to\na,b\nc,\n".as_bytes(), |from, to| {
///     seen.push((from.to_owned(), to.map(str::to_owned)));
///     Ok(())
/// })?;
/// assert_eq!(seen, [("a".to_owned(), Some("b".to_owned())), ("c".to_owned(), None)]);
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
///
/// # Errors
/// The first error with its line, or an error of `row`.
pub fn rows(
    input: impl BufRead,
    row: impl FnMut(&str, Option<&str>) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    csv::read(input, row)
}

/// A collector that builds a graph from edges.
#[derive(Debug)]
pub struct EdgeCollector<'a> {
    names: Names,
    pairs: Vec<(u32, u32)>,
    limits: &'a Limits<'a>,
    steps: u32,
    pending: PendingRows,
    notes: Vec<Message>,
}

/// Rows whose names are not yet interned. If many names are interned at once, their cache misses
/// overlap.
#[derive(Debug, Default)]
struct PendingRows {
    text: String,
    /// For each name, the byte index in `text` at which it ends.
    ends: Vec<usize>,
    /// The number of names of each row, one or two.
    rows: Vec<u8>,
    numbers: Vec<u32>,
}

impl PendingRows {
    fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    fn is_full(&self) -> bool {
        // The interner looks up names in batches, for which 512 rows suffice. The limit of 1 MiB
        // applies if names are long.
        self.rows.len() >= 512 || self.text.len() >= 1 << 20
    }
}

impl<'a> EdgeCollector<'a> {
    /// Creates a collector without edges.
    ///
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_notation::edges::EdgeCollector;
    /// let limits = Limits::default();
    /// let network = EdgeCollector::new(&limits).finish()?;
    /// assert_eq!((network.names.len(), network.graph.edges()), (0, 0));
    /// # Ok::<(), grundy_notation::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn new(limits: &'a Limits<'a>) -> Self {
        Self {
            names: Names::default(),
            pairs: Vec::new(),
            limits,
            steps: 0,
            pending: PendingRows::default(),
            notes: Vec::new(),
        }
    }

    /// Adds a remark about how the text was read.
    pub(crate) fn note(&mut self, note: Message) {
        self.notes.push(note);
    }

    /// Adds the remark that edges without a direction were read.
    pub(crate) fn note_undirected(&mut self) {
        self.note(message!(
            "edges without a direction are moves in both directions"
        ));
    }

    /// Returns the number of edges added so far.
    fn edges(&self) -> usize {
        self.pairs.len()
    }

    /// Adds the reverse of each edge from the index `first` on, except loops.
    fn add_reversed(&mut self, first: usize) -> Result<(), Diagnostic> {
        for index in first..self.pairs.len() {
            let (from, to) = self.pairs[index];
            if from != to {
                self.edge(to, from)?;
            }
        }
        Ok(())
    }

    /// Returns remarks about how the texts were read, for example how vertices are numbered.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_notation::edges::{EdgeCollector, Format};
    /// let limits = Limits::default();
    /// let mut edges = EdgeCollector::new(&limits);
    /// edges.read(Format::Text, "3 2\n1 2\n2 3\n".as_bytes())?;
    /// assert!(edges.notes()[0].ends_with("numbered from 1"));
    /// assert_eq!(edges.finish()?.names.len(), 3);
    /// # Ok::<(), grundy_notation::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn notes(&self) -> &[Message] {
        &self.notes
    }

    /// Adds all vertices and edges of an edge list.
    ///
    /// # Errors
    /// The errors of the function [`read`].
    ///
    /// # Examples
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_notation::edges::{EdgeCollector, Format};
    /// let limits = Limits::default();
    /// let mut edges = EdgeCollector::new(&limits);
    /// edges.read(Format::Csv, "from,to\na,b\n".as_bytes())?;
    /// edges.read(Format::Json, r#"{"b": ["a", "c"]}"#.as_bytes())?;
    /// let network = edges.finish()?;
    /// assert_eq!((network.names.len(), network.graph.edges()), (3, 3));
    /// # Ok::<(), grundy_notation::Diagnostic>(())
    /// ```
    pub fn read(&mut self, format: Format, input: impl BufRead) -> Result<(), Diagnostic> {
        match format {
            Format::Csv => csv::read(input, |from, to| self.row(from, to)),
            Format::Dot => dot::read(input, self),
            Format::Gml => gml::read(input, self),
            Format::GraphMl => graphml::read(input, self),
            Format::Json => json::read(input, self),
            Format::Text => text::read(input, self),
        }
    }

    /// Adds a move from the vertex `from` to the vertex `to`. If `to` is `None`, adds only the
    /// vertex `from`.
    ///
    /// # Errors
    /// A name that is too long, or the limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_notation::edges::EdgeCollector;
    /// let limits = Limits::default();
    /// let mut edges = EdgeCollector::new(&limits);
    /// edges.row("a", Some("b"))?;
    /// edges.row("c", None)?;
    /// let network = edges.finish()?;
    /// assert_eq!((network.names.len(), network.graph.edges()), (3, 1));
    /// # Ok::<(), grundy_notation::Diagnostic>(())
    /// ```
    pub fn row(&mut self, from: &str, to: Option<&str>) -> Result<(), Diagnostic> {
        if from.len().max(to.map_or(0, str::len)) > MAX_NAME_BYTES {
            return Err(name_too_long());
        }
        self.pending.push(from);
        if let Some(to) = to {
            self.pending.push(to);
        }
        self.pending.rows.push(1 + u8::from(to.is_some()));
        if self.pending.is_full() {
            return self.intern_pending();
        }
        Ok(())
    }

    /// Interns the names of the pending rows, and adds their moves.
    fn intern_pending(&mut self) -> Result<(), Diagnostic> {
        // `pending` is moved out of `self` and moved back later. So its buffers are reused,
        // although `self` is borrowed.
        let mut pending = std::mem::take(&mut self.pending);
        let mut start = 0;
        let names: Vec<&str> = pending
            .ends
            .iter()
            .map(|&end| &pending.text[std::mem::replace(&mut start, end)..end])
            .collect();
        self.names.intern_all(&names, &mut pending.numbers);
        let mut numbers = pending.numbers.iter().copied();
        for &row in &pending.rows {
            if let (Some(from), 2) = (numbers.next(), row) {
                self.pairs.extend(numbers.next().map(|to| (from, to)));
            }
        }
        pending.text.clear();
        pending.ends.clear();
        pending.rows.clear();
        pending.numbers.clear();
        self.pending = pending;
        self.check()
    }

    /// Returns the index of the vertex called `name`. A new vertex gets the next free index.
    ///
    /// # Errors
    /// A name that is too long, or the limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_notation::edges::EdgeCollector;
    /// let limits = Limits::default();
    /// let mut edges = EdgeCollector::new(&limits);
    /// assert_eq!((edges.vertex("a")?, edges.vertex("b")?, edges.vertex("a")?), (0, 1, 0));
    /// # Ok::<(), grundy_notation::Diagnostic>(())
    /// ```
    pub fn vertex(&mut self, name: &str) -> Result<u32, Diagnostic> {
        if name.len() > MAX_NAME_BYTES {
            return Err(name_too_long());
        }
        self.step()?;
        Ok(self.names.intern(name))
    }

    /// Adds a move between two vertices, given by their indices.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::Limits;
    /// use grundy_notation::edges::EdgeCollector;
    /// let limits = Limits::default();
    /// let mut edges = EdgeCollector::new(&limits);
    /// let [a, b] = [edges.vertex("a")?, edges.vertex("b")?];
    /// edges.edge(a, b)?;
    /// edges.edge(b, a)?;
    /// assert_eq!(edges.finish()?.graph.options(b), [a]);
    /// # Ok::<(), grundy_notation::Diagnostic>(())
    /// ```
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
        // The numbers of vertices and edges are checked only after every 2^12 rows, hence the
        // margin.
        if self.names.len() >= Digraph::MAX_VERTICES - (1 << 12)
            || self.pairs.len() >= Digraph::MAX_EDGES - (1 << 12)
        {
            let message =
                message!("a graph must have fewer than 2^31 vertices and fewer than 2^32 edges");
            return Err(Diagnostic::new(Kind::Limit, message));
        }
        // The list of edges and the rows of the graph are in memory at the same time. The
        // transposed edges and the labels come later.
        let bytes = self.names.bytes() + 18 * self.names.len() + 12 * self.pairs.len();
        let limits = self.limits;
        limits
            .check(self.names.len() as u64, 0)
            .and_then(|()| limits.check(1, bytes as u64))
            .and_then(|()| limits.poll())
            .map_err(Diagnostic::from)
    }

    /// Builds the graph from all edges.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{Limits, Outcome, Play};
    /// use grundy_notation::edges::EdgeCollector;
    /// let limits = Limits::default();
    /// let mut edges = EdgeCollector::new(&limits);
    /// for (from, to) in [("a", "b"), ("b", "a"), ("b", "c")] {
    ///     edges.row(from, Some(to))?;
    /// }
    /// // From b the next player moves to c and wins. From a the only move leads to b.
    /// let labels = edges.finish()?.graph.label(Play::Normal);
    /// assert_eq!([0, 1].map(|v| labels.get(v).outcome), [Outcome::P, Outcome::N]);
    /// # Ok::<(), grundy_notation::Diagnostic>(())
    /// ```
    pub fn finish(mut self) -> Result<Network, Diagnostic> {
        self.intern_pending()?;
        Ok(Network::new(self.names, &self.pairs))
    }
}

fn name_too_long() -> Diagnostic {
    Diagnostic::new(
        Kind::Range,
        message!("the name of a vertex is longer than 1 MiB"),
    )
    .help(message!(
        "use shorter names for the vertices, such as numbers"
    ))
}

/// Adds the line number to the beginning of the message of a diagnostic.
fn with_line(line: u64, mut diagnostic: Diagnostic) -> Diagnostic {
    // An error about a limit or a lost connection does not refer to a line.
    if !matches!(diagnostic.kind, Kind::Limit | Kind::Lost) {
        diagnostic.message = message!("line {line}: {what}", line, what = diagnostic.message);
    }
    diagnostic
}

/// Largest length of a file that is read as a whole: 256 MiB.
const MAX_WHOLE_BYTES: u64 = 256 << 20;

/// Reads a text that cannot be parsed as a stream.
fn read_whole(input: impl BufRead) -> Result<String, Diagnostic> {
    let mut bytes = Vec::new();
    (input.take(MAX_WHOLE_BYTES + 1))
        .read_to_end(&mut bytes)
        .map_err(|error| read_error(&error))?;
    if bytes.len() as u64 > MAX_WHOLE_BYTES {
        let message = message!("the file is larger than 256 MiB");
        return Err(Diagnostic::new(Kind::Limit, message));
    }
    String::from_utf8(bytes)
        .map_err(|_| Diagnostic::new(Kind::Encoding, message!("the file is not UTF-8")))
}

fn read_error(error: &io::Error) -> Diagnostic {
    Diagnostic::new(Kind::Io, Message::from(error))
}
