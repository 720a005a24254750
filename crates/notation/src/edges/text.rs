//! Edge lists as plain text. A line contains edges such as `a->b` or `a-b`, or the options of a
//! vertex such as `a: b c`. As in programming contests, it may also be a pair of ends: `1 2`.

use std::io::{BufRead, Read as _};

use grundy_core::{Kind, Message, message};

use super::{EdgeCollector, read_error, with_line};
use crate::Diagnostic;

/// Largest length of a line in bytes.
const MAX_LINE_BYTES: usize = 64 << 20;

/// Largest number of vertices in the first line of a text. A larger number is a vertex.
const MAX_HEADER: u64 = 100_000_000;

pub(super) fn read(
    mut input: impl BufRead,
    edges: &mut EdgeCollector<'_>,
) -> Result<(), Diagnostic> {
    let mut list = EdgeList {
        edges,
        header: None,
        pairs: 0,
        numbers: Some(u64::MAX),
        greatest: 0,
        undirected: false,
    };
    let mut bytes = Vec::new();
    let mut number = 0;
    loop {
        number += 1;
        bytes.clear();
        let read = (&mut input)
            .take(MAX_LINE_BYTES as u64 + 1)
            .read_until(b'\n', &mut bytes)
            .map_err(|error| read_error(&error))?;
        if read == 0 {
            break;
        }
        let error = |kind, message: Message| with_line(number, Diagnostic::new(kind, message));
        if read > MAX_LINE_BYTES {
            return Err(error(
                Kind::Range,
                message!("the line is longer than 64 MiB"),
            ));
        }
        let line = std::str::from_utf8(&bytes)
            .map_err(|_| error(Kind::Encoding, message!("the line is not UTF-8")))?;
        list.line(line, number)
            .map_err(|error| with_line(number, error))?;
    }
    list.finish()
}

/// The edges of a text, while its lines are parsed.
struct EdgeList<'e, 'a> {
    edges: &'e mut EdgeCollector<'a>,
    /// The first line, if it can be the number of vertices and the number of edges.
    header: Option<Header>,
    /// Number of lines with one edge each, such as `1 2`.
    pairs: u64,
    /// The least vertex, if all vertices of such lines are integers.
    numbers: Option<u64>,
    /// The greatest vertex of such lines that is an integer.
    greatest: u64,
    undirected: bool,
}

/// The first line of a text, which is either the size of the graph or an edge.
struct Header {
    names: [String; 2],
    vertices: u64,
    edges: u64,
}

/// A part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word<'a> {
    Name(&'a str),
    /// `->`
    Arrow,
    /// `-` or `--`
    Line,
}

impl EdgeList<'_, '_> {
    fn line(&mut self, line: &str, number: u64) -> Result<(), Diagnostic> {
        let line = line.trim_start_matches('\u{feff}').trim();
        // NetworkX writes the data of an edge in braces after its ends.
        let line = line
            .split_once('{')
            .filter(|(ends, data)| data.ends_with('}') && !ends.contains(':'))
            .map_or(line, |(ends, _)| ends.trim());
        if line.is_empty() || line.starts_with(['#', '%']) || line.starts_with("//") {
            return Ok(());
        }
        if let Some((vertex, options)) = line.split_once(':') {
            self.settle_header()?;
            return self.options(vertex, options);
        }
        let words = words(line)?;
        if words.contains(&Word::Arrow) {
            self.settle_header()?;
            return self.chains(&words, Word::Arrow);
        }
        if words.contains(&Word::Line) {
            self.settle_header()?;
            return self.chains(&words, Word::Line);
        }
        let names: Vec<&str> = words
            .iter()
            .map(|word| match word {
                Word::Name(name) => *name,
                Word::Arrow | Word::Line => "",
            })
            .collect();
        match names[..] {
            ["from", "to"] | ["source", "target"] if number == 1 => Ok(()),
            [name] => self.pair(name, None, number),
            [from, to] => self.pair(from, Some(to), number),
            _ => {
                let message = message!("expected two vertices, found {count}", count = names.len());
                Err(Diagnostic::new(Kind::Syntax, message).help(message!(
                    "write `1 2` for an edge, and `1: 2 3` for the options of a vertex"
                )))
            }
        }
    }

    /// Adds the edges of a line such as `a: b c`.
    fn options(&mut self, vertex: &str, options: &str) -> Result<(), Diagnostic> {
        let from = name(vertex);
        if from.is_empty() || from.contains(char::is_whitespace) {
            let message = message!("expected one vertex before `:`");
            return Err(Diagnostic::new(Kind::Syntax, message));
        }
        let from = self.edges.vertex(from)?;
        for option in options.split([' ', '\t', ',', ';']).map(name) {
            if !option.is_empty() {
                let to = self.edges.vertex(option)?;
                self.edges.edge(from, to)?;
            }
        }
        Ok(())
    }

    /// Adds the edges of a line such as `a->b b->c`. The word between the ends is `link`.
    fn chains(&mut self, words: &[Word<'_>], link: Word<'_>) -> Result<(), Diagnostic> {
        let mut before: Option<u32> = None;
        let mut linked = false;
        for (index, word) in words.iter().enumerate() {
            match *word {
                Word::Name(name) => {
                    let next_is_link = words.get(index + 1) == Some(&link);
                    // In `a -> b, c` the vertex c could be an option of a. In `1-2 3` the vertex 3
                    // has no edge.
                    let alone = !linked && !next_is_link;
                    if alone && (link == Word::Arrow || name.parse::<u64>().is_err()) {
                        let message = message!("`{name}` is not an edge", name = shown(name));
                        return Err(Diagnostic::new(Kind::Syntax, message).help(message!(
                            "write `a->b a->c`, or `a: b c` for the options of a vertex"
                        )));
                    }
                    let vertex = self.edges.vertex(name)?;
                    if let (true, Some(from)) = (linked, before) {
                        self.edges.edge(from, vertex)?;
                        if link == Word::Line && from != vertex {
                            self.edges.edge(vertex, from)?;
                        }
                    }
                    (before, linked) = (Some(vertex), false);
                }
                other if other == link && before.is_some() && !linked => linked = true,
                _ => {
                    return Err(Diagnostic::new(
                        Kind::Syntax,
                        message!("an edge needs two ends"),
                    ));
                }
            }
        }
        self.undirected |= link == Word::Line;
        if linked {
            let message = message!("an edge needs two ends");
            return Err(Diagnostic::new(Kind::Syntax, message));
        }
        Ok(())
    }

    /// Adds the edge of a line such as `1 2`, or the vertex of a line such as `1`.
    fn pair(&mut self, from: &str, to: Option<&str>, number: u64) -> Result<(), Diagnostic> {
        let size = [Some(from), to].map(|name| name.and_then(|name| name.parse::<u64>().ok()));
        if let (1, [Some(vertices @ ..=MAX_HEADER), Some(edges)], Some(to)) = (number, size, to) {
            self.header = Some(Header {
                names: [from.to_owned(), to.to_owned()],
                vertices,
                edges,
            });
            return Ok(());
        }
        for end in [Some(from), to].into_iter().flatten() {
            let vertex = end.parse::<u64>().ok();
            self.numbers = self
                .numbers
                .zip(vertex)
                .map(|(least, vertex)| least.min(vertex));
            self.greatest = self.greatest.max(vertex.unwrap_or(0));
            // A vertex beyond the number in the first line shows that this line is an edge.
            let beyond = |header: &Header| vertex.is_none_or(|vertex| vertex > header.vertices);
            if self.header.as_ref().is_some_and(beyond) {
                self.settle_header()?;
            }
        }
        if to.is_some() {
            self.pairs += 1;
        }
        self.edges.row(from, to)
    }

    /// Adds the first line as an edge, since it is not the size of the graph.
    fn settle_header(&mut self) -> Result<(), Diagnostic> {
        let Some(Header {
            names: [from, to],
            vertices,
            edges,
        }) = self.header.take()
        else {
            return Ok(());
        };
        self.numbers = self.numbers.map(|least| least.min(vertices).min(edges));
        self.pairs += 1;
        self.edges.row(&from, Some(&to))
    }

    /// Returns whether a vertex is too large for a graph of the size in `header`. The vertices are
    /// numbered from 0 or from 1.
    fn exceeds(&self, header: &Header) -> bool {
        self.numbers == Some(0) && self.greatest >= header.vertices
    }

    fn finish(mut self) -> Result<(), Diagnostic> {
        if self
            .header
            .as_ref()
            .is_some_and(|header| header.edges != self.pairs || self.exceeds(header))
        {
            self.settle_header()?;
        }
        let first = self.numbers.filter(|first| *first <= 1);
        if let Some(header) = self.header.take() {
            // Without edges, or if vertex 0 does not occur, vertices are numbered from 1.
            let first = first.unwrap_or(1);
            for vertex in first..first + header.vertices {
                self.edges.row(&vertex.to_string(), None)?;
            }
            self.edges.note(message!(
                "the first line is the number of vertices and edges; the vertices are numbered from {first}",
                first
            ));
        } else if let (true, Some(first)) = (self.pairs > 0, first) {
            self.edges
                .note(message!("the vertices are numbered from {first}", first));
        }
        if self.undirected {
            self.edges.note_undirected();
        }
        Ok(())
    }
}

/// Splits a line into its words.
fn words(line: &str) -> Result<Vec<Word<'_>>, Diagnostic> {
    let mut words = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let arrow = ["->", "\u{2192}"]
            .into_iter()
            .find(|arrow| rest.starts_with(arrow));
        if let Some(arrow) = arrow {
            words.push(Word::Arrow);
            rest = &rest[arrow.len()..];
        } else if first == '-' {
            let before = line[..line.len() - rest.len()].chars().next_back();
            let is_sign = before.is_none_or(char::is_whitespace)
                && rest[1..].starts_with(|c: char| c.is_ascii_digit());
            if is_sign {
                let message = message!("a vertex cannot be negative");
                return Err(Diagnostic::new(Kind::Syntax, message)
                    .help(message!("write `3-1` or `3 - 1` for an edge")));
            }
            words.push(Word::Line);
            rest = rest.strip_prefix("--").unwrap_or(&rest[1..]);
        } else if first == '"' {
            let end = rest[1..].find('"').ok_or_else(|| {
                Diagnostic::new(Kind::Syntax, message!("a quote is not closed on its line"))
            })?;
            words.push(Word::Name(&rest[1..=end]));
            rest = &rest[end + 2..];
        } else if first.is_whitespace() || matches!(first, ',' | ';') {
            rest = &rest[first.len_utf8()..];
        } else {
            let ends =
                |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '-' | '\u{2192}' | '"');
            let end = rest.find(ends).unwrap_or(rest.len());
            words.push(Word::Name(&rest[..end]));
            rest = &rest[end..];
        }
    }
    Ok(words)
}

/// Returns the name of a vertex without quotes and brackets around it.
fn name(text: &str) -> &str {
    text.trim()
        .trim_matches(['[', ']', '(', ')', '{', '}', '"', '\''])
        .trim()
}

fn shown(name: &str) -> String {
    name.chars().take(40).collect()
}
