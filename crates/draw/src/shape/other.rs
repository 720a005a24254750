//! The rectangle of Euclid's game, and text in a box.

use grundy_core::step::Step;

use crate::ink::{Ink, Tone};
use crate::pen::Pen;
use crate::sketch::Side;

/// Length of the longer side of a rectangle, in pixels.
const LONG: f64 = 380.0;
/// Least side of a square that is drawn, in pixels.
const SMALLEST: f64 = 5.0;

/// Draws the rectangle of Euclid's game with sides `a` and `b`. The squares that can be cut off are
/// numbered from 1. A click on a square cuts off this square and all with smaller numbers.
pub(super) fn rectangle(pen: &mut Pen<'_>, a: u64, b: u64) {
    let (long, short) = (a.max(b), a.min(b));
    // A unit of a side has at most 30 pixels.
    let scale = (LONG / long as f64).min(30.0);
    let (width, height) = (scale * long as f64, (scale * short as f64).max(2.0));
    pen.sketch
        .rect([0.0, 0.0, width, height], 0.0, Ink::filled(Tone::Square));
    let (mut corner, mut sides) = ([0.0, 0.0], [long, short]);
    // Squares are cut off alternately from the left and from the top.
    let mut flat = true;
    let mut first = true;
    while sides[1] > 0 && scale * sides[1] as f64 >= SMALLEST {
        let side = scale * sides[1] as f64;
        for count in 1..=sides[0] / sides[1] {
            let [x, y] = corner;
            let tone = if first { Tone::Coin } else { Tone::Square };
            let draw = |sketch: &mut crate::sketch::Sketch, best: bool| {
                sketch.rect([x, y, side, side], 0.0, Ink::filled(tone));
                if best && side > 12.0 {
                    let inner = [x + 3.0, y + 3.0, side - 6.0, side - 6.0];
                    sketch.rect(inner, 0.0, Ink::line(Tone::Accent, 3.0));
                }
                if first && side >= 16.0 {
                    let middle = [x + side / 2.0, y + side / 2.0];
                    let number = count.to_string();
                    sketch.write(middle, 15.0, Side::Middle, Tone::Ink, &number);
                }
            };
            if first {
                // In a small square the star would cover the number, so it is drawn above the
                // square.
                let star = if side < 44.0 { -11.0 } else { y + 12.0 };
                pen.draw_target(&[count], [x + side / 2.0, star], draw);
            } else {
                draw(&mut pen.sketch, false);
            }
            corner[usize::from(!flat)] += side;
        }
        sides = [sides[1], sides[0] % sides[1]];
        flat = !flat;
        first = false;
    }
    let middle = [width / 2.0, height + 13.0];
    pen.sketch
        .write(middle, 15.0, Side::Middle, Tone::Ink, &long.to_string());
    let place = [width + 8.0, height / 2.0];
    pen.sketch
        .write(place, 15.0, Side::Start, Tone::Ink, &short.to_string());
}

/// Writes the text for a step (a message code with arguments), in place of a picture that would be
/// too large.
pub(crate) fn summary(pen: &mut Pen<'_>, step: &Step) {
    let words = pen.say(step);
    text(pen, &words);
}

/// Writes a text in a box.
pub(super) fn text(pen: &mut Pen<'_>, text: &str) {
    const LINES: usize = 12;
    let mut wrapped = crate::wrap::wrapped(text, 60);
    if wrapped.len() > LINES {
        wrapped.truncate(LINES);
        wrapped.push("…".to_owned());
    }
    lines(pen, &wrapped);
}

pub(super) fn lines(pen: &mut Pen<'_>, lines: &[String]) {
    let widest = lines
        .iter()
        .map(|line| crate::sketch::text_width(line, 14.0));
    let width = widest.fold(60.0, f64::max) + 24.0;
    let height = 20.0 * lines.len() as f64 + 16.0;
    pen.sketch
        .rect([0.0, 0.0, width, height], 6.0, Ink::filled(Tone::Square));
    for (index, line) in (0u32..).zip(lines) {
        let at = [12.0, 18.0 + 20.0 * f64::from(index)];
        pen.sketch.write(at, 14.0, Side::Start, Tone::Ink, line);
    }
}
