//! A sequence of positions, with an arrow from each position to the next.

use super::MARGIN;
use crate::svg::Svg;
use crate::{DrawnComponent, PictureStyle, Wording};

/// Largest width of a row of positions, in pixels.
const WIDEST: f64 = 760.0;
/// Length of an arrow, in pixels.
const ARROW: f64 = 34.0;

/// Draws the positions in a row with arrows between them, or in a column if a row is too wide.
/// Returns the width and the height.
pub(super) fn draw(svg: &mut Svg, positions: &[DrawnComponent], say: Wording<'_>) -> [f64; 2] {
    let style = PictureStyle {
        title: true,
        vertices: true,
        ..PictureStyle::default()
    };
    let drawn = positions
        .iter()
        .map(|one| crate::svg(std::slice::from_ref(one), &style, say));
    let drawn: Vec<String> = drawn.collect();
    let sizes: Vec<[f64; 2]> = drawn.iter().map(|one| Svg::size(one)).collect();
    let arrows = ARROW * positions.len().saturating_sub(1) as f64;
    let total: f64 = sizes.iter().map(|size| size[0]).sum();
    // Positions are arranged along one axis. The variable `along` is its index, and `across` the
    // index of the other axis.
    let horizontal = total + arrows <= WIDEST;
    let along = usize::from(!horizontal);
    let across = 1 - along;
    let most = sizes.iter().map(|size| size[across]).fold(0.0, f64::max);
    let mut place = 0.0;
    for (index, (picture, size)) in drawn.iter().zip(&sizes).enumerate() {
        if index > 0 {
            let ends = [place + 4.0, place + ARROW - 6.0];
            let ends = ends.map(|end| {
                if horizontal {
                    [end, most / 2.0]
                } else {
                    [MARGIN + 24.0, end]
                }
            });
            svg.arrow(&ends, 1.5, "");
            place += ARROW;
        }
        let [x, y] = if horizontal {
            [place, 0.0]
        } else {
            [0.0, place]
        };
        svg.nested(x, y, picture);
        place += size[along];
    }
    let [width, height] = if horizontal {
        [place, most]
    } else {
        [most, place]
    };
    [width - 2.0 * MARGIN, height - 2.0 * MARGIN]
}
