//! The values of the squares of a board, from the corner at the bottom left.

use grundy_core::step::Step;

use super::{MARGIN, wide};
use crate::Wording;
use crate::svg::Svg;

const SIDE: f64 = 30.0;

/// Draws the board. Squares of value 0 have the colour of P-positions, and an orange disc marks the
/// square of the piece. Returns the width and the height.
pub(super) fn draw(
    svg: &mut Svg,
    values: &[Vec<u64>],
    piece: [u64; 2],
    say: Wording<'_>,
) -> [f64; 2] {
    let rows = values.len();
    let columns = values.first().map_or(0, Vec::len);
    let (left, label) = (MARGIN + 22.0, 22.0);
    let legend = say(&Step::new("step_values"));
    svg.text(MARGIN, MARGIN + 12.0, 13.0, "start", &legend);
    let top = MARGIN + 24.0;
    for (y, row) in values.iter().enumerate() {
        let above = top + SIDE * (rows - 1 - y) as f64;
        svg.text(left - 8.0, above + 19.0, 11.0, "end", &y.to_string());
        for (x, &value) in row.iter().enumerate() {
            let at = left + SIDE * x as f64;
            let zero = value == 0;
            let (fill, class) = if zero {
                ("#f3bd94", "outcome-p")
            } else {
                ("#ffffff", "square")
            };
            svg.rect([at, above, SIDE, SIDE], fill, class);
            if [x as u64, y as u64] == piece {
                svg.circle(
                    at + SIDE / 2.0,
                    above + SIDE / 2.0,
                    12.5,
                    "#E69F00",
                    "piece",
                );
            }
            svg.text(
                at + SIDE / 2.0,
                above + 20.0,
                14.0,
                "middle",
                &value.to_string(),
            );
        }
    }
    let bottom = top + SIDE * rows as f64;
    for x in 0..columns {
        svg.text(
            left + SIDE * (x as f64 + 0.5),
            bottom + 15.0,
            11.0,
            "middle",
            &x.to_string(),
        );
    }
    let width = (label + SIDE * columns as f64).max(wide(&legend, 13.0));
    [width, bottom + 18.0 - MARGIN]
}
