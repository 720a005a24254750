//! Routes of edges. Most edges are straight lines. Parallel edges curve away from each other. An
//! edge that passes over other vertices of its layer is an arch, and a loop has the shape of a
//! drop.

use std::collections::HashMap;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::PictureLayout;
use super::layers::Layers;

/// An edge in the picture: a straight line, or a cubic Bézier curve with two control points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Curve {
    pub(crate) from: [f64; 2],
    pub(crate) bend: Option<[[f64; 2]; 2]>,
    pub(crate) to: [f64; 2],
    pub(crate) colour: char,
}

impl Curve {
    /// Returns the position for the label of the edge: its middle, or for a loop a point slightly
    /// beyond its tip.
    pub(crate) fn label(&self) -> [f64; 2] {
        let middle = self.at(0.5);
        let apart = (self.from[0] - self.to[0]).hypot(self.from[1] - self.to[1]);
        if apart > 0.0 {
            return middle;
        }
        [0, 1].map(|axis| self.from[axis] + 1.2 * (middle[axis] - self.from[axis]))
    }

    /// Returns the point at the parameter `t` between 0 and 1.
    pub(crate) fn at(&self, t: f64) -> [f64; 2] {
        let s = 1.0 - t;
        let mut point = [0.0; 2];
        for (axis, place) in point.iter_mut().enumerate() {
            *place = match self.bend {
                None => s * self.from[axis] + t * self.to[axis],
                Some([first, second]) => {
                    s * s * s * self.from[axis]
                        + 3.0 * s * s * t * first[axis]
                        + 3.0 * s * t * t * second[axis]
                        + t * t * t * self.to[axis]
                }
            };
        }
        point
    }
}

/// Distance between two adjacent feet, in units of the layout. Feet are the ends, on the ground, of
/// edges that lead there from the same vertex.
const FOOT_GAP: f64 = 0.4;
/// Distance between two parallel edges, measured at their middle.
const PARALLEL_GAP: f64 = 0.34;
/// Intended distance of the outermost of several parallel edges from the straight line between
/// their ends, if both ends are in the same layer. To reach it, the gaps between the edges are
/// widened by a factor of at most 1.7.
const PARALLEL_HEIGHT: f64 = 0.45;
/// Length of a loop.
const LOOP_LENGTH: f64 = 0.95;
/// Half the angle of a loop at its vertex, in radians.
const LOOP_OPENING: f64 = 0.5;

pub(super) fn layout(layers: &Layers, x: &[f64], edges: &[([u32; 2], char)]) -> PictureLayout {
    let number: HashMap<u32, usize> = (0..)
        .map(|v| v as usize)
        .zip(&layers.names)
        .map(|(v, &name)| (name, v))
        .collect();
    let place = |v: usize| [x[v], layers.layer[v] as f64];
    let mut dots: Vec<(u32, [f64; 2])> =
        (0..x.len()).map(|v| (layers.names[v], place(v))).collect();
    let multiplicities = multiplicities(edges, &number);
    let loops = loop_directions(layers, x);
    let mut seen = HashMap::new();
    let foot = |v: usize, side: f64| x[v] + FOOT_GAP * side;
    let last_foot = |v: usize| foot(v, layers.feet[v].saturating_sub(1) as f64 / 2.0);
    // An edge between two points of the ground is an arch. It is drawn to the right of all feet.
    let mut arch_left = (0..x.len()).map(last_foot).fold(-1.0, f64::max) + 1.0;
    let mut curves = Vec::with_capacity(edges.len());
    for &([a, b], colour) in edges {
        let (u, v) = (number.get(&a).copied(), number.get(&b).copied());
        // Parallel edges are numbered in the order of the notation.
        let next = seen.entry((u.min(v), u.max(v))).or_insert(0usize);
        let index = *next;
        *next += 1;
        let count = multiplicities[&(u.min(v), u.max(v))];
        // The sides of n parallel edges are -(n - 1) / 2, ..., (n - 1) / 2, at distances of 1.
        let side = index as f64 - (count - 1) as f64 / 2.0;
        let mut curve = match (u, v) {
            (None, None) => {
                let (left, right) = ([arch_left, 0.0], [arch_left + 0.9, 0.0]);
                arch_left += 1.4;
                dots.extend([(a, left), (b, right)]);
                arch(left, right, 0.9)
            }
            (Some(v), None) | (None, Some(v)) => {
                let foot = [foot(v, side), 0.0];
                dots.push((if u.is_none() { a } else { b }, foot));
                if u.is_none() {
                    line(foot, place(v))
                } else {
                    line(place(v), foot)
                }
            }
            (Some(u), Some(v)) if u == v => loop_at(place(u), loops[u][index]),
            (Some(u), Some(v)) => {
                let (from, to) = (place(u), place(v));
                let passes_over = layers.layer[u] == layers.layer[v]
                    && layers.order[layers.layer[u]]
                        .iter()
                        .any(|&w| (x[w] - x[u]) * (x[w] - x[v]) < 0.0);
                if passes_over {
                    arch(from, to, 0.35 + 0.2 * index as f64)
                } else if count == 1 {
                    line(from, to)
                } else {
                    // Sides are counted from the vertex with the smaller index, even if the
                    // notation names the other end first.
                    let side = if u < v { side } else { -side };
                    // Parallel edges within a layer are spread further to make room for their
                    // labels. They must not reach the adjacent layers.
                    let outermost = PARALLEL_GAP * (count - 1) as f64 / 2.0;
                    let wider = if layers.layer[u] == layers.layer[v] {
                        (PARALLEL_HEIGHT / outermost).clamp(1.0, 1.7)
                    } else {
                        1.0
                    };
                    parallel(from, to, side * wider)
                }
            }
        };
        curve.colour = colour;
        curves.push(curve);
    }
    extent(dots, curves)
}

fn extent(dots: Vec<(u32, [f64; 2])>, curves: Vec<Curve>) -> PictureLayout {
    let (mut left, mut right, mut height) = (f64::MAX, f64::MIN, 0.0f64);
    let ink = curves
        .iter()
        .flat_map(|curve| (0..=16).map(|step| curve.at(f64::from(step) / 16.0)));
    for [x, y] in ink {
        left = left.min(x);
        right = right.max(x);
        height = height.max(y);
    }
    // Without edges, both ends still have their initial values.
    if left > right {
        (left, right) = (0.0, 1.0);
    }
    PictureLayout {
        dots,
        curves,
        left,
        right,
        height,
    }
}

fn line(from: [f64; 2], to: [f64; 2]) -> Curve {
    Curve {
        from,
        bend: None,
        to,
        colour: 'g',
    }
}

fn arch(from: [f64; 2], to: [f64; 2], height: f64) -> Curve {
    // A Bézier curve whose control points have the same height reaches three quarters of that
    // height.
    let bend = [from, to].map(|[x, y]| [x, y + height / 0.75]);
    Curve {
        bend: Some(bend),
        ..line(from, to)
    }
}

fn parallel([a, b]: [f64; 2], [c, d]: [f64; 2], side: f64) -> Curve {
    let (dx, dy) = (c - a, d - b);
    let length = dx.hypot(dy);
    let bulge = side * PARALLEL_GAP / 0.75;
    let normal = [-dy / length * bulge, dx / length * bulge];
    let along = |t: f64| [a + t * dx + normal[0], b + t * dy + normal[1]];
    Curve {
        bend: (side != 0.0).then(|| [along(0.25), along(0.75)]),
        ..line([a, b], [c, d])
    }
}

fn loop_at([x, y]: [f64; 2], (angle, opening): (f64, f64)) -> Curve {
    let toward = |angle: f64| [x + LOOP_LENGTH * angle.cos(), y + LOOP_LENGTH * angle.sin()];
    Curve {
        bend: Some([toward(angle + opening), toward(angle - opening)]),
        ..line([x, y], [x, y])
    }
}

/// Returns the number of parallel edges between each pair of vertices. In a pair, `None` stands for
/// the whole ground, which counts as one vertex.
fn multiplicities(
    edges: &[([u32; 2], char)],
    number: &HashMap<u32, usize>,
) -> HashMap<(Option<usize>, Option<usize>), usize> {
    let mut multiplicities = HashMap::new();
    for ([a, b], _) in edges {
        let (u, v) = (number.get(a).copied(), number.get(b).copied());
        *multiplicities.entry((u.min(v), u.max(v))).or_insert(0) += 1;
    }
    multiplicities
}

/// Returns, for each vertex, the direction and half the opening angle of each of its loops, in
/// radians. Loops are distributed over the widest gaps between the other edges.
fn loop_directions(layers: &Layers, x: &[f64]) -> Vec<Vec<(f64, f64)>> {
    (0..x.len())
        .map(|v| {
            let mut directions: Vec<f64> = layers.adjacent[v]
                .iter()
                .chain(&layers.same_layer[v])
                .map(|&w| {
                    let dy = layers.layer[w] as f64 - layers.layer[v] as f64;
                    dy.atan2(x[w] - x[v])
                })
                .collect();
            // The feet of a vertex point downward, so no loop may point downward.
            if layers.feet[v] > 0 {
                directions.push(-FRAC_PI_2);
            }
            directions.sort_by(f64::total_cmp);
            directions.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
            loops_in_gaps(&directions, layers.loops[v])
        })
        .collect()
}

fn loops_in_gaps(directions: &[f64], count: usize) -> Vec<(f64, f64)> {
    if count == 0 {
        return Vec::new();
    }
    // For each gap: the angle at which it starts, its width, and the number of loops in it so far.
    let mut gaps: Vec<(f64, f64, usize)> = directions
        .iter()
        .zip(
            directions
                .iter()
                .skip(1)
                .copied()
                .chain(directions.first().map(|first| first + TAU)),
        )
        .map(|(&from, to)| (from, to - from, 0))
        .collect();
    if gaps.is_empty() {
        gaps.push((-FRAC_PI_2, TAU, 0));
    }
    for _ in 0..count {
        let room = |gap: &(f64, f64, usize)| {
            let upward = (gap.0 + gap.1 / 2.0).sin();
            // Among gaps of about the same width, the one that points upward is preferred, since
            // loops should keep away from the ground.
            gap.1 / (gap.2 + 1) as f64 + 0.1 * upward
        };
        let widest = (0..gaps.len()).max_by(|&i, &j| room(&gaps[i]).total_cmp(&room(&gaps[j])));
        if let Some(widest) = widest {
            gaps[widest].2 += 1;
        }
    }
    let mut loops = Vec::with_capacity(count);
    for (start, width, inside) in gaps {
        let share = width / inside.max(1) as f64;
        for index in 0..inside {
            let angle = start + share * (index as f64 + 0.5);
            loops.push((angle.rem_euclid(2.0 * PI), LOOP_OPENING.min(share * 0.4)));
        }
    }
    loops
}
