//! Euclid's algorithm as a rectangle from which squares are cut off.

use super::MARGIN;
use crate::svg::Svg;

/// Length of the longer side of the picture, in pixels.
const LONG: f64 = 520.0;
/// Largest number of squares of one size that are drawn separately. If there are more, the part of
/// the rectangle that is not yet divided is drawn as one rectangle.
const EACH: u64 = 60;
const FILLS: [&str; 4] = ["#a8d4ee", "#fbe3ab", "#a6dcc8", "#eccade"];

/// Draws a rectangle from the quotients of Euclid's algorithm for its sides. Each quotient is the
/// number of squares of one size, the largest squares first. Returns the width and the height.
pub(super) fn draw(svg: &mut Svg, quotients: &[u64]) -> [f64; 2] {
    let (mut long, mut short) = (1.0_f64, 0.0_f64);
    // Euclid's algorithm is run backwards from the quotients. Floating-point numbers suffice for
    // the sides, since only their ratio matters.
    for &quotient in quotients.iter().rev() {
        (long, short) = (quotient as f64 * long + short, long);
    }
    let scale = LONG / long;
    let size = [LONG, (short * scale).max(1.0)];
    let [mut x, mut y] = [MARGIN; 2];
    let mut rest = size;
    for (level, &quotient) in quotients.iter().enumerate() {
        let across = level % 2 == 0;
        let side = rest[usize::from(across)];
        let fill = FILLS[level % FILLS.len()];
        if side >= 1.0 && quotient <= EACH {
            for _ in 0..quotient {
                svg.rect([x, y, side, side], fill, "square");
                if side >= 14.0 {
                    let text = (level + 1).to_string();
                    svg.text(x + side / 2.0, y + side / 2.0 + 5.0, 14.0, "middle", &text);
                }
                if across {
                    x += side;
                } else {
                    y += side;
                }
            }
        } else {
            svg.rect([x, y, rest[0], rest[1]], fill, "square");
            break;
        }
        rest[usize::from(!across)] -= side * quotient as f64;
    }
    let row: Vec<String> = quotients.iter().take(30).map(u64::to_string).collect();
    let text = format!("[{}]", row.join(", "));
    svg.text(MARGIN, MARGIN + size[1] + 20.0, 14.0, "start", &text);
    [size[0].max(super::wide(&text, 14.0)), size[1] + 24.0]
}
