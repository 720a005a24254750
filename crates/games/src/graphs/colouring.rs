//! Col and Snort: games in which two players colour the vertices of a graph.
//!
//! A vertex that neither player may colour any more is removed. An edge matters only as long as a
//! move at one end can forbid a move at the other end. The components that these edges connect form
//! a sum.
//!
//! Exact values come from search. Only the bounds use theory: the number of moves of a player is at
//! most the number of vertices that the player may colour now.

use std::sync::Arc;

use grundy_base::message;

use super::hackenbush::{self, Colour};
use crate::argument::{Arguments, letters};
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{Bounds, Capabilities, Nature, Negation, Pictures, Ruleset, Visit};

/// The rule in which Col and Snort differ.
pub trait ColouringRule: std::fmt::Debug + Eq + std::hash::Hash + Send + Sync + 'static {
    /// The name of the constructor.
    const NAME: &'static str;
    /// `true` if adjacent vertices may not have the same colour. `false` if they may not have
    /// different colours.
    const FORBIDS_SAME_COLOUR: bool;
}

/// The rules of a colouring game. Each part of a position is a graph with its colours.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Colouring<C>(pub C);

/// A graph, and the colours of its vertices.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ColouredGraph {
    /// The pairs of adjacent vertices.
    edges: Arc<[[u32; 2]]>,
    /// For each vertex, the player who has coloured it.
    colours: Vec<Option<Player>>,
}

impl ColouredGraph {
    /// Returns the letter of each vertex in the notation: `.`, `L` or `R`.
    fn letters(&self) -> impl Iterator<Item = char> {
        self.colours.iter().map(|colour| match colour {
            None => '.',
            Some(Player::Left) => 'L',
            Some(Player::Right) => 'R',
        })
    }
}

/// Maximal number of vertices of a graph.
const MAX_VERTICES: usize = 10_000;

/// Number of rounds of colour refinement.
///
/// After these rounds some isomorphic graphs may still have different representations. This costs
/// memory but changes no result.
const ROUNDS: usize = 8;

/// Reads a graph from its edges and the colours of its vertices.
///
/// # Errors
/// Arguments that are not a graph with colours, or a colouring that the rules forbid.
pub(crate) fn construct<C: ColouringRule>(
    rules: Colouring<C>,
    arguments: &Arguments<'_>,
) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let [Some((first, edges)), Some((second, colours))] = arguments.bind(["edges", "colors"], 2)?
    else {
        unreachable!("bind has seen to it that both are there");
    };
    let read = hackenbush::edges_of(edges, &[first])?;
    let help =
        message!("write . for an uncoloured vertex, and L or R for one coloured by Left or Right");
    let colours = letters(colours, &[second], ".LR", &message!("colour"), help)?;
    let taken = |letter| match letter {
        'L' => Some(Player::Left),
        'R' => Some(Player::Right),
        _ => None,
    };
    let letters: Vec<_> = colours.chars().map(taken).collect();
    if letters.len() > MAX_VERTICES {
        let message = message!(
            "a graph of more than {vertices} vertices is too large",
            vertices = MAX_VERTICES
        );
        return Err(Diagnostic::illegal(message).at([second]));
    }
    for edge in &read {
        let [a, b] = edge.ends;
        let wrong = if edge.colour != Colour::Green {
            message!("edges have no colour in this game")
        } else if a == b {
            message!("loops are not allowed: vertex {a}", a)
        } else if a.max(b) as usize >= letters.len() {
            let last = a.max(b);
            let count = letters.len();
            message!(
                "an edge names vertex {last}, but the string of colours describes only {count} vertices, numbered from 0",
                last,
                count
            )
        } else if let [Some(one), Some(other)] = [a, b].map(|end| letters[end as usize])
            && (one == other) == C::FORBIDS_SAME_COLOUR
        {
            message!(
                "the adjacent vertices {a} and {b} cannot have these colours in this game",
                a,
                b
            )
        } else {
            continue;
        };
        return Err(Diagnostic::illegal(wrong).at([first]).help(message!(
            "write the edges as in \"0-1 1-2\", and one of the characters `.LR` for each vertex"
        )));
    }
    let graph = ColouredGraph {
        edges: read.iter().map(|edge| edge.ends).collect(),
        colours: letters,
    };
    Ok(Arc::new(Term::new(rules, vec![graph])))
}

/// Returns the set that contains one player, as a bit set.
fn bit(player: Player) -> u8 {
    1 << player as u8
}

impl<C: ColouringRule> Colouring<C> {
    /// Returns the player who may not colour the neighbours of a vertex that `player` has coloured.
    fn forbidden_by(player: Player) -> Player {
        if C::FORBIDS_SAME_COLOUR {
            player
        } else {
            player.other()
        }
    }

    /// Returns, for each vertex, the set of players who may colour it.
    fn allowed(graph: &ColouredGraph) -> Vec<u8> {
        let mut allowed: Vec<u8> = graph
            .colours
            .iter()
            .map(|colour| if colour.is_none() { 3 } else { 0 })
            .collect();
        for &[a, b] in &*graph.edges {
            for [from, to] in [[a, b], [b, a]] {
                if let Some(player) = graph.colours[from as usize] {
                    allowed[to as usize] &= !bit(Self::forbidden_by(player));
                }
            }
        }
        allowed
    }

    /// Returns whether a move at one of two adjacent vertices can forbid a move at the other
    /// vertex. `a` and `b` are the sets of players who may colour the two vertices.
    fn interact(a: u8, b: u8) -> bool {
        Player::BOTH.into_iter().any(|player| {
            let forbidden = bit(Self::forbidden_by(player));
            a & bit(player) != 0 && b & forbidden != 0 || b & bit(player) != 0 && a & forbidden != 0
        })
    }

    /// Returns the component that consists of the vertices `members`, numbered in the order of
    /// `members`.
    ///
    /// At most one additional vertex of each colour replaces all vertices that already have this
    /// colour. The additional vertex is adjacent to the members on which its colour forbids a move.
    fn component(
        allowed: &[u8],
        edges: &[[u32; 2]],
        members: &[u32],
        new_number: &[u32],
    ) -> ColouredGraph {
        let mut colours = vec![None; members.len()];
        let mut kept: Vec<[u32; 2]> = edges
            .iter()
            .map(|ends| {
                let [a, b] = ends.map(|end| new_number[end as usize]);
                [a.min(b), a.max(b)]
            })
            .collect();
        for player in Player::BOTH {
            let forbidden = bit(Self::forbidden_by(player));
            // All coloured neighbours of one colour forbid the same move, so one of them is enough.
            let forbids = |&&member: &&u32| allowed[member as usize] & forbidden == 0;
            let next = colours.len() as u32;
            kept.extend(
                members
                    .iter()
                    .filter(forbids)
                    .map(|&member| [new_number[member as usize], next]),
            );
            // The new vertex is needed only if an edge leads to it.
            if kept.last().is_some_and(|edge| edge[1] == next) {
                colours.push(Some(player));
            }
        }
        kept.sort_unstable();
        kept.dedup();
        ColouredGraph {
            edges: kept.into(),
            colours,
        }
    }
}

/// Returns a fixed hash of two numbers (the finalizer of SplitMix64).
fn hash_pair(x: u64, y: u64) -> u64 {
    let mut z = x.wrapping_add(y.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl<C: ColouringRule> Ruleset for Colouring<C> {
    type Part = ColouredGraph;

    fn name(&self) -> &'static str {
        C::NAME
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, ColouredGraph> {
        Capabilities {
            bounds: Some(self),
            negation: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn nature(&self, _: &Self::Part) -> Nature {
        Nature::PARTIZAN
    }

    fn options(
        &self,
        player: Player,
        _: usize,
        graph: &ColouredGraph,
        visit: Visit<'_, ColouredGraph>,
    ) -> Flow {
        let allowed = Self::allowed(graph);
        (0..allowed.len())
            .filter(|&vertex| allowed[vertex] & bit(player) != 0)
            .try_for_each(|vertex| {
                let mut after = graph.clone();
                after.colours[vertex] = Some(player);
                visit(&[after], &|| {
                    Move::new([vertex as u64], Step::new("colour").with("vertex", vertex))
                })
            })
    }

    fn components(&self, graph: &ColouredGraph, visit: &mut dyn FnMut(ColouredGraph)) {
        let allowed = Self::allowed(graph);
        let count = allowed.len();
        let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); count];
        for &[a, b] in &*graph.edges {
            if Self::interact(allowed[a as usize], allowed[b as usize]) {
                neighbours[a as usize].push(b);
                neighbours[b as usize].push(a);
            }
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        // Colour refinement: members are sorted by a hash of their neighbourhoods, so that most
        // isomorphic components become equal.
        let mut signature: Vec<u64> = allowed.iter().map(|&set| u64::from(set)).collect();
        for _ in 0..ROUNDS.min(count) {
            signature = (0..count)
                .map(|vertex| {
                    // A sum does not depend on the order of the neighbours, so they need not be
                    // sorted.
                    let others = neighbours[vertex]
                        .iter()
                        .map(|&other| signature[other as usize]);
                    let others =
                        others.fold(0, |sum: u64, other| sum.wrapping_add(hash_pair(other, 1)));
                    hash_pair(signature[vertex], others)
                })
                .collect();
        }
        // Vertices that neither player may colour are removed.
        let mut seen: Vec<bool> = allowed.iter().map(|&set| set == 0).collect();
        let mut new_number = vec![0; count];
        for start in 0..count as u32 {
            if std::mem::replace(&mut seen[start as usize], true) {
                continue;
            }
            let mut members = vec![start];
            let mut next = 0;
            while next < members.len() {
                for &other in &neighbours[members[next] as usize] {
                    if !std::mem::replace(&mut seen[other as usize], true) {
                        members.push(other);
                    }
                }
                next += 1;
            }
            members.sort_by_key(|&vertex| signature[vertex as usize]);
            for (number, &vertex) in (0..).zip(&members) {
                new_number[vertex as usize] = number;
            }
            let edges: Vec<[u32; 2]> = members
                .iter()
                .flat_map(|&a| neighbours[a as usize].iter().map(move |&b| [a, b]))
                .filter(|[a, b]| a < b)
                .collect();
            visit(Self::component(&allowed, &edges, &members, &new_number));
        }
    }

    fn write(&self, parts: &[ColouredGraph]) -> String {
        let write = |graph: &ColouredGraph| {
            let edges: Vec<String> = graph
                .edges
                .iter()
                .map(|[a, b]| format!("{a}-{b}"))
                .collect();
            let colours: String = graph.letters().collect();
            format!("{}(\"{}\", \"{colours}\")", C::NAME, edges.join(" "))
        };
        parts.iter().map(write).collect()
    }
}

impl<C: ColouringRule> Bounds<ColouredGraph> for Colouring<C> {
    fn bounds(&self, graph: &ColouredGraph) -> Option<[i64; 2]> {
        let allowed = Self::allowed(graph);
        let moves = |player| {
            allowed
                .iter()
                .filter(|&&set| set & bit(player) != 0)
                .count() as i64
        };
        Some([-moves(Player::Right), moves(Player::Left)])
    }
}

impl<C: ColouringRule> Negation<ColouredGraph> for Colouring<C> {
    fn negative(&self, graph: &ColouredGraph) -> Option<ColouredGraph> {
        let mut swapped = graph.clone();
        for player in swapped.colours.iter_mut().flatten() {
            *player = player.other();
        }
        let mut parts = Vec::new();
        self.components(&swapped, &mut |part| parts.push(part));
        // `interact` is symmetric in the players, so a component stays connected if the colours are
        // exchanged. If there are several components, the negative is not a single part.
        (parts.len() == 1).then(|| parts.swap_remove(0))
    }
}

impl<C: ColouringRule> Pictures<ColouredGraph> for Colouring<C> {
    fn picture(&self, parts: &[ColouredGraph]) -> Picture {
        let letters = parts.iter().flat_map(ColouredGraph::letters);
        let edges = parts.iter().flat_map(|graph| graph.edges.iter().copied());
        Picture::Graph {
            vertices: (0..).zip(letters).collect(),
            edges: edges.collect(),
            numbers: Vec::new(),
        }
    }
}
