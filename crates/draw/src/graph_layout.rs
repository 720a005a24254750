//! Positions for the vertices of a graph. Distances in the picture approximate distances in the
//! graph. The positions are computed by classical scaling, followed by stress majorization. In
//! small graphs, [`crossings`] then reduces the number of crossings of edges. Each connected
//! component is laid out separately.

mod crossings;

/// Number of iterations of stress majorization. Each iteration moves all vertices once.
const ROUNDS: usize = 300;

/// Returns the position of each vertex. Neighbours are about 1 unit apart, and no coordinate is
/// negative. Edges are pairs of vertex indices below `count`.
pub(crate) fn positions(count: usize, edges: &[[usize; 2]]) -> Vec<[f64; 2]> {
    let mut near = vec![Vec::new(); count];
    for &[a, b] in edges.iter().filter(|[a, b]| a != b) {
        near[a].push(b);
        near[b].push(a);
    }
    let mut places = vec![[0.0; 2]; count];
    let mut seen = vec![false; count];
    let mut left = 0.0;
    for start in 0..count {
        if seen[start] {
            continue;
        }
        let mut members = vec![start];
        seen[start] = true;
        let mut next = 0;
        while next < members.len() {
            for &other in &near[members[next]] {
                if !std::mem::replace(&mut seen[other], true) {
                    members.push(other);
                }
            }
            next += 1;
        }
        // Sorted members allow a binary search for the index of a vertex.
        members.sort_unstable();
        let part = connected(&members, &near);
        let place = |vertex: usize| members.binary_search(&vertex).ok();
        let component_edges = edges.iter().filter(|[a, b]| a != b);
        let component_edges = component_edges.filter_map(|&[a, b]| Some([place(a)?, place(b)?]));
        // Crossings between components do not occur, so each component is optimized alone.
        let part = crossings::with_fewest_crossings(&component_edges.collect::<Vec<_>>(), part);
        let low = [0, 1].map(|axis| part.iter().map(|p| p[axis]).fold(f64::MAX, f64::min));
        let width = part.iter().map(|p| p[0] - low[0]).fold(0.0, f64::max);
        for (&member, place) in members.iter().zip(&part) {
            places[member] = [left + place[0] - low[0], place[1] - low[1]];
        }
        // The gap between components is slightly less than the distance between neighbours.
        left += width + 0.9;
    }
    // Positions are rounded to multiples of 1/20. This looks tidy, and hides differences in the
    // last digits between machines.
    for place in &mut places {
        *place = place.map(|x| (20.0 * x).round() / 20.0);
    }
    places
}

/// Returns the positions of the vertices of one connected component. The picture is rotated so that
/// its longest axis is horizontal.
fn connected(members: &[usize], near: &[Vec<usize>]) -> Vec<[f64; 2]> {
    let count = members.len();
    let distance = distances(members, near);
    let mut places = classical_scaling(&distance);
    for _ in 0..ROUNDS {
        let mut moved = places.clone();
        for i in 0..count {
            let (mut sum, mut weights) = ([0.0; 2], 0.0);
            for j in (0..count).filter(|&j| j != i) {
                let wanted = distance[i][j];
                // Weights are 1/d^2, as usual in stress majorization, so that relative errors
                // count. Thus near neighbours matter most.
                let weight = 1.0 / (wanted * wanted);
                let [dx, dy] = [0, 1].map(|axis| places[i][axis] - places[j][axis]);
                // Coinciding vertices must not cause a division by zero.
                let apart = (dx * dx + dy * dy).sqrt().max(1e-6);
                sum[0] += weight * (places[j][0] + wanted * dx / apart);
                sum[1] += weight * (places[j][1] + wanted * dy / apart);
                weights += weight;
            }
            if weights > 0.0 {
                moved[i] = sum.map(|x| x / weights);
            }
        }
        places = moved;
    }
    rotated(&places)
}

/// Returns the matrix of the distances in the graph between the vertices in `members`. A distance
/// is the number of edges on a shortest path.
fn distances(members: &[usize], near: &[Vec<usize>]) -> Vec<Vec<f64>> {
    let index = |vertex: usize| members.binary_search(&vertex);
    let from = |start: usize| {
        let mut steps = vec![f64::MAX; members.len()];
        steps[start] = 0.0;
        let mut queue = vec![start];
        let mut next = 0;
        while next < queue.len() {
            let here = queue[next];
            next += 1;
            for other in near[members[here]]
                .iter()
                .filter_map(|&other| index(other).ok())
            {
                // Every known distance is less than the number of members. A larger entry marks a
                // vertex that has not been reached yet.
                if steps[other] > members.len() as f64 {
                    steps[other] = steps[here] + 1.0;
                    queue.push(other);
                }
            }
        }
        steps
    };
    (0..members.len()).map(from).collect()
}

/// Returns initial positions by classical scaling. The coordinates are the two principal
/// eigenvectors of the doubly centred matrix of squared distances, found by power iteration. Each
/// is scaled by the square root of its eigenvalue.
fn classical_scaling(distance: &[Vec<f64>]) -> Vec<[f64; 2]> {
    let count = distance.len();
    let n = count as f64;
    let square = |i: usize, j: usize| distance[i][j] * distance[i][j];
    let means: Vec<f64> = (0..count)
        .map(|i| (0..count).map(|j| square(i, j)).sum::<f64>() / n)
        .collect();
    let mean = means.iter().sum::<f64>() / n;
    let mut inner: Vec<Vec<f64>> = (0..count)
        .map(|i| {
            (0..count)
                .map(|j| -0.5 * (square(i, j) - means[i] - means[j] + mean))
                .collect()
        })
        .collect();
    let mut places = vec![[0.0; 2]; count];
    for axis in 0..2 {
        // The start vector must not be orthogonal to the principal axis. In a symmetric graph a
        // symmetric vector is likely to be orthogonal, so this vector has no symmetry.
        let mut vector: Vec<f64> = (0..count)
            .map(|i| 1.0 + (i * (7 + 4 * axis) % 11) as f64 / 7.0 - (i % 3) as f64 / 5.0)
            .collect();
        let mut value = 0.0;
        for _ in 0..100 {
            let product: Vec<f64> = inner
                .iter()
                .map(|row| row.iter().zip(&vector).map(|(a, b)| a * b).sum())
                .collect();
            value = product.iter().map(|x: &f64| x * x).sum::<f64>().sqrt();
            if value < 1e-9 {
                break;
            }
            vector = product.iter().map(|x| x / value).collect();
        }
        let scale = value.max(0.0).sqrt();
        for (place, x) in places.iter_mut().zip(&vector) {
            // The scale of an axis is the square root of its eigenvalue.
            place[axis] = x * scale;
        }
        for i in 0..count {
            for j in 0..count {
                // Deflation: without this component, the second axis becomes the principal axis of
                // the matrix.
                inner[i][j] -= value * vector[i] * vector[j];
            }
        }
    }
    for (index, place) in places.iter_mut().enumerate() {
        // Two vertices with the same distances to all others would have the same position, and
        // stress majorization could not separate them. So small offsets are added.
        place[1] += 0.01 * (index % 5) as f64;
        place[0] += 0.003 * (index % 7) as f64;
    }
    places
}

/// Rotates the positions so that the picture is widest horizontally. Then reflects it so that the
/// first vertex lies in the upper left quadrant.
fn rotated(places: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let n = places.len() as f64;
    let mean = [0, 1].map(|axis| places.iter().map(|p| p[axis]).sum::<f64>() / n);
    let centred: Vec<[f64; 2]> = places
        .iter()
        .map(|p| [p[0] - mean[0], p[1] - mean[1]])
        .collect();
    let moment = |a: usize, b: usize| centred.iter().map(|p| p[a] * p[b]).sum::<f64>();
    let (xx, xy, yy) = (moment(0, 0), moment(0, 1), moment(1, 1));
    let half = f64::midpoint(xx, -yy);
    let root = (half * half + xy * xy).sqrt();
    // The axis is the principal axis, if one direction is clearly the longest. A round shape is
    // rotated so that its first vertex is at the top.
    let axis = if root < 0.02 * (xx + yy) {
        let [x, y] = centred[0];
        let length = (x * x + y * y).sqrt();
        if length < 1e-6 {
            [1.0, 0.0]
        } else {
            [-y / length, x / length]
        }
    } else if half >= 0.0 {
        unit([root + half, xy])
    } else {
        unit([xy, root - half])
    };
    let turn = |p: &[f64; 2]| {
        [
            p[0] * axis[0] + p[1] * axis[1],
            p[1] * axis[0] - p[0] * axis[1],
        ]
    };
    let mut places: Vec<[f64; 2]> = centred.iter().map(turn).collect();
    for axis in 0..2 {
        let first = places.iter().map(|p| p[axis]).find(|x| x.abs() > 0.05);
        // The sign of an eigenvector is arbitrary. This rule fixes it, so that the picture is the
        // same on all machines.
        if first.is_some_and(|x| x > 0.0) {
            for place in &mut places {
                place[axis] = -place[axis];
            }
        }
    }
    places
}

fn unit([x, y]: [f64; 2]) -> [f64; 2] {
    let length = (x * x + y * y).sqrt().max(1e-12);
    [x / length, y / length]
}

#[cfg(test)]
mod tests {
    use super::positions;

    fn apart(places: &[[f64; 2]]) -> f64 {
        let mut least = f64::MAX;
        for (index, a) in places.iter().enumerate() {
            for b in &places[index + 1..] {
                least = least.min((a[0] - b[0]).hypot(a[1] - b[1]));
            }
        }
        least
    }

    #[test]
    fn paths_are_straight_and_vertices_keep_apart() {
        let path: Vec<[usize; 2]> = (0..9).map(|i| [i, i + 1]).collect();
        let line = positions(10, &path);
        assert!(line.iter().all(|p| p[1] < 0.1), "{line:?}");
        assert!(line[0][0] < line[9][0]);
        for edges in [
            vec![[0, 1], [1, 2], [2, 3], [3, 0]],
            vec![[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]],
            vec![[0, 1], [0, 2], [0, 3], [0, 4], [0, 5]],
        ] {
            let count = edges.iter().flatten().max().unwrap() + 1;
            let positions = positions(count, &edges);
            assert!(apart(&positions) > 0.5, "{positions:?}");
        }
        assert!(apart(&positions(5, &[])) > 0.8);
        assert!(positions(0, &[]).is_empty());
    }
}
