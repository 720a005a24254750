//! Levels of drawn vertices.

use super::frontier::{self, Counters, Sorter};
use super::label::{Labels, Score};
use super::{Digraph, Transposed};
use grundy_base::limits::{Limits, Stop};

/// The draw levels of the vertices of a graph, and the draw remoteness at each level.
///
/// A player who leaves the draws makes a mistake. At a drawn vertex of the *fringe* such a mistake
/// is possible. Level 0 contains the fringe. It also contains each vertex at which one player can
/// force the other to move from the fringe, if both keep the draw. After these vertices are
/// removed, level 1 is found in the same way among the remaining draws, and so on.
///
/// The draw remoteness is the number of moves to the fringe of the level. One player hurries to
/// make the opponent move from the fringe, and the opponent delays. The number is 0 in the fringe.
/// If it is even, the player to move will have to move from the fringe, and if it is odd, the
/// opponent will.
///
/// A draw without a level has no path to a vertex that is won or lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawLevels {
    /// The level and the draw remoteness of each vertex. The level is [`DrawLevels::NONE`] where
    /// there is none.
    cells: Vec<(u32, u32)>,
}

impl DrawLevels {
    const NONE: u32 = u32::MAX;

    /// Returns the level and the draw remoteness of a vertex. Returns `None` if the vertex is not a
    /// draw or has no level.
    ///
    /// # Panics
    /// If there is no such vertex.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::graph::Digraph;
    /// use grundy_core::{Limits, Play};
    /// // Vertices 0 to 3 form a cycle. From vertex 0 a move to vertex 4 loses.
    /// let edges = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (4, 5)];
    /// let graph = Digraph::from_edges(6, &edges);
    /// let labels = graph.label(Play::Normal);
    /// let levels = graph.draw_levels(&labels, &Limits::none())?;
    /// let levels = [0, 1, 2, 3, 4].map(|vertex| levels.get(vertex));
    /// assert_eq!(levels, [Some((0, 0)), Some((0, 3)), Some((0, 2)), Some((0, 1)), None]);
    /// # Ok::<(), grundy_core::Stop>(())
    /// ```
    #[must_use]
    pub fn get(&self, vertex: u32) -> Option<(u32, u32)> {
        let (level, remoteness) = self.cells[vertex as usize];
        (level != Self::NONE).then_some((level, remoteness))
    }
}

/// Computes the levels of the draws among `labels`.
pub(super) fn levels(
    graph: &Digraph,
    transposed: &Transposed,
    labels: &Labels,
    limits: &Limits<'_>,
) -> Result<DrawLevels, Stop> {
    let is_draw = |vertex: u32| labels.scores[vertex as usize] == Score::DRAW.0;
    let vertices = 0..graph.vertices() as u32;
    let mut cells = vec![(DrawLevels::NONE, 0); graph.vertices()];
    // At a draw, every move that leaves the draws is a mistake.
    let mistakes = |&v: &u32| is_draw(v) && graph.options(v).iter().any(|&w| !is_draw(w));
    let mut fringe: Vec<u32> = vertices.clone().filter(mistakes).collect();
    // A vertex whose options are all draws is lost if all of them are won. An option of a lower
    // level puts the vertex into the fringe, so the counters of the other vertices are correct.
    let mut undecided = Counters::new(graph);
    let mut sorter = Sorter::new(graph.vertices());
    let mut level = 0;
    // Vertices outside the draws never become part of a level.
    let others: Vec<u32> = vertices.filter(|&v| !is_draw(v)).collect();
    undecided.mark_decided(&others);
    while !fringe.is_empty() {
        let mut removed = Vec::new();
        undecided.mark_decided(&fringe);
        let (mut lost, mut won) = (fringe, Vec::new());
        let mut remoteness = 0;
        while !(lost.is_empty() && won.is_empty()) {
            limits.poll()?;
            for &v in lost.iter().chain(&won) {
                cells[v as usize] = (level, remoteness);
            }
            removed.extend(lost.iter().chain(&won));
            let (mut next_won, mut next_lost) = (Vec::new(), Vec::new());
            frontier::predecessors(transposed, &lost, |sources| {
                undecided.decide(sources, &mut next_won);
            });
            frontier::predecessors(transposed, &won, |sources| {
                undecided.count_down(sources, &mut next_lost);
            });
            (lost, won) = (next_lost, next_won);
            sorter.sort(&mut lost);
            sorter.sort(&mut won);
            remoteness += 1;
        }
        // The next fringe consists of the remaining draws with a move to this level.
        fringe = Vec::new();
        sorter.sort(&mut removed);
        frontier::predecessors(transposed, &removed, |sources| {
            let remaining = |&v: &u32| is_draw(v) && cells[v as usize].0 == DrawLevels::NONE;
            fringe.extend(sources.iter().copied().filter(remaining));
        });
        fringe.sort_unstable();
        fringe.dedup();
        level += 1;
    }
    Ok(DrawLevels { cells })
}
