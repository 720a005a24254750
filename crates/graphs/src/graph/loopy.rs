//! Values of loopy games, in the theory of Smith and Fraenkel.
//!
//! Values are assigned in increasing order. A vertex gets value m if three conditions are
//! satisfied. All values below m occur among its options. No option has value m. Every option that
//! has no value below m has itself an option that already has value m.
//!
//! The vertices of value 0 are the P-positions, which are known from the labels. Each further value
//! takes a retrograde analysis of the vertices that may get it. The vertices without a finite value
//! have value infinity, with the set K of the finite values among their options.

use super::frontier::{self, Counters, Sorter};
use super::label::Labels;
use super::values::Values;
use super::{Digraph, Transposed};
use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::Outcome;

/// The Smith–Fraenkel values of all vertices. The algorithm assigns each finite value in rounds.
/// For each vertex with a finite value, the round in which it got this value is stored as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopyValues {
    values: Values,
    rounds: Vec<u32>,
}

impl LoopyValues {
    /// Returns the finite value of a vertex, or `None` for infinity.
    ///
    /// # Panics
    /// If there is no such vertex.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// let values = Digraph::from_edges(3, &[(0, 0), (0, 1), (2, 1)]).loopy_values();
    /// assert_eq!([0, 1, 2].map(|v| values.get(v)), [None, Some(0), Some(1)]);
    /// ```
    #[must_use]
    pub fn get(&self, vertex: u32) -> Option<u32> {
        self.values.get(vertex)
    }

    /// Returns the number of vertices.
    ///
    /// ```
    /// use grundy_core::graph::Digraph;
    /// assert_eq!(Digraph::from_edges(2, &[(0, 0), (0, 1)]).loopy_values().len(), 2);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.rounds.len()
    }

    /// Returns whether the graph has no vertices.
    ///
    /// ```
    /// use grundy_core::graph::Digraph;
    /// assert!(Digraph::default().loopy_values().is_empty());
    /// assert!(!Digraph::from_edges(1, &[(0, 0)]).loopy_values().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rounds.is_empty()
    }

    /// Returns the different finite values among the options of a vertex of infinite value, in
    /// increasing order. Returns `None` if the vertex has a finite value.
    ///
    /// ```
    /// use grundy_core::graph::Digraph;
    /// // From 2 a player may stay at 2, or move to the values 0 and 1.
    /// let graph = Digraph::from_edges(3, &[(1, 0), (2, 2), (2, 0), (2, 1)]);
    /// let values = graph.loopy_values();
    /// assert_eq!(values.infinity(&graph, 2), Some(vec![0, 1]));
    /// assert_eq!(values.infinity(&graph, 1), None);
    /// ```
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

    /// Returns the round in which a vertex got its finite value. The algorithm assigns each value
    /// in rounds, which are counted from 1. Returns 0 for an infinite value.
    ///
    /// Consider a move from a vertex of value m that does not lead to a smaller value. The opponent
    /// can reply with a move to a vertex of value m from an earlier round. Hence play ends if all
    /// such moves are answered in this way, see `docs/graphs.md`. The round of a vertex depends
    /// only on the vertices that can be reached from it.
    ///
    /// ```
    /// use grundy_core::graph::Digraph;
    /// // Both 0 and 2 have value 0. A move from 0 to 1 can be answered by the move to 2.
    /// let values = Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2)]).loopy_values();
    /// assert_eq!((values.round(2), values.round(0)), (1, 2));
    /// ```
    #[must_use]
    pub fn round(&self, vertex: u32) -> u32 {
        self.rounds[vertex as usize]
    }
}

/// Computes Smith–Fraenkel values from the labels of normal play.
pub(super) fn smith_fraenkel(
    graph: &Digraph,
    transposed: &Transposed,
    labels: &Labels,
    limits: &Limits<'_>,
) -> Result<LoopyValues, Stop> {
    let n = graph.vertices();
    let mut values = Values::absent(n);
    let mut rounds = vec![0; n];
    // The candidates for the next value. Their options have all smaller values.
    let mut eligible = Vec::new();
    for (v, label) in labels.iter().enumerate() {
        match (label.outcome, label.remoteness) {
            // Stages of losses and of wins alternate in the labels. So the rounds for value 0 are
            // the even remotenesses.
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
        // In each round, the predecessors of the vertices that have just got this value become
        // answered. A vertex gets the value in the next round if all its options without a smaller
        // value are answered now.
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
            // Only the vertices that became answered in this round notify their predecessors.
            next.clear();
            sorter.sort(&mut answered[from..]);
            frontier::predecessors(transposed, &answered[from..], |sources| {
                level.unanswered.count_down(sources, &mut next);
            });
            std::mem::swap(&mut found, &mut next);
            sorter.sort(&mut found);
            round += 1;
        }
        // Only a vertex that has an option of this value is a candidate for the next value.
        eligible = level.close(&eligible, &answered);
        value += 1;
    }
    Ok(LoopyValues { values, rounds })
}

/// The state of the algorithm while it assigns one value, the current value, to vertices. The
/// candidates are the vertices that may get this value. A vertex is answered if it has no value and
/// has an option of the current value.
struct Level {
    /// For each candidate, the number of its options that have no value and are not answered.
    /// Answered candidates, and all vertices that are not candidates, are marked as decided.
    unanswered: Counters,
    /// For each vertex: `true` if it is answered.
    answered: Vec<bool>,
}

impl Level {
    fn new(vertices: usize) -> Self {
        Self {
            unanswered: Counters::decided(vertices),
            answered: vec![false; vertices],
        }
    }

    /// Counts, for every candidate, the options without a value. Returns the candidates whose count
    /// is 0.
    fn open(&mut self, graph: &Digraph, values: &Values, eligible: &[u32]) -> Vec<u32> {
        let mut none = Vec::new();
        for &v in eligible {
            let options = graph.options(v).iter();
            let open = options.filter(|&&w| !values.has(w)).count() as u32;
            self.unanswered.set(v, open);
            if open == 0 {
                none.push(v);
            }
        }
        none
    }

    /// Records that the vertices in `sources` have an option of the current value. Appends to
    /// `answered` those that have no value and were not answered before.
    fn answer(&mut self, values: &Values, sources: &[u32], answered: &mut Vec<u32>) {
        let answered_flags = &mut self.answered[..];
        frontier::select(sources, answered, |v| {
            let new = !answered_flags[v] & !values.has(v as u32);
            answered_flags[v] |= new;
            new
        });
        // A vertex with an option of the current value cannot get that value.
        self.unanswered.mark_decided(sources);
    }

    /// Ends the assignment of the current value. Returns the candidates for the next value: the
    /// vertices in `eligible` that have an option of the current value.
    fn close(&mut self, eligible: &[u32], answered: &[u32]) -> Vec<u32> {
        let next = eligible.iter().copied();
        let next = next.filter(|&v| self.answered[v as usize]).collect();
        self.unanswered.mark_decided(eligible);
        for &v in answered {
            self.answered[v as usize] = false;
        }
        next
    }
}
