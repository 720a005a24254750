//! Reading of the edges of a graph.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::{Argument, list, number, type_error};
use grundy_base::{Diagnostic, Kind, Message, message};

/// The maximal size of a graph.
#[derive(Clone, Copy, Debug)]
pub struct GraphLimits {
    /// Maximal number of vertices.
    pub vertices: usize,
    /// Maximal number of edges.
    pub edges: usize,
    /// `true` if an edge leads from its first end to its second end only.
    pub directed: bool,
}

/// A callback for each edge with its two ends, and for each isolated vertex with `None`. It returns
/// the reason why the game does not allow the edge.
pub type VisitEdge<'a> = &'a mut dyn FnMut(u32, Option<u32>) -> Result<(), Message>;

/// Reads the edges of a graph, and passes them to `visit` in their order.
///
/// The argument is a string such as `"0-1 1-2 5"`, a [`Builder`](super::Builder), a list, or a map
/// from vertices to their neighbours. In a list, an edge is a pair `[0, 1]` or a string `"0-1"`,
/// and an isolated vertex is a number. A string may also have a line `1 2` for each edge, or a line
/// `1: 2 3` for each vertex, as files have. If an undirected edge is listed by both of its ends, it
/// is one edge.
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
        listed: HashMap::new(),
        visit,
    };
    match value {
        Argument::Text(text) => reader.text(text, path),
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
        Argument::Map(entries) => {
            for (index, (of, neighbours)) in entries.iter().enumerate() {
                let path = [path, &[index]].concat();
                let place = |refusal: Diagnostic| refusal.at(&*path);
                let of = vertex(of, &path)?;
                reader.edge(of, None, &path, &place)?;
                let neighbours = match neighbours {
                    // NetworkX has a map from each neighbour to the data of the edge.
                    Argument::Map(entries) => entries.iter().map(|(name, _)| name).collect(),
                    _ => list(neighbours, &path)?
                        .into_iter()
                        .map(|(_, item)| item)
                        .collect::<Vec<_>>(),
                };
                for neighbour in neighbours {
                    reader.neighbour(of, vertex(neighbour, &path)?, &path, &place)?;
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
                reader.edge(vertex, None, path, &|refusal| refusal.at(path))?;
            }
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
    /// The number of times an edge was listed by its first end, but not yet by its second end.
    listed: HashMap<[u32; 2], usize>,
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
        self.count += usize::from(b.is_some());
        if self.count > self.limits.edges {
            let edges = self.limits.edges;
            let message = message!("a graph of more than {edges} edges is too large", edges);
            return Err(Diagnostic::illegal(message).at(path));
        }
        Ok(())
    }

    /// Adds the edge from `of` to one of its neighbours, unless the neighbour has listed it.
    fn neighbour(
        &mut self,
        of: u32,
        to: u32,
        path: &[usize],
        place: &dyn Fn(Diagnostic) -> Diagnostic,
    ) -> Result<(), Diagnostic> {
        if of != to
            && !self.limits.directed
            && let Some(open @ 1..) = self.listed.get_mut(&[to, of])
        {
            *open -= 1;
            return Ok(());
        }
        *self.listed.entry([of, to]).or_default() += 1;
        self.edge(of, Some(to), path, place)
    }

    /// Reads a string. Its lines may be rows of a file, and its words edges or vertices.
    fn text(&mut self, text: &str, path: &[usize]) -> Result<(), Diagnostic> {
        let place = |refusal: Diagnostic| refusal.at(path).help(help());
        if let Some(rows) = rows_of_neighbours(text) {
            for (of, neighbours) in rows {
                self.edge(of, None, path, &place)?;
                for to in neighbours {
                    self.neighbour(of, to, path, &place)?;
                }
            }
            return Ok(());
        }
        match rows(text) {
            None => self.words(text, path),
            Some(Ok(Rows::Vertices(vertices))) => {
                (vertices.into_iter()).try_for_each(|vertex| self.edge(vertex, None, path, &place))
            }
            Some(Ok(Rows::Edges(vertices, edges))) => {
                for vertex in vertices {
                    self.edge(vertex, None, path, &place)?;
                }
                (edges.into_iter()).try_for_each(|[a, b]| self.edge(a, Some(b), path, &place))
            }
            Some(Err(message)) => Err(place(Diagnostic::new(Kind::Syntax, message))),
        }
    }

    /// Reads the words of a string, each of which is an edge or a vertex.
    fn words(&mut self, text: &str, path: &[usize]) -> Result<(), Diagnostic> {
        let words =
            text.split(|sign: char| sign.is_ascii_whitespace() || matches!(sign, ',' | ';'));
        for word in words.filter(|word| !word.is_empty()) {
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
                Some((a, b)) => (vertex(a)?, Some(vertex(b.strip_prefix('-').unwrap_or(b))?)),
                None => (vertex(word)?, None),
            };
            self.edge(a, b, path, &place)?;
        }
        Ok(())
    }
}

/// Returns the rows of a text such as `1: 2 3; 2: 1 3`, each with its vertex and the neighbours.
fn rows_of_neighbours(text: &str) -> Option<Vec<(u32, Vec<u32>)>> {
    if !text.contains(':') {
        return None;
    }
    let rows = text.split(['\n', ';']).map(str::trim);
    rows.filter(|row| !row.is_empty())
        .map(|row| {
            let (of, neighbours) = row.split_once(':')?;
            Some((of.trim().parse().ok()?, numbers(neighbours)?))
        })
        .collect()
}

/// The rows of a text: those with a vertex each, or those with an edge each.
enum Rows {
    Vertices(Vec<u32>),
    /// The vertices of a graph whose size is given, and the edges.
    Edges(Range<u32>, Vec<[u32; 2]>),
}

/// Returns the rows of a text without signs between the ends of its edges. The rows are separated
/// by line breaks, or else by semicolons or commas. As in programming contests, the first line may
/// be the number of vertices, or the numbers of vertices and edges.
///
/// Returns `None` for a text with one row, or with other words than numbers.
///
/// # Errors
/// A row that has more numbers than the two ends of an edge.
fn rows(text: &str) -> Option<Result<Rows, Message>> {
    let separator = ['\n', ';', ',']
        .into_iter()
        .find(|sign| text.contains(*sign))?;
    let rows = text.split(separator).map(str::trim);
    let rows: Option<Vec<Vec<u32>>> = rows.filter(|row| !row.is_empty()).map(numbers).collect();
    let mut rows = rows.filter(|rows| rows.len() > 1)?;
    if rows.iter().all(|row| row.len() == 1) {
        return Some(Ok(Rows::Vertices(rows.concat())));
    }
    let size = (separator == '\n').then(|| graph_size(&rows)).flatten();
    if size.is_some() {
        rows.remove(0);
    }
    let edges: Option<Vec<[u32; 2]>> = rows.into_iter().map(|row| row.try_into().ok()).collect();
    Some(match edges {
        Some(edges) => Ok(Rows::Edges(size.unwrap_or(0..0), edges)),
        None => Err(message!("an edge must have two ends")),
    })
}

/// Returns the vertices of the graph, if the first row is its size.
fn graph_size(rows: &[Vec<u32>]) -> Option<Range<u32>> {
    let (size, edges) = rows.split_first()?;
    let (vertices, count) = match size[..] {
        [vertices] => (vertices, None),
        [vertices, count] => (vertices, Some(count)),
        _ => return None,
    };
    let first = u32::from(!edges.iter().flatten().any(|end| *end == 0));
    let fits = edges.iter().flatten().all(|end| end - first < vertices);
    let counted = count.is_none_or(|count| count as usize == edges.len());
    (fits && counted).then(|| first..first.saturating_add(vertices))
}

/// Returns the numbers of a text, separated by blanks, commas or semicolons.
fn numbers(text: &str) -> Option<Vec<u32>> {
    let words = text.split(|sign: char| sign.is_whitespace() || matches!(sign, ',' | ';'));
    words
        .filter(|word| !word.is_empty())
        .map(|word| {
            let digits = word.bytes().all(|byte| byte.is_ascii_digit());
            word.parse().ok().filter(|_| digits)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{GraphLimits, edges};
    use crate::argument::Argument;

    /// Reads a graph as its edges and its isolated vertices.
    fn read(value: &Argument, directed: bool) -> Vec<String> {
        let limits = GraphLimits {
            vertices: 20,
            edges: 20,
            directed,
        };
        let mut read = Vec::new();
        let visited = edges(value, &[], limits, &mut |a, b| {
            read.push(b.map_or(a.to_string(), |b| format!("{a}-{b}")));
            Ok(())
        });
        assert_eq!(visited.map_err(|error| error.to_string()), Ok(()));
        read
    }

    #[test]
    fn texts_as_in_files_are_read() {
        for (text, expected) in [
            ("0-1 1-2 5", "0-1 1-2 5"),
            ("0-1, 1--2; 5", "0-1 1-2 5"),
            ("1 2\n2 3", "1-2 2-3"),
            ("1 2, 2 3", "1-2 2-3"),
            ("4 2\n1 2\n2 3\n", "1 2 3 4 1-2 2-3"),
            ("4 2\r\n0 1\r\n2 3\r\n", "0 1 2 3 0-1 2-3"),
            // The first row is an edge, since vertex 4 is not below 3.
            ("3 1\n4 2", "3-1 4-2"),
            ("1,2\n2,3", "1-2 2-3"),
            ("1,2;2,3", "1-2 2-3"),
            ("1;2\n2;3\n", "1-2 2-3"),
            ("3\n1 2\n2 3", "1 2 3 1-2 2-3"),
            // Only lines can begin with the size.
            ("6 3; 6 1; 5 4; 5 6", "6-3 6-1 5-4 5-6"),
            ("1 2", "1 2"),
            ("1, 2, 3", "1 2 3"),
            ("1\n2", "1 2"),
            ("1: 2, 3\n2: 1 3\n3: 1 2", "1 1-2 1-3 2 2-3 3"),
            ("1: 2; 4:", "1 1-2 4"),
        ] {
            let read = read(&Argument::Text(text.to_owned()), false);
            assert_eq!(read.join(" "), expected, "{text}");
        }
    }

    #[test]
    fn rows_of_other_lengths_are_refused() {
        for text in ["1 2 3\n2 1\n3 1", "1 2 5\n2 3 7", "1 2\n2 3\n4", "1, 2 3"] {
            let limits = GraphLimits {
                vertices: 20,
                edges: 20,
                directed: false,
            };
            let value = Argument::Text(text.to_owned());
            let error = edges(&value, &[], limits, &mut |_, _| Ok(())).unwrap_err();
            assert_eq!(error.message, "an edge must have two ends", "{text}");
        }
    }

    #[test]
    fn both_ends_may_list_an_edge() {
        let text = Argument::Text("0: 1 1\n1: 0".to_owned());
        assert_eq!(read(&text, false), ["0", "0-1", "0-1", "1"]);
        assert_eq!(read(&text, true), ["0", "0-1", "0-1", "1", "1-0"]);
        let list =
            |items: &[i128]| Argument::List(items.iter().copied().map(Argument::Int).collect());
        let map = Argument::Map(vec![
            (Argument::Int(0), list(&[1, 0])),
            (Argument::Int(1), list(&[0, 2])),
        ]);
        assert_eq!(read(&map, false), ["0", "0-1", "0-0", "1", "1-2"]);
    }
}
