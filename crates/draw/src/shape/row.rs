//! Rows: strips of squares with letters, bowling pins, and dominoes that stand upright.

use grundy_core::step::Step;

use super::board::{CELL, square};
use crate::ink::{Ink, Tone};
use crate::pen::Pen;
use crate::sketch::{Side, Stroke};

/// Number of squares in a line of a drawing.
const LINE: usize = 24;
/// Largest number of squares in a drawing.
const DRAWN: usize = 240;

/// Writes the number of omitted squares below a row of `count` squares, if any are omitted.
fn note_omitted(pen: &mut Pen<'_>, count: usize) {
    if count > DRAWN {
        pen.note(&Step::new("picture_and").with("count", count - DRAWN));
    }
}

/// Draws a strip of squares. A move is clicked on the square that it fills, or on the piece that it
/// moves.
pub(super) fn lane(pen: &mut Pen<'_>, lane: &str) {
    // The first integer of every move is the square to click: the square that is filled, or the
    // source of the piece.
    let moves: Vec<Vec<u64>> = pen.unplaced();
    for (index, letter) in lane.chars().enumerate().take(DRAWN) {
        let x = CELL * (index % LINE) as f64;
        let y = (CELL + 38.0) * (index / LINE) as f64;
        let number = index as u64;
        let at = moves.iter().find(|at| at[0] == number);
        let at = at.cloned().unwrap_or_default();
        pen.draw_target(&at, [x + CELL / 2.0, y - 9.0], |sketch, best| {
            square(sketch, [x, y], letter, best);
        });
        pen.sketch.number([x + CELL / 2.0, y + CELL + 11.0], index);
    }
    note_omitted(pen, lane.chars().count());
}

/// Draws a row of pins, where `false` is a gap. The move that removes one pin is clicked on the
/// pin. The move that removes two neighbours is clicked between them.
pub(super) fn pins(pen: &mut Pen<'_>, pins: &[bool]) {
    let place = |index: usize| {
        let x = CELL * (index % LINE) as f64 + CELL / 2.0;
        [x, 76.0 * (index / LINE) as f64]
    };
    for (index, &pin) in pins.iter().enumerate().take(DRAWN) {
        let [x, y] = place(index);
        if pin {
            pen.draw_target(&[index as u64], [x, y - 10.0], |sketch, best| {
                let body = vec![
                    Stroke::Move([x - 6.0, y + 40.0]),
                    Stroke::Curve(
                        [x - 12.0, y + 22.0],
                        [x - 3.0, y + 20.0],
                        [x - 4.0, y + 6.0],
                    ),
                    Stroke::Curve([x - 5.0, y - 2.0], [x + 5.0, y - 2.0], [x + 4.0, y + 6.0]),
                    Stroke::Curve(
                        [x + 3.0, y + 20.0],
                        [x + 12.0, y + 22.0],
                        [x + 6.0, y + 40.0],
                    ),
                    Stroke::Close,
                ];
                sketch.path(body, Ink::filled(Tone::Coin).best(best));
            });
        } else {
            pen.sketch.circle([x, y + 37.0], 2.0, Ink::bare(Tone::Soft));
        }
        pen.sketch.number([x, y + 53.0], index);
    }
    for index in 1..pins.len().min(DRAWN) {
        let [x, y] = place(index);
        let at = [index as u64 - 1, index as u64];
        let between = x - CELL / 2.0;
        pen.draw_target_if_any(&at, [between, y + 66.0], |sketch, best| {
            let gap = [between - 5.0, y + 4.0, 10.0, 36.0];
            sketch.rect(gap, 4.0, Ink::unseen());
            if best {
                let ink = Ink::line(Tone::Accent, 3.0);
                sketch.line([between - 17.0, y + 62.0], [between + 17.0, y + 62.0], ink);
            }
        });
    }
    note_omitted(pen, pins.len());
}

/// Draws a row of dominoes. A click on the left half topples the domino to the left, and a click on
/// the right half to the right. Arrows above each domino show the possible directions.
pub(super) fn dominoes(pen: &mut Pen<'_>, row: &str) {
    for (index, letter) in row.chars().enumerate().take(DRAWN) {
        let x = CELL * (index % LINE) as f64 + CELL / 2.0;
        let y = 96.0 * (index / LINE) as f64;
        let tone = match letter {
            'L' => Tone::Left,
            'R' => Tone::Right,
            _ => Tone::Shade,
        };
        pen.sketch
            .rect([x - 10.0, y, 20.0, 48.0], 3.0, Ink::filled(tone));
        let middle = [x, y + 24.0];
        pen.sketch
            .write(middle, 16.0, Side::Middle, Tone::Ink, &letter.to_string());
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let star = [x + 9.0 * sign, y - 24.0];
            pen.draw_target_if_any(&[index as u64, side], star, |sketch, best| {
                let left = if side == 0 { x - 10.0 } else { x };
                sketch.rect([left, y, 10.0, 48.0], 0.0, Ink::unseen());
                let tip = vec![
                    Stroke::Move([x + 12.0 * sign, y - 9.0]),
                    Stroke::Line([x + 3.0 * sign, y - 14.0]),
                    Stroke::Line([x + 3.0 * sign, y - 4.0]),
                    Stroke::Close,
                ];
                sketch.path(tip, Ink::bare(if best { Tone::Accent } else { Tone::Soft }));
            });
        }
        pen.sketch.number([x, y + 60.0], index);
    }
    note_omitted(pen, row.chars().count());
}
