//! Hackenbush pictures in a terminal. Lines consist of Braille characters, each with two columns
//! and four rows of dots, or of ASCII characters.

use anstyle::Style;
use grundy_core::step::Step;

use super::{Curve, DRAWN, PictureLayout};
use crate::terminal::{ink, painted};
use crate::{TerminalStyle, Wording};

/// Number of dots in one unit of the layout, horizontally.
const ACROSS: f64 = 12.0;
/// Number of dots in one unit of the layout, vertically.
const UP: f64 = 14.0;
/// For each dot of a Braille character, the index of the bit that represents it in the code point.
/// The four rows are listed from the top, each with its two columns.
const BITS: [[u8; 2]; 4] = [[0, 3], [1, 4], [2, 5], [6, 7]];
/// Width of the left margin, in dots.
const MARGIN: f64 = 6.0;

/// A character and its style.
#[derive(Clone, Copy)]
struct Sign {
    sign: char,
    ink: Style,
}

const BLANK: Sign = Sign {
    sign: ' ',
    ink: Style::new(),
};

/// Returns the picture as lines of text. The last line, a horizontal bar, is the ground. Unless all
/// edges are green, each edge is labelled with the letter of its colour.
pub(crate) fn text(
    edges: &[([u32; 2], char)],
    ground: &[u32],
    labels: Option<&[u32]>,
    style: TerminalStyle<'_>,
    say: Wording<'_>,
) -> String {
    if edges.len() > DRAWN {
        let note = Step::new("picture_too_large").with("edges", edges.len());
        return format!("({})\n", say(&note));
    }
    let layout = PictureLayout::new(edges, ground);
    let across = ACROSS / 2.0 * (layout.right - layout.left) + MARGIN;
    let columns = across.ceil() as usize + 4;
    let rows = ((UP * layout.height) / 4.0).ceil() as usize + 2;
    let grid = Grid {
        left: layout.left,
        rows,
        columns,
        colour: style.colour,
    };
    let ascii = style.ascii;
    let mut lines = if ascii {
        grid.strokes(&layout.curves)
    } else {
        grid.braille(&layout.curves)
    };
    for &(_, place) in layout.dots.iter().filter(|(_, place)| place[1] > 0.0) {
        let [column, line] = grid.cell(place);
        lines[line][column] = Sign {
            sign: if ascii { 'o' } else { '●' },
            ..BLANK
        };
    }
    let coloured = edges.iter().any(|(_, colour)| *colour != 'g');
    for (index, curve) in layout.curves.iter().enumerate() {
        let number = labels.map(|numbers| numbers[index].to_string());
        let colour = coloured.then(|| curve.colour.to_string());
        let label = number.unwrap_or_default() + &colour.unwrap_or_default();
        write_near(
            &mut lines,
            grid.cell(curve.label()),
            &label,
            grid.ink(curve),
        );
    }
    let mut out = String::new();
    let blank = |line: &Vec<Sign>| line.iter().all(|sign| sign.sign == ' ');
    for line in lines.into_iter().skip_while(blank) {
        let length = line.iter().rposition(|sign| sign.sign != ' ');
        let shown = &line[..length.map_or(0, |last| last + 1)];
        for run in shown.chunk_by(|a, b| a.ink == b.ink) {
            let text: String = run.iter().map(|sign| sign.sign).collect();
            out.push_str(&painted(&text, run[0].ink));
        }
        out.push('\n');
    }
    out.push_str(&if ascii { "=" } else { "▔" }.repeat(columns));
    out.push('\n');
    out
}

/// Writes a label next to the given cell, in the first of several places where it covers nothing
/// and is not adjacent to another label. If there is no such place, the label starts in the cell
/// and covers the edge.
fn write_near(lines: &mut [Vec<Sign>], [column, line]: [usize; 2], label: &str, ink: Style) {
    let length = label.chars().count();
    if length == 0 {
        return;
    }
    let rooms = [0isize, -1, 1].into_iter().flat_map(|down| {
        let before = -(length as isize);
        [1, before, 2, before - 1].map(|right| [right, down])
    });
    let free = |[right, down]: [isize; 2]| {
        let start = column.checked_add_signed(right)?;
        let line = line.checked_add_signed(down)?;
        let place = lines.get(line)?.get(start..start + length)?;
        let clear = place.iter().all(|sign| sign.sign == ' ');
        // Two adjacent labels would be read as one number.
        let apart = |at: Option<usize>| {
            at.and_then(|at| lines[line].get(at))
                .is_none_or(|sign| !sign.sign.is_ascii_alphanumeric())
        };
        (clear && apart(start.checked_sub(1)) && apart(Some(start + length)))
            .then_some([start, line])
    };
    let [start, line] = rooms.clone().find_map(free).unwrap_or([column, line]);
    for (offset, sign) in label.chars().enumerate() {
        if let Some(cell) = lines[line].get_mut(start + offset) {
            *cell = Sign { sign, ink };
        }
    }
}

/// The conversion from coordinates of the layout to characters in the terminal.
struct Grid {
    left: f64,
    rows: usize,
    columns: usize,
    /// `true` if edges are printed in their colours.
    colour: bool,
}

impl Grid {
    fn ink(&self, curve: &Curve) -> Style {
        // Without colours, all edges have the default colour of the text.
        if self.colour {
            ink(curve.colour)
        } else {
            Style::new()
        }
    }

    /// Returns the column and the row of a point of the layout, in dots.
    fn dot(&self, [x, y]: [f64; 2]) -> [usize; 2] {
        let across = (MARGIN + ACROSS * (x - self.left)).round().max(0.0) as usize;
        let down = (self.rows * 4 - 1).saturating_sub((UP * y).round() as usize);
        [across.min(2 * self.columns - 1), down]
    }

    /// Returns the column and the row of a point of the layout, in characters.
    fn cell(&self, place: [f64; 2]) -> [usize; 2] {
        let [across, down] = self.dot(place);
        [across / 2, down / 4]
    }

    fn braille(&self, curves: &[Curve]) -> Vec<Vec<Sign>> {
        let mut cells = vec![vec![(0u8, Style::new()); self.columns]; self.rows];
        for curve in curves {
            // Even an edge of 20 units, longer than usual, covers only about 240 dots, so lines
            // have no gaps.
            let steps = 240;
            for step in 0..=steps {
                let [across, down] = self.dot(curve.at(f64::from(step) / f64::from(steps)));
                let (bits, ink) = &mut cells[down / 4][across / 2];
                *bits |= 1 << BITS[down % 4][across % 2];
                *ink = self.ink(curve);
            }
        }
        let shown = |bits: u8| match bits {
            0 => ' ',
            _ => char::from_u32(0x2800 + u32::from(bits)).unwrap_or(' '),
        };
        let sign = |(bits, ink)| Sign {
            sign: shown(bits),
            ink,
        };
        let line = |row: Vec<(u8, Style)>| row.into_iter().map(sign).collect();
        cells.into_iter().map(line).collect()
    }

    fn strokes(&self, curves: &[Curve]) -> Vec<Vec<Sign>> {
        let mut lines = vec![vec![BLANK; self.columns]; self.rows];
        for curve in curves {
            let steps = 240;
            for step in 0..steps {
                let [from, to] = [step, step + 1].map(|step| {
                    let t = f64::from(step) / f64::from(steps);
                    curve.at(t)
                });
                // A character is about twice as high as wide.
                let (across, up) = (
                    ACROSS / 2.0 * (to[0] - from[0]),
                    UP / 4.0 * (to[1] - from[1]),
                );
                // A line within about 22 degrees of an axis (slope 0.4) is drawn as `-` or `|`.
                let sign = if up.abs() < 0.4 * across.abs() {
                    '-'
                } else if across.abs() < 0.4 * up.abs() {
                    '|'
                } else if (across > 0.0) == (up > 0.0) {
                    '/'
                } else {
                    '\\'
                };
                let [column, line] = self.cell(from);
                lines[line][column] = Sign {
                    sign,
                    ink: self.ink(curve),
                };
            }
        }
        lines
    }
}
