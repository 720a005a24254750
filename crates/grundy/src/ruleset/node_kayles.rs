//! Node Kayles: `node_kayles(edges)`.
//!
//! Rules. A graph. A player takes a vertex, and with it go all its neighbours. Whoever cannot move loses (T. J. Schaefer, On the
//! complexity of some two-person perfect-information games, J. Comput. System Sci. 16 (1978), 185-225). Edges are written `0-1 1-2`,
//! a bare number is a vertex without edges; an edge that is written twice counts once, and no vertex is its own neighbour.
//!
//! What is not connected stands apart, so values are found component by component.

use std::collections::BTreeMap;
use std::sync::Arc;

use grundy_base::{Message, message};

use super::{Knowledge, Ruleset, Show, Structure, Visit};
use crate::argument::{Arguments, text};
use crate::limits::Flow;
use crate::picture::Picture;
use crate::player::Player;
use crate::position::{AnyTerm, Term};
use crate::step::{Move, Step};
use crate::{Diagnostic, Kind};

/// The rules of Node Kayles; a part is a graph.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct NodeKayles;

/// A graph: each vertex with its neighbours, both in increasing order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KaylesGraph(Vec<(u32, Vec<u32>)>);

/// Most vertices of a graph.
const VERTICES: usize = 10_000;

/// Rounds in which the neighbours of a vertex tell it from others; copies may go unseen after that, which costs memory
/// and changes no answer.
const ROUNDS: usize = 6;

/// Reads `node_kayles(edges)`.
///
/// # Errors
/// What is neither an edge `a-b` of two different vertices nor a vertex.
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let [Some((place, edges))] = arguments.bind(["edges"], 1)? else {
        unreachable!("bind has seen to it that the edges are there");
    };
    let edges = text(edges, &[place])?;
    let mut graph: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for word in edges.split_ascii_whitespace() {
        let at = word.as_ptr() as usize - edges.as_ptr() as usize;
        let refuse = |kind, message: Message| {
            Diagnostic::new(kind, message)
                .at([place])
                .within(at..at + word.len())
                .help(message!(
                    "write edges as 0-1, and a vertex without edges as its number"
                ))
        };
        let vertex = |number: &str| {
            let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            let number = number.parse().ok().filter(|_| digits);
            number.ok_or_else(|| refuse(Kind::Syntax, message!("`{word}` is no edge", word)))
        };
        let (a, b) = match word.split_once('-') {
            Some((a, b)) => (vertex(a)?, Some(vertex(b)?)),
            None => (vertex(word)?, None),
        };
        if b == Some(a) {
            let message = message!("vertex {a} cannot be its own neighbour", a);
            return Err(refuse(Kind::IllegalPosition, message));
        }
        graph.entry(a).or_default().extend(b);
        if let Some(b) = b {
            graph.entry(b).or_default().push(a);
        }
        if graph.len() > VERTICES {
            let message = message!(
                "a graph of more than {vertices} vertices is too large",
                vertices = VERTICES
            );
            return Err(Diagnostic::illegal(message).at([place]));
        }
    }
    for neighbours in graph.values_mut() {
        neighbours.sort_unstable();
        neighbours.dedup();
    }
    let graph = KaylesGraph(graph.into_iter().collect());
    Ok(Term::new(NodeKayles, vec![graph]).into())
}

impl KaylesGraph {
    /// The graph without some of its vertices, given by their places.
    fn without(&self, gone: &[usize]) -> Self {
        let lost = |vertex: u32| gone.iter().any(|&place| self.0[place].0 == vertex);
        let kept = (0..self.0.len()).filter(|place| !gone.contains(place));
        let row = |place: usize| {
            let (vertex, near) = &self.0[place];
            let near = near.iter().copied().filter(|&other| !lost(other));
            (*vertex, near.collect())
        };
        Self(kept.map(row).collect())
    }

    fn place(&self, vertex: u32) -> Option<usize> {
        self.0.binary_search_by_key(&vertex, |row| row.0).ok()
    }

    /// The places of a vertex and of its neighbours.
    fn around(&self, place: usize) -> Vec<usize> {
        let near = self.0[place].1.iter();
        let near = near.filter_map(|&vertex| self.place(vertex));
        near.chain([place]).collect()
    }

    /// The vertices numbered anew, so that many equal graphs become one.
    fn renumbered(&self, members: &[usize]) -> Self {
        let mut colour: BTreeMap<u32, u64> = BTreeMap::new();
        for &place in members {
            colour.insert(self.0[place].0, self.0[place].1.len() as u64);
        }
        for _ in 0..ROUNDS.min(members.len()) {
            let mixed = |&place: &usize| {
                let (vertex, near) = &self.0[place];
                let mut others: Vec<u64> = near.iter().map(|other| colour[other]).collect();
                others.sort_unstable();
                let seen = others.into_iter().fold(colour[vertex], |sum, other| {
                    // A fixed scramble of two numbers.
                    (sum ^ other)
                        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                        .rotate_left(29)
                });
                (*vertex, seen)
            };
            colour = members.iter().map(mixed).collect();
        }
        let mut order: Vec<usize> = members.to_vec();
        order.sort_by_key(|&place| (colour[&self.0[place].0], self.0[place].0));
        let names: BTreeMap<u32, u32> = order
            .iter()
            .map(|&place| self.0[place].0)
            .zip(0..)
            .collect();
        let row = |(number, &place): (u32, &usize)| {
            let mut near: Vec<u32> = self.0[place].1.iter().map(|other| names[other]).collect();
            near.sort_unstable();
            (number, near)
        };
        Self((0..).zip(&order).map(row).collect())
    }
}

impl Ruleset for NodeKayles {
    type Part = KaylesGraph;

    fn name(&self) -> &'static str {
        "node_kayles"
    }

    fn show(&self) -> &dyn Show<KaylesGraph> {
        self
    }

    fn knowledge(&self) -> &dyn Knowledge<KaylesGraph> {
        self
    }

    fn options(
        &self,
        _: Player,
        _: usize,
        graph: &KaylesGraph,
        visit: Visit<'_, KaylesGraph>,
    ) -> Flow {
        // Vertices with the same neighbourhood, themselves counted in, leave the same graph: that is one move.
        let mut before: Vec<Vec<usize>> = Vec::new();
        (0..graph.0.len()).try_for_each(|place| {
            let mut gone = graph.around(place);
            gone.sort_unstable();
            if before.contains(&gone) {
                return std::ops::ControlFlow::Continue(());
            }
            let left = graph.without(&gone);
            before.push(gone);
            let vertex = graph.0[place].0;
            visit(&[left], &|| {
                let step = Step::new("take_vertex").with("vertex", u64::from(vertex));
                Move::new([u64::from(vertex)], step)
            })
        })
    }

    fn components(&self, graph: &KaylesGraph, visit: &mut dyn FnMut(KaylesGraph)) {
        let mut seen = vec![false; graph.0.len()];
        for start in 0..seen.len() {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let mut members = vec![start];
            let mut next = 0;
            while next < members.len() {
                for place in graph.around(members[next]) {
                    if !std::mem::replace(&mut seen[place], true) {
                        members.push(place);
                    }
                }
                next += 1;
            }
            visit(graph.renumbered(&members));
        }
    }
}

impl Knowledge<KaylesGraph> for NodeKayles {
    fn structure<'a>(&'a self, _: &KaylesGraph) -> Structure<'a> {
        Structure::Splitting
    }

    fn size(&self, graph: &KaylesGraph) -> u64 {
        graph.0.len() as u64
    }
}

impl Show<KaylesGraph> for NodeKayles {
    fn write(&self, parts: &[KaylesGraph]) -> String {
        let write = |KaylesGraph(rows): &KaylesGraph| {
            let words = rows.iter().flat_map(|(vertex, near)| {
                let alone = near.is_empty().then(|| vertex.to_string());
                let later = near.iter().filter(move |&other| other > vertex);
                let edges = later.map(move |other| format!("{vertex}-{other}"));
                alone.into_iter().chain(edges)
            });
            let words: Vec<String> = words.collect();
            format!("node_kayles(\"{}\")", words.join(" "))
        };
        parts.iter().map(write).collect()
    }

    fn picture(&self, parts: &[KaylesGraph]) -> Picture {
        let rows = || parts.iter().flat_map(|graph| &graph.0);
        let edges = rows().flat_map(|(vertex, near)| {
            let later = near.iter().filter(move |&other| other > vertex);
            later.map(move |&other| [*vertex, other])
        });
        Picture::Graph {
            vertices: rows().map(|(vertex, _)| (*vertex, '.')).collect(),
            edges: edges.collect(),
            numbers: Vec::new(),
        }
    }
}
