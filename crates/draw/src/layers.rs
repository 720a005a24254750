//! Layered layouts of directed graphs, in which most edges lead downward and few cross.
//!
//! The method is that of K. Sugiyama, S. Tagawa, M. Toda, Methods for visual understanding of
//! hierarchical system structures, IEEE Trans. SMC 11 (1981), 109-125. Edges that close a cycle are
//! reversed, and every vertex is placed below all its predecessors. A long edge passes through a
//! dummy vertex in each layer between its ends. Each layer is sorted by the mean positions of the
//! neighbours.

/// The positions of vertices and the routes of edges.
#[derive(Clone, Debug, Default)]
pub(crate) struct LayeredLayout {
    /// The x coordinate of the centre of each vertex, and the index of its layer from the top.
    pub(crate) places: Vec<(f64, usize)>,
    /// For each edge, the points that it passes in the layers between its source and its target. A
    /// point is an x coordinate and the index of a layer. For an edge from a vertex to itself, the
    /// list is empty.
    pub(crate) routes: Vec<Vec<(f64, usize)>>,
    /// The number of layers.
    pub(crate) layers: usize,
    /// The total width of the layout.
    pub(crate) width: f64,
}

/// Number of passes that sort all layers. They are followed by as many passes that change only the
/// coordinates and keep the order.
const SWEEPS: usize = 12;
/// Free space between two neighbours in a layer.
const GAP: f64 = 26.0;

/// A vertex, or a dummy vertex: the point at which a long edge passes a layer.
struct LayerNode {
    layer: usize,
    width: f64,
    up: Vec<usize>,
    down: Vec<usize>,
    x: f64,
}

/// Computes the layout of a graph. `widths` has the width of each vertex. Vertex 0 is in the top
/// layer if every vertex can be reached from it.
pub(crate) fn layout(widths: &[f64], edges: &[(usize, usize)]) -> LayeredLayout {
    let down = acyclic(widths.len(), edges);
    let layer = layering(widths.len(), &down);
    let mut places: Vec<LayerNode> = widths
        .iter()
        .zip(&layer)
        .map(|(&width, &layer)| LayerNode {
            layer,
            width,
            up: Vec::new(),
            down: Vec::new(),
            x: 0.0,
        })
        .collect();
    let mut passed = Vec::new();
    for &(from, to) in &down {
        let mut route = Vec::new();
        let mut last = from;
        for between in layer[from] + 1..layer[to] {
            route.push(places.len());
            places.push(LayerNode {
                layer: between,
                // A dummy vertex is narrow, so that parallel edges run close together.
                width: 4.0,
                up: Vec::new(),
                down: Vec::new(),
                x: 0.0,
            });
            join(&mut places, last, *route.last().unwrap_or(&last));
            last = *route.last().unwrap_or(&last);
        }
        if from != to {
            join(&mut places, last, to);
        }
        passed.push(route);
    }
    let layers = layer.iter().max().map_or(0, |last| last + 1);
    let mut rows = vec![Vec::new(); layers];
    for (index, place) in places.iter().enumerate() {
        rows[place.layer].push(index);
    }
    let width = arrange(&mut places, &mut rows);
    let at = |index: &usize| (places[*index].x, places[*index].layer);
    let routes = passed.iter().zip(edges).zip(&down);
    LayeredLayout {
        places: (0..widths.len()).map(|v| at(&v)).collect(),
        routes: routes
            .map(|((route, edge), oriented)| {
                let route = route.iter().map(at);
                // The route of a reversed edge leads downward, but its arrow leads upward. So its
                // points are reversed.
                if edge == oriented {
                    route.collect()
                } else {
                    route.rev().collect()
                }
            })
            .collect(),
        layers,
        width,
    }
}

fn join(places: &mut [LayerNode], above: usize, below: usize) {
    places[above].down.push(below);
    places[below].up.push(above);
}

/// Returns all edges, with those reversed that close a cycle. Such an edge leads back to a vertex
/// on the current path of a depth-first search.
fn acyclic(vertices: usize, edges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut moves = vec![Vec::new(); vertices];
    for (index, &(from, to)) in edges.iter().enumerate() {
        moves[from].push((index, to));
    }
    let mut down = edges.to_vec();
    let (mut open, mut seen) = (vec![false; vertices], vec![false; vertices]);
    // The search starts at vertex 0. So at least the edges from the start keep their direction.
    for root in 0..vertices {
        if seen[root] {
            continue;
        }
        (seen[root], open[root]) = (true, true);
        // The stack is explicit, since recursion along a long game could overflow the call stack.
        let mut path = vec![(root, 0)];
        while let Some((v, next)) = path.last_mut() {
            let Some(&(index, to)) = moves[*v].get(*next) else {
                open[*v] = false;
                path.pop();
                continue;
            };
            *next += 1;
            // The target is on the path of the search, so this edge closes a cycle.
            if open[to] {
                down[index] = (to, *v);
            } else if !seen[to] {
                (seen[to], open[to]) = (true, true);
                path.push((to, 0));
            }
        }
    }
    down
}

/// Returns the layer of each vertex: the first layer below the layers of all its predecessors.
fn layering(vertices: usize, down: &[(usize, usize)]) -> Vec<usize> {
    let mut unplaced_parents = vec![0; vertices];
    let mut moves = vec![Vec::new(); vertices];
    for &(from, to) in down.iter().filter(|(from, to)| from != to) {
        unplaced_parents[to] += 1;
        moves[from].push(to);
    }
    let mut layer = vec![0; vertices];
    let mut ready: Vec<usize> = (0..vertices)
        .filter(|&v| unplaced_parents[v] == 0)
        .collect();
    while let Some(v) = ready.pop() {
        for &to in &moves[v] {
            layer[to] = layer[to].max(layer[v] + 1);
            unplaced_parents[to] -= 1;
            if unplaced_parents[to] == 0 {
                ready.push(to);
            }
        }
    }
    layer
}

/// Sorts the vertices of each layer and sets all x coordinates. Returns the total width.
fn arrange(places: &mut [LayerNode], rows: &mut [Vec<usize>]) -> f64 {
    for row in &mut *rows {
        spread(places, row, None);
    }
    for sweep in 0..2 * SWEEPS {
        let downward = sweep % 2 == 0;
        let count = rows.len();
        for step in 0..count {
            let row = &mut rows[if downward { step } else { count - 1 - step }];
            let wanted_x = |place: &LayerNode| {
                let near = if downward { &place.up } else { &place.down };
                let sum: f64 = near.iter().map(|&i| places[i].x).sum();
                if near.is_empty() {
                    place.x
                } else {
                    sum / near.len() as f64
                }
            };
            let wanted: Vec<f64> = row.iter().map(|&i| wanted_x(&places[i])).collect();
            let mut order: Vec<usize> = (0..row.len()).collect();
            // In the second half, the order of each layer is fixed, and only coordinates change.
            if sweep < SWEEPS {
                order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
            }
            let wanted: Vec<f64> = order.iter().map(|&k| wanted[k]).collect();
            *row = order.iter().map(|&k| row[k]).collect();
            spread(places, row, Some(&wanted));
        }
    }
    let left = places.iter().map(|place| place.x - place.width / 2.0);
    let left = left.fold(f64::INFINITY, f64::min);
    let mut width: f64 = 0.0;
    for place in places {
        // During the passes, coordinates may be negative. The least one becomes 0 here.
        place.x -= left;
        width = width.max(place.x + place.width / 2.0);
    }
    width
}

/// Sets the x coordinates of the vertices of one layer, which `row` lists from left to right. Each
/// vertex is placed as near to its coordinate in `wanted` as the order and the gaps allow. If
/// `wanted` is `None`, the layer is centred around 0.
fn spread(places: &mut [LayerNode], row: &[usize], wanted: Option<&[f64]>) {
    let mut offset = 0.0;
    let mut offsets = Vec::new();
    for (k, &i) in row.iter().enumerate() {
        if k > 0 {
            offset += f64::midpoint(places[row[k - 1]].width, places[i].width) + GAP;
        }
        offsets.push(offset);
    }
    let Some(wanted) = wanted else {
        for (&i, offset) in row.iter().zip(&offsets) {
            places[i].x = offset - offsets.last().unwrap_or(&0.0) / 2.0;
        }
        return;
    };
    // After subtraction of the offsets, the coordinates must be non-decreasing. Neighbours that
    // violate this are pooled at their mean. This minimizes the sum of the squared distances from
    // the wishes (isotonic regression).
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (wanted_x, offset) in wanted.iter().zip(&offsets) {
        pools.push((wanted_x - offset, 1));
        // A merged pool may lie to the left of the pool before it, so the merge is repeated.
        while let [.., (a, m), (b, n)] = pools[..]
            && a > b
        {
            pools.truncate(pools.len() - 2);
            pools.push(((a * m as f64 + b * n as f64) / (m + n) as f64, m + n));
        }
    }
    let means = pools
        .into_iter()
        .flat_map(|(mean, count)| std::iter::repeat_n(mean, count));
    for ((&i, offset), mean) in row.iter().zip(&offsets).zip(means) {
        places[i].x = mean + offset;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_keep_their_gaps_and_unreversed_edges_lead_down() {
        let edges: Vec<(usize, usize)> = (0..40).map(|i| (i * 7 % 23, i * i % 23)).collect();
        let widths = vec![30.0; 23];
        let layout = layout(&widths, &edges);
        for a in 0..23 {
            for b in 0..a {
                let ((x, i), (y, j)) = (layout.places[a], layout.places[b]);
                assert!(i != j || (x - y).abs() >= 30.0 + GAP - 1e-6);
            }
        }
        let down = acyclic(23, &edges);
        for ((&(from, to), route), oriented) in edges.iter().zip(&layout.routes).zip(down) {
            let (a, b) = (layout.places[oriented.0].1, layout.places[oriented.1].1);
            assert!(a < b || from == to);
            assert_eq!(route.len(), (b - a).saturating_sub(1));
        }
    }
}
