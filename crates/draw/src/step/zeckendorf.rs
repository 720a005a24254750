//! A heap as a sum of Fibonacci numbers: a bar that is divided into the summands. A bracket shows
//! the chips that may be taken.

use grundy_core::step::Step;

use super::{MARGIN, wide};
use crate::Wording;
use crate::svg::{Svg, number};

const LENGTH: f64 = 560.0;
const HEIGHT: f64 = 36.0;

/// Draws the bar, with the least summand at the right end. The bracket covers the `most` chips at
/// this end. Returns the width and the height.
pub(super) fn draw(svg: &mut Svg, parts: &[u64], most: u64, say: Wording<'_>) -> [f64; 2] {
    let size: f64 = parts.iter().map(|&part| part as f64).sum();
    let unit = LENGTH / size.max(1.0);
    let top = MARGIN + 4.0;
    let mut x = MARGIN;
    for (index, &part) in parts.iter().enumerate() {
        let width = unit * part as f64;
        let least = index + 1 == parts.len();
        svg.rect(
            [x, top, width, HEIGHT],
            if least { "#fbe3ab" } else { "#a8d4ee" },
            if least { "least" } else { "part" },
        );
        let text = part.to_string();
        if width > wide(&text, 14.0) {
            svg.text(x + width / 2.0, top + 23.0, 14.0, "middle", &text);
        }
        x += width;
    }
    // The rules may allow more chips than the heap contains.
    let bracket = (unit * most as f64).min(LENGTH);
    let (from, y) = (MARGIN + LENGTH - bracket, top + HEIGHT + 10.0);
    let d = format!(
        "M{f} {a}V{b}H{t}V{a}",
        f = number(from),
        a = number(y - 4.0),
        b = number(y + 2.0),
        t = number(MARGIN + LENGTH)
    );
    svg.path(&d, "most", "#0072B2", 2.0, "");
    let words = say(&Step::new("step_may_take").with("most", most));
    svg.text(MARGIN + LENGTH, y + 18.0, 13.0, "end", &words);
    [LENGTH.max(wide(&words, 13.0)), HEIGHT + 36.0]
}
