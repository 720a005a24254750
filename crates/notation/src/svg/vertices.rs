//! Conversion of the strokes of a drawing to a picture: ends that are close together become one
//! vertex, and vertices on the ground are found.

use std::collections::{HashMap, HashSet};

use grundy_core::ruleset::hackenbush::Edge;
use grundy_core::{Kind, message};

use super::Stroke;
use crate::Diagnostic;

/// Largest number of segments of which the ground may consist.
const MAX_GROUND_PIECES: usize = 1000;

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
    pub(crate) fn into_picture(mut self) -> Result<(Vec<Edge>, Vec<u32>), Diagnostic> {
        let merge_distance = self.merge_distance();
        if self.ground.is_empty() {
            match self.lowest_line(merge_distance) {
                Some(index) => self.ground.push(self.strokes.remove(index)),
                None if self.strokes.is_empty() => {
                    return Err(Diagnostic::new(
                        Kind::IllegalPosition,
                        message!("the drawing has no lines"),
                    )
                    .help(message!(
                        "draw edges as lines, polylines or paths; text and other shapes are ignored"
                    )));
                }
                None => {
                    return Err(Diagnostic::new(Kind::IllegalPosition, message!("the drawing has no ground"))
                        .at(self.strokes[0].span.clone())
                        .help(message!("draw a horizontal line below everything, or give a line the id or class `ground`")));
                }
            }
        }
        if self.ground.len() > MAX_GROUND_PIECES {
            return Err(Diagnostic::new(
                Kind::IllegalPosition,
                message!("the ground consists of more than 1000 segments"),
            )
            .at(self.ground[MAX_GROUND_PIECES].span.clone()));
        }
        let mut vertices = VertexGrid::new(merge_distance);
        let ends: Vec<[usize; 2]> = self
            .strokes
            .iter()
            .map(|stroke| stroke.ends.map(|end| vertices.vertex_at(end)))
            .collect();
        let grounded: Vec<bool> = vertices
            .points
            .iter()
            .map(|&point| {
                self.ground
                    .iter()
                    .any(|stroke| distance(point, stroke.ends) <= merge_distance)
            })
            .collect();
        let vertex_numbers = vertex_numbers(&vertices, &grounded, &self.dots);
        let edges = self
            .strokes
            .iter()
            .zip(&ends)
            // A straight segment whose two ends are the same vertex is not an edge. Such a segment
            // occurs where a path is closed.
            .filter(|(stroke, [a, b])| stroke.curved || a != b)
            .map(|(stroke, ends)| Edge {
                ends: ends.map(|end| vertex_numbers[end]),
                colour: stroke.colour,
            })
            .collect();
        let mut ground: Vec<u32> = (0..vertex_numbers.len())
            .filter(|&vertex| grounded[vertex])
            .map(|vertex| vertex_numbers[vertex])
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
    fn merge_distance(&self) -> f64 {
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
        // Since the distance is at most a quarter of the shortest edge, the ends of an edge are
        // never merged. The lower bound prevents a division by 0.
        (extent / 100.0).min(shortest / 4.0).max(f64::MIN_POSITIVE)
    }

    /// Returns the index of a horizontal line below which no stroke ends. Returns `None` if there
    /// is no such line.
    fn lowest_line(&self, merge_distance: f64) -> Option<usize> {
        let lowest = self
            .strokes
            .iter()
            .flat_map(|stroke| stroke.ends)
            .map(|[_, y]| y)
            .fold(f64::MIN, f64::max);
        self.strokes.iter().position(|stroke| {
            !stroke.curved
                && stroke
                    .ends
                    .iter()
                    .all(|[_, y]| (y - lowest).abs() <= merge_distance)
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

/// The vertices in a grid, for fast searches near a point. A cell of the grid is as wide as the
/// merging distance.
struct VertexGrid {
    merge_distance: f64,
    points: Vec<[f64; 2]>,
    cells: HashMap<(i64, i64), Vec<usize>>,
}

impl VertexGrid {
    fn new(merge_distance: f64) -> Self {
        Self {
            merge_distance,
            points: Vec::new(),
            cells: HashMap::new(),
        }
    }

    fn cell(&self, [x, y]: [f64; 2]) -> (i64, i64) {
        (
            (x / self.merge_distance).floor() as i64,
            (y / self.merge_distance).floor() as i64,
        )
    }

    fn find(&self, point: [f64; 2]) -> Option<usize> {
        let (column, row) = self.cell(point);
        // A vertex within the merging distance is in the same cell as the point, or in one of the
        // eight cells around it. The additions saturate, since the cell may have the largest
        // possible number.
        (-1..=1)
            .flat_map(|dx| {
                (-1..=1).map(move |dy| (column.saturating_add(dx), row.saturating_add(dy)))
            })
            .filter_map(|cell| self.cells.get(&cell))
            .flatten()
            .copied()
            .find(|&vertex| length([self.points[vertex], point]) <= self.merge_distance)
    }

    fn vertex_at(&mut self, point: [f64; 2]) -> usize {
        self.find(point).unwrap_or_else(|| {
            let vertex = self.points.len();
            self.points.push(point);
            self.cells.entry(self.cell(point)).or_default().push(vertex);
            vertex
        })
    }
}

/// Returns the number of each vertex. A dot is a point with a number, and a vertex at a dot gets
/// this number. However, a dot above the ground is ignored if its number is already in use. Any
/// other vertex on the ground gets the least number of a dot on the ground, or 0 if there is no
/// such dot. Any other vertex above the ground gets an unused number.
fn vertex_numbers(vertices: &VertexGrid, grounded: &[bool], dots: &[([f64; 2], u32)]) -> Vec<u32> {
    let mut vertex_numbers: Vec<Option<u32>> = vec![None; vertices.points.len()];
    let mut ground = HashSet::new();
    let mut above = HashSet::new();
    // Vertices on the ground are numbered first. Several of them may have the same number, which
    // makes them the same vertex. Vertices above the ground must not get such a number.
    for &(point, number) in dots {
        if let Some(vertex) = vertices.find(point).filter(|&vertex| grounded[vertex]) {
            vertex_numbers[vertex] = Some(number);
            ground.insert(number);
        }
    }
    let on_ground = ground.iter().min().copied().unwrap_or(0);
    ground.insert(on_ground);
    for &(point, number) in dots {
        if let Some(vertex) = vertices.find(point).filter(|&vertex| !grounded[vertex])
            && vertex_numbers[vertex].is_none()
            && !ground.contains(&number)
            && above.insert(number)
        {
            vertex_numbers[vertex] = Some(number);
        }
    }
    let mut next = 0;
    vertex_numbers
        .iter()
        .zip(grounded)
        .map(|(number, &grounded)| {
            number.unwrap_or_else(|| {
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
