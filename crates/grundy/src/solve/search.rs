//! Exact search over the sums that can be reached, for what no theory of values answers.
//!
//! A state is a multiset of numbered components. All states that can be reached are laid out as a game graph and
//! labelled by retrograde analysis, which gives outcomes and remoteness, in normal and misère play, whether or
//! not positions can come back.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::interned::lists;
use super::universe::{Component, Universe};
use crate::graph::{Digraph, Label, Labels};
use crate::limits::{Limits, Stop};
use crate::outcome::Play;
use crate::position::Position;

/// The label of `position` by exact search.
///
/// # Complexity
/// O(V + E) time and memory for the V sums that can be reached and the E moves between them, each of size k.
///
/// # Errors
/// The limit that was reached.
pub fn label(position: &Position, play: Play, limits: &Limits<'_>) -> Result<Label, Stop> {
    Ok(Searched::from(position, play, limits)?.labels.get(0))
}

/// All sums that can be reached from a position, labelled.
#[derive(Debug)]
pub struct Searched {
    universe: Universe,
    ids: FxHashMap<Vec<Component>, u32>,
    labels: Labels,
}

impl Searched {
    /// Searches from `position`.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn from(position: &Position, play: Play, limits: &Limits<'_>) -> Result<Self, Stop> {
        if position.terms.len() > 1 && position.terms.iter().any(|term| !term.impartial()) {
            // Whose turn it is belongs to the whole sum then, not to its parts.
            return Err(Stop::NotImpartial);
        }
        let mut universe = Universe::default();
        let start = state(position, &mut universe);
        let mut options: FxHashMap<Component, Vec<u32>> = FxHashMap::default();
        let mut ids: FxHashMap<Vec<Component>, u32> = FxHashMap::default();
        let mut states = vec![start.clone()];
        ids.insert(start, 0);
        let mut graph = Digraph::default();
        let mut next = 0;
        // Sums may have ever more components: each is kept twice.
        let weight = |sum: &[Component]| 96 + 2 * size_of_val(sum) as u64;
        let mut held = weight(&states[0]);
        while next < states.len() {
            if next % 1024 == 0 {
                limits.poll()?;
            }
            let state = states[next].clone();
            next += 1;
            let mut previous = None;
            for (index, &component) in state.iter().enumerate() {
                if previous.replace(component) == Some(component) {
                    continue;
                }
                let known = match options.entry(component) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(vacant) => {
                        let mut flat = Vec::new();
                        universe.push_options(component, &mut flat, limits)?;
                        vacant.insert(flat)
                    }
                };
                for option in lists(known) {
                    let mut sum = state.clone();
                    sum.remove(index);
                    sum.extend(option.iter().map(|&id| (component.0, id)));
                    sum.sort_unstable();
                    let id = *ids.entry(sum).or_insert_with_key(|sum| {
                        held += weight(sum);
                        states.push(sum.clone());
                        states.len() as u32 - 1
                    });
                    graph.push_edge(id);
                }
                limits.check(states.len() as u64, 0)?;
                limits.check(1, held + 12 * graph.edges() as u64)?;
            }
            graph.end_vertex();
        }
        let labels = graph.label_within(play, limits)?;
        Ok(Self {
            universe,
            ids,
            labels,
        })
    }

    /// The label of a position that can be reached; nothing for others.
    pub fn label(&mut self, position: &Position) -> Option<Label> {
        let state = state(position, &mut self.universe);
        self.ids.get(&state).map(|&id| self.labels.get(id))
    }
}

/// A sum as its components in order.
fn state(position: &Position, universe: &mut Universe) -> Vec<Component> {
    let mut state = Vec::new();
    for term in &position.terms {
        term.enter(universe, &mut state);
    }
    state.sort_unstable();
    state
}
