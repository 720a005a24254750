//! Graphs of common families, such as `grid(3, 4)`. Games that are played on a graph accept them
//! wherever they accept edges.

use std::fmt;

use super::{Arguments, number};
use grundy_base::message;
use grundy_base::{Diagnostic, Kind};

/// A graph of a common family. Its vertices are numbered from 0.
///
/// ```
/// use grundy_core::argument::Builder;
/// assert_eq!(Builder::Grid(2, 2).edges(), [[0, 1], [0, 2], [1, 3], [2, 3]]);
/// assert_eq!(Builder::Grid(2, 2).to_string(), "grid(2, 2)");
/// assert_eq!(Builder::Petersen.edges().len(), 15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builder {
    /// A path through n vertices: `path(n)`.
    Path(u32),
    /// A cycle through n vertices: `cycle(n)`.
    Cycle(u32),
    /// The vertex 0, adjacent to n other vertices: `star(n)`.
    Star(u32),
    /// The graph in which all n vertices are adjacent to each other: `complete(n)`.
    Complete(u32),
    /// The points of m rows and n columns, adjacent to the points next to them in their row and
    /// column: `grid(m, n)`. The point in row r and column c has the number n r + c.
    Grid(u32, u32),
    /// The Petersen graph, with the outer cycle 0 to 4 and the inner star 5 to 9: `petersen()`.
    Petersen,
    /// A random tree of n vertices: `random_tree(n, seed)`. All trees on the vertices 0, ..., n - 1
    /// have the same probability.
    RandomTree(u32, u64),
}

/// The names of the builders, each with its parameters.
const SIGNATURES: &[(&str, &[&str])] = &[
    ("path", &["n"]),
    ("cycle", &["n"]),
    ("star", &["n"]),
    ("complete", &["n"]),
    ("grid", &["m", "n"]),
    ("petersen", &[]),
    ("random_tree", &["n", "seed"]),
];

/// Maximal number of vertices of a graph, and of its edges.
const MAX_SIZE: u64 = 4_000_000;

impl Builder {
    /// Returns the signature of the builder `name`, such as `grid(m, n)`, or `None` if there is no
    /// such builder.
    ///
    /// ```
    /// use grundy_core::argument::Builder;
    /// assert_eq!(Builder::signature("grid").as_deref(), Some("grid(m, n)"));
    /// assert_eq!(Builder::signature("cube"), None);
    /// ```
    #[must_use]
    pub fn signature(name: &str) -> Option<String> {
        let (_, parameters) = SIGNATURES.iter().find(|(known, _)| *known == name)?;
        Some(format!("{name}({})", parameters.join(", ")))
    }

    /// Reads a call of the builder `name`.
    ///
    /// # Errors
    /// An unknown name, arguments that are not numbers, and a graph that is too large.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::argument::{Argument, Arguments, Builder};
    /// let items = [(None, Argument::Int(3)), (None, Argument::Int(4))];
    /// assert_eq!(Builder::read("grid", &Arguments { items: &items })?, Builder::Grid(3, 4));
    /// assert!(Builder::read("cycle", &Arguments { items: &items }).is_err());
    /// # Ok::<(), grundy_core::Diagnostic>(())
    /// ```
    pub fn read(name: &str, arguments: &Arguments<'_>) -> Result<Self, Diagnostic> {
        let one = |name: &'static str, least: u64| {
            let [bound] = arguments.bind([name], 1)?;
            let (at, value) = bound.ok_or_else(missing)?;
            size(number(value, &[at], least, MAX_SIZE)?, at)
        };
        let two = |names: [&'static str; 2], range: [u64; 2]| {
            let [first, second] = arguments.bind(names, 2)?;
            let (at, value) = first.ok_or_else(missing)?;
            let one = size(number(value, &[at], 1, MAX_SIZE)?, at)?;
            let (at, value) = second.ok_or_else(missing)?;
            let other = number(value, &[at], range[0], range[1])?;
            Ok::<_, Diagnostic>((one, other, at))
        };
        let builder = match name {
            "path" => Self::Path(one("n", 1)?),
            "cycle" => Self::Cycle(one("n", 3)?),
            "star" => Self::Star(one("n", 1)?),
            "complete" => Self::Complete(one("n", 1)?),
            "grid" => {
                let (rows, columns, at) = two(["m", "n"], [1, MAX_SIZE])?;
                Self::Grid(rows, size(columns, at)?)
            }
            "petersen" => {
                arguments.bind([], 0)?;
                Self::Petersen
            }
            "random_tree" => {
                let (vertices, seed, _) = two(["n", "seed"], [0, u64::MAX])?;
                Self::RandomTree(vertices, seed)
            }
            _ => {
                let message = message!("there is no graph named `{name}`", name);
                return Err(Diagnostic::new(Kind::UnknownName, message));
            }
        };
        if builder.vertex_count().max(builder.edge_count()) > MAX_SIZE {
            let message = message!(
                "a graph of more than {edges} edges is too large",
                edges = MAX_SIZE
            );
            return Err(Diagnostic::illegal(message));
        }
        Ok(builder)
    }

    /// Returns the number of vertices.
    #[must_use]
    pub fn vertex_count(self) -> u64 {
        match self {
            Self::Path(n) | Self::Cycle(n) | Self::Complete(n) | Self::RandomTree(n, _) => n.into(),
            Self::Star(n) => u64::from(n) + 1,
            Self::Grid(rows, columns) => u64::from(rows) * u64::from(columns),
            Self::Petersen => 10,
        }
    }

    fn edge_count(self) -> u64 {
        match self {
            Self::Path(n) | Self::RandomTree(n, _) => u64::from(n) - 1,
            Self::Cycle(n) | Self::Star(n) => n.into(),
            Self::Complete(n) => u64::from(n) * (u64::from(n) - 1) / 2,
            Self::Grid(rows, columns) => {
                let [rows, columns] = [rows, columns].map(u64::from);
                2 * rows * columns - rows - columns
            }
            Self::Petersen => 15,
        }
    }

    /// Returns the edges in increasing order, each with the smaller vertex first.
    #[must_use]
    pub fn edges(self) -> Vec<[u32; 2]> {
        let mut edges = match self {
            Self::Path(n) => (1..n).map(|v| [v - 1, v]).collect(),
            Self::Cycle(n) => (1..n).map(|v| [v - 1, v]).chain([[0, n - 1]]).collect(),
            Self::Star(n) => (1..=n).map(|v| [0, v]).collect(),
            Self::Complete(n) => (0..n)
                .flat_map(|a| (a + 1..n).map(move |b| [a, b]))
                .collect(),
            Self::Grid(rows, columns) => {
                let points = 0..rows * columns;
                let neighbours = |v: u32| {
                    let right = (!(v + 1).is_multiple_of(columns)).then(|| [v, v + 1]);
                    let below = (v / columns + 1 < rows).then(|| [v, v + columns]);
                    right.into_iter().chain(below)
                };
                points.flat_map(neighbours).collect()
            }
            Self::Petersen => (0..5)
                .flat_map(|k| [[k, (k + 1) % 5], [k, k + 5], [5 + k, 5 + (k + 2) % 5]])
                .map(|[a, b]| [a.min(b), a.max(b)])
                .collect(),
            Self::RandomTree(n, seed) => random_tree(n, seed),
        };
        edges.sort_unstable();
        edges
    }
}

fn missing() -> Diagnostic {
    Diagnostic::new(Kind::Type, message!("missing arguments"))
}

/// Converts a size that is at most [`MAX_SIZE`].
fn size(size: u64, at: usize) -> Result<u32, Diagnostic> {
    let message = message!("the number is larger than 2^64 - 1");
    u32::try_from(size).map_err(|_| Diagnostic::new(Kind::Overflow, message).at([at]))
}

/// Returns the edges of the tree whose Prüfer code is random.
fn random_tree(n: u32, seed: u64) -> Vec<[u32; 2]> {
    let mut state = seed;
    // The generator SplitMix64 is fixed, so that a seed means the same tree in every version.
    let mut random = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    };
    let code: Vec<u32> = (2..n)
        .map(|_| ((u128::from(random()) * u128::from(n)) >> 64) as u32)
        .collect();
    let mut degrees = vec![1_u32; n as usize];
    for &vertex in &code {
        degrees[vertex as usize] += 1;
    }
    let mut edges = Vec::with_capacity(n as usize);
    // Each step joins the least leaf to the next vertex of the code. All vertices before `next`
    // have been leaves or are no leaves yet, so a new leaf before `next` is the least one.
    let leaf_from = |degrees: &[u32], mut vertex: u32| {
        while degrees[vertex as usize] != 1 {
            vertex += 1;
        }
        vertex
    };
    if n < 2 {
        return edges;
    }
    let mut next = leaf_from(&degrees, 0);
    let mut leaf = next;
    for &vertex in &code {
        edges.push([leaf.min(vertex), leaf.max(vertex)]);
        degrees[vertex as usize] -= 1;
        if degrees[vertex as usize] == 1 && vertex < next {
            leaf = vertex;
        } else {
            next = leaf_from(&degrees, next + 1);
            leaf = next;
        }
    }
    edges.push([leaf, n - 1]);
    edges
}

impl fmt::Display for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(n) => write!(f, "path({n})"),
            Self::Cycle(n) => write!(f, "cycle({n})"),
            Self::Star(n) => write!(f, "star({n})"),
            Self::Complete(n) => write!(f, "complete({n})"),
            Self::Grid(rows, columns) => write!(f, "grid({rows}, {columns})"),
            Self::Petersen => f.write_str("petersen()"),
            Self::RandomTree(n, seed) => write!(f, "random_tree({n}, {seed})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_trees_are_connected() {
        for n in 1..40 {
            for seed in 0..20 {
                let edges = Builder::RandomTree(n, seed).edges();
                assert_eq!(edges.len(), n as usize - 1);
                let mut reached = vec![false; n as usize];
                reached[0] = true;
                for _ in 0..n {
                    for &[a, b] in &edges {
                        let either = reached[a as usize] || reached[b as usize];
                        reached[a as usize] = either;
                        reached[b as usize] = either;
                    }
                }
                assert!(reached.iter().all(|&reached| reached), "{n}, {seed}");
            }
        }
    }

    #[test]
    fn the_trees_on_four_vertices_are_equally_frequent() {
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..16_000 {
            *counts
                .entry(Builder::RandomTree(4, seed).edges())
                .or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 16);
        assert!(
            counts.values().all(|count| (900..1100).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn all_graphs_have_as_many_edges_as_promised() {
        let graphs = [
            Builder::Path(5),
            Builder::Path(1),
            Builder::Cycle(3),
            Builder::Star(4),
            Builder::Complete(6),
            Builder::Grid(1, 1),
            Builder::Grid(3, 5),
            Builder::Petersen,
            Builder::RandomTree(9, 1),
        ];
        for graph in graphs {
            let edges = graph.edges();
            assert_eq!(edges.len() as u64, graph.edge_count(), "{graph}");
            let least = u64::from(edges.iter().flatten().max().map_or(1, |last| last + 1));
            assert_eq!(least, graph.vertex_count(), "{graph}");
        }
    }
}
