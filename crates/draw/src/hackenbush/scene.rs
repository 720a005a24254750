//! A Hackenbush picture in SVG. What is drawn can be read back: dots carry the numbers of their vertices, edges are
//! single lines or curves between dots, the ground has the class `ground`, all else the class `scenery`.

use super::{DRAWN, PictureLayout};
use grundy::step::Step;

use crate::Say;
use crate::svg::{Svg, letters, number};

/// Pixels for one unit of the layout.
const UNIT: f64 = 52.0;
const MARGIN: f64 = 30.0;

/// Draws with the left upper corner at (x, y) and returns the width and height used.
pub(crate) fn svg(
    svg: &mut Svg,
    [x, y]: [f64; 2],
    (edges, ground): (&[([u32; 2], char)], &[u32]),
    labels: Option<&[u32]>,
    say: Say<'_>,
) -> (f64, f64) {
    if edges.len() > DRAWN {
        let note = say(&Step::new("picture_too_large").with("edges", edges.len()));
        svg.text(x, y + 12.0, 12.0, "start", &note);
        return (8.0 * letters(&note) as f64, 16.0);
    }
    let layout = PictureLayout::new(edges, ground);
    let base = y + MARGIN + UNIT * layout.height;
    let page = |[px, py]: [f64; 2]| [x + MARGIN + UNIT * (px - layout.left), base - UNIT * py];
    let width = 2.0 * MARGIN + UNIT * (layout.right - layout.left);
    ground_line(svg, x, base, width);
    let mixed = edges.iter().any(|(_, colour)| *colour != 'g');
    for curve in &layout.curves {
        let (class, ink, dashes) = match curve.colour {
            'b' => ("blue", "#0072B2", "9 5"),
            'r' => ("red", "#D55E00", "2 5"),
            _ => ("green", "#007A5A", ""),
        };
        let [from, to] = [curve.from, curve.to].map(page);
        let ends = |[x, y]: [f64; 2]| format!("{} {}", number(x), number(y));
        let d = match curve.bend {
            None => format!("M {} L {}", ends(from), ends(to)),
            Some([first, second]) => format!(
                "M {} C {}, {}, {}",
                ends(from),
                ends(page(first)),
                ends(page(second)),
                ends(to)
            ),
        };
        svg.path(&d, class, ink, 4.0, dashes);
    }
    for &(vertex, place) in &layout.dots {
        let [cx, cy] = page(place);
        svg.vertex(cx, cy, if place[1] > 0.0 { 4.5 } else { 3.0 }, vertex);
    }
    for (index, curve) in layout.curves.iter().enumerate() {
        let label = match (labels, mixed) {
            (Some(numbers), true) => format!("{}{}", numbers[index], curve.colour),
            (Some(numbers), false) => numbers[index].to_string(),
            (None, true) => curve.colour.to_string(),
            (None, false) => continue,
        };
        let [cx, cy] = page(curve.label());
        svg.label(cx, cy, &label);
    }
    (width, base + 18.0 - y)
}

fn ground_line(svg: &mut Svg, x: f64, base: f64, width: f64) {
    svg.path(
        &format!("M {} {} H {}", number(x), number(base), number(x + width)),
        "ground",
        "#333333",
        3.0,
        "",
    );
    let strokes: Vec<String> = (0..(width / 12.0) as u32)
        .map(|stroke| {
            let left = x + 12.0 * f64::from(stroke);
            format!("M {} {} l 8 -9", number(left), number(base + 12.0))
        })
        .collect();
    svg.path(&strokes.join(" "), "scenery", "#888888", 1.0, "");
}
