//! Explicit graphs: `graph(edges, start)`.
//!
//! Rules. A counter stands on a vertex, and a move takes it along an edge. A player who cannot move
//! loses (in misère play, wins). The graph may have cycles, and then a game need not end. Several
//! edges from one vertex to the same target count as one move, the move along the first of them.
//!
//! Notation. `edges` is a map from each vertex to the list of its targets. It may also be a list of
//! pairs `[from, to]`, in which `[vertex]` alone names a vertex. Names are strings or integers; an
//! integer names the same vertex as the string of its digits.
//!
//! A play that never ends is a draw, unless `endless` names the player who wins it. Then the result
//! of a position also depends on the player to move.
//!
//! Theory. Without cycles the values are those of Sprague and Grundy. With cycles they are the
//! loopy values of Smith and Fraenkel.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use grundy_base::message;
use rustc_hash::FxHashSet;

use crate::argument::{Argument, Arguments, list, type_error};
use crate::kit::endless::{endless_of, endless_remark};
use grundy_base::limits::Flow;
use grundy_base::limits::Limits;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_base::{Diagnostic, Kind};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{
    Capabilities, EveryOption, ExplicitGraph, Nature, Ruleset, Teaching, Termination, Visit,
};
use grundy_graphs::graph::{Digraph, Names, Network};

/// Maximal number of vertices whose options are hashed, and maximal number of hashed options of
/// each vertex.
const MAX_HASHED: usize = 16;

/// A graph on which a counter moves.
#[derive(Debug, PartialEq, Eq)]
pub struct Graph {
    network: Arc<Network>,
    /// For each reachable vertex, the length of the longest game that starts there. `None` if a
    /// game need not end.
    longest: Option<Vec<u32>>,
    /// The player who wins a play that never ends. `None` means that such a play is a draw.
    endless: Option<Player>,
}

/// Hashes the number of vertices, the number of edges, and the options of a few vertices.
///
/// Hashing all edges would take longer than most queries. Equality still compares everything.
impl Hash for Graph {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let graph = &self.network.graph;
        (graph.vertices(), graph.edges()).hash(state);
        for vertex in 0..graph.vertices().min(MAX_HASHED) as u32 {
            let options = graph.options(vertex);
            options[..options.len().min(MAX_HASHED)].hash(state);
        }
    }
}

impl Graph {
    /// Creates the game on `network` from `start`.
    ///
    /// # Panics
    /// Panics if the network has no vertex `start`.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::{Names, Network};
    /// use grundy_core::ruleset::graph::Graph;
    /// use grundy_core::{Limits, Position, Solver, Term};
    /// let mut names = Names::default();
    /// let [a, b, c] = ["a", "b", "c"].map(|name| names.intern(name));
    /// let network = Network::new(names, &[(a, b), (b, c), (a, c)]);
    /// let position = Position::from(Term::new(Graph::new(network.into(), a), vec![a]));
    /// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(2));
    /// ```
    #[must_use]
    pub fn new(network: Arc<Network>, start: u32) -> Self {
        let (part, reached) = network.graph.reachable_subgraph(start);
        let longest = part
            .longest_plays(&Limits::none())
            .expect("nothing limits it");
        // `part` has an entry for each reachable vertex, so its entries are spread over the
        // vertices of the whole graph. The other entries are never read.
        let longest = longest.map(|part| {
            let mut all = vec![0; network.graph.vertices()];
            for (v, longest) in reached.into_iter().zip(part) {
                all[v as usize] = longest;
            }
            all
        });
        Self {
            network,
            longest,
            endless: None,
        }
    }

    /// Returns the same game, in which `player` wins a play that never ends.
    ///
    /// ```
    /// use grundy_core::graph::{Names, Network};
    /// use grundy_core::ruleset::graph::Graph;
    /// use grundy_core::{Limits, OutcomeClass, Play, Player, Position, Solver, Term};
    /// let mut names = Names::default();
    /// let [a, b] = ["a", "b"].map(|name| names.intern(name));
    /// let network = Network::new(names, &[(a, b), (b, a)]);
    /// let game = Graph::new(network.into(), a).with_endless(Some(Player::Left));
    /// let position = Position::from(Term::new(game, vec![a]));
    /// let solution = Solver::default().solve(&position, Play::Normal, &Limits::default())?;
    /// assert_eq!(solution.class(), OutcomeClass::L);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn with_endless(self, player: Option<Player>) -> Self {
        // If play always ends, it makes no difference who would win an endless play.
        let endless = player.filter(|_| self.longest.is_none());
        Self { endless, ..self }
    }

    /// Creates the move along an edge. The edge leads to the vertex `to`, and `index` is the index
    /// of the edge among the edges from the same vertex.
    fn move_along(&self, index: usize, to: u32) -> Move {
        let name = self.network.names.get(to);
        Move::new(
            [index as u64],
            Step::new("go_to_vertex").with("vertex", name),
        )
    }
}

/// Reads `graph(edges, start, endless="draw")`.
///
/// # Errors
/// Arguments that are not a graph, or a start that is not a vertex of the graph.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::graph};
/// let name = |name: &str| Argument::Text(name.to_owned());
/// let edges = [["a", "b"], ["b", "c"], ["a", "c"]];
/// let edges = edges.map(|pair| Argument::List(pair.map(name).to_vec()));
/// let items = [(None, Argument::List(edges.to_vec())), (None, name("a"))];
/// let position = Position::from(graph::construct(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(2));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let [
        Some((edges_at, edges)),
        Some((start_at, start)),
        endless_argument,
    ] = arguments.bind(["edges", "start", "endless"], 2)?
    else {
        return Err(Diagnostic::new(Kind::Type, message!("missing arguments")));
    };
    let network = match edges {
        Argument::Network(network) => Arc::clone(network),
        Argument::Map(rows) => Arc::new(from_map(rows, edges_at)?),
        Argument::List(_) => Arc::new(from_pairs(edges, edges_at)?),
        Argument::Text(_) => {
            return Err(Diagnostic::new(
                Kind::Io,
                message!("this interface cannot read graphs from files"),
            )
            .at([edges_at])
            .help(message!(
                "write the edges as a map or a list; the command line can also read them from a file"
            )));
        }
        _ => {
            return Err(type_error(
                &message!("a map or a list of pairs"),
                edges,
                &[edges_at],
            ));
        }
    };
    let name = vertex_name(start, &[start_at])?;
    let Some(vertex) = network.names.find(&name) else {
        let message = message!(
            "the start {name} is not a vertex of the graph",
            name = shortened(&name)
        );
        return Err(Diagnostic::new(Kind::IllegalPosition, message)
            .at([start_at])
            .help(message!(
                "write a vertex without edges as {\"a\": []} or [[\"a\"]]"
            )));
    };
    let endless = match endless_argument {
        Some((at, argument)) => endless_winner(argument, &[at])?,
        None => None,
    };
    let graph = Graph::new(network, vertex).with_endless(endless);
    Ok(Term::new(graph, vec![vertex]).into())
}

/// Reads the winner of endless play: `"left"` or `"right"`, and `None` for `"draw"`.
fn endless_winner(argument: &Argument, path: &[usize]) -> Result<Option<Player>, Diagnostic> {
    let expected = || message!("\"draw\", \"left\" or \"right\"");
    let Argument::Text(word) = argument else {
        return Err(type_error(&expected(), argument, path));
    };
    endless_of(word).ok_or_else(|| {
        let message = message!(
            "the winner of endless play must be {words}, not {found}",
            words = expected(),
            found = shortened(word)
        );
        Diagnostic::new(Kind::Range, message).at(path)
    })
}

/// Creates the graph from a map of vertices to the lists of their targets. The keys of the map are
/// numbered first, in their order, and then the other targets.
fn from_map(rows: &[(Argument, Argument)], at: usize) -> Result<Network, Diagnostic> {
    let mut names = Names::default();
    for (index, (key, _)) in rows.iter().enumerate() {
        let name = vertex_name(key, &[at, index])?;
        if names.find(&name).is_some() {
            let message = message!(
                "duplicate entry for the vertex {name}",
                name = shortened(&name)
            );
            return Err(Diagnostic::illegal(message).at([at, index]));
        }
        // All keys are numbered before any target, so that rows and vertex numbers agree.
        names.intern(&name);
    }
    let mut graph = Digraph::default();
    for (index, (_, row)) in rows.iter().enumerate() {
        for (path, target) in list(row, &[at, index])? {
            graph.push_edge(names.intern(&vertex_name(target, &path)?));
        }
        graph.end_vertex();
    }
    (rows.len()..names.len()).for_each(|_| graph.end_vertex());
    Ok(Network {
        graph,
        names,
        file: None,
    })
}

/// Creates the graph of a list of pairs. The vertices are numbered in the order in which the pairs
/// name them.
fn from_pairs(pairs: &Argument, at: usize) -> Result<Network, Diagnostic> {
    let mut names = Names::default();
    let mut edges = Vec::new();
    for (path, pair) in list(pairs, &[at])? {
        let ends: Vec<u32> = list(pair, &path)?
            .into_iter()
            .map(|(path, name)| Ok(names.intern(&vertex_name(name, &path)?)))
            .collect::<Result<_, Diagnostic>>()?;
        match ends[..] {
            [from, to] => edges.push((from, to)),
            [_] => {}
            _ => {
                return Err(
                    Diagnostic::new(Kind::Type, message!("an edge must have two ends"))
                        .at(path)
                        .help(message!(
                            "write [from, to], or [vertex] for a vertex without edges"
                        )),
                );
            }
        }
    }
    Ok(Network::new(names, &edges))
}

/// Returns the name of a vertex, which is given as a string or an integer.
pub(crate) fn vertex_name<'a>(
    value: &'a Argument,
    path: &[usize],
) -> Result<Cow<'a, str>, Diagnostic> {
    match value {
        Argument::Text(text) => Ok(text.into()),
        Argument::Int(n) => Ok(n.to_string().into()),
        _ => Err(type_error(
            &message!("the name of a vertex (a string or a number)"),
            value,
            path,
        )),
    }
}

/// Returns a name for use in a message, shortened to 40 characters.
pub(crate) fn shortened(name: &str) -> String {
    let mut short: String = name.chars().take(40).collect();
    if short.len() < name.len() {
        short.push_str("...");
    }
    format!("`{short}`")
}

/// Appends a name in the notation: integers as integers, other names as strings.
pub(crate) fn write_name(out: &mut String, name: &str) {
    // A name such as `007` is not the canonical text of an integer and stays a string.
    let number = name.parse::<i64>().is_ok_and(|n| n.to_string() == name);
    if number {
        out.push_str(name);
        return;
    }
    out.push('"');
    for c in name.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A set that finds repeated targets among the edges from a vertex. It contains the targets visited
/// so far, but stays empty while a linear search is faster.
#[derive(Default)]
struct SeenTargets(FxHashSet<u32>);

impl SeenTargets {
    /// Maximal number of targets that are searched linearly.
    const SHORT: usize = 16;

    /// Returns whether `vertex` is among `before`, the targets of the edges before the current
    /// edge. If `before` is too long for a linear search, uses the set, and inserts `vertex`. Calls
    /// must follow the order of the edges.
    fn contains_or_insert(&mut self, before: &[u32], vertex: u32) -> bool {
        if before.len() < Self::SHORT {
            return before.contains(&vertex);
        }
        // The set is filled when there are too many targets for a linear search. Each later call
        // inserts its vertex.
        if self.0.is_empty() {
            self.0.extend(before);
        }
        !self.0.insert(vertex)
    }
}

impl Ruleset for Graph {
    type Part = u32;

    fn name(&self) -> &'static str {
        "graph"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, u32> {
        Capabilities {
            every_option: Some(self),
            // The explanations and the tables of explicit graphs describe impartial games.
            explicit_graph: match self.endless {
                None => Some(self),
                Some(_) => None,
            },
            teaching: Some(self),
            termination: match self.longest {
                Some(_) => Termination::Ends,
                None => Termination::Loopy,
            },
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &u32) -> Nature {
        Nature::IMPARTIAL.with_endless(self.endless)
    }

    fn exchanged(&self) -> Option<Self> {
        let endless = self.endless?;
        Some(Self {
            network: Arc::clone(&self.network),
            longest: self.longest.clone(),
            endless: Some(endless.other()),
        })
    }

    fn options(&self, _: Player, _: usize, &vertex: &u32, visit: Visit<'_, u32>) -> Flow {
        let options = self.network.graph.options(vertex);
        // Several edges to the same vertex are one move. Its name is that of the first edge.
        let mut before = SeenTargets::default();
        let mut first = options.iter().enumerate();
        first.try_for_each(|(index, &w)| {
            if before.contains_or_insert(&options[..index], w) {
                return ControlFlow::Continue(());
            }
            visit(&[w], &|| self.move_along(index, w))
        })
    }

    fn write(&self, parts: &[u32]) -> String {
        let Network { graph, names, file } = &*self.network;
        let mut out = String::from("graph(");
        if let Some(file) = file {
            write_name(&mut out, file);
        } else {
            out.push('{');
            for v in 0..graph.vertices() as u32 {
                out.push_str(if v == 0 { "" } else { ", " });
                write_name(&mut out, names.get(v));
                out.push_str(": [");
                for (index, &w) in graph.options(v).iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { ", " });
                    write_name(&mut out, names.get(w));
                }
                out.push(']');
            }
            out.push('}');
        }
        for &v in parts {
            out.push_str(", ");
            write_name(&mut out, names.get(v));
        }
        if let Some(player) = self.endless {
            out.push_str(", endless=");
            write_name(&mut out, player.of(["left", "right"]));
        }
        out.push(')');
        out
    }
}

impl EveryOption<u32> for Graph {
    fn every_option(&self, _: Player, _: usize, &vertex: &u32, visit: Visit<'_, u32>) -> Flow {
        let mut options = self.network.graph.options(vertex).iter().enumerate();
        options.try_for_each(|(index, &w)| visit(&[w], &|| self.move_along(index, w)))
    }
}

impl ExplicitGraph<u32> for Graph {
    fn network(&self, &vertex: &u32) -> Option<(&Network, u32)> {
        Some((&self.network, vertex))
    }
}

impl Teaching<u32> for Graph {
    fn longest_play(&self, &vertex: &u32) -> Option<u128> {
        let longest = self.longest.as_ref()?;
        Some(longest[vertex as usize].into())
    }

    fn remarks(&self, _: &[u32]) -> Vec<Step> {
        endless_remark(self.endless)
    }
}
