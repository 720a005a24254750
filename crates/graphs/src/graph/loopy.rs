//! Values of games that need not end: the Smith–Fraenkel theory.
//!
//! Values 0, 1, 2, ... are given out one after the other. A vertex gets m when its options have all
//! values below m and none has m, and every other option can be answered by a move to a vertex that
//! has got m before. The values of 0 are the P-positions, found by the labels; each further value
//! is a retrograde analysis over the vertices that can still get it. What gets no value is
//! infinite, with the set K of the finite values among its options.

use super::frontier::{self, Counters, Sorter};
use super::label::Labels;
use super::values::Values;
use super::{Digraph, Transposed};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Outcome;

/// Smith–Fraenkel values of all vertices, with the rounds in which they were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopyValues {
    values: Values,
    rounds: Vec<u32>,
}

impl LoopyValues {
    /// Returns the finite value of a vertex; nothing for infinity.
    ///
    /// # Panics
    /// When there is no such vertex.
    #[must_use]
    pub fn get(&self, vertex: u32) -> Option<u32> {
        self.values.get(vertex)
    }

    /// Returns the number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rounds.len()
    }

    /// Returns whether there is no vertex.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rounds.is_empty()
    }

    /// Returns the finite values among the options of an infinite vertex, each once, in order;
    /// nothing at a finite one.
    #[must_use]
    pub fn infinity(&self, graph: &Digraph, vertex: u32) -> Option<Vec<u32>> {
        if self.values.has(vertex) {
            return None;
        }
        let options = graph.options(vertex).iter();
        let mut finite: Vec<u32> = options.filter_map(|&w| self.get(w)).collect();
        finite.sort_unstable();
        finite.dedup();
        Some(finite)
    }

    /// Returns the round in which the value of a finite vertex was found, from 1; 0 at an infinite
    /// one.
    ///
    /// From a vertex of value m, every move to another than a smaller value can be answered by a
    /// move to a vertex of value m found in an earlier round. So whoever answers like that comes to
    /// an end: see `docs/graphs.md`. The round of a vertex depends on the vertices that it can
    /// reach only.
    #[must_use]
    pub fn round(&self, vertex: u32) -> u32 {
        self.rounds[vertex as usize]
    }
}

/// Returns the values, from the labels of normal play.
pub(super) fn smith_fraenkel(
    graph: &Digraph,
    transposed: &Transposed,
    labels: &Labels,
    limits: &Limits<'_>,
) -> Result<LoopyValues, Stop> {
    let n = graph.vertices();
    let mut values = Values::absent(n);
    let mut rounds = vec![0; n];
    // The vertices that may get the next value: they have options of all values before.
    let mut eligible = Vec::new();
    for (v, label) in labels.iter().enumerate() {
        match (label.outcome, label.remoteness) {
            (Outcome::P, Some(remoteness)) => {
                values.set(v as u32, 0);
                rounds[v] = remoteness / 2 + 1;
            }
            (Outcome::N, _) => eligible.push(v as u32),
            _ => {}
        }
    }
    let mut level = Level::new(n);
    let mut sorter = Sorter::new(n);
    let mut value = 1;
    while !eligible.is_empty() {
        limits.poll()?;
        let mut found = level.open(graph, &values, &eligible);
        let mut round = 1;
        let mut answered = Vec::new();
        let mut next = Vec::new();
        while !found.is_empty() {
            limits.poll()?;
            for &v in &found {
                values.set(v, value);
                rounds[v as usize] = round;
            }
            let from = answered.len();
            frontier::predecessors(transposed, &found, |sources| {
                level.answer(&values, sources, &mut answered);
            });
            next.clear();
            sorter.sort(&mut answered[from..]);
            frontier::predecessors(transposed, &answered[from..], |sources| {
                level.left.count_down(sources, &mut next);
            });
            std::mem::swap(&mut found, &mut next);
            sorter.sort(&mut found);
            round += 1;
        }
        eligible = level.close(&eligible, &answered);
        value += 1;
    }
    Ok(LoopyValues { values, rounds })
}

/// One value being given out.
struct Level {
    /// Options of the eligible vertices that have no value yet and no answer; other vertices are
    /// decided.
    left: Counters,
    /// Whether a vertex has an option of the present value.
    answered: Vec<bool>,
}

impl Level {
    fn new(vertices: usize) -> Self {
        Self {
            left: Counters::decided(vertices),
            answered: vec![false; vertices],
        }
    }

    /// Counts the options without a value of every eligible vertex; returns those that have none.
    fn open(&mut self, graph: &Digraph, values: &Values, eligible: &[u32]) -> Vec<u32> {
        let mut none = Vec::new();
        for &v in eligible {
            let options = graph.options(v).iter();
            let open = options.filter(|&&w| !values.has(w)).count() as u32;
            self.left.set(v, open);
            if open == 0 {
                none.push(v);
            }
        }
        none
    }

    /// Notes that `sources` have an option of the present value: those without a value of their own
    /// that had none before are appended to `answered`.
    fn answer(&mut self, values: &Values, sources: &[u32], answered: &mut Vec<u32>) {
        let known = &mut self.answered[..];
        frontier::select(sources, answered, |v| {
            let new = !known[v] & !values.has(v as u32);
            known[v] |= new;
            new
        });
        // Whoever has an option of this value cannot get it.
        self.left.forget(sources);
    }

    /// Ends the value: returns the eligible vertices that have an option of it.
    fn close(&mut self, eligible: &[u32], answered: &[u32]) -> Vec<u32> {
        let next = eligible.iter().copied();
        let next = next.filter(|&v| self.answered[v as usize]).collect();
        self.left.forget(eligible);
        for &v in answered {
            self.answered[v as usize] = false;
        }
        next
    }
}
