//! Arc Kayles: `arc_kayles(edges)`.
//!
//! Rules. A move removes an edge of a graph and all edges that share an end with it. A player who
//! cannot move loses (T. J. Schaefer, On the complexity of some two-person perfect-information
//! games, J. Comput. System Sci. 16 (1978), 185-225).
//!
//! Notation. Edges are written `0-1 1-2`. Loops and parallel edges are allowed. A bare number is a
//! vertex without edges, which has no move. A move names an edge by its index in the input.
//!
//! Components. Connected components form a sum, so values are computed for each component. Cram is
//! Arc Kayles on a subgraph of the grid. No closed form is known for general graphs.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::node_kayles::{KaylesGraph, read_edges};
use crate::argument::Arguments;
use grundy_base::Diagnostic;
use grundy_base::limits::Flow;
use grundy_base::picture::Picture;
use grundy_base::player::Player;
use grundy_base::step::{Move, Step};
use grundy_engine::position::{AnyTerm, Term};
use grundy_engine::rules::{Capabilities, EveryOption, Pictures, Ruleset, SmallValues, Visit};

/// The rules of Arc Kayles. Each part of a position is a graph.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct ArcKayles;

/// A graph, given by its edges in the order of the input. Vertices without edges are left out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arcs(Vec<[u32; 2]>);

/// Reads `arc_kayles(edges)`.
///
/// # Errors
/// A word that is neither an edge `a-b` nor a vertex.
///
/// # Examples
/// ```
/// use grundy_core::argument::{Argument, Arguments};
/// use grundy_core::{Limits, Position, Solver, ruleset::arc_kayles};
/// // A path of n vertices is a heap of n in Dawson's Kayles.
/// let items = [(None, Argument::Text("0-1 1-2 2-3".to_owned()))];
/// let position = Position::from(arc_kayles::construct(&Arguments { items: &items })?);
/// assert_eq!(Solver::default().grundy(&position, &Limits::default()), Ok(2));
/// # Ok::<(), grundy_core::Diagnostic>(())
/// ```
pub fn construct(arguments: &Arguments<'_>) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
    let mut arcs = Vec::new();
    read_edges(arguments, &mut |a, b| {
        arcs.extend(b.map(|b| [a, b]));
        Ok(())
    })?;
    Ok(Term::new(ArcKayles, vec![Arcs(arcs)]).into())
}

impl Arcs {
    /// Visits the moves for which `accept` returns `true`. For each move, `accept` receives the
    /// indices of the edges that the move removes.
    fn moves(&self, accept: &mut dyn FnMut(&[usize]) -> bool, visit: Visit<'_, Self>) -> Flow {
        let Self(arcs) = self;
        (0..arcs.len()).try_for_each(|index| {
            let touched = |&other: &usize| touch(arcs[index], arcs[other]);
            let (removed, rest): (Vec<usize>, Vec<usize>) = (0..arcs.len()).partition(touched);
            if !accept(&removed) {
                return ControlFlow::Continue(());
            }
            let rest = rest.into_iter().map(|other| arcs[other]).collect();
            let [a, b] = arcs[index].map(u64::from);
            let edge = index as u64;
            visit(&[Self(rest)], &|| {
                let step = Step::new("take_arc").with("a", a).with("b", b);
                Move::new([edge], step.with("edge", edge))
            })
        })
    }
}

/// Returns whether two edges share an end.
fn touch([a, b]: [u32; 2], [c, d]: [u32; 2]) -> bool {
    a == c || a == d || b == c || b == d
}

impl Ruleset for ArcKayles {
    type Part = Arcs;

    fn name(&self) -> &'static str {
        "arc_kayles"
    }

    #[inline]
    fn capabilities(&self) -> Capabilities<'_, Arcs> {
        Capabilities {
            small_values: Some(self),
            every_option: Some(self),
            pictures: Some(self),
            ..Capabilities::NONE
        }
    }

    fn options(&self, _: Player, _: usize, arcs: &Arcs, visit: Visit<'_, Arcs>) -> Flow {
        // If two moves remove the same edges, they leave the same graph, so they are one move.
        let mut before: HashSet<Vec<usize>> = HashSet::new();
        arcs.moves(&mut |removed| before.insert(removed.to_vec()), visit)
    }

    fn components(&self, Arcs(arcs): &Arcs, visit: &mut dyn FnMut(Arcs)) {
        // Parallel edges touch each other, so taking either removes both. They count as one edge.
        let graph = KaylesGraph::from_edges(arcs.iter().copied());
        graph.visit_components(&mut |component| {
            let arcs = component.edges();
            if !arcs.is_empty() {
                visit(Arcs(arcs));
            }
        });
    }

    fn write(&self, parts: &[Arcs]) -> String {
        let write = |Arcs(arcs): &Arcs| {
            let words: Vec<String> = arcs.iter().map(|[a, b]| format!("{a}-{b}")).collect();
            format!("arc_kayles(\"{}\")", words.join(" "))
        };
        parts.iter().map(write).collect()
    }
}

impl SmallValues<Arcs> for ArcKayles {
    fn size(&self, Arcs(arcs): &Arcs) -> u64 {
        arcs.len() as u64
    }
}

impl EveryOption<Arcs> for ArcKayles {
    fn every_option(&self, _: Player, _: usize, arcs: &Arcs, visit: Visit<'_, Arcs>) -> Flow {
        arcs.moves(&mut |_| true, visit)
    }
}

impl Pictures<Arcs> for ArcKayles {
    fn picture(&self, parts: &[Arcs]) -> Picture {
        let arcs = || parts.iter().flat_map(|Arcs(arcs)| arcs);
        let vertices: BTreeMap<u32, char> = arcs().flatten().map(|&vertex| (vertex, '.')).collect();
        Picture::Graph {
            vertices: vertices.into_iter().collect(),
            edges: arcs().copied().collect(),
            numbers: (0..).zip(arcs()).map(|(index, _)| index).collect(),
        }
    }
}
