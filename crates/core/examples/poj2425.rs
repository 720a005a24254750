//! POJ 2425, A Chess Game.
//!
//! The input has N, then N lines `x s1 .. sx` with the successors of vertices 0 to N - 1. Queries
//! `m p1 .. pm` follow until `m` is 0: there are pieces on these vertices, and the player who
//! cannot move loses. The next graph follows, until the input ends. The answer to a query is WIN if
//! the first player wins, else LOSE.

pub(crate) mod input;

use std::io::Write;
use std::process::ExitCode;

use grundy_core::graph::Digraph;

use input::{InputError, Numbers};

fn main() -> ExitCode {
    input::run(answer)
}

pub(crate) fn answer(numbers: &mut Numbers<'_>, out: &mut dyn Write) -> Result<(), InputError> {
    while let Some(count) = numbers.next()? {
        let mut graph = Digraph::default();
        for _ in 0..count {
            let successors = numbers.expect_next("the number of successors")?;
            for vertex in numbers.list(successors, "a successor")? {
                graph.push_edge(vertex_number(vertex, count, numbers)?);
            }
            graph.end_vertex();
        }
        // The values are computed once for all queries about a graph.
        let values = graph
            .grundy_values()
            .ok_or_else(|| numbers.error("the graph has a cycle"))?;
        loop {
            let pieces = numbers.expect_next("the number of pieces")?;
            if pieces == 0 {
                break;
            }
            let mut sum = 0;
            for vertex in numbers.list(pieces, "a piece")? {
                let vertex = vertex_number(vertex, count, numbers)?;
                sum ^= values.get(vertex).unwrap_or(0);
            }
            writeln!(out, "{}", if sum == 0 { "LOSE" } else { "WIN" })?;
        }
    }
    Ok(())
}

fn vertex_number(vertex: u64, count: u64, numbers: &Numbers<'_>) -> Result<u32, InputError> {
    u32::try_from(vertex)
        .ok()
        .filter(|_| vertex < count)
        .ok_or_else(|| {
            numbers.error(&format!(
                "the graph of {count} vertices has no vertex {vertex}"
            ))
        })
}
