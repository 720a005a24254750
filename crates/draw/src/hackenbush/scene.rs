//! SVG drawings of Hackenbush pictures, which the program can read back. Each dot carries the
//! number of its vertex. Each edge is a single line or curve between two dots, and the ground has
//! the class `ground`. All other shapes have the class `scenery`.

use grundy_core::step::Step;

use super::{Curve, DRAWN, PictureLayout};
use crate::ink::{Ink, Tone};
use crate::label_places::OccupiedPoints;
use crate::pen::Pen;
use crate::sketch::{Side, Stroke, text_width};

/// Number of pixels in one unit of the layout.
const UNIT: f64 = 52.0;
const MARGIN: f64 = 30.0;
/// Radius of a vertex that contains its number, in pixels.
const NAMED: f64 = 8.5;
/// Largest number of edges for which a picture shows edge numbers by default.
const NUMBERED: usize = 60;

/// Draws the picture with the ground at y = 0.
pub(crate) fn draw(pen: &mut Pen<'_>, edges: &[([u32; 2], char)], ground: &[u32], numbers: &[u32]) {
    if edges.len() > DRAWN {
        return crate::shape::summary(
            pen,
            &Step::new("picture_too_large").with("edges", edges.len()),
        );
    }
    let layout = PictureLayout::new(edges, ground);
    let to_pixels = |[x, y]: [f64; 2]| [MARGIN + UNIT * (x - layout.left), -UNIT * y];
    let width = 2.0 * MARGIN + UNIT * (layout.right - layout.left);
    ground_line(pen, width);
    let mut occupied = OccupiedPoints::default();
    for curve in &layout.curves {
        // Each curve is represented by 25 points on it, since `OccupiedPoints` stores only points.
        for step in 0..=24 {
            occupied.add_point(to_pixels(curve.at(f64::from(step) / 24.0)));
        }
    }
    for (_, place) in &layout.dots {
        let [x, y] = to_pixels(*place);
        let far = if pen.style.vertices { NAMED } else { 4.0 };
        for point in [[x - far, y], [x + far, y], [x, y - far], [x, y + far]] {
            occupied.add_point(point);
        }
    }
    let stroke = |curve: &Curve| {
        let (from, to) = (to_pixels(curve.from), to_pixels(curve.to));
        let end = match curve.bend {
            None => Stroke::Line(to),
            Some([first, second]) => Stroke::Curve(to_pixels(first), to_pixels(second), to),
        };
        vec![Stroke::Move(from), end]
    };
    // The letters of the colours are written only if not all edges are green.
    let mixed = edges.iter().any(|(_, colour)| *colour != 'g');
    let numbered = pen.style.labels || edges.len() <= NUMBERED;
    let written = |index: usize| {
        let number = numbers.get(index).filter(|_| numbered);
        let number = number.map_or(String::new(), u32::to_string);
        let colour = if mixed {
            edges[index].1.to_string()
        } else {
            String::new()
        };
        number + &colour
    };
    let at = |index: usize| -> Vec<u64> {
        let number = numbers.get(index);
        number
            .map(|&number| u64::from(number))
            .into_iter()
            .collect()
    };
    let labels: Vec<(String, [f64; 2])> = layout
        .curves
        .iter()
        .enumerate()
        .map(|(index, curve)| {
            let text = written(index);
            // The star of a winning move is drawn to the right of the label. The space of the label
            // includes it.
            let star = if pen.wins(&at(index)) { 8.5 } else { 0.0 };
            let half = [text_width(&text, 13.0) / 2.0 + star, 6.0 + star / 8.0];
            let [x, y] = occupied.place_label(&label_candidates(curve, half, &to_pixels), half);
            (text, [x - star, y])
        })
        .collect();
    for (index, curve) in layout.curves.iter().enumerate() {
        let (class, tone, dashes): (_, _, &[u8]) = match curve.colour {
            'b' => ("blue", Tone::Blue, &[9, 5]),
            'r' => ("red", Tone::Red, &[2, 6]),
            _ => ("green", Tone::Green, &[]),
        };
        let ink = Ink::line(tone, 4.0).dashed(dashes).class(class);
        let (text, [x, y]) = &labels[index];
        let star = [x + text_width(text, 13.0) / 2.0 + 9.0, *y];
        pen.draw_target(&at(index), star, |sketch, best| {
            if best {
                // A wide line in the accent colour is drawn under a narrower one in the colour of
                // the paper, which looks like an outline. The edge itself stays a single path, as
                // the program that reads drawings expects.
                sketch.path(stroke(curve), Ink::line(Tone::Accent, 9.0));
                sketch.path(stroke(curve), Ink::line(Tone::Paper, 6.0));
            }
            sketch.path(stroke(curve), ink);
            sketch.write([*x, *y], 13.0, Side::Middle, Tone::Ink, text);
        });
    }
    for &(vertex, place) in &layout.dots {
        let named = pen.style.vertices && place[1] > 0.0;
        let radius = match place[1] > 0.0 {
            true if named => NAMED,
            true => 4.5,
            false => 3.0,
        };
        let ink = Ink::bare(Tone::Ink).class("vertex");
        pen.sketch.dot(to_pixels(place), radius, ink, Some(vertex));
        if named {
            let paper = Ink::bare(Tone::Paper);
            pen.sketch.dot(to_pixels(place), radius - 1.2, paper, None);
            let (number, middle) = (vertex.to_string(), to_pixels(place));
            pen.sketch
                .write(middle, 9.0, Side::Middle, Tone::Ink, &number);
        }
    }
}

/// Returns candidate positions for the label of an edge, on both sides of it. `half` is half the
/// width and half the height of the label.
fn label_candidates(
    curve: &Curve,
    half: [f64; 2],
    to_pixels: &impl Fn([f64; 2]) -> [f64; 2],
) -> Vec<[f64; 2]> {
    let mut places = Vec::new();
    for apart in [4.0, 7.0, 11.0] {
        for t in [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74] {
            let [x, y] = to_pixels(curve.at(t));
            let [before, after] = [t - 0.05, t + 0.05].map(|t| to_pixels(curve.at(t)));
            let [dx, dy] = [after[0] - before[0], after[1] - before[1]];
            let length = dx.hypot(dy).max(1e-9);
            let [nx, ny] = [-dy / length, dx / length];
            let reach = apart + half[0] * nx.abs() + half[1] * ny.abs();
            let right = if nx < 0.0 { -1.0 } else { 1.0 };
            for side in [right, -right] {
                places.push([x + side * reach * nx, y + side * reach * ny]);
            }
        }
    }
    places
}

fn ground_line(pen: &mut Pen<'_>, width: f64) {
    let ground = Ink::line(Tone::Ink, 3.0).class("ground");
    pen.sketch.line([0.0, 0.0], [width, 0.0], ground);
    let mut strokes = Vec::new();
    for stroke in 0..(width / 12.0) as u32 {
        let left = 12.0 * f64::from(stroke);
        strokes.push(Stroke::Move([left, 12.0]));
        strokes.push(Stroke::Line([left + 8.0, 3.0]));
    }
    pen.sketch.path(strokes, Ink::line(Tone::Soft, 1.0));
}
