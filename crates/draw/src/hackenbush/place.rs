//! Horizontal positions of vertices. Each layer keeps its order, and every vertex is as close as
//! possible to the mean position of its neighbours.

use super::layers::Layers;

/// Number of rounds. In each round, the vertices of every layer move towards their neighbours in
/// adjacent layers.
const ROUNDS: usize = 80;

/// Returns the x coordinate of every vertex. Components that touch only on the ground are placed
/// next to each other.
pub(super) fn x_coordinates(layers: &Layers) -> Vec<f64> {
    let mut x = vec![0.0; layers.names.len()];
    let components = layers.component.iter().max().map_or(0, |last| last + 1);
    let mut left = 0.0;
    for component in 0..components {
        let rows: Vec<Vec<usize>> = layers
            .order
            .iter()
            .map(|row| {
                row.iter()
                    .copied()
                    .filter(|&v| layers.component[v] == component)
            })
            .map(Iterator::collect)
            .collect();
        relax(layers, &rows, &mut x);
        let all = || rows.iter().flatten().copied();
        let start = all()
            .map(|v| x[v] - half_width(layers, v))
            .fold(f64::MAX, f64::min);
        // Multiples of 1/8 look tidy, and are exact as decimal fractions.
        for v in all() {
            x[v] = ((x[v] - start + left) * 8.0).round() / 8.0;
        }
        left = all()
            .map(|v| x[v] + half_width(layers, v))
            .fold(left, f64::max)
            + 0.25;
    }
    x
}

/// Moves the vertices of one component towards their neighbours. Each of `rows` is one layer of the
/// component.
fn relax(layers: &Layers, rows: &[Vec<usize>], x: &mut [f64]) {
    for row in rows {
        let mut at = 0.0;
        for (index, &v) in row.iter().enumerate() {
            if index > 0 {
                at += least_distance(layers, row[index - 1], v);
            }
            x[v] = at;
        }
    }
    for round in 0..ROUNDS {
        // Rounds alternate between upward and downward, so that both the lowest and the highest
        // layers influence the layers between them.
        for step in 0..rows.len() {
            let down = round % 2 == 0;
            let row = &rows[if down { rows.len() - 1 - step } else { step }];
            let wanted: Vec<f64> = row.iter().map(|&v| wanted(layers, x, v, round)).collect();
            let gaps: Vec<f64> = row
                .windows(2)
                .map(|pair| least_distance(layers, pair[0], pair[1]))
                .collect();
            for (&v, place) in row.iter().zip(nearest_places(&wanted, &gaps)) {
                x[v] = place;
            }
        }
    }
}

/// Returns the x coordinate that vertex `v` should have: the mean of its neighbours in adjacent
/// layers. The last two rounds straighten vertical chains of edges, first for the layer above `v`,
/// then for the layer below. Suppose that `v` has exactly one edge to that layer, and that its
/// other end `w` has no other edge to the layer of `v`. Then the result is the x coordinate of `w`.
fn wanted(layers: &Layers, x: &[f64], v: usize, round: usize) -> f64 {
    let neighbours = &layers.adjacent[v];
    let alone = |w: usize, v: usize| {
        let same_side = |u: &&usize| {
            (layers.layer[**u] > layers.layer[w]) == (layers.layer[v] > layers.layer[w])
        };
        layers.adjacent[w].iter().filter(same_side).count() == 1
    };
    let upright = |above: bool| {
        let mut side = neighbours
            .iter()
            .filter(|&&w| (layers.layer[w] > layers.layer[v]) == above);
        match (side.next(), side.next()) {
            (Some(&w), None) if alone(w, v) => Some(x[w]),
            _ => None,
        }
    };
    let straight = match ROUNDS - round {
        1 => upright(false),
        2 => upright(true),
        _ => None,
    };
    straight.unwrap_or_else(|| {
        if neighbours.is_empty() {
            return x[v];
        }
        neighbours.iter().map(|&w| x[w]).sum::<f64>() / neighbours.len() as f64
    })
}

/// Returns the least allowed distance between the neighbours `u` and `v` of a layer.
fn least_distance(layers: &Layers, u: usize, v: usize) -> f64 {
    half_width(layers, u) + half_width(layers, v)
}

/// Returns half the width that vertex `v` needs: the space on its left, which equals the space on
/// its right.
fn half_width(layers: &Layers, v: usize) -> f64 {
    let loops = if layers.loops[v] > 0 { 0.25 } else { 0.0 };
    // Feet are 0.4 apart, so each foot after the first needs 0.2 on either side.
    let feet = 0.2 * layers.feet[v].saturating_sub(1) as f64;
    0.5 + loops + feet
}

/// Returns the x coordinates of a layer that are nearest to the wanted ones (least squares). The
/// order is kept, and neighbours are at least `gaps` apart. Neighbours that would be too close form
/// a block, which is placed at the mean of the coordinates that its members want.
fn nearest_places(wanted: &[f64], gaps: &[f64]) -> Vec<f64> {
    let mut offsets = Vec::with_capacity(wanted.len());
    let mut offset = 0.0;
    for index in 0..wanted.len() {
        if index > 0 {
            offset += gaps[index - 1];
        }
        offsets.push(offset);
    }
    // Each block has the sum of the wanted coordinates and the number of members. Adjacent blocks
    // are merged while they overlap (the pool-adjacent-violators algorithm).
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (place, offset) in wanted.iter().zip(&offsets) {
        let mut block = (place - offset, 1);
        while let Some(&(sum, size)) = blocks.last() {
            if sum / size as f64 <= block.0 / block.1 as f64 {
                break;
            }
            blocks.pop();
            block = (block.0 + sum, block.1 + size);
        }
        blocks.push(block);
    }
    let starts = blocks
        .into_iter()
        .flat_map(|(sum, size)| std::iter::repeat_n(sum / size as f64, size));
    starts
        .zip(offsets)
        .map(|(start, offset)| start + offset)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::nearest_places;

    #[test]
    fn places_keep_their_gaps_and_stay_near() {
        let places = nearest_places(&[0.0, 0.0, 5.0], &[1.0, 1.0]);
        assert_eq!(format!("{places:?}"), "[-0.5, 0.5, 5.0]");
        assert!(nearest_places(&[], &[]).is_empty());
    }
}
