//! A row of numbers in which the values of the options are marked, and their mex.

use grundy_core::step::Step;

use super::{MARGIN, wide};
use crate::Wording;
use crate::svg::Svg;

/// Largest number of cells in the row, one for each number.
const CELLS: u64 = 40;
const SIDE: f64 = 30.0;

/// Draws the row of numbers. It starts at 0 and contains all values and the number after the mex.
/// If the row would be too long, only the cells around the mex are drawn. Returns the width and the
/// height.
pub(super) fn draw(svg: &mut Svg, values: &[u64], missing: u64, say: Wording<'_>) -> [f64; 2] {
    let last = values.iter().copied().max().unwrap_or(0).max(missing + 1);
    // The cell of the mex must be visible. After it, a few cells are enough.
    let first = missing.saturating_sub(CELLS - 6);
    let last = last.min(first + CELLS - 1);
    let dots = if first > 0 { 20.0 } else { 0.0 };
    let at = |n: u64| MARGIN + dots + SIDE * (n - first) as f64;
    let top = MARGIN + 26.0;
    if first > 0 {
        svg.text(MARGIN, top + 20.0, 14.0, "start", "…");
    }
    for n in first..=last {
        let x = at(n);
        let is_value = values.contains(&n);
        let (fill, class) = match (is_value, n == missing) {
            (_, true) => ("#ffffff", "missing"),
            (true, _) => ("#a8d4ee", "value"),
            (false, _) => ("#ffffff", "square"),
        };
        svg.rect([x, top, SIDE, SIDE], fill, class);
        if is_value || n == missing {
            svg.text(x + SIDE / 2.0, top + 20.0, 15.0, "middle", &n.to_string());
        }
    }
    let x = at(missing) + SIDE / 2.0;
    svg.circle(x, top + SIDE / 2.0, 12.5, "#fbe3ab", "missing");
    svg.text(x, top + 20.0, 15.0, "middle", &missing.to_string());
    let legend = say(&Step::new("step_missing").with("missing", missing));
    let width = SIDE * (last - first + 1) as f64
        + dots
        + if last < values.iter().copied().max().unwrap_or(0) {
            svg.text(at(last) + SIDE + 6.0, top + 20.0, 14.0, "start", "…");
            24.0
        } else {
            0.0
        };
    let words = wide(&legend, 13.0);
    svg.text(MARGIN, MARGIN + 12.0, 13.0, "start", &legend);
    [width.max(words), 26.0 + SIDE]
}
