//! A Hackenbush picture in a terminal: lines of Braille dots, two dots wide and four high to a character.

use grundy::step::Step;

use super::{DRAWN, PictureLayout};
use crate::Say;

/// Dots for one unit of the layout, across and up.
const ACROSS: f64 = 12.0;
const UP: f64 = 14.0;
/// The numbers of the dots of a Braille character, from the top.
const BITS: [[u8; 2]; 4] = [[0, 3], [1, 4], [2, 5], [6, 7]];

/// The picture as lines of text, with a ground of bars below. Blue edges are dashed, red ones dotted.
pub(crate) fn text(
    edges: &[([u32; 2], char)],
    ground: &[u32],
    labels: Option<&[u32]>,
    say: Say<'_>,
) -> String {
    if edges.len() > DRAWN {
        let note = Step::new("picture_too_large").with("edges", edges.len());
        return format!("({})\n", say(&note));
    }
    let layout = PictureLayout::new(edges, ground);
    let margin = 4.0;
    let columns = (ACROSS / 2.0 * (layout.right - layout.left) + margin).ceil() as usize + 1;
    let rows = ((UP * layout.height) / 4.0).ceil() as usize + 1;
    let dot = |[x, y]: [f64; 2]| {
        let across = (margin + ACROSS * (x - layout.left)).round().max(0.0) as usize;
        let down = (rows * 4 - 1).saturating_sub((UP * y).round() as usize);
        (across, down)
    };
    let mut cells = vec![vec![0u8; columns]; rows];
    for curve in &layout.curves {
        let steps = 240;
        for step in 0..=steps {
            let shown = match curve.colour {
                'b' => step / 24 % 2 == 0,
                'r' => step % 24 < 6,
                _ => true,
            };
            if shown {
                let (across, down) = dot(curve.at(f64::from(step) / f64::from(steps)));
                if let Some(cell) = cells
                    .get_mut(down / 4)
                    .and_then(|row| row.get_mut(across / 2))
                {
                    *cell |= 1 << BITS[down % 4][across % 2];
                }
            }
        }
    }
    let mut lines: Vec<Vec<char>> = cells
        .iter()
        .map(|row| {
            let shown = |&bits: &u8| match bits {
                0 => ' ',
                _ => char::from_u32(0x2800 + u32::from(bits)).unwrap_or(' '),
            };
            row.iter().map(shown).collect()
        })
        .collect();
    for &(_, place) in layout.dots.iter().filter(|(_, place)| place[1] > 0.0) {
        let (across, down) = dot(place);
        lines[down / 4][(across / 2).min(columns - 1)] = '●';
    }
    if let Some(numbers) = labels {
        for (number, curve) in numbers.iter().zip(&layout.curves) {
            let (across, down) = dot(curve.label());
            for (offset, digit) in number.to_string().chars().enumerate() {
                if let Some(cell) = lines[down / 4].get_mut(across / 2 + offset) {
                    *cell = digit;
                }
            }
        }
    }
    let mut out = String::new();
    for line in lines {
        let line: String = line.into_iter().collect();
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.push_str(&"▔".repeat(columns));
    out.push('\n');
    out
}
