//! Graphs with numbered vertices, on which there may be pieces.

use grundy_core::step::Step;

use crate::graph_layout::positions;
use crate::ink::{Ink, Tone};
use crate::label_places::{OccupiedPoints, around};
use crate::pen::Pen;
use crate::sketch::{Side, text_width};

/// Largest number of vertices in a drawing.
const VERTICES: usize = 80;
/// Largest number of edges in a drawing.
const EDGES: usize = 400;
/// Distance between two neighbours, in pixels.
const UNIT: f64 = 66.0;
/// Radius of a vertex, in pixels.
const RADIUS: f64 = 14.0;

/// Draws a graph. Each vertex contains the number that identifies it. If any vertex contains a
/// letter, the numbers are next to the vertices instead. `numbers` contains the number that
/// identifies each edge. It is empty if the edges are not numbered.
pub(super) fn graph(
    pen: &mut Pen<'_>,
    vertices: &[(u32, char)],
    edges: &[[u32; 2]],
    numbers: &[u32],
) {
    if vertices.len() > VERTICES || edges.len() > EDGES {
        let step = Step::new("picture_graph_large").with("vertices", vertices.len());
        return super::summary(pen, &step.with("edges", edges.len()));
    }
    let names: Vec<u32> = vertices.iter().map(|(name, _)| *name).collect();
    let place_of = |name: u32| names.iter().position(|&other| other == name);
    let pairs: Vec<[usize; 2]> = edges
        .iter()
        .filter_map(|&[a, b]| Some([place_of(a)?, place_of(b)?]))
        .collect();
    let places: Vec<[f64; 2]> = positions(names.len(), &pairs)
        .into_iter()
        .map(|[x, y]| [UNIT * x, UNIT * y])
        .collect();
    // Each edge is represented by 25 points on it, since `OccupiedPoints` stores only points.
    let mut occupied = OccupiedPoints::default();
    for (index, &[a, b]) in pairs.iter().enumerate() {
        let (from, to) = (places[a], places[b]);
        for step in 0..=24 {
            let t = f64::from(step) / 24.0;
            occupied.add_point([0, 1].map(|axis| from[axis] + t * (to[axis] - from[axis])));
        }
        let at: Vec<u64> = numbers
            .get(index)
            .map(|&edge| u64::from(edge))
            .into_iter()
            .collect();
        let middle = [0, 1].map(|axis| f64::midpoint(from[axis], to[axis]));
        pen.draw_target(&at, middle, |sketch, best| {
            sketch.line(
                from,
                to,
                Ink::line(Tone::Ink, 2.0).class("edge scenery").best(best),
            );
        });
    }
    for place in &places {
        for point in around(*place, &[0.0, 8.0, 14.0]) {
            occupied.add_point(point);
        }
    }
    let lettered = vertices.iter().any(|(_, letter)| *letter != '.');
    for (&(name, letter), &centre) in vertices.iter().zip(&places) {
        let tone = match letter {
            'L' => Tone::Left,
            'R' => Tone::Right,
            _ => Tone::Square,
        };
        let star = [centre[0] + 12.0, centre[1] - 12.0];
        pen.draw_target(&[u64::from(name)], star, |sketch, best| {
            sketch.circle(
                centre,
                RADIUS,
                Ink::filled(tone).class("vertex scenery").best(best),
            );
            let inside = match letter {
                '.' if lettered => String::new(),
                '.' => name.to_string(),
                letter => letter.to_string(),
            };
            sketch.write(centre, 14.0, Side::Middle, Tone::Ink, &inside);
        });
        if lettered {
            let half = [text_width(&name.to_string(), 12.0) / 2.0, 6.0];
            let at = occupied.place_label(&around(centre, &[23.0, 27.0]), half);
            pen.sketch.number(at, name);
        }
    }
    for (number, &[a, b]) in numbers.iter().zip(&pairs) {
        let middle = [0, 1].map(|axis| f64::midpoint(places[a][axis], places[b][axis]));
        let half = [text_width(&number.to_string(), 12.0) / 2.0, 6.0];
        let at = occupied.place_label(&around(middle, &[10.0, 13.0]), half);
        pen.sketch.number(at, number);
    }
}
