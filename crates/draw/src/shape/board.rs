//! Boards of squares. Columns are numbered above the board, and rows on its left.

use grundy_core::step::Step;

use crate::ink::{Ink, Tone};
use crate::pen::Pen;
use crate::sketch::{Side, Sketch, Stroke};

pub(super) const CELL: f64 = 34.0;
/// Largest number of rows, and of columns, that is drawn.
const SIDE: usize = 40;

/// Draws a square whose upper left corner is at (x, y), with the piece for `letter`. `best` marks a
/// best move.
pub(super) fn square(sketch: &mut Sketch, [x, y]: [f64; 2], letter: char, best: bool) {
    let cell = [x, y, CELL, CELL];
    if letter == '#' {
        return sketch.rect(cell, 0.0, Ink::filled(Tone::Blocked));
    }
    sketch.rect(cell, 0.0, Ink::filled(Tone::Square));
    if best {
        let inner = [x + 2.5, y + 2.5, CELL - 5.0, CELL - 5.0];
        sketch.rect(inner, 0.0, Ink::line(Tone::Accent, 3.0));
    }
    let centre = [x + CELL / 2.0, y + CELL / 2.0];
    match letter {
        '.' => {}
        'X' => {
            for sign in [-1.0, 1.0] {
                let from = [centre[0] - 8.0, centre[1] - 8.0 * sign];
                let to = [centre[0] + 8.0, centre[1] + 8.0 * sign];
                sketch.line(from, to, Ink::line(Tone::Ink, 3.0));
            }
        }
        'O' => sketch.circle(centre, 9.0, Ink::line(Tone::Ink, 3.0)),
        letter => lettered_piece(sketch, centre, letter),
    }
}

/// Draws a piece as a disc with its letter. The disc has the colour of the player who owns the
/// piece.
fn lettered_piece(sketch: &mut Sketch, centre: [f64; 2], letter: char) {
    let tone = match letter {
        'L' | 'T' | 'x' | 'E' => Tone::Left,
        'R' | 'F' | 'o' => Tone::Right,
        _ => Tone::Coin,
    };
    sketch.circle(centre, 13.0, Ink::filled(tone));
    sketch.write(centre, 15.0, Side::Middle, Tone::Ink, &letter.to_string());
}

/// Writes the numbers of the columns above the board, and of the rows on its left.
fn numbers(pen: &mut Pen<'_>, columns: usize, rows: usize) {
    for column in 0..columns {
        pen.sketch
            .number([CELL * (column as f64 + 0.5), -11.0], column);
    }
    for row in 0..rows {
        pen.sketch.number([-12.0, CELL * (row as f64 + 0.5)], row);
    }
}

fn too_large(pen: &mut Pen<'_>, rows: usize, columns: usize) -> bool {
    let too_large = rows.max(columns) > SIDE;
    if too_large {
        let step = Step::new("picture_board_large").with("rows", rows);
        super::summary(pen, &step.with("columns", columns));
    }
    too_large
}

/// Draws a board from its rows of letters. A move of one square is clicked on that square. A move
/// of two squares is clicked on the line between them.
pub(super) fn board(pen: &mut Pen<'_>, rows: &[String]) {
    let columns = rows.iter().map(|row| row.chars().count()).max();
    let columns = columns.unwrap_or(0);
    if too_large(pen, rows.len(), columns) {
        return;
    }
    for (row, letters) in rows.iter().enumerate() {
        for (column, letter) in letters.chars().enumerate() {
            let corner = [CELL * column as f64, CELL * row as f64];
            let star = [corner[0] + CELL - 9.0, corner[1] + 9.0];
            pen.draw_target(&[row as u64, column as u64], star, |sketch, best| {
                square(sketch, corner, letter, best);
            });
        }
    }
    numbers(pen, columns, rows.len());
    // All moves of one square have been drawn, so the remaining moves have two squares.
    for at in pen.unplaced() {
        let &[row, column, to_row, to_column] = &at[..] else {
            continue;
        };
        let centre =
            |row: u64, column: u64| [CELL * (column as f64 + 0.5), CELL * (row as f64 + 0.5)];
        let (from, to) = (centre(row, column), centre(to_row, to_column));
        let moves_piece = rows
            .get(row as usize)
            .and_then(|letters| letters.chars().nth(column as usize));
        // A domino covers both squares, so it is clicked in the middle. Two pieces can move to each
        // other's squares, so the move of a piece is clicked closer to that piece.
        let fraction = if moves_piece == Some('.') { 0.5 } else { 0.36 };
        let [x, y] = [0, 1].map(|axis| from[axis] + fraction * (to[axis] - from[axis]));
        pen.draw_target_if_any(&at, [x, y], |sketch, best| {
            let (half, reach) = if (to[0] - from[0]).abs() > (to[1] - from[1]).abs() {
                (5.0, 12.0)
            } else {
                (12.0, 5.0)
            };
            sketch.rect(
                [x - half, y - reach, 2.0 * half, 2.0 * reach],
                3.0,
                Ink::unseen(),
            );
            if best {
                let [left, right] = [from[0].min(to[0]), from[0].max(to[0])];
                let [top, bottom] = [from[1].min(to[1]), from[1].max(to[1])];
                let place = [
                    left - 10.0,
                    top - 10.0,
                    right - left + 20.0,
                    bottom - top + 20.0,
                ];
                sketch.rect(place, 8.0, Ink::line(Tone::Accent, 2.5).dashed(&[5, 4]));
            }
        });
    }
}

/// Draws rows of `width` squares with one counter of each player. A move is clicked on the square
/// to which a counter moves.
pub(super) fn counters(pen: &mut Pen<'_>, width: u64, rows: &[[u64; 2]]) {
    let columns = usize::try_from(width).unwrap_or(usize::MAX);
    if columns.max(rows.len()) > SIDE {
        let line = |(row, &[left, right]): (usize, &[u64; 2])| {
            let step = Step::new("picture_counters").with("row", row);
            pen.say(&step.with("left", left).with("right", right))
        };
        let mut lines: Vec<String> = rows.iter().enumerate().take(20).map(line).collect();
        if rows.len() > lines.len() {
            let count = rows.len() - lines.len();
            lines.push(pen.say(&Step::new("picture_and").with("count", count)));
        }
        return super::other::lines(pen, &lines);
    }
    for (row, &[left, right]) in rows.iter().enumerate() {
        for column in 0..width {
            let corner = [CELL * column as f64, CELL * row as f64];
            let letter = match column {
                _ if column == left => 'L',
                _ if column == right => 'R',
                _ => '.',
            };
            let star = [corner[0] + CELL - 9.0, corner[1] + 9.0];
            pen.draw_target(&[row as u64, column], star, |sketch, best| {
                square(sketch, corner, letter, best);
            });
        }
    }
    numbers(pen, columns, rows.len());
}

/// Draws a piece on a board that is infinite to the right and upwards. A ring is around the corner
/// square, which is the goal.
pub(super) fn piece(pen: &mut Pen<'_>, column: u64, row: u64) {
    const CELL: f64 = 30.0;
    if column.max(row) >= 30 {
        let far = Step::new("picture_far").with("column", column);
        return super::summary(pen, &far.with("row", row));
    }
    let (mut columns, mut rows) = (column.max(3), row.max(3));
    for at in pen.unplaced() {
        if let [x, y] = at[..] {
            (columns, rows) = (columns.max(x), rows.max(y));
        }
    }
    for y in 0..=rows {
        for x in 0..=columns {
            let corner = [CELL * x as f64, -CELL * (y + 1) as f64];
            let tone = if (x + y) % 2 == 0 {
                Tone::Shade
            } else {
                Tone::Square
            };
            let star = [corner[0] + CELL / 2.0, corner[1] + CELL / 2.0];
            pen.draw_target(&[x, y], star, |sketch, best| {
                let cell = [corner[0], corner[1], CELL, CELL];
                sketch.rect(cell, 0.0, Ink::filled(tone));
                if best {
                    let inner = [corner[0] + 2.5, corner[1] + 2.5, CELL - 5.0, CELL - 5.0];
                    sketch.rect(inner, 0.0, Ink::line(Tone::Accent, 3.0));
                }
            });
        }
        pen.sketch.number([-11.0, -CELL * (y as f64 + 0.5)], y);
    }
    for x in 0..=columns {
        pen.sketch.number([CELL * (x as f64 + 0.5), 11.0], x);
    }
    let goal = [CELL / 2.0, -CELL / 2.0];
    let ring = Ink::line(Tone::Soft, 2.0).dashed(&[4, 3]);
    pen.sketch.circle(goal, 11.5, ring);
    let place = [CELL * (column as f64 + 0.5), -CELL * (row as f64 + 0.5)];
    pen.sketch
        .circle(place, 9.0, Ink::filled(Tone::Coin).class("piece scenery"));
}

/// Draws a bar of chocolate from the lengths of its rows. The first square of the first row is
/// poisoned and has a cross.
pub(super) fn bar(pen: &mut Pen<'_>, rows: &[u64]) {
    let columns = rows.iter().copied().max().unwrap_or(0);
    let columns = usize::try_from(columns).unwrap_or(usize::MAX);
    if too_large(pen, rows.len(), columns) {
        return;
    }
    for (row, &length) in rows.iter().enumerate() {
        for column in 0..length {
            let [x, y] = [CELL * column as f64, CELL * row as f64];
            let poison = row == 0 && column == 0;
            let tone = if poison { Tone::Poison } else { Tone::Bar };
            pen.draw_target(
                &[row as u64, column],
                [x + CELL / 2.0, y + CELL / 2.0],
                |sketch, best| {
                    sketch.rect([x, y, CELL, CELL], 4.0, Ink::filled(tone));
                    let pressed = Ink::line(Tone::Ink, 0.5).best(best);
                    sketch.rect([x + 4.0, y + 4.0, CELL - 8.0, CELL - 8.0], 3.0, pressed);
                },
            );
            if poison {
                let arms = [[9.0, 9.0, 25.0, 25.0], [9.0, 25.0, 25.0, 9.0]];
                for [a, b, c, d] in arms {
                    let strokes = vec![Stroke::Move([x + a, y + b]), Stroke::Line([x + c, y + d])];
                    pen.sketch.path(strokes, Ink::line(Tone::Ink, 3.0));
                }
            }
        }
    }
    numbers(pen, columns, rows.len());
}
