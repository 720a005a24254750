//! Geography: `geography(edges, start, directed=False, taken="vertices")`.
//!
//! Rules. A token stands on a vertex of a graph. A move takes it along an edge to a vertex that it
//! has not visited before. With `taken="edges"` it may return to a vertex, but not use an edge
//! twice. In a directed graph, an edge `a-b` leads from a to b only. A player who cannot move
//! loses.
//!
//! Theorem (A. S. Fraenkel, E. R. Scheinerman and D. Ullman, Undirected edge geography, Theoret.
//! Comput. Sci. 112 (1993), 371-381). Let the graph be undirected, and let vertices be visited
//! once. The player to move wins if and only if every maximum matching covers the vertex of the
//! token. The proof is in `docs/theory.md`, "Geography".
//!
//! A move removes the vertex that the token leaves. Hence the option with the token on w is a
//! P-position if and only if some maximum matching of the remaining graph does not cover w. One
//! matching therefore decides about all options of a position.
//!
//! The other variants are PSPACE-complete, and their outcomes come from search.

mod matching;
mod topology;

use std::fmt::Write;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use grundy_base::message;

use self::matching::Matching;
use self::topology::Topology;
use crate::argument::{
    Argument, Arguments, Builder, GraphLimits, edges, list, number, text, type_error,
};
use grundy_base::limits::{Flow, Limits, Stop};
use grundy_base::outcome::{Outcome, Play};
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_base::{Diagnostic, Kind};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    ByTheorem, Capabilities, MemoryUse, Pictures, Ruleset, Tabulation, Teaching, Theorem, Theorems,
    ValueTable, Visit,
};

/// The theorem on the outcome of undirected vertex geography.
pub const MATCHING: Theorem = Theorem {
    method: "matching",
    name: "the theorem of Fraenkel, Scheinerman and Ullman",
    statement: "the player to move wins if and only if every maximum matching covers the vertex \
                of the token",
    source: "A. S. Fraenkel, E. R. Scheinerman, D. Ullman, Undirected edge geography, Theoret. Comput. Sci. 112 (1993), 371-381",
};

/// The maximal size of a graph.
const LIMITS: GraphLimits = GraphLimits {
    vertices: 4_000_000,
    edges: 4_000_000,
    directed: false,
};

/// Maximal number of arcs of a graph whose Grundy value is searched. The search copies the graph at
/// each position.
const MAX_SEARCH_ARCS: usize = 20_000;

/// Maximal number of edges of a matching that an explanation lists.
const MAX_LISTED_EDGES: usize = 30;

/// The rules of Geography.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Geography;

/// The variant of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Variant {
    /// `true` if an edge can be used in one direction only.
    directed: bool,
    /// `true` if edges are taken, and `false` if vertices are.
    takes_edges: bool,
}

/// A graph without the vertices or edges that have been taken.
#[derive(Debug)]
pub struct GeographyGraph {
    variant: Variant,
    /// The builder of the graph, and the numbers of the visited vertices in increasing order.
    origin: Option<(Builder, Vec<u32>)>,
    topology: Topology,
    fingerprint: u64,
    /// The maximum matching, once it has been computed.
    matching: OnceLock<Matching>,
}

/// A position: the remaining graph, and the index of the vertex with the token.
#[derive(Clone, Debug)]
pub struct Token {
    graph: Arc<GeographyGraph>,
    vertex: u32,
}

// Isolated vertices without the token do not matter, and the notation omits them.
impl PartialEq for GeographyGraph {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
            && self.variant == other.variant
            && self.origin == other.origin
            && self.topology.arcs().eq(other.topology.arcs())
    }
}

impl Eq for GeographyGraph {}

impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        self.number() == other.number()
            && (Arc::ptr_eq(&self.graph, &other.graph) || self.graph == other.graph)
    }
}

impl Eq for Token {}

impl Hash for Token {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.number(), self.graph.fingerprint).hash(state);
    }
}

/// Reads `geography(edges, start, directed=False, taken="vertices", visited=[])`.
///
/// # Errors
/// Arguments that are not a graph and one of its vertices, or visited vertices that include the
/// vertex of the token.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments, Builder};
/// use grundy_core::{Limits, Outcome, Play, Position, Solver, ruleset::geography};
/// // A square of 4 by 4 points has a perfect matching, which covers every vertex.
/// let items = [(None, Argument::Builder(Builder::Grid(4, 4))), (None, Argument::Int(0))];
/// let position = Position::from(geography::construct(&Arguments { items: &items })?);
/// let outcome = Solver::default().outcome(&position, Play::Normal, &Limits::default());
/// assert_eq!(outcome, Ok(Outcome::N));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let names = ["edges", "start", "directed", "taken", "visited"];
    let [graph, start, directed, taken, visited] = arguments.bind(names, 2)?;
    let (Some((graph_at, graph)), Some((start_at, start))) = (graph, start) else {
        return Err(Diagnostic::new(Kind::Type, message!("missing arguments")));
    };
    let variant = Variant {
        directed: match directed {
            None | Some((_, Argument::Bool(false))) => false,
            Some((_, Argument::Bool(true))) => true,
            Some((at, value)) => {
                return Err(type_error(&message!("True or False"), value, &[at]));
            }
        },
        takes_edges: match taken {
            None => false,
            Some((at, value)) => match text(value, &[at])? {
                "vertices" => false,
                "edges" => true,
                _ => {
                    let message = message!("`taken` must be \"vertices\" or \"edges\"");
                    return Err(Diagnostic::new(Kind::UnknownName, message).at([at]));
                }
            },
        },
    };
    let (vertices, mut arcs) = read_graph(graph, graph_at, variant)?;
    let mut topology = Topology::new(vertices, &mut arcs);
    let vertex = |value: &Argument, path: &[usize], topology: &Topology| {
        let number = number(value, path, 0, u64::from(u32::MAX) - 1)? as u32;
        topology
            .index(number)
            .map(|index| (number, index))
            .ok_or_else(|| {
                let message = message!("vertex {vertex} is not in the graph", vertex = number);
                let help =
                    message!("a vertex without edges is written among the edges as its number");
                Diagnostic::illegal(message).at(path).help(help)
            })
    };
    let (number, _) = vertex(start, &[start_at], &topology)?;
    let mut gone = Vec::new();
    if let Some((at, value)) = visited {
        for (path, item) in list(value, &[at])? {
            if variant.takes_edges {
                let message = message!("visited vertices matter only if vertices are taken");
                return Err(Diagnostic::illegal(message).at([at]));
            }
            let (visited, _) = vertex(item, &path, &topology)?;
            if visited == number {
                let message = message!("vertex {vertex} has been visited", vertex = visited);
                return Err(Diagnostic::illegal(message).at(path));
            }
            gone.push(visited);
        }
        gone.sort_unstable();
        gone.dedup();
        let left = |vertex: &u32| gone.binary_search(vertex).is_err();
        arcs.retain(|arc| arc.iter().all(left));
        topology = Topology::new(vec![number], &mut arcs);
    }
    let origin = match graph {
        Argument::Builder(builder) if !variant.takes_edges => Some((*builder, gone)),
        _ => None,
    };
    let graph = GeographyGraph::new(variant, origin, topology);
    let vertex = graph.topology.index(number).unwrap_or_default() as u32;
    let token = Token {
        graph: Arc::new(graph),
        vertex,
    };
    Ok(Term::new(Geography, vec![token]).into())
}

/// The numbers of vertices, and arcs between them.
type Arcs = (Vec<u32>, Vec<[u32; 2]>);

/// Reads the argument `edges` as vertices and arcs. If vertices are taken, repeated edges count
/// once.
fn read_graph(value: &Argument, at: usize, variant: Variant) -> Result<Arcs, Diagnostic> {
    let (mut vertices, mut arcs) = (Vec::new(), Vec::new());
    let mut add = |a: u32, b: u32| {
        arcs.push([a, b]);
        if !variant.directed && a != b {
            arcs.push([b, a]);
        }
    };
    if let Argument::Builder(builder) = value {
        // A builder needs no checks, which saves time for large graphs.
        vertices.extend(0..builder.vertex_count() as u32);
        builder.edges().into_iter().for_each(|[a, b]| add(a, b));
    } else {
        let limits = GraphLimits {
            directed: variant.directed,
            ..LIMITS
        };
        edges(value, &[at], limits, &mut |a, b| {
            if b == Some(a) && !variant.takes_edges {
                return Err(message!("loops are not allowed: vertex {a}", a));
            }
            vertices.push(a);
            if let Some(b) = b {
                add(a, b);
            }
            Ok(())
        })?;
    }
    if !variant.takes_edges {
        arcs.sort_unstable();
        arcs.dedup();
    }
    Ok((vertices, arcs))
}

impl GeographyGraph {
    fn new(variant: Variant, origin: Option<(Builder, Vec<u32>)>, topology: Topology) -> Self {
        // The graph of a builder is determined by its parameters and by the visited vertices.
        let fingerprint = match &origin {
            Some(origin) => {
                let mut hasher = std::hash::DefaultHasher::new();
                origin.hash(&mut hasher);
                hasher.finish()
            }
            None => topology.fingerprint(),
        };
        Self {
            variant,
            origin,
            topology,
            fingerprint,
            matching: OnceLock::new(),
        }
    }

    /// Returns whether a theorem gives the outcome in normal play.
    fn has_theorem(&self) -> bool {
        !self.variant.directed && !self.variant.takes_edges
    }

    /// Returns the maximum matching. It is computed once and then stored.
    fn matching(&self, limits: &Limits<'_>) -> Result<&Matching, Stop> {
        if let Some(matching) = self.matching.get() {
            return Ok(matching);
        }
        let bytes = 32 * self.topology.vertex_count() as u64;
        limits.check(1, bytes)?;
        let matching = Matching::maximum(&self.topology, limits)?;
        Ok(self.matching.get_or_init(|| matching))
    }

    /// Returns the graph after the token has left a vertex, if vertices are taken.
    fn without_vertex(&self, vertex: usize) -> Self {
        let number = self.topology.number(vertex);
        let origin = self.origin.clone().map(|(builder, mut visited)| {
            let place = visited.partition_point(|&other| other < number);
            visited.insert(place, number);
            (builder, visited)
        });
        Self::new(self.variant, origin, self.topology.without_vertex(vertex))
    }

    /// Returns the graph after the token has used an edge, if edges are taken.
    fn without_edge(&self, from: usize, to: usize) -> Self {
        let mut topology = self.topology.without_arc(from, to);
        if !self.variant.directed && from != to {
            topology = topology.without_arc(to, from);
        }
        Self::new(self.variant, None, topology)
    }

    /// Returns the edges by the numbers of their vertices, each once.
    fn edges(&self) -> impl Iterator<Item = [u32; 2]> {
        let both = !self.variant.directed;
        self.topology.arcs().filter(move |[a, b]| !both || a <= b)
    }
}

impl Token {
    /// Returns the number of the vertex with the token.
    fn number(&self) -> u32 {
        self.graph.topology.number(self.vertex as usize)
    }

    fn outcome(&self, limits: &Limits<'_>) -> Result<Option<Outcome>, Stop> {
        if !self.graph.has_theorem() {
            return Ok(None);
        }
        let matching = self.graph.matching(limits)?;
        let wins = matching.always_covers(self.vertex as usize);
        Ok(Some(Outcome::from_win(wins)))
    }
}

impl Ruleset for Geography {
    type Part = Token;

    fn name(&self) -> &'static str {
        "geography"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Token> {
        Capabilities {
            theorems: Some(self),
            value_table: Some(Tabulation {
                table: || Box::new(OutcomeTable),
                complete: false,
            }),
            memory_use: Some(self),
            teaching: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(&self, _: Player, _: usize, token: &Token, visit: Visit<'_, Token>) -> Flow {
        let (graph, from) = (&token.graph, token.vertex as usize);
        let mut targets = graph.topology.targets(from).to_vec();
        targets.dedup();
        // All options have the same graph if vertices are taken. It also stores the matching that
        // decides their outcomes.
        let shared = (!graph.variant.takes_edges && !targets.is_empty())
            .then(|| Arc::new(graph.without_vertex(from)));
        targets.into_iter().try_for_each(|target| {
            let to = target as usize;
            let option = match &shared {
                Some(graph) => Token {
                    graph: Arc::clone(graph),
                    vertex: target - u32::from(to > from),
                },
                None => Token {
                    graph: Arc::new(graph.without_edge(from, to)),
                    vertex: target,
                },
            };
            let number = u64::from(graph.topology.number(to));
            visit(&[option], &|| {
                let step = Step::new("move_token").with("vertex", number);
                Move::new([number], step)
            })
        })
    }

    fn components(&self, token: &Token, visit: &mut dyn FnMut(Token)) {
        let topology = token.graph.topology.reachable(token.vertex as usize);
        let graph = GeographyGraph::new(token.graph.variant, None, topology);
        visit(Token {
            graph: Arc::new(graph),
            vertex: 0,
        });
    }

    fn write(&self, parts: &[Token]) -> String {
        parts.iter().map(write_token).collect()
    }
}

/// Returns the notation of a position. For a graph of a builder it names the visited vertices, and
/// otherwise it lists the remaining edges.
fn write_token(token: &Token) -> String {
    let (graph, number) = (&token.graph, token.number());
    let mut out = String::from("geography(");
    // Writing to a string cannot fail.
    let _ = if let Some((builder, _)) = &graph.origin {
        write!(out, "{builder}, {number}")
    } else {
        let mut words: Vec<String> = graph.edges().map(|[a, b]| format!("{a}-{b}")).collect();
        if !graph.edges().flatten().any(|vertex| vertex == number) {
            words.push(number.to_string());
        }
        write!(out, "\"{}\", {number}", words.join(" "))
    };
    if graph.variant.directed {
        out.push_str(", directed=True");
    }
    if graph.variant.takes_edges {
        out.push_str(", taken=\"edges\"");
    }
    if let Some((_, visited)) = graph.origin.as_ref().filter(|origin| !origin.1.is_empty()) {
        let _ = write!(out, ", visited={visited:?}");
    }
    out.push(')');
    out
}

impl Theorems<Token> for Geography {
    fn outcome_within(
        &self,
        token: &Token,
        play: Play,
        limits: &Limits<'_>,
    ) -> Result<Option<ByTheorem<Outcome>>, Stop> {
        if play == Play::Misere {
            return Ok(None);
        }
        let theorem = &MATCHING;
        let value = token.outcome(limits)?;
        Ok(value.map(|value| ByTheorem { value, theorem }))
    }
}

/// The outcomes by matchings. It has no values.
#[derive(Debug)]
struct OutcomeTable;

impl ValueTable<Token> for OutcomeTable {
    fn grundy(&mut self, token: &Token, limits: &Limits<'_>) -> Result<Option<u64>, Stop> {
        if token.graph.topology.arc_count() > MAX_SEARCH_ARCS {
            return Err(Stop::Positions(limits.positions));
        }
        Ok(None)
    }

    fn is_p(&mut self, token: &Token, limits: &Limits<'_>) -> Result<Option<bool>, Stop> {
        let outcome = token.outcome(limits)?;
        Ok(outcome.map(|outcome| outcome == Outcome::P))
    }
}

impl MemoryUse<Token> for Geography {
    fn bytes(&self, parts: &[Token]) -> usize {
        // The options of a position share one graph if vertices are taken. The notation of a graph
        // of a builder is short.
        let bytes = |token: &Token| {
            if let Some((_, visited)) = &token.graph.origin {
                return 16 * visited.len() + 200;
            }
            let topology = &token.graph.topology;
            4 * topology.arc_count() + 16 * topology.vertex_count() + 200
        };
        parts.iter().map(bytes).sum()
    }
}

impl Teaching<Token> for Geography {
    fn theorem_application(&self, token: &Token, play: Play) -> Option<Step> {
        let graph = &token.graph;
        // The solver has computed the matching if it has used the theorem.
        let matching = graph.matching.get().filter(|_| play == Play::Normal)?;
        let number = |vertex: usize| u64::from(graph.topology.number(vertex));
        let edges: Vec<[u64; 2]> = matching.edges().map(|edge| edge.map(number)).collect();
        let vertex = token.vertex as usize;
        let partner = matching
            .partner(vertex)
            .filter(|_| matching.always_covers(vertex));
        let step = match (partner, edges.len() <= MAX_LISTED_EDGES) {
            (Some(partner), listed) => {
                let code = if listed {
                    "matching_n"
                } else {
                    "matching_large_n"
                };
                Step::new(code).with("partner", number(partner))
            }
            (None, true) => Step::new("matching_p"),
            (None, false) => Step::new("matching_large_p"),
        };
        let step = step
            .with("vertex", number(vertex))
            .with("count", edges.len());
        if edges.len() > MAX_LISTED_EDGES {
            return Some(step);
        }
        let words: Vec<String> = edges.iter().map(|[a, b]| format!("{a}-{b}")).collect();
        Some(step.with("matching", words.join(" ")))
    }

    fn longest_play(&self, token: &Token) -> Option<u128> {
        // A play visits each vertex once at most, and each move needs an arc.
        let topology = &token.graph.topology;
        (topology.arc_count() == 0).then_some(0)
    }
}

impl Pictures<Token> for Geography {
    fn picture(&self, parts: &[Token]) -> Picture {
        let [token] = parts else {
            return Picture::Text(self.write(parts));
        };
        let graph = &token.graph;
        if graph.variant.directed {
            return Picture::Text(self.write(parts));
        }
        let letter = |vertex| {
            if vertex == token.vertex as usize {
                '@'
            } else {
                '.'
            }
        };
        let vertices = 0..graph.topology.vertex_count();
        Picture::Graph {
            vertices: vertices
                .map(|vertex| (graph.topology.number(vertex), letter(vertex)))
                .collect(),
            edges: graph.edges().collect(),
            numbers: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(edges: &[[u32; 2]], count: u32, vertex: u32) -> Token {
        let mut arcs: Vec<[u32; 2]> = edges.iter().flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
        arcs.sort_unstable();
        arcs.dedup();
        let topology = Topology::new((0..count).collect(), &mut arcs);
        let variant = Variant {
            directed: false,
            takes_edges: false,
        };
        Token {
            graph: Arc::new(GeographyGraph::new(variant, None, topology)),
            vertex,
        }
    }

    /// Returns the size of a maximum matching by trying all of them.
    fn largest(edges: &[[u32; 2]], used: u32) -> usize {
        let Some((&[a, b], rest)) = edges.split_first() else {
            return 0;
        };
        let without = largest(rest, used);
        let both = 1 << a | 1 << b;
        if used & both != 0 {
            return without;
        }
        without.max(1 + largest(rest, used | both))
    }

    /// Decides the outcome by search: whether the player to move wins.
    fn wins(edges: &[[u32; 2]], vertex: u32, visited: u32) -> bool {
        let visited = visited | 1 << vertex;
        edges.iter().any(|&[a, b]| {
            let to = if a == vertex { b } else { a };
            (a == vertex || b == vertex) && visited & 1 << to == 0 && !wins(edges, to, visited)
        })
    }

    #[test]
    fn matchings_decide_the_outcomes_of_random_graphs() {
        let mut state = 7_u64;
        let mut random = |below: u32| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((state >> 33) % u64::from(below)) as u32
        };
        for round in 0..3000 {
            let count = 1 + random(9);
            let mut edges: Vec<[u32; 2]> = (0..random(2 * count + round % 5))
                .map(|_| [random(count), random(count)])
                .filter(|[a, b]| a != b)
                .map(|[a, b]| [a.min(b), a.max(b)])
                .collect();
            edges.sort_unstable();
            edges.dedup();
            let limits = Limits::default();
            for vertex in 0..count {
                let token = token(&edges, count, vertex);
                let matching = token.graph.matching(&limits).unwrap();
                assert_eq!(matching.edges().count(), largest(&edges, 0), "{edges:?}");
                for [a, b] in matching.edges() {
                    let edge = [a as u32, b as u32];
                    assert!(edges.contains(&edge), "{edges:?}");
                }
                let expected = Outcome::from_win(wins(&edges, vertex, 0));
                assert_eq!(
                    token.outcome(&limits),
                    Ok(Some(expected)),
                    "{edges:?}, {vertex}"
                );
            }
        }
    }

    #[test]
    fn corners_of_large_grids() {
        for (n, expected) in [(300, Outcome::N), (301, Outcome::P)] {
            let edges = Builder::Grid(n, n).edges();
            let corner = token(&edges, n * n, 0);
            assert_eq!(corner.outcome(&Limits::default()), Ok(Some(expected)));
        }
    }

    #[test]
    fn matchings_stop_at_a_limit() {
        let edges = Builder::Grid(300, 300).edges();
        let corner = token(&edges, 90_000, 0);
        let limits = Limits {
            interrupted: &|| Some(Stop::Time),
            ..Limits::default()
        };
        assert_eq!(corner.outcome(&limits), Err(Stop::Time));
    }
}
