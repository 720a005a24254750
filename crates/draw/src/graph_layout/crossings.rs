//! Choice of the layout with the fewest crossings of edges among several layouts of a small graph.
//! An edge may pass through or close to a vertex that is not one of its ends. Such a pair counts as
//! a large number of crossings.

use std::f64::consts::PI;

/// Largest number of vertices of a graph for which crossings are reduced.
const VERTICES: usize = 16;
/// Largest number of edges of a graph for which crossings are reduced.
const EDGES: usize = 40;

/// Number of grid units in 1 unit of the layout. Crossings are counted on the integer coordinates
/// of this grid, so that the layout is the same on all machines.
const STEPS: f64 = 20.0;

/// Least allowed distance between an edge and a vertex that is not one of its ends, in grid units.
const NEAR: i64 = 6;

/// Rotations of the inner one of two concentric circles of vertices, as fractions of the angle
/// between two neighbours on it. With the rotation 0.5, the vertices of the inner circle face the
/// gaps of the outer circle. With 0.2, few vertices are collinear.
const ROTATIONS: [f64; 2] = [0.5, 0.2];

/// Number of crossings that an edge through a vertex counts as. Such an edge looks as if it ended
/// at that vertex.
const THROUGH: usize = 100;

type Point = [i64; 2];

/// Returns the layout with the fewest crossings. The candidates are `places`, a circle, and pairs
/// of concentric circles. In each candidate, vertices are exchanged as long as this removes
/// crossings. Returns `places` unchanged if nothing crosses, or if the graph is too large for the
/// search.
pub(super) fn with_fewest_crossings(edges: &[[usize; 2]], places: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let count = places.len();
    let mut best = (crossings(edges, &rounded(&places), THROUGH), places);
    // The search is slow for large graphs: each round tries all pairs of vertices, and each try
    // counts all pairs of edges.
    if best.0 == 0 || count > VERTICES || edges.len() > EDGES {
        return best.1;
    }
    let mut candidates = vec![best.1.clone()];
    let inside = (0..=count / 2).flat_map(|inner| ROTATIONS.map(|rotation| (inner, rotation)));
    candidates.extend(inside.map(|(inner, rotation)| rings(count - inner, inner, rotation)));
    for candidate in candidates {
        // With the low weight 1, the search can pass through layouts in which edges touch vertices.
        // The layout found is judged by the full weight.
        for through in [1, THROUGH] {
            let found = improved(edges, candidate.clone(), through);
            let cost = crossings(edges, &rounded(&found), THROUGH);
            if cost < best.0 {
                best = (cost, found);
            }
        }
    }
    best.1
}

/// Returns the positions of `outer` vertices on a circle, then of `inner` vertices on a smaller
/// concentric circle. Neighbours are 1 apart on the inner circle and at least 1 on the outer one.
/// The first vertex is at the top. The inner circle is rotated by `rotation` times the angle
/// between neighbours on it.
fn rings(outer: usize, inner: usize, rotation: f64) -> Vec<[f64; 2]> {
    let radius = |count: usize| match count {
        // A single vertex is at the centre.
        0 | 1 => 0.0,
        _ => 0.5 / (PI / count as f64).sin(),
    };
    let within = radius(inner);
    let room = if inner > 0 { within + 1.0 } else { 0.0 };
    let mut places = circle(outer, radius(outer).max(room), 0.0);
    places.extend(circle(inner, within, rotation));
    places
}

fn circle(count: usize, radius: f64, rotation: f64) -> Vec<[f64; 2]> {
    let place = |index: usize| {
        let angle = 2.0 * PI * (index as f64 + rotation) / count as f64;
        [radius * angle.sin(), -radius * angle.cos()]
    };
    (0..count).map(place).collect()
}

/// Swaps the positions of two vertices, or moves one entry of `places` to another index, so that
/// the entries in between are shifted. Repeats this as long as it reduces the crossings. Returns
/// the improved positions.
fn improved(edges: &[[usize; 2]], mut places: Vec<[f64; 2]>, through: usize) -> Vec<[f64; 2]> {
    let mut least = crossings(edges, &rounded(&places), through);
    let mut better = true;
    while better && least > 0 {
        better = false;
        for a in 0..places.len() {
            for b in 0..places.len() {
                let mut tried = places.clone();
                if a < b {
                    tried.swap(a, b);
                } else {
                    let moved = tried.remove(a);
                    tried.insert(b, moved);
                }
                let now = crossings(edges, &rounded(&tried), through);
                if now < least {
                    (least, places, better) = (now, tried, true);
                }
            }
        }
    }
    places
}

fn rounded(places: &[[f64; 2]]) -> Vec<Point> {
    let round = |place: &[f64; 2]| place.map(|x| (STEPS * x).round() as i64);
    places.iter().map(round).collect()
}

/// Returns the number of pairs of edges that cross. Each vertex that is too close to an edge, but
/// is not an end of this edge, counts as `through` crossings.
fn crossings(edges: &[[usize; 2]], places: &[Point], through: usize) -> usize {
    let mut count = 0;
    for (index, &[a, b]) in edges.iter().enumerate() {
        let [from, to] = [places[a], places[b]];
        let others = &edges[index + 1..];
        count += others
            .iter()
            // Straight edges with a common end meet there and nowhere else.
            .filter(|[c, d]| ![a, b].contains(c) && ![a, b].contains(d))
            .filter(|&&[c, d]| cross(from, to, places[c], places[d]))
            .count();
        let vertices = (0..places.len()).filter(|vertex| ![a, b].contains(vertex));
        let touched = vertices.filter(|&vertex| touches(from, to, places[vertex]));
        count += through * touched.count();
    }
    count
}

/// Returns twice the signed area of the triangle `a`, `b`, `c`.
fn area(a: Point, b: Point, c: Point) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn cross(a: Point, b: Point, c: Point, d: Point) -> bool {
    let apart = |one: i64, other: i64| one.signum() * other.signum() < 0;
    apart(area(a, b, c), area(a, b, d)) && apart(area(c, d, a), area(c, d, b))
}

/// Returns whether `vertex` lies on the segment from `a` to `b`, or within [`NEAR`] grid units of
/// this segment.
fn touches(a: Point, b: Point, vertex: Point) -> bool {
    let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    let along = (vertex[0] - a[0]) * dx + (vertex[1] - a[1]) * dy;
    let length = dx * dx + dy * dy;
    let off = area(a, b, vertex);
    // The distance from the line is |off| / sqrt(length). Both sides of the comparison are squared,
    // which avoids the root and keeps all numbers integers.
    (0..=length).contains(&along) && off * off <= NEAR * NEAR * length
}

#[cfg(test)]
mod tests {
    use super::super::positions;
    use super::*;

    fn crossing_count(edges: &[[usize; 2]]) -> usize {
        let count = edges.iter().flatten().max().unwrap() + 1;
        crossings(edges, &rounded(&positions(count, edges)), THROUGH)
    }

    #[test]
    fn planar_graphs_are_drawn_without_crossings() {
        let complete = |n: usize| -> Vec<[usize; 2]> {
            (0..n)
                .flat_map(|a| (a + 1..n).map(move |b| [a, b]))
                .collect()
        };
        let wheel: Vec<[usize; 2]> = (0..6).flat_map(|v| [[v, (v + 1) % 6], [v, 6]]).collect();
        let prism: Vec<[usize; 2]> = (0..5)
            .flat_map(|v| [[v, (v + 1) % 5], [5 + v, 5 + (v + 1) % 5], [v, 5 + v]])
            .collect();
        let cube: Vec<[usize; 2]> = (0..8usize)
            .flat_map(|v| [1, 2, 4].map(|bit| [v, v ^ bit]))
            .filter(|[a, b]| a < b)
            .collect();
        let two_by_three = [0, 1].into_iter().flat_map(|a| [2, 3, 4].map(|b| [a, b]));
        let three_by_three = (0..3).flat_map(|a| [3, 4, 5].map(|b| [a, b]));
        assert_eq!(crossing_count(&complete(4)), 0);
        assert_eq!(crossing_count(&wheel), 0);
        assert_eq!(crossing_count(&prism), 0);
        assert_eq!(crossing_count(&cube), 0);
        assert_eq!(crossing_count(&two_by_three.collect::<Vec<_>>()), 0);
        // K3,3 and K5 are not planar. Each can be drawn with exactly one crossing.
        assert_eq!(crossing_count(&three_by_three.collect::<Vec<_>>()), 1);
        assert_eq!(crossing_count(&complete(5)), 1);
    }
}
