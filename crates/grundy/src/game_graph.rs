//! The game graph of a position: everything that can be reached from it, as an explicit graph.

use std::ops::ControlFlow;

use crate::graph::{Digraph, Names, Network};
use crate::limits::{Limits, Stop};
use crate::position::Position;

/// The game graph of `position`, which becomes vertex 0. A term that is a graph already gives the part of it that can be
/// reached; elsewhere vertices have the names of their positions, and moves to the same position are one.
///
/// # Complexity
/// One visit to every position that can be reached.
///
/// # Errors
/// The limit that was reached.
///
/// # Examples
/// ```
/// use grundy::ruleset::nim::Nim;
/// use grundy::{Limits, Position, Term, game_graph};
/// let network = game_graph(&Position::from(Term::new(Nim, vec![2])), &Limits::default())?;
/// assert_eq!(network.names.get(0), "nim(2)");
/// assert_eq!((network.graph.vertices(), network.graph.edges()), (3, 3));
/// # Ok::<(), grundy::Stop>(())
/// ```
pub fn game_graph(position: &Position, limits: &Limits<'_>) -> Result<Network, Stop> {
    if position.terms.iter().any(|term| !term.impartial()) {
        return Err(Stop::NotImpartial);
    }
    if let [term] = &position.terms[..]
        && let Some((network, start)) = term.network()
    {
        let part = network.part_from(start);
        limits.check(part.graph.vertices() as u64, 0)?;
        return Ok(part);
    }
    let mut names = Names::default();
    names.number(&position.to_string());
    let mut positions = vec![position.clone()];
    let mut graph = Digraph::default();
    let mut next = 0;
    while next < positions.len() {
        limits.poll()?;
        let here = positions[next].clone();
        next += 1;
        let mut row = Vec::new();
        let mut stop = Ok(());
        let _ = here.moves(&mut |_, _, to| {
            let to = to();
            let vertex = names.number(&to.to_string());
            if vertex as usize == positions.len() {
                positions.push(to);
            }
            if !row.contains(&vertex) {
                row.push(vertex);
            }
            stop = limits
                .check(positions.len() as u64, 0)
                .and_then(|()| limits.check(1, names.bytes() as u64));
            if stop.is_ok() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        stop?;
        row.into_iter().for_each(|vertex| graph.push_edge(vertex));
        graph.end_vertex();
    }
    Ok(Network {
        graph,
        names,
        file: None,
    })
}
