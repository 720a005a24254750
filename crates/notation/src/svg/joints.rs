//! Conversion of the strokes of a drawing to a picture: ends that are close together become one
//! vertex, and vertices on the ground are found.

use std::collections::{HashMap, HashSet};

use grundy::ruleset::hackenbush::Edge;
use grundy::{Kind, message};

use super::Stroke;
use crate::Diagnostic;

/// Largest number of segments of which the ground may consist.
const GROUND_PIECES: usize = 1000;

/// The elements of a drawing after parsing.
#[derive(Default)]
pub(crate) struct Sketch {
    pub(crate) strokes: Vec<Stroke>,
    /// The strokes that are marked as the ground.
    pub(crate) ground: Vec<Stroke>,
    /// Points of the drawing, each with the number that the vertex at this point gets.
    pub(crate) dots: Vec<([f64; 2], u32)>,
}

impl Sketch {
    /// Returns the edges, and the vertices on the ground.
    pub(crate) fn joined(mut self) -> Result<(Vec<Edge>, Vec<u32>), Diagnostic> {
        let near = self.nearness();
        if self.ground.is_empty() {
            match self.lowest_line(near) {
                Some(index) => self.ground.push(self.strokes.remove(index)),
                None if self.strokes.is_empty() => {
                    return Err(Diagnostic::new(
                        Kind::IllegalPosition,
                        message!("the drawing has no lines"),
                    )
                    .help(message!(
                        "draw edges as lines, polylines or paths; text and shapes are ignored"
                    )));
                }
                None => {
                    return Err(Diagnostic::new(Kind::IllegalPosition, message!("the drawing has no ground"))
                        .at(self.strokes[0].span.clone())
                        .help(message!("draw a horizontal line below everything, or give a line the id or class `ground`")));
                }
            }
        }
        if self.ground.len() > GROUND_PIECES {
            return Err(Diagnostic::new(
                Kind::IllegalPosition,
                message!("the ground consists of more than 1000 segments"),
            )
            .at(self.ground[GROUND_PIECES].span.clone()));
        }
        let mut joints = Joints::new(near);
        let ends: Vec<[usize; 2]> = self
            .strokes
            .iter()
            .map(|stroke| stroke.ends.map(|end| joints.at(end)))
            .collect();
        let grounded: Vec<bool> = joints
            .places
            .iter()
            .map(|&place| {
                self.ground
                    .iter()
                    .any(|stroke| distance(place, stroke.ends) <= near)
            })
            .collect();
        let names = names(&joints, &grounded, &self.dots);
        let edges = self
            .strokes
            .iter()
            .zip(&ends)
            // A straight segment whose two ends are the same vertex only closes a path. It is not
            // an edge.
            .filter(|(stroke, [a, b])| stroke.curved || a != b)
            .map(|(stroke, ends)| Edge {
                ends: ends.map(|end| names[end]),
                colour: stroke.colour,
            })
            .collect();
        let mut ground: Vec<u32> = (0..names.len())
            .filter(|&joint| grounded[joint])
            .map(|joint| names[joint])
            .collect();
        ground.sort_unstable();
        ground.dedup();
        if ground.is_empty() && !self.strokes.is_empty() {
            return Err(Diagnostic::new(
                Kind::IllegalPosition,
                message!("no edge ends on the ground"),
            )
            .at(self.ground[0].span.clone())
            .help(message!(
                "draw at least one edge that ends on the ground line"
            )));
        }
        if ground.is_empty() {
            ground.push(0);
        }
        Ok((edges, ground))
    }

    /// Returns the distance up to which ends are merged. It is a hundredth of the size of the
    /// drawing, but at most a quarter of the shortest edge.
    fn nearness(&self) -> f64 {
        let all = || self.strokes.iter().chain(&self.ground);
        let (mut low, mut high) = ([f64::MAX; 2], [f64::MIN; 2]);
        for end in all().flat_map(|stroke| stroke.ends) {
            for axis in 0..2 {
                low[axis] = low[axis].min(end[axis]);
                high[axis] = high[axis].max(end[axis]);
            }
        }
        let extent = (high[0] - low[0]).max(high[1] - low[1]);
        // Segments of length 0 are produced by drawing programs. They must not count as the
        // shortest edge.
        let shortest = all()
            .map(|stroke| length(stroke.ends))
            .filter(|&length| length > extent / 1e6)
            .fold(f64::MAX, f64::min);
        // With a quarter of its length, the shortest edge cannot be merged to a point. The lower
        // bound prevents a division by 0.
        (extent / 100.0).min(shortest / 4.0).max(f64::MIN_POSITIVE)
    }

    /// Returns the index of the lowest horizontal line. Returns `None` if a stroke ends below it.
    fn lowest_line(&self, near: f64) -> Option<usize> {
        let lowest = self
            .strokes
            .iter()
            .flat_map(|stroke| stroke.ends)
            .map(|[_, y]| y)
            .fold(f64::MIN, f64::max);
        self.strokes.iter().position(|stroke| {
            !stroke.curved && stroke.ends.iter().all(|[_, y]| (y - lowest).abs() <= near)
        })
    }
}

fn length([[a, b], [c, d]]: [[f64; 2]; 2]) -> f64 {
    (a - c).hypot(b - d)
}

/// Returns the distance of a point from a line segment.
fn distance([x, y]: [f64; 2], [[a, b], [c, d]]: [[f64; 2]; 2]) -> f64 {
    let (dx, dy) = (c - a, d - b);
    let square = dx * dx + dy * dy;
    // The position of the point projected to the line, limited to the segment.
    let along = if square > 0.0 {
        (((x - a) * dx + (y - b) * dy) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (x - a - along * dx).hypot(y - b - along * dy)
}

/// The vertices, with a grid by which they are found from a point. A cell of the grid is as wide as
/// the merging distance.
struct Joints {
    near: f64,
    places: Vec<[f64; 2]>,
    squares: HashMap<(i64, i64), Vec<usize>>,
}

impl Joints {
    fn new(near: f64) -> Self {
        Self {
            near,
            places: Vec::new(),
            squares: HashMap::new(),
        }
    }

    fn square(&self, [x, y]: [f64; 2]) -> (i64, i64) {
        (
            (x / self.near).floor() as i64,
            (y / self.near).floor() as i64,
        )
    }

    fn find(&self, place: [f64; 2]) -> Option<usize> {
        let (column, row) = self.square(place);
        // A vertex within the merging distance is in the same cell as the point, or in one of the
        // eight cells around it. The additions saturate, since the cell may have the largest
        // possible number.
        (-1..=1)
            .flat_map(|dx| {
                (-1..=1).map(move |dy| (column.saturating_add(dx), row.saturating_add(dy)))
            })
            .filter_map(|square| self.squares.get(&square))
            .flatten()
            .copied()
            .find(|&joint| length([self.places[joint], place]) <= self.near)
    }

    fn at(&mut self, place: [f64; 2]) -> usize {
        self.find(place).unwrap_or_else(|| {
            let joint = self.places.len();
            self.places.push(place);
            self.squares
                .entry(self.square(place))
                .or_default()
                .push(joint);
            joint
        })
    }
}

/// Returns the number of each vertex. If there is a dot at the vertex, it is the number of the dot.
/// Otherwise it is 0 on the ground, and an unused number elsewhere.
fn names(joints: &Joints, grounded: &[bool], dots: &[([f64; 2], u32)]) -> Vec<u32> {
    let mut names: Vec<Option<u32>> = vec![None; joints.places.len()];
    let mut ground = HashSet::new();
    let mut above = HashSet::new();
    // Vertices on the ground are numbered first. Several of them may have the same number, which
    // makes them the same vertex. Other dots must not have such a number.
    for &(place, name) in dots {
        if let Some(joint) = joints.find(place).filter(|&joint| grounded[joint]) {
            names[joint] = Some(name);
            ground.insert(name);
        }
    }
    let on_ground = ground.iter().min().copied().unwrap_or(0);
    ground.insert(on_ground);
    for &(place, name) in dots {
        if let Some(joint) = joints.find(place).filter(|&joint| !grounded[joint])
            && names[joint].is_none()
            && !ground.contains(&name)
            && above.insert(name)
        {
            names[joint] = Some(name);
        }
    }
    let mut next = 0;
    names
        .iter()
        .zip(grounded)
        .map(|(name, &grounded)| {
            name.unwrap_or_else(|| {
                if grounded {
                    return on_ground;
                }
                while ground.contains(&next) || above.contains(&next) {
                    next += 1;
                }
                next += 1;
                next - 1
            })
        })
        .collect()
}
