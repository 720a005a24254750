//! Win, tie or loss where positions can come back: retrograde analysis of all that can be reached.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::solve::{Known, Values};
use super::{Rules, Value};
use crate::graph::Digraph;
use crate::limits::Stop;
use crate::outcome::Outcome;

/// Bytes that a position takes here, beside itself: entry of the table, row of the graph, label.
const BYTES: u64 = 160;

/// The values of everything that can be reached from `start`, which stands for its class.
///
/// # Errors
/// The limit that was reached, or [`Stop::Rules`].
pub(super) fn values<R: Rules>(
    game: &Values<'_, R>,
    start: &R::State,
) -> Result<FxHashMap<R::State, Option<Known>>, Stop> {
    let limits = game.limits();
    let bytes = BYTES + 2 * size_of::<R::State>() as u64;
    let mut ids: FxHashMap<R::State, u32> = FxHashMap::default();
    let mut states = vec![start.clone()];
    ids.insert(start.clone(), 0);
    let mut rows: Vec<Result<Vec<u32>, Value>> = Vec::new();
    let mut edges = 0;
    while rows.len() < states.len() {
        if rows.len().is_multiple_of(1024) {
            limits.poll()?;
        }
        limits.check((states.len() + edges / 8) as u64, bytes)?;
        let row = match game.follow(&states[rows.len()])? {
            Err(value) => Err(value),
            Ok(options) => {
                let ids = options
                    .iter()
                    .map(|to| match ids.entry(game.rules().canonical(to)) {
                        Entry::Occupied(known) => *known.get(),
                        Entry::Vacant(vacant) => {
                            states.push(vacant.key().clone());
                            *vacant.insert(states.len() as u32 - 1)
                        }
                    });
                Ok(ids.collect::<Vec<u32>>())
            }
        };
        edges += row.as_ref().map_or(1, Vec::len);
        rows.push(row);
    }
    let (mut graph, mut ends) = (Digraph::default(), Vec::new());
    for (id, row) in (0..).zip(&rows) {
        match row {
            Ok(row) => row.iter().for_each(|&to| graph.push_edge(to)),
            Err(value) => ends.push((id, Outcome::from(*value))),
        }
        graph.end_vertex();
    }
    let labels = graph.label_from(&graph.transpose(limits)?, &ends, limits)?;
    let known = |id: u32| {
        let label = labels.get(id);
        let value = Value::from(label.outcome);
        let distance = label.remoteness.unwrap_or(0);
        Some(Known { value, distance })
    };
    Ok(ids
        .into_iter()
        .map(|(state, id)| (state, known(id)))
        .collect())
}
