//! Reading of the edges of a graph.

use std::collections::BTreeSet;

use super::{Argument, list, number, type_error};
use grundy_base::{Diagnostic, Kind, Message, message};

/// The maximal size of a graph.
#[derive(Clone, Copy, Debug)]
pub struct GraphLimits {
    /// Maximal number of vertices.
    pub vertices: usize,
    /// Maximal number of edges.
    pub edges: usize,
}

/// A callback for each edge with its two ends, and for each isolated vertex with `None`. It returns
/// the reason why the game does not allow the edge.
pub type VisitEdge<'a> = &'a mut dyn FnMut(u32, Option<u32>) -> Result<(), Message>;

/// Reads the edges of a graph, and passes them to `visit` in their order.
///
/// The argument is a string such as `"0-1 1-2 5"`, a [`Builder`](super::Builder), or a list. In a
/// list, an edge is a pair `[0, 1]` or a string `"0-1"`, and an isolated vertex is a number.
///
/// # Errors
/// An element that is neither an edge nor a vertex, too many edges or vertices, and any edge that
/// the visitor rejects.
pub fn edges(
    value: &Argument,
    path: &[usize],
    limits: GraphLimits,
    visit: VisitEdge<'_>,
) -> Result<(), Diagnostic> {
    let mut reader = Reader {
        limits,
        vertices: BTreeSet::new(),
        count: 0,
        visit,
    };
    match value {
        Argument::Text(text) => reader.words(text, path),
        Argument::List(_) => {
            for (item_path, item) in list(value, path)? {
                match item {
                    Argument::Text(text) => reader.words(text, &item_path)?,
                    Argument::Int(_) => {
                        let vertex = vertex(item, &item_path)?;
                        reader.edge(vertex, None, path, &|refusal| refusal.at(&*item_path))?;
                    }
                    _ => {
                        let pair = list(item, &item_path).map_err(|error| error.help(help()))?;
                        let [(a_path, a), (b_path, b)] = &pair[..] else {
                            let message = message!("an edge must have two ends");
                            let error = Diagnostic::new(Kind::Type, message).at(item_path);
                            return Err(error.help(help()));
                        };
                        let (a, b) = (vertex(a, a_path)?, vertex(b, b_path)?);
                        reader.edge(a, Some(b), path, &|refusal| refusal.at(&*item_path))?;
                    }
                }
            }
            Ok(())
        }
        Argument::Builder(builder) => {
            let vertices = builder.vertex_count();
            if vertices > limits.vertices as u64 {
                return Err(too_many_vertices(limits).at(path));
            }
            for vertex in 0..vertices as u32 {
                // A vertex does not count as an edge.
                reader.count = 0;
                reader.edge(vertex, None, path, &|refusal| refusal.at(path))?;
            }
            reader.count = 0;
            for [a, b] in builder.edges() {
                reader.edge(a, Some(b), path, &|refusal| refusal.at(path))?;
            }
            Ok(())
        }
        _ => {
            let expected = message!("the edges of a graph");
            Err(type_error(&expected, value, path).help(help()))
        }
    }
}

fn help() -> Message {
    message!("write an edge as its two vertices, such as 0-1, and an isolated vertex as its number")
}

fn vertex(value: &Argument, path: &[usize]) -> Result<u32, Diagnostic> {
    Ok(number(value, path, 0, u64::from(u32::MAX) - 1)? as u32)
}

fn too_many_vertices(limits: GraphLimits) -> Diagnostic {
    let vertices = limits.vertices;
    Diagnostic::illegal(message!(
        "a graph of more than {vertices} vertices is too large",
        vertices
    ))
}

/// The state of the reading of a graph.
struct Reader<'a> {
    limits: GraphLimits,
    vertices: BTreeSet<u32>,
    count: usize,
    visit: VisitEdge<'a>,
}

impl Reader<'_> {
    /// Adds an edge, or a vertex if `b` is `None`. `place` adds the place of the edge to an error,
    /// and `path` is the place of the whole graph.
    fn edge(
        &mut self,
        a: u32,
        b: Option<u32>,
        path: &[usize],
        place: &dyn Fn(Diagnostic) -> Diagnostic,
    ) -> Result<(), Diagnostic> {
        (self.visit)(a, b).map_err(|message| {
            place(Diagnostic::new(Kind::IllegalPosition, message).help(help()))
        })?;
        self.vertices.extend([Some(a), b].into_iter().flatten());
        if self.vertices.len() > self.limits.vertices {
            return Err(too_many_vertices(self.limits).at(path));
        }
        if self.count == self.limits.edges {
            let edges = self.limits.edges;
            let message = message!("a graph of more than {edges} edges is too large", edges);
            return Err(Diagnostic::illegal(message).at(path));
        }
        self.count += 1;
        Ok(())
    }

    /// Reads the words of a string, each of which is an edge or a vertex.
    fn words(&mut self, text: &str, path: &[usize]) -> Result<(), Diagnostic> {
        for word in text.split_ascii_whitespace() {
            // The words are slices of `text`, so the difference of the addresses is the offset of
            // the word.
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
            let place =
                |refusal: Diagnostic| refusal.at(path).within(at..at + word.len()).help(help());
            let vertex = |number: &str| {
                let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
                let number = number.parse().ok().filter(|_| digits);
                number.ok_or_else(|| {
                    let message = message!("`{word}` is not an edge", word);
                    place(Diagnostic::new(Kind::Syntax, message))
                })
            };
            let (a, b) = match word.split_once('-') {
                Some((a, b)) => (vertex(a)?, Some(vertex(b)?)),
                None => (vertex(word)?, None),
            };
            self.edge(a, b, path, &place)?;
        }
        Ok(())
    }
}
