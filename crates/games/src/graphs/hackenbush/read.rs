//! Parser of edge lists such as `0-1 1-2:b 2-2`.

use std::ops::Range;

use grundy_base::{Message, message};

use grundy_base::{Diagnostic, Kind};

use super::picture::{Colour, Edge};
use crate::argument::{Argument, GraphLimits, edges as read_pairs, text};

/// Maximal number of edges of a picture.
pub const MAX_EDGES: usize = 1 << 28;

/// Returns the help text that describes an edge.
fn edge_help() -> Message {
    message!("write an edge as a-b with integers for its ends, as in \"0-1 1-2 2-2\"")
}

/// Parses the edges of `text`, separated by blanks, commas or semicolons.
///
/// An edge is `a-b`, `a-b:g`, `a-b:b` or `a-b:r`.
///
/// ```
/// use grundy_core::ruleset::hackenbush::{Edge, edges};
/// assert_eq!(edges("0-1 1-1").unwrap(), [Edge::green(0, 1), Edge::green(1, 1)]);
/// assert_eq!(edges("0-1 1+2").unwrap_err().span, Some(4..7));
/// ```
///
/// # Errors
/// The first edge that is not of this form, or too many edges.
pub fn edges(text: &str) -> Result<Vec<Edge>, Diagnostic> {
    let bytes = text.as_bytes();
    let mut edges = Vec::new();
    let mut at = 0;
    loop {
        while at < bytes.len() && separates(bytes[at]) {
            at += 1;
        }
        if at == bytes.len() {
            return Ok(edges);
        }
        let start = at;
        while at < bytes.len() && !separates(bytes[at]) {
            at += 1;
        }
        if edges.len() == MAX_EDGES {
            let message = message!("the picture has more than {most} edges", most = MAX_EDGES);
            return Err(Diagnostic::new(Kind::Syntax, message)
                .at(start..at)
                .help(message!("draw a smaller picture")));
        }
        edges.push(
            edge(&text[start..at], start).map_err(|mut error: Diagnostic| {
                error.message = message!(
                    "edge {edges}, `{at}`: {what}",
                    edges = edges.len(),
                    at = shortened(&text[start..at]),
                    what = error.message
                );
                error
            })?,
        );
    }
}

/// Reads the edges in an argument: a string for [`edges`], a graph such as `grid(3, 4)`, or a list.
/// In a list, an edge is a pair `[0, 1]`, a pair with a colour `[0, 1, "b"]`, or a string
/// `"0-1:b"`. A map from vertices to their neighbours has green edges.
///
/// # Errors
/// The errors of [`edges`], and an argument of another type.
pub(crate) fn edges_of(value: &Argument, path: &[usize]) -> Result<Vec<Edge>, Diagnostic> {
    let mut read = Vec::new();
    match value {
        Argument::List(items) => {
            for (index, item) in items.iter().enumerate() {
                let path = [path, &[index]].concat();
                match item {
                    Argument::Text(_) => read.extend(edges_of(item, &path)?),
                    _ => read.push(pair(item, &path)?),
                }
            }
        }
        Argument::Builder(builder) => {
            let edges = builder.edges().into_iter();
            read.extend(edges.map(|[a, b]| Edge::green(a, b)));
        }
        Argument::Map(_) => read = green_edges(value, path)?,
        _ => {
            // Rows such as `1 2` or `1: 2 3` have no sign between the ends of an edge.
            if matches!(value, Argument::Text(text) if !text.contains('-'))
                && let Ok(read) = green_edges(value, path)
                && !read.is_empty()
            {
                return Ok(read);
            }
            let edges = edges(text(value, path)?);
            read = edges.map_err(|misread| misread.in_argument(path))?;
        }
    }
    Ok(read)
}

/// Reads the edges of a graph without colours, as other games on graphs do.
fn green_edges(value: &Argument, path: &[usize]) -> Result<Vec<Edge>, Diagnostic> {
    let limits = GraphLimits {
        vertices: 1 << 20,
        edges: 1 << 22,
        directed: false,
    };
    let mut read = Vec::new();
    read_pairs(value, path, limits, &mut |a, b| {
        read.extend(b.map(|b| Edge::green(a, b)));
        Ok(())
    })?;
    Ok(read)
}

/// Reads an edge, given as the pair of its ends. A third element may be its colour. Otherwise it is
/// green.
fn pair(value: &Argument, path: &[usize]) -> Result<Edge, Diagnostic> {
    if let Argument::List(items) = value
        && let [ends @ .., Argument::Text(letter)] = &items[..]
        && ends.len() == 2
    {
        let ends = pair(&Argument::List(ends.to_vec()), path)?;
        let colour = colour(letter).ok_or_else(|| {
            Diagnostic::new(Kind::Syntax, message!("unknown colour"))
                .at([path, &[2]].concat())
                .help(message!(
                    "the colours are \"g\" green (the default), \"b\" blue and \"r\" red"
                ))
        })?;
        return Ok(Edge { colour, ..ends });
    }
    let mut edge = None;
    let limits = GraphLimits {
        vertices: 2,
        edges: 1,
        directed: false,
    };
    // A list of one pair is a graph of one edge.
    let graph = Argument::List(vec![value.clone()]);
    let read = read_pairs(&graph, &[], limits, &mut |a, b| {
        edge = Some(Edge::green(a, b.ok_or_else(|| message!("not an edge"))?));
        Ok(())
    });
    let error = match (read, edge) {
        (Ok(()), Some(edge)) => return Ok(edge),
        (Ok(()), None) => Diagnostic::new(Kind::Syntax, message!("not an edge")),
        (Err(error), _) => error,
    };
    let inner = error.path.get(1..).unwrap_or_default().to_vec();
    Err(error.at([path, &inner].concat()))
}

/// Returns the colour with a letter.
fn colour(letter: &str) -> Option<Colour> {
    Some(match letter {
        "g" => Colour::Green,
        "b" => Colour::Blue,
        "r" => Colour::Red,
        _ => return None,
    })
}

/// Returns whether a byte separates edges.
fn separates(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b';')
}

/// Parses one edge. `start` is the offset of its first byte in the list, for error messages.
fn edge(word: &str, start: usize) -> Result<Edge, Diagnostic> {
    let error = |message: Message, help: Message, span: Range<usize>| {
        Diagnostic::new(Kind::Syntax, message).at(span).help(help)
    };
    let whole = start..start + word.len();
    let (ends, colour) = match word.split_once(':') {
        None => (word, Colour::Green),
        Some((ends, letter)) => {
            let colour = colour(letter).ok_or_else(|| {
                // An empty colour also gets a span of one byte, so that the error message can point
                // to it.
                let span = start + ends.len() + 1..whole.end.max(start + ends.len() + 2);
                error(
                    message!("unknown colour"),
                    message!("the colours are :g green (the default), :b blue and :r red"),
                    span,
                )
            })?;
            (ends, colour)
        }
    };
    let Some((a, b)) = ends.split_once("--").or_else(|| ends.split_once('-')) else {
        return Err(error(message!("not an edge"), edge_help(), whole));
    };
    let second = start + ends.len() - b.len();
    let a =
        vertex(a).map_err(|message| error(message, edge_help(), start..start + a.len().max(1)))?;
    let b = vertex(b)
        .map_err(|message| error(message, edge_help(), second..second + b.len().max(1)))?;
    Ok(Edge {
        ends: [a, b],
        colour,
    })
}

/// Parses the number of a vertex.
fn vertex(word: &str) -> Result<u32, Message> {
    if word.is_empty() {
        return Err(message!("one end of an edge is missing"));
    }
    // `str::parse` would accept a leading `+`.
    if !word.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(message!("vertices must be numbered by integers"));
    }
    word.parse()
        .ok()
        .filter(|&vertex| vertex < u32::MAX)
        .ok_or(message!("vertex numbers must be at most 4294967294"))
}

/// Returns the first 24 characters of a word, for use in a message.
fn shortened(word: &str) -> String {
    let mut out: String = word.chars().take(24).collect();
    if out.len() < word.len() {
        out.push_str("...");
    }
    out
}
