//! LayeredLayout: places for the vertices of a graph, so that most edges lead down and few cross.
//!
//! After K. Sugiyama, S. Tagawa, M. Toda, Methods for visual understanding of hierarchical system
//! structures, IEEE Trans. SMC 11 (1981), 109-125: edges that close a cycle are turned round, every
//! vertex stands below all that lead to it, long edges pass through a place in each layer, and each
//! layer is put in order by the means of its neighbours.

/// Places of vertices and ways of edges.
#[derive(Clone, Debug, Default)]
pub(crate) struct LayeredLayout {
    /// The middle of each vertex, and the layer it stands in.
    pub(crate) places: Vec<(f64, usize)>,
    /// For each edge the places that it passes from its source to its target, both left out; loops
    /// pass none.
    pub(crate) ways: Vec<Vec<(f64, usize)>>,
    /// Number of layers.
    pub(crate) layers: usize,
    /// Width of the widest layer.
    pub(crate) width: f64,
}

/// How often the layers are gone through, down and up.
const SWEEPS: usize = 12;
/// Free space between two places.
const GAP: f64 = 26.0;

/// A place: a vertex, or where a long edge passes.
struct LayerPlace {
    layer: usize,
    width: f64,
    up: Vec<usize>,
    down: Vec<usize>,
    x: f64,
}

/// Lays out the graph with vertices of the given widths; vertex 0 stands in the top layer.
pub(crate) fn layout(widths: &[f64], edges: &[(usize, usize)]) -> LayeredLayout {
    let down = turned(widths.len(), edges);
    let layer = layering(widths.len(), &down);
    let mut places: Vec<LayerPlace> = widths
        .iter()
        .zip(&layer)
        .map(|(&width, &layer)| LayerPlace {
            layer,
            width,
            up: Vec::new(),
            down: Vec::new(),
            x: 0.0,
        })
        .collect();
    let mut passed = Vec::new();
    for &(from, to) in &down {
        let mut way = Vec::new();
        let mut last = from;
        for between in layer[from] + 1..layer[to] {
            way.push(places.len());
            places.push(LayerPlace {
                layer: between,
                width: 4.0,
                up: Vec::new(),
                down: Vec::new(),
                x: 0.0,
            });
            join(&mut places, last, *way.last().unwrap_or(&last));
            last = *way.last().unwrap_or(&last);
        }
        if from != to {
            join(&mut places, last, to);
        }
        passed.push(way);
    }
    let layers = layer.iter().max().map_or(0, |last| last + 1);
    let mut rows = vec![Vec::new(); layers];
    for (index, place) in places.iter().enumerate() {
        rows[place.layer].push(index);
    }
    let width = arrange(&mut places, &mut rows);
    let at = |index: &usize| (places[*index].x, places[*index].layer);
    let ways = passed.iter().zip(edges).zip(&down);
    LayeredLayout {
        places: (0..widths.len()).map(|v| at(&v)).collect(),
        ways: ways
            .map(|((way, edge), turned)| {
                let way = way.iter().map(at);
                if edge == turned {
                    way.collect()
                } else {
                    way.rev().collect()
                }
            })
            .collect(),
        layers,
        width,
    }
}

fn join(places: &mut [LayerPlace], above: usize, below: usize) {
    places[above].down.push(below);
    places[below].up.push(above);
}

/// Returns the edges with those turned round that lead back to a vertex from which a search has
/// come.
fn turned(vertices: usize, edges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut moves = vec![Vec::new(); vertices];
    for (index, &(from, to)) in edges.iter().enumerate() {
        moves[from].push((index, to));
    }
    let mut down = edges.to_vec();
    let (mut open, mut seen) = (vec![false; vertices], vec![false; vertices]);
    for root in 0..vertices {
        if seen[root] {
            continue;
        }
        (seen[root], open[root]) = (true, true);
        let mut path = vec![(root, 0)];
        while let Some((v, next)) = path.last_mut() {
            let Some(&(index, to)) = moves[*v].get(*next) else {
                open[*v] = false;
                path.pop();
                continue;
            };
            *next += 1;
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

/// Returns the layer of each vertex: one below the lowest vertex that leads to it.
fn layering(vertices: usize, down: &[(usize, usize)]) -> Vec<usize> {
    let mut waiting = vec![0; vertices];
    let mut moves = vec![Vec::new(); vertices];
    for &(from, to) in down.iter().filter(|(from, to)| from != to) {
        waiting[to] += 1;
        moves[from].push(to);
    }
    let mut layer = vec![0; vertices];
    let mut ready: Vec<usize> = (0..vertices).filter(|&v| waiting[v] == 0).collect();
    while let Some(v) = ready.pop() {
        for &to in &moves[v] {
            layer[to] = layer[to].max(layer[v] + 1);
            waiting[to] -= 1;
            if waiting[to] == 0 {
                ready.push(to);
            }
        }
    }
    layer
}

/// Orders the layers and gives every place its x; returns the width used.
fn arrange(places: &mut [LayerPlace], rows: &mut [Vec<usize>]) -> f64 {
    for row in &mut *rows {
        spread(places, row, None);
    }
    for sweep in 0..2 * SWEEPS {
        let downward = sweep % 2 == 0;
        let count = rows.len();
        for step in 0..count {
            let row = &mut rows[if downward { step } else { count - 1 - step }];
            let wish = |place: &LayerPlace| {
                let near = if downward { &place.up } else { &place.down };
                let sum: f64 = near.iter().map(|&i| places[i].x).sum();
                if near.is_empty() {
                    place.x
                } else {
                    sum / near.len() as f64
                }
            };
            let wishes: Vec<f64> = row.iter().map(|&i| wish(&places[i])).collect();
            let mut order: Vec<usize> = (0..row.len()).collect();
            // Towards the end the order stands and only the places move.
            if sweep < SWEEPS {
                order.sort_by(|&a, &b| wishes[a].total_cmp(&wishes[b]));
            }
            let wishes: Vec<f64> = order.iter().map(|&k| wishes[k]).collect();
            *row = order.iter().map(|&k| row[k]).collect();
            spread(places, row, Some(&wishes));
        }
    }
    let left = places.iter().map(|place| place.x - place.width / 2.0);
    let left = left.fold(f64::INFINITY, f64::min);
    let mut width: f64 = 0.0;
    for place in places {
        place.x -= left;
        width = width.max(place.x + place.width / 2.0);
    }
    width
}

/// Places a row from left to right, each as near to its wish as the order allows.
fn spread(places: &mut [LayerPlace], row: &[usize], wishes: Option<&[f64]>) {
    let mut offset = 0.0;
    let mut offsets = Vec::new();
    for (k, &i) in row.iter().enumerate() {
        if k > 0 {
            offset += f64::midpoint(places[row[k - 1]].width, places[i].width) + GAP;
        }
        offsets.push(offset);
    }
    let Some(wishes) = wishes else {
        for (&i, offset) in row.iter().zip(&offsets) {
            places[i].x = offset - offsets.last().unwrap_or(&0.0) / 2.0;
        }
        return;
    };
    // With the offsets taken away the places must not fall: neighbours that would are pooled at
    // their mean, which makes the sum of the squared distances from the wishes least.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (wish, offset) in wishes.iter().zip(&offsets) {
        pools.push((wish - offset, 1));
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
    fn vertices_of_a_layer_stand_apart_and_edges_lead_down_but_for_those_turned_round() {
        let edges: Vec<(usize, usize)> = (0..40).map(|i| (i * 7 % 23, i * i % 23)).collect();
        let widths = vec![30.0; 23];
        let layout = layout(&widths, &edges);
        for a in 0..23 {
            for b in 0..a {
                let ((x, i), (y, j)) = (layout.places[a], layout.places[b]);
                assert!(i != j || (x - y).abs() >= 30.0 + GAP - 1e-6);
            }
        }
        let down = turned(23, &edges);
        for ((&(from, to), way), turned) in edges.iter().zip(&layout.ways).zip(down) {
            let (a, b) = (layout.places[turned.0].1, layout.places[turned.1].1);
            assert!(a < b || from == to);
            assert_eq!(way.len(), (b - a).saturating_sub(1));
        }
    }
}
