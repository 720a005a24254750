//! Arrangement of the vertices in layers by distance from the ground, with an order in each layer
//! that causes few crossings.

use std::collections::HashMap;

/// Number of times that all layers are reordered.
const SWEEPS: usize = 24;

/// The vertices above the ground, and the edges between them. Vertices have indices from 0.
pub(super) struct Layers {
    /// The number of each vertex in the notation.
    pub(super) names: Vec<u32>,
    /// The layer of each vertex: its distance from the ground, which is at least 1.
    pub(super) layer: Vec<usize>,
    /// The index of the component of each vertex. Two vertices are in the same component if a path
    /// above the ground connects them. Components are numbered from left to right.
    pub(super) component: Vec<usize>,
    /// The vertices of each layer from left to right. Layer 0, the ground, is empty.
    pub(super) order: Vec<Vec<usize>>,
    /// For each vertex, its neighbours in adjacent layers. A neighbour is listed once for each
    /// edge.
    pub(super) adjacent: Vec<Vec<usize>>,
    /// For each vertex, its neighbours in the same layer. A neighbour is listed once for each edge.
    pub(super) same_layer: Vec<Vec<usize>>,
    /// The number of loops of each vertex.
    pub(super) loops: Vec<usize>,
    /// The number of edges from each vertex to the ground.
    pub(super) feet: Vec<usize>,
    /// The index of each vertex in its layer, from the left.
    position: Vec<usize>,
}

impl Layers {
    pub(super) fn new(edges: &[([u32; 2], char)], ground: &[u32]) -> Self {
        let mut numbers: HashMap<u32, usize> = HashMap::new();
        let mut names = Vec::new();
        for end in edges.iter().flat_map(|(ends, _)| ends) {
            if !ground.contains(end) {
                numbers.entry(*end).or_insert_with(|| {
                    names.push(*end);
                    names.len() - 1
                });
            }
        }
        let count = names.len();
        let mut all: Vec<Vec<usize>> = vec![Vec::new(); count];
        let (mut loops, mut feet) = (vec![0; count], vec![0; count]);
        for ([a, b], _) in edges {
            match (numbers.get(a), numbers.get(b)) {
                (Some(&a), Some(&b)) if a == b => loops[a] += 1,
                (Some(&a), Some(&b)) => {
                    all[a].push(b);
                    all[b].push(a);
                }
                (Some(&v), None) | (None, Some(&v)) => feet[v] += 1,
                // An edge between two points of the ground connects no vertex above it.
                (None, None) => {}
            }
        }
        let layer = distances(&all, &feet);
        let component = components(&all);
        let near = |same: bool| -> Vec<Vec<usize>> {
            (0..count)
                .map(|v| {
                    let neighbours = all[v].iter().copied();
                    neighbours
                        .filter(|&w| (layer[w] == layer[v]) == same)
                        .collect()
                })
                .collect()
        };
        let mut layers = Self {
            adjacent: near(false),
            same_layer: near(true),
            names,
            order: Vec::new(),
            loops,
            feet,
            position: vec![0; count],
            component,
            layer,
        };
        layers.set_initial_order();
        layers.improve();
        layers
    }

    /// Sets the initial order of each layer: the order in which a depth-first search from the
    /// ground visits the vertices.
    fn set_initial_order(&mut self) {
        let height = self.layer.iter().copied().max().unwrap_or(0);
        self.order = vec![Vec::new(); height + 1];
        let mut seen = vec![false; self.layer.len()];
        let mut roots: Vec<usize> = (0..seen.len()).filter(|&v| self.layer[v] == 1).collect();
        roots.sort_by_key(|&v| self.component[v]);
        for root in roots {
            let mut pending = vec![root];
            while let Some(v) = pending.pop() {
                if std::mem::replace(&mut seen[v], true) {
                    continue;
                }
                self.order[self.layer[v]].push(v);
                let up = self.adjacent[v].iter().rev().copied();
                pending.extend(up.filter(|&w| self.layer[w] > self.layer[v]));
                pending.extend(self.same_layer[v].iter().rev());
            }
        }
        self.update_positions();
    }

    fn update_positions(&mut self) {
        for row in &self.order {
            for (index, &v) in row.iter().enumerate() {
                self.position[v] = index;
            }
        }
    }

    /// Returns the cost of the current order: the number of crossings between layers, plus the
    /// number of vertices that edges within a layer pass over.
    fn cost(&self) -> usize {
        let mut cost = 0;
        for row in &self.order {
            for (index, &u) in row.iter().enumerate() {
                for &v in &row[index + 1..] {
                    cost += self.crossings(u, v);
                }
                cost += self.passed_over(u);
            }
        }
        cost
    }

    /// Returns the number of crossings between edges of `u` and edges of `v`. Both vertices are in
    /// the same layer, and `u` is to the left of `v`.
    fn crossings(&self, u: usize, v: usize) -> usize {
        let mut crossings = 0;
        for &a in &self.adjacent[u] {
            for &b in &self.adjacent[v] {
                let crossed = self.layer[a] == self.layer[b] && self.position[a] > self.position[b];
                crossings += usize::from(crossed);
            }
        }
        crossings
    }

    /// Returns the number of vertices that edges from `v` within its layer pass over.
    fn passed_over(&self, v: usize) -> usize {
        self.same_layer[v]
            .iter()
            .map(|&w| self.position[v].abs_diff(self.position[w]) - 1)
            .sum()
    }

    fn improve(&mut self) {
        let mut best = (self.cost(), self.order.clone());
        for sweep in 0..SWEEPS {
            // A cost of 0 cannot be improved. For example, trees need no crossing.
            if best.0 == 0 {
                break;
            }
            self.sort_by_neighbours(sweep);
            // Sorting by means gives a rough order. Exchanges of neighbours then remove further
            // crossings.
            self.exchange_neighbours();
            let cost = self.cost();
            if cost < best.0 {
                best = (cost, self.order.clone());
            }
        }
        self.order = best.1;
        self.update_positions();
    }

    /// Sorts the vertices of each layer by the mean position of their neighbours. If `sweep` is
    /// even, only neighbours in the layer below and in the layer itself count. If `sweep` is odd,
    /// only neighbours in the layer above and in the layer itself count.
    fn sort_by_neighbours(&mut self, sweep: usize) {
        let upward = sweep.is_multiple_of(2);
        let height = self.order.len();
        for step in 1..height {
            let at = if upward { step } else { height - step };
            let mut row = std::mem::take(&mut self.order[at]);
            let key = |v: usize| {
                let toward = self.adjacent[v]
                    .iter()
                    .filter(|&&w| (self.layer[w] < at) == upward);
                let mut sum = 0.0;
                let mut count = 0.0;
                for &w in toward {
                    // Layers contain different numbers of vertices, so positions are divided by the
                    // width of the layer.
                    let width = self.order[self.layer[w]].len().max(1) as f64;
                    sum += (self.position[w] as f64 + 0.5) / width;
                    count += 1.0;
                }
                for &w in &self.same_layer[v] {
                    sum += (self.position[w] as f64 + 0.5) / row.len() as f64;
                    count += 1.0;
                }
                if count > 0.0 {
                    sum / count
                } else {
                    (self.position[v] as f64 + 0.5) / row.len() as f64
                }
            };
            let mut keyed: Vec<(f64, usize)> = row.iter().map(|&v| (key(v), v)).collect();
            // Vertices with equal means are reversed in some sweeps, so that the search can leave a
            // local minimum.
            if sweep % 4 > 1 {
                keyed.reverse();
            }
            keyed.sort_by(|a, b| {
                // The vertices of a component stay contiguous in every layer. Otherwise, edges of
                // different components would cross.
                let components = self.component[a.1].cmp(&self.component[b.1]);
                components.then(a.0.total_cmp(&b.0))
            });
            row.clear();
            row.extend(keyed.into_iter().map(|(_, v)| v));
            for (index, &v) in row.iter().enumerate() {
                self.position[v] = index;
            }
            self.order[at] = row;
        }
    }

    fn exchange_neighbours(&mut self) {
        for _ in 0..SWEEPS {
            let mut changed = false;
            for at in 1..self.order.len() {
                for index in 1..self.order[at].len() {
                    let (u, v) = (self.order[at][index - 1], self.order[at][index]);
                    if self.component[u] != self.component[v] {
                        continue;
                    }
                    let ends = [u, v];
                    let passed_over = |layers: &Self| -> usize {
                        let around = ends
                            .iter()
                            .flat_map(|&w| layers.same_layer[w].iter().chain([&ends[0], &ends[1]]));
                        around.map(|&w| layers.passed_over(w)).sum()
                    };
                    // An exchange affects only the edges of these two vertices, so the complete
                    // cost is not recomputed.
                    let before = self.crossings(u, v) + passed_over(self);
                    self.position.swap(u, v);
                    let after = self.crossings(v, u) + passed_over(self);
                    if after < before {
                        self.order[at].swap(index - 1, index);
                        changed = true;
                    } else {
                        self.position.swap(u, v);
                    }
                }
            }
            if !changed {
                break;
            }
        }
    }
}

/// Returns the distance of each vertex from the ground. It is 1 for a vertex with an edge to the
/// ground. The number of such edges of each vertex is in `feet`.
fn distances(neighbours: &[Vec<usize>], feet: &[usize]) -> Vec<usize> {
    let mut layer = vec![usize::MAX; neighbours.len()];
    let mut queue: Vec<usize> = (0..neighbours.len()).filter(|&v| feet[v] > 0).collect();
    for &v in &queue {
        layer[v] = 1;
    }
    let mut next = 0;
    while next < queue.len() {
        let v = queue[next];
        next += 1;
        for &w in &neighbours[v] {
            if layer[w] == usize::MAX {
                layer[w] = layer[v] + 1;
                queue.push(w);
            }
        }
    }
    layer
}

/// Returns the index of the connected component of each vertex above the ground. Components are
/// numbered in the order of their first vertices.
fn components(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let mut component = vec![usize::MAX; neighbours.len()];
    let mut count = 0;
    for start in 0..neighbours.len() {
        if component[start] != usize::MAX {
            continue;
        }
        let mut pending = vec![start];
        while let Some(v) = pending.pop() {
            if component[v] == usize::MAX {
                component[v] = count;
                pending.extend(&neighbours[v]);
            }
        }
        count += 1;
    }
    component
}
