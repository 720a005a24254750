//! Game graphs: outcome and remoteness of every vertex of a finite digraph.

use crate::mex::MexSet;
use crate::outcome::{Outcome, Play};

/// A digraph in compressed rows: the moves of one vertex after those of the vertex before.
#[derive(Clone, Debug)]
pub struct Digraph {
    offsets: Vec<usize>,
    targets: Vec<u32>,
}

impl Default for Digraph {
    fn default() -> Self {
        Self {
            offsets: vec![0],
            targets: Vec::new(),
        }
    }
}

/// Outcome and remoteness of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// Who wins.
    pub outcome: Outcome,
    /// Moves left when the winner hurries and the loser delays; 0 for a draw.
    pub remoteness: u32,
}

impl Digraph {
    /// Adds a move from the vertex being written.
    pub fn push_edge(&mut self, target: u32) {
        self.targets.push(target);
    }

    /// Ends the vertex being written and begins the next.
    pub fn end_vertex(&mut self) {
        self.offsets.push(self.targets.len());
    }

    /// The number of vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of moves.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    /// Labels every vertex N, P or D by retrograde analysis: stage by stage, the losing vertices of a stage make
    /// their predecessors winning, and a vertex whose last move leads to a winning one is losing.
    ///
    /// In misère play a vertex without moves is won by the player to move, at remoteness 0.
    ///
    /// # Panics
    /// When a target is not a vertex.
    ///
    /// # Complexity
    /// O(n + m) time and 4 m + 17 n bytes for n vertices and m moves.
    ///
    /// # Examples
    /// ```
    /// use grundy::graph::Digraph;
    /// use grundy::{Outcome, Play};
    /// let mut graph = Digraph::default();      // 0 <-> 1 -> 2
    /// graph.push_edge(1);
    /// graph.end_vertex();
    /// graph.push_edge(0);
    /// graph.push_edge(2);
    /// graph.end_vertex();
    /// graph.end_vertex();
    /// let labels = graph.label(Play::Normal);
    /// assert_eq!(labels.iter().map(|l| l.outcome).collect::<Vec<_>>(), [Outcome::P, Outcome::N, Outcome::P]);
    /// assert_eq!(labels[0].remoteness, 2);
    /// ```
    ///
    /// # References
    /// C. A. B. Smith, Graphs and composite games, J. Combin. Theory 1 (1966), 51-81.
    #[must_use]
    pub fn label(&self, play: Play) -> Vec<Label> {
        let n = self.vertices();
        let mut starts = vec![0usize; n + 1];
        for &target in &self.targets {
            starts[target as usize + 1] += 1;
        }
        for v in 0..n {
            starts[v + 1] += starts[v];
        }
        let mut fill = starts.clone();
        let mut sources = vec![0u32; self.edges()];
        for v in 0..n {
            for &target in &self.targets[self.offsets[v]..self.offsets[v + 1]] {
                sources[fill[target as usize]] = v as u32;
                fill[target as usize] += 1;
            }
        }
        let mut left: Vec<u32> = self
            .offsets
            .windows(2)
            .map(|w| (w[1] - w[0]) as u32)
            .collect();
        let mut labels = vec![
            Label {
                outcome: Outcome::D,
                remoteness: 0
            };
            n
        ];
        let mut queue = Vec::new();
        for v in 0..n {
            if left[v] == 0 {
                let outcome = Outcome::from_win(play == Play::Misere);
                labels[v] = Label {
                    outcome,
                    remoteness: 0,
                };
                queue.push(v as u32);
            }
        }
        // The queue holds vertices in the order of their remoteness: a vertex is entered when its label is final.
        let mut head = 0;
        while head < queue.len() {
            let vertex = queue[head] as usize;
            head += 1;
            let Label {
                outcome,
                remoteness,
            } = labels[vertex];
            for &source in &sources[starts[vertex]..starts[vertex + 1]] {
                let v = source as usize;
                if labels[v].outcome != Outcome::D {
                    continue;
                }
                left[v] -= 1;
                let decided = match outcome {
                    Outcome::P => Some(Outcome::N),
                    _ if left[v] == 0 => Some(Outcome::P),
                    _ => None,
                };
                if let Some(outcome) = decided {
                    labels[v] = Label {
                        outcome,
                        remoteness: remoteness + 1,
                    };
                    queue.push(source);
                }
            }
        }
        labels
    }

    /// The Sprague–Grundy value of every vertex of a graph without cycles; `None` when there is a cycle.
    ///
    /// # Panics
    /// When a target is not a vertex.
    ///
    /// # Complexity
    /// O(n + m) time, and 13 n bytes beside the result.
    ///
    /// # Examples
    /// ```
    /// use grundy::graph::Digraph;
    /// let mut graph = Digraph::default();      // 0 -> 1, 0 -> 2, 1 -> 2
    /// graph.push_edge(1);
    /// graph.push_edge(2);
    /// graph.end_vertex();
    /// graph.push_edge(2);
    /// graph.end_vertex();
    /// graph.end_vertex();
    /// assert_eq!(graph.grundy_values(), Some(vec![2, 1, 0]));
    /// ```
    #[must_use]
    pub fn grundy_values(&self) -> Option<Vec<u64>> {
        const NEW: u8 = 0;
        const OPEN: u8 = 1;
        const DONE: u8 = 2;
        let n = self.vertices();
        let mut states = vec![NEW; n];
        let mut values = vec![0; n];
        let mut set = MexSet::default();
        let mut path: Vec<(usize, usize)> = Vec::new();
        for root in 0..n {
            if states[root] == DONE {
                continue;
            }
            states[root] = OPEN;
            path.push((root, self.offsets[root]));
            while let Some((vertex, edge)) = path.last_mut() {
                let row = self.offsets[*vertex]..self.offsets[*vertex + 1];
                if *edge < row.end {
                    let target = self.targets[*edge] as usize;
                    *edge += 1;
                    match states[target] {
                        NEW => {
                            states[target] = OPEN;
                            path.push((target, self.offsets[target]));
                        }
                        OPEN => return None,
                        _ => {}
                    }
                    continue;
                }
                set.clear();
                self.targets[row]
                    .iter()
                    .for_each(|&target| set.insert(values[target as usize]));
                values[*vertex] = set.mex();
                states[*vertex] = DONE;
                path.pop();
            }
        }
        Some(values)
    }
}
