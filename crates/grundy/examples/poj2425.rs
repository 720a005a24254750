//! POJ 2425, A Chess Game.
//!
//! The input has N, then N lines `x s1 .. sx` with the successors of vertices 0 to N - 1. Queries
//! `m p1 .. pm` follow until a 0: pieces stand on these vertices, and the player who cannot move
//! loses. All of this is repeated until the input ends.

pub(crate) mod input;

use std::io::Write;
use std::process::ExitCode;

use grundy::graph::Digraph;

use input::{Bad, Numbers};

fn main() -> ExitCode {
    input::answer(answer)
}

pub(crate) fn answer(numbers: &mut Numbers<'_>, out: &mut dyn Write) -> Result<(), Bad> {
    while let Some(count) = numbers.next()? {
        let mut graph = Digraph::default();
        for _ in 0..count {
            let successors = numbers.due("the number of successors")?;
            for vertex in numbers.list(successors, "a successor")? {
                graph.push_edge(inside(vertex, count, numbers)?);
            }
            graph.end_vertex();
        }
        // The values are computed once for all queries about a graph.
        let values = graph
            .grundy_values()
            .ok_or_else(|| numbers.bad("the graph has a cycle"))?;
        loop {
            let pieces = numbers.due("the number of pieces")?;
            if pieces == 0 {
                break;
            }
            let mut sum = 0;
            for vertex in numbers.list(pieces, "a piece")? {
                let vertex = inside(vertex, count, numbers)?;
                sum ^= values.get(vertex).unwrap_or(0);
            }
            writeln!(out, "{}", if sum == 0 { "LOSE" } else { "WIN" })?;
        }
    }
    Ok(())
}

fn inside(vertex: u64, count: u64, numbers: &Numbers<'_>) -> Result<u32, Bad> {
    u32::try_from(vertex)
        .ok()
        .filter(|_| vertex < count)
        .ok_or_else(|| {
            numbers.bad(&format!(
                "the graph of {count} vertices has no vertex {vertex}"
            ))
        })
}
